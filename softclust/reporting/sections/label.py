"""Agreement with the label: how near each algorithm comes, and which group went where."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import words as w
from ..plan import ALGORITHMS, BAGGED, BAGGED_TITLE
from ..record import Against
from ..section import Group, Heading, Picture, Prose, Section, Table, Task

if TYPE_CHECKING:
    from ...tables.contingency_table import ContingencyTable
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

    heading, needs = "Agreement with {0.label_name}", "label"
    key, place, turn, drawn = "label", 50, 50, 55
    pictures, steps = "the comparison with the label", ("label:",)

    # -- computing ----------------------------------------------------------------------------
    def tasks(self, work: Work) -> Iterable[Task]:
        for key in (*work.plan.algorithms, BAGGED):
            yield Task(self.turn, f"label:{key}",
                       f"{ALGORITHMS.get(key, BAGGED_TITLE)} and the label",
                       partial(self.compare, work, key))
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
        work.found["at_classes"] = o.table(fit.labels)

    # -- page ---------------------------------------------------------------------------------
    def short(self, report: Report) -> Iterable[str]:
        if not report.against:
            return
        o, (fit, against) = report.objects, nearest(report.fits, report.against)
        row, moved = against.labels.rows[:2]
        assert o.label is not None
        equal = sum(a.labels.rows[0].low == row.low for a in report.against.values()) - 1
        others = (f" and {w.small(equal)} other{'s' * (equal > 1)} come" if equal else " comes")
        text = f"{w.capital(fit.title)}{others} nearest to the label. {row.sentence}"
        if not math.isnan(moved.low) and o.label.n_clusters == report.n_clusters:
            text += (f" {w.capital(w.part(round(moved.low), o.labelled.size))} would have to "
                     "change cluster to match it.")
        clusters = set(o.known(fit.found).labels.tolist())   # of labelled objects
        if len(clusters) != len(o.group_names) and row.ci_low > 0.0:
            text += (f" The index cannot reach 1, since the label has {o.label.n_clusters} groups; "
                     + w.option(bool(report.command), "n_clusters", o.label.n_clusters)
                     + " gives every algorithm that number.")
        yield text

    def show(self, report: Report) -> Iterable[Any]:
        o, fit, against = report.objects, report.fit("k-means"), report.against
        tables: list[tuple[str, ContingencyTable]] = []
        if fit is not None:
            k, groups = fit.found.n_clusters, len(o.group_names)
            tables.append((f"k-means with {k} clusters, " + (
                "as many as groups" if k == groups else "the number chosen" if
                len(report.plan.candidates) > 1 else "the number given"), o.table(fit.found)))
            if report.at_classes is not None and groups != k:
                tables.append((f"k-means with {groups} clusters, as many as groups (adjusted Rand "
                               f"index {w.value(w.at_classes(report)['adjusted_rand_index'])})",
                               report.at_classes))
            if max(groups, k) <= GROUPS:
                yield from (f"{what}: {' '.join(table.sentences())}" for what, table in tables)
                yield Group([Table(
                    [o.label_name, *(f"cluster {c + 1}" for c in table.y_names)],
                    [[str(name), *(w.whole(int(count)) for count in row)]
                     for name, row in zip(table.x_names, table.dense())],
                    f"Objects by {o.label_name} and cluster: {what}",
                    range(1, table.n_clusters[1] + 1)) for what, table in tables], "row")
        if against:
            yield Picture("label", partial(_draw, report), f"Agreement of each clustering with "
                          f"{o.label_name}: all numbers are in the table below.",
                          inches=(4.9, 0.5 * len(against) + 1.3))
            yield _table(report)
            yield Prose([*self.short(report), *_sentences(report)])
        if report.ranking is not None:
            yield Heading("Which algorithm is closest to the label?")
            yield report.ranking
        if against:
            sampled = f"{o.groups_name} groups" if o.groups else "objects"
            yield Group([Prose([
                "The adjusted Rand index compares hard labels over pairs of objects; soft "
                "clusterings are hardened first, by the largest plausibility. 1 is the same "
                "grouping, 0 is what chance gives, below 0 is worse.",
                "Objects to move: the smallest number of objects that would have to change cluster "
                "to make clusters and groups equal.",
                "The alpha-Rand interval takes soft clusterings as they are: its low end counts "
                "every ambiguity as an error, its high end forgives it (0 to 1, large is good). "
                "Unlike the adjusted index it is not corrected for chance: compare it with its "
                "chance level.",
                f"Confidence intervals treat the {sampled} as a sample and hold the labels fixed "
                f"(jackknife, {w.many(o.labelled.size, 'object')}). They say how the numbers would "
                f"vary with other {sampled}, not with another run of the algorithm. The groups of "
                "a label need not be clusters of these features."])],
                summary="How to read these numbers")

    def data(self, report: Report) -> dict[str, Any]:
        ranking = report.ranking
        return {"label_agreement": [
            {"key": key, "limits_level": against.labels.level, "limits_method": against.labels.ci,
             **{name: [{"measure": row.name, "note": row.note or None,
                        "limits": (row.ci_low, row.ci_high),
                        **w.fields(row, "options", "sense", "low", "high", "chance", "range")}
                       for row in side] for name, side in (("hardened", against.labels),
                                                           ("as_it_is", against.soft))}}
            for key, against in report.against.items()],
            "label_ranking": None if ranking is None else {
                **w.fields(ranking, "measure", "level", "n_objects", "names", "gain", "low",
                           "high"),
                "possibly_best": [ranking.names[i] for i in ranking.possibly_best]}}


def nearest(fits: Iterable[Fit], against: Mapping[str, Against]) -> tuple[Fit, Against]:
    """The fit whose labels agree most with the label; the first on ties."""
    pairs = [(fit, against[fit.key]) for fit in fits if fit.key in against]
    return max(pairs, key=lambda pair: _or_least(pair[1].labels.rows[0].low))


def _or_least(v: float) -> float:
    return -math.inf if math.isnan(v) else v


def _draw(report: Report, ax: Any) -> None:
    """The adjusted Rand index and the alpha-Rand interval of each clustering."""
    from matplotlib.transforms import blended_transform_factory

    from ...plotting.figures import PALETTE, RAIL, name_rows
    for row, against in enumerate(report.against.values()):
        hard, soft = against.labels.rows[0], against.soft.rows[1]
        above, below = row - 0.14, row + 0.16

        def named(name: str, first: bool = row == 0) -> dict[str, Any]:
            return {"label": name if first else None, "ls": ""}
        ax.plot([hard.ci_low, hard.ci_high], [above, above], color=PALETTE[0], lw=1.3)
        ax.plot([hard.low], [above], color=PALETTE[0], marker="o", ms=6,
                **named("adjusted Rand index"))
        ax.plot([soft.ci_low, soft.ci_high], [below, below], color=PALETTE[1], lw=1.3)
        ax.plot([soft.low, soft.high], [below, below], color=PALETTE[1], lw=6, alpha=0.45,
                solid_capstyle="butt")
        ax.plot([soft.low, soft.high], [below, below], color=PALETTE[1], marker="|", ms=8, mew=1.8,
                **named("alpha-Rand interval"))
        ax.plot([against.soft.rows[0].chance], [below], color="black", marker="x", ms=5,
                **named("its chance level"))
    name_rows(ax, [against.labels.names[1] for against in report.against.values()], frame=True)
    ax.set_xlim(min(-0.02, *ax.get_xlim()), 1.02)
    ax.grid(axis="x", color=RAIL, lw=0.5)
    ax.set_xlabel(f"agreement with {w.short(report.objects.label_name)} (thin lines: 95 % "
                  "intervals)")
    above_all = blended_transform_factory(ax.figure.transFigure, ax.transAxes)
    ax.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), bbox_transform=above_all, ncols=3,
              columnspacing=1.0, handletextpad=0.3)


def _sentences(report: Report) -> list[str]:
    """Comparison of the clusterings with each other."""
    soft = {a.soft.names[1]: a.soft for a in report.against.values()}
    widths = {name: a.rows[1].high - a.rows[1].low for name, a in soft.items()}
    widest = max(widths, key=lambda name: _or_least(widths[name]))
    texts = [
         f"The widest alpha-Rand interval is that of {widest}, with a width of "
         f"{w.value(widths[widest])}: the value depends this much on whether ambiguity counts "
         "as an error."
         if widths[widest] > 0.02 else
         "No alpha-Rand interval is wider than 0.02: ambiguity hardly matters here."]
    low = [name for name, a in soft.items() if a.rows[0].low < a.rows[0].chance + 0.05]
    if low:
        one = len(low) == 1
        texts.append(f"As {'a soft clustering' if one else 'soft clusterings'}, {w.both(low)} "
                     f"{'is' if one else 'are'} hardly above the chance level. Nearly even "
                     "memberships agree with no grouping, even where the hardened labels do.")
    return texts


def _table(report: Report) -> Table:
    rows, values = [], []
    for against in report.against.values():
        hard, moved = against.labels.rows[:2]
        index, interval = against.soft.rows[:2]
        values.append(_or_least(hard.low))
        rows.append([
            against.labels.names[1], w.value(hard.low, (hard.ci_high - hard.ci_low) / 2),
            w.limits(hard.ci_low, hard.ci_high), w.whole(round(moved.low)),
            w.interval(interval.low, interval.high), w.limits(interval.ci_low, interval.ci_high),
            w.value(index.chance)])
    return Table(
        ["algorithm", "adjusted Rand index (hardened)", "95 % CI", "objects to move",
         "alpha-Rand interval", "its 95 % CI", "chance level"], rows,
        f"Agreement with {report.objects.label_name} (bold: largest adjusted Rand index; chance "
        "level: of the alpha-Rand index at alpha = 1/2)", range(1, 7),
        [(i, 1) for i, v in enumerate(values) if v == max(values)])
