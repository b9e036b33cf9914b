"""Letters beyond Latin-1, in a font that is embedded."""

import unicodedata
from pathlib import Path

import pytest
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from src.books.pdf import read_pdf

WORDS = [
    "ʔaːte náːlo-ŋa ʧəɬ",
    "kʷʼan tʰəʔ ǃxóõ",
    "ɓaɗa ˈpætʃ ẽna",
    "first flat official",
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("ipa") / "ipa.pdf"
    figure = Figure(figsize=(6, 8))
    for row, text in enumerate(WORDS):
        figure.text(0.1, 0.9 - 0.03 * row, text, fontsize=11)
    with PdfPages(where) as pages:
        pages.savefig(figure)
    return where


def test_ipa_is_not_touched(path: Path) -> None:
    assert read_pdf(path).pages[0].text.split("\n") == [
        unicodedata.normalize("NFC", text) for text in WORDS
    ]


def test_ligatures_dissolve(path: Path) -> None:
    assert "ﬁ" not in read_pdf(path).pages[0].text
