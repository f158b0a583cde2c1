"""Rough against rough: most disagreeing pairs, in one direction.

max over hard C in x of (min over hard C' in y of disagreeing pairs of C and C'), which is the
fewest pairs of a table cnt[a, B] of C's labels and y's sets; larger tables win. From below C is
enumerated or improved step by step. From above C' follows a *policy* (a label of y for each
label of x and set of y): the most pairs over C are then a concave-convex problem on one base
polytope, over the cells (label of x, label of y) that the policy uses.
"""

import numpy as np

from ..._kernels._jit import kernel
from .box_search import SPLITS, prox_row, tighten
from .hard_tables import beliefs, types_of_table
from .type_search import copy_to, d0_types

#: sets looked at for the bound of one policy, and nodes opened at least
NODE_WORK = 1 << 17
LEAST_NODES = 4


@kernel
def vertex_rows(bel, orders, rows, counts):
    """Distinct rows of a table when each class follows one priority order of labels.

    rows (k, orders, c), counts (k,) receive them: rows[a, :counts[a]] of class a.
    """
    k, f = bel.shape
    c = orders.shape[1]
    for a in range(k):
        found = 0
        for o in range(orders.shape[0]):
            left = f - 1
            row = rows[a, found]
            for j in range(c):
                b = orders[o, j]
                rest = left & ~(1 << b)
                row[b] = bel[a, left] - bel[a, rest]
                left = rest
            new = True
            for i in range(found):
                same = True
                for b in range(c):
                    if rows[a, i, b] != row[b]:
                        same = False
                        break
                if same:
                    new = False
                    break
            if new:
                found += 1
        counts[a] = found



@kernel
def rows_scratch(k, orders):
    """Scratch of `closest_rows` for k classes: rows, counts, order, gain, sums, base, rest."""
    many, c = orders.shape
    return (np.zeros((k, max(many, 1), c), np.int64), np.zeros(k, np.int64),
            np.zeros((k, max(many, 1)), np.int64), np.zeros((k, max(many, 1)), np.int64),
            np.zeros((k + 1, c), np.int64), np.zeros(k + 1, np.int64), np.zeros(k, np.int64))



@kernel
def enter_class(d, rows, counts, order, gain, sums, rest):
    """Order the rows of class d by gain, most first; rest[d] bounds the gains of later ones.

    With s the column sums so far, row t adds |t|^2 - 2 s.t to 2 |T|^2 - |s|^2; together the
    later rows add at most the sum of their largest such gains, for counts are not negative.
    """
    k = rows.shape[0]
    c = rows.shape[2]
    rest[d] = 0
    for a in range(d, k):
        most = 0
        for i in range(counts[a]):
            value = 0
            for b in range(c):
                value += rows[a, i, b] * (rows[a, i, b] - 2 * sums[d, b])
            if i == 0 or value > most:
                most = value
            if a == d:
                at = i
                while at > 0 and gain[d, at - 1] < value:
                    gain[d, at] = gain[d, at - 1]
                    order[d, at] = order[d, at - 1]
                    at -= 1
                gain[d, at] = value
                order[d, at] = i
        if a > d:
            rest[d] += most



@kernel
def closest_rows(bel, orders, scratch, known, max_nodes, out):
    """Fewest disagreeing pairs when each class follows a priority order: out = (pairs, nodes).

    Every optimum is of this form, for pairs fall on the edges of each class's polytope. Stops
    at a value <= `known`. pairs = -1 when `max_nodes` was reached.
    """
    rows, counts, order, gain, sums, base, rest = scratch
    k, f = bel.shape
    c = orders.shape[1]
    vertex_rows(bel, orders, rows, counts)
    squares = 0
    for a in range(k):
        squares += bel[a, f - 1] * bel[a, f - 1]
    enough = squares - 2 * known
    best = 0
    none = True
    nodes = 1
    depth = 0
    base[0] = 0
    for b in range(c):
        sums[0, b] = 0
    enter_class(0, rows, counts, order, gain, sums, rest)
    following = np.zeros(k, np.int64)
    while depth >= 0:
        i = following[depth]
        if i == counts[depth] or (not none
                                  and base[depth] + gain[depth, i] + rest[depth] <= best):
            depth -= 1
            continue
        following[depth] = i + 1
        base[depth + 1] = base[depth] + gain[depth, i]
        if depth == k - 1:
            best = base[k]
            none = False
            if best >= enough:
                break
            continue
        row = rows[depth, order[depth, i]]
        for b in range(c):
            sums[depth + 1, b] = sums[depth, b] + row[b]
        if nodes >= max_nodes:
            out[0] = -1
            out[1] = nodes
            return
        nodes += 1
        depth += 1
        following[depth] = 0
        enter_class(depth, rows, counts, order, gain, sums, rest)
    out[0] = (squares - best) // 2
    out[1] = nodes



