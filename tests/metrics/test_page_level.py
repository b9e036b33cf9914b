import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.errors import GrambenchError
from src.metrics import page_level as measure

# gold pages 3, 4 and 9; the first paragraph stands on none, the third on two of them
RANKED = [(1,), (2, 3), (3, 4), (), (8, 9)]
GOLD = (3, 4, 9)
LENGTHS = [10, 20, 30, 40, 50]


def test_recall_worked_out_by_hand():
    curve = measure.page_recall_curve(RANKED, GOLD, 7)
    assert curve.tolist() == pytest.approx([0, 1 / 3, 2 / 3, 2 / 3, 1, 1, 1])
    assert measure.page_recall_curve(RANKED, GOLD, 2).tolist() == pytest.approx([0, 1 / 3])
    assert measure.found_at(RANKED, GOLD) == {3: 2, 4: 3, 9: 5}


def test_measures_of_paragraphs_worked_out_by_hand():
    assert measure.on_gold(RANKED, GOLD).tolist() == [False, True, True, False, True]
    assert measure.page_precision_at(RANKED, GOLD, 3) == pytest.approx(2 / 3)
    assert measure.page_precision_at(RANKED, GOLD, 10) == pytest.approx(3 / 10)
    assert measure.page_reciprocal_rank_at(RANKED, GOLD, 5) == pytest.approx(1 / 2)
    assert measure.page_reciprocal_rank_at(RANKED, GOLD, 1) == 0
    assert [measure.page_hit_at(RANKED, GOLD, k) for k in (1, 2, 9)] == [0, 1, 1]


def test_costs_worked_out_by_hand():
    assert measure.cost_at(LENGTHS, 2) == 30 and measure.cost_at(LENGTHS, 9) == 150
    assert measure.cost_until_first(RANKED, GOLD, LENGTHS) == 30
    assert measure.cost_until_all(RANKED, GOLD, LENGTHS) == 150
    assert measure.cost_until_all(RANKED, (3, 4), LENGTHS) == 60
    assert math.isnan(measure.cost_until_all(RANKED, (3, 77), LENGTHS))
    assert measure.cost_until_first(RANKED, (3, 77), LENGTHS) == 30
    assert math.isnan(measure.cost_until_first(RANKED, (77,), LENGTHS))


def test_nothing_ranked_is_nothing_found_at_no_cost():
    assert measure.page_recall_curve([], GOLD, 3).tolist() == [0, 0, 0]
    assert measure.page_precision_at([], GOLD, 5) == 0
    assert measure.page_hit_at([], GOLD, 5) == 0
    assert measure.page_reciprocal_rank_at([], GOLD, 5) == 0
    assert measure.cost_at([], 5) == 0
    assert math.isnan(measure.cost_until_first([], GOLD, []))
    assert measure.reachable([], GOLD) == 0
    assert measure.expected_page_recall_curve([], GOLD, 3).tolist() == [0, 0, 0]


def test_what_can_be_reached():
    assert measure.reachable(RANKED, (3, 4, 77, 78)) == pytest.approx(1 / 2)


def test_chance_worked_out_by_hand():
    # page 3 on two of five paragraphs, page 77 on none: 1 - C(3, k) / C(5, k), halved
    curve = measure.expected_page_recall_curve(RANKED, (3, 77), 6)
    missed = [math.comb(3, k) / math.comb(5, k) for k in (1, 2, 3, 4, 5)]
    assert curve.tolist() == pytest.approx([(1 - m) / 2 for m in missed] + [1 / 2])


def test_chance_is_the_mean_over_all_orders():
    orders = list(itertools.permutations(RANKED))
    curves = [measure.page_recall_curve(order, GOLD, 5) for order in orders]
    chance = measure.expected_page_recall_curve(RANKED, GOLD, 5)
    assert np.mean(curves, axis=0) == pytest.approx(chance, abs=1e-12)


def test_chance_in_a_whole_book_stays_exact():
    pool = [(number // 4,) for number in range(20_000)]
    curve = measure.expected_page_recall_curve(pool, (7,), 20)
    for k in (1, 20):
        exact = 1 - math.comb(19_996, k) / math.comb(20_000, k)
        assert curve[k - 1] == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(
    "call",
    [
        lambda: measure.page_recall_curve(RANKED, (), 3),
        lambda: measure.expected_page_recall_curve(RANKED, (), 3),
        lambda: measure.reachable(RANKED, ()),
        lambda: measure.on_gold(RANKED, ()),
    ],
)
def test_without_gold_pages_there_is_nothing_to_measure(call):
    with pytest.raises(GrambenchError, match="no gold pages"):
        call()


def test_a_cutoff_below_1_is_refused():
    for of in (measure.page_precision_at, measure.page_hit_at, measure.page_reciprocal_rank_at):
        with pytest.raises(GrambenchError, match="cutoff k must be at least 1"):
            of(RANKED, GOLD, 0)


PAGES = st.lists(st.sets(st.integers(1, 12), max_size=3), max_size=12)
SOME_GOLD = st.sets(st.integers(1, 14), min_size=1, max_size=5)


@given(PAGES, SOME_GOLD, st.randoms(use_true_random=False))
def test_recall_rises_to_what_can_be_reached(pool, gold, random):
    order = random.sample(pool, len(pool))
    reachable = measure.reachable(pool, gold)
    chance = measure.expected_page_recall_curve(pool, gold, 14)
    for curve in (measure.page_recall_curve(order, gold, 14), chance):
        assert (np.diff(curve) >= -1e-12).all()
        assert curve[0] >= 0 and curve[-1] == pytest.approx(reachable)


@given(PAGES, SOME_GOLD, st.integers(1, 14))
def test_measures_agree_with_a_walk_down_the_ranking(ranked, gold, k):
    seen: set[int] = set()
    hits = 0
    for pages in ranked[:k]:
        seen |= pages & gold
        hits += bool(pages & gold)
    assert measure.page_recall_curve(ranked, gold, k)[-1] == pytest.approx(len(seen) / len(gold))
    assert measure.page_precision_at(ranked, gold, k) == pytest.approx(hits / k)
    assert measure.page_hit_at(ranked, gold, k) == bool(hits)
    first = measure.page_reciprocal_rank_at(ranked, gold, k)
    assert (first > 0) == bool(hits)
    ones = [1] * len(ranked)
    until = measure.cost_until_first(ranked, gold, ones)
    assert first in (0.0, pytest.approx(1 / until))
