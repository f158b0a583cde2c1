"""Posterior draws of partitions: point estimate, its certificate, and uncertainty."""

from ...running.lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    "_losses": "expected_loss",
    "point": "posterior_partition",
    "_record": "PosteriorPartition",
    "ball": "credible_ball CredibleBall",
    "representatives": "partition_representatives PartitionRepresentatives",
    "core": "partition_core PartitionCore",
})
