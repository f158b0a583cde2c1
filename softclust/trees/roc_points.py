"""From errors at each k to the record: area, properness, best k."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, frozen, warn_undefined
from ..clusterings import Clustering, as_clustering
from .roc_records import PairRoc

#: errors that differ by less are equal
TIE = 1e-12
CRITERIA = ("sum", "pair_error")


def as_labels(obj: Any, name: str, expected: bool) -> Clustering:
    """`obj` as a clustering whose pairs are certain, or with `expected` at least independent."""
    clustering = as_clustering(obj, name=name)
    if clustering.kind == "hard" or (expected and clustering.kind == "fuzzy"):
        return clustering
    if expected:
        raise ClusteringError(f"{name} is {clustering.kind}; expected errors need a hard or a "
                              f"fuzzy clustering: {name}.to_fuzzy() makes one by a named rule")
    way = ", or expected=True counts expected errors" if clustering.kind == "fuzzy" else ""
    raise ClusteringError(f"{name} is {clustering.kind}; a hard clustering is needed: "
                          f"{name}.harden() makes one by a named rule{way}")


def check_labelled(labelled: Any, n: int) -> np.ndarray:
    """`labelled` as a boolean mask (n,); all True when None."""
    if labelled is None:
        return np.ones(n, dtype=bool)
    mask = np.asarray(labelled)
    if mask.shape != (n,) or mask.dtype != bool:
        raise ClusteringError(f"labelled has shape {mask.shape} and dtype {mask.dtype}; a boolean "
                              f"mask with one entry for each of the {n} objects is needed")
    return mask


def check_max_clusters(max_clusters: Any, n: int) -> int:
    """`max_clusters` as a number from 1 to n; n when None."""
    if max_clusters is None:
        return n
    if (isinstance(max_clusters, bool) or max_clusters != int(max_clusters)
            or not 1 <= max_clusters <= n):
        raise ClusteringError(f"max_clusters is {max_clusters}; a whole number from 1 to {n}, "
                              "the number of objects, is needed")
    return int(max_clusters)


def rates(count: np.ndarray, total: float) -> np.ndarray:
    """count / total; nan when there are no pairs at all."""
    return count / total if total > 0 else np.full(count.shape, math.nan)


def signed_area(eps1: np.ndarray, eps2: np.ndarray) -> float:
    """Area under the points in their order, from (0, 1) to (1, 0).

    Steps back in eps1 subtract. The sum is exact before its last rounding.
    """
    x = np.concatenate([[0.0], eps1, [1.0]])
    y = np.concatenate([[1.0], eps2, [0.0]])
    if np.isnan(x).any() or np.isnan(y).any():
        return math.nan
    return math.fsum((np.diff(x) * (y[1:] + y[:-1]) / 2).tolist())


def say_undefined(name: str, same: float, different: float) -> None:
    """One warning when a rate has no pairs to count."""
    if same > 0 and different > 0:
        return
    which = " and ".join(text for text, total in (
        ("two labelled objects of one class", same),
        ("two labelled objects of different classes", different)) if not total > 0)
    warn_undefined(name, f"the truth has no {which} (0/0)")


def make_roc(*, k: np.ndarray, eps1: np.ndarray, eps2: np.ndarray, same: float, different: float,
             criterion: str, **facts: Any) -> PairRoc:
    """The record of points in ascending order of k."""
    total = eps1 + eps2
    error = total if criterion == "sum" else (same * eps1 + different * eps2) / max(
        same + different, TIE)
    least = float(error.min())
    k_best: float = math.nan
    if not math.isnan(least):
        k_best = int(k[np.flatnonzero(error <= least + TIE)[0]])
    falls = (np.diff(eps1) < -TIE).any() or (np.diff(eps2) > TIE).any()
    return PairRoc(k=frozen(k.astype(np.int64)), eps1=frozen(eps1), eps2=frozen(eps2),
                   auc=signed_area(eps1, eps2), proper=not falls, k_best=k_best,
                   min_sum=float(total.min()), criterion=criterion, pairs_same=same,
                   pairs_different=different, **facts)


def check_criterion(criterion: str) -> str:
    """`criterion` when it is known."""
    return check_choice("criterion", criterion, CRITERIA)
