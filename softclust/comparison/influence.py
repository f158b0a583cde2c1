"""`influence()`: the value of a measure without an object, or with the object moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole, frozen
from .._types import ClusteringLike, FrameLike, Side, SourceLike
from ..measures import Measure, get_measure, measure_of
from ..measures.joint import settled_source
from ..measures.record import unknown_option
from ..measures.statistic import Source
from ..results.frames import frame_first
from ..results.records import POSITION, Drawn, Record
from ..results.summary import SummaryTable, right
from ..results.text import amount, position
from ..running.warnings import quiet
from ..tables.contingency import Contingency, cell_of_objects, contingency_from_cells
from ..tables.frame_sides import sides_of
from ..tables.sums import Sums
from .several import exchanged


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Influence(Drawn, Record):
    """Effect of each object on the value of a measure; made by `influence`.

    Attributes
    ----------
    measure : str
    value : float
        Value with all objects in place.
    leave_out : ndarray, shape (n,)
        Value without the object minus the value; nan if it is undefined.
    gain : ndarray, shape (n,)
        Improvement (towards agreement) when the object moves to its best cluster; 0 if no cluster
        is better.
    best : ndarray, shape (n,), int64
        That cluster of `side`; its number of clusters for a new one; the object's own if none is
        better.
    side : str
        The side that moves.
    cluster_names : tuple
        Names of the clusters of `side`.
    object_names : tuple or None

    Examples
    --------
    >>> import softclust
    >>> softclust.influence([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], "rand_index")
    Influence(rand_index=0.6667, n_objects=6, 1 object gains by a move in y)
    """

    _chart = "plot_influence"

    measure: Annotated[str, "measure"]
    value: float
    leave_out: Annotated[np.ndarray, "f n"]
    gain: Annotated[np.ndarray, "f n"]
    best: Annotated[np.ndarray, "i n >=0"] = field(metadata=POSITION)
    side: str
    cluster_names: tuple[Any, ...]
    object_names: Annotated[tuple[Any, ...] | None, "distinct n"]

    def top(self, k: int = 10) -> list[tuple[Any, float, int]]:
        """The k objects with the largest gains: name, gain, position of the best cluster."""
        order = np.argsort(-self.gain, kind="stable")[:check_whole("k", k, 0)].tolist()
        names = self.object_names
        return [(i if names is None else names[i], float(self.gain[i]), int(self.best[i]))
                for i in order if self.gain[i] > 0]

    def _table(self) -> SummaryTable:
        top = self.top()
        return SummaryTable.of(
            {"object": [position(name) for name, _, _ in top],
             "gain": right([g for _, g, _ in top], amount),
             f"best cluster of {self.side}": [
                 position(self.cluster_names[k]) if k < len(self.cluster_names) else "a new one"
                 for _, _, k in top]},
            title=f"{self.measure} = {amount(self.value)}: {int((self.gain > 0).sum())} of "
                  f"{self.gain.size} objects gain by a move in {self.side}")

    def __repr__(self) -> str:
        count = int((self.gain > 0).sum())
        return (f"Influence({self.measure}={self.value:.4g}, n_objects={self.gain.size}, {count} "
                f"object{'s' * (count != 1)} gain{'s' * (count == 1)} by a move in {self.side})")


@frame_first
def influence(x: SourceLike | None = None, y: ClusteringLike | None = None,
              measure: str = "adjusted_rand_index", *,
              data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
              on: str | Sequence[str] | None = None, side: Side = "y", **options: Any) -> Influence:
    r"""Find the objects that a measure depends on most, and where they would fit better.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or a `Joint` as x and no y.
    measure : str, optional
        A measure of two hard clusterings, or a term from another field.
    data, on : optional
        One frame, of which x and y name columns, or two with the key `on`; as in `compare`.
    side : {"y", "x"}, optional
        The side in which objects move.
    **options
        Options of the measure.

    Returns
    -------
    Influence
        For every object, the change when it is left out and the gain of its best move. With two
        objects `leave_out` is nan.

    Raises
    ------
    ClusteringError
        If a side is not hard, the objects differ or have weights, or only a table is known.

    See Also
    --------
    explain, cluster_changes

    Notes
    -----
    .. math:: S(x_{-i}, y_{-i}) - S(x, y), \qquad \max_l S(x, y_{i \to l}) - S(x, y)

    with object i left out, and moved to cluster l of y or to a new one.

    All objects of a cell are alike, so there are O(cells x clusters) values. Measures that are
    formulas on sums over the table (pairs, entropies) are evaluated for all of them at once, each
    in O(1); others table by table. If several clusters are best, the first is returned, and a new
    one only if no other is as good.

    Theory: docs/theory/fields.md.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.influence([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], "rand_index")
    >>> [(i, round(gain, 4), k) for i, gain, k in found.top(1)]
    [(5, 0.3333, 1)]
    """
    check_choice("side", side, ("x", "y"))
    x, y, policies = sides_of(x, y, data, on)
    source, m, values, _ = prepared(settled_source(x, y, ("x", "y"), policies)[0], measure, options,
                                    influence)
    need_hard(source, "influence")
    if not source.has_objects:
        raise ClusteringError("influence needs the objects, and a table of counts has none; "
                              "give both clusterings")
    c = source.statistic(Contingency)
    with quiet():
        value = float(m.function(source, **values))
        changed = _ChangedTables(c, m, dict(values))
        without, moved = changed.without(), changed.moved(side)
    gains = (moved - value) * (1.0 if m.sense == "agreement" else -1.0)
    cells, home = np.arange(c.n_cells), c.cols if side == "y" else c.rows
    gains[cells, home] = 0.0
    gains = np.where(np.isnan(gains) | (gains < _ZERO), 0.0, gains)
    top = gains.max(axis=1)
    best = np.where(top > 0.0, (gains >= top[:, None] - _ZERO).argmax(axis=1), home)
    at = cell_of_objects(c, *source.codes)   # type: ignore[attr-defined]
    return Influence(
        measure=m.name, value=value, leave_out=frozen((without - value)[at]),
        gain=frozen(top[at]), best=frozen(best[at].astype(np.int64)), side=side,
        cluster_names=cluster_names(source)[side == "y"],
        object_names=source.objects.x.object_names)


def cluster_names(source: Source) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Names of the clusters of both sides; positions where there are none."""
    if source.has_objects:
        joint = source.objects
        return tuple(joint.x.cluster_names), tuple(joint.y.cluster_names)
    names = getattr(source, "x_names", None), getattr(source, "y_names", None)
    c = source.statistic(Contingency)
    return tuple(names[0] or range(c.r)), tuple(names[1] or range(c.s))


