from __future__ import annotations

import io
import zipfile

import pytest

from src.books.sniffing import form_of
from src.errors import GrambenchError


def written(folder, name: str, content: bytes):
    path = folder / name
    path.write_bytes(content)
    return path


def zipped(name: str, content: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "form"),
    [
        ("a.pdf", b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n1 0 obj", "pdf"),
        ("a.txt", b"%PDF-1.5\n1 0 obj", "pdf"),
        ("rubbish_before.pdf", b"\r\n\x00 junk\n%PDF-1.4\n", "pdf"),
        ("a.tex", b"Just a sentence.", "latex"),
        ("a.txt", b"% a comment\n\n  % another\n\\documentclass{book}\n", "latex"),
        ("a.txt", b"The command \\documentclass is not ours.", "text"),
        ("a.txt", "Grammar of Ŋala\fPage two".encode(), "text"),
        ("a.txt", b"\xef\xbb\xbf\\begin{document}", "latex"),
        ("a.MD", b"# Phonology\n", "markdown"),
        ("a.markdown", b"text", "markdown"),
        ("no_ending", b"text", "text"),
        ("latin1.txt", b"Die Verben stehen am Ende; \xfcberall.", "text"),
        ("a.md", b"The tag <html> is used.", "markdown"),
        ("a.txt", "Grammar of Ŋala".encode("utf-16"), "text"),
        ("a.md", b"\xfe\xff" + "# Nouns".encode("utf-16-be"), "markdown"),
    ],
)
def test_the_content_tells_the_form(tmp_path, name, content, form):
    assert form_of(written(tmp_path, name, content)) == form


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.pdf", b"", "a.pdf is empty."),
        ("a.txt", b" \n\n\f ", "holds nothing but blanks"),
        ("a.pdf", b"<!DOCTYPE html>\n<html><body>404", "a web page (HTML)"),
        ("a.pdf", b'\n<?xml version="1.0"?>\n<!-- x -->\n<HTML>', "a web page (HTML)"),
        ("a.pdf", b"\x89PNG\r\n\x1a\n\x00\x00", "a picture (PNG)"),
        ("a.txt", b"\xff\xd8\xff\xe0\x00\x10JFIF", "a picture (JPEG)"),
        ("a.pdf", b"Once upon a time", "is called a PDF, but holds text"),
        ("a.txt", zipped("word/document.xml"), "a Word document (.docx)"),
        ("a.txt", zipped("mimetype", "application/epub+zip"), "an e-book (EPUB)"),
        ("a.txt", zipped("anything"), "an archive (ZIP)"),
        ("a.txt", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "(such as .doc)"),
        ("a.txt", b"{\\rtf1\\ansi", "a rich text file (RTF)"),
        ("a.txt", b"AT&TFORM\x00\x00", "a DjVu file"),
        ("a.tex", "Grammar".encode("utf-16"), "LaTeX in UTF-16: save it as UTF-8"),
        ("a.txt", "Gram\0mar".encode("utf-16"), "holds binary data"),
        ("a.txt", " \n".encode("utf-16"), "holds nothing but blanks"),
        ("a.txt", b"abc\x00\x01\x02", "holds binary data"),
        ("a.tex", b"abc\x00\x01\x02", "holds binary data"),
        (
            "a.pdf",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n",
            "run `git lfs pull`",
        ),
    ],
)
def test_what_is_no_book_is_named(tmp_path, name, content, said):
    with pytest.raises(GrambenchError) as caught:
        form_of(written(tmp_path, name, content))
    assert said in str(caught.value)
    assert str(caught.value).startswith(name)
