"""Two finished runs of ``task=classify`` beside each other, as a person reads it."""

from __future__ import annotations

from typing import Any

from src.errors import GrambenchError
from src.launch.console import figure
from src.launch.markdown import markdown
from src.tracking.lookup import FoundRun, Lookup

TASK = "classify"
_HEAD = ("", "first", "second", "difference", "p")


def compare_runs(uri: str, first: str, second: str, *, labels: str, resamples: int) -> str:
    """Look two runs up, compare them grammar by grammar, and lay the outcome out.

    Raises:
        GrambenchError: there is no such run, or the two cannot be compared.
    """
    from src.tasks.comparing import compare

    lookup = Lookup(uri)
    runs = [lookup.run(wanted, TASK) for wanted in (first, second)]
    if other := [run for run in runs if run.task != TASK]:
        raise GrambenchError(
            f"Run {other[0].id[:8]} is of task={other[0].task}; compared are runs of task={TASK}."
        )
    tables = [lookup.table(run, "grammars") for run in runs]
    found = compare(*tables, labels=labels, resamples=resamples)  # type: ignore[arg-type]
    return _told(runs, found)


def _told(runs: list[FoundRun], found: dict[str, Any]) -> str:
    lines = [
        f"{place}: {run.name} ({run.id[:8]})"
        for place, run in zip(("first ", "second"), runs, strict=True)
    ]
    lines.append(f"\n{found['grammars']} grammars that both have classified")
    for place in ("a", "b"):
        if only := found[f"only_{place}"]:
            which = "first" if place == "a" else "second"
            lines.append(f"left out: {len(only)} that only the {which} run has")
    rows = [row for part, of in found["parts"].items() for row in _rows(part, of)]
    lines += ["", markdown(_HEAD, rows), ""]
    for part, of in found["parts"].items():
        name = f"{part}: " if part else ""
        lines.append(
            f"{name}right in both {of['both']}, only in the first {of['only_a']}, only in the"
            f" second {of['only_b']}, in neither {of['neither']}"
            f" (McNemar's exact test: p {figure(float(of['mcnemar_p']))})"
        )
    return "\n".join(lines)


def _rows(part: str, of: dict[str, Any]) -> list[tuple[str, ...]]:
    prefix = f"{part}/" if part else ""
    measures = (("accuracy", "difference", "p"), ("f1_macro", "f1_macro_difference", "f1_macro_p"))
    return [
        (
            f"{prefix}{name}",
            *(figure(float(of[key])) for key in (f"{name}_a", f"{name}_b", difference, p)),
        )
        for name, difference, p in measures
        if f"{name}_a" in of
    ]
