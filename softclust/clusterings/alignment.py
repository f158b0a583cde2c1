"""`align`: clusterings with noise, missing labels and different objects made comparable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, overload

import numpy as np

from .._checks import ClusteringError, check_choice, frozen, shown
from .._types import ArrayLike, ClusteringLike, MissingRules, NoiseRules, Objects
from ..results.frames import same_frames
from ..results.records import POSITION, Columns, Drawn, Record
from ..results.summary import SummaryTable
from ._base import Clustering
from ._policies import check_policy
from .coercion import finds_noise, read_side
from .labels import MissingLabels, missing_text
from .objects import costliest, in_order, match_objects, nothing_common, own_names
from .sides import Asked, Side

OBJECTS = ("same", "common", "all")
#: types of sides that are not estimators
_PLAIN = frozenset({list, np.ndarray})


@dataclass(frozen=True, slots=True)
class Policies:
    """Treatment of noise, missing labels and absent objects: keywords of `align`.

    Each of the first three is one value for all sides or a tuple with one for each. Noise None,
    the default, is a cluster, and rows of memberships must sum to 1.
    """

    noise: Any = None
    noise_label: Any = -1
    missing: Any = "raise"
    objects: Objects = "same"

    @property
    def usual(self) -> bool:
        """True if they are all defaults."""
        rules = (self.noise, self.missing, self.objects)
        return set(map(type, rules)) <= {str, type(None)} and rules == (None, "raise", "same")

    def of_sides(self, k: int) -> list[Policies]:
        """The policies of each of k sides."""
        check_choice("objects", self.objects, OBJECTS)
        noise = [None if rule is None else check_policy("noise", rule)
                 for rule in self._each("noise", k)]
        labels = self._each("noise_label", k)
        missing = [check_policy("missing", rule) for rule in self._each("missing", k)]
        return [Policies(*rules, self.objects) for rules in zip(noise, labels, missing)]

    def with_truth(self, k: int) -> Policies:
        """These policies where pairs of values mean the truth and each of k clusterings."""
        noise, labels, missing = (
            (value[0], *[value[1]] * k) if isinstance(value, tuple) and len(value) == 2 else value
            for value in (self.noise, self.noise_label, self.missing))
        return Policies(noise, labels, missing, self.objects)

    def of_pair(self, i: int, j: int) -> Policies:
        """The policies of sides i and j."""
        noise, labels, missing = (
            (value[i], value[j]) if isinstance(value, tuple) else value
            for value in (self.noise, self.noise_label, self.missing))
        return Policies(noise, labels, missing, self.objects)

    def _each(self, name: str, k: int) -> tuple[Any, ...]:
        value = getattr(self, name)
        if not isinstance(value, tuple):
            return (value,) * k
        if len(value) != k:
            raise ClusteringError(f"{name} is a tuple of {len(value)} for {k} clusterings; give "
                                  "one value, or one for each")
        return value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aligned(Drawn, Record, Sequence[Clustering]):
    """Clusterings aligned to the same objects, with a record of what was done.

    Behaves as the tuple of its clusterings: `rand_index(*align(x, y, noise="drop"))`.

    Attributes
    ----------
    clusterings : tuple of Clustering
        Of the objects that were kept, in one order.
    names : tuple of str
        Names of the sides.
    n_objects, n_dropped : int
        Objects kept, and other objects of any side: absent on another, or left out by a policy.
    n_matched : int
        Objects matched, before a policy leaves some out.
    object_names : tuple or None
        Names of the objects kept.
    positions : tuple of ndarray, shape (n_objects,), int64
        For each side the position of each kept object in the input, -1 where it is absent.
    n_given : tuple of int
        Objects of each side as given.
    n_noise, n_missing : tuple of int
        Noise and missing labels of each side among the objects matched, before any is dropped;
        with ``objects="all"`` an absent object is a missing label.
    n_absent : tuple of int
        Objects of the other sides that each side lacks.
    noise_share : tuple of float
        Share of each side that is noise, among the same objects: besides noise, what rows of
        memberships lack to 1.
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

    clusterings: Annotated[tuple[Clustering, ...], "names"]
    names: Annotated[tuple[str, ...], "distinct"]
    n_objects: Annotated[int, ">=0"]
    n_dropped: Annotated[int, ">=0"]
    n_matched: Annotated[int, ">=0"]
    object_names: Annotated[tuple[Any, ...] | None, "distinct n_objects"]
    positions: tuple[Annotated[np.ndarray, "i n_objects >=-1"], ...] = field(metadata=POSITION)
    n_given: Annotated[tuple[int, ...], "names"]
    n_noise: Annotated[tuple[int, ...], "names"]
    n_missing: Annotated[tuple[int, ...], "names"]
    n_absent: Annotated[tuple[int, ...], "names"]
    noise_share: Annotated[tuple[float, ...], "names"]
    noise: Annotated[tuple[str, ...], "names"]
    missing: Annotated[tuple[str, ...], "names"]
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

    def subset(self, indices: ArrayLike | slice) -> Aligned:
        """Select some of the objects; the others count as dropped.

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
            "noise_share", "noise", "missing")}
        return replace(self, **parts)

    @property
    def changed(self) -> bool:
        """True if anything was done: objects dropped, reordered or added, or labels changed."""
        moved = any(p.shape[0] != n or not in_order(p)
                    for p, n in zip(self.positions, self.n_given))
        return (moved or any(self.n_missing) or self.n_dropped > 0 or str in map(type, self._noise)
                or any(n and rule != "cluster" for n, rule in zip(self.n_noise, self.noise)))

    @property
    def _noise(self) -> list[int | str]:
        """Number of noise objects of each side; a percentage where some are partly noise."""
        return [_amount(count, share, self.n_matched)
                for share, count in zip(self.noise_share, self.n_noise)]

    @property
    def header(self) -> str:
        """One line: noise, missing and absent objects of each side, and how many were compared."""
        sides = "; ".join(self._side(i) for i in range(len(self)))
        total = self.n_objects + self.n_dropped
        return f"{sides}; {self.n_objects} of {total} objects compared"

    def _side(self, i: int) -> str:
        parts = []
        for what, count, rule in (("noise", self._noise[i], self.noise[i]),
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
             "noise": [f"{count} ({rule})" for count, rule in zip(self._noise, self.noise)],
             "missing": [f"{count} ({rule})" for count, rule in zip(self.n_missing, self.missing)],
             "absent": self.n_absent},
            title=f"{self.n_objects} of {self.n_objects + self.n_dropped} objects compared",
            notes=["Noise and missing labels are counted before objects are left out."])


@same_frames
def align(*clusterings: ClusteringLike, noise: NoiseRules = None, noise_label: Any = -1,
          missing: MissingRules = "raise", objects: Objects = "same",
          names: Sequence[str] | None = None) -> Aligned:
    """Make clusterings with noise, missing labels and different objects comparable.

    Parameters
    ----------
    *clusterings : clustering-like
        Anything `as_clustering` takes; labels may be missing (None, nan, NA), and rows of
        memberships may hold a nan or sum to less than 1.
    noise : {"cluster", "singletons", "drop", "unknown", "empty", "uncovered", "raise"}, optional
        How noise is treated; the options have the same meaning for `missing`:

        - "cluster": one more cluster;
        - "singletons": a cluster for each object;
        - "drop": left out on every side;
        - "unknown": in an unknown one of the clusters of its side (rough);
        - "empty": in none of them (evidential);
        - "uncovered": in none of them; the labels become a cover with disjoint clusters, as scores
          of linkage, coreference and diarization take them;
        - "raise": an error.

        Without it noise is a cluster, and a row of memberships that sums to less than 1 is an
        error; with "cluster" what it lacks goes to a last column "noise". Give one
        value, or a tuple with one for each side: with ``noise=("cluster", "singletons")`` only the
        noise of the first is a class.
    noise_label : label or set of labels
        The label that means noise; it need not occur. The default -1 also means the text "-1". A
        tuple gives one for each side.
    missing : {"raise", "cluster", "singletons", "drop", "unknown", "uncovered"}
        How a missing label is treated, as for `noise`. A tuple gives one for each side.
    objects : {"same", "common", "all"}
        Which objects are compared:

        - "same": all sides have the same objects in the same order (names, where both sides have
          them, must agree);
        - "common": those that every side has, matched by name, in the order of the first side;
        - "all": those of any side, in the order of the first side, then new ones of the next. An
          absent object counts as a missing label; in a cover it is in no cluster.
    names : sequence of str, optional
        Names of the sides; by default those of Series, else "x" and "y" for two.

    Returns
    -------
    Aligned
        Objects are matched first. Then objects dropped on one side are left out on every side, and
        the other policies act on the objects kept. A side without noise or missing labels keeps its
        kind and values. Where a side loses objects, clusters that no object is left in are left
        out, too.

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
    algorithm, which itself chooses the objects that are left out: report also the share of objects
    compared.

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
    return _align(clusterings, names, Policies(noise, noise_label, missing, objects)).record()


