"""The oldest dependencies that pyproject.toml allows, one requirement per line, for pip.

``pip install $(python scripts/oldest_dependencies.py plot report)`` also takes those of the extras
that are named. A bound such as 1.26 means the last release 1.26.x, for which there are wheels.
What these packages need themselves is of their age where the newest release breaks them.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
#: package -> (what it needs, the last release that it works with and says nothing about):
#: statsmodels 0.14.2 calls a function that pandas 3 changed, matplotlib 3.8 names that pyparsing
#: 3.3 deprecates
OF_THEIR_AGE = {"statsmodels": "pandas==2.2.*", "matplotlib": "pyparsing==3.1.*"}


def oldest(extras: list[str]) -> list[str]:
    """Pins of the dependencies and of those of `extras`."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + [line for extra in extras
                                        for line in project["optional-dependencies"][extra]]
    pins = {}
    for line in wanted:
        name, bound = re.fullmatch(r"([\w.-]+(?:\[[\w,]+\])?)>=([\d.]+).*", line).groups()
        pins[name] = f"{name}=={bound}" + (".*" if bound.count(".") < 2 else "")
    return [*pins.values(), *(OF_THEIR_AGE[name] for name in pins if name in OF_THEIR_AGE)]


if __name__ == "__main__":
    print("\n".join(oldest(sys.argv[1:])))
