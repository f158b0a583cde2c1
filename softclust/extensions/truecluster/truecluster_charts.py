"""Chart of a simulation of reliability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..._checks import shown
from ...plotting.figures import HEAT, HEAT_OF_DISAGREEMENT, chart, colour_bar, pyplot

if TYPE_CHECKING:

    from .reliability import ReliabilitySimulation

#: share of the points that a local fit looks at, and fewest points that are smoothed
_SHARE, _FEWEST = 0.15, 5
_PANELS = {"information": HEAT, "uncertainty": HEAT_OF_DISAGREEMENT, "criterion": HEAT}


@chart("ReliabilitySimulation", "reliability_simulation()")
def plot_reliability(simulation: ReliabilitySimulation, *,
                     version: Literal["free", "fixed"] | None = None) -> np.ndarray:
    """Draw information, uncertainty and criterion over fraction and reliability.

    Cells have their own colour, degenerate ones are white; contour lines follow a smooth (lowess
    of statsmodels along reliability, then along fraction).

    Parameters
    ----------
    simulation : ReliabilitySimulation
        Result of `softclust.reliability_simulation`.
    version : {"free", "fixed"}, optional
        Rule for the cluster sizes; the first of the simulation by default.

    Returns
    -------
    ndarray of matplotlib axes, shape (methods, 3)
        Rows are matching rules.

    Raises
    ------
    ValueError
        If the simulation has no such version.

    Examples
    --------
    >>> import softclust
    >>> sim = softclust.reliability_simulation([0.1, 0.2, 0.3, 0.4, 0.5], [0, 0.25, 0.5, 0.75, 1],
    ...                                        n_resamples=50, rng=0)
    >>> axes = sim.plot()
    >>> axes.shape
    (2, 3)
    """
    from matplotlib.ticker import MaxNLocator
    chosen = simulation.versions[0] if version is None else version
    if chosen not in simulation.versions:
        raise ValueError(f"version={shown(chosen)} was not simulated; choose one of "
                         + ", ".join(map(repr, simulation.versions)))
    v = simulation.versions.index(chosen)
    rows = len(simulation.methods)
    figure, axes = pyplot().subplots(rows, len(_PANELS), squeeze=False, sharex=True, sharey=True,
                                     figsize=(10.2, 2.0 + 2.7 * rows))
    x, y = _edges(simulation.fractions), _edges(simulation.reliabilities)
    for j, (name, cmap) in enumerate(_PANELS.items()):
        values = getattr(simulation, name)[:, v]
        levels = _levels(values)
        for i, method in enumerate(simulation.methods):
            ax = axes[i, j]
            drawn = ax.pcolormesh(x, y, np.ma.masked_invalid(values[i].T), cmap=cmap,
                                  vmin=levels[0], vmax=levels[-1], rasterized=True)
            _contours(ax, simulation, values[i], levels)
            ax.set_title(f"{name}, {method.replace('_', ' ')}")
        colour_bar(axes[:, j], drawn, f"{name} (bits)", location="bottom", aspect=30,
                   ticks=MaxNLocator(5))
    for ax in axes[-1]:
        ax.set_xlabel("fraction of the first cluster")
    for ax in axes[:, 0]:
        ax.set_ylabel("reliability")
    sizes = "sizes of clusters free" if chosen == "free" else "sizes of clusters fixed"
    figure.suptitle(f"Reliability simulation, {sizes}; {simulation.n_objects} objects, "
                    f"{simulation.n_resamples} samples per cell; white: degenerate", x=0.01,
                    ha="left", fontsize="medium")
    return np.asarray(axes)


def smooth(values: np.ndarray, fractions: np.ndarray, reliabilities: np.ndarray) -> np.ndarray:
    """Values (F, R) smoothed along reliability, then along fraction; nan stays nan."""
    along = np.array([_lowess(row, reliabilities) for row in values])
    return np.array([_lowess(column, fractions) for column in along.T]).T


def _lowess(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    from statsmodels.nonparametric.smoothers_lowess import lowess
    known = np.isfinite(values)
    result = np.array(values, dtype=np.float64)
    count = int(known.sum())
    if count >= _FEWEST:
        result[known] = lowess(values[known], at[known], frac=max(_SHARE, 4.5 / count), it=0,
                               return_sorted=False)
    return result


def _contours(ax: Any, simulation: ReliabilitySimulation, values: np.ndarray, levels: np.ndarray
              ) -> None:
    if min(values.shape) < _FEWEST:
        return
    surface = smooth(values, simulation.fractions, simulation.reliabilities)
    known = surface[np.isfinite(surface)]
    # A line at the very end of the range would only follow the border.
    margin = 0.02 * (levels[-1] - levels[0])
    inside = (levels[(levels > known.min() + margin) & (levels < known.max() - margin)]
              if known.size else [])
    if len(inside):
        lines = ax.contour(simulation.fractions, simulation.reliabilities,
                           np.ma.masked_invalid(surface.T), levels=inside, colors="black",
                           linewidths=0.7)
        texts = ax.clabel(lines, fontsize="x-small", fmt="%g", inline=True, inline_spacing=2)
        for text in texts:
            text.set_bbox({"facecolor": "white", "alpha": 0.7, "lw": 0, "pad": 0.6})


def _levels(values: np.ndarray) -> np.ndarray:
    """Round numbers that cover the values."""
    from matplotlib.ticker import MaxNLocator
    known = values[np.isfinite(values)]
    if not known.size:
        return np.array([0.0, 1.0])
    return np.asarray(MaxNLocator(8).tick_values(float(known.min()), float(known.max())))


def _edges(centers: np.ndarray) -> np.ndarray:
    """Borders between neighbouring cells."""
    if len(centers) == 1:
        return np.array([centers[0] - 0.05, centers[0] + 0.05])
    between = (centers[1:] + centers[:-1]) / 2
    return np.concatenate([[2 * centers[0] - between[0]], between,
                           [2 * centers[-1] - between[-1]]])
