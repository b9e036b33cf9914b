"""``python -m src.data list`` and ``show``: which packs there are, and what one holds."""

from __future__ import annotations

import argparse

from src.commands.annotations import unknown_annotations
from src.commands.importing import Commands


def add(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add ``list`` and ``show``."""
    listing = commands.add_parser("list", parents=[shared], help="list the packs")
    listing.set_defaults(run=_list)
    show = commands.add_parser("show", parents=[shared], help="show what a pack holds")
    show.add_argument("name", metavar="NAME", help="a pack")
    show.set_defaults(run=_show)


def _list(chosen: argparse.Namespace) -> None:
    from src.launch.tables import print_packs

    print_packs(chosen.data_dir)


def _show(chosen: argparse.Namespace) -> None:
    from src.corpus.names import find_pack
    from src.corpus.pack import load_pack
    from src.launch.tables import print_pack

    pack = load_pack(find_pack(chosen.data_dir, chosen.name))
    print_pack(pack)
    unknown = unknown_annotations(pack)
    if unknown:
        print("\n" + "\n".join(unknown))
