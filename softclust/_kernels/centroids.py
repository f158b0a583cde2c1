"""Weighted k-means of many small problems: one replicate after another, no allocation.

Points lie features first, (d, m), so that distances of many points to one centre are one
vector loop. Distances are sums of squared differences (nothing cancels), compared strictly in
the order of the clusters: ties go to the lowest index. All sums have a fixed order.
"""

from ._jit import kernel

#: points whose distances to all centres are found together; they stay in the first-level cache
BLOCK = 256
#: partial sums taken in turn: an addition need not wait for the one just before it
TURNS = 4

#: status bits of a replicate
CONVERGED = 0
STOPPED = 1   # labels still changed in the last of max_iter passes
EMPTY = 2     # fewer distinct points than clusters: some cluster has no point


@kernel
def add_draws(indices, draw_weights, weights):
    """Weight of each object: the sum over its draws."""
    for i in range(weights.shape[0]):
        weights[i] = 0.0
    for t in range(indices.shape[0]):
        weights[indices[t]] += draw_weights[t]


@kernel
def gather(x, weights, points, masses, index):
    """Copy the m objects of positive weight from x (n, d) to points (d, :); m."""
    m = 0
    for i in range(x.shape[0]):
        # Written always, counted sometimes: random weights would mislead a branch.
        index[m] = i
        m += 1 if weights[i] > 0.0 else 0
    for t in range(m):
        i = index[t]
        masses[t] = weights[i]
        for j in range(x.shape[1]):
            points[j, t] = x[i, j]
    return m


@kernel
def choose(values, m, uniform):
    """The first t with values[0] + ... + values[t] > uniform * total; -1 when all are 0.

    Sums run over blocks of 16 and then over the blocks, in `TURNS` partial sums a block.
    """
    total = 0.0
    for start in range(0, m, 16):
        total += block_sum(values, start, min(start + 16, m))
    if not total > 0.0:
        return -1
    target = uniform * total
    below = 0.0
    chosen = -1
    for start in range(0, m, 16):
        stop = min(start + 16, m)
        part = block_sum(values, start, stop)
        if below + part > target:
            for t in range(start, stop):
                if values[t] > 0.0:
                    chosen = t   # the last one, should rounding leave the target unreached
                    below += values[t]
                    if below > target:
                        return t
            return chosen
        below += part
    for t in range(m):
        if values[t] > 0.0:
            chosen = t
    return chosen


@kernel
def block_sum(values, start, stop):
    """Sum of values[start:stop] in four partial sums."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    whole = stop - (stop - start) % 4
    for t in range(start, whole, 4):
        s0 += values[t]
        s1 += values[t + 1]
        s2 += values[t + 2]
        s3 += values[t + 3]
    for t in range(whole, stop):
        s0 += values[t]
    return (s0 + s1) + (s2 + s3)


@kernel
def seed(points, masses, m, uniforms, centers, nearest, values):
    """Weighted k-means++ with one candidate a step: centres at points, one uniform each."""
    d = points.shape[0]
    for k in range(centers.shape[0]):
        t = -1
        if k > 0:
            t = choose(values, m, uniforms[k])
        if t < 0:   # the first centre; or every point has a centre already
            t = max(0, choose(masses, m, uniforms[k]))
        for j in range(d):
            centers[k, j] = points[j, t]
        if k + 1 == centers.shape[0]:
            return
        for j in range(d):
            c = centers[k, j]
            if j == 0:
                for i in range(m):
                    e = points[0, i] - c
                    values[i] = e * e
            else:
                for i in range(m):
                    e = points[j, i] - c
                    values[i] += e * e
        if k == 0:
            for i in range(m):
                nearest[i] = values[i]
                values[i] = masses[i] * values[i]
        else:
            for i in range(m):
                s = values[i]
                s = s if s < nearest[i] else nearest[i]
                nearest[i] = s
                values[i] = masses[i] * s


@kernel
def assign(points, m, centers, labels, nearest, partial, found):
    """Nearest centre of each point and its squared distance; how many labels changed."""
    d = points.shape[0]
    changed = 0
    for start in range(0, m, BLOCK):
        size = min(BLOCK, m - start)
        block = points[:, start:start + size]
        near = nearest[start:start + size]
        label = labels[start:start + size]
        for i in range(size):
            near[i] = 1.7976931348623157e308
            found[i] = 0
        for k in range(centers.shape[0]):
            if d == 1:
                nearest_of_one(block[0], centers[k, 0], k, near, found)
                continue
            for i in range(size):
                partial[i] = 0.0
            for j in range(d - 2):
                row = block[j]
                c = centers[k, j]
                for i in range(size):
                    e = row[i] - c
                    partial[i] += e * e
            nearest_of_two(block[d - 2], block[d - 1], centers[k, d - 2], centers[k, d - 1], k,
                           partial, near, found)
        for i in range(size):
            changed += 1 if found[i] != label[i] else 0
            label[i] = found[i]
    return changed


@kernel
def nearest_of_one(row, c, k, near, found):
    """Compare with centre k: a single feature."""
    for i in range(row.shape[0]):
        e = row[i] - c
        s = e * e
        better = s < near[i]
        near[i] = s if better else near[i]
        found[i] = k if better else found[i]


@kernel
def nearest_of_two(first, second, a, b, k, partial, near, found):
    """Compare with centre k: the last two features, on top of the others' `partial`."""
    for i in range(first.shape[0]):
        e = first[i] - a
        f = second[i] - b
        s = partial[i] + (e * e + f * f)
        better = s < near[i]
        near[i] = s if better else near[i]
        found[i] = k if better else found[i]


