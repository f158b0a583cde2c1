"""Compile kernels ahead of their first use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


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
    steps: Any = (_labels, _memberships, _covers, _bagging, _runs, _draws, _transport, _trees,
                  _directly)
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
    from ..pairs.fuzzy_pairs import fuzzy_pair_counts
    from ..pairs.soft_pairs import alpha_rand_index
    rng = np.random.default_rng(0)
    x, y = (FuzzyClustering(rng.dirichlet(np.ones(3), 600)) for _ in range(2))
    alpha_rand_index(x, y)
    alpha_rand_index(x, PossibilisticClustering(np.round(rng.random((600, 3)), 3)))
    fuzzy_pair_counts(x, y, relation="t_norm")


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
    from ..ensembles.reliability import reliability_simulation
    from ..selection.evidence import cluster_test
    BaggedClustering(2, n_resamples=4, random_state=0).fit(np.arange(12.0).reshape(6, 2))
    reliability_simulation([0.2], [0.5], rng=1, n_resamples=4, n_objects=12)
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


def _draws() -> None:
    """Estimate, cores and balls of posterior draws."""
    import numpy as np

    from ..ensembles.posterior import (
        credible_ball,
        partition_core,
        partition_representatives,
        posterior_partition,
    )
    draws = np.random.default_rng(0).integers(0, 3, (40, 30))
    for loss in ("vi", "binder"):
        best = posterior_partition(draws, loss=loss, rng=0)
    posterior_partition(draws[[0, 0, 1]], loss="binder", rng=0)   # draws that weigh differently
    best.clusters()
    best.objects()
    credible_ball(best, draws)
    partition_core(draws)
    partition_representatives(draws, 2, rng=0)


def _transport() -> None:
    """Compare clusterings as laws of hard ones."""
    import numpy as np

    from ..clusterings import FuzzyClustering, HardClustering, RoughClustering
    from ..transport.expected import expected_index
    from ..transport.measures import transport_dissimilarity, transport_rand_index
    rng = np.random.default_rng(0)
    hard = HardClustering(rng.integers(0, 3, 8))
    fuzzy = FuzzyClustering(rng.dirichlet(np.ones(3), 8))
    rough = RoughClustering.from_upper(
        np.where(rng.random((8, 1)) < 0.3, 1, np.eye(3, dtype=int)[rng.integers(0, 3, 8)]))
    two = RoughClustering.from_upper([[1, 0], [0, 1], [1, 1], [1, 1], [0, 1], [1, 0]])
    transport_dissimilarity(two, two.subset([1, 0, 2, 4, 3, 5]), rng=0)
    transport_dissimilarity(two, FuzzyClustering(rng.dirichlet(np.ones(2), 6)), rng=0)
    transport_dissimilarity(hard, fuzzy, base="partition", rng=0)
    expected_index(hard.subset(range(6)), fuzzy.subset(range(6)), index="fowlkes_mallows")
    for other in (rough, fuzzy):
        transport_dissimilarity(hard, other, rng=0)
        transport_rand_index(hard, other, rng=0)
        transport_rand_index(rough, other, rng=0)


def _trees() -> None:
    """Compare dendrograms and cut them."""
    from .. import trees
    from ..clusterings import FuzzyClustering
    x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    y = [[1, 3, 1.0], [0, 2, 1.5], [4, 5, 2.0]]
    trees.dendrogram_curve(x, y)
    for method in ("pearson", "spearman", "kendall"):
        trees.cophenetic_correlation(x, y, method=method)
    for proximity in ("manhattan", "spectral"):
        trees.dendrogram_proximity(x, y, method=proximity)
    trees.cluster_set_distance(x, y)
    trees.dendrogram_element_centric(x, y)
    trees.untangle(x, y, rng=0)
    trees.pair_roc([0, 0, 1, 1], x)
    trees.pair_roc(
        FuzzyClustering([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]), x, expected=True)


def _directly() -> None:
    """Compare two clusterings with a truth object by object."""
    import numpy as np

    from ..comparison.prayatul import prayatul
    rng = np.random.default_rng(0)
    truth, soft = rng.integers(0, 3, 600), rng.dirichlet(np.ones(3), 600)
    prayatul(truth, soft, soft[::-1].copy()).objects()
    prayatul(truth, soft, truth, coupling="minimum", zero_division=0.0)
