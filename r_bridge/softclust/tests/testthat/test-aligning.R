# Noise, missing labels and different objects.
truth <- c(1, 1, 1, 2, 2, 2, NA)
found <- c(1, 1, -1, 2, 2, -1, 2)

test_that("each rule gives what Python gives", {
  require_python()
  for (noise in c("cluster", "singletons", "drop")) {
    for (missing in c("drop", "cluster", "singletons")) {
      ours <- sc_measure("adjusted_rand_index", truth, found, noise = noise, missing = missing)
      theirs <- in_python(paste0(
        "sc.adjusted_rand_index(*sc.align([1,1,1,2,2,2,None], [1,1,-1,2,2,-1,2], noise=a['noise'], ",
        "missing=a['missing']))"), noise = noise, missing = missing)
      expect_identical(ours, theirs, info = paste(noise, missing))
    }
  }
  sides <- sc_align(truth, found, noise = "unknown", missing = "unknown")
  expect_identical(unname(vapply(sides$clusterings, kind_of, "")), c("rough", "rough"))
  expect_identical(kind_of(sc_align(found, noise = "empty")$clusterings[[1]]), "evidential")
})

test_that("the record counts from 1 and says what was done", {
  require_python()
  a <- sc_align(truth = truth, found = found, noise = "singletons", missing = "drop")
  expect_s3_class(a, c("sc_alignment", "sc_result"), exact = TRUE)
  expect_identical(names(a$clusterings), c("truth", "found"))
  expect_identical(a$n_objects, 6)
  expect_identical(a$n_dropped, 1)
  expect_identical(unname(a$positions[, "truth"]), as.double(1:6))
  expect_identical(a$n_noise, c(truth = 0, found = 2))
  expect_identical(a$n_missing, c(truth = 1, found = 0))
  expect_output(print(a), "6 of 7 objects compared")
  expect_output(print(a), "2 (singletons)", fixed = TRUE)
  expect_identical(as.data.frame(a)$n_clusters, c(2, 4), ignore_attr = TRUE)
  one <- sc_align(truth, found, noise = c("cluster", "drop"), missing = c("drop", "raise"))
  expect_identical(one$noise, c(x = "cluster", y = "drop"))
  expect_identical(one$n_objects, 4)
})

test_that("objects are matched by name", {
  require_python()
  x <- c(a = 1, b = 2, c = 2)
  y <- c(d = 1, c = 5, b = 5)
  common <- sc_align(x, y, objects = "common")
  expect_identical(common$object_names, c("b", "c"))
  expect_identical(unname(common$positions), cbind(2:3, 3:2) + 0)
  expect_identical(common$n_absent, c(x = 1, y = 1))
  all <- sc_align(x, y, objects = "all", missing = "singletons")
  expect_identical(all$object_names, c("a", "b", "c", "d"))
  expect_identical(is.na(all$positions[, "y"]), c(TRUE, FALSE, FALSE, FALSE))
  expect_identical(sc_measure("rand_index", x, y, objects = "common"), 1)
  # rows of one data frame, drawn twice
  frame <- data.frame(k = c(1, 1, 0.5, 0), l = c(0, 0, 0.5, 1))
  parts <- sc_align(frame[c(1, 3, 4), ], frame[c(4, 1), ], objects = "common")
  expect_identical(parts$object_names, c("1", "4"))
  expect_error(sc_align(x, c(1, 2, 2), objects = "common"), "y has none",
               class = "softclust_ClusteringError")
  expect_error(sc_align(x, y), "object 1 is \"a\" in x and \"d\" in y",
               class = "softclust_ClusteringError")
})

test_that("every function of several clusterings takes the same arguments", {
  require_python()
  y <- rev(found)
  result <- sc_compare(truth, found, "rand_index", noise = "drop", missing = "drop")
  expect_identical(result$n_objects, 4)
  expect_s3_class(result$alignment, "sc_alignment")
  expect_identical(result$alignment$names, c("truth", "found"))
  expect_output(print(result), "found: 2 noise \\(drop\\)")
  matrix <- sc_compare_all(list(a = truth, b = found, c = y), "rand_index", missing = "drop")
  expect_identical(matrix$n_objects, 6)
  expect_output(print(matrix), "6 of 7 objects compared")
  matching <- sc_match(truth, found, noise = "drop", missing = "drop")
  expect_identical(sum(matching$table), 4)
  judged <- sc_prayatul(truth, found, y, missing = "drop")
  expect_identical(judged$n, 6)
  expect_output(print(judged), "1 missing (drop)", fixed = TRUE)
  expect_null(sc_prayatul(truth, found, y, missing = "drop", by_object = FALSE)$objects)
  expect_null(sc_compare(found, y, "rand_index")$alignment)
  expect_error(sc_compare(truth, found), "NA.*missing = \"drop\"", class = "softclust_ClusteringError")
})

