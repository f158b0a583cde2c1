"""Concordance index and its correction for chance: golden values, oracles, permutations."""

import math
import tracemalloc
from itertools import product

import naive
import numpy as np
import pytest
from soft_measures import check_golden, golden, membership_rows, random_side
from strategies import JIT_OFF, partition_pairs

import softclust as sc
from softclust.soft_pairs import pair_rows, row_distances
from softclust.soft_pairs import row_distances as concordance
from softclust.soft_pairs.pair_chance import ConcordanceChance

METRICS = tuple(concordance.METRICS)
REDUCING = METRICS[:4]
POSSIBILISTIC = ("maximum", "manhattan", "euclidean_cube")


def sides(rng, metric, n):
    kinds = ["hard", "fuzzy", *(["possibilistic"] if metric in POSSIBILISTIC else [])]
    return [random_side(rng, str(rng.choice(kinds)), n, int(rng.integers(2, 5))) for _ in range(2)]


@pytest.mark.parametrize("case", golden("concordance_index", "adjusted_concordance_index"))
def test_golden_values(case):
    check_golden(case)


@pytest.mark.parametrize("metric", METRICS)
def test_against_definition(metric):
    rng = np.random.default_rng(1)
    for _ in range(12):
        x, y = sides(rng, metric, int(rng.integers(2, 9)))
        expected = naive.concordance_index(membership_rows(x), membership_rows(y), metric)
        found = sc.concordance_index(x, y, metric=metric)
        assert found == pytest.approx(expected, rel=0, abs=1e-12)  # 36 terms
        assert sc.concordance_index(y, x, metric=metric) == pytest.approx(found, rel=0, abs=1e-14)


@pytest.mark.parametrize("metric", METRICS)
def test_expectation_is_the_mean_over_all_orders(metric):
    rng = np.random.default_rng(2)
    for n in (3, 5):
        x, y = sides(rng, metric, n)
        expected = naive.adjusted_concordance_index(membership_rows(x), membership_rows(y), metric)
        found = sc.adjusted_concordance_index(x, y, metric=metric)
        # a quotient of differences of means
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-10)


def test_expectation_of_six_objects():
    rng = np.random.default_rng(3)
    x, y = random_side(rng, "fuzzy", 6, 3), random_side(rng, "fuzzy", 6, 2)
    rows = membership_rows(x), membership_rows(y)
    mean = naive.mean_over_orders(naive.concordance_index, *rows)
    chance = sc.get_measure("concordance_index").chance(sc.Joint(x, y))
    assert chance == pytest.approx(mean, rel=0, abs=1e-12)


@pytest.mark.parametrize("metric", REDUCING)
def test_crisp_memberships_give_the_rand_indices(metric):
    for n in (2, 3, 4) if JIT_OFF else (2, 3, 4, 5):
        step = 1 if n < 5 else 11  # every pair of up to four objects, some of five
        for pair in list(partition_pairs(n))[::step]:
            hard = sc.Joint(*pair)
            u, v = (sc.FuzzyClustering(np.eye(n)[k]) for k in pair)
            for x, y in ((u, v), (hard.x, v), (hard.x, hard.y)):
                assert sc.concordance_index(x, y, metric=metric) == pytest.approx(
                    sc.rand_index(hard), rel=0, abs=1e-12)
                counts = sc.pair_counts(hard)
                if counts.n11 + counts.n10 in (0, counts.n_pairs) and (
                        counts.n11 + counts.n01 == counts.n11 + counts.n10):
                    with pytest.warns(sc.UndefinedMeasureWarning):
                        assert math.isnan(sc.adjusted_concordance_index(x, y, metric=metric))
                else:
                    assert sc.adjusted_concordance_index(x, y, metric=metric) == pytest.approx(
                        sc.adjusted_rand_index(hard), rel=0, abs=1e-12)


