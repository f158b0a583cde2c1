"""Small result records that several modules share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval of values.

    Attributes
    ----------
    low, high : float
        The ends, low <= high; both nan when undefined.

    Examples
    --------
    >>> import softclust as sc
    >>> interval = sc.Interval(0.25, 0.75)
    >>> interval.width, 0.5 in interval
    (0.5, True)
    """

    low: float
    high: float

    @property
    def width(self) -> float:
        """high - low."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """(low + high) / 2."""
        return (self.low + self.high) / 2

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __format__(self, spec: str) -> str:
        return f"[{self.low:{spec}}, {self.high:{spec}}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairCounts:
    """Pairs of distinct objects by whether each clustering joins them.

    Attributes
    ----------
    n11 : int
        Together in both.
    n10 : int
        Together in x only.
    n01 : int
        Together in y only.
    n00 : int
        Apart in both.

    Notes
    -----
    Python integers, exact for any number of objects; sums of degrees, floats, from
    `fuzzy_pair_counts` of soft clusterings.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.PairCounts(n11=1, n10=1, n01=0, n00=4).n_pairs
    6
    """

    n11: int
    n10: int
    n01: int
    n00: int

    @property
    def n_pairs(self) -> int:
        """Number of pairs, n(n-1)/2."""
        return self.n11 + self.n10 + self.n01 + self.n00
