"""The rows of a `Chance` record: from draws, from exact laws, from moments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .._checks import frozen
from ..measures import get_measure
from ..measures.statistic import Source
from ..tables.contingency import Contingency
from ..tables.pair_counts import PairCounts
from .chance_record import Chance
from .null_tables import Law, Wanted, moments_of

ALTERNATIVES = ("alike", "unlike", "two-sided")
#: values that differ by less, relative to their size, are one value; at most a share of the sd
ROUNDING, OF_SD = 1e-12, 1e-3
_TWO_BY_TWO = ("two clusters against two: Pearson's type III can be off by a factor of 2; "
               'method="exact" is as fast here')


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What was asked for."""

    wanted: Wanted
    method: str
    model: str
    fixed: str | None
    alternative: str

    @property
    def draws(self) -> str:
        """What is drawn."""
        return "permutations" if self.method == "permutations" else "random tables"


@dataclass(frozen=True, slots=True)
class _Row:
    """One number of one measure: what is known before any draw."""

    name: str
    end: str
    options: dict[str, Any]
    sense: str
    best: float
    observed: float
    linear: bool

    @property
    def up(self) -> bool:
        """Whether larger is more alike."""
        return self.sense == "agreement"


@dataclass(frozen=True, slots=True)
class _Numbers:
    """What is found out about a row."""

    mean: float
    sd: float
    skewness: float
    p_value: float
    error: float
    #: (observed - mean)/sd without the rounding of either, where it is known
    z: float = math.nan


def _rows(source: Source, wanted: Wanted, observed: list[tuple[float, ...]]) -> list[_Row]:
    rows = []
    for (name, options), values in zip(wanted, observed):
        m = get_measure(name)
        low, high = m.range(source)
        target = high if m.sense == "agreement" else low
        linear = m.linear_in_pairs and options.get("model", "permutation") == "permutation"
        for end, value in zip(("value",) if len(values) == 1 else ("low", "high"), values):
            rows.append(_Row(name, end, options, m.sense, np.nan if target is None
                             else float(target), value, linear))
    return rows


def _combined(alternative: str, alike: float, unlike: float) -> float:
    if alternative == "two-sided":
        return min(1.0, 2.0 * min(alike, unlike))
    return alike if alternative == "alike" else unlike


def _slack(row: _Row, sd: float) -> float:
    slack = ROUNDING * max(1.0, abs(row.observed))
    return min(slack, OF_SD * sd) if sd > 0 else slack


# -- draws ------------------------------------------------------------------------------------
def from_draws(source: Source, plan: Plan, observed: list[tuple[float, ...]], null: np.ndarray,
               pairs: list[int] | None, asked: int, notes: list[str]) -> Chance:
    """The record of values (m, k) of permutations or random tables."""
    rows = _rows(source, plan.wanted, observed)
    above = below = 0
    if pairs is not None:
        at = source.statistic(PairCounts).n11
        above, below = sum(v >= at for v in pairs), sum(v <= at for v in pairs)
    numbers, said = [], list(notes)
    for row, values in zip(rows, null.T):
        by_pairs = (above, below) if row.linear and pairs is not None else None
        numbers.append(_of_draws(row, values, plan.alternative, by_pairs))
        if lost := int(np.isnan(values).sum()):
            where = row.name if row.end == "value" else f"{row.name}, {row.end} end"
            said.append(f"{where}: undefined in {lost} of {null.shape[0]} {plan.draws}, which "
                        "count as at least as alike and not towards mean and sd")
    return _record(source, plan, rows, numbers, null, asked, said)


def _of_draws(row: _Row, null: np.ndarray, alternative: str, by_pairs: tuple[int, int] | None
              ) -> _Numbers:
    defined = null[~np.isnan(null)]
    mean = float(defined.mean()) if defined.size else np.nan
    sd = float(defined.std(ddof=1)) if defined.size > 1 else np.nan
    skewness = np.nan
    if defined.size > 2 and sd > 0:
        skewness = float((((defined - mean) / sd) ** 3).mean())
    if np.isnan(row.observed):
        return _Numbers(mean, sd, skewness, np.nan, np.nan)
    if by_pairs is not None:
        alike, unlike = by_pairs
    else:
        slack = _slack(row, sd)
        above = int((defined >= row.observed - slack).sum()) + null.size - defined.size
        below = int((defined <= row.observed + slack).sum()) + null.size - defined.size
        alike, unlike = (above, below) if row.up else (below, above)
    m = null.size
    p = _combined(alternative, (1 + alike) / (1 + m), (1 + unlike) / (1 + m))
    return _Numbers(mean, sd, skewness, p, math.sqrt(p * (1.0 - p) / m))


