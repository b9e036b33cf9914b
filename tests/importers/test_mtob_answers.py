"""What the importer makes of gold values, recorded replies and the prompts of the baseline."""

from __future__ import annotations

import json
import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest

from src.corpus.pack import Pack
from src.errors import GrambenchError
from src.importers.mtob import import_mtob
from src.importers.mtob.answer_files import setting_of
from src.records import Message, RecordedReply
from tests.importers.spoiling import benchmark, change, report
from tests.mtob_answers import DECOMPOSED, HEADER, LAST, reply_file, with_answers
from tests.mtob_clone import ORVANE, Clone, prompt_file, read_rows, write_rows
from tests.mtob_retrieval import TESHI, ZHEL


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return with_answers(tmp_path / "clone")


def noted(folder: Path, what: str) -> list[tuple[str, str, str, str]]:
    rows = [row for row in report(folder) if row["what"] == what]
    return [(row["level"], row["file"], row["row"], row["column"]) for row in rows]


def test_values_are_the_annotations_as_they_stand(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    features = ["wals_81a", "gb_107", "wals_116a", "wals_49a"]
    assert {feature: pack.values(feature) for feature in features} == {
        "wals_81a": {ORVANE: "SOV", TESHI: "SVO"},
        "gb_107": {ORVANE: "0", TESHI: "1"},
        "wals_116a": {
            ORVANE: "Not mentioned in the grammar",
            TESHI: "Second position particle, Tone",
        },
        "wals_49a": {TESHI: "2 cases", ZHEL: "No case"},
    }
    assert pack.source["counts"]["values"] == 8


def test_replies_are_those_of_the_files_with_their_labels(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    assert pack.reply_settings("wals_81a") == ["baseline", "bm25", "oracle_cot"]
    assert pack.reply_settings("gb_107") == ["reranker_cot"]
    assert pack.reply_settings("wals_49a") == ["reranker"]
    baseline = pack.replies("wals_81a", "baseline")
    assert list(baseline) == [0, 1, 10]
    assert baseline[0][ORVANE] == RecordedReply("wals_81a", "baseline", 0, ORVANE, LAST, "sov")
    assert [reply.text for reply in baseline[1].values()] == ["Conclusion: OSV", "SVO"]
    oracle = pack.replies("wals_81a", "oracle_cot")
    assert [(reply.text, reply.label) for reply in oracle[0].values()] == [("", ""), ("SVO", "svo")]
    composed = unicodedata.normalize("NFC", DECOMPOSED)
    assert pack.replies("gb_107", "reranker_cot")[0][ORVANE].text == composed
    assert list(pack.replies("wals_49a", "reranker")[0]) == [TESHI, ZHEL]
    assert pack.source["counts"]["replies"] == 16
    file = "RAG Results/GB 107/reranker_with_guidelines.csv"
    assert ("info", file, "2", "Response") in noted(folder, "text composed to NFC")


def test_prompts_are_those_of_the_rows(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    assert list(pack.prompts("wals_49a")) == [TESHI, ZHEL]
    for grammar, language in {TESHI: "Teshi", ZHEL: "Zhel"}.items():
        system, user = pack.prompts("wals_49a")[grammar]
        assert system == Message("system", "You know grammars.")
        assert user.role == "user"
        assert user.content.startswith(f"\nWhat does {language} do?")
    assert pack.source["counts"]["prompts"] == 8


def test_what_is_as_it_should_be_is_not_noted(clone, folder):
    import_mtob(clone.root, folder)
    ours = {row["what"] for row in report(folder) if row["file"].startswith("RAG ")}
    assert ours == {"text composed to NFC"}


def test_importing_again_changes_nothing(clone, folder, tmp_path):
    landed = import_mtob(clone.root, folder)
    assert landed.verdict == "new"
    assert "values for 4 features, 16 recorded replies, 8 recorded prompts" in landed.told()[0]
    assert import_mtob(clone.root, folder).verdict == "same"
    copy = import_mtob(with_answers(tmp_path / "again").root, tmp_path / "other" / "mtob")
    for name in ("values.csv", "replies.parquet", "prompts.parquet"):
        assert (copy.pack.path / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize(
    ("stem", "expected"),
    [
        ("baseline", ("baseline", 0)),
        ("baseline_1", ("baseline", 1)),
        ("baseline_9", ("baseline", 9)),
        ("wikipedia_default", ("bm25", 0)),
        ("wikipedia_with_guidelines", ("bm25_cot", 0)),
        ("reranker_default", ("reranker", 0)),
        ("reranker_with_guidelines", ("reranker_cot", 0)),
        ("ablation_default", ("oracle", 0)),
        ("ablation_with_guidelines", ("oracle_cot", 0)),
        *[(name, None) for name in ("baseline_0", "baseline_01", "baseline_x", "Baseline")],
        *[(name, None) for name in ("wikipedia", "wikipedia_", "wikipedia_default_1", "oracle")],
    ],
)
def test_the_setting_is_told_by_the_file_s_name(stem, expected):
    assert setting_of(stem) == expected


def test_other_files_are_kept_out_and_noted(clone, folder):
    path = reply_file(clone, "GB 107", "reranker_with_guidelines")
    shutil.copy(path, path.with_name("summary_default.csv"))
    shutil.copy(path, path.with_name("notes.txt"))
    (path.parent / "old").mkdir()
    shutil.copy(path, path.parent / "old" / "baseline.csv")
    other = reply_file(clone, "WALS 1A", "baseline")
    other.parent.mkdir()
    shutil.copy(path, other)
    huge = clone.root / "RAG Prompts" / "GB 107" / "wikipedia_default.jsonl"
    huge.write_bytes(b"\xff never read")
    pack = import_mtob(clone.root, folder).pack
    assert pack.reply_settings("gb_107") == ["reranker_cot"]
    assert list(pack.recorded_replies) == ["wals_81a", "gb_107", "wals_116a", "wals_49a"]
    assert noted(folder, "replies left out") == [
        ("skipped", "RAG Results/GB 107/summary_default.csv", "", ""),
        ("skipped", "RAG Results/WALS 1A/baseline.csv", "", ""),
    ]
    assert noted(folder, "file ignored") == [
        ("info", "RAG Results/GB 107/notes.txt", "", ""),
        ("info", "RAG Results/GB 107/old/baseline.csv", "", ""),
        ("info", "RAG Prompts/GB 107/wikipedia_default.jsonl", "", ""),
    ]


@pytest.mark.parametrize("lost", ["RAG Results", "RAG Prompts"])
def test_a_clone_without_these_folders_is_imported(clone, folder, lost):
    shutil.rmtree(clone.root / lost)
    pack = import_mtob(clone.root, folder).pack
    assert (len(pack.recorded_replies), len(pack.recorded_prompts)) == (
        (0, 4) if lost == "RAG Results" else (4, 0)
    )
    assert ("warning", f"{lost}/", "", "") in [
        (row["level"], row["file"], row["row"], row["column"]) for row in report(folder)
    ]


def _change(row: int, column: str, value: str) -> Callable[[Clone], None]:
    return lambda clone: change(reply_file(clone, "WALS 81A", "baseline_1"), row, column, value)


def _no_labels(clone: Clone) -> None:
    path = reply_file(clone, "WALS 81A", "baseline_1")
    write_rows(path, [row[:3] for row in read_rows(path)])


def _short_row(clone: Clone) -> None:
    path = reply_file(clone, "WALS 81A", "baseline_1")
    write_rows(path, [HEADER, ["Orvane", "SOV"]])


def _bytes(clone: Clone) -> None:
    reply_file(clone, "WALS 81A", "baseline_1").write_bytes(b"\xff\xfe")


def _two_of_a_language(clone: Clone) -> None:
    change(clone.root / "ground_truth_rag.csv", 3, "Language", "Orvane")
    for place in (clone.root / "RAG Prompts").glob("*/baseline.jsonl"):
        place.unlink()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_change(2, "Language", "Orvana"), "row 2, column 'Language': reply on an unknown lang"),
        (_change(3, "Language", "Orvane"), "row 3, column 'Language': second reply on a language"),
        (_no_labels, "baseline_1.csv: no column 'Predicted'"),
        (_short_row, "row 2: row of another length (2 fields, the header has 4)"),
        (_bytes, "not UTF-8"),
        (_two_of_a_language, "row 2, column 'Language': reply on one of two grammars"),
    ],
)
def test_spoilt_replies_stop_the_import_or_are_left_out(clone, folder, spoil, said):
    spoil(clone)
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    assert said in str(caught.value)
    assert not folder.parent.exists()
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert 1 not in pack.recorded_replies.get("wals_81a", {}).get("baseline", {})
    assert pack.reply_settings("wals_49a") == ["reranker"]
    file = "RAG Results/WALS 81A/baseline_1.csv"
    assert ("skipped", file, "", "") in noted(folder, "replies left out")


def test_a_row_that_is_left_out_is_no_second_grammar(clone, folder):
    table = clone.root / "ground_truth_rag.csv"
    rows = read_rows(table)
    write_rows(table, [*rows, rows[-1]])
    pack = import_mtob(clone.root, folder).pack
    assert {len(of) for of in pack.replies("wals_81a", "baseline").values()} == {2}
    assert noted(folder, "row left out") == [("warning", table.name, "4", "Filename")]
    assert noted(folder, "no reply") == []


def test_the_same_replies_twice_are_refused(clone, folder):
    one = clone.root / "RAG Results" / "GB 107"
    shutil.copytree(one, one.with_name("gb 107"))
    with pytest.raises(GrambenchError, match="replies of the same feature and setting twice"):
        import_mtob(clone.root, folder)
    assert "gb_107" not in import_mtob(clone.root, folder, skip_invalid=True).pack.recorded_replies


def test_a_gold_value_that_differs_is_noted_and_the_table_s_is_used(clone, folder):
    _change(3, "Target", "SOV")(clone)
    pack = import_mtob(clone.root, folder).pack
    assert pack.values("wals_81a")[TESHI] == "SVO"
    assert len(pack.replies("wals_81a", "baseline")[1]) == 2
    assert noted(folder, "another gold value than the table's") == [
        ("warning", "RAG Results/WALS 81A/baseline_1.csv", "3", "Target")
    ]


def test_languages_without_reply_and_columns_that_nobody_knows_are_noted(clone, folder):
    path = reply_file(clone, "WALS 81A", "baseline_1")
    write_rows(path, [[*row, "5"] for row in read_rows(path)[:2]])
    change(path, 1, "5", "Seconds")
    pack = import_mtob(clone.root, folder).pack
    assert list(pack.replies("wals_81a", "baseline")[1]) == [ORVANE]
    file = "RAG Results/WALS 81A/baseline_1.csv"
    assert noted(folder, "no reply") == [("warning", file, "", "")]
    assert noted(folder, "unexpected column") == [("warning", file, "", "Seconds")]


def test_a_grammar_that_is_left_out_has_no_values_replies_and_prompts(clone, folder):
    change(benchmark(clone, ORVANE), 3, "Annotation", "9")
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert pack.values("wals_81a") == {TESHI: "SVO"}
    assert [list(of) for of in pack.replies("wals_81a", "baseline").values()] == [[TESHI]] * 3
    assert list(pack.prompts("wals_81a")) == [TESHI]
    assert len(noted(folder, "reply left out")) == 7
    assert len(noted(folder, "prompt left out")) == 3


def test_an_empty_value_is_noted_and_tables_that_differ_too(clone, folder):
    change(clone.root / "ground_truth_rag.csv", 3, "GB 107", " ")
    second = clone.root / "ground_truth_rag_number_of_cases.csv"
    rows = read_rows(second)
    write_rows(second, [[*rows[0], "WALS 81A"], [*rows[1], "VSO"], [*rows[2], "SOV"]])
    pack = import_mtob(clone.root, folder).pack
    assert pack.values("gb_107") == {ORVANE: "0"}
    assert pack.values("wals_81a") == {ORVANE: "SOV", TESHI: "SVO", ZHEL: "SOV"}
    assert noted(folder, "no gold value") == [("warning", "ground_truth_rag.csv", "3", "GB 107")]
    assert noted(folder, "gold values differ") == [("warning", second.name, "2", "WALS 81A")]


def _lines(clone: Clone) -> list[dict]:
    text = prompt_file(clone.root, "WALS 81A").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def _spoil(change_one: Callable[[dict], object]) -> Callable[[Clone], None]:
    def spoil(clone: Clone) -> None:
        lines = _lines(clone)
        change_one(lines[1])
        text = "\n".join(map(json.dumps, lines))
        prompt_file(clone.root, "WALS 81A").write_text(text, encoding="utf-8", newline="")

    return spoil


def _role(line: dict) -> None:
    line["body"]["messages"][0]["role"] = "developer"


def _empty(line: dict) -> None:
    line["body"]["messages"][0]["content"] = " "


def _reversed(line: dict) -> None:
    line["body"]["messages"].reverse()


def _other_language(line: dict) -> None:
    user = line["body"]["messages"][1]
    user["content"] = user["content"].replace("Teshi", "Lumma")


@pytest.mark.parametrize(
    ("change_one", "said"),
    [
        (lambda line: line.pop("custom_id"), "row 2: no prompt (KeyError: 'custom_id')"),
        (
            lambda line: line.update(custom_id="r-2"),
            "row 2: no prompt (ValueError: custom_id 'r-2'",
        ),
        (lambda line: line.update(custom_id="request-3"), "row 2: prompt on no row (request-3"),
        (lambda line: line.update(custom_id="request-1"), "row 2: second prompt on a row (request"),
        (_other_language, "row 2: prompt on another language (row 2 of the table is about 'Teshi'"),
        (_role, "row 2: no prompt (ValueError: role 'developer' is none of system, user, assist"),
        (_empty, "row 2: no prompt (ValueError: a message without text"),
        (_reversed, "row 2: no prompt (ValueError: the last message is not the user's"),
    ],
)
def test_spoilt_prompts_stop_the_import_or_are_left_out(clone, folder, change_one, said):
    _spoil(change_one)(clone)
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    assert f"RAG Prompts/WALS 81A/baseline.jsonl, {said}" in str(caught.value)
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert list(pack.recorded_prompts) == ["gb_107", "wals_116a", "wals_49a"]
    # The query is the same whichever rows the prompts are on.
    assert "wals_81a" in pack.queries


def test_prompts_that_are_nested_without_end_are_no_prompts(clone, folder):
    prompt_file(clone.root, "WALS 81A").write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(GrambenchError, match=r"row 1: no prompt \(RecursionError"):
        import_mtob(clone.root, folder)


def test_a_prompt_that_is_missing_is_noted(clone, folder):
    prompts = _lines(clone)
    prompt_file(clone.root, "WALS 81A").write_text(json.dumps(prompts[1]), encoding="utf-8")
    pack: Pack = import_mtob(clone.root, folder).pack
    assert list(pack.prompts("wals_81a")) == [TESHI]
    file = "RAG Prompts/WALS 81A/baseline.jsonl"
    assert noted(folder, "no prompt") == [("warning", file, "", "")]


def test_without_ground_truth_nothing_can_be_assigned(clone, folder):
    for path in clone.root.glob("ground_truth*.csv"):
        path.unlink()
    pack = import_mtob(clone.root, folder).pack
    assert (pack.annotations, pack.recorded_replies, pack.recorded_prompts) == ({}, {}, {})
    assert len(noted(folder, "replies left out")) == 8
    assert len(noted(folder, "prompts not used")) == 4
