"""The steps of a report: each keeps what it found; one that fails leaves its message."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from .._checks import IncompleteWarning
from .._warnings import process_filter, quiet
from . import fits
from .data import Objects
from .plan import ALGORITHMS, Plan
from .record import Against, Step
from .words import short

#: objects up to which algorithms are ranked, and draws for the limits
_RANKED, _DRAWS, _QUICK_DRAWS = 500_000, 100_000, 10_000
#: measures of a clustering against the label
OF_LABELS = ("adjusted_rand_index", "transfer_distance")
OF_SOFT = ("alpha_rand_index", "alpha_rand_interval", "alpha_partition_interval")

_CRITERION_TITLES = {"silhouette": "silhouette", "gap": "gap statistic", "entropy": "entropy"}

#: the gap starts k-means less often on more objects than this: it takes long and changes little
_MANY, _FEW_STARTS = 1000, 10
#: warnings that say nothing about the data
_FOR_PROGRAMMERS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ResourceWarning)


class Missing(Exception):
    """A step needs what an earlier one did not give."""


#: what the data can do to a step: unsuitable for it, degenerate, or too large
EXPECTED = (ValueError, ArithmeticError, MemoryError, Missing)


class Work:
    """Runs the steps in order.

    Attributes
    ----------
    found : dict
        Fields of `Report`, filled as the work goes on.
    """

    def __init__(self, objects: Objects, plan: Plan) -> None:
        self.objects, self.plan = objects, plan
        # Kernels are compiled for arrays that may be written.
        self.x = np.array(objects.x)
        single = plan.candidates[0] if len(plan.candidates) == 1 else None
        self.found: dict[str, Any] = {
            "n_clusters": single, "criteria": {}, "label_curve": {}, "fits": (),
            "stability": None, "against": {}, "at_classes": None, "ranking": None,
            "matrix": None, "circles": None, "pictures": {}}
        #: k-means by number of clusters, for the label curve and for the clusterings
        self._first: dict[int, fits.Fit] = {}

    def run(self, progress: bool) -> tuple[Step, ...]:
        """Run all steps; Ctrl-C ends the work and keeps what is finished."""
        from .progress import bar
        tasks = self._tasks()
        states = [Step(name=name, title=title) for name, title, _ in tasks]
        with bar(progress, total=len(tasks)) as shown:
            for j, (_, title, work) in enumerate(tasks):
                shown.set_description_str(title)
                try:
                    state, message = self._attempt(work)
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
                known = isinstance(error, (ValueError, Missing))
                return "failed", f"{'' if known else type(error).__name__ + ': '}{error}"
        return "done", "; ".join(dict.fromkeys(str(w.message) for w in said
                                               if not issubclass(w.category, _FOR_PROGRAMMERS)))

    def _tasks(self) -> list[tuple[str, str, Callable[[], None]]]:
        plan, label = self.plan, self.objects.label is not None
        tasks: list[tuple[str, str, Callable[[], None]]] = []

        def add(name: str, title: str, work: Callable[..., None], *given: Any) -> None:
            tasks.append((name, title, lambda: work(*given)))

        def draw(name: str, title: str) -> None:
            if plan.pictures:
                add(f"picture:{name}", f"pictures of {title}", self._draw, name)

        draw("data", "the data")
        if len(plan.candidates) > 1:
            for criterion in plan.criteria:
                add(f"number:{criterion}", f"number of clusters: {_CRITERION_TITLES[criterion]}",
                    self._criterion, criterion)
            add("number:choice", "number of clusters: choice", self._choose)
            if label:
                add("number:label", "number of clusters: label", self._label_curve)
            draw("number", "the number of clusters")
        for key in plan.algorithms:
            add(f"cluster:{key}", ALGORITHMS[key][0], self._fit, key)
        add("bagging", "bagged k-means", self._bag)
        draw("clusterings", "the clusterings")
        if label:
            for key in (*plan.algorithms, "bagged"):
                title = ALGORITHMS[key][0] if key in ALGORITHMS else "bagged k-means"
                add(f"label:{key}", f"{title} and the label", self._compare, key)
            add("label:ranking", "which algorithm is nearest to the label", self._rank)
            add("label:classes", "as many clusters as classes", self._at_classes)
            draw("label", "the comparison with the label")
        add("agreement", "agreement of the clusterings", self._agree)
        draw("agreement", "the agreement")
        draw("stability", "the stability")
        return tasks

    # -- number of clusters -------------------------------------------------------------------
    def _sample(self, size: int, stream: int) -> np.ndarray:
        """Rows drawn at random, in order; all when there are no more."""
        n = self.objects.n_objects
        if size >= n:
            return np.arange(n)
        rng = np.random.default_rng([self.plan.seed, stream])
        return np.sort(rng.choice(n, size, replace=False))

    def _criterion(self, criterion: str) -> None:
        from ..selection import cluster_number
        from ..selection.checks import N_STARTS
        options: dict[str, Any] = {}
        candidates = self.plan.candidates
        if criterion == "gap":
            # This one can also say that there are no clusters.
            candidates = (1, *candidates) if candidates[0] == 2 else candidates
            whole = len(candidates) > max(candidates) - min(candidates)
            options = {"n_references": self.plan.n_references, "rule": "1se" if whole else "max",
                       "n_starts": _FEW_STARTS if self.plan.n_criteria > _MANY else N_STARTS}
        elif criterion == "entropy":
            options = {"n_resamples": self.plan.n_entropy}
        x = self.x[self._sample(self.plan.n_criteria, 1)]
        with quiet(IncompleteWarning):   # what is missing is in the record
            chosen = cluster_number(x, candidates, criterion=criterion,
                                    rng=self.plan.seed, **options)
        self.found["criteria"][criterion] = chosen
        if not chosen.complete:
            raise KeyboardInterrupt   # cluster_number keeps what it has and goes on

    def _choose(self) -> None:
        """The number >= 2 that most criteria prefer; when all differ that of the first one."""
        bests = [c.best for c in self.found["criteria"].values() if c.best and c.best > 1]
        if not bests:
            raise Missing("no criterion was computed")
        self.found["n_clusters"] = max(bests, key=lambda k: (bests.count(k), -bests.index(k)))

    def _label_curve(self) -> None:
        from ..measures.pair_counting import adjusted_rand_index
        label = self.objects.label
        assert label is not None
        for k in self.plan.candidates:
            fit = self._fit_first(k)
            if fit.clustering is not None:
                self.found["label_curve"][k] = float(adjusted_rand_index(
                    label, self._labelled(fit.clustering)))

    # -- clusterings --------------------------------------------------------------------------
    def _fit(self, key: str) -> None:
        k = self.found["n_clusters"]
        if k is None:
            raise Missing("no number of clusters was chosen")
        first = self._kmeans(required=False)
        fit = self._fit_first(k) if key == "k-means" else fits.fit_algorithm(
            key, self.x, k, self.plan, None if first is None else first.labels)
        self.found["fits"] += (fit,)
        if fit.failure:
            raise Missing(fit.failure)

    def _fit_first(self, k: int) -> fits.Fit:
        """k-means with k clusters, fitted once."""
        if k not in self._first:
            self._first[k] = fits.fit_algorithm("k-means", self.x, k, self.plan, None)
        return self._first[k]

    def _kmeans(self, *, required: bool = True) -> fits.Fit | None:
        for fit in self.found["fits"]:
            if fit.key == "k-means" and fit.clustering is not None:
                return fit
        if required:
            raise Missing("it needs the clustering by k-means, which failed")
        return None

    def _bag(self) -> None:
        base = self._kmeans()
        assert base is not None
        fit, stability = fits.fit_bagged(self.x, base, self.plan)
        self.found["fits"] += (fit,)
        self.found["stability"] = stability

    # -- comparison ---------------------------------------------------------------------------
    def _compare(self, key: str) -> None:
        from ..comparison import compare
        label = self.objects.label
        assert label is not None
        fit = next((f for f in self.found["fits"] if f.key == key), None)
        if fit is None or fit.clustering is None or fit.labels is None:
            raise Missing("there is no clustering to compare")
        names = (self.objects.label_name, fit.title)
        self.found["against"][key] = Against(
            labels=compare(label, self._labelled(fit.labels), names=names, measures=OF_LABELS,
                           ci="jackknife"),
            soft=compare(label, self._labelled(fit.clustering), names=names, measures=OF_SOFT,
                         ci="jackknife"))

    def _rank(self) -> None:
        """The algorithms by the adjusted Rand index of their labels; differences are paired."""
        from ..comparison.ranking import rank_clusterings
        label = self.objects.label
        assert label is not None
        sides = {fit.title: self._labelled(fit.labels) for fit in self.found["fits"]
                 if fit.labels is not None}
        if len(sides) < 2:
            raise Missing("there are fewer than two clusterings to rank")
        if label.n_objects > _RANKED:
            raise Missing(f"{label.n_objects} objects are more than the {_RANKED} that are ranked")
        self.found["ranking"] = rank_clusterings(
            label, sides, n_draws=_QUICK_DRAWS if self.plan.quick else _DRAWS)

    def _at_classes(self) -> None:
        """k-means with as many clusters as there are classes, whatever number was chosen."""
        from .classes import at_classes
        label = self.objects.label
        assert label is not None
        fit = self._fit_first(label.n_clusters)
        if fit.labels is None:
            raise Missing(f"k-means with {label.n_clusters} clusters failed: {fit.failure}")
        self.found["at_classes"] = at_classes(label, self._labelled(fit.labels))

    def _labelled(self, clustering: Any) -> Any:
        """The part of a clustering whose label is known."""
        rows = self.objects.labelled
        return clustering if rows.size == self.objects.n_objects else clustering.subset(rows)

    def _agree(self) -> None:
        from ..comparison.matrix import compare_all
        rows = self._sample(self.plan.n_pairs, 2)
        sides: dict[str, Any] = {}
        if self.objects.label is not None and self.objects.label.n_objects == (
                self.objects.n_objects):   # else the others would be compared on fewer objects
            sides[self._label_side()] = self.objects.label.subset(rows)
        for fit in self.found["fits"]:
            if fit.clustering is not None:
                sides[fit.title] = fit.clustering.subset(rows)
        if len(sides) < 2:
            raise Missing("there are fewer than two clusterings to compare")
        matrix = compare_all(sides, measure="alpha_rand_interval")
        self.found["matrix"] = matrix
        # Only scaled where every clustering is equal to itself, as mds demands.
        self.found["circles"] = matrix.mds(n_init=10 if self.plan.quick else 30,
                                           rng=self.plan.seed)

    def _label_side(self) -> str:
        return label_side(self.objects, self.found["fits"])

    def _draw(self, name: str) -> None:
        from . import pictures
        self.found["pictures"] |= pictures.draw(name, self.objects, self.plan, self.found,
                                                self._sample(self.plan.n_drawn, 3))


def label_side(objects: Objects, fitted: Any) -> str:
    """Name of the label among the clusterings."""
    name = short(objects.label_name)
    return f"{name} (label)" if name in {fit.title for fit in fitted} else name

