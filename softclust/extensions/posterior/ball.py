"""Credible balls of partitions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from ..._checks import ClusteringError, check_level, frozen
from ..._types import ArrayLike, ClusteringLike, EnsembleLike
from ...results.records import POSITION, Columns, Drawn, Record
from ...results.summary import SummaryTable, right
from ._draws import Sample, read_draws
from ._losses import METRICS, WITH_A, LossRule, distances, read_center

if TYPE_CHECKING:
    from ..._types import MetricLoss

#: distances that differ by less count as equal
TIE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bound:
    """Draws at one edge of a credible ball.

    Attributes
    ----------
    labels : (m, n) int64
        Distinct partitions, clusters by first appearance.
    distance : float
        Distance of all of them from the center.
    n_clusters : int
        Number of clusters of all of them if equal; else the smallest.
    counts : (m,) int64
        How often each was drawn.
    """

    labels: Annotated[np.ndarray, "i m n <n"] = field(metadata=POSITION)
    distance: float
    n_clusters: int
    counts: Annotated[np.ndarray, "i m >=1"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class CredibleBall(Drawn, Record):
    """A center and the draws near it that together have a given probability.

    Attributes
    ----------
    center : (n,) int64
        Clusters by first appearance.
    loss : str
        The metric.
    level : float
        The requested probability.
    radius : float
        Smallest distance that contains a share `level` of the posterior.
    coverage : float
        Share of the draws within it, at least `level`.
    n_inside, n_draws : int
        Number of draws inside, and of all draws.
    horizontal : Bound
        The draws inside that are furthest away.
    upper : Bound
        Those with the fewest clusters; if several, the furthest.
    lower : Bound
        Those with the most clusters; if several, the furthest.
    distances : (S,) float64
        Distance of every draw from the center.

    Notes
    -----
    ``to_frame()``: one row per object. Its cluster in the center and in every bound; several
    partitions of one bound are numbered, ``upper`` and ``upper_2``.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 2, 2]]
    >>> ball = softclust.credible_ball([0, 0, 1, 1], draws, level=0.7)
    >>> ball.n_inside, ball.lower.labels
    (3, array([[0, 1, 2, 2]]))
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]]
    >>> softclust.credible_ball([0, 0, 1, 1], draws).to_frame().columns.tolist()
    ['center', 'horizontal', 'upper', 'lower']
    >>> print(softclust.credible_ball([0, 0, 1, 1], draws).summary())
    Credible ball of level 0.95 (vi)
    =================================================
    bound       partitions  clusters  distance  drawn
    -------------------------------------------------
    horizontal           1         2    0.8240      1
    upper                1         2    0.8240      1
    lower                1         2    0.8240      1
    =================================================
    Radius 0.823959 around a center of 2 clusters; 3 of 3 draws inside,
      probability 1.
    horizontal: furthest from the center; upper: fewest clusters, then
      furthest; lower: most clusters, then furthest.
    """

    _chart = "plot_ball"

    center: Annotated[np.ndarray, "i n <n"] = field(metadata=POSITION)
    loss: str
    level: Annotated[float, "0..1"]
    radius: float
    coverage: float
    n_inside: int
    n_draws: int
    horizontal: Bound
    upper: Bound
    lower: Bound
    distances: Annotated[np.ndarray, "f S"]
    _naming: Any = field(default=None, repr=False)

    def _check(self) -> None:
        if any(bound.labels.shape[1] != self.center.size for bound in self.bounds.values()):
            raise ClusteringError("the bounds of a stored ball have other numbers of objects than "
                                  "its center")

    def __repr__(self) -> str:
        return (f"CredibleBall(level={self.level:g}, loss={self.loss!r}, radius={self.radius:.6g}, "
                f"{self.n_inside} of {self.n_draws} draws inside)")

    @property
    def bounds(self) -> dict[str, Bound]:
        """The three bounds by name."""
        return {"horizontal": self.horizontal, "upper": self.upper, "lower": self.lower}

    def _frame(self) -> Columns:
        columns: dict[str, np.ndarray] = {"center": self.center}
        for name, bound in self.bounds.items():
            for r, labels in enumerate(bound.labels):
                columns[name if r == 0 else f"{name}_{r + 1}"] = labels
        return Columns(columns, {None: self._naming} if isinstance(self._naming, tuple) else {})

    def _table(self) -> SummaryTable:
        bounds = self.bounds.values()
        return SummaryTable.of(
            {"bound": self.bounds, "partitions": [len(b.labels) for b in bounds],
             "clusters": [b.n_clusters for b in bounds],
             "distance": right((b.distance for b in bounds), ".4f"),
             "drawn": [int(b.counts.sum()) for b in bounds]},
            title=f"Credible ball of level {self.level:g} ({self.loss})",
            notes=[f"Radius {self.radius:.6g} around a center of {self.center.max() + 1} clusters; "
                   f"{self.n_inside} of {self.n_draws} draws inside, probability "
                   f"{self.coverage:.4g}.",
                   "horizontal: furthest from the center; upper: fewest clusters, then furthest; "
                   "lower: most clusters, then furthest."])


def credible_ball(center: ClusteringLike, draws: EnsembleLike, *, loss: MetricLoss = "vi",
                  level: float = 0.95, weights: ArrayLike | None = None) -> CredibleBall:
    r"""Find the smallest ball around a partition that has a given posterior probability.

    Parameters
    ----------
    center : array-like, shape (n,), clustering, or result
        A hard clustering, or the result of `posterior_partition` or `consensus` with one.
    draws : array-like, shape (S, n) or (chains, draws, n), or a container of draws
        As in `expected_loss`.
    loss : {"vi", "binder", "nvi", "nid", "id"}, optional
        The metric.
    level : float, optional
        Probability in (0, 1].
    weights : array-like, shape (S,), optional
        Weights >= 0 of the draws; equal by default.

    Returns
    -------
    CredibleBall

    Raises
    ------
    ClusteringError
        If draws or center are not complete hard clusterings of the same objects.
    ValueError
        If the loss is not a metric, or `level` is not in (0, 1].

    See Also
    --------
    posterior_partition : ``.ball()`` of its result is the ball around the estimate.

    Notes
    -----
    .. math:: \min \{ e : \mathrm{P}(d(c, z) \le e) \ge \mathrm{level} \}

    `radius` is the distance e of the formula, with c the center and z a draw. All draws within it
    are inside, so the result does not depend on the order of the draws or on their labels. R:
    ``mcclust.ext::credibleball`` keeps ceiling((1 - alpha) S) draws in order of distance, so that
    the order of the draws decides among ties at the radius; it counts clusters by the largest
    label, and lists relabelled copies as different partitions. Time O(S n).

    Theory: docs/theory/ensembles.md.

    References
    ----------
    S. Wade, Z. Ghahramani (2018), Bayesian cluster analysis: point estimation and credible balls,
    Bayesian Analysis 13, 559-626.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 2, 2]]
    >>> ball = softclust.credible_ball([0, 0, 1, 1], draws, level=0.5)
    >>> ball.radius, ball.coverage
    (0.0, 0.5)
    """
    rule = LossRule.of(loss)
    distinct = read_draws(draws, weights)
    return ball_around(read_center(center, distinct), distinct, rule, level)


def ball_around(center: np.ndarray, draws: Sample, rule: LossRule, level: Any) -> CredibleBall:
    """`credible_ball` of draws that were read."""
    level = check_level(level, whole=True)
    if not rule.metric:
        shape = "with a = 1 " if rule.name in WITH_A else ""
        raise ClusteringError(f"loss {rule.label!r} is not a metric, so it has no balls; 'vi' "
                              f"{shape}has, and so have "
                              + ", ".join(repr(m) for m in METRICS[1:]))
    far = distances(center, draws, rule)
    order = np.argsort(far, kind="stable")
    held = np.cumsum(draws.shares[order])
    radius = float(far[order[min(int(np.searchsorted(held, level - TIE)), far.size - 1)]])
    inside = (far <= radius + TIE) & (draws.weights > 0)
    each = far[draws.index]
    n_inside = int((inside[draws.index] & (True if draws.each is None else draws.each > 0)).sum())
    coverage = math.fsum(draws.weights[inside]) / math.fsum(draws.weights)
    among = np.flatnonzero(inside)
    clusters = draws.n_clusters[among]
    return CredibleBall(
        center=frozen(center.copy()), loss=rule.name, level=level, radius=radius,
        coverage=coverage, n_inside=n_inside, n_draws=draws.n_draws,
        horizontal=_furthest(among, far, draws),
        upper=_furthest(among[clusters == clusters.min()], far, draws),
        lower=_furthest(among[clusters == clusters.max()], far, draws),
        distances=frozen(each), _naming=draws.naming)


def _furthest(among: np.ndarray, far: np.ndarray, draws: Sample) -> Bound:
    """The draws at the greatest distance; listed by their labels."""
    radius = far[among].max()
    chosen = among[far[among] >= radius - TIE]
    rows = draws.rows[chosen].astype(np.int64)
    order = np.lexsort(rows.T[::-1])
    return Bound(labels=frozen(rows[order]), distance=float(radius),
                 n_clusters=int(draws.n_clusters[chosen].min()),
                 counts=frozen(draws.counts[chosen][order].copy()))
