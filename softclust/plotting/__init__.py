"""Charts of result records; needs the extra ``softclust[plot]`` (matplotlib).

Colours are from the Okabe-Ito palette and every difference of colour is also one of shape, so
the charts can be read in grey and by colour-blind readers.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "plot_comparison": "comparisons",
    "plot_comparisons": "comparisons",
    "plot_matrix": "matrix",
    "plot_against": "matrix",
    "plot_ranking": "ranking",
    "plot_chance": "chance",
    "plot_circles": "circles",
    "plot_clustering": "clusterings",
    "plot_objects": "objects",
    "plot_sizes": "shares",
    "plot_members": "shares",
    "plot_tabulation": "shares",
    "plot_alignment": "shares",
    "plot_contingency": "values",
    "plot_completion": "values",
    "plot_expected_index": "values",
    "plot_criterion": "values",
    "plot_instability": "values",
    "plot_pairwise_entropy": "values",
    "plot_matching": "matching",
    "plot_consensus": "matching",
    "plot_posterior": "posterior",
    "plot_ball": "posterior",
    "plot_reliability": "reliability",
    "plot_transport": "transport",
    "plot_roc": "roc",
    "plot_roc_errors": "roc",
    "plot_roc_subsets": "roc",
    "plot_prayatul": "prayatul",
    "plot_prayatul_table": "prayatul",
    "plot_prayatul_intervals": "prayatul",
    "plot_prayatul_objects": "values",
    "plot_prayatul_parts": "values",
    "plot_cluster_number": "selection",
    "plot_taxonomy": "selection",
    "plot_prediction_strength": "selection",
    "plot_coassociation": "stability",
    "plot_coassociation_matrix": "stability",
    "plot_cluster_stability": "stability",
    "plot_element_consistency": "stability",
    "plot_simplex": "simplex",
    "plot_tanglegram": "trees",
    "plot_dendrogram_curve": "trees",
    "plot_dendrogram_map": "trees",
    "plot_element_centric": "elements",
    "plot_flows": "flows",
    "pyplot": "figures",
    "save_figure": "figures",
    "without_window": "figures",
}

__all__ = [*_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
