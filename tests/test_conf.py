"""Every choice in conf/ composes, resolves and can be made into what it names."""

import copy

import pytest
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from hydra.utils import get_method
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from src.launch.cells import as_overrides, expand
from src.launch.choices import CONF, unknown_choice, unknown_key
from src.launch.job import message
from src.launch.published import read_published
from src.tasks.components import build
from tests.composing import GIVEN, composed, config

GROUPS = [
    "answers",
    "data",
    "debug",
    "experiment",
    "feature",
    "instruct",
    "llm",
    "paths",
    "prompt",
    "query",
    "reranker",
    "retriever",
    "task",
    "tracking",
]
PARSER = OverridesParser.create()
CHOICES = [f"{g}={f.stem}" for g in GROUPS for f in sorted((CONF / g).glob("*.yaml"))]


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_composes_and_resolves(choice):
    plain = composed("task=classify", choice, *GIVEN.get(choice, ()))
    group, name = choice.split("=")
    if group not in ("debug", "experiment", "paths", "tracking"):
        assert plain[group]["id" if group == "feature" else "name"] == name


METHODS = {"retriever": "rank", "reranker": "score", "prompt": "messages", "answers": "read"}


@pytest.mark.parametrize("choice", [c for c in CHOICES if c.partition("=")[0] in METHODS])
def test_every_component_can_be_made(choice):
    group, name = choice.split("=")
    chosen = composed("task=classify", choice)[group]
    if "allow_remote_code" in chosen:
        chosen["allow_remote_code"] = True
    component = build(OmegaConf.create(chosen))
    assert callable(getattr(component, METHODS[group]))
    assert component.name == name


@pytest.mark.parametrize("task", sorted(f.stem for f in (CONF / "task").glob("*.yaml")))
def test_every_task_is_there(task):
    chosen = composed(f"task={task}")["task"]
    assert callable(get_method(chosen["run"]))
    assert chosen["plan"] is None or callable(get_method(chosen["plan"]))


@pytest.mark.parametrize("experiment", sorted(f.stem for f in (CONF / "experiment").glob("*.yaml")))
def test_every_choice_of_an_experiment_composes(experiment):
    plain = composed(f"experiment={experiment}")
    cells = expand([f"experiment={experiment}"], plain["sweep"], PARSER)
    assert cells
    seen = set()
    for cell in cells:
        # Cells that hold every choice between them; composing all takes long.
        if not cell.items() <= seen:
            assert composed(*as_overrides(cell))["task"]["name"]
        seen |= cell.items()


@pytest.mark.parametrize(("experiment", "cells", "settings"), [("4", 20, 5), ("9", 28, 7)])
def test_every_published_figure_is_of_a_cell_of_its_experiment(experiment, cells, settings):
    plain = composed(f"experiment=mtob_table{experiment}")
    chosen = expand([f"experiment=mtob_table{experiment}"], plain["sweep"], PARSER)
    runs = {(cell["feature"].strip("'"), cell["setting"].strip("'")) for cell in chosen}
    published = read_published(CONF.parent / plain["published"])
    assert {(figure.feature, figure.setting) for figure in published} == runs
    assert len(runs) == len(chosen) == cells
    features = {feature for feature, _ in runs}
    assert all((CONF / "feature" / f"{feature}.yaml").is_file() for feature in features)
    # Three figures of each cell; of seven features that are asked together, of each.
    assert len(published) == settings * (3 * 3 + 7 * 3)


@pytest.mark.parametrize("experiment", ["mtob_table4", "mtob_table9"])
def test_the_tables_run_with_recorded_replies_too(experiment):
    plain = composed(f"experiment={experiment}", "llm=recorded", "answers=released", "setting=bm25")
    assert (plain["llm"]["setting"], plain["llm"]["feature"]) == ("bm25", "wals_81a")
    assert plain["answers"]["name"] == "released"


