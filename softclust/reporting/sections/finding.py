"""In short: what was found, first of all, and the main texts of all sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...tables.correspondence import headline, own_cluster
from .. import words as w
from ..section import Block, Prose, Section, in_short
from ..words import clear, doubtful, doubts, possible
from .clusterings import traits

if TYPE_CHECKING:
    from ..record import Report

#: clusters that are described at the top of a page
DESCRIBED = 6
#: adjusted Rand index below which clusters have little to do with a label
UNRELATED = 0.1


class FindingSection(Section):
    """The finding as a reader of the field would write it."""

    heading = "In short"
    key, place = "short", 0

    def short(self, report: Report) -> list[str]:
        texts = finding(report)
        if not report.complete:
            texts.append("This report is incomplete: it was interrupted during the step "
                         f"“{report.interrupted}”. What was finished is here; the rest is marked "
                         "as not reached.")
        return texts

    def show(self, report: Report) -> list[Block]:
        texts = in_short(report)
        leading = max(1, len(finding(report)))
        return [Prose(texts[:leading], "lead"), Prose(texts[leading:], "bullets")]


def finding(report: Report) -> list[str]:
    """Describe the clusters in the words of the label or of the features."""
    fit = report.fit("k-means")
    if fit is None:
        return []
    k = fit.found.n_clusters
    told = (_of_label if report.objects.label is not None else _of_features)(report)
    if doubtful(report):
        return [f"There may be no clusters: {w.both(doubts(report))}. Every algorithm returns "
                f"clusters. A split into {k} gives: {told[0]}", *told[1:]]
    test = report.evidence
    sure = "" if test is None or test.best == 1 else (
        f"There is evidence of {test.found} clusters (p = {test.steps[0].p_value:.3f} against data "
        f"of one cluster{'; a curved cluster can count as several' * (k < test.best)}). ")
    if doubts(report):
        sure = ("The features alone leave doubt that there are clusters: "
                f"{w.both(doubts(report))}. ")
    return [sure + _number(report, k) + told[0], *told[1:]]


def _number(report: Report, k: int) -> str:
    """The number of clusters, and what speaks for it."""
    test, others = report.evidence, [str(n) for n in possible(report) if n != k]
    divided = f"Divided into {k} clusters"
    if len(report.plan.candidates) == 1:
        return f"With {k} clusters, the number that you gave: "
    if doubts(report) or (test is None and report.objects.groups is not None):
        return f"{divided}: "
    if k == max(report.plan.candidates) > 2:
        return (f"There is no clear number of clusters: the number chosen, {k}, is the largest one "
                f"tried. {divided}: ")
    if report.choice is None:
        return f"{divided}, the choice of the silhouette: "
    if others:
        return (f"The most reproducible number is {k}, but {w.both(others)} may be as good. "
                f"{divided}: ")
    agree = test is None or test.best in (1, k) or (
        k > test.best and test.found.startswith("at least"))
    if agree and clear(report):
        return f"The data form {k} clear clusters: "
    return f"The {'data' if agree else 'halves of the data'} suggest {k} clusters: "


def _of_label(report: Report) -> list[str]:
    """The clusters and the known groups, at the chosen number and at that of the groups."""
    o, fit, same = report.objects, report.fit("k-means"), report.at_classes
    assert fit is not None
    table = o.table(fit.found)
    as_many = fit.found.n_clusters == len(o.group_names)
    told = headline(table, o.label_name if as_many else "")
    if as_many:
        return [f"{_little(report, told)}; {own_cluster(table)}."]
    texts = [f"{_little(report, told)}."]
    if same is not None:
        value = w.at_classes(report)["adjusted_rand_index"]
        start = f"With {same.n_clusters[0]} clusters, as many as “{o.label_name}” has groups, "
        index = f"adjusted Rand index {w.value(value)}"
        texts.append(f"{start}they have little to do with it either ({index})."
                     if value < UNRELATED else
                     f"{start}{headline(same)}: {own_cluster(same)} ({index}).")
    return texts


def _little(report: Report, told: str) -> str:
    row = report.against.get("k-means")
    if row is None or not row.labels.rows[0].low < UNRELATED:
        return told
    return (f"they have little to do with the groups of “{report.objects.label_name}” (adjusted "
            f"Rand index {w.value(row.labels.rows[0].low)})")


def _of_features(report: Report) -> list[str]:
    """Distinguishing features of each cluster."""
    fit, columns = report.fit("k-means"), report.objects.columns
    assert fit is not None
    sizes = fit.sizes
    if sizes.size > DESCRIBED:
        least, most = int(sizes.min()), int(sizes.max())
        return [f"{w.many(most, 'object')} each." if least == most else
                f"{w.whole(least)} to {w.many(most, 'object')} each."]
    return ["; ".join(
        f"cluster {c + 1} ({w.many(int(sizes[c]), 'object')}) "
        + (f"has {w.both(f'{way} {columns[q]}' for way, q in telling)}" if telling else
           "is near the mean in every feature")
        for c, telling in traits(report, 2).items()) + "."]
