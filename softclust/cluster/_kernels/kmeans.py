"""Weighted k-means of many replicates, each computed from start to end by one thread.

An object keeps its label without a check if its second nearest centre is farther away than the
nearest by more than both can have moved (Hamerly 2010, Making k-means even faster). The others are
compared with all centres in blocks, features outside, objects inside: the form that compilers turn
into vectors. Scores, c.c - 2 x.c, are the squared distance without x.x, in single precision; where
their rounding leaves a label open, distances are computed again in double precision.
"""

import numpy as np

from ...running.compiler import kernel

#: objects of a block
BLOCK = 64
#: status codes of a fit
CONVERGED, STOPPED, EMPTY, LOST = 0, 1, 2, 3
#: a start is better if its inertia is below this times the best
SAME = 1 - 1e-12
#: shares by which bounds of distances are tightened, for rounding
LESS, MORE = 1 - 1e-9, 1 + 1e-9
#: half a unit in the last place of a number in single precision, and what may vanish there of
#: squared distances between points within 1
SINGLE, VANISHED = 2.0 ** -24, 1e-36
#: share of x.x below which a squared distance to a mean is rounding
NONE = 1e-14
#: a start is given up if this many passes that gain as much as its last would not make it the best
AHEAD = 50


@kernel(flags=("reassoc", "contract"))
def squared_distance(x, i, c, k):
    """Squared distance between rows i of x and k of c."""
    total = 0.0
    for j in range(x.shape[1]):
        total += (x[i, j] - c[k, j]) * (x[i, j] - c[k, j])
    return total


@kernel(flags=("contract",))
def compete(blocks, begin, stop, c, low, high, row, scores, label):
    """Let centres low, ..., high - 1 compete for the objects of some blocks (count, d, BLOCK).

    c (K, d + 1): the centres times -2, and c.c. scores (2, count, BLOCK): the two lowest scores;
    label (count, BLOCK): the centre of the lowest, the first one on ties. row: scratch.
    """
    d = blocks.shape[1]
    whole = d - d % 4
    for b in range(begin, stop):
        for k in range(low, high):
            for i in range(BLOCK):
                row[i] = c[k, d]
            for j in range(0, whole, 4):   # four features: one load and one store of `row`
                p, q, r, s = c[k, j], c[k, j + 1], c[k, j + 2], c[k, j + 3]
                for i in range(BLOCK):
                    row[i] += ((p * blocks[b, j, i] + q * blocks[b, j + 1, i])
                               + (r * blocks[b, j + 2, i] + s * blocks[b, j + 3, i]))
            for j in range(whole, d):
                p = c[k, j]
                for i in range(BLOCK):
                    row[i] += p * blocks[b, j, i]
            if k == 0:
                for i in range(BLOCK):
                    scores[0, b, i], scores[1, b, i], label[b, i] = np.inf, np.inf, 0
            for i in range(BLOCK):
                e, first, second = row[i], scores[0, b, i], scores[1, b, i]
                other = first if e < first else e
                scores[1, b, i] = other if other < second else second
                label[b, i] = k if e < first else label[b, i]
                scores[0, b, i] = e if e < first else first


@kernel(flags=("contract",))
def add_up(x, mass, cluster_of, m, sums, sizes):
    """Objects of each cluster; sums of them times their mass, and in the last column the masses."""
    d = x.shape[1]
    for k in range(sums.shape[0]):
        sizes[k] = 0
        for j in range(d + 1):
            sums[k, j] = 0.0
    for t in range(m):
        k, w = cluster_of[t], mass[t]
        sizes[k] += 1
        sums[k, d] += w
        for j in range(d):
            sums[k, j] += w * x[t, j]


@kernel
def settled(x, t, c, label, first, second, norm, wrong):
    """Label of object t, and the tightened gap between its distances to the two nearest centres.

    first, second: their squared distances, wrong by norm + 2 c.c times `wrong` at most, norm = x.x.
    """
    # c.c is at most 2 (norm + second) if c is that near.
    error = 5 * wrong * (norm + second) + VANISHED
    if not 2 * error < second - first < np.inf:
        first, second, label, error = np.inf, np.inf, np.int64(0), 0.0
        for k in range(c.shape[0]):
            e = squared_distance(x, t, c, k)
            if e < first:
                first, second, label = e, first, k
            elif e < second:
                second = e
    low, high = second - error, first + error
    return label, (np.sqrt(low if low > 0.0 else 0.0) * LESS
                   - np.sqrt(high if high > 0.0 else 0.0) * MORE)


