from __future__ import annotations

import logging
import math
from dataclasses import replace

import pytest

from src.corpus.pack import load_pack
from src.corpus.writing import PackTables, write_tables
from src.corpus.yaml_files import write_mapping
from src.errors import GrambenchError
from src.metrics.classification import F1S
from src.prompting.answers import DefaultAnswers
from src.prompting.features import feature_of
from src.prompting.template_prompt import TemplatePrompt
from src.records import Document, Failure, Grammar, Paragraph, Reply, Search
from src.retrieval.given import GivenRetriever
from src.retrieval.none import NoReranker
from src.retrieval.oracle import OracleRetriever
from src.tasks.classify import classify
from src.tasks.judging import Scoring
from src.tasks.passages import Finder
from src.tasks.preparing import Settings

ORDER = feature_of(
    {
        "id": "order",
        "title": "Order",
        "definition": "What stands before what.",
        "question": "Which order has {language}?",
        "values": [
            {"label": "SOV", "aliases": ["verb-final"]},
            {"label": "SVO"},
            {"label": "VSO"},
            {"label": "none said", "offered": False},
        ],
        "not_mentioned": "none said",
    }
)
MARKS = feature_of(
    {
        "id": "marks",
        "title": "Marks of questions",
        "question": "Which has {language}?",
        "parts": [
            {"id": "tone", "label": "Tone"},
            {"id": "word", "label": "Particle"},
        ],
    }
)
GRAMMARS = {
    "north": ("Eurasia", "Northic", "SOV", "Tone, Particle"),
    "south": ("Africa", "Southic", "SOV", "Tone"),
    "east": ("Eurasia", "Northic", "SVO", "Particle"),
    "west": ("Africa", "Westic", "Not mentioned in the grammar", "Not mentioned in the grammar"),
}
PAGES = {"north": (1, 2), "south": (2,), "east": (3,), "west": ()}
SCORING = Scoring("gold_and_predicted", "wrong", 0.95, 300, 1)
SETTINGS = Settings("all", SCORING)


class Replies:
    """A stand-in for recorded replies: by repeat, then grammar."""

    name, reads_prompts = "replies", False

    def __init__(self, *repeats):
        self.repeats = [dict(zip(GRAMMARS, repeat, strict=True)) for repeat in repeats]

    def ask(self, questions):
        return [Reply(self.repeats[q.repeat][q.id], seconds=0.5) for q in questions]

    def usage(self):
        return {}


class Reads:
    """A stand-in for a server: a token is a word, and it may find prompts too long itself."""

    name, reads_prompts, counted_by = "reads", True, "words"

    def __init__(self, room=10_000, takes=10_000, fails=None):
        self.fails, self.takes, self.asked = fails or {}, takes, []
        self.room = lambda: room

    def count(self, messages):
        return sum(len(message.content.split()) for message in messages)

    def ask(self, questions):
        self.asked += questions
        return [self._reply(question) for question in questions]

    def _reply(self, question):
        if question.id in self.fails:
            return self.fails[question.id]
        if self.count(question.messages) > self.takes:
            return Failure("too_long", "the context is too short")
        return Reply("Conclusion: SOV", prompt_tokens=7, completion_tokens=3, usd=0.25)

    def usage(self):
        return {"usage/requests": len(self.asked)}


def pack_of(folder, *, whole=tuple(GRAMMARS), paragraphs=4, values=None, **more):
    texts = [
        Paragraph(f"{grammar}/{n}", grammar, f"{grammar} order text number {n}", (n,))
        for grammar in whole
        for n in range(1, paragraphs + 1)
    ]
    tables = PackTables(
        [Grammar(g, g.title(), macroarea=a, family=f) for g, (a, f, *_) in GRAMMARS.items()],
        paragraphs=texts,
        documents=[Document(g, f"{g}.txt", "text", "0" * 64, "1") for g in whole],
        gold_pages={"order": PAGES, "marks": PAGES},
        values=values
        or {
            "order": {g: order for g, (_, _, order, _) in GRAMMARS.items()},
            "marks": {g: marks for g, (_, _, _, marks) in GRAMMARS.items()},
        },
        **more,
    )
    folder.mkdir()
    write_tables(folder, tables)
    write_mapping(folder / "SOURCE.yaml", {"origin": "invented", "licence": "MIT"})
    return load_pack(folder)