@kernel
def table_d0(cnt, bel, orders, scratch, known, max_nodes, out):
    """Fewest disagreeing pairs of a table, or a bound from below; any value when <= known.

    orders (0, c) for branch and bound with `max_nodes`; bel and scratch are overwritten. out[1]
    is a bound from above, nodes are added to out[3].
    """
    k = cnt.shape[0]
    if orders.shape[0] > 0:
        beliefs(cnt, bel)
        closest_rows(bel, orders, scratch, known, max_nodes, out)
        out[3] += out[1]
        if out[0] >= 0:
            out[1] = out[0]
            return int(out[0])
    type_a, type_b, m = types_of_table(cnt)
    relabellings = np.zeros((1, k), np.int64)
    for a in range(k):
        relabellings[0, a] = a
    d0_types(type_a, type_b, m, k, orders.shape[1], relabellings, max_nodes, out)
    out[3] += out[2] + 10 + m.shape[0] * m.shape[0] // 256   # the arrays take time too
    return int(out[0])


@kernel
def enumerate_tables(vectors, start, masks, k, orders, max_nodes, known, first, last):
    """Bounds of the largest `table_d0` of tables first, ..., last - 1, both at least `known`.

    vectors (v, k) : possible columns of the table; those for the set masks[g] of y are
    start[g], ..., start[g + 1] - 1. Tables are numbered with the last set running fastest.
    """
    groups = masks.shape[0]
    c = orders.shape[1]
    f = 1 << c
    cnt = np.zeros((k, f), np.int64)
    bel = np.zeros((k, f), np.int64)
    scratch = rows_scratch(k, orders)
    digit = np.zeros(groups, np.int64)
    out = np.zeros(4, np.int64)
    rest = first
    for g in range(groups - 1, -1, -1):
        many = start[g + 1] - start[g]
        digit[g] = rest % many
        rest //= many
        for a in range(k):
            cnt[a, masks[g]] = vectors[start[g] + digit[g], a]
    best = known
    most = known
    for _number in range(first, last):
        best = max(best, table_d0(cnt, bel, orders, scratch, best, max_nodes, out))
        most = max(most, int(out[1]))
        g = groups - 1
        while g >= 0:
            digit[g] += 1
            if digit[g] == start[g + 1] - start[g]:
                digit[g] = 0
            for a in range(k):
                cnt[a, masks[g]] = vectors[start[g] + digit[g], a]
            if digit[g] > 0:
                break
            g -= 1
    return best, most


@kernel
def climb_tables(a, b, chosen, orders, max_nodes, value, first, last, out):
    """Improve C by moving objects of types first, ..., last - 1 to another label.

    a, b (t,) types; chosen (t, k): objects of each type by label of x, changed in place;
    `value` is the `table_d0` of `chosen`, or -1 when it is not known. Moves are made while it
    rises. Returns the value reached; nodes are added to out[3].
    """
    n_types, k = chosen.shape
    c = orders.shape[1]
    f = 1 << c
    cnt = np.zeros((k, f), np.int64)
    bel = np.zeros((k, f), np.int64)
    scratch = rows_scratch(k, orders)
    for i in range(n_types):
        for x in range(k):
            cnt[x, b[i]] += chosen[i, x]
    if value < 0:
        value = table_d0(cnt, bel, orders, scratch, -1, max_nodes, out)
    for i in range(first, last):
        if a[i] & (a[i] - 1) == 0:
            continue
        for x in range(k):
            for y in range(k):
                if x == y or (a[i] >> y) & 1 == 0:
                    continue
                amount = int(chosen[i, x])
                while amount > 0:
                    cnt[x, b[i]] -= amount
                    cnt[y, b[i]] += amount
                    new = table_d0(cnt, bel, orders, scratch, value, max_nodes, out)
                    if new > value:
                        value = new
                        chosen[i, x] -= amount
                        chosen[i, y] += amount
                        break
                    cnt[x, b[i]] += amount
                    cnt[y, b[i]] -= amount
                    amount //= 2
    return value


@kernel
def policy_table(a, group, m, policy, cell_a, cell_b, bel):
    """Beliefs over the cells that a policy uses: a base polytope of all tables it may give.

    a, group, m (t,) : set of x, number of the set of y, objects; policy (k, groups): label of y
    cell_a, cell_b (cells,) receive the cells, bel (2^cells,) the beliefs; at most as many
    cells as there is room, else -1 is returned in place of their number.
    """
    k = policy.shape[0]
    found = 0
    for q in range(bel.shape[0]):
        bel[q] = 0
    for i in range(m.shape[0]):
        used = 0
        for x in range(k):
            if (a[i] >> x) & 1 == 0:
                continue
            y = policy[x, group[i]]
            where = -1
            for j in range(found):
                if cell_a[j] == x and cell_b[j] == y:
                    where = j
            if where < 0:
                if found == cell_a.shape[0]:
                    return -1
                where = found
                cell_a[where] = x
                cell_b[where] = y
                found += 1
            used |= 1 << where
        bel[used] += m[i]
    bit = 1
    while bit < 1 << found:
        for q in range(1 << found):
            if q & bit != 0:
                bel[q] += bel[q ^ bit]
        bit *= 2
    return found


