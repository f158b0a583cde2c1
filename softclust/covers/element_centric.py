"""Around each object (element-centric).

Element-centric similarity: similarity of two clusterings around each object (Gates et al. 2019).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from .._checks import ClusteringError, frozen, warn_undefined
from ..clusterings import Clustering
from ..measures import Claim, Shares, get_measure, measure, value_of
from ..measures.joint import Joint, Pair, as_joint
from ..measures.limit_rules import LimitRule, LogScale, NoLimits, few_per_cluster
from ..measures.record import claims
from ..measures.statistic import Source
from ..memberships.joint_table import ZERO
from ..results.records import Augmented, Columns, Record
from ..results.summary import SummaryTable, right
from ..results.text import number
from .walks import (
    CorrectedSimilarity,
    ElementSimilarities,
    entries_of,
    expected_similarity,
    groups_of,
    same_clusters,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from .._types import ClusteringLike, Side, SourceLike

KINDS = ("hard", "fuzzy", "cover")
#: numbers per side that may be sorted for the exact expectation, in some seconds
MAX_PAIRS = 5e7
#: numbers per side that `compare()` sorts
_SORTED = 1_000_000
#: values of `damping` that tests try
DAMPING = (0.0, 0.9)
_SOURCE = "Gates, Wood, Hetrick, Ahn 2019"
_COST = "O(n + cells) hard; O(g^2 c + c^3) for g distinct rows"


def check_damping(damping: Any) -> float:
    """Return `damping` if it is a number in [0, 1), else raise."""
    if (isinstance(damping, bool) or not isinstance(damping, (int, float, np.number))
            or not 0.0 <= damping < 1.0):
        raise ClusteringError(f"damping is {damping!r}; a number from 0 to below 1 is needed")
    return float(damping)


def _unless_hard(rule: LimitRule, *in_groups: str) -> Callable[[Source], LimitRule]:
    """Return `rule` for two hard clusterings, the logarithmic scale for others."""
    return lambda source: rule if source.both_hard else LogScale(in_groups=in_groups)


def _too_many(source: Source) -> str:
    """Reason why `compare()` does without the exact expectation."""
    if source.both_hard:
        return ""
    joint = source.objects
    if any(z.kind == "fuzzy" and z.n_objects**2 > _SORTED for z in (joint.x, joint.y)) or any(
            entries_of(joint, side) > _SORTED for side in "xy"):
        return "sorts all pairs of many objects"
    return ""


def _expected(source: Source, damping: float = 0.9) -> float:
    if _too_many(source):
        return math.nan
    return expected_similarity(source, float(damping), MAX_PAIRS, "element_centric_index")


@measure(
    ElementSimilarities, lambda similarities: similarities.mean,
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=(
        *claims("symmetric", "reflexive", "relabelling-invariant", "pseudo-metric",
                damping=DAMPING),
        Claim(name="metric", kinds=("hard",), condition="hard clusterings"),
    ),
    cost=_COST, source=_SOURCE, in_compare=False, chance=_expected,
    limits=_unless_hard(NoLimits(
        reason="its bias is larger than its error: see adjusted_element_centric_index"),
        "fuzzy", "cover"),
    r="ClustAssess::element_sim(x_labels, y_labels)",
    abbreviations=("ECS",),
    shares=Shares("element", kinds=KINDS),
)
def element_centric_index(x: SourceLike, y: ClusteringLike | None = None, *, damping: float = 0.9
                          ) -> float:
    r"""Mean similarity of two clusterings around each object.

    Parameters
    ----------
    damping : float in [0, 1)
        Probability that a walk goes on after a step (clusim calls it alpha); 0: one step. Two
        partitions have the same value for all.

    Returns
    -------
    float
        In [0, 1]; 1 for a clustering against itself, 1/n for one cluster against n. For two
        partitions 1 only where they are equal; otherwise different clusterings can reach 1. Never
        undefined.

    Raises
    ------
    ClusteringError
        If a side is of another kind, the objects differ, or `damping` is out of range.

    See Also
    --------
    adjusted_element_centric_index
    element_centric
    bcubed_index

    Notes
    -----
    .. math:: \frac{1}{n} \sum_i \left( 1 - \frac{1}{2} \sum_j | p_{ij} - q_{ij} | \right)

    with p_i and q_i the probabilities of the objects at which walks from object i end.

    A walk goes from an object to a cluster that holds it, with probabilities in proportion to its
    weights, and on to an object of this cluster. The term of object i is the similarity around it.
    For partitions it is T/max(a, b), with a and b the sizes of the two clusters of i and T the
    number of objects that they share; this takes time O(n). Otherwise the time is O(c^3) for the
    walks between clusters and O(g^2 c) for g distinct rows; no n x n matrix is made. 1 - index is
    a metric on partitions, a pseudo-metric otherwise. An object in no cluster stays where it is. A
    cover gives the numbers of clusim, ``cover.to_fuzzy()`` those of ClustAssess. Its exact mean
    over permutations is in `element_centric`.

    Confidence intervals for two partitions are built around an index that is corrected for the bias
    of max(a, b) where sizes are nearly equal. In simulated samples with label noise and clusters of
    equal size, the worst case, 95 % intervals covered the population value in 91 to 96 % of
    samples.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn (2019), Element-centric clustering
    comparison unifies overlaps and hierarchy, Scientific Reports 9, 8574.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.element_centric_index([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.75
    >>> x = softclust.as_clustering([{0, 1}, {1, 2}], kind="cover")
    >>> round(softclust.element_centric_index(x, [0, 0, 1]), 4)
    0.6136
    """
    return value_of(element_centric_index, x, y, damping=check_damping(damping))


def _adjusted(source: Source, *, damping: float = 0.9, max_pairs: float = MAX_PAIRS) -> float:
    # First what may be too much for `max_pairs`.
    expected = expected_similarity(source, damping, max_pairs, "adjusted_element_centric_index")
    index = source.statistic(ElementSimilarities, damping=damping).mean
    return _corrected(source, index, expected)


def _corrected(source: Source, index: float, expected: float) -> float:
    if 1.0 - expected <= ZERO:
        return 1.0 if same_clusters(source) else warn_undefined(
            "adjusted_element_centric_index", "the index is 1 for every order of the objects (0/0)")
    return (index - expected) / (1.0 - expected)


def _adjusted_chance(source: Source) -> float:
    """0; but 1 where all permutations are equal clusterings, nan where all are undefined."""
    if not 1.0 - _expected(source) <= ZERO:
        return 0.0
    return 1.0 if same_clusters(source) else math.nan


@measure(
    Pair, _adjusted,
    sense="agreement", kinds=KINDS, bounds=(None, 1.0),
    properties=claims("symmetric", "reflexive", "relabelling-invariant", "chance-corrected",
                      damping=DAMPING),
    cost=_COST + ", and O(g^2 log g)", source=_SOURCE, in_compare=_too_many,
    chance=_adjusted_chance, limits=_unless_hard(LogScale(
        statistic=CorrectedSimilarity, formula=lambda index: index.adjusted,
        unless=few_per_cluster), "cover"),
    place=8,
    shares=Shares("element", kinds=KINDS),
)
def adjusted_element_centric_index(x: SourceLike, y: ClusteringLike | None = None, *,
                                   damping: float = 0.9, max_pairs: float = MAX_PAIRS) -> float:
    r"""Element-centric index corrected for chance, exactly.

    Parameters
    ----------
    damping : float in [0, 1)
        As in `element_centric_index`.
    max_pairs : float
        Largest number of values of a side that are sorted: the square of the number of distinct
        rows of a fuzzy clustering or cover. At the default this takes seconds.

    Returns
    -------
    float
        (S - E)/(1 - E): 1 for a clustering against itself, 0 on average over all permutations
        of the objects; no lower bound. nan, with a warning, where E = 1 and the sides differ.

    Raises
    ------
    ClusteringError
        As in `element_centric_index`; or if there are more than `max_pairs` numbers to sort.

    See Also
    --------
    element_centric_index
    adjusted_rand_index
    omega_index

    Notes
    -----
    .. math:: \frac{S - E}{1 - E}

    with E the mean of the index S over all permutations of the objects.

    The index compares the two matrices of walks entry by entry. Over all permutations each
    diagonal entry of one meets each diagonal entry of the other equally often, and so do the other
    entries, so E follows from their sorted lists. For partitions it is a sum over pairs of
    distinct cluster sizes.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn (2019), Element-centric clustering
    comparison unifies overlaps and hierarchy, Scientific Reports 9, 8574.

    Examples
    --------
    >>> import softclust
    >>> round(softclust.adjusted_element_centric_index([0, 0, 1, 1], [0, 0, 1, 2]), 4)
    0.4
    """
    return value_of(adjusted_element_centric_index, x, y, damping=check_damping(damping),
                    max_pairs=max_pairs)


# -- objects and clusters -------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ElementCentric(Augmented, Record):
    """Similarity of two clusterings or dendrograms around each object.

    Made by `element_centric` and `dendrogram_element_centric`.

    Attributes
    ----------
    values : (n,) float64
        Similarity around each object, from 0 to 1.
    index : float
        Their mean.
    expected : float
        Mean of the index over all permutations of the objects; nan for dendrograms, and where
        too many numbers would have to be sorted.
    object_names : tuple or None
    clusterings : (Clustering, Clustering) or None
        The clusterings compared; None for dendrograms.

    Notes
    -----
    ``to_frame()``: one row per object. Column ``value``, indexed by the names of the objects.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.element_centric([0, 0, 1, 1], [0, 0, 1, 2])
    >>> found.values, found.by_cluster("x").tolist()
    (array([1. , 1. , 0.5, 0.5]), [1.0, 0.5])
    """

    values: Annotated[np.ndarray, "f n"]
    index: float
    expected: float = math.nan
    object_names: Annotated[tuple[Any, ...] | None, "distinct n"] = None
    clusterings: tuple[Clustering, Clustering] | None = None

    @property
    def adjusted(self) -> float:
        """The index corrected for chance, (index - expected)/(1 - expected)."""
        if self.clusterings is None or math.isnan(self.expected):
            return math.nan
        return _corrected(Joint(*self.clusterings), self.index, self.expected)

    def by_cluster(self, side: Side = "x") -> pd.Series:
        """Mean similarity of the objects of each cluster, weighted by their memberships.

        Parameters
        ----------
        side : {"x", "y"}
            Side whose clusters are used.

        Returns
        -------
        pandas.Series
            Indexed by the names of the clusters; nan for empty ones.

        Raises
        ------
        ClusteringError
            For dendrograms, which have clusters at every height.
        """
        import pandas as pd
        x = self._side(side)
        if (places := x.by_object) is None:
            membership = x.memberships(side)
            sums, sizes = self.values @ membership, membership.sum(axis=0)
        else:
            starts, clusters = places
            each = np.repeat(self.values, np.diff(starts))
            sums = np.bincount(clusters, weights=each, minlength=x.n_clusters)
            sizes = np.bincount(clusters, minlength=x.n_clusters).astype(np.float64)
        means = np.divide(sums, sizes, out=np.full(sums.shape, np.nan), where=sizes > 0.0)
        return pd.Series(means, index=pd.Index(list(x.cluster_names), name="cluster",
                                               tupleize_cols=False), name="value")

    def _side(self, side: str) -> Clustering:
        if side not in ("x", "y"):
            raise ValueError(f'side is {side!r}; "x" or "y" is needed')
        if self.clusterings is None:
            raise ClusteringError("two dendrograms were compared, which have clusters at every "
                                  "height: cut them first, and compare the cuts")
        return self.clusterings[side == "y"]

    def _frame(self) -> Columns:
        names = range(self.values.size) if self.object_names is None else self.object_names
        return Columns({"value": self.values}, {"object": names})

    def _table(self) -> SummaryTable:
        low, middle, high = np.quantile(self.values, [0.1, 0.5, 0.9]).tolist()
        values = {"index": self.index, "expected by chance": self.expected,
                  "adjusted": self.adjusted, "10 % of the objects are below": low,
                  "median of the objects": middle, "10 % of the objects are above": high}
        return SummaryTable.of({"quantity": values, "value": right(values.values(), number)},
                               title=f"Element-centric similarity of {self.values.size} objects")

    def plot(self, side: Side = "x", ax: Axes | None = None) -> Axes:
        """Draw the values as a strip, sorted within clusters.

        Parameters
        ----------
        side : {"x", "y"}
            Side whose clusters are used; ignored for dendrograms.
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib.axes.Axes
        """
        from ..plotting import plot_element_centric
        return plot_element_centric(self, side=side, ax=ax)


def element_centric(x: ClusteringLike, y: ClusteringLike | None = None, *, damping: float = 0.9
                    ) -> ElementCentric:
    r"""Element-centric similarity around each object, with its mean and chance level.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy clusterings or covers of the same n >= 2 objects; or a `Joint` as x and no y.
    damping : float in [0, 1)
        As in `element_centric_index`.

    Returns
    -------
    ElementCentric
        ``.values`` by object, ``.index``, ``.expected``, ``.adjusted``; ``.by_cluster("x")``,
        ``.to_frame()``, ``.summary()``, ``.plot()``.

    Raises
    ------
    ClusteringError
        As in `element_centric_index`.

    See Also
    --------
    element_centric_index, element_consistency, dendrogram_element_centric

    Notes
    -----
    .. math:: S_i = 1 - \frac{1}{2} \sum_j | p_{ij} - q_{ij} |

    The chance level is nan where more than 5e7 numbers of a side would have to be sorted.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    A. J. Gates, I. B. Wood, W. P. Hetrick and Y.-Y. Ahn (2019), Element-centric clustering
    comparison unifies overlaps and hierarchy, Scientific Reports 9, 8574.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.element_centric(["a", "a", "b", "b"], ["p", "p", "q", "r"])
    >>> found.values, found.index, round(found.expected, 4)
    (array([1. , 1. , 0.5, 0.5]), 0.75, 0.5833)
    """
    damping = check_damping(damping)
    joint = as_joint(x, y)
    get_measure("element_centric_index").check_kinds(joint)
    similarities = joint.statistic(ElementSimilarities, damping=damping)
    values = similarities.values[groups_of(joint, similarities)]
    expected = math.nan
    if all(entries_of(joint, side) <= MAX_PAIRS for side in "xy"):
        expected = expected_similarity(joint, damping, MAX_PAIRS, "element_centric")
    names = joint.x.object_names if joint.x.object_names is not None else joint.y.object_names
    return ElementCentric(values=frozen(values), index=similarities.mean, expected=expected,
                          object_names=names, clusterings=(joint.x, joint.y))