@pytest.fixture
def pack(tmp_path):
    return pack_of(tmp_path / "pack")


PROMPT = TemplatePrompt(
    "short",
    "Be brief.",
    ["task", "texts"],
    {
        "task": "{{ feature.asked_of(language) }} {{ summary }}",
        "texts": "{% for p in paragraphs %}[{{ p.number }}] {{ p.text }}\n{% endfor %}",
    },
    summary="feature",
)


def order_of(retriever, k=None):
    return Finder(Search("order", "order number", "term"), retriever, NoReranker(), k)


def replied(pack, *repeats, feature=ORDER, settings=SETTINGS, **more):
    settings = replace(settings, repeats=len(repeats))
    return classify(pack, feature, Replies(*repeats), DefaultAnswers(), settings, **more)


GOOD = ["Conclusion: SOV", "Conclusion: SVO", "Conclusion: SVO", "I do not know."]


def test_figures_worked_out_by_hand(pack):
    result = replied(pack, GOOD)
    expected = {
        "f1_micro": 2 / 4,
        "accuracy": 2 / 4,
        # SOV: r 1, g 2, p 1; SVO: r 1, g 1, p 2; not mentioned: r 0, g 1, p 0
        "f1_macro": (2 / 3 + 2 / 3 + 0) / 3,
        "f1_weighted": (2 * 2 / 3 + 2 / 3 + 0) / 4,
        "unparsed_rate": 1 / 4,
        "status/parsed": 3 / 4,
        "status/unparsed": 1 / 4,
        "status/refused": 0,
        "majority/f1_micro": 2 / 4,
        "majority/f1_macro": (2 * 2 / 6) / 3,
        "uniform/f1_micro": (3 / 4) / 3,
        "grammars": 4,
        "f1_micro/macroarea/Eurasia": 1,
        "f1_micro/macroarea/Africa": 0,
        "grammars/macroarea/Africa": 2,
    }
    assert {name: result.metrics[name] for name in expected} == pytest.approx(expected)
    assert result.metrics["f1_micro_low"] < 1 / 2 < result.metrics["f1_micro_high"]
    assert not any(name.endswith("_sd") or name.startswith("vote/") for name in result.metrics)
    assert result.headline[0] == "f1_micro" and set(result.headline) <= set(result.metrics)


def test_rows_of_grammars_and_groups(pack):
    tables = replied(pack, GOOD).tables
    rows = tables["grammars"]
    shown = ("grammar", "gold", "predicted", "answer", "status", "correct", "part", "repeat")
    assert [tuple(row[name] for name in shown) for row in rows] == [
        ("north", "SOV", "SOV", "SOV", "parsed", True, "", 0),
        ("south", "SOV", "SVO", "SVO", "parsed", False, "", 0),
        ("east", "SVO", "SVO", "SVO", "parsed", True, "", 0),
        ("west", "none said", "", "", "unparsed", False, "", 0),
    ]
    assert [row["seconds"] for row in rows] == [0.5] * 4
    assert tables["families"] == [
        {"family": "Northic", "grammars": 2, **dict.fromkeys(F1S, 1)},
        {"family": "Southic", "grammars": 1, **dict.fromkeys(F1S, 0)},
        {"family": "Westic", "grammars": 1, **dict.fromkeys(F1S, 0)},
    ]
    assert [row["text"] for row in tables["replies"]] == GOOD
    cells = {(row["gold"], row["predicted"]): row["count"] for row in tables["confusion"]}
    assert len(cells) == 4 * 5 and sum(cells.values()) == 4
    assert cells["SOV", "SVO"] == cells["none said", ""] == cells["SOV", "SOV"] == 1
    classes = {row["class"]: row for row in tables["classes"]}
    assert (classes["SVO"]["precision"], classes["SVO"]["recall"]) == (1 / 2, 1)
    assert "prompts" not in tables


