"""The record of a measure: its statistic, its claims and its evaluation."""

from __future__ import annotations

import dataclasses
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, near_keyword
from ..clusterings import Clustering
from ..results.records import Interval
from ..results.text import bounds_text
from ..tables.quotient import Ratio
from ..tables.sums import SQUARE, TableSums
from .limit_rules import OF_CLASSES, Bounds, LimitRule, NoLimits
from .statistic import Replicates, Source, Statistic

__all__ = ["OF_CLASSES", "Answer", "Bounds", "Claim", "KINDS", "Measure", "MeasureWord",
           "PROPERTIES", "RCall", "SENSES", "Shares", "Word", "ends", "unknown_option",
           "unsuitable"]

#: kinds of uncertain single membership; "every kind" means these
KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential")
ALL_KINDS = (*KINDS, "cover")
#: why `compare()` leaves out a measure that it could show
USED_LESS_OFTEN = "used less often"
SENSES = ("agreement", "dissimilarity", "uncertainty")
#: every property that may be claimed; tests/test_properties.py has one checker for each
PROPERTIES = (
    "symmetric", "reflexive", "metric", "pseudo-metric", "separating", "chance-corrected",
    "relabelling-invariant", "monotone-in-alpha", "reduces-to",
)



@dataclass(frozen=True, slots=True)
class RCall:
    """An R call that gives the value of a measure.

    Attributes
    ----------
    code : str
        R expression in x and y (also x_labels, y_membership, ...).
    options : mapping
        Options of the measure under which the numbers are the same; empty for its defaults.
    inexact : float
        How far R's value may be off where R approximates, relative to values above 1.
    """

    code: str
    options: Mapping[str, Any] = field(default_factory=dict)
    inexact: float = 0.0

    @property
    def packages(self) -> tuple[str, ...]:
        """R packages that must be installed for the call, in order."""
        import re
        named = dict.fromkeys(re.findall(r"([A-Za-z][\w.]*)::", self.code))
        return tuple(name for name in named if name not in ("base", "methods", "stats", "utils"))

    def __str__(self) -> str:
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"`{self.code}`" + (f" ({options})" if options else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A property claimed by a measure, with the condition under which it was proved.

    Attributes
    ----------
    name : str
        One of `PROPERTIES`. "metric" and "pseudo-metric" refer to the dissimilarity, or to 1 -
        index for an agreement; "separating": the best value only for equal clusterings.
    options : mapping
        Values of options for which it holds; each entry a tuple of values that tests try.
    kinds : tuple of str or None
        Kinds for which it holds (both sides); None: all kinds of the measure.
    max_clusters : int or None
        Holds up to this number of clusters.
    target : str or None
        For "reduces-to": the hard measure it equals on hard input.
    condition : str
        The condition in words, for tables; empty when it holds always.
    """

    name: str
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    kinds: tuple[str, ...] | None = None
    max_clusters: int | None = None
    target: str | None = None
    condition: str = ""

    def __str__(self) -> str:
        text = f"reduces to {self.target}" if self.target else self.name
        return f"{text} ({self.condition})" if self.condition else text


def claims(*names: str, **options: tuple[Any, ...]) -> tuple[Claim, ...]:
    """Claims of these properties for these values of options."""
    return tuple(Claim(name=name, options=options) for name in names)


@dataclass(frozen=True, slots=True)
class Answer:
    """A question of the guide's page "Which measure" that a measure answers.

    Attributes
    ----------
    question : str
        "corrected" (alike, 0 at chance), "ambiguity", "share" (of the pairs), "metric", "move"
        (objects to move) or "fast".
    rank : int
        1 is recommended first.
    because : str
        Why, in half a line.
    """

    question: str
    rank: int
    because: str


@dataclass(frozen=True, slots=True)
class Shares:
    """Rule that splits the disagreement into shares of objects, and of cells if both are hard.

    Attributes
    ----------
    base : str
        "pairs", "information", "partner" (the best one), "matching", "bcubed", "element",
        "operations" or "pair means" (of a dissimilarity, not told by cell).
    split, merge : bool
        Whether what x joins and y separates counts, and the other way.
    options : mapping
        Values of options for which it holds; other options may have any value.
    kinds : tuple of str
        Kinds of the sides; where one is not hard, only objects have shares.
    """

    base: str
    split: bool = True
    merge: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    kinds: tuple[str, ...] = ("hard",)


@dataclass(frozen=True, slots=True)
class Word:
    """A field's name for a measure with options.

    Attributes
    ----------
    word : str
        The name; case, "_", "-" and spaces do not matter.
    field : str
        "learning", "linkage", "coreference", "segmentation", "diarization" or "networks".
    options : mapping
        Options of the measure.
    swap : bool
        Whether the sides are exchanged.
    complement : bool
        Whether it is 1 - value.
    note : str
        Where tools differ; empty for nothing.
    """

    word: str
    field: str = ""
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    swap: bool = False
    complement: bool = False
    note: str = ""

    @property
    def plain(self) -> bool:
        """True if the word names the measure itself, as an abbreviation does."""
        return not (self.options or self.swap or self.complement)


@dataclass(frozen=True, slots=True)
class MeasureWord(Word):
    """A word of a field and the measure that it means.

    Attributes
    ----------
    word : str
    name : str
        The measure.
    options : mapping
        Options of the measure.
    swap : bool
        Whether the sides are exchanged.
    complement : bool
        Whether it is 1 - value.
    field : str
        The field; empty for a name of the measure itself.
    note : str
        Where tools differ; empty for nothing.
    """

    name: str = ""

    @property
    def call(self) -> str:
        """The call it stands for, such as ``1 - pair_f_index(y, x, part="f1")``."""
        sides = "y, x" if self.swap else "x, y"
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"{'1 - ' * self.complement}{self.name}({sides}{options})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One registered measure.

    Attributes
    ----------
    name : str
    function : callable
        ``function(x, y, **options)``, or ``function(x, **options)`` when `arity` is 1.
    statistic : type or None
        The `Statistic` on which the measure rests; None when `arity` is 1.
    formula : callable or None
        ``formula(statistic, **options)``: a pure function that broadcasts over a leading axis of
        replicates where the statistic has them as arrays.
    family : str
        Module inside `softclust.measures`.
    arity : int
        1 (uncertainty of one clustering) or 2.
    driver : bool
        Whether it is a driver instead of a formula: ``driver(source, **options)`` solves a problem
        for the pair itself, and `shown` turns its result into a number.
    sense : str
        "agreement" (larger is more alike), "dissimilarity" or "uncertainty".
    kinds : tuple of str
        Kinds that each side may have.
    bounds : (low, high) or callable
        Bounds on the value; None where unbounded. A callable takes the Joint and returns the
        pair: bounds for clusterings of the same kinds and sizes.
    properties : tuple of Claim
    cost : str
        Time, in n objects, c (r, s) clusters, f focal sets.
    source : str
        The paper and equation.
    r : str or None
        R call in x and y (also x_labels, y_membership, ...) that gives the same number.
    r_calls : tuple of RCall
        That call, then those of other packages or under other options.
    options : tuple of str
        Names of the keyword options.
    defaults : mapping
        Their default values.
    statistic_options, formula_options, chance_options : tuple of str
        Those that reach the statistic, the formula, and `chance`.
    in_compare : bool or callable
        Whether `compare()` lists it without being asked; a callable takes the Joint and returns
        why not, "" when it does.
    listed_for : {"all", "soft", "covers"}
        Where this holds. "soft": unless both sides are hard, as a hard measure has the same value
        there; "covers": if a side is a cover.
    place : float
        Place among the first rows of `compare()`: 0 at chance and 1 for equal, then shares of
        pairs. `compare_all()` takes the first that is corrected for chance. Infinite: after these.
    same_as : callable or None
        ``same_as(source, alpha)``: the measure that is the same number for these kinds, "" for
        none; `compare()` then has one row for both. Claims say it of two hard clusterings.
    shown : callable or None
        Turns a record into the float or Interval that `compare()` lists.
    compare_options : mapping
        Options with which `compare()` calls it.
    more_kinds : mapping
        Further kinds that are allowed under some values of an option:
        ``{"metric": {"maximum": ("possibilistic",)}}``.
    by_object : bool
        Whether it is a function of sums over objects, so that copies of an object may count as
        objects when a bootstrap draws them.
    no_limits : str
        Why the measure has no confidence interval, whatever its statistic; empty when it has one.
    limits : LimitRule or callable or None
        Rule for confidence intervals, of `softclust.measures.limit_rules`; a callable takes the
        source and returns the rule. None: no interval, because no simulation showed that one
        covers.
    chance : callable or None
        Takes the source, and options of the measure on which it depends by keyword; the mean of the
        measure under random permutation of the objects, nan where it takes too long. None where
        `linear` determines it.
    weight_degree : int or None
        How the value grows when the objects of a table have weights: 0 for an index, 1 as the
        weights, 2 as their products; None where the measure has no form with weights.
    weighted_bounds : (low, high) or None
        Range for objects with weights where it differs.
    linear : {"sums", "rows", "cells", "matched"} or None
        For a view of sums of phi: what the measure is an affine function of. "sums": of the sums
        over cells, rows and columns, so that its mean under any null model is known. "rows": of
        those over cells and columns, given that over the rows. "cells": of the sum over the cells,
        given both others, so that null moments are known. "matched": of two hard clusterings, of
        the objects that the best one-to-one matching of their clusters keeps. None: of none.
    loss : str
        Name of the posterior loss that the measure, or its distance from 1, equals; "" where the
        name of the measure is enough.
    completion : callable or None
        ``completion(problem, any_cluster)``: bounds over all completions of missing labels, for a
        formula on sums of phi. None: by counting pairs, or the range of the measure.
    from_sums : mapping or None
        Values of options under which sums of memberships are enough
        (``{"distance": ("conflict",)}``), empty where they always are; None: never.
    favours_many : mapping or None
        Values of options under which it favours many clusters: of clusterings that differ in their
        number, it often ranks one with too many nearest to the truth. Empty for all options, None
        where that is not known.
    abbreviations : tuple of str
        Short names in the literature, in scikit-learn and in R; case, "_", "-" and spaces do not
        matter.
    answers : tuple of Answer
        Questions of the page "Which measure" that it answers.
    shares : tuple of Shares
        Rules that split its disagreement into shares of objects, by options; empty where none does.
    words : tuple of Word
        Names that fields give it, with options or sides exchanged.
    meaning : str
        First line of the docstring.
    """

    name: str
    function: Callable[..., Any]
    statistic: type[Statistic] | None
    formula: Callable[..., Any] | None
    family: str
    arity: int
    driver: bool
    sense: str
    kinds: tuple[str, ...]
    bounds: Bounds | Callable[[Source], Bounds]
    properties: tuple[Claim, ...]
    cost: str
    source: str
    r: str | None
    r_calls: tuple[RCall, ...]
    options: tuple[str, ...]
    defaults: Mapping[str, Any]
    statistic_options: tuple[str, ...]
    formula_options: tuple[str, ...]
    in_compare: bool | Callable[[Source], str]
    listed_for: Literal["all", "soft", "covers"] = "all"
    place: float = math.inf
    same_as: Callable[[Source, float | None], str] | None = None
    shown: Callable[[Any], Any] | None = None
    compare_options: Mapping[str, Any] = field(default_factory=dict)
    more_kinds: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    by_object: bool = False
    no_limits: str
    limits: LimitRule | Callable[[Source], LimitRule] | None = None
    chance: Callable[..., float] | None = None
    chance_options: tuple[str, ...] = ()
    weight_degree: int | None = None
    weighted_bounds: Bounds | None = None
    linear: str | None = None
    loss: str = ""
    completion: Callable[[Any, bool], tuple[float, float]] | None = None
    from_sums: Mapping[str, tuple[Any, ...]] | None = None
    favours_many: Mapping[str, tuple[Any, ...]] | None = None
    abbreviations: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()
    shares: tuple[Shares, ...]
    words: tuple[Word, ...] = ()
    meaning: str

    def __post_init__(self) -> None:
        if self.linear not in (None, "sums", "rows", "cells", "matched"):
            raise ValueError(f"linear={self.linear!r} is not None, 'sums', 'rows', 'cells' or "
                             "'matched'")
        if self.sense not in SENSES:
            raise ValueError(f"sense={self.sense!r} is not one of {SENSES}")
        if not self.kinds or not set(self.kinds) <= set(ALL_KINDS):
            raise ValueError(f"kinds={self.kinds!r}: choose from {ALL_KINDS}")
        for claim in self.properties:
            if claim.name not in PROPERTIES:
                raise ValueError(f"property {claim.name!r} is not one of {PROPERTIES}")
        object.__setattr__(self, "kinds", tuple(k for k in ALL_KINDS if k in self.kinds))

    # -- values -------------------------------------------------------------------------------
    def evaluate(self, source: Source, options: Mapping[str, Any]) -> Any:
        """The value of a measure of two clusterings for a pair or a table.

        Raises
        ------
        ClusteringError
            If a side is of a kind that the measure does not take.
        """
        self.check_kinds(source, options)
        assert self.statistic is not None
        assert self.formula is not None
        if self.weight_degree is None and source.weighted:
            raise ClusteringError(f"{self.name} is not defined for weighted objects; count the "
                                  "objects without weights, or take frequencies= where the "
                                  "numbers are copies of objects")
        if source.sums is not None and (lacking := self.beyond_sums(source, options)):
            raise ClusteringError(lacking)
        statistic = source.statistic(self.statistic, **self.options_of("statistic", options))
        value = self.formula(statistic, **self.options_of("formula", options))
        return source.in_weights(value, self.weight_degree) if self.weight_degree else value

    def replicated(self, replicates: Replicates, options: Mapping[str, Any]) -> np.ndarray:
        """Both ends of the value for each of R replicates, (R, 2); nan where it is undefined."""
        assert self.formula is not None
        chosen = self.options_of("formula", options)
        if replicates.each is not None:
            return np.array([ends(self.listed_value(self.formula(each, **chosen)))
                             for each in replicates.each()])
        with np.errstate(invalid="ignore", divide="ignore"):
            value = self.formula(replicates.statistic, **chosen)
        low, high = (value.low, value.high) if isinstance(value, Interval) else (value, value)
        both = np.column_stack(np.broadcast_arrays(low, high, replicates.times)[:2])
        return both.astype(float, copy=False)

    def mean_permuted(self, source: Source, options: Mapping[str, Any]) -> float | None:
        """Mean when the objects of y are permuted at random; None where it is not known."""
        if self.chance is not None:
            chosen = {}
            for name in self.chance_options:
                if name in options:
                    chosen[name] = options[name]
            return float(self.chance(source, **chosen))
        if self.linear is None or self.statistic is None or self.statistic.permuted is None:
            return None
        assert self.formula is not None
        statistic = source.statistic(self.statistic, **self.options_of("statistic", options))
        means = statistic.permuted()
        return None if means is None else float(
            self.formula(means, **self.options_of("formula", options)))

    def ratio(self, options: Mapping[str, Any] = MappingProxyType({}), **sums: Any) -> Ratio:
        """The measure as a ratio of polynomials in sums over the contingency table.

        Its formula is called with unknown numbers, so that no other place writes it down.

        Parameters
        ----------
        options : mapping
            Options of the measure.
        **sums
            The number of objects ``n``, and what else is known of `softclust.tables.sums.COLUMNS`,
            as numbers or polynomials of other unknowns.

        Returns
        -------
        Ratio

        Raises
        ------
        ValueError
            If it is not such a ratio.
        """
        assert self.formula is not None
        try:
            if self.statistic is None or self.statistic.of_table_sums is None:
                raise NotImplementedError("it needs more than sums")
            view = self.statistic.of_table_sums(TableSums.unknown(sums),
                                                **self.options_of("statistic", options))
            return Ratio.of(self.formula(view, **self.options_of("formula", options)))
        except (NotImplementedError, ClusteringError) as error:
            raise ValueError(f"{self.name} is not a ratio of sums over the contingency table: "
                             f"{error}") from None

    @property
    def linear_in_pairs(self) -> bool:
        """True if it is an affine function of the pairs together in both, given the sizes."""
        return self.linear is not None and self.statistic is not None and (
            self.statistic.phi is SQUARE)

    @property
    def of_sums(self) -> bool:
        """True if it is a formula on a view of sums of phi."""
        return self.statistic is not None and self.statistic.phi is not None

    def options_of(self, what: Literal["statistic", "formula"], options: Mapping[str, Any]
                   ) -> dict[str, Any]:
        """The options that reach the "statistic" or the "formula", as given or by default."""
        chosen = {}
        for name in self.statistic_options if what == "statistic" else self.formula_options:
            chosen[name] = options.get(name, self.defaults[name])
        return chosen

    def listed_value(self, result: Any) -> float | Interval:
        """`result` as a number or an Interval, the way tables list it.

        Raises
        ------
        ValueError
            If the measure gives a record that tables cannot list.
        """
        if self.shown is not None:
            result = self.shown(result)
        if isinstance(result, Interval):
            return result
        if not isinstance(result, (int, float)) and not hasattr(result, "__float__"):
            raise ValueError(f"{self.name} gives a {type(result).__name__}, not a number or an "
                             f"interval; call softclust.{self.name}(x, y)")
        return float(result)

    def limit_rule(self, source: Source) -> LimitRule:
        """Rule for the confidence interval of these clusterings."""
        if self.limits is None or self.no_limits:
            return NoLimits(reason=self.no_limits)
        return self.limits(source) if callable(self.limits) else self.limits

    def hard_target(self, options: Mapping[str, Any]) -> str | None:
        """The measure of hard clusterings that it is claimed to equal under these options."""
        for claim in self.properties:
            if claim.target:
                for name, values in claim.options.items():
                    if options.get(name, self.defaults[name]) not in values:
                        break
                else:
                    return claim.target
        return None

    def same_number(self, source: Source, alpha: float | None) -> str:
        """The measure that gives the same number for these kinds; "" for none."""
        if source.both_hard and (target := self.hard_target(self.compare_options)):
            return target
        return self.same_as(source, alpha) if self.same_as is not None else ""

    def claims(self, name: str, kinds: Iterable[str] = ()) -> list[Claim]:
        """The claims called `name` that hold for `kinds`, for some kinds where none are given."""
        return [c for c in self.properties
                if c.name == name and (c.kinds is None or set(kinds) <= set(c.kinds))]

    # -- kinds --------------------------------------------------------------------------------
    def check_kinds(self, source: Source, options: Mapping[str, Any] = MappingProxyType({})
                    ) -> None:
        """Raise ClusteringError unless both sides are of a kind that the measure takes."""
        if self.arity != 2:
            raise ValueError(of_one(self))
        for side, kind in zip("xy", source.kinds):
            if kind not in self.kinds and not self.takes_kind(kind) and not any(
                    kind in by_value.get(str(options.get(name)), ())
                    for name, by_value in self.more_kinds.items()):
                raise ClusteringError(unsuitable(self, side, kind))

    def takes(self, *kinds: str) -> bool:
        """Test whether clusterings of these kinds (one per side) are allowed."""
        return len(kinds) == self.arity and all(map(self.takes_kind, kinds))

    def takes_kind(self, kind: str) -> bool:
        """Test whether one side may be of this kind, or of one that is taken as another."""
        return kind in self.kinds or not set(self.kinds).isdisjoint(Clustering.stands_for(kind))

    def unlisted(self, source: Source) -> str:
        """Reason why `compare()` does not list it by default for these clusterings; or ""."""
        if not self.takes(*source.kinds):
            return "takes other kinds"
        if source.weighted and self.weight_degree is None:
            return "no form with weights"
        if source.sums is not None and self.beyond_sums(source, self.compare_options):
            return "needs the objects"
        if self.listed_for == "soft" and source.both_hard:
            return "equal to those of hard clusterings"
        if self.listed_for == "covers" and "cover" not in source.kinds:
            return "for covers"
        if callable(self.in_compare):
            return self.in_compare(source)
        return "" if self.in_compare else USED_LESS_OFTEN

    def beyond_sums(self, source: Source, options: Mapping[str, Any]) -> str:
        """Reason why sums of memberships are not enough on their own; "" if they are."""
        if source.sums is None or source.both_hard:
            return ""
        if self.from_sums is None:
            return (f"{self.name} is not a function of sums over objects, so sums of memberships "
                    "are not enough; give both clusterings")
        for name, values in self.from_sums.items():
            option = options.get(name, self.defaults[name])
            if not any(option is value or (np.isscalar(option) and option == value)
                       for value in values):
                allowed = " or ".join(f"{name}={value!r}" for value in values)
                return (f"{self.name}: sums of memberships are enough for {allowed} only; give "
                        "both clusterings")
        return ""

    def symmetric(self, options: Mapping[str, Any], kinds: Iterable[str]) -> bool:
        """Test whether symmetry is claimed for these kinds under these options."""
        return any(claim.max_clusters is None and all(
            _covers(values, options.get(name, self.defaults[name]))
            for name, values in claim.options.items())
            for name in ("symmetric", "metric", "pseudo-metric")
            for claim in self.claims(name, kinds))

    def answer(self, question: str) -> Answer | None:
        """The answer to a question of the guide; None where it answers another one."""
        return next((a for a in self.answers if a.question == question), None)

    def range(self, source: Source) -> Bounds:
        """Bounds on the value for clusterings like these; None where unbounded."""
        if source.weighted and self.weighted_bounds is not None:
            return self.weighted_bounds
        return self.bounds(source) if callable(self.bounds) else self.bounds

    # -- words --------------------------------------------------------------------------------
    @property
    def kinds_text(self) -> str:
        """The kinds; "all" for all five."""
        return "all" if self.kinds == KINDS else ", ".join(self.kinds)

    @property
    def heading(self) -> str:
        """Heading of its family in the guide and in R: the first line of the module."""
        doc = sys.modules[self.function.__module__].__doc__ or self.family
        return doc.split("\n", 1)[0].rstrip(".")

    @property
    def bounds_text(self) -> str:
        """The range; "by n, c" where it depends on the clusterings."""
        return bounds_text(*(("n, c", "n, c") if callable(self.bounds) else self.bounds))


def _covers(values: tuple[Any, ...], value: Any) -> bool:
    """Test whether a claim tried for `values` applies to `value`; numbers by their range."""
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (*values, value)):
        return bool(min(values) <= value <= max(values))
    return value in values


