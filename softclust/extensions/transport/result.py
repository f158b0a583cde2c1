"""The result of a transport dissimilarity: its exact, proved and estimated numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..._checks import InexactWarning as InexactWarning
from ...results.records import Columns, Drawn, Record, Valued
from ...results.summary import SummaryTable
from ...results.text import number


class SamplingBiasWarning(UserWarning):
    """Warning: ``method="sample"`` is the nested sampling of the paper, which is biased.

    `transport_dissimilarity` has unbiased draws with ``method="montecarlo"``.
    """

    __module__ = "softclust"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class TransportResult(Valued, Drawn, Record):
    """A transport dissimilarity (or agreement) with its certificates and estimates.

    Three numbers: `lower` (ambiguity forgiven, alpha = 0), `upper` (ambiguity counted as error,
    alpha = 1) and `value` (at `alpha`); for an agreement the two ends are exchanged, so lower
    stays below upper. Each has a deterministic certificate ``<name>_low <= . <= <name>_high``,
    a flag ``exact_<name>``, and after sampling a standard error ``<name>_se`` and a confidence
    interval ``<name>_ci``.

    Attributes
    ----------
    lower, upper, value : float
        The exact number; else the mean of unbiased draws, clipped to the certificate; else the
        middle of the certificate.
    lower_low, lower_high, upper_low, upper_high, value_low, value_high : float
        Certificates, never narrowed by sampling.
    exact_lower, exact_upper, exact_value : bool
        Whether the certificate is a point, up to rounding.
    lower_se, upper_se, value_se : float
        Standard errors; nan without sampling.
    lower_ci, upper_ci, value_ci : (float, float) or None
        Confidence intervals of the estimates.
    base : str
        "rand", "partition", or the name of the base dissimilarity.
    alpha : float
    sense : str
        "dissimilarity" or "agreement".
    method : str
        The method requested.
    method_lower, method_upper : str
        The algorithm that gave each end; `softclust.transport_methods()` explains the names.
    n_draws, n_unsolved, n_states, n_nodes : int
        Draws, draws whose inner problem was stopped, states of exact enumerations, nodes of
        branch and bound.
    seconds : float
        Time of the call.
    status : str
        "ok", or the limit that was hit: "max_states", "max_nodes", "time_limit", "cancelled".
    notes : tuple of str
        Algorithms that were left out, with the reasons.
    warnings : tuple of str
        Texts of the warnings that were issued.
    n_objects : int
    kinds : (str, str)
        Kinds of the two sides as given.

    Notes
    -----
    ``to_frame()``: one row per number: value, low, high, exact, se, ci_low, ci_high, method.
    Indexed by "lower", "upper", "value".

    Examples
    --------
    >>> import softclust
    >>> rough = softclust.RoughClustering.from_upper([[1, 0], [1, 1], [0, 1], [0, 1]])
    >>> result = softclust.transport_dissimilarity([0, 0, 1, 1], rough, base="partition")
    >>> result.lower, result.exact_lower, result.method_lower
    (0.0, True, 'label_matching')
    """

    _chart = "plot_transport"

    lower: float
    upper: float
    value: float
    lower_low: float
    lower_high: float
    upper_low: float
    upper_high: float
    value_low: float
    value_high: float
    exact_lower: bool
    exact_upper: bool
    exact_value: bool
    lower_se: float = math.nan
    upper_se: float = math.nan
    value_se: float = math.nan
    lower_ci: tuple[float, float] | None = None
    upper_ci: tuple[float, float] | None = None
    value_ci: tuple[float, float] | None = None
    base: str
    alpha: float
    sense: str
    method: str
    method_lower: str
    method_upper: str
    n_draws: int = 0
    n_unsolved: int = 0
    n_states: int = 0
    n_nodes: int = 0
    seconds: float = 0.0
    status: str = "ok"
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    n_objects: int
    kinds: tuple[str, str]

    def __repr__(self) -> str:
        return (f"TransportResult({self.sense}, base={self.base!r}: lower={number(self.lower)}, "
                f"upper={number(self.upper)}, value={number(self.value)} at "
                f"alpha={self.alpha:g}{'' if self.exact else ', not exact'})")

    @property
    def exact(self) -> bool:
        """True if all three numbers are exact."""
        return self.exact_lower and self.exact_upper and self.exact_value

    def _table(self) -> SummaryTable:
        rows = []
        for name, what in self._names():
            low, high = getattr(self, f"{name}_low"), getattr(self, f"{name}_high")
            exact, ci = getattr(self, f"exact_{name}"), getattr(self, f"{name}_ci")
            rows.append([
                what, number(getattr(self, name)),
                self._what(name),
                "" if exact or low == -math.inf else f"[{number(low)}, {number(high)}]",
                "" if ci is None else f"[{number(ci[0])}, {number(ci[1])}]",
                {"lower": self.method_lower, "upper": self.method_upper}.get(name, "")])
        kinds = " and ".join(self.kinds)
        notes = ["Bounds are proved. transport_methods() explains the methods."
                 ] if self.value_low > -math.inf else []
        if self.status != "ok":
            notes.append(f"Stopped by {self.status}.")
        return SummaryTable(
            rows, ["", self.sense, "is", "bounds", "confidence", "method"], aligns="lrlrrl",
            title=f"Transport {self.sense}, base {self.base}: {kinds}, {self.n_objects} objects, "
                  f"{self.seconds:.3g} s",
            notes=[*notes, *(f"Note: {text}." for text in (*self.notes, *self.warnings))])

    def _frame(self) -> Columns:
        ends = [name for name, _ in self._names()]
        columns = {column: [getattr(self, form.format(end)) for end in ends] for column, form in {
            "value": "{}", "low": "{}_low", "high": "{}_high", "exact": "exact_{}",
            "se": "{}_se"}.items()}
        limits = [getattr(self, f"{end}_ci") or (math.nan, math.nan) for end in ends]
        methods = {"lower": self.method_lower, "upper": self.method_upper}
        return Columns(columns | {"ci_low": [low for low, _ in limits],
                                  "ci_high": [high for _, high in limits],
                                  "method": [methods.get(end, "") for end in ends]}, {"end": ends})

    def _what(self, name: str) -> str:
        if getattr(self, f"exact_{name}"):
            return "exact"
        if getattr(self, f"{name}_ci") is not None:
            return "estimate"
        no_bounds = getattr(self, f"{name}_low") == -math.inf
        return "biased estimate" if self.method == "sample" or no_bounds else "middle of bounds"

    def _names(self) -> tuple[tuple[str, str], ...]:
        forgiven, counted = "ambiguity forgiven", "ambiguity counted as error"
        if self.sense == "agreement":
            forgiven, counted = counted, forgiven
        return (("lower", f"lower ({forgiven})"), ("upper", f"upper ({counted})"),
                ("value", f"value (alpha = {self.alpha:g})"))
