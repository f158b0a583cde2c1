#' Bagged clusterings
#'
#' Clusters many resamples of the data and lets the results vote. The memberships show how certain
#' the cluster of each object is.
#'
#' @param data Matrix or data frame of finite numbers, one row per object.
#' @param n_clusters Number of clusters.
#' @param method `"bagclust1"` (Dudoit and Fridlyand), `"bbc"` (Bayesian bagged clustering, with a
#'   prior) or `"mmcc"` (multiple match cluster count).
#' @param n_resamples Number of resamples; by default 200, for `"mmcc"` at most 1000. Leave it out
#'   with `indices` or `weights`.
#' @param estimator A clusterer of R: a function, or its name, called as `estimator(x, k)`, that
#'   returns labels (a vector or factor, a list with `$cluster`, `$clustering` or `$classification`,
#'   or a partition of clue); noise, such as 0, is one more cluster. With `predict`, labels from 1.
#'   `NULL` uses the compiled k-means, which is much faster.
#' @param predict For `estimator`: a function, called as `predict(fit, x)`, that gives labels to all
#'   objects. Needed for `votes = "all"`. With `"mmcc"` and without `predict`, only the objects of a
#'   resample get a vote from it.
#' @param indices Resamples to use, one per row: positions of objects, from 1 to n.
#' @param weights Weights of the objects to use (`"bagclust1"`, `"bbc"`), one row per resample.
#' @param ... Options of the method, see below; for `"mmcc"` also `matching`, see [sc_match()].
#' @options "bagclust1" BaggedClustering
#' @options "bbc" BayesianBaggedClustering
#' @options "mmcc" MultipleMatchClustering
#' @param seed Integer; `NULL` draws one from R's random numbers. Without `estimator` a given seed
#'   gives the same numbers as in Python. With `estimator` it also seeds R's random
#'   numbers during the loop over resamples, and puts R's stream back afterwards.
#' @return A list of class `sc_bagged`. `predict()` gives the shares of the resamples for new objects
#'   (k-means only).
#'   * `clustering` (fuzzy; `NULL` if an object has no votes), `membership`, `labels`, `votes`.
#'   * `entropy` (of each object, in bits), `mean_entropy`.
#'   * `n_resamples` (those that did not fail), `failures`, `method`, `seed`; `centers` (resamples by
#'     clusters by features, for k-means).
#'   * `"bagclust1"` and `"bbc"`: `n_selected`, `base_labels`, `base_centers`, `pairwise_entropy`.
#'   * `"mmcc"`: `cic`, `n_attempts`, `n_dropped`, `converged`, `history`.
#' @details R runs `estimator` over the resamples and Python gets all labels in one call; Python
#'   never calls R. A resample on which `estimator` stops, or returns anything but whole numbers
#'   from 1, counts as failed: a warning says how many failed, and `$failures` says why. R's
#'   clusterers take no weights of objects, so `"bbc"` then sets `weighted = FALSE`.
#' @references S. Dudoit, J. Fridlyand (2003), Bagging to improve the accuracy of a clustering procedure,
#'   Bioinformatics 19, 1090-1099.
#'
#'   F. M. Quetti, S. Figini, E. Ballante (2024), A Bayesian approach to clustering via the proper
#'   Bayesian bootstrap: the Bayesian bagged clustering (BBC) algorithm, arXiv:2409.08954.
#'
#'   J. Oehlschlaegel (2007), Truecluster matching, arXiv:0705.4302.
#' @examplesIf sc_available()
#' fit <- sc_bagged(iris[, 1:4], 3, method = "bbc", n_resamples = 100, seed = 1)
#' fit
#' plot(fit)
#' predict(fit, iris[c(1, 60), 1:4])
#'
#' # A clusterer of R
#' restarted <- function(x, k) kmeans(x, k, nstart = 5)
#' sc_bagged(iris[, 1:4], 3, n_resamples = 25, estimator = restarted, seed = 1)
#' @export
sc_bagged <- function(data, n_clusters, method = c("bagclust1", "bbc", "mmcc"),
                      n_resamples = NULL, estimator = NULL, predict = NULL, indices = NULL,
                      weights = NULL, ..., seed = NULL) {
  method <- chosen(method)
  table <- as_table(data)
  options <- list(...)
  # The estimator of "mmcc" calls its rule of matching `method`, which is taken here.
  if (method == "mmcc") names(options)[names(options) == "matching"] <- "method"
  n_clusters <- whole_number(n_clusters, "n_clusters")
  if (!is.null(n_resamples)) n_resamples <- whole_number(n_resamples, "n_resamples")
  indices <- as_rows(indices, "indices", nrow(table))
  weights <- as_rows(weights, "weights")
  given <- given(method = method, data = unname(table), n_clusters = n_clusters, n_resamples = n_resamples,
                 indices = indices, weights = weights, options = call_with(dots, options))
  estimator <- as_estimator(estimator, "estimator")
  predict <- as_estimator(predict, "predict")
  # What is wrong is an error before R's clusterer runs.
  call_with(front_call, c(list("check_bagging"), given, by_r = !is.null(estimator), everyone = !is.null(predict)))
  seed <- draw_seed(seed)
  fits <- if (!is.null(estimator)) fits_in_r(given, data, estimator, predict, seed)
  found <- call_with(front_call, c(list("bagging"), given, fits, seed = seed))
  found$clustering <- with_objects(found$clustering, objects_of(data, table))
  new_bagged(found, method, n_clusters, table, seed)
}