@kernel(flags=("contract",))
def fit_replicates(points, unit, weights, uniforms, init, max_iter, labels, centers, inertia,
                   n_iter, status, best_start, x, values, places, c, sums, drift, sizes, blocks,
                   singles, row, scores, nearest, label, own):
    """Lloyd's iterations until no label changes; the best of the starts of each replicate.

    The inertia, known after each pass from the sums, falls by less and less: a start that AHEAD
    passes like its last would not make the best so far is given up.

    points (1 or B, n, d), near the origin, within 1 after multiplication by unit (1 or B,);
    weights (1 or B, n) >= 0; for k-means++ with one candidate per step uniforms (B, n_init, K),
    empty where init (1 or B, n_init, K, d) has centres. Results: labels (B, n), -1 for objects of
    weight 0; centers (B, K, d) and inertia (B,) of points times unit; n_iter, status and best_start
    (B,). The others are scratch, see `fit_block`.
    """
    n, d = x.shape
    clusters = c.shape[0]
    cold = uniforms.shape[0] > 0
    n_init = uniforms.shape[1] if cold else init.shape[1]
    zero, spare = np.int64(0), scores.shape[1] - 1
    mass, norm, slack = values[0], values[1], values[2]
    index, cluster_of, todo = places[0], places[1], places[2]
    first, second = nearest[0], nearest[1]
    wrong = (d / 4 + 8) * SINGLE
    for rep in range(labels.shape[0]):
        m, spread, own_points = np.int64(0), 0.0, rep if points.shape[0] > 1 else 0
        for i in range(n):
            labels[rep, i] = -1
            w = weights[rep if weights.shape[0] > 1 else 0, i]
            if w > 0.0:
                index[m], mass[m], norm[m] = i, w, 0.0
                for j in range(d):
                    v = unit[own_points] * points[own_points, i, j]
                    x[m, j] = v
                    blocks[m // BLOCK, j, m % BLOCK] = v
                    norm[m] += v * v
                spread += w * norm[m]
                m += 1
        whole = -(-m // BLOCK)
        for start in range(n_init):
            passes, end, refills, cost = 1, -1, 0, np.inf
            while end < 0:   # once; again when an empty cluster was filled
                for k in range(clusters):
                    if cold and refills == 0:   # a seed by mass times squared distance to others
                        total = 0.0
                        for t in range(m):
                            e = first[t] + norm[t] if k > 0 else 1.0
                            if k > 0 and not e > 50 * wrong * (norm[t] + e) + VANISHED:
                                e = np.inf
                                for l in range(k):
                                    v = squared_distance(x, t, c, l)
                                    e = v if v < e else e
                            slack[t] = mass[t] * e
                            total += slack[t]
                        if total == 0.0:   # every object has a seed
                            for t in range(m):
                                slack[t] = mass[t]
                                total += mass[t]
                        target, seed, below = uniforms[rep, start, k] * total, np.int64(0), 0.0
                        for t in range(m):
                            if slack[t] > 0.0:
                                seed = t
                                below += slack[t]
                                if below > target:
                                    break
                        for j in range(d):
                            c[k, j] = x[seed, j]
                    elif refills == 0:
                        for j in range(d):
                            c[k, j] = unit[own_points] * init[
                                rep if init.shape[0] > 1 else 0, start, k, j]
                    total = 0.0
                    for j in range(d):
                        singles[k, j] = -2 * c[k, j]
                        total += c[k, j] * c[k, j]
                    singles[k, d] = total
                    compete(blocks, zero, whole, singles, k, k + 1, row, scores, label)
                for t in range(m):
                    cluster_of[t], slack[t] = settled(
                        x, t, c, own[t], first[t] + norm[t], second[t] + norm[t], norm[t], wrong)
                add_up(x, mass, cluster_of, m, sums, sizes)
                while end < 0:
                    empty = -1
                    for k in range(clusters - 1, -1, -1):
                        empty = k if sizes[k] == 0 else empty
                    if empty >= 0:   # it takes the object that is farthest from its centre
                        far, worst = np.int64(0), 0.0
                        for t in range(m):
                            e = squared_distance(x, t, c, cluster_of[t])
                            if e > worst and e > NONE * norm[t]:
                                far, worst = t, e
                        refills += 1
                        if worst == 0.0 or refills > 4 * clusters + max_iter:
                            end = EMPTY   # fewer distinct objects than clusters
                        for j in range(d if end < 0 else 0):
                            c[empty, j] = x[far, j]
                        break
                    farthest = 0.0
                    for k in range(clusters):
                        e, total = 0.0, 0.0
                        for j in range(d):
                            v = sums[k, j] / sums[k, d]
                            e += (v - c[k, j]) * (v - c[k, j])
                            total += v * v
                            c[k, j], singles[k, j] = v, -2 * v
                        drift[k], singles[k, d] = np.sqrt(e) * MORE, total
                        farthest = drift[k] if drift[k] > farthest else farthest
                    count, changed = 0, 0
                    for t in range(m):
                        slack[t] -= drift[cluster_of[t]] + farthest
                        todo[count] = t
                        count += 1 if slack[t] <= 0.0 else 0
                    dense = 4 * count > 3 * m   # all blocks as they are: nothing is gathered
                    count = m if dense else count
                    for i in range(0 if dense or count == 0 else 3):   # fills the last four
                        todo[count + i] = todo[count - 1]
                    for b in range(0, count, BLOCK):
                        size = BLOCK if count - b > BLOCK else count - b
                        at = b // BLOCK if dense else spare
                        for i in range(0, 0 if dense else size, 4):   # their numbers are neighbours
                            p, q = todo[b + i], todo[b + i + 1]
                            r, s = todo[b + i + 2], todo[b + i + 3]
                            for j in range(d):
                                blocks[spare, j, i], blocks[spare, j, i + 1] = x[p, j], x[q, j]
                                blocks[spare, j, i + 2], blocks[spare, j, i + 3] = x[r, j], x[s, j]
                        compete(blocks, at, at + 1, singles, zero, clusters, row, scores, label)
                        for i in range(size):
                            t, r = b + i if dense else todo[b + i], at * BLOCK + i
                            l, slack[t] = settled(
                                x, t, c, own[r], first[r] + norm[t], second[r] + norm[t], norm[t],
                                wrong)
                            k, w = cluster_of[t], mass[t]
                            if k != l:
                                changed += 1
                                cluster_of[t] = l
                                sizes[k] -= 1
                                sizes[l] += 1
                                sums[k, d] -= w
                                sums[l, d] += w
                                for j in range(d):
                                    v = w * x[t, j]
                                    sums[k, j] -= v
                                    sums[l, j] += v
                    if passes == max_iter:
                        end = STOPPED if changed > 0 else CONVERGED
                    else:
                        passes += 1
                        end = -1 if changed > 0 else CONVERGED
                    gain, cost = cost, spread   # inertia around the means that are to come
                    for k in range(clusters):
                        for j in range(d if sizes[k] > 0 else 0):
                            cost -= sums[k, j] * sums[k, j] / sums[k, d]
                    gain -= cost
                    if start > 0 and cost - AHEAD * gain > inertia[rep]:
                        end = LOST
            if end == LOST:
                continue
            if end == CONVERGED:   # means without the rounding of objects that came and went
                add_up(x, mass, cluster_of, m, sums, sizes)
                for k in range(clusters):
                    for j in range(d):
                        c[k, j] = sums[k, j] / sums[k, d]
            cost = 0.0
            for t in range(m):
                cost += mass[t] * squared_distance(x, t, c, cluster_of[t])
            if start == 0 or cost < inertia[rep] * SAME:
                inertia[rep], n_iter[rep], status[rep] = cost, passes, end
                best_start[rep] = start
                for k in range(clusters):
                    for j in range(d):
                        centers[rep, k, j] = c[k, j]
                for t in range(m):
                    labels[rep, index[t]] = cluster_of[t]
