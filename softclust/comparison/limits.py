"""Confidence limits of measures: objects are resampled, labels are held fixed.

A measure is a formula on a statistic. Here the same formula is applied to the statistic of
resampled objects, in which copies of one object never form a pair. What can be had is known from
the statistic: closed forms, tables, or the objects left out one by one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, IncompleteWarning, check_choice, frozen
from .._records import Interval
from .._warnings import quiet, warn
from ..measures import Measure, ends
from ..resampling.replicates import Streams, check_executor, run_blocks
from ..statistics.base import Replicates, Source
from ..statistics.draws import Draws, drawn_weights
from .record import ConfidenceLimits

#: objects up to which a measure whose statistic has no shortcut is left out object by object: any
#: measure, and one that takes O(n) because it sums over objects
OBJECT_BY_OBJECT, SUMS_OBJECT_BY_OBJECT = 200, 5000
#: values that differ by less, relative to their size, are one value
_ROUNDING = 1e-13

Wanted = tuple[Measure, dict[str, Any], float | Interval]


def check_options(ci: Any, level: Any, n_resamples: Any, rng: Any, executor: Any, n: int) -> None:
    """Raise unless the options of `compare` for limits fit together."""
    if ci is None:
        if rng is not None or executor is not None:
            raise ValueError('rng and executor have no effect without ci="bootstrap"')
        return
    check_choice("ci", ci, ("bootstrap", "jackknife"))
    if isinstance(level, bool) or not 0.0 < level < 1.0:
        raise ValueError(f"level is {level}; a number strictly between 0 and 1 is needed")
    check_executor(executor)
    least = math.ceil(2 / (1 - level) - 1e-9)
    if ci == "bootstrap" and (isinstance(n_resamples, bool) or n_resamples != int(n_resamples)
                              or n_resamples < least):
        raise ValueError(f"n_resamples is {n_resamples}; a whole number >= {least} is needed for "
                         f"limits of level {level:g}")
    if n < 3:
        raise ClusteringError(f"the clusterings have {n} objects; limits by resampling objects "
                              "need at least 3")


def limits(source: Source, wanted: Sequence[Wanted], *, ci: str, level: float, n_resamples: int,
           rng: Any, executor: Executor | None, progress: Any) -> list[ConfidenceLimits]:
    """Limits of each measure, given as (measure, its options, its value).

    Ctrl-C keeps the limits that are finished; the others say that they are missing.
    """
    draws = None
    if ci == "bootstrap":
        draws = _draws(source.n_objects, int(n_resamples), rng, executor, progress)
    found: list[ConfidenceLimits] = []
    try:
        for m, options, value in wanted:
            found.append(_Limits(source, m, options, value, level).find(draws))
    except KeyboardInterrupt:
        if not found:
            raise
        warn(f"interrupted after the limits of {len(found)} of {len(wanted)} measures; the record "
             "has the values of all of them", IncompleteWarning, stacklevel=3)
        found += [no_limits(level, "the run was interrupted")
                  for _ in range(len(wanted) - len(found))]
    return found


def _draws(n: int, count: int, rng: Any, executor: Executor | None, progress: Any) -> Draws:
    def run(work: Any, stop: int, what: str) -> list[Any]:
        parts: list[Any] = []
        run_blocks(work, 0, stop, lambda start, end, part: parts.append(part), executor=executor,
                   progress=progress, what=what)
        return parts

    return Draws(n_objects=n, count=count, seeds=Streams(rng), run=run)


def no_limits(level: float, reason: str) -> ConfidenceLimits:
    """No limits, and why."""
    nowhere = Interval(math.nan, math.nan)
    return ConfidenceLimits(low=nowhere, high=nowhere, standard_error=(math.nan, math.nan),
                            level=level, method="none", n_resamples=0,
                            note=f"no confidence limits: {reason}")


@dataclass(frozen=True, slots=True)
class _Limits:
    """Limits of one measure."""

    source: Source
    measure: Measure
    options: Mapping[str, Any]
    value: float | Interval
    level: float

    def find(self, draws: Draws | None) -> ConfidenceLimits:
        """By the jackknife, or by a bootstrap from `draws`."""
        m = self.measure
        if math.isnan(ends(self.value)[0]):
            return self._none("the measure is undefined for these clusterings")
        if m.no_limits:
            return self._none(m.no_limits)
        assert m.statistic is not None
        given = m.of_statistic(self.options)
        given.pop("progress", None)
        found: Replicates | None
        if m.needs_objects:
            found = None
        elif draws is None:
            found = self.source.without_each(m.statistic, **given)
        else:
            found = self.source.redrawn(m.statistic, draws, **given)
        if found is None:
            return self._one_by_one(draws)
        if found.lacking:
            return self._none(found.lacking)
        with quiet():
            values = m.replicated(found, self.options)
        if draws is None:
            return self._jackknife(values, found, "jackknife")
        return self._percentile(values, found.first_order)

    def _none(self, reason: str) -> ConfidenceLimits:
        return no_limits(self.level, reason)

    # -- object by object ---------------------------------------------------------------------
    def _one_by_one(self, draws: Draws | None) -> ConfidenceLimits:
        n, sums = self.source.n_objects, self.measure.by_object
        if draws is not None:
            if not sums:
                return self._none(_NO_FORM)
            # Functions of sums over objects: copies count as objects.
            orders = (np.repeat(np.arange(n), drawn_weights(n, draws.seeds.generator(b)))
                      for b in range(draws.count))
            return self._percentile(self._of_objects(orders), False)
        most = SUMS_OBJECT_BY_OBJECT if sums else OBJECT_BY_OBJECT
        if n > most:
            return self._none(f"leaving out each of {n} objects would take {n} evaluations of a "
                              f"measure without shortcut (at most {most} are made)"
                              + ('; ci="bootstrap" can' if sums else ""))
        everything = np.arange(n)
        values = self._of_objects(np.delete(everything, i) for i in range(n))
        return self._jackknife(values, Replicates(times=np.ones(n, np.int64)),
                               "jackknife, object by object")

    def _of_objects(self, orders: Any) -> np.ndarray:
        pair, m = self.source.objects, self.measure
        with quiet():
            return np.array([ends(m.listed_value(m.evaluate(pair.subset(order), self.options)))
                             for order in orders])

    # -- from values in replicates ------------------------------------------------------------
    def _jackknife(self, values: np.ndarray, replicates: Replicates, method: str
                   ) -> ConfidenceLimits:
        """t interval with n - 1 degrees of freedom around the value."""
        from scipy.stats import t
        n, times = self.source.n_objects, replicates.times
        if np.isnan(values).any():
            return self._none("the measure is undefined when some object is left out")
        mean = (times[:, None] * values).sum(axis=0) / n
        square = (times[:, None] * (values - mean) ** 2).sum(axis=0) * (n - 1) / n
        errors = np.sqrt(square)
        half = t.ppf((1 + self.level) / 2, n - 1) * errors
        tails = [(v - h, v + h) for v, h in zip(ends(self.value), half.tolist())]
        return self._record(tails, errors, values, method, n)

    def _percentile(self, values: np.ndarray, first_order: bool) -> ConfidenceLimits:
        """Quantiles of the resamples."""
        count = values.shape[0]
        defined = values[~np.isnan(values).any(axis=1)]
        if defined.shape[0] < 0.95 * count:
            return self._none(f"the measure is undefined in {count - defined.shape[0]} of {count} "
                              "resamples")
        tails = np.quantile(defined, [(1 - self.level) / 2, (1 + self.level) / 2], axis=0)
        said = []
        if first_order:
            said.append("limits from the first-order form of the sums over pairs (each object's "
                        f"mean over its pairs): all pairs in {count} resamples would take too "
                        "long")
        if defined.shape[0] < count:
            said.append(f"undefined in {count - defined.shape[0]} of {count} resamples, which are "
                        "left out of the limits")
        return self._record([tuple(column) for column in tails.T.tolist()],
                            defined.std(axis=0, ddof=1), defined,
                            "bootstrap, first order" if first_order else "bootstrap",
                            defined.shape[0], frozen(values), said)

    def _record(self, tails: list[tuple[float, float]], errors: np.ndarray, values: np.ndarray,
                method: str, count: int, replicates: np.ndarray | None = None,
                said: list[str] | None = None) -> ConfidenceLimits:
        """Limits of both ends; an end that never varies has none."""
        fixed = _constant(values)
        if fixed.all():
            return self._none(_NO_VARIATION)
        notes = list(said or [])
        limits, spread = [], []
        for (a, b), error, still, end in zip(tails, errors.tolist(), fixed, ("lower", "upper")):
            if still:
                notes.append(f"no confidence limits of the {end} end: {_NO_VARIATION}")
                a = b = error = math.nan
            limits.append(self._inside(a, b))
            spread.append(error)
        return ConfidenceLimits(low=limits[0], high=limits[1],
                                standard_error=(spread[0], spread[1]), level=self.level,
                                method=method, n_resamples=count, replicates=replicates,
                                note="; ".join(notes))

    def _inside(self, a: float, b: float) -> Interval:
        bounds = self.measure.bounds
        least, most = (None, None) if callable(bounds) else bounds
        # nan stays nan.
        return Interval(a if least is None or math.isnan(a) else max(a, least),
                        b if most is None or math.isnan(b) else min(b, most))


_NO_FORM = ("the copies of an object that a bootstrap draws must not form pairs, and the measure "
            'offers no weighted form; ci="jackknife" needs none (up to '
            f"{OBJECT_BY_OBJECT} objects)")
_NO_VARIATION = ("it is the same in every resample, which says nothing about what other objects "
                 "would do")


def _constant(values: np.ndarray) -> np.ndarray:
    """Which of the two ends never varies."""
    spread = values.max(axis=0) - values.min(axis=0)
    return np.asarray(spread <= _ROUNDING * np.maximum(1.0, np.abs(values).max(axis=0)))
