"""Minimum spanning tree and nearest neighbours within growing clusters; no n x n array."""

from math import sqrt

from ._jit import kernel


@kernel
def squared_distance(x, i, j):
    """Of rows i and j."""
    total = 0.0
    for v in range(x.shape[1]):
        e = x[i, v] - x[j, v]
        total += e * e
    return total


@kernel
def spanning_tree(x, objects, parent, distance, reached):
    """Prim's algorithm on the rows `objects` of x, from the first of them.

    The edges are t to parent[t], of length distance[t], for t >= 1; numbers are positions in
    `objects`. Among equally near objects the first joins. `reached` is scratch.
    """
    m = objects.shape[0]
    for t in range(m):
        parent[t] = -1
        distance[t] = 0.0
        reached[t] = 0
    current = 0
    reached[0] = 1
    for _ in range(1, m):
        nearest = -1
        for t in range(m):
            if reached[t]:
                continue
            s = squared_distance(x, objects[current], objects[t])
            if parent[t] < 0 or s < distance[t]:
                distance[t] = s
                parent[t] = current
            if nearest < 0 or distance[t] < distance[nearest]:
                nearest = t
        reached[nearest] = 1
        current = nearest
    for t in range(1, m):
        distance[t] = sqrt(distance[t])


@kernel
def consider(i, j, s, first, second, near, next_near):
    """Make j one of the two nearest neighbours of i if it is; ties go to the lower index."""
    if first[i] < 0 or s < near[i] or (s == near[i] and j < first[i]):
        second[i] = first[i]
        next_near[i] = near[i]
        first[i] = j
        near[i] = s
    elif second[i] < 0 or s < next_near[i] or (s == next_near[i] and j < second[i]):
        second[i] = j
        next_near[i] = s


@kernel
def join_neighbours(x, a, b, first, second, near, next_near):
    """Update the two nearest neighbours within the cluster as clusters a and b become one."""
    for i in a:
        for j in b:
            s = sqrt(squared_distance(x, i, j))
            consider(i, j, s, first, second, near, next_near)
            consider(j, i, s, first, second, near, next_near)


@kernel
def increments(members, first, near, next_near, out):
    """Dissimilarity increments of the members of one cluster of at least three objects."""
    for t in range(members.shape[0]):
        i = members[t]
        j = first[i]
        onwards = next_near[j] if first[j] == i else near[j]
        out[t] = abs(near[i] - onwards)
