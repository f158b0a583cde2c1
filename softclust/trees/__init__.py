"""Dendrograms: one against classes (ROC curves over all numbers of clusters), two compared."""

from importlib import import_module
from typing import Any

_HOMES = {
    "Dendrogram": "dendrogram",
    "as_dendrogram": "dendrogram",
    "dendrogram_curve": "curve",
    "DendrogramCurve": "curve",
    "dendrogram_map": "curve",
    "DendrogramMap": "curve",
    "cophenetic_correlation": "cophenetic",
    "cluster_set_distance": "cluster_sets",
    "dendrogram_element_centric": "element_centric",
    "untangle": "orders",
    "entanglement": "orders",
    "TreeOrders": "orders",
    "pair_roc": "roc",
    "pair_roc_subsets": "roc_subsets",
    "pair_roc_partitions": "roc_partitions",
    "tie_range": "roc_ties",
    "PairRoc": "roc_records",
    "PairRocSubsets": "roc_records",
    "TieRange": "roc_records",
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
