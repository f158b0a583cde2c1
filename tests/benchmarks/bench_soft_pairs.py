"""Fuzzy pair measures: closed forms, pair loops against numpy, memory of the exact correction."""

import tracemalloc

import numpy as np
from _ratios import Table, Times, main

import softclust as sc


def numpy_concordance(u, v):
    """Concordance index by rows, vectorised over the columns right of each."""
    n, total = u.shape[0], 0.0
    for i in range(n - 1):
        d = [0.5 * np.abs(z[i + 1:] - z[i]).sum(axis=1) for z in (u, v)]
        total += np.abs(d[0] - d[1]).sum()
    return 1 - total / (n * (n - 1) / 2)


def run(table: Table) -> None:
    """Rows for 10,000 objects and 3 clusters, and the memory for 5,000."""
    rng = np.random.default_rng(0)
    u, v = (rng.dirichlet([1, 1, 1], 10_000) for _ in range(2))
    x, y = sc.FuzzyClustering(u), sc.FuzzyClustering(v)
    times = Times({
        "product": lambda: sc.fuzzy_adjusted_rand_index(x, y),
        "cosine": lambda: sc.fuzzy_adjusted_rand_index(x, y, relation="cosine"),
        "anderson": lambda: sc.anderson_rand_index(x, y),
        "frobenius": lambda: sc.frobenius_adjusted_rand_index(x, y),
        "t_norm": lambda: sc.fuzzy_adjusted_rand_index(x, y, relation="t_norm"),
        "concordance": lambda: sc.concordance_index(x, y),
        "adjusted": lambda: sc.adjusted_concordance_index(x, y),
        "numpy": lambda: numpy_concordance(u, v),
    }, rounds=3)
    table.section("fuzzy pair measures, n = 10,000, 3 clusters")
    for name in ("product", "cosine", "anderson", "frobenius"):
        table.add(f"50 ms / {name}", 0.05 / times[name], must=1, goal=10,
                  note=f"{1e3 * times[name]:.2f} ms")
    table.add("numpy by rows / concordance_index", times.ratio("numpy", "concordance"), must=3,
              goal=10, note=f"{times['concordance']:.2f} s")
    for name, seconds in (("t_norm", 5), ("adjusted", 10)):
        table.add(f"{seconds} s / {name}", seconds / times[name], must=1,
                  note=f"{times[name]:.2f} s")
    tracemalloc.start()
    sc.adjusted_concordance_index(u[:5000], v[:5000])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    table.add("memory of adjusted_concordance_index / 8 n^2 bytes", peak / (8 * 5000**2),
              must=1.05, least=False, note=f"{peak / 1e6:.0f} MB for n = 5,000")


if __name__ == "__main__":
    raise SystemExit(main(run))
