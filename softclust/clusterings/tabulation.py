"""Distinct clusterings of an ensemble and how often each occurs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from .._checks import ClusteringError, frozen
from ..results.records import Columns, Drawn, Record
from ..results.summary import SummaryTable, right

if TYPE_CHECKING:
    from .ensemble import Ensemble


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tabulation(Drawn, Record):
    """The distinct clusterings of an ensemble; relabelled copies count as one.

    Attributes
    ----------
    clusterings : Ensemble
        The d distinct ones, in the order and form of their first appearance.
    counts : ndarray, shape (d,), int64
        Number of members equal to each, up to names of clusters and empty clusters.
    index : ndarray, shape (B,), int64
        Position of each of the B members among the distinct ones.

    Notes
    -----
    ``to_frame()``: one row per distinct clustering: its kind, number of clusters, count and share.
    Indexed by the name of the first member that has it.

    Examples
    --------
    >>> import softclust
    >>> softclust.Ensemble([[0, 0, 1], [1, 1, 0], [0, 1, 1]]).tabulate().counts
    array([2, 1])
    """

    _chart = "plot_tabulation"

    clusterings: Ensemble
    counts: Annotated[np.ndarray, "i clusterings >=1"]
    index: Annotated[np.ndarray, "i B <clusterings"]

    def _frame(self) -> Columns:
        return Columns(
            {"kind": self.clusterings.kinds, "n_clusters": self.clusterings.n_clusters,
             "count": self.counts, "share": self.counts / self.counts.sum()},
            {"name": self.clusterings.names})

    def _table(self) -> SummaryTable:
        order = np.argsort(-self.counts, kind="stable")
        distinct = self.clusterings
        return SummaryTable.of(
            {"first member": [distinct.names[i] for i in order],
             "kind": [distinct.kinds[i] for i in order],
             "clusters": [distinct.n_clusters[i] for i in order], "count": self.counts[order],
             "share": right(self.counts[order] / self.counts.sum(), ".3f")},
            title=f"{len(order)} distinct of {self.index.shape[0]} clusterings")


def tabulate(ensemble: Ensemble) -> Tabulation:
    """See `Ensemble.tabulate`."""
    places: dict[tuple[str, int, bytes], int] = {}
    first: list[int] = []
    index = np.empty(len(ensemble), dtype=np.int64)
    runs = ensemble._members is None   # labels by first appearance
    for b, name in enumerate(ensemble.names):
        try:
            key = (("hard", 0, hashlib.blake2b(ensemble.labels[b], digest_size=24).digest())
                   if runs else ensemble[b].equality_key())
        except ClusteringError as error:
            raise ClusteringError(f"clustering {name!r}: {error}") from None
        if key not in places:
            places[key] = len(first)
            first.append(b)
        index[b] = places[key]
    names = [ensemble.names[b] for b in first]
    distinct = (type(ensemble)._made(None, ensemble.labels[first], tuple(names), ensemble.naming)
                if runs else type(ensemble)([ensemble[b] for b in first], names))
    return Tabulation(clusterings=distinct, counts=frozen(np.bincount(index)), index=frozen(index))
