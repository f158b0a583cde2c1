"""Evaluate a measure on many pairs of clusterings that share statistics.

What belongs to one clustering is computed once and shared by all its pairs. Sums over pairs of
objects are formed for all pairs of clusterings in one sweep, and so are pair counts of hard
clusterings, whose formula takes them all at once. Every number has the same bits as the single
call ``measure(x, y)``. Runs that label only some of the objects are compared on the objects that
both label.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

from .._checks import ClusteringError, UndefinedMeasureWarning, frozen
from .._types import Workers
from ..clusterings import Aligned, Ensemble, HardClustering
from ..clusterings.alignment import Pairwise, Policies
from ..clusterings.ensemble import parts_of
from ..extensions import feature
from ..measures import Measure, ends, get_measure
from ..measures.joint import Joint
from ..measures.statistic import Replicates
from ..results.frames import as_frame, check_columns, columns_of, is_lazy
from ..results.records import Interval
from ..running.jobs import ReplicateFailure, run_jobs
from ..running.random_numbers import Streams
from ..running.threads import Progress, progress_bar
from ..running.warnings import listening
from ..soft_pairs.pair_sums import PairSums, in_blocks
from ..tables.contingency_table import ContingencyTable
from ..tables.frame_counts import grouped as group_rows
from ..tables.frame_sides import Units
from ..tables.pair_counts import PairCounts
from ..tables.table_counts import Tally
from .comparison_record import Resampling

#: (low, high, value, warnings) of one pair; value is nan for an interval
Entry = tuple[float, float, float, list[str]]
#: most numbers that the clusterings keep for their pairs
_MOST_KEPT = 1 << 27
#: numbers of pairs of clusterings, and of their objects, above which hard ones are counted at once
_SWEPT_PAIRS, _SWEPT_OBJECTS = 50, 200_000
#: pairs of objects up to which products of two counts are exact in float64
_EXACT_PAIRS = 1 << 25


class Paired(Pairwise):
    """Clusterings compared in pairs, each pair on its own objects."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kind of each clustering."""
        return tuple(self.kind(i) for i in range(len(self.names)))

    @property
    def notes(self) -> list[str]:
        """Notes on noise and missing labels, clustering by clustering."""
        return list(filter(None, map(self.note, range(len(self.names)))))

    #: common to all pairs; none here, as each pair has its own
    alignment = None

    @property
    def n_objects(self) -> np.ndarray:
        """Number of objects of each pair, (n, n)."""
        n = len(self.names)
        counts = np.zeros((n, n), dtype=np.int64)
        for i in range(n):
            for j in range(i, n):
                counts[i, j] = counts[j, i] = self.count(i, j)
        return frozen(counts)

    def alignment_of(self, i: int, j: int) -> Aligned | None:
        """The alignment of clusterings i and j."""
        return self.pair(i, j)

    def part(self, pairs: list[tuple[int, int]]) -> Paired:
        """The part that these pairs need."""
        return self

    def joint(self, i: int, j: int) -> Joint | None:
        """The Joint of clusterings i and j; None if they share fewer than two objects."""
        aligned = self.pair(i, j)
        return None if aligned is None else Joint.of_checked(*aligned)

    def sweep(self, pairs: list[tuple[int, int]], progress: Progress) -> None:
        """Do nothing: pairs of clusterings share no objects that could be swept once."""


class ColumnTables(Paired):
    """Columns of labels in an engine, or with weights: every pair has a table of counts.

    One scan groups the rows by all columns; the tables are sums over these groups.
    """

    def __init__(self, frame: Any, columns: Sequence[Any], weights: Any, missing: str) -> None:
        check_columns([*columns, *([] if weights is None else [weights])],
                      frame.collect_schema().names())
        self.names, self.missing = tuple(map(str, columns)), missing
        self.groups = group_rows(frame, list(columns), weights, None)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kind of each column: labels are hard."""
        return ("hard",) * len(self.names)

    @property
    def notes(self) -> list[str]:
        """Notes on objects that were left out, by pair of columns."""
        return []

    def joint(self, i: int, j: int) -> Any:
        """The table of columns i and j."""
        tally = Tally()
        self.groups.add_to(tally, i, j, self.missing)
        return ContingencyTable._of_tally(tally)

    def count(self, i: int, j: int) -> int:
        """Number of objects in the table of columns i and j."""
        return int(self.joint(i, j).n_objects)


def columns_to_compare(data: Any, columns: Collection[Any] | None, weights: Any, missing: Any,
                       units: Units) -> tuple[Any, Units]:
    """Read what `compare_all` compares from a frame: its columns, or tables where an engine has
    them; and the units.
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
                                  "an engine, call compare() for each pair")
        return ColumnTables(frame, chosen, weights, missing), units
    if columns is None and not others:
        return data, units
    present = dict(columns_of(data) or [])
    check_columns([*chosen, *others], list(present))
    return {str(name): present[name] for name in chosen}, units.read(present)


