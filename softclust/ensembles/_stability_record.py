"""The record of `cluster_stability`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .._checks import frozen
from .._records import Columns, Drawn, Record
from .._summary import SummaryTable, right
from ..clusterings import Ensemble, HardClustering
from ._company import company


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ClusterStability(Drawn, Record):
    """Which clusters come back in runs; made by `cluster_stability`.

    Attributes
    ----------
    reference : HardClustering
        n objects, r clusters.
    runs : Ensemble
        The B runs.
    values : (B, r) float64
        Jaccard index of each cluster with its best match in each run; nan where the run holds
        none of its objects (0 with ``absent="zero"``).
    dissolved, recovered : (r,) int64
        Runs in which the value is at most, or at least, the limit.
    absent : (r,) int64
        Runs that hold no object of the cluster.
    consensus : (r,) float64
        How often pairs of the cluster are together; nan for single objects.
    limits : (float, float)
        Those of dissolved and recovered.
    absent_rule : str
        "skip" or "zero".
    pooled : bool
        Whether `consensus` is the share of all pairs, not the mean of shares by pair.

    Notes
    -----
    ``to_frame()``: one row per cluster. Indexed by the names of the clusters: size, jaccard,
    standard_error, dissolved, recovered, absent, consensus.

    Examples
    --------
    >>> import softclust as sc
    >>> found = sc.cluster_stability([0, 0, 1, 1], [[0, 0, 1, 1], [0, 1, 1, 1]])
    >>> found.values.round(3)
    array([[1.   , 1.   ],
           [0.5  , 0.667]])
    >>> found.weakest
    0
    >>> found.to_frame()["recovered"].tolist()
    [1, 1]
    >>> print(sc.cluster_stability([0, 0, 1, 1], [[0, 0, 1, 1], [0, 1, 1, 1]]).summary())
    Stability of 2 clusters in 2 runs of 4 objects
    ======================================================================
    cluster  size  jaccard     se  dissolved  recovered  absent  consensus
    ...
    """

    _chart = "plot_cluster_stability"

    reference: HardClustering
    runs: Ensemble
    values: np.ndarray
    dissolved: np.ndarray
    recovered: np.ndarray
    absent: np.ndarray
    consensus: np.ndarray
    limits: tuple[float, float]
    absent_rule: str
    pooled: bool
    _kept: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def objects(self) -> np.ndarray:
        """How often an object is together with the others of each cluster, (n, r).

        nan where no run holds both; computed at its first use.
        """
        if "objects" not in self._kept:
            self._kept["objects"] = frozen(company(
                self.runs, np.ascontiguousarray(self.reference.labels),
                self.reference.n_clusters))
        return self._kept["objects"]

    @property
    def n_runs(self) -> int:
        """Number of runs B."""
        return int(self.values.shape[0])

    @property
    def jaccard(self) -> np.ndarray:
        """Mean of `values` over the runs that hold a cluster, (r,)."""
        count = self._counts
        total = np.nansum(self.values, axis=0)
        return np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)

    @property
    def standard_error(self) -> np.ndarray:
        """Standard error of `jaccard` over runs, taken as independent, (r,); nan below 2 runs."""
        count = self._counts
        squares = np.nansum((self.values - self.jaccard) ** 2, axis=0)
        scale = count * (count - 1)
        return np.sqrt(np.divide(squares, scale, out=np.full(squares.shape, np.nan),
                                 where=scale > 0))

    @property
    def _counts(self) -> np.ndarray:
        return np.asarray((~np.isnan(self.values)).sum(axis=0))

    @property
    def weakest(self) -> int:
        """The cluster with the least `jaccard`."""
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
                 "consensus: how often pairs of the cluster are together"
                 + ("." if self.pooled else ", mean over pairs.")]
        if self.absent.any():
            how = "say nothing about it" if self.absent_rule == "skip" else "count as 0"
            notes.append(f"absent: runs that hold none of its objects {how}.")
        return SummaryTable.of(
            {"cluster": map(str, self.reference.cluster_names), "size": self.reference.sizes,
             "jaccard": right(self.jaccard, _number), "se": right(self.standard_error, _number),
             "dissolved": self.dissolved, "recovered": self.recovered, "absent": self.absent,
             "consensus": right(self.consensus, _number)}, notes=notes,
            title=f"Stability of {self.reference.n_clusters} clusters in {self.n_runs} runs of "
                  f"{self.reference.n_objects} objects")


def _number(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3f}"
