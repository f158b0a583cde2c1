"""The record of `chance()`: a measure against random permutations of the objects."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .._text import number

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from statsmodels.iolib.table import SimpleTable

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
    observed, mean, sd, adjusted, p_value : float
        As in `Chance`.
    null : ndarray, shape (m,)
        One value a permutation.

    Examples
    --------
    >>> import softclust as sc
    >>> row = sc.chance([0, 0, 1, 1], [0, 0, 1, 2], "rand_index", rng=0)["rand_index"]
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
    adjusted: float
    p_value: float
    null: np.ndarray

    @property
    def label(self) -> str:
        """Measure, options and end: ``alpha_rand_interval, low end``."""
        name = self.measure
        if self.options:
            name += f" ({', '.join(f'{k}={v}' for k, v in self.options.items())})"
        return name if self.end == "value" else f"{name}, {self.end} end"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Chance:
    """Measures of two clusterings against random permutations; made by `chance`.

    Attributes
    ----------
    measures, ends : tuple of str
        Name of the measure, and "value", "low" or "high", of each of the k rows.
    options : tuple of dict
    senses : tuple of str
        "agreement" (larger is more alike) or "dissimilarity".
    observed : ndarray, shape (k,)
        Values for the clusterings as they are; nan where undefined.
    mean, sd : ndarray, shape (k,)
        Mean and standard deviation over the permutations.
    adjusted : ndarray, shape (k,)
        (observed - mean)/(best - mean): 1 at the best value, 0 on average.
    p_value : ndarray, shape (k,)
        (1 + permutations at least as alike)/(1 + permutations), in (0, 1].
    best : ndarray, shape (k,)
        The end of the range that means "most alike"; nan where unbounded.
    null : ndarray, shape (m, k)
        Values for the permutations, in their order; nan where undefined.
    n_permutations, n_requested : int
        Permutations that the record rests on, and that were asked for.
    kinds : (str, str)
    n_objects : int
    notes : tuple of str
    alignment : Aligned or None
        What was done about noise, missing labels and other objects; None for nothing.

    Examples
    --------
    >>> import softclust as sc
    >>> result = sc.chance([0, 0, 1, 1], [0, 0, 1, 2], "alpha_rand_interval", rng=0)
    >>> [row.label for row in result]
    ['alpha_rand_interval, low end', 'alpha_rand_interval, high end']
    >>> result["alpha_rand_interval", "low"].observed
    0.8333333333333334
    """

    measures: tuple[str, ...]
    ends: tuple[str, ...]
    options: tuple[dict[str, Any], ...]
    senses: tuple[str, ...]
    observed: np.ndarray
    mean: np.ndarray
    sd: np.ndarray
    adjusted: np.ndarray
    p_value: np.ndarray
    best: np.ndarray
    null: np.ndarray
    n_permutations: int
    n_requested: int
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
                f"{count} measure{'s' if count != 1 else ''}, {self.n_permutations} permutations)")

    def __str__(self) -> str:
        return self.summary().as_text()

    def _repr_html_(self) -> str:
        return self.summary().as_html()

    def __getitem__(self, key: str | tuple[str, str]) -> ChanceRow:
        name, end = key if isinstance(key, tuple) else (key, None)
        found = [k for k in range(len(self)) if self.measures[k] == name
                 and end in (None, self.ends[k])]
        if not found:
            raise KeyError(f"there is no row {key!r}; the rows are "
                           + ", ".join(repr(p) for p in zip(self.measures, self.ends)))
        if len(found) > 1:
            raise KeyError(f"{name!r} gives intervals; ask for [{name!r}, 'low'] or "
                           f"[{name!r}, 'high']")
        return self._row(found[0])

    def _row(self, k: int) -> ChanceRow:
        return ChanceRow(measure=self.measures[k], end=self.ends[k], options=self.options[k],
                         sense=self.senses[k], observed=float(self.observed[k]),
                         mean=float(self.mean[k]), sd=float(self.sd[k]),
                         adjusted=float(self.adjusted[k]), p_value=float(self.p_value[k]),
                         null=self.null[:, k])

    def to_frame(self) -> pd.DataFrame:
        """One row a number.

        Returns
        -------
        pandas.DataFrame
            Indexed by measure and end: observed, mean, sd, standard_error (of the mean),
            adjusted, p_value, sense, n_permutations.

        Examples
        --------
        >>> import softclust as sc
        >>> frame = sc.chance([0, 0, 1, 1], [0, 0, 1, 2], "rand_index", rng=0).to_frame()
        >>> frame.loc[("rand_index", "value"), "n_permutations"]
        np.int64(999)
        """
        import pandas as pd
        index = pd.MultiIndex.from_arrays([self.measures, self.ends], names=["measure", "end"])
        return pd.DataFrame(
            {"observed": self.observed, "mean": self.mean, "sd": self.sd,
             "standard_error": self.sd / math.sqrt(self.n_permutations),
             "adjusted": self.adjusted, "p_value": self.p_value, "sense": self.senses,
             "n_permutations": self.n_permutations}, index=index)

    def summary(self) -> SimpleTable:
        """The record as a table to read.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
            Prints as text; ``.as_html()`` and ``.as_latex_tabular()`` give the other forms.

        Examples
        --------
        >>> import softclust as sc
        >>> print(sc.chance([0, 0, 1, 1], [0, 0, 1, 2], "rand_index", rng=0).summary())
        Against 999 random permutations of 4 objects (x hard, y hard)
        ...
        rand_index    0.8333 ...
        """
        from .._summary import NotedTable
        rows = [[row.label, number(row.observed), number(row.mean), number(row.sd),
                 number(row.adjusted), _p_text(row.p_value), row.sense] for row in self]
        notes = ["adjusted = (observed - mean)/(best - mean): 1 is the best value, 0 what chance "
                 "gives on average. p-value: share of permutations at least as alike, the observed "
                 "clusterings counted as one of them."]
        if self.alignment is not None:
            notes.insert(0, f"{self.alignment.header}.")
        return NotedTable(
            rows, ["measure", "observed", "null mean", "null sd", "adjusted", "p-value", "sense"],
            aligns="lrrrrrl", notes=[*notes, *(f"Note: {note}." for note in self.notes)],
            title=f"Against {self.n_permutations} random permutations of {self.n_objects} objects "
                  f"(x {self.kinds[0]}, y {self.kinds[1]})")

    def plot(self, ax: Axes | None = None) -> Axes:
        """Null histograms with the observed values; see `softclust.plotting.plot_chance`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        from ..plotting import plot_chance
        return plot_chance(self, ax=ax)


def _p_text(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.2g}"
