"""Bagging of k-means: draw, fit, match to the base clustering and vote, replicate by replicate.

One call serves a range of replicates and allocates nothing. A draw is known by its `source`, the
index of an object or -1 for a point of the prior. Draws of the same object are fitted as one
point with the sum of their weights. Votes and overlaps are whole numbers, so sums over ranges are
exact in any order.
"""

import numpy as np

from ._jit import borrowing
from ._tile_rows import copy_row, move_points
from ._tiles import TILE, tiled
from .assignment import assign_max
from .centroids import EMPTY, SAME, STOPPED, lloyd, weighted_sum
from .nearest import assign
from .random import fill_below, fill_discs, fill_gammas, fill_uniforms, to_normals
from .seeding import BLOCK, complete, gather, seed, sum_runs, take_point

#: what is compiled, in messages
TOPIC = "bagged k-means"

#: how replicates are drawn
EFRON = 0       # n objects with replacement
BAYESIAN = 1    # every object, with Dirichlet(1, ..., 1) weights (Rubin)
SUBSAMPLE = 2   # some objects without replacement
PROPER = 3      # objects and points of a Gaussian mixture, with Dirichlet weights

#: which starts a replicate's k-means gets
PLUSPLUS = 0
RANDOM = 1
WARM = 2

#: which votes count, in the overlap and in the result
DRAWS = 0
ONCE = 1
ALL = 2

#: so many clusters are matched with equal optima chosen uniformly
UNIFORM = 12
_BITS = np.array([bin(s).count("1") for s in range(1 << UNIFORM)])

#: places of the counts that a call adds to
TIES, UNFINISHED, SHORT = 0, 1, 2


# -- draws ----------------------------------------------------------------------------------
@borrowing
def draw(state, draws, room, source, points, weights):
    """One replicate: `source` (m,), for the prior `points` (m, d), `weights` (m,) with sum 1.

    `draws` says how: scheme, n, prior_weight, fixed (the exact number of draws from the prior, or
    -1), cumulated, means, roots (of its components, transposed), shape (of the gamma numbers behind
    the weights). `room` has uniforms, normals, places, by_component. The weights of Efron's and
    of subsampling stay as they are.
    """
    m = source.shape[0]
    n = draws.n
    if draws.scheme == EFRON:
        fill_below(state, n, source)
    elif draws.scheme == SUBSAMPLE:
        # Selection sampling: object i is taken with probability (wanted left) / (objects left).
        uniforms = room.uniforms
        fill_uniforms(state, uniforms)
        taken = 0
        for i in range(n):
            if taken < m and uniforms[i] * (n - i) < m - taken:
                source[taken] = i
                taken += 1
    elif draws.scheme == BAYESIAN:
        for t in range(m):
            source[t] = t
        fill_gammas(state, 1.0, weights)
        scale_to_one(weights)
    else:
        draw_proper(state, draws, room, source, points, weights)


@borrowing
def draw_proper(state, draws, room, source, points, weights):
    """Proper Bayesian bootstrap; every number is drawn, used or not, so streams never shift."""
    uniforms, normals, places = room.uniforms, room.normals, room.places
    fixed, cumulated, means, roots = draws.fixed, draws.cumulated, draws.means, draws.roots
    m = source.shape[0]
    d = means.shape[1]
    fill_uniforms(state, uniforms[:m])
    fill_below(state, draws.n, source)
    left = fixed
    count = 0
    for t in range(m):
        if fixed >= 0:
            prior = uniforms[t] * (m - t) < left
            left -= 1 if prior else 0
        else:
            prior = uniforms[t] < draws.prior_weight
        # Written always, counted sometimes: random numbers would mislead a branch.
        source[t] = -1 if prior else source[t]
        places[count] = t
        count += 1 if prior else 0
    fill_uniforms(state, uniforms[:m])
    fill_discs(state, normals)
    if d % 2 == 1:   # pairs lie across points
        to_normals(normals, 0, normals.shape[0])
    for t in places[:count]:
        if d % 2 == 0:
            to_normals(normals, t * d, t * d + d)
        k = 0
        for c in range(cumulated.shape[0] - 1):
            k += 0 if uniforms[t] < cumulated[c] else 1
        if d == 2:
            u = normals[2 * t]
            v = normals[2 * t + 1]
            points[t, 0] = means[k, 0] + (roots[k, 0, 0] * u + roots[k, 1, 0] * v)
            points[t, 1] = means[k, 1] + (roots[k, 0, 1] * u + roots[k, 1, 1] * v)
        uniforms[t] = k
    if d != 2:
        order = room.by_component
        last = 0
        for k in range(cumulated.shape[0]):
            first = last
            for t in places[:count]:
                order[last] = t
                last += 1 if uniforms[t] == k else 0
            move_points(points, order, first, last, means[k], roots[k], normals)
    fill_gammas(state, draws.shape, weights)
    scale_to_one(weights)


