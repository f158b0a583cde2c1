# Verbs of package broom. generics is not imported: the methods are registered when it is loaded.

#' Results for broom, modelsummary and gt
#'
#' Methods of `generics::tidy()`, `generics::glance()` and `generics::augment()`, which broom,
#' modelsummary and gt read.
#'
#' @param x A result of [sc_compare()], [sc_chance()], [sc_rank_clusterings()] or
#'   [sc_sampled_truth()].
#' @param data For `augment()`: a data frame with one row per object, to which columns are added.
#' @param ... Not used.
#' @return `tidy()`: a data frame with one row per estimate; a measure that is an interval has two,
#'   `[low]` and `[high]`. Its columns:
#'   * `term`: the measure or the clustering.
#'   * `estimate`: the value; of [sc_chance()] the value corrected for chance, of
#'     [sc_rank_clusterings()] the lead over the best of the others.
#'   * `std.error`, `conf.low`, `conf.high`, `p.value`: `NA` where there is none.
#'   * `method`.
#'
#'   `glance()`: a data frame with one row about the whole result.
#'
#'   `augment()` of a clustering, or of a result that holds one (bagged, fuzzy, consensus): a data
#'   frame with one row per object: `.cluster`, the cluster with the largest membership, `.margin`,
#'   its lead over the next one, and a column of memberships for each cluster.
#' @examplesIf sc_available() && requireNamespace("generics", quietly = TRUE)
#' result <- sc_compare(c(1, 1, 2, 2, 3, 3), c(1, 1, 2, 2, 2, 3), ci = "jackknife")
#' generics::tidy(result)
#' generics::glance(result)
#' @name broom
NULL

#' @rdname broom
#' @exportS3Method generics::tidy
tidy.sc_result <- function(x, ...) broom_of(x, "tidy")

#' @rdname broom
#' @exportS3Method generics::glance
glance.sc_result <- function(x, ...) broom_of(x, "glance")

#' @rdname broom
#' @exportS3Method generics::augment
augment.sc_result <- function(x, data = NULL, ...) {
  augment.sc_clustering(held_clustering(x), data, ...)
}

#' @rdname broom
#' @exportS3Method generics::augment
augment.sc_clustering <- function(x, data = NULL, ...) {
  values <- as.matrix(x)
  largest <- max.col(values, ties.method = "first")
  names <- if (is.null(colnames(values))) seq_len(ncol(values)) else colnames(values)
  rest <- values
  rest[cbind(seq_len(nrow(values)), largest)] <- -Inf
  margin <- if (ncol(values) > 1L) values[cbind(seq_len(nrow(values)), largest)] -
    apply(rest, 1L, max) else rep(NA_real_, nrow(values))
  columns <- data.frame(.cluster = names[largest], .margin = margin, row.names = rownames(values))
  memberships <- as.data.frame(unname(values), row.names = rownames(values))
  names(memberships) <- paste0(".membership_", names)
  columns <- cbind(columns, memberships)
  if (is.null(data)) return(columns)
  if (nrow(data) != nrow(columns)) {
    stop_softclust("ClusteringError", "`data` has ", nrow(data), " rows and the clustering ",
                   nrow(columns), " objects")
  }
  cbind(as.data.frame(data), columns)
}

# Both come from Python's verbs of the same names; a point takes the place of its underscore.
broom_of <- function(x, verb) {
  found <- attr(x, "verbs")[[verb]]
  if (is.null(found)) {
    stop_softclust("TypeError", "a result of class ", class(x)[1L], " has no estimates to ", verb,
                   "; as.data.frame(x) is a table of it")
  }
  names(found) <- gsub("_", ".", names(found), fixed = TRUE)
  if (verb == "glance") names(found)[names(found) == "n.objects"] <- "nobs"
  found
}
