"""Matching of the clusters of two clusterings."""

from __future__ import annotations

import numbers
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError, check_uniforms, frozen, shown, warn_undefined
from .._types import (
    RNG,
    ArrayLike,
    ClusteringLike,
    FrameLike,
    Margins,
    MatchingRule,
    MissingRules,
    NoiseRules,
    Objects,
    SourceLike,
    Sparse,
)
from ..clusterings import Aligned, Clustering, FuzzyClustering, HardClustering, as_clustering
from ..clusterings.alignment import Policies
from ..clusterings.arrays import dense
from ..measures.joint import settled_source
from ..results.frames import frame_first
from ..results.records import POSITION, Columns, Drawn, Record, of_positions
from ..results.summary import SummaryTable, right
from ..results.text import position
from ..running.random_numbers import as_generator
from ..tables.contingency import Contingency
from ..tables.contingency_table import ContingencyTable
from ..tables.frame_sides import sides_of
from ..tables.matching import (
    TIE_TOLERANCE,
    is_heuristic,
    match_columns,
    matched_cells,
    method_code,
    n_choices,
    score_table,
)

#: tables with more cells are matched by their non-zero cells
DENSE_CELLS = 1 << 22
#: pairs that the summary of a sparse table shows
_SHOWN = 20
#: largest and least total of a table of masses: products of its margins stay normal numbers
_MOST, _LEAST = 1e100, 1e-100
#: below this a float is a count when it is whole
_MAX_COUNT = 2.0**53


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Matching(Drawn, Record):
    """Pairs of clusters of x and y; made by `match_clusters` and `match_table`.

    Attributes
    ----------
    pairs : (m, 2) int64
        m = min(r, s) pairs (cluster of x, cluster of y) by falling count, equal counts in
        random order.
    permutation : (s,) int64
        Cluster of x that each cluster of y is matched with; clusters of y without a partner get
        the numbers r, r + 1, ...
    table : (r, s) int64 or float64
        Objects (of fuzzy clusterings: sums of products of memberships) by clusters of x and y. A
        sparse array of scipy where it has more than 2**22 cells (method "trace", hard clusterings);
        there is then no pair without common objects.
    score : (r, s) float64
        Signed normalised squared deviation of `table` from independence; of a sparse table only
        that of its non-zero cells.
    objective : float
        Sum over the pairs of the counts ("trace", "trace_heuristic") or of the scores.
    n_optimal : int or None
        Number of equally good matchings, of which one was chosen at random; None for the
        heuristic and for more than 12 clusters of y.
    method, margins : str
        The rule.
    row_names, column_names : tuple or None
        Names of the clusters of x and of y.
    alignment : Aligned or None
        Record of how noise, missing labels and differing objects were treated; None if nothing was
        done.

    Notes
    -----
    ``to_frame()``: the matched table. Rows are clusters of x, columns clusters of y, in the order
    of `matched_table`; names where the clusterings have them, else numbers. Of a sparse table: x,
    y and the count of each pair.

    Examples
    --------
    >>> import softclust
    >>> matching = softclust.match_clusters([0, 0, 0, 1, 1], [1, 1, 1, 0, 2])
    >>> matching.pairs.tolist() in ([[0, 1], [1, 0]], [[0, 1], [1, 2]])
    True
    >>> softclust.match_table([[1, 5], [4, 0]]).to_frame()
       1  0
    0  5  1
    1  0  4
    >>> print(softclust.match_table([[1, 5], [4, 0]]).summary())
    Matched table: method trace
    =======
       1  0
    -------
    0  5  1
    1  0  4
    =======
    Rows are clusters of x, columns clusters of y. Pairs: (0, 1), (1, 0).
    Share on the pairs: 0.9000. Objective: 9. Equally good matchings: 1.
    """

    _chart = "plot_matching"

    pairs: Annotated[np.ndarray, "i m 2 >=0"] = field(metadata=POSITION)
    permutation: Annotated[np.ndarray, "i s >=0"] = field(metadata=POSITION)
    table: Annotated[Any, "f r permutation"]
    score: Annotated[Any, "f r permutation"]
    objective: float
    n_optimal: Annotated[int | None, ">=1"]
    method: str
    margins: str
    row_names: Annotated[tuple[Any, ...] | None, "r"] = None
    column_names: Annotated[tuple[Any, ...] | None, "permutation"] = None
    alignment: Aligned | None = None

    def _check(self) -> None:
        if (self.pairs >= self.table.shape).any():
            raise ClusteringError("the pairs of a stored matching are not in its table")

    def __repr__(self) -> str:
        r, s = self.table.shape
        return (f"Matching({len(self.pairs)} pairs of {r} and {s} clusters, "
                f"method={self.method!r}, diagonal={self.diagonal:.4g})")

    @property
    @of_positions
    def row_order(self) -> np.ndarray:
        """Clusters of x in the order of `matched_table`, (r,): in pairs, then the others."""
        return _in_order(self.pairs[:, 0], self.table.shape[0])

    @property
    @of_positions
    def column_order(self) -> np.ndarray:
        """Clusters of y in the order of `matched_table`, (s,): in pairs, then the others."""
        return _in_order(self.pairs[:, 1], self.table.shape[1])

    @property
    def matched_table(self) -> np.ndarray:
        """`table` (r, s) with pairs on the diagonal and clusters without partner at the end."""
        return self.table[self.row_order[:, None], self.column_order] if isinstance(
            self.table, np.ndarray) else self.table[self.row_order][:, self.column_order]

    @property
    def diagonal(self) -> float:
        """Share of the objects in the cells of the pairs, in [0, 1]."""
        return float(self.table[self.pairs[:, 0], self.pairs[:, 1]].sum() / self.table.sum())

    @property
    def kappa(self) -> float:
        """Cohen's kappa of the matched table, padded to a square with empty clusters.

        In [-1, 1]; nan, with a warning, when one cell holds everything (0/0). It treats the
        matching as given in advance; R: ``irr::kappa2`` of the matched labels.
        """
        total = float(self.table.sum())
        a, b = (np.asarray(self.table.sum(axis=axis))[of] / total
                for axis, of in ((1, self.pairs[:, 0]), (0, self.pairs[:, 1])))
        by_chance = float(a @ b)
        if by_chance == 1.0:
            return warn_undefined("kappa", "one cell holds all objects")
        return (self.diagonal - by_chance) / (1.0 - by_chance)

    def apply(self, y: ClusteringLike) -> Clustering:
        """y with its clusters renamed after their partners in x.

        Parameters
        ----------
        y : clustering-like
            Hard or fuzzy with s clusters: the one that was matched, or another of the same
            clusters (new objects, for example).

        Returns
        -------
        HardClustering or FuzzyClustering
            Cluster l of y becomes cluster ``permutation[l]``; nothing is merged or dropped, so
            there are r clusters and one for each cluster of y without a partner.

        Raises
        ------
        ClusteringError
            If y is neither hard nor fuzzy, or does not have s clusters.

        Examples
        --------
        >>> import softclust
        >>> y = [1, 1, 1, 0, 0]
        >>> softclust.match_clusters([0, 0, 0, 1, 1], y).apply(y).labels
        array([0, 0, 0, 1, 1])
        """
        clustering = as_clustering(y, name="y")
        membership_given = _memberships("y", clustering)
        r, s = self.table.shape
        if clustering.n_clusters != s:
            raise ClusteringError(f"y has {clustering.n_clusters} clusters and this matching is "
                                  f"for {s}; give the y that was matched, with empty clusters "
                                  "declared (n_clusters=)")
        count = max(r, int(self.permutation.max()) + 1)
        names = None if self.row_names is None else list(self.row_names)
        if names is not None:   # of x, then the numbers of y's clusters without partner
            old_of = {int(new): old for old, new in enumerate(self.permutation) if new >= r}
            for k in range(r, count):
                name = self.column_names[old_of[k]] if self.column_names is not None else old_of[k]
                names.append(name if name not in names else f"{name} of y")
        if (codes := clustering.hard_codes) is not None:
            labels = self.permutation[codes]
            return HardClustering(labels, n_clusters=count, cluster_names=names,
                                  object_names=clustering.naming)
        membership = np.zeros((clustering.n_objects, count))
        membership[:, self.permutation] = membership_given
        return FuzzyClustering(membership, cluster_names=names,
                               object_names=clustering.naming)

    def _frame(self) -> Columns:
        if not isinstance(self.table, np.ndarray):
            return self._pairs_frame()
        return Columns.of_matrix(self.matched_table, _names(self.row_names, self.row_order),
                                 _names(self.column_names, self.column_order))

    def _pairs_frame(self) -> Columns:
        """One row per pair, for tables too large to show."""
        return Columns({"x": _names(self.row_names, self.pairs[:, 0]),
                        "y": _names(self.column_names, self.pairs[:, 1]),
                        "count": np.asarray(self.table[self.pairs[:, 0], self.pairs[:, 1]])})

    def _table(self) -> SummaryTable:
        quality = f"Share on the pairs: {self.diagonal:.4f}. Objective: {self.objective:.6g}."
        if not isinstance(self.table, np.ndarray):   # too large: its largest pairs
            named = {k: list(v)[:_SHOWN] for k, v in self._pairs_frame().data.items()}
            r, s = self.table.shape
            left = len(self.pairs) - _SHOWN
            more = [f"{left} more pairs: to_frame() has them."] if left > 0 else []
            return SummaryTable(
                [[str(x), str(y), str(count)] for x, y, count in zip(*named.values())],
                list(named), title=f"{len(self.pairs)} pairs of {r} and {s} clusters",
                aligns="llr", notes=[*more, quality])
        rows = [*map(position, _names(self.row_names, self.row_order))]
        columns = [*map(position, _names(self.column_names, self.column_order))]
        form = "d" if self.table.dtype == np.int64 else ".4g"
        rule = self.method
        if self.method == "truematch_heuristic":
            rule += f", {self.margins} margins"
        pairs = ", ".join(f"({rows[i]}, {columns[i]})" for i in range(len(self.pairs)))
        if self.n_optimal is not None:
            quality += f" Equally good matchings: {self.n_optimal}."
        notes = [] if self.alignment is None else [f"{self.alignment.header}."]
        return SummaryTable(
            [[str(name), *right(counts, form)] for name, counts in zip(rows, self.matched_table)],
            ["", *map(str, columns)], title=f"Matched table: method {rule}",
            aligns="l" + "r" * len(columns),
            notes=[*notes, f"Rows are clusters of x, columns clusters of y. Pairs: {pairs}.",
                   quality])


