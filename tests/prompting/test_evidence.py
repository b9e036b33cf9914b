"""Quotations and citations in replies."""

from __future__ import annotations

import pytest

from src.prompting.evidence import cited_numbers, evidence_of
from src.prompting.quotations import quotations_in, stands_in
from src.records import Paragraph

PARAGRAPHS = [
    Paragraph("p/1", "p", "The negator na- precedes the verb stem,\nand nothing comes between."),
    Paragraph("p/2", "p", "Speakers say “na tomu” – with a falling tone – in all tenses."),
    Paragraph("p/3", "p", "Word order is free, but speak ers prefer the object first."),
]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("See Paragraph 3.", (3,)),
        ("see paragraphs 2 and 5", (2, 5)),
        ("(Paragraphs 4–6, 9)", (4, 5, 6, 9)),
        ("**Paragraph 12**: it says", (12,)),
        ("Paragraph **7** and paragraph 7", (7,)),
        ("Paragraphs 1, 2, and 10 to 12", (1, 2, 10, 11, 12)),
        ("Paragraph 1 and Paragraph 2; paragraph no. 4", (1, 2, 4)),
        ("Paragraph 3 has 15 examples", (3,)),
        ("the paragraph has 3 lines", ()),
        ("Paragraphs 9-3", (3, 9)),
        ("Paragraphs 1-9999", (1, 9999)),
    ],
)
def test_cited_numbers(text, numbers):
    assert cited_numbers(text) == numbers


@pytest.mark.parametrize(
    ("text", "quotations"),
    [
        ('It says "the verb comes last".', ["the verb comes last"]),
        ("It says “the verb comes last”.", ["the verb comes last"]),
        ("Es heißt „the verb comes last“.", ["the verb comes last"]),
        ("Il dit « the verb comes last ».", ["the verb comes last"]),
        ("It says ‘the verb’s form comes last’.", ["the verb’s form comes last"]),
        ("It says:\n\n> the verb\n> comes last\n\nSo.", ["the verb\ncomes last"]),
        ('"SOV" and "no dominant order"', []),
        ('"unquestionably postverbal"', ["unquestionably postverbal"]),
        ('"Tone: 0, Interrogative word order: 1"', []),
        ('"the verb comes last", again "The  verb comes last."', ["the verb comes last"]),
        ('An inch is 1" long.\n\nThe verb comes last" they say', []),
        ('- a "quote that\n- goes on" never', []),
        ("the speakers' verb and the speakers' noun", []),
    ],
)
def test_quotations(text, quotations):
    assert quotations_in(text) == quotations


@pytest.mark.parametrize(
    ("quotation", "found"),
    [
        ("The negator na- precedes the verb stem, and nothing comes between", True),
        ("the NEGATOR na‑ precedes", True),
        ("'na tomu' - with a falling tone", True),
        ("The negator ... nothing comes between.", True),
        ("the negator […] comes between", True),
        ("nothing comes between … the negator", False),
        ("The negator na- follows the verb stem", False),
        ("speakers prefer the **object** first", True),
        ("Word order is free ... in all tenses", False),
        ("...", False),
    ],
)
def test_word_for_word(quotation, found):
    assert any(stands_in(quotation, paragraph.text) for paragraph in PARAGRAPHS) == found


def test_evidence():
    text = (
        "<think>Paragraph 9</think>Paragraph 1 says “precedes the verb stem, and nothing”, and"
        ' paragraphs 3 and 8 that "word order is always rigid". The options are'
        ' "bound to the verb or not".'
    )
    evidence = evidence_of(text, PARAGRAPHS, asked="Is it bound to the verb or not?")
    assert (evidence.quotations, evidence.quotations_found) == (2, 1)
    assert (evidence.cited, evidence.cited_found) == (3, 2)
    assert evidence.cited_numbers == (1, 3, 8)
    assert evidence.quoted_numbers == (1,)
    assert evidence.not_found == ("word order is always rigid",)


def test_decomposed_letters_are_the_same():
    paragraph = Paragraph("p/1", "p", "the suffix -\u00e9ma marks plurals")
    assert evidence_of('"suffix -e\u0301ma marks plurals"', [paragraph]).quotations_found == 1


def test_apostrophes_are_the_same():
    paragraph = Paragraph("p/1", "p", "the particle k\u02bce is \x93medial\x94 in all texts")
    assert (
        evidence_of("\u201cparticle k'e is 'medial' in all\u201d", [paragraph]).quotations_found
        == 1
    )


def test_nothing_given():
    evidence = evidence_of("Paragraph 1 says “the verb comes last”.", [])
    assert (evidence.quotations, evidence.quotations_found) == (1, 0)
    assert (evidence.cited, evidence.cited_found) == (1, 0)
