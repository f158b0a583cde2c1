"""Evidential c-means."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning

from .._checks import ClusteringError, frozen
from .._types import RNG, ArrayLike, CentersRule, Matrix
from ..clusterings import EvidentialClustering
from ..clusterings.arrays import boolean_matrix
from ..clusterings.focal import MAX_CLUSTERS, check_focal_sets
from ..clusterings.objects import named_after
from ..results.text import position
from ..running.warnings import warn
from .base import CentroidClusterer, Run
from .checks import check_number
from .passes import Data, count_blocks, run_blocks

#: all 2**c sets are allowed up to this number of clusters
MAX_FULL_CLUSTERS = 12
#: singular values below this share of the largest mean that the centres are not determined
SINGULAR = 1e-12
#: plausibilities within this distance of the largest are ties
TIE_TOLERANCE = 1e-12


class EvidentialCMeans(CentroidClusterer):
    r"""Evidential c-means clustering: masses on sets of clusters, or on the empty set (outliers).

    Parameters
    ----------
    n_clusters : int, default 8
        Number c >= 1 of clusters.
    alpha : float, default 1.0
        Exponent >= 0 of the size of a set: larger means less mass on sets of several clusters.
    beta : float, default 2.0
        Exponent > 1 of the masses: larger means more even masses, near 1 almost all mass is on
        one set.
    delta : float, default 10.0
        Distance > 0 beyond which an object is more an outlier (mass on the empty set) than a
        member, in the units of X: when X is rescaled, rescale delta too. The default, from evclust
        in R, means "no outliers" on data of unit scale.
    focal : {"full", "simple", "pairs"} or array-like, shape (f, c), default "full"
        Sets that may have mass. "full": all 2**c sets, column b of the masses for the clusters
        j with bit j of b set, c <= 12. "simple": the empty set, single clusters, all clusters.
        "pairs": the empty set, single clusters, pairs in lexicographic order, all clusters. Or
        0/1 rows, the empty set first and every single cluster among them.
    init : {"k-means", "k-means++", "random", "var-part", "pca-part"} or array-like, shape (c, p)
        Centres to start from; see `RoughKMeans`.
    n_init : int, default 10
        Number of starts; the lowest objective wins, the earliest on ties.
    tol : float, default 1e-6
        The iteration stops when no coordinate of a centre moves by more than `tol` times the
        scale of the data, the square root of the mean variance of the features.
    max_iter : int, default 300
        Largest number of updates of the centres.
    random_state : None, int, Generator or RandomState
        Seed or generator of the starts.

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (c, p)
        In data units. Everything below belongs to these centres.
    mass_ : ndarray, shape (n, f)
        Masses of the objects over `focal_sets_`, rows summing to 1.
    focal_sets_ : ndarray of bool, shape (f, c)
        Sets of clusters, one per row; the empty set is first.
    clustering_ : EvidentialClustering
        `mass_` over `focal_sets_`.
    labels_ : ndarray, shape (n,)
        Cluster of largest plausibility, the lowest index on ties; also for objects with all
        mass on the empty set, whose plausibilities are compared before rounding to 0.
    objective_ : float
        J, in squared data units.
    objective_history_ : ndarray, shape (n_iter_,)
        J after each update; it never rises.
    n_iter_ : int
        Number of updates of the centres.
    converged_ : bool
        False if `max_iter` was reached first.

    Warns
    -----
    ConvergenceWarning
        From `fit`, if it stops at `max_iter` or the centres are not determined.

    See Also
    --------
    FuzzyCMeans, RoughKMeans

    Notes
    -----
    .. math:: J = \sum_{i, A \ne \emptyset} w_i |A|^\alpha m_{iA}^\beta \| x_i - \overline{v_A} \|^2
              + \delta^2 \sum_i w_i m_{i \emptyset}^\beta

    with weights w_i, masses m_iA, and vbar_A the mean of the centres of the clusters in A.

    It is minimised alternately over masses and centres: m_iA is proportional to
    cost_iA^(-1/(beta-1)), cost_iA = |A|^alpha ||x_i - vbar_A||^2 or delta^2, and the centres solve
    a linear system with c unknowns per feature. An object on a barycentre shares its mass evenly
    among the sets whose barycentres lie there. The linear system loses its unique solution only
    when a single cluster has no mass anywhere; then the smallest change of the centres is taken,
    with a warning. With large alpha and delta the masses are those of fuzzy c-means with m = beta.

    Time O(n f (p + c)) per iteration, memory O(n f). R: ``evclust::ecm``, which stops early (on a
    change of J by 1e-3) and returns the masses of the previous centres.

    References
    ----------
    M.-H. Masson, T. Denoeux, "ECM: An evidential version of the fuzzy c-means algorithm",
    Pattern Recognition 41 (2008) 1384-1397.

    Examples
    --------
    >>> import softclust
    >>> X = [[0.0], [0.2], [0.4], [2.0], [3.6], [3.8], [4.0], [30.0]]
    >>> fit = softclust.cluster.EvidentialCMeans(2, delta=5.0, init=[[0.0], [4.0]]).fit(X)
    >>> fit.mass_[[0, 3, 7]].round(2)    # on none, on the first, the second, on both
    array([[0.  , 0.99, 0.  , 0.01],
           [0.  , 0.  , 0.  , 1.  ],
           [0.93, 0.03, 0.03, 0.01]])
    """

    clustering_: EvidentialClustering

    def __init__(self, n_clusters: int = 8, *, alpha: float = 1.0, beta: float = 2.0,
                 delta: float = 10.0, focal: Literal["full", "simple", "pairs"] | Matrix = "full",
                 init: CentersRule | Matrix = "k-means", n_init: int = 10, tol: float = 1e-6,
                 max_iter: int = 300, random_state: RNG = None) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.beta = beta
        self.delta = delta
        self.focal = focal
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def assign(self, X: ArrayLike) -> EvidentialClustering:
        """The credal partition of new objects from the fitted centres.

        Parameters
        ----------
        X : array-like, shape (m, p)

        Returns
        -------
        EvidentialClustering
            Over `focal_sets_`.
        """
        return named_after(self._clustering(self._check_new(X), self.cluster_centers_), X)

    def _check_parameters(self, data: Data) -> None:
        check_number("alpha", self.alpha, 0.0)
        check_number("beta", self.beta, 1.0, strict=True)
        check_number("delta", self.delta, 0.0, strict=True, high=1e150)
        check_number("tol", self.tol, 0.0)
        largest = 600.0 / math.log(self.n_clusters) if self.n_clusters > 1 else math.inf
        if self.alpha > largest:
            raise ClusteringError(
                f"alpha is {self.alpha:g}; with {self.n_clusters} clusters at most {largest:.4g} "
                "can be computed (the size of a set to the power alpha)")
        self.focal_sets_ = focal_sets(self.focal, self.n_clusters)

    def _run(self, data: Data, centers: np.ndarray) -> Run:
        system = _System(data, self)
        run = Run(centers=centers, objective=system.evaluate(centers), n_iter=0, converged=False)
        run.parts["singular"] = False
        while not run.converged and run.n_iter < self.max_iter:
            new, regular = system.solve(run.centers)
            run.change = float(np.abs(new - run.centers).max())
            run.centers = new
            run.objective = system.evaluate(new)
            run.history.append(run.objective)
            run.n_iter += 1
            run.parts["singular"] |= not regular
            run.converged = run.change <= self.tol * data.scale or data.scale == 0.0
        return run

    def _warn(self, run: Run, data: Data) -> None:
        super()._warn(run, data)
        if run.parts["singular"]:
            warn(
                "EvidentialCMeans: some single cluster had no mass, so the centres were not "
                "determined and the smallest change was taken; raise alpha or beta, or use fewer "
                "clusters or focal sets", ConvergenceWarning, stacklevel=3)

    def _keep(self, run: Run, data: Data) -> None:
        self.clustering_ = self._clustering(data.x, run.centers)
        self.mass_ = self.clustering_.mass
        self.labels_ = self._nearest(data.x, run.centers)

    def _objective(self, data: Data) -> float:
        return _System(data, self).evaluate(self.cluster_centers_)

    def _labels(self, x: np.ndarray) -> np.ndarray:
        return self._nearest(x, self.cluster_centers_)

    def _nearest(self, x: np.ndarray, centers: np.ndarray) -> np.ndarray:
        """Cluster of largest plausibility. An infinite cost of the empty set leaves the order
        of the plausibilities as it is, and keeps those of outliers from vanishing."""
        members = self.focal_sets_.astype(np.float64)
        costs = self._costs(centers, math.inf)
        labels = np.empty(x.shape[0], dtype=np.int64)

        def work(_block: int, part: slice) -> None:
            _, q, _, total = costs.roots(x[part])
            high = np.einsum("al,ai->li", members, q)
            labels[part] = (high >= high.max(axis=0) - TIE_TOLERANCE * total).argmax(axis=0)

        run_blocks(work, x.shape[0], members.shape[0])
        return labels

    def _clustering(self, x: np.ndarray, centers: np.ndarray) -> EvidentialClustering:
        """The credal partition of the objects x."""
        costs = self._costs(centers, float(self.delta) ** 2)
        mass = np.empty((x.shape[0], self.focal_sets_.shape[0]))

        def work(_block: int, part: slice) -> None:
            _, q, _, total = costs.roots(x[part])
            mass[part] = (q / total).T

        run_blocks(work, *mass.shape)
        return EvidentialClustering(mass, self.focal_sets_)

    def _costs(self, centers: Any, empty_cost: float) -> _Costs:
        return _Costs(points=barycentres(self.focal_sets_, np.asarray(centers, dtype=np.float64)),
                      factors=set_sizes(self.focal_sets_) ** self.alpha, empty_cost=empty_cost,
                      power=1.0 / (self.beta - 1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Costs:
    """Costs of the focal sets for the objects.

    Attributes
    ----------
    points : (f, p) float64
        Barycentres; that of the empty set, which comes first, is not used.
    factors : (f,) float64
        |A|^alpha.
    empty_cost : float
        delta^2.
    power : float
        1 / (beta - 1).
    """

    points: np.ndarray
    factors: np.ndarray
    empty_cost: float
    power: float

    def roots(self, x: np.ndarray) -> tuple[np.ndarray, ...]:
        """r, q (f, B), least costs and the sums S of q (B,) of a block of objects.

        With cost_A = |A|^alpha ||x - vbar_A||^2, cost_0 = delta^2, r = min cost / cost and q =
        r^(1/(beta - 1)) the masses are m = q / S. Two identities avoid all other powers and hold
        down to underflow, however close beta is to 1:

            m^beta = q r / S^beta,        sum_A cost_A m_A^beta = (min cost) S / S^beta.

        An object on a barycentre is split evenly over the sets that lie there.
        """
        r = cdist(self.points, x, "sqeuclidean")
        r *= self.factors[:, None]
        r[0] = self.empty_cost
        lowest = r.min(axis=0)
        zero = None if lowest.all() else r == 0.0
        with np.errstate(invalid="ignore"):
            np.divide(lowest, r, out=r)
        if zero is not None:
            r[zero] = 1.0
        q = r ** self.power
        return r, q, lowest, q.sum(axis=0)


class _System:
    """The linear system whose solution are the next centres, and the objective.

    `evaluate` reads the objects; `solve` works with its sums.
    """

    def __init__(self, data: Data, fit: EvidentialCMeans) -> None:
        self.data, self.fit, self.sets = data, fit, fit.focal_sets_
        self.alpha, self.beta = fit.alpha, float(fit.beta)
        self.sizes = set_sizes(self.sets)
        self.set_sums = np.zeros(self.sets.shape[0])
        self.center_sums = np.zeros((self.sets.shape[1], data.x.shape[1]))

    def evaluate(self, centers: np.ndarray) -> float:
        """The objective at `centers` with the masses that belong to them; keeps the sums:
        of w m_A^beta by sets, and of w |A|^(alpha - 1) m_A^beta (x - origin) over the sets A of
        each cluster."""
        data, (n, f) = self.data, (self.data.x.shape[0], self.sets.shape[0])
        costs = self.fit._costs(centers, float(self.fit.delta) ** 2)
        shares = self.sets * (self.sizes ** (self.alpha - 1.0))[:, None]
        blocks = count_blocks(n, f)
        set_sums = np.empty((blocks, f))
        center_sums = np.empty((blocks, *centers.shape))
        objective = np.empty(blocks)

        def work(block: int, part: slice) -> None:
            r, q, lowest, total = costs.roots(data.x[part])
            scale = data.weights[part] * (1.0 / total) ** self.beta
            objective[block] = (scale * lowest * total).sum()
            r *= q
            r *= scale
            r[0] = 0.0
            set_sums[block] = r.sum(axis=1)
            np.einsum("li,ji->lj", np.einsum("al,ai->li", shares, r), data.columns[:, part],
                      out=center_sums[block])

        run_blocks(work, n, f)
        self.set_sums, self.center_sums = set_sums.sum(axis=0), center_sums.sum(axis=0)
        return float(objective.sum())

    def solve(self, centers: np.ndarray) -> tuple[np.ndarray, bool]:
        """The centres that minimise the objective for the masses of `evaluate`, and whether
        they are unique; if not, those nearest to `centers`."""
        weights = np.zeros(self.sizes.size)
        weights[1:] = self.sizes[1:] ** (self.alpha - 2.0) * self.set_sums[1:]
        members = self.sets.astype(np.float64)
        matrix = np.einsum("al,aq->lq", members * weights[:, None], members)
        # The unknown is the change, divided by the diagonal's root: rows of one size.
        root = np.sqrt(matrix.diagonal())
        root = np.where(root > 0.0, root, 1.0)
        scaled = matrix / root[:, None] / root
        right = (self.center_sums
                 - np.einsum("lq,qj->lj", matrix, centers - self.data.origin)) / root[:, None]
        change, _, rank, _ = np.linalg.lstsq(scaled, right, rcond=SINGULAR)
        return centers + change / root[:, None], bool(rank == root.size)


def focal_sets(focal: Any, n_clusters: int) -> np.ndarray:
    """The focal sets named or given by `focal`, (f, c) bool, the empty set first.

    Raises
    ------
    ClusteringError
        If the name is not known, there are too many clusters, or a matrix lacks the empty set
        as its first row or a single cluster.
    """
    c = n_clusters
    if c > MAX_CLUSTERS:
        raise ClusteringError(f"n_clusters={c}; evidential clusterings have at most "
                              f"{MAX_CLUSTERS} clusters")
    if not isinstance(focal, str):
        sets = boolean_matrix(focal, "focal")
        if sets.shape[1] != c:
            raise ClusteringError(f"focal has {sets.shape[1]} columns for n_clusters={c}; one "
                                  "column per cluster is needed")
        if sets[0].any():
            raise ClusteringError("the first row of focal is not the empty set; it is needed "
                                  "there, for outliers: put a row of zeros first")
        check_focal_sets(sets, sets.shape[0])
        missing = np.flatnonzero(~sets[sets.sum(axis=1) == 1].any(axis=0))
        if missing.size:
            raise ClusteringError(f"focal lacks the set of cluster {position(int(missing[0]))} "
                                  "alone; every single cluster is needed, or centres are not "
                                  "determined")
        return frozen(sets)
    if focal not in ("full", "simple", "pairs"):
        raise ClusteringError(f"focal={focal!r} is not known; choose one of 'full', 'simple', "
                              "'pairs', or give focal sets (0/1 array)")
    if focal == "full":
        if c > MAX_FULL_CLUSTERS:
            raise ClusteringError(f"focal='full' with n_clusters={c} means 2**{c} focal sets; up "
                                  f"to {MAX_FULL_CLUSTERS} clusters are allowed: choose 'pairs' "
                                  "or 'simple'")
        sets = (np.arange(1 << c)[:, None] >> np.arange(c)) & 1 == 1
    else:
        rows = [(), *((k,) for k in range(c))]
        if focal == "pairs":
            rows += combinations(range(c), 2)
        if c > (2 if focal == "pairs" else 1):
            rows.append(tuple(range(c)))
        sets = np.array([[k in row for k in range(c)] for row in rows])
    return frozen(sets)


def set_sizes(sets: np.ndarray) -> np.ndarray:
    """Numbers of clusters, (f,) float64; 1 for the empty set, which no formula divides by."""
    return np.maximum(sets.sum(axis=1), 1).astype(np.float64)


def barycentres(sets: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """Means of the centres of each set's clusters, (f, p); 0 for the empty set."""
    total = np.einsum("al,lj->aj", sets.astype(np.float64), centers)
    return total / set_sizes(sets)[:, None]
