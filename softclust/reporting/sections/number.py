"""Number of clusters: which may be best, criteria, and the number of known groups."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import IncompleteWarning
from ...running.warnings import quiet, warn
from ...selection.criteria import BEST, CRITERIA, N_STARTS
from .. import words as w
from ..drawing import Canvas, as_svg, new_figure
from ..plan import COMPONENTS, DEFAULT_CLUSTERS, FROM_COMPONENTS, LARGE, MOST_CLUSTERS
from ..section import Block, Group, Picture, Prose, Section, Table, Task
from ..words import (
    at_best,
    best_ari,
    doubtful,
    doubts,
    many_features,
    option,
    possible,
    unstructured,
    width,
)

if TYPE_CHECKING:
    from ...selection import ClusterTest
    from ..data import Objects
    from ..record import Report
    from ..run import Work

#: starts of k-means on many objects
_FEW_STARTS = 10
#: data sets of one cluster for the choice, and its blocks of objects: as many as there can be
_ONE_CLUSTER, _BLOCKS = 19, (20, 12, 8)


class Number(Section):
    """The number of clusters."""

    key, place, turn, drawn = "number", 30, 30, 35
    pictures, steps = "the number of clusters", ("number:",)

    def title(self, objects: Objects) -> str:
        return "How many clusters"

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
                       lambda name=name: self.criterion(work, name))   # type: ignore[misc]
        if work.objects.label is not None:
            yield Task(self.turn, "number:label", "number of clusters: label",
                       lambda: self.curve_of_label(work))

    def evidence(self, work: Work) -> None:
        """Test if there are clusters at all."""
        from ...selection import cluster_test
        plan, x = work.plan, work.components(work.sample(work.plan.n_criteria, 1))
        most = min(max(DEFAULT_CLUSTERS), np.unique(x, axis=0).shape[0])
        if most >= 2:
            work.found["evidence"] = cluster_test(x, range(2, most + 1), rng=plan.seed,
                                                  n_references=plan.n_evidence)

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
            fit = work.kmeans_of(k)
            if fit.labels is not None and work.objects.label is not None:
                work.found["label_curve"][k] = float(adjusted_rand_index(
                    work.objects.label, work.objects.known(fit.labels)))

    # -- sentences ----------------------------------------------------------------------------
    def short(self, report: Report) -> list[str]:
        k = report.n_clusters
        if k is None:
            return []
        texts = []   # the finding gives a number that was not chosen, and the doubts
        if doubts(report) and not doubtful(report):
            texts.append("The clusters nevertheless agree with the label (adjusted Rand index "
                         f"{w.value(best_ari(report))} at best; chance gives 0): groups can be "
                         "real without being round or well separated.")
        if len(report.plan.candidates) > 1:
            texts.append(_answer(report))
        if (differ := _differ(report)):
            texts.append(differ)
        if many_features(report) and unstructured(report):
            texts.append(f"With {len(report.objects.columns)} features silhouettes are small even "
                         f"where groups are clear; the largest here is {w.value(width(report))}.")
        return texts

    # -- pictures -----------------------------------------------------------------------------
    def draw(self, canvas: Canvas) -> dict[str, str]:
        from ...plotting.figures import colour, marker
        from ...plotting.selection import plot_cluster_test, plot_settings
        drawn = {}
        if (found := canvas.results["choice"]) is not None:
            figure, ax = new_figure(2.7, 2.4)
            plot_settings(found, ax=ax)
            ax.set_xlabel("number of clusters K")
            if ax.get_legend() is not None:   # the caption explains the band
                ax.get_legend().remove()
            drawn["number:choice"] = as_svg(figure, "number-choice")
        if (evidence := canvas.results["evidence"]) is not None:
            figure, ax = new_figure(2.7, 2.4)
            plot_cluster_test(evidence, step=1, ax=ax)
            ax.set_title("", loc="left")
            ax.set_ylabel("separation")
            if ax.get_legend() is not None:
                ax.get_legend().remove()
            drawn["number:evidence"] = as_svg(figure, "number-evidence")
        curve = canvas.results["label_curve"]
        if curve:
            figure, ax = new_figure(2.7, 2.4)
            ax.plot(list(curve), list(curve.values()), color=colour(2), marker=marker(2), ms=5.5,
                    lw=1.5)
            ax.set_xticks(list(curve))
            ax.set_xlabel("number of clusters K")
            ax.set_ylabel("adjusted Rand index")
            ax.set_ylim(min(0.0, *curve.values()), 1.02)
            drawn["number:label"] = as_svg(figure, "number-label")
        return drawn

    # -- page ---------------------------------------------------------------------------------
    def show(self, report: Report) -> list[Block]:
        texts, found = _evidence(report), report.choice
        figures = [] if report.evidence is None else [Picture(
            "number:evidence", _alt_evidence(report.evidence), "Separation of the weakest pair of "
            "clusters, and the band of data with one cluster", size="small")]
        if len(report.plan.candidates) == 1:
            return [Group(figures, "figures curves"), Prose([
                *texts, f"You gave the number of clusters, {report.plan.candidates[0]}; others "
                "were not compared. Give a range to compare several numbers."])]
        blocks: list[Block] = [Prose([*texts, *_choice(report)])]
        if found is not None:
            ks = [each["n_clusters"] for each in found.parameters]
            figures.insert(0, Picture(
                "number:choice", _course(ks, found.excess.tolist(), "Excess stability by number of "
                                         "clusters") + ".",
                "Excess stability with 95 % intervals over the band of one cluster; filled: may be "
                "best", size="small"))
            blocks.append(_possible_table(report))
        if curve := report.label_curve:
            figures.append(Picture(
                "number:label", _course(list(curve), list(curve.values()), "Adjusted Rand index of "
                                        "k-means and the label") + ".",
                f"Not used for the choice: agreement of k-means with {report.objects.label_name}",
                size="small"))
        if report.criteria:
            blocks += [_table(report), Prose(_criteria(report))]
        return [Group(figures, "figures curves"), *blocks]

    def data(self, report: Report) -> dict[str, Any]:
        from ..page import number, numbers
        criteria = {name: {
            "best": c.best, "rule": c.rule,
            "n_clusters": [int(k) for k in c.n_clusters], "value": numbers(c.criterion[:, 0]),
            "mc_error": numbers(c.mc_error[:, 0]),
            # its former name, which stays while the version of the schema does
            "standard_error": numbers(c.mc_error[:, 0]), "failures": list(c.failures),
        } for name, c in report.criteria.items()}
        same, test, found = report.at_classes, report.evidence, report.choice
        return {"evidence": None if test is None else {
            "best": test.best, "p_values": test.p_value.tolist(),
            "significance": test.significance,
            # its former name, which stays while the version of the schema does
            "level": test.significance,
            "n_references": report.plan.n_evidence, "sentence": test.sentence,
            "notes": list(test.notes)}, "number_of_clusters": {
            "chosen": report.n_clusters, "given": len(report.plan.candidates) == 1,
            "choice": None if found is None else {
                "n_clusters": [each["n_clusters"] for each in found.parameters],
                "possibly_best": possible(report), "stability": numbers(found.stability),
                "one_cluster": numbers(found.one_cluster), "excess": numbers(found.excess),
                "low": numbers(found.low), "high": numbers(found.high), "level": found.level,
                "p_value": found.p_value, "n_references": len(found.reference_separation),
                "answer": found.answer, "notes": list(found.notes)},
            "criteria": criteria,
            "label_adjusted_rand_index": {str(k): number(v)
                                          for k, v in report.label_curve.items()},
            "at_number_of_classes": None if same is None else {
                "n_clusters": same.n_clusters, "n_moved": same.n_moved,
                "adjusted_rand_index": number(same.adjusted_rand_index),
                "counts": same.counts.tolist()}}}


def _answer(report: Report) -> str:
    """The number that is chosen, and those that may be best."""
    k, found, tried = report.n_clusters, report.choice, report.plan.candidates
    numbers = (f"{tried[0]} to {tried[-1]}" if len(tried) == tried[-1] - tried[0] + 1 > 2
               else w.both(map(str, tried)))
    if found is None:
        return (f"Halves of the data could not be compared; of {numbers} clusters, {k} have the "
                "largest silhouette.")
    p, best = found.p_value, possible(report)
    if p is not None and found.best is None:
        return (f"None of {numbers} clusters is better than one cluster (p = {p:.2f}); the report "
                f"goes on with {k}, the most reproducible number.")
    text = (f"Of {numbers} clusters, {k} are the most reproducible beyond data of one cluster "
            f"(excess {w.value(found.excess[found.largest])}")
    text += ")" if p is None else f", p = {p:.3f})"
    if len(best) == len(found):
        return f"{text}; any of these numbers may be best."
    return f"{text}; {w.both(map(str, best))} may be best." if len(best) > 1 else f"{text}."


def _differ(report: Report) -> str:
    """Advice where the test and the choice give different numbers."""
    test, k = report.evidence, report.n_clusters
    if test is None or k is None or len(report.plan.candidates) == 1 or test.best in (1, k) or (
            k > test.best and test.found.startswith("at least")):
        return ""
    one, other = (f"{option(bool(report.command), 'n_clusters', n)}" for n in (test.best, k))
    return (f"The test finds evidence of {test.best} clusters, and the report goes on with {k}: "
            f"take {test.best} ({one}) if every two clusters must be separated, and {k} ({other}) "
            "to divide the objects into useful parts, whose stability is below.")


def _choice(report: Report) -> list[str]:
    """The choice and what it rests on."""
    plan, n, found = report.plan, report.objects.n_objects, report.choice
    texts = [_answer(report)]
    if found is not None:
        known = () if report.evidence is None else report.evidence.notes
        texts[0] += (
            f" k-means clustered {found.half_labels.shape[1]} halves of the data, and halves of "
            f"{w.small(len(found.references))} data sets of one cluster; stability is the mean "
            "adjusted Rand index of two halves, and the excess is what it has beyond that of one "
            "cluster cut into as many parts. With probability .95 the number with the largest mean "
            "excess is among those that may be best (softclust.compare_settings)."
            + "".join(f" Note: {note}." for note in found.notes if note not in known))
    if len(report.objects.columns) >= FROM_COMPONENTS:
        texts.append(f"Test, choice and criteria look at the first {min(COMPONENTS, n - 1)} "
                     "principal components. Their p-values are a little too small then: p was at "
                     "most 0.05 in 7 % to 13 % of simulated data sets without clusters.")
    samples = [f"{w.whole(count)} for {what}" for count, what in (
        (plan.n_choice, "the choice"), (plan.n_criteria, "test and criteria")) if count < n]
    if samples:
        texts.append(f"Of the {w.whole(n)} objects, {w.both(samples)} were drawn at random.")
    if report.label_curve:
        top = max(report.label_curve, key=lambda k: report.label_curve[k])
        texts.append(f"For comparison only: k-means agrees best with the label at {top} clusters "
                     f"(adjusted Rand index {w.value(report.label_curve[top])}). The label was not "
                     "used for the choice.")
    return texts


def _criteria(report: Report) -> list[str]:
    """Describe each criterion and its choice."""
    texts = ["Criteria of the literature, for comparison. None can show that there are no "
             "clusters."]
    for name, c in report.criteria.items():
        if not c.best:
            continue
        k, value, error = at_best(report, name)
        own = CRITERIA[name]
        text = (f"{w.capital(own.short)}: {own.looks_at}; {BEST[c.rule]} is best. It {own.beware}. "
                f"Its best here is {k}, with {w.value(value)}")
        text += "" if math.isnan(error) else f" (Monte Carlo error {w.error(error)})"
        if c.near_best:
            text += f"; {w.both(map(str, c.near_best))} can hardly be told from it"
        if c.given_up:
            text += (f"; {w.both(map(str, c.given_up))} got fewer refits, since they were clearly "
                     "behind")
        if k == 1:
            text += "; that is no evidence of a single cluster"
        elif k == max(c.n_clusters):
            text += ", the largest number tried"
        texts.append(f"{text}.")
    return texts


def _evidence(report: Report) -> list[str]:
    """Sentences on clusters at all, before their number."""
    test = report.evidence
    if test is None:
        return []
    return [f"{test.sentence} {w.capital(str(report.plan.n_evidence))} data sets of one cluster, "
            "with the same means and spread, were clustered in the same way; the statistic is the "
            "separation of the least separated pair of clusters (softclust.cluster_test)."
            + "".join(f" Note: {note}." for note in test.notes)]


def _alt_evidence(test: ClusterTest) -> str:
    step = test.steps[0]
    middle = np.median(step.references, axis=1)
    return (_course(step.n_clusters.tolist(), step.statistic.tolist(), "Separation by number of "
                    "clusters") + "; " + _course(step.n_clusters.tolist(), middle.tolist(),
                                                 "median of data with one cluster") + ".")


def _course(ks: list[int], values: list[float], name: str) -> str:
    """A curve in words: its values."""
    return f"{name}: " + ", ".join(f"{w.value(v)} for {k}" for k, v in zip(ks, values))


def _possible_table(report: Report) -> Table:
    """Excess stability by number of clusters."""
    found = report.choice
    assert found is not None
    rows = [[_row_name(report, each["n_clusters"]), f"{found.stability[i]:.2f}",
             f"{found.one_cluster[i]:.2f}", f"{found.excess[i]:.2f}",
             f"{found.low[i]:.2f} to {found.high[i]:.2f}",
             "" if math.isnan(found.p_values[i]) else f"{found.p_values[i]:.3f}",
             "yes" if i in found.possibly_best else "no"]
            for i, each in enumerate(found.parameters)]
    return Table(["clusters", "stability", "of one cluster", "excess", "95 %", "p", "may be best"],
                 rows, "Stability of k-means on halves of the data, beyond that of one cluster",
                 numbers=range(1, 6), best=[(found.largest, 3)])


def _table(report: Report) -> Table:
    """The criteria, and the number of known groups even when it was not tried."""
    same = report.at_classes
    ks = list(report.plan.candidates)
    extra = [] if same is None or same.n_clusters in ks else [same.n_clusters]
    headers = ["clusters"]
    rows = [[_row_name(report, k)] for k in [*ks, *extra]]
    best = []
    for name, chosen in report.criteria.items():
        headers.append(CRITERIA[name].short)
        values = dict(zip(chosen.n_clusters.tolist(), chosen.criterion[:, 0].tolist()))
        for i, k in enumerate([*ks, *extra]):
            rows[i].append(w.general(values[k]) if k in values else "not tried")
            if k == chosen.best:
                best.append((i, len(headers) - 1))
                rows[i][-1] += " *"
    if report.label_curve:
        headers.append("label (ARI)")
        known = dict(report.label_curve) | (
            {} if same is None else {same.n_clusters: same.adjusted_rand_index})
        for row, k in zip(rows, [*ks, *extra]):
            row.append(w.value(known.get(k, math.nan)))
    return Table(headers, rows, "Criteria by number of clusters (* the choice of each)",
                 numbers=range(1, len(headers)), best=best)


def _row_name(report: Report, k: int) -> str:
    o = report.objects
    what = [*(["chosen"] if k == report.n_clusters else []),
            *([f"groups of {o.label_name}"] if len(o.group_names) == k else [])]
    return f"{k} ({', '.join(what)})" if what else str(k)
