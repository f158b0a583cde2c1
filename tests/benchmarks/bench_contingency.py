"""Contingency tables and what follows from them, against other packages and against reading.

The limit is the time to read both label arrays once, with as many threads; a copy of both is
printed beside it.
"""

import math

import numba
import numpy as np
from _ratios import Table, Times, main, need

import softclust as sc
from softclust._parallel import run_chunks
from softclust.statistics.contingency import contingency
from softclust.statistics.joint import as_joint

#: clusters: (must, goal) of ours / reading at n = 1e7, scikit-learn / ours
READING = {10: (2.2, 1.2), 100: (2.2, 1.2), 1000: (6.0, 3.0)}
SCIKIT_LEARN = {10: (40, 90), 100: (60, 200), 1000: (40, 80)}
GENIECLUST = (3, 7)
#: at n = 1e7 the pair counts must reach this: times of reading (up to 100 clusters), and times
#: as fast as scikit-learn
READING_LARGE, SCIKIT_LEARN_LARGE = 3.0, 50


@numba.njit(nogil=True, fastmath={"reassoc"})
def _sum(x, y):
    total = 0
    for i in range(x.shape[0]):
        total += x[i]
    for i in range(y.shape[0]):
        total += y[i]
    return total


def read_both(x, y):
    """Add up both arrays on all threads."""
    n, size = x.shape[0], 1 << 17
    sums = np.empty(-(-n // size), np.int64)

    def work(start, stop):
        sums[start] = _sum(x[start * size:stop * size], y[start * size:stop * size])

    blocks = len(sums)
    run_chunks(work, blocks, max(1, blocks // (2 * sc.get_num_threads())))


def labels(n, clusters):
    """Two independent clusterings of n objects, int64."""
    rng = np.random.default_rng(clusters)
    return rng.integers(clusters, size=n), rng.integers(clusters, size=n)


def run(table: Table) -> None:
    """Rows for n = 1e6 and 1e7, 10, 100 and 1000 clusters."""
    for n in (10**6, 10**7):
        for clusters in (10, 100, 1000):
            _rows(table, n, clusters)
    _growth(table)


def _rows(table: Table, n: int, clusters: int) -> None:
    x, y = labels(n, clusters)
    u, v = sc.HardClustering(x), sc.HardClustering(y)
    copies = np.empty_like(x), np.empty_like(y)
    functions = {
        "reading": lambda: read_both(x, y),
        "copy": lambda: (np.copyto(copies[0], x), np.copyto(copies[1], y)),
        "labels": lambda: as_joint(x, y).contingency,
        "coded": lambda: sc.Joint(x, y).contingency,
        "codes": lambda: contingency(u.codes, u.n_clusters, v.codes, v.n_clusters),
        "pair_counts": lambda: sc.pair_counts(x, y),
        "rand_index": lambda: sc.rand_index(x, y),
    }
    from sklearn.metrics.cluster import contingency_matrix, rand_score
    functions["scikit-learn"] = lambda: contingency_matrix(x, y, sparse=True)
    functions["scikit-learn rand"] = lambda: rand_score(x, y)
    genie = need("genieclust")
    if genie:
        from genieclust import compare_partitions
        functions["genieclust"] = lambda: compare_partitions.confusion_matrix(x, y)
        functions["genieclust rand"] = lambda: compare_partitions.rand_score(x, y)
    times = Times(functions, rounds=5)

    large = n == 10**7
    table.section(f"contingency, n = {n:.0e}, {clusters} clusters; reading both arrays "
                  f"{1e3 * times['reading']:.2f} ms")
    must, goal = READING[clusters]
    table.add("table from labels / reading both arrays", times.ratio("labels", "reading"),
              must=must if large else None, goal=goal if large else None, least=False)
    table.add("pair_counts from labels / reading both arrays",
              times.ratio("pair_counts", "reading"),
              must=READING_LARGE if large and clusters <= 100 else None, least=False)
    table.add("table from codes / reading both arrays", times.ratio("codes", "reading"),
              must=must if large else None, goal=goal if large else None, least=False)
    table.add("coding and table, both sides kept as clusterings / reading both arrays",
              times.ratio("coded", "reading"))
    table.add("table from labels / copying both arrays (one thread)",
              times.ratio("labels", "copy"))
    must, goal = SCIKIT_LEARN[clusters]
    must = max(must, SCIKIT_LEARN_LARGE) if large else must
    table.add("scikit-learn's contingency_matrix / table from labels",
              times.ratio("scikit-learn", "labels"), must=must, goal=goal)
    table.add("scikit-learn's rand_score / rand_index",
              times.ratio("scikit-learn rand", "rand_index"), must=must)
    if genie:
        must, goal = GENIECLUST
        table.add("genieclust's confusion_matrix / table from labels",
                  times.ratio("genieclust", "labels"), must=must, goal=goal)
        table.add("genieclust's rand_score / rand_index",
                  times.ratio("genieclust rand", "rand_index"), must=must, goal=goal)


def _growth(table: Table) -> None:
    """Slope of log time on log n on one thread: declared O(n)."""
    table.section("growth with the number of objects, 100 clusters, one thread")
    sizes = (3 * 10**6, 3 * 10**7)
    sides = [labels(n, 100) for n in sizes]
    sc.set_num_threads(1)
    try:
        times = Times({str(n): lambda x=x, y=y: sc.rand_index(x, y)
                       for n, (x, y) in zip(sizes, sides)}, rounds=9)
    finally:
        sc.set_num_threads(None)
    slope = math.log10(times.ratio(str(sizes[1]), str(sizes[0])))
    table.add("rand_index: |slope of log time on log n - 1|", abs(slope - 1.0), must=0.15,
              least=False)


if __name__ == "__main__":
    raise SystemExit(main(run))
