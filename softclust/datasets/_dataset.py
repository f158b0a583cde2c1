"""The data set that every function of this package returns."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import Any, Literal

import numpy as np

from .._checks import ClusteringError, check_choice, frozen
from .._types import StrPath
from ..clusterings import CoverClustering


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Dataset:
    """Data with known classes.

    Attributes
    ----------
    name : str
    data : ndarray, shape (n, p), float64
        Read-only measurements.
    labels : ndarray, shape (n,), int64
        Read-only class of each object: positions in `label_names`.
    feature_names, label_names : tuple of str
    source : str
        Origin of the data.
    """

    name: str
    data: np.ndarray
    labels: np.ndarray
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...]
    source: str

    def __repr__(self) -> str:
        n, p = self.data.shape
        return f"Dataset({self.name!r}, {n} objects, {p} features, {len(self.label_names)} classes)"


def dataset(name: str, data: Any, labels: Any, *, source: str,
            feature_names: Iterable[str] | None = None,
            label_names: Iterable[str] | None = None) -> Dataset:
    """A Dataset with read-only arrays; features x1, x2, ... and classes 0, 1, ... by default."""
    data = frozen(np.array(data, dtype=np.float64, order="C"))
    labels = frozen(np.array(labels, dtype=np.int64))
    features = feature_names or (f"x{q + 1}" for q in range(data.shape[1]))
    classes = label_names or (str(k) for k in range(int(labels.max()) + 1))
    return Dataset(name=name, data=data, labels=labels, feature_names=tuple(features),
                   label_names=tuple(classes), source=source)


def check_size(n: Any, minimum: int) -> int:
    """`n` when it is a whole number of at least `least` objects."""
    if isinstance(n, bool) or not hasattr(n, "__index__") or n < minimum:
        raise ClusteringError(f"n is {n!r}; a whole number of at least {minimum} objects is needed")
    return int(n)


def check_real(name: str, value: Any, high: float = np.inf) -> float:
    """`value` as a finite float in [0, high]."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = np.nan
    if not (np.isfinite(number) and 0.0 <= number <= high):
        allowed = ">= 0" if high == np.inf else f"in [0, {high:g}]"
        raise ClusteringError(f"{name} is {value!r}; a finite number {allowed} is needed")
    return number


# -- a table in a file -----------------------------------------------------------------------------
def customers_file() -> Path:
    """Path of a CSV file of 300 invented customers of a shop.

    Returns
    -------
    Path
        The columns are `customer` (an id), `joined` (a date), `age` (24 are missing), `orders`
        (per year), `basket` (mean value of an order), `returns` and `discount` (per cent),
        `channel`, `warehouse`, `segment` (by marketing, 24 are missing), `agency` (clusters of
        an earlier year) and `renewed`. ``scripts/customers.py`` draws it from three segments.

    Examples
    --------
    >>> import softclust
    >>> import pandas as pd
    >>> pd.read_csv(softclust.datasets.customers_file(), index_col="customer").shape
    (300, 11)
    """
    return Path(__file__).with_name("customers.csv")


# -- covers in files of communities: one cluster per line, or one object per line -----------------
def read_cover(path: StrPath, *, layout: Literal["clusters", "objects"] = "clusters",
               objects: Collection[Any] | None = None) -> CoverClustering:
    """Read overlapping clusters from a text file.

    Parameters
    ----------
    path : str or path
        Names separated by spaces or tabs; lines that start with ``#`` and empty lines are
        skipped. Files ending in ``.gz`` are unpacked.
    layout : {"clusters", "objects"}
        "clusters": each line lists the objects of one cluster, as the communities of SNAP and
        files ``.cnl`` do. "objects": each line is an object followed by its clusters, as
        ``community.dat`` of the LFR benchmark.
    objects : sequence, optional
        All objects in order; objects in no line are in no cluster. By default the objects of the
        file: sorted ("clusters") or in the order of the lines ("objects").

    Returns
    -------
    CoverClustering
        Names are whole numbers if all names in the file are, else text.

    Raises
    ------
    ClusteringError
        If the file has no objects, an object is twice in a cluster or has two lines, or is not
        among `objects`.

    Examples
    --------
    >>> import softclust
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with open(f"{folder}/communities.txt", "w") as file:
    ...         _ = file.write("# two communities\\n1 2 3\\n3 4\\n")
    ...     x = softclust.datasets.read_cover(f"{folder}/communities.txt")
    >>> x.object_names, x.sizes
    ((1, 2, 3, 4), array([3, 2]))
    """
    check_choice("layout", layout, ("clusters", "objects"))
    rows = _whole_numbers(list(_rows(fspath(path))))
    try:
        if layout == "clusters":
            return CoverClustering.from_clusters(rows, objects=objects)
        return _of_objects(rows, objects)
    except ClusteringError as error:
        raise ClusteringError(f"{fspath(path)}: {error}") from None


def _rows(path: str) -> Iterator[list[str]]:
    opened = gzip.open if path.lower().endswith(".gz") else open
    with opened(path, "rt", encoding="utf-8-sig") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                yield line.split()


def _whole_numbers(rows: list[list[str]]) -> list[list[Any]]:
    """Names as integers where all of them are."""
    try:
        return [[int(name) for name in row] for row in rows]
    except ValueError:
        return list(rows)


def _of_objects(rows: list[list[Any]], objects: Collection[Any] | None) -> CoverClustering:
    names = [row[0] for row in rows]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ClusteringError(f"object {twice!r} has two lines; one line per object is needed")
    called = sorted({name for row in rows for name in row[1:]})
    place = {name: k for k, name in enumerate(called)}
    order = names if objects is None else list(objects)
    if not order:
        raise ClusteringError("the file has no objects; at least one object is needed")
    at = {name: i for i, name in enumerate(order)}
    for row in rows:
        if row[0] not in at:
            raise ClusteringError(f"object {row[0]!r} is not among objects")
        if len(set(row[1:])) < len(row) - 1:
            raise ClusteringError(f"the line of object {row[0]!r} has a cluster twice")
    where = np.array([at[row[0]] for row in rows for _ in row[1:]], dtype=np.int64)
    which = np.array([place[name] for row in rows for name in row[1:]], dtype=np.int64)
    return CoverClustering.of_entries(where, which, len(order), len(called), object_names=order,
                                      cluster_names=called)
