test_that("evidence for clusters is asked from R", {
  require_python()
  found <- sc_cluster_test(iris[, 1:4], 2:3, n_references = 19, seed = 1)
  expect_s3_class(found, c("sc_cluster_test", "sc_record", "sc_result"), exact = TRUE)
  expect_identical(as.numeric(found$best), 2)
  expect_output(print(found), "Evidence for 2 clusters")
  table <- as.data.frame(found)
  expect_identical(sort(unique(as.numeric(found$labels))), c(1, 2))
  expect_identical(as.numeric(table$first[1L]), 1)
  expect_identical(as.numeric(table$second[1L]), 2)
  expect_error(sc_cluster_test(iris[, 1:4], 2, references = 19), "n_references",
               class = "softclust_TypeError")
  expect_error(sc_cluster_test(iris[, 1:4], 2, level = 0.95), "significance",
               class = "softclust_TypeError")
  expect_identical(found$significance, 0.05)
  expect_error(sc_cluster_test(iris, 2), "not numeric", class = "softclust_ClusteringError")
  kept <- tempfile(fileext = ".rds")
  saveRDS(found, kept)
  expect_output(print(readRDS(kept)), "Evidence for 2 clusters")
  expect_identical(picture_of(found)$main, "Evidence for 2 clusters")
  none <- sc_cluster_test(cbind(1:60, sin(1:60)), 2, n_references = 19, seed = 1)
  expect_identical(picture_of(none)$main, "No evidence of more than one cluster")
})

test_that("given clusters are apart, or one", {
  require_python()
  found <- sc_separation_test(iris[, 1:4], iris$Species, seed = 1)
  expect_s3_class(found, c("sc_separation_test", "sc_record", "sc_result"), exact = TRUE)
  expect_output(print(found), "1 of 3 clusters is apart .* versicolor and virginica are one")
  expect_identical(found$clusters, levels(iris$Species))
  expect_identical(found$apart, c(TRUE, FALSE, FALSE))
  expect_identical(as.numeric(found$group), c(1, 2, 2))
  expect_identical(as.numeric(found$rival), c(2, 3, 2))
  expect_identical(as.numeric(found$pairs$first), c(1, 2))
  table <- as.data.frame(found)
  expect_identical(table$rival, c("versicolor", "virginica", "versicolor"))
  expect_identical(as.numeric(table$group), c(1, 2, 2))
  # noise and missing labels
  labels <- as.integer(iris$Species)
  labels[c(3, 60)] <- c(NA, -1)
  gaps <- sc_separation_test(iris[, 1:4], labels, window = 25, seed = 1)
  expect_identical(which(is.na(gaps$labels)), c(3L, 60L))
  expect_identical(gaps$clusters, c("1", "2", "3"))
  expect_output(print(gaps), "2 of 150 objects are noise")
  named <- iris[, 1:4]
  rownames(named) <- paste0("o", 1:150)
  expect_error(sc_separation_test(named, rev(stats::setNames(labels, rownames(named)))), "order",
               class = "softclust_ClusteringError")
  # the same numbers as in Python for given sets
  set.seed(1)
  x <- rbind(matrix(rnorm(24), 12), matrix(rnorm(24, 4), 12))
  sets <- array(runif(19 * 24 * 2), c(19, 24, 2))
  given <- sc_separation_test(x, rep(c("a", "b"), each = 12),
                              reference_sets = list(list(c("a", "b"), sets)))
  expect_identical(dim(given$pairs$references), c(1L, 19L))
  expect_equal(given$p_value, rep((1 + sum(given$pairs$references >= given$pairs$separation)) / 20, 2))
  expect_match(picture_of(found)$main, "2 groups of 3 clusters")
  expect_error(sc_separation_test(iris[, 1:4], rep(1, 150)), "two are needed",
               class = "softclust_ClusteringError")
  expect_error(sc_separation_test(iris[, 1:4], iris$Species, window = 5), "window is 5",
               class = "softclust_ValueError")
})

test_that("versions are compared", {
  require_python()
  old <- list(c(1, 1, 1, 2, 2, 2), c(1, 1, 1, 2, 2, 2), c(1, 1, 2, 2, 2, 2), c(1, 1, 1, 2, 2, 1))
  new <- list(c(1, 1, 2, 2, 3, 3), c(1, 1, 2, 2, 3, 3), c(1, 2, 2, 2, 3, 3), c(1, 1, 2, 2, 3, 1))
  found <- sc_compare_versions(old, new, measure = "rand_distance", seed = 1)
  expect_equal(found$p_value, 1 / 35)
  expect_true(found$changed)
  expect_output(print(found), "p = 0.029")
  expect_match(found$sentence, "Changed (p = 0.029", fixed = TRUE)
  skip_if_not_installed("generics")
  expect_equal(generics::augment(found)$.p.value, as.numeric(found$objects_p))
  expect_error(generics::augment(found, iris), "6 objects and data 150")
  single <- sc_compare_versions(old, new[[1L]], measure = "rand_distance", seed = 1)
  expect_identical(as.numeric(single$n_new), 1)
})

