"""The data: which features, what was left out, what the pictures keep."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import words as w
from ..drawing import draw_clusters, drawn_objects, drawn_rows, finish_scatter
from ..fits import matched
from ..plan import FROM_COMPONENTS, seen
from ..section import Block, Group, Picture, Prose, Section, Table

if TYPE_CHECKING:
    from ..data import Objects
    from ..record import Report

#: features in an open table; features that are described at all
FEATURES, DESCRIBED = 12, 200
#: features that are named in a sentence; different whole numbers that may be codes
NAMED, CODES = 6, 6
#: skewness of an exponential law
SKEWED = 2.0
#: share of the rows from which on another way than leaving them out is named
MANY_ROWS = 0.1


class DataSection(Section):
    """The table as it was clustered."""

    # Drawn when clusters are known: groups get the colours of the clusters they are most like.
    heading = "The data"
    key, place, drawn, pictures = "data", 20, 47, "the data"

    def short(self, report: Report) -> list[str]:
        o = report.objects
        text = (f"{w.many(o.n_objects, 'object')} with {w.many(len(o.columns), 'feature')}: "
                f"{_named(o.columns)}")
        if o.label is not None:
            text += f"; the label “{o.label_name}” has {w.many(o.label.n_clusters, 'group')}"
        return [f"{text}.", *_advice(report), *_encoded(o), *_left_out(report),
                *(f"The label “{o.label_name}” {text}." for text in _noise_and_gaps(o))]

    def show(self, report: Report) -> list[Block]:
        o = report.objects
        rows = [[name, *(w.general(float(v)) for v in (o.mean[q], o.deviation[q], o.smallest[q],
                                                      o.largest[q]))]
                for q, name in enumerate(o.columns[:DESCRIBED])]
        features: Block = Table(["feature", "mean", "standard deviation", "least", "largest"],
                                rows, "Features as given", numbers=range(1, 5))
        if len(rows) > FEATURES:
            features = Group([features], summary=(
                f"All {len(rows)} features" if len(rows) == len(o.columns) else
                f"The first {len(rows)} of {w.whole(len(o.columns))} features"))
        parts: list[Block] = [Prose(_sentences(report)),
                              Picture("data", partial(_draw, report), _alt(report),
                                      drawn_objects(report), inches=(5.0, 3.6)), features]
        if o.label is not None:
            sizes = np.bincount(o.label.labels, minlength=o.label.n_clusters)
            groups = Table(
                [o.label_name, "objects", "share"],
                [[name, w.whole(int(size)), w.percent(size / o.label.n_objects)]
                 for name, size in zip(o.group_names, sizes)], "Groups of the label",
                numbers=(1, 2))
            parts.append(groups if sizes.size <= FEATURES else Group(
                [groups], summary=f"All {sizes.size} groups of the label"))
        return parts

    def data(self, report: Report) -> dict[str, Any]:
        o = report.objects
        label: dict[str, Any] | None = None
        if o.label is not None:
            sizes = np.bincount(o.label.labels, minlength=o.label.n_clusters)
            label = {"column": o.label_name,
                     "groups": [{"name": a, "size": int(b)}
                                for a, b in zip(o.group_names, sizes)],
                     "n_without": o.n_objects - o.label.n_objects}
            if (done := o.label_alignment) is not None:
                label |= {"noise": done.noise[1], "n_noise": done.n_noise[1],
                          "missing": done.missing[1], "n_missing": done.n_missing[1]}
        return {"data": {
            "source": o.source, "n_objects": o.n_objects, "n_features": len(o.columns),
            "features": [dict(zip(("name", "mean", "standard_deviation", "min", "max"), values))
                         for values in zip(o.columns, o.mean, o.deviation, o.smallest, o.largest)],
            "label": label, **w.fields(o, "id_column", "id_guessed", "rows_left_out",
                                       "values_filled"),
            "columns_left_out": o.left_out, "indicators": o.encoding.texts,
            "dates": o.encoding.dates, "columns_counting_rows": o.counting}}


def _named(names: tuple[str, ...]) -> str:
    more = [f"{w.whole(len(names) - NAMED)} more"] if len(names) > NAMED else []
    return w.both([*(f"“{c}”" for c in names[:NAMED]), *more])


def _advice(report: Report) -> Iterable[str]:
    """Hundreds of features, whole numbers that may be codes, and long tails; what to do."""
    o = report.objects
    x, count, names = o.original()[:100_000], len(o.columns), np.array(o.columns, dtype=object)
    numbers = ~o.encoding.indicators
    if count >= FROM_COMPONENTS:
        yield (f"There are {w.whole(count)} features. Distances in so many dimensions differ "
               "little, and everything takes long: compute principal components first (10 to 50, "
               "such as sklearn.decomposition.PCA) and report on these.")
    if len(x) < 30:
        return
    coded = [] if count > 500 else [
        q for q in np.flatnonzero(numbers) if (values := np.unique(np.round(x[:, q], 9))).size
        <= CODES and (values == np.round(values)).all()]
    if coded:
        holds, columns = ("holds", "column") if len(coded) == 1 else ("hold", "columns")
        yield (f"{w.quoted(names[coded[:NAMED]])} {holds} only a few distinct whole numbers: if "
               f"these are codes rather than amounts, leave the {columns} out ("
               + w.option(bool(report.command), "drop", "...").replace("'", "") + ").")
    centred = x - x.mean(axis=0)
    skewness = (centred**3).mean(axis=0) / np.maximum((centred**2).mean(axis=0), 1e-300)**1.5
    tailed = names[(skewness > SKEWED) & (o.smallest >= 0.0) & numbers]
    if tailed.size:
        are, their = ("has", "its") if tailed.size == 1 else ("have", "their")
        yield (f"{_named(tuple(tailed))} {are} a long tail of large values, which dominate "
               f"distances: {their} logarithms, log(1 + x), are often better features.")


def _left_out(report: Report) -> list[str]:
    """Columns and rows that are not there."""
    o = report.objects
    texts = []
    if o.id_column is not None:
        how = "looks like ids and was taken as such" if o.id_guessed else "holds the ids"
        column = o.id_column if o.id_column == "the index" else f"The column “{o.id_column}”"
        texts.append(f"{w.capital(column)} {how}; it is not a feature.")
    if o.counting:
        one = len(o.counting) == 1
        texts.append(f"{w.both(f'“{c}”' for c in o.counting)} {'counts' if one else 'count'} the "
                     f"rows and {'is not a feature' if one else 'are not features'} ("
                     + w.option(bool(report.command), "columns", "...").replace("'", "")
                     + " uses the columns that you name).")
    if o.left_out:
        marks = dict.fromkeys(o.left_out_text, " (text)")
        texts.append("Left out as you asked: "
                     + w.both(f"“{c}”{marks.get(c, '')}" for c in o.left_out) + ".")
    if o.rows_left_out:
        rows = o.n_objects + o.rows_left_out
        texts.append(f"{w.capital(w.part(o.rows_left_out, rows, 'row'))} with missing values "
                     f"{'was' if o.rows_left_out == 1 else 'were'} left out. If values are not "
                     "missing at random, this biases what follows.")
        if o.rows_left_out > MANY_ROWS * rows:
            texts[-1] += (" These are many: " + w.option(bool(report.command), "missing_values",
                                                         "median") + " keeps the rows.")
    if o.values_filled:
        texts.append(f"{w.many(o.values_filled, 'missing value')} of features were filled in as "
                     "you asked: the median of the column for a number, a value of its own for a "
                     "text. Objects with several of them look more alike than they are.")
    return texts


def _encoded(o: Objects) -> list[str]:
    """Text and dates that became numbers."""
    texts, dates = o.encoding.texts, o.encoding.dates
    sentences = []
    if texts:
        sentences.append(
            w.capital(w.both(f"“{name}” ({w.many(len(values), 'value')})"
                             for name, values in texts.items()))
            + " became indicators, 0 or 1 for each value. Another value moves an object by √2 = "
            f"1.4, where a {'standard deviation' if o.scale == 'standard' else 'unit'} of a number "
            "moves it by 1" + (": as much as two objects drawn at random differ in one number."
                               if o.scale == "standard" else "."))
    if dates:
        sentences.append(f"{w.quoted(dates)} became days since 1970-01-01.")
    return sentences


def _sentences(report: Report) -> list[str]:
    """Scaling, ids, what was left out, what the picture keeps."""
    o, shares = report.objects, report.objects.components[1]
    texts = [*_advice(report)]
    if o.scale == "standard":
        what = "Numbers" if o.encoding.texts else "Features"
        texts.append(f"{what} were standardised (mean 0, standard deviation 1): each has the same "
                     "weight, whatever its unit. "
                     + w.option(bool(report.command), "scale", "none")
                     + " leaves them as they are.")
    else:
        texts.append("Features were used as they are: those with a large spread count most. "
                     + w.option(bool(report.command), "scale", "standard")
                     + " gives each the same weight.")
    texts += _encoded(o) + _left_out(report)
    if o.label is not None:
        texts.append(f"The label “{o.label_name}” was not used to find clusters, only to judge "
                     "them.")
        texts[-1] += "".join(f" It {text}." for text in _noise_and_gaps(o))
        count, rule = (0, "") if (done := o.label_alignment) is None else (done.n_noise[1],
                                                                           done.noise[1])
        # With two groups -1 is rather the name of one of them.
        if count and rule == "cluster" and o.label.n_clusters > 2:
            have, counts = ("has", "counts") if count == 1 else ("have", "count")
            texts.append(f"{w.capital(w.part(count, o.n_objects))} {have} the label of noise and "
                         f"{counts} as one more group; "
                         + w.option(bool(report.command), "noise", "drop")
                         + " leaves noise out of the comparisons with the label.")
    if shares.size > 1 and len(o.columns) > 2:
        variance = float(shares[:2].sum())
        text = (f"The pictures show the first two principal components, which keep "
                f"{w.percent(variance)} of the variance (0 to 100 %, more is better). ")
        text += ("Distances in the pictures are close to the true ones." if variance > 0.8 else
                 "Groups that overlap in the pictures may be apart in the other components."
                 if variance > 0.5 else
                 "That is little: groups that overlap in the pictures may well be apart in the "
                 "other components.")
        texts.append(text)
    return texts


def _noise_and_gaps(o: Objects) -> list[str]:
    """Treatment of missing labels and noise of the label, as text after its name."""
    done = o.label_alignment
    if done is None:
        return []
    texts = []
    for what, count, rule in (("missing", done.n_missing[1], done.missing[1]),
                              ("noise", done.n_noise[1], done.noise[1])):
        if count and (what, rule) != ("noise", "cluster"):
            then = ("left out only of the comparisons with the label" if rule == "drop" else
                    "one more group of the label")
            texts.append(f"is {what} for {w.part(count, o.n_objects)}: they are clustered like the "
                         f"others and {then}")
    return texts


def _alt(report: Report) -> str:
    o = report.objects
    text = (f"Scatter plot of {w.many(report.plan.n_drawn, 'object')} in the first two principal "
            f"components, which keep {w.percent(float(o.components[1][:2].sum()))} of the variance")
    if o.label is None:
        return f"{text}."
    without = o.n_objects - o.labelled.size
    return (f"{text}, coloured by {o.label_name}: {seen(o.label.labels, o.group_names)}"
            + (f"; {w.many(without, 'object')} without a label are grey." if without else "."))


def _draw(report: Report, ax: Any) -> None:
    """The objects in the plane, coloured by the label."""
    from ...plotting.figures import PALETTE, RAIL
    o, rows, points = report.objects, drawn_rows(report), report.objects.components[0]
    known = np.isin(rows, o.labelled)
    if o.label is None or not known.all():
        others = rows if o.label is None else rows[~known]
        ax.scatter(points[others, 0], points[others, 1], s=12 if rows.size < 1000 else 6,
                   color=PALETTE[0] if o.label is None else RAIL, edgecolors="white",
                   linewidths=0.3, alpha=0.8, label=None if o.label is None else "(no label)")
    if o.label is not None:
        first = next((fit for fit in report.fits if fit.labels is not None), None)
        order = (range(o.label.n_clusters) if first is None
                 else matched(o.known(first.labels), o.label))
        groups = o.label.subset(np.searchsorted(o.labelled, rows[known])).reordered(np.array(order))
        draw_clusters(ax, report, rows[known], groups, o.label_name)
    else:
        finish_scatter(ax, report)
