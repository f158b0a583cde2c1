"""The pass of k-means written out in vectors: its bits are those of the plain form."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from softclust._kernels._jit import JIT_ENABLED, kernel
from softclust._kernels._lanes import CLUSTERS, FEATURES, assign_and_sum, written_out

SIZES = (1, 7, 8, 9, 61, 255, 256)


@kernel
def one_pass(points, masses, centers, labels, nearest, sums, b, size):
    return assign_and_sum(points, masses, centers, labels, nearest, sums, b, size)


def passes(clusters, features):
    """What a pass gives for blocks of several sizes, as nested lists."""
    found = []
    for size in SIZES:
        rng = np.random.default_rng(1000 * clusters + 10 * features + size)
        # What lies beyond `size` must not matter, whatever it is.
        points = np.full((2, features, 256), np.nan)
        points[1, :, :size] = rng.normal(size=(features, size))
        masses = np.full((2, 256), np.inf)
        masses[1, :size] = rng.exponential(size=size)
        labels = np.full((2, 256), -1)
        labels[1, :size] = rng.integers(0, clusters, size)
        nearest, sums = np.full((2, 256), -1.0), np.zeros((4, clusters * (features + 1)))
        centers = rng.normal(size=(clusters, features))
        changed = one_pass(points, masses, centers, labels, nearest, sums, 1, size)
        found.append([int(changed), labels[1, :size].tolist(), nearest[1, :size].tolist(),
                      sums[0].tolist(), labels[0].tolist(), sums[1:].tolist()])
    return found


def every_pair():
    return [(k, d) for k in range(CLUSTERS[0], CLUSTERS[1] + 1)
            for d in range(FEATURES[0], FEATURES[1] + 1)]


@pytest.mark.skipif(not JIT_ENABLED, reason="compares with the compiled form")
@pytest.mark.parametrize("variable", ["NUMBA_DISABLE_JIT=1", "NUMBA_CPU_NAME=generic"])
def test_bits_without_jit_and_on_the_plainest_machine(variable):
    script = ("import json, test_lanes as t\n"
              "print(json.dumps([t.passes(k, d) for k, d in t.every_pair()]))")
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True,
        env={**os.environ, **dict([variable.split("=")]), "NUMBA_CPU_FEATURES": "",
             "PYTHONPATH": os.path.dirname(__file__)})
    assert json.loads(run.stdout) == json.loads(json.dumps([passes(k, d)
                                                            for k, d in every_pair()]))


@pytest.mark.parametrize(("clusters", "features"), [(2, 1), (3, 2), (4, 3), (6, 4)])
def test_a_pass_is_what_numpy_finds(clusters, features):
    for size, (changed, labels, nearest, sums, others, rest) in zip(
            SIZES, passes(clusters, features)):
        rng = np.random.default_rng(1000 * clusters + 10 * features + size)
        points = rng.normal(size=(features, size))
        masses = rng.exponential(size=size)
        before = rng.integers(0, clusters, size)
        centers = rng.normal(size=(clusters, features))
        squares = ((points.T[:, None] - centers)**2).sum(axis=2)
        assert labels == squares.argmin(axis=1).tolist()
        assert changed == (before != labels).sum()
        # Sums of at most 256 terms of size 1: rounding alone.
        assert np.allclose(nearest, squares.min(axis=1), rtol=1e-14, atol=1e-15)
        member = np.eye(clusters)[labels]
        expected = np.column_stack([masses @ member, (member * masses[:, None]).T @ points.T])
        assert np.allclose(np.reshape(sums, (clusters, -1)), expected, rtol=1e-12, atol=1e-13)
        assert others == [-1] * 256
        assert not np.any(rest)


def test_ties_go_to_the_first_center():
    labels = np.full((1, 256), -1)
    one_pass(np.zeros((1, 2, 256)), np.ones((1, 256)), np.ones((3, 2)), labels,
             np.zeros((1, 256)), np.zeros((4, 9)), 0, 5)
    assert labels[0, :5].tolist() == [0] * 5


def test_what_is_written_out():
    assert written_out(2, 1)
    assert written_out(6, 4)
    assert not written_out(1, 2)
    assert not written_out(7, 2)
    assert not written_out(3, 5)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_a_clear_table_is_matched_without_search(k):
    from itertools import permutations

    from softclust import _kernels
    rng = np.random.default_rng(k)
    clear = 0
    for _ in range(300):
        table = rng.integers(0, 6, (k, k))
        table[np.arange(k), rng.permutation(k)] += rng.integers(0, 9)
        sums = {p: sum(table[i, p[i]] for i in range(k)) for p in permutations(range(k))}
        best = [p for p, value in sums.items() if value == max(sums.values())]
        cluster = np.full(k, -1)
        if _kernels.bagging.match_clear(table, cluster):
            clear += 1
            assert len(best) == 1
            assert [best[0].index(j) for j in range(k)] == cluster.tolist()
    assert clear > 20
