"""Distinct posterior draws with their weights, as kernels take them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from ..._checks import ClusteringError, check_weights
from ...clusterings import Ensemble
from ...clusterings.arrays import NUMBERED

#: of a draw: labels are numbers of two bytes
_MOST_CLUSTERS = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Distinct partitions of n objects and how often each was drawn.

    Attributes
    ----------
    rows : (D, n) uint16
        Labels by first appearance of the distinct draws, in order of appearance.
    index : (S,) int64
        The distinct draw of each draw.
    counts : (D,) int64
        How often each occurs.
    weights : (D,) float64
        Sums of weights; counts where no weights were given.
    each : (S,) float64 or None
        Weights of the draws of sum 1, where they were given.
    n_clusters : (D,) int64
    n_chains : int
        0 for draws without chains.
    naming : tuple or None
        Names of the objects, for clusterings.
    """

    rows: Annotated[np.ndarray, "i D n <n"]
    index: Annotated[np.ndarray, "i S <rows"]
    counts: Annotated[np.ndarray, "i D >=1"]
    weights: Annotated[np.ndarray, "f D >=0 finite"]
    each: Annotated[np.ndarray | None, "f S >=0"]
    n_clusters: Annotated[np.ndarray, "i D >=1"]
    n_chains: Annotated[int, ">=0"] = 0
    naming: Any = None

    def _check(self) -> None:
        if not np.array_equal(self.n_clusters, self.rows.max(axis=1).astype(np.int64) + 1) or not (
                self.weights.sum() > 0.0):
            raise ClusteringError("the numbers of clusters or the weights of stored draws do not "
                                  "fit the draws")

    @property
    def n_objects(self) -> int:
        return int(self.rows.shape[1])

    @property
    def object_names(self) -> Sequence[Any] | None:
        """Object names."""
        return range(self.n_objects) if self.naming is NUMBERED else self.naming

    @property
    def n_draws(self) -> int:
        return int(self.index.size)

    @property
    def n_distinct(self) -> int:
        return int(self.rows.shape[0])

    @property
    def shares(self) -> np.ndarray:
        """Weights (D,) of sum 1."""
        return np.asarray(self.weights / self.weights.sum())

    @property
    def whole(self) -> bool:
        """True if each draw counts once."""
        return self.each is None

    def mean(self, values: np.ndarray) -> float:
        """Weighted mean of values (D,) of the distinct draws."""
        return math.fsum(self.weights * values) / math.fsum(self.weights)

    def some(self, chosen: np.ndarray) -> Sample:
        """The distinct draws at these positions, with their weights; each occurs once."""
        return Sample(rows=self.rows[chosen], index=np.arange(chosen.size),
                     counts=self.counts[chosen], weights=self.weights[chosen], each=self.each,
                     n_clusters=self.n_clusters[chosen], naming=self.naming)

    def that_count(self) -> Sample:
        """Without draws of weight 0."""
        return self if (self.weights > 0).all() else self.some(np.flatnonzero(self.weights > 0))


def read_draws(draws: Any, weights: Any = None) -> Sample:
    """Distinct draws of what `Ensemble.from_draws` takes; one that was read stays as it is."""
    if isinstance(draws, Sample):
        return draws
    ensemble, chains = Ensemble._of_draws(draws)
    distinct = ensemble.tabulate()
    each = None
    if weights is not None:
        flat = np.reshape(weights, -1) if np.ndim(weights) == 2 else weights
        each = check_weights(flat, len(ensemble), "draws")
        each = each / each.max()
        each = np.asarray(each / each.sum())
    n_clusters = np.array(distinct.clusterings.n_clusters)
    if n_clusters.max() > _MOST_CLUSTERS:
        raise ClusteringError(f"a draw has {n_clusters.max()} clusters; at most {_MOST_CLUSTERS} "
                              "are possible")
    return Sample(rows=distinct.clusterings.labels.astype(np.uint16), index=distinct.index,
                 counts=distinct.counts, each=each, n_clusters=n_clusters, n_chains=chains,
                 weights=distinct.counts.astype(np.float64) if each is None else np.bincount(
                     distinct.index, each, minlength=n_clusters.size), naming=ensemble.naming)