test_that("clusters are looked for in another cohort", {
  require_python()
  halves <- split(iris[, 1:4], rep(c("first", "second"), 75))
  found <- sc_replicate(halves, 2, n_resamples = 10, n_splits = 3, n_references = 19, seed = 1)
  expect_identical(dim(as.matrix(found$agreement, rownames.force = FALSE)), c(2L, 2L))
  expect_true(all(unlist(found$own) %in% 1:2))
  expect_output(print(found), "Replication of clusters|found again")
  expect_true(nrow(as.data.frame(found)) > 0)
  words <- unlist(lapply(picture_of(found)$marks, `[[`, "text"))
  expect_identical(sum(grepl("^ceiling", words)), 2L)
  expect_identical(sum(grepl("floor .*p = ", words)), 2L)
  expect_error(sc_replicate(iris[, 1:4], 2), "named list", class = "softclust_TypeError")
})

test_that("tables are thinned", {
  require_python()
  counts <- matrix(rpois(20, 5), 5, dimnames = list(NULL, letters[1:4]))
  parts <- sc_thin(counts, seed = 1)
  expect_equal(parts$first + parts$second, counts)
  expect_error(sc_thin(counts + 0.5, seed = 1), class = "softclust_ClusteringError")
  set.seed(2)
  type <- rep(1:4, 100)
  counts <- matrix(rnbinom(2400, size = 2, mu = rep(c(2, 5, 9, 14), 100)), 400)
  printed <- reticulate::py_capture_output(
    parts <- sc_thin(counts, "negative_binomial", size = "within", labels = type, seed = 1))
  expect_match(printed, "within 4 clusters, mean of 6 features")
  expect_equal(parts$first + parts$second, counts)
  # Moments within clusters by R, pooled: 1/size.
  inverse <- apply(counts, 2, function(v) {
    n <- tapply(v, type, length)
    m <- tapply(v, type, mean)
    s <- tapply(v, type, var)
    sum((n - 1) * (s - m)) / sum((n - 1) * (m^2 - s / n))
  })
  given <- sc_thin(counts, "negative_binomial", size = 1 / inverse, seed = 1)
  expect_lt(mean(parts$first != given$first), 1e-3)   # a draw may sit on an edge
  expect_error(sc_thin(counts, "negative_binomial", size = "within", seed = 1), "needs labels")
  expect_output(print(sc_tie_range(iris$Species, iris[, 1:4], n_draws = 3, seed = 1)), "ties")
})

test_that("tables have fewer digits where that is asked, and clusters count from 1", {
  require_python()
  a <- rep(1:3, 20)
  b <- rep(c(1, 2, 2), 20)
  found <- sc_compare(a, b, c("rand_index", "mutual_information"), ci = "jackknife")
  expect_match(summary(found)$table[["95 % CI"]][1], "^0[.][0-9]{4} to 0[.][0-9]{4}$")
  expect_match(summary(found, digits = 2)$table[["95 % CI"]][1], "^0[.][0-9]{2} to 0[.][0-9]{2}$")
  expect_identical(summary(found, digits = 2)$table$range, c("[0, 1]", "[0, 0.64]"))
  shown <- summary(sc_consensus(list(a, b), seed = 1))$table
  expect_identical(shown$cluster, c("1", "2", "3")[seq_along(shown$cluster)])
  runs <- sc_partial_ensemble(rbind(a = c(1, 2, NA), b = c(1, 1, 2)))
  expect_identical(summary(runs)$table$median, c("2.5", "2", "2"))
  expect_identical(as.data.frame(runs), data.frame(n_objects = c(2, 3), share = c(2 / 3, 1),
                                                   n_clusters = c(2, 2), row.names = c("a", "b")))
  expect_named(sc_report(iris, drop = "Species", n_clusters = 3, algorithms = "k-means", quick = TRUE,
                         seed = 1)$clusterings, c("k-means", "bagged", "share"))
})

