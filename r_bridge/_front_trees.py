"""Commands of the R package's group "trees": two dendrograms."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from ._dendrogram import merges_from_r
from ._front import command, crossing, from_one


def _tree(given: dict[str, Any]) -> Any:
    """Convert an hclust tree from R to a `Dendrogram`."""
    merges = merges_from_r({"merge": np.atleast_2d(given["merge"]),
                            "height": np.atleast_1d(given["height"])})
    return sc.Dendrogram(merges, object_names=given.get("labels"))


@command
def dendrogram_curve(x: Any, y: Any, measure: str, level: float) -> dict[str, Any]:
    """`softclust.dendrogram_curve`."""
    found = sc.dendrogram_curve(_tree(x), _tree(y), measure=measure)
    return {"limit": found.limit(level), "level": level} | crossing(
        found, "k value expected sd measure n_objects")


@command
def dendrogram_map(x: Any, y: Any, measure: str, max_clusters: int) -> dict[str, Any]:
    """`softclust.dendrogram_map`."""
    found = sc.dendrogram_map(_tree(x), _tree(y), max_clusters=max_clusters, measure=measure)
    return crossing(found, "k_x k_y value measure")


@command
def tree_number(x: Any, y: Any, what: str, options: dict[str, Any]) -> float:
    """A number that compares two trees."""
    functions: dict[str, Any] = {"cophenetic_correlation": sc.cophenetic_correlation,
                                 "cluster_set_distance": sc.cluster_set_distance}
    return float(functions[what](_tree(x), _tree(y), **options))


@command
def tree_elements(x: Any, y: Any, options: dict[str, Any]) -> dict[str, Any]:
    """`softclust.dendrogram_element_centric`."""
    found = sc.dendrogram_element_centric(_tree(x), _tree(y), **options)
    return {"values": found.values, "index": found.index}


@command
def untangle(x: Any, y: Any, n_starts: int, fixed: Any = None, seed: Any = None
             ) -> dict[str, Any]:
    """`softclust.untangle`; objects from 1."""
    found = sc.untangle(_tree(x), _tree(y), fixed=fixed, n_starts=n_starts, rng=seed)
    return {"x_order": from_one(found.x_order), "y_order": from_one(found.y_order),
            "crossings": found.crossings, "entanglement": found.entanglement}


@command
def entanglement(x_order: Any, y_order: Any, power: float) -> float:
    """`softclust.entanglement`; objects from 1."""
    return sc.entanglement(np.atleast_1d(x_order) - 1, np.atleast_1d(y_order) - 1, power=power)
