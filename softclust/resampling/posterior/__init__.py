"""Posterior draws of partitions: point estimate, its certificate, and uncertainty."""

from importlib import import_module
from typing import Any

_HOMES: dict[str, str] = {
    "expected_loss": "_losses",
    "posterior_partition": "point",
    "PosteriorPartition": "_record",
    "credible_ball": "ball",
    "CredibleBall": "ball",
    "partition_representatives": "representatives",
    "PartitionRepresentatives": "representatives",
    "partition_core": "core",
    "PartitionCore": "core",
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
