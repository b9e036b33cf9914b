"""Which of a page's outermost lines are headers, footers and page numbers."""

from src.books.furniture import EdgeLine, furniture_of


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


def test_a_last_line_of_text_that_differs_in_digits_stays() -> None:
    ends = [
        EdgeLine(page, False, 0, 700, 10, text, apart=False)
        for page, text in enumerate(("{003#S48}", "{011#S2}", "{004#S9}"), start=1)
    ]
    assert furniture_of(ends, 3, 10) == set()


def test_a_header_close_to_the_text_goes_where_it_is_the_same() -> None:
    heads = [EdgeLine(page, True, 0, 40, 10, "A grammar", apart=False) for page in (1, 2, 3)]
    assert pages(furniture_of(heads, 3, 10)) == [1, 2, 3]


def test_heights_may_tell_nothing() -> None:
    found = furniture_of(
        edges("Sounds 1", "Nouns 2", "Verbs 3", "It is so."), 4, 10, by_height=False
    )
    assert pages(found) == [1, 2, 3]


def test_numbers_of_sections_keep_step_by_chance() -> None:
    heads = edges(*(f"{page + 4} {chr(96 + page)}" for page in range(1, 20)))
    sections = [
        EdgeLine(page, True, 1, 52, 10, f"{page + 2} {title}")
        for page, title in ((2, "Nouns"), (5, "Verbs"), (9, "Negation"))
    ]
    grown = furniture_of([*heads, *sections], 40, 10, by_height=False)
    assert grown == {edge.place for edge in heads}


def test_a_chapter_that_has_the_number_of_its_page() -> None:
    foot = edges("1", "2", "3", y=700, top=False)
    heads = edges("1 Introduction", "2 Sounds, a word", "Nouns")[:1]
    assert pages(furniture_of([*foot, *heads], 3, 10)) == [1, 2, 3]
    assert furniture_of([*foot, *heads], 3, 10) == {edge.place for edge in foot}


def test_a_head_above_its_page_number_goes_with_it() -> None:
    heads = edges("Stress", "Number", "Case", "Tense")
    numbers = [EdgeLine(page, True, 1, 52, 10, str(page + 6)) for page in (1, 2, 3)]
    found = furniture_of([*heads, *numbers], 4, 10, by_height=False)
    assert found == {edge.place for edge in [*heads[:3], *numbers]}


def test_years_and_numbers_of_examples_are_no_page_numbers() -> None:
    assert pages(furniture_of(edges("2018", "(4)", "It is.", "(12)"), 4, 10)) == []


def test_roman_numbers_grow_too() -> None:
    foot = [EdgeLine(page, False, 0, 700, 10, text) for page, text in ((3, "iii"), (5, "v"))]
    head = EdgeLine(4, True, 0, 40, 10, "iv Contents")
    text = EdgeLine(6, True, 0, 40, 10, "mix of words")
    found = furniture_of([*foot, head, text], 40, 10)
    assert found == {edge.place for edge in [*foot, head]}
