"""Are the clusters of one cohort found again in another? Between a ceiling and a floor.

Theory: docs/theory/cohorts.md.
"""

from __future__ import annotations

import math
import numbers
import zlib
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Annotated, Any, Literal

import numpy as np

from .._checks import (
    ClusteringError,
    check_choice,
    check_level,
    check_significance,
    frozen,
    named_keywords,
    shown,
)
from .._types import RNG, ArrayLike, Classifier, Estimator, FrameLike, Workers
from ..cluster.checks import check_scale
from ..clusterings.object_table import (
    ObjectTable,
    are_numeric,
    as_objects,
    finite_rows,
)
from ..clusterings.objects import matched, names_in
from ..comparison.explain import cluster_changes
from ..comparison.several import pair_measure
from ..ensembles.clusterers import NOISE, check_clusterer, counted
from ..ensembles.resampled_runs import carry, labels_of
from ..measures import Measure
from ..results.frames import column_names
from ..results.records import POSITION, Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable
from ..results.text import in_words, position
from ..running.blas import one_thread
from ..running.interrupts import Interruption
from ..running.jobs import check_executor, run_jobs
from ..running.random_numbers import Streams
from ..running.threads import Progress
from ..running.warnings import quiet
from .evidence import ClusterTest, cluster_test
from .references import SHAPES, References, check_features, copies, units_of, untied

#: distances of objects that are held at once
_HELD = 1 << 24
#: replicates of each of the three kinds have streams of their own
_BOOTSTRAP, _HALVES, _FLOOR, _EVIDENCE = 0, 1, 2, 3
#: values that differ by less are equal
_SAME = 1e-12

#: share of the rows of a cohort that may be in another
SHARED = 0.05

Verdict = Literal["as well", "less well", "found", "elsewhere", "no clusters", "not tested"]


