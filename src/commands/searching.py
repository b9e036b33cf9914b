"""``python -m src.data search``: look for a feature in the grammars of a pack."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence

from src.commands.importing import Commands
from src.errors import GrambenchError

_OVERRIDE = re.compile(r"[+~]{0,2}[A-Za-z_][\w@./-]*=.*", re.S)


def add(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add ``search``."""
    search = commands.add_parser(
        "search",
        parents=[shared],
        help="rank a pack's paragraphs for a query",
        description="Rank a pack's paragraphs for a query, grammar by grammar.",
        epilog="Put -- before a query that begins with a hyphen: search NAME -- '-ka'",
    )
    search.add_argument("name", metavar="NAME", help="a pack")
    search.add_argument(
        "more",
        metavar="QUERY|KEY=VALUE",
        nargs="*",
        help="what to look for; choices as for src.run, e.g. retriever=hybrid reranker=minilm",
    )
    search.add_argument(
        "--grammar", "-g", action="append", default=[], help="only this one; may be repeated"
    )
    search.add_argument(
        "--feature",
        "-f",
        help="one of conf/feature/: its gold pages are marked; looked for where there is no query",
    )
    search.add_argument(
        "--top", metavar="N", type=int, default=5, help="paragraphs shown a grammar (default: 5)"
    )
    search.add_argument("--full", action="store_true", help="show very long paragraphs whole")
    search.set_defaults(run=_search)


def _search(chosen: argparse.Namespace) -> None:
    from src.launch.hits import print_found
    from src.launch.searching import Wanted, search

    query, overrides = _told_apart(chosen.more)
    if chosen.top < 1:
        raise GrambenchError(f"--top is {chosen.top}, but must be above 0.")
    wanted = Wanted(query, chosen.feature, chosen.grammar, chosen.top, overrides)
    print_found(search(chosen.data_dir, chosen.name, wanted), full=chosen.full)


def _told_apart(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Part a query, whose words need no quotes, from ``KEY=VALUE``; no query is ``None``."""
    overrides = [word for word in words if _OVERRIDE.fullmatch(word)]
    query = [word for word in words if not _OVERRIDE.fullmatch(word)]
    return (" ".join(query) if query else None), overrides
