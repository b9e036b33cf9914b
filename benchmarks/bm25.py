"""How fast are the BM25 retrievers beside bare bm25s and rank-bm25?

    python -m benchmarks.bm25 --paragraphs FOLDER_OF_CSV --n 5000 50000

All engines count the same terms (words), index the same paragraphs and answer the same queries of
200 to 400 terms, in turns, so that a busy machine slows all of them. Prints one table a size.
"""

from __future__ import annotations

import argparse
import csv
import multiprocessing
import random
import resource
import statistics
import sys
import time
import unicodedata
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from src.records import Paragraph, Search
from src.retrieval.bm25 import BM25Retriever
from src.retrieval.bm25_fast import BM25sRetriever
from src.retrieval.terms import words

K = 50
Ask = Callable[[str], object]
Engine = Callable[[Sequence[Paragraph]], Ask]


def read_texts(folder: Path) -> list[str]:
    """Return the distinct texts in the column ``Paragraph`` of every CSV under a folder."""
    csv.field_size_limit(sys.maxsize)
    texts: dict[str, None] = {}
    for file in sorted(folder.rglob("*.csv")):
        with file.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                texts[unicodedata.normalize("NFC", row["Paragraph"])] = None
    return list(texts)


def make_queries(texts: Sequence[str], number: int, seed: int) -> list[str]:
    """Cut queries of 200 to 400 terms from random places of the texts."""
    chance = random.Random(seed)
    terms = [term for text in chance.sample(list(texts), 500) for term in words(text)[:1000]]
    starts = [chance.randrange(len(terms) - 400) for _ in range(number)]
    return [" ".join(terms[start : start + chance.randint(200, 400)]) for start in starts]


def ours(retriever: BM25sRetriever | BM25Retriever) -> Engine:
    """Return a retriever of ours; the first query indexes."""

    def index(paragraphs: Sequence[Paragraph]) -> Ask:
        def ask(query: str) -> object:
            return retriever.rank(Search("wals_81a", query, "summary"), paragraphs)

        ask("")
        return ask

    return index


def bare_bm25s(paragraphs: Sequence[Paragraph]) -> Ask:
    import bm25s

    engine = bm25s.BM25(method="atire", k1=1.5, b=0.75)
    engine.index([words(paragraph.text) for paragraph in paragraphs], show_progress=False)
    return lambda query: engine.retrieve([words(query)], k=K, show_progress=False)


def bare_rank_bm25(paragraphs: Sequence[Paragraph]) -> Ask:
    from rank_bm25 import BM25Okapi

    engine = BM25Okapi([words(paragraph.text) for paragraph in paragraphs])
    return lambda query: engine.get_top_n(words(query), paragraphs, n=K)


ENGINES: dict[str, Engine] = {
    "bm25s (ours)": ours(BM25sRetriever(k=K)),
    "bare bm25s": bare_bm25s,
    "bm25 (ours)": ours(BM25Retriever(k=K)),
    "bare rank-bm25": bare_rank_bm25,
}


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def index_costs(engine: Engine, paragraphs: Sequence[Paragraph]) -> tuple[float, float]:
    """Index in a child process; return its seconds, and the MiB that it adds at its peak."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def work() -> None:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        seconds = timed(lambda: engine(paragraphs))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        sender.send((seconds, (peak - before) / 1024))

    child = context.Process(target=work)
    child.start()
    seconds, mebibytes = receiver.recv()
    child.join()
    return seconds, mebibytes


def query_costs(asks: dict[str, Ask], queries: Sequence[str], few: int) -> dict[str, float]:
    """Return each engine's median milliseconds a query; the slow engines get the first few."""
    found: dict[str, list[float]] = {name: [] for name in asks}
    for number, query in enumerate(queries):
        for name, ask in asks.items():
            if number < few or "bm25s" in name:
                found[name].append(1000 * timed(partial(ask, query)))
    return {name: statistics.median(times) for name, times in found.items()}


def report(texts: Sequence[str], n: int, queries: Sequence[str], few: int) -> None:
    """Measure all engines over n paragraphs and print the table."""
    paragraphs = [Paragraph(f"g/{i}", "g", texts[i % len(texts)]) for i in range(n)]
    note = f", {len(texts)} distinct texts repeated" if n > len(texts) else ""
    print(f"\n{n} paragraphs{note}; {len(queries)} queries, {few} for rank-bm25; medians")
    print(f"{'engine':16}{'index s':>10}{'peak MiB':>10}{'query ms':>10}{'x bare bm25s':>14}")
    costs = {name: index_costs(engine, paragraphs) for name, engine in ENGINES.items()}
    asks = {name: engine(paragraphs) for name, engine in ENGINES.items()}
    times = query_costs(asks, queries, few)
    for name, (seconds, peak) in costs.items():
        ratio = times[name] / times["bare bm25s"]
        print(f"{name:16}{seconds:10.2f}{peak:10.0f}{times[name]:10.2f}{ratio:14.2f}")


def main() -> None:
    """Read the arguments and print one table a size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--paragraphs", type=Path, required=True, help="folder of CSV files")
    parser.add_argument("--n", type=int, nargs="+", default=[5000, 50000], help="sizes")
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--few", type=int, default=3, help="queries for rank-bm25")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    texts = read_texts(arguments.paragraphs)
    queries = make_queries(texts, arguments.queries, arguments.seed)
    for n in arguments.n:
        report(texts, n, queries, arguments.few)


if __name__ == "__main__":
    main()
