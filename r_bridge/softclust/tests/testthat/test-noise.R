# What marks noise or a missing value belongs to the object and is never forgotten.
y <- c(0, 0, 1, 1, 1, 2, 2, 2)
truth <- c(1, 2, 1, 1, 1, 2, 2, 2)
scan <- structure(list(cluster = as.integer(y), eps = 1, minPts = 2), class = c("dbscan_fast", "dbscan"))

test_that("noise of dbscan is noise by every way", {
  require_python()
  expected <- sc_measure("ARI", scan, truth, noise = "drop")
  expect_identical(expected, 1)
  runs <- sc_ensemble(scan = scan, truth = truth)
  for (each in list(sc_clustering(scan), sc_harden(scan), runs$scan, runs[1:2]$scan, sc_clustering(scan)[1:8],
                    rev(rev(sc_clustering(scan))), I(scan))) {
    expect_identical(sc_measure("ARI", each, truth, noise = "drop"), expected)
    expect_identical(unname(sc_align(each, noise = "drop")$n_noise), 2)
    expect_error(sc_measure("ARI", each, truth, noise = "raise"), "2 objects are noise",
                 class = "softclust_ClusteringError")
  }
  expect_lt(sc_measure("ARI", sc_clustering(scan), truth), 1)
  renamed <- sc_clustering(scan)
  levels(renamed) <- c("no cluster", "a", "b")
  expect_identical(sc_measure("ARI", renamed, truth, noise = "drop"), expected)
})

test_that("the noise component of Mclust and of lists of fpc is noise", {
  require_python()
  z <- cbind(y == 1, y == 2, y == 0) + 0
  model <- structure(list(z = z, n = 8L, G = 2L, classification = y), class = "Mclust")
  lists <- list(structure(list(partition = c(3, 3, 1, 1, 1, 2, 2, 2), nc = 3, nccl = 2), class = "clboot"))
  expect_identical(sc_clustering(model)$cluster_names, c("1", "2", "0"))
  for (each in c(list(sc_harden(model), model, sc_clustering(model)), lists)) {
    expect_identical(unname(sc_align(each, truth, noise = "drop")$n_noise), c(2, 0))
  }
  for (each in c(list(sc_harden(model)), lists)) {
    expect_identical(sc_measure("ARI", each, truth, noise = "drop"), 1)
  }
  expect_identical(sc_clustering(model, noise = "cluster")$cluster_names, c("1", "2", "noise"))
  partly <- model
  partly$z[1, ] <- c(.2, 0, .8)
  expect_error(sc_align(partly, truth, noise = "drop"), "partly noise \\(0.8\\)", class = "softclust_ClusteringError")
  expect_equal(unname(sc_align(partly, noise = "cluster")$noise_share), 1.8 / 8, tolerance = 1e-15)
})

test_that("noise that is not found is said where a label looks like it", {
  require_python()
  expect_warning(sc_measure("ARI", y, truth, noise = "drop"), "no label -1, but there is 0",
                 class = "softclust_NoiseWarning")
  expect_warning(sc_measure("ARI", y - 1, truth, noise = "drop", noise_label = 9), "no label 9, but there is",
                 class = "softclust_NoiseWarning")
  expect_silent(sc_measure("ARI", y - 1, truth, noise = "drop"))
  expect_silent(sc_measure("ARI", y, truth, noise = "drop", noise_label = 0))
  expect_silent(sc_measure("ARI", y, truth))
})

test_that("declared missing values of haven are missing", {
  require_python()
  labelled <- structure(c(9, 1, 1, 2, 2, 9, 3, 3), labels = c(low = 1, refused = 9), na_values = 9,
                        class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr", "double"))
  other <- c(1, 1, 1, 2, 2, 3, 3, 1)
  plain <- c(NA, 1, 1, 2, 2, NA, 3, 3)
  expect_error(sc_clustering(labelled), "2 labels are NA", class = "softclust_ClusteringError")
  expect_identical(sc_measure("ARI", labelled, other, missing = "drop"),
                   sc_measure("ARI", plain, other, missing = "drop"))
  ranged <- labelled
  attr(ranged, "na_values") <- NULL
  attr(ranged, "na_range") <- c(8, Inf)
  expect_identical(unname(sc_align(ranged, missing = "drop")$n_missing), 2)
  attr(ranged, "labels") <- NULL
  expect_identical(sc_clustering(ranged, missing = "cluster")$cluster_names[1:3], c("1", "2", "3"))
})

test_that("what a class or a level calls missing is missing", {
  require_python()
  registerS3method("is.na", "declared", function(x) unclass(x) == -9)
  declared <- structure(c(1, 2, 3, -9), class = "declared")
  for (each in list(declared, addNA(factor(c("a", "b", "c", NA))))) {
    expect_error(sc_clustering(each), "1 label is NA", class = "softclust_ClusteringError")
    expect_error(sc_measure("ARI", each, 1:4), "1 label is NA", class = "softclust_ClusteringError")
    expect_identical(unname(sc_align(each, 1:4, missing = "drop")$n_missing), c(1, 0))
  }
})
