"""Weighted k-means of many small problems: one replicate after another, no allocation.

Points lie in blocks, features first, see `seeding`. Distances are sums of squared differences
(nothing cancels), compared strictly in the order of the clusters: ties go to the lowest index.
All sums have a fixed order.
"""

from ._jit import kernel
from ._lanes import assign_and_sum, written_out
from .seeding import BLOCK, add_draws, complete, gather, seed, sum_runs

#: partial sums taken in turn: an addition need not wait for the one just before it
TURNS = 4

#: means are updated by the points that moved when they are fewer than one in so many
FEW = 3
#: and every cluster keeps more than this share of the mass
LEAST = 1e-6

#: a start must beat the best one by this factor: those that find the same clusters by another way
#: differ in the last bits
SAME = 1 - 1e-12

#: status of a replicate
CONVERGED = 0
STOPPED = 1   # labels still changed in the last of max_iter passes
EMPTY = 2     # fewer distinct points than clusters: some cluster has no point


@kernel
def assign(points, m, centers, labels, nearest, total, new):
    """Nearest centre of each point and its squared distance; how many labels changed."""
    d = points.shape[1]
    clusters = centers.shape[0]
    changed = 0
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = min(BLOCK, m - start)
        if d == 2:   # everything in one loop, two or three centres at a time
            first = 2 if clusters % 2 == 0 else min(clusters, 3)
            c0 = centers[0, 0]
            c1 = centers[0, 1]
            if first == 1:
                for i in range(size):
                    e = points[b, 0, i] - c0
                    f = points[b, 1, i] - c1
                    nearest[b, i] = e * e + f * f
                    new[i] = 0
            elif first == 3:
                p0 = centers[1, 0]
                p1 = centers[1, 1]
                q0 = centers[2, 0]
                q1 = centers[2, 1]
                for i in range(size):
                    x = points[b, 0, i]
                    y = points[b, 1, i]
                    e = x - c0
                    f = y - c1
                    s = e * e + f * f
                    e = x - p0
                    f = y - p1
                    r = e * e + f * f
                    better = r < s
                    s = r if better else s
                    label = 1 if better else 0
                    e = x - q0
                    f = y - q1
                    r = e * e + f * f
                    better = r < s
                    nearest[b, i] = r if better else s
                    new[i] = 2 if better else label
            else:
                p0 = centers[1, 0]
                p1 = centers[1, 1]
                for i in range(size):
                    x = points[b, 0, i]
                    y = points[b, 1, i]
                    e = x - c0
                    f = y - c1
                    s = e * e + f * f
                    e = x - p0
                    f = y - p1
                    r = e * e + f * f
                    better = r < s
                    nearest[b, i] = r if better else s
                    new[i] = 1 if better else 0
            for k in range(first, clusters, 2):
                c0 = centers[k, 0]
                c1 = centers[k, 1]
                p0 = centers[k + 1, 0]
                p1 = centers[k + 1, 1]
                for i in range(size):
                    x = points[b, 0, i]
                    y = points[b, 1, i]
                    e = x - c0
                    f = y - c1
                    s = e * e + f * f
                    e = x - p0
                    f = y - p1
                    r = e * e + f * f
                    better = r < s
                    r = r if better else s
                    label = k + 1 if better else k
                    better = r < nearest[b, i]
                    nearest[b, i] = r if better else nearest[b, i]
                    new[i] = label if better else new[i]
        else:
            for k in range(clusters):
                first = 2 - d % 2
                c0 = centers[k, 0]
                c1 = centers[k, first - 1]
                if first == 1:
                    for i in range(size):
                        e = points[b, 0, i] - c0
                        total[i] = e * e
                else:
                    for i in range(size):
                        e = points[b, 0, i] - c0
                        f = points[b, 1, i] - c1
                        total[i] = e * e + f * f
                for j in range(first, d, 2):
                    c0 = centers[k, j]
                    c1 = centers[k, j + 1]
                    for i in range(size):
                        e = points[b, j, i] - c0
                        f = points[b, j + 1, i] - c1
                        total[i] += e * e + f * f
                if k == 0:
                    for i in range(size):
                        nearest[b, i] = total[i]
                        new[i] = 0
                else:
                    for i in range(size):
                        better = total[i] < nearest[b, i]
                        nearest[b, i] = total[i] if better else nearest[b, i]
                        new[i] = k if better else new[i]
        for i in range(size):
            changed += 1 if new[i] != labels[b, i] else 0
            labels[b, i] = new[i]
    return changed


