"""Pages of the user guide that come from the registry; scripts/generate.py writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement

from softclust import plotting
from softclust.measures import KINDS, Measure, in_reading_order, registry

#: kinds that leave open which hard clustering is meant
AMBIGUOUS = ("rough", "possibilistic", "evidential")
#: a condition on a pair of kinds, in the words of the tables
ONE_SIDE = "one side hard or rough"
#: measures that are linear in these have an exact mean over permutations of the objects
EXACT_MEANS = ("sums", "rows", "cells")
#: the usual cost of two hard clusterings, an empty cell in the overview
ONE_PASS = "O(n + r s)"
#: properties that the overview shows or that all measures have
SHOWN = ("metric", "pseudo-metric", "chance-corrected", "relabelling-invariant")


# -- what the registry knows of a measure, for two kinds ----------------------------------------
def chance_corrected(m: Measure, a: str, b: str) -> bool:
    """Test whether the mean under random permutation of the objects is 0 by default."""
    return bool(m.claims("chance-corrected", (a, b)))


def metric(m: Measure, a: str, b: str) -> bool:
    """Test whether it is a metric or a pseudo-metric, perhaps for some values of its options."""
    return bool(m.claims("metric", (a, b)) or m.claims("pseudo-metric", (a, b)))


def cost_for(m: Measure, a: str, b: str) -> str:
    """The part of the cost that holds for these kinds."""
    cost = registry()[m.cost[3:]].cost if m.cost.startswith("as ") else m.cost
    if " if one is hard or rough" not in cost:
        return cost.split(";")[0]
    general, special = cost.split("; ", 1)
    if {a, b} & {"hard", "rough"}:
        return special.split(" if one")[0]
    return general


def linear(m: Measure, a: str, b: str) -> bool:
    """Test whether the time grows like the number of objects."""
    cost = cost_for(m, a, b)
    return cost.startswith("O(n") and "n^" not in cost and "exponential" not in cost


def any_measure(m: Measure, a: str, b: str) -> bool:
    """No condition but the kinds."""
    return True


# -- the questions --------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Questions of readers; the records of measures say which of them answer a question.

    Attributes
    ----------
    key : str
        Its name in the records (`softclust.measures.Answer`).
    text : str
    needs : callable
        Must hold for each answer; the pages cannot be generated where it does not.
    most : int
        Largest number of answers shown.
    only_ambiguous : bool
        Asked only where a side is rough, possibilistic or evidential.
    """

    key: str
    text: str
    needs: Callable[[Measure, str, str], bool] = any_measure
    most: int = 2
    only_ambiguous: bool = False

    @property
    def answers(self) -> list[tuple[Measure, str]]:
        """Measures and why, best first."""
        found = [(m, a) for m in registry().values() if (a := m.answer(self.key)) is not None]
        return [(m, a.because) for m, a in sorted(found, key=lambda pair: pair[1].rank)]


QUESTIONS = (
    Question(key="corrected", text="Chance-corrected agreement: 0 at chance, 1 for equal",
             needs=chance_corrected),
    Question(key="ambiguity", text="How much does ambiguity leave open?", only_ambiguous=True,
             most=3),
    Question(key="share", text="On what share of the pairs do they agree?"),
    Question(key="metric", text="A metric, for maps, medoids and dendrograms", needs=metric),
    Question(key="move", text="How many objects must move?", most=1),
    Question(key="told", text="How much of a known truth do the clusters tell?"),
    Question(key="fast", text="Fast for a million objects", needs=linear, most=1),
)


def pairs_of_kinds() -> Iterator[tuple[str, str]]:
    """All pairs of kinds, each once."""
    return combinations_with_replacement(KINDS, 2)


def recommended(a: str, b: str) -> list[tuple[Question, list[tuple[Measure, str]]]]:
    """The questions that make sense for two kinds, each with the measures that answer it."""
    found = []
    for question in QUESTIONS:
        if question.only_ambiguous and not {a, b} & set(AMBIGUOUS):
            continue
        answers = [(m, why) for m, why in question.answers
                   if m.takes(a, b) and question.needs(m, a, b)]
        if {a, b} == {"hard"}:   # their own measures are better known than the soft ones
            answers = [(m, why) for m, why in answers if m.kinds == ("hard",)] or answers
        if answers:
            found.append((question, answers[:question.most]))
    return found


# -- pages ----------------------------------------------------------------------------------------
def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _range(m: Measure) -> str:
    """The range, kept on one line: a no-break space and a minus sign in place of a hyphen."""
    return m.bounds_text.replace(" ", "\u00a0").replace("-", "\u2212")


def _head(*names: str) -> list[str]:
    return [_row(names), "|" + "---|" * len(names)]


def _kinds_for(question: Question, m: Measure) -> str:
    """The kinds for which a measure answers a question, "" for none."""
    taken = [pair for pair in pairs_of_kinds() if m.takes(*pair)]
    good = [pair for pair in taken if question.needs(m, *pair)]
    if good == taken:
        return m.kinds_text
    if good == [pair for pair in taken if {"hard", "rough"} & set(pair)]:
        return f"{m.kinds_text}; {ONE_SIDE}"
    return ", ".join(kind for kind in KINDS if (kind, kind) in good)


