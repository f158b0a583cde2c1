# Functions of package clue take our clusterings and give what they give for clue's own.
u <- rbind(c(0.7, 0.2, 0.1), c(0.1, 0.1, 0.8), c(0.3, 0.4, 0.3), c(0.1, 0.7, 0.2))
ids <- c(1, 2, 2, 3)

test_that("hard and fuzzy clusterings are partitions, others are not", {
  require_python()
  require_package("clue")
  hard <- sc_clustering(c(p = "a", q = "b", r = "b", s = "c"))
  fuzzy <- sc_clustering(u)
  for (x in list(hard, fuzzy)) expect_true(clue::is.cl_partition(x))
  expect_true(clue::is.cl_hard_partition(hard))
  expect_false(clue::is.cl_hard_partition(fuzzy))
  expect_true(clue::is.cl_soft_partition(fuzzy))
  expect_true(clue::is.cl_hard_partition(sc_clustering(rbind(c(1, 0), c(0, 1)))))
  expect_false(clue::is.cl_partition(sc_rough(upper = u > 0.2)))
  expect_false(clue::is.cl_partition(sc_clustering(u, "possibilistic")))
  expect_identical(clue::n_of_objects(hard), 4L)
  expect_identical(clue::n_of_classes(hard), 3L)
  expect_identical(clue::cl_object_names(hard), c("p", "q", "r", "s"))
  expect_null(clue::cl_object_names(fuzzy))
})

test_that("memberships and class ids are those of clue's own partitions", {
  require_python()
  require_package("clue")
  for (k in 3:5) {
    expect_equal(clue::cl_membership(sc_clustering(u), k),
                 clue::cl_membership(clue::as.cl_partition(u), k), ignore_attr = TRUE)
    expect_equal(clue::cl_membership(sc_clustering(ids), k),
                 clue::cl_membership(clue::as.cl_partition(ids), k), ignore_attr = TRUE)
  }
  expect_error(clue::cl_membership(sc_clustering(u), 2))
  expect_s3_class(clue::cl_membership(sc_clustering(u)), "cl_membership")
  expect_identical(as.vector(clue::cl_class_ids(sc_clustering(ids))), c(1L, 2L, 2L, 3L))
  ties <- sc_clustering(rbind(c(0.5, 0.5), c(0.2, 0.8)))
  for (i in 1:5) expect_identical(as.vector(clue::cl_class_ids(ties)), c(1L, 2L))
})

test_that("classes are counted as clue counts them: without empty ones", {
  require_python()
  require_package("clue")
  x <- sc_clustering(cbind(u[, 1], 0, 1 - u[, 1]))
  expect_identical(clue::n_of_classes(x), 2L)
  expect_identical(dim(clue::cl_membership(x)), c(4L, 2L))
  # Three classes, of which only two win an object: the default of clue would say 2.
  expect_identical(clue::n_of_classes(sc_clustering(cbind(u[, 1] * 0.5, 0.1, 0.9 - u[, 1] * 0.5))), 3L)
  hard <- sc_clustering(c("a", "b", "c"))[c(1, 3)]
  expect_identical(clue::n_of_classes(hard), 2L)
  expect_identical(as.vector(clue::cl_class_ids(hard)), 1:2)
})

test_that("agreements, dissimilarities, consensus and medoids agree with clue's own", {
  require_python()
  require_package("clue")
  set.seed(1)
  ours <- list(sc_clustering(u), sc_clustering(ids), sc_clustering(u[4:1, ]))
  theirs <- lapply(list(u, ids, u[4:1, ]), clue::as.cl_partition)
  a <- clue::cl_ensemble(list = ours)
  b <- clue::cl_ensemble(list = theirs)
  for (method in c("euclidean", "manhattan", "comemberships", "GV1")) {
    expect_equal(as.vector(clue::cl_dissimilarity(a, method = method)),
                 as.vector(clue::cl_dissimilarity(b, method = method)))
  }
  for (method in c("euclidean", "angle", "diag")) {
    expect_equal(as.vector(clue::cl_agreement(a, method = method)),
                 as.vector(clue::cl_agreement(b, method = method)))
  }
  start <- clue::cl_membership(theirs[[1L]])
  control <- list(start = list(unclass(start)))
  expect_equal(unclass(clue::cl_membership(clue::cl_consensus(a, "SE", control = control))),
               unclass(clue::cl_membership(clue::cl_consensus(b, "SE", control = control))),
               ignore_attr = TRUE)
  expect_identical(clue::cl_medoid(a), ours[[which.min(rowSums(as.matrix(
    clue::cl_dissimilarity(b))))]])
  expect_equal(clue::cl_fuzziness(a), clue::cl_fuzziness(b), ignore_attr = TRUE)
})

