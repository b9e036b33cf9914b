import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hypothesis import given
from hypothesis import strategies as st

from src.errors import GrambenchError
from src.launch.cells import NAME_LENGTH, as_overrides, expand, names, quoted

PARSER = OverridesParser.create()


def cells_of(arguments, grids=()):
    return [as_overrides(cell) for cell in expand(arguments, list(grids), PARSER)]


def test_commas_make_the_product_in_order():
    assert cells_of(["a=1,2", "b=x,y"]) == [
        ["a=1", "b=x"],
        ["a=1", "b=y"],
        ["a=2", "b=x"],
        ["a=2", "b=y"],
    ]


def test_without_sweeps_there_is_one_cell():
    assert cells_of(["a=1", "+b=2", "~c"]) == [["a=1", "+b=2", "~c"]]


def test_several_grids_follow_each_other():
    grids = [{"reranker": "none"}, {"reranker": "recorded", "query": ["term", "summary"]}]
    assert cells_of([], grids) == [
        ["reranker='none'"],
        ["reranker='recorded'", "query='term'"],
        ["reranker='recorded'", "query='summary'"],
    ]


def test_the_command_line_narrows_the_grids_and_multiplies_them():
    grids = [{"query": ["term", "summary"], "k": 5}, {"query": "summary"}, {"k": 6}]
    assert cells_of(["query=term", "seed=1,2"], grids) == [
        ["query='term'", "seed=1", "k=5"],
        ["query='term'", "seed=2", "k=5"],
        ["query=term", "seed=1", "k=6"],
        ["query=term", "seed=2", "k=6"],
    ]


def test_what_no_grid_has_is_an_error():
    with pytest.raises(GrambenchError, match="No run of the experiment has query=mine"):
        cells_of(["query=mine"], [{"query": ["term", "summary"]}])


def test_equal_cells_occur_once():
    assert len(cells_of([], [{"a": [1, 2]}, {"a": 2}])) == 2


@pytest.mark.parametrize("value", [None, True, 3, 0.5])
def test_yaml_values_are_written_as_hydra_reads_them(value):
    (cell,) = cells_of([], [{"key": value}])
    assert PARSER.parse_override(cell[0]).value() == value


@given(st.text(alphabet=st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1))
def test_any_text_survives_the_override_grammar(text):
    value = PARSER.parse_override(f"key={quoted(text)}").value()
    assert getattr(value, "text", value) == text


def test_a_glob_that_matches_nothing_is_an_error():
    class Loader:
        def get_group_options(self, group, results_filter=None):
            return []

    parser = OverridesParser.create(config_loader=Loader())
    with pytest.raises(GrambenchError, match=r"matches nothing.*config groups"):
        expand(["reranker.model=glob(*)"], [], parser)


def test_an_interval_is_no_list_of_choices():
    with pytest.raises(GrambenchError, match="list of choices"):
        expand(["x=interval(0,1)"], [], PARSER)


def test_names_say_what_varies_and_nothing_else():
    grids = [{"reranker": "none"}, {"reranker": "recorded", "query": ["term", "summary"]}]
    assert names(expand(["data=mtob"], grids, PARSER)) == [
        "reranker=none",
        "reranker=recorded query=term",
        "reranker=recorded query=summary",
    ]


def test_a_single_cell_is_just_a_run():
    assert names(expand(["data=mtob"], [], PARSER)) == ["run"]


def test_long_names_are_cut_and_stay_apart():
    long = "x" * 500
    first, second = names(expand([], [{"q": [long + "1", long + "2"]}], PARSER))
    assert len(first) <= NAME_LENGTH and first != second


def test_a_number_and_its_text_are_not_given_one_name():
    assert names(expand(["seed=1,'1'"], [], PARSER)) == ["seed=1", "seed='1'"]


def test_a_glob_over_known_values():
    known = {"reranker.model": lambda: ["a-x", "b x", "a/y"]}
    cells = expand(["reranker.model=glob(a*)"], [], PARSER, known)
    assert [as_overrides(cell) for cell in cells] == [
        ["reranker.model='a-x'"],
        ["reranker.model='a/y'"],
    ]


@pytest.mark.parametrize("text", ["it's", "ends with '", "'q' and \"q\"", "a, b", "größe"])
def test_names_show_texts_as_they_are(text):
    assert names(expand([], [{"q": [text, "other"]}], PARSER))[0] == f"q={text}"


def test_what_follows_from_a_setting_is_not_repeated_in_names():
    cells = [
        {"feature": feature, "setting": setting, "retriever": retriever, "rerank.k": "5"}
        for feature in "ab"
        for setting, retriever in (("x", "bm25"), ("y", "none"))
    ]
    assert names(cells)[:2] == ["feature=a setting=x", "feature=a setting=y"]
    # but what is chosen beside it is
    more = [{**cell, "llm": llm} for cell in cells for llm in ("one", "two")]
    assert names(more)[0] == "feature=a setting=x llm=one"
    assert len(set(names(more))) == len(more)
    bare = [{"retriever": cell["retriever"], "feature": cell["feature"]} for cell in cells]
    assert names(bare)[0] == "retriever=bm25 feature=a"
