"""Hard against rough, from counts: the most that objects can be moved or pairs disagree.

``cnt[a, S]`` (k, 2^c) int64 is the number of objects of class a with the label set S (a bit
mask; S = 0 is empty of objects). The other side may be the hard one: distances are symmetric.
``beliefs(cnt, bel)`` sums over subsets; n_a = bel[a, -1].
"""

import numpy as np

from ..._kernels.assignment import assign_max
from ..._numba import kernel
from .box_search import hard_d1, labels_of
from .type_search import copy_to

#: turns of `mixed_bound`
ROUNDS = 100


@kernel
def beliefs(cnt, bel):
    """bel[a, S] = number of objects of class a whose set lies within S."""
    k, f = cnt.shape
    for a in range(k):
        for q in range(f):
            bel[a, q] = cnt[a, q]
        bit = 1
        while bit < f:
            for q in range(f):
                if q & bit != 0:
                    bel[a, q] += bel[a, q ^ bit]
            bit *= 2


@kernel
def most_kept(table):
    """Largest sum of cells in distinct rows and columns."""
    m = max(table.shape[0], table.shape[1])
    columns = np.zeros(table.shape[0], np.int64)
    numbers = np.zeros(16 + 3 * m + m * m, np.int64)   # at least what `assign_max` asks for
    marks = np.zeros(4 * m, np.int64)
    return assign_max(table, columns, numbers, marks)


@kernel
def moved_bound(bel, sizes, v, sums):
    """F(v) = sum of v + of the least feasible integer u: n - F(v) objects can be moved.

    v (c,) prices of labels; sizes (2^c,) of the sets; sums (2^c,) scratch. With k > c the
    missing labels have the price 0.
    """
    k, f = bel.shape
    c = v.shape[0]
    total = 0
    lowest = v[0]
    for b in range(c):
        total += v[b]
        lowest = min(lowest, v[b])
        for q in range(1 << b):
            sums[q | (1 << b)] = sums[q] + v[b]
    if k < c:
        total -= (c - k) * lowest
    for a in range(k):
        need = bel[a, 1] - v[0] if k <= c else 0
        for q in range(1, f):
            left = sums[q] - bel[a, q]
            if left < -need * sizes[q]:   # else no larger: a division less
                need = -(left // sizes[q])
        total += need
    return total


@kernel
def steepest(bel, sizes, v, sums, goal):
    """Descend F from v by steps in {-1, 0, 1}^c, halved; stops at `goal`. Returns F(v).

    For more than four labels by steps of sets of labels, all up or all down.
    """
    k, f = bel.shape
    c = v.shape[0]
    n = 0
    for a in range(k):
        n += bel[a, f - 1]
    value = moved_bound(bel, sizes, v, sums)
    trial = np.zeros(c, np.int64)
    best = np.zeros(c, np.int64)
    step = max(1, n // 8)
    while step > 0 and value > goal:
        lower = value
        for i in range(3 ** c if c <= 4 else 2 * f):
            code = i
            for b in range(c):
                if c <= 4:
                    move = code % 3 - 1
                    code //= 3
                else:
                    move = ((i >> (b + 1)) & 1) * (1 - 2 * (i & 1))
                trial[b] = v[b] + step * move
            tried = moved_bound(bel, sizes, trial, sums)
            if tried < lower:
                lower = tried
                copy_to(trial, best)
        if lower < value:
            value = lower
            copy_to(best, v)
        else:
            step //= 2
    return value


@kernel
def even_bound(bel, k, most):
    """What every table keeps on some diagonal, for its rows have whole sums.

    With V the sum of the prices of labels, u_a >= (n_a - V) / K rounded up; V matters mod K.
    """
    f = bel.shape[1]
    least = 0
    for v in range(most):
        total = v
        for a in range(k):
            total -= (v - bel[a, f - 1]) // most
        if v == 0 or total < least:
            least = total
    return least


@kernel
def mixed_bound(cnt, most, rounds, stop):
    """What every table keeps on an average of diagonals, and so on the best of them.

    Diagonals and tables answer each other in turn (fictitious play): the next diagonal is the
    best for all tables so far, the next table puts every object where the fewest of the
    diagonals so far pass. Ends at `stop`.
    """
    k, f = cnt.shape
    c = labels_of(f)
    passes = np.zeros((most, most), np.int64)
    table = np.zeros((most, most), np.int64)
    columns = np.zeros(most, np.int64)
    numbers = np.zeros(16 + 3 * most + most * most, np.int64)
    marks = np.zeros(4 * most, np.int64)
    best = 0
    for turn in range(1, rounds + 1):
        assign_max(table, columns, numbers, marks)
        kept = 0
        for a in range(most):
            passes[a, columns[a]] += 1
        for a in range(k):
            for q in range(1, f):
                if cnt[a, q] == 0:
                    continue
                where = -1
                for b in range(c):
                    if (q >> b) & 1 == 1 and (where < 0 or passes[a, b] < passes[a, where]):
                        where = b
                table[a, where] += cnt[a, q]
                kept += cnt[a, q] * passes[a, where]
        best = max(best, -((-kept) // turn))
        if best >= stop:
            break
    return best


@kernel
def hard_h1(cnt, bel, bounds):
    """Most moved objects: bounds = (low, high), equal when certified.

    low by prices of labels that descend F (duality of assignment), high by what every table
    keeps on one diagonal, on some diagonal, on an average of diagonals.
    """
    k, f = bel.shape
    c = labels_of(f)
    n = 0
    sure = np.zeros((k, c), np.int64)
    for a in range(k):
        n += bel[a, f - 1]
        for b in range(c):
            sure[a, b] = bel[a, 1 << b]
    most = max(k, c)
    goal = max(most_kept(sure), even_bound(bel, k, most))
    sizes = np.zeros(f, np.int64)
    for q in range(1, f):
        sizes[q] = sizes[q & (q - 1)] + 1
    value = steepest(bel, sizes, np.zeros(c, np.int64), np.zeros(f, np.int64), goal)
    if value > goal:
        goal = max(goal, mixed_bound(cnt, most, ROUNDS, value))
    bounds[0] = n - value
    bounds[1] = n - goal


@kernel
def h1_batch(tables, first, last, low, high):
    """Most moved objects of tables `first` to `last` - 1 of (m, k, 2^c), as bounds (m,)."""
    bel = np.zeros((tables.shape[1], tables.shape[2]), np.int64)
    bounds = np.zeros(2, np.int64)
    for i in range(first, last):
        beliefs(tables[i], bel)
        hard_h1(tables[i], bel, bounds)
        low[i], high[i] = bounds[0], bounds[1]


# -- disagreeing pairs ------------------------------------------------------------------------
@kernel
def d1_batch(tables, first, last, max_nodes, low, high, nodes):
    """Most disagreeing pairs of these tables; `max_nodes` is for the search of one table."""
    bel = np.zeros((tables.shape[1], tables.shape[2]), np.int64)
    bounds = np.zeros(3, np.int64)
    for i in range(first, last):
        beliefs(tables[i], bel)
        hard_d1(bel, max_nodes, bounds)
        low[i], high[i] = bounds[0], bounds[1]
        nodes[i] += bounds[2]
