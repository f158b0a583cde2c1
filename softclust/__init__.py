"""softclust: how good, how certain and how alike are clusterings?

Clusterings may be hard, rough, fuzzy, possibilistic, evidential or overlapping. Start with
``softclust.compare(x, y)``; ``softclust.list_measures()`` lists every measure.

Names load at their first use (PEP 562), so ``import softclust`` is fast. `dir` lists them all;
the measures are also in ``softclust.measures``.
"""

from importlib import import_module as _import_module

from .running.lazy import by_name as _by_name

__version__ = "0.1.0"

#: where each public name lives; measures come from the registry
_HOMES = _by_name({
    "clusterings": "as_clustering align Aligned HardClustering RoughClustering FuzzyClustering "
                   "PossibilisticClustering EvidentialClustering CoverClustering Ensemble "
                   "Relation",
    "tables.completion": "completion_bounds CompletionBounds",
    "clusterings.tabulation": "Tabulation",
    "clusterings.lattice": "meet join is_refinement",
    "_checks": "ClusteringError UndefinedMeasureWarning InexactWarning IncompleteWarning",
    "results.records": "Interval",
    "results.summary": "SummaryTable",
    "tables.pair_counts": "PairCounts",
    "measures.joint": "Joint",
    "tables.contingency_table": "ContingencyTable PartedTable",
    "tables.counter": "ContingencyCounter contingency_table",
    "tables.sums": "TableSums",
    "tables._sql": "sql table_sums",
    "columns._membership_sums": "MembershipSums membership_sums",
    "tables.pair_counting": "pair_counts",
    "pairs.fuzzy_pairs": "fuzzy_pair_counts",
    "pairs._sampled": "alpha_rand_estimate Estimate",
    "pairs.soft_pairs": "alpha_rand_curve",
    "transport.measures": "transport_methods",
    "transport.expected": "expected_index ExpectedIndex",
    "transport.result": "TransportResult SamplingBiasWarning",
    "columns.mallows": "cssd_dissimilarity",
    "pairs.uncertainty": "margin",
    "pairs.validity": "dissimilarity_accounted_for",
    "measures": "list_measures get_measure",
    "comparison.published": "tabulate",
    "comparison.several": "compare",
    "comparison.record": "Comparison ConfidenceLimits",
    "comparison.permutations": "chance",
    "comparison.levels": "chance_level",
    "comparison.chance_record": "Chance ChanceRow",
    "comparison.explain": "explain Explanation cluster_changes ClusterChanges ClusterEvent",
    "comparison.influence": "influence Influence",
    "comparison.ranking": "rank_clusterings Ranking",
    "comparison.sampled_truth": "sampled_truth sampled_pairs SampledTruth",
    "comparison.strata": "agreement_by_strata conditional_mutual_information StrataAgreement",
    "comparison.matrix": "compare_all ComparisonMatrix",
    "columns.matching": "match_clusters match_table Matching",
    "ensembles.multiple_match": "mmcc",
    "ensembles.reliability": "reliability_simulation load_reliability_simulation "
                              "ReliabilitySimulation",
    "ensembles.multiple_match_clustering": "MultipleMatchClustering",
    "ensembles._records": "Consensus",
    "comparison.prayatul": "prayatul prayatul_from_counts prayatul_all PrayatulResult "
                         "PrayatulTable PrayatulObjects PrayatulParts PrayatulIntervals",
    "selection.numbers": "cluster_number",
    "selection.record": "ClusterNumber",
    "selection.splits": "prediction_strength PredictionStrength",
    "comparison.flows": "order_flows FlowOrder",
    "covers.element_centric": "element_centric ElementCentric",
    "ensembles.consensus": "consensus",
    "ensembles.resampled_runs": "resampled_clusterings",
    "ensembles.together": "coassociation Coassociation",
    "ensembles.stability": "cluster_stability ClusterStability",
    "ensembles.consistency": "element_consistency ElementConsistency",
    "ensembles.instability": "label_instability LabelInstability",
    "comparison.medoid": "medoid Medoid",
    "ensembles.posterior._losses": "expected_loss",
    "ensembles.posterior.point": "posterior_partition",
    "ensembles.posterior._record": "PosteriorPartition",
    "ensembles.posterior.ball": "credible_ball CredibleBall",
    "ensembles.posterior.representatives": "partition_representatives PartitionRepresentatives",
    "ensembles.posterior.core": "partition_core PartitionCore",
    "comparison.scaling": "interval_mds IntervalMDS",
    "trees.dendrogram": "Dendrogram as_dendrogram",
    "trees.nested": "nested_rand_index adjusted_nested_rand_index level_agreement LevelAgreement "
                    "best_cut BestCut CutChance",
    "trees.curve": "dendrogram_curve DendrogramCurve dendrogram_map DendrogramMap",
    "trees.whole_trees": "cophenetic_correlation cluster_set_distance "
                         "dendrogram_element_centric",
    "trees.orders": "untangle entanglement TreeOrders",
    "trees.roc": "pair_roc tie_range pair_roc_partitions pair_roc_subsets",
    "trees.roc_records": "PairRoc PairRocSubsets TieRange",
    "pairs.entropies": "pairwise_entropy PairwiseEntropy corrected_entropy "
                       "cluster_information_criterion CIC",
    "ensembles.bagging": "BaggedClustering",
    "ensembles.bayesian": "BayesianBaggedClustering",
    "ensembles.schemes": "bootstrap_indices subsample_indices bayesian_bootstrap_weights "
                          "proper_bayesian_bootstrap BootstrapDraws",
    "ensembles.prior": "GaussianMixturePrior",
    "ensembles.replicates": "ReplicateFailure ResamplingWarning FailedReplicatesWarning",
    "running.threads": "get_num_threads set_num_threads",
    "running.warmup": "warmup",
    "running.versions": "show_versions",
    "reporting.run": "report",
    "reporting.record": "Report",
})
_SUBMODULES = ("cluster", "datasets", "measures", "plotting")


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
    # Read from the stub, since the registry of measures takes a second to import.
    import re
    from pathlib import Path
    stub = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    return sorted({"__version__", *re.findall(r" as (\w+)$", stub, re.MULTILINE)})


def _public():
    """Every name that the package has, for its tables, tests and guide."""
    measures = _import_module(".measures", __name__).registry()
    return sorted({"__version__", *_HOMES, *_SUBMODULES, *measures})
