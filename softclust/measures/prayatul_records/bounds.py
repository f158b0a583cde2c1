"""The record of `prayatul` for evidential clusterings: right, wrong, unknown, and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import UndefinedMeasureWarning
from ..._records import Drawn, Interval, Summarised
from ..._text import number, range_text
from ..._warnings import warn
from .objects import noise_notes, pairs_text
from .rates import FORMS, MEASURES, OUTCOMES, RANDS, RANGES, SYMBOLS, bounds

if TYPE_CHECKING:
    import pandas as pd
    from statsmodels.iolib.table import SimpleTable

    from ...clusterings import Aligned


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class PrayatulBounds(Drawn, Summarised):
    """Two evidential clusterings compared directly against a hard truth; made by `prayatul`.

    Attributes
    ----------
    n : int
        Number of objects compared.
    pairs : float
        Number (total weight) T of pairs.
    matrix : ndarray, shape (3, 3), float64
        Pairs by right, wrong, unknown of the primary (rows) and of the alternative (columns), in
        that order; sums to T.
    both_right, right_wrong, wrong_right, both_wrong : Interval
        What each may be when the unknown is settled one way or another.
    comparative_deviation, polarization, comparative_rightness, effective_rightness, \
effective_superiority, delta, rand_primary, rand_alternative, rand_between : Interval
        Bounds of the measures of `PrayatulResult`; nan where undefined however it is settled.
    names : (str, str)
        What primary and alternative are called.
    kinds : (str, str, str)
        Kinds of truth, primary and alternative.
    empty : str
        "unknown" or "normalise": what was done with mass on the empty set.
    n_noise : (int, int)
        Objects with the noise label in primary and alternative, before `noise` is applied.
    n_dropped : int
        Objects left out by noise="drop".
    weights : ndarray, shape (n,), or None
    alignment : Aligned or None
        What was done about noise, missing labels and other objects; None for nothing.

    Notes
    -----
    These are outer bounds: each unknown cell goes wherever is best or worst for a measure, also
    where no partition allows that for all pairs at once. They contain every hard clustering that
    the focal sets allow.

    Examples
    --------
    >>> import softclust as sc
    >>> rough = sc.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> result = sc.prayatul([0, 0, 1, 1], rough, [0, 0, 0, 1], coupling="evidential")
    >>> result.matrix
    array([[3., 0., 0.],
           [0., 0., 0.],
           [0., 3., 0.]])
    >>> result.delta
    Interval(low=0.0, high=0.5)
    """

    _chart = "plot_prayatul"

    n: int
    pairs: float
    matrix: np.ndarray
    both_right: Interval
    right_wrong: Interval
    wrong_right: Interval
    both_wrong: Interval
    comparative_deviation: Interval
    polarization: Interval
    comparative_rightness: Interval
    effective_rightness: Interval
    effective_superiority: Interval
    delta: Interval
    rand_primary: Interval
    rand_alternative: Interval
    rand_between: Interval
    names: tuple[str, str] = ("primary", "alternative")
    kinds: tuple[str, str, str]
    empty: str
    n_noise: tuple[int, int] = (0, 0)
    n_dropped: int = 0
    weights: np.ndarray | None = None
    alignment: Aligned | None = None

    def __repr__(self) -> str:
        return (f"PrayatulBounds({self.names[0]} against {self.names[1]}, n={self.n}, "
                f"delta={self.delta:.4f})")

    def to_frame(self) -> pd.DataFrame:
        """Bounds of the counts and measures.

        Returns
        -------
        pandas.DataFrame
            Indexed by quantity: lower, upper.
        """
        import pandas as pd
        names = [*OUTCOMES, *MEASURES, "delta", *RANDS]
        ends = [getattr(self, name) for name in names]
        return pd.DataFrame({"lower": [e.low for e in ends], "upper": [e.high for e in ends]},
                            index=pd.Index(names, name="quantity"))

    def summary(self) -> SimpleTable:
        """The matrix and the bounds as a table to read.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
            Prints as text; ``.as_html()`` and ``.as_latex_tabular()`` give the other forms.
        """
        from ..._summary import NotedTable
        primary, alternative = self.names
        notes = noise_notes(self.n_noise, self.n_dropped, self.names)
        if self.alignment is not None:
            notes.insert(0, f"{self.alignment.header}.")
        if self.weights is not None:
            notes.append("Objects are weighted: pairs are total weights.")
        rows = [[f"pairs {primary} {state}", *(pairs_text(float(v)) for v in row), "", "", ""]
                for state, row in zip(("right", "wrong", "unknown"), self.matrix)]
        for name in (*MEASURES, "delta"):
            symbol = f" ({SYMBOLS[name]})" if name in SYMBOLS else ""
            ends: Interval = getattr(self, name)
            low, high = RANGES.get(name, (-1.0, 1.0))
            rows.append([name.replace("_", " ") + symbol, "", "", "", number(ends.low),
                         number(ends.high), range_text(low, high)])
        return NotedTable(
            rows, ["", f"{alternative} right", "wrong", "unknown", "lower", "upper", "range"],
            aligns="lrrrrrl",
            title=f"Prayatul matrix of {primary} and {alternative} with bounds, {self.n:,} "
                  f"objects, {pairs_text(self.pairs)} pairs",
            notes=["Lower and upper bound of each measure whatever is true of the unknown pairs; "
                   "not confidence limits. None is corrected for chance.", *notes])


def bounds_of(matrix: np.ndarray, **fields: Any) -> PrayatulBounds:
    """The record of a 3 x 3 matrix; warns of measures that are undefined throughout."""
    found: dict[str, Any] = bounds(matrix)
    undefined = [name for name in FORMS if found[name].low != found[name].low]
    if undefined:
        verb = "are" if len(undefined) > 1 else "is"
        warn(f"{', '.join(undefined)} {verb} undefined: 0/0 however the unknown pairs "
             "are settled; nan is returned", UndefinedMeasureWarning, stacklevel=4)
    return PrayatulBounds(matrix=matrix, **found, **fields)
