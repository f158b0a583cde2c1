"""Reading of matrices (objects, clusters) as clusterings.

Rows of memberships may sum to less than 1, where a policy treats the rest, and may hold a nan,
where a policy treats missing memberships.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .._checks import ROW_SUM_TOLERANCE, ClusteringError
from ._base import Clustering
from ._clusters import BY_OBJECT
from ._policies import with_outside
from .arrays import (
    NORMALIZE_ROWS,
    NUMBERED,
    ROUNDED,
    SINGLE_TOLERANCE,
    TRANSPOSE,
    TWO_CLASSES,
    checked_names,
    columns_sum_to_one,
    dense,
    divided_by_row_sums,
    float_matrix,
    frame_names,
    is_single_precision,
    number_array,
)
from .cover import CoverClustering
from .evidential import EvidentialClustering
from .fuzzy import FuzzyClustering
from .possibilistic import PossibilisticClustering
from .rough import RoughClustering
from .sides import Asked, Side

MAYBE_NOISE = 'if the rest is noise, say noise="cluster" (align, compare, as_clustering); else '
COVER_OR_ROUGH = """which may mean two things: as_clustering(matrix, kind="cover") for objects \
that belong to all of these clusters, "rough" for objects that belong to one of them"""
#: policies for noise that each kind can follow
_RULES = {"fuzzy": ("cluster", "singletons", "drop", "raise"),
          "evidential": ("empty", "unknown", "raise")}


def check_rows(rows: Any) -> None:
    """Raise for lists that are not the rows of a matrix, and name what reads them."""
    if not isinstance(rows, (list, tuple)) or not all(
            hasattr(row, "__len__") and getattr(row, "ndim", 1) == 1 for row in rows):
        return
    entries = next((list(row) for row in rows if len(row)), [])
    if entries and isinstance(entries[0], tuple) and len(entries[0]) == 2:
        raise ClusteringError("these are lists of pairs, such as (topic, share); a matrix "
                              "(objects, clusters) is needed: gensim.matutils.corpus2dense(lists, "
                              "num_terms=n_topics).T makes one")
    lengths = [len(row) for row in rows]
    if len(set(lengths)) == 1:
        return
    flat = [v for row in rows for v in row]
    way = "give each row an entry for each cluster"
    if all(isinstance(v, str) for v in flat):
        way = f"if they are sets, {BY_OBJECT}"
    elif all(isinstance(v, (int, np.integer)) for v in flat):
        way = ("if they are clusters with their objects, HardClustering.from_clusters reads them "
               "(CoverClustering.from_clusters where they overlap), CoverClustering.from_labels "
               "the labels of each object")
        if all(len(row) and max(row) < n for row, n in zip(rows, lengths[1:])) and (
                lengths == sorted(lengths, reverse=True)):
            way = f"if they are the levels of nested blocks, give one, lists[0]; {way}"
    raise ClusteringError("the lists have different lengths, so they are not a matrix (objects, "
                          f"clusters): {way}")


def read_matrix(obj: Any, asked: Asked) -> Clustering | Side:
    """The clustering of a matrix; a `Side` where rows may be noise or missing."""
    check_rows(obj)
    policies = asked.rest is not None or asked.missing != "raise"
    if asked.missing != "raise" and asked.kind in ("rough", "possibilistic", "cover") and (
            not type(obj).__module__.startswith("scipy.sparse")) and not asked.by_rows:
        # rows without a number are missing
        values = number_array(obj, "the matrix")
        missing: np.ndarray = (np.isnan(values).any(axis=1) if values.dtype.kind == "f"
                               else np.zeros(values.shape[0], np.bool_))
        index, columns = frame_names(obj)
        naming = index if index is None or index is NUMBERED else checked_names(
            index, values.shape[0], "object")
        base = None
        if not missing.all():
            base = _without_policies(values[~missing], asked.kind, by_rows=False)
            if columns is not None:
                base._set(_cluster_names=checked_names(columns, base.n_clusters, "cluster"))
        return asked.side(n=values.shape[0], base=base, naming=naming, missing=missing)
    if not policies or asked.by_rows or asked.kind in ("rough", "possibilistic", "hard", "cover"):
        return _without_policies(obj, asked.kind, asked.by_rows)
    matrix = dense(obj, "the matrix")
    whole_numbers = number_array(matrix, "the matrix").dtype.kind != "f"
    # Evidential without a policy for noise: masses on all sets, not rows of clusters.
    if (asked.kind is None and whole_numbers) or (asked.kind == "evidential" and not asked.rest):
        return _without_policies(matrix, asked.kind, by_rows=False)
    index, columns = frame_names(matrix)
    naming = index if index is None or index is NUMBERED else checked_names(
        index, matrix.shape[0], "object")
    return read_rows(matrix, asked, naming, None if columns is None else tuple(columns))


def _without_policies(obj: Any, kind: str | None, by_rows: bool) -> Clustering:
    if kind == "hard":
        raise ClusteringError("kind='hard' takes one-dimensional labels and this is a matrix; "
                              "as_clustering(matrix, kind=...) with its own kind, then "
                              ".harden(), makes labels by a named rule")
    if kind == "cover" and not by_rows:
        return CoverClustering(obj)
    matrix = dense(obj, "the matrix")
    if by_rows:
        if kind not in (None, "fuzzy", "evidential"):
            raise ClusteringError(f'normalize="rows" is for memberships and masses, not for {kind} '
                                  "clusterings; leave it out")
        if kind is None and number_array(matrix, "the matrix").dtype.kind != "f":
            raise ClusteringError('normalize="rows" of a matrix of whole numbers may be meant for '
                                  'memberships or masses; say kind="fuzzy" or kind="evidential"')
        rows = divided_by_row_sums(float_matrix(matrix, "the matrix"), "the matrix")
        index, columns = frame_names(matrix)
        if kind == "evidential":
            return _from_power_set(rows, index)
        return FuzzyClustering(rows, object_names=index, cluster_names=columns)
    if kind is None:
        kind = _guess(number_array(matrix, "the matrix"), is_single_precision(matrix))
    if kind == "rough":
        return RoughClustering.from_upper(matrix)
    if kind == "fuzzy":
        return FuzzyClustering(matrix)
    if kind == "possibilistic":
        return PossibilisticClustering(matrix)
    return _from_power_set(matrix)


def _guess(matrix: np.ndarray, single: bool) -> str:
    """Guess the kind: fuzzy if rows sum to 1, whatever the type of the entries; else raise."""
    if matrix.dtype.kind in "biu":
        binary, counts = bool(((matrix == 0) | (matrix == 1)).all()), matrix.sum(axis=1)
        # one-hot; a single column of whole numbers is labels
        if matrix.shape[1] > 1 and binary and (counts == 1).all():
            return "fuzzy"
        if matrix.dtype.kind == "b":
            if matrix.shape[1] == 1:
                raise ClusteringError("a boolean matrix with one column may be labels, which must "
                                      'be one-dimensional; else say kind="rough", "cover" or '
                                      '"fuzzy"')
            i = int(np.flatnonzero(counts != 1)[0])
            raise ClusteringError(
                f"row {i} of the boolean matrix has {counts[i] or 'no'} True, which may mean two "
                'things; say kind="rough" when each object belongs to one of these clusters and '
                'which is not known, kind="cover" when it belongs to all of them')
        if matrix.shape[1] == 1:
            raise ClusteringError(_one_column(matrix))
        what = "0/1 entries" if binary else "integers"
        raise ClusteringError(
            f"a matrix of {what} (shape {matrix.shape}) may be several things; say "
            'kind="rough" for the clusters possible for each object, '
            + ('kind="cover" for clusters that each object belongs to, ' if binary else "")
            + 'kind="fuzzy", "possibilistic" or "evidential" for memberships, typicalities or '
            "masses; labels must be one-dimensional: .ravel() of a label image"
            + "; HardClustering.from_clusters reads lists of the objects of each cluster"
            * (not binary and np.unique(matrix).size == matrix.size))
    with np.errstate(invalid="ignore", over="ignore"):   # the constructor names what is infinite
        sums = matrix.sum(axis=1, dtype=np.float64)
    errors = np.abs(sums - 1.0)
    tolerance = SINGLE_TOLERANCE if single else ROW_SUM_TOLERANCE
    wrong = np.flatnonzero(errors > tolerance)   # a nan is for the constructor to name
    if wrong.size:
        i = int(wrong[0])
        if matrix.shape[1] == 1:
            raise ClusteringError(_one_column(matrix))
        if columns_sum_to_one(matrix):
            raise ClusteringError(f"row {i} of the matrix sums to {sums[i]:.12g}, and rows of "
                                  f"memberships sum to 1; {TRANSPOSE}")
        known = ~np.isnan(matrix)
        if ((matrix == 0) | (matrix == 1) | ~known).all():
            gaps = ', missing="drop" for rows with a nan' * (not known.all())
            raise ClusteringError(f"row {i} of the matrix of 0 and 1 sums to {sums[i]:g}, "
                                  f"{COVER_OR_ROUGH}{gaps}")
        rounded = f"if these are rounded memberships, {NORMALIZE_ROWS}; else "
        raise ClusteringError(
            f"row {i} of the matrix sums to {sums[i]:.12g}, so these are not fuzzy memberships "
            f"(each row sums to 1, within {'1e-6' if single else '1e-8'}); "
            f"{rounded if errors.max() <= ROUNDED else ''}"
            f"{'' if (sums > 1.0 + tolerance).any() else MAYBE_NOISE}use "
            'kind="possibilistic" for typicalities, "rough" for 0/1 entries, "evidential" for '
            'masses, or "fuzzy" for details on memberships')
    return "fuzzy"


def _one_column(matrix: np.ndarray) -> str:
    return (f"a matrix of one column (shape {matrix.shape}) may be labels, which must be "
            "one-dimensional: matrix.ravel() makes them; else say kind=\"rough\", \"cover\" or "
            '"fuzzy"' + (f"; {TWO_CLASSES}" if matrix.dtype.kind == "f" else ""))


def _from_power_set(matrix: Any, names: Any = None) -> EvidentialClustering:
    columns = matrix.shape[1] if hasattr(matrix, "shape") else len(matrix[0])
    n_clusters = int(columns).bit_length() - 1
    if n_clusters < 1 or columns != 1 << n_clusters:
        raise ClusteringError(
            f"a matrix with {columns} columns does not list the masses of all 2**c sets of "
            "clusters; EvidentialClustering(mass, focal_sets) takes any sets")
    bits = np.arange(columns)[:, None] >> np.arange(n_clusters)
    if names is None:
        names = frame_names(matrix)[0]
    values = matrix if hasattr(matrix, "dtype") else _plain(matrix)
    return EvidentialClustering(values, bits & 1, object_names=names)


def _plain(matrix: Any) -> np.ndarray:
    """A frame as an array, in single precision when its numbers are."""
    array = np.asarray(matrix)
    return array.astype(np.float32) if is_single_precision(matrix) else array


# -- rows that sum to less than 1 ---------------------------------------------------------------
def read_rows(matrix: Any, asked: Asked, naming: tuple[Any, ...] | None = None,
              names: tuple[Any, ...] | None = None) -> Side:
    """Memberships (n, c) whose rows sum to at most 1; the rest is the probability of noise."""
    kind, rule = asked.kind, asked.rest
    if rule is not None and kind is not None and rule not in _RULES[kind]:
        other = "evidential" if kind == "fuzzy" else "fuzzy"
        raise ClusteringError(f"noise={rule!r} is not possible for {kind} clusterings, which take "
                              + ", ".join(map(repr, _RULES[kind][:2]))
                              + f'; kind="{other}" takes the others')
    values = np.array(number_array(matrix, "the matrix"), dtype=np.float64, order="C")
    tolerance = SINGLE_TOLERANCE if is_single_precision(matrix) else ROW_SUM_TOLERANCE
    n = values.shape[0]
    missing: np.ndarray = np.asarray(np.isnan(values).any(axis=1))
    places = np.flatnonzero(~missing)
    known = values[places]
    rest = _remainders(known, places, tolerance)
    side = partial(asked.side, n=n, naming=naming, missing=missing)
    if not places.size:
        return side(base=None)
    if not (rest > 0.0).any():
        base: Clustering = FuzzyClustering(known, cluster_names=names)
        return side(base=base.to_evidential("occurring") if kind == "evidential" else base)
    if rule is None:
        i = int(np.flatnonzero(rest)[0])
        raise ClusteringError(
            f"row {places[i]} of the matrix sums to {1.0 - rest[i]:.12g}; when the rest is the "
            'probability of noise, noise="cluster" makes a column of it, '
            f'"empty" and "unknown" masses; if the numbers were rounded, {NORMALIZE_ROWS}')
    if rule == "raise":
        return side(base=None, noise=_mask(places[rest > 0.0], n))
    full = rest >= 1.0 - tolerance
    noise = _mask(places[full], n) if full.any() else None
    if rule in ("singletons", "drop"):
        part = np.flatnonzero((rest > 0.0) & ~full)
        if part.size:
            raise ClusteringError(f"row {places[part[0]]} of the matrix is partly noise "
                                  f'({rest[part[0]]:.4g}); noise="{rule}" needs rows that are all '
                                  'noise or none: "cluster", "empty" and "unknown" take any share')
        inside = _mask(places[~full], n)
        base_of_others = (None if full.all() else
                          FuzzyClustering(known[~full], cluster_names=names))
        return side(base=base_of_others, source=np.where(inside, np.cumsum(inside) - 1, -1),
                    noise=noise)
    made: Clustering
    if rule == "cluster":
        columns = tuple(range(known.shape[1])) if names is None else names
        if "noise" in columns:
            raise ClusteringError('a column is called "noise" already; give it another name')
        made = FuzzyClustering(np.hstack([known, rest[:, None]]), cluster_names=(*columns, "noise"))
    else:
        empty, unknown = (None, rest) if rule == "unknown" else (rest, None)
        made = with_outside(known, empty, unknown, names)
    shares = np.zeros(n)
    shares[places] = rest
    return side(base=made, noise=noise, is_cluster=True, rest=shares)


def _mask(places: np.ndarray, n: int) -> np.ndarray:
    mask = np.zeros(n, dtype=np.bool_)
    mask[places] = True
    return mask


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
        if ((known == 0.0) | (known == 1.0)).all():
            raise ClusteringError(f"row {places[i]} of the matrix of 0 and 1 sums to "
                                  f"{sums[i]:g}, {COVER_OR_ROUGH}")
        raise ClusteringError(f"row {places[i]} of the matrix sums to {sums[i]:.12g}; rows that "
                              f"leave the rest to noise sum to at most 1: {NORMALIZE_ROWS}")
    whole = np.abs(sums - 1.0) <= tolerance
    if tolerance == SINGLE_TOLERANCE:
        known[whole] /= sums[whole, None]
    return np.where(whole, 0.0, 1.0 - sums)
