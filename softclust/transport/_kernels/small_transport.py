"""The transport problem: the cheapest plan that turns one mass function into another.

From another kernel (``from .small_transport import small_transport``)::

    small_transport(a, b, cost, plan, u, v, work, marks)

`a` (m,), `b` (k,) masses of equal sum, `cost` (m, k), all float64 in C order; `plan` (m, k)
receives the masses moved, `u` (m,), `v` (k,) the prices: u_i + v_j <= cost_ij everywhere, with
equality where the plan moves mass. `work` and `marks` (int64) are scratch of at least
``work_size(m, k)`` and ``marks_size(m, k)`` entries. Costs are whole numbers held as float64:
then prices are whole numbers too, because they are sums and differences of costs. To maximise,
negate the costs.

Larger problems run in slices: ``begin`` once, then ``advance`` until it returns `DONE`; the
state is in the arrays alone. Shortest augmenting paths with prices, each O(mk); rows start on
cheapest columns, so few paths are left. What rounding leaves of the masses (1e-16) stays where
it is.
"""

from ..._numba import kernel

DONE = 0
MORE = 1


def work_size(m, k):
    """Entries of the scratch `work`: what rows and columns still have, then lengths."""
    return 2 * (m + k)


def marks_size(m, k):
    """Entries of the scratch `marks`."""
    return 2 * m + 2 * k


@kernel
def small_transport(a, b, cost, plan, u, v, work, marks):
    """A plan of least cost, and the prices that prove it. See the module."""
    begin(a, b, cost, plan, u, v, work)
    # Each path empties a row, fills a column or removes a cell of the plan; never reached.
    advance(cost, plan, u, v, work, marks, 1000 + 50 * cost.shape[0] * cost.shape[1])


@kernel
def begin(a, b, cost, plan, u, v, work):
    """Feasible prices, and as much mass as fits on cells without reduced cost."""
    m = cost.shape[0]
    k = cost.shape[1]
    supply = work[:m]
    demand = work[m:m + k]
    for j in range(k):
        demand[j] = b[j]
        v[j] = cost[0, j]
    for i in range(1, m):
        row = cost[i]
        for j in range(k):
            v[j] = row[j] if row[j] < v[j] else v[j]
    for i in range(m):
        row = cost[i]
        least = row[0] - v[0]
        for j in range(1, k):
            reduced = row[j] - v[j]
            least = reduced if reduced < least else least
        u[i] = least
        left = a[i]
        for j in range(k):
            moved = 0.0
            if left > 0.0 and demand[j] > 0.0 and row[j] - v[j] <= least:
                moved = min(left, demand[j])
                left -= moved
                demand[j] -= moved
            plan[i, j] = moved
        supply[i] = left


@kernel
def advance(cost, plan, u, v, work, marks, paths):
    """At most `paths` further paths; DONE when no mass is left to move, else MORE."""
    m = cost.shape[0]
    k = cost.shape[1]
    supply = work[:m]
    demand = work[m:m + k]
    for i in range(m):
        while supply[i] > 0.0:
            some = False
            for j in range(k):
                some = some or demand[j] > 0.0
            if not some:
                supply[i] = 0.0   # rounding: no column lacks anything
                break
            if paths == 0:
                return MORE
            paths -= 1
            augment(cost, plan, u, v, work, marks, i)
    return DONE


@kernel
def augment(cost, plan, u, v, work, marks, start):
    """Move mass from row `start` along a cheapest path.

    before : the row from which a column is reached; from : the column from which a row is
    queue : the columns passed, then those that are left
    """
    m = cost.shape[0]
    k = cost.shape[1]
    supply = work[:m]
    demand = work[m:m + k]
    length = work[m + k:m + 2 * k]
    at_row = work[m + 2 * k:]
    reached = marks[:m]
    origin = marks[m:2 * m]
    before = marks[2 * m:2 * m + k]
    queue = marks[2 * m + k:]
    for i in range(m):
        reached[i] = 0
    reached[start] = 1
    origin[start] = -1
    at_row[start] = 0.0
    row = cost[start]
    for j in range(k):
        length[j] = row[j] - u[start] - v[j]
        before[j] = start
        queue[j] = j
    passed = 0
    while True:
        at = passed
        for t in range(passed + 1, k):
            j = queue[t]
            best = queue[at]
            if length[j] < length[best] or (length[j] == length[best] and demand[j] > 0.0
                                            and demand[best] <= 0.0):
                at = t
        sink = queue[at]
        total = length[sink]
        if demand[sink] > 0.0:
            break
        queue[at] = queue[passed]
        queue[passed] = sink
        passed += 1
        for i in range(m):
            if reached[i] == 0 and plan[i, sink] > 0.0:
                reached[i] = 1
                origin[i] = sink
                at_row[i] = total
                base = total - u[i]
                row = cost[i]
                for t in range(passed, k):
                    j = queue[t]
                    other = base + row[j] - v[j]
                    if other < length[j]:
                        length[j] = other
                        before[j] = i
        if passed == k:
            supply[start] = 0.0   # not reached: some column lacks mass
            return
    for i in range(m):
        if reached[i] == 1 and at_row[i] < total:
            u[i] += total - at_row[i]
    for t in range(passed):
        j = queue[t]
        if length[j] < total:
            v[j] -= total - length[j]
    moved = min(supply[start], demand[sink])
    j = sink
    while origin[before[j]] >= 0:
        i = before[j]
        j = origin[i]
        moved = min(moved, plan[i, j])
    j = sink
    while True:
        i = before[j]
        plan[i, j] += moved
        j = origin[i]
        if j < 0:
            break
        plan[i, j] -= moved
    supply[start] -= moved
    demand[sink] -= moved
