"""Bagged clustering after Dudoit and Fridlyand, and the base it shares with its Bayesian form."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from .._checks import ClusteringError, check_choice
from .._types import RNG, ArrayLike, Base, Estimator, MatchingRule, Votes, Workers
from ..cluster.checks import count_distinct
from ..clusterings.object_table import finite_rows
from ..clusterings.objects import matched, names_in
from ..results.text import position
from ..running.jobs import run_jobs
from ..running.threads import Progress
from ..running.warnings import warn
from ..soft_pairs.entropies import PairwiseEntropy, pairwise_of_rows
from ..soft_pairs.uncertainty import row_entropies
from ..tables.matching import METHODS
from .clusterers import NOISE, AlignedVotes, BaggedReplicate, fit_base, means_of, needs
from .consensus_record import majorities
from .replicates import ResamplingWarning
from .resampled_kmeans import STARTS, VOTES, BlockVotes, KMeansVotes, base_kmeans
from .resampling_estimator import Resampled
from .schemes import (
    BAYESIAN,
    EFRON,
    PROPER,
    SUBSAMPLE,
    BootstrapDraws,
    Ready,
    Scheme,
    sample_size,
)

_SCHEMES = {"bootstrap": EFRON, "bayesian": BAYESIAN, "subsample": SUBSAMPLE}
#: replicate number that is never reached: its stream is for ties of the final labels
_LAST_CHILD = 2**32 - 1


class Bagged(Resampled):
    """Base of the estimators; see their own documentation."""

    votes: str
    matching: str
    init: str
    never_selected: str
    ties: str
    #: treatment of a clusterer's noise, if the estimator has no parameter for it
    noise = "raise"

    _INITS = ("k-means++", "random")
    _EVERYONE = "never_selected='base'"
    #: the overlap that corresponds to one vote for each drawn object
    _ONCE = "once"

    # -- methods of subclasses --------------------------------------------------------------
    #: ``_prepare(x)`` sets `_scheme_`; the base clustering exists
    _prepare: ClassVar[Any]
    #: ``_base_settings()`` are init and n_init of the base k-means
    _base_settings: ClassVar[Any]
    #: ``_weighted(ready)`` says whether the weights of draws, maybe given ones, count in the fit
    _weighted: ClassVar[Any]

    # -- fitting ----------------------------------------------------------------------------
    def _fit(self, X: Any, base: Any, draws: BootstrapDraws | None) -> None:
        x, digest = self._enter(X)
        if self.warm_start and hasattr(self, "votes_"):
            if base is not None:
                raise ClusteringError("base is given, but warm_start=True continues a fit that "
                                      "already has a base clustering; leave base out")
            self._check_same(digest)
        else:
            self._begin_votes(x, base, digest, X)
        self._prepare(x)
        if draws is None:
            self._go(x, None, self._done_)
            return
        if not isinstance(draws, BootstrapDraws):
            raise TypeError(f"draws is a {type(draws).__name__}; BootstrapDraws are needed")
        n, d = x.shape
        if draws.points.shape[2] != d or draws.source.max() >= n:
            raise ClusteringError(
                f"draws have {draws.points.shape[2]} features and sources up to "
                f"{int(draws.source.max())}; X has {d} features and objects 0..{n - 1}")
        drawn = draws.source >= 0
        if not np.array_equal(draws.points[drawn], finite_rows(x)[draws.source[drawn]]):
            raise ClusteringError("draws.points differ from the rows of X that draws.source "
                                  "names; these draws were made for other data")
        if self._scheme_.code != PROPER and not drawn.all():
            raise ClusteringError("draws have points of a prior (source -1); "
                                  "BayesianBaggedClustering takes them")
        self._go(x, Ready(first=0, source=draws.source, points=draws.points,
                          weights=draws.weights), self._done_)

    def _begin_votes(self, x: Any, base: Any, digest: str, given: Any) -> None:
        self._begin(digest)
        self.n_iter_ = 1   # for a given base clustering or a clusterer's
        self.base_labels_, self.base_centers_ = (
            self._base(x) if base is None else self._given_base(x, base, names_in(given)))
        clusters = self.base_centers_.shape[0]
        self.votes_ = np.zeros((x.shape[0], clusters), dtype=np.int64)
        self.n_selected_ = np.zeros(x.shape[0], dtype=np.int64)
        self._happened_ = np.zeros(3, dtype=np.int64)

    def _run(self, x: np.ndarray, total: int) -> None:
        of = self._of_
        shared: dict[str, Any] = {
            "x": x, "scheme": self._scheme_, "streams": self._streams_, "ready": self._ready_,
            "weighted": self._weighted(self._ready_), "base_labels": self.base_labels_,
            "voting": self.votes, "matching": self.matching,
            "overlap": {"all": "once", "once": self._ONCE}.get(self.votes, self.votes)}
        if of.estimator is None:
            work = KMeansVotes(base_centers=self.base_centers_, init=of.init, n_init=of.n_init,
                               max_iter=of.max_iter, **shared)
            run_jobs(work, range(self._done_, total), self._add_block, ranges=True,
                     executor=self.executor, progress=self.progress)
            return
        self._run_task(BaggedReplicate(
            estimator=of.estimator, n_clusters=of.n_clusters, keep=self.keep_estimators,
            n_base=self.base_centers_.shape[0], drops_noise=self.noise == "drop", **shared),
            self._done_, total, self._add_one)

    def _finished(self) -> int:
        return self._done_ - len(self.failures_)

    def _forget(self) -> None:
        del self.votes_   # nothing to continue from

    def _add_block(self, start: int, stop: int, block: BlockVotes) -> None:
        self.votes_ += block.votes
        self.n_selected_ += block.votes.sum(axis=1)
        self._happened_ += block.happened
        self._centers_.append(block.centers)
        self._done_ = stop

    def _add_one(self, b: int, fit: AlignedVotes) -> None:
        clusters = fit.n_clusters
        if clusters > self.votes_.shape[1]:   # clusters without a base cluster left for them
            more = clusters - self.votes_.shape[1]
            self.votes_ = np.pad(self.votes_, ((0, 0), (0, more)))
        if fit.membership is not None:
            self.votes_ = self.votes_.astype(np.float64, copy=False)
            self.votes_[:, :fit.membership.shape[1]] += fit.membership
            self.n_selected_ += 1
        else:
            np.add.at(self.votes_, (fit.objects, fit.labels), 1)
            np.add.at(self.n_selected_, fit.objects, 1)
            np.add.at(self.n_selected_, fit.silent, 1)
        self._happened_[0] += fit.tied
        if fit.estimator is not None:
            self._kept_.append(fit.estimator)
        self._done_ = b + 1

    # -- base clustering --------------------------------------------------------------------
    def _base(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rng = self._streams_.own()
        of, wanted = self._of_, self._of_.n_clusters
        if of.estimator is not None:
            labels, centers = fit_base(of.estimator, x, wanted, rng, self.noise == "drop")
            count = centers.shape[0]
            if wanted not in (None, count):
                raise ClusteringError(f"{type(of.estimator).__name__} found {count} clusters in "
                                      f"X and n_clusters is {wanted}; set n_clusters={count}, or "
                                      "use a clusterer whose number of clusters can be set")
            return labels, centers
        assert wanted is not None
        distinct = count_distinct(x, wanted)
        if distinct < wanted:
            raise ClusteringError(f"X has {distinct} distinct objects; n_clusters={wanted} needs "
                                  "at least as many")
        init, n_init = self._base_settings()
        labels, centers, self.n_iter_ = base_kmeans(x, wanted, init, n_init, of.max_iter, rng)
        return labels, centers

    def _given_base(self, x: Any, base: Any, objects: Any) -> tuple[np.ndarray, np.ndarray]:
        names = names_in(base[0] if isinstance(base, tuple) else base)
        base = getattr(base, "hard_codes", base)
        pair = isinstance(base, tuple) and len(base) == 2
        labels, centers = base if pair else (base, None)
        order = matched(objects, names, called=("X", "base"))
        labels = np.asarray(labels) if order is None else np.asarray(labels)[order]
        if labels.shape != (x.shape[0],) or labels.dtype.kind not in "iu" or (
                labels.min() < (NOISE if self.noise == "drop" else 0)) or labels.max() < 0:
            raise ClusteringError(f"base labels have shape {labels.shape} and type "
                                  f"{labels.dtype}; one whole number >= 0 for each of "
                                  f"{x.shape[0]} objects is needed")
        count = int(labels.max()) + 1
        wanted = self._of_.n_clusters
        if self._of_.estimator is None and wanted is not None:
            if count > wanted:
                raise ClusteringError(f"base labels go up to {count - 1}; n_clusters={wanted} "
                                      f"allows 0..{wanted - 1}")
            count = wanted
        labels = np.ascontiguousarray(labels, dtype=np.int64)
        if centers is None:
            sizes = np.bincount(labels[labels >= 0], minlength=count)
            if not sizes.all():
                empty = position(int(np.argmin(sizes)))
                raise ClusteringError(f"base cluster {empty} has no object; give "
                                      "base=(labels, centers)")
            return labels, means_of(x, labels, count)
        means = np.array(centers, dtype=np.float64, order="C")
        if means.shape != (count, x.shape[1]) or not np.isfinite(means).all():
            raise ClusteringError(f"base centers have shape {means.shape}; ({count}, "
                                  f"{x.shape[1]}) finite numbers are needed")
        return labels, means

    # -- results ----------------------------------------------------------------------------
    def _finish(self, x: np.ndarray) -> None:
        self.n_resamples_ = self._finished()
        self.n_overlap_ties_, unfinished, self.n_degenerate_ = map(int, self._happened_)
        never = self.n_selected_ == 0
        # Noise casts no vote.
        self.n_votes_ = (np.rint(self.votes_.sum(axis=1)).astype(np.int64)
                         if self.noise == "drop" else self.n_selected_.copy())
        silent = self.n_votes_ == 0
        with np.errstate(invalid="ignore", divide="ignore"):
            membership = self.votes_ / self.n_votes_[:, None]
        membership[silent] = np.nan
        if self.never_selected == "base":
            known = np.flatnonzero(silent & (self.base_labels_ >= 0))
            membership[known] = 0.0
            membership[known, self.base_labels_[known]] = 1.0
        self.membership_ = membership
        if self.ties == "random":
            uniforms = self._streams_.generator(_LAST_CHILD).random(silent.size)
            labels = majorities(self.votes_, uniforms)
        else:
            labels = self.votes_.argmax(axis=1)
            known = np.flatnonzero(self.base_labels_ >= 0)
            base = self.base_labels_[known]
            equal = self.votes_[known, base] == self.votes_[known].max(axis=1)
            labels[known[equal]] = base[equal]
        labels[silent] = self.base_labels_[silent]
        self.labels_ = labels
        self.n_clusters_ = membership.shape[1]
        self.entropy_ = row_entropies(membership)
        known = self.entropy_[~np.isnan(self.entropy_)]
        self.mean_entropy_ = float(known.mean()) if known.size else float("nan")
        if self._centers_:
            self._centers_ = [np.concatenate(self._centers_)]
        if never.any() and self.never_selected == "nan":
            warn(f"{int(never.sum())} of {never.size} objects were never selected: their "
                 "membership is nan and their label that of the base clustering; raise "
                 "n_resamples, or set never_selected='base'", ResamplingWarning,
                 stacklevel=6)
        noise = int((silent & ~never).sum())
        if noise:
            warn(f"{noise} of {silent.size} objects are noise in every replicate that drew them: "
                 "they have no vote (n_votes_ is 0), and their label is that of the base "
                 "clustering, -1 if they are noise there, too", ResamplingWarning, stacklevel=6)
        if unfinished:
            warn(f"k-means of {unfinished} of {self.n_resamples_} replicates stopped "
                 f"after max_iter={self._of_.max_iter} passes; raise max_iter",
                 ConvergenceWarning, stacklevel=6)

    @property
    def pairwise_entropy_(self) -> PairwiseEntropy:
        """Mean entropies between pairs of clusters, over objects that were selected."""
        check_is_fitted(self, "membership_")
        return pairwise_of_rows(self.membership_)

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Minus the mean entropy of `predict_proba`, in bits: 0 is best.

        Parameters
        ----------
        X : array-like, shape (m, d)
        y : ignored
        """
        return -float(row_entropies(self.predict_proba(X)).mean())

    # -- checks -----------------------------------------------------------------------------
    def _check_votes(self) -> None:
        for name, allowed in (("votes", VOTES), ("matching", METHODS), ("init", STARTS),
                              ("never_selected", ("nan", "base")), ("ties", ("base", "random")),
                              ("noise", ("raise", "drop"))):
            check_choice(name, getattr(self, name), allowed)
        if self._of_.estimator is not None:
            needs(self._of_.estimator, weights=self._weighted(None), everyone=self.votes == "all")


