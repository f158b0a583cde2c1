"""Moves of objects and clusters of one estimate, scored against all draws at once.

`p` (the problem, read-only) holds draws (n, S) by object, first (S,) the row of each draw's
first cluster in the tables, weights (S,), f (n + 1,), step[t] = f(t + 1) - f(t) (n + 1,), code,
a, total (sum of weights), slack (smallest gain in loss).

`s` (the state) holds labels (n,), -1 for objects without cluster; tables (columns, R) objects in
each cluster of the estimate and each cluster of each draw (neighbours in memory belong to
neighbouring draws, which are read in turn); sizes (columns,) and rows (R,), their margins; joint,
drawn (S,) sums J and B of each draw, own (1,) A (see `losses`); counts (3,): clusters, objects
with a cluster, moves. Columns 0, ..., clusters - 1 are not empty, all others are; their number
is even.
"""

from math import log

from ...._kernels._jit import kernel
from .losses import BINDER, VI, loss_of


def _passes(p, s, *rest):
    """Steps of a pass over some objects, for all draws and columns."""
    return (rest[2] - rest[1]) * p.first.shape[0] * (int(s.counts[0]) + 4)


@kernel
def put_in(p, s, i, k):
    """Give object i, which has no cluster, to cluster k; the first empty column is a new one."""
    for t in range(p.first.shape[0]):
        r = p.first[t] + p.draws[i, t]
        s.joint[t] += p.step[s.tables[k, r]]
        s.tables[k, r] += 1
        s.drawn[t] += p.step[s.rows[r]]
        s.rows[r] += 1
    s.own[0] += p.step[s.sizes[k]]
    s.sizes[k] += 1
    s.labels[i] = k
    s.counts[1] += 1
    if s.sizes[k] == 1:
        s.counts[0] += 1


@kernel
def take_out(p, s, i):
    """Take object i out of its cluster; the last cluster fills a column that gets empty."""
    k = s.labels[i]
    for t in range(p.first.shape[0]):
        r = p.first[t] + p.draws[i, t]
        s.tables[k, r] -= 1
        s.joint[t] -= p.step[s.tables[k, r]]
        s.rows[r] -= 1
        s.drawn[t] -= p.step[s.rows[r]]
    s.sizes[k] -= 1
    s.own[0] -= p.step[s.sizes[k]]
    s.labels[i] = -1
    s.counts[1] -= 1
    if s.sizes[k] == 0:
        close(s, k)


@kernel
def close(s, k):
    """Remove the empty column k: the last cluster takes its place."""
    last = s.counts[0] - 1
    s.counts[0] = last
    if k == last:
        return
    for r in range(s.tables.shape[1]):
        s.tables[k, r] = s.tables[last, r]
        s.tables[last, r] = 0
    s.sizes[k] = s.sizes[last]
    s.sizes[last] = 0
    for i in range(s.labels.shape[0]):
        if s.labels[i] == last:
            s.labels[i] = k


@kernel
def refresh(p, s):
    """Compute the sums J, B and A anew from the tables: removes rounding."""
    clusters = s.counts[0]
    for t in range(p.first.shape[0]):
        last = s.rows.shape[0] if t + 1 == p.first.shape[0] else p.first[t + 1]
        joint, drawn = 0.0, 0.0
        for r in range(p.first[t], last):
            drawn += p.f[s.rows[r]]
            for k in range(clusters):
                joint += p.f[s.tables[k, r]]
        s.joint[t] = joint
        s.drawn[t] = drawn
    own = 0.0
    for k in range(clusters):
        own += p.f[s.sizes[k]]
    s.own[0] = own


@kernel
def value(p, s):
    """Expected loss of the objects that have a cluster."""
    total, logarithm = 0.0, log(float(max(1, s.counts[1])))
    for t in range(p.first.shape[0]):
        total += p.weights[t] * loss_of(p.code, p.a, s.joint[t], s.own[0], s.drawn[t],
                                        s.counts[1], logarithm)
    return total / p.total


@kernel
def score_sums(p, s, i, offered, score):
    """score[k] = loss with object i in cluster k, less a constant: vi and binder.

    For an object with a cluster: as if it were taken out first. Only sums over draws of
    f(T + 1) - f(T) change, so a look at each cell is enough. Two clusters at once: their sums do
    not wait for each other. (The number of columns is even.)
    """
    here = s.labels[i]
    row = p.draws[i]
    for k in range(0, offered, 2):
        x, y = s.tables[k], s.tables[k + 1]
        left, right = 0.0, 0.0
        for t in range(p.first.shape[0]):
            r = p.first[t] + row[t]
            left -= p.weights[t] * p.step[x[r]]
            right -= p.weights[t] * p.step[y[r]]
        score[k] = left
        score[k + 1] = right
    if here >= 0:
        x, left = s.tables[here], 0.0
        for t in range(p.first.shape[0]):
            left -= p.weights[t] * p.step[x[p.first[t] + row[t]] - 1]
        score[here] = left
    m = s.counts[1] + (0 if here >= 0 else 1)
    scale = float(m) if p.code == VI else float(m) * m
    for k in range(offered):
        size = s.sizes[k] - (1 if k == here else 0)
        score[k] = (2.0 * score[k] / p.total + (2.0 - p.a) * p.step[size]) / scale


