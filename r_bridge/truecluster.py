"""Functions with the names of the R package truecluster, computed by softclust.

The package (Oehlschlaegel) is not publicly available: its code and the arguments of its functions
could not be read. This module offers the names that the text "Truecluster matching"
(arXiv:0705.4302) mentions. **It calls no R**; values are softclust's, which follows the text.
"""

from __future__ import annotations

from typing import Any

import softclust as sc

__all__ = ["cic", "matchindex", "mmcc"]

#: the text's names of the rules, and softclust's
_RULES = {"truematch": "truematch", "tracemax": "truematch_heuristic"}


def matchindex(x: Any, y: Any = None, method: str = "truematch", *, rng: Any = None
               ) -> sc.results.Matching:
    """Match the clusters of y to those of x by truecluster matching.

    Parameters
    ----------
    x, y : clustering-like
        Of the same objects; or x a table of counts, shape (r, s), and no y.
    method : {"truematch", "tracemax"}
        "truematch" is the optimal rule. "tracemax" is the *heuristic*: the text prints this name
        for it, though the name suggests the rule that maximises the trace; that one is
        ``softclust.match_clusters(x, y, method="trace")``.
    rng : None, int or Generator
        Of the choice among equal matchings.

    Returns
    -------
    softclust.results.Matching
        Clusters count from 0.

    Raises
    ------
    ValueError
        For another method.
    ClusteringError
        If x and y are no hard or fuzzy clusterings of the same objects, or x is not a table.

    Examples
    --------
    >>> from r_bridge import truecluster
    >>> truecluster.matchindex([0, 0, 1, 1], [1, 1, 0, 0], rng=0).permutation
    array([1, 0])
    >>> truecluster.matchindex([[0, 5], [4, 1]], rng=0).permutation
    array([1, 0])
    """
    if method not in _RULES:
        raise ValueError(f"method={method!r}; choose 'truematch' or 'tracemax' (for the largest "
                         "trace softclust.match_clusters(x, y, method='trace'))")
    if y is None:
        return sc.match_table(x, method=_RULES[method], rng=rng)
    return sc.match_clusters(x, y, method=_RULES[method], rng=rng)


def mmcc(ensemble: Any, **options: Any) -> sc.results.Consensus:
    """Multiple match cluster count of an ensemble: `softclust.mmcc`.

    Parameters
    ----------
    ensemble : Ensemble or list of clusterings
    **options
        Those of `softclust.mmcc`: method, margins, weights, n_clusters, rng, ...

    Returns
    -------
    softclust.results.Consensus
        Votes, memberships and their uncertainty.

    Raises
    ------
    ClusteringError, ValueError
        As `softclust.mmcc`.

    Examples
    --------
    >>> from r_bridge import truecluster
    >>> truecluster.mmcc([[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1]], rng=0).n_members
    3
    """
    return sc.mmcc(ensemble, **options)


def cic(x: Any, **options: Any) -> sc.results.CIC:
    """Cluster information criterion: `softclust.cluster_information_criterion`.

    Parameters
    ----------
    x : clustering-like
        Usually the memberships that `mmcc` found.
    **options
        Those of `softclust.cluster_information_criterion`.

    Returns
    -------
    softclust.results.CIC
        Uncertainty, complexity, information and criterion. The formula is inferred from the
        values that the text prints; the article that defines it is not public.

    Raises
    ------
    ClusteringError
        As `softclust.cluster_information_criterion`.

    Examples
    --------
    >>> from r_bridge import truecluster
    >>> truecluster.cic([0, 0, 1, 1]).uncertainty
    0.0
    """
    return sc.cluster_information_criterion(x, **options)
