"""Results of the functions of evclust."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import softclust as sc


@dataclass(frozen=True, slots=True, kw_only=True)
class PairwiseMass:
    """Result of `pairwise_mass`: masses of every pair of objects.

    Attributes
    ----------
    different, same, empty : ndarray, shape (n(n-1)/2,)
        Masses on "in different clusters" (M0 in R), "in the same cluster" (M1) and on the empty
        set (Me), pairs in SciPy's condensed order. What they leave of 1 is undetermined.
    """

    different: np.ndarray
    same: np.ndarray
    empty: np.ndarray

    @property
    def n_objects(self) -> int:
        """Number of objects n."""
        return round((1 + (1 + 8 * self.same.size) ** 0.5) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class EcmFit:
    """Result of `ecm`.

    Attributes
    ----------
    clustering : EvidentialClustering
    centers : ndarray, shape (c, p)
        After the last update; the masses belong to the centres before it.
    criterion : float
        Of the centres before the last update.
    """

    clustering: sc.EvidentialClustering
    centers: np.ndarray
    criterion: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CredpartFields:
    """Everything that evclust derives from a credal partition of n objects in c clusters.

    Attributes
    ----------
    mass : (n, f); focal_sets : (f, c) bool
        In evclust's order.
    mass_normalized : (n, f - 1)
        Without the empty set.
    conflict : (n,)
        Mass on the empty set.
    pl, pl_normalized, plausibility_transform : (n, c)
        Plausibilities of the clusters: as they are, after normalisation, scaled to sum 1.
    bel, bel_normalized, betp, betp_normalized : (n, c)
        Beliefs and pignistic probabilities of the clusters.
    max_plausibility, max_belief : (n,) int64
        Best cluster; ties at random.
    max_mass_set, non_dominated_set : (n, c) bool
        Sets of clusters by the two rules; the first is empty for outliers.
    lower_approx, upper_approx, lower_approx_nd, upper_approx_nd : (n, c) bool
        Approximations of the clusters by the two rules.
    outlier : (n,) bool
        Largest mass on the empty set. (R gives positions.)
    nonspecificity : float
    """

    mass: np.ndarray
    focal_sets: np.ndarray
    mass_normalized: np.ndarray
    conflict: np.ndarray
    pl: np.ndarray
    pl_normalized: np.ndarray
    plausibility_transform: np.ndarray
    bel: np.ndarray
    bel_normalized: np.ndarray
    betp: np.ndarray
    betp_normalized: np.ndarray
    max_plausibility: np.ndarray
    max_belief: np.ndarray
    max_mass_set: np.ndarray
    non_dominated_set: np.ndarray
    lower_approx: np.ndarray
    upper_approx: np.ndarray
    lower_approx_nd: np.ndarray
    upper_approx_nd: np.ndarray
    outlier: np.ndarray
    nonspecificity: float
