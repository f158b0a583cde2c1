"""Distinct clusterings of an ensemble and how often each occurs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .._checks import ClusteringError, frozen
from .._records import Drawn

if TYPE_CHECKING:
    import pandas as pd
    from statsmodels.iolib.table import SimpleTable

    from .ensemble import Ensemble


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tabulation(Drawn):
    """The distinct clusterings of an ensemble; relabelled copies count as one.

    Attributes
    ----------
    clusterings : Ensemble
        The d distinct ones in the order of their first appearance, as they appeared first.
    counts : ndarray, shape (d,), int64
        How many members are equal to each, up to names of clusters and empty clusters.
    index : ndarray, shape (B,), int64
        For each of the B members its place among the distinct ones.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.Ensemble([[0, 0, 1], [1, 1, 0], [0, 1, 1]]).tabulate().counts
    array([2, 1])
    """

    _chart = "plot_tabulation"

    clusterings: Ensemble
    counts: np.ndarray
    index: np.ndarray

    def to_frame(self) -> pd.DataFrame:
        """One row per distinct clustering: its kind, number of clusters, count and share.

        Returns
        -------
        pandas.DataFrame
            Indexed by the name of the first member that has it.
        """
        import pandas as pd
        return pd.DataFrame(
            {"kind": self.clusterings.kinds, "n_clusters": self.clusterings.n_clusters,
             "count": self.counts, "share": self.counts / self.counts.sum()},
            index=pd.Index(self.clusterings.names, name="name"))

    def summary(self) -> SimpleTable:
        """The rows of `to_frame`, the most frequent first.

        Returns
        -------
        statsmodels.iolib.table.SimpleTable
        """
        from .._summary import NotedTable
        frame = self.to_frame().sort_values("count", ascending=False, kind="stable")
        rows = [[str(name), str(kind), str(c), str(count), f"{share:.3f}"]
                for name, kind, c, count, share in frame.itertuples()]
        return NotedTable(rows, ["first member", "kind", "clusters", "count", "share"],
                          title=f"{len(rows)} distinct of {self.index.shape[0]} clusterings",
                          aligns="llrrr")


def tabulate(ensemble: Ensemble) -> Tabulation:
    """See `Ensemble.tabulate`."""
    places: dict[tuple[str, int, bytes], int] = {}
    first: list[int] = []
    index = np.empty(len(ensemble), dtype=np.int64)
    for b, (name, member) in enumerate(zip(ensemble.names, ensemble)):
        try:
            key = member.equality_key()
        except ClusteringError as error:
            raise ClusteringError(f"clustering {name!r}: {error}") from None
        if key not in places:
            places[key] = len(first)
            first.append(b)
        index[b] = places[key]
    distinct = type(ensemble)([ensemble[b] for b in first], [ensemble.names[b] for b in first])
    return Tabulation(clusterings=distinct, counts=frozen(np.bincount(index)), index=frozen(index))
