"""The section "Apart?": which clusters, and which groups of the label, are apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...results.text import position
from .. import words as w
from ..plan import COMPONENTS, FROM_COMPONENTS, LEAST_GROUPS
from ..section import Heading, Section, Task

if TYPE_CHECKING:
    from ..record import Report
    from ..run import Work

#: objects that a cluster or a group needs, groups that are tested, objects that are looked at, and
#: objects of a cluster: of few groups, of more, in a quick report
_LEAST, _GROUPS, _SAMPLE, _DRAWN, _FEW = 10, 20, 50_000, (500, 200, 100), 6


class Apart(Section):
    """`separation_test` of the clusters of k-means and of the label."""

    heading = "Apart?"
    key, place, turn = "apart", 56, 56
    steps = ("apart:",)

    def tasks(self, work: Work) -> Iterable[Task]:
        if not work.plan.n_evidence:
            return
        yield Task(self.turn, "apart:k-means", "separation of the clusters of k-means",
                   lambda: self.of_clusters(work))
        if work.objects.label is not None:
            yield Task(self.turn, "apart:label", "separation of the groups of the label",
                       lambda: self.of_label(work))

    def of_clusters(self, work: Work) -> None:
        """The clusters of k-means."""
        fit = work.kmeans()
        if fit is not None and fit.labels is not None:
            self.test(work, "k-means", fit.labels.labels)

    def of_label(self, work: Work) -> None:
        """The groups of the label; objects without one are in no cluster."""
        o, labels = work.objects, np.full(work.objects.n_objects, None, dtype=object)
        assert o.label is not None
        names = np.array([None if name in o.noise_labels else name for name in o.group_names],
                         dtype=object)
        labels[o.labelled] = names[o.label.labels]
        self.test(work, "label", labels)

    def test(self, work: Work, key: str, labels: np.ndarray) -> None:
        """Test the clusters if there are some, but not too many, of enough objects."""
        from ...selection import separation_test
        rows = work.independent(_SAMPLE, 5)
        known = [v for v in labels[rows].tolist() if v is not None]
        enough = int((np.unique(known, return_counts=True)[1] >= _LEAST).sum()) if known else 0
        if 2 <= enough <= _GROUPS:
            drawn = _DRAWN[2 if work.plan.quick else int(enough > _FEW)]
            work.found["more"].setdefault("apart", {})[key] = separation_test(
                work.components(rows), labels[rows], max_objects=drawn, rng=work.plan.seed)

    def short(self, report: Report) -> list[str]:
        return [f"{found.sentence[:-1]} (separation test of {_of(report, key)})."
                for key, found in report.more.get("apart", {}).items()]

    def show(self, report: Report) -> Iterable[Any]:
        if not (tests := report.more.get("apart")):
            yield ("Which clusters are apart was not tested: fewer than two or more than "
                   f"{_GROUPS} have {_LEAST} objects, or there are too many features or fewer than "
                   f"{LEAST_GROUPS} groups of rows.")
            return
        o = report.objects
        yield ("A cluster is apart if it is more separated from every other than two halves of one "
               "flat cluster of the same spread, cut as well as it can be. Clusters that are not "
               "apart may be one that was cut in pieces; overlapping and small clusters are "
               "missed, and curved ones need a window: softclust.separation_test."
               + (f" The test looks at the first {min(COMPONENTS, o.n_objects - 1)} principal "
                  "components." if len(o.columns) >= FROM_COMPONENTS else ""))
        for key, found in tests.items():
            yield Heading(w.capital(_of(report, key)))
            yield found

    def data(self, report: Report) -> dict[str, Any]:
        columns = ("cluster", "objects", "group", "rival", "p_value", "adjusted", "apart")
        return {"separation": {key: {
            "sentence": found.sentence, "reference_sets": found.n_references,
            "separation": found.pairs.separation, "clusters": [
                {name: position(row[name]) if name in ("cluster", "group", "rival") else row[name]
                 for name in columns} for row in found.to_frame().to_dict("records")],
        } for key, found in report.more.get("apart", {}).items()} or None}


def _of(report: Report, key: str) -> str:
    return "the clusters of k-means" if key == "k-means" else f"column {report.objects.label_name}"
