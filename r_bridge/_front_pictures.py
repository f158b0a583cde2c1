"""Pictures for R: the chart that Python draws of a result, read as marks that R draws.

matplotlib lays a chart out, and no window opens. What it would draw is then read from the axes and
handed over in the coordinates of the data: points, paths, areas, tiles and words, with axes, title
and key. An axis that runs downwards is turned, so that in R all axes run upwards.
"""

from __future__ import annotations

import base64
import inspect
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np

import softclust as sc
from softclust.plotting.figures import PALETTE, STYLE, heat_map, name_rows, written
from softclust.results.records import Drawn
from softclust.results.text import counting_from, in_words, number

from ._front import Encoded, FrontError, command, list_of, strings
from ._front_records import Options, checked
from ._words import spelled

#: symbols of R for the markers of matplotlib; 21 to 25 have an edge of another colour
_SYMBOLS = {"o": 21, "s": 22, "D": 23, "d": 23, "^": 24, "v": 25, "P": 3, "+": 3, "X": 4, "x": 4,
            "*": 8, "<": 60, ">": 62, "|": 124, "_": 95, ".": 20}
_LINES = {"-": "solid", "--": "42", "-.": "4212", ":": "12"}
#: width of lines in R, by points
_WIDTH = 4 / 3
#: directions of hatchings
_HATCHES = {"/": 45, "\\": 135, ".": 90, "x": 60, "+": 0, "o": 120, "-": 30}
#: characters that R's pdf() cannot write
_ASCII = str.maketrans({"\N{RIGHTWARDS ARROW}": "->", "\N{LEFTWARDS ARROW}": "<-",
                        "\N{HORIZONTAL ELLIPSIS}": "..."})
#: corners from which on an outline is simplified
_MANY = 2000
#: bytes that a record may have, unpacked
_LONGEST = 1 << 30
#: width and height in inches where there is no device
_SIZE = (7.0, 5.0)


@command
def picture(x: Any = None, record: str | None = None, chart: str | None = None,
            arguments: Options | None = None, options: Options | None = None, first: Any = None,
            size: Any = _SIZE, rows: Any = None) -> dict[str, Any]:
    """The chart of `x` or of a record, or a chart of `softclust.plotting`, as marks.

    `first` is an option without its name, `rows` are those of a comparison that are drawn.
    """
    try:
        from matplotlib import rcParams, style
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError(
            "pictures need the Python package matplotlib, which is not installed: "
            "softclust::install_softclust(), or reticulate::py_install(\"matplotlib\")") from None
    if record is not None:
        from softclust.results import from_json
        if not isinstance(record, str):
            raise FrontError("the record of a result must be text; compute the result again")
        reader = zlib.decompressobj()
        text = reader.decompress(base64.b64decode(record), _LONGEST)
        if not reader.eof:
            raise sc.ClusteringError("the record of the result is damaged or too large")
        x = from_json(text.decode())
    if rows is not None:
        x = replace(x, rows=tuple(row for row, shown in zip(x.rows, rows) if shown))
    given, own = dict(arguments or {}), dict(options or {})
    name = chart or type(x).__name__
    if name in _FORMS:
        function = _FORMS[name]
        given |= {} if chart else {"x": x}
    elif chart or getattr(type(x), "plot", None) is Drawn.plot:
        function = getattr(sc.plotting, chart or x._chart)
        given |= {} if chart else {next(iter(inspect.signature(function).parameters)): x}
    else:
        function = x.plot
    if first is not None:
        name = next((name for name in inspect.signature(function).parameters
                     if name not in ("ax", *given)), None)
        if name is None:
            raise TypeError("plot() of this result takes no argument without a name")
        own[name] = first
    given |= checked(function, own, "plot()", given=("ax", *given))
    # R writes the texts, with fonts of its own.
    warnings.filterwarnings("ignore", "Glyph .* missing from")
    with style.context("default", after_reset=True), counting_from(1):
        rcParams.update({**STYLE, "text.parse_math": False, "axes.unicode_minus": False})
        figure = Figure(figsize=[float(v) for v in size], layout="none")
        FigureCanvasAgg(figure)
        ax = function(ax=figure.subplots(), **given)
        figure.draw_without_rendering()
        found = _Reader(ax).read()
    return found | {name: spelled(found[name]) for name in ("main", "xlab", "ylab")}


