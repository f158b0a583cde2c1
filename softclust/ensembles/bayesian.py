"""Bayesian bagged clustering: votes over proper Bayesian bootstrap replicates."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice
from .._types import (
    RNG,
    ArrayLike,
    Base,
    Covariance,
    Estimator,
    MatchingRule,
    Prior,
    Votes,
    Workers,
)
from ..cluster.checks import check_count, check_number
from ..clusterings.object_table import finite_rows
from ..running.threads import Progress
from .bagging import Bagged
from .prior import COVARIANCES, GaussianMixturePrior, as_sampler
from .schemes import BootstrapDraws, Ready, check_prior_weight, proper_scheme


class BayesianBaggedClustering(Bagged):
    """Fuzzy clustering by votes over replicates drawn from the data and a prior (BBC).

    A base clustering suggests a Gaussian mixture as prior. Each replicate draws from the data and,
    with probability `prior_weight`, from the prior, with Dirichlet weights; it is clustered, its
    clusters are renamed for the largest overlap with the base clustering, and the drawn objects
    vote.

    Parameters
    ----------
    n_clusters : int, optional
        Number of clusters K of base, prior and replicates. By default that of `estimator`, 2 for
        k-means.
    estimator : clusterer, optional
        As in `BaggedClustering`; with ``weighted=True`` its fit must take ``sample_weight``
        (mean 1).
    n_resamples : int
        Total number of replicates B.
    prior_weight : float
        Weight w of the prior in [0, 1).
    scale : float
        Factor s > 0 on the covariances of the prior.
    sample_size : int, optional
        Number of draws m of a replicate; n by default.
    weighted : bool
        Use the Dirichlet weights in the fit.
    votes : {"draws", "once", "all"}
        "draws": one vote each time an object is drawn; "once": one vote per replicate; "all": every
        object votes, by nearest centre (``predict`` of a clusterer). The overlap is over the same
        votes.
    init, n_init
        Starts of a replicate's k-means: "k-means++" (best of 10), "random" (different points),
        or "warm" (one, from the base centres).
    base_init, base_n_init
        Starts of the base k-means.
    max_iter : int
        Maximum number of passes of k-means.
    prior : GaussianMixturePrior, frozen scipy.stats distribution or callable, optional
        A prior of your own instead of that of the base clustering; a function is called as
        (size, generator).
    covariance : {"full", "pooled", "diagonal", "ridge"}
        Covariances of the prior, see `GaussianMixturePrior.from_labels`.
    ddof : int
        Their divisor is n_j - ddof.
    prior_draws : {"random", "fixed"}
        "fixed": exactly round(w m) draws come from the prior.
    matching : {"trace", "truematch", "truematch_heuristic", "trace_heuristic"}
        How clusters are renamed.
    never_selected : {"nan", "base"}
        Membership of objects never drawn: nan with a warning, or 1 for the base label.
    ties : {"base", "random"}
        Label if several clusters have most votes.
    keep_estimators, warm_start, executor, progress, random_state
        As in `BaggedClustering`.

    Attributes
    ----------
    prior_ : GaussianMixturePrior, or what was given
    concentration_ : float
        k = w n/(1 - w), the prior's weight in objects.
    membership_, labels_, clustering_, entropy_, mean_entropy_, pairwise_entropy_, votes_, \
