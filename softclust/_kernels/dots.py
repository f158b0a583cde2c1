"""Dot products of a group of ROWS = 4 objects with a tile of columns.

Always in the order of features and by fused multiply-adds, j innermost. The loops are written
out for four rows and up to three features: LLVM vectorises j only when nothing else loops
inside; fewer features a loop would be bound by stores, more would not fit the registers.
"""

from ._jit import fma, inlined

#: columns of one tile; not a power of two, whose strides would fall on the same cache sets
TILE = 192
ROWS = 4


@inlined
def dots(out, tile, coef, row, depth, width, base, fresh):
    """out[r, j] = (base if fresh else out[r, j]) + sum_d coef[row + r, d] tile[d, j]."""
    d = 0
    if fresh:
        first = depth % 3
        if depth == 0:
            for r in range(ROWS):
                for j in range(width):
                    out[j + r * TILE] = base
        elif first == 1:
            a0 = coef[row, 0]
            b0 = coef[row + 1, 0]
            c0 = coef[row + 2, 0]
            e0 = coef[row + 3, 0]
            for j in range(width):
                x0 = tile[j]
                out[j] = fma(a0, x0, base)
                out[j + TILE] = fma(b0, x0, base)
                out[j + 2 * TILE] = fma(c0, x0, base)
                out[j + 3 * TILE] = fma(e0, x0, base)
            d = 1
        elif first == 2:
            a0, a1 = coef[row, 0], coef[row, 1]
            b0, b1 = coef[row + 1, 0], coef[row + 1, 1]
            c0, c1 = coef[row + 2, 0], coef[row + 2, 1]
            e0, e1 = coef[row + 3, 0], coef[row + 3, 1]
            for j in range(width):
                x0 = tile[j]
                x1 = tile[j + TILE]
                out[j] = fma(a1, x1, fma(a0, x0, base))
                out[j + TILE] = fma(b1, x1, fma(b0, x0, base))
                out[j + 2 * TILE] = fma(c1, x1, fma(c0, x0, base))
                out[j + 3 * TILE] = fma(e1, x1, fma(e0, x0, base))
            d = 2
        else:
            a0, a1, a2 = coef[row, 0], coef[row, 1], coef[row, 2]
            b0, b1, b2 = coef[row + 1, 0], coef[row + 1, 1], coef[row + 1, 2]
            c0, c1, c2 = coef[row + 2, 0], coef[row + 2, 1], coef[row + 2, 2]
            e0, e1, e2 = coef[row + 3, 0], coef[row + 3, 1], coef[row + 3, 2]
            for j in range(width):
                x0 = tile[j]
                x1 = tile[j + TILE]
                x2 = tile[j + 2 * TILE]
                out[j] = fma(a2, x2, fma(a1, x1, fma(a0, x0, base)))
                out[j + TILE] = fma(b2, x2, fma(b1, x1, fma(b0, x0, base)))
                out[j + 2 * TILE] = fma(c2, x2, fma(c1, x1, fma(c0, x0, base)))
                out[j + 3 * TILE] = fma(e2, x2, fma(e1, x1, fma(e0, x0, base)))
            d = 3
    while depth - d >= 3:
        x = tile[d * TILE:]
        a0, a1, a2 = coef[row, d], coef[row, d + 1], coef[row, d + 2]
        b0, b1, b2 = coef[row + 1, d], coef[row + 1, d + 1], coef[row + 1, d + 2]
        c0, c1, c2 = coef[row + 2, d], coef[row + 2, d + 1], coef[row + 2, d + 2]
        e0, e1, e2 = coef[row + 3, d], coef[row + 3, d + 1], coef[row + 3, d + 2]
        for j in range(width):
            x0 = x[j]
            x1 = x[j + TILE]
            x2 = x[j + 2 * TILE]
            out[j] = fma(a2, x2, fma(a1, x1, fma(a0, x0, out[j])))
            out[j + TILE] = fma(b2, x2, fma(b1, x1, fma(b0, x0, out[j + TILE])))
            out[j + 2 * TILE] = fma(c2, x2, fma(c1, x1, fma(c0, x0, out[j + 2 * TILE])))
            out[j + 3 * TILE] = fma(e2, x2, fma(e1, x1, fma(e0, x0, out[j + 3 * TILE])))
        d += 3
    while d < depth:
        x = tile[d * TILE:]
        for r in range(ROWS):
            a0 = coef[row + r, d]
            o = out[r * TILE:]
            for j in range(width):
                o[j] = fma(a0, x[j], o[j])
        d += 1
