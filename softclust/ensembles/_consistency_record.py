"""The record of `element_consistency`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._records import Columns, Drawn, Record
from .._summary import SummaryTable, right


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ElementConsistency(Drawn, Record):
    """How consistently runs keep each object with the same others.

    Made by `element_consistency`.

    Attributes
    ----------
    values : (n,) float64
        Mean element-centric similarity of each object over pairs of runs that hold it, from 0 to
        1; nan where no two do.
    agreement : (B,) float64
        Mean similarity of each run with the others.
    names : tuple of str
        Names of the runs.
    object_names : tuple or None
    n_pairs, n_sampled : int
        Pairs of runs, and how many of them were looked at.
    reference : str or None
        Name of the run with which the others were compared; None for all pairs.

    Notes
    -----
    ``to_frame()``: one row per object. Column ``value``, indexed by the names of the objects.

    Examples
    --------
    >>> import softclust as sc
    >>> found = sc.element_consistency([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
    >>> found.agreement.round(3)
    array([0.771, 0.771, 0.542])
    >>> sc.element_consistency([[0, 0, 1], [0, 0, 1]]).to_frame()["value"].tolist()
    [1.0, 1.0, 1.0]
    >>> print(sc.element_consistency([[0, 0, 1, 1], [0, 1, 1, 1]]).summary())
    Element-centric consistency of 4 objects in 2 runs: 0.5417
    ...
    """

    _chart = "plot_element_consistency"

    values: np.ndarray
    agreement: np.ndarray
    names: tuple[str, ...]
    object_names: tuple[Any, ...] | None = None
    n_pairs: int
    n_sampled: int
    reference: str | None = None

    @property
    def index(self) -> float:
        """Mean of `values`, of the objects that have one; nan where none has."""
        known = self.values[~np.isnan(self.values)]
        return float(known.mean()) if known.size else float("nan")

    @property
    def exact(self) -> bool:
        """Whether all pairs of runs were looked at."""
        return self.n_sampled == self.n_pairs

    def __repr__(self) -> str:
        how = "" if self.exact else f", {self.n_sampled} of {self.n_pairs} pairs"
        return (f"ElementConsistency({len(self.names)} runs of {self.values.size} objects, "
                f"index {self.index:.4f}{how})")

    def _frame(self) -> Columns:
        names = range(self.values.size) if self.object_names is None else self.object_names
        return Columns({"value": self.values}, {"object": names})

    def _table(self) -> SummaryTable:
        known = self.values[~np.isnan(self.values)]
        values: dict[str, float] = {}
        if known.size:
            values |= {f"objects, {what}": v for what, v in zip(
                ("least", "lower quartile", "median", "upper quartile", "most"),
                np.quantile(known, (0, 0.25, 0.5, 0.75, 1)))}
            best, worst = (int(f(self.agreement)) for f in (np.nanargmax, np.nanargmin))
            values |= {f"run {self.names[b]!r}, agrees {what}": self.agreement[b]
                       for b, what in ((worst, "least"), (best, "most"))}
        notes = []
        if known.size < self.values.size:
            notes.append(f"{self.values.size - known.size} objects are in no two runs together.")
        if not self.exact:
            notes.append(f"Sampled: {self.n_sampled} of {self.n_pairs} pairs of runs.")
        if self.reference is not None:
            notes.append(f"Each run against {self.reference!r}.")
        return SummaryTable.of(
            {"quantity": values, "similarity": right(values.values(), ".4f")}, notes=notes,
            title=f"Element-centric consistency of {self.values.size} objects in "
                  f"{len(self.names)} runs: {self.index:.4f}")
