"""Compile kernels ahead of their first use."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ._checks import ClusteringError
from ._warnings import quiet


def warmup(progress: bool = False) -> None:
    """Compile the common kernels, or load them from the cache on disk.

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
    Calls the registered measures on tiny clusterings of all kinds: about half a minute on the
    first run after an installation, about a second later.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.warmup()
    """
    _compare_all_kinds(progress)
    _compare_directly()
    _count_many()
    _resample_objects()
    _match_and_vote()
    _judge_runs()
    _cut_dendrograms()
    _compare_memberships()
    _compare_dendrograms()
    _compare_covers()


def _compare_all_kinds(progress: bool) -> None:
    """Use the kernels of all registered measures."""
    from .measures import registry
    from .measures.joint import Joint
    clusterings = _tiny_clusterings()
    pairs = [(a, b) for a in clusterings for b in clusterings]
    steps: Any = pairs
    if progress:
        from tqdm import tqdm
        steps = tqdm(pairs, desc="compiling kernels", unit="pair")
    with quiet():   # tiny clusterings make some measures undefined; nobody looks at these values
        for x, y in steps:
            joint = Joint(x, y)
            for m in registry().values():
                if m.arity == 2 and m.takes(x.kind, y.kind):
                    # Some measures do not take mass on the empty set.
                    with suppress(ClusteringError):
                        m.function(joint)
        for x in clusterings:
            for m in registry().values():
                if m.arity == 1 and m.takes(x.kind):
                    m.function(x)


def _match_and_vote() -> None:
    """Match tables of counts and of shares, and let a few clusterings vote."""
    import numpy as np

    from .columns.matching import match_table
    from .ensembles.multiple_match import mmcc
    for table in ([[2, 1], [1, 3]], [[0.2, 0.1], [0.1, 0.6]]):
        for method in ("trace", "truematch", "truematch_heuristic"):
            match_table(table, method=method, rng=0)
    mmcc(np.array([[0, 0, 1], [1, 1, 0]]), rng=0)


def _judge_runs() -> None:
    """Count pairs of objects and clusters of a few runs."""
    from .clusterings import PartialEnsemble
    from .ensembles import cluster_stability, coassociation, element_consistency
    runs = PartialEnsemble([[0, 0, 1, -1], [0, 1, 1, 0]])
    choices: list[dict[str, Any]] = [{}, {"weights": [1, 2]}, {"n_draws": 2}]
    for options in choices:
        coassociation(runs, rng=0, **options)
    assert cluster_stability([0, 0, 1, 1], runs).objects is not None
    element_consistency(runs)


def _resample_objects() -> None:
    """Use the kernels of confidence limits."""
    from .comparison import compare
    _, _, fuzzy, _, evidential = _tiny_clusterings()
    for ci in ("jackknife", "bootstrap"):
        compare(fuzzy, evidential, measures=["alpha_rand_index", "alpha_partition_interval"],
                ci=ci, n_resamples=40)


def _compare_dendrograms() -> None:
    """Use the kernels of two dendrograms."""
    from . import trees
    x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    y = [[1, 3, 1.0], [0, 2, 1.5], [4, 5, 2.0]]
    trees.dendrogram_curve(x, y)
    for method in ("pearson", "spearman", "kendall"):
        trees.cophenetic_correlation(x, y, method=method)
    trees.cluster_set_distance(x, y)
    trees.dendrogram_element_centric(x, y)
    trees.untangle(x, y, rng=0)


def _compare_covers() -> None:
    """Use the kernels of covers, by members and by distinct rows."""
    from .clusterings import CoverClustering
    from .covers import cover_overlaps as covers
    from .covers.covers import omega_index
    x, y = (CoverClustering(rows) for rows in ([[1, 0], [1, 1], [0, 1]], [[1, 1], [0, 1], [1, 0]]))
    omega_index(x, y)
    covers.by_rows(x, y)


def _compare_memberships() -> None:
    """Use the kernels of options that are not defaults."""
    from .pairs.fuzzy_pairs import fuzzy_pair_counts
    _, _, fuzzy, possibilistic, _ = _tiny_clusterings()
    fuzzy_pair_counts(fuzzy, possibilistic, relation="t_norm")


def _cut_dendrograms() -> None:
    """Use the kernels of ROC curves over the number of clusters."""
    from .trees.roc import pair_roc
    hard, _, fuzzy, _, _ = _tiny_clusterings()
    chain = [[0, 1, 1.0], [2, 6, 2.0], [3, 7, 3.0], [4, 8, 4.0], [5, 9, 5.0]]
    pair_roc(hard, chain)
    pair_roc(fuzzy, chain, expected=True)


def _compare_directly() -> None:
    """Use the kernels of `prayatul` for soft clusterings."""
    from .comparison.prayatul import prayatul
    hard, _, fuzzy, _, evidential = _tiny_clusterings()
    prayatul(hard, fuzzy, fuzzy).objects()
    prayatul(hard, fuzzy, hard, coupling="minimum", zero_division=0.0)
    prayatul(hard, evidential, fuzzy, coupling="evidential")


def _count_many() -> None:
    """Use the kernels that code and count labels, which few objects do not need."""
    import numpy as np

    from .measures.joint import Joint
    from .tables import entropy as information
    from .tables.contingency import Contingency
    from .tables.counting import LABELS_FROM
    from .tables.pair_counts import PairCounts
    objects = np.arange(LABELS_FROM)
    for clusters in (3, 300):
        for dtype in (np.int64, np.int32):
            x = (objects % clusters).astype(dtype)
            y = (objects // 7 % clusters).astype(dtype)
            for table in (Contingency.of_labels(x, y), Joint(x, y).statistic(Contingency)):
                assert table is not None
                information.mutual_information(table)
    Joint(objects, objects).statistic(PairCounts)


def _tiny_clusterings() -> list[Any]:
    """One clustering of each kind: 6 objects, 3 clusters, nothing special about them."""
    from .clusterings import (
        EvidentialClustering,
        FuzzyClustering,
        HardClustering,
        PossibilisticClustering,
        RoughClustering,
    )
    membership = [[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.125, 0.125, 0.75]] * 2
    return [
        HardClustering([0, 1, 2, 0, 0, 1]),
        RoughClustering.from_upper([[1, 0, 0], [1, 1, 0], [0, 1, 1]] * 2),
        FuzzyClustering(membership),
        PossibilisticClustering([[1.0, 0.5, 0.25], [0.5, 0.75, 0.0], [0.0, 0.25, 1.0]] * 2),
        EvidentialClustering(
            [[0.25, 0.5, 0.0, 0.25], [0.0, 0.25, 0.25, 0.5], [0.0, 0.0, 0.75, 0.25]] * 2,
            [[0, 0, 0], [1, 0, 0], [0, 1, 1], [1, 1, 1]]),
    ]
