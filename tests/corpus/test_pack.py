from __future__ import annotations

import csv
import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from src.corpus import reading
from src.corpus.pack import load_pack
from src.corpus.reading import SCORE_COLUMNS
from src.errors import GrambenchError
from src.records import Grammar
from tests.corpus.small_pack import FILES, small_pack

ROOT = Path(__file__).parents[2]


def fault(folder) -> str:
    with pytest.raises(GrambenchError) as caught:
        load_pack(folder)
    return str(caught.value)


def test_a_pack_is_read_into_records(tmp_path):
    pack = load_pack(small_pack(tmp_path / "toy"))
    assert pack.name == "toy"
    assert pack.path == tmp_path / "toy"
    assert pack.source == {"origin": "invented", "licence": "CC0"}
    assert pack.grammars[0] == Grammar("rahn1902", "Teshi", glottocode="tesh1234")
    assert [g.id for g in pack.grammars] == ["rahn1902", "bay1999"]
    assert list(pack.paragraphs) == ["rahn1902/001", "rahn1902/002", "bay1999/001"]
    assert pack.paragraphs["rahn1902/001"].pages == (3, 4, 9)
    assert pack.paragraphs["rahn1902/002"].pages == ()
    assert pack.features() == ["wals_81a", "gb_107"]


def test_graded_paragraphs_keep_the_order_of_the_grades(tmp_path):
    graded = load_pack(small_pack(tmp_path / "toy")).graded("wals_81a")
    assert {g: [(p.id, grade) for p, grade in rows] for g, rows in graded.items()} == {
        "rahn1902": [("rahn1902/002", 0), ("rahn1902/001", 5)],
        "bay1999": [("bay1999/001", 1)],
    }
    # A grammar without grades for a feature is not there.
    assert list(load_pack(tmp_path / "toy").graded("gb_107")) == ["bay1999"]


def test_queries_and_scores_go_by_name(tmp_path):
    pack = load_pack(small_pack(tmp_path / "toy"))
    assert pack.query("wals_81a", "summary") == "How words are ordered."
    assert pack.score_sets() == [
        ("m1", "default", "term", "wals_81a"),
        ("m1", "specific", "summary", "wals_81a"),
    ]
    assert pack.scores("m1", "default", "term", "wals_81a") == {
        "rahn1902/001": 0.5,
        "rahn1902/002": 0.25,
    }


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda p: p.graded("wals_81"), ["'wals_81'", "Did you mean 'wals_81a'?"]),
        (lambda p: p.query("gb_107", "summary"), ["'gb_107'", "It has: wals_81a"]),
        (lambda p: p.query("wals_81a", "sumary"), ["'sumary'", "Did you mean 'summary'?"]),
        (lambda p: p.scores("m2", "default", "term", "wals_81a"), ["'m2'", "It has: m1"]),
        (
            lambda p: p.scores("m1", "default", "summary", "wals_81a"),
            ["query 'summary'", "default / term / wals_81a, specific / summary / wals_81a"],
        ),
    ],
)
def test_what_a_pack_lacks_is_said_with_what_it_has(tmp_path, ask, said):
    pack = load_pack(small_pack(tmp_path / "toy"))
    with pytest.raises(GrambenchError) as caught:
        ask(pack)
    assert all(part in str(caught.value) for part in ["'toy'", *said])


def test_only_grammars_and_source_are_needed(tmp_path):
    nothing = dict.fromkeys(["paragraphs_csv", "grades_csv", "queries_yaml", "scores_csv"])
    pack = load_pack(small_pack(tmp_path / "toy", **nothing))
    assert len(pack.grammars) == 2
    assert pack.score_sets() == []
    for ask in (
        lambda: pack.graded("wals_81a"),
        lambda: pack.query("wals_81a", "summary"),
        lambda: pack.scores("m1", "default", "term", "wals_81a"),
    ):
        with pytest.raises(GrambenchError, match="none at all"):
            ask()


