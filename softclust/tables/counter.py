"""`contingency_table` and `ContingencyCounter`: the doors for labels, chunks and engines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice
from ..results.frames import frame_first
from ..running.jobs import check_executor, run_jobs
from ..running.threads import Progress
from ._table_sources import count_into
from .contingency_table import ContingencyTable
from .frame_counts import is_dask, of_columns, of_dask, of_labels, of_parts, of_two_frames
from .table_counts import Tally

if TYPE_CHECKING:

    from .._types import ArrayLike, ClusteringLike, FrameLike, Workers


MISSING = ("raise", "drop")


class ContingencyCounter:
    """Counts pairs of labels chunk by chunk.

    Parameters
    ----------
    missing : {"raise", "drop"}
        What to do with objects without a label on either side: raise, or leave them out and
        count them in ``n_dropped``.

    Examples
    --------
    >>> import softclust
    >>> counter = softclust.ContingencyCounter()
    >>> counter.update([0, 0, 1], ["a", "b", "b"]).update([1, 1], ["b", "b"])
    ContingencyCounter(n_objects=5, 2 chunks)
    >>> counter.table().dense()
    array([[1, 1],
           [0, 3]])
    """

    def __init__(self, *, missing: Literal["raise", "drop"] = "raise") -> None:
        check_choice("missing", missing, MISSING)
        self.missing = missing
        self._tally = Tally()
        self._chunks = 0

    def update(self, x: ClusteringLike, y: ClusteringLike, *, weights: ArrayLike | None = None,
               frequencies: ArrayLike | None = None) -> ContingencyCounter:
        """Count more objects.

        Parameters
        ----------
        x, y : array-like, shape (n,)
            Labels, as in `HardClustering`; or hard clusterings.
        weights : array-like of float, shape (n,), optional
            Weight of each object; see `contingency_table`.
        frequencies : array-like of int, shape (n,), optional
            How often each object occurs.

        Returns
        -------
        ContingencyCounter
            This counter.

        Raises
        ------
        ClusteringError
            If labels are missing, mixed or of other types than before, or numbers do not fit;
            nothing of the chunk is counted then.
        """
        where = f" in chunk {self._chunks}"
        count_into(self._tally, x, y, weights, frequencies, self.missing, where)
        self._chunks += 1
        return self

    def merge(self, other: ContingencyCounter | ContingencyTable) -> ContingencyCounter:
        """Add what another counter, or a table, has counted.

        Parameters
        ----------
        other : ContingencyCounter or ContingencyTable

        Returns
        -------
        ContingencyCounter
            This counter.
        """
        table = other.table() if isinstance(other, ContingencyCounter) else other
        if not isinstance(table, ContingencyTable):
            raise TypeError(f"a ContingencyCounter merges with counters and tables, not with a "
                            f"{type(other).__name__}")
        table._add_to(self._tally)
        self._chunks += other._chunks if isinstance(other, ContingencyCounter) else 1
        return self

    def table(self) -> ContingencyTable:
        """The table of all objects so far.

        Returns
        -------
        ContingencyTable
        """
        return ContingencyTable._of_tally(self._tally)

    def __repr__(self) -> str:
        return (f"ContingencyCounter(n_objects={self._tally.total}, {self._chunks} "
                f"chunk{'' if self._chunks == 1 else 's'})")


@frame_first
def contingency_table(x: ClusteringLike | Iterable[Any] | None = None,
                      y: ClusteringLike | None = None, *,
                      data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
                      on: str | Sequence[str] | None = None,
                      objects: Literal["common", "x", "y", "all"] = "common",
                      weights: ArrayLike | None = None, frequencies: ArrayLike | None = None,
                      groups: ArrayLike | None = None, strata: ArrayLike | None = None,
                      missing: Literal["raise", "drop"] = "raise", executor: Workers | None = None,
                      progress: Progress | bool | None = False) -> ContingencyTable:
    r"""Count the pairs of labels of two hard clusterings, wherever the labels are.

    Parameters
    ----------
    x, y : array-like, shape (n,)
        Labels, as in `HardClustering`, also of polars, pyarrow and dask; or hard clusterings. Or
        the names of two columns of `data`. Or x an iterable of chunks (x, y) or (x, y, weights),
        without y.
    data : data frame, or two of them, optional
        Of pandas, polars (lazy too), modin, dask, DuckDB, Ibis or PySpark, or a Table, Dataset or
        RecordBatchReader of pyarrow; x and y name its columns. It may also be the first argument:
        ``contingency_table(frame, x="a", y="b")``. An engine counts its rows itself.
    on : str or sequence of str, optional
        The key of two tables: ``contingency_table(left, right, on="id", x="a", y="b")`` joins
        them where they are; x is a column of the first, y of the second.
    objects : {"common", "x", "y", "all"}, optional
        Objects of two tables: those in both, those of the first, those of the second, or all.
        One that the other table lacks is an object without a label. ``n_unmatched`` of the
        result has the numbers of objects in the first table only and in the second only.
    weights : array-like of float >= 0, shape (n,), or name of a column, optional
        Importance or survey weights: the pair of two distinct objects i < j weighs w_i w_j. Objects
        of weight 0 are ignored.
    frequencies : array-like of int >= 0, shape (n,), or name of a column, optional
        How often each object occurs: copies are objects and form pairs.
    groups, strata : array-like, shape (n,), or name of a column, optional
        Group and stratum of each object: the table keeps one table per part, which ``groups=True``
        and ``strata=True`` of `compare` and others read. With `data` they are two more columns of
        the same GROUP BY.
    missing : {"raise", "drop"}, optional
        What to do with objects without a label on either side: raise, or leave them out and
        count them in ``n_dropped``.
    executor : concurrent.futures.Executor or "joblib", optional
        Executor that counts the chunks; by default they are counted in this thread.
    progress : bool or callable, optional
        True for a progress bar, or a function (chunks_done, chunks_total); for chunks only.

    Returns
    -------
    ContingencyTable
        Bitwise the same for any chunks in any order.

    Raises
    ------
    ClusteringError
        If lengths differ, labels are missing or mixed, or weights are not allowed; the message
        names the chunk.
    ValueError
        If both `weights` and `frequencies` are given.

    See Also
    --------
    ContingencyCounter, membership_sums, pair_counts

    Notes
    -----
    .. math:: T_{kl} = | X_k \cap Y_l |

    Labels are told apart by value: 1, 1.0 and ``np.int8(1)`` are one label, "1" is another. Noise
    is a label like any other; to treat it otherwise, use ``contingency_table(*align(x, y,
    noise=...))``. Time O(n + r s); memory for the distinct cells and one chunk.

    Theory: docs/theory/tables.md.

    Examples
    --------
    >>> import softclust
    >>> table = softclust.contingency_table([0, 0, 1, 1], [0, 0, 1, 2])
    >>> softclust.adjusted_rand_index(table)
    0.5714285714285714
    >>> chunks = (([0, 0], [0, 0]), ([1, 1], [1, 2]))
    >>> softclust.contingency_table(chunks) == table
    True
    """
    check_executor(executor)
    check_choice("missing", missing, MISSING)
    if weights is not None and frequencies is not None:
        raise ValueError("weights and frequencies exclude each other: copies of objects form "
                         "pairs, the parts of a weight do not")
    if isinstance(x, ContingencyTable):
        raise TypeError("x is a ContingencyTable already")
    if groups is not None or strata is not None:
        if y is None or on is not None or weights is not None:
            raise TypeError("groups and strata are for two vectors of labels or two columns of a "
                            "frame, without weights; for tables elsewhere GROUP BY them, too: "
                            "ContingencyTable.from_frame(frame, group=, stratum=)")
        return of_parts(data, x, y, frequencies, groups, strata, missing)
    if on is not None:
        if not isinstance(data, tuple) or len(data) != 2:
            raise TypeError("on is the key of two tables: contingency_table(left, right, on=..., "
                            "x=..., y=...)")
        if weights is not None or frequencies is not None:
            raise TypeError("two tables are joined without weights and frequencies; join them "
                            "first, and give data=joined")
        return of_two_frames(*data, on, x, y, objects, missing)
    if objects != "common":
        raise TypeError("objects is for two tables with a common key (on=...)")
    if isinstance(data, tuple):
        raise TypeError("data holds two tables; on=... names their common key")
    if data is not None:
        return of_columns(data, x, y, weights, frequencies, missing)
    if x is None:
        raise TypeError("x is missing; give two clusterings, chunks, or data= with the names of "
                        "two columns")
    if y is None:
        if weights is not None or frequencies is not None:
            raise ValueError("with chunks, the weights are part of each chunk: (x, y, weights)")
        if isinstance(x, (str, bytes)) or not isinstance(x, Iterable) or isinstance(x, np.ndarray):
            raise TypeError("y is missing; give two clusterings, or an iterable of chunks (x, y)")
        if hasattr(x, "columns") or hasattr(x, "column_names"):
            raise TypeError('x is a data frame; name its columns: contingency_table("x", "y", '
                            "data=frame)")
        counter = ContingencyCounter(missing=missing)
        run_jobs(partial(count_chunk, missing), x, lambda k, table: counter.merge(table),
                 limit_blas=False, executor=executor, progress=progress, what="contingency table")
        return counter.table()
    if is_dask(x) or is_dask(y):
        return of_dask(x, y, weights, frequencies, missing)
    return of_labels(x, y, weights, frequencies, missing)


def count_chunk(missing: str, number: int, chunk: Any) -> ContingencyTable:
    """The table of one chunk (x, y) or (x, y, weights)."""
    parts = tuple(chunk)
    if len(parts) not in (2, 3):
        raise ClusteringError(f"chunk {number} has {len(parts)} parts; (x, y) or (x, y, weights) "
                              "is needed")
    tally = Tally()
    where = f" in chunk {number}"
    try:
        count_into(tally, parts[0], parts[1], parts[2] if len(parts) == 3 else None, None, missing,
                   where)
    except ClusteringError as error:
        text = str(error)
        raise ClusteringError(text if where in text else f"chunk {number}: {text}") from None
    return ContingencyTable._of_tally(tally)
