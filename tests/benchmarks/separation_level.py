"""Level and power of `separation_test`, for the guide.

``python tests/benchmarks/separation_level.py [SETS]`` prints the tables in Markdown (100 sets:
about five minutes on one core). The data of set b of a row depend on the row and b only.
"""

import sys
import warnings

import numpy as np
from cluster_test_level import banana, correlated, ring
from sklearn.cluster import HDBSCAN, AgglomerativeClustering, KMeans, SpectralClustering

import softclust

REFERENCES = 79


def kmeans(x, k):
    return KMeans(k, n_init=10, random_state=0).fit_predict(x)


def ward(x, k):
    return AgglomerativeClustering(k).fit_predict(x)


def hdbscan(x, k):
    return HDBSCAN(min_cluster_size=10, copy=True).fit_predict(x)


def spectral(x, k):
    return SpectralClustering(k, affinity="nearest_neighbors", random_state=0).fit_predict(x)


def spiral(rng, n):
    turn = 2.5 * np.pi * np.sqrt(rng.uniform(0.04, 1, n))
    return np.column_stack([turn * np.cos(turn), turn * np.sin(turn)]) + rng.normal(0, 0.3, (n, 2))


def lumps(rng, sizes, centres, d):
    return (np.concatenate([rng.normal(size=(n, d)) + np.resize(np.append(c, np.zeros(d)), d)
                            for n, c in zip(sizes, centres)]), np.repeat(range(len(sizes)), sizes))


def sphere(rng, n, radius, noise):
    x = rng.normal(size=(n, 3))
    return radius * x / np.linalg.norm(x, axis=1, keepdims=True) + rng.normal(0, noise, (n, 3))


def circle(rng, n, axes, shift):
    angle = rng.uniform(0, 2 * np.pi, n)
    x = rng.normal(0, 0.05, (n, 3))
    x[:, axes[0]] += np.cos(angle)
    x[:, axes[1]] += np.sin(angle)
    return x + [shift, 0, 0]


def joined(*parts):
    return np.concatenate(parts), np.repeat(range(len(parts)), [len(part) for part in parts])


#: one cluster: law, number of clusters asked
ONE = {
    "box 3:1, n = 100": (lambda r: r.uniform(-1, 1, (100, 2)) * [3, 1], 2),
    "box 3:1, n = 300, cut in 4": (lambda r: r.uniform(-1, 1, (300, 2)) * [3, 1], 4),
    "box, 10 features": (lambda r: r.uniform(-1, 1, (100, 10)), 2),
    "Gaussian": (lambda r: r.normal(size=(100, 2)), 2),
    "Gaussian, 10 features": (lambda r: r.normal(size=(100, 10)), 2),
    "Gaussian, 30 features": (lambda r: r.normal(size=(100, 30)), 2),
    "Gaussian, correlation .9": (lambda r: correlated(r, 100, 2, 0.9), 2),
    "t with 3 degrees of freedom": (lambda r: r.standard_t(3, size=(100, 5)), 2),
    "lognormal": (lambda r: np.exp(r.normal(size=(100, 3))), 2),
    "integers of sd 1": (lambda r: np.rint(r.normal(size=(100, 2))), 2),
}
CURVED = {
    "banana": (lambda r: banana(r, 300), 3),
    "ring": (lambda r: ring(r, 300), 3),
    "spiral": (lambda r: spiral(r, 300), 3),
}
#: several: law with its truth, number asked (None: true labels)
SEVERAL = {
    "two, 3 sd apart": (lambda r: lumps(r, [50, 50], [0, 3], 2), 2),
    "two, 4 sd apart": (lambda r: lumps(r, [50, 50], [0, 4], 2), 2),
    "two, 4 sd apart, n = 300": (lambda r: lumps(r, [150, 150], [0, 4], 2), 2),
    "two, 4 sd apart, 10 features": (lambda r: lumps(r, [50, 50], [0, 4], 10), 2),
    "two, 5 sd apart": (lambda r: lumps(r, [50, 50], [0, 5], 2), 2),
    "80:20, 5 sd apart": (lambda r: lumps(r, [80, 20], [0, 5], 2), 2),
    "90:10, 6 sd apart, n = 200": (lambda r: lumps(r, [180, 20], [0, 6], 2), 2),
    "three, 6 sd apart, cut in 5": (
        lambda r: lumps(r, [100, 60, 60], [[0, 0], [6, 0], [3, 5.2]], 3), 5),
    "two, 6 sd apart, cut in 4": (lambda r: lumps(r, [150, 80], [0, 6], 2), 4),
}
#: sets with their truth, as in Ultsch's Fundamental Clustering Problems Suite, drawn anew
SHAPES = {
    "seven balls (Hepta)": lambda r: joined(*(r.normal(size=(40, 3)) * 0.4 + 3 * np.array(c)
                                              for c in ([0, 0, 0], *np.eye(3), *-np.eye(3)))),
    "four balls that nearly touch (Tetra)": lambda r: joined(*(
        sphere(r, 100, 1, 0) * r.random((100, 1)) ** (1 / 3) + 0.78 * np.array(c)
        for c in ([1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]))),
    "two rings through each other (Chainlink)": lambda r: joined(
        circle(r, 300, (0, 1), 0), circle(r, 300, (0, 2), 1)),
    "a ball in a shell (Atom)": lambda r: joined(
        r.normal(size=(300, 3)) * 2, sphere(r, 300, 20, 1.0)),
    "a ring around a disc (Target)": lambda r: joined(
        r.normal(size=(300, 2)) * 0.4, ring(r, 300)),
    "an L and a ball (Lsun)": lambda r: joined(
        r.uniform(0, 1, (150, 2)) * [4, 1], r.uniform(0, 1, (150, 2)) * [1, 3] + [0, 1.6],
        r.normal(size=(100, 2)) * 0.35 + [3, 3]),
    "two diamonds": lambda r: joined(*(
        r.uniform(-1, 1, (300, 2)) @ [[0.5, 0.5], [-0.5, 0.5]] + [s, 0] for s in (-1.04, 1.04))),
    "two moons": lambda r: joined(banana(r, 200), banana(r, 200) * [1, -1] + [3, 1]),
}


