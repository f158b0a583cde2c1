"""Level, power and choice of `compare_settings`, for its page and theory, as Markdown.

``python tests/benchmarks/settings_level.py [SETS]`` (30 sets: some ten minutes on two cores).
k-means with K = 2 to 8, 19 references. The data of set b of a row depend on the row and b only.
"""

import math
import sys
import warnings

import numpy as np
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.metrics import silhouette_score

import softclust as sc
from softclust.running import announcements

announcements.LONG = math.inf
KS = range(2, 9)


def lumps(*centres, sizes=None, sd=1.0):
    centres = np.array(centres, float)
    sizes = sizes or [150 // len(centres)] * len(centres)
    truth = np.repeat(np.arange(len(centres)), sizes)
    return lambda rng: centres[truth] + sd * rng.normal(size=(truth.size, centres.shape[1]))


TRIANGLE = np.array([[0, 0], [1, 0], [0.5, 0.866]])
#: name: number of clusters, data
TRUTHS = {
    "two, 4 sd": (2, lumps((0, 0), (4, 0))),
    "three, 4 sd": (3, lumps(*(4 * TRIANGLE))),
    "three, 3 sd": (3, lumps(*(3 * TRIANGLE))),
    "sizes 120, 40, 20": (3, lumps(*(5 * TRIANGLE), sizes=[120, 40, 20])),
    "four, in two pairs": (4, lumps((0, 0), (5, 0), (20, 0), (25, 0))),
    "four on a line": (4, lumps((0, 0), (5, 0), (10, 0), (15, 0))),
    "one long box 4:1": (1, lambda rng: rng.uniform(-1, 1, size=(150, 2)) * [4, 1]),
    "one Gaussian, sd 3 and 1": (1, lambda rng: rng.normal(size=(150, 2)) * [3, 1]),
    "one lognormal, d = 3": (1, lambda rng: rng.lognormal(size=(150, 3))),
}


def shares(row, sets, ks=KS):
    """Of a row of TRUTHS: shares of the sets in which the largest excess, the largest stability and
    the largest silhouette are right, the best guess is right, and wrong, the truth is in the set,
    p <= .05; and the mean size of the set."""
    k, draw = list(TRUTHS.values())[row]
    values = []
    for b in range(sets):
        x = draw(np.random.default_rng([row, b]))
        found = sc.compare_settings(x, KMeans(), {"n_clusters": ks}, n_references=19, rng=b)
        widths = [silhouette_score(x, labels) for labels in found.labels]
        number = found.n_clusters
        values.append((
            number[found.largest] == k, number[np.argmax(found.stability)] == k,
            number[np.argmax(widths)] == k, found.best is not None and number[found.best] == k,
            found.best is not None and number[found.best] != k,
            k in number[[*found.possibly_best]], found.p_value <= 0.05 + 1e-12,
            len(found.possibly_best)))
    return np.mean(values, axis=0)


#: clusterers whose number of clusters is open, and their grids; data of one cluster are scaled
OPEN = {
    "average linkage at a distance": (AgglomerativeClustering(None, linkage="average"),
                                      {"distance_threshold": [1.5, 2, 2.5, 3.0]}, ()),
    "DBSCAN": (DBSCAN(min_samples=4), {"eps": [0.2, 0.3, 0.45, 0.7]}, ()),
    "HDBSCAN": (HDBSCAN(copy=True), {"min_cluster_size": [5, 10, 15]}, ["min_cluster_size"]),
}
ONE = {"Gaussian": lambda rng: rng.normal(size=(100, 2)),
       "t with 3 degrees of freedom": lambda rng: rng.standard_t(3, (100, 2))}


def open_shares(name, law, sets):
    """Shares of the sets of one cluster with p <= .05, by the separation and by the stability."""
    clusterer, grid, scaled = OPEN[name]
    small = []
    for b in range(sets):
        x = ONE[law](np.random.default_rng([b, 8]))
        found = sc.compare_settings((x - x.mean(axis=0)) / x.std(axis=0), clusterer, grid,
                                    scaled=scaled, n_blocks=8, n_references=19, rng=b)
        small.append([p is not None and p <= 0.05 + 1e-12
                      for p in (found.p_value, found.p_value_stability)])
    return np.mean(small, axis=0)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    print("| truth | largest excess | largest stability | largest silhouette | best guess right | "
          "wrong | truth in the set | p <= .05 | size of 7 |\n" + 9 * "|---" + "|")
    for row, (name, (k, _)) in enumerate(TRUTHS.items()):
        *found, size = shares(row, count)
        cells = [f"{v:.2f}" for v in found]
        if k == 1:   # no number is right
            cells = ["", "", "", "", cells[4], "", cells[6]]
        print(f"| {name} | " + " | ".join(cells) + f" | {size:.1f} |", flush=True)
    print("\n| clusterer | one cluster | p <= .05 | by the stability |\n" + 4 * "|---" + "|")
    for name in OPEN:
        for law in ONE:
            small = open_shares(name, law, count)
            print(f"| {name} | {law} | {small[0]:.2f} | {small[1]:.2f} |", flush=True)
