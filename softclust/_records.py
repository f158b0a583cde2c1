"""Small result records that several modules share."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from statsmodels.iolib.table import SimpleTable


class Drawn:
    """A record with a chart: `.plot()` calls the function of `softclust.plotting` that it names.

    The module is loaded by the call, so that records need no matplotlib.
    """

    __slots__ = ()

    #: name of the function
    _chart: ClassVar[str]

    def plot(self, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw it; `softclust.plotting` has the function that does and its options.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options
            Those of the function.

        Returns
        -------
        matplotlib.axes.Axes

        Raises
        ------
        ImportError
            If matplotlib is missing; the message says how to install it.
        """
        chart = getattr(import_module(".plotting", __package__), self._chart)
        drawn: Axes = chart(self, ax=ax, **options)
        return drawn


class Summarised:
    """A record that prints as its `summary()`, in notebooks as HTML."""

    __slots__ = ()

    def summary(self) -> SimpleTable:
        """The record as a table to read."""
        raise NotImplementedError(f"{type(self).__name__} has no summary()")

    def __str__(self) -> str:
        return self.summary().as_text()

    def _repr_html_(self) -> str:
        return self.summary().as_html()


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
