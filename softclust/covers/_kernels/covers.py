"""Pairs of objects by the numbers of clusters that hold both, in two covers."""

import numpy as np

from ...running.compiler import kernel

#: rows of a unit
BLOCK = 256


@kernel
def count_pairs(starts, clusters, ends, rows, dense, n_x, copies, start, stop, both, touched,
                differ, by_x, by_y, precision, recall):
    """Visit, for each row of units `start` to `stop` - 1, the members of its clusters.

    copies[i] objects have row i. Clusters, n_x of x and then those of y, come as lists: starts and
    clusters by row, starts and rows by cluster; where these are long as dense (clusters, n) uint8,
    else (0, 0), ones for the rows of a cluster. A unit is a block of rows, each against all rows.
    differ[u]: ordered pairs of distinct objects with different counts c_x and c_y of clusters that
    hold both; by_x[u, c], by_y[u, c]: those with count c > 0; precision[i], recall[i]: means of
    min(c_x, c_y)/c_x and /c_y over the objects that share a cluster with i, i itself included; nan
    without any. `both` (2, n) int32 is zero before and after, `touched` (n,) int64.
    """
    for unit in range(start, stop):
        for i in range(unit * BLOCK, min((unit + 1) * BLOCK, copies.shape[0])):
            m = dense.shape[1]
            for t in range(m):
                touched[t] = t
            for p in range(starts[i], starts[i + 1]):
                k = clusters[p]
                count = both[1 if k >= n_x else 0]
                if dense.shape[0] > 0:
                    held = dense[k]
                    for j in range(m):
                        count[j] += held[j]
                else:
                    for q in range(ends[k], ends[k + 1]):
                        j = rows[q]
                        if both[0, j] == 0 and both[1, j] == 0:
                            touched[m] = j
                            m += 1
                        count[j] += 1
            in_x, in_y, of_x, of_y, unequal = 0, 0, 0.0, 0.0, 0
            for t in range(m):
                j = touched[t]
                a, b, times = both[0, j], both[1, j], copies[j]
                both[0, j] = 0
                both[1, j] = 0
                common = times * min(a, b)
                in_x += times if a > 0 else 0
                in_y += times if b > 0 else 0
                of_x += common / max(a, 1)
                of_y += common / max(b, 1)
                pairs = copies[i] * (times - (1 if j == i else 0))
                unequal += pairs if a != b else 0
                by_x[unit, a] += pairs
                by_y[unit, b] += pairs
            differ[unit] += unequal
            precision[i] = of_x / in_x if in_x > 0 else np.nan
            recall[i] = of_y / in_y if in_y > 0 else np.nan
