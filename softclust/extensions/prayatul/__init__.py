"""Prayatul: two clusterings compared with a truth directly, pair by pair and object by object.

`prayatul` has the functions; the other modules have the inputs, counts, rates and inference.
"""

PUBLIC = {"prayatul": "prayatul prayatul_from_counts prayatul_all"}
RECORDS = {
    "result": "PrayatulResult PrayatulTable",
    "per_object": "PrayatulObjects PrayatulParts",
    "inference": "PrayatulIntervals",
}
CHARTS = {"prayatul_charts": "plot_prayatul plot_prayatul_table plot_prayatul_intervals "
                             "plot_prayatul_objects plot_prayatul_parts"}


def warmup() -> None:
    """Compare two clusterings with a truth object by object."""
    import numpy as np

    from .prayatul import prayatul
    rng = np.random.default_rng(0)
    truth, soft = rng.integers(0, 3, 600), rng.dirichlet(np.ones(3), 600)
    prayatul(truth, soft, soft[::-1].copy()).objects()
    prayatul(truth, soft, truth, coupling="minimum", zero_division=0.0)