def test(x, labels, **options):
    if np.unique(labels[labels >= 0]).size < 2:
        return None
    try:
        return softclust.separation_test(x, labels, n_references=max(
            REFERENCES, 20 * np.unique(labels).size), **options)
    except softclust.ClusteringError:   # fewer than two clusters of ten objects
        return None


def split(law, k, clusterer, number, sets, window):
    """Share of sets in which one cluster was split."""
    groups = []
    for b in range(sets):
        x = law(np.random.default_rng([number, b]))
        found = test(x, clusterer(x, k), window=window, rng=b)
        groups.append(1 if found is None else found.n_groups)
    return f"{np.mean(np.array(groups) > 1):.2f}"


def right(law, k, clusterer, number, sets):
    """Share of sets with as many groups as clusters, and the same clusters but for few objects."""
    correct = 0
    for b in range(sets):
        x, truth = law(np.random.default_rng([number, b]))
        found = test(x, clusterer(x, k), rng=b)
        correct += found is not None and found.n_groups == truth.max() + 1 and (
            softclust.adjusted_rand_index(found.labels, truth) > 0.8)
    return f"{correct / sets:.2f}"


def main(sets=100):
    warnings.simplefilter("ignore")
    few = max(1, sets // 2)
    print("| one cluster | k-means | Ward | HDBSCAN |\n|---|---|---|---|", flush=True)
    for number, (name, (law, k)) in enumerate(ONE.items()):
        values = [split(law, k, c, number, sets, "whole") for c in (kmeans, ward, hdbscan)]
        print(f"| {name} | {' | '.join(values)} |", flush=True)
    print("\n| one curved cluster | whole | window 15 | window 25 |\n|---|---|---|---|", flush=True)
    for number, (name, (law, k)) in enumerate(CURVED.items()):
        for called, clusterer in (("k-means", kmeans), ("spectral", spectral)):
            values = [split(law, k, clusterer, 100 + number, few, w) for w in ("whole", 15, 25)]
            print(f"| {name}, {called} | {' | '.join(values)} |", flush=True)
    print("\n| truth | groups are the truth |\n|---|---|", flush=True)
    for number, (name, (law, k)) in enumerate(SEVERAL.items()):
        print(f"| {name} | {right(law, k, kmeans, 200 + number, few)} |", flush=True)
    print("\n| shape: true number | whole | window 15 | window 25 | window 50 |")
    print("|---|---|---|---|---|", flush=True)
    for number, (name, law) in enumerate(SHAPES.items()):
        groups = []
        for window in ("whole", 15, 25, 50):
            counts = []
            for b in range(5):
                x, truth = law(np.random.default_rng([300 + number, b]))
                counts.append(test(x, truth, window=window, rng=b).n_groups)
            groups.append(f"{np.median(counts):.0f}")
        print(f"| {name}: {truth.max() + 1} | {' | '.join(groups)} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
