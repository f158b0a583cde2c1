"""The dual tree: sums of all pairs against the pair kernel and the definition, certified bounds."""

import itertools

import numpy as np
import pytest

import softclust as sc
from softclust._kernels._jit import JIT_ENABLED
from softclust.statistics import dual_tree
from softclust.statistics.dual_tree import tree_sums
from softclust.statistics.pairs import pair_sums

SETS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]], bool)
N = 400 if JIT_ENABLED else 30


def clusterings(n=N, seed=0):
    rng = np.random.default_rng(seed)
    upper = np.eye(3, dtype=bool)[rng.integers(0, 3, n)] | (rng.random((n, 3)) < 0.3)
    typicality = rng.random((n, 3))
    typicality[np.arange(n), rng.integers(0, 3, n)] = 1.0
    return {
        "hard": sc.HardClustering(rng.integers(0, 3, n)),
        "fuzzy": sc.FuzzyClustering(rng.dirichlet([0.3] * 3, n)),
        "fuzzy 4": sc.FuzzyClustering(rng.dirichlet([0.5] * 4, n)),
        "rough": sc.RoughClustering.from_upper(upper),
        "possibilistic": sc.PossibilisticClustering(typicality),
        "evidential": sc.EvidentialClustering(rng.dirichlet([0.4] * 5, n), SETS),
    }


@pytest.mark.parametrize(("a", "b"), [
    *itertools.combinations_with_replacement(clusterings(6), 2)])
def test_the_tree_gives_the_sums_of_the_pair_kernel(a, b):
    x, y = clusterings()[a], clusterings(seed=1)[b]
    expected, found = pair_sums(x, y, method="pairs"), tree_sums(x, y)
    wanted = np.array([expected.r0, expected.half, expected.r1]) / expected.n_pairs
    # sums over node pairs round at the size of the forms, 1 a pair at most
    np.testing.assert_allclose(found.low / expected.n_pairs, wanted, atol=1e-13)
    np.testing.assert_allclose(found.high / expected.n_pairs, wanted, atol=1e-13)


def test_the_tree_follows_the_definition_on_every_small_fuzzy_clustering(monkeypatch):
    monkeypatch.setattr(dual_tree, "_LEAF", 1)
    rows = [[1.0, 0.0], [0.25, 0.75], [0.0, 1.0]]
    runs = [sc.FuzzyClustering(chosen) for chosen in itertools.product(rows, repeat=3)]
    pairs = list(itertools.combinations(range(3), 2))
    same = [[np.dot(x.membership[i], x.membership[j]) for i, j in pairs] for x in runs]
    for a, x in enumerate(runs):
        for b, y in enumerate(runs):
            loss = np.abs(np.subtract(same[a], same[b])).sum()
            # a handful of pairs: rounding of the forms alone
            assert tree_sums(x, y).low == pytest.approx(loss, abs=1e-14)


def test_the_tree_follows_the_definition_of_alpha_rand():
    runs = clusterings(7, 3)
    for x, y in itertools.combinations(runs.values(), 2):
        for alpha in (0.0, 0.3, 0.5, 0.8, 1.0):
            found = sc.alpha_rand_index(x, y, alpha=alpha, method="tree")
            assert found == pytest.approx(sc.alpha_rand_index(x, y, alpha=alpha), abs=1e-13)
    x, y = runs["fuzzy"], runs["fuzzy 4"]
    loss = [abs(np.dot(x.membership[i], x.membership[j]) - np.dot(y.membership[i], y.membership[j]))
            for i, j in itertools.combinations(range(7), 2)]
    assert sc.alpha_rand_index(x, y, method="tree") == pytest.approx(1 - np.mean(loss), abs=1e-14)


def test_equal_fuzzy_clusterings_agree_exactly():
    x = clusterings()["fuzzy"]
    assert sc.alpha_rand_index(x, sc.FuzzyClustering(x.membership), method="tree") == 1.0


