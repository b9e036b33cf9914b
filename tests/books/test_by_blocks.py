"""Paragraphs made of blocks, in cases worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.books.book import Block, Kind
from src.books.by_blocks import by_blocks
from src.books.pieces import Piece


def block(kind: Kind, text: str, *pages: int, level: int = 2, label: str = "") -> Block:
    return Block(kind, text, pages, level if kind == "heading" else 0, label)


def texts(blocks: list[Block], characters: int = 1500, headings: str = "all") -> list[str]:
    return [piece.text for piece in by_blocks(blocks, characters, headings)]


TEXT, MORE = block("text", "Kuti is a language.", 1), block("text", "It has verbs.", 2)
EXAMPLE = block("example", "(1) ka ŋa\nI go\n‘I go.’", 2, label="ex:go")
ITEM, NEXT = block("item", "a. one", 3), block("item", "b. two", 4)
LONG = block("text", "It has nouns that say who acts and who is acted upon, and others. " * 2, 2)
NOTE = block("footnote", "3 So it is.", 2)
CAPTION, TABLE = block("caption", "Table 1: Verbs", 5), block("table", "ka\tgo\nba\tcome", 5, 6)
HEADING = block("heading", "1.1 Verbs", 1, label="sec:verbs")


@pytest.mark.parametrize(
    ("blocks", "groups"),
    [
        ([TEXT, MORE], [[TEXT, MORE]]),
        ([TEXT, LONG, MORE, TEXT, EXAMPLE], [[TEXT], [LONG], [MORE, TEXT, EXAMPLE]]),
        ([TEXT, EXAMPLE, EXAMPLE, MORE], [[TEXT, EXAMPLE, EXAMPLE], [MORE]]),
        ([TEXT, EXAMPLE, MORE, EXAMPLE], [[TEXT, EXAMPLE], [MORE, EXAMPLE]]),
        ([EXAMPLE, EXAMPLE], [[EXAMPLE, EXAMPLE]]),
        ([TEXT, ITEM, NEXT, MORE], [[TEXT, ITEM, NEXT], [MORE]]),
        ([TEXT, ITEM, EXAMPLE, NEXT], [[TEXT, ITEM, EXAMPLE, NEXT]]),
        ([ITEM, NEXT], [[ITEM, NEXT]]),
        ([TEXT, EXAMPLE, ITEM, NEXT], [[TEXT, EXAMPLE], [ITEM, NEXT]]),
        ([TEXT, NOTE, EXAMPLE, MORE], [[TEXT, EXAMPLE], [NOTE], [MORE]]),
        ([TEXT, NOTE, NOTE], [[TEXT], [NOTE], [NOTE]]),
        ([NOTE, TEXT], [[NOTE], [TEXT]]),
        ([TEXT, CAPTION, TABLE, EXAMPLE], [[TEXT], [CAPTION, TABLE], [EXAMPLE]]),
        ([TABLE, CAPTION, TABLE], [[TABLE, CAPTION], [TABLE]]),
        ([CAPTION, TABLE, CAPTION, TABLE], [[CAPTION, TABLE], [CAPTION, TABLE]]),
        ([CAPTION, MORE, TABLE], [[CAPTION], [MORE], [TABLE]]),
        ([block("text", " \n"), TEXT], [[TEXT]]),
        ([], []),
    ],
)
def test_what_belongs_together(blocks: list[Block], groups: list[list[Block]]) -> None:
    assert list(by_blocks(blocks, 1500, "all")) == [
        Piece("\n".join(b.text for b in group), tuple(sorted({p for b in group for p in b.pages})))
        for group in groups
    ]


OUTLINE = [
    TEXT,
    block("heading", "1 Syntax", 2, level=1, label="ch:syntax"),
    block("heading", "1.1 Verbs", 2, label="sec:verbs"),
    MORE,
    NOTE,
    block("heading", "1.2 Nouns", 3),
    block("heading", "2 Texts", 4, level=1, label="ch:texts"),
    ITEM,
    block("heading", "2.1 Tales", 5, label="sec:tales"),
    block("heading", "2.1.1 Of\nold", 6, level=3),
]


def test_headings_are_context() -> None:
    assert list(by_blocks(OUTLINE, 1500, "all")) == [
        Piece("Kuti is a language.", (1,)),
        Piece("1.1 Verbs\nIt has verbs.", (2,), "1 Syntax > 1.1 Verbs", "sec:verbs"),
        Piece("1.1 Verbs\n3 So it is.", (2,), "1 Syntax > 1.1 Verbs", "sec:verbs"),
        Piece("1.2 Nouns", (3,), "1 Syntax > 1.2 Nouns"),
        Piece("2 Texts\na. one", (3,), "2 Texts", "ch:texts"),
        Piece("2.1.1 Of\nold", (6,), "2 Texts > 2.1 Tales > 2.1.1 Of old"),
    ]


@pytest.mark.parametrize(
    ("headings", "first", "note"),
    [
        ("all", "1.1 Verbs\nIt has verbs.", "1.1 Verbs\n3 So it is."),
        ("first", "1.1 Verbs\nIt has verbs.", "3 So it is."),
        ("none", "It has verbs.", "3 So it is."),
    ],
)
def test_which_paragraphs_begin_with_a_heading(headings: str, first: str, note: str) -> None:
    found = texts(OUTLINE, headings=headings)
    assert (found[1], found[2], found[3]) == (first, note, "1.2 Nouns")


def test_a_heading_of_half_a_paragraph_is_not_repeated() -> None:
    long = block("heading", "One. " * 10 + "Two.")
    assert texts([long, TEXT, CAPTION], 100) == [long.text, TEXT.text, CAPTION.text]
    longer = block("heading", "Twelve chars " * 10)
    assert [len(text) for text in texts([longer], 100)] == [97, 31]


def test_an_example_takes_the_last_sentence_before_it() -> None:
    introduction = block("text", "One is here. Two is here. So is three:")
    assert texts([introduction, EXAMPLE], 45) == [
        "One is here. Two is here.",
        "So is three:\n(1) ka ŋa\nI go\n‘I go.’",
    ]


def test_a_cut_is_made_between_examples() -> None:
    assert texts([TEXT, EXAMPLE, EXAMPLE], 60) == [f"{TEXT.text}\n{EXAMPLE.text}", EXAMPLE.text]


def test_an_example_is_never_cut() -> None:
    long = block("example", "(2) ka ŋa. Ka ŋa\n" * 5)
    assert texts([TEXT, long, MORE], 30) == [TEXT.text, long.text, MORE.text]


def test_a_list_is_cut_between_items_and_keeps_its_introduction() -> None:
    blocks = [block("text", "Verbs are many. They are:"), *[block("item", "a. ka is to go")] * 3]
    assert texts(blocks, 38) == [
        "Verbs are many.",
        "They are:\na. ka is to go",
        "a. ka is to go\na. ka is to go",
    ]


def test_a_table_is_cut_between_rows_with_its_caption_once() -> None:
    table = block("table", "ka\tgo here\nba\tcome here\nŋa\tbe here", 7)
    assert texts([CAPTION, table], 36) == [
        "Table 1: Verbs\nka\tgo here",
        "ba\tcome here\nŋa\tbe here",
    ]


def test_text_is_cut_at_the_ends_of_sentences_then_at_spaces() -> None:
    text = block("text", "See Fig. 3. It is so. And this is a very long sentence indeed", 3, 4)
    assert list(by_blocks([HEADING, text], 32, "all")) == [
        Piece(f"1.1 Verbs\n{part}", (3, 4), "1.1 Verbs", "sec:verbs")
        for part in ["See Fig. 3. It is so.", "And this is a very", "long sentence indeed"]
    ]


def test_only_the_first_piece_has_the_first_heading() -> None:
    text = block("text", "It is so. It was so.")
    assert texts([HEADING, text], 20, "first") == ["1.1 Verbs\nIt is so.", "It was so."]


_KINDS: list[Kind] = ["heading", "text", "item", "example", "table", "caption", "footnote"]
_LINE = st.text(alphabet="aB ŋ.?(1)", min_size=1, max_size=90).filter(str.strip)


@st.composite
def books(draw: st.DrawFn) -> list[Block]:
    blocks: list[Block] = []
    page = 1
    for n in range(draw(st.integers(0, 14))):
        kind = draw(st.sampled_from(_KINDS))
        lines = draw(st.lists(_LINE, min_size=1, max_size=4 if kind in ("example", "table") else 1))
        pages = tuple(range(page, page + draw(st.integers(1, 2))))
        page = pages[-1]
        sign = chr(0x4E00 + n)  # tells the blocks apart
        text = sign + "\n".join(lines).strip() + sign
        blocks.append(Block(kind, text, pages, draw(st.integers(0, 4))))
    return blocks


_HEADINGS = st.sampled_from(["all", "first", "none"])


def body(piece: Piece, headings: dict[str, str]) -> str:
    """The text of a paragraph without the heading's line."""
    line, _, rest = piece.text.partition("\n")
    return (
        rest
        if rest and line in headings and line == piece.section.split(" > ")[-1]
        else (piece.text)
    )


