"""Rough against rough: most disagreeing pairs, in one direction.

max over hard C in x of (min over hard C' in y of disagreeing pairs of C and C'), which is the
fewest pairs of a table cnt[a, B] of C's labels and y's sets; larger tables win. From below C is
enumerated or improved step by step. From above C' follows a *policy* (a label of y for each
label of x and set of y): the most pairs over C are then a concave-convex problem on one base
polytope, over the cells (label of x, label of y) that the policy uses.
"""

import numpy as np

from ..._numba import kernel
from .box_search import d1_begin, d1_bound, d1_search
from .hard_tables import beliefs
from .type_search import d0_types

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
def closest_rows(bel, orders, rows, counts):
    """Fewest disagreeing pairs when each class follows a priority order; all ways are tried.

    Every optimum is of this form, for pairs fall on the edges of each class's polytope. rows
    (k, orders, c) and counts (k,) are scratch.
    """
    k, f = bel.shape
    c = orders.shape[1]
    vertex_rows(bel, orders, rows, counts)
    squares = 0
    for a in range(k):
        squares += bel[a, f - 1] * bel[a, f - 1]
    sums = np.zeros((k + 1, c), np.int64)
    twice = np.full(k + 1, squares)   # of the pairs, less the squared column sums
    following = np.zeros(k + 1, np.int64)
    least = -1
    depth = 0
    while depth >= 0:
        if depth == k:
            pairs = twice[k]
            for b in range(c):
                pairs += sums[k, b] * sums[k, b]
            if least < 0 or pairs < least:
                least = pairs
            depth -= 1
        elif following[depth] == counts[depth]:
            following[depth] = 0
            depth -= 1
        else:
            row = rows[depth, following[depth]]
            following[depth] += 1
            twice[depth + 1] = twice[depth]
            for b in range(c):
                sums[depth + 1, b] = sums[depth, b] + row[b]
                twice[depth + 1] -= 2 * row[b] * row[b]
            depth += 1
    return least // 2


@kernel
def table_d0(cnt, bel, orders, rows, counts, max_nodes, out):
    """Fewest disagreeing pairs of a table, or a bound from below.

    orders (0, c) for branch and bound with `max_nodes`; bel, rows and counts are scratch. out[1]
    is a bound from above, nodes are added to out[3].
    """
    k = cnt.shape[0]
    if orders.shape[0] > 0:
        beliefs(cnt, bel)
        out[1] = closest_rows(bel, orders, rows, counts)
        out[3] += orders.shape[0]
        return int(out[1])
    class_of, sets = np.nonzero(cnt)
    m = np.zeros(sets.shape[0], np.int64)
    for i in range(sets.shape[0]):
        m[i] = cnt[class_of[i], sets[i]]
    d0_types(1 << class_of, sets, m, k, orders.shape[1], np.arange(k).reshape((1, k)), max_nodes,
             out)
    out[3] += out[2] + 10 + m.shape[0] * m.shape[0] // 256   # the arrays take time too
    return int(out[0])


@kernel
def table_room(k, orders):
    """A table of zeros for `table_d0`, and its scratch."""
    n_orders, c = orders.shape
    return (np.zeros((k, 1 << c), np.int64), np.zeros((k, 1 << c), np.int64),
            np.zeros((k, max(1, n_orders), c), np.int64), np.zeros(k, np.int64))


@kernel
def enumerate_tables(vectors, start, masks, k, orders, max_nodes, known, first, last):
    """Bounds of the largest `table_d0` of tables first, ..., last - 1, both at least `known`.

    vectors (v, k) : possible columns of the table; those for the set masks[g] of y are
    start[g], ..., start[g + 1] - 1. Tables are numbered with the last set running fastest.
    """
    groups = masks.shape[0]
    cnt, bel, rows, counts = table_room(k, orders)
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
        best = max(best, table_d0(cnt, bel, orders, rows, counts, max_nodes, out))
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
    cnt, bel, rows, counts = table_room(k, orders)
    for i in range(n_types):
        for x in range(k):
            cnt[x, b[i]] += chosen[i, x]
    if value < 0:
        value = table_d0(cnt, bel, orders, rows, counts, max_nodes, out)
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
                    new = table_d0(cnt, bel, orders, rows, counts, max_nodes, out)
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
def policy_table(a, group, m, policy, sizes, bel):
    """Beliefs over the cells that a policy uses: a base polytope of all tables it may give.

    a, group, m (t,) : set of x, number of the set of y, objects; policy (k, groups): label of y
    sizes (2, cells) receives the label of x and k + the label of y of each cell, bel (2^cells,)
    the beliefs; at most as many cells as there is room, else -1 is returned in place of their
    number.
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
            y = k + policy[x, group[i]]
            where = -1
            for j in range(found):
                if sizes[0, j] == x and sizes[1, j] == y:
                    where = j
            if where < 0:
                if found == sizes.shape[1]:
                    return -1
                where = found
                sizes[0, where] = x
                sizes[1, where] = y
                found += 1
            used |= 1 << where
        bel[used] += m[i]
    table = bel[:1 << found].reshape((1, 1 << found))
    beliefs(table, table)
    return found


@kernel
def most_of_policy(a, group, m, policy, k, c, stop, room, max_nodes, spent):
    """A bound from above of the disagreeing pairs of C and C' when C' follows a policy.

    Exact after enough nodes, at most `max_nodes`; as soon as some C has at least `stop` pairs,
    `stop` is returned. `room` is the largest number of cells; -1 when there are more. A node
    adds 2^cells to spent[0]; the more that is, the fewer nodes are opened.
    """
    sizes = np.zeros((2, room), np.int64)
    bel = np.zeros(1 << room, np.int64)
    cells = policy_table(a, group, m, policy, sizes, bel)
    if cells < 0:
        return -1
    bel = bel[:1 << cells].reshape((1, 1 << cells))
    sizes = sizes[:, :cells].copy()
    boxes, limits, state = d1_begin(bel, sizes, k + c)
    d1_search(bel, sizes, k, boxes, limits, state,
              min(max_nodes, max(LEAST_NODES, NODE_WORK >> cells)), 2 * stop)
    spent[0] += state[2] << cells
    return min(stop, d1_bound(limits, state) // 2)
