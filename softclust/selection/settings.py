"""Which settings of a clusterer may be best, and is any better than one cluster?

Theory: docs/theory/settings.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Literal

import numpy as np

from .._checks import (
    ClusteringError,
    check_choice,
    check_level,
    check_significance,
    frozen,
    shown,
)
from .._types import RNG, ArrayLike, Classifier, Estimator, Workers
from ..cluster.batched_kmeans import NO_STARTS, fit_block, near_origin
from ..clusterings.object_table import ObjectTable, as_objects, finite_rows
from ..comparison.limits import student
from ..comparison.maxima import drawn_maxima
from ..ensembles.clusterers import NOISE, check_instance, compiled_kmeans
from ..ensembles.resampled_runs import carry, labels_of
from ..results.text import both
from ..running.blas import one_thread
from ..running.interrupts import keep_finished
from ..running.jobs import check_executor, run_jobs
from ..running.random_numbers import Streams
from ..running.threads import Progress
from ..running.warnings import warn
from .compared_pairs import nearest_rows
from .evidence import checked_count, given_sets, weakest
from .half_samples import (
    ABSENT,
    HalvesError,
    agreement,
    blocks_of,
    coded,
    design,
    of_one_cluster,
    stabilities,
)
from .references import (
    SHAPES,
    References,
    ReferenceSets,
    cautions,
    check_features,
    untied,
    with_unit_noise,
)
from .settings_record import SAME, SettingsComparison

#: references whose halves are clustered, too, and halves of these
_HALVED, _HALVES = 19, 4
#: smallest error of a difference
_LEAST = 1e-12
#: where clusterers are looked up by their names
CLASSES = ("sklearn.cluster", "sklearn.mixture", "softclust.cluster")
#: draws for quantiles
_DRAWS = 20_000
#: share of references whose fit may fail; settings above which the set grows
_FAILED, _MANY = 0.05, 30
#: objects of a small cluster
_SMALL = 5
#: starts of KMeans where their number is open
_STARTS = 10
_ONE = "one setting to compare; cluster_stability and cluster_test are for a single clusterer"
_GROUPED = ("there is no p-value: references have no groups, and dependent rows make p too small; "
            "take one row per group")


def compare_settings(X: ArrayLike, estimator: Estimator | str | Callable[..., Any]
                     | Mapping[str, Any],
                     param_grid: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Iterable[Any]]]
                     | None = None, *,
                     n_blocks: int = 20, blocks: ArrayLike | None = None,
                     groups: ArrayLike | None = None, scaled: Sequence[str] = (),
                     noise: Literal["cluster", "singletons"] = "cluster",
                     classifier: Classifier | None = None,
                     evidence: Literal["separation", "stability"] = "separation",
                     reference: Literal["uniform", "gaussian"] | Callable[..., Any] = "uniform",
                     n_references: int = 39, reference_sets: ArrayLike | None = None,
                     level: float = 0.95, significance: float | None = None, same: float = 0.95,
                     critical: ArrayLike | None = None, critical_limits: float | None = None,
                     executor: Workers | None = None, progress: Progress | bool | None = False,
                     rng: RNG = None) -> SettingsComparison:
    r"""Find the settings of a clusterer that may be best, and whether any beats one cluster.

    Parameters
    ----------
    X : array-like or frame, shape (n, d)
        Finite numbers. Clusterers get rows in the kind that is given.
    estimator : clusterer, str, callable or mapping
        A scikit-learn clusterer or Pipeline, the name of a class such as "KMeans", or a function
        ``f(X, **parameters)`` that returns labels, -1 for noise. A mapping of names to clusterers,
        functions of X, or pairs (one of them, its grid) compares algorithms.
    param_grid : dict of lists, or list of dicts, optional
        Values of the parameters, as in scikit-learn's ``GridSearchCV``.
    n_blocks : int
        Number of blocks G of objects: 8, 12, 20, 24, 32, 44, 48, 60, 68, 72, 80 or 84. There are
        2(G - 1) half-samples of G/2 blocks.
    blocks : array-like, shape (n,), optional
        Ready blocks, 0 to G - 1.
    groups : array-like, shape (n,), optional
        Group of each object, if groups are the sample; there are then no p-values.
    scaled : sequence of str
        Parameters that count objects, such as "min_cluster_size": in half-samples they are half as
        large.
    noise : {"cluster", "singletons"}
        Noise is one more cluster, or each noise object its own.
    classifier : scikit-learn classifier, optional
        Carries labels from a half to the other for `generalisability`; by default the fit's
        ``predict``, else the nearest mean.
    evidence : {"separation", "stability"}
        What is compared with data of one cluster for p. "stability" suits clusterers of curved
        clusters; it is valid unless features are strongly skewed and correlated, and settings with
        noise have no p.
    reference : {"uniform", "gaussian"} or callable
        Data of one cluster, as in `cluster_test`.
    n_references : int
        Number of reference sets.
    reference_sets : array-like, shape (B, n, d), optional
        Ready data of one cluster, compared as they are: each setting with itself, without noise.
    level : float in (0, 1)
        Probability that the best setting is in the set, and of all intervals jointly.
    significance : float in (0, 1), optional
        Level of the test against one cluster; 1 - `level` by default.
    same : float in (0, 1)
        Adjusted Rand index from which successive settings give the same clustering.
    critical, critical_limits : optional
        Quantiles to use instead of drawn ones: (S,) for the set, a number for the intervals.
    executor : concurrent.futures.Executor or "joblib", optional
        Where halves and references are clustered.
    progress : bool or callable, optional
        True shows a progress bar over halves, then over references.
    rng : None, int, SeedSequence or Generator, optional
        Halves and references depend on `rng` and their number only, and are the same for all
        settings.

    Returns
    -------
    SettingsComparison
        ``.possibly_best``, ``.best``, ``.answer``, ``.to_frame()``, ``.plot()``.

    Raises
    ------
    ClusteringError
        If X is not a table of finite numbers, there are fewer than two settings, or too many fits
        fail.
    ValueError
        If an option is out of range, or a clusterer has no such parameter.
    KeyboardInterrupt
        At Ctrl-C before all halves are clustered.

    Warns
    -----
    UserWarning
        If rows repeat, clusters are small, or halves have other numbers of clusters than X.
    IncompleteWarning
        If Ctrl-C stopped the references; finished ones count.

    See Also
    --------
    cluster_test, cluster_number, cluster_stability

    Notes
    -----
    .. math:: E_s = S_s - R_s

    S is the mean adjusted Rand index of the clusterings of two half-samples, R the same of data of
    one flat or Gaussian cluster that the setting's grid cuts into as many parts. The error of
    differences of E is an infinitesimal jackknife over blocks of a balanced design (McCarthy 1966),
    so it speaks of other samples of this size. The set of settings that may be best has the largest
    mean excess in it with probability `level` (Hsu 1984); simulated .98 to 1. p compares the
    separation of the least separated pair of clusters (or the stability) of all settings with that
    of references cut into as many clusters by some setting of the grid (Westfall and Young, single
    step); where no setting cuts them in two there is no p. Noise counts in its nearest cluster.

    The best setting is the most reproducible beyond one cluster, not the truth. For K = 2 to 8 and
    the defaults there are 154 fits of each setting, most of them of half the objects. Memory
    S x 2(G - 1) x n labels.

    Theory: docs/theory/settings.md.

    References
    ----------
    A. Ben-Hur, A. Elisseeff, I. Guyon (2002), A stability based method for discovering structure in
    clustered data, Pacific Symposium on Biocomputing 7, 6-17.
    P. J. McCarthy (1966), Replication: an approach to the analysis of data from complex surveys,
    Vital and Health Statistics 2(14).
    J. C. Hsu (1984), Constrained simultaneous confidence intervals for multiple comparisons with
    the best, Annals of Statistics 12, 1136-1144.

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> centres = 8 * np.array([[0, 0], [1, 0], [0, 1]])[np.arange(96) % 3]
    >>> x = np.random.default_rng(0).normal(size=(96, 2)) + centres
    >>> found = softclust.compare_settings(x, KMeans(), {"n_clusters": [2, 3, 4]}, n_blocks=12,
    ...                                    n_references=19, rng=0)
    >>> found.answer.partition(" is ")[0]
    '1 of 3 settings may be best: n_clusters=3; n_clusters=3'
    """
    check_executor(executor)
    table = as_objects(X)
    x = table.numbers
    check_features(x)
    check_level(level)
    if not isinstance(same, float) or not 0.0 < same < 1.0:
        raise ValueError(f"same is {shown(same)}; a number between 0 and 1 is needed")
    significance = 1.0 - level if significance is None else check_significance(significance)
    check_choice("noise", noise, ("cluster", "singletons"))
    check_choice("evidence", evidence, ("separation", "stability"))
    if not callable(reference):
        check_choice("reference", reference, SHAPES)
    sets = None if reference_sets is None else given_sets(reference_sets, x)
    count = checked_count(n_references if sets is None else len(sets), significance)
    if isinstance(estimator, str):
        estimator = clusterer_named(estimator)
    settings = read_settings(estimator, param_grid, scaled)
    streams = Streams(rng, "rng")
    given = blocks_of(len(x), n_blocks, blocks, groups, np.random.default_rng(streams.seed(1)))
    if critical is not None:
        critical = np.asarray(critical, dtype=np.float64)
        if critical.shape != (len(settings),) or not (critical >= 0).all() or (
                not np.isfinite(critical).all()):
            raise ValueError(f"critical is {shown(critical)}; {len(settings)} finite numbers >= 0, "
                             "one for each setting, are needed")
    own = sets is None and not callable(reference)
    raw, units, levels = x, np.zeros(x.shape[1]), np.zeros(x.shape[1], np.bool_)
    if own:
        raw, units, levels = untied(x, streams.seed(0, 1))
    kind = "given" if sets is not None else "function" if callable(reference) else reference
    notes, invalid = [], False
    for text, wrong in cautions(x, units, levels, kind, len(x)):
        notes.append(text)
        invalid = invalid or (wrong and own)
        if wrong:
            warn(text, UserWarning, stacklevel=2)
    noisy = with_unit_noise(raw, units, streams.seed(0))
    halves = design(n_blocks)
    task = _DataTask(settings=tuple(settings), x=table.like(noisy), rows=halves[:, given],
                     classifier=classifier, streams=streams)
    clusterings = _halves(task, executor, progress, notes)
    settings = [settings[s] for s in clusterings.kept]
    if critical is not None:
        critical = critical[clusterings.kept]
    zeros = np.zeros(len(x), np.int64)
    drawn = ReferenceSets(
        seed=streams.seed(3), x=noisy, labels=zeros, function=reference, given=sets,
        references=References.of(raw, zeros, str(reference), units) if own else None)
    halved = count if evidence == "stability" else min(count, _HALVED)
    refs = _references(_ReferenceTask(
        settings=tuple(settings), table=table, rows=task.rows[:_HALVES], streams=streams,
        sets=drawn, halved=halved, noise=noise), count, executor, progress, notes)
    return _compared(settings, clusterings, refs, halves, given, notes, x=noisy, names=table.names,
                     noise=noise, grouped=groups is not None, invalid=invalid, evidence=evidence,
                     kind=kind, level=level, significance=significance, same=same,
                     critical=critical, critical_limits=critical_limits)


# -- settings -----------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class ClustererSetting:
    """One clusterer with its parameters.

    Attributes
    ----------
    name : str
    parameters : mapping
    clusterer : clusterer with the parameters set, or function
    family : int
        Position of the first setting of its family.
    scaled : mapping
        Parameters that count objects.
    """

    name: str
    parameters: Mapping[str, Any]
    clusterer: Any
    family: int
    scaled: Mapping[str, float]

    def fit(self, rows: Any, n: int, seed: int) -> tuple[np.ndarray, Any]:
        """Labels of some of n objects, noise -1, and the fit or None."""
        change = {name: max(2, math.floor(value * len(rows) / n + 0.5))
                  for name, value in self.scaled.items()} if len(rows) < n else {}
        clusterer = self.clusterer
        if not hasattr(clusterer, "fit"):
            return labels_of(partial(clusterer, **{**self.parameters, **change}), rows, seed)
        if change:
            from sklearn.base import clone
            clusterer = clone(clusterer).set_params(**change)
        if not compiled_kmeans(clusterer, ("k-means++",)):
            return labels_of(clusterer, rows, seed)
        k, starts = clusterer.n_clusters, clusterer.n_init
        moved, _ = near_origin(np.ascontiguousarray(finite_rows(rows))[None])
        uniforms = np.random.default_rng(seed).random(
            (1, _STARTS if starts == "auto" else starts, k))
        fitted = fit_block(moved, np.ones((1, len(rows))), 1, uniforms=uniforms, init=NO_STARTS,
                           max_iter=clusterer.max_iter)
        assert fitted.labels is not None
        return fitted.labels[0].astype(np.int64), None


def read_settings(estimator: Any, param_grid: Any, scaled: Sequence[str]) -> list[ClustererSetting]:
    """All settings of clusterers and grids, in order."""
    named = isinstance(estimator, Mapping)
    if named and param_grid is not None:
        raise ValueError("param_grid goes with one clusterer; in a mapping give pairs (clusterer, "
                         "grid)")
    entries = estimator.items() if named else [("", (estimator, param_grid))]
    settings: list[ClustererSetting] = []
    scaled = (scaled,) if isinstance(scaled, str) else tuple(scaled)
    unknown = set(scaled)
    from sklearn.base import clone
    for prefix, entry in entries:
        clusterer, grid = entry if isinstance(entry, tuple) else (entry, None)
        if not callable(clusterer) or isinstance(clusterer, type):
            check_instance(clusterer, also=", a function, or a pair of one of them and its grid")
        for each in [grid or {}] if grid is None or isinstance(grid, Mapping) else grid:
            values = {name: list(v) for name, v in each.items()}
            key = next((name for name, v in values.items() if len(v) > 1 and all(
                isinstance(one, (int, float, np.number)) and not isinstance(one, bool)
                for one in v)), None)
            varied = [name for name, v in values.items() if len(v) > 1]
            shown_names = varied or (list(values) if not named else [])
            families: dict[str, int] = {}
            for chosen in product(*values.values()):
                parameters = dict(zip(values, chosen))
                ready, known = clusterer, parameters
                if hasattr(clusterer, "fit"):
                    ready = clone(clusterer).set_params(**parameters)
                    known = ready.get_params(deep=True)
                counts = {name: known[name] for name in scaled if name in known}
                unknown -= set(counts)
                parts = [prefix] if prefix else []
                parts += [f"{name}={_short(parameters[name])}" for name in shown_names]
                rest = repr({n: v for n, v in parameters.items() if n != key})
                here = len(settings)
                family = here if key is None else families.setdefault(rest, here)
                settings.append(ClustererSetting(
                    name=", ".join(parts) or type(clusterer).__name__, parameters=parameters,
                    clusterer=ready, family=family, scaled=counts))
    if unknown:
        raise ValueError(f"scaled names {', '.join(map(repr, sorted(unknown)))}, which is no "
                         "parameter")
    if len(settings) < 2:
        raise ClusteringError(_ONE if settings else "no setting is given")
    names = [setting.name for setting in settings]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ClusteringError(f"two settings are called {twice!r}; give them names by a mapping")
    return settings


def clusterer_named(name: str) -> Any:
    """A clusterer by the name of its class, with its defaults."""
    from importlib import import_module
    for module in CLASSES:
        found = getattr(import_module(module), name, None)
        if isinstance(found, type) and callable(getattr(found, "fit", None)):
            return found()
    raise ValueError(f"{name!r} is not the name of a clusterer of {', '.join(CLASSES)}, such as "
                     "'KMeans'")


def _short(value: Any) -> str:
    return f"{value:g}" if isinstance(value, (float, np.floating)) else str(value)


# -- fits ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _SettingsTask:
    """All settings, and the halves that they are fitted to."""

    settings: tuple[ClustererSetting, ...]
    rows: np.ndarray
    streams: Streams

    def seed(self, *key: int) -> int:
        """Seed for some purpose."""
        root = self.streams.root
        return int(np.random.default_rng(np.random.SeedSequence(
            root.entropy, pool_size=root.pool_size, spawn_key=(*root.spawn_key, *key))
            ).integers(2**31))


@dataclass(frozen=True, slots=True, kw_only=True)
class _DataTask(_SettingsTask):
    """Each setting on X (number 0) or a half (1 + half): labels, and those carried to the other
    half; or why it failed."""

    x: Any
    classifier: Any

    def __call__(self, b: int) -> list[Any]:
        n = len(self.x)
        held = np.ones(n, np.bool_) if b == 0 else self.rows[b - 1]
        rows, other = self.x[held], self.x[~held]
        results: list[Any] = []
        with one_thread():
            for setting in self.settings:
                try:
                    labels, fit = setting.fit(rows, n, self.seed(2, b))
                    carried = None
                    if len(other) and (labels >= 0).any():
                        carried = carry(fit, rows, labels, other, self.classifier)
                except Exception as error:
                    where = "X" if b == 0 else f"half {b - 1}"
                    results.append(f"{where}: {type(error).__name__}: {error}")
                else:
                    results.append((labels, carried))
        return results


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReferenceTask(_SettingsTask):
    """Each setting on a reference: separation and number of clusters, stability and number of
    clusters in halves; nan where a fit failed."""

    table: ObjectTable
    sets: ReferenceSets
    halved: int
    noise: str

    def __call__(self, b: int) -> list[tuple[float, float, float, float]]:
        points = self.sets.make(b)
        given = self.table.like(points)
        held = self.rows if b < self.halved else self.rows[:0]
        results = []
        with one_thread():
            for setting in self.settings:
                seed = self.seed(3, b, 1)
                try:
                    whole = setting.fit(given, len(points), seed)[0]
                    labels = np.full((len(held), len(points)), ABSENT)
                    for h, each in enumerate(held):
                        labels[h, each] = setting.fit(given[each], len(points), seed)[0]
                except Exception:
                    results.append((math.nan,) * 4)
                    continue
                results.append((separation_of(points, whole, self.sets.given is None),
                                clusters_of(whole[None])[0], *(
                    (stabilities(labels, self.noise).mean(), clusters_of(labels).mean())
                    if len(held) else (math.nan, math.nan))))
        return results


def clusters_of(labels: np.ndarray) -> np.ndarray:
    """Number of clusters of each row; noise is none."""
    return np.array([np.unique(row[row >= 0]).size for row in labels])


def separation_of(points: np.ndarray, labels: np.ndarray, filled: bool) -> float:
    """Separation of the least separated pair of clusters; 0 for fewer than two.

    If `filled`, noise counts in the nearest cluster: without it there is a gap.
    """
    kept = labels != NOISE
    values, codes = np.unique(labels[kept], return_inverse=True)
    if values.size < 2:
        return 0.0
    if not filled:
        points = points[kept]
    elif not kept.all():
        means = np.array([points[kept][codes == g].mean(axis=0) for g in range(values.size)])
        known, codes = codes, np.empty(len(points), np.int64)
        codes[kept], codes[~kept] = known, nearest_rows(points[~kept], means)[0][:, 0]
    return float(weakest(points[None], codes.reshape(1, -1), values.size)[0])


def of_as_many(family: np.ndarray, clusters: np.ndarray, of_references: np.ndarray,
               separation: np.ndarray) -> np.ndarray:
    """Separation of references cut into as many clusters as the data, (B, S).

    Each reference (B, S) takes the setting of the family whose number of clusters, two at least, is
    nearest to that of the data (S,), the most separated of equally near ones; nan if all find one,
    or its own fit failed.
    """
    found = separation.copy()
    for s in np.flatnonzero(clusters > 1):
        own = family == family[s]
        numbers = of_references[:, own]
        apart = np.where(numbers > 1, np.abs(numbers - clusters[s]), np.inf)
        near = np.isfinite(apart) & (apart == apart.min(axis=1, keepdims=True))
        largest = np.where(near, separation[:, own], -np.inf).max(axis=1)
        found[:, s] = np.where(near.any(axis=1) & ~np.isnan(separation[:, s]), largest, math.nan)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Clusterings:
    """Labels of the settings that could be fitted: of X (S, n), of halves (S, H, n), and carried.
    """

    kept: list[int]
    labels: np.ndarray
    halves: np.ndarray
    generalisability: np.ndarray


def _halves(task: _DataTask, executor: Any, progress: Any, notes: list[str]) -> _Clusterings:
    """Cluster X and its halves in all settings."""
    count, n = len(task.rows), len(task.x)
    done: dict[int, Any] = {}
    failures: list[Any] = []
    run_jobs(task, range(1 + count), done.__setitem__, fail=failures.append, executor=executor,
             progress=progress, what=f"halves, {len(task.settings)} settings")
    if failures:
        raise ClusteringError(failures[0].reason)
    kept = []
    for s, setting in enumerate(task.settings):
        reason = next((done[b][s] for b in range(1 + count) if isinstance(done[b][s], str)), None)
        if reason is None:
            kept.append(s)
        else:
            notes.append(f"{setting.name} is left out, since it failed on {reason}")
    if len(kept) < 2:
        raise ClusteringError(f"{len(kept)} of {len(task.settings)} settings could be fitted; at "
                              f"least 2 are needed: {notes[-1]}")
    halves = np.full((len(kept), count, n), ABSENT, np.int32)
    carried = np.full((len(kept), count, n), ABSENT, np.int32)
    for h, held in enumerate(task.rows):
        for i, s in enumerate(kept):
            labels, other = done[h + 1][s]
            halves[i, h, held] = labels
            if other is not None:
                carried[i, h, ~held] = other
    # mean agreement of each half's own labels with those carried from its complement
    generalisability = np.full(len(kept), math.nan)
    for i in range(len(kept)):
        values = []
        for h in range(count):
            own, other = halves[i, h], carried[i, h ^ 1]
            both = (own >= 0) & (other >= 0)
            if np.count_nonzero(both) > 1:
                values.append(agreement(own[both].astype(np.int64), other[both].astype(np.int64)))
        if values:
            generalisability[i] = np.mean(values)
    return _Clusterings(kept=kept, labels=np.array([done[0][s][0] for s in kept]), halves=halves,
                        generalisability=generalisability)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reference:
    """Results of the references: separation and numbers of clusters found (B, S); stability and
    numbers of clusters in halves (B', S)."""

    separation: np.ndarray
    found: np.ndarray
    stability: np.ndarray
    clusters: np.ndarray
    missing: str
    enough: bool


def _references(task: _ReferenceTask, count: int, executor: Any, progress: Any, notes: list[str]
                ) -> _Reference:
    done: dict[int, Any] = {}
    failures: list[Any] = []
    with keep_finished("references", count, lambda: len(done), "call it again for all of them"
                       ) as stop:
        run_jobs(task, range(count), done.__setitem__, fail=failures.append, executor=executor,
                 progress=progress, what=f"references, {len(task.settings)} settings")
    if failures:
        raise ClusteringError(failures[0].reason)
    stop.warn()
    values = np.array([done[b] for b in sorted(done)]).transpose(2, 0, 1)
    failed = np.isnan(values[0])
    for s in np.flatnonzero(failed.any(axis=0)).tolist():
        number = int(failed[:, s].sum())
        if number > _FAILED * len(failed):
            raise ClusteringError(f"{number} of {len(failed)} references could not be clustered "
                                  f"with {task.settings[s].name}")
        notes.append(f"references that could not be clustered with {task.settings[s].name}: "
                     f"{number}; they count as more separated than the data")
    return _Reference(separation=values[0], found=values[1], stability=values[2, :task.halved],
                      clusters=values[3, :task.halved], missing=stop.text,
                      enough=len(done) == count or not stop)


# -- comparison ---------------------------------------------------------------------------------
def p_of_largest(data: np.ndarray, references: np.ndarray) -> tuple[float | None, np.ndarray]:
    """p-value of the largest centred statistic of all settings, and of each, jointly.

    A setting that is nan in the data is not tested.
    """
    tested, each = ~np.isnan(data), np.full(data.size, math.nan)
    if not tested.any():
        return None, each
    data, references = data[tested], references[:, tested]
    failed = np.isnan(references)
    everything = np.vstack([data, references])
    centre = np.nanmean(everything, axis=0)
    largest = np.where(failed.any(axis=1), np.inf, (references - centre).max(axis=1))
    own = data - centre
    above = (largest[:, None] >= np.append(own, own.max()) - SAME).sum(axis=0)
    p = (1 + above) / (1 + len(references))
    each[tested] = p[:-1]
    return float(p[-1]), each


def _plateaus(agreements: np.ndarray, same: float) -> tuple[tuple[int, ...], ...]:
    """Successive settings that agree with all before them in their plateau."""
    found: list[list[int]] = []
    for s in range(len(agreements)):
        if found and (agreements[s, found[-1]] >= same - SAME).all():
            found[-1].append(s)
        else:
            found.append([s])
    return tuple(map(tuple, found))


def _compared(settings: list[ClustererSetting], of_data: _Clusterings, refs: _Reference,
              halves: np.ndarray, blocks: np.ndarray, notes: list[str], *, x: np.ndarray,
              names: Any, noise: str, grouped: bool, invalid: bool, evidence: str, kind: str,
              level: float, significance: float, same: float, critical: Any,
              critical_limits: float | None
              ) -> SettingsComparison:
    """The record of the finished fits."""
    count, q = len(settings), len(halves) // 2
    # by the position of their first setting, after some were left out
    families = [setting.family for setting in settings]
    family = np.array([families.index(each) for each in families])
    means = np.array([stabilities(labels, noise) for labels in of_data.halves])
    found = np.array([clusters_of(labels) for labels in of_data.halves])
    known = ~np.isnan(refs.clusters)
    at = np.where(known, refs.clusters, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    one = of_one_cluster(family, found.mean(axis=1), at, refs.stability)
    stability, one_cluster = means.mean(axis=1), np.nanmean(one, axis=0)
    excess = stability - one_cluster
    errors = HalvesError.of(halves, means, one)
    covariance = errors.influence @ errors.influence.T / (halves.shape[1] * q)
    largest, single = drawn_maxima(covariance, np.sqrt(errors.raw), excess, q, _DRAWS, least=_LEAST)
    if critical is None:
        critical = (np.maximum(np.quantile(largest, level, axis=1), 0.0) if count > 2 else
                    np.full(2, max(student(2.0 * level - 1.0, q), 0.0) if level > 0.5 else 0.0))
    if critical_limits is None:
        critical_limits = float(np.quantile(single, level))
    gaps = excess[:, None] - excess[None, :]
    possible = ((gaps + critical[:, None] * errors.difference > 0.0) | (np.abs(gaps) <= SAME)
                ).all(axis=1)
    top = int(np.flatnonzero(excess >= excess.max() - SAME)[0])
    possible[top] = True
    codes = [coded(labels, noise) for labels in of_data.labels]
    agreements = np.array([[agreement(a, b, 1.0) for b in codes] for a in codes])
    # Ready references are compared as they are, setting by setting and without noise; drawn ones
    # are matched, since a distance that suits the data leaves data of another density whole.
    drawn, n_clusters = kind != "given", clusters_of(of_data.labels)
    separation = np.array([separation_of(x, labels, drawn) for labels in of_data.labels])
    separations = (of_as_many(family, n_clusters, refs.found, refs.separation) if drawn else
                   refs.separation)
    called = tuple(setting.name for setting in settings)
    tested = np.isnan(separations).mean(axis=0) <= _FAILED
    noisy = (of_data.labels == NOISE).any(axis=1) & drawn
    p: list[tuple[float | None, np.ndarray]] = [
        p_of_largest(np.where(tested, separation, math.nan), separations),
        p_of_largest(np.where(tested & ~noisy, stability, math.nan),
                     one if drawn else refs.stability)]
    if not tested.all():
        notes.append(f"{both(called[s] for s in np.flatnonzero(~tested))}: no p-value, since data "
                     "of one cluster are not cut into two or more; a finer grid may do that, and "
                     "separation_test takes labels")
    too_few = not refs.enough and 1 / (1 + len(refs.separation)) > significance + SAME
    if grouped or too_few or invalid:   # a note says already what makes p too small
        p = [(None, np.full(count, math.nan))] * 2
    if grouped or too_few:
        notes.append(_GROUPED if grouped else "too few references are finished for a p-value")
    deciding, of_settings = p[0] if evidence == "separation" else p[1]
    small = deciding is not None and deciding <= significance + SAME
    best = top if small and not math.isnan(of_settings[top]) and n_clusters[top] > 1 else None
    apart = [i for i in np.argsort(-excess, kind="stable").tolist()
             if possible[i] and of_settings[i] <= significance + SAME] if small else []
    _remarks(notes, called, of_data.labels, n_clusters, found, best, settings)
    if evidence == "stability":
        notes.append("p is valid unless features are strongly skewed and correlated")
        if noisy.any():
            notes.append("settings with noise have no p-value by the stability: the dense middle "
                         "of one cluster is stable, too")
    if small and possible.all():
        notes.append("the data do not tell these settings apart")
    return SettingsComparison(
        names=called, object_names=names,
        parameters=tuple(setting.parameters for setting in settings),
        family=frozen(family), labels=frozen(of_data.labels), n_clusters=frozen(n_clusters),
        n_noise=frozen((of_data.labels == NOISE).sum(axis=1)), found=frozen(found),
        stability=frozen(stability), one_cluster=frozen(one_cluster), excess=frozen(excess),
        standard_error=errors.single, low=frozen(excess - critical_limits * errors.single),
        high=frozen(excess + critical_limits * errors.single), difference_se=errors.difference,
        influence=errors.influence, generalisability=frozen(of_data.generalisability),
        separation=frozen(separation), references=frozen(refs.stability),
        reference_separation=frozen(separations), clusters_of_references=frozen(at),
        p_value=p[0][0], p_values=frozen(p[0][1]), p_value_stability=p[1][0],
        p_values_stability=frozen(p[1][1]), evidence=evidence, critical=frozen(critical),
        critical_limits=float(critical_limits),
        possibly_best=tuple(np.flatnonzero(possible).tolist()), largest=top, best=best,
        separated=apart[0] if apart else None, agreement=frozen(agreements),
        plateaus=_plateaus(agreements, same), blocks=frozen(blocks), noise=noise, reference=kind,
        level=float(level), significance=float(significance), same=float(same),
        half_labels=frozen(of_data.halves), notes=tuple(notes), missing=refs.missing)


def _remarks(notes: list[str], names: Sequence[str], labels: np.ndarray, n_clusters: np.ndarray,
             found: np.ndarray, best: int | None, settings: list[ClustererSetting]) -> None:
    """Note, and warn of, what limits the comparison."""
    def tell(text: str) -> None:
        notes.append(text)
        warn(text, UserWarning, stacklevel=4)

    middle = np.median(found, axis=1)
    for i in np.flatnonzero(np.abs(middle - n_clusters) > n_clusters / 4).tolist():
        known = settings[i].clusterer
        have = known.get_params() if hasattr(known, "get_params") else settings[i].parameters
        count = next((name for name in ("min_cluster_size", "min_samples", "n_neighbors")
                      if isinstance(have.get(name), int) and name not in settings[i].scaled), None)
        way = f": set scaled=({count!r},)" if count else ""
        tell(f"{names[i]} found {n_clusters[i]} clusters in X, {middle[i]:g} in halves{way}")
    single = [name for name, k in zip(names, n_clusters) if k < 2]
    if single:
        tell(f"{len(single)} of {len(names)} settings found one cluster in X: "
             f"{', '.join(single)}")
    if best is not None:
        sizes = np.unique(labels[best][labels[best] >= 0], return_counts=True)[1]
        if sizes.min() < _SMALL:
            tell(f"a cluster of {names[best]} has {sizes.min()} "
                 f"object{'' if sizes.min() == 1 else 's'}: the test can hardly count it")
    if len(names) > _MANY:
        notes.append("the set grows with the number of settings")
