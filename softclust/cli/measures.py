"""The command ``softclust measures``: the measures, and the words of other fields."""

from __future__ import annotations

import argparse
import math
from typing import Any

from .options import add_options
from .output import add_format, formatted

#: width of the lines in the list of measures
SCREEN = 99


def add_measures(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command to its parser."""
    from ..measures import list_words
    parser.description = "List all measures."
    add_format(parser, "output format; csv and json have all columns")
    parser.add_argument("--words", action="store_true",
                        help="list the terms of other fields (record linkage, coreference, ...), "
                             "and the measures that they mean")
    add_options(parser, list_words, {"field": {
        "metavar": "FIELD", "help": "with --words: learning, linkage, coreference, segmentation, "
                                    "diarization or networks"}})
    parser.set_defaults(run=_run_measures)


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

    print(formatted(options.format, text=lambda: table(SCREEN).as_text(), frame=list_measures,
                     table=table, data=data))
    return 0


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

    print(formatted(options.format, text=lambda: table().as_text(), frame=lambda: frame,
                     table=table, data=lambda: frame.reset_index().to_dict("records")))
    return 0