def test_groups_are_left_out_and_threads_do_not_matter():
    rng = np.random.default_rng(2)
    n = 3000 if JIT_ENABLED else 200
    labels = rng.integers(0, 3, n)
    near = 0.9 * np.eye(3)[labels] + 0.1 * rng.dirichlet([1.0] * 3, n)
    x, y = sc.FuzzyClustering(near), sc.FuzzyClustering(np.eye(3)[labels] * 0.6 + near * 0.4)
    found = tree_sums(x, y)
    assert not JIT_ENABLED or found.visited < 0.9
    try:
        sc.set_num_threads(1)
        one = tree_sums(x, y)
        sc.set_num_threads(4)
        four = tree_sums(x, y)
    finally:
        sc.set_num_threads(None)
    assert one.low.tobytes() == four.low.tobytes() == found.low.tobytes()


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("tolerance", [0.0, 0.003, 0.1, 1.0])
def test_an_enclosure_holds_the_index_and_is_as_narrow_as_promised(alpha, tolerance):
    runs = clusterings(seed=4)
    for a, b in (("fuzzy", "fuzzy 4"), ("fuzzy", "evidential"), ("evidential", "possibilistic")):
        exact = sc.alpha_rand_index(runs[a], runs[b], alpha=alpha, method="pairs")
        found = sc.alpha_rand_enclosure(runs[a], runs[b], alpha=alpha, tolerance=tolerance)
        assert found.low - 1e-12 <= exact <= found.high + 1e-12
        assert found.width <= 1.5 * tolerance + 1e-12


def test_many_equal_objects_make_a_leaf():
    x = sc.FuzzyClustering([[0.4, 0.6, 0.0]] * 150)
    y = sc.FuzzyClustering([[0.1, 0.2, 0.7]] * 150)
    found = tree_sums(x, y)
    assert found.low == pytest.approx(150 * 149 / 2 * abs(0.52 - 0.54), rel=1e-12)


def test_what_the_tree_does_not_serve():
    empty = sc.EvidentialClustering.from_dicts([{0: 0.5, (): 0.5}, {1: 1.0}, {0: 1.0}])
    with pytest.raises(sc.ClusteringError, match='method="tree" does not apply'):
        sc.alpha_rand_index(empty, [0, 1, 1], method="tree")
    with pytest.raises(sc.ClusteringError, match="dual tree needs"):
        sc.alpha_rand_enclosure(empty, [0, 1, 1])
    with pytest.raises(sc.ClusteringError, match="does not apply"):
        sc.credal_rand_index([0, 0, 1], [[0.2, 0.8]] * 3, distance="jousselme", method="tree")
    with pytest.raises(sc.ClusteringError, match="tolerance is -1"):
        sc.alpha_rand_enclosure([0, 0, 1], [0, 1, 1], tolerance=-1)


def test_the_belief_index_takes_the_tree_and_auto_never_does():
    runs = clusterings()
    found = sc.credal_rand_index(runs["fuzzy"], runs["evidential"], method="tree")
    assert found == pytest.approx(sc.credal_rand_index(runs["fuzzy"], runs["evidential"]),
                                  abs=1e-13)
    assert sc.alpha_rand_curve(runs["fuzzy"], runs["evidential"], method="tree").method == "tree"
    assert sc.alpha_rand_curve(runs["fuzzy"], runs["fuzzy 4"]).method == "pairs"


def test_sampling_has_a_name_of_its_own():
    runs = clusterings()
    x, y = runs["fuzzy"], runs["fuzzy 4"]
    found = sc.alpha_rand_estimate(x, y, alpha=0.3, rng=1)
    assert found == sc.alpha_rand_estimate(x, y, alpha=0.3, rng=1)
    assert float(found) == found.value
    assert sc.alpha_rand_index(x, y, alpha=0.3) in found.interval
    with pytest.raises(ValueError, match="method='sample'"):
        sc.alpha_rand_index(x, y, method="sample")
    with pytest.raises(TypeError, match="rng"):
        sc.alpha_rand_index(x, y, rng=1)
