"""Data sets with their provenance: iris, customers, generators of the papers' data, and covers from
files.

Functions that make data return a `Dataset`. Generators take ``rng=``: the same seed gives the
same bits.
"""

from ._dataset import Dataset, customers_file, read_cover
from ._shapes import (
    anisotropic_blobs,
    bars,
    bbc_gaussians,
    load_iris,
    noisy_circles,
    noisy_moons,
    overlapping_gaussians,
    ring,
    semicircles,
)

__all__ = [
    "Dataset",
    "load_iris",
    "customers_file",
    "read_cover",
    "overlapping_gaussians",
    "bbc_gaussians",
    "noisy_circles",
    "noisy_moons",
    "anisotropic_blobs",
    "ring",
    "bars",
    "semicircles",
]
