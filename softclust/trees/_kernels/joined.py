"""Pairs of objects joined by each merge of a dendrogram, by class.

Nodes 0, ..., n - 1 are objects, node n + t is made by merge t of left[t] and right[t].
"""

from ..._numba import kernel


@kernel
def leaf_order(left, right, size, start, order):
    """Number the objects so that each node is an interval of positions.

    Node v holds the positions start[v] to start[v] + size[v] (2n - 1,); object order[p] (n,)
    stands at position p. Children keep their order: left before right.
    """
    n = left.shape[0] + 1
    for i in range(n):
        size[i] = 1
    for t in range(n - 1):
        size[n + t] = size[left[t]] + size[right[t]]
    start[2 * n - 2] = 0
    for t in range(n - 2, -1, -1):
        start[left[t]] = start[n + t]
        start[right[t]] = start[n + t] + size[left[t]]
    for i in range(n):
        order[start[i]] = i


@kernel
def heavy_parents(left, right, size, above, light):
    """For the larger child of each merge: above[child] = merge, light[merge] = other child.

    above (2n - 1,) is -1 for the smaller children and the root: there a heavy path ends.
    """
    for v in range(above.shape[0]):
        above[v] = -1
    for t in range(left.shape[0]):
        if size[left[t]] >= size[right[t]]:
            above[left[t]] = t
            light[t] = right[t]
        else:
            above[right[t]] = t
            light[t] = left[t]


@kernel
def count_joined(left, right, size, start, above, light, classes, counts, labelled, same,
                 different):
    """same[t], different[t]: pairs of one class, of two classes, that merge t joins.

    classes (n,) by position, -1 for an object without label; counts (C,) zeros, as on return;
    labelled (2n - 1,) scratch. Each heavy path is followed upwards from its object with the
    class counts of what it holds; only the smaller child of a merge is visited, so every object
    is visited at most log2(n) times: O(n log n) for any number of classes.
    """
    n = left.shape[0] + 1
    for i in range(n):
        labelled[i] = 1 if classes[start[i]] >= 0 else 0
    for t in range(n - 1):
        labelled[n + t] = labelled[left[t]] + labelled[right[t]]
    for i in range(n):
        v = i
        if classes[start[i]] >= 0 and above[i] >= 0:
            counts[classes[start[i]]] += 1
        while above[v] >= 0:
            t = above[v]
            u = light[t]
            joined = 0
            for p in range(start[u], start[u] + size[u]):
                if classes[p] >= 0:
                    joined += int(counts[classes[p]])
            same[t] = joined
            different[t] = int(labelled[v]) * int(labelled[u]) - joined
            v = n + t
            if above[v] >= 0:
                for p in range(start[u], start[u] + size[u]):
                    if classes[p] >= 0:
                        counts[classes[p]] += 1
        # What was counted on the way up: all of the path's top, or less by its last light child.
        for p in range(start[v], start[v] + size[v]):
            if classes[p] >= 0:
                counts[classes[p]] = 0


@kernel
def sum_joined(left, right, sums, weight, row, same, different):
    """The same for classes by degree: expected pairs when labels are drawn independently.

    sums (n, C): memberships of each object, 0 throughout without label, overwritten; weight
    (n,): 1 with a label, else 0, overwritten; row (2n - 1,) scratch. O(n C).
    """
    n = left.shape[0] + 1
    for i in range(n):
        row[i] = i
    for t in range(n - 1):
        u = row[left[t]]
        v = row[right[t]]
        joined = 0.0
        for c in range(sums.shape[1]):
            joined += sums[u, c] * sums[v, c]
            sums[u, c] += sums[v, c]
        same[t] = joined
        different[t] = max(weight[u] * weight[v] - joined, 0.0)
        weight[u] += weight[v]
        row[n + t] = u
