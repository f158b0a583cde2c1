"""The page "Add a measure" is true: its two functions make a measure everywhere."""

import dataclasses
import doctest
import importlib.util
import itertools
import math
import random
import re
from pathlib import Path

import pytest

import softclust as sc
from softclust.measures import Measure, _registry

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
    from measure_tables import overview_table
    x, y = labels()
    value = added(x, y)
    assert sc.measures.rogers_tanimoto_index(x, y) == value
    assert sc.compare(x, y, measures=NAME).value(NAME) == value
    assert sc.compare_all({"a": x, "b": y}, measure=NAME)["a", "b"] == value
    assert sc.chance(x, y, NAME, n_permutations=9, rng=0)[NAME].observed == value
    assert sc.list_measures("tanimoto").index.tolist() == [NAME]
    assert sc.get_measure("rogers tanimoto").name == NAME
    assert NAME in overview_table()


def test_without_a_simulation_it_has_no_limits(added):
    """It had limits that nobody had looked at."""
    x, y = labels()
    row = sc.compare(x, y, measures=NAME, ci="jackknife").rows[0]
    assert math.isnan(row.ci_low)
    assert "not simulated" in row.ci.note
    table = sc.Joint(x, y).contingency
    assert added(table) == added(x, y)


def test_it_has_completion_bounds_for_nothing(added):
    """All completions of a small case; margins and brackets of a larger one."""
    x, y = [0, 0, 1, None, 1, None], [0, 1, 1, 0, None, 1]
    with pytest.warns(sc.InexactWarning):
        found = sc.completion_bounds(x, y, measure=NAME, max_states=0)
    every = [added([0, 0, 1, a, 1, b], [0, 1, 1, 0, c, 1])
             for a, b, c in itertools.product((0, 1), repeat=3)]
    exact = sc.completion_bounds(x, y, measure=NAME)
    assert (exact.low, exact.high) == pytest.approx((min(every), max(every)), rel=1e-12)
    assert exact.exact
    assert found.low_bound <= min(every) <= max(every) <= found.high_bound
    x, y = labels(150, 3)
    x = [None if i % 2 == 0 else v for i, v in enumerate(x)]
    margins = sc.completion_bounds(x, y, measure=NAME)
    assert margins.method_low == "margins"
    assert margins.exact


def test_it_is_a_posterior_loss_for_nothing(added):
    draws = [labels(10, 3, seed)[0] for seed in range(6)]
    values = sc.expected_loss(draws, draws, loss=NAME)
    assert values == pytest.approx([sum(1.0 - added(x, z) for z in draws) / 6 for x in draws])
    found = sc.posterior_partition(draws, loss="rogers tanimoto", rng=0)
    assert found.loss == NAME
    assert found.expected_loss <= values.min() + 1e-12


def test_it_has_an_exact_null_law_for_nothing(added):
    x, y = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    every = [added(x, order) for order in itertools.permutations(y)]
    row = sc.chance(x, y, NAME, method="exact")[NAME]
    assert row.mean == pytest.approx(sum(every) / len(every), rel=1e-12)
    share = sum(v >= added(x, y) - 1e-12 for v in every) / len(every)
    assert row.p_value == pytest.approx(share, rel=1e-9)


def test_the_page_names_every_field_and_statistic():
    page = PAGE.read_text(encoding="utf-8")
    # What the decorator finds out.
    unset = {"name", "function", "family", "arity", "r_calls", "options", "defaults", "meaning",
             "statistic_options", "formula_options", "chance_options"}
    fields = {f.name for f in dataclasses.fields(Measure)} - unset
    statistics = {m.statistic.__name__ for m in _registry.registry().values() if m.statistic}
    missing = [name for name in sorted(fields | statistics) if f"`{name}`" not in page]
    assert not missing, f"docs/add-a-measure.md does not name {missing}"
    paths = set(re.findall(r"`((?:softclust|tests)/[\w/.]+)`", page)) - {
        "softclust/tables/rogers_tanimoto.py"}   # the example's own
    assert len(paths) > 20
    gone = sorted(path for path in paths if not (PAGE.parents[1] / path).exists())
    assert not gone, f"docs/add-a-measure.md names {gone}"
    for section in ("## Add a clusterer", "## Add a plot", "## Add a result"):
        assert section in page


def test_r_lists_it(added):
    from r_bridge import _front_comparing as front
    assert NAME in str(front.measures())
