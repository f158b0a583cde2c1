"""What `cluster_number` takes: data, numbers of clusters, scales, options of each criterion."""

from __future__ import annotations

import math
from operator import index as as_index
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, shown
from ..cluster.checks import check_count, check_size

ENTROPIES = ("entropy", "pairwise_entropy")
#: criteria of runs on halves of the data
STABILITIES = ("pac", "instability", "jaccard")
#: starts of k-means for the gap and the silhouette: 10 miss the optimum of K = 5 often, and that
#: of K = 8 nearly always
N_STARTS = 50
#: options that belong to some criteria, with their defaults
_OWN: dict[str, tuple[tuple[str, ...], Any]] = {
    "n_resamples": ((*ENTROPIES, "cic", *STABILITIES), None), "prior_weight": (ENTROPIES, 0.5),
    "n_references": (("gap",), 100), "power": (("gap",), 2), "reference": (("gap",), "pca"),
    "n_starts": (("gap",), N_STARTS), "reference_sets": (("gap",), None), "rule": (("gap",), None)}


def check_options(criterion: str, estimator: Any, race: Any, **options: Any) -> None:
    """Raise for an option that this criterion, or an estimator of one's own, has no use for."""
    from ..ensembles.schemes import check_prior_weight
    for name, value in options.items():
        criteria, default = _OWN[name]
        if value is default or (not isinstance(value, np.ndarray) and value == default):
            continue
        if criterion not in criteria:
            raise ValueError(f"{name} belongs to criterion={' or '.join(map(repr, criteria))}; "
                             f"{shown(criterion)} has no use for it: leave it out")
        if (estimator is not None and name in ("n_resamples", "prior_weight")
                and criterion not in STABILITIES):
            raise ValueError(f"{name} belongs to the default estimators; set it in yours")
    if not isinstance(race, (bool, np.bool_)):
        raise TypeError(f"race is {shown(race)}; True or False is needed")
    if options["n_resamples"] is not None:
        check_count("n_resamples", options["n_resamples"])
    check_count("n_starts", options["n_starts"])
    check_prior_weight(options["prior_weight"])


def check_rule(rule: Any, ks: list[int]) -> None:
    """Raise for an unknown rule, and where K + 1 is missing for one that needs it."""
    check_choice("rule", rule, ("max", "1se"))
    if rule == "1se" and len(ks) <= max(ks) - min(ks):
        raise ValueError(f"n_clusters is {sorted(ks)}; rule='1se' compares each number with the "
                         f"next, so none may be left out: give range({min(ks)}, {max(ks) + 1}), "
                         "or take rule='max'")


def check_power(power: Any) -> int:
    """1 or 2."""
    if power not in (1, 2):
        raise ValueError(f"power is {shown(power)}; 1 or 2 is needed")
    return int(power)


def table_of_objects(X: Any) -> np.ndarray:
    """Finite numbers (n, d)."""
    from sklearn.utils import check_array
    try:
        x = check_array(X, dtype=np.float64, order="C", ensure_min_samples=2)
    except ValueError as error:
        raise ClusteringError(f"X is no table of finite numbers: {error}") from None
    check_size(np.asarray(x))
    return np.asarray(x)


def numbers_of_clusters(n_clusters: Any, criterion: str, x: np.ndarray) -> list[int]:
    """Distinct numbers that the criterion can judge and the data can form."""
    try:
        given: Any = [n_clusters] if np.isscalar(n_clusters) else n_clusters
        ks = [as_index(k) for k in given]
    except TypeError:
        raise ValueError(f"n_clusters is {shown(n_clusters)}; whole numbers are needed, such as "
                         "range(2, 7)") from None
    if not ks or min(ks) < 1 or len(set(ks)) < len(ks):
        raise ValueError(f"n_clusters is {ks}; distinct numbers >= 1 are needed")
    if min(ks) == 1 and criterion != "gap":
        why = ("one cluster has entropy 0 whatever the data" if "entropy" in criterion else
               "one cluster has criterion 0 whatever the data" if criterion == "cic" else
               "one cluster always comes back" if criterion in STABILITIES else
               "the silhouette of one cluster is undefined")
        raise ClusteringError(f"K = 1 cannot be judged by criterion={criterion!r}: {why}; leave it "
                              "out, or take 'gap'")
    distinct = np.unique(x, axis=0).shape[0]
    if max(ks) > distinct:
        raise ClusteringError(f"K = {max(ks)} clusters of {distinct} distinct objects are asked "
                              f"for; at most {distinct} can be formed")
    return ks


def scales_of_prior(scale: Any, criterion: str) -> list[float]:
    """Distinct finite scales > 0; one nan for criteria without."""
    try:
        given = [float(s) for s in np.atleast_1d(np.asarray(scale, dtype=np.float64))]
    except (TypeError, ValueError):
        given = []
    if criterion not in ENTROPIES:
        if given != [1.0]:
            raise ValueError(f"scale belongs to the entropies; criterion={criterion!r} has none")
        return [math.nan]
    if not given or not all(math.isfinite(s) and s > 0 for s in given) or len(
            set(given)) < len(given):
        raise ValueError(f"scale is {shown(scale)}; distinct numbers > 0 are needed")
    return given


def ready_references(ready: Any, x: np.ndarray) -> np.ndarray:
    """Reference sets (B, n, d) of the shape of x."""
    try:
        references = np.array(ready, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ValueError("reference_sets cannot be read as an array of numbers") from None
    if references.ndim != 3 or references.shape[1:] != x.shape or references.shape[0] < 2:
        raise ValueError(f"reference_sets has shape {references.shape}; (B, {x.shape[0]}, "
                         f"{x.shape[1]}) with B >= 2 is needed")
    if not np.isfinite(references).all():
        raise ValueError("reference_sets has entries that are not finite")
    return references