test_that("objects are augmented with their clusters", {
  require_python()
  skip_if_not_installed("generics")
  fuzzy <- sc_cluster(iris[, 1:4], 3, method = "fuzzy_cmeans", seed = 1)
  rows <- generics::augment(fuzzy, iris)
  expect_identical(nrow(rows), 150L)
  expect_true(all(c("Species", ".cluster", ".margin") %in% names(rows)))
  expect_equal(rowSums(rows[grepl("membership", names(rows))]), rep(1, 150), ignore_attr = TRUE)
  bagged <- sc_bagged(iris[, 1:4], 3, n_resamples = 20, seed = 1)
  expect_identical(nrow(generics::augment(bagged)), 150L)
  expect_error(generics::augment(fuzzy, iris[1:3, ]), "clustering has 150 objects and data 3")
})

test_that("a data frame of one column is labels, a matrix is not, and noise may be text", {
  require_python()
  truth <- c("x", "y", "y", "z")
  for (found in list(data.frame(a = c("u", "v", "v", "w")), data.frame(a = c(1, 2, 2, 3)))) {
    expect_identical(sc_measure("ARI", found, truth), 1)
  }
  expect_error(sc_measure("ARI", cbind(c(1, 2, 2, 3)), truth), "labels, which are a vector: x[, 1]",
               fixed = TRUE, class = "softclust_ClusteringError")
  for (found in list(c("-1", "a", "a", "b"), factor(c("-1", "a", "a", "b")), c(-1, 1, 1, 2))) {
    expect_output(print(sc_compare(found, truth, noise = "drop", measures = "ARI")), "1 noise")
  }
})

test_that("the twins of Python's report, circles, tables and matching of a table", {
  require_python()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  rough <- sc_rough(upper = rbind(c(1, 0), c(1, 1), c(0, 1), c(0, 1)))
  runs <- list(a = c(1, 1, 2, 2), b = c(1, 2, 2, 2), c = rough)
  circles <- sc_interval_mds(sc_compare_all(runs, "alpha_rand_interval"), seed = 1)
  expect_identical(rownames(as.data.frame(circles)) %in% names(runs) |
                     as.data.frame(circles)[[1]] %in% names(runs), rep(TRUE, 3))
  expect_gt(circles$radii[3], 0.01)
  expect_identical(plot(circles), circles)
  truth <- rep(1:3, 20)
  first <- sc_compare(truth, rep(c(1, 2, 2), 20), "rand_index", ci = "jackknife")
  shown <- as.data.frame(sc_tabulate(one = first, two = sc_compare(truth, truth, "jaccard_index")))
  expect_identical(shown$measure, c("rand_index", "jaccard_index"))
  expect_match(shown$one[1], "0.774 (", fixed = TRUE)
  expect_identical(shown$two, c("", "1.000"))
  counts <- table(c("u", "u", "v", "v"), c(2, 2, 1, 1))
  expect_identical(sc_match_table(counts)$permutation, c(2L, 1L))
  expect_output(print(sc_match_table(counts)), "(u, 2)", fixed = TRUE)
  expect_error(sc_tabulate(truth), class = "softclust_TypeError")
  page <- tempfile(fileext = ".html")
  told <- sc_report(iris[seq(1, 150, 5), ], label = "Species", n_clusters = 3,
                    algorithms = "k-means", quick = TRUE, pictures = FALSE, file = page, seed = 1)
  expect_output(print(told), "30 objects")
  expect_identical(nrow(as.data.frame(told)), 30L)
  mixed <- data.frame(v = c(1:38, NA, 40), city = rep(c("b", "o", NA, "o"), 10),
                      since = as.Date("2026-01-01") + c(1:20, 61:80), yes = rep(c(TRUE, FALSE), 20),
                      row.names = paste0("c", 1:40))
  expect_error(sc_report(mixed, n_clusters = 2, seed = 1), "auto = TRUE", class = "softclust_ClusteringError")
  short <- function(...) {
    sc_report(mixed, n_clusters = 2, algorithms = "k-means", quick = TRUE, auto = TRUE, seed = 1, ...)
  }
  expect_output(print(short()), "10 of 40 rows (25 %)", fixed = TRUE)
  expect_output(print(short(missing_values = "median")), "days since 1970-01-01")
  expect_identical(row.names(as.data.frame(short(missing_values = "median")))[40], "c40")
  expect_true(file.exists(page))
})

