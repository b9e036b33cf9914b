"""Plain text and Markdown into blocks and pages."""

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.books.book import Book
from src.books.decoding import decode
from src.books.hyphens import words_of
from src.books.plain import read_plain
from src.books.plain_blocks import Row, text_blocks
from src.errors import GrambenchError


def read(tmp_path: Path, text: str | bytes, name: str = "grammar.txt") -> Book:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_plain(path)


def kinds(book: Book) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in book.blocks]


TEXT = """\
7.2 Polar questions

A polar question is formed by the particle ne, which
stands at the end of the clause. Its tone is men-
tioned in chapter 2.
(61) towi ʔuno-lu ne
child sleep-IPFV Q
'Is the child sleeping?'
(62) ke mi-ho-ke
2SG come-FUT-2SG
'Will you come?'
The particle is often dropped.

Table 3. Particles
ne      polar
=si     also
"""


def test_a_page_of_a_grammar(tmp_path: Path) -> None:
    book = read(tmp_path, TEXT)
    assert kinds(book) == [
        ("heading", "7.2 Polar questions"),
        (
            "text",
            "A polar question is formed by the particle ne, which stands at the end of the clause. "
            "Its tone is men-tioned in chapter 2.",
        ),
        ("example", "(61) towi ʔuno-lu ne\nchild sleep-IPFV Q\n'Is the child sleeping?'"),
        ("example", "(62) ke mi-ho-ke\n2SG come-FUT-2SG\n'Will you come?'"),
        ("text", "The particle is often dropped."),
        ("caption", "Table 3. Particles"),
        ("table", "ne\tpolar\n=si\talso"),
    ]
    assert book.blocks[0].level == 2
    assert not book.paged
    assert [page.number for page in book.pages] == [1]
    assert all(block.pages == () for block in book.blocks)


def test_form_feeds_part_pages(tmp_path: Path) -> None:
    book = read(tmp_path, "The first page ends.\n\fThe second.\n\f\fThe fourth.\n\f")
    assert book.paged
    assert [page.text.strip() for page in book.pages] == [
        "The first page ends.",
        "The second.",
        "",
        "The fourth.",
    ]
    assert [block.pages for block in book.blocks] == [(1,), (2,), (4,)]


def test_a_sentence_goes_on_over_a_page_break(tmp_path: Path) -> None:
    book = read(tmp_path, "The verb comes last, and\nnothing follows\n\n\fit in any clause.\n")
    assert kinds(book) == [("text", "The verb comes last, and nothing follows it in any clause.")]
    assert book.blocks[0].pages == (1, 2)


def test_a_hyphen_goes_where_the_word_is_known(tmp_path: Path) -> None:
    book = read(tmp_path, "Their vari-\nety is great. Such variety is rare.\n")
    assert kinds(book) == [("text", "Their variety is great. Such variety is rare.")]


def test_an_indented_stretch_stays_lines(tmp_path: Path) -> None:
    book = read(tmp_path, "It is said:\n\n    tamá   náːlo-ŋa\n    father fish-ACC\n\nSo it is.\n")
    assert kinds(book) == [
        ("text", "It is said:"),
        ("example", "tamá náːlo-ŋa\nfather fish-ACC"),
        ("text", "So it is."),
    ]


def test_a_number_in_running_text_begins_no_example(tmp_path: Path) -> None:
    text = "Sentences that all consultants offered are\n(61) and (62), without hesitation.\n"
    assert [kind for kind, _ in kinds(read(tmp_path, text))] == ["text"]


def test_a_number_of_an_example_alone_is_no_heading(tmp_path: Path) -> None:
    text = "(T1.2)\n\nThe wolf came.\n"
    assert [kind for kind, _ in kinds(read(tmp_path, text))] != ["heading", "text"]


def test_parts_of_a_numbered_example_stay_together(tmp_path: Path) -> None:
    lines = ["(5) a. towi ʔuno-lu", "child sleep-IPFV", "‘It sleeps.’", "b. towi ne", "child Q"]
    assert kinds(read(tmp_path, "\n".join(lines))) == [("example", "\n".join(lines))]


