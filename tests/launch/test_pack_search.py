from __future__ import annotations

from pathlib import Path

import pytest

from src.errors import GrambenchError
from src.launch.indexing import index
from src.launch.searching import Wanted, search
from tests.corpus.small_pack import small_pack

PARAGRAPHS = (
    "id,grammar,text,pages,section\n"
    "rahn1902/0001,rahn1902,The verb is last.,3,1 Order\n"
    'rahn1902/0002,rahn1902,"The verb, and again the verb.","4-5",\n'
    "rahn1902/0003,rahn1902,Nouns have case.,6,\n"
    "rahn1902/0004,rahn1902,Tone is high.,7,\n"
    "rahn1902/0005,rahn1902,Vowels are long.,8,\n"
    "bay1999/0001,bay1999,Tone is high or low.,12,\n"
    "bay1999/0002,bay1999,Nouns are few.,13,\n"
)


@pytest.fixture
def data_dir(tmp_path) -> Path:
    folder = small_pack(
        tmp_path / "data" / "toy", paragraphs_csv=PARAGRAPHS, grades_csv=None, scores_csv=None
    )
    (folder / "documents.csv").write_text("grammar\nrahn1902\nbay1999\n")
    (folder / "gold_pages.csv").write_text(
        'feature,grammar,pages\nwals_81a,rahn1902,"4, 9"\nwals_81a,bay1999,\n'
    )
    return folder.parent


def ids(answer) -> dict[str, list[str]]:
    return {one.grammar.id: [hit.paragraph.id for hit in one.hits] for one in answer.grammars}


def test_the_best_paragraphs_of_each_grammar_in_the_packs_order(data_dir):
    answer = search(data_dir, "toy", Wanted("verb"))
    assert ids(answer) == {"rahn1902": ["rahn1902/0002", "rahn1902/0001"], "bay1999": []}
    assert [one.searched for one in answer.grammars] == [5, 2]
    first, second = answer.grammars[0].hits
    assert first.score > second.score > 0
    assert not first.gold
    assert answer.grammars[0].gold is None
    assert (answer.retriever, answer.reranker) == ("bm25s", "none")


def test_top_and_other_choices(data_dir):
    answer = search(data_dir, "toy", Wanted("verb", top=1, overrides=["retriever=bm25"]))
    assert ids(answer)["rahn1902"] == ["rahn1902/0002"]
    assert answer.retriever == "bm25"


@pytest.mark.parametrize(
    ("overrides", "found"), [([], 60), (["retriever=bm25"], 60), (["retriever.k=7"], 7)]
)
def test_as_many_are_found_as_are_shown(data_dir, overrides, found):
    many = "".join(f"bay1999/{n:04},bay1999,A verb.,{n},\n" for n in range(3, 63))
    (data_dir / "toy" / "paragraphs.csv").write_text(PARAGRAPHS + many)
    answer = search(data_dir, "toy", Wanted("verb", top=100, overrides=overrides))
    assert len(ids(answer)["bay1999"]) == found


@pytest.mark.parametrize("name", ["rahn1902", "teshi", "tesh1234"])
def test_a_grammar_by_id_language_or_glottocode(data_dir, name):
    answer = search(data_dir, "toy", Wanted("tone", grammars=[name]))
    assert ids(answer) == {"rahn1902": ["rahn1902/0004"]}


def test_a_feature_stands_in_for_the_query_and_its_gold_pages_are_marked(data_dir):
    answer = search(data_dir, "toy", Wanted(feature="wals_81a"))
    assert "subject" in answer.query
    rahn, bay = answer.grammars
    assert (rahn.gold, bay.gold) == ((4, 9), ())
    assert {hit.paragraph.id: hit.gold for hit in rahn.hits}["rahn1902/0002"] is True
    assert not any(hit.gold for hit in rahn.hits if hit.paragraph.id != "rahn1902/0002")
    typed = search(data_dir, "toy", Wanted("case", feature="wals_81a"))
    assert typed.query == "case"


def test_a_query_of_the_pack_by_its_name(data_dir):
    wanted = Wanted(feature="wals_81a", overrides=["query=summary"])
    assert search(data_dir, "toy", wanted).query == "How words are ordered."


def test_a_reranker_orders_what_the_retriever_found(data_dir):
    chosen = ["reranker=minilm", f"paths.vectors={data_dir.parent}/vectors", "device=cpu"]
    answer = search(data_dir, "toy", Wanted("verb", overrides=chosen))
    found = ids(answer)
    assert sorted(found["rahn1902"]) == ["rahn1902/0001", "rahn1902/0002"]
    scores = [hit.score for hit in answer.grammars[0].hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted("verb", grammars=["rahn1920"]), "no grammar 'rahn1920'. Did you mean 'rahn1902'?"),
        (Wanted(""), "The query is empty"),
        (Wanted("  "), "The query is empty"),
        (Wanted(), "Say what to look for"),
        (Wanted("?!"), "has no word in it"),
        (Wanted("verb", feature="wals_81"), "Did you mean 'wals_81a'?"),
        (Wanted("verb", overrides=["retriever=hybird"]), "Did you mean 'hybrid'?"),
        (Wanted("verb", overrides=["retriever.k=0"]), "retriever.k is 0"),
        (Wanted("verb", overrides=["retriever.k=abc"]), "'abc' of type 'str' could not be"),
        (Wanted("verb", overrides=["retriver=bm25"]), "Did you mean 'retriever'?"),
    ],
)
def test_what_is_wrong_is_told(data_dir, wanted, said):
    with pytest.raises(GrambenchError) as caught:
        search(data_dir, "toy", wanted)
    assert said in str(caught.value)


def test_a_pack_that_is_not_there(data_dir):
    with pytest.raises(GrambenchError, match="Did you mean 'toy'"):
        search(data_dir, "tyo", Wanted("verb"))


def test_terms_are_made_once(data_dir, tmp_path):
    chosen = [f"paths.indexes={tmp_path}/indexes"]
    assert "terms of 2 of 2 whole grammars of 'toy'" in index(data_dir, "toy", chosen).told()
    assert index(data_dir, "toy", chosen).made == 0
    assert list((tmp_path / "indexes").rglob("*.*"))


def test_what_cannot_be_indexed_is_told(data_dir, tmp_path):
    with pytest.raises(GrambenchError, match="counts no terms of its own"):
        index(data_dir, "toy", ["retriever=oracle"])
    small_pack(tmp_path / "data" / "picked")
    with pytest.raises(GrambenchError, match="no whole grammar"):
        index(data_dir, "picked")
