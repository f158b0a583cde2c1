"""Credal and alpha-Rand indices corrected for chance: golden values, permutations, odd input."""

import math
from itertools import permutations, product

import naive
import numpy as np
import pytest
from soft_measures import check_golden, golden
from strategies import JIT_OFF, KINDS, naive_masses, partition_pairs, random_clustering

import softclust as sc
from softclust.soft_pairs import pair_rows

ALPHAS = (0.0, 0.25, 0.5, 0.75, 1.0)
#: one pair of kinds for each way to form the expectation, and its mirror image
SEPARABLE = [("fuzzy", "fuzzy"), ("evidential", "fuzzy"), ("evidential", "evidential"),
             ("possibilistic", "evidential"), ("fuzzy", "possibilistic")]
LINEAR = [("hard", "possibilistic"), ("evidential", "hard"), ("rough", "rough"),
          ("rough", "evidential"), ("possibilistic", "rough"), ("hard", "rough")]


def pairs(kinds, n, seed, empty):
    rng = np.random.default_rng(seed)
    return [random_clustering(rng, kind, n, 3, empty) for kind in kinds]


@pytest.mark.parametrize("case", golden("adjusted_credal_rand_index", "credal_rand_index",
                                        "adjusted_alpha_rand_index"))
def test_golden_values(case):
    check_golden(case)


@pytest.mark.parametrize("kinds", SEPARABLE + LINEAR, ids="-".join)
@pytest.mark.parametrize("distance", ["belief", "conflict"])
def test_credal_expectation_is_the_mean_over_all_orders(kinds, distance):
    x, y = pairs(kinds, 4, 1, empty=True)
    masses = naive_masses(x), naive_masses(y)
    found = sc.adjusted_credal_rand_index(x, y, distance=distance)
    # a quotient of differences of means
    assert found == pytest.approx(
        naive.adjusted_credal_rand_index(*masses, distance), rel=0, abs=1e-11)
    assert sc.adjusted_credal_rand_index(y, x, distance=distance) == pytest.approx(found, abs=1e-11)


@pytest.mark.parametrize("kinds", SEPARABLE + LINEAR, ids="-".join)
def test_alpha_expectation_is_the_mean_over_all_orders(kinds):
    x, y = pairs(kinds, 4, 2, empty=kinds in LINEAR)
    masses = naive_masses(x), naive_masses(y)
    for alpha in ALPHAS:
        try:
            expected = naive.adjusted_alpha_rand_index(*masses, alpha)
        except ZeroDivisionError:   # alpha = 0 may forgive everything, in every order
            assert alpha == 0
            with pytest.warns(sc.UndefinedMeasureWarning):
                assert math.isnan(sc.adjusted_alpha_rand_index(x, y, alpha=alpha))
            continue
        found = sc.adjusted_alpha_rand_index(x, y, alpha=alpha)
        assert found == pytest.approx(expected, rel=0, abs=1e-11)
        assert sc.adjusted_alpha_rand_index(y, x, alpha=alpha) == pytest.approx(found, abs=1e-11)


@pytest.mark.parametrize("kinds", [SEPARABLE[2], LINEAR[3]], ids="-".join)
def test_chance_levels_of_five_objects(kinds):
    x, y = pairs(kinds, 5, 3, empty=False)
    masses = naive_masses(x), naive_masses(y)
    for name in ("credal_rand_index", "alpha_rand_index"):
        index = getattr(naive, name)
        mean = np.mean([float(index(masses[0], [masses[1][i] for i in order]))
                        for order in permutations(range(5))])
        chance = sc.get_measure(name).chance(sc.Joint(x, y))
        assert chance == pytest.approx(mean, rel=0, abs=1e-12)


def test_compare_prints_the_chance_level_at_the_alpha_in_use():
    x, y = pairs(("rough", "evidential"), 8, 4, empty=True)
    for alpha in ALPHAS:
        row = sc.compare(x, y, measures="alpha_rand_index", alpha=alpha).rows[0]
        assert (row.value - row.chance) / (1 - row.chance) == pytest.approx(
            sc.adjusted_alpha_rand_index(x, y, alpha=alpha), rel=0, abs=1e-12)


