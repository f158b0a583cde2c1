"""Evaluate a measure on many pairs of clusterings that share statistics.

What belongs to one clustering is computed once and handed to all its pairs; sums over pairs of
objects are formed for all pairs of clusterings in one sweep, and so are pair counts of hard
clusterings, whose formula takes them all at once. Every number has the bits of the single call
``measure(x, y)``. Runs that label some of the objects each are compared on the objects
of both.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._checks import ClusteringError, UndefinedMeasureWarning, frozen
from .._frames import as_frame, check_columns, columns_of, is_lazy
from .._parallel import Progress, progress_bar
from .._records import Interval
from .._warnings import listening
from ..clusterings import Aligned, Clustering, Ensemble, HardClustering
from ..clusterings.alignment import Pairwise, Policies
from ..clusterings.ensemble import parts_of
from ..ensembles.replicates import ReplicateFailure, Streams, run_replicates
from ..measures import Measure, ends, get_measure
from ..measures.joint import Joint
from ..measures.statistic import Replicates
from ..pairs.pair_sums import PairSums
from ..tables.contingency_table import ContingencyTable
from ..tables.frame_counts import grouped as group_rows
from ..tables.pair_counts import PairCounts
from ..tables.table_counts import Tally
from .columns import Units
from .completions import Completions
from .record import Resampling

#: (low, high, value, warnings) of one pair; value is nan for an interval
Entry = tuple[float, float, float, list[str]]
#: what the clusterings keep for their pairs, at most, in numbers
_MOST_KEPT = 1 << 27
#: pairs of clusterings, and objects of all of them, from which on hard ones are counted at once
_SWEPT_PAIRS, _SWEPT_OBJECTS = 50, 200_000
#: pairs of objects up to which products of two counts are exact in float64
_EXACT_PAIRS = 1 << 25


class Paired(Pairwise):
    """Clusterings of which each pair is compared on its own objects."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kind of each clustering."""
        return tuple(self.kind(i) for i in range(len(self.names)))

    @property
    def notes(self) -> list[str]:
        """What is noise or missing in each clustering."""
        return list(filter(None, map(self.note, range(len(self)))))

    def alignment_of(self, i: int, j: int) -> Aligned | None:
        """What was done to clusterings i and j."""
        return self.pair(i, j)

    def __len__(self) -> int:
        return len(self.names)

    def joint(self, i: int, j: int) -> Joint | None:
        """The Joint of clusterings i and j; None below two common objects."""
        aligned = self.pair(i, j)
        return None if aligned is None else Joint.of_checked(*aligned)

    def sweep(self, pairs: list[tuple[int, int]], progress: Progress) -> None:
        """Nothing: pairs of clusterings share no objects that could be swept once."""


