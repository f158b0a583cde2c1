"""Most disagreeing pairs when objects choose cells of a table, by boxes of cluster sizes.

Twice the disagreeing pairs of a table T are |s|^2 - 2 |T|^2, with s the sizes of the clusters of
both sides. Each row of cells is an integer point of a base polytope, t(S) >= bel(S); in a box of
s the chords of |s|^2 decouple the rows, each of which is solved exactly, and branch and bound
splits the box. Everything is in integers.

A search is over ``bel`` (rows, 2^cells): the number of objects of each row whose cells lie within
a set. ``sizes`` (2, cells) int64 names the sizes that a cell counts in, -1 for none: with a hard
x a row is a class, whose size is fixed, and a cell a label of y. The first `split` sizes sum to
n, the number of objects, and so do the others if there are any.
"""

import numpy as np

from ..._numba import kernel
from .type_search import copy_to

#: boxes on one path of the search are at most so many times labels: each split leaves at most
#: three quarters of a range below 2^31
SPLITS = 80


@kernel
def labels_of(f):
    """c for f = 2^c sets."""
    c = 0
    while f > 1 << c:
        c += 1
    return c


@kernel
def prox_row(bel, slope, t, todo, sums):
    """Largest slope . t - 2 |t|^2 over integer t with t(S) >= bel(S), t(all) = bel(all).

    The decomposition algorithm for separable concave functions on base polytopes: forget the
    sets, split at the most violated one. t (c,) receives the maximiser; todo (c + 1, 3) and
    sums (2^c,) are scratch.
    """
    c = slope.shape[0]
    f = bel.shape[0]
    todo[0, 0] = f - 1
    todo[0, 1] = 0
    todo[0, 2] = bel[f - 1]
    waiting = 1
    value = 0
    while waiting > 0:
        waiting -= 1
        labels = todo[waiting, 0]
        below = todo[waiting, 1]
        amount = todo[waiting, 2]
        spread_evenly(labels, amount, slope, t)
        worst = 0
        where = 0
        if labels & (labels - 1) != 0:
            for b in range(c):
                for q in range(1 << b):
                    sums[q | (1 << b)] = sums[q] + t[b]
            q = (labels - 1) & labels
            while q > 0:
                lack = bel[q | below] - bel[below] - sums[q]
                if lack > worst:
                    worst = lack
                    where = q
                q = (q - 1) & labels
        if worst > 0:
            needed = bel[where | below] - bel[below]
            todo[waiting, 0] = where
            todo[waiting, 2] = needed
            todo[waiting + 1, 0] = labels & ~where
            todo[waiting + 1, 1] = below | where
            todo[waiting + 1, 2] = amount - needed
            waiting += 2
        else:
            for b in range(c):
                if (labels >> b) & 1 == 1:
                    value += slope[b] * t[b] - 2 * t[b] * t[b]
    return value


@kernel
def spread_evenly(labels, amount, slope, t):
    """Integers on `labels` with sum `amount` and largest slope . t - 2 |t|^2."""
    c = slope.shape[0]
    size = 0
    total = 0
    for b in range(c):
        if (labels >> b) & 1 == 1:
            size += 1
            total += slope[b]
    shift = 4 * amount - total
    left = amount
    for b in range(c):
        if (labels >> b) & 1 == 1:
            t[b] = (size * slope[b] + shift) // (4 * size)
            left -= t[b]
    # The missing units go to the largest remainders, each label at most one.
    taken = 0
    while left > 0:
        largest = -1
        where = 0
        for b in range(c):
            if (labels >> b) & 1 == 1 and (taken >> b) & 1 == 0:
                remainder = (size * slope[b] + shift) % (4 * size)
                if remainder > largest:
                    largest = remainder
                    where = b
        t[where] += 1
        taken |= 1 << where
        left -= 1


@kernel
def tighten(low, high, first, stop, n):
    """Shrink the sides `first` to `stop` - 1 of a box by their sum n; whether anything is left."""
    lows = 0
    highs = 0
    for d in range(first, stop):
        lows += low[d]
        highs += high[d]
    if first < stop and (lows > n or highs < n):
        return False
    for d in range(first, stop):
        new_low = max(low[d], n - highs + high[d])
        new_high = min(high[d], n - lows + low[d])
        low[d] = new_low
        high[d] = new_high
        if new_low > new_high:
            return False
    return True


@kernel
def respond(bel, sizes, slope, s, cell_slope, t, todo, sums):
    """Largest slope . s - 2 |T|^2; s receives the sizes there."""
    for d in range(s.shape[0]):
        s[d] = 0
    for j in range(t.shape[0]):
        cell_slope[j] = 0
        for side in range(2):
            if sizes[side, j] >= 0:
                cell_slope[j] += slope[sizes[side, j]]
    most = 0
    for a in range(bel.shape[0]):
        most += prox_row(bel[a], cell_slope, t, todo, sums)
        for j in range(t.shape[0]):
            for side in range(2):
                if sizes[side, j] >= 0:
                    s[sizes[side, j]] += t[j]
    return most


@kernel
def value_of(most, slope, s):
    """|s|^2 - 2 |T|^2 where `respond` found `most`."""
    for d in range(s.shape[0]):
        most += s[d] * (s[d] - slope[d])
    return most


