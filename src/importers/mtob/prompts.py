"""The prompts of the baseline: RAG Prompts/<feature>/baseline.jsonl, request N on row N."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from src.corpus.reading_replies import ROLES
from src.corpus.text import nfc
from src.importers.foreign import Source
from src.importers.mtob.features import feature_id, rank
from src.importers.mtob.ground_truth import GroundTruth
from src.importers.mtob.queries import FOLDER
from src.importers.mtob.values import Line
from src.importers.report import Report
from src.records import Message

Prompts = dict[str, dict[str, tuple[Message, ...]]]

_FILE = "baseline.jsonl"
_NUMBER = re.compile(r"request-([1-9][0-9]{0,5})")


def read_prompts(
    source: Source, truth: GroundTruth, names: Mapping[str, str], report: Report
) -> Prompts:
    """Read the prompts by feature and grammar; a file with a fault is left out.

    ``names`` are the ids of the grammars by their keys in the ground truth.
    """
    found: Prompts = {}
    for file in _files(source, report):
        feature = feature_id(PurePosixPath(file).parent.name)
        if feature not in truth.lines:
            report.info(file, "prompts not used", "the ground truth lacks this feature")
            continue
        # What the queries' reader found wrong is wrong here too.
        bad = report.is_bad(file)
        prompts = {} if bad else _by_row(source, file, truth.lines[feature], report)
        if report.is_bad(file):
            report.skipped(file, "prompts left out", "the file has errors")
        else:
            found[feature] = _of_grammars(file, prompts, truth.lines[feature], names, report)
    return found


def _files(source: Source, report: Report) -> list[str]:
    """Return the files to read; others, which hold whole passages of grammars, are noted."""
    files = []
    for file in source.files(f"{FOLDER}/**/*"):
        if PurePosixPath(file).name == _FILE and file.count("/") == 2:
            files.append(file)
        else:
            report.info(file, "file ignored", "only the prompts without a grammar are used")
    return sorted(files, key=lambda file: rank(feature_id(PurePosixPath(file).parent.name)))


def _by_row(
    source: Source, file: str, lines: Sequence[Line], report: Report
) -> dict[int, tuple[int, tuple[Message, ...]]]:
    """Return where a prompt stands in the file and its messages, by the row, from 1, it is on."""
    found: dict[int, tuple[int, tuple[Message, ...]]] = {}
    for number, text in enumerate((source.text(file) or "").split("\n"), start=1):
        if not text.strip():
            continue
        try:
            row, messages = _request(json.loads(text))
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            report.error(file, "no prompt", f"{type(error).__name__}: {error}", number)
            continue
        if row > len(lines):
            why = f"request-{row}, but the feature's table has {len(lines)} rows"
            report.error(file, "prompt on no row", why, number)
        elif row in found:
            why = f"request-{row} stands in line {found[row][0]} too"
            report.error(file, "second prompt on a row", why, number)
        elif lines[row - 1].language not in messages[-1].content:
            why = f"row {row} of the table is about '{lines[row - 1].language}'"
            report.error(file, "prompt on another language", why, number)
        found.setdefault(row, (number, messages))
    return found


def _request(request: Any) -> tuple[int, tuple[Message, ...]]:
    match = _NUMBER.fullmatch(request["custom_id"])
    if match is None:
        raise ValueError(f"custom_id '{request['custom_id']}' is not like request-1")
    messages = tuple(_message(message) for message in request["body"]["messages"])
    if not messages or messages[-1].role != "user":
        raise ValueError("the last message is not the user's")
    return int(match[1]), messages


def _message(message: Any) -> Message:
    role, content = message["role"], message["content"]
    if role not in ROLES:
        raise ValueError(f"role '{role}' is none of {', '.join(ROLES)}")
    if not isinstance(content, str) or not content.strip():
        raise ValueError("a message without text")
    content.encode()  # a lone surrogate cannot be written
    return Message(role, nfc(content))


def _of_grammars(
    file: str,
    prompts: Mapping[int, tuple[int, tuple[Message, ...]]],
    lines: Sequence[Line],
    names: Mapping[str, str],
    report: Report,
) -> dict[str, tuple[Message, ...]]:
    """Return the prompts by grammar, in the order of the table."""
    found: dict[str, tuple[Message, ...]] = {}
    for row, line in enumerate(lines, start=1):
        if row not in prompts:
            report.warning(file, "no prompt", f"request-{row}, on {line.language}")
        elif line.key in names:
            found[names[line.key]] = prompts[row][1]
        else:
            report.info(file, "prompt left out", "its grammar is left out", prompts[row][0])
    return found
