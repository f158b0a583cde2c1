"""The point estimate of a posterior over partitions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from ..._checks import ClusteringError
from ...clusterings import HardClustering
from ...results.records import POSITION, Augmented, Columns, Record
from ...results.summary import SummaryTable, right
from ...results.text import position
from ...running.threads import run_chunks
from . import _kernels
from ._bounds import pair_matrix
from ._draws import Sample
from ._losses import LossRule

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ..._types import RNG
    from .ball import CredibleBall
    from .core import PartitionCore
    from .representatives import PartitionRepresentatives

#: clusters that the summary lists
_SHOWN = 20


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PosteriorPartition(Augmented, Record):
    """Partition with the smallest expected loss; made by `posterior_partition`.

    Attributes
    ----------
    labels : (n,) int64
        Clusters 0, 1, ... by first appearance.
    clustering : HardClustering
        The same as a clustering.
    loss : str
    a : float
        Cost of splitting objects that belong together; 1 weighs both kinds of error equally.
    expected_loss : float
        Mean loss over the draws.
    bound : float
        No partition has a lower expected loss; nan if no bound is known (omari, or after
        Ctrl-C).
    standard_error : float
        Standard error of `expected_loss`: for independent draws, or by batch means if draws come in
        chains; nan for a single draw.
    n_draws, n_distinct : int
        Number of draws S, and number of different partitions among them.
    n_starts, n_hits : int
        Number of finished starts of the search, and of those that reached `expected_loss`.
    distances : (S,) float64
        Loss at every draw.
    converged : bool
        False if `time_limit` or Ctrl-C stopped the search.
    interrupted : str
        Empty, or how far the search came.

    Notes
    -----
    ``to_frame()``: one row per object, as `objects`.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0, 0, 1, 1], [5, 5, 2, 2], [0, 1, 2, 2]]
    >>> found = softclust.posterior_partition(draws, rng=0)
    >>> found.labels, found.optimal
    (array([0, 0, 1, 1]), True)
    >>> softclust.posterior_partition([[0, 0, 1], [0, 1, 1]], rng=0).to_frame().shape
    (3, 5)
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> print(softclust.posterior_partition(draws, rng=0).summary())
    Posterior partition of 4 objects from 3 draws (vi)
    ==========================================
    cluster  objects  together  exact  Jaccard
    ------------------------------------------
    0              2     1.000  0.667    0.889
    1              2     0.667  0.667    0.833
    ==========================================
    Mean probability that two of its objects are together; probability that
      just this set is a cluster of a draw; mean of the best Jaccard index
      in a draw.
    Expected loss 0.274653 (standard error 0.27), proved optimal; best of 16
      starts, reached 16 times.
    """

    _objects_named = "clustering.object_names"

    labels: Annotated[np.ndarray, "i _draws.n_objects <_draws.n_objects"] = field(metadata=POSITION)
    clustering: Annotated[HardClustering, "_draws.n_objects"]
    loss: str
    a: float
    expected_loss: float
    bound: float
    standard_error: float
    n_draws: Annotated[int, ">=1"]
    n_distinct: int
    n_starts: int
    n_hits: int
    distances: Annotated[np.ndarray, "f S"]
    converged: bool = True
    interrupted: str = ""
    _draws: Sample = field(repr=False)

    @property
    def gap(self) -> float:
        """(expected_loss - bound) / expected_loss, in [0, 1]; 0 where both are 0."""
        if self.expected_loss == 0.0:
            return 0.0
        if math.isnan(self.bound):
            return math.nan
        return max(0.0, self.expected_loss - self.bound) / self.expected_loss

    @property
    def optimal(self) -> bool:
        """True if the bound proves that no partition has a lower expected loss."""
        return self.gap <= 1e-9

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return self.clustering.n_clusters

    def __repr__(self) -> str:
        return (f"PosteriorPartition({self.labels.size} objects, {self.n_clusters} clusters, "
                f"{self.n_draws} draws, loss={self.loss!r}, expected_loss={self.expected_loss:.6g}"
                + (f", {self.interrupted})" if self.interrupted else ")"))

    # -- frames -----------------------------------------------------------------------------
    def clusters(self) -> pd.DataFrame:
        """Support of each cluster by the draws.

        Returns
        -------
        pandas.DataFrame
            One row per cluster: ``size``; ``together``, the mean probability that two of its
            objects are together (nan for a single object); ``exact``, the probability that exactly
            this set is a cluster of a draw; ``jaccard``, the mean over draws of the largest
            Jaccard index with a cluster of the draw.

        Examples
        --------
        >>> import softclust
        >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
        >>> softclust.posterior_partition(draws, rng=0).clusters()["exact"].round(3).tolist()
        [0.667, 0.667]
        """
        return Columns(cluster_columns(self.labels, self._draws),
                       {"cluster": range(self.n_clusters)}).to_pandas()

    def objects(self) -> pd.DataFrame:
        """Certainty of the cluster of each object.

        Returns
        -------
        pandas.DataFrame
            One row per object: ``label``; ``loss``, its share of the expected loss (for "vi" and
            "binder", whose shares sum to it; else nan); ``own``, the mean probability of being
            together with the other objects of its cluster (nan for a single object); ``other``, the
            other cluster with the largest mean probability, ``other_p``.

        Examples
        --------
        >>> import softclust
        >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
        >>> frame = softclust.posterior_partition(draws, rng=0).objects()
        >>> frame["other_p"].round(3).tolist()
        [0.167, 0.167, 0.333, 0.0]
        """
        return self.to_frame()

    def matrix(self, max_objects: int = 2000) -> np.ndarray:
        """Probability that each pair of objects is together.

        Parameters
        ----------
        max_objects : int, optional
            Largest number of objects allowed, since an n x n matrix is made.

        Returns
        -------
        ndarray of shape (n, n)
            Diagonal 1.

        Raises
        ------
        ClusteringError
            If there are more objects.

        Examples
        --------
        >>> import softclust
        >>> softclust.posterior_partition([[0, 0, 1], [0, 1, 1]], rng=0).matrix()
        array([[1. , 0.5, 0. ],
               [0.5, 1. , 0.5],
               [0. , 0.5, 1. ]])
        """
        if self.labels.size > max_objects:
            raise ClusteringError(f"the matrix of {self.labels.size} objects is larger than "
                                  f"max_objects={max_objects}; raise it, or use .objects() or "
                                  "plot('objects')")
        return pair_matrix(self._draws.that_count())

    def _frame(self) -> Columns:
        names = self.clustering.object_names
        return Columns(object_columns(self.labels, self._draws, self._rule),
                       {} if names is None else {None: names})

    @property
    def _rule(self) -> LossRule:
        return LossRule(self.loss, self.a)

    # -- uncertainty --------------------------------------------------------------------------
    def ball(self, level: float = 0.95) -> CredibleBall:
        """Credible ball around the estimate, see `credible_ball`.

        Parameters
        ----------
        level : float, optional
            Posterior probability, in (0, 1].

        Returns
        -------
        CredibleBall

        Examples
        --------
        >>> import softclust
        >>> softclust.posterior_partition([[0, 0, 1], [0, 0, 1], [0, 1, 1]], rng=0).ball().n_inside
        3
        """
        from .ball import ball_around
        return ball_around(self.labels, self._draws, self._rule, level)

    def representatives(self, k: int, *, n_starts: int = 20, rng: RNG = None
                        ) -> PartitionRepresentatives:
        """Several partitions that together represent the draws, see `partition_representatives`.

        Parameters
        ----------
        k : int
            Number of representatives.
        n_starts : int, optional
        rng : None, int or numpy Generator, optional

        Returns
        -------
        PartitionRepresentatives

        Examples
        --------
        >>> import softclust
        >>> found = softclust.posterior_partition([[0, 0, 1], [0, 0, 1], [0, 1, 1]], rng=0)
        >>> found.representatives(2, rng=0).distance
        0.0
        """
        from .representatives import represent
        return represent(self._draws, k, self._rule, n_starts, rng)

    def core(self, *, level: float = 0.95, rng: RNG = None) -> PartitionCore:
        """A large set of objects that most draws divide in the same way, see `partition_core`.

        Parameters
        ----------
        level : float, optional
            In (0, 1].
        rng : None, int or numpy Generator, optional

        Returns
        -------
        PartitionCore

        Examples
        --------
        >>> import softclust
        >>> softclust.posterior_partition([[0, 0, 1], [0, 0, 1], [0, 1, 1]], rng=0).core().objects
        array([0, 2])
        """
        from .core import core_of
        return core_of(self._draws, level, rng)

    # -- in words ---------------------------------------------------------------------------
    @property
    def quality(self) -> str:
        """The expected loss in words, and how near it is to the best possible."""
        text = f"Expected loss {self.expected_loss:.6g}"
        if not math.isnan(self.standard_error):
            text += f" (standard error {self.standard_error:.2g})"
        if self.optimal:
            text += ", proved optimal"
        elif not math.isnan(self.bound):
            text += f", bound {self.bound:.6g} (gap {100 * self.gap:.2g} %)"
        times = {0: "not reached again", 1: "reached once"}.get(
            self.n_hits, f"reached {self.n_hits} times")
        starts = "1 start" if self.n_starts == 1 else f"{self.n_starts} starts"
        return f"{text}; best of {starts}, {times}."

    def _table(self) -> SummaryTable:
        columns = cluster_columns(self.labels, self._draws)
        largest = np.argsort(-columns["size"], kind="stable")[:_SHOWN]
        notes = ["Mean probability that two of its objects are together; probability that just "
                 "this set is a cluster of a draw; mean of the best Jaccard index in a draw.",
                 self.quality]
        if self.n_clusters > _SHOWN:
            notes.insert(0, f"The {_SHOWN} largest of {self.n_clusters} clusters.")
        if self.interrupted:
            notes.insert(0, f"{self.interrupted[0].upper()}{self.interrupted[1:]}.")
        return SummaryTable.of(
            {"cluster": [str(position(k)) for k in largest], "objects": columns["size"][largest],
             "together": right("" if math.isnan(v) else f"{v:.3f}"
                               for v in columns["together"][largest]),
             "exact": right(columns["exact"][largest], ".3f"),
             "Jaccard": right(columns["jaccard"][largest], ".3f")}, notes=notes,
            title=f"Posterior partition of {self.labels.size} objects from {self.n_draws} draws "
                  f"({self._rule.label})")

    def plot(self, kind: Literal["matrix", "objects", "ball"] = "matrix", *, ax: Axes | None = None,
             **options: Any) -> Axes:
        """Draw the uncertainty, see `softclust.plotting.plot_posterior`.

        Parameters
        ----------
        kind : {"matrix", "objects", "ball"}, optional
            "matrix": probabilities that pairs of objects are together, ordered by the estimate.
            "objects": certainty of each object's cluster. "ball": tables of the estimate against
            the bounds of its ball.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        **options
            Of the kind: ``max_objects`` ("matrix"), ``level`` ("ball").

        Returns
        -------
        matplotlib.axes.Axes
        """
        from ...plotting import plot_posterior
        return plot_posterior(self, kind, ax=ax, **options)


# -- how well the draws support the clusters and objects of an estimate ----------------------------
#: entries of a block of objects by clusters
_BLOCK = 1 << 21


def cluster_columns(labels: np.ndarray, draws: Sample) -> dict[str, np.ndarray]:
    """One row per cluster."""
    labels = np.array(labels)
    sizes = np.bincount(labels)
    sums = np.zeros((3, sizes.size))
    table = np.zeros((int(draws.n_clusters.max()), sizes.size), np.int64)
    step = max(1, _BLOCK * 16 // draws.n_objects)
    for lo in range(0, draws.n_distinct, step):
        part = slice(lo, lo + step)
        _kernels.evidence.of_clusters(labels, sizes, draws.rows[part], draws.n_clusters[part],
                                      draws.weights[part], table, *sums)
    sums /= draws.weights.sum()
    pairs = sizes * (sizes - 1) / 2
    with np.errstate(invalid="ignore"):
        together = np.where(pairs > 0, sums[0] / pairs, np.nan)
    return {"size": sizes, "together": together, "exact": sums[1], "jaccard": sums[2]}


def object_columns(labels: np.ndarray, draws: Sample, rule: LossRule) -> dict[str, Any]:
    """One row per object."""
    import pandas as pd
    labels = np.array(labels)
    n, sizes = labels.size, np.bincount(labels)
    columns = np.empty((4, n))
    other = np.full(n, -1)
    total, columns_of_draws = float(draws.weights.sum()), int(draws.n_clusters.max())

    def work(start: int, stop: int) -> None:
        shared, logs = np.zeros((stop - start, sizes.size)), np.zeros((stop - start, 4))
        table = np.zeros((columns_of_draws, sizes.size), np.int64)
        _kernels.evidence.of_objects(labels, sizes, draws.rows, draws.n_clusters, draws.weights,
                                     table, shared, logs, start, stop)
        shared /= total
        logs /= total
        cluster, rows = labels[start:stop], np.arange(stop - start)
        columns[0, start:stop] = _shares(logs, sizes[cluster], rule, n)
        with np.errstate(invalid="ignore"):
            columns[1, start:stop] = (shared[rows, cluster] - 1.0) / np.where(
                sizes[cluster] > 1, sizes[cluster] - 1.0, np.nan)
        means = shared / sizes
        means[rows, cluster] = -1.0
        best = means.argmax(axis=1)
        columns[2, start:stop] = means[rows, best]
        other[start:stop] = best

    run_chunks(work, n, max(1, _BLOCK // sizes.size))
    single = sizes.size == 1
    return {"label": labels, "loss": columns[0], "own": columns[1],
            "other": pd.array([pd.NA] * n if single else other, dtype="Int64"),
            "other_p": np.full(n, np.nan) if single else columns[2]}


def _shares(logs: np.ndarray, sizes: np.ndarray, rule: LossRule, n: int) -> np.ndarray:
    """Contribution of each object to the expected loss, if this is linear in the sums."""
    if not rule.power:
        return np.full(logs.shape[0], np.nan)
    phi, drawn, joint = ((np.log(sizes), logs[:, 0], logs[:, 2]) if rule.name == "vi" else
                         (sizes, logs[:, 1], logs[:, 3]))
    return np.asarray((rule.a * drawn + (2.0 - rule.a) * phi - 2.0 * joint) / n**rule.power)
