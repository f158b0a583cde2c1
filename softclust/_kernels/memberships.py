"""Fuzzy and possibilistic c-means: one pass over tiles of objects.

A pass computes, tile by tile, squared distances to the centres (from differences), memberships,
and what the next centres and the objective need; nothing of size n is stored. Objects stand in
tiles of p rows of TILE numbers, a row a feature, so that every inner loop runs along objects and
vectorises; rows are reached by constant steps from one array, which spares checks for overlap.
Sums go to LANES partial sums per number and from there to one row per block of tiles; the driver
adds the rows in order.

With r in [0, 1] a ratio of squared distances, z = r^(1/(m-1)) and s = sum of the z (fuzzy) or
1 + z (possibilistic), the identity z^m = r z gives memberships to the power m as r z s^-m: one
power per membership instead of two, and none for the usual m.
"""

import math

import numpy as np

from ._fma import fma_steps
from ._jit import JIT_ENABLED, fma, kernel, python_form

#: what is compiled, in messages
TOPIC = "fuzzy and possibilistic c-means"

#: objects per tile, partial sums per number (a divisor of TILE), tiles per block
TILE = 128
LANES = 32
TILES = 8


@kernel
def _squared_distances(x, v, width, d2):
    """d2[j] = sum_f (x_fj - v_f)^2, features in order; x (p * TILE,) is a tile."""
    p = v.size
    f = 0
    for j in range(width):
        d2[j] = 0.0
    while p - f >= 4:
        y = x[f * TILE:]
        v0, v1, v2, v3 = v[f], v[f + 1], v[f + 2], v[f + 3]
        for j in range(width):
            e0 = y[j] - v0
            e1 = y[j + TILE] - v1
            e2 = y[j + 2 * TILE] - v2
            e3 = y[j + 3 * TILE] - v3
            d2[j] = fma(e3, e3, fma(e2, e2, fma(e1, e1, fma(e0, e0, d2[j]))))
        f += 4
    while p - f >= 2:
        y = x[f * TILE:]
        v0, v1 = v[f], v[f + 1]
        for j in range(width):
            e0 = y[j] - v0
            e1 = y[j + TILE] - v1
            d2[j] = fma(e1, e1, fma(e0, e0, d2[j]))
        f += 2
    if f < p:
        y = x[f * TILE:]
        v0 = v[f]
        for j in range(width):
            e0 = y[j] - v0
            d2[j] = fma(e0, e0, d2[j])


@kernel
def _all_squared_distances(x, centers, width, d2):
    """`_squared_distances` for every row of centers (c, p) and d2 (c, TILE)."""
    for k in range(centers.shape[0]):
        _squared_distances(x, centers[k], width, d2[k])


@kernel
def _powers(r, m, width, z):
    """z = r^(1/(m-1)), r in [0, 1]."""
    if m == 2.0:
        for j in range(width):
            z[j] = r[j]
    elif m == 1.5:
        for j in range(width):
            z[j] = r[j] * r[j]
    elif m == 3.0:
        for j in range(width):
            z[j] = math.sqrt(r[j])
    else:
        exponent = 1.0 / (m - 1.0)
        for j in range(width):
            z[j] = math.pow(r[j], exponent)


@kernel
def _inverse_powers(s, m, width, g):
    """g = s^-m, s >= 1."""
    if m == 2.0:
        for j in range(width):
            g[j] = 1.0 / (s[j] * s[j])
    elif m == 1.5:
        for j in range(width):
            g[j] = 1.0 / (s[j] * math.sqrt(s[j]))
    elif m == 3.0:
        for j in range(width):
            g[j] = 1.0 / (s[j] * s[j] * s[j])
    else:
        for j in range(width):
            g[j] = math.pow(s[j], -m)


@kernel
def _fuzzy_ratios(x, centers, m, width, d2, r, z, least, s):
    """d2, r = least / d2, z for every cluster; s = sum of z; memberships are z / s.

    An object on one or several centres has r = 1 there and 0 elsewhere.
    """
    c = centers.shape[0]
    _all_squared_distances(x, centers, width, d2)
    d = d2[0]
    for j in range(width):
        least[j] = d[j]
        s[j] = 0.0
    for k in range(1, c):
        d = d2[k]
        for j in range(width):
            least[j] = min(least[j], d[j])
    for k in range(c):
        d, rk, zk = d2[k], r[k], z[k]
        for j in range(width):
            rk[j] = least[j] / d[j] if d[j] > 0.0 else 1.0
        _powers(rk, m, width, zk)
        for j in range(width):
            s[j] += zk[j]


