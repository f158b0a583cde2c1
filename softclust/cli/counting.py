"""The commands ``softclust count`` and ``softclust chance``: two columns of labels, counted."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._checks import ClusteringError
from ..results.stored import readable
from .arguments import FORMAT, known_measure
from .files import read_table, require_pyarrow
from .options import SEED, Table, add_options, chosen
from .output import add_format, comparison_text, formatted, output_file, say
from .text_tables import plain_suffix, text_chunks

if TYPE_CHECKING:
    from ..tables.contingency_table import ContingencyTable

#: rows of a text file held in memory at a time
ROWS = 1_000_000
#: options that are parameters of `contingency_table`
_TABLE: Table = {
    "missing": {"help": "a missing label is an error (raise, the default), or the object is left "
                        "out (drop)"},
    "frequencies": {}}
_WEIGHTS: Table = {"weights": {"help": "weights >= 0; the weight of a pair is their product"}}
#: options that are parameters of `chance`
_CHANCE: Table = {
    "method": {"choices": ("tables", "exact", "moments"), "default": "tables",
               "help": "random tables, all tables, or exact moments of the Rand family"},
    "model": {}, "fixed": {"help": "the column that does not change"}, "alternative": {},
    "n_permutations": {"flag": "--draws", "help": "number of random tables"},
    "rng": {**SEED, "help": "seed of the random tables; without it every run is different"}}
_STRATA: Table = {"strata": {}}


def add_count(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``count`` to its parser."""
    from ..tables.counter import contingency_table
    parser.description = ("Count the pairs of labels in two columns of one file, part by part, and "
                          "compute every measure of two hard clusterings.")
    _add_data(parser)
    add_options(parser, contingency_table, _TABLE | _WEIGHTS)
    parser.add_argument("--save", type=output_file, metavar="FILE",
                        help="save the table of counts as FILE.npz")
    add_format(parser)
    parser.set_defaults(run=_run_count)


