"""Nearest centres of points in blocks or tiles, see `seeding`.

Distances are sums of squared differences (nothing cancels), compared strictly in the order of the
centres: ties go to the lowest index.
"""

from ._jit import borrowing
from ._tiles import TILE, assign_tile, tiled
from .seeding import BLOCK

#: what is compiled, in messages
TOPIC = "k-means"


@borrowing
def assign_tiles(points, m, centers, labels, nearest):
    """`assign` for points in tiles."""
    changed = 0
    for t in range((m + TILE - 1) // TILE):
        bits = assign_tile(points, t, centers, labels, nearest)
        if bits != 0:
            for i in range(min(TILE, m - t * TILE)):
                changed += (bits >> i) & 1
    return changed


@borrowing
def assign(points, m, centers, labels, nearest, total, new):
    """Nearest centre of each point and its squared distance; how many labels changed."""
    d = points.shape[1]
    if tiled(d):
        return assign_tiles(points, m, centers, labels, nearest)
    clusters = centers.shape[0]
    changed = 0
    for start in range(0, m, BLOCK):
        b = start // BLOCK
        size = min(BLOCK, m - start)
        if d == 2:   # everything in one loop, two or three centres at a time
            first = 2 if clusters % 2 == 0 else min(clusters, 3)
            c0 = centers[0, 0]
            c1 = centers[0, 1]
            if first == 1:
                for i in range(size):
                    e = points[b, 0, i] - c0
                    f = points[b, 1, i] - c1
                    nearest[b, i] = e * e + f * f
                    new[i] = 0
            elif first == 3:
                p0 = centers[1, 0]
                p1 = centers[1, 1]
                q0 = centers[2, 0]
                q1 = centers[2, 1]
                for i in range(size):
                    x = points[b, 0, i]
                    y = points[b, 1, i]
                    e = x - c0
                    f = y - c1
                    s = e * e + f * f
                    e = x - p0
                    f = y - p1
                    r = e * e + f * f
                    better = r < s
                    s = r if better else s
                    label = 1 if better else 0
                    e = x - q0
                    f = y - q1
                    r = e * e + f * f
                    better = r < s
                    nearest[b, i] = r if better else s
                    new[i] = 2 if better else label
            else:
                p0 = centers[1, 0]
                p1 = centers[1, 1]
                for i in range(size):
                    x = points[b, 0, i]
                    y = points[b, 1, i]
                    e = x - c0
                    f = y - c1
                    s = e * e + f * f
                    e = x - p0
                    f = y - p1
                    r = e * e + f * f
                    better = r < s
                    nearest[b, i] = r if better else s
                    new[i] = 1 if better else 0
            for k in range(first, clusters, 2):
                c0 = centers[k, 0]
                c1 = centers[k, 1]
                p0 = centers[k + 1, 0]
                p1 = centers[k + 1, 1]
                for i in range(size):
                    x = points[b, 0, i]
                    y = points[b, 1, i]
                    e = x - c0
                    f = y - c1
                    s = e * e + f * f
                    e = x - p0
                    f = y - p1
                    r = e * e + f * f
                    better = r < s
                    r = r if better else s
                    label = k + 1 if better else k
                    better = r < nearest[b, i]
                    nearest[b, i] = r if better else nearest[b, i]
                    new[i] = label if better else new[i]
        else:
            for k in range(clusters):
                first = 2 - d % 2
                c0 = centers[k, 0]
                c1 = centers[k, first - 1]
                if first == 1:
                    for i in range(size):
                        e = points[b, 0, i] - c0
                        total[i] = e * e
                else:
                    for i in range(size):
                        e = points[b, 0, i] - c0
                        f = points[b, 1, i] - c1
                        total[i] = e * e + f * f
                for j in range(first, d, 2):
                    c0 = centers[k, j]
                    c1 = centers[k, j + 1]
                    for i in range(size):
                        e = points[b, j, i] - c0
                        f = points[b, j + 1, i] - c1
                        total[i] += e * e + f * f
                if k == 0:
                    for i in range(size):
                        nearest[b, i] = total[i]
                        new[i] = 0
                else:
                    for i in range(size):
                        better = total[i] < nearest[b, i]
                        nearest[b, i] = total[i] if better else nearest[b, i]
                        new[i] = k if better else new[i]
        for i in range(size):
            changed += 1 if new[i] != labels[b, i] else 0
            labels[b, i] = new[i]
    return changed
