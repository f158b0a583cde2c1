"""Counts of runs for all pairs of objects: that hold both, that join them."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole, frozen
from .._parallel import progress_bar, run_chunks
from .._random import as_generator
from .._records import Columns, Interval, Record
from .._summary import SummaryTable, right
from ..clusterings import Ensemble
from . import _kernels
from ._run_input import as_runs, run_weights

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._types import RNG, ArrayLike, EnsembleLike

#: byte compares of a chunk of rows, about a tenth of a second
_PAIR_CHUNK = 1 << 30
#: rows of weighted sums at once
_ROWS = 64


def pair_table(labels: np.ndarray) -> np.ndarray:
    """Numbers of pairs by runs that hold both and runs that join them, (B + 1, B + 1)."""
    many, n = labels.shape
    table, lock = np.zeros((many + 1, many + 1), dtype=np.int64), threading.Lock()
    labels = np.array(labels, dtype=np.int32)
    size = max(1, _PAIR_CHUNK // (n * many))

    def work(first: int, last: int) -> None:
        own, block = np.zeros_like(table), _kernels.runs.BLOCK
        _kernels.runs.count_pairs(labels, first, last, *np.empty((2, block), np.int32), own)
        with lock:   # whole numbers: the order does not matter
            table[:] += own

    with progress_bar(False, "coassociation", "n_draws= looks at some pairs only.") as show:
        run_chunks(work, n, size, progress=show)
    return table


def pair_sums(labels: np.ndarray, weights: np.ndarray, first: int, last: int
              ) -> tuple[np.ndarray, np.ndarray]:
    """Weights of the runs that join, and that hold, rows of objects and all, (rows, n) each.

    labels : (B, n) int32
    """
    together = np.empty((last - first, labels.shape[1]))
    held = np.empty_like(together)
    _kernels.runs.weigh_pairs(labels, weights, first, last, together, held)
    return together, held


def weighted_pairs(labels: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """S and C of all pairs i < j, by weight."""
    n, labels = labels.shape[1], np.array(labels, dtype=np.int32)
    parts = []
    for first in range(0, n, _ROWS):
        last = min(n, first + _ROWS)
        together, held = pair_sums(labels, weights, first, last)
        rows, columns = np.triu_indices(last - first, first + 1, n)
        parts.append((together[rows, columns], held[rows, columns]))
    both = [np.concatenate(part) for part in zip(*parts)]
    return both[0], both[1]


def distinct_ratios(together: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct values S/C where C > 0, and how often each occurs."""
    known = held > 0
    values, counts = np.unique(together[known] / held[known], return_counts=True)
    return values, counts.astype(np.int64)


def matrix_of(runs: Ensemble, weights: np.ndarray | None) -> np.ndarray:
    """S/C of all pairs, (n, n), nan where C is 0; the diagonal is 1."""
    n = runs.n_objects
    w = np.ones(runs.n_runs) if weights is None else np.array(weights)
    labels = np.array(runs.labels, dtype=np.int32)
    found = np.empty((n, n))

    def work(first: int, last: int) -> None:
        together, held = pair_sums(labels, w, first, last)
        found[first:last] = np.divide(together, held, out=np.full(held.shape, np.nan),
                                      where=held > 0)

    run_chunks(work, n, _ROWS)
    np.fill_diagonal(found, 1.0)
    return frozen(found)


# -- the record of `coassociation` ----------------------------------------------------------------
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
    >>> import softclust
    >>> pairs = softclust.coassociation([[0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 1]])
    >>> pairs.n_pairs, pairs.values.round(3), pairs.counts
    (6, array([0.   , 0.333, 0.667, 1.   ]), array([2, 2, 1, 1]))
    >>> softclust.coassociation([[0, 0, 1], [0, 1, 1]]).to_frame()["count"].tolist()
    [1, 2]
    >>> print(softclust.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]]).summary())
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
        >>> import softclust
        >>> softclust.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]]).cdf(0.5)
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
        >>> import softclust
        >>> softclust.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]]).pac()
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
        >>> import softclust
        >>> runs = [[0, 0, 1, 1], [0, 0, 0, 1]]
        >>> pairs = softclust.coassociation(runs, n_draws=1000, rng=0)
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
        >>> import softclust
        >>> pairs = softclust.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]], n_draws=1000, rng=0)
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
        >>> import softclust
        >>> softclust.coassociation([[0, 0, 1], [0, 1, 1]]).matrix()
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


# -- how often pairs of objects are together in runs: co-association, and how ambiguous it is -----
#: objects up to which weighted sums of all pairs are sorted
_WEIGHTED_OBJECTS = 5_000
_DRAWS = 1_000_000
#: drawn pairs of a chunk
_CHUNK = 1 << 12


