"""Pairs of objects by the numbers of clusters that hold both, in two covers."""

import numpy as np

from ...running.compiler import kernel

#: rows of a unit
BLOCK = 256


@kernel
def count_pairs(starts, clusters, ends, rows, dense, n_x, copies, start, stop, both, tally, touched,
                met, differ, by_x, by_y, precision, recall):
    """Visit, for each row of units `start` to `stop` - 1, the members of its clusters.

    copies[i] objects have row i. Clusters, n_x of x and then those of y, come as lists: starts and
    clusters by row, starts and rows by cluster; where these are long as dense (clusters, n) uint8,
    else (0, 0), ones for the rows of a cluster. A unit is a block of rows, each against all rows.
    differ[u]: ordered pairs of distinct objects with different counts c_x and c_y of clusters that
    hold both; by_x[u, c], by_y[u, c]: those with count c > 0; precision[i], recall[i]: means of
    min(c_x, c_y)/c_x and /c_y over the objects that share a cluster with i, i itself included; nan
    without any. Scratch: touched (n,); and, zero before and after, both (2, n) int32, tally like it
    in uint8 with `dense`, and met (counts of x, counts of y) int64.
    """
    n, width = copies.shape[0], met.shape[1]
    for unit in range(start, stop):
        for i in range(unit * BLOCK, min((unit + 1) * BLOCK, n)):
            m, own_x = 0, 0
            for p in range(starts[i], starts[i + 1]):
                k = clusters[p]
                side = 1 if k >= n_x else 0
                own_x += 1 - side
                if dense.shape[0] > 0:
                    held, many = dense[k], tally[side]
                    for j in range(n):
                        many[j] += held[j]
                else:
                    count = both[side]
                    for q in range(ends[k], ends[k + 1]):
                        j = rows[q]
                        if both[0, j] == 0 and both[1, j] == 0:
                            touched[m] = j
                            m += 1
                        count[j] += 1
            own_y = starts[i + 1] - starts[i] - own_x
            # The objects by their two counts, whose list takes the place of theirs; then each pair
            # of counts that occurs, once.
            cells = 0
            for t in range(n if dense.shape[0] > 0 else m):
                if dense.shape[0] > 0:
                    j, a, b = t, np.int64(tally[0, t]), np.int64(tally[1, t])
                    tally[0, t], tally[1, t] = 0, 0
                else:
                    j = touched[t]
                    a, b = np.int64(both[0, j]), np.int64(both[1, j])
                    both[0, j], both[1, j] = 0, 0
                if met[a, b] == 0:
                    touched[cells] = a * width + b
                    cells += 1
                met[a, b] += copies[j]
            in_x, in_y, of_x, of_y = 0, 0, 0.0, 0.0
            for t in range(cells):
                a, b = touched[t] // width, touched[t] % width
                times, met[a, b] = met[a, b], 0
                in_x += times if a > 0 else 0
                in_y += times if b > 0 else 0
                of_x += times * min(a, b) / max(a, 1)
                of_y += times * min(a, b) / max(b, 1)
                pairs = copies[i] * (times - (1 if a == own_x and b == own_y else 0))
                differ[unit] += pairs if a != b else 0
                by_x[unit, a] += pairs
                by_y[unit, b] += pairs
            precision[i] = of_x / in_x if in_x > 0 else np.nan
            recall[i] = of_y / in_y if in_y > 0 else np.nan
