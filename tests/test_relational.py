"""The relational measures against the naive oracles, by every method; degenerate input."""

from fractions import Fraction
from itertools import combinations, product

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from strategies import (
    JIT_OFF,
    KINDS,
    clustering_pairs,
    naive_masses,
    random_clustering,
)
from together import SOME_OR_ALL

import softclust as sc
from softclust.soft_pairs import pair_rows
from softclust.soft_pairs.pair_rows import side
from softclust.soft_pairs.pair_sums import PairSums

#: sums of at most 21 pairs (or 7 objects times 4 clusters), each exact to about 1e-15
CLOSE = 1e-13
ALPHAS = tuple(Fraction(a) for a in ("0", "1/5", "1/2", "4/5", "1"))
DISTANCES = ("belief", "jousselme", "conflict")
METHODS = ("auto", "contingency", "logical", "binary", "rows", "pairs")
KIND_PAIRS = list(product(KINDS, repeat=2))


def near(value, expected, tolerance=CLOSE):
    return value == pytest.approx(float(expected), rel=0, abs=tolerance)


def check_against_oracles(x, y):
    u, v = naive_masses(x), naive_masses(y)
    joint = sc.Joint(x, y)
    n_pairs = x.n_objects * (x.n_objects - 1) // 2
    curve, exact = sc.alpha_rand_curve(joint), naive.alpha_rand_curve(u, v)
    assert curve.n_pairs == exact.n_pairs == n_pairs
    np.testing.assert_allclose(curve.sums, [float(s) for s in exact.sums], rtol=0, atol=CLOSE)
    for alpha in ALPHAS:
        expected = exact.at(alpha)
        assert near(curve.at(float(alpha)), expected)
        assert near(sc.alpha_rand_index(joint, alpha=float(alpha)), expected)
        assert near(sc.alpha_rand_index(joint, alpha=float(alpha), pairs="all"),
                    naive.alpha_rand_index(u, v, alpha=alpha, pairs="all"))
        for denominator in ("2(n-1)", "2n"):
            options = {"alpha": alpha, "denominator": denominator}
            assert near(sc.alpha_partition_dissimilarity(
                joint, alpha=float(alpha), denominator=denominator),
                naive.alpha_partition_dissimilarity(u, v, **options))
    for ours, theirs in ((sc.alpha_rand_interval, naive.alpha_rand_interval),
                         (sc.alpha_partition_interval, naive.alpha_partition_interval)):
        low, high = theirs(u, v)
        assert near(ours(joint).low, low)
        assert near(ours(joint).high, high)
    for distance in DISTANCES:
        # a root near 0 turns 1e-16 into 1e-8
        tolerance = 1e-7 if distance == "jousselme" else CLOSE
        assert near(sc.credal_rand_index(joint, distance=distance),
                    naive.credal_rand_index(u, v, distance=distance), tolerance)
    assert near(sc.pair_nonspecificity(x), naive.pair_nonspecificity(u))
    np.testing.assert_allclose(joint.pair_table, np.array(naive.pair_table(u, v), dtype=float),
                               rtol=0, atol=CLOSE)
    for costs, alpha in zip(joint.restriction_costs, (0, Fraction(1, 2), 1), strict=True):
        expected = np.array(naive.restriction_costs(u, v, alpha), dtype=float)
        np.testing.assert_allclose(costs, expected, rtol=0, atol=CLOSE)


def check_every_method(x, y):
    u, v = naive_masses(x), naive_masses(y)
    expected = [float(s) for s in naive.alpha_rand_curve(u, v).sums]
    credal = {d: float(naive.credal_rand_index(u, v, distance=d)) for d in DISTANCES}
    answered = set()
    for method in METHODS:
        try:
            curve = sc.alpha_rand_curve(x, y, method=method)
        except sc.ClusteringError:
            continue
        answered.add(method)
        np.testing.assert_allclose(curve.sums, expected, rtol=0, atol=CLOSE, err_msg=method)
        for distance, index in credal.items():
            try:
                value = sc.credal_rand_index(x, y, distance=distance, method=method)
            except sc.ClusteringError:
                assert distance != "belief"  # the others need more than r does
                assert method not in ("auto", "rows", "pairs")
                continue
            assert near(value, index, 1e-7 if distance == "jousselme" else CLOSE), method
    assert {"auto", "rows", "pairs"} <= answered
    return answered


