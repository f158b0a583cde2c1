"""The command line ``softclust``: demo, compare, explain, report, count, chance and others.

Exit codes: 0 success, 1 problem with the data, 2 wrong usage, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import __version__
from .._checks import ClusteringError
from ..measures import ALL_KINDS
from .files import HEADER_RULE, ID_RULE

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from ..clusterings import Clustering
    from ..comparison import Comparison
    from ..comparison.ranking import Ranking
    from .files import FileTable

COMMAND_GROUP = "softclust.commands"
FORMATS = ("text", "csv", "json", "html", "latex")
NOISE = ("cluster", "singletons", "drop", "unknown", "empty", "uncovered", "raise")
_MORE_MISSING = """; for labels also: one more cluster (cluster), a cluster each (singletons), in \
one of the clusters (unknown), or the range over all ways to fill them in (bounds)"""
DATA_ERROR, USAGE, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141
#: new objects after which the garbage collector runs, in a process of our own
_COLLECTED = 100_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments; those of the process by default.

    Returns
    -------
    int
        The exit code.

    Examples
    --------
    >>> from softclust.cli import main
    >>> main(["--version"])
    softclust ...
    0
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None:
        _collect_seldom()
    debug = "--debug" in arguments
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as stop:   # argparse: --help, --version, usage errors
        return stop.code if isinstance(stop.code, int) else USAGE
    except BrokenPipeError:
        # The reader has closed the pipe (softclust measures | head): nothing more can be printed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        if debug:
            raise
        _say("interrupted")
        return INTERRUPTED
    except Exception as error:
        if debug:
            raise
        _say(_explain(error))
        return DATA_ERROR


def _collect_seldom() -> None:
    """Run the garbage collector seldom, in a process of our own.

    For a report on 20,000 rows it takes a tenth of the time, half of it at the end.
    """
    gc.set_threshold(_COLLECTED)
    atexit.register(gc.freeze)


def _say(text: str) -> None:
    print(f"softclust: {text}", file=sys.stderr)


def _explain(error: Exception) -> str:
    """Explain an error of the data or the machine in one line; add a hint to any other."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, (ValueError, ImportError)):
        return str(error)
    if isinstance(error, MemoryError):
        return f"not enough memory{f': {error}' if str(error) else ''}"
    return (f"unexpected {type(error).__name__}: {error} (this may be a bug; --debug shows "
            "where it happened)")


def _dispatch(arguments: list[str]) -> int:
    others = _other_commands()
    parser = _parser(others)
    command = next((a for a in arguments if not a.startswith("-")), None)
    if command in others:
        rest = list(arguments)
        rest.remove(command)
        return int(others[command].load()([a for a in rest if a != "--debug"]) or 0)
    options = parser.parse_args(arguments)
    if options.version:
        print(_versions(options.verbose))
        return 0
    if options.run is None:
        parser.print_help()
        return USAGE
    return options.run(options, parser)


def _versions(verbose: bool) -> str:
    if not verbose:
        return f"softclust {__version__}"
    from ..running.versions import versions_text
    return versions_text()


def _other_commands() -> dict[str, EntryPoint]:
    """Commands added by installed packages: entry points of the group `COMMAND_GROUP`."""
    from importlib.metadata import entry_points
    return {entry.name: entry for entry in entry_points(group=COMMAND_GROUP)
            if entry.name not in ("demo", "compare", "explain", "report", "count", "chance",
                                  "measures")}


