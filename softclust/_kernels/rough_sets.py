"""Rough k-means: sets of near centres, and the sums that give the next centres."""

import numpy as np

from ._jit import borrowing, kernel

#: what is compiled, in messages
TOPIC = "rough k-means"

#: objects of a block, the unit of work and of summation
BLOCK = 1024
#: objects whose distances are summed together; they stay in the first-level cache
TILE = 128
#: squared distances below this count as equal to it
FLOOR = 1e-99
#: what `sums` adds up in its two parts: lower and boundary; lower and upper; even shares of T_i
LOWER_BOUNDARY = 0
LOWER_UPPER = 1
SHARES = 2


@borrowing
def near_centers(x, centers, ratio, first, last, d2, upper, nearest, turned, squares):
    """Squared distances (n, c), sets T_i (n, c) and nearest centres (n,) of some blocks.

    Each distance is summed in the order of the features, many objects at a time. Scratch: turned
    (p, TILE), squares (c, TILE).
    """
    n, p = x.shape
    c = centers.shape[0]
    square = ratio * ratio
    for start in range(first * BLOCK, min(n, last * BLOCK), TILE):
        size = min(TILE, n - start)
        for i in range(size):
            for j in range(p):
                turned[j, i] = x[start + i, j]
        for k in range(c):
            distance_rows(turned, centers, k, size, squares[k])
        for i in range(size):
            best = 0
            least = squares[0, i]
            for k in range(c):
                value = squares[k, i]
                d2[start + i, k] = value
                better = value < least
                least = value if better else least
                best = k if better else best
            nearest[start + i] = best
            bound = square * max(least, FLOOR)
            for k in range(c):
                upper[start + i, k] = squares[k, i] <= bound


@borrowing
def distance_rows(turned, centers, k, size, out):
    """Squared distances of `size` objects to centre k; four features a loop, one after the other.
    """
    p = turned.shape[0]
    for i in range(size):
        out[i] = 0.0
    whole = p - p % 4
    for j in range(0, whole, 4):
        a = turned[j]
        b = turned[j + 1]
        u = turned[j + 2]
        v = turned[j + 3]
        ca = centers[k, j]
        cb = centers[k, j + 1]
        cu = centers[k, j + 2]
        cv = centers[k, j + 3]
        for i in range(size):
            e = a[i] - ca
            f = b[i] - cb
            g = u[i] - cu
            h = v[i] - cv
            out[i] = (((out[i] + e * e) + f * f) + g * g) + h * h
    for j in range(whole, p):
        a = turned[j]
        ca = centers[k, j]
        for i in range(size):
            e = a[i] - ca
            out[i] += e * e


@kernel
def sums(x, weights, d2, upper, parts, first, last, weighted, totals, criterion):
    """Sums over each block: w x (blocks, 2, c, p) and w (blocks, 2, c) over the two parts of
    each cluster that `parts` names, and the criterion (w / |T_i|) sum of d2 over T_i (blocks,).
    """
    n, p = x.shape
    c = d2.shape[1]
    part_sums = np.empty((2, c, p))
    part_totals = np.empty((2, c))
    for block in range(first, last):
        part_sums[:] = 0.0
        part_totals[:] = 0.0
        value = 0.0
        for i in range(block * BLOCK, min(n, (block + 1) * BLOCK)):
            w = weights[i]
            size = 0
            near = 0.0
            for k in range(c):
                if upper[i, k]:
                    size += 1
                    near += d2[i, k]
            value += w * near / size
            share = w / size if parts == SHARES else w
            for k in range(c):
                if not upper[i, k]:
                    continue
                if parts == SHARES or size == 1:
                    part_totals[0, k] += share
                    for j in range(p):
                        part_sums[0, k, j] += share * x[i, j]
                if parts == LOWER_UPPER or (parts == LOWER_BOUNDARY and size > 1):
                    part_totals[1, k] += share
                    for j in range(p):
                        part_sums[1, k, j] += share * x[i, j]
        # Loops, because an assignment to a slice compiles the text of its errors too (3 s).
        for part in range(2):
            for k in range(c):
                totals[block, part, k] = part_totals[part, k]
                for j in range(p):
                    weighted[block, part, k, j] = part_sums[part, k, j]
        criterion[block] = value
