"""What follows from the definitions of the relational measures, and the errata's counterexamples.

Sections 5, 6, 7, 11, 12, 13 of the specification.
"""

import warnings
from fractions import Fraction
from itertools import permutations

import naive
import numpy as np
import pytest
from strategies import (
    JIT_OFF,
    KINDS,
    naive_masses,
    random_clustering,
    random_pairs,
    relabel,
    same_content,
    shuffle_focal_sets,
    with_unused_clusters,
)

import softclust as sc

#: sums of at most 21 pairs (or 7 objects times 4 clusters), each exact to about 1e-15
CLOSE = 1e-13
DISTANCES = ("belief", "jousselme", "conflict")


def near(value, expected, tolerance=CLOSE):
    return value == pytest.approx(float(expected), rel=0, abs=tolerance)


def test_belief_is_alpha_one_half_for_normalised_masses():
    for x, y in random_pairs(1, empty=False):
        assert near(sc.credal_rand_index(x, y), sc.alpha_rand_index(x, y))


def test_belief_is_never_below_alpha_one_half():
    differs = 0
    for x, y in random_pairs(2, count=80):
        gap = sc.credal_rand_index(x, y) - sc.alpha_rand_index(x, y)
        assert gap >= -CLOSE
        differs += gap > 0.01
    assert differs


def test_conflict_is_never_above_alpha_zero_and_equal_against_hard():
    for x, y in random_pairs(3, count=80):
        gap = (sc.alpha_rand_index(x, y, alpha=0)
               - sc.credal_rand_index(x, y, distance="conflict"))
        assert gap >= -CLOSE
        if "hard" in (x.kind, y.kind):
            assert near(gap, 0)


def test_fuzzy_against_fuzzy_does_not_depend_on_alpha():
    for x, y in random_pairs(4, kinds=("fuzzy", "hard")):
        values = [sc.alpha_rand_index(x, y, alpha=a) for a in (0, 0.3, 0.5, 1)]
        assert np.ptp(values) <= CLOSE
        values = [sc.alpha_partition_dissimilarity(x, y, alpha=a) for a in (0, 0.3, 0.5, 1)]
        assert np.ptp(values) <= CLOSE


def test_fuzzy_dissimilarity_is_the_best_matching_of_memberships():
    for x, y in random_pairs(5, kinds=("fuzzy",)):
        c = max(x.n_clusters, y.n_clusters)
        u, v = (np.pad(z.membership, ((0, 0), (0, c - z.n_clusters))) for z in (x, y))
        best = min(abs(u - v[:, list(order)]).sum() for order in permutations(range(c)))
        assert near(sc.alpha_partition_dissimilarity(x, y), best / (2 * (x.n_objects - 1)))


def test_linear_in_alpha_against_logical():
    for x, y in random_pairs(6, kinds=("hard", "rough")):
        for kind in KINDS:
            z = random_clustering(np.random.default_rng(x.n_objects), kind, x.n_objects, 3, True)
            low, middle, high = sc.alpha_rand_curve(x, z).sums
            assert near(middle, (low + high) / 2)
        assert near(sc.alpha_rand_curve(x, y).sums[1], sum(sc.alpha_rand_curve(x, y).sums[::2]) / 2)


def test_hard_clusterings_give_the_rand_index_and_the_partition_distance():
    for x, y in random_pairs(7, kinds=("hard",)):
        for alpha in (0, 0.2, 0.5, 1):
            assert near(sc.alpha_rand_index(x, y, alpha=alpha), sc.rand_index(x, y))
            assert near(sc.alpha_partition_dissimilarity(x, y, alpha=alpha),
                        sc.partition_distance(x, y))
        interval = sc.alpha_rand_interval(x, y)
        assert near(interval.low, interval.high)
        for distance in DISTANCES:
            assert near(sc.credal_rand_index(x, y, distance=distance), sc.rand_index(x, y))
        table = sc.Joint(x, y).pair_table
        counts = sc.pair_counts(x, y)
        np.testing.assert_allclose(table[:2, :2], [[counts.n11, counts.n10],
                                                   [counts.n01, counts.n00]], rtol=0, atol=CLOSE)


def test_monotone_and_convex_in_alpha():
    grid = np.linspace(0, 1, 11)
    for x, y in random_pairs(8):
        curve = sc.alpha_rand_curve(x, y)
        values = np.array([curve.at(a) for a in grid])
        assert (np.diff(values) <= CLOSE).all()
        assert (np.diff(values, 2) >= -CLOSE).all()
        delta = [sc.alpha_partition_dissimilarity(x, y, alpha=a) for a in grid]
        assert (np.diff(delta) >= -CLOSE).all()
        interval = sc.alpha_rand_interval(x, y)
        assert interval.low == values[-1]
        assert interval.high == values[0]
        interval = sc.alpha_partition_interval(x, y)
        assert (interval.low, interval.high) == (delta[0], delta[-1])


