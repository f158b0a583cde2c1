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
