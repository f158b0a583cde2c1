"""Two clusterings judged against a truth, pair by pair: moments, and minimum coupling.

Memberships come as entries: mass (n, e) on the clusters index (n, e), or on clusters
0, ..., e - 1 when `index` is empty.
"""

import numpy as np

from ._jit import fma, kernel

#: objects per tile of the pair loop: so many partial sums per number
TILE = 128
#: numbers per object of `minimum_rows`
N_ROWS = 8


@kernel
def add_moments(mass1, index1, mass2, index2, weights, table):
    """table[a, c] += sum over objects of w_i x_i(a) y_i(c)."""
    for i in range(mass1.shape[0]):
        for a in range(mass1.shape[1]):
            value = mass1[i, a] * weights[i]
            if value == 0.0:
                continue
            row = table[index1[i, a] if index1.size > 0 else a]
            if index2.size > 0:
                for c in range(mass2.shape[1]):
                    row[index2[i, c]] += value * mass2[i, c]
            else:
                for c in range(mass2.shape[1]):
                    row[c] += value * mass2[i, c]


@kernel
def moments_at(mass1, index1, mass2, index2, table, out):
    """out[i] = sum over a, c of x_i(a) y_i(c) table[a, c]."""
    for i in range(mass1.shape[0]):
        total = 0.0
        for a in range(mass1.shape[1]):
            value = mass1[i, a]
            if value == 0.0:
                continue
            row = table[index1[i, a] if index1.size > 0 else a]
            part = 0.0
            for c in range(mass2.shape[1]):
                part += mass2[i, c] * row[index2[i, c] if index2.size > 0 else c]
            total += value * part
        out[i] = total


@kernel
def joined(codes, shares, i, first, width, out):
    """out[j] = share to which objects i and first + j are in one cluster.

    codes (n,) of a hard clustering, or shares (c, n), one row per cluster, with no codes.
    """
    if codes.size > 0:
        own = codes[i]
        others = codes[first:first + width]
        for j in range(width):
            out[j] = 1.0 if others[j] == own else 0.0
        return
    for j in range(width):
        out[j] = 0.0
    for k in range(shares.shape[0]):
        a = shares[k, i]
        row = shares[k, first:first + width]
        for j in range(width):
            out[j] = fma(a, row[j], out[j])


@kernel
def minimum_rows(g, g_shares, p, p_shares, q, q_shares, weights, start, stop, out):
    """Rows of objects `start` to `stop` under minimum coupling, out (n, 8).

    With s the shares of `joined` and c_p = 1 - |s_p - s_g|, the sums over j != i of w_j times
    min(c_p, c_q), max(c_p - c_q, 0), max(c_q - c_p, 0), 1 - max(c_p, c_q); then the same times
    s_g.
    """
    n = weights.shape[0]
    sg, sp, sq, w = np.empty(TILE), np.empty(TILE), np.empty(TILE), np.empty(TILE)
    sums = np.empty((N_ROWS, TILE))
    for i in range(start, stop):
        sums[:] = 0.0
        a0, a1, a2, a3 = sums[0], sums[1], sums[2], sums[3]
        b0, b1, b2, b3 = sums[4], sums[5], sums[6], sums[7]
        for first in range(0, n, TILE):
            width = min(TILE, n - first)
            joined(g, g_shares, i, first, width, sg)
            joined(p, p_shares, i, first, width, sp)
            joined(q, q_shares, i, first, width, sq)
            for j in range(width):
                w[j] = weights[first + j]
            if first <= i < first + width:
                w[i - first] = 0.0
            for j in range(width):
                cp = 1.0 - abs(sp[j] - sg[j])
                cq = 1.0 - abs(sq[j] - sg[j])
                both = w[j] * min(cp, cq)
                one = w[j] * max(cp - cq, 0.0)
                other = w[j] * max(cq - cp, 0.0)
                none = w[j] * (1.0 - max(cp, cq))
                a0[j] += both
                a1[j] += one
                a2[j] += other
                a3[j] += none
                b0[j] += both * sg[j]
                b1[j] += one * sg[j]
                b2[j] += other * sg[j]
                b3[j] += none * sg[j]
        for k in range(N_ROWS):
            total = 0.0
            row = sums[k]
            for j in range(TILE):
                total += row[j]
            out[i, k] = total
