"""Normal draws for simultaneous comparisons: maxima of standardised differences.

One routine for all sets "that may be the best". Theory: docs/theory/limits.md.
"""

from __future__ import annotations

import numpy as np

#: draws of a fixed stream that are made at a time
_BLOCK, _STREAM = 10_000, 19840903


def drawn_maxima(covariance: np.ndarray, errors: np.ndarray, key: np.ndarray, df: float,
                 n_draws: int, *, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Maxima of differences of m estimates, and of the estimates themselves, over their errors.

    Z is normal with the covariance (m, m), chi^2 has `df` degrees of freedom. Row i of the first
    result (m, n_draws) has the max over j of (Z_j - Z_i)/errors_ij, the second (n_draws,) the max
    of \\|Z_i\\|/sd_i, both over sqrt(chi^2/df). Errors up to `least` are left out. The draws do not
    depend on the order of the estimates, whose values `key` tell apart what has equal covariances.
    """
    m = key.shape[0]
    order = np.lexsort((covariance.sum(axis=0), covariance.diagonal(), key))
    sizes, vectors = np.linalg.eigh(covariance[np.ix_(order, order)])
    root = vectors * np.sqrt(np.maximum(sizes, 0.0))
    inverse = _inverse(errors[np.ix_(order, order)], least)
    alone = _inverse(np.sqrt(covariance.diagonal()[order]), least)
    rng = np.random.default_rng(_STREAM)
    largest, single = np.empty((m, n_draws)), np.empty(n_draws)
    for first in range(0, n_draws, _BLOCK):
        part = slice(first, min(first + _BLOCK, n_draws))
        size = part.stop - first
        z = np.ascontiguousarray((rng.standard_normal((size, m)) @ root.T).T)
        chi = np.sqrt(rng.chisquare(df, size) / df)
        for i in range(m):
            largest[i, part] = ((z - z[i]) * inverse[i][:, None]).max(axis=0) / chi
        single[part] = (np.abs(z) * alone[:, None]).max(axis=0) / chi
    return largest[np.argsort(order)], single


def _inverse(errors: np.ndarray, least: float) -> np.ndarray:
    return np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > least)
