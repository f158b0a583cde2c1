"""The record of `report()`: what was found, what was not, and how to write it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..results.records import Columns, Framed
from ..results.writing import json_text, whole_file
from .data import Objects
from .fits import Fit, Stability
from .plan import ReportPlan

if TYPE_CHECKING:
    from .._types import StrPath
    from ..comparison import Comparison
    from ..comparison.matrix import ComparisonMatrix
    from ..comparison.ranking import Ranking
    from ..comparison.scaling import IntervalMDS
    from ..selection import ClusterNumber, ClusterTest, SettingsComparison
    from ..tables.contingency_table import ContingencyTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the work.

    Attributes
    ----------
    name, title : str
        For machines and for people.
    state : str
        "done", "failed", "interrupted" or "not reached".
    message : str
        What went wrong, or the warnings of a step that is done; empty without.
    """

    name: str
    title: str
    state: str = "not reached"
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Against:
    """One clustering compared with the known groups.

    Attributes
    ----------
    labels : Comparison
        Of the hardened clustering: adjusted Rand index, transfer distance.
    soft : Comparison
        Of the clustering as it is: alpha-Rand index and intervals.
    """

    labels: Comparison
    soft: Comparison


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Report(Framed):
    """A report on the clusters in a table; made by `report`.

    Attributes
    ----------
    objects : Objects
        The data as clustered: `.x`, `.columns`, `.names`, `.label`.
    plan : ReportPlan
        Options, and the sizes of samples and resamples.
    n_clusters : int or None
        The number of clusters K; None when it was not chosen.
    evidence : ClusterTest or None
        Whether there are clusters at all; None if it was not computed.
    choice : SettingsComparison or None
        The numbers of clusters compared; None when K was given, or halves cannot be compared.
    criteria : mapping of str to ClusterNumber
        "silhouette", "gap", "entropy", for comparison; empty when K was given.
    label_curve : mapping of int to float
        Adjusted Rand index of k-means and the label for each number of clusters.
    fits : tuple of Fit
        One an algorithm, bagged k-means last; `.clustering` None and `.failure` where it failed.
    stability : Stability or None
    against : mapping of str to Against
        By key of the algorithm; empty without a label.
    at_classes : ContingencyTable or None
        The label against k-means with as many clusters as it has groups.
    ranking : Ranking or None
        Which algorithm is nearest to the label, by the adjusted Rand index.
    matrix : ComparisonMatrix or None
        All clusterings with each other.
    circles : IntervalMDS or None
    pictures : mapping of str to str
        SVG by name.
    steps : tuple of Step
        What was done, what failed, what was not reached.
    versions : mapping of str to str
    date : str
    command : str
        The command line that made it; empty in Python.
    more : mapping of str to Any
        What further sections found.

    Notes
    -----
    ``to_frame()``: one row per object, indexed by ids when there are some. A column of labels, from
    1, for each algorithm, "share" (of refits that agree) and the label when given (None where it is
    missing).

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> found = softclust.report(iris.data[::5], n_clusters=3, algorithms="k-means", quick=True,
    ...                          pictures=False)
    >>> found
    Report(30 objects, 3 clusters, 2 clusterings)
    """

    objects: Objects
    plan: ReportPlan
    n_clusters: int | None
    evidence: ClusterTest | None
    choice: SettingsComparison | None
    criteria: Mapping[str, ClusterNumber]
    label_curve: Mapping[int, float]
    fits: tuple[Fit, ...]
    stability: Stability | None
    against: Mapping[str, Against]
    at_classes: ContingencyTable | None
    ranking: Ranking | None
    matrix: ComparisonMatrix | None
    circles: IntervalMDS | None
    pictures: Mapping[str, str]
    steps: tuple[Step, ...]
    versions: Mapping[str, str]
    date: str
    command: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        state = "" if self.complete else ", incomplete"
        return (f"Report({self.objects.n_objects} objects, {self.n_clusters} clusters, "
                f"{len(self.done_fits)} clusterings{state})")

    def __str__(self) -> str:
        return self.summary()

    @property
    def complete(self) -> bool:
        """True if nothing was interrupted."""
        return all(step.state in ("done", "failed") for step in self.steps)

    @property
    def interrupted(self) -> str:
        """Title of the step that Ctrl-C stopped; empty when none was."""
        return next((s.title for s in self.steps if s.state == "interrupted"), "")

    @property
    def done_fits(self) -> tuple[Fit, ...]:
        """The fits that have a clustering."""
        return tuple(fit for fit in self.fits if fit.clustering is not None)

    def fit(self, key: str) -> Fit | None:
        """The fit called `key` when it has a clustering, else None."""
        return next((fit for fit in self.done_fits if fit.key == key), None)

    def summary(self) -> str:
        """The main findings as text, one sentence a line.

        Returns
        -------
        str
        """
        from .section import in_short
        return "\n".join(in_short(self))

    def _frame(self) -> Columns:
        columns: dict[str, Any] = {fit.key: fit.labels.labels + 1 for fit in self.done_fits
                                   if fit.labels is not None}
        if self.stability is not None:
            columns["share"] = self.stability.share
        label = self.objects.label
        if label is not None:
            names = label.cluster_names   # as they are, not as texts
            groups: list[Any] = [None] * self.objects.n_objects
            for i, k in zip(self.objects.labelled.tolist(), label.labels.tolist()):
                groups[i] = names[k]
            columns[self.objects.label_name] = groups
        ids = self.objects.names
        return Columns(columns, {None: range(self.objects.n_objects) if ids is None else ids})

    def to_data(self) -> dict[str, Any]:
        """All numbers as nested dicts and lists that JSON can hold.

        Returns
        -------
        dict
            ``"format"`` is "softclust-report", ``"version"`` the version of the schema (1): keys
            are added, never changed or removed, while it stays. Undefined numbers are None.
            Clusters are numbered from 1.

        Notes
        -----
        - settings: options, and sizes of samples and resamples.
        - steps: name, title, state ("done", "failed", "interrupted", "not reached"), message.
        - data: features with mean, standard_deviation, min, max; the label's groups; what was left
          out on request.
        - number_of_clusters: chosen; not_tested: why no test holds, or None; choice: excess with
          low and high by n_clusters, those possibly best, p_value; for each of the criteria value
          and mc_error by n_clusters, and its best.
        - clusterings: one an algorithm: kind, sizes, settings, warnings, failure.
        - separation: which clusters of k-means, and which groups of the label, are apart: sentence,
          and of each group cluster, objects, group, rival, p_value, adjusted, apart; None without.
        - label_agreement: one an algorithm: measures of the hardened labels and of the clustering
          as_it_is, each with low, high (equal for a number), limits, chance, range.
        - label_ranking: which algorithm is nearest to the label: lead of each over the best of the
          others with limits, and whether it may be the best; None without.
        - agreement: matrix low, high over names; circles with centers and radii.
        - stability: n_replicates, mean_share, share_by_cluster.
        - objects: clusters by algorithm and stable_share, a list entry an object; None for more
          than 100,000 objects.
        - text: the sentences, for people; their wording may change.

        Examples
        --------
        >>> import softclust
        >>> iris = softclust.datasets.load_iris()
        >>> found = softclust.report(iris.data[::5], n_clusters=3, algorithms="k-means", quick=True,
        ...                          pictures=False)
        >>> data = found.to_data()
        >>> data["version"], data["number_of_clusters"]["chosen"], data["complete"]
        (1, 3, True)
        """
        from .page import as_data
        return as_data(self)

    def to_json(self, path: StrPath) -> None:   # type: ignore[override]
        """Write `to_data` as JSON; an older file stays until the new one is whole.

        Parameters
        ----------
        path : str or Path
        """
        text = json_text(self.to_data())
        with whole_file(path) as file:
            file.write(text + "\n")

    def to_csv(self, path: StrPath) -> None:
        """Write the cluster of each object as CSV with the columns id and cluster.

        Clusters of k-means, numbered from 1 as in the report; an older file stays until the new one
        is whole.

        Parameters
        ----------
        path : str or Path

        Raises
        ------
        ValueError
            If k-means failed or was not reached.
        """
        fit = self.fit("k-means")
        if fit is None or fit.labels is None:
            raise ValueError("there are no clusters to write: k-means failed or was not reached")
        ids = self.objects.names
        rows = zip(range(1, self.objects.n_objects + 1) if ids is None else ids,
                   (fit.labels.labels + 1).tolist())
        with whole_file(path) as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(("id", "cluster"))
            writer.writerows(rows)

    def to_html(self, path: StrPath) -> None:
        """Write the report as one HTML file without references to other files.

        An older file stays until the new one is whole.

        Parameters
        ----------
        path : str or Path

        Raises
        ------
        ImportError
            If jinja2 is missing (``pip install "softclust[report]"``).
        """
        from .page import page
        text = page(self)
        with whole_file(path) as file:
            file.write(text)
