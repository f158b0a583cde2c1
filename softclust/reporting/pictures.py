"""The pictures of a report as SVG; every one can be read in grey."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .._warnings import process_filter
from ..clusterings import HardClustering
from ..plotting.figures import MARKERS, PALETTE, RAIL, TEXT
from ..plotting.objects import COLOURS
from ..plotting.objects import MARKERS as SHAPES
from .data import Objects
from .fits import matched
from .plan import WIDE, Plan
from .words import short

#: points up to which a scatter plot is drawn as vectors
VECTOR_POINTS = 400
#: groups up to which a legend names them
LEGEND = 12
_DPI = 150


def draw(section: str, objects: Objects, plan: Plan, found: dict[str, Any], rows: np.ndarray
         ) -> dict[str, str]:
    """The pictures of a section, by name; `rows` are the objects that are drawn."""
    with _own_style():
        return _SECTIONS[section](objects, plan, found, rows)


@contextmanager
def _own_style() -> Iterator[None]:
    """Settings that belong to the report, whatever the user's are; no window."""
    import matplotlib
    plain: Any = {"svg.fonttype": "path", "svg.hashsalt": "softclust", "svg.image_inline": True,
             "font.family": ["DejaVu Sans"], "font.size": 9.0, "text.parse_math": False}
    # Names in scripts that the font lacks are boxes in pictures and right in the text.
    with matplotlib.rc_context(), process_filter("ignore", "Glyph .* missing"):
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(plain)
        yield


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib.figure import Figure
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.add_subplot()


def as_svg(figure: Any, name: str) -> str:
    """The figure as an SVG element whose ids are its own, without header and metadata."""
    text = io.StringIO()
    nothing = {"Date": None, "Creator": None, "Format": None, "Type": None}
    figure.savefig(text, format="svg", dpi=_DPI, metadata=nothing)
    svg = text.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    # Ids serve references alone here; others may repeat or hold spaces.
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: m[0] if m[1] in used else "", svg)
    mark = re.sub(r"\W", "-", name)
    svg = re.sub(r' id="', f' id="{mark}-', svg)
    svg = re.sub(r'href="#', f'href="#{mark}-', svg)
    return re.sub(r"url\(#", f"url(#{mark}-", svg).strip()


