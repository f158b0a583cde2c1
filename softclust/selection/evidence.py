"""Are there clusters at all? The least separated pair of clusters against data of one cluster.

Theory: docs/theory/evidence.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import numpy as np

from .._checks import (
    ClusteringError,
    check_choice,
    check_significance,
    check_whole,
    frozen,
    named_keywords,
)
from .._types import RNG, ArrayLike, Estimator, Workers
from ..cluster.batched_kmeans import NO_STARTS, batched_kmeans, fit_block, near_origin
from ..cluster.checks import check_spread
from ..clusterings.object_table import ObjectTable, as_objects
from ..ensembles.clusterers import check_clusterer, compiled_kmeans, counted, last_step
from ..ensembles.resampled_runs import labels_of
from ..results.records import POSITION, Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable, right
from ..results.text import position
from ..running.blas import one_thread
from ..running.interrupts import keep_finished
from ..running.jobs import run_jobs
from ..running.random_numbers import Streams
from ..running.threads import Progress
from ..running.warnings import warn
from . import _kernels
from .numbers import numbers_of_clusters
from .references import (
    SHAPES,
    References,
    ReferenceSets,
    cautions,
    check_features,
    untied,
    with_unit_noise,
)

#: starts of the default k-means
_STARTS, _MAX_ITER = 10, 300
#: numbers of reference sets that are held at once
_HELD = 1 << 20
#: values of the statistic that differ by less are equal
_SAME = 1e-12
#: share of references whose fit may fail, and objects of a small cluster
_FAILED, _SMALL = 0.05, 5
#: steps of a pipeline that scale features
_SCALERS = ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeparatedPairs:
    """Separation of every two clusters.

    Attributes
    ----------
    first, second : (p,) int64
        The clusters, numbered by their sorted labels.
    objects : (p,) int64
        Objects in the balanced window between them.
    dip : (p,) float64
        Dip of their places on the line through both means.
    value : (p,) float64
        sqrt(objects) times the dip.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.load_iris().data
    >>> pairs = softclust.cluster_test(x, 3, n_references=19, rng=0).steps[0].pairs
    >>> list(zip(pairs.first.tolist(), pairs.second.tolist()))
    [(0, 1), (0, 2), (1, 2)]
    """

    first: Annotated[np.ndarray, "i p >=0"] = field(metadata=POSITION)
    second: Annotated[np.ndarray, "i p >=0"] = field(metadata=POSITION)
    objects: Annotated[np.ndarray, "i p >=0"]
    dip: Annotated[np.ndarray, "f p"]
    value: Annotated[np.ndarray, "f p"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterTestStep:
    """One step of `cluster_test`: more clusters than the clustering before.

    Attributes
    ----------
    against : int
        Number of clusters of the clustering before.
    n_clusters : (m,) int64
        Numbers asked.
    statistic : (m,) float64
        Separation of the least separated pair.
    references : (m, B) float64
        The same of the reference sets; inf for a set whose fit failed.
    z : (m,) float64
        How many standard deviations of the references the statistic is above their mean.
    p_value : float
        Of all numbers together.
    pairs : SeparatedPairs
        Of the number with the largest z.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.load_iris().data
    >>> step = softclust.cluster_test(x, [2, 3], n_references=19, rng=0).steps[0]
    >>> step.against, step.references.shape
    (1, (2, 19))
    """

    against: int
    n_clusters: Annotated[np.ndarray, "i m >=1"]
    statistic: Annotated[np.ndarray, "f m"]
    references: Annotated[np.ndarray, "f m B"]
    z: Annotated[np.ndarray, "f m"]
    p_value: float
    pairs: SeparatedPairs

    @property
    def chosen(self) -> int:
        """Place of the number with the largest z."""
        return _largest(self.z)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ClusterTest(Drawn, Tidied, Record):
    """Evidence for more than one cluster; made by `cluster_test`.

    Attributes
    ----------
    steps : tuple of ClusterTestStep
    best : int
        Number of clusters for which there is evidence; 1 if there is none.
    labels : (n,) int64
        Their clusters; 0 for all objects if `best` is 1.
    reference : str
        "uniform", "gaussian", "given" sets or a "function".
    reference_variances : (d,) float64
        Variances of the first reference along its axes, falling; empty for other references.
    shrinkage : float
        Share of the spread of the sample's variances that the first reference keeps.
    units : (d,) float64
        Unit of each feature that is recorded in one; else 0.
    significance : float
    clusterer : str
    tried : (m,) int64
        All numbers asked.
    notes : tuple of str
    missing : str
        Empty, or how far an interrupted test came.
    invalid : str
        Empty, or why no p-value holds for these data; p is nan then, and `best` 1.

    Notes
    -----
    ``to_frame()``: one row per step and number of clusters. Columns against, n_clusters, statistic,
    reference_mean, reference_high (the 1 - significance quantile), z, p_value, first, second (the
    weakest pair, of the number with the largest z).

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> rng = np.random.default_rng(0)
    >>> two = np.concatenate([rng.normal(size=(60, 2)), rng.normal(size=(60, 2)) + [6, 0]])
    >>> softclust.cluster_test(two, n_references=39, rng=0).best
    2
    >>> softclust.cluster_test(two, 2, n_references=39, rng=0).to_frame()["p_value"].tolist()
    [0.025]
    >>> print(softclust.cluster_test(two[:60], n_references=39, rng=0).summary())
    No evidence of more than one cluster (k-means, uniform reference, 39 sets, significance 0.05)
    ...
    """

    _chart = "plot_cluster_test"
    _glance = ("best", "significance")

    steps: Annotated[tuple[ClusterTestStep, ...], "some"]
    best: int
    labels: Annotated[np.ndarray, "i n >=0"] = field(metadata=POSITION)
    reference: str
    reference_variances: Annotated[np.ndarray, "f _"]
    shrinkage: float
    units: Annotated[np.ndarray, "f d"]
    significance: Annotated[float, "0..1"]
    clusterer: str
    tried: Annotated[np.ndarray, "i k >=1"]
    notes: tuple[str, ...] = ()
    missing: str = ""
    invalid: str = ""

    @property
    def p_value(self) -> np.ndarray:
        """The p-value of each step, (steps,)."""
        return np.array([step.p_value for step in self.steps])

    @property
    def found(self) -> str:
        """`best` in words: "at least" where no larger number was tested."""
        last = self.best == self.tried.max() and self.tried.size > 1
        return f"at least {self.best}" if last or self.missing else str(self.best)

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        p = self.steps[0].p_value
        if self.invalid:
            return f"Not tested: {self.invalid}."
        if self.best == 1:
            return (f"No evidence of more than one cluster ({self.clusterer}, p = {_p(p)}): "
                    f"{self._flat} of the same spread are divided as clearly. Small, curved or "
                    "overlapping clusters may have been missed.")
        return (f"Evidence for {self.found} clusters ({self.clusterer}, p = {_p(p)}): they "
                f"are more separated than {self._flat} of the same spread, cut in the same way.")

    @property
    def _flat(self) -> str:
        return {"uniform": "flat data", "gaussian": "Gaussian data"}.get(
            self.reference, "the reference data")

    def __repr__(self) -> str:
        values = ", ".join(_p(step.p_value) for step in self.steps)
        return f"ClusterTest(best={self.best}, p_value=[{values}], reference={self.reference!r})"

    def _frame(self) -> Columns:
        rows: dict[str, list[Any]] = {name: [] for name in (
            "against", "n_clusters", "statistic", "reference_mean", "reference_high", "z",
            "p_value", "first", "second")}
        for step in self.steps:
            weakest = int(np.argmin(step.pairs.value)) if step.pairs.value.size else -1
            for i, k in enumerate(step.n_clusters.tolist()):
                known = step.references[i][np.isfinite(step.references[i])]
                mark = i == step.chosen and weakest >= 0
                for name, value in zip(rows, (
                        step.against, k, step.statistic[i], known.mean() if known.size else np.nan,
                        np.quantile(known, 1 - self.significance) if known.size else np.nan,
                        step.z[i], step.p_value, step.pairs.first[weakest] if mark else -1,
                        step.pairs.second[weakest] if mark else -1)):
                    rows[name].append(value)
        return Columns(rows)

    def _estimates(self) -> list[dict[str, Any]]:
        """The p-value of a step is in the row of the number with the largest z."""
        return [{"term": k, "against": step.against, "estimate": step.statistic[i],
                 "p_value": step.p_value if i == step.chosen else np.nan,
                 "method": f"{self.clusterer}, {self.reference} reference"}
                for step in self.steps for i, k in enumerate(step.n_clusters.tolist())]

    def _table(self) -> SummaryTable:
        frame = self._frame().data
        chosen = [i == step.chosen for step in self.steps for i in range(step.n_clusters.size)]
        first = [i == 0 for step in self.steps for i in range(step.n_clusters.size)]
        counts = {step.references.shape[1] for step in self.steps}
        what = ("Not tested" if self.invalid else
                "No evidence of more than one cluster" if self.best == 1 else
                self.sentence.partition(" (")[0])
        how = {"given": "given reference"}.get(self.reference, f"{self.reference} reference")
        more = [] if self.best == 1 else [
            f"* more separated than {self._flat} of the same spread, cut in the same way."]
        if self.best > 1 and self.steps[-1].p_value > self.significance:
            more.append(f"No evidence of more than {self.best}.")
        if self.best == 1 and not self.invalid:
            more.append(self.sentence.partition(": ")[2][0].upper()
                        + self.sentence.partition(": ")[2][1:])
        won = [c and step.p_value <= self.significance for step, c in zip(
            [step for step in self.steps for _ in step.n_clusters], chosen)]
        return SummaryTable.of(
            {"against": right(str(a) if f else "" for a, f in zip(frame["against"], first)),
             "clusters": right(f"{k}{'*' if c else ''}" for k, c in zip(frame["n_clusters"], won)),
             "separation": right(frame["statistic"], ".3f"),
             "reference": right(map(_p, frame["reference_mean"])),
             "z": right(f"{v:z.1f}" for v in frame["z"]),
             "p-value": right(_p(p) if f else "" for p, f in zip(frame["p_value"], first))},
            title=f"{what} ({self.clusterer}, {how}, {max(counts)} sets, significance "
                  f"{self.significance:g})",
            notes=[*([f"{self.missing[0].upper()}{self.missing[1:]}."] if self.missing else []),
                   *more, *(f"Note: {note}." for note in self.notes)])


@named_keywords
def cluster_test(X: ArrayLike, n_clusters: int | Iterable[int] = range(2, 7), *,
                 estimator: Estimator | Callable[..., Any] | None = None,
                 reference: Literal["uniform", "gaussian"] | Callable[..., Any] = "uniform",
                 n_references: int = 199, reference_sets: ArrayLike | None = None,
                 significance: float = 0.05, rng: RNG = None, executor: Workers | None = None,
                 progress: Progress | bool | None = False) -> ClusterTest:
    r"""Test whether data have more than one cluster, and more than the clusters found.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Finite numbers.
    n_clusters : int or iterable of int
        A number of clusters, or rising distinct ones; a leading 1 is left out, since one cluster is
        the start. 2 has the most power against two clusters.
    estimator : clusterer or callable, optional
        A scikit-learn clusterer with a number of clusters, which is set, or a function of the data
        and the number that returns labels. By default k-means with 10 starts.
    reference : {"uniform", "gaussian"} or callable
        One cluster is flat (safe for any shape that is denser in the middle) or Gaussian (more
        power; rejects flat clusters). Or a function (X, labels, rng) that returns (n, d) data;
        labels are those of the clustering before, at first 0.
    n_references : int
        Number of reference sets of a step.
    reference_sets : array-like, shape (B, n, d), optional
        Ready data of one cluster; only the first step is done.
    significance : float in (0, 1/2]
        Largest p-value of a step that is evidence of more clusters.
    rng : None, int, SeedSequence or Generator, optional
        Reference b of a step depends on `rng`, the step and b only.
    executor : concurrent.futures.Executor or "joblib", optional
        Where the references are clustered; in local threads by default.
    progress : bool or callable, optional
        True shows a progress bar over references.

    Returns
    -------
    ClusterTest
        ``.best`` (1: no evidence of clusters), ``.p_value`` of each step, ``.plot()``.

    Raises
    ------
    ClusteringError
        If X is not a table of finite numbers, has fewer distinct objects than clusters or more than
        2,000 features, or the clusterer does not give every object one of the clusters asked.
    ValueError
        If an option is out of range.

    Warns
    -----
    UserWarning
        If rows repeat, a cluster is very small, or the Gaussian reference is not valid.
    IncompleteWarning
        If Ctrl-C stopped it; finished steps count.

    See Also
    --------
    separation_test, compare_settings, cluster_number, prediction_strength

    Notes
    -----
    .. math:: T_K = \min_{i < j} \sqrt{2m} D_{ij}, \quad m = \min(n_i, n_j)

    D is the dip (Hartigan and Hartigan 1985) of the places on the line through the means of
    clusters i and j of the m objects of i that are nearest to j and of the m of j nearest to i. A
    step clusters X and every reference in each number K above that of the clustering before,
    standardises T_K over all of them, and takes the largest. p is the rank of X: one p-value for
    all numbers of a step. If it is at most `significance`, the number with the largest standardised
    separation becomes the clustering before.

    Features that are recorded in units (counts, answers from 1 to 5) get uniform noise of one unit
    before clustering, so that ties do not look like gaps. A small p-value says "not one convex
    lump": curved clusters, repeated rows and features chosen because they separate give small ones,
    too. A large one does not say that there is one cluster. Time: K fits of each reference; memory
    of a block of references.

    Theory: docs/theory/evidence.md.

    References
    ----------
    J. A. Hartigan, P. M. Hartigan (1985), The dip test of unimodality, Annals of Statistics 13,
    70-84.
    G. J. McLachlan (1987), On bootstrapping the likelihood ratio test statistic for the number of
    components in a normal mixture, Applied Statistics 36, 318-324.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.load_iris().data
    >>> found = softclust.cluster_test(x, n_references=39, rng=0)
    >>> found.best, found.p_value[0].item()
    (2, 0.025)
    """
    test = _Test.of(X, n_clusters, estimator, reference, n_references, reference_sets,
                    significance, rng)
    asked, labels, best = test.ks, np.zeros(test.x.shape[0], np.int64), 1
    steps: list[ClusterTestStep] = []
    clusterings = {k: test.fit.labels(test.x, k) for k in test.ks}
    if test.sets is None and isinstance(test.fit, _Clusterer) and (
            not hasattr(test.fit.estimator, "fit")):
        # a function that ignores the rows would give the references the labels of the data
        order = np.random.default_rng(0).permutation(test.x.shape[0])
        least = clusterings[min(test.ks)]
        if np.array_equal(test.fit.labels(test.x[order], min(test.ks)), least) and (
                not np.array_equal(least[order], least)):
            raise ClusteringError(
                f"{test.fit.name} has the same labels for the rows in another order, so it would "
                "not cluster the references: give a function (X, n_clusters) that clusters X, or "
                "test labels that are given with separation_test(X, labels)")

    with keep_finished("steps", len(asked), lambda: len(steps), "call it again") as stop:
        while asked:
            step = test.step(len(steps) + 1, best, labels, asked, clusterings, executor, progress)
            steps.append(step)
            if not step.p_value <= test.significance:   # nan: not tested
                break
            best = int(step.n_clusters[step.chosen])
            labels = clusterings[best]
            asked = [k for k in asked if k > best] if test.sets is None else []
    stop.warn()
    first = test.first
    return ClusterTest(
        steps=tuple(steps), best=best, labels=frozen(labels),
        reference=test.name, clusterer=test.fit.name, tried=frozen(np.array(test.ks)),
        reference_variances=frozen(np.empty(0) if first is None else first.clusters[0].variances),
        shrinkage=math.nan if first is None else first.clusters[0].shrinkage,
        units=frozen(test.units), significance=test.significance, invalid=test.invalid,
        notes=tuple(test.notes), missing=stop.text)


# -- the clusterer ----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _KMeans:
    """The compiled k-means."""

    n_init: int = _STARTS
    max_iter: int = _MAX_ITER
    name: str = "k-means"

    def labels(self, x: np.ndarray, k: int) -> np.ndarray:
        """Clusters of the data, from starts that do not depend on the user's seed."""
        uniforms = np.random.default_rng([k]).random((1, self.n_init, k))
        fit = batched_kmeans(x, uniforms=uniforms, max_iter=self.max_iter)
        assert fit.labels is not None
        return _all_of(fit.labels[0], k)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clusterer:
    """A clusterer of scikit-learn's kind, or a function (X, n_clusters); `table` has the kind of
    its rows."""

    estimator: Any
    name: str
    table: ObjectTable

    def labels(self, x: np.ndarray, k: int) -> np.ndarray:
        """Clusters of the data."""
        with one_thread():
            return _all_of(_checked(labels_of(self.estimator, self.table.like(x), 0, k)[0]), k)


