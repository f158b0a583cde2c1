"""The table of objects that users give: its rows in their own kind, its numbers, its names.

The one reader of `X`, `data` and `cohorts`. A clusterer that is given gets rows of what the user
gave; what softclust computes itself (k-means, references, silhouettes) needs finite numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .._checks import ClusteringError
from ..results.frames import as_frame, is_lazy, library
from .arrays import Names, frame_names, on_host
from .objects import matched, names_in, naming_of

#: largest entry of X: sums of squared differences over many objects and features stay finite
MAX_ENTRY = 1e140
#: a sparse table of more cells is not made dense
MAX_CELLS = 10**7
#: columns that an error describes
_DESCRIBED = 5
_WAYS_OUT = (
    "Encode text and dates as numbers and impute or drop missing values; or give a clusterer that "
    "reads them, as estimator= of a function that only needs labels (resampled_clusterings, "
    "BaggedClustering, replicate with reference=None); or distances with metric='precomputed' "
    "(guide: Mixed data)")


class TooLargeError(ClusteringError):
    """Numbers whose squares would overflow."""


@dataclass(slots=True, kw_only=True, eq=False)
class ObjectTable:
    """Objects in rows, in the kind in which they came; made by `as_objects`.

    Attributes
    ----------
    data : array, frame, sparse matrix or list
        Arrays of numbers are float64.
    n : int
        Number of objects.
    names : tuple or None
        Names of the objects, as `naming_of` gives them.
    pairwise : bool
        True for square distances: objects are rows and columns.
    """

    data: Any
    n: int
    names: Names = None
    pairwise: bool = False
    _numbers: np.ndarray | None = field(default=None, repr=False)
    _digest: bytes = field(default=b"", repr=False)

    @property
    def matched_names(self) -> Sequence[Any] | None:
        """Names by which objects are matched, repeated ones too; those of a default index count."""
        return names_in(self.data)

    @property
    def features(self) -> list[Any] | None:
        """Names of the columns; None if they have none."""
        return frame_names(self.data)[1]   # type: ignore[return-value]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of objects and features; a list has no features."""
        return self.n, math.prod(self.data.shape[1:]) if hasattr(self.data, "shape") else 0

    def __len__(self) -> int:
        return self.n

    def __getitem__(self, rows: np.ndarray) -> ObjectTable:
        """Objects by position or mask, in the kind in which they came."""
        rows = np.flatnonzero(rows) if rows.dtype == bool else rows
        data, frame = self.data, as_frame(self.data)
        if self.pairwise:
            data = (data.iloc[rows, rows] if library(data) == "pandas" else
                    frame[rows, rows].to_native() if frame is not None else
                    data[rows][:, rows])
        elif hasattr(data, "iloc"):
            data = data.iloc[rows]
        elif frame is not None:
            data = frame[rows].to_native()
        else:
            data = [data[i] for i in rows] if isinstance(data, list) else data[rows]
        return ObjectTable(data=data, n=rows.size, pairwise=self.pairwise, _numbers=(
            None if self._numbers is None else self._numbers[rows]))

    @property
    def rows(self) -> Any:
        """Rows for clusterers: a float64 array if that is what came, else this table."""
        plain = type(self.data) is np.ndarray and not self.pairwise and self.is_numeric
        return self.numbers if plain else self

    @property
    def is_numeric(self) -> bool:
        """True if `numbers` exist; an error if their squares would overflow."""
        try:
            return self.numbers.size > 0
        except TooLargeError:
            raise
        except ClusteringError:
            return False

    @property
    def numbers(self) -> np.ndarray:
        """Finite numbers, (n, d) float64 in C order.

        Raises
        ------
        ClusteringError
            If a column has text, dates, missing or infinite values.
        """
        if self._numbers is not None:
            return self._numbers
        if self.pairwise:
            raise ClusteringError("X holds distances, which have no coordinates: give the table "
                                  "that they were computed from, or coordinates that approximate "
                                  "them (multidimensional scaling)")
        data = self.data
        if library(data) == "scipy":
            cells = int(data.shape[0]) * int(data.shape[1])
            if cells > MAX_CELLS:
                raise ClusteringError(
                    f"X is sparse and has {cells:.3g} cells; at most {MAX_CELLS:.0e} are made "
                    "dense: reduce the features first, with scikit-learn's "
                    "TruncatedSVD(n_components=50)")
            data = data.toarray()
        if text := _problems(data):
            raise ClusteringError(text)
        from sklearn.utils import check_array
        try:
            x = np.asarray(check_array(data, dtype=np.float64, order="C", ensure_min_samples=0))
        except (TypeError, ValueError) as error:
            raise ClusteringError(f"X is not a table of finite numbers: {error}") from None
        check_size(x)
        self._numbers = x
        return x

    def like(self, points: np.ndarray) -> Any:
        """Other numbers (m, d) in the kind of this table: frames with its columns."""
        frame = as_frame(self.data)
        if frame is None:
            return points
        if library(self.data) == "pandas":
            made = type(self.data)(points, columns=self.data.columns)
        else:
            import narwhals.stable.v2 as nw
            made = nw.from_numpy(points, list(frame.columns), backend=frame.implementation
                                 ).to_native()
        return ObjectTable(data=made, n=len(points), _numbers=points)

    def select(self, columns: Sequence[Any]) -> ObjectTable:
        """Columns of a frame by their names, in this order."""
        frame = as_frame(self.data)
        data = (self.data[list(columns)] if library(self.data) == "pandas" else
                frame.select(*columns).to_native())
        return ObjectTable(data=data, n=self.n, names=self.names)

    def tobytes(self) -> bytes:
        """Bytes by which the content is recognised: those of the numbers, if there are any."""
        if not self.pairwise and self.is_numeric:
            return self.numbers.tobytes()
        if not self._digest:
            import joblib
            self._digest = str(joblib.hash(self.data)).encode()
        return self._digest