def test_lists(tmp_path: Path) -> None:
    text = "There are two:\n- the marker =ka,\n  which is frequent\n- the marker =si\n"
    assert kinds(read(tmp_path, text)) == [
        ("text", "There are two:"),
        ("item", "- the marker =ka, which is frequent"),
        ("item", "- the marker =si"),
    ]


MARKDOWN = """\
# Tavelo

The sounds
===

Nouns
---
There is no
gender. Words with * are wrong:

```
*lipa   halo
 house  big
```

## 4.1 Case ##
| case | form |
|------|------|
| acc  | -ŋa  |

1. first
2. second
"""


def test_markdown(tmp_path: Path) -> None:
    book = read(tmp_path, MARKDOWN, "grammar.md")
    assert [(block.kind, block.level, block.text) for block in book.blocks] == [
        ("heading", 1, "Tavelo"),
        ("heading", 1, "The sounds"),
        ("heading", 2, "Nouns"),
        ("text", 0, "There is no gender. Words with * are wrong:"),
        ("example", 0, "*lipa   halo\n house  big"),
        ("heading", 2, "4.1 Case"),
        ("table", 0, "case\tform\nacc\t-ŋa"),
        ("item", 0, "1. first"),
        ("item", 0, "2. second"),
    ]


def test_a_hash_is_a_heading_in_markdown_only(tmp_path: Path) -> None:
    assert kinds(read(tmp_path, "# is a boundary\n"))[0][0] == "text"
    assert kinds(read(tmp_path, "# is a boundary\n", "b.md"))[0][0] == "heading"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_that_are_certain(tmp_path: Path, encoding: str) -> None:
    book = read(tmp_path, "The word ŋáːlo is a noun.\n".encode(encoding))
    assert kinds(book) == [("text", "The word ŋáːlo is a noun.")]
    assert book.remarks == []


def test_latin_1_is_remarked(tmp_path: Path) -> None:
    book = read(tmp_path, "Die Wörter sind kurz.\n".encode("latin-1"))
    assert kinds(book) == [("text", "Die Wörter sind kurz.")]
    assert "Latin-1" in book.remarks[0].what
    assert book.remarks[0].where == "grammar.txt"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \n\n \f ", "empty"),
        (b"text\0with\0nulls", "binary"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xfe", "binary"),
        (bytes(range(1, 32)) * 20, "binary"),
        (b"\xff\xfea\x00\x00\xd8b\x00", "UTF-16"),
    ],
)
def test_what_is_no_text(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(GrambenchError, match=said):
        read(tmp_path, data)


def test_an_unknown_form(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("It is.")
    with pytest.raises(GrambenchError, match="choose text or markdown"):
        read_plain(tmp_path / "a.txt", "prose")


LINES = st.lists(
    st.text(alphabet="abŋ́ (1)-.:‘’|\t#*>=", max_size=12).map(lambda line: line.strip("\n\f\r")),
    max_size=30,
)


@given(LINES)
def test_no_letter_is_lost_or_doubled(lines: list[str]) -> None:
    def letters(text: str) -> str:
        return "".join(letter for letter in text if letter in "abŋ")

    text = "\n".join(lines)
    made = text_blocks((Row(line, 0) for line in lines), words_of([text]))
    assert letters("".join(block.text for block in made)) == letters(text)


@given(st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc")), min_size=1))
def test_utf_8_comes_back(text: str) -> None:
    text = unicodedata.normalize("NFC", text)
    if text.strip() and not text.startswith("\ufeff"):
        assert decode(text.encode(), "a.txt") == (text, "")


def test_a_long_stretch_without_blank_lines_is_parted(tmp_path: Path) -> None:
    book = read(tmp_path, "a word and another word\n" * 50_000)
    assert len(book.blocks) == 25


@pytest.mark.parametrize("text", ["# A\n" + "a word\n" * 9_000, "```\n" + "a word\n" * 9_000])
def test_a_long_stretch_of_markdown_is_parted(tmp_path: Path, text: str) -> None:
    blocks = read(tmp_path, text, "grammar.md").blocks
    assert max(len(block.text) for block in blocks) < 20_000
    assert sum(block.text.count("word") for block in blocks) == 9_000
