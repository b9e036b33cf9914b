"""Seconds a recorded rerank run takes inside a sweep, against an empty Hydra job; cold starts.

``python -m benchmarks.sweep [--pack data/mtob]`` (the pack: ``python -m src.data import mtob``).
Time a run is the slope between a short and a long sweep, so that the start does not count.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SHORT, LONG = 3, 29


def seconds(command: list[str], **environment: str) -> float:
    start = time.perf_counter()
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return time.perf_counter() - start


def ours(pack: Path, folder: Path, runs: int) -> float:
    """Sweep ``runs`` recorded cells of the pack, told apart by their seed."""
    return seconds(
        [
            *(sys.executable, "-m", "src.run", "-m", "reranker=recorded", "query=term"),
            *(f"data.name={pack.name}", f"paths.data={pack.parent}", f"seed=range({runs})"),
            *(f"paths.mlruns={folder}/mlruns", f"paths.outputs={folder}/outputs"),
        ]
    )


def empty(folder: Path, runs: int) -> float:
    (folder / "artifact").mkdir(parents=True, exist_ok=True)
    (folder / "artifact" / "note.txt").write_text("an artifact")
    return seconds(
        [
            *(sys.executable, "-m", "benchmarks.empty_app", "-m", f"+n=range({runs})"),
            f"hydra.sweep.dir={folder}/outputs",
        ],
        EMPTY_APP_FOLDER=str(folder),
    )


def slope(measure, repeats: int) -> tuple[float, float]:
    """Return the median seconds a run, and the median start."""
    slopes, starts = [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as place:
            measure(Path(place) / "warm", 1)  # makes the database
            short = measure(Path(place) / "warm", SHORT + 1)
        with tempfile.TemporaryDirectory() as place:
            measure(Path(place) / "warm", 1)
            long = measure(Path(place) / "warm", LONG + 1)
        slopes.append((long - short) / (LONG - SHORT))
        starts.append(short - SHORT * slopes[-1])
    return statistics.median(slopes), statistics.median(starts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pack", type=Path, default=Path("data/mtob"))
    parser.add_argument("--repeats", type=int, default=3)
    chosen = parser.parse_args()
    run, start = slope(lambda f, n: ours(chosen.pack, f, n), chosen.repeats)
    bare, bare_start = slope(empty, chosen.repeats)
    print(f"a recorded run in a sweep   {run:.3f} s  ({run / bare:.2f} x an empty job)")
    print(f"an empty Hydra job + MLflow {bare:.3f} s")
    print(f"start of a sweep            {start:.2f} s (empty: {bare_start:.2f} s)")
    for label, command in {
        "python -m src.run --help": ["src.run", "--help"],
        "python -m src.run --cfg job": ["src.run", "--cfg", "job"],
        "python -m src.data --help": ["src.data", "--help"],
        "import mlflow": ["benchmarks.imports", "mlflow"],
        "import sentence_transformers": ["benchmarks.imports", "sentence_transformers"],
        "import onnxruntime": ["benchmarks.imports", "onnxruntime"],
    }.items():
        taken = [seconds([sys.executable, "-m", *command]) for _ in range(chosen.repeats + 1)]
        print(f"{label:<28} {statistics.median(taken[1:]):.2f} s")
    with tempfile.TemporaryDirectory() as place:
        demo = [
            *(sys.executable, "-m", "src.run", f"paths.mlruns={place}/mlruns"),
            *(f"paths.outputs={place}/outputs", f"paths.vectors={place}/vectors"),
            "force=true",
        ]
        print(f"first run of the demo        {seconds(demo):.2f} s (nothing made ready)")
        again = statistics.median(seconds(demo) for _ in range(chosen.repeats))
        print(f"another run of the demo      {again:.2f} s (vectors and database are there)")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory of any of these  {peak:.0f} MiB")


if __name__ == "__main__":
    main()