@frame_first
def match_clusters(x: SourceLike | None = None, y: ClusteringLike | None = None, *,
                   data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
                   on: str | Sequence[str] | None = None,
                   method: MatchingRule = "trace", margins: Margins = "remaining",
                   noise: NoiseRules = None, noise_label: Any = -1,
                   missing: MissingRules = "raise", objects: Objects = "same",
                   tie_tol: float = TIE_TOLERANCE, rng: RNG = None,
                   uniforms: ArrayLike | None = None) -> Matching:
    r"""Pair the clusters of two clusterings.

    Parameters
    ----------
    x, y : clustering-like
        Hard or fuzzy, of the same n objects; x is the reference with r clusters, y has s.
        Empty clusters count.
    data, on : optional
        One frame, of which x and y name columns, or two with the key `on`; as in `compare`.
    method : {"trace", "truematch", "truematch_heuristic", "trace_heuristic"}
        "trace": the pairs that share the most objects. "truematch": the largest sum of scores; a
        score measures by how much a count exceeds its expectation under independence.
        "truematch_heuristic": take the cell with the largest score (then the largest count),
        remove its row and column, and repeat. "trace_heuristic": the same with the largest count.
    margins : {"remaining", "all"}
        For "truematch_heuristic": scores from the rows and columns that remain, or from the full
        table.
    noise, noise_label, missing, objects : optional
        Treatment of noise, missing labels and differing objects; see `align`.
    tie_tol : float
        For fuzzy clusterings: scores (counts for "trace") nearer than this share of the largest
        are tied. Tables of counts are decided exactly.
    rng : None, int or Generator
        Chooses among equally good matchings, uniformly (heuristics: uniformly within each round).
    uniforms : array-like, optional
        Ready numbers in [0, 1) instead of `rng`: one for the match (heuristics: min(r, s)),
        then min(r, s) for the order of pairs with equal counts.

    Returns
    -------
    Matching
        min(r, s) pairs; pairs with negative scores and with empty clusters are formed too.

    Raises
    ------
    ClusteringError
        If a clustering is neither hard nor fuzzy, or objects differ.

    See Also
    --------
    match_table, partition_distance

    Notes
    -----
    .. math:: s = \mathrm{sign}(T - e) (T - e)^2 / e, \quad e = a_k b_l / n

    T is a count of the table, a_k and b_l its row and column sums; the score s is 0 where e is 0
    (equations 1 to 3). With up to 12 clusters of y a recursion over subsets of columns counts the
    optima, in time O(r s 2^s). With more, SciPy solves a shuffled table: one of the optima at
    random, not all equally likely. Heuristics: O(min(r, s) r s). Table: O(n + r s) hard, O(n r s)
    fuzzy. R: ``clue::solve_LSAP(table, maximum = TRUE)`` gives one match.

    Theory: docs/theory/truecluster.md.

    References
    ----------
    J. Oehlschlaegel, "Truecluster matching", arXiv:0705.4302 (2007).

    E. Dimitriadou, A. Weingessel, K. Hornik, "A combination scheme for fuzzy clustering", Int. J.
    of Pattern Recognition and Artificial Intelligence 16 (2002), 901-912: trace_heuristic.

    Examples
    --------
    >>> import softclust
    >>> x, y = [0] * 99 + [1], [1] + [0] * 99
    >>> softclust.match_clusters(x, y).diagonal
    0.98
    >>> softclust.match_clusters(x, y, method="truematch").diagonal
    0.02
    """
    x, y, policies = sides_of(x, y, data, on, Policies(noise, noise_label, missing, objects))
    source, alignment = settled_source(x, y, ("x", "y"), policies)
    counts = source.statistic(Contingency) if source.both_hard and not source.weighted else None
    if counts is not None and counts.r * counts.s > DENSE_CELLS and method == "trace":
        names = ((source.x_names, source.y_names) if isinstance(source, ContingencyTable)
                 else (source.objects.x.cluster_names, source.objects.y.cluster_names))
        return _match_sparse(counts, names, rng, uniforms, alignment, margins)
    if isinstance(source, ContingencyTable):
        return match_table(source.dense(), method=method, margins=margins,
                           tie_tol=tie_tol, rng=rng, uniforms=uniforms,
                           row_names=source.x_names, column_names=source.y_names)
    joint = source.objects
    if joint.both_hard:
        table = joint.statistic(Contingency).dense()
    else:   # einsum without BLAS: the same bits for any number of threads
        table = np.einsum("ik,il->kl", _memberships("x", joint.x), _memberships("y", joint.y))
    matching = match_table(table, method=method, margins=margins, tie_tol=tie_tol, rng=rng,
                           uniforms=uniforms, row_names=joint.x.cluster_names,
                           column_names=joint.y.cluster_names)
    return replace(matching, alignment=alignment)


