test_that("results survive saveRDS and are used in a fresh session", {
  require_python()
  skip_if(!nzchar(system.file(package = "softclust")), "the package is not installed")
  x <- iris[seq(1, 150, by = 3), 1:4]
  runs <- list(one = rep(1:2, 25), two = rep(1:2, each = 25))
  results <- list(
    fit = sc_cluster(x, 3, "evidential_cmeans", delta = 3, seed = 1),
    possibilistic = suppressWarnings(sc_cluster(x, 3, "possibilistic_cmeans", m = 2, seed = 1)),
    bagged = sc_bagged(x, 3, n_resamples = 20, seed = 1),
    number = sc_cluster_number(x, 2:3, "silhouette", seed = 1),
    roc = sc_pair_roc(iris$Species[seq(1, 150, by = 3)], hclust(dist(x))),
    matching = sc_match(runs$one, runs$two, seed = 1), consensus = sc_consensus(runs, seed = 1),
    medoid = sc_medoid(runs), cic = sc_cic(runs$one),
    comparison = sc_compare(runs$one, runs$two))
  folder <- tempfile("saved")
  dir.create(folder)
  saveRDS(results, file.path(folder, "results.rds"))
  expect_identical(readRDS(file.path(folder, "results.rds")), results)
  saveRDS(list(assigned = predict(results$fit, x[1:5, ]),
               typical = predict(results$possibilistic, x[1:5, ]),
               shares = predict(results$bagged, x[1:5, ]), x = x[1:5, ]),
          file.path(folder, "expected.rds"))
  script <- file.path(folder, "script.R")
  writeLines(c(
    sprintf(".libPaths(c(%s, .libPaths()))", deparse1(dirname(system.file(package = "softclust")))),
    "library(softclust)",
    sprintf("setwd(%s)", deparse1(folder)),
    "results <- readRDS('results.rds')",
    "expected <- readRDS('expected.rds')",
    "for (result in results) invisible(capture.output(print(result), print(summary(result))))",
    "stopifnot(!reticulate::py_available())   # what needs no Python starts none",
    "stopifnot(identical(predict(results$fit, expected$x), expected$assigned))",
    "stopifnot(identical(predict(results$possibilistic, expected$x), expected$typical))",
    "stopifnot(identical(predict(results$bagged, expected$x), expected$shares))",
    "grDevices::pdf(NULL)",
    "for (result in results) plot(result)",
    "cat('fresh session: ok')"), script)
  output <- system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)),
                    stdout = TRUE, stderr = TRUE)
  expect_match(paste(output, collapse = "\n"), "fresh session: ok")
})
