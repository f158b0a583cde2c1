"""Hard against rough: most disagreeing pairs, by boxes of cluster sizes.

Twice the disagreeing pairs of a table T with the rows' sums n_a and the column sums s are
sum of n_a^2 + |s|^2 - 2 |T|^2. Each row is an integer point of a base polytope, t(S) >= bel(S);
in a box of s the chords of |s|^2 decouple the rows, each of which is solved exactly, and branch
and bound splits the box. Everything is in integers. ``bel`` (k, 2^c) as in `hard_tables`.
"""

import numpy as np

from ..._kernels._jit import kernel
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
def tighten(low, high, n):
    """Shrink a box of column sums by their total n; whether anything is left."""
    c = low.shape[0]
    lows = 0
    highs = 0
    for b in range(c):
        lows += low[b]
        highs += high[b]
    if lows > n or highs < n:
        return False
    for b in range(c):
        new_low = max(low[b], n - highs + high[b])
        new_high = min(high[b], n - lows + low[b])
        low[b] = new_low
        high[b] = new_high
        if new_low > new_high:
            return False
    return True


@kernel
def box_bound(bel, low, high, slope, t, s, todo, sums):
    """Bound of |s|^2 - 2 |T|^2 in a box of s: s_b^2 <= (l + h) s_b - l h decouples the rows.

    s (c,) receives the column sums of the maximiser, `slope` the slopes; returns (bound, value
    of the maximiser itself).
    """
    k = bel.shape[0]
    c = low.shape[0]
    bound = 0
    for b in range(c):
        slope[b] = low[b] + high[b]
        bound -= low[b] * high[b]
        s[b] = 0
    rows = 0
    for a in range(k):
        rows += prox_row(bel[a], slope, t, todo, sums)
        for b in range(c):
            s[b] += t[b]
    bound += rows
    value = rows
    for b in range(c):
        value += s[b] * s[b] - slope[b] * s[b]
    return bound, value


@kernel
def climb(bel, s, value, slope, t, todo, sums):
    """Follow the tangent of |s|^2 while the value rises; s is changed."""
    k = bel.shape[0]
    c = s.shape[0]
    while True:
        for b in range(c):
            slope[b] = 2 * s[b]
            s[b] = 0
        rows = 0
        for a in range(k):
            rows += prox_row(bel[a], slope, t, todo, sums)
            for b in range(c):
                s[b] += t[b]
        new = rows
        for b in range(c):
            new += s[b] * s[b] - slope[b] * s[b]
        if new <= value:
            return value
        value = new


@kernel
def d1_begin(bel, boxes, limits, state):
    """The first box of column sums; see `d1_search`."""
    k, f = bel.shape
    c = boxes.shape[2]
    n = 0
    for b in range(c):
        boxes[0, 0, b] = 0
        boxes[0, 1, b] = 0
    for a in range(k):
        n += bel[a, f - 1]
        for b in range(c):
            boxes[0, 0, b] += bel[a, 1 << b]
            boxes[0, 1, b] += bel[a, f - 1] - bel[a, (f - 1) & ~(1 << b)]
    state[0] = 1
    state[1] = -2 * n * n - 1
    state[2] = 0
    state[3] = n
    limits[0] = n * n


@kernel
def d1_search(bel, boxes, limits, state, until):
    """Most |s|^2 - 2 |T|^2, by boxes of the column sums s, until `until` nodes.

    boxes (SPLITS * c + 2, 2, c) : stack of boxes, low and high
    limits (SPLITS * c + 2,) : a bound for each
    state (4,) : boxes waiting, best, nodes, n
    """
    c = boxes.shape[2]
    n = state[3]
    slope = np.zeros(c, np.int64)
    t = np.zeros(c, np.int64)
    s = np.zeros(c, np.int64)
    follow = np.zeros(c, np.int64)
    todo = np.zeros((c + 1, 3), np.int64)
    sums = np.zeros(1 << c, np.int64)
    low = np.zeros(c, np.int64)
    high = np.zeros(c, np.int64)
    waiting = int(state[0])
    best = int(state[1])
    nodes = int(state[2])
    while waiting > 0 and nodes < until:
        waiting -= 1
        if limits[waiting] <= best:
            continue
        copy_to(boxes[waiting, 0], low)
        copy_to(boxes[waiting, 1], high)
        nodes += 1
        if not tighten(low, high, n):
            continue
        bound, value = box_bound(bel, low, high, slope, t, s, todo, sums)
        bound -= (bound - n) & 1   # |s|^2 - 2 |T|^2 has the parity of n
        bound = min(bound, int(limits[waiting]))
        if value > best or nodes == 1:
            copy_to(s, follow)
            best = max(best, climb(bel, follow, value, slope, t, todo, sums))
        if bound <= best:
            continue
        # Split where the chord is farthest from the parabola, at the column sum found.
        widest = 0
        where = 0
        for b in range(c):
            gap = (s[b] - low[b]) * (high[b] - s[b])
            if gap > widest:
                widest = gap
                where = b
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
def hard_d1(bel, max_nodes, bounds):
    """Most disagreeing pairs: bounds = (low, high, nodes), low = high unless stopped."""
    c = labels_of(bel.shape[1])
    room = SPLITS * c + 2
    boxes = np.zeros((room, 2, c), np.int64)
    limits = np.zeros(room, np.int64)
    state = np.zeros(4, np.int64)
    d1_begin(bel, boxes, limits, state)
    d1_search(bel, boxes, limits, state, max_nodes)
    d1_bounds(bel, limits, state, bounds)


@kernel
def d1_bounds(bel, limits, state, bounds):
    """What a search proved, in disagreeing pairs: (low, high, nodes)."""
    k, f = bel.shape
    squares = 0
    for a in range(k):
        squares += bel[a, f - 1] * bel[a, f - 1]
    best = int(state[1])
    most = best
    for i in range(state[0]):
        most = max(most, int(limits[i]))
    bounds[0] = max(0, (squares + best) // 2)
    bounds[1] = (squares + most) // 2
    bounds[2] = state[2]
