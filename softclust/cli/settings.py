"""The command ``softclust settings``: which settings of a clusterer may be best?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .arguments import FORMAT, read_tables
from .files import check_numeric, read_table
from .options import Table, add_options, chosen
from .output import add_json, add_plot, write_result

#: options that are parameters of `compare_settings`
_OPTIONS: Table = {
    "estimator": {"flag": "--clusterer", "default": "KMeans",
                  "help": "class of scikit-learn or softclust"},
    "param_grid": {"flag": "--grid", "action": "append", "required": True,
                   "metavar": "NAME=VALUES",
                   "help": "values of a parameter, as first:last or with commas; may be repeated"},
    "scaled": {}, "n_blocks": {}, "n_references": {}, "level": {},
    "rng": {"flag": "--seed", "type": int, "metavar": "NUMBER",
            "help": "seed of halves and references"}}


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    from ..selection.settings import compare_settings
    parser.description = ("Compare settings of a clusterer on a table of numbers by the stability "
                          "of half-samples beyond that of data of one cluster. Features are "
                          "standardised.")
    parser.epilog = "Example: softclust settings x.csv --clusterer KMeans --grid n_clusters=2:8"
    parser.add_argument("file", metavar="FILE", help="file with one row per object")
    add_options(parser, compare_settings, _OPTIONS)
    parser.add_argument("--no-scale", action="store_true", help="do not standardise the features")
    add_options(parser, read_table, FORMAT)
    add_json(parser)
    add_plot(parser, "save the settings as a picture")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from sklearn.preprocessing import StandardScaler

    from ..selection.settings import clusterer_named, compare_settings
    try:
        options.estimator = clusterer_named(options.estimator)
    except ValueError as error:
        parser.error(f"--clusterer: {error}")
    options.param_grid = dict(_values(text, parser) for text in options.param_grid)
    if options.rng is not None and options.rng < 0:
        parser.error(f"--seed is {options.rng}; a whole number >= 0 is needed")
    [table] = read_tables(options, [options.file])
    check_numeric(options.file, table.frame)
    x = table.frame.to_numpy(dtype=float)
    if not options.no_scale:
        x = StandardScaler().fit_transform(x)
    found = compare_settings(x, **chosen(options, _OPTIONS), progress=sys.stderr.isatty())
    data = {"answer": found.answer, "best": found.best_name, "p_value": found.p[0],
            "level": found.level, "settings": found.to_frame("pandas").to_dict("records"),
            "notes": found.notes}
    write_result(options, found, data)
    return 0


def _values(text: str, parser: argparse.ArgumentParser) -> tuple[str, list[Any]]:
    """A parameter and its values from ``name=2:8`` or ``name=5,10``."""
    name, _, values = text.partition("=")
    first, colon, last = values.partition(":")
    try:
        if colon:
            return name, list(range(int(first), int(last) + 1))
        parts = [json.loads(part) for part in values.split(",")]
    except ValueError:
        parser.error(f"--grid {text!r} cannot be read; n_clusters=2:8 or eps=0.1,0.2 are examples "
                     '(text in quotes: linkage=\'"ward","average"\')')
    return name, parts
