"""Evaluate a measure on many pairs of clusterings that share statistics.

What belongs to one clustering is computed once and handed to all its pairs; sums over pairs of
objects are formed for all pairs of clusterings in one sweep. Every number has the bits of the
single call ``measure(x, y)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._joint import Joint
from .._parallel import Progress, progress_bar
from .._records import Interval
from ..clusterings import Clustering, Ensemble
from ..measures._registry import Measure, get_measure
from ..resampling._replicates import ReplicateFailure, Streams, run_replicates
from .several import _listen

#: (low, high, value, warnings) of one pair; value is nan for an interval
Entry = tuple[float, float, float, list[str]]
#: what the clusterings keep for their pairs, at most, in numbers
_MOST_KEPT = 1 << 27
_SUMS = ("pair_sums", "auto", False)


def evaluate_pairs(m: Measure, ensemble: Ensemble, pairs: list[tuple[int, int]],
                   options: dict[str, Any], *, rng: Any, executor: Executor | None,
                   progress: Progress | bool | None) -> Iterator[Entry]:
    """The entries of `pairs`, in their order."""
    streams = None if rng is None else Streams(rng)
    if executor is not None:
        yield from _on_workers(m, ensemble, pairs, options, streams, executor, progress)
        return
    shared = _Shared(ensemble, streams is None)
    shown, total = 0, len(pairs)
    with progress_bar(progress, m.name) as show:
        def tell(done: int) -> None:
            nonlocal shown
            if show is not None and done > shown:
                shown = done
                show(done, total)

        for at, (i, j) in enumerate(pairs):
            joint = shared.joint(i, j)
            yield _evaluate(m, joint, _with_rng(options, streams, at))
            tell(at + 1)
            if at == 0 and total > 1 and _SUMS in joint.asked:
                # Its end is left to the last entry.
                shared.sweep(pairs[1:], lambda part, whole: tell(
                    1 + (total - 2) * part // whole))


def _evaluate(m: Measure, joint: Joint, options: dict[str, Any]) -> Entry:
    result, said = _listen(lambda: m.function(joint, **options))
    if m.shown is not None:
        result = m.shown(result)
    if isinstance(result, Interval):
        return result.low, result.high, math.nan, said
    if not isinstance(result, (int, float)) and not hasattr(result, "__float__"):
        raise ValueError(f"{m.name} gives a {type(result).__name__}, not a number or an interval; "
                         f"call softclust.{m.name}(x, y) for each pair")
    return float(result), float(result), float(result), said


def _with_rng(options: dict[str, Any], streams: Streams | None, pair: int) -> dict[str, Any]:
    return options if streams is None else options | {"rng": streams.generator(pair)}


# -- here -------------------------------------------------------------------------------------
class _SharingJoint(Joint):
    """A Joint of two checked clusterings that hands on what belongs to one of them."""

    def __init__(self, x: Clustering, y: Clustering, sides: dict[str, dict[Hashable, Any]],
                 kept: dict[Hashable, Any]) -> None:
        self.x, self.y = x, y
        self.__dict__["_sides"], self.__dict__["_kept"] = sides, kept
        self.asked: set[Hashable] = set()

    def kept(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        """As `Joint.kept`; notes what was asked for."""
        self.asked.add(key)
        return super().kept(key, compute)


class _Shared:
    """What the Joints of an ensemble share."""

    def __init__(self, ensemble: Ensemble, sweeps: bool) -> None:
        self.ensemble, self.sweeps = ensemble, sweeps
        # The same object given twice is one clustering.
        self._of: dict[int, dict[Hashable, Any]] = {id(x): {} for x in ensemble}
        self._sums: dict[tuple[int, int], Any] = {}
        numbers = sum(x.n_objects * x.n_clusters for x in ensemble)
        self._keep = numbers <= _MOST_KEPT

    def joint(self, i: int, j: int) -> _SharingJoint:
        """The Joint of clusterings i and j."""
        x, y = self.ensemble[i], self.ensemble[j]
        of_x = self._of[id(x)] if self._keep else {}
        of_y = of_x if y is x else (self._of[id(y)] if self._keep else {})
        sums = self._sums.pop((i, j), None)
        return _SharingJoint(x, y, {"x": of_x, "y": of_y}, {} if sums is None else {_SUMS: sums})

    def sweep(self, pairs: list[tuple[int, int]], progress: Progress) -> None:
        """Sums over all pairs of objects for those pairs of clusterings that have no shortcut."""
        from ..statistics.pair_sweep import sweep_sums
        if self.sweeps:
            self._sums = sweep_sums(list(self.ensemble), pairs, progress)


# -- on workers -------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class _Task:
    """Single calls for the pairs of a chunk."""

    measure: str
    clusterings: dict[int, Clustering]
    pairs: list[tuple[int, int]]
    options: dict[str, Any]
    streams: Streams | None
    first: int = 0

    def __call__(self, pair: int) -> Entry:
        i, j = self.pairs[pair - self.first]
        x = self.clusterings[i]
        joint = Joint(x, x if i == j else self.clusterings[j])
        return _evaluate(get_measure(self.measure), joint,
                         _with_rng(self.options, self.streams, pair))

    def part(self, start: int, stop: int) -> _Task:
        """What a worker needs for pairs `start` to `stop` - 1."""
        pairs = self.pairs[start:stop]
        used = {k for pair in pairs for k in pair}
        return replace(self, clusterings={k: self.clusterings[k] for k in used}, pairs=pairs,
                       first=start)


def _on_workers(m: Measure, ensemble: Ensemble, pairs: list[tuple[int, int]],
                options: dict[str, Any], streams: Streams | None, executor: Executor,
                progress: Progress | bool | None) -> Iterator[Entry]:
    entries: list[Entry] = []
    failures: list[ReplicateFailure] = []
    task = _Task(measure=m.name, clusterings=dict(enumerate(ensemble)), pairs=pairs,
                 options=options, streams=streams)

    def fail(failure: ReplicateFailure) -> None:
        # What was under way is told too while the run ends; the first failure is the one to name.
        failures.append(failure)
        i, j = pairs[failures[0].replicate]
        raise RuntimeError(f"{ensemble.names[i]}, {ensemble.names[j]}: {failures[0].reason}")

    run_replicates(task, 0, len(pairs), lambda _, entry: entries.append(entry), fail=fail,
                   executor=executor, progress=progress, what=m.name)
    yield from entries


def order_by_dendrogram(dissimilarity: np.ndarray) -> np.ndarray:
    """Leaves of the average-linkage dendrogram, neighbours as alike as possible; (n,) int64."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform
    n = dissimilarity.shape[0]
    if n < 3:
        return np.arange(n)
    condensed = squareform(dissimilarity, checks=False)
    return np.asarray(leaves_list(linkage(condensed, "average", optimal_ordering=True)), np.int64)
