"""The command ``softclust report``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from .._checks import shown
from .data import MISSING, NOISE
from .plan import ALGORITHMS, ALL

INTERRUPTED = 130


def add_report(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's commands."""
    report = commands.add_parser(
        "report", parents=[common], help="cluster a table and explain what was found, as HTML",
        description="Cluster the rows of a CSV, .tsv or .parquet file by several algorithms, "
                    "choose the number of clusters, compare the clusterings with known groups and "
                    "with each other, and write what was found, with pictures and explanations, as "
                    "one HTML file that needs nothing else.",
        epilog="Every column but ids, the label and those left out is a feature and must be "
               "numeric; nothing is left out or filled in without an option. Ctrl-C writes what is "
               "finished. The same data, options and versions give the same report, but for its "
               "date (--date, or SOURCE_DATE_EPOCH).")
    report.add_argument("data", metavar="DATA", help="the table, one row per object")
    report.add_argument("--label", metavar="COLUMN",
                        help="known groups, compared with the clusters and never used to find them")
    report.add_argument("--clusters", metavar="K",
                        help="number of clusters, such as 3, or a range to choose from, such as "
                             "2:6 (default: 2:6, or up to one more than the groups of the "
                             "label)")
    report.add_argument("--out", metavar="FILE", default="report.html",
                        help="the report; an older one is replaced (default: %(default)s)")
    report.add_argument("--json", metavar="FILE",
                        help="also write all numbers as JSON; - writes them to standard output")
    report.add_argument("--algorithms", metavar="NAME[,NAME]",
                        help=f"of {', '.join(ALGORITHMS)} (default: all; k-means is always there)")
    report.add_argument("--columns", metavar="NAME[,NAME]",
                        help="the features; all other columns are left out")
    report.add_argument("--drop", metavar="NAME[,NAME]", help="columns to leave out")
    report.add_argument("--auto", action="store_true",
                        help="leave out columns that are not numeric or constant, and rows with "
                             "missing values; the report lists them")
    report.add_argument("--id", metavar="COLUMN",
                        help="ids of the objects (default: the first column when it looks like "
                             "ids; softclust compare --help has the rule)")
    report.add_argument("--no-id", action="store_true", help="the first column is not an id")
    report.add_argument("--scale", choices=("standard", "none"), default="standard",
                        help="features with mean 0 and deviation 1, or as they are "
                             "(default: %(default)s)")
    report.add_argument("--drop-missing", action="store_true",
                        help="leave out rows with missing values (without it they are an error)")
    report.add_argument("--noise", choices=NOISE, default="cluster",
                        help="objects with the noise label are one more group (the default), left "
                             "out of the comparisons with the label (drop), or an error (raise)")
    report.add_argument("--noise-label", metavar="LABEL", default="-1",
                        help="label of noise (default: %(default)s)")
    report.add_argument("--missing", choices=MISSING, default="drop",
                        help="objects without a label are left out of the comparisons with it "
                             "(the default), one more group (cluster), or an error (raise)")
    report.add_argument("--separator", metavar="CHARACTER",
                        help="of columns; 'tab' is a tab (default: a comma; a tab for .tsv)")
    report.add_argument("--decimal", metavar="CHARACTER", default=".",
                        help="decimal point (default: %(default)s)")
    report.add_argument("--header", action=argparse.BooleanOptionalAction,
                        help="the first line holds (no) column names")
    report.add_argument("--quick", action="store_true",
                        help="fewer starts and replicates, smaller samples")
    report.add_argument("--sample-size", metavar="NUMBER",
                        help="objects drawn at random for what looks at pairs of objects, or "
                             "'all' (default: 4000 for the number of clusters, 10000 for the "
                             "agreement of the clusterings, fewer with --quick)")
    report.add_argument("--no-pictures", action="store_true", help="only numbers and text")
    report.add_argument("--seed", type=int, metavar="NUMBER", default=0,
                        help="of everything random (default: %(default)s)")
    report.add_argument("--threads", type=int, metavar="NUMBER",
                        help="most threads to use; the numbers do not depend on it")
    report.add_argument("--date", metavar="TEXT", help="date of the report (default: today)")
    report.set_defaults(run=run_report)


