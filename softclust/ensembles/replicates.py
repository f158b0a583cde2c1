"""Replicates that failed, and the warnings of estimators that resample."""

from __future__ import annotations

from .._checks import ClusteringError
from ..running.jobs import ReplicateFailure


class ResamplingWarning(UserWarning):
    """A resampled clustering rests on fewer votes, or on worse fits, than requested.

    Some objects were never drawn, few replicates voted, or the clusterer warned; see the
    message.
    """

    __module__ = "softclust"


class FailedReplicatesWarning(ResamplingWarning):
    """Some replicates failed; the result rests on the others.

    The message gives their number and the first reason; a fitted estimator lists all of them in
    ``failures_``.
    """

    __module__ = "softclust"


def check_failures(failures: list[ReplicateFailure], n_replicates: int, what: str = "replicate",
                   then: str = "do not count, see failures_") -> str | None:
    """A sentence about failed replicates, or None; raises when none succeeded."""
    if not failures:
        return None
    reason = f"{what} {failures[0].replicate}: {failures[0].reason}"
    if len(failures) >= n_replicates:
        raise ClusteringError(f"all {n_replicates} {what}s failed; {reason}")
    return f"{len(failures)} of {n_replicates} {what}s failed and {then}; {reason}"
