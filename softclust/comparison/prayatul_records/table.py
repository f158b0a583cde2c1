"""The record of `prayatul_all`: every ordered pair of several clusterings, as in Table I."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..._checks import shown
from ..._records import Columns, Interval, Record
from ..._summary import SummaryTable
from ..._text import number
from .objects import MEASURES, OUTCOMES, RANDS, SYMBOLS, pairs_text
from .result import PrayatulResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...clusterings import Aligned


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class PrayatulTable(Record):
    """Several clusterings, each directly against each other; made by `prayatul_all`.

    Attributes
    ----------
    names : tuple of str
        What the clusterings are called.
    results : tuple of PrayatulResult
        One an ordered pair: for each primary in order, each other one as alternative. Iterating
        gives them too; ``table[primary, alternative]`` gives one.
    n : int
        Number of objects given.
    notes : tuple of str
        Every warning, "primary, alternative: text".
    alignment : Aligned or None
        What was done about missing labels and other objects, truth first; None for nothing. Noise
        is in the results.

    Notes
    -----
    ``to_frame()``: one row per ordered pair. Indexed by (primary, alternative): the four counts,
    the five measures, delta and the three Rand indices; for bounds each twice, as <name>_low and
    <name>_high.

    Examples
    --------
    >>> import softclust
    >>> table = softclust.prayatul_all([0, 0, 0, 1, 1],
    ...                                {"one": [0, 0, 1, 1, 1], "two": [0, 1, 1, 1, 0],
    ...                                 "three": [0, 0, 0, 1, 2]})
    >>> len(table), table["three", "two"].delta
    (6, 0.5)
    >>> clusterings = {"one": [0, 0, 1, 1, 1], "two": [0, 1, 1, 1, 0]}
    >>> print(softclust.prayatul_all([0, 0, 0, 1, 1], clusterings).summary())
    Direct comparison of 2 clusterings of 5 objects against the truth
    ...
    one two 0.3333 0.4000 0.7500 0.5000 0.4000 0.2000 6
    two one -0.3333 0.2000 0.5000 0.0000 0.0000 -0.2000 6
    ...
    """

    names: tuple[str, ...]
    results: tuple[Any, ...]
    n: int
    notes: tuple[str, ...] = ()
    alignment: Aligned | None = None

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.results)

    def __repr__(self) -> str:
        return f"PrayatulTable({', '.join(self.names)}; n={self.n})"

    def __getitem__(self, pair: tuple[str, str]) -> Any:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"{shown(pair)} is not a pair of names, such as "
                            f"table[{self.names[0]!r}, {self.names[-1]!r}]")
        for result in self.results:
            if result.names == pair:
                return result
        raise KeyError(f"there is no row {shown(pair)}; two different names of {self.names!r}, "
                       "primary and alternative, are needed")

    def _frame(self) -> Columns:
        columns: dict[str, Any] = {}
        for name in (*OUTCOMES, *MEASURES, "delta", *RANDS):
            values = [getattr(result, name) for result in self.results]
            if any(isinstance(value, Interval) for value in values):
                columns |= {f"{name}_{end}": [getattr(v, end) for v in values]
                            for end in ("low", "high")}
            else:
                columns[name] = values
        primary, alternative = zip(*(result.names for result in self.results))
        return Columns(columns, {"primary": primary, "alternative": alternative})

    def _table(self) -> SummaryTable:
        rows = []
        for result in self.results:
            cells = [_text(getattr(result, name)) for name in (*MEASURES, "delta")]
            rows.append([*result.names, *cells, _differing(result)])
        return SummaryTable(
            rows, ["primary", "alternative", *SYMBOLS.values(), "delta", "RW + WR"],
            aligns="ll" + "r" * 7,
            title=f"Direct comparison of {len(self.names)} clusterings of {self.n:,} objects "
                  "against the truth",
            notes=["sigma: comparative deviation, alpha: polarization, xi_c: comparative "
                   "rightness, xi_e: effective rightness, phi: effective superiority; delta: "
                   "difference of the Rand indices with the truth; RW + WR: pairs about which "
                   "only one is right, on which sigma rests. None is corrected for chance.",
                   *self._aligned(), *(f"Note: {note}." for note in self.notes)])

    def _aligned(self) -> list[str]:
        """What was done before the comparison, and the noise of each clustering."""
        said = [] if self.alignment is None else [f"{self.alignment.header}."]
        noise = {name: count for result in self.results
                 for name, count in zip(result.names, result.n_noise) if count}
        if noise:
            said.append("Noise objects: " + ", ".join(f"{v} in {k}" for k, v in noise.items())
                        + ".")
        return said

    def plot(self) -> Figure:
        """A figure of mosaics, one an ordered pair; see `softclust.plotting`.

        Returns
        -------
        matplotlib.figure.Figure
            Row: primary, column: alternative.

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        from ...plotting import plot_prayatul_table
        return plot_prayatul_table(self)


def _text(value: float | Interval) -> str:
    if not isinstance(value, Interval):
        return number(value)
    return "undefined" if value.low != value.low else f"{value:.3f}"


def _differing(result: PrayatulResult) -> str:
    """RW + WR; for bounds what is certainly and what is possibly so."""
    if result.coupling != "evidential":
        _, only_first, only_second, _ = result.counts
        return pairs_text(only_first + only_second)
    certain = float(result.matrix[0, 1] + result.matrix[1, 0])
    possible = certain + float(result.matrix[2].sum() + result.matrix[:2, 2].sum())
    return f"[{pairs_text(certain)}, {pairs_text(possible)}]"
