"""The result of `chance()`: a measure against a null model, from draws, exact laws or moments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import numpy as np

from .._checks import UndefinedMeasureWarning, frozen, shown
from ..measures import cited, get_measure, places_of, registry
from ..measures.statistic import Source
from ..results.records import Columns, Described, Drawn, EqualValues, Interval, Record, Tidied
from ..results.summary import SummaryTable, right
from ..results.text import amount, number
from ..running.warnings import listening
from ..tables.contingency import Contingency
from ..tables.pair_counts import PairCounts
from ..tables.strata import Strata
from .null_models import Law, Wanted, moments_of, stratified_moments

if TYPE_CHECKING:
    from ..clusterings import Aligned

#: values that differ by less, relative to their size and to the sd, count as equal
ROUNDING, OF_SD = 1e-12, 1e-3
_TWO_BY_TWO = ("two clusters against two: Pearson's type III can be off by a factor of 2; "
               'method="exact" is as fast here')
_NO_P_VALUE = ("moments within strata give no p-value: their third moment is not known, and normal "
               'tails are wrong; method="tables" gives one')


#: what the values were drawn from under the permutation model
_DRAWN = {"permutations": "{} random permutations",
          "tables": "{} random permutations, drawn as tables,",
          "exact": "all permutations", "moments": "all permutations, by exact moments,"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChanceRow(EqualValues):
    """One number of one measure against chance.

    Attributes
    ----------
    measure : str
    end : str
        "value", or "low" or "high" for the ends of an interval.
    options : mapping
        Options passed to the measure.
    sense : str
        "agreement" or "dissimilarity".
    observed, mean, sd, skewness, adjusted, p_value, p_value_error : float
        As in `Chance`.
    null : ndarray, shape (m,)
        One value per permutation or random table.
    exact_z : float
        `z` from exact moments, free of the rounding of value and mean; nan otherwise.

    Examples
    --------
    >>> import softclust
    >>> row = softclust.chance([0, 0, 1, 1], [0, 0, 1, 2], "rand_index", rng=0)["rand_index"]
    >>> row.label, row.null.shape
    ('rand_index', (999,))
    """

    measure: str
    end: str
    options: Mapping[str, Any]
    sense: str
    observed: float
    mean: float
    sd: float
    skewness: float
    adjusted: float
    p_value: float
    p_value_error: float
    null: np.ndarray
    exact_z: float = math.nan

    @property
    def z(self) -> float:
        """(observed - mean)/sd; nan if nothing varies."""
        if not math.isnan(self.exact_z):
            return self.exact_z
        return (self.observed - self.mean) / self.sd if self.sd > 0 else math.nan

    @property
    def label(self) -> str:
        """Measure, options and end: ``alpha_rand_interval, low end``."""
        name = self.measure
        if self.options:
            name += f" ({', '.join(f'{k}={v}' for k, v in self.options.items())})"
        return name if self.end == "value" else f"{name}, {self.end} end"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Chance(Drawn, Tidied, Described, Record):
    """Measures of two clusterings against a null model; made by `chance`.

    Attributes
    ----------
    measures, ends : tuple of str
        Name of the measure, and "value", "low" or "high", of each of the k rows.
    options : tuple of dict
    senses : tuple of str
        "agreement" (larger is more alike) or "dissimilarity".
    observed : ndarray, shape (k,)
        Values for the clusterings as they are; nan where undefined.
    mean, sd, skewness : ndarray, shape (k,)
        Mean, standard deviation and skewness over the draws; exact for "exact" and "moments".
    adjusted : ndarray, shape (k,)
        (observed - mean)/(best - mean): 1 at the best value, 0 on average.
    p_value : ndarray, shape (k,)
        (1 + number of draws at least as alike)/(1 + number of draws), in (0, 1]; for "exact" the
        probability of a table that is at least as alike, for "moments" the same by Pearson's type
        III. For other alternatives accordingly.
    p_value_error : ndarray, shape (k,)
        Standard error sqrt(p (1 - p)/draws); 0 for "exact", nan for "moments".
    best : ndarray, shape (k,)
        The end of the range that means "most alike"; nan where unbounded.
    exact_z : ndarray, shape (k,)
        (observed - mean)/sd from exact moments, free of rounding of either; nan otherwise.
    null : ndarray, shape (m, k)
        Values for the draws, in their order; nan where undefined; m = 0 for "exact" and
        "moments".
    n_permutations, n_requested : int
        Number of permutations or random tables used, and number requested.
    method, model, alternative : str
    fixed : str or None
        As in `chance`; the method is the one that was used.
    kinds : (str, str)
    n_objects : int
    notes : tuple of str
    alignment : Aligned or None
        How noise, missing labels and differing objects were treated; None if there were none.

    Notes
    -----
    ``to_frame()``: one row per number. Indexed by measure and end: observed, mean, sd, skewness,
    z, standard_error (of the mean), adjusted, p_value, p_value_error, sense, n_permutations.

    Examples
    --------
    >>> import softclust
    >>> result = softclust.chance([0, 0, 1, 1], [0, 0, 1, 2], "alpha_rand_interval", rng=0)
    >>> [row.label for row in result]
    ['alpha_rand_interval, low end', 'alpha_rand_interval, high end']
    >>> result["alpha_rand_interval", "low"].observed
    0.8333333333333334
    >>> frame = softclust.chance([0, 0, 1, 1], [0, 0, 1, 2], "rand_index", rng=0).to_frame()
    >>> frame.loc[("rand_index", "value"), "n_permutations"]
    np.int64(999)
    >>> print(softclust.chance([0, 0, 1, 1], [0, 0, 1, 2], "rand_index", rng=0).summary())
    Against 999 random permutations, drawn as tables, of 4 objects (x hard, y hard)
    ...
    rand_index    0.8333 ...
    """

    _chart = "plot_chance"

    measures: tuple[Annotated[str, "measure"], ...]
    ends: Annotated[tuple[str, ...], "measures"]
    options: Annotated[tuple[dict[str, Any], ...], "measures"]
    senses: Annotated[tuple[Literal["agreement", "dissimilarity"], ...], "measures"]
    observed: Annotated[np.ndarray, "f measures"]
    mean: Annotated[np.ndarray, "f measures"]
    sd: Annotated[np.ndarray, "f measures"]
    skewness: Annotated[np.ndarray, "f measures"]
    adjusted: Annotated[np.ndarray, "f measures"]
    p_value: Annotated[np.ndarray, "f measures"]
    p_value_error: Annotated[np.ndarray, "f measures"]
    best: Annotated[np.ndarray, "f measures"]
    exact_z: Annotated[np.ndarray, "f measures"]
    null: Annotated[np.ndarray, "f m measures"]
    n_permutations: Annotated[int, ">=0"]
    n_requested: Annotated[int, ">=0"]
    method: Annotated[str, "key _DRAWN"]
    model: str
    fixed: str | None
    alternative: str
    kinds: tuple[str, str]
    n_objects: Annotated[int, ">=0"]
    notes: tuple[str, ...] = ()
    alignment: Aligned | None = None

    def __len__(self) -> int:
        return len(self.measures)

    def __iter__(self) -> Iterator[ChanceRow]:
        return (self._row(k) for k in range(len(self)))

    def __repr__(self) -> str:
        count = len(set(self.measures))
        return (f"Chance(x: {self.kinds[0]}, y: {self.kinds[1]}, n_objects={self.n_objects}, "
                f"{count} measure{'s' if count != 1 else ''}, {self.draws})")

    @property
    def draws(self) -> str:
        """The draws behind the result, in words."""
        if self.method in ("exact", "moments"):
            return "all tables" if self.method == "exact" else "exact moments"
        kind = "permutations" if self.method == "permutations" else "random tables"
        return f"{self.n_permutations} {kind}"

    def __getitem__(self, key: str | tuple[str, str]) -> ChanceRow:
        name, end = key if isinstance(key, tuple) else (key, None)
        found = places_of(name, self.measures, self.options)
        if not found and isinstance(name, str):
            # A word that was asked for; its row is of the measure, not of 1 - value.
            found = [k for k, measure in enumerate(self.measures)
                     if any(note.startswith(f"{name} is ") and f"{measure}(" in note
                            for note in self.notes)]
        places = [k for k in found if end in (None, self.ends[k])]
        if not places:
            raise KeyError(f"there is no row {shown(key)}; the rows are "
                           + ", ".join(repr(p) for p in zip(self.measures, self.ends)))
        if len(places) > 1:
            raise KeyError(f"{name!r} gives intervals; ask for [{name!r}, 'low'] or "
                           f"[{name!r}, 'high']")
        return self._row(places[0])

    def _row(self, k: int) -> ChanceRow:
        numbers = {name: float(getattr(self, name)[k]) for name in (
            "observed", "mean", "sd", "skewness", "adjusted", "p_value", "p_value_error",
            "exact_z")}
        return ChanceRow(measure=self.measures[k], end=self.ends[k], options=self.options[k],
                         sense=self.senses[k], null=self.null[:, k], **numbers)

    def _frame(self) -> Columns:
        error = self.sd / math.sqrt(self.n_permutations) if self.n_permutations else 0.0 * self.sd
        return Columns(
            {"observed": self.observed, "mean": self.mean, "sd": self.sd,
             "skewness": self.skewness, "z": [row.z for row in self], "standard_error": error,
             "adjusted": self.adjusted, "p_value": self.p_value,
             "p_value_error": self.p_value_error, "sense": self.senses,
             "n_permutations": np.full(len(self.measures), self.n_permutations)},
            {"measure": self.measures, "end": self.ends})

    def _table(self) -> SummaryTable:
        notes = ["adjusted = (observed - mean)/(best - mean): 1 is the best value, 0 what chance "
                 f"gives on average. p-value: {self._p_meaning}."]
        if self.alignment is not None:
            notes.insert(0, f"{self.alignment.header}.")
        return SummaryTable.of(
            {"measure": [row.label for row in self], "observed": right(self.observed, amount),
             "null mean": right(self.mean, amount), "null sd": right(self.sd, amount),
             "z": right((row.z for row in self), number),
             "adjusted": right(self.adjusted, amount), "p-value": right(
                 self.p_value, lambda p: "undefined" if math.isnan(p) else f"{p:.2g}"),
             "sense": self.senses}, notes=[*notes, *(f"Note: {note}." for note in self.notes)],
            title=f"Against {self._model_text} of {self.n_objects} objects "
                  f"(x {self.kinds[0]}, y {self.kinds[1]})")

    def _estimates(self) -> list[dict[str, Any]]:
        return [{"term": row.label if row.end == "value" else f"{row.label} [{row.end}]",
                 "estimate": row.adjusted, "p_value": row.p_value, "method": self.method}
                for row in self]

    def _whole(self) -> dict[str, Any]:
        return {"x_kind": self.kinds[0], "y_kind": self.kinds[1], "n_objects": self.n_objects,
                "method": self.method, "model": self.model, "alternative": self.alternative,
                "n_permutations": self.n_permutations}

    def _methods(self) -> tuple[str, str]:
        measures = cited(self.measures, registry())
        return (f"Agreement of two clusterings ({' and '.join(self.kinds)}) of {self.n_objects} "
                f"objects by {measures} was tested against {self._model_text.rstrip(',')}",
                f"The p-value is the {self._p_meaning}")

    def _values(self) -> list[tuple[str, str, str]]:
        return [(row.label, amount(row.observed), f"p = {row.p_value:.3g}") for row in self]

    @property
    def _p_meaning(self) -> str:
        side = {"alike": "at least as alike", "unlike": "at least as unlike",
                "two-sided": "at least as far out on either side, twice the smaller"
                }[self.alternative]
        if self.method == "exact":
            return f"chance of a table {side}"
        if self.method == "moments":
            return f"chance of a table {side}, by Pearson's type III from three exact moments"
        what = "permutations" if self.method == "permutations" else "tables"
        return f"share of {what} {side}, the observed clusterings counted as one of them"

    @property
    def _model_text(self) -> str:
        fixed = "" if self.fixed is None else f", {self.fixed} fixed"
        if self.model == "permutation":
            return _DRAWN[self.method].format(self.n_permutations)
        what = "the same numbers of clusters" if self.model == "number" else "any clusters"
        return f"{self.n_permutations} random pairs of partitions with {what}{fixed},"


# -- rows -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Options of `chance`, checked."""

    wanted: Wanted
    method: str
    model: str
    fixed: str | None
    alternative: str
    n_permutations: int
    max_tables: float
    alignment: Any
    #: what is drawn, in words
    draws: str

    def p_value(self, alike: float, unlike: float) -> float:
        """The p-value of this alternative from those of both sides."""
        if self.alternative == "two-sided":
            return min(1.0, 2.0 * min(alike, unlike))
        return alike if self.alternative == "alike" else unlike


