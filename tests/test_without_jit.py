"""Kernels give the same bits as plain Python, and on the plainest machine.

One process runs all that is to be compared: starting it takes longer than each comparison.
"""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from strategies import JIT_OFF, fraction_rows, random_clustering

import softclust as sc

HERE = Path(__file__).parent
pytestmark = [pytest.mark.skipif(JIT_OFF, reason="this run is the one without JIT"),
              pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")]


def prayatul():
    """Matrices, rows, parts and replicates of all couplings as hexadecimal floats."""
    rng = np.random.default_rng(5)
    n = 130   # two tiles of the pair loop
    g, p, q = rng.integers(4, size=n), fraction_rows(rng, n, 3), rng.dirichlet(np.ones(4), n)
    rough = random_clustering(rng, "rough", n, 3)
    result = []
    for coupling in ("expected", "minimum"):
        r = sc.prayatul(g, p, q, coupling=coupling)
        result += [*r.counts, *r.objects().rows.ravel(), *r.jackknife().standard_error]
    r = sc.prayatul(q, p, g)
    result += [*r.parts().same_class.ravel(), *r.bootstrap(0, n_resamples=2).replicates.ravel()]
    result += [*sc.prayatul(g, rough, q, coupling="evidential").matrix.ravel()]
    codes = rng.integers(5, size=(2, n))
    result += [*sc.prayatul(g, *codes, weights=rng.random(n)).objects().rows.ravel()]
    return [float(value).hex() for value in result]


def votes():
    """Votes of multiple match clusterings, a simulation, and ties drawn at random."""
    x = np.random.default_rng(0).normal(size=(40, 2))
    fit = sc.MultipleMatchClustering(n_clusters=3, n_resamples=30, tol=None, n_init=2,
                                     random_state=1).fit(x)
    sim = sc.reliability_simulation([0.2, 0.5], [0, 0.5, 1], rng=1, n_resamples=20, n_objects=30,
                                    fixed=[False, True])
    found = [a.tobytes().hex() for a in (fit.votes_, fit.cluster_centers_, fit.history_,
                                         sim.criterion, sim.attempts)]
    for seed in range(10):
        table = np.random.default_rng(seed).random((3, 4))
        found += [sc.match_table(table, method=method, rng=seed).pairs.tolist()
                  for method in ("trace", "truematch", "truematch_heuristic")]
    return found


def rough_and_evidential():
    import test_rough_evidential_bits as t
    return t.bits()


def batched_kmeans():
    import test_batched_kmeans as t
    return t.bits()


def lanes():
    import test_lanes as t
    return [t.passes(clusters, features) for clusters, features in t.every_pair()]


def tiles():
    import test_tiles as t
    return [t.results(*shape) for shape in t.SHAPES]


WITHOUT_JIT = (prayatul, votes, rough_and_evidential, batched_kmeans, lanes, tiles)
GENERIC = (lanes, tiles)


@cache
def elsewhere(variable, functions):
    """What these functions give in a process of its own."""
    code = ("import json, test_without_jit as t\n"
            f"print(json.dumps({{f.__name__: f() for f in t.{functions}}}))")
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    name, value = variable.split("=")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, name: value, "NUMBA_CPU_FEATURES": "", "SOFTCLUST_COMPILE": "always",
             "PYTHONPATH": os.pathsep.join(paths)})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("function", WITHOUT_JIT, ids=lambda f: f.__name__)
def test_the_same_bits_without_jit(function):
    there = elsewhere("NUMBA_DISABLE_JIT=1", "WITHOUT_JIT")[function.__name__]
    assert there == json.loads(json.dumps(function()))


@pytest.mark.parametrize("function", GENERIC, ids=lambda f: f.__name__)
def test_the_same_bits_on_the_plainest_machine(function):
    there = elsewhere("NUMBA_CPU_NAME=generic", "GENERIC")[function.__name__]
    assert there == json.loads(json.dumps(function()))
