"""The record of `element_consistency`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError, frozen
from .._frames import same_frames
from .._parallel import progress_bar
from .._random import as_generator
from .._records import Augmented, Columns, Drawn, Record
from .._summary import SummaryTable, right
from ..clusterings import Ensemble
from ..covers.element_centric import check_damping
from ..covers.walks import ElementSimilarities, groups_of
from ..measures import get_measure
from ..measures.joint import Joint
from ._run_input import as_runs, check_labels, counted, pairs_of_runs

if TYPE_CHECKING:
    from .._types import RNG, EnsembleLike



@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ElementConsistency(Drawn, Augmented, Record):
    """How consistently runs keep each object with the same others.

    Made by `element_consistency`.

    Attributes
    ----------
    values : (n,) float64
        Mean element-centric similarity of each object over pairs of runs that hold it, from 0 to
        1; nan where no two do.
    agreement : (B,) float64
        Mean similarity of each run with the others.
    names : tuple of str
        Names of the runs.
    object_names : tuple or None
    n_pairs, n_sampled : int
        Pairs of runs, and how many of them were looked at.
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

    values: np.ndarray
    agreement: np.ndarray
    names: tuple[str, ...]
    object_names: tuple[Any, ...] | None = None
    n_pairs: int
    n_sampled: int
    reference: str | None = None

    @property
    def index(self) -> float:
        """Mean of `values`, of the objects that have one; nan where none has."""
        known = self.values[~np.isnan(self.values)]
        return float(known.mean()) if known.size else float("nan")

    @property
    def exact(self) -> bool:
        """Whether all pairs of runs were looked at."""
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


# -- how consistently runs keep each object with the same others ----------------------------------
#: cells of a table of two runs beyond which only those that occur are kept
_CELLS = 1 << 22


