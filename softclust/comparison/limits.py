"""Confidence intervals of measures: a random sample of objects, fixed labels.

A registered measure names its method (`softclust.measures.limit_rules`); it is carried out here,
from what the statistic offers: closed forms, tables, or leaving out the objects one by one.
Copies of the same object never form a pair in a resample.

Near the best value few objects disagree: errors are like those of Poisson counts, and symmetric
intervals do not cover. So intervals are made for the logarithm of the distance from the best
value. At independence the first-order term vanishes: there the standard error has a floor, and
the end towards the best value a second-order term.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
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
from ..measures import Measure, ends, get_measure
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
from ..measures.resamples import Draws, drawn_weights
from ..measures.statistic import Replicates, Source, Statistic
from ..results.records import Interval
from ..running.jobs import check_executor, run_jobs
from ..running.random_numbers import Streams, as_generator
from ..running.threads import progress_bar
from ..running.warnings import quiet, warn
from ..tables.best_choice import BestChoice, Halves, choose_in_halves
from ..tables.contingency import Contingency, cell_of_objects
from ..tables.corrected_entropies import n_rare
from ..tables.table_moments import degrees
from .comparison_record import ConfidenceLimits, Resampling

#: values that differ by less, relative to their size, count as equal
_ROUNDING = 1e-13
#: seed of the random halves unless rng is given, so that intervals are deterministic
_SPLITS = 20120904
#: exp of a larger number is infinite
_LARGEST_EXPONENT = 700.0
#: resampled distances below this share of the value are set to this share
SMALLEST_SHARE = 1.0 / 16.0
#: seconds that a measure without a shortcut may take to be recomputed without each object, number
#: of evaluations that are timed, and number of objects up to which it is recomputed in any case
LONGEST, TIMED, OBJECT_BY_OBJECT = 5.0, 5, 200
#: number of random groups of objects, of equal size up to one object, that are left out otherwise
RANDOM_GROUPS = 100
UNDEFINED = "the measure is undefined when some object is left out"
BEYOND = "the corrected value is beyond the best possible value"
AT_BEST = "the value is the best possible one, from which distances are measured"
NO_VARIATION = ("the value is the same in every resample, which does not show how it would vary "
                "with other objects")
_NO_FORM = ("the copies of an object that a bootstrap draws must not form pairs, and the measure "
            'offers no weighted form; ci="jackknife" needs none')
_NOWHERE = (math.nan, math.nan)

Wanted = tuple[Measure, dict[str, Any], float | Interval]
Ends = tuple[float, float]


def check_options(how: Resampling, source: Source, weights_known: bool = False) -> None:
    """Raise unless the options for intervals fit together and these clusterings can have intervals.
    """
    if source.sums is not None:
        raise ClusteringError("confidence intervals need the objects, and sums of memberships have "
                              "none: leave out ci, or give both clusterings")
    if source.weighted and not weights_known:
        raise ClusteringError("confidence intervals need the weight of each object, and a table "
                              "has only their sums: leave out ci, count without weights, or give "
                              "groups= with labels and weights in memory")
    check_choice("ci", how.ci, ("bootstrap", "jackknife"))
    check_level(how.level)
    check_executor(how.executor)
    if how.ci == "bootstrap":
        check_whole("n_resamples", how.n_resamples, math.ceil(2 / (1 - how.level) - 1e-9),
                    also=f", for intervals of level {how.level:g},")
    if source.n_objects < 3:
        raise ClusteringError(f"the clusterings have {source.n_objects} objects; confidence "
                              "intervals need at least 3")


def limits(source: Source, wanted: Sequence[Wanted], how: Resampling) -> list[ConfidenceLimits]:
    """Confidence interval of each measure, given as (measure, its options, its value).

    Ctrl-C keeps the intervals that are finished; the others note that they are missing.
    """
    draws = _draws(source.n_objects, how) if how.ci == "bootstrap" else None
    rare = n_rare(source.statistic(Contingency)) if source.both_hard else None
    finished: list[ConfidenceLimits] = []
    try:
        for m, options, value in wanted:
            finished.append(_Limits(source, m, options, value, how, rare).find(draws))
    except KeyboardInterrupt:
        if not finished:
            raise
        warn(f"interrupted after the confidence intervals of {len(finished)} of {len(wanted)} "
             "measures; the result has the values of all of them", IncompleteWarning, stacklevel=3)
        finished += [no_limits(how.level, "the run was interrupted")] * (
            len(wanted) - len(finished))
    return finished


def _draws(n: int, how: Resampling) -> Draws:
    def run(work: Any, stop: int, what: str) -> list[Any]:
        parts: list[Any] = []
        run_jobs(work, range(stop), lambda start, end, part: parts.append(part), ranges=True,
                 executor=how.executor, progress=how.progress, what=what)
        return parts

    return Draws(n_objects=n, count=int(how.n_resamples), seeds=Streams(how.rng), run=run)


def no_limits(level: float, reason: str, rare: int | None = None) -> ConfidenceLimits:
    """No interval, with the reason."""
    return ConfidenceLimits(low=Interval(*_NOWHERE), high=Interval(*_NOWHERE),
                            standard_error=_NOWHERE, level=level, method="none", n_resamples=0,
                            n_rare=rare, note=f"no confidence interval: {reason}")


def stand_in(source: Source, m: Measure, options: Mapping[str, Any], value: float | Interval
             ) -> tuple[Measure, dict[str, Any], float | Interval, LimitRule, Any]:
    """The measure whose interval is that of `m` here, with its options, value and rule, and the
    function that converts it (None: as it is). For two hard clusterings its hard namesake.
    """
    rule = m.limit_rule(source)
    like = isinstance(rule, Like)
    target = rule.measure if isinstance(rule, Like) else None
    if isinstance(rule, LogScale) and source.both_hard:
        target = m.hard_target(options)
    if target is not None:
        other = get_measure(target)
        shared = {name: options[name] for name in other.options if name in options}
        with quiet():
            theirs = other.listed_value(other.evaluate(source, shared))
        # Some properties hold under conditions, such as "where it is defined".
        if like or np.allclose(ends(value), ends(theirs), rtol=1e-9, atol=1e-12):
            return (other, shared, theirs, other.limit_rule(source),
                    rule.value if isinstance(rule, Like) else None)
    return m, dict(options), value, rule, None


# -- estimates --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Estimates without an object.

    Attributes
    ----------
    values : ndarray, shape (R, 2)
        Both ends of each estimate.
    times : ndarray, shape (R,)
        Number of objects (of random groups, one each) that each row represents; they sum to
        `units`.
    method : str
        Method of computation; "" with `reason`.
    of_sample : bool
        True if the estimates are for some objects only.
    reason : str
        Why there are none.
    """

    values: np.ndarray
    times: np.ndarray
    method: str = "jackknife"
    of_sample: bool = False
    reason: str = ""

    @classmethod
    def none(cls, reason: str) -> LeftOut:
        """No estimates, with the reason."""
        return cls(values=np.zeros((0, 2)), times=np.zeros(0, np.int64), reason=reason)

    @property
    def units(self) -> int:
        """Number of units left out in turn: objects, or random groups of objects."""
        return int(self.times.sum())

    def standard_errors(self, n: int) -> np.ndarray:
        """Standard errors of both ends, (2,), from n units."""
        if self.of_sample:
            return np.sqrt((n - 1) * self.values.var(axis=0, ddof=1))
        times, (low, high) = self.times.astype(np.float64), np.ascontiguousarray(self.values.T)
        squares = []
        for end in (low,) if np.array_equal(low, high) else (low, high):
            apart = end - times @ end / n
            squares.append(times @ (apart * apart))
        return np.sqrt(np.array(squares * (3 - len(squares))) * ((n - 1) / n))

    def by_unit(self, source: Source) -> np.ndarray:
        """The lower ends of all units in their order, (n,)."""
        if self.units < source.n_objects or (
                self.times.shape[0] == source.n_objects and not source.both_hard):
            return self.values[:, 0]
        return self.values[cell_of_objects(source.statistic(Contingency), *source.objects.codes), 0]


