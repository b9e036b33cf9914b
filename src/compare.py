"""Does one run classify better than another? ``python -m src.compare RUN RUN``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from src.commands.ending import run_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare two runs; return 0, or 1 after an error, or 130 after Ctrl-C."""
    chosen = _parser().parse_args(arguments)
    return run_command(lambda: _compare(chosen))


def _compare(chosen: argparse.Namespace) -> None:
    from src.launch.two_runs import compare_runs

    print(
        compare_runs(
            chosen.uri,
            chosen.first,
            chosen.second,
            labels=chosen.labels,
            resamples=chosen.resamples,
        )
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m src.compare",
        description="Compare two finished runs of task=classify over the same grammars:"
        " McNemar's exact test and permutation tests of accuracy and macro F1.",
    )
    for name in ("first", "second"):
        parser.add_argument(
            name,
            metavar="RUN",
            help="a run's id or its beginning, its name as a table shows it, or what was chosen for"
            " it ('llm=uniform feature=wals_81a'): the newest such run",
        )
    parser.add_argument(
        "--uri", default="sqlite:///mlruns/mlflow.db", help="where MLflow is (default: %(default)s)"
    )
    parser.add_argument(
        "--labels",
        choices=["gold", "gold_and_predicted", "all"],
        default="gold_and_predicted",
        help="the classes that macro F1 is the mean over (default: %(default)s)",
    )
    parser.add_argument("--resamples", type=int, default=10_000, help="default: %(default)s")
    return parser


if __name__ == "__main__":
    sys.exit(main())
