"""Measured data: from scikit-learn."""

from __future__ import annotations

from ._dataset import Dataset, dataset


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
    from sklearn.datasets import load_iris as sklearn_iris
    bunch = sklearn_iris()
    return dataset(
        "iris", bunch.data, bunch.target,
        feature_names=tuple(map(str, bunch.feature_names)),
        label_names=tuple(map(str, bunch.target_names)),
        source="E. Anderson (1935), R. A. Fisher (1936); scikit-learn's copy",
    )
