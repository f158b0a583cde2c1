"""Confidence limits of measures: objects are a sample, labels are held fixed.

The record of a measure names how its limits are made (`softclust.measures.limit_rules`); here
this is carried out. What can be had is known from the statistic: closed forms, tables, or the
objects left out one by one. In a resample copies of one object never form a pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._checks import (
    ClusteringError,
    IncompleteWarning,
    check_choice,
    check_level,
    check_whole,
    frozen,
)
from .._random import as_generator
from .._records import Interval
from .._warnings import quiet, warn
from ..ensembles.replicates import Streams, check_executor, run_blocks
from ..measures import Measure, ends, get_measure
from ..measures.draws import Draws, drawn_weights
from ..measures.limit_rules import (
    FEWEST_RARE,
    MOST_BIAS,
    MOST_OTHER_BIAS,
    PLAIN,
    Like,
    LimitRule,
    LogScale,
    NoLimits,
    Share,
)
from ..measures.statistic import Source
from ..tables.best_choice import BestChoice, Halves, choose_in_halves
from ..tables.contingency import Contingency
from ..tables.corrected_entropies import n_rare
from ..tables.independence import degrees
from .left_out import OBJECT_BY_OBJECT, Estimated
from .log_scale import AT_BEST, BEYOND, LogLimits, proportion, student
from .record import ConfidenceLimits

#: values that differ by less, relative to their size, are one value
_ROUNDING = 1e-13
#: seed of the split halves unless rng is given, so that limits are deterministic
_SPLITS = 20120904

Wanted = tuple[Measure, dict[str, Any], float | Interval]


def check_options(ci: Any, level: Any, n_resamples: Any, rng: Any, executor: Any, n: int) -> None:
    """Raise unless the options of `compare` for limits fit together."""
    if ci is None:
        if rng is not None or executor is not None:
            raise ValueError('rng and executor have no effect without ci="bootstrap"')
        return
    check_choice("ci", ci, ("bootstrap", "jackknife"))
    check_level(level)
    check_executor(executor)
    least = math.ceil(2 / (1 - level) - 1e-9)
    if ci == "bootstrap":
        check_whole("n_resamples", n_resamples, least, also=f", for limits of level {level:g},")
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
            found.append(_Limits(source, m, options, value, level, rng).find(draws))
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


def no_limits(level: float, reason: str, rare: int | None = None) -> ConfidenceLimits:
    """No limits, and why."""
    nowhere = Interval(math.nan, math.nan)
    return ConfidenceLimits(low=nowhere, high=nowhere, standard_error=(math.nan, math.nan),
                            level=level, method="none", n_resamples=0, n_rare=rare,
                            note=f"no confidence limits: {reason}")


def stand_in(source: Source, m: Measure, options: Mapping[str, Any], value: float | Interval
             ) -> tuple[Measure, dict[str, Any], float | Interval, LimitRule]:
    """The measure whose limits are those of `m` here: of two hard clusterings its hard namesake.
    """
    rule = m.limit_rule(source)
    target = m.hard_target(options) if source.both_hard and isinstance(rule, LogScale) else None
    if isinstance(rule, Like):
        target = rule.measure
    if target is None:
        return m, dict(options), value, rule
    other = get_measure(target)
    given = {name: options[name] for name in other.options if name in options}
    with quiet():
        theirs = other.listed_value(other.evaluate(source, given))
    same = np.allclose(ends(value), ends(theirs), rtol=1e-9, atol=1e-12)
    # Some claims hold under conditions, such as "where it is defined".
    if not isinstance(rule, Like) and not same:
        return m, dict(options), value, rule
    return other, given, theirs, other.limit_rule(source)


@dataclass(frozen=True, slots=True)
class _Limits:
    """Limits of one measure."""

    source: Source
    measure: Measure
    options: Mapping[str, Any]
    value: float | Interval
    level: float
    rng: Any = None
    rare: int | None = field(init=False)

    def __post_init__(self) -> None:
        hard = self.source.both_hard
        object.__setattr__(self, "rare", n_rare(self.source.statistic(Contingency))
                           if hard else None)

    def find(self, draws: Draws | None) -> ConfidenceLimits:
        """By the jackknife, or by a bootstrap from `draws`."""
        if math.isnan(ends(self.value)[0]):
            return self._none("the measure is undefined for these clusterings")
        m, options, value, rule = stand_in(self.source, self.measure, self.options, self.value)
        own = self.measure.limit_rule(self.source)
        found = replace(self, measure=m, options=options, value=value)._by(rule, draws)
        if isinstance(own, Like) and (convert := own.value) is not None:
            found = in_units(found, ends(value), lambda v: convert(v, self.source))
        if found.method != "none":
            low, high = (self._inside(end.low, end.high, PLAIN) for end in (found.low, found.high))
            found = replace(found, low=low, high=high)
        return self._said_outside(found)

    def _by(self, rule: LimitRule, draws: Draws | None) -> ConfidenceLimits:
        if isinstance(rule, NoLimits):
            return self._none(rule.reason)
        if isinstance(rule, Share):
            return self._share(rule)
        assert isinstance(rule, LogScale)
        if self.source.both_hard and self.source.statistic(Contingency).same_partition:
            return self._none(self._all_agree())
        if rule.unless is not None and (reason := rule.unless(self.source)):
            return self._none(reason)
        if rule.corrected and self.rare is not None and self.rare < FEWEST_RARE:
            return self._none(
                f"{self.rare} of {self.source.n_objects} objects lie outside the main cells; "
                f"limits of information measures need {FEWEST_RARE}: see rand_index or "
                "coclassification_index")
        return self._log_scale(rule, draws)

    def _none(self, reason: str) -> ConfidenceLimits:
        return no_limits(self.level, reason, self.rare)

    def _all_agree(self) -> str:
        n = self.source.n_objects
        low = proportion(n, n, self.level)[0]
        return (f"all {n} objects agree; at level {self.level:g} at least {100 * low:.1f} % of all "
                "objects do (coclassification_index)")

    def _said_outside(self, found: ConfidenceLimits) -> ConfidenceLimits:
        """With a note where the value itself is outside of limits around a corrected one."""
        value = ends(self.value)[0]
        if found.method == "none" or not (value < found.low.low or value > found.high.high):
            return found
        said = (f"the value is outside the limits, which are built around the corrected value "
                f"{found.estimate[0]:.4g}")
        return replace(found, note="; ".join(filter(None, [found.note, said])))

    # -- proportions --------------------------------------------------------------------------
    def _share(self, rule: Share) -> ConfidenceLimits:
        """Clopper-Pearson limits of the objects in the best choice of cells."""
        if rule.unless is not None and (reason := rule.unless(self.source)):
            return self._none(reason)
        best = self.source.statistic(BestChoice, choice=rule.choice)
        n, share = best.n, best.kept / best.n
        low, high = proportion(best.kept, n, self.level)
        halves = self._halves(rule.choice)
        if halves.changed:
            low = min(low, float(np.median([proportion(int(k), halves.size, self.level)[0]
                                            for k in halves.kept])))
        error = math.sqrt(share * (1.0 - share) / (n - 1))
        found = ConfidenceLimits(
            low=Interval(low, high), high=Interval(low, high), estimate=(share, share),
            standard_error=(error, error), level=self.level, n_resamples=n, n_rare=self.rare,
            method="proportion, split halves" if halves.changed else "proportion", reliable=True)
        if (convert := rule.value) is None:
            return found
        return in_units(found, (share, share), lambda v: convert(v, self.source))

    def _halves(self, choice: str) -> Halves:
        """Choices of random halves of the objects, made once unless a seed is given."""
        if self.rng is not None:
            return choose_in_halves(self.source, choice, as_generator(_fresh(self.rng)))
        return self.source.kept(("halves", choice), lambda: choose_in_halves(
            self.source, choice, np.random.default_rng(_SPLITS)))

    # -- logarithm of the distance from the best ----------------------------------------------
    def _log_scale(self, rule: LogScale, draws: Draws | None) -> ConfidenceLimits:
        what = Estimated(self.source, self.measure, self.options, rule)
        found = self._jackknife(what) if draws is None else self._bootstrap(what, draws)
        if rule.units is None:
            return found
        units = rule.units(self.source)
        return in_units(found, (0.5, 0.5), lambda v: v * units)

    def _scale(self, what: Estimated, df: float) -> LogLimits:
        """The logarithmic scale of this measure."""
        rule, m = what.rule, self.measure
        larger = m.sense == "agreement"
        low, high = rule.bounds or m.range(self.source)
        best = rule.best(self.source) if rule.best is not None else high if larger else low
        floor = what.floor()
        if not 0.0 <= floor < math.inf:
            floor = 0.0
        return LogLimits(best=best, larger=larger, quantile=student(self.level, df), floor=floor,
                         degrees=degrees(self.source) if floor else 0)

    def _jackknife(self, what: Estimated) -> ConfidenceLimits:
        left = what.left_out()
        if left.reason:
            return self._none(left.reason)
        n = self.source.n_objects
        scale = self._scale(what, (left.times.shape[0] if left.of_sample else n) - 1)
        estimate = what.value(self.value)
        errors, tails, reasons = [], [], []
        beyond = BEYOND if what.rule.corrected else AT_BEST
        still = constant(left.values)
        biases = self._biases(what, estimate, (n - 1) * (
            left.times @ left.values / left.times.sum() - estimate))
        for value, error, fixed, bias in zip(estimate, left.standard_errors(n).tolist(), still,
                                             biases.tolist()):
            error = max(0.0 if fixed else error, scale.floor)
            found = scale.around(value, error) if error > 0.0 else None
            if error == 0.0:
                reason = NO_VARIATION
            elif found is None:
                reason = beyond
            else:
                reason = "" if left.of_sample else _too_biased(what, bias, error)
            reasons.append(reason)
            tails.append((math.nan, math.nan) if found is None or reason else found)
            errors.append(math.nan if reason else error)
        return self._record(tails, errors, reasons, estimate, left.method, n, what.rule)

    def _biases(self, what: Estimated, estimate: tuple[float, float], resampled: np.ndarray
                ) -> np.ndarray:
        """Bias of both ends of the value, (2,): as it was corrected, else as resampling has it."""
        if what.rule.formula is None:
            return resampled
        return np.array(ends(self.value)) - estimate

    def _record(self, tails: list[tuple[float, float]], errors: list[float], reasons: list[str],
                estimate: tuple[float, float], method: str, count: int, rule: LogScale,
                replicates: np.ndarray | None = None, said: Sequence[str] = ()
                ) -> ConfidenceLimits:
        """Limits of both ends, each judged by itself."""
        if all(reasons):
            return self._none(reasons[0])
        notes = list(said)
        notes += [f"no confidence limits of the {end} end: {reason}"
                  for end, reason in zip(("lower", "upper"), reasons) if reason]
        few = self.rare is not None and self.rare < FEWEST_RARE
        if few:
            notes.append(f"the limits rest on {self.rare} objects that deviate from the "
                         "main cells")
        low, high = (self._inside(a, b, rule) for a, b in tails)
        return ConfidenceLimits(low=low, high=high, standard_error=(errors[0], errors[1]),
                                level=self.level, method=method, n_resamples=count,
                                estimate=estimate, n_rare=self.rare, reliable=not few,
                                replicates=replicates, note="; ".join(notes))

    def _inside(self, a: float, b: float, rule: LogScale) -> Interval:
        least, most = rule.bounds or self.measure.range(self.source)
        if rule.bounds is None and callable(self.measure.bounds):
            most = None   # of values of n objects, not of what they are a sample of
        if rule.best is not None:
            most = rule.best(self.source)
        # nan stays nan.
        return Interval(a if least is None or math.isnan(a) else max(a, least),
                        b if most is None or math.isnan(b) else min(b, most))

    # -- bootstrap ----------------------------------------------------------------------------
    def _bootstrap(self, what: Estimated, draws: Draws) -> ConfidenceLimits:
        """Percentiles; for measures that are corrected for bias reflected at the value."""
        plug_in = replace(what, rule=replace(what.rule, statistic=None, formula=None)
                          ) if what.rule.corrected else what
        found = self.source.redrawn(plug_in.statistic, draws, **plug_in.of_statistic())
        if found is None:
            if not self.measure.by_object:
                return self._none(_NO_FORM)
            n = self.source.n_objects
            # Functions of sums over objects: copies count as objects.
            orders = (np.repeat(np.arange(n), drawn_weights(n, draws.seeds.generator(b)))
                      for b in range(draws.count))
            values, first_order = plug_in.of_objects(orders), False
        elif found.lacking:
            return self._none(found.lacking)
        else:
            values, first_order = plug_in.replicated(found), found.first_order
        return self._quantiles(what, plug_in.value(self.value), values, first_order)

    def _quantiles(self, what: Estimated, value: tuple[float, float], values: np.ndarray,
                   first_order: bool) -> ConfidenceLimits:
        count = values.shape[0]
        defined = values[~np.isnan(values).any(axis=1)]
        if defined.shape[0] < 0.95 * count:
            return self._none(f"the measure is undefined in {count - defined.shape[0]} of {count} "
                              "resamples")
        tails: list[tuple[float, float] | None]
        if what.rule.corrected:
            method = "bootstrap, reflected"
            scale = self._scale(replace(what, rule=replace(what.rule, floor=None)), 1)
            tails = [scale.reflected(v, column, self.level)
                     for v, column in zip(value, defined.T)]
        else:
            method = "bootstrap, first order" if first_order else "bootstrap"
            at = [(1 - self.level) / 2, (1 + self.level) / 2]
            tails = [(a, b) for a, b in np.quantile(defined, at, axis=0).T.tolist()]
        said = []
        if first_order:
            said.append("limits from the first-order form of the sums over pairs (each object's "
                        f"mean over its pairs): all pairs in {count} resamples would take too "
                        "long")
        if defined.shape[0] < count:
            said.append(f"undefined in {count - defined.shape[0]} of {count} resamples, which are "
                        "left out of the limits")
        still = constant(defined)
        beyond = BEYOND if what.rule.corrected else AT_BEST
        errors = defined.std(axis=0, ddof=1).tolist()
        biases = self._biases(what, value, defined.mean(axis=0) - value).tolist()
        reasons = [NO_VARIATION if fixed else beyond if pair is None
                   else _too_biased(what, bias, error)
                   for fixed, pair, bias, error in zip(still, tails, biases, errors)]
        return self._record([(math.nan, math.nan) if pair is None or reason else pair
                             for pair, reason in zip(tails, reasons)],
                            [math.nan if reason else e for e, reason in zip(errors, reasons)],
                            reasons, value, method, defined.shape[0], what.rule, frozen(values),
                            said)


def in_units(found: ConfidenceLimits, at: tuple[float, float], convert: Callable[[float], float]
             ) -> ConfidenceLimits:
    """Limits of a monotone function of what they are of; errors by its slope `at` both ends."""
    if found.method == "none":
        return found

    def limits_of(end: Interval) -> Interval:
        if math.isnan(end.low):
            return end
        a, b = convert(end.low), convert(end.high)
        return Interval(min(a, b), max(a, b))

    def error(value: float, size: float) -> float:
        a, b = max(value - 1e-5, 0.0), min(value + 1e-5, 1.0)
        return size * abs(convert(b) - convert(a)) / (b - a)

    errors = [error(v, e) for v, e in zip(at, found.standard_error)]
    estimate = [convert(v) for v in found.estimate]
    replicates = found.replicates
    if replicates is not None:
        replicates = frozen(np.array([[v if math.isnan(v) else convert(v) for v in row]
                                      for row in replicates.tolist()]))
    return replace(found, low=limits_of(found.low), high=limits_of(found.high),
                   estimate=(estimate[0], estimate[1]),
                   standard_error=(errors[0], errors[1]), replicates=replicates)


def _fresh(rng: Any) -> Any:
    """The generator of split halves: a child, so that other draws stay as they are."""
    return rng.spawn(1)[0] if isinstance(rng, np.random.Generator) else rng


_NO_FORM = ("the copies of an object that a bootstrap draws must not form pairs, and the measure "
            'offers no weighted form; ci="jackknife" needs none (up to '
            f"{OBJECT_BY_OBJECT} objects)")
NO_VARIATION = ("it is the same in every resample, which says nothing about what other objects "
                "would do")


def _too_biased(what: Estimated, bias: float, error: float) -> str:
    """Why an estimate with this bias and standard error has no limits."""
    most = (MOST_BIAS if what.source.both_hard and what.rule.formula is None
            else MOST_OTHER_BIAS)
    if what.rule.corrected or what.rule.unbiased or abs(bias) <= most * error:
        return ""
    return (f"its bias is about {abs(bias) / error:.2g} times its standard error, as with many or "
            f"small clusters; limits need at most {most:g}")


def constant(values: np.ndarray) -> np.ndarray:
    """Which of the two ends never varies."""
    ends_of = np.ascontiguousarray(values.T)
    most, least = ends_of.max(axis=1), ends_of.min(axis=1)
    return np.asarray(most - least <= _ROUNDING * np.maximum(1.0, np.maximum(most, -least)))
