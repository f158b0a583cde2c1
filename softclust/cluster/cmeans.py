"""Fuzzy and possibilistic c-means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.exceptions import ConvergenceWarning

from .._checks import ClusteringError, check_choice
from .._types import RNG, ArrayLike, CentersRule, Matrix
from ..clusterings import FuzzyClustering, PossibilisticClustering
from ..clusterings.objects import named_after
from ..results.text import position
from ..running.warnings import warn
from . import passes
from .base import CentroidClusterer, Run
from .checks import check_number
from .passes import Data

#: eta is at least this share of the squared scale
_ETA_FLOOR = 1e-16
#: centres nearer than this share of the scale are called coincident
_COINCIDENT = 1e-2


class FuzzyCMeans(CentroidClusterer):
    r"""Fuzzy c-means clustering, with memberships that sum to 1 over the clusters.

    Parameters
    ----------
    n_clusters : int, default 8
        Number c >= 1 of clusters.
    m : float, default 2.0
        Fuzziness > 1; near 1 the result is k-means, large m gives memberships near 1/c.
    variant : {"bezdek", "campagner-2023"}, default "bezdek"
        Fuzzy c-means, or another rule that is printed under its name; see Notes.
    init : {"k-means", "k-means++", "random", "var-part", "pca-part"} or array, shape (c, p)
        Centres to start from; see `RoughKMeans`. For large m start from k-means centres: an object
        chosen as a centre stays its only full member for ever.
    n_init : int, default 10
        Number of starts; the lowest objective wins, the earliest on ties. An array and the
        deterministic starts make one.
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
        In data units. Memberships and objective belong to these centres.
    membership_ : ndarray, shape (n, c)
        Memberships in [0, 1], rows summing to 1.
    clustering_ : FuzzyClustering
        `membership_` as a clustering.
    labels_ : ndarray, shape (n,)
        Cluster of largest membership, the lowest on ties.
    objective_ : float
        J, in squared data units.
    objective_history_ : ndarray, shape (n_iter_,)
        J after each update of the centres, for the new ones; it never rises ("bezdek").
    n_iter_ : int
        Number of updates of the centres.
    converged_ : bool
        False if `max_iter` was reached first.

    Raises
    ------
    ClusteringError
        From `fit`: parameters or weights out of range, fewer distinct objects than clusters.

    Warns
    -----
    ConvergenceWarning
        After `max_iter` updates without convergence.

    See Also
    --------
    PossibilisticCMeans, RoughKMeans, EvidentialCMeans

    Notes
    -----
    .. math:: J = \sum_{ik} w_i u_{ik}^m d_{ik}^2, \quad
              u_{ik} = \frac{1}{\sum_l (d_{ik}^2 / d_{il}^2)^{1/(m-1)}}, \quad
              v_k = \frac{\sum_i w_i u_{ik}^m x_i}{\sum_i w_i u_{ik}^m}

    with weights w_i, memberships u_ik, centres v_k, and d_ik the distance of object i to centre k,
    whose square is computed from differences.

    An object on several centres belongs to them evenly and to no other. A cluster whose weights
    u^m all vanish keeps its centre. Time O(n c p) per iteration, memory 2 n p + n c numbers. R:
    ``e1071::cmeans(X, centers, m = m, weights = w, iter.max = , control = list(reltol =
    1e-15))``; its ``withinerror`` is J / sum(w), its default reltol stops about 1e-4 short, and
    an object on two coincident centres gets a row of zeros there.

    "campagner-2023" is the rule in the public code of Campagner, Ciucci and Denoeux, who call it
    FCM (their table 2):

    .. math:: g_{ik} = (d_{ik} / \sum_l d_{il} + .001)^{-m}, \quad
              u_{ik} = \frac{g_{ik}}{\sum_l g_{il}}, \quad
              v_k = \frac{\sum_i w_i g_{ik}^m x_i}{\sum_i w_i g_{ik}^m}

    A larger m makes memberships harder, and centres that start at objects (``init="random"``)
    hardly move. J is not what it minimises.

    References
    ----------
    Bezdek (1981), Pattern Recognition with Fuzzy Objective Function Algorithms, Plenum.

    Campagner, Ciucci, Denoeux (2023), A general framework for evaluating and comparing soft
    clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> X = [[0.0], [1.0], [5.0], [6.0]]
    >>> fit = softclust.cluster.FuzzyCMeans(2, init=[[0.0], [6.0]]).fit(X)
    >>> fit.labels_
    array([0, 0, 1, 1])
    >>> fit.membership_.round(2)
    array([[0.99, 0.01],
           [0.99, 0.01],
           [0.01, 0.99],
           [0.01, 0.99]])
    >>> fit.assign([[3.0]]).membership
    array([[0.5, 0.5]])
    """

    clustering_: FuzzyClustering

    def __init__(self, n_clusters: int = 8, *, m: float = 2.0,
                 variant: Literal["bezdek", "campagner-2023"] = "bezdek",
                 init: CentersRule | Matrix = "k-means", n_init: int = 10, tol: float = 1e-6,
                 max_iter: int = 300, random_state: RNG = None) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.variant = variant
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def assign(self, X: ArrayLike) -> FuzzyClustering:
        """The fuzzy clustering of new objects from the fitted centres.

        Parameters
        ----------
        X : array-like, shape (n_new, p)

        Returns
        -------
        FuzzyClustering
            For the training X the same as `clustering_`.
        """
        return named_after(FuzzyClustering(self._memberships(self._check_new(X))), X)

    def _check_parameters(self, data: Data) -> None:
        check_number("m", self.m, 1.0, strict=True)
        check_number("tol", self.tol, 0.0)
        check_choice("variant", self.variant, ["bezdek", "campagner-2023"])

    def _pass(self, data: Data, centers: np.ndarray) -> passes.Pass:
        one = passes.fuzzy_pass if self.variant == "bezdek" else passes.relative_pass
        return one(data, centers, float(self.m))

    def _run(self, data: Data, centers: np.ndarray) -> Run:
        return _alternate(lambda v: self._pass(data, v), centers, data.scale, tol=self.tol,
                          max_iter=self.max_iter)

    def _keep(self, run: Run, data: Data) -> None:
        self.membership_ = self._memberships(data.x, run.centers)
        self.clustering_ = FuzzyClustering(self.membership_)
        self.labels_ = self.membership_.argmax(axis=1)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Memberships of new objects as in `assign`, (m, n_clusters); rows sum to 1."""
        return self._memberships(self._check_new(X))

    def _objective(self, data: Data) -> float:
        return self._pass(data, self.cluster_centers_).objective

    def _labels(self, x: np.ndarray) -> np.ndarray:
        return self._memberships(x).argmax(axis=1)

    def _memberships(self, x: np.ndarray, centers: np.ndarray | None = None) -> np.ndarray:
        rule = passes.memberships if self.variant == "bezdek" else passes.relative_memberships
        return rule(x, self.cluster_centers_ if centers is None else centers, float(self.m))


