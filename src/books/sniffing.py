"""What a file is by its content, whatever its name says."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from src.errors import GrambenchError

FORMS = ("pdf", "latex", "text", "markdown")

LATEX_SUFFIXES = (".tex", ".ltx", ".latex")
_MARKDOWN_SUFFIXES = (".md", ".markdown")

_HEAD = 64 * 1024
# Readers of PDF allow for rubbish before the header, up to here.
_PDF_HEADER_WITHIN = 1024

_FOREIGN: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"II*\x00", "a picture (TIFF)"),
    (b"MM\x00*", "a picture (TIFF)"),
    (b"AT&TFORM", "a DjVu file"),
    (b"%!PS", "a PostScript file"),
    (b"{\\rtf", "a rich text file (RTF)"),
    (b"\xd0\xcf\x11\xe0", "a file of an old Microsoft Office (such as .doc)"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"7z\xbc\xaf", "an archive (7z)"),
    (b"Rar!", "an archive (RAR)"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "a database"),
)
_ZIPPED: tuple[tuple[bytes, str], ...] = (
    (b"word/", "a Word document (.docx)"),
    (b"[Content_Types].xml", "a Microsoft Office document"),
    (b"mimetypeapplication/epub", "an e-book (EPUB)"),
    (b"mimetypeapplication/vnd.oasis", "an OpenDocument file (.odt)"),
)
_ADVICE = "Give its text as PDF, LaTeX, Markdown or plain text."
_LATEX = re.compile(rb"\s*(?:%[^\n]*\n\s*)*\\(?:documentclass|documentstyle|begin\{document\})")
_HTML = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", re.I)
_LFS = b"version https://git-lfs.github.com"


def form_of(path: Path) -> str:
    """Return what a file holds: ``pdf``, ``latex``, ``text`` or ``markdown``.

    Raises:
        GrambenchError: the file is empty, or neither a PDF nor text.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if b"%PDF-" in head[:_PDF_HEADER_WITHIN]:
        return "pdf"
    wide = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if wide:
        head = head.decode("utf-16", errors="ignore").encode("utf-8", errors="ignore")
    if said := _fault(head):
        raise GrambenchError(f"{path.name} {said}")
    form = _text_form(path, head.removeprefix(b"\xef\xbb\xbf"))
    if wide and form == "latex":
        raise GrambenchError(f"{path.name} is LaTeX in UTF-16: save it as UTF-8.")
    return form


def _text_form(path: Path, head: bytes) -> str:
    suffix = path.suffix.lower()
    if suffix == ".pdf":
        raise GrambenchError(
            f"{path.name} is called a PDF, but holds text. If that is the grammar's text, "
            "rename it to .txt or .tex; else get the PDF again."
        )
    if suffix in LATEX_SUFFIXES or _LATEX.match(head):
        return "latex"
    return "markdown" if suffix in _MARKDOWN_SUFFIXES else "text"


def _fault(head: bytes) -> str:
    """Say why the beginning of a file is not that of a text; ``""`` where it is."""
    if not head.strip():
        return "is empty." if not head else "holds nothing but blanks."
    if head.startswith(_LFS):
        return "is a pointer of Git LFS, not the file itself: run `git lfs pull` there."
    if kind := _kind(head):
        return f"is {kind}, which Grambench does not read. {_ADVICE}"
    if b"\0" in head:
        return f"holds binary data, no text. {_ADVICE}"
    return ""


def _kind(head: bytes) -> str:
    if head.startswith(b"PK\x03\x04"):
        return next((kind for sign, kind in _ZIPPED if sign in head), "an archive (ZIP)")
    if _HTML.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "a web page (HTML)"
    return next((kind for sign, kind in _FOREIGN if head.startswith(sign)), "")