class BaggedClustering(Bagged):
    """Fuzzy clustering by votes of a clusterer over resamples (BagClust1).

    Each resample is clustered, its clusters are renamed for the largest overlap with a base
    clustering of all objects, and its objects vote for the clusters they are in.

    Parameters
    ----------
    n_clusters : int, optional
        Number of clusters K; also set in `estimator`, unless that has a different number of its
        own. By default the estimator's number, 2 for k-means.
    estimator : clusterer, optional
        Any scikit-learn clusterer instead of the compiled k-means; copies of it are fitted.
        scikit-learn's `KMeans` also runs on the compiled k-means, two to fifty times as fast,
        unless `keep_estimators` needs its fits or it has starts or a tolerance of its own:
        `engine` and the repr show what runs. Its ``n_init`` and ``max_iter`` are respected;
        ``n_init="auto"`` means ten starts by plain k-means++, where scikit-learn uses one greedy
        start.
    n_resamples : int
        Total number of replicates B.
    votes : {"once", "draws", "all"}
        "once": each object that a replicate drew has one vote, and the overlap counts draws
        (Dudoit and Fridlyand). "draws": one vote for each time it was drawn. "all": every object
        has a vote, by nearest centre, ``predict`` or (in fractions) ``assign``, and the overlap
        is over all objects (R ``clue::cl_bag``).
    matching : {"trace", "truematch", "truematch_heuristic", "trace_heuristic"}
        How clusters are renamed, see `match_clusters`; ties are broken at random.
    scheme : {"bootstrap", "bayesian", "subsample"}
        "bootstrap": Efron's n draws with replacement. "bayesian": Rubin's weights of all objects.
        "subsample": some objects without replacement.
    sample_size : int or float
        Number of objects in a subsample, or their share.
    init : {"k-means++", "random", "warm"}
        Starts of a replicate's k-means; "warm" uses the base centres.
    n_init : int
        Number of starts; those that will hardly become the best are given up.
    max_iter : int
        Maximum number of passes of k-means.
    never_selected : {"nan", "base"}
        Membership of objects without votes: nan with a warning, or 1 for the label of the base
        clustering.
    ties : {"base", "random"}
        Label if several clusters have most votes: that of the base clustering if it is one of them,
        else the lowest; or one at random.
    noise : {"raise", "drop"}
        Objects that a clusterer such as HDBSCAN labels -1. "raise": an error. "drop": noise in a
        replicate casts no vote and enters no centre, and shares are relative to the votes cast
        (`n_votes_`); an object that is always noise has none. Copies of an object are neighbours,
        so a bootstrap finds less noise than ``scheme="subsample"``.
    keep_estimators : bool
        Keep the fits of the given clusterer, which `predict` and `score` need.
    warm_start : bool
        Add replicates to the existing fit until there are `n_resamples`: the same bits as in one
        run. After Ctrl-C, continue from the finished ones.
    executor : concurrent.futures.Executor or "joblib", optional
        Where replicates run: threads, processes, dask's ``client.get_executor()``, or the backend
        of ``joblib.parallel_config``. Results do not depend on it, to the last bit.
    progress : bool or callable
        True shows a progress bar; a function is called with (done, total).
    random_state : None, int, SeedSequence, Generator or RandomState

    Attributes
    ----------
    membership_ : (n, K) float64
        Shares of votes; nan for an object without votes.
    labels_ : (n,) int64
        Cluster with most votes; for an object without votes, the label of the base clustering,
        which is -1 for noise.
    clustering_ : FuzzyClustering
        `membership_` as a clustering.
    entropy_ : (n,) float64
        Entropy of each object's membership in bits; `mean_entropy_` is their mean.
    pairwise_entropy_ : PairwiseEntropy
    votes_ : (n, K) int64, or float64 for soft votes
        Columns beyond the base clusters represent clusters of replicates that were left over.
    n_selected_ : (n,) int64
        Number of votes that each object should have cast.
    n_votes_ : (n,) int64
        Votes of each object: fewer than `n_selected_` if it was sometimes noise.
    n_resamples_ : int
        Number of successful replicates.
    failures_ : list of ReplicateFailure
        Replicates that failed, with the reason.
    n_overlap_ties_ : int
        Number of replicates with several equally good matchings.
    n_degenerate_ : int
        Number of k-means replicates with fewer distinct points than clusters.
    base_labels_, base_centers_ : (n,), (K, d)
        The clustering of all objects; label -1 for noise.
    n_iter_ : int
        Passes of the base k-means; 1 for a given base clustering or a clusterer's.
    cluster_centers_ : (B, K, d) float64
        Centres of the k-means replicates, in the order of the base clusters.
    estimators_ : list
        Kept fits.
    warnings_ : list of str
        Warnings of softclust's clusterers in replicates.
    engine : str
        Name of the clusterer that runs the replicates: "compiled k-means", or
        "SpectralClustering.fit".

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
    Replicate b depends on `random_state` and b only: child b draws, in this order, its objects or
    weights, n_init times K numbers for seeding (one seed for a clusterer), one for the overlap. Up
    to 12 clusters, equally good matchings are equally likely.

    Time O(B n K) per pass of k-means; memory for X, the votes and the centres. R: ``clue::cl_bag``
    corresponds to ``votes="all"`` with the same resamples and starts.

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

    _ONCE = "draws"
    scheme: str
    sample_size: int | float

    _ANY_SPREAD = True

    def __init__(self, n_clusters: int | None = None, *, estimator: Estimator | None = None,
                 n_resamples: int = 200, votes: Votes = "once", matching: MatchingRule = "trace",
                 scheme: Literal["bootstrap", "bayesian", "subsample"] = "bootstrap",
                 sample_size: int | float = 0.5,
                 init: Literal["k-means++", "random", "warm"] = "k-means++", n_init: int = 10,
                 max_iter: int = 300, never_selected: Literal["nan", "base"] = "nan",
                 ties: Literal["base", "random"] = "base",
                 noise: Literal["raise", "drop"] = "raise", keep_estimators: bool = False,
                 warm_start: bool = False, executor: Workers | None = None,
                 progress: Progress | bool | None = False, random_state: RNG = None) -> None:
        self._set(locals())

    def fit(self, X: ArrayLike, y: object = None, *, base: Base | None = None,
            indices: ArrayLike | None = None, weights: ArrayLike | None = None,
            draws: BootstrapDraws | None = None) -> BaggedClustering:
        """Fit to the objects in the rows of X.

        Parameters
        ----------
        X : array-like, shape (n, d)
            Finite numbers.
        y : ignored
        base : array-like of int (n,), HardClustering, or (labels, centers)
            A given base clustering.
        indices : array-like of int, shape (B, m), optional
            Given resamples; `n_resamples` is then B.
        weights : array-like, shape (B, n), optional
            Given weights of the objects.
        draws : BootstrapDraws, optional
            Given draws with their weights. At most one of the three can be given.

        Returns
        -------
        self

        Raises
        ------
        ClusteringError
            If a parameter is not allowed, given draws do not fit X, there are fewer distinct
            objects than clusters, or every replicate failed.
        """
        if (indices is not None) + (weights is not None) + (draws is not None) > 1:
            names = [name for name, value in (("indices", indices), ("weights", weights),
                                              ("draws", draws)) if value is not None]
            raise ClusteringError(f"{' and '.join(names)} are given; at most one is allowed")
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

    def _weighted(self, ready: Ready | None) -> bool:
        # Equal weights are fitted as counts: whole numbers, the same bits as without weights.
        uneven = ready is not None and bool((ready.weights != ready.weights[:, :1]).any())
        return self.scheme == "bayesian" or uneven
