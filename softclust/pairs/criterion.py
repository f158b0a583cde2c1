"""The cluster information criterion of the truecluster framework."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError, UndefinedMeasureWarning, check_choice
from .._records import Columns, Drawn, Record
from .._summary import SummaryTable, right
from .._warnings import warn
from ..clusterings import as_clustering

#: what every account of the criterion must say
INFERRED = "Inferred from published values; the defining article is not public."


@dataclass(frozen=True, slots=True, kw_only=True)
class CIC(Drawn, Record):
    """The cluster information criterion and its parts; made by `cluster_information_criterion`.

    Attributes
    ----------
    criterion : float
        information - uncertainty, in bits; larger is better, one cluster has 0.
    information : float
        What the memberships tell beyond the sizes of the clusters, in bits.
    uncertainty : float
        Mean entropy of the memberships, in bits.
    complexity : float
        Relative complexity of the model, (effective clusters - 1) / (n - 1), in [0, 1].
    effective_clusters : float
        2 to the entropy of the cluster sizes, in [1, c].
    n_objects : int
        Objects that counted.

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


def cluster_information_criterion(x: Any, *, information: str = "absolute",
                                  complexity: str = "n-1") -> CIC:
    r"""Information in a clustering minus its uncertainty, with a penalty for complexity.

    Inferred from the values printed in the matching paper: the article that defines the
    criterion is not public, and this form was found by a search over many.

    Parameters
    ----------
    x : clustering-like
        Fuzzy or hard, n objects, c clusters: typically the memberships that many resamples
        voted for. An array or data frame may have rows of nan (objects without votes), which
        are left out.
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
    clustering = as_clustering(_without_nan(x), name="x")
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
    """The criterion of memberships (n, c) that are known to be right."""
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


def _without_nan(x: Any) -> Any:
    """A float matrix or data frame without its rows of nan; anything else as it is."""
    values = x.to_numpy() if hasattr(x, "iloc") else x
    if not isinstance(values, np.ndarray) or values.ndim != 2 or values.dtype.kind != "f":
        return x
    missing = np.isnan(values).all(axis=1)
    if not missing.any():
        return x
    if missing.all():
        raise ClusteringError("x has nan in every row; at least one object needs memberships")
    warn(f"{int(missing.sum())} of {len(x)} rows of x are nan and left out",
         UndefinedMeasureWarning, stacklevel=3)
    return x[~missing]