@dataclass(frozen=True, slots=True)
class Estimated:
    """A measure, or its corrected estimate, for one source."""

    source: Source
    measure: Measure
    options: Mapping[str, Any]
    rule: LogScale
    progress: Any = False

    @property
    def statistic(self) -> tuple[type[Statistic], dict[str, Any]]:
        """The statistic behind the estimate, and its options."""
        if self.rule.statistic is not None:
            return self.rule.statistic, {}
        options = self.measure.options_of("statistic", self.options)
        options.pop("progress", None)
        assert self.measure.statistic is not None
        return self.measure.statistic, options

    def corrected(self) -> Ends:
        """Both ends of the estimate, corrected where the measure says so."""
        kind, options = self.statistic
        estimate = float(self._formula(self.source.statistic(kind, **options)))
        return estimate, estimate

    def left_out(self, in_groups: bool = False) -> LeftOut:
        """The estimate without each object; for a measure that grows with n, as of n objects.

        Where every evaluation takes long, without each of some random groups; `in_groups`: always.
        """
        kind, options = self.statistic
        replicates, n = self.source.without_each(kind, **options), self.source.n_objects
        smaller: Any = n - 1
        if replicates is None or (in_groups and self.rule.formula is None):
            left, smaller = self._evaluated(n, in_groups)
        elif replicates.lacking:
            return LeftOut.none(replicates.lacking)
        else:
            method = ("jackknife, sampled pairs" if replicates.of_sample else
                      "jackknife, corrected" if self.rule.corrected else "jackknife")
            left = LeftOut(values=self.replicated(replicates), times=replicates.times,
                           of_sample=replicates.of_sample, method=method)
        if np.isnan(left.values).any():
            return LeftOut.none(UNDEFINED)
        if self.rule.degree is None or left.reason:
            return left
        grown = np.reshape(n / np.asarray(smaller), (-1, 1)) ** self.rule.degree(self.options)
        return replace(left, values=left.values * grown)

    def replicated(self, replicates: Replicates) -> np.ndarray:
        """Both ends of the estimate of each replicate, (R, 2)."""
        with quiet():
            if self.rule.formula is None:
                return self.measure.replicated(replicates, self.options)
            if replicates.each is not None:
                value = np.array([self._formula(each) for each in replicates.each()])
            else:
                value = np.broadcast_to(self._formula(replicates.statistic),
                                        replicates.times.shape)
        return np.column_stack([value, value]).astype(float, copy=False)

    def _formula(self, statistic: Any) -> Any:
        assert self.rule.formula is not None
        return self.rule.formula(statistic, **{name: self.options[name] for name in ("average",)
                                               if name in self.options})

    def _evaluated(self, n: int, in_groups: bool) -> tuple[LeftOut, np.ndarray]:
        """One evaluation without each object or random group, and the sizes of what was left."""
        units, method = np.arange(n)[:, None], "jackknife, object by object"
        if n > OBJECT_BY_OBJECT and (in_groups or self._takes_long(n)):
            if self.not_in_groups:
                return LeftOut.none(self.not_in_groups), np.array([n])
            order = np.random.default_rng(_SPLITS).permutation(n)
            units = np.array_split(order, RANDOM_GROUPS)   # type: ignore[assignment]
            method = f"jackknife, {RANDOM_GROUPS} random groups"

        def each() -> Iterator[np.ndarray]:
            with progress_bar(self.progress, f"{self.measure.name} without some objects") as show:
                for k, unit in enumerate(units):
                    yield np.delete(np.arange(n), unit)
                    if show is not None:
                        show(k + 1, len(units))

        return (LeftOut(values=self.of_objects(each()), times=np.ones(len(units), np.int64),
                        method=method), n - np.array([len(unit) for unit in units]))

    @property
    def not_in_groups(self) -> str:
        """Reason why these kinds have no limits by random groups; "" if they have."""
        kinds = sorted({*self.source.kinds} - {"hard", *self.rule.in_groups})
        return (
            f"{self.source.n_objects} objects take too long one by one, and leaving out groups of "
            f"them has not been simulated for this measure of {' and '.join(kinds)} "
            f"clusterings: compare at most {OBJECT_BY_OBJECT} objects, drawn at random"
            ) if kinds else ""

    def _takes_long(self, n: int) -> bool:
        """Return True if n + 1 evaluations would take more than `LONGEST` seconds."""
        started = time.perf_counter()
        self.of_objects(np.delete(np.arange(n), k) for k in range(TIMED))
        return (time.perf_counter() - started) / TIMED * (n + 1) > LONGEST

    def of_objects(self, orders: Iterator[np.ndarray]) -> np.ndarray:
        """Both ends of the measure for each of these lists of objects, (R, 2)."""
        pair, m = self.source.objects, self.measure
        with quiet():
            return np.array([ends(m.listed_value(m.evaluate(pair.subset(order), self.options)))
                             for order in orders])


