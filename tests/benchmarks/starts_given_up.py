"""Starts given up against ten starts that all run to the end: inertia and chosen numbers.

``python tests/benchmarks/starts_given_up.py`` prints the table of the guide's page on bagging (five
minutes). The long way is the best of ten calls with one start each, from the same numbers.
"""

from contextlib import ExitStack
from unittest import mock

import numpy as np
from sklearn.datasets import load_digits, load_iris, load_wine, make_blobs, make_moons
from sklearn.preprocessing import scale

import softclust as sc
from softclust.cluster import batched_kmeans as module

STARTS, REPLICATES = 10, 1000
given_up = module.fit_block


def long_runs(points, weights, count, *, uniforms, init, **more):
    """`fit_block` with every start run to its end."""
    fits = [given_up(points, weights, count, uniforms=uniforms[:, s:s + 1], init=init, **more)
            for s in range(uniforms.shape[1])]
    best = np.argmin([fit.inertia for fit in fits], axis=0)
    return module.BatchedKMeans(best_start=best, **{
        name: np.array([getattr(fits[s], name)[b] for b, s in enumerate(best)])
        for name in ("labels", "centers", "inertia", "n_iter", "status")})


def blobs(n, d, k, spread):
    """Normal groups around random centres."""
    return make_blobs(n, d, centers=k, cluster_std=spread, random_state=0)[0]


#: points, and a number of clusters in the middle of those tried
DATA = {"iris": (load_iris().data, 3), "wine": (scale(load_wine().data), 3),
        "digits": (load_digits().data, 10), "4 clear groups": (blobs(400, 2, 4, 1.0), 4),
        "8 groups that overlap": (blobs(800, 5, 8, 4.0), 8),
        "6 groups, 150 objects": (blobs(150, 4, 6, 6.0), 6),
        "20 groups": (blobs(1000, 3, 20, 1.0), 20),
        "no groups": (np.random.default_rng(0).normal(size=(500, 4)), 5),
        "two moons": (make_moons(400, noise=0.1, random_state=0)[0], 6)}


def mean_inertia(x, k, fit):
    """Mean over bootstrap replicates, the same for both ways."""
    rng = np.random.default_rng(k)
    weights = rng.multinomial(len(x), np.full(len(x), 1 / len(x)), REPLICATES).astype(float)
    return fit(module.near_origin(x[None])[0], weights, REPLICATES, max_iter=300,
               uniforms=rng.random((REPLICATES, STARTS, k)), init=module.NO_STARTS).inertia.mean()


def chosen(x, k, fit):
    """The number of clusters that `cluster_number` chooses."""
    with ExitStack() as stack:
        for place in ("softclust.ensembles.resampled_kmeans", "softclust.cluster.batched_kmeans"):
            stack.enter_context(mock.patch(f"{place}.fit_block", fit))
        return sc.cluster_number(x, range(max(2, k - 4), k + 4), rng=0).best


if __name__ == "__main__":
    print("| data | clusters | mean inertia | number chosen by `cluster_number`, by all starts |\n"
          "|---|---|---|---|")
    for name, (x, k) in DATA.items():
        ours, long = (mean_inertia(x, k, fit) for fit in (given_up, long_runs))
        print(f"| {name} | {k} | {100 * (ours / long - 1):+.3f} % | {chosen(x, k, given_up)}, "
              f"{chosen(x, k, long_runs)} |", flush=True)
