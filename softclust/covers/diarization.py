"""Diarization.

Errors of speakers on frames: objects are frames, clusters are speakers, silence is in no cluster,
and speech may overlap. x is evaluated against the truth y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .._checks import check_choice, warn_undefined
from .._types import ClusteringLike, SourceLike
from ..measures import Claim, Shares, Word, measure, value_of
from ..measures.record import claims
from ..measures.statistic import Source, Statistic
from ..tables.counting import exact_total
from .cover_overlaps import CoverOverlaps, cover_of
from .disjoint import best_cells

KINDS = ("hard", "cover")
_PARTS, _MAPPINGS = ("total", "missed", "false_alarm", "confusion"), ("jaccard", "overlap")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeakerTime(Statistic):
    """Speaking time, split by the numbers of speakers of both sides.

    Attributes
    ----------
    scored : int
        Speech of y: frames times speakers.
    missed, false_alarm : int
        Speakers of y beyond those of x, and of x beyond those of y, summed over frames.
    both : int
        The smaller of both numbers of speakers, summed over frames.
    matched : int
        Longest time that one-to-one pairs of speakers can share.
    same : bool
        Whether x and y have the same clusters.
    """

    scored: int
    missed: int
    false_alarm: int
    both: int
    matched: int
    same: bool

    @classmethod
    def of(cls, source: Source) -> SpeakerTime:
        """Statistic of two hard clusterings, which have one speaker each, or of covers."""
        o = source.statistic(CoverOverlaps)
        cells = best_cells(o.rows, o.cols, lambda at: o.counts[at])
        matched = exact_total(o.counts[cells])
        if source.both_hard:
            return cls(scored=o.n, missed=0, false_alarm=0, both=o.n, matched=matched, same=False)
        joint = source.objects
        of_x, of_y = (cover_of(joint, side).multiplicity for side in "xy")
        return cls(scored=int(of_y.sum()), missed=int(np.maximum(of_y - of_x, 0).sum()),
                   false_alarm=int(np.maximum(of_x - of_y, 0).sum()),
                   both=int(np.minimum(of_x, of_y).sum()), matched=matched, same=o.same)


def _error_rate(s: SpeakerTime, *, part: str = "total") -> float:
    confusion = s.both - s.matched
    total = {"total": s.missed + s.false_alarm + confusion, "missed": s.missed,
             "false_alarm": s.false_alarm, "confusion": confusion}[part]
    if not s.scored:
        return 0.0 if s.same else warn_undefined("diarization_error_rate", "y has no speech")
    return total / s.scored


@measure(
    SpeakerTime, _error_rate,
    sense="dissimilarity", kinds=KINDS, bounds=(0.0, None),
    properties=(Claim(name="metric", kinds=("hard",), condition="hard clusterings"),
                *claims("reflexive", "relabelling-invariant", part=_PARTS)),
    cost="O(n + cells), and the matching of each component of the table",
    source="Ryant and others (2019)", in_compare=False, weight_degree=0,
    words=(Word("DER", "diarization"),),
    shares=(Shares("matching", options={"part": "total"}),
            Shares("matching", options={"part": "confusion"})),
)
def diarization_error_rate(x: SourceLike, y: ClusteringLike | None = None, *,
                           part: Literal["total", "missed", "false_alarm", "confusion"] = "total"
                           ) -> float:
    r"""Share of the speech in y that x misses, invents, or gives to the wrong speaker.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings or covers of the same n >= 2 frames; or a `Joint` as x and no y. y is the
        truth. Frames without speech are in no cluster; frames with several speakers in several.
    part : {"total", "missed", "false_alarm", "confusion"}, optional
        All errors, or one kind of them.

    Returns
    -------
    float
        From 0, and above 1 where false alarms are longer than the speech; 0 for equal
        clusterings. nan, with a warning, where y has no speech.

    See Also
    --------
    jaccard_error_rate
    coclassification_index
    purity_index

    Notes
    -----
    .. math:: \frac{D + C}{\sum_i m_i^y}, \quad D = \sum_i |m_i^x - m_i^y|, \quad
              C = \sum_i \min(m_i^x, m_i^y) - \max_\tau \sum_k T_{k \tau(k)}

    with m the number of speakers of a side in frame i, T the frames that two speakers share, and
    tau one-to-one pairs of speakers. D is missed speech and false alarms, C is confusion.

    Durations are weights of frames (`contingency_table` of hard sides with ``weights=``). Leave out
    the frames of a collar beforehand. For hard clusterings it is 1 - `coclassification_index`, a
    metric.

    Theory: docs/theory/fields.md.

    References
    ----------
    N. Ryant and others (2019), The second DIHARD diarization challenge: dataset, task, and
    baselines, Interspeech 2019, 978-982.

    Examples
    --------
    >>> import softclust
    >>> truth = softclust.CoverClustering.from_clusters([[0, 1, 2], [2, 3]], n_objects=5)
    >>> found = softclust.CoverClustering.from_clusters([[0, 1], [2, 3, 4]], n_objects=5)
    >>> softclust.diarization_error_rate(found, truth)
    0.4
    """
    check_choice("part", part, _PARTS)
    return value_of(diarization_error_rate, x, y, part=part)


def _jaccard_error(o: CoverOverlaps, *, mapping: str = "jaccard") -> float:
    if not o.b.size:
        return 0.0 if not o.a.size else warn_undefined("jaccard_error_rate", "y has no speech")
    alike = o.counts / (o.a[o.rows] + o.b[o.cols] - o.counts)

    def shared_time(cells: np.ndarray) -> np.ndarray:
        # One unit of time outweighs all Jaccards of the component, each at most 1.
        return o.counts[cells] * (1.0 + cells.size) + alike[cells]

    weights = shared_time if mapping == "overlap" else lambda cells: alike[cells]
    matched = best_cells(o.rows, o.cols, weights)
    return 1.0 - math.fsum(alike[matched].tolist()) / o.b.size


@measure(
    CoverOverlaps, _jaccard_error,
    sense="dissimilarity", kinds=KINDS, bounds=(0.0, 1.0),
    properties=claims("reflexive", "relabelling-invariant", mapping=_MAPPINGS),
    cost="O(n + cells), and the matching of each component of the table",
    source="Ryant and others (2019)", in_compare=False, weight_degree=0,
    words=(Word("JER", "diarization", note="dscore; pyannote takes mapping='overlap'"),),
)
def jaccard_error_rate(x: SourceLike, y: ClusteringLike | None = None, *,
                       mapping: Literal["jaccard", "overlap"] = "jaccard") -> float:
    r"""Mean over the speakers of y of 1 - Jaccard overlap with the matched speaker of x.

    Parameters
    ----------
    x, y : clustering-like
        Hard clusterings or covers of the same n >= 2 frames; or a `Joint` as x and no y. y is the
        truth. Frames without speech are in no cluster; frames with several speakers in several.
    mapping : {"jaccard", "overlap"}, optional
        One-to-one pairs of speakers with the largest sum of Jaccard overlaps (dscore), or with
        the longest shared time (pyannote.metrics; ties by the sum of Jaccard overlaps).

    Returns
    -------
    float
        From 0 to 1; a speaker without a partner counts 1. nan, with a warning, where only x has
        speakers.

    See Also
    --------
    diarization_error_rate
    best_match_index

    Notes
    -----
    .. math:: 1 - \frac{1}{s} \sum_l J_{\tau(l) l}, \quad
              J_{kl} = \frac{T_{kl}}{a_k + b_l - T_{kl}}

    with the frames T that two speakers share, their times a and b, and s the number of speakers
    of y.

    Speakers of x without a partner cost nothing, so x does not gain from having fewer of them. Not
    a metric.

    Theory: docs/theory/fields.md.

    References
    ----------
    N. Ryant and others (2019), The second DIHARD diarization challenge: dataset, task, and
    baselines, Interspeech 2019, 978-982.

    Examples
    --------
    >>> import softclust
    >>> softclust.jaccard_error_rate([0, 0, 1, 1], [0, 0, 0, 1])
    0.41666666666666674
    """
    check_choice("mapping", mapping, _MAPPINGS)
    return value_of(jaccard_error_rate, x, y, mapping=mapping)