class ObservedRow(NamedTuple):
    """One number of one measure before any draw."""

    name: str
    end: str
    options: dict[str, Any]
    sense: str
    best: float
    observed: float
    linear: bool

    def slack(self, sd: float) -> float:
        """Difference up to which values count as equal."""
        slack = ROUNDING * max(1.0, abs(self.observed))
        return min(slack, OF_SD * sd) if sd > 0 else slack


def observe(source: Source, wanted: Wanted) -> tuple[list[ObservedRow], list[str]]:
    """Observed values, and the warnings of the measures."""
    rows, notes = [], []
    for name, options in wanted:
        m = get_measure(name)
        m.check_kinds(source, options)
        with listening(UndefinedMeasureWarning) as warned:
            # The function checks the values of options.
            value = m.function(source, **options) if options else m.evaluate(source, options)
        low, high = m.range(source)
        best = high if m.sense == "agreement" else low
        linear = m.linear_in_pairs and options.get("model", "permutation") == "permutation"
        listed = m.listed_value(value)
        for end, observed in ((("low", listed.low), ("high", listed.high))
                              if isinstance(listed, Interval) else (("value", listed),)):
            rows.append(ObservedRow(name, end, options, m.sense,
                                    math.nan if best is None else float(best), observed, linear))
        for text in warned:
            notes.append(f"{name}: {text}")
    return rows, notes


