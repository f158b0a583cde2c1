"""The command ``softclust replicate``: are the clusters of a table found again in another?"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..results.writing import whole_file
from .arguments import FORMAT
from .files import check_numeric, read_table
from .options import SEED, Table, add_options, chosen
from .output import add_json, add_plot, output_file, write_result

#: options that are parameters of `replicate`
_OPTIONS: Table = {"level": {}, "significance": {},
                   "rng": {**SEED, "default": 0, "help": "seed"}}


def add_replicate(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    from ..selection.replication import replicate
    parser.description = (
        "Cluster the standardised rows of each file by k-means and compare the clusters of each "
        "with those that another one gives to its rows, beside random halves (ceiling) and data of "
        "one cluster (floor).")
    parser.epilog = ("exit codes: 0 success, 1 problem with the data, 2 wrong usage, 130 "
                     "interrupted (what was finished is shown, no file is written)")
    parser.add_argument("files", metavar="FILE", nargs="+",
                        help="two or more files with the same numeric columns, one row per object")
    parser.add_argument("--clusters", metavar="K", type=int,
                        help="number of clusters (default: the number for which the first file "
                             "gives evidence, at least 2)")
    add_options(parser, replicate, _OPTIONS)
    add_options(parser, read_table, FORMAT)
    parser.add_argument("--report", type=output_file, metavar="FILE",
                        help="write the tables as HTML")
    add_json(parser)
    add_plot(parser, "save the cohorts as a picture")
    parser.set_defaults(run=_run)


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
    cohorts: dict[str, Any] = {}
    for path in options.files:
        table = read_table(path, **chosen(options, FORMAT))
        name = Path(path).stem
        if name in cohorts:
            name = path
        check_numeric(path, table.frame)
        cohorts[name] = table.frame.reset_index(drop=True)
    k = options.clusters
    if k is None:
        first = StandardScaler().fit_transform(next(iter(cohorts.values())))
        test = cluster_test(first, significance=options.significance, rng=options.rng)
        if test.missing:
            raise KeyboardInterrupt
        k = max(2, test.best)
    found = compare_cohorts(cohorts, make_pipeline(StandardScaler(), KMeans(k, n_init=10)),
                            **chosen(options, _OPTIONS), progress=sys.stderr.isatty())
    if found.missing:   # nothing whole is replaced by what is not
        print(found)
        raise KeyboardInterrupt
    if options.report:
        with whole_file(options.report) as file:
            file.write(f"<!doctype html><meta charset=\"utf-8\"><title>Replication</title>"
                       f"{found.summary().as_html()}{found.to_frame().to_html(index=False)}\n")
    data = {"measure": found.measure, "n_clusters": k, "level": found.level,
            "significance": found.significance, "pairs": [
        {"from": a, "to": b, "sentence": found.sentence(a, b), "verdict": found.verdict(a, b),
         "replicated": found.replicated(a, b), **{name: getattr(found, name)[s, t]
         for name in ("agreement", "se", "low", "high", "floor", "p_value")},
         "ceiling": found.ceiling[t]}
        for s, a in enumerate(found.names) for t, b in enumerate(found.names) if s != t],
        "notes": list(found.notes)}
    write_result(options, found, data)
    return 0
