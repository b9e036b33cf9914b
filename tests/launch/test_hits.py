from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

from src.launch.hits import print_found
from src.launch.searching import Answer, Hit, InGrammar
from src.records import Grammar, Paragraph

ROOT = Path(__file__).parents[2]

ANSWER = Answer(
    "the Verb",
    "bm25s",
    "minilm",
    [
        InGrammar(
            Grammar("rahn1902", "Teshi"),
            812,
            [
                Hit(
                    Paragraph("rahn1902/0007", "rahn1902", "A verb.\n[b]x[/b]", (3, 4), "2 Order"),
                    7.25,
                    True,
                ),
                Hit(Paragraph("rahn1902/0002", "rahn1902", "Bad \x1b[31m verb\x07"), 1.0, False),
            ],
            (4, 9),
        ),
        InGrammar(Grammar("bay", "bay"), 2, []),
        InGrammar(Grammar("212", "212", title="A grammar of\x07 Oko"), 1, []),
    ],
)


def test_plain_text_where_there_is_no_terminal(capsys):
    print_found(ANSWER)
    assert capsys.readouterr().out == (
        '"the Verb" (bm25s, then minilm)\n'
        "\n"
        "rahn1902, Teshi  (812 paragraphs; gold pages: 4, 9)\n"
        " 1. pp. 3-4 · 2 Order · score 7.25 · rahn1902/0007  ★ gold page\n"
        "    A verb.\n"
        "    [b]x[/b]\n"
        " 2. score 1 · rahn1902/0002\n"
        "    Bad [31m verb\n"
        "\n"
        "bay  (2 paragraphs)\n"
        "no paragraph holds any of its words: try other forms of them, retriever.terms=stems, or"
        " retriever=hybrid\n"
        "\n"
        "212, A grammar of Oko  (1 paragraphs)\n"
        "no paragraph holds any of its words: try other forms of them, retriever.terms=stems, or"
        " retriever=hybrid\n"
    )


def test_a_very_long_paragraph_is_cut_unless_it_is_asked_for(capsys):
    text = "verb " * 1000
    hit = Hit(Paragraph("g/1", "g", text), 1.0, False)
    answer = Answer("verb", "bm25s", "none", [InGrammar(Grammar("g", "g"), 1, [hit])])
    print_found(answer)
    assert "... (and 3000 characters; --full)" in capsys.readouterr().out
    print_found(answer, full=True)
    assert text in capsys.readouterr().out


def test_a_terminal_gets_marked_terms_in_its_width():
    code = "from tests.launch.test_hits import ANSWER, print_found; print_found(ANSWER)"
    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": "40", "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, stdout=follower, check=True, env=environment
    )
    os.close(follower)
    shown = os.read(leader, 100_000).decode()
    os.close(leader)
    assert "\x1b[1;35mverb\x1b[0m" in shown
    assert "\x1b[31m" not in shown
    assert "★ gold" in shown


def test_words_are_only_asked_for_where_they_count(capsys):
    print_found(Answer("x", "none", "none", [InGrammar(Grammar("g", "g"), 1, [])], by_words=False))
    assert capsys.readouterr().out.endswith("\nnothing was found\n")
