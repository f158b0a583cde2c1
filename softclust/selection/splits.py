"""Prediction strength: how well clusters of one half of the data predict the other half."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError, check_whole, frozen
from .._types import RNG, ArrayLike, Classifier, Estimator
from ..cluster.checks import check_scale
from ..clusterings.object_table import as_objects
from ..comparison.several import pair_measure
from ..ensembles.clusterers import check_clusterer, counted
from ..ensembles.together import ratio
from ..results.records import Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable, right
from ..running.interrupts import keep_finished
from ..running.random_numbers import Streams
from ..running.threads import Progress, progress_bar
from .numbers import numbers_of_clusters
from .replication import agree_of_halves, random_halves


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PredictionStrength(Drawn, Tidied, Record):
    """Prediction strength for each number of clusters; made by `prediction_strength`.

    Attributes
    ----------
    n_clusters : (m,) int64
        Numbers of clusters tried.
    values : (m, splits) float64
        Prediction strength of each split, from 0 to 1; nan if a half had no pair.
    threshold : float
    interrupted : str
        Empty, or how far the splits came before Ctrl-C.

    Notes
    -----
    ``to_frame()``: one row per number of clusters. Columns n_clusters, mean, standard_error, best.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> found = softclust.prediction_strength(x, KMeans(n_init=5), [2, 3, 4], n_splits=5, rng=0)
    >>> found.best
    3
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> found = softclust.prediction_strength(x, KMeans(n_init=5), [2, 3], n_splits=3, rng=0)
    >>> found.to_frame()["best"].tolist()
    [False, True]
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> found = softclust.prediction_strength(x, KMeans(n_init=5), [2, 3], n_splits=3, rng=0)
    >>> print(found.summary())
    Number of clusters by prediction strength: 3
    ...
    """

    _chart = "plot_prediction_strength"
    _tidy = "term=n_clusters estimate=mean std_error=standard_error"
    _glance = ("best", "threshold")

    n_clusters: Annotated[np.ndarray, "i m >=1"]
    values: Annotated[np.ndarray, "f m _"]
    threshold: Annotated[float, "0..1"]
    interrupted: str = ""

    @property
    def mean(self) -> np.ndarray:
        """Mean over splits, (m,)."""
        return ratio(np.nansum(self.values, axis=1), self._counts)

    @property
    def standard_error(self) -> np.ndarray:
        """Standard error of `mean` over splits, (m,); nan below 2."""
        count = self._counts
        squares = np.nansum((self.values - self.mean[:, None]) ** 2, axis=1)
        return np.asarray(np.sqrt(ratio(squares, count * (count - 1))))

    @property
    def _counts(self) -> np.ndarray:
        return np.asarray((~np.isnan(self.values)).sum(axis=1))

    @property
    def best(self) -> int:
        """The largest number with mean + standard error >= threshold; 1 if there is none."""
        reached = self.mean + np.nan_to_num(self.standard_error) >= self.threshold
        return int(self.n_clusters[reached].max()) if reached.any() else 1

    def __repr__(self) -> str:
        tried = ", ".join(map(str, self.n_clusters))
        return (f"PredictionStrength(best={self.best} of {tried}"
                + (f", {self.interrupted})" if self.interrupted else ")"))

    def _frame(self) -> Columns:
        return Columns({"n_clusters": self.n_clusters, "mean": self.mean,
                        "standard_error": self.standard_error,
                        "best": self.n_clusters == self.best})

    def _table(self) -> SummaryTable:
        notes = [f"* the largest number with mean + se >= {self.threshold:g}."]
        if self.best not in self.n_clusters:
            notes = [f"No number has mean + se >= {self.threshold:g}: one cluster."]
        if self.interrupted:
            notes.insert(0, f"{self.interrupted[0].upper()}{self.interrupted[1:]}.")
        return SummaryTable.of(
            {"clusters": self.n_clusters,
             "prediction strength": right(_number(m) + ("*" if k == self.best else "")
                                          for k, m in zip(self.n_clusters, self.mean)),
             "se": right(self.standard_error, _number)},
            title=f"Number of clusters by prediction strength: {self.best}", notes=notes)


def prediction_strength(X: ArrayLike, estimator: Estimator | Callable[..., Any],
                        n_clusters: Iterable[int] = range(2, 7), *, n_splits: int = 50,
                        threshold: float = 0.8, measure: str = "prediction_strength_index",
                        classifier: Classifier | None = None,
                        progress: Progress | bool | None = False, rng: RNG = None
                        ) -> PredictionStrength:
    r"""Choose the number of clusters by how well one half of the data predicts the other.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Finite numbers.
    estimator : clusterer or callable
        A scikit-learn clusterer with a number of clusters, which is set, or a function of the
        data and the number that returns labels.
    n_clusters : iterable of int, optional
        Numbers of clusters to try.
    n_splits : int
        Number of random splits into halves.
    threshold : float in (0, 1]
        Smallest acceptable prediction strength.
    measure : str
        Another measure of the labels found in a half and of those carried to it.
    classifier : scikit-learn classifier, optional
        Carries labels, as in `replicate`.
    progress : bool or callable, optional
        True shows a progress bar over splits; a function is called with (done, total).
    rng : None, int, SeedSequence or Generator, optional

    Returns
    -------
    PredictionStrength
        ``.best``, ``.mean``, ``.standard_error``, ``.plot()``.

    Raises
    ------
    ClusteringError
        If X is not a table of finite numbers, a half has fewer objects than clusters, or the
        clusterer has no number of clusters.
    ValueError
        If an option is out of range.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the run; finished splits count.

    See Also
    --------
    cluster_number, prediction_strength_index

    Notes
    -----
    .. math::

        \min_k \frac{\sum_l T_{kl} (T_{kl} - 1)}{a_k (a_k - 1)} \quad \text{of the clusters and
        the classification}

    Both halves are clustered, and each is classified by the clusters of the other: by ``predict``,
    or as the nearest mean of a cluster. The value of a half is `prediction_strength_index` of its
    own clusters and the classification: the share of the pairs of its worst cluster that the other
    half keeps together. A split counts with the mean of its halves. The number chosen is the
    largest with mean + standard error >= `threshold`; .8 to .9 is usual. Split b depends on `rng`
    and b only. Time: two fits for each split and number of clusters. R:
    ``fpc::prediction.strength``.

    References
    ----------
    R. Tibshirani, G. Walther (2005), Cluster validation by prediction strength, Journal of
    Computational and Graphical Statistics 14, 511-528.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> found = softclust.prediction_strength(x, KMeans(n_init=5), n_splits=10, rng=0)
    >>> found.best
    3
    """
    table = as_objects(X, estimator)
    check_scale(table)
    x = table.rows
    ks = numbers_of_clusters(n_clusters, x)   # 1 is allowed
    n_splits = check_whole("n_splits", n_splits)
    if not isinstance(threshold, numbers.Real) or not 0.0 < float(threshold) <= 1.0:
        raise ValueError(f"threshold is {threshold!r}; a number in (0, 1] is needed")
    if max(ks) > x.shape[0] // 2:
        raise ClusteringError(f"K = {max(ks)} clusters are requested; half of {x.shape[0]} objects "
                              f"has {x.shape[0] // 2}")
    check_clusterer(estimator, "X", "n_clusters")
    if hasattr(estimator, "fit") and counted(estimator) is None:
        raise ClusteringError(f"{type(estimator).__name__} has no number of clusters to set; give "
                              "a clusterer with n_clusters, or a function (X, n_clusters)")
    streams, columns, m = Streams(rng, "rng"), [], pair_measure(measure)
    with (progress_bar(progress, "prediction strength") as show,
          keep_finished("splits", int(n_splits), lambda: len(columns),
                        "call it again for all of them") as stop):
        for b in range(int(n_splits)):
            generator, strengths = streams.generator(b), []
            halves = random_halves(x, generator)
            for k in ks:
                values = agree_of_halves(halves, estimator, k, int(generator.integers(2**31)), m,
                                         classifier)
                known = [v for v in values if not math.isnan(v)]
                strengths.append(sum(known) / len(known) if known else math.nan)
            columns.append(strengths)
            if show is not None:
                show(b + 1, int(n_splits))
    stop.warn()
    return PredictionStrength(n_clusters=frozen(np.array(ks)),
                              values=frozen(np.array(columns).T), threshold=float(threshold),
                              interrupted=stop.text)


def _number(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4f}"