#: gains up to this are due to rounding
_ZERO = 1e-12


@dataclass(frozen=True, slots=True)
class _ChangedTables:
    """Values of tables from which an object is removed, or in which one moves."""

    table: Contingency
    measure: Measure
    options: dict[str, Any]

    def without(self) -> np.ndarray:
        """Values without an object of each cell, (cells,)."""
        c = self.table
        if c.n <= 2:
            return np.full(c.n_cells, np.nan)
        if self._of_sums:
            step = [self._step(sizes, -1) for sizes in (c.counts, c.a[c.rows], c.b[c.cols])]
            return self._of_changes(c.n - 1, step[0], step[1], step[2], -_one_hot(c.rows, c.r),
                                    -_one_hot(c.cols, c.s))
        return np.array([self._single(c.rows, c.cols, c.counts - (np.arange(c.n_cells) == cell),
                                     c.r, c.s) for cell in range(c.n_cells)])

    def moved(self, side: str) -> np.ndarray:
        """Values with an object of each cell in each cluster of `side`, a new one last, (cells, s +
        1).
        """
        c = self.table
        rows, cols, r, s, b = ((c.rows, c.cols, c.r, c.s, c.b) if side == "y" else
                               (c.cols, c.rows, c.s, c.r, c.a))
        values = np.full((c.n_cells, s + 1), np.nan)
        table = np.zeros((r, s + 1), np.int64)
        table[rows, cols] = c.counts
        if self._of_sums:
            sizes, none = np.append(b, 0), np.zeros((c.n_cells, r), np.int64)
            for k in range(s + 1):
                cells = self._step(c.counts, -1) + self._step(table[rows, k], 1)
                margins = self._step(b[cols], -1) + self._step(sizes[k:k + 1], 1)[0]
                change = _one_hot(np.full(c.n_cells, k), s + 1) - _one_hot(cols, s + 1)
                values[:, k] = (self._of_changes(c.n, cells, 0.0, margins, none, change)
                                if side == "y" else
                                self._of_changes(c.n, cells, margins, 0.0, change, none))
            return values
        for cell, k in product(range(c.n_cells), range(s + 1)):
            i, j = rows[cell], cols[cell]
            if k == j:
                continue
            table[i, j] -= 1
            table[i, k] += 1
            changed = table if side == "y" else table.T
            u, v = np.nonzero(changed)
            values[cell, k] = self._single(u, v, changed[u, v], *changed.shape)
            table[i, j] += 1
            table[i, k] -= 1
        return values

    @property
    def _of_sums(self) -> bool:
        return self.measure.of_sums and not self.measure.options_of("statistic", self.options)

    def _step(self, sizes: np.ndarray, by: int) -> np.ndarray:
        """Change of phi when these sizes change by 1."""
        assert self.measure.statistic is not None
        phi = self.measure.statistic.phi.values
        return np.asarray(phi(sizes + by) - phi(sizes))

    def _of_changes(self, n: int, cells: Any, rows: Any, columns: Any, of_x: np.ndarray,
                of_y: np.ndarray) -> np.ndarray:
        """Values of tables whose sums of phi and sizes differ by these amounts."""
        c, m = self.table, self.measure
        assert m.statistic is not None
        assert m.formula is not None
        phi = m.statistic.phi.values
        a, b = (np.pad(sizes, (0, change.shape[1] - sizes.size)) + change
                for sizes, change in ((c.a, of_x), (c.b, of_y)))
        sums = Sums(n=n, cells=phi(c.counts).sum() + cells, rows=phi(c.a).sum() + rows,
                    columns=phi(c.b).sum() + columns, sizes=(a, b))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(m.formula(m.statistic.from_sums(sums),
                                        **m.options_of("formula", self.options)), np.float64)

    def _single(self, rows: np.ndarray, cols: np.ndarray, counts: np.ndarray, r: int, s: int
               ) -> float:
        filled = counts > 0
        table = contingency_from_cells(rows[filled], cols[filled], counts[filled], r, s)
        return float(self.measure.evaluate(table, self.options))


