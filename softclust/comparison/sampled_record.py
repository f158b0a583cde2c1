"""The record of `sampled_truth` and `sampled_pairs`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .._records import Columns, Drawn, Record, Tidied
from .._summary import SummaryTable, right
from .._text import number

_UNITS = {"clusters": "true clusters", "objects": "objects", "pairs": "pairs of objects"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMeasure:
    """One row of a `SampledTruth`.

    Attributes
    ----------
    name : str
    value : float
        The estimate; nan where it is undefined.
    standard_error : float
        Of the sampling design; 0 for a census.
    low, high : float
        Confidence limits; nan where there are none, the value for a census.
    degrees_of_freedom : float
        Of Student's quantile; nan where there are no limits.
    n_effective : float
        Sampled units that carry the denominator, effectively; of pairs the matches or mismatches
        of which there are fewest.
    method : str
        "design", "census" or "none".
    note : str
        Why there are no limits.
    """

    name: str
    value: float
    standard_error: float
    low: float
    high: float
    degrees_of_freedom: float
    n_effective: float
    method: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SampledTruth(Drawn, Tidied, Record):
    """Agreement with a truth known for a sample; made by `sampled_truth` and `sampled_pairs`.

    Attributes
    ----------
    rows : tuple of SampledMeasure
        One per measure; ``found["pair_recall"]`` is that of a name.
    n_units : int
        Sampled true clusters, objects or pairs.
    design : str
        "clusters", "objects" or "pairs".
    share : float
        Sampled share of all objects or pairs; nan for clusters, whose number is not known.
    totals : mapping of str to float
        Estimated totals: "joined_in_both", "joined_in_truth" and "joined_in_predicted" pairs,
        and "objects". Unbiased for true clusters and objects (Horvitz and Thompson).
    n_objects : int
    level : float
        Nominal coverage of the limits.

    Notes
    -----
    ``to_frame()``: one row per measure. Indexed by measure: value, standard_error, low, high,
    degrees_of_freedom, n_effective, method, note.

    Examples
    --------
    >>> import softclust
    >>> softclust.sampled_truth([0, 0, 1, 1], [0, 0, 0, 1], design="clusters", probabilities=1)
    SampledTruth(10 measures; 2 true clusters sampled, 4 objects)
    >>> print(softclust.sampled_truth([0, 0, 1, 1], [0, 0, 0, 1], design="clusters",
    ...                               probabilities=1, measures="pair_recall").summary())
    2 true clusters sampled (design: clusters)
    ...
    """

    _chart = "plot_sampled_truth"
    _tidy = ("term=measure estimate=value std_error=standard_error conf_low=low conf_high=high "
             "method=method")
    _glance = ("design", "n_units", "share", "n_objects", "level")

    rows: tuple[SampledMeasure, ...]
    n_units: int
    design: str
    share: float
    totals: Mapping[str, float]
    n_objects: int
    level: float

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[SampledMeasure]:
        return iter(self.rows)

    def __getitem__(self, name: str) -> SampledMeasure:
        found = {row.name: row for row in self.rows}
        if name not in found:
            raise KeyError(f"{name!r} was not estimated; there are {', '.join(found)}")
        return found[name]

    def __repr__(self) -> str:
        return (f"SampledTruth({len(self)} measures; {self.n_units} {_UNITS[self.design]} sampled, "
                f"{self.n_objects} objects)")

    @property
    def title(self) -> str:
        """What was sampled: ``60 true clusters sampled (design: clusters)``."""
        share = "" if math.isnan(self.share) else f", {100 * self.share:.2g} %"
        return f"{self.n_units} {_UNITS[self.design]} sampled (design: {self.design}{share})"

    def _table(self) -> SummaryTable:
        rows = self.rows
        census = all(row.method == "census" for row in rows)
        notes = ["All of the truth is known: the values have no error." if census else
                 f"About {100 * self.level:g} % limits of the sampling design: what other samples "
                 f"of the same {self.n_objects} objects would have given."]
        reasons: dict[str, list[str]] = {}
        for row in rows:
            if row.note:
                reasons.setdefault(row.note, []).append(row.name)
        notes += [f"No limits of {', '.join(names)}: {note}." for note, names in reasons.items()]
        return SummaryTable.of(
            {"measure": [row.name for row in rows],
             "value": right((row.value for row in rows), number),
             "error": right("" if math.isnan(row.standard_error) else number(row.standard_error)
                            for row in rows),
             "limits": ["none" if math.isnan(row.low) else
                        f"{number(row.low)} to {number(row.high)}" for row in rows]},
            title=self.title, notes=notes)

    def _frame(self) -> Columns:
        columns = ("value", "standard_error", "low", "high", "degrees_of_freedom", "n_effective",
                   "method", "note")
        return Columns({name: [getattr(row, name) for row in self.rows] for name in columns},
                       {"measure": [row.name for row in self.rows]})
