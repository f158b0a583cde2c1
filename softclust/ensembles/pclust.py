"""Clusters of clusterings, each around a consensus of its members."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._checks import ClusteringError, check_choice, check_weights, check_whole, frozen, shown
from .._types import RNG, ArrayLike, EnsembleLike, PclustMethod
from ..clusterings import Ensemble, FuzzyClustering, HardClustering
from ..results.records import Columns, Record, of_positions
from ..results.summary import SummaryTable, right
from ..running.interrupts import keep_finished
from ..running.random_numbers import as_generator, spawn
from ..running.threads import Progress, progress_bar
from ..running.warnings import quiet
from ._pair_consensus import pair_distances
from .consensus import METHODS, PAIRS, consensus
from .consensus_fits import Members, pad

_METHODS = tuple(name for name, way in METHODS.items() if way is not None or name in PAIRS)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PartitionClusters(Record):
    """Clusters of the members of an ensemble; made by `pclust`.

    Attributes
    ----------
    prototypes : Ensemble
        k clusterings, the consensus of each cluster of members.
    clustering : HardClustering or FuzzyClustering
        Of the B members into k clusters.
    distances : (B, k) float64
        Distance, to the power of the method, of each member from each prototype.
    objective : float
        sum w u^m d^e.
    method : str
    m : float
    n_iter : int
        Iterations of the start that is returned.
    converged : bool
    n_starts, n_hits : int
        Number of starts, and of those that reached the objective.
    interrupted : str
        Empty, or the progress before Ctrl-C.

    Notes
    -----
    ``to_frame()``: one row per member. Columns member, cluster, distance (from its prototype).

    Examples
    --------
    >>> import softclust
    >>> runs = [[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 1]]
    >>> softclust.pclust(runs, 2, rng=0).to_frame()["distance"].tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0]
    >>> print(softclust.pclust(runs, 2, rng=0).summary())
    Clusters of 5 clusterings (SE, m = 1)
    ===============================
    cluster  members  mean distance
    -------------------------------
    0              3         0.0000
    1              2         0.0000
    ===============================
    Objective 0, reached by 5 of 5 starts; a better one may exist.
    """

    prototypes: Ensemble
    clustering: HardClustering | FuzzyClustering
    distances: np.ndarray
    objective: float
    method: str
    m: float
    n_iter: int
    converged: bool
    n_starts: int
    n_hits: int = 1
    interrupted: str = ""

    def __repr__(self) -> str:
        return (f"PartitionClusters({self.clustering.n_objects} members, "
                f"{self.clustering.n_clusters} clusters, method={self.method!r})")

    @property
    @of_positions
    def labels(self) -> np.ndarray:
        """Cluster of each member, the nearest prototype, (B,) int64."""
        return self.distances.argmin(axis=1)

    @property
    def membership(self) -> np.ndarray:
        """Memberships of the members, (B, k) float64."""
        return self.clustering.memberships()

    def _frame(self) -> Columns:
        names = self.clustering.object_names or range(self.clustering.n_objects)
        return Columns({"member": list(names), "cluster": self.labels,
                        "distance": self.distances.min(axis=1)})

    def _table(self) -> SummaryTable:
        own, clusters = self.distances.min(axis=1), range(self.distances.shape[1])
        return SummaryTable.of(
            {"cluster": [str(j) for j in clusters],
             "members": np.bincount(self.labels, minlength=len(clusters)),
             "mean distance": right((own[self.labels == j].mean() if (self.labels == j).any()
                                     else np.nan for j in clusters), ".4f")},
            title=f"Clusters of {self.clustering.n_objects} clusterings ({self.method}, "
                  f"m = {self.m:g})",
            notes=[*([f"{self.interrupted}."] if self.interrupted else []),
                   f"Objective {self.objective:.6g}, reached by {self.n_hits} of {self.n_starts} "
                   "starts; a better one may exist."])


def pclust(ensemble: EnsembleLike, k: int, *, method: PclustMethod = "SE", m: float = 1.0,
           n_clusters: int | None = None, weights: ArrayLike | None = None, n_starts: int = 5,
           max_iter: int = 100, rng: RNG = None, progress: Progress | bool | None = False
           ) -> PartitionClusters:
    r"""Partition the members of an ensemble around k prototypes, their consensus clusterings.

    Parameters
    ----------
    ensemble : Ensemble, or anything that `Ensemble` takes
        B hard or fuzzy clusterings of the same n objects.
    k : int
        Number of clusters of members, at most B.
    method : str, optional
        Of the consensus, as in `consensus`, which says what the distance is: "SE", "HE", "SM",
        "HM", "GV1", "GV3", "soft/symdiff", "hard/symdiff".
    m : float, optional
        Exponent of the memberships: 1 for hard clusters of members, above 1 for soft ones.
    n_clusters : int, optional
        Number of clusters of the prototypes, as in `consensus`.
    weights : array-like, shape (B,), optional
        Weights >= 0 of the members; 1 by default.
    n_starts : int, optional
        Number of starts, each from k members as prototypes; the best one is returned.
    max_iter : int, optional
        Maximum number of iterations per start.
    rng : None, int or numpy Generator, optional
    progress : bool or callable, optional
        True shows a progress bar over starts; a function is called with (done, total).

    Returns
    -------
    PartitionClusters

    Raises
    ------
    ClusteringError
        If there are fewer than k members, or as in `consensus`.
    ValueError
        If an option is out of range, or members lack objects.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the search; the best of the finished starts is returned.

    See Also
    --------
    consensus, medoid, compare_all

    Notes
    -----
    .. math:: \min_{u, p} \sum_b w_b \sum_j u_{bj}^m \, d(y_b, p_j)^e, \quad \sum_j u_{bj} = 1

    Two steps alternate: memberships u from the distances (for m = 1 the nearest prototype, else u
    proportional to d^{e/(1 - m)}, shared equally among prototypes at distance 0), and a consensus
    for each cluster with weights w u^m. A cluster without members keeps its prototype. Time of k
    consensus searches per iteration. R: ``clue::cl_pclust``, with one start.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).
    A. D. Gordon, M. Vichi (2001), Fuzzy partition models for fitting a set of partitions,
    Psychometrika 66, 229-248.

    Examples
    --------
    >>> import softclust
    >>> runs = [[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 1]]
    >>> softclust.pclust(runs, 2, rng=0).labels
    array([0, 0, 1, 1, 0])
    """
    check_choice("method", method, _METHODS)
    runs = ensemble if isinstance(ensemble, Ensemble) else Ensemble(ensemble)
    if not runs.is_complete:
        raise ValueError("pclust needs complete runs: each must label every object")
    members, k = Members(runs, n_clusters), check_whole("k", k)
    if k > members.count:
        raise ClusteringError(f"k is {k}; {members.count} members form at most "
                              f"{members.count} clusters")
    if isinstance(m, bool) or not isinstance(m, (int, float)) or not 1.0 <= m < np.inf:
        raise ValueError(f"m is {shown(m)}; a number >= 1 is needed")
    w = np.ones(members.count) if weights is None else check_weights(
        weights, members.count, "members")
    n_starts, max_iter = check_whole("n_starts", n_starts), check_whole("max_iter", max_iter)
    starts: list[tuple[float, list[np.ndarray], np.ndarray, int, bool]] = []
    with (progress_bar(progress, "pclust") as show,
          keep_finished("starts", n_starts, lambda: len(starts), "call it again for all of them"
                        ) as stop):
        for child in spawn(as_generator(rng), n_starts):
            starts.append(_one_start(runs, members, k, method, float(m), w, n_clusters, max_iter,
                                     child))
            if show is not None:
                show(len(starts), n_starts)
    stop.warn()
    objectives = np.array([start[0] for start in starts])
    objective, prototypes, distances, n_iter, converged = starts[int(objectives.argmin())]
    hard = method[0] == "H" or method == "hard/symdiff"
    fitted = [HardClustering(p.argmax(axis=1), n_clusters=p.shape[1], object_names=runs.naming)
              if hard else FuzzyClustering(p, object_names=runs.naming) for p in prototypes]
    u = _memberships(distances, float(m))
    return PartitionClusters(
        prototypes=Ensemble(fitted), method=method, m=float(m), objective=objective,
        clustering=(HardClustering(u.argmax(axis=1), n_clusters=k, object_names=runs.names)
                    if m == 1.0 else FuzzyClustering(u, object_names=runs.names)),
        distances=frozen(distances), n_iter=n_iter, converged=converged, n_starts=len(starts),
        n_hits=int((objectives <= objective * (1.0 + 1e-8)).sum()), interrupted=stop.text)


def _one_start(runs: Ensemble, members: Members, k: int, method: PclustMethod, m: float,
               w: np.ndarray, n_clusters: int | None, max_iter: int, rng: np.random.Generator
               ) -> tuple[float, list[np.ndarray], np.ndarray, int, bool]:
    """Objective, memberships of the prototypes, distances, iterations, whether it settled."""
    prototypes = [members.matrix(int(b)) for b in rng.choice(members.count, k, replace=False)]
    seed, last = int(rng.integers(2**63)), np.inf
    for iteration in range(1, max_iter + 1):
        distances = np.column_stack([_distances(members, p, method) for p in prototypes])
        own = w[:, None] * _memberships(distances, m) ** m
        objective = float((own * distances).sum())
        if objective >= last * (1.0 - 1e-8) or iteration == max_iter:
            return objective, prototypes, distances, iteration, iteration < max_iter
        last = objective
        for j in np.flatnonzero(own.any(axis=0)).tolist():
            used = np.flatnonzero(own[:, j] > 0)
            with quiet():
                fit = consensus([runs[int(b)] for b in used], method=method, rng=seed,
                                n_clusters=n_clusters or (
                                    None if method == "hard/symdiff" else members.k),
                                weights=own[used, j])
            prototypes[j] = fit.membership
    raise AssertionError


def _distances(members: Members, prototype: np.ndarray, method: str) -> np.ndarray:
    if (way := METHODS[method]) is None:
        return pair_distances(members, prototype, method)
    padded = pad(prototype, max(members.width, prototype.shape[1]))
    return np.array([way.match(padded, members.matrix(b), members.widths[b])[1]
                     for b in range(members.count)])


def _memberships(distances: np.ndarray, m: float) -> np.ndarray:
    """Memberships u that minimise sum_j u_j^m d_j in each row."""
    least = distances.min(axis=1, keepdims=True)
    if m == 1.0:
        return np.eye(distances.shape[1])[distances.argmin(axis=1)]
    near = distances <= 1e-15
    scaled = np.divide(distances, least, out=np.ones_like(distances), where=least > 1e-15)
    u = np.where(near.any(axis=1, keepdims=True), near, scaled ** (-1.0 / (m - 1.0)))
    return np.asarray(u / u.sum(axis=1, keepdims=True))