def as_objects(X: Any, estimator: Any = None, *, minimum: int = 2) -> ObjectTable:
    """Read a table of objects.

    Parameters
    ----------
    X : array-like
        Array, frame of any library, sparse matrix, or list of objects.
    estimator : clusterer or callable, optional
        If it works on distances (``metric="precomputed"``), X is a square matrix of them.
    minimum : int
        Smallest number of objects.

    Returns
    -------
    ObjectTable

    Raises
    ------
    ClusteringError
        If X has too few objects, or is not a table that is held in memory, or distances are
        not square.

    Examples
    --------
    >>> from softclust.clusterings.object_table import as_objects
    >>> as_objects([[1, 2], [3, 4]]).numbers
    array([[1., 2.],
           [3., 4.]])
    >>> as_objects([["a", 2], ["b", 4]]).numbers
    Traceback (most recent call last):
    softclust.ClusteringError: X is not a table of finite numbers: column 0 has text ('a', 'b'). \
Encode ...
    """
    if isinstance(X, ObjectTable):
        return X
    sparse = library(X) == "scipy" and hasattr(X, "tocsr")
    if isinstance(X, (str, bytes)) or X is None or (isinstance(X, dict) and not sparse):
        raise ClusteringError(f"X is a {type(X).__name__}; a table with a row for each object "
                              "is needed")
    if hasattr(X, "obs_names") and hasattr(X, "X"):
        raise ClusteringError(f"X is a {type(X).__name__}; give the part that is clustered: "
                              ".obsm['X_pca'], .X or .to_df() (guide: Single cells)")
    frame = as_frame(X)
    if frame is not None and is_lazy(frame):
        raise ClusteringError(f"the rows of X, a {type(X).__name__}, are in their engine; "
                              "collect them first")
    names, data = naming_of(X), X
    if sparse:
        data = X.tocsr()
    elif frame is None and not hasattr(X, "iloc"):
        data = _array(X)
    n = int(data.shape[0]) if hasattr(data, "shape") and data.shape else len(data)
    if n < minimum:
        objects = "1 object" if n == 1 else f"{n} objects"
        raise ClusteringError(f"X has {objects} (rows, n_samples = {n}); at least {minimum} are "
                              "needed")
    if not works_on_distances(estimator):
        return ObjectTable(data=data, n=n, names=names)
    if np.shape(data) != (n, n):
        raise ClusteringError(f"{type(estimator).__name__} works on distances and X has shape "
                              f"{np.shape(data)}; a square matrix of distances is needed")
    data = distances_between(data, names_in(X), called=("the rows of X", "its columns"))
    return ObjectTable(data=data, n=n, names=names, pairwise=True)


def distances_between(d: Any, names: Sequence[Any] | None, *, called: tuple[str, str]) -> Any:
    """Distances with rows and columns in the order of the named objects; see `matched`."""
    if names_in(d) is None:
        return d
    for axis in (0, 1):
        order = matched(names, names_in(d if axis == 0 else d.T), called=called)
        if order is not None:
            d = d.take(order, axis=axis)
    return d


def works_on_distances(estimator: Any) -> bool:
    """Test whether a clusterer takes distances or affinities of all objects instead of a table."""
    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        return False
    parameters = estimator.get_params(deep=False)
    if "precomputed" in (parameters.get("metric"), parameters.get("affinity")):
        return True
    if works_on_distances(parameters.get("estimator")):   # a clusterer that wraps another
        return True
    from sklearn.utils import get_tags
    try:
        return bool(get_tags(estimator).input_tags.pairwise)
    except (AttributeError, TypeError, ValueError):   # not a class of scikit-learn
        return False


def validated(estimator: Any, X: Any, *, reset: bool) -> np.ndarray:
    """Finite numbers of X for an estimator of ours, which notes or compares the features."""
    from sklearn.utils.validation import validate_data
    if type(X) is not np.ndarray and (as_frame(X) is not None or library(X) == "scipy"):
        x = as_objects(X, minimum=1).numbers
        validate_data(estimator, X, skip_check_array=True, reset=reset)
        return x
    try:
        x = validate_data(estimator, X, dtype=np.float64, order="C", reset=reset)
    except ValueError:
        if problems := _problems(_array(X)):
            raise ClusteringError(problems) from None
        raise
    check_size(x)
    return np.asarray(x)


