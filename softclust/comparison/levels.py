"""`chance_level()`: the exact mean of a measure under a null model."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError
from .._types import ArrayLike, ClusteringLike, FrameLike, NullModel, SourceLike
from ..measures import Measure, get_measure, registry
from ..measures.joint import settled_source
from ..measures.record import unknown_option
from ..measures.statistic import Source
from ..results.frames import frame_first
from ..running.warnings import quiet
from ..tables.contingency import Contingency
from ..tables.entropy import Information
from ..tables.frame_sides import USUAL, Units, read_columns
from ..tables.pair_counts import PairCounts
from ..tables.partition_models import check_model, sides
from ..tables.parts import parts_of
from ..tables.strata import Strata, check_unmodelled
from ..tables.table_moments import pair_moments

__all__ = ["chance_level"]


@frame_first
def chance_level(x: SourceLike | None = None, y: ClusteringLike | None = None,
                 measure: str | None = None, *,
                 data: FrameLike | tuple[FrameLike, FrameLike] | None = None,
                 on: str | Sequence[str] | None = None, model: NullModel = "permutation",
                 fixed: Literal["x", "y"] | None = None,
                 strata: ArrayLike | None = None, **options: Any) -> float:
    r"""Compute the exact mean of a measure under a null model.

    Parameters
    ----------
    x, y : clustering-like
        Two clusterings of the same n >= 2 objects; or x a `Joint` or a `ContingencyTable`, without
        y.
    measure : str
        Name of a measure of two clusterings.
    data, on : optional
        One frame, of which x and y (and strata) name columns, or two with the key `on`; as in
        `compare`.
    model : {"permutation", "number", "all"}
        What is held fixed: "permutation" the sizes of the clusters, "number" their number (all
        partitions into this number of clusters are equally likely), "all" nothing but n.
    fixed : {None, "x", "y"}
        The side that is held fixed under "number" and "all", such as a known truth; None: both
        are random. Under "permutation" it changes nothing, but for a table with weights it names
        the side whose objects keep them.
    strata : array-like, shape (n,), optional
        Stratum of each object: the mean over permutations within strata. Known for measures that
        are linear in the pairs together in both (Rand, adjusted Rand, Fowlkes-Mallows, ...),
        mutual information and variation of information.
    **options
        Options of the measure.

    Returns
    -------
    float
        The mean; nan where the measure is undefined for all partitions of the model.

    Raises
    ------
    ClusteringError
        If both sides are not hard (for "number" and "all"), or the mean would take too long.
    ValueError
        If the mean is not known; `chance` with the same `model` estimates it.
    TypeError
        If `measure` is missing or an option is unknown.

    See Also
    --------
    chance, adjusted_rand_index, adjusted_mutual_information

    Notes
    -----
    .. math::

        \mathrm{E} \, S(x, \pi(y)) \quad \text{over the partitions } \pi(y) \text{ of the model}

    Known for every measure whose chance level `compare` shows under "permutation"; for the Rand
    index and distance, the number of different pairs, mutual information and variation of
    information also under "number" and "all". With weights: the Rand index and distance, the weight
    of different pairs, and `wallace_index` if the weights stay with x. Rand: O(1) for any n.
    Mutual information: one sum of hypergeometric terms for each pair of cluster sizes.

    Theory: docs/theory/tables.md.

    References
    ----------
    A. J. Gates and Y.-Y. Ahn (2017), The impact of random models on clustering similarity,
    Journal of Machine Learning Research 18, 1-28.

    Examples
    --------
    >>> import softclust
    >>> x, y = [0, 0, 1, 2], [0, 1, 1, 1]
    >>> round(softclust.chance_level(x, y, "rand_index"), 6)
    0.5
    >>> round(softclust.chance_level(x, y, "rand_index", model="number"), 6)
    0.547619
    """
    if measure is None:
        raise TypeError("measure is missing; the name of a measure is needed, such as "
                        "'rand_index'")
    check_model(model, fixed)
    policies, units = USUAL, Units.named(None, strata)
    if data is not None or on is not None:
        x, y, policies, units = read_columns(x, y, data, None, policies, units, on)
    source, m = settled_source(x, y, ("x", "y"), policies)[0], get_measure(measure)
    if m.arity != 2:
        raise ValueError(f"{m.name} is a measure of one clustering; it does not depend on the "
                         "order of the objects")
    if unknown := set(options) - set(m.options):
        raise unknown_option(min(unknown), m, chance_level)
    m.check_kinds(source, options)
    if strata is not None:
        check_unmodelled(model, fixed)
        return _stratified(source, m, options, units.strata)
    if model == "permutation":
        return _of_weights(source, m, fixed) if source.weighted else _permuted(source, m, options)
    if source.weighted:
        raise ClusteringError(f'model="{model}" needs counts, not objects with weights')
    if not source.both_hard:
        raise ClusteringError(f'model="{model}" needs two hard clusterings; these are '
                              f"{source.kinds[0]} and {source.kinds[1]}")
    if m.linear != "sums" or any(value != m.defaults[name] for name, value in options.items()):
        raise ValueError(_unknown(m, f', model="{model}"'))
    assert m.statistic is not None
    assert m.formula is not None
    c = source.statistic(Contingency)
    return float(m.formula(m.statistic.modelled(*sides(model, fixed, c.a, c.b, c.n))))


def _unknown(m: Measure, more: str = "") -> str:
    return (f"the mean of {m.name} is not known in closed form{more and ' for this model'}; "
            f'chance(x, y, "{m.name}"{more}) estimates it')


def _permuted(source: Source, m: Measure, options: dict[str, Any]) -> float:
    if m.chance is not None:
        parameters = inspect.signature(m.chance).parameters
        for name, value in options.items():
            if name not in parameters and value != m.defaults[name]:
                raise ValueError(_unknown(m))
    with quiet():   # an undefined mean is nan
        mean = m.mean_permuted(source, options)
    if mean is None:
        raise ValueError(_unknown(m))
    return mean


def _stratified(source: Source, m: Measure, options: dict[str, Any], strata: Any) -> float:
    if any(value != m.defaults[name] for name, value in options.items()) or not (
            m.linear_in_pairs or (m.linear == "sums" and m.statistic is Information)):
        raise ValueError(_unknown(m, ", strata=strata"))
    sums = Strata(parts_of(source, "strata", strata))
    if m.linear_in_pairs:
        low, slope = linear_form(source, m, options)
        return low + slope * sums.mean
    assert m.formula is not None
    return float(m.formula(sums.permuted_information()))


def _of_weights(source: Source, m: Measure, fixed: str | None) -> float:
    """The mean when the labels of the other side are permuted; weights stay with `fixed`."""
    if fixed is None:
        raise ClusteringError('objects have weights: fixed="x" or "y" names the side that keeps '
                              "them when the labels of the other are permuted")
    if m.statistic is not PairCounts or m.linear not in ("sums", "rows")[:1 + (fixed == "x")]:
        # The pairs that the other side joins change their weight with the order, so that indices
        # that divide by it, such as the adjusted Rand index, are not linear.
        known = ", ".join(each.name for each in registry().values()
                          if each.statistic is PairCounts and each.linear == "sums")
        rows = ", ".join(each.name for each in registry().values() if each.linear == "rows")
        raise ClusteringError(f'the mean of {m.name} for objects with weights and fixed="{fixed}" '
                              f'is not known; known are {known}, and with fixed="x" {rows}')
    p = source.statistic(PairCounts)
    counts = source.object_counts()   # type: ignore[attr-defined]
    sizes = counts.sum(axis=0 if fixed == "x" else 1)
    n = source.n_objects
    share = sum(int(v) * (int(v) - 1) for v in sizes) / (n * (n - 1))
    joined = float(p.in_x if fixed == "x" else p.in_y) / float(p.n_pairs)
    assert m.formula is not None
    with quiet():
        value = m.formula(PairCounts.of_shares(
            *((joined, share) if fixed == "x" else (share, joined)), source.n_pairs))
    return float(value)


def linear_form(source: Source, m: Measure, options: dict[str, Any]) -> tuple[float, float]:
    """Intercept and slope of a measure that is linear in n11, for these cluster sizes."""
    p = source.statistic(PairCounts)
    largest = min(p.in_x, p.in_y)
    if not largest or p.n_pairs in (p.in_x, p.in_y):   # the same n11 for every order
        return float(m.evaluate(source, options)), 0.0
    assert m.formula is not None
    settings = m.options_of("formula", options)
    ends = [float(m.formula(p.permuted(n11), **settings)) for n11 in (0, largest)]
    return ends[0], (ends[1] - ends[0]) / largest


def linear_moments(source: Source, m: Measure, options: dict[str, Any]
                   ) -> tuple[float, float, float]:
    """Exact mean, standard deviation and skewness of a measure that is linear in n11."""
    c = source.statistic(Contingency)
    moments = source.kept("moments of n11", lambda: pair_moments(c.a, c.b))
    slope = linear_form(source, m, options)[1]
    mean = m.mean_permuted(source, options)
    assert mean is not None
    return mean, abs(slope) * moments.sd, moments.skewness * float(np.sign(slope) or 1.0)
