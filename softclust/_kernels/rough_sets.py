"""Rough k-means: sets of near centres, and the sums that give the next centres."""

import numpy as np

from ._jit import kernel

#: what is compiled, in messages
TOPIC = "rough k-means"

#: objects of a block, the unit of work and of summation
BLOCK = 1024
#: squared distances below this count as equal to it
FLOOR = 1e-99
#: what `sums` adds up in its two parts: lower and boundary; lower and upper; even shares of T_i
LOWER_BOUNDARY = 0
LOWER_UPPER = 1
SHARES = 2


@kernel
def near_centers(x, centers, ratio, first, last, d2, upper, nearest):
    """Squared distances (n, c), sets T_i (n, c) and nearest centres (n,) of some blocks."""
    n, p = x.shape
    c = centers.shape[0]
    square = ratio * ratio
    for i in range(first * BLOCK, min(n, last * BLOCK)):
        best = 0
        for k in range(c):
            value = 0.0
            for j in range(p):
                d = x[i, j] - centers[k, j]
                value += d * d
            d2[i, k] = value
            if value < d2[i, best]:
                best = k
        nearest[i] = best
        bound = square * max(d2[i, best], FLOOR)
        for k in range(c):
            upper[i, k] = d2[i, k] <= bound


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
