"""The pass of k-means written out in vectors: its bits are those of the plain form."""


import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

import softclust as sc
from softclust import _kernels
from softclust._kernels._jit import JIT_ENABLED, kernel
from softclust._kernels._lanes import CLUSTERS, FEATURES, assign_and_sum, written_out
from softclust._kernels.seeding import RUN, complete
from softclust.cluster.batched_kmeans import STOPPED, batched_kmeans
from softclust.resampling.replicates import Streams

SIZES = (1, 7, 8, 9, 61, 255, 256)


@kernel
def one_pass(points, moments, masses, centers, labels, nearest, sums, s, b, size):
    return assign_and_sum(points, moments, masses, centers, labels, nearest, sums, s, b, size)


def passes(clusters, features):
    """What a pass gives for blocks of several sizes, as nested lists."""
    found = []
    for size in SIZES:
        rng = np.random.default_rng(1000 * clusters + 10 * features + size)
        # Of three sets, the second is at work: the others must stay as they are.
        points, masses = np.zeros((2, features, 256)), np.zeros((2, 256))
        points[1, :, :size] = rng.normal(size=(features, size))
        masses[1, :size] = rng.exponential(size=size)
        moments = np.full(points.shape, np.nan)
        complete(points[1:], masses[1:], size, moments[1:])
        labels = np.full((3, 2, 256), -1)
        labels[1, 1, :size] = rng.integers(0, clusters, size)
        labels[1, 1, size:] = labels[1, 1, size - 1]
        nearest, sums = np.full((3, 2, 256), -1.0), np.zeros((3, 4, clusters * (features + 1)))
        centers = np.full((3, clusters, features), np.nan)
        centers[1] = rng.normal(size=(clusters, features))
        before = labels.copy()
        changed = one_pass(points, moments, masses, centers, labels, nearest, sums, 1, 1, size)
        again = one_pass(points, moments, masses, centers, labels, nearest, np.zeros_like(sums), 1,
                         1, size)
        found.append([int(changed), int(again), labels[1, 1, :size].tolist(),
                      nearest[1, 1, :size].tolist(), sums[1, 0].tolist(),
                      bool((np.delete(labels, 1, 0) == np.delete(before, 1, 0)).all()
                           and (labels[1, 0] == -1).all() and (nearest[[0, 2]] == -1).all()
                           and (nearest[1, 0] == -1).all() and not sums[[0, 2]].any()
                           and not sums[1, 1:].any())])
    return found


def every_pair():
    return [(k, d) for k in range(CLUSTERS[0], CLUSTERS[1] + 1)
            for d in range(FEATURES[0], FEATURES[1] + 1)]


@pytest.mark.parametrize(("clusters", "features"), [(2, 1), (3, 2), (4, 3), (6, 4)])
def test_a_pass_is_what_numpy_finds(clusters, features):
    for size, (changed, again, labels, nearest, sums, untouched) in zip(
            SIZES, passes(clusters, features)):
        rng = np.random.default_rng(1000 * clusters + 10 * features + size)
        points = rng.normal(size=(features, size))
        masses = rng.exponential(size=size)
        before = rng.integers(0, clusters, size)
        centers = rng.normal(size=(clusters, features))
        squares = ((points.T[:, None] - centers)**2).sum(axis=2)
        assert labels == squares.argmin(axis=1).tolist()
        assert changed == (before != labels).any()
        assert again == 0
        # Sums of at most 256 terms of size 1: rounding alone.
        assert np.allclose(nearest, squares.min(axis=1), rtol=1e-14, atol=1e-15)
        member = np.eye(clusters)[labels]
        expected = np.column_stack([masses @ member, (member * masses[:, None]).T @ points.T])
        assert np.allclose(np.reshape(sums, (clusters, -1)), expected, rtol=1e-12, atol=1e-13)
        assert untouched


@pytest.mark.parametrize("place", [0, 4, 8])
def test_one_changed_label_is_a_change(place):
    points = np.zeros((1, 1, 256))
    points[0, 0, :9] = np.arange(9.0)
    masses, moments = np.ones((1, 256)), np.empty((1, 1, 256))
    complete(points, masses, 9, moments)
    labels = np.zeros((1, 1, 256), dtype=np.int64)
    centers = np.array([[[1.0], [7.0]]])
    arguments = (points, moments, masses, centers, labels, np.empty((1, 1, 256)),
                 np.zeros((1, 4, 4)), 0, 0, 9)
    one_pass(*arguments)
    labels[0, 0, place] = 1 - labels[0, 0, place]
    assert one_pass(*arguments) == 1
    assert one_pass(*arguments) == 0


