"""Rough k-means: sets of near centres, and the sums that give the next centres.

Squared distances are sums in the order of the features, products and sums rounded apart: ties
of plain numbers stay ties, and sets are those of the definition. One pass makes the sets, as bits
of words, and what the next centres need; objects lie in tiles, see `memberships`.
"""

import numpy as np

from ._jit import borrowing, kernel
from ._rough_tiles import BITS, add_tile, least_square, tile_sets, tile_squares
from .memberships import LANES, TILE, TILES, _fold

#: what is compiled, in messages
TOPIC = "rough k-means"

#: squared distances below this count as equal to it
FLOOR = 1e-99
#: what a pass adds up in its two parts: lower and boundary; lower and upper; even shares of T_i
LOWER_BOUNDARY = 0
LOWER_UPPER = 1
SHARES = 2


@borrowing
def _distances_and_bounds(x, centers, square, d2, bound):
    """Squared distances d2 (c, TILE) of a tile, and up to which a cluster is possible."""
    tile_squares(x, centers, d2, bound)
    for i in range(TILE):
        bound[i] = square * max(bound[i], FLOOR)


@kernel
def near_centers(tiles, n, centers, square, start, stop, upper, nearest):
    """Sets T_i (n, c) and nearest centres (n,) of some blocks; ties to the lowest."""
    c = centers.shape[0]
    d2, bound = np.empty((c, TILE)), np.empty(TILE)
    for t in range(start * TILES, min(stop * TILES, tiles.shape[0])):
        _distances_and_bounds(tiles[t].reshape(-1), centers, square, d2, bound)
        for i in range(min(TILE, n - t * TILE)):
            best = 0
            for k in range(c):
                best = k if d2[k, i] < d2[best, i] else best
                upper[t * TILE + i, k] = d2[k, i] <= bound[i]
            nearest[t * TILE + i] = best


@borrowing
def _nearest(d2, w, t, near, who):
    """Look in tile t for an object nearer to a centre than `near`; weight 0 does not count."""
    for k in range(d2.shape[0]):
        least = least_square(d2, k, w)
        if least < near[k]:
            i = 0
            while d2[k, i] != least or w[i] <= 0.0:
                i += 1
            near[k] = least
            who[k] = t * TILE + i


@borrowing
def _give(fixed, t, words, size):
    """Objects fixed[:, 0] of tile t belong to the clusters fixed[:, 1] alone."""
    for f in range(fixed.shape[0]):
        i = fixed[f, 0] - t * TILE
        if 0 <= i and i < TILE:
            for h in range(words.shape[0]):
                words[h, t, i] = np.uint64(0)
            k = fixed[f, 1]
            words[k // BITS, t, i] = np.uint64(1) << np.uint64(k % BITS)
            size[i] = 1.0


@borrowing
def _changed(words, before, t, width):
    """How many objects of tile t have another set than before."""
    changed = 0
    for i in range(width):
        differs = 0
        for h in range(words.shape[0]):
            differs |= 1 if words[h, t, i] != before[h, t, i] else 0
        changed += differs
    return changed


@borrowing
def _add_parts(x, w, d2, words, t, size, parts, cost, scratch, lanes):
    """Add tile t to what the next centres need, see `rough_pass`."""
    c = d2.shape[0]
    share, one, other = scratch[0], scratch[1], scratch[2]
    for i in range(TILE):
        share[i] = w[i] / size[i]
    for k in range(c):
        d, word = d2[k], words[k // BITS, t]
        bit = np.uint64(1) << np.uint64(k % BITS)
        for i in range(TILE):
            inside = (word[i] & bit) != np.uint64(0)
            one[i] = share[i] if inside else 0.0
            cost[i] += one[i] * d[i]
        if parts == SHARES:
            add_tile(one, x, lanes[k])
            continue
        for i in range(TILE):
            alone = size[i] == 1.0
            a = w[i] if one[i] > 0.0 else 0.0
            one[i] = a if alone else 0.0
            other[i] = a if parts == LOWER_UPPER or not alone else 0.0
        add_tile(one, x, lanes[k])
        add_tile(other, x, lanes[c + k])


@kernel
def rough_pass(tiles, weights, n, centers, square, parts, fixed, before, start, stop, words,
               sums, values, near, who):
    """Sets of the objects of some blocks, and what the next centres need.

    fixed (F, 2): objects that belong to one cluster whatever the distances; before, words
    (., T, TILE) uint64: sets of the state before and of this one. Of each block: sums
    (2 c, p + 1) of w x and w over the two parts of each cluster that `parts` names; values (2):
    the criterion, (w / |T_i|) sum of d2 over T_i, and how many sets differ; near and who (c):
    the nearest object of positive weight. What fills up the last tile has weight 0 and no
    coordinates.
    """
    c = centers.shape[0]
    d2, bound, size, cost = np.empty((c, TILE)), np.empty(TILE), np.empty(TILE), np.empty(TILE)
    scratch = np.empty((3, TILE))
    rows = c if parts == SHARES else 2 * c
    lanes = np.zeros((rows, tiles.shape[1] + 1, LANES))
    for b in range(start, stop):
        near[b] = np.inf
        who[b] = -1
        values[b] = 0.0
        cost[:] = 0.0
        for t in range(b * TILES, min((b + 1) * TILES, tiles.shape[0])):
            x, w = tiles[t].reshape(-1), weights[t]
            _distances_and_bounds(x, centers, square, d2, bound)
            tile_sets(d2, bound, words, t, size)
            _nearest(d2, w, t, near[b], who[b])
            _give(fixed, t, words, size)
            values[b, 1] += _changed(words, before, t, min(TILE, n - t * TILE))
            _add_parts(x, w, d2, words, t, size, parts, cost, scratch, lanes)
        _fold(lanes, sums[b, :rows])
        sums[b, rows:] = 0.0
        for i in range(TILE):
            values[b, 0] += cost[i]
