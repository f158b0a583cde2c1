"""Nested truth: agreement with levels from coarse to fine, and the best cut of a dendrogram."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from scipy.special import xlogy

from ..._checks import ClusteringError, check_choice, check_whole, frozen, shown, warn_undefined
from ..._types import RNG, ArrayLike, ClusteringLike, EnsembleLike
from ...clusterings import Clustering, HardClustering, as_clustering
from ...clusterings.objects import ordered
from ...measures import Measure, get_measure
from ...measures.joint import Joint
from ...results.records import Columns, Drawn, Record, Valued
from ...results.summary import SummaryTable, right
from ...results.text import number
from ...running.random_numbers import as_generator
from ...running.warnings import quiet
from ...tables.contingency import Contingency
from ...tables.pair_counts import PairCounts
from ...tables.sums import Sums
from .dendrogram import Dendrogram, as_dendrogram
from .types import DendrogramLike

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
    hard = [side.as_hard(f"level {name!r}") for name, side in zip(names, sides)]
    for above, coarse, name, fine in zip(names, hard, names[1:], hard[1:]):
        if Joint(fine, coarse).statistic(Contingency).x_refines_y:
            continue
        first: dict[int, int] = {}
        for i, (k, group) in enumerate(zip(fine.codes.tolist(), coarse.codes.tolist())):
            j = first.setdefault(k, i)
            if coarse.codes[j] != group:
                raise ClusteringError(f"level {name!r} is not nested in level {above!r}: it joins "
                                      f"objects {j} and {i}, which level {above!r} separates; "
                                      "levels go from coarse to fine")
    return names, hard


def _nested(levels: Any, y: Any, credits: Any, credit: str) -> tuple[float, float, bool]:
    """The value, its mean over permutations, and whether all levels with credit equal y."""
    check_choice("credit", credit, ("both", "joined"))
    _, sides = _levels(levels)
    count = len(sides)
    steps = np.full(count, 1.0 / count)
    if credits is not None:
        values = np.asarray(credits, np.float64)
        if values.shape != (count,) or not np.isfinite(values).all():
            raise ValueError(f"credits={shown(credits)}; one number for each of {count} levels is "
                             "needed")
        steps = np.diff(values, prepend=0.0)
        if (steps < 0).any() or abs(values[-1] - 1.0) > 1e-12:
            raise ValueError(f"credits={shown(credits)}; they must rise from 0 and end with 1")
    truth = as_clustering(y, name="y")
    counts = [Joint(side, truth).statistic(PairCounts) for side in sides]
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


def nested_rand_index(levels: EnsembleLike, y: ClusteringLike, *, credits: ArrayLike | None = None,
                      credit: Literal["both", "joined"] = "both") -> float:
    r"""Rand index for a nested truth: pairs joined at a deeper level are more alike.

    Parameters
    ----------
    levels : sequence of clusterings, or data frame
        Hard clusterings of the truth from coarse to fine, each nested in the one before; of a
        frame the columns.
    y : clustering-like
        The clustering to evaluate.
    credits : sequence of float, optional
        Similarity in the truth of two objects for which this is the deepest level that joins them;
        increasing, the last is 1. By default m/L for level m of L.
    credit : {"both", "joined"}, optional
        "both": a pair costs the difference between its similarity and 1 (if y joins it) or 0.
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


def adjusted_nested_rand_index(levels: EnsembleLike, y: ClusteringLike, *,
                               credits: ArrayLike | None = None,
                               credit: Literal["both", "joined"] = "both") -> float:
    r"""Nested Rand index corrected for chance: 0 on average for random clusterings.

    Parameters
    ----------
    levels : sequence of clusterings, or data frame
        As in `nested_rand_index`.
    y : clustering-like
        The clustering to evaluate.
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
class LevelAgreement(Drawn, Record):
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

    Notes
    -----
    ``to_frame()``: one row per level: k, value, expected. Indexed by level.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.level_agreement([[0, 0, 0, 0], [0, 0, 1, 1]], [0, 0, 1, 1])
    >>> found.k.tolist(), found.value.tolist()
    ([1, 2], [0.0, 1.0])
    """

    _chart = "plot_level_agreement"

    level: Annotated[tuple[str | float | None, ...], "distinct k"]
    k: Annotated[np.ndarray, "i L >=1"]
    value: Annotated[np.ndarray, "f L"]
    expected: Annotated[np.ndarray, "f L"]
    measure: Annotated[str, "measure"]

    def _title(self) -> str:
        return f"{self.measure} with each level of the truth"

    def _frame(self) -> Columns:
        return Columns({"k": self.k, "value": self.value, "expected": self.expected},
                       {"level": self.level})


