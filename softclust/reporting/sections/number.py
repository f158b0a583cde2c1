"""Number of clusters: which may be best, criteria, and the number of known groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import IncompleteWarning
from ...running.warnings import quiet, warn
from ...selection.criteria import CRITERIA, N_STARTS
from .. import words as w
from ..plan import (
    COMPONENTS,
    DEFAULT_CLUSTERS,
    FROM_COMPONENTS,
    LARGE,
    LEAST_GROUPS,
    MOST_CLUSTERS,
)
from ..section import Group, Picture, Prose, Section, Table, Task
from ..words import best_ari, doubtful, doubts, many_features, option, unstructured, width

if TYPE_CHECKING:
    from ..record import Report
    from ..run import Work

#: starts of k-means on many objects
_FEW_STARTS = 10
#: data sets of one cluster for the choice, and its blocks of objects: as many as there can be
_ONE_CLUSTER, _BLOCKS = 19, (20, 12, 8)


class Number(Section):
    """The number of clusters."""

    heading = "How many clusters"
    key, place, turn, drawn = "number", 30, 30, 35
    pictures, steps = "the number of clusters", ("number:",)

    # -- computing ----------------------------------------------------------------------------
    def tasks(self, work: Work) -> Iterable[Task]:
        if work.plan.n_evidence:
            yield Task(self.turn, "number:evidence", "evidence for clusters",
                       lambda: self.evidence(work))
        if len(work.plan.candidates) == 1:
            return
        yield Task(self.turn, "number:choice", "number of clusters: choice",
                   lambda: self.choose(work))
        for name in work.plan.criteria:
            yield Task(self.turn, f"number:{name}", f"number of clusters: {CRITERIA[name].short}",
                       partial(self.criterion, work, name))
        if work.objects.label is not None:
            yield Task(self.turn, "number:label", "number of clusters: label",
                       lambda: self.curve_of_label(work))

    def evidence(self, work: Work) -> None:
        """Test if there are clusters at all."""
        from ...selection import cluster_test
        plan, x = work.plan, work.components(work.independent(work.plan.n_criteria, 1))
        most = min(max(DEFAULT_CLUSTERS), np.unique(x, axis=0).shape[0])
        if most >= 2:
            test = cluster_test(x, range(2, most + 1), rng=plan.seed, n_references=plan.n_evidence)
            if test.invalid:
                work.found["more"]["untested"] = test.invalid
            else:
                work.found["evidence"] = test

    def choose(self, work: Work) -> None:
        """The most reproducible number beyond one cluster, and more while it is the largest."""
        from sklearn.cluster import KMeans

        from ...selection import compare_settings
        plan, rows = work.plan, work.sample(work.plan.n_choice, 1)
        x, groups = work.components(rows), work.objects.groups
        dealt = None if groups is None else np.array(groups)[rows]
        units = len(x) // 2 if dealt is None else np.unique(dealt).size
        blocks = [g for g in _BLOCKS[int(plan.quick):] if g <= units] or [_BLOCKS[-1]]
        try:
            with quiet(IncompleteWarning):   # what is missing is in the record
                found = compare_settings(
                    x, KMeans(), {"n_clusters": plan.candidates}, n_blocks=blocks[0], groups=dealt,
                    n_references=_ONE_CLUSTER, rng=plan.seed)
        except ValueError as error:   # too few objects or groups
            self.criterion(work, "silhouette")
            work.found["n_clusters"] = work.found["criteria"]["silhouette"].best
            warn(f"the silhouette decides, since halves cannot be compared: {error}", UserWarning,
                 stacklevel=2)
            return
        chosen, most = found.parameters[found.largest]["n_clusters"], max(plan.candidates)
        work.found["choice"], work.found["n_clusters"] = found, chosen
        if found.missing:
            raise KeyboardInterrupt   # the comparison keeps what it has and goes on
        test = work.found["evidence"]
        if ((test is None or test.best > 1) and plan.open_ended
                and chosen == most < min(MOST_CLUSTERS, work.x.shape[0] // 4)):
            # The best may lie beyond: some more numbers.
            work.plan = replace(plan, candidates=(*plan.candidates, *range(most + 1, most + 4)))
            self.choose(work)

    def criterion(self, work: Work, name: str) -> None:
        """One criterion for all numbers of clusters."""
        from ...selection import cluster_number
        plan, candidates, own = work.plan, work.plan.candidates, CRITERIA[name]
        many = plan.n_criteria > LARGE
        options: dict[str, Any] = {
            key: value for key, value in (
                ("n_references", plan.n_references), ("n_resamples", plan.n_entropy),
                ("n_starts", _FEW_STARTS if many else N_STARTS)) if key in own.options}
        if not own.why_not_one and candidates[0] == 2:
            candidates = (1, *candidates)
        if many and own.needs == "labels_":
            from ..fits import CompiledKMeans
            options = {"estimator": CompiledKMeans(n_init=_FEW_STARTS, random_state=plan.seed)}
        x = work.components(work.sample(plan.n_criteria, 1))
        with quiet(IncompleteWarning):   # what is missing is in the record
            chosen = cluster_number(x, candidates, criterion=name, rng=plan.seed, **options)
        work.found["criteria"][name] = chosen
        if not chosen.complete:
            raise KeyboardInterrupt   # cluster_number keeps what it has and goes on

    def curve_of_label(self, work: Work) -> None:
        """Agreement of k-means and the label for every number of clusters."""
        from ...tables.pair_counting import adjusted_rand_index
        for k in work.plan.candidates:
            if (labels := work.kmeans_of(k).labels) is not None:
                work.found["label_curve"][k] = float(adjusted_rand_index(
                    work.objects.table(labels)))

    # -- page ---------------------------------------------------------------------------------
    def short(self, report: Report) -> Iterable[str]:
        k, test, found = report.n_clusters, report.evidence, report.choice
        if k is None:
            return   # the finding gives a number that was not chosen, and the doubts
        if doubts(report) and not doubtful(report):
            yield ("The clusters nevertheless agree with the label (adjusted Rand index "
                   f"{w.value(best_ari(report))} at best; chance gives 0): groups can be real "
                   "without being round or well separated.")
        named = report.objects.groups_name
        if named and not report.plan.n_evidence and not report.plan.wide:
            yield (f"Whether there are clusters was not tested: rows of one {named} may depend on "
                   f"each other, tests take one row of each {named}, and "
                   f"{report.objects.n_groups} are too few ({LEAST_GROUPS} are needed).")
        if untested := report.more.get("untested"):
            yield f"Whether there are clusters was not tested: {untested}."
        if len(report.plan.candidates) > 1:
            text = "" if found is None else found.answer
            if found is None:
                yield (f"Halves of the data could not be compared; of "
                       f"{w.both(report.plan.candidates)} clusters, {k} have the largest "
                       "silhouette.")
            elif found.best is None and found.p_value is not None:
                yield f"{text} The report goes on with {k}, the most reproducible number."
            else:
                yield text
            if test is not None and test.best not in (1, k) and not (
                    k > test.best and test.found.startswith("at least")):
                one, other = (option(bool(report.command), "n_clusters", n)
                              for n in (test.best, k))
                yield (f"The test finds evidence of {test.best} clusters, and the report goes on "
                       f"with {k}: take {test.best} ({one}) if every two clusters must be "
                       f"separated, and {k} ({other}) to divide the objects into useful parts, "
                       "whose stability is below.")
        if many_features(report) and unstructured(report):
            yield (f"With {len(report.objects.columns)} features silhouettes are small even where "
                   f"groups are clear; the largest here is {w.value(width(report))}.")

    def show(self, report: Report) -> Iterable[Any]:
        plan, found, test = report.plan, report.choice, report.evidence
        n, curve, figures = report.objects.n_objects, report.label_curve, []

        def figure(name: str, draw: Callable[..., Any], axis: str, alt: str, caption: str) -> None:
            def small(ax: Any) -> None:
                draw(ax=ax)
                ax.set_xlabel("number of clusters K")
                ax.set_ylabel(axis)
                if ax.get_legend() is not None:   # the caption explains it
                    ax.get_legend().remove()
            figures.append(Picture(f"number:{name}", small, alt, caption, "small", (2.7, 2.4)))

        if found is not None:
            figure("choice", found.plot, "excess stability", f"Excess stability. {found.answer}",
                   "Excess stability with 95 % intervals over the band of one cluster; filled: may "
                   "be best")
        if test is not None:
            figure("evidence", partial(test.plot, step=1), "separation",
                   f"Separation. {test.sentence}",
                   f"Separation of the weakest pair of clusters, and the band of {plan.n_evidence} "
                   "data sets with one cluster (softclust.cluster_test)")
        if curve:
            top = max(curve, key=lambda k: curve[k])
            text = (f"For comparison only: k-means agrees best with the label at {top} clusters "
                    f"(adjusted Rand index {w.value(curve[top])}). The label was not used for the "
                    "choice.")

            def draw_curve(ax: Any) -> None:
                ax.plot(list(curve), list(curve.values()), marker="o", ms=5.5, lw=1.5)
                ax.set_xticks(list(curve))
                ax.set_ylim(min(0.0, *curve.values()), 1.02)
            figure("label", draw_curve, "adjusted Rand index", text, "Not used for the choice: "
                   f"agreement of k-means with {report.objects.label_name}")
        yield Group(figures, "figures curves")
        if test is not None:
            yield test
            if named := report.objects.groups_name:
                yield (f"The tests take one row of each {named}, drawn at random, since rows of "
                       f"one {named} may depend on each other.")
        if len(plan.candidates) == 1:
            yield (f"You gave the number of clusters, {plan.candidates[0]}; others were not "
                   "compared. Give a range to compare several numbers.")
            return
        if found is not None:
            yield found
        if len(report.objects.columns) >= FROM_COMPONENTS:
            yield (f"Test, choice and criteria look at the first {min(COMPONENTS, n - 1)} "
                   "principal components. Their p-values are a little too small then: p was at "
                   "most 0.05 in 7 % to 13 % of simulated data sets without clusters.")
        samples = [f"{w.whole(count)} for {what}" for count, what in (
            (plan.n_choice, "the choice"), (plan.n_criteria, "test and criteria")) if count < n]
        if samples:
            yield f"Of the {w.whole(n)} objects, {w.both(samples)} were drawn at random."
        if curve:
            yield text
        if report.criteria:
            yield _table(report)
            yield "Criteria of the literature, for comparison. None can show that there are no " \
                  "clusters."
            yield Prose([" ".join([each.sentence, *each.notes])
                         for each in report.criteria.values()])

    def data(self, report: Report) -> dict[str, Any]:
        same, test, found = report.at_classes, report.evidence, report.choice
        return {"evidence": None if test is None else {
            "best": test.best, "p_values": test.p_value, "significance": test.significance,
            # its former name, which stays while the version of the schema does
            "level": test.significance,
            "n_references": report.plan.n_evidence, "sentence": test.sentence,
            "notes": test.notes}, "number_of_clusters": {
            "chosen": report.n_clusters, "given": len(report.plan.candidates) == 1,
            "not_tested": report.more.get("untested"),
            "choice": None if found is None else {
                "n_clusters": [each["n_clusters"] for each in found.parameters],
                "possibly_best": w.possible(report),
                "n_references": len(found.reference_separation),
                **w.fields(found, "stability", "one_cluster", "excess", "low", "high", "level",
                           "p_value", "answer", "notes")},
            "criteria": {name: {
                **w.fields(c, "best", "rule", "n_clusters", "failures"),
                "value": c.criterion[:, 0], "mc_error": c.mc_error[:, 0],
                # its former name
                "standard_error": c.mc_error[:, 0]} for name, c in report.criteria.items()},
            "label_adjusted_rand_index": report.label_curve,
            "at_number_of_classes": None if same is None else {
                "n_clusters": same.n_clusters[0], **w.at_classes(report),
                "counts": same.dense()}}}


def _table(report: Report) -> Table:
    """The criteria, and the number of known groups even when it was not tried."""
    o, same, ks = report.objects, report.at_classes, [*report.plan.candidates]
    if same is not None and same.n_clusters[0] not in ks:
        ks.append(same.n_clusters[0])
    columns = {CRITERIA[name].short: {row[0]: row[1] for row in chosen.summary().rows}
               for name, chosen in report.criteria.items()}
    if report.label_curve:
        known = {str(k): w.value(value) for k, value in report.label_curve.items()}
        if same is not None:
            known[str(same.n_clusters[0])] = w.value(w.at_classes(report)["adjusted_rand_index"])
        columns["label (ARI)"] = known
    rows = []
    for k in ks:
        what = ["chosen"] * (k == report.n_clusters)
        what += [f"groups of {o.label_name}"] * (len(o.group_names) == k)
        rows.append([f"{k} ({', '.join(what)})" if what else str(k),
                     *(column.get(str(k), "not tried") for column in columns.values())])
    return Table(["clusters", *columns], rows, "Criteria by number of clusters (* the choice of "
                 "each)", range(1, len(columns) + 1),
                 [(i, j) for i, row in enumerate(rows) for j, text in enumerate(row)
                  if text.endswith("*")])
