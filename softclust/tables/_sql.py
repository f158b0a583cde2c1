"""Sums of phi by two nested GROUP BYs in a database, and the formula of a measure as SQL.

The formula is that of the measure's record: it is called with terms that write SQL down.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from .._frames import as_frame, check_columns, library
from ..measures import get_measure
from ..measures.statistic import Source
from .contingency import Contingency
from .counter import contingency_table
from .entropy import Information
from .exact import exact_dot
from .pair_counts import PairCounts
from .sums import SQUARE, T_LOG_T, Sums

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
_FUNCTIONS = {np.log: "LN", np.sqrt: "SQRT", np.absolute: "ABS"}
_OPERATORS = {np.add: "+", np.subtract: "-", np.multiply: "*", np.true_divide: "/"}
_VIEWS = (PairCounts, Information)
_ENTROPIES = ("h_x", "h_y", "mutual", "variation")


class Term:
    """A number that is not computed but written down as SQL."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __array_ufunc__(self, function: Any, method: str, *given: Any, **_: Any) -> Any:
        if function in _OPERATORS:
            return _joined(given[0], _OPERATORS[function], given[1])
        if function in (np.minimum, np.maximum):   # LEAST of some databases ignores NULL
            one, other = map(_text, given)
            sign = "<=" if function is np.minimum else ">="
            return Term(f"CASE WHEN {one} {sign} {other} THEN {one} "
                        f"WHEN NOT {one} {sign} {other} THEN {other} END")
        if function not in _FUNCTIONS or method != "__call__":
            return NotImplemented
        return Term(f"{_FUNCTIONS[function]}({', '.join(map(_text, given))})")

    def __add__(self, other: Any) -> Term:
        return _joined(self, "+", other)

    def __radd__(self, other: Any) -> Term:
        return _joined(other, "+", self)

    def __sub__(self, other: Any) -> Term:
        return _joined(self, "-", other)

    def __rsub__(self, other: Any) -> Term:
        return _joined(other, "-", self)

    def __mul__(self, other: Any) -> Term:
        return _joined(self, "*", other)

    def __rmul__(self, other: Any) -> Term:
        return _joined(other, "*", self)

    def __truediv__(self, other: Any) -> Term:
        return _joined(self, "/", other)

    def __rtruediv__(self, other: Any) -> Term:
        return _joined(other, "/", self)

    def __neg__(self) -> Term:
        return Term(f"(-{self.text})")

    def __abs__(self) -> Term:
        return Term(f"ABS({self.text})")

    def __lt__(self, other: Any) -> Term:
        return _joined(self, "<", other)

    def __le__(self, other: Any) -> Term:
        return _joined(self, "<=", other)

    def __eq__(self, other: object) -> Any:
        return _joined(self, "=", other)

    def __and__(self, other: Any) -> Term:
        return _joined(self, "AND", other)

    __hash__ = None   # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise NotImplementedError("the formula needs a value where SQL has an expression")

    def quotient(self, over: Any, equal: Any, at_equal: float, zero: float, positive: bool) -> Term:
        """over / self as `softclust.tables.quotient.quotient` defines it; undefined is NULL."""
        small = self if positive else abs(self)
        when = f"WHEN {equal.text} THEN {at_equal!r} " if isinstance(equal, Term) else ""
        return Term(f"CASE {when}WHEN {small.text} <= {zero!r} THEN NULL "
                    f"ELSE {_joined(over, '/', self).text} END")


def _text(value: Any) -> str:
    return value.text if isinstance(value, Term) else repr(float(value))


def _joined(left: Any, operator: str, right: Any) -> Term:
    return Term(f"({_text(left)} {operator} {_text(right)})")


