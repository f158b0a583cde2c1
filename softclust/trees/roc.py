"""ROC curve of one dendrogram over all numbers of clusters, against known classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole, frozen
from .._parallel import Progress, progress_bar
from .._random import as_generator, spawn
from ..clusterings import Clustering
from ..clusterings.objects import check_same_objects
from .dendrogram import Dendrogram
from .merges import TIE_TOL, Walk, check_merges
from .roc_points import (
    as_labels,
    check_criterion,
    check_labelled,
    check_max_clusters,
    make_roc,
    say_undefined,
)
from .roc_records import PairRoc, TieRange


def prepare(truth: Any, merges: Any, *, max_clusters: Any, ties: str, tie_tol: float, expected: bool
            ) -> tuple[Clustering, Walk, int]:
    """Checked arguments: the truth, the dendrogram, max_clusters."""
    classes = as_labels(truth, "truth", expected)
    n = classes.n_objects
    if n < 2:
        raise ClusteringError("truth has 1 object; at least 2 are needed")
    if isinstance(merges, Dendrogram):
        if merges.n_objects != n:
            raise ClusteringError(f"the dendrogram has {merges.n_objects} objects and truth has "
                                  f"{n}; the same objects are needed")
        check_same_objects((("truth", classes.matched_names),
                            ("the dendrogram", merges.object_names)))
        merges, ties = merges.merges, merges.ties
    checked = check_merges(merges, n, ties, tie_tol)
    return classes, Walk(checked), check_max_clusters(max_clusters, n)


def pair_roc(truth: Any, merges: Any, *, max_clusters: int | None = None, ties: str = "block",
             tie_tol: float = TIE_TOL, labelled: Any = None, criterion: str = "sum",
             expected: bool = False) -> PairRoc:
    r"""ROC curve of a dendrogram over all numbers of clusters, against known classes.

    Parameters
    ----------
    truth : clustering-like
        Classes of the n objects; hard, or fuzzy with ``expected=True``.
    merges : array-like, shape (n - 1, 4) or (n - 1, 3), or Dendrogram
        Merges in order: the two nodes joined, the height; as
        `scipy.cluster.hierarchy.linkage` returns them. Objects are nodes 0 to n - 1, row t makes
        node n + t. A `Dendrogram` brings its own `ties`; its names must be those of truth.
    max_clusters : int, optional
        Largest number of clusters; n by default. A smaller one makes the area depend on it.
    ties : {"block", "order"}
        Consecutive merges of equal height are one step of the curve, or come in the order given
        (which depends on the order of the objects, and reproduces Table 1 of the paper).
    tie_tol : float
        Heights that differ by less than this part of the largest are equal.
    labelled : array-like of bool, shape (n,), optional
        Which objects have a known class; only their pairs count.
    criterion : {"sum", "pair_error"}
        What `k_best` minimises: eps1 + eps2, or the share of wrong pairs. They can disagree: the
        sum weighs same-class and different-class pairs alike.
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
        truth or an option is not as above.

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

    Time O(n log n) for any number of hard classes (each merge visits its smaller side), O(n c)
    for a fuzzy truth; memory O(n). For single linkage blocks remove every dependence on the order
    of the objects; for other linkages equal distances change the tree itself: see `tie_range`.
    R: `merge` and `height` of ``hclust`` (objects are negative and counted from 1 there).

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
    check_criterion(criterion)
    classes, walk, max_clusters = prepare(truth, merges, max_clusters=max_clusters, ties=ties,
                                          tie_tol=tie_tol,
                                  expected=expected)
    n = classes.n_objects
    mask = check_labelled(labelled, n)
    k, eps1, eps2, same, different = walk.errors(*walk.joined(classes, mask), max_clusters)
    say_undefined("pair_roc", same, different)
    return make_roc(k=k, eps1=eps1, eps2=eps2, same=same, different=different,
                    criterion=criterion, max_clusters=max_clusters, max_clusters_used=int(k[-1]),
                    ties=ties,
                    inversions=walk.merges.inversions, n_objects=n, n_labelled=int(mask.sum()),
                    n_runs=frozen(np.ones(k.size, np.int64)), expected=classes.kind != "hard")


# -- how much an area hangs on the order of equal distances ---------------------------------------
METHODS = ("single", "complete", "average", "ward", "centroid", "median", "weighted")


def tie_range(truth: Any, data: Any, *, method: str = "average", max_clusters: int | None = None,
              ties: str = "order", tie_tol: float = TIE_TOL, n_draws: int = 60,
              jitter: float = 1e-9, rng: Any = None,
              progress: Progress | bool | None = None) -> TieRange:
    """Range of the area under the ROC curve over ways to break ties between distances.

    Equal distances leave a dendrogram undetermined; software then goes by the order of the
    objects and by the last bit of the distances.

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
        Here the merges are taken in the order given by default, because the noise removes ties.
    n_draws : int
        Number of dendrograms.
    jitter : float
        Distances are multiplied by 1 + jitter * standard normal numbers.
    rng : None, int or Generator
        Source of the noise, one child per repeat.
    progress : bool or callable, optional
        True for a progress bar, or a function (draws_done, n_draws).

    Returns
    -------
    TieRange
        ``.low``, ``.high``; ``.tie_free`` when they differ by less than 1e-6.

    Raises
    ------
    ClusteringError
        If the data are not as above, or as in `pair_roc`.

    See Also
    --------
    pair_roc, pair_roc_subsets

    Notes
    -----
    A sample, not a bound: more n_draws may widen the range. Time O(n^2) a repeat, memory O(n^2)
    for the distances. Publish the range beside an area that is not tie-free.

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
    distances = _distances(data)

    def area(values: np.ndarray) -> tuple[float, int]:
        roc = pair_roc(truth, linkage(values, method), max_clusters=max_clusters, ties=ties,
                       tie_tol=tie_tol)
        return roc.auc, roc.max_clusters

    given, checked_max = area(distances)
    auc = np.empty(int(n_draws))
    with progress_bar(progress, "ties") as callback:
        for b, child in enumerate(spawn(as_generator(rng), int(n_draws))):
            noise = 1.0 + jitter * child.standard_normal(distances.size)
            auc[b] = area(distances * noise)[0]
            if callback is not None:
                callback(b + 1, int(n_draws))
    return TieRange(low=min(given, float(auc.min())), high=max(given, float(auc.max())),
                    auc=frozen(auc), given=given, method=method, max_clusters=checked_max,
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
