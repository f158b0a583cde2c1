"""The oldest dependencies that pyproject.toml allows, one requirement per line, for pip.

``pip install $(python scripts/oldest_dependencies.py plot report)`` also takes those of the extras
that are named. A bound such as 1.26 means the last release 1.26.x, for which there are wheels.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"


def oldest(extras: list[str]) -> list[str]:
    """Pins of the dependencies and of those of `extras`."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + [line for extra in extras
                                        for line in project["optional-dependencies"][extra]]
    pins = {}
    for line in wanted:
        name, bound = re.fullmatch(r"([\w.-]+(?:\[[\w,]+\])?)>=([\d.]+).*", line).groups()
        pins[name] = f"{name}=={bound}" + (".*" if bound.count(".") < 2 else "")
    return list(pins.values())


if __name__ == "__main__":
    print("\n".join(oldest(sys.argv[1:])))
