"""Which clusters of a clustering come back in runs on part of the objects, or on other data."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, frozen
from ..clusterings import Ensemble, HardClustering, as_clustering
from ..clusterings.objects import check_object_names
from ._company import ratio, run_tables
from ._pair_counts import pair_table
from ._run_input import as_runs
from ._stability_record import ClusterStability

if TYPE_CHECKING:
    from .._types import ClusteringLike, EnsembleLike

#: objects up to which ratios of all pairs are averaged
_PAIRED_OBJECTS = 20_000


def cluster_stability(reference: ClusteringLike, runs: EnsembleLike, *, dissolved: float = 0.5,
                      recovered: float = 0.75, absent: Literal["skip", "zero"] = "skip",
                      pooled: bool = True) -> ClusterStability:
    r"""Which clusters of a clustering come back in other runs.

    Parameters
    ----------
    reference : clustering-like
        The hard clustering of all n objects whose clusters are judged.
    runs : Ensemble or what `Ensemble` takes
        Hard clusterings of the same objects, or of some of them each.
    dissolved, recovered : float in (0, 1]
        Limits on the Jaccard index of a cluster with its best match: at or below the first the
        cluster is dissolved in the run, at or above the second it is recovered.
    absent : {"skip", "zero"}
        A run that holds no object of a cluster says nothing about it; "zero" counts it as 0, as
        R's clusterboot does.
    pooled : bool
        `consensus` of a cluster: the share of all its pairs in all runs that are together, or the
        mean over pairs of each pair's own share (Monti; up to 20,000 objects in a cluster).

    Returns
    -------
    ClusterStability
        One row per cluster in ``.summary()``; ``.objects`` by object; ``.plot()``.

    Raises
    ------
    ClusteringError
        If the reference is not hard, has another number of objects, or a run is not hard.
    ValueError
        If an option is out of range.

    See Also
    --------
    resampled_clusterings : makes the runs.
    coassociation : pairs of objects.

    Notes
    -----
    .. math:: \max_l \frac{T_{kl}}{a_k + c_l - T_{kl}} \quad \text{as a mean over the runs}

    T is the contingency table of the reference and a run, on the objects of the run; a and c are
    its row and column sums. The value of cluster k in a run is the Jaccard index with its best
    match (Hennig 2007). `consensus` divides the sum of T_kl (T_kl - 1) over l and runs by the sum
    of a_k (a_k - 1) over runs. `objects` does the same for one object and the others of a cluster;
    it is computed at its first use. Time O(n B), for `objects` O(n B r). R: ``fpc::clusterboot``,
    which counts a cluster as dissolved where none of it was drawn.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    C. Hennig (2007), Cluster-wise assessment of cluster stability, Computational Statistics and
    Data Analysis 52, 258-271.

    Examples
    --------
    >>> import softclust as sc
    >>> runs = sc.Ensemble.from_runs([[0, 0, 1, 1, -1], [0, 0, 0, 1, 1], [-1, 0, 1, 1, 1]])
    >>> found = sc.cluster_stability([0, 0, 1, 1, 1], runs)
    >>> found.jaccard.round(3)
    array([0.889, 0.889])
    >>> found.recovered
    array([2, 2])
    """
    check_choice("absent", absent, ("skip", "zero"))
    for name, value in (("dissolved", dissolved), ("recovered", recovered)):
        if not isinstance(value, numbers.Real) or not 0.0 < float(value) <= 1.0:
            raise ValueError(f"{name} is {value!r}; a number in (0, 1] is needed")
    found, hard = as_runs(runs), _reference(reference)
    _check_same(hard, found)
    codes, r = np.ascontiguousarray(hard.labels), hard.n_clusters
    values = np.empty((found.n_runs, r))
    joined, pairs = np.zeros(r), np.zeros(r)
    for b, table in enumerate(run_tables(found, codes, r)):
        sizes = table.sum(axis=0)
        values[b] = _best_jaccard(table, sizes)
        joined += (table * (table - 1)).sum(axis=0)
        pairs += sizes * (sizes - 1)
    missing = np.isnan(values)
    if absent == "zero":
        values = np.where(missing, 0.0, values)
    consensus = ratio(joined, pairs) if pooled else _mean_of_pairs(found, codes, r)
    return ClusterStability(
        reference=hard, runs=found, values=frozen(values),
        absent=frozen(missing.sum(axis=0)),
        dissolved=frozen((values <= dissolved).sum(axis=0)),
        recovered=frozen((values >= recovered).sum(axis=0)), consensus=frozen(consensus),
        limits=(float(dissolved), float(recovered)), absent_rule=absent, pooled=bool(pooled))


def _reference(reference: Any) -> HardClustering:
    return as_clustering(reference, name="reference").as_hard("reference")


def _check_same(reference: HardClustering, runs: Ensemble) -> None:
    if reference.n_objects != runs.n_objects:
        raise ClusteringError(f"reference has {reference.n_objects} objects and the runs have "
                              f"{runs.n_objects}; the same objects are needed")
    whole = HardClustering(np.zeros(runs.n_objects, dtype=np.int8))
    if runs.naming is not None:
        whole = whole.renamed(runs.naming)
    check_object_names((("reference", reference), ("runs", whole)))


def _best_jaccard(table: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Largest Jaccard index of each column with a row; nan for an empty column."""
    union = sizes + table.sum(axis=1, keepdims=True) - table
    return np.where(sizes > 0, (table / union).max(axis=0), np.nan)


def _mean_of_pairs(runs: Ensemble, codes: np.ndarray, r: int) -> np.ndarray:
    """Mean over the pairs of each cluster of the share of runs that join them."""
    found = np.full(r, np.nan)
    for k in range(r):
        own = np.flatnonzero(codes == k)
        if own.size > _PAIRED_OBJECTS:
            raise ClusteringError(f"cluster {k} has {own.size} objects; means over pairs are for "
                                  f"{_PAIRED_OBJECTS} or fewer: leave pooled=True")
        if own.size < 2:
            continue
        table = pair_table(np.ascontiguousarray(runs.labels[:, own]))
        both, joined = np.nonzero(table)
        count = table[both, joined] * (both > 0)
        if count.any():
            found[k] = float((joined / np.maximum(both, 1) * count).sum() / count.sum())
    return found
