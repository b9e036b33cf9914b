"""``python -m src.data import``: make a pack of somebody else's files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from src.commands.annotations import feature_ids, unknown_annotations
from src.errors import GrambenchError

if TYPE_CHECKING:
    from src.books.settings import ParagraphSettings

Commands = Any  # what ArgumentParser.add_subparsers returns; its type has no public name

_SECTION = "paragraphs"


def add(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add ``import mtob`` and ``import grammars``."""
    command = commands.add_parser("import", help="make a pack from files")
    importers = command.add_subparsers(metavar="IMPORTER", required=True)
    common = argparse.ArgumentParser(add_help=False, parents=[shared])
    common.add_argument(
        "--replace", action="store_true", help="overwrite a pack of that name, whatever it holds"
    )
    _add_mtob(importers, common)
    _add_grammars(importers, common)


def _add_mtob(importers: Commands, common: argparse.ArgumentParser) -> None:
    mtob = importers.add_parser("mtob", parents=[common], help="a clone of from-MTEB-to-MTOB")
    mtob.add_argument("source", metavar="SRC", type=Path, help="the folder with the files")
    mtob.add_argument("--name", default="mtob", help="the pack's name (default: mtob)")
    mtob.add_argument(
        "--skip-invalid",
        action="store_true",
        help="leave out grammars, and files of scores, candidates, replies or prompts, that have "
        "errors, instead of stopping",
    )
    mtob.set_defaults(run=_import_mtob)


def _add_grammars(importers: Commands, common: argparse.ArgumentParser) -> None:
    grammars = importers.add_parser(
        "grammars", parents=[common], help="whole grammars: PDF, LaTeX, plain text, Markdown"
    )
    grammars.add_argument(
        "given",
        metavar="FILE|FOLDER",
        type=Path,
        nargs="+",
        help="files, LaTeX projects (folders with a main.tex), or folders with some at any depth",
    )
    grammars.add_argument("--name", required=True, help="the pack's name")
    grammars.add_argument(
        "--metadata", metavar="FILE.csv", type=Path, help="a row a file: file, language, ..."
    )
    grammars.add_argument(
        "--gold-pages",
        metavar="FILE.csv",
        type=Path,
        help="grammar, feature, and pages (of the PDF) or printed_pages and offset",
    )
    grammars.add_argument(
        "--values",
        metavar="FILE.csv",
        type=Path,
        help="grammar, feature, and value: as annotated, several with commas between them",
    )
    grammars.add_argument(
        "--set",
        metavar="paragraphs.KEY=VALUE",
        action="append",
        default=[],
        help="how paragraphs are made, instead of as params.yaml says",
    )
    grammars.add_argument(
        "--jobs", metavar="N", type=_number, help="processes that read (default: one a core)"
    )
    grammars.set_defaults(run=_import_grammars)


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("give a whole number above 0")
    return number


def _import_mtob(chosen: argparse.Namespace) -> None:
    from src.corpus.names import check_name
    from src.importers.mtob import import_mtob

    landed = import_mtob(
        chosen.source,
        chosen.data_dir / check_name(chosen.name),
        skip_invalid=chosen.skip_invalid,
        replace=chosen.replace,
    )
    print("\n".join(landed.told()))


def _import_grammars(chosen: argparse.Namespace) -> None:
    from src.corpus.names import check_name
    from src.corpus.pack import load_pack
    from src.importers.grammars import Wanted, import_grammars

    wanted = Wanted(
        given=chosen.given,
        settings=paragraph_settings(chosen.set),
        metadata=_there(chosen.metadata),
        gold_pages=_there(chosen.gold_pages),
        values=_there(chosen.values),
        features=feature_ids(),
    )
    folder = chosen.data_dir / check_name(chosen.name)
    imported = import_grammars(wanted, folder, jobs=chosen.jobs, replace=chosen.replace)
    unknown = unknown_annotations(load_pack(folder)) if wanted.values else []
    print("\n".join([*imported.told(), *unknown]))
    if imported.failed:
        sys.stdout.flush()
        print("\n".join(imported.complaints()), file=sys.stderr)


def _there(path: Path | None) -> Path | None:
    if path is not None and not path.is_file():
        raise GrambenchError(f"There is no file {path}.")
    return path


def paragraph_settings(overrides: Sequence[str]) -> ParagraphSettings:
    """Return the settings that params.yaml has, changed by ``paragraphs.KEY=VALUE``."""
    import yaml
    from omegaconf import OmegaConf

    from src.books.settings import settings_from
    from src.launch.resolvers import param

    values: dict[str, object] = dict(OmegaConf.to_container(param(_SECTION)))  # type: ignore[arg-type]
    for override in overrides:
        key, equals, value = override.partition("=")
        section, dot, name = key.strip().partition(".")
        if not equals or not dot or section != _SECTION:
            raise GrambenchError(
                f"--set takes {_SECTION}.KEY=VALUE, such as {_SECTION}.method=paper; "
                f"it was given '{override}'."
            )
        try:
            values[name] = yaml.safe_load(value)
        except yaml.YAMLError as error:
            raise GrambenchError(f"--set {override}: the value cannot be read.") from error
    return settings_from(values)
