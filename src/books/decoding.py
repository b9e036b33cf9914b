"""Bytes of a text file into text, in the encoding that they are in."""

from __future__ import annotations

import codecs
import re

from src.errors import GrambenchError

_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MANY_CONTROLS = 0.001


def decode(data: bytes, name: str) -> tuple[str, str]:
    """Return the text of a file, and a remark on its encoding where that had to be guessed.

    UTF-8 comes first, then UTF-16 if its mark stands at the beginning, then Windows-1252, of which
    Latin-1 is a part.

    Raises:
        GrambenchError: the file is empty, or holds binary data.
    """
    if not data.strip():
        raise GrambenchError(f"{name} is empty. Get the file again.")
    text, remark = _decoded(data, name)
    controls = sum(1 for _ in _CONTROLS.finditer(text))
    if "\0" in text or controls > _MANY_CONTROLS * len(text) + 3:
        raise GrambenchError(
            f"{name} holds binary data, no text. Give the grammar as PDF, LaTeX, Markdown or text."
        )
    return text, remark


def _decoded(data: bytes, name: str) -> tuple[str, str]:
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        fault = error
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            return data.decode("utf-16"), ""
        except UnicodeDecodeError as error:
            raise GrambenchError(
                f"{name} begins as UTF-16, but byte {error.start} is none. Save it as UTF-8."
            ) from error
    if b"\0" in data:
        return "\0", ""
    remark = f"is not UTF-8 (byte {fault.start}); read as Latin-1, so check its special characters"
    try:
        return data.decode("cp1252"), remark
    except UnicodeDecodeError:
        return data.decode("latin-1"), remark
