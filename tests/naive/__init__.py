"""Naive oracles: every measure under its own name, by its definition, with loops.

Imports nothing of softclust.
"""

from .relational import (
    Masses,
    alpha_partition_dissimilarity,
    alpha_partition_interval,
    alpha_rand_curve,
    alpha_rand_index,
    alpha_rand_interval,
    credal_rand_index,
    evidential_masses,
    fuzzy_masses,
    hard_masses,
    pair_mass,
    pair_nonspecificity,
    pair_table,
    possibilistic_masses,
    r_alpha,
    relation,
    restriction,
    restriction_costs,
    rough_masses,
    transport,
)

__all__ = [
    "Masses",
    "alpha_partition_dissimilarity",
    "alpha_partition_interval",
    "alpha_rand_curve",
    "alpha_rand_index",
    "alpha_rand_interval",
    "credal_rand_index",
    "evidential_masses",
    "fuzzy_masses",
    "hard_masses",
    "pair_mass",
    "pair_nonspecificity",
    "pair_table",
    "possibilistic_masses",
    "r_alpha",
    "relation",
    "restriction",
    "restriction_costs",
    "rough_masses",
    "transport",
]
