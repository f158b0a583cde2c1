"""Two clusterings judged against a truth, pair by pair, under minimum coupling."""

import numpy as np

from ....running.compiler import kernel

#: objects per tile of the pair loop
TILE = 128
#: numbers per object of `minimum_rows`
N_ROWS = 8


@kernel(flags=("contract",))
def _joined(codes, shares, i, first, width, out):
    """out[j] = share to which objects i and first + j are in one cluster.

    codes (n,) of a hard clustering, or shares (c, n), one row per cluster, with no codes.
    """
    if codes.size > 0:
        cluster, others = codes[i], codes[first:first + width]
        for j in range(width):
            out[j] = 1.0 if others[j] == cluster else 0.0
        return
    for j in range(width):
        out[j] = 0.0
    for k in range(shares.shape[0]):
        a, row = shares[k, i], shares[k, first:first + width]
        for j in range(width):
            out[j] += a * row[j]


@kernel(flags=("reassoc", "contract"))
def minimum_rows(g, g_shares, p, p_shares, q, q_shares, weights, start, stop, out):
    """Rows of objects `start` to `stop` under minimum coupling, out (n, 8).

    With s the shares of `_joined` and c_p = 1 - |s_p - s_g|, the sums over j != i of w_j times
    min(c_p, c_q), max(c_p - c_q, 0), max(c_q - c_p, 0), 1 - max(c_p, c_q); then the same times
    s_g.
    """
    n = weights.shape[0]
    sg, sp, sq, w = np.empty(TILE), np.empty(TILE), np.empty(TILE), np.empty(TILE)
    for i in range(start, stop):
        for k in range(N_ROWS):
            out[i, k] = 0.0
        for first in range(0, n, TILE):
            width = min(TILE, n - first)
            _joined(g, g_shares, i, first, width, sg)
            _joined(p, p_shares, i, first, width, sp)
            _joined(q, q_shares, i, first, width, sq)
            for j in range(width):
                w[j] = weights[first + j]
            if first <= i < first + width:
                w[i - first] = 0.0
            a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
            b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
            for j in range(width):
                cp = 1.0 - abs(sp[j] - sg[j])
                cq = 1.0 - abs(sq[j] - sg[j])
                both = w[j] * min(cp, cq)
                one = w[j] * max(cp - cq, 0.0)
                other = w[j] * max(cq - cp, 0.0)
                none = w[j] * (1.0 - max(cp, cq))
                a0 += both
                a1 += one
                a2 += other
                a3 += none
                b0 += both * sg[j]
                b1 += one * sg[j]
                b2 += other * sg[j]
                b3 += none * sg[j]
            out[i, 0] += a0
            out[i, 1] += a1
            out[i, 2] += a2
            out[i, 3] += a3
            out[i, 4] += b0
            out[i, 5] += b1
            out[i, 6] += b2
            out[i, 7] += b3