def level_agreement(levels: EnsembleLike | Dendrogram, y: ClusteringLike, *,
                    measure: str = "adjusted_rand_index") -> LevelAgreement:
    r"""Agreement of a clustering with each level of a nested truth.

    Parameters
    ----------
    levels : sequence of clusterings, data frame, or Dendrogram
        As in `nested_rand_index`; of a dendrogram every number of clusters that its cuts have.
    y : clustering-like
        The clustering to evaluate.
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
    truth, m = as_clustering(y, name="y"), get_measure(measure)
    if isinstance(levels, Dendrogram):
        truth = ordered(truth, levels.object_names, called=("the tree", "y"))
        names, k = levels.k.tolist(), levels.k
        if m.linear_in_pairs and m.chance is None:
            # The measure of pairs and its mean for all cuts, from sums over the nodes.
            hard, size = _hard(truth, levels), levels.intervals[0]
            cells, rows = (_at_levels(levels, v).astype(np.int64)
                           for v in (_node_cells(levels, hard, squares=True), size * size))
            assert m.statistic is not None
            assert m.formula is not None
            counts = m.statistic.from_sums(Sums(
                n=levels.n_objects, cells=cells, rows=rows,
                columns=np.full_like(rows, (hard.sizes * hard.sizes).sum())))
            with quiet(), np.errstate(invalid="ignore", divide="ignore"):
                value, expected = (
                    np.broadcast_to(m.formula(each), rows.shape)[::-1].astype(np.float64)
                    for each in (counts, counts.permuted()))
        else:
            value, expected = _level_by_level([levels.cut(k) for k in names], truth, m)
    else:
        names, sides = _levels(levels)
        k = np.array([side.n_clusters for side in sides], np.int64)
        value, expected = _level_by_level(sides, truth, m)
    return LevelAgreement(level=tuple(names), k=frozen(k), value=frozen(value),
                          expected=frozen(expected), measure=m.name)


def _level_by_level(levels: Sequence[Clustering], y: Clustering, m: Measure
                    ) -> tuple[np.ndarray, np.ndarray]:
    """The measure at each level, and its mean over permutations."""
    values, means = [], []
    with quiet():
        for level in levels:
            joint = Joint(level, y)
            values.append(float(m.function(joint)))
            mean = m.mean_permuted(joint, {})
            means.append(math.nan if mean is None else float(mean))
    return np.array(values), np.array(means)


# -- the best cut ---------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutChance(Valued, Record):
    """The best cut of permuted labels; made by `BestCut.chance`.

    Attributes
    ----------
    value : float
        Value of the labels as they are.
    null : ndarray, shape (m,)
        Values of the best cuts of permuted labels.
    p_value : float
        Share of permutations that are at least as alike, counting the labels as one of them.

    Examples
    --------
    >>> import softclust
    >>> tree = softclust.Dendrogram([[0, 1, 1.0], [2, 3, 1.0], [4, 5, 2.0]])
    >>> softclust.best_cut(tree, [0, 0, 1, 1]).chance(19, rng=0).null.shape
    (19,)
    """

    value: float
    null: Annotated[np.ndarray, "f m"]
    p_value: float

    def _table(self) -> SummaryTable:
        return SummaryTable.of(
            {"value": [number(self.value)], "null mean": [number(float(self.null.mean()))],
             "p-value": [f"{self.p_value:.3g}"]},
            title=f"Best cut against those of {self.null.size} permutations of the labels")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestCut(Valued, Record):
    """The best clustering in a dendrogram by one measure; made by `best_cut`.

    Attributes
    ----------
    clustering : HardClustering
    value : float
        An optimum over very many cuts, not a test of agreement; see `chance`.
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

    clustering: Annotated[HardClustering, "_tree.n_objects"]
    value: float
    nodes: tuple[int, ...]
    level_value: float
    level_k: int
    measure: Annotated[str, "measure"]
    _tree: Dendrogram
    _y: Annotated[HardClustering, "_tree.n_objects"]

    def _check(self) -> None:
        if not all(0 <= node < 2 * self._tree.n_objects - 1 for node in self.nodes):
            raise ClusteringError("a stored cut has nodes that its dendrogram has not")

    def __repr__(self) -> str:
        return (f"BestCut({self.measure}={self.value:.4g}, {len(self.nodes)} clusters; best level "
                f"{self.level_value:.4g} with {self.level_k}; an optimum, no test)")

    def _table(self) -> SummaryTable:
        return SummaryTable.of(
            {"cut": ["best", "best level"], self.measure: right([self.value, self.level_value],
                                                                number),
             "clusters": [len(self.nodes), self.level_k]}, title="Best cut of a dendrogram",
            notes=["The best of very many cuts, which is no test of agreement: chance() is one."])

    def chance(self, n_permutations: int = 999, *, rng: RNG = None) -> CutChance:
        """Permute y and cut again.

        Parameters
        ----------
        n_permutations : int
        rng : None, int or Generator, optional

        Returns
        -------
        CutChance
        """
        generator, m = as_generator(rng), get_measure(self.measure)
        null = np.empty(check_whole("n_permutations", n_permutations))
        for b in range(null.size):
            codes = generator.permutation(self._y.codes)
            null[b] = _cut(self._tree, HardClustering(codes), m).value
        better = (null <= self.value + 1e-12 if m.sense == "dissimilarity" else
                  null >= self.value - 1e-12)
        return CutChance(value=self.value, null=frozen(null),
                         p_value=(1 + int(better.sum())) / (1 + null.size))


