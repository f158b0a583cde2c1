"""Centres to start from: seeds by greedy k-means++ and passes of k-means, over tiles of objects.

Objects lie in tiles and blocks as in `memberships`, whose sums these passes share.
"""

import numpy as np

from ._jit import kernel
from .memberships import (
    LANES,
    TILE,
    TILES,
    _add_all,
    _all_squared_distances,
    _fold,
    _squared_distances,
)

#: what is compiled, in messages
TOPIC = "starts of k-means"


@kernel
def potentials(tiles, weights, seeds, nearest, start, stop, squares, out):
    """Squared distances to seeds (L, p), and what each would leave of the sum to be shared.

    nearest (T, TILE): squared distances to the nearest centre so far; squares (L, T, TILE);
    out[b, l]: sum over block b of w min(nearest, squares[l]). What fills up the last tile has
    weight 0.
    """
    lanes = np.empty((seeds.shape[0], TILE))
    for b in range(start, stop):
        lanes[:] = 0.0
        for t in range(b * TILES, min((b + 1) * TILES, tiles.shape[0])):
            x, w, least = tiles[t].reshape(-1), weights[t], nearest[t]
            for l in range(seeds.shape[0]):
                d2, sums = squares[l, t], lanes[l]
                _squared_distances(x, seeds[l], TILE, d2)
                for j in range(TILE):
                    sums[j] += w[j] * min(d2[j], least[j])
        for l in range(seeds.shape[0]):
            total = 0.0
            for j in range(TILE):
                total += lanes[l, j]
            out[b, l] = total


@kernel
def hard_pass(tiles, weights, n, centers, start, stop, out):
    """As `memberships.fuzzy_pass`, every object in the cluster of its nearest centre alone."""
    c, p = centers.shape
    d2, least, label = np.empty((c, TILE)), np.empty(TILE), np.empty(TILE)
    a = np.empty((c, TILE))
    lanes = np.zeros((c, p + 2, LANES))
    for b in range(start, stop):
        for t in range(b * TILES, min((b + 1) * TILES, tiles.shape[0])):
            x, w = tiles[t].reshape(-1), weights[t]
            width = min(TILE, n - t * TILE)
            for j in range(width):
                least[j] = np.inf
            _all_squared_distances(x, centers, width, d2)
            for k in range(c):
                d, number = d2[k], float(k)
                for j in range(width):   # ties go to the lowest cluster
                    better = d[j] < least[j]
                    least[j] = d[j] if better else least[j]
                    label[j] = number if better else label[j]
            for k in range(c):
                own, cost, number = a[k], d2[k], float(k)
                for j in range(width):
                    own[j] = w[j] if label[j] == number else 0.0
                    cost[j] = own[j] * least[j]
            _add_all(a, d2, x, centers, width, lanes)
        _fold(lanes, out[b])
