"""Sums of absolute differences between all columns of two membership matrices.

Added in the order in which numpy adds a row of numbers: eight lanes within leaves of up to 128
objects, leaves in pairs. So the sums have the bits of ``np.abs(u - v).sum()``.
"""

import numpy as np

from ._jit import borrowing
from ._lanes import LANES, gap_sum

#: objects of a leaf
LEAF = 128


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


def scratch(k):
    """What `add_gaps` works in, for k columns: two leaves, open sums."""
    return np.empty((k, LEAF)), np.empty((k, LEAF)), np.empty((64, k, k))


@borrowing
def add_gaps(m, y, leaves, cost, u, v, sums):
    """cost[a, b] = sum_i |m[i, a] - y[i, b]| for m, y (n, K); see `plan` and `scratch`."""
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
                total = gap_sum(u, a, v, b, whole)
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