def test_a_confusion_matrix_is_drawn(pack, tmp_path):
    replied(pack, GOOD).figures["confusion.png"](tmp_path / "one.png")
    several = replied(pack, ["Conclusion: Tone: 1, Particle: 0"] * 4, feature=MARKS)
    several.figures["confusion.png"](tmp_path / "two.png")
    for name in ("one.png", "two.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_invalid_replies_are_what_is_chosen(pack):
    first = replace(SETTINGS, scoring=replace(SCORING, invalid="first_class"))
    result = replied(pack, [*GOOD[:2], "?", "?"], settings=first)
    assert [row["predicted"] for row in result.tables["grammars"]] == ["SOV", "SVO", "SOV", "SOV"]
    assert [row["answer"] for row in result.tables["grammars"]] == ["SOV", "SVO", "", ""]
    drop = replace(SETTINGS, scoring=replace(SCORING, invalid="drop"))
    result = replied(pack, GOOD, settings=drop)
    assert result.metrics["f1_micro"] == pytest.approx(2 / 3)
    assert [row["correct"] for row in result.tables["grammars"]] == [True, False, True, None]
    assert "invalid=drop: 1 of 4 answers" in result.notes[-1]
    assert result.metrics["unparsed_rate"] == 1 / 4
    assert [row["family"] for row in result.tables["families"]] == ["Northic", "Southic"]


def test_without_any_answer_nothing_breaks(pack):
    for invalid in ("wrong", "drop", "first_class"):
        settings = replace(SETTINGS, scoring=replace(SCORING, invalid=invalid))
        result = replied(pack, ["?"] * 4, settings=settings)
        assert result.metrics["unparsed_rate"] == 1
        assert math.isnan(result.metrics["f1_micro"]) == (invalid == "drop")


def test_repeats_are_means_with_their_sd_and_a_vote(pack):
    other = ["Conclusion: SOV", "Conclusion: SOV", "Conclusion: SVO", "Conclusion: SOV"]
    third = ["?", "Conclusion: SOV", "?", "?"]
    metrics = replied(pack, GOOD, other, third).metrics
    shares = [2 / 4, 3 / 4, 1 / 4]
    assert metrics["f1_micro"] == pytest.approx(1 / 2)
    assert metrics["f1_micro_sd"] == pytest.approx(math.sqrt(2 * (1 / 4) ** 2 / 2))
    assert metrics["f1_micro"] == pytest.approx(sum(shares) / 3)
    # the vote: SOV, SOV (two of three), SVO, SOV (the only one)
    assert metrics["vote/f1_micro"] == pytest.approx(3 / 4)
    assert metrics["unparsed_rate"] == pytest.approx(4 / 12)
    assert metrics["f1_micro/macroarea/Africa"] == pytest.approx((2 / 3 + 0) / 2)


def test_a_later_repeat_is_asked_for_by_its_number(pack):
    llm = Replies(["?"] * 4, GOOD, GOOD)
    settings = replace(SETTINGS, repeat=1, repeats=2)
    result = classify(pack, ORDER, llm, DefaultAnswers(), settings)
    assert result.metrics["f1_micro"] == 1 / 2 and result.metrics["f1_micro_sd"] == 0
    assert [row["repeat"] for row in result.tables["grammars"]] == [1] * 4 + [2] * 4


def conclusion(tone, word):
    return f"Conclusion: Tone: {tone}, Particle: {word}"


def test_parts_have_their_own_figures_and_a_mean(pack):
    texts = [conclusion(1, 1), conclusion(1, 1), conclusion(1, 1), conclusion(0, 0)]
    result = replied(pack, texts, feature=MARKS)
    expected = {
        "tone/f1_micro": 3 / 4,
        "word/f1_micro": 3 / 4,
        "f1_micro": 3 / 4,
        "exact_match": 2 / 4,
        # tone: gold 1 1 0 0, predicted 1 1 1 0
        "tone/f1_macro": (4 / 5 + 2 / 3) / 2,
        "tone/majority/f1_micro": 1 / 2,
        "majority/f1_micro": 1 / 2,
        "uniform/f1_micro": 1 / 2,
    }
    assert {name: result.metrics[name] for name in expected} == pytest.approx(expected)
    assert result.metrics["f1_micro_low"] < 3 / 4 < result.metrics["f1_micro_high"]
    assert result.metrics["exact_match_low"] < 1 / 2 < result.metrics["exact_match_high"]
    parts = [row["part"] for row in result.tables["grammars"]]
    assert parts == ["tone", "word"] * 4
    areas = {row["macroarea"]: row for row in result.tables["macroareas"]}
    assert areas["Eurasia"]["f1_micro"] == 3 / 4 and areas["Eurasia"]["exact_match"] == 1 / 2


def test_parts_over_repeats(pack):
    right = [conclusion(1, 1), conclusion(1, 0), conclusion(0, 1), conclusion(0, 0)]
    wrong = [conclusion(0, 1), *right[1:]]
    metrics = replied(pack, right, wrong, wrong, feature=MARKS).metrics
    assert metrics["tone/f1_micro"] == pytest.approx((1 + 3 / 4 + 3 / 4) / 3)
    assert metrics["f1_micro"] == pytest.approx((1 + 7 / 8 + 7 / 8) / 3)
    assert metrics["f1_micro_sd"] == pytest.approx(math.sqrt(1 / 8**2 / 3))
    assert metrics["vote/exact_match"] == pytest.approx(3 / 4)
    assert metrics["tone/vote/f1_micro"] == pytest.approx(3 / 4)


def test_figures_of_groups_of_parts_are_means_over_the_parts(pack):
    texts = [conclusion(1, 1), conclusion(1, 1), conclusion(1, 1), conclusion(0, 0)]
    tables = replied(pack, texts, feature=MARKS).tables
    eurasia = next(row for row in tables["macroareas"] if row["macroarea"] == "Eurasia")
    # north and east: tone gold 1 0, predicted 1 1; the particle gold 1 1, predicted 1 1
    assert eurasia["f1_macro"] == pytest.approx(((2 / 3 + 0) / 2 + 1) / 2)
    assert eurasia["f1_weighted"] == pytest.approx(((2 / 3 + 0) / 2 + 1) / 2)


# --- which grammars


def test_described_grammars_state_the_value_on_known_pages(pack):
    described = replace(SETTINGS, rows="described")
    result = replied(pack, GOOD, settings=described)
    assert [row["grammar"] for row in result.tables["grammars"]] == ["north", "south", "east"]
    assert "left out by rows=described" in result.notes[0] and "west" in result.notes[0]
    with pytest.raises(GrambenchError, match=r"task.rows is 'describd'.*Did you mean 'described'"):
        replied(pack, GOOD, settings=replace(SETTINGS, rows="describd"))


def test_a_limit_takes_the_first(pack):
    result = replied(pack, GOOD, settings=replace(SETTINGS, limit=2))
    assert result.metrics["grammars"] == 2
    asked = Reads()
    read(pack, asked, settings=replace(SETTINGS, limit=3))
    assert [question.id for question in asked.asked] == ["north", "south", "east"]


def test_a_value_that_is_none_is_named_with_its_grammar(tmp_path):
    pack = pack_of(tmp_path / "pack", values={"order": {"south": "SOW"}})
    with pytest.raises(GrambenchError, match=r"value of south: 'SOW' is no label"):
        replied(pack, GOOD)


def test_grammars_without_a_value_are_left_out(tmp_path):
    pack = pack_of(tmp_path / "pack", values={"order": {"south": "SOV", "east": "SVO"}})
    result = replied(pack, GOOD)
    assert result.metrics["grammars"] == 2 and result.metrics["f1_micro"] == 1 / 2
    assert result.notes == ["left out, since the pack has no value of them: 2 (north, west)"]
    assert result.tables["left_out"] == [
        {"grammar": "north", "why": "no value"},
        {"grammar": "west", "why": "no value"},
    ]


# --- an LLM that reads prompts


def read(pack, llm, retriever=None, k=None, **more):
    settings = more.pop("settings", SETTINGS)
    finder = order_of(retriever or GivenRetriever(), k)
    return classify(pack, ORDER, llm, DefaultAnswers(), settings, prompt=PROMPT, finder=finder)


@pytest.fixture
def given(tmp_path):
    """A pack in which three grammars have candidates, and no grammar is whole."""
    own = [f"{grammar}/{n}" for grammar in ("north", "south", "east") for n in (2, 1, 4, 3)]
    ranked = {g: [key for key in own if key.startswith(g)] for g in ("north", "south", "east")}
    pack = pack_of(tmp_path / "given", whole=tuple(GRAMMARS), candidates={"order": ranked})
    (tmp_path / "given" / "documents.csv").unlink()
    return load_pack(pack.path)


def test_the_first_paragraphs_are_given(given):
    llm = Reads()
    result = read(given, llm, k=2)
    assert [question.id for question in llm.asked] == ["north", "south", "east"]
    system, user = llm.asked[0].messages
    assert (system.role, system.content) == ("system", "Be brief.")
    assert "[1] north order text number 2" in user.content
    assert "[2] north order text number 1" in user.content
    assert "number 4" not in user.content and "What stands before what." in user.content
    assert [note for note in result.notes if "west" in note] == [
        "left out, since the pack has no text of them: 1 (west)"
    ]
    assert result.tables["left_out"] == [{"grammar": "west", "why": "no text"}]
    row = result.tables["grammars"][0]
    assert (row["paragraphs"], row["dropped"]) == (2, 0)
    assert row["paragraph_ids"] == ["north/2", "north/1"] and row["pages"] == [1, 2]
    assert row["tokens"] == llm.count(llm.asked[0].messages) and row["usd"] == 0.25
    assert result.metrics["paragraphs"] == 2 and result.metrics["paragraphs_dropped"] == 0
    assert result.metrics["usage/requests"] == 3
    assert result.texts["system"] == "Be brief." and result.texts["prompt"] == user.content
    assert result.texts["query"] == "order number"
    prompts = result.tables["prompts"]
    assert [(row["grammar"], row["role"]) for row in prompts[:2]] == [
        ("north", "system"),
        ("north", "user"),
    ]


def test_grammars_in_which_nothing_is_found_are_left_out_by_name(pack):
    oracle = OracleRetriever(pack=pack.path)
    llm = Reads()
    result = read(pack, llm, oracle)
    assert [question.id for question in llm.asked] == ["north", "south", "east"]
    assert "left out, since the retriever found nothing in them: 1 (west)" in result.notes
    assert result.tables["left_out"] == [{"grammar": "west", "why": "nothing found"}]


def test_without_a_finder_nothing_is_given_and_all_are_asked(tmp_path):
    pack = pack_of(tmp_path / "pack", whole=())
    llm = Reads()
    result = classify(pack, ORDER, llm, DefaultAnswers(), SETTINGS, prompt=PROMPT)
    assert [question.id for question in llm.asked] == list(GRAMMARS)
    assert llm.asked[0].messages[-1].content == "Which order has North? What stands before what."
    assert result.metrics["paragraphs"] == 0 and result.notes == []


def test_a_pack_without_text_says_what_to_do(tmp_path):
    pack = pack_of(tmp_path / "pack", whole=())
    with pytest.raises(GrambenchError, match=r"no text to read about order.*retriever=none"):
        read(pack, Reads())


def test_what_does_not_fit_is_dropped_from_the_end_and_told(given, caplog):
    # 2 + 8 words without a paragraph, 6 each
    llm = Reads(room=2 + 8 + 6 * 3)
    with caplog.at_level(logging.WARNING):
        result = read(given, llm)
    assert "number 4" in llm.asked[0].messages[-1].content
    assert "number 3" not in llm.asked[0].messages[-1].content
    assert result.metrics["paragraphs_dropped"] == 3 and result.metrics["paragraphs"] == 3
    assert [row["dropped"] for row in result.tables["grammars"]] == [1, 1, 1]
    (note,) = (note for note in result.notes if "dropped" in note)
    assert note.startswith("3 paragraphs did not fit") and "1 of south" in note
    assert "north: 1 of 4 paragraphs do not fit" in caplog.text
    bare = read(given, Reads(room=2 + 8)).notes
    assert any(note.endswith("; of north, south, east no paragraph is left") for note in bare)
    with pytest.raises(GrambenchError, match=r"The prompt for north: .*10 tokens.*room for 9"):
        read(given, Reads(room=9))


def test_what_the_server_finds_too_long_is_asked_again_with_less(given):
    llm = Reads(takes=2 + 8 + 6 * 2)
    result = read(given, llm, settings=replace(SETTINGS, repeats=2))
    # 4, then 3, then 2 paragraphs, of three grammars, twice
    assert len(llm.asked) == 18
    assert [row["paragraphs"] for row in result.tables["grammars"]] == [2] * 6
    assert result.metrics["paragraphs_dropped"] == 12
    (note,) = (note for note in result.notes if "dropped" in note)
    assert "2 of north" in note
    with pytest.raises(GrambenchError, match=r"3 of 3 questions have no reply.*too short"):
        read(given, Reads(takes=5))


def test_questions_without_a_reply_end_the_run(given):
    fails = {
        "north": Failure("server", "error 500"),
        "east": Failure("budget", "not sent: raise llm.budget_usd."),
    }
    llm = Reads(fails=fails)
    with pytest.raises(GrambenchError) as caught:
        read(given, llm)
    said = str(caught.value)
    assert said.startswith("2 of 3 questions have no reply.")
    for part in (
        "error 500",
        "On north: error 500; on east: not sent",
        "What was answered is stored",
        "raise llm.budget_usd. What was",
    ):
        assert part in said
    with pytest.raises(GrambenchError) as caught:
        read(given, Reads(fails={"north": fails["north"]}))
    assert str(caught.value) == (
        "The question on north has no reply: error 500. What was answered is stored: start again,"
        " and only the rest is asked."
    )


def test_only_what_does_not_fit_is_said_of_a_prompt(given):
    class Uncounted(Reads):
        def count(self, messages):
            raise GrambenchError("There is no such tokenizer.")

    with pytest.raises(GrambenchError, match=r"^There is no such tokenizer\.$"):
        read(given, Uncounted())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"labels": "gld"}, "task.labels is 'gld'.*Did you mean 'gold'"),
        ({"invalid": "ignored"}, "task.invalid is 'ignored': choose wrong, drop, first_class"),
        ({"confidence": 95}, "task.confidence is 95"),
        ({"resamples": 0}, "task.resamples is 0"),
    ],
)
def test_ways_to_judge_are_checked_before_anybody_is_asked(wrong, said):
    with pytest.raises(GrambenchError, match=said):
        replace(SCORING, **wrong)


