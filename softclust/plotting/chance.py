"""Charts of measures against random permutations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._text import number
from .figures import COLOURS, RAIL, TEXT, chart, check_record, pyplot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.chance_record import Chance, ChanceRow

_BINS = 40
#: an observed value is drawn at its place up to this many widths of the null values beside them
_FAR = 2.0


@chart
def plot_chance(chance: Chance, *, ax: Axes | None = None) -> Axes:
    """Histogram of the null values of each row, with the observed value as a diamond.

    Parameters
    ----------
    chance : Chance
        What `softclust.chance` returned.
    ax : matplotlib axes, optional
        Where to draw; a new figure of fitting size by default.

    Returns
    -------
    matplotlib.axes.Axes
        One strip per row, row k on the line y = k, in the units of the measure; rows of several
        measures in standard deviations from their null means. An observed value so far out that
        the bars would shrink to a line is written beside the frame, with an arrow.

    Examples
    --------
    >>> import softclust
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> ax = softclust.chance([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2], "rand_index", rng=0).plot()
    >>> ax.get_xlabel()
    'rand_index'
    >>> import matplotlib.pyplot as plt
    >>> plt.close(ax.figure)
    """
    check_record("chance", chance, "Chance", "chance(x, y, measure)")
    if not chance.n_permutations:
        raise ValueError(f'the record of method="{chance.method}" has no single null values to '
                         'plot; chance(..., method="tables") draws some')
    rows = list(chance)
    if ax is None:
        _, ax = pyplot().subplots(figsize=(7.2, 0.75 * len(rows) + 1.5), layout="constrained")
    one = len(set(chance.measures)) == 1
    limits = _limits(rows, standardised=not one)
    for k, row in enumerate(rows):
        _strip(ax, k, row, limits, standardised=not one)
    ax.axhline(len(rows) - 1, color=RAIL, lw=0.8, zorder=0)
    ax.set_ylim(len(rows) - 0.75, -0.95)
    ax.set_yticks(range(len(rows)), [_name(row, one) for row in rows], fontsize=8.5)
    ax.tick_params(axis="y", length=0)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    if one:
        ax.set_xlabel(rows[0].label.removesuffix(f", {rows[0].end} end"), fontsize=8.5, color=TEXT)
    else:
        ax.axvline(0.0, color=RAIL, lw=0.8, zorder=0)
        ax.set_xlabel("standard deviations from the mean of the permutations", fontsize=8.5,
                      color=TEXT)
    ax.margins(x=0.04)
    ax.set_title(f"{chance.draws} of {chance.n_objects} objects (bars); black: observed value",
                 loc="left", fontsize=10)
    return ax


def _scaled(row: ChanceRow, standardised: bool) -> tuple[np.ndarray, float]:
    """Null values without nan and the observed one, as they are drawn."""
    values, observed = row.null[~np.isnan(row.null)], row.observed
    if standardised:
        scale = row.sd if row.sd > 0 else 1.0
        values, observed = (values - row.mean) / scale, (observed - row.mean) / scale
    return values, float(observed)


def _limits(rows: list[ChanceRow], *, standardised: bool) -> tuple[float, float]:
    """Where the axis ends: the null values, and room of their width for what is near them."""
    null = [values for values in (_scaled(row, standardised)[0] for row in rows) if values.size]
    if not null:
        return -np.inf, np.inf
    low, high = min(float(v.min()) for v in null), max(float(v.max()) for v in null)
    room = _FAR * (high - low)
    return (low - room, high + room) if room > 0 else (-np.inf, np.inf)


def _strip(ax: Axes, k: int, row: ChanceRow, limits: tuple[float, float], *, standardised: bool
           ) -> None:
    values, observed = _scaled(row, standardised)
    colour = COLOURS[row.sense]
    if values.size:
        distinct = np.unique(values.round(12))
        if distinct.size <= _BINS:   # few possible values: one bar each
            heights = np.array([(values.round(12) == v).sum() for v in distinct], dtype=float)
            gaps = np.diff(distinct)
            width = 0.8 * gaps.min() if gaps.size else max(0.01, 0.01 * abs(distinct[0]))
            left = distinct - width / 2
        else:
            counts, edges = np.histogram(values, bins=_BINS)
            heights, left, width = counts.astype(float), edges[:-1], edges[1] - edges[0]
        ax.bar(left, -0.7 * heights / heights.max(), width=width, bottom=k, align="edge",
               color=colour, alpha=0.45, lw=0, gid="null")
    if not np.isnan(observed):
        if limits[0] <= observed <= limits[1]:
            ax.plot([observed, observed], [k, k - 0.45], color="black", lw=1.2)
            ax.plot([observed], [k - 0.45], ls="", marker="D", ms=7, color="black", gid="observed")
        else:   # beyond the frame: no place on the axis is its own
            far = f"{observed:.0f} deviations" if standardised else number(observed)
            right = observed > limits[1]
            ax.annotate(f"{far} \N{RIGHTWARDS ARROW}" if right
                        else f"\N{LEFTWARDS ARROW} {far}", (1.0 if right else 0.0, k - 0.35),
                        (6 if right else -6, 0), xycoords=ax.get_yaxis_transform(), va="center",
                        ha="left" if right else "right", textcoords="offset points", fontsize=9,
                        fontweight="bold", annotation_clip=False, gid="observed")
    ax.axhline(k, color=RAIL, lw=0.8, zorder=0)


def _name(row: ChanceRow, one: bool) -> str:
    p = "undefined" if np.isnan(row.p_value) else f"p = {row.p_value:.2g}"
    if one:
        return p if row.end == "value" else f"{row.end} end\n{p}"
    return f"{row.label}\n{p}"
