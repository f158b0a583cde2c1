"""Any clustering as a short list of focal sets with masses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ._base import Clustering


def focal_masses(clustering: Clustering) -> tuple[np.ndarray, np.ndarray]:
    """Focal sets (f, c) bool that occur, the empty one included, and masses (n, f)."""
    x = clustering.to_evidential(focal_sets="occurring")
    return x.focal_sets, x.mass
