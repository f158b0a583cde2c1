"""Which objects, and which kind of pairs, a Prayatul matrix is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._records import Columns, Drawn, Record
from ..._summary import SummaryTable, right
from ..._text import number
from .rates import OUTCOMES


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrayatulObjects(Drawn, Record):
    """Which objects each clustering gets right; made by `PrayatulResult.objects`.

    Attributes
    ----------
    by : str
        "object": row i is object i; "cell": a row stands for all objects of one cell of truth x
        primary x alternative.
    names : (str, str)
        What primary and alternative are called.
    rows : ndarray, shape (m, 4)
        Partners of the object with which both are right, the primary alone, the alternative
        alone, neither. Integers for hard clusterings without weights. A row sums to `partners`.
    same_class : ndarray, shape (m, 4), or None
        The partners of the object's own class: a pair that is wrong here was split. None for
        minimum coupling with a soft truth.
    partners : ndarray, shape (m,)
        Number (weight) of other objects.
    count : ndarray, shape (m,), int64
        Objects that a row stands for; 1 for by="object".
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
    >>> import softclust as sc
    >>> result = sc.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0])
    >>> result.objects().advantage
    array([ 0.5 ,  0.25, -0.5 ,  0.5 ,  0.25])
    """

    _chart = "plot_prayatul_objects"

    by: str
    names: tuple[str, str]
    rows: np.ndarray
    same_class: np.ndarray | None
    partners: np.ndarray
    count: np.ndarray
    labels: Sequence[Any]

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
        """The objects where the two differ most, in both directions.

        Parameters
        ----------
        most : int
            Rows from each end of the order by `advantage`.

        Returns
        -------
        SummaryTable
            Prints as text; ``.as_html()``, ``.as_latex_tabular()`` and ``.as_csv()`` give the other
            forms.
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
        What primary and alternative are called.

    Notes
    -----
    ``to_frame()``: the two parts. Indexed by "same_class", "different_class": both_right,
    right_wrong, wrong_right, both_wrong.

    Examples
    --------
    >>> import softclust as sc
    >>> parts = sc.prayatul([0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 1, 0]).parts()
    >>> parts.splits, parts.mixtures
    ((2, 3), (2, 3))
    """

    _chart = "plot_prayatul_parts"

    same_class: np.ndarray
    different_class: np.ndarray
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