@given(books(), st.integers(20, 120), _HEADINGS)
def test_nothing_is_lost_or_doubled(blocks: list[Block], bound: int, headings: str) -> None:
    lines = {" ".join(b.text.split()): b.text for b in blocks if b.kind == "heading"}
    pieces = list(by_blocks(blocks, bound, headings))
    everything = "".join("".join(body(piece, lines) for piece in pieces).split())
    sections = "".join(piece.section for piece in pieces)
    for each in blocks:
        whole = "".join(each.text.split())
        if each.kind == "heading":
            assert " ".join(each.text.split()) in sections
            everything = everything.replace(whole, "", 1)
        else:
            assert everything.count(whole) == 1
            everything = everything.replace(whole, "")
    assert everything == ""


@given(books(), st.integers(20, 120), _HEADINGS)
def test_bound_examples_and_pages(blocks: list[Block], bound: int, headings: str) -> None:
    pieces = list(by_blocks(blocks, bound, headings))
    lines = {" ".join(b.text.split()): b.text for b in blocks if b.kind == "heading"}
    atoms = [b.text for b in blocks if b.kind == "example"]
    atoms += [row for b in blocks if b.kind == "table" for row in b.text.split("\n")]
    for piece in pieces:
        bare = body(piece, lines)
        assert len(piece.text) <= bound or bare in atoms
        for sign in {sign for sign in bare if sign >= "\u4e00"}:
            assert set(blocks[ord(sign) - 0x4E00].pages) <= set(piece.pages)
    for atom in (b.text for b in blocks if b.kind == "example"):
        assert sum(atom in piece.text for piece in pieces) == 1
    # Footnotes may move behind their paragraph; the rest keeps its order.
    order = [
        ord(sign) - 0x4E00 for piece in pieces for sign in body(piece, lines) if sign >= "\u4e00"
    ]
    for notes in (True, False):
        kept = [n for n in order if (blocks[n].kind == "footnote") == notes]
        assert kept == sorted(kept)


@given(books(), _HEADINGS)
def test_a_wide_bound_cuts_nothing(blocks: list[Block], headings: str) -> None:
    pieces = list(by_blocks(blocks, 100_000, headings))
    for each in blocks:
        if each.kind != "heading":
            assert sum(each.text in piece.text for piece in pieces) == 1
    starts = [piece.pages[0] for piece in pieces]
    assert starts == sorted(starts)