def coassociation(runs: EnsembleLike, *, weights: ArrayLike | None = None,
                  n_draws: int | None = None, max_objects: int = 20_000, rng: RNG = None
                  ) -> Coassociation:
    r"""Share of the runs with both objects that put them into one cluster, for all pairs.

    Parameters
    ----------
    runs : Ensemble or what `Ensemble` takes
        B hard clusterings of n >= 2 objects.
    weights : array-like, shape (B,), optional
        Weights >= 0 of the runs; equal by default.
    n_draws : int, optional
        Number of pairs to draw, with replacement, instead of counting all pairs. By default all
        pairs are counted up to `max_objects` objects (5,000 with weights); beyond that 1,000,000
        are drawn.
    max_objects : int, optional
        Largest number of objects for which all pairs are counted by default.
    rng : None, int or numpy Generator, optional
        For the draws.

    Returns
    -------
    Coassociation
        ``.pac()``, ``.cdf(t)``, ``.mean``, ``.matrix()``, ``.plot()``. Pairs that are in no run
        together have no value and are left out of everything.

    Raises
    ------
    ClusteringError
        If a run is not hard, labels are negative, or there is no pair that any run holds.
    ValueError
        If an option is out of range.

    See Also
    --------
    cluster_stability : which clusters come back.
    element_consistency : which objects stay with the same others.

    Notes
    -----
    .. math:: M_{ij} = \frac{S_{ij}}{C_{ij}}, \quad \mathrm{PAC} = \mathrm{P}(0.1 < M_{ij} \le 0.9)

    C is the number of runs that hold both objects, S the number of these that put them together.
    PAC, the proportion of ambiguous clustering, is the share of pairs with M in (.1, .9]
    (Senbabaoglu et al. 2014); M is rounded correctly, so 9 of 10 runs count as .9. The area under
    the CDF of M is 1 - mean(M), so Monti's area and his Delta(k) say no more than the mean.

    Time O(n^2 B / 2) comparisons of bytes in blocks of rows, without a matrix of pairs; memory a
    few megabytes; the same numbers for any number of threads. With draws O(draws B).

    ConsensusClusterPlus and diceR give pairs that are in no run together the value 0, which
    lowers PAC. diceR leaves out both limits, and its weights are divided by unweighted counts.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    S. Monti, P. Tamayo, J. Mesirov, T. Golub (2003), Consensus clustering, Machine Learning 52,
    91-118.
    Y. Senbabaoglu, G. Michailidis, J. Z. Li (2014), Critical limitations of consensus clustering
    in class discovery, Scientific Reports 4, 6207.

    Examples
    --------
    >>> import softclust
    >>> pairs = softclust.coassociation(softclust.Ensemble.from_runs([[0, 0, 1, -1], [0, 0, 1, 1],
    ...                                                               [0, 1, 1, 1]]))
    >>> pairs.matrix().round(2)
    array([[1.  , 0.67, 0.  , 0.  ],
           [0.67, 1.  , 0.33, 0.5 ],
           [0.  , 0.33, 1.  , 1.  ],
           [0.  , 0.5 , 1.  , 1.  ]])
    >>> pairs.pac()
    0.5
    """
    found = as_runs(runs)
    w = run_weights(weights, found.n_runs)
    kept = None if w is None else w > 0
    labels = found.labels if kept is None else np.ascontiguousarray(found.labels[kept])
    used = np.ones(labels.shape[0]) if w is None else w[w > 0]
    n = found.n_objects
    if n < 2:
        raise ClusteringError("the runs have 1 object; at least 2 are needed for a pair")
    most = max_objects if w is None else min(max_objects, _WEIGHTED_OBJECTS)
    if n_draws is not None or n > most:
        draws = check_whole("n_draws", _DRAWS if n_draws is None else n_draws)
        return _drawn(found, labels, used, w, draws, as_generator(rng))
    table = pair_table(labels)
    if w is None:
        return Coassociation.of_table(found, table)
    values, counts = distinct_ratios(*weighted_pairs(labels, used))
    return Coassociation.of_values(found, values, counts, table.sum(axis=1), weights=w)


def _drawn(runs: Ensemble, labels: np.ndarray, used: np.ndarray, w: np.ndarray | None,
           draws: int, rng: np.random.Generator) -> Coassociation:
    n, many = runs.n_objects, labels.shape[0]
    left, right = rng.integers(0, n, draws), rng.integers(0, n - 1, draws)
    right += right >= left
    rows = np.ascontiguousarray(labels.T)
    together, held = np.empty(draws), np.empty(draws)
    counts = np.empty(draws, dtype=np.int64)

    def work(first: int, last: int) -> None:
        x, y = rows[left[first:last]], rows[right[first:last]]
        both = (x >= 0) & (y >= 0)
        held[first:last] = (both * used).sum(axis=1)
        together[first:last] = ((both & (x == y)) * used).sum(axis=1)
        counts[first:last] = both.sum(axis=1)

    run_chunks(work, draws, _CHUNK)
    if w is None:
        table = np.zeros((many + 1, many + 1), dtype=np.int64)
        np.add.at(table, (counts, together.astype(np.int64)), 1)
        return Coassociation.of_table(runs, table, n_draws=draws)
    values, found = distinct_ratios(together, held)
    return Coassociation.of_values(runs, values, found,
                                   np.bincount(counts, minlength=many + 1), weights=w,
                                   n_draws=draws)
