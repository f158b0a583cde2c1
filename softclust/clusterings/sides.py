"""One side of a comparison as it was given: which objects are noise or missing, what they are
called, and the clustering of the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ._base import Clustering
from ._policies import compose, hard_with, special
from ._reading import (
    WAYS,
    converter_of,
    dimensions_of,
    is_estimator,
    is_list_of_sets,
    of_kind,
    read,
    read_foreign,
    refuse_data,
)
from ._rows import read_rows
from .arrays import NUMBERED, checked_names, dense, frame_names, number_array
from .cover import CoverClustering
from .hard import HardClustering
from .labels import MissingLabels, missing_text
from .missing import known_labels

#: labels of scikit-learn's HDBSCAN for rows with infinities, and for rows with missing values
INFINITE, NOT_GIVEN = -2, -3


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A clustering with noise and gaps.

    Attributes
    ----------
    n : int
        Objects given.
    base : Clustering or None
        Of the objects that are neither missing nor (but for a cluster of noise) noise.
    source : (n,) int64 or None
        Place of each object in the base, -1 for none; None when it is its own.
    noise, missing : (n,) bool or None
        None for none.
    noise_rule, missing_rule : str
        Policies.
    noise_name : object
        What a cluster of noise is called.
    noise_is_cluster : bool
        Whether noise is a single cluster of the base already.
    naming : tuple or None
        Names of the objects, as constructors take them.
    """

    n: int
    base: Clustering | None
    source: np.ndarray | None
    noise: np.ndarray | None
    missing: np.ndarray | None
    noise_rule: str
    missing_rule: str
    noise_name: Any
    noise_is_cluster: bool
    naming: tuple[Any, ...] | None

    @property
    def absent_rule(self) -> str:
        """What becomes of an object that only other sides have: a cover has it in no cluster."""
        if self.missing_rule == "raise" and isinstance(self.base, CoverClustering):
            return "uncovered"
        return self.missing_rule

    @property
    def names(self) -> Sequence[Any] | None:
        """Object names for matching."""
        return range(self.n) if self.naming is NUMBERED else self.naming

    def called(self, i: int) -> str:
        """Object i in messages."""
        if self.naming is None or self.naming is NUMBERED:
            return f"labels[{i}]"
        return f"object {self.naming[i]!r}"

    def count(self, what: str) -> int:
        """Objects that are "noise" or "missing"."""
        mask = self.noise if what == "noise" else self.missing
        return 0 if mask is None else int(np.count_nonzero(mask))

    def dropped(self) -> np.ndarray | None:
        """Objects that policies leave out, (n,) bool; None for none."""
        masks = [mask for mask, rule in ((self.noise, self.noise_rule),
                                         (self.missing, self.missing_rule))
                 if mask is not None and rule == "drop"]
        return None if not masks else np.logical_or.reduce(masks)

    def check(self) -> None:
        """Raise when there are objects whose policy is "raise"."""
        for what, mask, rule in (("missing", self.missing, self.missing_rule),
                                 ("noise", self.noise, self.noise_rule)):
            if mask is not None and rule == "raise":
                count, i = int(mask.sum()), int(np.flatnonzero(mask)[0])
                if what == "missing":
                    raise MissingLabels(missing_text(count, self.called(i)))
                raise ClusteringError(noise_text(count, self.called(i)))

    def whole(self) -> Clustering:
        """The clustering of all objects."""
        self.check()
        return self.take(None)

    def take(self, rows: np.ndarray | None) -> Clustering:
        """The clustering of the objects at `rows`, -1 for one that is absent; None for all."""
        n = self.n if rows is None else rows.shape[0]
        parts = [part for part in self._parts(rows) if part[1].size]
        touched = self.noise is not None and not (
            self.noise_is_cluster and self.noise_rule == "cluster")
        if not parts and not touched and self.base is not None and self.source is None:
            return self.base if rows is None else self.base.subset(rows)
        source = rows if self.source is None else (
            self.source if rows is None else np.where(rows >= 0, self.source[rows], -1))
        taken: tuple[Any, ...] = () if self.base is None else self.base.cluster_names
        if self.noise_name in taken and not self.noise_is_cluster:
            taken = tuple(name for name in taken if name != self.noise_name)
        if isinstance(self.base, HardClustering) and all(
                rule in ("cluster", "singletons") for _, _, rule, _ in parts):
            made: Clustering = hard_with(self.base, source, parts, taken)
        else:
            made = compose(self.base, source, special(n, parts, taken))
        if rows is None and self.naming is not None:
            return made.renamed(self.naming)
        return made

    def _parts(self, rows: np.ndarray | None) -> list[tuple[str, np.ndarray, str, Any]]:
        """Special objects among those at `rows`: what, where, policy, name."""
        parts = []
        if self.noise is not None and not (self.noise_is_cluster and self.noise_rule == "cluster"):
            parts.append(("noise", self.noise, self.noise_rule, self.noise_name))
        if self.missing is not None:
            parts.append(("missing", self.missing, self.missing_rule, "missing"))
        # What is to be dropped is not among the rows.
        parts = [part for part in parts if part[2] != "drop"]
        if rows is None:
            return [(what, np.flatnonzero(mask), rule, name) for what, mask, rule, name in parts]
        absent = rows < 0
        found = [(what, np.flatnonzero(mask[rows] & ~absent), rule, name)
                 for what, mask, rule, name in parts]
        if absent.any():
            gone = np.flatnonzero(absent)
            if found and found[-1][0] == "missing":
                gone = np.sort(np.concatenate([gone, found.pop()[1]]))
            found.append(("missing", gone, self.absent_rule, "missing"))
        return found


