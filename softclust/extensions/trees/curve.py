"""Two dendrograms at every number of clusters: curve with its null band, and map."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from typing import Annotated, Any

import numpy as np

from ..._checks import ClusteringError, check_level, frozen, named_keywords
from ...measures import Measure, get_measure
from ...results.records import Columns, Drawn, Record
from ...tables.pair_counts import PairCounts
from . import _kernels
from .dendrogram import Dendrogram, two_dendrograms
from .types import DendrogramLike

#: orders of the falling sums that are kept
FALLING = (2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DendrogramCurve(Drawn, Record):
    """Agreement of two dendrograms by number of clusters; made by `dendrogram_curve`.

    Attributes
    ----------
    k : (g,) int64
        Numbers of clusters that cuts of both dendrograms have, 1 < k < n, in increasing order.
    value : (g,) float64
        The measure of the two cuts.
    expected, sd : (g,) float64
        Mean and standard deviation over permutations of the objects, given both cuts; nan for
        measures that are not linear in the pairs together in both.
    measure : str
    n_objects : int
    trees : (Dendrogram, Dendrogram)
        The two dendrograms.

    Notes
    -----
    ``to_frame()``: one row for each number of clusters: value, expected, sd, limit at .95. Indexed
    by k.

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    >>> y = [[1, 3, 1.0], [0, 2, 1.5], [4, 5, 2.0]]
    >>> curve = softclust.dendrogram_curve(x, y)
    >>> curve.to_frame().loc[2].round(3).tolist()
    [0.0, 0.333, 0.471, 1.0]
    """

    _chart = "plot_dendrogram_curve"

    k: Annotated[np.ndarray, "i g >=1"]
    value: Annotated[np.ndarray, "f g"]
    expected: Annotated[np.ndarray, "f g"]
    sd: Annotated[np.ndarray, "f g"]
    measure: Annotated[str, "measure"]
    n_objects: Annotated[int, ">=2"]
    trees: tuple[Dendrogram, Dendrogram]

    def _check(self) -> None:
        if any(tree.n_objects != self.n_objects for tree in self.trees):
            raise ClusteringError("the dendrograms of a stored curve have other numbers of objects")

    def _title(self) -> str:
        return (f"{self.measure} of two dendrograms of {self.n_objects} objects, by number of "
                "clusters")

    def limit(self, level: float = 0.95) -> np.ndarray:
        """Value that unrelated cuts exceed only with probability 1 - `level`.

        Parameters
        ----------
        level : float in (0, 1)

        Returns
        -------
        (g,) float64
            From a Pearson III law with the exact mean, variance and third moment; nan where the
            measure is not linear in the pairs together in both. Below the values of unrelated trees
            for a dissimilarity.

        Notes
        -----
        For two clusters against two the law is coarse: the level may be off by a factor of 2.
        """
        check_level(level)
        if not get_measure(self.measure).linear:
            return np.full(self.k.size, np.nan)
        from scipy.stats import pearson3
        n = self.n_objects
        margins_x, margins_y = (falling_sums(tree, n - self.k, FALLING) for tree in self.trees)
        mean, sd, skew = joined_moments(n, margins_x, margins_y, third=True)
        known = sd > 0
        bound = mean.copy()
        bound[known] += sd[known] * pearson3.ppf(level, skew[known])
        joined = _pairs(margins_x), _pairs(margins_y)
        # The law has no ends; the pairs together in both have.
        least = np.maximum(joined[0] + joined[1] - n * (n - 1) / 2, 0.0)
        bound = np.clip(bound, least, np.minimum(*joined))
        return _values(get_measure(self.measure), n, bound, *joined)

    def _frame(self) -> Columns:
        return Columns({"value": self.value, "expected": self.expected, "sd": self.sd,
                        "limit": self.limit()}, {"k": self.k})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DendrogramMap(Drawn, Record):
    """Agreement of all cuts of two dendrograms; made by `dendrogram_map`.

    Attributes
    ----------
    k_x, k_y : (g,), (h,) int64
        Numbers of clusters of the cuts.
    value : (g, h) float64
    measure : str

    Notes
    -----
    ``to_frame()``: cuts of x down, of y across.

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    >>> y = [[1, 3, 1.0], [0, 2, 1.5], [4, 5, 2.0]]
    >>> softclust.dendrogram_map(x, y).k_x.tolist()
    [2, 3]
    """

    _chart = "plot_dendrogram_map"

    k_x: Annotated[np.ndarray, "i g >=1"]
    k_y: Annotated[np.ndarray, "i h >=1"]
    value: Annotated[np.ndarray, "f g h"]
    measure: Annotated[str, "measure"]

    def _title(self) -> str:
        return f"{self.measure} of all cuts of two dendrograms: clusters of x by clusters of y"

    def _frame(self) -> Columns:
        return Columns.of_matrix(self.value, self.k_x, self.k_y, "k_x", "k_y")


@named_keywords
def dendrogram_curve(x: DendrogramLike, y: DendrogramLike, *, measure: str = "fowlkes_mallows_index"
                     ) -> DendrogramCurve:
    r"""Agreement of the cuts of two dendrograms, for every number of clusters.

    Parameters
    ----------
    x, y : Dendrogram, merges or fitted estimator
        Of the same objects.
    measure : str
        Name of a measure of pair counts.

    Returns
    -------
    DendrogramCurve
        With mean and standard deviation for unrelated trees; ``.limit()`` is one-sided.

    Raises
    ------
    ClusteringError
        If a side is not a dendrogram, or the objects differ.
    ValueError
        If the measure needs more than pair counts.

    See Also
    --------
    dendrogram_map, cophenetic_correlation, pair_roc

    Notes
    -----
    .. math:: B_k = S(\mathrm{cut}_k(x), \mathrm{cut}_k(y)), \quad k = 2, 3, \ldots

    S is the measure, and cut_k the clustering of a tree into k clusters. Both trees are merged at
    the same time; the smaller part of a merge takes the label of the larger one, so each object
    moves at most log2(n) times: O(n log n) for all k. Mean and variance are those of Fowlkes and
    Mallows (1983), exact over all permutations of the objects.

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    E. B. Fowlkes and C. L. Mallows (1983), A method for comparing two hierarchical clusterings,
    Journal of the American Statistical Association 78, 553-569.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> data = softclust.datasets.load_iris().data
    >>> curve = softclust.dendrogram_curve(linkage(data, "average"), linkage(data, "ward"))
    >>> curve.k[:3].tolist(), curve.value[:3].round(3).tolist()
    ([2, 3, 4], [1.0, 0.975, 0.842])
    """
    x, y = two_dendrograms(x, y)
    m = _pair_measure(measure)
    n = x.n_objects
    k = np.intersect1d(x.k, y.k)
    k = k[(k > 1) & (k < n)]
    # Sum of squared joint counts after each merge of both.
    slots, squares = 1 << (4 * n - 1).bit_length(), np.empty(n - 1, np.int64)
    sides = [(tree.checked.left, tree.checked.right, *tree.intervals) for tree in (x, y)]
    _kernels.trees.merge_both(*sides[0], *sides[1], np.empty(slots, np.int64),
                              np.zeros(slots, np.int64), squares)
    squares = squares[n - k - 1]
    margins = falling_sums(x, n - k), falling_sums(y, n - k)
    joined = [*map(_pairs, margins)]
    value = _values(m, n, (squares - n) / 2, *joined)
    expected = sd = np.full(k.size, np.nan)
    if m.linear:
        mean, spread, _ = joined_moments(n, *margins)
        expected = _values(m, n, mean, *joined)
        sd = np.abs(_values(m, n, mean + spread, *joined) - expected)
    return DendrogramCurve(k=frozen(k), value=frozen(value), expected=frozen(expected),
                           sd=frozen(sd), measure=m.name, n_objects=n, trees=(x, y))


def dendrogram_map(x: DendrogramLike, y: DendrogramLike, *, max_clusters: int = 20,
                   measure: str = "fowlkes_mallows_index") -> DendrogramMap:
    r"""Agreement of every cut of one dendrogram with every cut of the other.

    Parameters
    ----------
    x, y : Dendrogram, merges or fitted estimator
        Of the same objects.
    max_clusters : int
        Cuts have more than 1 and at most this many clusters.
    measure : str
        Name of a measure of pair counts.

    Returns
    -------
    DendrogramMap

    Raises
    ------
    ClusteringError
        If a side is not a dendrogram, or the objects differ.

    See Also
    --------
    dendrogram_curve, dendrogram_element_centric

    Notes
    -----
    .. math:: B_{kl} = S(\mathrm{cut}_k(x), \mathrm{cut}_l(y))

    S is the measure, and cut_k the clustering of a tree into k clusters. One contingency table, of
    the finest cuts, has its rows and columns merged step by step: time O(n + max_clusters^4) at
    most, memory O(n).

    Theory: docs/theory/covers-and-trees.md.

    References
    ----------
    E. B. Fowlkes and C. L. Mallows (1983), A method for comparing two hierarchical clusterings,
    Journal of the American Statistical Association 78, 553-569.

    Examples
    --------
    >>> import softclust
    >>> x = [[0, 1, 1.0], [2, 3, 2.0], [4, 5, 3.0]]
    >>> softclust.dendrogram_map(x, x).value.round(2).tolist()
    [[1.0, 0.71], [0.71, 1.0]]
    """
    x, y = two_dendrograms(x, y)
    m = _pair_measure(measure)
    n = x.n_objects
    ks = [t.k[(t.k > 1) & (t.k <= max_clusters) & (t.k < n)] for t in (x, y)]
    value = np.full((ks[0].size, ks[1].size), np.nan)
    cuts = [[t.cut(int(k)).labels for k in k_of] for t, k_of in zip((x, y), ks)]
    if value.size:
        table = np.zeros((ks[0][-1], ks[1][-1]))
        np.add.at(table, (cuts[0][-1], cuts[1][-1]), 1.0)
        groups = []   # 0/1 tables of the clusters of the finest cut by those of each cut
        for k_of, side in zip(ks, cuts):
            first = np.unique(side[-1], return_index=True)[1]
            groups.append([np.eye(int(k))[cut[first]] for k, cut in zip(k_of, side)])
        for i, rows in enumerate(groups[0]):
            merged = rows.T @ table
            tables = [merged @ columns for columns in groups[1]]
            joined = np.array([[(t * t).sum(), (t.sum(axis=0) ** 2).sum(),
                                (t.sum(axis=1) ** 2).sum()] for t in tables])
            value[i] = _values(m, n, *((joined[:, [0, 2, 1]] - n) / 2).T)
    return DendrogramMap(k_x=frozen(ks[0]), k_y=frozen(ks[1]), value=frozen(value),
                         measure=m.name)


def _pairs(falling: np.ndarray) -> np.ndarray:
    """Pairs that the cuts join, (g,) float64."""
    return np.asarray(falling[0], dtype=np.float64) / 2


def _pair_measure(name: str) -> Measure:
    m = get_measure(name)
    if m.statistic is not PairCounts or m.formula is None:
        raise ValueError(f"measure={name!r} needs more than pair counts; measures of pair counts "
                         "such as 'fowlkes_mallows_index', 'rand_index', 'adjusted_rand_index' are "
                         "possible")
    return m


def _values(m: Measure, n: int, n11: Any, in_x: Any, in_y: Any) -> np.ndarray:
    """The measure of these pair counts, (g,) float64; nan where undefined, without a warning."""
    from ...running.warnings import quiet
    counts = PairCounts(n11=n11, n10=in_x - n11, n01=in_y - n11,
                        n00=n * (n - 1) / 2 - in_x - in_y + n11, self_pairs=n)
    assert m.formula is not None
    with quiet(), np.errstate(all="ignore"):
        return np.array(np.broadcast_to(m.formula(counts), np.shape(n11)), dtype=np.float64)


# -- moments of the pairs that two cuts join, over permutations of the objects --------------------
# F_j is the sum over clusters of size (size - 1) ... (size - j + 1). With n^(j) likewise, the
# moments of n11 are sums over how two or three pairs may share objects; whole numbers of any size
# and one division, because floating point would cancel.
def falling_sums(tree: Dendrogram, merges: np.ndarray, orders: tuple[int, ...] = FALLING[:3]
                 ) -> np.ndarray:
    """F_j of `orders` after so many merges, (orders, g) of Python integers."""
    m = tree.checked
    n, size = tree.n_objects, tree.intervals[0]
    sums = np.empty((len(orders), merges.size), dtype=object)
    for row, j in enumerate(orders):
        if n ** j >= 1 << 62:
            size = size.astype(object)
        grown = _falling(size[n:], j) - _falling(size[m.left], j) - _falling(size[m.right], j)
        sums[row] = np.concatenate([[0], np.cumsum(grown)])[merges]
    return sums


def _falling(size: np.ndarray, j: int) -> np.ndarray:
    product = size
    for i in range(1, j):
        product = product * (size - i)
    return product


def joined_moments(n: int, x: np.ndarray, y: np.ndarray, third: bool = False
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, standard deviation and skewness (nan unless `third`) of n11, (g,) float64 each."""
    down = [1]
    for i in range(6):
        down.append(down[-1] * (n - i))
    mean_top = x[0] * y[0]                      # mean = this / (2 n^(2))
    # Two ordered pairs: the same one, adjacent ones, ones apart.
    second = [(mean_top, 2 * down[2]), (x[1] * y[1], down[3]),
              (_apart(x) * _apart(y), 4 * down[4])]
    mean = _divided(mean_top, 2 * down[2])
    variance = _combined([*second, (-mean_top * mean_top, 4 * down[2] * down[2])])
    sd = np.sqrt(np.maximum(variance, 0.0))
    skew = np.full(sd.shape, np.nan)
    if third:
        # Three: how the types of three pairs share objects, with the number of orders of each.
        cubes = [(mean_top, 2 * down[2]), (3 * x[1] * y[1], down[3]),
                 (3 * _apart(x) * _apart(y), 4 * down[4]), (x[1] * y[1], down[3]),
                 (x[2] * y[2], down[4]), (3 * x[2] * y[2], down[4]),
                 (3 * _two_and_three(x) * _two_and_three(y), 2 * down[5]),
                 (_three_apart(x) * _three_apart(y), 8 * down[6])]
        mixed = [(-3 * mean_top * top, 2 * down[2] * below) for top, below in second]
        central = _combined([*cubes, *mixed,
                             (2 * mean_top * mean_top * mean_top, 8 * down[2] ** 3)])
        with np.errstate(divide="ignore", invalid="ignore"):
            skew = np.where(sd > 0, central / sd ** 3, 0.0)
    return mean, sd, skew


