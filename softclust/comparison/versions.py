"""Two versions of a pipeline: is the difference between their runs more than the seed?

Theory: docs/theory/versions.md.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_significance, frozen, shown
from .._types import RNG, ClusteringLike, EnsembleLike, FrameLike, MissingRules, NoiseRules
from ..clusterings import Clustering, Ensemble, HardClustering, as_clustering
from ..clusterings.coercion import dimensions_of, is_estimator
from ..clusterings.ensemble import parts_of
from ..measures import get_measure
from ..results.frames import same_frames
from ..results.records import Augmented, Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable
from ..running.blas import one_thread
from ..running.random_numbers import as_generator
from ..running.threads import Progress
from ..tables.frame_sides import runs_of
from .explain import ClusterChanges, cluster_changes
from .matrix import ComparisonMatrix, compare_all

#: statistics that differ by less than this share of the largest distance are equal
_SAME = 1e-12
#: numbers of pairs of runs times objects that "auto" computes, and that are held at once
_OBJECTS, _HELD = 2e8, 1 << 24
#: fewest random splits
_FEWEST = 99


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class VersionComparison(Drawn, Tidied, Augmented, Record):
    """Runs of two versions compared with each other; made by `compare_versions`.

    Attributes
    ----------
    matrix : ComparisonMatrix
        The measure for all pairs of runs, old ones first.
    n_old, n_new : int
        Numbers of runs.
    between, within_old, within_new : float or None
        Mean of the measure over pairs of an old and a new run, and of different runs of one
        version; None for a single run.
    statistic : float
        Energy statistic: 2 d(old, new) - d(old, old) - d(new, new).
    p_value : float
    changed : bool or None
        Whether p <= significance; None where no split of so few runs could give such a p.
    n_splits : int
        Splits of the runs that were looked at.
    exact : bool
        Whether these are all.
    objects : (n,) float64 or None
        The same statistic of each object; None if it was not computed.
    objects_p : (n,) float64 or None
        Share of the splits whose largest statistic of an object is at least this one.
    medoids : (str, str)
        The most central old and new run.
    changes : ClusterChanges or None
        What became of the clusters of the old medoid in the new one; no p-value belongs to it.
    object_names : tuple or None
    significance : float
    notes : tuple of str

    Notes
    -----
    ``to_frame()``: one row per comparison (between, within old, within new) with the number of
    pairs and the mean. ``augment()`` has the objects.

    Examples
    --------
    >>> import softclust
    >>> old = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1]]
    >>> new = [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]]
    >>> found = softclust.compare_versions(old, new)
    >>> found.changed, round(found.p_value, 4), found.n_splits
    (True, 0.0286, 70)
    """

    _chart = "plot_versions"
    _tidy = "term=pairs estimate=mean"
    _glance = ("statistic", "p_value", "n_splits", "exact")

    matrix: ComparisonMatrix
    n_old: int
    n_new: int
    between: float
    within_old: float | None
    within_new: float | None
    statistic: float
    p_value: float
    changed: bool | None
    n_splits: int
    exact: bool
    objects: np.ndarray | None
    objects_p: np.ndarray | None
    medoids: tuple[str, str]
    changes: ClusterChanges | None
    object_names: tuple[Any, ...] | None
    significance: float
    notes: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """Name of the measure."""
        return self.matrix.measure

    @property
    def sentence(self) -> str:
        """The answer in one or two sentences."""
        splits = f"{self.n_splits:,} {'splits' if self.exact else 'random splits'}"
        if self.changed is None:
            return ("These are too few runs to show a change: the smallest p-value that they can "
                    f"give is {self._smallest:.2g}.")
        if not self.changed:
            return (f"No evidence of a change (p = {self.p_value:.2g}, {splits}): old and new runs "
                    f"agree as well as runs of one version ({self.n_old} old, {self.n_new} new).")
        own = [value for value in (self.within_old, self.within_new) if value is not None]
        gap = abs(sum(own) / len(own) - self.between)
        less = "less" if self.matrix.sense == "agreement" else "more"
        do = "agree" if self.matrix.sense == "agreement" else "differ by"
        parts = [f"two runs of the {which} version {do} {value:.2f}" for which, value in (
            ("old", self.within_old), ("new", self.within_new)) if value is not None]
        parts[0] = f"{parts[0][0].upper()}{parts[0][1:]} ({self.measure})"
        return (f"{', '.join(parts)}, an old and a new one {self.between:.2f}: {gap:.2f} "
                f"{less} than seeds explain. Changed (p = {self.p_value:.2g}, {splits})."
                f"{self._moved}")

    @property
    def _moved(self) -> str:
        if self.objects_p is None:
            return ""
        count = int((self.objects_p <= self.significance).sum())
        what = "1 object" if count == 1 else f"{count} objects"
        return f" {what} of {self.objects_p.size} changed (familywise)."

    @property
    def _smallest(self) -> float:
        return smallest_p(self.n_old, self.n_new)

    def __repr__(self) -> str:
        return (f"VersionComparison({self.measure}, {self.n_old} old and {self.n_new} new runs, "
                f"p_value={self.p_value:.4g}, changed={self.changed})")

    def _frame(self) -> Columns:
        pairs = [self.n_old * self.n_new, math.comb(self.n_old, 2), math.comb(self.n_new, 2)]
        means = [self.between, self.within_old, self.within_new]
        return Columns({"pairs": ["between", "within old", "within new"], "n_pairs": pairs,
                        "mean": [math.nan if mean is None else mean for mean in means]})

    def _per_object(self) -> dict[str, Any]:
        if self.objects is None or self.objects_p is None:
            raise ValueError("the objects were not compared; compare_versions(objects=True) does")
        return {"statistic": self.objects, "p_value": self.objects_p}

    def _table(self) -> SummaryTable:
        frame = self._frame().data
        changes = [] if self.changes is None else [
            f"From run {self.medoids[0]!r} to run {self.medoids[1]!r}, the most central ones: "
            + ("; ".join(s.rstrip(".") for s in self.changes.sentences()[:5])
               or "all clusters were kept") + "."]
        return SummaryTable.of(
            {"runs": frame["pairs"], "pairs": frame["n_pairs"],
             "mean": ["" if math.isnan(v) else f"{v:.4f}" for v in frame["mean"]]},
            title=f"Two versions by {self.measure}: {self.n_old} old and {self.n_new} new runs",
            notes=[self.sentence, *changes, *(f"Note: {note}." for note in self.notes)])


def smallest_p(n_old: int, n_new: int) -> float:
    """The smallest p-value of so many runs: a split and its mirror image have one statistic."""
    return (1 + (n_old == n_new)) / math.comb(n_old + n_new, n_old)


@same_frames
def compare_versions(old: EnsembleLike | ClusteringLike, new: EnsembleLike | ClusteringLike, *,
                     data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
                     on: str | Sequence[str] | None = None,
                     measure: str = "element_centric_index", n_permutations: int = 9999,
                     significance: float = 0.05,
                     objects: bool | Literal["auto"] = "auto",
                     noise: NoiseRules = None, noise_label: Any = -1,
                     missing: MissingRules = "raise", progress: Progress | bool | None = False,
                     rng: RNG = None) -> VersionComparison:
    r"""Test whether a new version of a pipeline clusters differently, beyond its seeds.

    Parameters
    ----------
    old, new : Ensemble, mapping, DataFrame or sequence of clustering-like, or a single one
        Runs of each version with different seeds, of the same objects. At least two runs of one
        version; five of each see more than thirty-nine of one and one of the other.
    data, on : optional
        One frame, of which old and new name columns, or two with the key `on`, for the objects that
        both have.
    measure : str
        A measure of two clusterings that returns numbers. Pair counting hardly sees small clusters;
        the default does.
    n_permutations : int
        All splits of the runs are looked at if they are at most this many, else so many random
        ones.
    significance : float in (0, 1/2]
        Largest p-value that is evidence of a change.
    objects : bool or "auto"
        Whether to test each object, too, for hard runs. "auto": unless it takes long.
    noise, noise_label, missing : optional
        Treatment of noise and missing labels, as in `align`.
    progress : bool or callable, optional
        True shows a progress bar over pairs of runs.
    rng : None, int or Generator, optional
        For random splits.

    Returns
    -------
    VersionComparison
        ``.changed``, ``.p_value``, ``.sentence``, ``.objects``, ``.plot()``.

    Raises
    ------
    ClusteringError
        If there is one run on each side, or runs do not suit the measure.
    ValueError
        If the measure gives intervals, has no best value or is undefined for a pair, or an option
        is out of range.

    See Also
    --------
    compare_all, cluster_changes, label_instability

    Notes
    -----
    .. math:: E = 2 \bar d(old, new) - \bar d(old, old) - \bar d(new, new)

    Means are over pairs of different runs; d is the square root of the dissimilarity, or of the
    best value minus the agreement. p is the share of all splits of the runs into as many old and
    new ones whose E is at least as large: exact, if runs of one version are exchangeable. The
    statistic of an object has d_i = sqrt(1 - |A and B|/max(|A|, |B|)) for its clusters A and B in
    two runs, and its p-value compares it with the largest of all objects in each split (Westfall
    and Young), so it needs no further correction. Time: the measure for all pairs of N runs, and
    O(splits N^2); objects O(splits N^2 n).

    Theory: docs/theory/versions.md.

    References
    ----------
    G. J. Szekely, M. L. Rizzo (2013), Energy statistics: a class of statistics based on distances,
    Journal of Statistical Planning and Inference 143, 1249-1272.
    P. H. Westfall, S. S. Young (1993), Resampling-based multiple testing, Wiley.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> x = softclust.datasets.load_iris().data
    >>> runs = {k: [KMeans(k, n_init=1, random_state=seed).fit_predict(x) for seed in range(5)]
    ...         for k in (3, 4)}
    >>> softclust.compare_versions(runs[3], runs[4]).changed
    True
    """
    if data is not None or on is not None:
        old, new = runs_of(old, new, data, on)
    sides = [_runs(side, name) for side, name in ((old, "old"), (new, "new"))]
    m, many = (len(parts) for parts, _ in sides)
    significance = check_significance(significance)
    if isinstance(n_permutations, bool) or not isinstance(n_permutations, numbers.Integral) or (
            n_permutations < 1):
        raise ValueError(f"n_permutations is {shown(n_permutations)}; a whole number is needed")
    if objects not in (True, False, "auto"):
        raise ValueError(f"objects is {shown(objects)}; True, False or 'auto' is needed")
    runs = [part for parts, _ in sides for part in parts]
    names = [f"{which} {name}" for which, (_, labels) in zip(("old", "new"), sides)
             for name in labels]
    ensemble = Ensemble(runs, names=names, noise=noise, noise_label=noise_label, missing=missing,
                        objects="same" if on is None else "common")
    if m == many == 1:
        raise ClusteringError("one run each cannot show what the seed does; give several runs of "
                              "each (resampled_clusterings(scheme='rerun')), or compare(old, new) "
                              "for the agreement of two clusterings")
    matrix = compare_all(ensemble, measure=measure, progress=progress)
    distances = _distances(matrix)
    weights, exact = _splits(m, many, int(n_permutations), rng)
    first, second = np.triu_indices(m + many, 1)
    pairs = distances[first, second]
    with one_thread():
        energies = weights @ pairs
    slack = _SAME * float(pairs.max(initial=0.0))
    p = _share(energies, energies[0], slack, exact)
    least = smallest_p(m, many)
    notes: list[str] = []
    if least > significance:
        notes.append(f"{m} old and {many} new runs cannot give p <= {significance:g}; "
                     f"{_needed(significance)}")
    tested = _of_objects(ensemble, objects, weights, exact, m + many, notes)
    medoids = _medoid(distances[:m, :m]), m + _medoid(distances[m:, m:])
    central = [ensemble[k] for k in medoids]
    hard = all(isinstance(run, HardClustering) for run in central)
    value = matrix.value
    return VersionComparison(
        matrix=matrix, n_old=m, n_new=many, between=float(value[:m, m:].mean()),
        within_old=_mean(value[:m, :m]), within_new=_mean(value[m:, m:]),
        statistic=float(energies[0]), p_value=p,
        changed=None if least > significance else p <= significance,
        n_splits=len(weights) - (not exact), exact=exact, objects=tested[0], objects_p=tested[1],
        medoids=(names[medoids[0]], names[medoids[1]]), significance=significance,
        notes=tuple(notes),
        changes=cluster_changes(*central, names=("old", "new")) if hard else None,
        object_names=ensemble.object_names)


def _runs(side: Any, name: str) -> tuple[list[Any], list[str]]:
    """Runs of a version and their names; a single clustering is one run."""
    single = isinstance(side, Clustering) or is_estimator(side)
    if not single and not isinstance(side, (Ensemble, dict)) and not hasattr(side, "columns"):
        try:
            single = dimensions_of(side) == 1 and not isinstance(side[0], (Clustering, dict))
        except (ClusteringError, TypeError, KeyError, IndexError):
            single = False
    if single:
        return [as_clustering(side, name=name)], ["0"]
    parts, labels = parts_of(side)
    return list(parts), [str(label) for label in labels]


def _distances(matrix: ComparisonMatrix) -> np.ndarray:
    """Square roots of the dissimilarities, (N, N)."""
    if matrix.interval_valued:
        raise ValueError(f"{matrix.measure} gives intervals; choose a measure that gives numbers")
    value = np.asarray(matrix.value)
    if np.isnan(value).any():
        i, j = (int(v) for v in np.argwhere(np.isnan(value))[0])
        raise ValueError(f"{matrix.measure} is undefined for runs {matrix.names[i]!r} and "
                         f"{matrix.names[j]!r}; choose another measure or leave one out")
    if matrix.sense == "agreement":
        bounds = get_measure(matrix.measure).bounds
        if callable(bounds) or bounds[1] is None or not math.isfinite(bounds[1]):
            raise ValueError(f"{matrix.measure} has no best value that is the same for all pairs; "
                             "choose a measure with a largest value, such as "
                             "'element_centric_index', or a dissimilarity")
        value = bounds[1] - value
    return np.sqrt(np.maximum(value, 0.0))


def _splits(m: int, k: int, most: int, rng: RNG) -> tuple[np.ndarray, bool]:
    """Weights of the pairs of runs in E for each split, (S, P); the given split first."""
    count = m + k
    total = math.comb(count, m)
    exact = total <= most
    if exact:
        chosen = np.array(list(combinations(range(count), m)))   # the first is 0, ..., m - 1
    else:
        if most < _FEWEST:
            raise ValueError(f"n_permutations is {most}; random splits need at least {_FEWEST}")
        generator = as_generator(rng)
        chosen = np.array([np.arange(m), *(generator.permutation(count)[:m]
                                           for _ in range(most))])
    old = np.zeros((len(chosen), count), dtype=np.bool_)
    np.put_along_axis(old, chosen, True, axis=1)
    first, second = np.triu_indices(count, 1)
    a, b = old[:, first], old[:, second]
    within = [0.0 if size < 2 else -2.0 / (size * (size - 1)) for size in (k, m)]
    return np.where(a != b, 2.0 / (m * k), np.where(a, within[1], within[0])), exact


def _share(values: np.ndarray, own: Any, slack: float, exact: bool) -> float:
    """Share of the splits with at least the own value; the first split is the given one."""
    count = int(np.count_nonzero(values[0 if exact else 1:] >= own - slack))
    return count / len(values) if exact else (1 + count) / len(values)


def _of_objects(ensemble: Ensemble, asked: bool | str, weights: np.ndarray, exact: bool,
                count: int, notes: list[str]) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Statistics and p-values of objects."""
    n = ensemble.n_objects
    if asked is False:
        return None, None
    codes = [run.hard_codes for run in ensemble]
    if any(code is None for code in codes):
        notes.append("objects are compared for hard runs only")
        return None, None
    if asked == "auto" and n * count**2 > _OBJECTS:
        notes.append("objects were left out, since they take long; objects=True compares them")
        return None, None
    labels = [np.asarray(code, dtype=np.int64) for code in codes]
    pairs = list(combinations(range(count), 2))
    own, largest = np.empty(n), np.full(len(weights), -np.inf)
    sizes = [np.bincount(run) for run in labels]
    tables = {}
    for i, j in pairs:
        k = sizes[j].size
        cells, inverse, common = np.unique(labels[i] * k + labels[j], return_inverse=True,
                                           return_counts=True)
        share = common / np.maximum(sizes[i][cells // k], sizes[j][cells % k])
        tables[i, j] = np.sqrt(1.0 - share)[inverse.reshape(-1)].astype(np.float64)
    step = max(1, int(_HELD // max(1, len(weights))))
    with one_thread():
        for start in range(0, n, step):
            block = np.array([tables[pair][start:start + step] for pair in pairs])
            values = weights @ block
            own[start:start + step] = values[0]
            np.maximum(largest, values.max(axis=1), out=largest)
    slack = _SAME
    ordered = np.sort(largest if exact else largest[1:])
    above = ordered.size - np.searchsorted(ordered, own - slack, side="left")
    p = above / len(weights) if exact else (1 + above) / len(weights)
    return frozen(own), frozen(p)


def _medoid(distances: np.ndarray) -> int:
    return int((distances**2).sum(axis=1).argmin())


def _mean(block: np.ndarray) -> float | None:
    """Mean over pairs of different runs."""
    count = len(block)
    if count < 2:
        return None
    return float((block.sum() - np.trace(block)) / (count * (count - 1)))


def _needed(significance: float) -> str:
    """Numbers of runs that can give p <= significance."""
    each = next(k for k in range(2, 100) if smallest_p(k, k) <= significance)
    many = math.ceil(1 / significance - 1e-9) - 1
    return f"{each} of each, or {many} of one version and 1 of the other can"
