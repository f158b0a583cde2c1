"""Runs of a clusterer on parts of the data, or on data that are changed a little."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole
from ..clusterings import Ensemble
from ..clusterings.object_table import ObjectTable, as_given, as_objects, finite_rows, fresh
from ..running.interrupts import keep_finished
from ..running.jobs import ReplicateFailure, check_executor, run_jobs
from ..running.random_numbers import Streams
from ..running.threads import Progress
from ..running.warnings import warn
from .clusterers import NOISE, check_clusterer, fitted_labels, prepared
from .replicates import FailedReplicatesWarning, check_failures
from .schemes import EFRON, SUBSAMPLE, Scheme, check_indices, check_share, draw_one, sample_size
from .thinning import FAMILIES, thin

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._types import RNG, ArrayLike, Estimator, RunScheme, Workers

#: label of an object that a run does not hold
ABSENT = -2
SCHEMES = ("subsample", "bootstrap", "jitter", "noise", "rerun", "thin")


def resampled_clusterings(X: ArrayLike, estimator: Estimator | Callable[[Any], Any], *,
                          scheme: RunScheme = "subsample", n_resamples: int = 100,
                          size: int | float | ArrayLike | None = None,
                          duplicates: Literal["drop", "keep"] = "drop",
                          predict: bool = False,
                          noise: Literal["cluster", "singletons", "drop"] = "cluster",
                          jitter: float = 0.05, replaced: tuple[float, float] = (0.05, 4),
                          indices: ArrayLike | None = None,
                          family: Literal["poisson", "negative_binomial", "gaussian"] = "poisson",
                          share: float = 0.5, variance: float | ArrayLike | None = None,
                          executor: Workers | None = None,
                          progress: Progress | bool | None = False, rng: RNG = None) -> Ensemble:
    """Cluster many resamples or perturbed copies of the data.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Finite numbers.
    estimator : clusterer or callable
        A scikit-learn clusterer, cloned for each run, or a function of (m, d) data that returns
        m labels; -1 is noise.
    scheme : {"subsample", "bootstrap", "jitter", "noise", "rerun", "thin"}
        "subsample": `size` objects without replacement. "bootstrap": n with replacement.
        "jitter": normal noise added to all. "noise": some objects replaced by uniform ones.
        "rerun": all objects, and another ``random_state`` of the estimator, or of a function that
        has such a parameter; two versions of a pipeline run with the same `rng` have the same
        seeds, for ``compare_versions(paired=True)``. "thin": the first table of a new thinning of
        the data, see `thin`.
    n_resamples : int
        Number of runs B.
    size : int, float or array-like, optional
        "subsample": number of objects per run, or their share in (0, 1]; half of them by default.
        "thin": the size of the negative binomial law.
    duplicates : {"drop", "keep"}
        "bootstrap": fit each drawn object once, or with its copies, of which the label of the first
        counts.
    predict : bool
        Label every object in every run: those that were not fitted by the clusterer's ``predict``,
        or, if it has none, by the nearest mean of a cluster.
    noise : {"cluster", "singletons", "drop"}
        Treatment of noise in a run: one more cluster, single objects, or absent from the run.
    jitter : float in (0, 1]
        "jitter": the standard deviation along a principal axis is this quantile of the positive
        gaps between sorted scores.
    replaced : (float, float)
        "noise": the share of objects that are replaced, and the half width, in standard deviations
        along the principal axes, of the box around the mean from which the replacements come.
        Replaced objects are absent.
    indices : sequence of B arrays, optional
        Given draws of objects for "subsample" or "bootstrap".
    family, share, variance : optional
        "thin": options of `thin`.
    executor : concurrent.futures.Executor or "joblib", optional
        Where runs are fitted; in this thread by default.
    progress : bool or callable, optional
        True shows a progress bar; a function is called with (done, total).
    rng : None, int, SeedSequence or Generator, optional

    Returns
    -------
    Ensemble
        Runs are named "0", "1", ... by their number. The bits do not depend on the executor.

    Raises
    ------
    ClusteringError
        If X is not a table of finite numbers, or every run fails.
    ValueError
        If an option is out of range or does not belong to the scheme.
    KeyboardInterrupt
        At Ctrl-C before the first run is finished.

    Warns
    -----
    FailedReplicatesWarning
        If runs failed; they are left out, and their numbers are missing in `names`.
    IncompleteWarning
        If Ctrl-C stopped the run; finished runs are returned.

    See Also
    --------
    cluster_stability, coassociation, element_consistency : use the runs.
    BaggedClustering : one clustering out of many.

    Notes
    -----
    Run b depends on `rng` and b only: 100 runs are the first of 200, and `subsample_indices` and
    `bootstrap_indices` with the same seed draw the same objects. R's clusterboot uses half of the
    objects ("subset") and the bootstrap with copies dropped as defaults, and the other two schemes
    with the same numbers.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    C. Hennig (2007), Cluster-wise assessment of cluster stability, Computational Statistics and
    Data Analysis 52, 258-271.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> runs = softclust.resampled_clusterings(x, KMeans(3, n_init=5), n_resamples=20, rng=0)
    >>> runs
    Ensemble(20 clusterings of 99 objects, 980 absent labels)
    >>> round(softclust.coassociation(runs).pac(), 2)
    0.05
    """
    check_executor(executor)
    table = as_objects(X, estimator)
    n = table.n
    check_choice("scheme", scheme, SCHEMES)
    check_choice("duplicates", duplicates, ("drop", "keep"))
    check_choice("noise", noise, ("cluster", "singletons", "drop"))
    check_choice("family", family, FAMILIES)
    check_clusterer(estimator, "X", also="random_state" if scheme == "rerun" else "")
    _check_scheme(scheme, estimator, size=size, duplicates=duplicates, jitter=jitter,
                  replaced=replaced, indices=indices, family=family, share=share,
                  variance=variance)
    thinning = {"family": family, "share": share, "size": size, "variance": variance}
    if scheme in ("jitter", "noise", "thin"):   # they make other numbers
        x = table.numbers
    if scheme == "thin":
        thin(x, rng=0, **thinning)   # type: ignore[arg-type]   # wrong options raise here
    jitter = check_share("jitter", jitter)
    try:
        replaced_share, wide = (float(v) for v in replaced)
    except (TypeError, ValueError):
        replaced_share = wide = 0.0
    if not (0.0 < replaced_share < 1.0 and 0.0 < wide < float("inf")):
        raise ValueError(f"replaced is {replaced!r}; a share in (0, 1) and a number of standard "
                         "deviations > 0 are needed")
    given: Any = indices
    if given is not None and not len(given):
        raise ClusteringError("indices is empty; at least one run is needed")
    ready = None if given is None else tuple(
        check_indices(row, n, f"indices[{b}]", 1) for b, row in enumerate(given))
    count = len(ready) if ready is not None else check_whole("n_resamples", n_resamples)

    task = RunTask(
        x=table if scheme in ("jitter", "noise", "thin") else table.rows, estimator=estimator,
        scheme=scheme, keep=duplicates == "keep", predict=bool(predict),
        draw=(Scheme(code=SUBSAMPLE, n=n, d=1, m=sample_size(0.5 if size is None else size, n))
              if scheme == "subsample"
              else Scheme(code=EFRON, n=n, d=1, m=n)),
        axes=(Axes.of(x, jitter if scheme == "jitter" else None)
              if scheme in ("jitter", "noise") else None),
        noise=noise, replaced=(replaced_share, wide), indices=ready,
        streams=Streams(rng, "rng"), thinning=thinning)
    done: dict[int, np.ndarray] = {}
    failures: list[ReplicateFailure] = []
    with keep_finished("runs", count, lambda: len(done), "call it again for all of them") as stop:
        run_jobs(task, range(count), done.__setitem__, fail=failures.append, executor=executor,
                 progress=progress, what="runs")
    problem = check_failures(failures, len(done) + len(failures), "run", "are left out")
    if problem:
        warn(problem, FailedReplicatesWarning, stacklevel=2)
    stop.warn()
    runs = np.stack(list(done.values()))
    if scheme == "rerun" and len(runs) > 1 and (runs == runs[0]).all() and not _takes_seed(
            estimator) and not hasattr(estimator, "fit"):
        warn("all runs of the function are equal: it draws nothing at random; give it a parameter "
             "random_state if it can", UserWarning, stacklevel=2)
    return Ensemble.from_runs(runs, names=[str(b) for b in done],
                              object_names=table.names)


# -- checks -----------------------------------------------------------------------------------
def _check_scheme(scheme: str, estimator: Any, **options: Any) -> None:
    """Raise for an option of another scheme, and where reruns cannot differ by the seed."""
    defaults = {"size": (None, "subsample", "thin"), "duplicates": ("drop", "bootstrap"),
                "jitter": (0.05, "jitter"), "replaced": ((0.05, 4), "noise"),
                "indices": (None, "subsample", "bootstrap"), "family": ("poisson", "thin"),
                "share": (0.5, "thin"), "variance": (None, "thin")}
    for name, (default, *schemes) in defaults.items():
        value = options[name]
        if scheme not in schemes and value is not None and (
                isinstance(value, np.ndarray) or value != default):
            raise ValueError(f"{name} belongs to scheme={' or '.join(map(repr, schemes))}; "
                             f"{scheme!r} does not use it: leave it out")
    if scheme == "rerun" and hasattr(estimator, "get_params") and not any(
            name == "random_state" or name.endswith("__random_state")
            for name in estimator.get_params(deep=True)):
        raise ClusteringError(f"{type(estimator).__name__} has no random_state: all its runs are "
                              "equal, one is enough")


def _takes_seed(function: Any) -> bool:
    """Return True if a function has a parameter random_state."""
    try:
        return "random_state" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


# -- one run -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Principal axes of the data.

    Attributes
    ----------
    mean : (d,) float64
    axes : (k, d) float64
        Orthonormal rows.
    spread : (k,) float64
        Standard deviation of the jitter, or of the data, along each axis.
    """

    mean: np.ndarray
    axes: np.ndarray
    spread: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, quantile: float | None) -> Axes:
        """With the standard deviation of x, or a quantile of the positive gaps of its scores."""
        mean = x.mean(axis=0)
        axes = np.linalg.svd(x - mean, full_matrices=False)[2]
        scores = (x - mean) @ axes.T
        if quantile is None:
            return cls(mean=mean, axes=axes, spread=scores.std(axis=0, ddof=1))
        gaps = np.diff(np.sort(scores, axis=0), axis=0)
        spread = [float(np.quantile(g[g > 0], quantile)) if (g > 0).any() else 0.0
                  for g in gaps.T]
        return cls(mean=mean, axes=axes, spread=np.array(spread))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTask:
    """Labels of run b, (n,): a cluster each, -1 for objects that the run does not hold.

    Attributes
    ----------
    x : (n, d) float64, or ObjectTable
    estimator : clusterer or callable
    scheme : str
    draw : Scheme or None
        Of subsamples and bootstrap samples.
    axes : Axes or None
        Of jitter and noise.
    keep : bool
        Whether copies of an object are fitted as such.
    predict : bool
    noise : str
    replaced : (float, float)
    indices : tuple of (m,) int64, or None
        Ready draws.
    streams : Streams
    thinning : mapping
        Options of `thin`.
    """

    x: Any
    estimator: Any
    scheme: str
    draw: Scheme
    axes: Axes | None
    keep: bool
    predict: bool
    noise: str
    replaced: tuple[float, float]
    indices: tuple[np.ndarray, ...] | None
    streams: Streams
    thinning: Mapping[str, Any]

    def __call__(self, b: int) -> np.ndarray:
        rng, n = self.streams.generator(b), self.x.shape[0]
        # the sample to fit, m rows, and the object of each row, -1 for none
        rows, places = self.x, np.arange(n)
        if self.axes is not None:
            x: np.ndarray = self.x.numbers
            mean, axes, spread = self.axes.mean, self.axes.axes, self.axes.spread
            if self.scheme == "jitter":
                moves = rng.standard_normal((n, spread.size)) * spread
                rows = self.x.like(x + moves @ axes)
            else:
                share, wide = self.replaced
                chosen = np.asarray(rng.random(n) < share)
                scores = rng.uniform(-wide, wide, (n, spread.size)) * spread
                rows = self.x.like(np.where(chosen[:, None], mean + scores @ axes, x))
                places = np.where(chosen, -1, places)
        elif self.scheme == "thin":
            first = thin(self.x.numbers, rng=rng, **self.thinning)[0].astype(np.float64)
            rows = self.x.like(first)
        elif self.scheme != "rerun":
            places = draw_one(self.draw, rng)[0] if self.indices is None else self.indices[b]
            places = places if self.keep else np.unique(places)
            rows = self.x[places]

        estimator, seed = self.estimator, int(rng.integers(2**31))
        if self.scheme == "rerun" and not hasattr(estimator, "fit") and _takes_seed(estimator):
            estimator = partial(estimator, random_state=seed)
        fitted, fit = labels_of(estimator, rows, seed)
        labels = np.full(n, ABSENT, dtype=np.int64)
        objects, copies = np.unique(places, return_index=True)   # of several copies the first
        labels[objects[objects >= 0]] = fitted[copies[objects >= 0]]
        if self.predict:
            left = labels == ABSENT
            if left.any():
                labels[left] = carry(fit, rows, fitted, self.x[left])
        noisy, top = labels == NOISE, max(int(labels.max()) + 1, 0)
        labels[labels == ABSENT] = -1
        if self.noise == "cluster":
            labels[noisy] = top
        elif self.noise == "singletons":
            labels[noisy] = top + np.arange(np.count_nonzero(noisy))
        if (labels < 0).all():
            raise ClusteringError("every object is noise, so no object has a cluster")
        return labels


