# Names of objects: the same objects in another order are never compared by position.
u <- rbind(c(0.9, 0.1), c(0.4, 0.6), c(0.2, 0.8), c(1, 0))
turned <- c(3, 1, 4, 2)

other_order <- function(code) {
  expect_error(code, "another order", class = "softclust_ClusteringError")
}

test_that("row numbers in another order count as names", {
  require_python()
  frame <- as.data.frame(u)
  x <- sc_clustering(frame)
  expect_null(x$object_names)
  other_order(check_same_objects(x, sc_clustering(frame[turned, ])))
  other_order(check_same_objects(sc_clustering(frame[turned, ]), x))
  other_order(check_same_objects(sc_clustering(head(frame, 4)), sc_clustering(frame[turned, ])))
  other_order(check_same_objects(x, sc_clustering(stats::setNames(c(1, 1, 2, 2), turned))))
  labels <- stats::setNames(c(1, 1, 2, 2), 1:4)
  other_order(check_same_objects(sc_clustering(labels), sc_clustering(labels[turned])))
  # a part of the rows against another part
  expect_error(check_same_objects(sc_clustering(frame[1:3, ]), sc_clustering(frame[2:4, ])),
               "\"1\" in x and \"2\" in y.*row numbers", class = "softclust_ClusteringError")
  reset <- frame[2:4, ]
  rownames(reset) <- NULL
  expect_error(check_same_objects(sc_clustering(reset), sc_clustering(frame[2:4, ])), "row numbers",
               class = "softclust_ClusteringError")
})

test_that("what has no names is compared by position", {
  require_python()
  frame <- as.data.frame(u)
  for (other in list(c(1, 1, 2, 2), u, stats::setNames(c(1, 1, 2, 2), letters[1:4]),
                     `class<-`(as.data.frame(u), c("tbl_df", "tbl", "data.frame")))) {
    expect_silent(check_same_objects(sc_clustering(frame), sc_clustering(other)))
    expect_silent(check_same_objects(sc_clustering(other), sc_clustering(frame)))
  }
  expect_silent(check_same_objects(sc_clustering(c(1, 1, 2, 2)), sc_clustering(frame[turned, ])))
  expect_silent(check_same_objects(sc_clustering(frame), sc_clustering(head(frame, 4))))
  unnamed <- unname(as.matrix(frame[turned, ]))
  rownames(unnamed) <- NULL
  expect_silent(check_same_objects(sc_clustering(frame), sc_clustering(unnamed)))
})

test_that("parts of a clustering keep the numbers of their rows", {
  require_python()
  x <- sc_clustering(as.data.frame(u))
  expect_identical(x[turned]$object_names, as.character(turned))
  other_order(check_same_objects(x, x[turned]))
  expect_identical(x[2:3]$object_names, c("2", "3"))
})

test_that("frames of labels carry the names of their rows", {
  runs <- data.frame(a = c(1, 1, 2, 2), b = c(1, 2, 2, 2), row.names = letters[1:4])
  ensemble <- sc_ensemble(runs)
  expect_identical(ensemble$a$object_names, letters[1:4])
  other_order(check_same_objects(ensemble$b, sc_ensemble(runs[turned, ])$b))
  plain <- sc_ensemble(data.frame(a = c(1, 1, 2, 2)))
  expect_null(plain$a$object_names)
  other_order(check_same_objects(plain$a, sc_ensemble(data.frame(a = c(1, 1, 2, 2))[turned, , drop = FALSE])$a))
  expect_error(sc_ensemble(a = runs[["a"]], b = stats::setNames(runs$b, 1:4),
                           c = stats::setNames(runs$b, 4:1)), "another order",
               class = "softclust_ClusteringError")
})

