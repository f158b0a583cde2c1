"""Choosing the number of clusters."""

from .numbers import cluster_number
from .record import ClusterNumber

__all__ = ["ClusterNumber", "cluster_number"]