def test_dissimilarity_stays_below_its_bound():
    for x, y in random_pairs(9, count=60):
        n, c = x.n_objects, max(x.n_clusters, y.n_clusters)
        value = sc.alpha_partition_dissimilarity(x, y, alpha=1)
        assert -CLOSE <= value <= c * n / (2 * (n - 1)) + CLOSE


def test_a_clustering_against_itself_is_exactly_equal():
    rng = np.random.default_rng(10)
    for kind in KINDS:
        for n in (2, 7, 70) if JIT_OFF else (2, 7, 70, 300):
            x = random_clustering(rng, kind, n, 3, empty=True)
            assert sc.alpha_rand_curve(x, x, method="pairs").sums == (0, 0, 0)
            assert sc.alpha_rand_interval(x, x, pairs="all") == sc.Interval(1, 1)
            interval = sc.alpha_partition_interval(x, x)
            assert (interval.low, interval.high) == (0, 0)
            for distance in ("belief", "jousselme"):
                assert near(sc.credal_rand_index(x, x, distance=distance), 1)


def test_same_content_in_two_kinds_agrees():
    for x, y in random_pairs(13, count=30, n_max=12):
        reference = sc.alpha_rand_curve(x, y, method="pairs").sums
        delta = sc.alpha_partition_interval(x, y)
        for z in same_content(x):
            np.testing.assert_allclose(sc.alpha_rand_curve(z, y, method="pairs").sums, reference,
                                       rtol=0, atol=CLOSE)
            np.testing.assert_allclose(sc.alpha_rand_curve(z, y).sums, reference,
                                       rtol=0, atol=CLOSE)
            again = sc.alpha_partition_interval(z, y)
            assert near(again.low, delta.low)
            assert near(again.high, delta.high)
            np.testing.assert_allclose(sc.alpha_rand_curve(x, z).sums, 0, rtol=0, atol=CLOSE)
            for distance in DISTANCES:
                assert near(sc.credal_rand_index(z, y, distance=distance),
                            sc.credal_rand_index(x, y, distance=distance), 1e-7)


def all_values(x, y):
    """Every number of the family for two clusterings."""
    joint = sc.Joint(x, y)
    curve = sc.alpha_rand_curve(joint)
    delta = [sc.alpha_partition_dissimilarity(joint, alpha=a) for a in (0, 0.3, 0.5, 1)]
    # squares: a root near 0 enlarges rounding errors, but all values here are 0 or large
    credal = [sc.credal_rand_index(joint, distance=d) for d in DISTANCES]
    return np.array([*curve.sums, *delta, *credal])


def test_invariances():
    rng = np.random.default_rng(14)
    for x, y in random_pairs(14, count=25):
        expected = all_values(x, y)
        changed = [
            (relabel(x, rng.permutation(x.n_clusters)), relabel(y, rng.permutation(y.n_clusters))),
            tuple(z.subset(order) for order in [rng.permutation(x.n_objects)] for z in (x, y)),
            tuple(shuffle_focal_sets(rng, z) if z.kind == "evidential" else z for z in (x, y)),
        ]
        for u, v in changed:
            np.testing.assert_allclose(all_values(u, v), expected, rtol=0, atol=1e-7)
            np.testing.assert_allclose(all_values(u, v)[:3], expected[:3], rtol=0, atol=CLOSE)


def test_unused_clusters_change_nothing():
    """For normalised masses; see the next test for the dissimilarity otherwise."""
    for x, y in random_pairs(15, count=40, empty=False):
        expected = all_values(x, y)
        for u, v in ((with_unused_clusters(x, 2), y), (x, with_unused_clusters(y, 1)),
                     (with_unused_clusters(x, 1), with_unused_clusters(y, 2))):
            np.testing.assert_allclose(all_values(u, v), expected, rtol=0, atol=1e-7)
    for x, y in random_pairs(16, count=20, empty=True):
        u, v = with_unused_clusters(x, 1), with_unused_clusters(y, 2)
        np.testing.assert_allclose(sc.alpha_rand_curve(u, v).sums, sc.alpha_rand_curve(x, y).sums,
                                   rtol=0, atol=CLOSE)


def test_an_unused_cluster_counts_where_empty_masses_differ():
    """Restricted to a cluster that neither side uses, the masses still differ by |e1 - e2|."""
    x = sc.EvidentialClustering([[1, 0], [1, 0]], [[0], [1]])
    y = sc.HardClustering([0, 0])
    assert sc.alpha_partition_dissimilarity(x, y) == 1
    wide = sc.alpha_partition_dissimilarity(with_unused_clusters(x, 1), with_unused_clusters(y, 1))
    assert wide == 2
    assert float(naive.alpha_partition_dissimilarity(
        naive.Masses(naive_masses(x), 2), naive.Masses(naive_masses(y), 2))) == 2


