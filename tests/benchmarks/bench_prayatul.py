"""The Prayatul matrix against its three contingency tables and the paper's double loop.

The double loop (Algorithm 1 of the paper, in Python as there) would take minutes at n = 20,000:
it is timed for the pairs of evenly spaced rows i with all j > i, and scaled to all pairs.
"""

import math
import time

import numpy as np
from _ratios import Table, Times, main

import softclust as sc
from softclust.statistics.joint import as_joint

TABLES_AT_MOST = 3.0
DOUBLE_LOOP = 1000
#: rows of the double loop that are timed
ROWS = 40


def labels(n, clusters, seed=0):
    """A truth and two noisy copies, int64."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(clusters, size=n)
    return truth, *(np.where(rng.random(n) < 0.2, rng.integers(clusters, size=n), truth)
                    for _ in range(2))


def double_loop_seconds(g, p, q):
    """Seconds of Algorithm 1 on lists, from some of its rows."""
    g, p, q = g.tolist(), p.tolist(), q.tolist()
    n = len(g)
    rows = range(n // (2 * ROWS), n, n // ROWS)
    counts = [[0, 0], [0, 0]]
    start = time.perf_counter()
    for i in rows:
        for j in range(i + 1, n):
            same = g[i] == g[j]
            right = (p[i] == p[j]) == same
            other = (q[i] == q[j]) == same
            counts[not right][not other] += 1
    seconds = time.perf_counter() - start
    return seconds * (n * (n - 1) / 2) / sum(map(sum, counts))


def run(table: Table) -> None:
    """Rows for hard clusterings, then soft ones."""
    for n, clusters in ((10**6, 10), (10**6, 100), (10**7, 10)):
        _against_tables(table, n, clusters)
    _against_loop(table)
    _soft(table)


def _against_tables(table: Table, n: int, clusters: int) -> None:
    g, p, q = labels(n, clusters)
    times = Times({
        "three tables": lambda: [as_joint(x, y).contingency for x, y in ((g, p), (g, q), (p, q))],
        "prayatul": lambda: sc.prayatul(g, p, q),
        "parts": lambda: sc.prayatul(g, p, q).parts(),
        "jackknife": lambda: sc.prayatul(g, p, q).jackknife(),
    })
    table.section(f"prayatul, n = {n:.0e}, {clusters} clusters; three tables "
                  f"{1e3 * times['three tables']:.2f} ms")
    must = TABLES_AT_MOST if n == 10**6 else None
    table.add("prayatul from labels / its three contingency tables",
              times.ratio("prayatul", "three tables"), must=must, least=False)
    table.add("with parts / the three tables", times.ratio("parts", "three tables"))
    table.add("with jackknife / the three tables", times.ratio("jackknife", "three tables"))


def _against_loop(table: Table) -> None:
    n = 20_000
    g, p, q = labels(n, 5)
    times = Times({"prayatul": lambda: sc.prayatul(g, p, q)})
    loop = min(double_loop_seconds(g, p, q) for _ in range(3))
    table.section(f"the paper's double loop, n = {n}: {loop:.0f} s, scaled from {ROWS} rows")
    table.add("double loop / prayatul", loop / times["prayatul"], must=DOUBLE_LOOP)


def _soft(table: Table) -> None:
    rng = np.random.default_rng(0)

    def fuzzy(n, c):
        return sc.FuzzyClustering(rng.dirichlet(np.ones(c), size=n))

    table.section("soft clusterings, 5 clusters each")
    seconds = {}
    for n in (10**5, 10**6):
        g, p, q = rng.integers(5, size=n), fuzzy(n, 5), fuzzy(n, 5)
        times = Times({"expected": lambda g=g, p=p, q=q: sc.prayatul(g, p, q),
                       "evidential": lambda g=g, p=p, q=q: sc.prayatul(
                           g, p, q, coupling="evidential")}, rounds=3)
        seconds[n] = times
        table.add(f"expected, n = {n:.0e}: microseconds an object", 1e6 * times["expected"] / n)
        table.add(f"evidential, n = {n:.0e}: microseconds an object",
                  1e6 * times["evidential"] / n)
    slope = math.log10(seconds[10**6]["expected"] / seconds[10**5]["expected"])
    table.add("expected: |slope of log time on log n - 1|", abs(slope - 1), must=0.35,
              least=False)
    n = 4000
    g, p, q = rng.integers(5, size=n), fuzzy(n, 5), fuzzy(n, 5)
    times = Times({"minimum": lambda: sc.prayatul(g, p, q, coupling="minimum")}, rounds=3)
    table.add(f"minimum, n = {n}: nanoseconds a pair", 1e9 * times["minimum"] / (n * (n - 1) / 2))


if __name__ == "__main__":
    raise SystemExit(main(run))
