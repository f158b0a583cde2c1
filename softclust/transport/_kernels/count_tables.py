"""Counts of independent random label sets: two labels, states, draws, controls.

Sums of probabilities are sums of positive terms only, so their relative error is a few units
in the last place for each object.
"""

import numpy as np

from ..._numba import kernel
from .hard_tables import most_kept
from .type_search import d0_types

# -- two labels -------------------------------------------------------------------------------


@kernel
def two_label_steps(law, spare, moved, opened, first, stop):
    """Carry the law of (p, q) over objects `first` to `stop` - 1, in place.

    law (J + 1, J + 1): law[p, q] for p + q <= first on entry; moved, opened (J,): probabilities
    that the object adds 1 to p or to q; spare (J + 1,)
    """
    for j in range(first, stop):
        move = moved[j]
        open_ = opened[j]
        stay = max(0.0, 1.0 - move - open_)
        for p in range(j + 1, -1, -1):
            row = law[p]
            width = j + 2 - p   # q = 0, ..., j + 1 - p; the last one is still 0
            for q in range(width):
                spare[q] = row[q]
            row[0] = stay * spare[0]
            for q in range(1, width):
                row[q] = stay * spare[q] + open_ * spare[q - 1]
            if p > 0:
                before = law[p - 1]
                for q in range(width):
                    row[q] += move * before[q]


@kernel
def two_label_distance(h, n, partition):
    """Disagreeing pairs or moved objects of two clusterings that differ in h labels."""
    if partition:
        return min(h, n - h)
    return h * (n - h)


@kernel
def two_label_farthest(low, high, free, n, partition):
    """Largest over k in [low, high] of the smaller distance at k and at k + free."""
    k = min(max((n - free) // 2, low), high)
    return min(two_label_distance(k, n, partition), two_label_distance(k + free, n, partition))


@kernel
def two_label_ends(law, both, n, p0, q0, n_open, partition, first, stop, out):
    """Expected ends d0, d1 from the laws; rows p of `law` from `first` to `stop` - 1.

    both (Q + 1,): law of the number of objects open on both sides, of `n_open` = Q that are
    open on the fixed side; p0, q0: objects that surely differ, that surely are open on the
    random side alone; out (rows, 2)
    """
    rows = law.shape[0]
    for p in range(first, stop):
        least = 0.0
        most = 0.0
        differ = p0 + p
        near = two_label_distance(differ, n, partition)
        for q in range(rows - p):
            weight = law[p, q]
            if weight == 0.0:
                continue
            alone = q0 + q
            far = two_label_distance(differ + alone + n_open, n, partition)
            least += weight * min(near, far)
            back = two_label_farthest(differ, differ + alone, n_open, n, partition)
            inner = 0.0
            for q3 in range(both.shape[0]):
                if both[q3] > 0.0:
                    there = two_label_farthest(differ, differ + n_open - q3, alone + q3, n,
                                               partition)
                    inner += both[q3] * max(back, there)
            most += weight * inner
        out[p, 0] = least
        out[p, 1] = most


# -- states and draws -------------------------------------------------------------------------


@kernel
def sample_counts(cumulative, cell, uniforms, tables):
    """Tables of draws: object i of draw d is in the first entry j with u < cumulative[i, j].

    cumulative, cell (n, e) : ends with 1.0; uniforms (m, n) in [0, 1); tables (m, cells)
    """
    last = cumulative.shape[1] - 1
    for d in range(uniforms.shape[0]):
        table = tables[d]
        table[:] = 0
        for i in range(uniforms.shape[1]):
            u = uniforms[d, i]
            j = 0
            while j < last and u >= cumulative[i, j]:
                j += 1
            table[cell[i, j]] += 1


# -- distances of many tables -----------------------------------------------------------------


@kernel
def kept_batch(tables, out):
    """Objects that the best matching of labels keeps, of tables (m, k, c)."""
    for d in range(tables.shape[0]):
        out[d] = most_kept(tables[d])


@kernel
def type_batch(tables, a, b, k, c, relabellings, max_nodes, first, last, low, high, nodes):
    """Fewest disagreeing pairs of tables over types; a, b (cells,) the label sets of each."""
    bounds = np.zeros(3, np.int64)
    for d in range(first, last):
        used = np.flatnonzero(tables[d])
        d0_types(a[used], b[used], tables[d][used], k, c, relabellings, max_nodes, bounds)
        low[d] = bounds[0]
        high[d] = bounds[1]
        nodes[d] += bounds[2]
