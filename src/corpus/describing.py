"""Packs in figures: the rows of the tables that `python -m src.data` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from src.corpus.pack import Pack
from src.corpus.reading import GRADES

Row = list[str]

PACK_HEADER = [
    "name", "grammars", "languages", "whole", "paragraphs", "graded", "score sets", "queries",
    "values", "replies", "prompts", "licence", "digest",
]  # fmt: skip


def pack_row(pack: Pack) -> Row:
    """Return a pack's line in the list of packs."""
    return [
        pack.name,
        str(len(pack.grammars)),
        str(len(_languages(pack))),
        str(len(pack.documents)),
        str(len(pack.paragraphs)),
        str(sum(len(grades) for grades in pack.grades.values())),
        str(len(pack.recorded)),
        ", ".join(pack.queries),
        str(sum(len(values) for values in pack.annotations.values())),
        str(reply_count(pack)),
        str(prompt_count(pack)),
        str(pack.source.get("licence", "")),
        pack.digest[:12],
    ]


def pack_facts(pack: Pack) -> list[tuple[str, str]]:
    """Return what there is to say of a pack as a whole."""
    origin = f"{pack.source.get('origin', '')} {pack.source.get('url', '')}".strip()
    return [
        ("name", pack.name),
        ("path", str(pack.path)),
        ("grammars", str(len(pack.grammars))),
        ("languages", str(len(_languages(pack)))),
        ("whole grammars", str(len(pack.documents))),
        ("paragraphs", str(len(pack.paragraphs))),
        ("graded", _each({name: len(of) for name, of in pack.grades.items()})),
        ("score sets", str(len(pack.recorded))),
        ("values", _each({name: len(of) for name, of in pack.annotations.items()})),
        ("recorded replies", str(reply_count(pack))),
        ("recorded prompts", str(prompt_count(pack))),
        ("licence", str(pack.source.get("licence", ""))),
        ("origin", origin),
        ("revision", str(pack.source.get("revision", ""))),
        ("date", str(pack.source.get("date", ""))),
        ("digest", pack.digest),
    ]


def grammar_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: each grammar, its language and its number of paragraphs."""
    header = ["grammar", "language", "Glottocode", "ISO", "family", "macroarea", "paragraphs"]
    number = _paragraphs_each(pack)
    rows = [
        [g.id, g.language, g.glottocode, g.iso, g.family, g.macroarea, str(number[g.id])]
        for g in pack.grammars
    ]
    return header, rows


def document_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: each whole grammar, the form it was read from, and its size."""
    header = ["grammar", "form", "pages", "characters", "paragraphs", "file"]
    number = _paragraphs_each(pack)
    rows = [
        [d.grammar, d.form, str(d.pages), str(d.characters), str(number[d.grammar]), d.file]
        for d in pack.documents.values()
    ]
    return header, rows


def quality_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: each whole grammar's quality, in per cent (src/books/quality.py)."""
    header = [
        "grammar", "U+FFFD %", "unknown words %", "near-empty pages %", "columns %", "LaTeX left %",
    ]  # fmt: skip
    rows = [
        [
            d.grammar,
            *(
                f"{100 * share:.2f}"
                for share in (d.replaced, d.unknown_words, d.empty_pages, d.columns, d.residue)
            ),
        ]
        for d in pack.documents.values()
    ]
    return header, rows


def retrieval_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: each feature's gold pages and recorded candidates."""
    header = [
        "feature", "with gold pages", "without", "gold pages", "with candidates", "candidates",
    ]  # fmt: skip
    rows = []
    for feature in dict.fromkeys([*pack.gold, *pack.candidates]):
        gold = pack.gold.get(feature, {}).values()
        found = sum(1 for pages in gold if pages)
        pages = sum(map(len, gold))
        candidates = pack.candidates.get(feature, {}).values()
        counts = [found, len(gold) - found, pages, len(candidates), sum(map(len, candidates))]
        rows.append([feature, *map(str, counts)])
    return header, rows


def value_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: how often each feature is annotated in which way."""
    rows = [
        [feature, value, str(number)]
        for feature, of in pack.annotations.items()
        for value, number in Counter(of.values()).most_common()
    ]
    return ["feature", "value", "grammars"], rows


def reply_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: each setting with its repeats, replies and what they lack."""
    header = ["feature", "setting", "repeats", "grammars", "replies", "empty", "without label"]
    rows = []
    for feature, settings in pack.recorded_replies.items():
        for setting, repeats in settings.items():
            replies = [reply for of in repeats.values() for reply in of.values()]
            grammars = len({reply.grammar for reply in replies})
            empty = sum(1 for reply in replies if not reply.text.strip())
            unlabelled = sum(1 for reply in replies if not reply.label)
            counts = [len(repeats), grammars, len(replies), empty, unlabelled]
            rows.append([feature, setting, *map(str, counts)])
    return header, rows


def prompt_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: each feature's recorded prompts and the longest of them."""
    rows = []
    for feature, of in pack.recorded_prompts.items():
        roles = dict.fromkeys(message.role for messages in of.values() for message in messages)
        longest = max(sum(len(message.content) for message in messages) for messages in of.values())
        rows.append([feature, str(len(of)), ", ".join(roles), str(longest)])
    return ["feature", "grammars", "roles", "longest (characters)"], rows


def reply_count(pack: Pack) -> int:
    """Return the number of recorded replies."""
    return sum(
        len(of)
        for settings in pack.recorded_replies.values()
        for repeats in settings.values()
        for of in repeats.values()
    )


def prompt_count(pack: Pack) -> int:
    """Return the number of recorded prompts."""
    return sum(map(len, pack.recorded_prompts.values()))


def grade_table(pack: Pack, feature: str) -> tuple[Row, list[Row]]:
    """Return header and rows: how many paragraphs of each grammar have each grade."""
    header = ["grammar", *map(str, GRADES), "all"]
    rows = []
    total: Counter[int] = Counter()
    for grammar, graded in pack.graded(feature).items():
        counts = Counter(grade for _, grade in graded)
        total += counts
        rows.append([grammar, *(str(counts[g]) for g in GRADES), str(counts.total())])
    rows.append(["all", *(str(total[g]) for g in GRADES), str(total.total())])
    return header, rows


def score_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: what is recorded of each model."""
    header = ["model", "score sets", "instructs", "queries", "features", "paragraphs"]
    rows = []
    for model in dict.fromkeys(model for model, *_ in pack.recorded):
        sets = [key for key in pack.recorded if key[0] == model]
        names = [", ".join(dict.fromkeys(key[part] for key in sets)) for part in (1, 2, 3)]
        scored = {paragraph for key in sets for paragraph in pack.recorded[key]}
        rows.append([model, str(len(sets)), *names, str(len(scored))])
    return header, rows


def query_table(pack: Pack) -> tuple[Row, list[Row]]:
    """Return header and rows: each feature's queries and their lengths."""
    rows = [
        [feature, name, str(len(text)), " ".join(text[:200].split())[:60]]
        for feature, texts in pack.queries.items()
        for name, text in texts.items()
    ]
    return ["feature", "query", "characters", "begins"], rows


def _each(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} for {name}" for name, count in counts.items()) or "0"


def _paragraphs_each(pack: Pack) -> Counter[str]:
    return Counter(paragraph.grammar for paragraph in pack.paragraphs.values())


def _languages(pack: Pack) -> set[str]:
    return {g.glottocode or g.language for g in pack.grammars} - {""}
