"""Weighted means and variances of features, row after row as numpy sums along the first axis."""

from ._jit import borrowing

#: what is compiled, in messages
TOPIC = "means and variances"


@borrowing
def mean_and_square(x, share, origin, mean, square):
    """mean (p,) = sum of share_i (x_i - origin), square (p,) = that of share_i (x_i - origin -
    mean)^2."""
    n, p = x.shape
    for j in range(p):
        mean[j] = 0.0
        square[j] = 0.0
    for i in range(n):
        for j in range(p):
            mean[j] += share[i] * (x[i, j] - origin[j])
    for i in range(n):
        for j in range(p):
            e = (x[i, j] - origin[j]) - mean[j]
            square[j] += share[i] * (e * e)
