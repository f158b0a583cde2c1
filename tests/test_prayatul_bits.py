"""The Prayatul matrix: the same bits with JIT and without (threads: in the other files)."""

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


def bits():
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


@pytest.mark.skipif(JIT_OFF, reason="this run is the one without JIT")
def test_the_same_bits_without_jit():
    code = "import json, test_prayatul_bits as t; print(json.dumps(t.bits()))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(HERE)})
    assert json.loads(done.stdout) == bits()