@pytest.mark.parametrize("metric", METRICS)
def test_hard_sides_and_one_hot_rows_agree(metric):
    rng = np.random.default_rng(4)
    x, y = rng.integers(0, 4, 12), rng.integers(0, 3, 12)
    x[:4], y[:3] = range(4), range(3)
    soft = sc.FuzzyClustering(np.eye(4)[x]), sc.FuzzyClustering(np.eye(3)[y])
    for name in ("concordance_index", "adjusted_concordance_index"):
        values = [getattr(sc, name)(a, b, metric=metric) for a, b in product((x, soft[0]),
                                                                             (y, soft[1]))]
        assert values == pytest.approx([values[0]] * 4, rel=0, abs=1e-12)


def test_manhattan_does_not_reduce_to_the_rand_index():
    x, y = [0, 0, 1], [0, 1, 2]
    for metric in ("manhattan", "euclidean_cube"):
        assert sc.concordance_index(x, y, metric=metric) != pytest.approx(sc.rand_index(x, y))


def test_different_memberships_can_reach_one():
    """Spec section 4."""
    x = sc.FuzzyClustering([[0.5, 0.5], [0, 1], [0, 1]])
    y = sc.FuzzyClustering([[0, 1], [0.5, 0.5], [0.5, 0.5]])
    assert sc.concordance_index(x, y) == 1.0


def test_constant_memberships():
    uniform = np.full((3, 4), 0.25)
    with pytest.warns(sc.UndefinedMeasureWarning, match="1 for every order"):
        assert math.isnan(sc.adjusted_concordance_index(uniform, uniform))
    assert sc.adjusted_concordance_index([0, 0, 0], [[0.5, 0.5], [0.5, 0.5], [1, 0]]) == 0.0


