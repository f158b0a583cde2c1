"""Points of a weighted problem in blocks, and k-means++ seeds from uniform numbers.

Points lie in blocks, features first, (blocks, d, BLOCK), so that distances of many points to one
centre are one vector loop without slices, each of which would cost as much as ten points. Beside
them lie their `moments`, mass times point, of the same shape.

Points of many features (`tiled`) lie in tiles, (tiles, d, TILE), see `_tiles`; the `moments` are
then their rows, (blocks, BLOCK, d). One number a point always lies in blocks, (blocks, BLOCK).

A table of the distances between all objects would gain nothing: with it a step of a start takes
3.3 us on digits (1136 different objects drawn of 1797, 64 features), with tiles 3.2 us.
"""

from ._jit import borrowing, inlined
from ._tile_rows import copy_row, turn_rows
from ._tiles import TILE, approach_tiles, tiled

#: points whose distances to all centres are found together; they stay in the first-level cache
BLOCK = 256
#: values summed as one when a value is chosen in proportion
RUN = 16


@borrowing
def add_draws(indices, draw_weights, weights):
    """Weight of each object: the sum over its draws."""
    for i in range(weights.shape[0]):
        weights[i] = 0.0
    for t in range(indices.shape[0]):
        weights[indices[t]] += draw_weights[t]


@borrowing
def gather(x, weights, points, moments, masses, index):
    """Copy the m objects of positive weight from x (n, d) into blocks or rows; m."""
    m = 0
    for i in range(x.shape[0]):
        # Written always, counted sometimes: random weights would mislead a branch.
        index[m] = i
        m += 1 if weights[i] > 0.0 else 0
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = min(BLOCK, m - start)
        for t in range(size):
            masses[b, t] = weights[index[start + t]]
        if tiled(x.shape[1]):
            for t in range(size):
                copy_row(x, index[start + t], moments, start + t)
        else:
            for j in range(x.shape[1]):
                for t in range(size):
                    points[b, j, t] = x[index[start + t], j]
    return m


@inlined
def whole_runs(size):
    """`size` up to whole runs, in a form that tells the compiler: no loop needs a remainder."""
    return (size + RUN - 1) & -RUN


@borrowing
def complete(points, masses, m, moments):
    """Repeat the last point with mass 0 up to a whole run; then moments, or tiles from rows."""
    if tiled(points.shape[1]):
        complete_rows(points, masses, m, moments)
        return
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = min(BLOCK, m - start)
        for t in range(size, whole_runs(size)):
            masses[b, t] = 0.0
            for j in range(points.shape[1]):
                points[b, j, t] = points[b, j, size - 1]
        for j in range(points.shape[1]):
            for t in range(whole_runs(size)):
                moments[b, j, t] = masses[b, t] * points[b, j, t]


