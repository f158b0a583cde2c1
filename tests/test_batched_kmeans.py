"""Batched k-means: naive oracle, scikit-learn, weights, ties, empty clusters, bits, messages."""

import warnings

import numpy as np
import pytest
from naive.kmeans import best_of_starts, kmeans, kmeans_plusplus
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from strategies import JIT_OFF

import softclust as sc
from softclust.cluster._kernels.kmeans import AHEAD
from softclust.cluster.batched_kmeans import (
    CONVERGED,
    EMPTY,
    NO_STARTS,
    STOPPED,
    batched_kmeans,
    fit_block,
    near_origin,
)


def blobs(rng, n, d, k, spread=1.0):
    return rng.normal(size=(n, d)) * spread + 3 * rng.normal(size=(k, d))[rng.integers(0, k, n)]


def check(fit, b, expected):
    """Replicate b against the oracle: the same decisions, sums up to their rounding."""
    labels, centers, inertia, passes, status = expected
    np.testing.assert_array_equal(fit.labels[b], labels)
    np.testing.assert_allclose(fit.centers[b], centers, rtol=1e-12, atol=1e-12)
    assert fit.inertia[b] == pytest.approx(inertia, rel=1e-12, abs=1e-24)
    assert (fit.n_iter[b], fit.status[b]) == (passes, status)


SHAPES = [(1, 1, 1), (5, 1, 5), (17, 2, 3), (30, 3, 4), (40, 7, 2), (33, 1, 6), (9, 5, 1),
          (45, 13, 7), (70, 20, 11)]


@pytest.mark.parametrize(("n", "d", "k"), SHAPES)
def test_weighted_problems_against_the_oracle(n, d, k):
    rng = np.random.default_rng(n + d)
    x = blobs(rng, n, d, k)
    weights = rng.choice([0.0, 0.25, 1.0, 2.0], (6, n))
    weights[:, :k] += 0.5   # enough points
    uniforms = rng.random((6, 1, k))
    fit = batched_kmeans(x, weights=weights, uniforms=uniforms)
    for b in range(6):
        seeds = kmeans_plusplus(x.tolist(), weights[b].tolist(), uniforms[b, 0])
        check(fit, b, kmeans(x.tolist(), weights[b].tolist(), seeds))


def test_one_centre_row_is_shared_or_each_replicate_has_its_own():
    rng = np.random.default_rng(1)
    x, weights = blobs(rng, 25, 2, 3), rng.random((4, 25))
    own = rng.normal(size=(4, 2, 3, 2))
    shared = batched_kmeans(x, weights=weights, init=own[0, 0])
    each = batched_kmeans(x, weights=weights, init=own[:, 0])
    best = batched_kmeans(x, weights=weights, init=own)
    for b in range(4):
        check(shared, b, kmeans(x, weights[b], own[0, 0]))
        check(each, b, kmeans(x, weights[b], own[b, 0]))
        fits = [kmeans(x, weights[b], own[b, s]) for s in range(2)]
        start = int(fits[1][2] < fits[0][2] * (1 - 1e-12))
        assert best.best_start[b] == start
        check(best, b, fits[start])


def test_points_of_each_replicate():
    rng = np.random.default_rng(2)
    x, weights = rng.normal(size=(5, 20, 3)), rng.random((5, 20))
    fit = batched_kmeans(x, weights=weights, init=x[:, :4])
    for b in range(5):
        check(fit, b, kmeans(x[b], weights[b], x[b, :4]))


@pytest.mark.parametrize(("n", "d", "k"), [(100, 2, 3), (60, 5, 8), (150, 1, 4), (40, 30, 3),
                                           *([] if JIT_OFF else [(3000, 2, 20), (1000, 50, 5)])])
