"""Consensus methods: matching members to a consensus, and fitting it to matched members."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from .._checks import ClusteringError
from ..clusterings import Ensemble
from ..running.threads import run_chunks

#: entries of a block of rows gathered from all members at once
_BLOCK = 1 << 18
#: weights of votes differ by rounding only
_SLACK = 5e-13
#: slopes of equal sums of weights, too
_SLOPES = 1e-12


class Members:
    """Clusterings as membership matrices padded to K columns.

    Parameters
    ----------
    ensemble : Ensemble, or anything that `Ensemble` takes
        Hard or fuzzy clusterings.
    n_clusters : int, optional
        Clusters k of the consensus.
    codes : (B, n) int, optional
        Clusters of hard members, -1 for absent objects, in place of an ensemble.

    Attributes
    ----------
    count, n : int
        Numbers of members and of objects.
    codes : (B, n) int64 or None
        Clusters of hard members, -1 for absent objects; None where some are fuzzy.
    present : (B, n) bool or None
        Which objects members hold; None where all hold all.
    widths : (B,) int64
        Number of clusters of each member.
    width : int
        K, columns of every padded matrix.
    naming : tuple or None
        Names of the objects, those of the first member that has any.
    """

    def __init__(self, ensemble: Any, n_clusters: int | None = None, *,
                 codes: np.ndarray | None = None) -> None:
        self.naming: Any = None
        self.present: np.ndarray | None = None
        self.codes = None if codes is None else codes.astype(np.int64)
        if self.codes is not None:
            self.widths = self.codes.max(axis=1) + 1
        else:
            ensemble = ensemble if isinstance(ensemble, Ensemble) else Ensemble(ensemble)
            self.naming, self.widths = ensemble.naming, np.array(ensemble.n_clusters)
            if not ensemble.is_complete:
                self.codes = ensemble.labels.astype(np.int64)
                self.present = ensemble.present
        self._clusterings = [] if self.codes is not None else list(ensemble)
        for name, clustering in zip(getattr(ensemble, "names", ()), self._clusterings):
            if not clustering.has_memberships:
                raise ClusteringError(
                    f"member {name!r} is {clustering.kind}; hard or fuzzy clusterings are needed: "
                    "convert it by a named rule, .to_fuzzy() or .harden()")
        if self.codes is None and all(c.hard_codes is not None for c in self._clusterings):
            self.codes = np.stack([c.as_hard().labels for c in self._clusterings])
        self.count = len(self.widths)
        self.n = (self._clusterings[0].n_objects if self.codes is None
                  else int(self.codes.shape[1]))
        self.k = int(self.widths.max()) if n_clusters is None else n_clusters
        self.width = max(self.k, int(self.widths.max()))

    def matrix(self, b: int, rows: slice = slice(None)) -> np.ndarray:
        """Memberships of member b, (n, K), or some of its rows; rows of absent objects are 0."""
        if self.codes is None:
            return pad(self._clusterings[b].memberships()[rows], self.width)
        # a label of -1 takes the last row, of zeros
        return np.eye(self.width + 1, self.width).take(self.codes[b, rows], axis=0)

    def held(self, b: int) -> slice | np.ndarray:
        """Rows of the objects that member b holds."""
        return slice(None) if self.present is None else self.present[b]

    def totals(self, weights: np.ndarray) -> np.ndarray | None:
        """Weight of the members that hold each object, (n,); None where all hold all."""
        return None if self.present is None else np.asarray(weights @ self.present)


class Method(Protocol):
    """One consensus method: distance of matched memberships and best fit to them."""

    hard: bool

    def match(self, m: np.ndarray, y: np.ndarray, width: int) -> tuple[np.ndarray, float]:
        """Columns of y for the columns of m (-1: none), and the distance^e so matched."""

    def fit(self, members: Members, weights: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """The m that is nearest to the matched members."""


def assigned(gain: np.ndarray) -> np.ndarray:
    """Column of each row with the largest sum of gains."""
    from scipy.optimize import linear_sum_assignment
    rows, columns = linear_sum_assignment(gain, maximize=True)
    column_of_row = np.full(gain.shape[0], -1)
    column_of_row[rows] = columns
    return column_of_row


class Euclidean:
    """SE, HE: squared Euclidean distance of matched memberships."""

    def __init__(self, *, hard: bool) -> None:
        self.hard = hard

    def match(self, m: np.ndarray, y: np.ndarray, width: int) -> tuple[np.ndarray, float]:
        columns = assigned(m.T @ y)
        difference = m - y.take(columns, axis=1)
        return columns, float((difference * difference).sum())

    def fit(self, members: Members, weights: np.ndarray, columns: np.ndarray) -> np.ndarray:
        mean = weighted_mean(members, weights, columns)
        return largest_only(mean, members.k) if self.hard else onto_first(mean, members.k)


class Manhattan:
    """SM, HM: sum of absolute differences of matched memberships."""

    def __init__(self, *, hard: bool) -> None:
        self.hard = hard

    def match(self, m: np.ndarray, y: np.ndarray, width: int) -> tuple[np.ndarray, float]:
        columns = assigned(-(cost := column_gaps(m, y)))
        return columns, float(cost[np.arange(cost.shape[0]), columns].sum())

    def fit(self, members: Members, weights: np.ndarray, columns: np.ndarray) -> np.ndarray:
        if self.hard:
            return largest_only(weighted_mean(members, weights, columns), members.k)
        if members.codes is not None:
            return most_voted(weighted_mean(members, weights, columns), members.k)
        return medians_on_simplex(members, weights, columns)


class GordonVichi:
    """GV1: squared distances over disjoint pairs of classes; unpaired classes cost nothing."""

    hard = False

    def match(self, m: np.ndarray, y: np.ndarray, width: int) -> tuple[np.ndarray, float]:
        y = y[:, :width]
        used = np.flatnonzero(m.any(axis=0))
        columns = np.full(m.shape[1], -1)
        if not used.size:
            return columns, 0.0
        squares = (m[:, used] ** 2).sum(axis=0)[:, None] + (y * y).sum(axis=0)[None, :]
        cost = np.maximum(squares - 2.0 * (m[:, used].T @ y), 0.0)
        assignment = assigned(-cost)
        columns[used] = assignment
        paired = assignment >= 0
        return columns, float(cost[np.flatnonzero(paired), assignment[paired]].sum())

    def fit(self, members: Members, weights: np.ndarray, columns: np.ndarray) -> np.ndarray:
        k = members.k
        alpha = np.zeros(k)
        total = np.zeros((members.n, k))
        for b, weight in enumerate(weights):
            paired = np.flatnonzero(columns[b, :k] >= 0)
            alpha[paired] += weight
            total[:, paired] += weight * members.matrix(b)[:, columns[b, paired]]
        mean = np.divide(total, alpha, out=np.zeros_like(total), where=alpha > 0)
        return pad(nearest_weighted(mean, alpha), members.width)


def column_gaps(m: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Sums of absolute differences between all columns of m and of y, both (n, K); (K, K)."""
    if ((m == 1.0) | (m == 0.0)).all() and ((y == 1.0) | (y == 0.0)).all():   # counts
        return np.asarray(m.sum(axis=0)[:, None] + y.sum(axis=0) - 2.0 * (m.T @ y))
    from scipy.spatial.distance import cdist
    return np.asarray(cdist(m.T, y.T, "cityblock"))


