"""The command ``softclust report``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from ..results.writing import check_writable
from .data import MISSING, NOISE
from .features import MISSING_VALUES
from .plan import ALGORITHMS, ALL, DEFAULT_CLUSTERS, check_algorithms

INTERRUPTED = 130
#: options that change a report, with their defaults
_USUAL = {"label": None, "groups": None, "compare": None, "cohort": None,
          "clusters": DEFAULT_CLUSTERS, "algorithms": None, "columns": None, "drop": None,
          "id": None, "separator": None, "sample_size": None, "scale": "standard",
          "noise": "cluster", "noise_label": "-1", "missing": "drop", "decimal": ".",
          "header": None, "quick": False, "auto": False, "missing_values": "raise",
          "no_pictures": False}


def add_report(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's commands."""
    report = commands.add_parser(
        "report", parents=[common], help="cluster a table and explain what was found, as HTML",
        description="Cluster the rows of a CSV, .tsv or .parquet file by several algorithms, "
                    "choose the number of clusters, compare the clusterings with known groups and "
                    "with each other, and write the results, with pictures and explanations, as "
                    "a single HTML file.",
        epilog="Every column but ids, the label and those left out is a feature and must be "
               "numeric; nothing is left out or filled in without an option. Ctrl-C writes what is "
               "finished. The same data, options and versions give the same report, but for its "
               "date (--date, or SOURCE_DATE_EPOCH).")
    report.add_argument("data", metavar="DATA", help="the table, one row per object")
    report.add_argument("--label", metavar="COLUMN",
                        help="known groups, compared with the clusters and never used to find them")
    report.add_argument("--groups", metavar="COLUMN",
                        help="column of the sampled groups, such as patients: confidence "
                             "intervals take whole groups as the sample")
    report.add_argument("--compare", metavar="FILE",
                        help="clusters of the same objects, such as last week's: ids and one "
                             "column of labels; the report says what changed")
    report.add_argument("--cohort", metavar="FILE",
                        help="a table of other objects with the same features; the report says "
                             "whether the clusters are found again")
    report.add_argument("--clusters", metavar="K", type=numbers_of, default=DEFAULT_CLUSTERS,
                        help="number of clusters, such as 3, or a range to choose from, such as "
                             "2:6 (default: 2:6, or up to one more than the groups of the "
                             "label)")
    report.add_argument("--out", metavar="FILE", default="report.html",
                        help="the report; an older one is replaced (default: %(default)s)")
    report.add_argument("--json", metavar="FILE",
                        help="also write all numbers as JSON; - writes them to standard output")
    report.add_argument("--clusters-out", metavar="FILE",
                        help="also write the id and the cluster of each object as CSV")
    report.add_argument("--algorithms", metavar="NAME[,NAME]", type=algorithm_names,
                        help=f"of {', '.join(ALGORITHMS)} (default: all; always k-means)")
    features = report.add_mutually_exclusive_group()
    features.add_argument("--columns", metavar="NAME[,NAME]", type=names,
                          help="the features; all other columns are left out")
    features.add_argument("--drop", metavar="NAME[,NAME]", type=names, help="columns to leave out")
    report.add_argument("--auto", action="store_true",
                        help="text of at most 20 values becomes indicators, dates become days; "
                             "leave out other text, constant columns and (but for "
                             "--missing-values) rows with missing values; the report lists all")
    ids = report.add_mutually_exclusive_group()
    ids.add_argument("--id", metavar="COLUMN",
                     help="ids of the objects (default: the first column when it looks like ids; "
                          "softclust compare --help has the rule)")
    ids.add_argument("--no-id", dest="id", action="store_const", const=False,
                     help="the first column is not an id")
    report.add_argument("--scale", choices=("standard", "none"), default="standard",
                        help="features with mean 0 and standard deviation 1, or unchanged "
                             "(default: %(default)s)")
    report.add_argument("--missing-values", choices=MISSING_VALUES, default="raise",
                        help="missing values of features are an error (the default), their rows "
                             "are left out (drop), or medians stand for numbers and a value of "
                             "its own for text (median); --missing is for the label")
    report.add_argument("--noise", choices=NOISE, default="cluster",
                        help="objects with the noise label are one more group (the default), left "
                             "out of the comparisons with the label (drop), or an error (raise)")
    report.add_argument("--noise-label", metavar="LABEL", default="-1",
                        help="label of noise (default: %(default)s)")
    report.add_argument("--missing", choices=MISSING, default="drop",
                        help="objects without a label are left out of the comparisons with it "
                             "(the default), one more group (cluster), or an error (raise)")
    report.add_argument("--separator", metavar="CHARACTER", type=character,
                        help="of columns; 'tab' is a tab (default: a comma; a tab for .tsv)")
    report.add_argument("--decimal", metavar="CHARACTER", type=character, default=".",
                        help="decimal point (default: %(default)s)")
    report.add_argument("--header", action=argparse.BooleanOptionalAction,
                        help="the first line holds (no) column names")
    report.add_argument("--quick", action="store_true",
                        help="fewer starts and replicates, smaller samples")
    report.add_argument("--sample-size", metavar="NUMBER", type=sample_size,
                        help="objects sampled for computations on pairs of objects, or "
                             "'all' (default: 4000 for the number of clusters, 10000 for the "
                             "agreement of the clusterings, fewer with --quick)")
    report.add_argument("--no-pictures", action="store_true", help="only numbers and text")
    report.add_argument("--seed", type=partial(whole_number, low=0, high=2**32 - 1), default=0,
                        metavar="NUMBER", help="of everything random (default: %(default)s)")
    report.add_argument("--threads", type=partial(whole_number, low=1), metavar="NUMBER",
                        help="maximum number of threads; the results do not depend on it")
    report.add_argument("--date", metavar="TEXT", help="date of the report (default: today)")
    report.set_defaults(run=run_report)