def noise_text(count: int, first: str) -> str:
    """Message for noise that is not allowed."""
    what = "1 object is" if count == 1 else f"{count} objects are"
    return (f'{what} noise (the first is {first}) and noise="raise"; choose "cluster", '
            '"singletons", "drop", "unknown" or "empty"')


# -- reading ----------------------------------------------------------------------------------
def read_side(obj: Any, *, kind: str | None = None, X: Any = None, by_rows: bool = False,
              noise: str | None = None, noise_label: Any = -1, missing: str = "raise",
              whole_rows: bool = False) -> Side:
    """Input before noise and gaps are treated.

    `noise` None: noise is nothing special, as "cluster", and rows sum to 1. `whole_rows`: they do
    whatever the policy.
    """
    policies = _Policies(noise=noise, labels=_labels(noise_label), missing=missing,
                         rest=None if whole_rows else noise)
    if isinstance(obj, Clustering) or is_list_of_sets(obj):
        return policies.of_clustering(read(obj, kind, X, by_rows))
    entry = converter_of(obj)
    if entry is not None:
        return policies.of_clustering(read_foreign(obj, entry, kind, X, by_rows))
    if is_estimator(obj):
        return _of_estimator(obj, kind, X, by_rows, policies)
    refuse_data(X, obj)
    if isinstance(obj, Mapping):
        if obj and not any(isinstance(v, (list, set, frozenset, dict)) for v in obj.values()):
            return _of_labels(list(obj.values()), kind, by_rows, policies, tuple(obj))
        return policies.of_clustering(read(obj, kind, X, by_rows))
    if dimensions_of(obj) == 1:
        return _of_labels(obj, kind, by_rows, policies)
    return _of_matrix(obj, kind, by_rows, policies)