def test_fuzzy_clusterings_have_one_adjusted_index():
    x, y = pairs(("fuzzy", "fuzzy"), 12, 5, empty=False)
    belief = sc.adjusted_credal_rand_index(x, y)
    for alpha in ALPHAS:
        assert sc.adjusted_alpha_rand_index(x, y, alpha=alpha) == pytest.approx(belief, abs=1e-12)


def test_crisp_masses_give_the_adjusted_rand_index():
    n = 3 if JIT_OFF else 4
    for a, b in partition_pairs(n):
        counts = sc.pair_counts(a, b)
        if counts.n10 == counts.n01 == 0:
            continue
        for x in (sc.HardClustering(a), sc.FuzzyClustering(np.eye(n)[a]),
                  sc.PossibilisticClustering(np.eye(n)[a])):
            expected = pytest.approx(sc.adjusted_rand_index(a, b), rel=0, abs=1e-12)
            assert sc.adjusted_credal_rand_index(x, b) == expected
            assert sc.adjusted_credal_rand_index(x, b, distance="conflict") == expected
            assert sc.adjusted_alpha_rand_index(x, b, alpha=0.25) == expected


def test_sorting_and_mean_masses_agree():
    """A rough side in a form that no longer says it is certain takes the sorted pairs."""
    from softclust.soft_pairs import (
        pair_chance,
    )
    x, y = pairs(("rough", "evidential"), 9, 6, empty=False)
    tables = x.mass_table(), y.mass_table()
    means = pair_chance.mean_masses(x), pair_chance.mean_masses(y)
    for alpha in (None, *ALPHAS):
        terms = (pair_chance.belief_terms(*tables) if alpha is None
                 else pair_chance.alpha_terms(*tables, alpha))
        joint = sc.Joint(x, y)
        assert pair_chance.expected_mass_loss(x, y, terms, joint.kept) == pytest.approx(
            pair_chance.linear_loss(*means, alpha), rel=0, abs=1e-12)


def test_mass_on_the_empty_set_is_refused_with_the_way_out():
    x = sc.PossibilisticClustering([[0.5, 0.2], [0.3, 1], [0.1, 1]])
    y = sc.FuzzyClustering([[0.5, 0.5], [0.2, 0.8], [1, 0]])
    with pytest.raises(sc.ClusteringError, match=r"y has mass on the empty.*y\.normalize.*sampled"):
        sc.adjusted_alpha_rand_index(y, x)
    assert math.isfinite(sc.adjusted_alpha_rand_index(y, x.normalize()))
    assert math.isfinite(sc.adjusted_alpha_rand_index([0, 0, 1], x))
    assert math.isnan(sc.get_measure("alpha_rand_index").chance(sc.Joint(y, x)))
    assert math.isfinite(sc.adjusted_credal_rand_index(y, x))


def test_sampling_is_near():
    n = 40 if JIT_OFF else 100
    x, y = pairs(("evidential", "possibilistic"), n, 7, empty=True)
    m = 2000 if JIT_OFF else 100_000
    tolerance = 0.1 if JIT_OFF else 0.02    # about 5 standard errors
    found = sc.adjusted_credal_rand_index(x, y, method="sampled", n_pairs=m, rng=1)
    assert found == pytest.approx(sc.adjusted_credal_rand_index(x, y), abs=tolerance)
    assert found == sc.adjusted_credal_rand_index(x, y, method="sampled", n_pairs=m, rng=1)
    # any masses: halfway between forms that are exact
    sampled = sc.adjusted_alpha_rand_index(x, y, alpha=0.25, method="sampled", n_pairs=m, rng=2)
    assert -1 < sampled < 1
    x, y = x.normalize("yager"), y.normalize("yager")
    for alpha in (0.25, 0.75):
        assert sc.adjusted_alpha_rand_index(
            x, y, alpha=alpha, method="sampled", n_pairs=m, rng=3) == pytest.approx(
            sc.adjusted_alpha_rand_index(x, y, alpha=alpha), abs=tolerance)