# -- exact ------------------------------------------------------------------------------------
def from_laws(source: Source, plan: Plan, observed: list[tuple[float, ...]], laws: list[Law],
              notes: list[str]) -> Chance:
    """The record of exact laws."""
    rows = _rows(source, plan.wanted, observed)
    n11 = source.statistic(PairCounts).n11
    numbers = [_of_law(row, law, plan.alternative, n11) for row, law in zip(rows, laws)]
    return _record(source, plan, rows, numbers, np.empty((0, len(rows))), 0, notes)


def _of_law(row: _Row, law: Law, alternative: str, n11: int) -> _Numbers:
    chances = np.array([float(c) for c in law.chances])
    known = ~np.isnan(law.values)
    values, weights = law.values[known], chances[known]
    total = math.fsum(weights)
    mean = math.fsum(weights * values) / total if total else np.nan
    sd = math.sqrt(math.fsum(weights * (values - mean) ** 2) / total) if total else np.nan
    skewness = np.nan
    if sd > ROUNDING * max(1.0, abs(mean)):
        skewness = math.fsum(weights * ((values - mean) / sd) ** 3) / total
    if np.isnan(row.observed):
        return _Numbers(mean, sd, skewness, np.nan, np.nan)
    if law.pairs is not None and row.linear:
        up = [v >= n11 for v in law.pairs]
        down = [v <= n11 for v in law.pairs]
        alike, unlike = up, down
    else:
        slack = _slack(row, sd)
        up = (~known | (law.values >= row.observed - slack)).tolist()
        down = (~known | (law.values <= row.observed + slack)).tolist()
        alike, unlike = (up, down) if row.up else (down, up)
    p = _combined(alternative, *(float(sum((c for c, use in zip(law.chances, side) if use),
                                           Fraction(0))) for side in (alike, unlike)))
    return _Numbers(mean, sd, skewness, p, 0.0)


def from_moments(source: Source, plan: Plan, observed: list[tuple[float, ...]], notes: list[str]
                 ) -> Chance:
    """The record of exact moments of measures that are linear in n11."""
    rows, numbers = _rows(source, plan.wanted, observed), []
    table = source.statistic(Contingency)
    for row in rows:
        mean, sd, skewness, alike, unlike, z = moments_of(table, row.name, row.options)
        p = np.nan if np.isnan(row.observed) else _combined(plan.alternative, alike, unlike)
        numbers.append(_Numbers(mean, sd, skewness, p, np.nan, z))
    if table.n_used == (2, 2):
        notes = [*notes, _TWO_BY_TWO]
    return _record(source, plan, rows, numbers, np.empty((0, len(rows))), 0, notes)


def from_two_moments(source: Source, plan: Plan, observed: list[tuple[float, ...]],
                     moments: list[tuple[float, float]], notes: list[str]) -> Chance:
    """The record of exact means and standard deviations, without p-values."""
    rows = _rows(source, plan.wanted, observed)
    numbers = [_Numbers(mean, sd, np.nan, np.nan, np.nan) for mean, sd in moments]
    notes = [*notes, "no p-value from moments within strata: their third moment is not known, and "
             'normal tails are wrong; method="tables" gives one']
    return _record(source, plan, rows, numbers, np.empty((0, len(rows))), 0, notes)


# -- the record -------------------------------------------------------------------------------
def _record(source: Source, plan: Plan, rows: list[_Row], numbers: list[_Numbers],
            null: np.ndarray, asked: int, notes: list[str]) -> Chance:
    def column(values: list[float]) -> np.ndarray:
        return frozen(np.array(values, np.float64))

    return Chance(
        measures=tuple(row.name for row in rows), ends=tuple(row.end for row in rows),
        options=tuple(dict(row.options) for row in rows),
        senses=tuple(row.sense for row in rows), observed=column([row.observed for row in rows]),
        mean=column([v.mean for v in numbers]), sd=column([v.sd for v in numbers]),
        skewness=column([v.skewness for v in numbers]),
        adjusted=column([_adjusted(row, v.mean) for row, v in zip(rows, numbers)]),
        p_value=column([v.p_value for v in numbers]),
        p_value_error=column([v.error for v in numbers]), best=column([row.best for row in rows]),
        exact_z=column([v.z for v in numbers]), null=frozen(null),
        n_permutations=null.shape[0], n_requested=asked, method=plan.method,
        model=plan.model, fixed=plan.fixed, alternative=plan.alternative, kinds=source.kinds,
        n_objects=source.n_objects, notes=tuple(notes))


def _adjusted(row: _Row, mean: float) -> float:
    room = row.best - mean
    if np.isnan(row.observed) or not abs(room) > ROUNDING * max(1.0, abs(row.best)):
        return np.nan
    return (row.observed - mean) / room
