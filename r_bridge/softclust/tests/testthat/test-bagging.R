x <- round(as.matrix(iris[seq(1, 150, by = 3), 1:4]), 2)

test_that("a seed gives what it gives in Python, for the three methods", {
  require_python()
  data <- unname(x)
  code <- "sc.%s(n_clusters=3, n_resamples=30, random_state=5%s).fit(np.array(a['x'])).membership_"
  calls <- list(bagclust1 = c("BaggedClustering", ""), bbc = c("BayesianBaggedClustering", ""),
                mmcc = c("MultipleMatchClustering", ", tol=None"))
  for (method in names(calls)) {
    python <- in_python(sprintf(code, calls[[method]][1], calls[[method]][2]), x = data)
    options <- if (method == "mmcc") list(tol = NULL)
    found <- do.call(sc_bagged, c(list(data, 3, method, n_resamples = 30, seed = 5), options))
    expect_identical(unname(found$membership), python)
  }
})

test_that("set.seed governs seed = NULL", {
  require_python()
  set.seed(4)
  a <- sc_bagged(x, 3, n_resamples = 20)
  set.seed(4)
  expect_identical(sc_bagged(x, 3, n_resamples = 20), a)
  expect_identical(sc_bagged(x, 3, n_resamples = 20, seed = a$seed)$membership, a$membership)
})

test_that("draws of R are replayed by Python", {
  require_python()
  n <- nrow(x)
  set.seed(1)
  indices <- matrix(sample(n, 40 * n, TRUE), 40)
  python <- in_python("sc.BaggedClustering(n_clusters=3, random_state=0).fit(
      np.array(a['x']), indices=np.array(a['indices']) - 1).votes_", x = unname(x),
      indices = indices)
  found <- sc_bagged(x, 3, indices = indices, seed = 0)
  expect_equal(unname(found$votes), python)
  expect_equal(found$n_selected, rowSums(found$votes), ignore_attr = TRUE)
  # An object votes once for each resample that drew it.
  expect_equal(found$n_selected,
               vapply(seq_len(n), function(i) sum(rowSums(indices == i) > 0), 0))
  weights <- matrix(rexp(10 * n), 10)
  expect_s3_class(sc_bagged(x, 3, weights = weights / rowSums(weights), seed = 0), "sc_bagged")
  expect_s3_class(sc_bagged(x, 3, "bbc", indices = indices, seed = 0), "sc_bagged")
  expect_s3_class(suppressWarnings(sc_bagged(x, 3, "mmcc", indices = indices, tol = NULL,
                                             seed = 0)), "sc_bagged")
  expect_error(sc_bagged(x, 3, indices = indices - 1), "from 1 to 50 .in Python they count from 0")
  expect_error(sc_bagged(x, 3, indices = indices, n_resamples = 40), "leave out `n_resamples`")
  expect_error(sc_bagged(x, 3, "mmcc", weights = weights), class = "softclust_ClusteringError")
})

test_that("new objects get the shares of the replicates that Python gives them", {
  require_python()
  new <- unname(x[c(1, 20, 40), ]) + 0.3
  python <- in_python("sc.BaggedClustering(n_clusters=3, n_resamples=50, random_state=5).fit(
      np.array(a['x'])).predict_proba(np.array(a['new']))", x = unname(x), new = new)
  fit <- sc_bagged(x, 3, n_resamples = 50, seed = 5)
  colnames(new) <- colnames(x)
  expect_equal(predict(fit, new)$membership, python)
  expect_identical(unname(predict(fit, new, type = "labels")), max.col(python, "first"))
})

test_that("a clusterer of R gives the votes that its labels say", {
  require_python()
  # Cuts the first feature: the same labels for the same object in every resample.
  cut_first <- function(x, k) as.integer(cut(x[, 1], c(-Inf, 5.4, 6.2, Inf)))
  direct <- cut_first(x, 3)
  for (method in c("bagclust1", "bbc", "mmcc")) {
    fit <- sc_bagged(x, 3, method, n_resamples = 20, estimator = cut_first, seed = 2)
    agreement <- sc_measure("rand_index", direct, fit$labels)
    expect_identical(agreement, 1)
    expect_equal(fit$mean_entropy, 0)
  }
  everyone <- sc_bagged(x, 3, n_resamples = 20, estimator = function(x, k) {
    list(cluster = cut_first(x, k))
  }, predict = function(fit, x) cut_first(x, 3), votes = "all", seed = 2)
  expect_equal(rowSums(everyone$votes), rep(20, nrow(x)), ignore_attr = TRUE)
  voted <- sc_bagged(x, 3, "mmcc", n_resamples = 20, estimator = cut_first,
                     predict = function(fit, x) cut_first(x, 3), seed = 2)
  expect_equal(rowSums(voted$votes), rep(20, nrow(x)), ignore_attr = TRUE)
})

