"""Confidence limits of measures: objects are resampled, labels are held fixed.

A measure reads what two clusterings share from a `Joint`. Here it gets one whose statistics are
those of the resampled objects, so every measure that needs no more than these has limits; copies
of one object never form a pair.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np

from ._checks import ClusteringError, check_choice, frozen
from ._comparison_record import ConfidenceLimits
from ._joint import Joint
from ._records import Interval
from ._statistics import resampled
from ._statistics.counting import Contingency
from ._statistics.pairs import PairSums
from .measures._registry import Measure
from .resampling._replicates import Streams, check_executor, run_blocks

#: objects up to which a measure without resampled statistics is left out object by object: any
#: measure, and one that takes O(n) because it sums over objects
OBJECT_BY_OBJECT, SUMS_OBJECT_BY_OBJECT = 200, 5000
#: multiply-adds of the pairs of all resamples; beyond it their first-order form is used
FORMS_AT_MOST = 1e11
#: numbers kept for all resamples together; cells visited by all that leave one object out
_MOST_KEPT = 1 << 26
_MOST_CELLS = 1 << 31
#: values that differ by less, relative to their size, are one value
_ROUNDING = 1e-13

Evaluate = Callable[[Joint], Any]


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


class _Probe(_Resample):
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


class _Replicate(_Resample):
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
            counts = self.contingency.pair_counts()
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


# -- limits -----------------------------------------------------------------------------------
def check_options(ci: Any, level: Any, n_resamples: Any, rng: Any, executor: Any, n: int) -> None:
    """Raise unless the options of `compare` for limits fit together."""
    if ci is None:
        if rng is not None or executor is not None:
            raise ValueError('rng and executor have no effect without ci="bootstrap"')
        return
    check_choice("ci", ci, ("bootstrap", "jackknife"))
    if isinstance(level, bool) or not 0.0 < level < 1.0:
        raise ValueError(f"level is {level}; a number strictly between 0 and 1 is needed")
    check_executor(executor)
    least = math.ceil(2 / (1 - level) - 1e-9)
    if ci == "bootstrap" and (isinstance(n_resamples, bool) or n_resamples != int(n_resamples)
                              or n_resamples < least):
        raise ValueError(f"n_resamples is {n_resamples}; a whole number >= {least} is needed for "
                         f"limits of level {level:g}")
    if n < 3:
        raise ClusteringError(f"the clusterings have {n} objects; limits by resampling objects "
                              "need at least 3")


def limits(joint: Joint, wanted: list[tuple[Measure, Evaluate, float | Interval]], *, ci: str,
           level: float, n_resamples: int, rng: Any, executor: Executor | None, progress: Any
           ) -> list[ConfidenceLimits]:
    """Limits of each measure, given as (measure, its evaluation on a Joint, its value)."""
    asked = [_asked(joint, evaluate, value) for _, evaluate, value in wanted]
    needed = set().union(*(a for a in asked if a is not None))
    replicates, seeds = None, Streams(rng)
    if needed and ci == "jackknife":
        replicates = leave_one_out(joint, needed)
    elif needed:
        replicates = bootstrap(joint, needed, int(n_resamples), seeds, executor, progress)
    found = []
    for (m, evaluate, value), statistics in zip(wanted, asked):
        fixed = (None, None) if callable(m.bounds) else m.bounds
        one = _Limits(joint=joint, evaluate=evaluate, value=value, ci=ci, level=level,
                      bounds=fixed)
        if math.isnan(one.ends[0]):
            found.append(one.none("the measure is undefined for these clusterings"))
        elif statistics is None and m.by_object and ci == "bootstrap":
            found.append(one.with_copies(int(n_resamples), seeds))
        elif statistics is None and callable(m.in_compare):
            found.append(one.none(_LONG))   # its cost depends on the clusterings
        elif statistics is None:
            found.append(one.object_by_object(m.by_object) if ci == "jackknife"
                         else one.none(_NO_FORM))
        else:
            assert replicates is not None
            found.append(one.of(replicates, statistics))
    return found


def _asked(joint: Joint, evaluate: Evaluate, value: float | Interval) -> set[str] | None:
    """Statistics that a measure rests on; None when it needs the clusterings themselves."""
    probe = _Probe(joint)
    try:
        again = _ends(evaluate, probe)
    except Exception:
        # Whatever it wanted, it was not among the statistics that can be resampled.
        return None
    return probe.asked if _same(again, _pair(value)) and probe.asked else None


def _same(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return all(u == v or (math.isnan(u) and math.isnan(v)) for u, v in zip(a, b))


def _pair(value: Any) -> tuple[float, float]:
    if isinstance(value, Interval):
        return value.low, value.high
    return float(value), float(value)


def _ends(evaluate: Evaluate, joint: Joint) -> tuple[float, float]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _pair(evaluate(joint))


class _Limits:
    """Limits of one measure."""

    def __init__(self, *, joint: Joint, evaluate: Evaluate, value: float | Interval, ci: str,
                 level: float, bounds: Any) -> None:
        self.joint, self.evaluate, self.ci, self.level = joint, evaluate, ci, level
        self.ends, self.bounds = _pair(value), bounds

    def none(self, reason: str) -> ConfidenceLimits:
        """No limits."""
        nowhere = Interval(math.nan, math.nan)
        return ConfidenceLimits(low=nowhere, high=nowhere, standard_error=(math.nan, math.nan),
                                level=self.level, method="none", n_resamples=0,
                                note=f"no confidence limits: {reason}")

    def of(self, replicates: Replicates, asked: set[str]) -> ConfidenceLimits:
        """From the resampled statistics."""
        for name in sorted(asked & set(replicates.lacking)):
            return self.none(replicates.lacking[name])
        values = np.empty((replicates.times.size, 2))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for b in range(values.shape[0]):
                values[b] = _pair(self.evaluate(_Replicate(self.joint, replicates, b)))
        if self.ci == "jackknife":
            return self.jackknife(values, replicates.times, "jackknife")
        first_order = "pairs" in asked and replicates.first_order
        return self.percentile(values, first_order)

    def object_by_object(self, sums: bool) -> ConfidenceLimits:
        """By literally leaving out each object, or none."""
        n, most = self.joint.n_objects, SUMS_OBJECT_BY_OBJECT if sums else OBJECT_BY_OBJECT
        if n > most:
            return self.none(f"leaving out each of {n} objects would take {n} evaluations of a "
                             f"measure without shortcut (at most {most} are made)"
                             + ('; ci="bootstrap" can' if sums else ""))
        values = np.empty((n, 2))
        everything = np.arange(n)
        for i in range(n):
            kept = np.delete(everything, i)
            values[i] = _ends(self.evaluate,
                              Joint(self.joint.x.subset(kept), self.joint.y.subset(kept)))
        return self.jackknife(values, np.ones(n, np.int64), "jackknife, object by object")

    def with_copies(self, count: int, seeds: Streams) -> ConfidenceLimits:
        """A bootstrap in which copies count as objects, for functions of sums over objects."""
        n = self.joint.n_objects
        values = np.empty((count, 2))
        for b in range(count):
            drawn = np.repeat(np.arange(n), resampled.drawn_weights(n, seeds.generator(b)))
            values[b] = _ends(self.evaluate,
                              Joint(self.joint.x.subset(drawn), self.joint.y.subset(drawn)))
        return self.percentile(values, False)

    def jackknife(self, values: np.ndarray, times: np.ndarray, method: str) -> ConfidenceLimits:
        """t interval with n - 1 degrees of freedom around the value."""
        from scipy.stats import t
        n = self.joint.n_objects
        if np.isnan(values).any():
            return self.none("the measure is undefined when some object is left out")
        if _constant(values):
            return self.none(_NO_VARIATION)
        mean = (times[:, None] * values).sum(axis=0) / n
        square = (times[:, None] * (values - mean) ** 2).sum(axis=0) * (n - 1) / n
        errors = np.sqrt(square)
        half = t.ppf((1 + self.level) / 2, n - 1) * errors
        return self._record([(v - h, v + h) for v, h in zip(self.ends, half.tolist())],
                            errors, method, n)

    def percentile(self, values: np.ndarray, first_order: bool) -> ConfidenceLimits:
        """Quantiles of the resamples."""
        count = values.shape[0]
        defined = values[~np.isnan(values).any(axis=1)]
        if defined.shape[0] < 0.95 * count:
            return self.none(f"the measure is undefined in {count - defined.shape[0]} of {count} "
                             "resamples")
        if _constant(defined):
            return self.none(_NO_VARIATION)
        tails = np.quantile(defined, [(1 - self.level) / 2, (1 + self.level) / 2], axis=0)
        said = []
        if first_order:
            said.append("limits from the first-order form of the sums over pairs (each object's "
                        f"mean over its pairs): all pairs in {count} resamples would take too "
                        "long")
        if defined.shape[0] < count:
            said.append(f"undefined in {count - defined.shape[0]} of {count} resamples, which are "
                        "left out of the limits")
        return self._record([tuple(column) for column in tails.T.tolist()],
                            defined.std(axis=0, ddof=1),
                            "bootstrap, first order" if first_order else "bootstrap",
                            defined.shape[0], frozen(values), "; ".join(said))

    def _record(self, ends: list[tuple[float, float]], errors: np.ndarray, method: str,
                count: int, replicates: np.ndarray | None = None, note: str = ""
                ) -> ConfidenceLimits:
        least, most = self.bounds
        low, high = (Interval(a if least is None else max(a, least),
                              b if most is None else min(b, most)) for a, b in ends)
        return ConfidenceLimits(low=low, high=high,
                                standard_error=(float(errors[0]), float(errors[1])),
                                level=self.level, method=method, n_resamples=count,
                                replicates=replicates, note=note)


_NO_FORM = ("the copies of an object that a bootstrap draws must not form pairs, and the measure "
            'offers no weighted form; ci="jackknife" needs none (up to '
            f"{OBJECT_BY_OBJECT} objects)")
_LONG = ("the measure offers no form for resampled objects, and each of its evaluations may be "
         "long; alpha_rand_interval and alpha_partition_interval have limits")
_NO_VARIATION = ("it is the same in every resample, which says nothing about what other objects "
                 "would do")


def _constant(values: np.ndarray) -> bool:
    spread = values.max(axis=0) - values.min(axis=0)
    return bool((spread <= _ROUNDING * np.maximum(1.0, np.abs(values).max(axis=0))).all())