PARAGRAPHS, GRADES, SCORES = (FILES[f"{n}.csv"] for n in ("paragraphs", "grades", "scores"))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"SOURCE_yaml": None}, "SOURCE.yaml: missing file"),
        ({"SOURCE_yaml": "just text"}, "SOURCE.yaml: not a mapping"),
        ({"SOURCE_yaml": "a: 1\na: 2\n"}, "SOURCE.yaml: 'a' stands there twice"),
        ({"SOURCE_yaml": "a: [1\n"}, "SOURCE.yaml: not YAML"),
        ({"grammars_csv": None}, "grammars.csv: missing file"),
        ({"grammars_csv": "id,language\n"}, "grammars.csv: no grammars"),
        ({"grammars_csv": ""}, "grammars.csv: no header"),
        ({"grammars_csv": "id,lang\na,b\n"}, "no column 'language'. Is it called 'lang'?"),
        ({"grammars_csv": "id,id\na,b\n"}, "grammars.csv: a column's name stands"),
        (
            {"grammars_csv": "id,language,glotocode\na,b,c\n"},
            "grammars.csv: unknown column 'glotocode'. Did you mean 'glottocode'?",
        ),
        ({"grammars_csv": "id,language\na,b\na,c\n"}, "row 3: id 'a' stands there twice"),
        ({"grammars_csv": "id,language\n,b\n"}, "grammars.csv, row 2: no id"),
        ({"grammars_csv": "id,language\na,b,c\n"}, "row 2: 3 fields, but the header has 2"),
        ({"grammars_csv": 'id,language\n"a,b\n'}, "grammars.csv: not CSV near line"),
        (
            {"paragraphs_csv": PARAGRAPHS + "bay1999/001,bay1999,x,\n"},
            "paragraphs.csv, row 5: id 'bay1999/001' stands there twice",
        ),
        (
            {"paragraphs_csv": PARAGRAPHS + "x/001,x,text,\n"},
            "paragraphs.csv, row 5: paragraph 'x/001' is of an unknown grammar 'x'",
        ),
        (
            {"paragraphs_csv": PARAGRAPHS + 'bay1999/002,bay1999," \n\f ",\n'},
            "paragraphs.csv, row 5: paragraph 'bay1999/002' has no text",
        ),
        (
            {"paragraphs_csv": PARAGRAPHS + "bay1999/002,bay1999,x,iv\n"},
            "paragraphs.csv, row 5: pages 'iv' are not like",
        ),
        ({"paragraphs_csv": None}, "paragraphs.parquet: missing file, which grades.csv and scor"),
        ({"grades_csv": GRADES + "f,bay1999/001,6\n"}, "grades.csv, row 6: grade '6' is not a who"),
        ({"grades_csv": GRADES + "f,bay1999/001,2.5\n"}, "row 6: grade '2.5' is not a whole numb"),
        ({"grades_csv": GRADES + "f,bay1999/001,\n"}, "grades.csv, row 6: grade '' is not a whole"),
        ({"grades_csv": GRADES + "f,nobody,3\n"}, "row 6: unknown paragraph 'nobody'"),
        ({"grades_csv": GRADES + ",bay1999/001,3\n"}, "grades.csv, row 6: no feature"),
        ({"grades_csv": GRADES + "gb_107,bay1999/001,0\n"}, "graded twice for gb_107"),
        (
            {"scores_csv": SCORES + "m,i,q,f,bay1999/001,nan\n"},
            "row 5: score 'nan' is not a finite",
        ),
        ({"scores_csv": SCORES + "m,i,q,f,bay1999/001,\n"}, "row 5: score '' is not a finite num"),
        ({"scores_csv": SCORES + "m,i,q,f,nobody,1\n"}, "row 5: unknown paragraph 'nobody'"),
        (
            {"scores_csv": SCORES + "m1,default,term,wals_81a,rahn1902/001,1\n"},
            "row 5: paragraph 'rahn1902/001' has two scores of m1",
        ),
        ({"queries_yaml": "wals_81a: text\n"}, "key 'wals_81a': not a mapping of query names"),
        ({"queries_yaml": "wals_81a: {summary: 3}\n"}, "'summary': not a text"),
        ({"queries_yaml": "a: {b: c}\na: {d: e}\n"}, "queries.yaml: 'a' stands there twice"),
    ],
)
def test_every_fault_is_named_with_its_place(tmp_path, changed, said):
    assert said in fault(small_pack(tmp_path / "toy", **changed))


def test_all_faults_are_told_at_once_up_to_twenty(tmp_path):
    rows = "".join(f"wals_81a,nobody{n},7\n" for n in range(25))
    message = fault(
        small_pack(
            tmp_path / "toy", grades_csv=f"feature,paragraph,grade\n{rows}", SOURCE_yaml=None
        )
    )
    assert "(26 problems)" in message
    assert "SOURCE.yaml: missing file" in message
    assert message.count("\n  grades.csv, row ") == 19
    assert "... and 6 more" in message


def test_one_broken_table_does_not_cast_doubt_on_the_others(tmp_path):
    message = fault(small_pack(tmp_path / "toy", grammars_csv="id\nrahn1902\n"))
    assert "(1 problem)" in message


