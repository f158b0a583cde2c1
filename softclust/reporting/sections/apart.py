"""The section "Apart?": which clusters, and which groups of the label, are apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import words as w
from ..plan import COMPONENTS, FROM_COMPONENTS
from ..section import Block, Prose, Section, Table, Task

if TYPE_CHECKING:
    from ...selection import SeparationTest
    from ..data import Objects
    from ..record import Report
    from ..run import Work

#: objects that a cluster or a group needs, groups that are tested, objects that are looked at, and
#: objects of a cluster: of few groups, of more, in a quick report
_LEAST, _GROUPS, _SAMPLE, _DRAWN, _FEW = 10, 20, 50_000, (500, 200, 100), 6


class Apart(Section):
    """`separation_test` of the clusters of k-means and of the label."""

    key, place, turn = "apart", 56, 56
    steps = ("apart:",)

    def title(self, objects: Objects) -> str:
        return "Apart?"

    def tasks(self, work: Work) -> Iterable[Task]:
        if not work.plan.n_evidence:   # too many features
            return
        yield Task(self.turn, "apart:k-means", "separation of the clusters of k-means",
                   lambda: self.of_clusters(work))
        if work.objects.label is not None:
            yield Task(self.turn, "apart:label", "separation of the groups of the label",
                       lambda: self.of_label(work))

    def of_clusters(self, work: Work) -> None:
        """The clusters of k-means, numbered from 1 as everywhere in a report."""
        fit = work.kmeans()
        if fit is not None and fit.labels is not None:
            self.test(work, "k-means", fit.labels.labels + 1)

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
        rows = work.sample(_SAMPLE, 5)
        known = [v for v in labels[rows].tolist() if v is not None]
        enough = int((np.unique(known, return_counts=True)[1] >= _LEAST).sum()) if known else 0
        if 2 <= enough <= _GROUPS:
            drawn = _DRAWN[2 if work.plan.quick else int(enough > _FEW)]
            work.found["more"].setdefault("apart", {})[key] = separation_test(
                work.components(rows), labels[rows], max_objects=drawn, rng=work.plan.seed)

    def short(self, report: Report) -> Sequence[str]:
        return [_sentence(report, key, found) for key, found in _tests(report).items()]

    def show(self, report: Report) -> Iterable[Block]:
        tests = _tests(report)
        if not tests:
            yield Prose(["Which clusters are apart was not tested: fewer than two or more than "
                         f"{_GROUPS} have {_LEAST} objects, or there are too many features."])
            return
        yield Prose(["A cluster is apart if it is more separated from every other than two halves "
                     "of one flat cluster of the same spread, cut as well as it can be. Clusters "
                     "that are not apart may be one that was cut in pieces; overlapping and small "
                     "clusters are missed, and curved ones need a window: "
                     "softclust.separation_test." + _of_components(report)])
        for key, found in tests.items():
            frame = found.to_frame()
            yield Prose([_sentence(report, key, found), *(
                f"{note[:1].upper()}{note[1:]}." for note in found.notes)])
            yield Table(
                ["cluster", "objects", "group", "nearest rival", "p-value", "adjusted"],
                [[str(row.cluster), w.whole(row.objects), str(row.group + 1), str(row.rival),
                  f"{row.p_value:.3f}", f"{row.adjusted:.3f}"] for row in frame.itertuples()],
                f"Separation of {_of(report, key)}", numbers=(1, 2, 4, 5))

    def data(self, report: Report) -> dict[str, Any]:
        from ..page import numbers
        columns = ("cluster", "objects", "group", "rival", "p_value", "adjusted", "apart")
        return {"separation": {key: {
            "sentence": _sentence(report, key, found), "clusters": [
                {name: row[name] + 1 if name == "group" else row[name] for name in columns}
                for row in found.to_frame().to_dict("records")],
            "reference_sets": found.n_references, "separation": numbers(
                found.pairs.separation)} for key, found in _tests(report).items()} or None}


def _of_components(report: Report) -> str:
    """Name the components that stand for many features."""
    count = min(COMPONENTS, report.objects.n_objects - 1)
    return (f" The test looks at the first {count} principal components."
            if len(report.objects.columns) >= FROM_COMPONENTS else "")


def _tests(report: Report) -> dict[str, SeparationTest]:
    return report.more.get("apart") or {}


def _of(report: Report, key: str) -> str:
    return "k-means" if key == "k-means" else f"column {report.objects.label_name}"


def _sentence(report: Report, key: str, found: SeparationTest) -> str:
    """The answer with the name of the labels and a p-value."""
    text = re.sub(r"clusters?\b", lambda m: f"{m[0]} of {_of(report, key)}", found.sentence[:-1],
                  count=1)
    joined = found.edges.adjusted > found.significance + 1e-12
    p = (f"p {found.edges.p_value[joined].min():.2f}{' at least' * bool(joined.sum() > 1)}"
         if joined.any() else f"adjusted p {found.adjusted.max():.3f} at most")
    return f"{text} (separation test, {p})."
