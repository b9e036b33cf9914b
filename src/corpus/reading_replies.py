"""Recorded replies and the prompts that somebody asked with: thousands of long texts."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from src.corpus import cells
from src.corpus.cells import Known
from src.corpus.problems import Problems
from src.corpus.tables import Table, read_table
from src.records import Message, RecordedReply

# feature -> setting -> repeat -> grammar
ReplyTable = dict[str, dict[str, dict[int, dict[str, RecordedReply]]]]
PromptTable = dict[str, dict[str, tuple[Message, ...]]]

REPLY_COLUMNS = [field.name for field in dataclasses.fields(RecordedReply)]
PROMPT_COLUMNS = ["feature", "grammar", "role", "content"]
ROLES = ("system", "user", "assistant")

_NEEDED = ["feature", "setting", "repeat", "grammar", "text"]


def read_replies(folder: Path, grammars: Known, problems: Problems) -> ReplyTable:
    """Read the replies: feature -> setting -> repeat -> grammar -> reply.

    A text may be empty (nothing was replied); the column ``label`` need not be there.
    """
    table = read_table(folder, "replies", _NEEDED, problems)
    found: ReplyTable = {}
    if table is None:
        return found
    cells.misspelt(table, REPLY_COLUMNS, problems)
    labels = table.columns.get("label", [""] * len(table))
    # What is the same for many rows is kept once.
    once: dict[str, str] = {}
    columns = [*(table.columns[name] for name in _NEEDED), labels]
    for index, row in enumerate(zip(*columns, strict=True)):
        names = [cells.string(row[place]).strip() for place in (0, 1, 3, 5)]
        feature, setting, grammar, label = (once.setdefault(name, name) for name in names)
        repeat = cells.whole(row[2])
        if repeat is None:
            problems.add(table.where(index), f"repeat '{row[2]}' is not a whole number from 0 on")
            continue
        text = cells.string(row[4])
        reply = RecordedReply(feature, setting, repeat, grammar, text, label)
        _check(table, index, reply, grammars, problems)
        of = found.setdefault(feature, {}).setdefault(setting, {}).setdefault(repeat, {})
        if grammar in of:
            what = f"a second reply on '{grammar}' for {feature} / {setting} / {repeat}"
            problems.add(table.where(index), what)
        of[grammar] = reply
    return found


def read_prompts(folder: Path, grammars: Known, problems: Problems) -> PromptTable:
    """Read the prompts: feature -> grammar -> messages, in the order of the rows."""
    table = read_table(folder, "prompts", PROMPT_COLUMNS, problems)
    found: dict[str, dict[str, list[Message]]] = {}
    if table is None:
        return {}
    once: dict[str, str] = {}
    for index, row in cells.rows(table, PROMPT_COLUMNS):
        feature, grammar, role = (cells.string(cell).strip() for cell in row[:3])
        content = cells.string(row[3])
        if not feature:
            problems.add(table.where(index), "no feature")
        cells.known(table, index, "grammar", grammar, grammars, problems)
        if role not in ROLES:
            problems.add(table.where(index), f"role '{role}' is none of {', '.join(ROLES)}")
        if not content.strip():
            problems.add(table.where(index), f"the message for '{grammar}' has no content")
        message = Message(role, once.setdefault(content, content))
        found.setdefault(feature, {}).setdefault(grammar, []).append(message)
    return {
        feature: {grammar: tuple(messages) for grammar, messages in of.items()}
        for feature, of in found.items()
    }


def _check(
    table: Table, index: int, reply: RecordedReply, grammars: Known, problems: Problems
) -> None:
    for what in ("feature", "setting"):
        if not getattr(reply, what):
            problems.add(table.where(index), f"no {what}")
    cells.known(table, index, "grammar", reply.grammar, grammars, problems)
