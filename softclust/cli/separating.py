"""The command ``softclust separation``: which clusters of a table are apart, and which are one?"""

from __future__ import annotations

import argparse
import sys

from .._checks import ClusteringError
from .arguments import FORMAT, NOISE_LABEL, read_tables
from .files import check_numeric, read_table
from .options import Table, add_options, chosen, names
from .output import add_json, add_plot, write_result

#: options that are parameters of `separation_test`
_OPTIONS: Table = {
    "window": {"metavar": "NUMBER", "type": str,
               "help": "for curved or nested clusters: look at this many objects of each that are "
                       "nearest to the gap, 25 or 15"},
    "reference": {}, "min_size": {}, "significance": {"metavar": "P"},
    "rng": {"flag": "--seed", "type": int, "metavar": "NUMBER", "default": 0, "help": "seed"},
    **NOISE_LABEL}


def add_separation(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    from ..selection.separation import separation_test
    parser.description = (
        "Test which clusters, given by a column of labels, are apart from every other, and which "
        "together are no more than one cluster cut in pieces.")
    parser.add_argument("file", metavar="FILE",
                        help="a table with numeric columns and labels, one row per object")
    parser.add_argument("--label", metavar="COLUMN", required=True,
                        help="column of the labels; rows without one count as noise")
    parser.add_argument("--drop", metavar="NAME[,NAME]", type=names, default=[],
                        help="columns to leave out")
    parser.add_argument("--scale", choices=("standard", "none"), default="none",
                        help="features with mean 0 and standard deviation 1, or unchanged "
                             "(default: %(default)s)")
    add_options(parser, separation_test, _OPTIONS)
    add_options(parser, read_table, FORMAT)
    add_json(parser)
    add_plot(parser, "save the clusters as a picture")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..selection import separation_test
    if options.window != "whole" and not options.window.isdecimal():
        parser.error(f"--window is {options.window}; whole or a number is needed")
    [table] = read_tables(options, [options.file])
    for name in (options.label, *options.drop):
        if name not in table.frame.columns:
            raise ClusteringError(f"{options.file} has no column {name!r}; its columns are "
                                  f"{', '.join(map(repr, table.frame.columns))}")
    features = table.frame.drop(columns=[options.label, *options.drop])
    check_numeric(options.file, features, "--drop {} leaves them out")
    x = features.to_numpy(float)
    if options.scale == "standard":
        from sklearn.preprocessing import StandardScaler
        x = StandardScaler().fit_transform(x)
    if options.window != "whole":
        options.window = int(options.window)
    found = separation_test(x, table.frame[options.label].to_numpy(), **chosen(options, _OPTIONS),
                            progress=sys.stderr.isatty())
    frame, pairs = found.to_frame(), found.pairs.to_frame()
    data = {"sentence": found.sentence, "n_groups": found.n_groups, "window": found.window,
            "reference": found.reference, "n_references": found.n_references,
            "significance": found.significance, "clusters": frame.to_dict("records"),
            "pairs": pairs.to_dict("records"),
            "labels": found.labels.tolist(), "notes": list(found.notes)}
    write_result(options, found, data)
    return 0
