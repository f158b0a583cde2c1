"""The README: its examples give what it prints, it is short, what it names exists."""

import doctest
import re
from pathlib import Path

import generate
import pytest

import softclust as sc
from softclust.measures import registry

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


def test_python_examples_give_what_is_printed():
    found = blocks("python")
    assert found
    text = "\n".join(found)
    test = doctest.DocTestParser().get_doctest(text, {}, "README.md", "README.md", 0)
    assert len(test.examples) >= 5
    said = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert not result.failed, "".join(said)


def test_generated_tables_are_up_to_date():
    for path, text in generate.generated().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run make tables"


def test_every_measure_is_in_the_guide():
    page = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
    for name in sc.list_measures().index:
        assert f"| `{name}`: " in page


def test_it_can_be_read_in_a_minute():
    assert 3000 < len(README) < 6800


def test_numbers_of_measures_are_true():
    measures = list(registry().values())
    others = [m for m in measures if m.arity == 2 and m.name != "adjusted_rand_index"]
    assert 80 < len(others) < 90
    for page in ("README.md", "docs/index.md"):
        text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
        assert "The adjusted Rand index and more than eighty other measures" in text
    paper = (ROOT / "paper" / "paper.md").read_text(encoding="utf-8")
    assert "more than half of the measures have an R counterpart" in paper
    assert 0.5 < sum(bool(m.r_calls) for m in measures) / len(measures) < 0.6


def test_markers_are_needed():
    with pytest.raises(ValueError, match="one line <begin>"):
        generate.spliced("no markers", "table", "<begin>", "<end>")
    found = generate.spliced("a\n<begin>\nold\n<end>\nb\n", "new", "<begin>", "<end>")
    assert found == "a\n<begin>\nnew\n<end>\nb\n"


def test_targets_named_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    named = set(re.findall(r"`?make ([a-z]+)`?", README))
    assert {"demo", "test"} <= named
    assert named <= targets


def test_commands_named_exist():
    from softclust.cli import main
    for command in set(re.findall(r"^softclust (\w+)", "\n".join(blocks("console")), re.MULTILINE)):
        assert main([command, "--help"]) == 0


def test_versions_agree():
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'version = "{sc.__version__}"' in project
    assert f"\nversion: {sc.__version__}\n" in citation
    assert citation.startswith("cff-version: 1.2.0\n")


def test_the_transport_interval_is_what_can_be_attained():
    from itertools import product
    truth, rough = list("aaabbb"), [[0], [0], [0, 1], [0, 1], [1], [1]]
    upper = [[k in allowed for k in (0, 1)] for allowed in rough]
    reached = [sc.rand_index(truth, list(hard)) for hard in product(*rough)]
    found = sc.transport_rand_index(truth, sc.RoughClustering.from_upper(upper))
    assert (found.lower, found.upper) == pytest.approx((min(reached), max(reached)), abs=1e-12)
    text = " ".join((ROOT / "docs" / "comparing-soft.md").read_text(encoding="utf-8").split())
    assert f"from {min(reached):.3f} to 1" in text
