"""Columns of a table as features: numbers, days of dates, an indicator for each of a few texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError

if TYPE_CHECKING:
    import pandas as pd

#: what is done about missing values of features
MISSING_VALUES = ("raise", "drop", "median")
#: different texts of a column that become indicators, at most; what stands for a missing text
#: where medians stand for numbers
MOST_TEXTS, NO_TEXT = 20, "(missing)"
_DATE = r"\d{4}-\d{2}-\d{2}([T ].*)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """Features of a table from its columns.

    Attributes
    ----------
    given : tuple of str
        The columns.
    texts : dict
        For each column of text its values, which have an indicator each.
    dates : tuple of str
        Columns of dates, which became days since 1970-01-01.
    """

    given: tuple[str, ...]
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dates: tuple[str, ...] = ()

    @property
    def indicators(self) -> np.ndarray:
        """Mask of the features that are indicators."""
        return np.array([of in self.texts for of in self.given
                         for _ in self.texts.get(of, ("",))], dtype=bool)

    def features(self, frame: pd.DataFrame, source: str) -> tuple[list[str], np.ndarray]:
        """Names and values (n, p) of the features of rows without missing values."""
        names: list[str] = []
        parts: list[np.ndarray] = []
        for column in self.given:
            values = frame[column]
            if column not in self.texts:
                names.append(column)
                parts.append(values.to_numpy(dtype=np.float64))
                continue
            known = self.texts[column]
            if not (inside := values.isin(known)).all():
                other = values[~inside].iloc[0]
                raise ClusteringError(
                    f"{source} has {other!r} in column {column!r}, which the first table has not: "
                    "merge such values with others, or leave these rows or the column out")
            names += [f"{column} = {value}" for value in known]
            parts += [(values == value).to_numpy(dtype=np.float64) for value in known]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ClusteringError(f"{source}: the column {twice!r} is called like the indicator "
                                  "of a text; rename it")
        return names, np.column_stack(parts) if parts else np.zeros((len(frame), 0))


def days_and_texts(frame: pd.DataFrame, columns: Sequence[str], known: Encoding | None = None
                   ) -> tuple[pd.DataFrame, list[str], list[str]]:
    """The columns with dates as days and other values that are no numbers as texts; which columns
    are dates, and which are texts. A `known` encoding says this beforehand.
    """
    from pandas.api.types import is_bool_dtype, is_numeric_dtype
    made, dates, texts = frame[columns].copy(), [], []
    for column in columns:
        values = frame[column]
        if is_numeric_dtype(values) and not is_bool_dtype(values) and (
                known is None or column not in known.texts):
            continue
        days = None if known is not None and column in known.texts else _days(values)
        if days is not None:
            made[column] = days
            dates.append(column)
        elif known is None or column in known.texts:
            made[column] = values.astype(object).where(values.notna(), None).map(
                lambda value: None if value is None else str(value))
            texts.append(column)
    return made, dates, texts


def _days(values: pd.Series) -> pd.Series | None:
    """Days since 1970-01-01 of dates, days of times that elapsed; None for other values."""
    import pandas as pd
    kind = getattr(values.dtype, "kind", "O")
    if kind == "m":
        return values.dt.total_seconds() / 86_400.0
    if kind != "M":
        there = values.dropna()
        if not len(there) or not there.astype(str).str.fullmatch(_DATE).all():
            return None
        values = pd.to_datetime(values.where(values.isna(), values.astype(str)), utc=True,
                                format="ISO8601", errors="coerce")
        if values.notna().sum() < len(there):
            return None
    if getattr(values.dtype, "tz", None) is not None:
        values = values.dt.tz_convert("UTC").dt.tz_localize(None)
    return (values - pd.Timestamp(0)).dt.total_seconds() / 86_400.0


def is_category(values: pd.Series) -> bool:
    """Test whether a column of texts has few values, which occur twice on average."""
    return values.nunique() <= min(MOST_TEXTS, max(2, len(values) // 2))


def with_medians(frame: pd.DataFrame, texts: Sequence[str]) -> tuple[pd.DataFrame, int]:
    """The table with medians for missing numbers and `NO_TEXT` for missing texts; their number."""
    filled = frame.copy()
    for column in frame.columns[frame.isna().any()]:
        values = frame[column] if column in texts else frame[column].astype(np.float64)
        there: Any = NO_TEXT if column in texts else values.median()
        filled[column] = values.where(values.notna(), there)
    return filled, int(frame.isna().to_numpy().sum())
