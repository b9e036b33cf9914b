"""``python -m src.replies``: ``show``, ``export``, ``import``, ``prune`` and ``batches``."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from src.commands.importing import Commands
from src.errors import GrambenchError

if TYPE_CHECKING:
    from src.llm.store import ReplyStore

_DATA = Path(__file__).resolve().parents[2] / "data"
_SHOWN = 20


def add(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add all of them."""
    chosen = argparse.ArgumentParser(add_help=False, parents=[shared])
    chosen.add_argument("--model", metavar="MODEL", default="", help="only this model's replies")
    sought = argparse.ArgumentParser(add_help=False, parents=[chosen])
    sought.add_argument(
        "--contains", metavar="TEXT", default="", help="only where prompt or reply has this text"
    )
    _add_show(commands, sought)
    _add_files(commands, shared, sought)
    _add_prune(commands, chosen)
    _add_batches(commands, shared)


def _add_show(commands: Commands, sought: argparse.ArgumentParser) -> None:
    show = commands.add_parser(
        "show",
        parents=[sought],
        help="what the store holds, a list of replies, or one reply in full",
        description="Without arguments, what the store holds, by model and settings; with options, "
        "a list of replies; with the beginning of a key, that reply in full.",
    )
    show.add_argument("key", metavar="KEY", nargs="?", default="", help="the beginning of a key")
    show.add_argument(
        "--limit", metavar="N", type=_number, help=f"list so many replies (default: {_SHOWN})"
    )
    show.set_defaults(run=_show)


def _add_files(
    commands: Commands, shared: argparse.ArgumentParser, sought: argparse.ArgumentParser
) -> None:
    export = commands.add_parser(
        "export",
        parents=[sought],
        help="write replies into a file, sorted by key; one that is there is replaced",
    )
    export.add_argument(
        "file", metavar="FILE", type=Path, help=".jsonl, to be imported, or .parquet, for analysis"
    )
    export.set_defaults(run=_export)
    bring = commands.add_parser(
        "import", parents=[shared], help="add the replies of an export; what is there stays"
    )
    bring.add_argument("file", metavar="FILE", type=Path, help="a .jsonl file of an export")
    bring.set_defaults(run=_import)


def _add_prune(commands: Commands, chosen: argparse.ArgumentParser) -> None:
    prune = commands.add_parser(
        "prune",
        parents=[chosen],
        help="delete replies of a model, or old ones",
        description="Tell which replies would go; with --yes, delete them. What they cost stays in "
        "the account of their budgets.",
    )
    prune.add_argument("--before", metavar="DATE", type=_time, help="e.g. 2026-03-31 (UTC)")
    how = prune.add_mutually_exclusive_group()
    how.add_argument("--dry-run", action="store_true", help="only tell what would go (default)")
    how.add_argument("--yes", action="store_true", help="delete them")
    prune.set_defaults(run=_prune)


def _add_batches(commands: Commands, shared: argparse.ArgumentParser) -> None:
    batches = commands.add_parser(
        "batches",
        parents=[shared],
        help="list batches whose replies are not here yet, or give one up",
        description="List batches that were sent and whose replies are not here yet; the same run, "
        "started again, collects them. Until then nobody else sends what is in them.",
    )
    batches.add_argument(
        "--forget",
        metavar="ID",
        default="",
        help="give up a batch, for which no run is waiting: its requests may be sent again",
    )
    batches.set_defaults(run=_batches)


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("give a whole number above 0")
    return number


def _time(text: str) -> str:
    """Return a day as it stands, and a time in UTC, as times in the store are."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is no date such as 2026-03-31") from None
    if len(text) <= len("2026-03-31"):
        return time.date().isoformat()
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def _open(chosen: argparse.Namespace, *, create: bool = False) -> ReplyStore:
    from src.llm.store import ReplyStore

    return ReplyStore(chosen.store or _default(), create=create)


def _default() -> Path:
    from src.launch.composing import compose_for

    return Path(compose_for(_DATA, "demo", [], []).paths.replies)


def _show(chosen: argparse.Namespace) -> None:
    from src.commands import replies_shown
    from src.llm.survey import check_model, find, survey

    with _open(chosen) as store:
        check_model(store, chosen.model)
        listed = chosen.model or chosen.contains or chosen.limit
        if not chosen.key and not listed:
            print(replies_shown.overview(store.path, survey(store)))
            return
        limit = chosen.limit or _SHOWN
        found = find(
            store, model=chosen.model, contains=chosen.contains, prefix=chosen.key.strip().lower()
        )
        some = list(islice(found, limit + 1))
    if not some:
        raise GrambenchError(f"The reply store {store.path} has no such reply.")
    if chosen.key and len(some) == 1:
        print(replies_shown.in_full(some[0]))
        return
    print(replies_shown.listing(some[:limit]))
    if len(some) > limit:
        print(f"... and more: these are the first {limit} by key; --limit N lists more.")


def _export(chosen: argparse.Namespace) -> None:
    from src.commands.replies_shown import counted
    from src.llm.exporting import export
    from src.llm.survey import check_model, find

    with _open(chosen) as store:
        check_model(store, chosen.model)
        count = export(find(store, model=chosen.model, contains=chosen.contains), chosen.file)
    print(f"Wrote {counted(count)} into {chosen.file}.")


def _import(chosen: argparse.Namespace) -> None:
    from src.commands import replies_shown
    from src.llm.importing import check_file, import_replies

    check_file(chosen.file)
    with _open(chosen, create=True) as store:
        imported = import_replies(store, chosen.file)
    print(
        f"Imported {replies_shown.counted(imported.new)} into {store.path};"
        f" there already: {imported.known:,}.",
        flush=True,
    )
    if imported.faults:
        raise GrambenchError(replies_shown.faults(chosen.file, imported.faults))


def _prune(chosen: argparse.Namespace) -> None:
    from src.commands import replies_shown
    from src.llm.survey import check_model, survey

    if not chosen.model and not chosen.before:
        raise GrambenchError("Say which replies are to go: --model MODEL, --before DATE, or both.")
    before = chosen.before or ""
    with _open(chosen) as store:
        check_model(store, chosen.model)
        if not chosen.yes:
            going = survey(store, model=chosen.model, before=before)
            print(replies_shown.overview(store.path, going))
            if going:
                print("These would go; nothing was deleted. --yes deletes them.")
            return
        gone = store.prune(model=chosen.model, before=before)
        print(f"Deleted {replies_shown.counted(gone)} from {store.path}.", flush=True)
        if gone:
            store.file.shrink()


def _batches(chosen: argparse.Namespace) -> None:
    from src.commands import replies_shown
    from src.llm.batch_ledger import forget, open_batches

    with _open(chosen) as store:
        if not chosen.forget:
            print(replies_shown.batches(store.path, open_batches(store)))
            return
        gone = forget(store, chosen.forget)
    print(
        f"Forgot {gone.id}; {replies_shown.counted(len(gone.keys), 'request', 'requests')} of it"
        f" may be sent again. It goes on at {gone.base_url}, and what it costs there counts for no"
        " budget: cancel it there if it is not done."
    )
