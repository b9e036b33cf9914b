"""Where text goes: the book's body, a footnote, an example, a table, or a line of text."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from src.books.book import Kind


@dataclass(slots=True)
class Draft:
    """A block in the making: references are not resolved yet."""

    kind: Kind
    text: str
    level: int = 0
    label: str = ""
    chapter: int = 0
    float: int = 0


def squeeze(parts: list[str]) -> str:
    """Return the parts as one line, with single spaces, NFC."""
    return unicodedata.normalize("NFC", " ".join("".join(parts).split()))


@dataclass
class Flow:
    """Collects text; this one keeps it in a line."""

    text: list[str] = field(default_factory=list)
    notes: list[Draft] = field(default_factory=list)

    def paragraph(self) -> None:
        """End a paragraph."""
        self.text.append(" ")

    def newline(self) -> None:
        """End a line."""
        self.text.append(" ")

    def cell(self) -> None:
        """End a cell."""
        self.text.append(" ")

    def add(self, drafts: list[Draft]) -> None:
        """Take in what a part of this flow came to."""
        for draft in drafts:
            if draft.kind == "footnote":
                self.notes.append(draft)
            elif draft.text:
                self.text.append(" " + draft.text.replace("\n", " ").replace("\t", " ") + " ")

    def close(self) -> list[Draft]:
        """Return what was collected, and begin anew."""
        text, self.text, notes, self.notes = squeeze(self.text), [], self.notes, []
        return ([Draft("text", text)] if text else []) + notes


@dataclass
class Body(Flow):
    """Paragraphs of one kind; lists set ``kind``, ``bullet`` stands before the next of them.

    ``gloss`` is an example that has no environment: glossed lines, and a translation after them.
    """

    kind: Kind = "text"
    drafts: list[Draft] = field(default_factory=list)
    bullet: str = ""
    chapter: int = 0
    float: int = 0
    gloss: Draft | None = None

    def begin_gloss(self) -> None:
        """Let lines follow that make an example."""
        self.paragraph()
        self.gloss = Draft("example", "")

    def translate(self) -> None:
        """Let the last line of an example follow, of this one or of the one just before."""
        if self.gloss is not None:
            self.newline()
            return
        self.paragraph()
        last = len(self.drafts) - 1
        while last >= 0 and self.drafts[last].kind == "footnote":
            last -= 1
        if last >= 0 and self.drafts[last].kind == "example":
            self.gloss, *self.notes = self.drafts[last:]
            del self.drafts[last:]

    def newline(self) -> None:
        """End a line; it is seen in an example only."""
        if self.gloss is None:
            super().newline()
            return
        line = squeeze(self.text)
        self.text.clear()
        self.gloss.text = f"{self.gloss.text}\n{line}".strip("\n")

    def paragraph(self) -> None:
        """End a paragraph; its footnotes follow it."""
        if self.gloss is not None:
            self.newline()
            gloss, self.gloss = self.gloss, None
            if gloss.text:
                self._put(gloss)
        text = squeeze(self.text)
        self.text.clear()
        if text:
            self._put(Draft(self.kind, self.bullet + text))
            self.bullet = ""
        for note in self.notes:
            self._put(note)
        self.notes.clear()

    def _put(self, draft: Draft) -> None:
        draft.chapter = self.chapter
        last = self.drafts[-1] if self.drafts else None
        if draft.kind == "table" and self.float:
            draft.float = self.float
            if last is not None and last.kind == "table" and last.float == self.float:
                last.text += "\n" + draft.text
                return
        self.drafts.append(draft)

    def add(self, drafts: list[Draft]) -> None:
        """Take in finished blocks after the paragraph before them."""
        if not drafts:
            return
        opening = squeeze(self.text)
        if opening.endswith("{") and drafts[0].kind == "table":
            # a brace over several rows, as in a phonological rule: what it opens belongs to it
            drafts[0].text = f"{opening}\n{drafts[0].text}"
            self.text.clear()
        self.paragraph()
        for draft in drafts:
            if draft.kind == self.kind and self.bullet:
                draft.text, self.bullet = self.bullet + draft.text, ""
            self._put(draft)

    def close(self) -> list[Draft]:
        """Return the blocks, and begin anew."""
        self.paragraph()
        drafts, self.drafts = self.drafts, []
        return drafts


@dataclass
class Example(Flow):
    """An example: a line each for number and surface form, glosses, translation."""

    label: str = ""
    lines: list[str] = field(default_factory=list)
    prefix: list[str] = field(default_factory=list)
    lists: list[tuple[str, int, str]] = field(default_factory=list)

    def paragraph(self) -> None:
        """End a line."""
        self.newline()

    def newline(self) -> None:
        """End a line."""
        text = squeeze(self.text)
        self.text.clear()
        if text:
            self.lines.append("".join(self.prefix) + text)
            self.prefix = []

    def add(self, drafts: list[Draft]) -> None:
        """Take in tables, examples within examples, and footnotes."""
        for draft in drafts:
            if draft.kind == "footnote":
                self.notes.append(draft)
                continue
            self.newline()
            for line in draft.text.split("\n"):
                self.text.append(line)
                self.newline()

    def close(self) -> list[Draft]:
        """Return the example as one block, with its footnotes after it."""
        self.newline()
        alone = "".join(self.prefix).strip()
        if alone:
            self.lines.append(alone)
        lines, self.lines, notes, self.notes = self.lines, [], self.notes, []
        self.prefix = []
        return ([Draft("example", "\n".join(lines), label=self.label)] if lines else []) + notes


@dataclass
class Grid(Flow):
    """A table: a line a row, cells with tabulators between them."""

    cells: list[str] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    head: list[str] | None = None
    captions: list[Draft] = field(default_factory=list)
    spanned: int = 0  # columns beyond its own that the present cell takes

    def paragraph(self) -> None:
        """Keep a cell in one line."""
        self.text.append(" ")

    def cell(self) -> None:
        """End a cell; one that spans columns is followed by empty ones, so that columns stay."""
        self.cells.append(squeeze(self.text))
        self.cells += [""] * self.spanned
        self.spanned = 0
        self.text.clear()

    def newline(self) -> None:
        """End a row."""
        self.cell()
        row = "\t".join(self.cells).rstrip("\t")
        self.cells = []
        if row.strip():
            self.rows.append(row)

    def begin_body(self, name: str) -> None:
        """Keep the head of a long table once; drop what stands at the page's foot."""
        self.newline()
        if name == "endfirsthead" or (name == "endhead" and self.head is None):
            self.head = self.rows
        self.rows = []

    def kill(self) -> None:
        """Drop the row that only sets tabulators."""
        self.cells = []
        self.text.clear()

    def add(self, drafts: list[Draft]) -> None:
        """Take in captions, and what stands in a cell."""
        self.captions += [draft for draft in drafts if draft.kind == "caption"]
        Flow.add(self, [draft for draft in drafts if draft.kind != "caption"])

    def close(self) -> list[Draft]:
        """Return captions, the table, and its footnotes."""
        self.newline()
        rows = (self.head or []) + self.rows
        table = [Draft("table", "\n".join(rows))] if rows else []
        found = self.captions + table + self.notes
        self.rows, self.head, self.captions, self.notes = [], None, [], []
        return found
