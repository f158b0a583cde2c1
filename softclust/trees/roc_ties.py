"""How much an area hangs on the order of equal distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole, frozen
from .._parallel import Progress, progress_bar
from .._random import as_generator, spawn
from .merges import TIE_TOL
from .roc import pair_roc
from .roc_records import TieRange

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
    >>> import softclust as sc
    >>> iris = sc.datasets.load_iris()
    >>> found = sc.tie_range(iris.labels, iris.data, method="average", max_clusters=20,
    ...                      n_draws=5, rng=0)
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
