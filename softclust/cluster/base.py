"""Base of the centroid-based estimators: checks, starts, the loop over starts, stopping.

A subclass gives `_check_parameters`, `_run` (one run from given centres), `_keep` (store the
chosen run) and `assign`. It never draws: starts come from `initialisation.starts`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from .._checks import ClusteringError, named_keywords
from .._types import ArrayLike
from ..clusterings import Clustering
from ..clusterings.object_table import validated
from ..clusterings.objects import named_after, names_in, ordered
from ..running.warnings import warn
from .checks import check_count, check_spread, check_weights, count_distinct
from .initialisation import starts
from .passes import Data


@dataclass(slots=True, kw_only=True)
class Run:
    """One run of an algorithm from one start.

    Attributes
    ----------
    centers : (c, p) float64
    objective : float
        Objective at `centers`, to which everything in `parts` belongs too.
    n_iter : int
    converged : bool
    change : float
        Largest change of a coordinate of a centre in the last step, in data units.
    history : list of float
        Objective after each iteration.
    parts : dict
        Arrays of the algorithm: memberships, masses, sets.
    """

    centers: np.ndarray
    objective: float
    n_iter: int
    converged: bool
    change: float = 0.0
    history: list[float] = field(default_factory=list)
    parts: dict[str, Any] = field(default_factory=dict)


class CentroidClusterer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin,
                        BaseEstimator):
    """Base of the estimators; see their own documentation."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            cls.__init__ = named_keywords(cls.__init__)   # type: ignore[method-assign]

    clustering_: Any
    n_clusters: int
    init: Any
    n_init: int
    tol: float   # RoughKMeans has none, and has its own warning
    max_iter: int
    random_state: Any

    cluster_centers_: np.ndarray

    def fit(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None) -> Self:
        """Fit to the objects in the rows of X.

        Parameters
        ----------
        X : array-like, shape (n, p)
            Finite numbers.
        y : ignored
        sample_weight : array-like, shape (n,), optional
            Weights >= 0 of the objects; a whole number k counts as k copies of the object.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If X is not a finite matrix.
        ClusteringError
            If a parameter or weight is not allowed, or fewer distinct objects of positive
            weight than clusters are given.
        """
        x = validated(self, X, reset=True)
        check_spread(x)
        weights = check_weights(ordered(sample_weight, names_in(X), called=("X", "sample_weight")),
                                x.shape[0])
        data = Data.of(np.ascontiguousarray(x), weights)
        check_count("n_clusters", self.n_clusters)
        check_count("n_init", self.n_init)
        check_count("max_iter", self.max_iter)
        positive = data.weights > 0
        distinct = count_distinct(data.x if positive.all() else data.x[positive], self.n_clusters)
        if distinct < self.n_clusters:
            raise ClusteringError(f"X has {distinct} distinct objects of positive weight; "
                                  f"n_clusters={self.n_clusters} needs at least as many")
        self._check_parameters(data)

        runs = [self._run(data, centers) for centers in self._starts(data)]
        best = min(range(len(runs)), key=lambda k: (*self._rank(runs[k]), k))
        self._warn(runs[best], data)
        self._keep(runs[best], data)
        self.clustering_ = named_after(self.clustering_, X)
        self.cluster_centers_ = runs[best].centers
        self.objective_ = runs[best].objective
        self.objective_history_ = np.array(runs[best].history)
        self.n_iter_ = runs[best].n_iter
        self.converged_ = runs[best].converged
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Labels of new objects from the fitted centres.

        Parameters
        ----------
        X : array-like, shape (m, p)

        Returns
        -------
        ndarray, shape (m,), int64
            In 0, ..., n_clusters - 1.
        """
        return self._labels(self._check_new(X))

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Distances of objects to the fitted centres, as in `KMeans`; see `set_output`.

        Parameters
        ----------
        X : array-like, shape (m, p)

        Returns
        -------
        ndarray, shape (m, n_clusters)
            Euclidean, in data units.
        """
        from scipy.spatial.distance import cdist
        return np.asarray(cdist(self._check_new(X), self.cluster_centers_))

    def score(self, X: ArrayLike, y: object = None, sample_weight: ArrayLike | None = None
              ) -> float:
        """Negative objective of the objects at the fitted centres, as in `KMeans`.

        It falls with the number of objects and, like the objective, is rarely of use for choosing
        the number of clusters; `cluster_number` has criteria for that.

        Parameters
        ----------
        X : array-like, shape (m, p)
        y : ignored
        sample_weight : array-like, shape (m,), optional

        Returns
        -------
        float
            In squared data units; for the training X minus `objective_`.
        """
        x = self._check_new(X)
        weights = check_weights(ordered(sample_weight, names_in(X), called=("X", "sample_weight")),
                                x.shape[0])
        return -self._objective(Data.of(x, weights))

    @property
    def _n_features_out(self) -> int:
        return int(self.cluster_centers_.shape[0])

    def assign(self, X: ArrayLike) -> Clustering:
        """The soft clustering of new objects from the fitted centres.

        Parameters
        ----------
        X : array-like, shape (m, p)

        Returns
        -------
        Clustering
            Of the same kind as `clustering_`.
        """
        raise NotImplementedError

    # -- what a subclass defines --------------------------------------------------------------
    def _check_parameters(self, data: Data) -> None:
        """Raise ClusteringError for a parameter of the algorithm that is not allowed."""
        raise NotImplementedError

    def _run(self, data: Data, centers: np.ndarray) -> Run:
        """One run from `centers` (a copy of its own)."""
        raise NotImplementedError

    def _keep(self, run: Run, data: Data) -> None:
        """Set labels_, clustering_ and the attributes of the algorithm."""
        raise NotImplementedError

    def _objective(self, data: Data) -> float:
        """The objective of checked objects at the fitted centres."""
        raise NotImplementedError

    def _labels(self, x: np.ndarray) -> np.ndarray:
        """Labels of checked new objects."""
        raise NotImplementedError

    def _rank(self, run: Run) -> tuple[float, ...]:
        """Key for ranking runs: smaller is better; ties go to the earliest start."""
        return (run.objective,)

    def _starts(self, data: Data) -> list[np.ndarray]:
        return starts(data, self.n_clusters, self.init, self.n_init, self.random_state)

    def _warn(self, run: Run, data: Data) -> None:
        if not run.converged:
            warn(
                f"{type(self).__name__} stopped after max_iter={self.max_iter} iterations while "
                f"centres still moved by {run.change:.3g}, more than the share tol={self.tol:g} "
                f"of the scale of X ({data.scale:.3g}); raise max_iter or tol",
                ConvergenceWarning, stacklevel=3)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True   # made dense
        return tags

    def _check_new(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "cluster_centers_")
        return np.ascontiguousarray(validated(self, X, reset=False))
