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


class Streams:
    """Random numbers of replicates: child b serves replicate b.

    Parameters
    ----------
    random_state : None, int, SeedSequence, Generator or RandomState
        A Generator or RandomState moves on, so a second use gives other children.

    Notes
    -----
    `seed` is the b-th child that the root spawns.
    """

    def __init__(self, random_state: Any = None, name: str = "rng") -> None:
        if isinstance(random_state, np.random.SeedSequence):
            self.root = random_state
        elif random_state is None or isinstance(random_state, (int, np.integer)):
            as_generator(random_state, name)   # its message for negative numbers
            self.root = np.random.SeedSequence(
                None if random_state is None else int(random_state))
        else:
            generator = as_generator(random_state, name)
            words = generator.integers(0, 2**32, size=8, dtype=np.uint32)
            self.root = np.random.SeedSequence([int(w) for w in words])

    def own(self) -> np.random.Generator:
        """The root's own generator, for what is drawn once: the same at each call."""
        return np.random.default_rng(self.root)

    def seed(self, *key: int) -> np.random.SeedSequence:
        """Child b; or of several numbers, a child of a child."""
        return np.random.SeedSequence(self.root.entropy, pool_size=self.root.pool_size,
                                      spawn_key=(*self.root.spawn_key, *map(int, key)))

    def generator(self, *key: int) -> np.random.Generator:
        """A numpy Generator on child b."""
        return np.random.default_rng(self.seed(*key))
