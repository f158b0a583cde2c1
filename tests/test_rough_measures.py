"""Rough clusterings as compatible partitions: stored values, enumeration, limits, odd input."""

import json
import math
import warnings
from itertools import product
from pathlib import Path

import naive
import numpy as np
import pytest
from naive.rough import logical_entropy
from strategies import all_partitions, all_rough, all_subsets
from together import SOME_OR_ALL

import softclust as sc
from softclust.memberships import _orthopartitions as ortho

GOLDEN = json.loads((Path(__file__).parent / "golden" / "soft-measures.json").read_text())
ONE = ("logical_entropy_interval", "expected_logical_entropy")
TWO = ("mutual_information_interval", "soft_average_mutual_information",
       "soft_logical_mutual_information", "rough_purity_index")


def built(name):
    return sc.RoughClustering.from_upper(GOLDEN["inputs"][name]["upper"])


def sets_of(x):
    """The candidates of each object, as the oracles read them."""
    return [set(np.flatnonzero(row).tolist()) for row in ortho.candidates(x)]


def ends(result):
    return [result.low, result.high] if isinstance(result, sc.Interval) else result


def quiet(name, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
        return ends(getattr(sc, name)(*args, **options))


@pytest.mark.parametrize("case", [c for c in GOLDEN["cases"] if c["function"] in ONE + TWO],
                         ids=lambda c: c["id"])
def test_golden_values(case):
    value = quiet(case["function"], *map(built, case["args"]), **case["kwargs"])
    assert value == pytest.approx(case["expected"], rel=0, abs=case["abs_tol"])


def everything():
    """Rough clusterings of up to 4 objects and 3 clusters; the order of objects plays no part."""
    for n, c in ((1, 3), (2, 2), (2, 3), (3, 2), (3, 3), (4, 2)):
        yield from all_rough(n, c)
    # of 2401 with 4 objects and 3 clusters those whose sets are in order
    for x in all_rough(4, 3):
        rows = x.upper.tolist()
        if rows == sorted(rows):
            yield x


@SOME_OR_ALL
def test_entropies_equal_enumeration(whole):
    for x in list(everything())[::1 if whole else 4]:
        low, high = naive.logical_entropy_interval(sets_of(x))
        assert ends(sc.logical_entropy_interval(x)) == [float(low), float(high)]
        assert sc.expected_logical_entropy(x) == pytest.approx(
            float(naive.expected_logical_entropy(sets_of(x))), rel=0, abs=1e-15)


def random_rough(rng, n, c, ambiguity=0.4):
    upper = rng.random((n, c)) < ambiguity
    upper[np.arange(n), rng.integers(0, c, n)] = True
    return sc.RoughClustering.from_upper(upper)


def test_entropies_of_random_clusterings_with_more_clusters():
    rng = np.random.default_rng(5)
    for _ in range(60):
        x = random_rough(rng, int(rng.integers(2, 7)), int(rng.integers(2, 6)))
        low, high = naive.logical_entropy_interval(sets_of(x))
        assert ends(sc.logical_entropy_interval(x)) == [float(low), float(high)]


@pytest.mark.parametrize("name", TWO)
def test_pairs_equal_enumeration(name):
    rng = np.random.default_rng(8)
    for _ in range(40):
        n = int(rng.integers(2, 6))
        x, y = (random_rough(rng, n, int(rng.integers(1, 4)), 0.3) for _ in range(2))
        settings = {"mutual_information_interval": [{"entropy": e} for e in ("shannon", "logical")],
                    "rough_purity_index": [{}]}.get(
                        name, [{"normalizer": k} for k in ("none", "max", "min")])
        for options in settings:
            expected = getattr(naive, name)(sets_of(x), sets_of(y), **options)
            wanted = list(map(float, expected)) if isinstance(expected, tuple) else float(expected)
            # sums of some ten numbers of order 1
            assert quiet(name, x, y, **options) == pytest.approx(
                wanted, rel=0, abs=1e-13, nan_ok=True)


def test_the_greedy_rule_of_public_programs_is_not_exact():
    x = built("D6")
    assert ends(sc.logical_entropy_interval(x)) == [0.5, 0.625]


def test_the_linked_groups_are_treated_apart():
    """Many clusters in small linked groups stay exact; the sum over groups is the whole."""
    rng = np.random.default_rng(2)
    blocks = [random_rough(rng, 5, 3) for _ in range(10)]
    upper = np.zeros((50, 30), dtype=bool)
    for b, block in enumerate(blocks):
        upper[5 * b:5 * b + 5, 3 * b:3 * b + 3] = block.upper
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sc.logical_entropy_interval(sc.RoughClustering.from_upper(upper))
    inside = [naive.logical_entropy_interval(sets_of(block)) for block in blocks]
    # squares of a block: (1 - h) 25, of the whole: (1 - h) 2500
    for end, value in ((0, found.low), (1, found.high)):
        squares = sum((1 - h[end]) * 25 for h in inside)
        assert value == float(1 - squares / 2500)


def test_many_linked_clusters_warn_and_give_a_compatible_value(monkeypatch):
    rng = np.random.default_rng(3)
    x = random_rough(rng, 40, 6)
    exact = sc.logical_entropy_interval(x)
    monkeypatch.setattr(ortho, "SUBSET_CLUSTERS", 3)
    with pytest.warns(sc.InexactWarning, match="more than 3 clusters are linked"):
        found = sc.logical_entropy_interval(x, rng=1)
    assert found.high == exact.high
    assert exact.low <= found.low <= exact.high


def test_twenty_linked_clusters_are_exact():
    """A path of clusters: object i may be in i or i + 1, so sizes 2, 0, 2, 0, ... are reached."""
    upper = np.zeros((19, 20), dtype=bool)
    upper[np.arange(19), np.arange(19)] = upper[np.arange(19), np.arange(1, 20)] = True
    found = sc.logical_entropy_interval(sc.RoughClustering.from_upper(upper))
    assert found.low == (19**2 - (9 * 4 + 1)) / 19**2
    assert found.high == (19**2 - 19) / 19**2


def test_many_objects():
    rng = np.random.default_rng(4)
    sets = np.array(all_subsets(5), dtype=bool)
    x = sc.RoughClustering.from_upper(sets[rng.integers(0, 3, 50_000) * 4])
    found = sc.logical_entropy_interval(x)
    assert 0 <= found.low <= sc.expected_logical_entropy(x) <= found.high < 1
    # everything undecided: all in one cluster, or even sizes
    y = sc.RoughClustering.from_upper(np.ones((50_000, 4), dtype=bool))
    assert ends(sc.logical_entropy_interval(y)) == [0.0, 0.75]


def test_hard_input():
    for n in (2, 3, 4):
        for x in all_partitions(n):
            value = float(logical_entropy(x))
            assert ends(sc.logical_entropy_interval(x)) == [value, value]
            assert sc.expected_logical_entropy(x) == pytest.approx(value, abs=1e-15)
            for y in all_partitions(n):
                expected = float(logical_entropy(x) + logical_entropy(y)
                                 - logical_entropy(tuple(zip(x, y))))
                assert sc.soft_average_mutual_information(x, y) == pytest.approx(
                    expected, abs=1e-15)
                assert sc.soft_logical_mutual_information(x, y) == pytest.approx(
                    expected, abs=1e-15)
                assert ends(sc.mutual_information_interval(x, y, entropy="logical")) == (
                    pytest.approx([expected] * 2, abs=1e-15))
                shannon = sc.mutual_information(x, y)
                assert ends(sc.mutual_information_interval(x, y)) == [shannon, shannon]
                assert sc.rough_purity_index(x, y) == sc.purity_index(x, y)


def test_expected_values_lie_within_the_intervals():
    rng = np.random.default_rng(6)
    for _ in range(20):
        x, y = random_rough(rng, 6, 3), random_rough(rng, 6, 2)
        inside = sc.logical_entropy_interval(x)
        assert inside.low - 1e-15 <= sc.expected_logical_entropy(x) <= inside.high + 1e-15
        both = sc.mutual_information_interval(x, y, entropy="logical")
        assert both.low - 1e-15 <= sc.soft_logical_mutual_information(x, y) <= both.high + 1e-15


def test_too_many_tables_are_refused_or_sampled():
    rng = np.random.default_rng(7)
    x, y = random_rough(rng, 12, 3), random_rough(rng, 12, 3)
    with pytest.raises(sc.ClusteringError, match=r"more than max_choices = 100 .* n_draws"):
        sc.mutual_information_interval(x, y, max_choices=100)
    x, y = x.subset(range(6)), y.subset(range(6))
    exact = sc.mutual_information_interval(x, y)
    with pytest.warns(sc.InexactWarning, match="200 random compatible pairs"):
        inner = sc.mutual_information_interval(x, y, max_choices=1, n_draws=200, rng=1)
    assert exact.low <= inner.low + 1e-14
    assert inner.high <= exact.high + 1e-14
    assert inner.width > 0


def test_exchangeable_objects_need_no_product_of_choices():
    """60 objects with 2 x 2 choices each: 4^60 pairs, 39711 tables."""
    x = sc.RoughClustering.from_upper(np.ones((60, 2), dtype=bool))
    found = sc.mutual_information_interval(x, x)
    assert ends(found) == pytest.approx([0, math.log(2)], abs=1e-15)


@pytest.mark.parametrize("normalizer", ["max", "min"])
@pytest.mark.parametrize("name", ["soft_average_mutual_information",
                                  "soft_logical_mutual_information"])
def test_one_cluster_is_undefined(name, normalizer):
    with pytest.warns(sc.UndefinedMeasureWarning, match=f"the {normalizer} of the entropies is 0"):
        assert math.isnan(getattr(sc, name)([0, 0, 0], [1, 1, 1], normalizer=normalizer))


def test_not_reflexive_for_rough_input():
    x = built("R1")
    assert sc.rough_purity_index(x, x) < 1
    assert sc.soft_logical_mutual_information(x, x, normalizer="max") < 1


@pytest.mark.parametrize("name", ONE)
def test_other_kinds_of_one_clustering_are_refused(name):
    with pytest.raises(sc.ClusteringError, match=r"x is fuzzy; a hard or rough .*x\.to_rough\(\)"):
        getattr(sc, name)([[0.5, 0.5], [1.0, 0.0]])


@pytest.mark.parametrize("name", TWO)
def test_other_kinds_of_pairs_are_refused(name):
    with pytest.raises(sc.ClusteringError, match=r"y is fuzzy; a hard or rough .*y\.to_rough\(\)"):
        getattr(sc, name)([0, 1], [[0.5, 0.5], [1.0, 0.0]])


def test_unknown_words():
    with pytest.raises(ValueError, match="entropy='gini' is not known"):
        sc.mutual_information_interval([0, 1], [0, 1], entropy="gini")
    with pytest.raises(ValueError, match="normalizer='mean' is not known"):
        sc.soft_average_mutual_information([0, 1], [0, 1], normalizer="mean")


def test_compositions():
    for total, parts in product(range(1, 5), range(2, 5)):
        found = ortho._compositions(total, parts)
        assert found.shape == (math.comb(total + parts - 1, total), parts)
        assert (found >= 0).all()
        assert (found.sum(axis=1) == total).all()
        assert len(np.unique(found, axis=0)) == len(found)
