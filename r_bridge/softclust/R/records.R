# Results that cross by their fields: Python makes the text and the table, and says what is a
# position. A new function is its signature and one call of `record_of()`.

#' Are there clusters at all?
#'
#' Compares how well separated the least separated pair of k-means clusters is with data of the same
#' size and spread that are one flat cluster. All numbers of clusters are asked at once; then more
#' clusters are tested against the clusters found.
#'
#' @param estimator A clusterer of R, as in [sc_bagged()]; `NULL` takes k-means.
#' @python cluster_test sc_cluster_test -reference_sets
#' @wraps sc_cluster_test(data, n_clusters, ..., n_init = 10, estimator, seed) sc_record
#' @examplesIf sc_available()
#' sc_cluster_test(iris[, 1:4], 2:3, n_references = 19, seed = 1)
#' @export

#' Which clusters are apart, and which are one?
#'
#' Tests clusters that one already has, from anywhere: which are apart from every other, and which
#' together are no more than one cluster cut in pieces?
#'
#' @param labels One cluster for every object; `NA` and noise are in none.
#' @param window `"whole"` for clusters that are convex lumps, or a number for curved ones: the objects
#'   of each cluster nearest to the gap, such as 25.
#' @param noise_label Labels of noise; by default -1, and 0 for results of package dbscan.
#' @param reference_sets For checks: a list of `list(c(first, second), sets)` for pairs of labels, with
#'   arrays (B, N, d) of ready data of one cluster.
#' @python separation_test
#' @examplesIf sc_available()
#' found <- sc_separation_test(iris[, 1:4], iris$Species, seed = 1)
#' found
#' found$pairs$p_value
#' @export
sc_separation_test <- function(data, labels, ..., window = "whole", noise_label = NULL,
                               reference_sets = NULL, seed = NULL) {
  table <- as_table(data)
  side <- side_of(labels, "labels")
  same_objects(data = table, labels = side)
  sets <- if (!is.null(reference_sets)) lapply(unname(reference_sets), function(each) {
    list(as_vector(as.character(each[[1L]])), each[[2L]])
  })
  whole <- identical(window, "whole")
  record_of("separation_test", c("sc_separation_test", "sc_record"), X = unname(table),
            labels = encode_side(side), window = if (whole) window else whole_number(window, "window"),
            noise_label = noise_labels(noise_label, side), reference_sets = sets,
            options = dots(...), seed = draw_seed(seed))
}

#' Did the new version change the clusters?
#'
#' Tests whether clusterings by a new version of a pipeline differ from those by the old one by more
#' than several runs of one version differ among themselves.
#'
#' @python compare_versions sc_compare_versions
#' @wraps sc_compare_versions(old, new, ..., seed) sc_record
#' @examplesIf sc_available()
#' runs <- lapply(1:4, function(seed) { set.seed(seed); stats::kmeans(iris[, 1:4], 3)$cluster })
#' four <- lapply(1:4, function(seed) { set.seed(seed); stats::kmeans(iris[, 1:4], 4)$cluster })
#' sc_compare_versions(runs, four, seed = 1)
#' @export

#' Are the clusters found again in other data?
#'
#' Clusters each cohort, carries the clusters of one to the objects of another, and compares them with
#' the clusters found there: between a ceiling, the agreement of two halves of one cohort, and a
#' floor, what cohorts of one long cluster would give.
#'
#' @param cohorts Named list of matrices or data frames with the same features: cohorts, batches or
#'   years.
#' @param n_clusters Number of clusters of k-means.
#' @python replicate sc_replicate -clusters
#' @wraps sc_replicate(cohorts, n_clusters, ..., n_init = 10, seed) sc_record
#' @examplesIf sc_available()
#' halves <- split(iris[, 1:4], rep(c("first", "second"), 75))
#' sc_replicate(halves, 3, n_resamples = 20, n_splits = 5, n_references = 19, seed = 1)
#' @export
tables_of <- function(given, name) {
  if (!is.list(given) || is.data.frame(given) || is.null(names(given))) {
    stop_softclust("TypeError", "`", name, "` must be a named list of matrices or data frames")
  }
  lapply(given, function(each) unname(as_table(each, name)))
}

#' Range of an area under the curve when distances are tied
#'
#' @python tie_range
#' @wraps sc_tie_range(truth, data, method = "average", ..., seed) sc_record
#' @examplesIf sc_available()
#' sc_tie_range(iris$Species, iris[, 1:4], "average", n_draws = 5, seed = 1)
#' @export

#' Split counts or measurements in two independent parts
#'
#' Thins each entry into two parts with the same expectation up to the share: cluster one part and
#' test the other, so that the test does not use what made the clusters.
#'
#' @python thin
#' @wraps sc_thin(data, family, ..., seed)
#' @then found <- stats::setNames(lapply(found, structure, dimnames = dimnames(table)), c("first", "second"))
#' @return A list of two matrices `first` and `second`, which add up to `data`; `first` has the share.
#' @examplesIf sc_available()
#' counts <- matrix(rpois(20, 5), 5)
#' parts <- sc_thin(counts, seed = 1)
#' parts$first + parts$second - counts
#' @export