def test_the_last_point_is_repeated_without_mass():
    points, masses = np.full((2, 2, 256), np.nan), np.full((2, 256), np.inf)
    moments = np.full((2, 2, 256), np.nan)
    points[0], masses[0] = np.arange(512).reshape(2, 256), 2.0
    points[1, :, :5], masses[1, :5] = 7.0, 3.0
    complete(points, masses, 261, moments)
    assert (points[1, :, :RUN] == 7).all()
    assert masses[1, :RUN].tolist() == [3.0] * 5 + [0.0] * (RUN - 5)
    assert moments[1, 1, :RUN].tolist() == [21.0] * 5 + [0.0] * (RUN - 5)
    assert (moments[0] == 2 * points[0]).all()
    assert np.isnan(points[1, :, RUN:]).all()


def test_ties_go_to_the_first_center():
    labels = np.full((1, 1, 256), -1)
    one_pass(np.zeros((1, 2, 256)), np.zeros((1, 2, 256)), np.ones((1, 256)), np.ones((1, 3, 2)),
             labels, np.zeros((1, 1, 256)), np.zeros((1, 4, 9)), 0, 0, 5)
    assert labels[0, 0, :5].tolist() == [0] * 5


def test_what_is_written_out():
    assert written_out(2, 1)
    assert written_out(6, 4)
    assert not written_out(1, 2)
    assert not written_out(7, 2)
    assert not written_out(3, 5)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_a_clear_table_is_matched_without_search(k):
    from itertools import permutations

    from softclust import _kernels
    rng = np.random.default_rng(k)
    clear = 0
    for _ in range(300):
        table = rng.integers(0, 6, (k, k))
        table[np.arange(k), rng.permutation(k)] += rng.integers(0, 9)
        sums = {p: sum(table[i, p[i]] for i in range(k)) for p in permutations(range(k))}
        best = [p for p, value in sums.items() if value == max(sums.values())]
        cluster = np.full(k, -1)
        if _kernels.bagging.match_clear(table, cluster):
            clear += 1
            assert len(best) == 1
            assert [best[0].index(j) for j in range(k)] == cluster.tolist()
    assert clear > 20


def test_a_replicate_has_the_state_of_its_best_start():
    """Not of the start beside it: those cut short are counted through the public door."""
    x = np.random.default_rng(0).normal(size=(40, 2))
    replicates = 60 if JIT_ENABLED else 12
    with pytest.warns(ConvergenceWarning) as caught:
        fit = sc.BaggedClustering(n_clusters=3, n_init=2, max_iter=4, n_resamples=replicates,
                                  random_state=0).fit(x)
    draws, uniforms = fit.resamples(x).source, np.empty((replicates, 2, 3))
    for b in range(replicates):
        state = Streams(0).states(b, b + 1)[0]
        _kernels.random.fill_below(state, 40, np.empty(40, dtype=np.int64))
        _kernels.random.fill_uniforms(state, uniforms[b].reshape(-1))
    # One start at a time, which nothing runs beside.
    single = [batched_kmeans(x, indices=draws, uniforms=uniforms[:, [s]], max_iter=4)
              for s in range(2)]
    best = np.argmin([one.inertia for one in single], axis=0)
    states = np.array([one.status for one in single])
    count = (states[best, np.arange(replicates)] == STOPPED).sum()
    assert (states[0] != states[1]).any(), "this case tells nothing"
    assert [f"k-means of {count} of {replicates} replicates" in str(w.message)
            for w in caught if w.category is ConvergenceWarning] == [True]
    together = batched_kmeans(x, indices=draws, uniforms=uniforms, max_iter=4)
    for name in ("labels", "centers", "inertia", "n_iter", "status"):
        expected = [getattr(single[s], name)[b] for b, s in enumerate(best)]
        np.testing.assert_array_equal(getattr(together, name), expected)
    np.testing.assert_array_equal(together.best_start, best)
