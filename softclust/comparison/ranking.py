"""`rank_clusterings()`: which of several clusterings may be nearest to the truth."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations
from operator import attrgetter
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError, check_level, check_whole, frozen, shown
from .._types import (
    ArrayLike,
    ClusteringLike,
    EnsembleLike,
    FrameLike,
    MissingRules,
    NoiseRules,
    Objects,
)
from ..clusterings import Ensemble
from ..clusterings.alignment import Policies, settled
from ..clusterings.ensemble import parts_of
from ..measures import Measure, ends, registry
from ..measures.joint import Joint
from ..measures.limit_rules import FEWEST_RARE, Like, LogScale, NoLimits
from ..results.frames import same_frames
from ..results.records import POSITION, Columns, Drawn, Interval, Record, Tidied
from ..results.summary import SummaryTable, right
from ..results.text import amount
from ..running.threads import Progress, progress_bar
from ..running.warnings import quiet
from ..tables.contingency import Contingency
from ..tables.corrected_entropies import n_rare
from ..tables.frame_sides import Units, frame_columns
from ..tables.groups import Grouped
from ..tables.set_matching import transfer_distance
from .group_limits import degrees_of_freedom, description, grouped, too_few, without_groups
from .limits import Estimated, stand_in, student
from .maxima import drawn_maxima
from .several import pair_measure

FEWEST_DRAWS = 1000
#: clusterings whose difference varies less than this count as equal
SAME = 1e-12
#: objects that a sign test of level .05 needs to tell two clusterings apart, and the p-value of one
_TELLING, _ONE = 6, 0.4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Drawn, Tidied, Record):
    """Ranking of clusterings by nearness to the truth; made by `rank_clusterings`.

    Attributes
    ----------
    names : tuple of str
        Names of the m clusterings.
    measure : str
        Name of the measure of nearness.
    sense : str
        "agreement" or "dissimilarity".
    level : float
        Joint coverage of all confidence intervals.
    n_objects : int
    value : ndarray, shape (m,)
        Measure of the truth and each clustering.
    estimate : ndarray, shape (m,)
        The value, corrected for bias if it is an information measure; this is what is ranked.
    standard_error : ndarray, shape (m,)
        Standard error of each single estimate.
    gain : ndarray, shape (m,)
        Lead over the best of the others, in units of the measure; negative for a clustering behind
        it.
    low, high : ndarray, shape (m,)
        Simultaneous confidence interval of the lead: low <= 0 <= high. ``low`` is 0 for the only
        clustering that may be the best; ``high`` is 0 for one that cannot be.
    possibly_best : tuple of int
        Positions of the clusterings that may be the best; with probability `level` the best one is
        among them.
    order : tuple of int
        Positions from the nearest to the farthest.
    critical : ndarray, shape (m,)
        Quantiles used.
    root_standard_error : ndarray, shape (m, m)
        Standard errors of the differences on the scale of -2 sqrt(distance from the best value).
    p_values : ndarray, shape (m, m)
        p-values of all differences jointly: the probability that any difference is as large as this
        one if all clusterings were equally near.
    notes : tuple of str

    Notes
    -----
    ``to_frame()``: one row per clustering, in the order in which they were given. Indexed by name:
    value, estimate, standard_error, gain, low, high, possibly_best, rank (equal for the same
    clustering under several names).

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 1, 2] * 20
    >>> found = {"a": [0, 1, 2] * 19 + [0, 2, 1], "b": [0, 1, 1] * 20}
    >>> softclust.rank_clusterings(truth, found)
    Ranking(adjusted_rand_index of 2 clusterings: possibly best a; 60 objects)
    >>> print(softclust.rank_clusterings(truth, found).summary())
    a is the best of 2 at level 0.95
    ...
    """

    _chart = "plot_ranking"
    _tidy = "term=clustering estimate=gain conf_low=low conf_high=high"
    _glance = ("measure", "sense", "level", "n_objects", "answer")

    names: Annotated[tuple[str, ...], "distinct"]
    measure: Annotated[str, "measure"]
    sense: str
    level: Annotated[float, "0..1"]
    n_objects: int
    value: Annotated[np.ndarray, "f names"]
    estimate: Annotated[np.ndarray, "f names"]
    standard_error: Annotated[np.ndarray, "f names"]
    gain: Annotated[np.ndarray, "f names"]
    low: Annotated[np.ndarray, "f names"]
    high: Annotated[np.ndarray, "f names"]
    possibly_best: tuple[Annotated[int, "<names"], ...] = field(metadata=POSITION)
    order: Annotated[tuple[int, ...], "distinct names <names"] = field(metadata=POSITION)
    critical: Annotated[np.ndarray, "f names"]
    root_standard_error: Annotated[np.ndarray, "f names names"]
    p_values: Annotated[np.ndarray, "f names names"]
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return (f"Ranking({self.measure} of {len(self)} clusterings: possibly best "
                f"{self._best_names()}; {self.n_objects} objects)")

    def _best_names(self) -> str:
        return ", ".join(self.names[i] for i in self.order if i in self.possibly_best)

    @property
    def answer(self) -> str:
        """The result in one sentence: ``2 of 5 may be best at level 0.95: a, c``."""
        count = len(self.possibly_best)
        if count == 1:
            return (f"{self._best_names()} is the best of {len(self)} at level {self.level:g}")
        return (f"{count} of {len(self)} may be best at level {self.level:g}: "
                f"{self._best_names()}")

    def _table(self) -> SummaryTable:
        # Only information measures are corrected for bias.
        corrected = bool((self.value != self.estimate).any())
        notes = [f"{self.measure} ({self.sense}) with the truth, {self.n_objects} objects. Lead: "
                 "over the best of the others, with simultaneous "
                 f"{100 * self.level:g} % confidence intervals when objects are sampled and "
                 "labels are held fixed."]
        if ((self.low == 0.0) | (self.high == 0.0)).any():
            notes.append("These intervals always include 0; one that ends at 0 says that the data "
                         "decide who is ahead.")
        if corrected:
            notes.append("Estimate: the value corrected for its bias in small samples; the leads "
                         "are differences of estimates.")
        order = [*self.order]
        return SummaryTable.of(
            {"clustering": [self.names[i] for i in order],
             self.measure: right(self.value[order], amount),
             **({"estimate": right(self.estimate[order], amount)} if corrected else {}),
             "lead": right(self.gain[order], amount),
             f"{100 * self.level:g} % CI": right(
                 f"{amount(self.low[i])} to {amount(self.high[i])}" for i in order),
             "may be best": ["yes" if i in self.possibly_best else "no" for i in order]},
            title=self.answer, notes=notes + [f"Note: {note}." for note in self.notes])

    def _frame(self) -> Columns:
        return Columns(
            {"value": self.value, "estimate": self.estimate, "standard_error": self.standard_error,
             "gain": self.gain, "low": self.low, "high": self.high,
             "possibly_best": [i in self.possibly_best for i in range(len(self))],
             "rank": self.ranks()}, {"clustering": self.names})

    def ranks(self) -> list[int]:
        """Rank of each clustering, 1 for the nearest; equal ones share the smallest."""
        ranks = [0] * len(self)
        for place, i in enumerate(self.order):
            before = self.order[place - 1] if place else i
            tied = place > 0 and self.root_standard_error[i, before] <= SAME
            ranks[i] = ranks[before] if tied else place + 1
        return ranks


@same_frames
def rank_clusterings(truth: ClusteringLike, clusterings: EnsembleLike, *,
                     data: FrameLike | None = None, measure: str = "adjusted_rand_index",
                     level: float = 0.95,
                     names: Iterable[str] | None = None, noise: NoiseRules = None,
                     noise_label: Any = -1, missing: MissingRules = "raise",
                     objects: Objects = "same", n_draws: int = 100_000,
                     critical: ArrayLike | None = None, groups: ArrayLike | None = None,
                     strata: ArrayLike | None = None, progress: Progress | bool | None = False,
                     **options: Any) -> Ranking:
    r"""Rank clusterings by their nearness to the truth, and find those that may be the best.

    Parameters
    ----------
    truth : clustering-like
        The reference, of n >= 3 objects.
    clusterings : sequence, mapping or Ensemble
        m >= 2 clusterings of the same objects.
    data : data frame, optional
        Frame in which truth, clusterings, groups and strata are names of columns.
    measure : str
        Measure of nearness: an index that counts pairs, an information measure or a soft measure.
        The largest value of an agreement is the nearest, the smallest of a dissimilarity.
    level : float
        Probability with which all confidence intervals hold jointly, approximately.
    names : sequence of str, optional
        Names of the clusterings; by default keys of a mapping, names of Series, or numbers.
    noise, noise_label, missing, objects : optional
        How to treat noise and missing labels and how to match objects, as in `align`; an object
        dropped from one clustering is dropped from all. A tuple of two is for the truth and for the
        clusterings.
    n_draws : int
        Number of normal draws for the quantiles, at least 1000; from a fixed stream, so that the
        result is always the same.
    critical : array-like, shape (m,), optional
        Quantiles to use instead of drawn ones; standard errors are then left as they are.
    groups, strata : array-like, shape (n,), optional
        Group of each object, if groups are the sample, and stratum of each object or group, as in
        `compare`.
    progress : bool or callable, optional
        True for a progress bar, or a function (done, total) of clusterings.
    **options
        Options of the measure.

    Returns
    -------
    Ranking

    Raises
    ------
    ClusteringError
        If there are fewer than two clusterings, their objects differ from those of the truth, or
        the measure is undefined for one of them or has no confidence interval to base a ranking on.
    ValueError
        If the measure is unknown, or `level`, `n_draws` or `critical` is not as described.
    TypeError
        If the measure has no such option.

    See Also
    --------
    compare, prayatul, compare_all

    Notes
    -----
    .. math:: \varphi_i - \max_{j \ne i} \varphi_j, \quad \varphi = -2 \sqrt{D}

    All clusterings share the objects, so their differences are paired. D is the distance of the
    (corrected) estimate from the best value; phi is compared instead of D because its error hardly
    depends on D. The intervals are multiple comparisons with the best (Hsu 1984). For each
    clustering i they use the quantile of the maximum over j of (Z_j - Z_i) / se_ij, where Z is
    normal with the covariance of the leave-one-out influences. With probability `level` the best is
    among ``possibly_best``, and the lead of every clustering over the best of the others is within
    its interval. `p_values` are single-step over all pairs. The labels are held fixed: whether the
    *algorithms* differ on new data is another question. The simulated coverage of the adjusted Rand
    index is .92 to 1; the guide has that of other measures. Time O(n m^2 + n_draws m^2), memory
    (n + n_draws) m.

    Theory: docs/theory/limits.md.

    References
    ----------
    J. C. Hsu (1984), Constrained simultaneous confidence intervals for multiple comparisons with
    the best, Annals of Statistics 12, 1136-1144.

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 1, 2] * 20
    >>> found = {"a": [0, 1, 2] * 19 + [0, 2, 1], "b": [0, 1, 2] * 17 + [1, 1, 2] * 3,
    ...          "c": [0, 1, 1] * 20}
    >>> ranking = softclust.rank_clusterings(truth, found)
    >>> ranking.answer
    '2 of 3 may be best at level 0.95: a, b'
    >>> ranking.gain.round(3).tolist()
    [0.045, -0.045, -0.339]
    """
    if data is not None:
        columns: list[Any] = [*clusterings]   # type: ignore[misc]
        truth, groups, strata, *found = frame_columns(data, [truth, groups, strata, *columns])
        clusterings = dict(zip(map(str, columns), found))
    units = Units.named(groups, strata)
    m = pair_measure(measure, options, rank_clusterings)
    check_level(level)
    draws = check_whole("n_draws", n_draws, FEWEST_DRAWS)
    members, labels = parts_of(clusterings, names)
    if len(members) < 2:
        raise ClusteringError(f"{len(members)} clustering to rank; at least 2 are needed. For the "
                              'confidence interval of one: compare(truth, x, ci="jackknife")')
    sides, alignment = settled([truth, *members], ["truth", *labels], Policies(
        noise, noise_label, missing, objects).with_truth(len(members)))
    reference, *ranked = Ensemble(sides, ["truth", *labels])
    ensemble = Ensemble(ranked, labels)
    if reference.n_objects < 3:
        raise ClusteringError(f"the clusterings have {reference.n_objects} objects; a ranking "
                              "needs at least 3")
    quantiles = None
    if critical is not None:
        quantiles = np.asarray(critical, dtype=np.float64)
        if quantiles.shape != (len(ensemble),) or not (
                np.isfinite(quantiles) & (quantiles >= 0.0)).all():
            raise ValueError(f"critical is {shown(critical)}; {len(ensemble)} finite numbers >= 0, "
                             "one for each clustering, are needed")
    parts, sample = [], None
    with progress_bar(progress, f"ranking by {m.name}") as show:
        for k, (name, each) in enumerate(zip(ensemble.names, ensemble)):
            joint = Joint.of_checked(reference, each)
            sample = grouped(joint, units, alignment) if units.what else None
            parts.append(_part(m, joint, options, name, sample))
            if show is not None:
                show(k + 1, len(ensemble))
        # Where some have random groups, because an evaluation takes long, all have the same ones.
        fewest = min(part.influence.size for part in parts)
        for k, (name, each) in enumerate(zip(ensemble.names, ensemble)):
            if parts[k].influence.size > fewest:
                parts[k] = _part(m, Joint.of_checked(reference, each), options, name, None, True)
    notes = [] if alignment is None else [alignment.header]
    notes += [f"{name}: {part.note}" for name, part in zip(ensemble.names, parts) if part.note]
    if sample is not None:
        notes.append(description(sample, []))
    numbers = [each.n_clusters for each in ensemble]
    if m.favours_many is not None and max(numbers) >= 2 * min(numbers) and all(
            options.get(name, m.defaults[name]) in values
            for name, values in m.favours_many.items()):
        notes.append(f"the clusterings have {min(numbers)} to {max(numbers)} clusters, and "
                     f"{m.name} favours many; adjusted_rand_index and adjusted_mutual_information "
                     'with average="max" do not')
    # Objects (at most as many as groups) that tell two clusterings apart; soft ones differ in all.
    differ = np.full((len(ensemble), len(ensemble)), math.inf)
    for i, j in combinations(range(len(ensemble)), 2):
        pair = Joint.of_checked(ensemble[i], ensemble[j])
        if pair.both_hard:
            differ[i, j] = differ[j, i] = min(transfer_distance(pair), parts[i].influence.size)
    return _ranking(ensemble.names, m, level, parts, quantiles, draws, tuple(notes),
                    reference.n_objects, differ)


# -- what is given ----------------------------------------------------------------------------
def _choices() -> str:
    """List the measures that are most often used for rankings."""
    first = sorted((m for m in registry().values() if m.place < math.inf and m.arity == 2),
                   key=attrgetter("place"))
    return ", ".join(m.name for m in first[:6])


# -- one clustering ---------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One clustering and the truth: estimate, influences of the objects, distance from the best."""

    value: float
    estimate: float
    influence: np.ndarray
    best: float
    larger: bool
    note: str
    #: degrees of freedom of Student's distribution
    degrees: float


