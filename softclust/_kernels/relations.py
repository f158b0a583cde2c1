"""Sums of pair dissimilarities over all pairs of objects, O(n^2) time, O(n) memory.

Objects come as features, feature-major. Rows are taken in blocks of BLOCK, columns in tiles of
TILE; a tile's features are copied into scratch once per row block. Per group of ROWS rows the
dot products are accumulated with j innermost, so every loop is elementwise in j and vectorises
without any floating-point flag: the bits do not depend on the machine's vector width, on the
thread count, or on JIT being on. Scratch is one-dimensional with constant strides, because LLVM
then proves that its parts do not overlap.

Per pair and side two numbers are formed: s (mass on "same") and t (mass on "undetermined");
g = g_i g_j is the mass off the empty set and n = g - s - t. With a = |ds| + |dn| and masses
without empty set, 2 r_0 = (a - t1 - t2)+, 2 r_1/2 = a, 2 r_1 = a + |dt|
(spec relational-measures section 4, rewritten in s and t; equal to it by g = 1).
"""

import numpy as np

from ._jit import borrowing, fma, inlined, kernel
from ._lanes import LANES
from ._pair_tiles import add_gaps, take_strips
from .dots import ROWS, TILE, dots
from .sets import disjoint

#: what is compiled, in messages
TOPIC = "pair comparisons"

BLOCK = 64
#: tiles between two emptyings of the column accumulators: keeps chains of additions short
FLUSH = 8
#: columns of one unit of work; a unit is a row block against a panel of columns
PANEL = 1 << 17

# How a side's s and t follow from its features x (D, n):
DOT = 0  # mass functions: x holds the singletons, then the other sets disjoint from some set
COMPLEMENT = 1  # all sets are singletons: t = 0
POSSIBILISTIC = 2  # x holds typicalities (c, n), then (c, n) with the margin of the best cluster

#: columns of the result
R0, HALF, R1, BELIEF, JOUSSELME, CONFLICT = range(6)
N_SUMS = 6


@kernel
def _possibilistic(s, t, tile, order, weights, margin, row, c, width, best):
    """s and t of ROWS rows of a possibilistic side (spec section 3: no focal sets needed)."""
    for r in range(ROWS):
        i = row + r
        o = t[r * TILE:]
        for j in range(width):
            best[j] = 0.0
            o[j] = 0.0
        for k in range(c):
            x = tile[order[i, k] * TILE:]
            w = weights[i, k]
            for j in range(width):
                m = max(best[j], x[j])
                best[j] = m
                o[j] = fma(w, m, o[j])
        x = tile[(c + order[i, 0]) * TILE:]
        w = margin[i]
        u = s[r * TILE:]
        for j in range(width):
            same = w * x[j]
            u[j] = same
            o[j] = max(o[j] - same, 0.0)


@inlined
def r_normalised(s1, t1, s2, t2):
    """(2 r_0, 2 r_1/2, 2 r_1) for masses without empty set; 2 r_1/2 is also 2 d_belief."""
    ds = s1 - s2
    dt = t1 - t2
    a = abs(ds) + abs(ds + dt)
    return max(a - max(t1 + t2, 0.0), 0.0), a, a + abs(dt)


@inlined
def r_general(s1, t1, g1, s2, t2, g2):
    """(r_0, r_1/2, r_1, d_belief) for any masses: spec section 4, the side with more empty
    mass named first by the sign."""
    d = g2 - g1
    sign = 1.0 if d >= 0.0 else -1.0
    low = max(t2 if d >= 0.0 else t1, 0.0)
    ds = sign * (s1 - s2)
    dt = sign * (t1 - t2)
    e = abs(d)
    dn = -(e + ds + dt)
    p = max(ds, 0.0) + max(dn, 0.0)
    r = max(p + dt, 0.0)
    belief = 0.5 * (abs(ds) + abs(dn) + e)
    return e + max(p - low, 0.0), e + 0.5 * (p + r), e + max(p, r), belief