def test_scikit_learn_from_the_same_start(n, d, k):
    rng = np.random.default_rng(n)
    x, weights = blobs(rng, n, d, k), rng.integers(0, 3, (3, n)).astype(float)
    init = x[:k]
    weights[:, :k] = 1
    fit = batched_kmeans(x, weights=weights, init=init)
    for b in range(3):
        theirs = KMeans(k, init=init, n_init=1, tol=0, algorithm="lloyd", max_iter=300).fit(
            x, sample_weight=weights[b])
        used = weights[b] > 0
        np.testing.assert_array_equal(fit.labels[b][used], theirs.labels_[used])
        assert fit.inertia[b] == pytest.approx(theirs.inertia_, rel=1e-12)
        assert fit.n_iter[b] == theirs.n_iter_
        np.testing.assert_allclose(fit.centers[b], theirs.cluster_centers_, rtol=0, atol=1e-12)


def test_whole_weights_are_copies():
    rng = np.random.default_rng(4)
    x, counts = blobs(rng, 30, 3, 3), rng.integers(0, 4, 30)
    init = rng.normal(size=(3, 3))
    weighted = batched_kmeans(x, weights=counts, init=init)
    copied = batched_kmeans(np.repeat(x, counts, axis=0), init=init)
    np.testing.assert_array_equal(np.repeat(weighted.labels[0], counts), copied.labels[0])
    np.testing.assert_allclose(weighted.inertia, copied.inertia, rtol=1e-12)


def test_scaling_all_weights_changes_nothing():
    rng = np.random.default_rng(5)
    x, weights, uniforms = blobs(rng, 40, 2, 3), rng.random((8, 40)), rng.random((8, 3, 3))
    a = batched_kmeans(x, weights=weights, uniforms=uniforms)
    b = batched_kmeans(x, weights=weights * 2.0**-9, uniforms=uniforms)   # exact scaling
    c = batched_kmeans(x, weights=weights * 37.7, uniforms=uniforms)
    np.testing.assert_array_equal(a.centers, b.centers)
    np.testing.assert_array_equal(a.labels, c.labels)
    np.testing.assert_allclose(c.inertia, a.inertia * 37.7, rtol=1e-12)


@pytest.mark.parametrize("features", [1, 7, 40])
@pytest.mark.parametrize(("x", "starts"), [
    ([9, 5, 11, 11, 2, 11, 0, 1, 6], [-0.939, -3.934, 4.057, 6.063]),
    ([3, 10, 4, 9, 2, 3, 0, 7, 0, 2, 10, 1, 4, 6], [12.007, 6.017, 5.003, 6.049]),
    ([9, 5, 9, 1, 6, 4, 0, 7, 5, 0, 3, 10, 0, 10], [4.016, -2.988, 5.072, 3.077])])
def test_a_cluster_that_loses_its_last_point_late_is_filled_again(x, starts, features):
    """Few points move in that pass, so means are moved with them, not summed anew."""
    rest = [0.0] * (features - 1)
    points, centers = [[float(v), *rest] for v in x], [[v, *rest] for v in starts]
    check(batched_kmeans(points, init=centers), 0, kmeans(points, [1.0] * len(x), centers))


@pytest.mark.parametrize("fine", [1e-3, 1e-6, 1e-9])
def test_labels_that_single_precision_cannot_tell_apart(fine):
    rng = np.random.default_rng(8)
    x = np.repeat([[0.0, 0, 0, 0, 0], [1.0, 1, 1, 1, 1]], 30, axis=0) + fine * rng.normal(
        size=(60, 5))
    weights, init = rng.random((4, 60)), x[[0, 1, 2, 30, 31, 32]]
    fit = batched_kmeans(x, weights=weights, init=init)
    for b in range(4):
        labels, _, inertia, passes, _ = kmeans(x, weights[b], init)
        np.testing.assert_array_equal(fit.labels[b], labels)
        assert fit.n_iter[b] == passes
        # Coordinates near 1 hold a distance of `fine` to a share of 2**-53 / fine.
        assert fit.inertia[b] == pytest.approx(inertia, rel=1e-15 / fine, abs=0)


