"""Sums of pair dissimilarities over all pairs of objects, by the cheapest exact method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from ..clusterings import Clustering
from ..measures.resamples import Draws
from ..measures.statistic import Replicates, Statistic
from ..running.threads import Progress
from ..tables.pair_counts import PairCounts
from .bilinear import logical_sides, logical_sums
from .moments import MembershipMoments
from .pair_rows import (
    TOO_MANY_SETS,
    Features,
    credal_object_rows,
    membership_totals,
    object_rows,
    pair_totals,
    resampled_sums,
    side,
)

METHODS = ("auto", "contingency", "logical", "binary", "rows", "pairs")
_NEEDS = {
    "contingency": "both clusterings must be hard",
    "logical": "one clustering must put all mass of each object on one set (hard, rough), and "
               "the Jousselme distance must not be requested",
    "binary": "both clusterings must be fuzzy with two clusters",
}
#: objects from which on equal rows are sought, and objects in the first sample
_ROWS_FROM, _SAMPLE = 200, 1000
#: moments that cost as much as a pair of objects in the pair loop
PAIR_COST = 4.0


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
        Jousselme distances and conflicts, when they were requested.
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

    @classmethod
    def of(cls, source: Any, *, method: str = "auto", jousselme: bool = False,
           progress: Progress | bool | None = False) -> PairSums:
        """The sums of a pair of clusterings.

        `method` "auto" takes the first that applies: contingency (both hard), logical (one side
        logical), binary (two fuzzy ones with two clusters), rows (few distinct pairs of rows),
        pairs (every pair). `jousselme` asks for the Jousselme distances, which only contingency,
        rows and pairs have.
        """
        check_choice("method", method, METHODS)
        if source.both_hard and method in ("auto", "contingency"):
            return _of_counts(source.statistic(PairCounts), source.n_objects)
        x, y = source.objects.x, source.objects.y
        sums = _without_pairs(x, y, method, jousselme)
        if sums is not None:
            return sums
        if method in _NEEDS:
            raise ClusteringError(f'method="{method}" does not apply: {_NEEDS[method]}; '
                                  'method="auto" finds one that does')
        first, second = side(x), side(y)
        sums = _of_equal_rows(first, second, method, jousselme, progress)
        return sums if sums is not None else _of_values(
            pair_totals(first, second, credal=jousselme, progress=progress).tolist(),
            x.n_objects, "pairs")

    @classmethod
    def left_out(cls, source: Any, *, method: str = "auto", jousselme: bool = False
                 ) -> Replicates | None:
        """Without each object: it takes its own pairs away. O(n f) with a hard side, else O(n^2).
        """
        n = source.n_objects
        if source.both_hard:
            return source.without_each(PairCounts).mapped(lambda p: _of_counts(p, n - 1))
        if method != "auto" or jousselme:
            return None
        pair = source.objects
        rows = object_rows(pair.x, pair.y)
        if rows is None:
            return Replicates.none(TOO_MANY_SETS)
        left = _totals(source.statistic(cls)) - rows
        return Replicates(times=np.ones(rows.shape[0], np.int64), of_sample=rows.shape[0] < n,
                          statistic=_of_values(left.T, n - 1, "left out"))

    @classmethod
    def resampled(cls, source: Any, draws: Draws, *, method: str = "auto",
                  jousselme: bool = False) -> Replicates | None:
        """Statistic of objects drawn again; copies of an object form no pair."""
        if source.both_hard:
            return source.redrawn(PairCounts, draws).mapped(
                lambda p: _of_counts(p, draws.n_objects))
        if method != "auto" or jousselme:
            return None
        pair, n = source.objects, draws.n_objects
        squares = draws.kept("squared weights", draws.squares)
        sums, first_order = resampled_sums(pair.x, pair.y, _totals(source.statistic(cls)), squares,
                                           draws)
        if sums is None:
            return Replicates.none(TOO_MANY_SETS)
        statistic = replace(_of_values(sums.T, n, "resampled"),
                            n_pairs=(float(n) ** 2 - squares) / 2)
        return Replicates(times=np.ones(draws.count, np.int64), first_order=first_order,
                          statistic=statistic)


def _of_counts(p: PairCounts, n: int) -> PairSums:
    """Two hard clusterings: every form counts the pairs that one of them joins."""
    apart = p.n10 + p.n01
    if not isinstance(apart, np.ndarray):
        apart = float(apart)
    return PairSums(r0=apart, half=apart, r1=apart, belief=apart, jousselme=apart,
                    conflict=apart, n_objects=n, n_pairs=p.n_pairs, method="contingency")


def _of_values(values: Any, n: int, method: str) -> PairSums:
    """Statistic of the forms in their order; the last two where they were requested."""
    r0, half, r1, belief, *credal = values
    jousselme, conflict = credal or (None, None)
    return PairSums(r0=r0, half=half, r1=r1, belief=belief, jousselme=jousselme,
                    conflict=conflict, n_objects=n, n_pairs=n * (n - 1) // 2, method=method)


def _totals(sums: PairSums) -> np.ndarray:
    return np.array([sums.r0, sums.half, sums.r1, sums.belief])


def _without_pairs(x: Clustering, y: Clustering, method: str = "auto", jousselme: bool = False
                   ) -> PairSums | None:
    """The sums, not of two hard clusterings, where a method that visits no pairs applies."""
    n, asked = x.n_objects, method == "auto"
    if (asked or method == "logical") and not jousselme and (sides := logical_sides(x, y)):
        certain, other = sides
        groups, f = certain.n_sets, other.n_sets
        cost = (groups**2 * f + f**2 * groups) / (0.5 * n**2 * (groups + f + 1.0))
        if cost <= 1.0 or not asked:
            return _of_values(logical_sums(certain, other).tolist(), n, "logical")
    if (asked or method == "binary") and x.kind == y.kind == "fuzzy" and (
            x.n_clusters == y.n_clusters == 2):
        total = binary_sum(2 * x.memberships()[:, 0] - 1, 2 * y.memberships()[:, 0] - 1)
        return _of_values([total] * 5 + [None], n, "binary")
    return None


def binary_sum(a: np.ndarray, b: np.ndarray) -> float:
    """Sum over i < j of |a_i a_j - b_i b_j| / 2 in O(n log n) (docs/theory/soft-pairs.md).

    For each i the sum over j of |w_i . z_j|, w_i = (a_i, -b_i), z_j = (a_j, b_j), is twice the
    part of the half-plane around w_i minus the whole. Points on its border contribute 0, so
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