def test_table_1_has_29_cells():
    sweep = composed("experiment=mtob_table1")["sweep"]
    assert len(expand(["experiment=mtob_table1"], sweep, PARSER)) == 29


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
    assert unknown_choice(["reranker=minilm", "seed=3", "~debug", "query=a,b"]) == ""
    (tmp_path / "reranker").mkdir()
    (tmp_path / "reranker" / "mine.yaml").touch()
    assert unknown_choice(["reranker=mine"], [CONF, tmp_path]) == ""


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("rerankr=minilm", "There is no 'rerankr' to set. Did you mean 'reranker'?"),
        ("+rerankr=minilm", "There is no 'rerankr' to set. Did you mean 'reranker'?"),
        ("querry.text=x", "There is no 'querry' to set. Did you mean 'query'?"),
        ("reranker=", "There is no reranker ''."),
        ("reranker=null", "There is no reranker 'null'."),
        ("debug=null", "There is no debug 'null'."),
        ("reranker=5", "There is no reranker '5'."),
        ("retriever=true", "There is no retriever 'True'."),
        ("rerank=5", "'rerank' is no choice of options: set rerank.k. Did you mean 'reranker'?"),
        ("rerank=minilm", "'rerank' is no choice of options: set rerank.k."),
        ("retriever@retriever.parts.lexical=bm2", "There is no retriever 'bm2'."),
    ],
)
def test_unknown_keys_are_found_and_the_nearest_is_suggested(override, said):
    assert unknown_choice([override]).startswith(said)


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("query.txt=x", "There is no 'query.txt' to set. Did you mean 'text'? Known: name, text."),
        ("rerank.kk=5", "There is no 'rerank.kk' to set. Did you mean 'k'? Known: k."),
        ("task.rowz=all", "There is no 'task.rowz' to set. Did you mean 'rows'?"),
        ("llm.temprature=0", "There is no 'llm.temprature' to set. Did you mean 'temperature'?"),
        ("llm.tokens.modle=x", "There is no 'llm.tokens.modle' to set. Did you mean 'model'?"),
        ("llm.tokens={modle: x}", "There is no 'llm.tokens.modle' to set. Did you mean 'model'?"),
        ("prompt.outptu=json", "There is no 'prompt.outptu' to set. Did you mean 'output'?"),
        ("answers.nam=x", "There is no 'answers.nam' to set. Did you mean 'name'?"),
        ("feature.values=[{labl: a}]", "There is no 'labl' to set. Did you mean 'label'?"),
        ("llm.server.thread=3", "There is no 'llm.server.thread' to set. Did you mean 'threads'?"),
        ("llm.server.threads.x=3", ""),
    ],
)
def test_unknown_keys_of_a_choice_are_found_however_deep_they_are(override, said):
    with pytest.raises(HydraException) as caught:
        config("task=classify", override)
    assert unknown_key(caught.value).startswith(said)
    assert message(caught.value).startswith(said)


def test_the_schemas_are_not_copied_for_each_run_and_no_run_changes_them():
    store = ConfigStore.instance()
    assert copy.deepcopy(store) is store
    changed = config()
    changed.llm.tokens.characters = 9.0
    changed.feature.title = "changed"
    assert config().llm.tokens.characters == 3.0 and config().feature.title != "changed"


def test_keys_may_be_added_where_there_is_no_schema():
    with pytest.raises(HydraException) as caught:
        config("llm.extra.top_k=5")
    assert unknown_key(caught.value).endswith("+llm.extra.top_k=... adds it.")
    assert config("+llm.extra.top_k=5").llm.extra.top_k == 5
    with pytest.raises(HydraException) as caught:
        config("llm=majority", "llm.temperature=1")
    assert "strategy" in unknown_key(caught.value) and "adds it" not in unknown_key(caught.value)


def test_a_value_of_the_wrong_type_is_told_with_its_reason():
    with pytest.raises(HydraException) as caught:
        config("seed=soon")
    assert unknown_key(caught.value) == ""
    assert message(caught.value) == "seed is 'soon'; give a whole number."


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
    cells = expand(["experiment=mtob_pages"], sweep, PARSER)
    runs = [composed(*as_overrides(cell)) for cell in cells]
    passed_on = [(run["reranker"]["name"], run["rerank"]["k"]) for run in runs]
    assert sorted(passed_on) == [("none", 50)] * 8 + [("recorded", 20)] * 4
    assert all(run["retriever"]["k"] == 50 and run["query"]["name"] == "summary" for run in runs)


def test_a_retrievers_encoder_is_any_embedding_card():
    plain = composed("retriever=dense", "reranker@retriever.encoder=bge_m3")
    assert plain["retriever"]["encoder"]["name"] == "bge_m3"
    assert plain["reranker"]["name"] == "minilm"
