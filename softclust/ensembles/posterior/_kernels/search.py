"""Losses of partitions, and moves of objects of one estimate, scored against all draws at once.

Losses are functions of sums of f over the cells and margins of a table: f(t) is t log t for the
losses of information and t^2 for those of pairs; J is the sum over the cells, A and B over the
margins of the estimate and of the draw, m the number of objects.

`p` (the problem) holds draws (n, S) by object, first (S,) the row of each draw's first cluster in
the tables, weights (S,), f (n + 1,), step[t] = f(t + 1) - f(t) (n + 1,), code, a, total (sum of
weights), slack (smallest gain in loss).

`s` (the state) holds labels (n,), -1 for objects without cluster; tables (columns, R) objects in
each cluster of the estimate and each cluster of each draw (neighbours in memory belong to
neighbouring draws, which are read in turn); sizes (columns,) and rows (R,), their margins; joint,
drawn (S,) sums J and B of each draw, own (1,) A; counts (3,): clusters, objects with a cluster,
moves. Columns 0, ..., clusters - 1 are not empty, all others are.
"""

from math import log

from ...._numba import kernel

VI, BINDER, NVI, NID, ID, OMARI, GIVEN = range(7)
#: entropies below this are those of one cluster
NOTHING = 1e-12


@kernel
def loss_of(code, a, joint, own, drawn, m, total):
    """One loss from J, A and B; 0 for equal partitions. `total` is log m.

    The formulas of the measures in compiled form: the search evaluates them for each object,
    cluster and draw. `LossRule.values` has them from the records; a test compares both.
    """
    if m < 1:
        return 0.0
    if code == VI:
        return max(0.0, (a * drawn + (2.0 - a) * own - 2.0 * joint) / m)
    if code == BINDER:
        return max(0.0, (a * drawn + (2.0 - a) * own - 2.0 * joint) / (float(m) * m))
    if code == OMARI:
        pairs = 0.5 * m * (m - 1.0)
        x, y = 0.5 * (own - m), 0.5 * (drawn - m)
        # Both all single objects, or both one cluster: equal.
        if pairs == 0.0 or x + y == 0.0 or x + y == 2.0 * pairs:
            return 0.0
        chance = x * y / pairs
        return max(0.0, 1.0 - (0.5 * (joint - m) - chance) / (0.5 * (x + y) - chance))
    shared = total - (own + drawn - joint) / m
    top = total - joint / m if code == NVI else total - min(own, drawn) / m
    if code == ID:
        return max(0.0, top - shared)
    return max(0.0, 1.0 - shared / top) if top > NOTHING else 0.0


@kernel
def joint_sums(begins, order, draws, chosen, clusters, f, counts, out, start, stop):
    """Sums J of an estimate at the draws chosen[start], ..., chosen[stop - 1], into out[s].

    Its cluster k has the objects order[begins[k]:begins[k + 1]]. counts (2, most clusters) is
    scratch of zeros: neighbours count in different rows, since the same cell twice in turn would
    have to wait.
    """
    for s in range(start, stop):
        d = chosen[s]
        joint = 0.0
        for k in range(begins.shape[0] - 1):
            first, last = begins[k], begins[k + 1]
            for p in range(first, last):
                counts[p & 1, draws[d, order[p]]] += 1
            whole = last - first >= clusters[d]
            for p in range(clusters[d] if whole else last - first):
                j = p if whole else draws[d, order[first + p]]
                joint += f[counts[0, j] + counts[1, j]]
                counts[0, j] = 0
                counts[1, j] = 0
        out[s] = joint


