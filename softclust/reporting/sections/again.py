"""The section "Found again?": the clusters in another cohort."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..._checks import IncompleteWarning
from ...running.warnings import quiet
from .. import words as w
from ..section import Section

if TYPE_CHECKING:
    from ..record import Report
    from ..run import Work

#: shares of clusters that stay together, and data sets of one cluster
_QUICK: dict[str, Any] = {"n_resamples": 50, "n_splits": 10, "n_references": 39}
_FULL: dict[str, Any] = {"n_references": 99}
#: rows of groups: resamples, halves and data of one cluster take rows as independent
_DEPENDENT: dict[str, Any] = {"n_resamples": 0, "n_splits": 0, "reference": None}


class Again(Section):
    """k-means of these objects and of a cohort: agreement, between a ceiling and a floor."""

    heading, needs = "Found again?", "cohort"
    key, place, turn = "again", 72, 62
    step = "clusters in the other cohort"

    def compute(self, work: Work) -> None:
        """`replicate` with k-means; features are scaled in each cohort by itself."""
        from sklearn.cluster import KMeans
        from sklearn.compose import ColumnTransformer
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        from ... import replicate
        o, k = work.objects, work.found["n_clusters"]
        if o.cohort is None or not k:
            return
        kmeans: Any = KMeans(k, n_init=work.plan.n_starts)
        if o.scale == "standard":
            numbers = ("numbers", StandardScaler(), ~o.encoding.indicators)
            kmeans = make_pipeline(ColumnTransformer([numbers], remainder="passthrough"), kmeans)
        names = [o.source, o.cohort.source]
        if names[0] == names[1]:
            names = ["this cohort", "the other cohort"]
        with quiet(IncompleteWarning):   # what is missing is in the record
            found = replicate(dict(zip(names, (o.original(), o.cohort.original()))), kmeans,
                              rng=work.plan.seed, **(_DEPENDENT if o.groups is not None else
                                                     _QUICK if work.plan.quick else _FULL))
        work.found["more"]["again"] = found
        if found.missing:
            raise KeyboardInterrupt   # replicate keeps what it has and goes on

    def short(self, report: Report) -> list[str]:
        found = report.more.get("again")
        return [] if found is None else [found.sentence(*found.names)]

    def show(self, report: Report) -> Iterable[Any]:
        if (found := report.more.get("again")) is not None:
            yield ("Each cohort is clustered by itself; its clusters are carried to the objects of "
                   "the other and compared with the clusters found there. Seeds are not samples: "
                   "this is the evidence that other data have the same clusters. Ceiling: halves "
                   "of one cohort. Floor: data with one cluster.")
            if named := report.objects.groups_name:
                yield (f"Rows of one {named} may depend on each other, and interval, ceiling and "
                       "floor take rows as independent: they are left out, and nothing is tested.")
            yield found

    def data(self, report: Report) -> dict[str, Any]:
        found = report.more.get("again")
        return {"replication": None if found is None else {
            "cohorts": found.names, "replicated": found.replicated(*found.names),
            "verdict": found.verdict(*found.names),
            **w.fields(found, "measure", "agreement", "low", "high", "ceiling", "floor",
                       "p_value")}}
