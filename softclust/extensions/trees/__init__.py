"""Dendrograms: one against classes (ROC curves over all numbers of clusters), two compared."""

PUBLIC = {
    "dendrogram": "Dendrogram as_dendrogram",
    "nested": "nested_rand_index adjusted_nested_rand_index level_agreement best_cut",
    "curve": "dendrogram_curve dendrogram_map",
    "whole_trees": "cophenetic_correlation cluster_set_distance dendrogram_element_centric",
    "proximities": "dendrogram_proximity",
    "orders": "untangle entanglement",
    "roc": "pair_roc tie_range pair_roc_partitions pair_roc_subsets",
}
RECORDS = {
    "nested": "LevelAgreement BestCut CutChance",
    "curve": "DendrogramCurve DendrogramMap",
    "orders": "TreeOrders",
    "roc_records": "PairRoc PairRocSubsets TieRange",
}
CHARTS = {"tree_charts": "plot_tanglegram plot_dendrogram_curve plot_dendrogram_map "
                         "plot_level_agreement plot_roc plot_roc_errors plot_roc_subsets "
                         "plot_tie_range"}


def warmup() -> None:
    """Compare dendrograms and cut them."""
    from ...clusterings import FuzzyClustering
    from .curve import dendrogram_curve
    from .orders import untangle
    from .proximities import dendrogram_proximity
    from .roc import pair_roc
    from .whole_trees import (
        cluster_set_distance,
        cophenetic_correlation,
        dendrogram_element_centric,
    )
    x = [[0, 1, 1.0], [2, 3, 1.5], [4, 5, 2.0]]
    y = [[1, 3, 1.0], [0, 2, 1.5], [4, 5, 2.0]]
    dendrogram_curve(x, y)
    for method in ("pearson", "spearman", "kendall"):
        cophenetic_correlation(x, y, method=method)
    for proximity in ("manhattan", "spectral"):
        dendrogram_proximity(x, y, method=proximity)
    cluster_set_distance(x, y)
    dendrogram_element_centric(x, y)
    untangle(x, y, rng=0)
    pair_roc([0, 0, 1, 1], x)
    pair_roc(
        FuzzyClustering([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]), x, expected=True)
