"""Agreement with the label: how near each algorithm comes, and which group went where."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .. import words as w
from ..drawing import Canvas, as_svg, new_figure
from ..fits import at_classes, correspondence, counted
from ..plan import ALGORITHMS, BAGGED, BAGGED_TITLE
from ..record import Against
from ..section import Block, Group, Heading, Picture, Prose, Section, Table, Task

if TYPE_CHECKING:
    import numpy as np

    from ...comparison.comparison_record import ComparedMeasure
    from ..data import Objects
    from ..fits import Fit
    from ..record import Report
    from ..run import Work

#: questions of the guide that are asked of a clustering against the label: of its labels, and of
#: it as it is
OF_LABELS = ("corrected", "move")
OF_SOFT = ("share", "ambiguity", "move")
#: objects up to which algorithms are ranked, and draws for the limits
_RANKED, _DRAWS, _QUICK_DRAWS = 500_000, 100_000, 10_000
#: groups and clusters up to which they are crossed in a table
GROUPS = 15


class Label(Section):
    """The clusterings compared with the known groups."""

    key, place, turn, drawn = "label", 50, 50, 55
    pictures, steps = "the comparison with the label", ("label:",)

    def applies(self, objects: Objects) -> bool:
        return objects.label is not None

    def title(self, objects: Objects) -> str:
        return f"Agreement with {objects.label_name}"

    # -- computing ----------------------------------------------------------------------------
    def tasks(self, work: Work) -> Iterable[Task]:
        for key in (*work.plan.algorithms, BAGGED):
            title = ALGORITHMS[key][0] if key in ALGORITHMS else BAGGED_TITLE
            yield Task(self.turn, f"label:{key}", f"{title} and the label",
                       lambda key=key: self.compare(work, key))   # type: ignore[misc]
        yield Task(self.turn, "label:ranking", "which algorithm is nearest to the label",
                   lambda: self.rank(work))
        yield Task(self.turn, "label:classes", "as many clusters as classes",
                   lambda: self.at_classes(work))

    def compare(self, work: Work, key: str) -> None:
        """One clustering with the label, hardened and as it is."""
        from ...comparison import compare
        from ...measures import KINDS, answering
        o = work.objects
        fit = next((f for f in work.found["fits"] if f.key == key), None)
        if fit is None or fit.clustering is None:
            raise ValueError("there is no clustering to compare")
        assert o.label is not None
        names = (o.label_name, fit.title)
        labels, soft = (
            compare(o.label, o.known(side), names=names, ci="jackknife", groups=o.known_groups,
                    measures=[answering(question, *kinds).name for question in questions])
            for side, questions, kinds in ((fit.labels, OF_LABELS, ("hard",)),
                                           (fit.clustering, OF_SOFT, KINDS)))
        work.found["against"][key] = Against(labels=labels, soft=soft)

    def rank(self, work: Work) -> None:
        """The algorithms by the adjusted Rand index of their labels; differences are paired."""
        from ...comparison.ranking import rank_clusterings
        o = work.objects
        sides = {fit.title: o.known(fit.labels) for fit in work.found["fits"]
                 if fit.labels is not None}
        if len(sides) < 2:
            raise ValueError("there are fewer than two clusterings to rank")
        if o.labelled.size > _RANKED:
            raise ValueError(f"{o.labelled.size} objects are more than the {_RANKED} that are "
                             "ranked")
        assert o.label is not None
        work.found["ranking"] = rank_clusterings(
            o.label, sides, groups=o.known_groups,
            n_draws=_QUICK_DRAWS if work.plan.quick else _DRAWS)

    def at_classes(self, work: Work) -> None:
        """k-means with as many clusters as there are groups, whatever number was chosen."""
        o = work.objects
        assert o.label is not None
        fit = work.kmeans_of(o.label.n_clusters)
        if fit.labels is None:
            raise ValueError(f"k-means with {o.label.n_clusters} clusters failed: {fit.failure}")
        work.found["at_classes"] = at_classes(o.label, o.known(fit.labels))

    # -- sentences ----------------------------------------------------------------------------
    def short(self, report: Report) -> list[str]:
        if not report.against:
            return []
        o = report.objects
        fit, against = nearest(report.fits, report.against)
        row, moved = against.labels.rows[0], against.labels.rows[1]
        assert o.label is not None
        equal = sum(a.labels.rows[0].low == row.low for a in report.against.values()) - 1
        others = (f" and {w.small(equal)} other{'s' * (equal > 1)} come" if equal else " comes")
        equal_numbers = o.label.n_clusters == report.n_clusters
        text = (f"{w.capital(fit.title)}{others} nearest to the label: adjusted Rand index "
                f"{w.value(row.low, _half(row))}{_limits(row)}")
        if not math.isnan(moved.low) and equal_numbers:
            text += (f"; {w.part(round(moved.low), o.labelled.size)} would have to change cluster "
                     "to match it")
        text += "."
        if _limited(report, fit) and row.ci_low > 0.0:
            text += (f" The index cannot reach 1, since the label has {o.label.n_clusters} groups; "
                     + w.option(bool(report.command), "n_clusters", o.label.n_clusters)
                     + " gives every algorithm that number.")
        return [text]

    # -- picture ------------------------------------------------------------------------------
    def draw(self, canvas: Canvas) -> dict[str, str]:
        from matplotlib.transforms import blended_transform_factory

        from ...plotting.figures import PALETTE, RAIL, name_rows
        results = canvas.results
        fits = [fit for fit in results["fits"] if fit.key in results["against"]]
        if not fits:
            return {}
        figure, ax = new_figure(4.9, 0.5 * len(fits) + 1.3)
        for row, fit in enumerate(fits):
            against = results["against"][fit.key]
            hard, soft = against.labels.rows[0], against.soft.rows[1]
            chance = against.soft.rows[0].chance
            above, below = row - 0.14, row + 0.16
            first = row == 0
            ax.plot([hard.ci_low, hard.ci_high], [above, above], color=PALETTE[0], lw=1.3)
            ax.plot([hard.low], [above], color=PALETTE[0], marker="o", ms=6, ls="",
                    label="adjusted Rand index" if first else None)
            ax.plot([soft.ci_low, soft.ci_high], [below, below], color=PALETTE[1], lw=1.3)
            ax.plot([soft.low, soft.high], [below, below], color=PALETTE[1], lw=6, alpha=0.45,
                    solid_capstyle="butt")
            ax.plot([soft.low, soft.high], [below, below], color=PALETTE[1], marker="|", ms=8,
                    ls="", mew=1.8, label="alpha-Rand interval" if first else None)
            ax.plot([chance], [below], color="black", marker="x", ms=5, ls="",
                    label="its chance level" if first else None)
        name_rows(ax, [fit.title for fit in fits], frame=True)
        ax.set_xlim(min(-0.02, *ax.get_xlim()), 1.02)
        ax.grid(axis="x", color=RAIL, lw=0.5)
        ax.set_xlabel(f"agreement with {w.short(canvas.objects.label_name)} (thin lines: 95 % "
                      "intervals)")
        above_all = blended_transform_factory(figure.transFigure, ax.transAxes)
        ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), bbox_transform=above_all, ncols=3,
                  columnspacing=1.0, handletextpad=0.3)
        return {"label": as_svg(figure, "label")}

    # -- page ---------------------------------------------------------------------------------
    def show(self, report: Report) -> Iterable[Block]:
        yield from _crossed(report)
        if report.against:
            yield Picture("label", "Agreement of each clustering with "
                          f"{report.objects.label_name}: all numbers are in the table below.")
            yield _table(report)
        yield Prose(_sentences(report))
        if report.ranking is not None:
            yield Heading("Which algorithm is closest to the label?")
            yield _ranking(report)
            yield Prose(_ranked(report))
        if report.against:
            yield Group([Prose(_reading(report))], summary="How to read these numbers")

    def data(self, report: Report) -> dict[str, Any]:
        from ..page import numbers
        ranking = report.ranking
        return {"label_agreement": [
            {"key": key, "limits_level": against.labels.level,
             "limits_method": against.labels.ci,
             "hardened": [_row(row) for row in against.labels],
             "as_it_is": [_row(row) for row in against.soft]}
            for key, against in report.against.items()],
            "label_ranking": None if ranking is None else {
                "measure": ranking.measure, "level": ranking.level,
                "n_objects": ranking.n_objects, "names": list(ranking.names),
                "gain": numbers(ranking.gain), "low": numbers(ranking.low),
                "high": numbers(ranking.high),
                "possibly_best": [ranking.names[i] for i in ranking.possibly_best]}}


def _row(row: ComparedMeasure) -> dict[str, Any]:
    from ..page import number
    return {"measure": row.name, "options": dict(row.options), "sense": row.sense,
            "low": number(row.low), "high": number(row.high),
            "limits": [number(row.ci_low), number(row.ci_high)], "chance": number(row.chance),
            "range": [number(v) for v in row.range], "note": row.note or None}


# -- what is said -----------------------------------------------------------------------------
def _half(row: ComparedMeasure) -> float:
    return (row.ci_high - row.ci_low) / 2


def _or_least(v: float) -> float:
    return -math.inf if math.isnan(v) else v


def _limits(row: ComparedMeasure) -> str:
    """Confidence limits, in parentheses, and whether they exclude what chance gives."""
    if math.isnan(row.ci_low):
        return ""
    chance = ", not distinguishable from chance" if row.ci_low <= 0.0 else ""
    return f" (95 % interval {w.limits(row.ci_low, row.ci_high)}; chance gives 0){chance}"


def nearest(fits: Iterable[Fit], against: Mapping[str, Against]) -> tuple[Fit, Against]:
    """The fit whose labels agree most with the label; the first on ties."""
    pairs = [(fit, against[fit.key]) for fit in fits if fit.key in against]
    return max(pairs, key=lambda pair: _or_least(pair[1].labels.rows[0].low))


def _limited(report: Report, fit: Fit) -> bool:
    """Compare the number of clusters of labelled objects with the number of groups."""
    o = report.objects
    return len(set(o.known(fit.found).labels.tolist())) != len(o.group_names)


def _reading(report: Report) -> list[str]:
    """Explain how to read the numbers."""
    if not report.against:
        return []
    sampled = f"{report.objects.groups_name} groups" if report.objects.groups else "objects"
    return [
        "The adjusted Rand index compares hard labels over pairs of objects; soft clusterings are "
        "hardened first, by the largest plausibility. 1 is the same grouping, 0 is what chance "
        "gives, below 0 is worse.",
        "Objects to move: the smallest number of objects that would have to change cluster to make "
        "clusters and groups equal.",
        "The alpha-Rand interval takes soft clusterings as they are: its low end counts every "
        "ambiguity as an error, its high end forgives it (0 to 1, large is good). Unlike the "
        "adjusted index it is not corrected for chance: compare it with its chance level.",
        f"Confidence intervals treat the {sampled} as a sample and hold the labels fixed "
        f"(jackknife, {w.many(report.objects.labelled.size, 'object')}). They say how the numbers "
        f"would vary with other {sampled}, not with another run of the algorithm. The groups of a "
        "label need not be clusters of these features."]


def _sentences(report: Report) -> list[str]:
    """The comparison with the label."""
    o = report.objects
    if not report.against or o.label is None:
        return []
    fit, against = nearest(report.fits, report.against)
    row = against.labels.rows[0]
    texts = [f"The nearest is {fit.title} with an adjusted Rand index of "
             f"{w.value(row.low, _half(row))}{_limits(row)}."
             + (" The index cannot reach 1, since there are more or fewer clusters than groups."
                if _limited(report, fit) else "")]
    soft = {f.title: a.soft for f in report.done_fits
            if (a := report.against.get(f.key)) is not None}
    widths = {name: a.rows[1].high - a.rows[1].low for name, a in soft.items()}
    widest = max(widths, key=lambda name: _or_least(widths[name]))
    texts.append(
         f"The widest alpha-Rand interval is that of {widest}, with a width of "
         f"{w.value(widths[widest])}: the value depends this much on whether ambiguity counts "
         "as an error."
         if widths[widest] > 0.02 else
         "No alpha-Rand interval is wider than 0.02: ambiguity hardly matters here.")
    low = [name for name, a in soft.items() if a.rows[0].low < a.rows[0].chance + 0.05]
    if low:
        one = len(low) == 1
        texts.append(f"As {'a soft clustering' if one else 'soft clusterings'}, {w.both(low)} "
                     f"{'is' if one else 'are'} hardly above the chance level. Nearly even "
                     "memberships agree with no grouping, even where the hardened labels do.")
    return texts


def _ranked(report: Report) -> list[str]:
    """Name the algorithm nearest to the label, or say that it is uncertain."""
    ranking = report.ranking
    if ranking is None:
        return []
    names = [ranking.names[i] for i in ranking.order if i in ranking.possibly_best]
    if len(names) == 1:
        verdict = f"{w.capital(names[0])} is nearer than every other algorithm, by more than chance"
    elif len(names) == len(ranking):
        verdict = "Any of the algorithms may be the nearest: no lead is larger than chance"
    else:
        verdict = (f"{w.capital(w.both(names))} may be the nearest; the others are farther away by "
                "more than chance")
    return [f"{verdict} (simultaneous {100 * ranking.level:g} % intervals; the labels are held "
            "fixed)."]


# -- tables -----------------------------------------------------------------------------------
def _crossed(report: Report) -> Iterable[Block]:
    """Clusters of each group, at the chosen number of clusters and at that of the groups."""
    o, fit, same = report.objects, report.fit("k-means"), report.at_classes
    if fit is None or o.label is None:
        return
    names, k = o.group_names, fit.found.n_clusters
    counts = counted(o.label, o.known(fit.found))
    crossed = [(counts, f"k-means with {k} clusters"
                + (", as many as groups" if k == len(names) else ", the number chosen"
                   if len(report.plan.candidates) > 1 else ", the number given"))]
    few = max(len(names), k) <= GROUPS
    if few:
        yield Prose(correspondence(counts, names))
    if few and same is not None and same.n_clusters != k:
        crossed.append((same.counts, f"k-means with {same.n_clusters} clusters, as many as groups"))
        yield Prose([f"With {same.n_clusters} clusters of k-means, as many as there are groups, "
                     f"the adjusted Rand index is {w.value(same.adjusted_rand_index)}. "
                     + " ".join(correspondence(same.counts, names))])
    if few:
        yield Group([_cross(o, numbers, title) for numbers, title in crossed], "row")


def _cross(o: Objects, counts: np.ndarray, title: str) -> Table:
    return Table([o.label_name, *(f"cluster {c + 1}" for c in range(counts.shape[1]))],
                 [[name, *(w.whole(int(v)) for v in row)]
                  for name, row in zip(o.group_names, counts)],
                 f"Objects by {o.label_name} and cluster: {title}",
                 numbers=range(1, counts.shape[1] + 1))


def _table(report: Report) -> Table:
    rows, values = [], []
    for key, against in report.against.items():
        hard, moved = against.labels.rows[0], against.labels.rows[1]
        index, interval = against.soft.rows[0], against.soft.rows[1]
        fit = report.fit(key)
        assert fit is not None
        values.append(_or_least(hard.low))
        rows.append([
            fit.title, w.value(hard.low, _half(hard)), w.limits(hard.ci_low, hard.ci_high),
            w.whole(round(moved.low)), w.interval(interval.low, interval.high),
            w.limits(interval.ci_low, interval.ci_high), w.value(index.chance)])
    return Table(
        ["algorithm", "adjusted Rand index (hardened)", "95 % CI", "objects to move",
         "alpha-Rand interval", "its 95 % CI", "chance level"], rows,
        f"Agreement with {report.objects.label_name} (bold: largest adjusted Rand index; chance "
        "level: of the alpha-Rand index at alpha = 1/2)", numbers=range(1, 7),
        best=[(i, 1) for i, v in enumerate(values) if v == max(values)])


def _ranking(report: Report) -> Table:
    ranking = report.ranking
    assert ranking is not None
    rows = [[ranking.names[i], w.value(float(ranking.gain[i])),
             w.limits(float(ranking.low[i]), float(ranking.high[i])),
             "yes" if i in ranking.possibly_best else "no"] for i in ranking.order]
    return Table(["algorithm", "lead", f"{100 * ranking.level:g} % CI", "may be the nearest"],
                 rows, "Lead in the adjusted Rand index over the best of the others, with "
                 "simultaneous confidence intervals", numbers=range(1, 3))
