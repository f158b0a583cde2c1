"""Fuzzy pair counts by a triangular norm and conorm, over all pairs i < j (Campello 2007).

Memberships come feature-major, (r, n). A unit is a block of rows against all columns right of
each row, in tiles of columns with j innermost, so that the loops vectorise; sums are formed in
the order of the columns.
"""

from ._jit import inlined, kernel

#: what is compiled, in messages
TOPIC = "fuzzy pair counts"

#: rows of a unit, columns of a tile
BLOCK = 32
TILE = 256
#: triangular norms and conorms
MINIMUM, PRODUCT = range(2)
MAXIMUM, BOUNDED_SUM, PROBABILISTIC_SUM = range(3)


@inlined
def _norm(kind, a, b):
    return min(a, b) if kind == MINIMUM else a * b


@inlined
def _joined(kind, a, t):
    """The conorm of a and t; sums are bounded at the end."""
    if kind == MAXIMUM:
        return max(a, t)
    return a + t if kind == BOUNDED_SUM else a + t - a * t


@kernel
def degrees(x, top, second, place, total, i, j0, width, norm, conorm, same, apart):
    """same[j] = S_k T(u_ik, u_jk) and apart[j] = S_{k != l} T(u_ik, u_jl), j from j0 on.

    top, second, place (n,): largest entry of each row, the runner-up (0 when there is none), the
    column of the largest; total (n,): row sums.
    """
    c = x.shape[0]
    for j in range(width):
        same[j] = 0.0
        apart[j] = 0.0
    for k in range(c):
        u = x[k, i]
        row = x[k, j0:j0 + width]
        for j in range(width):
            same[j] = _joined(conorm, same[j], _norm(norm, u, row[j]))
    if conorm == MAXIMUM:
        # T rises in both entries: only the largest and the runner-up matter.
        u, v, p = top[i], second[i], place[i]
        for j in range(width):
            a, b = top[j0 + j], second[j0 + j]
            other = max(_norm(norm, u, b), _norm(norm, v, a))
            apart[j] = _norm(norm, u, a) if place[j0 + j] != p else other
        return
    if conorm == BOUNDED_SUM and norm == PRODUCT:
        u = total[i]
        for j in range(width):
            apart[j] = max(u * total[j0 + j] - same[j], 0.0)
    else:
        for k in range(c):
            u = x[k, i]
            for q in range(c):
                if q != k:
                    row = x[q, j0:j0 + width]
                    for j in range(width):
                        apart[j] = _joined(conorm, apart[j], _norm(norm, u, row[j]))
    if conorm == BOUNDED_SUM:
        for j in range(width):
            same[j] = min(same[j], 1.0)
            apart[j] = min(apart[j], 1.0)


@kernel
def count_units(x1, top1, second1, place1, total1, x2, top2, second2, place2, total2, norm,
                conorm, first, stop, scratch, sums):
    """sums[u] = (n11, n10, n01, n00) of unit u; scratch (4, TILE)."""
    n = x1.shape[1]
    same1, apart1, same2, apart2 = scratch[0], scratch[1], scratch[2], scratch[3]
    for u in range(first, stop):
        n11, n10, n01, n00 = 0.0, 0.0, 0.0, 0.0
        for i in range(u * BLOCK, min((u + 1) * BLOCK, n)):
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            for j0 in range(i + 1, n, TILE):
                width = min(TILE, n - j0)
                degrees(x1, top1, second1, place1, total1, i, j0, width, norm, conorm, same1,
                        apart1)
                degrees(x2, top2, second2, place2, total2, i, j0, width, norm, conorm, same2,
                        apart2)
                for j in range(width):
                    a += _norm(norm, same1[j], same2[j])
                    b += _norm(norm, same1[j], apart2[j])
                    c += _norm(norm, apart1[j], same2[j])
                    d += _norm(norm, apart1[j], apart2[j])
            n11 += a
            n10 += b
            n01 += c
            n00 += d
        sums[u, 0] = n11
        sums[u, 1] = n10
        sums[u, 2] = n01
        sums[u, 3] = n00
