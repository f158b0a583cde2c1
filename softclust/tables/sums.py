"""Sums of phi(t) over the cells, the rows and the columns of a table of two hard clusterings.

For phi(t) = t^2 they are pairs of objects (`PairCounts`), for phi(t) = t log t entropies
(`Information`). Null laws, completions, posterior draws and dendrograms make these sums; the
formula of a measure reads them through one of the two views.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..measures.statistic import Source
from .quotient import Polynomial


@dataclass(frozen=True, slots=True)
class Phi:
    """A convex function phi of counts.

    Attributes
    ----------
    values : callable
        phi of an array of counts.
    whole : callable
        phi of one count as a whole number of units.
    unit : float
        That unit.
    """

    values: Callable[[Any], Any]
    whole: Callable[[int], int]
    unit: float


_BITS = 45
SQUARE = Phi(lambda t: t * t, lambda t: t * t, 1)
T_LOG_T = Phi(lambda t: t * np.log(np.where(t > 0, t, 1)),
              lambda t: round(math.ldexp(t * math.log(t), _BITS)) if t else 0, 2.0**-_BITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Sums of phi of one table, or of many along a leading axis.

    Attributes
    ----------
    n : int or array
        Number of objects.
    cells, rows, columns : number or array
        Sums of phi over the cells, over the sizes of the clusters of x, and of those of y.
    sizes : (array, array) or None
        Sizes of the clusters of x (..., r) and of y (..., s), for uses that need more than the
        sums.
    """

    n: Any
    cells: Any
    rows: Any
    columns: Any
    sizes: tuple[np.ndarray, np.ndarray] | None = None

    @property
    def equal(self) -> Any:
        """True if both partitions are the same: else a sum differs by 2 log 2 at least."""
        return (self.rows - self.cells < 0.5) & (self.columns - self.cells < 0.5)

    @classmethod
    def of_tables(cls, tables: np.ndarray, phi: Phi) -> Sums:
        """Statistic of tables (m, r, s) of the same number of objects."""
        a, b = tables.sum(axis=2), tables.sum(axis=1)
        return cls(n=int(tables[0].sum()), cells=phi.values(tables).sum(axis=(1, 2)),
                   rows=phi.values(a).sum(axis=1), columns=phi.values(b).sum(axis=1), sizes=(a, b))


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
    cells : int
        Number of non-empty cells.
    squares : (int, int, int)
        Sums of t^2 over cells, clusters of x and clusters of y; exact.
    logs : (float, float, float)
        Sums of t log t over the same.
    largest : (int, int)
        Sums over the clusters of x, and of y, of their largest count.
    shares : (float, float)
        Sums of t^2/a over the cells, a the size of the cluster of x, and of y.
    equal : int
        Number of clusters that x and y have in common.

    Examples
    --------
    >>> import softclust
    >>> sums = softclust.table_sums("a", "b", data={"a": [0, 0, 1], "b": [0, 1, 1]})
    >>> sums.n, sums.clusters, sums.squares
    (3, (2, 2), (3, 5, 5))
    """

    n: Any
    clusters: tuple[Any, Any]
    cells: Any
    squares: tuple[Any, Any, Any]
    logs: tuple[Any, Any, Any]
    largest: tuple[Any, Any]
    shares: tuple[Any, Any]
    equal: Any

    without_objects = "the objects are needed; these are sums over their table"

    @classmethod
    def of_columns(cls, row: Mapping[str, Any]) -> TableSums:
        """Sums from numbers or expressions, by the names in `COLUMNS`."""
        n, n_x, n_y, n_cells, *sums = (row[name] for name in COLUMNS)
        return cls(n=n, clusters=(n_x, n_y), cells=n_cells, squares=(sums[0], sums[1], sums[2]),
                   logs=(sums[3], sums[4], sums[5]), largest=(sums[6], sums[7]),
                   shares=(sums[8], sums[9]), equal=sums[10])

    @classmethod
    def unknown(cls, known: Mapping[str, Any]) -> TableSums:
        """Polynomials in unknown sums, where these are not known."""
        sums: dict[str, Any] = {}
        for name in COLUMNS:
            value = known[name] if name in known else Polynomial.unknown(name)
            sums[name] = (value if name == "n" or isinstance(value, Polynomial)
                          else Polynomial.number(value))
        return cls.of_columns(sums)

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return self.n

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Numbers of clusters of x and y."""
        return self.clusters

    def statistic(self, kind: Any, **options: Any) -> Any:
        """The statistic, where it is a function of the sums."""
        if kind.of_table_sums is None:
            raise ClusteringError("the contingency table is needed, and these are sums over it: "
                                  "contingency_table(x, y, data=...) counts it")
        return kind.of_table_sums(self, **options)


#: names of the sums in a query and in `Measure.ratio`, in the order of `TableSums`
COLUMNS = ("n", "n_x", "n_y", "n_cells", "cells_squares", "x_squares", "y_squares", "cells_logs",
           "x_logs", "y_logs", "x_largest", "y_largest", "x_shares", "y_shares", "equal_clusters")
