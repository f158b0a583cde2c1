# Counts of pairs of labels in place of the labels.
x <- c("a", "a", "b", "b", "c", "a")
y <- c(1, 1, 2, 1, 2, 2)

test_that("a table gives the numbers of the labels, from wherever its counts are", {
  require_python()
  counts <- sc_contingency_table(x, y)
  expect_s3_class(counts, "sc_contingency_table")
  expect_identical(unname(counts$counts), unname(unclass(table(x, y)) + 0), ignore_attr = TRUE)
  expect_identical(counts$n_objects, 6)
  frame <- data.frame(x = x, y = y)
  sources <- list(counts, table(x, y), xtabs(~ x + y, frame),
                  sc_contingency_table(as.data.frame(table(x, y))),
                  sc_contingency_table(aggregate(list(n = rep(1, 6)), frame, sum)))
  for (name in c("adjusted_rand_index", "variation_of_information", "transfer_distance")) {
    for (source in sources) {
      expect_identical(sc_measure(name, source), sc_measure(name, x, y), info = name)
    }
  }
  expect_identical(sc_compare(counts, measures = "rand_index")$rows$value,
                   sc_measure("rand_index", x, y))
  expect_identical(sc_pair_counts(counts)$n11, sc_pair_counts(x, y)$n11)
})

test_that("frequencies are copies, weights are not", {
  require_python()
  f <- c(2, 1, 0, 3, 1, 1)
  copies <- rep(seq_along(x), f)
  counted <- sc_contingency_table(x, y, frequencies = f)
  expect_identical(counted$n_objects, 8)
  expect_identical(sc_measure("adjusted_rand_index", counted),
                   sc_measure("adjusted_rand_index", x[copies], y[copies]))
  w <- c(4, 1, 0.5, 1, 2, 0)
  weighted <- sc_contingency_table(x, y, weights = w)
  expect_true(weighted$weighted)
  expect_identical(weighted$n_objects, 5)
  pairs <- utils::combn(6, 2)
  ww <- w[pairs[1, ]] * w[pairs[2, ]]
  same <- function(v) v[pairs[1, ]] == v[pairs[2, ]]
  rand <- sum(ww[same(x) == same(y)]) / sum(ww)
  expect_equal(sc_measure("rand_index", weighted), rand, tolerance = 1e-14)
  expect_identical(sc_measure("rand_index", sc_contingency_table(x, y, weights = 8 * w)),
                   sc_measure("rand_index", weighted))
  expect_identical(sc_measure("rand_index", sc_contingency_table(x, y, weights = rep(1, 6))),
                   sc_measure("rand_index", x, y))
})

test_that("R's own forms come back", {
  require_python()
  counts <- sc_contingency_table(x, y)
  expect_s3_class(as.table(counts), "table")
  expect_identical(names(dimnames(as.table(counts))), c("x", "y"))
  expect_identical(sum(as.data.frame(counts)$Freq), 6)
  expect_output(print(counts), "Contingency table of 6 objects, 3 by 2 clusters", fixed = TRUE)
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(counts), counts)
})

test_that("what is not a table of counts says so", {
  require_python()
  no_table <- function(code, text) expect_error(code, text, class = "softclust_ClusteringError")
  no_table(sc_contingency_table(x), "y is missing")
  no_table(sc_contingency_table(x, y[-1]), "6 objects and y 5")
  no_table(sc_contingency_table(c(x[-1], NA), y), "missing = \"drop\"")
  expect_identical(sc_contingency_table(c(x[-1], NA), y, missing = "drop")$n_dropped, 1)
  no_table(sc_contingency_table(as.table(matrix(c(1, -1, 2, 2), 2))), ">= 0")
  no_table(sc_contingency_table(as.table(matrix(c(1, 0.5, 2, 2), 2))), "whole numbers")
  no_table(sc_contingency_table(as.table(matrix(c(2^53, 2^60, 2, 2), 2))), "2\\^53")
  no_table(sc_contingency_table(table(c(1, NA), c(1, 2), useNA = "always")), "missing label")
  no_table(sc_contingency_table(data.frame(a = 1, Freq = 2)), "three columns")
  no_table(sc_contingency_table(x, y, weights = c(1, 2)), "weights")
  no_table(sc_contingency_table(x, y, frequencies = rep(0.5, 6)), "whole numbers")
  no_table(sc_contingency_table(rbind(c(0.5, 0.5), c(1, 0)), 1:2), "hard clustering")
  expect_error(sc_contingency_table(x, y, weights = y, frequencies = y), "exclude each other",
               class = "softclust_ValueError")
  expect_error(sc_contingency_table(stats::setNames(x, letters[1:6]), stats::setNames(y, letters[6:1])),
               "another order", class = "softclust_ClusteringError")
})