test_that("objects of other packages and of this one too", {
  require_python()
  data <- iris[c(1:10, 51:60), 1:4]
  rownames(data) <- NULL
  turned <- 20:1
  set.seed(1)
  other_order(sc_measure("rand_index", kmeans(head(data, 20), 2), kmeans(data[turned, ], 2)))
  fit <- function(d) sc_cluster(d, 2, method = "fuzzy_cmeans", seed = 1)
  other_order(sc_compare(fit(data), fit(data[turned, ])))
  other_order(sc_compare(fit(data), kmeans(data[turned, ], 2)))
  bag <- function(d) sc_bagged(d, 2, n_resamples = 20, seed = 1)
  other_order(sc_compare_all(list(bag(data), bag(data[turned, ]))))
  other_order(sc_prayatul(fit(data)$labels, stats::setNames(rep(1:2, 10), 1:20),
                          stats::setNames(rep(1:2, 10), turned)))
  other_order(sc_match(fit(data), predict(fit(data), data[turned, ])))
  # the same rows in the same order
  expect_s3_class(sc_compare(fit(data[turned, ]), fit(data[turned, ]), "alpha_rand_index"),
                  "sc_comparison")
})

test_that("whatever has objects is compared by their names", {
  require_python()
  d <- dist(USArrests)
  h <- hclust(d, "average")
  y <- cutree(h, 4)
  other <- rev(y)
  levels <- data.frame(coarse = cutree(h, 2), fine = y, row.names = rownames(USArrests))
  expect_identical(sc_best_cut(h, y)$value, 1)
  expect_equal(sc_dissimilarity_accounted_for(y, d), 0.646, tolerance = 1e-3)
  fit <- sc_cluster(USArrests, 3, "fuzzy_cmeans", seed = 1)
  runs <- list(y, cutree(h, 2))
  groups <- stats::setNames(rep(1:2, 25), names(y))
  for (code in list(
    quote(sc_best_cut(h, other)), quote(sc_level_agreement(h, other)),
    quote(sc_level_agreement(levels, other)), quote(sc_nested_rand_index(levels, other)),
    quote(sc_dissimilarity_accounted_for(other, d)),
    quote(sc_dissimilarity_accounted_for(other, as.matrix(d))), quote(sc_tie_range(other, USArrests)),
    quote(sc_tie_range(other, d)), quote(sc_pair_roc(other, h)), quote(sc_pair_roc_subsets(other, h)),
    quote(sc_pair_roc_partitions(other, runs)), quote(sc_rank_clusterings(other, runs)),
    quote(sc_prayatul(y, other, y)), quote(sc_prayatul_all(other, runs)), quote(sc_explain(y, other)),
    quote(sc_cluster_changes(y, other)), quote(sc_influence(y, other)), quote(sc_match(y, other)),
    quote(sc_compare(y, y, ci = "jackknife", groups = rev(groups))),
    quote(sc_compare(y, y, strata = rev(groups))), quote(sc_chance(y, y, groups = rev(groups))),
    quote(sc_agreement_by_strata(y, y, rev(groups))),
    quote(sc_agreement_by_strata(y, y, groups, groups = rev(groups))),
    quote(sc_sampled_truth(y, other, "objects", 0.5, 1:9)),
    quote(sc_sampled_truth(y, y, "objects", rev(groups) / 99, 1:9)),
    quote(sc_pair_roc(y, h, labelled = rev(groups) > 3)),
    quote(sc_batch_effect(y, other)), quote(sc_batch_effect(y, y, within = rev(groups))),
    quote(sc_conditional_mutual_information(y, y, rev(groups))),
    quote(sc_contingency_table(y, y, weights = rev(groups))),
    quote(sc_cluster(USArrests, 3, "fuzzy_cmeans", sample_weight = rev(groups))),
    quote(sc_cluster_stability(other, runs)), quote(sc_expected_index(other, fit, "jaccard")),
    quote(generics::augment(fit, USArrests[50:1, ])), quote(plot(fit, USArrests[50:1, ])),
    quote(sc_fuzzy_pair_counts(other, fit)), quote(sc_pair_counts(y, other)))) {
    expect_error(eval(code), "another order", class = "softclust_ClusteringError", label = deparse(code))
  }
})

test_that("strata and groups follow the objects that are compared", {
  require_python()
  x <- c(a = 1, b = 1, c = 2, d = 2, e = 3)
  y <- c(e = 2, d = 1, c = 1, b = 2, z = 2)
  strata <- c(z = 9, e = 5, d = 4, c = 4, b = 5, a = 5)
  common <- sc_chance(x, y, "adjusted_rand_index", method = "moments", objects = "common", strata = strata)
  by_hand <- sc_chance(x[2:5], y[4:1], "adjusted_rand_index", method = "moments", strata = strata[5:2])
  expect_identical(common$rows, by_hand$rows)
})
