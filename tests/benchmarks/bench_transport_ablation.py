"""Every algorithm of the transport plan switched off, one after the other.

What it is worth on the suite of `transport_suite`: how many instances are no longer exact
without it, and by what factor widths and seconds grow at most. An algorithm that decides no
exactness and no factor of 2 has no place in the plan. The whole suite takes some minutes; the
table in docs/theory/transport.md is its output.
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
#: an algorithm that makes an end exact has at least this factor
EXACT = 1000.0
#: seconds of a call; instances of so few objects run once without that limit, to compile all
SECONDS, FEW = 4.0, 60


@dataclasses.dataclass
class Run:
    """What one call found: exact ends, widths of the three certificates, seconds, algorithms."""

    exact: tuple[bool, ...]
    widths: tuple[float, ...]
    seconds: float
    ran: set[str]


def run_once(x: Any, y: Any, base: str, time_limit: float | None = SECONDS) -> Run:
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
            result = sc.transport_dissimilarity(x, y, base=base, n_draws=0, rng=0,
                                                time_limit=time_limit)
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


@dataclasses.dataclass(order=True)
class Loss:
    """What an instance loses without an algorithm: exactness, factors of width and time."""

    exact: bool
    width: float
    time: float
    where: str

    @property
    def factor(self) -> float:
        """The largest of them as one number."""
        return EXACT if self.exact else max(self.width, self.time)


def loss(full: Run, less: Run, where: str) -> Loss:
    """How much worse it is without the algorithm."""
    return Loss(
        exact=any(had and not has for had, has in zip(full.exact, less.exact)),
        width=max(max(b, NARROW) / max(a, NARROW) for a, b in zip(full.widths, less.widths)),
        time=max(less.seconds, QUICK) / max(full.seconds, QUICK), where=where)


def ablation() -> dict[str, list[Loss]]:
    """For each algorithm what the instances that ran it lose."""
    lost: dict[str, list[Loss]] = {
        name: [] for row in PLAN.values() for names in row.values() for name in names}
    for name, (x, y) in sorted(suite().items(), key=lambda item: item[1][0].n_objects):
        for base in BASES:
            if x.n_objects <= FEW:
                run_once(x, y, base, None)
            full = run_once(x, y, base)
            for algorithm in sorted(full.ran):
                lost[algorithm].append(
                    loss(full, without(algorithm, x, y, base), f"{name}, {base}"))
    return lost


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
    for name, found in sorted(ablation().items()):
        if solvers()[name].guarantee == "unbiased":
            continue
        most = max(found, key=lambda one: one.factor)
        table.add(name, most.factor, must=2.0, note=(
            f"{sum(one.factor >= 2 for one in found)} of {len(found)} instances need it; exact "
            f"{sum(one.exact for one in found)}, width {max(one.width for one in found):.3g}, time "
            f"{max(one.time for one in found):.2g}; {most.where}"))
    gains = [(value, f"{name}, {base}") for name, (x, y) in suite().items() for base in BASES
             if x.n_objects <= 150 and not math.isnan(value := drawn(x, y, base))]
    value, where = max(gains)
    table.add("monte_carlo", value, must=2.0, note=f"{sum(v >= 2 for v, _ in gains)} of "
              f"{len(gains)} instances need it; width; {where}")


if __name__ == "__main__":
    sys.exit(main(run))
