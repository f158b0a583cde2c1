# Settings of a clusterer compared. Python never calls R: it says for which rows it needs labels, R
# makes them, and Python compares.

#' Which settings of a clusterer may be best?
#'
#' Clusters half-samples of the data in every setting, and data of one cluster as well. Finds the
#' settings that may be best, and says if none is better than one cluster.
#'
#' @param estimator A function of R, called as `estimator(data, <parameters>)`, that returns labels
#'   (0 or `NA` is noise) or a list with `$cluster`; or the name of a clusterer of scikit-learn.
#' @param grid Named list: the values of each parameter.
#' @python compare_settings
#' @examplesIf sc_available()
#' sc_compare_settings(iris[, 3:4], "KMeans", list(n_clusters = 2:3), n_blocks = 12,
#'                     n_references = 19, seed = 1)
#' @export
sc_compare_settings <- function(data, estimator, grid, ..., seed = NULL) {
  table <- as_table(data)
  if (!is.list(grid) || is.null(names(grid)) || !all(nzchar(names(grid)))) {
    stop_softclust("TypeError", "`grid` must be a named list, such as list(n_clusters = 2:6)")
  }
  grid <- lapply(grid, as_vector)
  seed <- draw_seed(seed)
  labels <- NULL
  if (is.function(estimator)) {
    plan <- front_call("settings_calls", X = unname(table), grid = grid, options = dots(...),
                       seed = seed)
    labels <- lapply(seq_along(plan$places), function(k) {
      rows <- plan$tables[[plan$places[[k]]]]
      colnames(rows) <- colnames(table)
      tryCatch(settings_labels(do.call(estimator, c(list(rows), plan$parameters[[k]])), nrow(rows)),
               error = conditionMessage)
    })
  } else if (!is.character(estimator) || length(estimator) != 1L) {
    stop_softclust("TypeError", "`estimator` must be a function, or the name of a clusterer such as ",
                   "\"KMeans\"")
  }
  found <- front_call("settings", X = unname(table), grid = grid, options = dots(...), seed = seed,
                      name = if (is.null(labels)) estimator, labels = labels)
  new_result(found, c("sc_settings", "sc_record"), seed)
}

# Labels from 0 and -1 for noise.
settings_labels <- function(fit, n) {
  labels <- if (is.list(fit)) fit$cluster else fit
  if (is.factor(labels)) labels <- as.integer(labels)
  if (length(labels) != n) {
    stop("the estimator returned ", length(labels), " labels for ", n, " rows")
  }
  labels <- as.integer(labels)
  labels[is.na(labels)] <- 0L
  as_vector(labels - 1L)
}
