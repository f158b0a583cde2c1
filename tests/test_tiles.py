"""Kernels on tiles of eight points: their bits are those of the plain form, on any machine."""

from fractions import Fraction

import numpy as np
import pytest

from softclust import _kernels
from softclust._kernels import _tile_rows, _tiles
from softclust._kernels._jit import kernel
from softclust.resampling._kmeans import in_blocks

#: centres that make groups of every size, and features with every remainder of a row's vectors
SHAPES = [(1, 5), (2, 6), (3, 7), (4, 8), (5, 9), (6, 12), (7, 13), (8, 16), (10, 19), (13, 31)]
#: of five tiles in a block of 256 points; the block before it must stay as it is
POINTS, FIRST = 40, 256
SETS = 7


@kernel
def assign(points, t, centers, labels, nearest):
    return _tiles.assign_tile(points, t, centers, labels, nearest)


@kernel
def approach(points, t, count, masses, centers, sets, k, labels, nearest, values):
    _tiles.approach_tiles(points, t, count, masses, centers, sets, k, labels, nearest, values)


@kernel
def add(sums, r, rows, t, mass):
    _tile_rows.add_row(sums, r, rows, t, mass)


@kernel
def move(sums, r, q, rows, t, mass):
    _tile_rows.move_row(sums, r, q, rows, t, mass)


@kernel
def turn(rows, t, points):
    _tile_rows.turn_rows(rows, t, points)


@kernel
def settle(points, t, centers, chosen, count, labels, nearest, squares, margins):
    return _tiles.settle_tile(points, t, centers, chosen, count, labels, nearest, squares, margins)


@kernel
def shrink(margins, t, drift, labels, guard, marks):
    return _tiles.shrink_margins(margins, t, drift, labels, guard, marks)


@kernel
def turn_some(rows, order, t, points):
    _tile_rows.turn_chosen(rows, order, t, points)


@kernel
def copy(x, i, rows, t):
    _tile_rows.copy_row(x, i, rows, t)


@kernel
def move_to(points, order, first, last, mean, root, normals):
    _tile_rows.move_points(points, order, first, last, mean, root, normals)


