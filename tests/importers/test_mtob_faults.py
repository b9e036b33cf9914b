from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from src.errors import GrambenchError
from src.importers.mtob import import_mtob
from tests.importers.spoiling import benchmark, change, metrics, report
from tests.mtob_clone import (
    ORVANE,
    SUMMARIES,
    TSIMSHIAN,
    UNKNOWN,
    Clone,
    Row,
    read_rows,
    write_clone,
    write_rows,
)


def _cell(row: int, column: str, value: str) -> Callable[[Clone], None]:
    return lambda clone: change(benchmark(clone, ORVANE), row, column, value)


def _file(content: bytes) -> Callable[[Clone], None]:
    def spoil(clone: Clone) -> None:
        benchmark(clone, ORVANE).write_bytes(content)

    return spoil


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_file(b"Paragraph,Note\na,1\n"), ["no column 'Annotation'", "'Note'"]),
        (
            _cell(5, "Annotation", "2.4"),
            ["row 5, column 'Annotation': unknown grade", "'2.4' is none of 0, 1, 2.1, 2.2, 2.3"],
        ),
        (_cell(2, "Annotation", ""), ["row 2, column 'Annotation': unknown grade"]),
        (_cell(3, "Paragraph", " \n\f"), ["row 3, column 'Paragraph': empty paragraph"]),
        (
            _file(b"Paragraph,Annotation\ncaf\xe9,1\n"),
            ["not UTF-8: byte 0xe9 at offset 24 (line 2)"],
        ),
        (_file(b'Paragraph,Annotation\n"never closed,1\n'), ["(not CSV near line"]),
        (
            _file(b"Paragraph,Annotation\na,1,2\n"),
            ["row 2: row of another length (3 fields, the header has 2)"],
        ),
        (_file(b"Paragraph,Annotation\n"), ["no paragraphs"]),
        (_file(b""), ["the header has nothing"]),
        (
            _file(b"Paragraph,Annotation,Paragraph\na,1,b\n"),
            ["column 'Paragraph': a column stands there twice"],
        ),
    ],
)
def test_a_spoilt_grammar_stops_the_import_or_is_left_out_whole(clone, folder, spoil, said):
    spoil(clone)
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    assert f"rerankers_benchmark/{ORVANE}.csv" in str(caught.value)
    assert all(part in str(caught.value) for part in said)
    assert not folder.parent.exists()

    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert [grammar.id for grammar in pack.grammars] == [TSIMSHIAN, UNKNOWN]
    assert len(pack.paragraphs) == 16
    assert all(len(scores) == 16 for scores in pack.recorded.values())
    noted = {(row["level"], row["file"], row["what"]) for row in report(folder)}
    assert ("skipped", f"rerankers_benchmark/{ORVANE}.csv", "grammar left out") in noted
    assert ("skipped", f"rerankers_metrics/{ORVANE}.csv", "score file left out") in noted
    assert any(
        row["level"] == "error" and row["file"].endswith(f"{ORVANE}.csv") for row in report(folder)
    )


def _unmatched_text(clone: Clone) -> None:
    change(metrics(clone, ORVANE), 3, "bge-en-icl Specific Instruct Paragraphs", "Another text.")


def _unmatched_grade(clone: Clone) -> None:
    column = "bge-en-icl Specific Instruct Relevance Score"
    path = metrics(clone, ORVANE)
    rows = read_rows(path)
    old = rows[1][rows[0].index(column)]
    change(path, 2, column, "3" if old != "3" else "4")


def _lost_row(clone: Clone) -> None:
    write_rows(metrics(clone, ORVANE), read_rows(metrics(clone, ORVANE))[:-1])


def _no_number(clone: Clone) -> None:
    change(metrics(clone, ORVANE), 4, "bge-en-icl Default Instruct Cosine Similarity", "n/a")


def _infinite(clone: Clone) -> None:
    change(metrics(clone, ORVANE), 4, "bge-en-icl Default Instruct Cosine Similarity", "inf")


def _no_similarities(clone: Clone) -> None:
    path = metrics(clone, ORVANE)
    rows = read_rows(path)
    lost = rows[0].index("NV-Retriever-v1 Default Instruct Cosine Similarity")
    write_rows(path, [row[:lost] + row[lost + 1 :] for row in rows])


def _other_columns(clone: Clone) -> None:
    write_rows(metrics(clone, ORVANE), [["a", "b"], ["c", "d"]])


def _not_utf8(clone: Clone) -> None:
    metrics(clone, ORVANE).write_bytes(b"\xff\xfe")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (
            _unmatched_text,
            ["column 'bge-en-icl Specific Instruct'", "'Another text.'", "not there"],
        ),
        (_unmatched_grade, ["paragraphs do not match", "graded", "here and"]),
        (_lost_row, ["1 of 8 candidates have no score"]),
        (_no_number, ["row 4, column 'bge-en-icl Default Instruct Cosine Similarity'", "'n/a'"]),
        (_infinite, ["no finite score", "'inf'"]),
        (_no_similarities, ["no column 'Cosine Similarity'", "NV-Retriever-v1 / default / summ"]),
        (_other_columns, ["no scores"]),
        (_not_utf8, ["not UTF-8"]),
    ],
)
def test_a_spoilt_score_file_stops_the_import_or_is_left_out_whole(clone, folder, spoil, said):
    spoil(clone)
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    assert f"rerankers_metrics/{ORVANE}.csv" in str(caught.value)
    assert all(part in str(caught.value) for part in said)
    assert not folder.parent.exists()

    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert len(pack.paragraphs) == 24
    assert len(pack.score_sets()) == 28
    for scores in pack.recorded.values():
        assert not any(paragraph.startswith(ORVANE) for paragraph in scores)
        assert len(scores) == 16


