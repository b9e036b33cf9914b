"""From a sweep's grids and the command line to its cells: one list of overrides a run."""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Glob, Override, Quote, QuotedString

from src.errors import GrambenchError

Cell = dict[str, str]  # override key -> value, both as Hydra writes them on the command line

Known = Mapping[str, Callable[[], list[str]]]

NAME_LENGTH = 200


def expand(
    arguments: Sequence[str],
    grids: Sequence[Mapping[str, Any]],
    parser: OverridesParser,
    known: Known | None = None,
) -> list[Cell]:
    """Return the cells of all grids, each combined with every choice of the command line.

    A key that the command line sets narrows the grids that vary it to those values; a grid without
    any of them is left out. Equal cells occur once, in the order of their first occurrence.
    ``known`` tells what ``key=glob(...)`` may match where the key is no config group.

    Raises:
        GrambenchError: a key sweeps over nothing, or in a way that is not a list of choices.
    """
    given = _choices(arguments, parser, known or {})
    cells: list[Cell] = []
    for grid in grids or [{}]:
        written = [f"{key}={_written(value)}" for key, value in grid.items()]
        axes = _narrowed(_choices(written, parser, known or {}), given)
        cells.extend(dict(zip(axes, row, strict=True)) for row in itertools.product(*axes.values()))
    if not cells:
        said = " ".join(f"{key}={','.join(values)}" for key, values in given.items())
        raise GrambenchError(f"No run of the experiment has {said}. Leave out what is not in it.")
    return [dict(cell) for cell in dict.fromkeys(tuple(cell.items()) for cell in cells)]


def as_overrides(cell: Cell) -> list[str]:
    """Write a cell as Hydra's overrides."""
    return [f"{key}={value}" if value else key for key, value in cell.items()]


def names(cells: Sequence[Cell]) -> list[str]:
    """Name each cell by what distinguishes it from the others; a long name ends in a hash.

    Where each has a ``setting``, a name that somebody gave to some of its choices, these are not
    repeated.
    """
    keys = dict.fromkeys(key for cell in cells for key in cell)
    varying = [
        key
        for key in keys
        if len({cell.get(key) for cell in cells}) > 1 and not _follows_from_setting(key, cells)
    ]
    exact = [[f"{key}={cell[key]}" for key in varying if key in cell] for cell in cells]
    plain = [[f"{k}={_plain(cell[k])}" for k in varying if k in cell] for cell in cells]
    alike = Counter(map(tuple, plain))
    chosen = [p if alike[tuple(p)] == 1 else e for p, e in zip(plain, exact, strict=True)]
    return [shorten(" ".join(parts) or "run") for parts in chosen]


def _follows_from_setting(key: str, cells: Sequence[Cell]) -> bool:
    if key == "setting" or not all("setting" in cell for cell in cells):
        return False
    pairs = {(cell["setting"], cell.get(key)) for cell in cells}
    return len(pairs) == len({setting for setting, _ in pairs})


def quoted(text: str) -> str:
    """Write a text as a value that Hydra's override grammar reads back unchanged."""
    return QuotedString(text=text, quote=Quote.single).with_quotes()


def _narrowed(grid: dict[str, list[str]], given: dict[str, list[str]]) -> dict[str, list[str]]:
    # the command line's keys go first so that names and folders are alike in all grids
    axes = {**given, **grid}
    for key in given.keys() & grid.keys():
        wanted = {_plain(value) for value in given[key]}
        axes[key] = [value for value in grid[key] if _plain(value) in wanted]
    return axes


def _plain(value: str) -> str:
    """Return a value without the quotes that Hydra's grammar may need."""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1].replace(f"\\{value[0]}", value[0])
    return value


def _choices(
    arguments: Sequence[str], parser: OverridesParser, known: Known
) -> dict[str, list[str]]:
    overrides = parser.parse_overrides(list(arguments))
    return {override.get_key_element(): _values(override, known) for override in overrides}


def _values(override: Override, known: Known) -> list[str]:
    if override.is_delete() and override.value() is None:
        return [""]
    if not override.is_sweep_override():
        return [override.get_value_element_as_str()]
    if not override.is_discrete_sweep():
        raise GrambenchError(f"'{override.input_line}': sweep over a list of choices, a,b,c.")
    value = override.value()
    if isinstance(value, Glob) and override.key_or_group in known:
        values = [quoted(name) for name in value.filter(known[override.key_or_group]())]
    else:
        values = list(override.sweep_string_iterator())
    if not values:
        raise GrambenchError(
            f"'{override.input_line}' matches nothing. glob() works on config groups"
            " (reranker=glob(*)); list the values of any other key with commas."
        )
    return values


def _written(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(_scalar(item) for item in value)
    return _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    return quoted(value) if isinstance(value, str) else str(value)


def shorten(name: str) -> str:
    """Cut a name to what MLflow and a table can bear; a cut one ends in a hash."""
    if len(name) <= NAME_LENGTH:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{name[: NAME_LENGTH - 10]}… {digest}"
