"""Disagreement of the clusters and the label: splits, merges and moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import words as w
from ..section import Group, Picture, Prose, Section, Table
from .label import nearest

if TYPE_CHECKING:
    from ..record import Report
    from ..run import Work

#: objects that are listed; clusters and groups up to which flows are drawn
LISTED, DRAWN = 10, 20


class Disagreement(Section):
    """Fate of the groups in the clustering nearest to the label, and objects that moved."""

    heading, needs = "Where they disagree", "label"
    key, place, turn, drawn = "disagreement", 55, 51, 56
    pictures, step = "the disagreement", "where clusters and label disagree"

    def compute(self, work: Work) -> None:
        """Divide one minus the adjusted Rand index of the nearest clustering among the objects."""
        from ...clusterings import HardClustering
        from ...comparison.explain import explain
        o = work.objects
        assert o.label is not None
        if not work.found["against"]:
            raise ValueError("there is no clustering to compare with the label")
        fit, _ = nearest(work.found["fits"], work.found["against"])
        groups = HardClustering(o.label.labels, cluster_names=o.group_names)
        clusters = HardClustering(o.known(fit.found).labels,
                                  cluster_names=range(fit.found.n_clusters))
        work.found["more"]["disagreement"] = explain(groups, clusters, names=(o.label_name,
                                                                              fit.title))

    def show(self, report: Report) -> Iterable[Any]:
        why, o = report.more.get("disagreement"), report.objects
        if why is None or o.label is None:
            return
        if not why.total:
            yield f"{why.names[1]} and {why.names[0]} are the same."
            return
        told = why.changes.sentences()
        yield (f"{w.capital(why.names[1])} comes nearest to {why.names[0]}. What keeps the "
               f"adjusted Rand index from 1 (the missing {w.value(why.total)}):")
        yield Prose(told, "bullets")
        if max(map(len, why.cluster_names)) <= DRAWN:
            yield Picture("disagreement", why.plot, f"Flows of objects from the groups of "
                          f"{why.names[0]} to the clusters of {why.names[1]}. {' '.join(told)}",
                          "Bands are sets of objects; the darker, the more each object disagrees.",
                          inches=(5.4, 4.2))
        fit = next(fit for fit in report.done_fits if fit.title == why.names[1])
        groups, clusters = o.label.labels, o.known(fit.found).labels
        yield Group([Table(
            ["object", o.label_name, "cluster", "share of the disagreement"],
            [[o.name(int(o.labelled[i])), o.group_names[groups[i]], str(clusters[i] + 1),
              w.percent(share / why.total)] for i, share in why.top(LISTED)],
            "The objects that disagree most", numbers=(2, 3))],
            summary="Objects worth a look")

    def data(self, report: Report) -> dict[str, Any]:
        why = report.more.get("disagreement")
        return {"disagreement": None if why is None else {
            "algorithm": why.names[1], **w.fields(why, "measure", "total"),
            "sentences": why.changes.sentences()}}
