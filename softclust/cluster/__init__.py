"""Clusterers: scikit-learn estimators for soft clusterings."""

from importlib import import_module
from typing import Any

_HOMES = {
    "RoughKMeans": "rough_kmeans",
    "FuzzyCMeans": "cmeans",
    "PossibilisticCMeans": "cmeans",
    "EvidentialCMeans": "evidential_cmeans",
    "SLAGLO": "experimental",
    "SLDID": "experimental",
    "ExperimentalWarning": "experimental",
    "var_part": "initialisation",
    "pca_part": "initialisation",
}

_SUBMODULES = ("experimental",)

__all__ = [*_HOMES, *_SUBMODULES]


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
