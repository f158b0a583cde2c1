"""Rough k-means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from .. import _kernels
from .._checks import ClusteringError
from .._warnings import warn
from ..clusterings import RoughClustering
from ..clusterings.objects import named_after
from ._tiles import Tiles
from .base import CentroidClusterer, Data, Run
from .checks import check_number

VARIANTS = ("lingras-west", "peters-2006", "peters-2014")


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
        Centres to start from: those after at most ten passes of k-means from greedy k-means++
        seeds, the seeds alone, distinct objects, one of two deterministic divisions of the data,
        or the centres given.
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
        Whether an update left the sets as they were; False after `max_iter` and for cycles.

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
    minimise no objective and may cycle. When earlier sets come back, the iteration stops with a
    warning and returns the state of the cycle with the lowest Q = sum_i w_i / |T_i| sum_{k in T_i}
    ||x_i - v_k||^2.

    Large ratios put all objects into all upper approximations, and centres coincide. The article
    of 2004 compares differences of distances; the ratio is the form in use today. Time O(n c p) an
    iteration, memory O(n c). R: package SoftClustering, functions ``RoughKMeans_LW``,
    ``RoughKMeans_PE`` and ``RoughKMeans_PI``, which do not notice cycles.

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
            near_sets(Tiles.of(self._check_new(X)), self.cluster_centers_, self.ratio).upper), X)

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
        state = self._state(data, centers)
        visited, states = {state.key: 0}, [centers]
        run = Run(centers=centers, objective=state.criterion, n_iter=0, converged=False)
        while run.n_iter < self.max_iter:
            run.centers = self._next(state, run.centers)
            self._move(state, data, run.centers)
            run.objective = state.criterion
            run.history.append(run.objective)
            run.n_iter += 1
            run.change = float(state.changed)
            if run.change == 0.0:
                run.converged = True
                return run
            earlier = visited.setdefault(state.key, run.n_iter)
            if earlier < run.n_iter and np.array_equal(
                    self._state(data, states[earlier]).words, state.words):
                run.parts["cycle"] = run.n_iter - earlier
                best = earlier + int(np.argmin(run.history[earlier:]))
                states.append(run.centers)
                run.centers, run.objective = states[best + 1], run.history[best]
                return run
            states.append(run.centers)
        return run

    @property
    def _guarantees(self) -> bool:
        """Whether every cluster gets an object."""
        return (self.variant != "lingras-west" if self.guarantee_lower is None
                else bool(self.guarantee_lower))

    def _state(self, data: Data, centers: np.ndarray, *, guarantee: bool = True) -> _State:
        """The sets at `centers`, with an object for every cluster if that is wanted, and their
        sums."""
        state = _State.of(data.tiles, centers.shape[0], float(self.ratio), self.variant)
        self._move(state, data, centers, guarantee=guarantee)
        return state

    def _move(self, state: _State, data: Data, centers: np.ndarray, *,
              guarantee: bool = True) -> None:
        """As `_state`, in a state that is there."""
        state.move(centers)
        if guarantee and self._guarantees:
            state.fix(_one_each(data, centers, state))

    def _next(self, state: _State, centers: np.ndarray) -> np.ndarray:
        """The centres that follow `centers`, whose state is given."""
        c, p = centers.shape
        sums: np.ndarray = state.total.reshape(2, c, p + 1)
        total = sums[:, :, p]
        present = np.greater(total, 0.0)
        mean = sums[:, :, :p] / np.where(present, total, 1.0)[:, :, None]
        part = np.where(present[0] & present[1], self.lower_weight, present[0])[:, None]
        new = np.where(part == 1.0, mean[0],
                       np.where(part == 0.0, mean[1], part * mean[0] + (1.0 - part) * mean[1]))
        return np.where(present.any(axis=0)[:, None], new, centers)

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
        sets = near_sets(data.tiles, run.centers, self.ratio)
        objects, clusters = self._state(data, run.centers).fixed.T
        sets.upper[objects] = False
        sets.upper[objects, clusters] = True
        self.clustering_ = RoughClustering.from_upper(sets.upper)
        self.upper_ = self.clustering_.upper
        self.lower_ = self.clustering_.lower
        self.labels_ = sets.nearest

    def _objective(self, data: Data) -> float:
        centers = np.ascontiguousarray(self.cluster_centers_, dtype=np.float64)
        return self._state(data, centers, guarantee=False).criterion

    def _labels(self, x: np.ndarray) -> np.ndarray:
        return near_sets(Tiles.of(x), self.cluster_centers_, self.ratio).nearest


@dataclass(slots=True, kw_only=True)
class _State:
    """Where objects stand at some centres, and sums over them by blocks, see `rough_pass`.

    Its arrays serve for all updates: a system takes as long to make room for new ones as a
    quarter of a pass.

    Attributes
    ----------
    tiles : Tiles
    square : float
        Of the ratio.
    parts : int
    centers : (c, p) float64
    fixed : (., 2) int64
        Objects and clusters that they belong to whatever the distances.
    words, before : (., T, TILE) uint64
        Possible clusters T_i, 64 in a word, at these centres and at those before.
    sums : (blocks, 2 c, p + 1) float64
    values : (blocks, 2) float64
    near : (blocks, c) float64
    who : (blocks, c) int64
    """

    tiles: Tiles
    square: float
    parts: int
    centers: np.ndarray
    fixed: np.ndarray
    words: np.ndarray
    before: np.ndarray
    sums: np.ndarray
    values: np.ndarray
    near: np.ndarray
    who: np.ndarray

    @classmethod
    def of(cls, tiles: Tiles, c: int, ratio: float, variant: str) -> _State:
        """No object belongs anywhere yet."""
        kernels, blocks, p = _kernels.rough_sets, tiles.blocks, tiles.x.shape[1]
        words = np.zeros((-(-c // kernels.BITS), *tiles.weights.shape), dtype=np.uint64)
        parts = {"lingras-west": kernels.LOWER_BOUNDARY, "peters-2006": kernels.LOWER_UPPER,
                 "peters-2014": kernels.SHARES}[variant]
        return cls(tiles=tiles, square=ratio * ratio, parts=parts, centers=np.empty((c, p)),
                   fixed=np.empty((0, 2), dtype=np.int64),
                   words=words, before=np.zeros_like(words), sums=np.empty((blocks, 2 * c, p + 1)),
                   values=np.empty((blocks, 2)), near=np.empty((blocks, c)),
                   who=np.empty((blocks, c), dtype=np.int64))

    def move(self, centers: np.ndarray) -> None:
        """All blocks at `centers`, nothing fixed."""
        self.centers, self.words, self.before = centers, self.before, self.words
        self.fixed = np.empty((0, 2), dtype=np.int64)
        self.tiles.run(self._run, centers.shape[0])

    def fix(self, fixed: np.ndarray) -> None:
        """Give objects fixed[:, 0] to clusters fixed[:, 1] alone."""
        self.fixed = fixed
        size = _kernels.memberships.TILE * _kernels.memberships.TILES
        for block in np.unique(fixed[:, 0] // size).tolist():
            self._run(block, block + 1)

    def _run(self, start: int, stop: int) -> None:
        _kernels.rough_sets.rough_pass(
            self.tiles.x, self.tiles.weights, self.tiles.n, self.centers, self.square, self.parts,
            self.fixed, self.before, start, stop, self.words, self.sums, self.values, self.near,
            self.who)

    def belong(self, objects: np.ndarray, clusters: np.ndarray) -> np.ndarray:
        """Whether these objects belong to these clusters alone."""
        bits = _kernels.rough_sets.BITS
        words = self.words.reshape(self.words.shape[0], -1)[:, objects]
        alone = np.zeros_like(words)
        alone[clusters // bits, np.arange(clusters.size)] = np.left_shift(
            np.uint64(1), (clusters % bits).astype(np.uint64))
        return np.asarray((words == alone).all(axis=0))

    @property
    def total(self) -> np.ndarray:
        """The sums over all blocks, (2 c, p + 1)."""
        return self.sums.sum(axis=0)

    @property
    def criterion(self) -> float:
        """Q of this state."""
        return float(self.values[:, 0].sum())

    @property
    def changed(self) -> int:
        """How many objects have another set than before."""
        return int(self.values[:, 1].sum())

    @property
    def key(self) -> bytes:
        """Equal for equal sets, and hardly ever for others."""
        return self.total.tobytes()


def _one_each(data: Data, centers: np.ndarray, state: _State) -> np.ndarray:
    """Objects and clusters that must change for every cluster to have one object for certain.

    c times, the nearest pair of an unused object and an unused cluster is taken (ties: lowest
    cluster, then lowest object).
    """
    blocks = state.near.argmin(axis=0)   # the first on ties
    every = np.arange(blocks.size)
    nearest = state.who[blocks, every]
    taken: list[int] = nearest.tolist()
    if len(set(taken)) == len(taken):   # as nearly always: no two clusters want the same object
        return np.column_stack([nearest, every])[~state.belong(nearest, every)]
    near = dict(enumerate(state.near[blocks, every].tolist()))
    who = dict(enumerate(taken))
    taken = []
    clusters: list[int] = []
    while near:
        k = min(near, key=lambda k: (near[k], k))
        i = who[k]
        near.pop(k)
        taken.append(i)
        clusters.append(k)
        for other in near:
            if who[other] == i:
                who[other], near[other] = _nearest_but(data, centers[other], taken)
    pairs = np.array([taken, clusters], dtype=np.int64)
    return pairs.T[~state.belong(*pairs)]


def _nearest_but(data: Data, center: np.ndarray, taken: list[int]) -> tuple[int, float]:
    """The nearest object of positive weight that is not taken, and its squared distance."""
    d2 = np.zeros(data.x.shape[0])
    for j in range(center.size):   # in the order of the features, as the kernel does
        d2 += (data.x[:, j] - center[j]) ** 2
    d2[data.weights <= 0.0] = np.inf
    d2[taken] = np.inf
    best = int(d2.argmin())
    return best, float(d2[best])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sets:
    """Where objects stand.

    Attributes
    ----------
    upper : (n, c) bool
        Possible clusters T_i.
    nearest : (n,) int64
        Nearest centre, the lowest index on ties.
    """

    upper: np.ndarray
    nearest: np.ndarray


def near_sets(tiles: Tiles, centers: Any, ratio: float) -> _Sets:
    """Possible clusters of the objects: centres within `ratio` times the least distance."""
    centers = np.ascontiguousarray(centers, dtype=np.float64)
    n, c = tiles.n, centers.shape[0]
    sets = _Sets(upper=np.empty((n, c), dtype=np.bool_), nearest=np.empty(n, dtype=np.int64))
    tiles.run(lambda start, stop: _kernels.rough_sets.near_centers(
        tiles.x, n, centers, float(ratio) * float(ratio), start, stop, sets.upper, sets.nearest), c)
    return sets
