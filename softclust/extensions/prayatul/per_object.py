"""The measures of a Prayatul matrix as quotients of linear forms of its four entries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any

import numpy as np

from ..._checks import UndefinedMeasureWarning
from ...results.records import Columns, Drawn, Interval, Record
from ...results.summary import SummaryTable, right
from ...results.text import number, range_text
from ...running.warnings import warn

OUTCOMES = ("both_right", "right_wrong", "wrong_right", "both_wrong")
#: the five measures of the paper, eq. 5 to 9
MEASURES = ("comparative_deviation", "polarization", "comparative_rightness",
            "effective_rightness", "effective_superiority")
RANDS = ("rand_primary", "rand_alternative", "rand_between")
SYMBOLS = {"comparative_deviation": "sigma", "polarization": "alpha",
           "comparative_rightness": "xi_c", "effective_rightness": "xi_e",
           "effective_superiority": "phi"}
#: numerator and denominator as coefficients of BR, RW, WR, BW
FORMS: dict[str, tuple[tuple[int, int, int, int], tuple[int, int, int, int]]] = {
    "comparative_deviation": ((0, 1, -1, 0), (0, 1, 1, 0)),
    "polarization": ((1, 1, 0, -1), (1, 1, 1, 1)),
    "comparative_rightness": ((1, 1, 0, 0), (1, 1, 1, 0)),
    "effective_rightness": ((1, 1, -1, 0), (1, 1, 1, 0)),
    "effective_superiority": ((1, 1, -1, 0), (1, 1, 1, 1)),
    "delta": ((0, 1, -1, 0), (1, 1, 1, 1)),
    "rand_primary": ((1, 1, 0, 0), (1, 1, 1, 1)),
    "rand_alternative": ((1, 0, 1, 0), (1, 1, 1, 1)),
    "rand_between": ((1, 0, 0, 1), (1, 1, 1, 1)),
}
#: measures with intervals
INFERRED = ("delta", *MEASURES)
RANGES = {name: (0.0, 1.0) if name in ("comparative_rightness", *RANDS) else (-1.0, 1.0)
          for name in FORMS}
#: where the unknown cells of the 3 x 3 matrix may go: RU, WU, UR, UW, UU
_UNKNOWN = {(0, 2): (0, 1), (1, 2): (2, 3), (2, 0): (0, 2), (2, 1): (1, 3), (2, 2): (0, 1, 2, 3)}


def form(coefficients: Sequence[int], counts: Sequence[Any]) -> Any:
    """Linear form of the four counts, in Python integers when they are."""
    return sum(c * v for c, v in zip(coefficients, counts) if c)


def quotient(name: str, counts: Sequence[Any]) -> float:
    """A measure; nan where it is 0/0. One division, so exact integers round once."""
    above, below = FORMS[name]
    divisor = form(below, counts)
    return float(form(above, counts) / divisor) if divisor > 0 else math.nan


def quotients(name: str, counts: np.ndarray) -> np.ndarray:
    """The same for every row of `counts` (m, 4)."""
    above, below = (counts @ np.array(f, dtype=np.float64) for f in FORMS[name])
    return np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0)


def measured(counts: Sequence[Any], zero_division: float) -> dict[str, float]:
    """All measures; undefined ones get `zero_division`, with a warning when that is nan."""
    values = {name: quotient(name, counts) for name in FORMS}
    undefined = [name for name, value in values.items() if math.isnan(value)]
    if undefined and math.isnan(zero_division):
        reason = ("no pair is right in the primary or in the alternative" if len(undefined) > 1
                  else "primary and alternative are right about the same pairs (hard ones: "
                       "they are the same partition)")
        verb = "are" if len(undefined) > 1 else "is"
        warn(f"{', '.join(undefined)} {verb} undefined: {reason}; nan is returned "
             "(zero_division=0.0 gives the author's 0)",
             UndefinedMeasureWarning, stacklevel=4)
    return {name: zero_division if name in undefined else value
            for name, value in values.items()}


def bounded(matrix: np.ndarray) -> dict[str, Interval]:
    """Smallest and largest value of each measure and of each count, wherever the unknown goes.

    Warns of measures that are undefined in all of them.
    """
    unknown = [matrix[cell] for cell in _UNKNOWN]
    corners = np.array([matrix[:2, :2].ravel() + np.bincount(places, unknown, 4)
                        for places in product(*_UNKNOWN.values())])
    values = {name: corners[:, k] for k, name in enumerate(OUTCOMES)}
    values |= {name: quotients(name, corners) for name in FORMS}
    undefined = [name for name in FORMS if np.isnan(values[name]).all()]
    if undefined:
        verb = "are" if len(undefined) > 1 else "is"
        warn(f"{', '.join(undefined)} {verb} undefined: 0/0 however the unknown pairs "
             "are settled; nan is returned", UndefinedMeasureWarning, stacklevel=4)
    return {name: Interval(math.nan, math.nan) if name in undefined else
            Interval(float(np.nanmin(v)), float(np.nanmax(v))) for name, v in values.items()}


# -- which objects, and which kind of pairs, a Prayatul matrix is made of -------------------------
@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrayatulObjects(Drawn, Record):
    """Pairs that each clustering gets right, by object; made by `PrayatulResult.objects`.

    Attributes
    ----------
    by : str
        "object": row i is object i; "cell": a row stands for all objects of one cell of truth x
        primary x alternative.
    names : (str, str)
        Names of primary and alternative.
    rows : ndarray, shape (m, 4)
        Partners of the object with which both are right, only the primary, only the alternative,
        neither. Integers for hard clusterings without weights. A row sums to `partners`.
    same_class : ndarray, shape (m, 4), or None
        The partners of the object's own class: a pair that is wrong here was split. None for
        minimum coupling with a soft truth.
    partners : ndarray, shape (m,)
        Number (weight) of other objects.
    count : ndarray, shape (m,), int64
        Number of objects in a row; 1 for by="object".
    labels : sequence
        Names (or positions) of the objects; for cells the names (class, cluster of the primary,
        cluster of the alternative).

    Notes
    -----
    `advantage` = (right_wrong - wrong_right) / partners has the mean `delta` over the objects. A
    misplaced object also costs each of its partners 1/(n - 1), so read large values, not the
    signs of tiny ones. Objects of small classes have nearly all their partners in other classes;
    `same_class` and `different_class` keep the two apart.

    ``to_frame()``: one row per object (or cell). Indexed by object, or by (truth, primary,
    alternative): the four counts, right_primary, right_alternative, advantage, count, and the four
    counts within the class as same_both_right and so on (where defined).

    Examples
    --------
    >>> import softclust
    >>> result = softclust.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    >>> result.objects().advantage
    array([ 0.5 ,  0.25, -0.5 ,  0.5 ,  0.25])
    """

    _chart = "plot_prayatul_objects"

    by: str
    names: tuple[str, str]
    rows: Annotated[np.ndarray, "f m 4"]
    same_class: Annotated[np.ndarray | None, "f m 4"]
    partners: Annotated[np.ndarray, "f m"]
    count: Annotated[np.ndarray, "i m >=1"]
    labels: Annotated[Sequence[Any], "m"]

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def __repr__(self) -> str:
        return f"PrayatulObjects({len(self)} {self.by}s, {self.names[0]} against {self.names[1]})"

    @property
    def different_class(self) -> np.ndarray | None:
        """The partners of other classes, (m, 4): a pair that is wrong here was mixed."""
        return None if self.same_class is None else self.rows - self.same_class

    @property
    def right_primary(self) -> np.ndarray:
        """Share of the partners with which the primary is right, (m,) in [0, 1]."""
        return np.asarray((self.rows[:, 0] + self.rows[:, 1]) / self.partners)

    @property
    def right_alternative(self) -> np.ndarray:
        """Share of the partners with which the alternative is right, (m,) in [0, 1]."""
        return np.asarray((self.rows[:, 0] + self.rows[:, 2]) / self.partners)

    @property
    def advantage(self) -> np.ndarray:
        """right_primary - right_alternative, (m,) in [-1, 1]; its mean is delta."""
        return np.asarray((self.rows[:, 1] - self.rows[:, 2]) / self.partners)

    def _frame(self) -> Columns:
        data: dict[str, Any] = dict(zip(OUTCOMES, self.rows.T))
        data |= {"right_primary": self.right_primary, "right_alternative": self.right_alternative,
                 "advantage": self.advantage, "count": self.count}
        if self.same_class is not None:
            data |= {f"same_{name}": column for name, column in zip(OUTCOMES, self.same_class.T)}
        if self.by == "cell":
            return Columns(data, dict(zip(("truth", "primary", "alternative"), zip(*self.labels))))
        return Columns(data, {"object": self.labels})

    def summary(self, most: int = 5) -> SummaryTable:
        """Tabulate the objects for which the two differ most, in both directions.

        Parameters
        ----------
        most : int
            Rows from each end of the order by `advantage`.

        Returns
        -------
        SummaryTable
            Prints as text; ``.as_html()``, ``.as_latex_tabular()`` and ``.as_csv()`` give other
            formats.
        """
        advantage = self.advantage
        order = np.argsort(-advantage, kind="stable")
        if order.size > 2 * most:
            order = np.concatenate([order[:most], order[order.size - most:]])
        primary, alternative = self.names
        return SummaryTable.of(
            {self.by: [str(self.labels[i]) for i in order],
             "objects": self.count[order].astype(np.int64),
             f"{primary} right": right(self.right_primary[order], number),
             f"{alternative} right": right(self.right_alternative[order], number),
             "advantage": right(advantage[order], number)},
            title=f"Where {primary} is right and {alternative} wrong (top) and the reverse "
                  f"(bottom), {len(self)} {self.by}s",
            notes=["Shares of the other objects with which a pair is right. A misplaced object "
                   "also lowers its partners a little: read large values."])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrayatulParts(Drawn, Record):
    """Pairs inside classes and between them; made by `PrayatulResult.parts`.

    Attributes
    ----------
    same_class, different_class : ndarray, shape (2, 2)
        [[both right, right wrong], [wrong right, both wrong]] among the pairs of one class and
        of two; they sum to the matrix. Integers for hard clusterings without weights.
    names : (str, str)
        Names of primary and alternative.

    Notes
    -----
    ``to_frame()``: the two parts. Indexed by "same_class", "different_class": both_right,
    right_wrong, wrong_right, both_wrong.

    Examples
    --------
    >>> import softclust
    >>> parts = softclust.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0]).parts()
    >>> parts.splits, parts.mixtures
    ((2, 3), (2, 3))
    """

    _chart = "plot_prayatul_parts"

    same_class: Annotated[np.ndarray, "f 2 2"]
    different_class: Annotated[np.ndarray, "f 2 2"]
    names: tuple[str, str]

    def __repr__(self) -> str:
        return f"PrayatulParts(splits={self.splits}, mixtures={self.mixtures})"

    @property
    def splits(self) -> tuple[Any, Any]:
        """Pairs of one class that primary and alternative separate."""
        return _wrong(self.same_class)

    @property
    def mixtures(self) -> tuple[Any, Any]:
        """Pairs of two classes that primary and alternative join."""
        return _wrong(self.different_class)

    def _frame(self) -> Columns:
        return Columns.of_matrix(np.array([self.same_class.ravel(), self.different_class.ravel()]),
                                 ["same_class", "different_class"], OUTCOMES, "part")

    def _table(self) -> SummaryTable:
        primary, alternative = self.names
        rows = [[part, *map(pairs_text, matrix.ravel()), *map(pairs_text, _wrong(matrix))]
                for part, matrix in (("same class", self.same_class),
                                     ("different classes", self.different_class))]
        return SummaryTable(
            rows, ["pairs of", "both right", f"{primary} alone", f"{alternative} alone",
                   "both wrong", f"wrong: {primary}", f"wrong: {alternative}"],
            aligns="lrrrrrr", title="Pairs that are right, by truth",
            notes=["Wrong in the same class: the class was split. Wrong in different classes: the "
                   "classes were mixed."])


def _wrong(matrix: np.ndarray) -> tuple[Any, Any]:
    values = matrix.tolist()
    return values[1][0] + values[1][1], values[0][1] + values[1][1]


def pairs_text(value: Any) -> str:
    """A number of pairs: digits in groups of three, two decimals unless whole."""
    if isinstance(value, (int, np.integer)):
        return f"{int(value):,}"
    return f"{value:,.2f}"


def noise_notes(n_noise: tuple[int, int], n_dropped: int, names: tuple[str, str]) -> list[str]:
    """The note of a table on noise objects, if there are any."""
    if not any(n_noise):
        return []
    dropped = f"; {n_dropped} objects were dropped" if n_dropped else ""
    return [f"Noise objects: {n_noise[0]} in {names[0]}, {n_noise[1]} in {names[1]}{dropped}."]


# -- what `PrayatulResult` says of evidential clusterings: right, wrong, unknown, and bounds ------
def bounds_table(result: Any) -> SummaryTable:
    """The matrix and the bounds as a table to read."""
    primary, alternative = result.names
    notes = noise_notes(result.n_noise, result.n_dropped, result.names)
    if result.alignment is not None:
        notes.insert(0, f"{result.alignment.header}.")
    if result.weights is not None:
        notes.append("Objects are weighted: pairs are total weights.")
    rows = [[f"pairs {primary} {state}", *(pairs_text(float(v)) for v in row), "", "", ""]
            for state, row in zip(("right", "wrong", "unknown"), result.matrix)]
    for name in (*MEASURES, "delta"):
        symbol = f" ({SYMBOLS[name]})" if name in SYMBOLS else ""
        ends: Interval = getattr(result, name)
        low, high = RANGES[name]
        rows.append([name.replace("_", " ") + symbol, "", "", "", number(ends.low),
                     number(ends.high), range_text(low, high)])
    return SummaryTable(
        rows, ["", f"{alternative} right", "wrong", "unknown", "lower", "upper", "range"],
        aligns="lrrrrrl",
        title=f"Prayatul matrix of {primary} and {alternative} with bounds, {result.n:,} "
              f"objects, {pairs_text(result.pairs)} pairs",
        notes=["Lower and upper bound of each measure whatever is true of the unknown pairs; "
               "not confidence intervals. They are not corrected for chance.", *notes])
