"""Estimators that a report fits: the numbers of others, by shorter ways."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ..cluster import PossibilisticCMeans
from ..cluster.batched_kmeans import batched_kmeans


class OneFuzzyStart(PossibilisticCMeans):
    """Keeps its fuzzy fit, which no eta factor changes; only for fits of the same data."""

    _fuzzy: Any = None

    def _starts(self, data: Any) -> list[np.ndarray]:
        if self._fuzzy is None:
            return super()._starts(data)
        self.eta_ = super()._fuzzy_eta(data, self._fuzzy)
        return [self._fuzzy.centers]

    def _fuzzy_eta(self, data: Any, run: Any) -> np.ndarray:
        self._fuzzy = run
        return super()._fuzzy_eta(data, run)


class CompiledKMeans(BaseEstimator):
    """k-means with plain starts, compiled: for the criteria on many objects."""

    def __init__(self, n_clusters: int = 2, n_init: int = 10, random_state: int = 0) -> None:
        self.n_clusters, self.n_init, self.random_state = n_clusters, n_init, random_state

    def fit(self, X: Any, y: Any = None) -> CompiledKMeans:
        """Labels of the best start."""
        rng = np.random.default_rng(self.random_state)
        found = batched_kmeans(X, uniforms=rng.random((1, self.n_init, self.n_clusters)))
        assert found.labels is not None
        self.labels_ = found.labels[0]
        return self
