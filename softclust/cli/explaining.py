"""The command ``softclust explain``: the clusters and objects on which two files disagree."""

from __future__ import annotations

import argparse
import json
from typing import Any

from .arguments import add_file_arguments, known_measure, read_sides
from .options import Table, add_options, chosen
from .output import add_plot, save_plot

#: options that are parameters of `explain`
_OPTIONS: Table = {
    "measure": {}, "top": {"metavar": "K"},
    "names": {"metavar": "A,B", "default": None,
              "help": "names of the sides, such as truth,found (default: the files)"}}


def add_explain(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    from ..comparison.explain import explain
    parser.description = ("Trace the disagreement of two clusterings to splits, merges, moves and "
                          "objects. The files are as for compare.")
    add_file_arguments(parser, policies=True)
    add_options(parser, explain, _OPTIONS)
    parser.add_argument("--json", action="store_true", help="all shares as JSON")
    add_plot(parser, "save the flow of objects as a picture")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..comparison.explain import explain
    known_measure(options.measure, parser)
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
    why: Any = explain(
        x, y, **chosen(options, _OPTIONS) | {"names": names}, noise=options.noise,
        noise_label=options.noise_label,
        missing="raise" if options.missing == "drop" else options.missing)
    if options.plot:
        save_plot(why, options.plot)
    if not options.json:
        print("\n".join([str(why), *left_out]))
        return 0

    # All shares as JSON; nan is null.
    import pandas as pd

    def rows(frame: pd.DataFrame) -> Any:
        return json.loads(frame.to_json(orient="records", double_precision=15))

    numbers, tables = ["value", "total"], ["objects"]
    if why.has_cells:
        numbers, tables = [*numbers, "split", "merge"], ["changes", "x", "y", "cells", *tables]
    data = {"measure": why.measure, "unique": why.unique, "left_out": list(left_out),
            "sentences": why.changes.sentences() if why.has_cells else [],
            **rows(pd.DataFrame({name: [getattr(why, name)] for name in numbers}))[0],
            **{what: rows(why.to_frame(what).reset_index(drop=what in ("cells", "changes")))
               for what in tables}}
    print(json.dumps(data, indent=2))
    return 0
