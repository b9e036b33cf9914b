"""TIPA: its shortcuts within ``\\textipa`` and the names of its characters."""

from __future__ import annotations

SHORTCUTS = str.maketrans(
    dict(
        zip(
            '0123456789@ABCDEFGHIJKLMNOPQRSTUVWXYZ:;"',
            "ʉɨʌɜɥɐɒɤɵɘəɑβɕðɛɸɣɦɪʝʁʎɱŋɔʔʕɾʃθʊʋɯχʏʒːˑˈ",
            strict=True,
        )
    )
)
# What follows \: (retroflex), \; (small capital), \! (implosive) and \* (turned and others).
PREFIXED = {
    ":": dict(zip("tdnrszlR", "ʈɖɳɽʂʐɭɻ", strict=True)),
    ";": dict(zip("ABEGHILNRUY", "ᴀʙᴇɢʜɪʟɴʀᴜʏ", strict=True)),
    "!": dict(zip("bdgGjo", "ɓɗɠʛʄʘ", strict=True)),
    "*": dict(zip("kKrtwjnhlzf", "ʞʞɹʇʍɟɲħɬɮɸ", strict=True)),
}
_NAMES = """
    textesh ʃ, textyogh ʒ, textschwa ə, textopeno ɔ, textepsilon ɛ, textscripta ɑ, texteng ŋ,
    textglotstop ʔ, textrevglotstop ʕ, textbarglotstop ʡ, textbarrevglotstop ʢ, textfishhookr
    ɾ, textgamma ɣ, textbeta β, texttheta θ, textchi χ, textphi ɸ, textlambda λ, textupsilon
    ʊ, textiota ɩ, textomega ω, textalpha ɑ, textbaru ʉ, textbari ɨ, textturnv ʌ, textturna ɐ,
    textturnscripta ɒ, textturnh ɥ, textturnm ɯ, textturnmrleg ɰ, textturnr ɹ, textturny ʎ,
    textturnw ʍ, textturnrrtail ɻ, textrtailt ʈ, textrtaild ɖ, textrtailn ɳ, textrtailr ɽ,
    textrtails ʂ, textrtailz ʐ, textrtaill ɭ, textltailn ɲ, textltailm ɱ, textctc ɕ, textctz
    ʑ, textctj ʝ, textbardotlessj ɟ, texthtb ɓ, texthtd ɗ, texthtg ɠ, texthth ɦ, textbeltl ɬ,
    textlyoghlig ɮ, textcrh ħ, textscb ʙ, textscg ɢ, textsci ɪ, textscl ʟ, textscn ɴ, textscr
    ʀ, textscy ʏ, textinvscr ʁ, textscu ᴜ, textsca ᴀ, textsce ᴇ, textscripv ʋ, textscriptv ʋ,
    textscriptg ɡ, textramshorns ɤ, textreve ɘ, textrevepsilon ɜ, textcloserevepsilon ɞ,
    textbaro ɵ, textoe œ, textscoelig ɶ, textrhookschwa ɚ, textrhookrevepsilon ɝ,
    textlengthmark ː, texthalflength ˑ, textprimstress ˈ, textsecstress ˌ, textbullseye ʘ,
    textdoublebarpipe ǂ, textpipe ǀ, textdoublepipe ǁ, textltilde ɫ, textopencorner ˹,
    textcorner ˺, textrhoticity ˞, textdownstep ꜜ, textupstep ꜛ, textglobfall ↘, textglobrise
    ↗, textbarl ƚ, textcrlambda ƛ, textdyoghlig ʤ, textteshlig ʧ, textdzlig ʣ, texttslig ʦ,
    texthtscg ʛ, texthtbardotlessj ʄ, textschwaacute ə́, textbarI ᵻ, textsubl ₗ, textvertline
    ˈ, textvibyi ɿ, textraiseglotstop ˀ, textraisevibyi ɿ, textglotstopvari ʔ"""
NAMES = dict(pair.split() for pair in _NAMES.split(","))


def from_shortcuts(text: str) -> str:
    """Return what is written within ``\\textipa`` as IPA."""
    return str(text.translate(SHORTCUTS))
