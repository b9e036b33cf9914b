"""``python -m src.data embed`` and ``index``: fill the caches ahead of the runs."""

from __future__ import annotations

import argparse

from src.commands.importing import Commands


def add(commands: Commands, shared: argparse.ArgumentParser) -> None:
    """Add ``embed`` and ``index``."""
    embed = commands.add_parser(
        "embed", parents=[shared], help="fill the cache with a model's vectors of all paragraphs"
    )
    embed.add_argument("name", metavar="NAME", help="a pack")
    embed.add_argument("reranker", metavar="RERANKER", help="one of conf/reranker/, e.g. minilm")
    embed.add_argument(
        "more", metavar="KEY=VALUE", nargs="*", help="as for src.run, e.g. device=cpu"
    )
    embed.set_defaults(run=_embed)
    index = commands.add_parser(
        "index", parents=[shared], help="fill the cache with the terms of all paragraphs"
    )
    index.add_argument("name", metavar="NAME", help="a pack")
    index.add_argument(
        "more", metavar="KEY=VALUE", nargs="*", help="as for src.run, e.g. retriever.terms=lemmas"
    )
    index.set_defaults(run=_index)


def _embed(chosen: argparse.Namespace) -> None:
    from src.launch.embedding import embed

    print(embed(chosen.data_dir, chosen.name, chosen.reranker, chosen.more).told())


def _index(chosen: argparse.Namespace) -> None:
    from src.launch.indexing import index

    print(index(chosen.data_dir, chosen.name, chosen.more).told())