def ends(value: float | Interval) -> tuple[float, float]:
    """Both ends of an interval; a number twice."""
    if isinstance(value, Interval):
        return value.low, value.high
    return value, value


def of_one(m: Measure) -> str:
    """Error message for a measure of one clustering where two are compared."""
    return (f"{m.name} is a measure of one clustering; call softclust.{m.name}(x) for each of "
            "them")


def unsuitable(m: Measure, side: str, kind: str) -> str:
    """Error message for a side of an unsuitable kind, with the remedy."""
    wanted = " or ".join(filter(None, [", ".join(m.kinds[:-1]), m.kinds[-1]]))
    calls = _CONVERSIONS.get(kind, _CONVERSIONS["evidential"])
    ways = " or ".join(f"{side}.{call}" for call in calls if _MAKES[call] in m.kinds)
    values = [f'{name}="{value}"' for name, by_value in m.more_kinds.items()
              for value, more in by_value.items() if kind in more]
    return (f"{m.name}: {side} is {kind}; a {wanted} clustering is needed"
            + (f" ({kind} ones with {' or '.join(values)})" if values else "")
            + (f": {ways} makes one by a named rule" if ways else "")
            + ('; if objects belong to all of their clusters, give kind="cover" at the door: '
               "as_clustering(upper, kind=\"cover\")"
               if kind == "rough" and "cover" in m.kinds else "")
            + ('; where objects of one cluster at most are in none, "singletons" instead of '
               '"uncovered" at the door keeps a side hard, and patterns() would join them'
               if kind == "cover" and "hard" in m.kinds else ""))


