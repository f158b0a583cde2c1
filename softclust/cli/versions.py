"""The command ``softclust versions``: did the new version of a pipeline change the clusters?"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from .._checks import ClusteringError
from .arguments import FORMAT, known_measure, read_tables
from .files import read_table, same_objects, without_missing
from .options import SEED, Table, add_options, chosen
from .output import add_json, add_plot, write_result

#: exit codes, as those of diff: 0 is no evidence of a change
CHANGED, CANNOT_TELL = 1, 2
#: options that are parameters of `compare_versions`
_OPTIONS: Table = {
    "measure": {}, "paired": {},
    "significance": {"help": "p-value up to which the versions differ"},
    "rng": {**SEED, "help": "seed of random splits, used with many runs only"}}


def add_versions(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    from ..comparison.versions import compare_versions
    parser.description = (
        "Compare runs of two versions of a pipeline. Each file has one row per object and one "
        "column per run, with its labels; rows are joined by id if both files have ids. Best are "
        "ten runs of each with the same ten seeds, and --paired.")
    parser.epilog = ("exit codes, as of diff: 0 no evidence of a change, 1 changed, 2 cannot tell, "
                     "problem with the data or wrong usage, 130 interrupted")
    for version in ("old", "new"):
        parser.add_argument(version, metavar=version.upper(),
                            help=f"file with the runs of the {version} version")
    add_options(parser, compare_versions, _OPTIONS)
    parser.add_argument("--level", help=argparse.SUPPRESS)
    parser.add_argument("--least-drop", type=float, default=0.0, metavar="NUMBER",
                        help="changes that lower the agreement by less are named, but exit with 0 "
                             "(default: %(default)s)")
    add_options(parser, same_objects, {"objects": {}})
    add_options(parser, without_missing, {"missing": {}})
    add_options(parser, read_table, FORMAT)
    add_json(parser)
    add_plot(parser, "save the runs as a picture")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    options.measure = known_measure(options.measure, parser).name
    if options.level is not None:
        parser.error("--level is that of confidence intervals, and there are none here; the "
                     "largest p-value that is evidence is --significance")
    if not 0.0 < options.significance <= 0.5:
        parser.error(f"--significance is {options.significance:g}; a number above 0 and at most "
                     "0.5 is needed, such as 0.05")
    if not options.least_drop >= 0.0:
        parser.error(f"--least-drop is {options.least_drop:g}; a number >= 0 is needed")
    try:
        return _compare(options)
    except (ValueError, OSError, ImportError) as error:
        error.exit_code = CANNOT_TELL   # type: ignore[union-attr]   # main reads it
        raise


def _compare(options: argparse.Namespace) -> int:
    from ..comparison.versions import compare_versions
    old, new = read_tables(options, [options.old, options.new])
    old, new, left_out = same_objects(old, new, options.objects)
    old, new, dropped = without_missing(old, new, (None, None), options.missing)
    for table in (old, new):
        for name, values in table.frame.items():
            if values.dtype.kind == "f" and (values % 1 != 0).any():
                raise ClusteringError(f"column {name!r} of {table.path} has fractions; columns are "
                                      "runs of labels (soft runs: compare_versions in Python)")
    sides = [{str(name): table.frame[name].to_numpy() for name in table.frame.columns}
             for table in (old, new)]
    found = compare_versions(*sides, **chosen(options, _OPTIONS), progress=sys.stderr.isatty())
    found = replace(found, notes=(*left_out, *dropped, *found.notes))
    small = bool(found.changed) and found.drop < options.least_drop
    data = {name: getattr(found, name) for name in (
        "measure", "n_old", "n_new", "paired", "between", "within_old", "within_new", "matched",
        "drop", "statistic", "p_value", "smallest_p", "seeds_p", "changed", "n_splits", "exact",
        "significance", "sentence")}
    data |= {"least_drop": options.least_drop, "clusters": [*found.clusters],
             "notes": list(found.notes)}
    write_result(options, found, data)
    if small and options.json != "-":
        print(f"Changed, but by less than {options.least_drop:g}.")
    if found.changed is None:
        return CANNOT_TELL
    return CHANGED if found.changed and not small else 0
