"""Classes of other shapes than Gaussian: Prayatul paper and the ROC paper."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice
from .._types import RNG
from ..running.random_numbers import as_generator
from ._dataset import Dataset, check_real, check_size, dataset

_PAPER: Literal["paper"] = "paper"
_ANISO_SEED = 170
_ANISO = np.array([[0.6, -0.6], [-0.4, 0.8]])
_PRAYATUL = "A. Biswas, Prayatul matrix (2023)"
_ROC = "style of H. Aidos, R. P. W. Duin, A. Fred (2013), figure 2; the data are not public"


# -- the three sets of the Prayatul paper -----------------------------------------------------
def noisy_circles(n: int = 1500, *, factor: float = 0.5, noise: float = 0.05,
                  standardize: bool = True, rng: RNG | Literal["paper"] = _PAPER) -> Dataset:
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
        Scale features to mean 0 and variance 1, as in the paper.
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
    >>> import softclust
    >>> softclust.datasets.noisy_circles()
    Dataset('noisy circles', 1500 objects, 2 features, 2 classes)
    """
    n = check_size(n, 2)
    factor = check_real("factor", factor, math.nextafter(1.0, 0.0))
    noise = check_real("noise", noise)
    data, labels = _circles(n, factor, noise, _legacy(rng, 0))
    return dataset("noisy circles", _scaled(data, standardize), labels,
                   source=f"{_PRAYATUL}; scikit-learn make_circles")


def noisy_moons(n: int = 1500, *, noise: float = 0.05, standardize: bool = True,
                rng: RNG | Literal["paper"] = _PAPER) -> Dataset:
    """Two interleaved half circles; by default the Noisy Moons of the Prayatul paper.

    Parameters
    ----------
    n : int
        Number of objects, at least 2.
    noise : float
        Standard deviation of the noise on each coordinate.
    standardize : bool
        Scale features to mean 0 and variance 1, as in the paper.
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
    >>> import softclust
    >>> softclust.datasets.noisy_moons()
    Dataset('noisy moons', 1500 objects, 2 features, 2 classes)
    """
    from sklearn.datasets import make_moons
    n = check_size(n, 2)
    noise = check_real("noise", noise)
    stream = _legacy(rng, 0)
    if _is_paper(rng):
        _circles(n, 0.5, 0.05, stream)
    data, labels = make_moons(n, noise=noise, random_state=stream)
    return dataset("noisy moons", _scaled(data, standardize), labels,
                   source=f"{_PRAYATUL}; scikit-learn make_moons")


def anisotropic_blobs(n: int = 1500, *, standardize: bool = True,
                      rng: RNG | Literal["paper"] = _PAPER) -> Dataset:
    """Three sheared Gaussian blobs; by default the Aniso data of the Prayatul paper.

    Parameters
    ----------
    n : int
        Number of objects, at least 3.
    standardize : bool
        Scale features to mean 0 and variance 1, as in the paper.
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
    >>> import softclust
    >>> softclust.datasets.anisotropic_blobs()
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
         rng: RNG = None) -> Dataset:
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
    >>> import softclust
    >>> softclust.datasets.ring(rng=0)
    Dataset('ring', 1000 objects, 2 features, 2 classes)
    """
    n = check_size(n, 2)
    radius, width, core = (check_real(name, value) for name, value in
                           (("radius", radius), ("width", width), ("core", core)))
    draw = as_generator(rng)
    outer = n // 2
    inside = core * draw.standard_normal((n - outer, 2))
    angle = draw.uniform(0.0, 2 * math.pi, outer)
    distance = radius + width * draw.standard_normal(outer)
    outside = distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return dataset("ring", np.vstack([inside, outside]), np.repeat([0, 1], [n - outer, outer]),
                   label_names=("core", "ring"), source=f"drawn; {_ROC}")


def bars(n: int = 400, *, gap: float = 0.02, rng: RNG = None) -> Dataset:
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
    >>> import softclust
    >>> softclust.datasets.bars(rng=0)
    Dataset('bars', 400 objects, 2 features, 2 classes)
    """
    n = check_size(n, 2)
    gap = check_real("gap", gap, math.nextafter(2.0, 0.0))
    right = n // 2
    labels = np.repeat([0, 1], [n - right, right])
    unit = as_generator(rng).uniform(size=(n, 2))
    width = (2.0 - gap) / 2
    data = np.column_stack([width * unit[:, 0] + (width + gap) * labels, 0.5 * unit[:, 1]])
    return dataset("bars", data, labels, label_names=("left", "right"), source=f"drawn; {_ROC}")


def semicircles(n: int = 500, *, radius: float = 3.0, noise: float = 0.15, rng: RNG = None
                ) -> Dataset:
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
    >>> import softclust
    >>> softclust.datasets.semicircles(rng=0)
    Dataset('semicircles', 500 objects, 2 features, 2 classes)
    """
    n = check_size(n, 2)
    radius = check_real("radius", radius)
    noise = check_real("noise", noise)
    draw = as_generator(rng)
    lower = n // 2
    labels = np.repeat([0, 1], [n - lower, lower])
    angle = draw.uniform(0.0, math.pi, n) + math.pi * labels
    middle = np.column_stack([radius * labels, radius / 2 * labels])
    data = middle + radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return dataset("semicircles", data + noise * draw.standard_normal((n, 2)), labels,
                   label_names=("upper", "lower"), source=f"drawn; {_ROC}")


# -- mixtures of Gaussians: transport paper and bagging paper -------------------------------------
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


