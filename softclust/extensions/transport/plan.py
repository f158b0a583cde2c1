"""The decision table of the algorithms, and its application.

For each end the algorithms of a row are tried in order: those that do not fit are skipped, and the
reason is noted; the others narrow the certificate until it is narrow enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from .problem import Finding, LimitReached, Limits, Problem, solvers, status_of

Row = dict[str, tuple[str, ...]]


def _both(*names: str) -> Row:
    return {"lower": names, "upper": names}


def _against_random(*last: str) -> Row:
    """Disagreeing pairs of a hard or rough side and a random one."""
    return {"lower": ("two_label_law", "coupling_descent", "cell_chords", *last),
            "upper": ("two_label_law", "size_chords", "selection_bound", *last)}


#: (kinds of the two sides, the simpler first; base): algorithms for each end, in order. An end
#: "value" stands where alpha does not follow from both ends. Possibilistic counts as
#: evidential.
PLAN: dict[tuple[str, str, str], Row] = {
    ("hard", "hard", "rand"): _both("contingency_table"),
    ("hard", "hard", "partition"): _both("assignment"),
    ("hard", "fuzzy", "rand"): _both("expected_pairs"),
    ("hard", "fuzzy", "partition"): _both("poisson_binomial", "row_laws", "matching_bounds",
                                          "subset_recursion", "monte_carlo"),
    ("hard", "rough", "rand"): {"lower": ("type_search", "coupling_descent"),
                                "upper": ("box_search", "size_chords", "selection_bound")},
    ("hard", "rough", "partition"): {
        "lower": ("label_matching",),
        "upper": ("label_prices", "coupling_bound", "selection_bound")},
    ("rough", "rough", "rand"): {
        "lower": ("two_label_law", "type_search", "coupling_descent"),
        "upper": ("two_label_law", "choice_enumeration", "choice_bounds", "size_chords",
                  "selection_bound")},
    ("rough", "rough", "partition"): {"lower": ("two_label_law", "label_matching"),
                                      "upper": ("two_label_law", "integer_programs",
                                                "coupling_bound", "selection_bound")},
    ("hard", "evidential", "rand"): _against_random("count_enumeration", "monte_carlo"),
    ("hard", "evidential", "partition"): _both("two_label_law", "matching_bounds",
                                               "count_enumeration", "monte_carlo"),
    ("rough", "fuzzy", "rand"): _against_random("count_enumeration", "monte_carlo"),
    ("rough", "fuzzy", "partition"): _both("two_label_law", "matching_bounds",
                                           "count_enumeration", "monte_carlo"),
    ("rough", "evidential", "rand"): {
        **_against_random("count_enumeration", "monte_carlo"),
        "upper": ("two_label_law", "size_chords", "selection_bound", "count_enumeration")},
    ("rough", "evidential", "partition"): {
        "lower": ("two_label_law", "matching_bounds", "count_enumeration", "monte_carlo"),
        "upper": ("two_label_law", "coupling_bound", "selection_bound", "count_enumeration",
                  "monte_carlo")},
    ("fuzzy", "fuzzy", "rand"): _both("focal_transport", "coupling_descent", "cell_chords"),
    ("fuzzy", "fuzzy", "partition"): _both("focal_transport", "coupled_matching"),
    **{(first, "evidential", "rand"): {
        "lower": ("focal_transport", "coupling_descent", "cell_chords"),
        "upper": ("focal_transport", "size_chords", "selection_bound"),
        "value": ("focal_transport", "size_chords")} for first in ("fuzzy", "evidential")},
    **{(first, "evidential", "partition"): {
        "lower": ("focal_transport", "coupled_matching"),
        "upper": ("focal_transport", "coupling_bound", "selection_bound"),
        "value": ("focal_transport", "coupling_bound")} for first in ("fuzzy", "evidential")},
}
#: guarantees that a method admits
_ADMITTED = {"auto": ("exact", "certificate", "unbiased"), "exact": ("exact",),
             "certified": ("certificate",), "montecarlo": ("unbiased",)}
#: exact algorithms whose cost is that of a certificate: "certified" runs them too
_CLOSED = ("contingency_table", "assignment", "expected_pairs", "label_matching", "label_prices",
           "integer_programs", "type_search", "box_search")


@dataclass(kw_only=True)
class EndState:
    """State of one end so far, in raw units."""

    low: float
    high: float
    solver: str = "none"
    draws: Finding | None = None
    n_states: int = 0
    n_nodes: int = 0
    status: str = "ok"
    notes: list[str] = field(default_factory=list)

    @property
    def width(self) -> float:
        return self.high - self.low

    def add(self, problem: Problem, finding: Finding, guarantee: str) -> None:
        """Narrow the certificate and keep draws.

        Bounds computed in floating point are widened, or rounded to the whole numbers they prove.
        """
        scale = float(problem.most)
        low, high = max(finding.low, 0.0), min(finding.high, scale)
        high = max(low, high)   # rounding may let two bounds cross
        if problem.whole and guarantee != "exact":   # the distance is a whole number
            low, high = low - problem.rounding, high + problem.rounding
            low = math.ceil(low) if low > 0.0 else 0.0
            high = math.floor(high) if high < scale else high
        elif not problem.whole and not (low == high and (guarantee == "exact" or low == 0.0)):
            low, high = low - problem.rounding, high + problem.rounding
        low, high = max(low, 0.0), min(high, scale)

        self.n_states += finding.n_states
        self.n_nodes += finding.n_nodes
        if finding.status != "ok":
            self.status = finding.status
        if finding.note:
            self.notes.append(f"{finding.solver}: {finding.note}")
        if guarantee == "unbiased":
            self.draws = replace(finding, low=low, high=high)
        if low > self.low or high < self.high or self.solver == "none":
            if guarantee != "unbiased":
                self.solver = finding.solver
            self.low, self.high = max(self.low, low), min(self.high, high)


def solve(problem: Problem, method: str, limits: Limits) -> dict[str, EndState]:
    """Ends of the problem's row by `method`: "auto", "exact", "certified" or "montecarlo"."""
    row = PLAN[(*problem.kinds, problem.base)]
    states = {end: EndState(low=0.0, high=float(problem.most)) for end in row
              if not (problem.one_end and end == "upper")}
    stopped = ""
    for end, state in states.items():
        if end == "value" and problem.alpha in (0.0, 1.0):
            known = states["lower" if problem.alpha == 0.0 else "upper"]
            states[end] = replace(known, notes=[])
            continue
        if stopped:
            state.status = stopped
        else:
            stopped = _walk(problem, end, row[end], method, limits, state)
    if problem.one_end:
        states["upper"] = states["lower"]
    lower, upper = states["lower"], states["upper"]   # d0 <= d1
    lower.high, upper.low = min(lower.high, upper.high), max(lower.low, upper.low)
    if "value" not in states:
        states["value"] = (states["lower"] if problem.one_end
                           else point_mass_value(problem, states, limits))
    elif problem.alpha not in (0.0, 1.0):
        # Two soft sides: d_alpha is concave in alpha, so it lies above the chord (fact 3).
        value = states["value"]
        chord = max(_mix(problem.alpha, lower.low, upper.low), lower.low)
        value.low = max(value.low, min(chord, value.high))
        value.high = min(value.high, upper.high)
    for state in states.values():
        # A skipped enumeration is a limit that was hit if the end is still open.
        if (state.status == "ok" and state.draws is None
                and any("max_states" in note for note in state.notes)
                and not _settled(problem, state, limits)):
            state.status = "max_states"
    return states


