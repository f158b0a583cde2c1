"""Several partitions that together represent posterior draws."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from ..._checks import ClusteringError, check_whole, frozen
from ..._types import RNG, ArrayLike, EnsembleLike, Loss
from ...results.records import POSITION, Columns, Drawn, Record
from ...results.summary import SummaryTable, right
from ...results.text import position
from ...running.interrupts import keep_finished
from ...running.random_numbers import as_generator
from ...running.threads import Progress as Shown
from ...running.threads import progress_bar
from ._draws import Sample, read_draws
from ._losses import LossRule, distances
from ._search import Search

#: starts of the search for one representative
_WITHIN = 6
#: a round must gain as much
_GAIN = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PartitionRepresentatives(Drawn, Record):
    """k partitions, each for a part of the draws; made by `partition_representatives`.

    Attributes
    ----------
    labels : (k, n) int64
        Clusters by first appearance; the one with the largest weight first.
    weights : (k,) float64
        Posterior probability of the draws that each represents.
    assignment : (S,) int64
        The representative of each draw: the nearest, the first on ties.
    distance : float
        Mean loss between a draw and its representative.
    within : (k,) float64
        The same for the draws of each representative.
    loss : str
    n_starts, n_hits : int
        Number of starts of the search, and of those that reached `distance`.
    interrupted : str
        Empty, or how far the search came before Ctrl-C.

    Notes
    -----
    ``to_frame()``: one row per representative. ``weight``, ``n_clusters``, ``within``.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 1]]
    >>> found = softclust.partition_representatives(draws, 2, rng=0)
    >>> found.labels
    array([[0, 1, 1, 0],
           [0, 0, 1, 1]])
    >>> found.assignment
    array([1, 1, 0, 0, 0])
    >>> found = softclust.partition_representatives([[0, 0, 1], [0, 1, 1]], 2, rng=0)
    >>> found.to_frame()["n_clusters"].tolist()
    [2, 2]
    >>> print(softclust.partition_representatives([[0, 0, 1], [0, 1, 1]], 2, rng=0).summary())
    2 representatives of 2 draws (vi)
    ==========================================
    partition  weight  clusters  mean distance
    ------------------------------------------
    0          0.5000         2         0.0000
    1          0.5000         2         0.0000
    ==========================================
    Mean distance of all draws 0; best of 20 starts, reached 20 times.
    """

    labels: Annotated[np.ndarray, "i k n <n"] = field(metadata=POSITION)
    weights: Annotated[np.ndarray, "f k >=0"]
    assignment: Annotated[np.ndarray, "i S <labels"] = field(metadata=POSITION)
    distance: float
    within: Annotated[np.ndarray, "f k"]
    loss: str
    n_starts: int
    n_hits: int
    interrupted: str = ""
    _naming: Any = field(default=None, repr=False)

    _chart = "plot_representatives"

    def __repr__(self) -> str:
        return (f"PartitionRepresentatives({len(self.labels)} partitions of "
                f"{self.labels.shape[1]} objects, loss={self.loss!r}, "
                f"distance={self.distance:.6g})")

    def _frame(self) -> Columns:
        return Columns({"weight": self.weights, "n_clusters": self.labels.max(axis=1) + 1,
                        "within": self.within})

    def _table(self) -> SummaryTable:
        notes = [f"Mean distance of all draws {self.distance:.6g}; best of {self.n_starts} starts, "
                 f"reached {self.n_hits} times."]
        if self.interrupted:
            notes.insert(0, f"{self.interrupted[0].upper()}{self.interrupted[1:]}.")
        return SummaryTable.of(
            {"partition": [str(position(i)) for i in range(len(self.labels))],
             "weight": right(self.weights, ".4f"),
             "clusters": self.labels.max(axis=1) + 1, "mean distance": right(self.within, ".4f")},
            title=f"{len(self.labels)} representatives of {self.assignment.size} "
                  f"draws ({self.loss})", notes=notes)


def partition_representatives(draws: EnsembleLike, k: int, *, loss: Loss = "vi", a: float = 1.0,
                              weights: ArrayLike | None = None, n_starts: int = 20,
                              progress: Shown | bool | None = False, rng: RNG = None
                              ) -> PartitionRepresentatives:
    r"""Find k partitions such that each draw is close to one of them.

    If a posterior has several modes, a single estimate between them may resemble none of them.

    Parameters
    ----------
    draws : array-like, shape (S, n) or (chains, draws, n), or a container of draws
        As in `expected_loss`.
    k : int
        Number of representatives, at most the number of distinct draws.
    loss, a, weights : optional
        As in `posterior_partition`.
    n_starts : int, optional
        Number of starts of the search.
    progress : bool or callable, optional
        True shows a progress bar over starts; a function is called with (done, total).
    rng : None, int or numpy Generator, optional
        Seed or generator for the starts.

    Returns
    -------
    PartitionRepresentatives

    Raises
    ------
    ClusteringError
        If draws are not complete hard clusterings, or fewer than `k` of them differ.
    ValueError
        If an option is out of range.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the search; the best result so far is returned.

    See Also
    --------
    posterior_partition : the case k = 1.

    Notes
    -----
    .. math:: \min_{c_1, \ldots, c_k} \frac{1}{S} \sum_s \min_j L(c_j, z_s)

    The representatives with their weights are the discrete distribution on k partitions that is
    nearest to the draws in the Wasserstein distance of order 1, for a metric loss. A start takes k
    draws, the first at random and the others with probabilities proportional to the loss from the
    nearest one so far, or, every other start, the estimates of k random groups of draws. Then two
    steps alternate until the mean loss stops falling: each group of draws gets its own estimate, by
    a search with 6 starts, and each draw goes to the nearest estimate. The result is the best of
    the starts, not always the best possible. Time per round O(n S k) for the distances, plus the
    searches, each as in `posterior_partition`.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    C. Balocchi, S. Wade (2025), Understanding uncertainty in Bayesian cluster analysis
    (WASABI), arXiv:2506.16295.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 0], [0, 1, 1, 0]]
    >>> softclust.partition_representatives(draws, 2, rng=0).weights
    array([0.5, 0.5])
    """
    return represent(read_draws(draws, weights), k, LossRule.of(loss, a), n_starts, rng, progress)


def represent(draws: Sample, k: Any, rule: LossRule, n_starts: Any, rng: Any,
              progress: Shown | bool | None = False) -> PartitionRepresentatives:
    """`partition_representatives` of draws that were read."""
    k, n_starts = check_whole("k", k), check_whole("n_starts", n_starts)
    used = draws.that_count()
    if k > used.n_distinct:
        raise ClusteringError(f"k is {k}, but only {used.n_distinct} of the draws differ; k can be "
                              "at most that")
    results: list[tuple[float, np.ndarray]] = []
    seeds = as_generator(rng).spawn(int(n_starts))
    with (progress_bar(progress, "partition_representatives") as show,
          keep_finished("starts", n_starts, lambda: len(results), "call it again") as stop):
        for s, seed in enumerate(seeds):
            results.append(_start(used, int(k), rule, seed, spread=s % 2 == 0))
            if show is not None:
                show(s + 1, int(n_starts))
    stop.warn()
    best = min(value for value, _ in results)
    labels = next(rows for value, rows in results if value == best)
    hits = sum(value <= best + 1e-9 * (1.0 + best) for value, _ in results)
    return _record(labels, draws, rule, len(results), hits, stop.text)


def _record(labels: np.ndarray, draws: Sample, rule: LossRule, n_starts: int, hits: int,
            text: str) -> PartitionRepresentatives:
    k = len(labels)
    table = np.stack([distances(row, draws, rule) for row in labels])
    order = np.argsort(-np.bincount(table.argmin(axis=0), draws.weights, minlength=k),
                       kind="stable")
    labels, table = labels[order], table[order]
    nearest = table.argmin(axis=0)   # a tie now goes to the larger group
    held = np.bincount(nearest, draws.weights, minlength=k)
    nearest_distance = table.min(axis=0)
    within = np.bincount(nearest, draws.weights * nearest_distance, minlength=k)
    with np.errstate(invalid="ignore"):
        within = np.where(held > 0, within / held, 0.0)
    return PartitionRepresentatives(
        labels=frozen(labels), weights=frozen(held / draws.weights.sum()),
        assignment=frozen(nearest[draws.index]), distance=draws.mean(nearest_distance),
        within=frozen(within), loss=rule.name, n_starts=n_starts, n_hits=hits,
        interrupted=text, _naming=draws.naming)


def _start(draws: Sample, k: int, rule: LossRule, rng: np.random.Generator, *, spread: bool
           ) -> tuple[float, np.ndarray]:
    """One start, from draws that are spread out or from estimates of random groups of draws: mean
    loss and representatives (k, n)."""
    labels = _seeds(draws, k, rule, rng)
    if not spread:
        groups = rng.permutation(np.arange(draws.n_distinct) % k)
        for q in range(k):
            labels[q] = _estimate(draws.some(np.flatnonzero(groups == q)), rule, rng, labels[q])
    table = np.stack([distances(row, draws, rule) for row in labels])
    value = draws.mean(table.min(axis=0))
    before = np.full(draws.n_distinct, -1)
    while value > 0.0:
        nearest = table.argmin(axis=0)
        moved = nearest != before
        changed = set(nearest[moved]) | set(before[moved])
        before = nearest
        for q in range(k):
            held = np.flatnonzero(nearest == q)
            if held.size and q not in changed:
                continue
            if held.size == 0:   # take the draw that is furthest from its own
                held = np.array([int((table.min(axis=0) * draws.weights).argmax())])
            labels[q] = _estimate(draws.some(held), rule, rng, labels[q])
            table[q] = distances(labels[q], draws, rule)
        now = draws.mean(table.min(axis=0))
        if now >= value - _GAIN:
            break
        value = now
    return value, labels


def _estimate(group: Sample, rule: LossRule, rng: np.random.Generator, present: np.ndarray
              ) -> np.ndarray:
    """The point estimate of a group of draws, not worse than the present one."""
    search = Search(group, rule, None, rng, also=(present,))
    search.run(_WITHIN)
    assert search.best is not None
    return search.best


def _seeds(draws: Sample, k: int, rule: LossRule, rng: np.random.Generator) -> np.ndarray:
    """k distinct draws, spread out as in k-means++."""
    chosen = [int(rng.choice(draws.n_distinct, p=draws.shares))]
    nearest = np.full(draws.n_distinct, math.inf)
    while len(chosen) < k:
        nearest = np.minimum(nearest, distances(draws.rows[chosen[-1]], draws, rule))
        chance = draws.weights * nearest
        chance[chosen] = 0.0
        if not chance.any():
            chance = np.array(draws.weights)
            chance[chosen] = 0.0
        chosen.append(int(rng.choice(draws.n_distinct, p=chance / chance.sum())))
    return draws.rows[chosen].astype(np.int64)
