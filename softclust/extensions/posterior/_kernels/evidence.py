"""Support of an estimate by draws: of its clusters, and of its objects in all clusters."""

from math import log

from ....running.compiler import kernel


@kernel
def count_table(labels, draw, clusters, table):
    """Objects of each cluster of the draw and of the estimate, in table[:clusters] (most, c)."""
    for j in range(clusters):
        for k in range(table.shape[1]):
            table[j, k] = 0
    for i in range(labels.shape[0]):
        table[draw[i], labels[i]] += 1


@kernel
def of_clusters(labels, sizes, draws, clusters, weights, table, pairs, exact, jaccard):
    """Weighted sums over draws for each cluster (c,): pairs of its objects that are together, its
    being a cluster of the draw, its largest Jaccard index with one."""
    for s in range(draws.shape[0]):
        count_table(labels, draws[s], clusters[s], table)
        for k in range(sizes.shape[0]):
            size, same, exactly, best = sizes[k], 0.0, False, 0.0
            for j in range(clusters[s]):
                t = table[j, k]
                if t == 0:
                    continue
                whole = 0
                for h in range(sizes.shape[0]):
                    whole += table[j, h]
                same += 0.5 * t * (t - 1.0)
                exactly = exactly or (t == size and whole == size)
                best = max(best, t / (size + whole - t))
            pairs[k] += weights[s] * same
            exact[k] += weights[s] * exactly
            jaccard[k] += weights[s] * best


@kernel
def of_objects(labels, sizes, draws, clusters, weights, table, shared, logs, start, stop):
    """Weighted sums over draws for the objects start, ..., stop - 1.

    shared (stop - start, c): objects of each cluster that are together with it (itself too);
    logs (stop - start, 4): log of and size of its cluster in the draw, and of what this shares
    with its own cluster of the estimate.
    """
    for s in range(draws.shape[0]):
        count_table(labels, draws[s], clusters[s], table)
        w = weights[s]
        for i in range(start, stop):
            j, whole = draws[s, i], 0
            for k in range(sizes.shape[0]):
                whole += table[j, k]
                shared[i - start, k] += w * table[j, k]
            both = table[j, labels[i]]
            logs[i - start, 0] += w * log(float(whole))
            logs[i - start, 1] += w * whole
            logs[i - start, 2] += w * log(float(both))
            logs[i - start, 3] += w * both