def _of_equal_rows(first: Features, second: Features, method: str = "auto", jousselme: bool = False,
                   progress: Progress | bool | None = False) -> PairSums | None:
    """The sums over distinct pairs of rows where these are few."""
    n, asked = first.g.shape[0], method == "rows"
    if method == "pairs" or (n < _ROWS_FROM and not asked):
        return None
    rows = np.concatenate([first.rows, second.rows], axis=1)
    if not asked and _mostly_distinct(rows):
        return None
    keep, counts = _distinct(rows)
    if not asked and keep.size * (keep.size + 1) >= n * (n - 1) / 10:
        return None
    return _of_values(pair_totals(first.part(keep), second.part(keep), counts.astype(np.float64),
                                  credal=jousselme, progress=progress).tolist(), n, "rows")


def _mostly_distinct(rows: np.ndarray) -> bool:
    """Test whether more than half of a sample of the rows are distinct."""
    sample = rows[::max(1, rows.shape[0] // _SAMPLE)]
    return bool(_distinct(sample)[0].size > 0.5 * sample.shape[0])


def _distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Position of the first of each set of equal rows, and the number of each."""
    view = (np.ascontiguousarray(rows) + 0.0).view(   # -0.0 and 0.0 are one value
        [("", rows.dtype)] * rows.shape[1]).reshape(-1)
    _, keep, counts = np.unique(view, return_index=True, return_counts=True)
    order = np.argsort(keep)
    return keep[order], counts[order]


# -- sums of pair dissimilarities for many pairs of clusterings of the same objects ---------------
#: up to this many objects clusterings are swept; beyond, each pair takes long anyway
_UP_TO = 100_000
#: clusterings whose masses are formed together, so that a pair of groups fits the second cache
_GROUP = 24
#: pairs of objects, over all pairs of clusterings, from which on groups are half as large: what is
#: finished is kept after Ctrl-C, for a third more time
_LONG_SWEEP = 10**10

Pair = tuple[int, int]


def in_blocks(pairs: Sequence[Pair], n_objects: int) -> list[list[Pair]]:
    """Pairs of clusterings by pairs of groups of clusterings, each of which one sweep serves."""
    size = _GROUP // 2 if len(pairs) * n_objects**2 > _LONG_SWEEP else _GROUP
    blocks: dict[Pair, list[Pair]] = {}
    for i, j in pairs:
        blocks.setdefault((i // size, j // size), []).append((i, j))
    return [*blocks.values()]


def sweep_sums(clusterings: Sequence[Clustering], pairs: Sequence[Pair],
               progress: Progress | None = None) -> dict[Pair, PairSums]:
    """`PairSums` of the listed pairs of clusterings, where many at once cost less than one by one.

    Pairs with a shortcut take it. For memberships the objects are swept once for each pair of
    groups of clusterings, up to 100,000 objects. Other pairs, such as two hard clusterings, are
    not in the dictionary.
    """
    n = clusterings[0].n_objects
    sums_of: dict[Pair, PairSums] = {}
    sides: dict[int, Features] = {}
    several: dict[int, bool] = {}   # whether some objects may have equal rows
    blocks: dict[Pair, list[Pair]] = {}
    for i, j in pairs:
        if clusterings[i].kind == clusterings[j].kind == "hard":
            continue
        sums = _without_pairs(clusterings[i], clusterings[j])
        if sums is None:
            for k in {i, j} - set(sides):
                sides[k] = side(clusterings[k])
                several[k] = n >= _ROWS_FROM and not _mostly_distinct(sides[k].rows)
            if several[i] and several[j]:
                sums = _of_equal_rows(sides[i], sides[j])
        if sums is not None:
            sums_of[i, j] = sums
        elif n <= _UP_TO and sides[i].memberships and sides[j].memberships:
            low, high = sorted((i // _GROUP, j // _GROUP))
            blocks.setdefault((low, high), []).append((i, j))
    done, count = 0, sum(map(len, blocks.values()))
    for block in blocks.values():
        def show(part: int, total: int, done: int = done, block: list[Pair] = block) -> None:
            if progress is not None:
                progress(done + len(block) * part // max(total, 1), count)
        used = sorted({k for pair in block for k in pair})
        totals = membership_totals([sides[k] for k in used], [
            (used.index(i), used.index(j)) for i, j in block], np.ones(n), progress=show)
        for pair, total in zip(block, totals.tolist()):
            sums_of[pair] = _of_values(4 * [total], n, "pairs")
        done += len(block)
        show(0, 1, done)
    return sums_of


# -- sums over pairs of objects of a distance between masses on "together" and "apart" ------------
DISTANCES = ("belief", "jousselme", "conflict")


@dataclass(frozen=True, slots=True, kw_only=True)
class CredalLoss(Statistic):
    """Sum of the distances of pairs, and the number of pairs."""

    total: Any
    n_pairs: Any

    @classmethod
    def of(cls, source: Any, *, distance: str = "belief", method: str = "auto",
           progress: Progress | bool | None = False) -> CredalLoss:
        """The sum of one of the `DISTANCES`."""
        check_choice("distance", distance, DISTANCES)
        if distance == "conflict" and method == "auto" and not source.both_hard:
            if source.sums is not None and "possibilistic" not in source.kinds:
                m = source.statistic(MembershipMoments).pairs
                return cls(n_pairs=source.n_pairs, total=m.first + m.second - 2 * m.both)
            # from the pair table unless the pair loop is cheaper
            pair = source.objects
            first, second = pair.x.mass_table().n_sets, pair.y.mass_table().n_sets
            if first * second * (first + second) > PAIR_COST * float(source.n_objects) ** 2:
                totals = pair_totals(side(pair.x), side(pair.y), credal=True, progress=progress)
                return cls(n_pairs=source.n_pairs, total=float(totals[5]))
            t = pair.pair_table
            total = float(t[3].sum() + t[:, 3].sum() - t[3, 3] + t[0, 1] + t[1, 0])
            return cls(n_pairs=source.n_pairs, total=total)
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
        if source.both_hard or (distance == "belief" and method == "auto"):
            return source.without_each(PairSums).mapped(cls._of_belief)
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
        """Statistic of objects drawn again; all distances are one where both sides are hard."""
        if source.both_hard or (distance == "belief" and method == "auto"):
            return source.redrawn(PairSums, draws).mapped(cls._of_belief)
        return None

    @classmethod
    def _of_belief(cls, sums: PairSums) -> CredalLoss:
        return cls(total=sums.belief, n_pairs=sums.n_pairs)
