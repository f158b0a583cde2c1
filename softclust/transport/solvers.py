"""The registry of algorithms: what each solves, what it guarantees, when it fits.

An algorithm is one function under ``@solver(...)`` in a module of this package; its name is
that of the function. Which kinds, base and ends it serves, the decision table says. That
table of `plan`, the documentation page and the tests read the record.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from .problem import Finding, Limits, Problem

GUARANTEES = ("exact", "certificate", "unbiased")

Solve = Callable[[Problem, str, Limits], Finding]


@dataclass(frozen=True, slots=True, kw_only=True)
class Solver:
    """One algorithm.

    Attributes
    ----------
    name : str
        What it does in a few words: "box_search".
    guarantee : str
        "exact": low = high unless a limit is hit. "certificate": proved bounds.
        "unbiased": draws with exact inner solutions, a standard error, no proof.
    cost : str
        Time in n objects, c labels and so on.
    fits : callable
        ``fits(problem, limits)`` returns "" when the algorithm applies to this problem and
        fits its limits, else the reason in words ("3e+09 states; max_states is 2e+06").
    cheap : callable
        Whether `compare()` may run it without being asked (some 50 ms).
    function : callable
        ``function(problem, end, limits) -> Finding``; `end` is "lower" (alpha 0), "upper"
        (alpha 1) or "value" (the alpha of two soft sides; "monte_carlo" also offers it for
        point masses, from the same draws).
    meaning : str
        First line of its docstring.
    """

    name: str
    guarantee: str
    cost: str
    fits: Callable[[Problem, Limits], str]
    cheap: Callable[[Problem], bool]
    function: Solve
    meaning: str


_SOLVERS: dict[str, Solver] = {}


def always(problem: Problem, limits: Limits) -> str:
    """The algorithm fits every problem of its row."""
    return ""


def solver(guarantee: str, *, cost: str, fits: Callable[[Problem, Limits], str] = always,
           cheap: Callable[[Problem], bool] = lambda problem: False,
           ) -> Callable[[Solve], Solve]:
    """Register the decorated function as an algorithm; see `Solver`."""
    assert guarantee in GUARANTEES

    def register(function: Solve) -> Solve:
        name = function.__name__
        assert name not in _SOLVERS, f"solver {name} is registered twice"
        _SOLVERS[name] = Solver(
            name=name, guarantee=guarantee, cost=cost, fits=fits, cheap=cheap, function=function,
            meaning=(function.__doc__ or "").strip().split("\n")[0])
        return function
    return register


def solvers() -> dict[str, Solver]:
    """All algorithms by name; imports the modules of this package once."""
    _import_all()
    return _SOLVERS


@cache
def _import_all() -> None:
    package = importlib.import_module(__package__)
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{__package__}.{module.name}")
