"""Entropies of memberships: of objects, between two clusters, and in a criterion."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np

from .._checks import (
    ClusteringError,
    UndefinedMeasureWarning,
    check_choice,
    frozen,
    read_only,
    warn_undefined,
)
from .._types import ArrayLike, ClusteringLike
from ..clusterings import as_clustering
from ..results.records import POSITION, Columns, Drawn, Record
from ..results.summary import SummaryTable, right
from ..running.threads import run_chunks
from ..running.warnings import warn
from ..tables.corrected_entropies import corrected
from . import _kernels
from .uncertainty import ROWS, _log_of_base


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairwiseEntropy(Drawn, Record):
    """Mean entropy between pairs of clusters: how much they blur.

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

    matrix: Annotated[np.ndarray, "f names names"]
    maximum: float
    pair: Annotated[tuple[int, int] | None, "distinct 2 <names"] = field(metadata=POSITION)
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


def pairwise_entropy(x: ClusteringLike, *, log_base: float = 2.0,
                     undefined: Literal["zero", "drop"] = "zero") -> PairwiseEntropy:
    r"""Mean entropy between each pair of clusters: shows which ones blur.

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
    names = clustering.cluster_names
    if clustering.hard_codes is not None:
        return _record(np.zeros((len(names), len(names))), names)
    return _record(_matrix(clustering.memberships(), unit, undefined == "drop"), names)


def pairwise_of_rows(membership: np.ndarray) -> PairwiseEntropy:
    """Compute `pairwise_entropy` in bits over the rows (n, c) without nan."""
    return _record(_matrix(membership, math.log(2.0), False),
                   tuple(range(membership.shape[1])))


def _matrix(u: np.ndarray, unit: float, drop: bool) -> np.ndarray:
    (n, c), rows = u.shape, read_only(u)
    step = max(ROWS, -(-n // max(1, (1 << 18) // (c * c))))
    sums = np.zeros((-(-n // step), c, c))
    counts = np.zeros(sums.shape, np.int64)
    run_chunks(lambda first, last: [_kernels.entropies.pair_entropies(
        rows, b * step, min(n, (b + 1) * step), sums[b], counts[b]) for b in range(first, last)],
        len(sums), 1)
    total, count = sums.sum(axis=0), counts.sum(axis=0)
    used = count if drop else count.diagonal()[:, None]
    matrix = np.maximum(total, 0.0) / (unit * np.maximum(used, 1))
    return matrix + matrix.T


def _record(matrix: np.ndarray, names: tuple[Any, ...]) -> PairwiseEntropy:
    c = matrix.shape[0]
    if c < 2:
        maximum = warn_undefined("pairwise_entropy", "there is one cluster, and no pair")
        return PairwiseEntropy(matrix=frozen(matrix), maximum=maximum, pair=None, names=names)
    rows, columns = np.triu_indices(c, 1)
    best = int(np.argmax(matrix[rows, columns]))
    return PairwiseEntropy(matrix=frozen(matrix), maximum=float(matrix[rows[best], columns[best]]),
                           pair=(int(rows[best]), int(columns[best])), names=names)


def corrected_entropy(counts: ArrayLike) -> float:
    r"""Entropy estimated from a sample, corrected for bias and unseen values, in nats.

    Parameters
    ----------
    counts : array-like, shape (k,)
        Number of objects with each value: whole numbers >= 0, not all of them 0. Their order and
        zeros do not matter.

    Returns
    -------
    float
        In nats, >= 0; 0 for a single value. Finite even if every object has its own value.

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
    intervals of information measures are built on it. Time O(k log k). R: ``sc_corrected_entropy``.

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
    values = np.asarray(counts)
    if values.ndim != 1 or values.dtype.kind not in "iuf":
        raise ClusteringError(f"counts has shape {values.shape} and dtype {values.dtype}; a vector "
                              "of whole numbers is needed")
    with np.errstate(invalid="ignore"):
        whole = values.astype(np.int64)
    if not values.size or (whole != values).any() or whole.min() < 0 or not whole.any():
        raise ClusteringError("counts are whole numbers >= 0, below 2^63 and not all of them 0")
    return corrected(whole)


