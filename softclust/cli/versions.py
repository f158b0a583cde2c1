"""The command ``softclust versions``: did the new version of a pipeline change the clusters?"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from typing import Any

from .._checks import ClusteringError
from ..reporting.command import whole_number
from .files import read_table, same_objects, without_missing
from .output import output_file, picture_file, save_plot, say

#: exit codes, as those of diff: 0 is no evidence of a change
CHANGED, CANNOT_TELL = 1, 2


def add_versions(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    versions = commands.add_parser(
        "versions", parents=[common], help="did a new version of a pipeline change the clusters?",
        description="Compare runs of two versions of a pipeline. Each file has one row per object "
                    "and one column per run, with its labels; rows are joined by id if both files "
                    "have ids. Best are ten runs of each with the same ten seeds, and --paired.",
        epilog="exit codes, as of diff: 0 no evidence of a change, 1 changed, 2 cannot tell, "
               "problem with the data or wrong usage, 130 interrupted")
    versions.add_argument("old", metavar="OLD", help="file with the runs of the old version")
    versions.add_argument("new", metavar="NEW", help="file with the runs of the new version")
    versions.add_argument("--measure", default="element_centric_index", metavar="NAME",
                          help="a measure of two clusterings (default: %(default)s)")
    versions.add_argument("--paired", action="store_true",
                          help="run i of both files has the same seed")
    versions.add_argument("--significance", type=float, default=0.05, metavar="NUMBER",
                          help="p-value up to which the versions differ (default: %(default)s)")
    versions.add_argument("--level", help=argparse.SUPPRESS)
    versions.add_argument("--least-drop", type=float, default=0.0, metavar="NUMBER",
                          help="changes that lower the agreement by less are named, but exit with "
                               "0 (default: %(default)s)")
    versions.add_argument("--objects", choices=("same", "common"), default="same",
                          help="common: leave out objects that only one file has")
    versions.add_argument("--missing", choices=("raise", "drop"), default="raise",
                          help="drop: leave out objects that lack a label in a run")
    versions.add_argument("--seed", type=whole_number, metavar="NUMBER",
                          help="seed of random splits, used with many runs only")
    versions.add_argument("--id", action=argparse.BooleanOptionalAction,
                          help="the first column is (not) an id")
    versions.add_argument("--header", action=argparse.BooleanOptionalAction,
                          help="the first line holds (no) column names")
    versions.add_argument("--separator", metavar="CHARACTER",
                          help="column separator; 'tab' is a tab (default: a comma)")
    versions.add_argument("--json", type=output_file, metavar="FILE",
                          help="also write the numbers as JSON; - writes "
                                                         "them to standard output")
    versions.add_argument("--plot", type=picture_file, metavar="FILE",
                          help="save the runs as a picture")
    versions.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..measures import measure_of
    try:
        measure = measure_of(options.measure).name
    except ValueError as error:
        parser.error(str(error))
    if options.level is not None:
        parser.error("--level is that of confidence intervals, and there are none here; the "
                     "largest p-value that is evidence is --significance")
    if not 0.0 < options.significance <= 0.5:
        parser.error(f"--significance is {options.significance:g}; a number above 0 and at most "
                     "0.5 is needed, such as 0.05")
    if not options.least_drop >= 0.0:
        parser.error(f"--least-drop is {options.least_drop:g}; a number >= 0 is needed")
    if options.seed is not None and options.seed < 0:
        parser.error(f"--seed is {options.seed}; a whole number >= 0 is needed")
    try:
        return _compare(options, measure)
    except (ValueError, OSError, ImportError) as error:
        error.exit_code = CANNOT_TELL   # type: ignore[union-attr]   # main reads it
        raise


def _compare(options: argparse.Namespace, measure: str) -> int:
    from ..comparison.versions import compare_versions
    separator = "\t" if options.separator == "tab" else options.separator
    tables = [read_table(path, has_id=options.id, header=options.header, separator=separator)
              for path in (options.old, options.new)]
    old, new, left_out = same_objects(tables[0], tables[1], options.objects)
    old, new, dropped = without_missing(old, new, (None, None), options.missing)
    for table in (old, new):
        if table.guessed and table.id_column is not None:
            say(f"note: {table.id_text} is used as id (--no-id: it is data)")
        for name, values in table.frame.items():
            if values.dtype.kind == "f" and (values % 1 != 0).any():
                raise ClusteringError(f"column {name!r} of {table.path} has fractions; columns are "
                                      "runs of labels (soft runs: compare_versions in Python)")
    sides = [{str(name): table.frame[name].to_numpy() for name in table.frame.columns}
             for table in (old, new)]
    found = compare_versions(*sides, measure=measure, paired=options.paired,
                             significance=options.significance, rng=options.seed,
                             progress=sys.stderr.isatty())
    found = replace(found, notes=(*left_out, *dropped, *found.notes))
    small = bool(found.changed) and found.drop < options.least_drop
    if options.plot:
        save_plot(found, options.plot)
    data = {name: getattr(found, name) for name in (
        "measure", "n_old", "n_new", "paired", "between", "within_old", "within_new", "matched",
        "drop", "statistic", "p_value", "smallest_p", "seeds_p", "changed", "n_splits", "exact",
        "significance", "sentence")}
    data |= {"least_drop": options.least_drop, "clusters": [*found.clusters],
             "notes": list(found.notes)}
    text = json.dumps(data, indent=2, ensure_ascii=False)
    if options.json == "-":
        print(text)
    else:
        if options.json:
            from ..results.writing import whole_file
            with whole_file(options.json) as file:
                file.write(text + "\n")
        print(found)
        if small:
            print(f"Changed, but by less than {options.least_drop:g}.")
    if found.changed is None:
        return CANNOT_TELL
    return CHANGED if found.changed and not small else 0
