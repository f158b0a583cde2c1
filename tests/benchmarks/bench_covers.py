"""Covers and element-centric similarity: seconds against the costs that are promised."""

from __future__ import annotations

import sys

import numpy as np
from _ratios import Table, Times, main

import softclust as sc


def random_cover(n: int, clusters: int, size: int, rng: np.random.Generator) -> sc.CoverClustering:
    """Clusters of random objects."""
    return sc.CoverClustering.from_clusters(
        [rng.choice(n, size, replace=False) for _ in range(clusters)], n_objects=n)


def run(table: Table) -> None:
    """Promised seconds / ours, and the Rand index / the element-centric index."""
    rng = np.random.default_rng(0)
    small = [random_cover(1000, 110, 15, rng) for _ in range(2)]
    large = [random_cover(100_000, 5000, 40, rng) for _ in range(2)]
    few = [random_cover(600, 40, 30, rng) for _ in range(2)]
    table.section("covers: promised seconds / ours")
    cases = {
        "omega, n = 1000, 110 clusters": (0.0005, lambda: sc.omega_index(*small)),
        "omega, n = 1e5, 5000 clusters of 40": (0.3, lambda: sc.omega_index(*large)),
        "element-centric, n = 600, 40 clusters": (0.05, lambda: sc.element_centric_index(*few)),
    }
    for name, (seconds, call) in cases.items():
        ours = Times({"ours": call}, rounds=5)["ours"]
        table.add(name, seconds / ours, must=0.3, goal=1.0, note=f"{1e3 * ours:.2f} ms")
    table.section("element-centric index of two partitions, n = 1e6: Rand index / ours")
    x, y = (sc.HardClustering(rng.integers(0, k, 1_000_000)) for k in (20, 15))
    times = Times({"Rand": lambda: sc.rand_index(x, y),
                   "ours": lambda: sc.element_centric_index(x, y)}, rounds=9)
    table.add("hard", times.ratio("Rand", "ours"), must=0.5, goal=1 / 1.2,
              note=f"{1e3 * times['ours']:.2f} ms")


if __name__ == "__main__":
    sys.exit(main(run))
