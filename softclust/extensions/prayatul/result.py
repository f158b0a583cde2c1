"""The result of `prayatul`: the matrix, its measures, and further analyses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from ..._checks import ClusteringError, check_choice, frozen, shown
from ...results.records import POSITION, Columns, Drawn, Interval, Record
from ...results.summary import SummaryTable
from ...results.text import number, range_text
from ...running.threads import Progress
from .counts import HardTriple
from .inference import PrayatulIntervals
from .per_object import (
    MEASURES,
    OUTCOMES,
    RANDS,
    RANGES,
    SYMBOLS,
    PrayatulObjects,
    PrayatulParts,
    bounds_table,
    noise_notes,
    pairs_text,
)
from .soft_counts import ExpectedTriple, MinimumTriple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..._types import RNG, ArrayLike
    from ...clusterings import Aligned


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class PrayatulResult(Drawn, Record):
    """Two clusterings compared directly against a truth; made by `prayatul`.

    Attributes
    ----------
    n : int
        Number of objects compared.
    pairs : int or float
        Number T of pairs, n(n-1)/2; their total weight when there are weights.
    both_right, right_wrong, wrong_right, both_wrong : int or float
        Numbers of pairs by whether the primary (first word) and the alternative are right about
        them; they sum to `pairs`. Exact Python integers for hard clusterings without weights.
    comparative_deviation : float
        sigma = (RW - WR) / (RW + WR), in [-1, 1]. It may depend on a single pair: read it together
        with `delta` and RW + WR.
    polarization : float
        alpha = (BR + RW - BW) / T, in [-1, 1].
    comparative_rightness : float
        xi_c = (BR + RW) / (BR + RW + WR), in [0, 1].
    effective_rightness : float
        xi_e = (BR + RW - WR) / (BR + RW + WR) = 2 xi_c - 1, in [-1, 1].
    effective_superiority : float
        phi = (BR + RW - WR) / T, in [-1, 1].
    delta : float
        (RW - WR) / T = rand_primary - rand_alternative, in [-1, 1].
    rand_primary, rand_alternative : float
        Rand index with the truth, in [0, 1].
    rand_between : float
        Share of the pairs about which both are right or both wrong, in [0, 1]: for a hard truth
        the Rand index of primary and alternative.
    names : (str, str)
        Names of primary and alternative.
    kinds : (str, str, str)
        Kinds of truth, primary and alternative.
    coupling : str
        "hard" if all three are hard (and "evidential" was not requested), else "expected",
        "minimum" or "evidential".
    empty : str or None
        Treatment of mass on the empty set, for coupling="evidential".
    n_noise : (int, int)
        Objects with the noise label in primary and alternative, before `noise` is applied.
    n_dropped : int
        Objects left out by noise="drop".
    weights : ndarray, shape (n,), or None
    positions : ndarray, shape (n,), or None
        Positions in the input of the objects compared, when some were dropped.
    object_names : tuple or None
    alignment : Aligned or None
        How noise, missing labels and differing objects were treated; None if there were none.

    Notes
    -----
    With coupling="evidential" every count and measure is an `Interval`, nan if it is undefined
    however the unknown pairs are settled; the matrix is 3 x 3, by right, wrong and unknown of the
    primary (rows) and of the alternative. The intervals are outer bounds: each unknown cell is
    settled in the best or worst way for a measure, even if no partition allows that for all pairs
    at once. They contain every hard clustering that the focal sets allow. In this case there are no
    rows by object, no parts and no confidence intervals.

    All five measures order two clusterings as their Rand indices with the truth do; none is
    corrected for chance (`summary` shows the adjusted Rand index beside them). Exchanging primary
    and alternative transposes the matrix; labels are names only.

    ``to_frame()``: the counts and measures. Indexed by quantity: value, share (of all pairs; nan
    for measures), low, high (range); lower and upper with coupling="evidential".

    Examples
    --------
    >>> import softclust
    >>> result = softclust.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    >>> result.matrix
    array([[2, 4],
           [2, 2]])
    >>> result.delta, result.rand_primary - result.rand_alternative
    (0.2, 0.19999999999999996)
    >>> result.to_frame().loc["polarization", "value"]
    0.4
    >>> print(result.summary())
    Prayatul matrix of primary and alternative, 5 objects, 10 pairs
    ...
    both right 2 0.2000
    ...
    """

    _chart = "plot_prayatul"

    n: Annotated[int, ">=1"]
    pairs: int | float
    both_right: int | float | Interval
    right_wrong: int | float | Interval
    wrong_right: int | float | Interval
    both_wrong: int | float | Interval
    comparative_deviation: float | Interval
    polarization: float | Interval
    comparative_rightness: float | Interval
    effective_rightness: float | Interval
    effective_superiority: float | Interval
    delta: float | Interval
    rand_primary: float | Interval
    rand_alternative: float | Interval
    rand_between: float | Interval
    names: tuple[str, str] = ("primary", "alternative")
    kinds: tuple[str, str, str]
    coupling: str
    empty: str | None = None
    n_noise: tuple[int, int] = (0, 0)
    n_dropped: int = 0
    weights: Annotated[np.ndarray | None, "f m >=0"] = None
    positions: Annotated[np.ndarray | None, "i k >=0"] = field(default=None, metadata=POSITION)
    object_names: tuple[Any, ...] | None = None
    alignment: Aligned | None = None
    #: source of rows, parts and resamples
    triple: Any = field(repr=False)

    def _check(self) -> None:
        matrix = isinstance(self.triple, np.ndarray)
        if (self.triple.shape != (3, 3) or self.coupling != "evidential") if matrix else (
                not isinstance(self.triple, (HardTriple, ExpectedTriple, MinimumTriple))
                or self.triple.coupling != self.coupling or self.triple.n != self.n):
            raise ClusteringError("the counts of a stored comparison do not fit it")
        if not matrix and not math.isclose(self.pairs, self.triple.pairs):
            raise ClusteringError("the pairs of a stored comparison are not those of its objects")

    def __repr__(self) -> str:
        if self.coupling == "evidential":
            return (f"PrayatulResult({self.names[0]} against {self.names[1]}, n={self.n}, "
                    f"delta={self.delta:.4f})")
        counts = ", ".join(f"{name}={pairs_text(value)}"
                           for name, value in zip(OUTCOMES, self.counts))
        return f"PrayatulResult({counts}, delta={self.delta:.4f})"

    @property
    def counts(self) -> tuple[Any, Any, Any, Any]:
        """BR, RW, WR, BW."""
        return self.both_right, self.right_wrong, self.wrong_right, self.both_wrong

    @property
    def matrix(self) -> np.ndarray:
        """[[BR, RW], [WR, BW]], (2, 2): rows primary, columns alternative, right before wrong.

        int64 for exact counts (Python integers beyond 2^63), float64 otherwise. (3, 3) with
        coupling="evidential": right, wrong, unknown.
        """
        if self.coupling == "evidential":
            matrix: np.ndarray = self.triple
            return matrix
        return as_matrix(self.counts)

    def _need_counts(self, what: str) -> None:
        if self.coupling == "evidential":
            raise ClusteringError(f'coupling="evidential" gives bounds alone; .{what} needs '
                                  'counts: coupling="expected" or "minimum"')

    def objects(self, by: Literal["object", "cell"] = "object") -> PrayatulObjects:
        """Find the objects that each clustering gets right.

        Parameters
        ----------
        by : {"object", "cell"}
            One row per object, or one row for all objects of a cell of truth x primary x
            alternative (they are equal): small however large n is. "cell" needs hard
            clusterings without weights; a result of `prayatul_from_counts` has cells only.

        Returns
        -------
        Counts over the n - 1 partners of each object, shares and `advantage`, in total and
        within the class.
            within the class.

        Raises
        ------
        ClusteringError
            If rows by cell, or by object, do not exist here.

        Notes
        -----
        The rows sum to twice the matrix, and the matrix less row i is the matrix without object
        i. Time O(n) for hard clusterings, O(n c c') for expected counts; minimum coupling has
        them already.

        Examples
        --------
        >>> import softclust
        >>> result = softclust.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
        >>> result.objects().rows[0]
        array([1, 2, 0, 1])
        """
        check_choice("by", by, ("object", "cell"))
        self._need_counts("objects()")
        sides = self.triple.sides
        if by == "object" and sides is None:
            raise ClusteringError('a table of counts has no single objects; .objects(by="cell") '
                                  "gives a row for each cell")
        rows = self.triple.rows(by)
        if by == "cell":
            cells = self.triple.cells
            codes = [cells.g.tolist(), cells.p.tolist(), cells.q.tolist()]
            if sides is not None:
                codes = [[side.cluster_names[k] for k in column]
                         for side, column in zip(sides, codes)]
            labels: Sequence[Any] = tuple(zip(*codes))
        elif self.object_names is not None:
            labels = self.object_names
        else:
            labels = range(self.n) if self.positions is None else tuple(self.positions.tolist())
        return PrayatulObjects(
            by=by, names=self.names, rows=frozen(rows.rows), count=frozen(rows.count),
            same_class=None if rows.same is None else frozen(rows.same),
            partners=rows.partners, labels=labels)

    def parts(self) -> PrayatulParts:
        """Split the matrix into pairs of the same class and pairs of two classes.

        Returns
        -------
        PrayatulParts
            Wrong in the same class: the class was split. Wrong in different classes: the classes
            were mixed.

        Raises
        ------
        ClusteringError
            With coupling="minimum" and a soft truth, where pairs are of one class in part only.

        Notes
        -----
        Time O(n) for hard clusterings, O(n c c' c'') for expected counts.

        Examples
        --------
        >>> import softclust
        >>> softclust.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0]).parts().same_class
        array([[0, 2],
               [1, 1]])
        """
        self._need_counts("parts()")
        same = self.triple.same_class
        rest = tuple(a - b for a, b in zip(self.counts, same))
        if not isinstance(same[0], int):
            rest = tuple(max(v, 0.0) for v in rest)
        return PrayatulParts(same_class=as_matrix(same), different_class=as_matrix(rest),
                             names=self.names)

    def jackknife(self, level: float = 0.95) -> PrayatulIntervals:
        """Compute confidence intervals, and a test of delta = 0, by leaving out objects.

        Parameters
        ----------
        level : float
            Coverage, strictly between 0 and 1.

        Returns
        -------
        PrayatulIntervals
            Estimate, standard error and interval of delta and of the five measures;
            ``.significant`` is the test, ``.p_value`` its p-value. Intervals are cut at the
            ends of the range of a measure.

        Raises
        ------
        ClusteringError
            If there are fewer than 3 objects.

        Warns
        -----
        UndefinedMeasureWarning
            For measures whose interval is undefined; comparative_deviation has none when RW or
            WR is 0 (it is -1 or 1 in every subset then).

        Notes
        -----
        With h_i the advantage of object i, SE(delta)^2 = 4(n-1) / (n (n-2)^2) sum (h_i -
        delta)^2, which is the leave-one-out jackknife; the interval is delta +- t SE with n - 1
        degrees of freedom. Other measures are left-one-out too. An object leaves with all its
        weight. Time O(cells) after `objects(by="cell")`.

        There is no McNemar test of RW against WR: it assumes that pairs are independent, but pairs
        that share an object are not. The variance of RW - WR grows like n^3, McNemar assumes RW +
        WR, of order n^2. With two exchangeable clusterings and n = 200 it rejects at the 5 %
        level in more than 70 % of the data sets, this test in about 5 %; for two clusterings at
        chance level this test is conservative. Coverage of the intervals of the measures is 92 to
        95 % from n = 200 on, 86 to 94 % at n = 50.

        Labels are held fixed and objects are sampled; see `PrayatulIntervals` for what this
        does not cover.

        Examples
        --------
        >>> import softclust
        >>> result = softclust.prayatul([0] * 6 + [1] * 6, [0] * 5 + [1] * 7, [0, 1] * 6)
        >>> round(result.jackknife().p_value, 3)
        0.044
        """
        self._need_counts("jackknife()")
        from .inference import jackknife
        return jackknife(self, level)

    def bootstrap(self, rng: RNG = None, *, indices: ArrayLike | None = None,
                  weights: ArrayLike | None = None, n_resamples: int = 1000, level: float = 0.95,
                  progress: Progress | bool | None = False) -> PrayatulIntervals:
        """Compute percentile intervals by resampling objects.

        Parameters
        ----------
        rng : None, int or Generator
            Draws `n_resamples` samples of n objects with replacement; replicate b has a child
            generator of its own, so the number of threads does not matter.
        indices : array-like of int, shape (n_resamples, k), optional
            Given draws: positions of the objects of each sample.
        weights : array-like, shape (n_resamples, n), optional
            Given weights >= 0 instead, such as counts or those of the Bayesian bootstrap.
        n_resamples : int
            Number of samples to draw.
        level : float
            Coverage, strictly between 0 and 1.
        progress : bool or callable, optional
            True for a progress bar, or a function (resamples_done, resamples_total).

        Returns
        -------
        PrayatulIntervals
            With ``.replicates`` (n_resamples, 6).

        Raises
        ------
        ValueError
            If draws have a wrong shape or more than one of rng, indices, weights is given.

        Warns
        -----
        UndefinedMeasureWarning
            For measures that are undefined here or in some resample.

        Notes
        -----
        Copies of the same object never form a pair: S = (sum of squared weighted cell totals - sum
        w_i^2) / 2. Otherwise T/n spurious pairs would count as right in both, on average.
        Weights of the result multiply those of the resample. Time O(n) per resample for hard
        clusterings, O(n c c') for expected counts, O(n^2) for minimum coupling. Labels are held
        fixed; see `PrayatulIntervals`.

        Examples
        --------
        >>> import softclust
        >>> result = softclust.prayatul([0] * 12 + [1] * 12, [0] * 11 + [1] * 13, [0, 1] * 12)
        >>> result.bootstrap(0, n_resamples=200).significant
        True
        """
        self._need_counts("bootstrap()")
        from .inference import bootstrap
        return bootstrap(self, rng, indices, weights, n_resamples, level, progress)

    def _frame(self) -> Columns:
        names = (*OUTCOMES, *RANGES)
        values = [getattr(self, name) for name in names]
        if self.coupling == "evidential":
            return Columns({"lower": [v.low for v in values], "upper": [v.high for v in values]},
                           {"quantity": names})
        shares = [value / self.pairs for value in self.counts] + [math.nan] * len(RANGES)
        low, high = zip(*[(0, self.pairs)] * len(OUTCOMES), *RANGES.values())
        return Columns({"value": np.array(values, object), "share": shares,
                        "low": np.array(low, object), "high": np.array(high, object)},
                       {"quantity": names})

    def _table(self) -> SummaryTable:
        if self.coupling == "evidential":
            return bounds_table(self)
        primary, alternative = self.names
        outcomes = ("both right", f"only {primary} right", f"only {alternative} right",
                    "both wrong")
        rows = [[name, pairs_text(value), number(value / self.pairs), ""]
                for name, value in zip(outcomes, self.counts)]
        rows += [[f"{name.replace('_', ' ')} ({SYMBOLS[name]})", number(getattr(self, name)), "",
                  range_text(*RANGES[name])] for name in MEASURES]
        rows += [[called, number(getattr(self, name)), "", range_text(*RANGES[name])]
                 for called, name in (
                     ("delta = difference of Rand indices", "delta"),
                     *((f"Rand index of {who}", name) for who, name in zip(
                         (primary, alternative, "one with the other"), RANDS)))]
        return SummaryTable(
            rows, ["", "value", "share", "range"], aligns="lrrl", notes=self._notes(),
            title=f"Prayatul matrix of {primary} and {alternative}, {self.n:,} objects, "
                  f"{pairs_text(self.pairs)} pairs")

    def _notes(self) -> list[str]:
        primary, alternative = self.names
        notes = ["Shares are of all pairs of objects. No measure is corrected for chance."]
        if self.coupling == "hard" and self.weights is None:
            from ...tables.pair_counting import adjusted_rand
            from ...tables.pair_counts import PairCounts
            first, second = (number(adjusted_rand(PairCounts.of(table)))
                             for table in (self.triple.gp, self.triple.gq))
            notes[0] += (f" Adjusted Rand index with the truth: {primary} {first}, "
                         f"{alternative} {second}.")
        if self.coupling != "hard":
            notes.append(f"Soft clusterings: {self.coupling} coupling.")
        if self.weights is not None:
            notes.append("Objects are weighted: counts are total weights of pairs.")
        if self.alignment is not None:
            notes.insert(0, f"{self.alignment.header}.")
        return notes + noise_notes(self.n_noise, self.n_dropped, self.names)


def as_matrix(counts: Any) -> np.ndarray:
    """Four counts as a read-only (2, 2) array: int64, Python integers beyond it, or float64."""
    values = list(counts)
    kind: Any = np.float64
    if all(isinstance(v, int) for v in values):
        kind = np.int64 if max(values) < 1 << 63 else object
    return frozen(np.array(values, dtype=kind).reshape(2, 2))


# -- every ordered pair of several clusterings, as in Table I -------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class PrayatulTable(Record):
    """Several clusterings, every ordered pair compared directly; made by `prayatul_all`.

    Attributes
    ----------
    names : tuple of str
        Names of the clusterings.
    results : tuple of PrayatulResult
        One per ordered pair: for each primary in order, every other one as alternative. Iterating
        gives the same; ``table[primary, alternative]`` gives one.
    n : int
        Number of objects given.
    notes : tuple of str
        Warnings, "primary, alternative: text".
    alignment : Aligned or None
        How missing labels and differing objects were treated, truth first; None if there were
        none. For noise see the results.

    Notes
    -----
    ``to_frame()``: one row per ordered pair. Indexed by (primary, alternative): the four counts,
    the five measures, delta and the three Rand indices; for bounds each twice, as <name>_low and
    <name>_high.

    Examples
    --------
    >>> import softclust
    >>> table = softclust.prayatul_all([0, 0, 0, 1, 1],
    ...                                {"one": [0, 0, 1, 1, 1], "two": [0, 1, 1, 1, 0],
    ...                                 "three": [0, 0, 0, 1, 2]})
    >>> len(table), table["three", "two"].delta
    (6, 0.5)
    >>> clusterings = {"one": [0, 0, 1, 1, 1], "two": [0, 1, 1, 1, 0]}
    >>> print(softclust.prayatul_all([0, 0, 0, 1, 1], clusterings).summary())
    Direct comparison of 2 clusterings of 5 objects against the truth
    ...
    one two 0.3333 0.4000 0.7500 0.5000 0.4000 0.2000 6
    two one -0.3333 0.2000 0.5000 0.0000 0.0000 -0.2000 6
    ...
    """

    names: Annotated[tuple[str, ...], "distinct"]
    results: tuple[Any, ...]
    n: Annotated[int, ">=1"]
    notes: tuple[str, ...] = ()
    alignment: Aligned | None = None

    def _check(self) -> None:
        if [getattr(each, "names", None) for each in self.results] != [*permutations(self.names,
                                                                                     2)]:
            raise ClusteringError("the comparisons of a stored table are not those of its names")

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.results)

    def __repr__(self) -> str:
        return f"PrayatulTable({', '.join(self.names)}; n={self.n})"

    def __getitem__(self, pair: tuple[str, str]) -> Any:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"{shown(pair)} is not a pair of names, such as "
                            f"table[{self.names[0]!r}, {self.names[-1]!r}]")
        for result in self.results:
            if result.names == pair:
                return result
        raise KeyError(f"there is no row {shown(pair)}; two different names of {self.names!r}, "
                       "primary and alternative, are needed")

    def _frame(self) -> Columns:
        columns: dict[str, Any] = {}
        for name in (*OUTCOMES, *RANGES):
            values = [getattr(result, name) for result in self.results]
            if any(isinstance(value, Interval) for value in values):
                columns |= {f"{name}_{end}": [getattr(v, end) for v in values]
                            for end in ("low", "high")}
            else:
                columns[name] = values
        primary, alternative = zip(*(result.names for result in self.results))
        return Columns(columns, {"primary": primary, "alternative": alternative})

    def _table(self) -> SummaryTable:
        before = [] if self.alignment is None else [f"{self.alignment.header}."]
        noise = {name: count for result in self.results
                 for name, count in zip(result.names, result.n_noise) if count}
        if noise:
            before.append(f"Noise objects: {', '.join(f'{v} in {k}' for k, v in noise.items())}.")
        rows = []
        for result in self.results:
            if result.coupling != "evidential":
                _, only_first, only_second, _ = result.counts
                differing = pairs_text(only_first + only_second)
            else:   # the certain and the possible number
                certain = float(result.matrix[0, 1] + result.matrix[1, 0])
                possible = certain + float(result.matrix[2].sum() + result.matrix[:2, 2].sum())
                differing = f"[{pairs_text(certain)}, {pairs_text(possible)}]"
            rows.append([*result.names, *(_text(getattr(result, name))
                                          for name in (*MEASURES, "delta")), differing])
        return SummaryTable(
            rows, ["primary", "alternative", *SYMBOLS.values(), "delta", "RW + WR"],
            aligns="ll" + "r" * 7,
            title=f"Direct comparison of {len(self.names)} clusterings of {self.n:,} objects "
                  "against the truth",
            notes=["sigma: comparative deviation, alpha: polarization, xi_c: comparative "
                   "rightness, xi_e: effective rightness, phi: effective superiority; delta: "
                   "difference of the Rand indices with the truth; RW + WR: pairs about which "
                   "only one is right, on which sigma rests. They are not corrected for chance.",
                   *before, *(f"Note: {note}." for note in self.notes)])

    def plot(self) -> Figure:
        """Draw a figure of mosaics, one per ordered pair; see `softclust.plotting`.

        Returns
        -------
        matplotlib.figure.Figure
            Row: primary, column: alternative.

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        from ...plotting import plot_prayatul_table
        return plot_prayatul_table(self)


def _text(value: float | Interval) -> str:
    if not isinstance(value, Interval):
        return number(value)
    return "undefined" if value.low != value.low else f"{value:.3f}"