def match_table(table: ArrayLike | Sparse, *, method: MatchingRule = "trace",
                margins: Margins = "remaining", tie_tol: float = TIE_TOLERANCE, rng: RNG = None,
                uniforms: ArrayLike | None = None, row_names: Collection[Any] | None = None,
                column_names: Collection[Any] | None = None) -> Matching:
    """Pair the rows of a contingency table with its columns.

    Parameters
    ----------
    table : array-like or scipy sparse, shape (r, s)
        Counts or masses >= 0, finite, not all 0. Whole numbers are counts.
    method, margins, tie_tol, rng, uniforms
        As in `match_clusters`.
    row_names, column_names : sequence, optional
        Names of the clusters.

    Returns
    -------
    Matching

    Raises
    ------
    ClusteringError
        If the table is not two-dimensional, or has entries that are negative or not finite.

    See Also
    --------
    match_clusters

    Examples
    --------
    >>> import softclust
    >>> table = [[50, 0, 0], [0, 48, 1], [0, 1, 0]]
    >>> softclust.match_table(table, method="truematch").permutation
    array([0, 1, 2])
    """
    counts = _checked_table(table)
    code = method_code(method, margins)
    real = isinstance(tie_tol, numbers.Real) and not isinstance(tie_tol, bool)
    if not real or not 0.0 <= float(tie_tol) < 1.0:
        raise ClusteringError(f"tie_tol is {tie_tol!r}; a number in [0, 1) is needed")
    r, s = counts.shape
    m = min(r, s)
    choices = n_choices(code, r, s)
    if uniforms is None:
        random = as_generator(rng).random(choices + m)
    elif rng is not None:
        raise TypeError("give either rng or uniforms, not both")
    else:
        random = check_uniforms(uniforms, (choices + m,),
                                "the choices of the match, then the order of the pairs")
    columns, n_optimal = match_columns(counts, code, random[:choices],
                                       tolerance=float(tie_tol))
    rows = np.flatnonzero(columns >= 0)
    pairs = np.stack([rows, columns[rows]], axis=1)
    on_pairs = counts[pairs[:, 0], pairs[:, 1]]
    order = np.lexsort((random[choices:], -on_pairs))
    permutation = np.full(s, -1, dtype=np.int64)
    permutation[pairs[:, 1]] = pairs[:, 0]
    permutation[permutation < 0] = np.arange(r, r + s - m)
    score = score_table(counts)
    chosen = on_pairs if method.startswith("trace") else score[pairs[:, 0], pairs[:, 1]]
    return Matching(
        pairs=frozen(pairs[order]), permutation=frozen(permutation), table=frozen(counts),
        score=frozen(score), objective=float(chosen.sum()),
        n_optimal=None if is_heuristic(code) else n_optimal, method=method, margins=margins,
        row_names=_checked_names("row_names", row_names, r),
        column_names=_checked_names("column_names", column_names, s))


