"""Two dendrograms: seconds against the costs that are promised, and against scipy's matrices."""

from __future__ import annotations

import sys

import numpy as np
from _ratios import Table, Times, main
from scipy.cluster.hierarchy import cophenet
from scipy.stats import spearmanr

import softclust as sc


def random_merges(n: int, rng: np.random.Generator) -> np.ndarray:
    """Merges of two random nodes at a time, heights rising."""
    free, rows = list(range(n)), np.empty((n - 1, 3))
    for t, height in enumerate(np.sort(rng.random(n - 1))):
        i = rng.integers(len(free))
        free[i], free[-1] = free[-1], free[i]
        a = free.pop()
        j = rng.integers(len(free))
        rows[t] = a, free[j], height
        free[j] = n + t
    return rows


def run(table: Table) -> None:
    """Promised seconds / ours, and scipy's seconds / ours."""
    rng = np.random.default_rng(0)
    table.section("two dendrograms: promised seconds / ours")
    x, y = random_merges(100_000, rng), random_merges(100_000, rng)
    small = random_merges(2000, rng), random_merges(2000, rng)
    cases = {
        "curve, all k, n = 1e5": (0.5, lambda: sc.dendrogram_curve(x, y)),
        "Pearson cophenetic, n = 1e5": (3.0, lambda: sc.cophenetic_correlation(x, y)),
        "element-centric, n = 2000": (0.1, lambda: sc.dendrogram_element_centric(*small)),
    }
    for name, (seconds, call) in cases.items():
        ours = Times({"ours": call}, rounds=3)["ours"]
        table.add(name, seconds / ours, must=0.3, goal=1.0, note=f"{1e3 * ours:.0f} ms")
    table.section("two dendrograms: scipy's matrices of all pairs / ours, n = 2000")
    full = [np.column_stack([m, np.ones(len(m))]) for m in small]
    times = Times({
        "Pearson": lambda: np.corrcoef(*map(cophenet, full)),
        "ours, Pearson": lambda: sc.cophenetic_correlation(*small),
        "Spearman": lambda: spearmanr(*map(cophenet, full)),
        "ours, Spearman": lambda: sc.cophenetic_correlation(*small, method="spearman")},
        rounds=3)
    for name in ("Pearson", "Spearman"):
        table.add(f"{name} cophenetic", times.ratio(name, f"ours, {name}"), must=1.0, goal=5.0,
                  note=f"{1e3 * times[f'ours, {name}']:.1f} ms")


if __name__ == "__main__":
    sys.exit(main(run))
