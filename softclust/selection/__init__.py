"""Choosing the number of clusters, and whether there are any."""

from .evidence import ClusterTest, cluster_test
from .numbers import cluster_number
from .record import ClusterNumber
from .replication import Replication, replicate
from .separation import SeparationTest, separation_test
from .splits import PredictionStrength, prediction_strength

__all__ = ["ClusterNumber", "ClusterTest", "PredictionStrength", "Replication", "SeparationTest",
           "cluster_number", "cluster_test", "prediction_strength", "replicate", "separation_test"]
