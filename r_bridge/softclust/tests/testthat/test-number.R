x <- round(as.matrix(iris[seq(1, 150, by = 3), 1:4]), 2)

test_that("the number of clusters is that of Python for the same seed", {
  require_python()
  for (criterion in c("entropy", "cic", "silhouette", "gap", "davies_bouldin")) {
    options <- switch(criterion, entropy = , cic = list(n_resamples = 20),
                      gap = list(n_references = 5), list())
    text <- paste0(names(options), "=", unlist(options), recycle0 = TRUE)
    python <- in_python(sprintf("sc.cluster_number(np.array(a['x']), [2, 3, 4], criterion='%s',
        rng=6%s).criterion[:, 0]", criterion, paste0(", ", text, collapse = "", recycle0 = TRUE)),
        x = unname(x))
    found <- do.call(sc_cluster_number, c(list(x, 2:4, criterion, seed = 6), options))
    expect_identical(as.vector(found$value), as.vector(python))
    expect_identical(found$best, found$best_by_scale[1])
    expect_output(print(found), paste0("Number of clusters by .*: ", found$best))
  }
})

test_that("one number and several scales keep their shapes", {
  require_python()
  one <- sc_cluster_number(x, 3, "silhouette", seed = 1)
  expect_identical(dim(one$value), c(1L, 1L))
  several <- sc_cluster_number(x, 2:3, scale = c(0.5, 1), n_resamples = 20, seed = 1)
  expect_identical(dim(several$value), c(2L, 2L))
  expect_identical(dim(several$pair), c(2L, 2L, 2L))
  expect_true(all(several$pair %in% 1:3))
  expect_true(all(several$n_resamples == 20))
  raced <- sc_cluster_number(x, 2:4, seed = 1)
  expect_identical(raced$given_up, raced$n_resamples < 200)
  expect_false(any(sc_cluster_number(x, 2:4, race = FALSE, seed = 1)$given_up))
  if (any(raced$given_up)) expect_output(print(raced), "replicates.*race = FALSE")
  expect_identical(max(raced$n_resamples), raced$n_resamples[raced$n_clusters == raced$best, 1L])
  frame <- as.data.frame(several)
  expect_identical(frame$n_clusters, c(2L, 3L, 2L, 3L))
  expect_identical(frame$value, as.vector(several$value))
  expect_error(sc_cluster_number(x, 2:3, "aic"), class = "softclust_ValueError")
  expect_error(sc_cluster_number(x, 1:3, "silhouette"), class = "softclust_ClusteringError")
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(one))
  expect_silent(plot(several))
})

test_that("the ROC curve of hclust counts pairs rightly for every k", {
  require_python()
  truth <- iris$Species[seq(1, 150, by = 3)]
  tree <- hclust(dist(x), "complete")
  roc <- sc_pair_roc(truth, tree, ties = "order")
  same <- outer(truth, truth, "==")[lower.tri(diag(50))]
  for (k in c(1, 2, 3, 7, 20, 50)) {
    found <- cutree(tree, k)
    together <- outer(found, found, "==")[lower.tri(diag(50))]
    expect_equal(roc$eps1[roc$k == k], mean(!together[same]))
    expect_equal(roc$eps2[roc$k == k], mean(together[!same]))
  }
  expect_equal(roc$pairs_same, sum(same))
  expect_output(print(roc), "area under the curve")
  expect_identical(names(as.data.frame(roc)), c("k", "eps1", "eps2", "sum", "pair_error"))
  some <- seq_len(50) %% 2 == 0
  part <- sc_pair_roc(truth, tree, labelled = some)
  expect_equal(part$pairs_same, sum(outer(truth, truth, "==")[some, some][lower.tri(diag(25))]))
  expect_equal(sc_pair_roc(truth, tree, labelled = which(some))$auc, part$auc)
  expect_error(sc_pair_roc(truth, tree, labelled = 0:9), "positions count from 1",
               class = "softclust_ClusteringError")
  expect_error(sc_pair_roc(truth, tree, labelled = c(1.5, 2)), "not whole",
               class = "softclust_ClusteringError")
  runs <- lapply(2:4, function(k) cutree(tree, k))
  curve <- sc_pair_roc_subsets(truth, runs, fractions = c(0.5, 1), n_draws = 3, seed = 1)
  expect_equal(curve$auc_all, sc_pair_roc_partitions(truth, runs)$auc)
  expect_equal(as.numeric(curve$mean)[2], curve$auc_all)
  expect_error(sc_pair_roc(truth[-1], tree), class = "softclust_ClusteringError")
  expect_error(sc_pair_roc(truth, "tree"), class = "softclust_TypeError")
  expect_warning(undefined <- sc_pair_roc(seq_len(50), tree),
                 class = "softclust_UndefinedMeasureWarning")
  expect_error(plot(undefined), "undefined", class = "softclust_ValueError")
  named <- tree
  named$labels <- paste0("o", seq_len(50))
  named_truth <- stats::setNames(truth, named$labels)
  expect_identical(sc_pair_roc(named_truth, named, ties = "order")$auc, roc$auc)
  expect_identical(sc_pair_roc(truth, named, ties = "order")$auc, roc$auc)
  expect_error(sc_pair_roc(rev(named_truth), named), "the tree.*another order",
               class = "softclust_ClusteringError")
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(roc))
  expect_silent(plot(roc, "errors"))
})

