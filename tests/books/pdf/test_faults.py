"""Files that cannot be read, or not whole: what is said of them."""

from pathlib import Path

import pypdfium2
import pytest

from src.books.pdf import read_pdf
from src.errors import GrambenchError
from tests.books.pdf.writer import Sheet, write_pdf

TEXT = "The verb comes last in this language, and nothing follows it."


def a_pdf(path: Path, **options: str) -> Path:
    return write_pdf(path, Sheet().text(60, 100, TEXT), **options)


def the_fault(path: Path) -> str:
    with pytest.raises(GrambenchError) as caught:
        read_pdf(path)
    assert path.name in str(caught.value)
    return str(caught.value)


def test_a_password_is_needed(tmp_path: Path) -> None:
    assert "password" in the_fault(a_pdf(tmp_path / "locked.pdf", user="secret"))


def test_encryption_with_an_empty_password_is_no_hindrance(tmp_path: Path) -> None:
    book = read_pdf(a_pdf(tmp_path / "open.pdf", user=""))
    assert [block.text for block in book.blocks] == [TEXT]


def test_a_truncated_file(tmp_path: Path) -> None:
    whole = a_pdf(tmp_path / "whole.pdf").read_bytes()
    (tmp_path / "half.pdf").write_bytes(whole[: len(whole) // 2])
    assert "truncated" in the_fault(tmp_path / "half.pdf")


def test_a_damaged_file(tmp_path: Path) -> None:
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4\n" + b"rubbish " * 100 + b"\n%%EOF\n")
    assert "damaged" in the_fault(tmp_path / "bad.pdf")


def test_an_empty_file(tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").write_bytes(b"")
    assert "empty" in the_fault(tmp_path / "empty.pdf")


def test_what_is_no_pdf(tmp_path: Path) -> None:
    (tmp_path / "page.pdf").write_bytes(b"<html>a page, not a PDF</html>")
    assert "is not a PDF" in the_fault(tmp_path / "page.pdf")


def test_no_pages(tmp_path: Path) -> None:
    assert "no pages" in the_fault(write_pdf(tmp_path / "none.pdf"))


def test_no_pages_after_a_locked_file(tmp_path: Path) -> None:
    """Pdfium remembers the last fault, and a file without pages is none to it."""
    the_fault(a_pdf(tmp_path / "locked.pdf", user="secret"))
    empty = pypdfium2.PdfDocument.new()
    empty.save(tmp_path / "none.pdf")
    assert "no pages" in the_fault(tmp_path / "none.pdf")


def test_pictures_only(tmp_path: Path) -> None:
    sheets = [Sheet(content=["0 0 100 100 re f"]) for _ in range(3)]
    said = the_fault(write_pdf(tmp_path / "scan.pdf", *sheets))
    assert "OCR" in said
    assert "ocrmypdf" in said


def test_a_title_page_put_before_a_scan_is_no_text_layer(tmp_path: Path) -> None:
    scans = [Sheet(content=["0 0 100 100 re f"]) for _ in range(30)]
    said = the_fault(write_pdf(tmp_path / "scan.pdf", Sheet().text(60, 100, TEXT), *scans))
    assert "30 of its 31 pages" in said


def test_a_page_without_text_is_remarked(tmp_path: Path) -> None:
    book = read_pdf(write_pdf(tmp_path / "b.pdf", Sheet().text(60, 100, TEXT), Sheet()))
    assert [(remark.where, remark.what) for remark in book.remarks] == [("page 2", "has no text")]
    assert [page.text for page in book.pages] == [TEXT, ""]


def test_a_page_that_cannot_be_loaded_is_remarked(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "b.pdf", Sheet().text(60, 100, TEXT), Sheet().text(60, 100, "Bye."))
    damaged = path.read_bytes().replace(b"7 0 obj\n<< /Type /Page ", b"7 0 obj\n[[ /Type /Page ")
    path.write_bytes(damaged)
    book = read_pdf(path)
    assert [block.text for block in book.blocks] == [TEXT]
    assert [remark.where for remark in book.remarks] == ["page 2"]
    assert [page.number for page in book.pages] == [1, 2]


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_a_page_that_is_shown_turned(tmp_path: Path, rotate: int) -> None:
    sheet = Sheet(rotate=rotate).lines(60, 100, TEXT, "It is a short page.")
    book = read_pdf(write_pdf(tmp_path / "b.pdf", sheet))
    assert book.pages[0].text == f"{TEXT}\nIt is a short page."


@pytest.mark.parametrize(
    ("matrix", "second"), [("0 1 -1 0", (72, 0)), ("0 -1 1 0", (-72, 0)), ("-1 0 0 -1", (0, -72))]
)
def test_text_that_is_set_across_the_page(
    tmp_path: Path, matrix: str, second: tuple[float, float]
) -> None:
    sheet = Sheet().text(300, 400, "One line.", matrix=matrix)
    sheet.text(300 + second[0] / 6, 400 + second[1] / 6, "Another line.", matrix=matrix)
    book = read_pdf(write_pdf(tmp_path / "b.pdf", sheet))
    assert book.pages[0].text == "One line.\nAnother line."


def test_absurd_page_sizes(tmp_path: Path) -> None:
    sheets = [Sheet(size=(14400, 14400)).text(60, 100, TEXT), Sheet(size=(3, 3)).text(1, 1, TEXT)]
    book = read_pdf(write_pdf(tmp_path / "b.pdf", *sheets))
    assert [page.text for page in book.pages] == [TEXT, TEXT]


def test_invisible_text_is_read(tmp_path: Path) -> None:
    sheet = Sheet().text(60, 100, TEXT, invisible=True)
    assert read_pdf(write_pdf(tmp_path / "b.pdf", sheet)).pages[0].text == TEXT


def test_the_title_is_told(tmp_path: Path) -> None:
    path = write_pdf(tmp_path / "b.pdf", Sheet().text(60, 100, TEXT), title="A grammar")
    assert read_pdf(path).metadata == {"title": "A grammar"}


@pytest.mark.parametrize("many", [1, 60])
def test_a_page_with_more_text_than_a_page_has_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    """Many letters in one piece, or many pieces."""
    monkeypatch.setattr("src.books.pdf.glyphs.MOST_GLYPHS", 50)
    sheet = Sheet()
    for row in range(many):
        sheet.text(60, 100 + 10 * row, TEXT if many == 1 else "a")
    book = read_pdf(write_pdf(tmp_path / "big.pdf", sheet, Sheet().text(60, 100, "It is so.")))
    assert [block.text for block in book.blocks] == ["It is so."]
    assert "holds more than" in book.remarks[0].why


def test_attached_files_are_remarked(tmp_path: Path) -> None:
    path = a_pdf(tmp_path / "plain.pdf")
    with pypdfium2.PdfDocument(path) as document:
        document.new_attachment("grammar.txt").set_data(b"The noun is first.")
        document.save(tmp_path / "portfolio.pdf")
    assert read_pdf(path).remarks == []
    assert "1 attached" in read_pdf(tmp_path / "portfolio.pdf").remarks[0].what
