"""The command ``softclust explain``: which clusters and objects of two files disagree."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable
from typing import Any


def add_explain(commands: Any, common: argparse.ArgumentParser,
                add_file_arguments: Callable[..., None], read_sides: Callable[..., Any],
                labels: Callable[[str], Any]) -> None:
    """Add the command to the parser."""
    explain = commands.add_parser(
        "explain", parents=[common], help="which clusters and objects disagree, and by how much",
        description="Trace the disagreement of two hard clusterings to splits, merges, moves and "
                    "objects. The files are as for compare.")
    add_file_arguments(explain, policies=True)
    explain.add_argument("--measure", default="adjusted_rand_index", metavar="NAME",
                         help="a measure or a word of a field (default: %(default)s)")
    explain.add_argument("--names", metavar="A,B", help="what to call the sides, such as "
                                                        "truth,found (default: the files)")
    explain.add_argument("--top", type=int, default=10, metavar="K",
                         help="objects that are printed (default: %(default)s)")
    explain.add_argument("--json", action="store_true", help="all shares as JSON")
    explain.add_argument("--plot", metavar="FILE", help="save the flow of objects as a picture")

    def run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
        return _run(options, parser, read_sides, labels)

    explain.set_defaults(run=run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser,
         read_sides: Callable[..., Any], labels: Callable[[str], Any]) -> int:
    from .comparison.explain import explain
    from .measures import measure_of
    try:
        measure_of(options.measure)
    except ValueError as error:
        parser.error(str(error))
    if options.missing == "bounds":
        parser.error("--missing bounds gives ranges, which have no shares")
    names = (options.a, options.b)
    if options.names is not None:
        given = options.names.split(",")
        if len(given) != 2 or not all(given):
            parser.error(f"--names is {options.names!r}; two names joined by a comma are needed")
        names = given[0], given[1]
    if options.top < 0:
        parser.error("--top needs a whole number >= 0")
    x, y, left_out, *_ = read_sides(options)
    found = explain(x, y, options.measure, names=names, top=options.top, noise=options.noise,
                    noise_label=labels(options.noise_label),
                    missing="raise" if options.missing == "drop" else options.missing)
    if options.plot:
        from . import plotting
        plotting.without_window()
        plotting.save_figure(found.plot().figure, options.plot)
    if options.json:
        print(json.dumps(_data(found, left_out), indent=2))
    else:
        print("\n".join([str(found), *left_out]))
    return 0


def _data(found: Any, left_out: Any) -> dict[str, Any]:
    def rows(what: str) -> list[dict[str, Any]]:
        return [{str(k): _plain(v) for k, v in row.items()}
                for row in found.to_frame(what).reset_index(drop=what in ("cells", "changes"))
                .to_dict("records")]

    return {"measure": found.measure, "value": _plain(found.value), "total": _plain(found.total),
            "split": _plain(found.split), "merge": _plain(found.merge), "unique": found.unique,
            "sentences": found.changes.sentences(), "left_out": list(left_out),
            **{what: rows(what) for what in ("changes", "x", "y", "cells", "objects")}}


def _plain(value: Any) -> Any:
    """A value as JSON has it; nan is null."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value
