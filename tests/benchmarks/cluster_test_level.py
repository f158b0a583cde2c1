"""Level and power of `cluster_test`, for the guide: share of data sets with p <= .05.

``python tests/benchmarks/cluster_test_level.py [SETS]`` prints three tables in Markdown (200 sets:
about twenty minutes on two cores). The data of set b of a row depend on the row and b only.
"""

import sys
import warnings

import numpy as np
from sklearn.cluster import AgglomerativeClustering

import softclust

REFERENCES = 99


def blobs(rng, sizes, centres, d):
    return np.concatenate([rng.normal(size=(n, d)) + np.resize(np.append(c, np.zeros(d)), d)
                           for n, c in zip(sizes, centres)])


def triangle(rng, sizes, side):
    corners = side * np.array([[0, 0], [1, 0], [0.5, np.sqrt(0.75)]])
    return np.concatenate([rng.normal(size=(n, 2)) + c for n, c in zip(sizes, corners)])


def disc(rng, n):
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.sqrt(rng.random(n))[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def banana(rng, n):
    angle = rng.uniform(0, np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) * 3 + rng.normal(0, 0.3, (n, 2))


def ring(rng, n):
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) * 3 + rng.normal(0, 0.3, (n, 2))


def correlated(rng, n, d, r):
    return rng.multivariate_normal(np.zeros(d), np.full((d, d), r) + np.eye(d) * (1 - r), n)


def likert(rng, n, d=8, skew=0.0):
    latent = rng.normal(size=(n, 1)) + rng.normal(size=(n, d)) + skew
    return np.clip(np.rint(latent + 3), 1, 5)


ONE = {
    "long box 4:1, n = 50": lambda r: r.uniform(-1, 1, (50, 2)) * [4, 1],
    "long box 4:1, n = 100": lambda r: r.uniform(-1, 1, (100, 2)) * [4, 1],
    "long box 4:1, n = 300": lambda r: r.uniform(-1, 1, (300, 2)) * [4, 1],
    "square": lambda r: r.uniform(-1, 1, (100, 2)),
    "box in 10 features": lambda r: r.uniform(-1, 1, (100, 10)),
    "disc": lambda r: disc(r, 100),
    "Gaussian, n = 50": lambda r: r.normal(size=(50, 2)),
    "Gaussian": lambda r: r.normal(size=(100, 2)),
    "Gaussian, n = 50, 10 features": lambda r: r.normal(size=(50, 10)),
    "Gaussian, n = 50, 100 features": lambda r: r.normal(size=(50, 100)),
    "Gaussian, correlation .9": lambda r: correlated(r, 100, 2, 0.9),
    "Gaussian, correlation .7, 10 features": lambda r: correlated(r, 100, 10, 0.7),
    "t with 3 degrees of freedom": lambda r: r.standard_t(3, size=(100, 2)),
    "t with 3 degrees of freedom, 10 features": lambda r: r.standard_t(3, size=(100, 10)),
    "lognormal": lambda r: np.exp(r.normal(size=(100, 2))),
    "exponential, 5 features": lambda r: r.exponential(size=(100, 5)),
    "one object at 10 sd": lambda r: np.vstack([r.normal(size=(99, 2)), [[10, 0]]]),
    "eight answers from 1 to 5": lambda r: likert(r, 100),
    "eight answers from 1 to 5, skewed": lambda r: likert(r, 100, skew=-1.5),
    "integers of sd 1": lambda r: np.rint(r.normal(size=(100, 2))),
    "eight binary items": lambda r: (r.random((100, 8)) < 0.5).astype(float),
    "each row twice": lambda r: np.repeat(r.normal(size=(50, 2)), 2, axis=0),
    "banana": lambda r: banana(r, 100),
    "ring": lambda r: ring(r, 100),
}
TWO = {
    "two, 3 sd apart": lambda r: blobs(r, [50, 50], [0, 3], 2),
    "two, 3 sd apart, n = 300": lambda r: blobs(r, [150, 150], [0, 3], 2),
    "two, 4 sd apart": lambda r: blobs(r, [50, 50], [0, 4], 2),
    "two, 4 sd apart, 10 features": lambda r: blobs(r, [50, 50], [0, 4], 10),
    "two, 5 sd apart": lambda r: blobs(r, [50, 50], [0, 5], 2),
    "80:20, 5 sd apart": lambda r: blobs(r, [80, 20], [0, 5], 2),
    "90:10, 6 sd apart": lambda r: blobs(r, [90, 10], [0, 6], 2),
    "three on a line, 4 sd apart": lambda r: blobs(r, [34, 33, 33], [0, 4, 8], 2),
    "three in a triangle, 4 sd apart": lambda r: triangle(r, [34, 33, 33], 4),
}
NUMBER = {
    ("one long box", 1): lambda r: r.uniform(-1, 1, (100, 2)) * [4, 1],
    ("one Gaussian", 1): lambda r: r.normal(size=(100, 2)),
    ("two squares, a side apart", 2): lambda r: np.concatenate(
        [r.uniform(-1, 1, (50, 2)), r.uniform(-1, 1, (50, 2)) + [4, 0]]),
    ("two, 4 sd apart", 2): lambda r: blobs(r, [50, 50], [0, 4], 2),
    ("80:20, 5 sd apart", 2): lambda r: blobs(r, [80, 20], [0, 5], 2),
    ("three on a line, 4 sd apart, n = 150", 3): lambda r: blobs(r, [50] * 3, [0, 4, 8], 2),
    ("three on a line, 5 sd apart, n = 150", 3): lambda r: blobs(r, [50] * 3, [0, 5, 10], 2),
    ("five, 6 sd apart, 5 features, n = 200", 5): lambda r: np.concatenate(
        [r.normal(size=(40, 5)) + 6 / np.sqrt(2) * np.eye(5)[k] for k in range(5)]),
    ("three in a triangle, 4 sd apart, n = 150", 3): lambda r: triangle(r, [50] * 3, 4),
}


