test_that("a matching names the clusters of y as those of x", {
  require_python()
  x <- factor(rep(c("a", "b", "c"), c(4, 3, 3)))
  y <- c(0, 0, 0, 0, 2, 2, 2, 1, 1, 2)
  found <- sc_match(x, y, seed = 1)
  expect_s3_class(found, c("sc_matching", "sc_result"), exact = TRUE)
  expect_identical(found$table["a", "0"], 4)
  expect_identical(dimnames(found$matched_table)$y, c("0", "2", "1"))
  expect_identical(found$permutation, c(1L, 3L, 2L))
  expect_equal(as.vector(as.matrix(table(sc_labels(found$clustering), x))),
               as.vector(as.matrix(table(c(1, 1, 1, 1, 2, 2, 2, 3, 3, 2), x))))
  expect_output(print(found), "90.0 % of the objects")
  frame <- as.data.frame(found)
  expect_identical(frame$x, c("a", "b", "c"))
  expect_identical(frame$y, c("0", "2", "1"))
  expect_identical(frame$objects, c(4, 3, 2))
  expect_error(sc_match(x, y, method = "none"), class = "softclust_ValueError")
  expect_error(sc_match(x, y[-1]), class = "softclust_ClusteringError")
})

test_that("set.seed governs ties, and a given seed repeats them", {
  require_python()
  x <- rep(1:3, each = 3)
  y <- rep(1:3, 3)   # every matching is as good
  pairs <- function(...) sc_match(x, y, ...)$pairs
  set.seed(5)
  first <- lapply(1:6, function(i) pairs())
  set.seed(5)
  expect_identical(lapply(1:6, function(i) pairs()), first)
  expect_gt(length(unique(first)), 1)
  expect_identical(pairs(seed = 3), pairs(seed = 3))
  expect_identical(sc_match(x, y, seed = 3)$seed, 3)
})

test_that("a consensus, its votes and the medoid are records of their members", {
  require_python()
  runs <- list(one = c(1, 1, 1, 2, 2, 2), two = c(2, 2, 2, 1, 1, 1), three = c(1, 1, 2, 2, 2, 2))
  found <- sc_consensus(runs, seed = 1)
  expect_s3_class(found, "sc_consensus")
  expect_equal(apply(found$membership, 1, max), c(1, 1, 2 / 3, 1, 1, 1), tolerance = 1e-9)
  expect_identical(rownames(found$permutations), names(runs))
  expect_equal(found$objective, 4 / 9, tolerance = 1e-9)
  expect_true(found$converged)
  expect_identical(dim(as.data.frame(found)), c(6L, 4L))
  expect_output(print(found), "Consensus of 3 clusterings of 6 objects \\(SE\\)")
  votes <- sc_mmcc(runs, seed = 1)
  expect_equal(rowSums(votes$votes), rep(3, 6))
  expect_true(is.nan(votes$objective))
  expect_equal(sc_mmcc(runs, weights = c(1, 1, 0), seed = 1)$membership[3, ], c(1, 0))
  medoid <- sc_medoid(runs, measure = "rand_index")
  expect_identical(medoid$name, "one")
  expect_identical(medoid$index, 1L)
  expect_named(medoid$totals, names(runs))
  expect_error(sc_medoid(runs, measure = "alpha_rand_interval"), class = "softclust_ValueError")
  expect_error(sc_consensus(c(1, 2, 2)), class = "softclust_TypeError")
  expect_error(sc_consensus(runs, method = "GV3"), "\"GV1\", \"DWH\"")
  expect_error(sc_consensus(runs, order = 1:3), class = "softclust_ValueError")
  expect_s3_class(sc_consensus(runs, method = "DWH", order = 3:1), "sc_consensus")
  expect_error(sc_consensus(runs, method = "DWH", order = 0:2), "positions count from 1")
})

test_that("options of length 1 stay vectors where Python wants them", {
  require_python()
  one <- list(c(1, 1, 2))
  expect_equal(sc_mmcc(one, weights = 2, seed = 1)$votes[, 1], c(2, 2, 0))
  expect_equal(sc_consensus(one, weights = 2, seed = 1)$objective, 0)
})

test_that("object names come back", {
  require_python()
  a <- c(p = 1, q = 1, r = 2)
  b <- c(p = 2, q = 2, r = 1)
  found <- sc_consensus(list(a, b), seed = 1)
  expect_identical(names(found$labels), c("p", "q", "r"))
  expect_identical(rownames(found$membership), c("p", "q", "r"))
  expect_identical(rownames(as.data.frame(found)), c("p", "q", "r"))
  names(b) <- c("p", "r", "q")
  expect_error(sc_consensus(list(a, b)), class = "softclust_ClusteringError")
  for (f in c(sc_meet, sc_join, sc_match)) {
    expect_error(f(a, b), "another order", class = "softclust_ClusteringError")
  }
})

test_that("pictures are drawn", {
  require_python()
  runs <- list(c(1, 1, 1, 2, 2, 2), c(2, 2, 2, 1, 1, 1), c(1, 1, 2, 2, 3, 3))
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(sc_match(runs[[1]], runs[[3]], seed = 1)))
  expect_silent(plot(sc_consensus(runs, seed = 1)))
  expect_silent(plot(sc_medoid(runs)))
  expect_silent(plot(sc_cic(runs[[3]])))
})

test_that("results go where clusterings go, clue's ensembles in", {
  require_python()
  require_package("clue")
  set.seed(1)
  runs <- clue::cl_boot(iris[, 1:4], 4, 3)
  found <- sc_consensus(runs, seed = 1)
  theirs <- clue::cl_consensus(runs, "SE")
  expect_equal(sc_measure("alpha_rand_index", found, theirs), 1)
  expect_equal(sc_measure("rand_index", sc_medoid(runs, "rand_index"),
                          clue::cl_class_ids(runs[[1]])), 1)
  fit <- sc_cluster(iris[, 1:4], 3, "fuzzy_cmeans", seed = 1)
  bagged <- sc_bagged(iris[, 1:4], 3, n_resamples = 30, never_selected = "base", seed = 1)
  together <- sc_ensemble(fit = fit, bagged = bagged, consensus = found)
  expect_identical(names(together), c("fit", "bagged", "consensus"))
  expect_identical(sc_membership(fit), fit$clustering$membership, ignore_attr = TRUE)
  expect_equal(sc_entropy(bagged), bagged$mean_entropy)
})

test_that("one random start is said to be one", {
  require_python()
  runs <- list(c(1, 1, 1, 2, 2, 2), c(2, 2, 1, 1, 1, 1))
  expect_output(print(sc_consensus(runs, seed = 1)), "One random start; n_starts = 10")
  for (silent in list(sc_consensus(runs, seed = 1, n_starts = 2),
                      sc_consensus(runs, method = "DWH", seed = 1), sc_mmcc(runs, seed = 1),
                      sc_consensus(runs, start = runs[[1]]))) {
    expect_false(any(grepl("random start", capture.output(print(silent)))))
  }
  expect_output(print(sc_consensus(runs, seed = 1)), "mean membership  of its objects")
})

test_that("many clusters are drawn without numbers", {
  require_python()
  pdf(NULL)
  on.exit(dev.off())
  found <- sc_match(1:40, 40:1)
  expect_identical(plot(found), found)
})
