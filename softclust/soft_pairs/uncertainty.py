"""Uncertainty of one clustering.

Measures of the uncertainty of one clustering.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, shown
from .._types import ClusteringLike, FuzzinessMethod
from ..clusterings import RoughClustering, as_clustering
from ..measures import KINDS, Claim, RCall, measure
from ..running.threads import run_chunks
from .bilinear import relation_sums
from .pair_rows import pair_totals, side
from .pair_sums import PAIR_COST

#: rows of memberships in a block
ROWS = 1 << 13


@measure(
    sense="uncertainty", kinds=KINDS, bounds=(0.0, 1.0), properties=["relabelling-invariant"],
    cost="O(n f)", source="Masson & Denoeux 2008; Campagner, Ciucci & Denoeux 2023, section 2",
    r="evclust::extractMass(x$mass, x$F, method = '')$N",
)
def nonspecificity(x: ClusteringLike) -> float:
    r"""Mean nonspecificity: size of the sets of clusters that carry mass.

    Parameters
    ----------
    x : clustering-like
        n objects, c clusters, any kind.

    Returns
    -------
    float
        In [0, 1]: 0 for hard and fuzzy clusterings and for one cluster, 1 when every object has
        all its mass on the set of all clusters, or on the empty set.

    Raises
    ------
    ClusteringError
        If x is not a clustering.

    See Also
    --------
    pair_nonspecificity
    fuzziness

    Notes
    -----
    .. math::

        \frac{1}{n \log c} \sum_i \left( \sum_{A \ne \emptyset} m_i(A) \log |A| + m_i(\emptyset)
        \log c \right)

    with m_i the masses of object i on sets of clusters.

    Mass on the empty set counts as total ignorance. Time O(n f) for f focal sets, O(n c log c) for
    possibilistic clusterings, memory of one copy of x at most. R: the field ``N`` of the result of
    ``evclust::extractMass`` (``evclust::nonspecificity`` is for pairs of objects).

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    M.-H. Masson, T. Denoeux (2008), ECM: an evidential version of the fuzzy c-means algorithm,
    Pattern Recognition 41, 1384-1397.
    A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
    soft clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.EvidentialClustering.from_dicts([{"a": 1.0}, {"b": 0.5, ("a", "b"): 0.5}])
    >>> softclust.nonspecificity(x)
    0.25
    """
    clustering = as_clustering(x, name="x")
    n, c = clustering.n_objects, clustering.n_clusters
    table = clustering.mass_table()
    if c == 1 or (table.all_single and not table.nonempty.size):
        return 0.0
    weights = np.log(table.sets.sum(axis=1))
    total = ((table.mass * weights[table.index]).sum() if table.index.size
             else np.einsum("if,f->", table.mass, weights))
    total += clustering.empty_mass.sum() * math.log(c)
    return min(max(float(total) / (n * math.log(c)), 0.0), 1.0)


@measure(
    sense="uncertainty", kinds=("hard", "fuzzy"), bounds=(0.0, None),
    properties=["relabelling-invariant"], cost="O(n c)",
    source="Quetti, Figini & Ballante, Bayesian Bagged Clustering, S",
)
def membership_entropy(x: ClusteringLike, *, log_base: float = 2.0, average: bool = True
                       ) -> float | np.ndarray:
    r"""Entropy of the memberships of the objects, in bits.

    Parameters
    ----------
    x : clustering-like
        n objects, c clusters; fuzzy or hard.
    log_base : float
        Base of the logarithm, above 1: 2 for bits, ``math.e`` for nats.
    average : bool
        Whether to return the mean over the objects, or one value per object.

    Returns
    -------
    float, or ndarray of shape (n,)
        In [0, log c to the base]: 0 for hard clusterings and for one cluster, the largest when
        all memberships of an object are 1/c.

    Raises
    ------
    ClusteringError
        If x is neither fuzzy nor hard, or log_base is not above 1.

    See Also
    --------
    fuzziness
    nonspecificity

    Notes
    -----
    .. math:: \frac{1}{n} \sum_i S(u_i), \quad S(u_i) = - \sum_k u_{ik} \log u_{ik}

    0 log 0 is 0. Time O(n c), memory O(n).

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    F. M. Quetti, S. Figini, E. Ballante (2024), A Bayesian approach to clustering via the proper
    Bayesian bootstrap: the Bayesian bagged clustering (BBC) algorithm, arXiv 2409.08954.

    Examples
    --------
    >>> import softclust
    >>> softclust.membership_entropy([[0.5, 0.5], [1.0, 0.0]])
    0.5
    >>> softclust.membership_entropy([[0.5, 0.5], [1.0, 0.0]], average=False)
    array([1., 0.])
    """
    clustering = as_clustering(x, name="x")
    unit = _log_of_base(log_base)
    entropies = row_entropies(clustering.memberships(), unit)
    return float(entropies.mean()) if average else entropies


def row_entropies(membership: np.ndarray, unit: float = math.log(2.0)) -> np.ndarray:
    """Entropy of each row (n, c) in units of `unit` nats, nan where a row has nan."""
    out = np.empty(membership.shape[0])
    step = max(1, (1 << 14) // max(1, membership.shape[1]))   # in the cache of a core

    def work(start: int, stop: int) -> None:
        for first in range(start, stop, step):
            rows = np.ascontiguousarray(membership[first:min(first + step, stop)])
            logs = np.maximum(rows, 1e-320)   # 0 log 0 is 0
            np.log(logs, out=logs)   # in registers of several numbers, which a kernel has not
            np.einsum("ik,ik->i", rows, logs, out=out[first:first + len(rows)])

    run_chunks(work, out.size, ROWS)
    out /= -unit
    np.maximum(out, 0.0, out=out)
    out += 0.0   # no -0.0
    return out


def _log_of_base(log_base: Any) -> float:
    try:
        value = float(log_base)
    except (TypeError, ValueError):
        raise TypeError(f"log_base must be a number above 1, not {shown(log_base)}") from None
    if not 1.0 < value < math.inf:
        raise ClusteringError(f"log_base is {log_base}; a number above 1 is needed (2 for bits, "
                              "math.e for nats)")
    return math.log(value)


@measure(
    sense="uncertainty", kinds=KINDS, bounds=(0.0, 1.0), properties=["relabelling-invariant"],
    cost="O(n f^2)", source="Denoeux, Li, Sriboonchitta 2018",
    r="evclust::nonspecificity(evclust::pairwise_mass(x))",
)
def pair_nonspecificity(x: ClusteringLike) -> float:
    r"""Mean mass that a clustering leaves undecided about pairs of objects.

    Parameters
    ----------
    x : clustering-like
        n >= 2 objects, any kind.

    Returns
    -------
    float
        Mean over pairs i < j of the mass on "undetermined" plus the mass on the empty set, in
        [0, 1]; 0 for hard and fuzzy clusterings.

    Raises
    ------
    ClusteringError
        If x has fewer than 2 objects.

    See Also
    --------
    nonspecificity
    credal_rand_index

    Notes
    -----
    .. math::

        \frac{2}{n(n-1)} \sum_{i<j} \left( m_{ij}(\{\mathrm{together}, \mathrm{apart}\}) +
        m_{ij}(\emptyset) \right)

    Sums over the objects are enough: time O(n f^2) for f focal sets, memory O(n). A loop over
    pairs, O(n^2 f), is used instead when it is cheaper. R:
    ``evclust::nonspecificity(evclust::pairwise_mass(x))``.

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    T. Denoeux, S. Li, S. Sriboonchitta, "Evaluating and comparing soft partitions: an approach
    based on Dempster-Shafer theory", IEEE Trans. Fuzzy Systems 26 (2018) 1231-1244.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1]])
    >>> round(softclust.pair_nonspecificity(x), 4)
    0.6667
    """
    x = as_clustering(x, name="x")
    n = x.n_objects
    if n < 2:
        raise ClusteringError("x has 1 object; at least 2 are needed to form pairs")
    if x.has_memberships:
        return 0.0
    n_pairs = n * (n - 1) / 2
    if x.mass_table().n_sets ** 2 <= PAIR_COST * float(n) ** 2:
        undecided = float(relation_sums(x)[2:].sum())
    else:   # against "undetermined" for sure, r_1 - r_0 is the mass on same and different
        ignorant = RoughClustering.from_upper(np.ones((n, 2)))
        r0, _, r1, _ = pair_totals(side(x), side(ignorant)).tolist()
        undecided = n_pairs - (r1 - r0)
    return min(max(undecided / n_pairs, 0.0), 1.0)


@measure(
    sense="uncertainty", kinds=("hard", "fuzzy"), bounds=(0.0, 1.0),
    properties=[Claim(name="relabelling-invariant",
                      options={"method": ("partition_coefficient", "partition_entropy")})],
    cost="O(n c)", source="Bezdek (1981)",
    r=("clue::cl_fuzziness(x)",
       *(RCall(f"clue::cl_fuzziness(x, method = '{letters}', normalize = {text})",
               {"method": method, "normalize": normalize})
         for letters, method in (("PC", "partition_coefficient"), ("PE", "partition_entropy"))
         for normalize, text in ((True, "TRUE"), (False, "FALSE"))
         if (letters, normalize) != ("PC", True)),
       "1 - fclust::MPC(x_membership)",
       RCall("fclust::PC(x_membership)", {"normalize": False}),
       RCall("fclust::PE(x_membership)",
             {"method": "partition_entropy", "normalize": False})),
)
def fuzziness(x: ClusteringLike, *, method: FuzzinessMethod = "partition_coefficient",
              normalize: bool = True) -> float:
    r"""Fuzziness of the memberships: 0 for a hard clustering, 1 for uniform rows.

    Parameters
    ----------
    x : clustering-like
        n objects, c non-empty clusters; fuzzy or hard.
    method : {"partition_coefficient", "partition_entropy"}
    normalize : bool
        Whether to scale to [0, 1]; otherwise the raw coefficient is returned.

    Returns
    -------
    float
        Normalised: 0 for hard clusterings and for one cluster, 1 when all memberships are 1/c.
        Raw partition coefficient: from 1/c (uniform) to 1 (hard). Raw partition entropy: from 0
        to log c, in nats.

    Raises
    ------
    ClusteringError
        If x is neither fuzzy nor hard.
    ValueError
        If `method` is not known.

    See Also
    --------
    membership_entropy
    nonspecificity

    Notes
    -----
    .. math::

        \frac{1 - \frac{1}{n} \sum_{ik} u_{ik}^2}{1 - 1/c} \quad \text{or} \quad \frac{-
        \frac{1}{n} \sum_{ik} u_{ik} \log u_{ik}}{\log c}

    On the left from the partition coefficient PC, the mean sum of squares of a row; on the right
    from the partition entropy PE, the mean entropy of a row. Clusters without any membership do
    not count in c. Time O(n c). R: ``clue::cl_fuzziness(x, method = "PC")`` and ``"PE"``;
    ``fclust::PC``, ``fclust::PE`` raw, ``fclust::MPC`` = 1 - normalised PC, with empty clusters
    counted in c.

    Theory: docs/theory/soft-pairs.md.

    References
    ----------
    J. C. Bezdek (1981), Pattern Recognition with Fuzzy Objective Function Algorithms, Plenum.

    Examples
    --------
    >>> import softclust
    >>> softclust.fuzziness([[0.5, 0.5], [1.0, 0.0]])
    0.5
    >>> softclust.fuzziness([[0.5, 0.5], [1.0, 0.0]], normalize=False)
    0.75
    """
    check_choice("method", method, ("partition_coefficient", "partition_entropy"))
    membership = _membership(x)
    entropy = method == "partition_entropy"
    if membership is None:
        return 0.0 if entropy or normalize else 1.0
    n = membership.shape[0]
    c = int(np.count_nonzero(membership.any(axis=0)))
    if entropy:
        raw = float(membership_entropy(x, log_base=math.e))
        return min(max(raw / math.log(c), 0.0), 1.0) if normalize and c > 1 else raw
    raw = float(np.einsum("ik,ik->i", membership, membership).sum()) / n
    if not normalize:
        return raw
    return min(max((1.0 - raw) / (1.0 - 1.0 / c), 0.0), 1.0) if c > 1 else 0.0


def margin(x: ClusteringLike) -> np.ndarray:
    """Margin of each object: its largest minus its second largest membership.

    Parameters
    ----------
    x : clustering-like
        n objects, c clusters; fuzzy or hard.

    Returns
    -------
    ndarray of shape (n,)
        In [0, 1]: 0 where two clusters are equally good, 1 for hard clusterings and for one
        cluster.

    Raises
    ------
    ClusteringError
        If x is neither fuzzy nor hard.

    See Also
    --------
    membership_entropy, fuzziness

    Notes
    -----
    .. math:: u_{i(1)} - u_{i(2)}

    Time O(n c), memory of one copy of x. R: ``clue::cl_margin(x)``.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.margin([[0.5, 0.5, 0.0], [0.75, 0.25, 0.0], [1.0, 0.0, 0.0]])
    array([0. , 0.5, 1. ])
    """
    membership = _membership(x)
    if membership is None:
        return np.ones(as_clustering(x, name="x").n_objects)
    if membership.shape[1] == 1:
        return np.ones(membership.shape[0])
    top = np.partition(membership, -2, axis=1)
    return np.asarray(top[:, -1] - top[:, -2])


def _membership(x: Any) -> np.ndarray | None:
    """Memberships of a fuzzy clustering; None of a hard one."""
    clustering = as_clustering(x, name="x")
    return None if clustering.hard_codes is not None else clustering.memberships()