#' Clusterings as circles in the plane
#'
#' Draws clusterings, or other things with interval dissimilarities, as circles: the smallest distance
#' of two circles stands for the lower end, the largest for the upper end.
#'
#' @param lower A result of [sc_compare_all()] whose values are dissimilarities or agreements with best
#'   value 1; or a symmetric matrix with diagonal 0, the lower ends.
#' @param upper Matrix of the upper ends; not with a result.
#' @python interval_mds -init
#' @examplesIf sc_available()
#' rough <- sc_rough(upper = rbind(c(1, 0), c(1, 1), c(0, 1), c(0, 1)))
#' runs <- list(a = c(1, 1, 2, 2), b = c(1, 2, 2, 2), c = rough)
#' circles <- sc_interval_mds(sc_compare_all(runs, "alpha_rand_interval"), seed = 1)
#' circles
#' plot(circles)
#' @export
sc_interval_mds <- function(lower, upper = NULL, ..., seed = NULL) {
  names <- rownames(lower)
  if (inherits(lower, "sc_comparison_matrix")) {
    m <- lower
    names <- m$names
    turned <- m$sense == "agreement"
    if (turned && !identical(m$best, 1)) {
      stop_softclust("ValueError", matrix_label(m), " is an agreement whose best value is not 1")
    }
    lower <- if (turned) 1 - m$upper else m$lower
    upper <- if (turned) 1 - m$lower else m$upper
    # The distance of a clustering to itself has no place in the plane.
    diag(lower) <- diag(upper) <- 0
  }
  if (is.null(upper)) upper <- lower
  record_of("interval_mds", c("sc_interval_mds", "sc_record"), lower = unname(lower),
            upper = unname(upper), names = as_vector(names), options = dots(...),
            seed = draw_seed(seed))
}

#' Comparisons side by side
#'
#' @param ... Results of [sc_compare()], with names for the columns; or one list of them.
#' @return A table to print: one row per measure, one column per comparison, with confidence intervals
#'   where there are some. `as.data.frame()` gives its cells.
#' @python tabulate
#' @examplesIf sc_available()
#' truth <- rep(1:3, 20)
#' sc_tabulate(a = sc_compare(truth, rep(c(1, 2, 2), 20), "rand_index", ci = "jackknife"),
#'             b = sc_compare(truth, rep(1:2, 30), "rand_index"))
#' @export
sc_tabulate <- function(..., measures = NULL, digits = 3) {
  results <- list(...)
  if (length(results) == 1L && !inherits(results[[1L]], "sc_comparison")) results <- results[[1L]]
  if (!length(results) || !all(vapply(results, inherits, NA, "sc_comparison"))) {
    stop_softclust("TypeError", "results of sc_compare() are needed")
  }
  if (is.null(names(results))) {
    names(results) <- vapply(results, function(x) paste(x$names, collapse = " and "), "")
  }
  whole_number(digits, "digits", 0)
  labels <- lapply(results, function(x) row_labels(x$rows))
  if (is.null(measures)) measures <- unique(unlist(labels))
  cells <- Map(function(x, own) {
    rows <- x$rows[match(measures, own), ]
    text <- ends_text(rows$low, rows$high, rows$interval %in% TRUE, digits)
    if (!is.null(rows$ci_low)) {
      known <- !is.na(rows$ci_low)
      text[known] <- paste0(text, " (", number_text(rows$ci_low, digits), " to ",
                            number_text(rows$ci_high, digits), ")")[known]
    }
    ifelse(is.na(rows$measure), "", text)
  }, results, labels)
  new_table("Comparisons", data.frame(measure = measures, cells, check.names = FALSE),
            "In brackets: confidence intervals; [a, b]: values that are intervals.")
}

# A column of any kind, which may have missing values; dates as text.
as_column <- function(x) {
  if (inherits(x, "Date")) x <- format(x, "%Y-%m-%d")
  if (inherits(x, "POSIXt")) x <- format(x, "%Y-%m-%dT%H:%M:%S", tz = "UTC")
  if (is.factor(x) || (is.logical(x) && anyNA(x))) x <- as.character(x)
  if (is.character(x) && anyNA(x)) return(lapply(x, function(value) if (!is.na(value)) value))
  # The bits of NA would be a floating point error.
  as_vector(if (is.numeric(x) && anyNA(x)) replace(as.double(x), is.na(x), NaN) else x)
}

#' Report on the clusters in a table
#'
#' Clusters a table by several algorithms and reports what they found and how sure it is.
#'
#' @param data Data frame or matrix, one row per object; all columns but `label` and `drop` are features.
#'   Row names that are texts are ids.
#' @param label Name of a column of known groups, which are compared with the clusters and never used
#'   to find them.
#' @param file Path of an HTML page with all tables and pictures, or `NULL` for none.
#' @return A list of class `sc_report`: `n_clusters`; `clusterings`, a data frame with the labels by each
#'   algorithm, which `as.data.frame()` gives; `file`. `print()` shows the main findings.
#' @python report -pictures -date -id -compare -cohort -columns
#' @examplesIf sc_available()
#' sc_report(iris, label = "Species", n_clusters = 3, algorithms = "k-means", quick = TRUE, seed = 1)
#' @export
sc_report <- function(data, label = NULL, n_clusters = 2:6, ..., file = NULL, seed = NULL) {
  seed <- draw_seed(seed)
  data <- as.data.frame(data)
  ids <- if (is.character(attr(data, "row.names"))) row.names(data)
  found <- front_call("report", data = lapply(data, as_column), ids = encode_names(ids), label = label,
                      n_clusters = as_vector(as.integer(n_clusters)), options = dots(...),
                      file = if (!is.null(file)) path.expand(file), seed = seed)
  found["file"] <- list(file)
  new_result(found, "sc_report", seed)
}
