"""Fewest disagreeing pairs of two hard or rough sides: branch and bound over types.

Objects are counted by type: a label set of x, a label set of y, how many. A *cell* (a, b) is a
label of x and a label of y; moving objects of one type from cell to cell changes the disagreeing
pairs by a quadratic with leading coefficient <= 0, so some optimum puts each type into one cell.
"""

from ....running.compiler import kernel

DEPTH, BEST, COST, NODES, OPEN, ROOT = 0, 1, 2, 3, 4, 5


@kernel
def search_types(counts, first, cells, table, r, s, kinds, order, rise, following, state, until):
    """Depth first until all is searched (state[DEPTH] < 0) or `until` nodes were opened.

    counts (t,) : objects of each type, whose cells are cells[0, j], cells[1, j] for j = first[i],
    ..., first[i + 1] - 1
    table (k, c), r (k,), s (c,) : zeros at the beginning; counts of the cells and their margins
    kinds (t,), order, rise (cells,), following (t + 1,) : scratch of the search
    state : depth, pairs that must be beaten, pairs, nodes, types with more than one cell, a bound
    of the root; all 0 but the second at the beginning
    """
    if state[NODES] == 0:
        # Types with one cell are placed; the others stand by falling count.
        many = 0
        for i in range(counts.shape[0]):
            j, m = first[i], counts[i]
            if first[i + 1] - j == 1:
                table[cells[0, j], cells[1, j]] += m
            elif m > 0:
                at = many
                many += 1
                while at > 0 and counts[kinds[at - 1]] < m:
                    kinds[at] = kinds[at - 1]
                    at -= 1
                kinds[at] = i
        twice = 0
        for x in range(r.shape[0]):
            for y in range(s.shape[0]):
                r[x] += table[x, y]
                s[y] += table[x, y]
                twice -= 2 * table[x, y] * table[x, y]
        for x in range(r.shape[0]):
            twice += r[x] * r[x]
        for y in range(s.shape[0]):
            twice += s[y] * s[y]
        state[COST] = twice // 2
        state[OPEN] = many
        following[0] = -1
    depth, best, cost, nodes = state[DEPTH], state[BEST], state[COST], state[NODES]
    many = state[OPEN]
    while depth >= 0 and nodes < until:
        if depth == many:
            nodes += 1
            best = min(best, cost)
        else:
            kind = kinds[depth]
            start, stop = first[kind], first[kind + 1]
            if following[depth] < 0:
                nodes += 1
                # Margins only grow: a type costs at least what it costs now in its best cell.
                bound = cost
                for d in range(depth, many):
                    if bound >= best and depth > 0:
                        break
                    i = kinds[d]
                    cheapest = -1
                    for j in range(first[i], first[i + 1]):
                        x, y = cells[0, j], cells[1, j]
                        price = r[x] + s[y] - 2 * table[x, y]
                        if cheapest < 0 or price < cheapest:
                            cheapest = price
                        if d == depth:   # its cells by the pairs they add, fewest first
                            at = j
                            while at > start and rise[at - 1] > price * counts[i]:
                                rise[at] = rise[at - 1]
                                order[at] = order[at - 1]
                                at -= 1
                            rise[at] = price * counts[i]
                            order[at] = j
                    bound += counts[i] * cheapest
                if depth == 0:
                    state[ROOT] = bound
                following[depth] = start if bound < best else stop
            j = following[depth]
            # After the first hopeless cell none is better.
            if j < stop and cost + rise[j] < best:
                following[depth] = j + 1
                x, y = cells[0, order[j]], cells[1, order[j]]
                table[x, y] += counts[kind]
                r[x] += counts[kind]
                s[y] += counts[kind]
                cost += rise[j]
                depth += 1
                following[depth] = -1
                continue
        depth -= 1
        if depth >= 0:
            kind = kinds[depth]
            j = following[depth] - 1
            x, y = cells[0, order[j]], cells[1, order[j]]
            table[x, y] -= counts[kind]
            r[x] -= counts[kind]
            s[y] -= counts[kind]
            cost -= rise[j]
    state[DEPTH], state[BEST], state[COST], state[NODES] = depth, best, cost, nodes