def with_gaps(clusterings: Sequence[Any], names: Sequence[str], policies: Policies
              ) -> tuple[Aligned, tuple[np.ndarray, ...]]:
    """Sides whose missing labels form one cluster each, and masks of the objects in it."""
    match = _align(clusterings, names, replace(policies, missing="cluster"))
    masks = [_spread(side.missing, rows, match.n_matched, True) for side, rows in match.pairs]
    return match.record(), tuple(mask if match.rows is None else mask[match.rows]
                                 for mask in masks)


def side_names(x: Any, y: Any, names: Any) -> tuple[str, str]:
    """Names of both sides: as given, else of their columns or Series if these differ."""
    if isinstance(names, str) or len(tuple(names)) != 2:
        raise ValueError(f"names={shown(names)}; two names, one for each clustering, are needed")
    called = (str(names[0]), str(names[1]))
    if called == ("x", "y"):
        of_x = x if isinstance(x, str) else getattr(x, "name", None)
        of_y = y if isinstance(y, str) else getattr(y, "name", None)
        if of_x != of_y:
            called = (str(of_x or "x"), str(of_y or "y"))
    return called


def settled(sides: Sequence[Any], names: Sequence[str], policies: Policies
            ) -> tuple[tuple[Any, ...], Aligned | None]:
    """Sides ready to compare and a record of what was done; unchanged if all policies are defaults.

    Functions of several clusterings call it first with their keywords of `align`. Noise that a
    fitted estimator reports is counted even though it becomes a cluster.
    """
    noisy = not _PLAIN.issuperset(map(type, sides)) and any(map(finds_noise, sides))
    if not noisy and policies.usual:
        return tuple(sides), None
    aligned = _align(sides, names, policies).record()
    asked = policies.noise is not None   # then 0 noise is an answer
    return aligned.clusterings, aligned if aligned.changed or noisy or asked else None


