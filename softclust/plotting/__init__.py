"""Charts of result records; needs the extra ``softclust[plot]`` (matplotlib).

Colours are from the Okabe-Ito palette and every difference of colour is also one of shape, so
the charts can be read in grey and by colour-blind readers.
"""

from .._lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    "comparisons": "plot_comparison plot_comparisons",
    "matrix": "plot_matrix plot_against",
    "ranking": "plot_ranking",
    "sampled_truth": "plot_sampled_truth",
    "strata": "plot_strata",
    "chance": "plot_chance",
    "circles": "plot_circles",
    "clusterings": "plot_clustering",
    "objects": "plot_objects",
    "shares": "plot_sizes plot_members plot_tabulation plot_alignment plot_core "
              "plot_representatives",
    "values": "plot_contingency plot_completion plot_expected_index plot_criterion "
              "plot_instability plot_pairwise_entropy plot_prayatul_objects plot_prayatul_parts "
              "plot_tie_range",
    "matching": "plot_matching plot_consensus plot_medoid",
    "posterior": "plot_posterior plot_ball",
    "reliability": "plot_reliability",
    "transport": "plot_transport",
    "roc": "plot_roc plot_roc_errors plot_roc_subsets",
    "prayatul": "plot_prayatul plot_prayatul_table plot_prayatul_intervals",
    "selection": "plot_cluster_number plot_taxonomy plot_prediction_strength",
    "stability": "plot_coassociation plot_coassociation_matrix plot_cluster_stability "
                 "plot_element_consistency",
    "simplex": "plot_simplex",
    "trees": "plot_tanglegram plot_dendrogram_curve plot_dendrogram_map",
    "elements": "plot_element_centric",
    "flows": "plot_flows",
    "explanation": "plot_explanation plot_influence",
    "figures": "pyplot save_figure without_window",
})
