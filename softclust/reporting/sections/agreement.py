"""Agreement among the clusterings: a matrix and a map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import words as w
from ..drawing import Canvas, as_svg, new_figure
from ..section import Block, Group, Picture, Prose, Section, Table, Task

if TYPE_CHECKING:
    from ..data import Objects
    from ..record import Report
    from ..run import Work


#: share of the objects in one cluster above which a fit has failed
FAILED = 0.95


class Agreement(Section):
    """All clusterings, and the label, with each other."""

    key, place, turn, drawn = "agreement", 60, 60, 65
    pictures, steps = "the agreement", ("agreement",)

    def title(self, objects: Objects) -> str:
        return "Agreement among the clusterings"

    # -- computing ----------------------------------------------------------------------------
    def tasks(self, work: Work) -> Iterable[Task]:
        yield Task(self.turn, "agreement", "agreement of the clusterings",
                   lambda: self.agree(work))

    def agree(self, work: Work) -> None:
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

    # -- sentences ----------------------------------------------------------------------------
    def short(self, report: Report) -> list[str]:
        return _extremes(report)

    # -- pictures -----------------------------------------------------------------------------
    def draw(self, canvas: Canvas) -> dict[str, str]:
        from ...plotting.matrix import plot_matrix
        from ...plotting.objects import plot_circles
        drawn = {}
        matrix, circles = canvas.results["matrix"], canvas.results["circles"]
        if matrix is not None:
            n = len(matrix)
            figure, ax = new_figure(0.98 * n + 2.2, 0.5 * n + 1.3)
            plot_matrix(matrix, ax=ax)
            ax.set_title("", loc="left")
            ax.set_xticks(range(n), [name.replace(" ", "\n", 1) for name in matrix.names],
                          rotation=0, ha="center")
            drawn["matrix"] = as_svg(figure, "matrix")
        if circles is not None and len(circles.names) > 2:
            figure, ax = new_figure(5.0, 4.4)
            plot_circles(circles, ax=ax)
            ax.set_title("", loc="left")
            drawn["circles"] = as_svg(figure, "circles")
        return drawn

    # -- page ---------------------------------------------------------------------------------
    def show(self, report: Report) -> Iterable[Block]:
        yield Prose([*_reading(report), *_extremes(report)])
        yield Picture("matrix", f"Heat map of the alpha-Rand intervals of all pairs of "
                      f"clusterings. {' '.join(_extremes(report))} All numbers are in the table "
                      "below.", "Dark cells: more alike. Upper left half of a cell: ambiguity "
                      "forgiven; lower right half: counted as error.", size="wide")
        if report.matrix is not None:
            m = report.matrix
            rows = [[name, *(w.interval(float(m.lower[i, j]), float(m.upper[i, j]))
                             if j <= i else "" for j in range(len(m)))]
                    for i, name in enumerate(m.names)]
            yield Group([Table(["", *m.names], rows, "Alpha-Rand intervals",
                               numbers=range(1, len(m) + 1))], summary="The matrix as a table")
        if _extremes(report):
            yield Prose(["Where algorithms with different ideas of a cluster agree, the clusters "
                         "do not depend on that idea; agreement alone does not make them real. A "
                         "very ambiguous clustering has wide intervals with all others."])
        yield Picture("circles", _alt(report), "Map of the clusterings. Only distances count; "
                      "the place of a circle on the page has no meaning.")
        yield Prose(_map(report))

    def data(self, report: Report) -> dict[str, Any]:
        from ..page import number, numbers
        matrix, circles = report.matrix, report.circles
        return {"agreement": None if matrix is None else {
            "measure": matrix.measure, "sense": matrix.sense, "n_objects": matrix.n_objects,
            "names": list(matrix.names), "low": numbers(matrix.lower),
            "high": numbers(matrix.upper),
            "circles": None if circles is None else {
                "centers": numbers(circles.centers), "radii": numbers(circles.radii),
                "normalized_stress": number(circles.normalized_stress)}}}


def _reading(report: Report) -> list[str]:
    matrix, n = report.matrix, report.objects.n_objects
    if matrix is None:
        return []
    texts = ("Each cell compares two clusterings by the alpha-Rand interval: the share of pairs of "
             "objects on which they agree (1: the same), from counting every ambiguity as an error "
             "to forgiving it. It is not corrected for chance.")
    if isinstance(matrix.n_objects, int) and matrix.n_objects < n:
        texts += (f" Computed on {w.whole(matrix.n_objects)} of the {w.whole(n)} objects, drawn at "
                  "random.")
    return [texts]


def _extremes(report: Report) -> list[str]:
    """The algorithms that are most alike for certain, and least alike for certain."""
    matrix = report.matrix
    if matrix is None:
        return []
    titles = {fit.title for fit in report.done_fits}
    # A fit that puts nearly all objects into one cluster has failed: not worth a headline.
    failed = {fit.title for fit in report.done_fits
              if fit.sizes.max() > FAILED * fit.sizes.sum()}
    proper = [i for i, name in enumerate(matrix.names) if name in titles - failed]
    pairs = [(i, j) for i in proper for j in proper if i < j]
    if not pairs:
        return []
    best = max(pairs, key=lambda pair: matrix.lower[pair])
    worst = min(pairs, key=lambda pair: matrix.upper[pair])

    def text(pair: tuple[int, int]) -> str:
        i, j = pair
        return (f"{matrix.names[i]} and {matrix.names[j]} "
                f"({w.interval(float(matrix.lower[pair]), float(matrix.upper[pair]))})")

    return ["The share of pairs of objects that two algorithms treat alike (alpha-Rand) is largest "
            f"for {text(best)}"
            + (f" and smallest for {text(worst)}." if best != worst else ".")]


def _map(report: Report) -> list[str]:
    circles = report.circles
    if circles is None or len(circles.names) < 3:
        return []
    stress = circles.normalized_stress
    return ["In the map each clustering is a circle; near circles are alike. The interval of two "
            "clusterings runs from the nearest to the farthest points of their circles. The "
            f"normalised stress of this map is {w.value(stress)} (0 is a perfect fit"
            + ("; this is a good one)." if stress < 0.02 else
               "; read it as a sketch)." if stress > 0.1 else ").")]


def _alt(report: Report) -> str:
    circles = report.circles
    if circles is None or len(circles.names) < 3:
        return ""
    names = list(circles.names)
    apart = np.linalg.norm(circles.centers[:, None] - circles.centers[None], axis=2)
    far = int(apart.mean(axis=1).argmax())
    return (f"Map of {len(names)} clusterings as circles. Farthest from the others lies "
            f"{names[far]}.")
