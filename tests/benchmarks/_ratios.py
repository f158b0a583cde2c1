"""Ratios of times within one run, and the table that judges them.

Times of a machine mean little; ratios of things measured side by side mean more. So every row
is a ratio, from rounds in which the two take turns; the median over the rounds is printed.
"""

from __future__ import annotations

import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

#: what surrounds the table in the guide
BEGIN, END = "<!-- benchmarks: make bench ARGS=--write -->", "<!-- end of benchmarks -->"
#: a function faster than this is repeated within its turn, and its median taken
TURN_SECONDS = 0.03
REPEATS = 25


def turn(function: Callable[[], object], *, once: bool = False) -> float:
    """Seconds of one call: the median of repeated calls when it is fast."""
    times: list[float] = []
    while True:
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
        if once or len(times) >= REPEATS or sum(times) >= TURN_SECONDS:
            return statistics.median(times)


def bare_loop(threads: int) -> Callable[[], None]:
    """A loop over a vector in the first-level cache, the same work in all on any number of threads.

    Two threads over one is what this machine allows code that computes all the time: threads of
    one core, or cores that slow each other down, gain less than a half.
    """
    from concurrent.futures import ThreadPoolExecutor

    import numba
    import numpy as np

    @numba.njit(nogil=True)
    def repeat(values, times):  # type: ignore[no-untyped-def]
        for _ in range(times):
            for i in range(values.size):
                values[i] = values[i] * 0.999 + 0.001

    arrays = [np.ones(1000) for _ in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def run() -> None:
        list(pool.map(repeat, arrays, [200_000 // threads] * threads))

    return run


class Times:
    """Seconds of several functions, measured in turns.

    Parameters
    ----------
    functions : mapping of str to callable
        Called without arguments. Each is called once before anything is measured, except
        those in `once`.
    rounds : int
        Number of turns of each.
    once : collection of str
        Names of slow peers that get a single turn, without a call before it.
    """

    def __init__(self, functions: Mapping[str, Callable[[], object]], *, rounds: int = 7,
                 once: tuple[str, ...] = ()) -> None:
        for name, function in functions.items():
            if name not in once:
                function()
        self.seconds: dict[str, list[float]] = {name: [] for name in functions}
        for i in range(rounds):
            for name, function in functions.items():
                if name not in once:
                    self.seconds[name].append(turn(function))
                elif i == 0:
                    self.seconds[name] = [turn(function, once=True)] * rounds

    def __getitem__(self, name: str) -> float:
        """Median seconds."""
        return statistics.median(self.seconds[name])

    def ratio(self, one: str, other: str) -> float:
        """Median over the rounds of seconds of `one` by seconds of `other`."""
        pairs = zip(self.seconds[one], self.seconds[other])
        return statistics.median(a / b for a, b in pairs)


class Table:
    """Rows with a ratio, what it must reach and what it should reach; printed as they come."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.short: list[str] = []
        #: lines of the guide's table
        self.lines: list[str] = []

    def section(self, title: str) -> None:
        """A heading, with the columns."""
        self.lines += ["", f"| {title} | measured | bound |", "|---|---|---|"]
        print(f"\n{title}\n{'':2}{'row':<66}{'ratio':>9}{'must':>10}{'goal':>10}  result")

    def add(self, name: str, ratio: float, *, must: float | None = None,
            goal: float | None = None, least: bool = True, note: str = "") -> None:
        """One row: `ratio` must be at least `must` (at most, with ``least=False``)."""
        def reached(bound: float | None) -> bool:
            return bound is None or (ratio >= bound if least else ratio <= bound)

        def shown(bound: float | None) -> str:
            return "" if bound is None else f"{'>=' if least else '<='} {bound:g}"

        if must is None and goal is None:
            result = ""
        elif not reached(must):
            result = "FAIL"
            self.failed.append(name)
        elif goal is not None and not reached(goal):
            result = "pass, below the goal"
            self.short.append(name)
        else:
            result = "pass"
        self.lines.append(f"| {name} | {ratio:.3g} | {shown(must)} |")
        print(f"{'':2}{name:<66}{ratio:>9.3g}{shown(must):>10}{shown(goal):>10}  "
              f"{result}{'; ' if result and note else ''}{note}", flush=True)

    def finish(self) -> int:
        """Say how it went; the exit code."""
        print()
        if self.short:
            print(f"{len(self.short)} rows pass but miss their goal")
        if self.failed:
            print(f"{len(self.failed)} rows FAIL:")
            for name in self.failed:
                print(f"  {name}")
            return 1
        print("all rows pass")
        return 0


def header() -> None:
    """Machine and versions."""
    import softclust
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in (
        "softclust", "numpy", "numba", "scipy", "scikit-learn"))
    print(f"{platform.machine()} {platform.system()}, Python {platform.python_version()}, "
          f"{versions}; {softclust.get_num_threads()} threads")
    print("Ratios of times within this run, medians of turns. 'must' guards against loss of "
          "speed, 'goal' is aimed at.")


def main(*runs: Callable[[Table], None], page: Path | None = None) -> int:
    """Run benchmark functions into one table, and into the guide's `page`; the exit code.

    Kernels are compiled at their first call, which is not measured.
    """
    header()
    table = Table()
    for run in runs:
        run(table)
    if page is not None:
        before, mark, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        page.write_text("\n".join([before + mark, *table.lines, "", END + after]),
                        encoding="utf-8")
    return table.finish()


#: source of a function for child processes: most MB in use. What `resource` tells begins with the
#: parent's memory.
PEAK = """
def peak():
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024
"""


def need_r(package: str) -> bool:
    """Whether a package of R is there to compare with, in this process; says so when it is not."""
    import r_bridge
    if r_bridge.available() and r_bridge.versions().get(package) is not None:
        return True
    print(f"  R, rpy2 or {package} is not installed: its rows are left out", file=sys.stderr)
    return False


def need(package: str) -> bool:
    """Whether a peer is installed; says so when it is not."""
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        print(f"  {package} is not installed: its rows are left out "
              f"(pip install {package})", file=sys.stderr)
        return False
    return True