test_that("an ensemble of partitions is an ensemble of clue", {
  require_python()
  require_package("clue")
  runs <- sc_ensemble(a = u, b = ids)
  expect_true(clue::is.cl_ensemble(runs))
  expect_equal(as.vector(clue::cl_agreement(runs)),
               as.vector(clue::cl_agreement(clue::as.cl_partition(u), clue::as.cl_partition(ids))))
  expect_false(clue::is.cl_ensemble(sc_ensemble(sc_rough(upper = u > 0.2), ids)))
  expect_identical(class(sc_ensemble(runs, list = NULL)), class(runs))
  expect_identical(names(sc_ensemble(clue::cl_ensemble(x = clue::as.cl_partition(u)))), "x")
})

test_that("measures are methods of clue", {
  require_package("clue")
  require_python()
  x <- clue::as.cl_partition(u)
  y <- clue::as.cl_partition(ids)
  method <- sc_method("alpha_rand_index", alpha = 0.25)
  expect_identical(as.vector(clue::cl_agreement(x, y, method = method)),
                   sc_measure("alpha_rand_index", u, ids, alpha = 0.25))
  runs <- clue::cl_ensemble(list = list(x, y, clue::as.cl_partition(u[4:1, ])))
  d <- clue::cl_dissimilarity(runs, method = sc_method("alpha_partition_dissimilarity"))
  expect_s3_class(d, "dist")
  expect_equal(as.vector(d), as.vector(as.dist(sc_compare_all(runs, "alpha_partition_dissimilarity"))))
  expect_identical(clue::cl_medoid(runs, method = sc_method("euclidean_membership_distance")),
                   clue::cl_medoid(runs))
  expect_identical(attr(method, "sense"), "agreement")
  expect_output(print(method), "alpha_rand_index (alpha = 0.25)", fixed = TRUE)
  expect_identical(method(x, y), sc_measure("alpha_rand_index", u, ids, alpha = 0.25))
  expect_error(sc_method("nonspecificity"), class = "softclust_ValueError")
  expect_error(sc_method("alpha_rand_interval")(x, y), "not give a single number",
               class = "softclust_ValueError")
  expect_error(sc_method("no_such_index"), class = "softclust_ValueError")
})

test_that("measures give what clue's methods give", {
  require_package("clue")
  require_python()
  x <- c(1, 1, 2, 2, 3, 3, 3)
  y <- c(1, 2, 2, 2, 3, 3, 1)
  p <- clue::as.cl_partition(x)
  q <- clue::as.cl_partition(y)
  pairs <- list(
    c("Rand", "rand_index"), c("cRand", "adjusted_rand_index"), c("Jaccard", "jaccard_index"),
    c("FM", "fowlkes_mallows_index"), c("KP", "katz_powell_index"), c("purity", "purity_index"),
    c("PS", "prediction_strength_index"), c("euclidean", "euclidean_membership_index"))
  for (pair in pairs) {
    expect_equal(as.vector(clue::cl_agreement(p, q, method = pair[1L])), sc_measure(pair[2L], x, y),
                 tolerance = 1e-12, info = pair[2L])
  }
})

test_that("results that hold a clustering are partitions for clue", {
  require_package("clue")
  require_python()
  set.seed(1)
  data <- as.matrix(rbind(iris[c(1:10, 51:60, 101:110), 1:4]))
  runs <- lapply(1:5, function(i) kmeans(data, 3)$cluster)
  results <- list(
    consensus = sc_consensus(runs, seed = 1), medoid = sc_medoid(runs),
    fit = sc_cluster(data, 3, method = "fuzzy_cmeans", seed = 1),
    bagged = sc_bagged(data, 3, n_resamples = 20, seed = 1), hard = suppressWarnings(sc_cluster(data, 3, "sldid")))
  for (name in names(results)) {
    x <- results[[name]]
    own <- sc_clustering(x)
    expect_true(clue::is.cl_partition(x), info = name)
    expect_identical(clue::is.cl_hard_partition(x), clue::is.cl_hard_partition(own), info = name)
    expect_identical(clue::n_of_objects(x), 30L, info = name)
    expect_identical(clue::n_of_classes(x), clue::n_of_classes(own), info = name)
    expect_identical(clue::cl_class_ids(x), clue::cl_class_ids(own), info = name)
    expect_identical(clue::cl_membership(x), clue::cl_membership(own), info = name)
    expect_identical(clue::cl_object_names(x), clue::cl_object_names(own), info = name)
    expect_identical(clue::cl_predict(x), clue::cl_class_ids(own), info = name)
    expect_equal(as.vector(clue::cl_agreement(x, own)), 1, info = name)
  }
  together <- clue::cl_ensemble(list = results)
  expect_s3_class(together, "cl_partition_ensemble")
  expect_equal(as.vector(clue::cl_dissimilarity(together)),
               as.vector(clue::cl_dissimilarity(clue::cl_ensemble(list = lapply(results, sc_clustering)))))
  expect_s3_class(clue::cl_consensus(together, control = list(nruns = 1)), "cl_partition")
  expect_s3_class(clue::cl_medoid(together), "sc_result")
})

