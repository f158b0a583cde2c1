"""The command ``softclust versions``: did the new version of a pipeline change the clusters?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .files import read_table, same_objects
from .output import finite, save_plot, say

#: exit code where the clusters changed
CHANGED = 3


def add_versions(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    versions = commands.add_parser(
        "versions", parents=[common], help="did a new version of a pipeline change the clusters?",
        description="Compare runs of two versions with different seeds. Each file has one row per "
                    "object and one column per run; rows are joined by id if both files have ids.",
        epilog="exit codes: 0 no evidence of a change, 3 changed, 1 problem with the data, 2 wrong "
               "usage")
    versions.add_argument("old", metavar="OLD", help="file with the runs of the old version")
    versions.add_argument("new", metavar="NEW", help="file with the runs of the new version")
    versions.add_argument("--measure", default="element_centric_index", metavar="NAME",
                          help="a measure of two clusterings (default: %(default)s)")
    versions.add_argument("--significance", type=float, default=0.05, metavar="NUMBER",
                          help="largest p-value that is evidence of a change (default: "
                               "%(default)s)")
    versions.add_argument("--level", help=argparse.SUPPRESS)
    versions.add_argument("--seed", type=int, metavar="NUMBER",
                          help="seed of random splits, used with many runs only")
    versions.add_argument("--id", action=argparse.BooleanOptionalAction,
                          help="the first column is (not) an id")
    versions.add_argument("--header", action=argparse.BooleanOptionalAction,
                          help="the first line holds (no) column names")
    versions.add_argument("--separator", metavar="CHARACTER",
                          help="column separator; 'tab' is a tab (default: a comma)")
    versions.add_argument("--json", metavar="FILE", help="also write the numbers as JSON; - writes "
                                                         "them to standard output")
    versions.add_argument("--plot", metavar="FILE", help="save the runs as a picture")
    versions.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..comparison.versions import compare_versions
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
    separator = "\t" if options.separator == "tab" else options.separator
    tables = [read_table(path, has_id=options.id, header=options.header, separator=separator)
              for path in (options.old, options.new)]
    old, new, _ = same_objects(tables[0], tables[1], "same")
    for table in (old, new):
        if table.guessed and table.id_column is not None:
            say(f"note: {table.id_text} is used as id (--no-id: it is data)")
    sides = [{str(name): table.frame[name].to_numpy() for name in table.frame.columns}
             for table in (old, new)]
    found = compare_versions(*sides, measure=measure, significance=options.significance,
                             rng=options.seed, progress=sys.stderr.isatty())
    if options.plot:
        save_plot(found, options.plot)
    data = {"measure": found.measure, "n_old": found.n_old, "n_new": found.n_new,
            "between": finite(found.between), "within_old": found.within_old,
            "within_new": found.within_new, "statistic": finite(found.statistic),
            "p_value": found.p_value, "changed": found.changed, "n_splits": found.n_splits,
            "exact": found.exact, "significance": found.significance, "sentence": found.sentence,
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
    return CHANGED if found.changed else 0
