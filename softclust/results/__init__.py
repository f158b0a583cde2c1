"""Results: what functions return, and how it is printed, stored and turned into frames.

The classes are here to be named in types and checks; functions make them.
"""

from ..running.lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    ".clusterings": "Aligned",
    ".tables.completion": "CompletionBounds",
    ".clusterings.tabulation": "Tabulation",
    ".results.summary": "SummaryTable",
    ".pairs._sampled": "Estimate",
    ".transport.expected": "ExpectedIndex",
    ".transport.result": "TransportResult",
    ".comparison.record": "Comparison ConfidenceLimits",
    ".comparison.chance_record": "Chance ChanceRow",
    ".comparison.explain": "Explanation ClusterChanges ClusterEvent",
    ".comparison.influence": "Influence",
    ".comparison.versions": "VersionComparison",
    ".comparison.ranking": "Ranking",
    ".comparison.sampled_truth": "SampledTruth",
    ".comparison.strata": "StrataAgreement",
    ".comparison.matrix": "ComparisonMatrix",
    ".columns.matching": "Matching",
    ".ensembles.reliability": "ReliabilitySimulation",
    ".ensembles._records": "Consensus",
    ".comparison.prayatul": "PrayatulResult PrayatulTable PrayatulObjects PrayatulParts "
                            "PrayatulIntervals",
    ".selection.record": "ClusterNumber",
    ".selection.splits": "PredictionStrength",
    ".selection.replication": "Replication",
    ".selection.evidence": "ClusterTest ClusterTestStep SeparatedPairs",
    ".comparison.flows": "FlowOrder",
    ".covers.element_centric": "ElementCentric",
    ".ensembles.together": "Coassociation",
    ".ensembles.stability": "ClusterStability",
    ".ensembles.consistency": "ElementConsistency",
    ".ensembles.instability": "LabelInstability",
    ".comparison.medoid": "Medoid",
    ".ensembles.posterior._record": "PosteriorPartition",
    ".ensembles.posterior.ball": "CredibleBall",
    ".ensembles.posterior.representatives": "PartitionRepresentatives",
    ".ensembles.posterior.core": "PartitionCore",
    ".comparison.scaling": "IntervalMDS",
    ".trees.nested": "LevelAgreement BestCut CutChance",
    ".trees.curve": "DendrogramCurve DendrogramMap",
    ".trees.orders": "TreeOrders",
    ".trees.roc_records": "PairRoc PairRocSubsets TieRange",
    ".pairs.entropies": "PairwiseEntropy CIC",
    ".ensembles.replicates": "ReplicateFailure",
    ".reporting.record": "Report",
    ".results.kept": "from_json",
})
