# Sums of memberships in place of two soft clusterings.
rows <- function(...) matrix(c(...), ncol = 2L, byrow = TRUE)
u <- rows(0.9, 0.1, 0.8, 0.2, 0.2, 0.8, 0.1, 0.9)
v <- rows(0.7, 0.3, 0.9, 0.1, 0.1, 0.9, 0.6, 0.4)

test_that("sums of parts give the numbers of the clusterings", {
  require_python()
  x <- sc_clustering(u)
  y <- sc_clustering(v)
  whole <- sc_membership_sums(x, y)
  expect_s3_class(whole, "sc_membership_sums")
  expect_equal(unname(whole$cross), crossprod(u, v), tolerance = 1e-15)
  expect_equal(unname(whole$x_products), crossprod(u), tolerance = 1e-15)
  expect_equal(unname(whole$x_totals), colSums(u), tolerance = 1e-15)
  part <- function(i) sc_membership_sums(sc_clustering(u[i, , drop = FALSE]), sc_clustering(v[i, , drop = FALSE]))
  parts <- part(3:4) + part(1) + part(2)
  # Sums in another order may differ in the last digits, their text, too.
  expect_equal(parts[names(parts) != "exact"], whole[names(whole) != "exact"], tolerance = 1e-12)
  for (name in c("fuzzy_rand_index", "frobenius_rand_index", "euclidean_membership_distance",
                 "fuzzy_mutual_information", "mallows_distance")) {
    expect_equal(sc_measure(name, parts), sc_measure(name, x, y), tolerance = 1e-13, info = name)
  }
  found <- as.data.frame(sc_compare(parts))
  expect_equal(found["fuzzy_rand_index", "value"], sc_measure("fuzzy_rand_index", x, y))
  expect_output(print(whole), "4 objects: x fuzzy, y fuzzy")
  expect_identical(nrow(as.data.frame(whole)), 4L)
})

test_that("what sums do not say is an error", {
  require_python()
  whole <- sc_membership_sums(sc_clustering(u), sc_clustering(v))
  expect_error(sc_measure("concordance_index", whole), "not a function of sums",
               class = "softclust_ClusteringError")
  expect_error(whole + 1, "added to each other", class = "softclust_TypeError")
  expect_error(sc_membership_sums(sc_clustering(u), 1:3), class = "softclust_ClusteringError")
})

test_that("clusters without names count from 1", {
  require_python()
  u <- rbind(c(0.5, 0.5), c(1, 0))
  sums <- sc_membership_sums(unname(u), c(a = 1, b = 2))
  expect_identical(rownames(sums$cross), c("1", "2"))
  expect_identical(rownames((sums + sums)$cross), c("1", "2"))
})
