"""Bootstrap schemes: drawn objects, their weights, and draws from a prior.

Replicate b depends on `rng` and b only; the bagging estimators draw the same replicates from
the same seed.
"""

from __future__ import annotations

import numbers
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, check_whole, finite_array, frozen, shown
from .._types import RNG, ArrayLike, Prior, StrPath
from ..clusterings.object_table import as_objects
from ..results.records import Columns, Framed
from ..results.stored import readable
from ..results.writing import whole_file
from ..running.blas import one_thread
from ..running.random_numbers import Streams
from ..running.warnings import process_filter
from .prior import GaussianMixturePrior, as_sampler, sample_from

EFRON, BAYESIAN, SUBSAMPLE, PROPER = 0, 1, 2, 3


@lru_cache(maxsize=4)   # of a prior by its identity: it never changes
def _mixture(prior: GaussianMixturePrior) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cumulated weights, means and transposed roots."""
    return (np.cumsum(prior.weights)[:-1], np.array(prior.means),
            np.ascontiguousarray(prior.roots().transpose(0, 2, 1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """Scheme by which a replicate of n objects with d features is drawn.

    Attributes
    ----------
    code : int
        EFRON, BAYESIAN (Rubin), SUBSAMPLE or PROPER.
    n, d, m : int
        Objects, features, draws of a replicate.
    prior_weight : float
        Probability of a draw from the prior.
    fixed : int
        Exact number of such draws, or -1.
    shape : float
        Of the gamma numbers behind the weights.
    prior : GaussianMixturePrior or function (size, generator) -> points, optional
        PROPER: where such draws come from.
    """

    code: int
    n: int
    d: int
    m: int
    prior_weight: float = 0.0
    fixed: int = -1
    shape: float = 1.0
    prior: Any = None

    @property
    def weighted(self) -> bool:
        """True if the scheme draws weights."""
        return self.code in (BAYESIAN, PROPER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """Given draws of replicates from number `first` on.

    Attributes
    ----------
    source : (B, m) int64
    points : (B, m, d) float64, or (B, 0, d)
    weights : (B, m) float64
    """

    first: int
    source: np.ndarray
    points: np.ndarray
    weights: np.ndarray

    def rows(self, start: int, stop: int) -> Ready:
        """The draws of replicates `start` to `stop` - 1."""
        part = slice(start - self.first, stop - self.first)
        return Ready(first=start, source=self.source[part], points=self.points[part],
                     weights=self.weights[part])

    def one(self, b: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Replicate b, as `draw_one` gives it."""
        place = b - self.first
        return self.source[place], self.points[place], self.weights[place]


