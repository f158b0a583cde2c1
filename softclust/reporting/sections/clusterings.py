"""The clusterings: what each algorithm found, and what the clusters are like."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...clusterings import EvidentialClustering
from .. import fits
from .. import words as w
from ..drawing import Canvas, as_svg, finish_scatter, name_clusters, new_figure
from ..plan import ALGORITHMS, seen
from ..section import Block, Group, Heading, Picture, Prose, Section, Table, Task
from .data import drawn_objects

if TYPE_CHECKING:
    from ..data import Objects
    from ..fits import Fit
    from ..record import Report
    from ..run import Work

#: features in the table of means; clusters whose sizes are listed
FEATURES, LISTED = 12, 15
#: largest membership below which an object counts as doubtful
DOUBTFUL = 0.6
#: share of the objects up to which two clusterings look the same
ALIKE = 0.01


class Clusterings(Section):
    """One clustering an algorithm, with clusters in one order."""

    key, place, turn, drawn = "clusterings", 40, 40, 48
    pictures, steps = "the clusterings", ("cluster:", "bagging")

    def title(self, objects: Objects) -> str:
        return "Clusterings"

    # -- computing ----------------------------------------------------------------------------
    def tasks(self, work: Work) -> Iterable[Task]:
        for key in work.plan.algorithms:
            yield Task(self.turn, f"cluster:{key}", ALGORITHMS[key][0],
                       lambda key=key: self.fit(work, key))   # type: ignore[misc]

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

    # -- sentences ----------------------------------------------------------------------------
    def short(self, report: Report) -> list[str]:
        failed = [fit.title for fit in report.fits if fit.failure]
        return [f"{w.capital(w.both(failed))} gave no clustering; the section Clusterings says why."
                ] if failed else []

    # -- pictures -----------------------------------------------------------------------------
    def draw(self, canvas: Canvas) -> dict[str, str]:
        from ...plotting.objects import plot_objects
        rows, drawn = canvas.rows, {}
        for fit, *_ in alike(canvas.results["fits"]):
            assert fit.clustering is not None
            figure, ax = new_figure(3.6, 3.1)
            plot_objects(canvas.points[rows], fit.clustering.subset(rows), ax=ax)
            name_clusters(ax, canvas.points[rows], fit.found.labels[rows], fit.found.n_clusters)
            for points in ax.collections:
                points.set_sizes(points.get_sizes() * (0.6 if rows.size < 1000 else 0.3))
                points.set_linewidths(points.get_linewidths() * (0.8 if rows.size < 1000 else 0.5))
            finish_scatter(ax, canvas)
            drawn[f"clusters:{fit.key}"] = as_svg(figure, f"clusters-{fit.key}")
        return drawn

    # -- page ---------------------------------------------------------------------------------
    def show(self, report: Report) -> Iterable[Block]:
        if report.fits:
            yield Table(["algorithm", "kind", "objects by most plausible cluster"],
                        [_row(fit) for fit in report.fits],
                        f"The algorithms, {report.n_clusters} clusters each; cluster numbers are "
                        "matched")
        together = alike(report.fits)
        figures = [Picture(f"clusters:{group[0].key}", _alt(report, group),
                           w.both(fit.title for fit in group), size="small")
                   for group in together]
        if any(figure.name in report.pictures for figure in figures):
            yield Group(figures, "figures")
            yield Prose([
                ("Algorithms that differ in at most 1 % of the objects share a picture. "
                 if len(together) < len(report.done_fits) else "")
                + "Colour and shape show the most plausible cluster; colours turn grey where an "
                "object belongs to several. Hollow: more than one cluster is possible. Cross: "
                "outlier. " + drawn_objects(report)])
        yield from _profiles(report)
        yield Heading("The algorithms one by one")
        yield Prose([f"{sentence(fit)}" + (f" Settings: {fit.settings}." if fit.settings else "")
                     for fit in report.fits])

    def data(self, report: Report) -> dict[str, Any]:
        return {"clusterings": [_entry(fit) for fit in report.fits]}


# -- which look the same ----------------------------------------------------------------------
def _look(fit: Fit) -> np.ndarray:
    """Appearance of each object in a picture: its cluster, and if it is ambiguous or uncertain."""
    x = fit.clustering
    assert x is not None
    plausibility, belief = x.plausibility(), x.belief()
    open_ = ((plausibility >= belief.max(axis=1, keepdims=True) - 1e-12)
             & (plausibility > 0)).sum(axis=1) > 1
    weights = x.pignistic(normalized=False)
    inside = weights.sum(axis=1)
    share = weights.max(axis=1) / np.where(inside > 0, inside, 1.0)
    return np.asarray(4 * fit.found.labels + 2 * open_ + ((share < DOUBTFUL) | (inside < 0.5)))


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


def _alt(report: Report, group: list[Fit]) -> str:
    """Caption of the scatter plot of a clustering."""
    fit = group[0]
    look = _look(fit)
    names = [f"cluster {k + 1}" for k in range(fit.found.n_clusters)]
    text = (f"Scatter plot of the objects by the clusters of {w.both(f.title for f in group)}: "
            f"{seen(fit.found.labels, names)}")
    for what, count in (("hollow", int((look // 2 % 2).sum())), ("pale", int((look % 2).sum()))):
        text += f"; {what}: {w.part(count, look.size)}" if count else ""
    return f"{text}."


# -- one algorithm ----------------------------------------------------------------------------
def _row(fit: Fit) -> list[str]:
    if fit.clustering is None:
        return [fit.title, "failed", ""]
    sizes = fit.sizes
    return [fit.title, fit.clustering.kind, ", ".join(w.whole(int(s)) for s in sizes[:LISTED])
            + (", ..." if sizes.size > LISTED else "")]


def _entry(fit: Fit) -> dict[str, Any]:
    from ...soft_pairs.uncertainty import fuzziness, nonspecificity
    from ..page import number
    entry: dict[str, Any] = {
        "key": fit.key, "title": fit.title, "kind": None, "n_clusters": None, "sizes": None,
        "settings": fit.settings, "warnings": list(fit.notes), "failure": fit.failure or None,
        **{measure.__name__: None for measure in (fuzziness, nonspecificity)}}
    if fit.clustering is None:
        return entry
    entry |= {"kind": fit.clustering.kind, "n_clusters": fit.clustering.n_clusters,
              "sizes": fit.sizes.tolist(),
              "nonspecificity": number(nonspecificity(fit.clustering))}
    if fit.clustering.kind in ("hard", "fuzzy"):
        entry["fuzziness"] = number(fuzziness(fit.clustering))
    return entry


def sentence(fit: Fit) -> str:
    """One algorithm: what an object gets, and how sure the clusters are."""
    x = fit.clustering
    if x is None:
        return f"{w.capital(fit.title)} gave no clustering: {fit.failure}."
    n, k = x.n_objects, x.n_clusters
    empty = int((fit.sizes == 0).sum())
    text = _KIND_TEXTS[x.kind](fit, n, k)
    if empty:
        verb = "has" if empty == 1 else "have"
        text += f" {w.capital(w.small(empty))} of the {k} clusters {verb} no object of its own."
    if fit.notes:
        text += " The algorithm warned: " + "; ".join(fit.notes) + "."
    return text


def _hard_text(fit: Fit, n: int, k: int) -> str:
    return (f"{w.capital(fit.title)} puts every object into one cluster and says nothing about "
            f"uncertainty. The clusters have {w.both(w.whole(int(s)) for s in fit.sizes)} objects.")


def _fuzzy_text(fit: Fit, n: int, k: int) -> str:
    assert fit.clustering is not None
    largest = fit.clustering.pignistic().max(axis=1)
    mean, doubtful = float(largest.mean()), int((largest < DOUBTFUL).sum())
    what = ("share of the refits" if fit.key == "bagged" else
            "probability" if fit.key == "mixture" else "membership")
    text = (f"{w.capital(fit.title)} gives every object a {what} for each cluster. The largest is "
            f"{w.value(mean)} on average (range {w.value(1 / k)} to 1; 1 is certain); it is "
            f"below {DOUBTFUL} for {w.part(doubtful, n)}.")
    if mean < 1 / k + 0.3 * (1 - 1 / k):
        text += (" Memberships are nearly even, so this clustering says little. Fuzzy c-means does "
                 "that in many dimensions or where clusters overlap.")
    return text


def _rough_text(fit: Fit, n: int, k: int) -> str:
    assert fit.clustering is not None
    open_ = int((fit.clustering.plausibility().sum(axis=1) > 1).sum())
    verdict = ("" if open_ < 2 else
               " Few objects lie between clusters." if open_ < 0.05 * n else
               " A fair number of objects lie between clusters." if open_ < 0.25 * n else
               " Many objects lie between clusters, so the clusters are not well separated.")
    return (f"{w.capital(fit.title)} leaves open where an object belongs if a second centre is "
            f"almost as close as the closest: here for {w.part(open_, n)}.{verdict}")


def _evidential_text(fit: Fit, n: int, k: int) -> str:
    x = fit.clustering
    assert isinstance(x, EvidentialClustering)
    mass, sizes = x.mass, x.focal_sets.sum(axis=1)
    heaviest = sizes[mass.argmax(axis=1)]
    out, open_ = int((heaviest == 0).sum()), int((heaviest > 1).sum())
    possible = int((_look(fit) // 2 % 2).sum())
    return (f"{w.capital(fit.title)} spreads a mass of 1 over sets of clusters. The heaviest set "
            f"is a single cluster for {w.part(n - out - open_, n)}, several clusters (undecided) "
            f"for {w.part(open_, n)}, and the empty set (an outlier) for {w.part(out, n)}; a "
            f"single cluster holds {w.value(float(mass[:, sizes == 1].sum(axis=1).mean()))} of the "
            "mass on average (0 to 1; 1 is decided). With the mass of all sets counted, more than "
            f"one cluster stays possible for {w.part(possible, n)} (hollow in the picture).")


def _possibilistic_text(fit: Fit, n: int, k: int) -> str:
    assert fit.clustering is not None
    second = np.sort(fit.clustering.plausibility(), axis=1)[:, -2]
    both = int((second > 0.5).sum())
    return (f"{w.capital(fit.title)} says how typical an object is of each cluster, from 0 to 1 "
            "(1 for its best cluster) and for each cluster on its own. "
            f"{w.capital(w.part(both, n))} are more than half as typical of a second cluster.")


_KIND_TEXTS = {"hard": _hard_text, "fuzzy": _fuzzy_text, "rough": _rough_text,
               "evidential": _evidential_text, "possibilistic": _possibilistic_text}


# -- what the clusters are like ---------------------------------------------------------------
def traits(report: Report, count: int) -> dict[int, list[tuple[str, str]]]:
    """By cluster of k-means: "high" or "low", and the feature, the most telling first."""
    o, fit = report.objects, report.fit("k-means")
    telling: dict[int, list[tuple[str, str]]] = {}
    if fit is None:
        return telling
    for c, mean in _means(report).items():
        z = (mean - o.mean) / o.deviation
        far = [q for q in np.argsort(-np.abs(z), kind="stable")[:count] if abs(z[q]) >= 0.4]
        telling[c] = [("high" if z[q] > 0 else "low", o.columns[q]) for q in far]
    return telling


def _means(report: Report) -> dict[int, np.ndarray]:
    """Means of the features as given, of each cluster of k-means that has objects."""
    fit = report.fit("k-means")
    assert fit is not None
    x, labels = report.objects.original(), fit.found.labels
    return {c: x[labels == c].mean(axis=0) for c in np.unique(labels).tolist()}


def profiles(report: Report, count: int = 3) -> list[str]:
    """Distinguishing features of each cluster of k-means."""
    fit, o = report.fit("k-means"), report.objects
    if fit is None:
        return []
    sizes, means = fit.sizes, _means(report)
    at = {name: q for q, name in enumerate(o.columns)}
    texts = []
    for c, telling in traits(report, count).items():
        parts = [f"{way} {name} ({w.general(float(means[c][at[name]]))}; all "
                 f"{w.general(float(o.mean[at[name]]))})" for way, name in telling]
        texts.append(f"Cluster {c + 1}, {w.part(int(sizes[c]), o.n_objects)}: "
                     + (w.both(parts) if parts else "near the mean in every feature") + ".")
    return texts


def _profiles(report: Report) -> list[Block]:
    fit, o = report.fit("k-means"), report.objects
    if fit is None:
        return []
    sizes, means = fit.sizes, _means(report)
    table = np.array(list(means.values()))
    between = (sizes[list(means), None] * ((table - o.mean) / o.deviation) ** 2).sum(axis=0)
    shown = np.sort(np.argsort(-between, kind="stable")[:FEATURES])
    rows = [[o.columns[q], *(w.general(float(m[q])) for m in table), w.general(float(o.mean[q]))]
            for q in shown]
    more = len(o.columns) - len(shown)
    return [Heading("What the clusters of k-means are like"), Prose(profiles(report), "bullets"),
            Table(["feature", *(f"cluster {c + 1}" for c in means), "all"], rows,
                  "Means in the units of the data" + (
                      f"; not shown: {w.many(more, 'feature')} with smaller differences between "
                      "clusters" if more else ""), numbers=range(1, len(means) + 2)),
            Prose(["This is descriptive: the clusters were made from these features, which "
                   "therefore differ between them. Do not test these differences."])]
