"""Direct comparison of two clusterings against a truth: the Prayatul matrix.

A. Biswas, "Prayatul Matrix for Evaluating Clustering Algorithms: A Direct Comparison Approach"
(2023). For each pair of objects one asks whether the primary and the alternative clustering are
right about it, that is, join or separate it as the truth does.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import permutations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, frozen, shown
from .._parallel import Progress, progress_bar
from .._warnings import listening
from ..clusterings import Clustering, Ensemble, HardClustering, as_clustering
from ..clusterings.alignment import Policies, settled
from ..clusterings.ensemble import parts_of
from .prayatul_records.inference import PrayatulIntervals
from .prayatul_records.objects import (
    PrayatulObjects,
    PrayatulParts,
    UnknownTriple,
    bounded,
    measured,
)
from .prayatul_records.result import PrayatulResult
from .prayatul_records.setup import Given, check_names, prepare
from .prayatul_records.table import PrayatulTable

if TYPE_CHECKING:
    from .._types import ArrayLike, ClusteringLike, EnsembleLike, MissingRules, NoiseRules, Objects
    from .prayatul_records.counts import HardTriple

__all__ = ["PrayatulIntervals", "PrayatulObjects", "PrayatulParts",
           "PrayatulResult", "PrayatulTable", "prayatul", "prayatul_all", "prayatul_from_counts"]

COUPLINGS = ("expected", "minimum", "evidential")
EMPTY = ("unknown", "normalise")


def prayatul(truth: ClusteringLike, primary: ClusteringLike, alternative: ClusteringLike, *,
             coupling: Literal["expected", "minimum", "evidential"] = "expected",
             noise: NoiseRules = "cluster", noise_label: Any = -1, missing: MissingRules = "raise",
             objects: Objects = "same", empty: Literal["unknown", "normalise"] = "unknown",
             zero_division: float = math.nan, weights: ArrayLike | None = None,
             names: tuple[str, str] = ("primary", "alternative"),
             progress: Progress | bool | None = None) -> PrayatulResult:
    r"""Which of two clusterings is nearer a truth, and where: the Prayatul matrix.

    Parameters
    ----------
    truth, primary, alternative : clustering-like
        Anything `as_clustering` takes, of the same n >= 2 objects. Hard or fuzzy, in any
        combination; with coupling="evidential" a hard truth and any kinds.
    coupling : {"expected", "minimum", "evidential"}
        How soft clusterings are right about a pair (hard ones: no difference). "expected": the
        expectation of the matrix when every object's label is drawn independently in each
        clustering; a soft clustering then differs from itself. "minimum": each pair is as alike as
        the memberships allow, so that a soft clustering equals itself. "evidential": a pair is
        right, wrong or unknown, by the masses; results are bounds.
    noise, noise_label, missing, objects : optional
        What noise in primary and alternative (one policy, or two) and missing labels are, and how
        objects are matched, as in `align`. In the truth the noise label is a class like any other;
        "unknown" and "empty" go with coupling="evidential".
    empty : {"unknown", "normalise"}
        For coupling="evidential", what mass on the empty set is: unknown, or divided out.
    zero_division : float
        Value of an undefined (0/0) measure; nan comes with a warning. 0.0 is the author's
        convention (then xi_e = 2 xi_c - 1 fails where no pair is right).
    weights : array-like, shape (n,), optional
        Weights >= 0 of the objects; a pair weighs the product.
    names : (str, str)
        What tables and charts call primary and alternative.
    progress : bool or callable, optional
        For long soft computations: True for a bar, or a function (done, total).

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

    With the Rand indices a, b of primary and alternative with the truth and c of one with the
    other: sigma = (a - b)/(1 - c), alpha = (3a + b - c - 1)/2, xi_c = 2a/(1 + a + b - c), xi_e =
    2 xi_c - 1, phi = (3a - b + c - 1)/2, delta = a - b. So at most four say different things, and
    all five order two clusterings as the Rand index does; the matrix, `objects` and `parts` tell
    more. None is corrected for chance. If the alternative is the truth they are the Rand index:
    alpha = xi_c = a, xi_e = phi = 2a - 1.

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
    given = prepare(truth, primary, alternative, weights, names, noise, noise_label, missing,
                    objects)
    if coupling == "evidential":
        return _evidential(given, empty, progress)
    return _result(given, _triple(given, coupling, progress), zero)


