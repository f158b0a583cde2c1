"""How often pairs of objects are together in runs: co-association, and how ambiguous it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._checks import ClusteringError, check_whole
from .._parallel import run_chunks
from .._random import as_generator
from ..clusterings import Ensemble
from ._coassociation_record import Coassociation
from ._pair_counts import distinct_ratios, pair_table, weighted_pairs
from ._run_input import as_runs, run_weights

if TYPE_CHECKING:
    from .._types import RNG, ArrayLike, EnsembleLike

#: objects up to which weighted sums of all pairs are sorted
_WEIGHTED_OBJECTS = 5_000
_DRAWS = 1_000_000
#: drawn pairs of a chunk
_CHUNK = 1 << 12


def coassociation(runs: EnsembleLike, *, weights: ArrayLike | None = None,
                  n_draws: int | None = None, max_objects: int = 20_000, rng: RNG = None
                  ) -> Coassociation:
    r"""Share of the runs with both objects that put them into one cluster, for all pairs.

    Parameters
    ----------
    runs : Ensemble or what `Ensemble` takes
        B hard clusterings of n >= 2 objects.
    weights : array-like, shape (B,), optional
        Weights >= 0 of the runs; equal by default.
    n_draws : int, optional
        Number of pairs to draw, with replacement, instead of counting all pairs. By default all
        pairs are counted up to `max_objects` objects (5,000 with weights); beyond that 1,000,000
        are drawn.
    max_objects : int, optional
        Largest number of objects for which all pairs are counted by default.
    rng : None, int or numpy Generator, optional
        For the draws.

    Returns
    -------
    Coassociation
        ``.pac()``, ``.cdf(t)``, ``.mean``, ``.matrix()``, ``.plot()``. Pairs that are in no run
        together have no value and are left out of everything.

    Raises
    ------
    ClusteringError
        If a run is not hard, labels are negative, or there is no pair that any run holds.
    ValueError
        If an option is out of range.

    See Also
    --------
    cluster_stability : which clusters come back.
    element_consistency : which objects stay with the same others.

    Notes
    -----
    .. math:: M_{ij} = \frac{S_{ij}}{C_{ij}}, \quad \mathrm{PAC} = \mathrm{P}(0.1 < M_{ij} \le 0.9)

    C is the number of runs that hold both objects, S the number of these that put them together.
    PAC, the proportion of ambiguous clustering, is the share of pairs with M in (.1, .9]
    (Senbabaoglu et al. 2014); M is rounded correctly, so 9 of 10 runs count as .9. The area under
    the CDF of M is 1 - mean(M), so Monti's area and his Delta(k) say no more than the mean.

    Time O(n^2 B / 2) comparisons of bytes in blocks of rows, without a matrix of pairs; memory a
    few megabytes; the same numbers for any number of threads. With draws O(draws B).

    ConsensusClusterPlus and diceR give pairs that are in no run together the value 0, which
    lowers PAC. diceR leaves out both limits, and its weights are divided by unweighted counts.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    S. Monti, P. Tamayo, J. Mesirov, T. Golub (2003), Consensus clustering, Machine Learning 52,
    91-118.
    Y. Senbabaoglu, G. Michailidis, J. Z. Li (2014), Critical limitations of consensus clustering
    in class discovery, Scientific Reports 4, 6207.

    Examples
    --------
    >>> import softclust as sc
    >>> pairs = sc.coassociation(sc.Ensemble.from_runs([[0, 0, 1, -1], [0, 0, 1, 1], [0, 1, 1, 1]]))
    >>> pairs.matrix().round(2)
    array([[1.  , 0.67, 0.  , 0.  ],
           [0.67, 1.  , 0.33, 0.5 ],
           [0.  , 0.33, 1.  , 1.  ],
           [0.  , 0.5 , 1.  , 1.  ]])
    >>> pairs.pac()
    0.5
    """
    found = as_runs(runs)
    w = run_weights(weights, found.n_runs)
    kept = None if w is None else w > 0
    labels = found.labels if kept is None else np.ascontiguousarray(found.labels[kept])
    used = np.ones(labels.shape[0]) if w is None else w[w > 0]
    n = found.n_objects
    if n < 2:
        raise ClusteringError("the runs have 1 object; at least 2 are needed for a pair")
    most = max_objects if w is None else min(max_objects, _WEIGHTED_OBJECTS)
    if n_draws is not None or n > most:
        draws = check_whole("n_draws", _DRAWS if n_draws is None else n_draws)
        return _drawn(found, labels, used, w, draws, as_generator(rng))
    table = pair_table(labels)
    if w is None:
        return Coassociation.of_table(found, table)
    values, counts = distinct_ratios(*weighted_pairs(labels, used))
    return Coassociation.of_values(found, values, counts, table.sum(axis=1), weights=w)


def _drawn(runs: Ensemble, labels: np.ndarray, used: np.ndarray, w: np.ndarray | None,
           draws: int, rng: np.random.Generator) -> Coassociation:
    n, many = runs.n_objects, labels.shape[0]
    left, right = rng.integers(0, n, draws), rng.integers(0, n - 1, draws)
    right += right >= left
    rows = np.ascontiguousarray(labels.T)
    together, held = np.empty(draws), np.empty(draws)
    counts = np.empty(draws, dtype=np.int64)

    def work(first: int, last: int) -> None:
        x, y = rows[left[first:last]], rows[right[first:last]]
        both = (x >= 0) & (y >= 0)
        held[first:last] = (both * used).sum(axis=1)
        together[first:last] = ((both & (x == y)) * used).sum(axis=1)
        counts[first:last] = both.sum(axis=1)

    run_chunks(work, draws, _CHUNK)
    if w is None:
        table = np.zeros((many + 1, many + 1), dtype=np.int64)
        np.add.at(table, (counts, together.astype(np.int64)), 1)
        return Coassociation.of_table(runs, table, n_draws=draws)
    values, found = distinct_ratios(together, held)
    return Coassociation.of_values(runs, values, found,
                                   np.bincount(counts, minlength=many + 1), weights=w,
                                   n_draws=draws)
