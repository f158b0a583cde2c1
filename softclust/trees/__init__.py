"""Dendrograms: one against classes (ROC curves over all numbers of clusters), two compared."""

from ..running.lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    "dendrogram": "Dendrogram as_dendrogram",
    "curve": "dendrogram_curve DendrogramCurve dendrogram_map DendrogramMap",
    "whole_trees": "cophenetic_correlation cluster_set_distance dendrogram_element_centric",
    "proximities": "dendrogram_proximity",
    "orders": "untangle entanglement TreeOrders",
    "roc": "pair_roc tie_range pair_roc_partitions pair_roc_subsets",
    "roc_records": "PairRoc PairRocSubsets TieRange",
})
