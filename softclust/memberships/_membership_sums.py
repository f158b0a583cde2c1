"""`MembershipSums`: sums over objects that many measures of two fuzzy clusterings need, merged."""

from __future__ import annotations

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Any

import numpy as np

from .._checks import ROW_SUM_TOLERANCE, ClusteringError, frozen
from .._types import ClusteringLike
from ..clusterings import as_clustering
from ..clusterings.objects import check_object_names
from ..measures.statistic import Source
from ..results.kept import from_json
from ..results.records import Columns, Framed
from ..results.stored import checksum, readable
from ..running.blas import one_thread
from ..soft_pairs.bilinear import MAX_CELLS, column_sums
from ..soft_pairs.moments import MembershipColumns, MembershipMoments, columns, squared_norm
from ..tables.contingency import Contingency, contingency_from_cells

KINDS = ("hard", "fuzzy", "possibilistic")
_FORMAT = "softclust membership sums"
_ADVICE = "one that MembershipSums.to_json wrote is needed"


#: objects at a time at most, and numbers of a block
_OBJECTS, _NUMBERS = 1 << 12, 1 << 21
#: the sums of `ObjectSums`
PARTS = ("products", "totals", "gaps", "squared_gaps", "both")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObjectSums:
    """Sums over objects.

    Attributes
    ----------
    n : int
    shape : (int, int)
        Numbers r and s of clusters.
    products : ndarray, shape (r + s, r + s)
        Of products of memberships in the clusters of x, then y.
    totals : ndarray, shape (r + s,)
        Of memberships.
    gaps, squared_gaps : ndarray, shape (r, s)
        Of |u_ik - v_il| and of (u_ik - v_il)^2.
    both : ndarray, shape ()
        Of |u_i|^2 |v_i|^2.
    """

    n: int
    shape: tuple[int, int]
    products: np.ndarray
    totals: np.ndarray
    gaps: np.ndarray
    squared_gaps: np.ndarray
    both: np.ndarray

    @staticmethod
    def shapes(r: int, s: int) -> tuple[tuple[int, ...], ...]:
        """Sums of `PARTS`."""
        return (r + s, r + s), (r + s,), (r, s), (r, s), ()

    def plus(self, other: ObjectSums) -> ObjectSums:
        """The sums over the objects of both."""
        return ObjectSums(n=self.n + other.n, shape=self.shape, **{
            name: np.asarray(getattr(self, name) + getattr(other, name)) for name in PARTS})

    def placed(self, places: Sequence[np.ndarray], shape: tuple[int, int]) -> ObjectSums:
        """The sums with more clusters, cluster k of x at places[0][k]; new ones are empty."""
        products, totals, *gaps, _ = (np.zeros(size) for size in self.shapes(*shape))
        every = np.concatenate([places[0], shape[0] + places[1]])
        products[np.ix_(every, every)] = self.products
        totals[every] = self.totals
        # Against an empty cluster the differences are the memberships.
        for table, alone, known in zip(gaps, (totals, products.diagonal()),
                                       (self.gaps, self.squared_gaps)):
            table[:] = alone[:shape[0], None] + alone[shape[0]:]
            table[np.ix_(*places)] = known
        return ObjectSums(n=self.n, shape=shape, products=products, totals=totals, gaps=gaps[0],
                    squared_gaps=gaps[1], both=self.both)

    def equals(self, other: ObjectSums) -> bool:
        """Test whether all sums are the same."""
        return (self.n, self.shape) == (other.n, other.shape) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in PARTS)

    @property
    def blocks(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """U'U, V'V and U'V."""
        r = self.shape[0]
        return self.products[:r, :r], self.products[r:, r:], self.products[:r, r:]

    @property
    def sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """U'1 and V'1."""
        return self.totals[:self.shape[0]], self.totals[self.shape[0]:]


def sums_of(x: MembershipColumns, y: MembershipColumns) -> ObjectSums:
    """The sums over all objects."""
    r, s = x.n_clusters, y.n_clusters
    if (r + s) ** 2 > MAX_CELLS:
        raise ClusteringError(f"{r} and {s} clusters would need {(r + s) ** 2} sums of products "
                              f"(at most {MAX_CELLS}); leave out empty clusters")
    products, totals, gaps, squared, both = (np.zeros(shape) for shape in ObjectSums.shapes(r, s))
    n = x.values.shape[0]
    step = max(1, min(_OBJECTS, _NUMBERS // (r + s)))
    for start in range(0, n, step):
        part = slice(start, start + step)
        rows = np.concatenate([replace(z, values=z.values[part], index=z.index[part]).dense()
                               for z in (x, y)], axis=1)
        with one_thread():
            products += rows.T @ rows
        totals += column_sums(rows)
        v = np.ascontiguousarray(rows[:, r:].T)
        for k in range(r):
            apart = rows[:, k] - v
            gaps[k] += np.abs(apart).sum(axis=1)
            squared[k] += (apart * apart).sum(axis=1)
        both += ((rows[:, :r] ** 2).sum(axis=1) * (rows[:, r:] ** 2).sum(axis=1)).sum()
    return ObjectSums(n=n, shape=(r, s), products=products, totals=totals, gaps=gaps,
                squared_gaps=squared, both=both)


class SummedMoments(MembershipMoments):
    """`MembershipMoments` from sums."""

    def __init__(self, sums: ObjectSums) -> None:
        self.sums, self.n_objects = sums, sums.n

    @cached_property
    def cross(self) -> np.ndarray:
        """U'V, (r, s)."""
        return self.sums.blocks[2]

    @cached_property
    def totals(self) -> tuple[np.ndarray, np.ndarray]:
        """Sums of the memberships in each cluster, (r,) and (s,)."""
        return self.sums.sizes

    @cached_property
    def own_norms(self) -> tuple[float, float]:
        """||U'U||^2 and ||V'V||^2."""
        first, second, _ = self.sums.blocks
        return squared_norm(first), squared_norm(second)

    @cached_property
    def traces(self) -> tuple[float, float]:
        """Sums of the squared memberships."""
        first, second, _ = self.sums.blocks
        return float(first.trace()), float(second.trace())

    @cached_property
    def both(self) -> float:
        """Sum of the products of the squared lengths of both rows."""
        return float(self.sums.both)


class MembershipSums(Framed, Source):
    """Sums over the objects of two hard, fuzzy or possibilistic clusterings.

    Made by `membership_sums`. Sums of parts of the objects add up with ``+``. Measures that are
    functions of them take them instead of x and y.

    Attributes
    ----------
    n_objects : int
        Number of objects.
    kinds : (str, str)
        Kinds of x and of y.
    x_names, y_names : tuple
        Names of the clusters.
    x_totals, y_totals : ndarray, shape (r,) and (s,)
        Sums of the memberships in each cluster.
    cross : ndarray, shape (r, s)
        Sums of products of a membership of x and one of y.
    x_products, y_products : ndarray, shape (r, r) and (s, s)
        Sums of products of two memberships of one side.
    gaps : ndarray, shape (r, s)
        Sums of |u_ik - v_il|.

    Notes
    -----
    ``to_frame()``: the sums of products U'V, with the names of the clusters.

    Sums of floats: parts in another order differ in the last digits, by about 1e-15. ``==`` tests
    whether all numbers are equal.

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> x, y = [[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]], [[0.5, 0.5], [0.7, 0.3], [0.2, 0.8]]
    >>> sums = softclust.membership_sums(x[:2], y[:2]) + softclust.membership_sums(x[2:], y[2:])
    >>> sums
    MembershipSums(x: fuzzy, y: fuzzy, n_objects=3, 2 x 2 clusters)
    >>> bool(np.allclose(sums.cross, softclust.membership_sums(x, y).cross, rtol=1e-14))
    True
    >>> round(softclust.fuzzy_rand_index(sums), 4)
    0.5064
    """

    __slots__ = ("_kinds", "_sums", "memory", "x_names", "y_names")

    memory: dict[Hashable, Any]
    x_names: tuple[Any, ...]
    y_names: tuple[Any, ...]
    _kinds: tuple[str, str]
    _sums: ObjectSums
    without_objects = (
        "sums of memberships are not enough here: the measure, or this option of it, is not a "
        "function of sums over objects; give both clusterings")

    def __init__(self) -> None:
        raise TypeError("MembershipSums is made by membership_sums(x, y)")

    @classmethod
    def _of(cls, sums: ObjectSums, kinds: tuple[str, str], x_names: tuple[Any, ...],
            y_names: tuple[Any, ...]) -> MembershipSums:
        new = object.__new__(cls)
        for name, value in (("_sums", sums), ("_kinds", kinds), ("x_names", x_names),
                            ("y_names", y_names), ("memory", {})):
            object.__setattr__(new, name, value)
        new.keep(MembershipMoments, SummedMoments(sums))
        if new.both_hard:
            counts = np.rint(sums.blocks[2]).astype(np.int64)
            rows, cols = np.nonzero(counts)
            new.keep(Contingency, contingency_from_cells(rows, cols, counts[rows, cols],
                                                         *sums.shape))
        return new

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"MembershipSums cannot be changed ({name}); merge() makes new ones")

    # -- a source of statistics ---------------------------------------------------------------
    @property
    def kinds(self) -> tuple[str, str]:
        """Kinds of x and of y."""
        return self._kinds

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return self._sums.n

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Numbers of clusters of x and y, empty ones included."""
        return self._sums.shape

    @property
    def sums(self) -> ObjectSums:
        """The numbers."""
        return self._sums

    # -- its content --------------------------------------------------------------------------
    @property
    def x_totals(self) -> np.ndarray:
        """Sums of the memberships of x, (r,)."""
        return frozen(self._sums.sizes[0])

    @property
    def y_totals(self) -> np.ndarray:
        """Sums of the memberships of y, (s,)."""
        return frozen(self._sums.sizes[1])

    @property
    def cross(self) -> np.ndarray:
        """U'V, (r, s)."""
        return frozen(self._sums.blocks[2])

    @property
    def x_products(self) -> np.ndarray:
        """U'U, (r, r)."""
        return frozen(self._sums.blocks[0])

    @property
    def y_products(self) -> np.ndarray:
        """V'V, (s, s)."""
        return frozen(self._sums.blocks[1])

    @property
    def gaps(self) -> np.ndarray:
        """Sums of absolute differences of memberships, (r, s)."""
        return frozen(self._sums.gaps)

    def _frame(self) -> Columns:
        return Columns.of_matrix(self.cross, self.x_names, self.y_names)

    @classmethod
    def from_json(cls, text: str) -> MembershipSums:
        """The sums that `to_json` wrote.

        Parameters
        ----------
        text : str

        Returns
        -------
        MembershipSums

        Raises
        ------
        ClusteringError
            If the text does not hold sums of memberships.

        Examples
        --------
        >>> import softclust
        >>> sums = softclust.membership_sums([[0.8, 0.2], [0.6, 0.4]], [0, 1])
        >>> softclust.MembershipSums.from_json(sums.to_json()) == sums
        True
        """
        with readable("the text", "sums of memberships", _ADVICE):
            stored = json.loads(text)
            if not isinstance(stored, dict) or stored.get("format") != _FORMAT:
                sums = from_json(text)
                if not isinstance(sums, cls):
                    raise ValueError(f"it holds {type(sums).__name__}")
                return sums
            # as softclust 0.1 wrote them
            if stored.pop("digest", None) != checksum(stored):
                raise ValueError("a part of it was changed")
            names = tuple(stored["x_names"]), tuple(stored["y_names"])
            r, s = len(names[0]), len(names[1])
            parts = ObjectSums(n=stored["n_objects"], shape=(r, s), **{
                part: np.array(stored[part], np.float64).reshape(shape)
                for part, shape in zip(PARTS, ObjectSums.shapes(r, s))})
            return cls._restored((parts, tuple(stored["kinds"]), *names))

    @classmethod
    def _restored(cls, parts: tuple[Any, ...]) -> MembershipSums:
        """The sums of parts that were read from a text."""
        sums, kinds, *names = parts
        if (type(sums.n) is not int or sums.n < 1 or len(kinds) != 2
                or not set(kinds) <= set(KINDS)):
            raise ValueError("n_objects or kinds are not what they should be")
        if not all(len(set(side)) == len(side) > 0 for side in names):
            raise ValueError("the names of clusters are not distinct")
        for part, shape in zip(PARTS, ObjectSums.shapes(*map(len, names))):
            value = getattr(sums, part)
            if value.dtype != np.float64 or value.shape != shape or not (
                    np.isfinite(value).all() and (value >= 0.0).all()):
                raise ValueError("sums must be finite and not negative")
        if sums.totals.max() > sums.n * (1.0 + ROW_SUM_TOLERANCE):
            raise ValueError("a cluster has more members than there are objects")
        return cls._of(replace(sums, shape=tuple(map(len, names))), kinds, *names)

    # -- other sums ---------------------------------------------------------------------------
    def merge(self, *others: MembershipSums) -> MembershipSums:
        """The sums over the objects of all of them together.

        Parameters
        ----------
        *others : MembershipSums

        Returns
        -------
        MembershipSums
            The same for any order and grouping, up to the last digits.

        Raises
        ------
        ClusteringError
            If kinds or clusters differ. Labels of a hard side may differ: their union is taken.
        """
        return reduce(_merged, others, self)

    def __add__(self, other: Any) -> MembershipSums:
        return self.merge(other) if isinstance(other, MembershipSums) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MembershipSums):
            return NotImplemented
        return (self.kinds, self.x_names, self.y_names) == (
            other.kinds, other.x_names, other.y_names) and self._sums.equals(other._sums)

    __hash__ = None   # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return MembershipSums._of, (self._sums, self._kinds, self.x_names, self.y_names)

    def __repr__(self) -> str:
        (first, second), (r, s) = self.kinds, self.n_clusters
        return (f"MembershipSums(x: {first}, y: {second}, n_objects={self.n_objects}, {r} x {s} "
                "clusters)")


def membership_sums(x: ClusteringLike, y: ClusteringLike) -> MembershipSums:
    r"""Sums over objects from which many measures of two fuzzy clusterings are computed.

    Parameters
    ----------
    x, y : clustering-like
        Hard, fuzzy or possibilistic clusterings of the same objects: all of them, or a part.

    Returns
    -------
    MembershipSums
        Add the sums of the parts with ``+`` or ``merge``, in any order. Measures take them as x,
        without y.

    Raises
    ------
    ClusteringError
        If a side is rough or evidential, or the objects differ.

    See Also
    --------
    contingency_table, MembershipSums, fuzzy_pair_counts

    Notes
    -----
    .. math:: U'V, \quad U'U, \quad V'V, \quad \ldots

    These sums are enough for the pair counting indices of fuzzy clusterings with
    ``relation="product"``, the Anderson and Frobenius indices, fuzzy information measures, the
    distances and indices that match columns of memberships, `comembership_dissimilarity`,
    `mallows_distance` with p = 1 or 2, and the credal Rand index with ``distance="conflict"``. For
    two hard clusterings they are enough for every measure that takes a table of counts. Other
    measures are not functions of sums over objects and raise an error. Time O(n (r + s)^2); memory
    O((r + s)^2) and one block of objects.

    Theory: docs/theory/soft-measures.md.

    Examples
    --------
    >>> import softclust
    >>> sums = softclust.membership_sums([[0.8, 0.2], [0.6, 0.4], [0.1, 0.9]], [0, 0, 1])
    >>> round(softclust.euclidean_membership_distance(sums), 4)
    0.6481
    """
    first, second = as_clustering(x, name="x"), as_clustering(y, name="y")
    for name, side in (("x", first), ("y", second)):
        if side.kind not in KINDS:
            raise ClusteringError(f"{name} is {side.kind}; sums of memberships need a hard, fuzzy "
                                  f"or possibilistic clustering: {name}.to_fuzzy() makes one by a "
                                  "named rule")
    if first.n_objects != second.n_objects:
        raise ClusteringError(f"x has {first.n_objects} objects and y has {second.n_objects}; "
                              "two clusterings of the same objects are needed")
    check_object_names((("x", first), ("y", second)))
    return MembershipSums._of(sums_of(columns(first), columns(second)),
                              (first.kind, second.kind), tuple(first.cluster_names),
                              tuple(second.cluster_names))


def _merged(a: MembershipSums, b: MembershipSums) -> MembershipSums:
    if not isinstance(b, MembershipSums):
        raise TypeError(f"MembershipSums merge with others only, not with a {type(b).__name__}")
    if a.kinds != b.kinds:
        raise ClusteringError(f"sums of {' and '.join(a.kinds)} clusterings cannot be merged with "
                              f"those of {' and '.join(b.kinds)} ones")
    names = [_together(kind, side, *both) for kind, side, both in zip(
        a.kinds, "xy", ((a.x_names, b.x_names), (a.y_names, b.y_names)))]
    shape = len(names[0]), len(names[1])
    parts = [part._sums if (part.x_names, part.y_names) == tuple(names) else part._sums.placed(
        tuple(np.array(list(map(every.index, names_of_part)), np.int64)
              for names_of_part, every in zip((part.x_names, part.y_names), names)), shape)
             for part in (a, b)]
    return MembershipSums._of(parts[0].plus(parts[1]), a.kinds, names[0], names[1])


def _together(kind: str, side: str, one: tuple[Any, ...], two: tuple[Any, ...]
              ) -> tuple[Any, ...]:
    """Names of the clusters of both; hard parts may lack some."""
    if one == two:
        return one
    if kind != "hard":
        raise ClusteringError(f"the clusters of {side} are {one} in one part and {two} in another; "
                              "the same clusters in the same order are needed")
    try:
        return tuple(sorted({*one, *two}))
    except TypeError:
        raise ClusteringError(f"labels of {side} are of different types in the parts "
                              f"({one[0]!r}, {two[0]!r}); labels of one type are needed") from None