@same_frames
def element_consistency(runs: EnsembleLike, *, damping: float = 0.9,
                        reference: int | str | None = None, rng: RNG = None) -> ElementConsistency:
    r"""How consistently runs keep each object with the same others.

    Parameters
    ----------
    runs : Ensemble or what `Ensemble` takes
        Two or more hard clusterings of the same objects, or of some of them each; or hard and
        fuzzy clusterings and covers of the same objects.
    damping : float in [0, 1)
        As in `element_centric_index`; of no effect between hard runs.
    reference : int or str, optional
        Position or name of a run: compare it with each other one, in place of all pairs.
    rng : None, int or numpy Generator, optional
        Source of the 5,000 pairs of runs that are drawn when there are more.

    Returns
    -------
    ElementConsistency
        ``.values`` by object from 0 to 1, ``.index`` their mean, ``.agreement`` by run.

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
    .. math::

        \frac{T}{\max(a, c)} \quad \text{of the cell of object } i, \text{ as a mean over pairs of
        runs}

    For two hard runs, T is the number of objects that share both clusters of object i, and a and c
    are the sizes of these clusters, all counted on the objects of both runs. This is the
    element-centric similarity of Gates et al. (2019), for every damping. `values` are means over
    the pairs of runs that hold the object, nan where no two do. Time O(n) per pair of hard runs,
    else that of `element_centric_index`; the same bits for any number of threads. R:
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
    soft = _soft_runs(runs)
    found = as_runs(runs, least=2) if soft is None else soft
    count = len(found.names)
    place = None if reference is None else _position(found.names, reference)
    if place is None:
        pairs = pairs_of_runs(count, as_generator(rng))
        total = count * (count - 1) // 2
    else:
        others = np.delete(np.arange(count), place)
        pairs = np.column_stack([np.full(others.size, place), others])
        total = others.size
    similarities: Callable[..., Any] = (
        partial(hard_similarities, found) if soft is None
        else partial(_soft_similarities, found, [{} for _ in found], damping))
    sums = PairSums(found.n_objects, count)
    with progress_bar(False, "element_consistency") as show:
        for t, (b, c) in enumerate(pairs.tolist()):
            sums.add(b, c, partial(similarities, b, c))
            if show is not None:
                show(t + 1, len(pairs))
    return ElementConsistency(
        values=frozen(sums.values), agreement=frozen(sums.agreement), names=found.names,
        object_names=found.object_names, n_pairs=total, n_sampled=len(pairs),
        reference=None if place is None else found.names[place])


class PairSums:
    """Sums of similarities by object and by run over pairs of runs, in the order added."""

    def __init__(self, n_objects: int, n_runs: int) -> None:
        self.total, self.counts = np.zeros(n_objects), np.zeros(n_objects, dtype=np.int64)
        self.of_runs, self.pairs = np.zeros(n_runs), np.zeros(n_runs, dtype=np.int64)

    def add(self, b: int, c: int,
            similarities: Callable[[np.ndarray, np.ndarray], tuple[float, int]]) -> None:
        """Add a pair; ``similarities(total, counts)`` adds its objects and gives their sum, n.

        This is all that clusterings of other kinds need to come in.
        """
        whole, n = similarities(self.total, self.counts)
        if n:
            for run in (b, c):
                self.of_runs[run] += whole / n
                self.pairs[run] += 1

    @property
    def values(self) -> np.ndarray:
        """Mean similarity of each object; nan where no pair holds it."""
        return np.divide(self.total, self.counts, out=np.full(self.total.shape, np.nan),
                         where=self.counts > 0)

    @property
    def agreement(self) -> np.ndarray:
        """Mean index of each run with the others."""
        return np.divide(self.of_runs, self.pairs, out=np.full(self.of_runs.shape, np.nan),
                         where=self.pairs > 0)


def hard_similarities(runs: Ensemble, b: int, c: int, total: np.ndarray,
                      counts: np.ndarray) -> tuple[float, int]:
    """Add T/max(a, c) of the common objects of two hard runs; their sum and number."""
    x, y = runs.labels[b], runs.labels[c]
    rows, columns = int(runs.n_clusters[b]), int(runs.n_clusters[c])
    if rows * columns > _CELLS:
        x, y, table = _occurring_cells(x, y)
    else:
        table = counted(x, y, rows, columns)
    if table.shape[1] == 1 and rows * columns > _CELLS:
        similarity = _occurring_similarity(runs.labels[b], runs.labels[c], x, table[:, 0])
    else:
        larger = np.maximum(table.sum(axis=1)[:, None], table.sum(axis=0))
        similarity = np.divide(table, larger, out=np.zeros(table.shape), where=larger > 0)
    both = (x >= 0) & (y >= 0)
    total[both] += similarity[x[both], y[both]]
    counts += both
    return float((table * similarity).sum()), int(both.sum())


def _soft_runs(runs: Any) -> Ensemble | None:
    """Runs of which some are not hard; None where all are."""
    if isinstance(runs, np.ndarray):
        return None
    members = runs if isinstance(runs, Ensemble) else Ensemble(runs)
    if set(members.kinds) == {"hard"}:
        return None
    if members is not runs:
        check_labels(members)
    if len(members) < 2:
        raise ClusteringError("runs holds 1 run; at least 2 are needed")
    m = get_measure("element_centric_index")
    for x in members:
        m.check_kinds(Joint.of_checked(x, x))
    return members


def _soft_similarities(runs: Ensemble, sides: list[dict[Any, Any]], damping: float, b: int, c: int,
                       total: np.ndarray, counts: np.ndarray) -> tuple[float, int]:
    """As `hard_similarities`, for hard and fuzzy clusterings and covers of all objects."""
    joint = Joint.of_checked(runs[b], runs[c], sides[b], sides[c])
    found = joint.statistic(ElementSimilarities, damping=damping)
    total += found.values[groups_of(joint, found)]
    counts += 1
    return found.mean * runs.n_objects, runs.n_objects


def _occurring_cells(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Objects by number of their cell, -1 for absent; zeros; sizes of the cells, (m, 1)."""
    both = np.flatnonzero((x >= 0) & (y >= 0))
    code = x[both].astype(np.int64) * (int(y.max()) + 1) + y[both]
    _, cell, size = np.unique(code, return_inverse=True, return_counts=True)
    place = np.full(x.shape[0], -1, dtype=np.int64)
    place[both] = cell.reshape(-1)
    return place, np.where(place >= 0, 0, -1), size[:, None].astype(np.int64)


def _occurring_similarity(x: np.ndarray, y: np.ndarray, place: np.ndarray, size: np.ndarray
                          ) -> np.ndarray:
    """T/max(a, c) of the cells that occur, (m, 1)."""
    both = place >= 0
    a, c = (np.bincount(labels[both]) for labels in (x, y))
    larger = np.empty(size.size)
    larger[place[both]] = np.maximum(a[x[both]], c[y[both]])
    return np.asarray(size / larger)[:, None]


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