class PossibilisticCMeans(CentroidClusterer):
    r"""Possibilistic c-means clustering, with typicalities of each cluster on its own.

    Parameters
    ----------
    n_clusters : int, default 8
        Number c >= 1 of clusters.
    m : float, default 2.0
        Fuzziness > 1 of the typicalities and of the preceding fuzzy fit.
    eta : array-like, shape (c,), optional
        Squared distances > 0 at which the typicality is 1/2, in squared data units and in the
        order of the fuzzy clusters. By default from the fuzzy fit.
    eta_factor : float, default 1.0
        Factor > 0 on eta from the fuzzy fit; ignored if `eta` is given.
    init : {"k-means", "k-means++", "random", "var-part", "pca-part"} or array, shape (c, p)
        Start of the fuzzy fit, whose centres are the start here.
    n_init : int, default 10
        Number of starts of the fuzzy fit.
    tol : float, default 1e-6
        As for `FuzzyCMeans`, in both fits.
    max_iter : int, default 300
        Largest number of updates of the centres in each fit.
    random_state : None, int, Generator or RandomState
        Seed or generator of the starts.

    Attributes
    ----------
    cluster_centers_ : ndarray, shape (c, p)
        In data units. Typicalities and objective belong to these centres.
    typicality_ : ndarray, shape (n, c)
        Typicalities in [0, 1]; rows need not sum to 1.
    clustering_ : PossibilisticClustering
        `typicality_` as a clustering, usually with mass on the empty set.
    labels_ : ndarray, shape (n,)
        Cluster of largest typicality, the lowest on ties.
    eta_ : ndarray, shape (c,)
        In squared data units.
    min_center_distance_ : float
        Smallest distance between two centres, in data units; inf for one cluster.
    objective_ : float
        J, in squared data units.
    objective_history_ : ndarray, shape (n_iter_,)
        J after each update of the centres, for the new ones; it never rises.
    n_iter_ : int
        Updates of the centres after the fuzzy fit.
    converged_ : bool
        False if `max_iter` was reached first.

    Raises
    ------
    ClusteringError
        From `fit`: parameters or weights out of range, fewer distinct objects than clusters.

    Warns
    -----
    ConvergenceWarning
        If this fit or the preceding fuzzy fit has not converged after `max_iter` updates.
    UserWarning
        If two centres coincide (nearer than 1e-2 times the scale), which is common because clusters
        do not repel each other: a smaller `eta_factor` keeps them apart. If an eta is (nearly) 0,
        as for a cluster of equal objects, and is raised to 1e-16 times the squared scale.

    See Also
    --------
    FuzzyCMeans, EvidentialCMeans

    Notes
    -----
    .. math:: J = \sum_{ik} w_i t_{ik}^m d_{ik}^2 + \sum_k \eta_k \sum_i w_i (1 - t_{ik})^m, \quad
              t_{ik} = \frac{1}{1 + (d_{ik}^2 / \eta_k)^{1/(m-1)}}, \quad
              v_k = \frac{\sum_i w_i t_{ik}^m x_i}{\sum_i w_i t_{ik}^m}, \quad
              \eta_k = \gamma \frac{\sum_i w_i u_{ik}^m d_{ik}^2}{\sum_i w_i u_{ik}^m}

    with weights w_i, typicalities t_ik, centres v_k, distances d_ik, and gamma the `eta_factor`; in
    eta the memberships u_ik and the distances are those of a fuzzy fit with the same m.

    eta stays fixed. Time O(n c p) per iteration, memory 2 n p + n c numbers. When all objects of
    positive weight are equal, eta is 0: typicality 1 there and 0 elsewhere. R: ``ppclust::pcm`` has
    the same eta and updates.

    References
    ----------
    Krishnapuram, Keller (1993), A possibilistic approach to clustering, IEEE Transactions on
    Fuzzy Systems 1, 98-110.

    Examples
    --------
    >>> import softclust
    >>> X = [[0.0], [1.0], [5.0], [6.0]]
    >>> fit = softclust.cluster.PossibilisticCMeans(2, eta=[1.0, 1.0], init=[[0.0], [6.0]]).fit(X)
    >>> fit.typicality_.round(2)
    array([[0.76, 0.03],
           [0.84, 0.05],
           [0.05, 0.84],
           [0.03, 0.76]])
    >>> fit.assign([[30.0]]).typicality.round(2)
    array([[0., 0.]])
    """

    clustering_: PossibilisticClustering

    def __init__(self, n_clusters: int = 8, *, m: float = 2.0, eta: ArrayLike | None = None,
                 eta_factor: float = 1.0, init: CentersRule | Matrix = "k-means", n_init: int = 10,
                 tol: float = 1e-6, max_iter: int = 300, random_state: RNG = None) -> None:
        self.n_clusters = n_clusters
        self.m = m
        self.eta = eta
        self.eta_factor = eta_factor
        self.init = init
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def assign(self, X: ArrayLike) -> PossibilisticClustering:
        """The possibilistic clustering of new objects from the fitted centres and eta.

        Parameters
        ----------
        X : array-like, shape (n_new, p)

        Returns
        -------
        PossibilisticClustering
            For the training X the same as `clustering_`.
        """
        return named_after(PossibilisticClustering(self._typicalities(self._check_new(X))), X)

    def _check_parameters(self, data: Data) -> None:
        check_number("m", self.m, 1.0, strict=True)
        check_number("tol", self.tol, 0.0)
        check_number("eta_factor", self.eta_factor, 0.0, strict=True)
        if self.eta is not None:
            _given_eta(self.eta, self.n_clusters)

    def _starts(self, data: Data) -> list[np.ndarray]:
        """The centres of the fuzzy fit; sets `eta_`."""
        inner = FuzzyCMeans(self.n_clusters, m=self.m, init=self.init, n_init=self.n_init,
                            tol=self.tol, max_iter=self.max_iter, random_state=self.random_state)
        runs = [inner._run(data, centers) for centers in inner._starts(data)]
        best = min(runs, key=lambda run: run.objective)
        if not best.converged:
            warn(
                f"the fuzzy c-means fit before possibilistic c-means stopped after max_iter="
                f"{self.max_iter} iterations while centres still moved by {best.change:.3g}; "
                "raise max_iter or tol", ConvergenceWarning, stacklevel=3)
        if self.eta is not None:
            self.eta_ = _given_eta(self.eta, self.n_clusters)
            return [best.centers]

        last = best.parts["last"]
        spread = np.divide(last.costs, last.totals, out=np.zeros_like(last.totals),
                           where=last.totals > 0)
        eta = float(self.eta_factor) * spread
        floor = _ETA_FLOOR * data.scale**2
        low = np.flatnonzero(eta < floor)
        if low.size:
            warn(
                f"eta of cluster {', '.join(str(position(k)) for k in low)} is at most "
                f"{eta[low].max():.3g}, as for objects in one point; it is raised to {floor:.3g}, "
                "1e-16 of the squared scale of X. Take fewer clusters, give eta yourself, or look "
                "for an object far from all others", UserWarning, stacklevel=3)
        self.eta_ = np.maximum(eta, floor)
        return [best.centers]

    def _run(self, data: Data, centers: np.ndarray) -> Run:
        m, eta = float(self.m), self.eta_
        return _alternate(lambda v: passes.possibilistic_pass(data, v, eta, m), centers,
                          data.scale, tol=self.tol, max_iter=self.max_iter)

    def _keep(self, run: Run, data: Data) -> None:
        self.typicality_ = passes.typicalities(data.x, run.centers, self.eta_, float(self.m))
        self.clustering_ = PossibilisticClustering(self.typicality_)
        self.labels_ = self.typicality_.argmax(axis=1)
        self.min_center_distance_ = distance = float(pdist(run.centers).min(initial=np.inf))
        if distance < _COINCIDENT * data.scale:
            remedy = (f"a smaller eta_factor (now {self.eta_factor:g})" if self.eta is None
                      else "a smaller eta")
            warn(
                f"two centres of PossibilisticCMeans are {distance:.3g} apart, less than "
                f"{_COINCIDENT:g} of the scale of X ({data.scale:.3g}): clusters coincide, as they "
                f"may because they do not repel each other; {remedy} keeps them apart",
                UserWarning, stacklevel=3)

    def _objective(self, data: Data) -> float:
        return passes.possibilistic_pass(data, self.cluster_centers_, self.eta_,
                                         float(self.m)).objective

    def _labels(self, x: np.ndarray) -> np.ndarray:
        return self._typicalities(x).argmax(axis=1)

    def _typicalities(self, x: np.ndarray) -> np.ndarray:
        return passes.typicalities(x, self.cluster_centers_, self.eta_, float(self.m))


