"""Sums of pair dissimilarities over all pairs of objects, O(n^2) time, O(n) memory.

Objects come as features (D, n). A block of rows meets a tile of columns at a time, so that what is
read stays in the first cache; the innermost loops run over the columns of a tile.
"""

import numpy as np

from ...running.compiler import kernel

#: rows of a block, columns of a tile
BLOCK = 64
TILE = 256
#: numbers of an object in `relation_rows`
N_SUMS = 6


@kernel(flags=("reassoc", "contract"))
def membership_blocks(x, starts, pairs, weights, first, stop, sums):
    """sums[b, p] = sum over i of block b and j > i of w_i w_j |s_k - s_l|, (k, l) = pairs[p].

    x (D, n) stacks the memberships of several clusterings, k in the rows starts[k] to
    starts[k + 1] - 1; s_k = sum over its rows of x[., i] x[., j].
    """
    n = x.shape[1]
    sides = starts.shape[0] - 1
    tile = np.empty(x.shape[0] * TILE)
    same = np.empty(sides * TILE)
    for block in range(first, stop):
        i0 = block * BLOCK
        for p in range(pairs.shape[0]):
            sums[block, p] = 0.0
        for j0 in range(i0, n, TILE):
            width = min(TILE, n - j0)
            for d in range(x.shape[0]):
                u, row = tile[d * TILE:], x[d, j0:j0 + width]
                for j in range(width):
                    u[j] = row[j]
            for i in range(i0, min(i0 + BLOCK, n)):
                for k in range(sides):
                    s = same[k * TILE:]
                    for j in range(width):
                        s[j] = 0.0
                    for d in range(starts[k], starts[k + 1]):
                        a, u = x[d, i], tile[d * TILE:]
                        for j in range(width):
                            s[j] += a * u[j]
                low = max(i + 1 - j0, 0)
                w = weights[j0 + low:]
                for p in range(pairs.shape[0]):
                    s = same[pairs[p, 0] * TILE + low:]
                    t = same[pairs[p, 1] * TILE + low:]
                    total = 0.0
                    for j in range(width - low):
                        total += w[j] * abs(s[j] - t[j])
                    sums[block, p] += weights[i] * total


@kernel(flags=("contract",))
def _masses(same, left, right, order, g, i, j0, width, s, t, e, best):
    """Masses s, t and e of object i with the objects from j0 on, see `relation_rows`."""
    for j in range(width):
        s[j] = 0.0
        t[j] = 0.0
    for k in range(same.shape[0]):
        a, row = same[k, i], same[k, j0:j0 + width]
        if a != 0.0:
            for j in range(width):
                s[j] += a * row[j]
    a, row = g[i], g[j0:j0 + width]
    for j in range(width):
        e[j] = a * row[j]
    if order.shape[0] > 0:
        for j in range(width):
            best[j] = 0.0
        for k in range(left.shape[0]):
            a, row = left[k, i], right[order[k, i], j0:j0 + width]
            for j in range(width):
                best[j] = max(best[j], row[j])
                t[j] += a * best[j]
        for j in range(width):
            t[j] = max(t[j] - s[j], 0.0)
    elif left.shape[0] > 0:
        for j in range(width):
            t[j] = e[j]
        for k in range(left.shape[0]):
            a, row = left[k, i], right[k, j0:j0 + width]
            if a != 0.0:
                for j in range(width):
                    t[j] += a * row[j]


@kernel(flags=("reassoc", "contract"))
def relation_rows(same1, left1, right1, order1, g1, same2, left2, right2, order2, g2, weights,
                  credal, every, first, stop, out):
    """out[i] = sums over j > i of w_j times (r_0, r_1/2, r_1, d_belief, d_jousselme, conflict).

    Rows are those of the blocks first to stop - 1; with `every` over all j except i. The last two
    are 0 unless `credal`. A pair has the masses s = sum_k same[k, i] same[k, j] on "same",
    g = g_i g_j off the empty set, and on "undetermined" t = g + sum_k left[k, i] right[k, j], or 0
    when `left` is empty; of a possibilistic side, whose `order` (c, n) lists the clusters of an
    object by falling typicality, t = sum_k left[k, i] max(right[order[l, i], j], l <= k) - s.
    """
    n = weights.shape[0]
    s1, t1, e1 = np.empty(TILE), np.empty(TILE), np.empty(TILE)
    s2, t2, e2 = np.empty(TILE), np.empty(TILE), np.empty(TILE)
    best, w = np.empty(TILE), np.empty(TILE)
    for block in range(first, stop):
        i0 = block * BLOCK
        i1 = min(i0 + BLOCK, out.shape[0])
        for i in range(i0, i1):
            for q in range(N_SUMS):
                out[i, q] = 0.0
        for j0 in range(0 if every else i0, n, TILE):
            width = min(TILE, n - j0)
            for i in range(i0, i1):
                _masses(same1, left1, right1, order1, g1, i, j0, width, s1, t1, e1, best)
                _masses(same2, left2, right2, order2, g2, i, j0, width, s2, t2, e2, best)
                row = weights[j0:j0 + width]
                for j in range(width):
                    w[j] = row[j]
                if every and j0 <= i < j0 + width:
                    w[i - j0] = 0.0
                if not every:
                    for j in range(min(i + 1 - j0, width)):
                        w[j] = 0.0
                zero, half, one, belief = 0.0, 0.0, 0.0, 0.0
                for j in range(width):   # from 0: loops from elsewhere do not vectorise
                    # the side with more empty mass first, by the sign
                    d = e2[j] - e1[j]
                    sign = 1.0 if d >= 0.0 else -1.0
                    ambiguous = max(t2[j] if d >= 0.0 else t1[j], 0.0)
                    e = abs(d)
                    ds = sign * (s1[j] - s2[j])
                    dt = sign * (t1[j] - t2[j])
                    dn = -(e + ds + dt)
                    p = max(ds, 0.0) + max(dn, 0.0)
                    r = max(p + dt, 0.0)
                    zero += w[j] * (e + max(p - ambiguous, 0.0))
                    half += w[j] * (e + 0.5 * (p + r))
                    one += w[j] * (e + max(p, r))
                    belief += w[j] * 0.5 * (abs(ds) + abs(dn) + e)
                out[i, 0] += zero
                out[i, 1] += half
                out[i, 2] += one
                out[i, 3] += belief
                if credal:
                    jousselme, conflict = 0.0, 0.0
                    for j in range(width):
                        n1 = max(e1[j] - s1[j] - t1[j], 0.0)
                        n2 = max(e2[j] - s2[j] - t2[j], 0.0)
                        ds, dt, de = s1[j] - s2[j], t1[j] - t2[j], e2[j] - e1[j]
                        dn = -(ds + dt + de)
                        square = ds * ds + dn * dn + dt * dt + de * de + (ds + dn) * dt
                        jousselme += w[j] * np.sqrt(max(0.5 * square, 0.0))
                        conflict += w[j] * (1.0 - e1[j] * e2[j] + s1[j] * n2 + n1 * s2[j])
                    out[i, 4] += jousselme
                    out[i, 5] += conflict
