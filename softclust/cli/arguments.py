"""Arguments that name files of clusterings, and the clusterings read from them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._checks import ClusteringError
from ..clusterings import align
from ..measures import ALL_KINDS, measure_of
from .files import read_table, same_objects, to_clustering, without_columns, without_missing
from .options import Table, add_options, chosen
from .output import say

if TYPE_CHECKING:
    from ..clusterings import Clustering
    from ..measures.record import MeasureWord
    from .files import FileTable


def separator(text: str) -> str:
    """A separator of columns; "tab" is a tab."""
    return "\t" if text == "tab" else text


#: options of `read_table`, in every command that reads files
FORMAT: Table = {
    "has_id": {"flag": "--id"}, "header": {},
    "separator": {"type": separator, "metavar": "CHARACTER",
                  "help": "column separator; 'tab' is a tab (default: a comma; a tab for .tsv)"}}
_FORMAT: Table = FORMAT | {"decimal": {"metavar": "CHARACTER"}}
_POLICIES: Table = {
    "missing": {
        "choices": ("raise", "drop", "cluster", "singletons", "unknown", "uncovered", "bounds"),
        "help": "a missing label or membership is an error (raise, the default), or the object is "
                "left out (drop); for labels also: one more cluster (cluster), a cluster each "
                "(singletons), in one of the clusters (unknown), in none of them (uncovered), or "
                "the range over all ways to fill them in (bounds)"},
    "noise": {"help": "objects with the noise label are a cluster (the default), a cluster each "
                      "(singletons), left out (drop), in one of the clusters (unknown), in none "
                      "(empty; uncovered: the clusters become a cover), or an error (raise)"}}


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
    for side, which in (("a", "first"), ("b", "second")):
        parser.add_argument(side, metavar=side.upper(), nargs="?" if optional else None,
                            help=f"file of the {which} clustering")
    for side in "ab":
        parser.add_argument(f"--kind-{side}", choices=ALL_KINDS, metavar="KIND",
                            help=f"kind of {side.upper()}: {', '.join(ALL_KINDS)} (default: one "
                                 "column is hard, rows that sum to 1 are fuzzy; 0/1 entries "
                                 "need rough, one of these clusters, or cover, all of them)")
    for side, where in (("", ", both files"), ("-a", " in A"), ("-b", " in B")):
        parser.add_argument(f"--column{side}", metavar="NAME",
                            help=f"column of the hard labels{where}")
    add_options(parser, to_clustering, {"split": {"metavar": "CHARACTER"}, "normalize": {}})
    add_options(parser, read_table, _FORMAT)
    add_options(parser, same_objects, {"objects": {}})
    if policies:
        add_options(parser, align, _POLICIES | NOISE_LABEL)
    else:
        add_options(parser, without_missing, {"missing": {}})


def label_values(text: str) -> set[Any]:
    """A label as text and, if it is one, as a whole number."""
    try:
        return {text, int(text)}
    except ValueError:
        return {text}


def known_measure(name: str, parser: argparse.ArgumentParser) -> MeasureWord:
    """The measure that a name means; an unknown one ends with exit code 2."""
    try:
        return measure_of(name)
    except ValueError as error:
        parser.error(str(error))


NOISE_LABEL: Table = {"noise_label": {"type": label_values, "metavar": "LABEL", "default": "-1"}}


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
    x, y, *_ = read_sides(options)
    return x, y


def read_sides(options: argparse.Namespace
                ) -> tuple[Any, Any, list[str], dict[str, Any]]:
    """The clusterings, or labels with missing ones, what was left out, and other columns of A."""
    x, [y], notes, parts = _read_files(options, [options.a, options.b])
    return x, y, notes, parts


def read_ranked(options: argparse.Namespace
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
    first, *tables = read_tables(options, paths, _FORMAT)
    first, parts = _of_objects(options, first)
    whole = first
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
        first, table, left_out = same_objects(first, table, options.objects)
        notes += left_out
        if not gaps:
            first, table, left_out = without_missing(first, table, columns, options.missing)
            notes += left_out
    for text in notes:
        say(f"note: {text}")
    rows = first.frame.index
    x, *others = [to_clustering(table.of_rows(rows, column), kind=kind, column=column,
                                  normalize=options.normalize, gaps=gaps, split=options.split,
                                  noise=getattr(options, "noise", None) is not None)
                  for table, kind, column in zip(
                      [whole, *tables], [options.kind_a, *[options.kind_b] * len(tables)],
                      [columns[0], *[columns[1]] * len(tables)])]
    return x, others, notes, {name: values.loc[rows].to_numpy() for name, values in parts.items()}


def read_tables(options: argparse.Namespace, paths: Sequence[str], table: Table = FORMAT
                ) -> list[FileTable]:
    """Files, each read once by the options of a table; notes say which have ids."""
    tables = {path: read_table(path, **chosen(options, table)) for path in dict.fromkeys(paths)}
    for each in tables.values():
        if each.guessed and each.id_column is not None:
            say(f"note: {each.id_text} is used as id (--no-id: it is data)")
    return [tables[path] for path in paths]


def _of_objects(options: argparse.Namespace, table: FileTable) -> tuple[FileTable, dict[str, Any]]:
    """A table without its columns of weights, groups and strata, and these columns."""
    return without_columns(table, {
        name: column for name in ("weights", "groups", "strata")
        if (column := getattr(options, name, None)) is not None})
