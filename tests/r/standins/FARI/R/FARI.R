# Stand-in written from Huellermeier et al. (2012), D'Ambrosio et al. (2021), Andrews et al. (2022).

aci <- function(a, b) {
  equal <- function(u) 1 - as.vector(stats::dist(u, "manhattan")) / 2
  p <- equal(a)
  q <- equal(b)
  ndc <- 1 - mean(abs(p - q))
  expected <- 1 - mean(abs(outer(p, q, "-")))
  list(ndc = ndc, aci = (ndc - expected) / (1 - expected))
}

fari <- function(a, b) {
  n <- nrow(a)
  A <- a %*% t(a)
  B <- b %*% t(b)
  # each scaled so that its sum of squares is its sum
  k <- sum(A) * sum(B) / (sum(A^2) * sum(B^2))
  p <- sum(A * B)
  off <- function(M) sum(M) - sum(diag(M))
  e <- sum(diag(A)) * sum(diag(B)) / n + off(A) * off(B) / (n * (n - 1))
  scale <- sum(A)^2 / sum(A^2) + sum(B)^2 / sum(B^2)
  list(fri = (2 * k * p - scale + n^2 - n) / (n * (n - 1)),
       fari = 2 * k * (p - e) / (scale - 2 * k * e))
}