@kernel
def most_of_policy(a, group, m, policy, k, c, n, stop, room, max_nodes, spent):
    """A bound from above of the disagreeing pairs of C and C' when C' follows a policy.

    Exact after enough nodes, at most `max_nodes`; as soon as some C has at least `stop` pairs,
    `stop` is returned. `room` is the largest number of cells; -1 when there are more. A node
    adds 2^cells to spent[0]; the more that is, the fewer nodes are opened.
    """
    cell_a = np.zeros(room, np.int64)
    cell_b = np.zeros(room, np.int64)
    bel = np.zeros(1 << room, np.int64)
    cells = policy_table(a, group, m, policy, cell_a, cell_b, bel)
    if cells < 0:
        return -1
    bel = bel[:1 << cells]
    until = min(max_nodes, max(LEAST_NODES, NODE_WORK >> cells))
    dims = k + c
    full = (1 << cells) - 1
    depth = SPLITS * dims + 2
    boxes = np.zeros((depth, 2, dims), np.int64)
    limits = np.zeros(depth, np.int64)
    low = np.zeros(dims, np.int64)
    high = np.zeros(dims, np.int64)
    margins = np.zeros(dims, np.int64)
    slope = np.zeros(cells, np.int64)
    t = np.zeros(cells, np.int64)
    todo = np.zeros((cells + 1, 3), np.int64)
    sums = np.zeros(1 << cells, np.int64)
    for d in range(dims):
        inside = 0
        for j in range(cells):
            if (d < k and cell_a[j] == d) or (d >= k and cell_b[j] == d - k):
                inside |= 1 << j
        boxes[0, 0, d] = bel[inside]
        boxes[0, 1, d] = n - bel[full & ~inside]
    limits[0] = 2 * n * n
    waiting = 1
    nodes = 0
    best = 0
    while waiting > 0 and nodes < until:
        waiting -= 1
        if limits[waiting] <= best:
            continue
        copy_to(boxes[waiting, 0], low)
        copy_to(boxes[waiting, 1], high)
        nodes += 1
        if not (tighten(low[:k], high[:k], n) and tighten(low[k:], high[k:], n)):
            continue
        bound = 0
        for d in range(dims):
            bound -= low[d] * high[d]
            margins[d] = 0
        for j in range(cells):
            x = cell_a[j]
            y = k + cell_b[j]
            slope[j] = low[x] + high[x] + low[y] + high[y]
        bound += prox_row(bel, slope, t, todo, sums)
        value = 0
        for j in range(cells):
            margins[cell_a[j]] += t[j]
            margins[k + cell_b[j]] += t[j]
            value -= 2 * t[j] * t[j]
        widest = 0
        where = 0
        for d in range(dims):
            value += margins[d] * margins[d]
            gap = (margins[d] - low[d]) * (high[d] - margins[d])
            if gap > widest:
                widest = gap
                where = d
        bound = min(bound - (bound & 1), int(limits[waiting]))   # twice a number of pairs
        best = max(best, value)
        spent[0] += full + 1
        if best >= 2 * stop:
            return stop
        if bound <= best:
            continue
        quarter = (high[where] - low[where]) // 4
        middle = min(max(margins[where], low[where] + quarter), high[where] - 1 - quarter)
        for side in range(2):
            copy_to(low, boxes[waiting, 0])
            copy_to(high, boxes[waiting, 1])
            if side == 0:
                boxes[waiting, 1, where] = middle
            else:
                boxes[waiting, 0, where] = middle + 1
            limits[waiting] = bound
            waiting += 1
    for i in range(waiting):
        best = max(best, int(limits[i]))
    return best // 2


@kernel
def improve_policy(a, group, m, masks, policy, k, c, n, bound, room, max_nodes, spent, first,
                   last):
    """Change a policy entry by entry while `most_of_policy` falls; entries first to last - 1.

    masks (groups,) sets of y; entry e is label e // groups of x and set e % groups of y.
    policy (k, groups) is changed; the bound reached is returned.
    """
    groups = masks.shape[0]
    for e in range(first, last):
        x = e // groups
        g = e % groups
        old = policy[x, g]
        for y in range(c):
            if y == old or (masks[g] >> y) & 1 == 0:
                continue
            policy[x, g] = y
            tried = most_of_policy(a, group, m, policy, k, c, n, bound, room, max_nodes,
                                   spent)
            if 0 <= tried < bound:
                bound = tried
                old = y
        policy[x, g] = old
    return bound
