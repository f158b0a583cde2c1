"""Frames of any library, through narwhals: their columns, in their order, with their names.

pandas, polars (eager and lazy), pyarrow, modin, DuckDB relations, Ibis tables and PySpark.
Nothing is imported that the user has not imported.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from .._checks import ClusteringError, keywords_of, unknown_keyword
from .records import Framed

#: libraries whose objects are examined; narwhals is not loaded for any other object
_LIBRARIES = ("pandas", "polars", "pyarrow", "modin", "duckdb", "_duckdb", "ibis", "pyspark",
              "sqlframe", "cudf", "narwhals")
#: libraries for frames of results
_MADE = ("pandas", "polars", "pyarrow", "modin", "cudf")

F = TypeVar("F", bound=Callable[..., Any])


def same_frames(function: F, data_first: bool = False) -> F:
    """Decorate a function so that its result gives frames of the input's kind, and has the seed.

    An unknown keyword is a TypeError that suggests the nearest one. `data_first`: a frame for
    `data` may be the first argument, as in ``frame.pipe(f, x=...)``.
    """
    known = keywords_of(function)
    open_ended = any(p.kind is p.VAR_KEYWORD
                     for p in inspect.signature(function).parameters.values())

    @functools.wraps(function)
    def called(*args: Any, **options: Any) -> Any:
        if not open_ended and not known.keys() >= options.keys():
            raise unknown_keyword(function, options)
        if data_first and args and ("x" in options or "on" in options):
            if options.get("data") is not None:
                raise TypeError(f"{function.__name__}: data is given twice, first and by keyword")
            options["data"], args = args[0] if len(args) == 1 else args, ()
        result = function(*args, **options)
        if isinstance(options.get("rng"), int) and isinstance(result, Framed):
            object.__setattr__(result, "_seed", options["rng"])
        for value in (*args, *options.values()):
            package = type(value).__module__.partition(".")[0]
            if package in _MADE:
                if package != "pandas" and isinstance(result, Framed):
                    object.__setattr__(result, "_library", package)
                break
        return result

    return cast("F", called)


def frame_first(function: F) -> F:
    """Decorate a function of x, y and data: as `same_frames`; frames may come first."""
    return same_frames(function, data_first=True)


def library(obj: Any) -> str:
    """The package that defines the type of `obj`."""
    return type(obj).__module__.partition(".")[0]


def as_frame(obj: Any) -> Any:
    """`obj` as a DataFrame or LazyFrame of narwhals; None if it is not a frame.

    Datasets and readers of pyarrow, which narwhals does not know, do not count as frames.
    """
    if library(obj) not in _LIBRARIES and not hasattr(obj, "__narwhals_dataframe__") and (
            not hasattr(obj, "__narwhals_lazyframe__")):
        return None
    if library(obj) == "pandas" and not hasattr(obj, "columns"):
        return None
    if library(obj) == "pandas" and not obj.columns.is_unique:   # narwhals needs distinct names
        check_columns(list(obj.columns), list(obj.columns))
    import narwhals.stable.v2 as nw
    frame = nw.from_native(obj, pass_through=True)
    return frame if isinstance(frame, (nw.DataFrame, nw.LazyFrame)) else None


def is_lazy(frame: Any) -> bool:
    """Return True if a frame of narwhals has its rows in an engine that has not read them yet."""
    import narwhals.stable.v2 as nw
    return isinstance(frame, nw.LazyFrame)


def check_columns(named: list[Any], columns: list[Any]) -> None:
    """Raise for a column that the frame does not have."""
    for name in named:
        if not isinstance(name, (str, int, tuple)):
            raise TypeError(f"with data, x, y and weights are names of columns, not "
                            f"{type(name).__name__}")
        if name not in columns:
            raise ClusteringError(f"data has no column {name!r}; its columns are "
                                  f"{', '.join(map(repr, columns))}")
        if (times := columns.count(name)) > 1:
            raise ClusteringError(f"data has {times} columns {name!r}; one is needed: rename or "
                                  "drop the others")


def column_names(obj: Any) -> list[str] | None:
    """Names of the columns of a frame; None if `obj` is not a frame."""
    if library(obj) == "pandas":
        return list(obj.columns) if hasattr(obj, "columns") else None
    frame = as_frame(obj)
    return None if frame is None else list(frame.collect_schema().names())


def columns_of(obj: Any) -> list[tuple[str, Any]] | None:
    """Names and columns of a frame with rows in memory, in order; None if `obj` is not one.

    Raises
    ------
    ClusteringError
        If the rows are in an engine.
    """
    if library(obj) == "pandas":
        return [(name, obj[name]) for name in obj.columns] if hasattr(obj, "columns") else None
    frame = as_frame(obj)
    if frame is None:
        return None
    if is_lazy(frame):
        raise ClusteringError(f"the rows of this {type(obj).__name__} are in its engine; name two "
                              "columns: compare(data=frame, x=..., y=...), or collect them first")
    return [(name, labels_of(frame.get_column(name))) for name in frame.columns]


def run_columns(obj: Any) -> tuple[list[Any], list[Any]] | None:
    """Columns of a frame as runs, and their names; None if `obj` is not a frame.

    The default names 0, 1, ... of pandas become strings.
    """
    columns = columns_of(obj)
    if columns is None:
        return None
    plain = type(obj.columns).__name__ == "RangeIndex" if library(obj) == "pandas" else False
    return [column for _, column in columns], [str(name) if plain else name for name, _ in columns]


def labels_of(column: Any) -> Any:
    """Labels of a Series of narwhals: whole numbers as an array, others as a list.

    Integers with missing values must not become floats.
    """
    if column.dtype.is_integer() and not column.null_count():
        return column.to_numpy()
    return column.to_list()
