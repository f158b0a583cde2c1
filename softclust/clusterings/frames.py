"""Ensembles as data frames and as tables to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._summary import SummaryTable

if TYPE_CHECKING:
    import pandas as pd

    from .ensemble import Ensemble


def ensemble_frame(ensemble: Ensemble) -> pd.DataFrame:
    """See `Ensemble.to_frame`."""
    import pandas as pd
    rows = []
    for x in ensemble:
        single, larger, empty = x.certainty()
        rows.append({"kind": x.kind, "n_clusters": x.n_clusters, "certain": single,
                     "undecided": larger, "empty": empty})
    return pd.DataFrame(rows, index=pd.Index(ensemble.names, name="name"))


def ensemble_summary(ensemble: Ensemble) -> SummaryTable:
    """See `Ensemble.summary`."""
    from .._text import number
    data = [[name, x.kind, str(x.n_clusters), *map(number, x.certainty())]
            for name, x in zip(ensemble.names, ensemble)]
    return SummaryTable(
        data, ["name", "kind", "clusters", "certain", "undecided", "empty"],
        title=f"{len(ensemble)} clusterings of {ensemble.n_objects} objects", aligns="llrrrr",
        notes=["Mean masses on single clusters, on larger sets, and on the empty set; a cover has "
               "none."])
