x <- as.matrix(iris[, 1:4])

test_that("every method gives its kind of clustering and predicts what it fitted", {
  require_python()
  kinds <- c(rough_kmeans = "sc_rough", fuzzy_cmeans = "sc_fuzzy",
             possibilistic_cmeans = "sc_possibilistic", evidential_cmeans = "sc_evidential")
  for (method in names(kinds)) {
    fit <- suppressWarnings(sc_cluster(iris[, 1:4], 3, method = method, seed = 1))
    expect_s3_class(fit, "sc_fit")
    expect_s3_class(fit$clustering, kinds[[method]])
    expect_identical(colnames(fit$centers), names(iris)[1:4])
    expect_true(all(fit$labels %in% 1:3))
    expect_equal(predict(fit, iris[, 1:4]), sc_clustering(fit))
    expect_identical(unname(predict(fit, iris[, 4:1], type = "labels")), unname(fit$labels))
    expect_identical(nrow(as.data.frame(fit)), 150L)
    expect_output(print(fit), "150 objects, 3 clusters")
  }
})

test_that("experimental methods warn with their class and cannot predict", {
  require_python()
  for (method in c("slaglo", "sldid")) {
    expect_warning(fit <- sc_cluster(x, 3, method = method),
                   class = "softclust_ExperimentalWarning")
    expect_s3_class(fit$clustering, "sc_hard")
    expect_identical(dim(fit$merges), c(149L, 4L))
    expect_error(predict(fit, x), class = "softclust_ClusteringError")
  }
})

test_that("a seed gives what it gives in Python, set.seed governs seed = NULL", {
  require_python()
  small <- round(unname(x[seq(1, 150, by = 5), ]), 3)
  centers <- in_python("sc.cluster.FuzzyCMeans(3, init='random', n_init=2, random_state=7).fit(
      np.array(a['x'])).cluster_centers_", x = small)
  fit <- sc_cluster(small, 3, "fuzzy_cmeans", init = "random", n_init = 2, seed = 7)
  expect_identical(fit$centers, centers)
  expect_identical(fit$seed, 7)
  draw <- function() suppressWarnings(sc_cluster(small, 3, init = "random", n_init = 1,
                                                 max_iter = 1)$centers)
  set.seed(2)
  first <- draw()
  set.seed(2)
  expect_identical(draw(), first)
  set.seed(3)
  expect_false(identical(draw(), first))
})

test_that("starts, weights and odd data are understood or refused", {
  require_python()
  one <- matrix(c(0, 1, 5, 6), ncol = 1)
  fit <- sc_cluster(one, 2, "possibilistic_cmeans", eta = c(1, 1), init = matrix(c(0, 6)))
  expect_equal(round(fit$clustering$typicality, 2)[, 1], c(0.76, 0.84, 0.05, 0.03))
  weighted <- sc_cluster(one, 2, "fuzzy_cmeans", init = matrix(c(0, 6)),
                         sample_weight = c(2, 1, 1, 1))
  copied <- sc_cluster(rbind(0, one), 2, "fuzzy_cmeans", init = matrix(c(0, 6)))
  expect_equal(weighted$centers, copied$centers, tolerance = 1e-6)
  expect_error(sc_cluster(iris, 3), "Species")
  expect_error(sc_cluster(c(1, 2, 3), 2), "as.matrix")
  expect_error(sc_cluster(iris[0, 1:4], 2), "empty", class = "softclust_ClusteringError")
  expect_error(sc_cluster(dist(x), 3), "features")
  expect_error(sc_cluster(rbind(x, NA), 3), "`data`\\[151, 1\\] is NA")
  expect_error(sc_cluster(x, 3, "kmeans"), class = "softclust_ValueError")
  expect_error(sc_cluster(x, 3, "fuzzy_cmeans", m = 1), class = "softclust_ClusteringError")
  expect_error(sc_cluster(x, 3, "fuzzy_cmeans", no_such = 1), class = "softclust_TypeError")
  fit <- sc_cluster(iris[, 1:4], 2, "fuzzy_cmeans", seed = 1)
  expect_error(predict(fit, iris[, 1:3]), "no column Petal.Width")
  expect_error(predict(fit, unname(x[, 1:3])), "3 columns; the fit has 4")
  expect_warning(sc_cluster(x, 3, "fuzzy_cmeans", max_iter = 1, seed = 1),
                 class = "softclust_ConvergenceWarning")
})

