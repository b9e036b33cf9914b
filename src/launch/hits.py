"""What a search has found, in the terminal: terms marked there, plain text in a pipe."""

from __future__ import annotations

import re
from collections.abc import Collection

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from src.corpus.pages import format_pages
from src.launch.highlight import marked_terms, spans
from src.launch.searching import Answer, Hit, InGrammar

_LONGEST = 2000
_LONGEST_QUERY = 200
_INDENT = 4
_GOLD = "★ gold page"
_NOTHING = "nothing was found"
_NO_WORDS = (
    "no paragraph holds any of its words: try other forms of them, retriever.terms=stems, or"
    " retriever=hybrid"
)
# Neither tabulators nor line ends: what else there is could steer a terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def print_found(answer: Answer, full: bool = False) -> None:
    """Print the best paragraphs of each grammar; very long ones whole only if ``full``."""
    console = Console(markup=False, emoji=False, highlight=False)
    reranker = "" if answer.reranker == "none" else f", then {answer.reranker}"
    query = " ".join(_safe(answer.query).split())
    query = query if len(query) <= _LONGEST_QUERY else f"{query[:_LONGEST_QUERY]}..."
    _line(console, Text(f'"{query}" ({answer.retriever}{reranker})', style="italic"))
    terms = marked_terms(answer.query)
    for one in answer.grammars:
        _line(console, Text())
        _line(console, _heading(one))
        if not one.hits:
            _line(console, Text(_NO_WORDS if answer.by_words else _NOTHING))
        for rank, hit in enumerate(one.hits, 1):
            _line(console, _about(rank, hit))
            _print_text(console, _text(hit, terms, full))


def _heading(one: InGrammar) -> Text:
    grammar = one.grammar
    text = Text(_safe(grammar.id), style="bold")
    # Where the language's name is not known, the title may tell which it is.
    language = "" if grammar.language == grammar.id else grammar.language
    if said := _safe(language or grammar.title):
        text.append(f", {said}")
    text.append(f"  ({one.searched} paragraphs", style="dim")
    if one.gold is not None:
        text.append(f"; gold pages: {format_pages(one.gold) or 'none'}", style="dim")
    return text.append(")", style="dim")


def _about(rank: int, hit: Hit) -> Text:
    paragraph = hit.paragraph
    pages = format_pages(paragraph.pages)
    places = [
        f"{'pp.' if len(paragraph.pages) > 1 else 'p.'} {pages}" if pages else "",
        _safe(paragraph.section),
        f"score {hit.score:.4g}",
        _safe(paragraph.id),
    ]
    text = Text(f"{rank:>2}. ", style="bold")
    text.append(" · ".join(place for place in places if place), style="cyan")
    if hit.gold:
        text.append(f"  {_GOLD}", style="bold yellow")
    return text


def _text(hit: Hit, terms: Collection[str], full: bool) -> Text:
    whole = _safe(hit.paragraph.text)
    shown = whole if full or len(whole) <= _LONGEST else whole[:_LONGEST]
    text = Text(shown)
    for start, end in spans(shown, terms):
        text.stylize("bold magenta", start, end)
    if len(shown) < len(whole):
        text.append(f" ... (and {len(whole) - len(shown)} characters; --full)", style="dim")
    return text


def _safe(text: str) -> str:
    return _CONTROL.sub("", text)


def _line(console: Console, text: Text) -> None:
    _print(console, text) if console.is_terminal else print(text.plain)


def _print_text(console: Console, text: Text) -> None:
    if console.is_terminal:
        _print(console, Padding(text, (0, 0, 0, _INDENT)))
    else:
        print("\n".join(" " * _INDENT + line for line in text.plain.split("\n")))


def _print(console: Console, what: Text | Padding) -> None:
    # Captured, since rich has its own way of ending when a pipe breaks.
    with console.capture() as captured:
        console.print(what, soft_wrap=False)
    print(captured.get(), end="")
