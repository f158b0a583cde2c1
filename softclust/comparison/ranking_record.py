"""The record of `rank_clusterings`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._records import Columns, Drawn, Record, Tidied
from .._summary import SummaryTable, right
from .._text import number


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Drawn, Tidied, Record):
    """Which of several clusterings is nearest to the truth; made by `rank_clusterings`.

    Attributes
    ----------
    names : tuple of str
        What the m clusterings are called.
    measure : str
        How near is measured.
    sense : str
        "agreement" or "dissimilarity".
    level : float
        Coverage of the limits, of all of them together.
    n_objects : int
    value : ndarray, shape (m,)
        The measure of the truth and each clustering.
    estimate : ndarray, shape (m,)
        The same, corrected for bias for information measures: what is ranked.
    standard_error : ndarray, shape (m,)
        Of each estimate alone.
    gain : ndarray, shape (m,)
        Lead over the best of the others, in units of the measure; negative behind it.
    low, high : ndarray, shape (m,)
        Simultaneous limits of the lead: low <= 0 <= high. ``low`` is 0 for a clustering that is
        alone in being possibly best; ``high`` is 0 for one that is not.
    possibly_best : tuple of int
        Positions of the clusterings that may be the best; with probability `level` the best is
        among them.
    order : tuple of int
        Positions from the nearest to the farthest.
    critical : ndarray, shape (m,)
        Quantiles that were used.
    root_standard_error : ndarray, shape (m, m)
        Of differences on the scale of -2 sqrt(distance from the best value).
    p_values : ndarray, shape (m, m)
        Of all differences together: the chance that any difference is as large as this one if all
        clusterings were equally near.
    notes : tuple of str

    Notes
    -----
    ``to_frame()``: one row per clustering, in the order in which they were given. Indexed by name:
    value, estimate, standard_error, gain, low, high, possibly_best, rank (equal for one clustering
    under several names).

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 1, 2] * 20
    >>> found = {"a": [0, 1, 2] * 19 + [0, 2, 1], "b": [0, 1, 1] * 20}
    >>> softclust.rank_clusterings(truth, found)
    Ranking(adjusted_rand_index of 2 clusterings: possibly best a; 60 objects)
    >>> print(softclust.rank_clusterings(truth, found).summary())
    a is the best of 2 at level 0.95
    ...
    """

    _chart = "plot_ranking"
    _tidy = "term=clustering estimate=gain conf_low=low conf_high=high"
    _glance = ("measure", "sense", "level", "n_objects", "answer")

    names: tuple[str, ...]
    measure: str
    sense: str
    level: float
    n_objects: int
    value: np.ndarray
    estimate: np.ndarray
    standard_error: np.ndarray
    gain: np.ndarray
    low: np.ndarray
    high: np.ndarray
    possibly_best: tuple[int, ...]
    order: tuple[int, ...]
    critical: np.ndarray
    root_standard_error: np.ndarray
    p_values: np.ndarray
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return (f"Ranking({self.measure} of {len(self)} clusterings: possibly best "
                f"{self._best_names()}; {self.n_objects} objects)")

    def _best_names(self) -> str:
        return ", ".join(self.names[i] for i in self.order if i in self.possibly_best)

    @property
    def answer(self) -> str:
        """The answer in one sentence: ``2 of 5 may be best at level 0.95: a, c``."""
        count = len(self.possibly_best)
        if count == 1:
            return (f"{self._best_names()} is the best of {len(self)} at level {self.level:g}")
        return (f"{count} of {len(self)} may be best at level {self.level:g}: "
                f"{self._best_names()}")

    def _table(self) -> SummaryTable:
        # Only information measures are corrected for bias.
        corrected = bool((self.value != self.estimate).any())
        notes = [f"{self.measure} ({self.sense}) with the truth, {self.n_objects} objects. Lead: "
                 "over the best of the others, with simultaneous "
                 f"{100 * self.level:g} % limits; the objects are a sample, the labels are held "
                 "fixed."]
        if corrected:
            notes.append("Estimate: the value corrected for its bias in small samples; the leads "
                         "are differences of estimates.")
        order = [*self.order]
        return SummaryTable.of(
            {"clustering": [self.names[i] for i in order],
             self.measure: right(self.value[order], number),
             **({"estimate": right(self.estimate[order], number)} if corrected else {}),
             "lead": right(self.gain[order], number),
             "limits": right(f"{number(self.low[i])} to {number(self.high[i])}" for i in order),
             "may be best": ["yes" if i in self.possibly_best else "no" for i in order]},
            title=self.answer, notes=notes + [f"Note: {note}." for note in self.notes])

    def _frame(self) -> Columns:
        return Columns(
            {"value": self.value, "estimate": self.estimate, "standard_error": self.standard_error,
             "gain": self.gain, "low": self.low, "high": self.high,
             "possibly_best": [i in self.possibly_best for i in range(len(self))],
             "rank": self.ranks()}, {"clustering": self.names})

    def ranks(self) -> list[int]:
        """Rank of each clustering, 1 the nearest; equal ones share the smallest."""
        found = [0] * len(self)
        for place, i in enumerate(self.order):
            before = self.order[place - 1] if place else i
            tied = place > 0 and self.root_standard_error[i, before] <= SAME
            found[i] = found[before] if tied else place + 1
        return found


#: clusterings whose difference varies less are one clustering
SAME = 1e-12
