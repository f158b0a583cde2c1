"""Stability of clusters over runs: `cluster_stability` and its result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, frozen
from .._types import ClusteringLike, EnsembleLike
from ..clusterings import Ensemble, HardClustering, as_clustering
from ..clusterings.objects import check_object_names
from ..results.frames import same_frames
from ..results.records import Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable, right
from ..results.text import position
from ..tables.counting import cross_counts
from .instability import stable_by_definition
from .schemes import check_share
from .together import as_runs, pair_table, ratio


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ClusterStability(Drawn, Tidied, Record):
    """Stability of each cluster over runs; made by `cluster_stability`.

    Attributes
    ----------
    reference : HardClustering
        n objects, r clusters.
    runs : Ensemble
        The B runs.
    values : (B, r) float64
        Jaccard index of each cluster with its best match in each run; nan if the run contains none
        of its objects (0 with ``absent="zero"``).
    dissolved, recovered : (r,) int64
        Number of runs in which the value is at most, or at least, the limit.
    absent : (r,) int64
        Number of runs without any object of the cluster.
    consensus : (r,) float64
        Share of runs in which pairs of the cluster are together; nan for single objects.
    limits : (float, float)
        Limits for dissolved and recovered.
    absent_rule : str
        "skip" or "zero".
    pooled : bool
        True if `consensus` is the share of all pairs, not the mean of shares by pair.

    Notes
    -----
    ``to_frame()``: one row per cluster. Indexed by the names of the clusters: size, jaccard,
    standard_error, dissolved, recovered, absent, consensus.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.cluster_stability([0, 0, 1, 1], [[0, 0, 1, 1], [0, 1, 1, 1]])
    >>> found.values.round(3)
    array([[1.   , 1.   ],
           [0.5  , 0.667]])
    >>> found.weakest
    0
    >>> found.to_frame()["recovered"].tolist()
    [1, 1]
    >>> print(softclust.cluster_stability([0, 0, 1, 1], [[0, 0, 1, 1], [0, 1, 1, 1]]).summary())
    Stability of 2 clusters in 2 runs of 4 objects
    ======================================================================
    cluster  size  jaccard     se  dissolved  recovered  absent  consensus
    ...
    """

    _chart = "plot_cluster_stability"
    _tidy = "term=cluster@ estimate=jaccard std_error=standard_error"
    _glance = ("n_runs", "weakest", "absent_rule")

    reference: HardClustering
    runs: Ensemble
    values: Annotated[np.ndarray, "f runs reference.n_clusters"]
    dissolved: Annotated[np.ndarray, "i reference.n_clusters >=0"]
    recovered: Annotated[np.ndarray, "i reference.n_clusters >=0"]
    absent: Annotated[np.ndarray, "i reference.n_clusters >=0"]
    consensus: Annotated[np.ndarray, "f reference.n_clusters"]
    limits: tuple[float, float]
    absent_rule: str
    pooled: bool
    _kept: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def objects(self) -> np.ndarray:
        """Share of runs in which an object is together with the others of each cluster, (n, r).

        nan if no run contains both; computed on first access.
        """
        if "objects" not in self._kept:
            codes, clusters = self.reference.labels, self.reference.n_clusters
            together, held = np.zeros((2, codes.size, clusters), dtype=np.int64)
            for labels, table in zip(self.runs.labels, run_tables(self.runs, codes, clusters)):
                present = labels >= 0
                together[present] += table[labels[present]]
                held[present] += table.sum(axis=0)
            objects = np.arange(codes.size)
            together[objects, codes] -= self.runs.counts   # an object is not one of the others
            held[objects, codes] -= self.runs.counts
            self._kept["objects"] = frozen(ratio(together, held))
        return self._kept["objects"]

    @property
    def n_runs(self) -> int:
        """Number of runs B."""
        return int(self.values.shape[0])

    @property
    def jaccard(self) -> np.ndarray:
        """Mean of `values` over the runs that contain a cluster, (r,)."""
        return ratio(np.nansum(self.values, axis=0), self._counts)

    @property
    def standard_error(self) -> np.ndarray:
        """Standard error of `jaccard` over runs, taken as independent, (r,); nan below 2 runs."""
        count = self._counts
        squares = np.nansum((self.values - self.jaccard) ** 2, axis=0)
        return np.asarray(np.sqrt(ratio(squares, count * (count - 1))))

    @property
    def _counts(self) -> np.ndarray:
        return np.asarray((~np.isnan(self.values)).sum(axis=0))

    @property
    def weakest(self) -> int:
        """The cluster with the smallest `jaccard`."""
        return int(np.nanargmin(self.jaccard))

    def __repr__(self) -> str:
        return (f"ClusterStability({self.reference.n_clusters} clusters, {self.n_runs} runs of "
                f"{self.reference.n_objects} objects)")

    def _frame(self) -> Columns:
        return Columns(
            {"size": self.reference.sizes, "jaccard": self.jaccard,
             "standard_error": self.standard_error, "dissolved": self.dissolved,
             "recovered": self.recovered, "absent": self.absent, "consensus": self.consensus},
            {"cluster": self.reference.cluster_names})

    def _table(self) -> SummaryTable:
        low, high = self.limits
        notes = [f"jaccard: mean over runs of the Jaccard index with the best match; dissolved: "
                 f"runs with at most {low:g}; recovered: with at least {high:g}.",
                 "consensus: share of runs in which pairs of the cluster are together"
                 + ("." if self.pooled else ", mean over pairs.")]
        if self.absent.any():
            how = "are left out" if self.absent_rule == "skip" else "count as 0"
            notes.append(f"absent: runs without any of its objects {how}.")
        notes += stable_by_definition(bool((self.jaccard == 1.0).all()), self.reference.n_clusters,
                                      self.reference.n_objects)
        return SummaryTable.of(
            {"cluster": [str(position(name)) for name in self.reference.cluster_names],
             "size": self.reference.sizes,
             "jaccard": right(self.jaccard, _number), "se": right(self.standard_error, _number),
             "dissolved": self.dissolved, "recovered": self.recovered, "absent": self.absent,
             "consensus": right(self.consensus, _number)}, notes=notes,
            title=f"Stability of {self.reference.n_clusters} clusters in {self.n_runs} runs of "
                  f"{self.reference.n_objects} objects")


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3f}"


# -- stability of the clusters of a clustering in runs on part of the objects, or on other data ---
#: largest number of objects for which ratios of all pairs are averaged
_PAIRED_OBJECTS = 20_000


@same_frames
def cluster_stability(reference: ClusteringLike, runs: EnsembleLike, *, dissolved: float = 0.5,
                      recovered: float = 0.75, absent: Literal["skip", "zero"] = "skip",
                      pooled: bool = True) -> ClusterStability:
    r"""Assess which clusters of a clustering reappear in other runs.

    Parameters
    ----------
    reference : clustering-like
        The hard clustering of all n objects whose clusters are assessed.
    runs : Ensemble, or anything that `Ensemble` takes
        Hard clusterings of the same objects, or of some of them.
    dissolved, recovered : float in (0, 1]
        Limits on the Jaccard index of a cluster with its best match: at or below the first the
        cluster is dissolved in the run, at or above the second it is recovered.
    absent : {"skip", "zero"}
        Runs without any object of a cluster are left out for this cluster ("skip"), or count as 0
        ("zero"), as in R's clusterboot.
    pooled : bool
        True: ``consensus`` of a cluster is the share of all its pairs in all runs that are
        together; False: the mean over pairs of each pair's own share (Monti; up to 20,000
        objects in a cluster).

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
    match (Hennig 2007). ``consensus`` divides the sum of T_kl (T_kl - 1) over l and runs by the sum
    of a_k (a_k - 1) over runs. `objects` does the same for one object and the others of a cluster;
    it is computed on first access. Time O(n B), for `objects` O(n B r). R: ``fpc::clusterboot``,
    which counts a cluster as dissolved if none of it was drawn.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    C. Hennig (2007), Cluster-wise assessment of cluster stability, Computational Statistics and
    Data Analysis 52, 258-271.

    Examples
    --------
    >>> import softclust
    >>> runs = softclust.Ensemble.from_runs([[0, 0, 1, 1, -1], [0, 0, 0, 1, 1], [-1, 0, 1, 1, 1]])
    >>> found = softclust.cluster_stability([0, 0, 1, 1, 1], runs)
    >>> found.jaccard.round(3)
    array([0.889, 0.889])
    >>> found.recovered
    array([2, 2])
    """
    check_choice("absent", absent, ("skip", "zero"))
    dissolved = check_share("dissolved", dissolved)
    recovered = check_share("recovered", recovered)
    ensemble = as_runs(runs)
    hard = as_clustering(reference, name="reference").as_hard("reference")
    _check_same(hard, ensemble)
    codes, r = np.ascontiguousarray(hard.labels), hard.n_clusters
    values = np.empty((ensemble.n_runs, r))
    joined, pairs = np.zeros((2, r))
    for b, table in enumerate(run_tables(ensemble, codes, r)):
        sizes = table.sum(axis=0)
        union = sizes + table.sum(axis=1, keepdims=True) - table
        values[b] = np.where(sizes > 0, (table / union).max(axis=0), np.nan)
        joined += (table * (table - 1)).sum(axis=0)
        pairs += sizes * (sizes - 1)
    missing = np.isnan(values)
    if absent == "zero":
        values = np.where(missing, 0.0, values)
    consensus = ratio(joined, pairs)
    if not pooled:
        # means over the pairs of each cluster of the share of runs that join them
        consensus = np.full(r, np.nan)
        for k in range(r):
            members = np.flatnonzero(codes == k)
            if members.size > _PAIRED_OBJECTS:
                raise ClusteringError(f"cluster {position(k)} has {members.size} objects; means "
                                      f"over pairs need {_PAIRED_OBJECTS} or fewer: leave "
                                      "pooled=True")
            table = pair_table(np.ascontiguousarray(ensemble.labels[:, members]))
            held, together = np.nonzero(table)
            count = table[held, together] * (held > 0)
            if count.any():
                consensus[k] = float((together / np.maximum(held, 1) * count).sum() / count.sum())
    return ClusterStability(
        reference=hard, runs=ensemble, values=frozen(values),
        absent=frozen(missing.sum(axis=0)),
        dissolved=frozen((values <= dissolved).sum(axis=0)),
        recovered=frozen((values >= recovered).sum(axis=0)), consensus=frozen(consensus),
        limits=(dissolved, recovered), absent_rule=absent, pooled=bool(pooled))


def _check_same(reference: HardClustering, runs: Ensemble) -> None:
    if reference.n_objects != runs.n_objects:
        raise ClusteringError(f"reference has {reference.n_objects} objects and the runs have "
                              f"{runs.n_objects}; the same objects are needed")
    whole = HardClustering(np.zeros(runs.n_objects, dtype=np.int8))
    if runs.naming is not None:
        whole = whole.renamed(runs.naming)
    check_object_names((("reference", reference), ("runs", whole)))


def run_tables(runs: Ensemble, codes: np.ndarray, clusters: int) -> Iterator[np.ndarray]:
    """Counts of each run, its clusters by those of the reference `codes`, (s, r) int64."""
    return (cross_counts(labels, codes, count, clusters)
            for labels, count in zip(runs.labels, runs.n_clusters))
