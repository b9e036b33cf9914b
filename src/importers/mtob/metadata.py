"""What is known about the grammars: from the ground-truth tables, else from our own facts."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping

from src.corpus.reading import GRAMMAR_COLUMNS
from src.importers.mtob.facts import GRAMMARS
from src.importers.mtob.ground_truth import GroundTruth
from src.importers.report import Report
from src.records import Grammar

# Stems are made by Google Scholar's rule: first author's surname, year, first word of the title.
_STEM = re.compile(r"(\D+)(\d{4})")


def describe(files: Mapping[str, str], truth: GroundTruth, report: Report) -> list[Grammar]:
    """Describe grammars, given with a file of each; what nobody knows of them stays empty."""
    return [
        _describe(stem, file, truth.facts.get(stem.casefold()), report)
        for stem, file in files.items()
    ]


def known_facts(stem: str) -> Grammar | None:
    """Find one of the paper's 14 grammars by surname and year, or ``None``."""
    match = _STEM.match(stem.casefold())
    return GRAMMARS.get((match[1], match[2])) if match else None


def _describe(stem: str, file: str, given: Mapping[str, str] | None, report: Report) -> Grammar:
    facts = known_facts(stem)
    if given is None and facts is None:
        report.warning(file, "nothing known about the grammar", "its language stays empty")
    elif given is None:
        report.info(file, "described from Grambench's own facts", "not in the ground truth")
    fields = {name: value for name, value in (given or {}).items() if name in GRAMMAR_COLUMNS}
    return dataclasses.replace(facts or Grammar("", ""), id=stem, **fields)
