from __future__ import annotations

import shutil
import subprocess
import unicodedata
from pathlib import Path

import pytest

from src.importers.mtob import import_mtob
from src.importers.mtob.metadata import known_facts
from tests.importers.spoiling import benchmark, change, metrics, report
from tests.mtob_clone import (
    INSTRUCTS,
    MODELS,
    ORVANE,
    QUERIES,
    SUMMARIES,
    TSIMSHIAN,
    UNKNOWN,
    Row,
    read_rows,
    write_clone,
    write_rows,
)


def test_paragraphs_and_grades_come_in_candidate_order(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    assert list(pack.paragraphs)[:2] == [f"{ORVANE}/001", f"{ORVANE}/002"]
    for stem, graded in pack.graded("wals_81a").items():
        assert [grade for _, grade in graded] == clone.grades(stem)
        assert [paragraph.text for paragraph, _ in graded] == [
            unicodedata.normalize("NFC", row.text) for row in clone.grammars[stem]
        ]
    assert pack.paragraphs[f"{ORVANE}/001"].pages == (31, 32)


def test_all_28_score_sets_are_recorded(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    assert len(pack.score_sets()) == 28
    for model in MODELS:
        for instruct in map(str.lower, INSTRUCTS):
            for query in QUERIES:
                scores = pack.scores(model, instruct, query, "wals_81a")
                assert list(scores.values()) == [
                    score
                    for stem in sorted(clone.grammars)
                    for score in clone.scores(stem, model, instruct, query)
                ]


def test_the_stored_order_comes_back_by_a_stable_sort(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    for stem in clone.grammars:
        rows = read_rows(metrics(clone, stem))
        texts = [row[rows[0].index("bge-en-icl Default Instruct Paragraphs")] for row in rows[1:]]
        scores = pack.scores("bge-en-icl", "default", "summary", "wals_81a")
        candidates = [paragraph for paragraph, _ in pack.graded("wals_81a")[stem]]
        ranked = sorted(candidates, key=lambda paragraph: -scores[paragraph.id])
        assert [p.text for p in ranked] == [unicodedata.normalize("NFC", text) for text in texts]


def test_queries_are_the_texts_under_the_definitions(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    assert {feature: pack.query(feature, "summary") for feature in pack.queries} == {
        "gb_107": SUMMARIES["GB 107"][1],
        "wals_116a": SUMMARIES["WALS 116A"][1],
        "wals_49a": SUMMARIES["WALS 49A"][1],
        "wals_81a": SUMMARIES["WALS 81A"][1],
    }


def test_grammars_are_described_from_the_gold_table_or_by_surname_and_year(clone, folder):
    outcome = import_mtob(clone.root, folder)
    orvane, tsimshian, unknown = outcome.pack.grammars
    assert (orvane.id, orvane.language, orvane.iso, orvane.genus) == (
        ORVANE,
        "Orvane",
        "qov",
        "West Orvanic",
    )
    assert (tsimshian.id, tsimshian.language, tsimshian.glottocode) == (
        TSIMSHIAN,
        "Tsimshian (Coast)",
        "coas1300",
    )
    assert (unknown.id, unknown.language) == (UNKNOWN, "")
    noted = [(row["level"], row["what"]) for row in report(folder) if UNKNOWN in row["file"]]
    assert ("warning", "nothing known about the grammar") in noted


@pytest.mark.parametrize(
    ("stem", "language"),
    [
        ("campbell2017grammar", "Gã"),
        ("newman2002encyclopedic", "Hausa"),
        ("newman2000hausa", "Hausa"),
        ("georg2007descriptive", "Ket"),
        ("forker2013grammar", "Hinuq"),
        ("ford1998description", "Emmi"),
        ("tsunoda2011grammar", "Warrongo"),
        ("tsunoda2012", "Warrongo"),
        ("morgan1991description", "Kutenai"),
        ("dunn1979reference", "Tsimshian (Coast)"),
        ("elliott2021grammar", "Enxet Sur"),
        ("sakel2011grammar", "Mosetén"),
        ("Sakel2004Grammar", "Mosetén"),
        ("hellwig2019grammar", "Qaqet"),
        ("wegener2012grammar", "Savosavo"),
        ("olawsky2006grammar", "Urarina"),
        ("olawsky2011grammar", "Urarina"),
        ("weir1986footprints", "Nadëb"),
    ],
)
def test_the_paper_s_grammars_are_known_by_surname_and_year(stem, language):
    assert known_facts(stem).language == language


@pytest.mark.parametrize("stem", ["campbell1985pipil", "newman1965zuni", "newman", "2017", ""])
def test_other_works_of_the_same_authors_are_not_taken_for_them(stem):
    assert known_facts(stem) is None


def test_source_tells_where_the_pack_is_from(clone, folder):
    source = import_mtob(clone.root, folder).pack.source
    assert source["url"] == "https://github.com/al-the-eigenvalue/from-MTEB-to-MTOB"
    assert "MIT" in source["licence"]
    assert "do not redistribute" in source["licence"]
    assert source["revision"] == ""
    assert source["importer"] == "mtob"
    assert source["counts"] == {
        "grammars": 3,
        "paragraphs": 24,
        "graded": 24,
        "queries": 4,
        "score_sets": 28,
        "whole": 0,
        "gold_pages": 1,
        "candidates": 0,
        "values": 1,
        "replies": 0,
        "prompts": 1,
    }
    assert len(source["digest"]) == 64


def git(root: Path, *arguments: str) -> str:
    person = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    command = ["git", "-C", str(root), *person, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def test_the_revision_is_the_checkout_s_commit(clone, folder, tmp_path, monkeypatch):
    git(clone.root, "init", "-q")
    git(clone.root, "add", ".")
    git(clone.root, "commit", "-q", "-m", "all")
    commit = git(clone.root, "rev-parse", "HEAD")
    # Someone who runs this from a git hook has these set.
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert import_mtob(clone.root, folder).pack.source["revision"] == commit
    change(benchmark(clone, ORVANE), 4, "Annotation", "1.0")
    change(benchmark(clone, ORVANE), 4, "Relevance Score", "1")
    shutil.rmtree(clone.root / "rerankers_metrics")
    assert import_mtob(clone.root, folder).pack.source["revision"] == f"{commit}-dirty"


def test_equal_clones_give_equal_packs(clone, folder, tmp_path):
    first = import_mtob(clone.root, folder).pack
    other = write_clone(tmp_path / "again")
    second = import_mtob(other.root, tmp_path / "elsewhere" / "copy").pack
    assert first.digest == second.digest
    assert first.source["digest"] == second.source["digest"]


def test_text_that_is_composed_is_noted_row_by_row(clone, folder):
    import_mtob(clone.root, folder)
    noted = [row for row in report(folder) if row["what"] == "text composed to NFC"]
    assert [(row["file"], row["row"]) for row in noted] == [
        (f"rerankers_benchmark/{UNKNOWN}.csv", "2")
    ]


@pytest.mark.parametrize("lost", ["rerankers_metrics", "RAG Prompts"])
def test_what_the_clone_lacks_is_noted_and_not_missed(clone, folder, lost):
    shutil.rmtree(clone.root / lost)
    pack = import_mtob(clone.root, folder).pack
    assert len(pack.paragraphs) == 24
    assert len(pack.score_sets()) == (0 if lost == "rerankers_metrics" else 28)
    assert len(pack.queries) == (0 if lost == "RAG Prompts" else 4)
    assert {"level": "warning", "file": f"{lost}/"}.items() <= next(
        row.items() for row in report(folder) if row["file"] == f"{lost}/"
    )


def test_gold_tables_may_be_lacking(clone, folder):
    for path in clone.root.glob("ground_truth*.csv"):
        path.unlink()
    pack = import_mtob(clone.root, folder).pack
    assert [grammar.language for grammar in pack.grammars] == ["", "Tsimshian (Coast)", ""]


def test_models_are_those_of_the_columns(clone, folder):
    path = metrics(clone, ORVANE)
    rows = read_rows(path)
    rows[0] = [name.replace("NV-Retriever-v1", "My Model, v2/x=é") for name in rows[0]]
    write_rows(path, rows)
    pack = import_mtob(clone.root, folder).pack
    scores = pack.scores("My Model, v2/x=é", "default", "term", "wals_81a")
    assert list(scores) == [f"{ORVANE}/{n:03d}" for n in range(1, 9)]
    gaps = [row["why"] for row in report(folder) if row["what"] == "no such scores"]
    assert "My Model, v2/x=é / default / term, which other grammars have" in gaps


@pytest.mark.parametrize(
    ("column", "value", "what"),
    [
        ("Page number", "545, 546", "pages not understood"),
        ("Page number", "", "pages not understood"),
        ("Page number", "[0]", "pages not understood"),
        ("Relevance Score", "4", "grades differ"),
        ("BM25 Rank", "9", "rank out of order"),
    ],
)
def test_oddities_are_noted_and_passed_over(clone, folder, column, value, what):
    change(benchmark(clone, ORVANE), 4, column, value)
    pack = import_mtob(clone.root, folder).pack
    (noted,) = [row for row in report(folder) if row["what"] == what]
    assert noted["level"] == "warning"
    assert (noted["row"], noted["column"]) == ("4", column)
    paragraph, grade = pack.graded("wals_81a")[ORVANE][2]
    assert grade == 0
    assert (paragraph.pages == ()) == (column == "Page number")


def test_scores_count_not_the_stored_order(clone, folder):
    path = metrics(clone, ORVANE)
    rows = read_rows(path)
    write_rows(path, [rows[0], *reversed(rows[1:])])
    pack = import_mtob(clone.root, folder).pack
    noted = {row["what"] for row in report(folder) if row["level"] == "warning"}
    assert {"scores out of order", "candidates differ"} <= noted
    scores = pack.scores("bge-en-icl", "default", "term", "wals_81a")
    expected = clone.scores(ORVANE, "bge-en-icl", "default", "term")
    assert [scores[f"{ORVANE}/{n:03d}"] for n in range(1, 9)] == expected


def test_equal_paragraphs_are_matched_one_by_one(tmp_path, folder):
    """Two equal candidates with the same grade: the first score goes to the first of them."""
    clone = write_clone(tmp_path / "clone", {ORVANE: [Row("A.", 1), Row("B.", 0), Row("A.", 1)]})
    path = metrics(clone, ORVANE)
    texts, numbers, grades = ["A.", "B.", "A."], ["3.5", "2.5", "1.5"], ["1", "0", "1"]
    for row, cells in enumerate(zip(texts, numbers, grades, strict=True), start=2):
        for kind, cell in zip(
            ("Paragraphs", "Cosine Similarity", "Relevance Score"), cells, strict=True
        ):
            change(path, row, f"bge-en-icl Default Instruct {kind}", cell)
    scores = import_mtob(clone.root, folder).pack.scores(
        "bge-en-icl", "default", "summary", "wals_81a"
    )
    assert list(scores.values()) == [3.5, 2.5, 1.5]


def test_missing_score_files_and_foreign_files_are_noted(clone, folder):
    metrics(clone, UNKNOWN).unlink()
    (clone.root / "rerankers_benchmark" / "notes.txt").write_text("")
    (clone.root / "rerankers_benchmark" / ".DS_Store").write_text("")
    import_mtob(clone.root, folder)
    noted = {(row["level"], row["file"], row["what"]) for row in report(folder)}
    assert ("warning", f"rerankers_metrics/{UNKNOWN}.csv", "no score file") in noted
    assert ("info", "rerankers_benchmark/notes.txt", "file ignored") in noted
    assert not any(".DS_Store" in file for _, file, _ in noted)


def test_unexpected_columns_are_noted(clone, folder):
    path = metrics(clone, ORVANE)
    rows = read_rows(path)
    write_rows(
        path, [[*rows[0], "bge-en-icl Odd Instruct Paragraphs"], *([*r, ""] for r in rows[1:])]
    )
    assert len(import_mtob(clone.root, folder).pack.score_sets()) == 28
    noted = [row["column"] for row in report(folder) if row["what"] == "unexpected column"]
    assert noted == ["bge-en-icl Odd Instruct Paragraphs"]
