"""The main findings of a report, one or two sentences each: what stands at its top."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from . import sentences
from . import words as w
from .classes import counted, headline

if TYPE_CHECKING:
    from .record import Report

#: features from which on silhouettes are small even for clear groups
MANY_FEATURES = 20


def in_short(report: Report) -> list[str]:
    """The main findings, one sentence or two each."""
    said = [*_finding(report), _about_data(report)]
    o = report.objects
    said += [f"The label “{o.label_name}” {text}." for text in sentences.noise_and_gaps(o)]
    if o.rows_left_out:
        said.append(f"{w.many(o.rows_left_out, 'row')} with missing values were left out.")
    if not report.complete:
        said.append(f"This report is incomplete: it was interrupted during the step "
                    f"“{report.interrupted}”. What was finished is here; the rest says that it "
                    "was not reached.")
    if report.n_clusters is not None:
        said.append(_about_number(report))
    doubts = _doubts(report)
    if doubts:
        said.append(_about_doubts(report, doubts))
    if report.against:
        said += _about_label(report)
    if report.matrix is not None:
        said += sentences.agreement(report)[1:2]
    if report.stability is not None:
        said.append(_about_stability(report))
    failed = [fit.title for fit in report.fits if fit.failure]
    if failed:
        said.append(f"No clustering by {w.both(failed)}: see the reason under Clusterings.")
    return said


def _finding(report: Report) -> list[str]:
    """What the clusters make of the known classes, first of all."""
    o, fit = report.objects, report.fit("k-means")
    if o.label is None or fit is None or fit.labels is None:
        return []
    names, k = sentences.group_names(report), fit.labels.n_clusters
    told = headline(counted(o.label, sentences.labelled(report, fit.labels)), names)
    if not told:
        return []
    given = len(report.plan.candidates) == 1
    said = [f"{'With' if given else 'The data suggest'} {k} clusters{':' if not given else ','} "
            f"{told}."]
    same = report.at_classes
    if same is not None and same.n_clusters != k:
        more = headline(same.counts, names)
        said.append(f"With {same.n_clusters} clusters, as many as “{o.label_name}” has groups, "
                    f"{more}: adjusted Rand index {w.value(same.adjusted_rand_index)}, "
                    f"{w.part(same.n_moved, o.labelled.size)} in another cluster than their "
                    "group.")
    return said


def _about_doubts(report: Report, doubts: list[str]) -> str:
    """Weak structure, weighed against what the label says and against the number of features."""
    p = len(report.objects.columns)
    high = (" With so many features silhouettes are small even where groups are clear."
            if p >= MANY_FEATURES and any("silhouette" in text for text in doubts) else "")
    found = _best_ari(report)
    if found >= 0.65:   # as good as Steinley calls moderate
        return (f"By themselves the features show no clear groups: {w.both(doubts)}. The clusters "
                f"nevertheless match the label (adjusted Rand index {w.value(found)}): groups can "
                f"be real without being round or well apart.{high}")
    return f"There may be no clusters: {w.both(doubts)}. Every algorithm returns some.{high}"


def _best_ari(report: Report) -> float:
    """The largest adjusted Rand index with the label, also with as many clusters as groups."""
    values = [a.labels.rows[0].low for a in report.against.values()]
    if report.at_classes is not None:
        values.append(report.at_classes.adjusted_rand_index)
    return max((v for v in values if not math.isnan(v)), default=-math.inf)


def _about_data(report: Report) -> str:
    o = report.objects
    text = f"{w.many(o.n_objects, 'object')} with {w.many(len(o.columns), 'feature')}"
    if o.label is not None:
        text += f"; the label “{o.label_name}” has {w.many(o.label.n_clusters, 'group')}"
    return text + "."


def _about_number(report: Report) -> str:
    k = report.n_clusters
    if len(report.plan.candidates) == 1:
        return f"The number of clusters, {k}, was given."
    votes = [sentences.CRITERION_NAMES[name] for name, c in report.criteria.items() if c.best == k]
    total = len(report.criteria)
    if len(votes) == 1:
        before = ("The criteria for the number of clusters disagree; the report goes on with "
                  if total > 1 else "The only criterion that was computed prefers ")
        return f"{before}{k} clusters, the choice of the {votes[0]}."
    how = "All" if len(votes) == total else f"{w.small(len(votes)).capitalize()} of"
    return (f"{how} {w.small(total)} criteria prefer {k} clusters ({w.both(votes)}); the report "
            f"goes on with {k}.")


def _doubts(report: Report) -> list[str]:
    """What speaks against clusters of any number."""
    said = []
    if "silhouette" in report.criteria and report.criteria["silhouette"].best:
        width = sentences.at_best(report, "silhouette")[1]
        if w.silhouette(width).startswith("no"):
            said.append(f"the largest silhouette, {w.value(width)}, means no substantial structure")
    if "gap" in report.criteria and report.criteria["gap"].best == 1:
        said.append("the gap statistic prefers a single cluster")
    return said


def _about_label(report: Report) -> list[str]:
    o = report.objects
    fit, against = sentences.nearest(report)
    row, moved = against.labels.rows[0], against.labels.rows[1]
    equal = sum(a.labels.rows[0].low == row.low for a in report.against.values()) - 1
    others = f" (with {w.small(equal)} other{'s' * (equal > 1)})" if equal else ""
    assert o.label is not None
    equal_numbers = o.label.n_clusters == report.n_clusters
    text = (f"Against the label, {fit.title}{others} comes nearest: adjusted Rand index "
            f"{w.value(row.low, sentences.half(row.ci_low, row.ci_high))}"
            + (f", {sentences.ari_word(row)}" if equal_numbers or row.ci_low <= 0.0 else ""))
    if not math.isnan(moved.low):
        text += (f"; {w.part(round(moved.low), o.labelled.size)} would have to change cluster to "
                 "match it")
    said = [text + "."]
    if report.n_clusters is not None and not equal_numbers:
        said.append(f"The label has {o.label.n_clusters} groups and the clusterings have "
                    f"{report.n_clusters} clusters, so the index cannot reach 1; "
                    + w.option(bool(report.command), "clusters", o.label.n_clusters)
                    + " compares all algorithms with equal numbers.")
    return said


def _about_stability(report: Report) -> str:
    s = report.stability
    assert s is not None
    doubtful, mean = int((s.share < 0.95).sum()), float(s.share.mean())
    return (f"k-means is {sentences.stability_word(mean)}: fitted again to {s.n_replicates} "
            f"bootstrap samples, it puts objects where most refits do in {w.percent(mean)} of the "
            f"cases; {w.part(doubtful, s.share.size)} change cluster in more than 1 of 20 refits.")
