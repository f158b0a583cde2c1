"""Commands of the R package's group "explaining": where a number comes from, and nested truth."""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from ._front import Encoded, command, crossing, frame, strings, verbs
from ._front_comparing import Options
from ._front_trees import _tree


def _names(names: Any) -> list[str]:
    """Names of clusters or objects; those without a name count from 1 in R."""
    return [str(name + 1 if isinstance(name, (int, np.integer)) else name) for name in names]


def _changes(changes: sc.results.ClusterChanges) -> dict[str, Any]:
    x, y = map(_names, changes.cluster_names)
    events = [(e.kind, " + ".join(x[k] for k in e.x), " + ".join(y[k] for k in e.y), e.count,
               e.share) for e in changes.events]
    rows = events + [("move", x[k], y[j], count, np.nan) for k, j, count in changes.moves]
    kind, left, right, count, share = zip(*rows) if rows else ((),) * 5
    return {"rows": frame({"kind": list(kind), "x": list(left), "y": list(right),
                           "count": np.array(count, dtype=float),
                           "share": np.array(share, dtype=float)}),
            "sentences": Encoded(strings(changes.sentences())), "total": changes.total,
            "moved": changes.moved, "moved_share": changes.moved_share,
            "operations": changes.operations, "transfers": changes.transfers,
            "measure": changes.measure, "names": list(changes.names), **verbs(changes)}


def _counted_from_1(side: Any) -> Any:
    """Name the unnamed clusters of a hard clustering by R's codes, from 1."""
    if side.kind != "hard" or side.cluster_names != tuple(range(side.n_clusters)):
        return side
    return sc.HardClustering(side.labels, n_clusters=side.n_clusters,
                             object_names=side.object_names,
                             cluster_names=[str(k + 1) for k in range(side.n_clusters)])


@command
def explain(x: Any, y: Any, measure: str, names: list[str], top: int, options: Options
            ) -> dict[str, Any]:
    """`softclust.explain`; objects without names count from 1."""
    x, y = _counted_from_1(x), _counted_from_1(y)
    why = sc.explain(x, y, measure, names=(names[0], names[1]), top=top, **options)
    fields = {"measure": why.measure, "value": why.value, "total": why.total, "label": why.label,
              "unique": why.unique, "objects": why.objects, "names": list(why.names), **verbs(why)}
    if not why.has_cells:
        return fields
    cells = why.to_frame("cells")
    clusters = [_names(side) for side in why.cluster_names]
    return {**fields, "split": why.split, "merge": why.merge,
            "x_clusters": why.x_clusters, "y_clusters": why.y_clusters,
            "x_names": Encoded(strings(clusters[0])), "y_names": Encoded(strings(clusters[1])),
            "cells": frame({"x": _names(cells["x"]), "y": _names(cells["y"]),
                            **{name: cells[name].to_numpy(float)
                               for name in ("count", "share", "split", "merge")}}),
            "changes": _changes(why.changes)}


@command
def cluster_changes(x: Any, y: Any, measure: str, names: list[str], options: Options
                    ) -> dict[str, Any]:
    """`softclust.cluster_changes`."""
    x, y = _counted_from_1(x), _counted_from_1(y)
    return _changes(sc.cluster_changes(x, y, measure=measure, names=(names[0], names[1]),
                                       **options))


@command
def influence(x: Any, y: Any, measure: str, side: str, options: Options) -> dict[str, Any]:
    """`softclust.influence`; clusters count from 1."""
    change = sc.influence(x, y, measure, side=side, **options)
    return crossing(change, "measure value side leave_out gain", "best")


# -- nested truth -------------------------------------------------------------------------------
@command
def nested_rand(levels: list[Any], y: Any, credit: str, adjusted: bool, credits: Any = None
                ) -> float:
    """`softclust.nested_rand_index`, or the adjusted one."""
    index = sc.adjusted_nested_rand_index if adjusted else sc.nested_rand_index
    return index(levels, y, credits=None if credits is None else np.atleast_1d(credits),
                 credit=credit)


@command
def level_agreement(y: Any, measure: str, levels: Any = None, tree: Any = None
                    ) -> dict[str, Any]:
    """`softclust.level_agreement` of clusterings or of a tree."""
    levels = sc.level_agreement(_tree(tree) if levels is None else levels, y, measure=measure)
    return {"rows": frame({"k": levels.k.astype(float), "value": levels.value,
                           "expected": levels.expected}), "measure": levels.measure,
            **verbs(levels)}


@command
def best_cut(tree: Any, y: Any, measure: str, n_permutations: int = 0, seed: Any = None
             ) -> dict[str, Any]:
    """`softclust.best_cut`, and its p-value if permutations are wanted."""
    cut = sc.best_cut(_tree(tree), y, measure=measure)
    chance = cut.chance(n_permutations, rng=seed) if n_permutations else None
    kept = verbs(cut)
    kept["verbs"]["summary"]["notes"] = [
        "The best of very many cuts, so not a test; `n_permutations` gives a p-value."
        if chance is None else f"p = {chance.p_value:.2g} ({n_permutations} permutations of y)."]
    return {"clustering": cut.clustering, "value": cut.value, "level_value": cut.level_value,
            "level_k": cut.level_k, "measure": cut.measure,
            "p_value": None if chance is None else chance.p_value,
            "null": None if chance is None else chance.null, **kept}