def problem(clusters, features):
    """Rows, tiles, centers and masses."""
    rng = np.random.default_rng(100 * clusters + features)
    rows = rng.normal(size=(2, 256, features))
    points = np.full((64, features, 8), np.nan)
    for t in range(32, 32 + POINTS // 8):
        turn(rows, t, points)
    masses = np.zeros((2, 256))
    masses[1, :POINTS] = rng.exponential(size=POINTS)
    return rows, points, rng.normal(size=(clusters, features)), masses


def blank():
    return np.full((2, 256), -1), np.full((2, 256), -1.0)


def sets(centers):
    """Several sets of centres: more than are looked at together, and a lone one."""
    return np.array([np.roll(centers, s, axis=0) * (1 + s / 8) for s in range(SETS)])


def blanks():
    """`blank` for so many sets."""
    return tuple(np.array([array] * SETS) for array in blank())


def results(clusters, features):
    """What all kernels give, as lists."""
    rows, points, centers, masses = problem(clusters, features)
    labels, nearest = blank()
    changed = [int(assign(points, t, centers, labels, nearest)) for t in range(32, 37)]
    found = [changed, labels.tolist(), nearest.tolist()]
    several, (labels, nearest), values = sets(centers), blanks(), np.zeros((SETS, 2, 256))
    for k in range(clusters):
        approach(points, 32, 5, masses, several, SETS, k, labels, nearest, values)
        found.append([labels.tolist(), nearest.tolist(), values.tolist()])
    sums = np.zeros(3 * (features + 1))
    for t in range(POINTS):
        add(sums, t % 3 * (features + 1), rows, FIRST + t, masses[1, t])
    found.append(sums.tolist())
    for t in range(0, POINTS, 3):
        move(sums, 0, 2 * (features + 1), rows, FIRST + t, masses[1, t])
    found.append(sums.tolist())
    chosen = np.arange(0, clusters, 2)
    margins, squares = np.full((64, -(-clusters // 8) * 8), -1.0), np.empty((clusters, 8))
    labels, nearest = blank()
    found.append([int(settle(points, t, centers, chosen, chosen.size, labels, nearest, squares,
                             margins)) for t in range(32, 37)])
    margins[np.isinf(margins)] = 1e9
    found += [labels.tolist(), nearest.tolist(), margins.tolist()]
    drift, marks = np.linspace(0, 0.3, margins.shape[1]), np.zeros(margins.shape[1], dtype=int)
    for t in range(32, 37):
        found.append([bool(shrink(margins, t, drift, labels, 0.1, marks)), marks.tolist()])
    return [*found, margins.tolist()]


def exact(row, center):
    """Squared distance, even features and odd ones; each square is added and then rounded."""
    totals = [0.0, 0.0]
    for j, (value, at) in enumerate(zip(row.tolist(), center.tolist())):
        e = value - at
        totals[j % 2] = float(Fraction(e) * Fraction(e) + Fraction(totals[j % 2]))
    return totals[0] + totals[1]


@pytest.mark.parametrize(("clusters", "features"), [(1, 5), (7, 13), (13, 31)])
def test_distances_are_sums_in_order_rounded_once_a_feature(clusters, features):
    rows, points, centers, _ = problem(clusters, features)
    labels, nearest = blank()
    for t in range(32, 37):
        assert assign(points, t, centers, labels, nearest) == 255
        assert assign(points, t, centers, labels, nearest) == 0
    for i in range(POINTS):
        squares = [exact(rows[1, i], center) for center in centers]
        assert nearest[1, i] == min(squares)
        assert labels[1, i] == squares.index(min(squares))
    for untouched in (labels, nearest):
        assert (untouched[0] == -1).all()
        assert (untouched[1, POINTS:] == -1).all()


@pytest.mark.parametrize(("clusters", "features"), SHAPES[:7])
def test_centers_one_by_one_or_all_at_once(clusters, features):
    _, points, centers, masses = problem(clusters, features)
    several, (own, near), values = sets(centers), blanks(), np.zeros((SETS, 2, 256))
    near[:, 1, :POINTS] = np.nan   # what is there before the first centre does not matter
    for k in range(clusters):
        approach(points, 32, 5, masses, several, SETS - 1, k, own, near, values)
    for s in range(SETS - 1):
        labels, nearest = blank()
        for t in range(32, 37):
            assign(points, t, several[s], labels, nearest)
        np.testing.assert_array_equal(own[s], labels)
        np.testing.assert_array_equal(near[s], nearest)
        np.testing.assert_array_equal(values[s, 1, :POINTS],
                                      masses[1, :POINTS] * nearest[1, :POINTS])
    assert not values[:, 0].any()
    assert not values[-1].any(), "a set too many"


def test_one_changed_label_sets_one_bit():
    _, points, centers, _ = problem(3, 7)
    labels, nearest = blank()
    assign(points, 33, centers, labels, nearest)
    for i in range(8):
        labels[1, 8 + i] += 1
        assert assign(points, 33, centers, labels, nearest) == 1 << i


@pytest.mark.parametrize("clusters", [2, 6, 7, 11])
def test_ties_go_to_the_first_center(clusters):
    labels, nearest = blank()
    points = np.zeros((64, 5, 8))
    assign(points, 0, np.ones((clusters, 5)), labels, nearest)
    assert labels[0, :8].tolist() == [0] * 8
    assert nearest[0, :8].tolist() == [5.0] * 8


def test_distances_beyond_all_numbers_are_ties():
    labels, nearest = blank()
    assign(np.zeros((64, 5, 8)), 0, np.full((3, 5), 1e200), labels, nearest)
    assert labels[0, :8].tolist() == [0] * 8
    assert np.isinf(nearest[0, :8]).all()


@pytest.mark.parametrize("features", [5, 8, 13])
def test_sums_of_rows(features):
    rows, _, _, masses = problem(2, features)
    sums = np.zeros(2 * (features + 1))
    for t in range(POINTS):
        add(sums, 0, rows, FIRST + t, masses[1, t])
    moments = masses[1, :POINTS, None] * rows[1, :POINTS]
    # Sums of 40 terms of size 1: rounding alone.
    np.testing.assert_allclose(sums[:features + 1], [masses.sum(), *moments.sum(axis=0)],
                               rtol=1e-13, atol=1e-13)
    assert not sums[features + 1:].any()
    for t in range(10):
        move(sums, 0, features + 1, rows, FIRST + t, masses[1, t])
    np.testing.assert_allclose(sums.reshape(2, -1), [
        [masses[1, 10:].sum(), *moments[10:].sum(axis=0)],
        [masses[1, :10].sum(), *moments[:10].sum(axis=0)]], rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("features", [5, 8, 13, 64])
def test_tiles_hold_the_rows(features):
    x = np.random.default_rng(features).normal(size=(300, features))
    rows = np.zeros((2, 256, features))
    rows.reshape(-1, features)[:300] = x
    points = np.empty((64, features, 8))
    for t in range(64):
        turn(rows, t, points)
    np.testing.assert_array_equal(points, in_blocks(x))
    np.testing.assert_array_equal(points[3, :, 5], x[29])


@pytest.mark.parametrize("features", [5, 8, 13])
def test_rows_in_another_order(features):
    x = np.random.default_rng(features).normal(size=(30, features))
    rows, points, order = np.zeros((2, 256, features)), np.zeros((64, features, 8)), np.arange(512)
    for i in range(30):
        copy(x, i, rows, 299 - i)
    np.testing.assert_array_equal(rows.reshape(-1, features)[270:300], x[::-1])
    order[:30] = 299 - np.arange(30)
    for t in range(3):
        turn_some(rows, order, t, points)
    np.testing.assert_array_equal(points[:3].transpose(0, 2, 1).reshape(24, features), x[:24])


@pytest.mark.parametrize(("clusters", "features"), [(3, 7), (5, 9), (10, 19)])
def test_margins_say_how_much_farther_a_center_is(clusters, features):
    rows, points, centers, _ = problem(clusters, features)
    far = np.sqrt(((rows[1, :POINTS, None] - centers) ** 2).sum(axis=2))
    chosen = np.arange(clusters)
    margins, squares = np.full((64, 16), np.nan), np.empty((clusters, 8))
    labels, nearest = blank()
    for t in range(32, 37):
        settle(points, t, centers, chosen, clusters, labels, nearest, squares, margins)
    for t in range(5):
        some = slice(8 * t, 8 * t + 8)
        for k in range(clusters):
            gaps = [d[k] - d.min() for d in far[some] if d.argmin() != k]
            assert margins[32 + t, k] == pytest.approx(min(gaps, default=np.inf), abs=1e-13)
    assert np.isnan(margins[32:37, clusters:]).all()
    marks, drift = np.zeros(16, dtype=int), np.zeros(16)
    drift[:clusters] = np.linspace(0.1, 0.2, clusters)
    margins[:, clusters:] = np.inf
    before = margins.copy()
    close = shrink(margins, 33, drift, labels, 0.25, marks)
    own = drift[labels[1, 8:16]].max()
    np.testing.assert_array_equal(margins[33], before[33] - (drift + own))
    np.testing.assert_array_equal(marks, ~(margins[33] > 0.25))
    assert bool(close) == marks.any()
    np.testing.assert_array_equal(np.delete(margins, 33, 0), np.delete(before, 33, 0))


def test_margins_that_are_no_numbers_are_too_small():
    margins, marks = np.full((1, 8), np.inf), np.zeros(8, dtype=int)
    margins[0, 3] = np.nan
    labels = np.zeros((1, 256), dtype=int)
    assert shrink(margins, 0, np.zeros(8), labels, 0.0, marks)
    assert marks.tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    assert shrink(margins, 0, np.zeros(8), labels, np.inf, marks)
    assert marks.all()


def test_points_of_many_features_lie_in_tiles():
    assert not _kernels.seeding.tiled(4)
    assert _kernels.seeding.tiled(5)


@pytest.mark.parametrize("features", [1, 3, 4, 15, 64])
def test_points_of_a_prior_are_sums_in_order(features):
    rng = np.random.default_rng(features)
    mean, root = rng.normal(size=features), rng.normal(size=(features, features))
    normals, order = rng.normal(size=20 * features), rng.permutation(20)
    points = np.full((20, features), -1.0)
    move_to(points, order, 2, 13, mean, root, normals)
    for t in order[2:13]:
        total = np.zeros(features)
        for row, z in zip(root, normals.reshape(20, features)[t]):
            total = total + row * z
        np.testing.assert_array_equal(points[t], mean + total)
    assert (points[[*order[:2], *order[13:]]] == -1.0).all()