test_that("the twins of indices, pairs of clusterings and curves have their values", {
  require_python()
  fuzzy <- rbind(c(1, 0, 0), c(0, 1, 0), c(0, .5, .5), c(0, 0, 1), c(.25, .5, .25))
  expect_equal(sc_expected_index(c(1, 2, 2, 3, 1), fuzzy, "jaccard")$value, 0.270833, tolerance = 1e-5)
  counts <- sc_fuzzy_pair_counts(c(1, 1, 2), rbind(c(1, 0), c(0.5, 0.5), c(0, 1)))
  expect_identical(unlist(counts[c("n11", "n10", "n01", "n00")], use.names = FALSE), c(.5, .5, .5, 1.5))
  guess <- sc_alpha_rand_estimate(rep(1:2, 99), rep(1:3, 66), n_pairs = 2000, seed = 1)
  exact <- sc_measure("alpha_rand_index", rep(1:2, 99), rep(1:3, 66))
  expect_lt(abs(guess$value - exact), 2 * guess$half_width + 1e-12)
  expect_identical(sc_cssd_dissimilarity(c(1, 1, 2), c(1, 2, 2), rbind(0, 4), rbind(0, 4)), 0)
  d <- rbind(c(0, 1, 4), c(1, 0, 4), c(4, 4, 0))
  expect_equal(sc_dissimilarity_accounted_for(c(1, 1, 2), d), 0.8)
  expect_equal(sc_dissimilarity_accounted_for(c(1, 1, 2), stats::as.dist(d)), 0.8)
  expect_true(sc_is_refinement(c(1, 2, 3, 3), c(1, 1, 2, 2)))
  expect_false(sc_is_refinement(c(1, 1, 2, 2), c(1, 2, 3, 3)))
  expect_true("assignment" %in% sc_transport_methods()$method)
  runs <- list(one = c(1, 1, 2, 2, 2), two = c(1, 2, 2, 2, 1), three = c(1, 1, 1, 2, 3))
  table <- as.data.frame(sc_prayatul_all(c(1, 1, 1, 2, 2), runs))
  expect_equal(table$delta[table$primary == "three" & table$alternative == "two"], 0.5)
  tree <- stats::hclust(stats::dist(iris[, 1:4]), "average")
  part <- sc_pair_roc_subsets(iris$Species, tree, fractions = c(0.2, 1), n_draws = 3, seed = 1)
  expect_identical(as.numeric(part$n_labelled), c(30, 150))
  expect_equal(part$auc_all, sc_pair_roc(iris$Species, tree)$auc)
  cuts <- lapply(c(2, 3, 3, 5), function(k) stats::cutree(tree, k))
  expect_identical(as.numeric(sc_pair_roc_partitions(iris$Species, cuts)$k), c(2, 3, 5))
})

test_that("results are pictures of ggplot2 as well", {
  require_python()
  skip_if_not_installed("ggplot2")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  truth <- rep(1:2, each = 4)
  found <- c(1, 1, 1, 2, 2, 2, 2, 1)
  for (result in list(sc_compare(truth, found), sc_compare_all(list(a = truth, b = found)),
                      sc_chance(truth, found, n_permutations = 19, seed = 1),
                      sc_match(truth, found), sc_clustering(truth), sc_pair_counts(truth, found),
                      sc_cluster(iris[, 1:4], 3, "fuzzy_cmeans", seed = 1),
                      sc_posterior_partition(matrix(1, 2, 4), seed = 1),   # its margins are NA
                     sc_influence(truth, found))) {
    drawn <- ggplot2::autoplot(result, main = "a title")
    expect_s3_class(drawn, "ggplot")
    expect_identical(drawn$labels$title, "a title")
    expect_silent(print(drawn))
  }
})

test_that("pictures are Python's charts, with positions from 1 and words of R", {
  require_python()
  labels <- rep(1:3, c(40, 30, 50))
  picture <- picture_of(sc_clustering(labels))
  expect_identical(picture, picture_of(sc_clustering(labels)))
  expect_identical(picture$y_axis$names, c("1", "2", "3"))
  expect_identical(picture$y_axis$at, c(0, -1, -2))   # from the top
  boxes <- Filter(function(m) m$type == "areas", picture$marks)[[1L]]
  expect_equal(tapply(boxes$x, -round(boxes$y), max), c(40, 30, 50), ignore_attr = TRUE)
  draws <- rbind(matrix(rep(1:3, c(4, 3, 5)), 30, 12, byrow = TRUE), rep(1:2, 6))
  core <- picture_of(sc_partition_core(draws, level = 0.5))
  expect_identical(core$y_axis$names[1L], "cluster 1")
  found <- sc_posterior_partition(draws, seed = 1)
  expect_identical(picture_of(found, "matrix")$marks[[1L]]$type, "tiles")
  expect_identical(picture_of(found, kind = "matrix"), picture_of(found, "matrix"))
  expect_error(picture_of(found, colour = 1), "no option .colour.", class = "softclust_TypeError")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(found, xlim = c(0, 5), cex.axis = 2, ylab = "own"))
})
