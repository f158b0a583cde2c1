"""Consensus of ready clusterings: one clustering near all of them, or the most central one."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, frozen
from .._interrupts import keep_finished
from .._parallel import Progress, progress_bar
from .._random import as_generator
from .._warnings import warn
from ..clusterings import Clustering, Ensemble, FuzzyClustering, HardClustering, as_clustering
from ._consensus_fits import (
    Euclidean,
    GordonVichi,
    Manhattan,
    Members,
    Method,
    assigned,
    onto_first,
    pad,
)
from ._records import Consensus

METHODS: dict[str, Method | None] = {
    "SE": Euclidean(hard=False), "HE": Euclidean(hard=True), "SM": Manhattan(hard=False),
    "HM": Manhattan(hard=True), "GV1": GordonVichi(), "DWH": None,
}
TOLERANCE = 1.5e-8   # clue's


def consensus(ensemble: Any, *, method: str = "SE", n_clusters: int | None = None,
              weights: Any = None, start: Any = None, n_starts: int = 1, order: Any = None,
              max_iter: int = 100, tol: float = TOLERANCE, rng: Any = None,
              progress: Progress | bool | None = False) -> Consensus:
    """Clustering with the least weighted sum of distances to the members of an ensemble.

    Parameters
    ----------
    ensemble : Ensemble or what `Ensemble` takes
        B hard or fuzzy clusterings of the same n objects; numbers of clusters may differ.
    method : {"SE", "HE", "SM", "HM", "GV1", "DWH"}, optional
        Distance and kind of result. SE, HE: squared Euclidean membership distance, fuzzy and
        hard. SM, HM: Manhattan membership distance, fuzzy and hard. GV1: squared Gordon-Vichi
        dissimilarity, fuzzy. DWH: Euclidean, greedy, one pass over the members, fuzzy.
    n_clusters : int, optional
        Clusters k of the consensus; the largest of the members by default.
    weights : array-like, shape (B,), optional
        Weights >= 0 of the members, scaled to sum 1; equal by default.
    start : array (n, k), clustering-like, or list of these, optional
        Where to start; instead of random starts.
    n_starts : int, optional
        Random starts (rows of uniforms, scaled to 1); the best result is returned, the first
        among equal ones. One start may end in a local optimum far from the best one, which one
        depends on `rng`: where the optimum matters give 10 or more.
    order : sequence of int, optional
        DWH: order in which the members are met; as given by default.
    max_iter : int, optional
        Largest number of iterations of a start.
    tol : float, optional
        A start stops when its objective V changes by less than ``tol * (|V| + tol)``.
    rng : None, int or numpy Generator, optional
        For the starts.
    progress : bool or callable, optional
        True shows a bar over iterations; a function is called with (done, total).

    Returns
    -------
    Consensus
        `objective` is recomputed for the clustering returned.

    Raises
    ------
    ClusteringError
        If a member is rough, possibilistic or evidential, the message names the conversions.
    ValueError
        If an option is out of range or does not belong to the method.

    Warns
    -----
    ConvergenceWarning
        If the returned start reached `max_iter`.
    IncompleteWarning
        If Ctrl-C stopped the search; the best that was found by then is returned.

    Notes
    -----
    Alternates matching every member to the consensus (an assignment of clusters) and the best
    fit to the matched members; the objective never rises. SM fits each row exactly in
    O(B k log(B k)), where clue solves a linear programme with (2 B + 1) k variables. Its
    minimisers are not unique: the fit divides the interval of each coordinate's minimisers in one
    proportion, so it does not depend on the order of members. Ties of HE and HM go to the lowest
    column. Time per iteration O(B n K^2), SM O(B n K (K + log(B K))), for K clusters; memory
    O(n K) beyond the members. R: ``clue::cl_consensus(x, method = )``, whose reported objective
    is wrong with several starts.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).
    A. D. Gordon, M. Vichi (2001), Fuzzy partition models for fitting a set of partitions,
    Psychometrika 66, 229-248. E. Dimitriadou, A. Weingessel, K. Hornik (2002), A combination
    scheme for fuzzy clustering.

    Examples
    --------
    >>> import softclust as sc
    >>> runs = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1]]
    >>> result = sc.consensus(runs, rng=0)
    >>> result.membership.max(axis=1).round(3)
    array([1.   , 1.   , 0.667, 1.   , 1.   , 1.   ])
    >>> round(result.objective, 4)
    0.4444
    """
    check_choice("method", method, METHODS)
    members = _members(ensemble, n_clusters)
    w = _weights(weights, members.count)
    max_iter = _whole("max_iter", max_iter)
    if not isinstance(tol, numbers.Real) or not tol >= 0:
        raise ValueError(f"tol is {tol!r}; a number >= 0 is needed")
    if method == "DWH":
        if start is not None or n_starts != 1:
            raise ValueError("DWH passes over the members once: it takes no start; choose their "
                             "order= instead")
        return _dwh(members, w, _order(order, members.count))
    if order is not None:
        raise ValueError(f"order= belongs to DWH; {method} does not depend on the order")
    way = METHODS[method]
    assert way is not None
    starts = _starts(start, n_starts, members, rng)
    best: _Run | None = None
    ended = 0

    def begun() -> int:
        # a start under way is finished enough: its consensus, matching and objective agree
        return ended + int(best is not None and best.index == ended)

    with (progress_bar(progress, f"consensus {method}") as show,
          keep_finished("starts", len(starts), begun, "call it again for all of them") as stop):
        for s, begin in enumerate(starts):
            run = _Run(members, w, way, pad(begin, members.width), s)
            for _ in range(max_iter):
                moved = run.step(tol)
                if best is None or run.value < best.value or run is best:
                    best = run
                if show is not None:
                    show(s * max_iter + run.n_iter, len(starts) * max_iter)
                if not moved:
                    break
            ended += 1
    assert best is not None
    if stop:
        stop.warn()
    elif not best.converged:
        from sklearn.exceptions import ConvergenceWarning
        warn(f"consensus {method} still moved after max_iter={best.n_iter} iterations; "
                      "raise max_iter", ConvergenceWarning, stacklevel=2)
    return _record(best, members, way, method, stop.text)


class _Run:
    """One start: the consensus so far, its matching and objective."""

    def __init__(self, members: Members, weights: np.ndarray, way: Method, begin: np.ndarray,
                 index: int) -> None:
        self.members, self.weights, self.way, self.index = members, weights, way, index
        self.history: list[float] = []
        self.n_iter = 0
        self.converged = False
        self.m = begin
        self.columns, self.value = match_all(members, weights, way, begin)

    def step(self, tol: float) -> bool:
        """One fit and match; whether the objective still moves."""
        before = self.value
        m = self.way.fit(self.members, self.weights, self.columns)
        columns, value = match_all(self.members, self.weights, self.way, m)
        # Stored together: an interrupt leaves a consistent run.
        self.m, self.columns, self.value = m, columns, value
        self.n_iter += 1
        self.history.append(value)
        self.converged = abs(before - value) < tol * (abs(value) + tol) or value == 0.0
        return not self.converged


def match_all(members: Members, weights: np.ndarray, way: Method, m: np.ndarray
              ) -> tuple[np.ndarray, float]:
    """Matched columns of every member, (B, K), and the weighted sum of distances."""
    columns = np.full((members.count, members.width), -1)
    values = np.zeros(members.count)
    for b in range(members.count):
        columns[b], values[b] = way.match(m, members.matrix(b), members.widths[b])
    return columns, math.fsum(weights * values)


def _record(run: _Run, members: Members, way: Method, method: str, interrupted: str
            ) -> Consensus:
    k = members.k
    clustering: FuzzyClustering | HardClustering
    if way.hard:
        clustering = HardClustering(run.m[:, :k].argmax(axis=1), n_clusters=k,
                                    object_names=members.naming)
    else:
        clustering = FuzzyClustering(_normal(run.m[:, :k]), object_names=members.naming)
    return Consensus(
        clustering=clustering, method=method, n_members=members.count,
        permutations=_called_after(run.columns, members), objective=run.value,
        converged=run.converged and not interrupted, n_iter=run.n_iter,
        history=frozen(np.array(run.history)), start_index=run.index, interrupted=interrupted)


def _normal(m: np.ndarray) -> np.ndarray:
    """Rows clipped at 0 and scaled to sum 1: removes rounding."""
    clipped = np.maximum(m, 0.0)
    return np.asarray(clipped / clipped.sum(axis=1, keepdims=True))


def _called_after(columns: np.ndarray, members: Members) -> np.ndarray:
    """Cluster of the consensus for each cluster of each member; -1 without one."""
    called = np.full(columns.shape, -1)
    for b, found in enumerate(columns):
        paired = np.flatnonzero(found >= 0)
        called[b, found[paired]] = paired
        called[b, members.widths[b]:] = -1
    return frozen(called)


def _dwh(members: Members, weights: np.ndarray, order: np.ndarray) -> Consensus:
    """Greedy: each member in turn, matched by trace, moves the running mean."""
    m = onto_first(members.matrix(int(order[0])), members.k)
    total = weights[order[0]]
    history = []
    for b in order[1:]:
        y = members.matrix(int(b))
        total += weights[b]
        share = weights[b] / total if total > 0 else 0.0
        m = onto_first((1.0 - share) * m + share * y[:, assigned(m.T @ y)], members.k)
    run = Euclidean(hard=False)
    columns, value = match_all(members, weights, run, m)
    history.append(value)
    return Consensus(
        clustering=FuzzyClustering(_normal(m[:, :members.k]), object_names=members.naming),
        method="DWH", n_members=members.count, permutations=_called_after(columns, members),
        objective=value, history=frozen(np.array(history)))


# -- checks -----------------------------------------------------------------------------------
def _members(ensemble: Any, n_clusters: Any) -> Members:
    members = ensemble if isinstance(ensemble, Ensemble) else Ensemble(ensemble)
    for name, clustering in zip(members.names, members):
        if not isinstance(clustering, (HardClustering, FuzzyClustering)):
            raise ClusteringError(
                f"member {name!r} is {clustering.kind}; hard or fuzzy clusterings are needed: "
                "convert it by a named rule, .to_fuzzy() or .harden()")
    if n_clusters is not None:
        n_clusters = _whole("n_clusters", n_clusters)
    return Members(list(members), n_clusters)


def _whole(name: str, value: Any) -> int:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} is {value!r}; a whole number >= 1 is needed")
    return int(value)


def _weights(weights: Any, count: int) -> np.ndarray:
    if weights is None:
        return np.full(count, 1.0 / count)
    try:
        w = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"weights is {weights!r}; numbers are needed") from None
    if w.shape != (count,):
        raise ValueError(f"weights has shape {w.shape}; one weight for each of the {count} "
                         "members is needed")
    if not (np.isfinite(w).all() and (w >= 0).all() and w.any()):
        raise ValueError(f"weights is {weights!r}; finite numbers, not negative and not all 0, "
                         "are needed")
    with np.errstate(over="ignore"):
        total = w.sum()
    if not np.isfinite(total):
        w = w / w.max()
        total = w.sum()
    return np.asarray(w / total)


def _order(order: Any, count: int) -> np.ndarray:
    if order is None:
        return np.arange(count)
    found = np.asarray(order)
    if found.shape != (count,) or sorted(found.tolist()) != list(range(count)):
        raise ValueError(f"order is {order!r}; each of 0, ..., {count - 1} once is needed")
    return found.astype(np.int64)


def _starts(start: Any, n_starts: Any, members: Members, rng: Any) -> list[np.ndarray]:
    if start is not None:
        if n_starts != 1:
            raise ValueError("n_starts belongs to random starts; give several in start=[...]")
        given = start if isinstance(start, (list, tuple)) and not _is_matrix(start) else [start]
        return [_start(s, members) for s in given]
    n_starts = _whole("n_starts", n_starts)
    rng = as_generator(rng)
    drawn = []
    for child in rng.spawn(n_starts):
        rows = child.random((members.n, members.k))
        drawn.append(rows / rows.sum(axis=1, keepdims=True))
    return drawn


def _is_matrix(start: Any) -> bool:
    """Whether a list is one matrix or one row of labels rather than a list of starts."""
    try:
        return np.asarray(start, dtype=np.float64).ndim <= 2
    except (TypeError, ValueError):
        return False


def _start(start: Any, members: Members) -> np.ndarray:
    clustering = as_clustering(start, name="start")
    if not isinstance(clustering, (HardClustering, FuzzyClustering)):
        raise ClusteringError(f"start is {clustering.kind}; a hard or fuzzy one is needed")
    if clustering.n_objects != members.n or clustering.n_clusters > members.k:
        raise ClusteringError(
            f"start has {clustering.n_objects} objects and {clustering.n_clusters} clusters; "
            f"{members.n} objects and at most {members.k} clusters are needed")
    return Members([clustering], members.k).matrix(0)


# -- the most central member --------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Medoid:
    """The member of an ensemble that is nearest to all others.

    Attributes
    ----------
    index : int
        Its position.
    name : str
        Its name.
    clustering : Clustering
    total : float
        Weighted sum of its dissimilarities to the members.
    totals : (B,) float64
        The same for every member.
    measure : str

    Examples
    --------
    >>> import softclust as sc
    >>> sc.medoid([[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1]], measure="rand_index").index
    1
    """

    index: int
    name: str
    clustering: Clustering
    total: float
    totals: np.ndarray
    measure: str


def medoid(ensemble: Any, *, measure: str = "euclidean_membership_distance", weights: Any = None,
           progress: bool = False) -> Medoid:
    """Member with the least sum of dissimilarities to all members.

    Parameters
    ----------
    ensemble : Ensemble or what `Ensemble` takes
        Clusterings of the kinds that the measure takes.
    measure : str, optional
        Name of a registered measure with numbers as values; of an agreement, 1 - value counts.
    weights : array-like, shape (B,), optional
        Weights >= 0 of the members; equal to 1 by default.
    progress : bool, optional
        Show a progress bar over pairs.

    Returns
    -------
    Medoid
        The first one among equal sums.

    Raises
    ------
    ClusteringError
        If a member does not suit the measure.
    ValueError
        If the measure gives intervals, or is undefined for a pair.

    Notes
    -----
    B(B - 1)/2 values of the measure (B^2 if it is not symmetric). R: ``clue::cl_medoid``.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.medoid([[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1]]).name
    '1'
    """
    from ..comparison.matrix import compare_all
    members = ensemble if isinstance(ensemble, Ensemble) else Ensemble(ensemble)
    w = np.ones(len(members))
    if weights is not None:
        _weights(weights, len(members))   # checks; the sums below take them as they are
        w = np.asarray(weights, dtype=np.float64)
    matrix = compare_all(members, measure=measure, progress=progress)
    if matrix.interval_valued:
        raise ValueError(f"{measure} gives intervals, which have no least sum; choose a measure "
                         "with numbers, such as 'alpha_rand_index'")
    d = 1.0 - matrix.value if matrix.sense == "agreement" else np.asarray(matrix.value)
    if np.isnan(d).any():
        i, j = (int(v) for v in np.argwhere(np.isnan(d))[0])
        raise ValueError(f"{measure} is undefined for members {members.names[i]!r} and "
                         f"{members.names[j]!r}; choose another measure or leave one out")
    totals = d @ w
    best = int(totals.argmin())
    return Medoid(index=best, name=members.names[best], clustering=members[best],
                  total=float(totals[best]), totals=frozen(totals), measure=matrix.measure)
