"""Random contingency tables, and tables of labels, against scipy's sampler and our own kernel."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from _ratios import PEAK, Table, Times, main
from bench_contingency import labels

import softclust as sc
from softclust.statistics.joint import as_joint

#: seconds for 9,999 tables of 20 x 20 at n = 1e9 with three measures
SECONDS = 2.0
#: scipy's sampler / ours at n = 1e9
SCIPY = 10.0
#: a ContingencyTable of two arrays / the bare kernel
DOOR = 1.05
#: counting rows of parquet / polars' own GROUP BY, and the peak memory of the process in MB
PARQUET, MEMORY = 1.5, 1000.0
#: exact sums of memberships / four products in double precision
SUMS = 60.0


def run(table: Table) -> None:
    """Rows for random tables and for the door of labels."""
    _random(table)
    _door(table)
    _parquet(table)
    _memberships(table)


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


#: counting ten million rows of parquet in a process of its own: seconds of polars' own GROUP BY,
#: seconds of ours, peak memory in MB above what the imports take
_COUNT = PEAK + """
import sys, time
import polars as pl
import softclust as sc
scan = lambda: pl.scan_parquet(sys.argv[1])
small = scan().head(1000)
sc.rand_index(sc.contingency_table("x", "y", data=small))
small.group_by("x", "y").agg(pl.len()).collect(engine="streaming")
own, ours = [], []
for _ in range(3):
    begin = time.perf_counter()
    scan().group_by("x", "y").agg(pl.len()).collect(engine="streaming")
    own.append(time.perf_counter() - begin)
    begin = time.perf_counter()
    sc.contingency_table("x", "y", data=scan())
    ours.append(time.perf_counter() - begin)
print(min(own), min(ours), peak())
"""


def _parquet(table: Table) -> None:
    try:
        import polars as pl
    except ImportError:
        table.section("rows of parquet: polars is not installed")
        return
    x, y = labels(10**7, 20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "labels.parquet"
        pl.DataFrame({"x": x, "y": y}).write_parquet(path)
        done = subprocess.run([sys.executable, "-c", _COUNT, str(path)], check=True, text=True,
                              capture_output=True)
    own, ours, peak = map(float, done.stdout.split())
    table.section("ten million rows of parquet, 20 clusters, polars")
    table.add("contingency_table / polars' own GROUP BY", ours / own, must=PARQUET, least=False)
    table.add("peak memory of the process, MB", peak, must=MEMORY, least=False)


def _memberships(table: Table) -> None:
    rng = np.random.default_rng(0)
    x, y = (sc.FuzzyClustering(rng.dirichlet(np.ones(6), 300_000)) for _ in range(2))
    times = Times({"sums": lambda: sc.membership_sums(x, y),
                   "BLAS": lambda: [u.T @ v for u in (x.membership, y.membership)
                                    for v in (x.membership, y.membership)]}, rounds=5)
    table.section("sums of 300,000 rows of 6 memberships")
    table.add("exact sums and differences / rounded products alone", times.ratio("sums", "BLAS"),
              must=SUMS, least=False)


if __name__ == "__main__":
    raise SystemExit(main(run))
