"""ROC curves of clusterings over the number of clusters: pairs of objects against classes."""

from importlib import import_module
from typing import Any

_HOMES = {
    "pair_roc": "dendrograms",
    "pair_roc_subsets": "subsets",
    "pair_roc_partitions": "partitions",
    "tie_range": "ties",
    "PairRoc": "records",
    "PairRocSubsets": "records",
    "TieRange": "records",
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
