"""Finding a model: in an installed package, in a folder, or on the Hugging Face Hub."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from src.errors import GrambenchError

_PACKAGE = "package:"
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
_SECONDS = 10.0

# What makes a model what it is; a folder may hold much else (readmes, other formats).
_SMALL = {".json", ".jinja", ".model", ".py", ".txt"}
_WEIGHTS = {".bin", ".safetensors"}
_BLOCK, _BLOCKS = 65_536, 64


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
    Raises GrambenchError where the package or the folder is not there.
    """
    if model.startswith(_PACKAGE):
        folder = _package_folder(model, revision)
        return FoundModel(str(folder), None, fingerprint(folder))
    folder = Path(model).expanduser()
    if (folder / "config.json").is_file() or (folder / "modules.json").is_file():
        return FoundModel(str(folder), None, fingerprint(folder))
    if _HUB_ID.fullmatch(model) and not model.startswith("."):
        return FoundModel(model, revision, f"{model}@{revision}")
    raise GrambenchError(
        f"There is no model at '{model}': no such folder with a config.json. Give a folder, a hub "
        "id such as intfloat/multilingual-e5-large-instruct, or package:NAME/FOLDER."
    )


def fingerprint(folder: Path) -> str:
    """Return a digest of a model's files: small ones whole, of weights 64 blocks spread evenly.

    Names of parent folders and times of change do not count, so that a cache travels with a copy.
    What was read is read again only where a file's size or time of change is another.
    """
    files = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in _SMALL | _WEIGHTS or not path.is_file():
            continue
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            continue
        status = path.stat()
        files.append((path.relative_to(folder).as_posix(), status.st_size, status.st_mtime_ns))
    return _digest(folder.absolute(), tuple(files))


@lru_cache(maxsize=64)
def _digest(folder: Path, files: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, size, _ in files:
        digest.update(f"{name}\0{size}\0".encode())
        path = folder / name
        with path.open("rb") as file:
            step = max(size // _BLOCKS, _BLOCK) if path.suffix in _WEIGHTS else _BLOCK
            for start in range(0, size, step):
                file.seek(start)
                digest.update(file.read(_BLOCK))
    return digest.hexdigest()


def require_on_hub(found: FoundModel) -> None:
    """Check that a model of the hub is on this machine or can be fetched.

    One question with a short wait: the libraries that load models ask, retry and wait for minutes.
    Raises GrambenchError that says what to do.
    """
    if found.revision is None:
        return
    from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url, try_to_load_from_cache

    if isinstance(
        try_to_load_from_cache(found.source, "config.json", revision=found.revision), str
    ):
        return
    where = f"model {found.source}, revision {found.revision}"
    if constants.HF_HUB_OFFLINE:
        raise GrambenchError(
            f"The {where}, is not on this machine, and HF_HUB_OFFLINE=1 forbids fetching it. Unset "
            f"that, or fetch it where there is a network: {_fetch(found)}."
        )
    url = hf_hub_url(found.source, "config.json", revision=found.revision)
    try:
        get_hf_file_metadata(url, timeout=_SECONDS)
    except Exception as error:
        raise GrambenchError(_refusal(found, where, error)) from error


def _refusal(found: FoundModel, where: str, error: Exception) -> str:
    from huggingface_hub import errors

    if isinstance(error, errors.GatedRepoError):
        return (
            f"The {where}, is only for those who accept its terms: do so on "
            f"https://huggingface.co/{found.source}, then log in with `hf auth login`."
        )
    if isinstance(error, errors.RevisionNotFoundError | errors.EntryNotFoundError):
        return f"The {where}, is not on the hub under that revision. Check `revision` in its card."
    if isinstance(error, errors.RepositoryNotFoundError):
        return f"The {where}, is not on the hub, or not for you. Check `model` in its card."
    return (
        f"The {where}, is not on this machine, and the Hugging Face Hub cannot be reached "
        f"({type(error).__name__}). Try again with a network, or fetch it elsewhere into the same "
        f"cache: {_fetch(found)}."
    )


def _fetch(found: FoundModel) -> str:
    return f"hf download {found.source} --revision {found.revision}"


def _package_folder(model: str, version: str) -> Path:
    name, _, inner = model.removeprefix(_PACKAGE).partition("/")
    project = name.replace("_", "-")
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise GrambenchError(
            f"The model {model} needs the package {project}, which is not installed: "
            f"pip install {project}=={version}"
        )
    folder = Path(next(iter(spec.submodule_search_locations))) / inner
    if not (folder / "config.json").is_file():
        raise GrambenchError(f"The package {project} holds no model in its folder '{inner}'.")
    _check_version(project, version)
    return folder


def _check_version(project: str, version: str) -> None:
    try:
        installed = metadata.version(project)
    except metadata.PackageNotFoundError:
        return
    if installed != version:
        raise GrambenchError(
            f"The card names version {version} of {project}, but {installed} is installed: "
            f"pip install {project}=={version}, or set reranker.revision={installed}."
        )
