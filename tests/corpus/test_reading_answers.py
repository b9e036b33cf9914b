"""Gold values, recorded replies and prompts of a pack: read, checked, found."""

from __future__ import annotations

from pathlib import Path

import pytest

from src.corpus import pack as packs
from src.corpus.describing import (
    pack_facts,
    pack_row,
    prompt_table,
    reply_table,
    value_table,
)
from src.corpus.digest import pack_digest
from src.corpus.pack import load_pack
from src.corpus.reading_replies import PROMPT_COLUMNS, REPLY_COLUMNS
from src.corpus.tables import write_parquet
from src.corpus.writing import PackTables, write_tables
from src.errors import GrambenchError
from src.records import Grammar, Message, RecordedReply
from tests.corpus.small_pack import small_pack

VALUES = (
    "feature,grammar,value\n"
    "wals_81a,bay1999, No dominant order \nwals_81a,rahn1902,SOV\ngb_107,bay1999,1\n"
)
REPLIES = (
    "feature,setting,repeat,grammar,text,label\n"
    'wals_81a,bm25,1,bay1999,"One.\r\nTwo\x0c\ufffd",sov\n'
    "wals_81a,bm25,0,bay1999,,\n"
    "wals_81a,bm25,0,rahn1902,Je\u0301,svo\n"
    "wals_81a,baseline,0,rahn1902,x,\n"
)
PROMPTS = (
    "feature,grammar,role,content\n"
    "wals_81a,bay1999,system,You read.\nwals_81a,rahn1902,system,You read.\n"
    "wals_81a,rahn1902,user,And Teshi?\nwals_81a,bay1999,user,And Lumma?\n"
)


def write(folder: Path, **changed: str) -> Path:
    files = {"values_csv": VALUES, "replies_csv": REPLIES, "prompts_csv": PROMPTS, **changed}
    return small_pack(folder, **files)


def test_values_come_in_the_order_of_the_grammars(tmp_path):
    pack = load_pack(write(tmp_path / "toy"))
    assert list(pack.values("wals_81a").items()) == [
        ("rahn1902", "SOV"),
        ("bay1999", "No dominant order"),
    ]
    assert pack.values("gb_107") == {"bay1999": "1"}


def test_replies_come_by_repeat_and_in_the_order_of_the_grammars(tmp_path):
    pack = load_pack(write(tmp_path / "toy"))
    assert pack.reply_settings("wals_81a") == ["bm25", "baseline"]
    assert pack.reply_settings("gb_107") == []
    found = pack.replies("wals_81a", "bm25")
    assert [(repeat, list(of)) for repeat, of in found.items()] == [
        (0, ["rahn1902", "bay1999"]),
        (1, ["bay1999"]),
    ]
    assert found[0]["rahn1902"] == RecordedReply("wals_81a", "bm25", 0, "rahn1902", "Jé", "svo")
    assert found[0]["bay1999"].text == ""
    assert found[1]["bay1999"].text == "One.\r\nTwo\x0c\ufffd"


def test_prompts_keep_the_order_of_their_messages(tmp_path):
    pack = load_pack(write(tmp_path / "toy"))
    assert list(pack.prompts("wals_81a").items()) == [
        ("rahn1902", (Message("system", "You read."), Message("user", "And Teshi?"))),
        ("bay1999", (Message("system", "You read."), Message("user", "And Lumma?"))),
    ]


def test_labels_need_not_be_there(tmp_path):
    replies = "feature,setting,repeat,grammar,text\nwals_81a,bm25,0,bay1999,SOV\n"
    pack = load_pack(write(tmp_path / "toy", replies_csv=replies))
    assert pack.replies("wals_81a", "bm25")[0]["bay1999"].label == ""


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda pack: pack.values("wals_8a"), r"no values for the feature 'wals_8a'.*'wals_81a'"),
        (lambda pack: pack.replies("gb_107", "bm25"), r"no recorded replies for the feature.*wals"),
        (
            lambda pack: pack.replies("wals_81a", "bm52"),
            r"in the setting 'bm52'. Did you mean 'bm25'\? It has: baseline, bm25",
        ),
        (lambda pack: pack.prompts("gb_107"), r"no recorded prompts for the feature 'gb_107'"),
    ],
)
def test_what_is_not_there_is_said_with_what_there_is(tmp_path, ask, said):
    with pytest.raises(GrambenchError, match=said):
        ask(load_pack(write(tmp_path / "toy")))