@kernel
def fill(p, s, labels, start, stop):
    """Put objects start, ..., stop - 1 into the clusters that `labels` (n,) names, -1 for none.

    All clusters 0, ..., c - 1 must occur; the sums J, B and A are left to `State.refresh`.
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


@kernel
def pass_over(p, s, order, start, stop, most, score, room):
    """Give the objects order[start:stop] the cluster with the least loss, one after the other.

    score[k] is the loss with the object in cluster k, as if it were taken out first, for vi and
    binder less a constant: there only sums over draws of f(T + 1) - f(T) change, so a look at
    each cell is enough. Objects with a cluster move only when that gains more than the slack.
    `most` clusters at most. Returns where it ended: before `stop` when there is no column left
    for a new cluster. score (columns,) and room (2, S) are scratch; for code GIVEN score holds the
    losses of one object.
    """
    draws = p.first.shape[0]
    for position in range(start, stop):
        clusters = s.counts[0]
        if clusters < most and clusters >= s.sizes.shape[0]:
            return position
        offered = clusters + (1 if clusters < most else 0)
        i = order[position]
        here = s.labels[i]
        m = s.counts[1] + (0 if here >= 0 else 1)
        if p.code == VI or p.code == BINDER:
            scale = float(m) if p.code == VI else float(m) * m
            for k in range(offered):
                gone = 1 if k == here else 0
                left, right = 0.0, 0.0   # two sums, which do not wait for each other
                for t in range(0, draws - 1, 2):
                    left += p.weights[t] * p.step[
                        s.tables[k, p.first[t] + p.draws[i, t]] - gone]
                    right += p.weights[t + 1] * p.step[
                        s.tables[k, p.first[t + 1] + p.draws[i, t + 1]] - gone]
                if draws & 1:
                    t = draws - 1
                    left += p.weights[t] * p.step[
                        s.tables[k, p.first[t] + p.draws[i, t]] - gone]
                score[k] = ((2.0 - p.a) * p.step[s.sizes[k] - gone]
                            - 2.0 * (left + right) / p.total) / scale
        elif p.code != GIVEN:
            own = s.own[0] - (p.step[s.sizes[here] - 1] if here >= 0 else 0.0)
            for t in range(draws):
                r = p.first[t] + p.draws[i, t]
                room[0, t] = s.joint[t] - (p.step[s.tables[here, r] - 1] if here >= 0 else 0.0)
                room[1, t] = s.drawn[t] + (p.step[s.rows[r]] if here < 0 else 0.0)
            logarithm = log(float(m))
            for k in range(offered):
                gone = 1 if k == here else 0
                present = own + p.step[s.sizes[k] - gone]
                total = 0.0
                for t in range(draws):
                    r = p.first[t] + p.draws[i, t]
                    total += p.weights[t] * loss_of(
                        p.code, p.a, room[0, t] + p.step[s.tables[k, r] - gone], present,
                        room[1, t], m, logarithm)
                score[k] = total / p.total
        best = 0
        for k in range(1, offered):
            if score[k] < score[best]:
                best = k
        if here >= 0:
            if not score[best] < score[here] - p.slack:
                continue
            alone = s.sizes[here] == 1
            if alone and best == clusters:
                continue   # from one cluster of its own to another
            for t in range(draws):
                r = p.first[t] + p.draws[i, t]
                s.tables[here, r] -= 1
                s.joint[t] -= p.step[s.tables[here, r]]
                s.rows[r] -= 1
                s.drawn[t] -= p.step[s.rows[r]]
            s.sizes[here] -= 1
            s.own[0] -= p.step[s.sizes[here]]
            s.counts[1] -= 1
            s.counts[2] += 1
            if alone:   # the last cluster fills the empty column
                last = clusters - 1
                s.counts[0] = last
                if here != last:
                    for r in range(s.tables.shape[1]):
                        s.tables[here, r] = s.tables[last, r]
                        s.tables[last, r] = 0
                    s.sizes[here] = s.sizes[last]
                    s.sizes[last] = 0
                    for j in range(s.labels.shape[0]):
                        if s.labels[j] == last:
                            s.labels[j] = here
                if best == last:
                    best = here
        for t in range(draws):
            r = p.first[t] + p.draws[i, t]
            s.joint[t] += p.step[s.tables[best, r]]
            s.tables[best, r] += 1
            s.drawn[t] += p.step[s.rows[r]]
            s.rows[r] += 1
        s.own[0] += p.step[s.sizes[best]]
        s.sizes[best] += 1
        s.labels[i] = best
        s.counts[1] += 1
        if s.sizes[best] == 1:
            s.counts[0] += 1
    return stop
