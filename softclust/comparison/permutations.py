"""`chance()`: what a measure is worth when the objects of one clustering are permuted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError, IncompleteWarning, frozen
from .._parallel import Progress
from .._records import Interval
from .._warnings import quiet, warn
from ..clusterings import Clustering, HardClustering
from ..clusterings.alignment import settled
from ..measures._registry import Measure, ends, get_measure
from ..resampling._replicates import ReplicateFailure, Streams, check_executor, run_replicates
from ..statistics.base import Source
from ..statistics.contingency import contingency
from ..statistics.joint import Joint
from .chance_record import Chance
from .several import _listen

__all__ = ["Chance", "chance"]

#: values that differ by less, relative to their size, are one value
ROUNDING = 1e-12


def chance(x: Any, y: Any, measure: str | Iterable[str] | Mapping[str, Mapping[str, Any]], *,
           noise: Any = "cluster", noise_label: Any = -1, missing: Any = "raise",
           objects: str = "same", n_permutations: int = 999, rng: Any = None,
           executor: Executor | None = None, indices: Any = None,
           progress: Progress | bool | None = False) -> Chance:
    """Null mean, chance-corrected value and p-value of any measure, by random permutations.

    The objects of y are permuted: sizes and fuzziness of both clusterings stay, what links them
    goes.

    Parameters
    ----------
    x, y : clustering-like
        Anything `as_clustering` takes, with the same n >= 2 objects.
    measure : str, sequence of str, or mapping of str to dict
        Names of measures of two clusterings that give a number or an interval; a mapping gives
        the options of each, such as ``{"alpha_rand_index": {"alpha": 0.2}}``. All of them are
        evaluated on the same permutations and share what they have in common.
    noise, noise_label, missing, objects : optional
        What noise and missing labels are and how objects are matched, as in `align`; the objects
        kept are permuted.
    n_permutations : int
        Permutations drawn, at least 1; p-values are at least 1 / (n_permutations + 1).
    rng : None, int or Generator, optional
        Source of the permutations, one child each: results do not depend on workers.
    executor : concurrent.futures.Executor, optional
        Where the permutations run, in chunks of about half a second; here by default.
    indices : array-like of int, shape (m, n), optional
        Ready permutations, one a row, in place of drawn ones.
    progress : bool or callable
        True for a progress bar, or a function (done, total).

    Returns
    -------
    Chance
        One row a measure (two for the ends of an interval): ``observed``, ``mean``, ``sd``,
        ``adjusted``, ``p_value``, ``null``; ``.summary()``, ``.to_frame()``, ``.plot()``.

    Raises
    ------
    ClusteringError
        If a measure does not take a kind, or `indices` are no permutations.
    ValueError
        If a measure is unknown, is one of a single clustering or gives a record.
    TypeError
        If a measure has no such option.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the run: the record rests on the permutations that were finished.

    Notes
    -----
    adjusted = (S - E)/(best - E) with S the observed value, E the mean over permutations and best
    the end of the measure's range that means "most alike": 1 there and 0 on average, also for
    a dissimilarity; nan where the range is unbounded or E is the best value. p-value =
    (1 + number of permutations at least as alike)/(1 + m), valid for any m; values that agree to
    1e-12 count as equal, permutations where the measure is undefined as at least as alike. E has
    the standard error sd/sqrt(m); exact expectations, where they are known, are the adjusted
    measures of their own. Two hard clusterings: O(n) a permutation; soft ones: the cost of the
    measure, with the masses of y permuted and not formed anew.

    Examples
    --------
    >>> import softclust as sc
    >>> truth, found = [0] * 10 + [1] * 10, [0] * 9 + [1] * 11
    >>> result = sc.chance(truth, found, ["rand_index", "alpha_rand_interval"], rng=0)
    >>> result
    Chance(x: hard, y: hard, n_objects=20, 2 measures, 999 permutations)
    >>> row = result["rand_index"]
    >>> round(row.observed, 4), round(row.adjusted, 1), row.p_value
    (0.9, 0.8, 0.001)
    """
    (x, y), alignment = settled((x, y), ("x", "y"), noise=noise, noise_label=noise_label,
                                missing=missing, objects=objects)
    joint = Joint(x, y)
    wanted = _wanted(measure)
    check_executor(executor)
    ready, count = _ready(indices, joint.n_objects, n_permutations)
    observed, notes = _observed(joint, wanted)
    task = _Task(x=joint.x, y=joint.y, wanted=wanted, streams=Streams(rng), indices=ready,
                 tables=not any(get_measure(name).needs_objects or "weights" in options
                                for name, options in wanted))
    found: list[np.ndarray] = []
    lost: list[str] = []
    with quiet():
        try:
            run_replicates(task, 0, count, lambda b, values: found.append(values),
                           fail=_fail, executor=executor, progress=progress, what="permutations")
        except KeyboardInterrupt:
            if not found:
                raise
            lost.append(f"interrupted after {len(found)} of {count} permutations")
    for text in lost:
        warn(f"{text}; the record rests on these", IncompleteWarning, stacklevel=2)
    made = _record(joint, wanted, observed, np.array(found), count, [*notes, *lost])
    return made if alignment is None else replace(made, alignment=alignment)


# -- what was asked ---------------------------------------------------------------------------
_Wanted = tuple[tuple[str, dict[str, Any]], ...]


def _wanted(measure: Any) -> _Wanted:
    if isinstance(measure, str):
        asked: list[tuple[str, dict[str, Any]]] = [(measure, {})]
    elif isinstance(measure, Mapping):
        asked = [(name, dict(options)) for name, options in measure.items()]
    else:
        asked = [(name, {}) for name in measure]
    if not asked:
        raise ValueError("measure is empty; at least one name is needed "
                         "(softclust.list_measures() lists them)")
    asked = [(get_measure(name).name, options) for name, options in asked]
    names = [name for name, _ in asked]
    if len(set(names)) < len(names):
        raise ValueError("a measure is named twice; each is evaluated once a permutation")
    for name, options in asked:
        m = get_measure(name)
        if m.arity != 2:
            raise ValueError(f"{name} is a measure of one clustering; permuting objects does not "
                             "change it")
        _check_options(m, options)
    return tuple(asked)


def _check_options(m: Measure, options: Mapping[str, Any]) -> None:
    allowed = [name for name in m.options if name not in ("progress", "rng")]
    for name in options:
        if name not in allowed:
            raise TypeError(f"{m.name} has no option {name!r} here; " + (
                f"its options are {', '.join(allowed)}" if allowed else "it has none"))


def _ready(indices: Any, n: int, n_permutations: Any) -> tuple[np.ndarray | None, int]:
    if indices is None:
        if isinstance(n_permutations, bool) or n_permutations != int(n_permutations) or (
                n_permutations < 1):
            raise ValueError(f"n_permutations is {n_permutations}; a whole number >= 1 is needed")
        return None, int(n_permutations)
    rows = np.asarray(indices)
    if rows.ndim != 2 or rows.shape[1] != n or not rows.shape[0] or rows.dtype.kind not in "iu":
        raise ClusteringError(f"indices has shape {rows.shape} and dtype {rows.dtype}; whole "
                              f"numbers of shape (m, {n}) are needed, a permutation in each row")
    bad = (np.sort(rows, axis=1) != np.arange(n)).any(axis=1)
    if bad.any():
        raise ClusteringError(f"indices[{int(bad.argmax())}] is no permutation of 0, ..., {n - 1}; "
                              "each row must have every position once")
    return np.ascontiguousarray(rows, dtype=np.int64), rows.shape[0]


# -- values -----------------------------------------------------------------------------------
def _observed(source: Source, wanted: _Wanted) -> tuple[list[tuple[float, ...]], list[str]]:
    found, notes = [], []
    for name, options in wanted:
        m = get_measure(name)
        m.check_kinds(source, options)
        result, said = _listen(lambda m=m, o=options: m.function(source, **o))  # type: ignore[misc]
        found.append(_as_row(m.listed_value(result)))
        notes += [f"{name}: {text}" for text in said]
    return found, notes


def _as_row(value: float | Interval) -> tuple[float, ...]:
    return ends(value) if isinstance(value, Interval) else (value,)


@dataclass(frozen=True, kw_only=True)
class _Task:
    """All measures on one permutation; (k,) numbers, the ends one after the other."""

    x: Clustering
    y: Clustering
    wanted: _Wanted
    streams: Streams
    indices: np.ndarray | None
    first: int = 0
    #: whether tables of counts are enough for two hard clusterings
    tables: bool = True
    measures: dict[str, Measure] = field(default_factory=dict, compare=False)
    #: what belongs to x, which stays as it is
    of_x: dict[Hashable, Any] = field(default_factory=dict, compare=False)

    def __call__(self, b: int) -> np.ndarray:
        if self.indices is None:
            order = self.streams.generator(b).permutation(self.x.n_objects)
        else:
            order = self.indices[b - self.first]
        source = self._permuted(order)
        values: list[float] = []
        with quiet():
            for name, options in self.wanted:
                m = self.measures.get(name) or self.measures.setdefault(name, get_measure(name))
                values += _as_row(m.listed_value(m.evaluate(source, options)))
        return np.array(values)

    def _permuted(self, order: np.ndarray) -> Source:
        """x and y in another order; only their table where both are hard and that is enough."""
        x, y = self.x, self.y
        if self.tables and isinstance(x, HardClustering) and isinstance(y, HardClustering):
            return contingency(x.codes, x.n_clusters, y.codes[order], y.n_clusters)
        return Joint.of_checked(x, y.subset(order), self.of_x)

    def part(self, start: int, stop: int) -> _Task:
        """What a worker needs for permutations `start` to `stop` - 1."""
        if self.indices is None:
            return self
        return replace(self, indices=self.indices[start - self.first:stop - self.first],
                       first=start)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"measures": {}, "of_x": {}}   # made anew by the worker


def _fail(failure: ReplicateFailure) -> None:
    raise RuntimeError(f"permutation {failure.replicate} failed: {failure.reason}")


# -- the record -------------------------------------------------------------------------------
def _record(joint: Joint, wanted: _Wanted, found: list[tuple[float, ...]], null: np.ndarray,
            asked: int, notes: list[str]) -> Chance:
    rows: list[tuple[str, str]] = []
    senses, best = [], []
    for (name, _), row in zip(wanted, found):
        m = get_measure(name)
        low, high = m.range(joint)
        target = high if m.sense == "agreement" else low
        for end in (("value",) if len(row) == 1 else ("low", "high")):
            rows.append((name, end))
            senses.append(m.sense)
            best.append(np.nan if target is None else float(target))
    observed = np.array([value for row in found for value in row])
    numbers = np.array([_describe(*row) for row in zip(observed, senses, best, null.T)])
    for (name, end), lost in zip(rows, np.isnan(null).sum(axis=0).tolist()):
        if lost:
            where = name if end == "value" else f"{name}, {end} end"
            notes.append(f"{where}: undefined in {lost} of {null.shape[0]} permutations, which "
                         "count as at least as alike and not towards mean and sd")
    mean, sd, adjusted, p_value = numbers.T
    return Chance(measures=tuple(name for name, _ in rows), ends=tuple(end for _, end in rows),
                  options=tuple(dict(options) for (_, options), row in zip(wanted, found)
                                for _ in row),
                  senses=tuple(senses), observed=frozen(observed), mean=frozen(mean.copy()),
                  sd=frozen(sd.copy()), adjusted=frozen(adjusted.copy()),
                  p_value=frozen(p_value.copy()), best=frozen(np.array(best)), null=frozen(null),
                  n_permutations=null.shape[0], n_requested=asked,
                  kinds=joint.kinds, n_objects=joint.n_objects,
                  notes=tuple(notes))


def _describe(observed: float, sense: str, best: float, null: np.ndarray
              ) -> tuple[float, float, float, float]:
    """Mean, sd, adjusted value and p-value of one row."""
    defined = null[~np.isnan(null)]
    mean = float(defined.mean()) if defined.size else np.nan
    sd = float(defined.std(ddof=1)) if defined.size > 1 else np.nan
    if np.isnan(observed):
        return mean, sd, np.nan, np.nan
    slack = ROUNDING * max(1.0, abs(observed))
    if sense == "agreement":
        alike = int((defined >= observed - slack).sum())
    else:
        alike = int((defined <= observed + slack).sum())
    p_value = (1 + alike + null.size - defined.size) / (1 + null.size)
    room = best - mean
    adjusted = (observed - mean) / room if abs(room) > ROUNDING * max(1.0, abs(best)) else np.nan
    return mean, sd, adjusted, p_value
