"""Objects in groups: a source whose sample units are groups, and the statistics of their tables.

Theory: docs/theory/dependence.md.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from .._checks import ClusteringError
from ..measures.statistic import Replicates, Source
from .contingency import Contingency
from .parts import Parts


class Squares(NamedTuple):
    """Sums of squares of cells, rows, columns and n: of all, or of parts or without parts."""

    cells: Any
    rows: Any
    columns: Any
    objects: Any


class Grouped(Source):
    """Two clusterings whose objects come in groups, which are the sample.

    Its statistics are of pairs of objects of different groups, or corrected by what groups do to
    them; statistics that have no form for groups are those of the objects.

    Parameters
    ----------
    plain : Joint
    groups : ndarray, shape (n,), int64
        Codes of the groups, all of them used.
    names : tuple
        Of the groups.
    strata : ndarray, shape (G,), int64, or None
        Stratum of each group.
    weights : ndarray, shape (n,), or None
        Weights of the objects, 1 on average.

    Attributes
    ----------
    columns : (str, str)
        Names of the columns of groups and strata; "" where they have none.
    """

    #: pairs that are compared: of different groups, or "within" them
    pairs = "all"
    columns = "", ""
    kinds: tuple[str, str] = "", ""
    n_objects: int = 0
    n_clusters: tuple[int, int] = 0, 0

    def __init__(self, plain: Any, groups: np.ndarray, names: tuple[Any, ...],
                 strata: np.ndarray | None = None, weights: np.ndarray | None = None) -> None:
        self.memory: dict[Hashable, Any] = {}
        self.weights = weights
        self.kinds, self.n_objects, self.n_clusters = plain.kinds, plain.n_objects, plain.n_clusters
        self.plain, self.groups, self.names = plain, groups, names
        self.strata = np.zeros(len(names), np.int64) if strata is None else strata

    @classmethod
    def of_parts(cls, table: Any, parts: Parts, strata: np.ndarray | None) -> Grouped:
        """The groups of a table, whose objects are not known."""
        grouped = cls(table, np.zeros(0, np.int64), parts.names, strata)
        grouped.parts = parts
        grouped.sizes = parts.sizes.astype(np.float64)
        return grouped

    @property
    def objects(self) -> Any:
        """The pair of clusterings."""
        return self.plain.objects

    def statistic(self, kind: Any, **options: Any) -> Any:
        """The statistic of groups where there is one, else that of the objects."""
        if kind.of_groups is None:
            return self.plain.statistic(kind, **options)
        return self.kept((kind, *sorted(options.items())), lambda: kind.of_groups(self, **options))

    def without_each(self, kind: Any, **options: Any) -> Replicates | None:
        """Replicates of a statistic without each group; None where it has none."""
        if kind.left_out_groups is None:
            return None
        return self.kept(("without", kind, *sorted(options.items())),
                         lambda: kind.left_out_groups(self, **options))

    # -- sizes --------------------------------------------------------------------------------
    @property
    def n_groups(self) -> int:
        return len(self.names)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Objects of each group, or their weight, float64."""
        return np.bincount(self.groups, weights=self.weights,
                           minlength=self.n_groups).astype(np.float64)

    @property
    def effective(self) -> float:
        """Effective number of groups, n^2 / sum of n_g^2."""
        return float(self.n_objects) ** 2 / float(self.sizes @ self.sizes)

    @cached_property
    def n_strata(self) -> int:
        return int(np.unique(self.strata).size)

    def standard_errors(self, values: np.ndarray) -> np.ndarray:
        """Standard errors of both ends from estimates without each group, (G, 2)."""
        total = np.zeros(values.shape[1])
        for h in range(self.n_strata):
            inside = values[self.strata == h]
            g = inside.shape[0]
            total += (g - 1) / g * ((inside - inside.mean(axis=0)) ** 2).sum(axis=0)
        return np.sqrt(total)

    def within(self, corrected: bool) -> WithinGroups:
        """The same groups for pairs of objects of one group."""
        within = WithinGroups(self.plain, self.groups, self.names, self.strata)
        within.parts, within.sizes, within.corrected = self.parts, self.sizes, corrected
        within.columns = self.columns
        return within

    # -- tables -------------------------------------------------------------------------------
    @cached_property
    def parts(self) -> Parts:
        """The tables of all groups."""
        return Parts.of(self.plain, self.groups, self.names, self.weights)

    def margin(self, side: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Part, cluster and size of the clusters of "x" or "y" in each group."""
        return self.kept(("margin", side), lambda: self.parts.margin(side))

    @cached_property
    def table(self) -> Any:
        """The table of all objects, of their weights where they have some."""
        plain = self.plain.statistic(Contingency)
        if self.weights is None:
            return plain
        keys = plain.rows * plain.s + plain.cols
        cells = np.searchsorted(keys, self.parts.rows * plain.s + self.parts.cols)
        counts = np.bincount(cells, weights=self.parts.counts, minlength=keys.size)
        a, b = (np.bincount(codes, weights=counts, minlength=size) for codes, size in (
            (plain.rows, plain.r), (plain.cols, plain.s)))
        return SimpleNamespace(rows=plain.rows, cols=plain.cols, counts=counts, a=a, b=b,
                               r=plain.r, s=plain.s, n_cells=keys.size)

    @cached_property
    def counts(self) -> np.ndarray:
        """Objects of all groups in the cells of `parts`."""
        p, c = self.parts, self.table
        cells = np.searchsorted(c.rows * c.s + c.cols, p.rows * p.s + p.cols)
        return c.counts[cells]

    def by_group(self, cells: np.ndarray) -> np.ndarray:
        """Sums over the cells of each group, float64."""
        return np.bincount(self.parts.part, weights=cells, minlength=self.n_groups)

    @cached_property
    def squares(self) -> tuple[Squares, Squares]:
        """Sums of squares of the pairs of different groups: of all, and without each group."""
        p, n = self.parts, float(self.n_objects)
        of_groups: list[Any] = []
        whole: list[Any] = []
        crossed: list[Any] = []
        for part, counts, total in (
                (p.part, p.counts, self.counts),
                *((part, sizes, self._margin(side)[cluster]) for side in "xy"
                  for part, cluster, sizes in [self.margin(side)])):
            counts, total = counts.astype(np.float64), total.astype(np.float64)
            of_groups.append(np.bincount(part, weights=counts * counts, minlength=self.n_groups))
            crossed.append(np.bincount(part, weights=counts * total, minlength=self.n_groups))
            whole.append(crossed[-1].sum())
        of_groups.append(self.sizes**2)
        crossed.append(self.sizes * n)
        whole.append(n * n)
        return between(whole, of_groups, crossed)

    def _margin(self, side: str) -> np.ndarray:
        return self.table.a if side == "x" else self.table.b

    # -- errors -------------------------------------------------------------------------------
    @cached_property
    def errors(self) -> tuple[float, float, float]:
        """R objects outside the main cells, the effective number g_r of their groups, and E_r."""
        c, p = self.table, self.parts
        rows, cols = np.zeros(c.r, c.counts.dtype), np.zeros(c.s, c.counts.dtype)
        np.maximum.at(rows, c.rows, c.counts)
        np.maximum.at(cols, c.cols, c.counts)
        rare = (self.counts != rows[p.rows]) & (self.counts != cols[p.cols])
        by_group = self.by_group(p.counts * rare)
        total, n = float(by_group.sum()), self.n_objects
        if not total:
            return 0.0, 0.0, 0.0
        alike = float(self.sizes @ (self.sizes - 1.0)) / (n * (n - 1.0))
        return total, total**2 / float(by_group @ by_group), total / (1.0 + (total - 1.0) * alike)

    @cached_property
    def inflation(self) -> float:
        """d >= 1: how much groups inflate the squared deviations from independence."""
        p, c, n, size = self.parts, self.table, float(self.n_objects), self.sizes
        u, v = c.a / n, c.b / n
        uu, vv = float(u @ u), float(v @ v)
        t = c.counts / n
        u_t = np.bincount(c.cols, weights=u[c.rows] * t, minlength=c.s)    # p' T/n
        t_v = np.bincount(c.rows, weights=v[c.cols] * t, minlength=c.r)    # T/n q
        row, col = 2.0 * uu * v - u_t, 2.0 * vv * u - t_v                  # p' C, C q
        square = 4.0 * uu * vv - 4.0 * float(u @ t_v) + float(t @ t)       # |C|^2

        def centre(rows: np.ndarray, cols: np.ndarray, counts: np.ndarray) -> np.ndarray:
            return 2.0 * u[rows] * v[cols] - counts / n

        parts = {}
        for side, share, other in (("x", u, col), ("y", v, row)):
            part, cluster, sizes = self.margin(side)
            parts[side] = [np.bincount(part, weights=w, minlength=self.n_groups) for w in (
                sizes.astype(np.float64) ** 2, sizes * share[cluster], sizes * other[cluster])]
        (aa, a_u, a_c), (bb, b_v, b_c) = parts["x"], parts["y"]
        mine_x, mine_y = (p.sizes_of_cells(side) for side in "xy")
        grouped = (self.by_group(p.counts.astype(np.float64) ** 2) + uu * bb + vv * aa
                   + size**2 * square
                   - 2.0 * self.by_group(p.counts * u[p.rows] * mine_y)
                   - 2.0 * self.by_group(p.counts * v[p.cols] * mine_x)
                   + 2.0 * size * self.by_group(p.counts * centre(p.rows, p.cols, self.counts))
                   + 2.0 * a_u * b_v - 2.0 * size * (a_c + b_c)).sum()
        single = float(c.counts @ (
            1.0 + uu + vv + square - 2.0 * u[c.rows] - 2.0 * v[c.cols]
            + 2.0 * centre(c.rows, c.cols, c.counts) + 2.0 * u[c.rows] * v[c.cols]
            - 2.0 * row[c.cols] - 2.0 * col[c.rows]))
        g = self.n_groups
        if not single > 0.0 or g == n:
            return 1.0
        return max(1.0, float(grouped) * g / (g - 1.0) / (single * n / (n - 1.0)))


class WithinGroups(Grouped):
    """Pairs of objects of one group, for labels that mean something inside a group only.

    With `corrected` the number M of pairs is the one for which P Q / M is the mean of the pairs
    together in both when labels are permuted within groups: the mean of an index that is
    corrected for chance.
    """

    pairs = "within"
    corrected = False
    #: sums over groups vary to first order at independence, so that errors need no floor
    inflation = 0.0

    @cached_property
    def _squares_of_groups(self) -> list[np.ndarray]:
        """Sums of squares of cells, rows, columns and n in each group, without objects."""
        p = self.parts
        parts = ((p.part, p.counts), *((part, sizes) for part, _, sizes in map(self.margin, "xy")))
        squares = [np.bincount(part, weights=counts.astype(np.float64) ** 2,
                               minlength=self.n_groups) for part, counts in parts]
        return [values - self.sizes for values in (*squares, self.sizes**2)]

    @cached_property
    def squares(self) -> tuple[Squares, Squares]:
        """Sums of squares of the pairs within groups: of all, and without each group."""
        cells, rows, columns, objects = self._squares_of_groups
        mean = np.divide(rows * columns, objects, out=np.zeros_like(rows), where=objects > 0)
        both = []
        for less in (False, True):
            sums = [v.sum() - (v if less else 0.0) for v in (cells, rows, columns, objects, mean)]
            if self.corrected:
                sums[3] = np.where(sums[4] > 0, sums[1] * sums[2] / np.maximum(sums[4], 1e-300),
                                   sums[3])
            both.append(Squares(*sums[:4]))
        return both[0], both[1]

    @property
    def effective(self) -> float:
        """Effective number of groups, by objects or by pairs if that is smaller."""
        pairs = self._squares_of_groups[3]
        return min(float(self.n_objects) ** 2 / float(self.sizes @ self.sizes),
                   float(pairs.sum()) ** 2 / float(pairs @ pairs))


def between(whole: list[Any], of_parts: list[np.ndarray], crossed: list[np.ndarray]
            ) -> tuple[Squares, Squares]:
    """Sums of squares of different groups from those of all, of each, and their products."""
    rest = [w - o.sum() for w, o in zip(whole, of_parts)]
    return (Squares(*rest),
            Squares(*(r - 2.0 * (c - o) for r, o, c in zip(rest, of_parts, crossed))))


def drawn_squares(source: Grouped, draws: np.ndarray) -> Squares:
    """Sums of squares of pairs of different drawn groups; draws (B, G) say how often."""
    from scipy.sparse import csr_array
    p, c, g = source.parts, source.table, source.n_groups
    sums = []
    for part, cell, counts in (
            (p.part, np.searchsorted(c.rows * c.s + c.cols, p.rows * p.s + p.cols), p.counts),
            source.margin("x"), source.margin("y"),
            (np.arange(g), np.zeros(g, np.int64), source.sizes)):
        values = csr_array((counts.astype(np.float64), (part, cell)))
        squares = np.asarray(values.power(2).sum(axis=1)).reshape(-1)
        total = np.asarray(draws @ values)
        sums.append((total * total).sum(axis=1) - (draws * draws) @ squares)
    return Squares(*sums)


def check_nested(groups: np.ndarray, names: tuple[Any, ...], strata: np.ndarray) -> np.ndarray:
    """The stratum of each group; every group must lie in one."""
    first = np.unique(groups, return_index=True)[1]
    of_groups = strata[first]
    split = np.unique(groups[strata != of_groups[groups]])
    if split.size:
        shown = ", ".join(repr(names[g]) for g in split[:3])
        raise ClusteringError(f"groups must lie within strata; {split.size} of {len(names)} have "
                              f"objects in two or more, such as {shown}")
    return of_groups
