"""Eight data sets on which races of numbers of clusters are held to full searches.

``python tests/benchmarks/number_suite.py [runs]`` counts, for each, how often the number is the
same (20 runs by default, some minutes); the benchmarks take the small ones with a few runs.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

import softclust as sc


def _standardised(x: np.ndarray) -> np.ndarray:
    return (x - x.mean(axis=0)) / x.std(axis=0)


def _gaussians(number: int) -> Callable[[], np.ndarray]:
    return lambda: sc.datasets.bbc_gaussians(number, rng=1).data


#: data and numbers of clusters
SUITE: dict[str, tuple[Callable[[], np.ndarray], range]] = {
    "iris": (lambda: load_iris().data, range(2, 7)),
    "wine": (lambda: _standardised(load_wine().data), range(2, 7)),
    "breast cancer": (lambda: _standardised(load_breast_cancer().data), range(2, 7)),
    **{f"Gaussians {number}": (_gaussians(number), range(2, 7)) for number in (1, 2, 3, 4, 5)}}


def unchanged(name: str, runs: int) -> tuple[int, float, float]:
    """How many of the runs chose the same number, and CPU seconds of full searches and races."""
    make, numbers = SUITE[name]
    x, same, seconds = make(), 0, [0.0, 0.0]
    for seed in range(runs):
        best = []
        for race in (False, True):
            start = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                best.append(sc.cluster_number(x, numbers, race=race, rng=seed).best)
            seconds[race] += time.process_time() - start
        same += best[0] == best[1]
    return same, seconds[0], seconds[1]


if __name__ == "__main__":
    sc.set_num_threads(1)
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for name in SUITE:
        same, full, raced = unchanged(name, runs)
        print(f"{name:22} {same:3} of {runs}   full {full:7.1f} s, race {raced:6.1f} s, "
              f"{full / raced:.1f} times", flush=True)
