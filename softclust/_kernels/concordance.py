"""Distances between rows of memberships for all pairs i < j, compared between two sides, and the
expectation of such comparisons over random pairs of pairs.

Memberships come feature-major, (r, n). A unit is a block of rows against all columns right of
each row, in tiles with j innermost, so that the loops vectorise.
"""

import numpy as np

from ._jit import kernel

#: what is compiled, in messages
TOPIC = "concordance of distances"

#: rows of a unit, columns of a tile
BLOCK = 32
TILE = 256
#: distances, up to a factor; COSINE takes rows of length 1
MANHATTAN, MAXIMUM, EUCLIDEAN, COSINE = range(4)
#: columns of the sums
DIFFERENCE, FIRST, SECOND = range(3)


@kernel
def _distances(x, i, j0, width, norm, scale, out):
    """out[j] = distance of row i and row j0 + j, times `scale`."""
    for j in range(width):
        out[j] = 0.0
    for k in range(x.shape[0]):
        u = x[k, i]
        row = x[k, j0:j0 + width]
        if norm == MANHATTAN:
            for j in range(width):
                out[j] += abs(u - row[j])
        elif norm == MAXIMUM:
            for j in range(width):
                out[j] = max(out[j], abs(u - row[j]))
        elif norm == EUCLIDEAN:
            for j in range(width):
                d = u - row[j]
                out[j] += d * d
        else:
            for j in range(width):
                out[j] += u * row[j]
    if norm == COSINE:
        for j in range(width):
            out[j] = max(1.0 - out[j], 0.0)
    elif norm == EUCLIDEAN:
        for j in range(width):
            out[j] = np.sqrt(out[j]) * scale
    else:
        for j in range(width):
            out[j] = out[j] * scale


@kernel
def concordance_units(x1, scale1, x2, scale2, norm, first, stop, scratch, sums):
    """sums[u] = sums of (|d1 - d2|, d1, d2) over the pairs of unit u; scratch (2, TILE)."""
    n = x1.shape[1]
    d1, d2 = scratch[0], scratch[1]
    for u in range(first, stop):
        difference, one, two = 0.0, 0.0, 0.0
        for i in range(u * BLOCK, min((u + 1) * BLOCK, n)):
            a, b, c = 0.0, 0.0, 0.0
            for j0 in range(i + 1, n, TILE):
                width = min(TILE, n - j0)
                _distances(x1, i, j0, width, norm, scale1, d1)
                _distances(x2, i, j0, width, norm, scale2, d2)
                for j in range(width):
                    a += abs(d1[j] - d2[j])
                    b += d1[j]
                    c += d2[j]
            difference += a
            one += b
            two += c
        sums[u, DIFFERENCE] = difference
        sums[u, FIRST] = one
        sums[u, SECOND] = two


@kernel
def concordance_rows(x1, scale1, x2, scale2, norm, objects, first, stop, scratch, out):
    """out[k] = sum of |d1 - d2| over the pairs of object objects[k]; scratch (2, TILE)."""
    n = x1.shape[1]
    d1, d2 = scratch[0], scratch[1]
    for k in range(first, stop):
        i = objects[k]
        total = 0.0
        for j0 in range(0, n, TILE):
            width = min(TILE, n - j0)
            _distances(x1, i, j0, width, norm, scale1, d1)
            _distances(x2, i, j0, width, norm, scale2, d2)
            part = 0.0
            for j in range(width):
                part += abs(d1[j] - d2[j])
            total += part
        out[k] = total


@kernel
def distance_units(x, scale, norm, first, stop, origin, out):
    """out[p - origin] = distance of pair p, pairs in the order (0, 1), (0, 2), ..., (1, 2)."""
    n = x.shape[1]
    for i in range(first * BLOCK, min(stop * BLOCK, n)):
        base = i * (2 * n - i - 1) // 2
        for j0 in range(i + 1, n, TILE):
            width = min(TILE, n - j0)
            place = base + j0 - i - 1 - origin
            _distances(x, i, j0, width, norm, scale, out[place:place + width])


@kernel
def product_units(left, right, first, stop, origin, out):
    """out[p - origin] = sum_a left[a, i] right[a, j] for the pairs p = (i, j), in that order."""
    n = left.shape[1]
    for i in range(first * BLOCK, min(stop * BLOCK, n)):
        base = i * (2 * n - i - 1) // 2
        for j0 in range(i + 1, n, TILE):
            width = min(TILE, n - j0)
            place = base + j0 - i - 1 - origin
            target = out[place:place + width]
            for j in range(width):
                target[j] = 0.0
            for a in range(left.shape[0]):
                u = left[a, i]
                row = right[a, j0:j0 + width]
                for j in range(width):
                    target[j] += u * row[j]


@kernel
def mean_gaps(x, y, m, k, state):
    """Add sorted x and y to the means of |x_p - y_q| and of max(x_p - y_q, 0) over all p and q.

    x and y are the next parts of lists of m and k numbers. `state` (7,), zeros at first: numbers
    of x and y so far, the last number, and both means with what their sums lost. Both means are
    integrals over z of products of the shares of x and y up to z.
    """
    p, q = 0, 0
    f0, g0 = state[0], state[1]
    z = state[2]
    if f0 + g0 == 0.0:
        if x.size and y.size:
            z = min(x[0], y[0])
        elif x.size:
            z = x[0]
        else:
            z = y[0]
    apart, apart_lost, above, above_lost = state[3], state[4], state[5], state[6]
    while p < x.size or q < y.size:
        if q >= y.size or (p < x.size and x[p] <= y[q]):
            w = x[p]
            step, other = 1, 0
        else:
            w = y[q]
            step, other = 0, 1
        gap = w - z
        if gap > 0.0:
            f, g = (f0 + p) / m, (g0 + q) / k
            v = gap * (1.0 - f) * g
            u = v + gap * f * (1.0 - g)
            t = apart + u
            apart_lost += (apart - t) + u if apart >= u else (u - t) + apart
            apart = t
            t = above + v
            above_lost += (above - t) + v if above >= v else (v - t) + above
            above = t
            z = w
        p += step
        q += other
    state[0] = f0 + x.size
    state[1] = g0 + y.size
    state[2] = z
    state[3] = apart
    state[4] = apart_lost
    state[5] = above
    state[6] = above_lost