def test_a_pack_without_these_tables_has_none(tmp_path):
    pack = load_pack(small_pack(tmp_path / "toy"))
    assert (pack.annotations, pack.recorded_replies, pack.recorded_prompts) == ({}, {}, {})
    with pytest.raises(GrambenchError, match="It has none at all"):
        pack.values("wals_81a")


def test_faulty_values_are_told_row_by_row(tmp_path):
    rows = (
        "wals_81a,bay1999,SOV\nwals_81a,bay1999,SVO\n,bay1999,1\ngb_107,nobody,1\ngb_107,bay1999,\n"
    )
    folder = write(tmp_path / "toy", values_csv=f"feature,grammar,value\n{rows}")
    with pytest.raises(GrambenchError) as caught:
        load_pack(folder)
    assert [line.strip() for line in str(caught.value).splitlines()[1:-1]] == [
        "values.csv, row 3: grammar 'bay1999' stands twice for wals_81a",
        "values.csv, row 4: no feature",
        "values.csv, row 5: unknown grammar 'nobody'",
        "values.csv, row 6: no value for 'bay1999'",
    ]


def test_faulty_replies_are_told_row_by_row_when_they_are_asked_for(tmp_path):
    header = "feature,setting,repeat,grammar,text,label\n"
    rows = [
        *["f,s,0,bay1999,a,", "f,s,0,bay1999,b,", "f,s,-1,bay1999,a,", "f,s,1.5,bay1999,a,"],
        *["f,,0,bay1999,a,", ",s,0,bay1999,a,", "f,s,0,nobody,a,"],
    ]
    pack = load_pack(write(tmp_path / "toy", replies_csv=header + "\n".join(rows)))
    with pytest.raises(GrambenchError, match=r"'toy' in .* cannot be used") as caught:
        pack.replies("f", "s")
    assert [line.strip() for line in str(caught.value).splitlines()[1:-1]] == [
        "replies.csv, row 3: a second reply on 'bay1999' for f / s / 0",
        "replies.csv, row 4: repeat '-1' is not a whole number from 0 on",
        "replies.csv, row 5: repeat '1.5' is not a whole number from 0 on",
        "replies.csv, row 6: no setting",
        "replies.csv, row 7: no feature",
        "replies.csv, row 8: unknown grammar 'nobody'",
    ]


def test_faulty_prompts_are_told_row_by_row_when_they_are_asked_for(tmp_path):
    rows = "f,bay1999,narrator,a\nf,nobody,user,a\nf,bay1999,user, \n,bay1999,user,a\n"
    pack = load_pack(write(tmp_path / "toy", prompts_csv=f"feature,grammar,role,content\n{rows}"))
    with pytest.raises(GrambenchError) as caught:
        pack.prompts("f")
    assert [line.strip() for line in str(caught.value).splitlines()[1:-1]] == [
        "prompts.csv, row 2: role 'narrator' is none of system, user, assistant",
        "prompts.csv, row 3: unknown grammar 'nobody'",
        "prompts.csv, row 4: the message for 'bay1999' has no content",
        "prompts.csv, row 5: no feature",
    ]


@pytest.mark.parametrize("table", ["values", "replies", "prompts"])
def test_columns_must_be_there(tmp_path, table):
    folder = write(tmp_path / "toy", **{f"{table}_csv": "feature\nf\n"})
    with pytest.raises(GrambenchError, match=f"{table}.csv: no column 'grammar'"):
        pack = load_pack(folder)
        assert not (pack.recorded_replies and pack.recorded_prompts)


def test_a_column_of_labels_that_is_misspelt_is_refused(tmp_path):
    replies = "feature,setting,repeat,grammar,text,lable\nf,s,0,bay1999,a,sov\n"
    pack = load_pack(write(tmp_path / "toy", replies_csv=replies))
    with pytest.raises(GrambenchError, match=r"unknown column 'lable'. Did you mean 'label'"):
        pack.replies("f", "s")


def test_replies_are_read_on_demand_and_once(tmp_path, monkeypatch):
    reads = []
    original = packs.reading_replies.read_replies
    monkeypatch.setattr(
        packs.reading_replies, "read_replies", lambda *a: reads.append(a) or original(*a)
    )
    pack = load_pack(write(tmp_path / "toy"))
    assert reads == []
    assert pack.replies("wals_81a", "bm25") == pack.replies("wals_81a", "bm25")
    assert len(reads) == 1