def prayatul_from_counts(table: Any, *, zero_division: float = math.nan,
                         names: tuple[str, str] = ("primary", "alternative")) -> PrayatulResult:
    """The Prayatul matrix from counts of objects by class and clusters.

    For data counted elsewhere: in a database, or in pieces that do not fit in memory (tables of
    pieces add up).

    Parameters
    ----------
    table : array-like of int, shape (r, s, t)
        Number of objects by class of the truth, cluster of the primary, cluster of the
        alternative; not negative, at least 2 in all.
    zero_division : float
        As in `prayatul`.
    names : (str, str)
        What tables and charts call primary and alternative.

    Returns
    -------
    PrayatulResult
        Exact for any number of objects; ``.objects(by="cell")`` in place of rows of objects.

    Raises
    ------
    ClusteringError
        If `table` is not three-dimensional, holds other than whole numbers >= 0, or counts fewer
        than 2 objects.

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
    from .prayatul_records.counts import triple_of_table
    zero = _check_zero(zero_division)
    counts = _check_table(table)
    triple = triple_of_table(counts)
    given = Given(sides=None, names=check_names(names), n=triple.n, weights=None)
    return _result(given, triple, zero)


def prayatul_all(truth: ClusteringLike, clusterings: EnsembleLike, *,
                 names: Iterable[str] | None = None,
                 coupling: Literal["expected", "minimum", "evidential"] = "expected",
                 noise: NoiseRules = "cluster", noise_label: Any = -1,
                 missing: MissingRules = "raise", objects: Objects = "same",
                 empty: Literal["unknown", "normalise"] = "unknown",
                 zero_division: float = math.nan, weights: ArrayLike | None = None,
                 progress: Progress | bool | None = None) -> PrayatulTable:
    """Compare every two of several clusterings against a truth, as in Table I of the paper.

    Parameters
    ----------
    truth : clustering-like
        As in `prayatul`.
    clusterings : mapping, Ensemble, DataFrame or sequence of clustering-like
        At least two, as `Ensemble` takes them. Each is converted once.
    names : sequence of str, optional
        What to call them; by default the keys of the mapping, else "0", "1", ...
    coupling, noise, noise_label, missing, objects, empty, zero_division, weights : optional
        As in `prayatul`. noise="drop" drops, in each pair, what is noise in that pair; objects
        that are missing or not common are left out of all.
    progress : bool or callable, optional
        True for a progress bar over the pairs, or a function (pairs_done, pairs_total).

    Returns
    -------
    PrayatulTable
        One result an ordered pair: ``table["a", "b"]``; ``.summary()``, ``.to_frame()``,
        ``.plot()``. Warnings of undefined measures are in ``notes``.

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
    given_all, keys = parts_of(clusterings, names)
    if len(given_all) < 2:
        raise ClusteringError("there is 1 clustering; at least two are needed to compare")
    (truth, *ready), alignment = settled((truth, *given_all), ("truth", *keys),
                                           Policies(missing=missing, objects=objects))
    ensemble, right = Ensemble(ready, keys), as_clustering(truth, name="truth")
    # Other rules for noise make new clusterings for each pair.
    shared: dict[Any, Any] | None = {} if noise == "cluster" else None
    found: dict[tuple[str, str], Any] = {}
    notes: list[str] = []
    pairs = [(i, j) for i in range(len(ensemble)) for j in range(i)]
    with progress_bar(progress, "pairs of clusterings") as show:
        for done, (j, i) in enumerate(pairs, start=1):
            called = ensemble.names[i], ensemble.names[j]
            given = prepare(right, ensemble[i], ensemble[j], weights, called, noise, noise_label)
            for result in _both_orders(given, coupling, empty, zero, shared, notes):
                found[result.names] = result
            if show is not None:
                show(done, len(pairs))
    ordered = [found[pair] for pair in permutations(ensemble.names, 2)]
    return PrayatulTable(names=ensemble.names, results=tuple(ordered), n=right.n_objects,
                         notes=tuple(notes), alignment=alignment)


