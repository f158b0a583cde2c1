"""From one kind of clustering to another: lossless to evidential, by a named rule back.

The methods of `Clustering` carry the documentation.
"""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from .._checks import ClusteringError, check_choice, shown
from ._base import Clustering, method
from .arrays import boolean_matrix
from .belief import (
    belief,
    consonant_levels,
    empty_mass,
    has_empty_mass,
    nonempty_totals,
    pignistic,
    pignistic_shares,
    plausibility,
    refuse_all_on_empty,
)
from .evidential import MAX_CLUSTERS, EvidentialClustering, bit_masks, check_focal_sets
from .fuzzy import FuzzyClustering
from .hard import HardClustering
from .possibilistic import PossibilisticClustering
from .rough import RoughClustering

__all__ = [
    "belief", "harden", "normalize", "pignistic", "plausibility", "to_evidential", "to_fuzzy",
    "to_possibilistic", "to_rough",
]

#: all 2**c sets are listed up to this number of clusters
MAX_FULL_CLUSTERS = 16
#: largest matrix of masses that a conversion makes
MAX_MASS_BYTES = 2**31

C = TypeVar("C", bound=Clustering)


# -- evidential -------------------------------------------------------------------------------
@method
def to_evidential(x: Clustering, focal_sets: Any = "full") -> EvidentialClustering:
    """See `Clustering.to_evidential`."""
    if x.n_clusters > MAX_CLUSTERS:
        raise ClusteringError(f"there are {x.n_clusters} clusters; evidential clusterings have at "
                              f"most {MAX_CLUSTERS}")
    if isinstance(focal_sets, str):
        check_choice("focal_sets", focal_sets, ["full", "occurring"])
        if focal_sets == "full":
            return _on_full_sets(x)
        return _on_sets(x, _bits(_occurring(*_entries(x)), x.n_clusters))
    sets = boolean_matrix(focal_sets, "focal_sets")
    if sets.shape[1] != x.n_clusters:
        raise ClusteringError(f"focal_sets has {sets.shape[1]} columns for {x.n_clusters} "
                              "clusters; one column per cluster is needed")
    check_focal_sets(sets, sets.shape[0])
    return _on_sets(x, sets)


def _entries(x: Clustering) -> tuple[np.ndarray, np.ndarray]:
    """Sets as bit masks, (1, r) for all objects or (n, r), and their masses (n, r)."""
    one = np.uint64(1)
    if isinstance(x, HardClustering):
        return (one << x.codes.astype(np.uint64))[:, None], np.ones((x.n_objects, 1))
    if isinstance(x, RoughClustering):
        return bit_masks(x.upper)[:, None], np.ones((x.n_objects, 1))
    if isinstance(x, FuzzyClustering):
        return (one << np.arange(x.n_clusters, dtype=np.uint64))[None], x.membership
    if isinstance(x, PossibilisticClustering):
        order, levels = consonant_levels(x.typicality)
        nested = np.bitwise_or.accumulate(one << order.astype(np.uint64), axis=1)
        none = np.zeros((x.n_objects, 1), dtype=np.uint64)
        return np.hstack([none, nested]), np.hstack([empty_mass(x)[:, None], levels])
    assert isinstance(x, EvidentialClustering)
    return x.focal_masks[None], x.mass


def _occurring(masks: np.ndarray, masses: np.ndarray) -> np.ndarray:
    """Bit masks of the sets with mass for some object, ascending."""
    if masks.shape[0] == 1:
        return np.sort(masks[0, (masses > 0.0).any(axis=0)])
    return np.unique(masks[masses > 0.0])


def _on_full_sets(x: Clustering) -> EvidentialClustering:
    n, c = x.n_objects, x.n_clusters
    if c > MAX_FULL_CLUSTERS or 8 * n << c > MAX_MASS_BYTES:
        raise ClusteringError(
            f"all 2**{c} sets of clusters for {n} objects take {8 * n * 2.0**c / 2**30:.3g} GiB; "
            f"up to {MAX_FULL_CLUSTERS} clusters and {MAX_MASS_BYTES / 2**30:.3g} GiB are listed "
            'in full: to_evidential(focal_sets="occurring") lists the sets that have mass')
    masks, masses = _entries(x)
    mass = np.zeros((n, 1 << c))
    if masks.shape[0] == 1:
        mass[:, masks[0].astype(np.int64)] = masses
    else:
        np.put_along_axis(mass, masks.astype(np.int64), masses, axis=1)
    return x._derive(EvidentialClustering, _mass=mass,
                     _focal_sets=_bits(np.arange(1 << c, dtype=np.uint64), c))


