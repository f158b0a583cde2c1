"""Confidence intervals for sampled groups of objects, or objects sampled within strata.

Theory: docs/theory/dependence.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_weights
from ..clusterings.objects import ordered
from ..measures import Measure, ends
from ..measures.joint import Joint
from ..measures.limit_rules import LogScale, Share
from ..running.random_numbers import Streams
from ..running.warnings import quiet
from ..tables.best_choice import HALVES, chosen_cells, nearly_tied
from ..tables.contingency import Contingency
from ..tables.corrected_entropies import n_rare
from ..tables.frame_sides import Units
from ..tables.groups import Grouped, check_nested, drawn_squares
from ..tables.pair_counts import PairCounts
from ..tables.parts import kept_labels, names_of, part_codes
from .comparison_record import ConfidenceLimits, Resampling
from .limits import (
    UNDEFINED,
    Ends,
    Estimated,
    LeftOut,
    Wanted,
    _Limits,
    proportion,
    student,
)

#: smallest number of groups, and smallest effective number of groups that contain errors
FEWEST_GROUPS, FEWEST_WITH_ERRORS = 5, 2.0
#: effective numbers below which intervals are called unreliable
RELIABLE_GROUPS, RELIABLE_WITH_ERRORS = 30.0, 5.0
#: effective number of groups that a bootstrap needs
BOOTSTRAP_GROUPS = 50.0
_NOT_SIMULATED = ("intervals of this measure have not been simulated for objects in groups; choose "
                  "an index that counts pairs, an information measure or a share of objects")
#: seed of the random halves of the groups unless rng is given
_SPLITS = 20120904


def grouped(source: Any, units: Units, alignment: Any = None) -> Grouped | None:
    """The source whose sample is groups; None if this is the same as single objects."""
    weights, of_groups = None, None
    if units.weighted is not None:
        x, y, weights = units.weighted
        source = Joint(x, y)
        weights = check_weights(ordered(weights, names_of(source), called=("x", "weights")),
                                source.n_objects)
        used = np.flatnonzero(weights)   # an object of weight 0 does not count
        labels: dict[str, Any] = {
            what: np.array([*ordered(each, names_of(source), called=("x", what))],
                           dtype=object)[used] for what in ("groups", "strata")
            if (each := getattr(units, what)) is not None and len(each) == weights.size}
        units, source = replace(units, **labels), source.subset(used)
        weights = weights[used] * (used.size / weights.sum())
    n = source.n_objects
    if units.groups is True and hasattr(source, "parts"):
        parts = source.parts("groups")
        codes, names = None, parts.names
        if units.strata is not None:
            source.parts("strata")
            of_groups, strata = source.strata_of_groups()
    elif not source.has_objects:
        raise ClusteringError(f"the table has no {units.what}: count with {units.what}=")
    else:
        codes, names = np.arange(n), tuple(range(n))
        if units.groups is not None:
            codes, names = part_codes("groups", kept_labels(units.groups, "groups", alignment), n,
                                      names_of(source))
        if units.strata is not None:
            inside, strata = part_codes("strata", kept_labels(units.strata, "strata", alignment),
                                        n, names_of(source))
            of_groups = check_nested(codes, names, inside)
    if len(names) == 1:
        raise ClusteringError(f"all {n} objects are in group {names[0]!r}; confidence intervals "
                              "need several groups")
    if of_groups is not None:
        alone = np.flatnonzero(np.bincount(of_groups, minlength=len(strata)) < 2)
        if alone.size:
            raise ClusteringError(f"stratum {strata[alone[0]]!r} has a single "
                                  f"{'object' if len(names) == n else 'group'}; merge it with "
                                  "another stratum")
    if len(names) == n and weights is None and (of_groups is None or not of_groups.any()):
        return None
    sample = (Grouped.of_parts(source, parts, of_groups) if codes is None
              else Grouped(source, codes, names, of_groups, weights))
    sample.columns = units.columns
    return sample


def pairs_of(sample: Any, m: Measure, pairs: str) -> Any:
    """The sample as a measure sees it: pairs of different groups, or pairs within groups."""
    if pairs == "within" and sample.weights is not None:
        raise ClusteringError('pairs="within" needs objects without weights; leave one of them '
                              "out")
    return sample if pairs == "all" else sample.kept(
        ("within", bool(m.claims("chance-corrected"))),
        lambda: sample.within(corrected=bool(m.claims("chance-corrected"))))


def group_limits(sample: Grouped, wanted: Sequence[Wanted], how: Resampling, pairs: str = "all"
                 ) -> list[ConfidenceLimits]:
    """Intervals of each measure, given as (measure, its options, its value)."""
    draws = None
    if how.ci == "bootstrap":
        streams = Streams(how.rng)
        # How many times each group is drawn, within its stratum.
        draws = np.zeros((how.n_resamples, sample.n_groups))
        for b in range(how.n_resamples):
            rng = streams.generator(b)
            for h in range(sample.n_strata):
                inside = np.flatnonzero(sample.strata == h)
                draws[b, inside] = np.bincount(rng.integers(inside.size, size=inside.size),
                                               minlength=inside.size)
    rare = n_rare(sample.plain.statistic(Contingency)) if sample.both_hard else None
    return [_GroupLimits(sample.plain, m, options, value, how, rare, pairs_of(sample, m, pairs)
                         ).find(draws) for m, options, value in wanted]


def description(sample: Grouped, made: Sequence[ConfidenceLimits], pairs: str = "all") -> str:
    """Describe the sample, and how much narrower intervals for independent objects would be."""
    group, stratum = (f" ({name})" if name else "" for name in sample.columns)
    strata = f"{sample.n_strata} strata{stratum}"
    if sample.n_groups == sample.n_objects:
        return f"confidence intervals: objects are sampled within {strata}"
    text = (f"confidence intervals: {sample.n_groups} groups{group}"
            f"{f' in {strata}' if sample.n_strata > 1 else ''} are sampled, "
            f"{sample.effective:.1f} effective; "
            + ("objects within a group may depend on each other" if pairs == "all" else
               "only pairs of objects of the same group count"))
    times = [math.sqrt(each.design_effect) for each in made if each.design_effect > 0.0]
    if times and max(times) > 1.05:
        low, high = f"{min(times):.1f}", f"{max(times):.1f}"
        text += (". Intervals for independent objects would be "
                 f"{low if low == high else f'{low} to {high}'} times too narrow")
    return text


def degrees_of_freedom(sample: Grouped) -> float:
    """nu: effective number of groups, smaller if errors are concentrated in few of them."""
    ratio = 1.0
    if sample.both_hard:
        total, used, expected = sample.errors
        ratio = min(1.0, used / expected) if total else 1.0
    return max(1.0, (sample.effective - sample.n_strata) * ratio)


def too_few(sample: Grouped, share: bool = False) -> str:
    """Explain why these groups have no interval; "" if they have one."""
    if sample.n_groups < FEWEST_GROUPS:
        return f"intervals need {FEWEST_GROUPS} groups; there are {sample.n_groups}"
    if sample.both_hard and not share and sample.n_groups < sample.n_objects:
        total, used, _ = sample.errors
        if total and used < FEWEST_WITH_ERRORS:
            return f"all errors lie in effectively {used:.1f} of {sample.n_groups} groups"
    return ""


def without_groups(what: Estimated) -> tuple[Ends, LeftOut]:
    """The estimate of a measure for groups, and without each of them."""
    sample: Any = what.source
    rule, m = what.rule, what.measure
    kind, options = what.statistic
    replicates = sample.without_each(kind, **options)
    if replicates is None:
        return (math.nan, math.nan), LeftOut.none(_NOT_SIMULATED)
    values = what.replicated(replicates)
    if np.isnan(values).any():
        return (math.nan, math.nan), LeftOut.none(UNDEFINED.replace("some object", "some group"))
    with quiet():
        value = (what.corrected() if rule.formula is not None else
                 ends(m.listed_value(m.evaluate(sample, what.options))))
    return value, LeftOut(values=values, times=np.ones(values.shape[0], np.int64))


@dataclass(frozen=True, slots=True)
class _GroupLimits(_Limits):
    """Interval of one measure; `source` has the objects, `sample` the same in groups."""

    sample: Any

    def _reason(self, rule: LogScale | Share) -> str:
        if isinstance(rule, LogScale) and rule.corrected:
            # Design effects correct entropies of few objects per cluster, too.
            rule = replace(rule, unless=None)
        if self.sample.weights is not None and (
                isinstance(rule, Share) or rule.formula is not None
                or self.measure.statistic is not PairCounts or self.measure.weight_degree
                or self.how.ci == "bootstrap"):
            return ('intervals for objects with weights need an index that counts pairs and '
                    'ci="jackknife"')
        return _Limits._reason(self, rule) or too_few(self.sample, share=isinstance(rule, Share))

    def _log_scale(self, rule: LogScale, draws: Any) -> ConfidenceLimits:
        g = self.sample
        what = Estimated(g, self.measure, self.options, rule)
        estimate, left = without_groups(what)
        if left.reason:
            return self._none(left.reason)
        if draws is not None:
            return self._drawn(what, estimate, draws)
        nu = degrees_of_freedom(g)
        scale = self._scale(what, nu)
        if scale.floor:
            scale = replace(scale, floor=scale.floor * g.inflation)
        plain = g.standard_errors(left.values)
        rows = self._around(what, estimate, left.values, plain, None, scale)
        notes = []
        if rule.formula is None and abs(ends(self.value)[0] - estimate[0]) > 0.1 * rows[0][1]:
            notes.append(f"the interval is centred at {estimate[0]:.4g}, the value for pairs of "
                         "different groups")
        method = "jackknife, corrected" if rule.corrected else "jackknife"
        if g.n_groups < g.n_objects:
            method += ", groups"
        made = self._record(rows, estimate, method, g.n_groups, rule, notes=notes)
        # (Standard error of groups / of objects)^2, before the floor.
        effect = math.nan
        single = Estimated(self.source, self.measure, self.options, rule).left_out()
        if g.pairs == "all" and g.weights is None and not single.reason:
            error = float(single.standard_errors(self.source.n_objects)[0])
            effect = float(plain[0]) ** 2 / error**2 if error > 0.0 else math.nan
        return self._with_groups(made, nu, effect)

    def _with_groups(self, made: ConfidenceLimits, nu: float, effect: float) -> ConfidenceLimits:
        g = self.sample
        if made.method == "none":
            return made
        reliable = made.reliable
        if g.n_groups < g.n_objects or g.weights is not None:
            reliable = reliable and g.effective >= RELIABLE_GROUPS
            if g.both_hard and g.errors[0]:
                reliable = reliable and g.errors[1] >= RELIABLE_WITH_ERRORS
        return replace(made, n_groups=g.n_groups, effective_groups=g.effective,
                       degrees_of_freedom=nu, design_effect=effect, reliable=reliable)

    def _drawn(self, what: Estimated, estimate: Ends, draws: np.ndarray) -> ConfidenceLimits:
        """Percentiles over pairs of different drawn groups."""
        g, rule = self.sample, what.rule
        if g.effective < BOOTSTRAP_GROUPS:
            return self._none(f"a bootstrap of groups needs {BOOTSTRAP_GROUPS:g} effective groups; "
                              f'there are {g.effective:.1f}: ci="jackknife" needs fewer')
        if rule.formula is not None or self.measure.statistic is not PairCounts or g.pairs != "all":
            return self._none("a bootstrap of groups is known for indices that count pairs; "
                              'for others use ci="jackknife"')
        values = self.measure.replicated(PairCounts.drawn_groups(drawn_squares(g, draws)),
                                         self.options)
        made = self._quantiles(what, estimate, values, False)
        if made.method != "none":
            made = replace(made, method="bootstrap, groups")
        return self._with_groups(made, degrees_of_freedom(g), math.nan)

    # -- shares -------------------------------------------------------------------------------
    def _share(self, rule: Share) -> ConfidenceLimits:
        """Interval of a proportion of n* objects (Korn and Graubard)."""
        g, n, level = self.sample, self.source.n_objects, self.how.level
        p, c, nu = g.parts, g.table, degrees_of_freedom(g)
        chosen = chosen_cells(c.rows, c.cols, c.counts, rule.choice)
        places = np.searchsorted(c.rows * c.s + c.cols, p.rows * p.s + p.cols)
        matched = g.by_group(p.counts * np.isin(places, chosen))
        share = float(matched.sum()) / n
        apart = matched - share * g.sizes
        variance = 0.0
        for h in range(g.n_strata):
            z = apart[g.strata == h]
            variance += z.size / (z.size - 1) * float(((z - z.mean()) ** 2).sum()) / n**2
        single = share * (1.0 - share) / (n - 1)
        effect = variance / single if single > 0.0 else math.nan
        size = g.effective
        if share < 1.0:
            size = float(n) if not effect > 0.0 else min(
                float(n), n / effect * (student(level, n - 1) / student(level, nu)) ** 2)
        low, high = proportion(share * size, size, level)
        tied = any(nearly_tied(codes, c.counts / g.inflation) for codes in (
            (c.rows,) if rule.choice == "rows" else (c.rows, c.cols)))
        if tied:
            low = min(low, self._halved(rule.choice, places, size))
        made = self._of_share(share, (low, high), math.sqrt(variance), g.n_groups,
                              "proportion, groups")
        return self._with_groups(made, nu, effect)

    def _halved(self, choice: str, places: np.ndarray, size: float) -> float:
        """Median lower limit of choices made on half of the groups and counted on the others."""
        g, n = self.sample, self.source.n_objects
        p, c = g.parts, g.table
        rng = np.random.default_rng(_SPLITS if self.how.rng is None else self.how.rng)
        lows = []
        for _ in range(HALVES):
            half = np.zeros(g.n_groups, bool)
            half[rng.permutation(g.n_groups)[:g.n_groups // 2]] = True
            inside = np.bincount(places, weights=p.counts * half[p.part],
                                 minlength=c.n_cells).astype(np.int64)
            rest = c.counts - inside
            chosen = chosen_cells(c.rows, c.cols, inside, choice)
            total = float(rest.sum())
            size_of_half = size * total / n
            lows.append(proportion(float(rest[chosen].sum()) / total * size_of_half, size_of_half,
                                   self.how.level)[0])
        return float(np.median(lows))
