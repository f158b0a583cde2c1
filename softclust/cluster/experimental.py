"""Single linkage that isolates clusters by their dissimilarity increments (experimental).

Experimental clusterers may change without notice. Only abstracts of the papers were available; each
class documents what is known and what is inferred.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClusterMixin

from .._checks import ClusteringError
from .._types import ArrayLike
from ..clusterings import HardClustering
from ..clusterings.object_table import validated
from ..clusterings.objects import named_after
from ..running.warnings import warn
from .checks import check_count, check_number

#: from here on the asymptotic series of the density is exact to 1e-10
_SERIES_FROM = 50.0
#: distances held at once
_HELD = 1 << 22


class ExperimentalWarning(UserWarning):
    """Warning: a method is only partly known, so its results may change in a later version.

    `SLAGLO` and `SLDID` raise it at every fit, because details that their papers leave open are
    inferred.
    """

    __module__ = "softclust.cluster"


def increment_density(w: Any, mean: float) -> np.ndarray:
    """Density of dissimilarity increments with a given mean.

    Parameters
    ----------
    w : array-like
        Increments >= 0, in the unit of the distances.
    mean : float
        Mean increment, above 0.

    Returns
    -------
    ndarray, shape of `w`, float64
        Density per unit of distance; 0 for negative `w`.

    Raises
    ------
    ClusteringError
        If `mean` is not a finite number above 0.

    Notes
    -----
    The density of ``|R1 - R2|`` for two independent Rayleigh variables with sigma^2 = 2 mean^2 /
    (pi b^2), b = 2 - sqrt(2). With q = pi b^2 / (4 mean^2) and z = w sqrt(q / 2) it is sqrt(q)
    exp(-2 z^2) (sqrt(2) z + sqrt(pi / 2) (1 - 2 z^2) erfcx(z)). It integrates to 1 and has the
    given mean. The form used for increments is recalled from memory, not checked against the paper.

    References
    ----------
    H. Aidos, A. Fred, On the distribution of dissimilarity increments, IbPRIA 2011.

    Examples
    --------
    >>> import softclust
    >>> softclust.cluster.experimental.increment_density([0.1, 0.7, 3.0], 0.7).round(6)
    array([0.922043, 0.652261, 0.003625])
    """
    check_number("mean", mean, 0.0, strict=True)
    w = np.asarray(w, dtype=np.float64)
    return np.where(w < 0, 0.0, np.exp(_log_density(np.maximum(w, 0.0), mean)))


def _log_density(w: np.ndarray, mean: float) -> np.ndarray:
    """Logarithm of the density of increments w >= 0; finite where the density underflows."""
    from scipy.special import erfcx
    b = 2 - math.sqrt(2)
    root = math.sqrt(math.pi) * b / (2 * mean)
    z = w * (root / math.sqrt(2))
    small = np.minimum(z, _SERIES_FROM)
    body = math.sqrt(2) * small + math.sqrt(math.pi / 2) * (1 - 2 * small**2) * erfcx(small)
    # Far out the two terms cancel; their difference is this series.
    large = np.maximum(z, _SERIES_FROM)
    tail = math.sqrt(2) / large * (1 - large**-2.0 + 2.25 * large**-4.0)
    return math.log(root) - 2 * z**2 + np.log(np.where(z < _SERIES_FROM, body, tail))


class _IncrementLinkage(ClusterMixin, BaseEstimator):
    """Single linkage with a test that isolates ("freezes") clusters."""

    n_clusters: int
    min_size: int

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Build the hierarchy of the objects in the rows of X.

        Parameters
        ----------
        X : array-like, shape (n, p)
            Finite numbers.
        y : ignored

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X is not a finite matrix.
        ClusteringError
            If a parameter is not allowed.

        Warns
        -----
        ExperimentalWarning
            Always: the method is inferred in part.
        """
        x = np.ascontiguousarray(validated(self, X, reset=True))
        check_count("n_clusters", self.n_clusters)
        self._check_parameters()
        if self.n_clusters > x.shape[0]:
            raise ClusteringError(f"n_clusters is {self.n_clusters}; X has {x.shape[0]} objects, "
                                  "there cannot be more clusters")
        warn(f"{type(self).__name__} is experimental: parts of the method are inferred "
             "(see its documentation) and results may change", ExperimentalWarning,
             stacklevel=2)
        forest = _Forest(x)
        # single linkage among the clusters that are not frozen, until fewer than two are left
        active = np.arange(x.shape[0])
        while True:
            frozen: list[int] = []
            for i, j, height in _edges(x, active):
                a, b = forest.find(i), forest.find(j)
                if a == b:
                    continue
                frozen = self._isolate(forest, a, b, height)
                if frozen:
                    break
                forest.merge(a, b, height, neighbours=True)
            if not frozen:
                break
            # Clusters that were nearest through a frozen one no longer are: a new tree is needed.
            forest.frozen += frozen
            active = active[~np.isin(forest.cluster[active], frozen)]
        self.isolated_ = forest.isolated()
        for i, j, height in _edges(x, np.arange(x.shape[0])):
            a, b = forest.find(i), forest.find(j)
            if a != b:
                forest.merge(a, b, height, neighbours=False)
        self.merges_ = np.array(forest.merges).reshape(-1, 4)
        self.labels_ = _cut(self.merges_, x.shape[0], self.n_clusters)
        self.clustering_ = named_after(HardClustering(self.labels_), X)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True   # made dense
        return tags

    def _check_parameters(self) -> None:
        check_count("min_size", self.min_size)
        if self.min_size < 3:
            raise ClusteringError(f"min_size is {self.min_size}; at least 3 is needed, for an "
                                  "increment takes three objects")

    def _isolate(self, forest: _Forest, a: int, b: int, height: float) -> list[int]:
        """Clusters among a and b, about to merge, that must be frozen."""
        raise NotImplementedError


