"""Confidence intervals when whole groups of objects, such as patients, are sampled."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import words as w
from ..section import Prose, Section, Table

if TYPE_CHECKING:
    from ..record import Report
    from ..run import Work


class Groups(Section):
    """Confidence intervals where whole groups of objects, such as patients, are the sample."""

    heading, needs = "Confidence intervals by {0.groups_name}", "label groups"
    key, place, turn = "groups", 52, 52
    step = "intervals by {0.groups_name}"

    def compute(self, work: Work) -> None:
        """The adjusted Rand index of each algorithm, as if all objects were independent."""
        from ...comparison import compare
        o = work.objects
        work.found["more"]["groups"] = {
            fit.key: compare(o.label, o.known(fit.labels), names=(o.label_name, fit.title),
                             ci="jackknife", measures=["adjusted_rand_index"])
            for fit in work.found["fits"] if fit.labels is not None}

    def show(self, report: Report) -> Iterable[Any]:
        from ...results.text import in_words
        o, independent = report.objects, report.more.get("groups") or {}
        pairs = [(report.against[key].labels, single.rows[0]) for key, single in independent.items()
                 if key in report.against]
        if not pairs:
            return
        yield (f"The objects of one {o.groups_name} may depend on each other. Confidence intervals "
               f"and the ranking of the algorithms therefore take whole {o.groups_name} groups as "
               "the sample, here and in the section above; intervals for independent objects are "
               "beside them. A design effect above 1 says how many times the variance is larger.")
        yield Prose([*dict.fromkeys(
            f"{w.capital(in_words(note.partition(';')[0].removeprefix('limits: ')))}."
            for labels, _ in pairs for note in labels.notes)])
        yield Table(["algorithm", "adjusted Rand index (hardened)",
                     f"95 % CI, sampled by {o.groups_name}", "if objects were independent",
                     "design effect"],
                    [[labels.names[1], w.value(row.low),
                      w.limits(row.ci_low, row.ci_high) or "none",
                      w.limits(other.ci_low, other.ci_high),
                      w.value(row.ci.design_effect if row.ci else math.nan)]
                     for labels, other in pairs for row in labels.rows[:1]],
                    f"Intervals by {o.groups_name}: {w.many(o.n_groups or 0, 'group')}",
                    range(1, 5))

    def data(self, report: Report) -> dict[str, Any]:
        independent = report.more.get("groups")
        return {"limits_by_group": None if independent is None else {
            "column": report.objects.groups_name, "n_groups": report.objects.n_groups,
            "limits_if_independent": {key: (c.rows[0].ci_low, c.rows[0].ci_high)
                                      for key, c in independent.items()}}}
