# Objects of other packages as clusterings, and names of objects that are not distinct.
labels <- c(1, 1, 2, 2, 2, 3)

test_that("lists of clusterers are read by their part with labels or memberships", {
  require_python()
  expected <- sc_clustering(labels)$labels
  for (part in c("cluster", "clustering", "partition", "classification", "membership")) {
    fit <- structure(stats::setNames(list(labels, 3), c(part, "nc")), class = "some_clusterer")
    expect_identical(sc_clustering(fit)$labels, expected, label = part)
    expect_identical(sc_clustering(unclass(fit))$labels, expected, label = part)
  }
  communities <- structure(list(membership = labels, names = letters[1:6]), class = "communities")
  expect_identical(sc_clustering(communities)$labels, expected)
  expect_identical(sc_clustering(structure(stats::setNames(labels, letters[1:6]), class = "membership"))$object_names,
                   letters[1:6])
  hcpc <- structure(list(data.clust = data.frame(v = 1:6, clust = factor(labels))), class = "HCPC")
  expect_identical(sc_clustering(hcpc)$labels, expected)
  pamk <- list(pamobject = structure(list(clustering = labels), class = c("pam", "partition")), nc = 3)
  expect_identical(sc_clustering(pamk)$labels, expected)
  cbi <- list(result = NULL, nc = 3, clusterlist = list(), partition = labels, clustermethod = "kmeans")
  expect_identical(sc_measure("ARI", cbi, labels), 1)
  memberships <- structure(list(membership = cbind(c(1, .5), c(0, .5))), class = "some_clusterer")
  expect_identical(kind_of(sc_clustering(memberships)), "fuzzy")
  expect_error(sc_clustering(structure(list(a = 1), class = "some_clusterer")), "class some_clusterer",
               class = "softclust_ClusteringError")
})

test_that("sparse matrices are read, and a part that a list does not have is named", {
  require_python()
  skip_if_not_installed("Matrix")
  rows <- rbind(c(1, 0), c(0, 1), c(0.5, 0.5))
  sparse <- Matrix::Matrix(rows, sparse = TRUE)
  expect_identical(sc_clustering(sparse), sc_clustering(rows))
  expect_identical(sc_clustering(sparse > 0, kind = "cover")$members, list(c(1L, 3L), 2:3))
  wide <- Matrix::Matrix(as.matrix(iris[, 1:4]), sparse = TRUE)
  expect_identical(sc_cluster(wide, 3, seed = 1)$labels, sc_cluster(as.matrix(iris[, 1:4]), 3, seed = 1)$labels)
  expect_error(sc_measure("ARI", list(cluster = labels)$clusters2, labels), "x: NULL is not a clustering",
               class = "softclust_ClusteringError")
  expect_error(sc_compare(labels, labels, measures = list("ARI")), "`measures` is of class list",
               class = "softclust_TypeError")
})

test_that("trees, distances and other things say what they are", {
  for (tree in list(structure(matrix(1:4, 2), class = "hc"), structure(list(hclust = 1), class = "pvclust"),
                    structure(list(edge = 1), class = "phylo"))) {
    expect_error(sc_clustering(tree), "a tree and not yet a clustering", class = "softclust_ClusteringError")
  }
  expect_error(sc_clustering(structure(list(order = 1:3), class = "optics")), "extractDBSCAN",
               class = "softclust_ClusteringError")
})

test_that("objects of packages as these make them", {
  require_python()
  x <- as.matrix(iris[, 1:4])
  if (requireNamespace("dbscan", quietly = TRUE)) {
    found <- dbscan::extractDBSCAN(dbscan::optics(x, 1, 5), 0.5)
    expect_identical(sc_measure("ARI", found, iris$Species, noise = "drop"),
                     sc_measure("ARI", dbscan::dbscan(x, 0.5, 5), iris$Species, noise = "drop"))
  }
  if (requireNamespace("mclust", quietly = TRUE)) {
    mclustBIC <- mclust::mclustBIC   # MclustDA looks it up where it is called
    model <- mclust::MclustDA(x, iris$Species, verbose = FALSE)
    expect_identical(sc_clustering(model)$cluster_names, levels(iris$Species))
    expect_gt(sc_measure("ARI", model, iris$Species), 0.9)
  }
  if (requireNamespace("S4Vectors", quietly = TRUE)) {
    for (runs in list(S4Vectors::Rle(c(1, 2), c(2L, 3L)), S4Vectors::Rle(factor(c("1", "2")), c(2L, 3L)))) {
      expect_identical(as.character(sc_clustering(runs)), c("1", "1", "2", "2", "2"))
      expect_identical(sc_measure("ARI", runs, c(1, 1, 2, 2, 2)), 1)
    }
  }
})

