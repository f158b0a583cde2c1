"""The one door: labels, matrices, estimators, R objects and clusterings to a clustering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice
from ._base import Clustering
from ._policies import check_policy
from ._reading import ALL_KINDS, CONVERTER_GROUP, read
from .sides import read_side

if TYPE_CHECKING:
    from .._types import Kind, Missing, Noise

__all__ = ["CONVERTER_GROUP", "as_clustering"]


def as_clustering(obj: Any, kind: Kind | None = None, *, X: Any = None, name: str | None = None,
                  noise: Noise | None = None, noise_label: Any = -1, missing: Missing = "raise",
                  normalize: Literal["rows"] | None = None) -> Clustering:
    """Make a clustering of labels, memberships, a fitted estimator or other objects.

    Parameters
    ----------
    obj : clustering-like
        - a clustering: returned as it is;
        - 1-D labels (integers, strings, booleans, categoricals; lists, numpy, pandas, arrow):
          hard. Whole floats count as integers, as in scikit-learn. -1 is a label like any
          other: the noise of DBSCAN becomes a cluster unless `noise` says otherwise;
        - a mapping from objects to labels: hard, its keys are the names of the objects;
        - a list of sets of objects, such as the communities of networkx: hard where they are
          disjoint, else a cover;
        - 2-D matrix (n, c) whose rows sum to 1 within 1e-8: fuzzy, whatever the type of its
          entries; so is a one-hot matrix of booleans or integers, such as of ``get_dummies``
          (`FuzzyClustering.harden` makes labels of it). Rows in single precision may be off by
          1e-6 and are divided by their sums. Other matrices need `kind`: of 0/1 entries "rough"
          (belongs to one of these clusters) or "cover" (belongs to all of them);
        - a fitted estimator: its ``clustering_``; with `X` its ``predict_proba(X)``; else its
          ``labels_``;
        - an R object (through ``r_bridge``), or any type for which an installed package offers
          a converter.
    kind : {"hard", "rough", "fuzzy", "possibilistic", "evidential", "cover"}, optional
        What `obj` is, when that cannot be seen. "cover" takes a 0/1 matrix or a list
        of sets, "evidential" an (n, 2**c) matrix of masses on all sets of c clusters, in bit mask
        order: column b is the set of the clusters k with bit k of b set, column 0 the empty set;
        other focal sets: ``EvidentialClustering(mass, focal_sets)``. Nothing is converted from
        one kind to another.
    X : array-like, optional
        Data for ``predict_proba``, only with an estimator; its index gives the object names.
    name : str, optional
        What error messages call `obj`, for example "x".
    noise : {"cluster", "singletons", "unknown", "empty", "raise"}, optional
        How to treat noise: as one more cluster, as a cluster for each object, as objects of one
        unknown cluster (rough), as objects of no cluster (evidential), or as an error. Of rows
        that sum to less than 1 the rest is the probability of noise: "cluster" gives it a last
        column named "noise" (fuzzy), "empty" and "unknown" give it to the empty set and to the set
        of all clusters (evidential). Of a fitted HDBSCAN and ``kind="fuzzy"`` or "evidential" it
        is 1 - ``probabilities_``: how weakly an object is held by its cluster, not a probability
        of noise; hdbscan's membership vectors are matrices and may have their maximum elsewhere.
    noise_label : label or set of labels
        What stands for noise among labels.
    missing : {"raise", "cluster", "singletons", "unknown"}
        What to do with missing labels (None, nan, NA) and rows that hold a nan. Leaving objects
        out is a matter of several clusterings: `align`.
    normalize : {"rows"}, optional
        Divide each row of memberships (or of masses, with ``kind="evidential"``) by its sum, for
        numbers that were rounded.

    Returns
    -------
    Clustering
        Of the kind given or seen; its arrays are copies.

    Raises
    ------
    ClusteringError
        If `obj` is none of the above, fits several kinds, or is not a valid clustering of its kind.

    See Also
    --------
    align, as_dendrogram, contingency_table

    Notes
    -----
    Time and memory O(n) for labels, O(n c) for matrices. Scipy sparse matrices are made dense
    up to 2 GiB, those of covers never.

    Examples
    --------
    >>> import softclust
    >>> softclust.as_clustering(["a", "b", "a"])
    HardClustering(n_objects=3, n_clusters=2)
    >>> softclust.as_clustering([[0.9, 0.1], [0.4, 0.6]]).kind
    'fuzzy'
    >>> softclust.as_clustering([[0.9, 0.1], [0.4, 0.2]], kind="possibilistic").kind
    'possibilistic'
    """
    if kind is not None:
        check_choice("kind", kind, ALL_KINDS)
    if normalize is not None:
        check_choice("normalize", normalize, ["rows"])
    by_rows = normalize is not None
    try:
        if noise is None and missing == "raise":
            if isinstance(obj, Clustering) or type(obj) in (np.ndarray, list):
                return read(obj, kind, X, by_rows)
            return read_side(obj, kind=kind, X=X, by_rows=by_rows).whole()
        _check_policies(noise, missing, by_rows)
        return read_side(obj, kind=kind, X=X, noise=noise, noise_label=noise_label,
                         missing=missing).whole()
    except ClusteringError as error:
        if name is None:
            raise
        raise type(error)(f"{name}: {error}") from None


def _check_policies(noise: str | None, missing: str, by_rows: bool) -> None:
    check_policy("noise", noise or "cluster")
    check_policy("missing", missing)
    if "drop" in (noise, missing):
        raise ClusteringError('"drop" leaves objects out, of every clustering that they are '
                              "compared in: align(x, y, noise=..., missing=...) does it")
    if by_rows and noise is not None:
        raise ClusteringError('normalize="rows" and noise exclude each other: what rows lack to a '
                              "sum of 1 is either rounding or noise")