@kernel
def _possibilistic_ratios(x, v, eta, m, width, d2, r, z):
    """d2, r = the smaller of d2 and eta by the larger, z for one cluster.

    Typicalities are 1 / (1 + z) where d2 <= eta and z / (1 + z) elsewhere, so nothing
    overflows; eta = 0 gives 1 on the centre and 0 elsewhere.
    """
    _squared_distances(x, v, width, d2)
    for j in range(width):
        low = min(d2[j], eta)
        high = max(d2[j], eta)
        r[j] = low / high if high > 0.0 else 0.0
    _powers(r, m, width, z)


@kernel
def _add(a, cost, x, v, width, sums):
    """Add a tile to the lanes of one cluster.

    x (p * TILE,); sums (p + 2, LANES): a (x - v) for every feature, a, cost. Differences to the
    present centre keep digits where objects lie far from the origin.
    """
    p = v.size
    parts = (width + LANES - 1) // LANES
    for j in range(width, parts * LANES):
        a[j] = 0.0
        cost[j] = 0.0
    for f in range(p):
        xf, vf, out = x[f * TILE:], v[f], sums[f]
        t = 0
        while parts - t >= 4:
            i = t * LANES
            a0, x0 = a[i:], xf[i:]
            for j in range(LANES):
                out[j] = fma(a0[j + 3 * LANES], x0[j + 3 * LANES] - vf, fma(
                    a0[j + 2 * LANES], x0[j + 2 * LANES] - vf, fma(
                        a0[j + LANES], x0[j + LANES] - vf, fma(a0[j], x0[j] - vf, out[j]))))
            t += 4
        while t < parts:
            i = t * LANES
            a0, x0 = a[i:], xf[i:]
            for j in range(LANES):
                out[j] = fma(a0[j], x0[j] - vf, out[j])
            t += 1
    whole, costs = sums[p], sums[p + 1]
    for t in range(parts):
        i = t * LANES
        a0, c0 = a[i:], cost[i:]
        for j in range(LANES):
            whole[j] += a0[j]
            costs[j] += c0[j]


@kernel
def _add_all(a, cost, x, centers, width, sums):
    """`_add` for every row of a, cost, centers (c, p) and sums (c, p + 2, LANES)."""
    for k in range(centers.shape[0]):
        _add(a[k], cost[k], x, centers[k], width, sums[k])


@kernel
def _fold(lanes, out):
    """out (c, q) = sums over the lanes (c, q, LANES), in order; lanes become 0.

    Four rows take turns: an addition need not wait for the one before it.
    """
    rows, sums = lanes.reshape(-1, LANES), out.reshape(-1)
    whole = sums.size - sums.size % 4
    for f in range(0, whole, 4):
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        for j in range(LANES):
            a += rows[f, j]
            b += rows[f + 1, j]
            c += rows[f + 2, j]
            d += rows[f + 3, j]
        sums[f], sums[f + 1], sums[f + 2], sums[f + 3] = a, b, c, d
    for f in range(whole, sums.size):
        total = 0.0
        for j in range(LANES):
            total += rows[f, j]
        sums[f] = total
    lanes[:] = 0.0


def _python_squared_distances(x, centers, width, d2):
    """As `_squared_distances`, of one centre (p,) or of several (c, p)."""
    rows = x.reshape(-1, TILE)[:, :width]
    steps = np.array([row - center[..., None] for row, center in zip(rows, centers.T)])
    d2[..., :width] = fma_steps(steps, steps, np.zeros_like(d2[..., :width]))


def _python_fuzzy_ratios(x, centers, m, width, d2, r, z, least, s):
    """As `_fuzzy_ratios`."""
    _python_squared_distances(x, centers, width, d2)
    squares = d2[:, :width]
    least[:width] = squares.min(axis=0)
    r[:, :width] = 1.0
    np.divide(least[:width], squares, out=r[:, :width], where=squares > 0.0)
    s[:width] = 0.0
    for rk, zk in zip(r, z):
        _powers.py_func(rk, m, width, zk)
        s[:width] += zk[:width]


def _python_add(a, cost, x, centers, width, sums):
    """As `_add`, of one cluster or of several: a, cost, centers, sums have a row for each."""
    p, parts = centers.shape[-1], (width + LANES - 1) // LANES
    used = parts * LANES
    a[..., width:used] = 0.0
    cost[..., width:used] = 0.0
    steps = x.reshape(p, TILE)[:, :used] - centers[..., None]
    chunks = [slice(t * LANES, (t + 1) * LANES) for t in range(parts)]
    sums[..., :p, :] = fma_steps(np.array([a[..., None, part] for part in chunks]),
                                 np.array([steps[..., part] for part in chunks]),
                                 sums[..., :p, :])
    for part in chunks:
        sums[..., p, :] += a[..., part]
        sums[..., p + 1, :] += cost[..., part]