def _checked(labels: np.ndarray) -> np.ndarray:
    if labels.min() < 0:
        raise ClusteringError("the clusterer labels objects as noise (-1), and references need a "
                              "cluster for every object: give a clusterer without noise, such as "
                              "KMeans, or a function (X, n_clusters) that joins noise to clusters")
    return labels


def _all_of(labels: np.ndarray, k: int) -> np.ndarray:
    """Codes 0, ..., k - 1; an error if there are fewer clusters."""
    values, codes = np.unique(labels, return_inverse=True)
    if values.size != k:
        what = "1 cluster" if values.size == 1 else f"{values.size} clusters"
        raise ClusteringError(f"the clusterer found {what} of {k}")
    return codes.reshape(-1).astype(np.int64)


def _clusterer(estimator: Any, table: ObjectTable) -> _KMeans | _Clusterer:
    if estimator is None:
        return _KMeans()
    check_clusterer(estimator, "X", "n_clusters")
    if not hasattr(estimator, "fit"):
        return _Clusterer(estimator=estimator, table=table,
                          name=getattr(estimator, "__name__", "a function"))
    if counted(estimator) is None:
        raise ClusteringError(f"{type(estimator).__name__} has no number of clusters to set; give "
                              "a clusterer with n_clusters, or a function (X, n_clusters)")
    if compiled_kmeans(estimator, ("k-means++",)):
        starts = _STARTS if estimator.n_init == "auto" else estimator.n_init
        return _KMeans(n_init=starts, max_iter=estimator.max_iter)
    return _Clusterer(estimator=estimator, table=table, name=type(estimator).__name__)


