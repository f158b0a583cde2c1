"""Two versions of a pipeline: is the difference between their runs more than the seed?

Theory: docs/theory/versions.md.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Annotated, Any, Literal

import numpy as np

from .._checks import (
    ClusteringError,
    IncompleteWarning,
    check_choice,
    check_significance,
    frozen,
    shown,
)
from .._types import (
    RNG,
    ClusteringLike,
    EnsembleLike,
    FrameLibrary,
    FrameLike,
    MissingRules,
    NoiseRules,
)
from ..clusterings import Clustering, Ensemble, as_clustering
from ..clusterings.coercion import dimensions_of, is_estimator
from ..clusterings.ensemble import parts_of
from ..ensembles.consistency import hard_similarities
from ..measures import get_measure
from ..results.frames import same_frames
from ..results.records import POSITION, Augmented, Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable
from ..results.text import in_words, position
from ..running.blas import one_thread
from ..running.random_numbers import as_generator
from ..running.threads import Progress, progress_bar
from ..running.warnings import listening
from ..tables.frame_sides import runs_of
from .explain import cluster_changes
from .matrix import ComparisonMatrix, compare_all

#: statistics that differ by less than this share of the largest distance are equal
_SAME = 1e-12
#: pairs of runs times objects that "auto" computes
_OBJECTS = 2e8
#: numbers that are held at once: coefficients of splits (2e8 bytes), and a product (so that Ctrl-C
#: is noticed soon)
_HELD, _PRODUCT = 25_000_000, 1 << 21
#: what `clusters` says of each
ROWS = ("size", "within_old", "within_new", "between", "statistic", "p_value")
#: fewest random splits
_FEWEST = 99
#: seeds are suspected up to this p-value; four pairs of runs reach 1/24 at best
_SUSPECTED, _FEWEST_PAIRS = 0.01, 4
_ALIKE = "old run i and new run i are alike: same seeds"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class VersionComparison(Drawn, Tidied, Augmented, Record):
    """Runs of two versions compared with each other; made by `compare_versions`.

    Attributes
    ----------
    agreement : ComparisonMatrix
        The measure for all pairs of runs, old ones first.
    n_old, n_new : int
        Numbers of runs.
    between, within_old, within_new : float or None
        Mean of the measure over pairs of an old and a new run (of different seeds, if paired), and
        of different runs of one version; None for a single run.
    matched : float or None
        Mean of the measure over the old and new runs of one seed; None if not paired.
    drop : float
        Mean of `within_old` and `within_new` less `between`; turned round for a dissimilarity.
    statistic : float
        Energy statistic of the roots of dissimilarities: twice the mean between versions less the
        means within them.
    p_value : float
    smallest_p : float
        The smallest p-value that this many runs can give.
    changed : bool or None
        Whether p is at most the significance level. None if that cannot be told: because of too
        few runs, or because old and new runs look as if they had the same seeds.
    seeds_p : float or None
        Share of the ways to match old with new runs in which partners are at least as alike as in
        the order given; None if the numbers of runs differ, or if paired.
    n_splits : int
        Splits (paired: exchanges) of the runs that were looked at.
    exact : bool
        Whether these are all.
    paired : bool
    objects : (n,) float64 or None
        The same statistic of each object; None if it was not computed.
    objects_p : (n,) float64 or None
        Share of the splits whose largest statistic of an object is at least this one.
    reference : (n,) int64 or None
        Labels of the most central of all runs; None where objects are None.
    clusters : tuple of dict
        A row per cluster of `reference`.
    medoids : (str, str)
        The most central old and new run.
    events : tuple of str
        What became of the clusters of the old medoid in the new one; no p-value belongs to it.
    object_names : tuple or None
    significance : float
    notes : tuple of str

    Notes
    -----
    ``to_frame()``: one row per cluster of `reference` with its size, the mean similarity of its
    members' clusters within and between versions, statistic and p_value (familywise over
    clusters). ``to_frame("objects")``: statistic and p_value of the objects, familywise over
    objects. ``tidy()``: one row with the drop.

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
    _glance = ("measure", "between", "within_old", "within_new", "drop", "statistic", "p_value",
               "changed", "n_splits", "exact")

    agreement: ComparisonMatrix
    n_old: Annotated[int, ">=1"]
    n_new: Annotated[int, ">=1"]
    between: float
    within_old: float | None
    within_new: float | None
    matched: float | None
    drop: float
    statistic: float
    p_value: float
    smallest_p: float
    changed: bool | None
    seeds_p: float | None
    n_splits: int
    exact: bool
    paired: bool
    objects: Annotated[np.ndarray | None, "f n"]
    objects_p: Annotated[np.ndarray | None, "f n"]
    reference: Annotated[np.ndarray | None, "i n >=-1"] = field(metadata=POSITION)
    clusters: tuple[Annotated[Mapping[str, Any], "keys ROWS"], ...]
    medoids: tuple[str, str]
    events: tuple[str, ...]
    object_names: Annotated[tuple[Any, ...] | None, "distinct n"]
    significance: Annotated[float, "0..1"]
    notes: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """Name of the measure."""
        return self.agreement.measure

    @property
    def sentence(self) -> str:
        """The answer in a few sentences."""
        runs = (f"{self.n_old} runs each" if self.n_old == self.n_new else
                f"{self.n_old} old and {self.n_new} new runs")
        ways = "exchanges" if self.paired else "splits"
        how = f"{self.n_splits:,} {'' if self.exact else 'random '}{ways}"
        values = self.agreement.value
        if (values == values[0, 0]).all():
            return "All runs of both versions are the same clustering."
        if self.changed is None and self.smallest_p > self.significance:
            return (f"Cannot tell: {self.n_old} and {self.n_new} runs reach p = "
                    f"{self.smallest_p:.2g} at best; {self._needed}.")
        if self.changed is None:
            return (f"Cannot tell: {_ALIKE} (p = {self.seeds_p:.2g})? Use paired=True, or other "
                    "seeds.")
        if not self.changed:
            return f"No evidence of a change (p = {self.p_value:.2g}; {runs})."
        do, less = (("agree", "less") if self.agreement.sense == "agreement" else
                    ("differ by", "more"))
        parts = [f"two runs of the {which} version {do} {value:.2f}" for which, value in (
            ("old", self.within_old), ("new", self.within_new)) if value is not None]
        parts[0] = f"{parts[0][0].upper()}{parts[0][1:]} ({in_words(self.measure)})"
        return (f"{', '.join(parts)}, an old and a new one {self.between:.2f}: "
                f"{abs(self.drop):.2f} {less if self.drop >= 0 else 'no ' + less}. "
                f"Changed (p = {self.p_value:.2g}, {how}; {runs}).{self._where}")

    @property
    def _needed(self) -> str:
        """Numbers of runs that can give a p-value as small as the level."""
        each = next(k for k in range(2, 100)
                    if smallest_p(k, k, self.paired) <= self.significance + _SAME)
        if self.paired:
            return f"{each} pairs are needed"
        many = math.ceil(1 / self.significance - 1e-9) - 1
        return f"{each} of each are needed, or {many} of one version and 1 of the other"

    @property
    def _where(self) -> str:
        """Clusters and objects that changed."""
        if self.objects_p is None:
            return ""
        most = [str(position(k)) for k, row in enumerate(self.clusters)
                if row["p_value"] <= self.significance + _SAME]
        text = ""
        if most:
            start = ", ".join(most[:-1])
            names = f"{start} and {most[-1]}" if start else most[-1]
            text = f" Clusters that changed: {names}."
        count = int((self.objects_p <= self.significance + _SAME).sum())
        return f"{text} Objects that changed: {count} of {self.objects_p.size}."

    def __repr__(self) -> str:
        return (f"VersionComparison({self.measure}, {self.n_old} old and {self.n_new} new runs, "
                f"p_value={self.p_value:.4g}, changed={self.changed})")

    def to_frame(self, what: Literal["clusters", "objects"] = "clusters",   # type: ignore[override]
                 backend: FrameLibrary | None = None) -> Any:
        """Where the versions differ, as a data frame.

        Parameters
        ----------
        what : {"clusters", "objects"}
        backend : str, optional
            Package of the data frame: "pandas", "polars", "pyarrow", ...

        Returns
        -------
        data frame
        """
        if check_choice("what", what, ("clusters", "objects")) == "objects":
            return self.augment(backend)
        return self._native(self._frame(), backend)

    def _frame(self) -> Columns:
        return Columns({"cluster": [*range(len(self.clusters))],
                        **{name: [row[name] for row in self.clusters] for name in ROWS}})

    def _estimates(self) -> list[dict[str, Any]]:
        return [{"term": "drop", "estimate": self.drop, "p_value": self.p_value,
                 "method": self.measure}]

    def _per_object(self) -> dict[str, Any]:
        if self.objects is None or self.objects_p is None:
            raise ValueError("the objects were not compared; compare_versions(objects=True) does, "
                             "for hard runs of the same objects")
        return {"statistic": self.objects, "p_value": self.objects_p}

    def _table(self) -> SummaryTable:
        rows: list[tuple[str, float | None]] = [
            ("an old and a new run", self.between), ("two old runs", self.within_old),
            ("two new runs", self.within_new), ("an old and a new run of one seed", self.matched)]
        changes = [] if not self.events else [
            f"From run {self.medoids[0]!r} to run {self.medoids[1]!r}, the most central ones: "
            + "; ".join(text.rstrip(".") for text in self.events[:5]) + "."]
        return SummaryTable.of(
            {"pairs": [name for name, value in rows if value is not None],
             "mean": [f"{value:.4f}" for _, value in rows if value is not None]},
            title=f"Two versions by {self.measure}: {self.n_old} old and {self.n_new} new runs",
            notes=[self.sentence, *changes, *(f"Note: {note}." for note in self.notes)])


