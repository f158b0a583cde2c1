"""Resampling: bagging, multiple match cluster count, consensus, and bootstrap schemes."""

from importlib import import_module
from typing import Any

_HOMES: dict[str, str] = {
    "mmcc": "multiple_match",
    "reliability_simulation": "reliability",
    "load_reliability_simulation": "reliability",
    "ReliabilitySimulation": "reliability",
    "MultipleMatchClustering": "multiple_match_clustering",
    "Consensus": "_records",
    "resampled_clusterings": "resampled_runs",
    "coassociation": "together",
    "Coassociation": "_coassociation_record",
    "cluster_stability": "stability",
    "ClusterStability": "_stability_record",
    "element_consistency": "consistency",
    "ElementConsistency": "_consistency_record",
    "label_instability": "instability",
    "LabelInstability": "instability",
    "BaggedClustering": "bagging",
    "BayesianBaggedClustering": "bayesian",
    "bootstrap_indices": "schemes",
    "subsample_indices": "schemes",
    "bayesian_bootstrap_weights": "schemes",
    "proper_bayesian_bootstrap": "schemes",
    "BootstrapDraws": "schemes",
    "expected_loss": "posterior",
    "posterior_partition": "posterior",
    "PosteriorPartition": "posterior",
    "credible_ball": "posterior",
    "CredibleBall": "posterior",
    "partition_representatives": "posterior",
    "PartitionRepresentatives": "posterior",
    "partition_core": "posterior",
    "PartitionCore": "posterior",
    "GaussianMixturePrior": "prior",
    "ReplicateFailure": "replicates",
    "ResamplingWarning": "replicates",
    "FailedReplicatesWarning": "replicates",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
