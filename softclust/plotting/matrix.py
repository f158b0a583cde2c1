"""Heat maps: many clusterings, contingency tables, matched clusters, pairs that blur."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from .._checks import check_choice
from ..results.text import in_words, position
from .figures import (
    HEAT,
    HEAT_OF_DISAGREEMENT,
    HEAT_OF_DISTANCES,
    PALETTE,
    RAIL,
    chart,
    colour_bar,
    heat_map,
    name_columns,
    new_axes,
    pyplot,
    without_frame,
    written,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..comparison.matrix import ComparisonMatrix
    from ..comparison.versions import VersionComparison
    from ..memberships.matching import Matching
    from ..soft_pairs.entropies import PairwiseEntropy
    from ..tables.contingency_table import ContingencyTable

#: clusterings up to which the numbers are written
_WITH_NUMBERS = 16
#: room for an interval on one line
_INTERVAL_INCHES = 0.85


@chart("ComparisonMatrix", "compare_all(clusterings)")
def plot_matrix(matrix: ComparisonMatrix, *, ax: Axes | None = None) -> Axes:
    """Draw a matrix of comparisons as a heat map with the numbers.

    Of a symmetric measure the lower triangle is drawn. Darker is more alike, also for a
    dissimilarity; colours run over the values of different clusterings, and the diagonal has
    numbers without a colour. The cell of an interval is cut from bottom left to top right: the
    upper half has the colour of the upper end, the lower half that of the lower end. More than 16
    clusterings are drawn without numbers.

    Parameters
    ----------
    matrix : ComparisonMatrix
        Result of `softclust.compare_all`.

    Returns
    -------
    matplotlib.axes.Axes
        Row i is drawn at y = i, column j at x = j; undefined entries are grey.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(3, random_state=0).fit(iris.data)
    >>> rough = softclust.cluster.RoughKMeans(3, ratio=1.5, random_state=0).fit(iris.data)
    >>> ax = softclust.compare_all({"species": iris.labels, "fuzzy": fuzzy, "rough": rough},
    ...                            measure="alpha_rand_interval").plot()
    >>> ax.texts[1].get_text()
    '0.813'
    """
    from matplotlib.collections import PolyCollection
    n = len(matrix)
    many = n > _WITH_NUMBERS
    size = (0.17 * n + 2.6, 0.17 * n + 1.4)
    if not many:
        cell = 1.15 if matrix.interval_valued else 0.75
        size = (cell * n + 2.6, 0.6 * cell * n + 1.4)
    ax = new_axes(ax, *size)
    colours = pyplot().get_cmap(
        HEAT if matrix.sense == "agreement" else HEAT_OF_DISTANCES).with_extremes(bad=RAIL)
    pairs = [(i, j) for i in range(n) for j in range(i + 1 if matrix.symmetric else n)]

    # Two triangles for an interval, a square for a number, and their values.
    cells: list[list[tuple[float, float]]] = []
    values: list[float] = []
    for i, j in pairs:
        left, right, top, foot = j - 0.5, j + 0.5, i - 0.5, i + 0.5
        low, high = float(matrix.lower[i, j]), float(matrix.upper[i, j])
        if i == j:
            continue
        if matrix.interval_valued and low != high:
            cells += [[(left, foot), (left, top), (right, top)],
                      [(left, foot), (right, foot), (right, top)]]
            values += [high, low]
        else:
            cells.append([(left, foot), (left, top), (right, top), (right, foot)])
            values.append(low)
    # From the smallest to the largest value of two different clusterings, so that these differ.
    finite = [v for v in values if math.isfinite(v)]
    limits = (min(finite), max(finite)) if finite else (0.0, 1.0)
    if limits[0] == limits[1]:
        limits = limits[0] - 0.5, limits[1] + 0.5
    drawn = PolyCollection(cells, array=np.ma.masked_invalid(values), cmap=colours,
                           edgecolors="face", linewidths=0.3, clim=limits)
    ax.add_collection(drawn)

    narrow = ax.get_window_extent().width / ax.figure.dpi < _INTERVAL_INCHES * n
    for i, j in () if many else pairs:
        text = matrix.text(i, j)
        ax.text(j, i, text.replace(", ", ",\n") if narrow else text, ha="center", va="center",
                fontsize="small",
                bbox={"facecolor": "white", "alpha": 0.8, "lw": 0, "boxstyle": "round,pad=0.2"})
    ax.set_xlim(-0.5, n - 0.5)
    ax.set_ylim(n - 0.5, -0.5)
    names = [written(name, 28) for name in matrix.names]
    name_columns(ax, range(n), names, longest=9, upright=many, above=not matrix.symmetric)
    ax.set_yticks(range(n), names)
    without_frame(ax)
    colour_bar(ax, drawn, f"{matrix.sense} (darker: more alike)")
    ends = matrix.interval_valued and np.any(matrix.lower != matrix.upper)
    cut = "\nsplit cells: upper end above, lower end below" if ends else ""
    ax.set_title(f"{in_words(matrix.label)}, {matrix.objects_text}{cut}")
    return ax


@chart("ContingencyTable", "contingency_table(x, y)")
def plot_contingency(table: ContingencyTable, *, ax: Axes | None = None) -> Axes:
    """Draw a contingency table: counts, coloured by their share of the row.

    Parameters
    ----------
    table : ContingencyTable
        With at most 200 rows and columns.

    Returns
    -------
    matplotlib.axes.Axes
        Rows are clusters of x, columns clusters of y; numbers up to 20 rows and columns.

    Raises
    ------
    ValueError
        If there are more rows or columns.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> kmeans = KMeans(3, n_init=10, random_state=0).fit(iris.data)
    >>> ax = softclust.contingency_table(iris.labels, kmeans.labels_).plot()
    >>> sum(int(text.get_text()) for text in ax.texts)
    150
    """
    if max(len(table.x_names), len(table.y_names)) > 200:
        raise ValueError(f"the table has {len(table.x_names)} rows and {len(table.y_names)} "
                         "columns; at most 200 can be drawn")
    counts = np.asarray(table.dense(), float)
    ax = heat_map(ax, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-300),
                  [written(name, 20) for name in table.x_names],
                  [written(name, 20) for name in table.y_names], label="share of the row",
                  texts=[[f"{count:g}" for count in row] for row in counts.tolist()])
    ax.set(xlabel="clusters of y", ylabel="clusters of x",
           title=f"{table.n_objects:,} objects by cluster")
    return ax


@chart("Matching", "match_clusters(x, y)")
def plot_matching(matching: Matching, *, ax: Axes | None = None) -> Axes:
    """Draw a matched table as a heat map with the counts; pairs are framed.

    Parameters
    ----------
    matching : Matching
        Result of `softclust.match_clusters`.

    Returns
    -------
    matplotlib.axes.Axes
        Row i of the matched table is drawn at y = i, column j at x = j. Colour is the score: blue
        where a cell holds more than expected under independence, orange where it holds less.

    Examples
    --------
    >>> import softclust
    >>> from sklearn.cluster import KMeans
    >>> iris = softclust.datasets.load_iris()
    >>> kmeans = KMeans(4, n_init=10, random_state=0).fit(iris.data)
    >>> ax = softclust.match_clusters(iris.labels, kmeans).plot()
    >>> ax.get_title(loc="left")
    '72.7 % of the objects in matched clusters (framed)'
    """
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle
    around = LinearSegmentedColormap.from_list("around 0", [PALETTE[5], "white", PALETTE[0]])
    if not isinstance(matching.table, np.ndarray):
        r, s = matching.table.shape
        raise ValueError(f"a table of {r} by {s} clusters is too large to draw; to_frame() has "
                         "its pairs")
    frame = matching.to_frame()
    table = matching.matched_table
    score = matching.score[np.ix_(matching.row_order, matching.column_order)]
    limit = float(np.abs(score).max()) or 1.0
    form = "{:d}" if table.dtype == np.int64 else "{:.3g}"
    ax = heat_map(ax, score, [written(name, 28) for name in frame.index],
                  [written(name, 28) for name in frame.columns], limits=(-limit, limit),
                  cmap=around, label="score: more (+) or less (-)\nthan expected",
                  texts=[[form.format(count) for count in row] for row in table.tolist()])
    for i in range(len(matching.pairs)):
        ax.add_patch(Rectangle((i - 0.47, i - 0.45), 0.94, 0.9, fill=False, lw=2.0,
                               edgecolor="black"))
    ax.set(xlabel="clusters of y", ylabel="clusters of x",
           title=f"{100 * matching.diagonal:.1f} % of the objects in matched clusters (framed)")
    return ax


@chart("PairwiseEntropy", "pairwise_entropy(x)")
def plot_pairwise_entropy(entropy: PairwiseEntropy, *, ax: Axes | None = None) -> Axes:
    """Draw the pairwise entropies of clusters: the lower triangle of the matrix.

    Parameters
    ----------
    entropy : PairwiseEntropy
        Result of `pairwise_entropy`.

    Returns
    -------
    matplotlib.axes.Axes
        Darker pairs are harder to tell apart.

    Examples
    --------
    >>> import softclust
    >>> iris = softclust.datasets.load_iris()
    >>> fuzzy = softclust.cluster.FuzzyCMeans(4, random_state=0).fit(iris.data)
    >>> ax = softclust.pairwise_entropy(fuzzy).plot()
    >>> [text.get_text() for text in ax.texts]
    ['0.27', '0.38', '0.74', '0.36', '0.74', '0.63']
    """
    c = entropy.matrix.shape[0]
    names = [written(name, 20) for name in entropy.names]
    low = np.where(np.tril(np.ones((c, c), bool), -1), entropy.matrix, np.nan)[1:, :-1]
    if c < 2:
        low = np.full((1, 1), np.nan)
    top = max(1.0, float(np.nanmax(low))) if np.isfinite(low).any() else 1.0
    ax = heat_map(ax, low, names[1:] or names, names[:-1] or names, limits=(0.0, top),
                  cmap=HEAT_OF_DISAGREEMENT, label="entropy (darker: harder to tell apart)")
    ax.set_title("which pairs of clusters blur")
    return ax


@chart("VersionComparison", "compare_versions(old, new)")
def plot_versions(found: VersionComparison, *,
                  kind: Literal["runs", "clusters", "objects"] = "runs",
                  ax: Axes | None = None) -> Axes:
    """Draw all pairs of runs of two versions, or the clusters or objects by how much they changed.

    Parameters
    ----------
    found : VersionComparison
    kind : {"runs", "clusters", "objects"}
        A heat map of the measure, old and new runs framed, with the three means in its title; the
        mean similarity of each cluster within and between versions; or the statistic of the
        objects. What changed is filled.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        If clusters and objects were not compared.

    Examples
    --------
    >>> import softclust
    >>> old = [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]]
    >>> new = [[0, 0, 1, 1, 2, 2], [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 2]]
    >>> ax = softclust.compare_versions(old, new).plot()
    >>> [tick.get_text() for tick in ax.get_xticklabels()]
    ['old runs', 'new runs']
    """
    check_choice("kind", kind, ("runs", "clusters", "objects"))
    statistic, p = found.objects, found.objects_p
    if kind != "runs" and (statistic is None or p is None):
        raise ValueError("the objects were not compared; compare_versions(objects=True) does, for "
                         "hard runs of the same objects")
    if kind == "clusters":
        ax = new_axes(ax, 5.4, 0.35 * len(found.clusters) + 1.4)
        places = np.arange(len(found.clusters))
        filled = np.array([row["p_value"] <= found.significance for row in found.clusters])
        for k, (name, text) in enumerate((("within_old", "two old runs"),
                                          ("within_new", "two new runs"),
                                          ("between", "an old and a new run"))):
            values = np.array([row[name] for row in found.clusters])
            at = places + 0.16 * (k - 1)   # equal values stay visible
            ax.plot(values, at, ls="", marker="o^s"[k], ms=6, mfc="white", mec=PALETTE[k],
                    label=text)
            ax.plot(values[filled], at[filled], ls="", marker="o^s"[k], ms=6,
                    color=PALETTE[k], gid="changed")
        ax.set_yticks(places, [f"cluster {position(k)} ({row['size']})"
                               for k, row in enumerate(found.clusters)])
        ax.invert_yaxis()
        ax.set(xlabel="mean similarity of their clusters (filled: changed)", xlim=(-0.02, 1.02))
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
        return ax
    if statistic is not None and p is not None and kind == "objects":
        ax = new_axes(ax, 5.4, 3.6)
        order = np.argsort(-statistic, kind="stable")
        places, changed = np.arange(order.size), p[order] <= found.significance
        ax.plot(places, statistic[order], ls="", marker="o", ms=4, mfc="white",
                mec=PALETTE[0], label="objects")
        ax.plot(places[changed], statistic[order][changed], ls="", marker="o", ms=4,
                color=PALETTE[0], gid="changed", label=f"changed ({int(changed.sum())})")
        ax.axhline(0.0, color="0.6", lw=0.8)
        ax.set(xlabel="objects, most changed first", ylabel="change of their cluster")
        ax.legend()
        return ax
    from matplotlib.patches import Rectangle
    values = np.asarray(found.agreement.value)
    count = len(values)
    ax = new_axes(ax, 4.6, 4.0)
    other = values[~np.eye(count, dtype=bool)]
    shown = np.where(np.eye(count, dtype=bool), np.nan, values)
    # A white diagonal would look like pairs that do not agree.
    cmap = pyplot().get_cmap(HEAT if found.agreement.sense == "agreement" else HEAT_OF_DISTANCES)
    image = ax.imshow(shown, cmap=cmap.with_extremes(bad=RAIL), vmin=other.min(), vmax=other.max())
    colour_bar(ax, image, in_words(found.measure))
    for start, size in ((0, found.n_old), (found.n_old, found.n_new)):
        ax.add_patch(Rectangle((start - 0.5, start - 0.5), size, size, fill=False, lw=2,
                               edgecolor="black"))
    middle = [(found.n_old - 1) / 2, found.n_old + (found.n_new - 1) / 2]
    ax.set_xticks(middle, ["old runs", "new runs"])
    ax.set_yticks(middle, ["old runs", "new runs"], rotation=90, va="center")
    ax.tick_params(length=0)
    ax.set_title("  ".join(f"{name} {value:.2f}" for name, value in (
        ("between", found.between), ("old", found.within_old), ("new", found.within_new))
        if value is not None) + f"  p = {found.p_value:.2g}", fontsize="medium")
    return ax
