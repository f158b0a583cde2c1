"""Confidence limits of measures: objects are resampled, labels are held fixed.

A measure reads what two clusterings share from a `Joint`. Here it gets one whose statistics are
those of the resampled objects, so every measure that needs no more than these has limits; copies
of one object never form a pair.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, frozen
from .._joint import Joint
from .._records import Interval
from ..measures._registry import Measure
from ..resampling._replicates import Streams, check_executor
from ..statistics import resampled
from .record import ConfidenceLimits
from .resamples import Probe, Replicate, Replicates, bootstrap, leave_one_out

#: objects up to which a measure without resampled statistics is left out object by object: any
#: measure, and one that takes O(n) because it sums over objects
OBJECT_BY_OBJECT, SUMS_OBJECT_BY_OBJECT = 200, 5000
#: values that differ by less, relative to their size, are one value
_ROUNDING = 1e-13

Evaluate = Callable[[Joint], Any]


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


def limits(joint: Joint, wanted: list[tuple[Measure, Evaluate, float | Interval]], *, ci: str,
           level: float, n_resamples: int, rng: Any, executor: Executor | None, progress: Any
           ) -> list[ConfidenceLimits]:
    """Limits of each measure, given as (measure, its evaluation on a Joint, its value)."""
    asked = [_asked(joint, evaluate, value) for _, evaluate, value in wanted]
    needed = set().union(*(a for a in asked if a is not None))
    replicates, seeds = None, Streams(rng)
    if needed and ci == "jackknife":
        replicates = leave_one_out(joint, needed)
    elif needed:
        replicates = bootstrap(joint, needed, int(n_resamples), seeds, executor, progress)
    found = []
    for (m, evaluate, value), statistics in zip(wanted, asked):
        one = _limits_of(m, joint, evaluate, value, ci, level)
        if math.isnan(one.ends[0]):
            found.append(one.none("the measure is undefined for these clusterings"))
        elif statistics is None and m.by_object and ci == "bootstrap":
            found.append(one.with_copies(int(n_resamples), seeds))
        elif statistics is None and callable(m.in_compare) and m.shown is not None:
            found.append(one.none(_LONG))   # a record whose cost depends on the clusterings
        elif statistics is None:
            found.append(one.object_by_object(m.by_object) if ci == "jackknife"
                         else one.none(_NO_FORM))
        else:
            assert replicates is not None
            found.append(one.of(replicates, statistics))
    return found


def jackknife_limits(joint: Joint, measure: Measure, value: float | Interval, values: np.ndarray,
                     times: np.ndarray, level: float) -> ConfidenceLimits:
    """Limits from ready values (B, 2) without one object; row b stands for `times[b]` objects."""
    return _limits_of(measure, joint, lambda _: value, value, "jackknife", level).jackknife(
        values, times, "jackknife")


def _limits_of(measure: Measure, joint: Joint, evaluate: Evaluate, value: float | Interval,
               ci: str, level: float) -> _Limits:
    bounds = (None, None) if callable(measure.bounds) else measure.bounds
    return _Limits(joint=joint, evaluate=evaluate, value=value, ci=ci, level=level, bounds=bounds)


def _asked(joint: Joint, evaluate: Evaluate, value: float | Interval) -> set[str] | None:
    """Statistics that a measure rests on; None when it needs the clusterings themselves."""
    probe = Probe(joint)
    try:
        again = _ends(evaluate, probe)
    except Exception:
        # Whatever it wanted, it was not among the statistics that can be resampled.
        return None
    return probe.asked if _same(again, _pair(value)) and probe.asked else None


def _same(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return all(u == v or (math.isnan(u) and math.isnan(v)) for u, v in zip(a, b))


def _pair(value: Any) -> tuple[float, float]:
    if isinstance(value, Interval):
        return value.low, value.high
    return float(value), float(value)


def _ends(evaluate: Evaluate, joint: Joint) -> tuple[float, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _pair(evaluate(joint))


class _Limits:
    """Limits of one measure."""

    def __init__(self, *, joint: Joint, evaluate: Evaluate, value: float | Interval, ci: str,
                 level: float, bounds: Any) -> None:
        self.joint, self.evaluate, self.ci, self.level = joint, evaluate, ci, level
        self.ends, self.bounds = _pair(value), bounds

    def none(self, reason: str) -> ConfidenceLimits:
        """No limits."""
        nowhere = Interval(math.nan, math.nan)
        return ConfidenceLimits(low=nowhere, high=nowhere, standard_error=(math.nan, math.nan),
                                level=self.level, method="none", n_resamples=0,
                                note=f"no confidence limits: {reason}")

    def of(self, replicates: Replicates, asked: set[str]) -> ConfidenceLimits:
        """From the resampled statistics."""
        for name in sorted(asked & set(replicates.lacking)):
            return self.none(replicates.lacking[name])
        values = np.empty((replicates.times.size, 2))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for b in range(values.shape[0]):
                replicate = Replicate(self.joint, replicates, b)
                # Copies of a single object: there is nothing to compare.
                values[b] = _pair(self.evaluate(replicate)) if replicate.n_pairs else math.nan
        if self.ci == "jackknife":
            return self.jackknife(values, replicates.times, "jackknife")
        first_order = "pairs" in asked and replicates.first_order
        return self.percentile(values, first_order)

    def object_by_object(self, sums: bool) -> ConfidenceLimits:
        """By literally leaving out each object, or none."""
        n, most = self.joint.n_objects, SUMS_OBJECT_BY_OBJECT if sums else OBJECT_BY_OBJECT
        if n > most:
            return self.none(f"leaving out each of {n} objects would take {n} evaluations of a "
                             f"measure without shortcut (at most {most} are made)"
                             + ('; ci="bootstrap" can' if sums else ""))
        values = np.empty((n, 2))
        everything = np.arange(n)
        for i in range(n):
            kept = np.delete(everything, i)
            values[i] = _ends(self.evaluate,
                              Joint(self.joint.x.subset(kept), self.joint.y.subset(kept)))
        return self.jackknife(values, np.ones(n, np.int64), "jackknife, object by object")

    def with_copies(self, count: int, seeds: Streams) -> ConfidenceLimits:
        """A bootstrap in which copies count as objects, for functions of sums over objects."""
        n = self.joint.n_objects
        values = np.empty((count, 2))
        for b in range(count):
            drawn = np.repeat(np.arange(n), resampled.drawn_weights(n, seeds.generator(b)))
            values[b] = _ends(self.evaluate,
                              Joint(self.joint.x.subset(drawn), self.joint.y.subset(drawn)))
        return self.percentile(values, False)

    def jackknife(self, values: np.ndarray, times: np.ndarray, method: str) -> ConfidenceLimits:
        """t interval with n - 1 degrees of freedom around the value."""
        from scipy.stats import t
        n = self.joint.n_objects
        if np.isnan(values).any():
            return self.none("the measure is undefined when some object is left out")
        if _constant(values):
            return self.none(_NO_VARIATION)
        mean = (times[:, None] * values).sum(axis=0) / n
        square = (times[:, None] * (values - mean) ** 2).sum(axis=0) * (n - 1) / n
        errors = np.sqrt(square)
        half = t.ppf((1 + self.level) / 2, n - 1) * errors
        return self._record([(v - h, v + h) for v, h in zip(self.ends, half.tolist())],
                            errors, method, n)

    def percentile(self, values: np.ndarray, first_order: bool) -> ConfidenceLimits:
        """Quantiles of the resamples."""
        count = values.shape[0]
        defined = values[~np.isnan(values).any(axis=1)]
        if defined.shape[0] < 0.95 * count:
            return self.none(f"the measure is undefined in {count - defined.shape[0]} of {count} "
                             "resamples")
        if _constant(defined):
            return self.none(_NO_VARIATION)
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
                            defined.std(axis=0, ddof=1),
                            "bootstrap, first order" if first_order else "bootstrap",
                            defined.shape[0], frozen(values), "; ".join(said))

    def _record(self, ends: list[tuple[float, float]], errors: np.ndarray, method: str,
                count: int, replicates: np.ndarray | None = None, note: str = ""
                ) -> ConfidenceLimits:
        least, most = self.bounds
        low, high = (Interval(a if least is None else max(a, least),
                              b if most is None else min(b, most)) for a, b in ends)
        return ConfidenceLimits(low=low, high=high,
                                standard_error=(float(errors[0]), float(errors[1])),
                                level=self.level, method=method, n_resamples=count,
                                replicates=replicates, note=note)


_NO_FORM = ("the copies of an object that a bootstrap draws must not form pairs, and the measure "
            'offers no weighted form; ci="jackknife" needs none (up to '
            f"{OBJECT_BY_OBJECT} objects)")
_LONG = ("the measure offers no form for resampled objects, and each of its evaluations may be "
         "long; alpha_rand_interval and alpha_partition_interval have limits")
_NO_VARIATION = ("it is the same in every resample, which says nothing about what other objects "
                 "would do")


def _constant(values: np.ndarray) -> bool:
    spread = values.max(axis=0) - values.min(axis=0)
    return bool((spread <= _ROUNDING * np.maximum(1.0, np.abs(values).max(axis=0))).all())
