"""Random generators: from what users give, one child per replicate."""

from __future__ import annotations

from typing import Any

import numpy as np


def as_generator(rng: Any, name: str = "rng") -> np.random.Generator:
    """A Generator from None, a seed, a SeedSequence, a Generator or a legacy RandomState."""
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, np.random.RandomState):
        # Drawn from it, so that a shared RandomState moves on as in scikit-learn.
        return np.random.default_rng(rng.randint(0, 2**31, size=4))
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is {rng!r}; None, a whole number >= 0 or a numpy Generator "
                         "is needed") from None


def spawn(rng: np.random.Generator, count: int) -> list[np.random.Generator]:
    """`count` independent children: child b serves replicate b, whatever the schedule."""
    return list(rng.spawn(count))
