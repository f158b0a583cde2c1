"""Multidimensional scaling of interval dissimilarities: every object becomes a circle."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError, check_whole, finite_array, frozen, named_keywords
from .._types import RNG, ArrayLike
from ..results.records import POSITION, Columns, Drawn, Record
from ..results.summary import SummaryTable
from ..results.text import number, position, value
from ..running.blas import controller
from ..running.random_numbers import as_generator, spawn
from ..running.warnings import warn
from .interval_checks import check_intervals, check_weights

#: stresses this close (largest dissimilarity and weight 1) count as equal: the earliest start wins
TIE = 1e-15
#: projected gradient, in the same units, up to which a failed line search counts as converged
CERTIFICATE = 1e-6
#: maximum number of pairs that `summary()` shows
SHOWN = 30
#: normalised stress of a good fit, and of a sketch
GOOD, SKETCH = 0.02, 0.1


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class IntervalMDS(Drawn, Record):
    """Circles whose smallest and largest distances fit interval dissimilarities.

    Made by `interval_mds`. Position shows similarity, the sum of two radii half the width of an
    interval. A single radius is a part of these widths, not a property of its object.

    Attributes
    ----------
    names : tuple of str
        One per circle.
    centers : ndarray, shape (n, p)
        Centres on their principal axes, mean 0, in the units of the dissimilarities.
    radii : ndarray, shape (n,)
        Radii >= 0, in the same units. Only sums of two radii are fitted, to half the widths of
        intervals, together with the positions: an object with wide intervals to all others tends to
        have a large radius, but an unambiguous one may get a radius as well.
    stress : float
        Raw stress E >= 0, in squared units.
    normalized_stress : float
        E / sum of w (L^2 + U^2), without unit; 0 when that sum is 0.
    lower, upper, weights : ndarray, shape (n, n)
        The intervals and weights that were fitted.
    fitted_lower, fitted_upper : ndarray, shape (n, n)
        Smallest and largest distances between points of two circles; diagonal 0.
    stresses : ndarray, shape (n_init,)
        Raw stress reached from each start.
    best_start : int
        The start that was kept; 0 is the deterministic one.
    n_iter : int
        Iterations of that start.
    converged : bool
        True if that start ended at a stationary point.
    sentence : str
        How to read the circles, the one that is farthest from the others, and the fit.

    Notes
    -----
    ``to_frame()``: one row per circle: coordinates of its centre and its radius. Indexed by name:
    x1, ..., xp, radius.

    Examples
    --------
    >>> import softclust
    >>> circles = softclust.interval_mds([[0, 3], [3, 0]], [[0, 5], [5, 0]], rng=0)
    >>> circles
    IntervalMDS(2 circles in 2 dimensions, stress 0.0000)
    >>> circles.radii
    array([0.5, 0.5])
    >>> softclust.interval_mds([[0, 3], [3, 0]], [[0, 5], [5, 0]]).to_frame()["radius"].tolist()
    [0.5, 0.5]
    >>> print(softclust.interval_mds([[0, 3], [3, 0]], [[0, 5], [5, 0]]).summary())
    Circles of 2 things in 2 dimensions: stress 0.0000, normalised 0.0000
    ...
    """

    _chart = "plot_circles"

    names: Annotated[tuple[str, ...], "distinct"]
    centers: Annotated[np.ndarray, "f names p finite"]
    radii: Annotated[np.ndarray, "f names >=0 finite"]
    stress: float
    normalized_stress: float
    lower: Annotated[np.ndarray, "f names names"]
    upper: Annotated[np.ndarray, "f names names"]
    weights: Annotated[np.ndarray, "f names names"]
    fitted_lower: Annotated[np.ndarray, "f names names"]
    fitted_upper: Annotated[np.ndarray, "f names names"]
    stresses: Annotated[np.ndarray, "f s"]
    best_start: Annotated[int, "<stresses"] = field(metadata=POSITION)
    n_iter: int
    converged: bool

    def __repr__(self) -> str:
        n, p = self.centers.shape
        return (f"IntervalMDS({n} circle{'s' if n != 1 else ''} in {p} "
                f"dimension{'s' if p != 1 else ''}, stress {number(self.stress)})")

    @property
    def sentence(self) -> str:
        """Reading of the circles, the one that is farthest from the others, and the fit."""
        far = self.names[int(self.center_distances.mean(axis=1).argmax())]
        stress = self.normalized_stress
        return ("Near circles are alike: an interval runs from the nearest to the farthest points "
                f"of two circles. Farthest from the others is {far}. The normalised stress is "
                f"{value(stress)} (0 is a perfect fit" + (
                    "; this is a good one)." if stress < GOOD else
                    "; read it as a sketch)." if stress > SKETCH else ")."))

    @property
    def center_distances(self) -> np.ndarray:
        """Distances between centres, (n, n): the only feature of the positions that is fitted."""
        return _distances(self.centers)

    def _frame(self) -> Columns:
        return Columns({f"x{q + 1}": column for q, column in enumerate(self.centers.T)}
                       | {"radius": self.radii}, {"name": self.names})

    def _table(self) -> SummaryTable:
        n, p = self.centers.shape
        i, j = np.triu_indices(n, 1)
        lows = self.fitted_lower[i, j] - self.lower[i, j]
        highs = self.fitted_upper[i, j] - self.upper[i, j]
        order = np.argsort(-self.weights[i, j] * (lows**2 + highs**2), kind="stable")
        rows = [[self.names[i[k]], self.names[j[k]],
                 _interval_text(self.lower[i[k], j[k]], self.upper[i[k], j[k]]),
                 _interval_text(self.fitted_lower[i[k], j[k]], self.fitted_upper[i[k], j[k]]),
                 number(lows[k]), number(highs[k])] for k in order[:SHOWN]]
        return SummaryTable(
            rows or [["", "", "", "", "", ""]],
            ["first", "second", "given", "fitted", "low residual", "high residual"],
            aligns="llrrrr", notes=_notes(self, len(order)),
            title=f"Circles of {n} thing{'s' if n != 1 else ''} in {p} "
                  f"dimension{'s' if p != 1 else ''}: stress {number(self.stress)}, normalised "
                  f"{number(self.normalized_stress)}")


@named_keywords
def interval_mds(lower: ArrayLike, upper: ArrayLike, *, n_components: int = 2, n_init: int = 50,
                 weights: ArrayLike | None = None,
                 init: IntervalMDS | tuple[ArrayLike, ArrayLike] | None = None,
                 names: Iterable[str] | None = None, tol: float = 1e-12, max_iter: int = 5000,
                 rng: RNG = None) -> IntervalMDS:
    r"""Find circles whose smallest and largest distances approximate interval dissimilarities.

    Parameters
    ----------
    lower, upper : array-like, shape (n, n)
        Symmetric matrices with zero diagonal, 0 <= lower <= upper; values above 1 are allowed. Row
        names of a DataFrame are used.
    n_components : int
        Number of dimensions p, at most n - 1 (2 is always allowed).
    n_init : int
        Number of starts >= 1: one is deterministic, the others are random. The stress has local
        minima; one start is seldom enough.
    weights : array-like, shape (n, n), optional
        Symmetric weights >= 0 of the pairs; 1 by default, 0 leaves a pair out.
    init : IntervalMDS or (centers, radii), optional
        Start in place of the deterministic one: arrays (n, p) and (n,).
    names : sequence of str, optional
        One per object; by default the row names of `lower`, else "0", "1", ...
    tol : float
        A run stops when no entry of the projected gradient exceeds 100 tol, or an iteration
        lowers the stress by less than tol / 1000, in units of the largest upper bound and the
        largest weight.
    max_iter : int
        Maximum number of iterations of each run.
    rng : None, int or Generator
        Seed or generator for the random starts; each start has its own child generator.

    Returns
    -------
    IntervalMDS
        The run with the lowest stress, the earliest among equals; centres on principal axes.
        Undefined up to rotation and reflection, so compare distances, never coordinates. One
        object: centre 0, radius 0. Two objects: stress 0, and each radius is half the width of
        the interval (only their sum is determined).

    Raises
    ------
    ClusteringError
        If a matrix is not as above (the message names the first offending pair), or an option is
        out of range.

    Warns
    -----
    ConvergenceWarning
        If the run that is kept did not converge.

    See Also
    --------
    compare_all

    Notes
    -----
    .. math::

        \min \sum_{i<j} w_{ij} (l_{ij}^2 + u_{ij}^2), \quad
        l_{ij} = L_{ij} - \max(0, D_{ij} - r_i - r_j), \quad
        u_{ij} = U_{ij} - D_{ij} - r_i - r_j

    D_ij is the distance between the centres of i and j, r_i the radius of i, L and U the given
    matrices. The stress is minimised by L-BFGS-B with r >= 0 and the exact gradient. The
    deterministic start is classical scaling of (L + U)/2, with radii from least squares of r_i +
    r_j = (U - L)_ij / 2. Time O(n^2 p) for one evaluation, memory O(n^2). The same input and seed
    give the same bits, for any number of threads.

    R: ``smds::IMDS(idiss, model = "sphere", opt.method = "MM")`` agrees when both take the best
    of many starts; its "BFGS" uses a wrong gradient. The optimiser and the start of the article
    are not known here: the model is the same, the search is softclust's.

    Theory: docs/theory/circles.md.

    References
    ----------
    T. Denoeux, M. Masson, "Multidimensional scaling of interval-valued dissimilarity data",
    Pattern Recognition Letters 21 (2000) 83-92.

    Examples
    --------
    >>> import softclust
    >>> lower = [[0, 2, 3], [2, 0, 4], [3, 4, 0]]
    >>> upper = [[0, 4, 5], [4, 0, 6], [5, 6, 0]]
    >>> circles = softclust.interval_mds(lower, upper, rng=0)
    >>> circles.radii.round(4)
    array([0.5, 0.5, 0.5])
    >>> circles.center_distances.round(4)[0]
    array([0., 3., 4.])
    """
    called = _names(lower, names)
    low, high = check_intervals(lower, upper)
    n = low.shape[0]
    called = called or tuple(str(i) for i in range(n))
    if len(called) != n:
        raise ClusteringError(f"names has {len(called)} names for {n} objects; give one each")
    w = check_weights(weights, n)
    for name, count in (("n_components", n_components), ("n_init", n_init), ("max_iter", max_iter)):
        check_whole(name, count)
    if n_components > max(n - 1, 2):
        raise ClusteringError(f"n_components is {n_components} for {n} objects; at most "
                              f"{max(n - 1, 2)}")
    if not (tol > 0.0 and math.isfinite(tol)):
        raise ClusteringError(f"tol is {tol!r}; a finite number > 0 is needed")
    unit, heavy = float(high.max()) or 1.0, float(w.max()) or 1.0
    if not math.isfinite(float(n) ** 2 * 8.0 * unit * unit * heavy):
        raise ClusteringError(f"upper has an entry of size {unit:.3g} and the largest weight is "
                              f"{heavy:.3g}; their squares must stay finite: divide lower and "
                              "upper by one constant, and weights by another")
    scaled = low / unit, high / unit, w / heavy
    # Classical scaling of the midpoints; radii by least squares of r_i + r_j = half width.
    p = n_components
    squares = ((scaled[0] + scaled[1]) / 2) ** 2
    middle = squares.mean(axis=0)
    values, vectors = np.linalg.eigh((middle[:, None] + middle - squares - middle.mean()) / 2)
    keep, centers = min(n, p), np.zeros((n, p))
    scale = np.sqrt(np.maximum(values[::-1][:keep], 0.0))
    centers[:, :keep] = vectors[:, ::-1][:, :keep] * scale
    radii = initial_radii(*scaled[:2])
    starts: list[tuple[np.ndarray, Any]] = [(centers, radii)]
    if init is not None:
        if isinstance(init, IntervalMDS):
            init = init.centers, init.radii
        if not isinstance(init, (tuple, list)) or len(init) != 2:
            raise ClusteringError("init must be an IntervalMDS or a pair (centers, radii)")
        first, widths = finite_array("init", init[0], 2), finite_array("init", init[1], 1)
        if first.shape != (n, p) or widths.shape != (n,) or (widths < 0.0).any():
            raise ClusteringError(
                f"init has centers of shape {first.shape} and radii of shape {widths.shape}; "
                f"({n}, {p}) and ({n},) are needed, with radii >= 0")
        starts = [(first / unit, widths / unit)]
    # Random starts; radii alternately those of the first and uniform.
    top = float(scaled[1].max())
    for k, child in enumerate(spawn(as_generator(rng), n_init - 1)):
        drawn = child.normal(scale=top / 2, size=(n, p))
        uniform = child.uniform(0.0, top / 4, size=n)
        starts.append((drawn, uniform if k % 2 else radii))
    with controller().limit(limits=1, user_api="blas"):
        # L-BFGS-B calls BLAS on tiny matrices: threads only wait for each other there.
        runs = [_minimise(*scaled, *start, tol, max_iter) for start in starts]
    smallest = min(run[2] for run in runs)
    best = next(k for k, run in enumerate(runs) if run[2] <= smallest + TIE)
    centers, radii, _, n_iter, converged = runs[best]
    if not converged:
        from sklearn.exceptions import ConvergenceWarning
        warn(f"interval_mds stopped after max_iter={max_iter} iterations or in a failed "
             "line search; raise max_iter or n_init", ConvergenceWarning, stacklevel=2)
    centers, radii = _aligned(centers) * unit, radii * unit
    distances, sums = _distances(centers), radii[:, None] + radii
    fitted_lower, fitted_upper = np.maximum(0.0, distances - sums), distances + sums
    np.fill_diagonal(fitted_upper, 0.0)
    stress = stress_and_gradient(low, high, w, centers, radii)[0]
    stresses = np.array([run[2] for run in runs]) * (unit**2 * heavy)
    whole = float(np.triu(w * (low**2 + high**2), 1).sum())
    return IntervalMDS(
        names=called, centers=frozen(centers), radii=frozen(radii), stress=stress,
        normalized_stress=stress / whole if whole > 0.0 else 0.0, lower=frozen(low),
        upper=frozen(high), weights=frozen(w), fitted_lower=frozen(fitted_lower),
        fitted_upper=frozen(fitted_upper), stresses=frozen(stresses), best_start=best,
        n_iter=n_iter, converged=converged)


# -- the search -------------------------------------------------------------------------------
def stress_and_gradient(lower: np.ndarray, upper: np.ndarray, weights: np.ndarray,
                        centers: np.ndarray, radii: np.ndarray
                        ) -> tuple[float, np.ndarray, np.ndarray]:
    """Raw stress E with its derivatives by centre (n, p) and by radius (n,).

    Where two centres coincide the direction of their distance is undefined: these terms are 0.
    """
    weights = np.triu(weights, 1)   # each pair once
    steps = centers.T[:, :, None] - centers.T[:, None, :]   # a matrix for each coordinate
    distances, sums = np.sqrt((steps * steps).sum(axis=0)), radii[:, None] + radii
    gap = distances - sums
    low, high = lower - np.maximum(gap, 0.0), upper - (distances + sums)
    stress = float((weights * (low * low + high * high)).sum())
    low[gap <= 0.0] = 0.0   # the smallest distance of overlapping circles does not change
    turn = -2.0 * weights * (high - low)
    pull = np.divide(-2.0 * weights * (high + low), distances, out=np.zeros_like(distances),
                     where=distances > 0.0)
    pull += pull.T
    by_center = np.einsum("ij,qij->iq", pull, steps)
    return stress, by_center, turn.sum(axis=1) + turn.sum(axis=0)


def _minimise(low: np.ndarray, high: np.ndarray, w: np.ndarray, centers: np.ndarray,
              radii: np.ndarray, tol: float, max_iter: int
              ) -> tuple[np.ndarray, np.ndarray, float, int, bool]:
    """Centres, radii, stress, iterations, and True if the run ended at a stationary point."""
    from scipy.optimize import minimize
    n, p = centers.shape

    def parts(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return z[:n * p].reshape(n, p), z[n * p:]

    def objective(z: np.ndarray) -> tuple[float, np.ndarray]:
        stress, by_center, by_radius = stress_and_gradient(low, high, w, *parts(z))
        return stress, np.concatenate([by_center.ravel(), by_radius])

    # Radii stay variables with a bound: r = rho^2 would make r = 0 a spurious resting point.
    solution = minimize(
        objective, np.concatenate([centers.ravel(), radii]), jac=True, method="L-BFGS-B",
        bounds=[(None, None)] * (n * p) + [(0.0, None)] * n,
        options={"ftol": tol / 1000, "gtol": 100 * tol, "maxcor": 30, "maxfun": 50_000,
                 "maxiter": max_iter})
    centers, radii = (np.array(part) for part in parts(solution.x))
    converged = solution.status == 0
    if solution.status == 2:
        # The line search of L-BFGS-B gives up where rounding hides any further descent: at a
        # stationary point, or at a kink of the stress (coincident centres).
        gradient = objective(solution.x)[1]
        gradient[n * p:][(solution.x[n * p:] <= 0.0) & (gradient[n * p:] > 0.0)] = 0.0
        near = _distances(centers)[np.triu_indices(n, 1)]
        converged = bool(np.abs(gradient).max() < CERTIFICATE or (near < CERTIFICATE).any())
    return centers, radii, float(solution.fun), int(solution.nit), converged


def initial_radii(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Radii that fit the half widths in least squares, cut at 0."""
    n = low.shape[0]
    half = (high - low) / 2
    if n <= 2:
        return half.sum(axis=1) / 2
    sums = half.sum(axis=1)
    return np.maximum(0.0, (sums - sums.sum() / (2 * (n - 1))) / (n - 2))


