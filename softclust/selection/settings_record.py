"""Settings of clusterers compared: what `compare_settings` found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from .._checks import ClusteringError
from ..clusterings import Ensemble
from ..results.records import POSITION, Columns, Drawn, Record, Tidied
from ..results.summary import SummaryTable, right
from .half_samples import ensemble_of_halves, of_one_cluster

#: values that differ by less are equal
SAME = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SettingsComparison(Drawn, Tidied, Record):
    """Settings of clusterers compared with each other and with one cluster; by `compare_settings`.

    There are S settings, n objects, G blocks, H = 2(G - 1) halves, B references, and B' of them
    whose halves were clustered.

    Attributes
    ----------
    names : tuple of str
    parameters : tuple of dict
    family : (S,) int64
        First setting of the grid whose cuts of data of one cluster it is compared with.
    labels : (S, n) int64
        Clusterings of all objects, noise -1.
    n_clusters, n_noise : (S,) int64
    found : (S, H) int64
        Numbers of clusters in the halves.
    stability : (S,) float64
        Mean adjusted Rand index of the clusterings of two halves, on the objects of both.
    one_cluster : (S,) float64
        The same of data of one cluster, cut into as many parts.
    excess : (S,) float64
        Stability less that of one cluster.
    standard_error, low, high : (S,) float64
        Of the excess; the intervals hold for all settings jointly.
    difference_se : (S, S) float64
    influence : (S, G) float64
        Influence of each block on the stability.
    generalisability : (S,) float64
        Mean adjusted Rand index of the labels of a half and those carried to it from the other.
    separation : (S,) float64
        Separation of the least separated pair of clusters, as in `cluster_test`.
    references : (B', S) float64
        Stability of the references.
    reference_separation : (B, S) float64
        The same of references cut into as many clusters; nan if no setting finds two.
    clusters_of_references : (S,) float64
        Mean number of clusters in halves of references.
    p_value : float or None
        Of all settings together, against one cluster, by the separation; None where there is none.
    p_values : (S,) float64
        Of each setting, jointly; nan if data of one cluster are not cut in two, and by the
        stability with noise.
    p_value_stability, p_values_stability
        The same by the stability.
    evidence : {"separation", "stability"}
        Which of both decides `best` and `separated`.
    critical : (S,) float64
        Quantiles that decide who may be best.
    critical_limits : float
        Quantile of `low` and `high`.
    possibly_best : tuple of int
        Settings that may have the largest excess.
    largest : int
        The one with the largest.
    best : int or None
        The same, if it found clusters and p is small enough.
    separated : int or None
        Of those that may be best the one with the largest excess in which every two clusters are
        separated.
    agreement : (S, S) float64
        Adjusted Rand index of the clusterings of all objects.
    plateaus : tuple of tuple of int
        Successive settings that give nearly the same clustering.
    blocks : (n,) int64
    noise, reference : str
    level, significance, same : float
    object_names : tuple or None
    half_labels : (S, H, n) int32
        Labels in the halves; -2 for objects that a half does not hold.
    notes : tuple of str
    missing : str
        Empty, or how far an interrupted comparison came.

    Notes
    -----
    ``to_frame()``: one row per setting. Columns setting, the parameters that vary, n_clusters,
    noise, found_low, found_high (10 and 90 % in halves), stability, one_cluster, excess, low, high,
    p_value, plateau, possibly_best, best, separated.

    Examples
    --------
    >>> import numpy as np
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> centres = 8 * np.array([[0, 0], [1, 0], [0, 1]])[np.arange(96) % 3]
    >>> x = np.random.default_rng(0).normal(size=(96, 2)) + centres
    >>> found = softclust.compare_settings(x, KMeans(), {"n_clusters": [2, 3, 4]}, n_blocks=12,
    ...                                    n_references=19, rng=0)
    >>> found.best_name
    'n_clusters=3'
    >>> found.runs("n_clusters=3")
    Ensemble(22 clusterings of 96 objects, 1056 absent labels)
    """

    _chart = "plot_settings"
    _tidy = "term=setting estimate=excess conf_low=low conf_high=high p_value=p_value"
    _glance = ("best_name", "p_value", "evidence", "level")

    names: Annotated[tuple[str, ...], "distinct"]
    parameters: tuple[Mapping[str, Any], ...]
    family: Annotated[np.ndarray, "i names <names"] = field(metadata=POSITION)
    labels: Annotated[np.ndarray, "i names n >=-1"] = field(metadata=POSITION)
    n_clusters: Annotated[np.ndarray, "i names >=0"]
    n_noise: Annotated[np.ndarray, "i names >=0"]
    found: Annotated[np.ndarray, "i names h >=0"]
    stability: Annotated[np.ndarray, "f names"]
    one_cluster: Annotated[np.ndarray, "f names"]
    excess: Annotated[np.ndarray, "f names"]
    standard_error: Annotated[np.ndarray, "f names"]
    low: Annotated[np.ndarray, "f names"]
    high: Annotated[np.ndarray, "f names"]
    difference_se: Annotated[np.ndarray, "f names names"]
    influence: Annotated[np.ndarray, "f names g"]
    generalisability: Annotated[np.ndarray, "f names"]
    separation: Annotated[np.ndarray, "f names"]
    references: Annotated[np.ndarray, "f _ names"]
    reference_separation: Annotated[np.ndarray, "f r names"]
    clusters_of_references: Annotated[np.ndarray, "f names"]
    p_value: float | None
    p_values: Annotated[np.ndarray, "f names"]
    p_value_stability: float | None
    p_values_stability: Annotated[np.ndarray, "f names"]
    evidence: str
    critical: Annotated[np.ndarray, "f names"]
    critical_limits: float
    possibly_best: tuple[int, ...] = field(metadata=POSITION)
    largest: Annotated[int, "<names"] = field(metadata=POSITION)
    best: int | None = field(metadata=POSITION)
    separated: int | None = field(metadata=POSITION)
    agreement: Annotated[np.ndarray, "f names names"]
    plateaus: tuple[tuple[int, ...], ...] = field(metadata=POSITION)
    blocks: Annotated[np.ndarray, "i n >=0"]
    noise: str
    reference: str
    level: float
    significance: float
    same: float
    half_labels: Annotated[np.ndarray, "i names h n >=-2"] = field(repr=False)
    object_names: tuple[Any, ...] | None = None
    notes: tuple[str, ...] = ()
    missing: str = ""

    def _check(self) -> None:
        if sorted(i for plateau in self.plateaus for i in plateau) != [*range(len(self.names))]:
            raise ClusteringError("a stored comparison has settings in no plateau, or in several")

    def __len__(self) -> int:
        return len(self.names)

    @property
    def best_name(self) -> str | None:
        """Name of the best guess, or None."""
        return None if self.best is None else self.names[self.best]

    @property
    def order(self) -> tuple[int, ...]:
        """Settings by falling excess."""
        return tuple(np.argsort(-self.excess, kind="stable").tolist())

    @property
    def p(self) -> tuple[float | None, np.ndarray]:
        """The p-value that decides, and those of the settings."""
        if self.evidence == "separation":
            return self.p_value, self.p_values
        return self.p_value_stability, self.p_values_stability

    @property
    def one_cluster_sets(self) -> np.ndarray:
        """Stability of each reference, cut into as many parts as the halves, (B', S)."""
        return of_one_cluster(self.family, self.found.mean(axis=1), self.clusters_of_references,
                              self.references)

    def runs(self, name: str) -> Ensemble:
        """The clusterings of the halves in one setting, for `coassociation` and others.

        Parameters
        ----------
        name : str

        Returns
        -------
        Ensemble
        """
        if name not in self.names:
            raise ValueError(f"no setting is called {name!r}; the names are "
                             + ", ".join(map(repr, self.names)))
        return ensemble_of_halves(self.half_labels[self.names.index(name)], self.noise,
                                  self.object_names)

    @property
    def answer(self) -> str:
        """The result in a few sentences."""
        p, p_values = self.p
        if p is not None and p > self.significance + SAME:
            flat = {"uniform": "flat data", "gaussian": "Gaussian data"}.get(
                self.reference, "the reference data")
            how = "divided as clearly" if self.evidence == "separation" else "as stable"
            which = "tested setting" if np.isnan(p_values).any() else "setting"
            return (f"No {which} is better than one cluster (p = {p:.3f}): {flat} of the same "
                    f"spread are {how}. Small, curved or overlapping clusters may have been "
                    "missed.")
        e, best, separated = self.largest, self.best, self.separated
        text = self._possible
        if self.n_clusters[e] < 2:
            text += (f'; "{self.names[e]}" has the largest excess but found one cluster: no best '
                     "guess")
        else:
            text += (f"; {self.names[e]} is the most reproducible beyond one cluster, with an "
                     f"excess of {self.excess[e]:.2f} ({self.low[e]:.2f} to {self.high[e]:.2f})")
            if p is None:   # groups, or a run that was stopped early: the notes say which
                text += ", without a p-value"
            else:
                text += f", p = {p:.3f}"
                if separated is None:
                    text += "; in none of those that may be best is every two clusters separated"
                elif best is not None and separated != best:
                    text += (f"; every two clusters are separated in {self.names[separated]} "
                             f"(p = {p_values[separated]:.3f}), not in {self.names[best]}")
        for plateau in self.plateaus:
            if len(plateau) > 1 and set(plateau) & set(self.possibly_best):
                text += (f"; {self.names[plateau[0]]} to "
                         f"{self.names[plateau[-1]].rpartition('=')[2]} are the same clustering")
        return f"{text}."

    @property
    def _possible(self) -> str:
        """Who may be best: equal clusterings count once."""
        names: list[str] = []
        for i in self.possibly_best:
            head, _, value = self.names[i].rpartition("=")
            same = bool(head) and bool(names) and self.names[self.possibly_best[len(names) - 1]
                                                             ].rpartition("=")[0] == head
            names.append(value if same else self.names[i])
        count = len({next(k for k, plateau in enumerate(self.plateaus) if i in plateau)
                     for i in self.possibly_best})
        return f"{count} of {len(self)} settings may be best: {', '.join(names)}"

    def __repr__(self) -> str:
        return (f"SettingsComparison({len(self)} settings, {len(self.possibly_best)} possibly "
                f"best, best={self.best_name!r})")

    def _found(self, share: float) -> np.ndarray:
        return np.quantile(self.found, share, axis=1)

    def _plateau(self) -> list[int]:
        """Place of the plateau of each setting."""
        return [next(k for k, plateau in enumerate(self.plateaus) if i in plateau)
                for i in range(len(self))]

    def _frame(self) -> Columns:
        keys = dict.fromkeys(key for each in self.parameters for key in each)
        varied = {key: [each.get(key) for each in self.parameters] for key in keys
                  if len({repr(each.get(key)) for each in self.parameters}) > 1}
        places = range(len(self))
        return Columns({
            "setting": self.names, **varied, "n_clusters_found" if "n_clusters" in varied else
            "n_clusters": self.n_clusters, "noise": self.n_noise, "found_low": self._found(0.1),
            "found_high": self._found(0.9), "stability": self.stability,
            "one_cluster": self.one_cluster, "excess": self.excess, "low": self.low,
            "high": self.high, "p_value": self.p[1], "plateau": self._plateau(),
            "possibly_best": [i in self.possibly_best for i in places],
            "best": [i == self.best for i in places],
            "separated": [i == self.separated for i in places]})

    def _table(self) -> SummaryTable:
        marks = [" *" if i == self.best else " +" if i in self.possibly_best else ""
                 for i in range(len(self))]
        columns: dict[str, Any] = {
            "setting": [f"{name}{mark}" for name, mark in zip(self.names, marks)],
            "clusters": right(map(str, self.n_clusters.tolist()))}
        if self.n_noise.any():
            columns["noise"] = right(map(str, self.n_noise.tolist()))
        columns |= {
            "in halves": right(f"{v:g}" for v in np.median(self.found, axis=1)),
            "stability": right(self.stability, ".3f"),
            "one cluster": right(self.one_cluster, ".3f"), "excess": right(self.excess, ".3f"),
            f"{100 * self.level:g} %": right(f"{a:.2f} to {b:.2f}"
                                             for a, b in zip(self.low, self.high))}
        if self.p[0] is not None:
            columns["p"] = right("" if np.isnan(v) else f"{v:.3f}" for v in self.p[1])
        if any(len(plateau) > 1 for plateau in self.plateaus):
            columns["same as"] = [self.names[self.plateaus[k][0]] if i != self.plateaus[k][0]
                                  else "" for i, k in enumerate(self._plateau())]
        more = "more separated" if self.evidence == "separation" else "more stable"
        about = ["* the best guess; + may be best, too. stability: adjusted Rand index of halves "
                 "of the data; one cluster: the same for data of one cluster, cut into as many "
                 "parts."]
        if self.p[0] is not None:
            about[0] += (f" p: {more} than these ({self.reference}, "
                         f"{len(self.reference_separation)} sets), all settings together.")
        title = f"{self._possible} ({100 * self.level:g} %)"
        if self.best is not None:
            title += f"; {self.best_name} is the best guess"
        elif self.p[0] is not None and self.p[0] > self.significance + SAME:
            title = self.answer.partition(":")[0]
        return SummaryTable.of(columns, title=title, notes=[
            *([f"{self.missing[0].upper()}{self.missing[1:]}."] if self.missing else []),
            self.answer, *about, *(f"Note: {note}." for note in self.notes)])