@inlined
def credal(s1, t1, g1, s2, t2, g2):
    """(d_jousselme, conflict) of a pair [eq. 36; section 2.3.1]."""
    n1 = max(g1 - s1 - t1, 0.0)
    n2 = max(g2 - s2 - t2, 0.0)
    ds = s1 - s2
    dt = t1 - t2
    de = g2 - g1
    dn = -(ds + dt + de)
    square = 0.5 * (ds * ds + dn * dn + dt * dt + de * de + (ds + dn) * dt)
    return np.sqrt(max(square, 0.0)), 1.0 - g1 * g2 + (s1 * n2 + n1 * s2)


@inlined
def _add_single(acc, s1, s2, width):
    """Two sides whose sets are all singletons: every r is |ds|."""
    for j in range(width):
        u = abs(s1[j] - s2[j]) + abs(s1[j + TILE] - s2[j + TILE])
        v = abs(s1[j + 2 * TILE] - s2[j + 2 * TILE]) + abs(s1[j + 3 * TILE] - s2[j + 3 * TILE])
        acc[j] = (acc[j] + u) + v


@inlined
def _add_normalised(acc, s1, t1, s2, t2, width):
    """Add ROWS = 4 rows of pairs without empty mass to the column accumulators, two by two.

    Written out row by row: LLVM vectorises j only when nothing else loops inside.
    """
    for j in range(width):
        a0, b0, c0 = r_normalised(s1[j], t1[j], s2[j], t2[j])
        a1, b1, c1 = r_normalised(s1[j + TILE], t1[j + TILE], s2[j + TILE], t2[j + TILE])
        a2, b2, c2 = r_normalised(s1[j + 2 * TILE], t1[j + 2 * TILE],
                                  s2[j + 2 * TILE], t2[j + 2 * TILE])
        a3, b3, c3 = r_normalised(s1[j + 3 * TILE], t1[j + 3 * TILE],
                                  s2[j + 3 * TILE], t2[j + 3 * TILE])
        acc[j] = (acc[j] + (a0 + a1)) + (a2 + a3)
        acc[j + TILE] = (acc[j + TILE] + (b0 + b1)) + (b2 + b3)
        acc[j + 2 * TILE] = (acc[j + 2 * TILE] + (c0 + c1)) + (c2 + c3)


@kernel
def _add_general(acc, s1, t1, g1, s2, t2, g2, width):
    """Add ROWS rows of pairs, any empty mass, to the column accumulators."""
    for j in range(width):
        a0, b0, c0, d0 = r_general(s1[j], t1[j], g1[j], s2[j], t2[j], g2[j])
        a1, b1, c1, d1 = r_general(s1[j + TILE], t1[j + TILE], g1[j + TILE],
                                   s2[j + TILE], t2[j + TILE], g2[j + TILE])
        acc[j] += a0 + a1
        acc[j + TILE] += b0 + b1
        acc[j + 2 * TILE] += c0 + c1
        acc[j + 3 * TILE] += d0 + d1
    for j in range(width):
        a0, b0, c0, d0 = r_general(s1[j + 2 * TILE], t1[j + 2 * TILE], g1[j + 2 * TILE],
                                   s2[j + 2 * TILE], t2[j + 2 * TILE], g2[j + 2 * TILE])
        a1, b1, c1, d1 = r_general(s1[j + 3 * TILE], t1[j + 3 * TILE], g1[j + 3 * TILE],
                                   s2[j + 3 * TILE], t2[j + 3 * TILE], g2[j + 3 * TILE])
        acc[j] += a0 + a1
        acc[j + TILE] += b0 + b1
        acc[j + 2 * TILE] += c0 + c1
        acc[j + 3 * TILE] += d0 + d1


@kernel
def _add_credal(acc, s1, t1, g1, s2, t2, g2, width):
    """Add the Jousselme distances and conflicts of ROWS rows of pairs."""
    for j in range(width):
        u, v = credal(s1[j], t1[j], g1[j], s2[j], t2[j], g2[j])
        for r in range(1, ROWS):
            k = j + r * TILE
            d, e = credal(s1[k], t1[k], g1[k], s2[k], t2[k], g2[k])
            u += d
            v += e
        acc[j + 4 * TILE] += u
        acc[j + 5 * TILE] += v


