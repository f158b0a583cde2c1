"""Batched k-means of bootstrap resamples against a loop over scikit-learn, and a pass of it.

scikit-learn gets some hundred fits, scaled to the number of replicates; its threads are limited
to one, with which it is fastest here. Both take the same ready draws; scikit-learn chooses each
seed among 2 + log K candidates, ours takes one, so passes differ a little. With many features
scikit-learn also predicts the labels of all objects, as a replicate's vote needs them.

The limit of a pass is a loop of fused multiply-adds that stay in registers, one for each object,
centre and feature; the subtraction before it is not counted.
"""

import numpy as np
from _ratios import Table, Times, bare_loop, main
from bench_pairs import limit
from sklearn.datasets import load_digits, make_blobs
from threadpoolctl import threadpool_limits

import softclust as sc
from softclust import _kernels
from softclust.cluster.batched_kmeans import batched_kmeans, fit_scratch
from softclust.resampling._kmeans import in_blocks

#: objects: replicates, fits of scikit-learn, (must, goal) of scikit-learn / ours on one thread
ROWS = {100: (10_000, 200, (300, 700)), 300: (4_000, 200, (150, 350)),
        1000: (1_000, 100, (60, 150))}
CLUSTERS = 3
FEATURES = 2


def run(table: Table) -> None:
    """Add the rows."""
    from sklearn.cluster import KMeans

    for n, (replicates, fits, (must, goal)) in ROWS.items():
        rng = np.random.default_rng(n)
        # the first mixture of the bagging paper: three groups 3 standard deviations apart
        x = rng.normal(size=(n, FEATURES)) + 1.5 * np.array([[1, 0], [-1, 0], [0, 3**0.5]])[
            np.arange(n) % CLUSTERS]
        draws = rng.integers(0, n, (replicates, n))
        uniforms = rng.random((replicates, 1, CLUSTERS))

        def ours(threads, x=x, draws=draws, uniforms=uniforms):
            sc.set_num_threads(threads)
            try:
                return batched_kmeans(x, indices=draws, uniforms=uniforms)
            finally:
                sc.set_num_threads(None)

        def theirs(x=x, draws=draws, fits=fits):
            with threadpool_limits(1):
                for b in range(fits):
                    KMeans(CLUSTERS, n_init=1, random_state=b).fit(x[draws[b]])

        times = Times({"one": lambda ours=ours: ours(1), "two": lambda ours=ours: ours(2),
                       "theirs": theirs, "bare one": bare_loop(1), "bare two": bare_loop(2)},
                      rounds=5)
        scale = replicates / fits
        note = f"{fits} fits of scikit-learn, scaled to {replicates}"
        table.section(f"{replicates} replicates, n = {n}, d = {FEATURES}, K = {CLUSTERS}; ours "
                      f"{1e6 * times['one'] / replicates:.2f} us a replicate on one thread, "
                      f"{ours(1).n_iter.mean():.1f} passes")
        table.add("loop over KMeans(n_init=1) / batched, one thread",
                  scale * times.ratio("theirs", "one"), must=must, goal=goal, note=note)
        table.add("loop over KMeans(n_init=1) / batched, two threads",
                  scale * times.ratio("theirs", "two"), must=300 if n == 100 else None, note=note)
        table.add("two threads / one thread", times.ratio("two", "one"), least=False,
                  must=None if n < 300 else 0.85, goal=None if n < 300 else 0.55)
        table.add("the same of a bare loop: the limit of this machine", times.ratio(
            "bare two", "bare one"), least=False)
    many_features(table)
    one_pass(table)


def many_features(table: Table) -> None:
    """Rows of digits and of 20,000 objects, one thread."""
    from sklearn.cluster import KMeans

    data = {"digits": (load_digits().data, 40, 10, (6, 9)),
            "20,000 x 50": (make_blobs(20_000, 50, centers=10, cluster_std=8.0,
                                       random_state=0)[0], 4, 4, (4, 7))}
    table.section("one start a replicate, K = 10, against KMeans(n_init=1).fit(...).predict(...)")
    for name, (x, replicates, fits, (must, goal)) in data.items():
        rng = np.random.default_rng(0)
        draws = rng.integers(0, x.shape[0], (replicates, x.shape[0]))
        uniforms = rng.random((replicates, 1, 10))

        def ours(x=x, draws=draws, uniforms=uniforms):
            batched_kmeans(x, indices=draws, uniforms=uniforms)

        def theirs(x=x, draws=draws, fits=fits):
            with threadpool_limits(1):
                for b in range(fits):
                    KMeans(10, n_init=1, random_state=b).fit(x[draws[b]]).predict(x)

        sc.set_num_threads(1)
        try:
            times = Times({"ours": ours, "theirs": theirs}, rounds=5)
        finally:
            sc.set_num_threads(None)
        table.add(f"{name}: loop over KMeans / batched, one thread",
                  replicates / fits * times.ratio("theirs", "ours"), must=must, goal=goal,
                  note=f"ours {1e6 * times['ours'] / replicates:.0f} us a replicate")


def one_pass(table: Table) -> None:
    """Rows of a pass that finds all distances."""
    table.section("nearest centres, all distances: share of the multiply-add limit")
    for n, d, clusters in ((1136, 64, 10), (2000, 16, 8), (4000, 8, 5)):
        rng = np.random.default_rng(0)
        points, centers = in_blocks(rng.normal(size=(n, d))), rng.normal(size=(clusters, d))
        labels, _, nearest, *_ = fit_scratch(n, d, clusters, 1)
        labels[:] = 0
        times = Times({"pass": lambda p=points, n=n, c=centers, a=labels[0], b=nearest[0]:
                       _kernels.nearest.assign_tiles(p, n, c, a, b),
                       "limit": limit(n * d * clusters)}, rounds=7)
        table.add(f"n = {n}, d = {d}, K = {clusters}", times.ratio("limit", "pass"), must=0.6,
                  goal=0.8)


if __name__ == "__main__":
    raise SystemExit(main(run))
