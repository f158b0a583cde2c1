"""Frobenius and Anderson indices: golden values, oracles, exact expectation, odd input."""

import math
from itertools import product

import naive
import numpy as np
import pytest
from soft_measures import check_golden, golden, membership_rows, random_side
from strategies import all_fuzzy, all_partitions

import softclust as sc

FROBENIUS = ("frobenius_rand_index", "frobenius_adjusted_rand_index")
ANDERSON = ("anderson_rand_index", "anderson_adjusted_rand_index", "anderson_jaccard_index")


@pytest.mark.parametrize("case", golden(*FROBENIUS, *ANDERSON))
def test_golden_values(case):
    check_golden(case)


@pytest.mark.parametrize("name", [*FROBENIUS, *ANDERSON])
def test_against_definition(name):
    rng = np.random.default_rng(1)
    for kinds in (("hard", "fuzzy"), ("fuzzy", "fuzzy"), ("possibilistic", "fuzzy"),
                  ("hard", "possibilistic")) * 3:
        n = int(rng.integers(3, 6))
        x, y = (random_side(rng, kind, n, int(rng.integers(2, 4))) for kind in kinds)
        value = getattr(sc, name)(x, y)
        expected = getattr(naive, name)(membership_rows(x), membership_rows(y))
        # quotients of sums of n^2 terms
        assert value == pytest.approx(expected, rel=1e-11, abs=1e-11)
        assert getattr(sc, name)(y, x) == pytest.approx(value, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kind", ["fuzzy", "possibilistic"])
def test_chance_level_is_the_mean_over_all_orders(kind):
    rng = np.random.default_rng(2)
    for n in (2, 5):
        x, y = random_side(rng, kind, n, 3), random_side(rng, "fuzzy", n, 2)
        chance = sc.get_measure("frobenius_rand_index").chance(sc.Joint(x, y))
        mean = naive.mean_over_orders(
            lambda a, b: naive.frobenius_rand_index(a, b), membership_rows(x), membership_rows(y))
        assert chance == pytest.approx(mean, rel=0, abs=1e-12)


@pytest.mark.parametrize("name", [*FROBENIUS, *ANDERSON])
def test_hard_sides_take_the_contingency_and_agree_with_one_hot_rows(name):
    rng = np.random.default_rng(3)
    for _ in range(10):
        x, y = rng.integers(0, 4, 9), rng.integers(0, 3, 9)
        soft = sc.FuzzyClustering(np.eye(4)[x])
        assert getattr(sc, name)(x, y) == pytest.approx(getattr(sc, name)(soft, y), abs=1e-12)


def test_crisp_memberships_of_five_objects_give_the_hard_indices():
    labels = all_partitions(5)
    crisp = [sc.FuzzyClustering(np.eye(5)[k]) for k in labels]
    hard = {"frobenius_rand_index": "rand_index", "anderson_rand_index": "rand_index",
            "frobenius_adjusted_rand_index": "adjusted_rand_index",
            "anderson_adjusted_rand_index": "adjusted_rand_index",
            "anderson_jaccard_index": "jaccard_index"}
    # one cluster (first) and all singletons (last) are 0/0 against themselves
    for i, j in list(product(range(1, 51), repeat=2))[::7]:
        for name, target in hard.items():
            assert getattr(sc, name)(crisp[i], crisp[j]) == pytest.approx(
                getattr(sc, target)(labels[i], labels[j]), rel=0, abs=1e-12)


def test_equal_memberships_have_index_one():
    u = np.random.default_rng(4).dirichlet([1, 1, 1], 300)
    for name in FROBENIUS:
        assert getattr(sc, name)(u, u[:, [2, 0, 1]]) == pytest.approx(1, abs=1e-13)


def test_different_memberships_can_have_index_one():
    assert sc.frobenius_rand_index([[0.5, 0.5]] * 3, sc.FuzzyClustering([[0, 1]] * 3)) == 1


def test_frobenius_breaks_the_triangle():
    """1 - index of fuzzy clusterings of three objects, by search over entries 0, 1/2, 1."""
    group = all_fuzzy(3, 2)
    for name in FROBENIUS:
        with np.errstate(all="raise"), pytest.warns() if "adj" in name else _nothing():
            d = np.array([[1 - getattr(sc, name)(x, y) for y in group] for x in group])
        excess = d[:, None, :] - (d[:, :, None] + d[None, :, :])
        assert np.nanmax(excess) > 0.01


def _nothing():
    from contextlib import nullcontext
    return nullcontext()


def test_constant_memberships_are_undefined_against_themselves():
    uniform = np.full((3, 4), 0.25)
    with pytest.warns(sc.UndefinedMeasureWarning, match="constant"):
        assert math.isnan(sc.frobenius_adjusted_rand_index(uniform, uniform))
    assert sc.frobenius_adjusted_rand_index(uniform, [0, 0, 1]) == pytest.approx(0, abs=1e-15)
    with pytest.warns(sc.UndefinedMeasureWarning):
        assert math.isnan(sc.frobenius_adjusted_rand_index([0, 0, 0], [0, 0, 0]))


def test_no_memberships_at_all():
    nothing = sc.PossibilisticClustering(np.zeros((3, 2)))
    for name in FROBENIUS:
        with pytest.warns(sc.UndefinedMeasureWarning, match="are 0"):
            assert math.isnan(getattr(sc, name)(nothing, [0, 0, 1]))
    for name in ANDERSON:
        with pytest.warns(sc.UndefinedMeasureWarning, match="no object"):
            assert math.isnan(getattr(sc, name)(nothing, [0, 0, 1], scale="possibilistic"))


def test_anderson_is_neither_reflexive_nor_bounded():
    uniform = np.full((3, 4), 0.25)
    assert sc.anderson_rand_index(uniform, uniform) == pytest.approx(0.4375)
    assert sc.anderson_jaccard_index(uniform, uniform) == pytest.approx(-2.6)
    assert sc.anderson_adjusted_rand_index(uniform, uniform) == pytest.approx(3.0)
    assert sc.anderson_rand_index(sc.FuzzyClustering([[1.0]] * 3), uniform) == pytest.approx(-0.125)


@pytest.mark.parametrize("name", [*FROBENIUS, *ANDERSON])
def test_other_kinds_are_refused_with_the_way_out(name):
    rough = sc.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1]])
    with pytest.raises(sc.ClusteringError, match=r"y is rough; a hard, fuzzy or possib.*to_fuzzy"):
        getattr(sc, name)([0, 0, 1], rough)


def test_unknown_scale():
    with pytest.raises(ValueError, match="scale='all' is not known"):
        sc.anderson_rand_index([0, 1], [0, 1], scale="all")


def test_many_clusters_of_a_hard_side_need_no_dense_rows():
    labels = np.arange(20_000) % 5000
    memberships = np.random.default_rng(0).dirichlet([1, 1], 20_000)
    assert abs(sc.frobenius_adjusted_rand_index(labels, memberships)) < 0.01