def best_cut(tree: DendrogramLike, y: ClusteringLike, *, measure: str = "adjusted_rand_index"
             ) -> BestCut:
    r"""Find the clusters of a dendrogram, at any heights, that agree best with y.

    Parameters
    ----------
    tree : Dendrogram, merges or fitted estimator
        As `as_dendrogram` takes it.
    y : clustering-like
        A hard clustering of the same objects.
    measure : str, optional
        A measure that is a ratio of sums over the clusters of the tree, such as the Rand and
        adjusted Rand indices, the Jaccard index, pair F, variation of information, and normalized
        mutual information.

    Returns
    -------
    BestCut
        The best of all antichains of the tree. It is an optimum over very many cuts and not a test
        of agreement; for that, `BestCut.chance` permutes y and cuts again.

    Raises
    ------
    ClusteringError
        If y is not hard, or the objects differ.
    ValueError
        If the measure is not such a ratio.

    See Also
    --------
    level_agreement, as_dendrogram

    Notes
    -----
    .. math:: \max_A \frac{p_0 + \sum_{k \in A} p_k}{q_0 + \sum_{k \in A} q_k}

    over the antichains A that cover all objects. For a sum one pass from the leaves to the root
    finds it; for a ratio Dinkelbach's iteration repeats the pass with p - lambda q, three to six
    times, and is exact. Tables of nodes are merged small into large: time O(n log^2 n) per pass.
    Ties go to the coarser node. Nodes of one height are one step.

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
    return _cut(dendrogram, _hard(as_clustering(y, name="y"), dendrogram), get_measure(measure))


def _hard(y: Clustering, tree: Dendrogram) -> HardClustering:
    """y with the objects in the order of the tree."""
    side = y.as_hard("y")
    if side.n_objects != tree.n_objects:
        raise ClusteringError(f"y has {side.n_objects} objects and the tree {tree.n_objects}")
    return ordered(side, tree.object_names, called=("the tree", "y"))


def _cut(tree: Dendrogram, y: HardClustering, m: Measure) -> BestCut:
    n, ratio = tree.n_objects, _CutRatio.of(tree, y, m)
    if int(y.sizes.max()) in (1, n):   # y is a cut itself; ratios are 0/0 there
        level_k = 1 if y.sizes.max() == n else n
        level_value = 1.0 if ratio.sign > 0 else 0.0
        nodes = [2 * n - 2] if level_k == 1 else list(range(n))
    else:
        level_value, level_k = ratio.best_level()
        nodes = ratio.best_nodes(level_value)
    labels = np.empty(n, np.int64)
    size, start, order = tree.intervals
    for code, node in enumerate(nodes):
        labels[order[start[node]:start[node] + size[node]]] = code
    with quiet():
        value = float(m.function(HardClustering(labels), HardClustering(y.codes)))
    return BestCut(clustering=HardClustering(labels, object_names=tree.object_names), value=value,
                   nodes=tuple(nodes), level_value=level_value, level_k=level_k, measure=m.name,
                   _tree=tree, _y=y)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CutRatio:
    """A measure of the cuts of a tree as (p_0 + sum p) / (q_0 + sum q) over the nodes of a cut.

    Attributes
    ----------
    over, under : (2n - 1,)
        p and q of every node.
    constants : (float, float)
        p_0 and q_0.
    sign : float
        1 for an agreement, -1 for a dissimilarity.
    """

    tree: Dendrogram
    over: np.ndarray
    under: np.ndarray
    constants: tuple[float, float]
    sign: float

    @classmethod
    def of(cls, tree: Dendrogram, y: HardClustering, m: Measure) -> _CutRatio:
        """Sums for a measure; raises ValueError if it is not such a ratio."""
        size, of_y = tree.intervals[0].astype(np.float64), y.sizes.astype(np.float64)
        ratio = m.ratio(n=tree.n_objects, y_squares=float(of_y @ of_y),
                        y_logs=float(xlogy(of_y, of_y).sum()), n_y=np.count_nonzero(of_y))
        parts = ratio.over, ratio.under
        names = parts[0].names | parts[1].names
        if max(part.degree for part in parts) > 1 or not names <= {
                "cells_squares", "x_squares", "cells_logs", "x_logs", "n_x"}:
            raise ValueError(f"{m.name} is not a ratio of sums over the clusters of the tree, such "
                             "as the adjusted Rand index: its best cut is not known")
        sums = {"x_squares": size * size, "x_logs": xlogy(size, size), "n_x": np.ones(size.size)}
        sums |= {name: _node_cells(tree, y, squares=name == "cells_squares") for name in names
                 if name.startswith("cells")}
        over, under = (sum((part.coefficient(name) * sums[name] for name in names),
                           np.zeros(size.size)) for part in parts)
        return cls(tree=tree, over=over, under=under, sign=1.0 if m.sense == "agreement" else -1.0,
                   constants=(parts[0].coefficient(), parts[1].coefficient()))

    def best_level(self) -> tuple[float, int]:
        """The best horizontal cut: value and number of clusters, the coarsest of several."""
        over, under = (constant + _at_levels(self.tree, part) for constant, part in
                       zip(self.constants, (self.over, self.under)))
        with np.errstate(invalid="ignore", divide="ignore"):
            values = np.where(np.abs(under) > 1e-12, over / under * self.sign, -np.inf)
        best = int(np.flatnonzero(values >= values.max() - 1e-14)[-1])
        return float(values[best] * self.sign), int(self.tree.k[::-1][best])

    def best_nodes(self, best: float) -> list[int]:
        """Nodes of the best antichain, by Dinkelbach's iteration from the value of some cut."""
        chosen: list[int] = []
        for _ in range(100):
            nodes = _best_antichain(self.tree, self.sign * (self.over - best * self.under))
            over, under = (constant + float(part[nodes].sum()) for constant, part in
                           zip(self.constants, (self.over, self.under)))
            value = over / under if under > 0.0 else best
            if chosen and (value - best) * self.sign <= _DONE:
                break
            chosen, best = nodes, value
        return chosen


