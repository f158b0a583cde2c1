"""Disagreement of the clusters and the label: splits, merges and moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import words as w
from ..drawing import Canvas, as_svg, new_figure
from ..section import Block, Group, Picture, Prose, Section, Table, Task
from .label import nearest

if TYPE_CHECKING:
    from ..data import Objects
    from ..record import Report
    from ..run import Work

#: objects that are listed; clusters and groups up to which flows are drawn
LISTED, DRAWN = 10, 20


class Disagreement(Section):
    """Fate of the groups in the clustering nearest to the label, and objects that moved."""

    key, place, turn, drawn = "disagreement", 55, 51, 56
    pictures, steps = "the disagreement", ("disagreement",)

    def applies(self, objects: Objects) -> bool:
        return objects.label is not None

    def title(self, objects: Objects) -> str:
        return "Where they disagree"

    def tasks(self, work: Work) -> Iterable[Task]:
        yield Task(self.turn, "disagreement", "where clusters and label disagree",
                   lambda: self.explain(work))

    def explain(self, work: Work) -> None:
        """Divide one minus the adjusted Rand index of the nearest clustering among the objects."""
        from ...clusterings import HardClustering
        from ...comparison.explain import explain
        o = work.objects
        assert o.label is not None
        if not work.found["against"]:
            raise ValueError("there is no clustering to compare with the label")
        fit, _ = nearest(work.found["fits"], work.found["against"])
        labels = o.known(fit.found).labels
        names = [str(k + 1) for k in range(fit.found.n_clusters)]
        clusters = HardClustering(labels, cluster_names=names)
        groups = HardClustering(o.label.labels, cluster_names=o.group_names)
        work.found["more"]["disagreement"] = explain(groups, clusters, names=(o.label_name,
                                                                              fit.title))

    def draw(self, canvas: Canvas) -> dict[str, str]:
        from ...plotting import plot_explanation
        why = canvas.results["more"].get("disagreement")
        if why is None or max(map(len, why.cluster_names)) > DRAWN:
            return {}
        figure, ax = new_figure(5.4, 4.2)
        plot_explanation(why, ax=ax)
        ax.set_title("", loc="left")
        return {"disagreement": as_svg(figure, "disagreement")}

    def show(self, report: Report) -> Iterable[Block]:
        why = report.more.get("disagreement")
        if why is None:
            return
        o = report.objects
        assert o.label is not None
        told = why.changes.sentences()
        if not why.total:
            yield Prose([f"{why.names[1]} and {why.names[0]} are the same."])
            return
        yield Prose([f"{w.capital(why.names[1])} comes nearest to {why.names[0]}. What keeps the "
                     f"adjusted Rand index from 1 (the missing {w.value(why.total)}):"])
        yield Prose(told, "bullets")
        yield Picture("disagreement", f"Flows of objects from the groups of {why.names[0]} to the "
                      f"clusters of {why.names[1]}. {' '.join(told)}",
                      "Bands are sets of objects; the darker, the more each object disagrees.")
        top = [(int(i), share) for i, share in why.top(LISTED)]
        fit = next(fit for fit in report.done_fits if fit.title == why.names[1])
        groups, clusters = o.label.labels, o.known(fit.found).labels
        yield Group([Table(
            ["object", o.label_name, "cluster", "share of the disagreement"],
            [[o.name(int(o.labelled[i])), o.group_names[groups[i]], str(clusters[i] + 1),
              w.percent(share / why.total)] for i, share in top],
            "The objects that disagree most", numbers=(2, 3))],
            summary="Objects worth a look")

    def data(self, report: Report) -> dict[str, Any]:
        from ..page import number
        why = report.more.get("disagreement")
        return {"disagreement": None if why is None else {
            "algorithm": why.names[1], "measure": why.measure, "total": number(why.total),
            "sentences": why.changes.sentences()}}
