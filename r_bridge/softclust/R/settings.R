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
#' @python compare_settings sc_settings
#' @examplesIf sc_available()
#' sc_compare_settings(iris[, 3:4], "KMeans", list(n_clusters = 2:3), n_blocks = 12,
#'                     n_references = 19, seed = 1)
#' @export
sc_compare_settings <- function(data, estimator, grid, ..., seed = NULL) {
  table <- as_table(data)
  if (!is.list(grid) || is.null(names(grid)) || !all(nzchar(names(grid)))) {
    stop_softclust("TypeError", "`grid` must be a named list, such as list(n_clusters = 2:6)")
  }
  if (!is.function(estimator) && !(is.character(estimator) && length(estimator) == 1L)) {
    stop_softclust("TypeError", "`estimator` must be a function, or the name of a clusterer such as ",
                   "\"KMeans\"")
  }
  record_by("compare_settings", c("sc_settings", "sc_record"), data, table, estimator, settings_labels,
            param_grid = Map(as_vector, grid, paste0("grid$", names(grid))), options = dots(...), seed = draw_seed(seed))
}

# A record of a function of softclust whose clusterer may be a function of R. Python never calls R: it
# says what it needs clustered, until R has made all labels.
record_by <- function(name, class, data, table, estimator, read, ..., options, seed, kmeans = NULL) {
  if (identical(read, labels_from_0)) estimator <- as_estimator(estimator, "estimator")
  if (!is.function(estimator)) {
    return(record_of(name, class, X = unname(table), estimator = estimator, ..., options = options,
                     kmeans = kmeans, seed = seed))
  }
  known <- list()
  with_r_seed(seed, repeat {
    found <- front_call("asking", name = name, arguments = as_dict(given(X = unname(table), ...)),
                        options = options, seed = seed, known = as_dict(known))
    if (is.null(found$keys)) return(new_result(found$value, class, seed))
    labels <- lapply(seq_along(found$keys), function(k) {
      rows <- found$tables[[k]]
      colnames(rows) <- colnames(table)
      if (is.data.frame(data)) rows <- as.data.frame(rows)
      tryCatch(as_vector(read(do.call(estimator, c(list(rows), found$arguments[[k]], found$named[[k]])), nrow(rows))),
               error = conditionMessage)
    })
    known <- c(known, stats::setNames(labels, found$keys))
  })
}

# Labels from 0 and -1 for noise.
settings_labels <- function(fit, n) {
  labels <- if (is.list(fit)) labels_in(fit) else fit
  if (is.factor(labels)) labels <- as.integer(labels)
  if (length(labels) != n) {
    stop("the estimator returned ", length(labels), " labels for ", n, " rows")
  }
  labels <- as.integer(labels)
  labels[is.na(labels)] <- 0L
  labels - 1L
}
