"""Passes of k-means that leave out distances: labels are those of passes that find them all."""

import numpy as np
import pytest
from naive.kmeans import kmeans
from strategies import JIT_OFF

from softclust import _kernels
from softclust.cluster.batched_kmeans import _bounds, batched_kmeans, point_arrays

N = 60 if JIT_OFF else 600


class Case:
    """Points in tiles and in the order of their labels; centres that move."""

    def __init__(self, x, clusters):
        self.m, d = x.shape
        self.rng = np.random.default_rng(0)
        self.points, self.rows, self.masses = point_arrays(self.m, d)
        self.bounds = _bounds(self.m, d, clusters)
        _kernels.seeding.gather(x, np.ones(self.m), self.points, self.rows, self.masses,
                                np.empty(self.m + 1, dtype=np.int64))
        _kernels.seeding.complete(self.points, self.masses, self.m, self.rows)
        self.centers = x[self.rng.choice(self.m, clusters, replace=False)]
        self.labels, self.nearest = self.plain()
        self.bounds.order[:self.m] = np.arange(self.m)
        _kernels.bounds.order_by_label(self.labels, self.m, np.empty(clusters, dtype=np.int64),
                                       np.empty_like(self.labels), self.bounds.order)

    def plain(self):
        """Labels and distances by a full pass, points in their own order."""
        labels = np.full(self.masses.shape, -1)
        nearest = np.empty(self.masses.shape)
        _kernels.nearest.assign_tiles(self.points, self.m, self.centers, labels, nearest)
        return labels, nearest

    def flat(self, array):
        return array.ravel()[:self.m]

    def begin(self):
        _kernels.bounds.begin_bounds(self.rows, self.m, self.centers, self.labels, self.nearest,
                                     self.bounds)
        return _kernels.bounds.find_guard(self.m, 300, self.centers, self.nearest)

    def move(self, step):
        """Centres go by `step`; whether the pass after it finds what a full pass does."""
        self.bounds.old[:] = self.centers
        self.centers = self.centers + step
        _kernels.bounds.find_drift(self.bounds.old, self.centers, self.bounds.drift)


def check_passes(x, clusters, steps):
    case = Case(x, clusters)
    order = case.bounds.order[:case.m]
    np.testing.assert_array_equal(np.sort(order), np.arange(case.m))
    assert (np.diff(case.flat(case.labels)) >= 0).all()
    guard = case.begin()
    work = []
    for step in steps(case):
        before = case.labels.copy()
        case.move(step)
        case.nearest[:] = np.nan
        changed = _kernels.bounds.assign_bounded(case.m, case.centers, case.labels, case.nearest,
                                                 guard, case.bounds, False)
        work.append(1 - np.isnan(case.flat(case.nearest)).mean())
        labels, nearest = case.plain()
        np.testing.assert_array_equal(case.flat(case.labels), case.flat(labels)[order])
        moved = np.flatnonzero(case.flat(before) != case.flat(case.labels))
        np.testing.assert_array_equal(case.bounds.moved[:changed], moved)
        _kernels.bounds.find_nearest(case.m, case.centers, case.labels, case.nearest, case.bounds)
        np.testing.assert_array_equal(case.flat(case.nearest), case.flat(nearest)[order])
    _kernels.bounds.restore_order(case.labels, case.nearest, case.m, case.bounds.order,
                                  np.empty_like(case.labels), case.bounds.spare)
    np.testing.assert_array_equal(case.flat(case.labels), case.flat(labels))
    np.testing.assert_array_equal(case.flat(case.nearest), case.flat(nearest))
    return work


def shrinking(case):
    """Steps of random size, smaller and smaller."""
    for p in range(12):
        yield case.rng.normal(size=case.centers.shape) * 0.5 ** p * case.rng.random(
            (case.centers.shape[0], 1))


@pytest.mark.parametrize(("d", "clusters"), [(16, 4), (9, 11), (30, 3), (65, 17)])
def test_labels_and_distances_are_those_of_full_passes(d, clusters):
    rng = np.random.default_rng(d)
    x = rng.normal(size=(N, d)) + 2 * rng.normal(size=(clusters, d))[rng.integers(0, clusters, N)]
    work = check_passes(x, clusters, shrinking)
    assert work[0] > 0.3   # large steps leave less out
    assert work[-1] < 0.2


def test_ties_are_found():
    """Points and centres on a grid: many are equally near to several centres."""
    x = np.random.default_rng(1).integers(0, 2, (N, 12)).astype(float)

    def steps(case):
        for p in range(10):
            step = np.zeros(case.centers.shape)
            step[p % step.shape[0], p % 12] = 1.0 if p % 3 else -1.0
            yield step

    check_passes(x, 8, steps)


@pytest.mark.parametrize("scale", [1e-170, 1e-155, 1e-100, 1e100, 1e153, 1e160])
def test_numbers_near_the_ends_of_their_range(scale):
    """Squares that lose digits, or are no numbers, leave nothing out that matters."""
    rng = np.random.default_rng(2)
    x = (rng.normal(size=(N, 16)) + 3 * rng.normal(size=(5, 16))[rng.integers(0, 5, N)]) * scale
    with np.errstate(all="ignore"):   # of kernels without JIT
        check_passes(x, 5, lambda case: (scale * step for step in shrinking(case)))


def test_far_from_the_origin():
    x = 1e9 + np.random.default_rng(3).normal(size=(N, 20))
    check_passes(x, 6, shrinking)


@pytest.mark.parametrize("seed", range(4))
def test_whole_fits_against_the_oracle(seed):
    rng = np.random.default_rng(seed)
    x, weights = rng.normal(size=(200, 16)), rng.choice([0.0, 1.0, 2.0], 200)
    weights[:6] = 1.0
    fit = batched_kmeans(x, weights=weights, init=x[:6])
    labels, centers, inertia, passes, status = kmeans(x.tolist(), weights.tolist(), x[:6].tolist())
    assert passes > 4, "too easy to leave anything out"
    np.testing.assert_array_equal(fit.labels[0], labels)
    np.testing.assert_allclose(fit.centers[0], centers, rtol=1e-12, atol=1e-12)
    assert fit.inertia[0] == pytest.approx(inertia, rel=1e-12)
    assert (fit.n_iter[0], fit.status[0]) == (passes, status)


def test_what_is_worth_it():
    assert _kernels.bounds.worth_bounds(3, 30)
    assert not _kernels.bounds.worth_bounds(2, 100)
    assert not _kernels.bounds.worth_bounds(5, 8)
