"""The range of a measure over completions, with its certificates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np

from ..._checks import check_choice
from ...clusterings import HardClustering
from ...results.records import Columns, Drawn, Interval, Record
from ...results.summary import SummaryTable, right
from ...results.text import number
from .problem import Labels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CompletionBounds(Drawn, Record):
    """Smallest and largest value of a measure over all ways to fill in missing labels.

    Attributes
    ----------
    measure, clusters : str
        The measure, and whether gaps are filled by clusters that occur or by any.
    low, high : float
        Values of two completions; nan where the measure is undefined throughout.
    low_bound, high_bound : float
        Certificates: no completion is outside; equal to `low` and `high` where these are exact.
    exact_low, exact_high : bool
        Whether no completion is lower, or higher.
    low_table, high_table : ndarray, shape (r, s), int64
        Counts of the completions that attain `low` and `high`, with a row or column for each
        cluster that may be used.
    method_low, method_high : str
        How the ends were found.
    n_states : int
        Tables or margins listed.
    n_missing : (int, int, int)
        Objects without a label in x only, in y only, and in both.
    n_objects : int
    status : {"exact", "bracketed"}
        "bracketed" when a limit left an end without proof.
    seconds : float
        Time taken.

    Notes
    -----
    ``to_frame()``: one row per end: value, bound, exact, method.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.completion_bounds([0, 0, 1, None], [0, 0, 1, 1], measure="rand_index")
    >>> found.low, found.high, found.exact
    (0.5, 1.0, True)
    """

    _chart = "plot_completion"

    measure: Annotated[str, "measure"]
    clusters: str
    low: float
    high: float
    low_bound: float
    high_bound: float
    exact_low: bool
    exact_high: bool
    low_table: Annotated[np.ndarray, "i r s >=0"]
    high_table: Annotated[np.ndarray, "i r s >=0"]
    method_low: str
    method_high: str
    n_states: int
    n_missing: tuple[int, int, int]
    n_objects: Annotated[int, ">=0"]
    status: str
    seconds: float
    labels: Labels = field(repr=False)

    @property
    def exact(self) -> bool:
        """True if both ends are exact."""
        return self.exact_low and self.exact_high

    @property
    def interval(self) -> Interval:
        """The bounds as an interval that holds every completion."""
        return Interval(self.low_bound, self.high_bound)

    def completions(self, end: Literal["low", "high"]) -> tuple[HardClustering, HardClustering]:
        """A pair of complete clusterings that attains an end.

        Parameters
        ----------
        end : {"low", "high"}

        Returns
        -------
        (HardClustering, HardClustering)
        """
        check_choice("end", end, ("low", "high"))
        return self.labels.filled(self.low_table if end == "low" else self.high_table)

    def _frame(self) -> Columns:
        return Columns(
            {"value": [self.low, self.high], "bound": [self.low_bound, self.high_bound],
             "exact": [self.exact_low, self.exact_high],
             "method": [self.method_low, self.method_high]}, {None: ["low", "high"]})

    def _table(self) -> SummaryTable:
        x, y, both = self.n_missing
        what = "clusters that occur" if self.clusters == "observed" else "any clusters"
        notes = [f"Labels missing: {x} in x only, {y} in y only, {both} in both, of "
                 f"{self.n_objects} objects; filled by {what}."]
        if not self.exact:
            notes.append("An end that is not exact lies between its value and its bound.")
        return SummaryTable.of(
            {"end": ["low", "high"], "value": right((self.low, self.high), number),
             "bound": right((self.low_bound, self.high_bound), number),
             "exact": ["yes" if exact else "no" for exact in (self.exact_low, self.exact_high)],
             "method": [self.method_low, self.method_high]},
            title=f"{self.measure} over all completions", notes=notes)

    def __repr__(self) -> str:
        return (f"CompletionBounds({self.measure}, low={self.low:.6g}, high={self.high:.6g}, "
                f"{self.status})")
