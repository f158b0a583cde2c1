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