def smallest_p(n_old: int, n_new: int, paired: bool = False) -> float:
    """The smallest p-value of this many runs: a split and its mirror image have one statistic."""
    if paired:
        return 0.5**(n_old - 1)
    return (1 + (n_old == n_new)) / math.comb(n_old + n_new, n_old)


@same_frames
def compare_versions(old: EnsembleLike | ClusteringLike, new: EnsembleLike | ClusteringLike, *,
                     data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
                     on: str | Sequence[str] | None = None,
                     measure: str = "element_centric_index", paired: bool = False,
                     significance: float = 0.05, n_permutations: int = 9999,
                     objects: bool | Literal["auto"] = "auto",
                     noise: NoiseRules = None, noise_label: Any = -1,
                     missing: MissingRules = "raise", progress: Progress | bool | None = False,
                     rng: RNG = None) -> VersionComparison:
    r"""Test whether a new version of a pipeline clusters differently, beyond its seeds.

    Parameters
    ----------
    old, new : Ensemble, mapping, DataFrame or sequence of clustering-like, or a single one
        Runs of each version, of the same objects. At least two runs of one version.
    data, on : optional
        One frame, of which old and new name columns, or two with the key `on`, for the objects that
        both have.
    measure : str
        A symmetric measure of two clusterings that returns numbers. Pair counting hardly sees
        small clusters; the default does. The statistic is zero only for equal laws of the runs with
        the element-centric, Rand, adjusted Rand, Jaccard and Fowlkes-Mallows indices; p is valid
        with every measure.
    paired : bool
        Whether run i of both versions has the same seed (or the same subsample). Ten such pairs are
        the best design. Unpaired runs all need different seeds.
    significance : float in (0, 1/2]
        Level of the test.
    n_permutations : int
        All splits of the runs are looked at if they are at most this many, else this many random
        ones.
    objects : bool or "auto"
        Whether to test clusters and objects, too, for hard runs. "auto": unless pairs of runs times
        objects are more than 2e8.
    noise, noise_label, missing : optional
        Treatment of noise and missing labels, as in `align`.
    progress : bool or callable, optional
        True shows a progress bar over pairs of runs.
    rng : None, int or Generator, optional
        For random splits.

    Returns
    -------
    VersionComparison
        ``.changed``, ``.p_value``, ``.drop``, ``.sentence``, ``.to_frame()``, ``.plot()``.

    Raises
    ------
    ClusteringError
        If there is one run on each side, or runs do not suit the measure.
    ValueError
        If the measure gives intervals, has a direction or no best value, or is undefined for a
        pair, or an option is out of range.

    See Also
    --------
    compare_all, cluster_changes, label_instability

    Notes
    -----
    .. math:: E = 2 \bar r(old, new) - \bar r(old, old) - \bar r(new, new)

    Means are over pairs of different runs; r is the square root of the dissimilarity, or of the
    best value minus the agreement. p is the share of all splits of the runs into as many old and
    new ones whose E is at least as large: exact, if all runs are exchangeable when nothing
    changed. Paired: partners are left out of the means, and old and new are exchanged within pairs,
    in 2^(m-1) distinct ways. Equal seeds that were not declared hide changes: `seeds_p` finds them.

    For object i, r_i = sqrt(1 - T/max(a, c)), with a and c the sizes of its clusters in two runs
    and T what they have in common; its p-value compares its statistic with the largest of all
    objects in each split (Westfall and Young), so it needs no further correction. The statistic of
    a cluster of the most central run is the mean over its objects, its p-value the same over
    clusters. Time: the measure for all pairs of the N runs, and O(splits N^2 n) for objects.
    Memory: blocks of 2e8 bytes.

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
    >>> runs = {k: [KMeans(k, n_init=1, random_state=seed).fit_predict(x) for seed in range(10)]
    ...         for k in (3, 4)}
    >>> softclust.compare_versions(runs[3], runs[4], paired=True).changed
    True
    """
    if data is not None or on is not None:
        old, new = runs_of(old, new, data, on)
    significance = check_significance(significance)
    if isinstance(n_permutations, bool) or not isinstance(n_permutations, numbers.Integral) or (
            n_permutations < 1):
        raise ValueError(f"n_permutations is {shown(n_permutations)}; a whole number is needed")
    if objects not in (True, False, "auto"):
        raise ValueError(f"objects is {shown(objects)}; True, False or 'auto' is needed")
    ensemble, m, notes = _runs_of_both(old, new, noise=noise, noise_label=noise_label,
                                       missing=missing, common=on is not None)
    count = len(ensemble)
    if m == count - m == 1:
        raise ClusteringError("one run each cannot show what the seed does: make some of each by "
                              "resampled_clusterings(scheme='rerun'), or compare(old, new) for "
                              "the agreement of two clusterings")
    if paired and 2 * m != count:
        raise ClusteringError(f"paired=True with {m} old and {count - m} new runs: partners are "
                              "runs of the same seed, so as many of each are needed")
    with listening(IncompleteWarning) as stopped:
        matrix = compare_all(ensemble, measure=measure, progress=progress)
    if stopped:
        raise KeyboardInterrupt
    roots = _roots(matrix)
    splits = _Splits.of(m, count - m, bool(paired), int(n_permutations), rng)
    least = smallest_p(m, count - m, bool(paired))
    where, why = _where(ensemble, objects, roots)
    if why:
        notes.append(why)
    pairs = roots[np.triu_indices(count, 1)]
    scale = float(pairs.max(initial=0.0))
    columns = pairs[:, np.newaxis] if where is None else np.column_stack([pairs, where.roots])
    statistics, p_values = splits.test([columns], (0, 1)[:columns.shape[1]], scale, progress)
    statistic, p = float(statistics[0]), float(p_values[0])
    of_objects = None if where is None else splits.test(where.blocks(), (0,), scale, progress)
    value, means = matrix.value, splits.means
    between, within_old, within_new, matched = means(value)
    own = [v for v in (within_old, within_new) if v is not None]
    drop = (sum(own) / len(own) - between) * (1 if matrix.sense == "agreement" else -1)
    seeds_p, suspected = (None, False) if paired or 2 * m != count else _seeds(
        roots[:m, m:], int(n_permutations), rng)
    same = bool((pairs <= _SAME).all())
    changed: bool | None = bool(p <= significance + _SAME)
    if not same and (least > significance + _SAME or (suspected and not changed)):
        changed = None
    if suspected and changed:
        notes.append(f"{_ALIKE}? Use paired=True, or other seeds")
    if not same and m > 1 and float(roots[:m, :m].max()) == 0.0:
        notes.append("the old version shows no effect of the seed: if it has none, any difference "
                     "is a change")
    medoids = _medoid(ensemble, roots, range(m)), _medoid(ensemble, roots, range(m, count))
    central = [ensemble[k] for k in medoids]
    events = (cluster_changes(*central, names=("old", "new")).sentences()
              if all(run.hard_codes is not None for run in central) and ensemble.is_complete
              else ())
    return VersionComparison(
        agreement=matrix, n_old=m, n_new=count - m, between=between, within_old=within_old,
        within_new=within_new, matched=matched, drop=drop, statistic=statistic,
        p_value=p, smallest_p=least, changed=changed, seeds_p=seeds_p,
        n_splits=splits.count, exact=splits.exact, paired=bool(paired),
        objects=None if of_objects is None else frozen(of_objects[0]),
        objects_p=None if of_objects is None else frozen(of_objects[1]),
        reference=frozen(where.labels) if where else None,
        clusters=where.rows(means, statistics[1:], p_values[1:]) if where else (),
        medoids=(ensemble.names[medoids[0]], ensemble.names[medoids[1]]), events=tuple(events),
        object_names=ensemble.object_names, significance=significance, notes=tuple(notes))