def _part(m: Measure, joint: Joint, options: dict[str, Any], name: str, sample: Grouped | None,
          in_groups: bool = False) -> _Part:
    """Compute the influences of objects, or of groups if these are the sample.

    `in_groups`: of random groups of objects that are left out together.
    """
    m.check_kinds(joint, options)
    with quiet():
        value = m.listed_value(m.evaluate(joint, options))
    if isinstance(value, Interval):
        raise ClusteringError(f"{m.name} is an interval; choose one of {_choices()}")
    if math.isnan(value):
        raise ClusteringError(f"{m.name} is undefined for {name}; leave it out or choose another "
                              "measure")
    target, settings, theirs, rule, convert = stand_in(joint, m, options, value)
    if not isinstance(rule, LogScale) or convert is not None:
        why = (rule.reason if isinstance(rule, NoLimits) else
               "a function of another measure" if isinstance(m.limit_rule(joint), Like) else
               "a share of the objects in the best choice of cells")
        raise ClusteringError(f"{m.name} is {why}; choose one of {_choices()}")
    n, notes = joint.n_objects, []
    if sample is None:
        what = Estimated(joint, target, settings, rule)
        left = what.left_out(in_groups)
        if left.reason or left.of_sample:
            raise ClusteringError(f"{m.name} of {name}: " + (
                left.reason or f"{n} objects have too many pairs to rank by it"))
        values, degrees = left.by_unit(joint), left.units - 1.0
        influence = -degrees * (values - values.mean())
        notes = [left.method] * (left.units < n)
        estimate = (ends(theirs) if rule.formula is None else what.corrected())[0]
    else:
        (estimate, _), left = without_groups(Estimated(sample, target, settings, rule))
        if reason := too_few(sample, share=True) or left.reason:
            raise ClusteringError(f"{m.name} of {name}: {reason}")
        # Influences of groups, from estimates without each of them, centred within strata.
        size, influence = sample.n_groups, np.empty(sample.n_groups)
        for h in range(sample.n_strata):
            inside = sample.strata == h
            count, without = int(inside.sum()), left.values[inside, 0]
            influence[inside] = -math.sqrt(size * (size - 1.0) * (count - 1) / count) * (
                without - without.mean())
        degrees = degrees_of_freedom(sample)
        notes = [too_few(sample)]
    low, high = rule.bounds or target.range(joint)
    larger = target.sense == "agreement"
    best = rule.best(joint) if rule.best is not None else high if larger else low
    if best is None:
        raise ClusteringError(f"{m.name} has no best value to rank by; choose one of {_choices()}")
    rare = n_rare(joint.statistic(Contingency)) if rule.corrected else FEWEST_RARE
    if rare < FEWEST_RARE:
        notes.insert(0, f"{rare} objects lie outside the main cells; confidence intervals of "
                        f"information measures need {FEWEST_RARE}")
    return _Part(value=value, estimate=estimate, best=float(best), larger=larger,
                 influence=influence, degrees=degrees, note="; ".join(filter(None, notes)))


