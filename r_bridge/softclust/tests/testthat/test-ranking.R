truth <- rep(1:3, 20)
runs <- list(near = c(truth[1:54], 1, 3, 2, 1, 3, 2), far = c(truth[1:40], rep(1:2, 10)),
             other = c(truth[1:45], rep(1:2, c(8, 7))))

test_that("a ranking has Python's numbers", {
  require_python()
  found <- sc_rank_clusterings(truth, runs, level = 0.9)
  expect_s3_class(found, c("sc_ranking", "sc_result"), exact = TRUE)
  python <- in_python("[sc.rank_clusterings(a['truth'], list(a['runs']), level=0.9).gain.tolist(),
    sc.rank_clusterings(a['truth'], list(a['runs']), level=0.9).high.tolist()]",
    truth = truth, runs = unname(runs))
  expect_equal(unname(rbind(found$gain, found$high)), python, tolerance = 1e-14)
  expect_identical(found$names, names(runs))
  expect_true(1 %in% found$possibly_best)
  expect_equal(found$order[1L], 1)
  expect_identical(dimnames(found$p_values), list(names(runs), names(runs)))
  expect_identical(unname(sc_rank_clusterings(truth, runs, critical = c(2, 2.1, 2.2))$critical),
                   c(2, 2.1, 2.2))
})

test_that("rankings print, plot and become data frames", {
  require_python()
  found <- sc_rank_clusterings(truth, runs, measure = "variation_of_information")
  expect_output(print(found), "may be best")
  expect_output(print(found), "near")
  table <- as.data.frame(found)
  expect_identical(rownames(table), names(runs))
  expect_identical(which(table$possibly_best), as.integer(found$possibly_best))
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_silent(plot(found))
})

test_that("noise and missing labels are treated as in sc_compare", {
  require_python()
  gaps <- truth
  gaps[7L] <- NA
  noisy <- runs
  noisy$near[1:4] <- -1
  found <- sc_rank_clusterings(gaps, noisy, noise = "drop", missing = "drop")
  expect_equal(found$n_objects, 55)
  kept <- setdiff(seq_along(truth), c(1:4, 7L))
  expect_equal(found$gain, sc_rank_clusterings(truth[kept], lapply(runs, `[`, kept))$gain)
  expect_output(print(found), "noise (drop)", fixed = TRUE)
})

test_that("the column of a measure has its value, the estimate is another", {
  require_python()
  found <- sc_rank_clusterings(truth, runs, measure = "NMI")
  lines <- capture.output(print(found))
  expect_match(lines[2L], "normalized_mutual_information +estimate")
  expect_match(lines[3L], formatC(found$value[found$order[1L]], digits = 4L, format = "f"),
               fixed = TRUE)
})

test_that("what cannot be ranked says so", {
  require_python()
  expect_error(sc_rank_clusterings(truth, runs[1L]), "at least 2",
               class = "softclust_ClusteringError")
  expect_error(sc_rank_clusterings(truth, runs, measure = "prediction_strength_index"),
               "minimum or maximum", class = "softclust_ClusteringError")
})

test_that("corrected entropies are Python's", {
  require_python()
  expect_equal(sc_corrected_entropy(c(5, 3, 2, 1, 1)), 1.7051739598155964, tolerance = 1e-12)
  expect_equal(sc_corrected_entropy(table(c("a", "b", "b", "a"))),
               sc_corrected_entropy(c(2L, 2L)))
  expect_error(sc_corrected_entropy(1.5), "whole numbers", class = "softclust_ClusteringError")
})

test_that("comparisons say what limits are built around", {
  require_python()
  rows <- sc_compare(truth, runs$far, measures = c("rand_index", "mutual_information"),
                     ci = "jackknife")$rows
  expect_equal(rows$estimate[1L], rows$value[1L])
  expect_type(rows$reliable, "logical")
})
