"""Posterior draws of partitions: point estimate, its certificate, and uncertainty."""

PUBLIC = {
    "_losses": "expected_loss",
    "point": "posterior_partition",
    "ball": "credible_ball",
    "representatives": "partition_representatives",
    "core": "partition_core",
}
RECORDS = {
    "_record": "PosteriorPartition",
    "ball": "CredibleBall",
    "representatives": "PartitionRepresentatives",
    "core": "PartitionCore",
}
CHARTS = {"posterior_charts": "plot_posterior plot_ball plot_core plot_representatives"}
FEATURES = {"point": "posterior_partition"}


def warmup() -> None:
    """Estimate, cores and balls of posterior draws."""
    import numpy as np

    from .ball import credible_ball
    from .core import partition_core
    from .point import posterior_partition
    from .representatives import partition_representatives
    draws = np.random.default_rng(0).integers(0, 3, (40, 30))
    for loss in ("vi", "binder"):
        best = posterior_partition(draws, loss=loss, rng=0)
    posterior_partition(draws[[0, 0, 1]], loss="binder", rng=0)   # draws that weigh differently
    best.clusters()
    best.objects()
    credible_ball(best.clustering, draws)
    partition_core(draws)
    partition_representatives(draws, 2, rng=0)
