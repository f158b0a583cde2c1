"""Random contingency tables, and tables of labels, against scipy's sampler and our own kernel."""

import time

import numpy as np
from _ratios import Table, Times, main
from bench_contingency import labels

import softclust as sc
from softclust.statistics.joint import as_joint

#: seconds for 9,999 tables of 20 x 20 at n = 1e9 with three measures
SECONDS = 2.0
#: scipy's sampler / ours at n = 1e9
SCIPY = 10.0
#: a ContingencyTable of two arrays / the bare kernel
DOOR = 1.05


def run(table: Table) -> None:
    """Rows for random tables and for the door of labels."""
    _random(table)
    _door(table)


def _random(table: Table) -> None:
    sizes, draws = np.full(20, 5 * 10**7), 9999
    counted = sc.ContingencyTable.from_counts(np.full((20, 20), 2_500_000))
    measures = ["rand_index", "adjusted_rand_index", "jaccard_index"]

    def ours() -> None:
        sc.chance(counted, measure=measures, n_permutations=draws, rng=0)

    ours()   # compiled
    begin = time.perf_counter()
    ours()
    seconds = time.perf_counter() - begin
    from scipy.stats import random_table
    begin = time.perf_counter()
    random_table(sizes, sizes).rvs(100, method="patefield", random_state=0)
    scipy = (time.perf_counter() - begin) * draws / 100
    table.section("9,999 random tables of 20 x 20, n = 1e9")
    table.add("chance with three measures, seconds", seconds, must=SECONDS, least=False)
    table.add("scipy's sampler alone / chance with three measures", scipy / seconds, must=SCIPY)


def _door(table: Table) -> None:
    x, y = labels(10**7, 20)
    times = Times({"table": lambda: sc.contingency_table(x, y),
                   "kernel": lambda: as_joint(x, y).contingency}, rounds=5)
    table.section("counting ten million labels, 20 clusters")
    table.add("contingency_table / the kernel", times.ratio("table", "kernel"), must=DOOR,
              least=False)


if __name__ == "__main__":
    raise SystemExit(main(run))