test_that("pictures are drawn", {
  require_python()
  pdf(NULL)
  on.exit(dev.off())
  for (method in c("rough_kmeans", "fuzzy_cmeans", "possibilistic_cmeans", "evidential_cmeans",
                   "slaglo")) {
    fit <- suppressWarnings(sc_cluster(x, 3, method = method, seed = 1))
    expect_silent(plot(fit))
    expect_silent(plot(fit, iris[, 3:4]))
  }
  expect_error(plot(fit, iris[1:3, 3:4]), class = "softclust_ClusteringError")
})

test_that("a fit of one cluster has one line, whatever the decimal mark", {
  require_python()
  fit <- sc_cluster(iris[, 1:4], 1, "fuzzy_cmeans", seed = 1)
  lines <- utils::capture.output(print(fit))
  expect_match(lines[2], "Sepal.Length")
  expect_match(lines[3], "1 +150 +5.843 +3.057 +3.758 +1.199")
  old <- options(OutDec = ",")
  on.exit(options(old))
  expect_warning(utils::capture.output(print(fit)), NA)
})

test_that("unknown options are refused with those of the method", {
  require_python()
  refused <- function(call, text) expect_error(call, text, class = "softclust_TypeError")
  refused(sc_cluster(iris[, 1:4], 3, m = 0.5), "\"rough_kmeans\" has no option \"m\".*ratio, sample_weight, variant")
  refused(sc_cluster(iris[, 1:4], 3, "slaglo", sample_weight = rep(1, 150)), "alpha, min_size")
  refused(sc_bagged(iris[, 1:4], 3, foo = 1), "\"bagclust1\" has no option \"foo\".*votes")
  refused(sc_bagged(iris[, 1:4], 3, "mmcc", foo = 1), "margins, matching, max_attempts")
  ran <- FALSE
  clusterer <- function(x, k) { ran <<- TRUE; stop("not reached") }
  refused(sc_bagged(iris[, 1:4], 3, estimator = clusterer, foo = 1), "no option")
  expect_false(ran)
  refused(sc_cluster_number(iris[, 1:4], 2:3, foo = 1), "sc_cluster_number.* has no option \"foo\"")
})

test_that("sets have one spelling", {
  require_python()
  fit <- sc_cluster(iris[, 1:4], 2, "evidential_cmeans", seed = 1)
  expect_identical(names(as.data.frame(fit))[-1], paste0("mass.", names(as.data.frame(fit$clustering))))
  expect_true("mass.{1, 2}" %in% names(as.data.frame(fit)))
})

test_that("clusters beyond the palette have hatchings and symbols of their own", {
  require_python()
  membership <- rbind(diag(49), 1 / 49)
  areas <- Filter(function(m) m$type == "areas", memberships("", membership, c(1:49, 1), size = c(7, 5))$marks)
  looks <- as.data.frame(areas[[1L]][c("bg", "hatch")])
  expect_identical(nrow(looks), 49L)
  expect_identical(anyDuplicated(looks), 0L)
  fit <- sc_element_centric(rep(1:15, each = 2), rep(1:15, each = 2))
  symbols <- Filter(function(m) m$type == "points", picture_of(fit)$marks)
  looks <- unique(do.call(rbind, lapply(symbols, function(m) as.data.frame(m[c("bg", "pch")]))))
  expect_identical(nrow(looks), 15L)
})

test_that("fits answer R's generics", {
  require_python()
  fit <- sc_cluster(iris[, 1:4], 3, method = "fuzzy_cmeans", seed = 1)
  expect_equal(as.matrix(fit), fitted(fit))
  expect_equal(unname(as.matrix(fit)), fit$clustering$membership)
  expect_identical(nobs(fit), 150L)
  expect_identical(predict(fit), fit$clustering)
  expect_identical(predict(fit, type = "labels"), fit$labels)
  require_package("clue")
  expect_identical(clue::cl_prototypes(fit), fit$centers)
  expect_error(as.matrix(sc_pair_counts(1:3, 1:3)), class = "softclust_ClusteringError")
})

test_that("tables are no wider than options(width)", {
  kept <- options(width = 30)
  on.exit(options(kept))
  table <- data.frame(cluster = c("first", "second"), a = "1234567890", b = "1234567890", c = "1")
  lines <- utils::capture.output(print(new_table("Title", table)))
  expect_true(all(nchar(lines) <= 30))
  expect_identical(sum(grepl("^second", lines)), 2L)
  options(width = 80)
  expect_length(utils::capture.output(print(new_table("Title", table))), 4L)
})