def _python_fold(lanes, out):
    """As `_fold`."""
    out[:] = 0.0 + np.add.accumulate(lanes, axis=-1)[..., -1]   # 0.0 where all are -0.0
    lanes[:] = 0.0


if JIT_ENABLED:   # 150 objects, 4 features, 3 clusters: a pass takes a third of the time
    python_form(_fuzzy_ratios, _python_fuzzy_ratios)
    python_form(_fold, _python_fold)
    for _compiled in (_squared_distances, _all_squared_distances):
        python_form(_compiled, _python_squared_distances)
    for _compiled in (_add, _add_all):
        python_form(_compiled, _python_add)


@kernel
def fuzzy_pass(tiles, weights, n, centers, m, start, stop, out):
    """Sums over blocks start to stop of fuzzy c-means.

    tiles (T, p, TILE), weights (T, TILE), centers (c, p); out[b] (c, p + 2): with a = w u^m,
    sums over the objects of a (x - v) for every feature, of a, and of a d2 (they add up to the
    objective).
    """
    c, p = centers.shape
    d2, r, z = np.empty((c, TILE)), np.empty((c, TILE)), np.empty((c, TILE))
    least, s, g = np.empty(TILE), np.empty(TILE), np.empty(TILE)
    lanes = np.zeros((c, p + 2, LANES))
    for b in range(start, stop):
        for t in range(b * TILES, min((b + 1) * TILES, tiles.shape[0])):
            x, w = tiles[t].reshape(-1), weights[t]
            width = min(TILE, n - t * TILE)
            _fuzzy_ratios(x, centers, m, width, d2, r, z, least, s)
            _inverse_powers(s, m, width, g)
            for j in range(width):
                g[j] *= w[j]
            for k in range(c):
                d, a, zk = d2[k], r[k], z[k]
                for j in range(width):
                    a[j] = a[j] * zk[j] * g[j]
                    d[j] = a[j] * d[j]
            _add_all(r, d2, x, centers, width, lanes)
        _fold(lanes, out[b])


@kernel
def possibilistic_pass(tiles, weights, n, centers, eta, m, start, stop, out):
    """As `fuzzy_pass`, with a = w t^m and the terms of the possibilistic objective.

    A term is w t^m d2 + eta w (1 - t)^m = w min(d2, eta) (1 + z)^(1-m).
    """
    c, p = centers.shape
    d2, r, z = np.empty(TILE), np.empty(TILE), np.empty(TILE)
    s, g = np.empty(TILE), np.empty(TILE)
    lanes = np.zeros((c, p + 2, LANES))
    for b in range(start, stop):
        for t in range(b * TILES, min((b + 1) * TILES, tiles.shape[0])):
            x, w = tiles[t].reshape(-1), weights[t]
            width = min(TILE, n - t * TILE)
            for k in range(c):
                _possibilistic_ratios(x, centers[k], eta[k], m, width, d2, r, z)
                for j in range(width):
                    s[j] = 1.0 + z[j]
                _inverse_powers(s, m, width, g)
                for j in range(width):
                    g[j] *= w[j]
                    r[j] = g[j] if d2[j] <= eta[k] else g[j] * (r[j] * z[j])
                    d2[j] = g[j] * s[j] * min(d2[j], eta[k])
                _add(r, d2, x, centers[k], width, lanes[k])
        _fold(lanes, out[b])


@kernel
def memberships(tiles, n, centers, m, start, stop, out):
    """Fuzzy memberships (n, c) of blocks start to stop."""
    c = centers.shape[0]
    d2, r, z = np.empty((c, TILE)), np.empty((c, TILE)), np.empty((c, TILE))
    least, s = np.empty(TILE), np.empty(TILE)
    for t in range(start * TILES, min(stop * TILES, tiles.shape[0])):
        width = min(TILE, n - t * TILE)
        _fuzzy_ratios(tiles[t].reshape(-1), centers, m, width, d2, r, z, least, s)
        for j in range(width):
            for k in range(c):
                out[t * TILE + j, k] = z[k, j] / s[j]


@kernel
def typicalities(tiles, n, centers, eta, m, start, stop, out):
    """Possibilistic typicalities (n, c) of blocks start to stop."""
    d2, r, z = np.empty(TILE), np.empty(TILE), np.empty(TILE)
    for t in range(start * TILES, min(stop * TILES, tiles.shape[0])):
        width = min(TILE, n - t * TILE)
        for k in range(centers.shape[0]):
            _possibilistic_ratios(tiles[t].reshape(-1), centers[k], eta[k], m, width, d2, r, z)
            for j in range(width):
                top = 1.0 if d2[j] <= eta[k] else z[j]
                out[t * TILE + j, k] = top / (1.0 + z[j])
