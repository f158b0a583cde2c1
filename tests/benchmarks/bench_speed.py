"""What softclust saves on jobs that users wait for: ratios to what they would otherwise use.

Measured warm (one call before), on one thread where nothing else is said.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
import warnings
from contextlib import contextmanager

import numpy as np
from _ratios import PEAK, Table, Times, main, need, need_r, turn

import softclust as sc


@contextmanager
def one_thread():
    """One thread of ours, of BLAS and of OpenMP."""
    from threadpoolctl import threadpool_limits
    before = sc.get_num_threads()
    sc.set_num_threads(1)
    try:
        with threadpool_limits(1):
            yield
    finally:
        sc.set_num_threads(before)


def quiet_fit(estimator, data):  # type: ignore[no-untyped-def]
    """A fit without its warnings: ten passes do not converge, few resamples miss objects."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return estimator.fit(data)


def cpu_seconds(function) -> float:  # type: ignore[no-untyped-def]
    """CPU seconds of one call, so that other jobs of the machine count little."""
    begin = time.process_time()
    function()
    return time.process_time() - begin


def run(table: Table) -> None:
    """All rows."""
    table.section("the slower way / softclust")
    tables(table)
    many_clusters(table)
    pairs(table)
    covers(table)
    bagging(table)
    cmeans(table)
    consensus(table)
    posterior(table)
    memory(table)
    growth(table)


def tables(table: Table) -> None:
    """Hard labels against scikit-learn and against reading them."""
    from sklearn.metrics import adjusted_mutual_info_score
    from sklearn.metrics.cluster import contingency_matrix
    n = 10**7
    for clusters in (10, 1000):
        rng = np.random.default_rng(clusters)
        x, y = rng.integers(clusters, size=n), rng.integers(clusters, size=n)
        times = Times({"ours": lambda x=x, y=y: sc.pair_counts(x, y),
                       "reading": lambda x=x, y=y: int(x.sum()) + int(y.sum()),
                       "peer": lambda x=x, y=y: contingency_matrix(x, y, sparse=True)},
                      rounds=3, once=("peer",))
        table.add(f"table of 1e7 objects, {clusters} clusters: scikit-learn / ours",
                  times.ratio("peer", "ours"), must=40)
        table.add(f"table of 1e7 objects, {clusters} clusters: ours / summing both arrays",
                  times.ratio("ours", "reading"), must=3, least=False)
    rng = np.random.default_rng(0)
    x, y = rng.integers(100, size=(2, 10**6))
    times = Times({"ours": lambda: sc.adjusted_mutual_information(x, y),
                   "peer": lambda: adjusted_mutual_info_score(x, y)}, rounds=3, once=("peer",))
    table.add("AMI of 1e6 objects, 100 clusters: scikit-learn / ours", times.ratio("peer", "ours"),
              must=100)


