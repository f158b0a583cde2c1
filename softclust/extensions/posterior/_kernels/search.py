"""Losses of partitions, and moves of objects of one estimate, scored against all draws at once.

Losses are functions of sums of f over the cells and margins of a table: f(t) is t log t for the
losses of information and t^2 for those of pairs; J is the sum over the cells, A and B over the
margins of the estimate and of the draw, m the number of objects.

`p` (the problem) holds draws (n, S) by object, first (S,) the row of each draw's first cluster in
the tables, weights (S,), f (n + 1,), step[t] = f(t + 1) - f(t) (n + 1,), power (of n, by which a
loss linear in the sums divides them; 0 for others), a, total (sum of weights), slack (smallest
gain in loss).

`s` (the state) holds labels (n,), -1 for objects without cluster; tables (columns, R) objects in
each cluster of the estimate and each cluster of each draw (neighbours in memory belong to
neighbouring draws, which are read in turn); sizes (columns,) and rows (R,), their margins; joint,
drawn (S,) sums J and B of each draw, estimate (1,) A; counts (3,): clusters, objects with a
cluster, moves. Columns 0, ..., clusters - 1 are not empty, all others are.
"""

from ....running.compiler import kernel


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
def pass_over(p, s, order, start, stop, max_clusters, score):
    """Give the objects order[start:stop] the cluster with the least loss, one after the other.

    score (columns,) is scratch for losses that are linear in the sums: only sums over draws of
    f(T + 1) - f(T) change there, so a look at each cell is enough. For others score[k] is the loss
    of one object in cluster k, as if it were taken out first. Objects with a cluster move only
    when that gains more than the slack. Returns where it ended: before `stop` when there is no
    column left for a new cluster.
    """
    draws = p.first.shape[0]
    for position in range(start, stop):
        clusters = s.counts[0]
        if clusters < max_clusters and clusters >= s.sizes.shape[0]:
            return position
        offered = clusters + (1 if clusters < max_clusters else 0)
        i = order[position]
        here = s.labels[i]
        m = s.counts[1] + (0 if here >= 0 else 1)
        if p.power > 0:
            scale = float(m) ** p.power
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
        best = 0
        for k in range(1, offered):
            if score[k] < score[best]:
                best = k
        if here >= 0:
            if not score[best] < score[here] - p.slack:
                continue
            alone = s.sizes[here] == 1
            if alone and best == clusters:
                continue   # from a cluster of one object to another
            for t in range(draws):
                r = p.first[t] + p.draws[i, t]
                s.tables[here, r] -= 1
                s.joint[t] -= p.step[s.tables[here, r]]
                s.rows[r] -= 1
                s.drawn[t] -= p.step[s.rows[r]]
            s.sizes[here] -= 1
            s.estimate[0] -= p.step[s.sizes[here]]
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
        s.estimate[0] += p.step[s.sizes[best]]
        s.sizes[best] += 1
        s.labels[i] = best
        s.counts[1] += 1
        if s.sizes[best] == 1:
            s.counts[0] += 1
    return stop
