truth <- c("a", "a", "a", "b", "b", "c", "c")
labels <- c(1, 1, 1, 2, 2, 2, 2)

test_that("shares add up and are Python's", {
  require_python()
  why <- sc_explain(truth, labels, "rand_index")
  expect_equal(why$total, 4 / 21)
  for (shares in list(why$objects, why$x_clusters, why$y_clusters, why$cells$share)) {
    expect_equal(sum(shares), why$total)
  }
  expect_equal(why$objects, c(0, 0, 0, 1, 1, 1, 1) / 21)
  expect_identical(names(why$x_clusters), c("a", "b", "c"))
  expect_identical(names(why$y_clusters), c("1", "2"))
  expect_output(print(why), "truth b and c are merged in\\s+labels 2")
  expect_output(print(why), "4, 5, 6, 7: 25 % each", fixed = TRUE)
  expect_output(print(sc_explain(truth, truth)), "The clusterings agree")
  expect_error(sc_explain(truth, labels, "mutual_information"), "no shares that add up",
               class = "softclust_ValueError")
})

test_that("objects of soft clusterings have shares", {
  require_python()
  soft <- cbind(c(1, 1, .5, 0), c(0, 0, .5, 1))
  why <- sc_explain(c(1, 1, 2, 2), soft, "alpha_rand_index")
  chart <- picture_of(why)
  expect_match(chart$xlab, "^share of 1 - alpha_rand_index")
  expect_identical(chart$y_axis$names[1L], "3")
  expect_equal(sum(why$objects), why$total)
  expect_null(why$cells)
  expect_equal(as.data.frame(why)$share, why$objects)
  expect_output(print(why), "Objects only share the disagreement")
})

test_that("objects keep their names, and alignment comes first", {
  require_python()
  named <- stats::setNames(labels, letters[1:7])
  expect_identical(names(sc_explain(named, named)$objects), letters[1:7])
  gap <- replace(truth, 7, NA)
  expect_length(sc_explain(gap, labels, missing = "drop")$objects, 6)
})

test_that("changes and influence", {
  require_python()
  changes <- sc_cluster_changes(truth, labels)
  expect_identical(changes$rows$kind, c("merge", "kept"))
  expect_identical(changes$rows$x[1], "b + c")
  expect_equal(changes$operations, 1)
  expect_output(print(changes), "1 kept, 1 changed, 0 objects moved")
  moved <- sc_influence(truth, c(1, 1, 2, 2, 2, 3, 3))
  expect_equal(which(moved$gain > 0), 3)
  expect_equal(moved$best[3], 1)
  without <- sc_measure("adjusted_rand_index", truth[-3], c(1, 1, 2, 2, 3, 3))
  expect_equal(moved$value + moved$leave_out[3], without)
  expect_output(print(moved), "1 of 7 objects gain by a move in y")
})

test_that("the reference may be x", {
  require_python()
  from_x <- sc_compare(truth, labels, measures = "homogeneity", reference = "x")
  from_y <- sc_compare(labels, truth, measures = "homogeneity")
  expect_equal(from_x$rows$value, from_y$rows$value)
})

test_that("nested truth", {
  require_python()
  levels <- data.frame(type = c(1, 1, 1, 1, 2, 2), subtype = c(1, 1, 2, 2, 3, 3))
  y <- levels$type
  expect_equal(sc_nested_rand_index(levels, y), 13 / 15)
  expect_equal(sc_nested_rand_index(levels, y, adjusted = TRUE), 8 / 11)
  by_level <- sc_level_agreement(levels, y)
  expect_identical(row.names(by_level), names(levels))
  expect_equal(by_level$value, c(1, 4 / 9))
  expect_error(sc_nested_rand_index(rev(levels), y), "not nested",
               class = "softclust_ClusteringError")
  expect_error(sc_nested_rand_index(y, y), "list of clusterings", class = "softclust_TypeError")
})

test_that("the best cut of a tree", {
  require_python()
  tree <- hclust(dist(iris[, 1:4]), "average")
  cut <- sc_best_cut(tree, iris$Species, n_permutations = 19, seed = 1)
  expect_equal(cut$value, sc_measure("adjusted_rand_index", cut$clustering, iris$Species))
  expect_gte(cut$value, max(sc_level_agreement(tree, iris$Species)$value))
  expect_length(cut$null, 19)
  expect_output(print(cut), "19 permutations")
  expect_output(print(sc_best_cut(tree, iris$Species)), "not a test")
})

test_that("broom's verbs have broom's names", {
  require_python()
  require_package("generics")
  result <- sc_compare(truth, labels, measures = c("rand_index", "alpha_rand_interval"),
                       ci = "jackknife")
  rows <- generics::tidy(result)
  expect_identical(names(rows), c("term", "estimate", "std.error", "conf.low", "conf.high",
                                  "p.value", "method"))
  expect_equal(rows$estimate[1], result$rows$value[1])
  expect_equal(rows$conf.low[1], result$rows$ci_low[1])
  expect_identical(generics::glance(result)$nobs, 7)
  exact <- sc_chance(truth, labels, "rand_index", method = "exact")
  expect_equal(generics::tidy(exact)$p.value, exact$rows$p_value)
})

test_that("modelsummary reads comparisons", {
  require_python()
  require_cran_package("modelsummary")
  first <- sc_compare(truth, labels, measures = "rand_index", ci = "jackknife")
  second <- sc_compare(truth, truth, measures = "rand_index", ci = "jackknife")
  table <- modelsummary::modelsummary(list(a = first, b = second), output = "data.frame",
                                      statistic = "conf.int")
  expect_identical(table$a[table$statistic == "estimate"], "0.810")
  expect_identical(table$b[table$statistic == "estimate"], "1.000")
  expect_identical(table$a[table$term == "Num.Obs."], "7")
})