new_bagged <- function(found, method, n_clusters, table, seed) {
  objects <- rownames(table)
  found <- name_parts(found, objects, "labels", "entropy", "membership", "votes")
  if (!is.null(found$centers)) dimnames(found$centers) <- list(NULL, NULL, colnames(table))
  if (!is.null(found$base_centers)) colnames(found$base_centers) <- colnames(table)
  found$method <- method
  new_result(found, "sc_bagged", seed)
}

whole_number <- function(value, name, least = 1) {
  if (!is.numeric(value) || length(value) != 1L || !is.finite(value) || value < least ||
      value != trunc(value)) {
    stop_softclust("ClusteringError", "`", name, "` is ", what_is(value), "; a whole number of at least ", least, " is needed")
  }
  value
}

whole_numbers <- function(values, name) {
  if (!is.numeric(values) || !length(values)) whole_number(values, name)
  for (value in values) whole_number(value, name)
  as_vector(as.integer(values))
}

as_rows <- function(draws, name, n = NULL) {
  if (is.null(draws)) return(NULL)
  if (is.data.frame(draws)) draws <- as.matrix(draws)
  if (is.numeric(draws) && is.null(dim(draws))) draws <- matrix(draws, 1L)
  if (!is.matrix(draws) || !is.numeric(draws) || anyNA(draws)) {
    stop_softclust("ClusteringError", "`", name, "` must be a numeric matrix without NA, one row ",
                   "per resample")
  }
  if (!is.null(n)) {
    bad <- draws < 1 | draws > n | draws != trunc(draws)
    if (any(bad)) {
      stop_softclust("ClusteringError", "`", name, "` holds ", draws[bad][1L], "; objects are ",
                     "whole numbers from 1 to ", n,
                     if (any(draws == 0)) " (in Python they count from 0: add 1)")
    }
  }
  unname(draws)
}

as_estimator <- function(value, name) {
  if (is.null(value)) return(NULL)
  if (!is.function(value) && !(is.character(value) && length(value) == 1L)) {
    stop_softclust("TypeError", "`", name, "` must be a function or the name of one, not of class ",
                   class(value)[1L])
  }
  match.fun(value)
}

# -- clusterers of R: the loop runs here, labels go over in one call ------------------------------
# Labels of all objects, then of the drawn objects of each resample, of all objects by `predict`, and
# why a fit failed.
fits_in_r <- function(given, data, estimator, predict, seed) {
  n <- nrow(given$data)
  k <- given$n_clusters
  with_r_seed(seed, {
    if (given$method != "mmcc") given$base <- as_vector(base_labels(estimator, data, k))
    samples <- call_with(front_call, c(list("samples"), given, seed = seed))
    count <- nrow(samples$source)
    drawn <- vector("list", count)
    everyone <- if (!is.null(predict)) matrix(1L, count, n)
    failures <- character(count)
    for (b in seq_len(count)) {
      x <- if (is.null(samples$points)) data[samples$source[b, ], , drop = FALSE]
           else array(samples$points[b, , ], dim(samples$points)[2:3], list(NULL, colnames(data)))
      if (is.data.frame(data)) x <- as.data.frame(x)
      drawn[[b]] <- rep(1L, nrow(x))
      failures[b] <- tryCatch({
        fit <- estimator(x, k)
        drawn[[b]] <- fit_labels(fit, nrow(x), k, is.null(predict))
        if (!is.null(predict)) everyone[b, ] <- fit_labels(predict(fit, data), n, k)
        ""
      }, error = conditionMessage)
    }
  })
  given(base = given$base, fits = as_dict(given(
    drawn = call_with(rbind, drawn), everyone = everyone, failures = as_vector(failures))))
}

