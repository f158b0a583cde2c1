"""Choosing the number of clusters, and whether there are any."""

from .evidence import ClusterTest, cluster_test
from .number_record import ClusterNumber
from .numbers import cluster_number
from .replication import Replication, replicate
from .separation import SeparationTest, separation_test
from .settings import compare_settings
from .settings_record import SettingsComparison
from .splits import PredictionStrength, prediction_strength

__all__ = ["ClusterNumber", "ClusterTest", "PredictionStrength", "Replication", "SeparationTest",
           "SettingsComparison", "cluster_number", "cluster_test", "compare_settings",
           "prediction_strength", "replicate", "separation_test"]
