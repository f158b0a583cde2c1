"""Compile kernels ahead of their first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..extensions import extensions


def warmup(progress: bool = False) -> None:
    """Compile all kernels, or load them from the cache on disk.

    The first use of a kernel on a machine compiles it, which takes seconds. Long-lived workers
    (dask, processes, a web service) call this once at their start.

    Parameters
    ----------
    progress : bool, optional
        Show a progress bar on stderr.

    See Also
    --------
    show_versions

    Notes
    -----
    Calls functions that use kernels on small data: about half a minute on the first run after an
    installation, about two seconds later.

    Examples
    --------
    >>> import softclust
    >>> softclust.warmup()   # doctest: +SKIP
    """
    from .warnings import quiet
    steps: Any = [_labels, _memberships, _covers, _bagging, _runs,
                  *(each.warmup for each in extensions().values() if hasattr(each, "warmup"))]
    if progress:
        from tqdm import tqdm
        steps = tqdm(steps, desc="compiling", unit="subject")
    step: Callable[[], object]
    with quiet():   # some measures of tiny clusterings are undefined; nobody looks at the values
        for step in steps:
            step()


def _labels() -> None:
    """Code, count and compare labels."""
    import numpy as np

    from ..clusterings import HardClustering
    from ..comparison.matrix import compare_all
    from ..tables.counter import contingency_table
    objects = np.arange(20_000)
    contingency_table(objects % 3, objects % 300)
    HardClustering(objects * 10_000_000_019 % 2_000_000_011)   # labels in a wide range
    compare_all([objects[:2000] % k for k in (3, 4, 5)], measure="adjusted_rand_index")
    compare_all([objects[:2000] % k for k in range(3, 33)], measure="adjusted_rand_index")


def _memberships() -> None:
    """Sum over the pairs of more objects than NumPy would be given."""
    import numpy as np

    from ..clusterings import FuzzyClustering, PossibilisticClustering
    from ..soft_pairs.entropies import pairwise_entropy
    from ..soft_pairs.fuzzy_pairs import fuzzy_pair_counts
    from ..soft_pairs.soft_pairs import alpha_rand_index
    from ..tables.set_matching import alpha_partition_dissimilarity
    rng = np.random.default_rng(0)
    x, y = (FuzzyClustering(rng.dirichlet(np.ones(3), 600)) for _ in range(2))
    alpha_rand_index(x, y)
    alpha_rand_index(x, PossibilisticClustering(np.round(rng.random((600, 3)), 3)))
    fuzzy_pair_counts(x, y, relation="t_norm")
    pairwise_entropy(x)
    alpha_partition_dissimilarity(x, y)


def _covers() -> None:
    """Count the pairs of two covers."""
    from ..clusterings import CoverClustering
    from ..covers.covers import omega_index
    x, y = (CoverClustering(rows) for rows in ([[1, 0], [1, 1], [0, 1]], [[1, 1], [0, 1], [1, 0]]))
    omega_index(x, y)


def _bagging() -> None:
    """Fit k-means to resamples and to references."""
    import numpy as np

    from ..ensembles.bagging import BaggedClustering
    from ..selection.evidence import cluster_test
    BaggedClustering(2, n_resamples=4, random_state=0).fit(np.arange(12.0).reshape(6, 2))
    cluster_test(np.arange(24.0).reshape(12, 2) ** 2 % 7, 2, n_references=19, rng=0)


def _runs() -> None:
    """Count pairs of objects and clusters of a few runs."""
    from ..clusterings import Ensemble
    from ..ensembles import cluster_stability, coassociation, element_consistency
    runs = Ensemble.from_runs([[0, 0, 1, -1], [0, 1, 1, 0]])
    options: dict[str, Any]
    for options in ({}, {"weights": [1, 2]}, {"n_draws": 2}):
        coassociation(runs, rng=0, **options)
    cluster_stability([0, 0, 1, 1], runs)
    element_consistency(runs)



