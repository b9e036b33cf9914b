"""Templates say in which part and line something is wrong."""

from __future__ import annotations

import pytest

from src.errors import GrambenchError
from src.prompting.templates import Templates


def test_a_part_is_filled_in_and_trimmed():
    templates = Templates({"parts.a": "\n {% if x %}\n{{ x }} <&>\n{% endif %}\n\n"})
    assert templates.render("parts.a", {"x": "{{ y }} {% z %}"}) == "{{ y }} {% z %} <&>"
    assert templates.render("parts.a", {"x": ""}) == ""


def test_a_part_may_include_another():
    templates = Templates({"parts.a": "{% include 'parts.b' %}!", "parts.b": "{{ x }}"})
    assert templates.render("parts.a", {"x": 1}) == "1!"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("one\n{% if x %}\n", r"^prompt\.parts\.a, line 2, is no Jinja template"),
        ("{{ x", r"^prompt\.parts\.a, line 1, is no Jinja template"),
        ("a\nb\n{% foo %}", r"^prompt\.parts\.a, line 3, .*unknown tag 'foo'"),
        ("{% if x %}", r"innermost block that needs to be closed is 'if'\.$"),
        ("a\n{{ x | wrong }}", r"^prompt\.parts\.a, line 2, .*No filter named 'wrong'"),
    ],
)
def test_what_is_no_template_is_found_when_it_is_read(source, message):
    with pytest.raises(GrambenchError, match=message):
        Templates({"system": "fine", "parts.a": source})


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("one\ntwo {{ language }}", r"^prompt\.parts\.a, line 2, .*'language' is undef.*use x\.$"),
        ("{{ x.nothing }}", r"^prompt\.parts\.a, line 1, cannot .*no attribute 'nothing'"),
        ("\n\n{{ x / 0 }}", r"^prompt\.parts\.a, line 3, cannot be filled in: division by zero"),
        ("{{ x.__class__.__mro__ }}", r"^prompt\.parts\.a, line 1, cannot .*unsafe"),
        ("{% for n in range(10 ** 9) %}{% endfor %}", r"line 1, cannot .*[Rr]ange too big"),
        ("\n{% include 'parts.none' %}", r"^prompt\.parts\.a, line 2, cannot .*parts\.none"),
        ("{% include 'parts.b' %}", r"^prompt\.parts\.b, line 2, cannot .*'other' is undefined"),
    ],
)
def test_what_cannot_be_filled_in(source, message):
    templates = Templates({"parts.a": source, "parts.b": "\n{{ other }}"})
    with pytest.raises(GrambenchError, match=message):
        templates.render("parts.a", {"x": 5})