@borrowing
def scale_to_one(weights):
    """Divide by the sum."""
    total = 0.0
    for t in range(weights.shape[0]):
        total += weights[t]
    for t in range(weights.shape[0]):
        weights[t] /= total


@borrowing
def draw_replicates(states, draws, room, source, points, weights):
    """Replicates for which nothing is fitted: rows of `source`, `points`, `weights`."""
    for b in range(states.shape[0]):
        draw(states[b], draws, room, source[b], points[b if points.shape[0] > 1 else 0],
             weights[b if weights.shape[0] > 1 else 0])


# -- matching -------------------------------------------------------------------------------
@borrowing
def match_clear(table, cluster):
    """Match where every row has one largest entry and no two share a column: the only optimum."""
    k = table.shape[0]
    for j in range(k):
        cluster[j] = -1
    for i in range(k):
        best = 0
        second = -1
        for j in range(1, k):
            if table[i, j] > table[i, best]:
                second = table[i, best]
                best = j
            elif table[i, j] > second:
                second = table[i, j]
        if cluster[best] >= 0 or second == table[i, best]:
            return False
        cluster[best] = i
    return True


@borrowing
def match(table, uniform, cluster, columns, numbers, ways, marks):
    """cluster[column] = row for the largest sum; how many matchings reach it (0: not counted).

    Among N equal optima in lexicographic order of their columns, number floor(uniform N) is
    taken. Above `UNIFORM` clusters rows and columns are turned by a random number of places
    instead: any may be chosen, not equally often.
    """
    k = table.shape[0]
    if k > UNIFORM:
        shift = int(uniform * k)
        turned = numbers[4 * k:4 * k + k * k].reshape((k, k))
        for i in range(k):
            for j in range(k):
                turned[i, j] = table[(i + shift) % k, (j + shift) % k]
        assign_max(turned, columns, numbers, marks)
        for i in range(k):
            cluster[(columns[i] + shift) % k] = (i + shift) % k
        return 0
    if match_clear(table, cluster):
        return 1
    full = (1 << k) - 1
    numbers[full] = 0
    ways[full] = 1
    for taken in range(full - 1, -1, -1):
        i = _BITS[taken]
        most = -1
        count = 0
        for j in range(k):
            if (taken >> j) & 1 == 0:
                value = numbers[taken | (1 << j)] + table[i, j]
                if value > most:
                    most = value
                    count = ways[taken | (1 << j)]
                elif value == most:
                    count += ways[taken | (1 << j)]
        numbers[taken] = most
        ways[taken] = count
    rank = int(uniform * ways[0])
    taken = 0
    for i in range(k):
        for j in range(k):
            if (taken >> j) & 1 == 1:
                continue
            after = taken | (1 << j)
            if numbers[after] + table[i, j] == numbers[taken]:
                if rank < ways[after]:
                    cluster[j] = i
                    taken = after
                    break
                rank -= ways[after]
    return ways[0]