@kernel
def score_losses(p, s, i, offered, score, room):
    """As `score_sums`, for losses that are no sums; room (2, S) is scratch."""
    here = s.labels[i]
    row = p.draws[i]
    m = s.counts[1] + (0 if here >= 0 else 1)
    own = s.own[0] - (p.step[s.sizes[here] - 1] if here >= 0 else 0.0)
    for t in range(p.first.shape[0]):
        r = p.first[t] + row[t]
        room[0, t] = s.joint[t] - (p.step[s.tables[here, r] - 1] if here >= 0 else 0.0)
        room[1, t] = s.drawn[t] + (p.step[s.rows[r]] if here < 0 else 0.0)
    logarithm = log(float(m))
    for k in range(offered):
        x, total, gone = s.tables[k], 0.0, 1 if k == here else 0
        present = own + p.step[s.sizes[k] - gone]
        for t in range(p.first.shape[0]):
            r = p.first[t] + row[t]
            total += p.weights[t] * loss_of(p.code, p.a, room[0, t] + p.step[x[r] - gone], present,
                                            room[1, t], m, logarithm)
        score[k] = total / p.total


@kernel(steps=_passes)
def pass_over(p, s, order, start, stop, most, score, room):
    """Give the objects order[start:stop] the cluster with the least loss, one after the other.

    Objects with a cluster move only when that gains more than the slack. `most` clusters at
    most. Returns where it ended: before `stop` when there is no column left for a new cluster.
    """
    for position in range(start, stop):
        clusters = s.counts[0]
        if clusters < most and clusters >= s.sizes.shape[0]:
            return position
        offered = clusters + (1 if clusters < most else 0)
        i = order[position]
        if p.code == VI or p.code == BINDER:
            score_sums(p, s, i, offered, score)
        else:
            score_losses(p, s, i, offered, score, room)
        best, here = 0, s.labels[i]
        for k in range(1, offered):
            if score[k] < score[best]:
                best = k
        if here < 0:
            put_in(p, s, i, best)
        elif score[best] < score[here] - p.slack:
            if s.sizes[here] == 1 and best == clusters:
                continue   # from one cluster of its own to another
            last = clusters - 1
            alone = s.sizes[here] == 1
            take_out(p, s, i)
            put_in(p, s, i, here if alone and best == last else best)
            s.counts[2] += 1
    return stop


@kernel(steps=_passes)
def fill(p, s, labels, start, stop):
    """Put objects start, ..., stop - 1 into the clusters that `labels` (n,) names, -1 for none.

    All clusters 0, ..., c - 1 must occur; the sums J, B and A are left to `refresh`.
    """
    for i in range(start, stop):
        k = labels[i]
        s.labels[i] = k
        if k < 0:
            continue
        for t in range(p.first.shape[0]):
            r = p.first[t] + p.draws[i, t]
            s.tables[k, r] += 1
            s.rows[r] += 1
        if s.sizes[k] == 0:
            s.counts[0] += 1
        s.sizes[k] += 1
        s.counts[1] += 1


@kernel(steps=lambda p, s, start, stop, order: s.tables.shape[1] * (stop - start) * 3)
def empty(p, s, start, stop, members):
    """Take the objects members[start:stop] out of their cluster."""
    for position in range(start, stop):
        take_out(p, s, members[position])


@kernel
def merged_value(p, s, k, h):
    """Expected loss with clusters k and h joined."""
    own = s.own[0] + (p.f[s.sizes[k] + s.sizes[h]] - p.f[s.sizes[k]] - p.f[s.sizes[h]])
    total, logarithm = 0.0, log(float(max(1, s.counts[1])))
    for t in range(p.first.shape[0]):
        last = s.rows.shape[0] if t + 1 == p.first.shape[0] else p.first[t + 1]
        more = 0.0
        for r in range(p.first[t], last):
            x, y = s.tables[k, r], s.tables[h, r]
            if x > 0 and y > 0:
                more += p.f[x + y] - p.f[x] - p.f[y]
        total += p.weights[t] * loss_of(p.code, p.a, s.joint[t] + more, own, s.drawn[t],
                                        s.counts[1], logarithm)
    return total / p.total


@kernel
def merge(s, k, h):
    """Join clusters k < h; the sums J and A are left to `refresh`."""
    for r in range(s.tables.shape[1]):
        s.tables[k, r] += s.tables[h, r]
        s.tables[h, r] = 0
    s.sizes[k] += s.sizes[h]
    s.sizes[h] = 0
    for i in range(s.labels.shape[0]):
        if s.labels[i] == h:
            s.labels[i] = k
    close(s, h)


@kernel(steps=lambda p, s, loss: s.tables.shape[1] * int(s.counts[0]) ** 2)
def merge_pairs(p, s, loss):
    """Join the first pair of clusters that gains more than the slack; whether there was one."""
    for k in range(s.counts[0]):
        for h in range(k + 1, s.counts[0]):
            if merged_value(p, s, k, h) < loss - p.slack:
                merge(s, k, h)
                return True
    return False