def test_text_that_is_not_utf8_is_refused_with_its_place(tmp_path):
    folder = small_pack(tmp_path / "toy")
    (folder / "grades.csv").write_bytes(b"feature,paragraph,grade\nwals_81a,rahn\xe9,3\n")
    assert "grades.csv: not UTF-8: byte 0xe9 at offset 37 (line 2)" in fault(folder)


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path):
    folder = small_pack(tmp_path / "toy")
    marked = b"\xef\xbb\xbf" + FILES["grammars.csv"].encode()
    (folder / "grammars.csv").write_bytes(marked)
    assert len(load_pack(folder).grammars) == 2


def test_a_table_in_two_forms_is_refused(tmp_path):
    folder = small_pack(tmp_path / "toy")
    pq.write_table(pa.table({"feature": ["a"]}), folder / "grades.parquet")
    assert "grades.csv and grades.parquet: the same table twice" in fault(folder)


def test_parquet_that_is_none_is_refused(tmp_path):
    folder = small_pack(tmp_path / "toy", paragraphs_csv=None)
    (folder / "paragraphs.parquet").write_bytes(b"PAR1 and nothing more")
    assert "paragraphs.parquet: not a Parquet file" in fault(folder)


@pytest.mark.parametrize("name", ["grades.csv", "queries.yaml", "SOURCE.yaml"])
def test_links_that_lead_out_of_the_pack_are_refused(tmp_path, name):
    folder = small_pack(tmp_path / "toy")
    shutil.move(folder / name, tmp_path / name)
    (folder / name).symlink_to(tmp_path / name)
    assert f"{name}: leads out of the pack's folder" in fault(folder)


def test_a_link_inside_the_pack_and_a_linked_pack_are_fine(tmp_path):
    folder = small_pack(tmp_path / "toy")
    (folder / "grades.csv").rename(folder / "kept.csv")
    (folder / "grades.csv").symlink_to("kept.csv")
    (tmp_path / "linked").symlink_to(folder)
    assert load_pack(tmp_path / "linked").name == "linked"


