"""One side of a comparison before policies are applied: its noise and missing objects, object names
and the clustering of the others; and the options of a caller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ._base import Clustering
from ._policies import compose, special
from .arrays import NUMBERED
from .cover import CoverClustering
from .hard import HardClustering
from .labels import MissingLabels, missing_text

#: how to make another kind, in messages
WAYS = {
    "hard": "harden()", "rough": "to_rough()", "fuzzy": "to_fuzzy()",
    "possibilistic": "to_possibilistic()", "evidential": "to_evidential()",
    "cover": "to_cover()",
}


#: the default label of noise, as a number and as text
NOISE_LABELS = (-1, "-1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A clustering with noise and gaps.

    Attributes
    ----------
    n : int
        Objects given.
    base : Clustering or None
        Of the objects that are neither missing nor noise (unless noise is a cluster).
    source : (n,) int64 or None
        Place of each object in the base, -1 for none; None when it is its own.
    noise, missing : (n,) bool or None
        None for none.
    rest : (n,) float64 or None
        What each row of memberships lacks to 1, for noise; None for none.
    noise_rule, missing_rule : str
        Policies.
    noise_name : object
        Name of a cluster of noise.
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
    rest: np.ndarray | None
    naming: tuple[Any, ...] | None

    @property
    def absent_rule(self) -> str:
        """Policy for an object that only other sides have; in a cover it is in no cluster."""
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

    def check(self, prefix: str = "") -> None:
        """Raise when there are objects whose policy is "raise"; messages begin with `prefix`."""
        for what, mask, rule in (("missing", self.missing, self.missing_rule),
                                 ("noise", self.noise, self.noise_rule)):
            if mask is not None and rule == "raise":
                count, i = int(mask.sum()), int(np.flatnonzero(mask)[0])
                if what == "missing" and self.base is not None and self.base.kind != "hard":
                    item, lacks = (("object", "labels") if self.base.kind == "cover" else
                                   ("row", "a number"))
                    raise MissingLabels(
                        f"{prefix}{count} {item}{'' if count == 1 else 's'} without {lacks} "
                        f"(the first is {self.called(i)}): align and compare leave such {item}s "
                        'out with missing="drop"')
                if what == "missing":
                    raise MissingLabels(prefix + missing_text(count, self.called(i)))
                raise ClusteringError(prefix + noise_text(count, self.called(i)))

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
        names: tuple[Any, ...] = () if self.base is None else self.base.cluster_names
        if self.noise_name in names and not self.noise_is_cluster:
            names = tuple(name for name in names if name != self.noise_name)
        made = compose(self.base, source, special(n, parts, names))
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
        selected = [(what, np.flatnonzero(mask[rows] & ~absent), rule, name)
                 for what, mask, rule, name in parts]
        if absent.any():
            gone = np.flatnonzero(absent)
            if selected and selected[-1][0] == "missing":
                gone = np.sort(np.concatenate([gone, selected.pop()[1]]))
            selected.append(("missing", gone, self.absent_rule, "missing"))
        return selected


def noise_text(count: int, first: str) -> str:
    """Message for noise that is not allowed."""
    what = "1 object is" if count == 1 else f"{count} objects are"
    return (f'{what} noise (the first is {first}) and noise="raise"; choose "cluster", '
            '"singletons", "drop", "unknown" or "empty"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Options of a caller for reading one clustering.

    Attributes
    ----------
    kind : str or None
        The kind that it must have.
    X : object
        Data for ``predict_proba``.
    by_rows : bool
        Whether the rows of a matrix are divided by their sums.
    noise : str or None
        Policy; None where noise is a cluster like any other, and rows sum to 1.
    noise_label : object
        Name of the cluster of noise, or a collection of names.
    missing : str
        Policy.
    whole_rows : bool
        Whether rows sum to 1 whatever the policy for noise.
    """

    kind: str | None = None
    X: Any = None
    by_rows: bool = False
    noise: str | None = None
    noise_label: Any = -1
    missing: str = "raise"
    whole_rows: bool = False

    @property
    def rest(self) -> str | None:
        """Policy for the rest of rows that sum to less than 1; None where they must sum to 1."""
        return None if self.whole_rows else self.noise

    @property
    def noise_labels(self) -> tuple[Any, ...]:
        """Names of the clusters that are noise; -1 may also be written as text."""
        many = isinstance(self.noise_label, (set, frozenset, list, np.ndarray))
        labels = tuple(v.item() if isinstance(v, np.generic) else v
                       for v in (self.noise_label if many else [self.noise_label]))
        return NOISE_LABELS if labels == (-1,) else labels

    def checked(self, clustering: Clustering) -> Clustering:
        """Return the clustering if it is of the requested kind, else raise."""
        if self.by_rows:
            raise ClusteringError(f'normalize="rows" divides the rows of a matrix and this is a '
                                  f"{clustering.kind} clustering; leave it out")
        if self.kind is None or clustering.kind == self.kind:
            return clustering
        article = "an" if clustering.kind == "evidential" else "a"
        raise ClusteringError(
            f"this is {article} {clustering.kind} clustering and kind={self.kind!r} was asked; "
            f"kind= does not convert{_way(clustering.kind, self.kind)}")

    def side(self, *, n: int, base: Clustering | None, naming: tuple[Any, ...] | None,
             source: np.ndarray | None = None, noise: np.ndarray | None = None,
             missing: np.ndarray | None = None, is_cluster: bool = False, name: Any = "noise",
             rest: np.ndarray | None = None) -> Side:
        """A `Side` with these policies; `base` has the objects that are not missing, unless
        `source` says otherwise."""
        if missing is not None and not missing.any():
            missing = None
        if source is None and missing is not None:
            source = np.where(missing, -1, np.cumsum(~missing) - 1)
        return Side(n=n, base=base, source=source, noise=noise, missing=missing, naming=naming,
                    rest=rest, noise_rule=self.noise or "cluster", missing_rule=self.missing,
                    noise_name=name, noise_is_cluster=is_cluster)

    def of_clustering(self, base: Clustering) -> Side:
        """Build from a clustering; hard ones may have a noise label."""
        if not isinstance(base, HardClustering):
            return self.side(n=base.n_objects, base=base, naming=base.naming)
        return self.of_hard(base, base.naming)

    def of_hard(self, base: HardClustering | None, naming: tuple[Any, ...] | None,
                missing: np.ndarray | None = None) -> Side:
        """Build from labels, some of which may be missing."""
        names = self.noise_labels
        # Without a policy for noise its labels are not needed.
        codes: list[int] = []
        if base is not None and self.noise is not None:
            called = base.cluster_names
            for label in names:
                if label in called:
                    k = called.index(label)
                    # True, which equals 1, is another label
                    if isinstance(called[k], bool) == isinstance(label, bool):
                        codes.append(k)
        name = names[0] if len(names) == 1 or names is NOISE_LABELS else "noise"
        noise = None
        if base is not None and codes:
            noise = (base.codes == codes[0] if len(codes) == 1
                     else np.isin(base.codes, np.array(codes)))
            if missing is not None:
                among_all = np.zeros(missing.shape[0], dtype=np.bool_)
                among_all[~missing] = noise
                noise = among_all
            if not noise.any():
                noise = None
        if len(codes) == 1 and base is not None:
            name = base.cluster_names[codes[0]]
        n = missing.shape[0] if missing is not None else base.n_objects if base is not None else 0
        return self.side(n=n, base=base, naming=naming, noise=noise, missing=missing,
                         is_cluster=len(codes) == 1, name=name)


def _way(from_kind: str, kind: str) -> str:
    """Hint in messages for converting to another kind."""
    if kind == "cover":
        return {"hard": ": .to_cover() does",
                "rough": ": CoverClustering(x.upper) makes a cover of the possible clusters",
                "evidential": ": no rule makes a cover of masses"}.get(
                    from_kind, ": .to_cover(threshold=...) does")
    if from_kind == "cover":
        return (': .to_fuzzy(rule="shares") does' if kind == "fuzzy" else
                ': a cover has .to_fuzzy(rule="shares") and .patterns() only')
    return f": .{WAYS[kind]} does, by a named rule"
