"""Accents: the combining characters that commands put on the next letter."""

from __future__ import annotations

import re
import unicodedata

ACCENTS = {
    "'": "\u0301",
    "`": "\u0300",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "c": "\u0327",
    "v": "\u030c",
    "u": "\u0306",
    "H": "\u030b",
    "k": "\u0328",
    "r": "\u030a",
    "b": "\u0331",
    "d": "\u0323",
    "t": "\u0361",
    "G": "\u030f",
    "U": "\u030e",
    "textsubbar": "\u0331",
    "textsubring": "\u0325",
    "textsubbridge": "\u032a",
    "textsubtilde": "\u0330",
    "textsubumlaut": "\u0324",
    "textsubarch": "\u032f",
    "textsubwedge": "\u032c",
    "textsubcircum": "\u032d",
    "textsubdot": "\u0323",
    "textsubacute": "\u0317",
    "textsubgrave": "\u0316",
    "textsubplus": "\u031f",
    "textsubrhalfring": "\u0339",
    "textsublhalfring": "\u031c",
    "textsyllabic": "\u0329",
    "textsuperimposetilde": "\u0334",
    "textovercross": "\u033d",
    "textraising": "\u031d",
    "textlowering": "\u031e",
    "textadvancing": "\u0318",
    "textretracting": "\u0319",
    "textseagull": "\u033c",
    "textgravemacron": "\u1dc5",
    "textvbaraccent": "\u030d",
    "textdoublevbaraccent": "\u030e",
    "textdoublegrave": "\u030f",
    "textcircumdot": "\u0302\u0307",
    "texttildedot": "\u0303\u0307",
    "textbrevemacron": "\u0306\u0304",
    "textroundcap": "\u0311",
    "textacutemacron": "\u1dc4",
    "texttoptiebar": "\u0361",
    "textbottomtiebar": "\u035c",
    "textinvsubbridge": "\u033a",
    "textsubsquare": "\u033b",
    "hat": "\u0302",
    "bar": "\u0304",
    "tilde": "\u0303",
    "vec": "\u20d7",
    "dot": "\u0307",
    "ddot": "\u0308",
    "check": "\u030c",
    "acute": "\u0301",
    "grave": "\u0300",
    "breve": "\u0306",
    "overline": "\u0305",
}
_DOTLESS = {"ı": "i", "ȷ": "j"}
_FIRST = re.compile(r"\S[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff]*")

_SUPER = dict(
    zip(
        "0123456789+-−=()abcdefghijklmnoprstuvwxyzɐɑɒɔəɛɜɟɡɣɤɥɦɨɩɪɫɬɯɰɱŋɲɳɵɸʁʂʃʉʊʋʌʍʏʐʑʒʔʕθβ",
        "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵄᵅᶛᵓᵊᵋᶟᶡᶢˠ𐞑ᶣʱᶤᶥᶦꭞ𐞛ᵚᶭᶬᵑᶮᶯᶱᶲʶᶳᶴᶶᶷᶹᶺꭩ𐞲ᶼᶽᶾˀˁᶿᵝ",
        strict=True,
    )
)
_SUB = dict(
    zip("0123456789+-−=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True)
)


def accented(text: str, mark: str) -> str:
    """Return ``text`` with a combining character on its first letter."""
    if mark[0] < "\u0323" and text[:1] in _DOTLESS:
        text = _DOTLESS[text[0]] + text[1:]
    match = _FIRST.search(text)
    if match is None:
        return text
    return unicodedata.normalize("NFC", text[: match.end()] + mark + text[match.end() :])


def raised(text: str) -> str:
    """Return figures, or one letter, as superscripts; longer texts as they are."""
    return _shifted(text, _SUPER)


def lowered(text: str) -> str:
    """Return figures, or one letter, as subscripts; longer texts as they are."""
    return _shifted(text, _SUB)


def _shifted(text: str, table: dict[str, str]) -> str:
    plain = text.strip()
    if all(char in table for char in plain) and (
        len(plain) == 1 or not re.search(r"[^\W\d]", plain)
    ):
        return "".join(table[char] for char in plain)
    return text
