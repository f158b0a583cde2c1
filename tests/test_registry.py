"""One decorated function is a measure everywhere; what it claims must have a test."""

import subprocess
import sys

import pytest
from together import for_each
from toy_measures import GIVEN, toy_door

import softclust as sc
from softclust.measures import _registry
from softclust.measures._registry import ALL_KINDS, Claim, measure
from softclust.measures.joint import Pair

GIVEN = {**GIVEN, "kinds": ("hard",), "cost": "O(n)"}
REAL = list(sc.list_measures().index)


@pytest.fixture
def registry():
    """The registry, restored afterwards."""
    before = dict(_registry._REGISTRY)
    yield _registry._REGISTRY
    _registry._REGISTRY.clear()
    _registry._REGISTRY.update(before)
    vars(sc).pop("toy_index", None)


def same_labels(source, *, alpha=0.5):
    pair = source.objects
    return float((pair.x.labels == pair.y.labels).mean())


toy_index = toy_door(same_labels)


def register(function=toy_index, **changes):
    return measure(Pair, same_labels, **{**GIVEN, **changes})(function)


def test_a_decorated_function_is_returned_untouched(registry):
    assert register() is toy_index


def test_a_new_measure_appears_everywhere(registry):
    from generate import stub
    from measure_tables import overview_table

    from softclust.results.listing import measure_table
    register()
    assert sc.toy_index is toy_index
    assert "toy_index" in sc._public()
    assert sc.list_measures().loc["toy_index", "source"] == "this test"
    assert sc.get_measure("toy_index").options == ("alpha",)
    assert sc.compare([0, 0, 1], [0, 1, 1]).value("toy_index") == pytest.approx(2 / 3)
    assert "`toy_index`" in overview_table()
    assert "toy_index" in measure_table(sc.list_measures()).as_text()
    assert max(map(len, measure_table(sc.list_measures(), 99).as_text().splitlines())) <= 99
    assert "import toy_index as toy_index" in stub()


def test_the_table_of_measures_fits_a_screen():
    for table in (sc.list_measures(), sc.list_measures("rand"), sc.list_measures().tail(3)):
        text = str(table)
        assert max(map(len, text.splitlines())) <= 99
        assert all(name in text for name in table.index)
    assert "by n, c" in str(sc.list_measures("mallows_distance"))
    assert "(-inf, 1]" in str(sc.list_measures("frobenius"))
    assert "sense" in str(sc.list_measures()[["sense"]]), "a part is a frame like any other"


def test_abbreviations_come_first():
    assert sc.list_measures("ARI").index[0] == "adjusted_rand_index"
    assert sc.list_measures("nmi").index[0] == "normalized_mutual_information"


def test_compare_leaves_out_what_does_not_suit(registry):
    register()
    soft = sc.compare([0, 1, 1], [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]])
    assert "toy_index" not in [row.name for row in soft]


def test_compare_leaves_out_what_says_so(registry):
    register(in_compare=False)
    assert "toy_index" not in [row.name for row in sc.compare([0, 0, 1], [0, 1, 1])]
    assert len(sc.compare([0, 0, 1], [0, 1, 1], measures="toy_index")) == 1


def test_double_registration_raises(registry):
    register()
    with pytest.raises(ValueError, match="'toy_index' is registered twice"):
        register()


@pytest.mark.parametrize(("changes", "message"), [
    ({"sense": "similarity"}, "sense='similarity' is not one of"),
    ({"kinds": ("crisp",)}, "choose from"),
    ({"kinds": ()}, "choose from"),
    ({"properties": ["nice"]}, "'nice' is not one of"),
])
def test_wrong_registration_raises(registry, changes, message):
    with pytest.raises(ValueError, match=message):
        register(**changes)
    assert "toy_index" not in registry


def test_options_must_be_keywords(registry):
    def toy_index(x, y, alpha):
        """Wrong."""
    with pytest.raises(TypeError, match="keyword options"):
        register(toy_index)


def test_unknown_measure_has_near_matches():
    with pytest.raises(ValueError, match=r"no measure 'rand_idx'; similar: .*rand_index"):
        sc.get_measure("rand_idx")


def test_order_does_not_depend_on_what_was_imported_first():
    code = ("import softclust.soft_pairs.soft_pairs\nimport softclust as sc\n"
            "print(*sc.list_measures()['family'])")
    families = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              check=True).stdout.split()
    assert len(families) == len(REAL)
    first = ["pair_counting", "information"]
    assert list(dict.fromkeys(families)) == [*first, *sorted({*families} - {*first})]
    assert sc.list_measures().index[0] == "adjusted_rand_index"


def test_claims_read_as_sentences():
    assert str(Claim(name="metric", condition="alpha >= 1/2")) == "metric (alpha >= 1/2)"
    assert str(Claim(name="reduces-to", target="rand_index")) == "reduces to rand_index"


@for_each("name", REAL)
def test_every_measure_has_a_naive_oracle(name):
    import naive
    assert callable(getattr(naive, name, None)), f"tests/naive has no oracle {name}"


@for_each("name", REAL)
def test_every_claim_has_a_checker(name):
    from test_properties import CHECKERS
    for claim in sc.get_measure(name).properties:
        assert claim.name in CHECKERS, f"{name} claims {claim.name}, which no test checks"


@for_each("name", REAL)
def test_records_are_complete(name):
    m = sc.get_measure(name)
    assert m.function.__name__ == name
    assert set(m.kinds) <= set(ALL_KINDS)
    assert "O(" in m.cost or m.cost.removeprefix("as ") in REAL
    assert m.source
    assert m.meaning
    assert not m.meaning.endswith(".")
    for claim in m.properties:
        assert set(claim.options) <= set(m.options)
        if claim.name == "reduces-to":
            assert claim.target in REAL
        assert claim.kinds is None or set(claim.kinds) <= set(m.kinds)


@for_each("name", REAL)
def test_suffixes_tell_the_sense(name):
    m = sc.get_measure(name)
    if name.endswith("_index"):
        assert m.sense == "agreement"
    if name.endswith(("_distance", "_dissimilarity")):
        assert m.sense == "dissimilarity"
    metric = {c.name for c in m.properties if not c.condition}
    if name.endswith("_distance"):
        assert "metric" in metric, f"{name} is not claimed as a metric: _dissimilarity"
