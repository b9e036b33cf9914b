"""Text as it stands in files: UTF-8, NFC, and short forms of it for messages."""

from __future__ import annotations

import unicodedata

_EXCERPT = 60


def decode(data: bytes) -> str:
    """Decode UTF-8, with or without a byte order mark; a ValueError tells where it fails."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # The codec drops the mark before it counts.
        start = error.start + 3 * data.startswith(b"\xef\xbb\xbf")
        line = data.count(b"\n", 0, start) + 1
        raise ValueError(
            f"not UTF-8: byte 0x{data[start]:02x} at offset {start} (line {line})"
        ) from error


def nfc(text: str) -> str:
    """Return the text in Unicode's composed form (NFC), otherwise untouched."""
    return unicodedata.normalize("NFC", text)


def readable(name: str) -> str:
    """Return a file's name as text: in NFC, with U+FFFD for bytes that are not UTF-8."""
    return nfc(name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def excerpt(text: str) -> str:
    """Return the beginning of a text on one line, in quotes, for a message."""
    short = " ".join(text[: 4 * _EXCERPT].split())
    return f"'{short[:_EXCERPT]}...'" if len(short) > _EXCERPT else f"'{short}'"
