"""Rough k-means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from .._checks import ClusteringError
from .._types import RNG, ArrayLike, CentersRule, Matrix
from ..clusterings import RoughClustering
from ..clusterings.objects import named_after
from ..running.warnings import warn
from .base import CentroidClusterer, Run
from .checks import check_number
from .passes import Data, count_blocks, run_blocks

VARIANTS = ("lingras-west", "peters-2006", "peters-2014")
#: squared distances below this count as equal to it
FLOOR = 1e-99


class RoughKMeans(CentroidClusterer):
    """Rough k-means clustering: each object belongs to one of the clusters with a near centre.

    Parameters
    ----------
    n_clusters : int, default 8
        Number c >= 1 of clusters.
    variant : {"peters-2014", "peters-2006", "lingras-west"}, default "peters-2014"
        Rule for the centre of a cluster from its certain (lower) and possible (upper) objects; see
        Notes.
    ratio : float, default 1.1
        Cluster k is possible for an object when the distance to its centre is at most `ratio`
        times the distance to the nearest centre; >= 1, where 1 is k-means.
    lower_weight : float, default 0.7
        Weight in [0, 1] of the lower approximation in a centre; not used by "peters-2014".
    guarantee_lower : bool, optional
        Whether each cluster gets one certain object, the nearest one not yet taken, so that none is
        empty. By default True, but False for "lingras-west". `assign` never does this.
    init : {"k-means", "k-means++", "random", "var-part", "pca-part"} or array-like, shape (c, p)
        Centres to start from: those after at most ten passes of k-means from greedy k-means++
        seeds, only the seeds, distinct objects, one of two deterministic divisions of the data,
        or the centres given.
    n_init : int, default 10
        Number of starts. Converged runs come first, then the lowest criterion, the earliest on
        ties.
    max_iter : int, default 100
        Largest number of updates of the centres.
    random_state : None, int, Generator or RandomState
        Seed or generator of the starts.

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (c, p)
        In data units. Everything below belongs to these centres.
    lower_, upper_ : ndarray of bool, shape (n, c)
        Certain and possible clusters of the objects.
    clustering_ : RoughClustering
        `lower_` and `upper_` as a clustering.
    labels_ : ndarray, shape (n,)
        Nearest centre, the lowest index on ties.
    objective_ : float
        Criterion Q, in squared data units. It is used to choose among starts; the algorithm does
        not minimise it.
    objective_history_ : ndarray, shape (n_iter_,)
        Q after each update of the centres; it may rise.
    n_iter_ : int
        Number of updates of the centres, even if an earlier state is returned.
    converged_ : bool
        Whether an update left the sets as they were; False after `max_iter` and for cycles.

    Warns
    -----
    ConvergenceWarning
        From `fit`, if the updates cycle or stop at `max_iter`.

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
    minimise no objective and may cycle. When earlier sets recur, the iteration stops with a
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
    >>> import softclust
    >>> X = [[0.0], [0.2], [0.4], [2.1], [3.6], [3.8], [4.0]]
    >>> fit = softclust.cluster.RoughKMeans(2, ratio=1.2, init=[[0.0], [4.0]]).fit(X)
    >>> fit.upper_.astype(int).T
    array([[1, 1, 1, 1, 0, 0, 0],
           [0, 0, 0, 1, 1, 1, 1]])
    """

    clustering_: RoughClustering

    def __init__(self, n_clusters: int = 8, *,
                 variant: Literal["peters-2014", "peters-2006", "lingras-west"] = "peters-2014",
                 ratio: float = 1.1, lower_weight: float = 0.7, guarantee_lower: bool | None = None,
                 init: CentersRule | Matrix = "k-means", n_init: int = 10, max_iter: int = 100,
                 random_state: RNG = None) -> None:
        self.n_clusters = n_clusters
        self.variant = variant
        self.ratio = ratio
        self.lower_weight = lower_weight
        self.guarantee_lower = guarantee_lower
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def assign(self, X: ArrayLike) -> RoughClustering:
        """The rough clustering of new objects from the fitted centres.

        Parameters
        ----------
        X : array-like, shape (m, p)

        Returns
        -------
        RoughClustering
            `guarantee_lower` has no effect here.
        """
        d2 = _squared_distances(self._check_new(X), self.cluster_centers_)
        return named_after(RoughClustering.from_upper(_near(d2, self.ratio).T), X)

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
            before = state
            # means of the two parts of a cluster, or of the one that has objects
            total = state.sums[:, :, -1]
            present = np.greater(total, 0.0)
            mean = state.sums[:, :, :-1] / np.where(present, total, 1.0)[:, :, None]
            part = np.where(present[0] & present[1], self.lower_weight, present[0])[:, None]
            new = np.where(part == 1.0, mean[0], np.where(
                part == 0.0, mean[1], part * mean[0] + (1.0 - part) * mean[1]))
            run.centers = np.where(present.any(axis=0)[:, None], data.origin + new, run.centers)
            state = self._state(data, run.centers)
            run.objective = state.criterion
            run.history.append(run.objective)
            run.n_iter += 1
            run.change = float((state.upper != before.upper).any(axis=0).sum())
            if run.change == 0.0:
                run.converged = True
                return run
            earlier = visited.setdefault(state.key, run.n_iter)
            if earlier < run.n_iter and np.array_equal(
                    self._state(data, states[earlier]).upper, state.upper):
                run.parts["cycle"] = run.n_iter - earlier
                best = earlier + int(np.argmin(run.history[earlier:]))
                states.append(run.centers)
                run.centers, run.objective = states[best + 1], run.history[best]
                return run
            states.append(run.centers)
        return run

    @property
    def _guarantees(self) -> bool:
        """True if every cluster is guaranteed an object."""
        return (self.variant != "lingras-west" if self.guarantee_lower is None
                else bool(self.guarantee_lower))

    def _state(self, data: Data, centers: np.ndarray, *, guarantee: bool = True) -> _State:
        """The sets at `centers`, with an object for every cluster if requested, and their sums."""
        d2 = _squared_distances(data.x, centers)
        upper = _near(d2, self.ratio)
        if guarantee and self._guarantees:
            objects, clusters = _one_each(d2, data.weights)
            upper[:, objects] = False
            upper[clusters, objects] = True
        n, (c, p) = data.x.shape[0], centers.shape
        sums = np.zeros((count_blocks(n, c), 2, c, p + 1))
        criterion = np.zeros(sums.shape[0])

        def work(block: int, part: slice) -> None:
            sets, weights = upper[:, part], data.weights[part]
            size = sets.sum(axis=0)
            shares = sets * (weights / size)
            criterion[block] = np.einsum("ki,ki->", shares, d2[:, part])
            if self.variant == "peters-2014":
                parts = [shares]
            else:
                lower = sets & (size == 1)
                other = sets & (size > 1) if self.variant == "lingras-west" else sets
                parts = [lower * weights, other * weights]
            for a, out in zip(parts, sums[block]):
                np.einsum("ki,ji->kj", a, data.columns[:, part], out=out[:, :p])
                out[:, p] = a.sum(axis=1)

        run_blocks(work, n, c)
        return _State(upper=upper, d2=d2, sums=sums.sum(axis=0), criterion=float(criterion.sum()))

    def _rank(self, run: Run) -> tuple[float, ...]:
        return (float(not run.converged), run.objective)

    def _warn(self, run: Run, data: Data) -> None:
        if "cycle" in run.parts:
            warn(
                f"RoughKMeans cycles: the sets recur every {run.parts['cycle']} "
                "updates. The state of the cycle with the lowest criterion is returned "
                "(converged_=False); another ratio, variant or start may converge",
                ConvergenceWarning, stacklevel=3)
        elif not run.converged:
            warn(
                f"RoughKMeans stopped after max_iter={self.max_iter} iterations while the sets of "
                f"{run.change:.0f} objects still changed; raise max_iter",
                ConvergenceWarning, stacklevel=3)

    def _keep(self, run: Run, data: Data) -> None:
        state = self._state(data, run.centers)
        self.clustering_ = RoughClustering.from_upper(state.upper.T)
        self.upper_ = self.clustering_.upper
        self.lower_ = self.clustering_.lower
        self.labels_ = state.d2.argmin(axis=0)

    def _objective(self, data: Data) -> float:
        centers = np.ascontiguousarray(self.cluster_centers_, dtype=np.float64)
        return self._state(data, centers, guarantee=False).criterion

    def _labels(self, x: np.ndarray) -> np.ndarray:
        return _squared_distances(x, self.cluster_centers_).argmin(axis=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """State of the objects at some centres, and sums over them.

    Attributes
    ----------
    upper : (c, n) bool
        Possible clusters T_i.
    d2 : (c, n) float64
        Squared distances.
    sums : (2, c, p + 1) float64
        Of w (x - origin) and w over the two parts of each cluster whose means make its centre;
        for "peters-2014" w / |T_i| instead of w, and the first part only.
    criterion : float
        Q.
    """

    upper: np.ndarray
    d2: np.ndarray
    sums: np.ndarray
    criterion: float

    @property
    def key(self) -> int:
        """Key that is equal for equal sets, and hardly ever for others."""
        return hash(np.packbits(self.upper).tobytes())


def _squared_distances(x: np.ndarray, centers: Any) -> np.ndarray:
    """Squared distances (c, n)."""
    d2 = np.empty((len(centers), x.shape[0]))

    def work(_block: int, part: slice) -> None:
        d2[:, part] = cdist(centers, x[part], "sqeuclidean")

    run_blocks(work, x.shape[0], d2.shape[0])
    return d2


def _near(d2: np.ndarray, ratio: float) -> np.ndarray:
    """Possible clusters (c, n): centres within `ratio` times the least distance."""
    return np.asarray(d2 <= float(ratio) ** 2 * np.maximum(d2.min(axis=0), FLOOR))


def _one_each(d2: np.ndarray, weights: np.ndarray) -> tuple[list[int], list[int]]:
    """An object of positive weight for every cluster.

    c times, the nearest pair of an unused object and an unused cluster is taken (ties: lowest
    cluster, then lowest object).
    """
    if not weights.all():
        d2 = np.where(weights > 0.0, d2, np.inf)
    who = dict(enumerate(d2.argmin(axis=1).tolist()))
    objects: list[int] = []
    clusters: list[int] = []
    while who:
        k = min(who, key=lambda k: (d2[k, who[k]], k))
        objects.append(who.pop(k))
        clusters.append(k)
        for other, i in who.items():
            if i == objects[-1]:
                row = d2[other].copy()
                row[objects] = np.inf
                who[other] = int(row.argmin())
    return objects, clusters