test_that("results without a partition say so", {
  require_package("clue")
  require_python()
  data <- iris[c(1:10, 51:60), 1:4]
  rough <- sc_cluster(data, 2, method = "rough_kmeans", seed = 1)
  expect_false(clue::is.cl_partition(rough))
  expect_error(clue::cl_membership(rough), "rough.*sc_to_fuzzy", class = "softclust_ClusteringError")
  comparison <- sc_compare(c(1, 1, 2), c(1, 2, 2), "rand_index")
  expect_false(clue::is.cl_partition(comparison))
  expect_error(clue::cl_class_ids(comparison), "no clustering", class = "softclust_ClusteringError")
})

test_that("cl_predict places new objects as predict does, or says why not", {
  require_package("clue")
  require_python()
  data <- iris[c(1:20, 51:70, 101:120), 1:4]
  new <- iris[c(25, 26, 75), 1:4]
  for (fit in list(sc_cluster(data, 3, method = "fuzzy_cmeans", seed = 1),
                   sc_bagged(data, 3, n_resamples = 20, seed = 1))) {
    ids <- clue::cl_predict(fit, new)
    expect_s3_class(ids, "cl_class_ids")
    # The numbers of the clusters are those of the fit, though one of them wins no new object.
    expect_identical(as.vector(unclass(ids)), as.vector(predict(fit, new, type = "labels")))
    m <- clue::cl_predict(fit, new, type = "memberships")
    expect_equal(matrix(as.vector(m), 3), unname(predict(fit, new)$membership))
  }
  rough <- sc_cluster(data, 2, method = "rough_kmeans", seed = 1)
  expect_identical(as.vector(unclass(clue::cl_predict(rough, new))),
                   as.vector(predict(rough, new, type = "labels")))
  expect_error(clue::cl_predict(rough, new, "memberships"), "rough", class = "softclust_ClusteringError")
  runs <- list(rep(1:2, 10), rep(1:2, each = 10))
  for (x in list(sc_consensus(runs, seed = 1), sc_medoid(runs), sc_clustering(runs[[1]]))) {
    expect_error(clue::cl_predict(x, new), "no rule for new objects",
                 class = "softclust_ClusteringError")
  }
})

test_that("consensus by pairs is at least as good as that of clue", {
  require_python()
  require_package("clue")
  data("Kinship82", package = "clue", envir = environment())
  set.seed(1)
  ours <- sc_consensus(Kinship82, method = "GV3", n_clusters = 3, seed = 1)
  value <- function(x, method, power) {
    mean(clue::cl_dissimilarity(Kinship82, clue::as.cl_partition(x), method = method)^power)
  }
  theirs <- clue::cl_consensus(Kinship82, method = "GV3", control = list(k = 3))
  expect_equal(ours$objective, value(sc_membership(ours), "comem", 2), tolerance = 1e-8)
  expect_lte(ours$objective, value(theirs, "comem", 2) * (1 + 1e-6))
  runs <- list(c(1, 1, 2, 2, 3), c(1, 1, 1, 2, 2), c(1, 2, 2, 3, 3), c(1, 1, 2, 2, 2))
  hard <- sc_consensus(runs, method = "hard/symdiff", seed = 1)
  # All partitions of five objects.
  all <- as.matrix(expand.grid(1, 1:2, 1:3, 1:4, 1:5))
  pairs <- function(x) outer(x, x, "==")[lower.tri(diag(5))]
  together <- vapply(runs, pairs, logical(10))
  least <- min(apply(all, 1L, function(x) sum(together != pairs(x))))
  expect_equal(hard$objective, least / 4)
  expect_true(hard$optimal)
  tree <- sc_consensus(runs, method = "coassociation", n_clusters = 3)
  expect_identical(unname(stats::cutree(tree$tree, 3)), unname(tree$labels))
  expect_identical(dim(hard$permutations), c(4L, 3L))
})

test_that("clusters of clusterings are found", {
  require_python()
  runs <- list(c(1, 1, 2, 2), c(2, 2, 1, 1), c(1, 2, 1, 2), c(2, 1, 2, 1), c(1, 1, 2, 2))
  set.seed(1)
  before <- .Random.seed
  found <- sc_pclust(runs, 2, seed = 1)
  expect_identical(.Random.seed, before)
  expect_equal(found$objective, 0)
  expect_identical(sc_measure("rand_index", c(1, 1, 2, 2, 1), unname(found$labels)), 1)
  soft <- sc_pclust(runs, 2, m = 2, seed = 1)
  expect_equal(rowSums(unname(soft$membership)), rep(1, 5))
  expect_output(print(soft), "Clusters of 5 clusterings")
  expect_error(sc_pclust(runs, 9), class = "softclust_ClusteringError")
})