#: columns of the frame of a replication
ROWS = ("from", "to", "cluster", "size", "carried_size", "share", "carried_share", "jaccard",
        "pairs_kept", "in_group", "event")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Replication(Drawn, Tidied, Record):
    """Clusters of cohorts found again in others; made by `replicate`.

    Attributes
    ----------
    names : tuple of str
        The c cohorts.
    measure : str
    agreement : (c, c) float64
        Row s, column t: the measure of the labels that the clusters of s give to the objects of t,
        and of those found in t. The diagonal is the ceiling.
    se, low, high : (c, c) float64
        Standard error by the bootstrap of both cohorts, with refits, and the confidence interval;
        nan if there were no refits, and on the diagonal.
    ceiling : (c,) float64
        Mean agreement between random halves of a cohort; nan without an estimator.
    floor : (c, c) float64
        Mean agreement of reference cohorts that have one cluster; nan without references.
    p_value : (c, c) float64
        Share of the reference cohorts that agree at least as much.
    evidence : tuple of ClusterTest or None
        Each cohort's clusters against one cluster.
    clusters : tuple of dict
        Rows of ``to_frame()``.
    carried : dict
        Labels of the objects of t by the clusters of s, by (s, t).
    own : dict
        Labels found in each cohort.
    level : float
        Confidence level of the intervals.
    significance : float
        Largest p-value that is evidence.
    notes : tuple of str
    missing : str
        Empty, or how far an interrupted run came.
    invalid : dict
        Why no verdict holds for a pair of cohorts, by (s, t): rows of one are in the other, or no
        p-value holds for one (see `cluster_test`); p is nan then.

    Notes
    -----
    ``to_frame()``: one row per cluster of a sender and receiver. Columns from, to, cluster, size,
    carried_size, share, carried_share, jaccard, pairs_kept, in_group, event.

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> rng = np.random.default_rng(0)
    >>> centres = np.repeat([[0, 0], [6, 0], [0, 6]], 30, axis=0)
    >>> a, b = (rng.normal(size=(90, 2)) + centres for _ in "ab")
    >>> found = softclust.replicate([a, b], KMeans(3, n_init=5), n_resamples=20, n_splits=3,
    ...                             n_references=19, rng=0)
    >>> bool(found.agreement[0, 1] > 0.9), found.to_frame()["event"].tolist()
    (True, ['kept', 'kept', 'kept', 'kept', 'kept', 'kept'])
    """

    _chart = "plot_replication"
    _tidy = "term=to estimate=jaccard"
    _glance = ("measure", "level", "significance")

    names: Annotated[tuple[str, ...], "distinct"]
    measure: Annotated[str, "measure"]
    agreement: Annotated[np.ndarray, "f names names"]
    se: Annotated[np.ndarray, "f names names"]
    low: Annotated[np.ndarray, "f names names"]
    high: Annotated[np.ndarray, "f names names"]
    ceiling: Annotated[np.ndarray, "f names"]
    floor: Annotated[np.ndarray, "f names names"]
    p_value: Annotated[np.ndarray, "f names names"]
    evidence: Annotated[tuple[ClusterTest, ...] | None, "names"]
    clusters: tuple[Annotated[Mapping[str, Any], "keys ROWS"], ...] = field(
        metadata={"position": "cluster"})
    carried: Mapping[tuple[str, str], np.ndarray] = field(metadata=POSITION)
    own: Mapping[str, np.ndarray] = field(metadata=POSITION)
    level: Annotated[float, "0..1"]
    significance: Annotated[float, "0..1"]
    notes: tuple[str, ...] = ()
    missing: str = ""
    invalid: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def verdict(self, source: str, target: str) -> Verdict:
        """The answer for a pair of cohorts in two words; `sentence` has the numbers.

        "as well" and "less well" compare with halves of a cohort ("found": there were no halves),
        "elsewhere": both cohorts have clusters, but not the same ones. "no clusters": a cohort does
        not refute one cluster by itself. "not tested": there are no references, or `invalid` says
        why no test holds.
        """
        s, t = self.names.index(source), self.names.index(target)
        if self.evidence is None or (source, target) in self.invalid:
            return "not tested"
        if self._without_clusters(s, t):
            return "no clusters"
        top = self.agreement[s, t] if math.isnan(self.high[s, t]) else self.high[s, t]
        if top >= self.ceiling[t] - _SAME:
            return "as well"
        if self.p_value[s, t] > self.significance + _SAME or math.isnan(self.p_value[s, t]):
            return "elsewhere"
        return "found" if math.isnan(self.ceiling[t]) else "less well"

    def replicated(self, source: str, target: str) -> bool | None:
        """Test whether clusters are found again; None if that was not tested.

        Both cohorts refute one cluster, and either they agree more than references do, or the upper
        limit of their agreement reaches the ceiling.
        """
        verdict = self.verdict(source, target)
        return None if verdict == "not tested" else verdict in ("as well", "less well", "found")

    def _without_clusters(self, *cohorts: int) -> list[str]:
        """Cohorts that do not refute one cluster, and the number that was asked."""
        assert self.evidence is not None
        return [f"{self.names[k]} ({self.evidence[k].tried[0]} asked)" for k in cohorts
                if self.evidence[k].p_value[0] > self.significance + _SAME]

    def sentence(self, source: str, target: str) -> str:
        """The answer for a pair of cohorts."""
        s, t = self.names.index(source), self.names.index(target)
        rows = [row for row in self.clusters if (row["from"], row["to"]) == (source, target)]
        value = f"{self.agreement[s, t]:.2f}"
        if not math.isnan(self.low[s, t]):
            value += f" ({self.low[s, t]:.2f} to {self.high[s, t]:.2f})"
        text = f"{in_words(self.measure)} {value}"
        if not math.isnan(self.ceiling[t]):
            text += f"; halves of {target} reach {self.ceiling[t]:.2f}"
        if not math.isnan(self.floor[s, t]):
            text += f"; data with one cluster {self.floor[s, t]:.2f}"
        if not math.isnan(self.p_value[s, t]):
            text += f" (p = {self.p_value[s, t]:.2f})"
        found = f"{len(rows)} clusters of {source} are found again in {target}"
        verdict = self.verdict(source, target)
        if verdict == "not tested":
            why = self.missing or self.invalid.get((source, target), "")
            rest = (f"Not tested: {why}." if why else
                    "Data with a single cluster may reach this, too.")
            return f"{len(rows)} clusters of {source} in {target}: {text}. {rest}"
        start = {
            "found": found, "as well": f"{found}, as well as in halves of it",
            "less well": f"{found}, but less well than in halves of it",
            "elsewhere": f"Both cohorts have clusters, but those of {source} are not found again "
                         f"in {target}",
            "no clusters": "No evidence of more than one cluster in "
                           f"{' and '.join(self._without_clusters(s, t))}, so there is nothing to "
                           "find again"}[verdict]
        events = [f"Cluster {position(row['cluster'])} of {source} is {row['event']} in {target}"
                  for row in rows if row["event"] != "kept"]
        more = f" {'. '.join(events)}." if events else ""
        return f"{start}: {text}.{more}"

    def __repr__(self) -> str:
        return f"Replication({self.measure}, cohorts {', '.join(self.names)})"

    def _frame(self) -> Columns:
        return Columns({name: [row[name] for row in self.clusters] for name in ROWS})

    def _table(self) -> SummaryTable:
        rows: list[list[str]] = []
        pairs = [(s, t) for s in range(len(self.names)) for t in range(len(self.names)) if s != t]
        for s, t in pairs:
            interval = ("" if math.isnan(self.low[s, t]) else
                        f"{self.low[s, t]:.2f} to {self.high[s, t]:.2f}")
            rows.append([self.names[s], self.names[t], f"{self.agreement[s, t]:.3f}", interval,
                         *("" if math.isnan(v) else f"{v:.3f}" for v in (
                             self.ceiling[t], self.floor[s, t], self.p_value[s, t]))])
        notes = [self.sentence(self.names[s], self.names[t]) for s, t in pairs[:6]]
        if self.evidence is not None:
            notes.append("More than one cluster: " + ", ".join(
                f"{name} " + ("not tested" if test.invalid else f"p = {test.p_value[0]:.3g}")
                for name, test in zip(self.names, self.evidence)) + ".")
        return SummaryTable(
            rows, ["from", "to", "agreement", f"{100 * self.level:g} % CI", "ceiling", "floor",
                   "p-value"], aligns="llrlrrr",
            title=f"Replication of clusters by {self.measure}",
            notes=[*notes, *(f"Note: {note}." for note in self.notes)])


