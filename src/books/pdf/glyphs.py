"""The glyphs of a page with their places, read from pdfium in bulk."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

Floats = npt.NDArray[np.float64]
_UPRIGHT = 0.05
MOST_GLYPHS = 100_000


def _fast(name: str, result: Any, *arguments: Any) -> Any:
    """Return a function of pdfium that takes plain addresses: thrice as fast as its binding."""
    address = ctypes.cast(getattr(pdfium, name), ctypes.c_void_p).value
    return ctypes.CFUNCTYPE(result, *arguments)(address or 0)


_pointer, _int = ctypes.c_void_p, ctypes.c_int
_unicode = _fast("FPDFText_GetUnicode", ctypes.c_uint, _pointer, _int)
_box = _fast("FPDFText_GetLooseCharBox", _int, _pointer, _int, _pointer)
_object = _fast("FPDFText_GetTextObject", _pointer, _pointer, _int)
_origin = _fast("FPDFText_GetCharOrigin", _int, _pointer, _int, _pointer, _pointer)
_matrix = _fast("FPDFText_GetMatrix", _int, _pointer, _int, _pointer)
_angle = _fast("FPDFText_GetCharAngle", ctypes.c_float, _pointer, _int)
_size = _fast("FPDFText_GetFontSize", ctypes.c_double, _pointer, _int)
_font = _fast("FPDFTextObj_GetFont", _pointer, _pointer)
_font_name = _fast("FPDFFont_GetBaseFontName", ctypes.c_size_t, _pointer, _pointer, ctypes.c_size_t)
_weight = _fast("FPDFFont_GetWeight", _int, _pointer)

_BOLD = re.compile(r"bold|black|heavy|-bd|cmb|cmss?bx|-demi|-semi", re.IGNORECASE)
_SMALL_CAPITALS = re.compile(r"csc\d|caps|smallcap|[-_]sc\b", re.IGNORECASE)
_BOLD_WEIGHT = 650


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The glyphs of a page in the order of its content, y growing downwards, in points.

    ``origin`` is the y of the line that a glyph stands on, ``spaced`` whether pdfium sees a blank
    before it, ``turned`` how many glyphs stand across the page's direction and were left out.
    """

    text: list[str]
    left: Floats
    right: Floats
    origin: Floats
    size: Floats
    bold: npt.NDArray[np.bool_]
    spaced: npt.NDArray[np.bool_]
    turned: int = 0

    def __len__(self) -> int:
        return len(self.text)


@dataclass(frozen=True, slots=True)
class _Style:
    """What all glyphs of one text object share."""

    size: float
    bold: bool
    small_capitals: bool
    origin: tuple[float, float]
    quarter: int  # of a turn, counter-clockwise; -1 for anything between


def read_glyphs(document: Any, index: int) -> Glyphs | None:
    """Return the glyphs of a page (from 0).

    None where pdfium cannot load it, or where there are more than ``MOST_GLYPHS``: no page of a
    book has so many, and memory must stay bounded.
    """
    page = pdfium.FPDF_LoadPage(document.raw, index)
    if not page:
        return None
    try:
        if pdfium.FPDFPage_CountObjects(page) > MOST_GLYPHS:
            return None
        text = pdfium.FPDFText_LoadPage(page)
        if not text:
            return None
        try:
            return _glyphs(text) if pdfium.FPDFText_CountChars(text) <= MOST_GLYPHS else None
        finally:
            pdfium.FPDFText_ClosePage(text)
    finally:
        pdfium.FPDF_ClosePage(page)


def _glyphs(text_page: Any) -> Glyphs:
    address = ctypes.cast(text_page, _pointer).value
    count = max(0, pdfium.FPDFText_CountChars(text_page))
    boxes = np.zeros((count, 4), dtype=np.float32)  # left, top, right, bottom
    base = boxes.ctypes.data
    for index in range(count):
        _box(address, index, base + 16 * index)
    rows = range(count)
    codes = np.array([_unicode(address, row) for row in rows], dtype=np.uint32)
    objects = np.array([_object(address, row) or 0 for row in rows], dtype=np.uint64)
    # What pdfium adds itself (blanks, line ends) has no extent.
    flat = (boxes[:, 0] == boxes[:, 2]) & (boxes[:, 1] == boxes[:, 3])
    kept = np.flatnonzero((objects != 0) & ~flat)
    keys, firsts, which = np.unique(objects[kept], return_index=True, return_inverse=True)
    styles = [
        _style(address, int(row), int(key))
        for key, row in zip(keys.tolist(), kept[firsts].tolist(), strict=True)
    ]
    return _directed(codes[kept], boxes[kept].astype(np.float64), styles, which, kept)


