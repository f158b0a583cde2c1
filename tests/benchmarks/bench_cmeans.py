"""Fuzzy c-means, seconds per iteration, against scikit-fuzzy."""

from __future__ import annotations

import warnings

import numpy as np
from _ratios import Table, Times, main, need

import softclust as sc

N, P, C = 100_000, 10, 5
#: iterations of one measured fit
ITERATIONS = 10


def data() -> tuple[np.ndarray, np.ndarray]:
    """A mixture of C normal groups, and objects to start from."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(N, P)) + 3.0 * rng.normal(size=(C, P))[rng.integers(C, size=N)]
    return x, x[:C].copy()


def ours(x: np.ndarray, start: np.ndarray, m: float, iterations: int = ITERATIONS):
    """A fit of so many iterations, checks and memberships included."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")   # it does not converge: tol is 0
        return sc.cluster.FuzzyCMeans(C, m=m, init=start, tol=0, max_iter=iterations).fit(x)


def passes(x: np.ndarray, start: np.ndarray, m: float):
    """As many passes over the objects as a fit has iterations."""
    from softclust.cluster.passes import Data, fuzzy_pass
    whole = Data.of(x)

    def run() -> None:
        for _ in range(ITERATIONS):
            fuzzy_pass(whole, start, m)
    return run


def theirs(x: np.ndarray, start: np.ndarray, m: float, iterations: int = ITERATIONS):
    """scikit-fuzzy from the memberships of the same centres."""
    from skfuzzy import cmeans

    from softclust.cluster.passes import memberships
    u = memberships(x, start, m).T
    transposed = np.ascontiguousarray(x.T)
    return lambda: cmeans(transposed, C, m, error=0.0, maxiter=iterations, init=u)


def run(table: Table) -> None:
    """FuzzyCMeans, one thread and all threads."""
    x, start = data()
    before = sc.get_num_threads()
    peer = need("scikit-fuzzy")
    try:
        for count in sorted({1, before}):
            sc.set_num_threads(count)
            for m in (2.0, 1.7):
                _rows(table, x, start, m, count, peer)
    finally:
        sc.set_num_threads(before)


def _rows(table: Table, x: np.ndarray, start: np.ndarray, m: float, threads: int,
          peer: bool) -> None:
    functions = {"fit": lambda: ours(x, start, m), "passes": passes(x, start, m)}
    if peer:
        functions["peer"] = theirs(x, start, m)
        # theirs updates centres before memberships: after t updates it has those of ours after t
        mine = ours(x, start, m, 3).cluster_centers_
        assert np.allclose(theirs(x, start, m, 3)()[0], mine, rtol=0, atol=1e-9)
    times = Times(functions, rounds=3)
    table.section(f"fuzzy c-means, n = {N}, d = {P}, c = {C}, m = {m:g}, {threads} "
                  f"thread{'s' if threads > 1 else ''}: {1e3 * times['passes'] / ITERATIONS:.2f} "
                  "ms a pass")
    if peer:
        table.add("scikit-fuzzy / FuzzyCMeans, per iteration", times.ratio("peer", "passes"),
                  must=2)
        table.add(f"scikit-fuzzy / whole fits of {ITERATIONS} iterations, checks included",
                  times.ratio("peer", "fit"))


if __name__ == "__main__":
    raise SystemExit(main(run))
