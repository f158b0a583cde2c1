"""Direct comparison of two clusterings against a truth: the Prayatul matrix.

A. Biswas, "Prayatul Matrix for Evaluating Clustering Algorithms: A Direct Comparison Approach"
(2023). For each pair of objects, the primary and the alternative clustering are right if they join
or separate it as the truth does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import permutations
from typing import Any, Literal

import numpy as np

from ..._checks import ClusteringError, check_choice, check_weights, frozen, shown
from ..._types import (
    ArrayLike,
    ClusteringLike,
    EnsembleLike,
    FrameLike,
    MissingRules,
    NoiseRules,
    Objects,
)
from ...clusterings import Aligned, Clustering, Ensemble, align, as_clustering
from ...clusterings.alignment import Policies, settled
from ...clusterings.ensemble import parts_of
from ...clusterings.objects import names_in, ordered
from ...running.threads import Progress, progress_bar
from ...running.warnings import listening, warn
from ...tables.frame_sides import frame_columns
from .counts import hard_triple, triple_of_table
from .inference import PrayatulIntervals
from .per_object import (
    OUTCOMES,
    PrayatulObjects,
    PrayatulParts,
    bounded,
    measured,
)
from .result import PrayatulResult, PrayatulTable

__all__ = ["PrayatulIntervals", "PrayatulObjects", "PrayatulParts",
           "PrayatulResult", "PrayatulTable", "prayatul", "prayatul_all", "prayatul_from_counts"]

COUPLINGS = ("expected", "minimum", "evidential")
EMPTY = ("unknown", "normalise")
_SIDES = ("truth", "primary", "alternative")


def prayatul(truth: ClusteringLike, primary: ClusteringLike, alternative: ClusteringLike, *,
             data: FrameLike | None = None,
             coupling: Literal["expected", "minimum", "evidential"] = "expected",
             noise: NoiseRules = None, noise_label: Any = -1,
             missing: MissingRules = "raise", objects: Objects = "same",
             empty: Literal["unknown", "normalise"] = "unknown", zero_division: float = math.nan,
             weights: ArrayLike | None = None, names: tuple[str, str] = ("primary", "alternative"),
             progress: Progress | bool | None = False) -> PrayatulResult:
    r"""Compare two clusterings directly against a truth: the Prayatul matrix.

    Parameters
    ----------
    truth, primary, alternative : clustering-like
        Anything `as_clustering` takes, of the same n >= 2 objects. Hard or fuzzy, in any
        combination; with coupling="evidential" a hard truth and any kinds.
    data : data frame, optional
        Frame in which truth, primary, alternative and weights are names of columns.
    coupling : {"expected", "minimum", "evidential"}
        How soft clusterings are right about a pair (no difference for hard ones). "expected": the
        expectation of the matrix when every object's label is drawn independently in each
        clustering; a soft clustering then differs from itself. "minimum": each pair is as alike as
        the memberships allow, so that a soft clustering equals itself. "evidential": a pair is
        right, wrong or unknown, by the masses; results are bounds.
    noise, noise_label, missing, objects : optional
        How to treat noise in primary and alternative (one policy, or two) and missing labels, and
        how to match objects, as in `align`. In the truth the noise label is a class like any other;
        "unknown" and "empty" need coupling="evidential".
    empty : {"unknown", "normalise"}
        With coupling="evidential", the meaning of mass on the empty set: unknown, or divided out.
    zero_division : float
        Value of an undefined (0/0) measure; nan comes with a warning. 0.0 is the author's
        convention (then xi_e = 2 xi_c - 1 fails where no pair is right).
    weights : array-like, shape (n,), optional
        Weights >= 0 of the objects; the weight of a pair is their product.
    names : (str, str)
        Names of primary and alternative in tables and charts; with `data` those of their columns.
    progress : bool or callable, optional
        For long soft computations: True for a progress bar, or a function (done, total).

    Returns
    -------
    PrayatulResult
        ``.matrix`` (2, 2), the counts (exact integers for hard clusterings), the five measures,
        ``delta``; ``.objects()``, ``.parts()``, ``.jackknife()``, ``.bootstrap()``,
        ``.summary()``, ``.to_frame()``, ``.plot()``. With coupling="evidential"
        the matrix is 3 x 3 and each count and measure an `Interval`.

    Raises
    ------
    ClusteringError
        If the objects differ or are fewer than 2, a kind does not suit the coupling, weights are
        negative or not finite, or (empty="normalise") an object has all its mass on the empty
        set.

    Warns
    -----
    UndefinedMeasureWarning
        comparative_deviation is 0/0 exactly when primary and alternative are the same partition;
        comparative_rightness and effective_rightness when no pair is right in either.

    See Also
    --------
    prayatul_all, prayatul_from_counts, rank_clusterings

    Notes
    -----
    .. math::

        \sigma = \frac{RW - WR}{RW + WR}, \quad \alpha = \frac{BR + RW - BW}{T}, \quad \varphi =
        \frac{BR + RW - WR}{T}

    Counts of pairs [eq. 1-4]: BR both right, RW only the primary right, WR only the alternative
    right, BW both wrong, T in all. Measures [eq. 5-9]: comparative deviation sigma, polarization
    alpha and effective superiority phi as above, comparative rightness xi_c = (BR + RW)/(BR + RW +
    WR), effective rightness xi_e = (BR + RW - WR)/(BR + RW + WR).

    With a and b the Rand indices of the truth with primary and alternative, and c that of primary
    with alternative: sigma = (a - b)/(1 - c), alpha = (3a + b - c - 1)/2, xi_c = 2a/(1 + a + b -
    c), xi_e = 2 xi_c - 1, phi = (3a - b + c - 1)/2, delta = a - b. So at most four of them are
    different, and all five order two clusterings as the Rand index does; the matrix, `objects` and
    `parts` say more. They are not corrected for chance. If the alternative is the truth they
    reduce to the Rand index: alpha = xi_c = a, xi_e = phi = 2a - 1.

    Not symmetric (exchanging primary and alternative transposes the matrix) and invariant under
    relabelling. Time O(n + cells) for hard clusterings, from three contingency tables; O(n c c')
    for "expected"; O(n^2 c) for "minimum", in blocks that answer Ctrl-C, memory O(n); O(n f f' +
    r f f' (f + f')) for "evidential" with r classes. Intervals come from objects, never from
    McNemar's test on pairs: see `PrayatulResult.jackknife`. No R equivalent is known.

    Theory: docs/theory/prayatul.md.

    References
    ----------
    A. Biswas, "Prayatul Matrix for Evaluating Clustering Algorithms: A Direct Comparison
    Approach" (2023). Theorems 2 (scale invariance), 3 (class imbalance) and 6 (continuity), and
    parts of 5 (monotonicity), do not hold as stated.

    Examples
    --------
    >>> import softclust
    >>> truth = ["a", "a", "a", "b", "b", "b"]
    >>> result = softclust.prayatul(truth, [0, 0, 0, 1, 1, 0], [0, 1, 0, 1, 0, 1])
    >>> result
    PrayatulResult(both_right=4, right_wrong=6, wrong_right=3, both_wrong=2, delta=0.2000)
    >>> result.comparative_deviation, result.objects().advantage.round(1)
    (0.3333333333333333, array([ 0.2,  0.6,  0.2,  0.2,  0.6, -0.6]))
    """
    check_choice("coupling", coupling, COUPLINGS)
    check_choice("empty", empty, EMPTY)
    zero = _check_zero(zero_division)
    if data is not None:
        if tuple(names) == _SIDES[1:]:
            names = str(primary), str(alternative)
        truth, primary, alternative, weights = frame_columns(
            data, [truth, primary, alternative, weights])
    sides, facts = _prepare(truth, primary, alternative, weights, names, noise, noise_label,
                            missing, objects)
    if coupling == "evidential":
        return _evidential(sides, facts, empty, progress)
    return _result(_triple(sides, facts, coupling, progress), facts, zero)


def prayatul_from_counts(table: ArrayLike, *, zero_division: float = math.nan,
                         names: tuple[str, str] = ("primary", "alternative")) -> PrayatulResult:
    """Compute the Prayatul matrix from counts of objects by class and clusters.

    For data counted elsewhere: in a database, or in parts that do not fit in memory (tables of
    parts can be added).

    Parameters
    ----------
    table : array-like of int, shape (r, s, t)
        Number of objects by class of the truth, cluster of the primary, cluster of the
        alternative; not negative, at least 2 in all.
    zero_division : float
        As in `prayatul`.
    names : (str, str)
        Names of primary and alternative in tables and charts.

    Returns
    -------
    PrayatulResult
        Exact for any number of objects; use ``.objects(by="cell")`` as there are no single objects.

    Raises
    ------
    ClusteringError
        If `table` is not three-dimensional, has entries that are not whole numbers >= 0, or counts
        fewer than 2 objects.

    Warns
    -----
    UndefinedMeasureWarning
        As in `prayatul`.

    See Also
    --------
    prayatul, contingency_table

    Notes
    -----
    Time and memory O(r s t).

    Theory: docs/theory/prayatul.md.

    Examples
    --------
    >>> import softclust
    >>> result = softclust.prayatul_from_counts([[[400_000_000, 50_000_000], [0, 50_000_000]],
    ...                                          [[0, 0], [100_000_000, 400_000_000]]])
    >>> result.both_right
    332499999500000000
    """
    zero = _check_zero(zero_division)
    values = np.asarray(table)
    if values.ndim != 3 or values.dtype.kind not in "iu" or not values.size:
        raise ClusteringError(f"table has shape {values.shape} and dtype {values.dtype}; integers "
                              "by class, cluster of the primary and cluster of the alternative, "
                              "(r, s, t), are needed")
    if values.min() < 0:
        where = tuple(int(k) for k in np.argwhere(values < 0)[0])
        raise ClusteringError(f"table{list(where)} is {values[where]}; counts >= 0 are needed")
    total = sum(values.ravel().tolist())
    if not 2 <= total < 1 << 63:
        raise ClusteringError(f"table counts {total} objects; 2 to 2^63 - 1 are needed")
    triple = triple_of_table(np.ascontiguousarray(values, dtype=np.int64))
    return _result(triple, {"names": _check_names(names), "n": triple.n, "kinds": ("hard",) * 3},
                   zero)


def prayatul_all(truth: ClusteringLike, clusterings: EnsembleLike, *,
                 data: FrameLike | None = None, names: Iterable[str] | None = None,
                 coupling: Literal["expected", "minimum", "evidential"] = "expected",
                 noise: NoiseRules = None, noise_label: Any = -1,
                 missing: MissingRules = "raise", objects: Objects = "same",
                 empty: Literal["unknown", "normalise"] = "unknown",
                 zero_division: float = math.nan, weights: ArrayLike | None = None,
                 progress: Progress | bool | None = False) -> PrayatulTable:
    """Compare every pair of several clusterings against a truth, as in Table I of the paper.

    Parameters
    ----------
    truth : clustering-like
        As in `prayatul`.
    clusterings : mapping, Ensemble, DataFrame or sequence of clustering-like
        At least two, as `Ensemble` takes them. Each is converted once.
    data : data frame, optional
        Frame in which truth, clusterings and weights are names of columns.
    names : sequence of str, optional
        Names of the clusterings; by default the keys of the mapping, else "0", "1", ...
    coupling, noise, noise_label, missing, objects, empty, zero_division, weights : optional
        As in `prayatul`. noise="drop" drops, in each pair, what is noise in that pair; objects
        that are missing or not common are left out of all.
    progress : bool or callable, optional
        True for a progress bar over the pairs, or a function (pairs_done, pairs_total).

    Returns
    -------
    PrayatulTable
        One result per ordered pair: ``table["a", "b"]``; ``.summary()``, ``.to_frame()``,
        ``.plot()``. Warnings about undefined measures are in ``notes``.

    Raises
    ------
    ClusteringError
        As in `prayatul`, or with fewer than two clusterings.

    See Also
    --------
    prayatul, rank_clusterings

    Notes
    -----
    The second of two ordered pairs is the first with its matrix transposed: k(k-1)/2 comparisons
    for k clusterings. Hard clusterings share k + k(k-1)/2 contingency tables.

    Theory: docs/theory/prayatul.md.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> from sklearn.cluster import KMeans
    >>> found = {f"k = {k}": KMeans(k, n_init=5, random_state=0).fit(iris.data) for k in (2, 3)}
    >>> table = softclust.prayatul_all(iris.labels, found)
    >>> round(table["k = 3", "k = 2"].delta, 4)
    0.1161
    """
    check_choice("coupling", coupling, COUPLINGS)
    check_choice("empty", empty, EMPTY)
    zero = _check_zero(zero_division)
    if data is not None:
        columns = [*clusterings]   # type: ignore[misc]
        truth, weights, *found = frame_columns(data, [truth, weights, *columns])
        clusterings = dict(zip(columns, found))
    members, keys = parts_of(clusterings, names)
    if len(members) < 2:
        raise ClusteringError("there is 1 clustering; at least two are needed to compare")
    # What rows of memberships lack to 1 is noise for all pairs, other noise for each pair.
    (truth, *ready), alignment = settled((truth, *members), ("truth", *keys), Policies(
        (None, "cluster") if noise == "cluster" else None, noise_label, missing, objects
        ).with_truth(len(members)))
    ensemble, right = Ensemble(ready, keys), as_clustering(truth, name="truth")
    # Other rules for noise make new clusterings for each pair.
    shared: dict[Any, Any] | None = {} if noise is None else None
    results: dict[tuple[str, str], PrayatulResult] = {}
    notes: dict[str, None] = {}
    pairs = [(i, j) for i in range(len(ensemble)) for j in range(i)]
    with progress_bar(progress, "pairs of clusterings") as show:
        for done, (j, i) in enumerate(pairs, start=1):
            called = ensemble.names[i], ensemble.names[j]
            sides, facts = _prepare(right, ensemble[i], ensemble[j], weights, called, noise,
                                    noise_label)
            other = {**facts, **{key: facts[key][::-1] for key in ("names", "n_noise")},
                     "kinds": (facts["kinds"][0], *facts["kinds"][:0:-1])}   # the other order
            with listening() as warned:
                if coupling == "evidential":
                    first = _evidential(sides, facts, empty, None)
                    second = _bounds(other, frozen(first.matrix.T.copy()), empty)
                else:
                    triple = _triple(sides, facts, coupling, None, shared)
                    a, b, c, d = triple.counts
                    first = _result(triple, facts, zero)
                    second = _result(triple.swapped(), other, zero, (a, c, b, d))
            results |= {result.names: result for result in (first, second)}
            notes |= dict.fromkeys(f"{' and '.join(called)}: {text}" for text in warned)
            if show is not None:
                show(done, len(pairs))
    ordered = [results[pair] for pair in permutations(ensemble.names, 2)]
    return PrayatulTable(names=ensemble.names, results=tuple(ordered), n=right.n_objects,
                         notes=tuple(notes), alignment=alignment)


# -- input ----------------------------------------------------------------------------------------
Sides = tuple[Clustering, Clustering, Clustering]


def _prepare(truth: Any, primary: Any, alternative: Any, weights: Any, names: Any, noise: Any,
             noise_label: Any, missing: Any = "raise", objects: Objects = "same"
             ) -> tuple[Sides, dict[str, Any]]:
    """Checked sides with noise treated, and their description for the result.

    The truth's noise is a class; `noise` is for primary and alternative.
    """
    called = _check_names(names)
    if isinstance(noise, tuple) and len(noise) != 2:
        raise ClusteringError(f"noise is a tuple of {len(noise)}; one policy, or one each for "
                              "primary and alternative, is needed")
    rules = noise if isinstance(noise, tuple) else (noise, noise)
    aligned = align(truth, primary, alternative, noise=(None, *rules),
                    noise_label=noise_label, missing=missing, objects=objects, names=_SIDES)
    if weights is not None:
        weights = _weights(weights, truth, aligned)
    sides = aligned[0], aligned[1], aligned[2]
    changed = aligned.n_dropped > 0 or objects != "same"
    return sides, {
        "n": aligned.n_objects, "names": called, "kinds": tuple(side.kind for side in sides),
        "n_noise": aligned.n_noise[1:], "n_dropped": aligned.n_dropped, "weights": weights,
        "positions": aligned.positions[0] if changed else None,
        "object_names": next((side.object_names for side in sides
                              if side.object_names is not None), None),
        "alignment": aligned if aligned.changed else None}


def _weights(weights: Any, truth: Any, aligned: Aligned) -> np.ndarray:
    """Weights of the objects that are compared."""
    weights = ordered(weights, names_in(truth), called=("truth", "weights"))
    w = check_weights(weights, aligned.n_given[0])
    largest = np.asarray(weights, dtype=np.float64).max()
    if w.max() != largest:
        warn(f"weights were divided by 2**{int(np.frexp(largest)[1])}: their squares, the weights "
             "of pairs, would overflow or underflow", UserWarning, stacklevel=4)
    if (aligned.positions[0] < 0).any():
        raise ClusteringError("weights belong to the objects of truth, which lacks some of the "
                              'others; objects="common" leaves these out')
    w = frozen(w[aligned.positions[0]])
    if np.count_nonzero(w) < 2:
        raise ClusteringError(f"weights are positive for {np.count_nonzero(w)} objects; at least 2 "
                              "are needed")
    return w


def _check_names(names: Any) -> tuple[str, str]:
    """Two names as strings."""
    if isinstance(names, str) or len(tuple(names)) != 2:
        raise ValueError(f"names={shown(names)}; two names, of primary and alternative, are needed")
    a, b = map(str, names)
    return a, b


# -- results --------------------------------------------------------------------------------------


def _triple(sides: Sides, facts: dict[str, Any], coupling: str, progress: Progress | bool | None,
            shared: dict[Any, Any] | None = None) -> Any:
    """Compute the statistics of three clusterings."""
    if all(side.hard_codes is not None for side in sides):
        g, p, q = (side.as_hard() for side in sides)
        return hard_triple(g, p, q, facts["weights"], shared)
    from .soft_counts import ExpectedTriple, MinimumTriple
    for name, side in zip(_SIDES, sides):
        if side.kind not in ("hard", "fuzzy"):
            other = ('coupling="evidential" takes every kind against a hard truth, and '
                     if name != "truth" else "")
            raise ClusteringError(
                f'{name} is {side.kind}; coupling="{coupling}" takes hard and fuzzy clusterings: '
                f"{other}{name}.to_fuzzy() and {name}.harden() convert by a named rule")
    if coupling == "minimum":
        return MinimumTriple(*sides, facts["weights"], progress)
    return ExpectedTriple(*sides, facts["weights"], shared)


def _evidential(sides: Sides, facts: dict[str, Any], empty: str, progress: Progress | bool | None
                ) -> PrayatulResult:
    from .soft_counts import evidential_matrix, normalised
    truth, *others = sides
    if truth.hard_codes is None:
        raise ClusteringError(f'truth is {truth.kind}; coupling="evidential" needs a hard truth: '
                              "truth.harden() makes one by a named rule")
    first, second = (side.mass_table() for side in others)
    if empty == "normalise":
        first, second = normalised(first, "primary"), normalised(second, "alternative")
    matrix = evidential_matrix(truth.hard_codes, first, second, facts["weights"],
                               progress=progress)
    return _bounds(facts, frozen(matrix), empty)


def _bounds(facts: dict[str, Any], matrix: np.ndarray, empty: str) -> PrayatulResult:
    n = facts["n"]
    pairs = float(n * (n - 1) // 2) if facts["weights"] is None else float(matrix.sum())
    return PrayatulResult(triple=matrix, pairs=pairs, coupling="evidential",
                          empty=empty, **{**facts, **bounded(matrix)})


def _result(triple: Any, facts: dict[str, Any], zero_division: float,
            counts: tuple[Any, Any, Any, Any] | None = None) -> PrayatulResult:
    counts = triple.counts if counts is None else counts
    values = {**facts, **dict(zip(OUTCOMES, counts)), **measured(counts, zero_division)}
    return PrayatulResult(triple=triple, pairs=triple.pairs, coupling=triple.coupling, **values)


def _check_zero(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"zero_division is {shown(value)}; a number (nan, 0.0) is needed") from None
