"""Resampling: bagging, multiple match cluster count, consensus, and bootstrap schemes."""

from ..running.lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    "consensus_record": "Consensus",
    "pclust": "PartitionClusters",
    "resampled_runs": "resampled_clusterings",
    "together": "coassociation Coassociation",
    "stability": "cluster_stability ClusterStability",
    "consistency": "element_consistency ElementConsistency",
    "instability": "label_instability LabelInstability",
    "bagged_centers": "BaggedCenters",
    "bagging": "BaggedClustering",
    "bayesian": "BayesianBaggedClustering",
    "schemes": "bootstrap_indices subsample_indices bayesian_bootstrap_weights "
               "proper_bayesian_bootstrap BootstrapDraws",
    "prior": "GaussianMixturePrior",
    "replicates": "ReplicateFailure ResamplingWarning FailedReplicatesWarning",
})
