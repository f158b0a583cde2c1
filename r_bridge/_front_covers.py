"""Commands of the R package's group "covers": overlapping clusters, element-centric similarity."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from ._front import command, crossing, from_one, verbs


@command
def to_cover(x: Any, threshold: Any = None) -> Any:
    """A hard, fuzzy or possibilistic clustering as a cover."""
    if x.kind == "hard":
        return x.to_cover()
    if not hasattr(x, "to_cover"):
        raise sc.ClusteringError(f"x is {x.kind}; a hard, fuzzy or possibilistic clustering is "
                                 "needed to make a cover")
    return x.to_cover(threshold=threshold)


@command
def element_centric(x: Any, y: Any, damping: float) -> dict[str, Any]:
    """`softclust.element_centric`."""
    found = sc.element_centric(x, y, damping=damping)
    return {side: found.by_cluster(side).to_numpy() for side in ("x", "y")} | crossing(
        found, "values index expected adjusted")


@command
def order_flows(clusterings: Any) -> dict[str, Any]:
    """`softclust.order_flows`; clusters from 1."""
    found = sc.order_flows(np.atleast_2d(clusterings) if isinstance(clusterings, np.ndarray)
                           else clusterings)
    return {"orders": [from_one(order) for order in found.orders],
            "crossings": float(found.crossings), "exact": found.exact, **verbs(found)}
