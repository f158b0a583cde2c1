# Measures against chance.
truth <- rep(1:2, each = 10)
found <- c(rep(1, 9), rep(2, 11))

test_that("a seed gives what it gives in Python", {
  require_python()
  result <- sc_chance(truth, found, c("rand_index", "VI"), n_permutations = 50, seed = 3)
  expect_s3_class(result, c("sc_chance", "sc_result"), exact = TRUE)
  expect_identical(result$rows$measure, c("rand_index", "variation_of_information"))
  expect_identical(dim(result$null), c(50L, 2L))
  theirs <- in_python(paste0("[float(v) for r in [sc.chance([0]*10+[1]*10, [0]*9+[1]*11, ['rand_index', ",
                             "'variation_of_information'], n_permutations=50, rng=3)] ",
                             "for v in [*r.mean, *r.p_value, *r.adjusted]]"))
  expect_identical(c(result$rows$mean, result$rows$p_value, result$rows$adjusted), theirs)
  expect_identical(result$seed, 3)
})

test_that("all tables, moments and ready permutations need no seed", {
  require_python()
  state <- { set.seed(1); .Random.seed }
  exact <- sc_chance(truth, found, "rand_index", method = "exact")
  moments <- sc_chance(truth, found, "rand_index", method = "moments")
  expect_identical(.Random.seed, state)
  expect_null(exact$seed)
  # one table of 11 is as alike: 10 objects in one cluster, 9 of them chosen, both ways round
  expect_equal(exact$rows$p_value, 2 * choose(10, 9) / choose(20, 9), tolerance = 1e-12)
  expect_equal(exact$rows$mean, sc_chance_level(truth, found, "rand_index"), tolerance = 1e-12)
  expect_equal(moments$rows[c("mean", "sd")], exact$rows[c("mean", "sd")], tolerance = 1e-9)
  expect_identical(nrow(exact$null), 0L)
  orders <- rbind(20:1, 1:20)
  ready <- sc_chance(truth, found, "rand_index", indices = orders)
  expect_identical(ready$null[, 1], c(sc_measure("rand_index", truth, rev(found)),
                                      sc_measure("rand_index", truth, found)))
})

test_that("tables, models, options and sides with gaps are understood", {
  require_python()
  counts <- sc_contingency_table(truth, found)
  expect_identical(sc_chance(counts, measure = "ARI", seed = 2, n_permutations = 20)$rows,
                   sc_chance(truth, found, "ARI", seed = 2, n_permutations = 20)$rows)
  x <- c(1, 1, 2, 3)
  y <- c(1, 2, 2, 2)
  expect_equal(sc_chance_level(x, y, model = "number"), 0.547619, tolerance = 1e-6)
  numbered <- sc_chance(x, y, model = "number", fixed = "x", seed = 1, n_permutations = 30)
  expect_identical(numbered$fixed, "x")
  some <- sc_chance(x, y, list(alpha_rand_index = list(alpha = 0.2), rand_index = list()),
                    seed = 1, n_permutations = 9)
  expect_identical(some$labels[1], "alpha_rand_index (alpha=0.2)")
  gaps <- sc_chance(c(truth, NA), c(found, 1), missing = "drop", seed = 1, n_permutations = 9)
  expect_identical(gaps$n_objects, 20)
  expect_output(print(gaps), "1 missing (drop)", fixed = TRUE)
})

test_that("print, frame and plot work, and wrong use says so", {
  require_python()
  result <- sc_chance(truth, found, "rand_index", n_permutations = 99, seed = 1)
  expect_output(print(result), "99 random permutations, drawn as tables")
  expect_identical(row.names(as.data.frame(result)), "rand_index")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(result), result)
  expect_error(plot(sc_chance(truth, found, method = "exact")), "no draws", class = "softclust_ValueError")
  expect_error(sc_chance(truth), "y is missing", class = "softclust_ClusteringError")
  expect_error(sc_chance(truth, found, "purity_index", method = "moments"), class = "softclust_ValueError")
  expect_error(sc_chance(truth, found, list(list())), "their names", class = "softclust_TypeError")
  expect_error(sc_chance(truth, found, foo = 1), "no option", class = "softclust_TypeError")
})
