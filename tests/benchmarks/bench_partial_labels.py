"""Noise, gaps and different objects: seconds against plain calls, numpy, pandas and promises."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
from _ratios import Table, Times, main

import softclust as sc


def labels_with_gaps(n: int, r: int, s: int, rng: np.random.Generator
                     ) -> tuple[np.ndarray, np.ndarray]:
    """Labels of which a tenth is missing, and complete ones that agree in part."""
    y = rng.integers(0, s, n)
    x = np.where(rng.random(n) < 0.6, y % r, rng.integers(0, r, n)).astype(float)
    x[rng.random(n) < 0.1] = np.nan
    return x, y


def run(table: Table) -> None:
    """Plain or peer's seconds / ours, promised seconds / ours."""
    rng = np.random.default_rng(0)
    _policies(table, rng)
    _names(table, rng)
    _bounds(table, rng)


def _policies(table: Table, rng: np.random.Generator) -> None:
    n = 10_000_000
    x, y = rng.integers(0, 10, n), rng.integers(0, 10, n)
    x[rng.random(n) < 0.1] = -1

    def dropped_by_hand() -> tuple[np.ndarray, np.ndarray]:
        keep = x != -1
        return x[keep].copy(), y[keep].copy()

    times = Times({
        "plain": lambda: sc.adjusted_rand_index(x, y),
        "singletons": lambda: sc.adjusted_rand_index(*sc.align(x, y, noise="singletons")),
        "drop": lambda: sc.align(x, y, noise="drop"), "mask": dropped_by_hand}, rounds=3)
    table.section("policies, n = 1e7, 10 % noise: seconds of the other / ours")
    table.add("plain adjusted Rand / with singletons", times.ratio("plain", "singletons"),
              must=0.33, goal=1.0, note=f"{1e3 * times['singletons']:.0f} ms")
    table.add("numpy's mask and copy / drop", times.ratio("mask", "drop"), must=0.5, goal=1.0,
              note=f"{1e3 * times['drop']:.0f} ms")


def _names(table: Table, rng: np.random.Generator) -> None:
    n = 1_000_000
    names = np.array([f"object {i}" for i in range(n)], dtype=object)
    x = pd.Series(rng.integers(0, 10, n), index=names)
    y = pd.Series(rng.integers(0, 10, n), index=names).iloc[rng.permutation(n)[:900_000]]

    def by_pandas() -> None:
        common = x.index.intersection(y.index)
        x.loc[common], y.loc[common]

    times = Times({"pandas": by_pandas, "ours": lambda: sc.align(x, y, objects="common")},
                  rounds=2)
    table.section("names, n = 1e6 shuffled strings: pandas' intersection and loc / ours")
    table.add("objects='common'", times.ratio("pandas", "ours"), must=0.5, goal=1.0,
              note=f"{times['ours']:.1f} s")


def _bounds(table: Table, rng: np.random.Generator) -> None:
    table.section("completion_bounds, one side complete: promised seconds / ours")
    cases = {(100_000, 3): (0.05, ("adjusted_rand_index", "fowlkes_mallows_index",
                                   "variation_of_information")),
             (2000, 10): (0.5, ("adjusted_rand_index", "variation_of_information",
                                "normalized_mutual_information"))}
    for (n, r), (seconds, names) in cases.items():
        x, y = labels_with_gaps(n, r, r, rng)
        for name in names:
            times = Times({"ours": lambda x=x, y=y, name=name: sc.completion_bounds(
                x, y, measure=name)}, rounds=3)
            ours = times["ours"]
            table.add(f"{name}, n = {n}, {r} x {r}", seconds / ours, must=0.5, goal=1.0,
                      note=f"{1e3 * ours:.0f} ms")


if __name__ == "__main__":
    sys.exit(main(run))
