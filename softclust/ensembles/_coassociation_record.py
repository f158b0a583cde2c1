"""The record of `coassociation`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError, check_choice, frozen
from .._records import Columns, Interval, Record
from .._summary import SummaryTable, right
from ..clusterings import Ensemble
from ._pair_counts import matrix_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: below this median number of runs that hold a pair, M has few values and PAC says little
FEW_RUNS = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Coassociation(Record):
    """How often pairs of objects are together; made by `coassociation`.

    Attributes
    ----------
    runs : Ensemble
    weights : (B,) float64 or None
        Weights of the runs; None for equal ones.
    exact : bool
        Whether all pairs were counted, rather than a sample.
    n_draws : int
        Pairs drawn; 0 where all were counted.
    n_pairs : int
        Pairs that some run holds: those that have a value M.
    never_together : int
        Pairs that no run holds; left out of everything.
    values : (m,) float64
        Distinct values of M, in increasing order.
    counts : (m,) int64
        Number of pairs with each value.
    histogram : (h, 3) int64 or None
        Runs that hold both, runs that join them, number of such pairs, for all combinations that
        occur; None with weights.
    held : (B + 1,) int64
        Number of pairs by the number of runs (of positive weight) that hold both.

    Notes
    -----
    ``to_frame()``: one row per distinct value of M. Columns value, count, cdf.

    Examples
    --------
    >>> import softclust as sc
    >>> pairs = sc.coassociation([[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]])
    >>> pairs.n_pairs, pairs.values.round(3), pairs.counts
    (6, array([0.   , 0.333, 0.667, 1.   ]), array([2, 2, 1, 1]))
    >>> sc.coassociation([[0, 0, 1], [0, 1, 1]]).to_frame()["count"].tolist()
    [1, 2]
    >>> print(sc.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]]).summary())
    Co-association of 4 objects in 2 runs
    ...
    PAC (.1, .9]                     0.5000
    ...
    """

    runs: Ensemble
    weights: np.ndarray | None = None
    n_draws: int = 0
    n_pairs: int
    never_together: int
    values: np.ndarray
    counts: np.ndarray
    histogram: np.ndarray | None = None
    held: np.ndarray

    @classmethod
    def of_table(cls, runs: Ensemble, table: np.ndarray, *, n_draws: int = 0
                 ) -> Coassociation:
        """The record for numbers of pairs by runs that hold them and runs that join them."""
        held, together = np.nonzero(table)
        histogram = np.column_stack([held, together, table[held, together]])
        known = histogram[held > 0]
        values, place = np.unique(known[:, 1] / known[:, 0], return_inverse=True)
        counts = np.bincount(place.reshape(-1), weights=known[:, 2], minlength=values.size)
        return cls._made(runs, values, counts.astype(np.int64), table.sum(axis=1),
                         n_draws=n_draws, histogram=frozen(histogram))

    @classmethod
    def of_values(cls, runs: Ensemble, values: np.ndarray, counts: np.ndarray,
                  held: np.ndarray, *, weights: np.ndarray, n_draws: int = 0) -> Coassociation:
        """The record for distinct values and how often each occurs."""
        return cls._made(runs, values, counts, held, weights=weights, n_draws=n_draws)

    @classmethod
    def _made(cls, runs: Ensemble, values: np.ndarray, counts: np.ndarray,
              held: np.ndarray, **more: Any) -> Coassociation:
        if not values.size:
            raise ClusteringError("no pair of objects is in any run together; runs need two "
                                  "objects or more")
        return cls(runs=runs, values=frozen(values), counts=frozen(counts),
                   n_pairs=int(counts.sum()), never_together=int(held[0]),
                   held=frozen(np.asarray(held, dtype=np.int64)), **more)

    @property
    def exact(self) -> bool:
        """Whether all pairs were counted, rather than a sample."""
        return self.n_draws == 0

    @property
    def _cumulated(self) -> np.ndarray:
        return np.cumsum(self.counts)

    @property
    def mean(self) -> float:
        """Mean of M."""
        return math.fsum(self.values * self.counts) / self.n_pairs

    @property
    def area(self) -> float:
        """Area under the CDF of M, 1 - mean."""
        return 1.0 - self.mean

    @property
    def least_held(self) -> int:
        """Least number of runs that hold a pair."""
        return int(np.flatnonzero(self.held)[0])

    @property
    def median_held(self) -> float:
        """Median number of runs that hold a pair."""
        steps, total = np.cumsum(self.held), int(self.held.sum())
        low, high = np.searchsorted(steps, [(total - 1) // 2, total // 2], side="right")
        return float(low + high) / 2

    def _at_most(self, t: Any) -> np.ndarray:
        """Number of pairs with M <= t."""
        place = np.searchsorted(self.values, np.asarray(t, dtype=np.float64), side="right")
        return np.concatenate([[0], self._cumulated])[place]

    def cdf(self, t: Any) -> Any:
        """Share of pairs with M <= t.

        Parameters
        ----------
        t : float or array-like

        Returns
        -------
        float or ndarray

        Examples
        --------
        >>> import softclust as sc
        >>> sc.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]]).cdf(0.5)
        0.8333333333333334
        """
        share = self._at_most(t) / self.n_pairs
        return float(share) if share.ndim == 0 else share

    def _ambiguous(self, lower: float, upper: float, closed: str) -> int:
        check_choice("closed", closed, ("right", "neither"))
        if not 0.0 <= lower < upper <= 1.0:
            raise ValueError(f"lower is {lower} and upper {upper}; 0 <= lower < upper <= 1 is "
                             "needed")
        if closed == "neither":
            upper = float(np.nextafter(upper, -1.0))
        low, high = self._at_most([lower, upper])
        return int(high - low)

    def pac(self, lower: float = 0.1, upper: float = 0.9, closed: str = "right") -> float:
        """Proportion of ambiguous clustering: the share of pairs with M between two limits.

        Parameters
        ----------
        lower, upper : float
            The limits.
        closed : {"right", "neither"}
            Whether M = `upper` counts: CDF(upper) - CDF(lower), or strictly between.

        Returns
        -------
        float
            0 where all pairs are clear. It depends on the number of runs that hold a pair: with
            one run nothing is ambiguous.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]]).pac()
        0.5
        """
        return self._ambiguous(lower, upper, closed) / self.n_pairs

    def pac_interval(self, lower: float = 0.1, upper: float = 0.9, closed: str = "right", *,
                     level: float = 0.95) -> Interval:
        """Clopper-Pearson limits of `pac` for drawn pairs; the value itself where all count.

        Parameters
        ----------
        lower, upper, closed
            As in `pac`.
        level : float
            Probability that the interval covers the PAC of all pairs, at least.

        Returns
        -------
        Interval

        Examples
        --------
        >>> import softclust as sc
        >>> runs = [[0, 0, 1, 1], [0, 0, 0, 1]]
        >>> pairs = sc.coassociation(runs, n_draws=1000, rng=0)
        >>> 0.5 in pairs.pac_interval()
        True
        """
        from scipy.stats import beta
        tail = (1.0 - _level(level)) / 2
        k, m = self._ambiguous(lower, upper, closed), self.n_pairs
        if self.exact:
            return Interval(k / m, k / m)
        return Interval(0.0 if k == 0 else float(beta.ppf(tail, k, m - k + 1)),
                        1.0 if k == m else float(beta.ppf(1.0 - tail, k + 1, m - k)))

    def cdf_band(self, level: float = 0.95) -> np.ndarray:
        """Band that holds the whole CDF of all pairs, for drawn ones (Dvoretzky-Kiefer-Wolfowitz).

        Parameters
        ----------
        level : float
            Probability that the band covers the CDF everywhere, at least.

        Returns
        -------
        ndarray, shape (m, 2)
            Lower and upper end at each of `values`; both the CDF where all pairs were counted.

        Examples
        --------
        >>> import softclust as sc
        >>> pairs = sc.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]], n_draws=1000, rng=0)
        >>> pairs.cdf_band().shape
        (3, 2)
        """
        share = self._cumulated / self.n_pairs
        left = 1.0 - _level(level)
        wide = 0.0 if self.exact else 1.0 if left == 0.0 else math.sqrt(
            math.log(2.0 / left) / (2 * self.n_pairs))
        return np.clip(np.column_stack([share - wide, share + wide]), 0.0, 1.0)

    def matrix(self, max_objects: int = 2_000) -> np.ndarray:
        """M of all pairs of objects.

        Parameters
        ----------
        max_objects : int
            Largest number of objects for which the matrix is made.

        Returns
        -------
        ndarray, shape (n, n)
            nan where no run holds both; the diagonal is 1.

        Raises
        ------
        ClusteringError
            If there are more objects.

        Examples
        --------
        >>> import softclust as sc
        >>> sc.coassociation([[0, 0, 1], [0, 1, 1]]).matrix()
        array([[1. , 0.5, 0. ],
               [0.5, 1. , 0.5],
               [0. , 0.5, 1. ]])
        """
        n = self.runs.n_objects
        if n > max_objects:
            raise ClusteringError(f"a matrix of {n} x {n} pairs is more than max_objects="
                                  f"{max_objects} allows; use .pac() or .cdf(), take .subset of "
                                  "the runs, or raise max_objects=")
        return matrix_of(self.runs, self.weights)

    def __repr__(self) -> str:
        how = "" if self.exact else f", sampled: {self.n_draws} pairs"
        return (f"Coassociation({self.runs.n_runs} runs of {self.runs.n_objects} objects, "
                f"PAC {self.pac():.4f}{how})")

    def _frame(self) -> Columns:
        return Columns({"value": self.values, "count": self.counts,
                        "cdf": self._cumulated / self.n_pairs})

    def _table(self) -> SummaryTable:
        notes = []
        if not self.exact:
            ends = self.pac_interval()
            notes.append(f"Sampled: {self.n_draws} pairs drawn with replacement; 95 % limits of "
                         f"PAC {ends.low:.4f} to {ends.high:.4f}.")
        if self.median_held < FEW_RUNS:
            notes.append(f"Caution: half of the pairs are in {self.median_held:g} runs or fewer; "
                         f"below {FEW_RUNS} few values of M are possible and PAC depends on them.")
        values = {"pairs with a value": str(self.n_pairs),
                  "pairs in no run together": str(self.never_together),
                  "runs per pair, least": str(self.least_held),
                  "runs per pair, median": f"{self.median_held:g}",
                  "mean co-association": f"{self.mean:.4f}", "PAC (.1, .9]": f"{self.pac():.4f}"}
        return SummaryTable.of(
            {"quantity": values, "value": right(values.values())}, notes=notes,
            title=f"Co-association of {self.runs.n_objects} objects in {self.runs.n_runs} runs"
                  + ("" if self.exact else " (sampled)"))

    def plot(self, ax: Axes | None = None, *, kind: str = "cdf", order: Any = None) -> Axes:
        """Draw the CDF of M, or the matrix with similar objects side by side.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        kind : {"cdf", "matrix"}
            "cdf": with the window of PAC shaded, and the band of drawn pairs. "matrix": up to
            2,000 objects.
        order : clustering-like, optional
            "matrix": objects by the clusters of this one; by default in the order of an
            average-linkage dendrogram of 1 - M.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        check_choice("kind", kind, ("cdf", "matrix"))
        from ..plotting import plot_coassociation, plot_coassociation_matrix
        if kind == "matrix":
            return plot_coassociation_matrix(self, ax=ax, order=order)
        if order is not None:
            raise ValueError("a CDF has no order; leave it out")
        return plot_coassociation(self, ax=ax)


def _level(level: Any) -> float:
    if not 0.0 < level <= 1.0:
        raise ValueError(f"level is {level!r}; a number in (0, 1] is needed")
    return float(level)
