"""Complete labels of replicates: what `MultipleMatchClustering` runs on threads and workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _kernels
from .._checks import ClusteringError
from ..cluster.batched_kmeans import batched_kmeans
from ..clusterings import FuzzyClustering, HardClustering
from ._kmeans_votes import in_blocks
from ._replicate_fit import fitted_labels, prepared
from ._replicates import Streams
from ._voting import draw_uniforms


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelBlock:
    """Labels (B, n) int32, -1 where an object does not vote, and centres (B, c, d)."""

    labels: np.ndarray
    centers: np.ndarray


@dataclass(frozen=True, slots=True, kw_only=True)
class KMeansLabels:
    """Work on a range of attempts: draw, k-means, nearest centre for the objects left out.

    Attributes
    ----------
    x : (n, d) float64
    streams : Streams
        Child b gives n draws, n_init c numbers for starts, n for ties, c for the match.
    indices : (B, n) int64, or None
        Ready draws.
    n_clusters, n_init, max_iter : int
    predict : bool
        Whether objects that were not drawn vote.
    """

    x: np.ndarray
    streams: Streams
    indices: np.ndarray | None
    n_clusters: int
    n_init: int
    max_iter: int
    predict: bool

    @property
    def n_before(self) -> int:
        """Numbers of a child that come before those for ties."""
        return self.x.shape[0] + self.n_init * self.n_clusters

    def __call__(self, start: int, stop: int) -> LabelBlock:
        n = self.x.shape[0]
        numbers = draw_uniforms(self.streams, start, stop, self.n_before)
        indices = drawn(numbers[:, :n]) if self.indices is None else self.indices[start:stop]
        starts = np.ascontiguousarray(numbers[:, n:]).reshape(-1, self.n_init, self.n_clusters)
        fit = batched_kmeans(self.x, indices=indices, uniforms=starts, max_iter=self.max_iter,
                             labels=not self.predict)
        if fit.labels is not None:
            return LabelBlock(labels=fit.labels, centers=fit.centers)
        # A drawn object's label is its nearest centre too.
        points = in_blocks(self.x)
        blocks, block = points.shape[0], points.shape[2]
        labels = np.empty((stop - start, n), dtype=np.int32)
        _kernels.matching.label_replicates(
            0, stop - start, points, n, fit.centers, labels,
            np.zeros((blocks, block), dtype=np.int64), np.empty((blocks, block)),
            np.empty(block), np.empty(block, dtype=np.int64))
        return LabelBlock(labels=labels, centers=fit.centers)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedLabels:
    """Labels (n,) int32 or memberships (n, c) of a replicate, and the fit if it is kept."""

    votes: np.ndarray
    estimator: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class FitLabels:
    """The task of one attempt with any clusterer; fields as in `KMeansLabels`.

    Child b gives n draws, one number for the clusterer's seed, n for ties, c for the match.
    """

    estimator: Any
    x: np.ndarray
    streams: Streams
    indices: np.ndarray | None
    n_clusters: int
    predict: bool
    keep: bool

    @property
    def n_before(self) -> int:
        """Numbers of a child that come before those for ties."""
        return self.x.shape[0] + 1

    def __call__(self, b: int) -> FittedLabels:
        n = self.x.shape[0]
        numbers = draw_uniforms(self.streams, b, b + 1, self.n_before)
        indices = drawn(numbers[:, :n])[0] if self.indices is None else self.indices[b]
        fit = prepared(self.estimator, self.n_clusters, int(numbers[0, n] * 2**31))
        found = fitted_labels(fit, self.x[indices], None)
        labels = np.full(n, -1, dtype=np.int32)
        objects, first = np.unique(indices, return_index=True)
        labels[objects] = checked_labels(found, self.n_clusters)[first]
        votes: np.ndarray = labels
        left = np.flatnonzero(labels < 0)
        if self.predict and left.size:
            votes = complete(fit, self.x, labels, left, self.n_clusters)
        return FittedLabels(votes=votes, estimator=fit if self.keep else None)


def complete(fit: Any, x: np.ndarray, labels: np.ndarray, left: np.ndarray, c: int) -> np.ndarray:
    """`labels` with the objects `left` assigned; memberships where the clusterer gives them."""
    if hasattr(fit, "assign"):
        found = fit.assign(x[left])
        if isinstance(found, FuzzyClustering):
            membership = np.zeros((labels.size, c))
            known = np.flatnonzero(labels >= 0)
            membership[known, labels[known]] = 1.0
            membership[left, :found.n_clusters] = found.membership
            return membership
        if isinstance(found, HardClustering):
            labels[left] = checked_labels(found.labels, c)
            return labels
    labels[left] = checked_labels(fit.predict(x[left]), c)
    return labels


def checked_labels(labels: Any, c: int) -> np.ndarray:
    """Labels of a fit as int32 in 0, ..., c - 1."""
    codes = np.asarray(labels)
    if codes.dtype.kind not in "iu":
        raise ClusteringError(f"the clusterer gave labels of type {codes.dtype}; whole numbers "
                              f"from 0 to n_clusters - 1 = {c - 1} are needed")
    if codes.size and not 0 <= codes.min() <= codes.max() < c:
        raise ClusteringError(f"the clusterer gave labels from {codes.min()} to {codes.max()}; "
                              f"whole numbers from 0 to n_clusters - 1 = {c - 1} are needed")
    return codes.astype(np.int32)


def drawn(uniforms: np.ndarray) -> np.ndarray:
    """Objects floor(u n) of uniform numbers (B, n)."""
    n = uniforms.shape[1]
    return np.minimum((uniforms * n).astype(np.int64), n - 1)
