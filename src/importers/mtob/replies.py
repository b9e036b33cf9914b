"""The recorded replies of GPT-4o: RAG Results/<feature>/<setting>.csv, a row a language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from src.corpus.text import excerpt, nfc
from src.importers.foreign import Sheet, Source
from src.importers.mtob.answer_files import SETTINGS, setting_of
from src.importers.mtob.features import feature_id, rank
from src.importers.mtob.ground_truth import GroundTruth
from src.importers.mtob.values import Line
from src.importers.report import Report
from src.records import RecordedReply

FOLDER = "RAG Results"

_COLUMNS = ("Language", "Response", "Target", "Predicted")
_NAMED = 5  # languages in a message


@dataclass(frozen=True, slots=True)
class _File:
    """A file of replies by what its path says."""

    path: str
    feature: str
    setting: str
    repeat: int


def read_replies(
    source: Source, truth: GroundTruth, names: Mapping[str, str], report: Report
) -> list[RecordedReply]:
    """Read all replies; a file with a fault is left out.

    ``names`` are the ids of the grammars by their keys in the ground truth.
    """
    found: list[RecordedReply] = []
    files = _files(source, truth, report)
    number = Counter((file.feature, file.setting, file.repeat) for file in files)
    for file in files:
        if number[file.feature, file.setting, file.repeat] > 1:
            why = "the folders differ in case only"
            report.error(file.path, "replies of the same feature and setting twice", why)
        replies = _read_file(source, file, truth, names, report)
        if report.is_bad(file.path):
            report.skipped(file.path, "replies left out", "the file has errors")
        else:
            found += replies
    if not files:
        report.warning(f"{FOLDER}/", "no recorded replies", "no such files in the clone")
    return found


def _files(source: Source, truth: GroundTruth, report: Report) -> list[_File]:
    """Return the files to read, by feature, setting and repeat; others are noted."""
    found = []
    for path in source.files(f"{FOLDER}/**/*"):
        place = PurePosixPath(path)
        named = setting_of(place.stem) if place.suffix == ".csv" else None
        if len(place.parts) != 3 or place.suffix != ".csv":
            report.info(path, "file ignored", "not a CSV file in the folder of a feature")
        elif named is None:
            why = "the name tells no setting, as baseline_1 or wikipedia_default do"
            report.skipped(path, "replies left out", why)
        elif feature_id(place.parts[1]) not in truth.lines:
            report.skipped(path, "replies left out", "the ground truth lacks this feature")
        else:
            found.append(_File(path, feature_id(place.parts[1]), *named))
    return sorted(found, key=lambda f: (rank(f.feature), SETTINGS.index(f.setting), f.repeat))


def _read_file(
    source: Source,
    file: _File,
    truth: GroundTruth,
    names: Mapping[str, str],
    report: Report,
) -> list[RecordedReply]:
    sheet = source.sheet(file.path, _COLUMNS)
    if sheet is None:
        return []
    for column in sheet.header:
        if column not in _COLUMNS:
            report.warning(file.path, "unexpected column", "not used", column=column)
    lines = truth.lines[file.feature]
    keys = _keys(sheet, lines, report)
    texts, labels = sheet.column("Response"), sheet.column("Predicted")
    _compare_targets(sheet, keys, truth.values.get(file.feature, {}), report)
    replies = []
    for place, key in keys.items():
        row = sheet.rows[place][0]
        if key not in names:
            report.info(file.path, "reply left out", "its grammar is left out", row)
            continue
        text = nfc(texts[place])
        if text != texts[place]:
            report.info(file.path, "text composed to NFC", excerpt(text), row, "Response")
        label = nfc(labels[place]).strip()
        replies.append(
            RecordedReply(file.feature, file.setting, file.repeat, names[key], text, label)
        )
    return replies


def _keys(sheet: Sheet, lines: Sequence[Line], report: Report) -> dict[int, str]:
    """Return the grammar of each position in the sheet."""
    # a row of a grammar that has one above has no key
    described = Counter(line.language for line in lines if line.key)
    keys = {line.language: line.key for line in sorted(lines, key=lambda line: line.key)}
    found: dict[int, str] = {}
    seen: set[str] = set()
    for place, cell in enumerate(sheet.column("Language")):
        language, row = nfc(cell).strip(), sheet.rows[place][0]
        if language not in keys:
            why = f"'{language}' is not in the feature's table of the ground truth"
            report.error(sheet.file, "reply on an unknown language", why, row, "Language")
        elif described[language] > 1:
            why = f"two grammars describe '{language}'"
            report.error(sheet.file, "reply on one of two grammars", why, row, "Language")
        elif language in seen:
            report.error(sheet.file, "second reply on a language", f"'{language}'", row, "Language")
        else:
            found[place] = keys[language]
        seen.add(language)
    _report_missing(sheet, [language for language in keys if language not in seen], report)
    return found


def _compare_targets(
    sheet: Sheet, keys: Mapping[int, str], values: Mapping[str, str], report: Report
) -> None:
    """Note where the gold value beside a reply is another than the table's, but for case."""
    targets = sheet.column("Target")
    for place, key in keys.items():
        target = nfc(targets[place]).strip()
        if key in values and target.casefold() != values[key].casefold():
            why = f"'{target}', but '{values[key]}' in the ground truth, which is used"
            row = sheet.rows[place][0]
            report.warning(sheet.file, "another gold value than the table's", why, row, "Target")


def _report_missing(sheet: Sheet, missing: Sequence[str], report: Report) -> None:
    if missing:
        more = f" and {len(missing) - _NAMED} more" if len(missing) > _NAMED else ""
        report.warning(sheet.file, "no reply", f"on {', '.join(missing[:_NAMED])}{more}")
