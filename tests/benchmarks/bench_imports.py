"""Time to import the package and to the first printed number, against importing numba.

Each in a fresh interpreter; compiled kernels are in the cache on disk.
"""

import subprocess
import sys

from _ratios import Table, Times, main

FIRST = ("import softclust as sc; "
         "print(sc.rand_index([0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 1, 2]))")


def fresh(code: str) -> None:
    """Run `code` in an interpreter of its own."""
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def run(table: Table) -> None:
    """Rows for the import and for the first result."""
    times = Times({
        "nothing": lambda: fresh("pass"),
        "numba": lambda: fresh("import numba"),
        "softclust": lambda: fresh("import softclust"),
        "first": lambda: fresh(FIRST),
    }, rounds=7)
    seconds = {name: [a - b for a, b in zip(times.seconds[name], times.seconds["nothing"])]
               for name in ("numba", "softclust")}
    imports = sorted(a / b for a, b in zip(seconds["softclust"], seconds["numba"]))
    table.section(f"start; python -c 'import numba' takes {times['numba']:.2f} s")
    table.add("import softclust / import numba, without the interpreter's start",
              imports[len(imports) // 2], must=1.25, goal=0.5, least=False)
    table.add("python to the first printed number / python -c 'import numba'",
              times.ratio("first", "numba"), must=3, goal=2, least=False)


if __name__ == "__main__":
    raise SystemExit(main(run))
