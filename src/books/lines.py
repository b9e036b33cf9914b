"""What a line of a book tells by its text alone: numbers, labels, captions, ends of sentences."""

from __future__ import annotations

import regex

_NUMBERED = regex.compile(
    r"(?P<number>(?:[A-Z]|\d{1,2})(?:\.\d{1,3})*)(?P<dot>\.?)\s+(?P<title>[\p{Lu}\p{Lt}\p{Pi}\d].*)"
)
_DIVISION = regex.compile(
    r"(?P<word>Part|Chapter|Appendix|Teil|Kapitel|Anhang|Partie|Chapitre|Parte|Capítulo)\s+"
    r"(?P<number>\d+|[IVXLC]+|[A-Z])(?:\s*[.:]?\s+(?P<title>\S.*))?",
    regex.IGNORECASE,
)
_PARTS = frozenset(("part", "teil", "partie", "parte"))
_CAPTION = regex.compile(
    r"(?:Table|Figure|Map|Chart|Diagram|Tabelle|Abbildung|Karte|Tableau|Carte|Tabla|Cuadro|Figura|"
    r"Tabela|Tab\.|Fig\.)\s+(?:\d[\d.]*\w?|[A-Z]\.?\d[\d.]*)(?:\s*[.:—–]\s|[.:]?$)"
)
_EXAMPLE = regex.compile(
    r"\((?:\d{1,4}[a-z]?′?|[ivxl]{1,5}|[A-Z]{1,3}\.?\d{1,3}(?:\.\d{1,3})?[a-z]?)\)"
)
_SUB_LABEL = regex.compile(r"[a-z]\.|\(?[a-z]\)|[a-z]′\.")
BULLETS = frozenset("•‣▪◦●○–—·∙*-+■□▶►➢⁃")
_LABEL = regex.compile(r"\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,5})[.)]")
_SENTENCE_END = regex.compile(r"[.?!…:][”’\"'»›)\]]*$")
_FULL_STOP = regex.compile(r"[.?!…][”’\"'»›)\]]*$")
_OPENING = frozenset("‘“\"'«„‚‹`")
_CLOSED = regex.compile(r"[”’\"'»›“‘][.,;!?]?(?:\s*[\[(][^\])]*[\])])?\s*[.]?$")
_LEADERS = regex.compile(r"(?:\s*[.·…]){4,}\s*|(?:\s_){4,}\s*")
_PAGE_NUMBERS = regex.compile(r"(?:\d{1,4}|[ivxlc]{1,8})(?:\s*[,–-]\s*(?:\d{1,4}|[ivxlc]{1,8}))*")
_PAGE_NUMBER = regex.compile(r"[-–—\[(]?\s*(?:\d{1,4}|[ivxlc]{1,8})\s*[-–—\])]?")


def heading_number(text: str) -> tuple[str, int] | None:
    """Return number and depth of ``7.2 Title`` (depth 2), where a line begins like that."""
    found = _NUMBERED.fullmatch(text)
    if not found or (found["number"].isalpha() and not found["dot"]):
        return None
    return found["number"], found["number"].count(".") + 1


def division(text: str) -> tuple[str, str, int] | None:
    """Return number, title and level of ``Chapter 3`` or ``Part II: Title``."""
    found = _DIVISION.fullmatch(text)
    if not found or (found["number"].islower() and not found["number"].isdigit()):
        return None
    level = 0 if found["word"].lower() in _PARTS else 1
    return found["number"], found["title"] or "", level


def is_caption(text: str) -> bool:
    """Tell whether a line begins with ``Table 7.`` or the like, as a caption does."""
    return _CAPTION.match(text) is not None


def is_example_number(word: str) -> bool:
    """Tell whether a word is the number of an example: ``(61)``, ``(3a)``, ``(iv)``."""
    return _EXAMPLE.fullmatch(word) is not None


def is_sub_label(word: str) -> bool:
    """Tell whether a word is the label of a part of an example: ``a.``, ``(b)``."""
    return _SUB_LABEL.fullmatch(word) is not None


def is_label(word: str) -> bool:
    """Tell whether a word numbers an item of a list: ``1.``, ``a)``, ``(ii)``."""
    return _LABEL.fullmatch(word) is not None


def ends_sentence(text: str) -> bool:
    """Tell whether a line ends in a full stop, question or exclamation mark, or an ellipsis."""
    return _FULL_STOP.search(text) is not None


def may_end_paragraph(text: str) -> bool:
    """Tell whether a line ends as a paragraph may: a sentence's end, a colon or semicolon."""
    return _SENTENCE_END.search(text) is not None


def begins_small(text: str) -> bool:
    """Tell whether a line's first letter is a small one, so that it goes on with a sentence."""
    return text[:1].islower()


def opens_quote(text: str) -> bool:
    """Tell whether a line begins with a quotation mark, as translations of examples do."""
    return text[:1] in _OPENING


def closes_quote(text: str) -> bool:
    """Tell whether a line ends with a quotation mark, but for a source in brackets."""
    return _CLOSED.search(text) is not None


def without_leaders(text: str) -> tuple[str, str] | None:
    """Return title and page number of a line of a table of contents that has dots between."""
    found = _LEADERS.search(text)
    if not found or not found.start():
        return None
    return text[: found.start()], text[found.end() :]


def is_page_number(text: str) -> bool:
    """Tell whether a text is nothing but an arabic or small roman number."""
    return _PAGE_NUMBER.fullmatch(text.strip()) is not None


def are_page_numbers(text: str) -> bool:
    """Tell whether a text is a list of pages, as in indexes: ``12``, ``70, 299–301``."""
    return _PAGE_NUMBERS.fullmatch(text.strip()) is not None