def test_a_prompt_is_needed(pack):
    with pytest.raises(GrambenchError, match="'reads' reads prompts: give it a prompt"):
        classify(pack, ORDER, Reads(), DefaultAnswers(), SETTINGS)


# --- replies that need no prompt


def test_recorded_replies_leave_no_grammar_out(given):
    result = replied(given, GOOD, finder=order_of(GivenRetriever(), 2))
    assert [row["paragraphs"] for row in result.tables["grammars"]] == [2, 2, 2, 0]
    assert result.metrics["grammars"] == 4


def test_paragraphs_that_cannot_be_looked_up_are_a_note(pack, tmp_path):
    oracle = OracleRetriever(pack=pack_of(tmp_path / "other", values={"x": {"north": "1"}}).path)
    broken = Finder(Search("sounds", "?", "term"), oracle, NoReranker())
    result = replied(pack, GOOD, finder=broken)
    assert result.metrics["grammars"] == 4
    assert result.notes[-1].startswith("quotations are not checked: ")


def test_what_replies_rest_on(given):
    texts = [
        'Paragraph 1 has "north order text number 2", and paragraph 7 has it too. Conclusion: SOV',
        '{"reasoning": "It says \\"words that are nowhere to be found\\".", "conclusion": "SVO"}',
        'They ask "What stands before what." and nothing else. Conclusion: SVO',
        '"west order text number 1" is quoted of a grammar that was not given.',
    ]
    result = replied(given, texts, finder=order_of(GivenRetriever(), 2))
    shown = {name: value for name, value in result.metrics.items() if name.startswith("evidence")}
    assert shown == {
        "evidence/replies": 3,
        "evidence/quotations": 2,
        "evidence/quotations_found_rate": 1 / 2,
        "evidence/cited": 2,
        "evidence/cited_found_rate": 1 / 2,
    }
    first, second, third = result.tables["evidence"]
    assert (first["cited_numbers"], first["quoted_numbers"]) == ([1, 7], [1])
    assert second["not_found"] == ["words that are nowhere to be found"]
    assert third["quotations"] == 0
