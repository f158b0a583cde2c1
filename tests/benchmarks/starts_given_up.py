"""Starts given up against ten starts that all run to the end: inertia and chosen numbers.

``python tests/benchmarks/starts_given_up.py [--numbers]`` prints the table of the guide's page on
bagging. The long way is the best of ten calls with one start each, from the same seeds.
"""

from __future__ import annotations

import argparse
from contextlib import contextmanager
from unittest import mock

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine, make_blobs, make_moons

import softclust as sc
from softclust.cluster import batched_kmeans as module
from softclust.running.threads import run_chunks

STARTS = 10
given_up = module.fit_block


def long_runs(points, weights, count, *, uniforms, init, **more):  # type: ignore[no-untyped-def]
    """`fit_block` with every start run to its end."""
    fits = [given_up(points, weights, count, uniforms=uniforms[:, s:s + 1], init=init, **more)
            for s in range(uniforms.shape[1])]
    best = np.argmin([fit.inertia for fit in fits], axis=0)
    return module.BatchedKMeans(best_start=best, **{
        name: np.array([getattr(fits[s], name)[b] for b, s in enumerate(best)])
        for name in ("labels", "centers", "inertia", "n_iter", "status")})


@contextmanager
def every_start_to_its_end():  # type: ignore[no-untyped-def]
    """Bagging as it was."""
    with mock.patch("softclust.ensembles._kmeans.fit_block", long_runs), \
            mock.patch("softclust.cluster.batched_kmeans.fit_block", long_runs):
        yield


def data_sets() -> dict[str, tuple[np.ndarray, int]]:
    """Points, and a number of clusters in the middle of those tried."""
    rng = np.random.default_rng(0)

    def blobs(n: int, d: int, k: int, spread: float) -> np.ndarray:
        return np.asarray(make_blobs(n, d, centers=k, cluster_std=spread, random_state=0)[0])

    wine = load_wine().data
    return {"iris": (load_iris().data, 3), "wine": ((wine - wine.mean(0)) / wine.std(0), 3),
            "digits": (load_digits().data, 10), "4 clear groups": (blobs(400, 2, 4, 1.0), 4),
            "8 groups that overlap": (blobs(800, 5, 8, 4.0), 8),
            "6 groups, 150 objects": (blobs(150, 4, 6, 6.0), 6),
            "20 groups": (blobs(1000, 3, 20, 1.0), 20),
            "no groups": (rng.normal(size=(500, 4)), 5),
            "two moons": (make_moons(400, noise=0.1, random_state=0)[0], 6)}


def inertias(x: np.ndarray, k: int, fit, replicates: int) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Inertia of bootstrap replicates, the same for both ways."""
    rng = np.random.default_rng(k)
    weights = np.array([np.bincount(rng.integers(0, len(x), len(x)), minlength=len(x))
                        for _ in range(replicates)], dtype=float)
    uniforms, found = rng.random((replicates, STARTS, k)), np.empty(replicates)
    points = module.near_origin(x[None])[0]

    def work(first: int, last: int) -> None:
        found[first:last] = fit(points, weights[first:last], last - first, max_iter=300,
                                uniforms=uniforms[first:last], init=module.NO_STARTS).inertia

    run_chunks(work, replicates, 10)
    return found


def main() -> None:
    """Print one row per data set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--replicates", type=int, default=1000)
    parser.add_argument("--numbers", action="store_true", help="also choose the number of clusters")
    given = parser.parse_args()
    print("| data | clusters | mean inertia, to the long way's | number chosen, long way's |")
    print("|---|---|---|---|")
    for name, (x, k) in data_sets().items():
        ours, long = (inertias(x, k, fit, given.replicates).mean()
                       for fit in (given_up, long_runs))
        chosen = ""
        if given.numbers:
            ks = range(max(2, k - 4), k + 4)
            now = sc.cluster_number(x, ks, rng=0).best
            with every_start_to_its_end():
                chosen = f"{now}, {sc.cluster_number(x, ks, rng=0).best}"
        print(f"| {name} | {k} | {100 * (ours / long - 1):+.3f} % | {chosen} |", flush=True)


if __name__ == "__main__":
    main()
