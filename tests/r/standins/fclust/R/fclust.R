# Stand-in written from Campello (2007): degrees of pairs by a t-norm and the maximum.

counts <- function(VC, U, t_norm) {
  and <- if (t_norm == "minimum") pmin else `*`
  H <- outer(VC, seq_len(max(VC)), "==") * 1
  degrees <- function(M, i, j) {
    a <- M[i, ]
    b <- M[j, ]
    all <- outer(a, b, and)
    off <- all
    diag(off) <- 0
    c(max(diag(all)), max(off))
  }
  total <- c(0, 0, 0, 0)
  for (i in seq_len(nrow(U) - 1)) for (j in (i + 1):nrow(U)) {
    h <- degrees(H, i, j)
    u <- degrees(U, i, j)
    total <- total + c(and(h[1], u[1]), and(h[1], u[2]), and(h[2], u[1]), and(h[2], u[2]))
  }
  total
}

RI.F <- function(VC, U, t_norm = c("minimum", "product")) {
  n <- counts(VC, as.matrix(U), match.arg(t_norm))
  (n[1] + n[4]) / sum(n)
}

ARI.F <- function(VC, U, t_norm = c("minimum", "product")) {
  n <- counts(VC, as.matrix(U), match.arg(t_norm))
  2 * (n[1] * n[4] - n[2] * n[3]) /
    (n[2]^2 + n[3]^2 + 2 * n[1] * n[4] + (n[1] + n[4]) * (n[2] + n[3]))
}

JACCARD.F <- function(VC, U, t_norm = c("minimum", "product")) {
  n <- counts(VC, as.matrix(U), match.arg(t_norm))
  n[1] / sum(n[1:3])
}

PC <- function(U) mean(rowSums(as.matrix(U)^2))

PE <- function(U, b) {
  if (missing(b)) b <- exp(1)
  -mean(rowSums(ifelse(U > 0, U * log(U, b), 0)))
}

MPC <- function(U) 1 - ncol(U) / (ncol(U) - 1) * (1 - PC(U))
