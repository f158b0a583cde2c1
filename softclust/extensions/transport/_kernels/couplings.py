"""Transport problems, and couplings object by object: one small transport for each.

Costs of whole numbers have whole prices: these are sums and differences of costs.
"""

from ....running.compiler import kernel


@kernel
def move_mass(cost, plan, u, v, work, marks, paths):
    """At most `paths` paths of the cheapest plan that moves masses; how many paths are left.

    cost (m, k); plan (m, k) receives the masses moved, u (m,), v (k,) the prices: u_i + v_j <=
    cost_ij everywhere, with equality where the plan moves mass. At the beginning work[:m] holds
    the supplies, work[m:m + k] the demands, of equal sum, and marks[0] is -1; then the state is in
    the arrays alone. work and marks have 2 (m + k) entries. Done when some paths are left.

    Shortest augmenting paths with prices, each O(m k); rows start on cheapest columns, so few paths
    are needed. Masses that are left by rounding (1e-16) are not moved.
    """
    m, k = cost.shape
    if marks[0] < 0:
        marks[0] = 0
        for j in range(k):
            v[j] = cost[0, j]
            for i in range(1, m):
                v[j] = min(v[j], cost[i, j])
        for i in range(m):
            lowest = cost[i, 0] - v[0]
            for j in range(1, k):
                lowest = min(lowest, cost[i, j] - v[j])
            u[i] = lowest
            for j in range(k):
                moved = 0.0
                if cost[i, j] - v[j] <= lowest:
                    moved = min(work[i], work[m + j])
                    work[i] -= moved
                    work[m + j] -= moved
                plan[i, j] = moved
    # Of each column: length of the path to it, row before it. Of each row: length, column before.
    length, at_row = work[m + k:m + 2 * k], work[m + 2 * k:]
    reached, origin = marks[:m], marks[m:2 * m]
    before, queue = marks[2 * m:2 * m + k], marks[2 * m + k:]
    start = 0
    while start < m:
        some = 0.0
        for j in range(k):
            some = max(some, work[m + j])
        if some == 0.0:
            work[start] = 0.0   # rounding: no column lacks anything
        if work[start] <= 0.0:
            start += 1
            continue
        if paths == 0:
            return 0
        paths -= 1
        for i in range(m):
            reached[i] = 0
        reached[start] = 1
        origin[start] = -1
        at_row[start] = 0.0
        for j in range(k):
            length[j] = cost[start, j] - u[start] - v[j]
            before[j] = start
            queue[j] = j
        passed = 0   # columns of the queue that were passed
        while True:
            at = passed
            for t in range(passed + 1, k):
                j, best = queue[t], queue[at]
                if length[j] < length[best] or (length[j] == length[best] and work[m + j] > 0.0
                                                and work[m + best] <= 0.0):
                    at = t
            sink = queue[at]
            total = length[sink]
            if work[m + sink] > 0.0:
                break
            queue[at] = queue[passed]
            queue[passed] = sink
            passed += 1
            for i in range(m):
                if reached[i] == 0 and plan[i, sink] > 0.0:
                    reached[i] = 1
                    origin[i] = sink
                    at_row[i] = total
                    for t in range(passed, k):
                        j = queue[t]
                        other = total - u[i] + cost[i, j] - v[j]
                        if other < length[j]:
                            length[j] = other
                            before[j] = i
            if passed == k:
                break
        if passed == k:
            work[start] = 0.0   # not reached: some column lacks mass
            continue
        for i in range(m):
            if reached[i] == 1 and at_row[i] < total:
                u[i] += total - at_row[i]
        for t in range(passed):
            j = queue[t]
            if length[j] < total:
                v[j] -= total - length[j]
        moved = min(work[start], work[m + sink])
        j = sink
        while origin[before[j]] >= 0:
            i = before[j]
            j = origin[i]
            moved = min(moved, plan[i, j])
        j = sink
        while j >= 0:
            i = before[j]
            plan[i, j] += moved
            j = origin[i]
            if j >= 0:
                plan[i, j] -= moved
        work[start] -= moved
        work[m + sink] -= moved
    return paths + 1


@kernel
def couple(px, py, cost, first, stop, plans, u, v, descending, start_x, label_x, start_y, label_y,
           joint, total, prices, where, numbers, marks):
    """Cheapest couplings of the sets of objects `first` to `stop` - 1 at `cost` (f, g).

    px (n, f), py (n, g) : masses over sets. plans (m, f, g), u (m, f), v (m, g) receive the
    couplings and their prices; they are 0 on entry and stay so outside of the supports.

    If `descending`, labels are coupled instead, one object after the other, each cheapest given
    the others, and `cost` is scratch. Set s holds the labels label_x[start_x[s]:start_x[s + 1]];
    joint (n, c, c) are the couplings of labels and total (c, c) their sum, kept up to date. The
    cost of labels (a, b) is R_a + S_b - 2 total_ab without the object, R and S the margins of the
    total. Scratch: prices (c, c), where (f, g) int64, numbers (2 f g + 3 (f + g),), marks
    (3 (f + g),) int64.
    """
    f, g = cost.shape
    c = total.shape[0]
    for i in range(first, stop):
        if descending:
            for a in range(c):
                for b in range(c):
                    total[a, b] -= joint[i, a, b]
                    joint[i, a, b] = 0.0
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
        # The sets that occur, of both sides, and their masses
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
        part = numbers[:m * k].reshape((m, k))
        plan = numbers[f * g:f * g + m * k].reshape((m, k))
        end = 2 * f * g
        own_u, own_v = numbers[end:end + m], numbers[end + f:end + f + k]
        work, scratch = numbers[end + f + g:], marks[f + g:]
        for s in range(m):
            work[s] = px[i, marks[s]]
        for t in range(k):
            work[m + t] = py[i, marks[f + t]]
        for s in range(m):
            for t in range(k):
                x, y = marks[s], marks[f + t]
                if descending:
                    best = 0.0
                    cell = -1
                    for p in range(start_x[x], start_x[x + 1]):
                        for q in range(start_y[y], start_y[y + 1]):
                            a, b = label_x[p], label_y[q]
                            if cell < 0 or prices[a, b] < best:
                                best = prices[a, b]
                                cell = a * c + b
                    cost[x, y] = best
                    where[x, y] = cell
                part[s, t] = cost[x, y]
        scratch[0] = -1
        move_mass(part, plan, own_u, own_v, work, scratch, 1000 + 50 * m * k)
        for s in range(m):
            for t in range(k):
                x, y = marks[s], marks[f + t]
                if descending:
                    a, b = where[x, y] // c, where[x, y] % c
                    joint[i, a, b] += plan[s, t]
                    total[a, b] += plan[s, t]
                else:
                    plans[i - first, x, y] = plan[s, t]
                    u[i - first, x] = own_u[s]
                    v[i - first, y] = own_v[t]
