"""Contingency tables of integer labels, and of many pairs of clusterings."""

import numpy as np

from ...running.compiler import kernel


@kernel
def count_cells(x, y, low_x, low_y, r, s, tables, carries):
    """Add the pairs of labels from low_x and low_y on to `tables`; -1 if one is outside, else 0.

    Counters are one byte wide, so that a table of 1000 by 1000 clusters fits the second-level
    cache: tables (t r s,) uint8; one that passes 255 starts again at 0 and adds 1 to carries
    (r s,) uint32. With t = 4 the tables take the objects in turn, where equal cells follow each
    other: a counter can be read again only some cycles after it was written. Else t = 1.
    """
    n = x.shape[0]
    cells = np.empty(n, np.int64)
    outside = 0
    for i in range(n):
        u = x[i] - low_x
        v = y[i] - low_y
        outside |= u | v | (r - 1 - u) | (s - 1 - v)
        cells[i] = u * s + v
    if outside < 0:
        return -1
    width = np.uint64(r * s)
    turns = np.uint64(tables.shape[0] // (r * s) - 1)
    for i in range(n):
        cell = np.uint64(cells[i])   # an unsigned index needs no test
        at = (np.uint64(i) & turns) * width + cell
        count = (int(tables[at]) + 1) & 255
        tables[at] = count
        if count == 0:
            carries[cell] += 1
    return 0


@kernel
def count_objects(labels, pairs, tables):
    """Add to tables[p, k, l] the objects with labels k and l in the rows pairs[p] of labels (B, n).

    Absent objects have the label -1.
    """
    for p in range(pairs.shape[0]):
        x, y = labels[pairs[p, 0]], labels[pairs[p, 1]]
        for i in range(x.shape[0]):
            if x[i] >= 0 and y[i] >= 0:
                tables[p, x[i], y[i]] += 1
