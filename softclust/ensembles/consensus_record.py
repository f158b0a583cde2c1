"""Consensus of many clusterings of the same objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import numpy as np

from ..clusterings import FuzzyClustering, HardClustering
from ..results.records import POSITION, Augmented, Columns, Record, of_positions
from ..results.summary import SummaryTable, right
from ..results.text import position
from .together import ratio

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..soft_pairs.entropies import CIC


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Consensus(Augmented, Record):
    """One clustering that represents many; made by `consensus` and `mmcc`.

    Attributes
    ----------
    clustering : FuzzyClustering or HardClustering
        The consensus, n objects, c clusters.
    method : str
        Criterion ("SE", "HE", ...), or "mmcc" with the matching rule.
    n_members : int
        Number of input clusterings B.
    permutations : (B, K) int64
        Cluster of the consensus with which each cluster of each member was matched; K is the
        largest number of clusters. -1 if a member has no such cluster, or the cluster got no
        partner.
    objective : float
        The criterion recomputed for `clustering`; nan for `mmcc` and coassociation, which have
        none.
    converged : bool
        Whether the iterations converged; True for methods that pass once over the members.
    n_iter : int
        Iterations of the start that is returned.
    history : ndarray
        Objective after each iteration.
    start_index : int
        Number of the start that is returned.
    votes : (n, c) float64 or None
        `mmcc`: (weighted) votes of the members.
    bound : float
        No clustering of this kind has a lower objective; nan if no bound is known.
    n_starts : int
        Number of starts of the search; 0 for methods without starts.
    n_hits : int
        Number of starts that reached the objective; starts that are small changes of the best
        matching so far do not count.
    interrupted : str
        Empty, or the progress before Ctrl-C: the consensus is that of the finished part.
    merges : (n - 1, 4) float64 or None
        `consensus(method="coassociation")`: the tree, as of `scipy.cluster.hierarchy.linkage`;
        `as_dendrogram` reads it.

    Notes
    -----
    ``to_frame()``: one row per object. Columns: label, entropy (bits), and the membership in each
    cluster that is not empty.

    Examples
    --------
    >>> import softclust
    >>> result = softclust.mmcc([[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1]], rng=0)
    >>> result.votes.sum(axis=1)
    array([3., 3., 3., 3.])
    >>> softclust.mmcc([[0, 0, 1], [0, 1, 1]], rng=0).to_frame()["label"].tolist()
    [0, 0, 1]
    >>> print(softclust.mmcc([[0, 0, 1, 1]] * 3, rng=0).summary())
    Consensus of 3 clusterings of 4 objects (mmcc, truematch_heuristic)
    =================================================
    cluster  objects  mean membership  of its objects
    -------------------------------------------------
    0              2            0.500           1.000
    1              2            0.500           1.000
    =================================================
    Mean membership in the cluster: of all objects, then of its own.
    Mean entropy 0.0000 bits.
    """

    _objects_named = "clustering.object_names"

    clustering: FuzzyClustering | HardClustering
    method: str
    n_members: Annotated[int, ">=1"]
    permutations: Annotated[np.ndarray, "i n_members K >=-1"] = field(metadata=POSITION)
    objective: float = float("nan")
    converged: bool = True
    n_iter: int = 1
    history: Annotated[np.ndarray, "f h"] = field(default_factory=lambda: np.empty(0))
    start_index: int = field(default=0, metadata=POSITION)
    votes: Annotated[np.ndarray | None, "f n c"] = None
    bound: float = float("nan")
    n_starts: int = 0
    n_hits: int = 0
    interrupted: str = ""
    merges: np.ndarray | None = None

    @property
    def gap(self) -> float:
        """(objective - bound) / objective, 0 to 1: no clustering is better by a larger share."""
        if self.objective == 0.0:
            return 0.0
        return float(max(0.0, self.objective - self.bound) / self.objective) if (
            self.bound == self.bound) else float("nan")

    @property
    def optimal(self) -> bool:
        """True if the bound proves that no clustering has a lower objective."""
        return self.gap <= 1e-9

    def __repr__(self) -> str:
        c = self.clustering
        return (f"Consensus(method={self.method!r}, {self.n_members} members, "
                f"{c.n_objects} objects, {c.n_clusters} clusters"
                + (f", {self.interrupted})" if self.interrupted else ")"))

    @property
    def membership(self) -> np.ndarray:
        """Memberships of the objects, (n, c) float64; 0 and 1 for a hard consensus."""
        return self.clustering.memberships()

    @property
    @of_positions
    def labels(self) -> np.ndarray:
        """Cluster with the largest membership of each object, the lowest on ties, (n,) int64."""
        codes = self.clustering.hard_codes
        return (self.clustering.memberships().argmax(axis=1) if codes is None
                else codes.astype(np.int64))

    @property
    def _used(self) -> list[int]:
        """Clusters in which some object has a positive membership."""
        return np.flatnonzero(self.membership.any(axis=0)).tolist()

    @property
    def entropies(self) -> np.ndarray:
        """Entropy of each object's memberships in bits, (n,), in [0, log2 c]."""
        from ..soft_pairs.uncertainty import membership_entropy
        return np.asarray(membership_entropy(self.clustering, average=False))

    @property
    def cic(self) -> CIC:
        """The cluster information criterion of `clustering`."""
        from ..soft_pairs.entropies import cluster_information_criterion
        return cluster_information_criterion(self.clustering)

    def _frame(self) -> Columns:
        names = self.clustering.cluster_names
        objects = self.clustering.object_names
        return Columns({"label": [names[k] for k in self.labels], "entropy": self.entropies}
                       | {f"membership {names[k]}": self.membership[:, k] for k in self._used},
                       {} if objects is None else {None: objects})

    def _table(self) -> SummaryTable:
        labels, membership, used = self.labels, self.membership, [*self._used]
        names = self.clustering.cluster_names
        sizes = np.bincount(labels, minlength=len(names))
        notes = ["Mean membership in the cluster: of all objects, then of its own.",
                 f"Mean entropy {self.entropies.mean():.4f} bits."]
        empty = len(names) - len(used)
        if empty:
            notes.append(f"{empty} of {len(names)} clusters {'is' if empty == 1 else 'are'} empty "
                         "and not listed.")
        if not np.isnan(self.objective):
            notes.append(self.quality)
        if self.interrupted:
            notes.insert(0, f"{self.interrupted[0].upper()}{self.interrupted[1:]}.")
        return SummaryTable.of(
            {"cluster": [str(position(names[k])) for k in used], "objects": sizes[used],
             "mean membership": right((membership[:, k].mean() for k in used), ".3f"),
             "of its objects": right(f"{membership[labels == k, k].mean():.3f}" if sizes[k] else ""
                                     for k in used)},
            title=f"Consensus of {self.n_members} clusterings of "
                  f"{self.clustering.n_objects} objects ({self.method})", notes=notes)

    @property
    def quality(self) -> str:
        """The objective in words, and how near it is to the best possible."""
        text = f"Objective {self.objective:.6g}"
        if self.optimal:
            text += ", proved optimal"
        elif not np.isnan(self.bound):
            text += f", bound {self.bound:.6g} (gap {100 * self.gap:.2g} %)"
        if self.n_starts:
            times = "once" if self.n_hits == 1 else f"{self.n_hits} times"
            text += f"; best of {self.n_starts} starts, reached {times}"
        return text + ("." if self.converged else "; NOT converged.")

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the memberships, see `softclust.plotting.plot_consensus`.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from ..plotting import plot_consensus
        title = f"Consensus of {self.n_members} clusterings ({self.method})"
        return plot_consensus(self.membership, self.labels, title=title, ax=ax)


def votes_as_membership(votes: np.ndarray) -> np.ndarray:
    """Rows of votes divided by their sums; nan if there are no votes."""
    return ratio(votes, votes.sum(axis=1, keepdims=True))


def majorities(votes: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Cluster with most votes of each object; number floor(u N) of N tied ones."""
    tied = votes == votes.max(axis=1, keepdims=True)
    count = tied.sum(axis=1)
    labels = tied.argmax(axis=1)
    several = np.flatnonzero(count > 1)
    if several.size:
        number = (uniforms[several] * count[several]).astype(np.int64)
        labels[several] = (tied[several].cumsum(axis=1) > number[:, None]).argmax(axis=1)
    return labels
