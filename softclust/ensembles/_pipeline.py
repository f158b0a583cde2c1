"""One replicate of any clusterer: draw -> fit -> align; the estimators count.

Each stage is a small protocol, so that another way to draw, fit or align is one class. A replicate
takes its random numbers from one stream, each stage after the one before. The compiled k-means
does the same stages for many replicates at once, see `_kmeans`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from ..clusterings import FuzzyClustering
from ..tables.matching import match_columns, method_code, n_choices
from ._draws import Ready, Scheme, draw_one
from .clusterers import (
    NOISE,
    check_labels,
    checked_labels,
    complete,
    everyone,
    fitted_labels,
    prepared,
)
from .replicates import Streams


@dataclass(slots=True, kw_only=True)
class Sample:
    """Data that a replicate is fitted to.

    Attributes
    ----------
    x : (m, d) float64
        Objects, and points of a prior.
    source : (m,) int64
        Which object each row is; -1 for a point of the prior.
    weights : (m,) float64, or None
        With mean 1.
    rng : numpy Generator
        The stream of the replicate, behind what drew the sample.
    """

    x: np.ndarray
    source: np.ndarray
    weights: np.ndarray | None
    rng: np.random.Generator


class Draw(Protocol):
    """Gives the sample of a replicate."""

    def __call__(self, b: int) -> Sample: ...

    def part(self, start: int, stop: int) -> Draw:
        """What replicates `start` to `stop` - 1 need of this, to be sent to a worker."""


class Fit(Protocol):
    """Clusters a sample: the fitted clusterer, and a label for each row."""

    def __call__(self, sample: Sample) -> tuple[Any, np.ndarray]: ...


class Align(Protocol):
    """Makes votes of objects out of a fit; what the estimator then counts."""

    def __call__(self, sample: Sample, fit: Any, labels: np.ndarray) -> Any: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Replicate:
    """The task of one replicate; picklable."""

    draw: Draw
    fit: Fit
    align: Align

    def part(self, start: int, stop: int) -> Replicate:
        """What replicates `start` to `stop` - 1 need of this."""
        return replace(self, draw=self.draw.part(start, stop))

    def __call__(self, b: int) -> Any:
        sample = self.draw(b)
        return self.align(sample, *self.fit(sample))


# -- draw -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class SchemeDraw:
    """Samples by a bootstrap scheme; ready ones in their place take no less of the stream.

    Attributes
    ----------
    scheme, streams
        How and from which numbers replicates are drawn.
    ready : Ready, optional
    x : (n, d) float64
    weighted : bool
        Whether the weights of the draws count.
    """

    scheme: Scheme
    streams: Streams
    ready: Ready | None
    x: np.ndarray
    weighted: bool

    def part(self, start: int, stop: int) -> SchemeDraw:
        """With the ready draws of these replicates alone."""
        return self if self.ready is None else replace(self, ready=self.ready.rows(start, stop))

    def __call__(self, b: int) -> Sample:
        rng = self.streams.generator(b)
        source, points, weights = draw_one(self.scheme, rng)
        if self.ready is not None:
            source, points, weights = self.ready.one(b)
        taken = source >= 0
        x = self.x[np.where(taken, source, 0)]
        if points.shape[0]:
            x[~taken] = points[~taken]
        return Sample(x=x, source=source, rng=rng,
                      weights=weights * weights.size if self.weighted else None)


# -- fit ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class FitClusterer:
    """A copy of any clusterer; takes one number for its seed."""

    estimator: Any
    n_clusters: int | None

    def __call__(self, sample: Sample) -> tuple[Any, np.ndarray]:
        fit = prepared(self.estimator, self.n_clusters, int(sample.rng.integers(2**31)))
        return fit, fitted_labels(fit, sample.x, sample.weights)


# -- align ----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """A replicate's votes, its clusters renamed like the base clusters.

    Attributes
    ----------
    objects, labels : (v,) int64
        Votes: object and cluster.
    silent : (w,) int64
        Objects that were to vote and are noise.
    membership : (n, K) float64, or None
        Soft votes of all objects in their place.
    cluster : (k,) int64
        Base cluster of each cluster of the replicate; numbers from the number of base clusters
        on stand for clusters that were left over.
    n_clusters : int
        Columns that the votes need.
    tied : int
        1 when several matchings were equally good.
    estimator : (fit, codes (k,), cluster (k,)), or None
        The fit with its own labels and their base clusters, when it is to be kept.
    """

    objects: np.ndarray
    labels: np.ndarray
    silent: np.ndarray
    membership: np.ndarray | None
    cluster: np.ndarray
    n_clusters: int
    tied: int
    estimator: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignToBase:
    """Renames clusters for the largest overlap with a base clustering; see `BaggedClustering`.

    Attributes
    ----------
    x : (n, d) float64
    base_labels : (n,) int64
    n_base : int
        Base clusters.
    overlap, voting : str
        Which votes count in the overlap and in the result.
    matching : str
    keep : bool
        Whether the fit comes back.
    drops_noise : bool
        Whether objects labelled -1 cast no vote; they are an error otherwise.
    """

    x: np.ndarray
    base_labels: np.ndarray
    n_base: int
    overlap: str
    voting: str
    matching: str
    keep: bool
    drops_noise: bool = False

    def __call__(self, sample: Sample, fit: Any, labels: np.ndarray) -> Aligned:
        uniforms = sample.rng.random(1 + self.n_base)
        soft = everyone(fit, self.x) if self.voting == "all" else None
        if isinstance(soft, FuzzyClustering):
            return self._soft(fit, soft, uniforms)
        if soft is not None:
            objects, values = np.arange(self.x.shape[0]), soft
            over, given = objects, values
        else:
            taken = sample.source >= 0
            objects, values = sample.source[taken], labels[taken]
            over, given = objects, values
            first = np.unique(objects, return_index=True)[1]
            if self.voting == "once":
                objects, values = objects[first], values[first]
            if self.overlap == "once":
                over, given = over[first], given[first]
        silent = objects[:0]
        if self.drops_noise:
            silent = objects[values == NOISE]
            objects, values = objects[values != NOISE], values[values != NOISE]
            # Noise of the base clustering is in no cluster that could overlap.
            both = (given != NOISE) & (self.base_labels[over] != NOISE)
            over, given = over[both], given[both]
        codes = np.unique(np.concatenate([values, given]))
        check_labels(codes)
        table = np.zeros((self.n_base, codes.size), dtype=np.int64)
        np.add.at(table, (self.base_labels[over], np.searchsorted(codes, given)), 1)
        cluster, tied = self._match(table, uniforms)
        aligned = cluster[np.searchsorted(codes, values)]
        return self._result(fit, objects, aligned, silent, None, cluster, codes, tied)

    def _soft(self, fit: Any, soft: FuzzyClustering, uniforms: np.ndarray) -> Aligned:
        u = soft.membership
        table = np.array([u[self.base_labels == k].sum(axis=0) for k in range(self.n_base)])
        cluster, tied = self._match(table, uniforms)
        membership = np.zeros((u.shape[0], max(self.n_base, int(cluster.max()) + 1)))
        membership[:, cluster] = u
        nothing = np.empty(0, dtype=np.int64)
        return self._result(fit, nothing, nothing, nothing, membership, cluster,
                            np.arange(u.shape[1]), tied)

    def _match(self, table: np.ndarray, uniforms: np.ndarray) -> tuple[np.ndarray, int]:
        """Base cluster of each column, and whether several matchings are equally good."""
        rows, columns = table.shape
        if not columns:
            return np.empty(0, dtype=np.int64), 0
        code = method_code(self.matching, "remaining")
        of_row, found = match_columns(table, code, uniforms[:n_choices(code, rows, columns)])
        cluster = np.full(columns, -1, dtype=np.int64)
        matched = np.flatnonzero(of_row >= 0)
        cluster[of_row[matched]] = matched
        cluster[cluster < 0] = rows + np.arange(int((cluster < 0).sum()))
        return cluster, int(found is not None and found > 1)

    def _result(self, fit: Any, objects: np.ndarray, labels: np.ndarray, silent: np.ndarray,
                membership: np.ndarray | None, cluster: np.ndarray, codes: np.ndarray, tied: int
                ) -> Aligned:
        most = self.n_base if not cluster.size else max(self.n_base, int(cluster.max()) + 1)
        return Aligned(objects=objects, labels=labels, silent=silent, membership=membership,
                       cluster=cluster, n_clusters=most, tied=tied,
                       estimator=(fit, codes, cluster) if self.keep else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedLabels:
    """Labels (n,) int32, -1 for no vote, or memberships (n, c); numbers (n + c,) for ties of the
    majorities and the match; and the fit if it is kept."""

    votes: np.ndarray
    uniforms: np.ndarray
    estimator: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignLater:
    """Labels of all objects under the fit's own names: they are matched with the votes of the
    replicates before, in their order; see `MultipleMatchClustering`."""

    x: np.ndarray
    n_clusters: int
    predict: bool
    keep: bool

    def __call__(self, sample: Sample, fit: Any, labels: np.ndarray) -> FittedLabels:
        votes = np.full(self.x.shape[0], -1, dtype=np.int32)
        objects, first = np.unique(sample.source, return_index=True)
        votes[objects] = checked_labels(labels, self.n_clusters)[first]
        left = np.flatnonzero(votes < 0)
        if self.predict and left.size:
            votes = complete(fit, self.x, votes, left, self.n_clusters)
        return FittedLabels(votes=votes, estimator=fit if self.keep else None,
                            uniforms=sample.rng.random(self.x.shape[0] + self.n_clusters))