def _style(address: int | None, index: int, key: int) -> _Style:
    matrix, x, y = pdfium.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
    _matrix(address, index, ctypes.addressof(matrix))
    _origin(address, index, ctypes.addressof(x), ctypes.addressof(y))
    scale = math.hypot(matrix.c, matrix.d) or 1.0
    font = _font(key)
    name = ctypes.create_string_buffer(256)
    _font_name(font, ctypes.addressof(name), 256)
    said = name.value.decode("latin-1")
    # pdfium measures clockwise.
    turns = -_angle(address, index) / (math.pi / 2)
    quarter = round(turns) % 4 if abs(turns - round(turns)) < _UPRIGHT else -1
    return _Style(
        size=abs(_size(address, index) * scale) or 1.0,
        bold=bool(_BOLD.search(said)) or _weight(font) >= _BOLD_WEIGHT,
        small_capitals=bool(_SMALL_CAPITALS.search(said)),
        origin=(x.value, y.value),
        quarter=quarter,
    )


def _directed(
    codes: npt.NDArray[np.uint32],
    boxes: Floats,
    styles: list[_Style],
    which: npt.NDArray[np.intp],
    places: npt.NDArray[np.intp],
) -> Glyphs:
    """Turn a page so that most of its glyphs stand upright, and leave out those that do not.

    ``which`` is the style of each glyph, ``places`` their positions in pdfium's text.
    """
    quarters = np.array([style.quarter for style in styles], dtype=np.intp)[which]
    main = int(np.argmax(np.bincount(quarters + 1))) - 1 if len(which) else 0
    stays = quarters == main
    which, places = which[stays], places[stays]
    left, top, right, bottom = boxes[stays].T.reshape(4, -1)
    x0, x1, _ = _turned(max(main, 0), left, right, bottom, top)
    x, y = np.array([style.origin for style in styles], dtype=np.float64).reshape(-1, 2)[which].T
    spaced = np.zeros(len(places), dtype=np.bool_)
    spaced[1:] = np.diff(places) > 1
    small = np.array([style.small_capitals for style in styles], dtype=np.bool_)[which]
    return Glyphs(
        text=_letters(codes[stays], small),
        left=x0,
        right=x1,
        origin=_turned(max(main, 0), x, x, y, y)[2],
        size=np.array([style.size for style in styles], dtype=np.float64)[which],
        bold=np.array([style.bold for style in styles], dtype=np.bool_)[which],
        spaced=spaced,
        turned=int((~stays).sum()),
    )


def _turned(
    turn: int, left: Floats, right: Floats, bottom: Floats, top: Floats
) -> tuple[Floats, Floats, Floats]:
    """Return left, right and y (downwards) as seen by a reader who turns the page upright."""
    if turn == 1:
        return bottom, top, left
    if turn == 2:
        return -right, -left, bottom
    if turn == 3:
        return -top, -bottom, -left
    return left, right, -bottom


def _letters(codes: npt.NDArray[np.uint32], small: npt.NDArray[np.bool_]) -> list[str]:
    """Return what the glyphs stand for; letters in fonts of small capitals are capitals."""
    codes = codes.copy()
    # pdfium marks a hyphen at a line's end by U+0002, and some by U+FFFE.
    codes[(codes == 0x02) | (codes == 0xFFFE)] = ord("-")
    unknown = (codes == 0) | ((codes >= 0xD800) & (codes < 0xE000)) | (codes > 0x10FFFF)
    codes[unknown] = 0xFFFD
    text = list(codes.astype("<u4").tobytes().decode("utf-32-le"))
    for row in np.flatnonzero(small).tolist():
        text[row] = text[row].upper()
    return text
