"""Run the benchmarks: ``python -m tests.benchmarks [--write] [speed first_calls ...]``.

Every file bench_*.py here has a function ``run(table)``; names on the command line choose some.
``--write`` puts the table into the guide.
The exit code is 1 when a row misses what it must reach.
"""

import importlib
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main(chosen: list[str]) -> int:
    """Run the chosen files, or all."""
    sys.path.insert(0, str(HERE))
    page = HERE.parents[1] / "docs" / "reference" / "benchmarks.md" if "--write" in chosen else None
    chosen = [name for name in chosen if name != "--write"]
    names = sorted(path.stem for path in HERE.glob("bench_*.py"))
    known = [name.removeprefix("bench_") for name in names]
    unknown = [name for name in chosen if name.removeprefix("bench_") not in known]
    if unknown:
        print(f"no benchmark {unknown[0]!r}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    wanted = {name.removeprefix("bench_") for name in chosen} or set(known)
    ratios = importlib.import_module("_ratios")
    return ratios.main(*(importlib.import_module(name).run for name in names
                         if name.removeprefix("bench_") in wanted), page=page)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