@pytest.mark.parametrize(("options", "message"), [
    ({"distance": "jousselme"}, "no separable form"),
    ({"distance": "jaccard"}, "distance='jaccard' is not known"),
    ({"distance": "conflict", "method": "sampled"}, "conflict\" is exact"),
    ({"method": "sampled", "n_pairs": 0}, "n_pairs is 0"),
    ({"rng": 3}, "rng has no effect"),
    ({"max_pairs": 2}, "3 numbers per side"),
])
def test_wrong_options(options, message):
    u = [[0.5, 0.5], [0.2, 0.8], [1, 0]]
    with pytest.raises(ValueError, match=message):
        sc.adjusted_credal_rand_index(u, u, **options)


def test_nothing_to_correct():
    with pytest.warns(sc.UndefinedMeasureWarning, match="1 for every order"):
        assert math.isnan(sc.adjusted_credal_rand_index([0, 0, 0], [1, 1, 1]))
    with pytest.warns(sc.UndefinedMeasureWarning):
        assert math.isnan(sc.adjusted_alpha_rand_index([[0.5, 0.5]] * 3, [[0.5, 0.5]] * 3))


@pytest.mark.parametrize("kinds", [("evidential", "evidential"), ("fuzzy", "possibilistic")],
                         ids="-".join)
def test_the_same_bits_for_any_number_of_threads(kinds, monkeypatch):
    monkeypatch.setattr(pair_rows, "_STEPS", 1.0)
    x, y = pairs(kinds, 50 if JIT_OFF else 400, 8, empty=False)
    found = set()
    for threads in (1, 8):
        sc.set_num_threads(threads)
        found.add(tuple(sc.adjusted_alpha_rand_index(x, y, alpha=alpha) for alpha in ALPHAS))
    sc.set_num_threads(None)
    assert len(found) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_clustering_against_itself(kind):
    x = pairs((kind,), 10, 9, empty=True)[0]
    assert sc.adjusted_credal_rand_index(x, x) == pytest.approx(1, rel=0, abs=1e-12)


def test_confidence_limits_leave_out_each_object():
    u = np.random.default_rng(10).dirichlet([1, 1], 30)
    names = ["adjusted_concordance_index", "frobenius_adjusted_rand_index",
             "fuzzy_adjusted_rand_index"]
    result = sc.compare(np.arange(30) % 2, u, measures=names, ci="jackknife")
    for row in result.rows:
        assert row.ci_low < row.value < row.ci_high


@pytest.mark.parametrize("name", [
    "adjusted_concordance_index", "adjusted_credal_rand_index", "adjusted_alpha_rand_index",
    "frobenius_adjusted_rand_index", "fuzzy_adjusted_rand_index", "fuzzy_gamma_index",
    "fuzzy_fowlkes_mallows_index"])
@pytest.mark.filterwarnings("ignore::softclust.UndefinedMeasureWarning")
def test_the_level_is_nan_where_every_order_is_undefined(name):
    even = [[0.5, 0.5]] * 4
    sides = [[0] * 4, [0, 1, 2, 3], [0, 0, 1, 1], even, [[0.3, 0.7]] * 4]
    seen = set()
    for x, y in product(sides, repeat=2):
        level = sc.chance_level(x, y, name)
        orders = [getattr(sc, name)(x, [y[i] for i in order])
                  for order in permutations(range(4))]
        defined = not np.isnan(orders).all()
        seen.add(defined)
        assert (level == pytest.approx(np.nanmean(orders), abs=1e-12) if defined
                else math.isnan(level)), (x, y)
    assert seen == {True, False}
    # the first objects of many are alike
    assert sc.chance_level([0] * 60 + [1] * 60, [[0.5, 0.5]] * 60 + [[0.9, 0.1]] * 60,
                           "fuzzy_adjusted_rand_index") == 0.0