@kernel
def _add_edge(acc, s1, t1, g1, s2, t2, g2, weights, width, want_credal):
    """As `_add_general` and `_add_credal` together, each pair times its weight."""
    for r in range(ROWS):
        for j in range(width):
            k = j + r * TILE
            u, v, w, b = r_general(s1[k], t1[k], g1[k], s2[k], t2[k], g2[k])
            acc[j] += weights[k] * u
            acc[j + TILE] += weights[k] * v
            acc[j + 2 * TILE] += weights[k] * w
            acc[j + 3 * TILE] += weights[k] * b
        if want_credal:
            for j in range(width):
                k = j + r * TILE
                d, e = credal(s1[k], t1[k], g1[k], s2[k], t2[k], g2[k])
                acc[j + 4 * TILE] += weights[k] * d
                acc[j + 5 * TILE] += weights[k] * e


@kernel
def _edge_weights(weights, copies, i, j0, width, n):
    """Weights of the pairs of rows i, ..., i + ROWS - 1 with a tile: 1 where row < column < n.

    With `copies`, object i stands for copies[i] equal objects, so also for pairs of its own.
    """
    for r in range(ROWS):
        row = i + r
        w = weights[r * TILE:]
        for j in range(width):
            column = j0 + j
            value = 0.0
            if row < n and column >= row:
                if copies.size == 0:
                    if column > row:
                        value = 1.0
                elif column > row:
                    value = copies[row] * copies[column]
                else:
                    value = 0.5 * copies[row] * (copies[row] - 1.0)
            w[j] = value


@kernel
def _left_mass(coef_s, coef_t, x, masks, singles, rule, i0, n):
    """Left factors of a row block: s = coef_s . x_j and -(s + n) = coef_t . x_j."""
    rows = min(BLOCK, n - i0)
    coef_s[:] = 0.0
    coef_t[:] = 0.0
    for a in range(singles):
        for r in range(rows):
            coef_s[r, a] = x[a, i0 + r]
    if rule == DOT:
        for a in range(x.shape[0]):
            for b in range(x.shape[0]):
                if disjoint(masks, a, b) or (a == b and a < singles):
                    for r in range(rows):
                        coef_t[r, a] -= x[b, i0 + r]


@kernel
def _left_possibilistic(order, weights, margin, x, i0, n):
    """Left factors of a row block of a possibilistic side: clusters in falling typicality."""
    c = x.shape[0] // 2
    for r in range(BLOCK):
        i = min(i0 + r, n - 1)
        for k in range(c):
            place = k
            while place > 0 and x[order[r, place - 1], i] < x[k, i]:
                order[r, place] = order[r, place - 1]
                place -= 1
            order[r, place] = k
        for k in range(c - 1):
            weights[r, k] = x[order[r, k], i] - x[order[r, k + 1], i]
        weights[r, c - 1] = x[order[r, c - 1], i]
        margin[r] = weights[r, 0]


@inlined
def _fill_side(s, t, g, tile, coef_s, coef_t, order, margin, row, singles, rule, depth, width,
               left_g, tile_g, i, n, best):
    """s, t and g of ROWS rows of one side; g stays as it is (1) when `left_g` is empty."""
    if left_g.size > 0:
        for r in range(ROWS):
            gi = left_g[i + r] if i + r < n else 0.0
            for j in range(width):
                g[j + r * TILE] = gi * tile_g[j]
    if rule == POSSIBILISTIC:
        _possibilistic(s, t, tile, order, coef_t, margin, row, singles, width, best)
    else:
        dots(s, tile, coef_s, row, singles, width, 0.0, True)
    if rule == DOT:
        if left_g.size > 0:
            for r in range(ROWS):
                for j in range(width):
                    t[j + r * TILE] = g[j + r * TILE]
        dots(t, tile, coef_t, row, depth, width, 1.0, left_g.size == 0)