@kernel
def update(points, masses, m, labels, centers, sums):
    """Weighted means of the clusters; False, and nothing done, when a cluster is empty.

    sums : (TURNS, K (d + 1)) scratch; of each cluster the mass, then the features
    """
    d = points.shape[1]
    width = d + 1
    for turn in range(TURNS):
        for r in range(sums.shape[1]):
            sums[turn, r] = 0.0
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = min(BLOCK, m - start)
        whole = size - size % TURNS
        # An odd number of features begins with one alone, an even one with two; the mass goes
        # with them, the others go in twos.
        if d % 2 == 1:
            for i in range(0, whole, TURNS):
                for turn in range(TURNS):
                    r = labels[b, i + turn] * width
                    mass = masses[b, i + turn]
                    sums[turn, r] += mass
                    sums[turn, r + 1] += mass * points[b, 0, i + turn]
            for i in range(whole, size):
                r = labels[b, i] * width
                sums[0, r] += masses[b, i]
                sums[0, r + 1] += masses[b, i] * points[b, 0, i]
        else:
            for i in range(0, whole, TURNS):
                for turn in range(TURNS):
                    r = labels[b, i + turn] * width
                    mass = masses[b, i + turn]
                    sums[turn, r] += mass
                    sums[turn, r + 1] += mass * points[b, 0, i + turn]
                    sums[turn, r + 2] += mass * points[b, 1, i + turn]
            for i in range(whole, size):
                r = labels[b, i] * width
                sums[0, r] += masses[b, i]
                sums[0, r + 1] += masses[b, i] * points[b, 0, i]
                sums[0, r + 2] += masses[b, i] * points[b, 1, i]
        for j in range(2 - d % 2, d, 2):
            for i in range(0, whole, TURNS):
                for turn in range(TURNS):
                    r = labels[b, i + turn] * width + j + 1
                    mass = masses[b, i + turn]
                    sums[turn, r] += mass * points[b, j, i + turn]
                    sums[turn, r + 1] += mass * points[b, j + 1, i + turn]
            for i in range(whole, size):
                r = labels[b, i] * width + j + 1
                sums[0, r] += masses[b, i] * points[b, j, i]
                sums[0, r + 1] += masses[b, i] * points[b, j + 1, i]
    for r in range(sums.shape[1]):
        sums[0, r] = (sums[0, r] + sums[1, r]) + (sums[2, r] + sums[3, r])
    return divide(centers, sums)


@kernel
def divide(centers, sums):
    """Means from the sums; False, and nothing done, when a cluster is empty."""
    width = centers.shape[1] + 1
    for k in range(centers.shape[0]):
        if sums[0, k * width] == 0.0:
            return False
    if width == 3:   # in pairs: a pass of few points waits for these quotients
        for k in range(centers.shape[0]):
            mass = sums[0, 3 * k]
            first = sums[0, 3 * k + 1] / mass
            second = sums[0, 3 * k + 2] / mass
            centers[k, 0] = first
            centers[k, 1] = second
        return True
    for k in range(centers.shape[0]):
        for j in range(centers.shape[1]):
            centers[k, j] = sums[0, k * width + j + 1] / sums[0, k * width]
    return True


@kernel
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
    total = 0.0
    for k in range(centers.shape[0]):
        total += sums[0, k * width]
    for k in range(centers.shape[0]):
        if not sums[0, k * width] > LEAST * total:
            return False
    for k in range(centers.shape[0]):
        for j in range(d):
            centers[k, j] = sums[0, k * width + j + 1] / sums[0, k * width]
    return True


@kernel
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