#: mean, sd, skewness, p-value, its error, and z where it is known without rounding
_Numbers = tuple[float, float, float, float, float, float]


def from_draws(source: Source, plan: Plan, rows: list[ObservedRow], null: np.ndarray,
               pairs: list[int] | None, notes: list[str]) -> Chance:
    """Make the result from values (m, k) of permutations or random tables."""
    above = below = 0
    if pairs:
        n11, counted = source.statistic(PairCounts).n11, np.array(pairs, object)
        above, below = int((counted >= n11).sum()), int((counted <= n11).sum())
    numbers = []
    for row, values in zip(rows, null.T):
        defined = values[~np.isnan(values)]
        lost, m = values.size - defined.size, values.size
        mean = float(defined.mean()) if defined.size else math.nan
        sd = float(defined.std(ddof=1)) if defined.size > 1 else math.nan
        skewness, p, error = math.nan, math.nan, math.nan
        if defined.size > 2 and sd > 0:
            skewness = float((((defined - mean) / sd) ** 3).mean())
        if not math.isnan(row.observed):
            alike, unlike = above, below
            if not (row.linear and pairs):
                slack = row.slack(sd)
                alike = int((defined >= row.observed - slack).sum()) + lost
                unlike = int((defined <= row.observed + slack).sum()) + lost
                if row.sense != "agreement":
                    alike, unlike = unlike, alike
            p = plan.p_value((1 + alike) / (1 + m), (1 + unlike) / (1 + m))
            error = math.sqrt(p * (1.0 - p) / m)
        numbers.append((mean, sd, skewness, p, error, math.nan))
        if lost:
            where = row.name if row.end == "value" else f"{row.name}, {row.end} end"
            notes.append(f"{where}: undefined in {lost} of {null.shape[0]} {plan.draws}, which "
                         "count as at least as alike and are left out of mean and sd")
    return _record(source, plan, rows, numbers, notes, null)


