"""Element-centric consistency of runs: `element_consistency` and its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError, frozen
from .._types import RNG, EnsembleLike
from ..clusterings import Ensemble
from ..covers.element_centric import check_damping
from ..covers.walks import ElementSimilarities, groups_of
from ..measures import get_measure
from ..measures.joint import Joint
from ..results.frames import same_frames
from ..results.records import Augmented, Columns, Drawn, Record
from ..results.summary import SummaryTable, right
from ..running.random_numbers import as_generator
from ..running.threads import progress_bar
from .together import as_runs, check_labels, ratio


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ElementConsistency(Drawn, Augmented, Record):
    """Consistency with which runs keep each object with the same others.

    Made by `element_consistency`.

    Attributes
    ----------
    values : (n,) float64
        Mean element-centric similarity of each object over the pairs of runs that contain it, from
        0 to 1; nan if no two do.
    agreement : (B,) float64
        Mean similarity of each run with the others.
    names : tuple of str
        Names of the runs.
    object_names : tuple or None
    n_pairs, n_sampled : int
        Number of pairs of runs, and of those that were evaluated.
    reference : str or None
        Name of the run with which the others were compared; None for all pairs.

    Notes
    -----
    ``to_frame()``: one row per object. Column ``value``, indexed by the names of the objects.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.element_consistency([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]])
    >>> found.agreement.round(3)
    array([0.771, 0.771, 0.542])
    >>> softclust.element_consistency([[0, 0, 1], [0, 0, 1]]).to_frame()["value"].tolist()
    [1.0, 1.0, 1.0]
    >>> print(softclust.element_consistency([[0, 0, 1, 1], [0, 1, 1, 1]]).summary())
    Element-centric consistency of 4 objects in 2 runs: 0.5417
    ...
    """

    _chart = "plot_element_consistency"

    values: Annotated[np.ndarray, "f n"]
    agreement: Annotated[np.ndarray, "f names"]
    names: Annotated[tuple[str, ...], "distinct"]
    object_names: Annotated[tuple[Any, ...] | None, "distinct n"] = None
    n_pairs: int
    n_sampled: int
    reference: str | None = None

    @property
    def index(self) -> float:
        """Mean of `values` over the objects that have one; nan if none has."""
        known = self.values[~np.isnan(self.values)]
        return float(known.mean()) if known.size else float("nan")

    @property
    def exact(self) -> bool:
        """True if all pairs of runs were evaluated."""
        return self.n_sampled == self.n_pairs

    def __repr__(self) -> str:
        how = "" if self.exact else f", {self.n_sampled} of {self.n_pairs} pairs"
        return (f"ElementConsistency({len(self.names)} runs of {self.values.size} objects, "
                f"index {self.index:.4f}{how})")

    def _frame(self) -> Columns:
        names = range(self.values.size) if self.object_names is None else self.object_names
        return Columns({"value": self.values}, {"object": names})

    def _table(self) -> SummaryTable:
        known = self.values[~np.isnan(self.values)]
        values: dict[str, float] = {}
        if known.size:
            values |= {f"objects, {what}": v for what, v in zip(
                ("least", "lower quartile", "median", "upper quartile", "most"),
                np.quantile(known, (0, 0.25, 0.5, 0.75, 1)))}
            best, worst = (int(f(self.agreement)) for f in (np.nanargmax, np.nanargmin))
            values |= {f"run {self.names[b]!r}, agrees {what}": self.agreement[b]
                       for b, what in ((worst, "least"), (best, "most"))}
        notes = []
        if known.size < self.values.size:
            notes.append(f"{self.values.size - known.size} objects are in no two runs together.")
        if not self.exact:
            notes.append(f"Sampled: {self.n_sampled} of {self.n_pairs} pairs of runs.")
        if self.reference is not None:
            notes.append(f"Each run against {self.reference!r}.")
        return SummaryTable.of(
            {"quantity": values, "similarity": right(values.values(), ".4f")}, notes=notes,
            title=f"Element-centric consistency of {self.values.size} objects in "
                  f"{len(self.names)} runs: {self.index:.4f}")


# -- consistency with which runs keep each object with the same others ----------------------------
#: largest number of pairs of runs that are all evaluated
MAX_PAIRS = 5_000


def pairs_of_runs(count: int, rng: np.random.Generator, limit: int = MAX_PAIRS) -> np.ndarray:
    """Pairs b < c of runs, (m, 2) int64: all, or `limit` different ones drawn at random."""
    total = count * (count - 1) // 2
    if total <= limit:
        first, second = np.triu_indices(count, 1)
        return np.column_stack([first, second]).astype(np.int64)
    places = np.sort(rng.choice(total, size=limit, replace=False))
    # Pair t of the rows 0-1, 0-2, ..., 1-2, ...: row b begins at b (2 B - b - 1) / 2.
    starts = np.arange(count) * (2 * count - np.arange(count) - 1) // 2
    first = np.searchsorted(starts, places, side="right") - 1
    return np.column_stack([first, places - starts[first] + first + 1]).astype(np.int64)


#: number of cells of a table of two runs above which only non-empty ones are stored
_CELLS = 1 << 22


@same_frames
def element_consistency(runs: EnsembleLike, *, damping: float = 0.9,
                        reference: int | str | None = None, rng: RNG = None) -> ElementConsistency:
    r"""Measure how consistently runs keep each object with the same others.

    Parameters
    ----------
    runs : Ensemble, or anything that `Ensemble` takes
        Two or more hard clusterings of the same objects, or of some of them; or hard and fuzzy
        clusterings and covers of the same objects.
    damping : float in [0, 1)
        As in `element_centric_index`; has no effect between hard runs.
    reference : int or str, optional
        Position or name of a run to compare with every other one, instead of all pairs.
    rng : None, int or numpy Generator, optional
        Seed or generator for the 5,000 pairs of runs that are drawn if there are more.

    Returns
    -------
    ElementConsistency
        ``.values`` by object from 0 to 1, ``.index`` for their mean, ``.agreement`` by run.

    Raises
    ------
    ClusteringError
        If there is one run only, a run is of another kind, labels are negative, or `damping` is
        out of range.

    See Also
    --------
    cluster_stability, coassociation, element_centric

    Notes
    -----
    .. math:: \frac{T}{\max(a, c)}

    For two hard runs, T is the number of objects that share both clusters of object i, and a and c
    are the sizes of these clusters, all counted on the objects of both runs. The ratio is the
    element-centric similarity of Gates et al. (2019), for every damping. `values` are means over
    the pairs of runs that contain the object, nan if no two do. Time O(n) per pair of hard runs,
    otherwise that of `element_centric_index`; the same bits for any number of threads. R:
    ``ClustAssess::element_consistency``.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn (2019), Element-centric clustering
    comparison unifies overlaps and hierarchy, Scientific Reports 9, 8574.

    Examples
    --------
    >>> import softclust
    >>> found = softclust.element_consistency([[0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1]])
    >>> found.values.round(3)
    array([0.778, 0.778, 0.556, 0.778, 0.778])
    >>> round(found.index, 3)
    0.733
    """
    damping = check_damping(damping)
    soft: Ensemble | None = None   # unless all runs are hard
    if not isinstance(runs, np.ndarray):
        members = runs if isinstance(runs, Ensemble) else Ensemble(runs)
        if set(members.kinds) != {"hard"}:
            if members is not runs:
                check_labels(members)
            if len(members) < 2:
                raise ClusteringError("runs holds 1 run; at least 2 are needed")
            for x in members:
                get_measure("element_centric_index").check_kinds(Joint.of_checked(x, x))
            soft = members
    ensemble = as_runs(runs, minimum=2) if soft is None else soft
    count, n = len(ensemble), ensemble.n_objects
    place = None if reference is None else _position(ensemble.names, reference)
    if place is None:
        pairs = pairs_of_runs(count, as_generator(rng))
        n_pairs = count * (count - 1) // 2
    else:
        others = np.delete(np.arange(count), place)
        pairs = np.column_stack([np.full(others.size, place), others])
        n_pairs = others.size
    total, pairs_of_object = np.zeros(n), np.zeros(n, dtype=np.int64)
    of_runs, pairs_of_run = np.zeros(count), np.zeros(count, dtype=np.int64)
    sides: list[dict[Any, Any]] = [{} for _ in range(count)]   # shared by the pairs of a run
    with progress_bar(False, "element_consistency") as show:
        for t, (b, c) in enumerate(pairs.tolist()):
            if soft is None:
                similarity, both = hard_similarities(ensemble, b, c)
            else:
                joint = Joint.of_checked(soft[b], soft[c], sides[b], sides[c])
                groups = joint.statistic(ElementSimilarities, damping=damping)
                similarity, both = groups.values[groups_of(joint, groups)], np.ones(n, np.bool_)
            if similarity.size:
                total[both] += similarity
                pairs_of_object += both
                of_runs[[b, c]] += similarity.mean()
                pairs_of_run[[b, c]] += 1
            if show is not None:
                show(t + 1, len(pairs))
    return ElementConsistency(
        values=frozen(ratio(total, pairs_of_object)),
        agreement=frozen(ratio(of_runs, pairs_of_run)), names=ensemble.names,
        object_names=ensemble.object_names, n_pairs=n_pairs, n_sampled=len(pairs),
        reference=None if place is None else ensemble.names[place])


def hard_similarities(runs: Ensemble, b: int, c: int) -> tuple[np.ndarray, np.ndarray]:
    """T/max(a, c) of the common objects of two hard runs, and a mask of these objects, (n,) bool.
    """
    both = (runs.labels[b] >= 0) & (runs.labels[c] >= 0)
    x, y = (runs.labels[run, both].astype(np.int64) for run in (b, c))
    cells = x * runs.n_clusters[c] + y
    if runs.n_clusters[b] * runs.n_clusters[c] > _CELLS:
        cells = np.unique(cells, return_inverse=True)[1].reshape(-1)
    sizes, a, d = np.bincount(cells), np.bincount(x), np.bincount(y)
    return sizes[cells] / np.maximum(a[x], d[y]), both


def _position(names: tuple[str, ...], reference: Any) -> int:
    if isinstance(reference, str):
        if reference not in names:
            raise ClusteringError(f"no run is called {reference!r}; the names are "
                                  + ", ".join(map(repr, names[:10])))
        return names.index(reference)
    if not isinstance(reference, (int, np.integer)) or isinstance(reference, bool):
        raise TypeError(f"reference is {reference!r}; the position or name of a run is needed")
    if not -len(names) <= reference < len(names):
        raise ClusteringError(f"reference is {reference}; a position from 0 to {len(names) - 1} "
                              "is needed")
    return int(reference) % len(names)