@kernel
def fill_empty(points, m, centers, labels, nearest, total, new, counts):
    """Each empty cluster takes the point farthest from its centre, and the pass repeats.

    Every repetition sets one more distance to 0 and enlarges none, so there are fewer than m.
    True when a cluster stays empty because every point lies on a centre.
    """
    empty = first_empty(m, labels, counts)
    while empty >= 0:
        farthest = 0
        most = 0.0
        for t in range(m):
            if nearest[t // BLOCK, t % BLOCK] > most:
                most = nearest[t // BLOCK, t % BLOCK]
                farthest = t
        if not most > 0.0:
            return True
        for j in range(points.shape[1]):
            centers[empty, j] = points[farthest // BLOCK, j, farthest % BLOCK]
        assign(points, m, centers, labels, nearest, total, new)
        empty = first_empty(m, labels, counts)
    return False


@kernel
def copy_labels(labels, m, before):
    """Keep the labels of a pass."""
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        for i in range(min(BLOCK, m - start)):
            before[b, i] = labels[b, i]


@kernel
def lloyd(points, moments, masses, m, max_iter, centers, labels, before, nearest, total, new,
          counts, sums):
    """Lloyd's iterations from `centers`; (passes, status). `nearest` belongs to `centers`."""
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        for i in range(min(BLOCK, m - start)):
            labels[b, i] = -1
    small = written_out(centers.shape[0], centers.shape[1])
    for n_iter in range(1, max_iter + 1):
        if small:
            changed = 0
            for r in range(sums.shape[1]):
                sums[0, r] = 0.0
            for start in range(0, m, BLOCK):
                changed += assign_and_sum(points, moments, masses, centers, labels, nearest,
                                          sums, start // BLOCK, min(BLOCK, m - start))
        else:
            if n_iter > 1:
                copy_labels(labels, m, before)
            changed = assign(points, m, centers, labels, nearest, total, new)
        # Without a change the clusters are those of the pass before.
        if changed == 0:
            return n_iter, CONVERGED
        if small:
            if divide(centers, sums):
                continue
        elif n_iter > 1 and changed * FEW < m:
            if shift(points, masses, m, before, labels, centers, sums, new):
                continue
        if small or not update(points, masses, m, labels, centers, sums):
            if fill_empty(points, m, centers, labels, nearest, total, new, counts):
                # Every point lies on a centre: nothing is left to improve.
                return n_iter, EMPTY
            update(points, masses, m, labels, centers, sums)
    changed = assign(points, m, centers, labels, nearest, total, new)
    return max_iter, CONVERGED if changed == 0 else STOPPED


@kernel
def weighted_sum(values, masses, m):
    """Sum of masses * values, in `TURNS` partial sums a block."""
    result = 0.0
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = min(BLOCK, m - start)
        whole = size - size % TURNS
        s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
        for t in range(0, whole, TURNS):
            s0 += masses[b, t] * values[b, t]
            s1 += masses[b, t + 1] * values[b, t + 1]
            s2 += masses[b, t + 2] * values[b, t + 2]
            s3 += masses[b, t + 3] * values[b, t + 3]
        for t in range(whole, size):
            s0 += masses[b, t] * values[b, t]
        result += (s0 + s1) + (s2 + s3)
    return result


@kernel
def fit_replicates(first, last, x, indices, weights, uniforms, starts, max_iter, labels, centers,
                   inertia, n_iter, status, best_start, objects, points, moments, masses, index,
                   trial, current, before, nearest, values, runs, total, new, counts, sums):
    """Fit replicates `first` to `last` - 1, each from its starts; the best goes to its rows.

    `x` (., n, d), `weights` (., n), or (., draws) with `indices`, and `starts` (., n_init, K, d)
    have a row a replicate or a single row for all. `indices` (B, draws), `uniforms`
    (B, n_init, K) or `starts`, and `labels` (B, n) are empty when there are none. The arrays
    from `objects` on are scratch.
    """
    seeded = uniforms.shape[0] > 0
    n_init = uniforms.shape[1] if seeded else starts.shape[1]
    for b in range(first, last):
        data = x[b if x.shape[0] > 1 else 0]
        weight = weights[b if weights.shape[0] > 1 else 0]
        if indices.shape[0] > 0:
            add_draws(indices[b], weight, objects)
            m = gather(data, objects, points, masses, index)
        else:
            m = gather(data, weight, points, masses, index)
        complete(points, masses, m, moments)
        mass_runs = runs[runs.shape[0] // 2:]
        mass = sum_runs(masses, m, mass_runs)
        for start in range(n_init):
            if seeded:
                seed(points, masses, m, uniforms[b, start], trial, nearest, values, runs,
                     mass_runs, mass)
            else:
                given = starts[b if starts.shape[0] > 1 else 0, start]
                for k in range(trial.shape[0]):
                    for j in range(trial.shape[1]):
                        trial[k, j] = given[k, j]
            passes, state = lloyd(points, moments, masses, m, max_iter, trial, current, before,
                                  nearest, total, new, counts, sums)
            squares = weighted_sum(nearest, masses, m)
            if start > 0 and not squares < inertia[b] * SAME:
                continue
            inertia[b] = squares
            n_iter[b] = passes
            status[b] = state
            best_start[b] = start
            for k in range(trial.shape[0]):
                for j in range(trial.shape[1]):
                    centers[b, k, j] = trial[k, j]
            if labels.shape[0] > 0:
                for first_point in range(0, m, BLOCK):
                    block = first_point // BLOCK
                    for i in range(min(BLOCK, m - first_point)):
                        labels[b, index[first_point + i]] = current[block, i]
