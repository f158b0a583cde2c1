"""The common base of resampling estimators: checks, continuing a fit, interrupts, new objects."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from numbers import Integral, Number
from pickle import PicklingError
from typing import Any, ClassVar

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
    clone,
)
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from .._checks import ClusteringError, named_keywords
from .._types import ArrayLike
from ..cluster.checks import check_count, check_spread
from ..clusterings import FuzzyClustering
from ..clusterings.object_table import ObjectTable, as_objects, finite_rows, validated
from ..clusterings.objects import named_after, naming_of
from ..running.interrupts import interrupted
from ..running.jobs import ReplicateFailure, check_executor, run_jobs
from ..running.random_numbers import Streams
from ..running.warnings import quiet, warn
from .clusterers import Clusterer, shares_of_estimators
from .replicates import FailedReplicatesWarning, ResamplingWarning, check_failures
from .resampled_kmeans import nearest_shares
from .schemes import BootstrapDraws, Ready, Scheme, draws_of

#: advice on how to continue an interrupted fit
_GO_ON = "the attributes hold their result; with warm_start=True, fit adds the others"


class Resampled(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    """Base of the estimators; see their own documentation."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in {"__init__", "fit"} & vars(cls).keys():
            setattr(cls, name, named_keywords(vars(cls)[name]))

    n_clusters: Any
    estimator: Any
    n_resamples: int
    n_init: int
    max_iter: int
    keep_estimators: bool
    warm_start: bool
    executor: Any
    progress: Any
    random_state: Any

    #: parameters that may change between a fit and its continuation
    _FREE: ClassVar[tuple[str, ...]] = ("n_resamples", "warm_start", "executor", "progress",
                                        "random_state")
    #: starts that the compiled k-means of this estimator knows
    _INITS: ClassVar[tuple[str, ...]] = ("k-means++",)
    #: what to do if the fit cannot be continued as requested
    _NEW = "set warm_start=False"

    #: what is fitted, as the parameters say
    _of_: Clusterer
    #: how replicates are drawn
    _scheme_: Scheme
    #: whether ready draws were fitted, and those of the run under way
    _replayed_: bool
    _ready_: Ready | None
    #: replicates tried so far, in order
    _done_: int
    membership_: np.ndarray

    def _set(self, parameters: dict[str, Any]) -> None:
        """Store the parameters of `__init__`, which gives its ``locals()``."""
        for name in self._get_param_names():
            setattr(self, name, parameters[name])

    # -- methods of subclasses; None where they have none -----------------------------------
    #: ``_check_own(x)`` raises for a parameter of the subclass that is not allowed
    _check_own: ClassVar[Any]
    #: ``_run(x, total)`` fits and counts replicates until there are `total`
    _run: ClassVar[Any]
    #: ``_finished()`` is the number of replicates that count
    _finished: ClassVar[Any]
    #: ``_finish(x)`` sets the attributes from these
    _finish: ClassVar[Any]
    #: ``_forget()`` leaves no fit behind if nothing is finished
    _forget: ClassVar[Any] = None
    #: ``_close()`` writes the final state after a run and returns messages if that fails
    _close: ClassVar[Any] = None

    def _conclude(self, x: np.ndarray, total: int) -> None:
        """Finish after a whole run, with its warnings."""
        problem = None
        if self.failures_:
            try:
                problem = check_failures(self.failures_, self._done_)
            except ClusteringError:
                if self._forget:
                    self._forget()
                raise
        self._finish(x)
        if problem:
            warn(problem, FailedReplicatesWarning, stacklevel=4)

    # -- fitting ----------------------------------------------------------------------------
    def _enter(self, X: Any) -> tuple[Any, str]:
        """Check data and parameters; return the data with their digest."""
        self._of_ = self._clusterer()
        x = self._objects(X, reset=True)
        self._naming_ = None if type(X) is np.ndarray else naming_of(X)
        for name in ("n_resamples", "n_init", "max_iter"):
            check_count(name, getattr(self, name))
        if self._of_.estimator is None:
            check_count("n_init", self._of_.n_init)
        if self._of_.estimator is None or self._of_.n_clusters is not None:
            check_count("n_clusters", self._of_.n_clusters)
        if self.executor is not None:
            check_executor(self.executor)
        self._check_own(x)
        return x, digest_of(x)

    def _clusterer(self) -> Clusterer:
        return Clusterer.of(self, self._INITS)

    def _begin(self, digest: str) -> None:
        """Start an empty fit."""
        self._streams_ = Streams(self.random_state, "random_state")
        self._done_ = 0
        self.failures_: list[ReplicateFailure] = []
        self.warnings_: list[str] = []
        self._kept_: list[Any] = []
        self._centers_: list[np.ndarray] = []
        self._ready_, self._replayed_ = None, False
        self._digest_, self._settings_, self._seed_ = digest, self._settings(), self.random_state

    def _go(self, x: np.ndarray, ready: Ready | None, done: int) -> None:
        """Run on from `done` replicates. Finished ones stay usable, however the run ends."""
        if self._done_ and (self._replayed_ or ready is not None):
            raise ClusteringError(f"given draws are fitted in one go, and {self._done_} replicates "
                                  f"exist already; {self._NEW}")
        self._ready_, self._replayed_ = ready, ready is not None
        total = self.n_resamples if ready is None else ready.source.shape[0]
        if total < done:
            raise ClusteringError(f"{done} replicates are fitted already and n_resamples asks for "
                                  f"{total} in all; ask for more, or {self._NEW}")
        told = len(self.warnings_)
        try:
            try:
                self._run(x, total)
            finally:
                self._ready_ = None
        except BaseException as error:
            finished = self._finished()
            if finished:
                with quiet():
                    self._finish(x)
            elif self._forget:
                self._forget()
            unwritten = self._close() if self._close else []
            if isinstance(error, KeyboardInterrupt):
                go_on = "; ".join([_GO_ON, *unwritten])
                raise interrupted("replicates", finished, total, go_on) from None
            for text in unwritten:
                error.add_note(text)
            raise
        unwritten = self._close() if self._close else []
        self._conclude(x, total)
        if texts := self.warnings_[told:]:
            # They are in `warnings_`: no filter makes them errors.
            with suppress(Warning):
                warn(f"the clusterer warned in {len(texts)} replicates, see warnings_; {texts[0]}",
                     ResamplingWarning, stacklevel=4)
        if unwritten:
            raise OSError(f"{unwritten[0]}; all {self._finished()} replicates are kept and "
                          f"{_GO_ON}, and writes again")

    def _run_task(self, task: Any, first: int, last: int, add: Callable[[int, Any], None]
                  ) -> None:
        """One replicate after the other; `add` counts it."""
        def fail(failure: ReplicateFailure) -> None:
            self.failures_.append(failure)
            self._done_ = failure.replicate + 1

        def note(b: int, texts: list[str]) -> None:
            self.warnings_ += [f"replicate {b}: {text}" for text in texts]

        run_jobs(task, range(first, last), add, fail=fail, told=note,
                 executor=self.executor, progress=self.progress)

    # -- checks -----------------------------------------------------------------------------
    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True   # made dense
        return tags

    def _objects(self, X: Any, *, reset: bool) -> Any:
        """Finite numbers for the compiled k-means; rows in the kind of X for a given clusterer."""
        if self._of_.estimator is None:
            x = validated(self, X, reset=reset)
            if reset and not self._ANY_SPREAD:
                check_spread(x)
        else:
            x = as_objects(X, self._of_.estimator, minimum=1).rows
            if not reset and getattr(X, "ndim", 2) == 1:   # one object, which has to be a row
                check_array(X)
            validate_data(self, X, skip_check_array=True, reset=reset)
            if isinstance(x, ObjectTable):
                return x
        # Kernels are compiled for arrays that may be written.
        return x if x.flags.writeable else x.copy()

    def _settings(self) -> dict[str, str]:
        """Parameters as text, those of clusterers one by one: equal text, equal settings.

        The seeds of clusterers are left out: each replicate sets its own.
        """
        texts: dict[str, str] = {}
        for name, value in vars(self).items():
            if name in self._FREE or name[0] == "_" or name[-1] == "_":   # not a parameter
                continue
            texts[name] = _text(value)
            if hasattr(value, "get_params") and not isinstance(value, type):
                texts |= {f"{name}__{key}": _text(inner)
                          for key, inner in sorted(value.get_params(deep=True).items())
                          if not key.endswith("random_state")}
        return texts

    def _check_same(self, digest: str) -> None:
        """Raise if the existing fit has other data, parameters or random numbers."""
        if digest != self._digest_:
            raise ClusteringError(f"X is not the data of the fit that is to go on; {self._NEW}")
        before, now = self._settings_, self._settings()
        changed = [f"{name} was {before.get(name, 'not there')} and is "
                   f"{now.get(name, 'not there')}" for name in dict.fromkeys([*before, *now])
                   if before.get(name) != now.get(name)]
        seed = self.random_state
        if seed is not None and seed is not self._seed_ and not (
                isinstance(seed, Integral) and seed == self._seed_):
            changed.append(f"random_state was {self._seed_!r} and is {seed!r}")
        if changed:
            raise ClusteringError(f"{'; '.join(changed)} now; the fit that is to go on needs the "
                                  f"same: {self._NEW}")

    # -- results ----------------------------------------------------------------------------
    @property
    def engine(self) -> str:
        """Name of the clusterer of the replicates: "compiled k-means", or that of its class."""
        estimator = self._clusterer().estimator
        if estimator is None:
            return "compiled k-means"
        return f"{(estimator if isinstance(estimator, type) else type(estimator)).__name__}.fit"

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        return f"{super().__repr__(N_CHAR_MAX)} on {self.engine}"

    @property
    def clustering_(self) -> FuzzyClustering:
        """`membership_` as a clustering; raises if an object has no votes."""
        check_is_fitted(self, "membership_")
        missing = int(np.isnan(self.membership_[:, 0]).sum())
        if missing:
            raise ClusteringError(f"{missing} objects have no votes and so no membership; raise "
                                  f"n_resamples, set {self._EVERYONE}, or take the rows of "
                                  "membership_ that are not nan")
        return FuzzyClustering(self.membership_, object_names=getattr(self, "_naming_", None))

    #: the option that gives every object a membership
    _EVERYONE: ClassVar[str] = ""
    #: True where nothing but the clusterer, which may scale, looks at the numbers
    _ANY_SPREAD: ClassVar[bool] = False

    @property
    def estimators_(self) -> list[Any]:
        """The fitted clusterers of the replicates, with ``keep_estimators=True``."""
        check_is_fitted(self, "membership_")
        return [fit for fit, _, _ in self._kept_]

    @property
    def cluster_centers_(self) -> np.ndarray:
        """Centres of each k-means replicate, aligned, (B, K, d)."""
        check_is_fitted(self, "membership_")
        if not self._centers_:
            raise AttributeError("cluster_centers_ exist for the compiled k-means only")
        return self._centers_[0]

    @property
    def _n_features_out(self) -> int:
        return int(self.membership_.shape[1])

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Compute the shares of the replicates that put new objects into each cluster.

        Parameters
        ----------
        X : array-like, shape (m, d)

        Returns
        -------
        ndarray, shape (m, K)
            Rows sum to 1: share of replicates whose nearest aligned centre, or whose aligned
            prediction, is the cluster.

        Raises
        ------
        ClusteringError
            If a clusterer was given and its fits were not kept.
        """
        check_is_fitted(self, "membership_")
        x = self._objects(X, reset=False)
        if self._centers_:
            return nearest_shares(x, self._centers_[0])
        if not self._kept_:
            raise ClusteringError("the fits of the replicates were not kept; set "
                                  "keep_estimators=True before fit to predict new objects")
        return shares_of_estimators(x, self._kept_, self._n_features_out)

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Compute `predict_proba` as features for later steps of a pipeline; see `set_output`."""
        return self.predict_proba(X)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Predict the cluster with the largest share for new objects, the lowest on ties; (m,)
        int64.
        """
        return np.asarray(self.predict_proba(X).argmax(axis=1))

    def assign(self, X: ArrayLike) -> FuzzyClustering:
        """Return the fuzzy clustering of new objects by `predict_proba`."""
        return named_after(FuzzyClustering(self.predict_proba(X)), X)

    def resamples(self, X: ArrayLike) -> BootstrapDraws:
        """Make the draws of the replicates again, to save them or use them elsewhere.

        Parameters
        ----------
        X : array-like, shape (n, d)
            The data of `fit`.

        Raises
        ------
        ClusteringError
            If X is other data, or the fit had given draws.
        """
        check_is_fitted(self, "membership_")
        x = self._objects(X, reset=False)
        if digest_of(x) != self._digest_:
            raise ClusteringError("X is not the data of fit")
        if self._replayed_:
            raise ClusteringError("this fit used given draws; they are what you gave")
        return draws_of(finite_rows(x), self._scheme_, self._streams_, self._done_)

    # -- copies -----------------------------------------------------------------------------
    def __sklearn_clone__(self) -> Any:
        # An executor or a progress function is shared; it cannot be copied.
        params = self.get_params(deep=False)
        shared = {name: params.pop(name) for name in ("executor", "progress")}
        return type(self)(**{name: clone(value, safe=False) for name, value in params.items()},
                          **shared)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.update(executor=None, progress=state.get("progress") is True)
        return state


# -- what a fit was begun with --------------------------------------------------------------------
def digest_of(x: Any) -> str:
    """Digest by which the objects are recognised."""
    content = (x.tobytes() if isinstance(x, ObjectTable) else memoryview(np.ascontiguousarray(x)))
    return blake2b(content, digest_size=16).hexdigest()


def _text(value: Any) -> str:
    """A parameter in words; objects by the name of their class and a digest of their content."""
    if value is None or isinstance(value, (str, Number)):
        return repr(value)
    if hasattr(value, "get_params") and not isinstance(value, type):
        return type(value).__name__
    import joblib  # comes with scikit-learn
    try:
        content = joblib.hash(value)[:12]
    except PicklingError:   # a function without a name: itself alone equals it
        content = f"at {id(value):x}"
    what = (f"an array of shape {value.shape}" if isinstance(value, np.ndarray) else
            f"a {type(value).__name__}")
    return f"{what} ({content})"
