"""Losses of partitions: functions of sums of f over the cells and margins of their table.

f(t) is t log t for the losses of information and t^2 for those of pairs. J is the sum over the
cells, A and B over the margins of the estimate and of the draw, m the number of objects.
"""

from ...._kernels._jit import kernel

VI, BINDER, NVI, NID, ID, OMARI = range(6)
#: entropies below this are those of one cluster
NOTHING = 1e-12


@kernel
def loss_of(code, a, joint, own, drawn, m, total):
    """One loss from J, A and B; 0 for equal partitions. `total` is log m."""
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
def renumber(labels, table, codes, sizes):
    """Labels of each draw (S, n) by first appearance, in `codes`; clusters of each in `sizes`.

    table (range,) int64 is -1, as on return. Returns 0, or 1 when `codes` is too narrow.
    """
    most = table.shape[0] if codes.itemsize > 2 else (1 << (8 * codes.itemsize))
    for s in range(labels.shape[0]):
        found = 0
        for i in range(labels.shape[1]):
            v = labels[s, i]
            if table[v] < 0:
                table[v] = found
                found += 1
            codes[s, i] = table[v] if found <= most else 0
        for i in range(labels.shape[1]):
            table[labels[s, i]] = -1
        sizes[s] = found
        if found > most:
            return 1
    return 0


@kernel
def sums_of_sizes(draws, clusters, f, counts, out, start, stop):
    """B of the draws start, ..., stop - 1; counts (most clusters,) is scratch of zeros."""
    for s in range(start, stop):
        for i in range(draws.shape[1]):
            counts[draws[s, i]] += 1
        total = 0.0
        for j in range(clusters[s]):
            total += f[counts[j]]
            counts[j] = 0
        out[s] = total


@kernel
def by_cluster(labels, begins, order):
    """Objects of each cluster, order[begins[k]:begins[k + 1]]; begins (c + 1,) starts as 0."""
    for i in range(labels.shape[0]):
        begins[labels[i] + 1] += 1
    for k in range(1, begins.shape[0]):
        begins[k] += begins[k - 1]
    for i in range(labels.shape[0] - 1, -1, -1):
        k = labels[i]
        begins[k + 1] -= 1
        order[begins[k + 1]] = i
    # Each begin has moved to that of the cluster before it.
    for k in range(begins.shape[0] - 1):
        begins[k] = begins[k + 1]
    begins[begins.shape[0] - 1] = labels.shape[0]


@kernel
def joint_sum(begins, order, draw, clusters, f, counts):
    """J of an estimate, given by its clusters, and one draw.

    counts (2, most clusters) is scratch of zeros: neighbours count in different rows, since the
    same cell twice in turn would have to wait.
    """
    total = 0.0
    for k in range(begins.shape[0] - 1):
        first, last = begins[k], begins[k + 1]
        for p in range(first, last - 1, 2):
            counts[0, draw[order[p]]] += 1
            counts[1, draw[order[p + 1]]] += 1
        if (last - first) % 2 == 1:
            counts[0, draw[order[last - 1]]] += 1
        if last - first >= clusters:
            for j in range(clusters):
                total += f[counts[0, j] + counts[1, j]]
                counts[0, j] = 0
                counts[1, j] = 0
        else:
            for p in range(first, last):
                j = draw[order[p]]
                total += f[counts[0, j] + counts[1, j]]
                counts[0, j] = 0
                counts[1, j] = 0
    return total


@kernel(steps=lambda code, a, begins, order, own, draws, *rest: draws.shape[1] * (
    rest[-1] - rest[-2]) * 4)
def losses_to(code, a, begins, order, own, draws, clusters, drawn, f, counts, total, out, start,
              stop):
    """Losses out[s] of an estimate with A = own at the draws start, ..., stop - 1."""
    for s in range(start, stop):
        joint = joint_sum(begins, order, draws[s], clusters[s], f, counts)
        out[s] = loss_of(code, a, joint, own, drawn[s], draws.shape[1], total)


@kernel(steps=lambda code, draws, chosen, *rest: (
    draws.shape[1] * chosen.shape[0] * (rest[-1] - rest[-2]) * 4))
def losses_between(code, draws, chosen, clusters, drawn, f, counts, total, begins, order, out,
                   start, stop):
    """Losses (a = 1) of the chosen draws start, ..., stop - 1 and all later ones, out (b, b).

    counts, begins and order are scratch.
    """
    n = draws.shape[1]
    for p in range(start, stop):
        s = chosen[p]
        begins[:] = 0
        by_cluster(draws[s], begins[:clusters[s] + 1], order)
        out[p, p] = 0.0
        for q in range(p + 1, chosen.shape[0]):
            t = chosen[q]
            joint = joint_sum(begins[:clusters[s] + 1], order, draws[t], clusters[t], f, counts)
            out[p, q] = loss_of(code, 1.0, joint, drawn[s], drawn[t], n, total)