class ColumnTables(Paired):
    """Columns of labels in an engine, or with weights: every pair has a table of counts.

    One scan groups the rows by all columns; the tables are sums over these groups.
    """

    def __init__(self, data: Any, columns: Sequence[Any], weights: Any, missing: str) -> None:
        frame = as_frame(data)
        if frame is None:
            raise TypeError(f"clusterings is of type {type(data).__name__}; weights= and columns= "
                            "are for a data frame")
        check_columns([*columns, *([] if weights is None else [weights])],
                      frame.collect_schema().names())
        self.names, self.missing = tuple(map(str, columns)), missing
        self.groups = group_rows(frame, list(columns), weights, None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Labels are hard."""
        return ("hard",) * len(self.names)

    @property
    def notes(self) -> list[str]:
        """Objects that were left out, of pairs of columns."""
        return []

    def joint(self, i: int, j: int) -> Any:
        """The table of columns i and j."""
        tally = Tally()
        self.groups.add_to(tally, i, j, self.missing)
        return ContingencyTable._of_tally(tally)

    def count(self, i: int, j: int) -> int:
        """Objects in the table of columns i and j."""
        return int(self.joint(i, j).n_objects)


def columns_to_compare(data: Any, columns: Sequence[Any] | None, weights: Any, missing: Any,
                       units: Units) -> tuple[Any, Units]:
    """What `compare_all` compares of a frame, and the units: its columns, or tables where an
    engine has them.
    """
    frame = as_frame(data)
    if frame is None:
        if weights is None and columns is None:
            return data, units
        raise TypeError(f"clusterings is of type {type(data).__name__}; weights= and columns= are "
                        "for a data frame")
    if isinstance(columns, str):
        raise TypeError(f"columns is {columns!r}; a list of names is needed")
    others = [name for name in (weights, units.groups, units.strata) if isinstance(name, str)]
    chosen = list(columns if columns is not None else (
        name for name in frame.collect_schema().names() if name not in others))
    if weights is not None or is_lazy(frame):
        if missing not in ("raise", "drop"):
            raise ClusteringError(f"missing={missing!r} needs the objects; with weights, and for "
                                  'rows in an engine, missing is "raise" or "drop"')
        if units.what:
            raise ClusteringError(f"{units.what} need the objects; with weights, and for rows in "
                                  "an engine, take compare() for each pair")
        return ColumnTables(data, chosen, weights, missing), units
    if columns is None and not others:
        return data, units
    present = dict(columns_of(data) or [])
    check_columns([*chosen, *others], list(present))
    return {str(name): present[name] for name in chosen}, units.read(present)


Members = Ensemble | Paired | Completions


def members_of(clusterings: Any, names: Iterable[str] | None, drop: str, policies: Policies
               ) -> Members:
    """Clusterings to compare; each pair on its own objects if `drop` is "pair"."""
    if isinstance(clusterings, ColumnTables):
        return clusterings
    if isinstance(policies.missing, str) and policies.missing == "bounds":
        return Completions(clusterings, names, drop, policies)
    partial = isinstance(clusterings, Ensemble) and not clusterings.is_complete
    if drop == "pair" and not partial:
        return Paired(*parts_of(clusterings, names), policies)
    return Ensemble(clusterings, names, noise=policies.noise, noise_label=policies.noise_label,
                    missing=policies.missing, objects=policies.objects)


def check_kinds(m: Measure, ensemble: Members) -> None:
    """Raise for clusterings that the measure does not take."""
    wrong = [f"{name!r} is {kind}" for name, kind in zip(ensemble.names, ensemble.kinds)
             if not m.takes_kind(kind)]
    if wrong:
        shown = ", ".join(wrong[:5]) + (f" and {len(wrong) - 5} more are not"
                                        if len(wrong) > 5 else "")
        raise ClusteringError(
            f"{m.name} takes {', '.join(m.kinds)} clusterings; {shown}: convert by a named rule "
            "(harden(), to_fuzzy(), to_rough()), or take a measure of all kinds, such as "
            "'alpha_rand_interval'")


def evaluate_pairs(m: Measure, ensemble: Members, pairs: list[tuple[int, int]],
                   options: dict[str, Any], *, rng: Any, executor: Executor | None,
                   progress: Progress | bool | None) -> Iterator[Entry]:
    """The entries of `pairs`, in their order."""
    if isinstance(ensemble, Completions):
        yield from ensemble.entries(m, pairs, rng, progress)
        return
    streams = None if rng is None else Streams(rng)
    if executor is not None:
        yield from _on_workers(m, ensemble, pairs, options, streams, executor, progress)
        return
    shared = (ensemble if isinstance(ensemble, Paired)
              else _Shared(ensemble, sweeps=streams is None))
    counts = _counts(m, ensemble, pairs, options, progress)
    if counts is not None:
        yield from _of_counts(m, counts, lambda at: shared.joint(*pairs[at]))
        return
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
            if at == 0 and total > 1 and joint is not None and joint.knows(PairSums):
                # Its end is left to the last entry.
                shared.sweep(pairs[1:], lambda part, whole: tell(
                    1 + (total - 2) * part // whole))


def _counts(m: Measure, ensemble: Ensemble | Paired, pairs: list[tuple[int, int]],
            options: dict[str, Any], progress: Progress | bool | None) -> Any:
    """The statistic of a measure of hard clusterings for all pairs at once; None if it has none.

    Only without options: their formulas may need more than what arrays have.
    """
    if (isinstance(ensemble, Paired) or options or m.statistic is None
            or m.statistic.of_pairs is None or m.shown is not None
            or set(ensemble.kinds) != {"hard"} or len(pairs) < _SWEPT_PAIRS
            or len(pairs) * ensemble.n_objects < _SWEPT_OBJECTS):
        return None
    with progress_bar(progress, m.name) as show:
        return m.statistic.of_pairs(np.ascontiguousarray(ensemble.labels, np.int64),
                                    np.array(pairs, np.int64), show)


def _of_counts(m: Measure, counts: PairCounts, joint: Callable[[int], Joint | None]
               ) -> Iterator[Entry]:
    """The entries of all pairs; what is undefined or not exact as an array is asked singly."""
    assert m.formula is not None
    small = (counts.n_pairs >= 1) & (counts.n_pairs <= _EXACT_PAIRS)
    floats = counts.converted(lambda value: value.astype(np.float64))
    values = m.replicated(Replicates(times=np.ones(small.size, np.int64), statistic=floats), {})
    usable = small & ~np.isnan(values).any(axis=1)
    for at, (known, (low, high)) in enumerate(zip(usable.tolist(), values.tolist())):
        if known:
            yield low, high, low, []
        elif counts.n_pairs[at] < 1:
            yield _evaluate(m, joint(at), {})
        else:
            one = counts.converted(functools.partial(_whole, at))
            with listening(UndefinedMeasureWarning) as warned:
                value = float(m.formula(one))
            yield value, value, value, warned


def _whole(at: int, values: np.ndarray) -> int:
    return int(values[at])


def _evaluate(m: Measure, joint: Joint | None, options: dict[str, Any]) -> Entry:
    if joint is None:
        return math.nan, math.nan, math.nan, ["fewer than 2 objects in common"]
    with listening(UndefinedMeasureWarning) as warned:
        # The function checks the values of options.
        value = m.listed_value(m.function(joint, **options))
    return *ends(value), math.nan if isinstance(value, Interval) else float(value), warned


def _with_rng(options: dict[str, Any], streams: Streams | None, pair: int) -> dict[str, Any]:
    return options if streams is None else options | {"rng": streams.generator(pair)}


def limits_of_pairs(m: Measure, members: Members, pairs: list[tuple[int, int]],
                    values: list[float | Interval], options: dict[str, Any], how: Resampling,
                    units: Units) -> tuple[list[Any], str]:
    """Confidence limits of all pairs, and what is sampled; None for a clustering with itself."""
    from .group_limits import description, group_limits, grouped
    from .limits import check_options, limits
    assert not isinstance(members, Completions)
    of_pairs: list[Any] = []
    sample = None
    shared = members if isinstance(members, Paired) else _Shared(members, sweeps=False)
    for (i, j), value in zip(pairs, values):
        joint = None if i == j else shared.joint(i, j)
        if joint is None:
            of_pairs.append(None)
            continue
        check_options(how, joint)
        sample = grouped(joint, units, members.alignment_of(i, j) if isinstance(members, Paired)
                         else members.alignment) if units.what else None
        asked = [(m, options, value)]
        of_pairs += (limits(joint, asked, how) if sample is None
                     else group_limits(sample, asked, how))
    known = [each for each in of_pairs if each is not None]
    return of_pairs, "" if sample is None else description(sample, known)


def common_objects(members: Members) -> int | np.ndarray:
    """Objects compared: of all pairs, or (B, B) where each pair has its own."""
    if isinstance(members, Completions):
        return members.n_objects   # those of pairs are known once they are compared
    if isinstance(members, Ensemble):
        if members.is_complete:
            return members.n_objects
        present = members.present.astype(np.float64)
        return frozen(np.rint(present @ present.T).astype(np.int64))
    k = len(members)
    counts = np.zeros((k, k), dtype=np.int64)
    for i in range(k):
        for j in range(i, k):
            counts[i, j] = counts[j, i] = members.count(i, j)
    return frozen(counts)


# -- here -------------------------------------------------------------------------------------
class _Shared:
    """Parts shared by the Joints of an ensemble; with absent objects each pair has its own."""

    def __init__(self, ensemble: Ensemble, sweeps: bool) -> None:
        self.ensemble, self.sweeps = ensemble, sweeps and ensemble.is_complete
        # The same object given twice is one clustering.
        self._of: dict[int, dict[Hashable, Any]] = {id(x): {} for x in ensemble.clusterings}
        self._sums: dict[tuple[int, int], Any] = {}
        numbers = sum(x.n_objects * x.n_clusters for x in ensemble.clusterings)
        self._keep = numbers <= _MOST_KEPT

    def joint(self, i: int, j: int) -> Joint | None:
        """The Joint of clusterings i and j; None below two common objects."""
        if not self.ensemble.is_complete:
            return _on_common(self.ensemble.labels[i], self.ensemble.labels[j])
        x, y = self.ensemble.clusterings[i], self.ensemble.clusterings[j]
        of_x = self._of[id(x)] if self._keep else {}
        of_y = of_x if y is x else (self._of[id(y)] if self._keep else {})
        sums = self._sums.pop((i, j), None)
        joint = Joint.of_checked(x, y, of_x, of_y)
        if sums is not None:
            joint.keep(PairSums, sums)
        return joint

    def sweep(self, pairs: list[tuple[int, int]], progress: Progress) -> None:
        """Sums over all pairs of objects for those pairs of clusterings that have no shortcut."""
        from ..pairs.pair_sums import sweep_sums
        if self.sweeps:
            self._sums = sweep_sums(list(self.ensemble), pairs, progress)


def _on_common(x: np.ndarray, y: np.ndarray) -> Joint | None:
    """Two runs on the objects of both; -1 marks objects that are absent."""
    both = (x >= 0) & (y >= 0)
    if np.count_nonzero(both) < 2:
        return None
    return Joint.of_checked(HardClustering(x[both]), HardClustering(y[both]))


# -- on workers -------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class _Task:
    """Single calls for the pairs of a chunk."""

    measure: str
    clusterings: dict[int, Clustering | np.ndarray] | Paired
    pairs: list[tuple[int, int]]
    options: dict[str, Any]
    streams: Streams | None
    first: int = 0

    def __call__(self, pair: int) -> Entry:
        i, j = self.pairs[pair - self.first]
        if isinstance(self.clusterings, Paired):
            return _evaluate(get_measure(self.measure), self.clusterings.joint(i, j),
                             _with_rng(self.options, self.streams, pair))
        x, y = self.clusterings[i], self.clusterings[j]
        joint = (_on_common(x, y) if isinstance(x, np.ndarray) and isinstance(y, np.ndarray)
                 else Joint(x, x if i == j else y))
        return _evaluate(get_measure(self.measure), joint,
                         _with_rng(self.options, self.streams, pair))

    def part(self, start: int, stop: int) -> _Task:
        """What a worker needs for pairs `start` to `stop` - 1."""
        pairs = self.pairs[start:stop]
        if isinstance(self.clusterings, Paired):
            return replace(self, pairs=pairs, first=start)
        used = {k for pair in pairs for k in pair}
        return replace(self, clusterings={k: self.clusterings[k] for k in used}, pairs=pairs,
                       first=start)


def _on_workers(m: Measure, ensemble: Ensemble | Paired, pairs: list[tuple[int, int]],
                options: dict[str, Any], streams: Streams | None, executor: Executor,
                progress: Progress | bool | None) -> Iterator[Entry]:
    entries: list[Entry] = []
    failures: list[ReplicateFailure] = []
    sides = ensemble if isinstance(ensemble, Paired) else dict(enumerate(
        ensemble if ensemble.is_complete else ensemble.labels))
    task = _Task(measure=m.name, clusterings=sides, pairs=pairs, options=options, streams=streams)

    def fail(failure: ReplicateFailure) -> None:
        # What was under way is told too while the run ends; the first failure is the one to name.
        failures.append(failure)
        i, j = pairs[failures[0].replicate]
        raise RuntimeError(f"{ensemble.names[i]}, {ensemble.names[j]}: {failures[0].reason}")

    run_replicates(task, 0, len(pairs), lambda _, entry: entries.append(entry), fail=fail,
                   executor=executor, progress=progress, what=m.name)
    yield from entries