class SLAGLO(_IncrementLinkage):
    """Single linkage with isolation of clusters by a gap test (experimental).

    A cluster that has `min_size` objects is isolated when the gap to its nearest cluster is at
    least `alpha` times its mean dissimilarity increment.

    Parameters
    ----------
    n_clusters : int, default 2
        Number of clusters in `labels_`; other numbers of clusters follow from `merges_`.
    alpha : float, default 3.0
        Above 0; 3 to 5 are the values recalled for the method.
    min_size : int, default 10
        At least 3: smaller clusters are not tested.

    Attributes
    ----------
    merges_ : ndarray, shape (n - 1, 4), float64
        Merges in scipy's form: two clusters, the distance between them (single link, unit of X)
        and the number of objects; new clusters are numbered n, n + 1, ... Distances fall where
        the isolated clusters begin to be joined. `as_dendrogram` takes them.
    labels_ : ndarray, shape (n,), int64
        Clusters after the first n - `n_clusters` merges, numbered by their first object.
    isolated_ : ndarray, shape (n,), int64
        Number of the isolated cluster of each object, -1 if it is in none.
    clustering_ : HardClustering
        Of `labels_`.
    n_features_in_ : int

    Warns
    -----
    ExperimentalWarning
        At every fit.

    See Also
    --------
    SLDID

    Notes
    -----
    Known (abstracts of the papers): the increments of a cluster follow an exponential density,
    and clusters are isolated by a test on them. Recalled: the increment of an object i with
    nearest neighbour j, whose nearest neighbour other than i is k, is ``|d(i,j) - d(j,k)|``, all
    in the same cluster. Inferred: the test d - h >= alpha mu, for d the distance to the nearest
    cluster, h the height of the cluster's last merge and mu > 0 its mean increment; that no
    correction is made for small clusters; that isolated clusters leave the process until fewer
    than two are left and are then joined by single linkage. The published results are not
    reproduced: on iris this is plain single linkage for alpha >= 3.

    Euclidean distances, computed when needed: time O((1 + isolations) n^2 p), memory O(n p). The
    order of merges at equal distances depends on the order of the objects. No R package implements
    it.

    References
    ----------
    A. Fred, J. Leitao, A new cluster isolation criterion based on dissimilarity increments, IEEE
    Transactions on Pattern Analysis and Machine Intelligence 25 (2003) 944-958.

    Examples
    --------
    >>> import warnings
    >>> import softclust
    >>> x = [[0.0], [1.0], [2.5], [10.0], [11.0], [12.2]]
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", softclust.cluster.ExperimentalWarning)
    ...     fit = softclust.cluster.SLAGLO(2, min_size=3).fit(x)
    >>> fit.labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(self, n_clusters: int = 2, *, alpha: float = 3.0, min_size: int = 10) -> None:
        self.n_clusters = n_clusters
        self.alpha = alpha
        self.min_size = min_size

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number("alpha", self.alpha, 0.0, strict=True)

    def _isolate(self, forest: _Forest, a: int, b: int, height: float) -> list[int]:
        frozen = []
        for c in (a, b):
            if forest.members[c].size >= self.min_size:
                mean = forest.increments(forest.members[c]).mean()
                if mean > 0 and height - forest.heights[c] >= self.alpha * mean:
                    frozen.append(c)
        return frozen


class SLDID(_IncrementLinkage):
    """Single linkage with isolation of clusters by description length (experimental).

    Two clusters that both have `min_size` objects merge only if the dissimilarity increments of
    their union have the shorter description.

    Parameters
    ----------
    n_clusters : int, default 2
        Number of clusters in `labels_`; other numbers of clusters follow from `merges_`.
    min_size : int, default 10
        At least 3: pairs with a smaller cluster are not tested.

    Attributes
    ----------
    merges_ : ndarray, shape (n - 1, 4), float64
        Merges in scipy's form: two clusters, the distance between them (single link, unit of X)
        and the number of objects; new clusters are numbered n, n + 1, ... Distances fall where
        the isolated clusters begin to be joined. `as_dendrogram` takes them.
    labels_ : ndarray, shape (n,), int64
        Clusters after the first n - `n_clusters` merges, numbered by their first object.
    isolated_ : ndarray, shape (n,), int64
        Number of the isolated cluster of each object, -1 if it is in none.
    clustering_ : HardClustering
        Of `labels_`.
    n_features_in_ : int

    Warns
    -----
    ExperimentalWarning
        At every fit.

    See Also
    --------
    SLAGLO

    Notes
    -----
    Known (abstracts of the papers): clusters merge by a test of minimum description length with
    the density of `increment_density`. Recalled: the increments (as in `SLAGLO`) and the density.
    Inferred: clusters A, B merge if DL(A u B) <= DL(A) + DL(B), else both are isolated, where
    DL(c) = -sum log p(increment; mean increment) + log(size) / 2 in nats; that a pair merges
    untested when a mean increment is 0; that isolated clusters leave the process until fewer
    than two are left and are then joined by single linkage. The published results are not
    reproduced.

    Euclidean distances, computed when needed: time O((1 + isolations) n^2 p), memory O(n p). The
    order of merges at equal distances depends on the order of the objects. No R package implements
    it.

    References
    ----------
    H. Aidos, A. Fred, Hierarchical clustering with high order dissimilarities, MLDM 2011,
    280-293.

    Examples
    --------
    >>> import warnings
    >>> import softclust
    >>> x = [[0.0], [1.0], [2.5], [10.0], [11.0], [12.2]]
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", softclust.cluster.ExperimentalWarning)
    ...     fit = softclust.cluster.SLDID(2).fit(x)
    >>> fit.labels_
    array([0, 0, 0, 1, 1, 1])
    """

    def __init__(self, n_clusters: int = 2, *, min_size: int = 10) -> None:
        self.n_clusters = n_clusters
        self.min_size = min_size

    def _isolate(self, forest: _Forest, a: int, b: int, height: float) -> list[int]:
        parts = forest.members[a], forest.members[b]
        if min(part.size for part in parts) < self.min_size:
            return []
        apart = [forest.increments(part) for part in parts]
        together = forest.increments_together(*parts)
        if not all(values.any() for values in (*apart, together)):
            return []
        merge = _description(together) <= sum(map(_description, apart))
        return [] if merge else [a, b]


def _description(increments: np.ndarray) -> float:
    """Description length in nats of increments whose mean is above 0."""
    return (-float(_log_density(increments, float(increments.mean())).sum())
            + 0.5 * math.log(increments.size))


class _Forest:
    """Clusters so far: members, heights, merges, nearest neighbours within the cluster."""

    def __init__(self, x: np.ndarray) -> None:
        n = x.shape[0]
        self.x = x
        self.members = {i: np.array([i]) for i in range(n)}
        self.heights = dict.fromkeys(range(n), 0.0)
        self.merges: list[tuple[float, float, float, float]] = []
        self.frozen: list[int] = []
        self.cluster = np.arange(n)
        self.first, self.second = np.full((2, n), -1, dtype=np.int64)
        self.near, self.next_near = np.full((2, n), np.inf)

    def find(self, i: int) -> int:
        """The cluster of object i."""
        return int(self.cluster[i])

    def merge(self, a: int, b: int, height: float, *, neighbours: bool) -> None:
        """Join clusters a and b; with `neighbours` the increments stay up to date."""
        left, right = self.members.pop(a), self.members.pop(b)
        if neighbours:
            self._join(left, right)
        new = self.x.shape[0] + len(self.merges)
        self.members[new] = np.concatenate([left, right])
        self.cluster[self.members[new]] = new
        self.heights[new] = height
        self.merges.append((min(a, b), max(a, b), height, self.members[new].size))

    def increments(self, members: np.ndarray) -> np.ndarray:
        """Increments of the members of a cluster."""
        nearest = self.first[members]
        onwards = np.where(self.first[nearest] == members, self.next_near[nearest],
                           self.near[nearest])
        return np.asarray(np.abs(self.near[members] - onwards))

    def increments_together(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Increments if the two clusters were one."""
        both = np.concatenate([left, right])
        arrays = (self.first, self.second, self.near, self.next_near)
        saved = [array[both] for array in arrays]
        self._join(left, right)
        out = self.increments(both)
        for array, values in zip(arrays, saved):
            array[both] = values
        return out

    def isolated(self) -> np.ndarray:
        """Number of the frozen cluster of each object, or -1."""
        out = np.full(self.x.shape[0], -1, dtype=np.int64)
        for number, c in enumerate(self.frozen):
            out[self.members[c]] = number
        return out

    def _join(self, left: np.ndarray, right: np.ndarray) -> None:
        """Update the two nearest neighbours within the cluster as two clusters become one."""
        left, right = np.sort(left), np.sort(right)   # ties go to the lower index
        step = max(1, _HELD // right.size)
        for start in range(0, left.size, step):
            part = left[start:start + step]
            distances = cdist(self.x[part], self.x[right])
            self._consider(right, part, distances.T.copy())
            self._consider(part, right, distances)

    def _consider(self, objects: np.ndarray, others: np.ndarray, distances: np.ndarray) -> None:
        """Let the two nearest of `others` compete; their `distances` (m, k) are used up."""
        rows = np.arange(objects.size)
        for _ in range(min(2, others.size)):
            place = distances.argmin(axis=1)
            j, s = others[place], distances[rows, place]
            distances[rows, place] = np.inf
            first, near = self.first[objects], self.near[objects]
            second, next_near = self.second[objects], self.next_near[objects]
            wins = (s < near) | (s == near) & (j < first) | (first < 0)
            follows = (s < next_near) | (s == next_near) & (j < second) | (second < 0)
            self.second[objects] = np.where(wins, first, np.where(follows, j, second))
            self.next_near[objects] = np.where(wins, near, np.where(follows, s, next_near))
            self.first[objects] = np.where(wins, j, first)
            self.near[objects] = np.where(wins, s, near)


def _edges(x: np.ndarray, objects: np.ndarray) -> Iterator[tuple[int, int, float]]:
    """Edges of a minimum spanning tree of the objects, shortest first."""
    m = objects.size
    if m < 2:
        return
    # Prim's algorithm; among equally near objects the first joins
    points, left = x[objects], np.ones(m, dtype=bool)
    parent, distance, current = np.zeros(m, dtype=np.int64), np.full(m, np.inf), 0
    for _ in range(1, m):
        left[current] = False
        squares = ((points - points[current])**2).sum(axis=1)
        closer = left & (squares < distance)
        parent[closer], distance[closer] = current, squares[closer]
        current = int(np.where(left, distance, np.inf).argmin())
    ends = np.sort([objects[1:], objects[parent[1:]]], axis=0)
    lengths = np.sqrt(distance[1:])
    for t in np.lexsort((ends[1], ends[0], lengths)):
        yield int(ends[0, t]), int(ends[1, t]), float(lengths[t])


def _cut(merges: np.ndarray, n: int, n_clusters: int) -> np.ndarray:
    """Labels after the first n - n_clusters merges, numbered by first object."""
    root = np.arange(2 * n - 1)
    for t in range(n - n_clusters - 1, -1, -1):
        root[merges[t, :2].astype(np.int64)] = root[n + t]
    _, first, codes = np.unique(root[:n], return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.int64)