def weighted_mean(members: Members, weights: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Mean of the members that hold an object, columns as those of the consensus, (n, K)."""
    mean = np.zeros((members.n, members.width))
    if members.codes is not None:   # votes
        objects, names = np.arange(members.n), np.argsort(columns, axis=1)
        for b in np.flatnonzero(weights > 0).tolist():
            held = members.held(b)
            mean[objects[held], names[b][members.codes[b, held]]] += weights[b]
    else:
        for b in np.flatnonzero(weights > 0).tolist():
            mean += weights[b] * members.matrix(b)[:, columns[b]]
    totals = members.totals(weights)
    return mean if totals is None else mean / totals[:, None]


def largest_only(mean: np.ndarray, k: int) -> np.ndarray:
    """One at the largest of the first k entries of each row, the first one on ties."""
    fitted = np.zeros_like(mean)
    fitted[np.arange(mean.shape[0]), mean[:, :k].argmax(axis=1)] = 1.0
    return fitted


def most_voted(mean: np.ndarray, k: int) -> np.ndarray:
    """The medians of hard members: equal shares of the most voted of the first k columns."""
    fitted, votes = np.zeros_like(mean), mean[:, :k]
    largest = votes >= votes.max(axis=1, keepdims=True) - _SLACK
    fitted[:, :k] = largest / largest.sum(axis=1, keepdims=True)
    return fitted


def onto_first(mean: np.ndarray, k: int) -> np.ndarray:
    """Rows projected onto memberships in the first k columns.

    Exact: what the other columns hold is shared equally, since it is not negative.
    """
    if k == mean.shape[1]:
        return mean
    fitted = np.zeros_like(mean)
    used = mean[:, :k]
    fitted[:, :k] = used + (1.0 - used.sum(axis=1, keepdims=True)) / k
    return fitted


def medians_on_simplex(members: Members, weights: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Rows on the simplex with the least weighted sum of absolute differences, exactly."""
    k, used = members.k, np.flatnonzero(weights > 0)
    fitted = np.zeros((members.n, members.width))
    w = row_weights(members, weights, used)
    step = max(1, _BLOCK // (k * used.size))

    def work(start: int, stop: int) -> None:
        for block in range(start, stop):
            rows = slice(block * step, min((block + 1) * step, members.n))
            values = np.stack([members.matrix(int(b), rows)[:, columns[b, :k]] for b in used],
                              axis=2)
            fitted[rows, :k] = fit_rows_l1(values, w if len(w) == 1 else w[rows])

    run_chunks(work, -(-members.n // step), 1)
    return fitted


def fit_rows_l1(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """For each row the m on the simplex with least sum_b w_b sum_j |y_bj - m_j|, (rows, k).

    `values` (rows, k, B) in [0, 1], `weights` (rows, B), or (1, B) for all rows, each of sum 1.
    Each coordinate's loss f_j is piecewise linear with slopes -1 + 2 (weight of the values up to
    m). Its minimisers of f_j(m) - lam m form an interval [lower_j, upper_j]; the least lam with
    sum upper_j >= 1 is found by bisection over all slopes, and m divides lower and upper in the
    same proportion for all coordinates.
    """
    order = values.argsort(axis=2)
    rows, k, _ = values.shape
    points = np.concatenate([np.take_along_axis(values, order, 2), np.ones((rows, k, 1))], axis=2)
    slopes = 2.0 * np.take_along_axis(weights[:, None, :], order, 2).cumsum(axis=2) - 1.0
    slopes[:, :, -1] = 1.0
    candidates = np.sort(np.concatenate([np.full((rows, 1), -1.0), slopes.reshape(rows, -1)],
                                        axis=1), axis=1)

    def points_after(passed: np.ndarray) -> np.ndarray:
        """The first points whose slopes have not been passed; 1 after all of them."""
        return np.take_along_axis(points, passed.sum(axis=2, keepdims=True), 2)[:, :, 0]

    low, high = np.zeros(rows, dtype=np.int64), np.full(rows, candidates.shape[1] - 1)
    each = np.arange(rows)
    while (low < high).any():
        middle = (low + high) // 2
        lam = candidates[each, middle]
        enough = points_after(slopes <= lam[:, None, None] + _SLOPES).sum(axis=1) >= 1.0
        low, high = np.where(enough, low, middle + 1), np.where(enough, middle, high)
    lam = candidates[each, low][:, None]
    upper = points_after(slopes <= lam[:, :, None] + _SLOPES)
    lower = np.where(lam <= -1.0 + _SLOPES, 0.0,
                     points_after(slopes < lam[:, :, None] - _SLOPES))
    low_sums, high_sums = lower.sum(axis=1), upper.sum(axis=1)
    share = np.divide(1.0 - low_sums, high_sums - low_sums, out=np.zeros(rows),
                      where=high_sums > low_sums)
    return lower + share.clip(0.0, 1.0)[:, None] * (upper - lower)


def nearest_weighted(mean: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Rows m on the simplex with the least sum_q alpha_q (m_q - mean_q)^2."""
    k = mean.shape[1]
    free, bound = alpha <= 0.0, alpha > 0.0
    rest = 1.0 - mean.sum(axis=1)
    fitted = np.zeros_like(mean)
    short = rest >= 0.0
    if free.any():
        # Columns without a pair cost nothing: they take what is missing.
        fitted[short] = mean[short]
        fitted[np.ix_(short, free)] = (rest[short] / free.sum())[:, None]
        todo = ~short
    else:
        todo = np.ones(mean.shape[0], dtype=bool)
    if not todo.any():
        return fitted
    # m_q = max(mean_q + lam / alpha_q, 0): columns leave in the order of alpha_q mean_q.
    inverse = 1.0 / alpha[bound]
    values = mean[np.ix_(todo, bound)]
    order = np.argsort(-values * alpha[bound], axis=1, kind="stable")
    sorted_values = np.take_along_axis(values, order, axis=1)
    sorted_inverse = inverse[order]
    lam = (1.0 - np.cumsum(sorted_values, axis=1)) / np.cumsum(sorted_inverse, axis=1)
    positive = sorted_values + lam * sorted_inverse > 0.0
    last = k - free.sum() - 1 - np.argmax(positive[:, ::-1], axis=1)
    chosen = np.take_along_axis(lam, last[:, None], axis=1)
    fitted[np.ix_(todo, bound)] = np.maximum(values + chosen * inverse, 0.0)
    return fitted


def row_weights(members: Members, weights: np.ndarray, used: np.ndarray) -> np.ndarray:
    """Weights of the members `used` in each row, of sum 1: (n, B), or (1, B) where all are equal.
    """
    totals = members.totals(weights)
    if totals is None:
        return np.asarray(weights[used] / weights[used].sum())[None]
    shares = np.zeros((members.n, used.size))
    for t, b in enumerate(used):
        shares[members.held(int(b)), t] = weights[b]
    return shares / totals[:, None]


def pad(matrix: np.ndarray, width: int) -> np.ndarray:
    """A copy of `matrix` with zero columns up to `width`."""
    padded = np.zeros((matrix.shape[0], width))
    padded[:, :matrix.shape[1]] = matrix
    return padded
