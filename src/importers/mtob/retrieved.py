"""What BM25 retrieved: Grammars Paragraphs/<feature>/Wikipedia 50/<grammar>.csv, best first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from src.importers.foreign import Source
from src.importers.mtob.benchmark import Benchmark, pages_of, stem, text_of
from src.importers.mtob.features import feature_id, rank
from src.importers.report import Report
from src.records import Paragraph

FOLDER = "Grammars Paragraphs"
_QUERY = "Wikipedia 50"


@dataclass(frozen=True)
class Retrieved:
    """Paragraphs that are not in the benchmark, and all candidates by feature and grammar.

    ``files`` names, for each grammar, a file that its paragraphs come from.
    """

    paragraphs: list[Paragraph] = field(default_factory=list)
    candidates: dict[str, dict[str, list[str]]] = field(default_factory=lambda: defaultdict(dict))
    files: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Shelf:
    """The paragraphs of one grammar, by what makes two of them the same."""

    grammar: str
    ids: dict[tuple[str, tuple[int, ...]], list[str]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def add(self, text: str, pages: tuple[int, ...]) -> Paragraph:
        """Number a paragraph and keep it."""
        number = sum(map(len, self.ids.values())) + 1
        paragraph = Paragraph(f"{self.grammar}/{number:03d}", self.grammar, text, pages)
        self.ids[text, pages].append(paragraph.id)
        return paragraph


def read_retrieved(
    source: Source, benchmark: Benchmark, names: Mapping[str, str], report: Report
) -> Retrieved:
    """Read all features' candidates; a file with a fault is left out.

    Equal text on equal pages is one paragraph of a grammar, whatever it was retrieved for;
    within one file it is as many as there are rows. ``names`` gives the grammars' ids by their
    names in small letters.
    """
    found = Retrieved()
    left_out = {grammar.casefold() for grammar in benchmark.left_out}
    shelves = {key: _shelf(name, benchmark) for key, name in names.items()}
    files = [f for f in source.files(f"{FOLDER}/*/{_QUERY}/*") if f.endswith(".csv")]
    for file in sorted(files, key=lambda file: (rank(_feature(file)), file)):
        key = stem(file).casefold()
        shelf = shelves.setdefault(key, _Shelf(stem(file)))
        candidates = found.candidates[_feature(file)]
        if shelf.grammar in candidates:
            report.error(file, "the same grammar twice", "the names differ in case only")
        rows = _rows(source, file, report)
        if key in left_out or report.is_bad(file):
            why = "its grammar is left out" if key in left_out else "the file has errors"
            report.skipped(file, "candidates left out", why)
        elif rows:
            candidates[shelf.grammar] = _placed(rows, shelf, found.paragraphs)
            found.files.setdefault(shelf.grammar, file)
    _report_missing(source, files, report)
    return found


def _report_missing(source: Source, files: Sequence[str], report: Report) -> None:
    if not files:
        report.warning(f"{FOLDER}/", "no candidates for retrieval", "no such files in the clone")
        return
    there = {PurePosixPath(file).parts[1] for file in files}
    for folder in sorted(path for path in (source.folder / FOLDER).iterdir() if path.is_dir()):
        if folder.name not in there and not folder.name.startswith("."):
            why = f"no CSV files in {folder.name}/{_QUERY}"
            report.warning(f"{FOLDER}/{folder.name}/", "no candidates for retrieval", why)


def _feature(file: str) -> str:
    return feature_id(PurePosixPath(file).parts[1])


def _shelf(grammar: str, benchmark: Benchmark) -> _Shelf:
    shelf = _Shelf(grammar)
    for candidate in benchmark.grammars.get(grammar, ()):
        shelf.ids[candidate.text, candidate.pages].append(candidate.id)
    return shelf


def _rows(source: Source, file: str, report: Report) -> list[tuple[str, tuple[int, ...]]]:
    sheet = source.sheet(file, ["Paragraph"])
    if sheet is None:
        return []
    if not sheet.rows:
        report.warning(file, "no paragraphs")
    texts = [
        text_of(file, row, raw, report)
        for (row, _), raw in zip(sheet.rows, sheet.column("Paragraph"), strict=True)
    ]
    return list(zip(texts, pages_of(sheet, report), strict=True))


def _placed(
    rows: Sequence[tuple[str, tuple[int, ...]]], shelf: _Shelf, paragraphs: list[Paragraph]
) -> list[str]:
    """Return the rows' ids: the k-th row of a kind is the k-th paragraph of that kind."""
    seen: Counter[tuple[str, tuple[int, ...]]] = Counter()
    found = []
    for row in rows:
        if seen[row] == len(shelf.ids[row]):
            paragraphs.append(shelf.add(*row))
        found.append(shelf.ids[row][seen[row]])
        seen[row] += 1
    return found
