"""Every choice in conf/ composes, resolves and can be made into what it names."""

import pytest
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from hydra.utils import get_method
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from src.launch.cells import as_overrides, expand
from src.launch.choices import CONF, unknown_choice
from src.tasks.components import build
from tests.composing import composed, config

GROUPS = [
    "data",
    "debug",
    "experiment",
    "feature",
    "instruct",
    "paths",
    "query",
    "reranker",
    "retriever",
    "task",
    "tracking",
]
CHOICES = [f"{g}={f.stem}" for g in GROUPS for f in sorted((CONF / g).glob("*.yaml"))]


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_composes_and_resolves(choice):
    plain = composed(choice)
    group, name = choice.split("=")
    if group in ("data", "retriever", "reranker", "instruct", "query", "task"):
        assert plain[group]["name"] == name
    if group == "feature":
        assert plain["feature"]["id"] == name


@pytest.mark.parametrize("choice", [c for c in CHOICES if c.startswith(("retriever", "reranker"))])
def test_every_component_can_be_made(choice, tmp_path):
    group, name = choice.split("=")
    chosen = config(choice, f"paths.data={tmp_path}", "allow_remote_code=true")
    component = build(chosen[group])
    assert callable(component.rank if group == "retriever" else component.score)
    assert component.name == name


def test_the_task_is_there():
    assert callable(get_method(composed()["task"]["run"]))


@pytest.mark.parametrize("experiment", sorted(f.stem for f in (CONF / "experiment").glob("*.yaml")))
def test_every_cell_of_an_experiment_composes(experiment):
    plain = composed(f"experiment={experiment}")
    cells = expand([f"experiment={experiment}"], plain["sweep"], OverridesParser.create())
    assert cells
    for cell in cells:
        assert composed(*as_overrides(cell))["task"]["name"]


def test_table_1_has_29_cells():
    sweep = composed("experiment=mtob_table1")["sweep"]
    assert len(expand(["experiment=mtob_table1"], sweep, OverridesParser.create())) == 29


def test_what_the_paper_fixes_is_to_the_letter():
    assert composed("instruct=default")["instruct"]["text"] == (
        "Given a web search query, retrieve relevant passages that answer the query"
    )
    assert composed("instruct=specific")["instruct"]["text"] == (
        "Given a definition of a linguistic feature, retrieve relevant passages that let a linguist"
        " unambiguously determine the value of this feature in the described language"
    )
    assert composed("query=term")["query"]["text"] == (
        "Dominant word order (Order of Subject, Object, and Verb)"
    )


def test_params_are_read_by_conf():
    params = OmegaConf.load(CONF.parent / "params.yaml")
    plain = composed()
    assert plain["seed"] == params.seed
    assert plain["task"]["resamples"] == params.statistics.resamples


@pytest.mark.parametrize(
    "override",
    ["seed=soon", "task.k=many", "retriever.k=some", "task.kk=3", "nonsense=1", "query.txt=x"],
)
def test_wrong_types_and_unknown_keys_are_refused(override):
    with pytest.raises((HydraException, OmegaConfBaseException)):
        composed(override)


def test_unknown_choices_are_found_and_the_nearest_is_suggested(tmp_path):
    said = unknown_choice(["reranker=sfr_embeding_mistral"])
    assert "Did you mean 'sfr_embedding_mistral'?" in said and "conf/reranker/" in said
    assert unknown_choice(["reranker=minilm", "seed=3", "~debug", "query=a,b", "debug=null"]) == ""
    (tmp_path / "reranker").mkdir()
    (tmp_path / "reranker" / "mine.yaml").touch()
    assert unknown_choice(["reranker=mine"], [CONF, tmp_path]) == ""


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("rerankr=minilm", "There is no 'rerankr' to set. Did you mean 'reranker'?"),
        ("+rerankr=minilm", "There is no 'rerankr' to set. Did you mean 'reranker'?"),
        ("querry.text=x", "There is no 'querry' to set. Did you mean 'query'?"),
        ("query.txt=x", "There is no 'query.txt' to set. Did you mean 'text'?"),
        ("reranker=", "There is no reranker ''."),
        ("rerank=5", "'rerank' is no choice of options: set rerank.k. Did you mean 'reranker'?"),
        ("rerank=minilm", "'rerank' is no choice of options: set rerank.k."),
        ("rerank.kk=5", "There is no 'rerank.kk' to set. Did you mean 'k'?"),
        ("retriever@retriever.parts.lexical=bm2", "There is no retriever 'bm2'."),
    ],
)
def test_unknown_keys_are_found_and_the_nearest_is_suggested(override, said):
    assert unknown_choice([override]).startswith(said)


@pytest.mark.parametrize(
    "override",
    [
        *("+reranker.foo=1", "hydra/launcher=joblib", "hydra.job.name=x", "task.k=5", "seed=1"),
        *("rerank.k=5", "rerank.k=null", "reranker@retriever.encoder=bge_m3"),
    ],
)
def test_known_keys_are_left_alone(override):
    assert unknown_choice([override]) == ""


@pytest.mark.parametrize("feature", sorted(f.stem for f in (CONF / "feature").glob("*.yaml")))
def test_every_feature_has_a_definition_to_search_for(feature):
    plain = composed(f"feature={feature}", "query=definition")
    text = plain["query"]["text"]
    assert text == plain["feature"]["definition"]
    assert text.strip()


def test_retrieval_of_mtobs_pages_has_12_cells():
    sweep = composed("experiment=mtob_pages")["sweep"]
    cells = expand(["experiment=mtob_pages"], sweep, OverridesParser.create())
    runs = [composed(*as_overrides(cell)) for cell in cells]
    passed_on = [(run["reranker"]["name"], run["rerank"]["k"]) for run in runs]
    assert sorted(passed_on) == [("none", 50)] * 8 + [("recorded", 20)] * 4
    assert all(run["retriever"]["k"] == 50 and run["query"]["name"] == "summary" for run in runs)


def test_a_retrievers_encoder_is_any_embedding_card():
    plain = composed("retriever=dense", "reranker@retriever.encoder=bge_m3")
    assert plain["retriever"]["encoder"]["name"] == "bge_m3"
    assert plain["reranker"]["name"] == "minilm"
