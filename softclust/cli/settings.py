"""The command ``softclust settings``: which settings of a clusterer may be best?"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from .._checks import ClusteringError
from .files import read_table
from .output import finite, save_plot, say


def add_settings(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    settings = commands.add_parser(
        "settings", parents=[common], help="which settings of a clusterer may be best?",
        description="Compare settings of a clusterer on a table of numbers by the stability of "
                    "half-samples beyond that of data of one cluster. Features are standardised.",
        epilog="Example: softclust settings x.csv --clusterer KMeans --grid n_clusters=2:8")
    settings.add_argument("file", metavar="X", help="file with one row per object")
    settings.add_argument("--clusterer", default="KMeans", metavar="NAME",
                          help="class of scikit-learn or softclust (default: %(default)s)")
    settings.add_argument("--grid", action="append", required=True, metavar="NAME=VALUES",
                          help="values of a parameter, as first:last or with commas; may be "
                               "repeated")
    settings.add_argument("--scaled", action="append", default=[], metavar="NAME",
                          help="parameter that counts objects, such as min_cluster_size")
    settings.add_argument("--blocks", type=int, default=20, metavar="NUMBER",
                          help="blocks of objects (default: %(default)s)")
    settings.add_argument("--references", type=int, default=39, metavar="NUMBER",
                          help="sets of data of one cluster (default: %(default)s)")
    settings.add_argument("--level", type=float, default=0.95, metavar="NUMBER",
                          help="probability that the best setting is named (default: %(default)s)")
    settings.add_argument("--no-scale", action="store_true", help="do not standardise the features")
    settings.add_argument("--seed", type=int, metavar="NUMBER",
                          help="seed of halves and references")
    settings.add_argument("--id", action=argparse.BooleanOptionalAction,
                          help="the first column is (not) an id")
    settings.add_argument("--header", action=argparse.BooleanOptionalAction,
                          help="the first line holds (no) column names")
    settings.add_argument("--separator", metavar="CHARACTER",
                          help="column separator; 'tab' is a tab (default: a comma)")
    settings.add_argument("--json", metavar="FILE", help="also write the numbers as JSON; - writes "
                                                         "them to standard output")
    settings.add_argument("--plot", metavar="FILE", help="save the settings as a picture")
    settings.set_defaults(run=_run)


def _run(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    from sklearn.preprocessing import StandardScaler

    from ..selection.settings import clusterer_named, compare_settings
    try:
        clusterer = clusterer_named(options.clusterer)
    except ValueError as error:
        parser.error(f"--clusterer: {error}")
    grid = dict(_values(text, parser) for text in options.grid)
    if options.seed is not None and options.seed < 0:
        parser.error(f"--seed is {options.seed}; a whole number >= 0 is needed")
    table = read_table(options.file, has_id=options.id, header=options.header,
                       separator="\t" if options.separator == "tab" else options.separator)
    if table.guessed and table.id_column is not None:
        say(f"note: {table.id_text} is used as id (--no-id: it is data)")
    words = table.frame.select_dtypes(exclude="number").columns
    if len(words):
        raise ClusteringError(f"{options.file} has columns that are not numeric: "
                              f"{', '.join(map(repr, words))}; leave them out")
    x = table.frame.to_numpy(dtype=float)
    if not options.no_scale:
        x = StandardScaler().fit_transform(x)
    found = compare_settings(x, clusterer, grid, scaled=options.scaled, n_blocks=options.blocks,
                             n_references=options.references, level=options.level,
                             rng=options.seed, progress=sys.stderr.isatty())
    if options.plot:
        save_plot(found, options.plot)
    rows = found.to_frame("pandas").to_dict("records")
    data = {"answer": found.answer, "best": found.best_name, "p_value": found.p[0],
            "level": found.level, "settings": [
                {name: finite(v) if isinstance(v, float) else v for name, v in row.items()}
                for row in rows], "notes": list(found.notes)}
    text = json.dumps(data, indent=2, ensure_ascii=False)
    if options.json == "-":
        print(text)
        return 0
    if options.json:
        from ..results.writing import whole_file
        with whole_file(options.json) as file:
            file.write(text + "\n")
    print(found)
    return 0


def _values(text: str, parser: argparse.ArgumentParser) -> tuple[str, list[Any]]:
    """A parameter and its values from ``name=2:8`` or ``name=5,10``."""
    name, _, values = text.partition("=")
    first, colon, last = values.partition(":")
    try:
        if colon:
            return name, list(range(int(first), int(last) + 1))
        parts = [json.loads(part) for part in values.split(",")]
    except ValueError:
        parser.error(f"--grid {text!r} cannot be read; n_clusters=2:8 or eps=0.1,0.2 are examples "
                     '(text in quotes: linkage=\'"ward","average"\')')
    return name, parts
