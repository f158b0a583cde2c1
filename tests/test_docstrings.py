"""Docstrings of measures: what a reader needs stands there, in the order of numpydoc."""

import inspect
import re
from pathlib import Path

import pytest

import softclust as sc
from softclust.measures import registry
from softclust.measures._docstrings import ORDER, completed
from softclust.measures._sections import ARTICLES, LETTERS, PAGES, SECTIONS

MEASURES = list(registry().values())


def sections(function):
    pieces = re.split(r"(?:\n\n|\A)(\w[\w ]*)\n(-{3,})\n", inspect.getdoc(function))
    assert all(len(title) == len(line) for title, line in zip(pieces[1::3], pieces[2::3]))
    return dict(zip(pieces[1::3], pieces[3::3]))


@pytest.mark.parametrize("m", MEASURES, ids=lambda m: m.name)
def test_measures_say_what_readers_need(m):
    found = sections(m.function)
    wanted = ["Parameters", "Returns", "Raises", "See Also", "Notes", "References", "Examples"]
    assert [title for title in wanted if title not in found] == []
    assert [title for title in found if title in ORDER] == sorted(
        (title for title in found if title in ORDER), key=ORDER.index)
    assert ".. math:: " in found["Notes"], "the equation"
    assert re.search(r"\b(1[89]|20)\d\d\b", found["References"])
    warns = any(word in " ".join(found["Returns"].split()) for word in ("with a warning",))
    assert not warns or "Warns" in found


@pytest.mark.parametrize("m", MEASURES, ids=lambda m: m.name)
def test_related_measures_exist(m):
    for line in sections(m.function)["See Also"].splitlines():
        if line and not line.startswith(" "):
            for name in line.split(" : ")[0].split(", "):
                assert name in registry() or hasattr(sc, name), name
                assert name != m.name


@pytest.mark.parametrize("m", MEASURES, ids=lambda m: m.name)
def test_equations_can_be_drawn_offline(m):
    latex2mathml = pytest.importorskip("docutils.utils.math.latex2mathml")
    for equation in re.findall(r"\.\. math:: (.*)", sections(m.function)["Notes"]):
        assert latex2mathml.tex2mathml(equation, as_block=True).startswith("<math")


def test_no_entry_is_left_over():
    assert set(SECTIONS) <= set(registry())
    assert {letters for _, letters, *_ in SECTIONS.values()} == set(LETTERS)
    assert {key for *_, articles in SECTIONS.values() for key in articles} == set(ARTICLES)


def test_pages_of_theory_exist():
    theory = Path(__file__).parent.parent / "docs" / "theory"
    assert set(PAGES) == {m.family for m in MEASURES if m.name in SECTIONS}
    assert all((theory / f"{page}.md").exists() for page in PAGES.values())
    assert "docs/theory/hard-measures.md" in inspect.getdoc(sc.rand_index)


def test_no_article_is_named_twice():
    for m in MEASURES:
        lines = re.findall(r"^[A-Z]\. .*\(?(?:1[89]|20)\d\d", sections(m.function)["References"],
                           re.MULTILINE)
        assert len(lines) == len(set(lines)), m.name


def test_what_the_docstring_says_itself_stays():
    own = "A name.\n\nReturns\n-------\nfloat\n    nan, with a warning.\n\nNotes\n-----\nOwn.\n"
    found = completed("rand_index", own)
    assert found.index("Warns") < found.index("See Also") < found.index(".. math::")
    assert found.index(".. math::") < found.index("Own.")
    assert completed("rand_index", own + "\nSee Also\n--------\nx\n").count("See Also") == 1
    assert completed("no_such_measure", own) == own
    assert completed("rand_index", None) is None
