"""What is counted in a book, and what a person is told."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

from src.books.book import Block, Book, Page
from src.books.quality import Quality, many_unknown, measure, warnings
from src.records import Paragraph


def test_counts() -> None:
    letters = "Kuti " * 12 + "a\u0301b"  # 4 * 12 + 2 letters
    book = Book(
        [
            Block("heading", "1 Once"),
            Block("text", "Verbs, verbs and VERBS; a noun, in 2 places: ŋ̊a."),
            Block("item", "and nouns\ufffd"),
            Block("footnote", "3 in noun"),
            Block("example", "unique words\nhere"),
            Block("table", "other\twords"),
        ],
        [Page(1, letters), Page(2, letters[1:]), Page(3, "12 … 13"), Page(4, "x" * 900)],
        column_pages=[4],
    )
    found = measure(book, [Paragraph("k/1", "k", "plain"), Paragraph("k/2", "k", "a \\textit{b}")])
    # verbs 3, and 2, noun 2, in 2; once: places, ŋ̊a, nouns
    assert (found.words, found.unknown_word_tokens) == (12, 3)
    assert (found.replaced_characters, found.characters) == (1, 6 + 49 + 10 + 9 + 17 + 11)
    assert (found.near_empty_pages, found.pages) == ((2, 3), 4)
    assert (found.column_pages, found.residues) == ((4,), ())
    shares = (found.unknown_words, found.empty_pages, found.columns, found.residue)
    assert shares == (3 / 12, 0.5, 0.25, 0)
    assert found.replaced == 1 / 102


def test_pages_of_a_book_without_pages_do_not_count() -> None:
    found = measure(Book([Block("text", "One.")], [Page(1, "")], paged=False, column_pages=[1]), [])
    assert (found.pages, found.near_empty_pages, found.column_pages) == (0, (), ())
    assert (found.empty_pages, found.columns, found.residue) == (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "is_residue"),
    [
        ("\\emph{x}", True),
        ("a \\ b", False),
        ("a/b", False),
    ],
)
def test_residue_of_latex(text: str, is_residue: bool) -> None:
    book = Book([], [], paged=False)
    assert bool(measure(book, [Paragraph("k/1", "k", text)]).residues) == is_residue


@pytest.mark.parametrize(
    ("form", "paged", "share"),
    [
        ("latex", False, 0.5),
        ("", False, 0.5),
        ("pdf", True, 0),
        ("", True, 0),
        ("text", False, 0),
        ("markdown", False, 0),
    ],
)
def test_only_books_from_latex_have_residues(form: str, paged: bool, share: float) -> None:
    texts = [Paragraph("k/1", "k", "plain"), Paragraph("k/2", "k", "a \\textit{b}")]
    assert measure(Book([], [], paged=paged), texts, form).residue == share


def quality(**counts: object) -> Quality:
    good: dict[str, object] = {
        **{"pages": 200, "characters": 400_000, "words": 10_000, "paragraphs": 1000},
        **{
            "replaced_characters": 0,
            "unknown_word_tokens": 2000,
            "unknown_at_best": 0.1,
            "near_empty_pages": (2,),
        },
        **{"column_pages": (), "residues": ()},
    }
    return Quality(**{**good, **counts})  # type: ignore[arg-type]


def test_a_good_book_gets_no_warning() -> None:
    assert warnings(quality()) == []


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        (
            {"unknown_at_best": 0.12},
            "20 % of the words stand nowhere else in the book, 12 % even in its best parts: "
            "the text looks like bad OCR.",
        ),
        (
            {"replaced_characters": 500},
            "0.12 % of the characters could not be read (they are U+FFFD)",
        ),
        (
            {"near_empty_pages": tuple(range(3, 33))},
            "30 of 200 pages hold next to no text (the first are 3, 4, 5)",
        ),
        (
            {"column_pages": tuple(range(7, 27))},
            "20 of 200 pages look as if they had more than one column (the first are 7, 8, 9)",
        ),
        (
            {"residues": ("k/0001",) * 6},
            "6 of 1000 paragraphs hold LaTeX commands that were not understood ",
        ),
    ],
)
def test_warnings(counts: dict[str, object], says: str) -> None:
    (said,) = warnings(quality(**counts))
    assert said.startswith(says)
    assert said.endswith(".")


@pytest.mark.parametrize("counts", [(200, 19), (5, 1)])
def test_an_index_in_columns_is_usual(counts: tuple[int, int]) -> None:
    pages, columns = counts
    assert warnings(quality(pages=pages, near_empty_pages=(), column_pages=range(columns))) == []


def test_no_text() -> None:
    (said,) = warnings(quality(characters=0, words=0, near_empty_pages=tuple(range(1, 201))))
    assert said.startswith("No text was found")


def test_few_words_tell_nothing() -> None:
    assert warnings(quality(words=4900, unknown_at_best=0.5)) == []


def test_the_limit_falls_with_length() -> None:
    limits = [many_unknown(words) for words in (0, 10, 5000, 10_000, 100_000)]
    assert limits == sorted(limits, reverse=True)
    assert limits[0] == 1
    assert limits[3] == pytest.approx(0.11, abs=0.001)
    assert limits[4] == pytest.approx(0.045, abs=0.001)


def test_the_best_parts_are_those_with_the_fewest_unknown_words() -> None:
    known = Block("text", "ka ba " * 250)
    rare = [Block("text", "ka ba " * 150 + numerals(n)) for n in range(18)]
    found = measure(Book([*rare, known, known], []), [])
    assert (found.unknown_words, found.unknown_at_best) == (200 * 18 / 10_000, 0.4)
    assert measure(Book([*rare[:17], known, known, known], []), []).unknown_at_best == 0


def numerals(n: int) -> str:
    """200 words of which no other n has one."""
    return " ".join(f"{chr(0x4E00 + n)}{chr(0x5E00 + word)}" for word in range(200))


def book_of(words: list[str]) -> Book:
    return Book(
        [Block("text", " ".join(words[n : n + 100])) for n in range(0, len(words), 100)], []
    )


@pytest.mark.parametrize("length", [8000, 60_000])
def test_confused_characters_are_noticed(length: int) -> None:
    """Words drawn by Zipf's law, then with five characters in a hundred confused."""
    chance = random.Random(3)
    ranks = range(1, 20_001)
    names = ["".join(chance.choices("aeioukmnrst", k=chance.randint(2, 9))) for _ in ranks]
    words = chance.choices(names, [1 / rank**1.25 for rank in ranks], k=length)
    noisy = [
        "".join(chance.choice("bcdfghlv") if chance.random() < 0.05 else sign for sign in word)
        for word in words
    ]
    assert warnings(measure(book_of(words), [])) == []
    (said,) = warnings(measure(book_of(noisy), []))
    assert "bad OCR" in said


BOOKS = Path(__file__).parents[2] / "../shared/data/langsci"
CONFUSED = {
    "e": "c",
    "c": "e",
    "l": "1",
    "i": "l",
    "n": "u",
    "u": "n",
    "h": "b",
    "a": "o",
    "t": "f",
}


@pytest.mark.realdata
@pytest.mark.skipif(not BOOKS.is_dir(), reason="the books are not there")
@pytest.mark.parametrize("name", ["98", "225"])  # the first is mostly a dictionary
def test_real_books_are_judged_rightly(name: str) -> None:
    from src.books.latex import read_latex

    book = read_latex(next((BOOKS / name).rglob("main.tex")))
    assert warnings(measure(book, [])) == []
    chance = random.Random(5)
    misread = [
        replace(block, text="".join(misprint(sign, chance) for sign in block.text))
        for block in book.blocks
    ]
    (said,) = warnings(measure(replace(book, blocks=misread), []))
    assert "bad OCR" in said


def misprint(sign: str, chance: random.Random) -> str:
    """Confuse five in a hundred, as scanners do: some always with the same, others with any."""
    if not sign.isalpha() or chance.random() >= 0.05:
        return sign
    return CONFUSED.get(sign) or chance.choice("rsvwz")
