"""Writes ``demo_pages.csv``: on which page of the demo's books LaTeX put every label.

Run in the folder of the repository, after the books were typeset in folders of their names::

    python -m tests.books.demo_pages BUILD/tavelo BUILD/keshrin BUILD/anumba

Each folder holds ``main.pdf`` and the ``.aux`` files that LaTeX wrote beside it.
"""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

import pypdfium2

OUT = Path(__file__).with_name("demo_pages.csv")
COLUMNS = ("grammar", "label", "number", "heading", "printed", "page")
LABEL = re.compile(r"\\newlabel\{([^}]*)\}\{\{(.*?)\}\{(\w+)\}\{(.*)\}\{([\w.*]*)\}\{\}\}")


def rows(folder: Path) -> list[tuple[str, ...]]:
    """Return a row for each label of a book, in the order of the pages."""
    document = pypdfium2.PdfDocument(folder / "main.pdf")
    pages = {document.get_page_label(index): index + 1 for index in range(len(document))}
    document.close()
    found: list[tuple[int, tuple[str, ...]]] = []
    for aux in sorted(folder.rglob("*.aux")):
        for match in LABEL.finditer(aux.read_text(encoding="utf-8")):
            label, number, printed, title, anchor = match.groups()
            # an unnumbered chapter bears the number of the one before it
            number = "" if "*" in anchor else number
            heading = _plain(title) if label.startswith(("chap:", "sec:")) else ""
            page = pages[printed]
            found.append((page, (folder.name, label, number, heading, printed, str(page))))
    return [row for _, row in sorted(found, key=lambda one: one[0])]


def _plain(title: str) -> str:
    return re.sub(r"\\\w+ ?|[{}]", "", title).replace("'", "\u2019").strip()


def main() -> None:
    """Write the table for the folders that the command line names."""
    with OUT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for folder in sys.argv[1:]:
            writer.writerows(rows(Path(folder)))


if __name__ == "__main__":
    main()
