"""Bagged clustering after Dudoit and Fridlyand: BagClust1 and its variants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice
from ._bagged import Bagged
from ._draws import BAYESIAN, EFRON, SUBSAMPLE, Ready, Scheme
from .schemes import BootstrapDraws, sample_size

if TYPE_CHECKING:
    from .._types import RNG, MatchingRule

_SCHEMES = {"bootstrap": EFRON, "bayesian": BAYESIAN, "subsample": SUBSAMPLE}


class BaggedClustering(Bagged):
    """Fuzzy clustering by votes of a clusterer over resamples (BagClust1).

    Each resample is clustered, its clusters are renamed for the largest overlap with the base
    clustering of all objects, and its objects vote for the clusters they are in.

    Parameters
    ----------
    n_clusters : int, optional
        Clusters K; set in `estimator`, too, unless that has another number of its own. Default:
        its own number, 2 for k-means.
    estimator : clusterer, optional
        Any scikit-learn clusterer in place of the compiled k-means; copies of it are fitted.
        scikit-learn's `KMeans` runs on the compiled k-means, too, two to fifty times as fast,
        unless `keep_estimators` asks for its fits or it has starts or a tolerance of its own:
        `engine` and the repr say what runs. Its ``n_init`` and ``max_iter`` hold;
        ``n_init="auto"`` is ten starts by plain k-means++, where scikit-learn takes one greedy
        start.
    n_resamples : int
        Replicates B in all.
    votes : {"once", "draws", "all"}
        "once": each object that a replicate drew gets one vote, and the overlap counts draws
        (Dudoit and Fridlyand). "draws": one vote for each time it was drawn. "all": every object
        gets a vote, by nearest centre, ``predict`` or (in fractions) ``assign``, and the overlap
        is over all objects (R ``clue::cl_bag``).
    matching : {"trace", "truematch", "truematch_heuristic"}
        How clusters are renamed, see `match_clusters`; ties by chance.
    scheme : {"bootstrap", "bayesian", "subsample"}
        Efron's n draws with replacement; Rubin's weights of all objects; some objects without
        replacement.
    sample_size : int or float
        Objects of a subsample, or their share.
    init : {"k-means++", "random", "warm"}
        Starts of a replicate's k-means; "warm" is the base centres.
    n_init : int
        Number of starts, the best is kept.
    max_iter : int
        Most passes of k-means.
    never_selected : {"nan", "base"}
        Membership of objects without votes: nan with a warning, or 1 for the label of the base
        clustering.
    ties : {"base", "random"}
        Label among equally many votes: that of the base clustering if it is one of them, else
        the lowest; or by chance.
    noise : {"raise", "drop"}
        Objects that a clusterer such as HDBSCAN labels -1. "raise": an error. "drop": the noise of
        a replicate casts no vote and enters no centre, and shares are of the votes cast
        (`n_votes_`); an object that is always noise has none. Copies of an object are neighbours,
        so a bootstrap finds less noise than ``scheme="subsample"``.
    keep_estimators : bool
        Keep the fits of a given clusterer, which `predict` and `score` need.
    warm_start : bool
        Add replicates to the fit that is there until `n_resamples` are done: the same bits as in
        one go. After Ctrl-C it goes on from the finished ones.
    executor : concurrent.futures.Executor, optional
        Where replicates run: threads, processes, or dask's ``client.get_executor()``. Results do
        not depend on it, to the last bit.
    progress : bool or callable
        True shows a bar; a function is called with (done, total).
    random_state : None, int, SeedSequence, Generator or RandomState

    Attributes
    ----------
    membership_ : (n, K) float64
        Shares of votes; nan for an object without votes.
    labels_ : (n,) int64
        Cluster with most votes; for an object without votes that of the base clustering, -1 for
        its noise.
    clustering_ : FuzzyClustering
        `membership_` as a clustering.
    entropy_ : (n,) float64
        Entropy of each object's membership in bits; `mean_entropy_` their mean.
    pairwise_entropy_ : PairwiseEntropy
    votes_ : (n, K) int64, or float64 for soft votes
        Columns beyond the base clusters stand for clusters of replicates that were left over.
    n_selected_ : (n,) int64
        Number of votes that each object should have cast.
    n_votes_ : (n,) int64
        Votes of each object: fewer than `n_selected_` where it was noise.
    n_resamples_ : int
        Replicates that count.
    failures_ : list of ReplicateFailure
        Replicates that failed, with the reason.
    n_overlap_ties_ : int
        Replicates with several equally good matchings.
    n_degenerate_ : int
        k-means replicates with fewer distinct points than clusters.
    base_labels_, base_centers_ : (n,), (K, d)
        The clustering of all objects; label -1 for its noise.
    n_iter_ : int
        Passes of the base k-means; 1 for a ready base clustering or a clusterer's.
    cluster_centers_ : (B, K, d) float64
        Centres of the k-means replicates, in the order of the base clusters.
    estimators_ : list
        Kept fits.
    warnings_ : list of str
        What softclust's clusterers warned of in replicates.
    engine : str
        What runs the replicates: "compiled k-means", or "SpectralClustering.fit".

    Warns
    -----
    ResamplingWarning
        From `fit`: if objects were never selected or always noise, or clusterers warned.
    FailedReplicatesWarning
        From `fit`: if replicates failed.
    ConvergenceWarning
        From `fit`: if k-means stopped early.

    See Also
    --------
    BayesianBaggedClustering, MultipleMatchClustering, consensus

    Notes
    -----
    Replicate b depends on `random_state` and b alone: child b draws, in this order, its objects
    or weights, n_init times K numbers for seeding (one seed for a clusterer), one for the
    overlap. Up to 12 clusters equally good matchings are equally likely.

    Time O(B n K) a pass of k-means; memory of X, the votes and the centres. R: ``clue::cl_bag``
    with ``votes="all"``, the same resamples and starts.

    Theory: docs/theory/bagging.md.

    References
    ----------
    S. Dudoit, J. Fridlyand, "Bagging to improve the accuracy of a clustering procedure",
    Bioinformatics 19 (2003) 1090-1099.

    Examples
    --------
    >>> import softclust
    >>> x = [[0.0], [0.2], [0.1], [4.0], [4.1], [2.2]]
    >>> fit = softclust.BaggedClustering(n_clusters=2, n_resamples=500, random_state=1).fit(x)
    >>> bool(fit.labels_[0] != fit.labels_[3])
    True
    >>> bool(fit.entropy_.argmax() == 5)
    True

    Noise casts no vote:

    >>> from sklearn.cluster import DBSCAN
    >>> fit = softclust.BaggedClustering(estimator=DBSCAN(eps=1, min_samples=2), noise="drop",
    ...                                  n_resamples=50, random_state=1).fit(x[:5])
    >>> bool((fit.n_votes_ < fit.n_selected_).any())
    True
    """

    def __init__(self, n_clusters: int | None = None, *, estimator: Any = None,
                 n_resamples: int = 200, votes: Literal["draws", "once", "all"] = "once",
                 matching: MatchingRule = "trace",
                 scheme: Literal["bootstrap", "bayesian", "subsample"] = "bootstrap",
                 sample_size: int | float = 0.5, init: str = "k-means++", n_init: int = 10,
                 max_iter: int = 300, never_selected: Literal["nan", "base"] = "nan",
                 ties: Literal["base", "random"] = "base",
                 noise: Literal["raise", "drop"] = "raise", keep_estimators: bool = False,
                 warm_start: bool = False, executor: Any = None, progress: Any = False,
                 random_state: RNG = None) -> None:
        self.n_clusters = n_clusters
        self.estimator = estimator
        self.n_resamples = n_resamples
        self.votes = votes
        self.matching = matching
        self.scheme = scheme
        self.sample_size = sample_size
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.never_selected = never_selected
        self.ties = ties
        self.noise = noise
        self.keep_estimators = keep_estimators
        self.warm_start = warm_start
        self.executor = executor
        self.progress = progress
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, *, base: Any = None, indices: Any = None,
            weights: Any = None, draws: BootstrapDraws | None = None) -> BaggedClustering:
        """Fit to the objects in the rows of X.

        Parameters
        ----------
        X : array-like, shape (n, d)
            Finite numbers.
        y : ignored
        base : array-like of int (n,), HardClustering, or (labels, centers)
            A ready base clustering.
        indices : array-like of int, shape (B, m), optional
            Ready resamples; `n_resamples` is then B.
        weights : array-like, shape (B, n), optional
            Ready weights of the objects.
        draws : BootstrapDraws, optional
            Ready draws with their weights. One of the three at most.

        Returns
        -------
        self

        Raises
        ------
        ClusteringError
            If a parameter is not allowed, ready draws do not fit X, there are fewer distinct
            objects than clusters, or every replicate failed.
        """
        given = [name for name, value in (("indices", indices), ("weights", weights),
                                          ("draws", draws)) if value is not None]
        if len(given) > 1:
            raise ClusteringError(f"{' and '.join(given)} are given; one at most is needed")
        if indices is not None:
            draws = BootstrapDraws.from_indices(X, indices)
        elif weights is not None:
            draws = BootstrapDraws.from_weights(X, weights)
        self._fit(X, base, draws)
        return self

    def _check_own(self, x: np.ndarray) -> None:
        check_choice("scheme", self.scheme, _SCHEMES)
        self._check_votes()
        if self.scheme == "subsample":
            sample_size(self.sample_size, x.shape[0], "sample_size")

    def _prepare(self, x: np.ndarray) -> None:
        n, d = x.shape
        m = sample_size(self.sample_size, n) if self.scheme == "subsample" else n
        self._scheme_ = Scheme(code=_SCHEMES[self.scheme], n=n, d=d, m=m)

    def _base_settings(self) -> tuple[str, int]:
        return ("random" if self._of_.init == "random" else "k-means++"), self._of_.n_init

    def _overlap(self) -> str:
        return "draws" if self.votes == "once" else self.votes

    def _weighted(self) -> bool:
        return self.scheme == "bayesian"

    def _weights_count(self, ready: Ready | None) -> bool:
        # Equal weights are fitted as counts: whole numbers, the same bits as without weights.
        uneven = ready is not None and bool((ready.weights != ready.weights[:, :1]).any())
        return self._weighted() or uneven
