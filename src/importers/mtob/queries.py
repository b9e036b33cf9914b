"""The summary queries: what stands under the definition in RAG Prompts/<feature>/baseline.jsonl."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import PurePosixPath
from typing import Any

from src.corpus.reading import Queries
from src.corpus.text import excerpt, nfc
from src.importers.foreign import Source
from src.importers.mtob.features import feature_id
from src.importers.report import Report

FOLDER = "RAG Prompts"

_DEFINITION = re.compile(r"^Definition of [^\n]*:[ \t\r]*\n", re.MULTILINE)


def read_queries(source: Source, report: Report) -> Queries:
    """Read each feature's summary text; a file with a fault is left out."""
    queries: Queries = {}
    files = list(source.files(f"{FOLDER}/*/baseline.jsonl"))
    number = Counter(map(_feature, files))
    for file in files:
        texts = _definitions(source, file, report)
        if number[_feature(file)] > 1:
            report.error(
                file, "prompts of the same feature twice", "the folders differ in case only"
            )
        if report.is_bad(file):
            report.skipped(file, "query left out", "its prompts have errors")
        elif texts:
            queries[_feature(file)] = {"summary": _agreed(file, texts, report)}
    if not queries:
        report.warning(f"{FOLDER}/", "no queries", "no prompts with a definition in the clone")
    return dict(sorted(queries.items()))


def _feature(file: str) -> str:
    return feature_id(PurePosixPath(file).parent.name)


def _definitions(source: Source, file: str, report: Report) -> dict[int, str]:
    """Return the text under the definition by row."""
    found: dict[int, str] = {}
    lines = (source.text(file) or "").split("\n")
    for row, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            message = _user_message(json.loads(line))
            message.encode()
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            report.error(file, "no prompt", f"{type(error).__name__}: {error}", row)
            continue
        match = _DEFINITION.search(message)
        text = nfc(message[match.end() :]).strip() if match else ""
        if text:
            found[row] = text
        else:
            report.error(file, "no definition in the prompt", excerpt(message), row)
    if not found and not report.is_bad(file):
        report.error(file, "no prompts")
    return found


def _user_message(request: Any) -> str:
    messages = request["body"]["messages"]
    content = next(m["content"] for m in reversed(messages) if m["role"] == "user")
    if not isinstance(content, str):
        raise TypeError("the user's message is not a text")
    return content


def _agreed(file: str, texts: dict[int, str], report: Report) -> str:
    """Return the text that most rows have, and note the rows that have another."""
    most, _ = Counter(texts.values()).most_common(1)[0]
    for row, text in texts.items():
        if text != most:
            why = f"{excerpt(text)}; the text of most rows is used"
            report.warning(file, "another definition than in most rows", why, row)
    return most
