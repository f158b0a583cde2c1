"""The partition with the smallest expected loss over posterior draws."""

from __future__ import annotations

import math
import numbers
import time

import numpy as np

from ..._checks import IncompleteWarning, check_whole, frozen
from ..._types import RNG, ArrayLike, EnsembleLike, Loss, Workers
from ...clusterings import HardClustering
from ...results.frames import same_frames
from ...running.interrupts import keep_finished
from ...running.jobs import check_executor
from ...running.random_numbers import as_generator
from ...running.threads import Progress as Shown
from ...running.threads import progress_bar
from ...running.warnings import warn
from ._bounds import lower_bound
from ._draws import Sample, read_draws
from ._losses import LossRule, distances
from ._record import PosteriorPartition
from ._search import Search


@same_frames
def posterior_partition(draws: EnsembleLike, *, loss: Loss = "vi", a: float = 1.0,
                        max_clusters: int | None = None, weights: ArrayLike | None = None,
                        n_starts: int | None = None, time_limit: float | None = None,
                        executor: Workers | None = None, progress: Shown | bool | None = False,
                        rng: RNG = None) -> PosteriorPartition:
    r"""Find the partition with the smallest expected loss over posterior draws.

    Parameters
    ----------
    draws : array-like, shape (S, n) or (chains, draws, n), or a container of draws
        As in `expected_loss`, for example the labels of a mixture model. In an array each row is a
        draw; a warning says how an ambiguous table was read.
    loss : {"vi", "binder", "nvi", "nid", "id", "omari"} or a measure, optional
        Loss function, see `expected_loss`. The search is fastest for "vi" and "binder"; the others
        take several times as long.
    a : float, optional
        Cost of splitting objects that belong together, in (0, 2); larger values give fewer
        clusters. Only for "vi" and "binder".
    max_clusters : int, optional
        Maximum number of clusters of the estimate; any number by default.
    weights : array-like, shape (S,), optional
        Weights >= 0 of the draws; equal by default.
    n_starts : int, optional
        Number of starts of the search. By default 16; for more than 20,000 labels it ends earlier
        if the best value was reached 4 times.
    time_limit : float, optional
        Time limit of the search, after which it returns the best partition so far.
    executor : concurrent.futures.Executor or "joblib", optional
        Where the starts run; by default on `get_num_threads()` threads.
    progress : bool or callable, optional
        True shows a progress bar over starts; a function is called with (done, total).
    rng : None, int or numpy Generator, optional
        Seed or generator for the starts. Results do not depend on threads or the executor.

    Returns
    -------
    PosteriorPartition
        The estimate, with a lower bound for any partition: ``.gap``, ``.optimal``.

    Raises
    ------
    ClusteringError
        If draws are not complete hard clusterings, or if tables need more than 512 MB: set
        `max_clusters`, or thin the draws.
    ValueError
        If an option is out of range.

    Warns
    -----
    IncompleteWarning
        If `time_limit` or Ctrl-C stopped the search; the best partition so far is returned.

    See Also
    --------
    expected_loss, credible_ball, partition_representatives, partition_core

    Notes
    -----
    .. math:: \min_c \frac{1}{S} \sum_s L(c, z_s)

    Each start begins at a random draw, or adds the objects in random order. Then objects move to
    the cluster with the smallest expected loss until no move helps, and clusters are merged or
    dissolved as long as that helps. The estimate need not be one of the draws.

    `bound` is a lower bound on the expected loss of any partition. For metrics it comes from the
    triangle inequality between draws; for "binder" and "vi" also from pairs of objects and from
    single objects, where these are not too many.

    A pass over the objects takes time O(n S c) for c clusters; memory O(n S). R: ``salso::salso``,
    which allows at most as many clusters as the draws have, unless ``maxNClusters`` is given;
    ``mcclust.ext::minVI``.

    Theory: docs/theory/ensembles.md.

    References
    ----------
    D. A. Binder (1978), Bayesian cluster analysis, Biometrika 65, 31-38.

    Examples
    --------
    >>> import softclust
    >>> draws = [[0, 0, 1, 1, 1], [0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [3, 3, 1, 1, 1]]
    >>> found = softclust.posterior_partition(draws, rng=0)
    >>> found.labels
    array([0, 0, 1, 1, 1])
    >>> round(found.expected_loss, 4), found.optimal
    (0.2864, True)
    """
    rule = LossRule.of(loss, a)
    max_clusters, n_starts = (
        None if value is None else check_whole(name, value, also=" or None")
        for name, value in (("max_clusters", max_clusters), ("n_starts", n_starts)))
    if time_limit is not None and (not isinstance(time_limit, numbers.Real)
                                    or isinstance(time_limit, bool) or not time_limit > 0):
        raise ValueError(f"time_limit is {time_limit!r}; a number > 0 or None is needed")
    deadline = math.inf if time_limit is None else time.time() + float(time_limit)
    check_executor(executor)
    distinct, generator = read_draws(draws, weights), as_generator(rng)
    starts, bounds = generator.spawn(2)
    search = Search(distinct.that_count(), rule, max_clusters, starts, deadline=deadline,
                    executor=executor)
    total = Search.STARTS if n_starts is None else n_starts
    with (progress_bar(progress or (lambda done, total: None), "posterior_partition") as show,
          keep_finished("starts", total, search.finished, "call it again for more") as stop):
        search.run(n_starts, show)
    if stop:
        search.settle()
    stop.warn()
    text = stop.text
    if search.stopped and not stop:
        text = f"stopped by time_limit after {len(search.losses)} of {total} starts"
        warn(f"{text}; the result is the best so far: give more time, or fewer draws",
             IncompleteWarning, stacklevel=2)
    bound = math.nan
    if not stop:
        with keep_finished("steps (search, bound)", 2, lambda: 1, "call it again for the bound"
                           ) as late:
            bound = min(lower_bound(distinct, rule, bounds, deadline), search.best_loss)
        late.warn()
        text = text or late.text
    assert search.best is not None
    labels = frozen(search.best.copy())
    losses = distances(labels, distinct, rule)[distinct.index]
    return PosteriorPartition(
        labels=labels, clustering=HardClustering(labels, object_names=distinct.naming),
        loss=rule.name, a=rule.a, expected_loss=search.best_loss, bound=bound,
        standard_error=standard_error(losses, distinct), n_draws=distinct.n_draws,
        n_distinct=distinct.n_distinct, n_starts=len(search.losses), n_hits=search.hits,
        distances=frozen(losses), converged=not text, interrupted=text, _draws=distinct)


def standard_error(values: np.ndarray, draws: Sample) -> float:
    """Standard error of the mean of values (S,) at the draws in their order."""
    if draws.each is not None:
        left = 1.0 - float((draws.each**2).sum())
        if left <= 1e-12:
            return math.nan
        spread = draws.each * (values - float(draws.each @ values))
        return math.sqrt(float(spread @ spread) / left)
    if draws.n_chains:
        chains = values.reshape(draws.n_chains, -1)
        length = math.isqrt(chains.shape[1])
        many = chains.shape[1] // length
        values = chains[:, :many * length].reshape(-1, length).mean(axis=1)
    if values.size < 2:
        return math.nan
    return float(values.std(ddof=1) / math.sqrt(values.size))
