"""Models on the Hugging Face Hub: whether they can be had, and whether they stay what they are."""

from __future__ import annotations

import logging
import re
from functools import cache
from pathlib import Path

from src.errors import GrambenchError
from src.models.finding import FoundModel

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SECONDS = 10.0

_log = logging.getLogger(__name__)


def warn_if_it_moves(what: str, found: FoundModel) -> None:
    """Warn where a hub's revision is a branch or a tag; ``what`` is what the model is there for."""
    if found.revision is not None and not _COMMIT.fullmatch(found.revision):
        _warn_that_it_moves(what, found.source, found.revision)


@cache
def _warn_that_it_moves(what: str, model: str, revision: str) -> None:
    """Say it once a process, not once a run."""
    _log.warning(
        "%s: revision '%s' of %s can come to be another one, and results and cached vectors of "
        "both would be taken for the same. Pin it: set its revision to the commit, 40 digits long.",
        what,
        revision,
        model,
    )


def require_on_hub(found: FoundModel, file: str = "config.json") -> None:
    """Check that a model of the hub, by one of its files, is on this machine or can be fetched.

    One question with a short wait: the libraries that load models ask, retry and wait for minutes.

    Raises:
        GrambenchError: it is not to be had; says what to do.
    """
    if found.revision is None or _cached(found, file) is not None:
        return
    from huggingface_hub import constants, get_hf_file_metadata, hf_hub_url

    where = f"model {found.source}, revision {found.revision}"
    if constants.HF_HUB_OFFLINE:
        raise GrambenchError(
            f"The {where}, is not on this machine, and HF_HUB_OFFLINE=1 forbids fetching it. Unset "
            f"that, or fetch it where there is a network: {_fetch(found)}."
        )
    url = hf_hub_url(found.source, file, revision=found.revision)
    try:
        get_hf_file_metadata(url, timeout=_SECONDS)
    except Exception as error:
        raise GrambenchError(_refusal(found, file, where, error)) from error


def hub_file(found: FoundModel, file: str) -> Path:
    """Return a file of a model of the hub, fetched unless it is on this machine.

    Raises:
        GrambenchError: it is not to be had; says what to do.
    """
    cached = _cached(found, file)
    if cached is not None:
        return cached
    require_on_hub(found, file)
    from huggingface_hub import hf_hub_download

    try:
        return Path(hf_hub_download(found.source, file, revision=found.revision))
    except Exception as error:
        raise GrambenchError(
            f"The {file} of {found.source} cannot be fetched ({type(error).__name__}). Try again,"
            f" or fetch it elsewhere into the same cache: {_fetch(found)}."
        ) from error


def _cached(found: FoundModel, file: str) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(found.source, file, revision=found.revision)
    return Path(path) if isinstance(path, str) else None


def _refusal(found: FoundModel, file: str, where: str, error: Exception) -> str:
    from huggingface_hub import errors

    if isinstance(error, errors.GatedRepoError):
        return (
            f"The {where}, is only for those who accept its terms: do so on "
            f"https://huggingface.co/{found.source}, then log in with `hf auth login`."
        )
    if isinstance(error, errors.EntryNotFoundError):
        return f"The {where}, has no {file} on the hub. Check `model` and `revision`."
    if isinstance(error, errors.RevisionNotFoundError):
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