@pytest.mark.parametrize("far", [1e2, 1e5, 1e8])
def test_objects_and_centres_far_from_the_others(far):
    rng = np.random.default_rng(10)
    x = blobs(rng, 80, 6, 4)
    x[[5, 50]] *= far
    weights, init = rng.random((3, 80)), np.concatenate([x[:5], far * rng.normal(size=(2, 6))])
    fit = batched_kmeans(x, weights=weights, init=init)
    for b in range(3):
        labels, _, _, passes, _ = kmeans(x, weights[b], init)
        np.testing.assert_array_equal(fit.labels[b], labels)
        assert fit.n_iter[b] == passes


@pytest.mark.parametrize("exponent", [-200, -80, 80, 200])
def test_scale_changes_nothing(exponent):
    """Squares that overflow or vanish in single precision are those of double precision."""
    rng = np.random.default_rng(9)
    x, uniforms, scale = blobs(rng, 70, 5, 3), rng.random((5, 2, 3)), 2.0**exponent
    a = batched_kmeans(x, uniforms=uniforms)
    b = batched_kmeans(x * scale, uniforms=uniforms)
    np.testing.assert_array_equal(a.labels, b.labels)
    np.testing.assert_array_equal(a.centers * scale, b.centers)
    np.testing.assert_array_equal(a.inertia * scale * scale, b.inertia)


@pytest.mark.parametrize("scale", [1e-22, 3e-23, 1e-23])
def test_structure_that_vanishes_in_single_precision(scale):
    """Beside points at 1 and -1 the squares of the others are few of the least single numbers."""
    for seed in range(5):
        x = np.concatenate([[[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]],
                            scale * blobs(np.random.default_rng(seed), 30, 3, 3)])
        fit = batched_kmeans(x, init=x[:6])
        labels, _, _, passes, _ = kmeans(x, np.ones(32), x[:6])
        np.testing.assert_array_equal(fit.labels[0], labels)
        assert fit.n_iter[0] == passes


def test_points_do_not_depend_on_the_scale_of_those_beside_them():
    rng = np.random.default_rng(12)
    x, _ = near_origin(blobs(rng, 40, 3, 3)[None])
    small, weights = x * 2.0**-90, np.ones((1, 40))
    for uniforms in rng.random((10, 2, 1, 5)):
        both = fit_block(np.concatenate([x, small]), weights, 2, uniforms=uniforms,
                         init=NO_STARTS, max_iter=300)
        alone = fit_block(small, weights, 1, uniforms=uniforms[1:], init=NO_STARTS, max_iter=300)
        np.testing.assert_array_equal(both.labels[1], alone.labels[0])
        np.testing.assert_array_equal(both.centers[1], alone.centers[0])


def test_ties_go_to_the_lowest_index():
    x = np.array([[0.0], [1.0], [2.0]])
    fit = batched_kmeans(x, init=[[2.0], [0.0]], max_iter=1)
    # after one pass the point 1 is halfway between 2 (its first choice) and 0
    np.testing.assert_array_equal(fit.centers[0], [[1.5], [0.0]])
    np.testing.assert_array_equal(fit.labels[0], [1, 0, 0])
    same = batched_kmeans(x, init=[[[[0.0], [2.0]], [[2.0], [0.0]], [[0.0], [2.0]]]])
    assert same.best_start[0] == 0


@pytest.mark.parametrize("features", [2, 6])
@pytest.mark.parametrize("init", [
    [[0.0, 0], [100, 100], [0, 0.5]],         # one empty cluster
    [[100.0, 100], [200, 200], [300, 300]],   # two empty clusters
    [[1.0, 1], [1, 1], [1, 1]],               # equal starts: all points at the lowest index
])
def test_empty_clusters_take_the_farthest_point(init, features):
    rng = np.random.default_rng(6)
    x = np.zeros((12, features))
    x[:, :2] = np.round(rng.normal(size=(12, 2)), 1)
    init = [[*start, *x[0, 2:]] for start in init]
    weights = rng.choice([0.0, 1.0, 2.0], 12)
    fit = batched_kmeans(x, weights=weights, init=init)
    check(fit, 0, kmeans(x.tolist(), weights.tolist(), init))
    assert fit.status[0] == CONVERGED
    assert set(fit.labels[0]) == {-1, 0, 1, 2}


