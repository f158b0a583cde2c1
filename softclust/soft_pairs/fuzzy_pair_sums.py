"""Fuzzy pair counts (n11, n10, n01, n00): closed forms for products, else a pair loop."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from .._checks import check_choice
from ..measures.joint import Joint
from ..measures.resamples import Draws, drawn_weights
from ..measures.statistic import Replicates
from ..tables.groups import between
from ..tables.pair_counts import PairCounts
from .bilinear import column_sums
from .moments import MembershipColumns, MembershipMoments, sides, squared_norm
from .pair_rows import run_triangle

RELATIONS = ("product", "cosine", "t_norm")
T_NORMS = ("minimum", "product", "lukasiewicz", "drastic")
T_CONORMS = ("maximum", "bounded_sum", "probabilistic_sum", "drastic_sum")
#: rows of a block
_ROWS = 32
#: relative to the number of pairs: what rounding leaves of a count that is 0
_ROUNDING = 1e-13


def t_norm_counts(x: MembershipColumns, y: MembershipColumns, t_norm: str, t_conorm: str
                  ) -> list[float]:
    """Counts by a triangular norm and conorm over all pairs."""
    sides, n = (_Degrees(x.dense()), _Degrees(y.dense())), x.values.shape[0]
    sums = np.empty((-(-n // _ROWS), 4))

    def work(start: int, stop: int) -> None:
        for block in range(start, stop):
            rows = slice(block * _ROWS, min((block + 1) * _ROWS, n))
            columns = slice(rows.start, n)
            (same1, apart1), (same2, apart2) = (
                side.of(rows, columns, t_norm, t_conorm) for side in sides)
            for q, (a, b) in enumerate(((same1, same2), (same1, apart2), (apart1, same2),
                                        (apart1, apart2))):
                sums[block, q] = np.triu(_norm(t_norm, a, b), 1).sum()

    r, s = x.n_clusters, y.n_clusters
    few = t_conorm == "maximum" or (t_norm, t_conorm) == ("product", "bounded_sum")
    run_triangle(work, n, _ROWS, 4 * (r + s + 8 if few else r * r + s * s + 8))
    return column_sums(sums).tolist()


def _norm(t_norm: str, a: Any, b: Any) -> Any:
    if t_norm == "product":
        return a * b
    if t_norm == "lukasiewicz":
        return np.maximum(a + b - 1.0, 0.0)
    smaller = np.minimum(a, b)
    return smaller if t_norm == "minimum" else np.where(np.maximum(a, b) == 1.0, smaller, 0.0)


def _joined(t_conorm: str, a: Any, t: Any) -> Any:
    """The conorm of a and t; sums are bounded at the end."""
    if t_conorm == "maximum":
        return np.maximum(a, t)
    if t_conorm == "drastic_sum":
        return np.where(np.minimum(a, t) == 0.0, np.maximum(a, t), 1.0)
    return a + t if t_conorm == "bounded_sum" else a + t - a * t


class _Degrees:
    """Degrees to which pairs of rows (n, c) are in one cluster, and in two."""

    def __init__(self, rows: np.ndarray) -> None:
        ordered = np.sort(rows, axis=1)
        self.x, self.place, self.total = rows, rows.argmax(axis=1), rows.sum(axis=1)
        self.top = ordered[:, -1]
        self.second = ordered[:, -2] if rows.shape[1] > 1 else np.zeros(rows.shape[0])

    def of(self, rows: slice, columns: slice, t_norm: str, t_conorm: str
           ) -> tuple[np.ndarray, np.ndarray]:
        """S_k T(u_ik, u_jk) and S_{k != l} T(u_ik, u_jl)."""
        u, v = self.x[rows].T[:, :, None], np.ascontiguousarray(self.x[columns].T)
        same = np.zeros((u.shape[1], v.shape[1]))
        for k in range(v.shape[0]):
            same = _joined(t_conorm, same, _norm(t_norm, u[k], v[k]))
        if t_conorm == "maximum":
            # T rises in both entries: only the largest and the runner-up matter.
            top, second = self.top[rows, None], self.second[rows, None]
            other = np.maximum(_norm(t_norm, top, self.second[columns]),
                               _norm(t_norm, second, self.top[columns]))
            apart = np.where(self.place[rows, None] != self.place[columns],
                             _norm(t_norm, top, self.top[columns]), other)
        elif (t_norm, t_conorm) == ("product", "bounded_sum"):
            apart = np.maximum(self.total[rows, None] * self.total[columns] - same, 0.0)
        else:
            apart = np.zeros_like(same)
            for k in range(v.shape[0]):
                for q in range(v.shape[0]):
                    if q != k:
                        apart = _joined(t_conorm, apart, _norm(t_norm, u[k], v[q]))
        if t_conorm == "bounded_sum":
            return np.minimum(same, 1.0), np.minimum(apart, 1.0)
        return same, apart


def _group_squares(source: Any, relation: str) -> Any:
    """Sums of squares of products of memberships of objects of different groups."""
    def compute() -> Any:
        x, y = sides(source.plain)
        if relation == "cosine":
            x, y = x.unit_rows(), y.unit_rows()
        order = np.argsort(source.groups, kind="stable")
        u, v = x.dense()[order], y.dense()[order]
        ends = np.cumsum(source.sizes).astype(np.int64)
        whole = (u.T @ v, u.sum(axis=0), v.sum(axis=0), np.array([float(source.n_objects)]))
        inside = np.empty((4, source.n_groups))
        crossed = np.empty_like(inside)
        for g, (start, stop) in enumerate(zip([0, *ends[:-1].tolist()], ends.tolist())):
            a, b = u[start:stop], v[start:stop]
            mine = (a.T @ b, a.sum(axis=0), b.sum(axis=0), np.array([float(stop - start)]))
            inside[:, g] = [float((m * m).sum()) for m in mine]
            crossed[:, g] = [float((m * w).sum()) for m, w in zip(mine, whole)]
        return between([float((w * w).sum()) for w in whole], list(inside), list(crossed))

    return source.kept(("squares", relation), compute)


class FuzzyPairCounts(PairCounts):
    """Fuzzy pair counts: sums of the degrees to which each clustering joins the pairs."""

    __slots__ = ()
    phi: ClassVar[Any] = None
    of_table_sums: ClassVar[Any] = None

    @classmethod
    def of(cls, source: Any, *, relation: str = "product", t_norm: str = "minimum",
           t_conorm: str = "maximum") -> FuzzyPairCounts:
        """Sums of degrees; of two hard clusterings the pair counts, for every relation."""
        check_choice("relation", relation, RELATIONS)
        check_choice("t_norm", t_norm, T_NORMS)
        check_choice("t_conorm", t_conorm, T_CONORMS)
        if source.both_hard:
            return cls.like(source.statistic(PairCounts))
        if relation == "t_norm":
            n11, n10, n01, n00 = t_norm_counts(*sides(source), t_norm, t_conorm)
            return cls(n11=n11, n10=n10, n01=n01, n00=n00)
        m = cls._moments(source, relation).pairs
        return cls._of_sums(m.both, m.first, m.second, float(m.n_pairs))

    @staticmethod
    def _moments(source: Any, relation: str) -> MembershipMoments:
        """Moments of the memberships, or of rows of length 1."""
        if relation == "product":
            return source.statistic(MembershipMoments)
        return MembershipMoments(*(side.unit_rows() for side in sides(source)))

    @classmethod
    def _of_sums(cls, both: Any, first: Any, second: Any, pairs: Any) -> FuzzyPairCounts:
        """Counts from sums of psi psi', psi, psi' and 1 over pairs; rounded zeros become 0."""
        counts = (both, first - both, second - both, pairs - first - second + both)
        n11, n10, n01, n00 = (c * (abs(c) > _ROUNDING * pairs) + 0.0 for c in counts)
        return cls(n11=n11, n10=n10, n01=n01, n00=n00)

    @classmethod
    def like(cls, p: PairCounts) -> FuzzyPairCounts:
        """The counts themselves."""
        return cls(**{each.name: getattr(p, each.name) for each in fields(p)})

    @classmethod
    def left_out(cls, source: Any, *, relation: str = "product",  # type: ignore[override]
                 t_norm: str = "minimum", t_conorm: str = "maximum") -> Replicates | None:
        """Without each object, O(n r s); None for t-norms, which visit all pairs."""
        if source.both_hard:
            return source.without_each(PairCounts)
        if relation == "t_norm":
            return None
        m = cls._moments(source, relation).pairs_left_out()
        return Replicates(times=np.ones(source.n_objects, np.int64), statistic=cls._of_sums(
            m.both, m.first, m.second, float(m.n_pairs)))

    @classmethod
    def of_groups(cls, source: Any, *, relation: str = "product",
                  **norms: str) -> PairCounts:
        """Pairs of objects of different groups; all pairs for t-norms, which have no interval."""
        if source.both_hard:
            return source.statistic(PairCounts)
        if relation == "t_norm":
            return source.plain.statistic(cls, relation=relation, **norms)
        return cls.between(_group_squares(source, relation)[0])

    @classmethod
    def left_out_groups(cls, source: Any, *, relation: str = "product",  # type: ignore[override]
                        **norms: str) -> Replicates | None:
        """Counts without each group, O(n r s); None for t-norms."""
        if source.both_hard:
            return source.without_each(PairCounts)
        if relation == "t_norm":
            return None
        return Replicates(times=np.ones(source.n_groups, np.int64),
                          statistic=cls.between(_group_squares(source, relation)[1]))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *,  # type: ignore[override]
                  relation: str = "product", t_norm: str = "minimum", t_conorm: str = "maximum"
                  ) -> Replicates | None:
        """Statistic of objects drawn again, O(n r s) each; None for t-norms."""
        if source.both_hard:
            return source.redrawn(PairCounts, draws)
        if relation == "t_norm":
            return None
        x, y = sides(source)
        if relation == "cosine":
            x, y = x.unit_rows(), y.unit_rows()
        work = _DrawMoments(x.dense(), y.dense(), draws.seeds)
        sums = np.concatenate(draws.run(work, draws.count, "resamples"))
        return Replicates(times=np.ones(draws.count, np.int64), statistic=cls._of_sums(*sums.T))


@dataclass(frozen=True, slots=True)
class _DrawMoments:
    """Sums over pairs of psi psi', psi, psi' and 1 in resamples, (m, 4)."""

    u: np.ndarray
    v: np.ndarray
    seeds: Any

    def __call__(self, start: int, stop: int) -> np.ndarray:
        own_u, own_v = (np.einsum("ij,ij->i", rows, rows) for rows in (self.u, self.v))
        out = np.empty((stop - start, 4))
        for b in range(start, stop):
            w = drawn_weights(self.u.shape[0], self.seeds.generator(b)).astype(np.float64)
            squares = w * w   # of an object with itself: no pair
            weighted = self.u * w[:, None]
            out[b - start] = (
                squared_norm(weighted.T @ self.v) - float(squares @ (own_u * own_v)),
                squared_norm(weighted.sum(axis=0)) - float(squares @ own_u),
                squared_norm(w @ self.v) - float(squares @ own_v),
                w.sum() ** 2 - squares.sum())
        return out / 2


class SharedPairCounts(FuzzyPairCounts):
    """Pair counts of rough clusterings, each object shared equally by its possible clusters."""

    __slots__ = ()
    of_groups: ClassVar[Any] = None
    left_out_groups: ClassVar[Any] = None

    @classmethod
    def of(cls, source: Any) -> FuzzyPairCounts:  # type: ignore[override]
        """Sums of degrees of memberships 1/|T_i| on the possible clusters."""
        return cls.like(source.statistic(PairCounts) if source.both_hard
                        else _shares(source).statistic(FuzzyPairCounts))

    @classmethod
    def left_out(cls, source: Any) -> Replicates | None:  # type: ignore[override]
        """Statistic of the shared memberships without each object."""
        if source.both_hard:
            return source.without_each(PairCounts)
        return _shares(source).without_each(FuzzyPairCounts)

    @classmethod
    def resampled(cls, source: Any, draws: Draws) -> Replicates | None:  # type: ignore[override]
        """Statistic of the shared memberships of objects drawn again."""
        if source.both_hard:
            return source.redrawn(PairCounts, draws)
        return FuzzyPairCounts.resampled(_shares(source), draws)


def _shares(source: Any) -> Joint:
    """Memberships 1/|T_i| on the possible clusters."""
    pair = source.objects
    return source.kept("shared memberships", lambda: Joint.of_checked(
        pair.x.to_fuzzy(), pair.y.to_fuzzy()))
