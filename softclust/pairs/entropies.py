"""Entropies of memberships: of objects, and between two clusters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, frozen, warn_undefined
from .._records import Columns, Drawn, Record
from .._summary import SummaryTable
from ..clusterings import as_clustering
from ..tables.corrected_entropies import corrected
from .uncertainty import _log_of_base


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairwiseEntropy(Drawn, Record):
    """How much pairs of clusters blur.

    Attributes
    ----------
    matrix : (c, c) float64
        Mean over the objects of the entropy between clusters l and m; symmetric, 0 on the
        diagonal. In [0, 1] for base 2.
    maximum : float
        Its largest entry off the diagonal; nan for one cluster.
    pair : (int, int) or None
        The clusters l < m of the maximum, the first ones on ties.
    names : tuple
        Names of the clusters.

    Notes
    -----
    ``to_frame()``: the matrix, rows and columns named after the clusters.

    Examples
    --------
    >>> import softclust
    >>> result = softclust.pairwise_entropy([[0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    >>> result.maximum, result.pair
    (0.5, (0, 1))
    """

    _chart = "plot_pairwise_entropy"

    matrix: np.ndarray
    maximum: float
    pair: tuple[int, int] | None
    names: tuple[Any, ...]

    def _frame(self) -> Columns:
        return Columns.of_matrix(self.matrix, self.names, self.names)

    def _table(self) -> SummaryTable:
        c = self.matrix.shape[0]
        pairs = sorted(((float(self.matrix[l, m]), l, m) for l in range(c)
                        for m in range(l + 1, c)), key=lambda row: (-row[0], row[1:]))
        rows = [[str(self.names[l]), str(self.names[m]), f"{value:.4f}"] for value, l, m in pairs]
        return SummaryTable(rows, ["cluster", "cluster", "entropy"], aligns="llr",
                            title="Pairwise entropy", notes=["mean over the objects"])


def pairwise_entropy(x: Any, *, log_base: float = 2.0, undefined: str = "zero") -> PairwiseEntropy:
    r"""Mean entropy between each two clusters: which ones blur.

    Parameters
    ----------
    x : clustering-like
        n objects, c clusters; fuzzy or hard.
    log_base : float
        Base of the logarithm, above 1: 2 for bits, ``math.e`` for nats.
    undefined : {"zero", "drop"}
        An object outside both clusters counts as 0, or is left out of the mean for that pair
        (0 when all are).

    Returns
    -------
    PairwiseEntropy
        Entries in [0, log 2 to the base]; all 0 for a hard clustering. With one cluster there is
        no pair: maximum nan with a warning.

    Raises
    ------
    ClusteringError
        If x is neither fuzzy nor hard, or log_base is not above 1.

    Warns
    -----
    UndefinedMeasureWarning
        If there is one cluster.

    See Also
    --------
    membership_entropy, cluster_number, BayesianBaggedClustering

    Notes
    -----
    .. math::

        \max_{l<m} \frac{1}{n} \sum_i S_{lm}(u_i), \quad S_{lm}(u) = h \left( \frac{u_l}{u_l +
        u_m} \right)

    h(q) = -q log q - (1-q) log(1-q) is the entropy of two shares; its last term is misprinted in
    the paper. For two clusters the maximum equals `membership_entropy`. Time O(n c^2), memory
    O(n).

    Theory: docs/theory/bagging.md.

    References
    ----------
    F. M. Quetti, S. Figini, E. Ballante, "A Bayesian approach to clustering via the proper
    Bayesian bootstrap: the Bayesian Bagged Clustering (BBC) algorithm".

    Examples
    --------
    >>> import softclust
    >>> softclust.pairwise_entropy([[0.75, 0.25, 0.0], [0.0, 0.5, 0.5]]).matrix.round(4)
    array([[0.    , 0.4056, 0.    ],
           [0.4056, 0.    , 0.5   ],
           [0.    , 0.5   , 0.    ]])
    """
    clustering = as_clustering(x, name="x")
    unit = _log_of_base(log_base)
    check_choice("undefined", undefined, ("zero", "drop"))
    names = tuple(clustering.cluster_names or range(clustering.n_clusters))
    if clustering.hard_codes is not None:
        return _record(np.zeros((len(names), len(names))), names)
    return _record(_matrix(clustering.memberships(), unit, undefined == "drop"), names)


def pairwise_of_rows(membership: np.ndarray, *, log_base: float = 2.0) -> PairwiseEntropy:
    """As `pairwise_entropy`, over the rows (n, c) without nan."""
    rows = membership[~np.isnan(membership).any(axis=1)]
    return _record(_matrix(rows, math.log(log_base), False), tuple(range(membership.shape[1])))


def row_entropies(membership: np.ndarray, *, log_base: float = 2.0) -> np.ndarray:
    """Entropy of each row (n, c), nan where a row has nan."""
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(membership > 0, np.log(membership), 0.0)
    entropies = -(membership * logs).sum(axis=1) / math.log(log_base)
    return np.asarray(np.maximum(entropies, 0.0))


def _matrix(u: np.ndarray, unit: float, drop: bool) -> np.ndarray:
    n, c = u.shape
    matrix = np.zeros((c, c))
    for l in range(c):
        for m in range(l + 1, c):
            both = u[:, l] + u[:, m]
            inside = both > 0
            count = int(inside.sum()) if drop else n
            if not inside.any():
                continue
            q = u[inside, l] / both[inside]
            p = u[inside, m] / both[inside]
            total = sum(float((v[v > 0] * np.log(v[v > 0])).sum()) for v in (q, p))
            matrix[l, m] = matrix[m, l] = max(0.0, -total) / (unit * count)
    return matrix


def _record(matrix: np.ndarray, names: tuple[Any, ...]) -> PairwiseEntropy:
    c = matrix.shape[0]
    if c < 2:
        maximum = warn_undefined("pairwise_entropy", "there is one cluster, and no pair")
        return PairwiseEntropy(matrix=frozen(matrix), maximum=maximum, pair=None, names=names)
    rows, columns = np.triu_indices(c, 1)
    best = int(np.argmax(matrix[rows, columns]))
    return PairwiseEntropy(matrix=frozen(matrix), maximum=float(matrix[rows[best], columns[best]]),
                           pair=(int(rows[best]), int(columns[best])), names=names)


def corrected_entropy(counts: Any) -> float:
    r"""Entropy behind a sample, corrected for bias and for values that were not seen, in nats.

    Parameters
    ----------
    counts : array-like, shape (k,)
        How many objects have each value: whole numbers >= 0, not all of them 0. Their order and
        zeros do not matter.

    Returns
    -------
    float
        In nats, >= 0; 0 for a single value. Finite also where every object has a value of its own.

    Raises
    ------
    ClusteringError
        If `counts` are not such numbers.

    See Also
    --------
    membership_entropy, mutual_information

    Notes
    -----
    .. math::

        \sum_x \frac{x}{n} \sum_{k=x}^{n-1} \frac{1}{k} + \frac{f_1}{n} \sum_{r \ge n}
        \frac{q^{r-n+1}}{r}, \quad q = 1 - A

    The estimate of Chao, Wang and Jost. The first sum is over the values, x being the count of
    each; f1 values are seen once and f2 twice; A = 2 f2 / ((n-1) f1 + 2 f2), or 2 / ((n-1)(f1-1) +
    2) for f2 = 0. The plug-in entropy is too small by about (v-1)/(2n) for v values. Confidence
    limits of information measures are built on it. Time O(k log k). R: ``sc_corrected_entropy``.

    Theory: docs/theory/limits.md.

    References
    ----------
    A. Chao, Y. T. Wang, L. Jost (2013), Entropy and the species accumulation curve, Methods in
    Ecology and Evolution 4, 1091-1100.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.corrected_entropy([5, 3, 2, 1, 1]), 12)
    1.705173959816
    """
    given = np.asarray(counts)
    if given.ndim != 1 or given.dtype.kind not in "iuf":
        raise ClusteringError(f"counts has shape {given.shape} and dtype {given.dtype}; a vector "
                              "of whole numbers is needed")
    with np.errstate(invalid="ignore"):
        whole = given.astype(np.int64)
    if not given.size or (whole != given).any() or whole.min() < 0 or not whole.any():
        raise ClusteringError("counts are whole numbers >= 0, below 2^63 and not all of them 0")
    return corrected(whole)