def _alternate(one_pass: Callable[[np.ndarray], passes.Pass], centers: np.ndarray, scale: float,
               *, tol: float, max_iter: int) -> Run:
    """Move the centres until they rest; one more pass gives the objective of the last ones."""
    last = one_pass(centers)
    history: list[float] = []
    converged, change, n_iter = False, 0.0, 0
    while n_iter < max_iter and not converged:
        moved = centers + last.steps
        change = float(np.abs(moved - centers).max())
        centers = moved
        n_iter += 1
        last = one_pass(centers)
        history.append(last.objective)
        converged = change <= tol * scale or scale == 0.0
    return Run(centers=centers, objective=last.objective, n_iter=n_iter, converged=converged,
               change=change, history=history, parts={"last": last})


def _given_eta(eta: Any, n_clusters: int) -> np.ndarray:
    try:
        values = np.array(eta, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("eta cannot be read as numbers") from None
    if values.shape != (n_clusters,):
        raise ClusteringError(f"eta has shape {values.shape}; ({n_clusters},) is needed, one "
                              "squared distance per cluster")
    if not (np.isfinite(values) & (values > 0)).all():
        k = int(np.flatnonzero(~(np.isfinite(values) & (values > 0)))[0])
        raise ClusteringError(f"eta[{k}] is {values[k]}; finite numbers > 0 are needed")
    return values
