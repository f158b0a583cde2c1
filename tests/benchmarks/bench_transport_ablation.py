"""Every algorithm of the transport plan switched off, one after the other.

What it is worth on the suite of `transport_suite`: an end that is no longer exact counts as
"exact", else the larger factor of time or of width. An algorithm that is worth less than 2
everywhere has no place in the plan.
"""

from __future__ import annotations

import dataclasses
import math
import sys
import time
import warnings
from typing import Any

from _ratios import Table, main
from transport_suite import suite

import softclust as sc
from softclust.transport.plan import PLAN
from softclust.transport.problem import Problem, Side
from softclust.transport.solvers import solvers

#: seconds (of all threads) and widths below these are no burden to anybody
QUICK, NARROW = 0.02, 1e-6
BASES = ("rand", "partition")
#: what makes an end exact counts as this factor
EXACT = 1000.0
SECONDS = 20.0


@dataclasses.dataclass
class Run:
    """What one call found: exact ends, widths of the three certificates, seconds, algorithms."""

    exact: tuple[bool, ...]
    widths: tuple[float, ...]
    seconds: float
    ran: set[str]


def run_once(x: Any, y: Any, base: str, n_draws: int = 0) -> Run:
    """One call without sampling, with what ran."""
    ran: set[str] = set()
    known = dict(solvers())

    def recorded(s: Any) -> Any:
        def function(problem: Any, end: str, limits: Any) -> Any:
            ran.add(s.name)
            return s.function(problem, end, limits)
        return dataclasses.replace(s, function=function)
    solvers().update({name: recorded(s) for name, s in known.items()})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            start = time.process_time()
            result = sc.transport_dissimilarity(x, y, base=base, n_draws=n_draws, rng=0,
                                                time_limit=SECONDS)
            seconds = time.process_time() - start
    finally:
        solvers().update(known)
    ends = ("lower", "upper", "value")
    return Run(exact=tuple(getattr(result, f"exact_{e}") for e in ends),
               widths=tuple(getattr(result, f"{e}_high") - getattr(result, f"{e}_low")
                            for e in ends), seconds=seconds, ran=ran)


def without(name: str, x: Any, y: Any, base: str) -> Run:
    """The same with one algorithm taken out of the plan."""
    row = PLAN[(*Problem(x=Side(sc.as_clustering(x)), y=Side(sc.as_clustering(y)),
                         base=base).kinds, base)]
    kept = dict(row)
    row.update({end: tuple(n for n in names if n != name) for end, names in kept.items()})
    try:
        return run_once(x, y, base)
    finally:
        row.update(kept)


def worth(full: Run, less: Run) -> tuple[float, str]:
    """How much worse it is without the algorithm, and in what."""
    if any(had and not has for had, has in zip(full.exact, less.exact)):
        return EXACT, "exact"
    wider = max(max(b, NARROW) / max(a, NARROW) for a, b in zip(full.widths, less.widths))
    slower = max(less.seconds, QUICK) / max(full.seconds, QUICK)
    return max((wider, "width"), (slower, "time"))


def ablation(chosen: list[str]) -> dict[str, list[tuple[float, str, str]]]:
    """For each algorithm the instances that ran it, with what they lose; the most first."""
    lost: dict[str, list[tuple[float, str, str]]] = {
        name: [] for row in PLAN.values() for names in row.values() for name in names}
    for name, (x, y) in suite().items():
        for base in BASES:
            run_once(x, y, base)   # compiles
            full = run_once(x, y, base)
            for algorithm in sorted(full.ran):
                if not chosen or algorithm in chosen:
                    value, what = worth(full, without(algorithm, x, y, base))
                    lost[algorithm].append((value, what, f"{name}, {base}"))
    return {name: sorted(found, reverse=True) for name, found in lost.items()}


def drawn(x: Any, y: Any, base: str, n_draws: int = 400) -> float:
    """How many times wider certificates are than confidence intervals of draws, at most."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = sc.transport_dissimilarity(x, y, base=base, n_draws=n_draws, rng=0,
                                            time_limit=SECONDS)
    ends = [(getattr(result, f"{end}_high") - getattr(result, f"{end}_low"),
             getattr(result, f"{end}_ci")) for end in ("lower", "upper")]
    return max((wide / max(ci[1] - ci[0], NARROW) for wide, ci in ends if ci is not None),
               default=math.nan)


def run(table: Table) -> None:
    """One row for each algorithm: the most that an instance loses without it."""
    table.section("transport without one algorithm: exact (1000), or times wider or slower")
    needed = {name for name, s in solvers().items() if s.guarantee != "unbiased"}
    for name, found in ablation([]).items():
        if name not in needed or sum(name in names for row in PLAN.values()
                                     for names in row.values()) == 0:
            continue
        value, what, where = found[0] if found else (math.nan, "never ran", "")
        count = sum(v >= 2 for v, _, _ in found)
        table.add(name, value, must=2.0,
                  note=f"{what}, {where}; {count} of {len(found)} instances need it")
    gains = [(value, f"{name}, {base}") for name, (x, y) in suite().items() for base in BASES
             if x.n_objects <= 150 and not math.isnan(value := drawn(x, y, base))]
    value, where = max(gains)
    table.add("monte_carlo", value, must=2.0, note=f"width, {where}; "
              f"{sum(v >= 2 for v, _ in gains)} of {len(gains)} instances need it")


if __name__ == "__main__":
    sys.exit(main(run))
