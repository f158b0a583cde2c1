"""Sums of pair dissimilarities over all pairs of objects, by the cheapest exact method."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from .._parallel import Progress
from ..clusterings import Clustering, RoughClustering
from ..measures.draws import Draws
from ..measures.statistic import Replicates, Statistic, interpolated
from ..tables.contingency import contingency
from ..tables.pair_counts import PairCounts
from ._features import Side, side
from ._resampled_pairs import TOO_MANY_SETS, credal_object_rows, object_rows, resampled_sums
from .bilinear import logical_sums, relation_sums
from .moments import MembershipMoments
from .pair_rows import membership_totals, pair_totals

METHODS = ("auto", "contingency", "logical", "binary", "rows", "pairs")
#: objects from which equal rows are looked for, and looked at first
_ROWS_FROM, _SAMPLE = 200, 1000
#: moments that cost as much as a pair of objects in the pair loop
_MOMENTS = 4.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSums(Statistic):
    """Sums over the pairs i < j.

    Attributes
    ----------
    r0, half, r1 : float
        Pair dissimilarity r_alpha at alpha = 0, 1/2, 1.
    belief : float
        Belief distances.
    jousselme, conflict : float or None
        Jousselme distances and conflicts, when they were asked for.
    n_objects, n_pairs : int
    method : str
        How they were computed.

    Notes
    -----
    Replicates have arrays, one number each, and no Jousselme distances or conflicts.
    """

    r0: Any
    half: Any
    r1: Any
    belief: Any
    jousselme: float | None = None
    conflict: float | None = None
    n_objects: Any
    n_pairs: Any
    method: str

    def at(self, alpha: float) -> Any:
        """Sum of r_alpha: linear in alpha on [0, 1/2] and on [1/2, 1]."""
        return interpolated(self.r0, self.half, self.r1, alpha)

    @classmethod
    def of(cls, source: Any, *, method: str = "auto", jousselme: bool = False,
           progress: Progress | bool | None = None) -> PairSums:
        """The sums of a pair of clusterings; of two hard ones from the table of counts."""
        check_choice("method", method, METHODS)
        if source.both_hard and method in ("auto", "contingency"):
            return _of_counts(source.statistic(PairCounts), source.n_objects)
        pair = source.objects
        return pair_sums(pair.x, pair.y, method=method, jousselme=jousselme, progress=progress)

    @classmethod
    def left_out(cls, source: Any, *, method: str = "auto", jousselme: bool = False
                 ) -> Replicates | None:
        """Without each object: it takes its own pairs away. O(n f) with a hard side, else O(n^2).
        """
        n = source.n_objects
        if source.both_hard:
            counts = source.without_each(PairCounts)
            return Replicates(times=counts.times, statistic=_of_counts(counts.statistic, n - 1))
        if method != "auto" or jousselme:
            return None
        pair = source.objects
        rows = object_rows(pair.x, pair.y)
        if rows is None:
            return Replicates.none(TOO_MANY_SETS)
        total = source.statistic(cls)
        left = _totals(total) - rows
        return Replicates(times=np.ones(rows.shape[0], np.int64), of_sample=rows.shape[0] < n,
                          statistic=_of_columns(left, n - 1, (n - 1) * (n - 2) // 2))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, method: str = "auto",
                  jousselme: bool = False) -> Replicates | None:
        """Statistic of objects drawn again; copies of an object form no pair."""
        if source.both_hard:
            counts = source.redrawn(PairCounts, draws)
            if counts.lacking:
                return counts
            return Replicates(times=counts.times,
                              statistic=_of_counts(counts.statistic, draws.n_objects))
        if method != "auto" or jousselme:
            return None
        pair, n = source.objects, draws.n_objects
        own = draws.kept("own weights", draws.own)
        sums, first_order = resampled_sums(pair.x, pair.y, _totals(source.statistic(cls)), own,
                                           draws)
        if sums is None:
            return Replicates.none(TOO_MANY_SETS)
        return Replicates(times=np.ones(draws.count, np.int64), first_order=first_order,
                          statistic=_of_columns(sums, n, (float(n) ** 2 - own) / 2))


def _of_counts(p: PairCounts, n: int) -> PairSums:
    """Two hard clusterings: every form counts the pairs that one of them joins."""
    apart = p.n10 + p.n01
    if not isinstance(apart, np.ndarray):
        apart = float(apart)
    return PairSums(r0=apart, half=apart, r1=apart, belief=apart, jousselme=apart,
                    conflict=apart, n_objects=n, n_pairs=p.n_pairs, method="contingency")


def _of_columns(sums: np.ndarray, n: int, n_pairs: Any) -> PairSums:
    r0, half, r1, belief = np.ascontiguousarray(sums.T)
    return PairSums(r0=r0, half=half, r1=r1, belief=belief, n_objects=n, n_pairs=n_pairs,
                    method="resampled")


def _totals(sums: PairSums) -> np.ndarray:
    return np.array([sums.r0, sums.half, sums.r1, sums.belief])


def pair_sums(x: Clustering, y: Clustering, *, method: str = "auto", jousselme: bool = False,
              progress: Progress | bool | None = None) -> PairSums:
    """Sums of r_alpha and of the credal distances over all pairs of objects.

    `method` "auto" takes the first that applies: contingency (both hard), logical (one side
    logical), binary (two fuzzy ones with two clusters), rows (few distinct pairs of rows), pairs
    (every pair). `jousselme` asks for the Jousselme distances, which only contingency, rows and
    pairs have.
    """
    check_choice("method", method, METHODS)
    if method != "auto":
        sums = _ROUTES[method](x, y, jousselme, progress, True)
        if sums is None:
            raise ClusteringError(f'method="{method}" does not apply: {_NEEDS[method]}; '
                                  'method="auto" finds one that does')
        return sums
    for route in _ROUTES.values():
        sums = route(x, y, jousselme, progress, False)
        if sums is not None:
            return sums
    raise AssertionError("the pair kernel always applies")


def shortcut(x: Clustering, y: Clustering, *, rows: bool = True) -> PairSums | None:
    """What method "auto" finds without visiting all pairs, or None.

    ``rows=False`` says that there are too many distinct pairs of rows.
    """
    for name, route in _ROUTES.items():
        if name == "pairs" or (name == "rows" and not rows):
            continue
        sums = route(x, y, False, None, False)
        if sums is not None:
            return sums
    return None


def distinct_rows(x: Clustering) -> bool:
    """Whether the rows of x alone are too many for the method "rows", whatever the other side."""
    if x.n_objects < _ROWS_FROM:
        return True
    sample = side(x).rows[::max(1, x.n_objects // _SAMPLE)]
    return bool(_distinct(sample)[0].size > 0.5 * sample.shape[0])


def _sums(values: np.ndarray, x: Clustering, method: str, *, jousselme: bool = False,
          conflict: bool = False) -> PairSums:
    r0, half, r1, belief = (float(v) for v in values[:4])
    return PairSums(r0=r0, half=half, r1=r1, belief=belief,
                    jousselme=float(values[4]) if jousselme else None,
                    conflict=float(values[5]) if conflict else None, n_objects=x.n_objects,
                    n_pairs=x.n_objects * (x.n_objects - 1) // 2, method=method)


def _by_contingency(x: Clustering, y: Clustering, jousselme: bool,
                    progress: Progress | bool | None, forced: bool) -> PairSums | None:
    if (a := x.hard_codes) is None or (b := y.hard_codes) is None:
        return None
    return _of_counts(PairCounts.of(contingency(a, x.n_clusters, b, y.n_clusters)),
                      x.n_objects)


def _by_groups(x: Clustering, y: Clustering, jousselme: bool,
               progress: Progress | bool | None, forced: bool) -> PairSums | None:
    if jousselme:
        return None
    sides = [z for z in (x, y) if z.is_logical]
    if not sides:
        return None
    first, second = x.mass_table(), y.mass_table()
    certain, other = first, second
    if not first.logical or (second.logical and second.n_sets < first.n_sets):
        certain, other = second, first
    groups, f = certain.n_sets, other.n_sets
    cost = (groups**2 * f + f**2 * groups) / (0.5 * x.n_objects**2 * (groups + f + 1.0))
    if cost > 1.0 and not forced:
        return None
    return _sums(logical_sums(certain, other), x, "logical")


def _by_angle(x: Clustering, y: Clustering, jousselme: bool,
              progress: Progress | bool | None, forced: bool) -> PairSums | None:
    if not (x.has_memberships and y.has_memberships and x.hard_codes is None
            and y.hard_codes is None and x.n_clusters == 2 and y.n_clusters == 2):
        return None
    total = binary_sum(2 * x.memberships()[:, 0] - 1, 2 * y.memberships()[:, 0] - 1)
    return _sums(np.full(6, total), x, "binary", jousselme=True)


def binary_sum(a: np.ndarray, b: np.ndarray) -> float:
    """Sum over i < j of |a_i a_j - b_i b_j| / 2 in O(n log n) (spec section 8.3).

    For each i the sum over j of |w_i . z_j|, w_i = (a_i, -b_i), z_j = (a_j, b_j), is twice the
    part of the half-plane around w_i less the whole. Points on its border contribute 0, so
    rounded angles do no harm.
    """
    angle = np.arctan2(b, a)
    order = np.argsort(angle, kind="stable")
    ring = np.concatenate([angle[order], angle[order] + 2 * np.pi, angle[order] + 4 * np.pi])
    sums = np.zeros((ring.size + 1, 2))
    np.cumsum(np.tile(np.column_stack([a, b])[order], (3, 1)), axis=0, out=sums[1:])
    centre = np.arctan2(-b, a) + 2 * np.pi
    low = np.searchsorted(ring, centre - np.pi / 2, side="left")
    high = np.searchsorted(ring, centre + np.pi / 2, side="right")
    h = sums[high] - sums[low]
    whole = sums[a.size]
    rows = 2 * (a * h[:, 0] - b * h[:, 1]) - (a * whole[0] - b * whole[1]) - np.abs(a * a - b * b)
    return max(float(rows.sum()) / 4, 0.0)


def _by_rows(x: Clustering, y: Clustering, jousselme: bool,
             progress: Progress | bool | None, forced: bool) -> PairSums | None:
    first, second = side(x), side(y)
    n = x.n_objects
    rows = np.concatenate([first.rows, second.rows], axis=1)
    if not forced:
        sample = rows[:: max(1, n // _SAMPLE)]
        if n < _ROWS_FROM or _distinct(sample)[0].size > 0.5 * sample.shape[0]:
            return None
    keep, counts = _distinct(rows)
    if not forced and keep.size * (keep.size + 1) >= n * (n - 1) / 10:
        return None
    values = pair_totals(first.part(keep), second.part(keep), counts.astype(np.float64),
                         credal=jousselme, progress=progress)
    return _sums(values, x, "rows", jousselme=jousselme, conflict=jousselme)


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the first of each set of equal rows, and how many there are of each."""
    view = (np.ascontiguousarray(rows) + 0.0).view(   # -0.0 and 0.0 are one value
        [("", rows.dtype)] * rows.shape[1]).reshape(-1)
    _, keep, counts = np.unique(view, return_index=True, return_counts=True)
    order = np.argsort(keep)
    return keep[order], counts[order]