def _on_sets(x: Clustering, sets: np.ndarray) -> EvidentialClustering:
    """Masses over the given sets, which must include every set that has mass."""
    n = x.n_objects
    if 8 * n * sets.shape[0] > MAX_MASS_BYTES:
        raise ClusteringError(
            f"{sets.shape[0]} focal sets for {n} objects take {8 * n * sets.shape[0] / 2**30:.3g} "
            f"GiB; at most {MAX_MASS_BYTES / 2**30:.3g} GiB are made: take fewer objects by "
            "subset(...)")
    masks, masses = _entries(x)
    listed = bit_masks(sets)
    sorter = np.argsort(listed)
    place = np.searchsorted(listed, masks, sorter=sorter).clip(max=listed.size - 1)
    place = sorter[place]
    missing = (listed[place] != masks) & (masses > 0.0)
    if missing.any():
        i, r = np.argwhere(missing)[0]
        mask = np.broadcast_to(masks, masses.shape)[i, r]
        members = _bits(mask[None], x.n_clusters)[0]
        names = ", ".join(str(v) for v, inside in zip(x.cluster_names, members) if inside)
        raise ClusteringError(f"object {i} has mass {masses[i, r]:g} on the set {{{names}}}, which "
                              'is not among focal_sets; add it, or use "occurring"')
    rows, columns = np.nonzero(masses > 0.0)
    mass = np.zeros((n, sets.shape[0]))
    mass[rows, np.broadcast_to(place, masses.shape)[rows, columns]] = masses[rows, columns]
    return x._derive(EvidentialClustering, _mass=mass, _focal_sets=sets)


def _bits(masks: np.ndarray, c: int) -> np.ndarray:
    """Bit masks (f,) as sets, (f, c) bool."""
    return (masks[:, None] >> np.arange(c, dtype=np.uint64) & np.uint64(1)).astype(np.bool_)


# -- empty mass -------------------------------------------------------------------------------
@method
def normalize(x: C, rule: str = "dempster") -> C:
    """See `Clustering.normalize`."""
    check_choice("rule", rule, ["dempster", "yager", "maximum"])
    if rule == "maximum" and not isinstance(x, PossibilisticClustering):
        raise ClusteringError(f'rule="maximum" is for typicalities and this is {x.kind}; '
                              '"dempster" and "yager" suit every kind')
    if not has_empty_mass(x):
        return x
    if rule != "yager":
        refuse_all_on_empty(x, f"{rule} normalization")
    if isinstance(x, PossibilisticClustering):
        largest = x.typicality.max(axis=1, keepdims=True)
        if rule == "yager":  # the mass moved to all clusters lifts every plausibility
            return x._derive(type(x), _typicality=np.minimum(x.typicality + (1.0 - largest), 1.0))
        return x._derive(type(x), _typicality=x.typicality / largest)
    assert isinstance(x, EvidentialClustering)
    mass, sets = np.array(x.mass), x.focal_sets
    if rule == "dempster":
        mass[:, 0] = 0.0
        mass /= nonempty_totals(x, mass)[:, None]
        return x._derive(type(x), _mass=mass, _focal_sets=sets)
    whole = np.flatnonzero(sets.all(axis=1))
    if not whole.size:
        sets = np.vstack([sets, np.ones(x.n_clusters, dtype=np.bool_)])
        mass = np.hstack([mass, np.zeros((x.n_objects, 1))])
        whole = np.array([sets.shape[0] - 1])
    mass[:, whole[0]] += mass[:, 0]
    mass[:, 0] = 0.0
    return x._derive(type(x), _mass=mass, _focal_sets=sets)


# -- lossy ways back --------------------------------------------------------------------------
@method
def harden(x: Clustering, rule: str = "max_plausibility", *, tie_tol: float = 1e-12
           ) -> HardClustering:
    """See `Clustering.harden`."""
    check_choice("rule", rule, ["max_plausibility", "max_belief", "max_pignistic"])
    _check_tolerance(tie_tol)
    if isinstance(x, HardClustering):
        return x
    refuse_all_on_empty(x, "a label")
    if rule == "max_plausibility":
        scores = plausibility(x)
    else:
        scores = belief(x) if rule == "max_belief" else pignistic(x)
    labels = _first_best(scores, tie_tol)
    kind = np.min_scalar_type(x.n_clusters - 1)
    return x._derive(HardClustering, _codes=labels.astype(kind), _n_clusters=x.n_clusters)


