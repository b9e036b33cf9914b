"""Citations: author and year as the key tells them, since the bibliography is not read."""

from __future__ import annotations

import re

from src.books.latex.engine import Engine, Handler
from src.books.latex.registry import COMMANDS, KEPT
from src.books.latex.tokens import LEFT, OPEN, text_of

_LONG = re.compile(
    r"^(?P<name>[^\d]*?)[-_:. ]*(?P<year>(?:1[5-9]|20)\d\d(?:[a-z](?![a-z]))?)(?!\d)"
)
_SHORT = re.compile(r"^(?P<name>[^\W\d]+?)[-_:]?(?P<year>\d\d)(?!\d)")
_JOINT = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
_PARTICLES = "De Da Di Du Le La Van Von Mc Mac O Den Der de van"


def name_and_year(key: str) -> tuple[str, str]:
    """Return what a key says of author and year; the key itself and "" where it says no year.

    >>> name_and_year("HaspelmathSims2010")
    ('Haspelmath & Sims', '2010')
    """
    key = key.strip()
    match = _LONG.match(key)
    if match is not None and match["name"]:
        return _authors(match["name"]), match["year"]
    match = _SHORT.match(key)
    if match is not None:
        century = "20" if int(match["year"]) < 30 else "19"
        return _authors(match["name"]), century + match["year"]
    return key, ""


def _authors(name: str) -> str:
    name = re.sub(r"[-_:.+ ]?[Ee]t-?_?[Aa]l\.?$", " et al.", name)
    found: list[str] = []
    for part in _JOINT.split(name.replace("_", " ").replace("+", " ")):
        if found and (len(part) < 3 or found[-1].split(" ")[-1] in _PARTICLES.split()):
            found[-1] += part
        else:
            found.append(part)
    if len(found) > 2 and not name.endswith("al."):
        name = f"{found[0]} et al."
    else:
        name = " & ".join(found)
    return name[:1].upper() + name[1:]


def _citation(style: str) -> Handler:
    def cite(engine: Engine) -> None:
        engine.stream.star()
        first, second = engine.stream.optional(), engine.stream.optional()
        keys = [key for key in text_of(engine.stream.argument()).split(",") if key.strip()]
        before = engine.render(first) if first and second is not None else ""
        after = engine.render((second if second is not None else first) or [])
        text = "; ".join(
            _one(style, key, after if index == len(keys) - 1 else "")
            for index, key in enumerate(keys)
        )
        text = f"{before} {text}" if before else text
        engine.flow.text.append(f"({text})" if style == "p" else text)

    return cite


def _citations(style: str) -> Handler:
    """``\\cites[pages]{key}[pages]{key}``: each key has its own pages."""

    def cite(engine: Engine) -> None:
        found: list[str] = []
        while (token := engine.stream.next()) is not None:
            engine.stream.back()
            if token.kind not in (LEFT, OPEN):
                break
            first, second = engine.stream.optional(), engine.stream.optional()
            after = engine.render((second if second is not None else first) or [])
            before = engine.render(first) + " " if first and second is not None else ""
            keys = text_of(engine.stream.argument()).strip()
            found.append(before + _one(style, keys, after) if keys else "")
        text = "; ".join(filter(None, found))
        engine.flow.text.append(f"({text})" if style == "p" else text)

    return cite


def _one(style: str, key: str, after: str) -> str:
    name, year = name_and_year(key)
    pages = f": {after}" if after else ""
    if style == "author" or (not year and style != "year"):
        return name + pages
    if style == "year":
        return (year or name) + pages
    if style in ("t", "genitive"):
        own = "’s" if style == "genitive" else ""
        return f"{name}{own} ({year}{pages})"
    return f"{name} {year}{pages}"


_STYLES = {
    "t": "citet textcite Citet citetv",
    "p": "citep parencite Citep autocite citepv",
    "alt": "citealt cite citealp Citealt citealtv fullcite footcite nptextcite",
    "author": "citeauthor Citeauthor citetitle",
    "year": "citeyear citedate citeyearpar",
    "genitive": "citeapo citegen posscitet citegens citeposs possciteauthor",
}
for _style, _names in _STYLES.items():
    for _name in _names.split():
        COMMANDS[_name] = _citation(_style)
        KEPT.add(_name)
for _style, _names in {"t": "textcites", "p": "parencites autocites", "alt": "cites"}.items():
    for _name in _names.split():
        COMMANDS[_name] = _citations(_style)
        KEPT.add(_name)