def test_scores_of_an_unknown_grammar_are_refused(clone, folder):
    shutil.copy(metrics(clone, ORVANE), metrics(clone, "nobody1900grammar"))
    with pytest.raises(GrambenchError, match="scores of an unknown grammar"):
        import_mtob(clone.root, folder)
    assert len(import_mtob(clone.root, folder, skip_invalid=True).pack.grammars) == 3


def test_scores_of_the_same_grammar_twice_are_refused(clone, folder):
    if metrics(clone, ORVANE.upper()).exists():
        pytest.skip("a file system that does not tell cases apart")
    shutil.copy(metrics(clone, ORVANE), metrics(clone, ORVANE.upper()))
    with pytest.raises(GrambenchError, match="scores of the same grammar twice"):
        import_mtob(clone.root, folder)
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert all(len(scores) == 16 for scores in pack.recorded.values())


@pytest.mark.parametrize("twin", [ORVANE.upper(), "almeida1931other"])
def test_the_same_grammar_twice_is_refused(clone, folder, twin):
    if benchmark(clone, twin).exists():
        pytest.skip("a file system that does not tell cases apart")
    shutil.copy(benchmark(clone, ORVANE), benchmark(clone, twin))
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    assert "the same grammar twice" in str(caught.value)
    assert f"{twin}.csv" in str(caught.value)
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert [grammar.id for grammar in pack.grammars] == [TSIMSHIAN, UNKNOWN]


def test_names_that_differ_in_unicode_form_only_are_the_same_grammar(tmp_path, folder):
    rows = [Row("One.", 1)], [Row("Two.", 2)]
    stems = ["carr\u00e91990x", "carre\u03011990x"]
    clone = write_clone(tmp_path / "clone", dict(zip(stems, rows, strict=True)))
    with pytest.raises(GrambenchError, match="the same grammar twice"):
        import_mtob(clone.root, folder)


def test_all_faults_are_told_at_once(clone, folder):
    for row in range(2, 8):
        change(benchmark(clone, ORVANE), row, "Annotation", "7")
    _no_number(clone)
    change(metrics(clone, UNKNOWN), 2, "bge-en-icl Default Instruct Cosine Similarity", "x")
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    message = str(caught.value)
    assert "(7 problems)" in message
    assert message.count("unknown grade") == 6
    assert "--skip-invalid" in message


def test_beyond_twenty_faults_the_rest_is_counted(tmp_path, folder):
    rows = [Row(f"Paragraph {number}.", 1) for number in range(23)]
    clone = write_clone(tmp_path / "clone", {ORVANE: rows})
    for row in range(2, 25):
        change(benchmark(clone, ORVANE), row, "Annotation", "7")
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    message = str(caught.value)
    assert "(23 problems)" in message
    assert message.count("unknown grade") == 20
    assert "... and 3 more" in message


def test_a_clone_with_nothing_sound_is_refused_even_so(tmp_path, folder):
    clone = write_clone(tmp_path / "clone", {ORVANE: [Row("One.", 1)]})
    change(benchmark(clone, ORVANE), 2, "Annotation", "9")
    with pytest.raises(GrambenchError, match="no grammar without a fault"):
        import_mtob(clone.root, folder, skip_invalid=True)
    assert not folder.parent.exists()


def test_what_is_no_clone_is_refused(tmp_path, clone, folder):
    with pytest.raises(GrambenchError, match="is not a folder"):
        import_mtob(tmp_path / "nowhere", folder)
    with pytest.raises(GrambenchError, match="is no clone of https"):
        import_mtob(tmp_path, folder)
    inside = clone.root / "rerankers_benchmark"
    with pytest.raises(GrambenchError, match=f"Do you mean {clone.root}"):
        import_mtob(inside, folder)
    assert not folder.parent.exists()


def prompts(clone: Clone) -> Path:
    return clone.root / "RAG Prompts" / "GB 107" / "baseline.jsonl"


def test_a_definition_that_differs_is_noted_and_the_common_one_taken(clone, folder):
    lines = prompts(clone).read_text(encoding="utf-8").splitlines()
    prompts(clone).write_text("\n".join([lines[0].replace("opposite", "contrary"), *lines[1:]]))
    pack = import_mtob(clone.root, folder).pack
    assert pack.query("gb_107", "summary") == SUMMARIES["GB 107"][1]
    what = "another definition than in most rows"
    (noted,) = [row for row in report(folder) if row["what"] == what]
    assert (noted["level"], noted["row"]) == ("warning", "1")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{not json", "no prompt"),
        ('{"body": {}}', "no prompt"),
        ('{"body": {"messages": [{"role": "user", "content": ["a"]}]}}', "no prompt"),
        (
            json.dumps({"body": {"messages": [{"role": "user", "content": "Definition of x: y"}]}}),
            "no definition in the prompt",
        ),
        (
            json.dumps(
                {"body": {"messages": [{"role": "user", "content": "Definition of x:\n\n"}]}}
            ),
            "no definition in the prompt",
        ),
        (
            json.dumps(
                {"body": {"messages": [{"role": "user", "content": "Definition of x:\n\ud800"}]}}
            ),
            "no prompt",
        ),
        ("", "no prompts"),
    ],
)
def test_spoilt_prompts_stop_the_import_or_the_query_is_left_out(clone, folder, line, said):
    prompts(clone).write_text(line + "\n", encoding="utf-8")
    with pytest.raises(GrambenchError, match=said):
        import_mtob(clone.root, folder)
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert list(pack.queries) == ["wals_116a", "wals_49a", "wals_81a"]
