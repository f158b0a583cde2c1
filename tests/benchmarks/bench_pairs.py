"""Measures over all pairs of objects: against matrix-product tiles and the multiply-add limit.

The limit is a loop of fused multiply-adds that stay in registers. Shares count the multiply-adds
of the dot products only (two sides, s and s + n), not what is done with them afterwards.
"""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
from _ratios import Table, Times, main, turn

import softclust as sc
from softclust._kernels._jit import fma, kernel

N = 10_000
PAIRS = N * (N - 1) / 2
CHAIN = 16
#: clusters of two fuzzy clusterings: must, goal of the share of the limit
FUZZY = {3: (0.60, 0.90), 5: (0.50, 0.90), 10: (0.22, 0.50)}


@kernel
def _multiply_adds(x, turns):
    """CHAIN multiply-adds per element and turn, in registers between one load and one store."""
    for _ in range(turns):
        for j in range(x.size):
            v = x[j]
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            v = fma(v, 0.5, 0.25)
            x[j] = fma(v, 0.5, 0.25)


def limit(count: float):
    """A function that does `count` multiply-adds in registers."""
    x = np.linspace(0.0, 1.0, 512)
    turns = round(count / (x.size * CHAIN))
    return lambda: _multiply_adds(x, turns)


def power_set(c: int, *, empty: bool) -> np.ndarray:
    return np.array([[b >> k & 1 for k in range(c)] for b in range(0 if empty else 1, 2**c)])


def evidential(seed: int, *, empty: bool = False, n: int = N) -> sc.EvidentialClustering:
    sets = power_set(3, empty=empty)
    mass = np.random.default_rng(seed).dirichlet(np.ones(len(sets)), n)
    return sc.EvidentialClustering(mass, sets)


def fuzzy(seed: int, c: int, n: int = N) -> sc.FuzzyClustering:
    return sc.FuzzyClustering(np.random.default_rng(seed).dirichlet(np.ones(c), n))


def tiles(x: sc.EvidentialClustering, y: sc.EvidentialClustering, tile: int) -> np.ndarray:
    """Sums of r_0, r_1/2, r_1 by matrix products of tiles and numpy passes over them."""
    sides = []
    for z in (x, y):
        sets = z.focal_sets.astype(float)
        single = z.mass[:, sets.sum(axis=1) == 1]
        sides.append((single, z.mass @ (sets @ sets.T == 0), z.mass))
    (a1, k1, m1), (a2, k2, m2) = sides
    total = np.zeros(3)
    for i in range(0, N, tile):
        for j in range(i, N, tile):
            s1, s2 = a1[i:i + tile] @ a1[j:j + tile].T, a2[i:i + tile] @ a2[j:j + tile].T
            n1, n2 = k1[i:i + tile] @ m1[j:j + tile].T, k2[i:i + tile] @ m2[j:j + tile].T
            ds, dn = s1 - s2, n1 - n2
            half = (np.abs(ds) + np.abs(dn)) / 2
            r = (np.maximum(np.maximum(s1 + n2, n1 + s2) - 1, 0), half,
                 half + np.abs(ds + dn) / 2)
            if i == j:
                total += [np.triu(v, 1).sum() for v in r]
            else:
                total += [v.sum() for v in r]
    return total


def fuzzy_tiles(x: sc.FuzzyClustering, y: sc.FuzzyClustering, tile: int) -> float:
    u, v, total = x.membership, y.membership, 0.0
    for i in range(0, N, tile):
        for j in range(i, N, tile):
            r = np.abs(u[i:i + tile] @ u[j:j + tile].T - v[i:i + tile] @ v[j:j + tile].T)
            total += np.triu(r, 1).sum() if i == j else r.sum()
    return total


def best_tile(function, x, y) -> int:
    """The tile size that is fastest here."""
    return min((64, 96, 128, 192, 256, 512),
               key=lambda t: min(turn(lambda: function(x, y, t), once=True) for _ in range(2)))


def run(table: Table) -> None:
    """Evidential and fuzzy clusterings of 10,000 objects, one thread."""
    from threadpoolctl import threadpool_limits
    before = sc.get_num_threads()
    sc.set_num_threads(1)
    try:
        with threadpool_limits(1):
            _evidential_rows(table)
            _fuzzy_rows(table)
            _other_rows(table)
    finally:
        sc.set_num_threads(before)
    _memory_rows(table)