def _one_hot(codes: np.ndarray, n_clusters: int) -> np.ndarray:
    """One row of n_clusters numbers per code, 1 at its place, int64."""
    return np.eye(n_clusters, dtype=np.int64)[codes]


def prepared(source: Source, measure: Any, options: Mapping[str, Any], caller: Any,
             names: tuple[str, str] = ("x", "y")
             ) -> tuple[Source, Measure, Mapping[str, Any], tuple[str, str]]:
    """Source, measure, options and names of the sides; some terms exchange the sides."""
    word = measure_of(measure)
    m = get_measure(word.name)
    values = {**word.options, **options}
    if unknown := set(values) - set(m.options):
        raise unknown_option(min(unknown), m, caller)
    if m.arity != 2:
        raise ValueError(f"{m.name} is a measure of one clustering")
    if source.weighted:
        raise ClusteringError("explain counts objects; these have weights")
    sides = str(names[0]), str(names[1])
    if word.swap:
        source, sides = exchanged(source), sides[::-1]
    return source, m, values, sides


def need_hard(source: Source, name: str) -> None:
    """Raise ClusteringError unless both sides are hard."""
    if not source.both_hard:
        raise ClusteringError(f"{name} takes two hard clusterings; these are {source.kinds[0]} "
                              f"and {source.kinds[1]}: harden() makes hard ones by a named rule")
