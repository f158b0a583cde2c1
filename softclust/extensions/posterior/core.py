"""Objects whose partition most posterior draws share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import numpy as np

from ..._checks import check_level, frozen
from ..._types import RNG, ArrayLike, EnsembleLike
from ...results.records import POSITION, Columns, Drawn, Record
from ...results.summary import SummaryTable
from ...results.text import position
from ...running.interrupts import keep_finished
from ...running.random_numbers import as_generator
from ...running.threads import run_chunks
from . import _kernels
from ._draws import Sample, read_draws
from ._losses import canonical
from .ball import TIE

#: objects up to which all pairs are starts, and starts beyond; least starts, and steps of all
_ALL, _PAIRS, _LEAST, _STEPS = 200, 2000, 20, 2e11
#: tasks of the thread pool; fixed, so that the answer does not depend on threads
_TASKS = 64


class Growing(NamedTuple):
    """A core, as kernels take it; see `_kernels.core`."""

    sharing: np.ndarray
    place: np.ndarray
    counts: np.ndarray
    cluster: np.ndarray
    sizes: np.ndarray
    weight: np.ndarray

    @classmethod
    def room(cls, many: int, n: int, columns: int) -> Growing:
        return cls(np.zeros(many, np.int64), np.zeros((many, columns), np.int64),
                   np.zeros((n, columns + 1)), np.zeros(n, np.int64), np.zeros(2, np.int64),
                   np.zeros(1))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PartitionCore(Drawn, Record):
    """Objects that most draws divide in the same way; made by `partition_core`.

    Attributes
    ----------
    objects : (m,) int64
        Positions of the objects, in increasing order.
    labels : (m,) int64
        Clusters of the objects by first appearance.
    probability : float
        Share of the draws that divide these objects in exactly this way.
    n_objects, n_draws : int
        Number of all objects, and of all draws.
    interrupted : str
        Empty, or how far the search came before Ctrl-C.

    Notes
    -----
    ``to_frame()``: one row per object of the core. ``label``, by position (by name where objects
    have names).

    Examples
    --------
    >>> import softclust
    >>> core = softclust.partition_core([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]], level=1)
    >>> core.objects, core.labels
    (array([0, 1, 3]), array([0, 0, 1]))
    >>> softclust.partition_core([[0, 0, 1], [0, 0, 1], [0, 1, 1]]).to_frame().index.tolist()
    [0, 2]
    >>> print(softclust.partition_core([[0, 0, 1], [0, 0, 1], [0, 1, 1]]).summary())
    Core found: 2 of 3 objects
    ================
    cluster  objects
    ----------------
    0              1
    1              1
    ================
    Share of 3 draws that divide it in exactly this way: 1. No
      larger core was found; there may be one.
    """

    objects: Annotated[np.ndarray, "i m <n_objects"] = field(metadata=POSITION)
    labels: Annotated[np.ndarray, "i m <m"] = field(metadata=POSITION)
    probability: float
    n_objects: Annotated[int, ">=1"]
    n_draws: int
    interrupted: str = ""
    _naming: Any = field(default=None, repr=False)

    _chart = "plot_core"

    def __repr__(self) -> str:
        return (f"PartitionCore({self.objects.size} of {self.n_objects} objects, "
                f"probability={self.probability:.4g})")

    def _frame(self) -> Columns:
        names = ([self._naming[i] for i in self.objects] if isinstance(self._naming, tuple)
                 else self.objects)
        return Columns({"label": self.labels}, {None: names})

    def _table(self) -> SummaryTable:
        sizes = np.bincount(self.labels)
        stopped = f" The search was {self.interrupted}." if self.interrupted else ""
        return SummaryTable.of(
            {"cluster": [str(position(k)) for k in range(sizes.size)], "objects": sizes},
            title=f"Core found: {self.objects.size} of {self.n_objects} objects",
            notes=[f"Share of {self.n_draws} draws that divide it in exactly this way: "
                   f"{self.probability:.4g}. No larger core was found; there may be one.{stopped}"])


def partition_core(draws: EnsembleLike, *, level: float = 0.95,
                   weights: ArrayLike | None = None, rng: RNG = None) -> PartitionCore:
    """Find a large set of objects that most posterior draws divide in the same way.

    Parameters
    ----------
    draws : array-like, shape (S, n) or (chains, draws, n), or a container of draws
        As in `expected_loss`.
    level : float, optional
        Smallest share of the draws that must divide the objects of the core in the same way; in
        (0, 1].
    weights : array-like, shape (S,), optional
        Weights >= 0 of the draws; equal by default.
    rng : None, int or numpy Generator, optional
        Seed or generator for the pairs to start from, with more than 200 objects.

    Returns
    -------
    PartitionCore
        The largest core found; of equally large ones, the one that more draws share.

    Raises
    ------
    ClusteringError
        If draws are not complete hard clusterings.
    ValueError
        If `level` is not in (0, 1].

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the search; the largest core so far is returned.

    See Also
    --------
    posterior_partition, partition_representatives

    Notes
    -----
    A core grows from a pair of objects, once with both together and once apart. Each step adds one
    object to a cluster of the core or to a new one: the choice that agrees with most draws. Starts
    are all pairs up to 200 objects, else 2000 random ones (fewer, at least 20, if these would take
    more than a few minutes). The result is not proved to be the largest. Time per start O(n S c +
    n^2 c) for c clusters. R: ``salso::chips``.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    G. L. Page, A. F. Barrientos, D. B. Dahl, D. B. Dunson (2025), Uncertainty quantification in
    Bayesian clustering, arXiv:2511.16040.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> softclust.partition_core(draws).probability
    1.0
    """
    return core_of(read_draws(draws, weights), level, rng)


def core_of(draws: Sample, level: Any, rng: Any) -> PartitionCore:
    """`partition_core` of draws that were read."""
    share = check_level(level, whole=True)
    used, generator = draws.that_count(), as_generator(rng)
    n, total = used.n_objects, float(used.weights.sum())
    cluster, weight, text = np.full(n, -1), total, ""
    cluster[0] = 0
    first, second = _pairs(used, generator)
    if first.size:
        cores, text = _grown(used, first, second, (share - TIE) * total)
        best = max(range(len(cores)), key=lambda b: (cores[b][0], cores[b][1], -b))
        if cores[best][0] >= 2:
            weight, cluster = cores[best][1], cores[best][2]
    objects = np.flatnonzero(cluster >= 0)
    return PartitionCore(objects=frozen(objects), labels=frozen(canonical(cluster[objects])),
                         probability=min(1.0, float(weight) / total), n_objects=n,
                         n_draws=draws.n_draws, interrupted=text, _naming=draws.naming)


def _grown(draws: Sample, first: np.ndarray, second: np.ndarray, needed: float
           ) -> tuple[list[tuple[float, float, np.ndarray]], str]:
    """Size, weight and clusters of the best core of each part of the starts; how far it came."""
    many, n, columns = draws.n_distinct, draws.n_objects, int(draws.n_clusters.max())
    parts = np.linspace(0, first.size, min(first.size, _TASKS) + 1).astype(np.int64)
    done: list[int] = []
    clusters, results = np.full((parts.size - 1, n), -1), np.zeros((parts.size - 1, 2))

    def work(start: int, stop: int) -> None:
        here, trial = Growing.room(many, n, columns), Growing.room(many, n, columns)
        for b in range(start, stop):
            _kernels.core.best_core(here, trial, draws.rows, draws.weights, needed, first, second,
                                    int(parts[b]), int(parts[b + 1]), clusters[b], results[b])
            done.append(b)

    with keep_finished("parts of the starts", parts.size - 1, lambda: len(done)) as stop:
        run_chunks(work, parts.size - 1, 1)
    stop.warn()
    # The part under way holds the best of its finished starts, or may be half written.
    parts_done = sorted(done) if stop else range(parts.size - 1)
    return [(*map(float, results[b]), clusters[b]) for b in parts_done], stop.text


def _pairs(draws: Sample, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Pairs i < j to start from, in order of i."""
    n = draws.n_objects
    if n <= _ALL:
        first, second = np.triu_indices(n, 1)
        return first.astype(np.int64), second.astype(np.int64)
    each = float(draws.rows.size) * (int(draws.n_clusters.max()) + 2)
    many = int(min(_PAIRS, max(_LEAST, _STEPS // each)))
    one, other = rng.integers(0, n, many), rng.integers(0, n - 1, many)
    other += other >= one
    first, second = np.minimum(one, other), np.maximum(one, other)
    order = np.lexsort((second, first))
    return first[order], second[order]