@kernel
def _load_tile(tile, tile_g, x, g, j0, width):
    for d in range(x.shape[0]):
        source = x[d, j0:j0 + width]
        target = tile[d * TILE:]
        for j in range(width):
            target[j] = source[j]
    if g.size > 0:
        for j in range(width):
            tile_g[j] = g[j0 + j]


@kernel
def _flush(sums, acc, single, halves, want_credal):
    """Add the column accumulators, column by column, to the sums of the unit; clear them."""
    r0, half, r1, belief = 0.0, 0.0, 0.0, 0.0
    for j in range(TILE):
        r0 += acc[j]
        half += acc[j + TILE]
        r1 += acc[j + 2 * TILE]
        belief += acc[j + 3 * TILE]
    if single:
        half, r1, belief = r0, r0, r0
    elif halves:
        r0, half, r1 = 0.5 * r0, 0.5 * half, 0.5 * r1
        belief = half
    sums[R0] += r0
    sums[HALF] += half
    sums[R1] += r1
    sums[BELIEF] += belief
    if want_credal:
        for j in range(TILE):
            sums[JOUSSELME] += acc[j + 4 * TILE]
            sums[CONFLICT] += acc[j + 5 * TILE]
    acc[:] = 0.0


def _pair_steps(x1, singles1, masks1, g1, rule1, x2, *rest):
    """Inner steps of all units of these sides: a pair takes some for each feature."""
    return x1.shape[1] ** 2 * (x1.shape[0] + x2.shape[0] + 4)


