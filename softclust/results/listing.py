"""The table of all measures: a data frame that prints as lines that fit the screen."""

from __future__ import annotations

import pandas as pd

from .summary import SummaryTable
from .text import bounds_text

#: width of the screen for which tables are made
SCREEN = 99
_KINDS = ("hard", "rough", "fuzzy", "possibilistic", "evidential", "cover")
_SIGNS = {"agreement": "+", "dissimilarity": "-", "uncertainty": "?"}
#: columns that a frame needs to be printed as a table of measures
_COLUMNS = ["kinds", "sense", "low", "high", "meaning"]


class MeasureTable(pd.DataFrame):
    """Measures by name; rows print with kinds, sense, range and the beginning of the meaning."""

    @property
    def _constructor(self) -> type[MeasureTable]:
        return MeasureTable

    def __repr__(self) -> str:
        if len(self) == 0 or self.index.name != "name" or not set(self.columns) >= {*_COLUMNS}:
            return str(pd.DataFrame(self).__repr__())
        table = measure_table(self, SCREEN)
        table.notes.append("A data frame; its columns: " + ", ".join(self.columns) + ".")
        return table.as_text()


def measure_table(frame: pd.DataFrame, width: int | None = None) -> SummaryTable:
    """The measures as a table; meanings are shortened to lines of `width` characters."""
    data = [[str(name), "".join(kind[0].upper() if kind in kinds.split(", ") else "."
                                for kind in _KINDS),
             _SIGNS[sense], bounds_text(None if pd.isna(low) else low,
                                        None if pd.isna(high) else high), meaning]
            for name, kinds, sense, low, high, meaning in frame[_COLUMNS].itertuples()]
    if width is not None:
        room = width - 8 - sum(max(len(row[k]) for row in [*data, ["", "kinds", "", "range"]])
                               for k in range(4))
        for row in data:
            if len(row[-1]) > room:
                row[-1] = row[-1][:room - 1].rstrip(" ,") + "\N{HORIZONTAL ELLIPSIS}"
    return SummaryTable(
        data, ["measure", "kinds", "", "range", "meaning"],
        title=f"Measures of softclust ({len(data)})", notes=[
            "Kinds accepted for each side: H hard, R rough, F fuzzy, P possibilistic, E "
            "evidential, C cover. +: larger is more alike; -: smaller is; ?: uncertainty of "
            "one clustering.",
            "softclust.measures.<measure>(x, y) computes it; help() has equation, "
            "cost and the R call."])
