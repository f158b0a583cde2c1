"""Evidential c-means: masses of focal sets, and the sums that give the next centres.

With cost_A = |A|^alpha ||x - vbar_A||^2, cost_0 = delta^2, r = min cost / cost and
q = r^(1/(beta - 1)), the masses of an object are m = q / S, S = sum q. Two identities save all
other powers and hold down to underflow, however close beta is to 1:

    m^beta = q r / S^beta,        sum_A cost_A m_A^beta = (min cost) S / S^beta.

Objects are treated a tile at a time, with objects innermost, so that loops vectorise; sums over
objects are kept by place in the tile and added up at the end of a block.
"""

import numpy as np

from ._jit import JIT_ENABLED, inlined, kernel, python_form

#: what is compiled, in messages
TOPIC = "evidential c-means"

#: objects treated at once; the scratch arrays have this many columns
TILE = 32
#: objects of a block, the unit of work and of summation; a multiple of TILE
BLOCK = 1024


@inlined
def roots(xt, points, factors, empty_cost, power, start, width, r, q, least, total):
    """Ratios r and roots q (f, TILE), least costs and sums of roots (TILE,) of one tile."""
    f = points.shape[0]
    for t in range(width):
        r[0, t] = empty_cost
        least[t] = empty_cost
        total[t] = 0.0
    for a in range(1, f):
        for t in range(width):
            r[a, t] = 0.0
        for j in range(xt.shape[0]):
            v = points[a, j]
            for t in range(width):
                d = xt[j, start + t] - v
                r[a, t] += d * d
        factor = factors[a]
        for t in range(width):
            r[a, t] *= factor
            least[t] = min(least[t], r[a, t])
    for a in range(f):
        for t in range(width):
            if least[t] > 0.0:
                r[a, t] = least[t] / r[a, t]
            else:   # an object on a barycentre: an even split over the sets that lie there
                r[a, t] = 1.0 if r[a, t] == 0.0 else 0.0
        if power == 1.0:
            for t in range(width):
                q[a, t] = r[a, t]
        else:
            for t in range(width):
                q[a, t] = r[a, t] ** power
        for t in range(width):
            total[t] += q[a, t]


@kernel
def masses(xt, points, factors, empty_cost, power, first, last, mass):
    """Masses (n, f) of the objects of blocks first, ..., last - 1.

    `xt` (p, n): objects in columns; `points` (f, p): barycentres, the empty set first (not
    read); `factors` (f,): |A|^alpha; `power`: 1 / (beta - 1).
    """
    n = xt.shape[1]
    f = points.shape[0]
    r = np.empty((f, TILE))
    q = np.empty((f, TILE))
    least = np.empty(TILE)
    total = np.empty(TILE)
    for start in range(first * BLOCK, min(n, last * BLOCK), TILE):
        width = min(TILE, n - start)
        roots(xt, points, factors, empty_cost, power, start, width, r, q, least, total)
        for t in range(width):
            for a in range(f):
                mass[start + t, a] = q[a, t] / total[t]


@kernel
def most_plausible(mass, starts, members, tie_tol, first, last, labels):
    """Clusters (n,) of largest plausibility, the first within `tie_tol`, from masses (n, f).

    The clusters of set a are members[starts[a]:starts[a + 1]]; every cluster is in some set.
    """
    n, f = mass.shape
    high = np.empty(members.max() + 1)
    for i in range(first * BLOCK, min(n, last * BLOCK)):
        high[:] = 0.0
        for a in range(f):
            for e in range(starts[a], starts[a + 1]):
                high[members[e]] += mass[i, a]
        bound = high.max() - tie_tol
        label = 0
        while high[label] < bound:
            label += 1
        labels[i] = label