# -- objects in the plane ---------------------------------------------------------------------
def principal(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores on the first two principal components, (n, 2), and their shares of variance.

    Signs are fixed: the largest weight of each component is positive. Of many features only the
    two components are computed, in time linear in n p.
    """
    centred = x - x.mean(axis=0)
    total = float((centred ** 2).sum()) / max(1, x.shape[0] - 1)
    values, vectors = (_leading(centred) if x.shape[1] > WIDE else
                       np.linalg.eigh(centred.T @ centred / max(1, x.shape[0] - 1)))
    values, vectors = values[::-1][:2], vectors[:, ::-1][:, :2]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    vectors = vectors * np.where(largest < 0.0, -1.0, 1.0)
    scores = centred @ vectors[:, :2]
    if scores.shape[1] < 2:
        # A single feature: heights only keep points apart.
        heights = (np.arange(x.shape[0]) * 0.6180339887498949) % 1.0
        scores = np.column_stack([scores[:, 0], heights * np.ptp(scores[:, 0]) / 4])
    return scores, np.maximum(values, 0.0) / max(total, 1e-300)


def _leading(centred: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two largest eigenvalues of the covariance, the largest last, and their vectors."""
    from scipy.sparse.linalg import svds
    start = np.linspace(1.0, 2.0, min(centred.shape))
    _, values, rows = svds(centred, k=2, v0=start, return_singular_vectors="vh")
    order = np.argsort(values)
    return values[order] ** 2 / max(1, centred.shape[0] - 1), rows[order].T


def _name_axes(ax: Any, shares: np.ndarray) -> None:
    ax.set_xlabel(f"component 1 ({100 * shares[0]:.0f} % of the variance)", fontsize=8)
    if shares.size > 1:
        ax.set_ylabel(f"component 2 ({100 * shares[1]:.0f} %)", fontsize=8)
    else:
        ax.set_xlabel("the feature, centred", fontsize=8)
        ax.set_ylabel("(heights have no meaning)", fontsize=8)
        ax.set_yticks([])


def _rasterise(ax: Any, count: int) -> None:
    if count > VECTOR_POINTS:
        for drawn in ax.collections:
            drawn.set_rasterized(True)


def _scatter_groups(ax: Any, points: np.ndarray, groups: HardClustering, order: Any,
                    title: str) -> None:
    """Group ``order[k]`` in the colour of cluster k."""
    names = groups.cluster_names or range(groups.n_clusters)
    for k, group in enumerate(order):
        own = groups.labels == group
        ax.scatter(points[own, 0], points[own, 1], s=16 if len(points) < 1000 else 8,
                   color=COLOURS[k % len(COLOURS)], marker=SHAPES[k % len(SHAPES)],
                   edgecolors="white", linewidths=0.3, alpha=0.9,
                   label=_legend_text(str(names[group])))
    if len(order) <= LEGEND:
        ax.legend(frameon=True, framealpha=0.85, edgecolor="none", fontsize=7.5, loc="best",
                  title=short(title), title_fontsize=7.5, markerscale=1.3)


def _legend_text(name: str) -> str:
    # matplotlib leaves out labels that begin with an underscore.
    return f" {short(name)}" if name.startswith("_") else short(name)


def _finish_scatter(ax: Any, count: int) -> None:
    ax.set_aspect("equal", adjustable="datalim")
    ax.tick_params(labelsize=7.5)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    _rasterise(ax, count)


def _data(objects: Objects, plan: Plan, found: dict[str, Any], rows: np.ndarray
          ) -> dict[str, str]:
    points, shares = principal(objects.x)
    figure, ax = _figure(4.3, 3.6)
    known = np.isin(rows, objects.labelled)
    if objects.label is None or not known.all():
        others = rows if objects.label is None else rows[~known]
        ax.scatter(points[others, 0], points[others, 1], s=12 if rows.size < 1000 else 6,
                   color=PALETTE[0] if objects.label is None else RAIL, edgecolors="white",
                   linewidths=0.3, alpha=0.8,
                   label=None if objects.label is None else "(no label)")
    if objects.label is not None:
        first = next((fit for fit in found["fits"] if fit.labels is not None), None)
        order = (range(objects.label.n_clusters) if first is None
                 else matched(first.labels.subset(objects.labelled), objects.label))
        drawn = rows[known]
        groups = objects.label.subset(np.searchsorted(objects.labelled, drawn))
        _scatter_groups(ax, points[drawn], groups, order, objects.label_name)
    _name_axes(ax, shares)
    _finish_scatter(ax, rows.size)
    return {"data": as_svg(figure, "data")}


def _clusterings(objects: Objects, plan: Plan, found: dict[str, Any], rows: np.ndarray
                 ) -> dict[str, str]:
    from ..plotting.objects import plot_objects
    points, shares = principal(objects.x)
    drawn = {}
    for fit in found["fits"]:
        if fit.clustering is None:
            continue
        figure, ax = _figure(3.3, 3.1)
        plot_objects(points[rows], fit.clustering.subset(rows), ax=ax)
        if (legend := ax.get_legend()) is not None:   # clusters count from 1 in a report
            for k, text in enumerate(legend.get_texts()):
                text.set_text(f"{k + 1}")
        for points_drawn in ax.collections:
            points_drawn.set_sizes(points_drawn.get_sizes() * (0.6 if rows.size < 1000 else 0.3))
            points_drawn.set_linewidths(points_drawn.get_linewidths() * (
                0.8 if rows.size < 1000 else 0.5))
        ax.set_aspect("equal", adjustable="datalim")
        _name_axes(ax, shares)
        ax.tick_params(labelsize=7)
        _rasterise(ax, rows.size)
        drawn[f"clusters:{fit.key}"] = as_svg(figure, f"clusters-{fit.key}")
    if objects.label is not None:
        # Again, now that its groups can have the colours of the clusters they are most like.
        drawn |= _data(objects, plan, found, rows)
    return drawn


def _stability(objects: Objects, plan: Plan, found: dict[str, Any], rows: np.ndarray
               ) -> dict[str, str]:
    stability = found["stability"]
    if stability is None:
        return {}
    points, shares = principal(objects.x)
    figure, ax = _figure(4.3, 3.6)
    # Doubtful objects last, so that they are seen.
    order = rows[np.argsort(-stability.share[rows], kind="stable")]
    share = stability.share[order]
    k = stability.by_cluster.size
    sure = share >= 0.95
    ax.scatter(points[order[sure], 0], points[order[sure], 1], color="#a6a6a6", s=9, marker="o",
               linewidths=0)
    # Darker is more doubtful.
    shown = ax.scatter(points[order[~sure], 0], points[order[~sure], 1], c=share[~sure], s=24,
                       marker="D", edgecolors="black", linewidths=0.4, cmap="cividis",
                       vmin=1.0 / k, vmax=0.95)
    bar = figure.colorbar(shown, ax=ax, shrink=0.85, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7.5)
    bar.set_label("share of refits that agree\n(grey dots: 0.95 or more)", fontsize=8, color=TEXT)
    _name_axes(ax, shares)
    _finish_scatter(ax, rows.size)
    return {"stability": as_svg(figure, "stability")}


# -- curves and matrices ----------------------------------------------------------------------
def _number(objects: Objects, plan: Plan, found: dict[str, Any], rows: np.ndarray
            ) -> dict[str, str]:
    from ..plotting.selection import plot_cluster_number
    drawn = {}
    for name, chosen in found["criteria"].items():
        figure, ax = _figure(3.3, 2.7)
        plot_cluster_number(chosen, ax=ax)
        ax.set_title("", loc="left")
        ax.tick_params(labelsize=8)
        drawn[f"number:{name}"] = as_svg(figure, f"number-{name}")
    curve = found["label_curve"]
    if curve:
        figure, ax = _figure(3.3, 2.7)
        ax.plot(list(curve), list(curve.values()), color=PALETTE[2], marker=MARKERS[2], ms=5.5,
                lw=1.5)
        ax.set_xticks(list(curve))
        ax.set_xlabel("number of clusters K")
        ax.set_ylabel("adjusted Rand index")
        ax.set_ylim(min(0.0, *curve.values()), 1.02)
        ax.tick_params(labelsize=8)
        for side in ("top", "right"):
            ax.spines[side].set_visible(False)
        drawn["number:label"] = as_svg(figure, "number-label")
    return drawn


def _label(objects: Objects, plan: Plan, found: dict[str, Any], rows: np.ndarray
           ) -> dict[str, str]:
    fits = [fit for fit in found["fits"] if fit.key in found["against"]]
    if not fits:
        return {}
    figure, ax = _figure(4.9, 0.5 * len(fits) + 1.3)
    for row, fit in enumerate(fits):
        against = found["against"][fit.key]
        hard, soft = against.labels.rows[0], against.soft.rows[1]
        chance = against.soft.rows[0].chance
        above, below = row - 0.14, row + 0.16
        ax.plot([hard.ci_low, hard.ci_high], [above, above], color=PALETTE[0], lw=1.3)
        ax.plot([hard.low], [above], color=PALETTE[0], marker="o", ms=6, ls="",
                label="adjusted Rand index" if row == 0 else None)
        ax.plot([soft.ci_low, soft.ci_high], [below, below], color=PALETTE[1], lw=1.3)
        ax.plot([soft.low, soft.high], [below, below], color=PALETTE[1], lw=6, alpha=0.45,
                solid_capstyle="butt")
        ax.plot([soft.low, soft.high], [below, below], color=PALETTE[1], marker="|", ms=8, ls="",
                mew=1.8, label="alpha-Rand interval" if row == 0 else None)
        ax.plot([chance], [below], color="black", marker="x", ms=5, ls="",
                label="its chance level" if row == 0 else None)
    ax.set_yticks(range(len(fits)), [fit.title for fit in fits], fontsize=8)
    ax.set_ylim(len(fits) - 0.5, -0.5)
    ax.set_xlim(min(-0.02, *ax.get_xlim()), 1.02)
    ax.grid(axis="x", color=RAIL, lw=0.5)
    ax.set_axisbelow(True)
    ax.tick_params(axis="y", length=0)
    ax.tick_params(axis="x", labelsize=8)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    ax.set_xlabel(f"agreement with {short(objects.label_name)} (thin lines: 95 % limits)",
                  fontsize=8.5)
    figure.legend(loc="outside upper left", ncols=3, frameon=False, fontsize=7.5,
                  columnspacing=1.0, handletextpad=0.3)
    return {"label": as_svg(figure, "label")}


def _agreement(objects: Objects, plan: Plan, found: dict[str, Any], rows: np.ndarray
               ) -> dict[str, str]:
    from ..plotting.circles import plot_circles
    from ..plotting.matrix import plot_matrix
    drawn = {}
    matrix, circles = found["matrix"], found["circles"]
    if matrix is not None:
        n = len(matrix)
        figure, ax = _figure(0.98 * n + 2.2, 0.5 * n + 1.3)
        plot_matrix(matrix, ax=ax)
        ax.set_title("", loc="left")
        ax.set_xticks(range(n), [name.replace(" ", "\n", 1) for name in matrix.names])
        drawn["matrix"] = as_svg(figure, "matrix")
    if circles is not None and len(circles.names) > 2:
        figure, ax = _figure(5.0, 4.4)
        plot_circles(circles, ax=ax)
        ax.set_title("", loc="left")
        drawn["circles"] = as_svg(figure, "circles")
    return drawn


_SECTIONS: dict[str, Callable[..., dict[str, str]]] = {
    "data": _data, "clusterings": _clusterings, "stability": _stability, "number": _number,
    "label": _label, "agreement": _agreement,
}