class Together:
    """Clusterings of the same objects, which share what is computed for each of them; if objects
    are absent, each pair has its own.
    """

    def __init__(self, ensemble: Ensemble) -> None:
        self.names, self.kinds, self.notes = ensemble.names, ensemble.kinds, list[str]()
        self.alignment, self.is_complete = ensemble.alignment, ensemble.is_complete
        self.n_objects: int | np.ndarray = ensemble.n_objects
        self.labels = ensemble.labels if set(self.kinds) == {"hard"} else None
        if not self.is_complete:
            present = ensemble.present.astype(np.float64)
            self.n_objects = frozen(np.rint(present @ present.T).astype(np.int64))
        self._take(dict(enumerate(ensemble.clusterings if self.is_complete else ensemble.labels)))

    def _take(self, clusterings: dict[int, Any]) -> None:
        self.clusterings = clusterings
        self._sums: dict[tuple[int, int], Any] = {}
        # The same object given twice is one clustering.
        by_object: dict[int, dict[Hashable, Any]] = {}
        self._of: dict[int, dict[Hashable, Any]] | None = {
            k: by_object.setdefault(id(x), {}) for k, x in clusterings.items()}
        if self.is_complete and sum(
                x.n_objects * x.n_clusters for x in clusterings.values()) > _MOST_KEPT:
            self._of = None

    def alignment_of(self, i: int, j: int) -> Aligned | None:
        """The alignment of clusterings i and j."""
        return self.alignment

    def joint(self, i: int, j: int) -> Joint | None:
        """The Joint of clusterings i and j; None if they share fewer than two objects."""
        x, y = self.clusterings[i], self.clusterings[j]
        if not self.is_complete:
            both = (x >= 0) & (y >= 0)   # -1 marks objects that are absent
            if np.count_nonzero(both) < 2:
                return None
            return Joint.of_checked(HardClustering(x[both]), HardClustering(y[both]))
        of_x, of_y = (None, None) if self._of is None else (self._of[i], self._of[j])
        joint = Joint.of_checked(x, y, of_x, of_y)
        sums = self._sums.pop((i, j), None)
        if sums is not None:
            joint.keep(PairSums, sums)
        return joint

    def sweep(self, pairs: list[tuple[int, int]], progress: Progress) -> None:
        """Form sums over all pairs of objects for the pairs of clusterings without a shortcut."""
        from ..soft_pairs.pair_sums import sweep_sums
        if self.is_complete:
            self._sums = sweep_sums(list(self.clusterings.values()), pairs, progress)

    def part(self, pairs: list[tuple[int, int]]) -> Together:
        """The clusterings that these pairs need, without what was computed for them."""
        part = copy(self)
        part.labels = None
        part._take({k: self.clusterings[k] for k in {k for pair in pairs for k in pair}})
        return part


