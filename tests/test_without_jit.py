"""Kernels as plain Python and on the plainest machine: the same values to 1e-12, counts exactly.

One process runs all that is to be compared: starting it takes longer than each comparison.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from strategies import JIT_OFF, fraction_rows, random_clustering

import softclust as sc

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(JIT_OFF, reason="this run is the one without JIT")


def values():
    """Matrices, rows, parts and measures of all kinds, as numbers."""
    rng = np.random.default_rng(5)
    n = 130   # two blocks of the pair loop
    g, p, q = rng.integers(4, size=n), fraction_rows(rng, n, 3), rng.dirichlet(np.ones(4), n)
    rough = random_clustering(rng, "rough", n, 3)
    evidential = random_clustering(rng, "evidential", n, 3)
    found = []
    for coupling in ("expected", "minimum"):
        r = sc.prayatul(g, p, q, coupling=coupling)
        found += [*r.counts, *r.objects().rows.ravel(), *r.jackknife().standard_error]
    found += sc.prayatul(q, p, g).parts().same_class.ravel().tolist()
    for x, y in ((g, p), (p, q), (rough, q), (evidential, rough), (g, rng.integers(3, size=n))):
        for row in sc.compare(x, y).rows:
            interval = isinstance(row.value, sc.Interval)
            found += [row.value.low, row.value.high] if interval else [row.value]
    return [float(value) for value in found]


@pytest.mark.parametrize("setting", ["NUMBA_DISABLE_JIT=1", "NUMBA_CPU_NAME=generic"])
def test_the_same_values_elsewhere(setting):
    code = "import json, test_without_jit as t; print(json.dumps(t.values()))"
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    name, value = setting.split("=")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False,
        env={**os.environ, name: value, "NUMBA_CPU_FEATURES": "",
             "PYTHONPATH": os.pathsep.join(paths)})
    assert done.returncode == 0, done.stderr
    np.testing.assert_allclose(json.loads(done.stdout), values(), rtol=1e-12, atol=1e-13)
