"""Couplings object by object: small transports between the mass functions of two sides.

Shapes everywhere: `px` (n, f), `py` (n, g) masses over sets. Objects ``first <= i < stop`` only,
so that drivers can cut long runs into slices. Scratch: ``numbers_size(f, g)`` float64 and
``marks_size(f, g)`` int64 entries.
"""

from ..._numba import kernel
from .small_transport import marks_size as transport_marks
from .small_transport import small_transport
from .small_transport import work_size as transport_work


def numbers_size(f, g):
    """Entries of the scratch `numbers`."""
    return 2 * f * g + 2 * (f + g) + transport_work(f, g)


def marks_size(f, g):
    """Entries of the scratch `marks`."""
    return f + g + transport_marks(f, g)


@kernel
def couple(px, py, i, cost, numbers, marks):
    """Cheapest coupling of object i at `cost` (f, g); its rows and columns.

    The support of px_i comes first in `marks`, that of py_i after f entries; in `numbers` stand
    the plan (rows, columns), then after f g entries the prices of the rows, of the columns.
    """
    f = cost.shape[0]
    g = cost.shape[1]
    cells = f * g
    m = 0
    for s in range(f):
        if px[i, s] > 0.0:
            marks[m] = s
            m += 1
    k = 0
    for t in range(g):
        if py[i, t] > 0.0:
            marks[f + k] = t
            k += 1
    plan = numbers[:m * k].reshape((m, k))
    u = numbers[cells:cells + m]
    v = numbers[cells + f:cells + f + k]
    part = numbers[cells + f + g:cells + f + g + m * k].reshape((m, k))
    a = numbers[2 * cells + f + g:2 * cells + f + g + m]
    b = numbers[2 * cells + 2 * f + g:2 * cells + 2 * f + g + k]
    for s in range(m):
        a[s] = px[i, marks[s]]
    for t in range(k):
        b[t] = py[i, marks[f + t]]
    for s in range(m):
        for t in range(k):
            part[s, t] = cost[marks[s], marks[f + t]]
    small_transport(a, b, part, plan, u, v, numbers[2 * cells + 2 * (f + g):], marks[f + g:])
    return m, k


@kernel
def couple_all(px, py, cost, first, stop, plans, u, v, numbers, marks):
    """Cheapest couplings of objects `first` to `stop` - 1 at `cost` (f, g), with their prices.

    plans (m, f, g), u (m, f), v (m, g) are 0 on entry and stay so outside of the supports.
    """
    f = cost.shape[0]
    g = cost.shape[1]
    for i in range(first, stop):
        m, k = couple(px, py, i, cost, numbers, marks)
        plan = numbers[:m * k].reshape((m, k))
        for s in range(m):
            u[i - first, marks[s]] = numbers[f * g + s]
            for t in range(k):
                plans[i - first, marks[s], marks[f + t]] = plan[s, t]
        for t in range(k):
            v[i - first, marks[f + t]] = numbers[f * g + f + t]


@kernel
def descent_sweep(px, py, start_x, label_x, start_y, label_y, prices, fixed, first, stop, joint,
                  total, gain, where, numbers, marks):
    """Couple the labels of objects `first` to `stop` - 1 anew, each cheapest given the others.

    Set s holds the labels ``label_x[start_x[s]:start_x[s + 1]]``. joint (n, c, c): coupling of
    the labels of each object; total (c, c): their sum, kept up to date. The cost of the cell
    (a, b) is R_a + S_b - 2 total_ab without the object, R and S the margins of the total, or
    prices (c, c) if `fixed`. gain (f, g), where (f, g) int64: scratch, the least cell of each
    pair of sets. prices is overwritten unless `fixed`.
    """
    c = total.shape[0]
    f = gain.shape[0]
    g = gain.shape[1]
    for i in range(first, stop):
        mine = joint[i]
        for a in range(c):
            for b in range(c):
                total[a, b] -= mine[a, b]
                mine[a, b] = 0.0
        if not fixed:
            label_costs(total, prices)
        for s in range(f):
            if px[i, s] > 0.0:
                for t in range(g):
                    if py[i, t] > 0.0:
                        best = 0.0
                        cell = -1
                        for p in range(start_x[s], start_x[s + 1]):
                            a = label_x[p]
                            for q in range(start_y[t], start_y[t + 1]):
                                b = label_y[q]
                                if cell < 0 or prices[a, b] < best:
                                    best = prices[a, b]
                                    cell = a * c + b
                        gain[s, t] = best
                        where[s, t] = cell
        m, k = couple(px, py, i, gain, numbers, marks)
        plan = numbers[:m * k].reshape((m, k))
        for s in range(m):
            for t in range(k):
                if plan[s, t] > 0.0:
                    cell = where[marks[s], marks[f + t]]
                    mine[cell // c, cell % c] += plan[s, t]
        for a in range(c):
            for b in range(c):
                total[a, b] += mine[a, b]


@kernel
def label_costs(total, prices):
    """prices[a, b] = R_a + S_b - 2 total_ab."""
    c = total.shape[0]
    for a in range(c):
        row = 0.0
        for b in range(c):
            row += total[a, b]
        for b in range(c):
            prices[a, b] = row - 2.0 * total[a, b]
    for b in range(c):
        column = 0.0
        for a in range(c):
            column += total[a, b]
        for a in range(c):
            prices[a, b] += column
