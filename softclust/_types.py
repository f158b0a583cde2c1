"""Types of public arguments, for editors and mypy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, Union

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .clusterings import Clustering, HardClustering
    from .ensembles.prior import GaussianMixturePrior
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


class Classifier(Protocol):
    """A classifier of scikit-learn's kind."""

    def fit(self, X: Any, y: Any, /) -> Any:
        """Fit to the objects in the rows of X and their classes."""

    def predict(self, X: Any, /) -> Any:
        """Classes of other objects."""


class Estimator(Protocol):
    """An estimator to be fitted."""

    def fit(self, X: Any, /) -> Any:
        """Fit to the objects in the rows of X."""


class Distribution(Protocol):
    """A frozen distribution of `scipy.stats`."""

    def rvs(self, *, size: Any, random_state: Any) -> Any:
        """Draw random points."""


class HasArray(Protocol):
    """An array or a frame."""

    def __array__(self) -> np.ndarray[Any, Any]:
        """Return the entries."""


class Sparse(Protocol):
    """A sparse matrix or array of SciPy."""

    def tocsr(self) -> Any:
        """Return the entries by rows."""


class HasColumns(Protocol):
    """A data frame."""

    @property
    def columns(self) -> Any:
        """Names of the columns."""


class HasSchema(Protocol):
    """A dataset or reader of pyarrow."""

    @property
    def schema(self) -> Any:
        """Names and types of the columns."""


#: lists of rows too that mix whole numbers and others, which mypy takes for lists of object
ArrayLike: TypeAlias = npt.ArrayLike | Sequence[Any]
#: numbers in rows; no text, unlike ArrayLike, so that the name of an option is not one
Matrix: TypeAlias = HasArray | Sequence[Sequence[float]]
#: what `as_clustering` takes: a clustering, labels, memberships, a mapping from objects to
#: labels, sets of objects, a fitted estimator
ClusteringLike: TypeAlias = Union["Clustering", HasArray, Sparse, Sequence[Any], Mapping[Any, Any],
                                  FittedClusterer, FittedClustering]
#: a table of any library, in memory or in an engine
FrameLike: TypeAlias = HasColumns | HasSchema
#: the first argument of a measure: also a table, sums or a joint statistic in place of x and y;
#: a frame, whose columns are named by other arguments
SourceLike: TypeAlias = Union[ClusteringLike, "Source", FrameLike]
#: several clusterings of the same objects
EnsembleLike: TypeAlias = Iterable[Any] | ArrayLike
#: a first clustering, perhaps with its centres
Base: TypeAlias = Union[ArrayLike, "HardClustering", tuple[ArrayLike, ArrayLike]]
#: measures by name or function
MeasuresLike: TypeAlias = str | Callable[..., Any] | Iterable[str | Callable[..., Any]]
Workers: TypeAlias = Executor | Literal["joblib"]
StrPath: TypeAlias = str | PathLike[str]
#: a distribution of points: a mixture, one of scipy, a function (size, generator)
Prior: TypeAlias = Union["GaussianMixturePrior", Distribution,
                             Callable[[int, np.random.Generator], Any]]
RNG: TypeAlias = (int | Sequence[int] | np.random.Generator | np.random.RandomState
                  | np.random.SeedSequence | np.random.BitGenerator | None)

Kind: TypeAlias = Literal["hard", "rough", "fuzzy", "possibilistic", "evidential", "cover"]
#: rules that keep every object
NoiseKept: TypeAlias = Literal["cluster", "singletons", "unknown", "empty", "uncovered", "raise"]
MissingKept: TypeAlias = Literal["raise", "cluster", "singletons", "unknown", "uncovered"]
Noise: TypeAlias = NoiseKept | Literal["drop"]
Missing: TypeAlias = MissingKept | Literal["drop"]
#: one rule, or one per side
NoiseRules: TypeAlias = Noise | Sequence[Noise | None] | None
MissingRules: TypeAlias = Missing | Sequence[Missing]
Objects: TypeAlias = Literal["same", "common", "all"]
Limits: TypeAlias = Literal["bootstrap", "jackknife"]
NullMethod: TypeAlias = Literal["auto", "tables", "exact", "moments", "permutations"]
NullModel: TypeAlias = Literal["permutation", "number", "all"]
Alternative: TypeAlias = Literal["alike", "unlike", "two-sided"]
SimulatedRule: TypeAlias = Literal["trace", "truematch", "truematch_heuristic"]
MatchingRule: TypeAlias = Literal[SimulatedRule, "trace_heuristic"]
Margins: TypeAlias = Literal["remaining", "all"]
ConsensusMethod: TypeAlias = Literal["SE", "HE", "SM", "HM", "GV1", "DWH", "GV3",
                                     "soft/symdiff", "hard/symdiff", "coassociation"]
PclustMethod: TypeAlias = Literal["SE", "HE", "SM", "HM", "GV1", "GV3", "soft/symdiff",
                                  "hard/symdiff"]
RunScheme: TypeAlias = Literal["subsample", "bootstrap", "jitter", "noise", "rerun", "thin"]
#: also a measure: its function, since any text would hide a misspelling
MetricLoss: TypeAlias = Literal["vi", "binder", "nvi", "nid", "id"] | Callable[..., Any]
Loss: TypeAlias = MetricLoss | Literal["omari"]
Side: TypeAlias = Literal["x", "y"]
FrameLibrary: TypeAlias = Literal["pandas", "polars", "pyarrow", "modin", "cudf"]
Average: TypeAlias = Literal["arithmetic", "max", "min", "geometric"]
AverageOrJoint: TypeAlias = Average | Literal["joint"]
FScorePart: TypeAlias = Literal["f1", "precision", "recall"]
PairRelation: TypeAlias = Literal["product", "cosine", "t_norm"]
TNorm: TypeAlias = Literal["minimum", "product", "lukasiewicz", "drastic"]
TConorm: TypeAlias = Literal["maximum", "bounded_sum", "probabilistic_sum", "drastic_sum"]
PairMethod: TypeAlias = Literal["auto", "contingency", "logical", "binary", "rows", "pairs"]
MembershipDistance: TypeAlias = Literal["total_variation", "maximum", "euclidean", "cosine",
                                        "manhattan", "euclidean_cube"]
TransportMethod: TypeAlias = Literal["auto", "exact", "certified", "montecarlo", "sample",
                                     "enumerate"]
EmptyMass: TypeAlias = Literal["error", "dempster", "yager"]
Covariance: TypeAlias = Literal["full", "pooled", "diagonal", "ridge"]
Votes: TypeAlias = Literal["draws", "once", "all"]
CentersRule: TypeAlias = Literal["k-means", "k-means++", "random", "var-part", "pca-part"]
Linkage: TypeAlias = Literal["single", "complete", "average", "ward", "centroid", "median",
                             "weighted"]
Ties: TypeAlias = Literal["block", "order"]
SqlDialect: TypeAlias = Literal["duckdb", "postgres", "snowflake", "sqlite", "spark", "mysql",
                                "bigquery"]
FuzzinessMethod: TypeAlias = Literal["partition_coefficient", "partition_entropy"]
Algorithm: TypeAlias = Literal["k-means", "mixture", "fuzzy", "rough", "evidential",
                               "possibilistic"]