def _match_sparse(c: Contingency, names: tuple[Any, Any], rng: RNG, uniforms: Any,
                  alignment: Aligned | None, margins: Margins) -> Matching:
    """Match by the trace on the non-zero cells, one connected component at a time."""
    from scipy.sparse import csr_array
    cells = matched_cells(c.rows, c.cols, c.counts)
    if uniforms is not None and rng is not None:
        raise TypeError("give either rng or uniforms, not both")
    random = (as_generator(rng).random(1 + cells.size) if uniforms is None else
              check_uniforms(uniforms, (1 + min(c.r, c.s),),
                             "the choice of the match, then the order of the pairs"))
    on_pairs = c.counts[cells]
    order = np.lexsort((random[1:1 + cells.size], -on_pairs))
    pairs = np.stack([c.rows[cells], c.cols[cells]], axis=1)
    permutation = np.full(c.s, -1, dtype=np.int64)
    permutation[pairs[:, 1]] = pairs[:, 0]
    alone = permutation < 0
    permutation[alone] = c.r + np.arange(np.count_nonzero(alone))
    expected = c.a[c.rows].astype(float) * c.b[c.cols] / c.n
    difference = c.counts - expected
    table, score = (csr_array((values, (c.rows, c.cols)), shape=(c.r, c.s)) for values in (
        c.counts, difference * np.abs(difference) / expected))
    return Matching(
        pairs=frozen(pairs[order]), permutation=frozen(permutation), table=table, score=score,
        objective=float(on_pairs.sum()), n_optimal=None, method="trace", margins=margins,
        row_names=names[0], column_names=names[1], alignment=alignment)


