"""Finding a model: in an installed package, in a folder, or on the Hugging Face Hub."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from src.errors import GrambenchError
from src.models.fingerprints import fingerprint
from src.models.packages import PACKAGE, in_package

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")

# A folder with one of these is a model's.
_MARKS = ("config.json", "modules.json")


@dataclass(frozen=True)
class FoundModel:
    """A model that can be loaded.

    ``source`` is a folder or a hub id, ``revision`` the hub's commit; ``identity`` tells models
    apart and is the same on every machine.
    """

    source: str
    revision: str | None
    identity: str

    @property
    def folder(self) -> Path | None:
        """The model's folder, or None for a model on the hub."""
        return Path(self.source) if self.revision is None else None


def find_model(model: str, revision: str) -> FoundModel:
    """Find a model by ``package:name/subfolder``, folder or hub id, without asking the network.

    ``revision`` is the hub's commit or the package's version; for a folder it is not used.

    Raises:
        GrambenchError: the package or the folder is not there.
    """
    folder = find_folder(model, revision, _MARKS)
    if folder is None:
        return on_hub(model, revision)
    return FoundModel(str(folder), None, fingerprint(folder))


def find_folder(model: str, revision: str, marks: Collection[str]) -> Path | None:
    """Find the folder of ``package:name/subfolder`` or of a path; None for what is a hub id.

    Raises:
        GrambenchError: there is no such package, or no folder with one of the files ``marks``.
    """
    is_packaged = model.startswith(PACKAGE)
    folder = in_package(model, revision) if is_packaged else Path(model).expanduser()
    if any((folder / mark).is_file() for mark in marks):
        return folder
    named = " or ".join(marks)
    if is_packaged:
        project, _, inner = model.removeprefix(PACKAGE).partition("/")
        raise GrambenchError(
            f"The package {project.replace('_', '-')} holds no model in its folder '{inner}': no"
            f" {named}."
        )
    if _HUB_ID.fullmatch(model) and not model.startswith(".") and not folder.is_dir():
        return None
    raise GrambenchError(
        f"There is no model at '{model}': no such folder with a {named}. Give a folder, a hub id"
        " such as intfloat/multilingual-e5-large-instruct, or package:NAME/FOLDER."
    )


def on_hub(model: str, revision: str) -> FoundModel:
    """Return what stands for a model of the hub, which is not looked up."""
    revision = revision or "main"
    return FoundModel(model, revision, f"{model}@{revision}")


def find_file(model: str, revision: str) -> Path:
    """Find a model that is one file, by ``package:NAME/FILE`` or by its path.

    ``revision`` is the package's version, ``""`` for any; for a path it is not used.

    Raises:
        GrambenchError: the package is not installed, in another version, or there is no such file.
    """
    is_packaged = model.startswith(PACKAGE)
    path = in_package(model, revision) if is_packaged else Path(model).expanduser()
    if path.is_file():
        return path
    raise GrambenchError(
        f"There is no file for the model '{model}'. Give the path of a file, or package:NAME/FILE."
    )
