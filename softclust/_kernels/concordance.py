"""Distances between rows of memberships for all pairs i < j, compared between two sides, and the
expectation of such comparisons over random pairs of pairs.

Memberships come feature-major, (r, n). A unit is a block of rows against all columns right of
each row, in tiles with j innermost, so that the loops vectorise.
"""

import numpy as np

from ._jit import kernel

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
def distance_units(x, scale, norm, first, stop, out):
    """out[p] = distance of pair p, pairs in the order (0, 1), (0, 2), ..., (1, 2), ..."""
    n = x.shape[1]
    for i in range(first * BLOCK, min(stop * BLOCK, n)):
        base = i * (2 * n - i - 1) // 2
        for j0 in range(i + 1, n, TILE):
            width = min(TILE, n - j0)
            place = base + j0 - i - 1
            _distances(x, i, j0, width, norm, scale, out[place:place + width])


@kernel
def product_units(left, right, first, stop, out):
    """out[p] = sum_a left[a, i] right[a, j] for the pairs p = (i, j), in that order."""
    n = left.shape[1]
    for i in range(first * BLOCK, min(stop * BLOCK, n)):
        base = i * (2 * n - i - 1) // 2
        for j0 in range(i + 1, n, TILE):
            width = min(TILE, n - j0)
            target = out[base + j0 - i - 1:base + j0 - i - 1 + width]
            for j in range(width):
                target[j] = 0.0
            for a in range(left.shape[0]):
                u = left[a, i]
                row = right[a, j0:j0 + width]
                for j in range(width):
                    target[j] += u * row[j]


@kernel
def mean_gaps(x, y, out):
    """out = means of |x_p - y_q| and of max(x_p - y_q, 0) over all p and q; x and y sorted.

    Both are integrals over z of products of the shares of x and y up to z. Sums are compensated.
    """
    m, k = x.size, y.size
    p, q = 0, 0
    z = min(x[0], y[0])
    apart, apart_lost, above, above_lost = 0.0, 0.0, 0.0, 0.0
    while p < m or q < k:
        if q >= k or (p < m and x[p] <= y[q]):
            w = x[p]
            step, other = 1, 0
        else:
            w = y[q]
            step, other = 0, 1
        gap = w - z
        if gap > 0.0:
            f, g = p / m, q / k
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
    out[0] = apart + apart_lost
    out[1] = above + above_lost