test_that("R's random numbers serve a clusterer of R and are put back", {
  require_python()
  set.seed(9)
  before <- .Random.seed
  a <- sc_bagged(x, 3, n_resamples = 10, estimator = "kmeans", seed = 3)
  expect_identical(.Random.seed, before)
  expect_identical(sc_bagged(x, 3, n_resamples = 10, estimator = kmeans, seed = 3), a)
})

test_that("failed resamples are counted, bad labels and missing parts are refused", {
  require_python()
  calls <- 0
  unlucky <- function(x, k) {
    calls <<- calls + 1
    if (calls %% 4 == 0) stop("no luck today")
    kmeans(x, k)
  }
  expect_warning(fit <- sc_bagged(x, 3, n_resamples = 19, estimator = unlucky, seed = 1),
                 class = "softclust_FailedReplicatesWarning")
  expect_equal(fit$n_resamples, 14)
  expect_match(fit$failures[1], "resample 3: .*no luck today")
  expect_error(sc_bagged(x, 3, n_resamples = 5, estimator = function(x, k) rep(NA_real_, nrow(x))),
               "whole numbers from 1")
  expect_error(sc_bagged(x, 3, n_resamples = 5, estimator = function(x, k) seq_len(nrow(x))),
               "at most n_clusters = 3")
  expect_error(sc_bagged(x, 3, estimator = 3), class = "softclust_TypeError")
  expect_error(sc_bagged(x, 3, estimator = kmeans, votes = "all"), "give `predict`")
  expect_error(sc_bagged(x, 3, estimator = kmeans, weights = diag(50)), "takes no weights")
  expect_error(sc_bagged(x, 3, predict = mean), "belongs to `estimator`")
  expect_error(predict(fit, x), class = "softclust_ClusteringError")
  expect_error(sc_bagged(x, 2.5), class = "softclust_ClusteringError")
  expect_error(sc_bagged(x, 3, "bbc", estimator = kmeans, weighted = TRUE),
               class = "softclust_ValueError")
})

test_that("objects that were never selected have no clustering, and say so", {
  require_python()
  n <- nrow(x)
  indices <- matrix(rep(c(1:(n - 1), 1), 3), 3, byrow = TRUE)
  expect_warning(fit <- sc_bagged(x, 3, indices = indices, seed = 1),
                 class = "softclust_ResamplingWarning")
  expect_null(fit$clustering)
  expect_true(all(is.nan(fit$membership[n, ])))
  expect_error(sc_clustering(fit), "never selected")
  expect_output(print(fit), "1 object never selected")
  pdf(NULL)
  on.exit(dev.off())
  expect_silent(plot(fit))
})

test_that("the rule of matching has one name", {
  require_python()
  for (method in c("bagclust1", "bbc", "mmcc")) {
    found <- suppressWarnings(sc_bagged(x, 3, method, n_resamples = 10, matching = "truematch",
                                        seed = 1))
    expect_s3_class(found, "sc_bagged")
    expect_error(sc_bagged(x, 3, method, n_resamples = 10, matching = "none", seed = 1),
                 "truematch", class = "softclust_error")
  }
})

test_that("a base fit that stops says so", {
  require_python()
  broken <- function(x, k) stop("no memory for this")
  expect_error(sc_bagged(iris[, 1:4], 3, estimator = broken, n_resamples = 3),
               "on all 150 objects .the base fit.: no memory for this",
               class = "softclust_RError")
  expect_error(sc_bagged(iris[, 1:4], 3, estimator = function(x, k) 0, n_resamples = 3),
               "base fit", class = "softclust_ClusteringError")
})