@kernel(steps=_pair_steps)
def pair_units(x1, singles1, masks1, g1, rule1, x2, singles2, masks2, g2, rule2, copies,
               want_credal, first, stop, panels, sums):
    """Sums of r_0, r_1/2, r_1, d_belief (d_jousselme, conflict if wanted) for units of pairs.

    Unit u pairs row block u // panels with column panel u % panels, columns right of the rows;
    its sums go to sums[u] (units, N_SUMS). Sides: features x (D, n); the number of singletons
    (clusters when possibilistic); bit masks of the sets (D, words); g (n,) or empty
    when all are 1; rule.
    `copies` (n,) or empty: how many equal objects each stands for.
    """
    n = x1.shape[1]
    # Pairs (side 1, side 2), so that the code of a side is compiled once.
    sources, lefts, masks = (x1, x2), (g1, g2), (masks1, masks2)
    singles, rules, depths = (singles1, singles2), (rule1, rule2), (x1.shape[0], x2.shape[0])
    tiles = np.zeros(max(depths[0], 3) * TILE), np.zeros(max(depths[1], 3) * TILE)
    tile_gs = np.zeros(TILE), np.zeros(TILE)
    s = np.zeros(ROWS * TILE), np.zeros(ROWS * TILE)
    t = np.zeros(ROWS * TILE), np.zeros(ROWS * TILE)
    g = np.ones(ROWS * TILE), np.ones(ROWS * TILE)
    coef_s = np.zeros((BLOCK, singles1)), np.zeros((BLOCK, singles2))
    coef_t = np.zeros((BLOCK, depths[0])), np.zeros((BLOCK, depths[1]))
    orders = (np.zeros((BLOCK, max(singles1, 1)), np.int64),
              np.zeros((BLOCK, max(singles2, 1)), np.int64))
    margins = np.zeros(BLOCK), np.zeros(BLOCK)
    best = np.zeros(TILE)
    weights = np.zeros(ROWS * TILE)
    acc = np.zeros(N_SUMS * TILE)
    normalised = g1.size == 0 and g2.size == 0
    single = normalised and rule1 == COMPLEMENT and rule2 == COMPLEMENT
    for u in range(first, stop):
        i0 = (u // panels) * BLOCK
        j0 = max((u % panels) * PANEL, i0)
        j_stop = min((u % panels + 1) * PANEL, n)
        for q in range(N_SUMS):
            sums[u, q] = 0.0
        if j0 >= j_stop:
            continue
        for k in range(2):
            if rules[k] == POSSIBILISTIC:
                _left_possibilistic(orders[k], coef_t[k], margins[k], sources[k], i0, n)
            else:
                _left_mass(coef_s[k], coef_t[k], sources[k], masks[k], singles[k], rules[k],
                           i0, n)
        tile = 0
        while j0 < j_stop:
            # The square on the diagonal is a narrow tile of its own: only there, in the last
            # row block and for copies do pairs need weights.
            diagonal = j0 < i0 + BLOCK
            width = min(BLOCK if diagonal else TILE, j_stop - j0)
            edge = diagonal or i0 + BLOCK > n or copies.size > 0
            for k in range(2):
                _load_tile(tiles[k], tile_gs[k], sources[k], lefts[k], j0, width)
            for row in range(0, min(BLOCK, n - i0), ROWS):
                # generated kernels add whole rows here
                for k in range(2):
                    _fill_side(s[k], t[k], g[k], tiles[k], coef_s[k], coef_t[k], orders[k],
                               margins[k], row, singles[k], rules[k], depths[k], width, lefts[k],
                               tile_gs[k], i0 + row, n, best)
                if edge:
                    _edge_weights(weights, copies, i0 + row, j0, width, n)
                    _add_edge(acc, s[0], t[0], g[0], s[1], t[1], g[1], weights, width,
                              want_credal)
                    continue
                if single:
                    _add_single(acc, s[0], s[1], width)
                elif normalised:
                    _add_normalised(acc, s[0], t[0], s[1], t[1], width)
                else:
                    _add_general(acc, s[0], t[0], g[0], s[1], t[1], g[1], width)
                if want_credal:
                    _add_credal(acc, s[0], t[0], g[0], s[1], t[1], g[1], width)
            tile += 1
            if edge or tile % FLUSH == 0 or j0 + width >= j_stop:
                _flush(sums[u], acc, single and not edge, normalised and not edge, want_credal)
            j0 += width


def _single_steps(x1, x2, *rest):
    return x1.shape[1] ** 2 * (x1.shape[0] + x2.shape[0] + 2)


def single_scratch(features):
    """Scratch of `single_units` for so many features of both sides: left, right, acc."""
    left, right = (np.empty((size // LANES, features, LANES)) for size in (BLOCK, TILE))
    return left, right, np.zeros(TILE)


@borrowing(steps=_single_steps)
def single_units(x1, x2, left, right, acc, first, stop, panels, sums):
    """As `pair_units`, of memberships (c, n) that sum to 1: each r is the |s1 - s2| of a pair.

    The same operations in the same order, and a fraction of the code to compile. left, right and
    acc are those of `single_scratch`.
    """
    c, n = x1.shape
    for u in range(first, stop):
        i0 = (u // panels) * BLOCK
        rows = min(BLOCK, n - i0)
        j0 = max((u % panels) * PANEL, i0)
        j_stop = min((u % panels + 1) * PANEL, n)
        total = 0.0
        take_strips(left, 0, x1, i0, rows)
        take_strips(left, c, x2, i0, rows)
        tile = 0
        while j0 < j_stop:
            diagonal = j0 == i0
            width = rows if diagonal else min(TILE, j_stop - j0)
            take_strips(right, 0, x1, j0, width)
            take_strips(right, c, x2, j0, width)
            add_gaps(acc, left, right, c, rows, width, diagonal)
            tile += 1
            j0 += width
            if diagonal or tile % FLUSH == 0 or j0 >= j_stop:
                part = 0.0
                for j in range(TILE):
                    part += acc[j]
                    acc[j] = 0.0
                total += part
        for q in range(N_SUMS):
            sums[u, q] = total if q <= BELIEF else 0.0


@kernel
def r_alpha_masses(m1, m2, out):
    """r at alpha 0, 1/2, 1 for rows of pair masses (same, different, undetermined, conflict)."""
    for p in range(m1.shape[0]):
        a, b, c, _ = r_general(m1[p, 0], m1[p, 2], m1[p, 0] + m1[p, 1] + m1[p, 2],
                               m2[p, 0], m2[p, 2], m2[p, 0] + m2[p, 1] + m2[p, 2])
        out[p, 0] = a
        out[p, 1] = b
        out[p, 2] = c
