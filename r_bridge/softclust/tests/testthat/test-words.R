# Numbers in texts count from 1, and the texts are R's.
test_that("clusters and places in warnings and notes count from 1", {
  require_python()
  expect_warning(found <- sc_cluster_test(mtcars[1:8, ], n_references = 19, seed = 1),
                 "cluster 1 has 2 objects \\(place 5\\)")
  expect_match(found$notes, "place 5", all = FALSE)
  expect_error(sc_pair_counts(1:3, c(1, 1, 2), pairs = cbind(c(1, 2), c(2, 2))),
               "pair 2 is object 2 with itself", class = "softclust_ClusteringError")
})

test_that("names of clusters stay what they are in texts, and values are R's", {
  require_python()
  names <- c("True", "None", "nan", "inf", "X")
  shown <- summary(sc_match(names, rev(names)))
  for (pair in c("(True, X)", "(nan, nan)")) expect_match(shown$notes, pair, fixed = TRUE, all = FALSE)
  expect_setequal(as.data.frame(shown)[[1]], names)
  number <- suppressWarnings(sc_cluster_number(mtcars[1:8, ], 7:8, "silhouette", seed = 1))
  expect_output(print(number), "8 +NaN")
  for (text in list(number$failures, summary(number)$notes)) expect_false(any(grepl("ValueError", text)))
  x <- iris[, 1:4]
  for (wrong in list(quote(sc_measure("alpha_rand_index", 1:3, 1:3, pairs = cbind(0, 1))),
                     quote(sc_cluster(x, 2, "fuzzy_cmeans", init = x[1:3, ])),
                     quote(sc_cluster(rbind(1, 1, 2), 3, "fuzzy_cmeans")),
                     quote(sc_clustering(matrix(c(1, 2, 2), 3))), quote(sc_clustering(1:3, nonsense = 1)))) {
    said <- conditionMessage(expect_error(eval(wrong), class = "softclust_error"))
    expect_false(grepl("array\\(|shape|np[.]|\\bX\\b|None", said), label = said)
  }
  expect_error(sc_cluster(rbind(1, 1, 2), 3, "fuzzy_cmeans"), "data has 2 distinct objects")
  expect_error(sc_measure(1:3, 1:3, "ARI"), "comes first", class = "softclust_TypeError")
  expect_identical(Map(function(...) sc_compare(...)$names, list(1:3), list(1:3))[[1]], c("x", "y"))
})

test_that("an error about a value of a wrong type names the argument", {
  require_python()
  x <- c(1, 1, 2, 2)
  said <- function(expr) tryCatch(expr, softclust_error = conditionMessage)
  expect_identical(said(sc_cluster_number(iris[, 1:4], 2:3, "gap", n_references = 1.5, seed = 1)),
                   "n_references is 1.5; a whole number is needed")
  expect_identical(said(sc_cluster_number(iris[, 1:4], 2:3, "gap", n_references = NULL, seed = 1)),
                   "n_references is NULL; a whole number is needed")
  expect_identical(said(sc_pair_roc(x, hclust(dist(x)), max_clusters = "a")),
                   "max_clusters is \"a\"; a whole number is needed")
  expect_identical(said(sc_conditional_mutual_information(x, x, x, log_base = list(1, "a"))),
                   "log_base is a list; a number is needed")
  expect_match(said(sc_compare(x, x, TRUE)), "^TRUE is given; the name of one measure is needed")
  expect_match(said(sc_compare(x, x, 2)), "^2 is given; the name of one measure is needed")
  expect_match(said(sc_consensus(list(x, x), list(1, "a"))), "method = c(1, \"a\") is not known", fixed = TRUE)
  expect_match(said(sc_cssd_dissimilarity(x, x, "a", "b")), "x_prototypes is \"a\"; a vector is needed", fixed = TRUE)
  expect_match(said(sc_compare_all(list(x, x), drop = "pairs")), "choose one of \"listwise\", \"pair\"")
})
