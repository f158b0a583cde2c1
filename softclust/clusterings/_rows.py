"""Rows of memberships that may sum to less than 1: the rest is the probability of noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ROW_SUM_TOLERANCE, ClusteringError
from ._base import Clustering
from .arrays import NORMALIZE_ROWS, SINGLE_TOLERANCE, is_single_precision, number_array
from .evidential import EvidentialClustering
from .fuzzy import FuzzyClustering

#: which policies a kind can follow
_RULES = {"fuzzy": ("cluster", "singletons", "drop", "raise"),
          "evidential": ("empty", "unknown", "raise")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows as a clustering.

    Attributes
    ----------
    n : int
    base : Clustering or None
        Of the rows that are neither missing nor left to a policy.
    source : (n,) int64 or None
        Place of each row in the base, -1 for none.
    noise, missing : (n,) bool or None
        Rows that are noise altogether, and rows with a nan.
    noise_is_part : bool
        Whether the base holds the noise already.
    """

    n: int
    base: Clustering | None
    source: np.ndarray | None
    noise: np.ndarray | None
    missing: np.ndarray | None
    noise_is_part: bool


def read_rows(matrix: Any, kind: str | None, rule: str | None, names: tuple[Any, ...] | None
              ) -> Rows:
    """Memberships (n, c) whose rows sum to at most 1, with the rest where `rule` says."""
    if rule is not None and kind is not None and rule not in _RULES[kind]:
        other = "evidential" if kind == "fuzzy" else "fuzzy"
        raise ClusteringError(f"noise={rule!r} makes no {kind} clustering of rows; it takes "
                              + ", ".join(map(repr, _RULES[kind][:2]))
                              + f', and kind="{other}" the others')
    given = number_array(matrix, "the matrix")
    tolerance = SINGLE_TOLERANCE if is_single_precision(matrix) else ROW_SUM_TOLERANCE
    values = np.array(given, dtype=np.float64, order="C")
    missing: np.ndarray = np.asarray(np.isnan(values).any(axis=1))
    known = values[~missing]
    rest = _remainders(known, np.flatnonzero(~missing), tolerance)
    n = values.shape[0]
    gaps = missing if missing.any() else None
    source = None if gaps is None else np.where(missing, -1, np.cumsum(~missing) - 1)
    if not known.shape[0]:
        return Rows(n=n, base=None, source=np.full(n, -1), noise=None, missing=gaps,
                    noise_is_part=False)
    full = rest >= 1.0 - tolerance
    noise = np.zeros(n, dtype=np.bool_)
    noise[~missing] = full
    mask = noise if full.any() else None
    if not (rest > 0.0).any():
        base: Clustering = FuzzyClustering(known, cluster_names=names)
        return Rows(n=n, base=base.to_evidential("occurring") if kind == "evidential" else base,
                    source=source, noise=None, missing=gaps, noise_is_part=False)
    if rule is None:
        _refuse_remainder(rest, np.flatnonzero(~missing))
    if rule in ("singletons", "drop", "raise"):
        return _apart(known, full, rest, missing, mask, gaps, names, str(rule))
    made = (_with_column(known, rest, names) if rule == "cluster"
            else _with_set(known, rest, names, rule == "unknown"))
    return Rows(n=n, base=made, source=source, noise=mask, missing=gaps, noise_is_part=True)


def _remainders(known: np.ndarray, places: np.ndarray, tolerance: float) -> np.ndarray:
    """1 - sum of each row, 0 within the tolerance; rows of single precision are divided."""
    if not known.size:
        return np.zeros(known.shape[0])
    if not np.isfinite(known).all() or known.min() < 0.0:
        i, k = np.argwhere(~(np.isfinite(known) & (known >= 0.0)))[0]
        raise ClusteringError(f"the matrix has {known[i, k]} at [{places[i]}, {k}]; finite numbers "
                              ">= 0 are needed")
    sums = known.sum(axis=1)
    if (sums > 1.0 + tolerance).any():
        i = int(np.flatnonzero(sums > 1.0 + tolerance)[0])
        raise ClusteringError(f"row {places[i]} of the matrix sums to {sums[i]:.12g}; rows that "
                              f"leave the rest to noise sum to at most 1: {NORMALIZE_ROWS}")
    whole = np.abs(sums - 1.0) <= tolerance
    if tolerance == SINGLE_TOLERANCE:
        known[whole] /= sums[whole, None]
    return np.where(whole, 0.0, 1.0 - sums)


def _refuse_remainder(rest: np.ndarray, places: np.ndarray) -> None:
    i = int(np.flatnonzero(rest)[0])
    raise ClusteringError(
        f"row {places[i]} of the matrix sums to {1.0 - rest[i]:.12g}; when the rest is the "
        'probability of noise, as_clustering(matrix, noise="cluster") makes a column of it, '
        f'"empty" and "unknown" masses; if the numbers were rounded, {NORMALIZE_ROWS}')


def _apart(known: np.ndarray, full: np.ndarray, rest: np.ndarray, missing: np.ndarray,
           noise: np.ndarray | None, gaps: np.ndarray | None, names: tuple[Any, ...] | None,
           rule: str) -> Rows:
    """Rows of noise left to the policy; none may be noise in part."""
    if rule == "raise":
        return Rows(n=missing.shape[0], base=None, source=None, missing=gaps, noise_is_part=False,
                    noise=_places(missing, rest > 0.0))
    part = (rest > 0.0) & ~full
    if part.any():
        i = int(np.flatnonzero(~missing)[np.flatnonzero(part)[0]])
        raise ClusteringError(f"row {i} of the matrix is noise in part ({rest[part][0]:.4g}); "
                              f'noise="{rule}" needs rows that are noise or not: "cluster", '
                              '"empty" and "unknown" take parts')
    inside = _places(missing, ~full)
    base = FuzzyClustering(known[~full], cluster_names=names) if inside.any() else None
    source = np.where(inside, np.cumsum(inside) - 1, -1)
    return Rows(n=missing.shape[0], base=base, source=source, noise=noise, missing=gaps,
                noise_is_part=False)


def _places(missing: np.ndarray, which: np.ndarray) -> np.ndarray:
    mask = np.zeros(missing.shape[0], dtype=np.bool_)
    mask[~missing] = which
    return mask


def _called(names: tuple[Any, ...] | None, c: int) -> tuple[Any, ...]:
    return tuple(range(c)) if names is None else names


def _with_column(known: np.ndarray, rest: np.ndarray, names: tuple[Any, ...] | None
                 ) -> FuzzyClustering:
    called = _called(names, known.shape[1])
    if "noise" in called:
        raise ClusteringError('a column is called "noise" already; give it another name')
    return FuzzyClustering(np.hstack([known, rest[:, None]]), cluster_names=(*called, "noise"))


def _with_set(known: np.ndarray, rest: np.ndarray, names: tuple[Any, ...] | None, unknown: bool
              ) -> EvidentialClustering:
    n, c = known.shape
    sets = np.vstack([np.zeros((1, c)), np.eye(c), np.ones((1, c))]).astype(np.bool_)
    mass = np.hstack([np.zeros((n, 1)), known, np.zeros((n, 1))])
    if not unknown:
        mass[:, 0] = rest
    else:
        mass[:, c + 1 if c > 1 else 1] += rest
    kept = [0, *range(1, c + 1), *([c + 1] if unknown and c > 1 else [])]
    kept = kept[1:] if unknown else kept
    return EvidentialClustering(mass[:, kept], sets[kept], cluster_names=names)