def point_mass_value(problem: Problem, states: dict[str, EndState], limits: Limits) -> EndState:
    """(1 - alpha) d0 + alpha d1: exact where one coupling exists."""
    lower, upper, a = states["lower"], states["upper"], problem.alpha
    value = EndState(low=_mix(a, lower.low, upper.low), high=_mix(a, lower.high, upper.high),
                     solver=lower.solver if lower.solver == upper.solver
                     else f"{lower.solver}, {upper.solver}",
                     status=lower.status if lower.status != "ok" else upper.status)
    weights = {"lower": 1.0 - a, "upper": a}
    drawn = [end for end, weight in weights.items()
             if weight > 0.0 and states[end].draws is not None]
    if len(drawn) == 2:
        # From the same draws: the ends are far from independent.
        value.draws = replace(solvers()["monte_carlo"].function(problem, "value", limits),
                              solver="monte_carlo")
    elif drawn:
        # Draws of one end as draws of the value, the other end being known to tolerance.
        weight, draws = weights[drawn[0]], states[drawn[0]].draws
        assert draws is not None
        other = lower if drawn[0] == "upper" else upper
        shift = (1.0 - weight) * (other.low + other.high) / 2
        value.draws = replace(
            draws, estimate=shift + weight * draws.estimate, se=weight * draws.se,
            ci=None if draws.ci is None else (shift + weight * draws.ci[0],
                                              shift + weight * draws.ci[1]))
    return value


def _mix(a: float, low: float, high: float) -> float:
    return (1.0 - a) * low + a * high


def _settled(problem: Problem, state: EndState, limits: Limits) -> bool:
    """Test whether the bounds are as narrow as requested, or as rounding allows."""
    return state.width <= max(limits.tol * problem.most, 4 * problem.rounding)


def _walk(problem: Problem, end: str, names: tuple[str, ...], method: str, limits: Limits,
          state: EndState) -> str:
    """Try the algorithms in order; return the status that must stop everything, or ""."""
    registered = solvers()
    for name in names:
        solver = registered[name]
        if not (solver.guarantee in _ADMITTED[method]
                or (method == "certified" and name in _CLOSED)):
            continue
        if solver.guarantee == "unbiased" and method == "auto" and problem.sampling.n_draws == 0:
            continue
        try:
            reason = solver.fits(problem, limits)
            if reason:
                state.notes.append(f"{name} was not used: {reason}")
                continue
            limits.check(text=f"{end} end by {name}")
            finding = replace(solver.function(problem, end, limits), solver=name)
        except (LimitReached, KeyboardInterrupt) as stop:
            state.status = status_of(stop)
            return state.status
        state.add(problem, finding, solver.guarantee)
        if finding.status in ("time_limit", "cancelled"):
            return finding.status
        if _settled(problem, state, limits):
            break
    return ""


def not_cheap(problem: Problem) -> str:
    """Reason why `compare()` leaves the interval out; "" when it is exact and cheap."""
    if problem.kinds == ("hard", "hard"):
        return "both sides are hard: the base distance itself"
    for names in PLAN[(*problem.kinds, problem.base)].values():
        tried = [s for s in (solvers()[name] for name in names) if s.guarantee != "unbiased"]
        # Checking whether one fits may take long, so first check whether any would do.
        if any(s.guarantee == "exact" and s.cheap(problem) for s in tried):
            first = next((s for s in tried if not s.fits(problem, Limits())), None)
            if first is not None and first.guarantee == "exact" and first.cheap(problem):
                continue
        return "no fast exact algorithm for one end"
    return ""
