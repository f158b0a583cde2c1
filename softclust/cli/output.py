"""Results as the output of a command: text, CSV, JSON, HTML, LaTeX, charts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..results.writing import check_writable, json_text, whole_file

if TYPE_CHECKING:
    from ..comparison import Comparison

FORMATS = ("text", "csv", "json", "html", "latex")


def say(text: str) -> None:
    print(f"softclust: {text}", file=sys.stderr)


# -- types of options, which are checked before anything is computed ----------------------------
def output_file(text: str) -> str:
    """The path of a file that can be written; - is standard output."""
    if text != "-":
        try:
            check_writable(text)
        except OSError as error:
            raise argparse.ArgumentTypeError(f"{error.filename}: {error.strerror}") from None
    return text


def picture_file(text: str) -> str:
    """The path of a picture, whose extension is that of a format."""
    from .. import plotting
    plotting.without_window()
    from matplotlib.backend_bases import FigureCanvasBase
    formats = sorted(FigureCanvasBase.get_supported_filetypes())
    suffix = Path(text).suffix[1:].lower()
    if suffix and suffix not in formats:
        raise argparse.ArgumentTypeError(f"{text} has no extension of a picture; those are "
                                         f".{', .'.join(formats)}")
    return output_file(text)


# -- options for outputs ------------------------------------------------------------------------
def add_format(parser: argparse.ArgumentParser, what: str = "output format") -> None:
    parser.add_argument("--format", choices=FORMATS, default="text",
                        help=f"{what} (default: %(default)s)")


def add_plot(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--plot", type=picture_file, metavar="FILE", help=what)


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", type=output_file, metavar="FILE",
                        help="also write the numbers as JSON; - writes them to standard output")


def write_result(options: argparse.Namespace, result: Any, data: dict[str, Any]) -> None:
    """Print a result, or only its numbers (--json -), and write the files of the options."""
    if options.plot:
        save_plot(result, options.plot)
    numbers = json_text(data)
    if options.json == "-":
        print(numbers)
        return
    if options.json:
        with whole_file(options.json) as file:
            file.write(numbers + "\n")
    print(result)


# -- forms of a result ---------------------------------------------------------------------------
def formatted(chosen: str, *, text: Callable[[], str], frame: Callable[[], Any],
               table: Callable[[], Any], data: Callable[[], Any]) -> str:
    if chosen == "csv":
        return frame().to_csv().rstrip("\n")
    if chosen == "json":
        return json_text(data())
    if chosen == "html":
        return table().as_html()
    if chosen == "latex":
        return table().as_latex_tabular()
    return text()


def comparison_text(result: Comparison, chosen: str, left_out: Sequence[str] = ()) -> str:
    return formatted(chosen, text=lambda: str(result), frame=result.to_frame,
                      table=result.summary, data=lambda: _as_data(result, list(left_out)))


def _as_data(result: Comparison, left_out: list[str]) -> dict[str, Any]:
    """The numbers as JSON names them."""
    from ..results.records import Interval
    sides = [{"name": name, "kind": kind, "n_clusters": c} for name, kind, c in
             zip(result.names, result.kinds, result.n_clusters)]
    rows = []
    for row in result:
        entry: dict[str, Any] = {"measure": row.name, "options": dict(row.options)}
        if isinstance(row.value, Interval):
            entry |= {"low": row.low, "high": row.high}
        else:
            entry["value"] = row.value
        entry |= {"sense": row.sense, "range": row.range, "chance": row.chance,
                  "source": row.source}
        if row.ci is not None:
            entry["ci"] = {"low": row.ci_low, "high": row.ci_high, "level": row.ci.level,
                           "method": row.ci.method, "estimate": row.ci.estimate[0],
                           "reliable": row.ci.reliable}
        if row.also:
            entry["also"] = list(row.also)
        if row.note:
            entry["note"] = row.note
        rows.append(entry)
    done = {} if result.alignment is None else {"alignment": result.alignment.header}
    return {"softclust": __version__, "x": sides[0], "y": sides[1],
            "n_objects": result.n_objects, "left_out": left_out, **done, "measures": rows}


def save_plot(result: Any, path: str) -> None:
    from .. import plotting
    plotting.without_window()
    plotting.save_figure(result.plot().figure, path)
    say(f"chart saved as {path}")
