"""Counts of runs for all pairs of objects: runs that contain both, and runs that join them."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, check_level, check_weights, check_whole, frozen
from ..clusterings import Ensemble
from ..clusterings.draws import tell_runs
from ..results.records import Columns, Interval, Record
from ..results.summary import SummaryTable, right
from ..running.random_numbers import as_generator
from ..running.threads import progress_bar, run_chunks
from . import _kernels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .._types import RNG, ArrayLike, ClusteringLike, EnsembleLike

#: byte comparisons in a chunk of rows, about a tenth of a second
_PAIR_CHUNK = 1 << 30
#: rows of weighted sums computed at once
_ROWS = 64


# -- runs as labels ---------------------------------------------------------------------------
def as_runs(runs: Any, name: str = "runs", *, minimum: int = 1) -> Ensemble:
    """Convert `runs` to at least `minimum` runs of labels; raise if labels are negative."""
    if isinstance(runs, np.ndarray) and runs.ndim == 2 and runs.dtype.kind in "iu":
        tell_runs(name, runs)
        if runs.size and runs.min() < 0:
            raise ClusteringError(_negative(name, int(runs.min())))
    elif not isinstance(runs, Ensemble):
        runs = Ensemble(runs)
        check_labels(runs, name)
    ensemble = Ensemble.from_runs(runs)
    if ensemble.n_runs < minimum:
        raise ClusteringError(f"{name} has {ensemble.n_runs} run; at least {minimum} are needed")
    return ensemble


def check_labels(members: Ensemble, name: str = "runs") -> None:
    """Raise if a hard clustering that was given as labels has negative ones."""
    for member in members:
        low = member.cluster_names[0] if member.hard_codes is not None else 0
        if isinstance(low, int) and low < 0:
            raise ClusteringError(_negative(name, low))


def _negative(name: str, label: int) -> str:
    return (f"{name} has the label {label}, which may mean absent or noise: use "
            "Ensemble.from_runs(labels, absent_label=) for objects that are not in a run, or "
            "Ensemble(labels, noise=) to say how noise is treated")


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """part / whole; nan if whole is 0."""
    return np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0)


# -- pairs of objects -------------------------------------------------------------------------
def pair_table(labels: np.ndarray) -> np.ndarray:
    """Numbers of pairs by runs that contain both and runs that join them, (B + 1, B + 1)."""
    many, n = labels.shape
    table, lock = np.zeros((many + 1, many + 1), dtype=np.int64), threading.Lock()
    labels = np.array(labels, dtype=np.int32)

    def work(first: int, last: int) -> None:
        part, block = np.zeros_like(table), _kernels.runs.BLOCK
        _kernels.runs.count_pairs(labels, first, last, *np.empty((2, block), np.int32), part)
        with lock:   # whole numbers: the order does not matter
            table[:] += part

    with progress_bar(False, "coassociation", "n_draws= uses a sample of the pairs.") as show:
        run_chunks(work, n, max(1, _PAIR_CHUNK // (n * many)), progress=show)
    return table


def pair_sums(labels: np.ndarray, weights: np.ndarray, first: int, last: int
              ) -> tuple[np.ndarray, np.ndarray]:
    """S and C of objects `first` to `last` - 1 with all: weights of the runs that join them, and
    of those that contain them, (rows, n) each."""
    together, held = np.zeros((2, last - first, labels.shape[1]))
    for row, weight in zip(labels, weights):
        joined = row[first:last, None] == row
        if row.min() < 0:
            both = (row[first:last, None] >= 0) & (row >= 0)
            joined &= both
            held += weight * both
        else:
            held += weight
        together += weight * joined
    return together, held


# -- the result of `coassociation` ----------------------------------------------------------------
#: below this median number of runs per pair, M has few values and PAC is uninformative
FEW_RUNS = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Coassociation(Record):
    """Share of runs in which pairs of objects are together; made by `coassociation`.

    Attributes
    ----------
    runs : Ensemble
    weights : (B,) float64 or None
        Weights of the runs; None for equal ones.
    exact : bool
        True if all pairs were counted, not a sample.
    n_draws : int
        Number of pairs drawn; 0 if all were counted.
    n_pairs : int
        Number of pairs that are in some run together: those that have a value M.
    never_together : int
        Number of pairs that are in no run together; they are left out.
    values : (m,) float64
        Distinct values of M, in increasing order.
    counts : (m,) int64
        Number of pairs with each value.
    histogram : (h, 3) int64 or None
        Runs that contain both, runs that join them, number of such pairs, for all combinations that
        occur; None with weights.
    held : (B + 1,) int64
        Number of pairs by the number of runs (of positive weight) that contain both.

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
    weights: Annotated[np.ndarray | None, "f runs >=0"] = None
    n_draws: int = 0
    n_pairs: int
    never_together: int
    values: Annotated[np.ndarray, "f m"]
    counts: Annotated[np.ndarray, "i m >=0"]
    histogram: Annotated[np.ndarray | None, "i h 3 >=0"] = None
    held: Annotated[np.ndarray, "i runs+1 >=0"]

    @property
    def exact(self) -> bool:
        """True if all pairs were counted, not a sample."""
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
        """Smallest number of runs that contain a pair."""
        return int(np.flatnonzero(self.held)[0])

    @property
    def median_held(self) -> float:
        """Median number of runs that contain a pair."""
        steps, total = np.cumsum(self.held), int(self.held.sum())
        low, high = np.searchsorted(steps, [(total - 1) // 2, total // 2], side="right")
        return float(low + high) / 2

    def _at_most(self, t: Any) -> np.ndarray:
        """Number of pairs with M <= t."""
        place = np.searchsorted(self.values, np.asarray(t, dtype=np.float64), side="right")
        return np.concatenate([[0], self._cumulated])[place]

    def cdf(self, t: ArrayLike) -> Any:
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

    def pac(self, lower: float = 0.1, upper: float = 0.9,
            closed: Literal["right", "neither"] = "right") -> float:
        """Proportion of ambiguous clustering: the share of pairs with M between two limits.

        Parameters
        ----------
        lower, upper : float
            The limits.
        closed : {"right", "neither"}
            "right": M = `upper` counts, CDF(upper) - CDF(lower). "neither": strictly between.

        Returns
        -------
        float
            0 if no pair is ambiguous. It depends on the number of runs per pair: with one run
            nothing is ambiguous.

        Examples
        --------
        >>> import softclust
        >>> softclust.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]]).pac()
        0.5
        """
        return self._ambiguous(lower, upper, closed) / self.n_pairs

    def pac_interval(self, lower: float = 0.1, upper: float = 0.9,
                     closed: Literal["right", "neither"] = "right", *, level: float = 0.95
                     ) -> Interval:
        """Clopper-Pearson interval of `pac` for drawn pairs; the value itself if all were counted.

        Parameters
        ----------
        lower, upper, closed
            As in `pac`.
        level : float
            Minimum probability that the interval covers the PAC of all pairs.

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
        k, m = self._ambiguous(lower, upper, closed), self.n_pairs
        tail = 1.0 - check_level(level, whole=True)
        if self.exact:
            return Interval(k / m, k / m)
        from statsmodels.stats.proportion import proportion_confint
        return Interval(*map(float, proportion_confint(k, m, tail, method="beta")))

    def cdf_band(self, level: float = 0.95) -> np.ndarray:
        """Band for the whole CDF of all pairs, from drawn ones (Dvoretzky-Kiefer-Wolfowitz).

        Parameters
        ----------
        level : float
            Minimum probability that the band covers the CDF everywhere.

        Returns
        -------
        ndarray, shape (m, 2)
            Lower and upper end at each of `values`; both equal the CDF if all pairs were counted.

        Examples
        --------
        >>> import softclust
        >>> pairs = softclust.coassociation([[0, 0, 1, 1], [0, 0, 0, 1]], n_draws=1000, rng=0)
        >>> pairs.cdf_band().shape
        (3, 2)
        """
        share = self._cumulated / self.n_pairs
        left = 1.0 - check_level(level, whole=True)
        wide = 0.0 if self.exact else 1.0 if left == 0.0 else math.sqrt(
            math.log(2.0 / left) / (2 * self.n_pairs))
        return np.clip(np.column_stack([share - wide, share + wide]), 0.0, 1.0)

    def matrix(self, max_objects: int = 2_000) -> np.ndarray:
        """Matrix of M for all pairs of objects.

        Parameters
        ----------
        max_objects : int
            Largest number of objects for which the matrix is computed.

        Returns
        -------
        ndarray, shape (n, n)
            nan if no run contains both; the diagonal is 1.

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
                                  f"{max_objects} allows; use .pac() or .cdf(), use .subset of "
                                  "the runs, or raise max_objects=")
        weights = np.ones(self.runs.n_runs) if self.weights is None else self.weights
        shares = np.empty((n, n))

        def work(first: int, last: int) -> None:
            shares[first:last] = ratio(*pair_sums(self.runs.labels, weights, first, last))

        run_chunks(work, n, _ROWS)
        np.fill_diagonal(shares, 1.0)
        return frozen(shares)

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
            notes.append(f"Sampled: {self.n_draws} pairs drawn with replacement; 95 % "
                         f"confidence interval of PAC {ends.low:.4f} to {ends.high:.4f}.")
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

    def plot(self, ax: Axes | None = None, *, kind: Literal["cdf", "matrix"] = "cdf",
             order: ClusteringLike | None = None) -> Axes:
        """Draw the CDF of M, or the matrix with similar objects side by side.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        kind : {"cdf", "matrix"}
            "cdf": with the window of PAC shaded, and the band for drawn pairs. "matrix": up to
            2,000 objects.
        order : clustering-like, optional
            "matrix": clustering by which to order the objects; by default the order is that of an
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


# -- co-association: share of runs in which pairs of objects are together, and its ambiguity -------
#: largest number of objects for which weighted sums of all pairs are sorted
_WEIGHTED_OBJECTS = 5_000
_DRAWS = 1_000_000
#: drawn pairs per chunk
_CHUNK = 1 << 12


def coassociation(runs: EnsembleLike, *, weights: ArrayLike | None = None,
                  n_draws: int | None = None, max_objects: int = 20_000, rng: RNG = None
                  ) -> Coassociation:
    r"""Compute, for all pairs of objects, the share of runs that put them into the same cluster.

    Parameters
    ----------
    runs : Ensemble, or anything that `Ensemble` takes
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
        Seed or generator for the draws.

    Returns
    -------
    Coassociation
        ``.pac()``, ``.cdf(t)``, ``.mean``, ``.matrix()``, ``.plot()``. Pairs that are in no run
        together have no value and are left out.

    Raises
    ------
    ClusteringError
        If a run is not hard, labels are negative, or no pair is in any run together.
    ValueError
        If an option is out of range.

    See Also
    --------
    cluster_stability : stability of clusters.
    element_consistency : consistency of objects.

    Notes
    -----
    .. math:: M_{ij} = \frac{S_{ij}}{C_{ij}}, \quad \mathrm{PAC} = \mathrm{P}(0.1 < M_{ij} \le 0.9)

    C is the number of runs that contain both objects, S the number of these that put them together.
    PAC, the proportion of ambiguous clustering, is the share of pairs with M in (.1, .9]
    (Senbabaoglu et al. 2014); M is rounded correctly, so 9 of 10 runs count as .9. The area under
    the CDF of M is 1 - mean(M), so Monti's area and his Delta(k) say no more than the mean.

    Time O(n^2 B / 2) byte comparisons in blocks of rows, without a matrix of pairs; memory a few
    megabytes; the same numbers for any number of threads. With draws O(draws B).

    ConsensusClusterPlus and diceR give pairs that are in no run together the value 0, which lowers
    PAC. diceR excludes both limits, and divides its weights by unweighted counts.

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
    ensemble = as_runs(runs)
    w = None if weights is None else check_weights(weights, ensemble.n_runs, "runs")
    if w is not None and (w == w[0]).all():
        w = None
    labels = ensemble.labels if w is None else ensemble.labels[w > 0]
    used = np.ones(labels.shape[0]) if w is None else w[w > 0]
    n = ensemble.n_objects
    if n < 2:
        raise ClusteringError("the runs have 1 object; at least 2 are needed for a pair")
    limit = max_objects if w is None else min(max_objects, _WEIGHTED_OBJECTS)
    n_drawn, rows = 0, None
    if n_draws is not None or n > limit:
        n_drawn = check_whole("n_draws", _DRAWS if n_draws is None else n_draws)
        joined, held, runs_held = _drawn(labels, used, n_drawn, as_generator(rng))
        numbers = np.ones(n_drawn)
        if w is None:
            table = np.zeros((labels.shape[0] + 1,) * 2, dtype=np.int64)
            np.add.at(table, (runs_held, joined.astype(np.int64)), 1)
    elif w is None:
        table = pair_table(labels)
    else:
        blocks = []
        for first in range(0, n, _ROWS):
            sums = np.stack(pair_sums(labels, used, first, min(n, first + _ROWS)))
            blocks.append(sums[:, *np.triu_indices(sums.shape[1], first + 1, n)])
        joined, held = np.concatenate(blocks, axis=1)
        numbers, runs_held = np.ones(joined.size), pair_table(labels).sum(axis=1)
    if w is None:
        held, joined = np.nonzero(table)
        numbers, runs_held = table[held, joined], table.sum(axis=1)
        rows = frozen(np.column_stack([held, joined, numbers]))
    elif n_drawn:
        runs_held = np.bincount(runs_held, minlength=labels.shape[0] + 1)
    values, place = np.unique(joined[held > 0] / held[held > 0], return_inverse=True)
    if not values.size:
        raise ClusteringError("no pair of objects is in any run together; runs need two objects "
                              "or more")
    counts = np.bincount(place.reshape(-1), numbers[held > 0]).astype(np.int64)
    return Coassociation(
        runs=ensemble, weights=w, n_draws=n_drawn, values=frozen(values), counts=frozen(counts),
        n_pairs=int(counts.sum()), never_together=int(runs_held[0]), histogram=rows,
        held=frozen(runs_held.astype(np.int64)))


def _drawn(labels: np.ndarray, weights: np.ndarray, n_draws: int, rng: np.random.Generator
           ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """S and C of drawn pairs of objects, and the number of runs that contain each."""
    n = labels.shape[1]
    left, right = rng.integers(0, n, n_draws), rng.integers(0, n - 1, n_draws)
    right += right >= left
    rows = np.ascontiguousarray(labels.T)
    together, held = np.empty((2, n_draws))
    counts = np.empty(n_draws, dtype=np.int64)

    def work(first: int, last: int) -> None:
        x, y = rows[left[first:last]], rows[right[first:last]]
        both = (x >= 0) & (y >= 0)
        held[first:last] = (both * weights).sum(axis=1)
        together[first:last] = ((both & (x == y)) * weights).sum(axis=1)
        counts[first:last] = both.sum(axis=1)

    run_chunks(work, n_draws, _CHUNK)
    return together, held, counts
