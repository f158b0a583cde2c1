"""``softclust compare TRUTH A B ... --rank``: which of several files is nearest to the first."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _files
from ._checks import ClusteringError

if TYPE_CHECKING:
    from .comparison.ranking import Ranking

#: arguments of `compare` that say nothing about a ranking, with their defaults
_OTHERS = (("ci", None), ("seed", None))


def check_rank_usage(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """Wrong arguments end with exit code 2."""
    if not options.rank:
        if options.more:
            parser.error(f"{2 + len(options.more)} files are given; two are compared, more are "
                         "ranked with --rank: the first is the truth")
        return
    if not options.more:
        parser.error("--rank needs at least three files: the truth, and two or more clusterings")
    for name, default in _OTHERS:
        if getattr(options, name) != default:
            parser.error(f"--{name} has no effect with --rank")
    if options.missing not in ("raise", "drop"):
        parser.error("--rank needs --missing raise or --missing drop")
    if options.measures is not None and len(options.measures) != 1:
        parser.error("--rank needs one measure")


def run_rank(options: argparse.Namespace, say: Callable[[str], None],
             formatted: Callable[..., str], noise_label: set[Any]) -> int:
    """Read the files, rank them and print the record."""
    from .comparison.ranking import rank_clusterings
    truth, found, left_out = _read(options, say)
    given: dict[str, Any] = {} if options.alpha is None else {"alpha": options.alpha}
    if options.measures:
        given["measure"] = options.measures[0]
    result = rank_clusterings(truth, found, level=options.level, noise=options.noise,
                              noise_label=noise_label, progress=sys.stderr.isatty(), **given)
    result = replace(result, notes=(*left_out, *result.notes))
    if options.plot:
        from . import plotting
        plotting.without_window()
        plotting.save_figure(result.plot().figure, options.plot)
        say(f"chart saved as {options.plot}")
    print(formatted(options.format, text=lambda: str(result), frame=result.to_frame,
                    table=result.summary, data=lambda: _as_data(result)))
    return 0


def _read(options: argparse.Namespace, say: Callable[[str], None]
          ) -> tuple[Any, dict[str, Any], list[str]]:
    """The truth, the clusterings by name, and what was left out."""
    separator = "\t" if options.separator == "tab" else options.separator
    paths = [options.a, options.b, *options.more]
    truth, *tables = (_files.read_table(path, has_id=options.id, header=options.header,
                                        separator=separator, decimal=options.decimal)
                      for path in paths)
    for table in (truth, *tables):
        if table.guessed and table.id_column is not None:
            say(f"note: {table.id_text} is taken as id (--no-id: it is data)")
    columns = options.column_a or options.column, options.column_b or options.column
    said: list[str] = []
    rows = truth.frame.shape[0]
    for table in tables:
        if table.id_column is None and table.frame.shape[0] != rows:
            raise ClusteringError(f"{table.path} has {table.frame.shape[0]} objects and "
                                  f"{truth.path} has {rows}; the same objects are needed")
        if table.id_column is None:   # what was left out of the truth before
            table = replace(table, frame=table.frame.loc[truth.frame.index])
        truth, table, not_common = _files.same_objects(truth, table, options.objects)
        truth, table, missing = _files.without_missing(truth, table, columns, options.missing)
        said += [*not_common, *missing]
    for text in said:
        say(f"note: {text}")
    kept = truth.frame.index
    found = {name: _files.to_clustering(
        replace(table, frame=table.frame.loc[kept]), kind=options.kind_b, column=columns[1],
        normalize=options.normalize) for name, table in zip(_named(paths[1:]), tables)}
    return (_files.to_clustering(truth, kind=options.kind_a, column=columns[0],
                                 normalize=options.normalize), found, said)


def _named(paths: list[str]) -> list[str]:
    """Names of the files, without folder and ending if these are distinct."""
    short = [Path(path).stem for path in paths]
    return short if len(set(short)) == len(short) else list(paths)


def _as_data(result: Ranking) -> dict[str, Any]:
    rows = result.to_frame().reset_index().to_dict("records")
    return {"measure": result.measure, "sense": result.sense, "level": result.level,
            "n_objects": result.n_objects, "answer": result.answer,
            "possibly_best": [result.names[i] for i in result.possibly_best],
            "clusterings": [{str(k): v for k, v in row.items()} for row in rows],
            "p_values": result.p_values.tolist(), "notes": list(result.notes)}