def test_sampling_is_near_and_says_so_by_name():
    rng = np.random.default_rng(5)
    n = 60 if JIT_OFF else 200
    x = random_side(rng, "fuzzy", n, 3)
    y = sc.FuzzyClustering(0.7 * x.membership + 0.3 / 3)
    exact = sc.adjusted_concordance_index(x, y)
    m = 3000 if JIT_OFF else 50_000
    found = [sc.adjusted_concordance_index(x, y, method="sampled", n_pairs=m, rng=seed)
             for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert found == pytest.approx([exact] * 3, abs=0.03)   # about 5 standard errors
    for metric in METRICS:
        near = sc.adjusted_concordance_index(x, y, metric=metric, method="sampled", n_pairs=m,
                                             rng=2)
        assert near == pytest.approx(sc.adjusted_concordance_index(x, y, metric=metric), abs=0.05)


def test_too_many_pairs_are_refused_with_the_way_out():
    x, y = np.full((9, 2), 0.5), np.full((9, 2), 0.5)
    with pytest.raises(sc.ClusteringError, match=r"36 numbers.*max_pairs.*sampled"):
        sc.adjusted_concordance_index(x, y, max_pairs=35)
    # a hard side needs no sorted pairs
    assert sc.adjusted_concordance_index([0, 1, 1] * 3, x, max_pairs=35) == pytest.approx(0)


@pytest.mark.parametrize(("options", "message"), [
    ({"metric": "l1"}, "metric='l1' is not known"),
    ({"method": "random"}, "method='random' is not known"),
    ({"rng": 1}, 'no effect with method="exact"'),
    ({"method": "sampled", "n_pairs": 3}, "n_pairs is 3; a whole number >= 8"),
])
def test_wrong_options(options, message):
    with pytest.raises(ValueError, match=message):
        sc.adjusted_concordance_index([0, 1, 1], [[0.5, 0.5]] * 3, **options)


@pytest.mark.parametrize("metric", ["total_variation", "euclidean", "cosine"])
def test_possibilistic_sides_are_refused_where_distances_exceed_one(metric):
    typical = sc.PossibilisticClustering([[1, 0.2], [0.3, 0.9], [0, 1]])
    with pytest.raises(sc.ClusteringError, match=r"y is possibilistic; .*maximum.*to_fuzzy"):
        sc.concordance_index([0, 0, 1], typical, metric=metric)


@pytest.mark.parametrize("metric", METRICS)
def test_the_same_bits_for_any_number_of_threads(metric, monkeypatch):
    monkeypatch.setattr(pair_rows, "_STEPS", 1.0)
    rng = np.random.default_rng(6)
    n = 70 if JIT_OFF else 700
    x, y = random_side(rng, "fuzzy", n, 4), random_side(rng, "fuzzy", n, 3)
    found = set()
    for threads in (1, 8):
        sc.set_num_threads(threads)
        found.add((sc.concordance_index(x, y, metric=metric),
                   sc.adjusted_concordance_index(x, y, metric=metric)))
    sc.set_num_threads(None)
    assert len(found) == 1


def test_memory_does_not_grow_with_the_pairs(monkeypatch):
    """Sorting by ranges of values: the same from any number held at a time."""
    n = 60 if JIT_OFF else 1500
    rng = np.random.default_rng(7)
    x, y = random_side(rng, "fuzzy", n, 3), random_side(rng, "fuzzy", n, 3)
    whole = sc.adjusted_concordance_index(x, y)
    pairs = n * (n - 1) // 2
    monkeypatch.setattr(row_distances, "HELD", pairs // 10)
    monkeypatch.setattr(row_distances, "_MADE", pairs // 20)
    tracemalloc.start()
    parts = sc.adjusted_concordance_index(x, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert parts == pytest.approx(whole, rel=1e-12)
    # held numbers with their copies, parts under way on threads, bins, rows; 16 bytes a pair
    # were 18 MB
    assert peak < 8 * (4 * pairs // 10 + 8 * pairs // 20) + 2e6 + 1000 * n


def test_ranges_of_few_equal_values(monkeypatch):
    """Crisp rows give few different distances: bins that cannot be parted."""
    rng = np.random.default_rng(3)
    x = sc.FuzzyClustering(np.array([[1, 0], [.5, .5], [0, 1]])[rng.integers(0, 3, 40)])
    y = sc.FuzzyClustering(np.array([[1, 0], [.25, .75], [0, 1]])[rng.integers(0, 3, 40)])
    whole = sc.adjusted_concordance_index(x, y)
    monkeypatch.setattr(row_distances, "HELD", 50)
    monkeypatch.setattr(row_distances, "_MADE", 10)
    assert sc.adjusted_concordance_index(x, y) == pytest.approx(whole, rel=1e-12)


def test_progress_counts_pairs():
    u = np.random.default_rng(8).dirichlet([1, 1], 40)
    calls = []
    sc.concordance_index(u, u[:, ::-1], metric="maximum",
                         progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (780, 780)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("kinds", [("hard", "hard"), ("hard", "fuzzy"), ("fuzzy", "fuzzy")])
def test_without_each_object_is_the_index_of_the_others(kinds, metric):
    rng = np.random.default_rng(9)
    joint = sc.Joint(*(random_side(rng, kind, 9, 3) for kind in kinds))
    index = sc.get_measure("adjusted_concordance_index")
    found = joint.without_each(ConcordanceChance, metric=metric)
    values = np.repeat(index.replicated(found, {"metric": metric})[:, 0], found.times)
    others = [sc.adjusted_concordance_index(joint.subset(np.delete(np.arange(9), i)), metric=metric)
              for i in range(9)]
    if kinds == ("hard", "hard"):   # equal cells stand for their objects
        values, others = np.sort(values), np.sort(others)
    assert values == pytest.approx(others, rel=0, abs=1e-12)


def test_sampling_draws_anew_from_the_same_pair():
    rng = np.random.default_rng(4)
    joint = sc.Joint(random_side(rng, "fuzzy", 20, 3), random_side(rng, "fuzzy", 20, 3))
    draws = np.random.default_rng(0)
    first, second = (sc.adjusted_concordance_index(joint, method="sampled", n_pairs=100, rng=draws)
                     for _ in range(2))
    assert first != second
