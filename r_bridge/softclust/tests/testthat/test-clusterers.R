# A clusterer of R gets the rows of what the user gave.
test_that("clusterers see data frames as data frames and matrices with their names", {
  require_python()
  by_name <- function(x, k) {
    stopifnot(is.data.frame(x))
    as.integer(cut(x$Petal.Length, c(0, 2.5, 4.8, 10)))
  }
  from_matrix <- function(x, k) {
    stopifnot(is.matrix(x))
    c("low", "middle", "high")[cut(x[, "Petal.Length"], c(0, 2.5, 4.8, 10))]
  }
  x <- iris[, 1:4]
  for (method in c("bagclust1", "bbc", "mmcc")) {
    frame <- sc_bagged(x, 3, method, 20, by_name, seed = 1)
    matrix <- sc_bagged(as.matrix(x), 3, method, 20, from_matrix, seed = 1)
    expect_identical(frame$failures, character())
    expect_identical(matrix$failures, character())
    expect_identical(unname(table(frame$labels, matrix$labels) > 0) |> sum(), 3L)
  }
  runs <- sc_resampled_clusterings(x, 3, by_name, n_resamples = 5, seed = 1)
  expect_identical(dim(runs$labels), c(5L, 150L))
  noisy <- function(x, k) by_name(x, k) - 1L
  expect_identical(sc_bagged(x, 3, n_resamples = 10, estimator = noisy, seed = 1)$labels,
                   sc_bagged(x, 3, n_resamples = 10, estimator = by_name, seed = 1)$labels)
})
