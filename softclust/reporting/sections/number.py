"""Number of clusters: three criteria, their votes, and the number of known groups."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..._checks import IncompleteWarning
from ...running.warnings import quiet
from .. import words as w
from ..drawing import Canvas, as_svg, new_figure
from ..plan import COMPONENTS, DEFAULT_CLUSTERS, FROM_COMPONENTS, LARGE, MOST_CLUSTERS
from ..section import Block, Group, Picture, Prose, Section, Table, Task
from ..words import CRITERIA as NAMES
from ..words import (
    at_best,
    best_ari,
    clear,
    doubtful,
    doubts,
    many_features,
    option,
    unstructured,
    votes,
    width,
)

if TYPE_CHECKING:
    from ..._types import Criterion
    from ...selection import ClusterTest
    from ..data import Objects
    from ..record import Report
    from ..run import Work

_AXES = {"silhouette": "mean silhouette", "gap": "gap (nats)", "entropy": "mean entropy (bits)"}
#: starts of k-means on many objects
_FEW_STARTS = 10
_GAP_RULES = {"1se": "The first number of clusters whose gap is within one standard error of the "
                     "next is", "max": "The gap is largest for a number of clusters of"}


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
        for name in work.plan.criteria:
            yield Task(self.turn, f"number:{name}", f"number of clusters: {NAMES[name]}",
                       lambda name=name: self.criterion(work, name))   # type: ignore[misc]
        yield Task(self.turn, "number:choice", "number of clusters: choice",
                   lambda: self.choose(work))
        if work.objects.label is not None:
            yield Task(self.turn, "number:label", "number of clusters: label",
                       lambda: self.curve_of_label(work))

    def rows(self, work: Work) -> np.ndarray:
        """The sample of objects for test and criteria: of many features, principal components."""
        x = work.x[work.sample(work.plan.n_criteria, 1)]
        if x.shape[1] < FROM_COMPONENTS or len(x) <= COMPONENTS:
            return x
        from sklearn.decomposition import PCA
        pca = PCA(COMPONENTS, svd_solver="randomized", random_state=work.plan.seed)
        return np.asarray(pca.fit_transform(x))

    def evidence(self, work: Work) -> None:
        """Test if there are clusters at all."""
        from ...selection import cluster_test
        plan, x = work.plan, self.rows(work)
        most = min(max(DEFAULT_CLUSTERS), np.unique(x, axis=0).shape[0])
        if most >= 2:
            work.found["evidence"] = cluster_test(x, range(2, most + 1), rng=plan.seed,
                                                  n_references=plan.n_evidence)

    def criterion(self, work: Work, name: Criterion) -> None:
        """One criterion for all numbers of clusters."""
        from ...selection import cluster_number
        from ...selection.numbers import N_STARTS
        plan, candidates = work.plan, work.plan.candidates
        options: dict[str, Any] = {}
        many = plan.n_criteria > LARGE
        if name == "gap":
            candidates = (1, *candidates) if candidates[0] == 2 else candidates
            options = {"n_references": plan.n_references,
                       "n_starts": _FEW_STARTS if many else N_STARTS}
        elif name == "entropy":
            options = {"n_resamples": plan.n_entropy}
        elif many:
            from ..fits import CompiledKMeans
            options = {"estimator": CompiledKMeans(n_init=_FEW_STARTS, random_state=plan.seed)}
        x = self.rows(work)
        with quiet(IncompleteWarning):   # what is missing is in the record
            chosen = cluster_number(x, candidates, criterion=name, rng=plan.seed, **options)
        work.found["criteria"][name] = chosen
        if not chosen.complete:
            raise KeyboardInterrupt   # cluster_number keeps what it has and goes on

    def choose(self, work: Work) -> None:
        """The number >= 2 that most criteria prefer; on ties that with evidence, or the first."""
        bests = [c.best for c in work.found["criteria"].values() if c.best and c.best > 1]
        if not bests:
            raise ValueError("no criterion was computed")
        test, limit = work.found["evidence"], min(MOST_CLUSTERS, work.x.shape[0] // 4)
        chosen = max(bests, key=lambda k: (bests.count(k), test is not None and k == test.best,
                                           -bests.index(k)))
        work.found["n_clusters"], most = chosen, max(work.plan.candidates)
        if (test is None or test.best > 1) and work.plan.open_ended and chosen == most < limit:
            # The best may lie beyond: some more numbers.
            more = (*work.plan.candidates, *range(most + 1, most + 4))
            work.plan = replace(work.plan, candidates=more)
            for name in work.plan.criteria:
                self.criterion(work, name)   # type: ignore[arg-type]
            self.choose(work)

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
            texts.append(_votes(report))
        if (differ := _differ(report)):
            texts.append(differ)
        if many_features(report) and unstructured(report):
            texts.append(f"With {len(report.objects.columns)} features silhouettes are small even "
                         f"where groups are clear; the largest here is {w.value(width(report))}.")
        return texts

    # -- pictures -----------------------------------------------------------------------------
    def draw(self, canvas: Canvas) -> dict[str, str]:
        from ...plotting.figures import colour, marker
        from ...plotting.selection import plot_cluster_number, plot_cluster_test
        drawn = {}
        for name, chosen in canvas.results["criteria"].items():
            figure, ax = new_figure(2.7, 2.4)
            plot_cluster_number(chosen, ax=ax)
            for text in list(ax.texts):   # the caption explains hollow points
                text.remove()
            for place in ("left", "right"):
                ax.set_title("", loc=place)
            ax.set_ylabel(_AXES[name])
            ax.margins(0.1)
            drawn[f"number:{name}"] = as_svg(figure, f"number-{name}")
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
        texts = [*_evidence(report), *_sentences(report)]
        figures = [] if report.evidence is None else [Picture(
            "number:evidence", _alt_evidence(report.evidence), "Separation of the weakest pair of "
            "clusters, and the band of data with one cluster", size="small")]
        if len(report.plan.candidates) == 1 or not report.criteria:
            return [Group(figures, "figures curves"), Prose(texts)]
        hollow = "; hollow: fewer refits"
        figures += [Picture(f"number:{name}", _alt(report, name), f"{w.capital(NAMES[name])}: "
                            f"{_BEST[c.rule]} is best (ringed){hollow * bool(c.given_up)}",
                            size="small")
                   for name, c in report.criteria.items() if c.best]
        if curve := report.label_curve:
            figures.append(Picture(
                "number:label", _course(list(curve), list(curve.values()), "Adjusted Rand index of "
                                        "k-means and the label") + ".",
                f"Not used for the choice: agreement of k-means with {report.objects.label_name}",
                size="small"))
        return [Group(figures, "figures curves"), _table(report), Prose(texts)]

    def data(self, report: Report) -> dict[str, Any]:
        from ..page import number, numbers
        criteria = {name: {
            "best": c.best, "rule": c.rule,
            "n_clusters": [int(k) for k in c.n_clusters], "value": numbers(c.criterion[:, 0]),
            "mc_error": numbers(c.mc_error[:, 0]),
            # its former name, which stays while the version of the schema does
            "standard_error": numbers(c.mc_error[:, 0]), "failures": list(c.failures),
        } for name, c in report.criteria.items()}
        same = report.at_classes
        test = report.evidence
        return {"evidence": None if test is None else {
            "best": test.best, "p_values": test.p_value.tolist(),
            "significance": test.significance,
            # its former name, which stays while the version of the schema does
            "level": test.significance,
            "n_references": report.plan.n_evidence, "sentence": test.sentence,
            "notes": list(test.notes)}, "number_of_clusters": {
            "chosen": report.n_clusters, "given": len(report.plan.candidates) == 1,
            "criteria": criteria,
            "label_adjusted_rand_index": {str(k): number(v)
                                          for k, v in report.label_curve.items()},
            "at_number_of_classes": None if same is None else {
                "n_clusters": same.n_clusters, "n_moved": same.n_moved,
                "adjusted_rand_index": number(same.adjusted_rand_index),
                "counts": same.counts.tolist()}}}


_BEST = {"max": "the largest", "min": "the least",
         "1se": "the first within one standard error of the next"}


def _votes(report: Report) -> str:
    k, total = report.n_clusters, len(report.criteria)
    named = [NAMES[name] for name in votes(report)]
    blind = w.both(NAMES[name] for name in report.criteria if name != "gap")
    one = f" The {blind} cannot prefer 1." if blind and doubts(report) else ""
    if len(named) == 1:
        return (f"The criteria prefer {_listed(report)} clusters; the report goes on with {k}.{one}"
                if total > 1 else
                f"The only criterion that was computed, the {named[0]}, prefers {k} clusters.{one}")
    how = "All" if len(named) == total else f"{w.capital(w.small(len(named)))} of"
    return (f"{how} {w.small(total)} criteria prefer {k} clusters ({w.both(named)}); the report "
            f"goes on with {k}.{one}")


def _differ(report: Report) -> str:
    """Advice where the test and the criteria give different numbers."""
    test, k = report.evidence, report.n_clusters
    if test is None or k is None or len(report.plan.candidates) == 1 or test.best in (1, k) or (
            k > test.best and test.found.startswith("at least")):
        return ""
    one, other = (f"{option(bool(report.command), 'clusters', n)}" for n in (test.best, k))
    return (f"The test finds evidence of {test.best} clusters, and the report goes on with {k}. "
            f"Take {test.best} ({one}) if every two clusters must be separated. Take {k} ({other}) "
            "to divide the objects into useful parts, and read below how stable these are.")


def _listed(report: Report) -> str:
    """4 (silhouette), 5 (gap statistic) and 2 (entropy)."""
    return w.both(f"{c.best} ({NAMES[name]})" for name, c in report.criteria.items() if c.best)


def _sentences(report: Report) -> list[str]:
    """One paragraph per criterion, then the choice."""
    plan, n, k = report.plan, report.objects.n_objects, report.n_clusters
    if len(plan.candidates) == 1:
        return [f"You gave the number of clusters, {plan.candidates[0]}; no criterion was "
                "computed. Give a range to compare several numbers."]
    texts = []
    if len(report.objects.columns) >= FROM_COMPONENTS and plan.n_criteria > COMPONENTS:
        texts.append(f"The test and the criteria look at the first {COMPONENTS} principal "
                     "components.")
    if plan.n_criteria < n:
        texts.append(f"The criteria were computed on {w.whole(plan.n_criteria)} of the "
                     f"{w.whole(n)} objects, drawn at random: some need all pairs of objects.")
    texts += [_TEXTS[name](report) for name, c in report.criteria.items() if c.best]
    bests = {name: c.best for name, c in report.criteria.items() if c.best}
    if bests and k is not None:
        if len(set(bests.values())) == 1:
            texts.append(f"All criteria prefer {k} clusters. They ask different questions, so this "
                         "is good evidence, though not proof." if clear(report) else
                         f"Of the numbers tried, all criteria prefer {k} clusters. They choose "
                         "among these; they do not say that the clusters are well separated.")
        else:
            how = ("the number that most of them prefer"
                   if list(bests.values()).count(k) > 1
                   else f"the choice of the {NAMES[votes(report)[0]]}, since no two agree")
            texts.append(f"The criteria prefer {_listed(report)}. The report goes on with {k}, "
                         f"{how}. Data may have structure at several levels; you can give another "
                         "number.")
        if max(plan.candidates) in bests.values() and max(plan.candidates) > 2:
            texts.append(f"A criterion prefers {max(plan.candidates)}, the largest number tried: "
                         "try a wider range.")
    if report.label_curve:
        top = max(report.label_curve, key=lambda k: report.label_curve[k])
        texts.append(f"For comparison only: k-means agrees best with the label at {top} clusters "
                     f"(adjusted Rand index {w.value(report.label_curve[top])}). The label was not "
                     "used for the choice.")
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


def _silhouette(report: Report) -> str:
    k, value, _ = at_best(report, "silhouette")
    text = ("Silhouette (range -1 to 1, large is good): how much closer objects are to "
            "their own k-means cluster than to the nearest other one. It is largest, "
            f"{w.value(value)}, for {k} clusters")
    if many_features(report):
        text += ("; with this many features it is small even where groups are clear, and the "
                 "usual rules of thumb mislead")
    elif unstructured(report):
        text += "; by a common rule of thumb that is no substantial structure"
    return (f"{text}. It favours round clusters of similar size, and can be as large for halves of "
            "one long cluster.")


def _gap(report: Report) -> str:
    chosen = report.criteria["gap"]
    k, value, error = at_best(report, "gap")
    order = np.argsort(chosen.n_clusters)
    rising = bool(np.all(np.diff(chosen.criterion[order, 0]) > 0))
    text = (f"Gap statistic (no fixed range, large is good): how much tighter k-means clusters are "
            f"than those of {report.plan.n_references} sets of points spread evenly over the same "
            f"region. {_GAP_RULES[chosen.rule]} {k}, with a gap of {w.value(value)} (standard "
            f"error {w.error(error)}).")
    if rising:
        text += " It keeps rising up to the largest number tried, so it shows no clear number."
    if k == 1:
        text += " Its 1 is no evidence of a single cluster."
    return text


def _entropy(report: Report) -> str:
    k, value, error = at_best(report, "entropy")
    chosen = report.criteria["entropy"]
    near = [str(int(other)) for other, v in zip(chosen.n_clusters, chosen.criterion[:, 0])
            if other != k and other not in chosen.given_up and v <= value + error]
    also = f" Within one Monte Carlo error of it: {w.both(near)}." if near else ""
    if chosen.given_up:
        also += (f" {w.both(map(str, chosen.given_up))} got fewer refits, since they were clearly "
                 "behind; that makes their entropies too low to compare.")
    return (f"Entropy (0 bits to the logarithm of the number of clusters, {math.log2(k):.1f} bits "
            f"for {k}; small is good): how much {report.plan.n_entropy} refits disagree about "
            "the cluster of an object; each uses resampled data and a few points drawn from a "
            f"prior. It is least, {w.value(value, error)} bits (Monte Carlo error "
            f"{w.error(error)}), for {k} clusters.{also} It favours few clusters, "
            "which are easier to find again.")


_TEXTS = {"silhouette": _silhouette, "gap": _gap, "entropy": _entropy}


def _course(ks: list[int], values: list[float], name: str) -> str:
    """A curve in words: its values."""
    return f"{name}: " + ", ".join(f"{w.value(v)} for {k}" for k, v in zip(ks, values))


def _alt(report: Report, name: str) -> str:
    c = report.criteria[name]
    order = np.argsort(c.n_clusters)
    course = _course([int(k) for k in c.n_clusters[order]], c.criterion[order, 0].tolist(),
                     f"{w.capital(NAMES[name])} by number of clusters")
    return f"{course}; {c.best} is ringed as the choice."


def _table(report: Report) -> Table:
    """The criteria, and the number of known groups even when it was not tried."""
    same = report.at_classes
    ks = list(report.plan.candidates)
    extra = [] if same is None or same.n_clusters in ks else [same.n_clusters]
    headers = ["clusters"]
    rows = [[_row_name(report, k)] for k in [*ks, *extra]]
    best = []
    for name, chosen in report.criteria.items():
        headers.append(NAMES[name])
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
