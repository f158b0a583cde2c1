"""Losses of an estimated partition at posterior draws, and their expectation."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..._checks import ClusteringError, check_choice
from ..._types import ArrayLike, ClusteringLike, EnsembleLike, Loss
from ...clusterings import Clustering, Ensemble, as_clustering
from ...clusterings.objects import check_same_objects
from ...measures import get_measure, registry
from ...running.threads import run_chunks
from ...tables.entropy import Information
from ...tables.sum_formula import Formula
from ...tables.sums import SQUARE, T_LOG_T, Phi, Sums
from . import _kernels
from ._draws import Sample, read_draws

#: losses by name; others are measures
LOSSES = ("vi", "binder", "nvi", "nid", "id", "omari")
#: those that satisfy the triangle inequality (with a = 1)
METRICS = ("vi", "binder", "nvi", "nid", "id")
#: those that have `a`, which are linear in the sums, with the power of n that divides these
WITH_A = {"vi": 1, "binder": 2}
#: steps of the kernel in one task of the thread pool
_STEPS = 1 << 24


def expected_loss(estimates: ClusteringLike | EnsembleLike, draws: EnsembleLike, *,
                  loss: Loss = "vi", a: float = 1.0, weights: ArrayLike | None = None
                  ) -> np.ndarray:
    r"""Compute the mean loss of estimated partitions over posterior draws.

    Parameters
    ----------
    estimates : array-like, shape (n,) or (m, n), clustering, Ensemble, or list of these
        One hard clustering or several; also results that contain one, as of `posterior_partition`.
    draws : array-like, shape (S, n) or (chains, draws, n), or a container of draws
        Whole numbers. Each row of an array is a draw, as in ArviZ and salso; a DataFrame has one
        row per object and one column per draw. Also an xarray or ArviZ array with the dimensions
        chain and draw, or a complete `Ensemble`. Labels are names: each draw may number its
        clusters in its own way.
    loss : {"vi", "binder", "nvi", "nid", "id", "omari"} or a measure, optional
        See Notes. Any measure of hard clusterings that is a formula on sums over the table: a
        dissimilarity itself, an agreement subtracted from its largest value.
    a : float, optional
        Cost of splitting objects that belong together, in (0, 2); 2 - a is the cost of joining
        objects that do not. Only for "vi" and "binder".
    weights : array-like, shape (S,), optional
        Weights >= 0 of the draws; equal by default.

    Returns
    -------
    ndarray of shape (m,)
        Nats for "vi" and "id"; 0 for an estimate that equals every draw.

    Raises
    ------
    ClusteringError
        If draws or estimates are not complete hard clusterings of the same objects.
    ValueError
        If `loss` is unknown, or `a` is not in (0, 2) or given with another loss.

    See Also
    --------
    posterior_partition : finds the estimate with the smallest expected loss.

    Notes
    -----
    .. math:: \frac{1}{S} \sum_s L(c, z_s)

    For an estimate c and a draw z with entropies H in nats and mutual information I:

    - "vi": a H(c|z) + (2 - a) H(z|c), the variation of information for a = 1.
    - "binder": 2/n^2 times (a x pairs together in z but apart in c, plus (2 - a) x pairs together
      in c but apart in z).
    - "nvi": 1 - I / H(c, z).
    - "nid": 1 - I / max(H(c), H(z)).
    - "id": max(H(c), H(z)) - I.
    - "omari": 1 - adjusted Rand index.

    Time O(S n) per estimate, memory O(S n) bytes. R: ``salso::partition.loss`` with ``VI(a)``
    and ``id``, which are in bits (times log 2 gives nats), ``binder(a)`` and ``omARI``;
    ``mcclust`` gives Binder's loss times n^2/2. The criterion ``VI.lb`` of ``mcclust.ext`` is
    not offered: despite its name it is not a lower bound of the expected loss.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    S. Wade, Z. Ghahramani (2018), Bayesian cluster analysis: point estimation and credible balls,
    Bayesian Analysis 13, 559-626.
    D. B. Dahl, D. J. Johnson, P. Müller (2022), Search algorithms and loss functions for Bayesian
    clustering, Journal of Computational and Graphical Statistics 31, 1189-1201.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0, 0, 1, 1], [5, 5, 2, 2], [0, 1, 2, 2]]
    >>> softclust.expected_loss([[0, 0, 1, 1], [0, 0, 0, 0]], draws).round(4)
    array([0.1155, 0.8087])
    """
    rule = LossRule.of(loss, a)
    distinct = read_draws(draws, weights)
    rows = read_estimates(estimates, distinct)
    return np.array([distinct.mean(distances(row, distinct, rule)) for row in rows])


class LossRule:
    """A loss with its `a`: those of `LOSSES` and any measure that is a formula on sums of phi."""

    __slots__ = ("a", "measure", "name", "power")

    def __init__(self, name: str, a: float) -> None:
        self.name, self.a = name, a
        #: of n, by which sums are divided; 0 where the loss is not linear in them
        self.power = WITH_A.get(name, 0)
        #: the name of the measure that it is, or that is taken from its largest value
        self.measure = next((m.name for m in registry().values() if name in (m.loss, m.name)), "")

    @classmethod
    def of(cls, loss: Any, a: Any = 1.0) -> LossRule:
        """Validate user input: `loss` is one of `LOSSES`, or the name of a measure."""
        name = loss
        if not isinstance(loss, str) or loss not in LOSSES:
            try:
                m = get_measure(loss)
            except ValueError:
                check_choice("loss", loss, LOSSES)   # raises: lists what there is to choose
                raise
            if not m.of_sums:
                raise ValueError(f"loss={loss!r}: {m.name} is not a formula on sums over the table "
                                 "of counts, so it is not a loss")
            if m.sense == "agreement" and (callable(m.bounds) or None in m.bounds):
                raise ValueError(f"loss={loss!r}: {m.name} has no fixed range, so it is not a loss")
            name = m.loss or m.name
        try:
            value = float(a)
        except (TypeError, ValueError):
            raise ValueError(f"a is {a!r}; a number in (0, 2) is needed") from None
        if not 0.0 < value < 2.0:
            raise ValueError(f"a is {a}; a number in (0, 2) is needed: 1 weighs both kinds of "
                             "error alike")
        if value != 1.0 and name not in WITH_A:
            raise ValueError(f"a belongs to the losses 'vi' and 'binder'; {name!r} has none: "
                             "leave it out")
        return cls(name, value)

    @property
    def plain(self) -> LossRule:
        """The same with a = 1."""
        return LossRule(self.name, 1.0)

    @property
    def triangle(self) -> bool:
        """True if the triangle inequality holds for a = 1."""
        return self.name in METRICS or bool(self.measure and any(
            not claim.options and claim.kinds is None
            for claim in get_measure(self.measure).claims("metric")))

    @property
    def metric(self) -> bool:
        """True if the triangle inequality and symmetry hold."""
        return self.triangle and self.a == 1.0

    @property
    def label(self) -> str:
        """The name, with `a` where it is not 1."""
        return self.name if self.a == 1.0 else f"{self.name} (a = {self.a:g})"

    @property
    def phi(self) -> Phi:
        """The function of whose sums it is a function."""
        if self.name == "binder":
            return SQUARE
        return _formula(self.measure).phi if self.measure else T_LOG_T

    def f(self, n: int) -> np.ndarray:
        """phi(0), ..., phi(n)."""
        return np.asarray(self.phi.values(np.arange(n + 1, dtype=np.float64)))

    def steps(self, n: int) -> np.ndarray:
        """phi(t + 1) - phi(t) for t = 0, ..., n."""
        t = np.arange(n + 1, dtype=np.float64)
        if self.phi is SQUARE:
            return 2.0 * t + 1.0
        one = np.maximum(t, 1.0)
        return np.where(t > 0, np.log(one) + (t + 1.0) * np.log1p(1.0 / one), 0.0)

    def values(self, joint: np.ndarray, estimate: Any, drawn: Any, n: int) -> np.ndarray:
        """Losses from sums of phi over cells, clusters of the estimate and those of draws."""
        if n < 1:
            return np.zeros(joint.shape)
        if self.power:
            return np.maximum(0.0, (self.a * drawn + (2.0 - self.a) * estimate - 2.0 * joint)
                              / float(n) ** self.power)
        sums = Sums(n=n, cells=joint, rows=estimate, columns=drawn)
        if self.name == "id":
            i = Information.from_sums(sums)
            return np.where(sums.equal, 0.0, np.maximum(i.h_x, i.h_y) - i.mutual)
        formula = _formula(self.measure)
        value, bounds = formula.of(sums), formula.measure.bounds
        low, high = (-np.inf, np.inf) if callable(bounds) else (
            -np.inf if bounds[0] is None else bounds[0], np.inf if bounds[1] is None else bounds[1])
        agreement = formula.measure.sense == "agreement"
        # What is undefined is as far apart as can be.
        value = np.where(np.isnan(value), low if agreement else high, value)
        return np.maximum(0.0, high - value) if agreement else value


@functools.cache
def _formula(measure: str) -> Formula:
    return Formula(get_measure(measure))


def distances(labels: np.ndarray, draws: Sample, rule: LossRule) -> np.ndarray:
    """Losses (D,) of one estimate, labels 0, ..., c - 1, at the distinct draws."""
    f = rule.f(labels.size)
    return _losses_to(np.asarray(labels), draws, rule, sums_of_sizes(draws, f), f,
                      np.arange(draws.n_distinct))


def _losses_to(labels: np.ndarray, draws: Sample, rule: LossRule, drawn: np.ndarray, f: np.ndarray,
               chosen: np.ndarray) -> np.ndarray:
    """Losses of one estimate at the chosen distinct draws, whose sums of sizes are `drawn`."""
    sizes = np.bincount(labels)
    begins = np.concatenate([[0], np.cumsum(sizes)])
    order = np.argsort(labels, kind="stable")
    columns = int(draws.n_clusters.max())
    out = np.empty(chosen.size)

    def work(start: int, stop: int) -> None:
        _kernels.search.joint_sums(begins, order, draws.rows, chosen, draws.n_clusters, f,
                                   np.zeros((2, columns), np.int64), out, start, stop)

    run_chunks(work, chosen.size, max(1, _STEPS // labels.size))
    return rule.values(out, float(f[sizes].sum()), drawn[chosen], labels.size)


def sums_of_sizes(draws: Sample, f: np.ndarray) -> np.ndarray:
    """B of every distinct draw."""
    return np.array([f[np.bincount(row)].sum() for row in draws.rows])


def between(chosen: np.ndarray, draws: Sample, rule: LossRule, drawn: np.ndarray, f: np.ndarray
            ) -> np.ndarray:
    """Losses with a = 1 between the chosen distinct draws, (b, b)."""
    out, rule = np.zeros((chosen.size, chosen.size)), rule.plain

    def work(start: int, stop: int) -> None:
        for p in range(start, stop):
            out[p, p + 1:] = _losses_to(draws.rows[chosen[p]], draws, rule, drawn, f,
                                        chosen[p + 1:])

    run_chunks(work, chosen.size, max(1, _STEPS // (draws.n_objects * chosen.size)))
    return out + out.T


def canonical(labels: np.ndarray) -> np.ndarray:
    """Labels >= 0 renumbered by first appearance, int64."""
    _, first, codes = np.unique(labels, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[codes.reshape(-1)])


def read_estimates(estimates: Any, draws: Sample, name: str = "estimates") -> np.ndarray:
    """Hard clusterings (m, n) of the objects of the draws, labels by first appearance."""
    if hasattr(estimates, "columns"):   # of a frame a column is a clustering
        estimates = Ensemble(estimates)
    clusterings = [estimates] if _single(estimates) else list(estimates)
    if not clusterings:
        raise ClusteringError(f"{name} is empty; at least one clustering is needed")
    return np.stack([_labels(c, draws, name) for c in clusterings])


def read_center(center: Any, draws: Sample) -> np.ndarray:
    """One hard clustering of the objects of the draws, labels by first appearance."""
    rows = read_estimates(center, draws, "center")
    if len(rows) != 1:
        raise ClusteringError(f"center holds {len(rows)} clusterings; one is needed")
    return np.asarray(rows[0])


def _single(estimates: Any) -> bool:
    """Return True for one clustering: a clustering, a result that has one, or a row of labels."""
    if isinstance(estimates, Clustering) or not hasattr(estimates, "__len__"):
        return True
    if hasattr(estimates, "clusterings") or not len(estimates):
        return False
    try:
        return np.ndim(estimates) == 1 and not any(
            isinstance(v, Clustering) or hasattr(v, "clustering") for v in estimates)
    except ValueError:   # rows of different lengths
        return False


def _labels(estimate: Any, draws: Sample, name: str) -> np.ndarray:
    estimate = getattr(estimate, "clustering", estimate)   # of a result
    clustering = as_clustering(estimate, name=name).as_hard(name)
    if clustering.n_objects != draws.n_objects:
        raise ClusteringError(f"{name} has {clustering.n_objects} objects and the draws have "
                              f"{draws.n_objects}; the same objects are needed")
    check_same_objects((("the draws", draws.object_names), (name, clustering.matched_names)))
    return canonical(clustering.labels)
