"""What a first call costs: CPU seconds of a new process with an empty cache, all imports included.

Each row is a process of its own, with a folder of its own for numba's cache.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile

from _ratios import Table, main

_LABELS = "rng.integers(3, size=150), rng.integers(4, size=150)"
_FUZZY = "rng.dirichlet(np.ones(3), 150), rng.dirichlet(np.ones(4), 150)"
#: what is called: (code, most CPU seconds)
CALLS = {
    "compare two label vectors, n = 150": (f"print(sc.compare({_LABELS}))", 3),
    "compare two fuzzy clusterings, n = 150": (f"print(sc.compare({_FUZZY}))", 3),
    "alpha_rand_index of two fuzzy clusterings": (f"sc.alpha_rand_index({_FUZZY})", 3),
    "the README's calls": (
        "fuzzy = sc.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)\n"
        "print(sc.compare(iris.labels, fuzzy, ci='jackknife'))\n"
        "sc.adjusted_rand_index(iris.labels, fuzzy.labels_)", 4),
    "four c-means of iris": (
        "for fit in (sc.cluster.FuzzyCMeans(3), sc.cluster.PossibilisticCMeans(3),\n"
        "            sc.cluster.RoughKMeans(3), sc.cluster.EvidentialCMeans(3)):\n"
        "    fit.set_params(random_state=0).fit(iris.data)", 3),
    "fuzzy c-means of digits": (
        "sc.cluster.FuzzyCMeans(10, m=1.1, random_state=0).fit(digits())", 4),
    "bagging of digits, 200 replicates": (
        "sc.BaggedClustering(10, n_resamples=200, random_state=0).fit(digits())", 8),
    "bagging of iris, 200 replicates": (
        "sc.BaggedClustering(3, n_resamples=200, random_state=0).fit(iris.data)", 4),
    "cluster_number of iris": ("sc.cluster_number(iris.data, rng=0)", 10),
    "cluster_number of digits": ("sc.cluster_number(digits(), rng=0)", 10),
    "compare_all of ten fuzzy clusterings of 2,000": (
        "sc.compare_all([rng.dirichlet(np.ones(4), 2000) for _ in range(10)])", 5),
    "posterior_partition, 500 draws of 300 objects": (
        "base = rng.integers(4, size=300)\n"
        "draws = np.where(rng.random((500, 300)) < 0.2, rng.integers(4, size=(500, 300)), base)\n"
        "sc.posterior_partition(draws, rng=0)", 4),
    "transport of rough against hard, iris": (
        "rough = sc.cluster.RoughKMeans(3, random_state=0).fit(iris.data)\n"
        "sc.transport_dissimilarity(iris.labels, rough)", 6),
    "softclust demo": ("from softclust.cli import main\nmain(['demo', '--out', folder])", 15),
}
_BEFORE = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy as np
import softclust as sc
folder = sys.argv[1]
rng, iris = np.random.default_rng(0), sc.datasets.load_iris()
def digits():
    from sklearn.datasets import load_digits
    return load_digits().data
"""


def seconds(code: str) -> float:
    """CPU seconds of a process that has nothing compiled."""
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", _BEFORE + code, folder], check=True,
                       stdout=subprocess.DEVNULL, cwd=folder,
                       env={**os.environ, "NUMBA_CACHE_DIR": folder})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run(table: Table) -> None:
    """One row per call."""
    table.section("first calls: CPU seconds with an empty cache, imports included")
    for name, (code, most) in CALLS.items():
        table.add(name, seconds(code), must=most, least=False)


if __name__ == "__main__":
    raise SystemExit(main(run))
