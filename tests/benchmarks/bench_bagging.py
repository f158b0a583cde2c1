"""Bagging against loops over scikit-learn's KMeans that do the same, and against its own k-means.

scikit-learn gets a part of the replicates, scaled to all. Its loop draws, fits, matches by SciPy
and votes as ours does; it chooses each seed among 2 + log K candidates, ours takes one. Its threads
are limited to one, with which it is fastest on so few objects, except in the rows that say "as
written": there it has the threads that it takes by itself.
"""

from contextlib import nullcontext

import numpy as np
from _ratios import Table, Times, bare_loop, main
from scipy.optimize import linear_sum_assignment
from threadpoolctl import threadpool_limits

import softclust as sc
from softclust.cluster.batched_kmeans import batched_kmeans

#: objects: replicates, replicates of scikit-learn, (must, goal) of scikit-learn / ours
ROWS = {100: (10_000, 150, (300, 700)), 300: (4_000, 150, (150, 350)),
        1000: (1_500, 100, (60, 150))}
CLUSTERS = 3


def mixture(n, rng):
    """The first mixture of the bagging paper: three groups 3 standard deviations apart."""
    centers = 1.5 * np.array([[1, 0], [-1, 0], [0, 3**0.5]])
    return rng.normal(size=(n, 2)) + centers[np.arange(n) % 3]


def on_threads(threads, function):
    """`function` with so many threads."""
    def run():
        sc.set_num_threads(threads)
        try:
            return function()
        finally:
            sc.set_num_threads(None)
    return run


def sklearn_bagging(x, base, replicates):
    """BagClust1 over scikit-learn."""
    from sklearn.cluster import KMeans
    n = x.shape[0]
    votes = np.zeros((n, CLUSTERS), dtype=np.int64)
    rng = np.random.default_rng(0)
    with threadpool_limits(1):
        for b in range(replicates):
            drawn = rng.integers(0, n, n)
            labels = KMeans(CLUSTERS, n_init=1, random_state=b).fit(x[drawn]).labels_
            _vote(votes, base, drawn, labels, np.unique(drawn, return_index=True)[1])
    return votes


def sklearn_bayesian(x, fit, clusters, replicates, *, limited=True):
    """Bayesian bagged clustering over scikit-learn: best of 10 weighted starts."""
    from sklearn.cluster import KMeans
    n, prior = x.shape[0], fit.prior_
    votes = np.zeros((n, clusters), dtype=np.int64)
    rng = np.random.default_rng(0)
    with threadpool_limits(1) if limited else nullcontext():
        for b in range(replicates):
            source = np.where(rng.random(n) < 0.5, -1, rng.integers(0, n, n))
            points = np.where((source < 0)[:, None], prior.sample(n, rng), x[source])
            weights = rng.dirichlet(np.full(n, 2.0))
            labels = KMeans(clusters, n_init=10, random_state=b).fit(
                points, sample_weight=weights).labels_
            _vote(votes, fit.base_labels_, source, labels, np.flatnonzero(source >= 0))
    return votes


def _vote(votes, base, source, labels, voters):
    drawn = source >= 0
    table = np.zeros((votes.shape[1],) * 2, dtype=np.int64)
    np.add.at(table, (base[source[drawn]], labels[drawn]), 1)
    rows, columns = linear_sum_assignment(table, maximize=True)
    names = np.empty(votes.shape[1], dtype=np.int64)
    names[columns] = rows
    np.add.at(votes, (source[voters], names[labels[voters]]), 1)


def run(table: Table) -> None:
    """Add the rows."""
    for n, (replicates, fits, (must, goal)) in ROWS.items():
        x = mixture(n, np.random.default_rng(n))
        base = batched_kmeans(x, uniforms=np.random.default_rng(1).random((1, 10, CLUSTERS)))
        given = (base.labels[0].astype(np.int64), base.centers[0])
        uniforms = np.random.default_rng(2).random((replicates, 1, CLUSTERS))

        def bag(x=x, given=given, replicates=replicates):
            return sc.BaggedClustering(n_clusters=CLUSTERS, n_init=1, n_resamples=replicates,
                                       random_state=0, never_selected="base").fit(x, base=given)

        def draw_and_fit(x=x, n=n, replicates=replicates, uniforms=uniforms):
            draws = sc.bootstrap_indices(n, replicates, rng=0)
            return batched_kmeans(x, indices=draws, uniforms=uniforms)

        times = Times({
            "one": on_threads(1, bag), "two": on_threads(2, bag),
            "k-means": on_threads(1, draw_and_fit),
            "theirs": lambda x=x, given=given, fits=fits: sklearn_bagging(x, given[0], fits),
            "bare one": bare_loop(1), "bare two": bare_loop(2)}, rounds=5)
        scale = replicates / fits
        note = f"{fits} replicates of scikit-learn, scaled to {replicates}"
        table.section(f"BagClust1, {replicates} replicates, n = {n}, d = 2, K = {CLUSTERS}; ours "
                      f"{1e6 * times['one'] / replicates:.2f} us a replicate on one thread")
        table.add("loop over scikit-learn / ours, one thread", scale * times.ratio(
            "theirs", "one"), must=must, goal=goal, note=note)
        table.add("whole replicate / its draw and k-means", times.ratio("one", "k-means"),
                  least=False, must=1.75, goal=1.4)
        table.add("two threads / one thread", times.ratio("two", "one"), least=False,
                  must=None if n < 300 else 0.85, goal=None if n < 300 else 0.55)
        table.add("the same of a bare loop: the limit of this machine", times.ratio(
            "bare two", "bare one"), least=False)
    bayesian(table)


def bayesian(table: Table) -> None:
    """BBC for K = 2, ..., 6 with B = 1,000 on 99 objects: two threads, as users run it."""
    replicates, part = 1000, 15
    x = sc.datasets.bbc_gaussians(1, rng=0).data
    fits = {k: sc.BayesianBaggedClustering(k, n_resamples=10, random_state=0).fit(x)
            for k in range(2, 7)}

    def ours():
        for k in range(2, 7):
            sc.BayesianBaggedClustering(k, n_resamples=replicates, random_state=0).fit(x)

    def theirs(part=part, limited=True):
        for k in range(2, 7):
            sklearn_bayesian(x, fits[k], k, part, limited=limited)

    times = Times({"one": on_threads(1, ours), "two": on_threads(2, ours), "theirs": theirs,
                   "written": lambda: theirs(part=2, limited=False)}, rounds=9)
    table.section(f"BBC, K = 2, ..., 6, B = {replicates}, best of 10 starts, n = 99; ours "
                  f"{times['two']:.3f} s on two threads")
    note = f"2 replicates a K of scikit-learn, scaled to {replicates}"
    table.add("loop over scikit-learn as written / ours, two threads",
              replicates / 2 * times.ratio("written", "two"), note=note)
    scale = replicates / part
    note = f"{part} replicates a K of scikit-learn, scaled to {replicates}"
    table.add("loop over scikit-learn on one thread / ours, two threads",
              scale * times.ratio("theirs", "two"), must=300, note=note)
    table.add("loop over scikit-learn on one thread / ours, one thread",
              scale * times.ratio("theirs", "one"), note=note)



if __name__ == "__main__":
    raise SystemExit(main(run))
