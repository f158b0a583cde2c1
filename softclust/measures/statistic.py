"""Statistics and their sources.

A *source* is what a statistic is computed from: a pair of clusterings (`Joint`) or a table of
counts (`Contingency`). It computes each statistic once and keeps it.

A *statistic* is a class whose instances are the small arrays that a formula reads. Its class
methods say where instances come from. One that does not exist is None, so that callers see what is
possible without trying:

====================================  ======================================================
``of(source, **options)``             of the source as it is
``left_out(source, **options)``       without each object in turn: `Replicates`, or None where
                                      only leaving out the objects one by one helps
``resampled(source, draws, **...)``   of objects drawn again: `Replicates`, or None
``of_groups(source, **options)``      of objects in groups (`Grouped`), which are the sample
``left_out_groups(source, **...)``    without each group in turn: `Replicates`
``of_labels(x, y)``                   of two arrays of labels, read once; None where it cannot
``of_pairs(labels, pairs)``           of many pairs of rows of labels, as arrays; None where tables
                                      would be large
``phi``                               of a view of sums of phi over cells, rows and columns: the
                                      function, `softclust.tables.sums`; then also:
``from_sums(sums)``                   of such sums, of one table or of many
``of_table_sums(sums, **options)``    of a `TableSums`: sums over a table counted elsewhere, as
                                      numbers, as SQL or as unknowns; then the measure has a
                                      query (`softclust.sql`) and `Measure.ratio`
``modelled(x, y)``                    of the mean sums of two independent random partitions
``permuted()``                        with the mean sums when the objects of y are permuted
====================================  ======================================================

A measure that is a formula on a view of sums of phi has exact null laws, bounds over completions
and a posterior loss without anything more. It has to rise (a dissimilarity: to fall) with the sum
over the cells when the cluster sizes stay, and with every pair of objects on which the
clusterings are made to agree; tests try both.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from .._checks import ClusteringError

S = TypeVar("S")
T = TypeVar("T")


@functools.cache
def _defaults(kind: type[Any]) -> dict[str, Any]:
    """Default options of a statistic that change it."""
    parameters = inspect.signature(kind.of).parameters.values()
    return {p.name: p.default for p in parameters
            if p.kind is p.KEYWORD_ONLY and p.name != "progress"}


def _key(kind: type[Any], options: dict[str, Any]) -> Hashable | None:
    """Key of a cached statistic; None when an option cannot be part of it (weights),
    or each call draws."""
    defaults = _defaults(kind)   # type: ignore[arg-type]
    if not options and not defaults:
        return (kind,)
    chosen = {**defaults, **options}
    chosen.pop("progress", None)
    if chosen.get("method") == "sampled":   # each call samples again
        return None
    key = (kind, *sorted(chosen.items()))
    try:
        hash(key)
    except TypeError:
        return None
    return key


class Source:
    """Two clusterings of the same objects, known by their objects or by a table of counts."""

    __slots__ = ()

    #: statistics and their parts, each computed once
    memory: dict[Hashable, Any]
    #: the error where the objects are needed and not known
    without_objects: ClassVar[str] = (
        "the objects themselves are needed; a table has counts only: give the labels of both "
        "clusterings, or table.expand()")

    @property
    def kinds(self) -> tuple[str, str]:
        """The kinds of x and y; a table has those of hard clusterings."""
        return "hard", "hard"

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        raise NotImplementedError

    @property
    def n_clusters(self) -> tuple[int, int]:
        """Numbers of clusters of x and y, empty ones included."""
        raise NotImplementedError

    @property
    def objects(self) -> Any:
        """The pair of clusterings; raises ClusteringError where only counts are known."""
        raise ClusteringError(self.without_objects)

    @property
    def n_pairs(self) -> Any:
        """Number of pairs of distinct objects, n(n-1)/2; their weight where objects have some."""
        return self.n_objects * (self.n_objects - 1) // 2

    @property
    def has_objects(self) -> bool:
        """True if the objects themselves are known, not their counts only."""
        return False

    @property
    def sums(self) -> Any:
        """Exact sums of memberships where these are known, and not the objects; else None."""
        return None

    @property
    def weighted(self) -> bool:
        """True if the objects have weights."""
        return False

    @property
    def total_weight(self) -> float:
        """Sum of the weights of the objects; their number where each weighs 1."""
        return self.n_objects

    def in_weights(self, value: Any, degree: int) -> Any:
        """A value in the unit in which weights are counted, in weights to the power of `degree`."""
        return value

    @property
    def both_hard(self) -> bool:
        """True if a table of counts describes x and y completely."""
        return self.kinds == ("hard", "hard")

    def statistic(self, kind: type[S], **options: Any) -> S:
        """The statistic of this kind, computed at its first use.

        ``progress`` is an option that changes nothing.
        """
        key = _key(kind, options)
        if key is None:
            return kind.of(self, **options)   # type: ignore[attr-defined]
        if key not in self.memory:
            self.memory[key] = kind.of(self, **options)   # type: ignore[attr-defined]
        return self.memory[key]

    def knows(self, kind: type[Statistic], **options: Any) -> bool:
        """Test whether the statistic was computed already."""
        return _key(kind, options) in self.memory

    def keep(self, kind: type[S], statistic: S, **options: Any) -> None:
        """Take a statistic that was computed elsewhere, such as for many pairs in one sweep."""
        self.memory[_key(kind, options)] = statistic

    def without_each(self, kind: type[Statistic], **options: Any) -> Replicates | None:
        """Replicates of a statistic without each object, kept; None where it has none."""
        if kind.left_out is None:
            return None
        key = _key(kind, options)
        if key is None:
            return kind.left_out(self, **options)
        if ("without each", key) not in self.memory:
            self.memory["without each", key] = kind.left_out(self, **options)
        return self.memory["without each", key]

    def redrawn(self, kind: type[Statistic], draws: Any, **options: Any) -> Replicates | None:
        """Replicates of a statistic of objects drawn again; None where it has none.

        They are kept with the draws, so that they go when these go.
        """
        if kind.resampled is None:
            return None
        key = _key(kind, options)
        if key is None:
            return kind.resampled(self, draws, **options)
        return draws.kept(key, lambda: kind.resampled(self, draws, **options))

    def kept(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Cached result of `compute` under `key`."""
        if key not in self.memory:
            self.memory[key] = compute()
        return self.memory[key]


