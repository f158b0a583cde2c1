"""`sampled_truth()`, `sampled_pairs()`: agreement with a truth that is known for a sample only.

Each measure is a function of totals, over true clusters, of numbers that follow from one true
cluster and the sizes of the predicted clusters, which are known for all objects. Totals are
estimated with the inclusion probabilities, and so are their errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, check_level, shown
from .._types import ArrayLike, ClusteringLike
from ..clusterings import HardClustering, as_clustering
from ..clusterings.objects import ordered
from ..measures import Measure, get_measure, in_reading_order, measure_of, places_of
from ..results.records import Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable, right
from ..results.text import amount, position
from ..tables.quotient import Polynomial, Ratio
from .limits import LogLimits, student

DESIGNS = ("clusters", "objects")
#: smallest effective number of units for a denominator, and for an agreement or the errors
FEWEST_UNITS, FEWEST_DEVIATING = 10.0, 2.0
_UNITS = {"clusters": "true clusters", "objects": "objects", "pairs": "pairs of objects"}


# -- records --------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMeasure:
    """One row of a `SampledTruth`.

    Attributes
    ----------
    name : str
    value : float
        The estimate; nan where it is undefined.
    standard_error : float
        Standard error under the sampling design; 0 for a census.
    low, high : float
        Ends of the confidence interval; nan if there is none, the value for a census.
    degrees_of_freedom : float
        Degrees of freedom of Student's quantile; nan if there is no interval.
    n_effective : float
        Effective number of sampled units in the denominator; for pairs, of matches or
        mismatches, whichever is smaller.
    method : str
        "design", "census" or "none".
    note : str
        Why there is no interval.
    """

    name: str
    value: float
    standard_error: float
    low: float
    high: float
    degrees_of_freedom: float
    n_effective: float
    method: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SampledTruth(Drawn, Tidied, Record):
    """Agreement with a truth known for a sample; made by `sampled_truth` and `sampled_pairs`.

    Attributes
    ----------
    rows : tuple of SampledMeasure
        One per measure; ``found["pair_recall"]`` is the row of that name.
    n_units : int
        Number of sampled true clusters, objects or pairs.
    design : str
        "clusters", "objects" or "pairs".
    share : float
        Sampled share of all objects or pairs; nan for clusters, whose number is not known.
    totals : mapping of str to float
        Estimated totals: "joined_in_both", "joined_in_truth" and "joined_in_predicted" pairs,
        and "objects". Unbiased for true clusters and objects (Horvitz and Thompson).
    n_objects : int
    level : float
        Confidence level of the intervals.

    Notes
    -----
    ``to_frame()``: one row per measure. Indexed by measure: value, standard_error, low, high,
    degrees_of_freedom, n_effective, method, note.

    Examples
    --------
    >>> import softclust
    >>> softclust.sampled_truth([0, 0, 1, 1], [0, 0, 0, 1], design="clusters", probabilities=1)
    SampledTruth(11 measures; 2 true clusters sampled, 4 objects)
    >>> print(softclust.sampled_truth([0, 0, 1, 1], [0, 0, 0, 1], design="clusters",
    ...                               probabilities=1, measures="pair_recall").summary())
    2 true clusters sampled (design: clusters)
    ...
    """

    _chart = "plot_sampled_truth"
    _tidy = ("term=measure estimate=value std_error=standard_error conf_low=low conf_high=high "
             "method=method")
    _glance = ("design", "n_units", "share", "n_objects", "level")

    rows: tuple[SampledMeasure, ...]
    n_units: int
    design: str
    share: float
    totals: Mapping[str, float]
    n_objects: int
    level: Annotated[float, "0..1"]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[SampledMeasure]:
        return iter(self.rows)

    def __getitem__(self, name: str | Callable[..., Any]) -> SampledMeasure:
        names = [row.name for row in self.rows]
        places = places_of(name, names)
        if not places:
            raise KeyError(f"{shown(name)} was not estimated; there are {', '.join(names)}")
        return self.rows[places[0]]

    def __repr__(self) -> str:
        return (f"SampledTruth({len(self)} measures; {self.n_units} {_UNITS[self.design]} sampled, "
                f"{self.n_objects} objects)")

    @property
    def title(self) -> str:
        """The sample in words: ``60 true clusters sampled (design: clusters)``."""
        share = "" if math.isnan(self.share) else f", {100 * self.share:.2g} %"
        return f"{self.n_units} {_UNITS[self.design]} sampled (design: {self.design}{share})"

    def _table(self) -> SummaryTable:
        rows = self.rows
        census = all(row.method == "census" for row in rows)
        notes = ["All of the truth is known: the values have no error." if census else
                 f"Approximate {100 * self.level:g} % confidence intervals for samples of this "
                 f"design from these {self.n_objects} objects."]
        reasons: dict[str, list[str]] = {}
        for row in rows:
            if row.note:
                reasons.setdefault(row.note, []).append(row.name)
        notes += [f"No interval for {', '.join(names)}: {note}." for note, names in reasons.items()]
        return SummaryTable.of(
            {"measure": [row.name for row in rows],
             "value": right((row.value for row in rows), amount),
             "error": right("" if math.isnan(row.standard_error) else amount(row.standard_error)
                            for row in rows),
             f"{100 * self.level:g} % CI": ["none" if math.isnan(row.low) else
                        f"{amount(row.low)} to {amount(row.high)}" for row in rows]},
            title=self.title, notes=notes)

    def _frame(self) -> Columns:
        columns = ("value", "standard_error", "low", "high", "degrees_of_freedom", "n_effective",
                   "method", "note")
        return Columns({name: [getattr(row, name) for row in self.rows] for name in columns},
                       {"measure": [row.name for row in self.rows]})


# -- samples of true clusters, of objects, of pairs -----------------------------------------------
def sampled_truth(predicted: ClusteringLike, truth: ClusteringLike, *,
                  design: Literal["clusters", "objects"], probabilities: ArrayLike,
                  sample: ArrayLike | None = None, measures: str | Sequence[str] | None = None,
                  level: float = 0.95) -> SampledTruth:
    r"""Estimate the agreement of a clustering with a truth known for a probability sample.

    Parameters
    ----------
    predicted : labels or hard clustering, of N objects
        Clusters of all objects.
    truth : sequence of N labels
        True clusters; None (or nan) if not known.
    design : {"clusters", "objects"}
        Sampling unit: whole true clusters, with the truth of all their objects, or objects, whose
        true clusters were then looked up completely.
    probabilities : float or array-like, shape (N,)
        Inclusion probabilities, in (0, 1]: of the true cluster of each object, equal within a
        cluster, or of each object itself. Entries of other objects are ignored.
    sample : array-like of int, optional
        Positions of the sampled objects, each once, or a mask (N,); for ``design="objects"``.
    measures : str or sequence of str, optional
        Measures that are ratios of totals over true clusters, or terms for them from other fields.
        By default `pair_precision`, `pair_recall`, `pair_f1`, `bcubed_precision`, `bcubed_recall`,
        `cluster_precision`, `cluster_recall`, `cluster_f1`, and the Rand, adjusted Rand and
        Jaccard indices.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    SampledTruth

    Raises
    ------
    ClusteringError
        If no truth is known, a probability is missing or outside (0, 1], one true cluster has two
        probabilities, a sampled object has no truth, or a measure is not a sum over true clusters.
    ValueError
        If the design is unknown.

    See Also
    --------
    sampled_pairs : for sampled pairs of objects.
    compare : if labels are known for sampled objects only, compare the sample.

    Notes
    -----
    Let T be the counts of true cluster e in the predicted clusters l of sizes b, and a its size.
    Each true cluster contributes

    .. math:: n_{11} = \sum_l \binom{T_l}{2}, \quad P = \binom a2, \quad
              Q = \sum_l T_l (b_l - 1)/2, \quad c = \sum_l T_l / b_l

    and every measure is a ratio of two totals with 0 <= y <= u in each cluster (precision: n11 and
    Q, recall: n11 and P). The estimate is that of Hajek, sum w y / sum w u with w = 1/pi: it
    cannot leave [0, 1]. The adjusted Rand index is a function of the totals of n11, P, Q and a.
    A sampled object represents 1/a of its cluster with its own probability (weight share), so that
    large clusters have a large probability: for pair measures, sample objects.

    Errors are those of linearised values, k/(k-1) sum (1 - pi)(w d)^2; confidence intervals are on
    the logit scale (adjusted Rand: logarithm of the distance from 1) with Student's quantile, whose
    degrees of freedom count the units in the denominator, the agreement and the errors. No
    interval is reported if these are too few. A census has no error. Time O(N log N).

    Theory: docs/theory/dependence.md.

    References
    ----------
    P. Lavallee (2007), Indirect Sampling, Springer.
    O. Binette and others (2022), Estimating the performance of entity resolution algorithms,
    arXiv 2210.01230.

    Examples
    --------
    Three true clusters were looked up, each drawn with probability 2/3:

    >>> import softclust
    >>> predicted = [0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5]
    >>> truth = ["a", "a", "a", "b", "b", "c", "c", "c", None, None, None, None]
    >>> found = softclust.sampled_truth(predicted, truth, design="clusters", probabilities=2 / 3)
    >>> row = found["pair_recall"]
    >>> round(row.value, 3), row.method
    (0.714, 'none')
    >>> row.note
    'fewer than 10 units contribute to the denominator, effectively 2.6: sample more clusters'
    """
    check_choice("design", design, DESIGNS)
    level = check_level(level)
    x = _predicted(predicted)
    n = x.n_objects
    ratios = _ratios(measures, n, _ClusterSums.names(), 2, "is not a ratio of sums over true "
                                                           "clusters")
    truth, probabilities = (ordered(each, x.matched_names, called=("predicted", name)) for
                            name, each in (("truth", truth), ("probabilities", probabilities)))
    # The true cluster of each object, -1 if not known.
    import pandas as pd
    listed: Any = list(truth)   # type: ignore[arg-type]
    values: np.ndarray = np.empty(len(listed), dtype=object)
    values[:] = listed
    if values.size != n:
        raise ClusteringError(f"truth has {values.size} labels and predicted has {n} objects; one "
                              "for each object is needed, None where the truth is not known")
    codes, labels = pd.factorize(values)
    if not labels.size:
        raise ClusteringError("the truth of no object is known")
    codes = codes.astype(np.int64)
    pi = _probabilities(probabilities, n, "objects")
    clusters = _ClusterSums.of(x.codes, codes, len(labels))
    if design == "objects":
        if sample is None:
            raise ClusteringError('design="objects" needs sample=, the positions of the sampled '
                                  "objects: the truth of others in their clusters is known, too")
        units = _positions("sample", sample, n)
        used, times = np.unique(units, return_counts=True)
        if (times > 1).any():
            raise ClusteringError(f"sample has object {used[times > 1][0]} twice; list each "
                                  "sampled object once")
        unknown = units[codes[units] < 0]
        if unknown.size:
            raise ClusteringError(f"the truth of {unknown.size} sampled objects is not known, "
                                  f"such as that of object {unknown[0]}")
        where, weights = codes[units], 1.0 / _valid(pi[units], lambda k: f"object {units[k]}")
        sums = clusters.scaled(where)
    else:
        if sample is not None:
            raise ClusteringError('sample is for design="objects"; the sampled clusters are those '
                                  "whose objects have a truth")
        known = np.flatnonzero(codes >= 0)
        _valid(pi[known], lambda k: f"object {known[k]}")
        of_cluster = pi[known[np.unique(codes[known], return_index=True)[1]]]
        other = known[pi[known] != of_cluster[codes[known]]]
        if other.size:
            e = codes[other[0]]
            raise ClusteringError(f"probabilities must be equal within a true cluster; {labels[e]} "
                                  f"has {of_cluster[e]:g} and {pi[other[0]]:g}")
        weights = 1.0 / of_cluster
        sums = clusters
    census = bool((weights == 1.0).all())
    if census and (codes < 0).any():
        raise ClusteringError("all probabilities are 1, but the truth of "
                              f"{np.count_nonzero(codes < 0)} of {n} objects is not known")
    units_of = _Units(sums=sums, weights=weights, n_objects=n, level=level, design=design,
                      census=census)
    rows = tuple(units_of.row(name, *ratio) for name, ratio in ratios.items())
    w = weights
    totals = {"joined_in_both": sums.joined, "joined_in_truth": sums.in_truth,
              "joined_in_predicted": sums.in_predicted, "objects": sums.size}
    return SampledTruth(rows=rows, n_units=weights.size, design=design, n_objects=n, level=level,
                        totals={name: float(w @ values) for name, values in totals.items()},
                        share=weights.size / n if design == "objects" else math.nan)


def sampled_pairs(predicted: ClusteringLike, i: ArrayLike, j: ArrayLike, same: ArrayLike, *,
                  probabilities: ArrayLike, measures: str | Sequence[str] | None = None,
                  level: float = 0.95) -> SampledTruth:
    r"""Estimate the agreement of a clustering with a truth known for sampled pairs of objects.

    Parameters
    ----------
    predicted : labels or hard clustering, of N objects
        Clusters of all objects.
    i, j : array-like of int, shape (k,)
        Positions of the objects of each sampled pair; no pair twice.
    same : array-like of bool, shape (k,)
        True for pairs that belong together in truth.
    probabilities : float or array-like, shape (k,)
        Inclusion probabilities of the pairs, in (0, 1].
    measures : str or sequence of str, optional
        Measures that are ratios of numbers of pairs, or terms for them from other fields. By
        default `pair_precision`, `pair_recall`, `pair_f1`, and the Rand and Jaccard indices.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    SampledTruth

    Raises
    ------
    ClusteringError
        If a pair occurs twice or consists of one object, a probability is outside (0, 1], or all or
        none of the sampled pairs are joined by `predicted`.

    See Also
    --------
    sampled_truth : for sampled true clusters or objects.

    Notes
    -----
    `predicted` joins Q of the M pairs of objects. With p1 the share of the Q pairs that belong
    together in truth, and p0 that of the others, both estimated by Hajek's ratio,

    .. math:: \text{precision} = p_1, \quad
              \text{recall} = \frac{Q p_1}{Q p_1 + (M - Q) p_0}, \quad
              F = \frac{2 Q p_1}{Q + Q p_1 + (M - Q) p_0}

    which lie in [0, 1]. The variances of the two shares add up. Degrees of freedom count the
    sampled matches and mismatches; below 2 of them there is no interval. Time O(N + k log k).

    Theory: docs/theory/dependence.md.

    Examples
    --------
    >>> import softclust
    >>> predicted = [0, 0, 0, 1, 1, 1]
    >>> found = softclust.sampled_pairs(predicted, [0, 0, 3, 0, 1, 2], [1, 2, 4, 3, 4, 5],
    ...                                 [True, True, False, False, False, True], probabilities=0.4)
    >>> [(row.name, round(row.value, 3)) for row in found.rows][2:]
    [('pair_precision', 0.667), ('pair_recall', 0.571), ('pair_f1', 0.615)]
    """
    level = check_level(level)
    x = _predicted(predicted)
    n = x.n_objects
    ratios = _ratios(measures, n, _PAIRS, 1, "cannot be estimated from pairs")
    first, second = _positions("i", i, n), _positions("j", j, n)
    if first.size != second.size:
        raise ClusteringError(f"i has {first.size} objects and j has {second.size}; both list the "
                              "pairs")
    matches = np.asarray(same)
    if matches.shape != first.shape or not np.isin(matches, (0, 1)).all():
        raise ClusteringError(f"same is {shown(same)}; True or False for each of the {first.size} "
                              "pairs is needed")
    alone = np.flatnonzero(first == second)
    if alone.size:
        raise ClusteringError(f"pair {position(alone[0])} is object {first[alone[0]]} with itself; "
                              "pairs of two objects are needed")
    used, times = np.unique(np.minimum(first, second) * n + np.maximum(first, second),
                            return_counts=True)
    if (times > 1).any():
        twice = int(used[times > 1][0])
        raise ClusteringError(f"the pair of objects {position(twice // n)} and "
                              f"{position(twice % n)} comes twice; give each pair once")
    matches = matches.astype(np.float64)
    pi = _valid(_probabilities(probabilities, first.size, "pairs"), lambda k: f"pair {k}")
    linked = x.codes[first] == x.codes[second]
    for side, what in ((linked, "joined by the predicted clusters: its precision"),
                       (~linked, "of different predicted clusters: its recall")):
        if not side.any():
            raise ClusteringError(f"no sampled pair is {what} cannot be estimated")
    sizes = np.bincount(x.codes).astype(np.float64)
    pairs = n * (n - 1) / 2
    joined = float((sizes * (sizes - 1)).sum() / 2)
    inside = _Share.of(matches[linked], pi[linked])
    outside = _Share.of(matches[~linked], pi[~linked])
    strata = _PairShares(inside=inside, outside=outside, joined=joined, other=pairs - joined,
                         level=level)
    both, missed = joined * inside.share, (pairs - joined) * outside.share
    return SampledTruth(
        rows=tuple(strata.row(name, ratio) for name, (ratio, _) in ratios.items()),
        n_units=first.size, design="pairs",
        n_objects=n, level=level, share=first.size / pairs,
        totals={"joined_in_both": both, "joined_in_truth": both + missed,
                "joined_in_predicted": joined, "objects": float(n)})


# -- reading the arguments --------------------------------------------------------------------
#: totals of pairs that a ratio may have
_PAIRS = frozenset({"joined", "in_predicted", "in_truth"})


def _ratios(measures: Any, n: int, totals: frozenset[str], degree: int, why: str
            ) -> dict[str, tuple[Ratio, float | None]]:
    """The measures as ratios of totals, and the lower ends of their ranges."""
    if measures is None:
        known: dict[Any, tuple[str, tuple[Ratio, float | None]]] = {}
        for m in in_reading_order():
            words = [(word.word, word.options) for word in m.words if word.field == "linkage"]
            for word, options in words + [(m.name, {})] * (
                    m.in_compare is True and m.listed_for == "all"):
                if ratio := _ratio(m, options, n, totals, degree):
                    values = {**m.defaults, **options}   # several terms have the same meaning
                    known.setdefault((m.name, *values.values()),
                                     (word.replace(" ", "_").lower(), ratio))
        return dict(known.values())
    names = (measures,) if isinstance(measures, str) else tuple(measures)
    ratios = {}
    for name in names:
        try:
            meant = measure_of(name)
            ratio = None if meant.swap or meant.complement else _ratio(
                get_measure(meant.name), meant.options, n, totals, degree)
        except ValueError as error:
            raise ClusteringError(str(error)) from None
        if ratio is None:
            raise ClusteringError(f"{shown(name)} {why}; choose from "
                                  + ", ".join(_ratios(None, n, totals, degree, why)))
        ratios[name] = ratio
    return ratios


def _ratio(m: Measure, options: Mapping[str, Any], n: int, totals: frozenset[str], degree: int
           ) -> tuple[Ratio, float | None] | None:
    """The measure as a ratio of totals up to 1; None if it is not one."""
    if m.arity != 2 or callable(m.bounds) or m.bounds[1] != 1.0:
        return None
    pairs = [2 * Polynomial.unknown(name) + n for name in ("joined", "in_predicted", "in_truth")]
    try:
        ratio = m.ratio(options, n=n, cells_squares=pairs[0], x_squares=pairs[1],
                        y_squares=pairs[2])
    except ValueError:
        return None
    parts = ratio.over, ratio.under
    linear = all(any(len(product) == 1 for product in part.terms) or part.coefficient()
                 for part in parts)
    fits = linear and parts[0].names | parts[1].names <= totals
    return (ratio, m.bounds[0]) if fits and max(p.degree for p in parts) <= degree else None


def _predicted(predicted: Any) -> HardClustering:
    x = as_clustering(predicted, name="predicted")
    if not isinstance(x, HardClustering):
        raise ClusteringError(f"predicted is {x.kind}; a hard clustering is needed: harden() it "
                              "first")
    return x


def _probabilities(values: Any, n: int, what: str) -> np.ndarray:
    needed = f"a number in (0, 1] or one for each of the {n} {what} is needed"
    try:
        pi = np.asarray(values, dtype=np.float64)   # None becomes nan
    except (TypeError, ValueError):
        raise ClusteringError(f"probabilities is {shown(values)}; {needed}") from None
    if pi.shape not in ((), (n,)):
        raise ClusteringError(f"probabilities has shape {pi.shape}; {needed}")
    return np.broadcast_to(pi, (n,))


def _valid(pi: np.ndarray, name: Any) -> np.ndarray:
    """Probabilities of sampled units."""
    bad = np.flatnonzero(~((pi > 0.0) & (pi <= 1.0)))
    if bad.size:
        k = int(bad[0])
        was = "missing" if math.isnan(pi[k]) else f"{pi[k]:g}"
        raise ClusteringError(f"the probability of {name(k)} is {was}; a number in (0, 1] is "
                              "needed for everything that was sampled")
    return pi


def _positions(name: str, positions: Any, n: int) -> np.ndarray:
    at = np.asarray(positions)
    if at.dtype == bool and at.shape == (n,):
        return np.flatnonzero(at)
    if at.dtype == object:
        at = np.array(at.tolist())
    if at.ndim != 1 or not at.size or at.dtype.kind not in "iuf" or (at != np.trunc(at)).any():
        raise ClusteringError(f"{name} is {shown(positions)}; positions of objects, whole numbers "
                              f"from 0, or a mask of {n} objects are needed")
    if at.min() < 0 or at.max() >= n:
        raise ClusteringError(f"{name} has the position {at[(at < 0) | (at >= n)][0]}; those of "
                              f"{n} objects are 0 to {n - 1}")
    return at.astype(np.int64)


# -- sums of true clusters --------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _ClusterSums:
    """Contributions of each sampled unit to the totals, (k,), by the names of `Measure.ratio`."""

    joined: np.ndarray
    in_truth: np.ndarray
    in_predicted: np.ndarray
    n_x: np.ndarray
    n_y: np.ndarray
    x_shares: np.ndarray
    y_shares: np.ndarray
    equal_clusters: np.ndarray
    size: np.ndarray

    @classmethod
    def names(cls) -> frozenset[str]:
        """The totals that a ratio may have."""
        return frozenset(field.name for field in fields(cls)) - {"size"}

    @classmethod
    def of(cls, predicted: np.ndarray, truth: np.ndarray, n_true: int) -> _ClusterSums:
        """One row per true cluster, by its cells."""
        sizes = np.bincount(predicted).astype(np.float64)
        known = truth >= 0
        cells, counts = np.unique(truth[known] * sizes.size + predicted[known], return_counts=True)
        e, l = np.divmod(cells, sizes.size)
        t, b = counts.astype(np.float64), sizes[l]

        def total(values: np.ndarray) -> np.ndarray:
            return np.bincount(e, weights=values, minlength=n_true)

        a = total(t)
        return cls(joined=total(t * (t - 1) / 2), in_truth=a * (a - 1) / 2,
                   in_predicted=total(t * (b - 1) / 2), n_x=total(t / b), n_y=np.ones(n_true),
                   x_shares=total(t * t / b), y_shares=total(t * t) / a,
                   equal_clusters=total((t == a[e]) & (t == b)), size=a)

    def scaled(self, where: np.ndarray) -> _ClusterSums:
        """Statistic of sampled objects in these clusters: each represents 1/a of its cluster."""
        a = self.size[where]
        return _ClusterSums(*(getattr(self, field.name)[where] / a for field in fields(self)))


def effective_number(z: np.ndarray) -> float:
    """(sum z)^2 / sum z^2: number of equal terms that would be as variable a sum; 0 for none."""
    squares = float(z @ z)
    return float(z.sum()) ** 2 / squares if squares > 0.0 else 0.0


def _error(d: np.ndarray, weights: np.ndarray) -> float:
    """Standard error of a total of linearised values d; nan for one unit that is not certain."""
    k = d.size
    spread = float(((1.0 - 1.0 / weights) * (weights * d) ** 2).sum())
    if k < 2:
        return 0.0 if spread == 0.0 else math.nan
    return math.sqrt(k / (k - 1) * spread)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Units:
    """Sampled clusters or objects."""

    sums: _ClusterSums
    weights: np.ndarray
    n_objects: int
    level: float
    design: str
    census: bool

    def row(self, name: str, ratio: Ratio, low: float | None) -> SampledMeasure:
        """Estimate a ratio of totals that are scaled to n objects."""
        w, sums, parts = self.weights, self.sums, (ratio.over, ratio.under)
        names = parts[0].names | parts[1].names
        objects = float(w @ sums.size)
        scale = self.n_objects / objects
        totals = {each: scale * float(w @ getattr(sums, each)) for each in names}
        over, under = (float(part.at(totals)) for part in parts)
        # Numerator and denominator as sums over units: the terms that are linear in the totals.
        y, u = (part.coefficient() / self.n_objects * sums.size + sum(
            part.coefficient(each) * getattr(sums, each) for each in names) for part in parts)
        numbers = [effective_number(w * part) for part in (u, y, np.maximum(u - y, 0.0))]
        if under == 0.0:
            equal = over == 0.0 and max(part.degree for part in parts) > 1 and (
                totals["in_truth"] == totals["in_predicted"])
            value, d = 1.0 if equal else math.nan, np.zeros(w.size)
        else:
            value, slopes = _value_and_slopes(ratio, totals)
            # The scale n / objects moves all totals in proportion.
            by_size = -sum(slopes[each] * totals[each] for each in names) / objects
            d = by_size * sums.size + scale * sum(slopes[each] * getattr(sums, each)
                                                  for each in names)
        if math.isnan(value):
            return _row(name, value, math.nan, math.nan, numbers[0], "",
                        "no pair of objects is joined", self.level, low)
        if self.census:
            return _row(name, value, 0.0, math.nan, numbers[0], "census", "", self.level, low)
        return _row(name, value, _error(d, w), max(1.0, min(numbers) - 1.0), numbers[0], "design",
                    self._withheld(numbers), self.level, low)

    def _withheld(self, numbers: list[float]) -> str:
        """Explain why there is no interval; "" if there is one."""
        what, one = (("clusters", "true cluster") if self.design == "clusters"
                     else ("objects", "object"))
        if numbers[0] < FEWEST_UNITS:
            if self.weights.size >= FEWEST_UNITS:
                return f"one {one} holds most of the pairs: sample " + (
                    "objects instead" if self.design == "clusters" else "more objects")
            return (f"fewer than {FEWEST_UNITS:g} units contribute to the denominator, effectively "
                    f"{numbers[0]:.1f}: sample more {what}")
        for units, part in zip(numbers[1:], ("agreement", "errors")):
            if units < FEWEST_DEVIATING:
                return (f"all {part} lie in effectively {units:.1f} of {self.weights.size} "
                        f"sampled {what}" if units else f"there are no {part} in the sample")
        return ""


# -- pairs ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Share:
    """The share of matches among the pairs of one stratum."""

    share: float
    error: float
    matches: float
    mismatches: float
    census: bool

    @classmethod
    def of(cls, matches: np.ndarray, pi: np.ndarray) -> _Share:
        w = 1.0 / pi
        share = float(w @ matches / w.sum())
        return cls(share=share, error=_error((matches - share) / w.sum(), w),
                   matches=effective_number(w * matches),
                   mismatches=effective_number(w * (1.0 - matches)),
                   census=bool((pi == 1.0).all()))


@dataclass(frozen=True, slots=True, kw_only=True)
class _PairShares:
    """Both strata: pairs that are joined by the predicted clusters, and the others."""

    inside: _Share
    outside: _Share
    joined: float
    other: float
    level: float

    def row(self, name: str, ratio: Ratio) -> SampledMeasure:
        """Estimate a ratio of numbers of pairs."""
        inside, outside = self.inside, self.outside
        names = ratio.over.names | ratio.under.names
        both, missed = self.joined * inside.share, self.other * outside.share
        totals = {"joined": both, "in_truth": both + missed, "in_predicted": self.joined}
        units = {"matches among joined pairs": inside.matches}
        if "in_predicted" in names:
            units["mismatches among joined pairs"] = inside.mismatches
        if "in_truth" in names:
            units["matches among the other pairs"] = outside.matches
        fewest = min(units.values())
        if not ratio.under.at(totals) > 0.0:
            return _row(name, math.nan, math.nan, math.nan, fewest, "",
                        "no sampled pair is the same in truth", self.level, 0.0)
        value, slopes = _value_and_slopes(ratio, totals)
        if inside.census and (outside.census or "in_truth" not in names):
            return _row(name, value, 0.0, math.nan, fewest, "census", "", self.level, 0.0)
        by_missed = slopes.get("in_truth", 0.0)
        by_both = slopes.get("joined", 0.0) + by_missed
        error = math.hypot(by_both * self.joined * inside.error if by_both else 0.0,
                           by_missed * self.other * outside.error if by_missed else 0.0)
        few = [f"effectively {size:.1f} {what} were sampled; an interval needs 2"
               for what, size in units.items() if size < FEWEST_DEVIATING]
        return _row(name, value, error, max(1.0, fewest - 1.0), fewest, "design",
                    few[0] if few else "", self.level, 0.0)


def _value_and_slopes(ratio: Ratio, totals: Mapping[str, float]) -> tuple[float, dict[str, float]]:
    """A ratio of these totals, not 0/0, and its derivatives."""
    under = float(ratio.under.at(totals))
    value = float(ratio.over.at(totals)) / under
    return value, {name: (ratio.over.slope(name).at(totals)
                          - value * ratio.under.slope(name).at(totals)) / under
                   for name in ratio.over.names | ratio.under.names}


def _row(name: str, value: float, error: float, df: float, effective: float, method: str,
         withheld: str, level: float, lowest: float | None) -> SampledMeasure:
    """A row with its interval: on the logit scale, or that of the distance for a range below 0."""
    low = high = math.nan
    if method == "census":
        low = high = value
    elif withheld or not error > 0.0:
        method, df = "none", math.nan
        withheld = withheld or "the sampled units are all alike"
    elif lowest != 0.0:
        limits = LogLimits(best=1.0, larger=True, quantile=student(level, df)).around(value, error)
        assert limits is not None
        low, high = limits
    else:
        reach = student(level, df) * error / (value * (1.0 - value))
        at = math.log(value / (1.0 - value))
        low, high = (_expit(at - reach), _expit(at + reach))
    return SampledMeasure(name=name, value=value, standard_error=error, low=low, high=high,
                          degrees_of_freedom=df, n_effective=effective, method=method,
                          note=withheld)


def _expit(z: float) -> float:
    return 1.0 / (1.0 + math.exp(-z)) if z > -700.0 else 0.0