@named_keywords
def replicate(cohorts: Mapping[str, ArrayLike | FrameLike | tuple[ArrayLike, ArrayLike]]
              | Sequence[ArrayLike | FrameLike | tuple[ArrayLike, ArrayLike]],
              estimator: Estimator | Callable[..., Any] | None = None, *,
              measure: str = "adjusted_rand_index", classifier: Classifier | None = None,
              n_resamples: int = 200, n_splits: int = 20,
              reference: Literal["uniform", "gaussian"] | None = "uniform",
              n_references: int = 99, level: float = 0.95, significance: float = 0.05,
              executor: Workers | None = None,
              progress: Progress | bool | None = False, rng: RNG = None) -> Replication:
    r"""Test whether the clusters of a cohort are found again in other data.

    Parameters
    ----------
    cohorts : mapping or sequence of tables
        Name -> table (n, d), or -> (table, labels) where the clusters are known; a sequence names
        them "A", "B", .... Frames have the same columns, in any order.
    estimator : clusterer or callable, optional
        Any scikit-learn clusterer or pipeline, or a function of a table that returns labels. A
        scaler inside a pipeline is fitted to each cohort by itself. Needed unless all labels are
        given. -1 is noise: no cluster of a sender, and left out of a receiver.
    measure : str
        A measure of two hard clusterings; x is what was found in the receiver, y what was carried
        to it.
    classifier : scikit-learn classifier, optional
        Carries labels: cloned and fitted to a sender and its labels. By default the fit's
        ``predict``, else the nearest mean of a cluster.
    n_resamples : int
        Bootstrap resamples of all cohorts, with refits, for the standard error.
    n_splits : int
        Random halves of each cohort for the ceiling.
    reference : {"uniform", "gaussian"} or None
        Shape of one cluster, as in `cluster_test`, for the floor; None leaves out floor and
        evidence.
    n_references : int
        Reference cohorts.
    level : float in (0, 1)
        Confidence level of the intervals.
    significance : float in (0, 1/2]
        Largest p-value that is evidence, of cohorts against references and of clusters.
    executor : concurrent.futures.Executor or "joblib", optional
    progress : bool or callable, optional
    rng : None, int, SeedSequence or Generator, optional

    Returns
    -------
    Replication
        ``.agreement``, ``.ceiling``, ``.floor``, ``.p_value``, ``.evidence``, ``.verdict(s, t)``,
        ``.sentence(s, t)``, ``.to_frame()``, ``.plot()``.

    Raises
    ------
    ClusteringError
        If there is a single cohort, the features or labels do not fit, or a clusterer fails.
    ValueError
        If an option is out of range.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped it: ``.missing`` says how far it came, finished replicates count, and
        nothing is called found again.

    See Also
    --------
    cluster_test, prediction_strength, thin

    Notes
    -----
    .. math:: R(s, t) = \mathrm{measure}(\text{own labels of } t, \text{labels carried from } s)

    Read three lines together. *Ceiling*: the same between random halves of one cohort (a little
    too low, since halves are smaller). *Floor*: the same of reference cohorts that have one cluster
    with the moments of each; k-means cuts one long cloud across its long axis in every cohort, so
    that R can be .8 without any cluster. p = (1 + number of reference cohorts that agree at least
    as much)/(1 + their number). It is not valid for strongly skewed features. "Found again" needs
    evidence of clusters in each cohort by itself (`cluster_test` of its number of clusters), and
    either p <= significance or an upper limit of R that reaches the ceiling: ``verdict(s, t)``.

    The interval is R -+ z se, for the agreement that cohorts of these sizes reach on average. Own
    labels are found from the data, so intervals for fixed labels would be far too narrow. Time: a
    fit per cohort and resample, half and reference.

    Theory: docs/theory/cohorts.md.

    References
    ----------
    J. N. Breckenridge (1989), Replicating cluster analysis: method, consistency, and validity,
    Multivariate Behavioral Research 24, 147-161.
    A. V. Kapp, R. Tibshirani (2007), Are clusters found in one dataset present in another dataset?,
    Biostatistics 8, 9-31.
    T. Ullmann, C. Hennig, A.-L. Boulesteix (2022), Validation of cluster analysis results on
    validation data: a systematic framework, WIREs Data Mining and Knowledge Discovery 12, e1444.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> halves = {"first": x[::2], "second": x[1::2]}
    >>> found = softclust.replicate(halves, KMeans(3, n_init=5), n_resamples=10, n_splits=2,
    ...                             n_references=19, rng=0)
    >>> found.names
    ('first', 'second')
    """
    check_executor(executor)
    if estimator is not None:
        check_clusterer(estimator, "X")
    names, tables, given, notes = _read(cohorts, estimator, reference is not None)
    c = len(names)
    m = pair_measure(measure)
    if not m.takes("hard", "hard"):
        raise ClusteringError(f"{m.name} does not take two hard clusterings")
    if m.sense != "agreement":
        raise ValueError(f"{m.name} is not an agreement (larger is more alike), which ceiling and "
                         "floor need; the default is one")
    if reference is not None:
        check_choice("reference", reference, SHAPES)
    level, significance = check_level(level), check_significance(significance)
    counts = {name: _whole(name, value) for name, value in (
        ("n_resamples", n_resamples), ("n_splits", n_splits), ("n_references", n_references))}
    if estimator is None and any(labels is None for labels in given):
        raise ClusteringError("estimator is needed, or labels for every cohort: {name: (table, "
                              "labels)}")
    task = _Cohorts(tables=tuple(tables), given=tuple(given), estimator=estimator,
                    classifier=classifier, measure=m, streams=Streams(rng, "rng"))
    fits = [task.fit(t, tables[t], 0) for t in range(c)]
    agreement, carried = np.full((c, c), np.nan), {}
    for s in range(c):
        for t in range(c):
            if s != t:
                labels = task.carried(fits[s], tables[s], tables[t])
                carried[names[s], names[t]] = labels
                agreement[s, t] = task.value(fits[t][0], labels)
    if np.isnan(agreement[~np.eye(c, dtype=bool)]).any():
        raise ClusteringError(f"{m.name} is undefined for two of the cohorts; choose another "
                              "measure")
    rows = tuple(row for s in range(c) for t in range(c) if s != t for row in _clusters(
        names[s], names[t], fits[s][0], fits[t][0], carried[names[s], names[t]], tables[t]))
    refits = estimator is not None and not any(labels is not None for labels in given)
    if estimator is not None and not callable(getattr(estimator, "predict", None)) and (
            classifier is None):
        notes.append("the clusterer has no predict: labels are carried by the nearest mean of a "
                     "cluster; classifier= helps where clusters are not convex")
    runs = _Runs(task=task, executor=executor, progress=progress, notes=notes)
    if refits:
        if reference is not None:
            for x in tables:
                check_features(finite_rows(x))
            runs.task = task.with_references(reference)
        runs.run(counts, [fit[0] for fit in fits], reference, significance)
    else:
        notes.append("clusters are given, not found again: there is no interval, ceiling or floor")
    se, low, high, floor, p = (np.full((c, c), np.nan) for _ in range(5))
    ceiling = np.full(c, np.nan)
    drawn, halves, null = (np.array(list(runs.done.get(kind, {}).values()))
                           for kind in (_BOOTSTRAP, _HALVES, _FLOOR))
    if len(drawn) > 1:
        se = np.sqrt(_mean((drawn - _mean(drawn)) ** 2) * (len(drawn) / (len(drawn) - 1)))
        from scipy.special import ndtri
        z = float(ndtri(0.5 + level / 2))
        bounds = (None, None) if callable(m.bounds) else m.bounds
        least, most = (out if bound is None else bound
                       for bound, out in zip(bounds, (-math.inf, math.inf)))
        low, high = (np.clip(agreement + side * se, least, most) for side in (-z, z))
    if len(halves):
        ceiling = _mean(halves)
    if len(null):
        floor = _mean(null)
        p = (1 + (null >= agreement - _SAME).sum(axis=0)) / (1 + len(null))
        p[np.eye(c, dtype=bool)] = np.nan
    agreement[np.eye(c, dtype=bool)] = ceiling
    invalid = {(names[s], names[t]): f"{names[k]}: {runs.tests[k].invalid}"
               for s in range(c) for t in range(c) for k in (t, s)
               if s != t and k < len(runs.tests) and runs.tests[k].invalid}
    for s, t in combinations(range(c), 2):
        if shared := _shared(tables[s], tables[t]):
            whole = shared == len(tables[s]) == len(tables[t])
            what = (f"{names[s]} and {names[t]} " + (
                "are the same table" if whole else f"have {shared} rows in common")
                + ": the same objects are no other data")
            notes.append(what)
            invalid[names[s], names[t]] = invalid[names[t], names[s]] = what
    for pair in invalid:
        p[names.index(pair[0]), names.index(pair[1])] = np.nan
    if (fixed := ~np.eye(c, dtype=bool) & (se == 0)).any():
        notes.append("the agreement of some cohorts is the same in every resample, which does not "
                     "show how it would vary: no interval")
        low[fixed] = high[fixed] = np.nan
    runs.stop.warn()
    return Replication(
        names=names, measure=m.name, agreement=frozen(agreement), se=frozen(se), low=frozen(low),
        high=frozen(high), ceiling=frozen(ceiling), floor=frozen(floor), p_value=frozen(p),
        evidence=tuple(runs.tests) if len(runs.tests) == c else None,
        carried={key: frozen(labels) for key, labels in carried.items()},
        own={name: frozen(fit[0]) for name, fit in zip(names, fits)}, level=level,
        significance=significance, clusters=rows, missing=runs.stop.text, invalid=invalid,
        notes=(*notes, *runs.stop.notes, *(f"{name}: {note}" for name, test in zip(
            names, runs.tests) for note in test.notes)))


