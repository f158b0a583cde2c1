"""Weighted k-means of many replicates, each computed from start to end by one thread.

Scores are c.c - 2 x.c, the squared distance without x.x. Their loop runs over a block of objects,
features outside: the form that compilers turn into vectors. An object keeps its label without a
check if its second nearest centre is farther away than the nearest by more than both can have moved
(Hamerly 2010, Making k-means even faster); the others are gathered in blocks.
"""

import numpy as np

from ...running.compiler import kernel

#: objects of a block
BLOCK = 64
#: status codes of a fit
CONVERGED, STOPPED, EMPTY, LOST = 0, 1, 2, 3
#: a start is better if its inertia is below this times the best
SAME = 1 - 1e-12
#: share of a distance by which bounds are tightened, for rounding
ROUNDING = 1e-9
#: share of x.x + c.c below which a squared distance is rounding
NONE = 1e-14
#: a start is given up if this many passes that gain as much as its last would not make it the best
AHEAD = 50


@kernel(flags=("reassoc", "contract"))
def squared_distance(a, b):
    """Squared distance between two points (d,)."""
    total = 0.0
    for j in range(a.shape[0]):
        total += (a[j] - b[j]) * (a[j] - b[j])
    return total


@kernel(flags=("contract",))
def compete(x, c, k, row, first, second, label):
    """Let centre k compete for a block of objects x (d, BLOCK).

    first, second: their two lowest scores c.c - 2 x.c so far; label: the centre of the lowest, the
    first one on ties. row: scratch.
    """
    d = x.shape[0]
    whole = d - d % 4
    norm = 0.0
    for j in range(d):
        norm += c[j] * c[j]
    for i in range(BLOCK):
        row[i] = norm
    for j in range(0, whole, 4):   # four features: one load and one store of `row` for the four
        p, q, r, s = -2 * c[j], -2 * c[j + 1], -2 * c[j + 2], -2 * c[j + 3]
        u, v, w, z = x[j], x[j + 1], x[j + 2], x[j + 3]
        for i in range(BLOCK):
            row[i] += (p * u[i] + q * v[i]) + (r * w[i] + s * z[i])
    for j in range(whole, d):
        p, u = -2 * c[j], x[j]
        for i in range(BLOCK):
            row[i] += p * u[i]
    if k == 0:
        for i in range(BLOCK):
            first[i], second[i], label[i] = row[i], np.inf, 0
    else:
        for i in range(BLOCK):
            better = row[i] < first[i]
            second[i] = first[i] if better else min(second[i], row[i])
            label[i] = k if better else label[i]
            first[i] = row[i] if better else first[i]


@kernel
def gap(first, second, norm):
    """Tightened gap between the distances to the second nearest and the nearest centre."""
    return (np.sqrt(max(0.0, second + norm)) * (1 - ROUNDING)
            - np.sqrt(max(0.0, first + norm)) * (1 + ROUNDING))


