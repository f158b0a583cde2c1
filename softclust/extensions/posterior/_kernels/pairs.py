"""Frequencies of pairs of objects, and bounds on losses by pairs and triangles."""

from math import log

from ....running.compiler import kernel


@kernel
def together(draws, weights, start, stop, out):
    """out[i - start, j], j > i: sum of weights of the draws (n, S) that join i and j."""
    for i in range(start, stop):
        x = draws[i]
        for j in range(i + 1, draws.shape[0]):
            y, total = draws[j], 0.0
            for s in range(x.shape[0]):
                total += weights[s] * (x[s] == y[s])
            out[i - start, j] = total


@kernel
def counted_together(draws, start, stop, out):
    """As `together`, for weights 1."""
    for i in range(start, stop):
        x = draws[i]
        for j in range(i + 1, draws.shape[0]):
            y, total = draws[j], 0
            for s in range(x.shape[0]):
                total += x[s] == y[s]
            out[i - start, j] = total


@kernel
def surplus(x, y, z):
    """The least |excess| of a bad triangle, else 0: two pairs above 0 and one below."""
    if int(x < 0) + int(y < 0) + int(z < 0) != 1:
        return 0.0
    return min(abs(x), abs(y), abs(z))


@kernel
def bad_triangles(excess, codes, surpluses):
    """Bad triangles i < j < k as (i n + j) n + k in `codes`, and their surplus; how many.

    excess (n, n), i < j: what it costs to part a pair that is better together (above 0), or to
    join one that is better apart (below 0). In a triangle with two pairs of the first kind and
    one of the second, one of the three is paid. With empty arrays they are only counted.
    """
    n, count = excess.shape[0], 0
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                value = surplus(excess[i, j], excess[i, k], excess[j, k])
                if value > 0.0:
                    if count < codes.shape[0]:
                        codes[count] = (i * n + j) * n + k
                        surpluses[count] = value
                    count += 1
    return count


@kernel
def packed_triangles(excess, codes):
    """Sum of what bad triangles pay in this order, each pair at most its excess in all.

    `excess` is used up.
    """
    n, total = excess.shape[0], 0.0
    for code in codes:
        i, j, k = code // (n * n), code // n % n, code % n
        x, y, z = excess[i, j], excess[i, k], excess[j, k]
        value = surplus(x, y, z)
        total += value
        excess[i, j] = x - value if x > 0 else x + value
        excess[i, k] = y - value if y > 0 else y + value
        excess[j, k] = z - value if z > 0 else z + value
    return total


@kernel
def least_information(ordered, a, out):
    """out[i] = min over m of (2 - a) log m - 2 log(sum of the m largest p_ij).

    ordered (b, n) holds the p_ij of one object in each row, p_ii among them, falling.
    """
    for i in range(ordered.shape[0]):
        held, best = 0.0, 0.0
        for m in range(ordered.shape[1]):
            held += ordered[i, m]
            value = (2.0 - a) * log(m + 1.0) - 2.0 * log(held)
            if m == 0 or value < best:
                best = value
        out[i] = best
