"""Sums of phi by two nested GROUP BYs in a database, and the formula of a measure as SQL.

The formula is that of the measure's record: it is called with terms that write SQL down.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from .._types import FrameLike, SqlDialect
from ..measures import get_measure
from ..results.frames import as_frame, check_columns, library
from ..running.interrupts import engine_interrupts
from .best_choice import LargestCounts
from .contingency import Contingency
from .contingency_table import ContingencyTable
from .counter import contingency_table
from .counting import exact_dot
from .quotient import Expression
from .sums import COLUMNS, T_LOG_T, TableSums

#: by dialect: quote of names, type of floats, type of whole numbers
_WORDS: Mapping[str, tuple[str, str, str]] = {
    "duckdb": ('"', "DOUBLE", "BIGINT"),
    "postgres": ('"', "DOUBLE PRECISION", "BIGINT"),
    "snowflake": ('"', "DOUBLE", "BIGINT"),
    "sqlite": ('"', "REAL", "INTEGER"),
    "spark": ("`", "DOUBLE", "BIGINT"),
    "mysql": ("`", "DOUBLE", "SIGNED"),
    "bigquery": ("`", "FLOAT64", "INT64"),
}
_FUNCTIONS = {np.log: "LN", np.sqrt: "SQRT", np.absolute: "ABS", np.negative: "-"}
_OPERATORS = {np.add: "+", np.subtract: "-", np.multiply: "*", np.divide: "/", np.less: "<",
              np.less_equal: "<=", np.equal: "=", np.bitwise_and: "AND"}


class Term(Expression):
    """A number that is not computed but written down as SQL."""

    def __init__(self, text: str) -> None:
        self.text = text

    def apply(self, function: np.ufunc, *operands: Any) -> Term:
        """A function or an operator of SQL."""
        texts = [each.text if isinstance(each, Term) else repr(float(each)) for each in operands]
        if function in _OPERATORS:
            return Term(f"({texts[0]} {_OPERATORS[function]} {texts[1]})")
        if function in (np.minimum, np.maximum):   # LEAST of some databases ignores NULL
            one, other = texts
            sign = "<=" if function is np.minimum else ">="
            return Term(f"CASE WHEN {one} {sign} {other} THEN {one} "
                        f"WHEN NOT {one} {sign} {other} THEN {other} END")
        if function not in _FUNCTIONS:
            raise NotImplementedError(f"SQL has no {function.__name__}")
        return Term(f"{_FUNCTIONS[function]}({texts[0]})")

    def divides(self, over: Any, equal: Any, at_equal: float, zero: float, positive: bool) -> Term:
        """over / self as `quotient` defines it; undefined is NULL."""
        small = self if positive else abs(self)
        when = f"WHEN {equal.text} THEN {at_equal!r} " if isinstance(equal, Term) else ""
        return Term(f"CASE {when}WHEN {small.text} <= {zero!r} THEN NULL "
                    f"ELSE {(over / self).text} END")


# -- queries ----------------------------------------------------------------------------------
def sql(measure: str | Callable[..., Any], *, x: str, y: str, table: str,
        dialect: SqlDialect = "duckdb", **options: Any) -> str:
    r"""A query that gives a measure of two columns of a table in a database.

    Parameters
    ----------
    measure : str or function
        A measure of two hard clusterings that is a function of sums over the contingency table:
        the Rand family, pairwise F, mutual information and measures built on it, homogeneity,
        completeness and V-measure, purity, B-cubed, and precision and recall of clusters.
    x, y : str
        The columns of labels.
    table : str
        The table, or a query in parentheses, as it is written after FROM.
    dialect : {"duckdb", "postgres", "snowflake", "sqlite", "spark", "mysql", "bigquery"}
        Determines how names are quoted and what types are called.
    **options
        Options of the measure.

    Returns
    -------
    str
        A query with one row: number of objects, numbers of clusters, the sums of `TableSums`, and
        ``value`` in its last column; NULL where the measure is undefined.

    Raises
    ------
    ValueError
        If the measure has no form in such sums, or the dialect is unknown.

    See Also
    --------
    table_sums, contingency_table

    Notes
    -----
    .. math:: \sum_{kl} \varphi(t_{kl}), \quad \sum_k \varphi(a_k), \quad \sum_l \varphi(b_l),
              \qquad \varphi(t) = t^2 \text{ or } t \log t

    of the counts t and the cluster sizes a and b.

    Objects without a label on either side are left out. The counts are grouped once more by each
    side, so that no table leaves the database. The formula is that of the measure. Sums of squares
    are whole numbers below 2^63, for at most 3e9 objects.

    Theory: docs/theory/tables.md.

    Examples
    --------
    >>> import softclust
    >>> query = softclust.sql("rand_index", x="predicted", y="truth", table="labels")
    >>> print(query.splitlines()[-1])
    FROM terms
    >>> softclust.sql("transfer_distance", x="a", y="b", table="t")
    Traceback (most recent call last):
    ...
    ValueError: transfer_distance is not a function of sums over the table...
    """
    value, terms, columns = _written(measure, options)
    sums = "".join(f", {name}" for name in columns if name != "n")
    chosen = "".join(f",\n  {term} AS {name}" for name, term in terms.items())
    return (f"{_sums_query(x, y, table, dialect, columns)},\n"
            f"terms AS (SELECT n AS objects, n{sums}{chosen} FROM numbers)\n"
            f"SELECT objects{sums},\n  {value} AS value\nFROM terms")


def _written(measure: str | Callable[..., Any], options: Mapping[str, Any]
             ) -> tuple[str, dict[str, str], list[str]]:
    """The formula of a measure as SQL: the value, the terms in it, and the sums in these."""
    m = get_measure(measure)
    if m.statistic is None or m.statistic.of_table_sums is None or m.formula is None:
        raise ValueError(f"{m.name} is not a function of sums over the table, so it has no query; "
                         "contingency_table(x, y, data=...) counts in the engine")
    if unknown := set(options) - set(m.options):
        raise ValueError(f"{m.name} has no option {', '.join(sorted(unknown))} in a query")
    try:
        view = m.statistic.of_table_sums(
            TableSums.of_columns({name: Term(name) for name in COLUMNS}),
            **m.options_of("statistic", options))
        view, terms = _named(view)
        value = m.formula(view, **m.options_of("formula", options)).text
    except (NotImplementedError, ClusteringError) as error:
        raise ValueError(f"{m.name} has no query with these options: {error}") from None
    words = re.findall(r"\w+", value)
    terms = {name: term for name, term in terms.items() if name in words and name != term}
    words += re.findall(r"\w+", " ".join(terms.values()))
    return value, terms, [name for name in COLUMNS if name == "n" or name in words]


def _named(view: Any) -> tuple[Any, dict[str, str]]:
    """The view with its numbers as columns, and what these columns are."""
    names = [f.name for f in fields(view)] if is_dataclass(view) else list(vars(view))
    terms = {name: getattr(view, name).text for name in names
             if isinstance(getattr(view, name), Term)}
    named = copy(view)
    for name in terms:
        object.__setattr__(named, name, Term(name))
    return named, terms


def _sums_query(x: str, y: str, table: str, dialect: str, columns: Collection[str]) -> str:
    """The common table expressions: cells, their sums by side, and these columns as floats."""
    check_choice("dialect", dialect, tuple(_WORDS))
    quote, real, whole = _WORDS[dialect]
    one, other = (quote + name.replace(quote, 2 * quote) + quote for name in (x, y))
    queries = {"cells": f"SELECT {one} AS x, {other} AS y, CAST(COUNT(*) AS {whole}) AS t\n"
                        f"  FROM {table} WHERE {one} IS NOT NULL AND {other} IS NOT NULL\n"
                        f"  GROUP BY {one}, {other}"}
    for side, partner in ("xy", "yx"):
        queries[f"{side}_sizes"] = (
            f"SELECT {side}, CAST(SUM(t) AS {whole}) AS t, MAX(t) AS largest, "
            f"SUM(t * t) AS squares,\n  COUNT(*) AS cells, MIN({partner}) AS partner "
            f"FROM cells GROUP BY {side}")
    for part, source in (("cells", "cells"), ("x", "x_sizes"), ("y", "y_sizes")):
        sums = {f"n_{part}": "COUNT(*)", f"{part}_squares": "SUM(t * t)",
                f"{part}_logs": f"SUM(CAST(t AS {real}) * LN(CAST(t AS {real})))",
                f"{part}_largest": "SUM(largest)",
                f"{part}_shares": f"SUM(CAST(squares AS {real}) / t)"}
        if part == "cells":
            sums["n"] = f"CAST(SUM(t) AS {whole})"
        chosen = ", ".join(f"{text} AS {name}" for name, text in sums.items() if name in columns)
        if chosen:
            queries[f"of_{part}"] = f"SELECT {chosen} FROM {source}"
    if "equal_clusters" in columns:
        queries["of_both"] = (
            "SELECT COUNT(*) AS equal_clusters FROM x_sizes JOIN y_sizes\n"
            "  ON x_sizes.partner = y_sizes.y WHERE x_sizes.cells = 1 AND y_sizes.cells = 1")
    sources = " CROSS JOIN ".join(name for name in queries if name.startswith("of_"))
    numbers = ", ".join(f"CAST({name} AS {real}) AS {name}" for name in columns)
    queries |= {"sums": f"SELECT * FROM {sources}", "numbers": f"SELECT {numbers} FROM sums"}
    return "WITH " + ",\n".join(f"{name} AS ({query})" for name, query in queries.items())


# -- sums from an engine ----------------------------------------------------------------------
def table_sums(x: str, y: str, *, data: FrameLike, measures: str | Sequence[str] | None = None
               ) -> TableSums:
    r"""Sums over the contingency table of two columns, computed in their database.

    For millions of clusters, whose table is as long as the data: the engine groups the counts again
    by each side and returns one row.

    Parameters
    ----------
    x, y : str
        The columns of labels.
    data : DuckDB relation, Ibis table or PySpark frame
        Any other frame that `contingency_table` takes is counted first, with its table in memory.
    measures : str or sequence of str, optional
        Measures to be computed from the result: only the sums they need are added, which takes half
        the time for pair counting. All sums by default.

    Returns
    -------
    TableSums
        Takes the place of x and y in measures that `softclust.sql` knows. Pair counts are exact.

    Raises
    ------
    ClusteringError
        If a column is missing, or no object has both labels.

    See Also
    --------
    contingency_table, sql

    Notes
    -----
    .. math:: \sum_{kl} \varphi(t_{kl}), \quad \sum_k \varphi(a_k), \quad \sum_l \varphi(b_l),
              \qquad \varphi(t) = t^2 \text{ and } t \log t

    of the counts t and the cluster sizes a and b.

    Objects without a label on either side are left out, as with ``missing="drop"``.

    Theory: docs/theory/tables.md.

    Examples
    --------
    >>> import pandas as pd
    >>> import softclust
    >>> frame = pd.DataFrame({"found": [0, 0, 1, 1], "truth": ["a", "a", "b", "c"]})
    >>> sums = softclust.table_sums("found", "truth", data=frame)
    >>> round(softclust.adjusted_rand_index(sums), 4)
    0.5714
    """
    columns: Collection[str] = COLUMNS
    if measures is not None:
        names = [measures] if isinstance(measures, str) else measures
        columns = {column for name in names for column in _written(name, {})[2]}
    row = _row(x, y, data, [name for name in COLUMNS if name in columns])
    if row is None:
        return _of_table(contingency_table(x, y, data=data, missing="drop"))
    if not row["n"]:
        raise ClusteringError(f"no object has both labels, {x!r} and {y!r}")
    real = ("logs", "shares")
    return TableSums.of_columns({name: (float if name.endswith(real) else int)(row[name])
                                 if name in row else NotAdded() for name in COLUMNS})


class NotAdded(Expression):
    """A sum that was not requested: any use raises."""

    def apply(self, function: np.ufunc, *operands: Any) -> Any:
        """Raise ClusteringError."""
        raise ClusteringError("the sums of this measure were not added: name it in "
                              "table_sums(..., measures=)")


def _of_table(source: ContingencyTable) -> TableSums:
    """Sums over a table in memory."""
    table, largest = source.statistic(Contingency), source.statistic(LargestCounts)
    parts = (table.counts, table.a, table.b)
    squares, logs = ([f(v) for v in parts] for f in (
        lambda v: exact_dot(v, v), lambda v: float(T_LOG_T.values(v.astype(float)).sum())))
    shares = [float((table.counts.astype(float) ** 2 / sizes[codes]).sum())
              for codes, sizes in ((table.rows, table.a), (table.cols, table.b))]
    equal = (table.counts == table.a[table.rows]) & (table.counts == table.b[table.cols])
    return TableSums.of_columns(dict(zip(COLUMNS, (
        int(table.n), *table.n_used, table.n_cells, *squares, *logs, largest.of_x, largest.of_y,
        *shares, int(equal.sum())))))


@engine_interrupts()
def _row(x: str, y: str, data: Any, columns: list[str]) -> Mapping[str, Any] | None:
    """The row of sums that an engine with SQL gives; None where there is none."""
    name, engine = "softclust_objects", library(data)
    if engine not in ("duckdb", "_duckdb", "pyspark", "ibis"):
        return None
    check_columns([x, y], as_frame(data).collect_schema().names())
    dialect = "spark" if engine == "pyspark" else "duckdb"
    query = f"{_sums_query(x, y, name, dialect, columns)}\nSELECT * FROM sums"
    if engine == "ibis":   # which translates into the dialect of its engine
        from ibis.expr.operations import InMemoryTable
        if data.op().find(InMemoryTable):
            return None
        return data.alias(name).sql(query, dialect="duckdb").to_pyarrow().to_pylist()[0]
    if engine == "pyspark":
        spark = data.sparkSession
        data.createOrReplaceTempView(name)
        try:
            return spark.sql(query).first().asDict()
        finally:
            spark.catalog.dropTempView(name)
    result = data.query(name, query)
    return dict(zip(result.columns, result.fetchall()[0]))
