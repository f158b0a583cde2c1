"""Weighted k-means of many small problems: one replicate after another, no allocation.

Points lie in blocks or tiles, features first, see `seeding`. Distances are sums of squared
differences (nothing cancels), compared strictly in the order of the clusters: ties go to the lowest
index. All sums have a fixed order.
"""

from ._jit import borrowing, inlined
from ._lanes import assign_and_sum, written_out
from ._tile_rows import add_row, move_row
from ._tiles import GROUP, tiled
from .bounds import (
    assign_bounded,
    begin_bounds,
    find_drift,
    find_guard,
    find_nearest,
    order_by_label,
    restore_order,
    worth_bounds,
)
from .nearest import assign, assign_tiles
from .seeding import (
    BLOCK,
    add_draws,
    complete,
    gather,
    seed,
    sum_runs,
    take_point,
    whole_runs,
)

#: what is compiled, in messages
TOPIC = "k-means"

#: partial sums taken in turn: an addition need not wait for the one just before it
TURNS = 4

#: means are updated by the points that moved when they are fewer than one in so many
FEW = 3
#: and every cluster keeps more than this share of the mass
LEAST = 1e-6

#: a start must beat the best one by this factor: those that find the same clusters by another way
#: differ in the last bits
SAME = 1 - 1e-12

#: starts iterated in turns: while one waits for its centres, another's distances are computed
ABREAST = 2
#: when the points are few, so that both stay in the first-level cache
ABREAST_BLOCKS = 4
#: starts seeded in one sweep over tiles: each is read once for all of them
SEEDED_TOGETHER = GROUP

#: passes in tiles after which points are put in the order of their labels, see `bounds`
ORDERED_AFTER = 2
#: how a pass in tiles finds the nearest centres: all distances; the same for points in order, and
#: margins; those that margins do not rule out
PLAIN, ORDERED, BOUNDED = 0, 1, 2

#: status of a replicate
RUNNING = -1
CONVERGED = 0
STOPPED = 1   # labels still changed in the last of max_iter passes
EMPTY = 2     # fewer distinct points than clusters: some cluster has no point