def labels_of(estimator: Any, rows: Any, seed: int, n_clusters: int | None = None
              ) -> tuple[np.ndarray, Any]:
    """Labels of rows as int64, `NOISE` for noise, and the fit; None for a function."""
    if not hasattr(estimator, "fit"):
        own = as_given(rows)
        labels = np.asarray(estimator(own) if n_clusters is None else estimator(own, n_clusters))
        if labels.shape != (rows.shape[0],):
            raise ClusteringError(f"estimator(X) gave labels of shape {labels.shape} for "
                                  f"{rows.shape[0]} objects; it must cluster the X that it is "
                                  "given (labels that exist are tested by separation_test)")
        return _codes(labels), None
    fit = prepared(estimator, n_clusters, seed)
    return _codes(fitted_labels(fit, rows, None)), fit


def carry(fit: Any, rows: Any, labels: np.ndarray, new: Any,
          classifier: Any = None) -> np.ndarray:
    """Labels of new objects by the clusters of others, (m,).

    By a classifier that is fitted to `rows` and `labels`, else by the fit's ``predict``, else those
    of the nearest mean of a cluster (the lowest label on ties). Noise is no cluster.
    """
    if isinstance(rows, ObjectTable) and rows.pairwise:
        raise ClusteringError("distances within a group of objects do not give labels to others; "
                              "give the table of the objects instead of distances")
    if classifier is not None:
        from sklearn.base import clone
        if not hasattr(classifier, "fit") or not hasattr(classifier, "predict"):
            raise TypeError(f"classifier is a {type(classifier).__name__}; a scikit-learn "
                            "classifier is needed, such as KNeighborsClassifier()")
        known = labels >= 0
        trained = clone(classifier).fit(fresh(rows[known]), labels[known])
        return _codes(np.asarray(trained.predict(fresh(new))))
    if callable(getattr(fit, "predict", None)):
        return _codes(np.asarray(fit.predict(fresh(new))))
    clusters = np.unique(labels[labels >= 0])
    if not clusters.size:
        raise ClusteringError("every object is noise, so no cluster has a mean")
    from scipy.spatial.distance import cdist
    points = finite_rows(rows)
    means = np.array([points[labels == k].mean(axis=0) for k in clusters])
    return np.asarray(clusters[cdist(finite_rows(new), means, "sqeuclidean").argmin(axis=1)])


def _codes(labels: np.ndarray) -> np.ndarray:
    whole = labels.dtype.kind in "iu" and labels.size and labels.max() <= np.iinfo(np.int64).max
    if whole and labels.min() >= NOISE:
        return labels.astype(np.int64)
    if whole:
        raise ClusteringError(f"the clusterer gave the label {labels.min()}; clusters are 0, 1, "
                              "..., and -1 is noise")
    return np.unique(labels, return_inverse=True)[1].reshape(-1).astype(np.int64)