# -- the cohorts ------------------------------------------------------------------------------
def _read(cohorts: Any, estimator: Any, numeric: bool
          ) -> tuple[tuple[str, ...], list[Any], list[Any], list[str]]:
    """Names, tables, given labels and notes; tables of finite numbers if `numeric`."""
    if isinstance(cohorts, Mapping):
        names, parts = tuple(map(str, cohorts)), list(cohorts.values())
    else:
        if not isinstance(cohorts, (list, tuple)):
            raise TypeError(f"cohorts is a {type(cohorts).__name__}; a mapping or list of tables "
                            "is needed")
        parts = list(cohorts)
        names = tuple(chr(ord("A") + k) if k < 26 else f"cohort {k + 1}" for k in range(len(parts)))
    if len(parts) < 2:
        raise ClusteringError(f"{len(parts)} cohort is given; at least two are needed, such as "
                              "replicate({'A': first, 'B': second}, estimator)")
    tables: list[Any] = []
    given: list[Any] = []
    columns: Any = None
    for name, part in zip(names, parts):
        labels = None
        if isinstance(part, tuple):
            if len(part) != 2:
                raise ClusteringError(f"cohort {name} is a tuple of {len(part)}; (table, labels) "
                                      "is needed")
            part, labels = part
        try:
            table = as_objects(part, estimator)
            own = column_names(part)
            if own is not None and columns is not None and sorted(map(repr, own)) == sorted(
                    map(repr, columns)) and own != columns:
                table = table.select(columns)
            if numeric and estimator is not None and labels is None:
                _ = table.numbers   # raises here, with the name of the cohort
            check_scale(table)
        except ClusteringError as error:
            raise ClusteringError(f"cohort {name}: {error}") from None
        if own is not None:
            if columns is None:
                columns = own
            missing = [column for column in columns if column not in own]
            if missing or len(own) != len(columns):
                extra = [column for column in own if column not in columns]
                raise ClusteringError(f"cohort {name} has other columns than {names[0]}: "
                                      f"missing {missing}, more {extra}")
        if tables and table.shape[1] != tables[0].shape[1]:
            raise ClusteringError(f"cohort {name} has {table.shape[1]} features and {names[0]} has "
                                  f"{tables[0].shape[1]}; the same features are needed")
        if labels is not None:
            order = matched(table.matched_names, names_in(labels),
                            called=(f"cohort {name}", "its labels"))
            labels = np.asarray(labels)
            labels = labels if order is None else labels[order]
            if labels.shape != (table.shape[0],):
                raise ClusteringError(f"cohort {name} has labels of shape {labels.shape} for "
                                      f"{table.shape[0]} objects")
            if labels.dtype.kind not in "iu":
                labels = np.unique(labels, return_inverse=True)[1]
            labels = labels.astype(np.int64)
        tables.append(table.rows)
        given.append(labels)

    notes: list[str] = []
    if all(map(are_numeric, tables)):
        constant = np.array([np.ptp(finite_rows(x), axis=0) == 0 for x in tables])
        for j in np.flatnonzero(constant.any(axis=0) & ~constant.all(axis=0)):
            feature = j if columns is None else repr(columns[j])
            where = ", ".join(name for name, flat in zip(names, constant[:, j]) if flat)
            notes.append(f"feature {feature} is constant in {where} only")
    return names, tables, given, notes


