# The range of a measure over all ways to fill in missing labels.
x <- c(1, 1, 1, 2, 2, NA)
y <- c(1, 1, 1, 2, 2, 2)

test_that("both ends are attained by the completions that are returned", {
  require_python()
  for (measure in c("rand_index", "adjusted_rand_index", "variation_of_information")) {
    for (clusters in c("observed", "any")) {
      found <- sc_completion_bounds(x, y, measure, clusters, seed = 1)
      expect_s3_class(found, c("sc_completion_bounds", "sc_result"), exact = TRUE)
      expect_true(found$exact)
      for (end in c("low", "high")) {
        pair <- found$completions[[end]]
        expect_equal(sc_measure(measure, pair$x, pair$y), found[[end]], tolerance = 1e-12)
        expect_identical(pair$x$labels[1:3], rep(pair$x$labels[1], 3))
      }
      theirs <- in_python("[v for r in [sc.completion_bounds([1,1,1,2,2,None], [1,1,1,2,2,2], measure=a['m'], clusters=a['c'])] for v in (r.low, r.high)]",
                          m = measure, c = clusters)
      expect_equal(c(found$low, found$high), theirs, tolerance = 1e-12)
    }
  }
})

test_that("the range holds every filling by hand", {
  require_python()
  gaps <- c(1, NA, 2, NA, 1)
  other <- c(1, 1, 2, 2, NA)
  found <- sc_completion_bounds(gaps, other, "rand_index", seed = 1)
  fillings <- expand.grid(a = 1:2, b = 1:2, c = 1:2)
  values <- apply(fillings, 1, function(f) {
    sc_measure("rand_index", replace(gaps, c(2, 4), f[1:2]), replace(other, 5, f[3]))
  })
  expect_equal(range(values), c(found$low, found$high))
  expect_identical(found$n_missing, c(x = 2, y = 1, both = 0))
})

test_that("noise may count as missing, and print, frame and plot work", {
  require_python()
  noisy <- c(1, 1, 1, 2, 2, -1)
  expect_identical(sc_completion_bounds(noisy, y, noise_label = -1)$n_missing[["x"]], 1)
  expect_identical(sc_completion_bounds(noisy, y)$n_missing[["x"]], 0)
  found <- sc_completion_bounds(x, y, "rand_index", seed = 1)
  expect_output(print(found), "rand_index over all completions")
  expect_identical(dim(as.data.frame(found)), c(2L, 4L))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found), found)
  expect_error(sc_completion_bounds(x, y, foo = 1), "no option", class = "softclust_TypeError")
  expect_error(sc_completion_bounds(rbind(c(.5, .5), c(1, 0)), 1:2), class = "softclust_ClusteringError")
})

test_that("sc_compare gives ranges over completions", {
  require_python()
  result <- sc_compare(x, y, c("rand_index", "transfer_distance"), missing = "bounds")
  found <- sc_completion_bounds(x, y, "rand_index")
  expect_true(all(result$rows$interval))
  expect_equal(c(result$rows$low[1], result$rows$high[1]), c(found$low, found$high))
  expect_identical(result$n_objects, 6)
  expect_output(print(result), "missing labels: 1 in x only")
  expect_error(sc_compare(x, y, missing = "bounds", ci = "jackknife"))
})

test_that("ranges go with policies for noise, and for several clusterings", {
  require_python()
  a <- c(1, 1, 2, 2, -1, NA)
  b <- c(1, 1, 1, 2, 2, 2)
  result <- sc_compare(a, b, "rand_index", missing = "bounds", noise = "drop", noise_label = -1)
  found <- sc_completion_bounds(a[-5], b[-5], "rand_index")
  expect_equal(c(result$rows$low, result$rows$high), c(found$low, found$high))
  all <- sc_compare_all(list(a = a, b = b), "rand_index", missing = "bounds")
  both <- sc_completion_bounds(a, b, "rand_index")
  expect_equal(c(all$lower["a", "b"], all$upper["a", "b"]), c(both$low, both$high))
  pairs <- sc_compare_all(list(a = a, b = b), "rand_index", missing = "bounds", noise = "drop",
                          noise_label = -1, drop = "pair")
  expect_equal(c(pairs$lower["a", "b"], pairs$upper["a", "b"]), c(found$low, found$high))
})