test_that("trees of two objects and of package cluster are understood", {
  require_python()
  expect_equal(sc_pair_roc(c(1, 1, 2), hclust(dist(c(0, 1, 5))))$auc, 0)
  require_package("cluster")
  expect_equal(sc_pair_roc(rep(1:2, 25), cluster::agnes(x))$n_objects, 50)
})

test_that("a curve that is undefined says so in every row", {
  require_python()
  roc <- suppressWarnings(sc_pair_roc(c(1, 1, 1, 1), hclust(dist(1:4))))
  shown <- as.data.frame(summary(roc))
  expect_identical(shown$value[match(c("area under the curve", "best k", "proper"), shown$what)],
                   rep("undefined", 3))
})

test_that("a function of R is the clusterer, with the numbers of the same one in Python", {
  require_python()
  x <- as.matrix(iris[c(1:30, 51:80, 101:130), 1:4])
  ward <- function(x, k) cutree(hclust(dist(x[, c("Sepal.Length", "Sepal.Width", "Petal.Length", "Petal.Width")]),
                                       "ward.D2"), k)
  theirs <- "__import__('sklearn.cluster').cluster.AgglomerativeClustering()"
  for (criterion in c("silhouette", "pac")) {
    expected <- in_python(paste0("sc.cluster_number(np.array(a['x']), [2, 3], criterion='", criterion,
                                 "', estimator=", theirs, ", rng=3).criterion.ravel()"), x = unname(x))
    found <- sc_cluster_number(x, 2:3, criterion, estimator = ward, seed = 3)
    expect_equal(as.vector(found$value), expected, tolerance = 1e-12, info = criterion)
  }
  # The same replicates as those of sc_bagged(), whose loop is in R.
  seeds <- in_python("np.random.default_rng(3).integers(0, 2**63 - 1, size=3) % 2**32")
  found <- sc_cluster_number(x, 2:3, "entropy", estimator = ward, seed = 3, n_resamples = 20)
  for (k in 2:3) {
    expect_equal(found$value[k - 1, 1], sc_bagged(x, k, "bbc", estimator = ward, n_resamples = 20,
                                                  seed = seeds[k - 1])$mean_entropy, tolerance = 1e-12)
  }
  expect_equal(as.vector(sc_cluster_number(x, 2, "silhouette", estimator = ward)$value),
               mean(cluster::silhouette(ward(x, 2), dist(x))[, "sil_width"]), tolerance = 1e-12)
  frame <- sc_cluster_number(iris[, 1:4], 2:3, "silhouette", estimator = function(x, k) {
    stopifnot(is.data.frame(x))
    letters[kmeans(x[["Petal.Length"]], k, nstart = 5)$cluster]
  }, seed = 1)
  expect_identical(as.numeric(frame$best), 2)
  expect_error(sc_cluster_number(x, 2:3, "gap", estimator = ward), "always uses k-means", class = "softclust_ValueError")
  expect_error(sc_cluster_number(x, 2:3, "entropy", estimator = function(x, k) stop("no way")), "no way",
               class = "softclust_ClusteringError")
  expect_error(sc_cluster_number(x, 2:3, estimator = 3), "must be a function", class = "softclust_TypeError")
  test <- sc_cluster_test(x, 2, estimator = ward, n_references = 19, seed = 1)
  same <- in_python(paste0("[sc.cluster_test(np.array(a['x']), 2, estimator=", theirs,
                           ", n_references=19, rng=1).to_frame()['statistic'][0]]"), x = unname(x))
  expect_equal(as.data.frame(test)$statistic, same, tolerance = 1e-12)
})