test_that("the matrix of cutree() is an ensemble by every way", {
  require_python()
  h <- hclust(dist(USArrests))
  cuts <- cutree(h, k = 2:4)
  frame <- as.data.frame(cuts)
  runs <- sc_ensemble(cuts)
  expect_identical(names(runs), c("2", "3", "4"))
  expect_identical(runs[[2]]$object_names, rownames(USArrests))
  for (f in list(sc_ensemble, sc_partial_ensemble, function(x) sc_consensus(x, seed = 1), sc_medoid, sc_coassociation, sc_compare_all,
                 function(x) sc_posterior_partition(x, seed = 1), function(x) sc_compare_all(x, noise = "drop"),
                 function(x) sc_rank_clusterings(cuts[, 2], x), function(x) sc_nested_rand_index(x, cuts[, 2]),
                 function(x) sc_expected_loss(x, x), function(x) sc_pair_roc_partitions(cuts[, 2], x))) {
    found <- list(f(cuts), f(frame))
    found <- lapply(found, function(x) if (is.list(x)) unclass(x)[setdiff(names(x), "seed")] else x)
    attr(found[[1]], "verbs") <- attr(found[[2]], "verbs") <- NULL
    expect_equal(found[[1]], found[[2]], tolerance = 0)
  }
  expect_identical(sc_coassociation(cbind(c(1, 2), c(2, 2)))$n_objects, 2)
})

test_that("a fit is one clustering and no list of clusterings", {
  require_python()
  set.seed(1)
  fit <- kmeans(iris[, 1:4], 3)
  expect_error(sc_rank_clusterings(iris$Species, fit), "several clusterings are needed",
               class = "softclust_TypeError")
  expect_error(sc_compare_all(fit), "several clusterings are needed", class = "softclust_TypeError")
})

test_that("trees of pvclust are their tree", {
  require_python()
  h <- hclust(dist(iris[1:20, 1:4]))
  pv <- structure(list(hclust = h, nboot = 10), class = "pvclust")
  expect_identical(sc_cophenetic_correlation(pv, h), 1)
  expect_identical(sc_best_cut(pv, cutree(h, 3))$value, 1)
})

test_that("objects whose names repeat are taken without names, and once it is said", {
  require_python()
  x <- as.matrix(iris[c(1:6, 51:56), 1:4])
  rownames(x) <- c("twice here", "twice here", letters[1:10])
  expect_message(sc_cluster(x, 2, "fuzzy_cmeans", seed = 1), "\"twice here\" is repeated")
  expect_silent(fit <- sc_cluster(x, 2, "fuzzy_cmeans", seed = 1))
  expect_null(fit$clustering$object_names)
  set.seed(1)
  expect_identical(sc_measure("ARI", kmeans(x, 2), rep(1:2, each = 6)), 1)
  expect_message(partly <- sc_clustering(c(a = 1, 2, b = 2)), "2 has none")
  expect_null(partly$object_names)
  expect_error(sc_clustering(matrix(c(1, 0, 0, 1), 2, dimnames = list(NULL, c("a", "a")))), "distinct",
               class = "softclust_ClusteringError")
})

test_that("trees with repeated labels stop", {
  require_python()
  h <- hclust(dist(USArrests))
  other <- hclust(dist(USArrests), "average")
  h$labels[2] <- h$labels[1]
  for (code in list(quote(sc_cophenetic_correlation(h, other)), quote(sc_cophenetic_correlation(other, h)),
                    quote(sc_best_cut(h, rep(1:2, 25))), quote(sc_pair_roc(rep(1:2, 25), h)))) {
    expect_error(eval(code), "\"Alabama\" of the tree", class = "softclust_ClusteringError")
  }
})
