"""Grow sets of objects whose partition many draws share.

`c` (the core so far) holds sharing (S,) 1 for draws that share its partition; place (S, most) the
cluster of the core that a cluster of a draw is, -1 for none; counts (n, most + 1) weight of the
sharing draws in which an object lies in each cluster of the core, or in none (the last of the
`most` + 1 columns); cluster (n,), -1 outside; sizes (2,) objects and clusters of the core; weight
(1,) of the sharing draws.
"""

from ....running.compiler import kernel


@kernel
def clear(c, weights):
    """An empty core, which all draws share."""
    total = 0.0
    for s in range(weights.shape[0]):
        total += weights[s]
        c.sharing[s] = 1
        for j in range(c.place.shape[1]):
            c.place[s, j] = -1
    c.counts[:] = 0.0
    for i in range(c.cluster.shape[0]):
        c.cluster[i] = -1
        c.counts[i, c.counts.shape[1] - 1] = total
    c.sizes[:] = 0
    c.weight[0] = total


@kernel
def copy_to(c, d):
    """Copy the core c over d."""
    d.sharing[:] = c.sharing
    d.place[:] = c.place
    d.counts[:] = c.counts
    d.cluster[:] = c.cluster
    d.sizes[:] = c.sizes
    d.weight[:] = c.weight


@kernel
def add(c, draws, weights, i, q):
    """Put object i into cluster q of the core, or into a new one if q is the last column."""
    none = c.counts.shape[1] - 1
    fresh = c.sizes[1]
    for s in range(draws.shape[0]):
        if not c.sharing[s]:
            continue
        cluster = c.place[s, draws[s, i]]
        w = weights[s]
        if (cluster if cluster >= 0 else none) != q:   # this draw does not share it
            c.sharing[s] = 0
            c.weight[0] -= w
            for h in range(draws.shape[1]):
                k = c.place[s, draws[s, h]]
                c.counts[h, k if k >= 0 else none] -= w
        elif q == none:
            j = draws[s, i]
            c.place[s, j] = fresh
            for h in range(draws.shape[1]):
                if draws[s, h] == j:
                    c.counts[h, none] -= w
                    c.counts[h, fresh] += w
    if q == none:
        c.cluster[i] = fresh
        c.sizes[1] += 1
    else:
        c.cluster[i] = q
    c.sizes[0] += 1


@kernel
def grow(c, draws, weights, needed):
    """Add the object and cluster that keep most weight, as long as `needed` is kept."""
    none = c.counts.shape[1] - 1
    while c.sizes[0] < c.cluster.shape[0]:
        largest, best, where = -1.0, none, none
        for i in range(c.cluster.shape[0]):
            if c.cluster[i] >= 0:
                continue
            for k in range(c.sizes[1] + 1):
                q = k if k < c.sizes[1] else none
                if c.counts[i, q] > largest:
                    largest, best, where = c.counts[i, q], i, q
        if largest < needed:
            break
        add(c, draws, weights, best, where)


@kernel
def best_core(c, d, draws, weights, needed, first, second, start, stop, cluster, result):
    """Largest core that grows from the pairs start, ..., stop - 1, each together and apart.

    Pairs come in order of `first`. cluster (n,) and result (2,), size and weight, hold the best
    so far; among equal sizes the larger weight, then the earlier pair.
    """
    none, at = c.counts.shape[1] - 1, -1
    for pair in range(start, stop):
        i, j = first[pair], second[pair]
        if i != at:
            clear(c, weights)
            add(c, draws, weights, i, none)
            at = i
        for q in (0, none):
            if c.counts[j, q] < needed:
                continue
            copy_to(c, d)
            add(d, draws, weights, j, q)
            grow(d, draws, weights, needed)
            if d.sizes[0] > result[0] or (d.sizes[0] == result[0] and d.weight[0] > result[1]):
                result[0] = d.sizes[0]
                result[1] = d.weight[0]
                cluster[:] = d.cluster
