"""How fast are grammars read, beside the libraries underneath called in the plainest way?

    python -m benchmarks.importing --latex FOLDER_OF_PROJECTS --pdf FILE.pdf ... --text-mb 30

Ours is all that an import does with a file: text, blocks, paragraphs, quality. Plain is less than
anybody could use: `get_text_range` of every page of a PDF; pylatexenc's `latex_to_text` of every
.tex file of a project (it is told how many it fails on); a text file split at blank lines. Every
measurement is a process of its own, in turns, so that a busy machine slows all of them and the peak
of memory is its own; the fastest of the rounds is printed. At last the LaTeX projects are imported
in one command, twice. (pylatexenc takes minutes for some books: few projects are compared.)
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

MB = 1e6
SENTENCE = "The verb stands at the end of the clause, and its object comes before it. "


def ours(path: Path) -> int:
    from src.books.paragraphs import paragraphs_of
    from src.books.quality import measure
    from src.books.reading import read_book
    from src.books.settings import ParagraphSettings

    _, book = read_book(path)
    paragraphs = paragraphs_of(book, "g", ParagraphSettings())
    measure(book, paragraphs)
    return len(book.pages)


def plain_pdf(path: Path) -> int:
    import pypdfium2

    pages = 0
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            page.get_textpage().get_text_range()
            pages += 1
    return pages


def plain_latex(path: Path) -> int:
    from pylatexenc.latex2text import LatexNodes2Text

    failed = 0
    for file in sorted(path.parent.rglob("*.tex")):
        text = file.read_text(encoding="utf-8", errors="replace")
        try:
            LatexNodes2Text().latex_to_text(text, tolerant_parsing=True)
        except Exception:
            failed += 1
    if failed:
        print(f"pylatexenc failed on {failed} files of {path.parent.name}", file=sys.stderr)
    return failed


def plain_text(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").split("\n\n"))


MEASURES: dict[str, Callable[[Path], int]] = {
    "ours": ours,
    "plain_pdf": plain_pdf,
    "plain_latex": plain_latex,
    "plain_text": plain_text,
}


def latex_size(main: Path) -> int:
    """Return the bytes of the .tex files of a project."""
    return sum(file.stat().st_size for file in main.parent.rglob("*.tex"))


def measure_here(name: str, files: Sequence[Path]) -> dict[str, float]:
    """Read files in this process; return seconds, pages and the peak of memory in MiB."""
    began = time.perf_counter()
    pages = sum(MEASURES[name](file) for file in files)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "pages": pages, "peak": peak}


def measure_apart(name: str, files: Sequence[Path]) -> dict[str, float]:
    """Read files in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.importing", "--measure", name]
    done = subprocess.run(
        [*command, *map(str, files)], check=True, stdout=subprocess.PIPE, text=True
    )
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def compare(kind: str, files: Sequence[Path], size: float, rounds: int) -> None:
    """Print how ours and the plain way read the same files."""
    found: dict[str, list[dict[str, float]]] = {"ours": [], f"plain_{kind}": []}
    for _ in range(rounds):
        for name, results in found.items():
            results.append(measure_apart(name, files))
    best = {name: min(results, key=lambda one: one["seconds"]) for name, results in found.items()}
    for name, one in best.items():
        pages = f"{one['pages'] / one['seconds']:9.0f}" if kind == "pdf" else f"{'':9}"
        speed = f"{size / MB / one['seconds']:8.2f}"
        print(f"{kind:7}{name:13}{one['seconds']:9.2f}{pages}{speed}{one['peak']:9.0f}")
    ratio = best["ours"]["seconds"] / best[f"plain_{kind}"]["seconds"]
    print(f"{kind}: {ratio:.2f} times the time of the plain way")


def import_all(folder: Path) -> None:
    """Import all projects of a folder in one command, twice; print seconds and peaks."""
    with tempfile.TemporaryDirectory() as data:
        for what in ("first import", "again"):
            command = [sys.executable, "-m", "benchmarks.importing", "--command", str(folder), data]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            said = json.loads(done.stdout.splitlines()[-1])
            print(f"{what}: {said['seconds']:.2f} s, peak {said['own']:.0f} MiB", end="")
            # A process that is begun counts as large as its parent, which has read a pack by then.
            first = what == "first import"
            print(f", of a reading process {said['children']:.0f} MiB" if first else "")


def run_command(folder: Path, data_dir: Path) -> None:
    """Run the import in this process, and print what it took."""
    from src import data

    began = time.perf_counter()
    status = data.main(
        ["import", "grammars", str(folder), "--name", "bench", "--data-dir", str(data_dir)]
    )
    assert status == 0
    peaks = {
        "own": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "children": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    }
    print(json.dumps({"seconds": time.perf_counter() - began, **peaks}))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--latex", type=Path, help="a folder with LaTeX projects")
    parser.add_argument(
        "--projects", type=int, default=1, help="so many of them, the smallest, are compared"
    )
    parser.add_argument("--pdf", type=Path, nargs="*", default=[], help="PDF files")
    parser.add_argument("--text-mb", type=float, default=30, help="size of a made-up text file")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--command", type=Path, nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.measure:
        name, *files = chosen.measure
        print(json.dumps(measure_here(name, [Path(file) for file in files])))
    elif chosen.command:
        run_command(*chosen.command)
    else:
        benchmark(chosen)


def benchmark(chosen: argparse.Namespace) -> None:
    """Measure what was asked for, and print it."""
    print(f"{'':7}{'':13}{'seconds':>9}{'pages/s':>9}{'MB/s':>8}{'peak MiB':>9}")
    if chosen.pdf:
        size = sum(file.stat().st_size for file in chosen.pdf)
        compare("pdf", chosen.pdf, size, chosen.rounds)
    if chosen.latex:
        projects = sorted(chosen.latex.glob("*/main.tex"), key=latex_size)[: chosen.projects]
        compare("latex", projects, sum(map(latex_size, projects)), chosen.rounds)
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "long.txt")
        number = int(chosen.text_mb * MB / (5 * len(SENTENCE)))
        text.write_text("\n\n".join([SENTENCE * 5] * number), encoding="utf-8")
        compare("text", [text], text.stat().st_size, chosen.rounds)
    if chosen.latex:
        import_all(chosen.latex)


if __name__ == "__main__":
    main()
