"""Pair masses: statements of a clustering about pairs of objects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ._base import KINDS, Clustering


@dataclass(frozen=True, slots=True, kw_only=True)
class PairMasses:
    """Masses of the four statements about one pair of objects; they sum to 1.

    Attributes
    ----------
    same : float
        In one cluster.
    different : float
        In two clusters.
    undetermined : float
        Either.
    conflict : float
        Neither: at least one object has the empty set.
    """

    same: float
    different: float
    undetermined: float
    conflict: float


class Relation:
    """Pair masses of a clustering (Campagner, Ciucci and Denoeux 2023, eq. 3).

    Objects combine independently by the unnormalised conjunctive rule. Two equal sets with two
    or more clusters say "undetermined". Made by ``clustering.relation()``.

    Parameters
    ----------
    clustering : Clustering
        Any kind.

    Notes
    -----
    A pair costs O(f^2) time. No measure uses `dense`: its memory grows with n^2.

    Examples
    --------
    >>> import softclust
    >>> relation = softclust.FuzzyClustering([[1.0, 0.0], [0.5, 0.5]]).relation()
    >>> relation.pair(0, 1)
    PairMasses(same=0.5, different=0.5, undetermined=0.0, conflict=0.0)
    """

    __slots__ = ("clustering",)

    def __init__(self, clustering: Clustering) -> None:
        self.clustering = clustering

    def __repr__(self) -> str:
        return f"Relation({self.clustering!r})"

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return self.clustering.n_objects

    def pair(self, i: int, j: int) -> PairMasses:
        """Pair masses of objects i and j.

        Parameters
        ----------
        i, j : int
            Two different objects.

        Raises
        ------
        ClusteringError
            If i equals j (an object forms no pair with itself) or is out of range.
        """
        i, j = (self._position(k) for k in (i, j))
        if i == j:
            raise ClusteringError(f"i and j are both {i}; two different objects form a pair")
        s, n, t, e = self.block([i], [j])[0, 0]
        return PairMasses(same=float(s), different=float(n), undetermined=float(t),
                          conflict=float(e))

    def block(self, rows: Iterable[int], columns: Iterable[int]) -> np.ndarray:
        """Pair masses of some objects with some others.

        Parameters
        ----------
        rows, columns : sequence of int
            Objects.

        Returns
        -------
        ndarray, shape (len(rows), len(columns), 4)
            Last axis: same, different, undetermined, conflict. An object with itself counts as
            same (a convention, [1, 0, 0, 0]).
        """
        rows = np.array([self._position(k) for k in rows], dtype=np.int64)
        columns = np.array([self._position(k) for k in columns], dtype=np.int64)
        left = self.clustering.subset(rows).mass_table()
        right = self.clustering.subset(columns).mass_table()
        common = left.sets.astype(np.int64) @ right.sets.astype(np.int64).T
        same = (common == 1) & left.single[:, None] & right.single[None, :]
        m, k = left.dense(), right.dense()
        out = np.empty((rows.size, columns.size, 4))
        out[..., 0] = m @ same @ k.T
        out[..., 1] = m @ (common == 0) @ k.T
        # 1 - m(empty), not the sum of the other masses: rows may sum to 1 - 1e-9
        g = np.outer(*(t.nonempty if t.nonempty.size else np.ones(t.mass.shape[0])
                       for t in (left, right)))
        out[..., 2] = np.maximum(g - out[..., 0] - out[..., 1], 0.0)
        out[..., 3] = 1.0 - g
        out[rows[:, None] == columns[None, :]] = (1.0, 0.0, 0.0, 0.0)
        return out

    def dense(self, max_bytes: int = 2**28) -> np.ndarray:
        """Pair masses of all pairs, (n, n, 4), for small n.

        Parameters
        ----------
        max_bytes : int
            Largest size of the result (by default 256 MiB, n up to 2,896).

        Raises
        ------
        ClusteringError
            If the array would be larger.
        """
        n = self.n_objects
        if 32 * n * n > max_bytes:
            raise ClusteringError(
                f"the pair masses of {n} objects need {32 * n * n:.3g} bytes, more than "
                f"max_bytes={max_bytes}: use .block(rows, columns), or raise max_bytes")
        return self.block(range(n), range(n))

    def _position(self, k: Any) -> int:
        import operator
        n = self.n_objects
        i = operator.index(k)
        if not -n <= i < n:
            raise ClusteringError(f"object {i} is out of range for {n} objects (0 to {n - 1})")
        return i % n


KINDS.relation = Relation