class Ranges(Protocol):
    """Clusterings whose pairs have ranges over all completions of their missing labels."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    n_objects: Any
    alignment: Any
    notes: list[str]

    def entries(self, m: Measure, pairs: list[tuple[int, int]], rng: Any,
                progress: Progress | bool | None) -> Iterator[Entry]: ...


Members = Together | Paired | Ranges


def members_of(clusterings: Any, names: Iterable[str] | None, drop: str, policies: Policies
               ) -> Members:
    """Clusterings to compare; each pair on its own objects if `drop` is "pair"."""
    if isinstance(clusterings, ColumnTables):
        return clusterings
    if isinstance(policies.missing, str) and policies.missing == "bounds":
        ranges: Ranges = feature("Completions")(clusterings, names, drop, policies)
        return ranges
    partial = isinstance(clusterings, Ensemble) and not clusterings.is_complete
    if drop == "pair" and not partial:
        return Paired(*parts_of(clusterings, names), policies)
    return Together(Ensemble(clusterings, names, noise=policies.noise, objects=policies.objects,
                             noise_label=policies.noise_label, missing=policies.missing))


def check_kinds(m: Measure, members: Members) -> None:
    """Raise if the measure does not take one of the clusterings."""
    wrong = [f"{name!r} is {kind}" for name, kind in zip(members.names, members.kinds)
             if not m.takes_kind(kind)]
    if wrong:
        shown = ", ".join(wrong[:5]) + (f" and {len(wrong) - 5} more are not"
                                        if len(wrong) > 5 else "")
        raise ClusteringError(
            f"{m.name} takes {', '.join(m.kinds)} clusterings; {shown}: convert by a named rule "
            "(harden(), to_fuzzy(), to_rough()), or choose a measure for all kinds, such as "
            "'alpha_rand_interval'")


def evaluate_pairs(m: Measure, members: Members, pairs: list[tuple[int, int]],
                   options: dict[str, Any], *, rng: Any, executor: Workers | None,
                   progress: Progress | bool | None) -> Iterator[Entry]:
    """Entries of `pairs`, in their order, which is that of `in_blocks` if there is no `rng`."""
    if not isinstance(members, Together | Paired):
        yield from members.entries(m, pairs, rng, progress)
        return
    task = _Task(measure=m.name, members=members, pairs=pairs, options=options,
                 streams=None if rng is None else Streams(rng))
    if executor is not None:
        entries: list[Entry] = []
        failures: list[ReplicateFailure] = []

        def fail(failure: ReplicateFailure) -> None:
            # Unfinished pairs also report while the run ends; the first failure is the one to name.
            failures.append(failure)
            i, j = (members.names[k] for k in pairs[failures[0].replicate])
            raise RuntimeError(f"{i}, {j}: {failures[0].reason}")

        try:
            run_jobs(task, range(len(pairs)), lambda _, entry: entries.append(entry), fail=fail,
                     executor=executor, progress=progress, what=m.name)
        except KeyboardInterrupt:   # what is finished is kept by the caller
            yield from entries
            raise
        yield from entries
        return
    counts = _counts(m, task, progress)
    if counts is not None:
        yield from _of_counts(m, counts, lambda at: members.joint(*pairs[at]))
        return
    shown, total = 0, len(pairs)
    with progress_bar(progress, m.name) as show:
        def tell(done: int) -> None:
            nonlocal shown
            if show is not None and done > shown:
                shown = done
                show(done, total)

        def sweep(rest: list[tuple[int, int]], begin: int) -> None:
            # Its end is left to the last entry.
            members.sweep(rest, lambda part, whole: tell(
                begin + max(len(rest) - 1, 0) * part // max(whole, 1)))

        at, swept = 0, False
        for block in in_blocks(pairs, int(np.max(members.n_objects))) if rng is None else [pairs]:
            if swept:
                sweep(block, at)
            for i, j in block:
                joint = members.joint(i, j)
                yield _evaluate(m, joint, task.options_of(at))
                at += 1
                tell(at)
                if at == 1 and total > 1 and rng is None and joint is not None and (
                        joint.knows(PairSums)):
                    swept = True
                    sweep(block[1:], at)


def _counts(m: Measure, task: _Task, progress: Progress | bool | None) -> Any:
    """The statistic of a measure of hard clusterings for all pairs at once; None if it has none.

    Only without options: their formulas may need more than arrays provide.
    """
    labels, pairs = getattr(task.members, "labels", None), task.pairs
    if (labels is None or task.options or m.statistic is None or m.statistic.of_pairs is None
            or m.shown is not None or len(pairs) < _SWEPT_PAIRS
            or len(pairs) * labels.shape[1] < _SWEPT_OBJECTS):
        return None
    with progress_bar(progress, m.name) as show:
        return m.statistic.of_pairs(np.ascontiguousarray(labels, np.int64),
                                    np.array(pairs, np.int64), show)


def _of_counts(m: Measure, counts: PairCounts, joint: Callable[[int], Joint | None]
               ) -> Iterator[Entry]:
    """Entries of all pairs; those that are undefined or not exact as an array are computed singly.
    """
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
            one = counts.converted(itemgetter(at)).converted(int)
            with listening(UndefinedMeasureWarning) as warned:
                value = float(m.formula(one))
            yield value, value, value, warned


def _evaluate(m: Measure, joint: Joint | None, options: dict[str, Any]) -> Entry:
    if joint is None:
        return math.nan, math.nan, math.nan, ["fewer than 2 objects in common"]
    with listening(UndefinedMeasureWarning) as warned:
        # The function checks the values of options.
        value = m.listed_value(m.function(joint, **options))
    return *ends(value), math.nan if isinstance(value, Interval) else float(value), warned


def limits_of_pairs(m: Measure, members: Members, pairs: list[tuple[int, int]],
                    values: list[float | Interval], options: dict[str, Any], how: Resampling,
                    units: Units) -> tuple[list[Any], str]:
    """Confidence intervals of all pairs, and the sample; None for a clustering with itself."""
    from .group_limits import description, group_limits, grouped
    from .limits import check_options, limits
    assert isinstance(members, Together | Paired)
    of_pairs: list[Any] = []
    sample = None
    for (i, j), value in zip(pairs, values):
        joint = None if i == j else members.joint(i, j)
        if joint is None:
            of_pairs.append(None)
            continue
        check_options(how, joint)
        sample = grouped(joint, units, members.alignment_of(i, j)) if units.what else None
        asked = [(m, options, value)]
        of_pairs += (limits(joint, asked, how) if sample is None
                     else group_limits(sample, asked, how))
    known = [each for each in of_pairs if each is not None]
    return of_pairs, "" if sample is None else description(sample, known)


# -- on workers -------------------------------------------------------------------------------
@dataclass(frozen=True, kw_only=True)
class _Task:
    """Single calls for the pairs of a chunk."""

    measure: str
    members: Together | Paired
    pairs: list[tuple[int, int]]
    options: dict[str, Any]
    streams: Streams | None
    first: int = 0

    def __call__(self, pair: int) -> Entry:
        return _evaluate(get_measure(self.measure),
                         self.members.joint(*self.pairs[pair - self.first]),
                         self.options_of(pair))

    def options_of(self, pair: int) -> dict[str, Any]:
        """The options, with the random numbers of this pair."""
        return self.options if self.streams is None else (
            self.options | {"rng": self.streams.generator(pair)})

    def part(self, start: int, stop: int) -> _Task:
        """The part that a worker needs for pairs `start` to `stop` - 1."""
        pairs = self.pairs[start:stop]
        return replace(self, members=self.members.part(pairs), pairs=pairs, first=start)

