"""Random generators: from the user's argument, one child per replicate."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .._checks import shown


def as_generator(rng: Any, name: str = "rng") -> np.random.Generator:
    """A Generator from None, a seed, a SeedSequence, a Generator or a legacy RandomState."""
    if isinstance(rng, np.random.Generator):
        return rng
    if isinstance(rng, np.random.RandomState):
        # Drawn from it, so that a shared RandomState moves on as in scikit-learn.
        return np.random.default_rng(rng.randint(0, 2**31, size=4))
    try:
        # Nested lists that contain themselves crash numpy: lists must be flat, of whole numbers.
        plain = rng is None or isinstance(rng, (int, np.integer, np.random.SeedSequence,
                                                np.random.BitGenerator)) or (
            isinstance(rng, np.ndarray) and rng.dtype.kind in "iu")
        return np.random.default_rng(rng if plain else [operator.index(word) for word in rng])
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} is {shown(rng)}; None, a whole number >= 0 or a numpy Generator "
                         "is needed") from None


def spawn(rng: np.random.Generator, count: int) -> list[np.random.Generator]:
    """`count` independent children: child b is for replicate b, whatever the schedule."""
    return list(rng.spawn(count))