# -- fitting --------------------------------------------------------------------------------
@borrowing
def collect(x, source, extra, weights, weighted, room):
    """Points to fit, in blocks: drawn objects in their order, then points of the prior.

    Returns how many objects, and how many in all. `object_counts` and `objects` (n,) of the room
    receive the number and the weight of the draws of each object.
    """
    counts, objects, places = room.object_counts, room.objects, room.places
    points, moments, masses = room.points, room.moments, room.masses
    for i in range(x.shape[0]):
        counts[i] = 0
        objects[i] = 0.0
    mixed = extra.shape[0] > 0
    draws = source.shape[0]
    if mixed:
        # Written always, counted sometimes, here and below: see `gather`.
        draws = 0
        for t in range(source.shape[0]):
            places[draws] = t
            draws += 1 if source[t] >= 0 else 0
    for r in range(draws):
        counts[source[places[r] if mixed else r]] += 1
    if weighted:
        for r in range(draws):
            t = places[r] if mixed else r
            objects[source[t]] += weights[t]
    else:
        for i in range(x.shape[0]):
            objects[i] = counts[i]
    drawn = gather(x, objects, points, moments, masses, room.index)
    m = drawn
    if mixed:
        draws = 0
        for t in range(source.shape[0]):
            places[draws] = t
            draws += 1 if source[t] < 0 and (not weighted or weights[t] > 0.0) else 0
        for t in places[:draws]:
            b = m // BLOCK
            if tiled(x.shape[1]):
                copy_row(extra, t, moments, m)
            else:
                for j in range(x.shape[1]):
                    points[b, j, m - b * BLOCK] = extra[t, j]
            masses[b, m - b * BLOCK] = weights[t] if weighted else 1.0
            m += 1
    complete(points, masses, m, moments)
    return drawn, m


