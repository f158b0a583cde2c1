"""Rough k-means: sets of near centres, and the sums that give the next centres.

Squared distances are sums in the order of the features, products and sums rounded apart: ties
of plain numbers stay ties, and sets are those of the definition. One pass makes the sets, as bits
of words, and what the next centres need; objects lie in tiles, see `memberships`.
"""

import numpy as np

from ._jit import borrowing, fma, kernel
from .memberships import LANES, TILE, TILES, _fold

#: what is compiled, in messages
TOPIC = "rough k-means"

#: objects of a block of `near_centers`, the unit of work
BLOCK = 1024
#: squared distances below this count as equal to it
FLOOR = 1e-99
#: clusters of a word
BITS = 64
#: what a pass adds up in its two parts: lower and boundary; lower and upper; even shares of T_i
LOWER_BOUNDARY = 0
LOWER_UPPER = 1
SHARES = 2


@borrowing
def near_centers(x, centers, ratio, first, last, upper, nearest, turned, squares):
    """Sets T_i (n, c) and nearest centres (n,) of some blocks.

    Scratch: turned (p * TILE,), squares (c, TILE).
    """
    n, p = x.shape
    c = centers.shape[0]
    square = ratio * ratio
    for start in range(first * BLOCK, min(n, last * BLOCK), TILE):
        size = min(TILE, n - start)
        for i in range(size):
            for j in range(p):
                turned[j * TILE + i] = x[start + i, j]
        for k in range(c):
            squared_distances(turned, centers[k], squares[k])
        for i in range(size):
            best = 0
            least = squares[0, i]
            for k in range(1, c):
                value = squares[k, i]
                better = value < least
                least = value if better else least
                best = k if better else best
            nearest[start + i] = best
            bound = square * max(least, FLOOR)
            for k in range(c):
                upper[start + i, k] = squares[k, i] <= bound


@borrowing
def squared_distances(x, v, d2):
    """Squared distances of a tile x (p * TILE,) to centre v; four features a loop, in order."""
    p = v.size
    for i in range(TILE):
        d2[i] = 0.0
    whole = p - p % 4
    for j in range(0, whole, 4):
        a = x[j * TILE:]
        v0, v1, v2, v3 = v[j], v[j + 1], v[j + 2], v[j + 3]
        for i in range(TILE):
            e = a[i] - v0
            f = a[i + TILE] - v1
            g = a[i + 2 * TILE] - v2
            h = a[i + 3 * TILE] - v3
            d2[i] = (((d2[i] + e * e) + f * f) + g * g) + h * h
    for j in range(whole, p):
        a = x[j * TILE:]
        v0 = v[j]
        for i in range(TILE):
            e = a[i] - v0
            d2[i] += e * e


@borrowing
def _add(a, x, p, sums):
    """Add a tile to the lanes of one cluster: sums (p + 1, LANES) of a x, and of a."""
    for f in range(p):
        y = x[f * TILE:]
        out = sums[f]
        for t in range(0, TILE, 4 * LANES):
            b = a[t:]
            z = y[t:]
            for j in range(LANES):
                out[j] = fma(b[j + 3 * LANES], z[j + 3 * LANES], fma(
                    b[j + 2 * LANES], z[j + 2 * LANES], fma(
                        b[j + LANES], z[j + LANES], fma(b[j], z[j], out[j]))))
    out = sums[p]
    for t in range(0, TILE, LANES):
        b = a[t:]
        for j in range(LANES):
            out[j] += b[j]


@borrowing
def _sets(x, centers, square, d2, least, size, words, t):
    """Squared distances d2 (c, TILE), sets as bits of words (., T, TILE), and their sizes."""
    c = centers.shape[0]
    for k in range(c):
        d = d2[k]
        squared_distances(x, centers[k], d)
        if k == 0:
            for i in range(TILE):
                least[i] = d[i]
        else:
            for i in range(TILE):
                least[i] = min(d[i], least[i])
    for i in range(TILE):
        least[i] = square * max(least[i], FLOOR)
        size[i] = 0.0
    for h in range(words.shape[0]):
        word = words[h, t]
        for i in range(TILE):
            word[i] = np.uint64(0)
        for k in range(h * BITS, min(c, (h + 1) * BITS)):
            d = d2[k]
            one = np.uint64(1) << np.uint64(k - h * BITS)
            for i in range(TILE):
                inside = d[i] <= least[i]
                word[i] |= one if inside else np.uint64(0)
                size[i] += 1.0 if inside else 0.0


