"""softclust: how good, how certain and how alike are clusterings?

Clusterings may be hard, rough, fuzzy, possibilistic, evidential or overlapping. Start with
``softclust.compare(x, y)``; ``softclust.list_measures()`` lists every measure.

Names load at their first use (PEP 562), so ``import softclust`` is fast. `dir` lists them all;
the measures are also in ``softclust.measures``, and the classes of results in
``softclust.results``.
"""

import re as _re
from importlib import import_module as _import_module
from pathlib import Path as _Path

from .extensions import declared as _declared
from .running.lazy import by_name as _by_name

__version__ = "0.2.0"

#: where each public name lives; measures come from the registry
_HOMES = _by_name({
    "clusterings": "as_clustering align HardClustering RoughClustering FuzzyClustering "
                   "PossibilisticClustering EvidentialClustering CoverClustering Ensemble Relation",
    "clusterings.lattice": "meet join is_refinement",
    "_checks": "ClusteringError UndefinedMeasureWarning InexactWarning IncompleteWarning",
    "results.records": "Interval",
    "tables.pair_counts": "PairCounts",
    "measures.joint": "Joint",
    "tables.contingency_table": "ContingencyTable PartedTable",
    "tables.counter": "ContingencyCounter contingency_table",
    "tables.sums": "TableSums",
    "tables._sql": "sql table_sums",
    "memberships._membership_sums": "MembershipSums membership_sums",
    "tables.pair_counting": "pair_counts",
    "soft_pairs.fuzzy_pairs": "fuzzy_pair_counts",
    "soft_pairs._sampled": "alpha_rand_estimate",
    "soft_pairs.soft_pairs": "alpha_rand_curve",
    "memberships.mallows": "cssd_dissimilarity",
    "soft_pairs.uncertainty": "margin",
    "soft_pairs.validity": "dissimilarity_accounted_for",
    "measures": "list_measures get_measure",
    "comparison.published": "tabulate",
    "comparison.several": "compare",
    "comparison.permutations": "chance",
    "comparison.versions": "compare_versions",
    "comparison.levels": "chance_level",
    "comparison.explain": "explain cluster_changes",
    "comparison.influence": "influence",
    "comparison.ranking": "rank_clusterings",
    "comparison.sampled_truth": "sampled_truth sampled_pairs",
    "comparison.batch": "batch_effect",
    "comparison.strata": "agreement_by_strata conditional_mutual_information",
    "comparison.matrix": "compare_all",
    "memberships.matching": "match_clusters match_table",
    "selection.numbers": "cluster_number",
    "selection.splits": "prediction_strength",
    "selection.evidence": "cluster_test",
    "selection.separation": "separation_test",
    "selection.replication": "replicate",
    "selection.settings": "compare_settings",
    "comparison.flows": "order_flows",
    "covers.element_centric": "element_centric",
    "ensembles.consensus": "consensus",
    "ensembles.pclust": "pclust",
    "ensembles.resampled_runs": "resampled_clusterings",
    "ensembles.thinning": "thin",
    "ensembles.together": "coassociation",
    "ensembles.stability": "cluster_stability",
    "ensembles.consistency": "element_consistency",
    "ensembles.instability": "label_instability",
    "comparison.medoid": "medoid",
    "comparison.scaling": "interval_mds",
    "soft_pairs.entropies": "pairwise_entropy corrected_entropy cluster_information_criterion",
    "ensembles.bagged_centers": "BaggedCenters",
    "ensembles.bagging": "BaggedClustering",
    "ensembles.bayesian": "BayesianBaggedClustering",
    "ensembles.schemes": "bootstrap_indices subsample_indices bayesian_bootstrap_weights "
                         "proper_bayesian_bootstrap BootstrapDraws",
    "ensembles.prior": "GaussianMixturePrior",
    "ensembles.replicates": "ResamplingWarning FailedReplicatesWarning",
    "running.threads": "get_num_threads set_num_threads",
    "running.warmup": "warmup",
    "running.installed_versions": "show_versions",
    "reporting.run": "report",
    **_declared("PUBLIC"),
})
_SUBMODULES = ("cluster", "datasets", "measures", "plotting", "results")


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
            known = name in _import_module(".results", __name__).__all__
            hint = f"; results are in softclust.results.{name}" if known else ""
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}")
    globals()[name] = value
    return value


def __dir__():
    return __all__


def _public():
    """Every name that the package has, for its tables, tests and guide."""
    measures = _import_module(".measures", __name__).registry()
    return sorted({"__version__", *_HOMES, *_SUBMODULES, *measures})


# From the stub, since the registry of measures takes a second to import.
__all__ = sorted({"__version__", *_re.findall(
    r" as (\w+)$", _Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"),
    _re.MULTILINE)})
