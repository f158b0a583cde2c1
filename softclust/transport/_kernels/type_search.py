"""Rough against rough: fewest disagreeing pairs, and fewest moved objects by permutations.

Objects are counted by type: (label set of x, label set of y, how many). Label sets are bit
masks. A *cell* (a, b) is a label of x and a label of y; moving objects of one type from cell to
cell changes the disagreeing pairs by a quadratic with leading coefficient <= 0, so some optimum
puts each type into one cell. Branch and bound chooses cells type by type.

Layout of a search (`d0_setup`): types with one cell are placed beforehand in `fixed`; the others
stand by falling count, type d with the cells first[d], ..., first[d + 1] - 1 of `cell_a` and
`cell_b`. `state` is (depth, best, cost, nodes, finished).
"""

import numpy as np

from ..._numba import kernel

DEPTH, BEST, COST, NODES, FINISHED = 0, 1, 2, 3, 4


@kernel
def copy_to(source, target):
    """Copy a vector (a loop compiles in a tenth of the time that a slice takes)."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@kernel
def count_bits(mask):
    """Number of labels of a set."""
    found = 0
    while mask != 0:
        mask &= mask - 1
        found += 1
    return found


@kernel
def d0_setup(a, b, m, k, c):
    """Arrays of a search over types (a, b, m): see the module.

    Returns fixed (k, c), counts (t,), first (t + 1,), cell_a, cell_b, and the number of each
    type.
    """
    n_types = m.shape[0]
    fixed = np.zeros((k, c), np.int64)
    keys = np.zeros(n_types, np.int64)
    open_types = 0
    total = 0
    for i in range(n_types):
        size = count_bits(a[i]) * count_bits(b[i])
        if size == 1:
            x = 0
            while (a[i] >> x) & 1 == 0:
                x += 1
            y = 0
            while (b[i] >> y) & 1 == 0:
                y += 1
            fixed[x, y] += m[i]
            keys[i] = 1
        else:
            keys[i] = -m[i]
            open_types += 1
            total += size
    order = np.zeros(n_types, np.int64)
    for i in range(n_types):   # a sort of their own: stable, and fast to compile
        at = i
        while at > 0 and keys[order[at - 1]] > keys[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
    counts = np.zeros(open_types, np.int64)
    number = np.zeros(open_types, np.int64)
    first = np.zeros(open_types + 1, np.int64)
    cell_a = np.zeros(total, np.int64)
    cell_b = np.zeros(total, np.int64)
    at = 0
    for d in range(open_types):
        i = order[d]
        counts[d] = m[i]
        number[d] = i
        for x in range(k):
            if (a[i] >> x) & 1 == 1:
                for y in range(c):
                    if (b[i] >> y) & 1 == 1:
                        cell_a[at] = x
                        cell_b[at] = y
                        at += 1
        first[d + 1] = at
    return fixed, counts, first, cell_a, cell_b, number


@kernel
def disagreements(table, r, s):
    """Disagreeing pairs of a table; its margins go to r and s."""
    k, c = table.shape
    for x in range(k):
        r[x] = 0
    for y in range(c):
        s[y] = 0
    twice = 0
    for x in range(k):
        for y in range(c):
            value = table[x, y]
            r[x] += value
            s[y] += value
            twice -= 2 * value * value
    for x in range(k):
        twice += r[x] * r[x]
    for y in range(c):
        twice += s[y] * s[y]
    return twice // 2


@kernel
def place(table, r, s, x, y, count):
    """Put `count` objects into cell (x, y); take them out when negative."""
    table[x, y] += count
    r[x] += count
    s[y] += count


@kernel
def descend(counts, first, cell_a, cell_b, table, r, s, chosen):
    """Move whole types to better cells until none is better; the disagreeing pairs then.

    chosen (t,) : number of the cell of each type; -1 for types not in the table yet
    """
    moved = True
    while moved:
        moved = False
        for d in range(counts.shape[0]):
            old = chosen[d]
            if old >= 0:
                place(table, r, s, cell_a[old], cell_b[old], -counts[d])
            best = first[d]
            least = 0
            for j in range(first[d], first[d + 1]):
                x = cell_a[j]
                y = cell_b[j]
                price = r[x] + s[y] - 2 * table[x, y]
                if j == first[d] or price < least or (price == least and j == old):
                    least = price
                    best = j
            place(table, r, s, cell_a[best], cell_b[best], counts[d])
            if best != old:
                chosen[d] = best
                moved = True
    return disagreements(table, r, s)


@kernel
def d0_start(fixed, counts, first, cell_a, cell_b, relabellings, chosen):
    """A good choice of cells and its disagreeing pairs.

    relabellings (p, k) : a label of y for each label of x; types prefer cells that follow it
    """
    k, c = fixed.shape
    table = np.zeros((k, c), np.int64)
    r = np.zeros(k, np.int64)
    s = np.zeros(c, np.int64)
    tried = np.zeros(counts.shape[0], np.int64)
    best = -1
    for p in range(relabellings.shape[0] + 1):
        for x in range(k):
            copy_to(fixed[x], table[x])
        disagreements(table, r, s)
        for d in range(counts.shape[0]):
            tried[d] = -1
            if p == relabellings.shape[0]:   # the last start is greedy: one type after another
                continue
            tried[d] = first[d]
            for j in range(first[d], first[d + 1]):
                if relabellings[p, cell_a[j]] == cell_b[j]:
                    tried[d] = j
                    break
            place(table, r, s, cell_a[tried[d]], cell_b[tried[d]], counts[d])
        value = descend(counts, first, cell_a, cell_b, table, r, s, tried)
        if best < 0 or value < best:
            best = value
            copy_to(tried, chosen)
    return best


@kernel
def rest_bound(depth, cost, stop, table, r, s, counts, first, cell_a, cell_b):
    """A bound for all completions of a node; not pursued beyond `stop`."""
    bound = cost
    for d in range(depth, counts.shape[0]):
        if bound >= stop:
            break
        cheapest = -1
        for j in range(first[d], first[d + 1]):
            x = cell_a[j]
            y = cell_b[j]
            price = r[x] + s[y] - 2 * table[x, y]
            if cheapest < 0 or price < cheapest:
                cheapest = price
        bound += counts[d] * cheapest
    return bound


@kernel
def list_children(d, table, r, s, counts, first, cell_a, cell_b, order, rise):
    """Cells of type d by the disagreements they add, fewest first."""
    start = first[d]
    for j in range(start, first[d + 1]):
        x = cell_a[j]
        y = cell_b[j]
        value = counts[d] * (r[x] + s[y] - 2 * table[x, y])
        at = j
        while at > start and rise[at - 1] > value:
            rise[at] = rise[at - 1]
            order[at] = order[at - 1]
            at -= 1
        rise[at] = value
        order[at] = j


@kernel
def d0_search(table, r, s, counts, first, cell_a, cell_b, order, rise, following, chosen, state,
              until):
    """Depth first until all is searched or `until` nodes were opened.

    On entry for the first time: `table` = fixed with margins r and s, following[0] = -1,
    state = (0, best known + 1 or that of `chosen`, its disagreeing pairs, 0, 0). `order`,
    `rise` have the shape of `cell_a`; `following` (t + 1,) is the next child of each depth, -1
    for a node not opened yet. `chosen` receives the cells of a better solution.
    """
    n_types = counts.shape[0]
    depth = int(state[DEPTH])
    best = int(state[BEST])
    cost = int(state[COST])
    nodes = int(state[NODES])
    while depth >= 0 and nodes < until:
        if depth == n_types:
            if cost < best:
                best = cost
                for d in range(n_types):
                    chosen[d] = order[following[d] - 1]
        else:
            if following[depth] < 0:
                nodes += 1
                following[depth] = first[depth + 1]
                if rest_bound(depth, cost, best, table, r, s, counts, first, cell_a,
                              cell_b) < best:
                    list_children(depth, table, r, s, counts, first, cell_a, cell_b, order, rise)
                    following[depth] = first[depth]
            j = following[depth]
            # Children come by falling promise: after the first hopeless one none is better.
            if j < first[depth + 1] and cost + rise[j] < best:
                following[depth] = j + 1
                place(table, r, s, cell_a[order[j]], cell_b[order[j]], counts[depth])
                cost += rise[j]
                depth += 1
                following[depth] = -1
                continue
        depth -= 1
        if depth >= 0:
            j = following[depth] - 1
            place(table, r, s, cell_a[order[j]], cell_b[order[j]], -counts[depth])
            cost -= rise[j]
    state[DEPTH] = depth
    state[BEST] = best
    state[COST] = cost
    state[NODES] = nodes
    state[FINISHED] = 1 if depth < 0 else 0


@kernel
def d0_begin(a, b, m, k, c, relabellings):
    """The arrays of `d0_search` over types (a, b, m), and a bound of the root."""
    fixed, counts, first, cell_a, cell_b, _number = d0_setup(a, b, m, k, c)
    n_types = counts.shape[0]
    chosen = np.zeros(n_types, np.int64)
    best = d0_start(fixed, counts, first, cell_a, cell_b, relabellings, chosen)
    r = np.zeros(k, np.int64)
    s = np.zeros(c, np.int64)
    order = np.zeros(cell_a.shape[0], np.int64)
    rise = np.zeros(cell_a.shape[0], np.int64)
    following = np.zeros(n_types + 1, np.int64)
    following[0] = -1
    state = np.zeros(5, np.int64)
    state[COST] = disagreements(fixed, r, s)
    state[BEST] = best
    root = rest_bound(0, state[COST], best, fixed, r, s, counts, first, cell_a, cell_b)
    return (fixed, r, s, counts, first, cell_a, cell_b, order, rise, following, chosen,
            state), root


@kernel
def d0_types(a, b, m, k, c, relabellings, max_nodes, out):
    """Fewest disagreeing pairs of types (a, b, m): out = (low, high, nodes), all at once.

    low = high unless `max_nodes` was reached.
    """
    search, root = d0_begin(a, b, m, k, c, relabellings)
    state = search[11]
    d0_search(*search, max_nodes)
    out[0] = state[BEST] if state[FINISHED] == 1 else min(root, state[BEST])
    out[1] = state[BEST]
    out[2] = state[NODES]