# -- optimal assignments ------------------------------------------------------------------------


@pytest.mark.parametrize("c", [3, 5, 9, 12])
def test_assignments_are_proved_optimal(c):
    """Dual potentials with the same total as the assignment: no permutation can be better."""
    rng = np.random.default_rng(c)
    for kinds in (("fuzzy", "fuzzy"), ("rough", "possibilistic"), ("hard", "fuzzy")):
        x, y = (random_clustering(rng, kind, 20, c, empty=True) for kind in kinds)
        joint = sc.Joint(x, y)
        w0, half, w1 = joint.restriction_costs
        for alpha, w in ((0, w0), (0.25, (w0 + half) / 2), (0.5, half), (1, w1)):
            cost = [[Fraction(float(v)) for v in row] for row in w]
            ones = [Fraction(1)] * c
            solved = naive.transport(ones, ones, cost)
            assert all(solved.f[k] + solved.h[m] <= cost[k][m]
                       for k in range(c) for m in range(c))
            assert solved.value == sum(solved.f) + sum(solved.h)
            assert near(sc.alpha_partition_dissimilarity(joint, alpha=alpha) * 2 * 19, solved.value,
                        1e-12)


# -- counterexamples of the errata ------------------------------------------------------------


def test_conflict_index_is_not_reflexive():
    x = sc.FuzzyClustering([[0.5, 0.5], [0.5, 0.5]])
    assert near(sc.credal_rand_index(x, x, distance="conflict"), 0.5)


def test_dissimilarity_cannot_separate_four_clusters():
    sets = [[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0], [0, 1, 0, 1]]
    x = sc.EvidentialClustering([[1, 0, 0, 0], [0.5, 0.5, 0, 0]], sets)
    y = sc.EvidentialClustering([[1, 0, 0, 0], [0, 0, 0.5, 0.5]], sets)
    for alpha in (0, 0.3, 0.5, 1):
        assert sc.alpha_partition_dissimilarity(x, y, alpha=alpha) == 0
    assert near(sc.alpha_rand_index(x, y, alpha=1), 0.5)


def test_different_clusterings_with_equal_relations():
    n = 5
    x = sc.FuzzyClustering([[1, 0]] + [[0.5, 0.5]] * (n - 1))
    y = sc.FuzzyClustering([[0.5, 0.5]] * n)
    for alpha in (0, 0.5, 1):
        assert near(sc.alpha_rand_index(x, y, alpha=alpha), 1)


def test_belief_differs_from_alpha_one_half_without_normalisation():
    x = sc.EvidentialClustering([[1, 0], [1, 0]], [[0, 0], [1, 1]])
    y = sc.RoughClustering.from_upper([[1, 1], [1, 1]])
    assert near(1 - sc.credal_rand_index(x, y), 0.5)
    assert near(1 - sc.alpha_rand_index(x, y), 1)
    hard = sc.HardClustering([0, 0], n_clusters=2)
    assert near(sc.alpha_rand_index(x, hard, alpha=0), 0)
    assert near(sc.alpha_rand_index(x, hard, alpha=0.5), 0)


def test_possibilistic_objects_combine_independently():
    x = sc.PossibilisticClustering([[1, 0.5], [1, 0.5]])
    pair = x.relation().pair(0, 1)
    assert (pair.same, pair.undetermined) == pytest.approx((0.25, 0.75))
    assert near(sc.alpha_rand_index(x, sc.HardClustering([0, 0]), alpha=1), 0.25)


def test_consistency_at_alpha_zero_is_no_metric():
    """Rough clusterings of two objects: same, undetermined, different."""
    same, open_, different = ([0b01, 0b01], [0b11, 0b11], [0b01, 0b10])
    x, y, z = (sc.RoughClustering.from_upper([[b & 1, b >> 1] for b in rows])
               for rows in (same, open_, different))
    first, second = (1 - sc.alpha_rand_index(a, b, alpha=0) for a, b in ((x, y), (y, z)))
    assert (first, second) == (0, 0)
    assert 1 - sc.alpha_rand_index(x, z, alpha=0) == 1


def test_fuzzy_dissimilarity_can_exceed_one():
    """4/3 for two objects and three clusters."""
    x = sc.FuzzyClustering([[1 / 3] * 3, [1 / 3] * 3])
    y = sc.HardClustering([0, 1], n_clusters=3)
    assert near(sc.alpha_partition_dissimilarity(x, y), 4 / 3)


def test_no_warning_on_degenerate_input():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x, y in random_pairs(17, count=20, n_max=4, c_max=2):
            all_values(x, y)