# -- against the oracles ----------------------------------------------------------------------


@pytest.mark.parametrize("empty", [False, True], ids=["normalised", "empty"])
@pytest.mark.parametrize(("first", "second"), KIND_PAIRS)
@SOME_OR_ALL
def test_every_pair_of_kinds(first, second, empty, whole):
    rng = np.random.default_rng([KINDS.index(first), KINDS.index(second), empty])
    for _ in range(3 if whole else 1):
        n = int(rng.integers(2, 8))
        x = random_clustering(rng, first, n, int(rng.integers(1, 5)), empty)
        y = random_clustering(rng, second, n, int(rng.integers(1, 5)), empty)
        check_against_oracles(x, y)
        check_every_method(x, y)


def test_arbitrary_floats():
    """Masses that are no small fractions, whose rows sum to 1 but for rounding."""
    rng = np.random.default_rng(4)
    sets = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 1]]
    for _ in range(2):
        sides = [sc.FuzzyClustering(rng.dirichlet(np.ones(3), 5)),
                 sc.PossibilisticClustering(rng.random((5, 3))),
                 sc.EvidentialClustering(rng.dirichlet(np.ones(5), 5), sets),
                 sc.EvidentialClustering(rng.dirichlet(np.ones(4), 5), sets[1:])]
        for x, y in combinations(sides, 2):
            u, v = naive_masses(x, exact=False), naive_masses(y, exact=False)
            expected = naive.alpha_rand_curve(u, v)
            for method in ("auto", "pairs"):
                np.testing.assert_allclose(sc.alpha_rand_curve(x, y, method=method).sums,
                                           [float(t) for t in expected.sums], rtol=0, atol=CLOSE)
            for alpha in (0, 0.25, 0.75, 1):
                assert near(sc.alpha_partition_dissimilarity(x, y, alpha=alpha),
                            naive.alpha_partition_dissimilarity(u, v, alpha=alpha))
            for distance in DISTANCES:
                assert near(sc.credal_rand_index(x, y, distance=distance),
                            naive.credal_rand_index(u, v, distance=distance))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(clustering_pairs(max_objects=5))
def test_any_two_clusterings(pair):
    check_against_oracles(*pair)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(clustering_pairs())
def test_methods_agree_on_any_two_clusterings(pair):
    check_every_method(*pair)


@pytest.mark.parametrize("kind", KINDS)
def test_methods_agree_on_many_objects(kind):
    """More objects than a block of rows (64) and a tile of columns (256) hold."""
    rng = np.random.default_rng(11)
    n = 70 if JIT_OFF else 300
    x = random_clustering(rng, kind, n, 3, empty=True)
    for other in KINDS:
        y = random_clustering(rng, other, n, 2 if kind == "fuzzy" else 3, empty=True)
        reference = sc.alpha_rand_curve(x, y, method="pairs").sums
        assert min(reference) >= 0
        for method in METHODS:
            try:
                sums = sc.alpha_rand_curve(x, y, method=method).sums
            except sc.ClusteringError:
                continue
            np.testing.assert_allclose(sums, reference, rtol=1e-13, atol=1e-10, err_msg=method)


@pytest.mark.parametrize("small", [512, 0], ids=["NumPy", "kernel"])
def test_pair_masses_at_the_edges_of_blocks(small, monkeypatch):
    """Sums over all pairs at sizes around the block (64) and the tile (256)."""
    monkeypatch.setattr(pair_rows, "SMALL", small)
    rng = np.random.default_rng(12)
    for n in (63, 64, 65) if JIT_OFF else (63, 64, 65, 129, 257):
        for kinds in (("evidential", "possibilistic"), ("fuzzy", "fuzzy"), ("fuzzy", "evidential")):
            x, y = (random_clustering(rng, kind, n, 3, empty=True) for kind in kinds)
            dense = [z.relation().dense() for z in (x, y)]
            r = np.stack(pair_rows.forms_of_masses(*dense))
            r[:, np.arange(n), np.arange(n)] = 0.0
            np.testing.assert_allclose(sc.alpha_rand_curve(x, y, method="pairs").sums,
                                       r[:3].sum(axis=(1, 2)) / 2, rtol=1e-13, atol=1e-10)
            rows = pair_rows.pair_rows(side(x), side(y), np.ones(n), every=True, objects=n - 3)
            np.testing.assert_allclose(rows, r.sum(axis=2).T[:n - 3], rtol=1e-13, atol=1e-10)
            copies = rng.integers(1, 4, n)
            repeated = [z.subset(np.repeat(np.arange(n), copies)) for z in (x, y)]
            expected = PairSums.of(sc.Joint(*repeated), method="pairs", jousselme=True)
            found = pair_rows.pair_totals(side(x), side(y), copies.astype(float), credal=True)
            np.testing.assert_allclose(found, [
                expected.r0, expected.half, expected.r1, expected.belief, expected.jousselme,
                expected.conflict], rtol=1e-12, atol=1e-10)