# -- all of them ------------------------------------------------------------------------------
def _ranking(names: tuple[str, ...], m: Measure, level: float, parts: list[_Part],
             critical: np.ndarray | None, n_draws: int, notes: tuple[str, ...], n: int,
             differ: np.ndarray) -> Ranking:
    from scipy.spatial.distance import pdist, squareform
    from scipy.special import ndtri
    larger = parts[0].larger
    # One best value for all: that of mutual information depends on the numbers of clusters.
    best = max(p.best for p in parts) if larger else min(p.best for p in parts)
    estimate = np.array([p.estimate for p in parts])
    far = np.maximum(best - estimate if larger else estimate - best, 0.0)
    influences = np.column_stack([p.influence for p in parts])
    units, df = influences.shape[0], min(p.degrees for p in parts)   # objects, or groups
    scaled = influences * ((1.0 if larger else -1.0) / np.sqrt(np.maximum(far, 1.0 / n)))
    phi, count = -2.0 * np.sqrt(far), len(parts)
    errors = np.sqrt(squareform(pdist(scaled.T, "sqeuclidean")) / (units * (units - 1.0)))
    gaps = phi[:, None] - phi[None, :]
    # A sign test of k objects that tell two clusterings apart has p >= 2^-k: where they are few, no
    # difference is more standard errors. Ready quantiles are for the errors as they are.
    few = (differ < _TELLING) & (errors > SAME) & (critical is None)
    most = -ndtri(np.minimum(0.5**np.where(few, differ, 1.0), _ONE))
    errors = np.where(few, np.maximum(errors, np.abs(gaps) / most), errors)
    if pairs := int(few.sum()) // 2:
        what = ("1 pair of clusterings differs" if pairs == 1 else
                f"{pairs} pairs of clusterings differ")
        notes = (*notes, f"{what} in fewer than {_TELLING} objects, too few to tell them apart")
    statistic = np.divide(np.abs(gaps), errors, out=np.zeros_like(gaps), where=errors > SAME)
    drawn, p_values = _simulated(scaled, errors, phi, statistic, level, df, n_draws)
    quantiles = drawn if critical is None else critical
    low, high, possible = with_the_best(phi, far, errors, quantiles)
    others = np.where(np.eye(count, dtype=bool), np.inf, far[None, :]).min(axis=1)
    return Ranking(
        names=tuple(names), measure=m.name, sense=m.sense, level=level, n_objects=n,
        value=frozen(np.array([p.value for p in parts])), estimate=frozen(estimate),
        standard_error=frozen(np.sqrt((influences**2).sum(axis=0) / (units * (units - 1.0)))),
        gain=frozen(others - far), low=frozen(low), high=frozen(high), possibly_best=possible,
        order=tuple(np.argsort(-phi, kind="stable").tolist()), critical=frozen(quantiles),
        root_standard_error=frozen(errors), p_values=frozen(p_values), notes=notes)