def test_the_farthest_point_is_the_first_among_equals():
    x = np.array([[-1.0], [1.0], [0.0]])
    fit = batched_kmeans(x, init=[[0.0], [50.0]])
    np.testing.assert_array_equal(fit.labels[0], [1, 0, 0])


@pytest.mark.parametrize("features", [1, 5])
@pytest.mark.parametrize("cold", [True, False])
def test_fewer_distinct_points_than_clusters(cold, features):
    x = np.repeat([[0.1], [0.1], [7.0], [7.0], [50.0]], features, axis=1)
    weights = [1, 2, 1, 1, 0]
    starts = {"uniforms": [[[0.3, 0.9, 0.5]]]} if cold else {
        "init": np.repeat([[0.0], [1.0], [8.0]], features, axis=1)}
    fit = batched_kmeans(x, weights=weights, **starts)
    assert fit.status[0] == EMPTY
    assert fit.inertia[0] == 0
    assert len(set(fit.labels[0][:4])) == 2
    assert fit.labels[0][4] == -1


@pytest.mark.parametrize("features", [2, 6, 20])
def test_a_start_does_not_depend_on_those_beside_it(features):
    rng = np.random.default_rng(features)
    x, weights, uniforms = rng.normal(size=(60, features)), rng.random(60), rng.random((1, 10, 4))
    alone = batched_kmeans(x, weights=weights, uniforms=uniforms[0, :, None])
    for n_init in (1, 3, 4, 6, 10):
        fit = batched_kmeans(x, weights=weights, uniforms=uniforms[:, :n_init])
        best = int(fit.best_start[0])
        assert fit.inertia[0] <= alone.inertia[0] * (1 + 1e-12)
        np.testing.assert_array_equal(fit.inertia[0], alone.inertia[best])
        np.testing.assert_array_equal(fit.labels[0], alone.labels[best])
        np.testing.assert_array_equal(fit.centers[0], alone.centers[best])


def test_starts_are_given_up_by_the_rule():
    rng = np.random.default_rng(11)   # 30 or 100 passes ahead choose otherwise
    x, weights = blobs(rng, 90, 2, 6, 2.0), rng.choice([0.5, 1.0, 2.0], (30, 90))
    uniforms = rng.random((30, 6, 6))
    fit, lost = batched_kmeans(x, weights=weights, uniforms=uniforms), 0
    for b in range(30):
        starts = [kmeans_plusplus(x.tolist(), weights[b].tolist(), u) for u in uniforms[b]]
        number, expected, given_up = best_of_starts(x.tolist(), weights[b].tolist(), starts, AHEAD)
        assert fit.best_start[b] == number
        check(fit, b, expected)
        lost += given_up
    assert lost == 3


def test_starts_given_up_lose_a_thousandth_at_most():
    """Ten starts of which some are given up, against the best of ten that run to their end."""
    rng = np.random.default_rng(20)
    x, uniforms = blobs(rng, 150, 4, 6, 2.0), rng.random((60, 10, 6))
    weights = rng.multinomial(150, np.full(150, 1 / 150), size=60).astype(float)
    fit = batched_kmeans(x, weights=weights, uniforms=uniforms)
    each = [batched_kmeans(x, weights=weights, uniforms=uniforms[:, s, None]).inertia
            for s in range(10)]
    assert (fit.inertia >= np.min(each, axis=0) * (1 - 1e-12)).all()
    assert fit.inertia.mean() <= np.min(each, axis=0).mean() * 1.001
    assert fit.inertia.mean() < np.mean(each) * 0.99


@pytest.mark.parametrize("features", [2, 9])
def test_max_iter_is_said_and_results_belong_to_the_centres(features):
    rng = np.random.default_rng(7)
    x, init = rng.normal(size=(60, features)), rng.normal(size=(4, features))
    fit = batched_kmeans(x, init=init, max_iter=2)
    check(fit, 0, kmeans(x, np.ones(60), init, max_iter=2))
    assert fit.status[0] == STOPPED
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs = KMeans(4, init=init, n_init=1, tol=0, max_iter=2).fit(x)
    np.testing.assert_array_equal(fit.labels[0], theirs.labels_)