def _both_orders(given: Given, coupling: str, empty: str, zero: float,
                 shared: dict[Any, Any] | None, notes: list[str]) -> list[Any]:
    """Results of a pair in both orders; warnings go to `notes`."""
    results: list[Any] = []
    with listening() as caught:
        if coupling == "evidential":
            first = _evidential(given, empty, None)
            results = [first, _bounds(given.swapped(), frozen(first.matrix.T.copy()), empty)]
        else:
            triple = _triple(given, coupling, None, shared)
            other = given.swapped()
            a, b, c, d = triple.counts
            results = [_result(given, triple, zero),
                       _result(other, triple.swapped(), zero, (a, c, b, d))]
    for said in caught:
        text = f"{' and '.join(given.names)}: {said}"
        if text not in notes:
            notes.append(text)
    return results


def _triple(given: Given, coupling: str, progress: Progress | bool | None,
            shared: dict[Any, Any] | None = None) -> Any:
    """The statistics of three clusterings."""
    assert given.sides is not None
    g, p, q = given.sides
    if all(side.hard_codes is not None for side in given.sides):
        return _hard(g.as_hard(), p.as_hard(), q.as_hard(), given.weights, shared)
    from .prayatul_records.soft_counts import ExpectedTriple, MinimumTriple
    _check_kinds(given.sides, coupling)
    if coupling == "minimum":
        return MinimumTriple(g, p, q, given.weights, progress)
    return ExpectedTriple(g, p, q, given.weights, shared)


def _hard(g: HardClustering, p: HardClustering, q: HardClustering, weights: np.ndarray | None,
          shared: dict[Any, Any] | None) -> HardTriple:
    from .prayatul_records.counts import count_pair, hard_triple
    if shared is None:
        return hard_triple(g, p, q, weights)

    def count(x: HardClustering, y: HardClustering) -> Any:
        # The clusterings are kept with their table, so that no id can come back.
        if (id(x), id(y)) not in shared:
            shared[id(x), id(y)] = x, y, count_pair(x, y)
        return shared[id(x), id(y)][2]

    return hard_triple(g, p, q, weights, count)


def _check_kinds(sides: tuple[Clustering, ...], coupling: str) -> None:
    for name, side in zip(("truth", "primary", "alternative"), sides):
        if side.kind not in ("hard", "fuzzy"):
            other = ('coupling="evidential" takes every kind against a hard truth, and '
                     if name != "truth" else "")
            raise ClusteringError(
                f'{name} is {side.kind}; coupling="{coupling}" takes hard and fuzzy clusterings: '
                f"{other}{name}.to_fuzzy() and {name}.harden() convert by a named rule")


def _evidential(given: Given, empty: str, progress: Progress | bool | None) -> PrayatulResult:
    from .prayatul_records.soft_counts import evidential_matrix, normalised
    assert given.sides is not None
    truth, p, q = given.sides
    if truth.hard_codes is None:
        raise ClusteringError(f'truth is {truth.kind}; coupling="evidential" needs a hard truth: '
                              "truth.harden() makes one by a named rule")
    first, second = p.mass_table(), q.mass_table()
    if empty == "normalise":
        first, second = normalised(first, "primary"), normalised(second, "alternative")
    matrix = evidential_matrix(truth.hard_codes, first, second, given.weights, progress=progress)
    return _bounds(given, frozen(matrix), empty)


def _bounds(given: Given, matrix: np.ndarray, empty: str) -> PrayatulResult:
    n = given.n
    pairs = float(n * (n - 1) // 2) if given.weights is None else float(matrix.sum())
    return _record(given, UnknownTriple(matrix), pairs=pairs, coupling="evidential", empty=empty,
                   **bounded(matrix))


def _result(given: Given, triple: Any, zero_division: float,
            counts: tuple[Any, Any, Any, Any] | None = None) -> PrayatulResult:
    counts = triple.counts if counts is None else counts
    br, rw, wr, bw = counts
    hard = type(triple).__name__ == "HardTriple"
    return _record(given, triple, pairs=triple.pairs, both_right=br, right_wrong=rw,
                   wrong_right=wr, both_wrong=bw, coupling="hard" if hard else triple.coupling,
                   **measured(counts, zero_division))


def _record(given: Given, triple: Any, **found: Any) -> PrayatulResult:
    return PrayatulResult(
        n=given.n, names=given.names, kinds=given.kinds, n_noise=given.n_noise,
        n_dropped=given.n_dropped, weights=given.weights, positions=given.positions,
        object_names=given.object_names, alignment=given.alignment, triple=triple, **found)


def _check_zero(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"zero_division is {shown(value)}; a number (nan, 0.0) is needed") from None


def _check_table(table: Any) -> np.ndarray:
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
    return np.ascontiguousarray(values, dtype=np.int64)
