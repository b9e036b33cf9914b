from pathlib import Path

import pandas as pd
import pytest

from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.retrieval.recorded import RecordedReranker
from tests.packs import write_pack

SCORES = [
    ("SFR-Mistral", "default", "term", "wals_81a", "alpha/001", 0.25),
    ("SFR-Mistral", "default", "term", "wals_81a", "alpha/002", 71.5),
    ("SFR-Mistral", "default", "term", "wals_81a", "alpha/003", -1.0),
    ("SFR-Mistral", "specific", "summary", "wals_81a", "alpha/001", 3.0),
    ("bge-en-icl", "default", "term", "wals_81a", "alpha/001", 4.0),
]


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_pack(tmp_path_factory.mktemp("data") / "small")
    columns = ["model", "instruct", "query", "feature", "paragraph", "score"]
    pd.DataFrame(SCORES, columns=columns).to_parquet(folder / "scores.parquet")
    return folder


def recorded(pack: Path, model: str = "SFR-Mistral") -> RecordedReranker:
    return RecordedReranker(
        name="recorded",
        inputs=["query_name", "instruct_name"],
        model=model,
        pack=str(pack),
        about={},
    )


def search(instruct: str = "default", query: str = "term", feature: str = "wals_81a") -> Search:
    return Search(
        feature=feature, query="x", query_name=query, instruct="y", instruct_name=instruct
    )


def named(*ids: str) -> list[Paragraph]:
    return [Paragraph(name, name.partition("/")[0], "text") for name in ids]


def test_scores_come_in_the_paragraphs_order(pack: Path) -> None:
    scores = recorded(pack).score(search(), named("alpha/003", "alpha/001", "alpha/002"))
    assert scores.tolist() == [-1.0, 0.25, 71.5]
    assert scores.dtype == float


def test_instruct_and_query_choose_the_set(pack: Path) -> None:
    found = recorded(pack).score(search("specific", "summary"), named("alpha/001"))
    assert found.tolist() == [3.0]
    assert recorded(pack, "bge-en-icl").score(search(), named("alpha/001")).tolist() == [4.0]


def test_no_paragraphs(pack: Path) -> None:
    assert recorded(pack, "unknown").score(search(), []).shape == (0,)


@pytest.mark.parametrize(
    ("model", "asked", "lines"),
    [
        (
            "SFR-Mistal",
            search(),
            ["model 'SFR-Mistal'", "SFR-Mistral, bge-en-icl Did you mean 'SFR-Mistral'?"],
        ),
        (
            "SFR-Mistral",
            search("defualt"),
            ["instruct 'defualt'", "instruct: default, specific Did you mean 'default'?"],
        ),
        ("SFR-Mistral", search(query="terms"), ["query: term, summary Did you mean 'term'?"]),
        ("SFR-Mistral", search(feature="wals_81"), ["feature: wals_81a Did you mean 'wals_81a'?"]),
        # all the names are known, only not together
        ("bge-en-icl", search("specific"), ["'bge-en-icl' with instruct 'specific'"]),
    ],
)
def test_an_unknown_set_says_what_there_is(
    pack: Path, model: str, asked: Search, lines: list[str]
) -> None:
    with pytest.raises(GrambenchError) as caught:
        recorded(pack, model).score(asked, named("alpha/001"))
    for line in ["Pack 'small' has no scores recorded by", *lines]:
        assert line in str(caught.value)


def test_a_paragraph_without_a_score_is_named(pack: Path) -> None:
    with pytest.raises(GrambenchError, match=r"no score recorded for beta/004, alpha/005 by"):
        recorded(pack).score(search(), named("alpha/001", "beta/004", "alpha/005"))
    many = named(*(f"beta/{n:03d}" for n in range(1, 7)))
    with pytest.raises(GrambenchError, match="beta/003 and 3 more paragraphs"):
        recorded(pack).score(search(), many)


def test_a_pack_without_scores(tmp_path: Path) -> None:
    folder = write_pack(tmp_path / "bare")
    with pytest.raises(GrambenchError, match="'bare' has no recorded scores"):
        recorded(folder).score(search(), named("alpha/001"))
