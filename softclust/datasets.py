"""Small data sets with their provenance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


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
        Where the data come from.
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


def load_iris() -> Dataset:
    """Anderson's iris flowers: 50 of each of three species, four lengths in cm.

    Returns
    -------
    Dataset
        150 objects, 4 features, 3 species, in the order setosa, versicolor, virginica.

    Notes
    -----
    scikit-learn's copy, which follows Fisher's paper; the copy of the UCI repository differs in
    two flowers.

    References
    ----------
    R. A. Fisher, "The use of multiple measurements in taxonomic problems", Annals of Eugenics 7
    (1936) 179-188.

    Examples
    --------
    >>> import softclust as sc
    >>> iris = sc.datasets.load_iris()
    >>> iris
    Dataset('iris', 150 objects, 4 features, 3 classes)
    >>> iris.label_names
    ('setosa', 'versicolor', 'virginica')
    """
    import numpy as np
    from sklearn.datasets import load_iris as sklearn_iris

    from ._checks import frozen
    bunch = sklearn_iris()
    return Dataset(
        name="iris",
        data=frozen(np.ascontiguousarray(bunch.data, dtype=np.float64)),
        labels=frozen(bunch.target.astype(np.int64)),
        feature_names=tuple(map(str, bunch.feature_names)),
        label_names=tuple(map(str, bunch.target_names)),
        source="E. Anderson (1935), R. A. Fisher (1936); scikit-learn's copy",
    )