#: conversions of each kind, and the kind that each of them makes
_MAKES = {"harden()": "hard", "to_fuzzy()": "fuzzy", "to_rough()": "rough",
          'to_fuzzy(rule="shares")': "fuzzy", "patterns()": "hard",
          "to_cover(threshold=...)": "cover"}
_CONVERSIONS = {"hard": (), "rough": ("to_fuzzy()", "harden()"),
                "fuzzy": ("to_rough()", "harden()", "to_cover(threshold=...)"),
                "possibilistic": ("to_fuzzy()", "to_rough()", "harden()",
                                  "to_cover(threshold=...)"),
                "evidential": ("to_fuzzy()", "to_rough()", "harden()"),
                "cover": ('to_fuzzy(rule="shares")', "patterns()")}


def unknown_option(option: str, m: Measure, caller: Any = None) -> TypeError:
    """The error for a keyword that neither the called function nor the measure has."""
    own = [each for each in m.options if each not in ("progress", "rng")]
    keywords = [] if caller is None else [
        p.name for p in inspect.signature(caller).parameters.values()
        if p.kind is not p.VAR_KEYWORD]
    near = near_keyword(option, [*keywords, *own])
    first = "" if caller is None else f"{caller.__name__} has no keyword {option!r}, and "
    return TypeError(f"{first}{m.name} has no option {option!r}; "
                     + (f"its options are {', '.join(own)}" if own else "it has none")
                     + (f"; {near}" if near.startswith("did") else ""))
