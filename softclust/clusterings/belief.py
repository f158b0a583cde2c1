"""Belief, plausibility and pignistic probabilities of the five kinds, in closed form for each.

Sums over focal sets use einsum, not BLAS: one order of addition, whatever the threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._checks import ClusteringError, UndefinedMeasureWarning, check_choice
from .._warnings import warn
from ._base import Clustering, method
from .arrays import boolean_matrix
from .evidential import EvidentialClustering
from .fuzzy import FuzzyClustering
from .hard import HardClustering
from .possibilistic import PossibilisticClustering
from .rough import RoughClustering


@method
def belief(x: Clustering, sets: Any = None) -> np.ndarray:
    """See `Clustering.belief`."""
    if isinstance(sets, str):
        check_choice("sets", sets, ["all"])
        return _all_beliefs(x)
    a = _sets(x, sets)
    if isinstance(x, HardClustering):
        return a.T[x.codes].astype(np.float64)
    if isinstance(x, RoughClustering):
        return (_sums(x.upper, ~a) == 0.0).astype(np.float64)
    if isinstance(x, PossibilisticClustering):
        return x.typicality.max(axis=1, keepdims=True) - _largest(x.typicality, ~a)
    if isinstance(x, EvidentialClustering):
        outside = _sums(x.focal_sets, ~a) > 0.0
        return _sums(x.mass, ~outside.T & x.focal_sets.any(axis=1))
    return _sums(_fuzzy(x).membership, a)


@method
def plausibility(x: Clustering, sets: Any = None) -> np.ndarray:
    """See `Clustering.plausibility`."""
    if isinstance(sets, str):
        check_choice("sets", sets, ["all"])
        beliefs = _all_beliefs(x)
        # Pl(A) = Bel(all) - Bel(complement of A), and column b has its complement at 2^c - 1 - b.
        return beliefs[:, -1:] - beliefs[:, ::-1]
    a = _sets(x, sets)
    if isinstance(x, HardClustering):
        return a.T[x.codes].astype(np.float64)
    if isinstance(x, RoughClustering):
        return (_sums(x.upper, a) > 0.0).astype(np.float64)
    if isinstance(x, PossibilisticClustering):
        return _largest(x.typicality, a)
    if isinstance(x, EvidentialClustering):
        return _sums(x.mass, (_sums(x.focal_sets, a) > 0.0).T)
    return _sums(_fuzzy(x).membership, a)


@method
def pignistic(x: Clustering, *, normalized: bool = True) -> np.ndarray:
    """See `Clustering.pignistic`."""
    shares = pignistic_shares(x)
    if not normalized or not has_empty_mass(x):
        return shares
    undefined = all_on_empty(x)
    if undefined.any():
        warn(f"pignistic probabilities are undefined for {_objects(undefined)} with all "
             "mass on the empty set; nan is returned there", UndefinedMeasureWarning,
             stacklevel=3)
    return shares / np.where(undefined, np.nan, nonempty_totals(x, shares))[:, None]


def nonempty_totals(x: Clustering, shares: np.ndarray) -> np.ndarray:
    """What divides `shares` of the non-empty mass to sum to 1: their sums, or 1 without m(empty).

    The sums, rather than 1 - m(empty), because rows of masses may sum to 1 + 1e-8: where little
    mass is left, its part of that error is large. Objects without empty mass keep their bits.
    """
    return np.where(empty_mass(x) > 0.0, shares.sum(axis=1), 1.0)


def pignistic_shares(x: Clustering) -> np.ndarray:
    """Masses divided evenly over the clusters of their sets, (n, c); rows sum to 1 - m(empty)."""
    if isinstance(x, RoughClustering):
        return x.upper / x.upper.sum(axis=1, keepdims=True)
    if isinstance(x, EvidentialClustering):
        sizes = np.maximum(x.focal_sets.sum(axis=1, keepdims=True), 1)
        return np.einsum("if,kf->ik", x.mass, np.ascontiguousarray((x.focal_sets / sizes).T))
    if isinstance(x, PossibilisticClustering):
        order, levels = consonant_levels(x.typicality)
        shares = levels / np.arange(1, x.n_clusters + 1)
        result = np.empty_like(shares)
        tails = np.cumsum(shares[:, ::-1], axis=1)[:, ::-1]
        np.put_along_axis(result, order, tails, axis=1)
        return result
    return plausibility(x)


def consonant_levels(typicality: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Clusters from the largest typicality down, (n, c), and the masses of the nested sets.

    Column r - 1 of the second is the mass of the set of the first r clusters; sets that end
    within a tie get 0, so the order of tied clusters is irrelevant.
    """
    order = np.argsort(-typicality, axis=1, kind="stable")
    values = np.take_along_axis(typicality, order, axis=1)
    return order, -np.diff(values, axis=1, append=0.0)