def _memberships(name: str, x: Clustering) -> np.ndarray:
    if x.kind == "cover":
        raise ClusteringError(f"{name} is cover; a hard or fuzzy clustering is needed: "
                              "match_table(x.overlaps(y)) pairs clusters of covers")
    return x.memberships(name)


def _checked_table(table: Any) -> np.ndarray:
    if np.ma.is_masked(table):
        raise ClusteringError("table has masked entries; give 0 where nothing was counted")
    try:
        array = np.array(dense(table, "table"))
        whole = array.dtype.kind in "iub"
        array = array.astype(np.int64 if whole else np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ClusteringError("table cannot be read as a table of numbers") from None
    if array.ndim != 2 or not array.size:
        raise ClusteringError(f"table has shape {array.shape}; (r, s) with r, s >= 1 is needed, "
                              "rows for x and columns for y")
    bad = ~(np.isfinite(array) & (array >= 0))
    if bad.any():
        k, j = np.argwhere(bad)[0]
        raise ClusteringError(f"table[{k}, {j}] is {array[k, j]}; finite entries >= 0 are needed")
    if not array.any():
        raise ClusteringError("table is zero everywhere; at least one object is needed")
    if not whole and array.sum() < _MAX_COUNT and (array == np.trunc(array)).all():
        array = array.astype(np.int64)
    if array.dtype == np.int64 and float(array.sum(dtype=np.float64)) >= _MAX_COUNT:
        raise ClusteringError("table counts 2**53 objects or more; give shares instead")
    if array.dtype == np.float64 and not _LEAST <= float(array.max()) * array.size <= _MOST:
        raise ClusteringError(f"table has entries up to {array.max():.3g}; scores need products of "
                              f"its sums, between {_LEAST:g} and {_MOST:g} in all: multiply it by "
                              "a constant, which changes no match")
    return array


def _checked_names(name: str, values: Collection[Any] | None, count: int
                   ) -> tuple[Any, ...] | None:
    if values is None:
        return None
    if not np.iterable(values):
        raise TypeError(f"{name} is {shown(values)}; a sequence of {count} names is needed")
    if len(values) != count:
        raise ClusteringError(f"{name} has {len(values)} names for {count} clusters")
    return tuple(values)


def _in_order(first: np.ndarray, count: int) -> np.ndarray:
    return np.concatenate([first, np.setdiff1d(np.arange(count), first)])


def _names(names: tuple[Any, ...] | None, order: np.ndarray) -> list[Any]:
    return [int(k) if names is None else names[k] for k in order]
