"""Clusterings as data frames and as tables to read."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks import ClusteringError
from ._base import Clustering, method
from .belief import belief, empty_mass, plausibility
from .cover import MAX_BYTES, CoverClustering
from .evidential import EvidentialClustering
from .fuzzy import FuzzyClustering
from .hard import HardClustering
from .possibilistic import PossibilisticClustering
from .rough import RoughClustering
from .set_names import set_names

if TYPE_CHECKING:
    import pandas as pd
    from statsmodels.iolib.table import SimpleTable

    from .ensemble import Ensemble

#: a summary lists the sizes of so many clusters, the rest in one line
MAX_SIZES = 12


@method
def to_frame(x: Clustering) -> pd.DataFrame:
    """See `Clustering.to_frame`."""
    import pandas as pd
    index = None if x.object_names is None else _index(x.object_names)
    if isinstance(x, HardClustering):
        column = pd.Categorical.from_codes(x.labels, _index(x.cluster_names))
        return pd.DataFrame({"cluster": column}, index=index)
    if isinstance(x, EvidentialClustering):
        columns = pd.Index(set_names(x.cluster_names, x.focal_sets), name="focal set")
        return pd.DataFrame(np.array(x.mass), index=index, columns=columns)
    columns = _index(x.cluster_names, name="cluster")
    if isinstance(x, RoughClustering):
        values = x.upper
    elif isinstance(x, CoverClustering):
        if x.n_objects * x.n_clusters > MAX_BYTES:
            raise ClusteringError(f"a frame of {x.n_objects} objects by {x.n_clusters} clusters "
                                  f"takes more than {MAX_BYTES / 2**30:.3g} GiB; .membership is "
                                  "sparse, .clusters lists the objects of each cluster")
        values = x.membership.toarray()
    elif isinstance(x, PossibilisticClustering):
        values = x.typicality
    else:
        assert isinstance(x, FuzzyClustering)
        values = x.membership
    return pd.DataFrame(np.array(values), index=index, columns=columns)


def _index(names: tuple[Any, ...], name: str | None = None) -> pd.Index:
    import pandas as pd
    # Tuples stay single names instead of becoming levels.
    return pd.Index(list(names), name=name, tupleize_cols=False)


def certainty(x: Clustering) -> tuple[float, float, float]:
    """Mean masses on single clusters, on larger sets, and on the empty set; they sum to 1.

    nan for a cover, which has none.
    """
    if isinstance(x, CoverClustering):
        return math.nan, math.nan, math.nan
    if isinstance(x, (HardClustering, FuzzyClustering)):
        return 1.0, 0.0, 0.0
    single = float(belief(x).sum()) / x.n_objects
    empty = float(empty_mass(x).mean())
    return single, max(1.0 - single - empty, 0.0), empty


@method
def summary(x: Clustering) -> SimpleTable:
    """See `Clustering.summary`."""
    from .._summary import NotedTable
    from .._text import number
    rows = [["objects", str(x.n_objects)], ["clusters", str(x.n_clusters)]]
    notes = []
    if isinstance(x, EvidentialClustering):
        rows.append(["focal sets", str(x.focal_sets.shape[0])])
    if isinstance(x, CoverClustering):
        many = x.multiplicity
        rows += [["objects in no cluster", str(int((many == 0).sum()))],
                 ["objects in several clusters", str(int((many > 1).sum()))],
                 ["mean number of clusters of an object", number(float(many.mean()))]]
    elif not isinstance(x, HardClustering):
        single, larger, empty = certainty(x)
        rows += [["mass on single clusters", number(single)],
                 ["mass on larger sets", number(larger)],
                 ["mass on the empty set", number(empty)]]
        notes.append("Masses are means over the objects.")
        if not isinstance(x, FuzzyClustering):
            notes.append("Sizes: sum of beliefs to sum of plausibilities.")
    sizes = _sizes(x)
    shown = sizes if len(sizes) <= MAX_SIZES else sizes[:MAX_SIZES - 1]
    rows += [[f"size of cluster {name}", text] for name, text in zip(x.cluster_names, shown)]
    if len(shown) < len(sizes):
        rows.append(["...", f"{len(sizes) - len(shown)} more clusters"])
    return NotedTable(rows, ["quantity", "value"], aligns="lr", notes=notes,
                      title=f"{x.kind.capitalize()} clustering")


def _sizes(x: Clustering) -> list[str]:
    """Sizes as texts: counts, sums of memberships, or belief to plausibility."""
    if isinstance(x, (HardClustering, CoverClustering)):
        return [str(int(v)) for v in x.sizes]
    low, high = belief(x).sum(axis=0), plausibility(x).sum(axis=0)
    if isinstance(x, RoughClustering):
        return [f"{int(a)}" if a == b else f"{int(a)} to {int(b)}" for a, b in zip(low, high)]
    if isinstance(x, FuzzyClustering):
        return [f"{a:.2f}" for a in low]
    return [f"{a:.2f} to {b:.2f}" for a, b in zip(low, high)]


def ensemble_frame(ensemble: Ensemble) -> pd.DataFrame:
    """See `Ensemble.to_frame`."""
    import pandas as pd
    rows = []
    for x in ensemble:
        single, larger, empty = certainty(x)
        rows.append({"kind": x.kind, "n_clusters": x.n_clusters, "certain": single,
                     "undecided": larger, "empty": empty})
    return pd.DataFrame(rows, index=pd.Index(ensemble.names, name="name"))


def ensemble_summary(ensemble: Ensemble) -> SimpleTable:
    """See `Ensemble.summary`."""
    from .._summary import NotedTable
    from .._text import number
    data = [[name, x.kind, str(x.n_clusters), *map(number, certainty(x))]
            for name, x in zip(ensemble.names, ensemble)]
    return NotedTable(
        data, ["name", "kind", "clusters", "certain", "undecided", "empty"],
        title=f"{len(ensemble)} clusterings of {ensemble.n_objects} objects", aligns="llrrrr",
        notes=["Mean masses on single clusters, on larger sets, and on the empty set; a cover has "
               "none."])