class Statistic:
    """Base of all statistics; see the module for what the methods mean."""

    __slots__ = ()

    of: ClassVar[Any]
    #: methods that a statistic may have
    left_out: ClassVar[Any] = None
    resampled: ClassVar[Any] = None
    of_groups: ClassVar[Any] = None
    left_out_groups: ClassVar[Any] = None
    of_labels: ClassVar[Any] = None
    of_pairs: ClassVar[Any] = None
    phi: ClassVar[Any] = None
    from_sums: ClassVar[Any] = None
    of_table_sums: ClassVar[Any] = None
    modelled: ClassVar[Any] = None
    permuted: ClassVar[Any] = None


def interpolated(r0: Any, half: Any, r1: Any, alpha: float) -> Any:
    """A sum of r_alpha from its values at alpha = 0, 1/2 and 1: linear between them."""
    if alpha in (0.0, 0.5, 1.0):   # most of all calls, on arrays of n c^2 numbers
        return (r0, half, r1)[int(2 * alpha)]
    if alpha <= 0.5:
        return (1 - 2 * alpha) * r0 + 2 * alpha * half
    return (2 - 2 * alpha) * half + (2 * alpha - 1) * r1


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicates:
    """One statistic of many resamples.

    Attributes
    ----------
    statistic : object
        A statistic whose arrays have a leading axis of R replicates, or None with `each`.
    each : callable
        Gives an iterator over single statistics, where they do not fit one set of arrays.
    times : ndarray, shape (R,), int64
        How many equal replicates each stands for: objects of one cell are alike.
    lacking : str
        Why there are no replicates; empty when there are.
    first_order : bool
        Whether sums over pairs are moved by each object's mean over its pairs only.
    of_sample : bool
        Whether only some objects, drawn at random, were left out.
    """

    times: np.ndarray
    statistic: Any = None
    each: Callable[[], Iterator[Any]] | None = None
    lacking: str = ""
    first_order: bool = False
    of_sample: bool = False

    def mapped(self, make: Callable[[Any], Any]) -> Replicates:
        """The same resamples with ``make(statistic)`` as their statistic."""
        return self if self.lacking else replace(self, statistic=make(self.statistic))

    @classmethod
    def none(cls, reason: str) -> Replicates:
        """Missing replicates, with the reason."""
        return cls(times=np.zeros(0, np.int64), lacking=reason)
