"""Whether a pack's gold values are known to the features in conf/feature/.

Packs know nothing of features, so that this is a warning, told where a pack is shown or made.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from src.errors import GrambenchError

if TYPE_CHECKING:
    from src.corpus.pack import Pack


def feature_ids(folder: Path | None = None) -> list[str]:
    """Return the ids of the features that there are files of, by default in conf/feature/."""
    return [str(config["id"]) for config in _configs(folder)]


def unknown_annotations(pack: Pack, folder: Path | None = None) -> list[str]:
    """Return a warning for each annotation that its feature does not know.

    Features without a file, and files that hold none, are passed over.
    """
    from src.prompting.features import feature_of, gold_of

    configs = {str(config["id"]): config for config in _configs(folder)}
    lines = []
    for name in pack.annotations:
        try:
            feature = feature_of(configs[name])
        except (KeyError, GrambenchError):
            continue
        grammars: dict[str, list[str]] = {}
        for grammar, annotation in pack.values(name).items():
            grammars.setdefault(annotation, []).append(grammar)
        for annotation, of in grammars.items():
            try:
                gold_of(feature, annotation)
            except GrambenchError as error:
                lines.append(f"warning: values: {name} of {_named(of)}: {error}")
    return lines


def _configs(folder: Path | None) -> Iterable[dict[str, Any]]:
    """Return what the files hold, those that are no YAML or have no id aside."""
    import yaml

    from src.launch.choices import CONF

    for path in sorted((folder or CONF / "feature").glob("*.yaml")):
        try:
            config = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError):
            continue
        if isinstance(config, dict) and config.get("id") is not None:
            yield config


def _named(grammars: list[str]) -> str:
    more = len(grammars) - 1
    return grammars[0] + (f" and {more} more" if more else "")
