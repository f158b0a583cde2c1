"""The record of `chance()`: a measure against a null model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import shown
from .._records import Columns, Drawn, Record, Tidied
from .._summary import SummaryTable, right
from .._text import number

if TYPE_CHECKING:
    from ..clusterings import Aligned


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceRow:
    """One number of one measure against chance.

    Attributes
    ----------
    measure : str
    end : str
        "value", or "low" or "high" for the ends of an interval.
    options : mapping
        Options that were given to the measure.
    sense : str
        "agreement" or "dissimilarity".
    observed, mean, sd, skewness, adjusted, p_value, p_value_error : float
        As in `Chance`.
    null : ndarray, shape (m,)
        One value per permutation or random table.
    exact_z : float
        `z` without the rounding of value and mean, from exact moments; nan otherwise.

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
        """(observed - mean)/sd; nan where nothing varies."""
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
class Chance(Drawn, Tidied, Record):
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
        (1 + draws at least as alike)/(1 + draws), in (0, 1]; for "exact" the chance of a table
        that is at least as alike, for "moments" the same by Pearson's type III. Other
        alternatives accordingly.
    p_value_error : ndarray, shape (k,)
        Standard error sqrt(p (1 - p)/draws); 0 for "exact", nan for "moments".
    best : ndarray, shape (k,)
        The end of the range that means "most alike"; nan where unbounded.
    exact_z : ndarray, shape (k,)
        (observed - mean)/sd without the rounding of either, from exact moments; nan otherwise.
    null : ndarray, shape (m, k)
        Values for the draws, in their order; nan where undefined; m = 0 for "exact" and
        "moments".
    n_permutations, n_requested : int
        Permutations or random tables that the record rests on, and that were asked for.
    method, model, alternative : str
    fixed : str or None
        As in `chance`; the method that was used.
    kinds : (str, str)
    n_objects : int
    notes : tuple of str
    alignment : Aligned or None
        What was done about noise, missing labels and other objects; None for nothing.

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

    measures: tuple[str, ...]
    ends: tuple[str, ...]
    options: tuple[dict[str, Any], ...]
    senses: tuple[str, ...]
    observed: np.ndarray
    mean: np.ndarray
    sd: np.ndarray
    skewness: np.ndarray
    adjusted: np.ndarray
    p_value: np.ndarray
    p_value_error: np.ndarray
    best: np.ndarray
    exact_z: np.ndarray
    null: np.ndarray
    n_permutations: int
    n_requested: int
    method: str
    model: str
    fixed: str | None
    alternative: str
    kinds: tuple[str, str]
    n_objects: int
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
        """What the record rests on, in words."""
        if self.method in ("exact", "moments"):
            return "all tables" if self.method == "exact" else "exact moments"
        kind = "permutations" if self.method == "permutations" else "random tables"
        return f"{self.n_permutations} {kind}"

    def __getitem__(self, key: str | tuple[str, str]) -> ChanceRow:
        name, end = key if isinstance(key, tuple) else (key, None)
        found = [k for k in range(len(self)) if self.measures[k] == name
                 and end in (None, self.ends[k])]
        if not found:
            raise KeyError(f"there is no row {shown(key)}; the rows are "
                           + ", ".join(repr(p) for p in zip(self.measures, self.ends)))
        if len(found) > 1:
            raise KeyError(f"{name!r} gives intervals; ask for [{name!r}, 'low'] or "
                           f"[{name!r}, 'high']")
        return self._row(found[0])

    def _row(self, k: int) -> ChanceRow:
        return ChanceRow(measure=self.measures[k], end=self.ends[k], options=self.options[k],
                         sense=self.senses[k], observed=float(self.observed[k]),
                         mean=float(self.mean[k]), sd=float(self.sd[k]),
                         skewness=float(self.skewness[k]),
                         adjusted=float(self.adjusted[k]), p_value=float(self.p_value[k]),
                         p_value_error=float(self.p_value_error[k]),
                         null=self.null[:, k], exact_z=float(self.exact_z[k]))

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
            {"measure": [row.label for row in self], "observed": right(self.observed, number),
             "null mean": right(self.mean, number), "null sd": right(self.sd, number),
             "z": right((row.z for row in self), number),
             "adjusted": right(self.adjusted, number), "p-value": right(self.p_value, _p_text),
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
        kept = "" if self.fixed is None or self.model == "permutation" else f", {self.fixed} fixed"
        if self.model == "permutation":
            return {"permutations": f"{self.n_permutations} random permutations",
                    "tables": f"{self.n_permutations} random permutations, drawn as tables,",
                    "exact": "all permutations",
                    "moments": "all permutations, by exact moments,"}[self.method]
        what = "the same numbers of clusters" if self.model == "number" else "any clusters"
        return f"{self.n_permutations} random pairs of partitions with {what}{kept},"


def _p_text(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.2g}"
