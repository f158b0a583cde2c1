"""`cluster_number()`: its data, numbers of clusters, scales, and the options of each criterion."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import suppress
from functools import partial
from inspect import signature
from operator import index as as_index
from typing import Any, Literal

import numpy as np

from .._checks import (
    ClusteringError,
    IncompleteWarning,
    check_choice,
    check_whole,
    frozen,
    named_keywords,
    shown,
)
from .._types import RNG, ArrayLike, Estimator, Workers
from ..cluster.checks import check_count, check_spread
from ..clusterings.object_table import ObjectTable, are_numeric, as_objects, finite_rows
from ..ensembles.clusterers import check_instance, counted
from ..ensembles.replicates import ResamplingWarning
from ..running.interrupts import Interruption, keep_finished
from ..running.jobs import ReplicateFailure, check_executor, run_jobs
from ..running.random_numbers import as_generator
from ..running.threads import Progress, progress_bar
from ..running.warnings import warn
from .cells import (
    CellValue,
    EntropyCell,
    FitCell,
    LabelsCell,
    OwnCell,
    RunsCell,
    can_race,
    observed,
)
from .cells import race as run_race
from .criteria import CRITERIA, N_STARTS, Criterion, in_words
from .criteria import reference_sets as draw_references
from .number_record import ClusterNumber


def check_options(own: Criterion, estimator: Any, race: Any, **options: Any) -> None:
    """Raise for an option that does not apply to this criterion, or to a given estimator."""
    from ..ensembles.schemes import check_prior_weight
    if estimator is not None:
        check_instance(estimator)
    defaults = signature(cluster_number).parameters
    for name, value in options.items():
        default = defaults[name].default
        if value is default or (not isinstance(value, np.ndarray) and value == default):
            continue
        if name not in own.options:
            names = (repr(c.name) for c in CRITERIA.values() if name in c.options)
            raise ValueError(f"{name} belongs to criterion={' or '.join(names)}; {own.name!r} does "
                             "not use it: leave it out")
        if (estimator is not None and name in ("n_resamples", "prior_weight")
                and own.needs != "runs"):
            raise ValueError(f"{name} belongs to the default estimators; set it in your estimator")
    if not isinstance(race, (bool, np.bool_)):
        raise TypeError(f"race is {shown(race)}; True or False is needed")
    if options["n_resamples"] is not None:
        check_count("n_resamples", options["n_resamples"])
    check_count("n_starts", options["n_starts"])
    check_prior_weight(options["prior_weight"])


def numbers_of_clusters(n_clusters: Any, x: Any, own: Criterion | None = None) -> list[int]:
    """Distinct numbers that the criterion can assess and the data can form."""
    try:
        several: Any = [n_clusters] if np.isscalar(n_clusters) else n_clusters
        ks = [as_index(k) for k in several]
    except TypeError:
        raise ValueError(f"n_clusters is {shown(n_clusters)}; whole numbers are needed, such as "
                         "range(2, 7)") from None
    if not ks or min(ks) < 1 or len(set(ks)) < len(ks):
        raise ValueError(f"n_clusters is {ks}; distinct numbers >= 1 are needed")
    if min(ks) == 1 and own is not None and own.why_not_one:
        names = " or ".join(repr(c.name) for c in CRITERIA.values() if not c.why_not_one)
        raise ClusteringError(f"K = 1 cannot be assessed by criterion={own.name!r}: "
                              f"{own.why_not_one}; leave it out, or use {names}")
    distinct = np.unique(finite_rows(x), axis=0).shape[0] if are_numeric(x) else len(x)
    if max(ks) > distinct:
        raise ClusteringError(f"K = {max(ks)} clusters of {distinct} distinct objects are "
                              f"requested; at most {distinct} can be formed")
    return ks


def scales_of_prior(scale: Any, own: Criterion) -> list[float]:
    """Distinct finite scales > 0; one nan for criteria without."""
    try:
        scales = [float(s) for s in np.atleast_1d(np.asarray(scale, dtype=np.float64))]
    except (TypeError, ValueError):
        scales = []
    if "scale" not in own.options:
        if scales != [1.0]:
            raise ValueError(f"scale belongs to the entropies; criterion={own.name!r} has none")
        return [math.nan]
    if not scales or not all(math.isfinite(s) and s > 0 for s in scales) or len(
            set(scales)) < len(scales):
        raise ValueError(f"scale is {shown(scale)}; distinct numbers > 0 are needed")
    return scales


# -- `cluster_number()`: a criterion over numbers of clusters, in one record ----------------------
Cell = Callable[[Any], CellValue]


@named_keywords
def cluster_number(X: ArrayLike, n_clusters: Iterable[int] = range(2, 7), *,
                   criterion: str = "entropy", estimator: Estimator | None = None,
                   scale: float | Sequence[float] | np.ndarray = 1.0, prior_weight: float = 0.5,
                   n_resamples: int | None = None, n_references: int = 100, power: int = 2,
                   reference: Literal["pca", "box"] = "pca", n_starts: int = N_STARTS,
                   rule: Literal["max", "1se"] | None = None,
                   reference_sets: ArrayLike | None = None, race: bool = True, rng: RNG = None,
                   executor: Workers | None = None, progress: Progress | bool | None = False
                   ) -> ClusterNumber:
    """Choose the number of clusters by a criterion; `cluster_test` asks if there are any.

    Parameters
    ----------
    X : array-like, shape (n, d)
        Finite numbers.
    n_clusters : iterable of int, optional
        Numbers of clusters to try; 1 for the criteria that can assess it.
    criterion : str, optional
        {criteria}
    estimator : clusterer, optional
        Replaces the default, if there is one: for the entropies any estimator with `entropy_` and
        `membership_`, for "cic" one with `cic_`, else one with `labels_` or ``predict``. Its
        ``n_clusters`` (or ``n_components``) is set, also in a clusterer that it wraps.
    scale : float or sequence of float, optional
        Scales of the prior covariances, one curve each; for entropies with the default clusterer,
        or one with a parameter ``scale``.
    prior_weight : float in [0, 1), optional
        Weight of the prior, for the default clusterer of the entropies.
    n_resamples : int, optional
        Replicates of each fit of a default clusterer (200; 1000 for "cic"); runs on halves of the
        data (100).
    n_references, power, reference : optional
        Gap: number of uniform reference sets; power of the distances in W (2: within sum of
        squares, 1: as in R's clusGap); box along the principal axes ("pca") or the features
        ("box").
    n_starts : int, optional
        Gap: number of starts of k-means on the data and on every reference set. Too few starts
        overstate W, especially for many clusters.
    rule : {"max", "1se"}, optional
        Gap: "1se" chooses the first K with gap(K) >= gap(K+1) - s_(K+1), the last one if there is
        none; it needs consecutive numbers of clusters. "max" chooses the largest gap. The default
        is "1se", the rule of Tibshirani et al., or "max" if a number of clusters is left out.
        A K that leaves only one distinct object in every cluster has no gap: it fails.
    reference_sets : array, shape (B, n, d), optional
        Gap: given reference data.
    race : bool, optional
        Early stopping, for entropies with `n_resamples` >= 200: compare the numbers of clusters
        after a tenth, a fifth and two fifths of the replicates, and drop those that lie more than 3
        jackknife errors of the difference behind the best. The number chosen is that of a full
        search in all but rare cases, in a fraction of the time; dropped numbers are not comparable,
        see Notes. False gives every number all replicates. Has no effect on other criteria.
    rng : None, int or numpy Generator, optional
    executor : concurrent.futures.Executor or "joblib", optional
        Runs the cells (one number of clusters at one scale each) in its workers; results do not
        depend on it.
    progress : bool or callable, optional
        True shows a progress bar over cells; a function is called with (done, total).

    Returns
    -------
    ClusterNumber

    Raises
    ------
    ClusteringError
        If X is not a table of finite numbers, a K exceeds the number of distinct rows, or K = 1
        with a criterion that cannot assess it.
    ValueError
        If an option is out of range, or belongs to another criterion; if ``rule="1se"`` is used
        with numbers of clusters that are not consecutive.
    KeyboardInterrupt
        At Ctrl-C before the first cell is finished.

    Warns
    -----
    IncompleteWarning
        If a fit failed. If Ctrl-C stopped the search: finished cells are kept, `missing` lists
        the others, and no number is chosen.

    See Also
    --------
    compare_settings : the uncertainty of the data, and other parameters.
    prediction_strength, BayesianBaggedClustering, cluster_stability

    Notes
    -----
    A number of clusters dropped by early stopping keeps the entropies of the B replicates it got,
    which are too low: by about (m - 1) / (2 B log 2) bits for an object between m clusters. Tables
    and charts mark such numbers, and `n_resamples` of the result has their replicates. Early
    stopping suffices to choose the number; for the curve, the taxonomy or the other entropy use
    ``race=False``. Numbers that got all replicates have the same bits in both cases.

    At one K every scale uses the same seed, so curves differ by the scale only. K = 1 has entropy 0
    for any data, so only the gap statistic accepts it, and "cic", where one cluster has the value
    0 without a fit (table 7 of the truecluster paper) and worse than random splits are negative. A
    1 is no evidence of a single cluster, and k-means has a positive "cic" on data without clusters:
    up to .6 on a Gaussian, above 1 on a uniform square. No criterion here can show that there are
    no clusters; `cluster_test` can fail to find any. "cic" is inferred from published values; its
    defining article is not public. Time: one fit per cell; gap O(B n d K passes) and, for power 1,
    O(B n^2 d). R: ``cluster::clusGap(d.power = )`` has log W lower by log 2, the same gaps, and
    errors with the divisor B - 1, here B as in the article.

    Theory: docs/theory/bagging.md.

    References
    ----------
    F. M. Quetti, S. Figini, E. Ballante, A Bayesian approach to clustering via the proper Bayesian
    bootstrap.
    R. Tibshirani, G. Walther, T. Hastie (2001), Estimating the number of clusters in a data set
    via the gap statistic, Journal of the Royal Statistical Society B 63, 411-423.
    P. Rousseeuw (1987), Silhouettes, Journal of Computational and Applied Mathematics 20, 53-65.

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.bbc_gaussians(1, rng=1).data
    >>> softclust.cluster_number(x, [2, 3, 4], n_resamples=100, rng=0).best
    3
    """
    own = CRITERIA[check_choice("criterion", criterion, CRITERIA)]
    check_executor(executor)
    check_options(own, estimator, race, n_resamples=n_resamples, prior_weight=prior_weight,
                  n_references=n_references, power=power, reference=reference,
                  n_starts=n_starts, reference_sets=reference_sets, rule=rule)
    table = as_objects(X, estimator)
    x = table.rows if estimator is not None and own.needs else table.numbers
    if isinstance(x, ObjectTable) and own.needs != "runs":
        if own.needs != "labels_":
            x = x.data
        elif not (table.pairwise and own.distances):
            if table.pairwise:
                raise ClusteringError(f"criterion={criterion!r} needs the objects themselves, not "
                                      "their distances")
            _ = x.numbers   # raises here, not in every cell
    if estimator is None:
        check_spread(x)
    ks = numbers_of_clusters(n_clusters, x, own)
    scales = scales_of_prior(scale, own)
    consecutive = len(ks) > max(ks) - min(ks)
    if rule is not None:
        check_choice("rule", rule, ("max", "1se"))
    if rule == "1se" and not consecutive:
        raise ValueError(f"n_clusters is {sorted(ks)}; rule='1se' compares each number with the "
                         f"next, so none may be left out: use range({min(ks)}, {max(ks) + 1}), "
                         "or rule='max'")
    seeds = as_generator(rng).integers(0, 2**63 - 1, size=len(ks) + 1).tolist()
    if not own.needs:
        if estimator is not None:
            raise ValueError(f"criterion={criterion!r} always uses k-means; leave estimator out")
        if power not in (1, 2):
            raise ValueError(f"power is {shown(power)}; 1 or 2 is needed")
        references = _references(x, seeds[-1], n_references, reference, reference_sets)
        cells: list[Cell] = [
            OwnCell(criterion=criterion, n_clusters=k, references=references, power=int(power),
                    seed=seed, n_starts=n_starts) for k, seed in zip(ks, seeds)]
    else:
        cells = [_cell(own, estimator, k, s, seed, prior_weight, n_resamples)
                 for k, seed in zip(ks, seeds) for s in scales]
    usual = "max" if own.rule == "1se" and not consecutive else own.rule
    places = [(k, s) for k in ks for s in scales]
    groups = ([[j for j, (_, s) in enumerate(places) if s == scale] for scale in scales]
              if race and can_race(cells[0]) else [])
    names = [f"K = {k}" + ("" if math.isnan(s) else f", scale {s:g}") for k, s in places]
    values, failed, warned, stop = _evaluate(cells, groups, names, x, executor, progress)
    missing = sorted({k for (k, _), value in zip(places, values) if value is None and stop},
                     key=ks.index)
    record = _record(criterion, ks, scales, values, rule or usual, missing=tuple(missing),
                     failures=tuple(failed), warnings=tuple(warned))
    if warned:
        with suppress(Warning):   # it is in the record: no filter makes it an error
            warn("; ".join(warned[:3]), ResamplingWarning, stacklevel=2)
    stop.warn()
    return record


cluster_number.__doc__ = (cluster_number.__doc__ or "").replace("{criteria}", in_words())


# -- cells ------------------------------------------------------------------------------------
def _cell(own: Criterion, template: Any, k: int, scale: float, seed: int, prior_weight: float,
          n_resamples: int | None) -> Cell:
    from sklearn.base import clone
    if template is None:
        assert own.clusterer is not None
        estimator = own.clusterer({"prior_weight": prior_weight, "n_resamples": n_resamples})
    else:
        estimator = clone(template)
    parameters = estimator.get_params()
    settings: dict[str, Any] = {}
    # Bagging leaves a clusterer its own number.
    for prefix, each in (("", estimator), ("estimator__", parameters.get("estimator"))):
        if not prefix or hasattr(each, "get_params"):
            if (name := counted(each)) is None:
                raise ValueError(f"{type(each).__name__} has no parameter n_clusters or "
                                 "n_components; the number of clusters cannot be set")
            settings[prefix + name] = k
    if not math.isnan(scale) and (template is None or scale != 1.0 or "scale" in parameters):
        if "scale" not in parameters:
            raise ValueError(f"{type(estimator).__name__} has no parameter scale; leave scale out")
        settings["scale"] = scale
    if "random_state" in parameters:
        # scikit-learn takes seeds below 2^32.
        settings["random_state"] = seed % 2**32
    estimator.set_params(**settings)
    if own.needs == "labels_":
        return LabelsCell(criterion=own.name, estimator=estimator)
    if own.needs == "runs":
        return RunsCell(criterion=own.name, estimator=estimator, seed=seed,
                        n_resamples=100 if n_resamples is None else n_resamples)
    if own.needs == "fit":
        return FitCell(criterion=own.name, estimator=None if k == 1 else estimator)
    if type(estimator).__module__.startswith("sklearn.") and not hasattr(estimator, "steps"):
        name = type(estimator).__name__
        others = " or ".join(repr(c.name) for c in CRITERIA.values()
                             if c.needs in ("labels_", "runs"))
        raise ClusteringError(
            f"criterion={own.name!r} needs memberships and entropies, which {name} does not "
            f"have: bag it with estimator=BaggedClustering(estimator={name}(...)), or choose "
            f"criterion={others}")
    return EntropyCell(criterion=own.name, estimator=estimator)


def _references(x: np.ndarray, seed: int, n_references: Any, reference: str, ready: Any
                ) -> np.ndarray:
    """Reference sets of the gap, (B, n, d)."""
    check_choice("reference", reference, ("pca", "box"))
    if ready is None:
        count = check_whole("n_references", as_index(n_references))
        if count < 2:
            raise ValueError(f"n_references is {count}; at least 2 are needed")
        return draw_references(x, count, reference, np.random.default_rng(seed))
    try:
        references = np.array(ready, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ValueError("reference_sets cannot be read as an array of numbers") from None
    if references.ndim != 3 or references.shape[1:] != x.shape or references.shape[0] < 2:
        raise ValueError(f"reference_sets has shape {references.shape}; (B, {x.shape[0]}, "
                         f"{x.shape[1]}) with B >= 2 is needed")
    if not np.isfinite(references).all():
        raise ValueError("reference_sets has entries that are not finite")
    return references


def _evaluate(cells: list[Any], groups: list[list[int]], names: list[str], x: Any,
              executor: Workers | None, progress: Progress | bool | None
              ) -> tuple[list[CellValue | None], list[str], list[str], Interruption]:
    """Values in order, failures and warnings. Finished cells survive Ctrl-C.

    A failed or missing cell is None.

    The cells of each of the `groups` are compared for early stopping; others run to their end.
    """
    values: list[CellValue | None] = [None] * len(cells)
    failed: dict[int, str] = {}
    warned: list[str] = []
    with (progress_bar(progress, "number of clusters") as show,
          keep_finished("fits", len(cells), lambda: len(cells) - values.count(None),
                        "evaluate the rest in a call of its own, no number is chosen") as stop):
        def add(j: int, outcome: tuple[CellValue, list[str]]) -> None:
            values[j], texts = outcome
            warned.extend(f"{names[j]}: {text}" for text in texts)
            count()

        def fail(failure: ReplicateFailure) -> None:
            failed[failure.replicate] = failure.reason
            count()

        def count() -> None:
            if show is not None:
                show(len(cells) - values.count(None) + len(failed), len(cells))

        try:
            if groups:
                run_race(cells, groups, x, executor, add, fail)
            else:
                run_jobs(partial(observed, x), cells, add, fail=fail, limit_blas=False,
                         executor=executor)
        except (BrokenExecutor, CancelledError) as error:
            why = f"{type(error).__name__}: {str(error) or 'the executor did not run it'}"
            failed |= {j: why for j, value in enumerate(values) if value is None
                       and j not in failed}
    reasons = [f"{names[j]}: {why}" for j, why in failed.items()]
    if not any(values):
        raise ClusteringError("every fit failed: " + "; ".join(reasons[:3]))
    if failed:
        warn("not every number of clusters was evaluated: " + "; ".join(reasons[:3]),
             IncompleteWarning, stacklevel=3)
    return values, reasons, warned, stop


def _record(criterion: str, ks: list[int], scales: list[float],
            values: list[CellValue | None], rule: str, **facts: Any) -> ClusterNumber:
    shape = len(ks), len(scales)
    nothing = CellValue(criterion=math.nan)
    filled = [nothing if value is None else value for value in values]

    def table(name: str) -> np.ndarray:
        return frozen(np.array([getattr(v, name) for v in filled], dtype=float).reshape(shape))

    numbers, errors = table("criterion"), table("mc_error")
    judged = np.where(table("dropped") > 0, math.nan, numbers)
    best = np.array([-1 if facts["missing"] else _best(ks, judged[:, s], errors[:, s], rule)
                     for s in range(shape[1])])
    return ClusterNumber(
        method=criterion, n_clusters=frozen(np.array(ks)), scale=frozen(np.array(scales)),
        criterion=numbers, mc_error=errors, best=int(best[0]) if best[0] > 0 else None,
        best_by_scale=frozen(best), entropy=table("entropy"),
        pairwise_entropy=table("pairwise_entropy"),
        n_resamples=frozen(table("n_resamples").astype(np.int64)),
        pair=frozen(np.array([v.pair for v in filled]).reshape(*shape, 2)), rule=rule, **facts)


def _best(ks: list[int], values: np.ndarray, errors: np.ndarray, rule: str) -> int:
    """The best number of clusters, the first if several are, -1 if there is no value."""
    if np.isnan(values).all():
        return -1
    if rule == "1se":
        place = {k: j for j, k in enumerate(ks) if not np.isnan(values[j])}
        for k in sorted(place):
            following = place.get(k + 1)   # failed: k cannot be judged
            if following is not None and (
                    values[place[k]] >= values[following] - errors[following]):
                return k
        return max(place)
    return ks[int(np.nanargmin(values) if rule == "min" else np.nanargmax(values))]
