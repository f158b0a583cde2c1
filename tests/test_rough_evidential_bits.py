"""Rough k-means and evidential c-means: the same bits for any threads and chunks, with JIT or not.
"""

import numpy as np
import pytest

import softclust as sc
from softclust.cluster import EvidentialCMeans, RoughKMeans, _tiles, evidential_cmeans

#: three blocks, the last one short; few updates, because without JIT kernels run as Python
N_OBJECTS = 2100


def bits():
    """Centres, objectives and masses of some updates as hexadecimal floats."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(N_OBJECTS, 2)) + 3 * rng.integers(2, size=(N_OBJECTS, 2))
    weights = rng.choice([0.0, 1.0, 2.5], N_OBJECTS)
    fits = [RoughKMeans(3, variant=variant, ratio=1.3, init=x[:3], max_iter=2)
            for variant in ("lingras-west", "peters-2006", "peters-2014")]
    fits += [EvidentialCMeans(3, beta=beta, alpha=1.3, delta=4.0, init=x[:3], max_iter=2,
                              focal=focal) for beta, focal in ((1.3, "simple"), (2.0, "full"))]
    result = []
    for fit in fits:
        fit.fit(x, sample_weight=weights)
        result += [*fit.cluster_centers_.ravel(), fit.objective_, *fit.objective_history_]
        sets = fit.upper_ if isinstance(fit, RoughKMeans) else fit.mass_
        result += [*sets[::7].ravel(), *fit.labels_[::5]]
    return [float(value).hex() for value in result]


pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_the_same_bits_for_any_number_of_threads_and_chunk(monkeypatch):
    try:
        sc.set_num_threads(1)
        expected = bits()
        monkeypatch.setattr(evidential_cmeans, "CHUNK", 1)   # one block a piece
        monkeypatch.setattr(_tiles, "_WORK_PER_CHUNK", 1)
        for count in (1, 8):
            sc.set_num_threads(count)
            assert bits() == expected
    finally:
        sc.set_num_threads(None)