@borrowing
def _nearest(d2, w, t, low, place):
    """The least squared distance to each centre in each place of a tile, weight 0 left out."""
    for k in range(d2.shape[0]):
        d, least, tile = d2[k], low[k], place[k]
        for i in range(TILE):
            better = d[i] < least[i] and w[i] > 0.0
            least[i] = d[i] if better else least[i]
            tile[i] = float(t) if better else tile[i]


@borrowing
def _first_nearest(low, place, near, who):
    """Of all places the nearest object, the first on ties; who is -1 where there is none."""
    for k in range(low.shape[0]):
        near[k] = np.inf
        who[k] = -1
        for i in range(TILE):
            index = int(place[k, i]) * TILE + i
            if low[k, i] < near[k] or (low[k, i] == near[k] and 0 <= index < who[k]):
                near[k] = low[k, i]
                who[k] = index
            low[k, i] = np.inf
            place[k, i] = -1.0


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
    p = tiles.shape[1]
    c = centers.shape[0]
    d2, low, place = np.empty((c, TILE)), np.full((c, TILE), np.inf), np.full((c, TILE), -1.0)
    least, size, share = np.empty(TILE), np.empty(TILE), np.empty(TILE)
    one, cost, moved = np.empty(TILE), np.zeros(TILE), np.zeros(TILE)
    lanes = np.zeros((2 * c, p + 1, LANES))
    for b in range(start, stop):
        for t in range(b * TILES, min((b + 1) * TILES, tiles.shape[0])):
            x, w = tiles[t].reshape(-1), weights[t]
            _sets(x, centers, square, d2, least, size, words, t)
            _nearest(d2, w, t, low, place)
            for f in range(fixed.shape[0]):
                i = fixed[f, 0] - t * TILE
                if 0 <= i < TILE:
                    for h in range(words.shape[0]):
                        words[h, t, i] = np.uint64(0)
                    k = fixed[f, 1]
                    words[k // BITS, t, i] = np.uint64(1) << np.uint64(k % BITS)
                    size[i] = 1.0
            for i in range(TILE):
                share[i] = w[i] / size[i]
                least[i] = 0.0
            for h in range(words.shape[0]):
                word, old = words[h, t], before[h, t]
                for i in range(TILE):
                    least[i] = 1.0 if word[i] != old[i] else least[i]
            for i in range(min(TILE, n - t * TILE)):
                moved[i] += least[i]
            for k in range(c):
                d, word = d2[k], words[k // BITS, t]
                bit = np.uint64(1) << np.uint64(k % BITS)
                for i in range(TILE):
                    inside = (word[i] & bit) != np.uint64(0)
                    one[i] = share[i] if inside else 0.0
                    cost[i] += one[i] * d[i]
                if parts == SHARES:
                    _add(one, x, p, lanes[k])
                    continue
                for i in range(TILE):
                    alone = size[i] == 1.0
                    a = w[i] if one[i] > 0.0 else 0.0
                    one[i] = a if alone else 0.0
                    least[i] = a if parts == LOWER_UPPER or not alone else 0.0
                _add(one, x, p, lanes[k])
                _add(least, x, p, lanes[c + k])
        _fold(lanes, sums[b])
        _first_nearest(low, place, near[b], who[b])
        criterion, changed = 0.0, 0.0
        for i in range(TILE):
            criterion += cost[i]
            changed += moved[i]
            cost[i] = 0.0
            moved[i] = 0.0
        values[b, 0] = criterion
        values[b, 1] = changed