def test_seeding_follows_the_law():
    x = np.array([[0.0], [9.0], [1.0], [2.0]])
    weights = np.array([1.0, 0.0, 3.0, 4.0])
    n = 400
    u = (np.arange(n) + 0.5) / n
    # first centre in proportion to weight: 0 with 1/8; from elsewhere the second, by u = 0 the
    # first point off the first centre, is 0
    uniforms = np.stack([u, np.zeros(n)], axis=1)[:, None]
    first = batched_kmeans(x, weights=weights, uniforms=uniforms)
    np.testing.assert_array_equal(first.centers[:, 1, 0] > first.centers[:, 0, 0], u < 1 / 8)
    # second centre from 0: weight times squared distance is 3 for 1 and 16 for 2
    uniforms = np.stack([np.zeros(n), u], axis=1)[:, None]
    second = batched_kmeans(x, weights=weights, uniforms=uniforms)
    np.testing.assert_array_equal(second.labels[:, [0, 1, 3]], [[0, -1, 1]] * n)
    # from 0 and 2 the point 1 is tied and stays with 0, from 0 and 1 it is with 2
    np.testing.assert_array_equal(second.labels[:, 2] == 1, u < 3 / 19)


def problem(n=80, replicates=40, d=3):
    rng = np.random.default_rng(8)
    x = blobs(rng, n, d, 4)
    draws = rng.integers(0, n, (replicates, n))
    return x, {"weights": np.array([np.bincount(row, minlength=n) for row in draws]),
               "uniforms": rng.random((replicates, 2, 4))}


def numbers(fit):
    return [v.hex() for v in (*fit.inertia.tolist(), *fit.centers.ravel().tolist())]


@pytest.mark.parametrize("features", [3, 9])
def test_the_same_bits_for_any_number_of_threads_and_chunk(monkeypatch, features):
    x, given = problem(replicates=40 if features < 5 or not JIT_OFF else 8, d=features)
    results = []
    try:
        for threads, seconds in ((1, 0.05), (4, 0.05), (3, 1e-9)):
            sc.set_num_threads(threads)
            monkeypatch.setattr("softclust.cluster.batched_kmeans._CHUNK_SECONDS", seconds)
            fit = batched_kmeans(x, **given)
            results.append((numbers(fit), fit.labels.tolist(), fit.n_iter.tolist()))
    finally:
        sc.set_num_threads(None)
    assert results[0] == results[1] == results[2]


def test_labels_may_be_left_out():
    x, given = problem(20, 5)
    fit = batched_kmeans(x, **given, labels=False)
    assert fit.labels is None
    assert numbers(fit) == numbers(batched_kmeans(x, **given))


@pytest.mark.parametrize("features", [5, 8, 21])
def test_seeds_hold_the_first_pass(features):
    """A cold start takes as many passes as the same centres given."""
    x, given = problem(100, 6, features)
    given["uniforms"] = given["uniforms"][:, :1]
    cold = batched_kmeans(x, **given)
    weights = given["weights"]
    for b in range(6):
        seeds = kmeans_plusplus(x.tolist(), weights[b].tolist(), given["uniforms"][b, 0])
        warm = batched_kmeans(x, weights=weights[b], init=seeds)
        assert numbers(warm)[1:] == [v.hex() for v in cold.centers[b].ravel().tolist()]
        assert warm.n_iter[0] == cold.n_iter[b]
        np.testing.assert_array_equal(warm.labels[0], cold.labels[b])


def test_arrays_that_cannot_be_written_take_the_same_machine_code():
    from softclust.cluster import _kernels
    x, given = problem(30, 4)
    plain = batched_kmeans(x, **given)
    for array in (x, *given.values()):
        array.setflags(write=False)
    assert numbers(batched_kmeans(np.asfortranarray(x), **given)) == numbers(plain)
    assert JIT_OFF or len(_kernels.kmeans.fit_replicates.signatures) == 1
