"""What the importer makes of gold pages, retrieved candidates and their scores."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from src.errors import GrambenchError
from src.importers.mtob import import_mtob
from src.records import Grammar
from tests.importers.spoiling import benchmark, change, report
from tests.mtob_clone import ORVANE, TSIMSHIAN, UNKNOWN, Clone, read_rows, write_rows
from tests.mtob_retrieval import (
    ADJECTIVES,
    FIRST,
    SECOND,
    TESHI,
    THIRD,
    ZHEL,
    paragraphs,
    similarities,
    with_retrieval,
)

SFR = ("SFR-Embedding-Mistral", "specific", "summary")


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return with_retrieval(tmp_path / "clone")


def ids(ranked) -> list[str]:
    return [paragraph.id.removeprefix(f"{paragraph.grammar}/") for paragraph in ranked]


def noted(folder: Path, what: str) -> list[tuple[str, str, str, str]]:
    rows = [row for row in report(folder) if row["what"] == what]
    return [(row["level"], row["file"], row["row"], row["column"]) for row in rows]


def test_all_grammars_of_the_tables_come_after_the_graded_ones(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    assert [g.id for g in pack.grammars] == [ORVANE, TSIMSHIAN, UNKNOWN, TESHI, ZHEL]
    assert pack.grammars[3] == Grammar(
        TESHI,
        "Teshi",
        title="A Grammar of Teshi",
        author="Rahn, Otto",
        year="1902",
        iso="qte",
        family="Teshic",
        genus="Teshic",
        macroarea="Africa",
    )
    assert pack.source["counts"]["gold_pages"] == 6
    assert pack.source["counts"]["candidates"] == 11


def test_gold_pages_are_those_of_the_pdf_and_empty_ones_stay(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    assert pack.gold == {
        "wals_81a": {ORVANE: (31, 32), TESHI: (4, 388, 389, 390)},
        "gb_107": {ORVANE: (), TESHI: (9,)},
        "wals_49a": {TESHI: (12,), ZHEL: ()},
    }


def test_a_paragraph_that_was_retrieved_twice_is_one(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    found = {
        feature: {g: ids(ranked) for g, ranked in of.items()}
        for feature, of in pack.candidates.items()
    }
    assert found == {
        # Orvane's first is new, its second is graded. Equal rows of a file are two paragraphs.
        "wals_81a": {ORVANE: ["009", "007"], TESHI: ["001", "002", "003"]},
        # The same text on other pages is another paragraph.
        "gb_107": {TESHI: ["002", "004", "001", "005"]},
        "wals_49a": {ZHEL: ["001", "002"]},
    }
    teshi = [p for p in pack.paragraphs.values() if p.grammar == TESHI]
    assert [(p.text, p.pages) for p in teshi] == [
        *[(FIRST, (3, 4)), (SECOND, (5,)), (FIRST, (3, 4)), (THIRD, (9,)), (FIRST, (3, 5))],
    ]
    assert pack.paragraphs[f"{ORVANE}/007"].text == ADJECTIVES
    # What is graded is as it was.
    assert len(pack.graded("wals_81a")[ORVANE]) == 8


def test_scores_go_to_the_rows_of_the_feature_s_file(clone, folder):
    pack = import_mtob(clone.root, folder).pack
    assert len(pack.score_sets()) == 30
    assert pack.scores(*SFR, "gb_107") == {
        f"{TESHI}/002": 50.25,
        f"{TESHI}/004": 52.25,
        f"{TESHI}/001": 51.25,
        f"{TESHI}/005": 53.25,
    }
    assert pack.scores(*SFR, "wals_49a") == {f"{ZHEL}/001": 40.125, f"{ZHEL}/002": 39.125}
    word_order = pack.scores(*SFR, "wals_81a")
    assert len(word_order) == 24 + 3 + 1
    assert word_order[f"{ORVANE}/009"] == 41.25
    assert [word_order[f"{TESHI}/00{n}"] for n in (1, 2, 3)] == [60.5, 61.5, 61.5]


def test_nothing_but_columns_without_paragraphs_is_noted(clone, folder):
    import_mtob(clone.root, folder)
    ours = [row for row in report(folder) if "rerankers" not in row["file"]]
    assert [(row["level"], row["file"], row["what"]) for row in ours] == [
        ("info", "Reranker Similarity Scores/WALS 81A/scores.csv", "columns not used"),
        ("warning", "RAG Results/", "no recorded replies"),
    ]
    assert ours[0]["why"].startswith("1 are of grammars without candidates")


def test_importing_again_changes_nothing(clone, folder):
    assert import_mtob(clone.root, folder).verdict == "new"
    assert import_mtob(clone.root, folder).verdict == "same"


@pytest.mark.parametrize(
    ("lost", "said", "candidates"),
    [
        ("Grammars Paragraphs", "no candidates for retrieval", 0),
        ("Reranker Similarity Scores", "no recorded scores", 3),
    ],
)
def test_a_clone_without_these_folders_is_imported(clone, folder, lost, said, candidates):
    shutil.rmtree(clone.root / lost)
    pack = import_mtob(clone.root, folder).pack
    assert len(pack.candidates) == candidates
    assert len(pack.score_sets()) == 28
    assert ("warning", f"{lost}/", "", "") in noted(folder, said)


def test_grammars_that_no_table_has_are_named_by_their_file(clone, folder):
    for path in clone.root.glob("ground_truth*.csv"):
        path.unlink()
    pack = import_mtob(clone.root, folder).pack
    assert [(g.id, g.language) for g in pack.grammars[3:]] == [(TESHI, ""), (ZHEL, "")]
    file = f"Grammars Paragraphs/WALS 81A/Wikipedia 50/{TESHI}.csv"
    assert ("warning", file, "", "") in noted(folder, "nothing known about the grammar")


@pytest.mark.parametrize("cell", ["passim", "4, 388-90", "xii, 4", "4 (also on page 5)"])
def test_pages_that_are_not_understood_are_noted_and_not_guessed(clone, folder, cell):
    change(clone.root / "ground_truth_rag.csv", 3, "WALS 81A: PDF Pages", cell)
    pack = import_mtob(clone.root, folder).pack
    assert pack.gold["wals_81a"] == {ORVANE: (31, 32)}
    assert noted(folder, "gold pages not understood") == [
        ("warning", "ground_truth_rag.csv", "3", "WALS 81A: PDF Pages")
    ]


def test_tables_that_disagree_are_noted_and_the_first_is_believed(clone, folder):
    second = clone.root / "ground_truth_rag_number_of_cases.csv"
    change(second, 2, "Year", "1903")
    change(second, 2, "Pages", "401")
    change(second, 2, "Genus", "")
    change(clone.root / "ground_truth_rag.csv", 3, "Author", "")
    pack = import_mtob(clone.root, folder).pack
    teshi = pack.grammars[3]
    # What the first leaves open is taken from the second.
    assert (teshi.year, teshi.genus, teshi.author) == ("1902", "Teshic", "Rahn, Otto")
    assert noted(folder, "described in two ways") == [
        ("warning", second.name, "2", "Year"),
        ("warning", second.name, "2", "Pages"),
    ]


def test_a_second_row_of_a_grammar_and_one_without_name_are_left_out(clone, folder):
    path = clone.root / "ground_truth_rag.csv"
    rows = read_rows(path)
    again = [cell.replace("388-390", "1") for cell in rows[2]]
    nameless = list(rows[2])
    nameless[rows[0].index("Filename")] = " "
    write_rows(path, [*rows, again, nameless])
    pack = import_mtob(clone.root, folder).pack
    assert pack.gold["wals_81a"][TESHI] == (4, 388, 389, 390)
    assert [row for _, _, row, _ in noted(folder, "row left out")] == ["4", "5"]


def test_scores_that_differ_from_the_benchmark_s_are_noted(clone, folder):
    expected = import_mtob(clone.root, folder).pack.scores(*SFR, "wals_81a")
    change(similarities(clone, "WALS 81A"), 3, ORVANE, "99.5")
    pack = import_mtob(clone.root, folder, replace=True).pack
    assert pack.scores(*SFR, "wals_81a") == expected
    (entry,) = [r for r in report(folder) if r["what"] == "another score than of the benchmark"]
    assert f"99.5 for {ORVANE}/007" in entry["why"]


def test_a_left_out_grammar_is_left_out_everywhere(clone, folder):
    change(benchmark(clone, ORVANE), 3, "Annotation", "9")
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert ORVANE not in {g.id for g in pack.grammars}
    assert ORVANE not in pack.gold["wals_81a"]
    assert list(pack.candidates["wals_81a"]) == [TESHI]


def _paragraph(clone: Clone) -> None:
    change(paragraphs(clone, "GB 107", TESHI), 3, "Paragraph", " \f")


def _header(clone: Clone) -> None:
    write_rows(paragraphs(clone, "GB 107", TESHI), [["Text", "Page number"], ["a", "[1]"]])


def _case(clone: Clone) -> None:
    path = paragraphs(clone, "GB 107", TESHI)
    shutil.copy(path, path.with_name(f"{TESHI.upper()}.csv"))
    # Capitals come first; the file that is spoilt is the other one.


@pytest.mark.parametrize(
    ("spoil", "said", "left"),
    [
        (_paragraph, "row 3, column 'Paragraph': empty paragraph", {}),
        (_header, "no column 'Paragraph'", {}),
        (_case, f"{TESHI}.csv: the same grammar twice", {TESHI: ["002", "004", "001", "005"]}),
    ],
)
def test_spoilt_candidates_stop_the_import_or_are_left_out(clone, folder, spoil, said, left):
    spoil(clone)
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    assert said in str(caught.value)
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    found = {g: ids(ranked) for g, ranked in pack.candidates.get("gb_107", {}).items()}
    assert found == left
    assert "skipped" in {level for level, *_ in noted(folder, "candidates left out")}


def _short(clone: Clone) -> None:
    write_rows(similarities(clone, "GB 107"), read_rows(similarities(clone, "GB 107"))[:-1])


def _text(clone: Clone) -> None:
    change(similarities(clone, "GB 107"), 3, TESHI, "high")


def _beyond(clone: Clone) -> None:
    path = similarities(clone, "GB 107")
    write_rows(path, [*read_rows(path), ["48.5"]])


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_short, f"column '{TESHI}': too few scores (3 rows for 4 candidates)"),
        (_text, f"row 3, column '{TESHI}': no finite score ('high')"),
        (_beyond, f"row 6, column '{TESHI}': a score of no candidate (48.5, but there are only 4"),
    ],
)
def test_spoilt_scores_stop_the_import_or_are_left_out(clone, folder, spoil, said):
    spoil(clone)
    with pytest.raises(GrambenchError) as caught:
        import_mtob(clone.root, folder)
    assert said in str(caught.value)
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert (*SFR, "gb_107") not in pack.score_sets()
    assert (*SFR, "wals_49a") in pack.score_sets()


def test_a_grammar_without_a_column_of_scores_is_noted(clone, folder):
    path = similarities(clone, "GB 107")
    write_rows(path, [["someone else"], *read_rows(path)[1:]])
    pack = import_mtob(clone.root, folder).pack
    assert len(pack.candidates["gb_107"][TESHI]) == 4
    file = "Reranker Similarity Scores/GB 107/scores.csv"
    assert ("warning", file, "", "") in noted(folder, "no such scores")


def test_columns_of_scores_whose_names_differ_in_case_only_are_refused(clone, folder):
    path = similarities(clone, "GB 107")
    rows = [[row[0], "1.5"] for row in read_rows(path)]
    rows[0][1] = TESHI.upper()
    write_rows(path, rows)
    with pytest.raises(GrambenchError, match=r"GB 107.*scores of the same grammar twice"):
        import_mtob(clone.root, folder)
    pack = import_mtob(clone.root, folder, skip_invalid=True).pack
    assert (*SFR, "gb_107") not in pack.recorded and (*SFR, "wals_49a") in pack.recorded


def test_a_table_without_columns_of_pages_is_noted(clone, folder):
    path = clone.root / "ground_truth_rag_number_of_cases.csv"
    rows = read_rows(path)
    rows[0] = [name.replace("PDF Pages", "Sheets") for name in rows[0]]
    write_rows(path, rows)
    import_mtob(clone.root, folder)
    assert noted(folder, "no gold pages") == [("warning", path.name, "", "")]


def test_columns_of_pages_may_be_written_in_other_letters(clone, folder):
    path = clone.root / "ground_truth_rag_number_of_cases.csv"
    rows = read_rows(path)
    rows[0] = [name.replace("WALS 49A: PDF Pages", "wals 49a: pdf pages") for name in rows[0]]
    write_rows(path, rows)
    assert import_mtob(clone.root, folder).pack.gold["wals_49a"] == {TESHI: (12,), ZHEL: ()}


def test_a_feature_whose_candidates_are_called_something_else_is_noted(clone, folder):
    place = paragraphs(clone, "GB 107", TESHI).parent
    place.rename(place.with_name("Summary 50"))
    pack = import_mtob(clone.root, folder).pack
    assert "gb_107" not in pack.candidates and "wals_81a" in pack.candidates
    there = [("warning", "Grammars Paragraphs/GB 107/", "", "")]
    assert noted(folder, "no candidates for retrieval") == there


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("Reranker Similarity Scores/GB 107", "scores of the same feature twice"),
        ("Grammars Paragraphs/GB 107", "the same grammar twice"),
        ("RAG Prompts/WALS 81A", "prompts of the same feature twice"),
    ],
)
def test_folders_whose_names_differ_in_case_only_are_refused(clone, folder, place, said):
    one = clone.root / place
    shutil.copytree(one, one.with_name(one.name.lower()))
    with pytest.raises(GrambenchError, match=said):
        import_mtob(clone.root, folder)


@pytest.mark.parametrize("cell", ["[1000000]", "[3, 99999999999]", "[" + "9" * 5000 + "]"])
def test_a_paragraph_on_a_page_that_cannot_be_has_no_pages(clone, folder, cell):
    path = paragraphs(clone, "GB 107", TESHI)
    rows = read_rows(path)
    rows[2][1] = cell
    write_rows(path, rows)
    pack = import_mtob(clone.root, folder).pack
    assert pack.candidates["gb_107"][TESHI][1].pages == ()
    assert (
        "warning",
        f"Grammars Paragraphs/GB 107/Wikipedia 50/{TESHI}.csv",
        "3",
        "Page number",
    ) in (noted(folder, "pages not understood"))
