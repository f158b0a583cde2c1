# Runs that label some of the objects, and how stable they are.
labels <- rbind(c(1, 1, 2, NA, 2, 1), c(NA, 2, 2, 1, 2, 1), c(3, 3, NA, 4, 4, 3))
flat <- ifelse(is.na(as.vector(t(labels))), -1, as.vector(t(labels)))
rows_of <- "[[int(v) for v in a['flat'][6 * b:6 * b + 6]] for b in range(3)]"
python <- function(call) {
  in_python(paste0("[sc.", call, " for runs in [sc.Ensemble.from_runs(", rows_of, ")]][0]"), flat = flat)
}

test_that("partial ensembles hold labels by first appearance", {
  require_python()
  runs <- sc_partial_ensemble(labels)
  expect_s3_class(runs, c("sc_partial_ensemble", "sc_result"), exact = TRUE)
  expect_identical(runs$labels, rbind("1" = c(1L, 1L, 2L, NA, 2L, 1L), "2" = c(NA, 1L, 1L, 2L, 1L, 2L),
                                      "3" = c(1L, 1L, NA, 2L, 2L, 1L)))
  expect_equal(unname(runs$counts), c(2, 3, 2, 2, 3, 3))
  frame <- as.data.frame(t(labels))
  names(frame) <- c("a", "b", "c")
  rownames(frame) <- letters[1:6]
  named <- sc_partial_ensemble(frame)
  expect_identical(dimnames(named$labels), list(c("a", "b", "c"), letters[1:6]))
  zeros <- labels
  zeros[is.na(zeros)] <- 0
  expect_identical(sc_partial_ensemble(zeros, absent_label = 0)$labels, runs$labels)
  expect_output(print(runs), "3 runs of 6 objects")
  expect_identical(dim(as.data.frame(runs)), c(3L, 3L))
  expect_identical(sc_partial_ensemble(runs), runs)
  expect_error(sc_partial_ensemble(1:3), class = "softclust_ClusteringError")
  expect_error(sc_partial_ensemble(rbind(c("a", "b"))), "whole numbers", class = "softclust_ClusteringError")
  expect_error(sc_partial_ensemble(rbind(c(NA, NA), 1:2)), "labels no object", class = "softclust_ClusteringError")
})

test_that("numbers are those of Python", {
  require_python()
  runs <- sc_partial_ensemble(labels)
  pairs <- sc_coassociation(runs, seed = 1)
  expect_equal(pairs$pac, python("coassociation(runs).pac()"))
  expect_equal(sc_pac(pairs, 0.2, 0.5, "neither"), python("coassociation(runs).pac(.2, .5, 'neither')"))
  expect_equal(sc_pac(runs, seed = 1), pairs$pac)
  expect_equal(unname(as.matrix(pairs))[1, 2], 1)
  weighted <- sc_coassociation(runs, weights = c(1, 2, 0), seed = 1)
  expect_equal(weighted$mean, python("coassociation(runs, weights=[1, 2, 0]).mean"))
  expect_null(weighted$histogram)
  reference <- c(1, 1, 2, 2, 2, 1)
  clusters <- sc_cluster_stability(reference, runs)
  expect_equal(unname(clusters$jaccard), python("cluster_stability([0,0,1,1,1,0], runs).jaccard.tolist()"))
  expect_equal(unname(clusters$objects[3, ]), python("cluster_stability([0,0,1,1,1,0], runs).objects[2].tolist()"))
  elements <- sc_element_consistency(runs, seed = 1)
  expect_equal(unname(elements$values), python("element_consistency(runs).values.tolist()"))
  expect_equal(sc_element_consistency(runs, reference = 2, seed = 1)$index,
               python("element_consistency(runs, reference=1).index"))
  apart <- sc_label_instability(runs, seed = 1)
  expect_equal(apart$value, python("label_instability(runs).value"))
  expect_equal(apart$null_error, 0)
})

test_that("complete runs, ensembles and bare matrices are the same", {
  require_python()
  complete <- rbind(c(1, 1, 2, 2), c(1, 2, 2, 2))
  one <- sc_coassociation(complete, seed = 1)$pac
  expect_identical(sc_coassociation(sc_partial_ensemble(complete), seed = 1)$pac, one)
  expect_identical(sc_coassociation(sc_ensemble(complete[1, ], complete[2, ]), seed = 1)$pac, one)
  expect_error(sc_coassociation(labels), "sc_partial_ensemble", class = "softclust_ClusteringError")
  expect_error(sc_coassociation(-complete), "sc_partial_ensemble", class = "softclust_ClusteringError")
})

