"""`batch_effect()`: do the clusters follow the batch, within the classes that are known?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from .._checks import check_significance, check_whole
from .._types import RNG, ArrayLike, ClusteringLike, FrameLike
from ..measures.joint import as_source
from ..results.frames import same_frames
from ..results.records import Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable, right
from ..running.interrupts import keep_finished
from ..running.random_numbers import Streams
from ..running.threads import Progress, progress_bar
from ..tables.frame_sides import frame_columns
from ..tables.parts import parts_of

#: entries of permuted tables that are held at once
_HELD = 1 << 21
#: values that differ by less are equal; information by less than this share of n log n
_SAME, _ROUNDING = 1e-9, 1e-13
#: classes that a sentence names
_NAMED = 5


#: columns of the frame of a batch effect
COLUMNS = ("class", "size", "share", "expected", "p_value")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class BatchEffect(Drawn, Tidied, Record):
    """The share of the batch that clusters tell; made by `batch_effect`.

    Attributes
    ----------
    share : float
        I(clusters; batch | within) / H(batch | within), from 0 to 1; nan if each class has one
        batch.
    expected : float
        Its mean when batches are permuted within classes: it is not 0.
    p_value : float
    follows : bool or None
        Whether p <= significance; None if each class has one batch.
    by_class : tuple of dict
        Of each class: its name, ``size``, ``share``, ``expected`` and ``p_value``, adjusted for the
        number of classes.
    within : bool
        Whether classes were given.
    n_permutations : int
    significance : float
    notes : tuple of str

    Notes
    -----
    ``to_frame()``: one row per class. Columns class, size, share, expected, p_value.

    Examples
    --------
    >>> import softclust
    >>> cell_type = ["B"] * 20 + ["T"] * 20
    >>> batch = ([1] * 10 + [2] * 10) * 2
    >>> split = [f"{t}{b}" for t, b in zip(cell_type, batch)]
    >>> found = softclust.batch_effect(split, batch, within=cell_type, rng=0)
    >>> round(found.share, 6), found.follows
    (1.0, True)
    """

    _chart = "plot_batch_effect"
    _tidy = "term=class estimate=share p_value=p_value"
    _glance = ("share", "expected", "p_value", "follows", "n_permutations", "significance")

    share: float
    expected: float
    p_value: float
    follows: bool | None
    by_class: tuple[Annotated[Mapping[str, Any], "keys COLUMNS"], ...]
    within: bool
    n_permutations: int
    significance: float
    notes: tuple[str, ...] = field(default=())

    def __repr__(self) -> str:
        return (f"BatchEffect(share={self.share:.3f}, p_value={self.p_value:.3g}, "
                f"follows={self.follows})")

    @property
    def answer(self) -> str:
        """The result in one or two sentences."""
        if self.follows is None:
            what = "each class has" if self.within else "there is"
            return f"Cannot tell whether the clusters follow the batch: {what} one batch only."
        where = " within classes" if self.within else ""
        start = (f"The clusters follow the batch{where}" if self.follows else
                 f"No evidence that the clusters follow the batch{where}")
        text = (f"{start}: {100 * self.share:.0f} % of the batch can be read from them, "
                f"{100 * self.expected:.0f} % by chance (p = {self.p_value:.2g}).")
        some = [str(row["class"]) for row in self.by_class
                if row["p_value"] <= self.significance + _SAME]
        if self.follows and some and self.within:
            more = f" and {len(some) - _NAMED} more" if len(some) > _NAMED else ""
            text += (f" In {len(some)} of {len(self.by_class)} classes by themselves (familywise): "
                     f"{', '.join(some[:_NAMED])}{more}.")
        return text

    def _frame(self) -> Columns:
        return Columns({name: [row[name] for row in self.by_class] for name in COLUMNS})

    def _table(self) -> SummaryTable:
        frame = self._frame().data
        return SummaryTable.of(
            {"class": [str(name) for name in frame["class"]], "objects": frame["size"],
             **{name: right("" if math.isnan(v) else f"{v:.3f}" for v in frame[name])
                for name in ("share", "expected", "p_value")}},
            title=f"Batch effect: share of the batch that clusters tell "
                  f"({self.n_permutations:,} permutations)",
            notes=[self.answer, *(f"Note: {note}." for note in self.notes)])


@same_frames
def batch_effect(clusters: ClusteringLike, batch: ClusteringLike, *,
                 within: ArrayLike | None = None, data: FrameLike | None = None,
                 n_permutations: int = 999, significance: float = 0.05,
                 progress: Progress | bool | None = False, rng: RNG = None) -> BatchEffect:
    r"""Test whether clusters follow the batch, within known classes.

    Parameters
    ----------
    clusters, batch : clustering-like
        Two hard clusterings of the same n >= 2 objects: the clusters that were found, and the
        batch, site or plate of each object.
    within : array-like, shape (n,), optional
        Class of each object that is known and may be unevenly spread over batches, such as its cell
        type. By default all objects are one class.
    data : data frame, optional
        Frame of which clusters, batch and within name columns.
    n_permutations : int
        Random permutations of the batches within classes.
    significance : float in (0, 1/2]
        Largest p-value that is evidence.
    progress : bool or callable, optional
        True shows a progress bar over permutations.
    rng : None, int, SeedSequence or Generator, optional

    Returns
    -------
    BatchEffect
        ``.share``, ``.expected``, ``.p_value``, ``.follows``, ``.by_class``, ``.answer``,
        ``.plot()``.

    Raises
    ------
    ClusteringError
        If a side is not hard, or a class is missing.
    ValueError
        If an option is out of range.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped it; finished permutations count.

    See Also
    --------
    agreement_by_strata : does the agreement with another clustering come from the batch?
    replicate : are the clusters of a batch found again in another one?

    Notes
    -----
    .. math:: \text{share} = \frac{I(\text{clusters}; \text{batch} \mid \text{within})}
              {H(\text{batch} \mid \text{within})}

    the part of the batch that is known once the cluster is, among objects of one class. It is 1 if
    each cluster of a class has one batch; without `within` it is the homogeneity of the clusters
    for the batch. p = (1 + permutations with at least this share)/(1 + their number). Classes are
    compared by the number of standard deviations of their share above its mean, with the largest of
    all classes in each permutation (Westfall and Young), so that their p-values need no further
    correction. A large number of objects makes small shares significant: compare
    the share with `expected`. Objects must be exchangeable within a class: cells of one donor, if
    donors are within batches, are not. Time O(n) and, for each permutation, O(r s) for each class.

    Theory: docs/theory/dependence.md.

    References
    ----------
    P. H. Westfall, S. S. Young (1993), Resampling-based multiple testing, Wiley.

    Examples
    --------
    The types are split by batch, and the agreement with them has nothing to say about it:

    >>> import numpy as np
    >>> import softclust
    >>> cell_type, batch = np.repeat([0, 1, 2], 40), np.tile([0, 1], 60)
    >>> softclust.batch_effect(2 * cell_type + batch, batch, within=cell_type, rng=0).answer
    'The clusters follow the batch within classes: 100 % of the batch can be read from them, ...
    >>> softclust.batch_effect(cell_type, batch, within=cell_type, rng=0).follows
    False
    """
    significance = check_significance(significance)
    count = check_whole("n_permutations", n_permutations,
                        math.ceil(1 / significance - 1e-9) - 1,
                        also=f", for significance {significance:g},")
    if data is not None:
        clusters, batch, *given = frame_columns(data, [
            clusters, batch, *([] if within is None else [within])])
        within = given[0] if given else None
    source = as_source(clusters, batch)
    parts = parts_of(source, "within",
                     np.zeros(source.n_objects, int) if within is None else within)
    tables = [_used(parts.table(h)) for h in range(parts.n_parts)]
    sizes = parts.sizes
    mutual = np.array([_information(t[None])[0] for t in tables])     # n I, in nats
    most = np.array([_entropy(t.sum(axis=0)) for t in tables])        # n H of the batches
    drawn = np.tile(mutual, (count, 1))
    vary = [h for h, t in enumerate(tables) if min(t.shape) > 1]
    streams = Streams(rng, "rng")
    laws = {h: _permuted(tables[h], streams.generator(h)) for h in vary}
    step, done = max(1, _HELD // max([1, *(tables[h].size for h in vary)])), 0
    with (progress_bar(progress, "permutations") as show,
          keep_finished("permutations", count, lambda: done) as stop):
        while done < count:
            stop_at = min(count, done + step)
            for h in vary:
                drawn[done:stop_at, h] = _information(laws[h](stop_at - done))
            done = stop_at
            if show is not None:
                show(done, count)
    stop.warn()
    drawn = drawn[:done]
    total, null = mutual.sum(), drawn.sum(axis=1)
    known = most.sum() > 0
    slack = _ROUNDING * (1.0 + source.n_objects * math.log(source.n_objects))
    p = _share_above(null, total - slack) if known else math.nan
    # p-value of each class, adjusted for their number; nan for one batch, 1 for one cluster.
    everything = np.vstack([mutual, drawn])
    spread = everything.std(axis=0)
    scores = np.divide(everything - everything.mean(axis=0), spread,
                       out=np.full(everything.shape, -np.inf), where=spread > _SAME)
    largest = scores[1:].max(axis=1)
    of_classes = [math.nan if not most[h] > 0 else 1.0 if spread[h] <= _SAME else
                  _share_above(largest, scores[0, h] - _SAME) for h in range(mutual.size)]
    return BatchEffect(
        share=float(total / most.sum()) if known else math.nan,
        expected=float(null.mean() / most.sum()) if known else math.nan, p_value=p,
        follows=bool(p <= significance + _SAME) if known else None, within=within is not None,
        by_class=tuple(
            {"class": name, "size": int(size), "share": share, "expected": mean, "p_value": value}
            for name, size, share, mean, value in zip(
                parts.names if within is not None else ("all",), sizes, _over(mutual, most),
                _over(drawn.mean(axis=0), most), of_classes)),
        n_permutations=done, significance=significance, notes=tuple(stop.notes))


def _used(table: np.ndarray) -> np.ndarray:
    """A table without empty rows and columns."""
    return table[np.ix_(table.any(axis=1), table.any(axis=0))]


def _permuted(table: np.ndarray, rng: np.random.Generator) -> Any:
    """A function that draws B tables with the margins of this one."""
    from scipy.stats import random_table
    law = random_table(table.sum(axis=1), table.sum(axis=0))
    return lambda count: law.rvs(size=count, random_state=rng)


def _entropy(counts: np.ndarray) -> np.ndarray:
    """n H over the last axis, in nats."""
    from scipy.special import xlogy
    n = counts.sum(axis=-1)
    return np.asarray(xlogy(n, n) - xlogy(counts, counts).sum(axis=-1))


def _information(tables: np.ndarray) -> np.ndarray:
    """n I of tables (B, r, s), (B,)."""
    cells = tables.reshape(len(tables), -1)
    return np.maximum(0.0, _entropy(tables.sum(axis=2)) + _entropy(tables.sum(axis=1))
                      - _entropy(cells))


def _share_above(null: np.ndarray, value: float) -> float:
    return (1 + int(np.count_nonzero(null >= value))) / (1 + null.size)


def _over(values: np.ndarray, most: np.ndarray) -> list[float]:
    """Shares of the entropies; nan where that is 0."""
    return np.divide(values, most, out=np.full(most.shape, np.nan), where=most > 0).tolist()