def many_clusters(table: Table) -> None:
    """Records in clusters of two, a tenth of them moved; unrelated labels; random runs."""
    def records(n: int):  # type: ignore[no-untyped-def]
        rng = np.random.default_rng(0)
        truth = np.arange(n) // 2
        found = truth.copy()
        moved = rng.choice(n, n // 10, replace=False)
        found[moved] = rng.permutation(found[moved])
        return truth, found

    for n, distance, whole in ((200_000, 1.5, 4.0), (400_000, 4.0, None)):
        x, y = records(n)
        table.add(f"partition_distance of {n:,} records in clusters of two: CPU seconds",
                  cpu_seconds(lambda x=x, y=y: sc.partition_distance(x, y)), must=distance,
                  least=False)
        if whole is not None:
            table.add(f"compare of {n:,} records in clusters of two: CPU seconds",
                      cpu_seconds(lambda x=x, y=y: sc.compare(x, y)), must=whole, least=False)
            table.add(f"match_clusters of {n:,} records in clusters of two: CPU seconds",
                      cpu_seconds(lambda x=x, y=y: sc.match_clusters(x, y)), must=5,
                      least=False)
    rng = np.random.default_rng(0)
    for clusters in (100_000, 50_000, 10_000):
        x, y = rng.integers(clusters, size=(2, 200_000))
        table.add(f"compare of 200,000 records, {np.unique(x).size:,} unrelated clusters: CPU "
                  "seconds", cpu_seconds(lambda x=x, y=y: sc.compare(x, y)), must=8, least=False)
    runs = sc.Ensemble(list(rng.integers(50, size=(50, 500))))
    table.add("consensus of 50 random runs, 50 clusters, 500 objects: CPU seconds",
              cpu_seconds(lambda: sc.consensus(runs, rng=0)), must=20, least=False)
    base = rng.integers(50, size=500)
    runs = sc.Ensemble([np.where(rng.random(500) < 0.8, base, rng.integers(50, size=500))
                        for _ in range(50)])
    table.add("consensus of 50 runs that agree by 80 %: CPU seconds",
              cpu_seconds(lambda: sc.consensus(runs, rng=0)), must=5, least=False)
    x, y = rng.integers(100, size=(2, 10**7))
    small = x.astype(np.int32), y.astype(np.int32)
    times = Times({"ours": lambda: sc.pair_counts(*small), "wide": lambda: sc.pair_counts(x, y)},
                  rounds=3)
    table.add("table of 1e7 objects, 100 clusters: int32 / int64", times.ratio("ours", "wide"),
              must=1.3, least=False)


def pairs(table: Table) -> None:
    """Alpha-Rand of fuzzy clusterings against distances in blocks of scipy."""
    from scipy.spatial.distance import cdist
    rng = np.random.default_rng(0)
    u, v = (rng.dirichlet(np.ones(5), 10_000) for _ in range(2))
    x, y = sc.FuzzyClustering(u), sc.FuzzyClustering(v)

    def in_blocks() -> float:
        total = 0.0
        for i in range(0, len(u), 500):
            for j in range(i, len(u), 500):
                d = (cdist(w[i:i + 500], w[j:j + 500], "cityblock") for w in (u, v))
                total += float(np.abs(next(d) - next(d)).sum())
        return total

    with one_thread():
        times = Times({"ours": lambda: sc.alpha_rand_index(x, y), "blocks": in_blocks}, rounds=3,
                      once=("blocks",))
    table.add("alpha-Rand of 10,000 objects, 5 clusters: scipy's distances in blocks / ours",
              times.ratio("blocks", "ours"), must=3)


def covers(table: Table) -> None:
    """Omega of dense covers against products of matrices in blocks."""
    rng = np.random.default_rng(0)
    u, v = (rng.random((2, 20_000, 30)) < 0.5).astype(np.float32)

    def in_blocks() -> float:
        n, equal, counts = len(u), 0, np.zeros((2, 31))
        for i in range(0, n, 500):
            both = [(w[i:i + 500] @ w.T).astype(np.int64) for w in (u, v)]
            equal += int((both[0] == both[1]).sum())
            counts += [np.bincount(each.ravel(), minlength=31) for each in both]
        chance = float((counts[0] / n**2) @ (counts[1] / n**2))
        return (equal / n**2 - chance) / (1 - chance)

    with one_thread():
        times = Times({"ours": lambda: sc.omega_index(
                           *(sc.as_clustering(w, kind="cover") for w in (u, v))),
                       "blocks": in_blocks}, rounds=3, once=("blocks",))
    table.add("omega index of covers, 20,000 x 30 clusters: products in blocks / ours",
              times.ratio("blocks", "ours"), must=1)


def bagging(table: Table) -> None:
    """Bagged k-means, ten starts, against a loop that does the same with scikit-learn."""
    from scipy.optimize import linear_sum_assignment
    from sklearn.cluster import KMeans
    from sklearn.datasets import load_digits, load_iris, make_blobs
    wide = make_blobs(20_000, 50, centers=10, cluster_std=8.0, random_state=0)[0]
    for name, x, clusters, ours, theirs, must in (
            ("iris", load_iris().data, 3, 200, 20, 20),
            ("digits", load_digits().data, 10, 40, 4, 8),
            ("20,000 x 50", wide, 10, 4, 2, 2)):

        def loop(x=x, clusters=clusters, count=theirs) -> np.ndarray:
            rng = np.random.default_rng(0)
            base = KMeans(clusters, n_init=10, random_state=0).fit(x).labels_
            votes = np.zeros((len(x), clusters))
            for b in range(count):
                drawn = rng.integers(0, len(x), len(x))
                labels = KMeans(clusters, n_init=10, random_state=b).fit(x[drawn]).labels_
                overlap = np.zeros((clusters, clusters))
                np.add.at(overlap, (labels, base[drawn]), 1)
                names = linear_sum_assignment(overlap, maximize=True)[1]
                np.add.at(votes, (drawn, names[labels]), 1)
            return votes

        with one_thread():
            times = Times({
                "ours": lambda x=x, k=clusters, b=ours: quiet_fit(sc.BaggedClustering(
                    k, n_resamples=b, n_init=10, random_state=0), x),
                "loop": loop}, rounds=3, once=("loop",))
        table.add(f"bagging {name}, ten starts: a loop over scikit-learn / ours",
                  times.ratio("loop", "ours") * (ours + 1) / (theirs + 1), must=must)
    digits = load_digits().data
    with one_thread():
        table.add("cluster_number of digits, 6 to 13: CPU seconds",
                  cpu_seconds(lambda: sc.cluster_number(digits, range(6, 14), rng=0)), must=10,
                  least=False)


def cmeans(table: Table) -> None:
    """Fuzzy c-means against scikit-fuzzy, evidential c-means against evclust in R."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(100_000, 10)) + 3.0 * rng.normal(size=(5, 10))[rng.integers(5, size=10**5)]
    start = x[:5].copy()

    if need("scikit-fuzzy"):
        from skfuzzy import cmeans
        first = rng.dirichlet(np.ones(5), len(x)).T
        transposed = np.ascontiguousarray(x.T)
        with one_thread():
            times = Times({
                "ours": lambda: quiet_fit(
                    sc.cluster.FuzzyCMeans(5, init=start, tol=0, max_iter=10), x),
                "peer": lambda: cmeans(transposed, 5, 2.0, error=0.0, maxiter=10, init=first)},
                rounds=3)
        table.add("ten passes of fuzzy c-means, 1e5 x 10: scikit-fuzzy / ours",
                  times.ratio("peer", "ours"), must=2)
    if need_r("evclust"):
        from r_bridge._call import call
        few = x[:2000, :2]
        code = """function(rows, n) {
          x <- matrix(rows, n, byrow = TRUE)
          system.time(evclust::ecm(x, c = 4, disp = FALSE, ntrials = 1))[[3]]
        }"""
        theirs = float(call(code, few.ravel(), len(few))[0])
        ours = turn(lambda: quiet_fit(
            sc.cluster.EvidentialCMeans(4, n_init=1, random_state=0), few))
        table.add("evidential c-means, 2,000 objects: evclust in R / ours", theirs / ours, must=50)


def consensus(table: Table) -> None:
    """The soft Euclidean consensus of clue; one start of the Manhattan ones."""
    rng = np.random.default_rng(0)
    labels = [np.where(rng.random(5000) < 0.3, rng.integers(0, 5, 5000), np.arange(5000) % 5)
              for _ in range(200)]
    ensemble = sc.Ensemble(labels)

    def ours(method: str) -> float:
        sc.consensus(sc.Ensemble(labels[:20]), method=method, n_starts=1, rng=0)
        return cpu_seconds(lambda: sc.consensus(ensemble, method=method, n_starts=1, rng=0))

    for method in ("SM", "HM"):
        table.add(f"consensus {method} of 200 partitions of 5,000 objects, one start: CPU seconds",
                  ours(method), must=2, least=False)
    if not need_r("clue"):
        return
    from r_bridge._call import call
    code = """function(labels, n) {
      made <- lapply(seq_len(length(labels) / n), function(b)
        clue::as.cl_partition(labels[seq_len(n) + (b - 1) * n] + 1))
      sum(system.time(clue::cl_consensus(do.call(clue::cl_ensemble, made), method = "SE"))[1:2])
    }"""
    theirs = float(call(code, np.concatenate(labels), 5000)[0])
    table.add("consensus SE of 200 partitions of 5,000 objects: CPU of clue / ours",
              theirs / ours("SE"), must=4)


def posterior(table: Table, size: int = 10_000) -> None:
    """Seconds of the estimate from a large sample of partitions, on all cores."""
    rng = np.random.default_rng(0)
    base, other = rng.integers(0, 10, (2, size))
    doubt = 0.6 * rng.beta(0.3, 2.0, size)
    draws = np.empty((size, size), dtype=np.uint8)
    for row in draws:
        row[:] = np.where(rng.random(size) < doubt, other, base)
    sc.posterior_partition(draws[:50, :60].copy(), rng=0)
    table.add("posterior_partition of 10,000 draws of 10,000 objects: seconds",
              turn(lambda: sc.posterior_partition(draws, rng=0), once=True), must=60, least=False)


def memory(table: Table) -> None:
    """Memory of pair measures above that of their inputs."""
    code = PEAK + """
import numpy as np, softclust as sc
rng = np.random.default_rng(0)
few = [sc.FuzzyClustering(rng.dirichlet(np.ones(3), 1000)) for _ in range(2)]
x, y = (sc.FuzzyClustering(rng.dirichlet(np.ones(3), 100_000)) for _ in range(2))
sc.alpha_rand_index(*few)
before = peak()
sc.alpha_rand_index(x, y)
print(peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    table.add("alpha-Rand of 100,000 objects: MB above the inputs", float(done.stdout), must=150,
              least=False)


def growth(table: Table) -> None:
    """Slope of log time on log n against the declared cost."""
    with one_thread():
        rng = np.random.default_rng(0)
        hard = {n: rng.integers(100, size=(2, n)) for n in (3 * 10**6, 3 * 10**7)}
        soft = {n: [sc.FuzzyClustering(rng.dirichlet(np.ones(3), n)) for _ in range(2)]
                for n in (4000, 16_000)}
        for name, function, cases, order in (("rand_index", sc.rand_index, hard, 1),
                                             ("alpha_rand_index", sc.alpha_rand_index, soft, 2)):
            few, many = cases
            times = Times({str(n): lambda f=function, c=c: f(*c) for n, c in cases.items()},
                          rounds=3)
            slope = math.log(times.ratio(str(many), str(few))) / math.log(many / few)
            table.add(f"{name}: slope of log time on log n, away from {order}", abs(slope - order),
                      must=0.15, least=False)


if __name__ == "__main__":
    raise SystemExit(main(run))
