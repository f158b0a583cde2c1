"""softclust: how good, how certain and how alike are clusterings?

Clusterings may be hard, rough, fuzzy, possibilistic, evidential or overlapping. Start with
``softclust.compare(x, y)``; ``softclust.list_measures()`` lists every measure.

Names load at their first use (PEP 562), so ``import softclust`` is fast. `dir` lists what most
people use; all measures are in ``softclust.measures``.
"""

from importlib import import_module as _import_module

__version__ = "0.1.0"

#: where each public name lives; measures come from the registry
_HOMES = {
    "as_clustering": "clusterings",
    "align": "clusterings",
    "Aligned": "clusterings",
    "completion_bounds": "completion",
    "CompletionBounds": "completion",
    "HardClustering": "clusterings",
    "RoughClustering": "clusterings",
    "FuzzyClustering": "clusterings",
    "PossibilisticClustering": "clusterings",
    "EvidentialClustering": "clusterings",
    "CoverClustering": "clusterings",
    "Ensemble": "clusterings",
    "PartialEnsemble": "clusterings",
    "Relation": "clusterings",
    "Tabulation": "clusterings.tabulation",
    "meet": "clusterings.lattice",
    "join": "clusterings.lattice",
    "is_refinement": "clusterings.lattice",
    "ClusteringError": "_checks",
    "UndefinedMeasureWarning": "_checks",
    "Interval": "_records",
    "PairCounts": "statistics.pair_counts",
    "Joint": "statistics.joint",
    "ContingencyTable": "statistics.tables",
    "ContingencyCounter": "statistics.counter",
    "contingency_table": "statistics.counter",
    "MembershipSums": "statistics.membership_sums",
    "membership_sums": "statistics.membership_sums",
    "pair_counts": "measures.pair_counting",
    "fuzzy_pair_counts": "measures.fuzzy_pairs",
    "alpha_rand_estimate": "measures._sampled",
    "alpha_rand_enclosure": "measures._sampled",
    "Estimate": "measures._sampled",
    "alpha_rand_curve": "measures.soft_pairs",
    "transport_methods": "measures.transport",
    "expected_index": "measures.expected",
    "ExpectedIndex": "measures.expected",
    "TransportResult": "measures.transport_result",
    "InexactWarning": "_checks",
    "SamplingBiasWarning": "measures.transport_result",
    "cssd_dissimilarity": "measures.mallows",
    "margin": "measures.uncertainty",
    "dissimilarity_accounted_for": "measures.validity",
    "list_measures": "measures",
    "get_measure": "measures",
    "compare": "comparison.several",
    "Comparison": "comparison.record",
    "ConfidenceLimits": "comparison.record",
    "chance": "comparison.permutations",
    "chance_level": "comparison.levels",
    "Chance": "comparison.chance_record",
    "ChanceRow": "comparison.chance_record",
    "rank_clusterings": "comparison.ranking",
    "Ranking": "comparison.ranking_record",
    "compare_all": "comparison.matrix",
    "ComparisonMatrix": "comparison.matrix",
    "match_clusters": "matching",
    "match_table": "matching",
    "Matching": "matching",
    "cluster_information_criterion": "measures.criterion",
    "CIC": "measures.criterion",
    "mmcc": "resampling.multiple_match",
    "reliability_simulation": "resampling.reliability",
    "load_reliability_simulation": "resampling.reliability",
    "ReliabilitySimulation": "resampling.reliability",
    "MultipleMatchClustering": "resampling.multiple_match_clustering",
    "Consensus": "resampling._records",
    "prayatul": "measures.prayatul",
    "prayatul_from_counts": "measures.prayatul",
    "prayatul_all": "measures.prayatul",
    "PrayatulResult": "measures.prayatul",
    "PrayatulBounds": "measures.prayatul",
    "PrayatulTable": "measures.prayatul",
    "PrayatulObjects": "measures.prayatul",
    "PrayatulParts": "measures.prayatul",
    "PrayatulIntervals": "measures.prayatul",
    "cluster_number": "selection.numbers",
    "ClusterNumber": "selection.record",
    "prediction_strength": "selection.splits",
    "PredictionStrength": "selection.splits",
    "order_flows": "comparison.flows",
    "FlowOrder": "comparison.flows",
    "element_centric": "measures.element_centric",
    "ElementCentric": "measures.element_centric",
    "IncompleteWarning": "_checks",
    "consensus": "resampling.consensus",
    "resampled_clusterings": "resampling.resampled_runs",
    "coassociation": "resampling.together",
    "Coassociation": "resampling._coassociation_record",
    "cluster_stability": "resampling.stability",
    "ClusterStability": "resampling._stability_record",
    "element_consistency": "resampling.consistency",
    "ElementConsistency": "resampling._consistency_record",
    "label_instability": "resampling.instability",
    "LabelInstability": "resampling.instability",
    "medoid": "resampling.medoid",
    "Medoid": "resampling.medoid",
    "expected_loss": "resampling.posterior",
    "posterior_partition": "resampling.posterior",
    "PosteriorPartition": "resampling.posterior",
    "credible_ball": "resampling.posterior",
    "CredibleBall": "resampling.posterior",
    "partition_representatives": "resampling.posterior",
    "PartitionRepresentatives": "resampling.posterior",
    "partition_core": "resampling.posterior",
    "PartitionCore": "resampling.posterior",
    "interval_mds": "scaling",
    "IntervalMDS": "scaling",
    "Dendrogram": "trees.dendrogram",
    "as_dendrogram": "trees.dendrogram",
    "dendrogram_curve": "trees.curve",
    "DendrogramCurve": "trees.curve",
    "dendrogram_map": "trees.curve",
    "DendrogramMap": "trees.curve",
    "cophenetic_correlation": "trees.cophenetic",
    "cluster_set_distance": "trees.cluster_sets",
    "dendrogram_element_centric": "trees.element_centric",
    "untangle": "trees.orders",
    "entanglement": "trees.orders",
    "TreeOrders": "trees.orders",
    "pair_roc": "trees.roc",
    "pair_roc_partitions": "trees.roc_partitions",
    "pair_roc_subsets": "trees.roc_subsets",
    "tie_range": "trees.roc_ties",
    "PairRoc": "trees.roc_records",
    "PairRocSubsets": "trees.roc_records",
    "TieRange": "trees.roc_records",
    "pairwise_entropy": "measures.entropies",
    "PairwiseEntropy": "measures.entropies",
    "corrected_entropy": "measures.entropies",
    "BaggedClustering": "resampling.bagging",
    "BayesianBaggedClustering": "resampling.bayesian",
    "bootstrap_indices": "resampling.schemes",
    "subsample_indices": "resampling.schemes",
    "bayesian_bootstrap_weights": "resampling.schemes",
    "proper_bayesian_bootstrap": "resampling.schemes",
    "BootstrapDraws": "resampling.schemes",
    "GaussianMixturePrior": "resampling.prior",
    "ReplicateFailure": "resampling.replicates",
    "ResamplingWarning": "resampling.replicates",
    "FailedReplicatesWarning": "resampling.replicates",
    "get_num_threads": "_parallel",
    "set_num_threads": "_parallel",
    "warmup": "_warmup",
    "show_versions": "_versions",
    "report": "reporting.run",
    "Report": "reporting.record",
}
_SUBMODULES = ("cluster", "datasets", "measures", "plotting")
#: what most people use: `dir(softclust)` lists these; every other name is found when asked for
_LISTED = """
    __version__ cluster datasets measures plotting
    HardClustering RoughClustering FuzzyClustering PossibilisticClustering EvidentialClustering
    CoverClustering Ensemble PartialEnsemble ContingencyTable ContingencyCounter Dendrogram
    Interval BaggedClustering BayesianBaggedClustering
    ClusteringError UndefinedMeasureWarning IncompleteWarning InexactWarning
    as_clustering as_dendrogram align contingency_table pair_counts list_measures get_measure
    compare compare_all chance chance_level completion_bounds rank_clusterings match_clusters
    report cluster_number consensus interval_mds prayatul pair_roc dendrogram_curve
    resampled_clusterings coassociation cluster_stability element_consistency
    posterior_partition credible_ball
    rand_index adjusted_rand_index jaccard_index fowlkes_mallows_index wallace_index
    mutual_information normalized_mutual_information adjusted_mutual_information
    variation_of_information purity_index transfer_distance element_centric_index
    partition_distance alpha_rand_index alpha_rand_interval adjusted_alpha_rand_index
    credal_rand_index concordance_index fuzzy_rand_index omega_index bcubed_index
    transport_dissimilarity transport_rand_index membership_entropy
    get_num_threads set_num_threads show_versions warmup
"""


def __getattr__(name):
    if name in _HOMES:
        value = getattr(_import_module(f".{_HOMES[name]}", __name__), name)
    elif name in _SUBMODULES:
        value = _import_module(f".{name}", __name__)
    elif name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    else:
        value = _import_module(".measures", __name__).function_of(name)
        if value is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__():
    return sorted(_LISTED.split())


def _public():
    """Every name that the package has, for its tables, tests and guide."""
    measures = _import_module(".measures", __name__).registry()
    return sorted({"__version__", *_HOMES, *_SUBMODULES, *measures})
