"""Runs of a clusterer on parts of the data, or on data that are changed a little."""

from __future__ import annotations

import numbers
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole
from .._interrupts import keep_finished
from .._parallel import Progress
from .._warnings import warn
from ..clusterings import Ensemble
from ..clusterings.objects import naming_of
from ._draws import EFRON, SUBSAMPLE, Scheme
from .replicates import (
    FailedReplicatesWarning,
    ReplicateFailure,
    Streams,
    check_executor,
    run_replicates,
)
from .run_tasks import Axes, RunTask
from .schemes import sample_size

if TYPE_CHECKING:
    from .._types import RNG, ArrayLike, RunScheme

SCHEMES = ("subsample", "bootstrap", "jitter", "noise")


def resampled_clusterings(X: ArrayLike, estimator: Any, *,
                          scheme: RunScheme = "subsample",
                          n_resamples: int = 100, size: int | float = 0.5,
                          duplicates: Literal["drop", "keep"] = "drop", predict: bool = False,
                          noise: Literal["cluster", "singletons", "drop"] = "cluster",
                          jitter: float = 0.05, replaced: tuple[float, float] = (0.05, 4),
                          indices: ArrayLike | None = None, executor: Executor | None = None,
                          progress: Progress | bool | None = False, rng: RNG = None
                          ) -> Ensemble:
    """Cluster many parts of the data, or the data changed a little many times.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Finite numbers.
    estimator : clusterer or callable
        A scikit-learn clusterer, cloned for each run, or a function of (m, d) data that returns
        m labels; -1 is noise.
    scheme : {"subsample", "bootstrap", "jitter", "noise"}
        "subsample": `size` objects without replacement. "bootstrap": n with replacement.
        "jitter": normal noise added to all. "noise": some objects replaced by uniform ones.
    n_resamples : int
        Runs B.
    size : int or float
        "subsample": objects of a run, or their share in (0, 1].
    duplicates : {"drop", "keep"}
        "bootstrap": fit each drawn object once, or with its copies; the label of the first copy
        counts.
    predict : bool
        Label every object in every run: those that were not fitted by the clusterer's
        ``predict``, or, where it has none, as the nearest mean of a cluster.
    noise : {"cluster", "singletons", "drop"}
        What the noise of a run is: one more cluster, single objects, or absent from the run.
    jitter : float in (0, 1]
        "jitter": the standard deviation along a principal axis is this quantile of the positive
        gaps between sorted scores.
    replaced : (float, float)
        "noise": the share of objects, and the half width of the box around the mean, in standard
        deviations along the principal axes, from which those that replace them come. Replaced
        objects are absent.
    indices : sequence of B arrays, optional
        Ready draws of objects for "subsample" or "bootstrap".
    executor : concurrent.futures.Executor, optional
        Where runs are fitted; in this thread by default.
    progress : bool or callable, optional
        True shows a bar; a function is called with (done, total).
    rng : None, int, SeedSequence or Generator, optional

    Returns
    -------
    Ensemble
        Runs are named "0", "1", ... by their number. The same bits for any executor.

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
        If Ctrl-C stopped the work; finished runs are returned.

    See Also
    --------
    cluster_stability, coassociation, element_consistency : what to do with the runs.
    BaggedClustering : one clustering out of many.

    Notes
    -----
    Run b depends on `rng` and b alone: 100 runs are the first of 200, and `subsample_indices` and
    `bootstrap_indices` with the same seed draw the same objects. R's clusterboot has half of the
    objects ("subset") and the bootstrap with copies dropped as defaults, and the other two
    schemes with these numbers.

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
    x = _table(X)
    n = x.shape[0]
    check_choice("scheme", scheme, SCHEMES)
    check_choice("duplicates", duplicates, ("drop", "keep"))
    check_choice("noise", noise, ("cluster", "singletons", "drop"))
    _check_estimator(estimator)
    _check_own(scheme, size=size, duplicates=duplicates, jitter=jitter, replaced=replaced,
               indices=indices)
    ready = None if indices is None else _checked_indices(indices, n)
    count = len(ready) if ready is not None else check_whole(
        "n_resamples", n_resamples)
    streams = Streams(rng, "rng")
    task = RunTask(
        x=x, estimator=estimator, scheme=scheme, draw=_draw(scheme, n, size),
        axes=(Axes.of(x, _quantile(jitter) if scheme == "jitter" else None)
              if scheme in ("jitter", "noise") else None),
        keep=duplicates == "keep", predict=bool(predict), noise=noise,
        replaced=_replaced(replaced), indices=ready, streams=streams)
    done: dict[int, np.ndarray] = {}
    failures: list[ReplicateFailure] = []
    with keep_finished("runs", count, lambda: len(done), "call it again for all of them") as stop:
        run_replicates(task, 0, count, done.__setitem__, fail=failures.append, executor=executor,
                       progress=progress, what="runs")
    _check_failures(failures, done, count)
    stop.warn()
    return Ensemble.from_runs(np.stack(list(done.values())), names=[str(b) for b in done],
                           object_names=naming_of(X))


def _table(X: Any) -> np.ndarray:
    from sklearn.utils import check_array
    try:
        return np.asarray(check_array(X, dtype=np.float64, order="C", ensure_min_samples=2))
    except ValueError as error:
        raise ClusteringError(f"X is not a table of finite numbers: {error}") from None


def _draw(scheme: str, n: int, size: Any) -> Scheme | None:
    if scheme == "subsample":
        return Scheme(code=SUBSAMPLE, n=n, d=1, m=sample_size(size, n))
    return Scheme(code=EFRON, n=n, d=1, m=n) if scheme == "bootstrap" else None


def _check_failures(failures: list[ReplicateFailure], done: dict[int, np.ndarray], count: int
                    ) -> None:
    if not failures:
        return
    first = f"run {failures[0].replicate}: {failures[0].reason}"
    if not done:
        raise ClusteringError(f"all {len(failures)} runs failed; {first}")
    warn(f"{len(failures)} of {count} runs failed and are left out; {first}",
         FailedReplicatesWarning, stacklevel=3)


# -- checks -----------------------------------------------------------------------------------
def _check_estimator(estimator: Any) -> None:
    if isinstance(estimator, type):
        raise TypeError(f"estimator is the class {estimator.__name__}; an instance is needed, such "
                        f"as {estimator.__name__}()")
    if not hasattr(estimator, "fit") and not callable(estimator):
        raise TypeError(f"estimator is a {type(estimator).__name__}; a scikit-learn clusterer or a "
                        "function of the data that returns labels is needed")


def _check_own(scheme: str, **options: Any) -> None:
    """Raise for an option of another scheme."""
    own = {"size": ("subsample",), "duplicates": ("bootstrap",), "jitter": ("jitter",),
           "replaced": ("noise",), "indices": ("subsample", "bootstrap")}
    defaults = {"size": 0.5, "duplicates": "drop", "jitter": 0.05, "replaced": (0.05, 4),
                "indices": None}
    for name, schemes in own.items():
        value = options[name]
        if scheme in schemes or value is None or (
                not isinstance(value, np.ndarray) and value == defaults[name]):
            continue
        raise ValueError(f"{name} belongs to scheme={' or '.join(map(repr, schemes))}; {scheme!r} "
                         "has no use for it: leave it out")


def _checked_indices(indices: Any, n: int) -> tuple[np.ndarray, ...]:
    found = []
    for b, given in enumerate(indices):
        row = np.asarray(given)
        if row.ndim != 1 or not row.size or row.dtype.kind not in "iu":
            raise ClusteringError(f"indices[{b}] has shape {row.shape} and type {row.dtype}; a "
                                  "list of whole numbers is needed for each run")
        if row.min() < 0 or row.max() >= n:
            raise ClusteringError(f"indices[{b}] reach from {row.min()} to {row.max()}; 0 to "
                                  f"{n - 1} are the objects of X")
        found.append(row.astype(np.int64))
    if not found:
        raise ClusteringError("indices is empty; at least one run is needed")
    return tuple(found)


def _quantile(jitter: Any) -> float:
    if not isinstance(jitter, numbers.Real) or not 0.0 < float(jitter) <= 1.0:
        raise ValueError(f"jitter is {jitter!r}; a number in (0, 1] is needed")
    return float(jitter)


def _replaced(replaced: Any) -> tuple[float, float]:
    try:
        share, wide = (float(v) for v in replaced)
    except (TypeError, ValueError):
        raise ValueError(f"replaced is {replaced!r}; a share in (0, 1) and a number of standard "
                         "deviations > 0 are needed") from None
    if not (0.0 < share < 1.0 and 0.0 < wide < float("inf")):
        raise ValueError(f"replaced is {replaced!r}; a share in (0, 1) and a number of standard "
                         "deviations > 0 are needed")
    return share, wide
