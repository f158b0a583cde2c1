"""The steps of a report: each keeps what it found; one that fails leaves its message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .._warnings import process_filter
from . import fits
from .data import Objects
from .plan import Plan
from .record import Step
from .section import Section, Task, sections

if TYPE_CHECKING:
    from .drawing import Canvas

#: warnings that say nothing about the data
_FOR_PROGRAMMERS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ResourceWarning)
#: what the data can do to a step: unsuitable for it, degenerate, or too large
EXPECTED = (ValueError, ArithmeticError, MemoryError)


class Work:
    """Runs the steps of all sections in order.

    Attributes
    ----------
    objects : Objects
    plan : Plan
    x : (n, p) float64
        The features as clustered.
    found : dict
        Fields of `Report`, filled as the work goes on; sections of one's own use ``found["more"]``.
    """

    def __init__(self, objects: Objects, plan: Plan) -> None:
        self.objects, self.plan = objects, plan
        # Kernels are compiled for arrays that may be written.
        self.x = np.array(objects.x)
        single = plan.candidates[0] if len(plan.candidates) == 1 else None
        self.found: dict[str, Any] = {
            "n_clusters": single, "criteria": {}, "label_curve": {}, "fits": (),
            "stability": None, "against": {}, "at_classes": None, "ranking": None,
            "matrix": None, "circles": None, "pictures": {}, "more": {}}
        #: k-means by number of clusters, for the label and for the clusterings
        self._first: dict[int, fits.Fit] = {}

    def tasks(self) -> list[Task]:
        """All steps in the order of the work."""
        every = [task for one in sections(self.objects) for task in one.all_tasks(self)]
        return sorted(every, key=lambda task: task.turn)

    def run(self, progress: bool) -> tuple[Step, ...]:
        """Run all steps; Ctrl-C ends the work and keeps what is finished."""
        from .progress import bar
        tasks = self.tasks()
        states = [Step(name=task.name, title=task.title) for task in tasks]
        with bar(progress, total=len(tasks)) as shown:
            for j, task in enumerate(tasks):
                shown.set_description_str(task.title)
                try:
                    state, message = self._attempt(task.run)
                except KeyboardInterrupt:
                    states[j] = replace(states[j], state="interrupted")
                    break
                states[j] = replace(states[j], state=state, message=message)
                shown.update()
        return tuple(states)

    def _attempt(self, work: Callable[[], None]) -> tuple[str, str]:
        from threadpoolctl import threadpool_limits
        with process_filter("always") as said:
            try:
                # One thread of BLAS and OpenMP: more could change bits.
                with threadpool_limits(1):
                    work()
            except EXPECTED as error:
                # The rest of the report is worth having.
                known = isinstance(error, ValueError)
                return "failed", f"{'' if known else type(error).__name__ + ': '}{error}"
        return "done", "; ".join(dict.fromkeys(str(w.message) for w in said
                                               if not issubclass(w.category, _FOR_PROGRAMMERS)))

    # -- what several sections ask for ----------------------------------------------------------
    def sample(self, size: int, stream: int) -> np.ndarray:
        """Rows drawn at random, in order; all when there are no more."""
        n = self.objects.n_objects
        if size >= n:
            return np.arange(n)
        rng = np.random.default_rng([self.plan.seed, stream])
        return np.sort(rng.choice(n, size, replace=False))

    def kmeans_of(self, k: int) -> fits.Fit:
        """k-means with k clusters, fitted once."""
        if k not in self._first:
            self._first[k] = fits.fit_algorithm("k-means", self.x, k, self.plan, None)
        return self._first[k]

    def kmeans(self) -> fits.Fit | None:
        """k-means with the chosen number of clusters; None when it failed."""
        return next((fit for fit in self.found["fits"]
                     if fit.key == "k-means" and fit.clustering is not None), None)

    def draw(self, section: Section) -> None:
        """The pictures of a section."""
        from .drawing import Canvas, own_style
        canvas: Canvas = Canvas(self.objects, self.plan, self.found,
                                self.sample(self.plan.n_drawn, 3))
        with own_style():
            self.found["pictures"] |= section.draw(canvas)