class _Reader:
    """Reads one axes, with the legends and colour bars of its figure.

    Parameters
    ----------
    ax : matplotlib axes
        Laid out.
    """

    def __init__(self, ax: Any) -> None:
        self.ax = ax
        self.back = ax.transData.inverted()
        self.sign = [-1.0 if axis.get_inverted() else 1.0 for axis in (ax.xaxis, ax.yaxis)]

    def read(self) -> dict[str, Any]:
        """All that R needs to draw it."""
        ax = self.ax
        titles = [ax.get_title(loc) for loc in ("left", "center", "right")]
        limits = [np.sort(np.multiply(sign, ends)) for sign, ends in zip(
            self.sign, (ax.get_xlim(), ax.get_ylim()))]
        return {"main": "\n".join(filter(None, titles)).translate(_ASCII),
                "xlab": ax.get_xlabel().translate(_ASCII),
                "ylab": ax.get_ylabel(), "xlim": limits[0], "ylim": limits[1],
                "x_axis": self.axis(ax.xaxis, 0), "y_axis": self.axis(ax.yaxis, 1),
                "log": "".join(n for n, scale in (("x", ax.get_xscale()), ("y", ax.get_yscale()))
                               if scale == "log"),
                "square": ax.get_aspect() == 1.0, "key": self.key(), "marks": self.marks()}

    # -- axes and keys -----------------------------------------------------------------------
    def axis(self, axis: Any, which: int) -> dict[str, Any] | None:
        """Where the ticks are and what they say."""
        if not self.ax.axison or not axis.get_visible():
            return None
        low, high = np.sort(axis.get_view_interval())
        room = 1e-9 * (high - low)
        shown = [(t.get_loc(), (t.label1.get_text() or t.label2.get_text()).translate(_ASCII),
                  t.tick1line.get_markersize()) for t in axis.get_major_ticks()]
        shown = [each for each in shown if low - room <= each[0] <= high + room and each[1]]
        at, names, lengths = zip(*shown) if shown else ((), (), ())
        return {"at": np.array(at) * self.sign[which], "names": Encoded(strings(names)),
                "ticks": any(lengths),
                "line": self.ax.spines["left" if which else "bottom"].get_visible()}

    def key(self) -> dict[str, Any] | None:
        """Entries of the legends, then of the colour bars."""
        figure = self.ax.figure
        rows, titles, below = [], [], False
        for legend in [*filter(None, [self.ax.get_legend()]), *figure.legends]:
            box = legend.get_window_extent()
            below |= bool(box.y1 <= self.ax.bbox.y0 + 2)
            titles.append(legend.get_title().get_text())
            rows += [{"text": spelled(text.get_text()), **_look(handle)} for handle, text in zip(
                legend.legend_handles, legend.get_texts())]
        for bar in filter(None, (getattr(artist, "colorbar", None)
                                 for artist in self.ax.get_children())):
            titles.append(bar.ax.get_ylabel() or bar.ax.get_xlabel())
            ticks = [t for t in bar.get_ticks() if bar.vmin - 1e-9 <= t <= bar.vmax + 1e-9]
            rows += [{"text": f"{t:g}", **_box(_colour(bar.cmap(bar.norm(t))), "grey70")}
                     for t in reversed(ticks)]
        if not rows:
            return None
        return {"title": "\n".join(filter(None, titles)), "below": below,
                **{name: _column([row[name] for row in rows]) for name in rows[0]}}

    # -- marks -------------------------------------------------------------------------------
    def marks(self) -> list[dict[str, Any]]:
        """Marks from back to front; neighbours of one type are one mark."""
        artists = sorted([*self.ax.get_children(), *self._grid()], key=lambda a: a.get_zorder())
        skipped = {self.ax.patch, *self.ax.spines.values(), self.ax.get_legend()}
        parts = [part for artist in artists if artist.get_visible() and artist not in skipped
                 for part in self.parts(artist)]
        found = []
        for kind, group in groupby(parts, key=lambda part: part["type"]):
            members = list(group)
            if kind == "tiles":
                found += members
                continue
            lengths = [len(part["x"]) for part in members]
            merged: dict[str, Any] = {name: np.concatenate([part[name] for part in members])
                                      for name in ("x", "y")}
            lined = kind in ("paths", "areas")
            if lined:   # one look for each
                merged["id"] = np.repeat(np.arange(1.0, 1.0 + len(members)), lengths)
            for name in members[0]:
                if name not in ("type", "x", "y"):
                    merged[name] = _column([v for part, n in zip(members, lengths) for v in (
                        [part[name]] * (1 if lined else n) if np.ndim(part[name]) == 0
                        else part[name])])
            found.append({"type": kind, **merged})
        return found

    def _grid(self) -> list[Any]:
        return [line for axis in (self.ax.xaxis, self.ax.yaxis)
                for line in axis.get_gridlines() if axis.get_visible()]

    def parts(self, artist: Any) -> Iterator[dict[str, Any]]:
        """The marks of one artist."""
        from matplotlib import collections, image, lines, patches, text
        if isinstance(artist, lines.Line2D):
            yield from self.line(artist)
        elif isinstance(artist, text.Text):
            yield from self.words(artist)
        elif isinstance(artist, patches.Patch):
            path = artist.get_path().transformed(artist.get_transform())
            yield from self.areas(path, _area(artist))
        elif isinstance(artist, collections.PathCollection):
            yield from self.points(artist)
        elif isinstance(artist, (collections.LineCollection, collections.PolyCollection)):
            paths = artist.get_paths()
            for path, look in zip(paths, _looks(artist, len(paths))):
                if isinstance(artist, collections.PolyCollection):
                    yield from self.areas(path.transformed(artist.get_transform()), look)
                else:
                    yield _mark("paths", *self.place(path.vertices, artist.get_transform()), look)
        elif isinstance(artist, image.AxesImage):
            yield self.tiles(artist)

    def place(self, points: Any, transform: Any) -> tuple[np.ndarray, np.ndarray]:
        """Points in the coordinates of the data."""
        points = np.reshape(np.asarray(points, dtype=float), (-1, 2))
        if transform != self.ax.transData:
            points = self.back.transform(transform.transform(points))
        return points[:, 0] * self.sign[0], points[:, 1] * self.sign[1]

    def line(self, line: Any) -> Iterator[dict[str, Any]]:
        """A path, and points where the line has markers."""
        lty, colour = _LINES.get(line.get_linestyle()), _colour(line.get_color(), line.get_alpha())
        if lty and line.get_linewidth() > 0:
            x, y = self.place(line.get_path().vertices, line.get_transform())
            if np.isfinite(x + y).sum() > 1:
                yield {"type": "paths", "x": x, "y": y, "col": colour, "lty": lty,
                       "lwd": line.get_linewidth() * _WIDTH}
        look = _marker(line)
        if look is not None:
            x, y = self.place(line.get_xydata(), line.get_transform())
            every = line.get_markevery()
            if isinstance(every, float) and len(x):   # markers a little apart
                every = max(1, round(every * len(x)))
            step = slice(None, None, every) if isinstance(every, int) else slice(None)
            known = np.isfinite(x[step] + y[step])
            if known.any():
                yield {"type": "points", "x": x[step][known], "y": y[step][known], **look}

    def points(self, drawn: Any) -> Iterator[dict[str, Any]]:
        """The points of a scatter plot."""
        x, y = self.place(drawn.get_offsets(), drawn.get_offset_transform())
        if not len(x):
            return
        looks, sizes = _looks(drawn, len(x)), drawn.get_sizes()
        symbol = _symbol_of(drawn.get_paths()[0])
        yield {"type": "points", "x": x, "y": y, "pch": symbol,
               "cex": np.sqrt(np.resize(sizes, len(x))) / 7,
               "lwd": np.array([look["lwd"] for look in looks]), "bg": [v["bg"] for v in looks],
               "col": [v["col"] or v["bg"] if symbol > 20 else v["bg"] or v["col"] for v in looks]}

    def areas(self, path: Any, look: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The polygons of a path in pixels."""
        from matplotlib.transforms import IdentityTransform
        if len(path.vertices) > _MANY:   # corners closer than a pixel cannot be seen
            path = path.cleaned(simplify=True)
        for polygon in path.to_polygons(closed_only=False):
            yield _mark("areas", *self.place(polygon, IdentityTransform()), look)

    def tiles(self, drawn: Any) -> dict[str, Any]:
        """Cells of an image from its top, as shares of red, green and blue."""
        from matplotlib.colors import to_rgb
        cells = drawn.to_rgba(drawn.get_array())
        rgb = cells[..., :3] * cells[..., 3:] + to_rgb(self.ax.get_facecolor()) * (
            1 - cells[..., 3:])
        left, right, foot, top = drawn.get_extent()
        return {"type": "tiles", "x": np.array([left, right]) * self.sign[0],
                "y": np.array([foot, top]) * self.sign[1],
                "rgb": (rgb[::-1] if drawn.origin == "lower" else rgb).clip(0.0, 1.0)}

    def words(self, artist: Any) -> Iterator[dict[str, Any]]:
        """A text, and the line that leads from it to what it names."""
        text = artist.get_text().translate(_ASCII)
        if not text.strip() or artist not in self.ax.texts:   # titles
            return
        arrow = getattr(artist, "arrow_patch", None)
        if arrow is not None:
            x, y = self.place(arrow.get_path().vertices, arrow.get_transform())
            yield {"type": "paths", "x": x, "y": y, "col": _colour(arrow.get_edgecolor()),
                   "lty": "solid", "lwd": arrow.get_linewidth() * _WIDTH}
        x, y = self.place(artist.get_position(), artist.get_transform())
        box = artist.get_bbox_patch()
        yield {"type": "words", "x": x, "y": y, "text": text, "col": _colour(artist.get_color()),
               "cex": artist.get_fontsize() / 10, "srt": artist.get_rotation(),
               "adj": {"left": 0.0, "right": 1.0}.get(artist.get_ha(), 0.5),
               "vadj": {"top": 1.0, "bottom": 0.0, "baseline": 0.0}.get(artist.get_va(), 0.5),
               "paper": None if box is None else _colour(box.get_facecolor())}


# -- charts that Python has not ------------------------------------------------------------------
def _bars(ax: Any, names: Any, values: Any, title: str, label: str) -> Any:
    ax.barh(range(len(values)), values, height=0.7, color=PALETTE[0])
    name_rows(ax, list_of(names), frame=True)
    ax.set(title=title, xlabel=label)
    return ax


def _best_cut(ax: Any, value: float, level: float, measure: str, null: Any = None) -> Any:
    if null is None:
        return _bars(ax, ["best cut", "best level"], [value, level], "Best cut", in_words(measure))
    ax.hist(null, bins=30, color=PALETTE[4])
    ax.axvline(value, color="black", lw=2)
    ax.set(title=f"Best cut: {number(value)} (line); bars: best cuts by chance",
           xlabel=in_words(measure), ylabel="permutations")
    return ax


def _points(ax: Any, x: Any, y: Any, title: str, xlabel: str, ylabel: str) -> Any:
    ax.plot(x, y, ls="", marker="o", ms=4, color="black")
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel)
    return ax


def _table(ax: Any, values: Any, shares: Any, sides: Any, title: str, label: str) -> Any:
    whole = bool(np.all(values == np.trunc(values)))
    heat_map(ax, shares, *sides, label=label,
             texts=[[f"{v:,.0f}" if whole else f"{v:.1f}" for v in row] for row in values])
    ax.set_title(title)
    return ax


def _pair_counts(ax: Any, x: Any) -> Any:
    if not x.n_pairs:
        raise ValueError("a single object has no pairs; nothing can be drawn")
    counts = np.array([[x.n11, x.n10], [x.n01, x.n00]], dtype=float)
    sides = [[f"{where} in {side}" for where in ("together", "apart")] for side in "xy"]
    return _table(ax, counts, counts / x.n_pairs, sides, f"{x.n_pairs:,} pairs of objects",
                  "share of the pairs")


def _sums(ax: Any, x: Any) -> Any:
    totals = np.maximum(x.cross.sum(axis=1, keepdims=True), np.finfo(float).tiny)
    return _table(ax, x.cross, x.cross / totals, [[*map(written, names)] for names in (
        x.x_names, x.y_names)], "Sums of products of memberships", "share of the row")


def _degrees(ax: Any, clustering: Any, labels: Any, title: str) -> Any:
    sc.plotting.plot_consensus(clustering.pignistic(), np.asarray(labels) - 1, title=title, ax=ax)
    ax.set_ylabel("membership" if clustering.kind == "fuzzy" else "pignistic probability")
    return ax


_FORMS: dict[str, Any] = {"bars": _bars, "best_cut": _best_cut, "degrees": _degrees,
                          "points": _points, "PairCounts": _pair_counts, "MembershipSums": _sums}


# -- looks ---------------------------------------------------------------------------------------
def _colour(colour: Any, alpha: Any = None) -> str | None:
    """A colour as R has it; None is none."""
    from matplotlib.colors import to_hex, to_rgba
    found = to_rgba(colour, alpha)
    return None if found[3] == 0 else to_hex(found, keep_alpha=found[3] < 1)


def _column(values: list[Any]) -> Any:
    """Numbers, or texts and colours with None as NA."""
    if all(isinstance(v, (int, float, np.number)) for v in values):
        return np.array(values, dtype=float)
    return Encoded(strings(values))


def _box(fill: Any, edge: Any = None, hatch: str | None = None) -> dict[str, Any]:
    return {"col": edge, "bg": fill, "pch": 22.0, "cex": 1.6, "lty": "blank", "lwd": 1.0,
            "hatch": float(_HATCHES[hatch[0]]) if hatch else np.nan}


def _area(patch: Any) -> dict[str, Any]:
    """Colours and hatching of an area; hatchings have the colour of its edge."""
    hatch = patch.get_hatch()
    return _box(_colour(patch.get_facecolor()) if patch.get_fill() else None,
                _colour(patch.get_edgecolor()) if patch.get_linewidth() > 0 or hatch else None,
                hatch)


def _marker(line: Any) -> dict[str, Any] | None:
    """The look of the markers of a line."""
    symbol = _SYMBOLS.get(line.get_marker())
    if symbol is None or line.get_markersize() <= 0:
        return None
    alpha = line.get_alpha()
    face, edge = (_colour(colour, alpha) if not isinstance(colour, str) or colour != "none"
                  else None for colour in (line.get_markerfacecolor(), line.get_markeredgecolor()))
    if line.get_marker() in "PX*<>":   # R has these without an edge
        edge = face
    return {"pch": float(symbol), "cex": line.get_markersize() / 7, "bg": face, "col": edge or face,
            "lwd": line.get_markeredgewidth() * _WIDTH}


def _look(handle: Any) -> dict[str, Any]:
    """The look of an entry of a legend."""
    if hasattr(handle, "get_marker"):
        return {**_box(None, _colour(handle.get_color(), handle.get_alpha())),
                **(_marker(handle) or {"pch": np.nan}), "lwd": handle.get_linewidth() * _WIDTH,
                "lty": _LINES.get(handle.get_linestyle(), "blank")}
    if hasattr(handle, "get_sizes"):
        return {**_looks(handle, 1)[0], "pch": float(_symbol_of(handle.get_paths()[0])),
                "cex": 1.0, "lty": "blank"}
    return _area(handle)


def _symbol_of(path: Any) -> int:
    """The symbol of R for the marker with this path."""
    from matplotlib.markers import MarkerStyle
    for marker, symbol in _SYMBOLS.items():
        style = MarkerStyle(marker)
        own = style.get_path().transformed(style.get_transform())
        if own.vertices.shape == path.vertices.shape and np.allclose(own.vertices, path.vertices):
            return symbol
    return 21


def _looks(drawn: Any, count: int) -> list[dict[str, Any]]:
    """Looks of the parts of a collection, which takes its colours and widths in turn."""
    drawn.update_scalarmappable()
    turns = {"bg": drawn.get_facecolors(), "col": drawn.get_edgecolors(),
             "lwd": drawn.get_linewidths(), "lty": drawn.get_linestyles()}
    change = {"lwd": lambda width: width * _WIDTH,
              "lty": lambda dashes: "solid" if dashes[1] is None else "42"}
    parts = {name: [change.get(name, _colour)(value) for value in values] or [None]
             for name, values in turns.items()}
    return [{**_box(None, None, drawn.get_hatch()),
             **{name: values[i % len(values)] for name, values in parts.items()}}
            for i in range(count)]


def _mark(kind: str, x: Any, y: Any, look: dict[str, Any]) -> dict[str, Any]:
    names = ("col", "bg", "hatch") if kind == "areas" else ("col", "lwd", "lty")
    return {"type": kind, "x": x, "y": y, **{name: look[name] for name in names}}