@kernel
def update(points, masses, m, labels, centers, sums):
    """Weighted means of the clusters; a cluster without points keeps its centre.

    sums : (TURNS, d + 1, K) scratch
    """
    d = points.shape[0]
    clusters = centers.shape[0]
    for turn in range(TURNS):
        for j in range(d + 1):
            for k in range(clusters):
                sums[turn, j, k] = 0.0
    whole = m - m % TURNS
    for i in range(0, whole, TURNS):
        for turn in range(TURNS):
            sums[turn, d, labels[i + turn]] += masses[i + turn]
    for i in range(whole, m):
        sums[0, d, labels[i]] += masses[i]
    for j in range(d):
        for i in range(0, whole, TURNS):
            for turn in range(TURNS):
                sums[turn, j, labels[i + turn]] += masses[i + turn] * points[j, i + turn]
        for i in range(whole, m):
            sums[0, j, labels[i]] += masses[i] * points[j, i]
    for k in range(clusters):
        mass = (sums[0, d, k] + sums[1, d, k]) + (sums[2, d, k] + sums[3, d, k])
        if mass > 0.0:
            for j in range(d):
                centers[k, j] = ((sums[0, j, k] + sums[1, j, k])
                                 + (sums[2, j, k] + sums[3, j, k])) / mass


@kernel
def first_empty(m, labels, counts):
    """Lowest cluster without a point, or -1."""
    for k in range(counts.shape[0]):
        counts[k] = 0
    for i in range(m):
        counts[labels[i]] = 1
    for k in range(counts.shape[0]):
        if counts[k] == 0:
            return k
    return -1


@kernel
def fill_empty(points, m, centers, labels, nearest, partial, found, counts):
    """Each empty cluster takes the point farthest from its centre, and the pass repeats.

    Every repetition sets one more distance to 0 and enlarges none, so there are fewer than m.
    True when a cluster stays empty because every point lies on a centre.
    """
    empty = first_empty(m, labels, counts)
    while empty >= 0:
        farthest = 0
        for i in range(m):
            if nearest[i] > nearest[farthest]:
                farthest = i
        if not nearest[farthest] > 0.0:
            return True
        for j in range(points.shape[0]):
            centers[empty, j] = points[j, farthest]
        assign(points, m, centers, labels, nearest, partial, found)
        empty = first_empty(m, labels, counts)
    return False


@kernel
def lloyd(points, masses, m, max_iter, centers, labels, nearest, partial, found, counts, sums):
    """Lloyd's iterations from `centers`; (passes, status). `nearest` belongs to `centers`."""
    for i in range(m):
        labels[i] = -1
    for n_iter in range(1, max_iter + 1):
        changed = assign(points, m, centers, labels, nearest, partial, found)
        # Without a change the clusters are those of the pass before.
        if changed == 0:
            return n_iter, CONVERGED
        if fill_empty(points, m, centers, labels, nearest, partial, found, counts):
            # Every point lies on a centre: nothing is left to improve.
            return n_iter, EMPTY
        update(points, masses, m, labels, centers, sums)
    changed = assign(points, m, centers, labels, nearest, partial, found)
    return max_iter, CONVERGED if changed == 0 else STOPPED


@kernel
def weighted_sum(values, masses, m):
    """Sum of masses * values, in `TURNS` partial sums."""
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    whole = m - m % TURNS
    for t in range(0, whole, TURNS):
        s0 += masses[t] * values[t]
        s1 += masses[t + 1] * values[t + 1]
        s2 += masses[t + 2] * values[t + 2]
        s3 += masses[t + 3] * values[t + 3]
    for t in range(whole, m):
        s0 += masses[t] * values[t]
    return (s0 + s1) + (s2 + s3)


@kernel
def fit_replicates(first, last, x, indices, weights, uniforms, starts, max_iter, labels, centers,
                   inertia, n_iter, status, best_start, objects, points, masses, index, trial,
                   current, nearest, partial, found, counts, sums):
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
        for start in range(n_init):
            if seeded:
                seed(points, masses, m, uniforms[b, start], trial, nearest, partial)
            else:
                given = starts[b if starts.shape[0] > 1 else 0, start]
                for k in range(trial.shape[0]):
                    for j in range(trial.shape[1]):
                        trial[k, j] = given[k, j]
            passes, state = lloyd(points, masses, m, max_iter, trial, current, nearest, partial,
                                  found, counts, sums)
            squares = weighted_sum(nearest, masses, m)
            if start > 0 and not squares < inertia[b]:
                continue
            inertia[b] = squares
            n_iter[b] = passes
            status[b] = state
            best_start[b] = start
            for k in range(trial.shape[0]):
                for j in range(trial.shape[1]):
                    centers[b, k, j] = trial[k, j]
            if labels.shape[0] > 0:
                for t in range(m):
                    labels[b, index[t]] = current[t]