# -- scales -----------------------------------------------------------------------------------
def student(level: float, df: float) -> float:
    """Two-sided quantile of Student's distribution."""
    from scipy.special import stdtrit
    return float(stdtrit(df, (1.0 + level) / 2.0))


def proportion(count: float, n: float, level: float) -> Ends:
    """Clopper-Pearson interval of `count` of n objects, which need not be whole numbers."""
    from statsmodels.stats.proportion import proportion_confint
    low, high = proportion_confint(count, n, 1.0 - level, method="beta")
    return float(low), float(high)


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLimits:
    """Rule for the interval of one end.

    Attributes
    ----------
    best : float or None
        The best value; None if there is none, with symmetric intervals.
    larger : bool
        True if larger values are better.
    quantile : float
        Quantile of Student's distribution.
    floor : float
        Smallest standard error; 0 for none.
    degrees : int
        (r - 1)(s - 1), for the second-order term that goes with the floor.
    """

    best: float | None
    larger: bool
    quantile: float
    floor: float = 0.0
    degrees: int = 0

    def around(self, value: float, error: float) -> Ends | None:
        """Interval around a value with this standard error (at least the floor); None beyond the
        best.
        """
        if self.best is None:
            return value - self.quantile * error, value + self.quantile * error
        far = self.best - value if self.larger else value - self.best
        if far <= 0.0:
            return None
        reach = min(self.quantile * error / far, _LARGEST_EXPONENT)
        second = (self.quantile**2 * self.floor / math.sqrt(2.0 * self.degrees)
                  if self.floor > 0.0 and self.degrees else 0.0)
        near, far = far * math.exp(-reach) - second, far * math.exp(reach)
        return ((self.best - far, self.best - near) if self.larger
                else (self.best + near, self.best + far))

    def reflected(self, value: float, resampled: np.ndarray, level: float) -> Ends | None:
        """Percentiles of resampled values reflected at the value, on the logarithmic scale."""
        assert self.best is not None
        far = self.best - value if self.larger else value - self.best
        if far <= 0.0:
            return None
        others = self.best - resampled if self.larger else resampled - self.best
        others = np.maximum(others, far * SMALLEST_SHARE)
        low, high = np.quantile(others, [(1 - level) / 2, (1 + level) / 2]).tolist()
        near, far = far * far / high, far * far / low
        return ((self.best - far, self.best - near) if self.larger
                else (self.best + near, self.best + far))


