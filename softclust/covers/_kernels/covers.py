"""Pairs of objects by the numbers of clusters that hold both, in two covers.

Clusters come as lists: starts and clusters by object, starts and objects by cluster. A unit is a
block of objects (or of distinct rows), each against all objects; its counts go to its own row.
"""

import numpy as np

from ..._numba import kernel

#: objects of a unit
BLOCK = 256


@kernel
def pairs_by_members(x_starts, x_columns, x_ends, x_objects, y_starts, y_columns, y_ends, y_objects,
                     start, stop, both, touched, differ, by_x, by_y, precision, recall):
    """Visit, for each object of units `start` to `stop` - 1, the members of its clusters.

    differ[u]: ordered pairs of distinct objects with different counts; by_x[u, c], by_y[u, c]:
    those with count c > 0; precision[i], recall[i]: means of min(c_x, c_y)/c_x and /c_y over the
    objects that share a cluster with i, i itself included; nan without any. `both` (2, n) int64
    is zero before and after, `touched` (n,) int64.
    """
    n = x_starts.shape[0] - 1
    for unit in range(start, stop):
        for i in range(unit * BLOCK, min((unit + 1) * BLOCK, n)):
            m = 0
            for p in range(x_starts[i], x_starts[i + 1]):
                k = x_columns[p]
                for q in range(x_ends[k], x_ends[k + 1]):
                    j = x_objects[q]
                    if both[0, j] == 0:
                        touched[m] = j
                        m += 1
                    both[0, j] += 1
            for p in range(y_starts[i], y_starts[i + 1]):
                k = y_columns[p]
                for q in range(y_ends[k], y_ends[k + 1]):
                    j = y_objects[q]
                    if both[0, j] == 0 and both[1, j] == 0:
                        touched[m] = j
                        m += 1
                    both[1, j] += 1
            in_x, in_y, of_x, of_y = 0, 0, 0.0, 0.0
            for t in range(m):
                j = touched[t]
                a, b = both[0, j], both[1, j]
                both[0, j] = 0
                both[1, j] = 0
                least = min(a, b)
                if a > 0:
                    in_x += 1
                    of_x += least / a
                if b > 0:
                    in_y += 1
                    of_y += least / b
                if j != i:
                    if a != b:
                        differ[unit] += 1
                    by_x[unit, a] += 1
                    by_y[unit, b] += 1
            precision[i] = of_x / in_x if in_x > 0 else np.nan
            recall[i] = of_y / in_y if in_y > 0 else np.nan


@kernel
def _bits(a, b):
    """Number of bits set in both."""
    w = a & b
    w = w - ((w >> np.uint64(1)) & np.uint64(0x5555555555555555))
    w = (w & np.uint64(0x3333333333333333)) + ((w >> np.uint64(2)) & np.uint64(0x3333333333333333))
    w = (w + (w >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((w * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def pairs_by_rows(x, y, counts, start, stop, differ, by_x, by_y, precision, recall):
    """As `pairs_by_members`, for g distinct rows as words (g, w) and their numbers of objects.

    precision[u], recall[u] are of each object of row u.
    """
    g = counts.shape[0]
    for unit in range(start, stop):
        for u in range(unit * BLOCK, min((unit + 1) * BLOCK, g)):
            in_x, in_y, of_x, of_y = 0, 0, 0.0, 0.0
            for v in range(g):
                a, b = np.int64(0), np.int64(0)
                for w in range(x.shape[1]):
                    a += _bits(x[u, w], x[v, w])
                for w in range(y.shape[1]):
                    b += _bits(y[u, w], y[v, w])
                if a == 0 and b == 0:
                    continue
                m, least = counts[v], min(a, b)
                if a > 0:
                    in_x += m
                    of_x += m * (least / a)
                if b > 0:
                    in_y += m
                    of_y += m * (least / b)
                pairs = counts[u] * (m - (1 if u == v else 0))
                if a != b:
                    differ[unit] += pairs
                by_x[unit, a] += pairs
                by_y[unit, b] += pairs
            precision[u] = of_x / in_x if in_x > 0 else np.nan
            recall[u] = of_y / in_y if in_y > 0 else np.nan
