"""The section "What changed": other clusters of the same objects, such as last week's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...results.text import counting_from
from .. import words as w
from ..section import Prose, Section, Table

if TYPE_CHECKING:
    from ..record import Report
    from ..run import Work

#: runs of k-means with other seeds, the fewest with which one old run can give p = .05
RUNS = 19


class Changed(Section):
    """The clusters against those of a file: events, and a test against runs with other seeds."""

    heading, needs = "What changed", "last"
    key, place, turn = "changed", 45, 46
    step = "what changed"

    def compute(self, work: Work) -> None:
        """Events of k-means, and the versions: one old run against runs with other seeds."""
        from sklearn.cluster import KMeans

        from ... import align, as_clustering, cluster_changes, compare, compare_versions
        fit, o = work.kmeans(), work.objects
        if fit is None or fit.labels is None or o.last is None:
            return
        name, last = o.last
        names = (name, "k-means now")

        def named(labels: Any) -> Any:
            now = as_clustering([f"{k + 1}" for k in labels])
            return now if o.names is None else now.renamed(o.names)
        objects: Any = "same" if o.names is None else "common"
        old, now = align(last, named(fit.labels.labels), objects=objects, missing="drop")
        runs = []
        for seed in range(RUNS):
            again = KMeans(fit.labels.n_clusters, n_init=work.plan.n_starts,
                           random_state=seed + 1).fit(work.x).labels_
            runs.append(align(old, named(again), objects=objects, missing="drop")[1])
        work.found["more"]["changed"] = {
            "names": names, "n": old.n_objects,
            # rows of groups depend on each other, and those of the file have no groups
            "comparison": compare(old, now, names=names, measures="ARI",
                                  ci="jackknife" if o.groups is None else None),
            "changes": cluster_changes(old, now, names=names),
            "versions": compare_versions([old], runs, objects=False, rng=work.plan.seed)}

    def short(self, report: Report) -> Iterable[str]:
        if (found := report.more.get("changed")) is not None:
            versions = found["versions"]
            start = "The" if versions.changed else "There is no evidence that the"
            yield (f"{start} clusters of {found['names'][0]} and those of today differ by more "
                   f"than seeds of k-means explain (p = {versions.p_value:.2g}). "
                   f"{found['comparison'].rows[0].sentence}")

    def show(self, report: Report) -> Iterable[Any]:
        if (found := report.more.get("changed")) is None:
            return
        with counting_from(0):   # clusters have names here
            first, *changes = str(found["changes"]).split("\n")
        yield Prose([f"{first}.", *changes])
        row = found["comparison"].rows[0]
        yield f"{row.sentence} Both have {found['n']} objects."
        yield (f"Is this more than the seed? k-means was run {RUNS} times with other seeds. "
               f"{found['versions'].sentence}")
        yield Table.of(found["versions"].summary())

    def data(self, report: Report) -> dict[str, Any]:
        found = report.more.get("changed")
        if found is None:
            return {"changed": None}
        row, versions = found["comparison"].rows[0], found["versions"]
        return {"changed": {
            "with": found["names"][0], "n_objects": found["n"],
            "adjusted_rand_index": row.value, "ci": [row.ci_low, row.ci_high],
            **w.fields(versions, "p_value", "changed"),
            "events": [w.fields(e, "kind", "share") for e in found["changes"].events]}}