def run_report(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Make the report and write it; the exit code."""
    clusters = check_usage(options, parser)
    targets = [Path(options.out)] + ([Path(options.json)] if options.json not in (None, "-")
                                     else [])
    for target in targets:
        check_target(target, options.data)
    if options.threads is not None:
        from .._parallel import set_num_threads
        set_num_threads(options.threads)
    from .page import jinja
    from .run import make_report
    jinja()   # a missing jinja2 is said before the work
    given = {"label": options.label, "columns": names(options.columns),
             "drop": names(options.drop), "id": False if options.no_id else options.id,
             "scale": options.scale, "drop_missing": options.drop_missing,
             "noise": options.noise, "noise_label": options.noise_label,
             "missing": options.missing, "auto": options.auto,
             "header": options.header, "separator": options.separator,
             "decimal": options.decimal, "dashes": True}
    try:
        found = make_report(
            options.data, clusters=clusters, algorithms=names(options.algorithms),
            quick=options.quick, pictures=not options.no_pictures, seed=options.seed,
            date=options.date, progress=sys.stderr.isatty(), command=command_of(options),
            options=given, sample_size=options.sample_size)
    except KeyboardInterrupt:
        if options.debug:
            raise
        _say(f"interrupted while the table was read; nothing was computed, and {options.out} was "
             "not written")
        return INTERRUPTED
    if found.objects.id_guessed:
        _say(f"note: column {found.objects.id_column!r} is taken as id (--no-id: it is data)")
    if not found.complete:
        _say(f"interrupted during: {found.interrupted}; writing what is finished")
    found.to_html(options.out)
    if options.json == "-":
        import json
        print(json.dumps(found.to_data(), indent=2, allow_nan=False, ensure_ascii=False))
    elif options.json is not None:
        found.to_json(options.json)
    if options.json != "-":
        print(found.summary())
    for fit in found.fits:
        if fit.failure:
            _say(f"note: {fit.title}: {fit.failure}")
    if not found.complete:
        _say(f"interrupted; what was finished is in {options.out}")
        return INTERRUPTED
    _say(f"report written to {' and '.join(str(t) for t in targets)}")
    return 0


def _say(text: str) -> None:
    print(f"softclust: {text}", file=sys.stderr)


def names(text: str | None) -> list[str] | None:
    """Names joined by commas."""
    if text is None:
        return None
    return [name.strip() for name in text.split(",") if name.strip()]


def check_usage(options: argparse.Namespace, parser: argparse.ArgumentParser) -> Any:
    """The numbers of clusters; wrong arguments end with exit code 2 before any work."""
    from .plan import DEFAULT_CLUSTERS, check_algorithms
    for name in ("columns", "drop", "algorithms"):
        if getattr(options, name) is not None and not names(getattr(options, name)):
            parser.error(f"--{name} names nothing; give names joined by commas")
    if options.columns and options.drop:
        parser.error("--columns and --drop exclude each other; what is not among the columns "
                     "named is left out")
    if options.id is not None and options.no_id:
        parser.error("--id and --no-id exclude each other")
    if not 0 <= options.seed < 2**32:
        parser.error(f"--seed is {options.seed}; a whole number from 0 to {2**32 - 1} is needed")
    if options.threads is not None and options.threads < 1:
        parser.error(f"--threads is {options.threads}; a whole number >= 1 is needed")
    if options.sample_size not in (None, ALL):
        if not options.sample_size.isdecimal():
            parser.error(f"--sample-size is {options.sample_size!r}; a whole number or {ALL} is "
                         "needed")
        options.sample_size = int(options.sample_size)
    if options.json not in (None, "-") and os.path.realpath(options.json) == os.path.realpath(
            options.out):
        parser.error(f"--out and --json are both {options.json}; give two names")
    if options.separator == "tab":
        options.separator = "\t"
    for name in ("separator", "decimal"):
        value = getattr(options, name)
        if value is not None and len(value) != 1:
            parser.error(f"--{name} is {value!r}; one character is needed")
    try:
        check_algorithms(names(options.algorithms))
    except ValueError as error:
        parser.error(str(error))
    try:
        return DEFAULT_CLUSTERS if options.clusters is None else numbers_of(options.clusters)
    except ValueError as error:
        parser.error(str(error))


def numbers_of(text: str) -> list[int]:
    """3 -> [3]; 2:6 -> [2, 3, 4, 5, 6]; 2,4 -> [2, 4]."""
    wanted = "a number such as 3, a range such as 2:6 or a list such as 2,4,8"
    try:
        if ":" in text:
            first, last = (int(part) for part in text.split(":"))
            ks = list(range(first, last + 1))
        else:
            ks = [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"--clusters is {shown(text)}; {wanted} is needed") from None
    if not ks:
        raise ValueError(f"--clusters is {shown(text)}, from large to small; {wanted} is needed")
    if min(ks) < 2:
        raise ValueError(f"--clusters is {shown(text)}; at least 2 clusters are needed")
    if len(set(ks)) < len(ks):
        raise ValueError(f"--clusters is {shown(text)} and names a number twice")
    return ks


def check_target(path: Path, data: str) -> None:
    """Raise before the work when `path` cannot be written or is the data file."""
    if path.exists() and Path(data).exists() and path.samefile(data):
        raise ValueError(f"{path} is the data file; the report would replace it: give another "
                         "name")
    if path.is_dir():
        raise IsADirectoryError(21, "Is a directory; the name of a file is needed", str(path))
    folder = path.parent
    if not folder.is_dir():
        raise FileNotFoundError(2, "No such folder; make it first", str(folder))
    writable = os.access(path if path.exists() else folder, os.W_OK)
    if not writable:
        raise PermissionError(13, "Permission denied", str(path))


def command_of(options: argparse.Namespace) -> str:
    """The command line that makes this report again (without where it is written)."""
    parts = ["softclust", "report", Path(options.data).name]
    for name in ("label", "clusters", "algorithms", "columns", "drop", "id", "separator",
                 "sample_size"):
        value = getattr(options, name)
        if value is not None:
            parts += [f"--{name.replace('_', '-')}", str(value)]
    if options.scale != "standard":
        parts += ["--scale", options.scale]
    parts += [part for name, usual in (("noise", "cluster"), ("noise_label", "-1"),
                                       ("missing", "drop")) if getattr(options, name) != usual
              for part in (f"--{name.replace('_', '-')}", getattr(options, name))]
    if options.decimal != ".":
        parts += ["--decimal", options.decimal]
    if options.header is not None:
        parts.append("--header" if options.header else "--no-header")
    parts += [flag for flag, on in (("--no-id", options.no_id), ("--quick", options.quick),
                                    ("--auto", options.auto),
                                    ("--drop-missing", options.drop_missing),
                                    ("--no-pictures", options.no_pictures)) if on]
    return shlex.join([*parts, "--seed", str(options.seed)])
