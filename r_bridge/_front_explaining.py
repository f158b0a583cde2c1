"""Commands of the R package's group "explaining": where a number comes from, and trees."""

from __future__ import annotations

from typing import Any

import softclust as sc

from ._front import command, crossing, verbs


# -- trees ---------------------------------------------------------------------------------------
@command
def dendrogram_curve(x: Any, y: Any, measure: str, level: float) -> dict[str, Any]:
    """`softclust.dendrogram_curve` with limits."""
    found = sc.dendrogram_curve(x, y, measure=measure)
    return {"limit": found.limit(level), "level": level} | crossing(
        found, "k value expected sd measure n_objects")


@command
def best_cut(tree: Any, y: Any, measure: str, n_permutations: int = 0, seed: Any = None
             ) -> dict[str, Any]:
    """`softclust.best_cut`, and its p-value if permutations are wanted."""
    cut = sc.best_cut(tree, y, measure=measure)
    chance = cut.chance(n_permutations, rng=seed) if n_permutations else None
    kept = verbs(cut)
    kept["verbs"]["summary"]["notes"] = [
        "The best of very many cuts, so not a test; `n_permutations` gives a p-value."
        if chance is None else f"p = {chance.p_value:.2g} ({n_permutations} permutations of y)."]
    return {"clustering": cut.clustering, "value": cut.value, "level_value": cut.level_value,
            "level_k": cut.level_k, "measure": cut.measure,
            "p_value": None if chance is None else chance.p_value,
            "null": None if chance is None else chance.null, **kept}