def with_the_best(phi: np.ndarray, far: np.ndarray, errors: np.ndarray, critical: np.ndarray
                  ) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]]:
    """Multiple comparisons with the best: intervals of the lead, and who may be the best."""
    m = phi.shape[0]
    roots = np.sqrt(far)
    units = (roots[:, None] + roots[None, :]) / 2.0
    gaps, itself = phi[:, None] - phi[None, :], np.eye(m, dtype=bool)
    reach = gaps + critical[:, None] * errors
    high = np.maximum(0.0, np.where(itself, np.inf, reach * units).min(axis=1))
    one = itself | ((errors <= SAME) & (np.abs(gaps) <= SAME))
    possible = (one | (reach > 0.0)).all(axis=1) | (phi == phi.max())
    behind = (gaps - critical[None, :] * errors) * units
    rivals = np.where(itself | ~possible[None, :], np.inf, behind).min(axis=1)
    low = np.where(np.isinf(rivals), 0.0, np.minimum(0.0, rivals))
    return low, high, tuple(np.flatnonzero(possible).tolist())


def _simulated(scaled: np.ndarray, errors: np.ndarray, phi: np.ndarray, statistic: np.ndarray,
               level: float, df: float, n_draws: int) -> tuple[np.ndarray, np.ndarray]:
    """Quantiles (m,) of max (Z_j - Z_i)/(se_ij chi), and joint p-values (m, m) of all pairs."""
    m = phi.shape[0]
    if m == 2:
        from scipy.special import stdtr
        t = student(2.0 * level - 1.0, df) if level > 0.5 else 0.0
        p = 2.0 * stdtr(df, -statistic)
        return np.full(2, t), np.where(errors > SAME, np.minimum(p, 1.0), 1.0)
    units = scaled.shape[0]
    covariance = scaled.T @ scaled / (units * (units - 1.0))
    largest, _ = drawn_maxima(covariance, errors, phi, df, n_draws, least=SAME)
    quantiles, both = np.maximum(np.quantile(largest, level, axis=1), 0.0), largest.max(axis=0)
    both.sort()
    above = n_draws - np.searchsorted(both, statistic.ravel()).reshape(m, m)
    return quantiles, np.where(errors > SAME, above / n_draws, 1.0)
