from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import (
    AutoModelForCausalLM,
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from src.errors import GrambenchError
from src.retrieval import cross_encoder
from src.retrieval.cross_encoder import CrossEncoderReranker
from src.retrieval.shared import forget_models
from tests.retrieval.encoder_help import SEARCH, TEXTS, copy_tokenizer, paragraphs, shake

SUFFIX = " [SEP] answer :"


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("models") / "classifier"
    config = BertConfig(
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=40,
        num_labels=1,
    )
    shake(BertForSequenceClassification(config)).save_pretrained(folder)
    copy_tokenizer(folder)
    return folder


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(2)
    folder = tmp_path_factory.mktemp("models") / "language_model"
    config = Qwen3Config(
        vocab_size=30522,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=6,
        intermediate_size=40,
    )
    shake(Qwen3ForCausalLM(config)).save_pretrained(folder)
    copy_tokenizer(folder)
    return folder


@pytest.fixture(scope="module", autouse=True)
def forget() -> Iterator[None]:
    yield
    forget_models()


def reranker(folder: Path, **changes: Any) -> CrossEncoderReranker:
    card: dict[str, Any] = {
        "name": "tiny",
        "inputs": ["query", "instruct"],
        "model": str(folder),
        "revision": "main",
        "max_tokens": 128,
        "query_template": "{instruct} : {query}",
        "query_template_without_instruct": "{query}",
        "document_template": "{document}",
        "device": "cpu",
        "batch_size": 4,
        "about": {"licence": "none"},
    }
    return CrossEncoderReranker(**{**card, **changes})


def yes_no(folder: Path, **changes: Any) -> CrossEncoderReranker:
    settings = {"scorer": "yes_no", "suffix": SUFFIX, "padding_side": "left"}
    return reranker(folder, **{**settings, **changes})


QUERY = "Find paragraphs about word order : Order of subject, object and verb"


def test_a_classifiers_scores_are_its_logits(classifier: Path) -> None:
    model = AutoModelForSequenceClassification.from_pretrained(classifier)
    tokenizer = AutoTokenizer.from_pretrained(classifier)
    expected = []
    for text in TEXTS:
        tokens = tokenizer([QUERY], [text], truncation=True, max_length=128, return_tensors="pt")
        with torch.no_grad():
            expected.append(float(model(**tokens).logits[0, 0]))
    scores = reranker(classifier).score(SEARCH, paragraphs())
    assert scores.dtype == np.float64
    assert np.ptp(expected) > 0.1
    assert scores == pytest.approx(expected, abs=1e-5)


def test_a_language_models_scores_are_log_odds(language_model: Path) -> None:
    model = AutoModelForCausalLM.from_pretrained(language_model)
    tokenizer = AutoTokenizer.from_pretrained(language_model)
    yes, no = tokenizer.convert_tokens_to_ids(["yes", "no"])
    expected = []
    for text in TEXTS:
        before, document, after = (
            tokenizer(part, add_special_tokens=False)["input_ids"] for part in (QUERY, text, SUFFIX)
        )
        document = document[: 128 - len(before) - len(after)]
        with torch.no_grad():
            logits = model(torch.tensor([[*before, *document, *after]])).logits[0, -1]
        odds = torch.log_softmax(logits[[no, yes]].double(), dim=0)
        expected.append(float(odds[1] - odds[0]))
    scores = yes_no(language_model).score(SEARCH, paragraphs())
    assert np.ptp(expected) > 0.1
    assert scores == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("make", [reranker, yes_no])
@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_scores_do_not_depend_on_the_batch_size(
    classifier: Path, language_model: Path, make: Any, batch_size: int
) -> None:
    folder = classifier if make is reranker else language_model
    expected = make(folder, batch_size=5).score(SEARCH, paragraphs())
    found = make(folder, batch_size=batch_size).score(SEARCH, paragraphs())
    assert np.abs(found - expected).max() < 1e-5


def test_the_padding_side_makes_no_difference(language_model: Path) -> None:
    left = yes_no(language_model).score(SEARCH, paragraphs())
    right = yes_no(language_model, padding_side="right").score(SEARCH, paragraphs())
    assert np.abs(left - right).max() < 1e-5


def test_the_suffix_is_never_cut_off(language_model: Path) -> None:
    long = paragraphs(["word " * 500, "word " * 600])
    first, second = yes_no(language_model).score(SEARCH, long)
    assert first == pytest.approx(second, abs=1e-6)
    (other,) = yes_no(language_model, suffix=" [SEP] reply :").score(SEARCH, long[:1])
    assert abs(other - first) > 1e-3


def test_a_query_that_leaves_no_room(language_model: Path) -> None:
    with pytest.raises(GrambenchError, match="leaves no room for a document within max_tokens=8"):
        yes_no(language_model, max_tokens=8).score(SEARCH, paragraphs())


def test_equal_texts_are_scored_once_and_tie_exactly(classifier: Path) -> None:
    tiny = reranker(classifier)
    scores = tiny.score(SEARCH, paragraphs(["b", "a", "b"]))
    assert scores[0] == scores[2] != scores[1]
    assert tiny.pairs_scored == 2


def test_no_paragraphs(tmp_path: Path) -> None:
    assert reranker(tmp_path).score(SEARCH, []).shape == (0,)


def test_what_is_not_finite_is_named(classifier: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def score(self, pairs: Any) -> Any:
            return np.array([np.nan if document == "bad" else 1.0 for _, document in pairs])

    forget_models()
    monkeypatch.setattr(cross_encoder, "load_scorer", lambda spec: Broken())
    with pytest.raises(GrambenchError, match="no finite numbers for paragraph g/002"):
        reranker(classifier).score(SEARCH, paragraphs(["good", "bad"]))
    forget_models()


def test_a_tokenizer_that_cannot_answer(language_model: Path, tmp_path: Path) -> None:
    import shutil

    folder = shutil.copytree(language_model, tmp_path / "mute")
    content = (folder / "tokenizer.json").read_text(encoding="utf-8")
    (folder / "tokenizer.json").write_text(content.replace('"yes"', '"yesss"'), encoding="utf-8")
    with pytest.raises(GrambenchError, match="no token 'yes'"):
        yes_no(folder).score(SEARCH, paragraphs())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"scorer": "yesno"}, "Did you mean 'yes_no'"),
        ({"remote_code": True}, "allow_remote_code=true"),
        ({"inputs": []}, "Write inputs"),
        ({"batch_size": 0}, "batch_size=0"),
        ({"padding_side": "both"}, "padding_side"),
    ],
)
def test_cards_that_cannot_work(classifier: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GrambenchError, match=message):
        reranker(classifier, **changes)


def test_a_model_that_is_not_there() -> None:
    with pytest.raises(GrambenchError, match="no/such, revision main, is not on this machine"):
        reranker(Path("no/such")).score(SEARCH, paragraphs())