def data(number, b, law):
    return law(np.random.default_rng([number, b]))


def shares(laws, sets, reference, n_clusters=2, estimator=None):
    for number, (name, law) in enumerate(laws.items()):
        yield name, [softclust.cluster_test(
            data(number, b, law), n_clusters, reference=reference, n_references=REFERENCES, rng=b,
            estimator=estimator) for b in range(sets)]


def rejected(laws, sets, **options):
    return {name: np.mean([found.best > 1 for found in results])
            for name, results in shares(laws, sets, **options)}


def main(sets=200):
    warnings.simplefilter("ignore")
    for title, laws in (("One cluster", ONE), ("More than one", TWO)):
        print(f"\n| {title}, two asked | uniform | gaussian |\n|---|---|---|", flush=True)
        by = [rejected(laws, sets, reference=shape) for shape in ("uniform", "gaussian")]
        for name in laws:
            print(f"| {name} | {by[0][name]:.3f} | {by[1][name]:.3f} |", flush=True)
    print("\n| truth, 2 to 6 asked | right | more |\n|---|---|---|", flush=True)
    for (name, truth), results in shares(NUMBER, sets // 2, "uniform", range(2, 7)):
        numbers = np.array([found.best for found in results])
        print(f"| {name} | {(numbers == truth).mean():.2f} | {(numbers > truth).mean():.2f} |",
              flush=True)
    print("\n| Ward, two asked | uniform | gaussian |\n|---|---|---|", flush=True)
    few = {name: law for name, law in {**ONE, **TWO}.items() if name in (
        "long box 4:1, n = 100", "Gaussian", "t with 3 degrees of freedom", "two, 5 sd apart")}
    by = [rejected(few, sets // 2, reference=shape, estimator=AgglomerativeClustering())
          for shape in ("uniform", "gaussian")]
    for name in few:
        print(f"| {name} | {by[0][name]:.2f} | {by[1][name]:.2f} |", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
