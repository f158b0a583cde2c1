"""Computations of the page without softclust: the paper's algorithm, partitions, simulations."""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pandas as pd

import softclust as sc
from prayatul_paper.printed import MEASURES, TABLE_I


def algorithm_1(g, p, q):
    """Algorithm 1 as printed: BR, RW, WR, BW."""
    counts = [0, 0, 0, 0]
    for i, j in itertools.combinations(range(len(g)), 2):
        same = g[i] == g[j]
        right_p, right_q = (p[i] == p[j]) == same, (q[i] == q[j]) == same
        counts[2 * (not right_p) + (not right_q)] += 1
    return tuple(counts)


def by_equations(br, rw, wr, bw):
    """Equations 5 to 9, exactly."""
    right = br + rw + wr
    return (Fraction(rw - wr, rw + wr), Fraction(br + rw - bw, right + bw),
            Fraction(br + rw, right), Fraction(br + rw - wr, right),
            Fraction(br + rw - wr, right + bw))


def measures(result):
    return tuple(getattr(result, name) for name in MEASURES.values())


def recipe(name, data):
    """The four clusterings anew, by scikit-learn; seeds of mini-batch k-means were searched."""
    from sklearn.cluster import DBSCAN, Birch, MiniBatchKMeans, SpectralClustering
    k = len(np.unique(data.labels))
    models = {
        "BIRCH": Birch(n_clusters=k, threshold=.5),
        "DBSCAN": DBSCAN(eps=.15 if name == "NS" else .3, min_samples=5),
        "KMeans": MiniBatchKMeans(k, n_init=3, random_state={"NC": 189, "NM": 61, "NS": 337}[name]),
        "Spectral": SpectralClustering(k, eigen_solver="arpack", affinity="nearest_neighbors",
                                       n_neighbors=10, random_state=5)}
    with warnings.catch_warnings():
        # Two circles are two parts of a graph of neighbours: that is why it finds them.
        warnings.filterwarnings("ignore", "Graph is not fully connected")
        return {algorithm: model.fit_predict(data.data) for algorithm, model in models.items()}


def clusters_of_dbscan(data, used, epsilon):
    from sklearn.cluster import DBSCAN
    found = DBSCAN(eps=epsilon, min_samples=5).fit_predict(data.data)
    return len(set(found.tolist()) - {-1}), sc.adjusted_rand_index(found, used)


def table_1(table, name):
    """Printed and ours side by side."""
    rows = {}
    for (primary, alternative, where), printed in TABLE_I.items():
        if where == name:
            ours = measures(table[primary, alternative])
            rows[f"{primary} over {alternative}"] = [
                text for p, o in zip(printed, ours) for text in (f"{p:.4g}", f"{o:.5f}")]
    return pd.DataFrame.from_dict(rows, orient="index", columns=pd.MultiIndex.from_product(
        [MEASURES, ("print", "ours")]))


def partitions(n):
    """All partitions of n objects, as labels."""
    if n == 0:
        return [()]
    return [(*p, k) for p in partitions(n - 1) for k in range(max(p, default=-1) + 2)]


def right(found, truth):
    """Which pairs are right, in one order of the pairs."""
    return np.array([(found[i] == found[j]) == (truth[i] == truth[j])
                     for i, j in itertools.combinations(range(len(truth)), 2)])


def least_change(n, every=1):
    """Least change of a measure, over all partitions of n objects (of the primary: a part of
    them), when the primary gets right on more pairs and wrong on no other."""
    least = np.inf
    for g, q in itertools.product(partitions(n), repeat=2):
        right_q = right(q, g)
        values = [(right(p, g), np.array(measures(sc.prayatul(g, p, q, zero_division=0.0))))
                  for p in partitions(n)[::every]]
        for (before, m0), (after, m1) in itertools.permutations(values, 2):
            if not (after >= before).all():
                continue
            # sigma is 0/0 where primary and alternative are the same partition
            same = (before == right_q).all() or (after == right_q).all()
            least = min(least, float((m1 - m0)[1 if same else 0:].min()))
    return least


def null_rates(n, repeats, rng, noise=.1, classes=3):
    """Primary and alternative redraw a tenth of the labels each, independently: no difference."""
    from scipy.stats import chi2
    bound, rejected = chi2.ppf(.95, 1), np.zeros(2)
    for _ in range(repeats):
        g = rng.integers(0, classes, n)
        p, q = (np.where(rng.random(n) < noise, rng.integers(0, classes, n), g) for _ in range(2))
        found = sc.prayatul(g, p, q, zero_division=0.0)
        differ = found.right_wrong + found.wrong_right
        with warnings.catch_warnings():
            # No interval of sigma where RW or WR is 0; that of delta is used.
            warnings.simplefilter("ignore", sc.UndefinedMeasureWarning)
            delta = found.jackknife()["delta"]
        rejected += ((found.right_wrong - found.wrong_right) ** 2 > bound * max(differ, 1),
                     delta.low > 0 or delta.high < 0)
    return rejected / repeats
