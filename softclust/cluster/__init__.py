"""Clusterers: scikit-learn estimators for soft clusterings."""

from importlib import import_module
from typing import Any

from ..running.lazy import lazy

_names, _get, _ = lazy(__name__, {
    "rough_kmeans": "RoughKMeans",
    "cmeans": "FuzzyCMeans PossibilisticCMeans",
    "evidential_cmeans": "EvidentialCMeans",
    "experimental": "SLAGLO SLDID ExperimentalWarning",
    "initialisation": "var_part pca_part",
})

__all__ = [*_names, "experimental"]


def __getattr__(name: str) -> Any:
    return import_module(".experimental", __name__) if name == "experimental" else _get(name)


def __dir__() -> list[str]:
    return sorted(__all__)