@borrowing
def update_rows(rows, masses, m, order, labels, centers, sums, s):
    """`update` for points in tiles, from their rows in this order."""
    width = rows.shape[2] + 1
    for r in range(sums.shape[2]):
        sums[s, 0, r] = 0.0
    for t in range(m):
        at = order[t]
        add_row(sums[s, 0], labels[s, t // BLOCK, t % BLOCK] * width, rows, at,
                masses[at // BLOCK, at % BLOCK])
    return divide(centers, sums, s)


@borrowing
def shift_rows(rows, masses, order, moved, count, before, labels, centers, sums, s):
    """`shift` for points in tiles, by moving the rows of the first `count` points of `moved`."""
    width = rows.shape[2] + 1
    for r in range(count):
        b = moved[r] // BLOCK
        i = moved[r] - b * BLOCK
        at = order[moved[r]]
        move_row(sums[s, 0], before[s, b, i] * width, labels[s, b, i] * width, rows, at,
                 masses[at // BLOCK, at % BLOCK])
    return divide_shifted(centers[s], sums[s])


@borrowing
def list_changes(m, before, labels, moved):
    """Points whose label changed; how many."""
    count = 0
    for t in range(m):
        # Written always, counted sometimes: see `gather`.
        moved[count] = t
        count += 1 if before[t // BLOCK, t % BLOCK] != labels[t // BLOCK, t % BLOCK] else 0
    return count


@borrowing
def update(points, masses, m, labels, centers, sums, s):
    """Weighted means of set s; False, and nothing done, when a cluster is empty.

    `labels` and `centers` are of all sets, as are `sums` (., TURNS, K (d + 1)), scratch: of each
    cluster the mass, then the features.
    """
    d = points.shape[1]
    width = d + 1
    for turn in range(TURNS):
        for r in range(sums.shape[2]):
            sums[s, turn, r] = 0.0
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = min(BLOCK, m - start)
        whole = size - size % TURNS
        # An odd number of features begins with one alone, an even one with two; the mass goes
        # with them, the others go in twos.
        if d % 2 == 1:
            for i in range(0, whole, TURNS):
                for turn in range(TURNS):
                    r = labels[s, b, i + turn] * width
                    mass = masses[b, i + turn]
                    sums[s, turn, r] += mass
                    sums[s, turn, r + 1] += mass * points[b, 0, i + turn]
            for i in range(whole, size):
                r = labels[s, b, i] * width
                sums[s, 0, r] += masses[b, i]
                sums[s, 0, r + 1] += masses[b, i] * points[b, 0, i]
        else:
            for i in range(0, whole, TURNS):
                for turn in range(TURNS):
                    r = labels[s, b, i + turn] * width
                    mass = masses[b, i + turn]
                    sums[s, turn, r] += mass
                    sums[s, turn, r + 1] += mass * points[b, 0, i + turn]
                    sums[s, turn, r + 2] += mass * points[b, 1, i + turn]
            for i in range(whole, size):
                r = labels[s, b, i] * width
                sums[s, 0, r] += masses[b, i]
                sums[s, 0, r + 1] += masses[b, i] * points[b, 0, i]
                sums[s, 0, r + 2] += masses[b, i] * points[b, 1, i]
        for j in range(2 - d % 2, d, 2):
            for i in range(0, whole, TURNS):
                for turn in range(TURNS):
                    r = labels[s, b, i + turn] * width + j + 1
                    mass = masses[b, i + turn]
                    sums[s, turn, r] += mass * points[b, j, i + turn]
                    sums[s, turn, r + 1] += mass * points[b, j + 1, i + turn]
            for i in range(whole, size):
                r = labels[s, b, i] * width + j + 1
                sums[s, 0, r] += masses[b, i] * points[b, j, i]
                sums[s, 0, r + 1] += masses[b, i] * points[b, j + 1, i]
    for r in range(sums.shape[2]):
        sums[s, 0, r] = (sums[s, 0, r] + sums[s, 1, r]) + (sums[s, 2, r] + sums[s, 3, r])
    return divide(centers, sums, s)


@inlined
def divide(centers, sums, s):
    """Means of set s from its sums; False, and nothing done, when a cluster is empty."""
    width = centers.shape[2] + 1
    for k in range(centers.shape[1]):
        if sums[s, 0, k * width] == 0.0:
            return False
    if width == 3:   # in pairs: a pass of few points waits for these quotients
        for k in range(centers.shape[1]):
            mass = sums[s, 0, 3 * k]
            first = sums[s, 0, 3 * k + 1] / mass
            second = sums[s, 0, 3 * k + 2] / mass
            centers[s, k, 0] = first
            centers[s, k, 1] = second
        return True
    for k in range(centers.shape[1]):
        for j in range(centers.shape[2]):
            centers[s, k, j] = sums[s, 0, k * width + j + 1] / sums[s, 0, k * width]
    return True


@borrowing
def shift(points, masses, m, before, labels, centers, sums, moved):
    """As `update`, by moving the few points whose label changed; False when a cluster is nearly
    empty, where what is left of its sums would be rounding.
    """
    d = points.shape[1]
    width = d + 1
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        count = 0
        for i in range(min(BLOCK, m - start)):
            # Written always, counted sometimes: see `gather`.
            moved[count] = i
            count += 1 if before[b, i] != labels[b, i] else 0
        for t in range(count):
            i = moved[t]
            r = before[b, i] * width
            q = labels[b, i] * width
            mass = masses[b, i]
            sums[0, r] -= mass
            sums[0, q] += mass
            for j in range(d):
                value = mass * points[b, j, i]
                sums[0, r + j + 1] -= value
                sums[0, q + j + 1] += value
    return divide_shifted(centers, sums)


@borrowing
def divide_shifted(centers, sums):
    """Means from sums that were changed; False, and nothing done, where one is mostly rounding."""
    width = centers.shape[1] + 1
    total = 0.0
    for k in range(centers.shape[0]):
        total += sums[0, k * width]
    for k in range(centers.shape[0]):
        if not sums[0, k * width] > LEAST * total:
            return False
    for k in range(centers.shape[0]):
        mass = sums[0, k * width]
        for j in range(centers.shape[1]):
            centers[k, j] = sums[0, k * width + j + 1] / mass
    return True


@borrowing
def first_empty(m, labels, counts):
    """Lowest cluster without a point, or -1."""
    for k in range(counts.shape[0]):
        counts[k] = 0
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        for i in range(min(BLOCK, m - start)):
            counts[labels[b, i]] = 1
    for k in range(counts.shape[0]):
        if counts[k] == 0:
            return k
    return -1


@borrowing
def fill_empty(points, moments, m, centers, labels, nearest, total, new, counts, s):
    """Each empty cluster of set s takes the point farthest from its centre; the pass repeats.

    Every repetition sets one more distance to 0 and enlarges none, so there are fewer than m.
    True when a cluster stays empty because every point lies on a centre.
    """
    empty = first_empty(m, labels[s], counts)
    while empty >= 0:
        farthest = 0
        most = 0.0
        for t in range(m):
            if nearest[s, t // BLOCK, t % BLOCK] > most:
                most = nearest[s, t // BLOCK, t % BLOCK]
                farthest = t
        if not most > 0.0:
            return True
        take_point(points, moments, farthest, centers, s, empty)
        assign(points, m, centers[s], labels[s], nearest[s], total, new)
        empty = first_empty(m, labels[s], counts)
    return False


@borrowing
def copy_labels(labels, m, before):
    """Keep the labels of a pass."""
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        for i in range(min(BLOCK, m - start)):
            before[b, i] = labels[b, i]


@inlined
def one_pass(points, moments, masses, m, centers, labels, before, nearest, total, new, counts, sums,
             s, small, first):
    """Nearest centres and then their means; RUNNING, or the status at the end.

    Without a change the clusters are those of the pass before; when every point lies on a centre
    (EMPTY) nothing is left to improve. Rows are cut out only where that costs nothing: a slice
    counts its users.
    """
    if small:
        changed = 0
        for r in range(sums.shape[2]):
            sums[s, 0, r] = 0.0
        for start in range(0, m, BLOCK):
            changed += assign_and_sum(points, moments, masses, centers, labels, nearest, sums, s,
                                      start // BLOCK, min(BLOCK, m - start))
        if changed == 0:
            return CONVERGED
        if divide(centers, sums, s):
            return RUNNING
    else:
        if not first:
            copy_labels(labels[s], m, before[s])
        changed = assign(points, m, centers[s], labels[s], nearest[s], total, new)
        if changed == 0:
            return CONVERGED
        if not first and changed * FEW < m:
            if shift(points, masses, m, before[s], labels[s], centers[s], sums[s], new):
                return RUNNING
        if update(points, masses, m, labels, centers, sums, s):
            return RUNNING
    if fill_empty(points, moments, m, centers, labels, nearest, total, new, counts, s):
        return EMPTY
    last = (m - 1) // BLOCK
    for i in range(m - last * BLOCK, whole_runs(m - last * BLOCK)):   # the last point, repeated
        labels[s, last, i] = labels[s, last, m - 1 - last * BLOCK]
    update(points, masses, m, labels, centers, sums, s)
    return RUNNING


@borrowing
def lloyd_tiles(points, rows, masses, m, max_iter, centers, seeded, labels, before, nearest, total,
                new, counts, sums, s, bounds):
    """Lloyd's iterations of set s for points in tiles; passes and status."""
    order = bounds.order
    for t in range(m):
        order[t] = t
        if not seeded:
            labels[s, t // BLOCK, t % BLOCK] = -1
    shortens = worth_bounds(centers.shape[1], centers.shape[2])
    way = PLAIN
    guard = 0.0
    for n_iter in range(1, max_iter + 1):
        changed = m   # of seeds: `seed` has found the nearest
        if n_iter > 1:
            copy_labels(labels[s], m, before[s])
        if way == BOUNDED:
            changed = assign_bounded(m, centers[s], labels[s], nearest[s], guard, bounds, False)
        elif way == ORDERED:
            changed = begin_bounds(rows, m, centers[s], labels[s], nearest[s], bounds)
            guard = find_guard(m, max_iter, centers[s], nearest[s])
        elif n_iter > 1 or not seeded:
            changed = assign_tiles(points, m, centers[s], labels[s], nearest[s])
        if changed == 0:
            if way == BOUNDED:
                find_nearest(m, centers[s], labels[s], nearest[s], bounds)
            if way != PLAIN:
                restore_order(labels[s], nearest[s], m, order, before[s], bounds.spare)
            return n_iter, CONVERGED
        if way != PLAIN:
            copy_centers(centers, s, bounds.old)
        few = n_iter > 1 and changed * FEW < m
        if few and way == PLAIN:
            list_changes(m, before[s], labels[s], bounds.moved)
        found = few and shift_rows(rows, masses, order, bounds.moved, changed, before, labels,
                                   centers, sums, s)
        if not found and not update_rows(rows, masses, m, order, labels, centers, sums, s):
            if way != PLAIN:
                restore_order(labels[s], nearest[s], m, order, before[s], bounds.spare)
                assign_tiles(points, m, centers[s], labels[s], nearest[s])
                way = PLAIN
            if fill_empty(points, rows, m, centers, labels, nearest, total, new, counts, s):
                return n_iter, EMPTY
            update_rows(rows, masses, m, order, labels, centers, sums, s)
        elif way == PLAIN:
            if shortens and n_iter >= ORDERED_AFTER:
                order_by_label(labels[s], m, counts, before[s], order)
                way = ORDERED
        else:
            find_drift(bounds.old, centers[s], bounds.drift)
            way = BOUNDED
    if way != PLAIN:
        restore_order(labels[s], nearest[s], m, order, before[s], bounds.spare)
    changed = assign_tiles(points, m, centers[s], labels[s], nearest[s])
    return max_iter, CONVERGED if changed == 0 else STOPPED


@inlined
def copy_centers(centers, s, old):
    """Keep the centres of set s."""
    for k in range(old.shape[0]):
        for j in range(old.shape[1]):
            old[k, j] = centers[s, k, j]


@borrowing
def lloyd(points, moments, masses, m, max_iter, count, centers, seeded, labels, before, nearest,
          total, new, counts, sums, passes, status, bounds):
    """Lloyd's iterations from `count` sets of centres, in turns; `nearest` belongs to `centers`.

    `centers`, `labels`, `before`, `nearest`, `sums`, `passes` and `status` have one row per set.
    `seeded`: centres, labels and distances are those that `seed` leaves. `bounds` is scratch.
    """
    if tiled(centers.shape[2]):
        for s in range(count):
            passes[s], status[s] = lloyd_tiles(
                points, moments, masses, m, max_iter, centers, seeded, labels, before, nearest,
                total, new, counts, sums, s, bounds)
        return
    for s in range(count):
        passes[s] = max_iter
        status[s] = RUNNING
        for start in range(0, m, BLOCK):
            b = start // BLOCK
            for i in range(whole_runs(min(BLOCK, m - start))):
                labels[s, b, i] = -1
    small = written_out(centers.shape[1], centers.shape[2])
    running = count
    n_iter = 0
    while running > 0 and n_iter < max_iter:
        n_iter += 1
        for s in range(count):
            if status[s] != RUNNING:
                continue
            found = one_pass(points, moments, masses, m, centers, labels, before, nearest, total,
                             new, counts, sums, s, small, n_iter == 1)
            if found != RUNNING:
                status[s] = found
                passes[s] = n_iter
                running -= 1
    for s in range(count):
        if status[s] == RUNNING:
            changed = assign(points, m, centers[s], labels[s], nearest[s], total, new)
            status[s] = CONVERGED if changed == 0 else STOPPED


@inlined
def weighted_sum(values, s, masses, m):
    """Sum of masses * values of row s, in `TURNS` partial sums a block."""
    result = 0.0
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = min(BLOCK, m - start)
        whole = size - size % TURNS
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        for t in range(0, whole, TURNS):
            s0 += masses[b, t] * values[s, b, t]
            s1 += masses[b, t + 1] * values[s, b, t + 1]
            s2 += masses[b, t + 2] * values[s, b, t + 2]
            s3 += masses[b, t + 3] * values[s, b, t + 3]
        for t in range(whole, size):
            s0 += masses[b, t] * values[s, b, t]
        result += (s0 + s1) + (s2 + s3)
    return result


@borrowing
def fit_replicates(first, last, x, indices, weights, uniforms, starts, max_iter, labels, centers,
                   inertia, n_iter, status, best_start, objects, points, moments, masses, index,
                   trial, current, before, nearest, values, runs, total, new, counts, sums, passes,
                   ends, bounds):
    """Fit replicates `first` to `last` - 1, each from its starts; the best goes to its rows.

    `x` (., n, d), `weights` (., n), or (., draws) with `indices`, and `starts` (., n_init, K, d)
    have one row per replicate or a single row for all. `indices` (B, draws), `uniforms`
    (B, n_init, K) or `starts`, and `labels` (B, n) are empty when there are none. The arrays
    from `objects` on are scratch; as many starts are iterated in turns as `trial` has rows.
    """
    seeded = uniforms.shape[0] > 0
    n_init = uniforms.shape[1] if seeded else starts.shape[1]
    for b in range(first, last):
        data = x[b if x.shape[0] > 1 else 0]
        weight = weights[b if weights.shape[0] > 1 else 0]
        if indices.shape[0] > 0:
            add_draws(indices[b], weight, objects)
            m = gather(data, objects, points, moments, masses, index)
        else:
            m = gather(data, weight, points, moments, masses, index)
        complete(points, masses, m, moments)
        mass_runs = runs[runs.shape[0] // 2:]
        mass = sum_runs(masses, m, mass_runs)
        for first_start in range(0, n_init, trial.shape[0]):
            count = min(trial.shape[0], n_init - first_start)
            if seeded:
                seed(points, moments, masses, m, uniforms[b], first_start, count, trial, current,
                     nearest, values, runs, mass_runs, mass)
            for s in range(0 if seeded else count):
                given = starts[b if starts.shape[0] > 1 else 0, first_start + s]
                for k in range(trial.shape[1]):
                    for j in range(trial.shape[2]):
                        trial[s, k, j] = given[k, j]
            lloyd(points, moments, masses, m, max_iter, count, trial, seeded, current, before,
                  nearest, total, new, counts, sums, passes, ends, bounds)
            for s in range(count):
                squares = weighted_sum(nearest, s, masses, m)
                if first_start + s > 0 and not squares < inertia[b] * SAME:
                    continue
                inertia[b] = squares
                n_iter[b] = passes[s]
                status[b] = ends[s]
                best_start[b] = first_start + s
                for k in range(trial.shape[1]):
                    for j in range(trial.shape[2]):
                        centers[b, k, j] = trial[s, k, j]
                for t in range(m if labels.shape[0] > 0 else 0):
                    labels[b, index[t]] = current[s, t // BLOCK, t % BLOCK]