# -- arguments --------------------------------------------------------------------------------
def _parser(others: dict[str, EntryPoint]) -> argparse.ArgumentParser:
    from ..reporting.command import add_report
    from .counting import add_count_commands
    from .explaining import add_explain
    epilog = "exit codes: 0 success, 1 problem with the data, 2 wrong usage, 130 interrupted"
    if others:
        epilog = f"further commands: {', '.join(sorted(others))} (each with --help); " + epilog
    parser = argparse.ArgumentParser(
        prog="softclust", epilog=epilog,
        description="Compare clusterings: hard, rough, fuzzy, possibilistic, evidential.")
    parser.add_argument("--version", action="store_true",
                        help="show the version; with --verbose also those of dependencies")
    parser.add_argument("--verbose", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(run=None)
    common = argparse.ArgumentParser(add_help=False)
    for each, default in ((parser, False), (common, argparse.SUPPRESS)):
        each.add_argument("--debug", action="store_true", default=default,
                          help="show the traceback of errors")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_demo(commands, common)
    _add_compare(commands, common)
    add_explain(commands, common, add_file_arguments, _read_sides, _labels)
    add_report(commands, common)
    add_count_commands(commands, common, _compared, _formatted, FORMATS)
    _add_measures(commands, common)
    return parser


def _add_demo(commands: Any, common: argparse.ArgumentParser) -> None:
    demo = commands.add_parser(
        "demo", parents=[common], help="compare clusterings of the iris flowers",
        description="Cluster the iris flowers by six algorithms, hard and soft, "
                    "compare them with the species and with each other.")
    demo.add_argument("--out", metavar="DIR", default="demo-output",
                      help="folder for the picture iris.png (default: %(default)s)")
    demo.add_argument("--no-plot", action="store_true", help="make no picture")
    demo.set_defaults(run=_run_demo)


def _add_compare(commands: Any, common: argparse.ArgumentParser) -> None:
    compare = commands.add_parser(
        "compare", parents=[common], help="compare the clusterings in two files",
        description="Compare two clusterings of the same objects: CSV, .tsv or .parquet files "
                    "with one row per object. A single column holds hard labels; several hold a "
                    "matrix with one column per cluster (evidential: one column per set of "
                    "clusters, named like {}, {a}, {a, b}).",
        epilog=f"Ids: {ID_RULE}. Rows are matched by id, in any order. "
               f"Header: {HEADER_RULE}.")
    add_file_arguments(compare, policies=True, optional=True)
    compare.add_argument("--data", metavar="FILE",
                         help="one file with both labels, instead of A and B: --x and --y name "
                              "its columns")
    compare.add_argument("--x", metavar="COLUMN", help="with --data: labels of the first side")
    compare.add_argument("--y", metavar="COLUMN", help="with --data: labels of the second side")
    compare.add_argument("--weights", metavar="COLUMN",
                         help="column of A, or of --data, with the weight of each object; the "
                              "weight of a pair is their product")
    compare.add_argument("more", metavar="C", nargs="*",
                         help="further clusterings, with --rank")
    compare.add_argument("--rank", action="store_true",
                         help="treat A as the truth and rank the other files by closeness to "
                              "it, with --measures NAME (default: adjusted_rand_index); --kind-b "
                              "and --column-b apply to all of them")
    compare.add_argument("--measures", metavar="NAME[,NAME]", action="append",
                         help="measures, separated by commas (default: all that apply; see "
                              "softclust measures)")
    compare.add_argument("--reference", choices=("a", "b"), default="b",
                         help="the truth, for measures that are not symmetric: b (the default), "
                              "or a, which exchanges the sides")
    compare.add_argument("--alpha", type=float, metavar="NUMBER",
                         help="cost of ambiguity relative to an error, 0 to 1")
    compare.add_argument("--ci", choices=("bootstrap", "jackknife"),
                         help="confidence intervals by resampling objects (labels held fixed)")
    compare.add_argument("--level", type=float, metavar="NUMBER", default=0.95,
                         help="level of the intervals, between 0 and 1 (default: %(default)s)")
    compare.add_argument("--resamples", type=int, metavar="NUMBER", default=999,
                         help="number of bootstrap resamples (default: %(default)s)")
    compare.add_argument("--seed", type=int, metavar="NUMBER",
                         help="seed of the bootstrap; without it every run is different")
    compare.add_argument("--groups", metavar="COLUMN",
                         help="column of A, or of --data, with the group of each object (patient, "
                              "document), for --ci and --rank: the intervals treat the groups as "
                              "the sample")
    compare.add_argument("--strata", metavar="COLUMN",
                         help="column of A, or of --data, with the stratum of each object: with "
                              "--ci or --rank, if objects or groups were sampled within strata")
    compare.add_argument("--pairs", choices=("all", "within"), default="all",
                         help="all pairs of objects count (the default), or only pairs within a "
                              "group, with --groups and --ci jackknife")
    compare.add_argument("--format", choices=FORMATS, default="text",
                         help="output format (default: %(default)s)")
    compare.add_argument("--plot", metavar="FILE",
                         help="also save a chart; its extension sets the format (.png, .pdf, .svg)")
    compare.set_defaults(run=_run_compare)


def add_file_arguments(parser: argparse.ArgumentParser, policies: bool = False,
                       optional: bool = False) -> None:
    """Add arguments that name two files of clusterings, for `read_clusterings`.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        Parser of a command; commands of other packages read files as `compare` does.
    policies : bool
        True if the command also has options for noise and missing labels.
    optional : bool
        True if the files may be named otherwise.
    """
    nargs = "?" if optional else None
    parser.add_argument("a", metavar="A", nargs=nargs, help="file of the first clustering")
    parser.add_argument("b", metavar="B", nargs=nargs, help="file of the second clustering")
    for side in "ab":
        parser.add_argument(f"--kind-{side}", choices=ALL_KINDS, metavar="KIND",
                            help=f"kind of {side.upper()}: {', '.join(ALL_KINDS)} (default: one "
                                 "column is hard, rows that sum to 1 are fuzzy; 0/1 entries "
                                 "need rough, one of these clusters, or cover, all of them)")
    parser.add_argument("--column", metavar="NAME", help="column of the hard labels, both files")
    for side in "ab":
        parser.add_argument(f"--column-{side}", metavar="NAME",
                            help=f"column of the hard labels in {side.upper()}")
    parser.add_argument("--id", action=argparse.BooleanOptionalAction,
                        help="the first column is (not) an id")
    parser.add_argument("--header", action=argparse.BooleanOptionalAction,
                        help="the first line holds (no) column names")
    parser.add_argument("--separator", metavar="CHARACTER",
                        help="column separator; 'tab' is a tab (default: a comma; a tab for .tsv)")
    parser.add_argument("--decimal", metavar="CHARACTER", default=".",
                        help="decimal point (default: %(default)s)")
    parser.add_argument("--objects", choices=("same", "common"), default="same",
                        help="an id that one file lacks is an error (same, the default), or only "
                             "the objects that both files have are compared (common)")
    more = ("cluster", "singletons", "unknown", "bounds") if policies else ()
    parser.add_argument("--missing", choices=("raise", "drop", *more), default="raise",
                        help="a missing label or membership is an error (raise, the default), or "
                             "the object is left out (drop)" + _MORE_MISSING * policies)
    if policies:
        parser.add_argument("--noise", choices=NOISE, default="cluster",
                            help="objects with the noise label are a cluster (the default), a "
                                 "cluster each (singletons), left out (drop), in one of the "
                                 "clusters (unknown), in none (empty), or an error (raise)")
        parser.add_argument("--noise-label", metavar="LABEL", default="-1",
                            help="label of noise (default: %(default)s)")
    parser.add_argument("--normalize", action="store_true",
                        help="divide each row of memberships or masses by its sum, for numbers "
                             "that were rounded")


#: width of the lines in the list of measures
SCREEN = 99


def _add_measures(commands: Any, common: argparse.ArgumentParser) -> None:
    measures = commands.add_parser("measures", parents=[common], help="list the measures",
                                   description="List all measures.")
    measures.add_argument("--format", choices=FORMATS, default="text",
                          help="output format; csv and json have all columns "
                               "(default: %(default)s)")
    measures.add_argument("--words", action="store_true",
                          help="list the terms of other fields (record linkage, coreference, ...), "
                               "and the measures that they mean")
    measures.add_argument("--field", help="with --words: learning, linkage, coreference, "
                                          "segmentation, diarization or networks")
    measures.set_defaults(run=_run_measures)


# -- commands ---------------------------------------------------------------------------------
def _run_demo(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from .demo import run_demo
    run_demo(options.out, plot=not options.no_plot)
    return 0


def _run_compare(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..comparison import compare
    _check_usage(options, parser)
    if options.rank:
        return _run_rank(options)
    x, y, left_out, parts = _read_sides(options)
    names = (options.a, options.b) if options.data is None else (options.x, options.y)
    result = compare(x, y, measures=options.measures, alpha=options.alpha, names=names,
                     progress=sys.stderr.isatty(),
                     noise=options.noise, noise_label=_labels(options.noise_label),
                     missing="raise" if options.missing == "drop" else options.missing,
                     ci=options.ci, level=options.level, n_resamples=options.resamples,
                     rng=options.seed, reference="x" if options.reference == "a" else "y",
                     pairs=options.pairs, **parts)
    result = replace(result, notes=(*left_out, *result.notes))
    if options.plot:
        _save_plot(result, options.plot)
    print(_compared(result, options.format, left_out))
    return 0


def _run_rank(options: argparse.Namespace) -> int:
    """Rank several files by their closeness to the first."""
    from ..comparison.ranking import rank_clusterings
    truth, clusterings, left_out, parts = _read_ranked(options)
    choice: dict[str, Any] = {} if options.alpha is None else {"alpha": options.alpha}
    if options.measures:
        choice["measure"] = options.measures[0]
    result = rank_clusterings(truth, clusterings, level=options.level, noise=options.noise,
                              noise_label=_labels(options.noise_label),
                              progress=sys.stderr.isatty(), **parts, **choice)
    result = replace(result, notes=(*left_out, *result.notes))
    if options.plot:
        _save_plot(result, options.plot)
    print(_formatted(options.format, text=lambda: str(result), frame=result.to_frame,
                     table=result.summary, data=lambda: _ranking_data(result)))
    return 0


def _ranking_data(result: Ranking) -> dict[str, Any]:
    rows = result.to_frame("pandas").reset_index().to_dict("records")
    return {"measure": result.measure, "sense": result.sense, "level": result.level,
            "n_objects": result.n_objects, "answer": result.answer,
            "possibly_best": [result.names[i] for i in result.possibly_best],
            "clusterings": [{str(k): v for k, v in row.items()} for row in rows],
            "p_values": result.p_values.tolist(), "notes": list(result.notes)}


def _compared(result: Comparison, chosen: str, left_out: Sequence[str] = ()) -> str:
    return _formatted(chosen, text=lambda: str(result), frame=result.to_frame,
                      table=result.summary, data=lambda: _as_data(result, list(left_out)))


def _labels(text: str) -> set[Any]:
    """A label as text and, if it is one, as a whole number."""
    try:
        return {text, int(text)}
    except ValueError:
        return {text}


def read_clusterings(options: argparse.Namespace) -> tuple[Clustering, Clustering]:
    """Read the two clusterings in the files named by the options of `add_file_arguments`.

    Parameters
    ----------
    options : argparse.Namespace

    Returns
    -------
    (Clustering, Clustering)
        Clusterings of the same objects, matched by id if the files have ids.

    Raises
    ------
    ClusteringError
        If a file has no clustering, or the objects differ.
    """
    x, y, *_ = _read_sides(options)
    return x, y


def _read_sides(options: argparse.Namespace
                ) -> tuple[Any, Any, list[str], dict[str, Any]]:
    """The clusterings, or labels with missing ones, what was left out, and other columns of A."""
    x, [y], notes, parts = _read_files(options, [options.a, options.b])
    return x, y, notes, parts


def _read_ranked(options: argparse.Namespace
                 ) -> tuple[Any, dict[str, Any], list[str], dict[str, Any]]:
    """The truth, the clusterings by name, what was left out, and other columns of the truth."""
    paths = [options.b, *options.more]
    truth, clusterings, notes, parts = _read_files(options, [options.a, *paths])
    short = [Path(path).stem for path in paths]
    names = short if len(set(short)) == len(short) else paths
    return truth, dict(zip(names, clusterings)), notes, parts


def _read_files(options: argparse.Namespace, paths: list[str]
                ) -> tuple[Any, list[Any], list[str], dict[str, Any]]:
    """The first clustering, the others, what was left out, and other columns of the first file."""
    from . import files
    first, *tables = _read_tables(options, paths)
    first, parts = _of_objects(options, first)
    columns = options.column_a or options.column, options.column_b or options.column
    gaps = options.missing not in ("raise", "drop")   # a policy handles them later
    notes: list[str] = []
    n_rows = first.frame.shape[0]
    for table in tables:
        if table.id_column is None and first.id_column is None:
            if table.frame.shape[0] != n_rows:
                raise ClusteringError(f"{table.path} has {table.frame.shape[0]} objects and "
                                      f"{first.path} has {n_rows}; the same objects are needed")
            table = replace(table, frame=table.frame.loc[first.frame.index])   # left out before
        first, table, left_out = files.same_objects(first, table, options.objects)
        notes += left_out
        if not gaps:
            first, table, left_out = files.without_missing(first, table, columns, options.missing)
            notes += left_out
    for text in notes:
        _say(f"note: {text}")
    rows = first.frame.index
    x, *others = [files.to_clustering(replace(table, frame=table.frame.loc[rows]), kind=kind,
                                       column=column, normalize=options.normalize, gaps=gaps)
                  for table, kind, column in zip(
                      [first, *tables], [options.kind_a, *[options.kind_b] * len(tables)],
                      [columns[0], *[columns[1]] * len(tables)])]
    return x, others, notes, {name: values.loc[rows].to_numpy() for name, values in parts.items()}


def _read_tables(options: argparse.Namespace, paths: list[str]) -> list[FileTable]:
    """Read each file once."""
    from .files import read_table
    separator = "\t" if options.separator == "tab" else options.separator
    tables = {path: read_table(path, has_id=options.id, header=options.header,
                               separator=separator, decimal=options.decimal)
              for path in dict.fromkeys(paths)}
    for table in tables.values():
        if table.guessed and table.id_column is not None:
            _say(f"note: {table.id_text} is used as id (--no-id: it is data)")
    return [tables[path] for path in paths]


def _of_objects(options: argparse.Namespace, table: FileTable) -> tuple[FileTable, dict[str, Any]]:
    """A table without its columns of weights, groups and strata, and these columns."""
    from .files import without_columns
    return without_columns(table, {
        name: column for name in ("weights", "groups", "strata")
        if (column := getattr(options, name, None)) is not None})


def _check_usage(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """End with exit code 2 for wrong arguments, before any file is read."""
    from ..measures import measure_of
    _check_files(options, parser)
    if options.alpha is not None and not 0.0 <= options.alpha <= 1.0:
        parser.error(f"--alpha is {options.alpha:g}; a number from 0 to 1 is needed")
    for name in ("separator", "decimal"):
        value = getattr(options, name)
        if value is not None and len(value) != 1 and value != "tab":
            parser.error(f"--{name} is {value!r}; one character is needed")
    if not 0.0 < options.level < 1.0:
        parser.error(f"--level is {options.level:g}; a number between 0 and 1 is needed")
    if options.resamples < 1 or (options.seed is not None and options.seed < 0):
        parser.error("--resamples needs a whole number >= 1, --seed one >= 0")
    for name in ("groups", "strata"):
        if getattr(options, name) is not None and options.ci is None and not options.rank:
            parser.error(f"--{name} has no effect without --ci jackknife or bootstrap, or --rank")
    if options.pairs == "within" and (options.groups is None or options.ci != "jackknife"):
        parser.error("--pairs within needs --groups and --ci jackknife")
    if options.seed is not None and options.ci != "bootstrap":
        parser.error("--seed has no effect without --ci bootstrap")
    options.measures = [name for text in options.measures or []
                        for name in text.split(",") if name] or None
    for name in options.measures or []:
        try:
            measure_of(name)
        except ValueError as error:
            parser.error(str(error))
    if not options.rank:
        return
    for name in ("ci", "seed", "weights"):
        if getattr(options, name) is not None:
            parser.error(f"--{name} has no effect with --rank")
    if options.missing not in ("raise", "drop"):
        parser.error("--rank needs --missing raise or --missing drop")
    if options.measures is not None and len(options.measures) != 1:
        parser.error("--rank needs one measure")


def _check_files(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Check for two files, more with --rank, or one file and two of its columns."""
    if options.data is None:
        if options.b is None:
            parser.error("two files are needed, A and B, or --data FILE --x COLUMN --y COLUMN")
        if options.x is not None or options.y is not None:
            parser.error("--x and --y name columns of --data; with two files use --column-a and "
                         "--column-b")
        if options.rank and not options.more:
            parser.error("--rank needs at least three files: the truth, and two or more "
                         "clusterings")
        if options.more and not options.rank:
            parser.error(f"{2 + len(options.more)} files are given; only two can be compared. "
                         "To rank several, with the first as the truth, add --rank")
        return
    if options.a is not None or options.rank:
        parser.error("--data is one file for both sides: leave out A and B" + (
            ", and --rank, which needs files" if options.rank else ""))
    if options.x is None or options.y is None:
        parser.error("--data needs --x COLUMN and --y COLUMN")
    options.a = options.b = options.data
    options.column_a, options.column_b = options.x, options.y


def _save_plot(result: Comparison | Ranking, path: str) -> None:
    from .. import plotting
    plotting.without_window()
    plotting.save_figure(result.plot().figure, path)
    _say(f"chart saved as {path}")


def _run_words(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..measures import list_words
    from ..results.summary import SummaryTable
    try:
        frame = list_words(options.field)
    except ValueError as error:
        parser.error(str(error))
    rows = [[str(word), *map(str, row)] for word, row in zip(frame.index, frame.to_numpy())]

    def table() -> Any:
        return SummaryTable([[row[i] for i in (0, 1, 3, 4)] for row in rows],
                            ["word", "field", "measure", "note"], aligns="llll",
                            title="Words of fields", notes=["y is the truth."])

    print(_formatted(options.format, text=lambda: table().as_text(), frame=lambda: frame,
                     table=table, data=lambda: frame.reset_index().to_dict("records")))
    return 0


def _run_measures(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..measures import list_measures
    if options.field is not None and not options.words:
        parser.error("--field has no effect without --words")
    if options.words:
        return _run_words(options, parser)

    def table(width: int | None = None) -> Any:
        from ..results.listing import measure_table
        return measure_table(list_measures(), width)

    def data() -> list[dict[str, Any]]:
        frame = list_measures().reset_index()
        return [{str(k): None if isinstance(v, float) and math.isnan(v) else v
                 for k, v in row.items()}
                for row in frame.to_dict("records")]

    print(_formatted(options.format, text=lambda: table(SCREEN).as_text(), frame=list_measures,
                     table=table, data=data))
    return 0


# -- output -----------------------------------------------------------------------------------
def _formatted(chosen: str, *, text: Callable[[], str], frame: Callable[[], Any],
               table: Callable[[], Any], data: Callable[[], Any]) -> str:
    if chosen == "csv":
        return frame().to_csv().rstrip("\n")
    if chosen == "json":
        return json.dumps(data(), indent=2, allow_nan=False, ensure_ascii=False)
    if chosen == "html":
        return table().as_html()
    if chosen == "latex":
        return table().as_latex_tabular()
    return text()


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _as_data(result: Comparison, left_out: list[str]) -> dict[str, Any]:
    """Convert to JSON, which has neither nan nor infinity: both become null."""
    from ..results.records import Interval
    sides = [{"name": name, "kind": kind, "n_clusters": c} for name, kind, c in
             zip(result.names, result.kinds, result.n_clusters)]
    rows = []
    for row in result:
        entry: dict[str, Any] = {"measure": row.name, "options": dict(row.options)}
        if isinstance(row.value, Interval):
            entry |= {"low": _finite(row.low), "high": _finite(row.high)}
        else:
            entry["value"] = _finite(row.value)
        entry |= {"sense": row.sense, "range": [_finite(v) for v in row.range],
                  "chance": _finite(row.chance), "source": row.source}
        if row.ci is not None:
            entry["ci"] = {"low": _finite(row.ci_low), "high": _finite(row.ci_high),
                           "level": row.ci.level, "method": row.ci.method,
                           "estimate": _finite(row.ci.estimate[0]), "reliable": row.ci.reliable}
        if row.also:
            entry["also"] = list(row.also)
        if row.note:
            entry["note"] = row.note
        rows.append(entry)
    done = {} if result.alignment is None else {"alignment": result.alignment.header}
    return {"softclust": __version__, "x": sides[0], "y": sides[1],
            "n_objects": result.n_objects, "left_out": left_out, **done, "measures": rows}


if __name__ == "__main__":
    sys.exit(main())
