"""What `prayatul` compares: three checked clusterings, noise dealt with, weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import ClusteringError, check_weights, frozen, shown
from ..._warnings import warn
from ...clusterings import Aligned, Clustering, align
from ...clusterings.objects import check_indexes

if TYPE_CHECKING:
    from ..._types import Objects

SIDES = ("truth", "primary", "alternative")


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Checked input; `sides` is None when it was a table of counts."""

    sides: tuple[Clustering, Clustering, Clustering] | None
    names: tuple[str, str]
    n: int
    weights: np.ndarray | None
    n_noise: tuple[int, int] = (0, 0)
    n_dropped: int = 0
    positions: np.ndarray | None = None
    alignment: Aligned | None = None

    @property
    def kinds(self) -> tuple[str, str, str]:
        """Kinds of truth, primary, alternative."""
        if self.sides is None:
            return "hard", "hard", "hard"
        g, p, q = (side.kind for side in self.sides)
        return g, p, q

    @property
    def object_names(self) -> tuple[Any, ...] | None:
        """Names of the objects, from the first side that has some."""
        if self.sides is None:
            return None
        return next((s.object_names for s in self.sides if s.object_names is not None), None)

    def swapped(self) -> Given:
        """Primary and alternative exchanged."""
        sides = None if self.sides is None else (self.sides[0], self.sides[2], self.sides[1])
        return replace(self, sides=sides, names=(self.names[1], self.names[0]),
                       n_noise=(self.n_noise[1], self.n_noise[0]))


def prepare(truth: Any, primary: Any, alternative: Any, weights: Any, names: Any, noise: Any,
            noise_label: Any, missing: Any = "raise", objects: Objects = "same") -> Given:
    """Check everything, with noise dealt with; an error says which side is wrong.

    The truth's noise is a class; `noise` is for primary and alternative.
    """
    called = check_names(names)
    found = align(truth, primary, alternative, noise=("cluster", *_pair(noise)),
                  noise_label=noise_label, missing=missing, objects=objects, names=SIDES)
    w = None
    if weights is not None:
        w = _check_weights(weights, found.n_given[0])
        check_indexes((("truth", truth), ("weights", weights)))
        if (found.positions[0] < 0).any():
            raise ClusteringError("weights are those of the objects of truth, which lacks some of "
                                  'the others; objects="common" leaves these out')
        w = frozen(w[found.positions[0]])
        if np.count_nonzero(w) < 2:
            raise ClusteringError(f"weights are positive for {np.count_nonzero(w)} objects; at "
                                  "least 2 are needed")
    g, p, q = found
    changed = found.n_dropped > 0 or objects != "same"
    return Given(sides=(g, p, q), names=called, n=found.n_objects, weights=w,
                 n_noise=(found.n_noise[1], found.n_noise[2]), n_dropped=found.n_dropped,
                 positions=found.positions[0] if changed else None,
                 alignment=found if found.changed else None)


def _pair(noise: Any) -> tuple[Any, Any]:
    """A policy for primary and alternative, from one for both or two."""
    if not isinstance(noise, tuple):
        return noise, noise
    if len(noise) != 2:
        raise ClusteringError(f"noise is a tuple of {len(noise)}; one policy, or one each for "
                              "primary and alternative, is needed")
    return noise[0], noise[1]


def check_names(names: Any) -> tuple[str, str]:
    """Two names as strings."""
    if isinstance(names, str) or len(tuple(names)) != 2:
        raise ValueError(f"names={shown(names)}; two names, of primary and alternative, are needed")
    a, b = map(str, names)
    return a, b


def _check_weights(weights: Any, n: int) -> np.ndarray:
    w = check_weights(weights, n)
    given = np.asarray(weights, dtype=np.float64)
    if w.max() != given.max():
        power = int(np.frexp(given.max())[1])
        warn(f"weights were divided by 2**{power}: their squares, the weights of pairs, "
             "would leave the range of numbers", UserWarning, stacklevel=4)
    return frozen(np.array(w))