@method
def to_rough(x: Clustering, rule: str = "interval_dominance", *, on_empty: str = "raise",
             tie_tol: float = 1e-12) -> RoughClustering:
    """See `Clustering.to_rough`."""
    check_choice("rule", rule, ["interval_dominance", "max_mass"])
    check_choice("on_empty", on_empty, ["raise", "vacuous", "nonempty"])
    _check_tolerance(tie_tol)
    if isinstance(x, RoughClustering):
        return x
    if rule == "interval_dominance":
        upper = _undominated(plausibility(x), belief(x), tie_tol)
    elif isinstance(x, PossibilisticClustering):
        order, levels = consonant_levels(x.typicality)
        size = _best_sets(np.hstack([empty_mass(x)[:, None], levels]), True, on_empty, tie_tol)
        size[size < 0] = x.n_clusters
        rank = np.argsort(order, axis=1)
        upper = rank < size[:, None]
    elif isinstance(x, EvidentialClustering):
        starts_empty = not x.focal_sets[0].any()
        best = _best_sets(x.mass, starts_empty, on_empty, tie_tol)
        upper = np.where(best[:, None] < 0, True, x.focal_sets[best])
    else:
        best = _first_best(plausibility(x), tie_tol)
        upper = best[:, None] == np.arange(x.n_clusters)
    lower = upper & (upper.sum(axis=1) == 1)[:, None]
    return x._derive(RoughClustering, _lower=lower, _upper=upper)


def _undominated(high: np.ndarray, low: np.ndarray, tie_tol: float) -> np.ndarray:
    """Possible clusters whose plausibility reaches the largest belief; all when none is possible.

    The demand to be possible matters where no single cluster has belief: without it {a, b} of
    three clusters would become all three.
    """
    upper = (high > tie_tol) & (high >= low.max(axis=1, keepdims=True) - tie_tol)
    upper[~upper.any(axis=1)] = True
    return upper


def _best_sets(masses: np.ndarray, starts_empty: bool, on_empty: str, tie_tol: float
               ) -> np.ndarray:
    """Column of the largest mass of each row; -1 where `on_empty` says all clusters."""
    best = _first_best(masses, tie_tol)
    if not starts_empty:
        return best
    empty = best == 0
    if not empty.any():
        return best
    count, i = int(empty.sum()), int(np.flatnonzero(empty)[0])
    more = f" ({count} such objects)" if count > 1 else ""
    if on_empty == "raise":
        raise ClusteringError(
            f"object {i} has its largest mass, {masses[i, 0]:g}, on the empty set{more}; choose "
            'on_empty="vacuous" for all clusters or "nonempty" for the best other set')
    if on_empty == "vacuous":
        best[empty] = -1
        return best
    others = masses[empty, 1:]
    if not others.size or not (others > 0.0).any(axis=1).all():
        raise ClusteringError(f"object {i} or a later one has all its mass on the empty set, so "
                              'there is no best non-empty set; choose on_empty="vacuous"')
    best[empty] = 1 + _first_best(others, tie_tol)
    return best


@method
def to_fuzzy(x: Clustering, rule: str = "pignistic") -> FuzzyClustering:
    """See `Clustering.to_fuzzy`."""
    check_choice("rule", rule, ["pignistic", "plausibility"])
    if isinstance(x, FuzzyClustering):
        return x
    refuse_all_on_empty(x, "a membership")
    shares = pignistic_shares(x) if rule == "pignistic" else plausibility(x)
    totals = nonempty_totals(x, shares) if rule == "pignistic" else shares.sum(axis=1)
    return x._derive(FuzzyClustering, _membership=shares / totals[:, None])


@method
def to_possibilistic(x: Clustering) -> PossibilisticClustering:
    """See `Clustering.to_possibilistic`."""
    if isinstance(x, PossibilisticClustering):
        return x
    # Masses may sum to 1 + 1e-8; a typicality may not exceed 1.
    return x._derive(PossibilisticClustering, _typicality=np.minimum(plausibility(x), 1.0))


def _first_best(scores: np.ndarray, tie_tol: float) -> np.ndarray:
    """First column of each row within `tie_tol` of the largest entry, (n,) int64."""
    return np.argmax(scores >= scores.max(axis=1, keepdims=True) - tie_tol, axis=1)


def _check_tolerance(tie_tol: Any) -> None:
    if not (isinstance(tie_tol, (int, float, np.number)) and 0.0 <= tie_tol < 1.0):
        raise ValueError(f"tie_tol is {shown(tie_tol)}; a number in [0, 1) is needed")
