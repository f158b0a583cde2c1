"""The registry of algorithms: what each solves, what it guarantees, when it fits.

An algorithm is one function under ``@solver(...)`` in a module of this package. The decision
table of `plan`, the documentation page and the tests read the record.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from .problem import ENDS, Finding, Limits, Problem

GUARANTEES = ("exact", "certificate", "unbiased")
BASES = ("rand", "partition")

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
    bases : tuple of str
    ends : tuple of str
        Of "lower" (alpha 0), "upper" (alpha 1), "value" (the alpha of two soft sides; a
        Monte Carlo solver also offers it for point masses, from the same draws).
    cost : str
        Time in n objects, c labels and so on.
    fits : callable
        ``fits(problem, limits)`` returns "" when the algorithm applies to this problem and
        fits its limits, else the reason in words ("3e+09 states; max_states is 2e+06").
    cheap : callable
        Whether `compare()` may run it without being asked (some 50 ms).
    function : callable
        ``function(problem, end, limits) -> Finding``.
    meaning : str
        First line of its docstring.
    """

    name: str
    guarantee: str
    bases: tuple[str, ...]
    ends: tuple[str, ...]
    cost: str
    fits: Callable[[Problem, Limits], str]
    cheap: Callable[[Problem], bool]
    function: Solve
    meaning: str


_SOLVERS: dict[str, Solver] = {}


def always(problem: Problem, limits: Limits) -> str:
    """The algorithm fits every problem of its row."""
    return ""


def solver(name: str, *, guarantee: str, bases: tuple[str, ...] = BASES,
           ends: tuple[str, ...] = ("lower", "upper"), cost: str,
           fits: Callable[[Problem, Limits], str] = always,
           cheap: Callable[[Problem], bool] = lambda problem: False,
           ) -> Callable[[Solve], Solve]:
    """Register the decorated function as the algorithm `name`; see `Solver`."""
    assert guarantee in GUARANTEES
    assert set(bases) <= set(BASES)
    assert set(ends) <= set(ENDS)

    def register(function: Solve) -> Solve:
        assert name not in _SOLVERS, f"solver {name} is registered twice"
        _SOLVERS[name] = Solver(
            name=name, guarantee=guarantee, bases=bases, ends=ends, cost=cost, fits=fits,
            cheap=cheap, function=function,
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