def _by_pairs(x: Clustering, y: Clustering, jousselme: bool,
              progress: Progress | bool | None, forced: bool) -> PairSums | None:
    values = pair_totals(side(x), side(y), credal=jousselme, progress=progress)
    return _sums(values, x, "pairs", jousselme=jousselme, conflict=jousselme)


def conflict_sum(x: Clustering, y: Clustering, table: Callable[[], np.ndarray],
                 progress: Progress | bool | None) -> float:
    """Sum over i < j of the conflicts, from the pair table unless the pair loop is cheaper."""
    first, second = x.mass_table().n_sets, y.mass_table().n_sets
    if first * second * (first + second) > _MOMENTS * float(x.n_objects) ** 2:
        return float(pair_totals(side(x), side(y), credal=True, progress=progress)[5])
    t = table()
    return float(t[3].sum() + t[:, 3].sum() - t[3, 3] + t[0, 1] + t[1, 0])


def undecided_sum(x: Clustering, progress: Progress | bool | None = None) -> float:
    """Sum over i < j of the masses on "undetermined" and on the empty set."""
    n_pairs = x.n_objects * (x.n_objects - 1) / 2
    if x.mass_table().n_sets ** 2 <= _MOMENTS * float(x.n_objects) ** 2:
        sums = relation_sums(x)
        return float(sums[2] + sums[3])
    # Against "undetermined" for sure, r_1 - r_0 is the mass on same and different.
    ignorant = side(RoughClustering.from_upper(np.ones((x.n_objects, 2))))
    r0, _, r1, _ = pair_totals(side(x), ignorant, progress=progress)
    return n_pairs - float(r1 - r0)


