"""The result of `compare()`: rows, table, data frame, chart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from .._checks import shown
from ..measures import places_of
from ..results.records import (
    Columns,
    Described,
    Drawn,
    EqualValues,
    Interval,
    Record,
    Tidied,
    Value,
)
from ..results.summary import SummaryTable, right
from ..results.text import amount, in_words, range_text
from ..results.text import value as value_text

if TYPE_CHECKING:
    from ..clusterings import Aligned


#: what larger values mean
SENSES = ("agreement", "dissimilarity")


@dataclass(frozen=True, slots=True)
class Resampling:
    """Options of `compare` for confidence intervals, which travel together."""

    ci: Any = None
    level: float = 0.95
    n_resamples: int = 999
    rng: Any = None
    executor: Any = None
    progress: Any = False

    def check_unused(self, units: str) -> None:
        """Raise for options that have no effect without ci; `units` is "groups", "strata" or ""."""
        if self.rng is not None or self.executor is not None:
            raise ValueError('rng and executor have no effect without ci="bootstrap"')
        if units:
            raise ValueError(f'{units} have no effect without ci, such as ci="jackknife"; an index '
                             "corrected within strata is adjusted_rand_index(x, y, strata=), for "
                             "example")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ConfidenceLimits(EqualValues):
    """Confidence interval of a measure for a random sample of objects with fixed labels.

    It covers the value in the population from which the objects are a random sample, with the rules
    that give objects their labels or memberships held fixed. It does not cover refitting the
    clusterings on other data. A finite list of objects that were all compared has no sampling
    error.

    Attributes
    ----------
    low, high : Interval
        Interval for the lower and for the upper end; the same for a measure that is a number. nan
        if there is none; `note` says why.
    estimate : (float, float)
        Centre of the interval, for each of the two ends: the value, or an estimate of it that is
        corrected for bias; nan if there is no interval.
    standard_error : (float, float)
        Standard error of each end; at least that of permuted labels where the method has this
        floor.
    level : float
        Nominal coverage of each interval.
    method : str
        "jackknife", "jackknife, corrected", "jackknife, object by object", "jackknife, 100 random
        groups", "jackknife, sampled pairs", "proportion", "proportion, split halves", "bootstrap",
        "bootstrap, first order", "bootstrap, reflected", or "none"; "jackknife, groups",
        "jackknife, corrected, groups", "proportion, groups" or "bootstrap, groups" where groups are
        the sample.
    n_resamples : int
        Number of resamples with a defined value; for the jackknife and proportions the number of
        objects, or of groups (random ones, too).
    n_rare : int or None
        Number of objects outside the cells of the table that are the largest of their row or of
        their column; None unless both clusterings are hard.
    reliable : bool
        False if there is no interval, or if it rests on fewer than 5 such objects.
    replicates : ndarray, shape (R, 2), or None
        Both ends in each bootstrap resample; None for the jackknife.
    note : str
        Why there is no interval, or what was left out; empty if there is nothing to report.
    n_groups : int or None
        Number of groups, if groups are the sample; None if objects are.
    effective_groups : float
        n^2 / sum of n_g^2: the number of groups of equal size that carry as much information; nan
        without groups.
    degrees_of_freedom : float
        Degrees of freedom of Student's quantile with groups or strata; nan otherwise (they are n -
        1).
    design_effect : float
        (Standard error with groups / that of independent objects)^2, both before any floor; nan if
        it is not known.

    Examples
    --------
    >>> import softclust
    >>> row = softclust.compare([0, 1, 2] * 20, [0, 1, 2] * 15 + [0, 2, 1] * 5,
    ...                         measures="rand_index", ci="jackknife").rows[0]
    >>> row.ci.method, row.ci.n_resamples, f"{row.ci.low:.2f}", row.ci.n_rare
    ('jackknife', 60, '[0.71, 0.92]', 10)
    """

    low: Interval
    high: Interval
    standard_error: tuple[float, float]
    level: float
    method: str
    n_resamples: int
    estimate: tuple[float, float] = (math.nan, math.nan)
    n_rare: int | None = None
    reliable: bool = False
    replicates: Annotated[np.ndarray | None, "f R 2"] = None
    note: str = ""
    n_groups: int | None = None
    effective_groups: float = math.nan
    degrees_of_freedom: float = math.nan
    design_effect: float = math.nan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComparedMeasure(EqualValues):
    """One row of a `Comparison`: a measure and its value.

    Attributes
    ----------
    name : str
        Name of the measure: ``softclust.<name>`` is its function.
    value : float or Interval
        nan when undefined; `note` then says why.
    sense : str
        "agreement" (larger is more alike) or "dissimilarity" (smaller is more alike).
    range : (float, float)
        Bounds on the value for clusterings of these kinds and sizes, not always attained; infinite
        where unbounded.
    chance : float
        Mean of the measure when the objects of one clustering are permuted at random; nan if not
        known.
    source : str
        The paper and equation.
    note : str
        Warnings of the measure; empty when there were none.
    options : mapping
        Value of each option that affects the result (``alpha``).
    ci : ConfidenceLimits or None
        Confidence interval; None if none was requested.
    also : tuple of str
        Other measures that are the same number for these kinds of clustering.
    sentence : str
        The value with its confidence interval, and what chance gives.
    """

    name: Annotated[str, "measure"]
    value: Value
    sense: Annotated[str, "key SENSES"]
    range: tuple[float, float]
    chance: float
    source: str
    note: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    ci: ConfidenceLimits | None = None
    also: tuple[str, ...] = ()

    @property
    def ci_low(self) -> float:
        """Lower end of the confidence interval (of that of `low`); nan if there is none."""
        return math.nan if self.ci is None else self.ci.low.low

    @property
    def ci_high(self) -> float:
        """Upper end of the confidence interval (of that of `high`); nan if there is none."""
        return math.nan if self.ci is None else self.ci.high.high

    @property
    def sentence(self) -> str:
        """The value with its confidence interval, and what chance gives."""
        shown = value_text(self.low, (self.ci_high - self.ci_low) / 2)
        if (high := value_text(self.high)) != value_text(self.low):
            shown += f" to {high}"
        more = []
        if self.ci is not None and not math.isnan(self.ci_low + self.ci_high):
            half = (self.ci_high - self.ci_low) / 2
            more.append(f"{100 * self.ci.level:g} % confidence interval "
                        f"{value_text(self.ci_low, half)} to {value_text(self.ci_high, half)}")
        if not math.isnan(self.chance):
            more.append(f"chance gives {value_text(self.chance) if self.chance else 0}")
        within = " and is not distinguishable from chance" * (
            len(more) == 2 and self.ci_low <= self.chance <= self.ci_high)
        return (f"The {in_words(self.label)} is {shown}"
                + (f" ({'; '.join(more)})" if more else "") + f"{within}.")

    @property
    def label(self) -> str:
        """Name with its options: ``alpha_rand_index (alpha=0.5)``."""
        if not self.options:
            return self.name
        return f"{self.name} ({', '.join(f'{k}={v}' for k, v in self.options.items())})"

    @property
    def low(self) -> float:
        """Lower end of the interval; the value itself when it is a number."""
        return self.value.low if isinstance(self.value, Interval) else self.value

    @property
    def high(self) -> float:
        """Upper end of the interval; the value itself when it is a number."""
        return self.value.high if isinstance(self.value, Interval) else self.value


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Comparison(Drawn, Tidied, Described, Record):
    """Two clusterings compared by several measures; made by `compare`.

    Attributes
    ----------
    rows : tuple of ComparedMeasure
        One row per measure. Iterating over the comparison gives the same rows; ``len()`` counts
        them; ``comparison["ARI"]`` is one.
    names : (str, str)
        Names of the two clusterings.
    kinds : (str, str)
        Kinds of the two clusterings.
    n_objects : int
        Number of objects n.
    n_clusters : (int, int)
        Numbers of clusters, empty ones included.
    notes : tuple of str
        Warnings of the measures and remarks on their confidence intervals, "name: text".
    ci : str or None
        "bootstrap", "jackknife", or None without confidence intervals.
    level : float
        Confidence level of the intervals.
    alignment : Aligned or None
        How noise, missing labels and differing objects were treated; None if there were none.
    completed : bool
        True if the intervals are ranges over all ways to fill in missing labels.
    left_out : mapping of str to str
        Measures that take these kinds and are not shown, with the reason; empty if the measures
        were chosen by name.

    Notes
    -----
    ``to_frame()``: the comparison as a data frame. Indexed by measure: value (nan for an interval
    or if undefined), low and high (the interval; the value twice for a number), sense,
    range_low, range_high, chance, options, also, source, note; with ``ci=`` also ci_low, ci_high
    (for an interval, the outer ends) and ci_method after high.

    Examples
    --------
    >>> import softclust
    >>> result = softclust.compare([0, 0, 1, 1], [0, 0, 1, 2],
    ...                            measures=["rand_index", "jaccard_index"])
    >>> [(row.name, row.value) for row in result]
    [('rand_index', 0.8333333333333334), ('jaccard_index', 0.5)]
    >>> softclust.compare([0, 0, 1, 1], [0, 0, 1, 2]).to_frame().loc["rand_index", "range_high"]
    np.float64(1.0)
    >>> print(softclust.compare([0, 0, 1, 1], [0, 0, 1, 2], measures="rand_index").summary())
    Comparison of x (hard, 2 clusters) and y (hard, 3 clusters), 4 objects
    ...
    rand_index 0.8333 ...
    """

    _chart = "plot_comparison"

    rows: tuple[ComparedMeasure, ...]
    names: tuple[str, str]
    kinds: tuple[str, str]
    n_objects: Annotated[int, ">=1"]
    n_clusters: tuple[int, int]
    notes: tuple[str, ...]
    ci: str | None = None
    level: Annotated[float, "0..1"] = 0.95
    alignment: Aligned | None = None
    completed: bool = False
    left_out: Mapping[str, str] = field(default_factory=dict)

    def __iter__(self) -> Iterator[ComparedMeasure]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        (a, b), (kind_a, kind_b) = self.names, self.kinds
        return (f"Comparison({a}: {kind_a}, {b}: {kind_b}, n_objects={self.n_objects}, "
                f"{len(self.rows)} measures)")

    def __getitem__(self, name: str | Callable[..., Any]) -> ComparedMeasure:
        """Return the row of a measure, by any of its names: ``compare(x, y)["ARI"]``."""
        names = [row.name for row in self.rows]
        places = ([k for k, row in enumerate(self.rows) if name in row.also]
                  or places_of(name, names, [row.options for row in self.rows])
                  or [k for k, row in enumerate(self.rows) if places_of(name, row.also)])
        if not places:
            raise KeyError(f"this comparison has no measure {shown(name)}; it has "
                           + ", ".join(names))
        return self.rows[places[0]]

    def value(self, name: str | Callable[..., Any]) -> Value:
        """Return the value of the measure called `name`.

        Parameters
        ----------
        name : str or function
            A measure of this comparison by any of its names ("ARI", "pairwise precision"), or
            another measure that is the same number (``also``).

        Returns
        -------
        float or Interval
            nan if the measure is undefined here.

        Raises
        ------
        KeyError
            If the comparison has no such measure; the message lists those that it has.

        Examples
        --------
        >>> import softclust
        >>> softclust.compare([0, 0, 1, 1], [0, 0, 1, 2]).value("rand_index")
        0.8333333333333334
        """
        return self[name].value

    def _table(self) -> SummaryTable:
        sides = [f"{name} ({kind}, {c} cluster{'s' if c != 1 else ''})" for name, kind, c
                 in zip(self.names, self.kinds, self.n_clusters)]
        rows = self.rows
        limits = {} if self.ci is None else {
            f"{100 * self.level:g} % CI": map(_limits_text, rows)}
        notes = ["Agreement: larger is more alike. Dissimilarity: smaller is more alike. Range: "
                 "bounds for clusterings of these kinds and sizes, not all attained. Chance: mean "
                 "when objects are permuted at random, where known."]
        notes += [f"The same number for these kinds: {row.name}, {', '.join(row.also)}."
                  for row in self.rows if row.also]
        ranges = ""
        if any(isinstance(row.value, Interval) for row in rows):
            ranges = (" For a range [a, b], it goes from the lower limit of a to the upper limit "
                      "of b.")
            notes.append("[a, b]: " + (
                "least and greatest value over all ways to fill in missing labels."
                if self.completed else
                "one end counts ambiguity as error, the other forgives it."))
        if self.ci is not None:
            units = "groups" if any(row.ci is not None and row.ci.n_groups not in (
                None, self.n_objects) for row in self.rows) else "objects"
            notes.append(f"{100 * self.level:g} % CI ({self.ci}): confidence interval "
                         f"when {units} are sampled at random and labels are held fixed. Fits to "
                         "independent data sets show how much the algorithms themselves "
                         f"vary.{ranges}")
        if self.alignment is not None:
            notes.insert(0, f"{self.alignment.header}.")
        if self.left_out:
            # The other measures that take these kinds, by reason.
            names: dict[str, list[str]] = {}
            for name, why in self.left_out.items():
                names.setdefault(why, []).append(name)
            groups = [f"{', '.join(same) if len(same) < 3 else f'{len(same)} measures'} ({why})"
                      for why, same in sorted(names.items(), key=lambda item: -len(item[1]))]
            notes.append(f"Not shown: {'; '.join(groups)}. measures=[...] asks for them by name, "
                         "softclust.list_measures() lists all.")
        notes += [f"Note: {note}." for note in self.notes]
        return SummaryTable.of(
            {"measure": [row.label for row in rows], "value": right(rows, _value_text), **limits,
             "range": [range_text(*row.range) for row in rows],
             "chance": right("" if math.isnan(row.chance) else amount(row.chance)
                             for row in rows),
             "sense": [row.sense for row in rows]}, notes=notes,
            title=f"Comparison of {sides[0]} and {sides[1]}, {self.n_objects} objects")

    def _frame(self) -> Columns:
        rows = self.rows
        columns: dict[str, Any] = {
            "value": [math.nan if isinstance(row.value, Interval) else row.value for row in rows],
            "low": [row.low for row in rows], "high": [row.high for row in rows]}
        if self.ci is not None:
            columns |= {"ci_low": [row.ci_low for row in rows],
                        "ci_high": [row.ci_high for row in rows],
                        "ci_method": ["" if row.ci is None else row.ci.method for row in rows]}
        columns |= {"sense": [row.sense for row in rows],
                    "range_low": [row.range[0] for row in rows],
                    "range_high": [row.range[1] for row in rows],
                    "chance": [row.chance for row in rows],
                    "options": [", ".join(f"{k}={v}" for k, v in row.options.items())
                                for row in rows],
                    "also": [", ".join(row.also) for row in rows],
                    "source": [row.source for row in rows], "note": [row.note for row in rows]}
        return Columns(columns, {"measure": [row.name for row in rows]})

    def _estimates(self) -> list[dict[str, Any]]:
        rows = []
        for row in self.rows:
            terms = ([f"{row.label} [low]", f"{row.label} [high]"]
                     if isinstance(row.value, Interval) else [row.label])
            for end, (term, value) in enumerate(zip(terms, (row.low, row.high))):
                rows.append({"term": term, "estimate": value})
                if row.ci is not None:
                    limits = (row.ci.low, row.ci.high)[end]
                    rows[-1] |= {"std_error": row.ci.standard_error[end], "conf_low": limits.low,
                                 "conf_high": limits.high, "method": row.ci.method}
        return rows

    def _whole(self) -> dict[str, Any]:
        return {"x": self.names[0], "y": self.names[1], "x_kind": self.kinds[0],
                "y_kind": self.kinds[1], "n_objects": self.n_objects,
                "x_clusters": self.n_clusters[0], "y_clusters": self.n_clusters[1],
                "n_dropped": 0 if self.alignment is None else self.alignment.n_dropped}

    def _methods(self) -> tuple[str, str]:
        from ..measures import cited, registry
        sides = " and ".join(f"{name} ({kind})" for name, kind in zip(self.names, self.kinds))
        measures = cited((row.name for row in self.rows), registry())
        first = f"The clusterings {sides} of {self.n_objects} objects were compared by {measures}"
        methods = list(dict.fromkeys(row.ci.method for row in self.rows if row.ci is not None))
        if not methods:
            return first, "The values were computed without confidence intervals"
        return first, (f"The {100 * self.level:g} % confidence intervals ({', '.join(methods)}) "
                       "treat the labels as fixed and the objects as a random sample")

    def _values(self) -> list[tuple[str, str, str]]:
        return [(row.name, _value_text(row),
                 f"{100 * self.level:g} % CI {limits}" if (limits := _limits_text(row)) else "")
                for row in self.rows]


# -- the table --------------------------------------------------------------------------------
def _value_text(row: ComparedMeasure) -> str:
    if isinstance(row.value, Interval) and not math.isnan(row.low):
        return f"[{amount(row.low)}, {amount(row.high)}]"
    return amount(row.low)


def _limits_text(row: ComparedMeasure) -> str:
    if math.isnan(row.ci_low) and math.isnan(row.ci_high):
        return ""
    return f"{amount(row.ci_low)} to {amount(row.ci_high)}"