# -- relations --------------------------------------------------------------------------------


def masses(relation, i, j):
    m = relation.pair(i, j)
    return m.same, m.different, m.undetermined, m.conflict


@pytest.mark.parametrize("kind", KINDS)
def test_relation_gives_the_pair_masses(kind):
    rng = np.random.default_rng(3)
    for _ in range(5):
        x = random_clustering(rng, kind, 6, int(rng.integers(1, 5)), empty=True)
        relation, exact = x.relation(), naive.relation(naive_masses(x))
        dense = relation.dense()
        for (i, j), expected in zip(combinations(range(6), 2), exact):
            expected = [float(v) for v in expected]
            assert masses(relation, i, j) == pytest.approx(expected, rel=0, abs=CLOSE)
            assert masses(relation, j, i) == pytest.approx(expected, rel=0, abs=CLOSE)
            assert dense[i, j] == pytest.approx(expected, rel=0, abs=CLOSE)
            assert dense[j, i] == pytest.approx(expected, rel=0, abs=CLOSE)
        block = relation.block([4, 1], [0, 2, 5])
        np.testing.assert_allclose(block, dense[[4, 1]][:, [0, 2, 5]], rtol=0, atol=CLOSE)


def test_relation_refuses():
    x = sc.FuzzyClustering([[1, 0], [0.5, 0.5]])
    with pytest.raises(sc.ClusteringError, match="both 1"):
        x.relation().pair(1, 1)
    with pytest.raises(sc.ClusteringError, match=r"object 2 .* 2 objects"):
        x.relation().pair(0, 2)
    with pytest.raises(sc.ClusteringError, match=r"128 bytes.*max_bytes=100"):
        x.relation().dense(max_bytes=100)


# -- degenerate cases ---------------------------------------------------------------------------


def all_empty(n):
    return sc.EvidentialClustering([[1.0, 0.0]] * n, [[0], [1]])


def test_all_mass_on_the_empty_set():
    x, y = all_empty(3), all_empty(3)
    for alpha in (0, 0.3, 0.5, 1):
        assert sc.alpha_rand_index(x, y, alpha=alpha) == 1
        assert sc.alpha_partition_dissimilarity(x, y, alpha=alpha) == 0
    assert sc.credal_rand_index(x, y, distance="belief") == 1
    assert sc.credal_rand_index(x, y, distance="jousselme") == 1
    assert sc.credal_rand_index(x, y, distance="conflict") == 0
    normalised = sc.FuzzyClustering([[0.5, 0.5], [1, 0], [0.25, 0.75]])
    for alpha in (0, 0.3, 0.5, 1):
        assert near(sc.alpha_rand_index(x, normalised, alpha=alpha), 0)
    other = sc.PossibilisticClustering([[1, 0.5], [0.5, 0.25], [0.25, 0.25]])
    empty = [1 - 0.5, 1 - 0.25, 1 - 0.125]
    for alpha in (0, 0.3, 0.5, 1):
        assert near(sc.alpha_rand_index(x, other, alpha=alpha), 1 - np.mean(1 - np.array(empty)))


def test_no_disjoint_focal_sets_and_no_singletons():
    x = sc.EvidentialClustering([[0.5, 0.5], [0.25, 0.75], [1, 0]], [[1, 1, 0], [0, 1, 1]])
    assert all(masses(x.relation(), i, j)[:2] == (0, 0) for i, j in combinations(range(3), 2))
    y = sc.HardClustering([0, 0, 1])
    for method in ("auto", "pairs", "logical"):
        assert near(sc.alpha_rand_index(x, y, alpha=0, method=method), 1)
        assert near(sc.alpha_rand_index(x, y, alpha=1, method=method), 0)
    check_against_oracles(x, y)
    check_against_oracles(x, x)