def _apart(f: np.ndarray) -> Any:
    """Ordered placements of two pairs without a common object."""
    return f[0] * f[0] - 4 * f[1] - 2 * f[0]


def _two_and_three(f: np.ndarray) -> Any:
    """A path of two pairs and a pair apart."""
    return f[1] * f[0] - 6 * f[2] - 6 * f[1]


def _three_apart(f: np.ndarray) -> Any:
    """Three pairs apart: in one cluster, in two, in three."""
    two_two = f[2] + 4 * f[1] + 2 * f[0]                       # sum of (a^(2))^2
    four_two = f[4] + 8 * f[3] + 12 * f[2]                     # sum of a^(4) a^(2)
    twos = f[4] + 12 * f[3] + 38 * f[2] + 32 * f[1] + 4 * f[0]   # sum of (a^(2))^3
    return (f[4] + 3 * (f[2] * f[0] - four_two)
            + f[0] ** 3 - 3 * f[0] * two_two + 2 * twos)


def _combined(terms: list[tuple[Any, int]]) -> np.ndarray:
    """Sum of top / below in whole numbers; terms with n^(j) = 0 are left out."""
    defined = [(top, below) for top, below in terms if below]
    common = lcm(*(below for _, below in defined))
    total = sum(top * (common // below) for top, below in defined)
    return _divided(total, common)


def _divided(top: Any, below: int) -> np.ndarray:
    """Whole numbers over one whole number, each rounded once."""
    return np.array([int(t) / below for t in top], dtype=np.float64)
