"""Least alike completion: branch and bound over boxes of row sums.

Maximised over the ways to fill the columns of a table is beta X - W, or root sqrt(X - n) - W; X and
W are the sums of phi over row sums and cells, phi = t^2 or t ln t. Within a box each phi of a row
sum lies below its chord (and the square root below a tangent), so that columns separate. `task` and
`room` are the records of `box_room`.
"""

import numpy as np

from ..._numba import kernel

FINISHED, PAUSED, FULL = 0, 1, 2
#: what `counts` of the room holds
OPEN, FREE, NODES = 0, 1, 2
#: share of a side that each half of it keeps at least, as a divisor
KEPT = 3
#: tangents of the square root laid in one box
TURNS = 3


@kernel
def phi(logs, t):
    """t ln t or t^2 of a whole number."""
    if logs:
        return t * np.log(t) if t > 0 else 0.0
    return float(t) * t


@kernel
def chord_slope(logs, low, high):
    """Slope of the chord from low to high; of the next step where they are equal."""
    if not logs:
        return float(low + max(high, low + 1))
    top = max(high, low + 1)
    return (phi(logs, top) - phi(logs, low)) / (top - low)


@kernel
def fill_column(table, fill, steps, j, slope, weight, added, following, last):
    """The best filling of column j for slope_k z_k - phi(t_k + z_k): the greatest gains.

    Starts from the filling by real numbers, rounded, and exchanges objects one by one until no
    exchange gains. `weight` (r,) is exp(slope) up to a factor; `following` and `last` are scratch,
    at the end the gains of the next object and of the last one of each row.
    """
    r = slope.shape[0]
    logs = steps.shape[0] > 0
    c = fill[j]
    for k in range(r):
        following[k] = 1.0   # marks the rows that get anything
    level = 0.0
    changed = True
    while changed:
        top = float(c)
        bottom = 0.0
        for k in range(r):
            top += following[k] * (table[k, j] - (0.0 if logs else 0.5 * slope[k]))
            bottom += following[k] * weight[k]
        level = top / bottom
        changed = False
        for k in range(r):
            real = weight[k] * level + (0.0 if logs else 0.5 * slope[k])
            if following[k] > 0.0 and real < table[k, j]:
                following[k] = 0.0
                changed = True
    rest = c
    for k in range(r):
        real = weight[k] * level + (0.0 if logs else 0.5 * slope[k])
        z = 0
        if following[k] > 0.0:
            z = max(min(c, int(real + 0.5) - table[k, j]), 0)
        added[k, j] = z
        rest -= z
    gain = -1
    loss = -1
    while True:
        for k in range(r):
            if gain < 0 or k == gain or k == loss:
                t = table[k, j] + added[k, j]
                following[k] = slope[k] - (steps[t] if logs else 2.0 * t + 1.0)
                last[k] = np.inf
                if added[k, j] > 0:
                    last[k] = slope[k] - (steps[t - 1] if logs else 2.0 * t - 1.0)
        gain = 0
        loss = 0
        for k in range(1, r):
            if following[k] > following[gain]:
                gain = k
            if last[k] < last[loss]:
                loss = k
        if rest == 0 and not following[gain] > last[loss]:
            return
        if rest >= 0:
            added[gain, j] += 1
        if rest <= 0:
            added[loss, j] -= 1
        rest -= 1 if rest > 0 else (-1 if rest < 0 else 0)


@kernel
def relax(task, room, low, high, sums, climbing):
    """Bound on a box, and a filling that may be the best so far.

    The filling attains the chords of the box; `sums` receives its row sums, and has on entry those
    at which the tangent of the square root is laid first. When climbing there is no box: phi of a
    row sum is replaced by its tangent at `sums`, again and again while that gains.
    """
    r = sums.shape[0]
    logs = task.steps.shape[0] > 0
    lines, added = room.lines, room.added
    weight, following, last, chords, slope = lines[0], lines[1], lines[2], lines[3], lines[4]
    x = 0.0
    for k in range(r):
        if climbing:
            x += phi(logs, sums[k])
        else:
            chords[k] = chord_slope(logs, low[k], high[k])
            at = min(max(sums[k], low[k]), high[k])
            x += phi(logs, low[k]) + chords[k] * (at - low[k])
    bound = np.inf
    before = -np.inf
    turns = 0
    while True:
        beta = task.beta
        start = 0.0
        if task.root != 0.0:
            height = np.sqrt(max(x - task.n, 1.0))
            beta = task.root / (2.0 * height)
            start = task.root * height - beta * (height * height + task.n)
        most = -np.inf
        for k in range(r):
            if climbing:
                chords[k] = np.log(max(sums[k], 1)) if logs else 2.0 * sums[k]
            slope[k] = beta * chords[k]
            most = max(most, slope[k])
        for k in range(r):
            weight[k] = np.exp(slope[k] - most) if logs else 1.0
            sums[k] = task.a[k]
        w = task.outside
        for j in range(task.fill.shape[0]):
            fill_column(task.table, task.fill, task.steps, j, slope, weight, added, following, last)
            for k in range(r):
                sums[k] += added[k, j]
                t = task.table[k, j] + added[k, j]
                w += task.phis[t] if logs else float(t) * t
        true_x = 0.0
        x = 0.0
        for k in range(r):
            true_x += phi(logs, sums[k])
            if not climbing:
                x += phi(logs, low[k]) + chords[k] * (sums[k] - low[k])
        value = task.beta * true_x - w
        if task.root != 0.0:
            value = task.root * np.sqrt(max(true_x - task.n, 0.0)) - w
        if value > room.best[0]:
            room.best[0] = value
            for k in range(r):
                for j in range(task.fill.shape[0]):
                    room.best_added[k, j] = added[k, j]
        turns += 1
        if climbing:
            x = true_x
            if value <= before + task.margin:
                return bound
            before = value
        else:
            bound = min(bound, start + beta * x - w)
            if task.root == 0.0 or turns == TURNS:
                return bound