class Pairwise:
    """Sides read once and aligned in pairs: objects dropped from one pair stay in others."""

    def __init__(self, clusterings: Sequence[Any], names: Sequence[str], policies: Policies
                 ) -> None:
        self.sides = _read(clusterings, names, policies)
        self.names, self.objects = tuple(names), policies.objects

    def _match(self, i: int, j: int) -> _Match:
        return _Match([self.sides[i], self.sides[j]], (self.names[i], self.names[j]), self.objects)

    def count(self, i: int, j: int) -> int:
        """Number of objects left for sides i and j."""
        return self._match(i, j).n

    def kind(self, i: int) -> str:
        """The kind of side i with its policies."""
        aligned = self.pair(i, i)
        return "hard" if aligned is None else aligned[0].kind

    def note(self, i: int) -> str:
        """Noise and missing values of side i, in words; empty if there are none."""
        side = self.sides[i]
        share = 0.0 if side.rest is None else float(side.rest.mean())
        parts = [f"{count} {what} ({rule})" for count, what, rule in (
            (_amount(side.count("noise"), share, side.n), "noise", side.noise_rule),
            (side.count("missing"), "missing", side.missing_rule))
            if count or (what == "noise" and rule != "cluster")]
        return f"{self.names[i]}: {', '.join(parts)}, of {side.n}" if parts else ""

    def pair(self, i: int, j: int) -> Aligned | None:
        """Sides i and j on their objects; None where fewer than 2 are left."""
        match = self._match(i, j)
        return None if match.n < 2 else match.record()


