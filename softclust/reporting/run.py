"""Progress of a report on the terminal."""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import IncompleteWarning, shown
from ..running.announcements import within
from ..running.blas import controller
from ..running.installed_versions import version_of
from ..running.warnings import process_filter, warn
from . import fits
from .data import Objects, check_numbers_of_clusters, read_last, read_objects
from .plan import (
    COMPONENTS,
    DEFAULT_CLUSTERS,
    FROM_COMPONENTS,
    LABEL_CLUSTERS,
    ReportPlan,
    check_algorithms,
    check_sample_size,
    make_plan,
)
from .record import Report, Step
from .section import Picture, Section, Task, every, sections

if TYPE_CHECKING:
    from .._types import Algorithm, ArrayLike, ClusteringLike, FrameLike, StrPath

#: seconds between two looks at the clock
BEAT = 0.5


@contextmanager
def bar(progress: bool, what: str = "", total: int | None = None) -> Iterator[Any]:
    """A tqdm bar on stderr whose clock runs on within long steps; with `what` alone a clock."""
    from tqdm import tqdm
    steps = "|{bar}| {n_fmt}/{total_fmt} " if total is not None else ""
    with tqdm(total=total, desc=what, disable=not progress, leave=False, unit="step",
              bar_format="{desc:<44.44}" + steps + "[{elapsed}]") as shown:
        token = within.set(progress or within.get())
        over = threading.Event()

        def beat() -> None:
            while not over.wait(BEAT):
                shown.refresh()

        clock = threading.Thread(target=beat, daemon=True, name="softclust-clock")
        if progress:
            clock.start()
        try:
            yield shown
        finally:
            within.reset(token)
            over.set()
            if progress:
                clock.join()


# -- the steps of a report: each keeps what it found; one that fails leaves its message -----------
#: warnings that say nothing about the data
_FOR_PROGRAMMERS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ResourceWarning)
#: what the data can do to a step: unsuitable for it, degenerate, or too large
EXPECTED = (ValueError, ArithmeticError, MemoryError)


class Work:
    """Runs the steps of all sections in order.

    Attributes
    ----------
    objects : Objects
    plan : ReportPlan
    x : (n, p) float64
        The features as clustered.
    found : dict
        Fields of `Report`, filled as the work goes on; sections of one's own use ``found["more"]``.
    """

    def __init__(self, objects: Objects, plan: ReportPlan) -> None:
        self.objects, self.plan = objects, plan
        # Kernels are compiled for arrays that may be written.
        self.x = np.array(objects.x)
        single = plan.candidates[0] if len(plan.candidates) == 1 else None
        self.found: dict[str, Any] = {
            "n_clusters": single, "evidence": None, "choice": None, "criteria": {},
            "label_curve": {}, "fits": (), "stability": None, "against": {}, "at_classes": None,
            "ranking": None, "matrix": None, "circles": None, "pictures": {}, "more": {}}
        #: k-means by number of clusters, for the label and for the clusterings
        self._first: dict[int, fits.Fit] = {}

    def tasks(self) -> list[Task]:
        """All steps in the order of the work."""
        every = [task for one in sections(self.objects) for task in one.all_tasks(self)]
        return sorted(every, key=lambda task: task.turn)

    def run(self, progress: bool) -> tuple[Step, ...]:
        """Run all steps; Ctrl-C ends the work and keeps what is finished."""
        tasks = self.tasks()
        states = [Step(name=task.name, title=task.title) for task in tasks]
        with bar(progress, total=len(tasks)) as shown:
            for j, task in enumerate(tasks):
                shown.set_description_str(task.title)
                try:
                    # One thread of BLAS and OpenMP: more could change bits.
                    with process_filter("always") as caught, controller().limit(limits=1):
                        task.run()
                except KeyboardInterrupt:
                    states[j] = replace(states[j], state="interrupted")
                    break
                except EXPECTED as error:   # the rest of the report is worth having
                    known = isinstance(error, ValueError)
                    states[j] = replace(states[j], state="failed", message=(
                        f"{'' if known else type(error).__name__ + ': '}{error}"))
                else:
                    states[j] = replace(states[j], state="done", message="; ".join(dict.fromkeys(
                        str(w.message) for w in caught
                        if not issubclass(w.category, _FOR_PROGRAMMERS))))
                shown.update()
        return tuple(states)

    # -- what several sections ask for ----------------------------------------------------------
    def sample(self, size: int, stream: int) -> np.ndarray:
        """Rows drawn at random, in order; all when there are no more."""
        return self.plan.sample(self.objects.n_objects, size, stream)

    def independent(self, size: int, stream: int) -> np.ndarray:
        """Rows for tests, which take rows as independent: of `groups` one row each."""
        if self.objects.groups is None:
            return self.sample(size, stream)
        mixed = np.random.default_rng([self.plan.seed, stream]).permutation(len(self.x))
        firsts = np.unique(np.array(self.objects.groups)[mixed], return_index=True)[1]
        return np.sort(mixed[np.sort(firsts)[:size]])

    def components(self, rows: np.ndarray) -> np.ndarray:
        """Some objects as clustered; of many features, the first principal components."""
        x = self.x[rows]
        if x.shape[1] < FROM_COMPONENTS:
            return x
        from sklearn.decomposition import PCA
        pca = PCA(min(COMPONENTS, len(x) - 1), svd_solver="randomized", random_state=self.plan.seed)
        return np.asarray(pca.fit_transform(x))

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
        """The pictures of a section, of what was found so far."""
        from .drawing import as_svg
        report = Report(objects=self.objects, plan=self.plan, steps=(), versions={}, date="",
                        **self.found)
        for block in every(section.blocks(report)):
            if isinstance(block, Picture):
                self.found["pictures"][block.name] = as_svg(block)