def _answers(question: Question) -> str:
    lines = _head("use", "because", "kinds")
    for m, why in question.answers:
        if kinds := _kinds_for(question, m):
            lines.append(_row([f"`{m.name}`", why, kinds]))
    return "\n".join(lines)


def decision_grid() -> str:
    """Kinds against kinds: the measure to begin with."""
    lines = _head("", *KINDS)
    for a in KINDS:
        cells = [_short(recommended(*sorted((a, b), key=KINDS.index))[0][1][0][0]) for b in KINDS]
        lines.append(_row([f"**{a}**", *cells]))
    return "\n".join(["", *lines, ""])


def _short(m: Measure) -> str:
    """A measure in a few letters, for the grid."""
    words = m.name.removesuffix("_index").split("_")
    return " ".join(word.capitalize() if word in ("rand", "frobenius") else word for word in words)


def decision_sections() -> str:
    """One table for each question; the guide adds a selector of kinds."""
    lines: list[str] = []
    for question in QUESTIONS:
        lines += ["", f"### {question.text}", "", _answers(question)]
    return "\n".join([*lines, ""])


def single_table() -> str:
    """Measures of one clustering."""
    lines = _head("measure", "kinds")
    lines += [_row([f"`{m.name}`: {m.meaning}", m.kinds_text])
              for m in registry().values() if m.arity == 1]
    return "\n".join(["", *lines, ""])


def overview_table() -> str:
    """All measures with what decides between them; the guide adds a filter to it."""
    lines = _head("measure", "kinds", "sense", "range", "at chance", "metric", "time")
    for m in in_reading_order():
        cost = registry()[m.cost[3:]].cost if m.cost.startswith("as ") else m.cost
        lines.append(_row([f"`{m.name}`: {m.meaning}", m.kinds_text, m.sense, _range(m),
                           _when(m, "chance-corrected").replace("yes", "0", 1)
                           or ("known" if m.chance or m.linear in EXACT_MEANS else ""),
                           _metric_text(m), "" if cost == ONE_PASS else cost]))
    return "\n".join(["", *lines, ""])


def _when(m: Measure, name: str) -> str:
    """"yes", "yes (condition)" or nothing."""
    found = m.claims(name)
    if not found:
        return ""
    return "yes" if any(not c.condition for c in found) else f"yes ({found[0].condition})"


def _metric_text(m: Measure) -> str:
    plain = _when(m, "metric")
    if plain == "yes" or not m.claims("pseudo-metric"):
        return plain
    return "; ".join(filter(None, [_when(m, "pseudo-metric").replace("yes", "pseudo", 1),
                                   plain.replace("yes", "metric", 1)]))


def properties_table() -> str:
    """Measures with the properties that the overview does not show, source and R packages."""
    lines = _head("measure", "properties", "source", "R packages")
    for m in in_reading_order():
        packages = dict.fromkeys(re.findall(r"(\w+)::", " ".join(map(str, m.r_calls))))
        lines.append(_row([f"`{m.name}`",
                           "; ".join(str(p) for p in m.properties if p.name not in SHOWN),
                           m.source, ", ".join(name for name in packages if name != "methods")]))
    return "\n".join(["", *lines, ""])


def abbreviation_table() -> str:
    """Short names of each measure, for the glossary."""
    rows = [(sorted(m.abbreviations, key=str.lower), m.name)
            for m in registry().values() if m.abbreviations]
    lines = _head("short", "measure")
    lines += [_row([", ".join(f"`{word}`" if "_" in word else word for word in short), f"`{name}`"])
              for short, name in sorted(rows, key=lambda row: row[0][0].lower())]
    return "\n".join(["", *lines, ""])


def reference_page() -> str:
    """The reference page of measures: one section a family."""
    lines = ["<!-- Generated by `make tables` from the registry; do not edit. -->", "",
             "# Measures", "",
             "Every registered measure, by family.",
             "[Which measure should I use?](../which-measure.md) helps to choose one."]
    family = ""
    for m in in_reading_order():
        if m.family != family:
            if family:
                lines.append("```")
            family = m.family
            lines += ["", f"## {m.heading}", "", "```{eval-rst}",
                      ".. currentmodule:: softclust", "", ".. autosummary::",
                      "   :toctree: generated/", ""]
        lines.append(f"   {m.name}")
    return "\n".join([*lines, "```", ""])


def plotting_page() -> str:
    """The reference page of plots."""
    charts: tuple[str, ...] = plotting.__all__
    lines = ["<!-- Generated by `make tables`; do not edit. -->", "", "# Plots", "",
             "Most results have `.plot()`, which calls one of these. The first 56 clusters differ",
             "in colour or in marker; in heat maps darker means more alike."]
    drawn = [name for name in charts if name.startswith("plot_")]
    for heading, names in (("Plots of results", drawn),
                           ("Files", [name for name in charts if name not in drawn])):
        lines += ["", f"## {heading}", "", "```{eval-rst}", ".. currentmodule:: softclust.plotting",
                  "", ".. autosummary::", "   :toctree: generated/", "",
                  *(f"   {name}" for name in names), "```"]
    return "\n".join([*lines, ""])
