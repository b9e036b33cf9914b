import pytest

from src.errors import GrambenchError
from src.launch.job import resolved
from src.launch.secrets import secret_in, secret_in_overrides
from tests.composing import config

KEY = "sk-proj-" + "a1B2" * 8


@pytest.mark.parametrize(
    ("override", "said"),
    [
        (f"llm.key_env={KEY}", "llm.key_env is not the name of an environment variable"),
        (f"llm.key_env='{KEY}'", "llm.key_env is not the name"),
        ("llm.key_env=plainlettersanddigits0987", "llm.key_env is not the name"),
        ("llm.base_url=https://me:hidden@host/v1", "llm.base_url holds a user or a password"),
        (f"+llm.extra.api_key={KEY}", "llm.extra.api_key looks like a key"),
        ("+llm.extra.apikey=abc", "llm.extra.apikey looks like a key"),
        (f"llm.model={KEY}", "llm.model looks like a key"),
        ("query.text=hf_" + "x" * 30, "query.text looks like a key"),
    ],
)
def test_a_secret_is_named_and_not_shown(override, said):
    found = secret_in_overrides(["task=classify", override])
    assert said in found
    assert "hidden" not in found
    assert KEY not in found


@pytest.mark.parametrize(
    "override",
    [
        *("llm.key_env=OPENAI_API_KEY", "llm.key_env=A,B", "llm.key_env=null", "llm.key_env="),
        *("llm.base_url=http://localhost:8000/v1", "llm.base_url=http://host/a@b", "experiment=x"),
        *("query.text='who does what to whom: sk-ill'", "llm.max_tokens=5", "task=classify"),
        "prompt.parts.task='the key token of a password'",
    ],
)
def test_what_is_no_secret_is_let_through(override):
    assert secret_in_overrides([override]) == ""


def test_a_card_is_searched_at_any_depth():
    card = {"llm": {"key_env": None, "extra": {"headers": [{"Authorization": "Bearer x"}]}}}
    assert "llm.extra.headers.Authorization looks like a key" in secret_in(card)
    assert secret_in({"llm": {"key_env": "A_KEY", "extra": {"top_k": 5}, "stop": ["a"]}}) == ""


def test_what_an_environment_variable_holds_has_no_place_in_a_config(monkeypatch):
    monkeypatch.setenv("MY_KEY", "neither long nor odd")
    for value in ("http://host/neither long nor odd/v1", "neither long nor odd"):
        said = secret_in_overrides([f"llm.base_url={value}"])
        assert "holds what is in the environment variable MY_KEY" in said
        assert "neither long" not in said
    monkeypatch.setenv("MY_KEY", "short")
    assert secret_in_overrides(["llm.name=short"]) == ""


def test_a_key_that_a_config_takes_from_the_environment_is_refused(monkeypatch):
    monkeypatch.setenv("MY_KEY", "plainlettersanddigits0987")
    cfg = config("task=classify", "+llm.extra.user=${oc.env:MY_KEY}")
    with pytest.raises(
        GrambenchError, match=r"llm\.extra\.user holds what is in .* MY_KEY"
    ) as caught:
        resolved(cfg)
    assert "plainletters" not in str(caught.value)
