"""Stability: the same clusters again on resampled objects?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import fits
from .. import words as w
from ..drawing import drawn_objects, drawn_rows, finish_scatter
from ..plan import BAGGED, BAGGED_TITLE
from ..section import Group, Picture, Section, Table, Task
from ..words import doubtful

if TYPE_CHECKING:
    from ..fits import Stability
    from ..record import Report
    from ..run import Work

#: share of agreeing refits below which an object is uncertain; uncertain objects that are listed
SURE, LISTED = 0.95, 10


class StabilitySection(Section):
    """k-means fitted again to bootstrap samples."""

    # Done before the pictures of the clusterings, of which the consensus of the refits is one.
    heading = "Stability"
    key, place, turn, drawn = "stability", 70, 45, 75
    pictures, steps = "the stability", ("bagging",)

    # -- computing ----------------------------------------------------------------------------
    def tasks(self, work: Work) -> Iterable[Task]:
        yield Task(self.turn, "bagging", BAGGED_TITLE, lambda: self.bag(work))

    def bag(self, work: Work) -> None:
        """Refit k-means on bootstrap samples; the consensus is one more clustering."""
        base = work.kmeans()
        if base is None:
            raise ValueError("it needs the clustering by k-means, which failed")
        fit, stability = fits.fit_bagged(work.x, base, work.plan)
        work.found["fits"] += (fit,)
        work.found["stability"] = stability
        # data of one cluster are neither as lumpy as groups of rows, nor as data without a test
        if work.objects.groups is None and not work.found["more"].get("untested"):
            work.found["stability"] = replace(stability, one_cluster=fits.shares_of_one_cluster(
                work.x, base.found.n_clusters, work.plan))

    # -- page ---------------------------------------------------------------------------------
    def short(self, report: Report) -> Iterable[str]:
        if report.stability is not None:
            yield next(iter(_sentences(report)))

    def show(self, report: Report) -> Iterable[Any]:
        s, o, fit = report.stability, report.objects, report.fit(BAGGED)
        if s is None or fit is None:
            return
        yield from _sentences(report)
        unsure = s.share < SURE
        if unsure.any():   # else a sentence says it
            yield Picture(
                "stability", partial(_draw, report), "Scatter plot of the objects by the share of "
                "refits that agree on their cluster; uncertain: "
                f"{w.part(int(unsure.sum()), s.share.size)}.",
                f"{drawn_objects(report)} Uncertain objects (diamonds) lie on top.")
        yield Table(["cluster", "objects usually in it", "mean share of refits that agree"],
                    [[f"cluster {c + 1}", w.whole(int(size)), w.value(float(s.by_cluster[c]))]
                     for c, size in enumerate(fit.sizes)], "Stability by cluster", numbers=(1, 2))
        if unsure.any():
            yield Group([Table(
                ["object", "cluster", "share of refits that agree", "entropy (bits)"],
                [[o.name(i), str(int(fit.found.labels[i]) + 1), w.value(float(s.share[i])),
                  w.value(float(s.entropy[i]))]
                 for i in np.argsort(s.share, kind="stable")[:LISTED].tolist() if unsure[i]],
                "The least stable objects", numbers=(1, 2, 3))],
                summary="The most uncertain objects")

    def data(self, report: Report) -> dict[str, Any]:
        s = report.stability
        return {"stability": None if s is None else {
            "n_replicates": s.n_replicates, "mean_share": s.share.mean(),
            "mean_share_of_one_cluster": s.one_cluster, "mean_entropy_bits": s.entropy.mean(),
            "n_below_0.95": int((s.share < SURE).sum()), "share_by_cluster": s.by_cluster,
            "most_exchanged": [k + 1 for k in s.pair] if s.pair[0] >= 0 else None}}


def _draw(report: Report, ax: Any) -> None:
    """The objects in the plane, by the share of refits that agree."""
    from ...plotting.figures import colour_bar
    s, points, rows = report.stability, report.objects.components[0], drawn_rows(report)
    assert s is not None
    # Uncertain objects last, so that they are seen.
    order = rows[np.argsort(-s.share[rows], kind="stable")]
    sure = s.share[order] >= SURE
    ax.scatter(*points[order[sure], :2].T, color="#a6a6a6", s=9, marker="o", linewidths=0)
    # The loudest points are the most uncertain ones.
    shown = ax.scatter(*points[order[~sure], :2].T, c=s.share[order[~sure]], s=18, marker="D",
                       edgecolors="#8C8C8C", linewidths=0.4, cmap="Oranges_r",
                       vmin=1.0 / s.by_cluster.size, vmax=SURE)
    colour_bar(ax, shown, f"share of refits that agree\n(grey dots: {SURE} or more)")
    finish_scatter(ax, report)


#: words of praise, by the mean share of refits that agree, as printed
_WORDS = ((0.98, "very stable, and more"), (0.93, "stable, and more"),
          (0.8, "moderately stable, and more"), (0.0, "more"))


def _beside(stability: Stability, report: Report) -> str:
    """The mean share beside that of data with one cluster; words of praise need the comparison."""
    one, mean = stability.one_cluster, float(stability.share.mean())
    if named := report.objects.groups_name:
        return (f"The refits draw rows, not whole groups: other groups of rows (“{named}”) may be "
                "divided less stably.")
    if report.more.get("untested"):
        return ("How stable data with one cluster would be was not computed, since no test holds "
                "for rows like these: they may be divided as stably.")
    if not one.size:
        return ("How stable data with one cluster would be was not computed for this size: they "
                "may be divided as stably.")
    band = (f"{w.percent(float(one.min()))} to {w.percent(float(one.max()))} in {one.size} data "
            "sets with one cluster")
    if mean <= one.max() or w.percent(mean) == w.percent(float(one.max())):
        return f"Data without clusters are divided as stably: {band}."
    if doubtful(report):   # no praise beside "there may be no clusters"
        return (f"That is more than data with one flat cluster reach ({band}); a curved cluster "
                "can do that, too.")
    word = next(word for least, word in _WORDS if round(mean, 2) >= least)
    return f"That is {word} than data with one cluster reach ({band})."


def _sentences(report: Report) -> Iterable[str]:
    """Results of refits for the objects and clusters."""
    s = report.stability
    assert s is not None
    k, unsure = s.by_cluster.size, int((s.share < SURE).sum())
    leave, cluster = ("leaves", "its") if unsure == 1 else ("leave", "their")
    yield (f"In {s.n_replicates} refits to bootstrap samples an object is in its usual cluster "
           f"{w.percent(float(s.share.mean()))} of the time; {w.part(unsure, s.share.size)} "
           f"{leave} {cluster} usual cluster in more than 1 of 20 refits. {_beside(s, report)}")
    yield (f"The usual cluster of an object is the one that it has in most refits. The share of "
           f"these refits runs from {w.value(1 / k)} (pure chance) to 1 (always); the mean entropy "
           f"of the shares is {w.value(float(s.entropy.mean()))} bits (0 to {math.log2(k):.1f}; 0 "
           "is certain).")
    if not np.isnan(s.by_cluster).all():
        worst = int(np.nanargmin(s.by_cluster))
        if s.by_cluster[worst] < 0.98:
            yield (f"The least stable is cluster {worst + 1}, with a mean share of "
                   f"{w.value(float(s.by_cluster[worst]))}.")
        if k > 2 and s.pair[0] >= 0 and unsure:
            yield (f"Clusters {s.pair[0] + 1} and {s.pair[1] + 1} exchange objects most often.")
    yield ("Real clusters are stable, but stable clusters need not be real: too few clusters are "
           "often found again and again.")
