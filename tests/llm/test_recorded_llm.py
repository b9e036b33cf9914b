import pytest

from src.errors import GrambenchError
from src.llm.recorded import RecordedModel
from src.records import Failure, Question, Reply

ROWS = """feature,setting,repeat,grammar,text,label
wals_81a,bm25,0,gavo,"It ends in a verb. Conclusion: SOV",SOV
wals_81a,bm25,0,seli,,
wals_81a,baseline,0,gavo,Conclusion: SVO,SVO
wals_81a,baseline,1,gavo,Conclusion: VSO,VSO
wals_81a,oracle,1,seli,first,SOV
wals_81a,oracle,3,seli,second,SVO
wals_81a,oracle,3,sela,of another book,VSO
gb_107,oracle,0,seli,Conclusion: 1,1
"""


@pytest.fixture
def pack(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    files = {
        "SOURCE.yaml": "origin: made for a test\nlicence: MIT\n",
        "grammars.csv": "id,language\ngavo,Gavo\nseli,Seli\nsela,Seli\n",
        "replies.csv": ROWS,
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


def recorded(pack, setting):
    return RecordedModel(name="recorded", pack=pack, feature="wals_81a", setting=setting)


def test_replies_come_with_their_released_labels(pack):
    model = recorded(pack, "bm25")
    replies = model.ask([Question("seli", ()), Question("gavo", ())])
    assert replies == [
        Reply(text="", label=""),
        Reply(text="It ends in a verb. Conclusion: SOV", label="SOV"),
    ]
    assert model.repeats() == 1 and model.usage() == {}
    assert replies[1].prompt_tokens is None and not model.reads_prompts


def test_repeats_are_told_apart_and_what_is_missing_is_rejected(pack):
    model = recorded(pack, "baseline")
    asked = [Question(grammar, (), repeat) for grammar in ("gavo", "seli") for repeat in (1, 2)]
    second, third, missing, last = model.ask(asked)
    assert (second.text, model.repeats()) == ("Conclusion: VSO", 2)
    for failure, why in ((third, "only 2"), (missing, "'seli'"), (last, "repeat 2")):
        assert isinstance(failure, Failure) and failure.kind == "rejected"
        assert why in failure.error


def test_repeats_count_from_the_first_that_there_is(pack):
    model = recorded(pack, "oracle")
    asked = [Question("seli", (), repeat) for repeat in (0, 1, 2)]
    first, second, missing = model.ask(asked)
    assert (first.text, second.text, model.repeats()) == ("first", "second", 2)
    assert "only 2 repeats" in missing.error


def test_two_grammars_of_one_language_have_replies_of_their_own(pack):
    one, other = recorded(pack, "oracle").ask([Question("seli", (), 1), Question("sela", (), 1)])
    assert (one.text, other.text) == ("second", "of another book")


def test_a_setting_that_is_near_is_suggested(pack):
    with pytest.raises(GrambenchError, match="Did you mean 'baseline'"):
        recorded(pack, "baselin").ask([Question("gavo", ())])
    with pytest.raises(GrambenchError, match=r"gb_107.*There are: oracle\."):
        RecordedModel(name="recorded", pack=pack, feature="gb_107", setting=None).repeats()
    with pytest.raises(GrambenchError, match=r"set setting= .*There are none\."):
        RecordedModel(name="recorded", pack=pack, feature="wals_49a", setting=None).repeats()


@pytest.mark.parametrize("setting", [None, "", "bm52"])
def test_the_settings_that_there_are_are_told(pack, setting):
    with pytest.raises(GrambenchError) as error:
        recorded(pack, setting).ask([Question("gavo", ())])
    assert "baseline" in str(error.value) and "bm25" in str(error.value)
