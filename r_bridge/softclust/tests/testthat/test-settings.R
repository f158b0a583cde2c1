test_that("settings of a clusterer of Python and of R are compared", {
  require_python()
  set.seed(1)
  x <- matrix(rnorm(192), 96) + 8 * cbind(rep(c(0, 1, 0), each = 32), rep(c(0, 0, 1), each = 32))
  colnames(x) <- c("a", "b")
  ward <- function(data, n_clusters) {
    stopifnot(identical(colnames(data), c("a", "b")))
    cutree(hclust(dist(data), "ward.D2"), n_clusters)
  }
  mine <- sc_compare_settings(x, ward, list(n_clusters = 2:4), n_blocks = 12, n_references = 19,
                              seed = 1)
  theirs <- sc_compare_settings(x, "AgglomerativeClustering", list(n_clusters = 2:4), n_blocks = 12,
                                n_references = 19, seed = 1)
  expect_identical(as.numeric(mine$best), 2)
  expect_equal(mine$excess, theirs$excess)
  expect_equal(mine$p_value, theirs$p_value)
  expect_identical(as.data.frame(mine)$setting, paste0("n_clusters=", 2:4))
  expect_output(print(mine), "n_clusters = 3 is the best guess")
  expect_error(sc_compare_settings(x, ward, list(2:4)), "named list", class = "softclust_TypeError")
  expect_error(sc_compare_settings(x, 3, list(n_clusters = 2:4)), "name of a clusterer")
  expect_error(sc_compare_settings(x, "Nothing", list(n_clusters = 2:4)), "not the name of a clust")
  expect_error(sc_compare_settings(x, function(data, k) 1:3, list(k = 2:3), n_blocks = 12,
                                   n_references = 19, seed = 1), "3 labels for")
})
