"""Tiny PDFs, written by hand: pages of text in Helvetica, or spoilt in one way."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

_PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources %s/Contents %d 0 R>>"
_FONT = b"<</Font<</F1 3 0 R>>>>"


def text_pdf(pages: Sequence[Sequence[str]], trailer: bytes = b"") -> bytes:
    """Make a PDF of pages, each a list of lines (ASCII); ``trailer`` is added to its trailer."""
    contents = []
    for lines in pages:
        shown = b" ".join(
            b"(%s) Tj T*" % line.replace("(", r"\(").replace(")", r"\)").encode() for line in lines
        )
        contents.append(b"BT /F1 11 Tf 14 TL 72 770 Td %s ET" % shown)
    return _pdf([_stream(content) for content in contents], _FONT, [], trailer)


def image_pdf(pages: int) -> bytes:
    """Make a PDF whose pages show a picture each, and hold no text."""
    picture = zlib.compress(bytes(range(256)) * 3)
    image = _stream(
        picture,
        b"/Type/XObject/Subtype/Image/Width 16/Height 16/ColorSpace/DeviceRGB/BitsPerComponent 8"
        b"/Filter/FlateDecode",
    )
    number = 4 + 2 * pages
    resources = b"<</XObject<</I %d 0 R>>>>" % number
    draw = _stream(b"q 500 0 0 700 40 70 cm /I Do Q")
    return _pdf([draw] * pages, resources, [image])


def locked_pdf() -> bytes:
    """Make a PDF that opens with a password only, which nobody knows."""
    lock = b"/Filter/Standard/V 1/R 2/P -4/O<%s>/U<%s>" % (b"61" * 32, b"62" * 32)
    identity = b"/ID[<%s><%s>]" % (b"63" * 16, b"63" * 16)
    return text_pdf([["Hidden words."]], b"/Encrypt<<%s>>%s" % (lock, identity))


def _stream(content: bytes, entries: bytes = b"") -> bytes:
    return b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(content), entries, content)


def _pdf(
    contents: Sequence[bytes], resources: bytes, more: Sequence[bytes], trailer: bytes = b""
) -> bytes:
    """Put objects together: 1 catalogue, 2 pages, 3 font, then page and content in turns."""
    kids = b" ".join(b"%d 0 R" % (4 + 2 * n) for n in range(len(contents)))
    objects: dict[int, bytes] = {}
    for n, content in enumerate(contents):
        objects[4 + 2 * n] = _PAGE % (resources, 5 + 2 * n)
        objects[5 + 2 * n] = content
    for n, extra in enumerate(more):
        objects[4 + 2 * len(contents) + n] = extra
    objects[3] = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    # Last in the file, so that one that is cut short has neither pages nor catalogue.
    objects[2] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(contents))
    objects[1] = b"<</Type/Catalog/Pages 2 0 R>>"
    out, places = bytearray(b"%PDF-1.4\n"), {}
    for number, content in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start, size = len(out), len(objects) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % places[number]
    out += b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, start)
    return bytes(out)
