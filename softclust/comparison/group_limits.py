"""Confidence limits when groups of objects are the sample, or objects within strata.

Theory: docs/theory/dependence.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError
from .._records import Interval
from .._warnings import quiet
from ..ensembles.replicates import Streams
from ..measures import Measure, ends
from ..measures.limit_rules import LogScale, Share
from ..measures.statistic import Source
from ..tables.best_choice import HALVES, chosen_cells, nearly_tied
from ..tables.groups import Grouped, check_nested
from ..tables.pair_counts import PairCounts
from ..tables.parts import kept_labels, part_codes
from .left_out import UNDEFINED, Estimated
from .limits import NO_VARIATION, Wanted, _Limits, constant, in_units
from .log_scale import AT_BEST, BEYOND, proportion, student
from .record import ConfidenceLimits

#: fewest groups, and fewest effective groups that hold errors
FEWEST_GROUPS, FEWEST_WITH_ERRORS = 5, 2.0
#: below these, effectively, limits are called unreliable
RELIABLE_GROUPS, RELIABLE_WITH_ERRORS = 30.0, 5.0
#: effective groups that a bootstrap needs
BOOTSTRAP_GROUPS = 50.0
_NOT_SIMULATED = ("limits of this measure have not been simulated for objects in groups; indices "
                  "that count pairs, information measures and shares of objects have them")
#: seed of the halves of groups unless rng is given
_SPLITS = 20120904


def grouped(source: Source, groups: Any, strata: Any, alignment: Any = None) -> Grouped | None:
    """The source whose sample are groups; None where nothing differs from single objects."""
    if groups is True and hasattr(source, "parts"):
        return _of_table(source, strata)
    if not source.has_objects:
        what = "groups" if groups is not None else "strata"
        raise ClusteringError(f"the table has no {what}: count with {what}=")
    n = source.n_objects
    codes, names = np.arange(n), tuple(range(n))
    if groups is not None:
        codes, names = part_codes("groups", kept_labels(groups, "groups", alignment), n)
        if len(names) == 1:
            raise ClusteringError(f"all {n} objects are in group {names[0]!r}; limits need the "
                                  "objects of several groups")
    if strata is None:
        return None if len(names) == n else Grouped(source, codes, names)
    inside, called = part_codes("strata", kept_labels(strata, "strata", alignment), n)
    of_groups = check_nested(codes, names, inside)
    units = np.bincount(of_groups, minlength=len(called))
    if (units < 2).any():
        unit = "object" if len(names) == n else "group"
        raise ClusteringError(f"stratum {called[int(np.argmax(units < 2))]!r} has a single {unit}; "
                              "merge it with another")
    if len(called) == 1 and len(names) == n:
        return None
    return Grouped(source, codes, names, of_groups)


def _of_table(table: Any, strata: Any) -> Grouped | None:
    """The groups of a table that has them."""
    parts = table.parts("groups")
    if parts.n_parts == 1:
        raise ClusteringError(f"all {table.n_objects} objects are in group {parts.names[0]!r}; "
                              "limits need the objects of several groups")
    of_groups = None
    if strata is not None:
        table.parts("strata")
        of_groups, called = table.strata_of_groups()
        units = np.bincount(of_groups)
        if (units < 2).any():
            raise ClusteringError(f"stratum {called[int(np.argmax(units < 2))]!r} has a single "
                                  "group; merge it with another")
    elif parts.n_parts == table.n_objects:
        return None
    return Grouped.of_parts(table, parts, of_groups)


def group_limits(source: Grouped, wanted: Sequence[Wanted], *, ci: str, level: float,
                 n_resamples: int, rng: Any) -> list[ConfidenceLimits]:
    """Limits of each measure, given as (measure, its options, its value)."""
    draws = None
    if ci == "bootstrap":
        streams = Streams(rng)
        draws = np.array([drawn_groups(source, streams.generator(b)) for b in range(n_resamples)])
    return [_GroupLimits(source.plain, m, options, value, level, rng, source, draws).find(None)
            for m, options, value in wanted]


def drawn_groups(source: Grouped, rng: np.random.Generator) -> np.ndarray:
    """How often each group is drawn, within its stratum."""
    found = np.zeros(source.n_groups)
    for h in range(source.n_strata):
        inside = np.flatnonzero(source.strata == h)
        found[inside] = np.bincount(rng.integers(inside.size, size=inside.size),
                                    minlength=inside.size)
    return found


def description(source: Grouped, found: Sequence[ConfidenceLimits]) -> str:
    """What is sampled, and how much narrower limits of independent objects would be."""
    strata = f" in {source.n_strata} strata" if source.n_strata > 1 else ""
    if source.n_groups == source.n_objects:
        return f"limits: objects are sampled within {source.n_strata} strata"
    text = (f"limits: {source.n_groups} groups{strata} are sampled, {source.effective:.1f} "
            "effective; objects within a group may depend")
    times = [math.sqrt(each.design_effect) for each in found
             if each.design_effect > 0.0]
    if times and max(times) > 1.05:
        low, high = f"{min(times):.1f}", f"{max(times):.1f}"
        text += (". Limits of independent objects would be "
                 f"{low if low == high else f'{low} to {high}'} times too narrow")
    return text


def group_error(source: Grouped, values: np.ndarray) -> np.ndarray:
    """Standard errors of both ends from estimates without each group, (G, 2)."""
    total = np.zeros(values.shape[1])
    for h in range(source.n_strata):
        inside = values[source.strata == h]
        g = inside.shape[0]
        total += (g - 1) / g * ((inside - inside.mean(axis=0)) ** 2).sum(axis=0)
    return np.sqrt(total)


def degrees_of_freedom(source: Grouped) -> float:
    """nu: effective groups, fewer where errors sit in few of them."""
    ratio = 1.0
    if source.both_hard:
        total, used, expected = source.errors
        ratio = min(1.0, used / expected) if total else 1.0
    return max(1.0, (source.effective - source.n_strata) * ratio)


def too_few(source: Grouped, share: bool = False) -> str:
    """Why these groups have no limits; "" where they have."""
    if source.n_groups < FEWEST_GROUPS:
        return f"limits need {FEWEST_GROUPS} groups; there are {source.n_groups}"
    if source.both_hard and not share and source.n_groups < source.n_objects:
        total, used, _ = source.errors
        if total and used < FEWEST_WITH_ERRORS:
            return f"all errors lie in effectively {used:.1f} of {source.n_groups} groups"
    return ""


@dataclass(frozen=True, slots=True)
class GroupEstimate:
    """A measure of pairs of different groups, and without each group.

    Attributes
    ----------
    value : (float, float)
    without : ndarray, shape (G, 2)
    reason : str
        Why there are none.
    """

    value: tuple[float, float]
    without: np.ndarray
    reason: str = ""

    @classmethod
    def of(cls, source: Grouped, measure: Measure, options: Mapping[str, Any], rule: LogScale
           ) -> GroupEstimate:
        """The estimate that limits and rankings rest on."""
        what = Estimated(source, measure, options, rule)
        none = np.zeros((0, 2))
        found = source.without_each(what.statistic, **what.of_statistic())
        if found is None:
            return cls((math.nan, math.nan), none, _NOT_SIMULATED)
        values = what.replicated(found)
        if rule.degree is not None:
            n = source.n_objects
            values = values * (n / (n - source.sizes))[:, None] ** rule.degree(options)
        if np.isnan(values).any():
            return cls((math.nan, math.nan), none,
                       UNDEFINED.replace("some object", "some group"))
        with quiet():
            value = (what.value(math.nan) if rule.formula is not None else
                     ends(measure.listed_value(measure.evaluate(source, options))))
        return cls(value, values)


@dataclass(frozen=True, slots=True)
class _GroupLimits(_Limits):
    """Limits of one measure; `source` are the objects, `groups` the same in groups."""

    groups: Any = None
    draws: np.ndarray | None = None

    def _by(self, rule: Any, draws: Any) -> ConfidenceLimits:
        # Design effects correct entropies of few objects per cluster, too.
        if isinstance(rule, LogScale) and rule.corrected:
            rule = replace(rule, unless=None)
        return _Limits._by(self, rule, draws)

    def _log_scale(self, rule: LogScale, draws: Any) -> ConfidenceLimits:
        g = self.groups
        if reason := too_few(g):
            return self._none(reason)
        found = GroupEstimate.of(g, self.measure, self.options, rule)
        if found.reason:
            return self._none(found.reason)
        made = (self._of_groups(rule, found) if self.draws is None
                else self._drawn(rule, found, self.draws))
        if rule.units is None:
            return made
        units = rule.units(self.source)
        return in_units(made, (0.5, 0.5), lambda v: v * units)

    def _of_groups(self, rule: LogScale, found: GroupEstimate) -> ConfidenceLimits:
        g = self.groups
        what = Estimated(self.source, self.measure, self.options, rule)
        nu = degrees_of_freedom(g)
        scale = self._scale(what, nu)
        if scale.floor and rule.floor is not None:
            floor = scale.floor
            if rule.corrected:
                floor = rule.floor(self.source, g.statistic(what.statistic), dict(self.options))
            scale = replace(scale, floor=floor * g.inflation)
        plain = group_error(g, found.without)
        still = constant(found.without)
        tails, errors, reasons = [], [], []
        for value, error, fixed in zip(found.value, plain.tolist(), still):
            error = max(0.0 if fixed else error, scale.floor)
            limits = scale.around(value, error) if error > 0.0 else None
            reason = (NO_VARIATION if error == 0.0 else
                      (BEYOND if rule.corrected else AT_BEST) if limits is None else "")
            reasons.append(reason)
            tails.append((math.nan, math.nan) if limits is None else limits)
            errors.append(math.nan if reason else error)
        value = ends(self.value)[0]
        said = []
        if rule.formula is None and abs(value - found.value[0]) > 0.1 * errors[0]:
            said.append(f"the limits are built around {found.value[0]:.4g}, the value of pairs of "
                        "different groups")
        method = "jackknife, corrected" if rule.corrected else "jackknife"
        if g.n_groups < g.n_objects:
            method += ", groups"
        made = self._record(tails, errors, reasons, found.value, method, g.n_groups, rule,
                            said=said)
        return self._with_groups(made, nu, self._effect(what, plain))

    def _effect(self, what: Estimated, error: np.ndarray) -> float:
        """(Standard error of groups / of objects)^2, before the floor."""
        left = what.left_out()
        if left.reason:
            return math.nan
        single = float(left.standard_errors(self.source.n_objects)[0])
        return float(error[0]) ** 2 / single**2 if single > 0.0 else math.nan

    def _with_groups(self, made: ConfidenceLimits, nu: float, effect: float) -> ConfidenceLimits:
        g = self.groups
        if made.method == "none":
            return made
        reliable = made.reliable
        if g.n_groups < g.n_objects:
            reliable = reliable and g.effective >= RELIABLE_GROUPS
            if g.both_hard and g.errors[0]:
                reliable = reliable and g.errors[1] >= RELIABLE_WITH_ERRORS
        return replace(made, n_groups=g.n_groups, effective_groups=g.effective,
                       degrees_of_freedom=nu, design_effect=effect, reliable=reliable)

    def _drawn(self, rule: LogScale, found: GroupEstimate, draws: np.ndarray) -> ConfidenceLimits:
        """Percentiles of pairs of different drawn groups."""
        g = self.groups
        if g.effective < BOOTSTRAP_GROUPS:
            return self._none(f"a bootstrap of groups needs {BOOTSTRAP_GROUPS:g} effective groups; "
                              f'there are {g.effective:.1f}: ci="jackknife" needs fewer')
        if rule.formula is not None or self.measure.statistic is not PairCounts:
            return self._none("a bootstrap of groups is known for indices that count pairs; "
                              'ci="jackknife" has others')
        from ..tables.groups import drawn_squares
        values = self.measure.replicated(PairCounts.drawn_groups(drawn_squares(g, draws)),
                                         self.options)
        made = self._quantiles(Estimated(self.source, self.measure, self.options, rule),
                               found.value, values, False)
        if made.method != "none":
            made = replace(made, method="bootstrap, groups")
        return self._with_groups(made, degrees_of_freedom(g), math.nan)

    # -- shares -------------------------------------------------------------------------------
    def _share(self, rule: Share) -> ConfidenceLimits:
        """Limits of a proportion of n* objects (Korn and Graubard)."""
        g, n = self.groups, self.source.n_objects
        reason = rule.unless(self.source) if rule.unless is not None else ""
        if reason := reason or too_few(g, share=True):
            return self._none(reason)
        p, c, nu = g.parts, g.table, degrees_of_freedom(g)
        chosen = chosen_cells(c.rows, c.cols, c.counts, rule.choice)
        places = np.searchsorted(c.rows * c.s + c.cols, p.rows * p.s + p.cols)
        kept = g.by_group(p.counts * np.isin(places, chosen))
        share = float(kept.sum()) / n
        apart = kept - share * g.sizes
        variance = 0.0
        for h in range(g.n_strata):
            z = apart[g.strata == h]
            variance += z.size / (z.size - 1) * float(((z - z.mean()) ** 2).sum()) / n**2
        single = share * (1.0 - share) / (n - 1)
        effect = variance / single if single > 0.0 else math.nan
        size = g.effective
        if share < 1.0:
            size = float(n) if not effect > 0.0 else min(
                float(n), n / effect * (student(self.level, n - 1) / student(self.level, nu)) ** 2)
        low, high = _proportion(share, size, self.level)
        tied = any(nearly_tied(codes, c.counts / g.inflation) for codes in (
            (c.rows,) if rule.choice == "rows" else (c.rows, c.cols)))
        if tied:
            low = min(low, self._halved(rule.choice, places, size))
        error = math.sqrt(variance)
        made = ConfidenceLimits(
            low=Interval(low, high), high=Interval(low, high), estimate=(share, share),
            standard_error=(error, error), level=self.level, n_resamples=g.n_groups,
            n_rare=self.rare, method="proportion, groups", reliable=True)
        made = self._with_groups(made, nu, effect)
        if (convert := rule.value) is None:
            return made
        return in_units(made, (share, share), lambda v: convert(v, self.source))

    def _halved(self, choice: str, places: np.ndarray, size: float) -> float:
        """Median lower limit of choices made on a half of the groups, counted on the others."""
        g, n = self.groups, self.source.n_objects
        p, c = g.parts, g.table
        rng = np.random.default_rng(_SPLITS if self.rng is None else self.rng)
        lows = []
        for _ in range(HALVES):
            half = np.zeros(g.n_groups, bool)
            half[rng.permutation(g.n_groups)[:g.n_groups // 2]] = True
            inside = np.bincount(places, weights=p.counts * half[p.part],
                                 minlength=c.n_cells).astype(np.int64)
            rest = c.counts - inside
            chosen = chosen_cells(c.rows, c.cols, inside, choice)
            total = float(rest.sum())
            lows.append(_proportion(float(rest[chosen].sum()) / total, size * total / n,
                                    self.level)[0])
        return float(np.median(lows))


def _proportion(share: float, size: float, level: float) -> tuple[float, float]:
    """Limits of a share of `size` objects, which need not be whole."""
    kept = share * size
    return proportion(size if share == 1.0 else kept, size, level)   # type: ignore[arg-type]



