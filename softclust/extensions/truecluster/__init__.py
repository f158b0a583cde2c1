"""Truecluster: votes of many clusterings, matched as they come in, and how reliable they are."""

PUBLIC = {
    "multiple_match": "mmcc",
    "multiple_match_clustering": "MultipleMatchClustering",
    "reliability": "reliability_simulation load_reliability_simulation",
}
RECORDS = {"reliability": "ReliabilitySimulation"}
CHARTS = {"truecluster_charts": "plot_reliability"}
CRITERIA = ("information",)


def warmup() -> None:
    """Simulate two samples."""
    from .reliability import reliability_simulation
    reliability_simulation([0.2], [0.5], rng=1, n_resamples=4, n_objects=12)
