"""Kernels on tiles of rough k-means: their numbers are those of plain loops, to the last bit."""

from fractions import Fraction

import numpy as np
import pytest

from softclust._kernels import _rough_tiles
from softclust._kernels._jit import kernel

TILE, PLACES = _rough_tiles.TILE, _rough_tiles.PLACES
#: clusters that make groups of every size, and fill a word or more; features odd and even
SHAPES = [(1, 1), (2, 3), (3, 4), (5, 2), (7, 7), (64, 1), (65, 2)]


@kernel
def squares(x, centers, d2, least):
    _rough_tiles.tile_squares(x, centers, d2, least)


@kernel
def sets(d2, bound, words, t, size):
    _rough_tiles.tile_sets(d2, bound, words, t, size)


@kernel
def least_of(d2, k, w):
    return _rough_tiles.least_square(d2, k, w)


@kernel
def add(a, x, sums):
    _rough_tiles.add_tile(a, x, sums)


def distances(clusters, features):
    """A tile, squared distances of it in plain loops, and what the kernel gives."""
    rng = np.random.default_rng(100 * clusters + features)
    tile, centers = rng.normal(size=(features, TILE)), rng.normal(size=(clusters, features))
    expected = np.zeros((clusters, TILE))
    for row, at in zip(tile, centers.T):
        expected += (row - at[:, None]) * (row - at[:, None])
    d2, least = np.full((clusters, TILE), np.nan), np.full(TILE, np.nan)
    squares(tile.ravel(), centers, d2, least)
    return tile, expected, d2, least


@pytest.mark.parametrize(("clusters", "features"), SHAPES)
def test_squared_distances_and_their_least(clusters, features):
    _, expected, d2, least = distances(clusters, features)
    np.testing.assert_array_equal(d2, expected)
    np.testing.assert_array_equal(least, expected.min(axis=0))


@pytest.mark.parametrize(("clusters", "features"), SHAPES)
def test_sets_of_near_clusters_as_bits(clusters, features):
    _, _, d2, least = distances(clusters, features)
    bound = 1.5 * least
    words = np.full((-(-clusters // 64), 3, TILE), 7, dtype=np.uint64)
    size = np.full(TILE, np.nan)
    sets(d2, bound, words, 1, size)
    for i in range(TILE):
        inside = [k for k in range(clusters) if d2[k, i] <= bound[i]]
        assert size[i] == len(inside)
        assert sum(int(word) << 64 * h for h, word in enumerate(words[:, 1, i])) == sum(
            1 << k for k in inside)
    assert (words[:, [0, 2]] == 7).all()


def test_the_least_distance_of_an_object_that_weighs():
    rng = np.random.default_rng(0)
    d2, w = rng.random((3, TILE)), rng.choice([0.0, 2.0], TILE)
    assert [least_of(d2, k, w) for k in range(3)] == d2[:, w > 0].min(axis=1).tolist()
    assert least_of(d2, 0, np.zeros(TILE)) == np.inf


@pytest.mark.parametrize("features", [1, 3, 4])
def test_sums_keep_the_order_of_the_objects_of_a_place(features):
    rng = np.random.default_rng(features)
    a, tile = rng.choice([0.0, 0.3, 1.7], TILE), rng.normal(size=(features, TILE))
    sums = rng.normal(size=(features + 1, PLACES))
    expected = sums.tolist()
    for i in range(TILE):
        for f in range(features):
            expected[f][i % PLACES] = float(Fraction(a[i]) * Fraction(tile[f, i])
                                            + Fraction(expected[f][i % PLACES]))
        expected[-1][i % PLACES] += float(a[i])
    add(a, tile.ravel(), sums)
    assert sums.tolist() == expected
