"""Types of public arguments: what editors show and mypy checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

    from .clusterings import Clustering
    from .measures.statistic import Source


class FittedClusterer(Protocol):
    """A fitted estimator with labels."""

    @property
    def labels_(self) -> Any:
        """One label per object."""


class FittedClustering(Protocol):
    """A fitted estimator with a clustering."""

    @property
    def clustering_(self) -> Clustering:
        """Clustering of the objects it was fitted to."""


ArrayLike: TypeAlias = npt.ArrayLike
#: what `as_clustering` takes: a clustering, labels, memberships, a mapping from objects to
#: labels, sets of objects, a fitted estimator
ClusteringLike: TypeAlias = Union["Clustering", npt.ArrayLike, Sequence[Any], Mapping[Any, Any],
                                  FittedClusterer, FittedClustering]
#: the first argument of a measure: also a table, sums or a joint statistic in place of x and y;
#: a frame, whose columns are named by other arguments
SourceLike: TypeAlias = Union[ClusteringLike, "Source", "IntoFrame"]
#: several clusterings of the same objects
EnsembleLike: TypeAlias = Iterable[Any] | npt.ArrayLike
RNG: TypeAlias = (int | Sequence[int] | np.random.Generator | np.random.RandomState
                  | np.random.SeedSequence | np.random.BitGenerator | None)

Kind: TypeAlias = Literal["hard", "rough", "fuzzy", "possibilistic", "evidential", "cover"]
Noise: TypeAlias = Literal["cluster", "singletons", "drop", "unknown", "empty", "uncovered",
                           "raise"]
Missing: TypeAlias = Literal["raise", "cluster", "singletons", "drop", "unknown", "uncovered"]
#: one rule, or one per side
NoiseRules: TypeAlias = Noise | Sequence[Noise]
MissingRules: TypeAlias = Missing | Sequence[Missing]
Objects: TypeAlias = Literal["same", "common", "all"]
Limits: TypeAlias = Literal["bootstrap", "jackknife"]
NullMethod: TypeAlias = Literal["auto", "tables", "exact", "moments", "permutations"]
NullModel: TypeAlias = Literal["permutation", "number", "all"]
Alternative: TypeAlias = Literal["alike", "unlike", "two-sided"]
MatchingRule: TypeAlias = Literal["trace", "truematch", "truematch_heuristic"]
Margins: TypeAlias = Literal["remaining", "all"]
ConsensusMethod: TypeAlias = Literal["SE", "HE", "SM", "HM", "GV1", "DWH"]
Criterion: TypeAlias = Literal["entropy", "pairwise_entropy", "cic", "silhouette", "gap", "pac",
                               "instability", "jaccard"]
RunScheme: TypeAlias = Literal["subsample", "bootstrap", "jitter", "noise"]
Loss: TypeAlias = Literal["vi", "binder", "nvi", "nid", "id", "omari"]
