"""Which of a page's outermost lines are headers, footers and page numbers."""

from src.books.pdf.furniture import EdgeLine, furniture_of


def edges(*texts: str, y: float = 40, size: float = 10, top: bool = True) -> list[EdgeLine]:
    return [EdgeLine(page, top, 0, y, size, text) for page, text in enumerate(texts, start=1)]


def pages(found: set[tuple[int, float]]) -> list[int]:
    return sorted(page for page, _ in found)


def test_what_repeats_up_to_digits() -> None:
    assert pages(furniture_of(edges("A grammar 3", "A grammar 9", "It is."), 3, 10)) == [1, 2]


def test_in_a_long_book_twice_is_not_enough() -> None:
    texts = ["It is.", "It is.", *(f"Line {'abcdefgh'[n]}" for n in range(8))]
    assert pages(furniture_of(edges(*texts), 10, 10)) == []


def test_what_repeats_at_another_height() -> None:
    found = [EdgeLine(page, True, 0, 40 + 30 * page, 10, "And so on.") for page in (1, 2, 3)]
    assert furniture_of(found, 3, 10) == set()


def test_large_type_is_a_chapter() -> None:
    assert furniture_of(edges("Chapter 1", "Chapter 2", "Chapter 3", size=20), 3, 10) == set()


def test_lone_numbers() -> None:
    assert pages(furniture_of(edges("12", "– 7 –", "xiv", "It is."), 4, 10)) == [1, 2, 3]


def test_a_number_that_grows_with_the_pages() -> None:
    assert pages(furniture_of(edges("5 Nouns", "Verbs 6", "7 Clauses"), 3, 10)) == [1, 2, 3]


def test_the_second_line_goes_only_with_the_first() -> None:
    first = edges("Aaa", "Bbb", "Ccc")
    second = [EdgeLine(page, True, 1, 52, 10, "And so on.") for page in (1, 2, 3)]
    assert furniture_of([*first, *second], 3, 10) == set()
