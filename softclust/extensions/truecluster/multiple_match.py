"""Multiple match cluster count: one clustering from many, aligned as the votes come in."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._checks import ClusteringError, check_uniforms, check_weights, check_whole, frozen
from ..._types import RNG, ArrayLike, EnsembleLike, Margins, MatchingRule
from ...clusterings import FuzzyClustering
from ...ensembles.consensus_fits import Members, pad
from ...ensembles.consensus_record import Consensus, majorities, votes_as_membership
from ...running.interrupts import interrupts_later, keep_finished
from ...running.random_numbers import Streams
from ...running.threads import Progress, progress_bar
from ...tables.matching import TIE_TOLERANCE, match_columns, method_code

#: most uniform numbers stored at once
_NUMBERS = 1 << 22


def mmcc(ensemble: EnsembleLike, *, method: MatchingRule = "truematch_heuristic",
         margins: Margins = "remaining", weights: ArrayLike | None = None,
         n_clusters: int | None = None, rng: RNG = None, uniforms: ArrayLike | None = None,
         progress: Progress | bool | None = False) -> Consensus:
    r"""Let the clusterings of an ensemble vote, each aligned with the majority so far.

    Parameters
    ----------
    ensemble : Ensemble, sequence of clustering-like, or int array (B, n)
        Hard or fuzzy clusterings of the same n objects, in the order of voting; the first names
        the clusters. An array has one member per row as codes 0, 1, ...; an object with -1 does
        not vote in that row, nor does one that is absent from a run. Fuzzy members vote in
        fractions.
    method, margins : str
        The matching rule, see `match_clusters`. The default spreads the votes of clusters that the
        data do not support; "trace" preserves such clusters.
    weights : array-like, shape (B,), optional
        Votes of each member, finite and >= 0; ones by default.
    n_clusters : int, optional
        Number of clusters c; the largest of the members by default.
    rng : None, int or Generator
        Seed or generator for ties of majorities and matches.
    uniforms : array-like, shape (B, n + c), optional
        Given numbers in [0, 1) instead of `rng`: for each member n for ties of majorities, then
        c for the match.
    progress : bool or callable
        True shows a progress bar; a function is called with (done, B).

    Returns
    -------
    Consensus
        Fuzzy, with `votes` and the criterion `cic`. Nothing is dropped.

    Raises
    ------
    ClusteringError
        If a member is neither hard nor fuzzy, has more than `n_clusters` clusters, an object
        gets no vote, or a weight is not allowed.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the votes; the members that have voted count.

    See Also
    --------
    MultipleMatchClustering, match_clusters, consensus

    Notes
    -----
    .. math::

        P_{ik} = \frac{v_{ik}}{\sum_l v_{il}} \quad \text{with } v_{ik} \text{ the votes of object
        } i \text{ for cluster } k

    The reference for a member is, for each object, the cluster with most votes, with ties broken at
    random every time. Time O(B n c) plus the matches; memory O(n c) and a block of members. The
    same bits for any number of threads.

    Theory: docs/theory/truecluster.md.

    References
    ----------
    J. Oehlschlaegel, "Truecluster matching", arXiv:0705.4302 (2007), section 4.

    Examples
    --------
    >>> import softclust
    >>> labels = [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 1, 1]]
    >>> result = softclust.mmcc(labels, rng=0)
    >>> result.votes
    array([[3., 0.],
           [3., 0.],
           [3., 0.],
           [1., 2.],
           [0., 3.],
           [0., 3.]])
    """
    code = method_code(method, margins)
    members = _read(ensemble)
    count, n, largest = members.count, members.n, members.k
    c = largest if n_clusters is None else check_whole("n_clusters", n_clusters)
    if c < largest:
        raise ClusteringError(f"n_clusters is {n_clusters}, but a member has {largest} clusters; "
                              "give at least as many")
    importance = (np.ones(count) if weights is None
                  else check_weights(weights, count, "members"))
    voting = Voting(n, c, code)
    streams = Streams(rng) if uniforms is None else None
    if uniforms is not None:
        if rng is not None:
            raise TypeError("give either rng or uniforms, not both")
        ready = check_uniforms(uniforms, (count, n + c), "for each member n for ties of "
                               "majorities, then c for the match")
    block = max(1, _NUMBERS // (n + c))
    with (progress_bar(progress, "mmcc") as callback,
          keep_finished("members", count, lambda: len(voting.permutations),
                        "call it again for all of them") as stop):
        for first in range(0, count, block):
            last = min(count, first + block)
            numbers = (draw_uniforms(streams, first, last, n + c) if streams is not None
                       else ready[first:last])
            for b in range(first, last):
                voting.cast(pad(members.matrix(b), c) if members.codes is None
                            else members.codes[b], importance[b], numbers[b - first])
            if callback is not None:
                callback(last, count)
    membership = votes_as_membership(voting.votes)
    if np.isnan(membership[:, 0]).any():
        if stop:   # not yet a fuzzy clustering
            raise KeyboardInterrupt(f"{stop.text}; nothing is kept: some objects have no vote yet")
        i = int(np.flatnonzero(np.isnan(membership[:, 0]))[0])
        raise ClusteringError(f"object {i} gets no vote; leave it out of the ensemble, or add a "
                              "member of positive weight with a label for it")
    rule = f"mmcc, {method}" + (", all margins" if margins == "all" else "")
    stop.warn()
    return Consensus(
        clustering=FuzzyClustering(membership, object_names=members.naming), method=rule,
        n_members=len(voting.permutations), votes=frozen(voting.votes),
        permutations=frozen(np.array(voting.permutations).reshape(-1, c)),
        interrupted=stop.text)


def _read(ensemble: Any) -> Members:
    if isinstance(ensemble, np.ndarray) and ensemble.ndim == 2 and ensemble.dtype.kind in "iu":
        if not ensemble.size or ensemble.min() < -1:
            raise ClusteringError("an array of members needs codes 0, 1, ..., or -1 for "
                                  f"objects that do not vote; its shape is {ensemble.shape}")
        if ensemble.max() < 0:
            raise ClusteringError("no object has a label in any member")
        return Members(None, codes=ensemble)
    return Members(ensemble)


class Voting:
    """Multiple match cluster count of n objects and c clusters.

    Replicates vote in order; the bits depend on nothing else.
    """

    def __init__(self, n: int, c: int, code: int) -> None:
        self.code = code
        self.votes = np.zeros((n, c))
        self.started = False
        self.permutations: list[np.ndarray] = []   # of the replicates that have voted

    def cast(self, votes: np.ndarray, weight: float, uniforms: np.ndarray) -> np.ndarray:
        """Let a replicate vote by labels (n,) or memberships (n, c); -1 and nan mean no vote.

        `uniforms` (n + c,). Returns (c,): the number given to each of its clusters.
        """
        n, c = self.votes.shape
        hard = votes.ndim == 1
        voters = np.flatnonzero(votes >= 0 if hard else ~np.isnan(votes[:, 0]))
        votes, permutation = votes[voters], np.arange(c)
        if self.started:
            reference = majorities(self.votes, uniforms[:n])[voters]
            table: np.ndarray = np.zeros((c, c))
            if hard:
                table = np.bincount(reference * c + votes, minlength=c * c).reshape(c, c)
            else:
                np.add.at(table, reference, votes)
            permutation = np.argsort(match_columns(table, self.code, uniforms[n:],
                                                   tolerance=TIE_TOLERANCE)[0])
        with interrupts_later():
            if hard:
                self.votes[voters, permutation[votes]] += weight
            else:
                self.votes[np.ix_(voters, permutation)] += weight * votes
            self.permutations.append(permutation)
            self.started = True
        return permutation


def draw_uniforms(streams: Streams, first: int, last: int, count: int) -> np.ndarray:
    """The first `count` uniform numbers of replicates `first` to `last` - 1."""
    return np.array([streams.generator(b).random(count) for b in range(first, last)])
