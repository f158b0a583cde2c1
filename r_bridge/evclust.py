"""Functions of the R package evclust under their own names, for any clustering-like arguments.

evclust is on CRAN only: ``install.packages('evclust')`` in R. Clusterings travel as credal
partitions in the order for which evclust is right (the empty set, every single cluster in order,
the other sets); clusters, objects and labels count from 0. softclust has its own counterparts
(`EvidentialClustering` and its methods, `credal_rand_index`, `EvidentialCMeans`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import softclust as sc

from ._call import call
from ._evclust_records import CredpartFields, EcmFit, PairwiseMass

__all__ = ["CredpartFields", "EcmFit", "PairwiseMass", "create_fuzzy_credpart",
           "create_hard_credpart", "credal_RI", "ecm", "extractMass", "fields", "makeF",
           "nonspecificity", "normalize_credpart", "pairwise_mass"]

_FIELDS = """function(x) {
  plain <- function(m) { m <- as.matrix(m); array(as.double(m), dim(m)) }
  list(
    mass = plain(x$mass), focal_sets = plain(x$F), mass_normalized = plain(x$mass.n),
    conflict = as.double(x$conf),
    pl = plain(x$pl), pl_normalized = plain(x$pl.n), plausibility_transform = plain(x$p),
    bel = plain(x$bel), bel_normalized = plain(x$bel.n),
    betp = plain(x$betp), betp_normalized = plain(x$betp.n),
    max_plausibility = as.integer(x$y.pl), max_belief = as.integer(x$y.bel),
    max_mass_set = plain(x$Y), non_dominated_set = plain(x$Ynd),
    lower_approx = lapply(unname(x$lower.approx), as.integer),
    upper_approx = lapply(unname(x$upper.approx), as.integer),
    lower_approx_nd = lapply(unname(x$lower.approx.nd), as.integer),
    upper_approx_nd = lapply(unname(x$upper.approx.nd), as.integer),
    outlier = as.integer(x$outlier), nonspecificity = as.double(x$N))
}"""
_PAIRWISE = """function(x) {
  found <- evclust::pairwise_mass(x)
  list(different = as.double(found$M0), same = as.double(found$M1), empty = as.double(found$Me))
}"""
# Pair masses as plain vectors: evclust makes "dist" objects, and where package proxy is loaded its
# credal_RI misreads them (README.md, difference 27).
_AS_PAIRS = """
  pairs <- function(p) {
    found <- if (is.null(p$M0)) evclust::pairwise_mass(p) else p
    lapply(found[c("M0", "M1", "Me")], as.vector)
  }