_Route = Callable[[Clustering, Clustering, bool, "Progress | bool | None", bool],
                  "PairSums | None"]
_ROUTES: dict[str, _Route] = {
    "contingency": _by_contingency, "logical": _by_groups, "binary": _by_angle,
    "rows": _by_rows, "pairs": _by_pairs,
}
_NEEDS = {
    "contingency": "both clusterings must be hard",
    "logical": "one clustering must put all mass of each object on one set (hard, rough), and "
               "the Jousselme distance must not be asked for",
    "binary": "both clusterings must be fuzzy with two clusters",
    "rows": "", "pairs": "",
}


# -- sums of pair dissimilarities for many pairs of clusterings of the same objects ---------------
#: objects up to which clusterings are swept; beyond, a pair of them takes its time anyway
_UP_TO = 100_000
#: clusterings whose masses are formed together, so that a pair of groups fits the second cache
_GROUP = 24

Pair = tuple[int, int]


def sweep_sums(clusterings: Sequence[Clustering], pairs: Sequence[Pair],
               progress: Progress | None = None) -> dict[Pair, PairSums]:
    """`pair_sums` of the listed pairs of clusterings, where many at once cost less than each alone.

    Pairs with a shortcut take it. For memberships the objects are swept once for each pair of
    groups of clusterings, up to 100,000 objects. Other pairs are not in the dictionary.
    """
    found: dict[Pair, PairSums] = {}
    distinct = [distinct_rows(x) for x in clusterings]
    sides: dict[int, Side] = {}
    blocks: dict[Pair, list[Pair]] = {}
    for i, j in pairs:
        sums = shortcut(clusterings[i], clusterings[j], rows=not (distinct[i] or distinct[j]))
        if sums is not None:
            found[i, j] = sums
            continue
        for k in (i, j):
            if k not in sides:
                sides[k] = side(clusterings[k])
        if sides[i].memberships and sides[j].memberships:
            low, high = sorted((i // _GROUP, j // _GROUP))
            blocks.setdefault((low, high), []).append((i, j))
    n = clusterings[0].n_objects
    if n > _UP_TO:
        return found
    done, count = 0, sum(map(len, blocks.values()))
    for block in blocks.values():
        def show(part: int, total: int, done: int = done, block: list[Pair] = block) -> None:
            if progress is not None:
                progress(done + len(block) * part // max(total, 1), count)
        used = sorted({k for pair in block for k in pair})
        totals = membership_totals([sides[k] for k in used], [
            (used.index(i), used.index(j)) for i, j in block], np.ones(n), progress=show)
        for pair, total in zip(block, totals.tolist()):
            found[pair] = PairSums(r0=total, half=total, r1=total, belief=total, n_objects=n,
                                   n_pairs=n * (n - 1) // 2, method="pairs")
        done += len(block)
        show(0, 1, done)
    return found


# -- sums over pairs of objects of a distance between masses on "together" and "apart" ------------
DISTANCES = ("belief", "jousselme", "conflict")


@dataclass(frozen=True, slots=True, kw_only=True)
class CredalLoss(Statistic):
    """Sum of the distances of pairs, and the number of pairs."""

    total: Any
    n_pairs: Any

    @classmethod
    def of(cls, source: Any, *, distance: str = "belief", method: str = "auto",
           progress: Progress | bool | None = None) -> CredalLoss:
        """The sum of one of the `DISTANCES`."""
        check_choice("distance", distance, DISTANCES)
        if source.sums is not None and not source.both_hard:
            return cls(n_pairs=source.n_pairs, total=_of_sums(source, distance))
        if distance == "conflict" and method == "auto" and not source.both_hard:
            pair = source.objects
            return cls(n_pairs=source.n_pairs, total=conflict_sum(
                pair.x, pair.y, lambda: pair.pair_table, progress))
        sums = source.statistic(PairSums, method=method, jousselme=distance != "belief",
                                progress=progress)
        total = getattr(sums, distance)
        if total is None:
            raise ClusteringError(f'method="{method}" does not give the {distance}; "auto", '
                                  '"rows" and "pairs" do')
        return cls(total=total, n_pairs=sums.n_pairs)

    @classmethod
    def left_out(cls, source: Any, *, distance: str = "belief", method: str = "auto"
                 ) -> Replicates | None:
        """Without each object in turn: it takes its own pairs away. O(n^2) at most."""
        if _resampled(source, distance, method):
            return _belief(source.without_each(PairSums))
        if method != "auto":
            return None
        pair, n = source.objects, source.n_objects
        rows = credal_object_rows(pair.x, pair.y)
        if rows is None:
            return Replicates.none(TOO_MANY_SETS)
        total = source.statistic(cls, distance=distance).total
        left = total - rows[:, 0 if distance == "jousselme" else 1]
        return Replicates(times=np.ones(rows.shape[0], np.int64), of_sample=rows.shape[0] < n,
                          statistic=cls(total=left, n_pairs=(n - 1) * (n - 2) // 2))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, distance: str = "belief",
                  method: str = "auto") -> Replicates | None:
        """Statistic of objects drawn again."""
        if not _resampled(source, distance, method):
            return None
        return _belief(source.redrawn(PairSums, draws))


def _of_sums(source: Any, distance: str) -> float:
    """Sum of the conflicts of two hard or fuzzy clusterings, from sums of memberships."""
    if distance != "conflict" or "possibilistic" in source.kinds:
        return source.objects   # raises
    m = source.statistic(MembershipMoments).pairs
    return m.first + m.second - 2 * m.both


def _resampled(source: Any, distance: str, method: str) -> bool:
    """Whether the sums of resampled objects have this distance; all are one for hard sides."""
    return source.both_hard or (distance == "belief" and method == "auto")


def _belief(found: Replicates) -> Replicates:
    if found.lacking:
        return found
    sums = found.statistic
    return replace(found, statistic=CredalLoss(total=sums.belief, n_pairs=sums.n_pairs))