def add_chance(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``chance`` to its parser."""
    from ..comparison.permutations import chance
    from ..tables.counter import contingency_table
    parser.description = ("Mean under a null model, chance-corrected value and p-value of measures "
                          "of two columns of labels.")
    _add_data(parser)
    add_options(parser, contingency_table, _TABLE)
    add_options(parser, chance, _CHANCE | _STRATA)
    add_format(parser)
    parser.set_defaults(run=_run_chance, weights=None)


def _add_data(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", help=(
        "CSV, .tsv or .parquet file (or a folder of parquet files) with one row per object, or "
        "with --frequencies one row per pair of labels; or .npz, a table that --save wrote"))
    for side, which in (("x", "first"), ("y", "second")):
        parser.add_argument(side, metavar=side.upper(), nargs="?",
                            help=f"column of the {which} labels")
    parser.add_argument("--measures", metavar="NAME[,NAME]",
                        help="measures, separated by commas (count: all; chance: the adjusted Rand "
                             "index)")
    add_options(parser, read_table, {"separator": FORMAT["separator"]})


def _run_count(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..comparison import compare
    _check(options, parser)
    if options.save and not options.save.endswith(".npz"):
        parser.error(f"--save is {options.save!r}; a name that ends in .npz is needed")
    table = _table(options)
    if options.save:
        table.save(options.save)
        say(f"table saved as {options.save}")
    print(comparison_text(compare(table, measures=options.measures, names=_sides(options)),
                          options.format))
    return 0


def _run_chance(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from ..comparison.permutations import chance
    _check(options, parser)
    if options.strata and (plain_suffix(options.data) == ".npz" or options.frequencies):
        parser.error("--strata needs one row per object")
    if options.n_permutations < 1:
        parser.error("--draws needs a whole number >= 1, --seed one >= 0")
    if options.rng is not None and options.method != "tables":
        parser.error(f"--seed has no effect with --method {options.method}")
    labels = _columns(options) if options.strata else {"x": _table(options)}
    result = chance(**labels, measure=options.measures or ["adjusted_rand_index"],
                    **chosen(options, _CHANCE), progress=sys.stderr.isatty())
    print(formatted(options.format, text=lambda: str(result), frame=result.to_frame,
                    table=result.summary, data=lambda: _as_data(result)))
    return 0


def _check(options: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    """End with exit code 2 for wrong arguments, before any file is read."""
    saved = plain_suffix(options.data) == ".npz"
    if saved and (options.x is not None or options.weights or options.frequencies):
        parser.error(f"{options.data} is a table already; leave out columns")
    if not saved and options.y is None:
        parser.error("two columns are needed: softclust COMMAND DATA X Y")
    if options.weights and options.frequencies:
        parser.error("--weights and --frequencies exclude each other: copies of objects form "
                     "pairs, the parts of a weight do not")
    if options.separator is not None and len(options.separator) != 1:
        parser.error(f"--separator is {options.separator!r}; one character is needed")
    options.measures = [name for name in (options.measures or "").split(",") if name] or None
    for name in options.measures or []:
        known_measure(name, parser)


def _sides(options: argparse.Namespace) -> tuple[str, str]:
    return (options.x, options.y) if options.x is not None else ("x", "y")


# -- the table --------------------------------------------------------------------------------
def _table(options: argparse.Namespace) -> ContingencyTable:
    from ..tables.contingency_table import ContingencyTable
    from ..tables.counter import ContingencyCounter, contingency_table
    path = Path(options.data)
    if path.suffix == ".npz":
        return ContingencyTable.load(path)
    if path.is_dir() or plain_suffix(options.data) in (".parquet", ".pq"):
        require_pyarrow()
        from pyarrow import dataset
        if not path.exists():
            raise FileNotFoundError(2, "No such file or directory", str(path))
        with readable(path, "parquet"):
            table = contingency_table(options.x, options.y,
                                      data=dataset.dataset(path, format="parquet"),
                                      **chosen(options, _TABLE | _WEIGHTS))
    else:
        # Labels of a text file count as they are written: "1" and "01" are two labels.
        counter = ContingencyCounter(missing=options.missing)
        column, role = options.weights or options.frequencies, (
            "weights" if options.weights else "frequencies")
        wanted = [options.x, options.y, *([column] if column else [])]
        for part in text_chunks(options.data, options.separator, wanted, ROWS):
            counter.update(part[options.x], part[options.y], **({} if column is None else {
                role: _numbers(options.data, part[column], column, bool(options.weights))}))
        table = counter.table()
    if table.n_dropped:
        say(f"note: {table.n_dropped} objects lack a label and are left out")
    return table


def _columns(options: argparse.Namespace) -> dict[str, Any]:
    """Arguments of `chance` that name columns of the file, which is read whole."""
    import pandas as pd
    wanted = [options.x, options.y, options.strata]
    if plain_suffix(options.data) in (".parquet", ".pq"):
        with readable(options.data, "parquet"):
            frame = pd.read_parquet(options.data, columns=wanted)
    else:
        frame = pd.concat(text_chunks(options.data, options.separator, wanted, ROWS),
                          ignore_index=True)
    return {"data": frame, "x": options.x, "y": options.y, "strata": options.strata,
            "missing": options.missing}


def _numbers(path: str, text: Any, column: str, floats: bool) -> Any:
    import pandas as pd
    try:
        numbers = pd.to_numeric(text)
        return numbers.to_numpy(dtype=float) if floats else numbers.to_numpy()
    except (ValueError, TypeError) as error:
        raise ClusteringError(f"column {column!r} of {path} must hold numbers: {error}") from None


def _as_data(result: Any) -> dict[str, Any]:
    """The numbers as JSON names them."""
    return {"n_objects": result.n_objects, "method": result.method, "model": result.model,
            "fixed": result.fixed, "alternative": result.alternative,
            "measures": [{"measure": row.measure, "end": row.end,
                          **{name: getattr(row, name) for name in (
                              "observed", "mean", "sd", "skewness", "z", "adjusted", "p_value",
                              "p_value_error")}} for row in result]}
