"""Classes of other shapes than Gaussian: Prayatul paper and the ROC paper."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._random import as_generator
from ._dataset import Dataset, check_real, check_size, dataset

_PAPER = "paper"
_ANISO_SEED = 170
_ANISO = np.array([[0.6, -0.6], [-0.4, 0.8]])
_PRAYATUL = "A. Biswas, Prayatul matrix (2023)"
_ROC = "style of H. Aidos, R. P. W. Duin, A. Fred (2013), figure 2; the data are not public"


# -- the three sets of the Prayatul paper -----------------------------------------------------
def noisy_circles(n: int = 1500, *, factor: float = 0.5, noise: float = 0.05,
                  standardize: bool = True, rng: Any = _PAPER) -> Dataset:
    """A circle inside a circle; by default the Noisy Circles of the Prayatul paper.

    Parameters
    ----------
    n : int
        Number of objects, at least 2.
    factor : float
        Radius of the inner circle relative to the outer one, in [0, 1).
    noise : float
        Standard deviation of the noise on each coordinate.
    standardize : bool
        Whether features get mean 0 and variance 1, as in the paper.
    rng : "paper", None, int or Generator
        "paper": the stream that gives the paper's data.

    Returns
    -------
    Dataset
        Two features; class 0 is the outer circle, 1 the inner one. Order is random.

    Raises
    ------
    ClusteringError
        If a number is out of range.

    Notes
    -----
    The paper gives n = 1500 and noise .05. The factor, the standardisation and the seed (numpy's
    legacy generator, seed 0, of which these circles are the first draws) are inferred: with them
    the paper's tables are reached. Drawn by scikit-learn's `make_circles`.

    References
    ----------
    A. Biswas, "Prayatul Matrix for Evaluating Clustering Algorithms: A Direct Comparison
    Approach" (2023).

    Examples
    --------
    >>> import softclust as sc
    >>> sc.datasets.noisy_circles()
    Dataset('noisy circles', 1500 objects, 2 features, 2 classes)
    """
    n = check_size(n, 2)
    factor = check_real("factor", factor, 0.0, math.nextafter(1.0, 0.0))
    noise = check_real("noise", noise, 0.0)
    data, labels = _circles(n, factor, noise, _legacy(rng, 0))
    return dataset("noisy circles", _scaled(data, standardize), labels,
                   source=f"{_PRAYATUL}; scikit-learn make_circles")


def noisy_moons(n: int = 1500, *, noise: float = 0.05, standardize: bool = True,
                rng: Any = _PAPER) -> Dataset:
    """Two interleaved half circles; by default the Noisy Moons of the Prayatul paper.

    Parameters
    ----------
    n : int
        Number of objects, at least 2.
    noise : float
        Standard deviation of the noise on each coordinate.
    standardize : bool
        Whether features get mean 0 and variance 1, as in the paper.
    rng : "paper", None, int or Generator
        "paper": the stream that gives the paper's data.

    Returns
    -------
    Dataset
        Two features; class 0 is the upper moon, 1 the lower one. Order is random.

    Raises
    ------
    ClusteringError
        If a number is out of range.

    Notes
    -----
    Inferred as in `noisy_circles`: the moons are the draws that follow n circles from the same
    legacy stream. Drawn by scikit-learn's `make_moons`.

    References
    ----------
    As in `noisy_circles`.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.datasets.noisy_moons()
    Dataset('noisy moons', 1500 objects, 2 features, 2 classes)
    """
    from sklearn.datasets import make_moons
    n = check_size(n, 2)
    noise = check_real("noise", noise, 0.0)
    stream = _legacy(rng, 0)
    if _is_paper(rng):
        _circles(n, 0.5, 0.05, stream)
    data, labels = make_moons(n, noise=noise, random_state=stream)
    return dataset("noisy moons", _scaled(data, standardize), labels,
                   source=f"{_PRAYATUL}; scikit-learn make_moons")


def anisotropic_blobs(n: int = 1500, *, standardize: bool = True, rng: Any = _PAPER) -> Dataset:
    """Three sheared Gaussian blobs; by default the Aniso data of the Prayatul paper.

    Parameters
    ----------
    n : int
        Number of objects, at least 3.
    standardize : bool
        Whether features get mean 0 and variance 1, as in the paper.
    rng : "paper", None, int or Generator
        "paper": the stream that gives the paper's data. Otherwise the centres are random too.

    Returns
    -------
    Dataset
        Two features, three classes. Order is random.

    Raises
    ------
    ClusteringError
        If `n` is out of range.

    Notes
    -----
    scikit-learn's `make_blobs` times [[.6, -.6], [-.4, .8]], which the paper gives; its seed 170
    and the standardisation are inferred, as in `noisy_circles`.

    References
    ----------
    As in `noisy_circles`.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.datasets.anisotropic_blobs()
    Dataset('anisotropic blobs', 1500 objects, 2 features, 3 classes)
    """
    from sklearn.datasets import make_blobs
    n = check_size(n, 3)
    data, labels = make_blobs(n, random_state=_legacy(rng, _ANISO_SEED))
    return dataset("anisotropic blobs", _scaled(data @ _ANISO, standardize), labels,
                   source=f"{_PRAYATUL}; scikit-learn make_blobs, sheared")


def _circles(n: int, factor: float, noise: float, stream: Any) -> tuple[np.ndarray, np.ndarray]:
    from sklearn.datasets import make_circles
    data, labels = make_circles(n, factor=factor, noise=noise, random_state=stream)
    return data, labels


def _is_paper(rng: Any) -> bool:
    return isinstance(rng, str) and rng == _PAPER


def _legacy(rng: Any, seed: int) -> Any:
    """scikit-learn's generators draw from numpy's legacy stream."""
    if _is_paper(rng):
        return np.random.RandomState(seed)
    return np.random.RandomState(as_generator(rng).integers(2**32, dtype=np.uint32))


def _scaled(data: np.ndarray, standardize: bool) -> np.ndarray:
    if not standardize:
        return data
    from sklearn.preprocessing import StandardScaler
    return StandardScaler().fit_transform(data)


# -- shapes in the style of the ROC paper -----------------------------------------------------
def ring(n: int = 1000, *, radius: float = 3.0, width: float = 0.3, core: float = 0.6,
         rng: Any = None) -> Dataset:
    """A ring around a round Gaussian class.

    Parameters
    ----------
    n : int
        Number of objects, at least 2; half of them (rounded up) in the core.
    radius : float
        Mean radius of the ring.
    width : float
        Standard deviation of the distance of its objects from the circle.
    core : float
        Standard deviation of the core on each coordinate.
    rng : None, int or Generator

    Returns
    -------
    Dataset
        Two features; class 0 is the core, 1 the ring; ordered by class.

    Raises
    ------
    ClusteringError
        If a number is out of range.

    Notes
    -----
    A standard shape that centroid methods cannot separate. The ROC paper has two sets of 1000
    objects in the plane (image-1 with 7 classes, image-2 with 2) of which only these numbers are
    known; that one of them is a ring is **not** known. Everything here is softclust's choice.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.datasets.ring(rng=0)
    Dataset('ring', 1000 objects, 2 features, 2 classes)
    """
    n = check_size(n, 2)
    radius, width, core = (check_real(name, value, 0.0) for name, value in
                           (("radius", radius), ("width", width), ("core", core)))
    draw = as_generator(rng)
    outer = n // 2
    inside = core * draw.standard_normal((n - outer, 2))
    angle = draw.uniform(0.0, 2 * math.pi, outer)
    distance = radius + width * draw.standard_normal(outer)
    outside = distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return dataset("ring", np.vstack([inside, outside]), np.repeat([0, 1], [n - outer, outer]),
                   label_names=("core", "ring"), source=f"drawn; {_ROC}")


def bars(n: int = 400, *, gap: float = 0.02, rng: Any = None) -> Dataset:
    """Two bars side by side with uniform density.

    Parameters
    ----------
    n : int
        Number of objects, at least 2; half of them (rounded up) in the left bar.
    gap : float
        Empty space between the bars, in [0, 2).
    rng : None, int or Generator

    Returns
    -------
    Dataset
        Two features in [0, 2] x [0, 0.5]; ordered by class.

    Raises
    ------
    ClusteringError
        If a number is out of range.

    Notes
    -----
    The ROC paper's "barras-c3" has 400 objects and 2 classes, and its picture has the axes
    [0, 2] x [0, 0.5]; that is all that is known. The arrangement is inferred from its table of
    areas under the ROC curve (single, average, Ward's linkage: .139, .025, .010): side by side
    with a gap of .02 gives .04 to .21, .03 to .22, .02 to .22 over three draws, one above the
    other gives 0, .46, .46. Gap and uniform density are softclust's choice.

    References
    ----------
    H. Aidos, R. P. W. Duin, A. Fred, "The Area under the ROC Curve as a Criterion for Clustering
    Evaluation", ICPRAM 2013, 276-280.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.datasets.bars(rng=0)
    Dataset('bars', 400 objects, 2 features, 2 classes)
    """
    n = check_size(n, 2)
    gap = check_real("gap", gap, 0.0, math.nextafter(2.0, 0.0))
    right = n // 2
    labels = np.repeat([0, 1], [n - right, right])
    unit = as_generator(rng).uniform(size=(n, 2))
    width = (2.0 - gap) / 2
    data = np.column_stack([width * unit[:, 0] + (width + gap) * labels, 0.5 * unit[:, 1]])
    return dataset("bars", data, labels, label_names=("left", "right"), source=f"drawn; {_ROC}")


def semicircles(n: int = 500, *, radius: float = 3.0, noise: float = 0.15,
                rng: Any = None) -> Dataset:
    """Two interleaved half circles.

    Parameters
    ----------
    n : int
        Number of objects, at least 2; half of them (rounded up) on the upper one.
    radius : float
        Radius of both.
    noise : float
        Standard deviation of the noise on each coordinate.
    rng : None, int or Generator

    Returns
    -------
    Dataset
        Two features; class 0 is the upper half circle, about the origin, 1 the lower one, about
        (radius, radius / 2); ordered by class.

    Raises
    ------
    ClusteringError
        If a number is out of range.

    Notes
    -----
    The ROC paper's "semicircles" has 500 objects, 2 classes, an area of exactly 0 for single
    linkage, and a picture with the axes [-3, 7] x [-1.5, 3.5]. Inferred from the axes: the usual
    two moons times 3; complete linkage then has areas of .21 to .31 (printed .283). The noise and
    the uniform density are softclust's choice.

    References
    ----------
    As in `bars`.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.datasets.semicircles(rng=0)
    Dataset('semicircles', 500 objects, 2 features, 2 classes)
    """
    n = check_size(n, 2)
    radius = check_real("radius", radius, 0.0)
    noise = check_real("noise", noise, 0.0)
    draw = as_generator(rng)
    lower = n // 2
    labels = np.repeat([0, 1], [n - lower, lower])
    angle = draw.uniform(0.0, math.pi, n) + math.pi * labels
    middle = np.column_stack([radius * labels, radius / 2 * labels])
    data = middle + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return dataset("semicircles", data + noise * draw.standard_normal((n, 2)), labels,
                   label_names=("upper", "lower"), source=f"drawn; {_ROC}")
