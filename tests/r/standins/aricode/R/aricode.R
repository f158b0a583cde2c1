# Stand-in written from Vinh, Epps and Bailey (2010).

information <- function(c1, c2) {
  t <- table(c1, c2)
  h <- function(p) -sum(ifelse(p > 0, p * log(p), 0))
  n <- sum(t)
  list(u = h(rowSums(t) / n), v = h(colSums(t) / n), uv = h(t / n), a = rowSums(t),
       b = colSums(t), n = n)
}

NMI <- function(c1, c2, variant = c("max", "min", "sqrt", "sum", "joint")) {
  i <- information(c1, c2)
  (i$u + i$v - i$uv) / switch(match.arg(variant), max = max(i$u, i$v), min = min(i$u, i$v),
                              sqrt = sqrt(i$u * i$v), sum = (i$u + i$v) / 2, joint = i$uv)
}

NID <- function(c1, c2) 1 - NMI(c1, c2, "max")

NVI <- function(c1, c2) 1 - NMI(c1, c2, "joint")

AMI <- function(c1, c2) {
  i <- information(c1, c2)
  expected <- 0
  for (a in i$a) for (b in i$b) {
    t <- max(1, a + b - i$n):min(a, b)
    expected <- expected + sum(t / i$n * log(i$n * t / (a * b)) *
                                 stats::dhyper(t, a, i$n - a, b))
  }
  (i$u + i$v - i$uv - expected) / (max(i$u, i$v) - expected)
}

ARI <- function(c1, c2) {
  t <- table(c1, c2)
  pairs <- function(v) sum(v * (v - 1) / 2)
  p <- pairs(rowSums(t))
  q <- pairs(colSums(t))
  e <- p * q / pairs(sum(t))
  (pairs(t) - e) / ((p + q) / 2 - e)
}
