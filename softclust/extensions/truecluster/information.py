"""The cluster information criterion as a criterion of `cluster_number`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...selection.criteria import criterion

if TYPE_CHECKING:
    from ...selection.cells import CellValue


def _multiple_match(options: dict[str, Any]) -> Any:
    from .multiple_match_clustering import MultipleMatchClustering
    return MultipleMatchClustering(n_resamples=options["n_resamples"] or 1000, tol=None)


@criterion(
    needs="fit", direction="largest", title="cluster information criterion (bits)", short="CIC",
    looks_at="information less uncertainty of matched replicates",
    beware="is inferred from published values, since its article is not public; it is positive for "
    "k-means on data without clusters",
    clusterer=_multiple_match, clusterer_name="`MultipleMatchClustering`")
def cic(fitted: Any) -> CellValue:
    """Cluster information criterion of a multiple match cluster count; 0 for one cluster."""
    from ...selection.cells import CellValue
    if fitted is None:
        return CellValue(criterion=0.0, entropy=0.0)
    found = fitted.cic_
    return CellValue(criterion=float(found.criterion), entropy=float(found.uncertainty))
