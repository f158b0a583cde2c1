"""Clusterings of other Python packages, recognised by their documented attributes.

igraph, cdlib, evclust and networkx; nothing is imported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, ValuesView
from typing import Any

from ..results.frames import library
from ._base import Clustering
from .cover import CoverClustering
from .evidential import EvidentialClustering
from .hard import HardClustering

#: hints for types that hold more than one clustering, by the names of the types
PARTS = {
    "AnnData": 'the column of its obs that holds the labels, such as adata.obs["leiden"]',
    "Annotation": "the speakers of its frames: the guide, Interoperability, has the lines",
    "DuckDBPyRelation": "a column of labels, such as relation.fetchnumpy()[name] after an ORDER "
                        "BY, or ContingencyTable.from_frame(relation.df()) of a GROUP BY with its "
                        "counts",
    "VertexDendrogram": "a cut of it: dendrogram.as_clustering()",
}


def of_neighbour(obj: Any) -> Clustering | None:
    """The clustering of an object of igraph, cdlib or evclust; None of anything else."""
    if isinstance(obj, Mapping):   # evclust: masses and their focal sets
        masses = getattr(obj.get("mass"), "ndim", 0) == 2 and "F" in obj
        return EvidentialClustering(obj["mass"], obj["F"]) if masses else None
    graph = getattr(obj, "graph", None)
    if hasattr(obj, "communities") and hasattr(obj, "overlap"):   # cdlib
        kind = CoverClustering if obj.overlap or obj.node_coverage < 1 else HardClustering
        return kind.from_clusters(obj.communities, objects=vertex_names(graph))
    if hasattr(obj, "membership") and hasattr(graph, "vs"):   # igraph
        if isinstance(next(iter(obj.membership), 0), int):
            return HardClustering(obj.membership, object_names=vertex_names(graph))
        cover = CoverClustering.from_clusters(list(obj), n_objects=len(obj.membership))
        return cover.renamed(vertex_names(graph))
    return None


def vertex_names(graph: Any) -> list[Any] | None:
    """Names of the vertices of a graph of igraph or networkx; None where they have none."""
    if hasattr(graph, "vs"):
        return list(graph.vs["name"]) if "name" in graph.vs.attributes() else None
    return list(graph.nodes) if hasattr(graph, "nodes") else None


def is_list_of_sets(obj: Any) -> bool:
    """Test whether it is a list or tuple of sets."""
    return (isinstance(obj, (list, tuple)) and len(obj) > 0
            and all(isinstance(v, (set, frozenset)) for v in obj))


def is_series_of_sets(obj: Any) -> bool:
    """Test whether it is a Series of sets: the labels of each object, which its index names."""
    if library(obj) != "pandas" or getattr(obj, "ndim", 0) != 1 or obj.dtype != object:
        return False
    return any(isinstance(each, (set, frozenset)) for each in obj.to_numpy())


def listed(obj: Any) -> Any:
    """Sets that networkx yields one by one, as a list; anything else as it is."""
    sets = list(obj) if isinstance(obj, (Iterator, ValuesView)) else []
    return sets if is_list_of_sets(sets) else obj
