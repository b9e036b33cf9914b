"""A LaTeX book, read into blocks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from src.books.book import Block, Book, Page, Remark
from src.books.latex import (  # noqa: F401
    citing,
    counting,
    definitions,
    examples,
    files,
    grids,
    ignored,
    lengths,
    lists,
    structure,
    styles,
)
from src.books.latex.counting import usual
from src.books.latex.engine import Engine
from src.books.latex.flows import Draft
from src.books.latex.numbering import Counters
from src.books.latex.project import Project
from src.books.latex.registry import COMMANDS, ENVIRONMENTS


def read_latex(path: Path) -> Book:
    """Read a LaTeX project from its main file, or a fragment of one; raises GrambenchError.

    What is malformed, missing or outside the project's folder is a remark.
    """
    return book_of(read_project(path))


def book_of(engine: Engine) -> Book:
    """Return what a project that was read comes to; to be called once."""
    labels = engine.state.labels
    drafts = engine.body.close()
    blocks = [_block(draft, labels.resolve(draft.text)) for draft in drafts]
    _remark_on_the_whole(engine)
    return Book(
        blocks=blocks,
        pages=_pages(drafts, blocks),
        paged=False,
        remarks=engine.project.remarks,
        metadata={key: labels.resolve(text) for key, text in engine.state.metadata.items() if text},
    )


def read_project(path: Path) -> Engine:
    """Read a project and return the engine with all that it found."""
    project = Project(path)
    engine = Engine(project, dict(COMMANDS), ENVIRONMENTS)
    engine.state.has_chapters = True
    engine.state.counters = Counters.of_class(True, True)
    engine.state.counters.values["secnumdepth"] = 4
    usual(engine)
    engine.state.reading.append(path.resolve().as_posix())
    engine.stream.push_file(project.read(path))
    engine.run()
    if engine.state.preamble:
        project.remark(project.main.name, "no \\begin{document}", "all of it is taken as preamble")
    while len(engine.frames) > 1:
        frame = engine.pop()
        if frame.closer not in ("document", "}"):
            project.remark(project.main.name, f"{frame.closer} is not closed", "the end closes it")
    return engine


def _block(draft: Draft, text: str) -> Block:
    return Block(draft.kind, text, level=draft.level, label=draft.label)


def _pages(drafts: list[Draft], blocks: list[Block]) -> list[Page]:
    texts: dict[int, list[str]] = {}
    for draft, block in zip(drafts, blocks, strict=True):
        texts.setdefault(draft.chapter, []).append(block.text)
    return [
        Page(number, "\n\n".join(texts[chapter]))
        for number, chapter in enumerate(sorted(texts), start=1)
    ]


def _remark_on_the_whole(engine: Engine) -> None:
    """Say which references led nowhere and which commands were not known."""
    project = engine.project
    lost = engine.state.labels.unresolved
    places = dict(reversed(lost))  # the first place of each
    for label, count in Counter(label for label, _ in lost).items():
        why = f"printed as ??{_times(count)}"
        project.remark(places[label], f"\\ref{{{label}}} leads nowhere", why)
    for name, (count, where) in sorted(engine.unknown.items()):
        why = f"left out, but not what stands in braces after it{_times(count)}"
        project.remark(where, f"\\{name} is not known", why)
    if project.unsaid:
        project.remarks.append(_more(project.main.name, project.unsaid))


def _times(count: int) -> str:
    return f"; {count} times in all" if count > 1 else ""


def _more(where: str, count: int) -> Remark:
    return Remark(where, f"{count} further remarks", "they are not listed")