def run_report(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make the report and write it; the exit code."""
    named = {"--out": options.out, "--json": options.json, "--clusters-out": options.clusters_out}
    named = {name: path for name, path in named.items() if path not in (None, "-")}
    for (a, first), (b, second) in combinations(named.items(), 2):
        if os.path.realpath(first) == os.path.realpath(second):
            parser.error(f"{a} and {b} are both {second}; give two names")
    targets = [Path(path) for path in named.values()]
    for target in targets:
        check_target(target, options.data)
    if options.threads is not None:
        from ..running.threads import set_num_threads
        set_num_threads(options.threads)
    from .page import jinja
    from .run import make_report
    jinja()   # a missing jinja2 is said before the work
    reading = {name: getattr(options, name) for name in (
        "label", "groups", "compare", "cohort", "columns", "drop", "id", "scale",
        "missing_values", "noise", "noise_label", "missing", "auto", "header", "separator",
        "decimal")}
    try:
        result = make_report(
            options.data, n_clusters=options.clusters, algorithms=options.algorithms,
            quick=options.quick, pictures=not options.no_pictures, seed=options.seed,
            date=options.date, progress=sys.stderr.isatty(), command=command_of(options),
            options=reading | {"dashes": True}, sample_size=options.sample_size)
    except KeyboardInterrupt:
        if options.debug:
            raise
        _say(f"interrupted while the table was read; nothing was computed, and {options.out} was "
             "not written")
        return INTERRUPTED
    if result.objects.id_guessed:
        _say(f"note: column {result.objects.id_column!r} is taken as id (--no-id: it is data)")
    if not result.complete:
        _say(f"interrupted during: {result.interrupted}; writing what is finished")
        # A whole report stays.
        options.out, options.json = (
            name if name in (None, "-") or not Path(name).exists()
            else str(Path(name).with_suffix(f".unfinished{Path(name).suffix}"))
            for name in (options.out, options.json))
    result.to_html(options.out)
    if options.clusters_out is not None:
        result.to_csv(options.clusters_out)
    if options.json == "-":
        import json
        print(json.dumps(result.to_data(), indent=2, allow_nan=False, ensure_ascii=False))
    elif options.json is not None:
        result.to_json(options.json)
    if options.json != "-":
        print(result.summary())
    for fit in result.fits:
        if fit.failure:
            _say(f"note: {fit.title}: {fit.failure}")
    if not result.complete:
        _say(f"interrupted; what was finished is in {options.out}")
        return INTERRUPTED
    _say(f"report written to {' and '.join(str(t) for t in targets)}")
    return 0


def _say(text: str) -> None:
    print(f"softclust: {text}", file=sys.stderr)


# -- the values of options: what is wrong ends with exit code 2 before any work --------------------
def names(text: str) -> list[str]:
    """Names joined by commas."""
    listed = [name.strip() for name in text.split(",") if name.strip()]
    if not listed:
        raise argparse.ArgumentTypeError("names nothing; give names joined by commas")
    return listed


def algorithm_names(text: str) -> list[str]:
    """Names of algorithms."""
    try:
        check_algorithms(names(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return names(text)


def character(text: str) -> str:
    """One character; "tab" is a tab."""
    if text != "tab" and len(text) != 1:
        raise argparse.ArgumentTypeError(f"{text!r}; one character is needed")
    return "\t" if text == "tab" else text


def whole_number(text: str, low: int = 0, high: int = 2**63 - 1) -> int:
    """A whole number from `low` to `high`."""
    if not text.lstrip("-").isdecimal() or not low <= int(text) <= high:
        raise argparse.ArgumentTypeError(f"{text!r}; a whole number >= {low} and <= {high} is "
                                         "needed")
    return int(text)


def sample_size(text: str) -> int | str:
    """A number of objects, or all."""
    if text != ALL and not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r}; a whole number or {ALL} is needed")
    return ALL if text == ALL else int(text)


def numbers_of(text: str) -> list[int]:
    """3 -> [3]; 2:6 -> [2, 3, 4, 5, 6]; 2,4 -> [2, 4]."""
    try:
        if ":" in text:
            first, last = (int(part) for part in text.split(":"))
            ks = list(range(first, last + 1))
        else:
            ks = [int(part) for part in text.split(",")]
    except ValueError:
        ks = []
    if not ks or min(ks) < 2 or len(set(ks)) < len(ks):
        raise argparse.ArgumentTypeError(f"{text!r}; a number >= 2 such as 3, a range such as 2:6 "
                                         "or a list such as 2,4,8 is needed")
    return ks


def check_target(path: Path, data: str) -> None:
    """Raise before the work when `path` cannot be written or is the data file."""
    if path.exists() and Path(data).exists() and path.samefile(data):
        raise ValueError(f"{path} is the data file; the report would replace it: give another "
                         "name")
    check_writable(path)


def command_of(options: argparse.Namespace) -> str:
    """The command line that makes this report again (without where it is written)."""
    parts = ["softclust", "report", Path(options.data).name]
    for name, usual in _USUAL.items():
        value, flag = getattr(options, name), f"--{name.replace('_', '-')}"
        if value == usual:
            continue
        if value is False:
            parts.append(f"--no-{name}")
        elif value is True:
            parts.append(flag)
        elif name == "clusters" and len(value) > 1 and value == list(range(value[0],
                                                                           value[-1] + 1)):
            parts += [flag, f"{value[0]}:{value[-1]}"]
        else:
            parts += [flag, ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    return shlex.join([*parts, "--seed", str(options.seed)])