def empty_mass(x: Clustering) -> np.ndarray:
    """Mass on the empty set, (n,) in [0, 1]."""
    if isinstance(x, EvidentialClustering):
        return x.empty_mass
    if isinstance(x, PossibilisticClustering):
        return 1.0 - x.typicality.max(axis=1)
    return np.zeros(x.n_objects)


def has_empty_mass(x: Clustering) -> bool:
    """Whether the empty set carries mass for some object."""
    return bool((empty_mass(x) > 0.0).any())


def all_on_empty(x: Clustering) -> np.ndarray:
    """Objects with no mass on any cluster, (n,) bool."""
    if isinstance(x, PossibilisticClustering):
        return x.typicality.max(axis=1) == 0.0
    if isinstance(x, EvidentialClustering):
        nowhere = x.mass[:, x.focal_sets.any(axis=1)].max(axis=1, initial=0.0) == 0.0
        return np.logical_or(nowhere, x.empty_mass >= 1.0)
    return np.zeros(x.n_objects, dtype=np.bool_)


def refuse_all_on_empty(x: Clustering, what: str) -> None:
    """Raise ClusteringError when `what` is undefined because some object has no mass at all."""
    undefined = all_on_empty(x)
    if undefined.any():
        raise ClusteringError(
            f"{what} is undefined for {_objects(undefined)} with all mass on the empty set; "
            'normalize("yager") gives that mass to the set of all clusters, subset(...) leaves '
            "such objects out")


def _objects(which: np.ndarray) -> str:
    count, first = int(which.sum()), int(np.flatnonzero(which)[0])
    return f"object {first}" if count == 1 else f"{count} objects (the first is {first})"


def _sets(x: Clustering, sets: Any) -> np.ndarray:
    """The sets asked for, (s, c) bool; single clusters by default."""
    if sets is None:
        return np.eye(x.n_clusters, dtype=np.bool_)
    array = boolean_matrix(sets, "sets")
    if array.shape[1] != x.n_clusters:
        raise ClusteringError(f"sets has {array.shape[1]} columns for {x.n_clusters} clusters; "
                              "one column per cluster is needed")
    return array


def _sums(weights: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Sum of each row of `weights` over the columns in each set, (rows, s)."""
    return np.einsum("if,sf->is", weights.astype(np.float64, copy=False),
                     np.ascontiguousarray(sets, dtype=np.float64))


def _largest(values: np.ndarray, sets: np.ndarray) -> np.ndarray:
    """Largest entry of each row of `values` within each set, 0 for the empty set, (n, s)."""
    result = np.zeros((values.shape[0], sets.shape[0]))
    for j, inside in enumerate(sets):
        if inside.any():
            result[:, j] = values[:, inside].max(axis=1)
    return result


def _fuzzy(x: Clustering) -> FuzzyClustering:
    assert isinstance(x, FuzzyClustering)
    return x


def _all_beliefs(x: Clustering) -> np.ndarray:
    """Bel of every subset in bit mask order, (n, 2^c), by the fast zeta transform."""
    values = np.array(x.to_evidential(focal_sets="full").mass)
    values[:, 0] = 0.0
    for k in range(x.n_clusters):
        halves = values.reshape(x.n_objects, -1, 2, 1 << k)
        halves[:, :, 1, :] += halves[:, :, 0, :]
    return values
