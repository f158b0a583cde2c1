"""The clusterings: what each algorithm found, and what the clusters are like."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from ...clusterings.fuzzy import DOUBTFUL
from ...clusterings.hard import LISTED
from .. import fits
from .. import words as w
from ..drawing import draw_clusters, drawn_objects, drawn_rows
from ..plan import ALGORITHMS, seen
from ..section import Group, Heading, Picture, Prose, Section, Table, Task

if TYPE_CHECKING:
    from ..fits import Fit
    from ..record import Report
    from ..run import Work

#: features in the table of means
FEATURES = 12
#: share of the objects up to which two clusterings look the same
ALIKE = 0.01


class Clusterings(Section):
    """One clustering an algorithm, with clusters in one order."""

    heading = "Clusterings"
    key, place, turn, drawn = "clusterings", 40, 40, 48
    pictures, steps = "the clusterings", ("cluster:", "bagging")

    # -- computing ----------------------------------------------------------------------------
    def tasks(self, work: Work) -> Iterable[Task]:
        for key in work.plan.algorithms:
            yield Task(self.turn, f"cluster:{key}", ALGORITHMS[key],
                       partial(self.fit, work, key))

    def fit(self, work: Work, key: str) -> None:
        """One algorithm with the chosen number of clusters."""
        k = work.found["n_clusters"]
        if k is None:
            raise ValueError("no number of clusters was chosen")
        first = work.kmeans()
        fit = work.kmeans_of(k) if key == "k-means" else fits.fit_algorithm(
            key, work.x, k, work.plan, None if first is None else first.labels)
        work.found["fits"] += (fit,)
        if fit.failure:
            raise ValueError(fit.failure)

    # -- page ---------------------------------------------------------------------------------
    def short(self, report: Report) -> list[str]:
        failed = [fit.title for fit in report.fits if fit.failure]
        return [f"{w.capital(w.both(failed))} gave no clustering; the section Clusterings says why."
                ] if failed else []

    def show(self, report: Report) -> Iterable[Any]:
        if report.fits:
            yield Table(
                ["algorithm", "kind", "objects by most plausible cluster"],
                [[fit.title, "failed", ""] if fit.clustering is None else [
                    fit.title, fit.clustering.kind, ", ".join(
                        [*map(w.whole, fit.sizes[:LISTED].tolist())] + ["..."] * (
                            fit.sizes.size > LISTED))] for fit in report.fits],
                f"The algorithms, {report.n_clusters} clusters each; cluster numbers are matched")
        together = alike(report.fits)
        if report.plan.pictures and together:
            yield Group([_picture(report, group) for group in together], "figures")
            yield (("Algorithms that differ in at most 1 % of the objects share a picture. "
                    if len(together) < len(report.done_fits) else "")
                   + "Colour and shape show the most plausible cluster; colours turn grey where an "
                   "object belongs to several. Hollow: more than one cluster is possible. Cross: "
                   "outlier. " + drawn_objects(report))
        if (fit := report.fit("k-means")) is not None:
            o, means = report.objects, _means(report)
            table = np.array([*means.values()])
            between = (fit.sizes[[*means], None] * ((table - o.mean) / o.deviation)**2).sum(axis=0)
            shown = np.sort(np.argsort(-between, kind="stable")[:FEATURES])
            more = len(o.columns) - len(shown)
            yield Heading("What the clusters of k-means are like")
            yield Prose(profiles(report), "bullets")
            yield Table(
                ["feature", *(f"cluster {c + 1}" for c in means), "all"],
                [[o.columns[q], *(w.general(float(m)) for m in (*table[:, q], o.mean[q]))]
                 for q in shown], "Means in the units of the data" + (
                     f"; not shown: {w.many(more, 'feature')} with smaller differences between "
                     "clusters" if more else ""), range(1, len(means) + 2))
            yield ("This is descriptive: the clusters were made from these features, which "
                   "therefore differ between them. Do not test these differences.")
        yield Heading("The algorithms one by one")
        yield Prose([sentence(fit) for fit in report.fits])

    def data(self, report: Report) -> dict[str, Any]:
        from ...soft_pairs.uncertainty import fuzziness, nonspecificity
        return {"clusterings": [{
            "warnings": fit.notes, "failure": fit.failure or None,
            **w.fields(fit, "key", "title", "settings"),
            "kind": None if (x := fit.clustering) is None else x.kind,
            "n_clusters": None if x is None else x.n_clusters,
            "sizes": None if x is None else fit.sizes,
            **{of.__name__: of(x) if x is not None and (
                of is nonspecificity or x.kind in ("hard", "fuzzy")) else None
               for of in (nonspecificity, fuzziness)},
        } for fit in report.fits]}


# -- which look the same ----------------------------------------------------------------------
def _look(fit: Fit) -> np.ndarray:
    """Appearance of each object in a picture: its cluster, and if it is ambiguous or uncertain."""
    x = fit.clustering
    assert x is not None
    weights = x.pignistic(normalized=False)
    inside = weights.sum(axis=1)
    share = weights.max(axis=1) / np.where(inside > 0, inside, 1.0)
    return np.asarray(4 * fit.found.labels + 2 * (x.possible_clusters().sum(axis=1) > 1)
                      + ((share < DOUBTFUL) | (inside < 0.5)))


def alike(fitted: Iterable[Fit]) -> list[list[Fit]]:
    """The fits in groups that look the same but for a few objects."""
    groups: list[tuple[np.ndarray, list[Fit]]] = []
    for fit in fitted:
        if fit.clustering is None:
            continue
        look = _look(fit)
        for first, members in groups:
            if (look != first).mean() <= ALIKE:
                members.append(fit)
                break
        else:
            groups.append((look, [fit]))
    return [members for _, members in groups]


def _picture(report: Report, group: list[Fit]) -> Picture:
    """Scatter plot of the first clustering of some that look the same."""
    fit, called = group[0], w.both(fit.title for fit in group)
    rows, look = drawn_rows(report), _look(fit)
    assert fit.clustering is not None
    drawn = fit.clustering.subset(rows)
    names = [f"cluster {k + 1}" for k in range(fit.found.n_clusters)]
    text = (f"Scatter plot of the objects by the clusters of {called}: "
            f"{seen(fit.found.labels, names)}")
    for what, count in (("hollow", int((look // 2 % 2).sum())), ("pale", int((look % 2).sum()))):
        text += f"; {what}: {w.part(count, look.size)}" if count else ""
    return Picture(f"clusters:{fit.key}", lambda ax: draw_clusters(ax, report, rows, drawn),
                   f"{text}.", called, "small", (3.6, 3.1))


# -- one algorithm ----------------------------------------------------------------------------
#: what an algorithm gives every object
_GIVES = {"k-means": "one cluster", "mixture": "a probability for each cluster",
          "fuzzy": "a membership for each cluster",
          "rough": "one cluster, or several if a second centre is almost as close as the closest",
          "evidential": "a mass of 1 on sets of clusters",
          "possibilistic": "a typicality for each cluster, 1 for the best one",
          "bagged": "a share of the refits for each cluster"}


def sentence(fit: Fit) -> str:
    """One algorithm: what an object gets, and how sure the clusters are."""
    x = fit.clustering
    if x is None:
        return f"{w.capital(fit.title)} gave no clustering: {fit.failure}."
    text = f"{w.capital(fit.title)} gives every object {_GIVES[fit.key]}. {x.sentence}"
    if empty := int((fit.sizes == 0).sum()):
        text += (f" {w.capital(w.small(empty))} of the {x.n_clusters} clusters "
                 f"{'has' if empty == 1 else 'have'} no object of its own.")
    if fit.notes:
        text += " The algorithm warned: " + "; ".join(fit.notes) + "."
    return f"{text} Settings: {fit.settings}."


# -- what the clusters are like ---------------------------------------------------------------
def _means(report: Report) -> dict[int, np.ndarray]:
    """Means of the features as given, of each cluster of k-means that has objects."""
    fit = report.fit("k-means")
    if fit is None:
        return {}
    x, labels = report.objects.original(), fit.found.labels
    return {c: x[labels == c].mean(axis=0) for c in np.unique(labels).tolist()}


def traits(report: Report, count: int) -> dict[int, list[tuple[str, int]]]:
    """By cluster of k-means: "high" or "low" and the feature, the most telling first."""
    o, telling = report.objects, {}
    for c, mean in _means(report).items():
        z = (mean - o.mean) / o.deviation
        telling[c] = [("high" if z[q] > 0 else "low", q) for q in
                      np.argsort(-np.abs(z), kind="stable")[:count].tolist() if abs(z[q]) >= 0.4]
    return telling


def profiles(report: Report) -> list[str]:
    """Distinguishing features of each cluster of k-means."""
    fit, o, means = report.fit("k-means"), report.objects, _means(report)
    return [] if fit is None else [
        f"Cluster {c + 1}, {w.part(int(fit.sizes[c]), o.n_objects)}: " + (w.both(
            f"{way} {o.columns[q]} ({w.general(float(means[c][q]))}; all "
            f"{w.general(float(o.mean[q]))})" for way, q in telling)
            or "near the mean in every feature") + "."
        for c, telling in traits(report, 3).items()]
