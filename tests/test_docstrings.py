"""Docstrings of measures: what a reader needs stands there, in the order of numpydoc."""

import inspect
import re
from pathlib import Path

import pytest
from together import for_each

import softclust as sc
from softclust.measures import registry

#: sections in the order of numpydoc
ORDER = ("", "Parameters", "Returns", "Raises", "Warns", "See Also", "Notes", "References",
         "Examples")
MEASURES = list(registry().values())
#: public functions that are no registered measures, and the estimators
OTHERS = {name: getattr(sc, name) for name in sc._public()
          if name not in registry() and inspect.isfunction(getattr(sc, name))}
OTHERS |= {f"cluster.{name}": getattr(sc.cluster, name) for name in sc.cluster.__all__
           if callable(getattr(sc.cluster, name)) and not name.endswith("Warning")}
OTHERS |= {name: getattr(sc, name) for name in ("BaggedClustering", "BayesianBaggedClustering",
                                                "MultipleMatchClustering")}
#: they compute no number of their own: no article, no page of theory
PLAIN = {"as_clustering", "get_measure", "get_num_threads", "list_measures", "compare_all",
         "load_reliability_simulation", "report", "set_num_threads", "show_versions",
         "subsample_indices", "transport_methods", "warmup", "is_refinement", "join", "meet",
         "match_table", "tabulate"}
#: what they compute is given by a sum in indented lines, by other functions, or in words
IN_WORDS = PLAIN | {"align", "as_dendrogram", "bootstrap_indices", "cluster_number", "compare",
                    "order_flows", "pair_counts", "pair_roc_subsets", "partition_core",
                    "prayatul_all", "prayatul_from_counts", "resampled_clusterings", "tie_range",
                    "untangle", "cluster.RoughKMeans", "cluster.FuzzyCMeans",
                    "cluster.PossibilisticCMeans", "cluster.EvidentialCMeans", "cluster.SLAGLO",
                    "cluster.SLDID", "cluster.var_part", "cluster.pca_part", "BaggedClustering",
                    "BayesianBaggedClustering", "MultipleMatchClustering"}


def sections(function):
    pieces = re.split(r"(?:\n\n|\A)(\w[\w ]*)\n(-{3,})\n", inspect.getdoc(function))
    assert all(len(title) == len(line) for title, line in zip(pieces[1::3], pieces[2::3]))
    return dict(zip(pieces[1::3], pieces[3::3]))


@for_each("m", MEASURES, show=lambda m: m.name)
def test_measures_say_what_readers_need(m):
    found = sections(m.function)
    wanted = ["Parameters", "Returns", "Raises", "See Also", "Notes", "References", "Examples"]
    assert [title for title in wanted if title not in found] == []
    assert [title for title in found if title in ORDER] == sorted(
        (title for title in found if title in ORDER), key=ORDER.index)
    assert ".. math::" in found["Notes"], "the equation"
    assert re.search(r"\b(1[89]|20)\d\d\b", found["References"])
    warns = any(word in " ".join(found["Returns"].split()) for word in ("with a warning",))
    assert not warns or "Warns" in found


@for_each("name", OTHERS)
def test_functions_say_what_readers_need(name):
    found = sections(OTHERS[name])
    assert [title for title in ("See Also", "Examples") if title not in found] == []
    assert [title for title in found if title in ORDER] == sorted(
        (title for title in found if title in ORDER), key=ORDER.index)
    if name not in PLAIN:
        assert ("docs/theory/" in found.get("Notes", "")
                or re.search(r"\b(1[89]|20)\d\d\b", found.get("References", "")))
    if name not in IN_WORDS:
        assert ".. math::" in found["Notes"], "the equation"
    if re.search(r"nan,? with a warning", " ".join(found.get("Returns", "").split())):
        assert "Warns" in found


def test_lists_of_exceptions_hold_what_exists():
    assert set(OTHERS) >= IN_WORDS


@for_each("name", [*(m.name for m in MEASURES), *OTHERS])
def test_related_functions_exist(name):
    for line in sections(OTHERS.get(name) or registry()[name].function)["See Also"].splitlines():
        if line and not line.startswith(" "):
            for other in line.split(" : ")[0].split(", "):
                assert other in registry() or hasattr(sc, other) or hasattr(sc.cluster, other)
                assert other != name.removeprefix("cluster.")


@for_each("name", [*(m.name for m in MEASURES), *OTHERS])
def test_equations_can_be_drawn_offline(name):
    latex2mathml = pytest.importorskip("docutils.utils.math.latex2mathml")
    notes = sections(OTHERS.get(name) or registry()[name].function).get("Notes", "")
    for equation in re.findall(r"\.\. math::\s+(.*?)(?:\n\n|\Z)", notes, re.DOTALL):
        tex = " ".join(equation.split())
        assert latex2mathml.tex2mathml(tex, as_block=True).startswith("<math")


def test_pages_of_theory_exist():
    theory = Path(__file__).parent.parent / "docs" / "theory"
    for m in MEASURES:
        pages = re.findall(r"docs/theory/([\w-]+)\.md", inspect.getdoc(m.function))
        assert all((theory / f"{page}.md").exists() for page in pages)
        assert pages, m.name


def test_no_article_is_named_twice():
    for m in MEASURES:
        lines = re.findall(r"^[A-Z]\. .*\(?(?:1[89]|20)\d\d", sections(m.function)["References"],
                           re.MULTILINE)
        assert len(lines) == len(set(lines)), m.name