def _amount(count: int, share: float, n: int) -> int | str:
    """Number of noise objects, or their share in percent where some are partly noise."""
    return f"{100.0 * share:.3g} %" if share * n > count + 1e-9 else count


def _align(clusterings: Sequence[Any], names: Sequence[str] | None, policies: Policies) -> _Match:
    """Sides read and matched; fewer than two objects raise."""
    if not clusterings:
        raise TypeError("at least one clustering is needed, such as align(x, y)")
    k = len(clusterings)
    if names is None:
        names = own_names(clusterings, ("x", "y") if k == 2 else
                          [f"clustering {i}" for i in range(k)])
    if isinstance(names, str) or len(tuple(names)) != k:
        raise ValueError(f"names={shown(names)}; {k} names, one for each clustering, are needed")
    names = tuple(map(str, names))
    match = _Match(_read(clusterings, names, policies), names, policies.objects)
    if match.n_matched < 2 and policies.objects == "common":
        raise ClusteringError(nothing_common(match.sides, names, match.matched))
    if match.n < 2:
        raise ClusteringError(match.too_few())
    return match


def _read(clusterings: Sequence[Any], names: Sequence[str], policies: Policies) -> list[Side]:
    # By default noise is a cluster, and rows that sum to less than 1 are an error.
    return [read_side(clustering, Asked(noise=rules.noise or "cluster", missing=rules.missing,
                                        noise_label=rules.noise_label,
                                        whole_rows=rules.noise is None),
                      name)
            for clustering, name, rules in zip(clusterings, names,
                                             policies.of_sides(len(clusterings)))]


def _spread(mask: np.ndarray | None, rows: np.ndarray | None, n: int, absent: bool) -> np.ndarray:
    """A mask of a side at the n matched objects; `absent` for those that it lacks."""
    if rows is None:
        return np.zeros(n, dtype=np.bool_) if mask is None else mask
    inside = np.zeros(n, dtype=np.bool_) if mask is None else mask[rows]
    return np.where(rows < 0, absent, inside)