# -- queries ----------------------------------------------------------------------------------
def sql(measure: str | Callable[..., Any], *, x: str, y: str, table: str,
        dialect: str = "duckdb", **options: Any) -> str:
    r"""A query that gives a measure of two columns of a table in a database.

    Parameters
    ----------
    measure : str or function
        A measure of two hard clusterings that is a function of sums over the contingency table:
        the Rand family, mutual information and what is made of it, homogeneity, completeness and
        V-measure.
    x, y : str
        The columns of labels.
    table : str
        The table, or a query in parentheses, as it is written after FROM.
    dialect : {"duckdb", "postgres", "snowflake", "sqlite", "spark", "mysql", "bigquery"}
        How names are quoted and types are called.
    **options
        Options of the measure.

    Returns
    -------
    str
        A query with one row: number of objects, numbers of clusters, sums of squares and of
        t log t over cells, rows and columns, and ``value`` in its last column; NULL where the
        measure is undefined.

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
    >>> softclust.sql("purity_index", x="a", y="b", table="t")
    Traceback (most recent call last):
    ...
    ValueError: purity_index is no function of sums over the table...
    """
    m = get_measure(measure)
    if m.statistic not in _VIEWS or m.formula is None:
        raise ValueError(f"{m.name} is no function of sums over the table, so it has no query; "
                         "contingency_table(x, y, data=...) counts in the engine")
    view, terms = _terms(m.statistic)
    if unknown := set(options) - set(m.formula_options):
        raise ValueError(f"{m.name} has no option {', '.join(sorted(unknown))} in a query")
    try:
        value = _text(m.formula(view, **m.of_formula(options)))
    except (NotImplementedError, ClusteringError) as error:
        raise ValueError(f"{m.name} has no query with these options: {error}") from None
    chosen = ", ".join(f"{term} AS {name}" for name, term in terms.items())
    return (f"{_sums_query(x, y, table, dialect)},\n"
            f"terms AS (SELECT n AS objects, n_x, n_y, cells_squares, x_squares, y_squares, "
            f"cells_logs, x_logs, y_logs,\n  {chosen} FROM numbers)\n"
            f"SELECT objects, n_x, n_y, cells_squares, x_squares, y_squares, cells_logs, x_logs, "
            f"y_logs,\n  {value} AS value\nFROM terms")


def _terms(statistic: Any) -> tuple[Any, dict[str, str]]:
    """A view of sums whose numbers are columns, and what these columns are."""
    n, kind = Term("n"), "squares" if statistic.phi is SQUARE else "logs"
    view = statistic.from_sums(Sums(n=n, cells=Term(f"cells_{kind}"), rows=Term(f"x_{kind}"),
                                    columns=Term(f"y_{kind}")))
    if statistic is PairCounts:
        names = [f.name for f in fields(view) if isinstance(getattr(view, f.name), Term)]
        terms = {name: getattr(view, name).text for name in names}
        return replace(view, **{name: Term(name) for name in names}), terms
    terms = {name: getattr(view, name).text for name in _ENTROPIES} | {"n": "n"}
    for name in _ENTROPIES:
        setattr(view, name, Term(name))
    view.n, view.sizes = Term("n"), None
    return view, terms


def _sums_query(x: str, y: str, table: str, dialect: str) -> str:
    """The common table expressions: cells, their sums by side, and all sums as floats."""
    check_choice("dialect", dialect, tuple(_WORDS))
    quote, real, whole = _WORDS[dialect]
    one, other = (quote + name.replace(quote, 2 * quote) + quote for name in (x, y))
    parts = ", ".join(f"CAST({name} AS {real}) AS {name}" for name in (
        "n", "cells_squares", "x_squares", "y_squares"))
    side = "SELECT {key}, CAST(SUM(t) AS {whole}) AS t FROM cells GROUP BY {key}"
    sums = (f"SUM(t * t) AS {{0}}_squares, "
            f"SUM(CAST(t AS {real}) * LN(CAST(t AS {real}))) AS {{0}}_logs")
    return (
        f"WITH cells AS (SELECT {one} AS x, {other} AS y, CAST(COUNT(*) AS {whole}) AS t\n"
        f"  FROM {table} WHERE {one} IS NOT NULL AND {other} IS NOT NULL\n"
        f"  GROUP BY {one}, {other}),\n"
        f"x_sizes AS ({side.format(key='x', whole=whole)}),\n"
        f"y_sizes AS ({side.format(key='y', whole=whole)}),\n"
        f"of_cells AS (SELECT CAST(SUM(t) AS {whole}) AS n, {sums.format('cells')} FROM cells),\n"
        f"of_x AS (SELECT COUNT(*) AS n_x, {sums.format('x')} FROM x_sizes),\n"
        f"of_y AS (SELECT COUNT(*) AS n_y, {sums.format('y')} FROM y_sizes),\n"
        f"sums AS (SELECT * FROM of_cells CROSS JOIN of_x CROSS JOIN of_y),\n"
        f"numbers AS (SELECT {parts}, n_x, n_y, cells_logs, x_logs, y_logs FROM sums)")


