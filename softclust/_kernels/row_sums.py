"""Sums over the objects for all pairs of rows: absolute differences, products.

Added in the order in which numpy adds a row of numbers: eight lanes within leaves of up to 128
objects, leaves in pairs. So they have the bits of ``np.abs(u - v).sum()`` and ``(u * v).sum()``.
"""

import numpy as np

from ._jit import borrowing
from ._lanes import LANES, gap_sum, product_sum

#: objects of a leaf, and sums that are open at most
LEAF, OPEN = 128, 64


def plan(n):
    """Leaves of n objects in order, (leaves, 3) int64: start, length, sums to add up after it."""
    found = []

    def split(start, length):
        if length <= LEAF:
            found.append([start, length, 0])
            return
        half = length // 2
        half -= half % LANES
        split(start, half)
        split(start + half, length - half)
        found[-1][2] += 1

    split(0, n)
    return np.array(found, np.int64)


@borrowing
def add_gaps(m, y, leaves, cost, u, v, sums):
    """cost[a, b] = sum_i |m[i, a] - y[i, b]| for m, y (n, K).

    `leaves` of `plan`; scratch: u, v (K, LEAF), sums (OPEN, K, K).
    """
    k = m.shape[1]
    top = 0
    for leaf in range(leaves.shape[0]):
        start = leaves[leaf, 0]
        length = leaves[leaf, 1]
        for i in range(length):
            for a in range(k):
                u[a, i] = m[start + i, a]
                v[a, i] = y[start + i, a]
        whole = length - length % LANES
        for a in range(k):
            for b in range(k):
                total = gap_sum(u, a, v, b, 0, whole)
                for i in range(whole, length):
                    total += abs(u[a, i] - v[b, i])
                sums[top, a, b] = total
        top += 1
        for _ in range(leaves[leaf, 2]):
            top -= 1
            for a in range(k):
                for b in range(k):
                    sums[top - 1, a, b] += sums[top, a, b]
    for a in range(k):
        for b in range(k):
            cost[a, b] = sums[0, a, b]


def _steps(u, v, leaves, same, out, sums):
    return u.shape[0] * v.shape[0] * u.shape[1]


@borrowing(steps=_steps)
def add_products(u, v, leaves, same, out, sums):
    """out[a, b] = sum_i u[a, i] v[b, i] for u, v (K, n); when `same`, v is u.

    `leaves` of `plan`; scratch: sums (OPEN,).
    """
    for a in range(u.shape[0]):
        for b in range(a if same else 0, v.shape[0]):
            top = 0
            for leaf in range(leaves.shape[0]):
                start = leaves[leaf, 0]
                length = leaves[leaf, 1]
                whole = length - length % LANES
                total = product_sum(u, a, v, b, start, whole)
                for i in range(start + whole, start + length):
                    total += u[a, i] * v[b, i]
                sums[top] = total
                top += 1
                for _ in range(leaves[leaf, 2]):
                    top -= 1
                    sums[top - 1] += sums[top]
            out[a, b] = sums[0]
            if same:
                out[b, a] = sums[0]
