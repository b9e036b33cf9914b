"""The last step of every importer: what was read becomes a pack, whole or not at all."""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from src.corpus.describing import prompt_count, reply_count
from src.corpus.digest import pack_digest, pack_files
from src.corpus.pack import Pack, load_pack
from src.corpus.writing import PackTables, put_in_place, temporary_pack, write_tables
from src.corpus.yaml_files import write_mapping
from src.errors import GrambenchError
from src.importers.report import Report, counted

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
            lines = [
                f"The pack '{pack.name}' holds the same already and is left as it is: {counts}."
            ]
        else:
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
    whole = counted(len(pack.documents), "whole grammar") + (f" ({named})" if named else "")
    replies, prompts = reply_count(pack), prompt_count(pack)
    counts = [
        (len(pack.grammars), counted(len(pack.grammars), "grammar")),
        (len(pack.paragraphs), counted(len(pack.paragraphs), "paragraph")),
        (len(pack.recorded), counted(len(pack.recorded), "score set")),
        (len(pack.queries), f"queries for {counted(len(pack.queries), 'feature')}"),
        (len(pack.documents), whole),
        (pages, counted(pages, "page")),
        (len(pack.gold), f"gold pages for {counted(len(pack.gold), 'feature')}"),
        (len(pack.candidates), f"candidates for {counted(len(pack.candidates), 'feature')}"),
        (len(pack.annotations), f"values for {counted(len(pack.annotations), 'feature')}"),
        (replies, counted(replies, "recorded reply", "recorded replies")),
        (prompts, counted(prompts, "recorded prompt")),
    ]
    return ", ".join(said for number, said in counts if number)


def land(
    folder: Path,
    tables: PackTables,
    about: Mapping[str, object],
    report: Report,
    replace: bool,
    based_on: str | None = None,
) -> Landed:
    """Write a pack beside ``folder``, read it back, and give it the name.

    ``about`` is what SOURCE.yaml says of the origin: ``importer``, and the ``url`` that it came
    from; without one, the day does not matter and is left out. An existing pack with other content
    is replaced if ``replace`` says so, or if the same importer made it from the same origin and
    nobody has changed it since: not since ``based_on`` either, the digest of the pack that parts
    of this one were taken from (``""``: there was none).
    """
    with temporary_pack(folder) as temporary:
        write_tables(temporary, tables)
        write_mapping(temporary / "SOURCE.yaml", _source(temporary, tables, about))
        report.write(temporary / REPORT)
        fresh = _read_back(temporary, folder.name)
        verdict = _verdict(folder, fresh, replace, based_on)
        if verdict == "same":
            _renew_report(temporary, folder)
            return Landed(load_pack(folder), verdict, report)
        put_in_place(temporary, folder)
    # What was read back is the pack by now; reading it again would take its memory twice.
    pack = dataclasses.replace(fresh, name=folder.name, path=folder.absolute())
    return Landed(pack, verdict, report)


def _renew_report(temporary: Path, folder: Path) -> None:
    """Let a pack that stays as it is have the report of the import that found it so."""
    fresh, there = temporary / REPORT, folder / REPORT
    if not there.is_file() or there.read_bytes() != fresh.read_bytes():
        fresh.replace(there)


def _read_back(temporary: Path, name: str) -> Pack:
    """Read what was written; a fault that no importer foresaw is told without the folder's name."""
    try:
        fresh = load_pack(temporary)
        # Read now, since nobody may ask for them before it is too late.
        prompt_count(fresh), reply_count(fresh)
        return fresh
    except GrambenchError as error:
        said = str(error).replace(temporary.name, name)
        raise GrambenchError(
            f"Nothing was imported: what was read makes no pack.\n{said}"
        ) from error


def _source(folder: Path, tables: PackTables, about: Mapping[str, object]) -> dict[str, object]:
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {
        **about,
        "content": pack_digest(folder),
        **({"date": today} if "url" in about else {}),
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
            "values": sum(len(of) for of in tables.values.values()),
            "replies": len(tables.replies),
            "prompts": sum(len(of) for of in tables.prompts.values()),
        },
    }


def _verdict(folder: Path, fresh: Pack, replace: bool, based_on: str | None) -> str:
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
        if based_on not in (None, there.digest):
            raise GrambenchError(
                f"Another import has changed the pack '{folder.name}' meanwhile: import again."
            )
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
