"""Fuzzy and possibilistic c-means give the same bits for any threads, with and without JIT."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from strategies import JIT_OFF

import softclust as sc
from softclust.cluster import FuzzyCMeans, PossibilisticCMeans, _tiles

HERE = Path(__file__).parent


def digests(n, exponents, n_iter):
    """SHA-256 of everything fitted, a few iterations from given centres."""
    import warnings
    rng = np.random.default_rng(9)
    x, w = rng.normal(size=(n, 3)), rng.integers(0, 3, size=n)
    x[0] = x[1]
    result = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")   # a few iterations do not converge
        for m in exponents:
            for estimator in (FuzzyCMeans, PossibilisticCMeans):
                fit = estimator(2, m=m, init=x[1:3], max_iter=n_iter).fit(x, sample_weight=w)
                arrays = (fit.cluster_centers_, fit.objective_history_,
                          getattr(fit, "membership_", None), getattr(fit, "typicality_", None),
                          getattr(fit, "eta_", None))
                data = b"".join(a.tobytes() for a in arrays if a is not None)
                result[f"{estimator.__name__} {m}"] = hashlib.sha256(data).hexdigest()
    return result


@pytest.fixture
def threads():
    yield sc.set_num_threads
    sc.set_num_threads(None)


def test_same_bits_for_any_number_of_threads(threads, monkeypatch):
    monkeypatch.setattr(_tiles, "_WORK_PER_CHUNK", 1)   # a chunk a block
    n, exponents, n_iter = (1030, (2.0,), 1) if JIT_OFF else (20_000, (2.0, 1.7), 6)
    threads(1)
    expected = digests(n, exponents, n_iter)
    for count in (2, 8):
        threads(count)
        assert digests(n, exponents, n_iter) == expected


@pytest.mark.slow
def test_same_bits_with_and_without_jit():
    arguments = (150, (2.0, 1.5, 3.0, 1.3, 6.5), 3)
    code = f"import json, test_cmeans_bits as t; print(json.dumps(t.digests(*{arguments})))"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "0" if JIT_OFF else "1",
                   "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], env=environment,
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == digests(*arguments)
