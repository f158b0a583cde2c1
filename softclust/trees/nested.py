"""Nested truth: agreement with levels from coarse to fine, and the best cut of a dendrogram."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import xlogy

from .._checks import ClusteringError, check_choice, check_whole, frozen, shown, warn_undefined
from .._random import as_generator
from .._warnings import quiet
from ..clusterings import Clustering, HardClustering, as_clustering
from ..measures import get_measure
from ..measures.joint import Joint
from ..tables.contingency import Contingency
from ..tables.pair_counts import PairCounts
from ..tables.sums import SQUARE
from .dendrogram import Dendrogram, as_dendrogram

if TYPE_CHECKING:
    import pandas as pd

#: improvement of a ratio below which the search for the best cut has ended
_DONE = 1e-13


# -- levels ---------------------------------------------------------------------------------------
def _levels(levels: Any) -> tuple[list[Any], list[HardClustering]]:
    """Names and clusterings of levels, each nested in the one before."""
    if hasattr(levels, "columns") and hasattr(levels, "__getitem__"):
        names = list(levels.columns)
        sides = [as_clustering(levels[name], name=str(name)) for name in names]
    else:
        sides = [as_clustering(level, name=f"level {i}") for i, level in enumerate(levels)]
        names = list(range(len(sides)))
    if not sides:
        raise ClusteringError("levels is empty; at least one clustering is needed")
    found: list[HardClustering] = []
    for name, side in zip(names, sides):
        if not isinstance(side, HardClustering):
            raise ClusteringError(f"level {name!r} is {side.kind}; hard clusterings are needed")
        found.append(side)
    for i in range(1, len(found)):
        _check_nested(names[i - 1], found[i - 1], names[i], found[i])
    return names, found


def _check_nested(above: Any, coarse: HardClustering, name: Any, fine: HardClustering) -> None:
    if Joint(fine, coarse).statistic(Contingency).x_refines_y:
        return
    first: dict[int, int] = {}
    for i, (k, group) in enumerate(zip(fine.codes.tolist(), coarse.codes.tolist())):
        j = first.setdefault(k, i)
        if coarse.codes[j] != group:
            raise ClusteringError(f"level {name!r} is not nested in level {above!r}: it joins "
                                  f"objects {j} and {i}, which level {above!r} separates; levels "
                                  "go from coarse to fine")


def _credits(given: Any, count: int) -> np.ndarray:
    if given is None:
        return np.full(count, 1.0 / count)
    values = np.asarray(given, np.float64)
    if values.shape != (count,) or not np.isfinite(values).all():
        raise ValueError(f"credits={shown(given)}; one number for each of {count} levels is needed")
    steps = np.diff(values, prepend=0.0)
    if (steps < 0).any() or abs(values[-1] - 1.0) > 1e-12:
        raise ValueError(f"credits={shown(given)}; they must rise from 0 and end with 1")
    return steps


def _nested(levels: Any, y: Any, credits: Any, credit: str) -> tuple[float, float, bool]:
    """The value, its mean over permutations, and whether all levels with credit equal y."""
    check_choice("credit", credit, ("both", "joined"))
    _, found = _levels(levels)
    steps = _credits(credits, len(found))
    side = as_clustering(y, name="y")
    counts = [Joint(level, side).statistic(PairCounts) for level in found]
    equal = all(p.equal for p, step in zip(counts, steps) if step)
    pairs, joined = counts[0].n_pairs, counts[0].in_y

    def value(n11: Sequence[float]) -> float:
        if credit == "both":
            return math.fsum(step * (pairs - p.in_x - joined + 2 * t) / pairs
                             for step, p, t in zip(steps, counts, n11))
        cost = (counts[-1].in_x - n11[-1]) + joined - math.fsum(
            step * t for step, t in zip(steps, n11))
        return 1.0 - cost / pairs

    return (1.0 if equal else value([p.n11 for p in counts]),
            value([p.in_x * joined / pairs for p in counts]), equal)


def nested_rand_index(levels: Any, y: Any, *, credits: Any = None, credit: str = "both") -> float:
    r"""Rand index with a truth of several levels: a pair joined deeper is more alike.

    Parameters
    ----------
    levels : sequence of clusterings, or data frame
        Hard clusterings of the truth from coarse to fine, each nested in the one before; of a
        frame the columns.
    y : clustering-like
        The clustering that is judged.
    credits : sequence of float, optional
        Similarity in the truth of two objects that this level is the deepest to join, rising, the
        last 1; by default m/L for level m of L.
    credit : {"both", "joined"}, optional
        "both": a pair costs the difference of its similarity and 1 or 0, as y joins it or not.
        "joined": pairs that y separates cost 1 if the finest level joins them; pairs that y joins
        cost 1 - similarity.

    Returns
    -------
    float
        From 0 to 1; 1 where all levels with credit equal y.

    Raises
    ------
    ClusteringError
        If a clustering is not hard, the objects differ, or a level is not nested in the one
        before; the message names two objects.
    ValueError
        If `credits` or `credit` are not as described.

    See Also
    --------
    adjusted_nested_rand_index, level_agreement, rand_index

    Notes
    -----
    .. math:: 1 - \mathrm{mean}_{i<j} |s_{ij} - J_{ij}| = \sum_m (c_m - c_{m-1}) R_m

    with the similarity s in the truth, J = 1 where y joins the pair, the credits c and the Rand
    index R of y with each level. Time O(L n).

    Theory: docs/theory/fields.md.

    References
    ----------
    Z. Wu and H. Wu (2020), Accounting for cell type hierarchy in evaluating single cell RNA-seq
    clustering, Genome Biology 21, 123.

    Examples
    --------
    >>> import softclust
    >>> levels = [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]]
    >>> round(softclust.nested_rand_index(levels, [0, 0, 0, 0, 1, 1]), 4)
    0.8667
    """
    return _nested(levels, y, credits, credit)[0]


def adjusted_nested_rand_index(levels: Any, y: Any, *, credits: Any = None, credit: str = "both"
                               ) -> float:
    r"""Nested Rand index corrected for chance: 0 on average for random.

    Parameters
    ----------
    levels : sequence of clusterings, or data frame
        As in `nested_rand_index`.
    y : clustering-like
        The clustering that is judged.
    credits, credit : optional
        As in `nested_rand_index`.

    Returns
    -------
    float
        At most 1; below 1 unless all levels with credit equal y. nan, with a warning, where every
        order of the objects gives 1 and the clusterings differ.

    Raises
    ------
    ClusteringError, ValueError
        As in `nested_rand_index`.

    Warns
    -----
    UndefinedMeasureWarning
        If the value is undefined: nan.

    See Also
    --------
    nested_rand_index, adjusted_rand_index

    Notes
    -----
    .. math:: \frac{v - \mathrm{E} v}{1 - \mathrm{E} v}

    with v the nested Rand index and its exact mean over all permutations of the objects.

    Theory: docs/theory/fields.md.

    Examples
    --------
    >>> import softclust
    >>> levels = [[0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2]]
    >>> round(softclust.adjusted_nested_rand_index(levels, [0, 0, 0, 0, 1, 1]), 4)
    0.7273
    """
    value, mean, equal = _nested(levels, y, credits, credit)
    if equal:
        return 1.0
    if mean >= 1.0 - 1e-15:
        return warn_undefined("adjusted_nested_rand_index", "every order of the objects gives 1")
    return (value - mean) / (1.0 - mean)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LevelAgreement:
    """Agreement of a clustering with each level of a truth; made by `level_agreement`.

    Attributes
    ----------
    level : tuple
        Names of the levels; numbers of clusters for a dendrogram.
    k : ndarray, shape (L,), int64
        Numbers of clusters.
    value, expected : ndarray, shape (L,)
        The measure, and its mean by chance (nan where it is not known).
    measure : str

    Examples
    --------
    >>> import softclust
    >>> found = softclust.level_agreement([[0, 0, 0, 0], [0, 0, 1, 1]], [0, 0, 1, 1])
    >>> found.k.tolist(), found.value.tolist()
    ([1, 2], [0.0, 1.0])
    """

    level: tuple[Any, ...]
    k: np.ndarray
    value: np.ndarray
    expected: np.ndarray
    measure: str

    def to_frame(self) -> pd.DataFrame:
        """One row per level: k, value, expected."""
        import pandas as pd
        return pd.DataFrame({"k": self.k, "value": self.value, "expected": self.expected},
                            index=pd.Index(list(self.level), name="level"))


def level_agreement(levels: Any, y: Any, *, measure: str = "adjusted_rand_index"
                    ) -> LevelAgreement:
    r"""Agreement of a clustering with each level of a nested truth.

    Parameters
    ----------
    levels : sequence of clusterings, data frame, or Dendrogram
        As in `nested_rand_index`; of a dendrogram every number of clusters that its cuts have.
    y : clustering-like
        The clustering that is judged.
    measure : str, optional
        A measure of two hard clusterings; levels are its x.

    Returns
    -------
    LevelAgreement

    Raises
    ------
    ClusteringError
        As in `nested_rand_index`.

    See Also
    --------
    nested_rand_index, best_cut, dendrogram_curve

    Notes
    -----
    .. math:: S(x_m, y), \quad m = 1, \ldots, L

    Theory: docs/theory/fields.md.

    Examples
    --------
    >>> import softclust
    >>> tree = softclust.Dendrogram([[0, 1, 1.0], [2, 3, 1.0], [4, 5, 2.0]])
    >>> softclust.level_agreement(tree, [0, 0, 1, 1]).to_frame()["value"].to_dict()
    {1: 0.0, 2: 1.0, 4: 0.0}
    """
    if isinstance(levels, Dendrogram):
        names: list[Any] = levels.k.tolist()
        found = [levels.cut(k) for k in names]
    else:
        names, found = _levels(levels)
    side, m = as_clustering(y, name="y"), get_measure(measure)
    values, means = [], []
    with quiet():
        for level in found:
            joint = Joint(level, side)
            values.append(float(m.function(joint)))
            mean = m.mean_permuted(joint, {})
            means.append(math.nan if mean is None else float(mean))
    return LevelAgreement(
        level=tuple(names), k=frozen(np.array([x.n_clusters for x in found], np.int64)),
        value=frozen(np.array(values)), expected=frozen(np.array(means)), measure=m.name)


# -- the best cut ---------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Ratio:
    """A measure as (p . sums) / (q . sums), sums = (1, cells, rows) of phi over chosen clusters."""

    over: tuple[float, float, float]
    under: tuple[float, float, float]
    sign: float = 1.0


def _ratio(name: str, n: int, phi_y: float) -> _Ratio:
    """The measure for a clustering y whose sum of phi is known."""
    pairs, q = n * (n - 1) / 2.0, (phi_y - n) / 2.0
    whole = math.log(n)
    known: dict[str, Callable[[], _Ratio]] = {
        "rand_index": lambda: _Ratio((pairs - q - n / 2.0, 1.0, -0.5), (pairs, 0.0, 0.0)),
        "jaccard_index": lambda: _Ratio((-n / 2.0, 0.5, 0.0), (q, -0.5, 0.5)),
        "pair_f_index": lambda: _Ratio((-float(n), 1.0, 0.0), (q - n / 2.0, 0.0, 0.5)),
        "adjusted_rand_index": lambda: _Ratio(
            ((q / pairs - 1.0) * n / 2.0, 0.5, -0.5 * q / pairs),
            (q / 2.0 - n / 4.0 + q * n / 2.0 / pairs, 0.0, 0.25 - 0.5 * q / pairs)),
        "variation_of_information": lambda: _Ratio((phi_y / n, -2.0 / n, 1.0 / n),
                                                   (1.0, 0.0, 0.0), -1.0),
        "normalized_mutual_information": lambda: _Ratio(
            (whole - phi_y / n, 1.0 / n, -1.0 / n), (whole - phi_y / n / 2.0, 0.0, -0.5 / n)),
    }
    if name not in known:
        raise ValueError(f"best_cut is exact for {', '.join(known)}; {name} is not a ratio of sums "
                         "over clusters")
    return known[name]()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutChance:
    """The best cut of permuted labels; made by `BestCut.chance`.

    Attributes
    ----------
    value : float
        Of the labels as they are.
    null : ndarray, shape (m,)
        Values of the best cuts of permuted labels.
    p_value : float
        Share of the permutations that are at least as alike, the labels counted as one of them.

    Examples
    --------
    >>> import softclust
    >>> tree = softclust.Dendrogram([[0, 1, 1.0], [2, 3, 1.0], [4, 5, 2.0]])
    >>> softclust.best_cut(tree, [0, 0, 1, 1]).chance(19, rng=0).null.shape
    (19,)
    """

    value: float
    null: np.ndarray
    p_value: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestCut:
    """The best clustering of all that a dendrogram has, by one measure; made by `best_cut`.

    Attributes
    ----------
    clustering : HardClustering
    value : float
        An optimum over very many cuts: no test of agreement; see `chance`.
    nodes : tuple of int
        Nodes of the dendrogram that are the clusters; below n objects.
    level_value : float
        The best value of all horizontal cuts.
    level_k : int
        The number of clusters of that cut.
    measure : str

    Examples
    --------
    >>> import softclust
    >>> tree = softclust.Dendrogram([[0, 1, 1.0], [3, 4, 2.0], [2, 5, 3.0]])
    >>> round(softclust.best_cut(tree, [0, 0, 1, 1]).value, 4)
    0.5714
    """

    clustering: HardClustering
    value: float
    nodes: tuple[int, ...]
    level_value: float
    level_k: int
    measure: str
    _tree: Dendrogram
    _y: HardClustering

    def __repr__(self) -> str:
        return (f"BestCut({self.measure}={self.value:.4g}, {len(self.nodes)} clusters; best level "
                f"{self.level_value:.4g} with {self.level_k}; an optimum, no test)")

    def chance(self, n_permutations: int = 999, *, rng: Any = None) -> CutChance:
        """Permute y and cut again.

        Parameters
        ----------
        n_permutations : int
        rng : None, int or Generator, optional

        Returns
        -------
        CutChance
        """
        generator = as_generator(rng)
        null = np.empty(check_whole("n_permutations", n_permutations))
        for b in range(null.size):
            codes = generator.permutation(self._y.codes)
            null[b] = _cut(self._tree, HardClustering(codes), self.measure).value
        better = (null <= self.value + 1e-12
                  if get_measure(self.measure).sense == "dissimilarity"
                  else null >= self.value - 1e-12)
        return CutChance(value=self.value, null=frozen(null),
                         p_value=(1 + int(better.sum())) / (1 + null.size))


def best_cut(tree: Any, y: Any, *, measure: str = "adjusted_rand_index") -> BestCut:
    r"""Find the clusters of a dendrogram, at any heights, that agree best with y.

    Parameters
    ----------
    tree : Dendrogram, merges or fitted estimator
        As `as_dendrogram` takes it.
    y : clustering-like
        A hard clustering of the same objects.
    measure : str, optional
        A measure that is a ratio of sums over clusters: "adjusted_rand_index", "rand_index",
        "jaccard_index", "pair_f_index", "variation_of_information" or
        "normalized_mutual_information".

    Returns
    -------
    BestCut
        The best of all antichains of the tree. An optimum over very many cuts, so no test of
        agreement: `BestCut.chance` permutes y and cuts again.

    Raises
    ------
    ClusteringError
        If y is not hard, or the objects differ.
    ValueError
        If the measure is no such ratio.

    See Also
    --------
    level_agreement, as_dendrogram

    Notes
    -----
    .. math:: \max_A \frac{p_0 + \sum_{k \in A} p_k}{q_0 + \sum_{k \in A} q_k}

    over the antichains A that cover all objects. For a sum one pass from the leaves to the root
    finds it; for a ratio Dinkelbach's iteration repeats the pass with p - lambda q, three to six
    times, and is exact. Tables of nodes are merged small into large: time O(n log^2 n) a pass. Ties
    go to the coarser node. Nodes of one height are one step.

    Theory: docs/theory/fields.md.

    References
    ----------
    W. Dinkelbach (1967), On nonlinear fractional programming, Management Science 13, 492-498.

    Examples
    --------
    >>> import softclust
    >>> tree = softclust.Dendrogram([[0, 1, 1.0], [2, 3, 2.0], [4, 6, 3.0], [5, 7, 4.0]])
    >>> found = softclust.best_cut(tree, [0, 0, 1, 1, 1])
    >>> found.value, found.clustering.labels.tolist()
    (1.0, [0, 0, 1, 1, 1])
    """
    dendrogram = as_dendrogram(tree)
    side: Clustering = as_clustering(y, name="y")
    if not isinstance(side, HardClustering):
        raise ClusteringError(f"y is {side.kind}; a hard clustering is needed")
    if side.n_objects != dendrogram.n_objects:
        raise ClusteringError(f"y has {side.n_objects} objects and the tree "
                              f"{dendrogram.n_objects}")
    return _cut(dendrogram, side, get_measure(measure).name)


def _cut(tree: Dendrogram, y: HardClustering, measure: str) -> BestCut:
    n, m = tree.n_objects, get_measure(measure)
    squares = m.statistic is not None and getattr(m.statistic, "phi", None) is SQUARE
    squares = squares or measure == "pair_f_index"
    phi: Callable[[Any], Any] = (lambda t: t * t) if squares else (lambda t: xlogy(t, t))
    phi_y = float(np.sum(phi(y.sizes.astype(float))))
    ratio = _ratio(measure, n, phi_y)
    cells = _node_cells(tree, y, squares)
    size = tree.intervals[0].astype(np.float64)
    rows = np.asarray(phi(size), dtype=np.float64)
    if int(y.sizes.max()) in (1, n):   # y is a cut itself; ratios are 0/0 there
        level_k = 1 if y.sizes.max() == n else n
        level_value = 1.0 if ratio.sign > 0 else 0.0
        nodes = [2 * n - 2] if level_k == 1 else list(range(n))
    else:
        level_value, level_k = _best_level(tree, ratio, cells, rows)
        nodes = _dinkelbach(tree, ratio, cells, rows, level_value)
    labels = np.empty(n, np.int64)
    size_of, start, order = tree.intervals
    for code, node in enumerate(nodes):
        labels[order[start[node]:start[node] + size_of[node]]] = code
    clustering = HardClustering(labels, object_names=tree.object_names)
    with quiet():
        value = float(m.function(HardClustering(labels), HardClustering(y.codes)))
    return BestCut(clustering=clustering, value=value, nodes=tuple(nodes),
                   level_value=level_value, level_k=level_k, measure=measure, _tree=tree, _y=y)


def _dinkelbach(tree: Dendrogram, ratio: _Ratio, cells: np.ndarray, rows: np.ndarray,
                best: float) -> list[int]:
    """Nodes of the best antichain, from the value of some cut."""
    found: list[int] = []
    for _ in range(100):
        weight = [ratio.sign * (p - best * q) for p, q in zip(ratio.over, ratio.under)]
        nodes, _ = _best_antichain(tree, weight[1] * cells + weight[2] * rows)
        under = _dot(ratio.under, nodes, cells, rows)
        value = _dot(ratio.over, nodes, cells, rows) / under if under > 0.0 else best
        if found and (value - best) * ratio.sign <= _DONE:
            return found
        found, best = nodes, value
    return found


def _dot(weights: tuple[float, float, float], nodes: list[int], cells: np.ndarray,
         rows: np.ndarray) -> float:
    return weights[0] + weights[1] * float(cells[nodes].sum()) + weights[2] * float(
        rows[nodes].sum())


def _node_cells(tree: Dendrogram, y: HardClustering, squares: bool) -> np.ndarray:
    """Sum of phi over the row of the table of each node, (2n - 1,)."""
    n, merges = tree.n_objects, tree.checked
    found = np.zeros(2 * n - 1)
    found[:n] = 1.0 if squares else 0.0
    tables: list[dict[int, int] | None] = [{code: 1} for code in y.codes.tolist()]
    for left, right in zip(merges.left.tolist(), merges.right.tolist()):
        large, small = tables[left], tables[right]
        assert large is not None
        assert small is not None
        if len(large) < len(small):
            large, small = small, large
        total = found[left] + found[right]
        for code, count in small.items():
            before = large.get(code, 0)
            large[code] = after = before + count
            if before:
                total += (2.0 * before * count if squares else
                          after * math.log(after) - before * math.log(before)
                          - count * math.log(count))
        found[len(tables)] = total
        tables[left] = tables[right] = None
        tables.append(large)
    return found


def _best_level(tree: Dendrogram, ratio: _Ratio, cells: np.ndarray, rows: np.ndarray
                ) -> tuple[float, int]:
    """The best horizontal cut: value and number of clusters, the coarsest of several."""
    n, merges = tree.n_objects, tree.checked
    above = np.arange(n, 2 * n - 1)
    sums = [np.concatenate([[v[:n].sum()], v[:n].sum() + np.cumsum(
        v[above] - v[merges.left] - v[merges.right])]) for v in (cells, rows)]
    at = np.append(0, merges.steps + 1)
    over, under = (w[0] + w[1] * sums[0][at] + w[2] * sums[1][at]
                   for w in (ratio.over, ratio.under))
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.where(np.abs(under) > 1e-12, over / under, -np.inf) * ratio.sign
    best = int(np.flatnonzero(values >= values.max() - 1e-14)[-1])
    return float(values[best] * ratio.sign), int(n - at[best])


def _best_antichain(tree: Dendrogram, own: np.ndarray) -> tuple[list[int], float]:
    """Nodes that cover all objects with the largest sum of `own`; ties to the coarser node."""
    n, merges = tree.n_objects, tree.checked
    left, right, kept = merges.left.tolist(), merges.right.tolist(), tree.kept.tolist()
    values = own.tolist()
    best = values[:n]
    whole = [True] * n
    for t in range(n - 1):
        below, mine = best[left[t]] + best[right[t]], values[n + t]
        take = kept[n + t] and mine >= below - 1e-12 * max(1.0, abs(below))
        whole.append(take)
        best.append(mine if take else below)
    chosen, stack = [], [2 * n - 2]
    while stack:
        node = stack.pop()
        if whole[node]:
            chosen.append(node)
        else:
            stack += [left[node - n], right[node - n]]
    return sorted(chosen), best[-1]
