# Numbers in texts count from 1, and the texts are R's.
test_that("clusters and places in warnings and notes count from 1", {
  require_python()
  expect_warning(found <- sc_cluster_test(mtcars[1:8, ], n_references = 19, seed = 1),
                 "cluster 1 has 2 objects \\(place 5\\)")
  expect_match(found$notes, "place 5", all = FALSE)
  expect_error(sc_pair_counts(1:3, c(1, 1, 2), pairs = cbind(c(1, 2), c(2, 2))),
               "pair 2 is object 2 with itself", class = "softclust_ClusteringError")
})
