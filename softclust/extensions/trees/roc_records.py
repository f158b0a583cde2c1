"""Results of the ROC functions."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from ...results.records import Columns, Drawn, Record
from ...results.summary import SummaryTable, right
from ...results.text import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ERRORS = ("eps1: share of the same-class pairs that are separated. eps2: share of the "
           "different-class pairs that are joined. Area: 0 is best, 0.5 is chance.")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class PairRoc(Record):
    """Errors on pairs of objects for each number of clusters, and the area under their curve.

    Attributes
    ----------
    k : ndarray, shape (m,), int64
        Numbers of clusters, ascending.
    eps1 : ndarray, shape (m,), float64
        Same-class pairs in different clusters / same-class pairs, in [0, 1].
    eps2 : ndarray, shape (m,), float64
        Different-class pairs in one cluster / different-class pairs, in [0, 1].
    auc : float
        Area under the curve through (0, 1), the points in order of k, and (1, 0); eps1 is
        horizontal. 0 is best, 1/2 is chance; an improper curve may leave [0, 1].
    proper : bool
        Whether eps1 never falls and eps2 never rises as k grows.
    k_best : int or nan
        Number of clusters with the smallest error; ties go to the smallest.
    min_sum : float
        Smallest eps1 + eps2.
    criterion : str
        Error that `k_best` minimises: "sum" (eps1 + eps2) or "pair_error" (share of wrong pairs,
        1 - Rand index).
    pairs_same, pairs_different : int or float
        Numbers of same-class and different-class pairs; expected numbers for a soft truth.
    max_clusters : int
        Largest number of clusters requested.
    max_clusters_used : int
        Largest number of clusters on the curve; above `max_clusters` where that falls inside
        ties.
    ties : str or None
        "block" or "order" for a dendrogram, None for partitions.
    inversions : bool
        Whether a merge is lower than the one before.
    n_objects, n_labelled : int
        Number of objects, and of those with a class.
    n_runs : ndarray, shape (m,), int64
        Runs averaged at each k.
    expected : bool
        Whether the errors are expected ones, of soft labels drawn independently.

    Notes
    -----
    ``to_frame()``: the points of the curve. Indexed by k: eps1, eps2, sum, pair_error, n_runs.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> x = [[0.0], [1.0], [2.1], [5.0], [6.2], [9.0]]
    >>> roc = softclust.pair_roc([0, 0, 1, 1, 1, 0], linkage(x, "single"))
    >>> roc
    PairRoc(auc=0.5185, k=1..6, k_best=5, 6 objects)
    >>> roc.eps1.round(2)
    array([0.  , 0.67, 0.67, 0.83, 0.83, 1.  ])
    """

    k: Annotated[np.ndarray, "i m >=1"]
    eps1: Annotated[np.ndarray, "f m"]
    eps2: Annotated[np.ndarray, "f m"]
    auc: float
    proper: bool
    k_best: float
    min_sum: float
    criterion: str
    pairs_same: float
    pairs_different: float
    max_clusters: int
    max_clusters_used: int
    ties: str | None
    inversions: bool
    n_objects: int
    n_labelled: int
    n_runs: Annotated[np.ndarray, "i m >=0"]
    expected: bool

    @property
    def pair_error(self) -> np.ndarray:
        """Share of the pairs that are wrong at each k, (m,): 1 - Rand index with the classes."""
        total = self.pairs_same + self.pairs_different
        return (self.pairs_same * self.eps1 + self.pairs_different * self.eps2) / total

    @property
    def error(self) -> np.ndarray:
        """Error that `k_best` minimises, (m,): eps1 + eps2 or `pair_error`, by `criterion`."""
        return self.eps1 + self.eps2 if self.criterion == "sum" else self.pair_error

    @property
    def truncated(self) -> bool:
        """True if the curve stops before k = n_objects."""
        return int(self.k[-1]) < self.n_objects

    def __repr__(self) -> str:
        return (f"PairRoc(auc={number(self.auc)}, k={self.k[0]}..{self.k[-1]}, "
                f"k_best={self.k_best}, {self.n_objects} objects)")

    def _table(self) -> SummaryTable:
        notes = [_ERRORS]
        if self.truncated:
            notes.append(f"The area closes the curve by a straight line from k = {self.k[-1]} to "
                         "(1, 0); it depends on that k.")
        if self.max_clusters_used > self.max_clusters:
            notes.append(f"Equal heights: k = {self.max_clusters} is not attained, "
                         f"k = {self.max_clusters_used} is used.")
        if self.inversions:
            notes.append("Heights are not monotone; the order of the merges is kept.")
        if not self.proper:
            notes.append("The curve is improper: some error grows where it should fall.")
        if self.expected:
            notes.append("Expected errors: labels drawn independently from the memberships.")
        k_best = "undefined" if math.isnan(self.k_best) else str(self.k_best)
        proper = "undefined" if math.isnan(self.auc) else "yes" if self.proper else "no"
        rows = [["area under the curve", number(self.auc)], ["best k", k_best]]
        best = np.flatnonzero(self.k == self.k_best)
        if best.size:
            i = int(best[0])
            rows += [["eps1 there", number(float(self.eps1[i]))],
                     ["eps2 there", number(float(self.eps2[i]))],
                     ["wrong pairs there", number(float(self.pair_error[i]))]]
        rows += [["smallest eps1 + eps2", number(self.min_sum)],
                 ["same-class pairs", f"{self.pairs_same:.10g}"],
                 ["different-class pairs", f"{self.pairs_different:.10g}"],
                 ["proper", proper]]
        if self.ties is not None:
            rows.append(["ties", self.ties])
        who = (f"{self.n_objects} objects" if self.n_labelled == self.n_objects else
               f"{self.n_labelled} labelled of {self.n_objects} objects")
        return SummaryTable(rows, ["", "value"], aligns="lr", notes=notes,
                            title=f"Pair ROC, k = {self.k[0]} to {self.k[-1]}, {who}")

    def _frame(self) -> Columns:
        return Columns({"eps1": self.eps1, "eps2": self.eps2, "sum": self.eps1 + self.eps2,
                        "pair_error": self.pair_error, "n_runs": self.n_runs}, {"k": self.k})

    def plot(self, ax: Axes | None = None, *, what: Literal["curve", "errors"] = "curve") -> Axes:
        """Draw the curve, or the errors against the number of clusters.

        For several algorithms in one chart see `softclust.plotting.plot_roc` and `plot_roc_errors`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        what : {"curve", "errors"}

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        from ..._checks import check_choice
        from ...plotting import plot_roc, plot_roc_errors
        check_choice("what", what, ("curve", "errors"))
        return plot_roc(self, ax=ax) if what == "curve" else plot_roc_errors(self, ax=ax)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class PairRocSubsets(Drawn, Record):
    """Areas of a dendrogram or of partitions evaluated on random parts of the labels.

    Attributes
    ----------
    fractions : ndarray, shape (F,), float64
        Share of the objects that have a label.
    n_labelled : ndarray, shape (F,), int64
        Their number.
    auc : ndarray, shape (F, M), float64
        Area of each replicate; nan where the draw has no same-class or no different-class pair.
    mean, sd : ndarray, shape (F,), float64
        Mean and standard deviation over the defined replicates of each fraction.
    defined : ndarray, shape (F,), int64
        Number of defined replicates.
    auc_all : float
        Area with all labels.
    max_clusters, max_clusters_used, ties : as in `PairRoc`
    n_objects : int
    sampling : str
        "uniform", "stratified" or "given".

    Notes
    -----
    ``to_frame()``: one row per fraction. Indexed by fraction: n_labelled, mean, sd, defined.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> iris = softclust.datasets.load_iris()
    >>> tree = linkage(iris.data, "average")
    >>> part = softclust.pair_roc_subsets(iris.labels, tree, fractions=[0.2, 1.0], rng=0)
    >>> part.n_labelled, bool(part.sd[1] == 0.0)
    (array([ 30, 150]), True)
    """

    _chart = "plot_roc_subsets"

    fractions: Annotated[np.ndarray, "f F"]
    n_labelled: Annotated[np.ndarray, "i F >=0"]
    auc: Annotated[np.ndarray, "f F M"]
    mean: Annotated[np.ndarray, "f F"]
    sd: Annotated[np.ndarray, "f F"]
    defined: Annotated[np.ndarray, "i F >=0"]
    auc_all: float
    max_clusters: int
    max_clusters_used: int
    ties: str | None
    n_objects: int
    sampling: str

    def __repr__(self) -> str:
        return (f"PairRocSubsets({self.fractions.size} fractions, {self.auc.shape[1]} replicates, "
                f"{self.n_objects} objects)")

    def _table(self) -> SummaryTable:
        notes = [f"Area with all labels: {number(self.auc_all)}. The clusterings are the same "
                 "throughout; only the labels that judge them change."]
        if self.sampling != "given":
            notes.append(f"Labelled objects are drawn {self._drawn}. Uniform parts are nearly "
                         "unbiased at every fraction: a mean that rises with the fraction speaks "
                         "of labels that came in an order, such as class by class.")
        return SummaryTable.of(
            {"labelled": right(self.fractions, ".4g"), "objects": self.n_labelled,
             "mean area": right(self.mean, number), "sd": right(self.sd, number),
             "replicates": self.defined}, notes=notes,
            title=f"Pair ROC by random parts of the labels, {self.n_objects} objects")

    @property
    def _drawn(self) -> str:
        return ("uniformly without replacement" if self.sampling == "uniform"
                else "in proportion from each class")

    def _frame(self) -> Columns:
        return Columns({"n_labelled": self.n_labelled, "mean": self.mean, "sd": self.sd,
                        "defined": self.defined}, {"fraction": self.fractions})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TieRange(Drawn, Record):
    """Areas of one linkage when ties between distances are broken at random.

    Attributes
    ----------
    low, high : float
        Smallest and largest area found, including that of the data as given.
    auc : ndarray, shape (n_draws,), float64
        Area of each repeat.
    given : float
        Area of the data as given.
    method : str
        Linkage.
    max_clusters : int
        Largest number of clusters.
    jitter : float
        Relative size of the noise.

    Notes
    -----
    ``to_frame()``: one row per repeat: auc.

    Examples
    --------
    >>> import softclust
    >>> softclust.tie_range([0, 0, 1, 1], [[0.0], [1.0], [2.0], [9.0]], method="single",
    ...                     rng=0).tie_free
    False
    """

    low: float
    high: float
    auc: Annotated[np.ndarray, "f _"]
    given: float
    method: str
    max_clusters: int
    jitter: float

    _chart = "plot_tie_range"

    def _frame(self) -> Columns:
        return Columns({"auc": self.auc}, {"repeat": range(self.auc.size)})

    def _table(self) -> SummaryTable:
        return SummaryTable.of(
            {"low": [number(self.low)], "as given": [number(self.given)],
             "high": [number(self.high)]},
            title=f"Area of {self.method} linkage when ties are broken at random, "
                  f"{self.auc.size} repeats",
            notes=["No tie changes the area." if self.tie_free else
                   "Ties between distances change the area."])

    @property
    def width(self) -> float:
        """high - low."""
        return self.high - self.low

    @property
    def tie_free(self) -> bool:
        """True if the areas differ by less than 1e-6."""
        return not math.isnan(self.width) and self.width < 1e-6