def _labels(noise_label: Any) -> tuple[Any, ...]:
    many = isinstance(noise_label, (set, frozenset, list, np.ndarray))
    return tuple(v.item() if isinstance(v, np.generic) else v
                 for v in (noise_label if many else [noise_label]))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Policies:
    """What a caller wants of noise and missing labels."""

    noise: str | None
    labels: tuple[Any, ...]
    missing: str
    #: where the rest of rows that sum to less than 1 goes; None where they may not
    rest: str | None

    def side(self, *, n: int, base: Clustering | None, naming: tuple[Any, ...] | None,
             source: np.ndarray | None = None, noise: np.ndarray | None = None,
             missing: np.ndarray | None = None, is_cluster: bool = False, name: Any = "noise"
             ) -> Side:
        """A `Side` with these policies."""
        return Side(n=n, base=base, source=source, noise=noise, missing=missing, naming=naming,
                    noise_rule=self.noise or "cluster", missing_rule=self.missing,
                    noise_name=name, noise_is_cluster=is_cluster)

    def of_clustering(self, base: Clustering) -> Side:
        """Build from a clustering; hard ones may have a noise label."""
        if not isinstance(base, HardClustering):
            return self.side(n=base.n_objects, base=base, naming=base.naming)
        return self.of_hard(base, base.naming)

    def of_hard(self, base: HardClustering | None, naming: tuple[Any, ...] | None,
                missing: np.ndarray | None = None) -> Side:
        """Build from labels, some of which may be missing."""
        source = None
        if missing is not None:
            source = np.cumsum(~missing) - 1
            source[missing] = -1
        # Without a policy for noise nobody asks what is noise.
        codes = [] if base is None or self.noise is None else _codes_of(base, self.labels)
        name = self.labels[0] if len(self.labels) == 1 else "noise"
        noise = None
        if base is not None and codes:
            inside = (base.codes == codes[0] if len(codes) == 1
                      else np.isin(base.codes, np.array(codes)))
            noise = inside
            if missing is not None:
                noise = np.zeros(missing.shape[0], dtype=np.bool_)
                noise[~missing] = inside
            if not noise.any():
                noise = None
        if len(codes) == 1 and base is not None:
            name = base.cluster_names[codes[0]]
        n = missing.shape[0] if missing is not None else base.n_objects if base is not None else 0
        return self.side(n=n, base=base, naming=naming, source=source, noise=noise,
                         missing=missing, is_cluster=len(codes) == 1, name=name)


def _codes_of(base: HardClustering, labels: tuple[Any, ...]) -> list[int]:
    """Clusters called like a noise label; True, which equals 1, is another label."""
    names, found = base.cluster_names, []
    for label in labels:
        try:
            code = names.index(label)
        except ValueError:
            continue
        if isinstance(names[code], bool) == isinstance(label, bool):
            found.append(code)
    return found


def _of_labels(labels: Any, kind: str | None, by_rows: bool, policies: _Policies,
               names: tuple[Any, ...] | None = None) -> Side:
    if kind not in (None, "hard"):
        raise ClusteringError(f"one-dimensional labels are a hard clustering, not {kind}: "
                              f"as_clustering(labels).{WAYS[kind]} converts, a matrix "
                              "(objects, clusters) can be given instead")
    if by_rows:
        raise ClusteringError('normalize="rows" divides the rows of a matrix and this is a hard '
                              "clustering; leave it out")
    # Missing labels are an error that the constructor tells as well.
    mask, known = (None, labels) if policies.missing == "raise" else known_labels(labels)
    if mask is None:
        base = HardClustering(labels, object_names=names)
        return policies.of_hard(base, base.naming)
    given = frame_names(labels)[0] if names is None else names
    checked = given if given is NUMBERED else checked_names(given, mask.shape[0], "object")
    found = None if mask.all() else HardClustering(known)
    return policies.of_hard(found, None if checked is None else tuple(checked)
                            if checked is not NUMBERED else NUMBERED, mask)


# -- estimators -------------------------------------------------------------------------------
def _of_estimator(estimator: Any, kind: str | None, X: Any, by_rows: bool, policies: _Policies
                  ) -> Side:
    labels = getattr(estimator, "labels_", None)
    ready = isinstance(getattr(estimator, "clustering_", None), Clustering)
    if X is not None or ready or labels is None or isinstance(estimator, type):
        return policies.of_clustering(read(estimator, kind, X, by_rows))
    codes = np.asarray(labels)
    missing = np.zeros(codes.shape[0], dtype=np.bool_)
    if _is_hdbscan(estimator):
        missing = codes == NOT_GIVEN
        if policies.labels == (-1,):
            # Rows with infinities are noise as well; one cluster of noise has one label.
            codes = np.where(codes == INFINITE, -1, codes)
    if kind in ("fuzzy", "evidential") and hasattr(estimator, "probabilities_"):
        return _of_strengths(codes, missing, np.asarray(estimator.probabilities_, dtype=np.float64),
                             kind, policies)
    of_kind(HardClustering([0]), kind)   # labels are hard and nothing else
    if by_rows:
        raise ClusteringError('normalize="rows" divides the rows of predict_proba(X); give X')
    if not missing.any():
        return policies.of_hard(HardClustering(codes), None)
    base = None if missing.all() else HardClustering(codes[~missing])
    return policies.of_hard(base, None, missing)