# -- `report()`: read a table, cluster it in several ways, compare, explain -----------------------
_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pandas", "matplotlib")


def report(data: StrPath | FrameLike | ArrayLike, *, label: str | None = None,
           groups: str | None = None, compare: StrPath | FrameLike | ClusteringLike | None = None,
           cohort: StrPath | FrameLike | ArrayLike | None = None,
           n_clusters: int | Iterable[int] = DEFAULT_CLUSTERS,
           algorithms: Algorithm | Iterable[Algorithm] | None = None,
           columns: Collection[str] | None = None, drop: Collection[str] | None = None,
           auto: bool = False, id: str | bool | None = None,
           scale: Literal["standard", "none"] = "standard",
           missing_values: Literal["raise", "drop", "median"] = "raise",
           noise: Literal["cluster", "drop", "raise"] = "cluster", noise_label: Any = -1,
           missing: Literal["drop", "cluster", "raise"] = "drop", quick: bool = False,
           pictures: bool = True, sample_size: int | Literal["all"] | None = None, seed: int = 0,
           date: str | None = None, progress: bool = False) -> Report:
    """Cluster a table by several algorithms and report what they found, and how sure it is.

    Parameters
    ----------
    data : str, Path, DataFrame or array-like, shape (n, p)
        A CSV, .tsv or .parquet file, or the table itself; one row per object. Every column but the
        id, the label and those in `drop` is a feature and must be numeric, but for `auto`.
    label : str, optional
        Column of known groups, compared with the clusters found and never used to find them.
    groups : str, optional
        Column of what is sampled as a whole, such as the patient: confidence intervals and the
        ranking of the algorithms take whole groups as the sample, and tests one row of each, since
        rows that depend on each other make p-values too small; below 30 groups nothing is tested.
    compare : str, Path, DataFrame or clustering-like, optional
        Other clusters of the same objects, such as last week's: a column of labels, with ids if the
        data have some. The report says what changed, and whether seeds explain it.
    cohort : str, Path, DataFrame or array-like, optional
        Other objects with the same features. The report says whether the clusters are found again.
    n_clusters : int or iterable of int
        The number of clusters, or numbers to choose from by `compare_settings` of k-means. The
        default goes up to one more than the number of groups of the label, if there are 6 to 19.
    algorithms : str or sequence of str, optional
        Of "k-means" (always there), "mixture", "fuzzy", "rough", "evidential", "possibilistic".
        All by default.
    columns, drop : sequence of str, optional
        The features to use, or columns to leave out; one of the two.
    auto : bool
        Columns of text with at most 20 values become indicators, 0 or 1 for each value, and are
        not scaled; dates (2026-01-31) become days. Other text, constant columns, and rows with
        missing values (but for `missing_values`) are left out. The report lists all of this.
    id : str or bool, optional
        Column of ids. By default the first column of a file, or of a frame with the default index,
        when it looks like ids (``softclust compare --help`` has the rule), else the index of a
        frame; False when that does not hold ids.
    scale : {"standard", "none"}
        Features with mean 0 and standard deviation 1, or as they are.
    missing_values : {"raise", "drop", "median"}
        Missing values of features: an error, or the row is left out, or the median of the column
        stands for a number and a value of its own for a text.
    noise : {"cluster", "drop", "raise"}
        What objects with the noise label are, in the column `label`: one more group, left out of
        the comparisons with the label, or an error.
    noise_label : label or set of labels
        The group that is noise; it need not occur.
    missing : {"drop", "cluster", "raise"}
        The same for objects without a label. They are clustered like the others.
    quick : bool
        Fewer starts and replicates, smaller samples.
    pictures : bool
        Draw; needs matplotlib (``pip install "softclust[report]"``).
    sample_size : int or "all", optional
        Objects drawn at random, without replacement, for what looks at pairs of objects: the
        criteria for the number of clusters and the agreement of the clusterings among each other.
        By default at most 4000 for the criteria and 10,000 for the agreement (4000 above 6
        clusters; 1000 and 2000 with `quick`). "all" takes every object, in O(n^2) time.
    seed : int
        Of everything random: same data, options and versions give the same report.
    date : str, optional
        What the report says as its date; by default that of ``SOURCE_DATE_EPOCH``, or today.
    progress : bool
        Show a progress bar over the steps on stderr.

    Returns
    -------
    Report
        ``.to_html(path)``, ``.to_json(path)``, ``.summary()``, ``.to_frame()``.

    Raises
    ------
    ClusteringError
        If the table cannot be clustered: missing values, text among the features, constant
        columns, repeated ids, fewer distinct rows than clusters. Messages name rows, columns and
        remedies.
    ValueError
        If an option is out of range.
    ImportError
        If pictures are wanted and matplotlib is missing.

    Warns
    -----
    IncompleteWarning
        If Ctrl-C stopped the work; what is finished is in the report.

    See Also
    --------
    compare, compare_settings, cluster_number, rank_clusterings

    Notes
    -----
    An algorithm that fails leaves its message in the report. Everything is O(n) in the number of
    objects but for the number of clusters (on at most 1000 objects drawn at random, the criteria on
    4000), and the agreement of the clusterings among each other (on at most 10,000); the report
    says where a sample was used, and `sample_size` sets it. Scatter plots show at most 3000 objects
    drawn at random. On more than 1000 objects the criteria make fewer starts (10 instead of 50),
    refits (100, not 200) and reference sets (25, not 50). Above 100,000 objects algorithms start 3
    times at most, and k-means is refitted 50 to 100 times instead of 200. A million objects with 6
    features take some minutes and about 2 GB.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> found = softclust.report(iris.data, n_clusters=3, algorithms=["k-means", "rough"],
    ...                          quick=True, pictures=False)
    >>> found.n_clusters, [fit.key for fit in found.fits]
    (3, ['k-means', 'rough', 'bagged'])
    """
    columns, drop = (None if names is None else list(names) for names in (columns, drop))
    options = {"label": label, "columns": columns, "drop": drop, "id": id, "scale": scale,
               "missing_values": missing_values, "noise": noise, "noise_label": noise_label,
               "missing": missing, "auto": auto, "groups": groups, "compare": compare,
               "cohort": cohort}
    made = make_report(data, options=options, n_clusters=n_clusters, algorithms=algorithms,
                        quick=quick, pictures=pictures, seed=seed, date=date, progress=progress,
                        sample_size=sample_size)
    if not made.complete:
        warn(f"the report was interrupted during: {made.interrupted}; what is finished "
             "was kept", IncompleteWarning, stacklevel=2)
    return made