@kernel
def d1_begin(bel, sizes, dims):
    """boxes, limits and state for `d1_search` over `dims` sizes, with the first box."""
    boxes = np.zeros((SPLITS * dims + 2, 2, dims), np.int64)
    limits = np.zeros(SPLITS * dims + 2, np.int64)
    state = np.zeros(4, np.int64)
    rows, f = bel.shape
    n = 0
    for a in range(rows):
        n += bel[a, f - 1]
    for d in range(dims):
        inside = 0
        for j in range(sizes.shape[1]):
            if sizes[0, j] == d or sizes[1, j] == d:
                inside |= 1 << j
        boxes[0, 0, d] = 0
        boxes[0, 1, d] = n
        for a in range(rows):
            boxes[0, 0, d] += bel[a, inside]
            boxes[0, 1, d] -= bel[a, (f - 1) & ~inside]
    state[0] = 1
    state[1] = -2 * n * n - 1
    state[2] = 0
    state[3] = n
    limits[0] = 2 * n * n
    return boxes, limits, state


@kernel
def d1_search(bel, sizes, split, boxes, limits, state, until, enough):
    """Most |s|^2 - 2 |T|^2, by boxes of the sizes s, until `until` nodes or a value `enough`.

    boxes (SPLITS * sizes + 2, 2, sizes) : stack of boxes, low and high
    limits (SPLITS * sizes + 2,) : a bound for each
    state (4,) : boxes waiting, best, nodes, n
    """
    dims = boxes.shape[2]
    cells = sizes.shape[1]
    n = state[3]
    total = n if split == dims else 2 * n   # of all sizes; |s|^2 - 2 |T|^2 has its parity
    slope = np.zeros(dims, np.int64)
    s = np.zeros(dims, np.int64)
    follow = np.zeros(dims, np.int64)
    low = np.zeros(dims, np.int64)
    high = np.zeros(dims, np.int64)
    cell_slope = np.zeros(cells, np.int64)
    t = np.zeros(cells, np.int64)
    todo = np.zeros((cells + 1, 3), np.int64)
    sums = np.zeros(1 << cells, np.int64)
    waiting = int(state[0])
    best = int(state[1])
    nodes = int(state[2])
    while waiting > 0 and nodes < until and best < enough:
        waiting -= 1
        if limits[waiting] <= best:
            continue
        copy_to(boxes[waiting, 0], low)
        copy_to(boxes[waiting, 1], high)
        nodes += 1
        if not tighten(low, high, 0, split, n) or not tighten(low, high, split, dims, n):
            continue
        # The chords: s_d^2 <= (l + h) s_d - l h.
        bound = 0
        for d in range(dims):
            slope[d] = low[d] + high[d]
            bound -= low[d] * high[d]
        most = respond(bel, sizes, slope, s, cell_slope, t, todo, sums)
        bound += most
        bound = min(bound - ((bound - total) & 1), int(limits[waiting]))
        value = value_of(most, slope, s)
        copy_to(s, follow)
        while value > best:   # follow the tangent of |s|^2 while the value rises
            best = value
            for d in range(dims):
                slope[d] = 2 * follow[d]
            value = value_of(respond(bel, sizes, slope, follow, cell_slope, t, todo, sums),
                             slope, follow)
        if bound <= best:
            continue
        # Split where the chord is farthest from the parabola, at the size found.
        widest = 0
        where = 0
        for d in range(dims):
            gap = (s[d] - low[d]) * (high[d] - s[d])
            if gap > widest:
                widest = gap
                where = d
        quarter = (high[where] - low[where]) // 4
        middle = min(max(s[where], low[where] + quarter), high[where] - 1 - quarter)
        for side in range(2):
            copy_to(low, boxes[waiting, 0])
            copy_to(high, boxes[waiting, 1])
            if side == 0:
                boxes[waiting, 1, where] = middle
            else:
                boxes[waiting, 0, where] = middle + 1
            limits[waiting] = bound
            waiting += 1
    state[0] = waiting
    state[1] = best
    state[2] = nodes


@kernel
def d1_bound(limits, state):
    """What the boxes that wait, and the best found, leave possible."""
    most = int(state[1])
    for i in range(state[0]):
        most = max(most, int(limits[i]))
    return most


@kernel
def hard_sizes(c):
    """`sizes` of a hard x: a cell is a label of y."""
    sizes = np.full((2, c), -1)
    for b in range(c):
        sizes[0, b] = b
    return sizes


@kernel
def hard_d1(bel, max_nodes, bounds):
    """Most disagreeing pairs of a hard x: bounds = (low, high, nodes), low = high unless stopped.

    ``bel`` (k, 2^c) as in `hard_tables`.
    """
    c = labels_of(bel.shape[1])
    sizes = hard_sizes(c)
    boxes, limits, state = d1_begin(bel, sizes, c)
    d1_search(bel, sizes, c, boxes, limits, state, max_nodes, 1 << 62)
    hard_bounds(bel, limits, state, bounds)


@kernel
def hard_bounds(bel, limits, state, bounds):
    """What a search proved for a hard x, in disagreeing pairs: (low, high, nodes)."""
    k, f = bel.shape
    squares = 0
    for a in range(k):
        squares += bel[a, f - 1] * bel[a, f - 1]
    bounds[0] = max(0, (squares + state[1]) // 2)
    bounds[1] = (squares + d1_bound(limits, state)) // 2
    bounds[2] = state[2]