def draw_one(scheme: Scheme, rng: np.random.Generator
             ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One replicate: source (m,), -1 for the prior; points (m, d) or (0, d); weights (m,).

    Points are set where source is -1. Weights have the sum 1; ones where the scheme draws none.
    """
    n, d, m = scheme.n, scheme.d, scheme.m
    nothing = np.empty((0, d))
    if scheme.code == EFRON:
        return rng.integers(0, n, m), nothing, np.ones(m)
    if scheme.code == SUBSAMPLE:
        return np.sort(rng.choice(n, m, replace=False)), nothing, np.ones(m)
    if scheme.code == BAYESIAN:
        weights = rng.standard_exponential(n)
        return np.arange(n), nothing, weights / weights.sum()
    # Every number is drawn, used or not: curves over the prior's weight differ by it alone.
    source = rng.integers(0, n, m)
    prior = (rng.permutation(m) < scheme.fixed if scheme.fixed >= 0
             else rng.random(m) < scheme.prior_weight)
    source[prior] = -1
    if isinstance(scheme.prior, GaussianMixturePrior):
        cumulated, means, roots = _mixture(scheme.prior)
        component = np.searchsorted(cumulated, rng.random(m), side="right")
        points = rng.standard_normal((m, d))
        for k in range(means.shape[0]):
            at = np.flatnonzero(prior & (component == k))
            points[at] = means[k] + points[at] @ roots[k]
    elif prior.any():
        points = sample_from(scheme.prior, m, d, rng.spawn(1)[0])
    else:
        points = np.zeros((m, d))
    weights = rng.standard_gamma(scheme.shape, m)
    return source, points, weights / weights.sum()


def draw_block(scheme: Scheme, streams: Streams, first: int, last: int
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Replicates `first` to `last` - 1: source (B, m), points (B, m, d) or (1, 0, d), weights.

    Weights have one row of ones when the scheme draws none.
    """
    count, proper = last - first, scheme.code == PROPER
    source = np.empty((count, scheme.m), dtype=np.int64)
    points = np.empty((count if proper else 1, scheme.m if proper else 0, scheme.d))
    weights = np.ones((count if scheme.weighted else 1, scheme.m))
    with one_thread():
        for i in range(count):
            source[i], extra, weight = draw_one(scheme, streams.generator(first + i))
            if proper:
                points[i] = extra
            if scheme.weighted:
                weights[i] = weight
    return source, points, weights


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Source of the samples of replicates; picklable base of the tasks that use them.

    Attributes
    ----------
    x : (n, d) float64, or ObjectTable for a given clusterer
    scheme, streams
        How replicates are drawn, and from which random numbers.
    ready : Ready, optional
        Draws that are used instead; the random numbers are drawn nevertheless.
    """

    x: Any
    scheme: Scheme
    streams: Streams
    ready: Ready | None

    def part(self, start: int, stop: int) -> Drawing:
        """The part that a worker needs for replicates `start` to `stop` - 1."""
        return self if self.ready is None else replace(self, ready=self.ready.rows(start, stop))

    def draw(self, b: int
             ) -> tuple[np.random.Generator, np.ndarray, np.ndarray, np.ndarray]:
        """The generator of replicate b, behind its draws, and these as of `draw_one`."""
        rng = self.streams.generator(b)
        drawn = draw_one(self.scheme, rng)
        return rng, *(drawn if self.ready is None else self.ready.one(b))


def bootstrap_indices(n: int, n_resamples: int, *, rng: RNG = None) -> np.ndarray:
    """Draw n objects with replacement (Efron's bootstrap).

    Parameters
    ----------
    n : int
        Number of objects.
    n_resamples : int
        Number of replicates B.
    rng : None, int, SeedSequence or Generator

    Returns
    -------
    ndarray, shape (B, n), int64
        Objects 0, ..., n - 1.

    Raises
    ------
    ClusteringError
        If `n` or `n_resamples` is below 1.

    See Also
    --------
    subsample_indices, bayesian_bootstrap_weights, BaggedClustering

    Notes
    -----
    Row b depends on `rng` and b only. Time and memory O(B n). `BaggedClustering` with the same
    seed draws these rows.

    Theory: docs/theory/bagging.md.

    References
    ----------
    B. Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7 (1979).

    Examples
    --------
    >>> import softclust
    >>> softclust.bootstrap_indices(5, 2, rng=0)
    array([[4, 4, 0, 1, 3],
           [3, 3, 1, 1, 0]])
    """
    n, count = check_whole("n", n), check_whole("n_resamples", n_resamples)
    return draw_block(Scheme(code=EFRON, n=n, d=1, m=n), Streams(rng), 0, count)[0]


def subsample_indices(n: int, n_resamples: int, *, size: int | float = 0.5, rng: RNG = None
                      ) -> np.ndarray:
    """Draw some of the objects without replacement (subsampling).

    Parameters
    ----------
    n : int
        Number of objects.
    n_resamples : int
        Number of replicates B.
    size : int or float
        Number of objects per replicate, or their share in (0, 1] as a float, rounded, at least one.
    rng : None, int, SeedSequence or Generator

    Returns
    -------
    ndarray, shape (B, size), int64
        Different objects in increasing order; all sets of that size are equally likely.

    Raises
    ------
    ClusteringError
        If a number is out of range.

    See Also
    --------
    bootstrap_indices, resampled_clusterings

    Examples
    --------
    >>> import softclust
    >>> softclust.subsample_indices(6, 2, size=3, rng=0)
    array([[0, 3, 4],
           [2, 3, 5]])
    """
    n, count = check_whole("n", n), check_whole("n_resamples", n_resamples)
    m = sample_size(size, n)
    return draw_block(Scheme(code=SUBSAMPLE, n=n, d=1, m=m), Streams(rng), 0, count)[0]


def bayesian_bootstrap_weights(n: int, n_resamples: int, *, rng: RNG = None) -> np.ndarray:
    r"""Draw weights of all objects from Dirichlet(1, ..., 1) (Rubin's Bayesian bootstrap).

    Parameters
    ----------
    n : int
        Number of objects.
    n_resamples : int
        Number of replicates B.
    rng : None, int, SeedSequence or Generator

    Returns
    -------
    ndarray, shape (B, n), float64
        Weights >= 0, rows summing to 1.

    Raises
    ------
    ClusteringError
        If `n` or `n_resamples` is below 1.

    See Also
    --------
    proper_bayesian_bootstrap, bootstrap_indices, BaggedClustering

    Notes
    -----
    .. math:: w \sim \mathrm{Dirichlet}(1, \ldots, 1)

    Theory: docs/theory/bagging.md.

    References
    ----------
    D. B. Rubin, "The Bayesian bootstrap", Annals of Statistics 9 (1981) 130-134.

    Examples
    --------
    >>> import softclust
    >>> weights = softclust.bayesian_bootstrap_weights(3, 2, rng=0)
    >>> weights.round(3)
    array([[0.62 , 0.144, 0.236],
           [0.518, 0.247, 0.235]])
    """
    n, count = check_whole("n", n), check_whole("n_resamples", n_resamples)
    return draw_block(Scheme(code=BAYESIAN, n=n, d=1, m=n), Streams(rng), 0, count)[2]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BootstrapDraws(Framed):
    """Draws of B replicates, made in advance: for fitting, saving or use elsewhere.

    Attributes
    ----------
    points : (B, m, d) float64
        The points drawn.
    source : (B, m) int64
        Index of the object, or -1 for a point of the prior.
    weights : (B, m) float64
        Weights >= 0, one per draw; an object drawn twice has two.

    Notes
    -----
    ``to_frame()``: one row per draw, with the columns of `save` but the last.

    Examples
    --------
    >>> import softclust
    >>> draws = softclust.BootstrapDraws.from_indices([[0.0], [5.0]], [[0, 0], [1, 0]])
    >>> draws.points[1].ravel()
    array([5., 0.])
    """

    points: Annotated[np.ndarray, "f B m d finite"]
    source: Annotated[np.ndarray, "i B m >=-1"]
    weights: Annotated[np.ndarray, "f B m >=0"]

    def __post_init__(self) -> None:
        points = finite_array("points", self.points, 3)
        weights = finite_array("weights", self.weights, 2)
        source = np.array(self.source)
        if source.dtype.kind not in "iu":
            raise ClusteringError(f"source has type {source.dtype}; whole numbers are needed")
        if source.shape != points.shape[:2] or weights.shape != source.shape or not source.size:
            raise ClusteringError(
                f"points {points.shape}, source {source.shape} and weights {weights.shape} do not "
                "fit; (B, m, d), (B, m) and (B, m) are needed")
        if source.min() < -1:
            raise ClusteringError(f"source has the entry {source.min()}; indices of objects, or "
                                  "-1 for the prior, are needed")
        if weights.min() < 0:
            raise ClusteringError(f"weights has the entry {weights.min()}; numbers >= 0 are "
                                  "needed")
        empty = np.flatnonzero(weights.max(axis=1) == 0)
        if empty.size:
            raise ClusteringError(f"weights of replicate {empty[0]} are all 0; at least one must "
                                  "be positive")
        for name, value in (("points", points), ("source", source.astype(np.int64)),
                            ("weights", weights)):
            object.__setattr__(self, name, frozen(value))

    @property
    def n_resamples(self) -> int:
        """Number of replicates B."""
        return int(self.source.shape[0])

    @classmethod
    def from_indices(cls, X: ArrayLike, indices: ArrayLike) -> BootstrapDraws:
        """Make draws of objects only, each of weight 1/m, from `indices` (B, m)."""
        x = as_objects(X, minimum=1).numbers
        source = check_indices(indices, len(x))
        return cls(points=x[source], source=source,
                   weights=np.full(source.shape, 1 / source.shape[1]))

    @classmethod
    def from_weights(cls, X: ArrayLike, weights: ArrayLike) -> BootstrapDraws:
        """Make draws with every object once in each replicate, with the `weights` (B, n)."""
        x, weights = as_objects(X, minimum=1).numbers, finite_array("weights", weights, 2)
        if weights.shape[1] != x.shape[0]:
            raise ClusteringError(f"weights has shape {weights.shape}; (B, {x.shape[0]}) is "
                                  "needed, one weight per object")
        source = np.broadcast_to(np.arange(x.shape[0]), weights.shape)
        return cls(points=np.broadcast_to(x, (*weights.shape, x.shape[1])), source=source,
                   weights=weights)

    def save(self, path: StrPath) -> None:
        """Write a CSV file, one line per draw: replicate, draw, source, weight, x1, ..., xd, count.

        The last column is the number of replicates, so that `load` sees when some are missing.
        All other numbers count from 0; source is -1 for the prior. Numbers have all their digits:
        `load` gives back the same bits. R: ``read.csv(path)``.
        """
        with whole_file(path, encoding="ascii", newline="\n") as file:
            frame = self._frame().to_pandas().assign(n_resamples=self.n_resamples)
            frame.to_csv(file, index=False, lineterminator="\n")

    @classmethod
    def load(cls, path: StrPath) -> BootstrapDraws:
        """Read a file written by `save`."""
        with readable(path, "draws"), open(path, encoding="ascii") as file, process_filter(
                "ignore"):   # loadtxt's warning about no lines; told below
            header = [name.strip('" \n') for name in file.readline().split(",")]
            table = np.loadtxt(file, delimiter=",", ndmin=2)
        stated = None
        if header[-1] == "n_resamples" and table.size and table.shape[1] == len(header):
            stated, table, header = table[:, -1], table[:, :-1], header[:-1]
        expected = ["replicate", "draw", "source", "weight"]
        if header[:4] != expected or len(header) < 5 or (
                table.size and table.shape[1] != len(header)):
            raise ClusteringError(f"{path} has the columns {header[:6]}; "
                                  f"{', '.join(expected)}, x1, ... are needed")
        if not np.isfinite(table).all() or table[:, :2].min(initial=0) < 0:
            raise ClusteringError(f"{path} has an entry that is nan or infinite, or a negative "
                                  "number of a replicate or draw")
        source = table[:, 2] if table.size else table
        if (np.abs(source) >= 2**53).any() or (source != np.trunc(source)).any():
            raise ClusteringError(f"{path} has a source that is not a whole number; indices of "
                                  "objects, or -1 for the prior, are needed")
        count = int(table[:, 0].max()) + 1 if table.size else 0
        if not count or table.shape[0] % count:
            raise ClusteringError(f"{path} has {table.shape[0]} draws for {count} replicates; all "
                                  "replicates must have the same number")
        if stated is not None and (stated != count).any():
            raise ClusteringError(f"{path} has {count} of {stated[0]:g} replicates; it is cut off")
        m = table.shape[0] // count
        order = np.arange(count * m)
        if not (np.array_equal(table[:, 0], order // m) and np.array_equal(table[:, 1], order % m)):
            raise ClusteringError(f"{path} is not ordered by replicate and draw, or some are "
                                  "missing")
        return cls(points=table[:, 4:].reshape(count, m, -1),
                   source=table[:, 2].astype(np.int64).reshape(count, m),
                   weights=table[:, 3].reshape(count, m))

    def _frame(self) -> Columns:
        count, m, d = self.points.shape
        return Columns({
            "replicate": np.repeat(np.arange(count), m), "draw": np.tile(np.arange(m), count),
            "source": self.source.ravel(), "weight": self.weights.ravel(),
            **{f"x{j + 1}": self.points[:, :, j].ravel() for j in range(d)}})


def proper_bayesian_bootstrap(X: ArrayLike, *, prior: Prior, prior_weight: float,
                              n_resamples: int, sample_size: int | None = None,
                              prior_draws: Literal["random", "fixed"] = "random", rng: RNG = None
                              ) -> BootstrapDraws:
    r"""Draw from data and a prior, with Dirichlet weights (Muliere and Secchi's bootstrap).

    Parameters
    ----------
    X : array-like, shape (n, d)
        Objects.
    prior : GaussianMixturePrior, frozen scipy.stats distribution, or callable
        Source of the draws that are not objects; a function is called as (size, generator) and
        returns (size, d) points.
    prior_weight : float
        Weight w of the prior in [0, 1); a draw comes from it with probability w.
    n_resamples : int
        Number of replicates B.
    sample_size : int, optional
        Number of draws m per replicate; n by default.
    prior_draws : {"random", "fixed"}
        "fixed": exactly round(w m) draws come from the prior, at random positions.
    rng : None, int, SeedSequence or Generator

    Returns
    -------
    BootstrapDraws

    Raises
    ------
    ClusteringError
        If an argument is out of range, or the prior's points do not have the features of X.

    See Also
    --------
    bayesian_bootstrap_weights, BayesianBaggedClustering

    Notes
    -----
    .. math:: G = w F_0 + (1 - w) F_n, \quad w = \frac{k}{k + n}

    F_0 is the prior and F_n the distribution of the objects; k = w n/(1 - w) is the weight of the
    prior in objects. Draws are independent from G, and weights are Dirichlet(a, ..., a) with a =
    (n + k)/m. The weighted mean has expectation mean(G) and variance (a + 1)/(n + k + 1) Var(G): m
    = n inflates the variance of the exact Dirichlet-process posterior by 1 + (n + k)/m, and w = 0
    is not Rubin's bootstrap but has twice its variance; both agree for large m. An object is
    selected B (1 - w) m/n times on average.

    Replicate b depends on `rng` and b only. Time and memory O(B m d).

    Theory: docs/theory/bagging.md.

    References
    ----------
    P. Muliere, P. Secchi, "Bayesian nonparametric predictive inference and bootstrap techniques",
    Annals of the Institute of Statistical Mathematics 48 (1996) 663-673.

    Examples
    --------
    >>> import scipy.stats
    >>> import softclust
    >>> draws = softclust.proper_bayesian_bootstrap([[0.0], [1.0], [2.0]],
    ...                                             prior=scipy.stats.norm(9, 1),
    ...                                             prior_weight=0.5, n_resamples=2, sample_size=4,
    ...                                             rng=0)
    >>> draws.source
    array([[ 2, -1, -1,  0],
           [ 1, -1,  1,  0]])
    >>> draws.points[1].ravel().round(2)
    array([1.  , 9.42, 1.  , 0.  ])
    """
    x = as_objects(X, minimum=1).numbers
    n, d = x.shape
    sampler = as_sampler(prior, d)
    scheme = proper_scheme(n, d, sampler, prior_weight, sample_size, prior_draws)
    streams = Streams(rng)
    count = check_whole("n_resamples", n_resamples)
    return draws_of(x, scheme, streams, count)


def proper_scheme(n: int, d: int, sampler: Any, prior_weight: Any, sample_size: Any,
                  prior_draws: str) -> Scheme:
    """The proper Bayesian bootstrap of n objects, checked."""
    w = check_prior_weight(prior_weight)
    m = n if sample_size is None else check_whole("sample_size", sample_size)
    check_choice("prior_draws", prior_draws, ("random", "fixed"))
    return Scheme(code=PROPER, n=n, d=d, m=m, prior_weight=w, shape=n / (1 - w) / m,
                  fixed=round(w * m) if prior_draws == "fixed" else -1, prior=sampler)


def draws_of(x: np.ndarray, scheme: Scheme, streams: Streams, count: int) -> BootstrapDraws:
    """The first `count` replicates, complete with their points."""
    source, points, weights = draw_block(scheme, streams, 0, count)
    if scheme.code != PROPER:
        points = np.empty((*source.shape, x.shape[1]))
    if not scheme.weighted:
        weights = np.full(source.shape, 1 / scheme.m)
    drawn = source >= 0
    points[drawn] = x[source[drawn]]
    return BootstrapDraws(points=points, source=source, weights=weights)


# -- checks ---------------------------------------------------------------------------------
def check_prior_weight(value: Any) -> float:
    """`value` as a float in [0, 1)."""
    good = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not good or not 0.0 <= float(value) < 1.0:
        raise ClusteringError(f"prior_weight is {value!r}; a number in [0, 1) is needed (with 1 no "
                              "object would ever be drawn)")
    return float(value)


def check_share(name: str, value: Any) -> float:
    """`value` as a float in (0, 1]."""
    if not isinstance(value, numbers.Real) or not 0.0 < float(value) <= 1.0:
        raise ValueError(f"{name} is {shown(value)}; a number in (0, 1] is needed")
    return float(value)


def check_indices(indices: Any, n: int, name: str = "indices", axes: int = 2) -> np.ndarray:
    """Ready indices, (B, m) or (m,) int64, in 0, ..., n - 1."""
    array = np.asarray(indices)
    if array.ndim != axes or not array.size or array.dtype.kind not in "iu":
        raise ClusteringError(f"{name} has shape {array.shape} and type {array.dtype}; whole "
                              f"numbers of shape {'(B, m)' if axes == 2 else '(m,)'} are needed")
    if array.min() < 0 or array.max() >= n:
        raise ClusteringError(f"{name} goes from {array.min()} to {array.max()}; 0 to {n - 1} are "
                              "the positions of the objects in X")
    return np.ascontiguousarray(array, dtype=np.int64)


def sample_size(size: Any, n: int, name: str = "size") -> int:
    """Objects of a subsample, from a number or a share."""
    if isinstance(size, numbers.Real) and not isinstance(size, bool):
        whole = isinstance(size, numbers.Integral)
        if 0 < float(size) <= (n if whole else 1.0):
            return round(float(size)) if whole else max(1, round(float(size) * n))
    raise ClusteringError(f"{name} is {size!r}; a whole number in 1..{n} or a share in (0, 1] is "
                          "needed")
