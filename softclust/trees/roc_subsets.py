"""One dendrogram judged by random parts of the labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._checks import ClusteringError, UndefinedMeasureWarning, check_choice, check_whole, frozen
from .._parallel import Progress, progress_bar, run_chunks
from .._random import as_generator, spawn
from .._warnings import quiet
from ..clusterings import Clustering
from .merges import TIE_TOL
from .roc import pair_roc, prepare
from .roc_points import signed_area
from .roc_records import PairRocSubsets

_FRACTIONS = tuple(i / 10 for i in range(1, 11))
#: draws for one replicate before giving up
_MOST_DRAWS = 1000


def pair_roc_subsets(truth: Any, merges: Any, *, fractions: Sequence[float] | None = None,
                     n_draws: int = 50, max_clusters: int | None = None, ties: str = "block",
                     tie_tol: float = TIE_TOL, undefined: str = "redraw",
                     stratified: bool = False, indices: Any = None, expected: bool = False,
                     rng: Any = None, progress: Progress | bool | None = None) -> PairRocSubsets:
    """Area of a dendrogram's ROC curve when only some of the objects have labels.

    All objects are clustered once; random parts of their labels judge the dendrogram.

    Parameters
    ----------
    truth, merges : as in `pair_roc`
    fractions : sequence of float, optional
        Shares of labelled objects, in (0, 1]; by default 0.1, 0.2, ..., 1. round(f n) are drawn.
    n_draws : int
        Replicates of each fraction.
    max_clusters, ties, tie_tol, expected : as in `pair_roc`
        The numbers of clusters are those of all objects.
    undefined : {"redraw", "nan"}
        What to do with a draw that has no same-class or no different-class pair: draw again (up
        to 1000 times, then an error), or keep nan. Not used with a fuzzy truth.
    stratified : bool
        Draw from each class in proportion to its size (largest remainders); hard truth only.
    indices : sequence of sequences of array-like of int, optional
        Ready draws instead: one entry a fraction, in it one array of objects a replicate (as many
        replicates for each fraction). `fractions`, `n_draws`, `rng` then have no effect.
    rng : None, int or Generator
        Source of the draws; one child per replicate, so results do not depend on the threads.
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
    Semi-supervised protocol of the paper [section 2.5]. Areas from uniform parts are nearly
    unbiased at every fraction, small parts only vary more. The rising curves in figure 5 of the
    paper cannot come from uniform parts; labels taken in class order give them. So the standard
    deviation, not the slope, shows whether more labels would help.

    Time O(n log n) a replicate after the linkage (fuzzy truth: O(n c)), memory O(n) a thread.

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
    """
    check_choice("undefined", undefined, ("redraw", "nan"))
    classes, walk, max_clusters = prepare(truth, merges, max_clusters=max_clusters, ties=ties,
                                          tie_tol=tie_tol,
                                  expected=expected)
    n = classes.n_objects
    if indices is not None:
        draws, shares = _ready(indices, n)
        sampling = "given"
    else:
        sampling = "stratified" if stratified else "uniform"
        shares = _check_fractions(fractions, n)
        draws = _drawn(classes, shares, check_whole("n_draws", n_draws), stratified, undefined, rng)
    counts = np.array([draw[0].size for draw in draws])
    flat = [draw for same_share in draws for draw in same_share]
    auc = np.empty(len(flat))

    def work(first: int, stop: int) -> None:
        for b in range(first, stop):
            mask = np.zeros(n, dtype=bool)
            mask[flat[b]] = True
            _, eps1, eps2, _, _ = walk.errors(*walk.joined(classes, mask), max_clusters)
            auc[b] = signed_area(eps1, eps2)

    with progress_bar(progress, "subsets") as callback:
        run_chunks(work, len(flat), max(1, 200_000 // n), progress=callback)
    areas = auc.reshape(len(draws), -1)
    with quiet(UndefinedMeasureWarning):
        whole = pair_roc(classes, merges, max_clusters=max_clusters, ties=ties, tie_tol=tie_tol,
                         expected=expected)
    mean, sd = (np.array([_moment(row, which) for row in areas]) for which in ("mean", "sd"))
    return PairRocSubsets(
        fractions=frozen(shares), n_labelled=frozen(counts), auc=frozen(areas), mean=frozen(mean),
        sd=frozen(sd), defined=frozen((~np.isnan(areas)).sum(axis=1)), auc_all=whole.auc,
        max_clusters=max_clusters, max_clusters_used=whole.max_clusters_used, ties=ties,
        n_objects=n, sampling=sampling)


def _moment(areas: np.ndarray, which: str) -> float:
    found = areas[~np.isnan(areas)]
    if found.size <= (which == "sd"):
        return math.nan
    if found.min() == found.max():   # so that equal areas have standard deviation 0 exactly
        return 0.0 if which == "sd" else float(found[0])
    return float(found.mean() if which == "mean" else found.std(ddof=1))


def _check_fractions(fractions: Any, n: int) -> np.ndarray:
    shares = np.atleast_1d(np.asarray(_FRACTIONS if fractions is None else fractions, np.float64))
    if shares.ndim != 1 or not shares.size:
        raise ClusteringError("fractions is empty; give at least one share of labelled objects")
    for share in shares.tolist():
        if not 0.0 < share <= 1.0 or round(share * n) < 2:
            raise ClusteringError(f"fractions has {share:g}, {round(share * n)} of {n} objects; "
                                  "shares up to 1 that label at least 2 objects are needed")
    return shares


def _ready(indices: Any, n: int) -> tuple[list[list[np.ndarray]], np.ndarray]:
    draws = [[np.asarray(draw) for draw in same_share] for same_share in indices]
    if not draws or len({len(same_share) for same_share in draws}) != 1 or not draws[0]:
        raise ClusteringError("indices needs one entry a fraction, each with the same number of "
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


def _drawn(classes: Clustering, shares: np.ndarray, n_draws: int, stratified: bool,
           undefined: str, rng: Any) -> list[list[np.ndarray]]:
    n = classes.n_objects
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
    return draws


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
    """Whether objects in these numbers have a same-class and a different-class pair."""
    return bool(counts.max() >= 2 and np.count_nonzero(counts) >= 2)


def _quota(labels: np.ndarray, m: int) -> np.ndarray:
    """Objects to take from each class: in proportion, largest remainders first, m in all."""
    sizes = np.bincount(labels)
    exact = sizes * m / labels.size
    quota = np.floor(exact).astype(np.int64)
    order = np.argsort(quota - exact, kind="stable")
    quota[order[:m - int(quota.sum())]] += 1
    return quota