# -- sums from an engine ----------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class TableSums(Source):
    """Sums over the contingency table of two hard clusterings; made by `table_sums`.

    Takes the place of x and y in measures that need nothing else.

    Attributes
    ----------
    n : int
        Number of objects.
    clusters : (int, int)
        Numbers of clusters of x and y.
    squares : (int, int, int)
        Sums of t^2 over cells, clusters of x and clusters of y; exact.
    logs : (float, float, float)
        Sums of t log t over the same.

    Examples
    --------
    >>> import softclust
    >>> sums = softclust.table_sums("a", "b", data={"a": [0, 0, 1], "b": [0, 1, 1]})
    >>> sums.n, sums.clusters, sums.squares
    (3, (2, 2), (3, 5, 5))
    """

    n: int
    clusters: tuple[int, int]
    squares: tuple[int, int, int]
    logs: tuple[float, float, float]

    @property
    def kinds(self) -> tuple[str, str]:
        """Both sides are hard."""
        return "hard", "hard"

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return self.n

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Numbers of clusters of x and y."""
        return self.clusters

    @property
    def objects(self) -> Any:
        """Sums do not know the objects: raises ClusteringError."""
        raise ClusteringError("the objects are needed; these are sums over their table")

    def statistic(self, kind: Any, **options: Any) -> Any:
        """The statistic, where it is a view of the sums."""
        if kind is PairCounts:
            cells, rows, columns = self.squares
            return PairCounts.from_sums(Sums(n=self.n, cells=cells, rows=rows, columns=columns),
                                        shape=(self.n, *self.clusters))
        if kind is Information and not any(v is not None for v in options.values()):
            of_cells, of_x, of_y = self.logs
            view = Information.from_sums(Sums(n=self.n, cells=of_cells, rows=of_x, columns=of_y))
            for name in _ENTROPIES:
                setattr(view, name, float(getattr(view, name)))
            return view
        raise ClusteringError("the contingency table is needed, and these are sums over it: "
                              "contingency_table(x, y, data=...) counts it")


def table_sums(x: str, y: str, *, data: Any) -> TableSums:
    r"""Sums over the contingency table of two columns, added in their database.

    For millions of clusters, whose table is as long as the data: the counts are grouped again by
    each side in the engine, and one row comes back.

    Parameters
    ----------
    x, y : str
        The columns of labels.
    data : DuckDB relation or PySpark frame
        Any other frame that `contingency_table` takes is counted first, with its table in memory.

    Returns
    -------
    TableSums
        Takes the place of x and y in measures of pairs and of information. Pair counts are exact.

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
    row = _row(x, y, data)
    if row is None:
        table = contingency_table(x, y, data=data, missing="drop").statistic(Contingency)
        a, b = (int(np.count_nonzero(sizes)) for sizes in (table.a, table.b))
        squares = [exact_dot(t, t) for t in (table.counts, table.a, table.b)]
        logs = [float(T_LOG_T.values(t.astype(float)).sum())
                for t in (table.counts, table.a, table.b)]
        return TableSums(n=int(table.n), clusters=(a, b),
                         squares=(squares[0], squares[1], squares[2]),
                         logs=(logs[0], logs[1], logs[2]))
    if not row["n"]:
        raise ClusteringError(f"no object has both labels, {x!r} and {y!r}")
    return TableSums(
        n=int(row["n"]), clusters=(int(row["n_x"]), int(row["n_y"])),
        squares=(int(row["cells_squares"]), int(row["x_squares"]), int(row["y_squares"])),
        logs=(float(row["cells_logs"]), float(row["x_logs"]), float(row["y_logs"])))


def _row(x: str, y: str, data: Any) -> Mapping[str, Any] | None:
    """The row of sums that an engine with SQL gives; None where there is none."""
    name, engine = "softclust_objects", library(data)
    if engine not in ("duckdb", "_duckdb", "pyspark"):
        return None
    check_columns([x, y], as_frame(data).collect_schema().names())
    dialect = "spark" if engine == "pyspark" else "duckdb"
    query = f"{_sums_query(x, y, name, dialect)}\nSELECT * FROM sums"
    if engine == "pyspark":
        spark = data.sparkSession
        data.createOrReplaceTempView(name)
        try:
            return spark.sql(query).first().asDict()
        finally:
            spark.catalog.dropTempView(name)
    found = data.query(name, query)
    return dict(zip(found.columns, found.fetchall()[0]))
