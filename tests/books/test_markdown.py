"""Markdown: marks of emphasis go, judgements stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.books.emphasis import without_emphasis
from src.books.plain import read_plain


def kinds(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    path = tmp_path / "grammar.md"
    path.write_bytes(text.encode())
    return [(block.kind, block.text) for block in read_plain(path).blocks]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("The form *ma* is last.", "The form ma is last."),
        ("_ma_, __ne__ and **ka**", "ma, ne and ka"),
        ("***ma*** and **the *ne* form**", "ma and the ne form"),
        ("(*ba* ‘go’)", "(ba ‘go’)"),
        ("the suffix `-ne`", "the suffix -ne"),
        ("`*ma*` in code", "*ma* in code"),
        ("It is *kitab-s that is wrong.", "It is *kitab-s that is wrong."),
        ("*ma and *ne are wrong.", "*ma and *ne are wrong."),
        ("*na, but *ni* is right", "*na, but ni is right"),
        ("a * b and ** c", "a * b and ** c"),
        ("snake_case_word", "snake_case_word"),
        (r"\*ma and 1\_2 but \ka", r"*ma and 1_2 but \ka"),
        ("<b> & [x](y)", "<b> & [x](y)"),
    ],
)
def test_emphasis(text: str, plain: str) -> None:
    assert without_emphasis(text) == plain


@given(st.text(alphabet="aŋ *_`\\-.", max_size=40))
def test_nothing_but_marks_goes(text: str) -> None:
    def rest(some: str) -> str:
        return "".join(sign for sign in some if sign not in " *_`\\")

    assert rest(without_emphasis(text)) == rest(text)


def test_marks_go_from_all_but_examples(tmp_path: Path) -> None:
    text = """\
# The suffix *-ŋa*

The form *ma* goes on *over
a line*, but *kitab-s does not.

- the **marker** =ka

| form | use     |
|------|---------|
| *ma* | `verb`  |
| *ne  | nowhere |

```
*ma* ne
```

(1) *ma ne
    2SG Q
    ‘It is *not* you.’
"""
    assert kinds(tmp_path, text) == [
        ("heading", "The suffix -ŋa"),
        ("text", "The form ma goes on over a line, but *kitab-s does not."),
        ("item", "- the marker =ka"),
        ("table", "form\tuse\nma\tverb\n*ne\tnowhere"),
        ("example", "*ma* ne"),
        ("example", "(1) *ma ne\n2SG Q\n‘It is *not* you.’"),
    ]


GLOSSED = ["towi ʔuno-lu ne", "child sleep-IPFV Q", "‘Is the child sleeping?’"]


@pytest.mark.parametrize("label", ["1.", "-", "*", "(a)"])
def test_glossed_lines_of_an_item_stay_lines(tmp_path: Path, label: str) -> None:
    rows = [f"{label} {GLOSSED[0]}", *GLOSSED[1:]]
    hung = "\n".join([rows[0], *(f"   {row}" for row in rows[1:])])
    assert kinds(tmp_path, hung) == [("example", "\n".join(rows))]


def test_glossed_lines_inside_an_item(tmp_path: Path) -> None:
    text = "- The *particle*\n  comes last:\n  " + "\n  ".join(GLOSSED) + "\n  It is frequent.\n"
    assert kinds(tmp_path, text) == [
        ("item", "- The particle comes last:"),
        ("example", "\n".join(GLOSSED)),
        ("text", "It is frequent."),
    ]


@pytest.mark.parametrize("indent", ["", "    "])
def test_a_number_alone_above_glossed_lines(tmp_path: Path, indent: str) -> None:
    text = "(61)\n" + "\n".join(indent + row for row in GLOSSED) + "\n"
    assert kinds(tmp_path, text) == [("example", "\n".join(["(61)", *GLOSSED]))]


def test_an_item_that_stands_alone_is_no_heading(tmp_path: Path) -> None:
    text = "# 1. Sounds\n\n1. The marker *ma*\n\n   " + "\n   ".join(GLOSSED) + "\n"
    assert kinds(tmp_path, text) == [
        ("heading", "1. Sounds"),
        ("item", "1. The marker ma"),
        ("example", "\n".join(GLOSSED)),
    ]


def test_a_backslash_that_breaks_a_line_goes(tmp_path: Path) -> None:
    text = "\\\n".join(GLOSSED) + "\n\nIt ends\\\nhere.\n"
    assert kinds(tmp_path, text) == [("example", "\n".join(GLOSSED)), ("text", "It ends here.")]
