"""Sums of pair dissimilarities for many pairs of clusterings in one sweep over pairs of objects.

The masses of each clustering are formed once for a group of rows and a tile of columns; then
every pair of clusterings adds its dissimilarities to accumulators of its own. The arithmetic of
one pair of clusterings is that of `relations.pair_units`, operation for operation, so its bits are
too.
"""

import numpy as np

from ._jit import kernel
from .dots import ROWS, TILE
from .relations import (
    BLOCK,
    COMPLEMENT,
    FLUSH,
    N_SUMS,
    PANEL,
    POSSIBILISTIC,
    _add_edge,
    _add_general,
    _add_normalised,
    _add_single,
    _edge_weights,
    _fill_side,
    _flush,
    _left_mass,
    _left_possibilistic,
    _load_tile,
)

#: what is compiled, in messages
TOPIC = "pair comparisons of several clusterings"
_GROUP = ROWS * TILE
#: accumulators of a pair of clusterings
_PARTS = 4 * TILE


def _sweep_steps(x, starts, singles, masks, g, g_rows, rules, pairs, *rest):
    """Inner steps of all units: a pair of objects takes some for each feature and pair of sides."""
    return x.shape[1] ** 2 * (x.shape[0] + 3 * pairs.shape[0])


@kernel(steps=_sweep_steps)
def sweep_units(x, starts, singles, masks, g, g_rows, rules, pairs, first, stop, panels, sums):
    """Sums of r_0, r_1/2, r_1, d_belief of `pairs` (P, 2) of sides, for units of pairs of objects.

    Side k has the features x[starts[k]:starts[k + 1]] (D, n) with masks in the same rows, the
    masses off the empty set g[g_rows[k]], or 1 when g_rows[k] is -1, and a rule as in
    `relations.pair_units`; so are the units. The sums go to sums[u, p] (units, P, N_SUMS).
    """
    n = x.shape[1]
    sides, count = rules.shape[0], pairs.shape[0]
    widest, deepest = 1, 3
    for k in range(sides):
        widest = max(widest, singles[k])
        deepest = max(deepest, starts[k + 1] - starts[k])
    tiles, tile_gs = np.zeros(sides * deepest * TILE), np.zeros(sides * TILE)
    s, t, g_pair = np.zeros(sides * _GROUP), np.zeros(sides * _GROUP), np.ones(sides * _GROUP)
    coef_s, coef_t = np.zeros((sides, BLOCK, widest)), np.zeros((sides, BLOCK, deepest))
    orders = np.zeros((sides, BLOCK, widest), np.int64)
    margins = np.zeros((sides, BLOCK))
    best = np.zeros(TILE)
    weights = np.zeros(_GROUP)
    copies = np.zeros(0)
    acc = np.zeros(count * _PARTS)
    for u in range(first, stop):
        i0 = (u // panels) * BLOCK
        j0 = max((u % panels) * PANEL, i0)
        j_stop = min((u % panels + 1) * PANEL, n)
        for p in range(count):
            for q in range(N_SUMS):
                sums[u, p, q] = 0.0
        if j0 >= j_stop:
            continue
        for k in range(sides):
            own = x[starts[k]:starts[k + 1]]
            if rules[k] == POSSIBILISTIC:
                _left_possibilistic(orders[k], coef_t[k], margins[k], own, i0, n)
            else:
                _left_mass(coef_s[k], coef_t[k], own, masks[starts[k]:starts[k + 1]], singles[k],
                           rules[k], i0, n)
        tile = 0
        while j0 < j_stop:
            diagonal = j0 < i0 + BLOCK
            width = min(BLOCK if diagonal else TILE, j_stop - j0)
            edge = diagonal or i0 + BLOCK > n
            for k in range(sides):
                mine = g[max(g_rows[k], 0), :n if g_rows[k] >= 0 else 0]
                _load_tile(tiles[k * deepest * TILE:], tile_gs[k * TILE:],
                           x[starts[k]:starts[k + 1]], mine, j0, width)
            for row in range(0, min(BLOCK, n - i0), ROWS):
                for k in range(sides):
                    mine = g[max(g_rows[k], 0), :n if g_rows[k] >= 0 else 0]
                    _fill_side(s[k * _GROUP:], t[k * _GROUP:], g_pair[k * _GROUP:],
                               tiles[k * deepest * TILE:], coef_s[k], coef_t[k], orders[k],
                               margins[k], row, singles[k], rules[k], starts[k + 1] - starts[k],
                               width, mine, tile_gs[k * TILE:], i0 + row, n, best)
                if edge:
                    _edge_weights(weights, copies, i0 + row, j0, width, n)
                for p in range(count):
                    a, b = pairs[p, 0] * _GROUP, pairs[p, 1] * _GROUP
                    into = acc[p * _PARTS:(p + 1) * _PARTS]
                    normalised, single = _forms(rules, g_rows, pairs[p, 0], pairs[p, 1])
                    if edge and single:
                        _add_edge_single(into, s[a:], s[b:], weights, width)
                    elif edge:
                        _add_edge(into, s[a:], t[a:], g_pair[a:], s[b:], t[b:], g_pair[b:],
                                  weights, width, False)
                    elif single:
                        _add_single(into, s[a:], s[b:], width)
                    elif normalised:
                        _add_normalised(into, s[a:], t[a:], s[b:], t[b:], width)
                    else:
                        _add_general(into, s[a:], t[a:], g_pair[a:], s[b:], t[b:], g_pair[b:],
                                     width)
            tile += 1
            if edge or tile % FLUSH == 0 or j0 + width >= j_stop:
                for p in range(count):
                    normalised, single = _forms(rules, g_rows, pairs[p, 0], pairs[p, 1])
                    _flush(sums[u, p], acc[p * _PARTS:(p + 1) * _PARTS], single,
                           normalised and not edge, False)
            j0 += width


@kernel
def _add_edge_single(acc, s1, s2, weights, width):
    """`_add_edge` for two sides whose sets are all singletons: every sum is that of |ds|."""
    for r in range(ROWS):
        for j in range(width):
            k = j + r * TILE
            acc[j] += weights[k] * abs(s1[k] - s2[k])


@kernel
def _forms(rules, g_rows, a, b):
    """Whether neither side has empty mass, and whether all sets of both are singletons then."""
    normalised = g_rows[a] < 0 and g_rows[b] < 0
    return normalised, normalised and rules[a] == COMPLEMENT and rules[b] == COMPLEMENT
