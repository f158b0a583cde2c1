"""Distances between columns of two membership matrices; columns lie feature-major (c, n).

Sums run in LANES strands over the objects, j innermost, and the strands are added by halves: the
loops vectorise without any floating-point flag, so the bits are the same on every machine.
"""

import numpy as np

from ._jit import fma, inlined, kernel

#: strands of a sum
LANES = 64


@inlined
def _halves(strands):
    """Sum of the strands, by halves; they are overwritten."""
    width = LANES // 2
    while width > 0:
        for j in range(width):
            strands[j] += strands[j + width]
        width //= 2
    return strands[0]


@kernel
def squared_distance(left, right, rows, columns):
    """Sum over k of the squared distance of left[rows[k]] and right[columns[k]]."""
    n = left.shape[1]
    whole = n - n % LANES
    strands = np.zeros(LANES)
    total = 0.0
    for k in range(rows.shape[0]):
        a, b = left[rows[k]], right[columns[k]]
        strands[:] = 0.0
        for i in range(0, whole, LANES):
            x, y = a[i:], b[i:]
            for j in range(LANES):
                d = x[j] - y[j]
                strands[j] = fma(d, d, strands[j])
        part = _halves(strands)
        for i in range(whole, n):
            d = a[i] - b[i]
            part = fma(d, d, part)
        total += part
    return total


@kernel
def absolute_distances(left, right, out):
    """out[k, l] = sum_i |left[k, i] - right[l, i]|."""
    n = left.shape[1]
    whole = n - n % LANES
    strands = np.zeros(LANES)
    for k in range(left.shape[0]):
        for m in range(right.shape[0]):
            a, b = left[k], right[m]
            strands[:] = 0.0
            for i in range(0, whole, LANES):
                x, y = a[i:], b[i:]
                for j in range(LANES):
                    strands[j] += abs(x[j] - y[j])
            total = _halves(strands)
            for i in range(whole, n):
                total += abs(a[i] - b[i])
            out[k, m] = total
