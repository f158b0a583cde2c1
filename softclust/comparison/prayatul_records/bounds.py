"""What `PrayatulResult` says of evidential clusterings: right, wrong, unknown, and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._checks import UndefinedMeasureWarning
from ..._records import Columns, Interval
from ..._summary import SummaryTable
from ..._text import number, range_text
from ..._warnings import warn
from .objects import noise_notes, pairs_text
from .rates import FORMS, MEASURES, OUTCOMES, RANDS, RANGES, SYMBOLS, bounds


@dataclass(frozen=True, slots=True)
class UnknownTriple:
    """Pairs by right, wrong, unknown of the primary (rows) and of the alternative, (3, 3)."""

    matrix: np.ndarray


def bounds_frame(result: Any) -> Columns:
    """Bounds of the counts and measures: lower, upper."""
    names = [*OUTCOMES, *MEASURES, "delta", *RANDS]
    ends = [getattr(result, name) for name in names]
    return Columns({"lower": [e.low for e in ends], "upper": [e.high for e in ends]},
                   {"quantity": names})


def bounds_table(result: Any) -> SummaryTable:
    """The matrix and the bounds as a table to read."""
    primary, alternative = result.names
    notes = noise_notes(result.n_noise, result.n_dropped, result.names)
    if result.alignment is not None:
        notes.insert(0, f"{result.alignment.header}.")
    if result.weights is not None:
        notes.append("Objects are weighted: pairs are total weights.")
    rows = [[f"pairs {primary} {state}", *(pairs_text(float(v)) for v in row), "", "", ""]
            for state, row in zip(("right", "wrong", "unknown"), result.matrix)]
    for name in (*MEASURES, "delta"):
        symbol = f" ({SYMBOLS[name]})" if name in SYMBOLS else ""
        ends: Interval = getattr(result, name)
        low, high = RANGES.get(name, (-1.0, 1.0))
        rows.append([name.replace("_", " ") + symbol, "", "", "", number(ends.low),
                     number(ends.high), range_text(low, high)])
    return SummaryTable(
        rows, ["", f"{alternative} right", "wrong", "unknown", "lower", "upper", "range"],
        aligns="lrrrrrl",
        title=f"Prayatul matrix of {primary} and {alternative} with bounds, {result.n:,} "
              f"objects, {pairs_text(result.pairs)} pairs",
        notes=["Lower and upper bound of each measure whatever is true of the unknown pairs; "
               "not confidence limits. None is corrected for chance.", *notes])


def bounded(matrix: np.ndarray) -> dict[str, Interval]:
    """Bounds of counts and measures of a 3 x 3 matrix; warns of what is undefined throughout."""
    found = bounds(matrix)
    undefined = [name for name in FORMS if found[name].low != found[name].low]
    if undefined:
        verb = "are" if len(undefined) > 1 else "is"
        warn(f"{', '.join(undefined)} {verb} undefined: 0/0 however the unknown pairs "
             "are settled; nan is returned", UndefinedMeasureWarning, stacklevel=4)
    return found
