"""Certainty of a clustering about the clusters of its objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..results.text import part


class Certainty:
    """Certainty of any kind of clustering, from beliefs and plausibilities."""

    __slots__ = ()

    def certainty(self: Any) -> tuple[float, float, float]:
        """Mean masses on single clusters, on larger sets, and on the empty set; they sum to 1.

        nan for a cover, which has none.
        """
        single = float(self.belief().sum()) / self.n_objects
        empty = float(self.empty_mass.mean())
        return single, max(1.0 - single - empty, 0.0), empty

    @property
    def sentence(self: Any) -> str:
        """Certainty of the clusters of the objects, in a few words."""
        several = int((self.possible_clusters().sum(axis=1) > 1).sum())
        return f"More than one cluster is possible for {part(several, self.n_objects)}."

    def possible_clusters(self: Any) -> np.ndarray:
        """Clusters that no other one dominates.

        Returns
        -------
        ndarray, shape (n, c), bool
            True where the plausibility is positive and at least the largest belief of the object.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.EvidentialClustering.from_dicts([{"a": 0.4, ("a", "b"): 0.6}, {"b": 1}])
        >>> x.possible_clusters().tolist()
        [[True, True], [False, True]]
        """
        plausibility, belief = self.plausibility(), self.belief()
        return np.asarray((plausibility >= belief.max(axis=1, keepdims=True) - 1e-12)
                          & (plausibility > 0))
