"""Transport between clusterings.

Transport dissimilarities: soft clusterings as laws of hard ones, moved at least cost.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..._checks import ClusteringError, check_alpha, check_choice, check_level, check_whole, shown
from ...clusterings import Clustering
from ...measures import KINDS, Answer, Claim, get_measure, measure, value_of
from ...measures.joint import Joint
from ...measures.statistic import Source
from ...memberships.joint_table import as_alpha_rand
from ...results.records import Interval
from ...running.warnings import warn
from ...tables.contingency import Contingency
from ...tables.matching import most_matched
from ...tables.pair_counts import PairCounts
from .plan import PLAN, EndState, not_cheap, solve
from .problem import NESTED, Limits, Problem, RandomSide, Report, Sampling, solvers
from .result import InexactWarning, SamplingBiasWarning, TransportResult

if TYPE_CHECKING:
    import pandas as pd

    from ..._types import RNG, ArrayLike, ClusteringLike, EmptyMass, SourceLike, TransportMethod

METHODS = ("auto", "exact", "certified", "montecarlo", "sample", "enumerate")
#: statuses of a stopped computation, the most informative first
STATUSES = ("cancelled", "time_limit", "max_nodes", "max_states")
#: pairs of labellings up to which "auto" lists them for another base distance: some seconds
_FEW_PAIRS = 20_000
Base = str | Callable[[Any, Any], float]


_LONG = ("the measure offers no form for resampled objects, and each of its evaluations may be "
         "long; alpha_rand_interval and alpha_partition_interval have limits")


def _shown(result: TransportResult) -> Interval:
    """The interval that `compare()` lists: the ends, or their certificates where not exact."""
    return Interval(result.lower if result.exact_lower else result.lower_low,
                    result.upper if result.exact_upper else result.upper_high)


def _worth_showing(base: str) -> Callable[[Source], str]:
    def reason(source: Source) -> str:
        joint = source.objects
        if any(side.has_empty_mass for side in (joint.x, joint.y)):
            return "a side has mass on the empty set"
        return not_cheap(_problem(joint, base, 0.5, Sampling(), "error"))
    return reason


# -- the walk ---------------------------------------------------------------------------------
def _transport(source: Source, *, sense: str, base: Base, alpha: float, method: str,
               normalize: str, possibilistic: str, tol: float, max_states: int, max_nodes: int,
               time_limit: float | None, n_draws: int | None, n_inner: int,
               target_se: float | None, level: float, rng: Any, uniforms: Any,
               progress: Any) -> TransportResult:
    start, alpha = time.monotonic(), check_alpha(alpha)
    check_choice("method", method, METHODS)
    distance, reach = _base(base, method)
    if not source.has_objects and isinstance(distance, str) and method in METHODS[:3]:
        return _of_table(source, sense, str(base), alpha, method, start)
    joint = source.objects
    sampling = _sampling(joint, n_draws, n_inner, target_se, level, rng, uniforms)
    limits = _limits(tol, max_states, max_nodes, time_limit, start)
    problem = _problem(joint, distance if isinstance(distance, str) else "callable", alpha,
                       sampling, normalize, reach)
    from .problem import reporting
    with reporting(progress) as limits.report:
        if check_choice("possibilistic", possibilistic, ("independent", "nested")) == "nested":
            states = _nested_ends(problem, distance, method, limits)
        else:
            states = _ends(problem, distance, method, limits)
    return _result(joint, problem, states, sense=sense, base=base, method=method,
                   seconds=time.monotonic() - start)


def _ends(problem: Problem, distance: Base, method: str, limits: Limits) -> dict[str, EndState]:
    """Both ends and the value by the method; other bases choose between listing and drawing."""
    from .focal_transport import count_choices, enumerate_ends
    from .monte_carlo import sample_ends
    if method == "auto" and not isinstance(distance, str):
        pairs = count_choices(problem.x) * count_choices(problem.y)
        few = pairs <= _FEW_PAIRS or problem.sampling.n_draws == 0
        method = "enumerate" if few else "sample"
    if method in ("enumerate", "sample"):
        return (enumerate_ends if method == "enumerate" else sample_ends)(problem, distance, limits)
    for end, names in PLAN[(*problem.kinds, problem.base)].items():
        if method == "montecarlo" and not any(solvers()[name].guarantee == "unbiased"
                                              for name in names):
            why = ("transport is an optimisation when both sides are soft, and sampled transport "
                   "is biased upwards" if not problem.point_mass else
                   "nothing is random" if problem.y.kind in ("hard", "rough") else
                   f"its {end} end has no exact inner solution")
            raise ValueError(f"method='montecarlo' does not support {problem.x.given_kind} against "
                             f"{problem.y.given_kind} clusterings, base {problem.base!r}: {why}; "
                             "use 'auto' or 'certified'")
    return solve(problem, method, limits)


def _nested_ends(problem: Problem, distance: Base, method: str, limits: Limits
                 ) -> dict[str, EndState]:
    """The ends where possibilistic sides are few nested rough clusterings (eq. 13, minimum).

    Each pair of these is a problem without random sides; what they cost is transported.
    """
    from .focal_transport import least_cost
    if method in ("sample", "montecarlo"):
        raise ValueError(f"method={method!r} draws each object by itself; possibilistic='nested' "
                         "has 'auto', 'exact', 'certified' and 'enumerate'")
    (p, x), (q, y) = problem.x.nested(), problem.y.nested()
    pairs = [[_ends(replace(problem, x=a, y=b), distance,
                    "enumerate" if method == "auto" and not isinstance(distance, str) else method,
                    limits) for b in y] for a in x]
    states = {}
    for end in ("lower", "upper", "value"):
        row = [[pair[end] for pair in line] for line in pairs]
        low, high = (least_cost(p, q, np.array([[getattr(state, side) for state in line]
                                                for line in row]), Limits())
                     for side in ("low", "high"))
        found = [state for line in row for state in line]
        states[end] = EndState(
            low=low.low, high=high.high, solver=found[0].solver,
            n_states=sum(state.n_states for state in found),
            n_nodes=sum(state.n_nodes for state in found),
            status=next((state.status for state in found if state.status != "ok"), "ok"),
            notes=list(dict.fromkeys(note for state in found for note in state.notes)))
    return states


def _of_table(source: Source, sense: str, base: str, alpha: float, method: str, start: float
              ) -> TransportResult:
    """The base distance of the two hard clusterings of a table."""
    c = source.statistic(Contingency)
    if base == "rand":
        pairs = source.statistic(PairCounts)
        solver, raw, scale = "table", float(pairs.n10 + pairs.n01), float(pairs.n_pairs)
    else:
        if source.weighted:
            raise ClusteringError('base="partition" divides by the number of objects - 1, which '
                                  'has no counterpart for weights; base="rand" has')
        solver, raw, scale = "assignment", float(c.n - most_matched(c)), float(c.n - 1)
    value = raw / scale if sense == "dissimilarity" else 1.0 - raw / scale
    numbers: dict[str, Any] = {f"{end}{what}": value for end in ("lower", "upper", "value")
                               for what in ("", "_low", "_high")}
    return TransportResult(
        **numbers, exact_lower=True, exact_upper=True, exact_value=True, base=base, alpha=alpha,
        sense=sense, method=method, method_lower=solver, method_upper=solver,
        n_objects=source.n_objects, kinds=source.kinds, seconds=time.monotonic() - start,
        n_nodes=0, n_states=0, status="ok")


def _base(base: Base, method: str) -> tuple[Base, tuple[float, float]]:
    """"rand", "partition", or the dissimilarity of two arrays of labels; and its range."""
    if isinstance(base, str) and base in ("rand", "partition"):
        return base, (0.0, 1.0)
    if not isinstance(base, str) and not callable(base):
        raise TypeError(f"base is {shown(base)}; 'rand', 'partition', the name of a registered "
                        "measure of hard clusterings or a function of two arrays of labels is "
                        "needed")
    if method in ("exact", "certified", "montecarlo"):
        raise ValueError(f"base={shown(base)} with method={shown(method)}: proofs exist for "
                         "'rand' and 'partition'; other bases need method='auto', 'enumerate' or "
                         "'sample'")
    if not isinstance(base, str):
        return base, (-math.inf, math.inf)
    m = get_measure(base)
    if m.arity != 2 or "hard" not in m.kinds or m.shown is not None:
        raise ValueError(f"base={shown(base)} is not a measure of two hard clusterings with a "
                         "number as its value")
    low, high = m.bounds if isinstance(m.bounds, tuple) else (None, None)
    low, high = -math.inf if low is None else low, math.inf if high is None else high
    if m.sense == "dissimilarity":
        return m.function, (low, high)

    def dissimilarity(a: Any, b: Any) -> float:
        return 1.0 - float(m.function(a, b))
    return dissimilarity, (1.0 - high, 1.0 - low)


def _problem(joint: Joint, base: str, alpha: float, sampling: Sampling, normalize: str,
             reach: tuple[float, float] = (0.0, 1.0)) -> Problem:
    check_choice("normalize", normalize, ("error", "dempster", "yager"))

    def side(name: str, clustering: Clustering) -> RandomSide:
        if clustering.has_empty_mass:
            if normalize == "error":
                what = ("row maxima below 1" if clustering.kind == "possibilistic"
                        else "mass on the empty set")
                raise ClusteringError(
                    f"{name} has {what}, and no hard clustering is compatible with the empty set; "
                    "normalise it openly: normalize='dempster' or 'yager', or "
                    f"{name}.normalize(rule) first")
            clustering = clustering.normalize("yager" if normalize == "yager" else "dempster")
        return RandomSide(clustering)

    sides = joint.kept((RandomSide, normalize), lambda: (side("x", joint.x), side("y", joint.y)))
    return Problem(x=sides[0], y=sides[1], base=base, alpha=alpha, sampling=sampling,
                   reach=reach)


def _sampling(joint: Joint, n_draws: Any, n_inner: Any, target_se: Any, level: Any,
              rng: Any, uniforms: Any) -> Sampling:
    n_draws = None if n_draws is None else check_whole("n_draws", n_draws, 0)
    n_inner = check_whole("n_inner", n_inner)
    if target_se is not None and not target_se > 0:
        raise ValueError(f"target_se is {shown(target_se)}; a number > 0 or None is needed")
    ready = None
    if uniforms is not None:
        ready = np.ascontiguousarray(uniforms, dtype=np.float64)
        if ready.ndim != 2 or ready.shape[1] != joint.n_objects or not ready.shape[0]:
            raise ValueError(f"uniforms has shape {ready.shape}; one row per draw and "
                             f"{joint.n_objects} columns, one per object, are needed")
        if not ((ready >= 0.0) & (ready < 1.0)).all():
            raise ValueError("uniforms must lie in [0, 1)")
        n_draws = ready.shape[0]
    return Sampling(n_draws=n_draws, n_inner=n_inner, target_se=target_se,
                    level=check_level(level), rng=rng, uniforms=ready)


def _limits(tol: Any, max_states: Any, max_nodes: Any, time_limit: Any, start: float) -> Limits:
    if not tol >= 0:
        raise ValueError(f"tol is {shown(tol)}; a number >= 0 is needed")
    if time_limit is not None and not time_limit > 0:
        raise ValueError(f"time_limit is {shown(time_limit)}; seconds > 0 or None are needed")
    return Limits(max_states=check_whole("max_states", max_states),
                  max_nodes=check_whole("max_nodes", max_nodes), tol=float(tol),
                  deadline=math.inf if time_limit is None else start + float(time_limit))


# -- the record -------------------------------------------------------------------------------
def _result(joint: Joint, problem: Problem, states: dict[str, EndState], *, sense: str,
            base: Base, method: str, seconds: float) -> TransportResult:
    fields: dict[str, Any] = {}
    for end, state in states.items():
        name = end
        if sense == "agreement" and end != "value":
            name = "upper" if end == "lower" else "lower"
        biased = state.draws is not None and state.draws.solver == NESTED
        for key, value in _scaled(problem, state, sense, biased=biased).items():
            fields[key.format(name)] = value
        if end != "value":
            fields[f"method_{name}"] = _methods(state)
    hit = [s.status for s in states.values()]
    status = next((name for name in STATUSES if name in hit), "ok")
    distinct = {id(s): s for s in states.values()}.values()
    notes = tuple(dict.fromkeys(note for s in distinct for note in s.notes))
    lines = []
    if any(s.draws is not None and s.draws.solver == NESTED for s in states.values()):
        lines.append("nested sampling as in the paper: the extremes of inner draws are too narrow "
                     "and sampled transport is biased upwards"
                     + ("; the bounds are proved" if problem.base != "callable" else
                        "; method='enumerate' is exact"))
        warn(lines[-1], SamplingBiasWarning, stacklevel=4)
    if status != "ok":
        lines.append(f"{status} was hit: the bounds hold, and a value without draws is their "
                    "middle")
        warn(lines[-1], InexactWarning, stacklevel=4)
    drawn = [s.draws for s in distinct if s.draws is not None]
    return TransportResult(
        **fields, base=base if isinstance(base, str) else getattr(base, "__name__", "callable"),
        alpha=problem.alpha, sense=sense, method=method,
        n_draws=max((d.n_draws for d in drawn), default=0),
        n_unsolved=max((d.n_unsolved for d in drawn), default=0),
        n_states=sum(s.n_states for s in distinct), n_nodes=sum(s.n_nodes for s in distinct),
        seconds=seconds, status=status, notes=notes, warnings=tuple(lines),
        n_objects=problem.n, kinds=(joint.x.kind, joint.y.kind))


def _methods(state: EndState) -> str:
    if state.draws is None or state.low == -math.inf:
        return state.solver if state.draws is None else state.draws.solver
    return f"{state.draws.solver}, bounds {state.solver}"


def _scaled(problem: Problem, state: EndState, sense: str, *, biased: bool) -> dict[str, Any]:
    """Fields of one end, named with a placeholder for its name, in [0, 1]. Biased draws, where
    requested, are reported as they are, next to the proved bounds.
    """
    def unit(raw: float) -> float:
        return raw / problem.most if sense == "dissimilarity" else 1.0 - raw / problem.most

    low, high = sorted((unit(state.low), unit(state.high)))
    exact = state.width <= 4 * problem.rounding and not biased
    point, se, ci = (low + high) / 2 if low != high else low, math.nan, None
    if state.draws is not None and not exact:
        draws = state.draws
        estimate = unit(draws.estimate)
        point = estimate
        if not biased and not math.isnan(estimate):
            point = min(max(estimate, low), high)
        se = draws.se / problem.most
        if draws.ci is not None:
            a, b = sorted(unit(v) for v in draws.ci)
            ci = (a, b)
    return {"{}": point, "{}_low": low, "{}_high": high, "exact_{}": exact, "{}_se": se,
            "{}_ci": ci}


# -- doors --------------------------------------------------------------------------------------
@measure(
    driver=partial(_transport, sense="dissimilarity"),
    sense="dissimilarity", kinds=KINDS, bounds=(0.0, 1.0),
    properties=(
        "symmetric", "relabelling-invariant",
        Claim(name="pseudo-metric", options={"alpha": (1.0,)},
              condition="alpha = 1; relaxed by (1 + alpha)/(2 alpha) below"),
    ),
    cost="O(n + c^2) to exponential: transport_methods()",
    source="Campagner, Ciucci, Denoeux 2023, eq. 14 and 15",
    in_compare=_worth_showing("partition"), listed_for="soft", shown=_shown, no_limits=_LONG,
    compare_options={"base": "partition"},
    weight_degree=0,
    answers=(Answer("metric", 6, "pseudo-metric with alpha=1"),),
)
def transport_dissimilarity(x: SourceLike, y: ClusteringLike | None = None, *, base: Base = "rand",
                            alpha: float = 0.5, method: TransportMethod = "auto",
                            normalize: EmptyMass = "error",
                            possibilistic: Literal["independent", "nested"] = "independent",
                            tol: float = 1e-6, max_states: int = 2_000_000,
                            max_nodes: int = 10_000_000, time_limit: float | None = None,
                            n_draws: int | None = None,
                            n_inner: int = 20, target_se: float | None = None, level: float = 0.95,
                            rng: RNG = None, uniforms: ArrayLike | None = None,
                            progress: Report | bool | None = False) -> TransportResult:
    r"""Smallest mean distance of the random hard clusterings that two clusterings represent.

    Every kind of clustering is read as independent random label sets, one per object: a fuzzy
    membership draws one label, a rough set leaves its labels open, a mass function draws the set.
    Two random rough clusterings are compared by the closest (alpha = 0) and by the farthest,
    Hausdorff, choice of labels (alpha = 1), and their laws are coupled at least cost.

    Parameters
    ----------
    x, y : clustering-like
        Any two clusterings of the same n >= 2 objects; or a `Joint` as x and no y.
    base : {"rand", "partition"}, str or callable, optional
        Distance of two hard clusterings: 1 - Rand index; moved objects / (n - 1). `compare` lists
        "partition", and "rand" as `transport_rand_index`. Also the name of any registered measure
        of hard clusterings (of an agreement, 1 - value) or a function of two arrays of labels, by
        the methods "auto", "enumerate" and "sample".
    alpha : float in [0, 1], optional
        Weight of the farthest choice in `value`; `lower` and `upper` do not depend on it.
    method : {"auto", "exact", "certified", "montecarlo", "sample", "enumerate"}, optional
        "auto" follows the decision table: exact where feasible, else certificates, together with
        unbiased draws where a side is hard or rough. For another `base` it enumerates up to 20,000
        pairs of labellings, else it draws: without bias, and with a standard error, where a side is
        hard or rough and a drawn clustering has up to 64 labellings; it warns of bias otherwise.

        "exact": only exact algorithms. "certified": only proved bounds. "montecarlo": draws with
        exact inner solutions. "sample": the nested sampling of the paper, biased. "enumerate": the
        definition by brute force, for tiny inputs.
    normalize : {"error", "dempster", "yager"}, optional
        What to do with mass on the empty set: raise, or normalise by this rule first.
    possibilistic : {"independent", "nested"}, optional
        Typicalities as masses of each object by itself (eq. 11), or as a possibility of whole
        clusterings, the smallest typicality of any object (eq. 13 with the minimum): the sets of
        all objects are cut at the same level. For the latter both sides are hard, rough or
        possibilistic.
    tol : float, optional
        Width at which a certificate is narrow enough.
    max_states, max_nodes : int, optional
        States of exact enumerations; nodes of a branch and bound.
    time_limit : float, optional
        Seconds after which the bounds proved so far are returned.
    n_draws : int, optional
        Largest number of draws; 0 forbids sampling in "auto". By default 4000; for "sample" 1000,
        and 100 per side when both sides are soft (every pair of draws is compared).
    n_inner : int, optional
        Labellings drawn inside each focal clustering, for "sample".
    target_se : float, optional
        Stop drawing at this standard error.
    level : float in (0, 1), optional
        Level of the confidence intervals of estimates.
    rng : None, int or numpy Generator, optional
        Seed or Generator of the draws.
    uniforms : array, shape (n_draws, n), optional
        Ready uniforms in [0, 1) instead of `rng`: row by row, one for each object.
    progress : bool or callable, optional
        True for a bar; or ``progress(fraction, text)``, which cancels by returning False.

    Returns
    -------
    TransportResult
        `lower`, `upper`, `value`, each with certificate, exactness and standard error.

    Raises
    ------
    ClusteringError
        If the objects differ, or a side has mass on the empty set and `normalize` is "error".
    ValueError
        If an option is out of range, or the method does not support these kinds.

    Warns
    -----
    InexactWarning
        If a limit was hit: the bounds hold, and the value between them is their middle.
    SamplingBiasWarning
        If draws are biased: always for ``method="sample"`` with the bases "rand" and "partition".

    See Also
    --------
    transport_rand_index
    expected_index
    alpha_partition_interval

    Notes
    -----
    .. math:: \min \mathrm{E} \, d_\alpha(R, R'), \quad d_\alpha = (1 - \alpha) d_0 + \alpha d_1

    with the minimum over couplings of the laws of two random rough clusterings R and R'; d0
    forgives ambiguity, d1 counts it as error.

    It is a metric on sets of hard clusterings only for alpha = 1; for smaller alpha the triangle
    inequality is relaxed by the factor (1 + alpha)/(2 alpha), which is attained (the paper's
    theorem 3.1 is false). Ctrl-C returns what is proved so far, with status "cancelled".
    `transport_methods` lists the algorithms for every pair of kinds with their costs. No R package
    computes these values.

    With alpha = 1 sets of clusterings are compared: two identical rough clusterings with unknown
    objects are alike. The interval is the range over all ways to fill in missing labels only where
    the other side is complete; `completion_bounds` gives that range.

    Theory: docs/theory/transport.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
    soft clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 1, 1, 2, 0]
    >>> rough = softclust.RoughClustering.from_upper(
    ...     [[1, 0, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 1, 1]])
    >>> result = softclust.transport_dissimilarity(truth, rough)
    >>> result.lower, result.upper, result.value, result.exact
    (0.0, 0.5, 0.25, True)
    """
    return value_of(transport_dissimilarity, x, y, base=base, alpha=alpha, method=method,
                    normalize=normalize, possibilistic=possibilistic, tol=tol,
                    max_states=max_states, max_nodes=max_nodes, time_limit=time_limit,
                    n_draws=n_draws, n_inner=n_inner, target_se=target_se, level=level, rng=rng,
                    uniforms=uniforms, progress=progress)


@measure(
    driver=partial(_transport, sense="agreement"),
    sense="agreement", kinds=KINDS, bounds=(0.0, 1.0),
    properties=(
        "symmetric", "relabelling-invariant",
        Claim(name="reduces-to", target="rand_index", condition="base 'rand'"),
    ),
    cost="O(n + c^2) to exponential: transport_methods()",
    source="Campagner, Ciucci, Denoeux 2023, eq. 14 and 15",
    in_compare=_worth_showing("rand"), listed_for="soft", shown=_shown, no_limits=_LONG,
    weight_degree=0,
    answers=(Answer("ambiguity", 3, "distributions over hard clusterings; marks exact ends"),),
    place=14, same_as=as_alpha_rand,
)
def transport_rand_index(x: SourceLike, y: ClusteringLike | None = None, *, base: Base = "rand",
                         alpha: float = 0.5, method: TransportMethod = "auto",
                         normalize: EmptyMass = "error",
                         possibilistic: Literal["independent", "nested"] = "independent",
                         tol: float = 1e-6, max_states: int = 2_000_000,
                         max_nodes: int = 10_000_000, time_limit: float | None = None,
                         n_draws: int | None = None,
                         n_inner: int = 20, target_se: float | None = None, level: float = 0.95,
                         rng: RNG = None, uniforms: ArrayLike | None = None,
                         progress: Report | bool | None = False) -> TransportResult:
    r"""1 - transport dissimilarity: the Rand index extended to soft clusterings.

    Parameters
    ----------
    x, y : clustering-like
        Any two clusterings of the same n >= 2 objects; or a `Joint` as x and no y.
    base, alpha, method, normalize, possibilistic, tol, max_states, max_nodes, time_limit : optional
        As in `transport_dissimilarity`.
    n_draws, n_inner, target_se, level, rng, uniforms, progress : optional
        As in `transport_dissimilarity`.

    Returns
    -------
    TransportResult
        As for `transport_dissimilarity`, with every number 1 - d and the ends exchanged: `lower`
        counts ambiguity as error, `upper` forgives it.

    Raises
    ------
    ClusteringError, ValueError
        As for `transport_dissimilarity`.

    See Also
    --------
    transport_dissimilarity
    alpha_rand_interval

    Notes
    -----
    .. math::

        1 - \min \mathrm{E} \, d_\alpha(R, R'), \quad d_\alpha = (1 - \alpha) d_0 + \alpha d_1

    with the minimum over couplings of the laws of two random rough clusterings R and R'; d0
    forgives ambiguity, d1 counts it as error.

    With Rand_alpha the `alpha_rand_index` and d0, d1 the two ends of `transport_dissimilarity`, 1
    - d1 <= 1 - d0 <= Rand_0 always holds. Rand_1 <= 1 - d0 (theorem 4.1 of the paper) is false
    when both sides are soft. Cost and methods as in `transport_dissimilarity`.

    With alpha = 1 sets of clusterings are compared: two identical rough clusterings with unknown
    objects are alike. The interval is the range over all ways to fill in missing labels only where
    the other side is complete; `completion_bounds` gives that range.

    Theory: docs/theory/transport.md.

    References
    ----------
    A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
    soft clusterings, Information Sciences 623, 70-93.

    Examples
    --------
    >>> import softclust
    >>> truth = [0, 1, 1, 2, 0]
    >>> fuzzy = [[1, 0, 0], [0, 1, 0], [0, .5, .5], [0, 0, 1], [.25, .5, .25]]
    >>> softclust.transport_rand_index(truth, fuzzy).value
    0.7125
    """
    return value_of(transport_rand_index, x, y, base=base, alpha=alpha, method=method,
                    normalize=normalize, possibilistic=possibilistic, tol=tol,
                    max_states=max_states, max_nodes=max_nodes, time_limit=time_limit,
                    n_draws=n_draws, n_inner=n_inner, target_se=target_se, level=level, rng=rng,
                    uniforms=uniforms, progress=progress)


def transport_methods() -> pd.DataFrame:
    """Table of the transport algorithms for each pair of kinds, with their guarantees.

    Returns
    -------
    pandas.DataFrame
        One row per pair of kinds, base, end and algorithm, in the order they are tried: guarantee,
        cost, meaning. "evidential" includes possibilistic; memberships of 0 and 1 are hard.

    See Also
    --------
    transport_dissimilarity, transport_rand_index

    Examples
    --------
    >>> import softclust
    >>> table = softclust.transport_methods()
    >>> table[(table.x == "hard") & (table.y == "rough") & (table.base == "rand")].method.tolist()
    ['type_search', 'coupling_descent', 'box_search', 'size_chords', 'selection_bound']
    """
    import pandas as pd
    records = []
    for (a, b, base), row in PLAN.items():
        for end, names in row.items():
            for name in names:
                s = solvers()[name]
                records.append({"x": a, "y": b, "base": base, "end": end, "method": name,
                                "guarantee": s.guarantee, "cost": s.cost, "meaning": s.meaning})
    return pd.DataFrame(records)
