"""Pairs of objects over many runs: in how many both are, in how many they are together."""

from ..._numba import kernel

#: columns at once: their counts stay in the first-level cache
BLOCK = 4096


@kernel
def count_pairs(labels, first, last, together, held, table):
    """Add the pairs i < j of rows i = first, ..., last - 1 to `table`.

    labels : (B, n) int32, -1 for absent; `together`, `held` (BLOCK,) int32 scratch;
    `table` (B + 1, B + 1) int64 counts pairs by runs that hold both, and runs that join them.
    """
    many = labels.shape[0]
    n = labels.shape[1]
    for start in range(0, n, BLOCK):
        stop = min(n, start + BLOCK)
        for i in range(first, min(last, stop - 1)):
            begin = max(start, i + 1)
            for j in range(stop - begin):
                together[j] = 0
                held[j] = 0
            for b in range(many):
                own = labels[b, i]
                if own >= 0:
                    other = labels[b, begin:stop]
                    for j in range(stop - begin):
                        together[j] += other[j] == own
                        held[j] += other[j] >= 0
            for j in range(stop - begin):
                table[held[j], together[j]] += 1
    return many


@kernel
def weigh_pairs(labels, weights, first, last, together, held):
    """Weights of the runs that join, and that hold, object i and each other one.

    labels : (B, n); `together`, `held` (last - first, n) float64 receive the sums of row i.
    """
    n = labels.shape[1]
    for i in range(first, last):
        for j in range(n):
            together[i - first, j] = 0.0
            held[i - first, j] = 0.0
        for b in range(labels.shape[0]):
            own = labels[b, i]
            if own >= 0:
                for j in range(n):
                    if labels[b, j] >= 0:
                        held[i - first, j] += weights[b]
                        if labels[b, j] == own:
                            together[i - first, j] += weights[b]
    return n


@kernel
def add_company(labels, starts, tables, sizes, reference, first, last, together, held):
    """Add, for objects first, ..., last - 1, how many others of each reference cluster are along.

    labels : (B, n); rows starts[b] + l of `tables` (m, r) count cluster l of run b by the reference
    clusters, `sizes` (B, r) sums them; `together`, `held` (n, r) int64 grow by the others that a
    run joins with the object, and by all others that it holds.
    """
    clusters = sizes.shape[1]
    for i in range(first, last):
        joined = together[i]
        all_others = held[i]
        own = reference[i]
        count = 0
        for b in range(labels.shape[0]):
            if labels[b, i] >= 0:
                row = tables[starts[b] + labels[b, i]]
                whole = sizes[b]
                for q in range(clusters):
                    joined[q] += row[q]
                    all_others[q] += whole[q]
                count += 1
        joined[own] -= count
        all_others[own] -= count
    return clusters
