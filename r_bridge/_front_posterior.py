"""Commands of the R package about posterior draws of partitions.

Draws come as a matrix with a draw per row, or as an array (chains, draws, objects); their labels
are names and are not shifted. Labels and positions that R gets count from 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import softclust as sc

from ._front import command, crossing, frame, from_one
from ._front_fitting import Options, checked

#: objects up to which the matrix of all pairs goes to R
_PAIRS = 500


def _draws(draws: Any) -> Any:
    """Whole numbers without gaps; R's NA arrives as nan or as an error of R."""
    return draws if isinstance(draws, sc.Ensemble) else np.asarray(draws)


@command
def posterior_partition(draws: Any, options: Options, seed: Any = None) -> dict[str, Any]:
    """`softclust.posterior_partition` with its frames."""
    given = checked(sc.posterior_partition, options, "sc_posterior_partition")
    found = sc.posterior_partition(_draws(draws), rng=seed, **given)
    clusters, objects = found.clusters(), found.objects()
    small = found.labels.size <= _PAIRS
    return {
        **crossing(found, "clustering loss a expected_loss bound gap optimal standard_error "
                   "n_draws n_distinct n_starts n_hits distances converged interrupted quality",
                   "labels"),
        "clusters": frame({"cluster": np.arange(len(clusters)) + 1.0,
                           **{name: clusters[name].to_numpy(dtype=float) for name in clusters}}),
        "objects": frame({"label": from_one(found.labels),
                          "loss": objects["loss"].to_numpy(dtype=float),
                          "own": objects["own"].to_numpy(dtype=float),
                          "other": objects["other"].to_numpy(dtype=float, na_value=np.nan) + 1.0,
                          "other_p": objects["other_p"].to_numpy(dtype=float)}),
        "matrix": found.matrix() if small else None}


@command
def expected_loss(estimates: Any, draws: Any, options: Options) -> np.ndarray:
    """`softclust.expected_loss`."""
    return sc.expected_loss(estimates, _draws(draws), **options)


@command
def credible_ball(center: Any, draws: Any, options: Options) -> dict[str, Any]:
    """`softclust.credible_ball`."""
    found = sc.credible_ball(center, _draws(draws), **options)
    return {**crossing(found, "loss level radius coverage n_inside n_draws distances", "center"),
            **{name: {"labels": from_one(bound.labels), "distance": bound.distance,
                      "n_clusters": bound.n_clusters, "counts": bound.counts}
               for name, bound in found.bounds.items()}}


@command
def partition_representatives(draws: Any, k: int, options: Options, seed: Any = None
                              ) -> dict[str, Any]:
    """`softclust.partition_representatives`."""
    given = checked(sc.partition_representatives, options, "sc_partition_representatives")
    found = sc.partition_representatives(_draws(draws), k, rng=seed, **given)
    return crossing(found, "weights distance within loss n_starts n_hits interrupted",
                    "labels assignment")


@command
def partition_core(draws: Any, options: Options, seed: Any = None) -> dict[str, Any]:
    """`softclust.partition_core`."""
    found = sc.partition_core(_draws(draws), rng=seed, **options)
    return crossing(found, "probability n_objects n_draws interrupted", "objects labels")
