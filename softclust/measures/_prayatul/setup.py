"""What `prayatul` compares: three checked clusterings, noise dealt with, weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..._checks import ClusteringError, check_choice, check_weights, frozen, shown
from ..._warnings import warn
from ...clusterings import Clustering, HardClustering, as_clustering
from ...clusterings._objects import check_object_names

SIDES = ("truth", "primary", "alternative")
NOISE = ("cluster", "singletons", "drop")


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


def prepare(truth: Any, primary: Any, alternative: Any, weights: Any, names: Any, noise: str,
            noise_label: Any) -> Given:
    """Check everything; an error says which side is wrong."""
    check_choice("noise", noise, NOISE)
    called = check_names(names)
    g, p, q = (as_clustering(side, name=name)
               for side, name in zip((truth, primary, alternative), SIDES))
    _check_same_objects(g, p, q)
    n = g.n_objects
    w = None if weights is None else _check_weights(weights, n)
    noisy = [_noise(side, noise_label) for side in (p, q)]
    counts = tuple(0 if code is None else int(side.sizes[code])   # type: ignore[attr-defined]
                   for side, code in zip((p, q), noisy))
    positions = None
    if noise == "singletons":
        p, q = (_singletons(side, code) for side, code in zip((p, q), noisy))
    elif noise == "drop" and any(counts):
        dropped = np.zeros(n, dtype=bool)
        for side, code in zip((p, q), noisy):
            if code is not None:
                dropped |= side.codes == code   # type: ignore[attr-defined]
        positions = np.flatnonzero(~dropped)
        if positions.size < 2:
            raise ClusteringError(f'noise="drop" leaves {positions.size} of {n} objects; at least '
                                  '2 are needed: noise="cluster" or "singletons" keeps all')
        g, p, q = (side.subset(positions) for side in (g, p, q))
        w = None if w is None else frozen(w[positions])
    if w is not None and np.count_nonzero(w) < 2:
        raise ClusteringError(f"weights are positive for {np.count_nonzero(w)} objects; at least "
                              "2 are needed")
    return Given(sides=(g, p, q), names=called, n=g.n_objects, weights=w,
                 n_noise=(counts[0], counts[1]), n_dropped=n - g.n_objects, positions=positions)


def check_names(names: Any) -> tuple[str, str]:
    """Two names as strings."""
    if isinstance(names, str) or len(tuple(names)) != 2:
        raise ValueError(f"names={shown(names)}; two names, of primary and alternative, are needed")
    a, b = map(str, names)
    return a, b


def _check_same_objects(*sides: Clustering) -> None:
    counts = [side.n_objects for side in sides]
    if len(set(counts)) > 1:
        said = ", ".join(f"{name} has {n}" for name, n in zip(SIDES, counts))
        raise ClusteringError(f"{said} objects; three clusterings of the same objects are needed")
    if counts[0] < 2:
        raise ClusteringError("there is 1 object; at least 2 are needed to compare pairs")
    check_object_names(zip(SIDES, sides))


def _check_weights(weights: Any, n: int) -> np.ndarray:
    w = check_weights(weights, n)
    given = np.asarray(weights, dtype=np.float64)
    if w.max() != given.max():
        power = int(np.frexp(given.max())[1])
        warn(f"weights were divided by 2**{power}: their squares, the weights of pairs, "
             "would leave the range of numbers", UserWarning, stacklevel=4)
    return frozen(np.array(w))


def _noise(side: Clustering, label: Any) -> int | None:
    """Code of the noise label in a hard clustering; None where it does not occur."""
    if not isinstance(side, HardClustering):
        return None
    names = side.cluster_names
    try:
        code = names.index(label)
    except ValueError:
        return None
    # True equals 1 in Python, but is another label.
    return None if isinstance(names[code], bool) != isinstance(label, bool) else code


def _singletons(side: Clustering, code: int | None) -> Clustering:
    """Each object of cluster `code` in a cluster of its own."""
    if code is None:
        return side
    assert isinstance(side, HardClustering)
    labels = side.codes.astype(np.int64)
    noise = np.flatnonzero(labels == code)
    c = side.n_clusters
    labels[noise] = c + np.arange(noise.size)
    made = HardClustering(labels, n_clusters=c + noise.size, object_names=side.naming)
    return made
