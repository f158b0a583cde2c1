"""Intervals for Prayatul measures: objects are the sampling units, never pairs.

Pairs that share an object are dependent, so the variance of RW - WR grows like n^3. McNemar's
test of RW against WR assumes RW + WR, of order n^2: under a true null its squared statistic grows
in proportion to n and it rejects nearly always. Leaving out objects, or resampling them, keeps
its level.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from ..._checks import (
    ClusteringError,
    UndefinedMeasureWarning,
    check_level,
    check_whole,
    frozen,
    shown,
)
from ...results.records import Columns, Drawn, Interval, Record, Tidied
from ...results.summary import SummaryTable, right
from ...results.text import number
from ...running.random_numbers import as_generator, spawn
from ...running.threads import Progress, progress_bar, run_chunks
from ...running.warnings import warn
from .per_object import FORMS, INFERRED, RANGES, quotient, quotients

#: objects that one chunk of replicates visits, about 0.1 s
_OBJECTS_PER_CHUNK = 3_000_000


#: columns with their headers
_COLUMNS = {"estimate": "estimate", "standard_error": "s.e.", "lower": "lower", "upper": "upper"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrayatulIntervals(Drawn, Tidied, Record):
    """Confidence intervals of Prayatul measures for sampled objects.

    Made by `PrayatulResult.jackknife` and `PrayatulResult.bootstrap`.

    Attributes
    ----------
    method : str
        "jackknife" or "bootstrap".
    level : float
        Nominal coverage.
    names : (str, str)
        Names of primary and alternative.
    n_objects : int
        Number of objects of positive weight.
    measures : tuple of str
        delta and the five measures: the order of the arrays below.
    estimate, standard_error, lower, upper : ndarray, shape (6,)
        nan if an interval is undefined; `notes` says why.
    statistic : float
        delta / standard error; nan if both are 0.
    p_value : float
        Two-sided p-value of "neither is nearer the truth" (t with n - 1 degrees of freedom); nan
        for the bootstrap.
    replicates : ndarray, shape (n_resamples, 6), or None
        The bootstrap values; None for the jackknife.
    notes : tuple of str
        Why intervals are undefined.

    Notes
    -----
    Labels are held fixed and objects are sampled: the interval shows how the numbers would vary
    with other objects from the same source. It does not cover the randomness of fitting (two starts
    of k-means differ by more). To compare algorithms, refit both on independent data sets and
    analyse the resulting deltas, for example by a paired t interval.

    ``to_frame()``: one row per measure: estimate, standard_error, lower, upper. Indexed by
    measure, delta first.

    Examples
    --------
    >>> import softclust
    >>> truth = [0] * 6 + [1] * 6
    >>> result = softclust.prayatul(truth, [0] * 5 + [1] * 7, [0, 1] * 6)
    >>> intervals = result.jackknife()
    >>> print(f"{intervals['delta']:.2f}", intervals.significant)
    [0.01, 0.75] True
    """

    _chart = "plot_prayatul_intervals"
    _tidy = ("term=measure estimate=estimate std_error=standard_error conf_low=lower "
             "conf_high=upper")
    _glance = ("method", "level", "n_objects", "statistic", "p_value")

    method: str
    level: Annotated[float, "0..1"]
    names: tuple[str, str]
    n_objects: Annotated[int, ">=1"]
    measures: tuple[Annotated[str, "key INFERRED"], ...] = INFERRED
    estimate: Annotated[np.ndarray, "f measures"]
    standard_error: Annotated[np.ndarray, "f measures"]
    lower: Annotated[np.ndarray, "f measures"]
    upper: Annotated[np.ndarray, "f measures"]
    statistic: float
    p_value: float
    replicates: Annotated[np.ndarray | None, "f R measures"] = None
    notes: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        return (f"PrayatulIntervals({self.method}, level={self.level:g}, "
                f"delta={self['delta']:.4f}, significant={self.significant})")

    def __getitem__(self, measure: str) -> Interval:
        if measure not in self.measures:
            raise KeyError(f"there is no interval for {shown(measure)}; there are "
                           + ", ".join(self.measures))
        k = self.measures.index(measure)
        return Interval(float(self.lower[k]), float(self.upper[k]))

    @property
    def significant(self) -> bool:
        """True if the interval of delta excludes 0: one of the two is nearer the truth."""
        return bool(self.lower[0] > 0.0 or self.upper[0] < 0.0)

    def _frame(self) -> Columns:
        return Columns({name: getattr(self, name) for name in _COLUMNS},
                       {"measure": self.measures})

    def _table(self) -> SummaryTable:
        primary, alternative = self.names
        notes = []
        if not math.isnan(self.p_value):
            notes.append(f"delta = 0 (neither is nearer the truth): t = {self.statistic:.3f}, "
                         f"p = {self.p_value:.4g}.")
        notes.append("Objects are sampled, labels held fixed: how much a fit depends on its data "
                     "or start is another question (refit on independent data).")
        how = ("" if self.replicates is None
               else f" from {self.replicates.shape[0]} resamples of the objects")
        return SummaryTable.of(
            {"measure": self.measures, **{header: right(getattr(self, name), number)
                                          for name, header in _COLUMNS.items()}},
            title=f"{100 * self.level:g} % {self.method} intervals{how}, {primary} (primary) "
                  f"against {alternative} (alternative)",
            notes=[*notes, *(f"Note: {note}." for note in self.notes)])


def _estimates(result: Any) -> np.ndarray:
    # nan where undefined, whatever zero_division says.
    return np.array([quotient(name, result.counts) for name in INFERRED])


def _tell(notes: list[str]) -> tuple[str, ...]:
    for note in notes:
        warn(f"{note}; nan is returned", UndefinedMeasureWarning, stacklevel=4)
    return tuple(notes)


def _undefined(result: Any, name: str, estimate: float) -> str:
    """Reason why a measure has no interval in any sample; "" if it may have one."""
    if math.isnan(estimate):
        return f"the interval of {name} is undefined, as it is itself"
    if name == "comparative_deviation" and (result.right_wrong == 0) != (result.wrong_right == 0):
        return ("the interval of comparative_deviation is undefined: right_wrong or wrong_right is "
                "0, so it is -1 or 1 in every subset of the objects; the interval of delta tells "
                "how much that says")
    return ""


def jackknife(result: Any, level: Any) -> PrayatulIntervals:
    """Leave-one-out intervals from the rows of the objects.

    Leaving out object i changes a measure a/b by d_i = (m b_i - a_i) / (b - b_i), m = a/b, with
    a_i and b_i from its row; this form loses no digits however large n is.
    """
    from scipy.stats import t
    level = check_level(level)
    by_cell = result.coupling == "hard" and result.weights is None
    rows = result.triple.rows("cell" if by_cell else "object")
    used = rows.weights > 0
    count = rows.count[used].astype(np.float64)
    n = int(rows.count[used].sum())
    if n < 3:
        raise ClusteringError(f"the jackknife needs at least 3 objects of positive weight; there "
                              f"are {n}")
    parts = rows.rows[used].astype(np.float64) * rows.weights[used][:, None]
    estimate = _estimates(result)
    error = np.full(len(INFERRED), math.nan)
    notes = []
    for k, name in enumerate(INFERRED):
        if reason := _undefined(result, name, estimate[k]):
            notes.append(reason)
            continue
        above, below = (parts @ np.array(f, dtype=np.float64) for f in FORMS[name])
        whole = float(sum(c * v for c, v in zip(FORMS[name][1], result.counts)))
        rest = whole - below
        if (rest <= 1e-12 * whole).any():
            notes.append(f"the interval of {name} is undefined: without one of the objects the "
                         "measure is 0/0")
            continue
        change = (estimate[k] * below - above) / rest
        mean = float(np.sum(count * change)) / n
        error[k] = math.sqrt((n - 1) / n * float(np.sum(count * (change - mean) ** 2)))
    half = t.ppf((1 + level) / 2, n - 1) * error
    lowest, highest = np.array([RANGES[name] for name in INFERRED]).T
    delta, se = float(estimate[0]), float(error[0])
    statistic = delta / se if se > 0 else (math.nan if delta == 0 else math.copysign(math.inf,
                                                                                    delta))
    return PrayatulIntervals(
        method="jackknife", level=level, names=result.names, n_objects=n,
        estimate=frozen(estimate), standard_error=frozen(error),
        lower=frozen(np.maximum(estimate - half, lowest)),
        upper=frozen(np.minimum(estimate + half, highest)), statistic=statistic,
        p_value=1.0 if math.isnan(statistic) else float(2 * t.sf(abs(statistic), n - 1)),
        notes=_tell(notes))


def bootstrap(result: Any, rng: Any, indices: Any, weights: Any, n_resamples: int, level: Any,
              progress: Progress | bool | None) -> PrayatulIntervals:
    """Percentile intervals from resampled objects; copies of an object never form a pair."""
    level = check_level(level)
    triple, base = result.triple, result.weights
    n = result.n
    draw, b = _draws(n, rng, indices, weights, n_resamples)
    triple.prepare()
    counts = np.empty((b, 4))

    def work(start: int, stop: int) -> None:
        for k in range(start, stop):
            w = draw(k)
            counts[k] = triple.weighted(w if base is None else w * base)

    with progress_bar(progress, "resamples") as callback:
        run_chunks(work, b, max(1, _OBJECTS_PER_CHUNK // n), progress=callback)
    values = np.column_stack([quotients(name, counts) for name in INFERRED])
    estimate = _estimates(result)
    error, low, high = (np.full(len(INFERRED), math.nan) for _ in range(3))
    notes = []
    for k, name in enumerate(INFERRED):
        defined = values[~np.isnan(values[:, k]), k]
        if reason := _undefined(result, name, estimate[k]):
            notes.append(reason)
        elif defined.size < b:
            notes.append(f"the interval of {name} is undefined: it is 0/0 in {b - defined.size} "
                         f"of {b} resamples")
        else:
            tails = [(1 - level) / 2, (1 + level) / 2]
            low[k], high[k] = np.quantile(defined, tails)
            error[k] = defined.std(ddof=1) if b > 1 else math.nan
    statistic = float(estimate[0] / error[0]) if error[0] > 0 else math.nan
    return PrayatulIntervals(
        method="bootstrap", level=level, names=result.names,
        n_objects=n if base is None else int(np.count_nonzero(base)), estimate=frozen(estimate),
        standard_error=frozen(error), lower=frozen(low), upper=frozen(high), statistic=statistic,
        p_value=math.nan, replicates=frozen(values), notes=_tell(notes))


def _draws(n: int, rng: Any, indices: Any, weights: Any, n_resamples: int) -> tuple[Any, int]:
    """A function from the number of a replicate to weights (n,), and how many there are."""
    if sum(each is not None for each in (rng, indices, weights)) > 1:
        raise ValueError("give one of rng, indices and weights: ready draws need no generator")
    if indices is not None:
        table = np.asarray(indices)
        if table.ndim != 2 or table.dtype.kind not in "iu" or not table.size:
            raise ValueError(f"indices has shape {table.shape} and dtype {table.dtype}; whole "
                             "numbers (n_resamples, n) are needed")
        if table.min() < 0 or table.max() >= n:
            raise ValueError(f"indices reach from {table.min()} to {table.max()}; positions of "
                             f"objects, 0 to {n - 1}, are needed")
        return (lambda k: np.bincount(table[k], minlength=n).astype(np.float64)), len(table)
    if weights is not None:
        rows = np.asarray(weights, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != n or not rows.size:
            raise ValueError(f"weights has shape {rows.shape}; (n_resamples, {n}), one row "
                             "per resample, is needed")
        if not np.isfinite(rows).all() or (rows < 0).any():
            raise ValueError("weights has an entry that is negative or not finite; finite "
                             "weights >= 0 are needed")
        return (lambda k: np.ascontiguousarray(rows[k])), len(rows)
    children = spawn(as_generator(rng), check_whole("n_resamples", n_resamples))
    return (lambda k: np.bincount(children[k].integers(0, n, size=n), minlength=n)
            .astype(np.float64)), len(children)