def from_laws(source: Source, plan: Plan, rows: list[ObservedRow], laws: list[Law],
              notes: list[str]) -> Chance:
    """Make the result from exact laws."""
    n11 = source.statistic(PairCounts).n11
    numbers = [_of_law(row, law, plan, n11) for row, law in zip(rows, laws)]
    return _record(source, plan, rows, numbers, notes)


def _of_law(row: ObservedRow, law: Law, plan: Plan, n11: int) -> _Numbers:
    chances = np.array([float(c) for c in law.chances])
    known = ~np.isnan(law.values)
    values, weights = law.values[known], chances[known]
    total = math.fsum(weights)
    mean = math.fsum(weights * values) / total if total else math.nan
    sd = math.sqrt(math.fsum(weights * (values - mean) ** 2) / total) if total else math.nan
    skewness = math.nan
    if sd > ROUNDING * max(1.0, abs(mean)):
        skewness = math.fsum(weights * ((values - mean) / sd) ** 3) / total
    if math.isnan(row.observed):
        return mean, sd, skewness, math.nan, math.nan, math.nan
    if law.pairs is not None and row.linear:
        sides = [[v >= n11 for v in law.pairs], [v <= n11 for v in law.pairs]]
    else:
        slack = row.slack(sd)
        sides = [(~known | (law.values >= row.observed - slack)).tolist(),
                 (~known | (law.values <= row.observed + slack)).tolist()]
        if row.sense != "agreement":
            sides.reverse()
    p = plan.p_value(*(float(sum((c for c, use in zip(law.chances, side) if use), Fraction(0)))
                       for side in sides))
    return mean, sd, skewness, p, 0.0, math.nan