def test_text_becomes_nfc_and_nothing_else_changes(tmp_path):
    text = '  Le\u0301 \ufffd\f\x0b\x01 and\r\nmore\rlines\n, "quoted"\n '
    folder = small_pack(tmp_path / "toy", grades_csv=None, scores_csv=None)
    with (folder / "paragraphs.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [["id", "grammar", "text", "pages"], ["a/1", "bay1999", text, ""]]
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
    expected = text.replace("e\u0301", "\u00e9")
    assert load_pack(folder).paragraphs["a/1"].text == expected


def test_fields_may_be_as_long_as_grammars_need(tmp_path):
    text = "ö" * 1_500_000
    row = f"big/1,bay1999,{text},\n"
    pack = load_pack(small_pack(tmp_path / "toy", paragraphs_csv=PARAGRAPHS + row))
    assert pack.paragraphs["big/1"].text == text


def test_parquet_holds_the_same_as_csv(tmp_path):
    folder = small_pack(tmp_path / "toy")
    plain = load_pack(folder)
    for name in ("grades", "scores"):
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        convert = {"grade": int, "score": float}
        columns = {key: [convert.get(key, str)(row[key]) for row in rows] for key in rows[0]}
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
        (folder / f"{name}.csv").unlink()
    again = load_pack(folder)
    assert again.digest != plain.digest
    assert dataclasses.replace(again, digest="") == dataclasses.replace(plain, digest="")


@pytest.mark.parametrize("value", [3.0, True])
def test_parquet_grades_must_be_integers(tmp_path, value):
    folder = small_pack(tmp_path / "toy", grades_csv=None)
    columns = {"feature": ["f"], "paragraph": ["bay1999/001"], "grade": [value]}
    pq.write_table(pa.table(columns), folder / "grades.parquet")
    assert "grades.parquet, row 1: grade" in fault(folder)


def test_a_pack_that_is_not_there_is_said_with_the_nearest_and_all(tmp_path):
    small_pack(tmp_path / "toy")
    small_pack(tmp_path / "other")
    (tmp_path / "empty").mkdir()
    message = fault(tmp_path / "toi")
    assert "Did you mean 'toy'?" in message
    assert "Packs there: other, toy." in message
    assert "There are no packs there." in fault(tmp_path / "nowhere" / "toy")


def test_a_pack_is_read_once_until_it_changes(tmp_path):
    folder = small_pack(tmp_path / "toy")
    first = load_pack(folder)
    assert load_pack(str(folder)) is first
    changed = FILES["grades.csv"].replace("rahn1902/001,5", "rahn1902/001,4")
    (folder / "grades.csv").write_text(changed)
    # Equal in size; some file systems count time too coarsely to tell the two apart.
    os.utime(folder / "grades.csv", ns=(1, 1))
    second = load_pack(folder)
    assert second is not first
    assert second.digest != first.digest
    assert second.graded("wals_81a")["rahn1902"][1][1] == 4


def test_a_fault_is_not_remembered(tmp_path):
    folder = small_pack(tmp_path / "toy", SOURCE_yaml=None)
    fault(folder)
    (folder / "SOURCE.yaml").write_text(FILES["SOURCE.yaml"])
    assert load_pack(folder).name == "toy"


def swap(one: Path, other: Path) -> None:
    held = one.with_name("held")
    one.rename(held)
    other.rename(one)
    held.rename(other)


OTHER_IDS = {
    name: FILES[name.replace("_", ".")].replace("rahn1902/00", "rahn1902/10")
    for name in ("paragraphs_csv", "grades_csv", "scores_csv")
}


@pytest.mark.parametrize(
    "changed",
    [{"scores_csv": SCORES.replace("0.25", "0.75")}, OTHER_IDS],
    ids=["a mix without a fault", "a mix with faults"],
)
def test_a_pack_that_is_replaced_while_it_is_read_is_read_again(tmp_path, monkeypatch, changed):
    folder, new = small_pack(tmp_path / "toy"), small_pack(tmp_path / "new", **changed)
    old = load_pack(shutil.copytree(folder, tmp_path / "old"))
    expected = load_pack(new)
    read, times = reading.read_scores, []

    def replaced_meanwhile(*arguments):
        times.append(1)
        if len(times) == 1:
            swap(folder, new)
        return read(*arguments)

    monkeypatch.setattr(reading, "read_scores", replaced_meanwhile)
    pack = load_pack(folder)
    assert len(times) == 2
    assert dataclasses.replace(pack, name="new", path=new) == expected
    # The mixture is not remembered under the old pack's files either.
    swap(folder, new)
    assert dataclasses.replace(load_pack(folder), name="old", path=old.path) == old


def test_a_pack_that_never_stands_still_is_given_up(tmp_path, monkeypatch):
    folder = small_pack(tmp_path / "toy")
    read, times = reading.read_scores, []

    def touched_meanwhile(*arguments):
        times.append(1)
        os.utime(folder / "grades.csv", ns=(len(times), len(times)))
        return read(*arguments)

    monkeypatch.setattr(reading, "read_scores", touched_meanwhile)
    assert "The pack 'toy'" in (message := fault(folder))
    assert "was changed each of the 5 times" in message
    assert len(times) == 5


def test_a_table_that_excel_has_saved_is_read_as_before(tmp_path):
    """With a byte order mark, CRLF between rows, and LF inside a cell."""
    table = FILES["paragraphs.csv"].replace("The verb is last.", '"Gã, and ""first""\nlast"')
    plain = load_pack(small_pack(tmp_path / "plain" / "toy", paragraphs_csv=table))
    folder = small_pack(tmp_path / "toy")
    saved = table.replace("\n", "\r\n").replace('""\r\nlast', '""\nlast')
    (folder / "paragraphs.csv").write_bytes(b"\xef\xbb\xbf" + saved.encode())
    pack = load_pack(folder)
    assert pack.paragraphs == plain.paragraphs
    assert pack.paragraphs["rahn1902/001"].text == 'Gã, and "first"\nlast'


def test_who_has_no_source_yaml_is_told_what_to_write_into_it(tmp_path):
    folder = small_pack(tmp_path / "toy", SOURCE_yaml=None)
    lines = fault(folder).split("\n")
    start = next(n for n, line in enumerate(lines) if "SOURCE.yaml: missing file" in line)
    example = "\n".join(line.strip() for line in lines[start + 1 : start + 4]) + "\n"
    (folder / "SOURCE.yaml").write_text(example)
    assert list(load_pack(folder).source) == ["origin", "url", "licence"]


def test_neither_pandas_nor_models_are_loaded(tmp_path):
    folder = small_pack(tmp_path / "toy", scores_csv=None)
    pq.write_table(
        pa.table({name: ["x"] for name in SCORE_COLUMNS[:-1]} | {"score": [1.0]}),
        folder / "scores.parquet",
    )
    code = (
        "import sys\n"
        "from src.corpus.pack import load_pack\n"
        "from src.errors import GrambenchError\n"
        "try:\n    load_pack(sys.argv[1])\nexcept GrambenchError as error:\n    print(error)\n"
        "assert 'pyarrow' in sys.modules\n"
        "assert not {'pandas', 'torch', 'hydra', 'mlflow'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-c", code, str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "unknown paragraph 'x'" in done.stdout