def make_report(data: Any, *, options: dict[str, Any], n_clusters: Any, algorithms: Any,
                quick: bool, pictures: bool, seed: int, date: str | None, progress: bool,
                command: str = "", sample_size: Any = None) -> Report:
    """`report` without its warning; `options` are those of `read_objects`."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise ValueError(f"seed is {shown(seed)}; a whole number from 0 to {2**32 - 1} is needed")
    keys = check_algorithms(algorithms)
    date_text = report_date(date)
    if pictures:
        from .. import plotting
        plotting.pyplot()   # a missing matplotlib is said before the work
    dashes = bool(options.get("dashes"))
    last, cohort = options.pop("compare", None), options.pop("cohort", None)
    with bar(progress, "reading the table"):
        objects = read_objects(data, **options)
        form = {name: options[name] for name in ("header", "separator", "decimal", "dashes")
                if name in options}
        if cohort is not None:
            other = {"label": None, "groups": None, "drop": None, "columns": objects.encoding.given,
                     "like": objects.encoding}
            objects = replace(objects, cohort=read_objects(cohort, **{**options, **other}))
        if last is not None:
            objects = replace(objects, last=read_last(last, objects, **form))
        n_groups, open_ended = len(objects.group_names), n_clusters is DEFAULT_CLUSTERS
        if open_ended and max(n_clusters) <= n_groups < LABEL_CLUSTERS:
            # The number of groups is tried, and is not the end.
            n_clusters = range(2, n_groups + 2)
        ks = check_numbers_of_clusters(n_clusters, objects.x, dashes)
    plan = make_plan(objects.n_objects, ks, open_ended=open_ended, algorithms=keys, seed=seed,
                     n_features=len(objects.columns), n_groups=objects.n_groups, quick=quick,
                     pictures=pictures,
                     sample_size=check_sample_size(sample_size, ks, dashes))
    work = Work(objects, plan)
    steps = work.run(progress)
    return Report(objects=objects, plan=work.plan, steps=steps, versions=dict(versions()),
                  date=date_text, command=command, **work.found)


def report_date(date: str | None) -> str:
    """The date that a report bears."""
    if date is not None:
        return str(date)
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is not None and not epoch.isdigit():
        raise ValueError(f"SOURCE_DATE_EPOCH={shown(epoch)}; seconds since 1970 are needed")
    return time.strftime("%Y-%m-%d", time.gmtime(None if epoch is None else int(epoch)))


@cache
def versions() -> dict[str, str]:
    """Versions of softclust, Python and the packages that the numbers rest on."""
    from .. import __version__
    return {"softclust": __version__, "Python": platform.python_version()} | {
        name: version for name in _PACKAGES if (version := version_of(name))}