@kernel
def sums(xt, weights, points, factors, shares, starts, members, empty_cost, power, beta, first,
         last, set_sums, center_sums, objective):
    """Sums over each block: w m_A^beta (blocks, f); sum over sets A of cluster l of
    shares_A w m_A^beta x (blocks, c, p); objective (blocks,).

    The clusters of set a are members[starts[a]:starts[a + 1]]. Other arguments as in `masses`.
    """
    p, n = xt.shape
    f = points.shape[0]
    c = center_sums.shape[1]
    r = np.empty((f, TILE))
    q = np.empty((f, TILE))
    least = np.empty(TILE)
    total = np.empty(TILE)
    scale = np.empty(TILE)
    coef = np.empty((c, TILE))
    set_places = np.empty((f, TILE))
    center_places = np.empty((c, p, TILE))
    value_places = np.empty(TILE)
    for block in range(first, last):
        set_places[:] = 0.0
        center_places[:] = 0.0
        value_places[:] = 0.0
        for start in range(block * BLOCK, min(n, (block + 1) * BLOCK), TILE):
            width = min(TILE, n - start)
            roots(xt, points, factors, empty_cost, power, start, width, r, q, least, total)
            if power == 1.0:
                for t in range(width):
                    scale[t] = weights[start + t] / (total[t] * total[t])
            else:
                for t in range(width):
                    scale[t] = weights[start + t] / total[t] ** beta
            for t in range(width):
                value_places[t] += scale[t] * least[t] * total[t]
            for l in range(c):
                for t in range(width):
                    coef[l, t] = 0.0
            for a in range(1, f):
                for t in range(width):
                    r[a, t] = q[a, t] * r[a, t] * scale[t]
                    set_places[a, t] += r[a, t]
                share = shares[a]
                for e in range(starts[a], starts[a + 1]):
                    l = members[e]
                    for t in range(width):
                        coef[l, t] += share * r[a, t]
            for l in range(c):
                for j in range(p):
                    for t in range(width):
                        center_places[l, j, t] += coef[l, t] * xt[j, start + t]
        value = 0.0
        for t in range(TILE):
            value += value_places[t]
        objective[block] = value
        for a in range(f):
            value = 0.0
            for t in range(TILE):
                value += set_places[a, t]
            set_sums[block, a] = value
        for l in range(c):
            for j in range(p):
                value = 0.0
                for t in range(TILE):
                    value += center_places[l, j, t]
                center_sums[block, l, j] = value


def _python_roots(x, points, factors, empty_cost, power):
    """r, q (f, n), least, total (n,) of `roots`, of all objects x (p, n)."""
    r = np.zeros((points.shape[0], x.shape[1]))
    for values, centers in zip(x, points.T):
        steps = values - centers[:, None]
        r += steps * steps
    r *= factors[:, None]
    r[0] = empty_cost
    least = r.min(axis=0)
    r = np.where(least > 0.0, least / r, np.where(r == 0.0, 1.0, 0.0))
    q = r if power == 1.0 else np.array([[v ** power for v in row] for row in r])
    return r, q, least, np.add.accumulate(q)[-1]


def _python_masses(xt, points, factors, empty_cost, power, first, last, mass):
    """As `masses`."""
    part = slice(first * BLOCK, last * BLOCK)
    _, q, _, total = _python_roots(xt[:, part], points, factors, empty_cost, power)
    mass[part] = (q / total).T


def _by_place(values):
    """Sums (...) of values (..., n), by place in the tile and then over the places, in order."""
    missing = -values.shape[-1] % TILE
    filled = np.concatenate([values, np.zeros((*values.shape[:-1], missing))], axis=-1)
    tiles = filled.reshape(*values.shape[:-1], -1, TILE)
    places = 0.0 + np.add.accumulate(tiles, axis=-2)[..., -1, :]   # 0.0 where all are -0.0
    return np.add.accumulate(places, axis=-1)[..., -1]


def _python_sums(xt, weights, points, factors, shares, starts, members, empty_cost, power, beta,
                 first, last, set_sums, center_sums, objective):
    """As `sums`."""
    for block in range(first, last):
        part = slice(block * BLOCK, (block + 1) * BLOCK)
        x = xt[:, part]
        r, q, least, total = _python_roots(x, points, factors, empty_cost, power)
        powers = total * total if power == 1.0 else np.array([v ** beta for v in total])
        scale = weights[part] / powers
        terms = q * r * scale
        terms[0] = 0.0
        coef = np.zeros((center_sums.shape[1], x.shape[1]))
        for a in range(1, points.shape[0]):
            for cluster in members[starts[a]:starts[a + 1]]:
                coef[cluster] += shares[a] * terms[a]
        objective[block] = _by_place(scale * least * total)
        set_sums[block] = _by_place(terms)
        center_sums[block] = _by_place(coef[:, None] * x)


if JIT_ENABLED:   # 150 objects, 4 features, 8 sets: sums take a fifteenth of the time
    python_form(masses, _python_masses)
    python_form(sums, _python_sums)


@kernel
def solve_positive(matrix, right, smallest):
    """Solve a symmetric positive definite system by Cholesky; 1, or 0 when a pivot is below
    `smallest`. `right` (c, p) becomes the solution, `matrix` (c, c) its lower factor.
    """
    c, p = right.shape
    for k in range(c):
        for l in range(k):
            value = matrix[k, l]
            for h in range(l):
                value -= matrix[k, h] * matrix[l, h]
            matrix[k, l] = value / matrix[l, l]
        value = matrix[k, k]
        for h in range(k):
            value -= matrix[k, h] * matrix[k, h]
        if not value >= smallest:
            return 0
        matrix[k, k] = np.sqrt(value)
    for j in range(p):
        for k in range(c):
            value = right[k, j]
            for h in range(k):
                value -= matrix[k, h] * right[h, j]
            right[k, j] = value / matrix[k, k]
        for k in range(c - 1, -1, -1):
            value = right[k, j]
            for h in range(k + 1, c):
                value -= matrix[h, k] * right[h, j]
            right[k, j] = value / matrix[k, k]
    return 1
