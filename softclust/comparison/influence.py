"""`influence()`: what the value of a measure would be without an object, or with it moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole, frozen, shown
from .._records import Drawn
from .._warnings import quiet
from ..measures import Measure, get_measure, measure_of
from ..measures.joint import as_source
from ..measures.statistic import Source
from ..tables.contingency import Contingency, cell_of_objects, contingency_from_cells
from ..tables.sums import Sums
from .several import exchanged


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Influence(Drawn):
    """What each object changes; made by `influence`.

    Attributes
    ----------
    measure : str
    value : float
        Of all objects as they are.
    leave_out : ndarray, shape (n,)
        Value without the object less the value; nan where it is undefined.
    gain : ndarray, shape (n,)
        Improvement (towards agreement) when the object moves to its best cluster; 0 where no
        cluster is better.
    best : ndarray, shape (n,), int64
        That cluster of `side`; its number of clusters for a new one, the object's own for none.
    side : str
        The side that moves.
    object_names : tuple or None

    Examples
    --------
    >>> import softclust
    >>> softclust.influence([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], "rand_index")
    Influence(rand_index=0.6667, n_objects=6, 1 objects gain by a move in y)
    """

    _chart = "plot_influence"

    measure: str
    value: float
    leave_out: np.ndarray
    gain: np.ndarray
    best: np.ndarray
    side: str
    object_names: tuple[Any, ...] | None

    def top(self, k: int = 10) -> list[tuple[Any, float, int]]:
        """The k objects with the largest gains: name, gain, best cluster."""
        order = np.argsort(-self.gain, kind="stable")[:check_whole("k", k, 0)].tolist()
        names = self.object_names
        return [(i if names is None else names[i], float(self.gain[i]), int(self.best[i]))
                for i in order if self.gain[i] > 0]

    def __repr__(self) -> str:
        return (f"Influence({self.measure}={self.value:.4g}, n_objects={self.gain.size}, "
                f"{int((self.gain > 0).sum())} objects gain by a move in {self.side})")


def influence(x: Any, y: Any = None, measure: str = "adjusted_rand_index", *, side: str = "y",
              **options: Any) -> Influence:
    r"""Find the objects that a measure hangs on, and where they would fit better.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects; or x a `Joint` and no y.
    measure : str, optional
        A measure of two hard clusterings, or a word of a field.
    side : {"y", "x"}, optional
        The side in which objects move.
    **options
        Options of the measure.

    Returns
    -------
    Influence
        For every object the change when it is left out, and the gain of its best move. With two
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
    formulas on sums over the table (pairs, entropies) get all of them at once, each in O(1); others
    are evaluated table by table. Several best clusters: the first, a new one last.

    Theory: docs/theory/fields.md.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.influence([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 0], "rand_index")
    >>> [(i, round(gain, 4), k) for i, gain, k in found.top(1)]
    [(5, 0.3333, 1)]
    """
    check_choice("side", side, ("x", "y"))
    source, m, given = prepared(x, y, measure, options)
    if not source.has_objects:
        raise ClusteringError("influence is of objects, and a table of counts does not know them; "
                              "give both clusterings")
    c = source.statistic(Contingency)
    with quiet():
        value = float(m.function(source, **given))
        values = _Values(c, m, dict(given))
        without, moved = values.without(), values.moved(side)
    sign = 1.0 if m.sense == "agreement" else -1.0
    gains = sign * (moved - value)
    own = c.cols if side == "y" else c.rows
    gains[np.arange(c.n_cells), own] = 0.0
    gains = np.where(np.isnan(gains) | (gains < _ZERO), 0.0, gains)
    best, top = own.copy(), gains.max(axis=1, initial=0.0)
    for cell in np.flatnonzero(top > 0).tolist():
        best[cell] = int(np.flatnonzero(gains[cell] >= top[cell] - _ZERO)[0])
    cells = cell_of_objects(c, *source.codes)   # type: ignore[attr-defined]
    return Influence(
        measure=m.name, value=value, leave_out=frozen((without - value)[cells]),
        gain=frozen(top[cells]), best=frozen(best[cells].astype(np.int64)), side=side,
        object_names=source.objects.x.object_names)


#: gains up to this are rounding
_ZERO = 1e-12


@dataclass(frozen=True, slots=True)
class _Values:
    """Values of changed tables."""

    table: Contingency
    measure: Measure
    options: dict[str, Any]

    def without(self) -> np.ndarray:
        """Without an object of each cell, (cells,)."""
        c = self.table
        if c.n <= 2:
            return np.full(c.n_cells, np.nan)
        if not self._of_sums:
            return np.array([self._single(c.rows, c.cols, _less(c.counts, cell), c.r, c.s)
                             for cell in range(c.n_cells)])
        t, a, b = c.counts, c.a[c.rows], c.b[c.cols]
        return self._many(
            c.n - 1, self._step(t, -1), self._step(a, -1), self._step(b, -1),
            np.eye(c.r, dtype=np.int64)[c.rows], np.eye(c.s, dtype=np.int64)[c.cols], -1)

    def moved(self, side: str) -> np.ndarray:
        """With an object of each cell in each cluster of `side`, a new one last, (cells, s + 1)."""
        c = self.table
        rows, cols, r, s, b = ((c.rows, c.cols, c.r, c.s, c.b) if side == "y" else
                               (c.cols, c.rows, c.s, c.r, c.a))
        out = np.full((c.n_cells, s + 1), np.nan)
        dense = np.zeros((r, s + 1), np.int64)
        dense[rows, cols] = c.counts
        sizes = np.append(b, 0)
        if self._of_sums:
            for k in range(s + 1):
                cells = (self._step(c.counts, -1) + self._step(dense[rows, k], 1))
                margin = self._step(b[cols], -1) + np.full(rows.size, self._step(sizes[k:k + 1],
                                                                                1)[0])
                change = np.zeros((rows.size, s + 1), np.int64)
                change[np.arange(rows.size), cols] -= 1
                change[:, k] += 1
                zero = np.zeros((rows.size, r), np.int64)
                out[:, k] = (self._many(c.n, cells, 0.0 * cells, margin, zero, change, 1)
                             if side == "y" else
                             self._many(c.n, cells, margin, 0.0 * cells, change, zero, 1))
            out[np.arange(rows.size), cols] = np.nan
            return out
        for cell in range(c.n_cells):
            for k in range(s + 1):
                if k == cols[cell]:
                    continue
                table = dense.copy()
                table[rows[cell], cols[cell]] -= 1
                table[rows[cell], k] += 1
                i, j = np.nonzero(table)
                t = table[i, j]
                if side == "x":
                    order = np.lexsort((i, j))
                    i, j, t = j[order], i[order], t[order]
                shape = (r, s + 1) if side == "y" else (s + 1, r)
                out[cell, k] = self._single(i, j, t, *shape)
        return out

    @property
    def _of_sums(self) -> bool:
        return self.measure.of_sums and not self.measure.of_statistic(self.options)

    def _step(self, sizes: np.ndarray, by: int) -> np.ndarray:
        """Change of phi when these sizes change by 1."""
        assert self.measure.statistic is not None
        phi = self.measure.statistic.phi.values
        return np.asarray(phi(sizes + by) - phi(sizes))

    def _many(self, n: int, cells: Any, rows: Any, columns: Any, of_x: np.ndarray,
              of_y: np.ndarray, sign: int) -> np.ndarray:
        """Values of tables whose sums of phi and sizes differ by this."""
        c, m = self.table, self.measure
        assert m.statistic is not None
        assert m.formula is not None
        phi = m.statistic.phi.values
        a, b = (np.pad(own, (0, more.shape[1] - own.size)) + sign * more
                for own, more in ((c.a, of_x), (c.b, of_y)))
        sums = Sums(n=n, cells=phi(c.counts).sum() + cells, rows=phi(c.a).sum() + rows,
                    columns=phi(c.b).sum() + columns, sizes=(a, b))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(m.formula(m.statistic.from_sums(sums), **m.of_formula(self.options)),
                              dtype=np.float64)

    def _single(self, rows: np.ndarray, cols: np.ndarray, counts: np.ndarray, r: int, s: int
                ) -> float:
        kept = counts > 0
        table = contingency_from_cells(rows[kept], cols[kept], counts[kept], r, s)
        return float(self.measure.evaluate(table, self.options))


def _less(counts: np.ndarray, cell: int) -> np.ndarray:
    changed = counts.copy()
    changed[cell] -= 1
    return changed


def prepared(x: Any, y: Any, measure: Any, options: Mapping[str, Any]
             ) -> tuple[Source, Measure, Mapping[str, Any]]:
    """Source, measure and options; words may exchange the sides."""
    word = measure_of(measure)
    m = get_measure(word.name)
    given = {**word.options, **options}
    if unknown := set(given) - set(m.options):
        raise TypeError(f"{m.name} has no option {shown(sorted(unknown)[0])}")
    if m.arity != 2:
        raise ValueError(f"{m.name} is a measure of one clustering")
    source = as_source(x, y)
    if not source.both_hard:
        raise ClusteringError(f"explain takes two hard clusterings; these are {source.kinds[0]} "
                              f"and {source.kinds[1]}: harden() makes one by a named rule")
    if source.weighted:
        raise ClusteringError("explain counts objects; these have weights")
    return exchanged(source) if word.swap else source, m, MappingProxyType(given)
