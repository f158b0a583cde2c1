"""Joints of resampled objects: what measures read when objects are left out or drawn again."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from .._joint import Joint
from ..resampling._replicates import Streams, run_blocks
from ..statistics import resampled
from ..statistics.contingency import Contingency
from ..statistics.pairs import PairSums

#: multiply-adds of the pairs of all resamples; beyond it their first-order form is used
FORMS_AT_MOST = 1e11
#: numbers kept for all resamples together; cells visited by all that leave one object out
_MOST_KEPT = 1 << 26
_MOST_CELLS = 1 << 31


class NotResampled(Exception):
    """A measure asked for something that has no resampled form."""


class _Outline:
    """What a measure may know of a clustering whose objects are resampled."""

    def __init__(self, clustering: Any) -> None:
        self.kind, self.n_clusters = clustering.kind, clustering.n_clusters

    def __getattr__(self, name: str) -> Any:
        raise NotResampled(name)


class _Resample(Joint):
    """The Joint of resampled objects."""

    def __init__(self, given: Joint, n_objects: int, own: int) -> None:
        self.x, self.y = _Outline(given.x), _Outline(given.y)   # type: ignore[assignment]
        self._n, self._own = n_objects, own

    @property
    def n_objects(self) -> int:
        return self._n

    @property
    def n_pairs(self) -> int:
        return (self._n * self._n - self._own) // 2

    @property
    def contingency(self) -> Contingency:
        return self.kept("contingency", self._contingency)

    @property
    def restriction_costs(self) -> np.ndarray:
        return self._costs()

    @property
    def pair_table(self) -> np.ndarray:
        raise NotResampled("pair_table")

    def pair_sums(self, *, method: str = "auto", jousselme: bool = False,
                  progress: Any = None) -> PairSums:
        if method != "auto" or jousselme:
            raise NotResampled("pair_sums")
        r0, half, r1, belief = (float(v) for v in self._pairs())
        return PairSums(r0=r0, half=half, r1=r1, belief=belief, jousselme=None, conflict=None,
                        n_pairs=self.n_pairs, method="resampled")

    def _contingency(self) -> Contingency:
        raise NotResampled("contingency")

    def _costs(self) -> np.ndarray:
        raise NotResampled("restriction_costs")

    def _pairs(self) -> np.ndarray:
        raise NotResampled("pair_sums")


class Probe(_Resample):
    """All objects once: notes what a measure asks for."""

    def __init__(self, given: Joint) -> None:
        super().__init__(given, given.n_objects, given.n_objects)
        self._given = given
        self.asked: set[str] = set()

    def _contingency(self) -> Contingency:
        self.asked.add("contingency")
        if not _both_hard(self._given):
            raise NotResampled("contingency")
        return self._given.contingency

    def _costs(self) -> np.ndarray:
        self.asked.add("costs")
        return self._given.restriction_costs

    def _pairs(self) -> np.ndarray:
        self.asked.add("pairs")
        sums = self._given.pair_sums()
        return np.array([sums.r0, sums.half, sums.r1, sums.belief])


class Replicate(_Resample):
    """One of the resamples."""

    def __init__(self, given: Joint, replicates: Replicates, b: int) -> None:
        super().__init__(given, int(replicates.n_objects[b]), int(replicates.own[b]))
        self._all, self._b = replicates, b

    def _contingency(self) -> Contingency:
        return self._all.contingency(self._b)

    def _costs(self) -> np.ndarray:
        assert self._all.costs is not None
        return self._all.costs[self._b]

    def _pairs(self) -> np.ndarray:
        if self._all.pairs is None:   # two hard clusterings: every form counts the same pairs
            counts = PairCounts.of(self.contingency)
            return np.full(4, float(counts.n10 + counts.n01))
        return self._all.pairs[self._b]


class Replicates:
    """Statistics of all resamples.

    Attributes
    ----------
    n_objects, own, times : (R,) int64
        Sum of the weights, sum of their squares, and how many resamples are equal to this one.
    pairs : (R, 4) or None
    costs : (R, 3, c, c) or None
    lacking : dict
        Statistics that are too dear, with the reason.
    first_order : bool
        Whether `pairs` are first-order forms.
    """

    def __init__(self, n_objects: np.ndarray, own: np.ndarray, times: np.ndarray) -> None:
        self.n_objects, self.own, self.times = n_objects, own, times
        self.pairs: np.ndarray | None = None
        self.costs: np.ndarray | None = None
        self.lacking: dict[str, str] = {}
        self.first_order = False
        self._original: Contingency | None = None
        self._counts: Callable[[int], np.ndarray] | None = None

    def set_counts(self, original: Contingency, counts: Callable[[int], np.ndarray]) -> None:
        """Cell counts of replicate b in the non-zero cells of `original`."""
        self._original, self._counts = original, counts

    def contingency(self, b: int) -> Contingency:
        """The contingency of replicate b."""
        assert self._original is not None
        assert self._counts is not None
        return resampled.weighted_contingency(self._original, self._counts(b), int(self.own[b]))


def _both_hard(joint: Joint) -> bool:
    return joint.x.kind == joint.y.kind == "hard"


# -- the two schemes --------------------------------------------------------------------------
def leave_one_out(joint: Joint, asked: set[str]) -> Replicates:
    """Each object left out once; objects of one cell of two hard clusterings are alike."""
    n = joint.n_objects
    if _both_hard(joint):
        table = joint.contingency
        counts = table.counts
        found = Replicates(np.full(counts.size, n - 1), np.full(counts.size, n - 1), counts)
        if counts.size**2 > _MOST_CELLS:
            found.lacking["contingency"] = (f"{counts.size} cells are too many to leave out an "
                                            'object of each; ci="bootstrap" can')

        def without(b: int) -> np.ndarray:
            left = counts.copy()
            left[b] -= 1
            return left

        found.set_counts(table, without)
        return found
    found = Replicates(np.full(n, n - 1), np.full(n, n - 1), np.ones(n, np.int64))
    if "pairs" in asked:
        rows = _pair_rows(joint)
        if rows is None:
            found.lacking["pairs"] = _TOO_MANY_SETS
        else:
            found.pairs = _sums(joint) - rows
    if "costs" in asked:
        values = resampled.object_costs(joint.x, joint.y)
        if values is None:
            found.lacking["costs"] = _TOO_MANY_COSTS
        else:
            total = joint.restriction_costs
            found.costs = np.maximum(total - values.reshape(n, *total.shape), 0.0)
    return found


_TOO_MANY_SETS = "there are too many focal sets to keep the masses of every object"
_TOO_MANY_COSTS = "there are too many objects and clusters to keep the costs of every object"


def _sums(joint: Joint) -> np.ndarray:
    sums = joint.pair_sums()
    return np.array([sums.r0, sums.half, sums.r1, sums.belief])


def _pair_rows(joint: Joint) -> np.ndarray | None:
    """Sums over the pairs of each object, (n, 4)."""
    logical = resampled.logical_sides(joint.x, joint.y)
    if logical is not None:
        return resampled.logical_rows(*logical)
    sides = resampled.dense_sides(joint.x, joint.y)
    return None if sides is None else resampled.row_sums(sides)


def bootstrap(joint: Joint, asked: set[str], count: int, seeds: Streams,
              executor: Executor | None = None, progress: Any = None) -> Replicates:
    """`count` resamples of n objects with replacement; child b of the seeds draws resample b."""
    n = joint.n_objects

    def run(work: Any, what: str) -> list[Any]:
        results: list[Any] = []
        run_blocks(work, 0, count, lambda start, stop, part: results.append(part),
                   executor=executor, progress=progress, what=what)
        return results

    total, once = np.full(count, n), np.ones(count, np.int64)
    if _both_hard(joint):
        table = joint.contingency
        if count * table.n_cells > _MOST_KEPT:
            found = Replicates(total, total, once)
            found.lacking["contingency"] = (f"{table.n_cells} cells are too many for {count} "
                                            "resamples; take fewer")
            return found
        cells = resampled.cell_of_objects(table, *_codes(joint))
        parts = run(resampled.CountCells(cells, table.n_cells, seeds), "resamples")
        counts = np.concatenate([part[0] for part in parts])
        found = Replicates(total, np.concatenate([part[1] for part in parts]), once)
        found.set_counts(table, lambda b: counts[b])
        return found
    found = Replicates(total, np.concatenate(run(resampled.SumSquares(n, seeds), "resamples")),
                       once)
    if "pairs" in asked:
        _bootstrap_pairs(joint, found, count, seeds, executor, progress, run)
    if "costs" in asked:
        values = resampled.object_costs(joint.x, joint.y)
        if values is None or count * values.shape[1] > _MOST_KEPT:
            found.lacking["costs"] = _TOO_MANY_COSTS
        else:
            shape = joint.restriction_costs.shape
            sums = np.concatenate(run(resampled.SumObjects(values, seeds), "resamples"))
            found.costs = sums.reshape(count, *shape)
    return found


def _codes(joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    x, y = joint.x, joint.y
    return x.codes, y.codes   # type: ignore[attr-defined]


def _bootstrap_pairs(joint: Joint, found: Replicates, count: int, seeds: Streams,
                     executor: Executor | None, progress: Any,
                     run: Callable[[Any, str], list[Any]]) -> None:
    logical = resampled.logical_sides(joint.x, joint.y)
    if logical is not None:
        found.pairs = np.concatenate(run(resampled.SumLogical(*logical, seeds), "pairs"))
        return
    sides = resampled.dense_sides(joint.x, joint.y)
    if sides is None:
        found.lacking["pairs"] = _TOO_MANY_SETS
        return
    n, forms = joint.n_objects, resampled.n_forms(sides)
    if 0.5 * n * n * count * forms > FORMS_AT_MOST or n * count > _MOST_KEPT:
        found.first_order = True
        found.pairs = _first_order(joint, resampled.row_sums(sides), found, seeds, run)
        return
    weights = np.empty((n, count), np.uint16)
    for b in range(count):
        weights[:, b] = resampled.drawn_weights(n, seeds.generator(b))
    blocks: list[np.ndarray] = []
    run_blocks(resampled.SumForms(sides, weights, forms), 0, -(-n // resampled.ROWS),
               lambda start, stop, part: blocks.extend(part), executor=executor,
               progress=progress, what="pairs")
    sums = np.zeros((forms, count))
    for block in blocks:   # in their order, whoever computed them
        sums += block
    found.pairs = resampled.all_forms(np.ascontiguousarray(sums.T))


def _first_order(joint: Joint, rows: np.ndarray, found: Replicates, seeds: Streams,
                 run: Callable[[Any, str], list[Any]]) -> np.ndarray:
    """Means over pairs moved by the means of the drawn objects (Hajek projection), as sums."""
    n = joint.n_objects
    mean = _sums(joint) / joint.n_pairs
    values = np.ascontiguousarray(rows / (n - 1) - mean)
    moved = np.concatenate(run(resampled.SumObjects(values, seeds), "resamples")) * (2.0 / n)
    pairs = (found.n_objects.astype(np.float64) ** 2 - found.own) / 2
    return (mean + moved) * pairs[:, None]