class _Match:
    """Sides with their objects matched.

    Attributes
    ----------
    pairs : list of (Side, (n_matched,) int64 or None)
        The sides and the rows that are the matched objects.
    rows : ndarray or None
        Positions, among the matched objects, of those that no side drops; None for all.
    n : int
        How many they are.
    """

    def __init__(self, sides: list[Side], names: tuple[str, ...], objects: str) -> None:
        self.sides, self.names, self.objects = sides, names, objects
        self.matched = match_objects(sides, names, objects)
        self.n_matched = self.matched.n
        self.pairs = list(zip(sides, self.matched.rows))
        for name, (side, rows) in zip(names, self.pairs):
            side.check(f"{name}: ")
            if rows is not None and side.absent_rule == "raise" and (rows < 0).any():
                absent = missing_text(int((rows < 0).sum()),
                                      "an object that only other sides have")
                raise MissingLabels(f"{name}: {absent}")
        dropped = [mask for mask in self._dropped() if mask is not None]
        together = np.logical_or.reduce(dropped) if dropped else np.zeros(0, np.bool_)
        self.rows = np.flatnonzero(~together) if together.any() else None
        self.n = self.n_matched if self.rows is None else self.rows.shape[0]

    def _dropped(self) -> list[np.ndarray | None]:
        """Masks of the matched objects that each side drops; None for none."""
        masks: list[np.ndarray | None] = []
        for side, rows in self.pairs:
            mask, drops = side.dropped(), side.missing_rule == "drop"
            lacks = rows is not None and drops and bool((rows < 0).any())
            masks.append(None if mask is None and not lacks
                         else _spread(mask, rows, self.n_matched, drops))
        return masks

    def counts(self, what: str) -> tuple[int, ...]:
        """Matched objects of each side that are "noise" or "missing"."""
        return tuple(side.count(what) if rows is None else int(np.count_nonzero(_spread(
            side.noise if what == "noise" else side.missing, rows, self.n_matched,
            what == "missing"))) for side, rows in self.pairs)

    def shares(self) -> tuple[float, ...]:
        """Share of the matched objects of each side that is noise."""
        return tuple(n / self.n_matched if side.rest is None else float(
            (side.rest if rows is None else side.rest[rows][rows >= 0]).sum() / self.n_matched)
            for n, (side, rows) in zip(self.counts("noise"), self.pairs))

    def too_few(self) -> str:
        """Message for fewer than two objects."""
        if self.n_matched == self.n == 1 and self.objects == "same":
            return f"{' and '.join(self.names)} have 1 object; at least 2 are needed to compare"
        counts = "; ".join(
            f"{name}: {noise} noise, {missing} missing, {absent} absent"
            for name, noise, missing, absent in zip(
                self.names, self.counts("noise"), self.counts("missing"), self.matched.absent))
        hint = "" if self.rows is None else (
            '; "drop" left out the others, "singletons" keeps them')
        lost = [0 if mask is None else int(np.count_nonzero(mask)) for mask in self._dropped()]
        return (f"{self.n} of {self.n_matched} objects are left; at least 2 are needed ({counts})"
                + hint + costliest(self.names, lost, ", ".join(
                    [f'{rule}="drop"' for rule, rules in (
                        ("noise", [side.noise_rule for side in self.sides]),
                        ("missing", [side.missing_rule for side in self.sides]))
                     if "drop" in rules] + ['objects="common"'] * (self.objects == "common"))))

    def record(self) -> Aligned:
        """The clusterings of the objects that are left, with a record of what was done."""
        rows = [row if self.rows is None else self.rows if row is None else row[self.rows]
                for row in self.matched.rows]
        names: Any = self.matched.names
        if self.objects == "same" and isinstance(names, range) and self.rows is None:
            names = None
        if names is not None:
            names = tuple(names if self.rows is None else map(names.__getitem__,
                                                              self.rows.tolist()))
        clusterings = []
        for side, row in zip(self.sides, rows):
            made = side.take(row)
            if self.n < side.n:
                made = made.occurring()
            if names is not None and side.names is not None and not (
                    row is None and made is side.base):
                made = made.renamed(names)
            clusterings.append(made)
        plain = frozen(np.arange(self.n)) if any(row is None for row in rows) else None
        return Aligned(
            clusterings=tuple(clusterings), names=self.names, n_objects=self.n,
            n_dropped=self.matched.n_names - self.n, n_matched=self.n_matched,
            object_names=names, objects=self.objects,
            positions=tuple(plain if row is None else frozen(row) for row in rows),   # type: ignore
            n_given=tuple(side.n for side in self.sides), n_absent=self.matched.absent,
            n_noise=self.counts("noise"), n_missing=self.counts("missing"),
            noise_share=self.shares(),
            noise=tuple(side.noise_rule for side in self.sides),
            missing=tuple(side.absent_rule for side in self.sides))