def _shared(first: Any, second: Any) -> int:
    """Rows of two cohorts that are the same objects, not by chance; 0 for other tables."""
    if not (are_numeric(first) and are_numeric(second)):
        return 0
    x, y = finite_rows(first), finite_rows(second)
    both = np.concatenate([x, y])
    _, units, levels = untied(both, np.random.SeedSequence(0))
    distinct = [len(np.unique(each, axis=0)) for each in (x, y, both)]
    shared = distinct[0] + distinct[1] - distinct[2]
    return shared if copies(both, (units > 0) | levels) and shared > SHARED * min(
        len(x), len(y)) else 0


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 0:
        raise ValueError(f"{name} is {shown(value)}; a whole number >= 0 is needed")
    return int(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cohorts:
    """Fits, carries labels and compares; replicate b of a kind is a matrix or vector."""

    tables: tuple[Any, ...]
    given: tuple[np.ndarray | None, ...]
    estimator: Any
    classifier: Any
    measure: Measure
    streams: Streams
    kind: int = _BOOTSTRAP
    references: tuple[References, ...] = ()

    def with_references(self, shape: str) -> _Cohorts:
        """The same with reference cohorts of one cluster."""
        references = tuple(References.of(x, np.zeros(len(x), np.int64), shape, units_of(x))
                           for x in map(finite_rows, self.tables))
        return self._with(references=references)

    def _with(self, **changes: Any) -> _Cohorts:
        return replace(self, **changes)

    def fit(self, t: int, rows: Any, seed: int) -> tuple[np.ndarray, Any]:
        """Labels of a cohort, and the fit; given ones have none."""
        labels = self.given[t] if t < len(self.given) else None
        if labels is not None:
            return labels, None
        with one_thread():
            return labels_of(self.estimator, rows, seed)

    def carried(self, fit: tuple[np.ndarray, Any], rows: Any, new: Any) -> np.ndarray:
        """Labels of new objects by the clusters of others."""
        with one_thread():
            return carry(fit[1], rows, fit[0], new, self.classifier)

    def value(self, own: np.ndarray, carried: np.ndarray) -> float:
        """The measure on the objects that are not noise in the receiver; nan where undefined."""
        kept = own != NOISE
        if np.count_nonzero(kept) < 2:
            return math.nan
        with quiet():
            return float(self.measure.function(own[kept], carried[kept]))

    def __call__(self, b: int) -> np.ndarray:
        # A cohort's numbers depend on its table, not on its place among the others.
        streams = [np.random.default_rng(self.seed(t, self.kind, b))
                   for t in range(len(self.tables))]
        if self.kind == _HALVES:
            return np.array([self._halves(x, rng) for x, rng in zip(self.tables, streams)])
        return self._pairs(streams)

    def seed(self, t: int, *key: int) -> np.random.SeedSequence:
        """Seed of cohort t for some purpose."""
        root = self.streams.root
        own = zlib.crc32(self.tables[t].tobytes())
        return np.random.SeedSequence(root.entropy, pool_size=root.pool_size,
                                      spawn_key=(*root.spawn_key, *key, own))

    def _halves(self, x: Any, rng: np.random.Generator) -> float:
        """Mean agreement between two random halves."""
        values = agree_of_halves(random_halves(x, rng), self.estimator, None,
                                 int(rng.integers(2**31)), self.measure, self.classifier)
        known = [v for v in values if not math.isnan(v)]
        return sum(known) / len(known) if known else math.nan

    def _pairs(self, streams: list[np.random.Generator]) -> np.ndarray:
        """Agreement of all pairs of bootstrapped or reference cohorts, (c, c)."""
        c = len(self.tables)
        samples, unique = [], []
        for t, (x, rng) in enumerate(zip(self.tables, streams)):
            if self.kind == _FLOOR:
                drawn = self.references[t].draw(rng)
                samples.append(x.like(drawn) if isinstance(x, ObjectTable) else drawn)
                unique.append(np.arange(len(x)))
            else:
                places = rng.integers(len(x), size=len(x))
                samples.append(x[places])
                unique.append(np.unique(places, return_index=True)[1])
        fits = [labels_of(self.estimator, rows, int(rng.integers(2**31)))
                for rows, rng in zip(samples, streams)]
        values = np.full((c, c), np.nan)
        for s in range(c):
            for t in range(c):
                if s != t:
                    labels = carry(fits[s][1], samples[s], fits[s][0], samples[t][unique[t]],
                                   self.classifier)
                    values[s, t] = self.value(fits[t][0][unique[t]], labels)
        return values


def random_halves(x: Any, rng: np.random.Generator) -> list[Any]:
    """Two random halves of the objects, each in order."""
    order, middle = rng.permutation(x.shape[0]), x.shape[0] // 2
    return [x[np.sort(part)] for part in (order[:middle], order[middle:])]


def agree_of_halves(halves: list[Any], estimator: Any, k: int | None, seed: int,
                    measure: Measure, classifier: Any = None) -> list[float]:
    """The measure of own and carried labels of both halves; nan where undefined."""
    with one_thread():
        fits = [labels_of(estimator, half, seed, k) for half in halves]
        values = []
        for t in range(2):
            labels = carry(fits[1 - t][1], halves[1 - t], fits[1 - t][0], halves[t], classifier)
            with quiet():
                values.append(float(measure.function(fits[t][0], labels)))
    return values


@dataclass(slots=True, kw_only=True)
class _Runs:
    """Replicates of each kind and tests of each cohort, as far as the first Ctrl-C lets them."""

    task: _Cohorts
    executor: Any
    progress: Any
    notes: list[str]
    done: dict[int, dict[int, np.ndarray]] = field(default_factory=dict)
    tests: list[ClusterTest] = field(default_factory=list)
    stop: Interruption = field(default_factory=lambda: Interruption(go_on="call it again"))

    def run(self, counts: Mapping[str, int], own: list[np.ndarray], reference: str | None,
            significance: float) -> None:
        """All of them; `own` are the labels of each cohort."""
        kinds = {_BOOTSTRAP: "resamples", _HALVES: "splits"}
        if reference is not None:
            kinds[_FLOOR] = "references"
        self.done = {kind: {} for kind in kinds}
        finished: Sized = ()
        what, total = "resamples", counts["n_resamples"]
        try:
            for kind, what in kinds.items():
                finished, total = self.done[kind], counts[f"n_{what}"]
                failures: list[Any] = []
                run_jobs(self.task._with(kind=kind), range(total), finished.__setitem__,
                         fail=failures.append, executor=self.executor, progress=self.progress,
                         what=what)
                if failures and not finished:
                    raise ClusteringError(f"all {what} failed, the first for: "
                                          f"{failures[0].reason}")
                if failures:
                    self.notes.append(f"{len(failures)} of {total} {what} failed and are left out, "
                                      f"the first for: {failures[0].reason}")
            if reference is not None:
                finished, what, total = self.tests, "tests of clusters", len(own)
                for t, labels in enumerate(own):
                    self.tests.append(self._tested(t, labels, reference, counts["n_references"],
                                                   significance))
        except KeyboardInterrupt:
            self.stop.text = f"interrupted after {len(finished)} of {total} {what}"

    def _tested(self, t: int, labels: np.ndarray, reference: Any, count: int, significance: float
                ) -> ClusterTest:
        """The clusters of a cohort against one cluster."""
        k = np.unique(labels[labels != NOISE]).size
        if k < 2 or (labels == NOISE).any():
            raise ClusteringError("the evidence needs at least two clusters and no noise in every "
                                  "cohort; reference=None leaves it out")
        estimator = self.task.estimator
        numbered = hasattr(estimator, "fit") and counted(estimator) is not None
        needed = math.ceil(1 / significance - 1e-9) - 1
        with quiet(UserWarning):
            return cluster_test(
                self.task.tables[t], k, reference=reference, n_references=max(count, needed),
                estimator=estimator if numbered else _AnyNumber(estimator=estimator),
                significance=significance, executor=self.executor, progress=self.progress,
                rng=self.task.seed(t, _EVIDENCE))


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnyNumber:
    """A clusterer without a number of clusters as a function (X, n_clusters)."""

    estimator: Any

    def __call__(self, rows: Any, n_clusters: int) -> np.ndarray:
        return labels_of(self.estimator, rows, 0)[0]


def _mean(values: np.ndarray) -> np.ndarray:
    """Mean over replicates of what is defined; nan for nothing."""
    known = ~np.isnan(values)
    count = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)


