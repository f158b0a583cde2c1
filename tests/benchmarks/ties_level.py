"""How often `cluster_test` finds clusters in one cluster with ties, copies or categories.

``python tests/benchmarks/ties_level.py [SETS]`` prints the share of data sets with evidence of
clusters among 2 to 5, and the share in which nothing is tested. The data of set b of a law
depend on the law and b only.
"""

import sys
import warnings

import numpy as np

import softclust


def indicators(rng, shares, n=100):
    return np.eye(len(shares))[rng.choice(len(shares), size=n, p=shares)]


def numbers(rng, *more):
    return np.hstack([rng.normal(size=(100, 2)), *more])


LAWS = {
    "logarithms of counts of mean 1": lambda r: np.log1p(r.poisson(1, size=(100, 2))),
    "logarithms of counts of mean 3": lambda r: np.log1p(r.poisson(3, size=(100, 2))),
    "logarithms of counts of mean 3, 8 features": lambda r: np.log1p(r.poisson(3, size=(100, 8))),
    "levels 1, 2, 5, 10, 20, 50": lambda r: r.choice([1.0, 2, 5, 10, 20, 50], size=(100, 2)),
    "rounded to .1, each row twice": lambda r: np.repeat(np.round(r.normal(size=(50, 2)), 1), 2,
                                                         axis=0),
    "rounded to .1, each row three times": lambda r: np.repeat(
        np.round(r.normal(size=(33, 2)), 1), 3, axis=0),
    "two numbers, three categories of two": lambda r: numbers(
        r, *(indicators(r, [0.5, 0.5]) for _ in range(3))),
    "the same, indicators of 0 and 2": lambda r: numbers(
        r, *(2 * indicators(r, [0.5, 0.5]) for _ in range(3))),
    "three categories of three": lambda r: np.hstack([indicators(r, [1 / 3] * 3)
                                                      for _ in range(3)]),
}


def level(law, sets):
    """Shares with evidence, and not tested."""
    found = []
    for b in range(sets):
        rng = np.random.default_rng([[*LAWS].index(law), b])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(softclust.cluster_test(LAWS[law](rng), range(2, 6), n_references=39,
                                                rng=b))
    return (float(np.mean([each.best > 1 for each in found])),
            float(np.mean([bool(each.invalid) for each in found])))


if __name__ == "__main__":
    for name in LAWS:
        evidence, untested = level(name, int(sys.argv[1]) if len(sys.argv) > 1 else 100)
        print(f"| {name} | {evidence:.2f} | {untested:.2f} |", flush=True)