@kernel(flags=("contract",))
def fit_replicates(points, weights, uniforms, init, max_iter, labels, centers, inertia, n_iter,
                   status, best_start):
    """Lloyd's iterations until no label changes; the best of the starts of each replicate.

    The inertia, known after each pass from the sums, falls by less and less: a start that AHEAD
    passes like its last would not make the best so far is given up.

    points (1 or B, n, d), near the origin; weights (1 or B, n) >= 0; for k-means++ with one
    candidate per step uniforms (B, n_init, K), empty where init (1 or B, n_init, K, d) has centres.
    Results: labels (B, n), -1 for objects of weight 0; centers (B, K, d); inertia, n_iter, status
    and best_start (B,).
    """
    n, d = points.shape[1:]
    clusters = centers.shape[1]
    cold = uniforms.shape[0] > 0
    n_init = uniforms.shape[1] if cold else init.shape[1]
    padded = -(-n // BLOCK) * BLOCK
    places, label = np.empty((2, padded), dtype=np.int64), np.empty((2, padded), dtype=np.int32)
    index, todo, cluster_of, few_own = places[0], places[1], label[0], label[1]
    values = np.empty((6, padded))
    mass, norm, best, second, slack, row = (values[0], values[1], values[2], values[3], values[4],
                                            values[5])
    blocks, few = np.empty((padded // BLOCK, d, BLOCK)), np.empty((d, BLOCK))
    some = np.empty((2, BLOCK))
    few_best, few_second = some[0], some[1]
    c, sums, drift = np.empty((clusters, d)), np.empty((clusters, d + 1)), np.empty(clusters)
    sizes = np.empty(clusters, dtype=np.int64)
    for rep in range(labels.shape[0]):
        x = points[rep if points.shape[0] > 1 else 0]
        weight = weights[rep if weights.shape[0] > 1 else 0]
        m = np.int64(0)
        all_mass, spread = 0.0, 0.0
        for i in range(n):
            labels[rep, i] = -1
            if weight[i] > 0.0:
                index[m], mass[m], norm[m] = i, weight[i], 0.0
                for j in range(d):
                    blocks[m // BLOCK, j, m % BLOCK] = x[i, j]
                    norm[m] += x[i, j] * x[i, j]
                all_mass += weight[i]
                spread += weight[i] * norm[m]
                m += 1
        for start in range(n_init):
            passes, end, refills, cost = 1, -1, 0, np.inf
            while end < 0:   # once; again when an empty cluster was filled
                for k in range(clusters):
                    if refills > 0:
                        pass
                    elif cold:   # a seed in proportion to mass times squared distance to others
                        total = 0.0
                        if k > 0:
                            for t in range(m):
                                e = best[t] + norm[t]
                                slack[t] = mass[t] * e if e > NONE * norm[t] else 0.0
                                total += slack[t]
                        if total == 0.0:   # the first seed, or every object has one
                            total = all_mass
                            for t in range(m):
                                slack[t] = mass[t]
                        target, seed, below = uniforms[rep, start, k] * total, np.int64(0), 0.0
                        for t in range(m):
                            if slack[t] > 0.0:
                                seed = t
                                below += slack[t]
                                if below > target:
                                    break
                        for j in range(d):
                            c[k, j] = x[index[seed], j]
                    else:
                        for j in range(d):
                            c[k, j] = init[rep if init.shape[0] > 1 else 0, start, k, j]
                    for b in range(0, m, BLOCK):
                        compete(blocks[b // BLOCK], c[k], k, row, best[b:b + BLOCK],
                                second[b:b + BLOCK], cluster_of[b:b + BLOCK])
                for k in range(clusters):
                    sizes[k] = 0
                    for j in range(d + 1):
                        sums[k, j] = 0.0
                for t in range(m):
                    slack[t] = gap(best[t], second[t], norm[t])
                    k, i, w = cluster_of[t], index[t], mass[t]
                    sizes[k] += 1
                    sums[k, d] += w
                    for j in range(d):
                        sums[k, j] += w * x[i, j]
                while end < 0:
                    empty = -1
                    for k in range(clusters - 1, -1, -1):
                        empty = k if sizes[k] == 0 else empty
                    if empty >= 0:   # it takes the object that is farthest from its centre
                        far, worst = np.int64(0), 0.0
                        for t in range(m):
                            e = squared_distance(x[index[t]], c[cluster_of[t]])
                            if e > worst and e > NONE * norm[t]:
                                far, worst = t, e
                        refills += 1
                        if worst == 0.0 or refills > 4 * clusters + max_iter:
                            end = EMPTY   # fewer distinct objects than clusters
                        for j in range(d if end < 0 else 0):
                            c[empty, j] = x[index[far], j]
                        break
                    farthest = 0.0
                    for k in range(clusters):
                        drift[k] = 0.0
                        for j in range(d):
                            v = sums[k, j] / sums[k, d]
                            drift[k] += (v - c[k, j]) * (v - c[k, j])
                            c[k, j] = v
                        drift[k] = np.sqrt(drift[k])
                        farthest = max(farthest, drift[k])
                    count = 0
                    for t in range(m):
                        slack[t] -= drift[cluster_of[t]] + farthest
                        todo[count] = t
                        count += 1 if slack[t] <= 0.0 else 0
                    changed = 0
                    for b in range(0, count, BLOCK):
                        size = min(BLOCK, count - b)
                        for i in range(0, size, 4):   # four objects: their numbers are neighbours
                            x0 = x[index[todo[b + i]]]
                            x1 = x[index[todo[min(b + i + 1, count - 1)]]]
                            x2 = x[index[todo[min(b + i + 2, count - 1)]]]
                            x3 = x[index[todo[min(b + i + 3, count - 1)]]]
                            for j in range(d):
                                few[j, i], few[j, i + 1] = x0[j], x1[j]
                                few[j, i + 2], few[j, i + 3] = x2[j], x3[j]
                        for k in range(clusters):
                            compete(few, c[k], k, row, few_best, few_second, few_own)
                        for i in range(size):
                            t = todo[b + i]
                            slack[t] = gap(few_best[i], few_second[i], norm[t])
                            k, l, w, at = cluster_of[t], few_own[i], mass[t], index[t]
                            if k != l:
                                changed += 1
                                cluster_of[t] = l
                                sizes[k] -= 1
                                sizes[l] += 1
                                sums[k, d] -= w
                                sums[l, d] += w
                                for j in range(d):
                                    v = w * x[at, j]
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
                for k in range(clusters):
                    for j in range(d + 1):
                        sums[k, j] = 0.0
                for t in range(m):
                    k, i, w = cluster_of[t], index[t], mass[t]
                    sums[k, d] += w
                    for j in range(d):
                        sums[k, j] += w * x[i, j]
                for k in range(clusters):
                    for j in range(d):
                        c[k, j] = sums[k, j] / sums[k, d]
            cost = 0.0
            for t in range(m):
                cost += mass[t] * squared_distance(x[index[t]], c[cluster_of[t]])
            if start == 0 or cost < inertia[rep] * SAME:
                inertia[rep], n_iter[rep], status[rep] = cost, passes, end
                best_start[rep] = start
                for k in range(clusters):
                    for j in range(d):
                        centers[rep, k, j] = c[k, j]
                for t in range(m):
                    labels[rep, index[t]] = cluster_of[t]
