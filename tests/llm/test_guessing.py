from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier

from src.errors import GrambenchError
from src.llm.guessing import STRATEGIES, Guesser
from src.records import Question

CLASSES = ["SOV", "SVO", "VSO"]


def guesser(strategy, gold, classes=CLASSES, seed=0):
    made = Guesser(name=strategy, strategy=strategy, seed=seed)
    made.fit({str(i): {"": label} for i, label in enumerate(gold)}, {"": classes})
    return made


def guesses(made, count, repeat=0):
    replies = made.ask([Question(str(i), (), repeat) for i in range(count)])
    return [reply.text.removeprefix("Conclusion: ") for reply in replies]


@given(st.lists(st.sampled_from(CLASSES), min_size=1))
def test_the_majority_is_scikit_learns(gold):
    rows = np.zeros((len(gold), 1))
    oracle = DummyClassifier(strategy="most_frequent").fit(rows, gold)
    # It settles ties by the alphabet, the order of these classes.
    assert guesses(guesser("majority", gold), len(gold)) == list(oracle.predict(rows))


def test_of_equals_the_class_listed_first_is_the_majority():
    assert guesses(guesser("majority", ["SVO", "VSO", "SOV", "VSO", "SVO"]), 1) == ["SVO"]
    gold = ["not mentioned", "VSO"]
    assert guesses(guesser("majority", gold), 1) == ["VSO"]
    assert guesses(guesser("majority", [*gold, "not mentioned"]), 1) == ["not mentioned"]


@pytest.mark.parametrize(
    ("strategy", "shares"),
    [("stratified", {"SOV": 0.7, "VSO": 0.3}), ("uniform", dict.fromkeys(CLASSES, 1 / 3))],
)
def test_draws_follow_their_shares(strategy, shares):
    found = Counter(guesses(guesser(strategy, ["SOV"] * 7 + ["VSO"] * 3), 4000))
    assert set(found) == set(shares)
    for label, share in shares.items():
        # Five standard errors; the draws are the same at every run.
        assert abs(found[label] / 4000 - share) < 5 * (share * (1 - share) / 4000) ** 0.5


def test_a_guess_depends_on_seed_repeat_and_grammar_alone():
    gold = ["SOV", "SVO", "VSO"] * 10
    first = guesses(guesser("stratified", gold), 30)
    asked = [Question(str(i), ()) for i in reversed(range(30))]
    backwards = [reply.text for reply in guesser("stratified", gold).ask(asked)]
    assert backwards[::-1] == [f"Conclusion: {guess}" for guess in first]
    assert guesses(guesser("stratified", gold, seed=1), 30) != first
    assert guesses(guesser("stratified", gold), 30, repeat=1) != first


@given(
    strategy=st.sampled_from(STRATEGIES),
    gold=st.lists(st.sampled_from([*CLASSES, "not mentioned"]), min_size=1, max_size=9),
    asked=st.lists(st.tuples(st.text(max_size=3), st.integers(0, 5)), unique=True, max_size=9),
    seed=st.integers(0, 2**40),
)
def test_guesses_are_labels_that_there_are_whoever_asks_and_in_which_order(
    strategy, gold, asked, seed
):
    questions = [Question(grammar, (), repeat) for grammar, repeat in asked]
    replies = guesser(strategy, gold, seed=seed).ask(questions)
    drawn = [reply.text.removeprefix("Conclusion: ") for reply in replies]
    most = max(gold.count(label) for label in gold)
    allowed = {
        "majority": {label for label in gold if gold.count(label) == most},
        "stratified": set(gold),
        "uniform": set(CLASSES),
    }
    assert set(drawn) <= allowed[strategy]
    assert strategy != "majority" or len(set(drawn)) <= 1
    again = guesser(strategy, gold, seed=seed)
    for question, reply in reversed(list(zip(questions, replies, strict=True))):
        assert again.ask([question]) == [reply]


def test_parts_are_guessed_each_for_itself():
    made = Guesser(name="majority", strategy="majority", seed=0)
    gold = {"a": {"initial": "1", "tone": "0"}, "b": {"initial": "1", "tone": "0"}}
    labels = {"initial": "Clause-initial particle", "tone": "Tone"}
    made.fit(gold, {"initial": ["1", "0"], "tone": ["1", "0"]}, labels)
    (reply,) = made.ask([Question("a", ())])
    assert reply.text == "Conclusion: Clause-initial particle: 1, Tone: 0"
    assert made.usage() == {}
    drawn = Guesser(name="uniform", strategy="uniform", seed=0)
    drawn.fit({}, {"initial": ["1", "0"], "tone": ["1", "0"]}, labels)
    pairs = Counter(reply.text for reply in drawn.ask([Question(str(i), ()) for i in range(400)]))
    assert len(pairs) == 4 and min(pairs.values()) > 60


def test_faults_are_told():
    with pytest.raises(GrambenchError, match="Did you mean 'majority'"):
        Guesser(name="x", strategy="majorty", seed=0)
    with pytest.raises(GrambenchError, match="no gold labels"):
        guesser("stratified", [])