# -- information minus uncertainty -----------------------------------------------------------------
#: note that goes with every description of the criterion
INFERRED = "Inferred from published values; the defining article is not public."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CIC(Drawn, Record):
    """The cluster information criterion and its parts; made by `cluster_information_criterion`.

    Attributes
    ----------
    criterion : float
        information - uncertainty, in bits; larger is better, one cluster has 0.
    information : float
        Information in the memberships beyond the sizes of the clusters, in bits.
    uncertainty : float
        Mean entropy of the memberships, in bits.
    complexity : float
        Relative complexity of the model, (effective clusters - 1) / (n - 1), in [0, 1].
    effective_clusters : float
        2 to the entropy of the cluster sizes, in [1, c].
    n_objects : int
        Number of objects used.

    Notes
    -----
    ``to_frame()``: one row with the parts as columns.

    Examples
    --------
    >>> import softclust
    >>> softclust.cluster_information_criterion([0, 0, 1, 1]).criterion
    0.6666666666666667
    >>> frame = softclust.cluster_information_criterion([0, 0, 1, 1]).to_frame()
    >>> float(frame.loc[0, "uncertainty"])
    0.0
    >>> print(softclust.cluster_information_criterion([0, 0, 1, 1]).summary())
    Cluster information criterion, 4 objects
    ===========================
    part                  value
    ---------------------------
    information          0.6667
    uncertainty          0.0000
    criterion            0.6667
    relative complexity  0.3333
    effective clusters   2.0000
    ===========================
    Bits; criterion = information - uncertainty, larger is better, one
      cluster has 0.
    Inferred from published values; the defining article is not public.
    """

    _chart = "plot_criterion"

    criterion: float
    information: float
    uncertainty: float
    complexity: float
    effective_clusters: float
    n_objects: int

    def _frame(self) -> Columns:
        return Columns({name: [getattr(self, name)] for name in (
            "criterion", "information", "uncertainty", "complexity", "effective_clusters",
            "n_objects")})

    def _table(self) -> SummaryTable:
        values = {"information": self.information, "uncertainty": self.uncertainty,
                  "criterion": self.criterion, "relative complexity": self.complexity,
                  "effective clusters": self.effective_clusters}
        return SummaryTable.of(
            {"part": values, "value": right(values.values(), ".4f")},
            title=f"Cluster information criterion, {self.n_objects} objects",
            notes=["Bits; criterion = information - uncertainty, larger is better, one cluster "
                   "has 0.", INFERRED])


