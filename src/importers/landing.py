"""The last step of every importer: what was read becomes a pack, whole or not at all."""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from src.corpus.digest import pack_digest, pack_files
from src.corpus.pack import Pack, load_pack
from src.corpus.writing import PackTables, put_in_place, temporary_pack, write_tables
from src.corpus.yaml_files import write_mapping
from src.errors import GrambenchError
from src.importers.report import Report

REPORT = "import_report.csv"

_FORMS = {"pdf": "PDF", "latex": "LaTeX", "text": "plain text", "markdown": "Markdown"}


@dataclass(frozen=True)
class Landed:
    """A pack that was imported; ``verdict`` is ``new``, ``replaced`` or ``same`` (left alone)."""

    pack: Pack
    verdict: str
    report: Report

    def told(self) -> list[str]:
        """Return lines for people: what came in, where it lies, and what was noted."""
        pack, summary = self.pack, self.report.summary()
        counts = _counts(pack)
        if self.verdict == "same":
            return [
                f"The pack '{pack.name}' holds the same already and is left as it is: {counts}."
            ]
        did = {"new": "Imported", "replaced": "Replaced"}[self.verdict]
        lines = [f"{did} the pack '{pack.name}': {counts}.", f"It lies in {pack.path}."]
        if summary:
            report = pack.path / REPORT
            lines += [
                f"Noted on the way, row by row in {report}:",
                *(f"  {one}" for one in summary),
            ]
        return lines


def _counts(pack: Pack) -> str:
    """Say how much of everything there is in a pack; what there is none of is left out."""
    forms = Counter(_FORMS.get(document.form, "") for document in pack.documents.values())
    named = ", ".join(f"{number} {form}" for form, number in forms.items() if form)
    pages = sum(document.pages for document in pack.documents.values())
    counts = {
        "{} grammars": len(pack.grammars),
        "{} paragraphs": len(pack.paragraphs),
        "{} score sets": len(pack.recorded),
        "queries for {} features": len(pack.queries),
        "{} whole grammars" + (f" ({named})" if named else ""): len(pack.documents),
        "{} pages": pages,
        "gold pages for {} features": len(pack.gold),
        "candidates for {} features": len(pack.candidates),
    }
    return ", ".join(what.format(number) for what, number in counts.items() if number)


def land(
    folder: Path, tables: PackTables, about: Mapping[str, object], report: Report, replace: bool
) -> Landed:
    """Write a pack beside ``folder``, read it back, and give it the name.

    ``about`` is what SOURCE.yaml says of the origin; it needs ``importer`` and ``url``. An
    existing pack with other content is replaced if ``replace`` says so, or if the same importer
    made it from the same origin and nobody has changed it since.
    """
    with temporary_pack(folder) as temporary:
        write_tables(temporary, tables)
        write_mapping(temporary / "SOURCE.yaml", _source(temporary, tables, about))
        report.write(temporary / REPORT)
        fresh = load_pack(temporary)
        verdict = _verdict(folder, fresh, replace)
        if verdict == "same":
            return Landed(load_pack(folder), verdict, report)
        put_in_place(temporary, folder)
    # What was read back is the pack by now; reading it again would take its memory twice.
    pack = dataclasses.replace(fresh, name=folder.name, path=folder.absolute())
    return Landed(pack, verdict, report)


def _source(folder: Path, tables: PackTables, about: Mapping[str, object]) -> dict[str, object]:
    return {
        **about,
        "content": pack_digest(folder),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "counts": {
            "grammars": len(tables.grammars),
            "paragraphs": len(tables.paragraphs),
            "graded": len(tables.grades),
            "queries": sum(len(texts) for texts in tables.queries.values()),
            "score_sets": len(tables.scores),
            "whole": len(tables.documents),
            "gold_pages": sum(len(gold) for gold in tables.gold_pages.values()),
            "candidates": sum(
                len(ranked) for of in tables.candidates.values() for ranked in of.values()
            ),
        },
    }


def _verdict(folder: Path, fresh: Pack, replace: bool) -> str:
    if not folder.exists() or not any(folder.iterdir()):
        return "new"
    if not pack_files(folder):
        raise GrambenchError(
            f"{folder} is a folder, but no pack: choose another --name, or move it away."
        )
    if replace:
        return "replaced"
    try:
        there = load_pack(folder)
    except GrambenchError as error:
        raise GrambenchError(
            f"There is already a pack '{folder.name}', which cannot be read; import with "
            f"--replace to overwrite it.\n{error}"
        ) from error
    if there.digest == fresh.digest:
        return "same"
    if _is_untouched(there, fresh):
        return "replaced"
    raise GrambenchError(
        f"There is already a pack '{folder.name}' with other content, from another origin or "
        "changed by hand: import with --replace to overwrite it, or under another --name."
    )


def _is_untouched(there: Pack, fresh: Pack) -> bool:
    """Tell whether a pack is as the same importer made it from the same origin."""
    same_origin = all(there.source.get(key) == fresh.source.get(key) for key in ("importer", "url"))
    made = {path.name for path in pack_files(there.path)} | {"SOURCE.yaml", REPORT}
    only_ours = {path.name for path in there.path.iterdir()} <= made
    return same_origin and only_ours and there.source.get("content") == there.digest
