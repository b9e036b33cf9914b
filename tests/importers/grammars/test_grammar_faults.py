"""Files that cannot be read, or hardly: each is named with the reason, the rest goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from src.books.settings import ParagraphSettings
from src.errors import GrambenchError
from src.importers.grammars import Imported, Wanted, import_grammars
from tests.importers.grammars.books import WORDS, write_latex, write_pdf, write_text
from tests.importers.grammars.pdfs import image_pdf, locked_pdf, text_pdf


def take(given: Path, folder: Path) -> Imported:
    return import_grammars(Wanted([given], ParagraphSettings()), folder, jobs=2)


def put(folder: Path, **contents: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        (folder / name.replace("_", ".")).write_bytes(content)
    return folder


def test_each_spoilt_file_is_named_and_the_rest_goes_on(tmp_path):
    books = put(
        tmp_path / "books",
        locked_pdf=locked_pdf(),
        short_pdf=text_pdf([["Some words."]] * 100)[:5000],
        empty_pdf=b"",
        picture_pdf=image_pdf(5),
        webpage_pdf=b"<html><body>Not found</body></html>",
        photo_txt=b"\x89PNG\r\n\x1a\n" + bytes(100),
        blank_txt=b"\n\n \f\n",
    )
    write_text(books / "good.txt")
    imported = take(books, tmp_path / "data" / "mine")
    assert [g.id for g in imported.landed.pack.grammars] == ["good"]
    said = imported.failed
    assert set(said) == {
        *["locked.pdf", "short.pdf", "empty.pdf", "picture.pdf"],
        *["webpage.pdf", "photo.txt", "blank.txt"],
    }
    assert "password" in said["locked.pdf"]
    assert any(word in said["short.pdf"] for word in ("damaged", "truncated", "cut"))
    assert said["empty.pdf"] == "is empty."
    assert "OCR" in said["picture.pdf"] or "image" in said["picture.pdf"]
    assert "web page" in said["webpage.pdf"]
    assert "picture (PNG)" in said["photo.txt"]
    assert "blanks" in said["blank.txt"]
    assert imported.complaints()[0] == "7 of 8 files could not be read:"
    errors = [e.file for e in imported.landed.report.entries if e.level == "error"]
    assert sorted(errors) == sorted(said)


def test_where_nothing_can_be_read_nothing_is_written(tmp_path):
    books = put(tmp_path / "books", a_pdf=b"", b_pdf=locked_pdf())
    with pytest.raises(GrambenchError) as caught:
        take(books, tmp_path / "data" / "mine")
    assert "no file could be read" in str(caught.value)
    assert "a.pdf: is empty." in str(caught.value)
    assert "password" in str(caught.value)
    assert not (tmp_path / "data").exists()


def test_a_file_is_read_as_what_it_holds(tmp_path):
    books = tmp_path / "books"
    write_pdf(books / "real.pdf").rename(books / "called.txt")
    imported = take(books, tmp_path / "data" / "mine")
    pack = imported.landed.pack
    assert pack.documents["called"].form == "pdf"
    assert any("In the ko dialect" in p.text for p in pack.paragraphs.values())
    assert any("holds a PDF" in entry.said() for entry in imported.landed.report.entries)


def test_latex_that_includes_itself_or_leads_outside(tmp_path):
    books = tmp_path / "books"
    (tmp_path / "secret.tex").write_text("Nobody should read this secret.")
    chapter = write_latex(books / "oko") / "chapters" / "one.tex"
    chapter.write_text(
        f"\\chapter{{Verbs}}\nVerbs come last. {WORDS}\n\n\\input{{chapters/one}}\n"
        f"\\input{{../../secret}}\n\\input{{chapters/nowhere}}\n\n{WORDS}\n"
    )
    imported = take(books, tmp_path / "data" / "mine")
    texts = [p.text for p in imported.landed.pack.paragraphs.values()]
    assert any("Verbs come last." in text for text in texts)
    assert not any("secret" in text for text in texts)
    said = " ".join(entry.said() for entry in imported.landed.report.entries)
    assert "outside" in said
    assert "chapters/nowhere" in said
    assert any(word in said for word in ("itself", "loop", "circle"))


def test_a_pdf_of_2000_pages(tmp_path):
    books = tmp_path / "books"
    write_pdf(books / "long.pdf", pages=2000, repeats=1)
    pack = take(books, tmp_path / "data" / "mine").landed.pack
    assert pack.documents["long"].pages == 2000
    assert {page for p in pack.paragraphs.values() for page in p.pages} == set(range(1, 2001))


def test_a_text_of_10_megabytes(tmp_path):
    path = tmp_path / "books" / "long.txt"
    path.parent.mkdir()
    paragraph = WORDS * 5
    path.write_text("\n\n".join([paragraph] * (10_000_000 // len(paragraph))))
    pack = take(tmp_path / "books", tmp_path / "data" / "mine").landed.pack
    assert pack.documents["long"].characters > 9_000_000
