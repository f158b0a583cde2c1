"""The Python example in r_bridge/README.md runs, and the tables name what exists."""

import re
from pathlib import Path

import pytest

import r_bridge

pytestmark = pytest.mark.r

TEXT = (Path(r_bridge.__file__).parent / "README.md").read_text(encoding="utf-8")


def test_the_example_runs():
    code = re.search(r"```python\n(.*?)```", TEXT, re.DOTALL)[1]
    exec(compile(code, "README.md", "exec"), {})


@pytest.mark.parametrize("module", ["clue", "evclust", "truecluster"])
def test_the_table_names_every_function(module):
    row = next(line for line in TEXT.splitlines() if line.startswith(f"| `r_bridge.{module}`"))
    named = set(re.findall(r"`(\w+)`", row.split("|")[2]))
    found = getattr(r_bridge, module)
    functions = {n for n in found.__all__ if callable(getattr(found, n)) and n[0].islower()}
    functions |= {n for n in found.__all__ if n == "solve_LSAP"}
    assert named == functions


def test_every_function_has_a_docstring_with_its_sections():
    for module in (r_bridge.clue, r_bridge.evclust, r_bridge.truecluster):
        for name in module.__all__:
            value = getattr(module, name)
            sections = ("Attributes",) if isinstance(value, type) else (
                "Parameters", "Returns", "Raises", "Examples")
            for section in sections:
                assert f"{section}\n    {'-' * len(section)}" in value.__doc__, (name, section)


@pytest.mark.parametrize("readme", ["README.md", "softclust/README.md"])
def test_what_is_said_of_ctrl_c_names_the_compiler(readme):
    """The first use of a function compiles it, which nothing interrupts."""
    text = (Path(r_bridge.__file__).parent / readme).read_text(encoding="utf-8")
    row = [line for line in text.splitlines() if line.startswith("| Ctrl-C")
           and "half a second" in line]
    assert row
    assert all("compile" in line and "half a minute" in line for line in row)