def test_singletons_that_meet_every_other_set():
    """No disjoint sets though singletons exist: different must be 0, not 1 - same."""
    x = sc.EvidentialClustering([[0.5, 0.5], [1, 0], [0, 1]], [[1, 0], [1, 1]])
    assert all(masses(x.relation(), i, j)[1] == 0 for i, j in combinations(range(3), 2))
    check_against_oracles(x, sc.HardClustering([0, 1, 1]))
    check_against_oracles(x, sc.FuzzyClustering([[1, 0], [0.5, 0.5], [0, 1]]))


def test_neither_same_nor_different_anywhere():
    """No feature is left for the kernel; enough objects for every automatic choice."""
    rng = np.random.default_rng(9)
    sets = [[1, 1, 0], [0, 1, 1]]
    x, y = (sc.EvidentialClustering(rng.dirichlet([1, 1], 300), sets) for _ in range(2))
    for method in ("auto", "rows", "pairs"):
        assert sc.alpha_rand_curve(x, y, method=method).sums == (0, 0, 0)
    empty = sc.EvidentialClustering(np.eye(3)[rng.integers(3, size=300)], [[0, 0, 0], *sets])
    reference = sc.alpha_rand_curve(x, empty, method="pairs").sums
    e = 1 - np.outer(1 - empty.empty_mass, 1 - empty.empty_mass)
    assert reference == pytest.approx([e[np.triu_indices(300, 1)].sum()] * 3)
    for method in ("auto", "rows", "logical"):
        assert sc.alpha_rand_curve(x, empty, method=method).sums == pytest.approx(reference)


def test_one_cluster():
    one, singletons = sc.HardClustering([0] * 4), sc.HardClustering(range(4))
    for alpha in (0, 0.5, 1):
        assert sc.alpha_rand_index(one, one, alpha=alpha) == 1
        assert sc.alpha_partition_dissimilarity(one, one, alpha=alpha) == 0
        assert sc.alpha_rand_index(one, singletons, alpha=alpha) == 0
        assert sc.alpha_partition_dissimilarity(one, singletons, alpha=alpha) == 1


@pytest.mark.parametrize("alpha", [-0.1, 1.5, float("nan")])
def test_alpha_outside(alpha):
    x = sc.HardClustering([0, 1])
    for function in (sc.alpha_rand_index, sc.alpha_partition_dissimilarity):
        with pytest.raises(sc.ClusteringError, match="alpha"):
            function(x, x, alpha=alpha)
    with pytest.raises(sc.ClusteringError, match="alpha"):
        sc.alpha_rand_curve(x, x).at(alpha)


def test_bad_arguments():
    x, y = sc.HardClustering([0, 1]), sc.HardClustering([0, 1, 1])
    for function in (sc.alpha_rand_index, sc.alpha_rand_interval, sc.alpha_rand_curve,
                     sc.credal_rand_index, sc.alpha_partition_dissimilarity,
                     sc.alpha_partition_interval):
        with pytest.raises(sc.ClusteringError, match=r"2 objects .* 3"):
            function(x, y)
    with pytest.raises(ValueError, match="distinct"):
        sc.alpha_rand_index(x, x, pairs="most")
    with pytest.raises(ValueError, match="jousselme"):
        sc.credal_rand_index(x, x, distance="euclid")
    with pytest.raises(ValueError, match="2n"):
        sc.alpha_partition_dissimilarity(x, x, denominator="n")
    with pytest.raises(ValueError, match="logical"):
        sc.alpha_rand_index(x, x, method="magic")


@pytest.mark.parametrize("n", [4, 7])
def test_dissimilarity_of_hard_against_vacuous(n):
    """It is not normalised: 3n/(2(n-1)) for three clusters, alpha 1."""
    x = sc.HardClustering(np.arange(n) % 3)
    y = sc.RoughClustering.from_upper(np.ones((n, 3)))
    assert near(sc.alpha_partition_dissimilarity(x, y, alpha=1), 3 * n / (2 * (n - 1)))
