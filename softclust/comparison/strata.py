"""`agreement_by_strata()`: the part of the agreement of two clusterings that strata explain."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, check_level, frozen
from .._types import ArrayLike, ClusteringLike, FrameLike
from ..measures.joint import as_source
from ..measures.statistic import Source
from ..results.frames import frame_first
from ..results.records import Columns, Drawn, Record
from ..results.summary import SummaryTable, right
from ..results.text import amount
from ..running.warnings import quiet
from ..tables.frame_sides import frame_columns
from ..tables.parts import names_of, part_codes, parts_of
from ..tables.strata import Strata

_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class StrataAgreement(Drawn, Record):
    """Agreement of two clusterings, by stratum and beyond the strata; see `agreement_by_strata`.

    Attributes
    ----------
    total : float
        The adjusted Rand index of all objects.
    from_strata : float
        The part of it that is expected when x and y are independent within strata.
    beyond : float
        ``total - from_strata``.
    adjusted : float
        The index corrected within strata: 0 on average if x and y are independent within strata,
        1 for equal partitions; nan if the strata determine both.
    joined_within, joined_between : int
        Pairs together in both, from the same stratum and from two strata.
    expected_within, expected_between : float
        Their means when y is permuted within strata.
    sd, z : float
        Standard deviation of the number of pairs together in both under these permutations, and the
        distance of the observed number from its mean in these units; nan if nothing varies.
    names : tuple of str
        Names of the H strata.
    sizes : ndarray, shape (H,), int64
        Numbers of objects.
    values : ndarray, shape (H,)
        The adjusted Rand index of each stratum; nan for one object.
    expected : ndarray, shape (H,)
        Mean of the pairs together in both inside each stratum.
    weights : ndarray, shape (H,)
        Weights with which the mean of `values` is the index of pairs within strata.
    low, high : ndarray, shape (H,), or None
        Confidence limits of `values`, nan where none is known to cover; None without ``ci``.
    difference : (float, float, float) or None
        Of two strata, the first value minus the second, and its limits; None without ``ci``, and
        for more strata.
    level : float
        Confidence level of the limits.
    notes : tuple of str

    Notes
    -----
    ``to_frame()``: one row per stratum. Indexed by stratum: size, value, expected, weight, and
    with limits ci_low and ci_high.

    Examples
    --------
    >>> import softclust
    >>> softclust.agreement_by_strata([0, 0, 1, 1], [0, 0, 1, 2], ["a", "a", "b", "b"])
    StrataAgreement(4 objects in 2 strata, total 0.5714, adjusted 0.0000)
    >>> batch = ["a", "a", "b", "b"]
    >>> print(softclust.agreement_by_strata([0, 0, 1, 1], [0, 0, 1, 2], batch).summary())
    adjusted Rand index 0.5714, of which the strata explain 0.5714: all of the agreement ...
    """

    _chart = "plot_strata"

    total: float
    from_strata: float
    beyond: float
    adjusted: float
    joined_within: int
    joined_between: int
    expected_within: float
    expected_between: float
    sd: float
    z: float
    names: tuple[str, ...]
    sizes: Annotated[np.ndarray, "i names >=0"]
    values: Annotated[np.ndarray, "f names"]
    expected: Annotated[np.ndarray, "f names"]
    weights: Annotated[np.ndarray, "f names"]
    low: Annotated[np.ndarray | None, "f names"] = None
    high: Annotated[np.ndarray | None, "f names"] = None
    difference: Annotated[tuple[float, ...] | None, "3"] = None
    level: float = 0.95
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return (f"StrataAgreement({int(self.sizes.sum())} objects in {len(self)} strata, total "
                f"{amount(self.total)}, adjusted {amount(self.adjusted)})")

    @property
    def answer(self) -> str:
        """The result in one sentence."""
        total = f"adjusted Rand index {amount(self.total)}"
        if not self.total > 0.0:
            return f"{total}: no agreement that strata could explain"
        share = 100 * self.from_strata / self.total
        what = ("all" if share >= 99.5 else "none" if share <= 0.5 else f"{share:.0f} %")
        return (f"{total}, of which the strata explain {amount(round(self.from_strata, 4))}: "
                f"{what} of the agreement follows the strata")

    def _table(self) -> SummaryTable:
        z = "undefined" if math.isnan(self.z) else f"{self.z:.1f}"
        notes = [f"Corrected within strata: {amount(self.adjusted)} (z = {z} when y "
                 "is permuted within strata).",
                 f"Pairs together in both: {self.joined_within} within and {self.joined_between} "
                 f"between strata; {self.expected_within:.1f} and {self.expected_between:.1f} are "
                 "expected."]
        limits = {}
        if self.low is not None and self.high is not None:
            limits = {f"{100 * self.level:g} % CI": right(
                "" if math.isnan(low) else f"{low:.3f} to {high:.3f}"
                for low, high in zip(self.low, self.high))}
        if self.difference is not None:
            value, low, high = self.difference
            text = "" if math.isnan(low) else f" ({low:.3f} to {high:.3f})"
            notes.insert(0, f"{self.names[0]} minus {self.names[1]}: {value:.3f}{text}.")
        return SummaryTable.of(
            {"stratum": self.names, "objects": self.sizes,
             "adjusted_rand_index": right(self.values, amount), **limits,
             "weight": right(self.weights, ".1f")}, title=self.answer,
            notes=[*notes, *(f"Note: {note}." for note in self.notes)])

    def _frame(self) -> Columns:
        limits = {} if self.low is None else {"ci_low": self.low, "ci_high": self.high}
        return Columns({"size": self.sizes, "value": self.values, "expected": self.expected,
                        "weight": self.weights, **limits}, {"stratum": self.names})


@frame_first
def agreement_by_strata(x: ClusteringLike, y: ClusteringLike, strata: ArrayLike, *,
                        data: FrameLike | None = None,
                        measure: Literal["adjusted_rand_index"] = "adjusted_rand_index",
                        ci: Literal["jackknife"] | None = None, level: float = 0.95,
                        groups: ArrayLike | None = None) -> StrataAgreement:
    r"""Split the agreement of two clusterings into a part explained by strata and the rest.

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects.
    strata : array-like, shape (n,)
        Stratum of each object: batch, site, plate.
    data : data frame, optional
        Frame of which x, y and strata name columns.
    measure : str
        Name of the measure; "adjusted_rand_index" is the only one.
    ci : {"jackknife"}, optional
        Confidence limits of each stratum, and for two strata of the difference.
    level : float in (0, 1)
        Confidence level.
    groups : array-like, shape (n,), optional
        Group of each object (a patient's cells, a rater's texts): groups are sampled, not objects.

    Returns
    -------
    StrataAgreement

    Raises
    ------
    ClusteringError
        If a side is not hard, or a stratum is missing.
    ValueError
        If the measure is another one.

    Warns
    -----
    UndefinedMeasureWarning
        If the strata determine both clusterings: `adjusted` is nan.

    See Also
    --------
    adjusted_rand_index : with ``strata=`` the index beyond the strata.
    chance : with ``strata=`` a p-value.
    conditional_mutual_information

    Notes
    -----
    With E0 the mean of the pairs together in both when y is permuted, and E its mean when y is
    permuted within strata,

    .. math:: \text{from\_strata} = \frac{E - E_0}{(P + Q)/2 - E_0}, \quad
              1 - \text{total} = (1 - \text{from\_strata}) (1 - \text{adjusted})

    so the distance from perfect agreement factorises. Pairs of *different* strata agree by
    confounding, too: E has a part for them, which a correction inside each stratum leaves in
    place. Limits are those of `compare` for the objects of a stratum. Strata are independent
    samples, so those of the difference d = a - b are (Zou and Donner 2008)

    .. math:: d - \sqrt{(a - l_a)^2 + (u_b - b)^2}, \quad d + \sqrt{(u_a - a)^2 + (b - l_b)^2}

    Time O(n) and, for the sd, O(H^2 (r + s)) for H strata.

    Theory: docs/theory/dependence.md.

    References
    ----------
    W. G. Cochran (1954), Some methods for strengthening the common chi-squared tests, Biometrics
    10, 417-451.
    G. Y. Zou, A. Donner (2008), Construction of confidence limits about effect measures: a general
    approach, Statistics in Medicine 27, 1693-1702.

    Examples
    --------
    Both labellings follow the batch, and nothing else:

    >>> import softclust
    >>> batch = ["a"] * 8 + ["b"] * 8
    >>> x = [0, 0, 0, 0, 0, 0, 0, 1] + [1, 1, 1, 1, 1, 1, 1, 0]
    >>> y = [0, 0, 0, 0, 0, 0, 1, 0] + [1, 1, 1, 1, 1, 1, 0, 1]
    >>> found = softclust.agreement_by_strata(x, y, batch)
    >>> round(found.total, 3), round(found.from_strata, 3), round(found.adjusted, 3)
    (0.196, 0.282, -0.12)
    """
    check_choice("measure", measure, ("adjusted_rand_index",))
    if data is not None:
        x, y, strata, *named = frame_columns(
            data, [x, y, strata, *([] if groups is None else [groups])])
        groups = named[0] if named else None
    source = as_source(x, y)
    s = Strata(parts_of(source, "strata", strata))
    joined, p, q, pairs = s.totals
    plain = p * q / pairs
    room = (p + q) / 2 - plain
    total = (joined - plain) / room if room else 1.0
    from_strata = (s.mean - plain) / room if room else math.nan
    adjusted = s.adjusted_rand()
    inside = round(float(s.joined.sum()))
    variance = s.variance
    sd = math.sqrt(variance) if variance > _ROUNDING * max(1.0, s.mean) else 0.0
    weights = (s.in_x + s.in_y) / 2 - s.expected
    equal = (s.joined == s.in_x) & (s.joined == s.in_y)
    values = np.where(equal, 1.0, np.divide(s.joined - s.expected, weights,
                                            out=np.full(weights.shape, np.nan),
                                            where=weights > 0))
    values[s.sizes < 2] = np.nan
    low = high = difference = None
    notes: list[str] = []
    if ci is not None or groups is not None:
        check_choice("ci", ci, ("jackknife",))
        low, high = _limits(source, strata, groups, check_level(level), notes)
        if values.size == 2:
            a, b = values.tolist()
            difference = (a - b, a - b - math.hypot(a - low[0], high[1] - b),
                          a - b + math.hypot(high[0] - a, b - low[1]))
    return StrataAgreement(
        total=total, from_strata=from_strata, beyond=total - from_strata, adjusted=adjusted,
        joined_within=inside, joined_between=round(joined) - inside, expected_within=s.within,
        expected_between=s.between, sd=sd, z=(joined - s.mean) / sd if sd else math.nan,
        names=tuple(map(str, s.parts.names)), sizes=frozen(s.parts.sizes), values=frozen(values),
        expected=frozen(s.expected), weights=frozen(weights), low=low, high=high,
        difference=difference, level=level, notes=tuple(notes))


def _limits(source: Source, strata: Any, groups: Any, level: float, notes: list[str]
            ) -> tuple[np.ndarray, np.ndarray]:
    """Limits of the index of each stratum; notes say why some have none."""
    from .several import compare
    codes, names = part_codes("strata", strata, source.n_objects, names_of(source))
    units = None if groups is None else part_codes("groups", groups, source.n_objects,
                                                   names_of(source))[0]
    if units is not None and len(set(zip(codes, units))) > len(set(units)):
        raise ClusteringError("a group has objects in several strata, which then are not "
                              "independent samples; limits need groups within strata")
    low, high = np.full(len(names), np.nan), np.full(len(names), np.nan)
    for h, name in enumerate(names):
        rows = np.flatnonzero(codes == h)
        if rows.size < 2:
            notes.append(f"no limits for {name}: it has one object")
            continue
        with quiet():
            row = compare(*(side[rows] for side in source.objects.codes), ci="jackknife",
                          measures="adjusted_rand_index", level=level,
                          groups=None if units is None else units[rows]).rows[0]
        low[h], high[h] = row.ci_low, row.ci_high
        if math.isnan(row.ci_low) and row.ci is not None:
            notes.append(f"{name}: {row.ci.note}")
    return frozen(low), frozen(high)


def conditional_mutual_information(x: ClusteringLike, y: ClusteringLike, strata: ArrayLike, *,
                                   log_base: float | None = None) -> float:
    r"""Information that x and y share once the stratum is known: I(X; Y | S).

    Parameters
    ----------
    x, y : clustering-like
        Two hard clusterings of the same n >= 2 objects.
    strata : array-like, shape (n,)
        Stratum of each object.
    log_base : float, optional
        Base of the logarithm, above 1; natural (nats) by default, 2 for bits.

    Returns
    -------
    float
        At least 0; the mean mutual information of the strata, weighted by their sizes.

    Raises
    ------
    ClusteringError
        If a side is not hard, or a stratum is missing.
    ValueError
        If `log_base` is not above 1.

    See Also
    --------
    mutual_information, agreement_by_strata

    Notes
    -----
    .. math:: I(X; Y \mid S) = \sum_h \frac{n_h}{n} I_h = I((X, S); (Y, S)) - H(S)

    I(X; Y) - I(X; Y | S) is the part that the strata explain; it can be negative. The value is
    biased upwards by about sum_h (r_h - 1)(s_h - 1)/(2 n), for r_h and s_h clusters in stratum h.
    Time O(n).

    Theory: docs/theory/dependence.md.

    Examples
    --------
    >>> import softclust
    >>> x, y, batch = [0, 0, 1, 1], [0, 0, 1, 1], ["a", "a", "b", "b"]
    >>> softclust.mutual_information(x, y) > 0
    True
    >>> softclust.conditional_mutual_information(x, y, batch)
    0.0
    """
    if log_base is not None and not log_base > 1:
        raise ValueError(f"log_base is {log_base}; a number above 1 is needed, such as 2 for bits")
    information = Strata(parts_of(as_source(x, y), "strata", strata)).mutual_information()
    return information if log_base is None else information / math.log(log_base)
