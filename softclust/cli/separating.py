"""The command ``softclust separation``: which clusters of a table are apart, and which are one?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .._checks import ClusteringError
from ..reporting.command import names
from .arguments import label_values
from .files import read_table
from .output import finite, save_plot, say


def add_separation(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    separation = commands.add_parser(
        "separation", parents=[common], help="which given clusters are apart, and which are one?",
        description="Test which clusters, given by a column of labels, are apart from every other, "
                    "and which together are no more than one cluster cut in pieces.")
    separation.add_argument("file", metavar="FILE",
                            help="a table with numeric columns and labels, one row per object")
    separation.add_argument("--label", metavar="COLUMN", required=True,
                            help="column of the labels; rows without one count as noise")
    separation.add_argument("--drop", metavar="NAME[,NAME]", type=names, default=[],
                            help="columns to leave out")
    separation.add_argument("--scale", choices=("standard", "none"), default="none",
                            help="features with mean 0 and standard deviation 1, or unchanged "
                                 "(default: %(default)s)")
    separation.add_argument("--window", metavar="NUMBER", default="whole",
                            help="for curved or nested clusters: look at this many objects of each "
                                 "that are nearest to the gap, 25 or 15 (default: %(default)s)")
    separation.add_argument("--reference", choices=("uniform", "gaussian"), default="uniform",
                            help="shape of one cluster (default: %(default)s)")
    separation.add_argument("--min-size", metavar="NUMBER", type=int, default=10,
                            help="smaller clusters are not judged (default: %(default)s)")
    separation.add_argument("--noise-label", metavar="LABEL", default="-1",
                            help="label of noise (default: %(default)s)")
    separation.add_argument("--significance", metavar="P", type=float, default=0.05,
                            help="probability that pieces of one cluster are called apart, at most "
                                 "(default: %(default)s)")
    separation.add_argument("--seed", type=int, default=0, metavar="NUMBER",
                            help="seed (default: %(default)s)")
    separation.add_argument("--id", action=argparse.BooleanOptionalAction,
                            help="the first column is (not) an id")
    separation.add_argument("--header", action=argparse.BooleanOptionalAction,
                            help="the first line holds (no) column names")
    separation.add_argument("--separator", metavar="CHARACTER",
                            help="column separator; 'tab' is a tab (default: a comma)")
    separation.add_argument("--json", metavar="FILE", help="write the numbers as JSON; - writes "
                                                           "them to standard output")
    separation.add_argument("--plot", metavar="FILE", help="save the clusters as a picture")
    separation.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..selection import separation_test
    if options.window != "whole" and not options.window.isdecimal():
        parser.error(f"--window is {options.window}; whole or a number is needed")
    separator = "\t" if options.separator == "tab" else options.separator
    table = read_table(options.file, has_id=options.id, header=options.header, separator=separator)
    if table.guessed and table.id_column is not None:
        say(f"note: {table.id_text} is used as id (--no-id: it is data)")
    for name in (options.label, *options.drop):
        if name not in table.frame.columns:
            raise ClusteringError(f"{options.file} has no column {name!r}; its columns are "
                                  f"{', '.join(map(repr, table.frame.columns))}")
    features = table.frame.drop(columns=[options.label, *options.drop])
    words = features.select_dtypes(exclude="number").columns
    if len(words):
        raise ClusteringError(f"{options.file} has columns that are not numeric: "
                              f"{', '.join(map(repr, words))}; --drop {','.join(words)} leaves "
                              "them out")
    x = features.to_numpy(float)
    if options.scale == "standard":
        from sklearn.preprocessing import StandardScaler
        x = StandardScaler().fit_transform(x)
    found = separation_test(
        x, table.frame[options.label].to_numpy(), reference=options.reference,
        window="whole" if options.window == "whole" else int(options.window),
        min_size=options.min_size, noise_label=label_values(options.noise_label),
        significance=options.significance, rng=options.seed, progress=sys.stderr.isatty())
    if options.plot:
        save_plot(found, options.plot)
    frame, pairs = found.to_frame(), found.pairs.to_frame()
    data = {"sentence": found.sentence, "n_groups": found.n_groups, "window": found.window,
            "reference": found.reference, "n_references": found.n_references,
            "significance": found.significance, "clusters": _rows(frame), "pairs": _rows(pairs),
            "labels": found.labels.tolist(), "notes": list(found.notes)}
    numbers = json.dumps(data, indent=2, ensure_ascii=False)
    if options.json == "-":
        print(numbers)
        return 0
    if options.json:
        from ..results.writing import whole_file
        with whole_file(options.json) as file:
            file.write(numbers + "\n")
    print(found)
    return 0


def _rows(frame: Any) -> list[dict[str, Any]]:
    """Rows of a frame for JSON; undefined numbers are None."""
    return [{name: finite(value) if isinstance(value, float) else value
             for name, value in row.items()} for row in frame.to_dict("records")]