# -- separation -------------------------------------------------------------------------------
def separations(points: np.ndarray, labels: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Objects and dips of all pairs of k clusters of data sets (B, n, d), each (B, p)."""
    count, pairs = points.shape[0], k * (k - 1) // 2
    objects, dips = np.empty((count, pairs), np.int64), np.empty((count, pairs))
    _kernels.dips.separate_pairs(
        np.require(points, np.float64, ["C", "W"]), np.require(labels, np.int64, ["C", "W"]),
        np.empty((count, k, points.shape[2])), objects, dips)
    return objects, dips


def weakest(points: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """The statistic of each data set, (B,): the least separation; 0 for a single cluster."""
    objects, dips = separations(points, labels, k)
    values = np.where(objects > 0, np.sqrt(objects) * dips, np.inf).min(axis=1)
    return np.where(np.isfinite(values), values, 0.0)


def _pairs(x: np.ndarray, labels: np.ndarray, k: int) -> SeparatedPairs:
    first, second = np.triu_indices(k, 1)
    objects, dips = (each[0] for each in separations(x[None], labels[None], k))
    return SeparatedPairs(first=frozen(first), second=frozen(second), objects=frozen(objects),
                          dip=frozen(dips), value=frozen(np.sqrt(objects) * dips))


# -- references -------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _OfKMeans:
    """Statistics of a range of references by the compiled k-means, (stop - start, m)."""

    sets: ReferenceSets
    ks: tuple[int, ...]
    fit: _KMeans

    def __call__(self, start: int, stop: int) -> np.ndarray:
        n, d = self.sets.x.shape
        step = max(1, _HELD // (n * d))
        parts = []
        with one_thread():
            for first in range(start, stop, step):
                chunk = range(first, min(first + step, stop))
                points = np.array([self.sets.make(b) for b in chunk])
                moved, _ = near_origin(points)
                values = np.empty((len(chunk), len(self.ks)))
                for i, k in enumerate(self.ks):
                    uniforms = np.array([np.random.default_rng(self.sets.child(b, k)).random(
                        (self.fit.n_init, k)) for b in chunk])
                    found = fit_block(np.ascontiguousarray(moved), np.ones((1, n)), len(chunk),
                                      uniforms=uniforms, init=NO_STARTS,
                                      max_iter=self.fit.max_iter)
                    assert found.labels is not None
                    values[:, i] = weakest(points, found.labels, k)
                parts.append(values)
        return np.concatenate(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfClusterer:
    """Statistics of reference b by any clusterer, (m,)."""

    sets: ReferenceSets
    ks: tuple[int, ...]
    fit: _Clusterer

    def __call__(self, b: int) -> np.ndarray:
        points, values = self.sets.make(b), []
        for k in self.ks:
            seed = int(np.random.default_rng(self.sets.child(b, k)).integers(2**31))
            rows = self.fit.table.like(points)
            labels = _checked(labels_of(self.fit.estimator, rows, seed, k)[0])
            found, codes = np.unique(labels, return_inverse=True)
            apart = 0.0 if found.size == 1 else float(
                weakest(points[None], codes.reshape(1, -1), found.size)[0])
            # One cluster or too many are less separated, whatever the data are: nan, no evidence.
            as_asked = 1 < found.size <= k or self.sets.given is not None
            values.append(apart if as_asked else math.nan)
        return np.array(values)


# -- the test ---------------------------------------------------------------------------------
@dataclass(slots=True, kw_only=True)
class _Test:
    """The checked input, and what the steps need."""

    raw: np.ndarray
    x: np.ndarray
    ks: list[int]
    fit: _KMeans | _Clusterer
    reference: Any
    sets: np.ndarray | None
    count: int
    significance: float
    units: np.ndarray
    streams: Streams
    first: References | None = None
    invalid: str = ""
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, X: Any, n_clusters: Any, estimator: Any, reference: Any, n_references: Any,
           reference_sets: Any, significance: Any, rng: Any) -> _Test:
        """Check the arguments."""
        table = as_objects(X, estimator)
        x = table.numbers
        check_spread(x)
        ks = numbers_of_clusters(n_clusters, x)   # 1 is allowed
        if ks != sorted(ks):
            raise ValueError(f"n_clusters is {ks}; rising numbers are needed")
        ks = ks[1:] if ks[0] == 1 else ks
        if not ks:
            raise ValueError("n_clusters is 1; numbers of at least 2 are needed, since one cluster "
                             "is what they are tested against")
        if not callable(reference):
            check_choice("reference", reference, SHAPES)
        significance = check_significance(significance)
        sets = None if reference_sets is None else given_sets(reference_sets, x)
        count = checked_count(n_references, significance) if sets is None else sets.shape[0]
        check_features(x)
        streams = Streams(rng, "rng")
        raw, units, levels = x, np.zeros(x.shape[1]), np.zeros(x.shape[1], np.bool_)
        own = sets is None and not callable(reference)
        if own:
            raw, units, levels = untied(x, streams.seed(0, 1))
        test = cls(raw=raw, x=with_unit_noise(raw, units, streams.seed(0)), ks=ks,
                   fit=_clusterer(estimator, table), reference=reference, sets=sets, count=count,
                   significance=significance, units=units, streams=streams)
        # what limits the test is noted, what makes it wrong is warned of
        for text, wrong in cautions(x, units, levels, test.name, x.shape[0]):
            (test._warn if wrong else test.notes.append)(text)
            if wrong and own:
                test.invalid = test.invalid or text
        if isinstance(test.fit, _Clusterer):
            # the level was simulated for k-means and Ward, also of scaled features
            last = last_step(test.fit.estimator)
            steps = getattr(test.fit.estimator, "steps", ())
            if not (all(type(step).__name__ in _SCALERS for _, step in steps[:-1]) and (
                    type(last).__name__ == "KMeans" or getattr(last, "linkage", "") == "ward")):
                test.notes.append("the level is known for k-means and Ward, not for "
                                  f"{test.fit.name}")
        return test

    @property
    def name(self) -> str:
        """Kind of the references."""
        return "given" if self.sets is not None else (
            "function" if callable(self.reference) else str(self.reference))

    def _warn(self, text: str) -> None:
        self.notes.append(text)
        warn(text, UserWarning, stacklevel=5)

    def step(self, number: int, against: int, labels: np.ndarray, ks: list[int],
             clusterings: dict[int, np.ndarray], executor: Any, progress: Any) -> ClusterTestStep:
        """More clusters than `labels` have."""
        own = None
        if self.sets is None and not callable(self.reference):
            own = References.of(self.raw, labels, self.reference, self.units)
            self.first = self.first or own
        sets = ReferenceSets(seed=self.streams.seed(number), x=self.x, labels=labels,
                             references=own, function=self.reference, given=self.sets)
        values = np.full((self.count, len(ks)), np.inf)
        what = f"references of step {number}"
        if isinstance(self.fit, _KMeans):
            def take(start: int, stop: int, found: np.ndarray) -> None:
                values[start:stop] = found

            run_jobs(_OfKMeans(sets=sets, ks=tuple(ks), fit=self.fit), range(self.count), take,
                     ranges=True, executor=executor, progress=progress, what=what)
        else:
            failures: list[Any] = []

            run_jobs(_OfClusterer(sets=sets, ks=tuple(ks), fit=self.fit), range(self.count),
                     values.__setitem__, fail=failures.append, executor=executor,
                     progress=progress, what=what)
            if len(failures) > _FAILED * self.count:
                raise ClusteringError(f"{len(failures)} of {self.count} references could not be "
                                      f"clustered, the first for: {failures[0].reason}")
            if failures:
                self.notes.append(f"references that could not be clustered: {len(failures)}; they "
                                  "count as more separated than the data")
        other = int(np.isnan(values).any(axis=1).sum())
        untested = other > _FAILED * self.count
        if untested:
            one = "one cluster" if against == 1 else f"{against} clusters"
            why = (f"the clusterer does not cut data of {one} into as many as it was asked, in "
                   f"{other} of {self.count} references; it needs a number of clusters")
            self._warn(why)
            if against == 1:   # else what the steps before found holds
                self.invalid = self.invalid or why
        statistic = np.array([weakest(self.x[None], clusterings[k][None], k)[0] for k in ks])
        z, p = _compared(statistic, values)
        if untested or self.invalid:
            p = math.nan
        best = ks[_largest(z)]
        sizes = np.bincount(clusterings[best])
        k = int(sizes.argmin())
        if sizes[k] < _SMALL:
            objects = "1 object" if sizes[k] == 1 else f"{sizes[k]} objects"
            place = position(int(np.flatnonzero(clusterings[best] == k)[0]))
            text = (f"cluster {position(k)} has {objects} (place {place}): the test can hardly "
                    "count it; remove it, or use another clusterer")
            if text not in self.notes:
                self._warn(text)
        return ClusterTestStep(
            against=against, n_clusters=frozen(np.array(ks)), statistic=frozen(statistic),
            references=frozen(values.T.copy()), z=frozen(z),
            p_value=p, pairs=_pairs(self.x, clusterings[best], best))


def _compared(statistic: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, float]:
    """z of each number, and the p-value of the largest standardised separation."""
    known = np.isfinite(values).all(axis=1)
    everything = np.vstack([statistic, values[known]])
    center, spread = everything.mean(axis=0), everything.std(axis=0)
    scores = np.divide(everything - center, spread, out=np.zeros_like(everything),
                       where=spread > 0)
    largest = scores.max(axis=1)
    above = int(np.count_nonzero(largest[1:] >= largest[0] - _SAME)) + int((~known).sum())
    references = values[known]
    sd = references.std(axis=0, ddof=1) if len(references) > 1 else np.full(statistic.shape, np.nan)
    # Only the order matters where the references do not vary: that of the standardised values.
    means = references.mean(axis=0) if len(references) else statistic
    z = np.where(sd > 0, (statistic - means) / np.where(sd > 0, sd, 1.0), scores[0])
    return z, (1 + above) / (1 + values.shape[0])


def _largest(z: np.ndarray) -> int:
    """Place of the largest, the first among equal ones."""
    return int(np.flatnonzero(z >= z.max() - _SAME)[0])


def checked_count(n_references: Any, significance: float) -> int:
    count = check_whole("n_references", n_references)
    if 1 / (1 + count) > significance * (1 + 1e-12):
        needed = math.ceil(1 / significance - 1e-9) - 1
        raise ValueError(f"{count} references give p = {1 / (1 + count):.3g} at least; "
                         f"significance {significance:g} needs n_references >= {needed}")
    return count


def given_sets(reference_sets: Any, x: np.ndarray) -> np.ndarray:
    sets = np.array(reference_sets, dtype=np.float64)
    if sets.ndim != 3 or sets.shape[1:] != x.shape or not sets.shape[0]:
        raise ClusteringError(f"reference_sets has shape {sets.shape}; (B, {x.shape[0]}, "
                              f"{x.shape[1]}) is needed")
    if not np.isfinite(sets).all():
        raise ClusteringError("reference_sets has entries that are not finite")
    return sets


def _p(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.3f}"
