"""Choosing the number of clusters."""

from .numbers import cluster_number
from .record import ClusterNumber
from .splits import PredictionStrength, prediction_strength

__all__ = ["ClusterNumber", "PredictionStrength", "cluster_number", "prediction_strength"]
