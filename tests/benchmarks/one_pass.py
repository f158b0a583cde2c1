"""Restrictions to one cluster and entropies of memberships: time and memory of one pass.

``python tests/benchmarks/one_pass.py [OBJECTS]`` compares the kernels with the NumPy expressions
that hold an array of objects by clusters for each step (1,000,000 objects, 10 clusters: a minute).
Time is the best of three; memory is what NumPy allocates beyond the memberships at its peak.
"""

import sys
import time
import tracemalloc

import numpy as np

import softclust as sc
from softclust.memberships.matched_columns import restriction_costs
from softclust.soft_pairs.entropies import pairwise_of_rows
from softclust.soft_pairs.uncertainty import row_entropies


def rows_by_arrays(u):
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(u > 0, np.log(u), 0.0)
    return np.maximum(-(u * logs).sum(axis=1) / np.log(2), 0.0)


def pairs_by_arrays(u):
    n, c = u.shape
    matrix = np.zeros((c, c))
    for l in range(c):
        for m in range(l + 1, c):
            both = u[:, l] + u[:, m]
            inside = both > 0
            q, p = u[inside, l] / both[inside], u[inside, m] / both[inside]
            total = sum(float((v[v > 0] * np.log(v[v > 0])).sum()) for v in (q, p))
            matrix[l, m] = matrix[m, l] = max(0.0, -total) / (np.log(2) * n)
    return matrix


def costs_by_arrays(x, y, step=1 << 10):
    """The costs at alpha 1/2 of two fuzzy clusterings, as of any masses of {k, not k}."""
    u, v = x.membership, y.membership
    total = np.zeros((u.shape[1], v.shape[1]))
    for start in range(0, len(u), step):
        first, second = (np.stack([w[start:start + step], 1 - w[start:start + step],
                                   np.zeros_like(w[start:start + step])], axis=2) for w in (u, v))
        apart = first[:, :, None] - second[:, None]
        p = np.maximum(apart[..., 0], 0.0) + np.maximum(apart[..., 1], 0.0)
        total += (0.5 * (p + np.maximum(p + apart[..., 2], 0.0))).sum(axis=0)
    return total


def measured(function, *arguments):
    """Value, seconds and megabytes."""
    function(*arguments)
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        value = function(*arguments)
        seconds.append(time.perf_counter() - start)
    tracemalloc.start()
    function(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return value, min(seconds), peak / 1e6


def compare(n, c=10):
    """Rows of the table; the values agree."""
    rng = np.random.default_rng(0)
    x, y = (sc.FuzzyClustering(rng.dirichlet(np.full(c, 0.3), n)) for _ in range(2))
    u = x.memberships()
    for name, new, old in (
            ("entropies of rows", lambda: row_entropies(u), lambda: rows_by_arrays(u)),
            ("entropies of pairs", lambda: pairwise_of_rows(u).matrix, lambda: pairs_by_arrays(u)),
            ("restriction costs", lambda: restriction_costs(x, y)[1],
             lambda: costs_by_arrays(x, y))):
        (a, s, mb), (b, old_s, old_mb) = measured(new), measured(old)
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
        yield name, s, old_s, mb, old_mb


if __name__ == "__main__":
    print(f"{'':20}{'seconds':>9}{'arrays':>9}{'MB':>9}{'arrays':>9}")
    for name, *numbers in compare(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000):
        print(f"{name:20}" + "".join(f"{v:9.3g}" for v in numbers))
