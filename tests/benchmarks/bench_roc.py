"""ROC curve of a dendrogram for all numbers of clusters, against making the dendrogram."""

import numpy as np
from _ratios import Table, Times, main

import softclust as sc


def run(table: Table) -> None:
    """Add the rows."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import pdist

    n = 10_000
    rng = np.random.default_rng(0)
    table.section(f"pair_roc, all k, n = {n}, 2 features; linkages of SciPy from distances")
    for classes in (10, 1000):
        truth = rng.integers(0, classes, n)
        x = rng.normal(size=(n, 2)) + rng.normal(size=(classes, 2))[truth] * 4
        distances = pdist(x)
        for method in ("single", "average"):
            merges = linkage(distances, method)
            times = Times({
                "linkage": lambda d=distances, m=method: linkage(d, m),
                "roc": lambda m=merges, t=truth: sc.pair_roc(t, m),
            }, rounds=3)
            table.add(f"pair_roc / {method} linkage, {classes} classes",
                      times.ratio("roc", "linkage"), must=0.1, goal=0.01, least=False,
                      note=f"{1e3 * times['roc']:.1f} ms")
    soft = rng.dirichlet(np.full(10, 0.1), n)
    times = Times({"linkage": lambda d=distances: linkage(d, "average"),
                   "roc": lambda m=merges: sc.pair_roc(soft, m, expected=True)}, rounds=3)
    table.add("pair_roc, fuzzy truth of 10 classes / average linkage",
              times.ratio("roc", "linkage"), must=0.1, least=False,
              note=f"{1e3 * times['roc']:.1f} ms")


if __name__ == "__main__":
    raise SystemExit(main(run))
