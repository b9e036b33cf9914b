"""Do the sections that describe a feature come first, in the real books? Read and noted by hand.

A book without such a section is not named: Mehweb has none on polar questions, Gyeli none on case.
"""

from pathlib import Path

import pytest

from src.books.settings import ParagraphSettings
from src.corpus.pack import Pack, load_pack
from src.importers.grammars.importing import Wanted, import_grammars
from src.records import Search
from src.retrieval.bm25_fast import BM25sRetriever
from tests.composing import composed

FIRST = 20
AT_LEAST = 8

SECTIONS = {
    "wals_81a": {
        **{"212": "8.2", "225": "6.3.1", "295": "22.1.1", "298": "7.2.2", "308": "5.1"},
        **{"344": "12.1", "78": "1.6.1.4", "82": "2.3", "83": "7.1", "85": "7.1.1", "98": "10.2.2"},
    },
    "gb_107": {
        **{"212": "8.5", "225": "4.6", "295": "13", "298": "6.3.1", "308": "4.4", "344": "12.5"},
        **{"78": "13.1", "82": "15.3", "83": "7.5", "85": "7.2", "98": "8.10.6"},
    },
    "wals_116a": {
        **{"212": "8.4", "295": "10.4.2", "298": "7.4.1", "308": "5.2", "344": "12.4.1.2"},
        **{"78": "13.2", "82": "15.2.1", "83": "7.6", "85": "7.3.1", "98": "10.4"},
    },
    "wals_49a": {
        **{"212": "4.3", "225": "3.2", "295": "2.3.3", "308": "3.2", "344": "5.6"},
        **{"78": "1.6.1.2", "82": "5.5", "83": "3.3.3", "85": "5", "98": "7.1"},
    },
}


@pytest.fixture(scope="module")
def books(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Pack:
    folder = tmp_path_factory.mktemp("books") / "langsci"
    import_grammars(Wanted([real_data / "langsci"], ParagraphSettings()), folder)
    return load_pack(folder)


@pytest.mark.realdata
@pytest.mark.parametrize("query", ["term", "definition"])
@pytest.mark.parametrize("feature", SECTIONS)
def test_the_section_on_a_feature_is_among_the_first(books: Pack, feature: str, query: str) -> None:
    text = composed(f"feature={feature}", f"query={query}")["query"]["text"]
    retriever, pools = BM25sRetriever(k=FIRST), books.pool(feature)
    found = set()
    for grammar, section in SECTIONS[feature].items():
        ranking = retriever.rank(Search(feature, text, query), pools[grammar])
        stands = {number for i in ranking.order for number in numbers(pools[grammar][i].section)}
        if section in stands:
            found.add(grammar)
    assert len(found) >= AT_LEAST, f"not found in {sorted(set(SECTIONS[feature]) - found)}"


def numbers(section: str) -> set[str]:
    """Return the numbers of a paragraph's section and of those that it is in."""
    return {heading.split(" ")[0] for heading in section.split(" > ")}
