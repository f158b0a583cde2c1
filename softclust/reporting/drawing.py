"""Common parts of the pictures of a report; all can be read in grey."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from ..plotting.figures import STYLE
from ..results.text import counting_from
from ..running.warnings import process_filter
from .words import short, whole

if TYPE_CHECKING:
    from ..clusterings import Clustering
    from .record import Report
    from .section import Picture

#: points up to which a scatter plot is drawn as vectors
VECTOR_POINTS = 400
_DPI = 150
#: room around the axes, in heights of letters
_PAD = 0.4


def as_svg(picture: Picture) -> str:
    """The picture as an SVG element whose ids are its own, without header and metadata."""
    import matplotlib
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import TightLayoutEngine
    # Settings of the report, whatever the user's are; no window.
    plain: Any = {"svg.fonttype": "path", "svg.hashsalt": "softclust", "svg.image_inline": True,
                  "font.family": ["DejaVu Sans"], "font.size": 9.0, "text.parse_math": False,
                  "figure.constrained_layout.use": False}
    text, nothing = io.StringIO(), {"Date": None, "Creator": None, "Format": None, "Type": None}
    # Names in scripts that the font lacks are boxes in pictures and right in the text.
    with (matplotlib.rc_context(), process_filter("ignore", "Glyph .* missing"),
          counting_from(1)):
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE | plain)
        figure = Figure(figsize=picture.inches)
        ax = figure.add_subplot()
        picture.draw(ax=ax)
        for side in ("left", "center", "right"):   # the caption is the title
            ax.set_title("", loc=side)
        TightLayoutEngine(pad=_PAD).execute(figure)
        figure.savefig(text, format="svg", dpi=_DPI, metadata=nothing)
    svg = text.getvalue()
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    # Ids serve references alone here; others may repeat or hold spaces.
    used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda m: m[0] if m[1] in used else "", svg)
    mark = re.sub(r"\W", "-", picture.name)
    svg = re.sub(r' id="', f' id="{mark}-', svg)
    svg = re.sub(r'href="#', f'href="#{mark}-', svg)
    return re.sub(r"url\(#", f"url(#{mark}-", svg).strip()


# -- objects in the plane ---------------------------------------------------------------------
def drawn_rows(report: Report) -> np.ndarray:
    """The objects of scatter plots."""
    return report.plan.sample(report.objects.n_objects, report.plan.n_drawn, 3)


def drawn_objects(report: Report) -> str:
    """Caption for the points of a scatter plot."""
    n, m = report.objects.n_objects, report.plan.n_drawn
    text = ("The objects in the first two principal components"
            if len(report.objects.columns) > 1 else "The objects by their only feature")
    return f"{text}." if m == n else f"{text}: {whole(m)} of {whole(n)}, drawn at random."


def finish_scatter(ax: Any, report: Report) -> None:
    """Names of the axes; many points become an image."""
    shares = report.objects.components[1]
    if shares.size > 1:
        ax.set_xlabel(f"component 1 ({100 * shares[0]:.0f} % of the variance)")
        ax.set_ylabel(f"component 2 ({100 * shares[1]:.0f} %)")
    else:
        ax.set_xlabel("the feature, centred")
        ax.set_ylabel("(heights have no meaning)")
        ax.set_yticks([])
    ax.set_aspect("equal" if shares.size > 1 else "auto", adjustable="datalim")
    if report.plan.n_drawn > VECTOR_POINTS:
        for drawn in ax.collections:
            drawn.set_rasterized(True)


def draw_clusters(ax: Any, report: Report, rows: np.ndarray, clustering: Clustering,
                  title: str = "") -> None:
    """Some objects in the plane by their clusters, which the legend names or numbers from 1."""
    from ..plotting.objects import plot_objects
    plot_objects(report.objects.components[0][rows], clustering, ax=ax)
    legend, few = ax.get_legend(), report.plan.n_drawn < 1000
    if legend is not None and legend.get_title().get_text() == "cluster":
        for k, text in enumerate(legend.get_texts()[:clustering.n_clusters]):
            text.set_text(text.get_text() if title else f"cluster {k + 1}")
        legend.set_title(short(title))
    for drawn in ax.collections:
        drawn.set_sizes(drawn.get_sizes() * (0.6 if few else 0.3))
        drawn.set_linewidths(drawn.get_linewidths() * (0.8 if few else 0.5))
    finish_scatter(ax, report)