@kernel
def tighten(total, low, high):
    """Cut a box by the sum of all rows; False when nothing is left."""
    r = low.shape[0]
    for _ in range(2):
        spare = total
        for k in range(r):
            spare -= low[k]
        for k in range(r):
            high[k] = min(high[k], low[k] + spare)
        lack = -total
        for k in range(r):
            lack += high[k]
        for k in range(r):
            low[k] = max(low[k], high[k] - lack)
    for k in range(r):
        if low[k] > high[k]:
            return False
    return True


@kernel
def side_to_cut(task, low, high, sums):
    """The side whose chord is furthest above phi at the filling, and where to cut it."""
    logs = task.steps.shape[0] > 0
    side = -1
    most = 0.0
    for k in range(low.shape[0]):
        if high[k] - low[k] > 1:
            gap = (phi(logs, low[k]) - phi(logs, sums[k])
                   + chord_slope(logs, low[k], high[k]) * (sums[k] - low[k]))
            if gap > most:
                side = k
                most = gap
    if side < 0:
        side = 0
        for k in range(1, low.shape[0]):
            if high[k] - low[k] > high[side] - low[side]:
                side = k
    spare = (high[side] - low[side]) // KEPT
    cut = min(max(sums[side], low[side] + spare), high[side] - 1 - spare)
    return side, max(low[side], min(cut, high[side] - 1))


@kernel
def push(room, slot):
    """Put an open box on the heap."""
    heap, bounds, counts = room.heap, room.bounds, room.counts
    i = counts[OPEN]
    counts[OPEN] += 1
    while i > 0 and bounds[heap[(i - 1) // 2]] < bounds[slot]:
        heap[i] = heap[(i - 1) // 2]
        i = (i - 1) // 2
    heap[i] = slot


@kernel
def pop(room):
    """Take the box of the greatest bound off the heap."""
    heap, bounds, counts = room.heap, room.bounds, room.counts
    found = heap[0]
    counts[OPEN] -= 1
    size = counts[OPEN]
    if size == 0:
        return found
    slot = heap[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and bounds[heap[child + 1]] > bounds[heap[child]]:
            child += 1
        if bounds[heap[child]] <= bounds[slot]:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = slot
    return found


def _steps(task, room, starts, nodes):
    return nodes * task.table.size * 12


@kernel
def search(task, room, starts, nodes):
    """Cut open boxes, the greatest bound first, at most so many times.

    The first call climbs from `starts` (m, r), row sums, before that.
    """
    r = task.a.shape[0]
    counts, bounds = room.counts, room.bounds
    low, high, sums = room.ends[0], room.ends[1], room.ends[2]
    spare = 0
    total = 0
    for j in range(task.fill.shape[0]):
        spare += task.fill[j]
    for k in range(r):
        total += task.a[k]
    total += spare
    if counts[NODES] == 0:
        counts[NODES] = 1
        for i in range(starts.shape[0]):
            for k in range(r):
                sums[k] = starts[i, k]
            relax(task, room, low, high, sums, True)
        counts[FREE] -= 1
        slot = room.free[counts[FREE]]
        bounds[slot] = np.inf
        for k in range(r):
            room.lows[slot, k] = task.a[k]
            room.highs[slot, k] = task.a[k] + spare
            room.sums[slot, k] = sums[k]
        push(room, slot)
    for _ in range(nodes):
        if counts[OPEN] == 0 or bounds[room.heap[0]] <= room.best[0] + task.margin:
            return FINISHED
        if counts[FREE] < 2:
            return FULL
        taken = pop(room)
        side, cut = side_to_cut(task, room.lows[taken], room.highs[taken], room.sums[taken])
        for half in range(2):
            for k in range(r):
                low[k] = room.lows[taken, k]
                high[k] = room.highs[taken, k]
                sums[k] = room.sums[taken, k]
            low[side] = low[side] if half == 0 else cut + 1
            high[side] = cut if half == 0 else high[side]
            if not tighten(total, low, high):
                continue
            counts[NODES] += 1
            bound = min(bounds[taken], relax(task, room, low, high, sums, False))
            widest = 0
            for k in range(r):
                widest = max(widest, high[k] - low[k])
            if bound > room.best[0] + task.margin and widest > (1 if task.root == 0.0 else 0):
                counts[FREE] -= 1
                slot = room.free[counts[FREE]]
                bounds[slot] = bound
                for k in range(r):
                    room.lows[slot, k] = low[k]
                    room.highs[slot, k] = high[k]
                    room.sums[slot, k] = sums[k]
                push(room, slot)
        room.free[counts[FREE]] = taken
        counts[FREE] += 1
    return PAUSED
