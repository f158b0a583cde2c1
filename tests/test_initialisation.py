"""Var-Part and PCA-Part: stored values, a naive oracle, ties, weights, few distinct objects."""

import json
from pathlib import Path

import numpy as np
import pytest
from naive.initialisation import pca_part, var_part
from naive.kmeans import greedy_kmeans_plusplus, kmeans
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris

import softclust as sc
from softclust.cluster import initialisation
from softclust.cluster.passes import Data

ITEMS = json.loads((Path(__file__).parent / "golden/initialisation.json").read_text())["items"]
FITS = [item for item in ITEMS if "part-iris" in item["id"]]
BOTH = [pytest.param(sc.cluster.var_part, var_part, id="var-part"),
        pytest.param(sc.cluster.pca_part, pca_part, id="pca-part")]
DOORS = [sc.cluster.var_part, sc.cluster.pca_part]


@pytest.mark.parametrize("item", FITS, ids=lambda item: item["id"])
def test_stored_starts_of_iris(item):
    x, k = load_iris().data, item["input"]["k"]
    start = sc.cluster.var_part if item["input"]["method"] == "Var-Part" else sc.cluster.pca_part
    centers = start(x, k)
    # stored with six decimals
    np.testing.assert_allclose(centers, item["expected"]["centers"], atol=item["tolerance"])
    fit = KMeans(k, init=centers, n_init=1, tol=0).fit(x)
    assert fit.inertia_ == pytest.approx(item["expected"]["final_sse"], abs=item["tolerance"])


@pytest.mark.parametrize("item", FITS, ids=lambda item: item["id"])
def test_stored_parts_of_iris(item):
    x, k = load_iris().data, item["input"]["k"]
    oracle = var_part if item["input"]["method"] == "Var-Part" else pca_part
    centers, parts = oracle(x.tolist(), [1.0] * 150, k)
    assert [len(part) for part in parts] == item["expected"]["sizes"]
    squares = sum(((x[part] - centre) ** 2).sum() for part, centre in zip(parts, centers))
    assert squares == pytest.approx(item["expected"]["init_sse"], abs=item["tolerance"])


@pytest.mark.parametrize(("start", "oracle"), BOTH)
@pytest.mark.parametrize("seed", range(8))
def test_random_weighted_data_against_the_oracle(start, oracle, seed):
    rng = np.random.default_rng(seed)
    n, p = 40, (1, 2, 5, 60)[seed % 4]   # 60: more features than objects
    x = rng.normal(size=(n, p)) + 100
    weights = rng.choice([0.0, 0.5, 1.0, 3.0], n)
    expected, _ = oracle(x.tolist(), weights.tolist(), 7)
    # the centres are means of the same objects: only their rounding differs
    np.testing.assert_allclose(start(x, 7, sample_weight=weights), expected, rtol=1e-12)


@pytest.mark.parametrize("start", DOORS)
def test_whole_weights_are_copies(start):
    rng = np.random.default_rng(3)
    x, counts = rng.normal(size=(30, 3)), rng.integers(0, 4, 30)
    np.testing.assert_allclose(start(x, 6, sample_weight=counts),
                               start(np.repeat(x, counts, axis=0), 6), rtol=0, atol=1e-13)


@pytest.mark.parametrize("start", DOORS)
def test_order_of_objects_does_not_matter_and_ties_on_the_mean_go_left(start):
    # .2 is the mean of .1, .2, .3 but not of their rounded sum
    x = np.array([[0.1], [0.2], [0.3]] * 5)
    rng = np.random.default_rng(0)
    for _ in range(20):
        np.testing.assert_allclose(start(rng.permutation(x), 2), [[0.15], [0.3]], atol=1e-15)


@pytest.mark.parametrize("start", DOORS)
def test_tied_parts_are_split_in_order(start):
    x = np.array([[0.1], [0.3], [10.1], [10.3]])
    np.testing.assert_allclose(start(x, 3), [[0.1], [10.2], [0.3]], atol=1e-14)


def test_tied_features_go_to_the_first():
    # the corners of a square: both features have the same variance
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    np.testing.assert_array_equal(sc.cluster.var_part(x, 2), [[0, 0.5], [1, 0.5]])


@pytest.mark.parametrize("start", DOORS)
def test_constant_features_are_never_cut(start):
    x = np.array([[7, 0, 0.1], [7, 1, 0.1], [7, 8, 0.1], [7, 9, 0.1]])
    np.testing.assert_allclose(start(x, 2), [[7, 0.5, 0.1], [7, 8.5, 0.1]], rtol=1e-15)


