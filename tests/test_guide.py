"""Pages of the guide made from the registry: what they recommend can be had, and is true."""

import warnings

import measure_tables
import numpy as np
import pytest

import softclust as sc
from softclust.measures._registry import KINDS, registry

#: each kind twice, six objects
SIDES = {
    "hard": ([0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]),
    "rough": (sc.RoughClustering.from_upper([[1, 0], [1, 0], [1, 1], [0, 1], [0, 1], [0, 1]]),
              sc.RoughClustering.from_upper([[1, 0], [1, 1], [1, 0], [0, 1], [0, 1], [1, 1]])),
    "fuzzy": ([[0.9, 0.1], [1, 0], [0.6, 0.4], [0.2, 0.8], [0, 1], [0, 1]],
              [[0.8, 0.2], [1, 0], [0.5, 0.5], [0.3, 0.7], [0, 1], [0.1, 0.9]]),
    "possibilistic": (
        sc.PossibilisticClustering([[1, 0.1], [1, 0], [1, 0.4], [0.2, 1], [0, 1], [0, 1]]),
        sc.PossibilisticClustering([[1, 0.2], [1, 0], [1, 0.9], [0.4, 1], [0, 1], [0.1, 1]])),
}
SIDES["evidential"] = tuple(side.to_evidential() for side in SIDES["possibilistic"])
PAIRS = list(measure_tables.pairs_of_kinds())


def test_every_pair_of_kinds_once():
    assert len(PAIRS) == 15
    assert {kind for pair in PAIRS for kind in pair} == set(KINDS)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_recommended_measures_take_the_kinds(a, b):
    x, y = sc.as_clustering(SIDES[a][0]), sc.as_clustering(SIDES[b][1])
    assert (x.kind, y.kind) == (a, b)
    found = measure_tables.recommended(a, b)
    assert len(found) >= 4
    for question, answers in found:
        assert 1 <= len(answers) <= question.most
        for m, why in answers:
            assert why
            result = m.function(x, y)
            ends = ((result.low, result.high) if isinstance(result, sc.Interval)
                    else (result.lower, result.upper) if hasattr(result, "lower")
                    else (result,))
            assert np.isfinite(ends).all()


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_reasons_are_those_of_the_registry(a, b):
    questions = {question.text: answers for question, answers in measure_tables.recommended(a, b)}
    corrected = [m for text, answers in questions.items() if "0 at chance" in text
                 for m, _ in answers]
    assert corrected
    assert all(any(c.name == "chance-corrected" for c in m.properties) for m in corrected)
    distances = [m for text, answers in questions.items() if text.startswith("A metric")
                 for m, _ in answers]
    assert all(any("metric" in c.name for c in m.properties) for m in distances)
    assert ("How much does ambiguity leave open?" in questions) == bool(
        {a, b} & {"rough", "possibilistic", "evidential"})


@pytest.mark.parametrize(("name", "a", "b", "cost"), [
    ("alpha_rand_index", "hard", "fuzzy", "O(n f^2)"),
    ("alpha_rand_index", "fuzzy", "fuzzy", "O(n^2 f)"),
    ("alpha_rand_interval", "rough", "evidential", "O(n f^2)"),
    ("rand_index", "hard", "hard", "O(n + r s)"),
])
def test_cost_of_the_kinds(name, a, b, cost):
    assert measure_tables.cost_for(registry()[name], a, b) == cost
    assert measure_tables.linear(registry()[name], a, b) == (cost != "O(n^2 f)")


def test_conditions_of_claims():
    assert measure_tables.metric(registry()["concordance_index"], "hard", "hard")
    assert registry()["concordance_index"].claims("metric", ("fuzzy", "hard")) == []
    assert "| 0 (product, cosine) |" in measure_tables.overview_table()
    assert "| pseudo; metric (hard clusterings) |" in measure_tables.overview_table()


def test_tables_have_every_measure():
    for text in (measure_tables.overview_table(), measure_tables.properties_table(),
                 measure_tables.reference_page()):
        for name in registry():
            assert name in text
    singles = [m.name for m in registry().values() if m.arity == 1]
    assert all(f"`{name}`" in measure_tables.single_table() for name in singles)


def test_the_grid_names_a_measure_for_each_pair():
    grid = measure_tables.decision_grid()
    assert grid.count("| **") == len(KINDS)
    assert "| **hard** | adjusted Rand | adjusted alpha Rand |" in grid


def test_seven_tables_answer_the_questions():
    sections = measure_tables.decision_sections()
    assert sections.count("\n### ") == len(measure_tables.QUESTIONS) == 7
    assert sections.count("| use | because | kinds |") == 7
    assert len(sections.splitlines()) < 70, "nothing is repeated"
    for question in measure_tables.QUESTIONS:
        for m, why in question.answers:
            assert f"| `{m.name}` | {why} | " in sections


def test_tables_say_the_kinds_for_which_they_answer():
    """What the selector of the page reads is what `recommended` knows."""
    for question in measure_tables.QUESTIONS:
        for m, _ in question.answers:
            kinds, _, condition = measure_tables._kinds_for(question, m).partition("; ")
            kinds = KINDS if kinds == "all" else kinds.split(", ")
            for a, b in PAIRS:
                told = {a, b} <= set(kinds) and (not condition or bool({"hard", "rough"} & {a, b}))
                assert told == (m.takes(a, b) and question.needs(m, a, b)), (m.name, a, b)


def test_every_answer_of_a_record_belongs_to_a_question():
    keys = {question.key for question in measure_tables.QUESTIONS}
    assert {a.question for m in registry().values() for a in m.answers} == keys
    for question in measure_tables.QUESTIONS:
        ranks = [m.answer(question.key).rank for m, _ in question.answers]
        assert ranks == sorted(set(ranks))


def test_the_overview_knows_every_mean_that_compare_shows():
    x, y = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2, 2, 0]
    names = [m.name for m in registry().values() if m.arity == 2 and m.takes("hard", "hard")]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = sc.compare(x, y, measures=names).rows
    known = {row.name for row in rows if row.chance is not None and row.chance == row.chance}
    assert len(known) > 30
    table = {line.split("`")[1]: line.split(" | ")[4] for line in
             measure_tables.overview_table().splitlines() if line.startswith("| `")}
    assert {name for name in known if not table[name]} == set()