def _evidential_rows(table: Table) -> None:
    x, y = evidential(1), evidential(2)
    tile = best_tile(tiles, x, y)
    pair = sc.alpha_rand_curve(x, y, method="pairs").sums
    assert np.allclose(pair, tiles(x, y, tile), rtol=1e-9)
    times = Times({
        "default": lambda: sc.alpha_rand_curve(x, y, method="pairs"),
        "generated": lambda: sc.alpha_rand_curve(x, y, method="generated"),
        "tiles": lambda: tiles(x, y, tile),
        "limit": limit(18 * PAIRS),
    })
    table.section(f"alpha-Rand, n = {N}, 3 clusters, 7 focal sets a side, one thread: default "
                  f"{1e9 * times['default'] / PAIRS:.2f}, generated "
                  f"{1e9 * times['generated'] / PAIRS:.2f} ns a pair")
    table.add(f"matrix-product tiles of {tile} / default kernel",
              times.ratio("tiles", "default"), must=5)
    table.add("share of the multiply-add limit, default kernel",
              times.ratio("limit", "default"), must=0.25)
    table.add("matrix-product tiles / generated kernel",
              times.ratio("tiles", "generated"), goal=10)
    table.add("share of the multiply-add limit, generated kernel",
              times.ratio("limit", "generated"), goal=0.5)
    x, y = evidential(1, empty=True), evidential(2, empty=True)
    times = Times({
        "default": lambda: sc.alpha_rand_curve(x, y, method="pairs"),
        "generated": lambda: sc.alpha_rand_curve(x, y, method="generated"),
        "limit": limit(18 * PAIRS),
    })
    table.add("with mass on the empty set: share of the limit, default kernel",
              times.ratio("limit", "default"), goal=0.2)
    table.add("with mass on the empty set: share of the limit, generated kernel",
              times.ratio("limit", "generated"), must=0.2, goal=0.6)


def _fuzzy_rows(table: Table) -> None:
    table.section(f"alpha-Rand of two fuzzy clusterings, n = {N}, one thread (products u_i . u_j)")
    for c, (must, goal) in FUZZY.items():
        x, y = fuzzy(1, c), fuzzy(2, c)
        tile = best_tile(fuzzy_tiles, x, y)
        times = Times({
            "default": lambda x=x, y=y: sc.alpha_rand_index(x, y, method="pairs"),
            "tiles": lambda x=x, y=y, tile=tile: fuzzy_tiles(x, y, tile),
            "limit": limit(2 * c * PAIRS),
        })
        table.add(f"{c} clusters: share of the multiply-add limit, default kernel",
                  times.ratio("limit", "default"), must=must, goal=goal)
        table.add(f"{c} clusters: matrix-product tiles of {tile} / default kernel",
                  times.ratio("tiles", "default"))


def _other_rows(table: Table) -> None:
    from scipy.optimize import linprog
    x, y = evidential(1), evidential(2)
    few = evidential(1, n=12), evidential(2, n=12)
    masses = [z.relation().dense().reshape(-1, 4) for z in few]
    cost = np.where(np.eye(4) == 1, 0.0, 1.0)
    cost[[0, 1, 2, 2], [2, 2, 0, 1]] = 0.5
    rows = np.kron(np.eye(4), np.ones(4)), np.kron(np.ones(4), np.eye(4))

    def programmes() -> None:
        for p in range(1, 12):
            linprog(cost.ravel(), A_eq=np.vstack(rows),
                    b_eq=np.concatenate([masses[0][p], masses[1][p]]))

    times = Times({
        "programmes": programmes,
        "pairs": lambda: sc.alpha_rand_index(x, y, method="pairs"),
        "conflict": lambda: sc.credal_rand_index(x, y, distance="conflict"),
        "conflict by pairs": lambda: sc.credal_rand_index(x, y, distance="conflict",
                                                          method="pairs"),
    })
    table.section("the same numbers by other ways")
    table.add("a linear programme a pair (scipy, HiGHS) / alpha-Rand, per pair",
              times.ratio("programmes", "pairs") * PAIRS / 11, must=1e5, goal=1e6)
    table.add("credal Rand, conflict: moments / all pairs",
              times.ratio("conflict", "conflict by pairs"), must=0.15, goal=0.03, least=False)
    sizes = [6000, 12000, 24000]
    seconds = [min(turn(lambda n=n: sc.alpha_rand_index(
        evidential(1, n=n), evidential(2, n=n), method="pairs")) for _ in range(3))
        for n in sizes]
    slope = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]
    table.add("growth of the pair loop: exponent of n, less 2", abs(slope - 2), must=0.15,
              least=False)


_MEMORY = """
import sys
import numpy as np, softclust as sc
n, c = int(sys.argv[1]), 3
rng = np.random.default_rng(0)
def make(n):
    if sys.argv[2] == "fuzzy":
        return sc.FuzzyClustering(rng.dirichlet(np.ones(c), n))
    sets = [[b >> k & 1 for k in range(c)] for b in range(1, 8)]
    return sc.EvidentialClustering(rng.dirichlet(np.ones(7), n), sets)
small = make(300), make(300)
sc.alpha_rand_index(*small, method="pairs")
x, y = make(n), make(n)
def status(key):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(key))
with open("/proc/self/clear_refs", "w") as clear:
    clear.write("5")  # the peak starts anew at what is in use
before = status("VmRSS")
sc.alpha_rand_index(x, y, method="pairs")
print((status("VmHWM") - before) / 1024)
"""


def _memory_rows(table: Table) -> None:
    if not sys.platform.startswith("linux"):
        return
    table.section("memory above the inputs, MiB")
    for n, kind, must, goal in ((10_000, "evidential", 50, 20), (100_000, "fuzzy", 100, 20)):
        result = subprocess.run([sys.executable, "-c", _MEMORY, str(n), kind], check=True,
                                capture_output=True, text=True)
        used = float(result.stdout)
        table.add(f"alpha-Rand by pairs, n = {n}, {kind}", used if math.isfinite(used) else 1e9,
                  must=must, goal=goal, least=False)


if __name__ == "__main__":
    raise SystemExit(main(run))
