# What R users bring along: forks, NA, factors, data frames, labels from 0, other names.

test_that("matrices cross whatever the version of numpy", {
  require_python()
  m <- matrix(c(0.25, 0.75, 1, 0, 0.5, 0.5), 3, byrow = TRUE)
  # reticulate 1.28 cannot carry matrices of numpy 2; bytes cross anyway.
  expect_identical(sc_to_fuzzy(sc_clustering(m))$membership, m)
  expect_match(sc_config()$versions[["numpy"]], "^[12][.]")
})

test_that("children of mclapply work after a parallel kernel", {
  require_python()
  skip_on_os("windows")
  set.seed(1)
  x <- sample(3, 4000, TRUE)
  u <- matrix(runif(12000), 4000)
  u <- u / rowSums(u)
  here <- sc_measure("concordance_index", x, u)   # many pairs: all threads
  found <- parallel::mclapply(1:2, function(i) sc_measure("concordance_index", x, u),
                              mc.cores = 2)
  expect_identical(found, list(here, here))
})

test_that("children of mclapply fit clusters after a fit", {
  require_python()
  skip_on_os("windows")
  # A child that waits for threads it does not have would wait for ever: a process of its own, with
  # an end.
  script <- tempfile(fileext = ".R")
  writeLines(c(
    sprintf("library('softclust', lib.loc = %s)", deparse(dirname(find.package("softclust")))),
    "fit <- function(i) sc_cluster(iris[, 1:4], 3, 'fuzzy_cmeans', seed = 1)$objective",
    "here <- fit()",
    "found <- parallel::mclapply(1:2, fit, mc.cores = 2)",
    "cat(identical(found, list(here, here)))"), script)
  out <- suppressWarnings(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", script),
                                  stdout = TRUE, stderr = TRUE, timeout = 60))
  expect_match(paste(out, collapse = " "), "TRUE")
})

test_that("factors with unused levels count the levels that occur", {
  require_python()
  f <- factor(c("a", "a", "c"), levels = c("a", "b", "c"))
  expect_identical(sc_measure("rand_index", f, c(1, 1, 2)), 1)
  expect_identical(sc_match(f, c(1, 1, 2), seed = 1)$x_clusters, c("a", "c"))
})

test_that("NA labels are refused, with what to do", {
  require_python()
  for (labels in list(c(1, NA, 2), c(1L, NA, 2L), c("a", NA, "b"), factor(c("a", NA, "b")))) {
    expect_error(sc_measure("rand_index", labels, 1:3), "NA", class = "softclust_ClusteringError")
  }
})

test_that("data frames of memberships and of labels are told apart", {
  require_python()
  u <- data.frame(a = c(0.9, 0.2), b = c(0.1, 0.8))
  expect_identical(sc_measure("fuzzy_rand_index", u, as.matrix(u)),
                   sc_measure("fuzzy_rand_index", u, u))
  expect_error(sc_clustering(data.frame(a = c(0.9, 0.2), b = c(0.3, 0.8))), "kind",
               class = "softclust_ClusteringError")
})

test_that("labels from 0, as Python users have them, are names like any other", {
  require_python()
  zero <- c(0, 0, 1, 2)
  expect_identical(sc_measure("rand_index", zero, zero + 1), 1)
  expect_identical(as.character(sc_labels(sc_clustering(zero))), c("0", "0", "1", "2"))
})

test_that("empty classes stay columns", {
  require_python()
  u <- cbind(c(0.9, 0.2, 1), 0, c(0.1, 0.8, 0))
  expect_identical(ncol(sc_membership(u)), 3L)
  expect_equal(sc_fuzziness(u), sc_fuzziness(u[, -2]))   # c counts clusters with members
  found <- sc_consensus(list(u, u), seed = 1)
  expect_identical(ncol(found$membership), 3L)
  expect_identical(dim(sc_match(u, c(1, 1, 2), seed = 1)$table), c(3L, 2L))
})

test_that("object names that differ are an error that says which", {
  require_python()
  a <- c(p = 1, q = 1, r = 2)
  b <- c(p = 1, s = 1, r = 2)
  expect_error(sc_measure("rand_index", a, b), "s", class = "softclust_ClusteringError")
  expect_identical(sc_measure("rand_index", a, unname(b)), 1)
})

test_that("every condition carries its class", {
  require_python()
  e <- tryCatch(sc_measure("rand_index", 1:3, 1:4), error = identity)
  expect_s3_class(e, c("softclust_ClusteringError", "softclust_error", "error", "condition"),
                  exact = TRUE)
  w <- tryCatch(sc_measure("adjusted_rand_index", c(1, 1), c(1, 2)), warning = identity)
  if (inherits(w, "condition")) expect_s3_class(w, "softclust_warning")
  e <- tryCatch(sc_measure("no_such_index", 1:3, 1:3), error = identity)
  expect_s3_class(e, "softclust_error")
})
