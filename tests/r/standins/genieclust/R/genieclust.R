# Stand-in written from Gagolewski (2023), Rezaei and Franti (2016), Vinh, Epps and Bailey (2010).
# Names are those of genieclust 1.1.3.

best_pairs <- function(gain) {
  # all one-to-one pairings of the smaller side: few clusters in tests
  if (nrow(gain) > ncol(gain)) gain <- t(gain)
  go <- function(row, free) if (row > nrow(gain)) 0 else
    max(vapply(seq_along(free), function(i) gain[row, free[i]] + go(row + 1, free[-i]), 0))
  go(1, seq_len(ncol(gain)))
}

parts <- function(x, y) {
  t <- unclass(table(x, y))
  list(t = t, a = rowSums(t), b = colSums(t), n = sum(t), r = nrow(t), s = ncol(t))
}

entropy <- function(p) -sum(ifelse(p > 0, p * log(p), 0))

mi_score <- function(x, y = NULL) {
  p <- parts(x, y)
  entropy(p$a / p$n) + entropy(p$b / p$n) - entropy(p$t / p$n)
}

normalized_mi_score <- function(x, y = NULL) {
  p <- parts(x, y)
  mi_score(x, y) / ((entropy(p$a / p$n) + entropy(p$b / p$n)) / 2)
}

adjusted_mi_score <- function(x, y = NULL, clipped = FALSE) {
  p <- parts(x, y)
  expected <- 0
  for (a in p$a) for (b in p$b) {
    k <- max(1, a + b - p$n):min(a, b)
    expected <- expected + sum(k / p$n * log(p$n * k / (a * b)) *
                                 stats::dhyper(k, a, p$n - a, b))
  }
  (mi_score(x, y) - expected) / ((entropy(p$a / p$n) + entropy(p$b / p$n)) / 2 - expected)
}

adjusted_fm_score <- function(x, y = NULL, clipped = FALSE) {
  p <- parts(x, y)
  pairs <- function(v) sum(v * (v - 1) / 2)
  both <- sqrt(pairs(p$a) * pairs(p$b))
  expected <- both / pairs(p$n)
  (pairs(p$t) / both - expected) / (1 - expected)
}

normalized_pivoted_accuracy <- function(x, y = NULL) {
  p <- parts(x, y)
  share <- best_pairs(p$t) / p$n
  c <- max(p$r, p$s)
  (share - 1 / c) / (1 - 1 / c)
}

normalized_clustering_accuracy <- function(x, y = NULL) {
  p <- parts(x, y)
  share <- best_pairs(p$t / p$a) / p$r
  (share - 1 / p$r) / (1 - 1 / p$r)
}

pair_sets_index <- function(x, y = NULL, simplified = FALSE, clipped = TRUE) {
  p <- parts(x, y)
  w <- best_pairs(p$t / outer(p$a, p$b, pmax))
  few <- seq_len(min(p$r, p$s))
  a <- sort(p$a, decreasing = TRUE)[few]
  b <- sort(p$b, decreasing = TRUE)[few]
  e <- if (simplified) 1 else sum(a * b / (p$n * pmax(a, b)))
  c <- max(p$r, p$s)
  max(0, (w - e) / (c - e))
}
