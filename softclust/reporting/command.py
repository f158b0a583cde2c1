"""The command ``softclust report``."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from functools import partial
from itertools import combinations
from pathlib import Path

from ..cli.arguments import FORMAT
from ..cli.files import read_table
from ..cli.options import Table, add_options, character, chosen, names, whole_number
from ..results.writing import check_writable, json_text
from .plan import ALGORITHMS, ALL, check_algorithms

INTERRUPTED = 130


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    from .run import report
    parser.description = (
        "Cluster the rows of a CSV, .tsv or .parquet file by several algorithms, choose the number "
        "of clusters, compare the clusterings with known groups and with each other, and write the "
        "results, with pictures and explanations, as a single HTML file.")
    parser.epilog = (
        "Every column but ids, the label and those left out is a feature and must be numeric; "
        "nothing is left out or filled in without an option. Ctrl-C writes what is finished. The "
        "same data, options and versions give the same report, but for its date (--date, or "
        "SOURCE_DATE_EPOCH).")
    parser.add_argument("data", metavar="DATA", help="the table, one row per object")
    add_options(parser, report, _OPTIONS | _LAST)
    add_options(parser, read_table, _FORMAT)
    parser.add_argument("--out", metavar="FILE", default="report.html",
                        help="the report; an older one is replaced (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE",
                        help="also write all numbers as JSON; - writes them to standard output")
    parser.add_argument("--clusters-out", metavar="FILE",
                        help="also write the id and the cluster of each object as CSV")
    parser.add_argument("--threads", type=partial(whole_number, low=1), metavar="NUMBER",
                        help="maximum number of threads; the results do not depend on it")
    parser.set_defaults(run=run_report, usual={
        name: parser.get_default(name) for name in _OPTIONS | _FORMAT})


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
    given = chosen(options, _OPTIONS | _FORMAT | _LAST)
    try:
        result = make_report(
            options.data, **{name: given.pop(name) for name in (*_MAKING, *_LAST)},
            options=given | {"dashes": True}, progress=sys.stderr.isatty(),
            command=command_of(options))
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
        print(json_text(result.to_data()))
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
def algorithm_names(text: str) -> list[str]:
    """Names of algorithms."""
    try:
        check_algorithms(names(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return names(text)


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


#: options that are parameters of `report`, in the order of the command that the report names,
_OPTIONS: Table = {
    "label": {"metavar": "COLUMN"}, "groups": {"metavar": "COLUMN"},
    "compare": {"metavar": "FILE",
                "help": "clusters of the same objects, such as last week's: ids and one column of "
                        "labels; the report says what changed"},
    "cohort": {"metavar": "FILE",
               "help": "a table of other objects with the same features; the report says whether "
                       "the clusters are found again"},
    "n_clusters": {"metavar": "K", "type": numbers_of,
                 "help": "number of clusters, such as 3, or a range to choose from, such as 2:6 "
                         "(default: 2:6, or up to one more than the groups of the label)"},
    "algorithms": {"metavar": "NAME[,NAME]", "type": algorithm_names,
                   "help": f"of {', '.join(ALGORITHMS)} (default: all; always k-means)"},
    "columns": {"metavar": "NAME[,NAME]", "type": names, "exclusive": "features",
                "help": "the features; all other columns are left out"},
    "drop": {"metavar": "NAME[,NAME]", "type": names, "exclusive": "features",
             "help": "columns to leave out"},
    "id": {"metavar": "COLUMN", "without": "the first column is not an id",
           "help": "ids of the objects (default: the first column when it looks like ids; "
                   "softclust compare --help has the rule)"},
    "sample_size": {"metavar": "NUMBER", "type": sample_size,
                    "help": "objects sampled for computations on pairs of objects, or 'all' "
                            "(default: 4000 for the number of clusters, 10000 for the agreement of "
                            "the clusterings, fewer with --quick)"},
    "scale": {}, "noise": {}, "noise_label": {"metavar": "LABEL", "default": "-1"},
    "missing": {"help": "objects without a label are left out of the comparisons with it (the "
                        "default), one more group (cluster), or an error (raise)"},
    "quick": {},
    "auto": {"help": "text of at most 20 values becomes indicators, dates become days; leave out "
                     "other text, constant columns and (but for --missing-values) rows with "
                     "missing values; the report lists all"},
    "missing_values": {}, "pictures": {"help": "only numbers and text"}}
#: those that are not about the reading of the table,
_MAKING = ("n_clusters", "algorithms", "quick", "sample_size", "pictures")
#: and those that the command ends with or leaves out
_LAST: Table = {"seed": {"type": partial(whole_number, low=0, high=2**32 - 1)},
                "date": {"metavar": "TEXT"}}
#: options that are parameters of `read_table`
_FORMAT: Table = {"separator": {**FORMAT["separator"], "type": character},
                  "decimal": {"metavar": "CHARACTER", "type": character}, "header": {}}


def check_target(path: Path, data: str) -> None:
    """Raise before the work when `path` cannot be written or is the data file."""
    if path.exists() and Path(data).exists() and path.samefile(data):
        raise ValueError(f"{path} is the data file; the report would replace it: give another "
                         "name")
    check_writable(path)


def command_of(options: argparse.Namespace) -> str:
    """The command line that makes this report again (without where it is written)."""
    parts = ["softclust", "report", Path(options.data).name]
    for name in options.usual:
        value, flag = getattr(options, name), f"--{name.removeprefix('n_').replace('_', '-')}"
        if value == options.usual[name]:
            continue
        if value is False:
            parts.append(f"--no-{name}")
        elif value is True:
            parts.append(flag)
        elif name == "n_clusters" and len(value) > 1 and value == list(range(value[0],
                                                                           value[-1] + 1)):
            parts += [flag, f"{value[0]}:{value[-1]}"]
        else:
            parts += [flag, ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    return shlex.join([*parts, "--seed", str(options.seed)])
