# Two dendrograms.
set.seed(4)
# without ties: heights that differ by rounding only are one height in softclust, two in base R
data <- as.data.frame(matrix(stats::rnorm(100), 25))
x <- hclust(dist(data), "average")
y <- hclust(dist(data), "single")

test_that("the curve has the values of the cuts", {
  require_python()
  curve <- sc_dendrogram_curve(x, y, "rand_index")
  expect_s3_class(curve, c("sc_dendrogram_curve", "sc_result"), exact = TRUE)
  for (k in curve$k[c(1, 3, 8)]) {
    expect_equal(curve$value[curve$k == k],
                 sc_measure("rand_index", unname(cutree(x, k)), unname(cutree(y, k))), tolerance = 1e-12)
  }
  expect_true(all(is.finite(curve$expected)))
  map <- sc_dendrogram_map(x, y, "rand_index", max_clusters = 6)
  expect_equal(map$value["3", "4"], sc_measure("rand_index", unname(cutree(x, 3)), unname(cutree(y, 4))))
})

test_that("cophenetic correlations are those of base R", {
  require_python()
  for (method in c("pearson", "spearman", "kendall")) {
    expect_equal(sc_cophenetic_correlation(x, y, method),
                 cor(cophenetic(x), cophenetic(y), method = method), tolerance = 1e-10, info = method)
  }
  expect_equal(sc_cophenetic_correlation(x, x, "gamma"), 1)
})

test_that("trees are matched by their labels", {
  require_python()
  named <- data
  rownames(named) <- paste0("o", seq_len(nrow(data)))
  turned <- sample(nrow(named))
  a <- hclust(dist(named), "average")
  b <- hclust(dist(named[turned, ]), "average")
  expect_equal(sc_cophenetic_correlation(a, b), 1)
  expect_identical(sc_cluster_set_distance(a, b), 0)
  expect_equal(sc_dendrogram_element_centric(a, b)$index, 1)
  expect_identical(names(sc_dendrogram_element_centric(a, b)$values), rownames(named))
})

test_that("untangled orders are orders of the leaves", {
  require_python()
  orders <- sc_untangle(x, y, fixed = "x")
  expect_identical(unname(orders$x_order), x$order)
  expect_identical(sort(unname(orders$y_order)), seq_len(nrow(data)))
  expect_null(orders$seed)
  both <- sc_untangle(x, y, seed = 1)
  expect_true(both$crossings <= orders$crossings)
  expect_identical(sc_untangle(x, x, seed = 1)$crossings, 0)
  expect_identical(both$seed, 1)
})

test_that("print, frame and plot work, and what is not a tree says so", {
  require_python()
  curve <- sc_dendrogram_curve(x, cluster::agnes(data))
  expect_output(print(curve), "fowlkes_mallows_index of two dendrograms of 25 objects")
  expect_identical(names(as.data.frame(curve)), c("k", "value", "expected", "sd", "limit"))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(curve), curve)
  map <- sc_dendrogram_map(x, y, max_clusters = 5)
  expect_identical(plot(map), map)
  expect_error(sc_dendrogram_curve(x, 1:25), "of class integer", class = "softclust_TypeError")
  expect_error(sc_dendrogram_curve(x, hclust(dist(data[-1, ]))), class = "softclust_ClusteringError")
  expect_error(sc_untangle(x, y, fixed = "z"), class = "softclust_ValueError")
})

test_that("untangled orders are weights for reorder()", {
  require_python()
  data <- as.data.frame(matrix(stats::rnorm(40), 10, dimnames = list(letters[1:10], NULL)))
  a <- hclust(dist(data), "average")
  b <- hclust(dist(data[10:1, ]), "single")
  both <- sc_untangle(a, b, seed = 1)
  for (side in list(list(a, both$x_weights, both$x_order), list(b, both$y_weights, both$y_order))) {
    turned <- reorder(as.dendrogram(side[[1]]), side[[2]], mean)
    expect_identical(labels(turned), names(side[[3]]))
  }
  expect_identical(sc_entanglement(both$x_order, both$y_order), both$entanglement)
  expect_identical(sc_entanglement(names(both$x_order), names(both$y_order)), both$entanglement)
  expect_error(sc_entanglement(1:3, 2:4), class = "softclust_ClusteringError")
  expect_output(print(both), "Orders of the leaves of two trees of 10 objects")
  expect_identical(as.data.frame(both)$object, rownames(data))
  map <- sc_dendrogram_map(a, b, max_clusters = 4)
  expect_output(print(map), "fowlkes_mallows_index of all cuts")
  expect_identical(dim(as.data.frame(map)), c(9L, 3L))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_invisible(plot(both))
})

test_that("proximities are those of clue", {
  require_python()
  require_package("clue")
  x <- hclust(dist(iris[1:20, 1:4]), "average")
  y <- hclust(dist(iris[1:20, 1:4]), "single")
  # Package clue takes heights that differ by rounding for different ones.
  x$height <- round(x$height, 8)
  y$height <- round(y$height, 8)
  for (method in c("euclidean", "gamma", "symdiff", "spectral")) {
    expect_equal(sc_dendrogram_proximity(x, y, method), clue::cl_dissimilarity(x, y, method)[[1]],
                 tolerance = 1e-10, info = method)
  }
  expect_equal(sc_dendrogram_proximity(x, y, "angle", "agreement"),
               clue::cl_agreement(x, y, "angle")[[1]], tolerance = 1e-10)
})