def _runs_of_both(old: Any, new: Any, *, common: bool, **policies: Any
                  ) -> tuple[Ensemble, int, list[str]]:
    """All runs, old ones first, the number of old ones, and notes."""
    if all(not isinstance(side, Ensemble) or side.is_complete for side in (old, new)):
        sides = [_runs(side, name) for side, name in ((old, "old"), (new, "new"))]
        names = [f"{which} {name}" for which, (_, labels) in zip(("old", "new"), sides)
                 for name in labels]
        return Ensemble([part for parts, _ in sides for part in parts], names=names,
                        objects="common" if common else "same", **policies), len(sides[0][0]), []
    whole = [side if isinstance(side, Ensemble) else Ensemble(_runs(side, name)[0])
             for side, name in ((old, "old"), (new, "new"))]
    names = [f"{which} {name}" for which, side in zip(("old", "new"), whole)
             for name in side.names]
    naming = [side.object_names for side in whole]
    if whole[0].n_objects != whole[1].n_objects or (None not in naming and naming[0] != naming[1]):
        raise ClusteringError("old and new hold runs of different objects, or of objects in "
                              "another order; the same objects are needed")
    never = [side.counts == 0 for side in whole]
    count = int((never[0] != never[1]).sum())
    notes = [] if not count else [
        f"{'1 object is' if count == 1 else f'{count} objects are'} absent from all runs of one "
        "version only, so the runs are not exchangeable and p may be too small"]
    return Ensemble.from_runs(np.vstack([side.labels for side in whole]), names=names,
                              object_names=naming[0] or naming[1]), len(whole[0]), notes


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


