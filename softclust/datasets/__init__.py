"""Data sets with known classes and their provenance: iris, and generators of the papers' data;
covers from files.

Functions that make data return a `Dataset`. Generators take ``rng=``: the same seed gives the
same bits.
"""

from ._covers import read_cover
from ._dataset import Dataset
from ._gaussians import bbc_gaussians, overlapping_gaussians
from ._iris import load_iris
from ._shapes import anisotropic_blobs, bars, noisy_circles, noisy_moons, ring, semicircles

__all__ = [
    "Dataset",
    "load_iris",
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
