"""The most central member of an ensemble."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from .._checks import ClusteringError, frozen
from .._types import ArrayLike, EnsembleLike
from ..clusterings import Clustering, Ensemble
from ..ensembles.consensus import checked_weights
from ..results.records import POSITION, Drawn, Record
from ..results.summary import SummaryTable, right
from ..results.text import number, position


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Medoid(Drawn, Record):
    """The member of an ensemble that is nearest to all others.

    Attributes
    ----------
    index : int
        Position of the member.
    name : str
        Name of the member.
    clustering : Clustering
    total : float
        Weighted sum of its dissimilarities to all members.
    totals : (B,) float64
        The same for every member.
    measure : str
    names : tuple of str
        Names of the members; empty in results that earlier versions stored.

    Examples
    --------
    >>> import softclust
    >>> softclust.medoid([[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1]], measure="rand_index").index
    1
    """

    index: Annotated[int, "<totals"] = field(metadata=POSITION)
    name: str
    clustering: Clustering
    total: float
    totals: Annotated[np.ndarray, "f B"]
    measure: str
    names: tuple[str, ...] = ()

    _chart = "plot_medoid"

    def _check(self) -> None:
        if self.names and (len(self.names) != self.totals.size
                           or self.names[self.index] != self.name):
            raise ClusteringError(f"names has {len(self.names)} entries for {self.totals.size} "
                                  f"members of which {self.index} is {self.name!r}")

    def _table(self) -> SummaryTable:
        order = np.argsort(self.totals, kind="stable")[:10].tolist()
        names = self.names or [self.name if i == self.index else position(i)
                               for i in range(self.totals.size)]
        return SummaryTable.of(
            {"member": [names[i] for i in order],
             "sum": right(self.totals[order], number)},
            title=f"{self.name} is the nearest to all members by {self.measure}",
            notes=[f"Sums of dissimilarities, the smallest {len(order)} of {self.totals.size}."])


def medoid(ensemble: EnsembleLike, *, measure: str = "euclidean_membership_distance",
           weights: ArrayLike | None = None, progress: bool = False) -> Medoid:
    r"""Find the member of an ensemble with the smallest sum of dissimilarities to all members.

    Parameters
    ----------
    ensemble : Ensemble, or anything that `Ensemble` takes
        Clusterings of kinds that the measure takes; partial runs are compared on the objects of
        both.
    measure : str, optional
        Name of a registered measure that returns numbers; for an agreement, 1 - value counts.
    weights : array-like, shape (B,), optional
        Weights >= 0 of the members; equal to 1 by default.
    progress : bool, optional
        Show a progress bar over pairs.

    Returns
    -------
    Medoid
        The first one among equal sums.

    Raises
    ------
    ClusteringError
        If a member does not suit the measure.
    ValueError
        If the measure gives intervals, or is undefined for a pair.

    See Also
    --------
    consensus, compare_all, posterior_partition

    Notes
    -----
    .. math:: \mathrm{arg\,min}_b \sum_a w_a \, d(b, a)

    B(B - 1)/2 values of the measure (B^2 if it is not symmetric). R: ``clue::cl_medoid``.

    References
    ----------
    K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).

    Examples
    --------
    >>> import softclust
    >>> softclust.medoid([[0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1]]).name
    '1'
    """
    from .matrix import compare_all
    members = ensemble if isinstance(ensemble, Ensemble) else Ensemble(ensemble)
    w = np.ones(len(members))
    if weights is not None:
        checked_weights(weights, len(members))   # only a check; the sums below use them unchanged
        w = np.asarray(weights, dtype=np.float64)
    matrix = compare_all(members, measure=measure, progress=progress)
    if matrix.interval_valued:
        raise ValueError(f"{measure} gives intervals, whose sums have no minimum; choose a measure "
                         "that gives numbers, such as 'alpha_rand_index'")
    d = 1.0 - matrix.value if matrix.sense == "agreement" else np.asarray(matrix.value)
    if np.isnan(d).any():
        i, j = (int(v) for v in np.argwhere(np.isnan(d))[0])
        raise ValueError(f"{measure} is undefined for members {members.names[i]!r} and "
                         f"{members.names[j]!r}; choose another measure or leave one out")
    totals = d @ w
    best = int(totals.argmin())
    return Medoid(index=best, name=members.names[best], clustering=members[best],
                  total=float(totals[best]), totals=frozen(totals), measure=matrix.measure,
                  names=tuple(members.names))