# -- one measure ------------------------------------------------------------------------------
#: interval of one end with its standard error, and the reason if there is none
_End = tuple[Ends, float, str]


@dataclass(frozen=True, slots=True)
class _Limits:
    """Confidence interval of one measure."""

    source: Source
    measure: Measure
    options: Mapping[str, Any]
    value: float | Interval
    how: Resampling
    rare: int | None

    def find(self, draws: Any) -> ConfidenceLimits:
        """Compute the interval by the jackknife, or by a bootstrap from `draws`."""
        value = ends(self.value)
        if math.isnan(value[0]):
            return self._none("the measure is undefined for these clusterings")
        m, options, theirs, rule, convert = stand_in(self.source, self.measure, self.options,
                                                     self.value)
        if isinstance(rule, NoLimits):
            return self._none(rule.reason)
        assert isinstance(rule, (LogScale, Share))
        if reason := self._reason(rule):
            return self._none(reason)
        target = replace(self, measure=m, options=options, value=theirs)
        made = target._share(rule) if isinstance(rule, Share) else target._log_scale(rule, draws)
        if made.method == "none":
            return made
        if isinstance(rule, Share) and (of_share := rule.value) is not None:
            made = in_units(made, made.estimate, lambda v: of_share(v, self.source))
        elif isinstance(rule, LogScale) and rule.units is not None:
            units = rule.units(self.source)
            made = in_units(made, (0.5, 0.5), lambda v: v * units)
        if convert is not None:
            made = in_units(made, ends(theirs), lambda v: convert(v, self.source))
        low, high = self._inside(made.low, PLAIN), self._inside(made.high, PLAIN)
        note = made.note
        if value[0] < low.low or value[0] > high.high:
            outside = ("the value lies outside the interval, which is centred at the corrected "
                       f"value {made.estimate[0]:.4g}")
            note = f"{note}; {outside}" if note else outside
        return replace(made, low=low, high=high, note=note)

    def _reason(self, rule: LogScale | Share) -> str:
        """Explain why these clusterings have no interval; "" if they have one."""
        n, rare = self.source.n_objects, self.rare
        if isinstance(rule, LogScale) and rare is not None and (
                self.source.statistic(Contingency).same_partition):
            low = proportion(n, n, self.how.level)[0]
            return (f"all {n} objects agree; at level {self.how.level:g} at least "
                    f"{100 * low:.1f} % of all objects do (coclassification_index)")
        if rule.unless is not None and (reason := rule.unless(self.source)):
            return reason
        if isinstance(rule, LogScale) and rule.corrected and rare is not None and (
                rare < FEWEST_RARE):
            return (f"{rare} of {n} objects lie outside the main cells; information measures "
                    f"need {FEWEST_RARE}: see rand_index or coclassification_index")
        return ""

    def _none(self, reason: str) -> ConfidenceLimits:
        return no_limits(self.how.level, reason, self.rare)

    # -- proportions --------------------------------------------------------------------------
    def _share(self, rule: Share) -> ConfidenceLimits:
        """Clopper-Pearson interval of the objects in the best choice of cells."""
        best, level = self.source.statistic(BestChoice, choice=rule.choice), self.how.level
        n, share = best.n, best.matched / best.n
        low, high = proportion(best.matched, n, level)
        halves = self._halves(rule.choice)
        if halves.changed:
            low = min(low, float(np.median([proportion(int(count), halves.size, level)[0]
                                            for count in halves.matched])))
        error = math.sqrt(share * (1.0 - share) / (n - 1))
        method = "proportion, split halves" if halves.changed else "proportion"
        return self._of_share(share, (low, high), error, n, method)

    def _of_share(self, share: float, limits: Ends, error: float, count: int, method: str
                  ) -> ConfidenceLimits:
        return ConfidenceLimits(
            low=Interval(*limits), high=Interval(*limits), estimate=(share, share),
            standard_error=(error, error), level=self.how.level, n_resamples=count,
            n_rare=self.rare, method=method, reliable=True)

    def _halves(self, choice: str) -> Halves:
        """Choices on random halves of the objects, made once unless a seed is given."""
        rng = self.how.rng
        if rng is None:
            return self.source.kept(("halves", choice), lambda: choose_in_halves(
                self.source, choice, np.random.default_rng(_SPLITS)))
        # A child generator, so that other draws do not change.
        fresh = rng.spawn(1)[0] if isinstance(rng, np.random.Generator) else rng
        return choose_in_halves(self.source, choice, as_generator(fresh))

    # -- logarithm of the distance from the best ----------------------------------------------
    def _log_scale(self, rule: LogScale, draws: Any) -> ConfidenceLimits:
        what = Estimated(self.source, self.measure, self.options, rule, self.how.progress)
        if draws is not None:
            return self._bootstrap(what, draws)
        left = what.left_out()
        if left.reason:
            return self._none(left.reason)
        n = self.source.n_objects if left.of_sample else left.units
        scale = self._scale(what, (left.times.shape[0] if left.of_sample else n) - 1)
        estimate = ends(self.value) if rule.formula is None else what.corrected()
        bias = None if left.of_sample else (n - 1) * (
            left.times @ left.values / left.times.sum() - estimate)
        rows = self._around(what, estimate, left.values, left.standard_errors(n), bias, scale)
        return self._record(rows, estimate, left.method, n, rule)

    def _scale(self, what: Estimated, df: float, floored: bool = True) -> LogLimits:
        """The logarithmic scale of this measure."""
        rule, m, floor = what.rule, self.measure, 0.0
        larger = m.sense == "agreement"
        low, high = rule.bounds or m.range(self.source)
        best = rule.best(self.source) if rule.best is not None else high if larger else low
        if rule.floor is not None and floored:
            kind, options = what.statistic
            floor = rule.floor(self.source, what.source.statistic(kind, **options),
                               dict(self.options))
            if not 0.0 <= floor < math.inf:
                floor = 0.0
        return LogLimits(best=best, larger=larger, quantile=student(self.how.level, df),
                         floor=floor, degrees=degrees(self.source) if floor else 0)

    def _around(self, what: Estimated, estimate: Ends, values: np.ndarray, errors: np.ndarray,
                bias: np.ndarray | None, scale: LogLimits | None,
                tails: Sequence[Ends | None] = ()) -> list[_End]:
        """Intervals of both ends, around their estimates by `scale` or as `tails` has them.

        `values` (R, 2) and `bias` come from resamples. An end that never varies, is beyond the best
        value or is too biased has no interval.
        """
        rows: list[_End] = []
        rule = what.rule
        columns = np.ascontiguousarray(values.T)
        low, high = columns.min(axis=1), columns.max(axis=1)
        still = high - low <= _ROUNDING * np.maximum(1.0, np.maximum(high, -low))
        largest = MOST_BIAS if what.source.both_hard and rule.formula is None else MOST_OTHER_BIAS
        for k, value in enumerate(estimate):
            error = 0.0 if still[k] else float(errors[k])
            if scale is not None:
                error = max(error, scale.floor)
            pair, reason = None, ""
            if error == 0.0:
                reason = NO_VARIATION
            else:
                pair = scale.around(value, error) if scale is not None else tails[k]
            if pair is None:
                reason = reason or (BEYOND if rule.corrected else AT_BEST)
            elif bias is not None and not rule.corrected and not rule.unbiased:
                apart = abs(float(bias[k]) if rule.formula is None
                            else ends(self.value)[k] - value)
                if apart > largest * error:
                    reason = (f"its bias is about {apart / error:.2g} times its standard error, as "
                              "with many or small clusters; an interval needs at most "
                              f"{largest:g}")
            rows.append((_NOWHERE, math.nan, reason) if reason or pair is None
                        else ((pair[0], pair[1]), error, ""))
        return rows

    def _record(self, rows: list[_End], estimate: Ends, method: str, count: int, rule: LogScale,
                replicates: np.ndarray | None = None, notes: Sequence[str] = ()
                ) -> ConfidenceLimits:
        """Make the interval of both ends, each judged by itself."""
        (low, low_error, why_low), (high, high_error, why_high) = rows
        if why_low and why_high:
            return self._none(why_low)
        texts = list(notes)
        for end, reason in (("lower", why_low), ("upper", why_high)):
            if reason:
                texts.append(f"no confidence interval of the {end} end: {reason}")
        few = self.rare is not None and self.rare < FEWEST_RARE
        if few:
            texts.append(f"the interval rests on {self.rare} objects outside the "
                         "main cells")
        return ConfidenceLimits(low=self._inside(Interval(*low), rule),
                                high=self._inside(Interval(*high), rule),
                                standard_error=(low_error, high_error), level=self.how.level,
                                method=method, n_resamples=count, estimate=estimate,
                                n_rare=self.rare, reliable=not few, replicates=replicates,
                                note="; ".join(texts))

    def _inside(self, limits: Interval, rule: LogScale) -> Interval:
        """Cut an interval at the range of the measure; nan stays nan."""
        bottom, top = rule.bounds or self.measure.range(self.source)
        if rule.bounds is None and callable(self.measure.bounds):
            top = None   # the maximum depends on n, not on the population
        if rule.best is not None:
            top = rule.best(self.source)
        a, b = limits.low, limits.high
        return Interval(a if bottom is None or math.isnan(a) else max(a, bottom),
                        b if top is None or math.isnan(b) else min(b, top))

    # -- bootstrap ----------------------------------------------------------------------------
    def _bootstrap(self, what: Estimated, draws: Draws) -> ConfidenceLimits:
        """Percentiles; for measures that are corrected for bias reflected at the value."""
        plug_in = replace(what, rule=replace(what.rule, statistic=None, formula=None)
                          ) if what.rule.corrected else what
        kind, options = plug_in.statistic
        replicates = self.source.redrawn(kind, draws, **options)
        if replicates is None:
            if not self.measure.by_object:
                return self._none(_NO_FORM)
            n = self.source.n_objects
            # Functions of sums over objects: copies count as objects.
            orders = (np.repeat(np.arange(n), drawn_weights(n, draws.seeds.generator(b)))
                      for b in range(draws.count))
            values, first_order = plug_in.of_objects(orders), False
        elif replicates.lacking:
            return self._none(replicates.lacking)
        else:
            values, first_order = plug_in.replicated(replicates), replicates.first_order
        estimate = ends(self.value) if plug_in.rule.formula is None else plug_in.corrected()
        return self._quantiles(what, estimate, values, first_order)

    def _quantiles(self, what: Estimated, value: Ends, values: np.ndarray, first_order: bool
                   ) -> ConfidenceLimits:
        count, level = values.shape[0], self.how.level
        defined = values[~np.isnan(values).any(axis=1)]
        lost = count - defined.shape[0]
        if defined.shape[0] < 0.95 * count:
            return self._none(f"the measure is undefined in {lost} of {count} resamples")
        tails: Sequence[Ends | None]
        if what.rule.corrected:
            method, scale = "bootstrap, reflected", self._scale(what, 1, floored=False)
            tails = [scale.reflected(v, column, level) for v, column in zip(value, defined.T)]
        else:
            method = "bootstrap, first order" if first_order else "bootstrap"
            tails = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2], axis=0).T.tolist()
        notes = []
        if first_order:
            notes.append("the interval uses the first-order form of the sums over pairs (each "
                         f"object's mean over its pairs): all pairs in {count} resamples would "
                         "take too long")
        if lost:
            notes.append(f"undefined in {lost} of {count} resamples, which are left out of the "
                         "interval")
        errors, bias = defined.std(axis=0, ddof=1), defined.mean(axis=0) - value
        rows = self._around(what, value, defined, errors, bias, None, tails)
        return self._record(rows, value, method, defined.shape[0], what.rule, frozen(values),
                            notes)


def in_units(limits: ConfidenceLimits, at: Ends, convert: Callable[[float], float]
             ) -> ConfidenceLimits:
    """Interval of a monotone function of a value; errors by its slope `at` both ends."""
    def to(value: float) -> float:
        return value if math.isnan(value) else convert(value)

    def slope(value: float) -> float:
        a, b = max(value - 1e-5, 0.0), min(value + 1e-5, 1.0)
        return abs(convert(b) - convert(a)) / (b - a)

    low, high = (Interval(*sorted((to(end.low), to(end.high))))
                 for end in (limits.low, limits.high))
    (a, b), (error_a, error_b) = limits.estimate, limits.standard_error
    replicates = limits.replicates
    if replicates is not None:
        replicates = frozen(np.vectorize(to, otypes=[float])(replicates))
    return replace(limits, low=low, high=high, estimate=(to(a), to(b)), replicates=replicates,
                   standard_error=(error_a * slope(at[0]), error_b * slope(at[1])))
