"""Pairs of objects by the numbers of clusters that hold both, in two covers."""

import numpy as np

from ...running.compiler import kernel

#: rows of a unit
BLOCK = 256


@kernel
def count_pairs(x_starts, x_columns, x_ends, x_rows, y_starts, y_columns, y_ends, y_rows, copies,
                start, stop, both, touched, differ, by_x, by_y, precision, recall):
    """Visit, for each row of units `start` to `stop` - 1, the members of its clusters.

    copies[i] objects have row i. Clusters come as lists: starts and clusters by row, starts and
    rows by cluster. A unit is a block of rows, each against all rows. differ[u]: ordered pairs of
    distinct objects with different counts c_x and c_y of clusters that hold both; by_x[u, c],
    by_y[u, c]: those with count c > 0; precision[i], recall[i]: means of min(c_x, c_y)/c_x and
    /c_y over the objects that share a cluster with i, i itself included; nan without any. `both`
    (2, n) int64 is zero before and after, `touched` (n,) int64.
    """
    for unit in range(start, stop):
        for i in range(unit * BLOCK, min((unit + 1) * BLOCK, copies.shape[0])):
            m = 0
            for p in range(x_starts[i], x_starts[i + 1]):
                k = x_columns[p]
                for q in range(x_ends[k], x_ends[k + 1]):
                    j = x_rows[q]
                    if both[0, j] == 0:
                        touched[m] = j
                        m += 1
                    both[0, j] += 1
            for p in range(y_starts[i], y_starts[i + 1]):
                k = y_columns[p]
                for q in range(y_ends[k], y_ends[k + 1]):
                    j = y_rows[q]
                    if both[0, j] == 0 and both[1, j] == 0:
                        touched[m] = j
                        m += 1
                    both[1, j] += 1
            in_x, in_y, of_x, of_y = 0, 0, 0.0, 0.0
            for t in range(m):
                j = touched[t]
                a, b, times = both[0, j], both[1, j], copies[j]
                both[0, j] = 0
                both[1, j] = 0
                common = times * min(a, b)
                if a > 0:
                    in_x += times
                    of_x += common / a
                if b > 0:
                    in_y += times
                    of_y += common / b
                pairs = copies[i] * (times - (1 if j == i else 0))
                if a != b:
                    differ[unit] += pairs
                by_x[unit, a] += pairs
                by_y[unit, b] += pairs
            precision[i] = of_x / in_x if in_x > 0 else np.nan
            recall[i] = of_y / in_y if in_y > 0 else np.nan
