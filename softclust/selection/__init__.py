"""Choosing the number of clusters."""

from .numbers import ClusterNumber, cluster_number

__all__ = ["ClusterNumber", "cluster_number"]
