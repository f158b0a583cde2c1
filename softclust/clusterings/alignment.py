"""`align`: clusterings with noise, missing labels and different objects made comparable."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from .._checks import ClusteringError, check_choice, frozen, shown
from .._records import Columns, Drawn, Record
from .._summary import SummaryTable
from ._base import Clustering
from ._policies import check_policy
from .labels import MissingLabels, missing_text
from .object_matching import Matched, costliest, in_order, match, nothing_common
from .sides import Side, finds_noise, read_side

if TYPE_CHECKING:
    from .._types import ClusteringLike, MissingRules, NoiseRules, Objects

OBJECTS = ("same", "common", "all")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aligned(Drawn, Record, Sequence[Clustering]):
    """Clusterings of the same objects, and what was done to make them so.

    Behaves as the tuple of its clusterings: `rand_index(*align(x, y, noise="drop"))`.

    Attributes
    ----------
    clusterings : tuple of Clustering
        Of the objects that were kept, in one order.
    names : tuple of str
        What the sides are called.
    n_objects, n_dropped : int
        Objects kept, and objects matched but not kept.
    object_names : tuple or None
        Names of the objects kept.
    positions : tuple of ndarray, shape (n_objects,), int64
        For each side the position of each kept object in what was given, -1 where it is absent.
    n_given : tuple of int
        Objects of each side as given.
    n_noise, n_missing : tuple of int
        Noise and missing labels of each side among the objects matched, before any is dropped;
        with ``objects="all"`` an absent object is a missing label.
    n_absent : tuple of int
        Objects of the other sides that each side lacks.
    noise, missing : tuple of str
        The policy of each side.
    objects : str
        How objects were matched.

    Notes
    -----
    ``to_frame()``: one row per side. Indexed by name: kind, n_clusters, n_given, n_noise, noise,
    n_missing, missing, n_absent.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.align([0, 0, 1, None], [0, 1, 1, -1], noise="singletons", missing="drop")
    >>> print(found.header)
    x: 0 noise, 1 missing (drop); y: 1 noise (singletons), 0 missing; 3 of 4 objects compared
    >>> softclust.rand_index(*found)
    0.3333333333333333
    """

    _chart = "plot_alignment"

    clusterings: tuple[Clustering, ...]
    names: tuple[str, ...]
    n_objects: int
    n_dropped: int
    object_names: tuple[Any, ...] | None
    positions: tuple[np.ndarray, ...]
    n_given: tuple[int, ...]
    n_noise: tuple[int, ...]
    n_missing: tuple[int, ...]
    n_absent: tuple[int, ...]
    noise: tuple[str, ...]
    missing: tuple[str, ...]
    objects: str

    def __len__(self) -> int:
        return len(self.clusterings)

    def __iter__(self) -> Iterator[Clustering]:
        return iter(self.clusterings)

    @overload
    def __getitem__(self, key: int) -> Clustering: ...

    @overload
    def __getitem__(self, key: slice) -> tuple[Clustering, ...]: ...

    def __getitem__(self, key: int | slice) -> Clustering | tuple[Clustering, ...]:
        return self.clusterings[key]

    def subset(self, indices: Any) -> Aligned:
        """The same sides for some of the objects kept; the others count as dropped.

        Parameters
        ----------
        indices : array-like of int, slice, or boolean mask of length n_objects
            As in `HardClustering.subset`.

        Returns
        -------
        Aligned
        """
        members = tuple(x.subset(indices) for x in self)
        chosen = indices if isinstance(indices, slice) else np.asarray(indices)
        rows = np.arange(self.n_objects)[chosen]
        names = self.object_names
        return replace(
            self, clusterings=members, n_objects=rows.size,
            n_dropped=self.n_dropped + self.n_objects - np.unique(rows).size,
            object_names=None if names is None else tuple(names[i] for i in rows.tolist()),
            positions=tuple(frozen(p[rows]) for p in self.positions))

    def _sides(self, key: slice) -> Aligned:
        """Some of the sides."""
        parts: dict[str, Any] = {field: getattr(self, field)[key] for field in (
            "clusterings", "names", "positions", "n_given", "n_noise", "n_missing", "n_absent",
            "noise", "missing")}
        return replace(self, **parts)

    @property
    def changed(self) -> bool:
        """Whether anything was done: objects dropped, reordered or added, or labels changed."""
        moved = any(p.shape[0] != n or not in_order(p)
                    for p, n in zip(self.positions, self.n_given))
        return (moved or any(self.n_missing) or self.n_dropped > 0
                or any(n and rule != "cluster" for n, rule in zip(self.n_noise, self.noise)))

    @property
    def header(self) -> str:
        """One line: noise, missing and absent objects of each side, and how many were compared."""
        sides = "; ".join(self._side(i) for i in range(len(self)))
        total = self.n_objects + self.n_dropped
        return f"{sides}; {self.n_objects} of {total} objects compared"

    def _side(self, i: int) -> str:
        parts = []
        for what, count, rule in (("noise", self.n_noise[i], self.noise[i]),
                                  ("missing", self.n_missing[i], self.missing[i])):
            done = "one more cluster" if rule == "cluster" else rule
            parts.append(f"{count} {what} ({done})" if count else f"{count} {what}")
        if self.n_absent[i] and self.objects != "all":
            parts.append(f"{self.n_absent[i]} absent")
        return f"{self.names[i]}: {', '.join(parts)}"

    def __repr__(self) -> str:
        return f"Aligned({self.header})"

    def _frame(self) -> Columns:
        return Columns({
            "kind": [x.kind for x in self], "n_clusters": [x.n_clusters for x in self],
            "n_given": self.n_given, "n_noise": self.n_noise, "noise": self.noise,
            "n_missing": self.n_missing, "missing": self.missing, "n_absent": self.n_absent,
        }, {"name": self.names})

    def _table(self) -> SummaryTable:
        return SummaryTable.of(
            {"name": self.names, "kind": [x.kind for x in self],
             "clusters": [x.n_clusters for x in self], "given": self.n_given,
             "noise": [f"{count} ({rule})" for count, rule in zip(self.n_noise, self.noise)],
             "missing": [f"{count} ({rule})" for count, rule in zip(self.n_missing, self.missing)],
             "absent": self.n_absent},
            title=f"{self.n_objects} of {self.n_objects + self.n_dropped} objects compared",
            notes=["Noise and missing labels are counted before objects are left out."])


def align(*clusterings: ClusteringLike, noise: NoiseRules = "cluster", noise_label: Any = -1,
          missing: MissingRules = "raise", objects: Objects = "same",
          names: Sequence[str] | None = None) -> Aligned:
    """Make clusterings with noise, missing labels and different objects comparable.

    Parameters
    ----------
    *clusterings : clustering-like
        Anything `as_clustering` takes; labels may be missing (None, nan, NA), and rows of
        memberships may hold a nan or sum to less than 1.
    noise : {"cluster", "singletons", "drop", "unknown", "empty", "uncovered", "raise"}
        What noise is, here and in `missing`: one more cluster; a cluster for each object; left
        out on every side; one of the clusters of its side, which is not known (rough); in none
        of them (evidential, or "uncovered": the labels become a cover with disjoint clusters, as
        scores of linkage, coreference and diarization take them); an error. One value, or a tuple
        with one for each side: with ``noise=("cluster", "singletons")`` the noise of the first is
        a class.
    noise_label : label or set of labels
        The name of the cluster that is noise; it need not occur. A tuple has one for each side.
    missing : {"raise", "cluster", "singletons", "drop", "unknown", "uncovered"}
        What a missing label is, as for `noise`. A tuple has one for each side.
    objects : {"same", "common", "all"}
        The same objects in the same order (names, where both sides have them, must agree); those
        that every side has, matched by name, in the order of the first; or all, the order of the
        first and then the new ones of the next: an absent object is a missing label, and in no
        cluster of a cover.
    names : sequence of str, optional
        What to call the sides; "x" and "y" for two.

    Returns
    -------
    Aligned
        Objects are matched first; then those to be dropped on any side are left out on every
        side; then the other policies act on the objects kept. A side without noise and gaps
        keeps its kind and its numbers.

    Raises
    ------
    ClusteringError
        If there are missing labels and ``missing="raise"``, names are missing, repeated or
        different, or fewer than 2 objects are left.

    See Also
    --------
    as_clustering, compare, completion_bounds

    Notes
    -----
    "drop" is right for labels that are missing at random: the mean of the Rand index over all ways
    to lose the same number of labels is the Rand index of all objects. For noise it flatters the
    algorithm, which chooses the objects that are left out: report the share of objects compared
    with it.

    The index of a pandas object, the keys of a mapping and ``object_names`` are names. Time
    O(n). R: ``sc_align``.

    Theory: docs/theory/partial-labels.md.

    Examples
    --------
    >>> import softclust
    >>> truth, found = [0, 0, 0, 1, 1, 1], [0, 0, -1, 1, 1, -1]
    >>> for noise in ("cluster", "singletons", "drop"):
    ...     both = softclust.align(truth, found, noise=noise)
    ...     print(noise, round(softclust.adjusted_rand_index(*both), 3))
    cluster 0.242
    singletons 0.375
    drop 1.0
    >>> softclust.align({"a": 0, "b": 1, "c": 1}, {"c": 5, "b": 5, "d": 6},
    ...                 objects="common").object_names
    ('b', 'c')
    """
    return _record(*_settle(clusterings, names, noise, noise_label, missing, objects))


def with_gaps(*clusterings: Any, noise: Any = "cluster", noise_label: Any = -1,
              objects: str = "same", names: Sequence[str] | None = None
              ) -> tuple[Aligned, tuple[np.ndarray, ...]]:
    """Sides with a cluster of all missing labels each, and masks of the objects that are in it."""
    sides, called, matched, kept, _ = _settle(clusterings, names, noise, noise_label, "cluster",
                                              objects)
    gaps = [_of(side.missing, rows, matched.n, True) for side, rows in zip(sides, matched.rows)]
    return (_record(sides, called, matched, kept, objects),
            tuple(gap if kept is None else gap[kept] for gap in gaps))


def _settle(clusterings: Sequence[Any], names: Any, noise: Any, noise_label: Any, missing: Any,
            objects: str) -> tuple[list[Side], tuple[str, ...], Matched, np.ndarray | None, str]:
    """Sides read, matched and checked: what `_record` takes."""
    if not clusterings:
        raise TypeError("at least one clustering is needed, such as align(x, y)")
    check_choice("objects", objects, OBJECTS)
    k = len(clusterings)
    called = _called(names, k)
    rules = _each("noise", noise, k, partial(check_policy, "noise"))
    gaps = _each("missing", missing, k, partial(check_policy, "missing"))
    labels = _each("noise_label", noise_label, k, lambda label: label)
    sides = [_read(given, name, rule, label, gap) for given, name, rule, label, gap in
             zip(clusterings, called, rules, labels, gaps)]
    matched, kept = _match_and_drop(sides, called, objects)
    if matched.n < 2 and objects == "common":
        raise ClusteringError(nothing_common(sides, called, matched))
    if (matched.n if kept is None else kept.shape[0]) < 2:
        raise ClusteringError(_too_few(sides, called, matched, kept, objects))
    return sides, called, matched, kept, objects


class Pairwise:
    """Sides read once, aligned two by two: what is dropped of one pair stays in others."""

    def __init__(self, clusterings: Sequence[Any], names: Sequence[str], *, noise: Any,
                 noise_label: Any, missing: Any, objects: str) -> None:
        check_choice("objects", objects, OBJECTS)
        k = len(clusterings)
        given = zip(clusterings, names, _each("noise", noise, k, partial(check_policy, "noise")),
                    _each("noise_label", noise_label, k, lambda label: label),
                    _each("missing", missing, k, partial(check_policy, "missing")))
        self.sides = [_read(*parts) for parts in given]
        self.names, self.objects = tuple(names), objects

    def count(self, i: int, j: int) -> int:
        """How many objects of sides i and j are left."""
        matched, kept = _match_and_drop([self.sides[i], self.sides[j]],
                                        (self.names[i], self.names[j]), self.objects)
        return matched.n if kept is None else kept.shape[0]

    def kind(self, i: int) -> str:
        """The kind of side i with its policies."""
        found = self.pair(i, i)
        return "hard" if found is None else found[0].kind

    def said(self, i: int) -> str:
        """Noise and missing values of side i, in words; empty if there are none."""
        side = self.sides[i]
        parts = [f"{count} {what} ({rule})" for what, rule in (
            ("noise", side.noise_rule), ("missing", side.missing_rule))
            if (count := side.count(what))]
        return f"{self.names[i]}: {', '.join(parts)}, of {side.n}" if parts else ""

    def pair(self, i: int, j: int) -> Aligned | None:
        """Sides i and j of their objects; None where fewer than 2 are left."""
        sides, called = [self.sides[i], self.sides[j]], (self.names[i], self.names[j])
        matched, kept = _match_and_drop(sides, called, self.objects)
        if (matched.n if kept is None else kept.shape[0]) < 2:
            return None
        return _record(sides, called, matched, kept, self.objects)


def _match_and_drop(sides: list[Side], called: tuple[str, ...], objects: str
             ) -> tuple[Matched, np.ndarray | None]:
    """Objects matched, and those of them that are kept (None for all)."""
    matched = match(sides, called, objects)
    for side, name, rows in zip(sides, called, matched.rows):
        _check(side, name, rows)
    return matched, _kept(sides, matched)


def settled(sides: Sequence[Any], names: Sequence[str], *, noise: Any, noise_label: Any,
            missing: Any, objects: Any) -> tuple[tuple[Any, ...], Aligned | None]:
    """Sides ready to compare, and what was done; as they are where no keyword asks for anything.

    What functions of several clusterings do first with their keywords of `align`. Noise that a
    fitted estimator found is reported although it becomes a cluster.
    """
    given = (noise, missing, objects)
    noisy = any(map(finds_noise, sides))
    if not noisy and all(isinstance(v, str) for v in given) and given == (
            "cluster", "raise", "same"):
        return tuple(sides), None
    found = align(*sides, noise=noise, noise_label=noise_label, missing=missing, objects=objects,
                  names=names)
    return found.clusterings, found if found.changed or noisy else None


def _called(names: Any, k: int) -> tuple[str, ...]:
    if names is None:
        return ("x", "y") if k == 2 else tuple(f"clustering {i}" for i in range(k))
    if isinstance(names, str) or len(tuple(names)) != k:
        raise ValueError(f"names={shown(names)}; {k} names, one for each clustering, are needed")
    return tuple(map(str, names))


def _each(what: str, value: Any, k: int, check: Callable[[Any], Any]) -> tuple[Any, ...]:
    """One value for each side, from one for all or a tuple."""
    if not isinstance(value, tuple):
        return (check(value),) * k
    if len(value) != k:
        raise ClusteringError(f"{what} is a tuple of {len(value)} for {k} clusterings; give one "
                              "value, or one for each")
    return tuple(check(v) for v in value)


def _read(given: Any, name: str, noise: str, label: Any, missing: str) -> Side:
    try:
        # "cluster" is also what is done when nobody asks: rows that sum to less are an error then.
        return read_side(given, noise=noise, noise_label=label, missing=missing,
                         whole_rows=noise == "cluster")
    except ClusteringError as error:
        raise type(error)(f"{name}: {error}") from None


# -- dropping ---------------------------------------------------------------------------------
def _of(mask: np.ndarray | None, rows: np.ndarray | None, n: int, absent: bool) -> np.ndarray:
    """A mask of a side at the matched objects; `absent` for those that it lacks."""
    if rows is None:
        return np.zeros(n, dtype=np.bool_) if mask is None else mask
    inside = np.zeros(n, dtype=np.bool_) if mask is None else mask[rows]
    return np.where(rows < 0, absent, inside)


def _check(side: Side, name: str, rows: np.ndarray | None) -> None:
    """Raise for objects whose policy is "raise"."""
    try:
        side.check()
        if rows is not None and side.absent_rule == "raise" and (rows < 0).any():
            gone = int((rows < 0).sum())
            raise MissingLabels(missing_text(gone, "an object that only other sides have"))
    except ClusteringError as error:
        raise type(error)(f"{name}: {error}") from None


def _dropped(side: Side, rows: np.ndarray | None, n: int) -> np.ndarray:
    """Which of n matched objects a side drops; an empty array for none."""
    mask = side.dropped()
    gone = rows is not None and side.missing_rule == "drop" and bool((rows < 0).any())
    if mask is None and not gone:
        return np.zeros(0, dtype=np.bool_)
    return _of(mask, rows, n, side.missing_rule == "drop")


def _kept(sides: list[Side], matched: Matched) -> np.ndarray | None:
    """Places of the objects kept among those matched; None for all."""
    out: np.ndarray | None = None
    for side, rows in zip(sides, matched.rows):
        own = _dropped(side, rows, matched.n)
        if own.size:
            out = own if out is None else out | own
    return None if out is None or not out.any() else np.flatnonzero(~out)


def _counts(sides: list[Side], matched: Matched, what: str) -> tuple[int, ...]:
    return tuple(side.count(what) if rows is None else int(np.count_nonzero(
        _of(side.noise if what == "noise" else side.missing, rows, matched.n, what == "missing")))
        for side, rows in zip(sides, matched.rows))


def _too_few(sides: list[Side], called: tuple[str, ...], matched: Matched,
             kept: np.ndarray | None, objects: str) -> str:
    left = matched.n if kept is None else kept.shape[0]
    if matched.n == left == 1 and objects == "same":
        return f"{' and '.join(called)} have 1 object; at least 2 are needed to compare"
    noise, missing = (_counts(sides, matched, what) for what in ("noise", "missing"))
    said = "; ".join(f"{name}: {a} noise, {b} missing, {c} absent" for name, a, b, c in
                     zip(called, noise, missing, matched.absent))
    hint = '; "drop" left out the others, "singletons" keeps them' if kept is not None else ""
    lost = [int(np.count_nonzero(_dropped(side, rows, matched.n)))
            for side, rows in zip(sides, matched.rows)]
    return (f"{left} of {matched.n} objects are left; at least 2 are needed ({said}){hint}"
            + costliest(called, lost))


def _record(sides: list[Side], called: tuple[str, ...], matched: Matched,
            kept: np.ndarray | None, objects: str) -> Aligned:
    rows = [row if kept is None else kept if row is None else row[kept] for row in matched.rows]
    n = matched.n if kept is None else kept.shape[0]
    names = None
    if matched.names is not None and (objects != "same" or not isinstance(matched.names, range)
                                      or kept is not None):
        names = tuple(matched.names if kept is None else map(matched.names.__getitem__,
                                                             kept.tolist()))
    found = []
    plain = frozen(np.arange(n)) if any(row is None for row in rows) else None
    for side, row in zip(sides, rows):
        made = side.take(row)
        if names is not None and side.names is not None and not (row is None and made is side.base):
            made = made.renamed(names)
        found.append(made)
    return Aligned(
        clusterings=tuple(found), names=called, n_objects=n, n_dropped=matched.n - n,
        object_names=names, objects=objects,
        positions=tuple(plain if row is None else frozen(row) for row in rows),   # type: ignore
        n_given=tuple(side.n for side in sides), n_absent=matched.absent,
        n_noise=_counts(sides, matched, "noise"), n_missing=_counts(sides, matched, "missing"),
        noise=tuple(side.noise_rule for side in sides),
        missing=tuple(side.absent_rule for side in sides))
