"""Ensembles as data frames and as tables to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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


def runs_frame(runs: Ensemble) -> pd.DataFrame:
    """See `Ensemble.to_frame`, of runs that label some of the objects."""
    import pandas as pd
    held = runs.present.sum(axis=1)
    return pd.DataFrame({"n_objects": held, "share": held / runs.n_objects,
                         "n_clusters": runs.n_clusters}, index=pd.Index(runs.names, name="run"))


def runs_summary(runs: Ensemble) -> SummaryTable:
    """See `Ensemble.summary`, of runs that label some of the objects."""
    rows = [[what, f"{values.min()}", f"{np.median(values):g}", f"{values.max()}"]
            for what, values in (("objects per run", runs.present.sum(axis=1)),
                                 ("clusters per run", np.array(runs.n_clusters)),
                                 ("runs per object", runs.counts))]
    never = int(np.count_nonzero(runs.counts == 0))
    return SummaryTable(rows, ["quantity", "least", "median", "most"], aligns="lrrr",
                        title=f"{runs.n_runs} runs of {runs.n_objects} objects",
                        notes=[f"{never} objects are in no run."] if never else [])
