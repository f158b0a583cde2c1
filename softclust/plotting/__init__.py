"""Charts of results; needs the extra ``softclust[plot]`` (matplotlib).

Colours are from the Okabe-Ito palette and every difference of colour is also one of shape, so
the charts can be read in grey and by colour-blind readers. In all heat maps darker blue is more
alike and darker orange is more disagreement. Sizes of text follow ``matplotlib.rcParams``.
"""

from ..extensions import declared
from ..running.lazy import lazy

__all__, __getattr__, __dir__ = lazy(__name__, {
    "comparisons": "plot_comparison plot_comparisons plot_against plot_ranking plot_chance "
                   "plot_sampled_truth plot_strata plot_batch_effect",
    "matrix": "plot_matrix plot_contingency plot_matching plot_pairwise_entropy plot_versions",
    "objects": "plot_objects plot_circles",
    "clusterings": "plot_clustering plot_simplex plot_sizes plot_members plot_tabulation "
                   "plot_alignment plot_consensus plot_element_centric",
    "flows": "plot_flows plot_explanation",
    "values": "plot_criterion plot_instability plot_medoid plot_influence",
    "selection": "plot_cluster_number plot_taxonomy plot_prediction_strength plot_cluster_test "
                 "plot_separation_test plot_replication plot_settings",
    "runs": "plot_coassociation plot_coassociation_matrix plot_cluster_stability "
            "plot_element_consistency",
    "figures": "pyplot save_figure without_window",
    **{f".{module}": names for module, names in declared("CHARTS").items()},
})