def finds_noise(obj: Any) -> bool:
    """Whether `obj` is a fitted estimator with noise: scikit-learn labels it -1."""
    if isinstance(obj, (Clustering, type)) or not hasattr(obj, "fit"):
        return False
    labels = np.asarray(getattr(obj, "labels_", ()))
    ready = isinstance(getattr(obj, "clustering_", None), Clustering)
    return not ready and labels.dtype.kind == "i" and bool((labels == -1).any())


def _is_hdbscan(estimator: Any) -> bool:
    """Whether -2 and -3 mean what they mean in scikit-learn's HDBSCAN."""
    kind = type(estimator)
    return (kind.__name__ == "HDBSCAN" and kind.__module__.startswith("sklearn.")
            and hasattr(estimator, "probabilities_"))


def _of_strengths(codes: np.ndarray, missing: np.ndarray, strength: np.ndarray, kind: str,
                  policies: _Policies) -> Side:
    """Strength p_i on the label of each object, 1 - p_i on noise."""
    if strength.shape != codes.shape:
        raise ClusteringError(f"probabilities_ has shape {strength.shape} for {codes.shape[0]} "
                              "labels_; one number for each is needed")
    missing = missing | np.isnan(strength)
    outside = np.isin(codes, np.array(policies.labels, dtype=object)) | missing
    wrong = ~outside & ~((strength >= 0.0) & (strength <= 1.0))
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        raise ClusteringError(f"probabilities_[{i}] is {strength[i]}; numbers in [0, 1] are needed")
    if outside.all():
        raise ClusteringError("no cluster was found: every object is noise or missing, so there "
                              f"is no {kind} clustering; the labels are as_clustering(estimator)")
    base = HardClustering(codes[~outside])
    rows = np.zeros((codes.shape[0], base.n_clusters))
    rows[np.flatnonzero(~outside), base.labels] = strength[~outside]
    rows[missing] = np.nan
    if policies.noise is None:
        raise ClusteringError(
            f"what becomes of 1 - probabilities_ in a {kind} clustering is not said: "
            + ('noise="cluster" makes a column of it' if kind == "fuzzy" else
               'noise="empty" gives it to the empty set, "unknown" to the set of all clusters'))
    return _of_rows(rows, kind, policies, names=base.cluster_names)


# -- matrices ---------------------------------------------------------------------------------
def _of_matrix(obj: Any, kind: str | None, by_rows: bool, policies: _Policies) -> Side:
    asked = policies.rest is not None or policies.missing != "raise"
    if not asked or by_rows or kind in ("rough", "possibilistic", "hard", "cover"):
        return policies.of_clustering(read(obj, kind, None, by_rows))
    matrix = dense(obj, "the matrix")
    array = number_array(matrix, "the matrix")
    if kind is None and array.dtype.kind != "f":
        return policies.of_clustering(read(obj, kind))
    if kind == "evidential" and policies.rest is None:
        return policies.of_clustering(read(obj, kind))   # masses on all sets, not rows of clusters
    index, columns = frame_names(matrix)
    return _of_rows(matrix, kind, policies, index, None if columns is None else tuple(columns))


def _of_rows(matrix: Any, kind: str | None, policies: _Policies, index: Any = None,
             names: tuple[Any, ...] | None = None) -> Side:
    rows = read_rows(matrix, kind, policies.rest, names)
    naming = index if index is None or index is NUMBERED else checked_names(
        index, rows.n, "object")
    return policies.side(n=rows.n, base=rows.base, naming=naming, source=rows.source,
                         noise=rows.noise, missing=rows.missing, is_cluster=rows.noise_is_part)
