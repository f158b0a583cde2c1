"""Dendrograms: one against classes (ROC curves over all numbers of clusters), two compared."""

from .._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    "dendrogram": "Dendrogram as_dendrogram",
    "curve": "dendrogram_curve DendrogramCurve dendrogram_map DendrogramMap",
    "cophenetic": "cophenetic_correlation",
    "cluster_sets": "cluster_set_distance",
    "element_centric": "dendrogram_element_centric",
    "orders": "untangle entanglement TreeOrders",
    "roc": "pair_roc tie_range",
    "roc_subsets": "pair_roc_subsets",
    "roc_partitions": "pair_roc_partitions",
    "roc_records": "PairRoc PairRocSubsets TieRange",
})