@borrowing
def complete_rows(points, masses, m, rows):
    """`complete` for points in tiles."""
    last = (m - 1) // BLOCK
    size = m - last * BLOCK
    for t in range(size, whole_runs(size)):
        masses[last, t] = 0.0
        copy_row(rows[last], size - 1, rows, last * BLOCK + t)
    for t in range(whole_runs(m) // TILE):
        turn_rows(rows, t, points)


@inlined
def take_point(points, moments, t, centers, s, k):
    """Centre k of set s is point t."""
    b = t // BLOCK
    if tiled(points.shape[1]):
        for j in range(points.shape[1]):
            centers[s, k, j] = moments[b, t - b * BLOCK, j]
    else:
        for j in range(points.shape[1]):
            centers[s, k, j] = points[b, j, t - b * BLOCK]


@borrowing
def sum_runs(values, m, runs):
    """Sums of `RUN` values each, which are 0 up to a whole run; their total."""
    total = 0.0
    count = (m + RUN - 1) // RUN
    for r in range(count):
        b = r // (BLOCK // RUN)
        t = r % (BLOCK // RUN) * RUN
        s = (((values[b, t] + values[b, t + 1]) + (values[b, t + 2] + values[b, t + 3]))
             + ((values[b, t + 4] + values[b, t + 5]) + (values[b, t + 6] + values[b, t + 7])))
        s += (((values[b, t + 8] + values[b, t + 9]) + (values[b, t + 10] + values[b, t + 11]))
              + ((values[b, t + 12] + values[b, t + 13])
                 + (values[b, t + 14] + values[b, t + 15])))
        runs[r] = s
        total += s
    return total


@inlined
def choose(values, m, uniform, runs, total):
    """The first t with values[0] + ... + values[t] > uniform * total; -1 when all are 0.

    Sums are taken over the runs, see `sum_runs`, and then within one.
    """
    count = (m + RUN - 1) // RUN
    if not total > 0.0:
        return -1
    target = uniform * total
    below = 0.0
    chosen = 0   # the last positive one, should rounding leave the target unreached
    for r in range(count):
        if runs[r] > 0.0:
            chosen = r
            if below + runs[r] > target:
                break
            below += runs[r]
    b = chosen // (BLOCK // RUN)
    start = chosen * RUN
    last = start
    for t in range(start, min(start + RUN, m)):
        value = values[b, t - b * BLOCK]
        if value > 0.0:
            last = t
            below += value
            if below > target:
                break
    return last


@borrowing
def take_seed(points, moments, masses, m, uniform, centers, s, k, values, runs, mass_runs, mass):
    """Centre k of set s is a point drawn in proportion to the values, the first one to the mass."""
    t = -1
    if k > 0:
        t = choose(values, m, uniform, runs, sum_runs(values, m, runs))
    if t < 0:   # the first centre; or every point has a centre already
        t = max(0, choose(masses, m, uniform, mass_runs, mass))
    take_point(points, moments, t, centers, s, k)


@borrowing
def seed(points, moments, masses, m, uniforms, first, count, centers, labels, nearest, values, runs,
         mass_runs, mass):
    """Weighted k-means++ with one candidate a step: centres of `count` sets at points.

    `uniforms` has a row a start, one number a centre; set s gets row `first` + s. `mass_runs` and
    `mass` are what `sum_runs` finds for the masses. For points in tiles the sets go abreast, and
    `labels` and `nearest` become the nearest of the centres, which is the first pass of k-means.
    """
    clusters = centers.shape[1]
    if tiled(points.shape[1]):
        for k in range(clusters):
            for s in range(count):
                take_seed(points, moments, masses, m, uniforms[first + s, k], centers, s, k,
                          values[s], runs, mass_runs, mass)
            approach_tiles(points, 0, whole_runs(m) // TILE, masses, centers, count, k, labels,
                           nearest, values)
        return
    for s in range(count):
        for k in range(clusters):
            take_seed(points, moments, masses, m, uniforms[first + s, k], centers, s, k,
                      values[0], runs, mass_runs, mass)
            if k + 1 < clusters:
                weigh(points, masses, m, centers, s, k, nearest, values[0])


@inlined
def weigh(points, masses, m, centers, s, k, nearest, values):
    """`values`: mass times squared distance to the nearest of centres 0 to k of set s, in runs."""
    d = points.shape[1]
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = whole_runs(min(BLOCK, m - start))
        c = centers[s, k, 0]
        if d == 2:   # everything in one loop
            p = centers[s, k, 1]
            if k == 0:
                for i in range(size):
                    e = points[b, 0, i] - c
                    f = points[b, 1, i] - p
                    r = e * e + f * f
                    nearest[s, b, i] = r
                    values[b, i] = masses[b, i] * r
            else:
                for i in range(size):
                    e = points[b, 0, i] - c
                    f = points[b, 1, i] - p
                    r = min(e * e + f * f, nearest[s, b, i])
                    nearest[s, b, i] = r
                    values[b, i] = masses[b, i] * r
        else:
            for i in range(size):
                e = points[b, 0, i] - c
                values[b, i] = e * e
            for j in range(1, d):
                c = centers[s, k, j]
                for i in range(size):
                    e = points[b, j, i] - c
                    values[b, i] += e * e
            if k == 0:
                for i in range(size):
                    nearest[s, b, i] = values[b, i]
                    values[b, i] = masses[b, i] * nearest[s, b, i]
            else:
                for i in range(size):
                    nearest[s, b, i] = min(values[b, i], nearest[s, b, i])
                    values[b, i] = masses[b, i] * nearest[s, b, i]
