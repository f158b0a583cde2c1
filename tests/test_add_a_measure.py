"""The page "Add a measure" is true: its two functions make a measure everywhere."""

import doctest
import importlib.util
import random
import re
from pathlib import Path

import pytest

import softclust as sc
from softclust.measures import _registry

PAGE = Path(__file__).parent.parent / "docs" / "add-a-measure.md"
NAME = "rogers_tanimoto_index"


def blocks():
    return re.findall(r"```\{code-block\} python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)


@pytest.fixture
def added(tmp_path, monkeypatch):
    """The measure of the page, from a file of its own, for the time of a test."""
    monkeypatch.setattr(_registry, "_REGISTRY", dict(_registry.registry()))
    path = tmp_path / "rogers_tanimoto.py"
    path.write_text(blocks()[0], encoding="utf-8")
    spec = importlib.util.spec_from_file_location("rogers_tanimoto", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, NAME)


def labels(n=30, k=4, seed=0):
    draw = random.Random(seed)
    return [draw.randrange(k) for _ in range(n)], [draw.randrange(k) for _ in range(n)]


def test_the_oracle_of_the_page_agrees(added):
    oracle = {}
    exec(blocks()[1], oracle)
    for seed in range(20):
        x, y = labels(n=3 + seed, seed=seed)
        assert added(x, y) == pytest.approx(oracle[NAME](x, y), rel=1e-14)


def test_the_examples_give_what_is_printed(added):
    test = doctest.DocTestParser().get_doctest(added.__doc__, {}, PAGE.name, PAGE.name, 0)
    said = []
    assert test.examples
    assert not doctest.DocTestRunner().run(test, out=said.append).failed, "".join(said)


def test_it_is_a_measure_everywhere(added):
    from softclust._guide import overview_table
    x, y = labels()
    value = added(x, y)
    assert sc.measures.rogers_tanimoto_index(x, y) == value
    assert sc.compare(x, y, measures=NAME).value(NAME) == value
    assert sc.compare_all({"a": x, "b": y}, measure=NAME)["a", "b"] == value
    assert sc.chance(x, y, NAME, n_permutations=9, rng=0)[NAME].observed == value
    assert sc.list_measures("tanimoto").index.tolist() == [NAME]
    assert sc.get_measure("rogers tanimoto").name == NAME
    assert NAME in overview_table()


@pytest.mark.parametrize("ci", ["jackknife", "bootstrap"])
def test_it_has_limits_and_takes_tables(added, ci):
    x, y = labels()
    row = sc.compare(x, y, measures=NAME, ci=ci).rows[0]
    assert row.ci_low < row.value < row.ci_high
    table = sc.Joint(x, y).contingency
    assert added(table) == added(x, y)


def test_r_lists_it(added):
    from r_bridge import _front_comparing as front
    assert NAME in str(front.measures())