def overlapping_gaussians(n: int = 10_000, *, separation: float = 2.0,
                          covariance: Literal["equal", "unequal"] = "equal", rng: RNG = 42
                          ) -> Dataset:
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
    >>> import softclust
    >>> data = softclust.datasets.overlapping_gaussians(600)
    >>> data
    Dataset('overlapping Gaussians', 600 objects, 2 features, 3 classes)
    >>> data.data[0].round(4)
    array([ 0.3047, -1.04  ])
    """
    n = check_size(n, 3)
    separation = check_real("separation", separation)
    check_choice("covariance", covariance, ("equal", "unequal"))
    rest = n // 3 if covariance == "equal" else round(0.3 * n)
    labels = np.repeat([0, 1, 2], [n - 2 * rest, rest, rest])
    noise = as_generator(rng).standard_normal((n, 2))
    if covariance == "unequal":
        noise = _shaped(noise, np.linalg.cholesky(_UNEQUAL)[labels])
    return dataset("overlapping Gaussians", (separation * _TRIANGLE)[labels] + noise, labels,
                   source="drawn; setting of Campagner, Ciucci, Denoeux (2023), section 5.2, with "
                          "softclust's own means and covariances")


def bbc_gaussians(number: int, rng: RNG = None) -> Dataset:
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
    >>> import softclust
    >>> softclust.datasets.bbc_gaussians(2, rng=0)
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


# -- measured data --------------------------------------------------------------------------------
#: of the flowers in their order: length and width of sepals, length and width of petals
_MILLIMETRES = """
    51/35/14/2 49/30/14/2 47/32/13/2 46/31/15/2 50/36/14/2 54/39/17/4 46/34/14/3 50/34/15/2
    44/29/14/2 49/31/15/1 54/37/15/2 48/34/16/2 48/30/14/1 43/30/11/1 58/40/12/2 57/44/15/4
    54/39/13/4 51/35/14/3 57/38/17/3 51/38/15/3 54/34/17/2 51/37/15/4 46/36/10/2 51/33/17/5
    48/34/19/2 50/30/16/2 50/34/16/4 52/35/15/2 52/34/14/2 47/32/16/2 48/31/16/2 54/34/15/4
    52/41/15/1 55/42/14/2 49/31/15/2 50/32/12/2 55/35/13/2 49/36/14/1 44/30/13/2 51/34/15/2
    50/35/13/3 45/23/13/3 44/32/13/2 50/35/16/6 51/38/19/4 48/30/14/3 51/38/16/2 46/32/14/2
    53/37/15/2 50/33/14/2

    70/32/47/14 64/32/45/15 69/31/49/15 55/23/40/13 65/28/46/15 57/28/45/13 63/33/47/16
    49/24/33/10 66/29/46/13 52/27/39/14 50/20/35/10 59/30/42/15 60/22/40/10 61/29/47/14
    56/29/36/13 67/31/44/14 56/30/45/15 58/27/41/10 62/22/45/15 56/25/39/11 59/32/48/18
    61/28/40/13 63/25/49/15 61/28/47/12 64/29/43/13 66/30/44/14 68/28/48/14 67/30/50/17
    60/29/45/15 57/26/35/10 55/24/38/11 55/24/37/10 58/27/39/12 60/27/51/16 54/30/45/15
    60/34/45/16 67/31/47/15 63/23/44/13 56/30/41/13 55/25/40/13 55/26/44/12 61/30/46/14
    58/26/40/12 50/23/33/10 56/27/42/13 57/30/42/12 57/29/42/13 62/29/43/13 51/25/30/11
    57/28/41/13

    63/33/60/25 58/27/51/19 71/30/59/21 63/29/56/18 65/30/58/22 76/30/66/21 49/25/45/17
    73/29/63/18 67/25/58/18 72/36/61/25 65/32/51/20 64/27/53/19 68/30/55/21 57/25/50/20
    58/28/51/24 64/32/53/23 65/30/55/18 77/38/67/22 77/26/69/23 60/22/50/15 69/32/57/23
    56/28/49/20 77/28/67/20 63/27/49/18 67/33/57/21 72/32/60/18 62/28/48/18 61/30/49/18
    64/28/56/21 72/30/58/16 74/28/61/19 79/38/64/20 64/28/56/22 63/28/51/15 61/26/56/14
    77/30/61/23 63/34/56/24 64/31/55/18 60/30/48/18 69/31/54/21 67/31/56/24 69/31/51/23
    58/27/51/19 68/32/59/23 67/33/57/25 67/30/52/23 63/25/50/19 65/30/52/20 62/34/54/23
    59/30/51/18
"""


def load_iris() -> Dataset:
    """Anderson's iris flowers: 50 of each of three species, four lengths in cm.

    Returns
    -------
    Dataset
        150 objects, 4 features, 3 species, in the order setosa, versicolor, virginica.

    Notes
    -----
    The numbers of scikit-learn, which follow Fisher's paper; the copy of the UCI repository differs
    in two flowers.

    References
    ----------
    R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7
    (1936) 179-188.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> iris
    Dataset('iris', 150 objects, 4 features, 3 classes)
    >>> iris.label_names
    ('setosa', 'versicolor', 'virginica')
    """
    rows = [row.split("/") for row in _MILLIMETRES.split()]
    return dataset(
        "iris", np.array(rows, dtype=np.float64) / 10.0, np.repeat(np.arange(3), 50),
        feature_names=("sepal length (cm)", "sepal width (cm)", "petal length (cm)",
                       "petal width (cm)"),
        label_names=("setosa", "versicolor", "virginica"),
        source="E. Anderson (1935), R. A. Fisher (1936); as in scikit-learn",
    )
