"""The command ``softclust compare``: two files compared, or several ranked."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import Any

from .arguments import add_file_arguments, known_measure, read_ranked, read_sides
from .files import HEADER_RULE, ID_RULE
from .options import SEED, Table, add_options, chosen
from .output import add_format, add_plot, comparison_text, formatted, save_plot

#: options that are parameters of `compare`
_OPTIONS: Table = {
    "measures": {"metavar": "NAME[,NAME]", "action": "append",
                 "help": "measures, separated by commas (default: all that apply; see softclust "
                         "measures)"},
    "reference": {"choices": ("a", "b"), "default": "b",
                  "help": "the truth, for measures that are not symmetric: b (the default), or a, "
                          "which exchanges the sides"},
    "alpha": {}, "ci": {}, "level": {}, "n_resamples": {},
    "rng": {**SEED, "help": "seed of the bootstrap; without it every run is different"},
    "pairs": {"help": "all pairs of objects count (the default), or only pairs within a group, "
                      "with --groups and --ci jackknife"}}
#: parameters of `compare` that name columns of a file
_COLUMNS: Table = {
    "weights": {"help": "column of A, or of --data, with the weight of each object; the weight of "
                        "a pair is their product"},
    "groups": {"help": "column of A, or of --data, with the group of each object (patient, "
                       "document), for --ci and --rank: the intervals treat the groups as the "
                       "sample"},
    "strata": {"help": "column of A, or of --data, with the stratum of each object: with --ci or "
                       "--rank, if objects or groups were sampled within strata"}}


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    from ..comparison import compare
    parser.description = (
        "Compare two clusterings of the same objects: CSV, .tsv or .parquet files with one row per "
        "object. A single column holds hard labels; several hold a matrix with one column per "
        "cluster (evidential: one column per set of clusters, named like {}, {a}, {a, b}).")
    parser.epilog = (f"Ids: {ID_RULE}. Rows are matched by id, in any order. "
                     f"Header: {HEADER_RULE}.")
    add_file_arguments(parser, policies=True, optional=True)
    parser.add_argument("--data", metavar="FILE",
                        help="one file with both labels, instead of A and B: --x and --y name its "
                             "columns")
    for side, which in (("x", "first"), ("y", "second")):
        parser.add_argument(f"--{side}", metavar="COLUMN",
                            help=f"with --data: labels of the {which} side")
    parser.add_argument("more", metavar="C", nargs="*", help="further clusterings, with --rank")
    parser.add_argument("--rank", action="store_true",
                        help="treat A as the truth and rank the other files by closeness to it, "
                             "with --measures NAME (default: adjusted_rand_index); --kind-b and "
                             "--column-b apply to all of them")
    add_options(parser, compare, _COLUMNS | _OPTIONS)
    add_format(parser)
    add_plot(parser, "also save a chart; its extension sets the format (.png, .pdf, .svg)")
    parser.set_defaults(run=_run_compare)


def _run_compare(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..comparison import compare
    _check_usage(options, parser)
    if options.rank:
        return _run_rank(options)
    x, y, left_out, parts = read_sides(options)
    result = compare(
        x, y, **parts, **chosen(options, _OPTIONS) | {
            "reference": "x" if options.reference == "a" else "y"},
        names=(options.a, options.b) if options.data is None else (options.x, options.y),
        noise=options.noise, noise_label=options.noise_label,
        missing="raise" if options.missing == "drop" else options.missing,
        progress=sys.stderr.isatty())
    result = replace(result, notes=(*left_out, *result.notes))
    if options.plot:
        save_plot(result, options.plot)
    print(comparison_text(result, options.format, left_out))
    return 0


def _run_rank(options: argparse.Namespace) -> int:
    """Rank several files by their closeness to the first."""
    from ..comparison.ranking import rank_clusterings
    truth, clusterings, left_out, parts = read_ranked(options)
    choice: dict[str, Any] = {} if options.alpha is None else {"alpha": options.alpha}
    if options.measures:
        choice["measure"] = options.measures[0]
    result = rank_clusterings(truth, clusterings, level=options.level, noise=options.noise,
                              noise_label=options.noise_label,
                              progress=sys.stderr.isatty(), **parts, **choice)
    result = replace(result, notes=(*left_out, *result.notes))
    if options.plot:
        save_plot(result, options.plot)

    def data() -> dict[str, Any]:
        rows = result.to_frame("pandas").reset_index().to_dict("records")
        return {"measure": result.measure, "sense": result.sense, "level": result.level,
                "n_objects": result.n_objects, "answer": result.answer,
                "possibly_best": [result.names[i] for i in result.possibly_best],
                "clusterings": [{str(k): v for k, v in row.items()} for row in rows],
                "p_values": result.p_values.tolist(), "notes": list(result.notes)}

    print(formatted(options.format, text=lambda: str(result), frame=result.to_frame,
                     table=result.summary, data=data))
    return 0


def _check_usage(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """End with exit code 2 for wrong arguments, before any file is read."""
    # Two files, more with --rank, or one file and two of its columns.
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
    else:
        if options.a is not None or options.rank:
            parser.error("--data is one file for both sides: leave out A and B" + (
                ", and --rank, which needs files" if options.rank else ""))
        if options.x is None or options.y is None:
            parser.error("--data needs --x COLUMN and --y COLUMN")
        options.a = options.b = options.data
        options.column_a, options.column_b = options.x, options.y

    if options.alpha is not None and not 0.0 <= options.alpha <= 1.0:
        parser.error(f"--alpha is {options.alpha:g}; a number from 0 to 1 is needed")
    for name in ("separator", "decimal"):
        value = getattr(options, name)
        if value is not None and len(value) != 1:
            parser.error(f"--{name} is {value!r}; one character is needed")
    if not 0.0 < options.level < 1.0:
        parser.error(f"--level is {options.level:g}; a number between 0 and 1 is needed")
    if options.n_resamples < 1:
        parser.error("--resamples needs a whole number >= 1, --seed one >= 0")
    for name in ("groups", "strata"):
        if getattr(options, name) is not None and options.ci is None and not options.rank:
            parser.error(f"--{name} has no effect without --ci jackknife or bootstrap, or --rank")
    if options.pairs == "within" and (options.groups is None or options.ci != "jackknife"):
        parser.error("--pairs within needs --groups and --ci jackknife")
    if options.rng is not None and options.ci != "bootstrap":
        parser.error("--seed has no effect without --ci bootstrap")

    options.measures = [name for text in options.measures or []
                        for name in text.split(",") if name] or None
    for name in options.measures or []:
        known_measure(name, parser)
    if not options.rank:
        return
    for flag, value in (("ci", options.ci), ("seed", options.rng), ("weights", options.weights)):
        if value is not None:
            parser.error(f"--{flag} has no effect with --rank")
    if options.missing not in ("raise", "drop"):
        parser.error("--rank needs --missing raise or --missing drop")
    if options.measures is not None and len(options.measures) != 1:
        parser.error("--rank needs one measure")