"""


def makeF(c: int, type: str = "full", pairs: Any = None, Omega: bool = True) -> np.ndarray:
    """Matrix of focal sets, ``evclust::makeF``.

    Parameters
    ----------
    c : int
        Clusters.
    type : {"full", "simple", "pairs"}
    pairs : array-like of int, shape (p, 2), optional
        Pairs of clusters, from 0, for "pairs"; all by default.
    Omega : bool
        Whether the set of all clusters is one, for "simple" and "pairs".

    Returns
    -------
    ndarray of bool, shape (f, c)
        The empty set first.

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import evclust
    >>> evclust.makeF(2).astype(int)
    array([[0, 0],
           [1, 0],
           [0, 1],
           [1, 1]])
    """
    code = """function(c, type, pairs, Omega) {
      sets <- as.matrix(evclust::makeF(c, type, pairs, Omega))
      array(as.double(sets), dim(sets))
    }"""
    return call(code, int(c), type, _pairs(pairs), bool(Omega)) != 0


def extractMass(mass: Any, F: Any) -> sc.EvidentialClustering:
    """Credal partition from masses and focal sets, ``evclust::extractMass``.

    Parameters
    ----------
    mass : array-like, shape (n, f)
        Rows sum to 1.
    F : array-like of 0/1, shape (f, c)
        Focal sets, the empty set first; every single cluster is needed for evclust's beliefs to
        be right (README.md, difference 20): missing ones are added with mass 0.

    Returns
    -------
    EvidentialClustering
        In evclust's order; `fields` gives what it derives.

    Raises
    ------
    RUnavailableError, RError
    ClusteringError
        If masses or sets are no credal partition.

    Examples
    --------
    >>> from r_bridge import evclust
    >>> evclust.extractMass([[0.25, 0.75], [1.0, 0.0]], [[1, 0], [1, 1]]).mass
    array([[0.  , 0.25, 0.  , 0.75],
           [0.  , 1.  , 0.  , 0.  ]])
    """
    return call("function(x) x", sc.EvidentialClustering(mass, F))


def ecm(x: Any, c: int, g0: Any = None, type: str = "full", pairs: Any = None,
        Omega: bool = True, ntrials: int = 1, alpha: float = 1.0, beta: float = 2.0,
        delta: float = 10.0, epsi: float = 1e-3, init: str = "kmeans",
        seed: int | None = None) -> EcmFit:
    """Evidential c-means, ``evclust::ecm``.

    Parameters
    ----------
    x : array-like, shape (n, p)
        Data.
    c : int
        Clusters.
    g0 : array-like, shape (c, p), optional
        Centres to start from.
    type, pairs, Omega
        Focal sets, as in `makeF`.
    ntrials : int
        Starts.
    alpha, beta, delta : float
        Exponents of size and mass, distance of outliers.
    epsi : float
        The iteration stops when the criterion changes by less. The default leaves masses up to
        0.08 from the fixed point; softclust's `EvidentialCMeans` goes there.
    init : {"kmeans", "rand"}
    seed : int, optional
        Of R's random numbers.

    Returns
    -------
    EcmFit

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import evclust
    >>> x = [[0.0], [1.0], [9.0], [10.0]]
    >>> evclust.ecm(x, 2, g0=[[0.4], [9.6]]).clustering.n_clusters
    2
    """
    code = """function(x, c, g0, type, pairs, Omega, ntrials, alpha, beta, delta, epsi, init) {
      fit <- evclust::ecm(x, c, g0 = g0, type = type, pairs = pairs, Omega = Omega,
                          ntrials = ntrials, alpha = alpha, beta = beta, delta = delta,
                          epsi = epsi, init = init, disp = FALSE)
      list(fit = fit, g = array(as.double(fit$g), dim(fit$g)), crit = as.double(fit$crit))
    }"""
    found = call(code, _matrix(x, "x"), int(c), None if g0 is None else _matrix(g0, "g0"), type,
                 _pairs(pairs), bool(Omega), int(ntrials), float(alpha), float(beta),
                 float(delta), float(epsi), init, seed=seed)
    return EcmFit(clustering=found["fit"], centers=found["g"], criterion=float(found["crit"][0]))


def create_hard_credpart(y: Any) -> sc.EvidentialClustering:
    """Credal partition of hard labels, ``evclust::create_hard_credpart``.

    Parameters
    ----------
    y : clustering-like
        Hard. Sent with labels from 1: R would drop a class called 0.

    Returns
    -------
    EvidentialClustering

    Raises
    ------
    RError
        For one class or one object, where evclust stops (README.md, difference 21).
    ClusteringError
        If y is not hard.

    Examples
    --------
    >>> from r_bridge import evclust
    >>> evclust.create_hard_credpart([0, 1, 1]).pignistic()
    array([[1., 0.],
           [0., 1.],
           [0., 1.]])
    """
    side = sc.as_clustering(y, name="y")
    if not isinstance(side, sc.HardClustering):
        raise sc.ClusteringError(f"y is {side.kind}; a hard clustering is needed (.harden())")
    return call("function(y) evclust::create_hard_credpart(y)", side.labels + 1)


def create_fuzzy_credpart(U: Any) -> sc.EvidentialClustering:
    """Credal partition of memberships, ``evclust::create_fuzzy_credpart``.

    Parameters
    ----------
    U : FuzzyClustering, PossibilisticClustering or array-like, shape (n, c)
        Memberships. What a row lacks of 1 goes to the empty set.

    Returns
    -------
    EvidentialClustering

    Raises
    ------
    ClusteringError
        If a row sums above 1: R puts negative mass on the empty set (README.md, difference 23).
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import evclust
    >>> evclust.create_fuzzy_credpart([[0.5, 0.25], [0.0, 1.0]]).empty_mass
    array([0.25, 0.  ])
    """
    if isinstance(U, sc.PossibilisticClustering):
        matrix = U.typicality
    elif isinstance(U, sc.FuzzyClustering):
        matrix = U.membership
    else:
        matrix = _matrix(U, "U")
    sums = matrix.sum(axis=1)
    if sums.size and sums.max() > 1 + 1e-8:
        row = int(sums.argmax())
        raise sc.ClusteringError(
            f"row {row} of U sums to {sums[row]:.12g}; evclust would put {1 - sums[row]:.12g} on "
            "the empty set. softclust.PossibilisticClustering(U).to_evidential() makes a credal "
            "partition of typicalities")
    return call("function(U) evclust::create_fuzzy_credpart(U)", matrix)


def normalize_credpart(x: Any, method: str = "d") -> sc.EvidentialClustering:
    """Credal partition without mass on the empty set, ``evclust::normalize.credpart``.

    Parameters
    ----------
    x : clustering-like
    method : {"d", "y"}
        Dempster's rule (divide) or Yager's (give it to the set of all clusters).

    Returns
    -------
    EvidentialClustering

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> import softclust
    >>> from r_bridge import evclust
    >>> x = softclust.EvidentialClustering([[0.5, 0.5], [0.0, 1.0]], [[0, 0], [1, 0]])
    >>> evclust.normalize_credpart(x).empty_mass
    array([0., 0.])
    """
    _one_of("method", method, ("d", "y"))
    return call("function(x, method) evclust::normalize.credpart(x, method)", _credal(x), method)


def pairwise_mass(x: Any) -> PairwiseMass:
    """Masses of all pairs of objects, ``evclust::pairwise_mass``.

    Parameters
    ----------
    x : clustering-like

    Returns
    -------
    PairwiseMass

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import evclust
    >>> evclust.pairwise_mass([0, 0, 1]).same
    array([1., 0., 0.])
    """
    return PairwiseMass(**call(_PAIRWISE, _credal(x)))


def credal_RI(x: Any, y: Any, type: str = "c") -> float:
    """Credal Rand index, ``evclust::credal_RI``.

    Parameters
    ----------
    x, y : clustering-like or PairwiseMass
        Of the same objects (R would recycle the shorter one).
    type : {"c", "j", "b"}
        Degree of conflict, Jousselme's distance, belief distance (R takes any other text as
        "b").

    Returns
    -------
    float

    Raises
    ------
    ClusteringError
        If the numbers of objects differ.
    ValueError
        For another type.
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import evclust
    >>> evclust.credal_RI([0, 0, 1], [0, 1, 1])
    0.33333333333333337
    """
    _one_of("type", type, ("c", "j", "b"))
    sides = [_pairs_or_credal(each) for each in (x, y)]
    counts = [each.n_objects if isinstance(each, sc.EvidentialClustering) else each["n"]
              for each in sides]
    if counts[0] != counts[1]:
        raise sc.ClusteringError(f"x has {counts[0]} objects and y has {counts[1]}; give "
                                 "clusterings of the same objects")
    code = "function(x, y, type) {" + _AS_PAIRS + \
        " as.double(evclust::credal_RI(pairs(x), pairs(y), type)) }"
    return float(call(code, *sides, type)[0])


def nonspecificity(x: Any) -> float:
    """Mean undetermined mass of the pairs, ``evclust::nonspecificity``.

    Parameters
    ----------
    x : clustering-like or PairwiseMass

    Returns
    -------
    float
        softclust's `pair_nonspecificity`; that of the objects is in `fields`.

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import evclust
    >>> evclust.nonspecificity([0, 0, 1])
    0.0
    """
    code = "function(x) {" + _AS_PAIRS + " as.double(evclust::nonspecificity(pairs(x))) }"
    return float(call(code, _pairs_or_credal(x))[0])


def fields(x: Any) -> CredpartFields:
    """Everything that evclust derives from a credal partition.

    Parameters
    ----------
    x : clustering-like

    Returns
    -------
    CredpartFields

    Raises
    ------
    RUnavailableError, RError

    Examples
    --------
    >>> from r_bridge import evclust
    >>> evclust.fields([0, 0, 1]).max_plausibility
    array([0, 0, 1])
    """
    found = call(_FIELDS, _credal(x))
    n, c = found["pl"].shape
    for name in ("max_plausibility", "max_belief"):
        found[name] = found[name] - 1
    for name in ("focal_sets", "max_mass_set", "non_dominated_set"):
        found[name] = found[name] != 0
    for name in ("lower_approx", "upper_approx", "lower_approx_nd", "upper_approx_nd"):
        marks = np.zeros((n, c), dtype=bool)
        for k, objects in enumerate(found[name]):
            marks[objects - 1, k] = True
        found[name] = marks
    found["outlier"] = np.isin(np.arange(n), found["outlier"] - 1)
    found["nonspecificity"] = float(found["nonspecificity"][0])
    return CredpartFields(**found)


def _credal(x: Any) -> sc.EvidentialClustering:
    return sc.as_clustering(x).to_evidential()


def _pairs_or_credal(x: Any) -> Mapping[str, Any] | sc.EvidentialClustering:
    if isinstance(x, PairwiseMass):
        return {"M0": x.different, "M1": x.same, "Me": x.empty, "n": x.n_objects}
    return _credal(x)


def _pairs(pairs: Any) -> np.ndarray | None:
    return None if pairs is None else np.asarray(pairs, dtype=np.int64).reshape(-1, 2) + 1


def _matrix(values: Any, name: str) -> np.ndarray:
    matrix = np.asarray(values, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"{name} has {matrix.ndim} dimensions; a matrix is needed")
    return matrix


def _one_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise ValueError(f"{name}={value!r}; choose one of {', '.join(map(repr, allowed))}")