n_selected_, n_resamples_, failures_, n_overlap_ties_, n_degenerate_, base_labels_, \
base_centers_, cluster_centers_, estimators_, warnings_, engine
        As in `BaggedClustering`.

    Warns
    -----
    ResamplingWarning, FailedReplicatesWarning, ConvergenceWarning
        From `fit`, as in `BaggedClustering`.

    See Also
    --------
    BaggedClustering, proper_bayesian_bootstrap, cluster_number

    Notes
    -----
    The paper does not say how replicates start and whether their weights are used. The defaults
    here, cold starts and weights, choose the number of clusters better; its tables most likely
    used ``init="warm", base_init="random", base_n_init=1``, which keeps replicates near the base
    clustering and halves the entropies.

    Replicate b uses child b, which draws, in this order: m uniform numbers (prior or data), m whole
    numbers (object), m uniform numbers (component), m d normal, m gamma, n_init K uniform numbers
    (seeding), one (overlap). An object is selected B (1 - w) m/n times on average.

    Time O(B n_init passes m K d); memory for X, the votes and the centres.

    Theory: docs/theory/bagging.md.

    References
    ----------
    F. M. Quetti, S. Figini, E. Ballante, "A Bayesian approach to clustering via the proper
    Bayesian bootstrap: the Bayesian Bagged Clustering (BBC) algorithm".

    Examples
    --------
    >>> import softclust
    >>> x = softclust.datasets.bbc_gaussians(1, rng=0).data
    >>> fit = softclust.BayesianBaggedClustering(3, n_resamples=300, random_state=0).fit(x)
    >>> fit.membership_.shape
    (99, 3)
    >>> 0.05 < fit.mean_entropy_ < 0.35
    True
    >>> fit.clustering_
    FuzzyClustering(n_objects=99, n_clusters=3)
    """

    prior_weight: float
    scale: float
    sample_size: int | None
    weighted: bool
    base_init: str
    base_n_init: int
    prior: Any
    covariance: Covariance
    ddof: int
    prior_draws: str

    def __init__(self, n_clusters: int | None = None, *, estimator: Estimator | None = None,
                 n_resamples: int = 200, prior_weight: float = 0.5, scale: float = 1.0,
                 sample_size: int | None = None, weighted: bool = True, votes: Votes = "draws",
                 init: Literal["k-means++", "random", "warm"] = "k-means++", n_init: int = 10,
                 base_init: Literal["k-means++", "random"] = "k-means++", base_n_init: int = 10,
                 max_iter: int = 300, prior: Prior | None = None,
                 covariance: Covariance = "full", ddof: int = 1,
                 prior_draws: Literal["random", "fixed"] = "random",
                 matching: MatchingRule = "trace", never_selected: Literal["nan", "base"] = "nan",
                 ties: Literal["base", "random"] = "base", keep_estimators: bool = False,
                 warm_start: bool = False, executor: Workers | None = None,
                 progress: Progress | bool | None = False, random_state: RNG = None) -> None:
        self._set(locals())

    def fit(self, X: ArrayLike, y: object = None, *, base: Base | None = None,
            draws: BootstrapDraws | None = None) -> BayesianBaggedClustering:
        """Fit to the objects in the rows of X.

        Parameters
        ----------
        X : array-like, shape (n, d)
            Finite numbers.
        y : ignored
        base : array-like of int (n,), HardClustering, or (labels, centers)
            A given base clustering.
        draws : BootstrapDraws, optional
            Given draws; `n_resamples` is then their number.

        Returns
        -------
        self

        Raises
        ------
        ClusteringError
            If a parameter is not allowed, draws do not fit X, there are fewer distinct objects
            than clusters, or every replicate failed.
        """
        self._fit(X, base, draws)
        return self

    def _check_own(self, x: np.ndarray) -> None:
        check_prior_weight(self.prior_weight)
        check_number("scale", self.scale, 0.0, strict=True)
        self._check_votes()
        if not isinstance(self.weighted, (bool, np.bool_)):
            raise TypeError(f"weighted is {self.weighted!r}; True or False is needed")
        check_count("base_n_init", self.base_n_init)
        check_choice("base_init", self.base_init, ("k-means++", "random"))
        check_choice("covariance", self.covariance, COVARIANCES)
        if self.ddof not in (0, 1):
            raise ClusteringError(f"ddof is {self.ddof!r}; 0 or 1 is needed")
        if self.prior is not None:
            as_sampler(self.prior, x.shape[1])

    def _prepare(self, x: np.ndarray) -> None:
        n, d = x.shape
        if self.prior is not None:
            self.prior_ = self.prior
        else:
            self.prior_ = GaussianMixturePrior.from_labels(
                finite_rows(x), self.base_labels_, self.base_centers_, scale=self.scale,
                ddof=self.ddof, covariance=self.covariance)
        self._scheme_ = proper_scheme(n, d, as_sampler(self.prior_, d), self.prior_weight,
                                      self.sample_size, self.prior_draws)
        self.concentration_ = self.prior_weight * n / (1 - self.prior_weight)

    def _base_settings(self) -> tuple[str, int]:
        return self.base_init, self.base_n_init

    def _weighted(self, ready: Ready | None) -> bool:
        return bool(self.weighted)