def _aligned(centers: np.ndarray) -> np.ndarray:
    """Centres with mean 0 on principal axes; the largest entry of each axis is positive."""
    moved = centers - centers.mean(axis=0)
    vectors = np.linalg.eigh(moved.T @ moved)[1][:, ::-1]
    turned = np.ascontiguousarray(moved @ vectors)
    largest = turned[np.abs(turned).argmax(axis=0), np.arange(turned.shape[1])]
    return turned * np.where(largest < 0.0, -1.0, 1.0)


def _distances(centers: np.ndarray) -> np.ndarray:
    return np.sqrt(((centers[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2))


# -- checks -----------------------------------------------------------------------------------
def _names(lower: Any, names: Iterable[str] | None) -> tuple[str, ...]:
    if isinstance(names, str):
        raise ClusteringError(f"names is the string {names!r}; a list of names is needed")
    if names is None and hasattr(lower, "index") and hasattr(lower, "columns"):
        names = lower.index
    return () if names is None else tuple(map(str, names))


# -- the table --------------------------------------------------------------------------------
def _interval_text(low: float, high: float) -> str:
    return f"[{number(low)}, {number(high)}]"


def _notes(scaled: IntervalMDS, n_pairs: int) -> list[str]:
    notes = [f"Best of {scaled.stresses.shape[0]} starts (number {position(scaled.best_start)}, "
             f"{scaled.n_iter} iterations). Positions are defined up to rotation and reflection."]
    if n_pairs > SHOWN:
        notes.append(f"The {SHOWN} pairs with the worst fit, of {n_pairs}.")
    i, j = np.triu_indices(scaled.radii.shape[0], 1)
    if n_pairs and not scaled.lower[i, j].any():
        notes.append("Note: every lower bound is 0, so many arrangements fit equally well: "
                     "positions carry no information.")
    elif n_pairs and np.mean(scaled.fitted_lower[i, j] == 0.0) > 0.5:
        notes.append("Note: more than half of the pairs of circles overlap; the distances between "
                     "their centres are weakly determined.")
    if not scaled.converged:
        notes.append("Note: the run did not converge; raise max_iter or n_init.")
    return notes
