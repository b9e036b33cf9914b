"""Opening a PDF file, and saying in words why one cannot be read."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from src.books.book import Remark
from src.errors import GrambenchError

# Readers of PDF allow for rubbish before the header and after the end, up to here.
_HEADER_WITHIN = 1024
_END_WITHIN = 8192

_AGAIN = "Get the file again, or repair it with `qpdf damaged.pdf repaired.pdf`."
_FAULTS = {
    pdfium.FPDF_ERR_PASSWORD: (
        "is encrypted and opens only with a password. Save a copy without one, "
        "for example with `qpdf --decrypt --password=... locked.pdf open.pdf`."
    ),
    pdfium.FPDF_ERR_SECURITY: (
        "is encrypted in a way that is not supported. Save a copy without encryption."
    ),
}


@contextmanager
def opened(path: Path) -> Iterator[pypdfium2.PdfDocument]:
    """Open a PDF and close it again; its pages are read from disk as they are asked for.

    Raises:
        GrambenchError: it is empty, no PDF, truncated, damaged, encrypted, or has no pages.
        OSError: the file cannot be read.
    """
    _check(path)
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        fault = f"is damaged, or has no pages. {_AGAIN}"
        if _says_encrypted(path):
            fault = _FAULTS.get(getattr(error, "err_code", None), fault)
        raise GrambenchError(f"{path.name} {fault}") from error
    try:
        if not len(document):
            raise GrambenchError(f"{path.name} has no pages. {_AGAIN}")
        yield document
    finally:
        document.close()


def _says_encrypted(path: Path) -> bool:
    """Tell whether a PDF claims it: of a file without pages pdfium gives the last file's error."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"/Encrypt") >= 0


def metadata_of(document: pypdfium2.PdfDocument) -> dict[str, str]:
    """Return the title and the author that a PDF claims to have."""
    said: dict[str, Any] = document.get_metadata_dict(skip_empty=True)
    return {key.lower(): said[key].strip() for key in ("Title", "Author") if said.get(key)}


def attachments_of(document: pypdfium2.PdfDocument) -> list[Remark]:
    """Remark on files inside a PDF: a portfolio has its texts there, and a cover as its page."""
    count = document.count_attachments()
    what = f"holds {count} attached files, which were not read"
    return [Remark("attachments", what, "save them, and import them by themselves")] * bool(count)


def _check(path: Path) -> None:
    with path.open("rb") as file:
        head = file.read(_HEADER_WITHIN)
        size = file.seek(0, 2)
        file.seek(max(0, size - _END_WITHIN))
        tail = file.read()
    if not size:
        raise GrambenchError(f"{path.name} is empty. Get the file again.")
    if b"%PDF-" not in head:
        raise GrambenchError(f"{path.name} is not a PDF, whatever its name says.")
    if b"%%EOF" not in tail:
        raise GrambenchError(
            f"{path.name} is truncated: it ends without a PDF's end mark. {_AGAIN}"
        )
