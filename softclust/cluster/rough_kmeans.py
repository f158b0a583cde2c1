"""Rough k-means."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .. import _kernels
from .._checks import ClusteringError
from .._parallel import run_chunks
from .._warnings import warn
from ..clusterings import RoughClustering
from ..clusterings.objects import named_after
from .base import CentroidClusterer, Data, Run
from .checks import check_number

VARIANTS = ("lingras-west", "peters-2006", "peters-2014")
#: multiply-adds that a thread does in one piece: some ms, because pieces come back every update
CHUNK = 5 * 10**6


class RoughKMeans(CentroidClusterer):
    """Rough k-means: each object belongs to one of the clusters whose centres are near.

    Parameters
    ----------
    n_clusters : int, default 8
        Number c >= 1 of clusters.
    variant : {"peters-2014", "peters-2006", "lingras-west"}, default "peters-2014"
        How the centre of a cluster is made from its certain (lower) and possible (upper) objects;
        see Notes.
    ratio : float, default 1.1
        Cluster k is possible for an object when the distance to its centre is at most `ratio`
        times the distance to the nearest centre; >= 1, where 1 is k-means.
    lower_weight : float, default 0.7
        Weight in [0, 1] of the lower approximation in a centre; "peters-2014" has no use for it.
    guarantee_lower : bool, optional
        Whether each cluster gets one object, the nearest not taken yet, for certain, so that
        none is empty. By default True, False for "lingras-west". `assign` never does it.
    init : {"k-means", "k-means++", "random", "var-part", "pca-part"} or array-like, shape (c, p)
        Centres to start from: those of one k-means run, its k-means++ seeds, distinct objects,
        one of two deterministic divisions of the data, or the centres given.
    n_init : int, default 10
        Number of starts. Converged runs come first, then the lowest criterion, the earliest on
        ties.
    max_iter : int, default 100
        Largest number of updates of the centres.
    random_state : None, int, Generator or RandomState

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (c, p)
        In data units. Everything below belongs to these centres.
    lower_, upper_ : ndarray of bool, shape (n, c)
        Certain and possible clusters of the objects.
    clustering_ : RoughClustering
    labels_ : ndarray, shape (n,)
        Nearest centre, the lowest index on ties.
    objective_ : float
        Criterion Q, in squared data units. It serves to choose among starts; the algorithm does
        not minimise it.
    objective_history_ : ndarray, shape (n_iter_,)
        Q after each update of the centres; it may rise.
    n_iter_ : int
        Updates of the centres, also when an earlier state is returned.
    converged_ : bool
        Whether the sets repeated at once; False after `max_iter` and for cycles.

    Warns
    -----
    ConvergenceWarning
        From `fit`: if the updates run in a circle or stop at `max_iter`.

    See Also
    --------
    FuzzyCMeans, EvidentialCMeans

    Notes
    -----
    With T_i the possible clusters of object i, lower_k = {i : T_i = {k}}, upper_k = {i : k in T_i}
    and boundary_k = upper_k without lower_k, the centre of cluster k is

    - "lingras-west": lower_weight mean(lower_k) + (1 - lower_weight) mean(boundary_k),
    - "peters-2006": lower_weight mean(lower_k) + (1 - lower_weight) mean(upper_k),
    - "peters-2014": the mean of upper_k with weights w_i / |T_i| (principle of indifference);

    an empty part is left out, and the centre of a cluster without objects stays. The updates
    minimise no objective and may run in a circle. When sets come back the iteration stops with
    a warning and returns the state of the circle with the lowest
    Q = sum_i w_i / |T_i| sum_{k in T_i} ||x_i - v_k||^2.

    Large ratios put all objects into all upper approximations, and centres coincide. The
    article of 2004 compares differences of distances; the ratio is the form in use today.
    Time O(n c p) an iteration, memory O(n c). R: package SoftClustering, functions
    ``RoughKMeans_LW``, ``RoughKMeans_PE`` and ``RoughKMeans_PI``, which do not notice circles.

    References
    ----------
    P. Lingras, C. West, "Interval set clustering of web users with rough k-means", Journal of
    Intelligent Information Systems 23 (2004) 5-16.
    G. Peters, "Some refinements of rough k-means clustering", Pattern Recognition 39 (2006)
    1481-1491.
    G. Peters, "Rough clustering utilizing the principle of indifference", Information Sciences
    277 (2014) 358-374.

    Examples
    --------
    >>> import softclust as sc
    >>> X = [[0.0], [0.2], [0.4], [2.1], [3.6], [3.8], [4.0]]
    >>> fit = sc.cluster.RoughKMeans(2, ratio=1.2, init=[[0.0], [4.0]]).fit(X)
    >>> fit.upper_.astype(int).T
    array([[1, 1, 1, 1, 0, 0, 0],
           [0, 0, 0, 1, 1, 1, 1]])
    """

    def __init__(self, n_clusters: int = 8, *, variant: str = "peters-2014", ratio: float = 1.1,
                 lower_weight: float = 0.7, guarantee_lower: bool | None = None,
                 init: Any = "k-means", n_init: int = 10, max_iter: int = 100,
                 random_state: Any = None) -> None:
        self.n_clusters = n_clusters
        self.variant = variant
        self.ratio = ratio
        self.lower_weight = lower_weight
        self.guarantee_lower = guarantee_lower
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def assign(self, X: Any) -> RoughClustering:
        """The rough clustering of new objects from the fitted centres.

        Parameters
        ----------
        X : array-like, shape (m, p)

        Returns
        -------
        RoughClustering
            Without the effect of `guarantee_lower`.
        """
        return named_after(RoughClustering.from_upper(
            near_sets(self._check_new(X), self.cluster_centers_, self.ratio).upper), X)

    def _check_parameters(self, data: Data) -> None:
        if self.variant not in VARIANTS:
            raise ClusteringError(f"variant={self.variant!r} is not known; choose one of "
                                  + ", ".join(map(repr, VARIANTS)))
        check_number("ratio", self.ratio, 1.0, high=1e100)
        check_number("lower_weight", self.lower_weight, 0.0, high=1.0)
        if self.guarantee_lower not in (None, True, False):
            raise ClusteringError(f"guarantee_lower is {self.guarantee_lower!r}; True, False or "
                                  "None (the variant's own rule) is needed")

    def _run(self, data: Data, centers: np.ndarray) -> Run:
        sets = self._sets(data, centers)
        criterion, new = self._update(data, sets, centers)
        visited, states = {_hash(sets.upper): 0}, [centers]
        run = Run(centers=centers, objective=criterion, n_iter=0, converged=False)
        while run.n_iter < self.max_iter:
            run.centers, previous = new, sets
            sets = self._sets(data, run.centers)
            run.objective, new = self._update(data, sets, run.centers)
            run.history.append(run.objective)
            run.n_iter += 1
            run.change = float((sets.upper != previous.upper).any(axis=1).sum())
            if run.change == 0.0:
                run.converged = True
                return run
            earlier = visited.setdefault(_hash(sets.upper), run.n_iter)
            if earlier < run.n_iter and np.array_equal(
                    self._sets(data, states[earlier]).upper, sets.upper):
                run.parts["cycle"] = run.n_iter - earlier
                best = earlier + int(np.argmin(run.history[earlier:]))
                states.append(run.centers)
                run.centers, run.objective = states[best + 1], run.history[best]
                return run
            states.append(run.centers)
        return run

    def _sets(self, data: Data, centers: np.ndarray) -> _Sets:
        """The sets at `centers`, with an object for every cluster if that is wanted."""
        sets = near_sets(data.x, centers, self.ratio)
        wanted = self.guarantee_lower
        if wanted is None:
            wanted = self.variant != "lingras-west"
        if wanted:
            _give_each_one(sets, data.weights > 0.0)
        return sets

    def _update(self, data: Data, sets: _Sets, centers: np.ndarray) -> tuple[float, np.ndarray]:
        """The criterion of a state, and the next centres."""
        n, p = data.x.shape
        c = centers.shape[0]
        blocks = _n_blocks(n)
        weighted = np.empty((blocks, 2, c, p))
        totals = np.empty((blocks, 2, c))
        criterion = np.empty(blocks)
        kernels = _kernels.rough_sets
        parts = {"lingras-west": kernels.LOWER_BOUNDARY, "peters-2006": kernels.LOWER_UPPER,
                 "peters-2014": kernels.SHARES}[self.variant]

        def work(first: int, last: int) -> None:
            kernels.sums(data.x, data.weights, sets.d2, sets.upper, parts, first, last, weighted,
                         totals, criterion)

        _run_blocks(work, n, c, p)
        total = totals.sum(axis=0)
        present = total > 0.0
        mean = weighted.sum(axis=0) / np.where(present, total, 1.0)[:, :, None]
        part = np.where(present[0] & present[1], self.lower_weight, present[0])[:, None]
        new = np.where(part == 1.0, mean[0],
                       np.where(part == 0.0, mean[1], part * mean[0] + (1.0 - part) * mean[1]))
        return float(criterion.sum()), np.where(present.any(axis=0)[:, None], new, centers)

    def _rank(self, run: Run) -> tuple[float, ...]:
        return (float(not run.converged), run.objective)

    def _warn(self, run: Run, data: Data) -> None:
        if "cycle" in run.parts:
            warn(
                f"RoughKMeans runs in a circle: the sets come back every {run.parts['cycle']} "
                f"updates. The state of the circle with the lowest criterion is returned "
                "(converged_=False); another ratio, variant or start may converge",
                ConvergenceWarning, stacklevel=3)
        elif not run.converged:
            warn(
                f"RoughKMeans stopped after max_iter={self.max_iter} iterations while the sets of "
                f"{run.change:.0f} objects still changed; raise max_iter",
                ConvergenceWarning, stacklevel=3)

    def _keep(self, run: Run, data: Data) -> None:
        sets = self._sets(data, run.centers)
        self.clustering_ = RoughClustering.from_upper(sets.upper)
        self.upper_ = self.clustering_.upper
        self.lower_ = self.clustering_.lower
        self.labels_ = sets.nearest

    def _objective(self, data: Data) -> float:
        sets = near_sets(data.x, self.cluster_centers_, self.ratio)
        return self._update(data, sets, np.asarray(self.cluster_centers_))[0]

    def _labels(self, x: np.ndarray) -> np.ndarray:
        return near_sets(x, self.cluster_centers_, self.ratio).nearest


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sets:
    """Where objects stand.

    Attributes
    ----------
    d2 : (n, c) float64
        Squared distances to the centres.
    upper : (n, c) bool
        Possible clusters T_i.
    nearest : (n,) int64
        Nearest centre, the lowest index on ties.
    """

    d2: np.ndarray
    upper: np.ndarray
    nearest: np.ndarray


def near_sets(x: np.ndarray, centers: Any, ratio: float) -> _Sets:
    """Possible clusters of the rows of x: centres within `ratio` times the least distance."""
    centers = np.ascontiguousarray(centers, dtype=np.float64)
    n, c = x.shape[0], centers.shape[0]
    sets = _Sets(d2=np.empty((n, c)), upper=np.empty((n, c), dtype=np.bool_),
                 nearest=np.empty(n, dtype=np.int64))

    tile = _kernels.rough_sets.TILE

    def work(first: int, last: int) -> None:
        _kernels.rough_sets.near_centers(
            x, centers, float(ratio), first, last, sets.d2, sets.upper, sets.nearest,
            np.empty((x.shape[1], tile)), np.empty((c, tile)))

    _run_blocks(work, n, c, x.shape[1])
    return sets


def _give_each_one(sets: _Sets, allowed: np.ndarray) -> None:
    """Change `sets.upper`: c times, the nearest pair of an unused object and an unused cluster
    is made certain (ties: lowest cluster, then lowest object)."""
    d2 = np.where(allowed[:, None], sets.d2, np.inf)
    best = {k: int(d2[:, k].argmin()) for k in range(d2.shape[1])}
    while best:
        k = min(best, key=lambda k: (d2[best[k], k], k))
        i = best.pop(k)
        sets.upper[i] = False
        sets.upper[i, k] = True
        d2[i] = np.inf
        for other, j in best.items():
            if j == i:
                best[other] = int(d2[:, other].argmin())


def _hash(upper: np.ndarray) -> bytes:
    return hashlib.blake2b(np.packbits(upper), digest_size=16).digest()


def _n_blocks(n: int) -> int:
    return -(-n // _kernels.rough_sets.BLOCK)


def _run_blocks(work: Any, n: int, c: int, p: int) -> None:
    run_chunks(work, _n_blocks(n), max(1, CHUNK // (_kernels.rough_sets.BLOCK * c * (p + 4))))