def as_given(rows: Any) -> Any:
    """Rows as a clusterer gets them."""
    return rows.data if isinstance(rows, ObjectTable) else rows


def fresh(rows: Any) -> Any:
    """A copy of rows for a clusterer, which may change it."""
    return copy(as_given(rows))


def finite_rows(rows: Any) -> np.ndarray:
    """The finite numbers of rows."""
    return rows.numbers if isinstance(rows, ObjectTable) else rows


def are_numeric(rows: Any) -> bool:
    """Test whether rows are finite numbers."""
    return not isinstance(rows, ObjectTable) or rows.is_numeric


def check_size(x: np.ndarray) -> None:
    """Raise when squared distances between rows of x could overflow."""
    largest = max(float(x.max()), -float(x.min()))
    if largest > MAX_ENTRY:
        raise TooLargeError(f"X has an entry of size {largest:.3g}; at most {MAX_ENTRY:g} is "
                            "allowed, so that squares stay finite: divide X by a constant")


def _array(values: Any) -> Any:
    """An array; of numbers as float64 where they are a matrix. Lists of objects stay lists."""
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(np.float64), np.nan)
    try:
        array = np.asarray(on_host(values))
    except ValueError:   # rows of different lengths
        return list(values)
    if array.ndim == 2 and array.dtype.kind in "USO":
        array = np.asarray(values, dtype=object)
        if all(not isinstance(v, (str, bytes)) for v in array.flat):
            try:
                return array.astype(np.float64)
            except (TypeError, ValueError):
                return array
    if array.ndim == 2 and array.dtype.kind in "biuf":
        return np.ascontiguousarray(array, dtype=np.float64)
    return list(values) if isinstance(values, (list, tuple)) and array.ndim != 2 and (
        array.dtype.kind not in "biuf") else array


def _problems(data: Any) -> str:
    """Message about the columns that are not finite numbers; "" for none."""
    problems = [problem for name, values in _columns(data) if (problem := _problem(name, values))]
    if not problems:
        return ""
    more = len(problems) - _DESCRIBED
    text = "; ".join(problems[:_DESCRIBED]) + (f"; and {more} more columns" if more > 0 else "")
    return f"X is not a table of finite numbers: {text}. {_WAYS_OUT}"


def _columns(data: Any) -> list[tuple[str, Any]]:
    """Columns that may not be finite numbers, with what to call them."""
    if type(data) is np.ndarray:
        if data.ndim != 2 or data.dtype.kind not in ("f", "O") or not data.size:
            return []
        bad = (range(data.shape[1]) if data.dtype.kind == "O" else
               np.flatnonzero(~np.isfinite(data).all(axis=0)).tolist())
        return [(f"column {j}", data[:, j]) for j in bad]
    frame = as_frame(data)
    if frame is None:
        return []
    if library(data) == "pandas":
        return [(f"column {name!r}", data[name].to_numpy(dtype=object, na_value=None)
                 if getattr(data[name].dtype, "kind", "O") not in "biuf" or
                 not isinstance(data[name].dtype, np.dtype) else data[name].to_numpy())
                for name in data.columns]
    return [(f"column {name!r}", column.to_numpy() if column.dtype.is_float()
             and not column.null_count() else
             np.array(column.to_list(), dtype=object))
            for name, column in ((name, frame[name]) for name in frame.columns)
            if not column.dtype.is_integer() or column.null_count()]


def _problem(name: str, values: np.ndarray) -> str:
    """Reason why a column is not finite numbers; "" for none."""
    if values.dtype.kind in "biu":
        return ""
    if values.dtype.kind == "f":
        missing, infinite = int(np.isnan(values).sum()), int(np.isinf(values).sum())
    else:
        known = [v for v in values if not (v is None or v != v or str(v) == "<NA>")]
        other = [v for v in known if not isinstance(v, (bool, int, float, np.number, np.bool_))
                 and (isinstance(v, (str, bytes)) or not hasattr(v, "__float__"))]
        if other:
            what = ("text" if isinstance(other[0], (str, bytes)) else "dates"
                    if hasattr(other[0], "year") or isinstance(other[0], np.datetime64) else
                    f"objects of type {type(other[0]).__name__}")
            shown = ", ".join(repr(str(v)) for v in dict.fromkeys(map(str, other[:50])))
            return f"{name} has {what} ({shown if len(shown) < 40 else shown[:40] + '...'})"
        missing, infinite = len(values) - len(known), sum(np.isinf(float(v)) for v in known)
    parts = [f"{count} {word}" for count, word in (
        (missing, "missing (NaN)"), (infinite, "infinite")) if count]
    return f"{name} has {' and '.join(parts)} values" if parts else ""