def _roots(matrix: ComparisonMatrix) -> np.ndarray:
    """Square roots of the dissimilarities, (N, N)."""
    if matrix.interval_valued:
        raise ValueError(f"{matrix.measure} gives intervals; choose a measure that gives numbers")
    if not matrix.symmetric:
        raise ValueError(f"{matrix.measure} has a direction; choose a symmetric measure, such as "
                         "'element_centric_index'")
    value = np.asarray(matrix.value)
    if np.isnan(value).any():
        i, j = (int(v) for v in np.argwhere(np.isnan(value))[0])
        held = np.broadcast_to(matrix.n_objects, value.shape)[i, j]
        if held < 2:
            raise ClusteringError(f"runs {matrix.names[i]!r} and {matrix.names[j]!r} have {held} "
                                  "objects in common; at least 2 are needed")
        raise ValueError(f"{matrix.measure} is undefined for runs {matrix.names[i]!r} and "
                         f"{matrix.names[j]!r}; choose another measure or leave one out")
    if matrix.sense == "agreement":
        bounds = get_measure(matrix.measure).bounds
        if callable(bounds) or bounds[1] is None or not math.isfinite(bounds[1]):
            raise ValueError(f"{matrix.measure} has no best value that is the same for all pairs; "
                             "choose a measure with a largest value, such as "
                             "'element_centric_index', or a dissimilarity")
        value = bounds[1] - value
    return np.sqrt(np.where(value < _SAME, 0.0, value))


