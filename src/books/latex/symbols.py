"""Commands that stand for characters: pylatexenc's table, TIPA's, and what linguists add."""

from __future__ import annotations

import re
from functools import lru_cache

from src.books.latex.ipa import NAMES

_TABLE = """
    textbar |, textless <, textgreater >, textbackslash \\, textasciitilde ~, textasciicircum
    ^, textunderscore _, textbraceleft {, textbraceright }, textquotesingle ', S §, P ¶,
    textellipsis …, dots …, ldots …, cdots ⋯, lots …, slash /, ob [, cb ], op (, cp ),
    emptyset ∅, varnothing ∅, checkmark ✓, langscicheckmark ✓, Checkmark ✓, textrightarrow →,
    textleftarrow ←, textuparrow ↑, textdownarrow ↓, textminus −, textcentereddot ·,
    textdegree °, textemdash —, textendash –, textquoteleft ‘, textquoteright ’,
    textquotedblleft “, textquotedblright ”, guillemotleft «, guillemotright », guilsinglleft
    ‹, guilsinglright ›, textlangle ⟨, textrangle ⟩, langle ⟨, rangle ⟩, textbullet •, textmu
    µ, texttimes ×, times ×, to →, gets ←, Rightarrow ⇒, Leftarrow ⇐, leftrightarrow ↔, sim ∼,
    ast ∗, star ⋆, mid |, vert |, lbrace {, rbrace }, colon :, prime ′, dag †, dagger †, ddag
    ‡, copyright ©, pounds £, euro €, smiley :), LaTeX LaTeX, TeX TeX, XeTeX XeTeX, longrule
    ___, neq ≠, ne ≠, le ≤, ge ≥, leq ≤, geq ≥, lq ‘, rq ’, textsection §, textnumero №,
    textopenbullet ◦, textprime ′, longrightarrow ⟶, longleftarrow ⟵, rightarrowtail ↣, mapsto
    ↦, square □, Box □, qed ∎, textinterrobang ‽, textexclamdown ¡, textquestiondown ¿, neg ¬,
    lnot ¬, sqrt √, lsAcknowledgementTitle Acknowledgments, lsAbbreviationsTitle Abbreviations"""
_OWN = dict(pair.split() for pair in _TABLE.split(","))
RELATIONS = frozenset("→←↔⇒⇐⇔⟶⟵↦≤≥≠∼≈")
# babel writes a hyphen at which words may be divided as "=.
_HYPHEN = re.compile(r'"=(?=\w|$)')
_SPACES = (
    "quad qquad enspace thinspace space hfill hfil nobreakspace dotfill hrulefill textvisiblespace"
)
CHARACTERS = {
    "%": "%", "&": "&", "$": "$", "#": "#", "_": "_", "{": "{", "}": "}", "|": "‖",
    " ": " ", "\n": " ", "\t": " ", ",": "", ";": " ", ":": " ", "!": "", "-": "", "/": "",
    "@": "", "+": "", "<": "", ">": " ", "(": "", ")": "", "]": "", "*": "",
}  # fmt: skip
_ABBREVIATIONS = (
    "abl abs acc adj adv agr all antip appl art aux ben caus clf com comp compl cond cop cvb dat "
    "decl def dem det dist distr du dur erg excl foc fut gen imp incl ind indf inf ins intr ipfv "
    "irr loc neg nmlz nom obj obl pass pfv pl poss pred prf prs prog proh prox pst ptcp purp quot "
    "recp refl rel res sbj sbjv sg top tr voc"
)


@lru_cache(maxsize=1)
def symbols() -> dict[str, str]:
    """Return what commands without arguments stand for, by name."""
    from pylatexenc.latex2text import get_default_latex_context_db

    found: dict[str, str] = {}
    for spec in get_default_latex_context_db().iter_macro_specs():
        text = spec.simplify_repl
        if isinstance(text, str) and text and "%" not in text and len(text) <= 3:
            found[spec.macroname] = text
    found.update(NAMES)
    found.update(_OWN)
    found.update(dict.fromkeys(_SPACES.split(), " "))
    return found


@lru_cache(maxsize=1)
def abbreviations() -> dict[str, str]:
    """Return the commands of ``leipzig`` (``\\Sg``) and ``langsci-lgr`` (``\\SG``)."""
    found = {short.capitalize(): short for short in _ABBREVIATIONS.split()}
    found.update({short.upper(): short for short in _ABBREVIATIONS.split()})
    found.update(
        {"First": "1", "Second": "2", "Third": "3", "M": "m", "F": "f", "N": "n", "Q": "q"}
    )
    for person, figure in zip("FST", "123", strict=True):
        found.update({f"{person}{number}": figure + number for number in ("sg", "du", "pl")})
    return found


def typographic(text: str, math: bool = False) -> str:
    """Return text with the quotation marks and dashes that LaTeX makes of ASCII."""
    if math:
        return text.replace("-", "−").replace("'", "′")
    if "`" in text:
        text = text.replace("``", "“").replace("`", "‘")
    if "'" in text:
        text = text.replace("''", "”").replace("'", "’")
    if '"=' in text:
        text = _HYPHEN.sub("-", text)
    if "--" in text:
        text = text.replace("---", "—").replace("--", "–")
    return text