def cluster_information_criterion(x: ClusteringLike, *,
                                  information: Literal["absolute", "signed"] = "absolute",
                                  complexity: Literal["n-1", "n"] = "n-1") -> CIC:
    r"""Information in a clustering minus its uncertainty, with a penalty for complexity.

    The article that defines the criterion is not public: this formula was inferred from values
    printed in the paper on matching, by a search over many candidates.

    Parameters
    ----------
    x : clustering-like
        Fuzzy or hard, n objects, c clusters: typically memberships from the votes of many
        resamples. An array or data frame may have rows of nan (objects without votes), which are
        left out.
    information : {"absolute", "signed"}
        "signed" is the second best form that was found; both agree for hard clusterings.
    complexity : {"n-1", "n"}
        Divisor of the relative complexity.

    Returns
    -------
    CIC
        In bits; the criterion lies in [-log2 c, log2 c]. One cluster: all parts 0. One object:
        complexity, information and criterion are nan unless there is one effective cluster.

    Raises
    ------
    ClusteringError
        If x is neither fuzzy nor hard, or no row is left.

    Warns
    -----
    UndefinedMeasureWarning
        If rows of nan are left out.

    See Also
    --------
    cluster_number, mmcc, membership_entropy

    Notes
    -----
    .. math::

        \mathrm{CIC} = I - H, \quad I = \left( 1 - \frac{N - 1}{n - 1} \right)
        \frac{1}{n} \sum_{ik} - P_{ik} \log_2 (1 - | P_{ik} - p_k |)

    P are the memberships, p_k the mean of column k, H the mean entropy of a row of P in bits, and
    N = 2^(-sum p_k log2 p_k) the effective number of clusters. "signed" has P_ik |log2(1 - (P_ik -
    p_k))| in the sum. For a hard clustering I = (1 - (N - 1)/(n - 1)) log2 N. The order of
    clusters and empty clusters change nothing. Time and memory O(n c).

    Theory: docs/theory/truecluster.md.

    References
    ----------
    J. Oehlschlaegel, "Truecluster matching", arXiv:0705.4302 (2007), table 7.

    Examples
    --------
    >>> import softclust
    >>> halves = [[0.54, 0.46]] * 50 + [[0.46, 0.54]] * 50
    >>> cic = softclust.cluster_information_criterion(halves)
    >>> round(cic.uncertainty, 4), round(cic.information, 4), round(cic.criterion, 4)
    (0.9954, 0.0583, -0.9371)
    """
    check_choice("information", information, ("absolute", "signed"))
    check_choice("complexity", complexity, ("n-1", "n"))
    # rows of nan of a float matrix or frame are objects without votes
    given: Any = x
    values = given.to_numpy() if hasattr(given, "iloc") else given
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.dtype.kind == "f":
        missing = np.isnan(values).all(axis=1)
        if missing.all() and missing.size:
            raise ClusteringError("x has nan in every row; at least one object needs memberships")
        if missing.any():
            warn(f"{int(missing.sum())} of {len(values)} rows of x are nan and left out",
                 UndefinedMeasureWarning, stacklevel=2)
            given = given[~missing]

    clustering = as_clustering(given, name="x")
    n = clustering.n_objects
    if (codes := clustering.hard_codes) is not None:
        sizes = np.bincount(codes)
        sizes = sizes[sizes > 0]
        entropy = float(-(sizes / n * np.log2(sizes / n)).sum())
        return _criterion(entropy, entropy, 0.0, n, complexity)
    return criterion_of_rows(clustering.memberships(), information=information,
                             complexity=complexity)


def criterion_of_rows(membership: np.ndarray, *, information: str = "absolute",
                      complexity: str = "n-1") -> CIC:
    """The criterion of memberships (n, c) that were checked already."""
    n = membership.shape[0]
    shares = membership.mean(axis=0)
    used = shares > 0
    entropy = float(-(shares[used] * np.log2(shares[used])).sum())
    some = membership > 0
    logs = np.log2(membership, out=np.zeros_like(membership), where=some)
    uncertainty = float(-(membership * logs).sum() / n)
    distance = membership - shares
    if information == "absolute":
        distance = np.abs(distance)
    # 1 - |P - p| >= 1/n where P > 0
    np.log2(1.0 - distance, out=logs, where=some)
    told = float((membership * np.abs(logs)).sum() / n)
    return _criterion(entropy, told, uncertainty, n, complexity)


def _criterion(entropy: float, told: float, uncertainty: float, n: int, complexity: str) -> CIC:
    # A sum of shares may round to a hair from 1, an entropy to a hair below 0.
    effective = max(2.0 ** entropy, 1.0)
    excess = effective - 1.0
    divisor = n - 1 if complexity == "n-1" else n
    if divisor > 0:
        relative = excess / divisor
    else:
        relative = 0.0 if excess == 0.0 else math.nan
    value = (1.0 - relative) * told
    value += 0.0   # no -0
    return CIC(criterion=value - uncertainty, information=value, uncertainty=uncertainty + 0.0,
               complexity=relative, effective_clusters=effective, n_objects=n)
