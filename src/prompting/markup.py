"""What a reply says without its reasoning tags and its markup."""

from __future__ import annotations

import re

_TAG = re.compile(
    r"<(?P<end>/?)(?:think(?:ing)?|reason(?:ing)?|thought|analysis|scratchpad)\b[^<>]{0,80}>",
    re.IGNORECASE,
)
_OTHER_TAG = re.compile(r"[\[◁](/?think)[\]▷]", re.IGNORECASE)  # Magistral's and Kimi's

_LIKE = {
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys("“”„‟«»″〝〞＂", '"'),
    **dict.fromkeys("‘’‚‛′", "'"),
    **dict.fromkeys("\u00a0\u2007\u2009\u200a\u202f\u3000", " "),
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff", None),
    "﹕": ":",
    "，": ",",
    "／": "/",
    "→": "->",
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF10, 0xFF5B)},
}
_PLAIN = str.maketrans({**_LIKE, "*": None, "`": None, "$": None, '"': None})

_FENCES = re.compile(r"^[ \t]*(?:```|~~~)[\w+-]*[ \t]*$", re.MULTILINE)
_LATEX_TEXT = re.compile(
    r"\\(?:boxed|fbox|text(?:bf|it|tt|rm|sf|sc)?|math(?:bf|rm|it|sf|tt)|emph|underline)\s*"
    r"\{([^{}]*)\}"
)
_LATEX_REST = re.compile(r"\\[()\[\]]|\\[,;:! ]|\\(?:quad|left|right)\b")
_HTML = re.compile(
    r"</?(?:b|i|u|em|strong|br|p|code|div|span|h[1-6]|li|ul|ol|answer|conclusion)\b[^<>]*>", re.I
)
_EDGES = re.compile(r"^[ \t]*(?:#{1,6}(?=\s)|>+(?!\d))[ \t]*|__|(?<!\w)_|_(?!\w)", re.MULTILINE)

_EMPTY_BOXES = ("[ ]", "☐")
_BOX = re.compile(r"^(?:\[[xX✓✔]\]|[☑☒])[ \t]+(?=\S)")


def without_reasoning(text: str) -> str:
    """Return a reply without what is between reasoning tags.

    What follows a tag that is never closed is reasoning, and so is what precedes a closing tag
    that was never opened (some templates open it in the prompt).
    """
    text = _OTHER_TAG.sub(r"<\1>", text)
    kept: list[str] = []
    at, inside = 0, False
    for tag in _TAG.finditer(text):
        if not tag["end"] and not inside:
            kept.append(text[at : tag.start()])
            inside = True
        elif tag["end"]:
            kept = kept if inside else []
            at, inside = tag.end(), False
    return "\n".join([*kept, *([] if inside else [text[at:]])])


def plain(text: str) -> str:
    """Return text without Markdown, HTML, LaTeX and quotes, with plain dashes and spaces.

    Its lines stay lines; the bars of tables stay, too.
    """
    text = text.replace("\r\n", "\n")
    if "`" in text or "~" in text:
        text = _FENCES.sub("", text)
    if "\\" in text:
        text = _without_latex(text)
    if "<" in text:
        text = _HTML.sub(" ", text)
    return _EDGES.sub("", text.translate(_PLAIN))


def _without_latex(text: str) -> str:
    for _ in range(4):  # \boxed{\text{\textbf{...}}}: from the inside out
        text, changed = _LATEX_TEXT.subn(r"\1", text)
        if not changed:
            break
    return _LATEX_REST.sub(" ", text)


def lines_of(text: str) -> list[str]:
    """Return the lines of plain text that have more on them than rules and bullets.

    Items of a list that have an empty box are left out, as what was not chosen.
    """
    lines = (
        line.strip(" \t-•+") if _is_bullet(line) else line.strip() for line in text.split("\n")
    )
    chosen = (_BOX.sub("", line) for line in lines if not line.startswith(_EMPTY_BOXES))
    return [line for line in chosen if any(character.isalnum() for character in line)]


def _is_bullet(line: str) -> bool:
    return bool(re.match(r"\s*(?:[•+]|-(?!>))", line))
