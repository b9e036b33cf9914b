"""How fast are paragraphs made, beside splitting a book on blank lines and nothing else?

    python -m benchmarks.paragraphs --megabytes 3 30

The book is made up: headings, texts (one in ten over the bound), examples, lists, footnotes and
tables as blocks, and the same as pages of lines with blank lines between the blocks. All ways make
records of paragraphs with ids and pages. Each runs in a process of its own, in turns, so that a
busy machine slows all of them and the peak of memory is its own; the fastest round is printed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import re
import resource
import textwrap
import time
from collections.abc import Callable, Sequence

from src.books.book import Block, Book, Kind, Page
from src.books.paragraphs import paragraphs_of
from src.books.settings import ParagraphSettings
from src.records import Paragraph

Way = Callable[[Book], Sequence[Paragraph]]
PAGE = 3000  # characters
LINE = 80
KINDS: tuple[Kind, ...] = ("text", "example", "item", "footnote", "table")
WEIGHTS = (10, 6, 3, 1, 1)


def sentence(chance: random.Random, words: Sequence[str]) -> str:
    drawn = " ".join(chance.choices(words, k=chance.randint(5, 25)))
    return drawn.capitalize() + chance.choice((".", ".", ".", " (cf. Fig. 3).", "?"))


def make_block(chance: random.Random, words: Sequence[str], kind: Kind, page: int) -> Block:
    if kind == "example":
        lines = [" ".join(chance.choices(words, k=8)) for _ in range(3)]
        return Block(kind, "\n".join(lines), (page,))
    if kind == "table":
        rows = ["\t".join(chance.choices(words, k=4)) for _ in range(chance.randint(2, 30))]
        return Block(kind, "\n".join(rows), (page,))
    number = 1
    if kind == "text":
        number = chance.randint(2, 6) if chance.random() > 0.1 else 20
    return Block(kind, " ".join(sentence(chance, words) for _ in range(number)), (page,))


def make_book(megabytes: float, seed: int) -> Book:
    """Make up a book of so many million characters."""
    chance = random.Random(seed)
    words = ["".join(chance.choices("aeioukmnrstŋ", k=chance.randint(2, 9))) for _ in range(20_000)]
    blocks: list[Block] = []
    length = 0
    while length < megabytes * 1e6:
        page = length // PAGE + 1
        if len(blocks) % 15 == 0:
            level = chance.randint(1, 4)
            blocks.append(Block("heading", f"{len(blocks)} {words[level]}", (page,), level))
        blocks.append(make_block(chance, words, chance.choices(KINDS, WEIGHTS)[0], page))
        length += len(blocks[-1].text)
    return Book(blocks, pages_of(blocks))


def pages_of(blocks: Sequence[Block]) -> list[Page]:
    texts: dict[int, list[str]] = {}
    for block in blocks:
        lines = block.text if "\n" in block.text else "\n".join(textwrap.wrap(block.text, LINE))
        texts.setdefault(block.pages[0], []).append(lines + "\n")
    return [Page(number, "\n".join(parts)) for number, parts in texts.items()]


def on_blank_lines(book: Book) -> list[Paragraph]:
    """Split pages on blank lines: the alternative that joins and bounds nothing."""
    pieces = (
        (piece.strip(), page.number)
        for page in book.pages
        for piece in re.split(r"\n\s*\n", page.text)
        if piece.strip()
    )
    return [Paragraph(f"g/{n:04}", "g", text, (page,)) for n, (text, page) in enumerate(pieces, 1)]


WAYS: dict[str, Way] = {
    "blocks": lambda book: paragraphs_of(book, "g", ParagraphSettings()),
    "paper": lambda book: paragraphs_of(book, "g", ParagraphSettings("paper")),
    "blank lines": on_blank_lines,
}


def costs(way: Way, book: Book) -> tuple[float, float, int]:
    """Run in a child process; return its seconds, the MiB it adds at its peak, and the number."""
    receiver, sender = multiprocessing.get_context("fork").Pipe(duplex=False)

    def work() -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.perf_counter()
        made = way(book)
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        sender.send((seconds, (peak - before) / 1024, len(made)))

    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    found: tuple[float, float, int] = receiver.recv()
    child.join()
    return found


def report(megabytes: float, rounds: int, seed: int) -> None:
    """Measure all ways on one book and print the table."""
    book = make_book(megabytes, seed)
    size = sum(len(block.text.encode()) for block in book.blocks) / 1e6
    print(f"\n{size:.1f} MB, {len(book.blocks)} blocks, {len(book.pages)} pages; best of {rounds}")
    print(f"{'way':14}{'seconds':>10}{'MB/s':>8}{'x':>8}{'peak MiB':>10}{'paragraphs':>12}")
    best: dict[str, tuple[float, float, int]] = {}
    for _ in range(rounds):
        for name, way in WAYS.items():
            best[name] = min(costs(way, book), best.get(name, (float("inf"), 0.0, 0)))
    for name, (seconds, peak, number) in best.items():
        times = seconds / best["blank lines"][0]
        print(f"{name:14}{seconds:10.3f}{size / seconds:8.0f}{times:8.1f}{peak:10.0f}{number:12}")


def main() -> None:
    """Read the arguments and print one table a size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, nargs="+", default=[3, 30], help="sizes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for megabytes in arguments.megabytes:
        report(megabytes, arguments.rounds, arguments.seed)


if __name__ == "__main__":
    main()