base_labels <- function(estimator, table, k) {
  tryCatch(fit_labels(estimator(table, k), nrow(table), k), error = function(e) {
    own <- inherits(e, "softclust_ClusteringError")
    stop_softclust(if (own) "ClusteringError" else "RError", "`estimator` failed on all ",
                   nrow(table), " objects (the base fit): ", conditionMessage(e))
  })
}

# The labels in what a clusterer returned: whole numbers from 1 to at most k, of which texts and
# numbers below 1 have `codes`.
fit_labels <- function(fit, n, k, codes = TRUE) {
  labels <- if (is.list(fit)) {
    named <- intersect(c("cluster", "clustering", "classification"), names(fit))
    if (length(named)) fit[[named[1L]]]
    else if (requireNamespace("clue", quietly = TRUE)) clue::cl_class_ids(fit)
  } else fit
  if (is.factor(labels)) labels <- as.integer(labels)
  labels <- as.vector(unclass(labels))
  if (codes && !anyNA(labels) && (is.character(labels) || is.numeric(labels) && any(labels < 1))) {
    labels <- match(labels, sort(unique(labels)))
  }
  good <- is.numeric(labels) && length(labels) == n && !anyNA(labels) &&
    all(labels >= 1 & labels == trunc(labels))
  if (!good) {
    stop_softclust("ClusteringError", "the estimator must return ", n, " labels without NA (with ",
                   "`predict`: whole numbers from 1), or a list with them as $cluster")
  }
  if (max(labels) > k) {
    stop_softclust("ClusteringError", "the estimator returned the label ", max(labels),
                   "; at most n_clusters = ", k, " is allowed")
  }
  as.integer(labels)
}

labels_from_0 <- function(fit, n) fit_labels(fit, n, n) - 1L

# Evaluates `code` with R's random numbers seeded, and puts the stream back.
with_r_seed <- function(seed, code) {
  before <- get0(".Random.seed", globalenv(), inherits = FALSE)
  on.exit(put_back(before))
  set.seed(seed %% .Machine$integer.max)
  code
}

# -- the result -----------------------------------------------------------------------------------
plain.sc_bagged <- function(x) {
  if (is.null(x$clustering)) {
    stop_softclust("ClusteringError", sum(!stats::complete.cases(x$membership)),
                   " objects were never selected and have no membership; raise n_resamples, or ",
                   "set never_selected = \"base\"")
  }
  x$clustering
}

#' @export
summary.sc_bagged <- function(object, ...) {
  no_dots(..., but = "digits")
  titles <- c(bagclust1 = "Bagged clustering (BagClust1)", bbc = "Bayesian bagged clustering",
              mmcc = "Multiple match cluster count")
  never <- sum(!stats::complete.cases(object$membership))
  new_table(
    paste0(titles[[object$method]], ", ", counted(nrow(object$membership), "object"), ", ",
           counted(object$n_resamples, "resample")),
    cluster_sizes(object$membership, object$labels),
    c("Mean membership in the cluster: of all objects, then of its own.",
      paste0("Mean entropy ", fixed(object$mean_entropy), " bits."),
      if (!is.null(object$cic))
        paste0("Cluster information criterion ", fixed(object$cic$criterion), " bits."),
      if (isTRUE(object$n_dropped > 0)) paste0(object$n_dropped, " degenerate resamples dropped."),
      if (never) paste0(counted(never, "object"), " never selected."),
      if (length(object$failures)) paste0(length(object$failures), " resamples failed, the first: ",
                                          object$failures[1L])))
}

frame_of.sc_bagged <- function(x) membership_frame(x$membership, x$labels, x$entropy)