@borrowing
def fit(init, max_iter, base_centers, m, drawn, room):
    """Best of the starts by inertia, first on ties; centres to `best`, labels to `chosen`."""
    uniforms, best, trial, chosen = room.starts, room.best, room.trial, room.chosen
    points, moments, masses = room.points, room.moments, room.masses
    nearest, current, runs, ends = room.nearest, room.current, room.runs, room.ends
    least = 0.0
    state = 0
    mass_runs = runs[runs.shape[0] // 2:]   # one half of the scratch each
    mass = sum_runs(masses, m, mass_runs)
    starts = 1 if init == WARM else uniforms.shape[0]
    for first in range(0, starts, trial.shape[0]):
        count = min(trial.shape[0], starts - first)
        if init == PLUSPLUS:
            seed(points, moments, masses, m, uniforms, first, count, trial, current, nearest,
                 room.values, runs, mass_runs, mass)
        elif init == WARM:
            for k in range(best.shape[0]):
                for j in range(best.shape[1]):
                    trial[0, k, j] = base_centers[k, j]
        else:
            for s in range(count):
                take_points(points, moments, m, uniforms[first + s], trial, s, room.order)
        lloyd(points, moments, masses, m, max_iter, count, trial, init == PLUSPLUS, current,
              room.before, nearest, room.total, room.new, room.counts, room.sums, room.passes,
              ends, room.bounds)
        for s in range(count):
            squares = weighted_sum(nearest, s, masses, m)
            if first + s > 0 and not squares < least * SAME:
                continue
            least = squares
            state = ends[s]
            for k in range(best.shape[0]):
                for j in range(best.shape[1]):
                    best[k, j] = trial[s, k, j]
            for start in range(0, drawn, BLOCK):
                b = start // BLOCK
                for i in range(min(BLOCK, drawn - start)):
                    chosen[start + i] = current[s, b, i]
    return state


@borrowing
def take_points(points, moments, m, uniforms, centers, s, order):
    """Different points as centres of set s, all equally likely; the last again when m < K."""
    for t in range(m):
        order[t] = t
    for k in range(centers.shape[1]):
        left = min(k, m - 1)
        t = left + int(uniforms[k] * (m - left))
        at = order[t]
        order[t] = order[left]
        order[left] = at
        take_point(points, moments, at, centers, s, k)


@borrowing
def nearest_center(point, centers):
    """Lowest index of the nearest centre."""
    least = 0.0
    label = -1
    for k in range(centers.shape[0]):
        squares = 0.0
        for j in range(centers.shape[1]):
            e = point[j] - centers[k, j]
            squares += e * e
        if label < 0 or squares < least:
            least = squares
            label = k
    return label


# -- replicates -----------------------------------------------------------------------------
def _bag_steps(*args):
    """Inner steps of these replicates: passes over all coordinates."""
    states, x = args[0], args[3].x
    return states.shape[0] * x.size * 150


@borrowing(steps=_bag_steps)
def bag(states, draws, ready, base, plan, result, room):
    """Replicates of `states` (count, 4): their votes are added to the result's votes (n, K).

    `draws` as in `draw`. `ready`: source, points, weights, one row per replicate if any;
    the scheme then draws all the same, so that the numbers after it stay what they are. `base`:
    objects x (n, d), the same in blocks, labels and centers of the base clustering. `plan`: init,
    max_iter, weighted, overlap, voting. `result`: votes, centers (count, K, d) in the order of the
    base clusters, happened (3,), which counts matchings with equal optima, fits cut short and fits
    with fewer distinct points than clusters. `room` is scratch.
    """
    x, weighted, overlap, voting = base.x, plan.weighted, plan.overlap, plan.voting
    base_labels, blocks, centers = base.labels, base.blocks, result.centers
    votes, happened = result.votes, result.happened
    starts, tie, table, cluster = room.starts, room.tie, room.table, room.cluster
    object_counts, objects, index = room.object_counts, room.objects, room.index
    best, chosen, all_labels = room.best, room.chosen, room.all_labels
    all_nearest, total, new = room.all_nearest, room.total, room.new
    n = x.shape[0]
    k_base = base.centers.shape[0]
    flat = starts.reshape(starts.size)
    for b in range(states.shape[0]):
        draw(states[b], draws, room, room.source, room.extra, room.weights)
        drawn_from = room.source
        other = room.extra
        weight = room.weights
        if ready.source.shape[0] > 0:
            drawn_from = ready.source[b]
            other = ready.points[b if ready.points.shape[0] > 1 else 0]
            weight = ready.weights[b if ready.weights.shape[0] > 1 else 0]
        fill_uniforms(states[b], flat)
        fill_uniforms(states[b], tie)
        drawn, m = collect(x, drawn_from, other, weight, weighted, room)
        status = fit(plan.init, plan.max_iter, base.centers, m, drawn, room)
        happened[UNFINISHED] += 1 if status == STOPPED else 0
        happened[SHORT] += 1 if status == EMPTY else 0
        if voting == ALL:
            # Every object stands at its own place, drawn or not.
            assign(blocks, n, best, all_labels, all_nearest, total, new)
            drawn = n
            for first in range(0, n, BLOCK):
                for i in range(first, min(first + BLOCK, n)):
                    index[i] = i
                    chosen[i] = all_labels[first // BLOCK, i - first]
        elif weighted:
            # A weight may underflow to 0: the object was drawn and votes all the same.
            for i in range(n):
                if object_counts[i] > 0 and not objects[i] > 0.0:
                    index[drawn] = i
                    chosen[drawn] = nearest_center(x[i], best)
                    drawn += 1
        for i in range(2 * k_base):
            for j in range(k_base):
                table[i, j] = 0
        # Two tables in turn: an addition need not wait for the one just before it.
        for t in range(drawn):
            i = index[t]
            row = base_labels[i] + t % 2 * k_base
            table[row, chosen[t]] += object_counts[i] if overlap == DRAWS else 1
        for i in range(k_base):
            for j in range(k_base):
                table[i, j] += table[i + k_base, j]
        found = match(table[:k_base], tie[0], cluster, room.columns, room.numbers, room.ways,
                      room.marks)
        happened[TIES] += 1 if found > 1 else 0
        for t in range(drawn):
            i = index[t]
            votes[i, cluster[chosen[t]]] += object_counts[i] if voting == DRAWS else 1
        for k in range(k_base):
            for j in range(x.shape[1]):
                centers[b, cluster[k], j] = best[k, j]


@borrowing
def count_nearest(first, last, points, n, centers, votes, labels, near, total, new):
    """votes[i, k]: replicates whose centre k is nearest to point i, blocks `first` to `last` - 1.

    `centers` (B, K, d); `labels` and `near` are scratch of one block.
    """
    parts = BLOCK // TILE if tiled(points.shape[1]) else 1
    for b in range(first, last):
        size = min(BLOCK, n - b * BLOCK)
        for t in range(size):
            for k in range(votes.shape[1]):
                votes[b * BLOCK + t, k] = 0
        for r in range(centers.shape[0]):
            assign(points[b * parts:(b + 1) * parts], size, centers[r], labels, near, total, new)
            for t in range(size):
                votes[b * BLOCK + t, labels[0, t]] += 1
