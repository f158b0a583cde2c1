"""The command ``softclust replicate``: are the clusters of a table found again in another?"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from .._checks import ClusteringError
from ..reporting.command import whole_number
from .files import read_table
from .output import finite, output_file, picture_file, save_plot


def add_replicate(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    replicate = commands.add_parser(
        "replicate", parents=[common], help="are the clusters found again in other data?",
        description="Cluster the standardised rows of each file by k-means and compare the "
                    "clusters of each with those that another one gives to its rows, beside "
                    "random halves (ceiling) and data of one cluster (floor).",
        epilog="exit codes: 0 success, 1 problem with the data, 2 wrong usage, 130 interrupted "
               "(what was finished is shown, no file is written)")
    replicate.add_argument("files", metavar="FILE", nargs="+",
                           help="two or more files with the same numeric columns, one row per "
                                "object")
    replicate.add_argument("--clusters", metavar="K", type=int,
                           help="number of clusters (default: the number for which the first file "
                                "gives evidence, at least 2)")
    replicate.add_argument("--level", type=float, default=0.95, metavar="NUMBER",
                           help="confidence level of the intervals (default: %(default)s)")
    replicate.add_argument("--significance", type=float, default=0.05, metavar="NUMBER",
                           help="largest p-value that is evidence (default: %(default)s)")
    replicate.add_argument("--seed", type=whole_number, default=0, metavar="NUMBER",
                           help="seed (default: %(default)s)")
    replicate.add_argument("--id", action=argparse.BooleanOptionalAction,
                           help="the first column is (not) an id")
    replicate.add_argument("--header", action=argparse.BooleanOptionalAction,
                           help="the first line holds (no) column names")
    replicate.add_argument("--separator", metavar="CHARACTER",
                           help="column separator; 'tab' is a tab (default: a comma)")
    replicate.add_argument("--report", type=output_file, metavar="FILE",
                           help="write the tables as HTML")
    replicate.add_argument("--json", type=output_file, metavar="FILE",
                           help="write the numbers as JSON; - writes "
                                                          "them to standard output")
    replicate.add_argument("--plot", type=picture_file, metavar="FILE",
                           help="save the cohorts as a picture")
    replicate.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from sklearn.cluster import KMeans
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from ..selection import cluster_test
    from ..selection import replicate as compare_cohorts
    if len(options.files) < 2:
        parser.error("two or more files are needed")
    if options.clusters is not None and options.clusters < 2:
        parser.error(f"--clusters is {options.clusters}; at least 2 are needed")
    if not 0.0 < options.level < 1.0:
        parser.error(f"--level is {options.level:g}; a number between 0 and 1 is needed")
    if not 0.0 < options.significance <= 0.5:
        parser.error(f"--significance is {options.significance:g}; a number above 0 and at most "
                     "0.5 is needed, such as 0.05")
    separator = "\t" if options.separator == "tab" else options.separator
    cohorts: dict[str, Any] = {}
    for path in options.files:
        table = read_table(path, has_id=options.id, header=options.header, separator=separator)
        name = Path(path).stem
        if name in cohorts:
            name = path
        words = table.frame.select_dtypes(exclude="number").columns
        if len(words):
            raise ClusteringError(f"{path} has columns that are not numeric: "
                                  f"{', '.join(map(repr, words))}; leave them out")
        cohorts[name] = table.frame.reset_index(drop=True)
    k = options.clusters
    if k is None:
        first = StandardScaler().fit_transform(next(iter(cohorts.values())))
        test = cluster_test(first, significance=options.significance, rng=options.seed)
        if test.missing:
            raise KeyboardInterrupt
        k = max(2, test.best)
    found = compare_cohorts(cohorts, make_pipeline(StandardScaler(), KMeans(k, n_init=10)),
                            level=options.level, significance=options.significance,
                            rng=options.seed, progress=sys.stderr.isatty())
    if found.missing:   # nothing whole is replaced by what is not
        print(found)
        raise KeyboardInterrupt
    if options.plot:
        save_plot(found, options.plot)
    if options.report:
        from ..results.writing import whole_file
        with whole_file(options.report) as file:
            file.write(f"<!doctype html><meta charset=\"utf-8\"><title>Replication</title>"
                       f"{found.summary().as_html()}{found.to_frame().to_html(index=False)}\n")
    data = {"measure": found.measure, "n_clusters": k, "level": found.level,
            "significance": found.significance, "pairs": [
        {"from": a, "to": b, "sentence": found.sentence(a, b), "verdict": found.verdict(a, b),
         "replicated": found.replicated(a, b), **{name: finite(getattr(found, name)[s, t])
         for name in ("agreement", "se", "low", "high", "floor", "p_value")},
         "ceiling": finite(found.ceiling[t])}
        for s, a in enumerate(found.names) for t, b in enumerate(found.names) if s != t],
        "notes": list(found.notes)}
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
