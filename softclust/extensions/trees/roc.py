"""ROC curves over numbers of clusters, against known classes: of a dendrogram, of partitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Literal

import numpy as np

from ..._checks import (
    ClusteringError,
    check_choice,
    check_whole,
    frozen,
    shown,
    warn_undefined,
)
from ..._types import RNG, ArrayLike, ClusteringLike, EnsembleLike, Linkage, Ties
from ...clusterings import Clustering, Ensemble, as_clustering
from ...clusterings.objects import check_indexes, check_object_names, names_in, ordered
from ...measures.joint import Joint
from ...running.random_numbers import as_generator, spawn
from ...running.threads import Progress, progress_bar, run_chunks
from ...tables.pair_counts import PairCounts
from . import _kernels
from .dendrogram import TIE_TOL, Dendrogram, as_dendrogram, renumbered
from .roc_records import PairRoc, PairRocSubsets, TieRange
from .types import DendrogramLike

#: errors that differ by less are equal
TIE = 1e-12
CRITERIA = ("sum", "pair_error")
METHODS = ("single", "complete", "average", "ward", "centroid", "median", "weighted")
_FRACTIONS = tuple(i / 10 for i in range(1, 11))
#: draws for one replicate before giving up
_MOST_DRAWS = 1000


# -- one dendrogram -------------------------------------------------------------------------------
def pair_roc(truth: ClusteringLike, merges: DendrogramLike, *, max_clusters: int | None = None,
             ties: Ties = "block", tie_tol: float = TIE_TOL,
             labelled: ArrayLike | None = None, criterion: Literal["sum", "pair_error"] = "sum",
             expected: bool = False) -> PairRoc:
    r"""ROC curve of a dendrogram over all numbers of clusters, against known classes.

    Parameters
    ----------
    truth : clustering-like
        Classes of the n objects; hard, or fuzzy with ``expected=True``.
    merges : array-like, shape (n - 1, 4) or (n - 1, 3), fitted estimator, hclust or Dendrogram
        Merges in order: the two nodes joined, the height; as
        `scipy.cluster.hierarchy.linkage` returns them. Objects are nodes 0 to n - 1, row t makes
        node n + t. Or another tree that `as_dendrogram` takes. A `Dendrogram` brings its own
        `ties`; its names must be those of truth.
    max_clusters : int, optional
        Largest number of clusters; n by default. A smaller one makes the area depend on it.
    ties : {"block", "order"}
        "block": consecutive merges of equal height are one step of the curve; "order": they come in
        the order given (which depends on the order of the objects, and reproduces Table 1 of the
        paper).
    tie_tol : float
        Heights that differ by less than this part of the largest are equal.
    labelled : array-like, optional
        The objects with a known class; only their pairs count. A mask, (n,) bool; or positions
        (whole numbers from 0); or names of objects.
    criterion : {"sum", "pair_error"}
        Error that `k_best` minimises: eps1 + eps2, or the share of wrong pairs. They can disagree:
        the sum gives same-class and different-class pairs equal weight.
    expected : bool
        Allow a fuzzy truth: errors are those expected when every object draws its class
        independently by its memberships.

    Returns
    -------
    PairRoc
        ``.auc`` (0 is best, 1/2 chance), ``.k``, ``.eps1``, ``.eps2``, ``.k_best``. Rates of pairs
        that do not exist (every class a single object, or one class) are nan, with a warning.

    Raises
    ------
    ClusteringError
        If `merges` is not a dendrogram of the n >= 2 objects (the message names the row), or the
        truth or an option is not as described.

    Warns
    -----
    UndefinedMeasureWarning
        If rates are undefined.

    See Also
    --------
    pair_roc_partitions, pair_roc_subsets, tie_range, dendrogram_curve

    Notes
    -----
    .. math::

        \mathrm{AUC} = \sum_t (x_{t+1} - x_t) \frac{y_{t+1} + y_t}{2}, \quad (x_t, y_t) =
        (\varepsilon_1, \varepsilon_2) \text{ at step } t

    eps1 = separated same-class pairs / all of them, eps2 = joined different-class pairs / all of
    them [section 2.1]. 1 - area is the probability that a random same-class pair is joined before
    a random different-class pair, plus half that of the same step: with ``ties="block"`` and all
    k the ordinary ROC area of minus the cophenetic distance. A nested hierarchy has area 0
    exactly when some k reproduces the classes.

    Time O(n log n) for any number of hard classes (each merge visits its smaller side), O(n c) for
    a fuzzy truth; memory O(n). For single linkage, blocks remove any dependence on the order of the
    objects; for other linkages equal distances change the tree itself: see `tie_range`. R: `merge`
    and `height` of ``hclust`` (objects are negative and counted from 1 there).

    Theory: docs/theory/roc.md.

    References
    ----------
    H. Aidos, R. P. W. Duin, A. Fred (2013), The area under the ROC curve as a criterion for
    clustering evaluation, ICPRAM, 276-280.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> iris = softclust.datasets.load_iris()
    >>> roc = softclust.pair_roc(iris.labels, linkage(iris.data, "average"))
    >>> round(roc.auc, 4), roc.k_best
    (0.0564, 3)
    """
    check_choice("criterion", criterion, CRITERIA)
    classes, tree, max_clusters = _prepare(truth, merges, max_clusters, ties, tie_tol, expected)
    labelled = _check_labelled(labelled, classes)
    k, eps1, eps2, same, different = _errors(tree, classes, labelled, max_clusters)
    _warn_undefined("pair_roc", same, different)
    return _roc(k, eps1, eps2, same, different, criterion, max_clusters=max_clusters,
                ties=tree.ties, inversions=tree.checked.inversions, n_objects=classes.n_objects,
                n_labelled=int(labelled.sum()), n_runs=np.ones(k.size, np.int64),
                expected=classes.kind != "hard")


def _prepare(truth: Any, merges: Any, max_clusters: Any, ties: Ties, tie_tol: float, expected: bool
             ) -> tuple[Clustering, Dendrogram, int]:
    """Checked arguments: the truth, the dendrogram, max_clusters."""
    classes = _as_labels(truth, "truth", expected)
    n = classes.n_objects
    if n < 2:
        raise ClusteringError("truth has 1 object; at least 2 are needed")
    tree = as_dendrogram(merges, ties=ties, tie_tol=tie_tol)
    if tree.n_objects != n:
        raise ClusteringError(f"the dendrogram has {tree.n_objects} objects and truth has {n}; the "
                              "same objects are needed")
    tree = renumbered(tree, classes.matched_names, called=("truth", "the dendrogram"))
    if max_clusters is None:
        max_clusters = n
    if (isinstance(max_clusters, bool) or max_clusters != int(max_clusters)
            or not 1 <= max_clusters <= n):
        raise ClusteringError(f"max_clusters is {max_clusters}; a whole number from 1 to {n}, "
                              "the number of objects, is needed")
    return classes, tree, int(max_clusters)


def _joined(tree: Dendrogram, truth: Clustering, labelled: np.ndarray
            ) -> tuple[np.ndarray, np.ndarray]:
    """Same-class and different-class pairs that each merge joins, (n - 1,) both.

    int64 for hard classes; expected numbers, float64, for fuzzy ones.
    """
    n, m = tree.n_objects, tree.checked
    if (codes := truth.hard_codes) is not None:
        size, start, order = tree.intervals
        classes = np.where(labelled, codes.astype(np.int64), -1)[order]
        same, different = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64)
        _kernels.trees.count_joined(
            m.left, m.right, size, start, *tree.heavy, classes,
            np.zeros(truth.n_clusters, np.int64), np.empty(2 * n - 1, np.int64), same, different)
        return same, different
    sums = np.where(labelled[:, None], truth.memberships(), 0.0)
    expected = np.empty(n - 1), np.empty(n - 1)
    _kernels.trees.sum_joined(m.left, m.right, np.ascontiguousarray(sums),
                              labelled.astype(np.float64), np.empty(2 * n - 1, np.int64),
                              *expected)
    return expected


def _errors(tree: Dendrogram, truth: Clustering, labelled: np.ndarray, max_clusters: int
            ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, float]:
    """k, eps1, eps2 (ascending k) and the numbers of same- and different-class pairs."""
    joined_same, joined_different = (np.concatenate([joined[:1] * 0, np.cumsum(joined)])
                                     for joined in _joined(tree, truth, labelled))
    total_same, total_different = joined_same[-1].item(), joined_different[-1].item()
    # From the smallest attained number of clusters >= max_clusters.
    steps = tree.checked.steps
    first = np.searchsorted(steps, tree.n_objects - max_clusters - 1, side="right")
    ends = np.concatenate([[0], steps + 1])[first:][::-1]
    return (tree.n_objects - ends, _rates(total_same - joined_same[ends], total_same),
            _rates(joined_different[ends], total_different), total_same, total_different)


def _as_labels(obj: Any, name: str, expected: bool) -> Clustering:
    """`obj` as a hard clustering, or with `expected` as a hard or fuzzy one."""
    clustering = as_clustering(obj, name=name)
    if clustering.kind == "hard" or (expected and clustering.kind == "fuzzy"):
        return clustering
    if expected:
        raise ClusteringError(f"{name} is {clustering.kind}; expected errors need a hard or a "
                              f"fuzzy clustering: {name}.to_fuzzy() makes one by a named rule")
    way = ", or expected=True counts expected errors" if clustering.kind == "fuzzy" else ""
    raise ClusteringError(f"{name} is {clustering.kind}; a hard clustering is needed: "
                          f"{name}.harden() makes one by a named rule{way}")


def _check_labelled(labelled: Any, truth: Clustering) -> np.ndarray:
    """A mask, positions or names of objects as a boolean mask (n,); all True when None."""
    n, names = truth.n_objects, truth.matched_names
    if labelled is None:
        return np.ones(n, dtype=bool)
    check_indexes((("truth", truth), ("labelled", labelled)))
    given = np.asarray(labelled)
    if given.dtype == bool and given.shape == (n,):
        return given
    places = list(given) if given.ndim == 1 else []
    numbered = given.dtype.kind in "iu"
    if numbered and names is not None and any(
            isinstance(name, int) and name != place for place, name in enumerate(names)):
        raise ClusteringError("labelled has whole numbers, and so have the names of the objects: "
                              "they may be positions or names; give a mask")
    if not numbered and names is not None:
        place_of = {name: place for place, name in enumerate(names)}
        places = [place_of.get(name, -1) for name in given.tolist()]
    if (not places or given.dtype == bool or (not numbered and names is None)
            or not all(0 <= place < n for place in places) or len(set(places)) < len(places)):
        raise ClusteringError(
            f"labelled is {shown(labelled)}; a mask with one entry for each of the {n} objects, "
            f"distinct positions from 0 to {n - 1}, or distinct names of objects are needed"
            + (" (truth has no names)" if names is None and not numbered else ""))
    mask = np.zeros(n, dtype=bool)
    mask[places] = True
    return mask


def _rates(count: np.ndarray, total: float) -> np.ndarray:
    """count / total; nan when there are no pairs at all."""
    return count / total if total > 0 else np.full(count.shape, math.nan)


def _signed_area(eps1: np.ndarray, eps2: np.ndarray) -> float:
    """Area under the points in their order, from (0, 1) to (1, 0).

    Steps back in eps1 subtract. The sum is exact before its last rounding.
    """
    x = np.concatenate([[0.0], eps1, [1.0]])
    y = np.concatenate([[1.0], eps2, [0.0]])
    if np.isnan(x).any() or np.isnan(y).any():
        return math.nan
    return math.fsum((np.diff(x) * (y[1:] + y[:-1]) / 2).tolist())


def _warn_undefined(name: str, same: float, different: float) -> None:
    """One warning when a rate has no pairs to count."""
    if same > 0 and different > 0:
        return
    which = " and ".join(text for text, total in (
        ("two labelled objects of one class", same),
        ("two labelled objects of different classes", different)) if not total > 0)
    warn_undefined(name, f"the truth has no {which} (0/0)")


def _roc(k: np.ndarray, eps1: np.ndarray, eps2: np.ndarray, same: float, different: float,
         criterion: str, n_runs: np.ndarray, **facts: Any) -> PairRoc:
    """The record of points in ascending order of k."""
    total = eps1 + eps2
    error = total if criterion == "sum" else (same * eps1 + different * eps2) / max(
        same + different, TIE)
    smallest = float(error.min())
    k_best: float = math.nan
    if not math.isnan(smallest):
        k_best = int(k[np.flatnonzero(error <= smallest + TIE)[0]])
    turns_back = (np.diff(eps1) < -TIE).any() or (np.diff(eps2) > TIE).any()
    return PairRoc(k=frozen(k.astype(np.int64)), eps1=frozen(eps1), eps2=frozen(eps2),
                   auc=_signed_area(eps1, eps2), proper=not turns_back, k_best=k_best,
                   min_sum=float(total.min()), criterion=criterion, pairs_same=same,
                   pairs_different=different, n_runs=frozen(n_runs),
                   max_clusters_used=int(k[-1]), **facts)


# -- how much an area depends on the order of equal distances -------------------------------------
def tie_range(truth: ClusteringLike, data: ArrayLike, *, method: Linkage = "average",
              max_clusters: int | None = None, ties: Ties = "order", tie_tol: float = TIE_TOL,
              n_draws: int = 60, jitter: float = 1e-9, rng: RNG = None,
              progress: Progress | bool | None = False) -> TieRange:
    """Range of the area under the ROC curve over ways to break ties between distances.

    Equal distances leave a dendrogram undetermined; software then depends on the order of the
    objects and on the last bit of the distances.

    Parameters
    ----------
    truth : clustering-like
        Hard classes of the n objects.
    data : array-like, shape (n, p) or (n (n - 1) / 2,)
        Objects in the rows (Euclidean distances), or condensed distances as
        `scipy.spatial.distance.pdist` gives.
    method : str
        Linkage: "single", "complete", "average", "ward", "centroid", "median", "weighted".
    max_clusters, ties, tie_tol : as in `pair_roc`
        By default the merges are taken in the order given, because the noise removes ties.
    n_draws : int
        Number of dendrograms.
    jitter : float
        Distances are multiplied by 1 + jitter * standard normal numbers.
    rng : None, int or Generator
        Seed or Generator of the noise; one child per repeat.
    progress : bool or callable, optional
        True for a progress bar, or a function (draws_done, n_draws).

    Returns
    -------
    TieRange
        ``.low``, ``.high``; ``.tie_free`` when they differ by less than 1e-6.

    Raises
    ------
    ClusteringError
        If the data are not as described; also as in `pair_roc`.

    See Also
    --------
    pair_roc, pair_roc_subsets

    Notes
    -----
    A sample, not a bound: more n_draws may widen the range. Time O(n^2) per repeat, memory O(n^2)
    for the distances. Report the range with any area that is not tie-free.

    Theory: docs/theory/roc.md.

    References
    ----------
    H. Aidos, R. P. W. Duin, A. Fred (2013), The area under the ROC curve as a criterion for
    clustering evaluation, ICPRAM, 276-280.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> found = softclust.tie_range(iris.labels, iris.data, method="average", max_clusters=20,
    ...                             n_draws=5, rng=0)
    >>> round(found.low, 4), found.tie_free
    (0.0566, True)
    """
    from scipy.cluster.hierarchy import linkage
    check_choice("method", method, METHODS)
    n_draws = check_whole("n_draws", n_draws)
    if not 0.0 <= jitter < 1e-3:
        raise ClusteringError(f"jitter is {jitter}; a number from 0 to 1e-3 is needed (it breaks "
                              "ties and must not change distances that differ)")
    truth = as_clustering(truth, name="truth")
    names = truth.matched_names if names_in(data) is not None else None
    distances = _distances(ordered(data, names, called=("truth", "data")))

    def area(values: np.ndarray) -> tuple[float, int]:
        roc = pair_roc(truth, linkage(values, method), max_clusters=max_clusters, ties=ties,
                       tie_tol=tie_tol)
        return roc.auc, roc.max_clusters

    plain, max_clusters = area(distances)
    auc = np.empty(n_draws)
    with progress_bar(progress, "ties") as callback:
        for b, child in enumerate(spawn(as_generator(rng), n_draws)):
            noise = 1.0 + jitter * child.standard_normal(distances.size)
            auc[b] = area(distances * noise)[0]
            if callback is not None:
                callback(b + 1, n_draws)
    return TieRange(low=min(plain, float(auc.min())), high=max(plain, float(auc.max())),
                    auc=frozen(auc), given=plain, method=method, max_clusters=max_clusters,
                    jitter=float(jitter))


def _distances(data: Any) -> np.ndarray:
    from scipy.spatial.distance import pdist
    try:
        x = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise ClusteringError("data cannot be read as numbers") from None
    if x.ndim not in (1, 2) or not x.size or not np.isfinite(x).all():
        raise ClusteringError(f"data has shape {x.shape}; finite numbers of shape (n, p), or "
                              "condensed distances, are needed")
    if x.ndim == 2:
        return pdist(x)
    n = round((1 + (1 + 8 * x.size) ** 0.5) / 2)
    if n * (n - 1) // 2 != x.size or (x < 0).any():
        raise ClusteringError(f"data has {x.size} entries, which are not the n (n - 1) / 2 "
                              "distances >= 0 of n objects")
    return x


# -- partitions -----------------------------------------------------------------------------------
def pair_roc_partitions(truth: ClusteringLike, partitions: EnsembleLike, *,
                        labelled: ArrayLike | None = None,
                        criterion: Literal["sum", "pair_error"] = "sum", expected: bool = False
                        ) -> PairRoc:
    r"""ROC curve of partitions over their numbers of clusters, against known classes.

    For k-means and other non-nested methods, with one or more runs at each k.

    Parameters
    ----------
    truth : clustering-like
        Classes of the n objects; hard, or fuzzy with ``expected=True``.
    partitions : mapping or sequence of pairs
        From the number of clusters k to its partition, or to a list of runs: ``{2: labels, 3: [run,
        run]}``, or ``[(2, labels), (3, ...)]``. A run is anything `as_clustering` takes; a list of
        lists or a two-dimensional array of integers means runs, one per row. Gaps in k are allowed
        and joined by a straight line. A run may have fewer non-empty clusters than its k.
    labelled, criterion : as in `pair_roc`
    expected : bool
        Allow fuzzy partitions and a fuzzy truth: errors are those expected when every object
        draws its cluster and its class independently by its memberships.

    Returns
    -------
    PairRoc
        Errors at each k are means over its runs; ``auc`` is the signed area of the mean curve
        (not the mean of the runs' areas), ``proper`` is False if the curve turns back.

    Raises
    ------
    ClusteringError
        If there is no partition, a k is repeated or below 1, the objects differ, or a clustering
        is not as above.

    Warns
    -----
    UndefinedMeasureWarning
        If the truth has no pair of one class, or none of different classes.

    See Also
    --------
    pair_roc, compare_all

    Notes
    -----
    .. math::

        \varepsilon_1 = \frac{n_{10}}{n_{11} + n_{10}}, \quad \varepsilon_2 = \frac{n_{01}}{n_{01}
        + n_{00}}

    The counts are those of pairs in the truth and a run. Errors are averaged at each k, then there
    is one area [section 2.3]. Points come in order of k; steps backwards subtract from the area,
    so the area of an improper curve may leave [0, 1]. Time O(n + r s) for each run (fuzzy: O(n r
    s)), memory O(n).

    Theory: docs/theory/roc.md.

    References
    ----------
    H. Aidos, R. P. W. Duin, A. Fred (2013), The area under the ROC curve as a criterion for
    clustering evaluation, ICPRAM, 276-280.

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 0, 1, 1, 2, 2]
    >>> runs = {1: [0] * 6, 2: [[0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1]], 3: [0, 0, 1, 1, 2, 2]}
    >>> roc = softclust.pair_roc_partitions(truth, runs)
    >>> roc.auc, roc.k_best, roc.eps2.round(3)
    (0.0, 3, array([1.   , 0.333, 0.   ]))
    """
    check_choice("criterion", criterion, CRITERIA)
    classes, runs = _prepare_runs(truth, partitions, expected)
    labelled = _check_labelled(labelled, classes)
    k, eps1, eps2, same, different = _run_errors(runs, classes, labelled)
    _warn_undefined("pair_roc_partitions", same, different)
    return _roc(k, eps1, eps2, same, different, criterion, max_clusters=int(k[-1]),
                ties=None, inversions=False, n_objects=classes.n_objects,
                n_labelled=int(labelled.sum()), n_runs=np.array([len(runs[j]) for j in k.tolist()]),
                expected=any(c.kind != "hard" for c in [classes, *chain(*runs.values())]))


def _prepare_runs(truth: Any, partitions: Any, expected: bool
                  ) -> tuple[Clustering, dict[int, list[Clustering]]]:
    """Checked arguments: the truth, the runs of each k in ascending order."""
    classes = _as_labels(truth, "truth", expected)
    n = classes.n_objects
    if n < 2:
        raise ClusteringError("truth has 1 object; at least 2 are needed")
    runs: dict[int, list[Clustering]] = {}
    for k, entry in _entries(partitions):
        if k in runs:
            raise ClusteringError(f"partitions has k = {k} twice; give the runs of one k as a "
                                  "list: {k: [run, run]}")
        runs[k] = [_as_labels(run, f"partitions[{k}]", expected) for run in _runs(entry)]
        for run in runs[k]:
            if run.n_objects != n:
                raise ClusteringError(
                    f"partitions[{k}] has {run.n_objects} objects and truth has {n}; partitions "
                    "of the same objects are needed (a fuzzy one: as an array of floats or a "
                    "FuzzyClustering)")
            check_object_names(((f"partitions[{k}]", run), ("truth", classes)))
    if not runs:
        raise ClusteringError("partitions is empty; give at least one, {k: labels}")
    return classes, {k: runs[k] for k in sorted(runs)}


def _run_errors(runs: dict[int, list[Clustering]], truth: Clustering, labelled: np.ndarray
                ) -> tuple[np.ndarray, np.ndarray, np.ndarray, float, float]:
    """As `_errors`: means over the runs of each k."""
    k, truth = np.array(list(runs)), truth.subset(labelled) if labelled.sum() > 1 else truth
    if labelled.sum() < 2:
        return k, np.full(k.size, math.nan), np.full(k.size, math.nan), 0, 0
    if truth.kind == "hard":
        counts = Joint(truth, truth).statistic(PairCounts)
        same, different = counts.n11, counts.n00
    else:   # expected numbers
        from ...soft_pairs.bilinear import relation_sums
        same, different = relation_sums(truth)[:2].tolist()
    # Same-class pairs that a run separates, different-class pairs that it joins.
    wrong = []
    for each in runs.values():
        pairs = []
        for run in each:
            joint = Joint.of_checked(run.subset(labelled), truth)
            if joint.both_hard:
                counts = joint.statistic(PairCounts)
                pairs.append((counts.n01, counts.n10))
            else:
                table = joint.pair_table
                pairs.append((max(float(table[1, 0]), 0.0), max(float(table[0, 1]), 0.0)))
        wrong.append(np.array(pairs).T)
    eps1, eps2 = (np.array([float(_rates(both[side], total).mean()) for both in wrong])
                  for side, total in enumerate((same, different)))
    return k, eps1, eps2, same, different


def _entries(partitions: Any) -> Iterator[tuple[int, Any]]:
    """Pairs (k, partition or runs), k checked."""
    items = [*partitions.items()] if isinstance(partitions, Mapping) else partitions
    if not isinstance(items, Sequence) or not all(
            isinstance(item, tuple) and len(item) == 2 for item in items):
        raise ClusteringError("partitions is not a mapping {k: labels} nor pairs (k, labels)")
    for k, entry in items:
        if isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1:
            raise ClusteringError(f"partitions has k = {k!r}; whole numbers >= 1 are needed")
        yield int(k), entry


def _runs(entry: Any) -> list[Any]:
    """The runs of one k: several, or the one partition itself."""
    if isinstance(entry, Ensemble):
        return list(entry.complete())
    if isinstance(entry, np.ndarray) and entry.ndim == 2 and entry.dtype.kind in "iu":
        return list(entry)
    if isinstance(entry, (list, tuple)) and entry and not np.isscalar(entry[0]):
        return list(entry)
    return [entry]


# -- random parts of the labels -------------------------------------------------------------------
def pair_roc_subsets(truth: ClusteringLike, merges: DendrogramLike | EnsembleLike, *,
                     fractions: Sequence[float] | None = None, n_draws: int = 50,
                     max_clusters: int | None = None, ties: Ties = "block",
                     tie_tol: float = TIE_TOL, undefined: Literal["redraw", "nan"] = "redraw",
                     stratified: bool = False, indices: Iterable[Iterable[ArrayLike]] | None = None,
                     expected: bool = False, rng: RNG = None,
                     progress: Progress | bool | None = False) -> PairRocSubsets:
    """Area of a pair ROC curve when only some of the objects have labels.

    All objects are clustered once; the clusterings are evaluated on random parts of their labels.

    Parameters
    ----------
    truth : as in `pair_roc`
    merges : as in `pair_roc`, or partitions as in `pair_roc_partitions`
        A tree; or for k-means and other non-nested methods ``{1: labels, 2: [run, run], ...}``.
    fractions : sequence of float, optional
        Shares of labelled objects, in (0, 1]; by default 0.1, 0.2, ..., 1. round(f n) are drawn.
    n_draws : int
        Replicates of each fraction.
    max_clusters, ties, tie_tol, expected : as in `pair_roc`
        The numbers of clusters are those of all objects. Partitions have neither `max_clusters`
        nor ties; with `expected` they may be fuzzy.
    undefined : {"redraw", "nan"}
        What to do with a draw that has no same-class or no different-class pair: draw again (up to
        1000 times, then an error), or keep nan. Ignored with a fuzzy truth.
    stratified : bool
        Draw from each class in proportion to its size (largest remainders); hard truth only.
    indices : sequence of sequences of array-like of int, optional
        Ready draws instead: one entry per fraction, with one array of objects per replicate (the
        same number for each fraction). `fractions`, `n_draws`, `rng` then have no effect.
    rng : None, int or Generator
        Seed or Generator of the draws; one child per replicate, so results do not depend on
        threads.
    progress : bool or callable, optional
        True for a progress bar, or a function (replicates_done, replicates_total).

    Returns
    -------
    PairRocSubsets
        ``.mean``, ``.sd``, ``.defined`` for each fraction; ``.plot()``.

    Raises
    ------
    ClusteringError
        As in `pair_roc`; if a fraction labels fewer than 2 objects or more than there are, or no
        draw of a fraction had both kinds of pairs.

    See Also
    --------
    pair_roc, tie_range

    Notes
    -----
    Semi-supervised protocol of the paper [section 2.5]. Areas from uniform random parts are nearly
    unbiased at every fraction; small parts only vary more. The rising curves in figure 5 of the
    paper cannot come from uniform parts, but labels taken in class order produce them. So the
    standard deviation, not the slope, shows whether more labels would help.

    Time O(n log n) per replicate after the linkage (fuzzy truth: O(n c)), memory O(n) per thread.
    Partitions: O(n + r s) for each run and replicate.

    Theory: docs/theory/roc.md.

    References
    ----------
    H. Aidos, R. P. W. Duin, A. Fred (2013), The area under the ROC curve as a criterion for
    clustering evaluation, ICPRAM, 276-280.

    Examples
    --------
    >>> import softclust
    >>> from scipy.cluster.hierarchy import linkage
    >>> iris = softclust.datasets.load_iris()
    >>> tree = linkage(iris.data, "ward")
    >>> part = softclust.pair_roc_subsets(iris.labels, tree, fractions=[0.3, 1], max_clusters=20,
    ...                                   rng=1)
    >>> part.sd.round(2)
    array([0.02, 0.  ])

    Figure 5 for k-means:

    >>> from sklearn.cluster import KMeans
    >>> runs = {k: KMeans(k, n_init=1, random_state=0).fit(iris.data) for k in range(1, 6)}
    >>> part = softclust.pair_roc_subsets(iris.labels, runs, fractions=[0.3, 1], rng=1)
    >>> part.mean.round(2)
    array([0.07, 0.07])
    """
    check_choice("undefined", undefined, ("redraw", "nan"))
    errors: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray, float, float]]
    if isinstance(merges, Mapping):   # an hclust, or partitions by their numbers of clusters
        by_number = not {"merge", "height"} & set(merges)
    else:
        by_number = isinstance(merges, (list, tuple)) and len(merges) > 0 and all(
            isinstance(item, tuple) and len(item) == 2 for item in merges)
    if by_number:
        if max_clusters is not None or ties != "block" or tie_tol != TIE_TOL:
            raise ClusteringError("max_clusters, ties and tie_tol belong to a tree; leave them out "
                                  "with partitions")
        classes, runs = _prepare_runs(truth, merges, expected)
        n_runs, max_clusters, tie_rule = sum(map(len, runs.values())), max(runs), None
        errors = partial(_run_errors, runs, classes)
    else:
        classes, tree, max_clusters = _prepare(truth, merges, max_clusters, ties, tie_tol, expected)
        _ = tree.intervals, tree.heavy   # once, before threads ask for them
        n_runs, tie_rule = 1, tree.ties
        errors = partial(_errors, tree, classes, max_clusters=max_clusters)
    n = classes.n_objects
    if indices is not None:
        draws, shares = _ready(indices, n)
        sampling = "given"
    else:
        sampling = "stratified" if stratified else "uniform"
        draws, shares = _drawn(classes, fractions, check_whole("n_draws", n_draws), stratified,
                               undefined, rng)
    flat = [draw for same_share in draws for draw in same_share]
    auc = np.empty(len(flat))

    def area(labelled: np.ndarray) -> float:
        return _signed_area(*errors(labelled)[1:3])

    def work(first: int, stop: int) -> None:
        for b in range(first, stop):
            labelled = np.zeros(n, dtype=bool)
            labelled[flat[b]] = True
            auc[b] = area(labelled)

    with progress_bar(progress, "subsets") as callback:
        run_chunks(work, len(flat), max(1, 200_000 // (n * n_runs)), progress=callback)
    areas = auc.reshape(len(draws), -1)
    everyone = np.ones(n, dtype=bool)
    mean, sd = np.full((2, len(areas)), math.nan)
    for f, row in enumerate(areas):
        known = row[~np.isnan(row)]
        equal = known.size > 0 and known.min() == known.max()   # so that sd is 0 exactly
        if known.size > 0:
            mean[f] = known[0] if equal else known.mean()
        if known.size > 1:
            sd[f] = 0.0 if equal else known.std(ddof=1)
    return PairRocSubsets(
        fractions=frozen(shares), n_labelled=frozen(np.array([draw[0].size for draw in draws])),
        auc=frozen(areas), mean=frozen(mean), sd=frozen(sd),
        defined=frozen((~np.isnan(areas)).sum(axis=1)), auc_all=area(everyone),
        max_clusters=max_clusters, max_clusters_used=int(errors(everyone)[0][-1]), ties=tie_rule,
        n_objects=n, sampling=sampling)


def _ready(indices: Any, n: int) -> tuple[list[list[np.ndarray]], np.ndarray]:
    draws = [[np.asarray(draw) for draw in same_share] for same_share in indices]
    if not draws or len({len(same_share) for same_share in draws}) != 1 or not draws[0]:
        raise ClusteringError("indices needs one entry per fraction, each with the same number of "
                              "draws (>= 1)")
    for f, same_share in enumerate(draws):
        for b, draw in enumerate(same_share):
            if draw.ndim != 1 or draw.dtype.kind not in "iu" or draw.size != same_share[0].size:
                raise ClusteringError(f"indices[{f}][{b}] has shape {draw.shape} and dtype "
                                      f"{draw.dtype}; whole numbers, as many as in the other "
                                      "draws of the fraction, are needed")
            if draw.size < 1 or draw.min() < 0 or draw.max() >= n or (
                    np.unique(draw).size < draw.size):
                raise ClusteringError(f"indices[{f}][{b}] is empty, leaves 0 to {n - 1}, or names "
                                      "an object twice")
    return draws, np.array([same_share[0].size / n for same_share in draws])


def _drawn(classes: Clustering, fractions: Any, n_draws: int, stratified: bool,
           undefined: str, rng: Any) -> tuple[list[list[np.ndarray]], np.ndarray]:
    """Draws of each fraction, and the fractions."""
    n = classes.n_objects
    shares = np.atleast_1d(np.asarray(_FRACTIONS if fractions is None else fractions, np.float64))
    if shares.ndim != 1 or not shares.size:
        raise ClusteringError("fractions is empty; give at least one share of labelled objects")
    for share in shares.tolist():
        if not 0.0 < share <= 1.0 or round(share * n) < 2:
            raise ClusteringError(f"fractions has {share:g}, {round(share * n)} of {n} objects; "
                                  "shares up to 1 that label at least 2 objects are needed")
    labels = classes.hard_codes
    if stratified and labels is None:
        raise ClusteringError("stratified=True needs hard classes; truth is " + classes.kind)
    children = iter(spawn(as_generator(rng), shares.size * n_draws))
    draws = []
    for share in shares.tolist():
        m = round(share * n)
        quota = _quota(labels, m) if stratified and labels is not None else None
        if quota is not None and undefined == "redraw" and not _has_both(quota):
            raise ClusteringError(f"a stratified part of {m} objects takes {quota.tolist()} from "
                                  "the classes: there is no same-class or no different-class pair; "
                                  "take larger fractions, or undefined=\"nan\"")
        draws.append([_draw(labels, n, m, quota, undefined, next(children))
                      for _ in range(n_draws)])
    return draws, shares


def _draw(labels: np.ndarray | None, n: int, m: int, quota: np.ndarray | None, undefined: str,
          rng: np.random.Generator) -> np.ndarray:
    if quota is not None:
        assert labels is not None
        return np.concatenate([rng.permutation(np.flatnonzero(labels == c))[:q]
                               for c, q in enumerate(quota.tolist())])
    for _ in range(_MOST_DRAWS):
        draw = rng.permutation(n)[:m]
        if labels is None or undefined == "nan" or _has_both(np.bincount(labels[draw])):
            return draw
    raise ClusteringError(f"{_MOST_DRAWS} draws of {m} objects had no same-class or no "
                          "different-class pair; take larger fractions, stratified=True, or "
                          "undefined=\"nan\"")


def _has_both(counts: np.ndarray) -> bool:
    """Test whether objects in these numbers have a same-class and a different-class pair."""
    return bool(counts.max() >= 2 and np.count_nonzero(counts) >= 2)


def _quota(labels: np.ndarray, m: int) -> np.ndarray:
    """Objects to take from each class: in proportion, largest remainders first, m in all."""
    sizes = np.bincount(labels)
    exact = sizes * m / labels.size
    quota = np.floor(exact).astype(np.int64)
    order = np.argsort(quota - exact, kind="stable")
    quota[order[:m - int(quota.sum())]] += 1
    return quota