test_that("noise of package dbscan is 0, and other labels may stand for noise", {
  require_python()
  fit <- structure(list(cluster = c(0L, 1L, 1L, 2L, 0L), minPts = 2), class = c("hdbscan"))
  expect_identical(sc_align(fit, noise = "drop")$n_noise, c("1" = 2))
  expect_identical(levels(sc_labels(fit)), c("0", "1", "2"))
  labels <- c("out", "a", "b", "b", "?")
  expect_identical(unname(sc_align(labels, noise_label = c("out", "?"), noise = "drop")$n_noise), 2)
  expect_identical(unname(sc_align(x = labels, y = 1:5, noise_label = list("out", 3),
                                   noise = "drop")$n_noise), c(1, 1))
  # clusters that are called 1, 2, ... are known by these numbers
  expect_identical(unname(sc_align(sc_clustering(c(1, 1, 2)), noise_label = 2, noise = "singletons")$n_noise), 1)
})

test_that("soft rows of hdbscan give Python's number, and the share of noise", {
  require_python()
  soft <- rbind(c(.6, .2), c(.5, .5), c(NA, .2), c(.1, .7), c(.9, .1), c(0, 0))
  classes <- c(1, 1, 1, 2, 1, 2)
  measure <- "frobenius_adjusted_rand_index"
  theirs <- in_python(paste0(
    "sc.", measure, "(*sc.align(np.array(a['rows']), a['classes'], noise='cluster'))"),
    rows = soft[-3, ], classes = classes[-3])
  ours <- sc_measure(measure, soft, classes, noise = "cluster", missing = "drop")
  expect_identical(ours, theirs)
  sides <- sc_align(soft, classes, noise = "cluster", missing = "drop")
  expect_equal(sides$noise_share, c(x = 1.4 / 6, y = 0))
  expect_output(print(sides), "23.3 % (cluster)", fixed = TRUE)
  compared <- sc_compare(soft, classes, measure, noise = "cluster", missing = "drop")
  expect_identical(as.data.frame(compared)$value, theirs)
  expect_error(sc_measure(measure, soft[1:2, ], classes[1:2]), "say noise = \"cluster\"",
               class = "softclust_ClusteringError")
})

test_that("one clustering takes rules for noise and missing labels", {
  require_python()
  x <- sc_clustering(c(a = 1, b = NA, c = 2), missing = "singletons")
  expect_identical(x$n_clusters, 3L)
  expect_identical(x$object_names, c("a", "b", "c"))
  expect_identical(kind_of(sc_clustering(found, noise = "unknown")), "rough")
  rows <- rbind(c(0.5, 0.3), c(1, 0))
  expect_identical(sc_clustering(rows, noise = "cluster")$membership[, 3], c(0.2, 0), tolerance = 1e-15)
  expect_identical(kind_of(sc_clustering(rows, noise = "empty")), "evidential")
  expect_error(sc_clustering(c(1, NA), missing = "drop"), "align", class = "softclust_ClusteringError")
  expect_error(sc_align(c(1, NA, 1), c(1, 1, 2), missing = "skip"), "skip", class = "softclust_ValueError")
})

test_that("pairs are compared on their own objects", {
  require_python()
  runs <- list(a = c(1, 1, 1, 2), b = c(1, 1, NA, 2), c = c(1, 1, 2, NA))
  m <- sc_compare_all(runs, measure = "rand_distance", missing = "drop", drop = "pair")
  expect_identical(unname(m$n_objects["a", ]), c(4, 3, 3))
  expect_identical(m$n_objects["b", "c"], 2)
  expect_equal(m$value["a", "c"], 2 / 3)
  expect_identical(m$value["b", "c"], sc_measure("rand_distance", runs$b, runs$c, missing = "drop"))
  expect_output(print(m), "2 to 3 objects per pair")
  expect_output(print(m), "triangle inequality")
  expect_output(print(m), "b: 1 missing (drop), of 4", fixed = TRUE)
  expect_identical(sc_compare_all(runs, missing = "drop")$n_objects, 2)
})
