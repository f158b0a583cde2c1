"""Consensus of existing clusterings: one clustering near all of them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from itertools import permutations, product
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, check_weights, check_whole, frozen, shown
from .._types import RNG, ArrayLike, ClusteringLike, ConsensusMethod, EnsembleLike, Linkage
from ..clusterings import FuzzyClustering, HardClustering, as_clustering
from ..results.frames import same_frames
from ..running.blas import one_thread
from ..running.interrupts import keep_finished
from ..running.random_numbers import as_generator
from ..running.threads import Progress as Shown
from ..running.threads import progress_bar
from ..running.warnings import warn
from ._pair_consensus import (
    STARTS,
    cut_coassociation,
    hard_symdiff,
    pair_distances,
    soft_bound,
    soft_descent,
)
from .consensus_fits import (
    Euclidean,
    GordonVichi,
    Manhattan,
    Members,
    Method,
    assigned,
    largest_only,
    onto_first,
    pad,
)
from .consensus_record import Consensus
from .consensus_search import (
    LEAST,
    EuclideanSweeps,
    Pairs,
    Progress,
    Starts,
    Sweeper,
    VoteSweeps,
    branch,
    lower_bound,
    most_starts,
    named_by_first,
)
from .replicates import ResamplingWarning
from .together import as_runs

METHODS: dict[str, Method | None] = {
    "SE": Euclidean(hard=False), "HE": Euclidean(hard=True), "SM": Manhattan(hard=False),
    "HM": Manhattan(hard=True), "GV1": GordonVichi(), "DWH": None, "GV3": None,
    "soft/symdiff": None, "hard/symdiff": None, "coassociation": None,
}
PAIRS = ("GV3", "soft/symdiff", "hard/symdiff")
TOLERANCE = 1.5e-8   # clue's
#: numbers of matchings of all members up to this are tried all: well below a second
MOST_MATCHINGS = 1300
#: pairs of members times objects times squared clusters up to which SM and HM of soft members are
#: compared with each member: some seconds
MEMBERS_WORK = 5e9


@same_frames
def consensus(ensemble: EnsembleLike, *, method: ConsensusMethod = "SE",
              n_clusters: int | None = None, weights: ArrayLike | None = None,
              start: ClusteringLike | None = None, n_starts: int | Literal["auto"] = "auto",
              order: ArrayLike | None = None, max_iter: int = 100, tol: float = TOLERANCE,
              max_nodes: int = 0, linkage: Linkage = "average", rng: RNG = None,
              progress: Shown | bool | None = False) -> Consensus:
    r"""Find the clustering with the smallest weighted sum of distances to the members.

    Parameters
    ----------
    ensemble : Ensemble, or anything that `Ensemble` takes
        B hard or fuzzy clusterings of the same n objects; numbers of clusters may differ. Objects
        that are absent from a run of an `Ensemble` cost nothing there.
    method : str, optional
        Distance and kind of result. "SE", "HE": squared Euclidean membership distance, fuzzy and
        hard. "SM", "HM": Manhattan membership distance, fuzzy and hard. "GV1": squared Gordon-Vichi
        dissimilarity, fuzzy. "DWH": Euclidean, greedy, one pass over the members, fuzzy.

        By pairs of objects: "GV3": squared co-membership dissimilarity, fuzzy. "hard/symdiff",
        "soft/symdiff": symmetric difference, hard, and half the Manhattan distance of
        co-memberships. "coassociation": hierarchical clustering of 1 - the share of runs that join
        two objects, hard; the result has the tree.
    n_clusters : int, optional
        Number of clusters k of the consensus; the largest of the members by default. hard/symdiff:
        the largest number of clusters; any by default.
    weights : array-like, shape (B,), optional
        Weights >= 0 of the members, scaled to sum 1; equal by default.
    start : array (n, k), clustering-like, or list of these, optional
        Initial clustering, or several, instead of random starts.
    n_starts : int or "auto", optional
        Number of starts of the search; the best result is returned, the first among equal ones.
        "auto" (40 to 1000; with many clusters and members, where a start takes long, nearer to 40)
        continues until the best value was reached three times independently (after 100 starts: at
        all) and half of the starts found nothing better. GV3: 10, soft/symdiff: 4. SM and HM of
        soft members: where a member (its largest memberships, for HM) is better than all, one more
        start begins there.
    order : sequence of int, optional
        DWH: order in which the members are processed; as given by default, for partial runs the
        one with most objects first.
    max_iter : int, optional
        Maximum number of iterations per start; 20 gradient steps count as one.
    tol : float, optional
        A start stops when its objective V changes by less than ``tol * (|V| + tol)``.
    max_nodes : int, optional
        SE with up to 5 clusters: number of nodes of a branch and bound after the search, which
        raises the bound and may prove that the result is optimal.
    linkage : str, optional
        coassociation: "average" (Monti et al.), "single", "complete", "weighted", "centroid",
        "median" or "ward".
    rng : None, int or numpy Generator, optional
        Seed or generator for the starts.
    progress : bool or callable, optional
        True shows a progress bar over iterations; a function is called with (done, total).

    Returns
    -------
    Consensus
        The consensus; `objective` is recomputed for the clustering returned.

    Raises
    ------
    ClusteringError
        If a member is rough, possibilistic or evidential (the message names the conversions), or
        an object is in no run. hard/symdiff, coassociation: if a member is fuzzy; if ties leave no
        cut of the tree into k clusters, or two objects are in no run together.
    ValueError
        If an option is out of range or does not belong to the method; partial runs for GV1, GV3
        and symmetric differences.

    Warns
    -----
    ConvergenceWarning
        If the returned start reached `max_iter`.
    IncompleteWarning
        If Ctrl-C stopped the search; the best result so far is returned.
    ResamplingWarning
        If partial runs split into parts without a common object.

    See Also
    --------
    medoid, mmcc, BaggedClustering, compare_all

    Notes
    -----
    .. math:: \min_M \sum_b w_b \, d(M, Y_b)^p

    Each start first matches the clusters of the members, and then rematches one member at a time to
    the others. Finally, two steps alternate: match every member to the consensus, and fit the
    consensus to the matched members. The objective never increases.

    `bound` is a lower bound on the objective of any clustering, from the costs of pairs and triples
    of members and from the triangle inequality; there is none for GV1. Where it leaves a gap and
    there are at most 1300 matchings of all members (five of three clusters), all are tried. For
    partial runs, distances are taken over the objects that a run contains.

    The best fuzzy clustering of SM is not unique; the one returned does not depend on the order of
    the members. Ties of HE and HM go to the first column; the two have the same optima. An
    iteration takes time O(B n K^2), or O(B n K (K + log(B K))) for SM, for K clusters.

    By pairs, with c_ij = sum_k m_ik m_jk: GV3 minimises sum_b w_b sum_ij (c_ij - c_ij^b)^2 and
    soft/symdiff half of the sum of |c_ij - c_ij^b|, by projected gradients from random
    memberships; bounds are the eigenvalues that k clusters cannot reach, and the medians of the
    pairs. For hard members soft/symdiff is linear in each row of memberships, so a hard clustering
    is optimal. Symmetric differences of hard members are a multiple of the Binder loss: the search
    and its bound are those of `posterior_partition`, and up to 30 objects (those that all members
    join count as one) an integer programme closes the gap. GV3: time O(n B K k) per step;
    soft/symdiff of fuzzy members O(n^2 B K) and memory O(n^2); coassociation O(n^2 B), up to 5,000
    objects.

    R: ``clue::cl_consensus(x, method = )`` uses one random start; with several, the objective that
    it reports is wrong.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).
    A. D. Gordon, M. Vichi (2001), Fuzzy partition models for fitting a set of partitions,
    Psychometrika 66, 229-248.
    E. Dimitriadou, A. Weingessel, K. Hornik (2002), A combination scheme for fuzzy clustering,
    International Journal of Pattern Recognition and Artificial Intelligence 16, 901-912.
    S. Monti, P. Tamayo, J. Mesirov, T. Golub (2003), Consensus clustering, Machine Learning 52,
    91-118.

    Examples
    --------
    >>> import softclust
    >>> runs = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1]]
    >>> result = softclust.consensus(runs, rng=0)
    >>> result.membership.max(axis=1).round(3)
    array([1.   , 1.   , 0.667, 1.   , 1.   , 1.   ])
    >>> round(result.objective, 4)
    0.4444

    Monti's consensus, with its tree:

    >>> result = softclust.consensus(runs, method="coassociation", n_clusters=2)
    >>> result.labels, softclust.as_dendrogram(result.merges).heights.round(2)
    (array([0, 0, 0, 1, 1, 1]), array([0.  , 0.  , 0.  , 0.33, 0.89]))
    """
    check_choice("method", method, METHODS)
    check_choice("linkage", linkage, ("single", "complete", "average", "weighted", "centroid",
                                      "median", "ward"))
    if method == "coassociation":
        if start is not None or n_starts != "auto" or order is not None or max_nodes:
            raise ValueError("coassociation has no search: leave out start, n_starts, order and "
                             "max_nodes")
        runs = as_runs(ensemble, "ensemble")
        k = max(runs.n_clusters) if n_clusters is None else check_whole("n_clusters", n_clusters)
        clustering, merges = cut_coassociation(runs, weights, linkage, k)
        members = Members(ensemble, k)   # runs number their clusters anew
        columns, _ = match_all(members, np.full(members.count, 1.0), Euclidean(hard=True),
                               pad(clustering.memberships(), members.width))
        return Consensus(clustering=clustering, method=f"coassociation, {linkage} linkage",
                         n_members=members.count, permutations=_called_after(columns, members),
                         merges=frozen(merges))
    if linkage != "average":
        raise ValueError(f"linkage= needs method coassociation; {method} makes no tree")
    members = Members(
        ensemble, None if n_clusters is None else check_whole("n_clusters", n_clusters))
    w = checked_weights(weights, members.count)
    if members.present is not None:
        _check_partial(members, members.present[w > 0], method)
    max_iter = check_whole("max_iter", max_iter)
    if not isinstance(tol, numbers.Real) or not tol >= 0:
        raise ValueError(f"tol is {shown(tol)}; a number >= 0 is needed")
    max_nodes = check_whole("max_nodes", max_nodes, 0)
    if max_nodes and method != "SE":
        raise ValueError(f"max_nodes needs method SE; {method} has no branch and bound")
    if method == "DWH":
        if start is not None or n_starts not in ("auto", 1):
            raise ValueError("DWH passes over the members once and takes no start; set their order "
                             "with order= instead")
        return _dwh(members, w, _order(order, members))
    if order is not None:
        raise ValueError(f"order= needs method DWH; {method} does not depend on the order")
    if method in PAIRS:
        if n_starts != "auto":
            n_starts = check_whole("n_starts", n_starts, also=', or "auto",')
        return _by_pairs(members, w, method, n_clusters, start, n_starts, max_iter, float(tol),
                         as_generator(rng), progress)
    search = _Search(members, w, method, max_iter, float(tol))
    if start is None and n_starts != "auto":
        n_starts = check_whole("n_starts", n_starts, also=', or "auto",')
    starts = (search.given(start, n_starts) if start is not None
              else search.drawn(n_starts, as_generator(rng)))
    with (one_thread(), progress_bar(progress, f"consensus {method}") as show,
          keep_finished("starts", search.total, search.finished,
                        "call it again for all of them") as stop):
        for run in starts:
            search.go(run)
            if show is not None:
                show(search.finished(), max(search.total, search.finished()))
        search.prove(max_nodes)
    assert search.best is not None
    stop.warn()
    if not stop and not search.best.converged:
        from sklearn.exceptions import ConvergenceWarning
        warn(f"consensus {method} did not converge in max_iter={search.best.n_iter} iterations; "
             "raise max_iter", ConvergenceWarning, stacklevel=2)
    return search.record(stop.text)


class _Run:
    """One start: the current consensus, its matching and objective."""

    def __init__(self, members: Members, weights: np.ndarray, way: Method, begin: np.ndarray,
                 index: int) -> None:
        self.members, self.weights, self.way, self.index = members, weights, way, index
        self.history: list[float] = []
        self.n_iter = 0
        self.converged = False
        self.m = begin
        self.matching: np.ndarray | None = None   # of the members, at the beginning
        self.columns, self.value = match_all(members, weights, way, begin)

    def step(self, tol: float) -> bool:
        """Fit and match once; return True while the objective still changes."""
        before = self.value
        m = self.way.fit(self.members, self.weights, self.columns)
        columns, value = match_all(self.members, self.weights, self.way, m)
        # Stored together: an interrupt leaves a consistent run.
        self.m, self.columns, self.value = m, columns, value
        self.n_iter += 1
        self.history.append(value)
        self.converged = abs(before - value) < tol * (abs(value) + tol) or value == 0.0
        return not self.converged


class _Search:
    """Starts of one method, the best of them, and a lower bound on the objective."""

    def __init__(self, members: Members, weights: np.ndarray, method: str, max_iter: int,
                 tol: float) -> None:
        way = METHODS[method]
        assert way is not None
        self.members, self.weights, self.method, self.way = members, weights, method, way
        self.max_iter, self.tol = max_iter, tol
        self.pairs: Pairs | None = None
        self.log, self.total = Progress(most=most_starts(members)), 0
        self.again = False   # True for a start near the best one so far
        self.best: _Run | None = None
        self.bound = float("nan")
        self.every = False   # True if few matchings are tried all

    # -- starts ---------------------------------------------------------------------------
    def given(self, start: Any, n_starts: Any) -> Iterator[_Run]:
        """Runs from given starts."""
        if n_starts not in ("auto", 1):
            raise ValueError("n_starts belongs to random starts; give several in start=[...]")
        begins = _several_starts(start, self.members)
        self.total = len(begins)
        return (self._run(pad(begin, self.members.width), s) for s, begin in enumerate(begins))

    def drawn(self, n_starts: Any, rng: np.random.Generator) -> Iterator[_Run]:
        """Runs from matchings; equal matchings run once."""
        self.total = LEAST if n_starts == "auto" else n_starts
        self.every = n_starts == "auto"
        return self._drawn(n_starts, Starts(self.members, rng))

    def _drawn(self, n_starts: Any, starts: Starts) -> Iterator[_Run]:
        self.pairs = Pairs.of(self.members, self.weights)
        squares = self.method in ("SE", "GV1")
        sweeps: Sweeper = (EuclideanSweeps(self.pairs) if squares and self.pairs.gram is not None
                           else VoteSweeps(self.pairs, squares=squares))
        seen: dict[bytes, _Run] = {}
        s = 0
        while not self.log.enough if n_starts == "auto" else s < n_starts:
            columns = starts.next(None if self.best is None else self.best.matching)
            # The sweeps are those of HE: for soft members half of SM's starts skip them.
            if not (self.method == "SM" and self.members.codes is None and s // 2 % 2):
                columns = sweeps(columns)
            known = named_by_first(columns, self.members.k).tobytes()
            if known not in seen:
                seen[known] = self._run(self._fit(columns), s)
                seen[known].matching = columns
            self.again = starts.again
            yield seen[known]
            s += 1
        # At last the member that is nearer to all members than the best consensus, if any: the
        # distances of soft members are not what the sweeps lower.
        members = self.members
        if self.method not in ("SM", "HM") or members.codes is not None or self.best is None or (
                members.count**2 * members.n * members.width**2 > MEMBERS_WORK):
            return
        least, begin = np.inf, None
        for b in np.flatnonzero(members.widths <= members.k).tolist():
            matrix = members.matrix(b)
            matrix = largest_only(matrix, members.k) if self.way.hard else matrix
            value = match_all(members, self.weights, self.way, matrix)[1]
            if value < least:
                least, begin = value, matrix
        if begin is not None and least < self.best.value * (1.0 - 1e-12):
            self.again = True
            yield self._run(begin, s)

    def _fit(self, columns: np.ndarray) -> np.ndarray:
        if self.method == "GV1":   # clusters missing from a member have no partner
            widths = self.members.widths[:, None]
            columns = np.where(columns < widths, columns, -1)
        return self.way.fit(self.members, self.weights, columns)

    def _run(self, begin: np.ndarray, s: int) -> _Run:
        return _Run(self.members, self.weights, self.way, begin, s)

    def go(self, run: _Run) -> None:
        """Continue the run to its end, and record its value."""
        while run.n_iter < self.max_iter and not run.converged:
            run.step(self.tol)
            if self.best is None or run.value < self.best.value:
                self.best = run
        self.log.add(run.value, again=self.again)
        if self.best is None or run.value < self.best.value:
            self.best = run

    def finished(self) -> int:
        """Number of starts that ended, counting the one under way if it is the best."""
        return max(len(self.log.values), int(self.best is not None))

    # -- results --------------------------------------------------------------------------
    def prove(self, max_nodes: int) -> None:
        """Set `bound`, also by branch and bound, which may find a better consensus."""
        assert self.best is not None
        if self.pairs is None:
            self.pairs = Pairs.of(self.members, self.weights)
        self.bound = lower_bound(self.method, self.pairs)
        if max_nodes and self.best.value > self.bound + 1e-9 * abs(self.best.value):
            bound, columns = branch(self.pairs, self.members, self.best.value, max_nodes)
            self.bound = max(self.bound, bound)
            if columns is not None:
                self.go(self._run(self._fit(columns), len(self.log.values)))
        open_gap = self.best.value - self.bound > 1e-9 * abs(self.best.value)   # not for nan
        b, k = self.members.count, self.members.width
        if not (self.every and open_gap) or math.factorial(k) ** (b - 1) > MOST_MATCHINGS:
            return
        # all matchings of few small members: the best fit to one of them is optimal
        columns = np.tile(np.arange(k), (b, 1))
        least = self.best.value * (1.0 - 1e-12)
        for rest in product(permutations(range(k)), repeat=b - 1):
            columns[1:] = rest
            run = self._run(self._fit(columns), len(self.log.values))
            if run.value < least:
                self.go(run)
                least = run.value
        self.bound = self.best.value

    def record(self, interrupted: str) -> Consensus:
        """Make the result from the best of the starts."""
        run, members, k = self.best, self.members, self.members.k
        assert run is not None
        clustering: FuzzyClustering | HardClustering
        if self.way.hard:
            clustering = HardClustering(run.m[:, :k].argmax(axis=1), n_clusters=k,
                                        object_names=members.naming)
        else:
            clustering = FuzzyClustering(_normal(run.m[:, :k]), object_names=members.naming)
        return Consensus(
            clustering=clustering, method=self.method, n_members=members.count,
            permutations=_called_after(run.columns, members), objective=run.value,
            bound=min(self.bound, run.value) if self.bound == self.bound else self.bound,
            converged=run.converged and not interrupted, n_iter=run.n_iter,
            history=frozen(np.array(run.history)), start_index=run.index,
            n_starts=self.finished(), n_hits=max(1, self.log.hits), interrupted=interrupted)


def match_all(members: Members, weights: np.ndarray, way: Method, m: np.ndarray
              ) -> tuple[np.ndarray, float]:
    """Matched columns of every member, (B, K), and the weighted sum of distances."""
    columns = np.full((members.count, members.width), -1)
    values = np.zeros(members.count)
    for b in range(members.count):
        held = members.held(b)
        columns[b], values[b] = way.match(m[held], members.matrix(b)[held], members.widths[b])
    value = math.fsum(weights * values)
    # Equal members leave rounding errors of a weighted mean (squared, except for Manhattan).
    rounding = members.n * members.width * (1e-15 if isinstance(way, Manhattan) else 1e-30)
    return columns, value if value > rounding else 0.0


def _normal(m: np.ndarray) -> np.ndarray:
    """Rows clipped at 0 and scaled to sum 1, which removes rounding errors."""
    clipped = np.maximum(m, 0.0)
    return np.asarray(clipped / clipped.sum(axis=1, keepdims=True))


def _called_after(columns: np.ndarray, members: Members) -> np.ndarray:
    """Cluster of the consensus for each cluster of each member; -1 without one."""
    called = np.full(columns.shape, -1)
    for b, matched in enumerate(columns):
        paired = np.flatnonzero(matched >= 0)
        called[b, matched[paired]] = paired
        called[b, members.widths[b]:] = -1
    return frozen(called)


def _dwh(members: Members, weights: np.ndarray, order: np.ndarray) -> Consensus:
    """Greedy consensus: each member in turn, matched by trace, updates the running mean."""
    m, total = np.zeros((members.n, members.width)), np.zeros((members.n, 1))
    met = np.zeros(members.n, dtype=np.bool_)   # objects of the members so far
    history = []
    for b in order:
        y, held = members.matrix(int(b)), members.held(int(b))
        if met.any():
            y = y[:, assigned(m.T @ y)]
        total[held] += weights[b]
        share = np.divide(weights[b], total, out=np.zeros_like(total), where=total > 0)
        share[~met] = 1.0   # no previous member to average with
        m[held] = onto_first((1.0 - share) * m + share * y, members.k)[held]
        met[held] = True
    run = Euclidean(hard=False)
    columns, value = match_all(members, weights, run, m)
    history.append(value)
    return Consensus(
        clustering=FuzzyClustering(_normal(m[:, :members.k]), object_names=members.naming),
        method="DWH", n_members=members.count, permutations=_called_after(columns, members),
        objective=value, history=frozen(np.array(history)))


def _by_pairs(members: Members, w: np.ndarray, method: str, n_clusters: int | None, start: Any,
              n_starts: Any, max_iter: int, tol: float, rng: np.random.Generator, progress: Any
              ) -> Consensus:
    """GV3 and symmetric differences, see `consensus`."""
    facts: dict[str, Any] = {}
    stop = ""
    clustering: FuzzyClustering | HardClustering
    if method == "hard/symdiff" or (method == "soft/symdiff" and members.codes is not None):
        if members.codes is None:
            raise ClusteringError("hard/symdiff needs hard members; .harden() makes one by a named "
                                  "rule, and soft/symdiff takes fuzzy ones")
        if start is not None:
            raise ValueError(f"{method} of hard members takes no start")
        limit = n_clusters if method == "hard/symdiff" else members.k
        labels, bound, found = hard_symdiff(members, w, limit,
                                            None if n_starts == "auto" else n_starts, rng)
        clustering = HardClustering(labels, object_names=members.naming)
        facts = {"converged": found.converged, "n_starts": found.n_starts, "n_hits": found.n_hits}
        stop = found.interrupted
        if method == "soft/symdiff":
            clustering = clustering.to_fuzzy()
    else:
        begins = (_several_starts(start, members) if start is not None else [
            rng.dirichlet(np.ones(members.k), members.n)
            for _ in range(STARTS[method] if n_starts == "auto" else n_starts)])
        runs: list[tuple[float, np.ndarray, int, bool]] = []
        with (one_thread(), progress_bar(progress, f"consensus {method}") as show,
              keep_finished("starts", len(begins), lambda: len(runs), "call it again for all of "
                            "them") as interruption):
            for begin in begins:
                m, n_iter, converged = soft_descent(members, w, method, begin, max_iter, tol)
                runs.append((float(w @ pair_distances(members, m, method)), m, n_iter, converged))
                if show is not None:
                    show(len(runs), len(begins))
        interruption.warn()
        stop, values = interruption.text, np.array([run[0] for run in runs])
        best = int(values.argmin())
        clustering = FuzzyClustering(_normal(runs[best][1]), object_names=members.naming)
        bound = soft_bound(members, w, method)
        facts = {"n_iter": runs[best][2], "converged": runs[best][3] and not stop,
                 "start_index": best, "n_starts": len(runs),
                 "n_hits": int((values <= values[best] * (1 + 1e-6)).sum())}
    m = clustering.memberships()
    objective = float(w @ pair_distances(members, m, method))
    wide = copy(members)
    wide.width = max(members.width, m.shape[1])
    columns, _ = match_all(wide, w, Euclidean(hard=False), pad(m, wide.width))
    return Consensus(clustering=clustering, method=method, n_members=members.count,
                     permutations=_called_after(columns, wide), objective=objective,
                     bound=min(bound, objective), interrupted=stop, **facts)


# -- checks -----------------------------------------------------------------------------------
def _check_partial(members: Members, present: np.ndarray, method: str) -> None:
    """Raise if partial runs have no consensus; warn if parts of it cannot be matched."""
    if method == "GV1" or method in PAIRS:
        raise ValueError(f"{method} needs complete runs: an absent object would cost nothing, as "
                         "does a class or pair without a partner; use SE")
    missed = np.flatnonzero(~present.any(axis=0))
    if missed.size:
        i = int(missed[0])
        name = members.naming[i] if isinstance(members.naming, tuple) else i
        raise ClusteringError(f"object {name!r} is in no run of positive weight ({missed.size} "
                              "such objects): drop it with .subset, or add runs")
    reached = present[0]
    while True:
        linked = present[present[:, reached].any(axis=1)].any(axis=0)
        if np.array_equal(linked, reached):
            break
        reached = linked
    if not reached.all():
        warn("the runs split into parts without a common object, "
             f"{int(reached.sum())} objects and {int((~reached).sum())} others: clusters of one "
             "part cannot be matched with those of another, so which of them share a label is "
             "arbitrary", ResamplingWarning, stacklevel=3)


def checked_weights(weights: Any, count: int) -> np.ndarray:
    if weights is None:
        return np.full(count, 1.0 / count)
    w = check_weights(weights, count, "members")
    return np.asarray(w / w.sum())


def _order(order: Any, members: Members) -> np.ndarray:
    count = members.count
    if order is None:
        places = np.arange(count)
        if members.present is not None:   # the largest run first
            largest = int(members.present.sum(axis=1).argmax())
            places = np.concatenate([[largest], np.delete(places, largest)])
        return places
    places = np.asarray(order)
    if places.shape != (count,) or sorted(places.tolist()) != list(range(count)):
        raise ValueError(f"order is {shown(order)}; each of 0, ..., {count - 1} once is needed")
    return places.astype(np.int64)


def _several_starts(start: Any, members: Members) -> list[np.ndarray]:
    several = isinstance(start, (list, tuple))
    with suppress(TypeError, ValueError):   # a list may be one matrix or one row of labels
        several = several and np.asarray(start, dtype=np.float64).ndim > 2
    return [_start(s, members) for s in (start if several else [start])]


def _start(start: Any, members: Members) -> np.ndarray:
    clustering = as_clustering(start, name="start")
    if not clustering.has_memberships:
        raise ClusteringError(f"start is {clustering.kind}; a hard or fuzzy one is needed")
    if clustering.n_objects != members.n or clustering.n_clusters > members.k:
        raise ClusteringError(
            f"start has {clustering.n_objects} objects and {clustering.n_clusters} clusters; "
            f"{members.n} objects and at most {members.k} clusters are needed")
    return pad(clustering.memberships(), members.k)
