"""The command ``softclust explain``: the clusters and objects on which two files disagree."""

from __future__ import annotations

import argparse
import json
from typing import Any

from .arguments import add_file_arguments, label_values, read_sides
from .output import picture_file, save_plot


def add_explain(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    explain = commands.add_parser(
        "explain", parents=[common], help="show which clusters and objects disagree",
        description="Trace the disagreement of two clusterings to splits, merges, moves and "
                    "objects. The files are as for compare.")
    add_file_arguments(explain, policies=True)
    explain.add_argument("--measure", default="adjusted_rand_index", metavar="NAME",
                         help="a measure, or a term from another field (default: %(default)s)")
    explain.add_argument("--names", metavar="A,B", help="names of the sides, such as "
                                                        "truth,found (default: the files)")
    explain.add_argument("--top", type=int, default=10, metavar="K",
                         help="number of objects to print (default: %(default)s)")
    explain.add_argument("--json", action="store_true", help="all shares as JSON")
    explain.add_argument("--plot", type=picture_file, metavar="FILE",
                         help="save the flow of objects as a picture")
    explain.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..comparison.explain import explain
    from ..measures import measure_of
    try:
        measure_of(options.measure)
    except ValueError as error:
        parser.error(str(error))
    if options.missing == "bounds":
        parser.error("--missing bounds gives ranges, which have no shares")
    names = (options.a, options.b)
    if options.names is not None:
        first, _, second = options.names.partition(",")
        if not first or not second or "," in second:
            parser.error(f"--names is {options.names!r}; two names joined by a comma are needed")
        names = first, second
    if options.top < 0:
        parser.error("--top needs a whole number >= 0")
    x, y, left_out, *_ = read_sides(options)
    why = explain(x, y, options.measure, names=names, top=options.top, noise=options.noise,
                  noise_label=label_values(options.noise_label),
                  missing="raise" if options.missing == "drop" else options.missing)
    if options.plot:
        save_plot(why, options.plot)
    if options.json:
        print(json.dumps(_data(why, left_out), indent=2))
    else:
        print("\n".join([str(why), *left_out]))
    return 0


def _data(why: Any, left_out: Any) -> dict[str, Any]:
    """All shares as JSON; nan is null."""
    import pandas as pd

    def rows(frame: pd.DataFrame) -> Any:
        return json.loads(frame.to_json(orient="records", double_precision=15))

    numbers, tables = ["value", "total"], ["objects"]
    if why.has_cells:
        numbers, tables = [*numbers, "split", "merge"], ["changes", "x", "y", "cells", *tables]
    return {"measure": why.measure, "unique": why.unique, "left_out": list(left_out),
            "sentences": why.changes.sentences() if why.has_cells else [],
            **rows(pd.DataFrame({name: [getattr(why, name)] for name in numbers}))[0],
            **{what: rows(why.to_frame(what).reset_index(drop=what in ("cells", "changes")))
               for what in tables}}
