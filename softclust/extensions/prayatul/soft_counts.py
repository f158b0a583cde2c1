"""Pairs of objects by whether two soft clusterings are right about them (spec prayatul, 9).

`ExpectedTriple`: the hard formulas with S_X = (|sum w x|^2 - sum |w x|^2)/2 and
S_XY = (|X'WY|_F^2 - sum w^2 |x|^2 |y|^2)/2, in O(n c c'). `MinimumTriple`: a loop over all
pairs. `evidential_matrix`: right, wrong, unknown from moments of the masses in each class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from ..._checks import ClusteringError
from ...clusterings import Clustering
from ...clusterings.focal import MassTable
from ...running.blas import one_thread
from ...running.threads import Progress, progress_bar, run_chunks
from ...soft_pairs.bilinear import (
    MAX_CELLS,
    bilinear_forms,
    column_sums,
    cross_sums,
    relation_masses,
)
from . import _kernels
from .counts import (
    Four,
    Rows,
    four,
    four_same,
    groups_of,
    not_negative,
    square_sum,
    weighted_pairs,
)

#: objects per block of a moment, at least and at most
_BLOCK, _MOST_OBJECTS = 4096, 1 << 16
_NO_INDEX = np.zeros((0, 0), dtype=np.int64)
#: sides of the sums g, p, q, gp, gq, pq, gpq
_SIDES = ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entries:
    """Memberships as entries: mass (n, e), index (n, e) or (0, 0), number of columns f."""

    mass: np.ndarray
    index: np.ndarray
    f: int

    def take(self, first: int, stop: int) -> _Entries:
        index = self.index[first:stop] if self.index.size else self.index
        return _Entries(mass=self.mass[first:stop], index=index, f=self.f)

    def times(self, other: _Entries) -> _Entries:
        """Entries of the products: column a * other.f + b."""
        n = self.mass.shape[0]
        mass = (self.mass[:, :, None] * other.mass[:, None, :]).reshape(n, -1)
        index = (self.columns()[:, :, None] * other.f + other.columns()[:, None, :])
        return _Entries(mass=np.ascontiguousarray(mass), f=self.f * other.f,
                        index=np.ascontiguousarray(np.broadcast_to(
                            index, (n, *index.shape[1:])).reshape(n, -1)))

    def columns(self) -> np.ndarray:
        return self.index if self.index.size else np.arange(self.f)[None, :]

    @property
    def norms(self) -> np.ndarray:
        """|x_i|^2, (n,)."""
        return np.asarray((self.mass * self.mass).sum(axis=1))


def _entries(clustering: Clustering) -> _Entries:
    table = clustering.mass_table()
    return _Entries(mass=table.mass, index=table.index, f=table.n_sets)


def _ones(n: int) -> _Entries:
    return _Entries(mass=np.ones((n, 1)), index=_NO_INDEX, f=1)


Source = Callable[[int, int], _Entries]


def _moments(x: Source, y: Source, n: int, cells: tuple[int, int], weights: np.ndarray
             ) -> np.ndarray:
    """sum of w_i x_i(a) y_i(c), (f1, f2): blocks of objects, added in order."""
    if cells[0] * cells[1] > MAX_CELLS:
        raise ClusteringError(f"{cells[0]} by {cells[1]} clusters need more than {MAX_CELLS} "
                              "moments; leave out clusters that nobody belongs to")
    size = max(_BLOCK, min(cells[0] * cells[1], _MOST_OBJECTS))
    total = np.zeros(cells)
    for first in range(0, n, size):
        last = min(n, first + size)
        u, v = x(first, last), y(first, last)
        total += cross_sums(u.mass * weights[first:last, None], u.index, u.f, v.mass, v.index, v.f)
    return total


def _moments_at(x: Source, y: Source, n: int, table: np.ndarray) -> np.ndarray:
    """sum over a, c of x_i(a) y_i(c) table[a, c] for every object, (n,)."""
    out = np.empty(n)
    for first in range(0, n, _BLOCK):
        last = min(n, first + _BLOCK)
        u, v = x(first, last), y(first, last)
        if u.index.size:
            left = np.zeros((last - first, table.shape[1]))
            for mass, which in zip(u.mass.T, u.index.T):
                left += mass[:, None] * table[which]
        else:
            with one_thread():
                left = u.mass @ table
        if v.index.size:
            left = np.take_along_axis(left, v.index, axis=1)
        out[first:last] = (left * v.mass).sum(axis=1)
    return out


class _SoftTriple:
    """Truth, primary and alternative, hard or fuzzy, and weights of the objects."""

    def __init__(self, g: Clustering, p: Clustering, q: Clustering,
                 weights: np.ndarray | None = None) -> None:
        self.sides = (g, p, q)
        self.n = g.n_objects
        self.weights = np.ones(self.n) if weights is None else weights

    def __getstate__(self) -> dict[str, Any]:
        # What is shared and cached is computed again.
        return {"sides": self.sides, "weights": self.weights}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*state.pop("sides"), **state)   # type: ignore[misc]

    @classmethod
    def _restored(cls, state: Mapping[str, Any]) -> Self:
        """The triple of a state that was read from a text."""
        sides, weights = state["sides"], state["weights"]
        n = len(sides[0])
        if not all(isinstance(side, Clustering) and len(side) == n for side in sides) or (
                weights.shape != (n,) or not np.isfinite(weights).all() or weights.min() < 0.0):
            raise ClusteringError("the clusterings and weights of a stored triple do not fit")
        new = cls.__new__(cls)
        new.__setstate__({**state})
        return new

    @cached_property
    def pairs(self) -> float:
        """Total weight of the pairs."""
        return weighted_pairs(self.weights)

    def prepare(self) -> None:
        """Make what `weighted` shares, before threads ask for it."""

    def _rows(self, by: str, rows: Any, same: Any) -> Rows:
        """Rows of all objects."""
        if by == "cell":
            raise ClusteringError('by="cell" needs hard clusterings; memberships differ from '
                                  'object to object: by="object" gives a row for each')
        return Rows(rows=np.maximum(rows, 0.0),
                    same=None if same is None else np.maximum(same, 0.0),
                    partners=self.weights.sum() - self.weights,
                    count=np.ones(self.n, np.int64), weights=self.weights)


class ExpectedTriple(_SoftTriple):
    """Expected counts when labels are drawn independently by the memberships.

    Parameters
    ----------
    g, p, q : Clustering
        Hard or fuzzy.
    weights : ndarray, shape (n,), or None
    shared : dict, optional
        Remembers sums for other triples of the same clusterings and weights.
    """

    coupling = "expected"

    def __init__(self, g: Clustering, p: Clustering, q: Clustering,
                 weights: np.ndarray | None = None,
                 shared: dict[Any, Any] | None = None) -> None:
        super().__init__(g, p, q, weights)
        self.shared = {} if shared is None else shared
        self.entries = tuple(map(_entries, self.sides))
        norms = [e.norms for e in self.entries]
        #: |x|^2 |y|^2 ... of g, p, q, gp, gq, pq and gpq
        self.norms = [*norms, norms[0] * norms[1], norms[0] * norms[2], norms[1] * norms[2],
                      norms[0] * norms[1] * norms[2]]

    def _operands(self) -> list[tuple[Source, Source, tuple[int, int]]]:
        """Parts of the moments of g, p, q, gp, gq, pq and gpq."""
        n, (g, p, q) = self.n, self.entries
        one = _ones(n)

        def pair(x: _Entries, y: _Entries) -> tuple[Source, Source, tuple[int, int]]:
            return x.take, y.take, (x.f, y.f)

        def product(first: int, last: int) -> _Entries:
            return g.take(first, last).times(p.take(first, last))

        return [pair(one, g), pair(one, p), pair(one, q), pair(g, p), pair(g, q), pair(p, q),
                (product, q.take, (g.f * p.f, q.f))]

    @cached_property
    def _groups(self) -> list[np.ndarray | None]:
        """Codes of the cells of g, p, q, gp, gq, pq, gpq where all of these are hard."""
        return [*groups_of(*(None if s.hard_codes is None else s.hard_codes.astype(np.int64)
                             for s in self.sides)), None]

    def prepare(self) -> None:
        """Make what `weighted` shares, before threads ask for it."""
        self._groups  # noqa: B018

    def _table(self, k: int, weights: np.ndarray) -> np.ndarray:
        x, y, cells = self._operands()[k]
        return _moments(x, y, self.n, cells, weights)

    def _sum(self, k: int, weights: np.ndarray) -> float:
        group = self._groups[k]
        if group is not None:
            # No table: two hard clusterings may have very many cells.
            totals = np.bincount(group, weights)
        else:
            totals = self._table(k, weights).ravel()
        return (square_sum(totals) - float(np.sum(weights * weights * self.norms[k]))) / 2

    def _shared_sum(self, k: int) -> float:
        """S of the given weights."""
        sides = tuple(self.sides[m] for m in _SIDES[k])
        key = tuple(map(id, sides))
        if key not in self.shared:
            # The sides are kept with their sum, so that no id can come back.
            self.shared[key] = sides, self._sum(k, self.weights)
        return float(self.shared[key][1])

    @cached_property
    def counts(self) -> Four:
        """BR, RW, WR, BW."""
        return not_negative(four(self.pairs, *map(self._shared_sum, range(6))))

    @cached_property
    def same_class(self) -> Four:
        """The part of the pairs inside one class."""
        sums = [self._shared_sum(k) for k in (0, 3, 4, 6)]
        return not_negative(four_same(*sums))

    def weighted(self, weights: np.ndarray) -> Four:
        """The four counts when object i has weight w_i."""
        sums = [self._sum(k, weights) for k in range(6)]
        return not_negative(four(weighted_pairs(weights), *sums))

    def rows(self, by: str = "object") -> Rows:
        """Rows of all objects."""
        w, sums = self.weights, []
        for k, (x, y, _) in enumerate(self._operands()):
            group = self._groups[k]
            if group is not None:
                at = np.bincount(group, w)[group]
            else:
                at = _moments_at(x, y, self.n, self._table(k, w))
            sums.append(at - w * self.norms[k])
        g, p, q, gp, gq, pq, gpq = sums
        return self._rows(by, np.stack(four(w.sum() - w, g, p, q, gp, gq, pq), axis=1),
                          np.stack(four_same(g, gp, gq, gpq), axis=1))

    def swapped(self) -> ExpectedTriple:
        """Primary and alternative exchanged."""
        g, p, q = self.sides
        return ExpectedTriple(g, q, p, self.weights, self.shared)


# -- minimum coupling -----------------------------------------------------------------------
def _shares(clustering: Clustering) -> tuple[np.ndarray, np.ndarray]:
    """Codes (n,) and no shares, or no codes and shares (c, n)."""
    if (codes := clustering.hard_codes) is not None:
        return codes.astype(np.int64), np.zeros((0, 0))
    return np.zeros(0, np.int64), np.array(clustering.memberships().T, order="C")


class MinimumTriple(_SoftTriple):
    """Counts under minimum coupling, from a loop over all pairs.

    Parameters
    ----------
    g, p, q : Clustering
        Hard or fuzzy.
    weights : ndarray, shape (n,), or None
    progress : callable, True or None
    by_object : ndarray, optional
        Rows that were counted before.
    """

    coupling = "minimum"

    def __init__(self, g: Clustering, p: Clustering, q: Clustering,
                 weights: np.ndarray | None = None,
                 progress: Progress | bool | None = False, *,
                 by_object: np.ndarray | None = None) -> None:
        super().__init__(g, p, q, weights)
        self.shares = tuple(map(_shares, self.sides))
        if by_object is not None and by_object.shape != (self.n, _kernels.prayatul.N_ROWS):
            raise ClusteringError("the rows of a stored triple do not fit its clusterings")
        with progress_bar(progress, "objects") as callback:
            self.by_object = self._loop(self.weights, callback) if by_object is None else by_object

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "by_object": self.by_object}

    def _loop(self, weights: np.ndarray, progress: Progress | None = None, *,
              threads: bool = True) -> np.ndarray:
        n, kernel = self.n, _kernels.prayatul
        out = np.empty((n, kernel.N_ROWS))
        arguments = [*(array for side in self.shares for array in side),
                     np.array(weights, np.float64)]

        def work(start: int, stop: int) -> None:
            kernel.minimum_rows(*arguments, start, stop, out)

        if threads:
            features = sum(max(1, shares.shape[0]) for _, shares in self.shares)
            run_chunks(work, n, max(1, int(2e8 / (n * (features + 12)))), progress=progress)
        else:
            work(0, n)
        return out

    def _totals(self, rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return column_sums(rows * weights[:, None]) / 2

    @cached_property
    def counts(self) -> Four:
        """BR, RW, WR, BW."""
        return not_negative(tuple(self._totals(self.by_object[:, :4], self.weights)))

    @cached_property
    def same_class(self) -> Four:
        """The part of the pairs inside one class; the truth must be hard."""
        if self.sides[0].hard_codes is None:
            raise ClusteringError(
                'parts are not defined for coupling="minimum" with a soft truth: a pair is then '
                'neither in one class nor in two; coupling="expected" has them')
        return not_negative(tuple(self._totals(self.by_object[:, 4:], self.weights)))

    def weighted(self, weights: np.ndarray) -> Four:
        """The four counts when object i has weight w_i."""
        return not_negative(tuple(
            self._totals(self._loop(weights, threads=False)[:, :4], weights)))

    def rows(self, by: str = "object") -> Rows:
        """Rows of all objects."""
        soft = self.sides[0].hard_codes is None
        return self._rows(by, self.by_object[:, :4], None if soft else self.by_object[:, 4:])

    def swapped(self) -> MinimumTriple:
        """Primary and alternative exchanged: no second loop."""
        other = copy(self)
        other.sides = (self.sides[0], *self.sides[:0:-1])
        other.shares = (self.shares[0], *self.shares[:0:-1])
        other.by_object = self.by_object[:, [0, 2, 1, 3, 4, 6, 5, 7]]
        other.__dict__.pop("counts", None)
        other.__dict__.pop("same_class", None)
        return other


# -- evidential -----------------------------------------------------------------------------
def evidential_matrix(truth: np.ndarray, p: MassTable, q: MassTable,
                      weights: np.ndarray | None = None, *,
                      progress: Progress | bool | None = False) -> np.ndarray:
    """E (3, 3): right, wrong, unknown of p by those of q, summed over all pairs.

    `truth` holds the codes (n,) of the classes.
    Time O(n f1 f2 + r f1 f2 (f1 + f2)) for r classes of at least two objects, memory
    O(n + f1 f2).
    """
    n = truth.size
    w = np.ones(n) if weights is None else weights
    order = np.argsort(truth, kind="stable")
    sizes = np.bincount(truth)
    ends = np.cumsum(sizes)
    starts = ends - sizes
    classes = np.flatnonzero(sizes > 1)
    # (same, different, any) of each object with itself
    own_p, own_q = (np.column_stack([relation_masses(t)[:, :2], np.ones(n)]) for t in (p, q))
    same = np.zeros((classes.size + 1, 9))

    def work(start: int, stop: int) -> None:
        for k in range(start, stop):
            chosen = order[starts[classes[k]]:ends[classes[k]]]
            same[k] = _basis(p, q, own_p, own_q, w, chosen).ravel()

    with progress_bar(progress, "classes") as callback:
        run_chunks(work, classes.size, max(1, classes.size // 128), progress=callback)
    everything = _basis(p, q, own_p, own_q, w, np.arange(n))
    inside = column_sums(same).reshape(3, 3)
    # rows (right, wrong, unknown) from (same, different, any), for pairs of one class and of two
    one = np.array([[1.0, 0, 0], [0, 1, 0], [-1, -1, 1]])
    two = one[[1, 0, 2]]
    matrix = one @ inside @ one.T + two @ (everything - inside) @ two.T
    # Single clusters leave nothing unknown, not even by rounding.
    if p.all_single and not p.nonempty.size:
        matrix[2] = 0.0
    if q.all_single and not q.nonempty.size:
        matrix[:, 2] = 0.0
    return np.maximum(matrix, 0.0)


def _basis(p: MassTable, q: MassTable, own_p: np.ndarray, own_q: np.ndarray, weights: np.ndarray,
           chosen: np.ndarray) -> np.ndarray:
    """Sums over pairs among the chosen objects of (same, different, any) of p by those of q."""
    w = weights[chosen]
    x, y = (_Entries(mass=t.mass[chosen], f=t.n_sets,
                     index=t.index[chosen] if t.index.size else t.index) for t in (p, q))
    one = _ones(chosen.size)
    n = chosen.size
    moments = _moments(x.take, y.take, n, (x.f, y.f), w)
    alone_p = _moments(x.take, one.take, n, (x.f, 1), w)
    alone_q = _moments(one.take, y.take, n, (1, y.f), w)
    left = bilinear_forms(p, moments)[:2]
    right = [form.T for form in bilinear_forms(q, moments.T)[:2]]
    basis = np.empty((3, 3))
    for a in range(2):
        for b in range(2):
            basis[a, b] = np.sum(left[a] * right[b])
        basis[a, 2] = np.sum(bilinear_forms(p, alone_p)[a] * alone_p)
        basis[2, a] = np.sum(bilinear_forms(q, alone_q.T)[a] * alone_q.T)
    basis[2, 2] = w.sum() ** 2
    squares = w * w
    products = own_p[chosen][:, :, None] * own_q[chosen][:, None, :] * squares[:, None, None]
    return (basis - column_sums(products.reshape(n, 9)).reshape(3, 3)) / 2


def normalised(table: MassTable, name: str) -> MassTable:
    """Masses divided by 1 - m(empty)."""
    if not table.nonempty.size:
        return table
    bad = np.flatnonzero(table.nonempty <= 0.0)
    if bad.size:
        raise ClusteringError(f"{name}: object {bad[0]} has all its mass on the empty set and "
                              'cannot be normalised; empty="unknown" leaves it unknown')
    return replace(table, mass=table.mass / table.nonempty[:, None], nonempty=np.zeros(0))