@pytest.mark.parametrize("start", DOORS)
@pytest.mark.parametrize("value", [0.0, 0.1, 1e8 / 3])
def test_equal_objects_give_one_centre(start, value):
    np.testing.assert_array_equal(start(np.full((7, 2), value), 4), [[value, value]])


@pytest.mark.parametrize("start", DOORS)
def test_fewer_distinct_objects_than_clusters(start):
    x = np.array([[0.1, 2], [0.1, 2], [5, 5], [-1, 0.3], [5, 5]])
    centers = start(x, 5)
    np.testing.assert_allclose(np.unique(centers, axis=0), np.unique(x, axis=0), rtol=1e-15)


@pytest.mark.parametrize("start", DOORS)
def test_neighbouring_numbers_are_told_apart(start):
    x = np.array([[1.0], [1.0], [np.nextafter(1, 2)]])
    np.testing.assert_array_equal(start(x, 2), [[1.0], [np.nextafter(1, 2)]])


def test_principal_direction_has_a_positive_largest_entry():
    x = np.array([[0, 0], [1, -3], [2, -6], [3, -9.0]])
    np.testing.assert_allclose(sc.cluster.pca_part(x, 2), [[2.5, -7.5], [0.5, -1.5]], rtol=1e-14)


@pytest.mark.parametrize("start", DOORS)
def test_messages(start):
    with pytest.raises(sc.ClusteringError, match="n_clusters is 0; a whole number >= 1"):
        start([[1.0]], 0)
    with pytest.raises(sc.ClusteringError, match=r"X has shape \(3,\); \(n, p\)"):
        start([1.0, 2, 3], 1)
    with pytest.raises(sc.ClusteringError, match="not finite"):
        start([[np.nan]], 1)
    with pytest.raises(sc.ClusteringError, match="matrix of numbers"):
        start([["a"]], 1)
    with pytest.raises(sc.ClusteringError, match=r"sample_weight\[1\] is -1"):
        start([[1.0], [2.0]], 1, sample_weight=[1, -1])
    with pytest.raises(sc.ClusteringError, match="must be positive"):
        start([[1.0], [2.0]], 1, sample_weight=[0, 0])


def weighted_data(seed, n=150, p=3):
    rng = np.random.default_rng(seed)
    return rng, rng.normal(size=(n, p)), rng.choice([0.0, 0.5, 1.0, 3.0], n)


@pytest.mark.parametrize("seed", range(6))
def test_greedy_seeds_and_passes_against_the_oracle(seed):
    rng, x, weights = weighted_data(seed)
    uniforms = rng.random((5, 3))
    data = Data.of(x, weights)
    seeds = initialisation.greedy_seeds(data, uniforms)
    expected = greedy_kmeans_plusplus(x.tolist(), weights.tolist(), uniforms.tolist())
    np.testing.assert_array_equal(seeds, expected)
    _, centers, _, passes, _ = kmeans(x.tolist(), weights.tolist(), expected,
                                      max_iter=initialisation.PASSES)
    assert passes > 3
    np.testing.assert_allclose(initialisation.few_passes(data, seeds), centers, atol=1e-13)


def test_starts_are_those_of_the_seed_and_leave_out_objects_of_weight_zero():
    _, x, weights = weighted_data(7)
    x[weights == 0] += 100
    data = Data.of(x, weights)
    for init in ("k-means", "k-means++", "random"):
        first, second = (initialisation.starts(data, 4, init, 3, 1) for _ in range(2))
        np.testing.assert_array_equal(first, second)
        assert np.abs(first).max() < 10
        assert not np.array_equal(first[0], first[1])


def test_whole_weights_leave_as_much_as_copies():
    rng, x, _ = weighted_data(8, n=60)
    counts = rng.integers(1, 4, 60)
    for uniforms in rng.random((5, 4, 3)):
        copies = np.repeat(x, counts, axis=0)
        np.testing.assert_array_equal(
            initialisation.greedy_seeds(Data.of(x, counts.astype(float)), uniforms),
            initialisation.greedy_seeds(Data.of(copies), uniforms))


def test_seeds_among_objects_whose_squared_distances_vanish():
    x = np.array([[0.0], [1e-200], [2e-200]])
    seeds = initialisation.greedy_seeds(Data.of(x), np.full((3, 3), 0.5))
    assert set(seeds.ravel()) <= set(x.ravel())