test_that("consensus, medoid and mmcc take partial runs", {
  require_python()
  runs <- sc_partial_ensemble(labels, names = c("a", "b", "c"))
  found <- sc_consensus(runs, "SE", seed = 1)
  expect_equal(found$objective, python("consensus(runs, rng=1).objective"))
  expect_identical(rownames(found$permutations), c("a", "b", "c"))
  expect_identical(dim(sc_mmcc(runs, seed = 1)$votes), c(6L, 2L))
  expect_true(sc_medoid(runs, "rand_index")$name %in% c("a", "b", "c"))
  pairs <- sc_compare_all(runs, "rand_index")
  expect_equal(pairs$value[["a", "b"]], sc_measure("rand_index", c(1, 2, 2, 1), c(2, 2, 2, 1)))
  expect_equal(pairs$n_objects[["a", "b"]], 4)
  expect_error(sc_consensus(runs, "GV1", seed = 1), "GV1 needs complete runs")
})

test_that("runs are made by k-means and by clusterers of R", {
  require_python()
  data <- iris[, 1:4]
  runs <- sc_resampled_clusterings(data, 3, n_resamples = 8, n_init = 2, seed = 1)
  expect_identical(dim(runs$labels), c(8L, 150L))
  expect_true(all(rowSums(!is.na(runs$labels)) == 75))
  expect_identical(sc_resampled_clusterings(data, 3, n_resamples = 8, n_init = 2, seed = 1)$labels, runs$labels)
  hc <- function(x, k) stats::cutree(stats::hclust(stats::dist(x), "average"), k)
  own <- sc_resampled_clusterings(data, 3, hc, n_resamples = 5, seed = 1)
  expect_identical(is.na(own$labels), is.na(runs$labels[1:5, ]))
  expect_gt(sc_cluster_stability(iris$Species, own)$jaccard[[1]], 0.95)
  boot <- sc_resampled_clusterings(data, 2, hc, scheme = "bootstrap", n_resamples = 3, seed = 1)
  expect_true(all(rowSums(!is.na(boot$labels)) < 120))
  jitter <- sc_resampled_clusterings(data, 2, scheme = "jitter", n_resamples = 2, n_init = 1, seed = 1)
  expect_false(anyNA(jitter$labels))
  breaks <- function(x, k) if (nrow(x) %% 2) hc(x, k) else stop("even")
  expect_error(sc_resampled_clusterings(data, 2, breaks, n_resamples = 2, size = 50, seed = 1), "all 2 runs failed")
  expect_false(anyNA(sc_resampled_clusterings(data, 2, hc, scheme = "jitter", n_resamples = 2, seed = 1)$labels))
  expect_error(sc_resampled_clusterings(data, 2, hc, nonsense = 1), "no option", class = "softclust_TypeError")
  # The clusters of the same clusterer in Python, whose numbers may differ.
  theirs <- in_python(paste0("np.nan_to_num(sc.resampled_clusterings(np.array(a['x']), __import__('sklearn.cluster')",
                             ".cluster.AgglomerativeClustering(3, linkage='average'), n_resamples=5, rng=1).labels, nan=-1)"),
                      x = as.matrix(unname(data)))
  for (b in 1:5) expect_identical(sc_measure("ARI", theirs[b, theirs[b, ] >= 0], own$labels[b, !is.na(own$labels[b, ])]), 1)
})

test_that("numbers of clusters by stability", {
  require_python()
  found <- sc_prediction_strength(iris[, 1:4], 2:3, n_splits = 3, n_init = 2, seed = 1)
  expect_true(found$best %in% 2:3)
  expect_identical(dim(found$values), c(2L, 3L))
  chosen <- sc_cluster_number(iris[, 1:4], 2:3, criterion = "pac", n_resamples = 10, seed = 1)
  expect_identical(chosen$best, 2L)
  expect_output(print(chosen), "no null value")
})

test_that("results print, become frames and are drawn", {
  require_python()
  runs <- sc_partial_ensemble(labels)
  results <- list(sc_coassociation(runs, seed = 1), sc_coassociation(runs, n_draws = 50, seed = 1),
                  sc_cluster_stability(c(1, 1, 2, 2, 2, 1), runs), sc_element_consistency(runs, seed = 1),
                  sc_prediction_strength(iris[, 1:4], 2:3, n_splits = 2, n_init = 1, seed = 1))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (result in results) {
    expect_output(print(result))
    expect_s3_class(as.data.frame(result), "data.frame")
    expect_identical(plot(result), result)
  }
  expect_output(print(results[[2]]), "sampled")
  apart <- sc_label_instability(runs, seed = 1)
  expect_output(print(apart), "Instability of labels, 3 runs")
  expect_identical(as.data.frame(apart)$value, apart$value)
})