# -- splits of the runs ----------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Splits:
    """Ways to call runs old or new that are equally likely if nothing changed.

    Attributes
    ----------
    ways : (S, N) bool
        Unpaired: the runs called old. Paired: (S, m), partners that are exchanged. The given way is
        first.
    """

    m: int
    k: int
    paired: bool
    exact: bool
    ways: np.ndarray

    @classmethod
    def of(cls, m: int, k: int, paired: bool, most: int, rng: RNG) -> _Splits:
        total = 2**(m - 1) if paired else math.comb(m + k, m)
        exact = total <= most
        if not exact and most < _FEWEST:
            raise ValueError(f"n_permutations is {most}; random splits need at least {_FEWEST}")
        if paired and exact:
            ways = (np.arange(total)[:, np.newaxis] >> np.arange(m) & 1).astype(np.bool_)
        elif paired:
            ways = np.zeros((most + 1, m), np.bool_)
            ways[1:] = as_generator(rng).integers(2, size=(most, m))
        else:
            if exact:   # the first is 0, ..., m - 1
                chosen = np.array(list(combinations(range(m + k), m)))
            else:
                generator = as_generator(rng)
                chosen = np.array([np.arange(m), *(generator.permutation(m + k)[:m]
                                                   for _ in range(most))])
            ways = np.zeros((len(chosen), m + k), np.bool_)
            np.put_along_axis(ways, chosen, True, axis=1)
        return cls(m=m, k=k, paired=paired, exact=exact, ways=ways)

    @property
    def count(self) -> int:
        """Splits that were looked at, without the given one where they are random."""
        return len(self.ways) - (not self.exact)

    def coefficients(self) -> Iterator[np.ndarray]:
        """Factors of the pairs of runs in E, in blocks (s, P)."""
        m, k = self.m, self.k
        first, second = np.triu_indices(m + k, 1)
        step = max(1, _HELD // first.size)
        if self.paired:
            factor = np.where((first < m) & (second >= m), 2.0, -2.0) / (m * (m - 1))
            factor[second == first + m] = 0.0
        else:
            factor = np.array([0.0 if k < 2 else -2.0 / (k * (k - 1)), 2.0 / (m * k),
                               0.0 if m < 2 else -2.0 / (m * (m - 1))])   # new, both, old
        for start in range(0, len(self.ways), step):
            ways = self.ways[start:start + step]
            if self.paired:
                yield np.where(ways[:, first % m] ^ ways[:, second % m], -factor, factor)
            else:
                yield factor[ways[:, first].astype(np.int8) + ways[:, second]]

    def test(self, blocks: Iterable[np.ndarray], starts: Sequence[int], scale: float,
             progress: Progress | bool | None) -> tuple[np.ndarray, np.ndarray]:
        """Statistics, and p-values by the largest of a group, of columns of distances (P, columns).

        `starts`: first columns of the groups, in each block. `scale`: the largest distance.
        """
        own: list[np.ndarray] = []
        largest = np.full((len(self.ways), len(starts)), -np.inf)
        held: list[np.ndarray] | None = None
        with one_thread(), progress_bar(progress, "splits") as show:
            for block in blocks:
                start, step = 0, max(1, _PRODUCT // block.shape[1])
                for factors in held or self.coefficients():
                    if len(factors) == len(self.ways):   # a single block is kept
                        held = [factors]
                    for row in range(0, len(factors), step):
                        values = factors[row:row + step] @ block
                        if start + row == 0:
                            own.append(values[0])
                        at = largest[start + row:start + row + len(values)]
                        np.maximum(at, np.maximum.reduceat(values, starts, axis=1), out=at)
                    start += len(factors)
                    if show is not None:
                        show(start, len(self.ways))
        statistics = np.concatenate(own)
        group = np.searchsorted(starts, np.arange(statistics.size), side="right") - 1
        ordered = np.sort(largest if self.exact else largest[1:], axis=0)
        above = np.array([len(ordered) - np.searchsorted(
            ordered[:, g], value - _SAME * max(scale, _SAME), side="left")
            for g, value in zip(group, statistics)])
        return statistics, (above if self.exact else 1 + above) / len(self.ways)

    def means(self, value: np.ndarray) -> tuple[float, float | None, float | None, float | None]:
        """Means between and within versions, and of partners, of a matrix (N, N)."""
        m = self.m
        across, matched = value[:m, m:], None
        between = float(across.mean())
        if self.paired:
            matched = float(np.trace(across) / m)
            between = float((across.sum() - np.trace(across)) / (m * (m - 1)))
        within: list[float | None] = []
        for block in (value[:m, :m], value[m:, m:]):
            size = len(block)
            within.append(None if size < 2 else
                          float((block.sum() - np.trace(block)) / (size * (size - 1))))
        return between, within[0], within[1], matched


def _seeds(across: np.ndarray, most: int, rng: RNG) -> tuple[float, bool]:
    """Share of matchings of old and new runs at least as close as the given one; too few to be so?
    """
    m = len(across)
    places, limit = np.arange(m), float(np.trace(across))
    slack = _SAME * m * max(float(across.max(initial=0.0)), _SAME)
    exact = math.factorial(m) <= most
    if exact:
        orders = np.array(list(permutations(range(m))))
    else:
        generator = as_generator(rng)
        orders = np.array([generator.permutation(m) for _ in range(max(most, _FEWEST))])
    close = int(np.count_nonzero(across[places, orders].sum(axis=1) <= limit + slack))
    p = close / len(orders) if exact else (1 + close) / (1 + len(orders))
    alone = m == _FEWEST_PAIRS and close == 1
    return p, m >= _FEWEST_PAIRS and (p <= _SUSPECTED or alone)


# -- where -------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Where:
    """Roots of the objects' element-centric dissimilarities, for all pairs of hard runs."""

    ensemble: Ensemble
    #: of the most central run
    labels: np.ndarray
    #: cluster means of the similarities, and of the roots of 1 - similarity, (P, K)
    similar: np.ndarray
    roots: np.ndarray

    @classmethod
    def of(cls, ensemble: Ensemble, labels: np.ndarray) -> _Where:
        sizes = np.bincount(labels)
        pairs = list(combinations(range(len(ensemble)), 2))
        similar, roots = (np.empty((len(pairs), sizes.size)) for _ in range(2))
        for p, (b, c) in enumerate(pairs):
            values = hard_similarities(ensemble, b, c)[0]
            similar[p] = np.bincount(labels, values, sizes.size) / sizes
            roots[p] = np.bincount(labels, np.sqrt(1.0 - values), sizes.size) / sizes
        return cls(ensemble=ensemble, labels=labels, similar=similar, roots=roots)

    def blocks(self) -> Iterator[np.ndarray]:
        """Roots of the objects, in blocks (P, objects)."""
        pairs = list(combinations(range(len(self.ensemble)), 2))
        n = self.labels.size
        step = max(1, _HELD // len(pairs))
        for start in range(0, n, step):
            yield np.array([np.sqrt(1.0 - hard_similarities(self.ensemble, b, c)[0][
                start:start + step]) for b, c in pairs])

    def rows(self, means: Any, statistics: np.ndarray, p: np.ndarray
             ) -> tuple[dict[str, Any], ...]:
        """A row for each cluster."""
        count = len(self.ensemble)
        rows = []
        for k, size in enumerate(np.bincount(self.labels).tolist()):
            value = np.zeros((count, count))
            value[np.triu_indices(count, 1)] = self.similar[:, k]
            between, old, new, _ = means(value + value.T)
            rows.append({"size": size, "within_old": math.nan if old is None else old,
                         "within_new": math.nan if new is None else new, "between": between,
                         "statistic": float(statistics[k]), "p_value": float(p[k])})
        return tuple(rows)


def _where(ensemble: Ensemble, asked: bool | str, roots: np.ndarray) -> tuple[_Where | None, str]:
    """Distances of clusters and objects, or why they are left out."""
    if asked is False:
        return None, ""
    if any(kind != "hard" for kind in ensemble.kinds):
        return None, "clusters and objects are compared for hard runs only"
    if not ensemble.is_complete:
        return None, "clusters and objects are compared only where every run holds every object"
    count = len(ensemble)
    if asked == "auto" and ensemble.n_objects * math.comb(count, 2) > _OBJECTS:
        return None, ("clusters and objects were left out, since they take long; objects=True "
                      "compares them")
    labels = ensemble.labels[_medoid(ensemble, roots, range(count))].astype(np.int64)
    return _Where.of(ensemble, labels), ""


def _medoid(ensemble: Ensemble, roots: np.ndarray, runs: range) -> int:
    """Place of the run with the smallest sum of distances to the others; of equal ones the first
    in the order of their labels, so that the order of runs does not matter."""
    sums = roots[np.ix_(runs, runs)].sum(axis=1)
    nearest = [runs[k] for k in np.flatnonzero(sums <= sums.min() + _SAME * max(1.0, sums.max()))]
    if len(nearest) == 1 or any(ensemble.kinds[k] != "hard" for k in nearest):
        return nearest[0]
    return min(nearest, key=lambda k: ensemble.labels[k].tolist())