def test_replies_that_were_changed_after_loading_are_refused(tmp_path):
    folder = write(tmp_path / "toy")
    pack, other = load_pack(folder), load_pack(folder)
    assert other is pack
    (folder / "replies.csv").write_bytes(REPLIES.encode() + b"wals_81a,x,0,bay1999,x,\n")
    (folder / "values.csv").write_bytes(b"feature,grammar,value\n")
    with pytest.raises(GrambenchError, match=r"replies of the pack 'toy' .*were changed after"):
        pack.replies("wals_81a", "x")
    # Those of the prompts, which are as they were, can be had.
    assert len(pack.prompts("wals_81a")) == 2
    assert load_pack(folder).reply_settings("wals_81a") == ["bm25", "baseline", "x"]


@pytest.mark.parametrize("table", ["values", "replies", "prompts"])
def test_every_table_counts_for_the_digest(tmp_path, table):
    whole = write(tmp_path / "toy")
    without = write(tmp_path / "other", **{f"{table}_csv": None})
    assert pack_digest(whole) != pack_digest(without)


def test_a_pack_is_read_as_it_was_written(tmp_path):
    pack = load_pack(write(tmp_path / "toy"))
    replies = [
        reply
        for repeats in pack.recorded_replies["wals_81a"].values()
        for of in repeats.values()
        for reply in of.values()
    ]
    tables = PackTables(
        pack.grammars,
        values={"wals_81a": pack.values("wals_81a")},
        replies=replies,
        prompts=pack.recorded_prompts,
    )
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        write_tables(tmp_path / name, tables)
    assert pack_digest(tmp_path / "one") == pack_digest(tmp_path / "two")
    (tmp_path / "one" / "SOURCE.yaml").write_text("origin: invented\n")
    again = load_pack(tmp_path / "one")
    assert again.values("wals_81a") == pack.values("wals_81a")
    assert again.recorded_replies == pack.recorded_replies
    assert again.recorded_prompts == pack.recorded_prompts
    files = {path.name for path in (tmp_path / "one").iterdir()}
    assert files >= {"values.csv", "replies.parquet", "prompts.parquet"}


def test_parquet_of_other_hands_is_checked_too(tmp_path):
    folder = small_pack(tmp_path / "toy")
    cells = [["f"], ["s"], [-1], ["bay1999"], ["a"], [""]]
    write_parquet(folder / "replies.parquet", dict(zip(REPLY_COLUMNS, cells, strict=True)))
    cells = [["f"], ["bay1999"], ["user"], [""]]
    write_parquet(folder / "prompts.parquet", dict(zip(PROMPT_COLUMNS, cells, strict=True)))
    pack = load_pack(folder)
    with pytest.raises(GrambenchError, match=r"replies.parquet, row 1: repeat '-1'"):
        pack.replies("f", "s")
    with pytest.raises(GrambenchError, match=r"prompts.parquet, row 1: the message .* no content"):
        pack.prompts("f")


def test_a_pack_is_described_with_all_of_it(tmp_path):
    pack = load_pack(write(tmp_path / "toy"))
    assert pack_row(pack)[8:11] == ["3", "4", "2"]
    facts = dict(pack_facts(pack))
    assert facts["values"] == "2 for wals_81a, 1 for gb_107"
    assert (facts["recorded replies"], facts["recorded prompts"]) == ("4", "2")
    assert value_table(pack)[1] == [
        ["wals_81a", "No dominant order", "1"],
        ["wals_81a", "SOV", "1"],
        ["gb_107", "1", "1"],
    ]
    header, rows = reply_table(pack)
    assert header == [
        *["feature", "setting", "repeats", "grammars", "replies", "empty", "without label"],
    ]
    assert rows == [
        ["wals_81a", "bm25", "2", "2", "3", "1", "1"],
        ["wals_81a", "baseline", "1", "1", "1", "0", "1"],
    ]
    assert prompt_table(pack)[1] == [["wals_81a", "2", "system, user", "19"]]


def test_an_empty_value_of_a_grammar_is_no_record(tmp_path):
    (tmp_path / "toy").mkdir()
    write_tables(tmp_path / "toy", PackTables([Grammar("x", "X")], values={"f": {}}))
    assert not (tmp_path / "toy" / "values.csv").exists()
