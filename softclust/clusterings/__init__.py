"""The five kinds of clustering, covers, their conversions, and the one door that coerces input."""

from ._base import Clustering
from .alignment import Aligned, align
from .coercion import as_clustering
from .cover import CoverClustering
from .ensemble import Ensemble
from .evidential import EvidentialClustering
from .fuzzy import FuzzyClustering
from .hard import HardClustering
from .possibilistic import PossibilisticClustering
from .relation import Relation
from .rough import RoughClustering

__all__ = [
    "Aligned",
    "Clustering",
    "CoverClustering",
    "Ensemble",
    "EvidentialClustering",
    "FuzzyClustering",
    "HardClustering",
    "PossibilisticClustering",
    "Relation",
    "RoughClustering",
    "align",
    "as_clustering",
]
