"""What lines tell by their text alone."""

import pytest

from src.books import lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7.2 Polar questions", ("7.2", 2)),
        ("7 The clause", ("7", 1)),
        ("A.1 The wolf", ("A.1", 2)),
        ("7.2.1. Tags", ("7.2.1", 3)),
        ("7.2 polar questions", None),
        ("A wolf came", None),
        ("1806 clauses", None),
    ],
)
def test_heading_numbers(text: str, found: tuple[str, int] | None) -> None:
    assert lines.heading_number(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Chapter 3", ("3", "", 1)),
        ("Chapter 3: Nouns", ("3", "Nouns", 1)),
        ("PART II Syntax", ("II", "Syntax", 0)),
        ("Appendix A", ("A", "", 1)),
        ("Chapter by chapter", None),
        ("Part i", None),
    ],
)
def test_divisions(text: str, found: tuple[str, str, int] | None) -> None:
    assert lines.division(text) == found


@pytest.mark.parametrize(
    "text", ["Table 7. Orders", "Table 7.1: Orders", "Figure 2", "Map 3 – The"]
)
def test_captions(text: str) -> None:
    assert lines.is_caption(text)


@pytest.mark.parametrize("text", ["Table 7 shows that", "Tables 7.", "The table 7."])
def test_no_captions(text: str) -> None:
    assert not lines.is_caption(text)


@pytest.mark.parametrize("word", ["(1)", "(61)", "(3a)", "(iv)", "(A1)", "(T1.4)"])
def test_example_numbers(word: str) -> None:
    assert lines.is_example_number(word)


@pytest.mark.parametrize("word", ["(the)", "61)", "(SVO)", "()", "(12345)"])
def test_no_example_numbers(word: str) -> None:
    assert not lines.is_example_number(word)


@pytest.mark.parametrize("text", ["It is so.", "Is it?”", "He came.)", "and so on …"])
def test_ends_of_sentences(text: str) -> None:
    assert lines.ends_sentence(text)
    assert not lines.ends_sentence(text + " and")


def test_quotations() -> None:
    assert lines.opens_quote("‘Father’")
    assert lines.closes_quote("a fish.’")
    assert lines.closes_quote("a fish.’ (Felden 1934: 3)")
    assert not lines.closes_quote("a fish. (Felden 1934)")


def test_leaders() -> None:
    assert lines.without_leaders("1 Sounds . . . . . 3") == ("1 Sounds", "3")
    assert lines.without_leaders("It is so... Then") is None


@pytest.mark.parametrize(
    ("text", "is_one"), [("12", True), ("– 12 –", True), ("xiv", True), ("12 a", False)]
)
def test_page_numbers(text: str, is_one: bool) -> None:
    assert lines.is_page_number(text) == is_one


@pytest.mark.parametrize(
    ("text", "are"), [("12", True), ("70, 299–301", True), ("see 12", False), ("12,", False)]
)
def test_lists_of_pages(text: str, are: bool) -> None:
    assert lines.are_page_numbers(text) == are
