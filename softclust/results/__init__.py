"""Results: what functions return, and how it is printed, stored and turned into frames.

The classes are here to be named in types and checks; functions make them.
"""

from ..extensions import declared
from ..running.lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    ".clusterings": "Aligned",
    ".clusterings.tabulation": "Tabulation",
    ".results.summary": "SummaryTable",
    ".soft_pairs._sampled": "Estimate",
    ".comparison.comparison_record": "Comparison ConfidenceLimits",
    ".comparison.chance_record": "Chance ChanceRow",
    ".comparison.explain": "Explanation ClusterChanges ClusterEvent",
    ".comparison.influence": "Influence",
    ".comparison.versions": "VersionComparison",
    ".comparison.ranking": "Ranking",
    ".comparison.sampled_truth": "SampledTruth",
    ".comparison.batch": "BatchEffect",
    ".comparison.strata": "StrataAgreement",
    ".comparison.matrix": "ComparisonMatrix",
    ".memberships.matching": "Matching",
    ".ensembles.consensus_record": "Consensus",
    ".ensembles.pclust": "PartitionClusters",
    ".selection.number_record": "ClusterNumber",
    ".selection.splits": "PredictionStrength",
    ".selection.replication": "Replication",
    ".selection.settings_record": "SettingsComparison",
    ".selection.evidence": "ClusterTest ClusterTestStep SeparatedPairs",
    ".selection.separation": "SeparationTest ClusterPairs ClusterEdges",
    ".comparison.flows": "FlowOrder",
    ".covers.element_centric": "ElementCentric",
    ".ensembles.together": "Coassociation",
    ".ensembles.stability": "ClusterStability",
    ".ensembles.consistency": "ElementConsistency",
    ".ensembles.instability": "LabelInstability",
    ".comparison.medoid": "Medoid",
    ".comparison.scaling": "IntervalMDS",
    ".soft_pairs.entropies": "PairwiseEntropy CIC",
    ".running.jobs": "ReplicateFailure",
    ".reporting.record": "Report",
    ".results.kept": "from_json",
    **{f".{module}": names for module, names in declared("RECORDS").items()},
})
