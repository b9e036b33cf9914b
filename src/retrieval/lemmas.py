"""Terms as in the paper: lower-cased alphabetic lemmas without stop words, through spaCy."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from src.errors import GrambenchError

# The parser stays: spaCy's rules tell auxiliaries from verbs by it, and so "having" from "have".
_UNNEEDED = ("senter", "ner", "entity_linker", "textcat", "textcat_multilabel")


def lemmas(texts: Sequence[str], model: str = "en_core_web_sm") -> list[list[str]]:
    """Return each text's lemmas, lower-cased, of alphabetic words that are no stop words.

    ``model`` is the name of an installed spaCy pipeline or the path of an unpacked one; the
    paper's lemmas are those of en_core_web_sm 3.6. A text longer than spaCy reads at once
    (``nlp.max_length``, a million characters) is read in pieces that end where a line or a word
    does. Raises GrambenchError where spaCy or the pipeline is missing or cannot lemmatise.
    """
    nlp = _load(model)
    found: list[list[str]] = [[] for _ in texts]
    pieces = ((piece, i) for i, text in enumerate(texts) for piece in cut(text, nlp.max_length))
    for doc, i in nlp.pipe(pieces, as_tuples=True, batch_size=64):
        found[i] += [w.lemma_.lower() for w in doc if w.is_alpha and not w.is_stop]
    return found


def cut(text: str, limit: int) -> Iterator[str]:
    """Cut a text into pieces of at most ``limit`` characters, at a line break or a space if any."""
    while len(text) > limit:
        end = max(text.rfind("\n", 1, limit), 0) or max(text.rfind(" ", 1, limit), 0) or limit
        yield text[:end]
        text = text[end:]
    yield text


def pipeline_version(model: str) -> str:
    """Return which lemmas those of ``model`` are, as in ``en_core_web_sm 3.6.0, spacy 3.6.1``.

    Found without importing spaCy. Raises GrambenchError where spaCy or the pipeline is missing.
    """
    try:
        spacy = metadata.version("spacy")
    except metadata.PackageNotFoundError as error:
        raise _no_spacy(model) from error
    try:
        # spaCy, too, looks for a package first.
        return f"{model.replace('-', '_')} {metadata.version(model)}, spacy {spacy}"
    except (metadata.PackageNotFoundError, ValueError):
        pass
    try:
        meta = json.loads((Path(model) / "meta.json").read_text(encoding="utf-8"))
        return f"{meta['lang']}_{meta['name']} {meta['version']}, spacy {spacy}"
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _no_pipeline(model, spacy, error) from error


@cache
def _load(model: str) -> Any:
    """Load a spaCy pipeline once a process."""
    try:
        import spacy
    except ImportError as error:
        raise _no_spacy(model) from error
    try:
        nlp = spacy.load(model, exclude=list(_UNNEEDED))
    except (OSError, ImportError, ValueError) as error:
        raise _no_pipeline(model, spacy.__version__, error) from error
    if not any(name.endswith("lemmatizer") for name in nlp.pipe_names):
        raise GrambenchError(
            f"The spaCy pipeline '{model}' that retriever.lemmas_model names has no lemmatizer"
            f" (it has: {', '.join(nlp.pipe_names) or 'nothing'}). Choose one such as"
            " en_core_web_sm, or retriever.terms=words."
        )
    return nlp


def _no_spacy(model: str) -> GrambenchError:
    return GrambenchError(
        "retriever.terms=lemmas needs the package spacy, which is not installed."
        f" Install it with 'pip install spacy' and then its pipeline: {_how_to_get(model)};"
        " or choose retriever.terms=words."
    )


def _no_pipeline(model: str, spacy: str, error: Exception) -> GrambenchError:
    reason = str(error).partition("\n")[0]
    return GrambenchError(
        f"spaCy {spacy} cannot load the pipeline '{model}' that retriever.lemmas_model names"
        f" ({reason}). Get it: {_how_to_get(model)}; or choose retriever.terms=words."
    )


def _how_to_get(model: str) -> str:
    if model != Path(model).name:
        return f"unpack one at {model}, or set retriever.lemmas_model=en_core_web_sm"
    return (
        f"the package {model}, with 'python -m spacy download {model}', or unpack it anywhere"
        " and set retriever.lemmas_model to its path (the folder that holds config.cfg)"
    )