def from_moments(source: Source, plan: Plan, rows: list[ObservedRow], notes: list[str],
                 strata: Strata | None = None) -> Chance:
    """Make the result from exact moments of measures linear in n11; no p-value with strata."""
    table, numbers = source.statistic(Contingency), []
    for row in rows:
        mean, sd, skewness, alike, unlike, z = (
            moments_of(table, row.name, row.options) if strata is None
            else stratified_moments(strata, source, row.name, row.options))
        p = math.nan if math.isnan(row.observed) else plan.p_value(alike, unlike)
        numbers.append((mean, sd, skewness, p, math.nan, z))
    if strata is not None:
        notes.append(_NO_P_VALUE)
    elif table.n_used == (2, 2):
        notes.append(_TWO_BY_TWO)
    return _record(source, plan, rows, numbers, notes)


def _record(source: Source, plan: Plan, rows: list[ObservedRow], numbers: list[_Numbers],
            notes: list[str], null: np.ndarray | None = None) -> Chance:
    names, ends, options, senses, best, observed, _ = zip(*rows)
    target, values = frozen(np.array(best, np.float64)), frozen(np.array(observed, np.float64))
    mean, sd, skewness, p_value, error, z = map(frozen, np.array(numbers, np.float64).T.copy())
    reach = target - mean
    far = np.abs(reach) > ROUNDING * np.maximum(1.0, np.abs(target))
    adjusted = np.divide(values - mean, reach, out=np.full(mean.shape, np.nan), where=far)
    if null is None:
        null = np.empty((0, len(rows)))
    return Chance(
        measures=names, ends=ends, options=options, senses=senses, observed=values, best=target,
        adjusted=frozen(adjusted), mean=mean, sd=sd, skewness=skewness, p_value=p_value,
        p_value_error=error, exact_z=z, null=frozen(null), n_permutations=null.shape[0],
        n_requested=plan.n_permutations if null.size else 0, method=plan.method, model=plan.model,
        fixed=plan.fixed, alternative=plan.alternative, kinds=source.kinds,
        n_objects=source.n_objects, notes=tuple(notes), alignment=plan.alignment)
