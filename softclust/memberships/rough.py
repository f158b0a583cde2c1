"""Rough clusterings.

Rough clusterings as sets of compatible partitions (orthopartitions).

A compatible partition puts every object into one of its candidate clusters. A. Campagner,
D. Ciucci (2019), Orthopartitions and soft clustering: soft mutual information measures for
clustering validation, Knowledge-Based Systems 180, 51-61.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, InexactWarning, check_choice, warn_undefined
from .._types import RNG, ClusteringLike, SourceLike
from ..clusterings import Clustering, as_clustering
from ..measures import Answer, Claim, measure, value_of
from ..measures.joint import Pair
from ..measures.limit_rules import LogScale, Share, of_classes_unless_hard, only_hard
from ..measures.record import claims
from ..measures.statistic import Source
from ..results.records import Interval
from ..running.random_numbers import as_generator
from ..running.warnings import warn
from ..tables import entropy as information
from ..tables.best_choice import LargestCounts
from ..tables.contingency import Contingency, exact_squares
from ..tables.set_overlaps import purity
from . import _orthopartitions as ortho
from .joint_table import ZERO

KINDS = ("hard", "rough")
_SOURCE = "Campagner, Ciucci (2019)"
_NORMALIZERS = ("none", "max", "min")


def _one(x: Any) -> Clustering:
    clustering = as_clustering(x, name="x")
    if clustering.kind not in KINDS:
        raise ClusteringError(f"x is {clustering.kind}; a hard or rough clustering is needed: "
                              "x.to_rough() or x.harden() makes one by a named rule")
    return clustering


def _types(source: Source) -> tuple[ortho.Types, ortho.Types]:
    """The types of objects of both sides."""
    joint = source.objects
    return source.kept("orthopartition types", lambda: ortho.pair_types(joint.x, joint.y))


def _ends(ends: ortho.SquareEnds, n: int, name: str) -> Interval:
    """The logical entropies, lowest and highest; warns when the low end may be too high."""
    if not ends.exact:
        warn(
            f"{name}: more than {ortho.SUBSET_CLUSTERS} clusters are linked by ambiguous objects; "
            "the lower end of the entropy is that of a good compatible partition and may be too "
            "high", InexactWarning, stacklevel=3)
    square = n * n
    return Interval((square - ends.greatest) / square, (square - ends.smallest) / square)


def _squares(x: Clustering, rng: Any) -> ortho.SquareEnds:
    return ortho.square_ends(ortho.types(ortho.candidates(x)), as_generator(rng))


@measure(
    sense="uncertainty", kinds=KINDS, bounds=(0.0, 1.0), properties=["relabelling-invariant"],
    cost="O(n c + 2^c c) for linked clusters", source=_SOURCE,
)
def logical_entropy_interval(x: ClusteringLike, *, rng: RNG = None) -> Interval:
    r"""Smallest and largest logical entropy of the partitions that a rough clustering allows.

    Parameters
    ----------
    x : clustering-like
        n objects, c clusters; rough or hard.
    rng : numpy.random.Generator, int, optional
        Seed or Generator of random orders of clusters; used only for more than 20 linked clusters.

    Returns
    -------
    Interval
        1 - sum_k (n_k / n)^2, the chance that two random objects are in different clusters: from
        0 to 1 - 1/c; a point for a hard clustering.

    Raises
    ------
    ClusteringError
        If x is neither rough nor hard.

    Warns
    -----
    InexactWarning
        If more than 20 clusters are linked by ambiguous objects: the lower end may be too high.

    See Also
    --------
    expected_logical_entropy
    mutual_information_interval

    Notes
    -----
    .. math:: \left[ \min_C h(C), \max_C h(C) \right], \quad h(C) = 1 - \sum_k (n_k / n)^2

    Both ends are exact. Sizes of compatible partitions are the whole points of a polytope with
    one vertex for each order of the clusters, so the least entropy follows from a recursion over
    subsets of clusters, O(2^c c); clusters without ambiguous objects in common are treated apart.
    The greatest is found by chains of moves (an optimal semi-matching). The greedy rules of
    public programs are not exact.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    A. Campagner, D. Ciucci (2019), Orthopartitions and soft clustering: soft mutual information
    measures for clustering validation, Knowledge-Based Systems 180, 51-61.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0, 1], [0, 0, 1], [0, 1, 0], [1, 1, 0]])
    >>> softclust.logical_entropy_interval(x)
    Interval(low=0.5, high=0.625)
    """
    clustering = _one(x)
    return _ends(_squares(clustering, rng), clustering.n_objects, "logical_entropy_interval")


@measure(
    sense="uncertainty", kinds=KINDS, bounds=(0.0, 1.0), properties=["relabelling-invariant"],
    cost="O(n c)", source=_SOURCE,
)
def expected_logical_entropy(x: ClusteringLike) -> float:
    r"""Mean logical entropy when every object chooses one of its candidates at random.

    Parameters
    ----------
    x : clustering-like
        n objects, c clusters; rough or hard.

    Returns
    -------
    float
        From 0 to below 1; the logical entropy of a hard clustering.

    Raises
    ------
    ClusteringError
        If x is neither rough nor hard.

    See Also
    --------
    logical_entropy_interval
    soft_logical_mutual_information

    Notes
    -----
    .. math:: \frac{2}{n^2} \sum_{i<j} \left( 1 - \frac{|T_i \cap T_j|}{|T_i| \, |T_j|} \right)

    with T_i the candidates of object i.

    Computed from sums of columns: time O(n c).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    A. Campagner, D. Ciucci (2019), Orthopartitions and soft clustering: soft mutual information
    measures for clustering validation, Knowledge-Based Systems 180, 51-61.

    Examples
    --------
    >>> import softclust
    >>> softclust.expected_logical_entropy(softclust.RoughClustering.from_upper([[1, 0], [1, 1]]))
    0.25
    """
    types = ortho.types(ortho.candidates(_one(x)))
    n = int(types.counts.sum())
    return (n * n - n - 2.0 * _together(types)) / (n * n)


def _together(types: ortho.Types) -> float:
    """Sum over i < j of the chance that independent choices agree, >= 0."""
    sums = types.counts @ types.shares
    selves = float((types.counts / types.sets.sum(axis=1)).sum())
    return max(0.0, (float(sums @ sums) - selves) / 2.0)


def _information_ends(source: Source, *, entropy: str, max_choices: float,
                      n_draws: int | None, rng: Any) -> Interval:
    check_choice("entropy", entropy, ("shannon", "logical"))
    if source.both_hard:
        c = source.statistic(Contingency)
        value = (information.TableInformation(c).mutual if entropy == "shannon"
                 else _logical_of_table("mutual_information_interval", c, "none"))
        return Interval(value, value)
    first, second = _types(source)
    tables = source.kept(("orthopartition tables", max_choices),
                        lambda: ortho.reached_tables(first, second, max_choices))
    if tables is None:
        if n_draws is None:
            raise ClusteringError(
                f"the compatible pairs have more than max_choices = {max_choices:g} contingency "
                "tables; raise max_choices, or give n_draws for an interval from random pairs "
                "(within the true one)")
        tables = ortho.sampled_tables(first, second, n_draws, as_generator(rng))
        warn(f"mutual_information_interval: from {n_draws} random compatible pairs; "
             "the true interval may be wider", InexactWarning, stacklevel=2)
    return Interval(*ortho.information_ends(tables, first.sets.shape[1], source.n_objects, entropy))


@measure(
    Pair, _information_ends,
    sense="agreement", kinds=KINDS,
    bounds=lambda source: (0.0, math.log(min(source.n_clusters))),
    properties=(Claim(name="symmetric", options={"entropy": ("shannon", "logical")}),
                "relabelling-invariant",
                Claim(name="reduces-to", target="mutual_information")),
    cost="O(tables that are reached)", source=_SOURCE, in_compare=False,
    weight_degree=0, limits=only_hard(
        "a least and a greatest value over compatible partitions, without correction for bias"),
    answers=(Answer("ambiguity", 2, "over all hard clusterings that both sides allow"),),
)
def mutual_information_interval(x: SourceLike, y: ClusteringLike | None = None, *,
                                entropy: Literal["shannon", "logical"] = "shannon",
                                max_choices: float = 1e6, n_draws: int | None = None,
                                rng: RNG = None) -> Interval:
    r"""Smallest and largest mutual information of the partitions that two clusterings allow.

    Parameters
    ----------
    entropy : {"shannon", "logical"}, optional
        Shannon's in nats, or 1 - sum of squared shares.
    max_choices : float, optional
        Largest number of contingency tables to visit.
    n_draws : int, optional
        Number of random compatible pairs to use instead when there are more tables.
    rng : numpy.random.Generator, int, optional
        Seed or Generator of these pairs.

    Returns
    -------
    Interval
        H(x) + H(y) - H(meet): within [0, min(log r, log s)] (Shannon) or [0, 1) (logical); a
        point for hard clusterings.

    Raises
    ------
    ClusteringError
        If a side is neither hard nor rough, or there are more than `max_choices` tables and no
        `n_draws`.
    ValueError
        If `entropy` is not known.

    Warns
    -----
    InexactWarning
        If random pairs were drawn: the interval lies within the true one.

    See Also
    --------
    soft_average_mutual_information
    mutual_information

    Notes
    -----
    .. math::

        \left[ \min_{C, D} I(C, D), \max_{C, D} I(C, D) \right], \quad I(C, D) = H(C) + H(D) - H(C
        \wedge D)

    Exact: every contingency table that a compatible pair can have is visited once. Objects with
    the same candidates are exchangeable, so there are far fewer tables than compatible pairs.
    Time grows with the number of tables.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    A. Campagner, D. Ciucci (2019), Orthopartitions and soft clustering: soft mutual information
    measures for clustering validation, Knowledge-Based Systems 180, 51-61.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> softclust.mutual_information_interval(x, [0, 0, 1, 1], entropy="logical")
    Interval(low=0.25, high=0.5)
    """
    return value_of(mutual_information_interval, x, y, entropy=entropy, max_choices=max_choices,
                    n_draws=n_draws, rng=rng)


def _normalized(name: str, value: float, entropies: tuple[float, float], normalizer: str) -> float:
    if normalizer == "none":
        return value
    divisor = max(entropies) if normalizer == "max" else min(entropies)
    if divisor <= ZERO:
        return warn_undefined(name, f"the {normalizer} of the entropies is 0 (0/0)")
    return value / divisor


def _logical_of_table(name: str, c: Contingency, normalizer: str) -> float:
    """h(x) + h(y) - h(x, y) of two hard clusterings, h = 1 - sum of squared shares."""
    square, a, b = c.n**2, exact_squares(c.a, c.n), exact_squares(c.b, c.n)
    entropies = (square - a) / square, (square - b) / square
    ratio = _normalized(name, (square - a - b + c.squares) / square, entropies, normalizer)
    return 1.0 if ratio > 1.0 else ratio   # nan stays nan


def _average_information(source: Source, *, normalizer: str, rng: Any) -> float:
    check_choice("normalizer", normalizer, _NORMALIZERS)
    if source.both_hard:
        return _logical_of_table("soft_average_mutual_information",
                                 source.statistic(Contingency), normalizer)
    first, second = _types(source)
    name, random = "soft_average_mutual_information", as_generator(rng)
    of_side = source.objects.of_side
    in_x, in_y = (of_side(side, "orthopartition squares", lambda one: _squares(one, random))
                  for side in ("x", "y"))
    both, n = ortho.square_ends(ortho.meet(first, second), random), source.n_objects
    h_x, h_y = _ends(in_x, n, name).middle, _ends(in_y, n, name).middle
    h_both = _ends(both, n, name).middle
    return _normalized(name, h_x + h_y - h_both, (h_x, h_y), normalizer)


@measure(
    Pair, _average_information,
    limits=only_hard("its intervals covered in 81 % of simulated samples of rough clusterings "
                     "near independence"),
    sense="agreement", kinds=KINDS, bounds=(None, None),
    properties=("symmetric", "relabelling-invariant"),
    cost="O(n r s + 2^c c) for c linked pairs of clusters", source=_SOURCE, in_compare=False,
    weight_degree=0,
)
def soft_average_mutual_information(x: SourceLike, y: ClusteringLike | None = None, *,
                                    normalizer: Literal["none", "max", "min"] = "none",
                                    rng: RNG = None) -> float:
    r"""Mutual information from the midpoints of the logical entropy intervals (SAMI).

    Parameters
    ----------
    normalizer : {"none", "max", "min"}, optional
        Divide by the larger or the smaller midpoint of both sides.
    rng : numpy.random.Generator, int, optional
        As in `logical_entropy_interval`.

    Returns
    -------
    float
        hbar(x) + hbar(y) - hbar(meet), where hbar is the midpoint of `logical_entropy_interval`.
        Not reflexive. Undefined, nan with a warning, when the divisor is 0.

    Raises
    ------
    ValueError
        If `normalizer` is not known.

    Warns
    -----
    InexactWarning
        As in `logical_entropy_interval`, also for the meet.
    UndefinedMeasureWarning
        If the value is undefined: nan.

    See Also
    --------
    logical_entropy_interval
    soft_logical_mutual_information

    Notes
    -----
    .. math::

        \frac{\bar h(x) + \bar h(y) - \bar h(x \wedge y)}{\mathrm{divisor}}, \quad \bar h =
        \tfrac{1}{2} (\min h + \max h)

    with h the logical entropy, the chance that two random objects are apart.

    x ^ y is the meet; its candidates for object i are all pairs of a candidate in x and one in y.
    Public programs differ in the divisor: one takes the larger, one the smaller entropy; the
    article was not available to decide. No negative value is known, but there is no proof that none
    exists.

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    A. Campagner, D. Ciucci (2019), Orthopartitions and soft clustering: soft mutual information
    measures for clustering validation, Knowledge-Based Systems 180, 51-61.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> softclust.soft_average_mutual_information(x, [0, 0, 1, 1])
    0.375
    """
    return value_of(soft_average_mutual_information, x, y, normalizer=normalizer, rng=rng)


def _logical_information(source: Source, *, normalizer: str) -> float:
    check_choice("normalizer", normalizer, _NORMALIZERS)
    if source.both_hard:
        return _logical_of_table("soft_logical_mutual_information",
                                 source.statistic(Contingency), normalizer)
    first, second = _types(source)
    n = source.n_objects
    # Sums over i < j of the chance that choices agree on both sides, in x, and in y.
    table = _choices_table(first, second)
    selves = float((first.counts / (first.sets.sum(axis=1) * second.sets.sum(axis=1))).sum())
    both = max(0.0, (float((table * table).sum()) - selves) / 2.0)
    pairs = n * (n - 1) / 2
    in_x, in_y = _together(first), _together(second)
    value = max(0.0, 2.0 * (pairs - in_x - in_y + both) / n**2)
    entropies = 2.0 * (pairs - in_x) / n**2, 2.0 * (pairs - in_y) / n**2
    # (1 - P)(1 - Q) is at most either factor: above 1 is rounding.
    ratio = _normalized("soft_logical_mutual_information", value, entropies, normalizer)
    return 1.0 if ratio > 1.0 else ratio


@measure(
    Pair, _logical_information,
    limits=LogScale(in_groups=("rough",)),
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=claims("symmetric", "relabelling-invariant", normalizer=_NORMALIZERS),
    cost="O(n r s)", source=_SOURCE, in_compare=False,
    weight_degree=0,
)
def soft_logical_mutual_information(x: SourceLike, y: ClusteringLike | None = None, *,
                                    normalizer: Literal["none", "max", "min"] = "none") -> float:
    r"""Mean logical mutual information when every object chooses its candidates at random.

    Parameters
    ----------
    normalizer : {"none", "max", "min"}, optional
        Divide by the larger or the smaller `expected_logical_entropy` of both sides.

    Returns
    -------
    float
        From 0 to 1; not reflexive for rough clusterings. Undefined, nan with a warning, when the
        divisor is 0.

    Raises
    ------
    ValueError
        If `normalizer` is not known.

    See Also
    --------
    expected_logical_entropy
    soft_average_mutual_information

    Notes
    -----
    .. math:: \frac{h(x) + h(y) - h(x \wedge y)}{\mathrm{divisor}}

    with h the logical entropy, the chance that two random objects are apart.

    h is the `expected_logical_entropy` and x ^ y the meet of x and y. The numerator is (2 / n^2)
    sum_{i<j} (1 - P_ij)(1 - Q_ij), where P_ij is the chance that i and j choose the same cluster
    of x, and Q_ij that of y. Time O(n r s).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    A. Campagner, D. Ciucci (2019), Orthopartitions and soft clustering: soft mutual information
    measures for clustering validation, Knowledge-Based Systems 180, 51-61.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> softclust.soft_logical_mutual_information(x, [0, 0, 1, 1])
    0.375
    """
    return value_of(soft_logical_mutual_information, x, y, normalizer=normalizer)


def _choices_table(x: ortho.Types, y: ortho.Types) -> np.ndarray:
    """Expected contingency table of independent random choices, (r, s)."""
    return np.asarray((x.shares * x.counts[:, None]).T @ y.shares)


def _rough_purity(source: Source) -> float:
    if source.both_hard:
        return float(purity(source.statistic(LargestCounts)))
    first, second = _types(source)
    return min(1.0, float(_choices_table(first, second).max(axis=1).sum()) / source.n_objects)


@measure(
    Pair, _rough_purity,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=("relabelling-invariant", Claim(name="reduces-to", target="purity_index")),
    cost="O(n r s)", source=_SOURCE, in_compare=False,
    weight_degree=0, limits=of_classes_unless_hard(Share(choice="rows")),
)
def rough_purity_index(x: SourceLike, y: ClusteringLike | None = None) -> float:
    r"""Purity of the expected table when every object chooses its candidates at random.

    Parameters
    ----------
    x, y
        Not symmetric: x is evaluated, y is the truth.

    Returns
    -------
    float
        (1/n) sum_k max_l sum_i u_ik v_il, above 0 and up to 1, with u and v equal shares of the
        candidates. Below 1 for a rough clustering against itself. Never undefined.

    See Also
    --------
    purity_index
    rough_rand_index

    Notes
    -----
    .. math::

        \frac{1}{n} \sum_k \max_l \sum_i u_{ik} v_{il}, \quad u_{ik} = \frac{1}{|T_i|} \text{ for
        } k \in T_i

    with T_i the candidates of object i.

    Equal to `purity_index` for hard clusterings. Time O(n r s).

    Theory: docs/theory/soft-measures.md.

    References
    ----------
    A. Campagner, D. Ciucci (2019), Orthopartitions and soft clustering: soft mutual information
    measures for clustering validation, Knowledge-Based Systems 180, 51-61.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1]])
    >>> softclust.rough_purity_index(x, [0, 0, 1, 1])
    0.875
    """
    return value_of(rough_purity_index, x, y)