# -- clusters of the sender -------------------------------------------------------------------
def _clusters(source: str, target: str, labels: np.ndarray, own: np.ndarray, carried: np.ndarray,
              x: Any) -> list[dict[str, Any]]:
    """A row for each cluster of the sender."""
    known = own != NOISE
    names = np.unique(labels[labels != NOISE])
    near = None
    if are_numeric(x):
        # nearest other object of each, the first on ties
        from scipy.spatial.distance import cdist
        points = finite_rows(x)
        n = points.shape[0]
        near, step = np.empty(n, np.int64), max(1, _HELD // n)
        for start in range(0, n, step):
            block = cdist(points[start:start + step], points, "sqeuclidean")
            block[np.arange(len(block)), np.arange(start, start + len(block))] = np.inf
            near[start:start + step] = block.argmin(axis=1)
    events: dict[int, str] = {}
    if np.count_nonzero(known) > 1:
        sent = np.unique(carried[known])
        for event in cluster_changes(carried[known], own[known]).events:
            for code in event.x:
                events.setdefault(int(sent[code]), _TOLD[event.kind])
    rows = []
    for k in names.tolist():
        inside = carried == k
        size, total = int((labels == k).sum()), int(inside.sum())
        jaccard = pairs = group = math.nan
        if total:
            of_own = [(int((inside & (own == j)).sum()), int((inside | (own == j)).sum()))
                      for j in np.unique(own[known])]
            jaccard = max(both / either for both, either in of_own)
            if total > 1:
                pairs = sum(both * (both - 1) for both, _ in of_own) / (total * (total - 1))
            if near is not None:
                group = float((carried[near[inside]] == k).mean())
        rows.append({"from": source, "to": target, "cluster": k, "size": size,
                     "carried_size": total, "share": size / labels.size,
                     "carried_share": total / carried.size, "jaccard": jaccard,
                     "pairs_kept": pairs, "in_group": group,
                     "event": events.get(k, "gone") if total else "gone"})
    return rows


_TOLD = {"kept": "kept", "split": "split", "merge": "merged", "mixed": "mixed",
         "dissolved": "mixed", "assembled": "mixed"}
