"""The result of `cluster_number`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice
from ..results.records import POSITION, Columns, Number, Record
from ..results.summary import SummaryTable, right
from ..results.text import capital, many, position, value
from .criteria import BEST, CRITERIA, no_entropies

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Monte Carlo errors of a difference below which more replicates may change the order
_APART = 2.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ClusterNumber(Record):
    """A criterion for each number of clusters (and each prior scale); made by `cluster_number`.

    Attributes
    ----------
    method : str
        Name of the criterion.
    n_clusters : (m,) int64
        Numbers of clusters K, in the order given.
    scale : (s,) float64
        Scales of the prior; a single nan for criteria without one.
    criterion : (m, s) float64
        The criterion; nan if a fit failed or was not reached, see `failures`.
    mc_error : (m, s) float64
        Monte Carlo error of the criterion: it halves with four times as many replicates, and says
        nothing of other data. Entropies: delete-one jackknife over 20 blocks of replicates. Gap: sd
        sqrt(1 + 1/B) of the reference sets. Jaccard: over runs. nan elsewhere.
    best : int or None
        K with the best criterion at the first scale (by `rule`), the first on ties. None if
        nothing was computed, or the search was interrupted.
    best_by_scale : (s,) int64
        The same for every scale; -1 for none.
    entropy, pairwise_entropy : (m, s) float64
        Both entropies in bits, whichever is the criterion; nan for other criteria.
    pair : (m, s, 2) int64
        The two clusters of the largest pairwise entropy; -1 for other criteria.
    rule : str
        "max", "min" or "1se".
    n_resamples : (m, s) int64
        Entropies: number of replicates of each fit; smaller for numbers of clusters that early
        stopping dropped, see `behind`. 0 for other criteria.
    failures : tuple of str
        Failed fits, with the reason.
    warnings : tuple of str
        Warnings of the estimators, with their place.
    missing : tuple of int
        Numbers of clusters that an interrupted search did not reach, or not at every scale.
    sentence : str
        The best number, what the criterion looks at, and what misleads it.

    Notes
    -----
    ``to_frame()``: one row per number of clusters and scale. Columns n_clusters, scale, criterion,
    mc_error, entropy, pairwise_entropy, pair, n_resamples, given_up (by early stopping),
    best.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> found = softclust.cluster_number(x, criterion="silhouette", rng=0)
    >>> found.best, found.n_clusters.tolist()
    (3, [2, 3, 4, 5, 6])
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> print(softclust.cluster_number(x, [2, 3], criterion="silhouette", rng=0).summary())
    Number of clusters by mean silhouette width: 3
    ...
    """

    method: Annotated[str, "key CRITERIA"]
    n_clusters: Annotated[np.ndarray, "i m >=1"]
    scale: Annotated[np.ndarray, "f s"]
    criterion: Annotated[np.ndarray, "f m s"]
    mc_error: Annotated[np.ndarray, "f m s"]
    best: Number
    best_by_scale: Annotated[np.ndarray, "i s"]
    entropy: Annotated[np.ndarray, "f m s"]
    pairwise_entropy: Annotated[np.ndarray, "f m s"]
    pair: Annotated[np.ndarray, "i m s 2"] = field(metadata=POSITION)
    rule: str
    n_resamples: Annotated[np.ndarray, "i m s >=0"]
    failures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    missing: tuple[int, ...] = ()

    def _check(self) -> None:
        if self.best is not None and self.best not in self.n_clusters:
            raise ClusteringError("the best number of a stored result was not tried")

    def __repr__(self) -> str:
        text = f"ClusterNumber({self.method}, best={self.best} of {_listed(self.n_clusters)}"
        if self.near_best:
            text += f", close: {_listed(self.near_best)}"
        return text + (")" if self.complete else f", interrupted before {_listed(self.missing)})")

    @property
    def title(self) -> str:
        """The criterion in words, with its unit."""
        return CRITERIA[self.method].title

    @property
    def sentence(self) -> str:
        """The best number, what the criterion looks at, and what misleads it."""
        own = CRITERIA[self.method]
        if self.best is None:
            text = f"no number is best ({'every fit failed' if self.complete else 'not finished'})"
        else:
            at = [*self.n_clusters].index(self.best)
            text = f"{many(self.best, 'cluster')} {'is' if self.best == 1 else 'are'} best, with "
            text += value(float(self.criterion[at, 0]))
            if not math.isnan(error := float(self.mc_error[at, 0])):
                text += f" (Monte Carlo error {error:.1g})"
            text += "; that is no evidence of a single cluster" * (self.best == 1)
        return (f"{capital(own.short)}: {text}. It looks at {own.looks_at}; {BEST[self.rule]} is "
                f"best. It {own.beware}.")

    @property
    def complete(self) -> bool:
        """True if every number of clusters was tried; a failed fit counts as tried."""
        return not self.missing

    @property
    def behind(self) -> np.ndarray:
        """Mask of the numbers and scales that early stopping dropped, (m, s) bool."""
        return (self.n_resamples < self.n_resamples.max()) & ~np.isnan(self.criterion)

    @property
    def given_up(self) -> list[int]:
        """Numbers of clusters that early stopping dropped at a scale."""
        return [int(k) for k in self.n_clusters[self.behind.any(axis=1)]]

    @property
    def near_best(self) -> list[int]:
        """Numbers of clusters that differ from `best` by less than 2 Monte Carlo errors of
        the difference: more replicates may change their order.

        For the entropies and "jaccard" at the first scale; empty for other criteria.
        """
        if self.best is None or self.rule == "1se" or not CRITERIA[self.method].needs:
            return []   # the error of the gap is that of a reference set
        values, errors = self.criterion[:, 0], self.mc_error[:, 0]
        at = int(np.flatnonzero(self.n_clusters == self.best)[0])
        with np.errstate(invalid="ignore"):
            near = np.abs(values - values[at]) < _APART * np.hypot(errors, errors[at])
        near[at] = False
        return [int(k) for k in self.n_clusters[near & ~self.behind[:, 0]]]

    @property
    def edge(self) -> str:
        """Position of `best` at an end of the range: "smallest", "largest", or "" inside it.

        The smallest number that the criterion can assess is not an edge, and there is none if a
        single number was tried.
        """
        if self.best is None or self.n_clusters.size == 1:
            return ""
        if self.best == self.n_clusters.max():
            return "largest"
        smallest = 2 if CRITERIA[self.method].why_not_one else 1
        return "smallest" if self.best == self.n_clusters.min() > smallest else ""

    @property
    def notes(self) -> list[str]:
        """Notes below tables: missing numbers, a best number at the edge, failures."""
        notes = []
        if not self.complete:
            notes.append(f"Interrupted before K = {_listed(self.missing)}: no number is chosen; "
                         "evaluate the rest in a call of its own.")
        elif self.edge:
            other = {"largest": "larger", "smallest": "smaller"}[self.edge]
            notes.append(f"{self.best} is the {self.edge} number tried: try {other} ones.")
        if self.near_best:
            notes.append(f"{self.best} and {_listed(self.near_best)} differ by less than "
                         f"{_APART:g} Monte Carlo errors: more replicates may change their order.")
        if self.given_up:
            notes.append(f"In brackets: dropped as clearly worse ({_listed(self.given_up)}), "
                         "with too few replicates to compare; race=False gives every number all "
                         "replicates.")
        if CRITERIA[self.method].note:
            notes.append(CRITERIA[self.method].note)
        return [*notes, *(f"Failed: {text}." for text in self.failures),
                *(f"{text}." for text in self.warnings)]

    @property
    def has_entropies(self) -> bool:
        """True if both entropies were computed."""
        return not bool(np.isnan(self.pairwise_entropy).all())

    def _table(self) -> SummaryTable:
        headers, rows = ["clusters"], [[str(k)] for k in self.n_clusters]
        for s, scale in enumerate(self.scale):
            headers += [f"scale {scale:g}" if len(self.scale) > 1 else self.method, "MC error"]
            for j, row in enumerate(rows):
                star = "*" if self.n_clusters[j] == self.best_by_scale[s] else ""
                error = self.mc_error[j, s]
                row += [self._shown(self.criterion, j, s) + star,
                        "" if math.isnan(error) else f"{error:.4f}"]
            if self.given_up:
                headers.append("replicates")
                for j, row in enumerate(rows):
                    row.append(str(self.n_resamples[j, s]))
        if self.has_entropies:
            headers.append("blurred pair")
            for j, row in enumerate(rows):
                row.append(" ".join(f"{position(a)},{position(b)}" for a, b in self.pair[j]))
        chosen = "none, every fit failed" if self.complete else "not finished"
        if self.best is not None:
            near = self.near_best
            chosen = f"{self.best}, or {_listed(near)}" if near else str(self.best)
        return SummaryTable(rows, headers, aligns="r" * len(headers),
                            title=f"Number of clusters by {self.title}: {chosen}",
                            notes=([f"* best ({CRITERIA[self.method].direction} value, rule "
                                    f"{self.rule})."] if self.complete else []) + self.notes
                            + ["Blurred pair: the two clusters that are hardest to tell apart."]
                            * self.has_entropies)

    def _shown(self, values: np.ndarray, j: int, s: int) -> str:
        """Format a value, in brackets if early stopping dropped it."""
        text = f"{values[j, s]:.4f}"
        return f"({text})" if self.behind[j, s] else text

    def taxonomy(self) -> SummaryTable:
        """Both entropies side by side, which show the kind of uncertainty at each number of
        clusters.

        Returns
        -------
        SummaryTable
            One row per scale and number of clusters. The smallest value of each entropy at a scale
            is marked ``*``; the notes explain the four corners. Values in brackets, of numbers that
            early stopping dropped, are too low and not assessed: use ``race=False``.

        Raises
        ------
        ClusteringError
            If the criterion has no entropies.

        Examples
        --------
        >>> import softclust
        >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
        >>> print(softclust.cluster_number(x, [2, 3, 4], n_resamples=100, rng=0).taxonomy())
        Taxonomy: mean membership entropy against largest pairwise entropy (bits)
        ...
        """
        if not self.has_entropies:
            raise no_entropies(self.method)
        m, several = len(self.n_clusters), len(self.scale) > 1

        def starred(values: np.ndarray) -> Iterator[str]:
            for s in range(len(self.scale)):
                judged = np.where(self.behind[:, s], np.nan, values[:, s])
                best = -1 if np.isnan(judged).all() else int(np.nanargmin(judged))
                yield from (self._shown(values, j, s) + "*" * (j == best) for j in range(m))

        pairs = self.pair.transpose(1, 0, 2).reshape(-1, 2)
        return SummaryTable.of(
            ({"scale": right(np.repeat(self.scale, m), "g")} if several else {})
            | {"clusters": right([*self.n_clusters] * len(self.scale)),
               "mean entropy": right(starred(self.entropy)),
               "pairwise entropy": right(starred(self.pairwise_entropy)),
               "blurred pair": right(f"{position(a)},{position(b)}" for a, b in pairs)},
            title="Taxonomy: mean membership entropy against largest pairwise entropy (bits)",
            notes=["* least at its scale. Both low: clear clusters. Mean entropy high alone: many "
                   "small doubts. Pairwise entropy high: the blurred pair is better joined.",
                   *self.notes])

    def _frame(self) -> Columns:
        k, scale = (v.ravel() for v in np.meshgrid(self.n_clusters, self.scale))
        columns = {name: np.asarray(getattr(self, name)).T.ravel() for name in (
            "criterion", "mc_error", "entropy", "pairwise_entropy")}
        pairs = [tuple(int(v) for v in self.pair[j, s]) for s in range(len(self.scale))
                 for j in range(len(self.n_clusters))]
        return Columns({"n_clusters": k, "scale": scale, **columns, "pair": pairs,
                        "n_resamples": self.n_resamples.T.ravel(),
                        "given_up": self.behind.T.ravel(),
                        "best": k == np.repeat(self.best_by_scale, len(self.n_clusters))})

    def plot(self, ax: Axes | None = None, *, kind: Literal["curves", "taxonomy"] = "curves"
             ) -> Axes:
        """Draw the criterion over numbers of clusters, or both entropies against each other.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; a new figure by default.
        kind : {"curves", "taxonomy"}, optional
            "curves": one line per scale. "taxonomy": mean entropy against pairwise entropy, one
            point per K.

        Returns
        -------
        matplotlib.axes.Axes
        """
        check_choice("kind", kind, ("curves", "taxonomy"))
        from ..plotting import plot_cluster_number, plot_taxonomy
        return (plot_cluster_number if kind == "curves" else plot_taxonomy)(self, ax=ax)


def _listed(numbers: Any) -> str:
    return ", ".join(str(k) for k in numbers)