def _at_levels(tree: Dendrogram, of_nodes: np.ndarray) -> np.ndarray:
    """Sums over the clusters of each horizontal cut, (g,) from n clusters to 1."""
    n, m = tree.n_objects, tree.checked
    merged = of_nodes[n:] - of_nodes[m.left] - of_nodes[m.right]
    sums = of_nodes[:n].sum() + np.concatenate([[0], np.cumsum(merged)])
    return np.asarray(sums[np.append(0, m.steps + 1)])


def _node_cells(tree: Dendrogram, y: HardClustering, squares: bool) -> np.ndarray:
    """Sum of phi over the row of the table of each node, (2n - 1,)."""
    n, merges = tree.n_objects, tree.checked
    sums = [1.0 if squares else 0.0] * n
    tables: list[dict[int, int]] = [{code: 1} for code in y.codes.tolist()]
    for one, other in zip(merges.left.tolist(), merges.right.tolist()):
        large, small = tables[one], tables[other]
        if len(large) < len(small):
            large, small = small, large
        total = sums[one] + sums[other]
        for code, count in small.items():
            before = large.get(code, 0)
            large[code] = after = before + count
            if before:
                total += (2.0 * before * count if squares else
                          after * math.log(after) - before * math.log(before)
                          - count * math.log(count))
        sums.append(total)
        tables.append(large)
        tables[one] = tables[other] = {}
    return np.array(sums)


def _best_antichain(tree: Dendrogram, of_nodes: np.ndarray) -> list[int]:
    """Nodes that cover all objects with the largest sum; ties to the coarser node."""
    n, merges = tree.n_objects, tree.checked
    left, right, clusters = merges.left.tolist(), merges.right.tolist(), tree.kept.tolist()
    values = of_nodes.tolist()
    best, whole = values[:n], [True] * n
    for a, b, value, is_cluster in zip(left, right, values[n:], clusters[n:]):
        below = best[a] + best[b]
        take = is_cluster and value >= below - 1e-12 * max(1.0, abs(below))
        whole.append(take)
        best.append(value if take else below)
    chosen, stack = [], [2 * n - 2]
    while stack:
        node = stack.pop()
        if whole[node]:
            chosen.append(node)
        else:
            stack += [left[node - n], right[node - n]]
    return sorted(chosen)
