"""Mixtures of Gaussians: transport paper and bagging paper."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice
from .._random import as_generator
from ._dataset import Dataset, check_real, check_size, dataset

_TRIANGLE = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(3) / 2]])   # sides of length 1
_UNEQUAL = np.array([[[1.0, 0.5], [0.5, 1.0]], [[1.5, -0.4], [-0.4, 0.6]],
                     [[0.7, 0.0], [0.0, 1.4]]])

_R = 3 * math.sqrt(3) / 2
_CORNERS = [[1.5, 0.0], [-1.5, 0.0], [0.0, _R]]
#: sizes, centres and covariance of the six mixtures
_BBC: dict[int, tuple[list[int], list[list[float]], Any]] = {
    1: ([33, 33, 33], _CORNERS, np.eye(2)),
    2: ([99, 66, 33], _CORNERS, np.eye(2)),
    3: ([33, 33, 33], [[1.0, 0.0], [-1.0, 0.0], [0.0, math.sqrt(3)]], np.eye(2)),
    4: ([33, 33, 33], _CORNERS, np.array([[1.0, 0.25], [0.25, 1.0]])),
    5: ([66] * 5, [[3.0, 0.0], [0.0, 3.0], [-3.0, 0.0], [0.0, -3.0], [0.0, 0.0]], 0.75 * np.eye(2)),
    6: ([66] * 4, [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]],
        np.eye(3)),
}


def overlapping_gaussians(n: int = 10_000, *, separation: float = 2.0, covariance: str = "equal",
                          rng: Any = 42) -> Dataset:
    """Three overlapping Gaussian classes in the plane, for the transport paper's experiment.

    Parameters
    ----------
    n : int
        Number of objects, at least 3.
    separation : float
        Side of the triangle of class means, >= 0.
    covariance : {"equal", "unequal"}
        "equal": thirds of the objects with covariance I (the first class takes the remainder).
        "unequal": shares .4, .3, .3 with three different covariances.
    rng : None, int or Generator
        42 by default.

    Returns
    -------
    Dataset
        Two features, three classes, ordered by class.

    Raises
    ------
    ClusteringError
        If `n` or `separation` is out of range.
    ValueError
        If `covariance` is not known.

    Notes
    -----
    The paper states 10,000 objects, two features, three classes of a Gaussian mixture with a
    large probability of overlap, and neither means nor covariances nor a seed. All of these are
    softclust's choice: means (0, 0), (s, 0), (s/2, s sqrt(3)/2). With s = 2 and equal
    covariances the Bayes error is .255. Claims about this experiment are claims about these data.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux, "A general framework for evaluating and comparing soft
    clusterings", Information Sciences 623 (2023) 70-93, section 5.2.

    Examples
    --------
    >>> import softclust as sc
    >>> data = sc.datasets.overlapping_gaussians(600)
    >>> data
    Dataset('overlapping Gaussians', 600 objects, 2 features, 3 classes)
    >>> data.data[0].round(4)
    array([ 0.3047, -1.04  ])
    """
    n = check_size(n, 3)
    separation = check_real("separation", separation, 0.0)
    check_choice("covariance", covariance, ("equal", "unequal"))
    rest = n // 3 if covariance == "equal" else round(0.3 * n)
    labels = np.repeat([0, 1, 2], [n - 2 * rest, rest, rest])
    noise = as_generator(rng).standard_normal((n, 2))
    if covariance == "unequal":
        noise = _shaped(noise, np.linalg.cholesky(_UNEQUAL)[labels])
    return dataset("overlapping Gaussians", (separation * _TRIANGLE)[labels] + noise, labels,
                   source="drawn; setting of Campagner, Ciucci, Denoeux (2023), section 5.2, with "
                          "softclust's own means and covariances")


def bbc_gaussians(number: int, rng: Any = None) -> Dataset:
    """One of the six Gaussian mixtures of the Bayesian bagged clustering paper.

    Parameters
    ----------
    number : int
        1 to 6.
    rng : None, int or Generator
        The paper gives no seed.

    Returns
    -------
    Dataset
        Ordered by class. With R = 3 sqrt(3)/2:

        1. 33, 33, 33 objects about (1.5, 0), (-1.5, 0), (0, R), covariance I
        2. 99, 66, 33 objects, as 1
        3. 33, 33, 33 objects about (1, 0), (-1, 0), (0, sqrt 3), covariance I
        4. as 1 with covariance [[1, .25], [.25, 1]]
        5. five classes of 66 about (+-3, 0), (0, +-3), (0, 0), covariance .75 I
        6. four classes of 66 about four corners of a cube of side 2, covariance I, 3 features

    Raises
    ------
    ClusteringError
        If `number` is not 1 to 6.

    Notes
    -----
    The paper's own draws are not public: compare distributions over many draws, not cells.

    References
    ----------
    F. M. Quetti, S. Figini, E. Ballante, "A Bayesian approach to clustering via the proper
    Bayesian bootstrap: the Bayesian Bagged Clustering (BBC) algorithm", Table 3.

    Examples
    --------
    >>> import softclust as sc
    >>> sc.datasets.bbc_gaussians(2, rng=0)
    Dataset('BBC mixture 2', 198 objects, 2 features, 3 classes)
    """
    if isinstance(number, bool) or number not in _BBC:
        raise ClusteringError(f"number is {number!r}; the mixtures have the numbers 1 to 6")
    sizes, centers, covariance = _BBC[number]
    labels = np.repeat(np.arange(len(sizes)), sizes)
    noise = as_generator(rng).standard_normal((labels.shape[0], len(centers[0])))
    noise = _shaped(noise, np.linalg.cholesky(covariance))
    return dataset(f"BBC mixture {number}", np.array(centers)[labels] + noise, labels,
                   source=f"drawn; Quetti, Figini, Ballante, Table 3, data set {number}")


def _shaped(noise: np.ndarray, root: np.ndarray) -> np.ndarray:
    """Rows of standard normal noise times the Cholesky root of their covariance."""
    return (root * noise[:, None, :]).sum(axis=-1)
