"""Agreement when y is permuted within strata: exact moments, corrected indices.

Theory: docs/theory/dependence.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .._checks import ClusteringError, check_choice, warn_undefined
from . import entropy as information
from .contingency import Contingency
from .parts import Parts, parts_of
from .table_moments import pair_moments

PAIRS = ("all", "within")
#: denominators below this share of the pairs are 0
_ZERO = 1e-13
#: strata whose products are formed at a time
_BLOCK = 1024
#: objects of one cell of which the law is formed at most
_MOST_LAW = 200_000


@dataclass(frozen=True)
class Strata:
    """Pair counts of strata, and the mean and variance of n11 when y is permuted within them."""

    parts: Parts

    @cached_property
    def sizes(self) -> np.ndarray:
        return self.parts.sizes.astype(np.float64)

    @cached_property
    def _margins(self) -> tuple[Any, Any]:
        """Sizes of the clusters in each stratum as sparse matrices (H, r) and (H, s)."""
        from scipy.sparse import csr_array
        margins = []
        for side, width in (("x", self.parts.r), ("y", self.parts.s)):
            part, cluster, sizes = self.parts.margin(side)
            margins.append(csr_array((sizes.astype(np.float64), (part, cluster)),
                                   shape=(self.parts.n_parts, width)))
        return margins[0], margins[1]

    @cached_property
    def joined(self) -> np.ndarray:
        """Pairs together in both, of each stratum."""
        return (self.parts.squares - self.sizes) / 2

    @cached_property
    def in_x(self) -> np.ndarray:
        """Pairs that x joins in each stratum."""
        return (_row_sums(self._margins[0].power(2)) - self.sizes) / 2

    @cached_property
    def in_y(self) -> np.ndarray:
        """Pairs that y joins in each stratum."""
        return (_row_sums(self._margins[1].power(2)) - self.sizes) / 2

    @cached_property
    def pairs(self) -> np.ndarray:
        """Pairs of objects of each stratum."""
        return self.sizes * (self.sizes - 1) / 2

    @cached_property
    def expected(self) -> np.ndarray:
        """Mean of the pairs together in both, of each stratum: P Q / M; 0 for one object."""
        return np.divide(self.in_x * self.in_y, self.pairs, out=np.zeros(self.sizes.size),
                         where=self.pairs > 0)

    @cached_property
    def table(self) -> Contingency:
        return self.parts.pooled()

    @cached_property
    def _expected_table(self) -> Any:
        """E, the mean of the table, sparse (r, s)."""
        from scipy.sparse import diags_array
        a, b = self._margins
        return (a.T @ diags_array(1.0 / self.sizes) @ b).tocsr()

    @property
    def within(self) -> float:
        """Mean of the pairs of one stratum that are together in both."""
        return math.fsum(self.expected)

    @cached_property
    def between(self) -> float:
        """Mean of the pairs of two strata that are together in both."""
        a, b = self._margins
        within = _row_sums(a.power(2)) * _row_sums(b.power(2)) / self.sizes**2
        return float((self._expected_table.power(2).sum() - math.fsum(within)) / 2)

    @property
    def mean(self) -> float:
        return self.within + self.between

    @cached_property
    def totals(self) -> tuple[float, float, float, float]:
        """n11, P, Q and M of all pairs."""
        c = self.table
        return ((c.squares - c.n) / 2, (float(c.a.astype(float) @ c.a) - c.n) / 2,
                (float(c.b.astype(float) @ c.b) - c.n) / 2, c.n * (c.n - 1) / 2)

    @cached_property
    def variance(self) -> float:
        """Variance of the pairs together in both, exact."""
        a, b = self._margins
        parts = []   # v + L + 2 c of each stratum
        for h in np.flatnonzero(self.sizes > 1).tolist():
            n = int(self.sizes[h])
            rows, x = _row(a, h)
            cols, y = _row(b, h)
            expected = np.outer(x, y) / n
            rest = self._expected_table[rows][:, cols].toarray() - expected
            weight = n * n * (n - 1.0)
            linear = float((rest * _spread(n, x, _spread(n, y, rest.T).T)).sum()) / weight
            k = (np.outer(x * (x - 1), y * (y - 1)) / (n * (n - 1.0))
                 - self.expected[h] * expected)
            if n > 2:
                k += np.outer(_alpha(x), _alpha(y)) / (2.0 * n * (n - 1.0) * (n - 2.0))
            inside = pair_moments(x.astype(np.int64), y.astype(np.int64)).variance
            parts.append(float(inside) + linear + 2.0 * float((rest * k).sum()))
        return max(0.0, math.fsum(parts) + self._covariance(a, b))

    def _covariance(self, a: Any, b: Any) -> float:
        """Sum over pairs of strata of <A_h, A_k> <B_h, B_k> / (w_h w_k)."""
        many = np.flatnonzero(self.sizes > 1)
        n = self.sizes[many]
        a, b = a[many], b[many]
        weight = n * n * (n - 1.0)
        total = []
        for first in range(0, many.size, _BLOCK):
            part = slice(first, first + _BLOCK)
            product = np.ones((n[part].size, many.size))
            for side in (a, b):
                square = side.power(2)
                shared = (side[part] @ side.T).toarray()
                product *= (np.outer(n[part], n) * shared
                            - n[part, None] * (side[part] @ square.T).toarray()
                            - n[None, :] * (square[part] @ side.T).toarray() + shared**2)
            product /= np.outer(weight[part], weight)
            rows = np.arange(n[part].size)
            product[rows, first + rows] = 0.0
            total.append(float(product.sum()) / 2)
        return math.fsum(total)

    # -- indices --------------------------------------------------------------------------
    def adjusted_rand(self, pairs: str = "all") -> float:
        """The adjusted Rand index beyond what the strata explain, or of pairs within strata."""
        check_choice("pairs", pairs, PAIRS)
        if pairs == "within":
            joined, p, q = (float(v.sum()) for v in (self.joined, self.in_x, self.in_y))
            mean = self.within
        else:
            joined, p, q, _ = self.totals
            mean = self.mean
        room = (p + q) / 2 - mean
        if not room > _ZERO * max(p + q, 1.0):
            return warn_undefined("adjusted_rand_index", "the strata determine the clusterings: "
                                  "every permutation within strata gives equal partitions (0/0)")
        return (joined - mean) / room

    def mutual_information(self) -> float:
        """I(x; y given the stratum), in nats."""
        p, n = self.parts, self.sizes
        a, b = (p.sizes_of_cells(side) for side in "xy")
        t = p.counts.astype(np.float64)
        terms = t * np.log1p((t * n[p.part] - a * b) / (a * b))
        return max(0.0, math.fsum(terms)) / float(n.sum())

    def permuted_information(self) -> information.Information:
        """Means of entropies and information when y is permuted within strata."""
        pooled = information.TableInformation(self.table)
        return information._of_parts(h_x=pooled.h_x, h_y=pooled.h_y, n=pooled.n,
                                    mutual=self.expected_mutual_information())

    def expected_mutual_information(self) -> float:
        """Mean of I of the pooled table; the law of a cell is a convolution over strata."""
        from scipy.stats import hypergeom
        c = self.table
        a, b = (side.toarray() for side in self._margins)
        total = []
        for i in np.flatnonzero(c.a):
            for j in np.flatnonzero(c.b):
                largest = np.minimum(a[:, i], b[:, j])
                if largest.sum() > _MOST_LAW:
                    raise ClusteringError("clusters are too large for the exact mean of the "
                                          'mutual information within strata; chance(x, y, '
                                          '"mutual_information", strata=) estimates it')
                law = np.ones(1)
                for h in np.flatnonzero(largest):
                    # Of the common objects of two clusters within the stratum.
                    chances = hypergeom.pmf(np.arange(min(a[h, i], b[h, j]) + 1.0), self.sizes[h],
                                            a[h, i], b[h, j])
                    law = np.convolve(law, chances / chances.sum())
                t = np.arange(law.size, dtype=np.float64)
                t[0] = 1.0   # its term is 0
                terms = law * t * np.log(t * (c.n / (float(c.a[i]) * float(c.b[j]))))
                total.append(math.fsum(terms[1:]))
        return math.fsum(total) / c.n


def check_unmodelled(model: str, fixed: str | None = None) -> None:
    """Raise for another null model than permutation, which strata need."""
    if fixed is not None:
        raise ClusteringError(f"strata with fixed={fixed!r}: objects are permuted within strata; "
                              "leave fixed out")
    if model != "permutation":
        raise ClusteringError(f'strata with model="{model}": objects are permuted within strata, '
                              'which is model="permutation"; leave one of them out')


def strata_of(source: Any, strata: Any) -> Strata | None:
    """The strata of two hard clusterings; None for a single one, which changes nothing."""
    parts = parts_of(source, "strata", strata)
    return None if parts.n_parts == 1 else Strata(parts)


def adjusted_mutual_information(strata: Strata, average: Any) -> float:
    """The index whose chance is permutation within strata; `average` is of H(x) and H(y)."""
    entropies = information.TableInformation(strata.table)
    mean = strata.expected_mutual_information()
    room = average(entropies) - mean
    if not room > _ZERO * math.log(max(entropies.n, 2)):
        return warn_undefined("adjusted_mutual_information", "the strata determine the "
                              "clusterings: every permutation within strata gives this value "
                              "(0/0)")
    return min(1.0, (entropies.mutual - mean) / room)


def _row_sums(matrix: Any) -> np.ndarray:
    return np.asarray(matrix.sum(axis=1), dtype=np.float64).reshape(-1)


def _row(matrix: Any, h: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns and values of one row of a csr matrix."""
    inside = slice(matrix.indptr[h], matrix.indptr[h + 1])
    return matrix.indices[inside], matrix.data[inside]


def _spread(n: int, sizes: np.ndarray, values: np.ndarray) -> np.ndarray:
    """(n diag(sizes) - sizes sizes') times values."""
    return n * sizes[:, None] * values - np.outer(sizes, sizes @ values)


def _alpha(sizes: np.ndarray) -> np.ndarray:
    """a_k^(3) + a_k times the sum of a_j^(2) over the others."""
    two = sizes * (sizes - 1)
    return two * (sizes - 2) + sizes * (two.sum() - two)

