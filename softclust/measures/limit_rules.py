"""Rules for the confidence interval of a measure, read by `compare` and rankings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..memberships.matched_columns import MatchedColumns
from ..tables.best_choice import matching_changes
from ..tables.contingency import Contingency
from ..tables.corrected_entropies import CorrectedEntropies
from ..tables.entropy import TableInformation
from ..tables.pair_counts import PairCounts, gamma
from ..tables.quotient import root
from ..tables.table_moments import information_sd, joined_sd
from .statistic import Source, Statistic

#: objects outside the main cells that limits of information measures need, and below which
#: those of other measures are called unreliable
FEWEST_RARE = 5
#: objects per cluster that limits of corrected measures need, on the side with more clusters; for
#: information the largest correction for bias, in standard errors, and the share of the cells that
#: hold objects from which on it may be larger: from simulations
PER_CLUSTER, MOST_CORRECTED, FULL_TABLE = 10, 2.0, 0.9
#: largest bias in standard errors: that the jackknife or a bootstrap shows for two hard
#: clusterings; for others, or that was corrected; from simulations
MOST_BIAS, MOST_OTHER_BIAS = 0.25, 1.0
#: seed of the halves that are matched again
_SPLITS = 20120904
#: of a measure whose record has no rule
NOT_SIMULATED = "coverage not simulated"
#: why measures that are the best or worst of several classes have no confidence interval
OF_CLASSES = "a minimum or maximum over classes: resampling is not consistent at ties"

Bounds = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LogScale:
    """Limits by leaving out one object, on the logarithm of the distance from the best value.

    Attributes
    ----------
    statistic, formula : type and callable, or None
        Of the estimate around which the limits are built; by default those of the measure.
    floor : callable or None
        ``floor(source, found, options)``: standard deviation of the measure when labels are
        permuted, `found` the statistic of the estimate. None: no floor.
    best : callable or None
        The best value for a source; by default the end of the range, 0 or 1.
    bounds : (low, high) or None
        Where limits are cut; by default the range of the measure where it is fixed.
    unless : callable or None
        Reason why these clusterings have no interval; "" where they have one.
    corrected : bool
        Whether the estimate is corrected for bias, which needs `FEWEST_RARE` rare objects.
    unbiased : bool
        Whether simulations showed no bias, so that `MOST_BIAS` is not checked.
    units : callable or None
        Factor of the estimate, its limits and the best value at the end.
    degree : callable or None
        The power of n with which the measure grows, from its options; by default it does not.
    in_groups : tuple of str
        Kinds for which limits by random groups of objects were simulated, among them hard
        clusterings; none for other kinds.
    """

    statistic: type[Statistic] | None = None
    formula: Callable[..., Any] | None = None
    floor: Callable[[Source, Any, dict[str, Any]], float] | None = None
    best: Callable[[Source], float] | None = None
    bounds: Bounds | None = None
    unless: Callable[[Source], str] | None = None
    corrected: bool = False
    unbiased: bool = False
    units: Callable[[Source], float] | None = None
    degree: Callable[[Mapping[str, Any]], float] | None = None
    in_groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Limits of a share of the objects: those in the best choice of cells.

    Attributes
    ----------
    choice : {"rows", "matching"}
        One cell for each cluster of x, or a one-to-one matching of clusters.
    value : callable or None
        The measure from the share and the source, monotone in the share; None: the share.
    unless : callable or None
        Reason why these clusterings have no interval; "" where they have one.
    """

    choice: str
    value: Callable[[float, Source], float] | None = None
    unless: Callable[[Source], str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Like:
    """Limits of another measure, in the units of this one.

    Attributes
    ----------
    measure : str
        The other measure; it gets the options that it has.
    value : callable or None
        This measure from the other and the source, increasing; None: the same value, or one that
        differs only by its bias.
    """

    measure: str
    value: Callable[[float, Source], float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoLimits:
    """No confidence interval, with the reason."""

    reason: str


LimitRule = LogScale | Share | Like | NoLimits
PLAIN = LogScale()


# -- pair counting ----------------------------------------------------------------------------
def _pair_floor(factor: Callable[[PairCounts], float]) -> LogScale:
    """Floor: the standard deviation of n11 times `factor`; none where a side joins no pair."""
    def floor(source: Source, statistic: Any, options: dict[str, Any]) -> float:
        sd = joined_sd(source)
        return sd * factor(source.statistic(PairCounts)) if sd else 0.0

    return LogScale(floor=floor, unbiased=True)


def _adjusted(p: PairCounts) -> float:
    in_x, in_y = p.n11 + p.n10, p.n11 + p.n01
    under = (in_x + in_y) / 2 - in_x * in_y / (in_x + p.n01 + p.n00)
    return 1.0 / under if under else 0.0


RAND = _pair_floor(lambda p: 2.0 / p.n_pairs)
ADJUSTED_RAND = _pair_floor(_adjusted)
FOWLKES_MALLOWS = _pair_floor(lambda p: 1.0 / root(p.in_x * p.in_y))
WALLACE = _pair_floor(lambda p: 1.0 / p.in_x)
JACCARD = _pair_floor(lambda p: (p.in_x + p.in_y)
                      / (p.in_x + p.in_y - p.in_x * p.in_y / p.n_pairs) ** 2)


def _correlation(p: PairCounts) -> Any:
    """Correlation of "together" in x and in y, over pairs of distinct objects."""
    over, under = gamma(p)
    return _divided(float(over) if isinstance(over, int) else over, under)


#: without the diagonal, which is part of the index: with many clusters it is most of it, and in
#: the population it is nothing
KATZ_POWELL = LogScale(
    statistic=PairCounts, formula=_correlation, unbiased=True,
    floor=lambda source, pairs, options: joined_sd(source) * float(
        _divided(float(pairs.n_pairs), gamma(pairs)[1])))


# -- maxima -----------------------------------------------------------------------------------
def only_soft(share: Share | Like | NoLimits, soft: LimitRule = PLAIN
              ) -> Callable[[Source], LimitRule]:
    """`share` for two hard clusterings, another rule (the logarithmic scale) for others."""
    return lambda source: share if source.both_hard else soft


def matched(degree: float = 0.0) -> LogScale:
    """The logarithmic scale for matched memberships, growing with this power of n."""
    return LogScale(degree=lambda options: degree, unless=_rematched_columns)


def _rematched_columns(source: Source) -> str:
    """Reason why matched memberships have no interval."""
    u, v = source.statistic(MatchedColumns).sides
    return _rematched(source, "columns", lambda objects: -(u[:, objects] @ v[:, objects].T))


def _rematched_restrictions(source: Source) -> str:
    """Reason why matched masses have no interval."""
    pair = source.objects
    return _rematched(source, "masses",
                      lambda objects: pair.subset(objects).restriction_costs[1])


def _rematched(source: Source, what: str, costs: Callable[[np.ndarray], np.ndarray]) -> str:
    changes = source.kept(("rematched", what), lambda: matching_changes(
        costs, source.n_objects, np.random.default_rng(_SPLITS)))
    return "another matching of the clusters is nearly as good: random halves choose it" * changes


#: of masses restricted to single clusters, which are matched
MATCHED_MASSES = LogScale(unless=_rematched_restrictions)


def unseen_clusters(source: Source) -> str:
    """Reason why a measure that depends on the number of clusters has no interval."""
    c = source.statistic(Contingency)
    if max(c.n_used) == 1 or (c.a == 1).any() or (c.b == 1).any():
        return ("some cluster has one object, or one has all: the objects may not show "
                "all clusters, on whose number the measure depends")
    return ""


def only_hard(reason: str) -> Callable[[Source], LimitRule]:
    """The limits of the hard namesake for two hard clusterings, none for others."""
    return lambda source: PLAIN if source.both_hard else NoLimits(reason=reason)


def of_classes_unless_hard(share: Share) -> Callable[[Source], LimitRule]:
    """`share` for two hard clusterings, no limits for others."""
    return lambda source: share if source.both_hard else NoLimits(reason=OF_CLASSES)


# -- information ------------------------------------------------------------------------------
def _average(h: Any, average: str) -> Any:
    return {"arithmetic": lambda: (h.h_x + h.h_y) / 2, "max": lambda: np.maximum(h.h_x, h.h_y),
            "min": lambda: np.minimum(h.h_x, h.h_y),
            "geometric": lambda: np.sqrt(h.h_x * h.h_y), "joint": lambda: h.h_xy}[average]()


def _divided(over: Any, under: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(over, under)


def corrected_normalized(h: Any, *, average: str = "arithmetic") -> Any:
    """NMI of corrected entropies."""
    return _divided(h.mutual, _average(h, average))


def few_per_cluster(source: Source) -> str:
    """Reason why clusters are too small for measures that are corrected for bias."""
    n, clusters = source.n_objects, max(source.statistic(Contingency).n_used)
    if n >= PER_CLUSTER * clusters:
        return ""
    return (f"{n} objects in {clusters} clusters are {n / clusters:.1f} per cluster; limits of "
            f"this measure need {PER_CLUSTER}: see rand_index")


def _biased(source: Source) -> str:
    """Reason why the corrected entropies of these clusters may be far from the true ones."""
    if few := few_per_cluster(source):
        return few
    c = source.statistic(Contingency)
    if c.n_cells >= FULL_TABLE * math.prod(c.n_used):
        return ""
    entropies = source.statistic(CorrectedEntropies)
    value = corrected_normalized(entropies)
    information = TableInformation(c)
    plain = 2.0 * information.mutual / (information.h_x + information.h_y)
    left = source.without_each(CorrectedEntropies)
    assert left is not None
    values = corrected_normalized(left.statistic)
    apart = values - left.times @ values / c.n
    error = max(math.sqrt(left.times @ (apart * apart) * (c.n - 1) / c.n),
                2.0 * information_sd(source) / (entropies.h_x + entropies.h_y))
    if not abs(plain - value) > MOST_CORRECTED * error:
        return ""
    return (f"the correction for bias is {abs(plain - value) / error:.1f} times the standard "
            "error, because most cells of the table have few objects or none, and what is left of "
            "the bias may be larger than the error: see rand_index")


def _information(formula: Callable[..., Any], scale: Callable[[Any, dict[str, Any]], Any],
                 best: Callable[[Source], float] | None = None, bounds: Bounds | None = None
                 ) -> LogScale:
    """A formula on corrected entropies; floor: the sd of the mutual information times `scale`."""
    def floor(source: Source, entropies: Any, options: dict[str, Any]) -> float:
        return information_sd(source) * float(scale(entropies, options))

    return LogScale(statistic=CorrectedEntropies, formula=formula, floor=floor, best=best,
                    bounds=bounds, unless=_biased, corrected=True)


MUTUAL = _information(
    lambda h: h.mutual, lambda h, o: 1.0,
    lambda source: float(np.log(min(source.statistic(Contingency).n_used))), (0.0, None))
VARIATION = _information(lambda h: 2.0 * h.h_xy - h.h_x - h.h_y, lambda h, o: 2.0,
                         bounds=(0.0, None))
NORMALIZED = _information(
    corrected_normalized,
    lambda h, o: _divided(1.0, _average(h, o.get("average", "arithmetic"))))
NORMALIZED_VARIATION = _information(lambda h: 1.0 - _divided(h.mutual, h.h_xy),
                                    lambda h, o: _divided(1.0, h.h_x + h.h_y))
INFORMATION_DISTANCE = _information(
    lambda h: 1.0 - _divided(h.mutual, np.maximum(h.h_x, h.h_y)),
    lambda h, o: _divided(1.0, np.maximum(h.h_x, h.h_y)))
