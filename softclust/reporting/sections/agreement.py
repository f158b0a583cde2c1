"""Agreement among the clusterings: a matrix and a map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import words as w
from ..section import Group, Picture, Prose, Section, Table

if TYPE_CHECKING:
    from ..record import Report
    from ..run import Work


#: share of the objects in one cluster above which a fit has failed
FAILED = 0.95


class Agreement(Section):
    """All clusterings, and the label, with each other."""

    heading = "Agreement among the clusterings"
    key, place, turn, drawn = "agreement", 60, 60, 65
    pictures, step = "the agreement", "agreement of the clusterings"

    def compute(self, work: Work) -> None:
        """The matrix of all pairs and the map of it."""
        from ...comparison.matrix import compare_all
        o, rows = work.objects, work.sample(work.plan.n_pairs, 2)
        sides: dict[str, Any] = {}
        fitted = [fit for fit in work.found["fits"] if fit.clustering is not None]
        if o.label is not None and o.label.n_objects == o.n_objects:
            # Else the others would be compared on fewer objects.
            name = w.short(o.label_name)
            repeated = name in {fit.title for fit in fitted}
            sides[f"{name} (label)" if repeated else name] = o.label.subset(rows)
        sides |= {fit.title: fit.clustering.subset(rows) for fit in fitted}
        if len(sides) < 2:
            raise ValueError("there are fewer than two clusterings to compare")
        matrix = compare_all(sides, measure="alpha_rand_interval")
        work.found["matrix"] = matrix
        # Only scaled where every clustering is equal to itself, as mds demands.
        work.found["circles"] = matrix.mds(n_init=10 if work.plan.quick else 30,
                                           rng=work.plan.seed)

    def short(self, report: Report) -> list[str]:
        # A fit that puts nearly all objects into one cluster has failed: not worth a headline.
        names = [] if report.matrix is None else [
            fit.title for fit in report.done_fits if fit.sizes.max() <= FAILED * fit.sizes.sum()]
        return [report.matrix.most_alike(names)] if report.matrix and len(names) > 1 else []

    def show(self, report: Report) -> Iterable[Any]:
        matrix, circles, alike = report.matrix, report.circles, self.short(report)
        if matrix is None:
            return
        n, m = report.objects.n_objects, report.plan.n_pairs
        yield ("Each cell compares two clusterings by the alpha-Rand interval: the share of pairs "
               "of objects on which they agree (1: the same), from counting every ambiguity as an "
               "error to forgiving it. It is not corrected for chance."
               + (f" Computed on {w.whole(m)} of the {w.whole(n)} objects, drawn at random."
                  if m < n else ""))
        yield Prose(alike)

        def draw_matrix(ax: Any) -> None:
            matrix.plot(ax=ax)
            ax.set_xticks(range(len(matrix)), [name.replace(" ", "\n", 1) for name in matrix.names],
                          rotation=0, ha="center")
        yield Picture("matrix", draw_matrix, "Heat map of the alpha-Rand intervals of all pairs of "
                      f"clusterings. {' '.join(alike)} All numbers are in the table below.",
                      "Dark cells: more alike. Upper left half of a cell: ambiguity forgiven; "
                      "lower right half: counted as error.", "wide",
                      (0.98 * len(matrix) + 2.2, 0.5 * len(matrix) + 1.3))
        yield Group([Table.of(matrix.summary())], summary="The matrix as a table")
        if alike:
            yield ("Where algorithms with different ideas of a cluster agree, the clusters do not "
                   "depend on that idea; agreement alone does not make them real. A very ambiguous "
                   "clustering has wide intervals with all others.")
        if circles is not None and len(circles.names) > 2:
            yield Picture("circles", circles.plot, f"Map of the clusterings. {circles.sentence}",
                          "Map of the clusterings. Only distances count; the place of a circle on "
                          "the page has no meaning.", inches=(5.0, 4.4))
            yield circles.sentence

    def data(self, report: Report) -> dict[str, Any]:
        matrix, circles = report.matrix, report.circles
        return {"agreement": None if matrix is None else {
            **w.fields(matrix, "measure", "sense", "n_objects", "names"), "low": matrix.lower,
            "high": matrix.upper, "circles": None if circles is None else w.fields(
                circles, "centers", "radii", "normalized_stress")}}
