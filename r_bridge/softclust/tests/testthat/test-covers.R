# Covers: lists of clusters, their measures, element-centric similarity, flows.
x <- sc_cover(list(a = c("p", "q"), b = c("q", "r", "s")))
y <- sc_cover(list(c("p", "q", "r"), "s"))

test_that("lists of clusters are covers", {
  expect_s3_class(x, c("sc_cover", "sc_clustering"), exact = TRUE)
  expect_identical(x$members, list(1:2, 2:4))
  expect_identical(x$object_names, c("p", "q", "r", "s"))
  expect_identical(x$cluster_names, c("a", "b"))
  numbered <- sc_cover(list(c(2, 1), 4), objects = 5)
  expect_identical(numbered$members, list(1:2, 4L))
  expect_null(numbered$object_names)
  expect_identical(summary(numbered)$uncovered, 2L)
  named <- sc_cover(list("u"), objects = c("v", "u"))
  expect_identical(named$members, list(2L))
  m <- matrix(c(1, 0, 1, 1), 2)
  expect_identical(sc_clustering(m, kind = "cover")$members, sc_cover(m)$members)
  expect_identical(x[c("s", "p")]$members, list(2L, 1L))
  expect_identical(as.data.frame(x)$b, c(FALSE, TRUE, TRUE, TRUE))
  expect_output(print(x), "Cover clustering of 4 objects, 2 clusters")
  expect_output(print(summary(x)), "Mean number of clusters of an object: 1.25")
})

test_that("bad covers are refused", {
  expect_error(sc_cover(list(c(1, 9)), objects = 3), "object 9 of cluster 1 is not among 1, ..., 3")
  expect_error(sc_cover(list(c("a", "a"))), "object a is twice in cluster 1")
  expect_error(sc_cover(list()), "no objects")
  expect_error(sc_cover("a"), "a list with the members")
  expect_error(sc_clustering(rbind(c(TRUE, TRUE), c(TRUE, FALSE))), "kind = \"cover\" when")
  expect_error(sc_clustering(list("a", "b")), "sc_cover\\(\\) lists")
})

test_that("measures of covers have the values of Python", {
  require_python()
  a <- sc_cover(list(c(1, 2), c(2, 3)), objects = 3)
  b <- sc_cover(list(c(1, 2), 3), objects = 3)
  expect_equal(sc_measure("omega_index", a, b), 0.4)
  expect_equal(sc_measure("best_match_index", a, b), 5 / 6)
  expect_equal(sc_measure("overlapping_normalized_mutual_information", a, b), 0.6370087710606406)
  expect_true("omega_index" %in% as.data.frame(sc_compare(a, b))$measure)
  expect_error(sc_measure("rand_index", a, b), "x is cover")
  # What igraph::communities() returns: an array of vectors with names.
  communities <- structure(list(`1` = c(1, 2, 3), `2` = c(3, 4)), dim = 2L,
                           dimnames = list(c("1", "2")))
  expect_identical(sc_cover(communities, objects = 4)$members, list(1:3, 3:4))
})

test_that("conversions of covers have names", {
  require_python()
  expect_equal(unname(sc_membership(sc_to_fuzzy(x))),
               rbind(c(1, 0), c(0.5, 0.5), c(0, 1), c(0, 1)))
  expect_identical(sc_to_cover(c(1, 2, 1))$members, list(c(1L, 3L), 2L))
  u <- rbind(c(0.9, 0.1), c(0.5, 0.5))
  expect_identical(sc_to_cover(u, 0.5)$members, list(1:2, 2L))
  expect_error(sc_to_cover(u), "threshold is NULL")
  expect_error(sc_harden(x), "a cover has no harden")
  expect_error(sc_to_fuzzy(sc_cover(list(1), objects = 2)), "object 2 is in no cluster")
})

test_that("element-centric similarity is that of partitions and of base R", {
  require_python()
  a <- c(1, 1, 2, 2, 2)
  b <- c(1, 1, 1, 2, 2)
  found <- sc_element_centric(a, b)
  share <- table(a, b)[cbind(a, b)] / pmax(table(a)[a], table(b)[b])
  expect_equal(unname(found$values), as.numeric(share))
  expect_equal(found$index, mean(share))
  expect_equal(found$adjusted, (found$index - found$expected) / (1 - found$expected))
  expect_named(found$x, c("1", "2"))
  expect_silent(plot(found))
  consistent <- sc_element_consistency(list(one = a, two = b, three = a))
  expect_equal(unname(consistent$values), unname((2 * found$values + 1) / 3))
  expect_equal(sc_element_consistency(list(x, y), damping = 0.5)$index,
               sc_measure("element_centric_index", x, y, damping = 0.5))
  against <- sc_element_consistency(list(one = a, two = b), reference = 2)
  expect_equal(against$values, consistent$values * 3 / 2 - 0.5)
})

test_that("flows are ordered", {
  require_python()
  found <- sc_order_flows(rbind(c(0, 5), c(7, 1)))
  expect_identical(found$orders, list(1:2, 2:1))
  expect_true(found$exact)
  found <- sc_order_flows(list(first = c("a", "b", "b"), second = c(2, 1, 1)))
  expect_equal(found$crossings, 0)
  expect_named(found$orders, c("first", "second"))
})
