# Verbs of package broom. generics is not imported: the methods are registered when it is loaded.

#' Results for broom, modelsummary and gt
#'
#' Methods of `generics::tidy()`, `generics::glance()` and `generics::augment()`, which broom,
#' modelsummary and gt read.
#'
#' @param x A result of [sc_compare()], [sc_chance()], [sc_rank_clusterings()] or
#'   [sc_sampled_truth()].
#' @param conf.int Whether the confidence limits are among the columns.
#' @param conf.level Their level, which is that of the result.
#' @param data For `augment()`: a data frame with one row per object, to which columns are added.
#' @param newdata New objects, for results with `predict()`.
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
tidy.sc_result <- function(x, conf.int = TRUE, conf.level = NULL, ...) {
  no_dots(...)
  found <- broom_of(x, "tidy")
  if (!is.null(conf.level) && any(!is.na(found$conf.low))) {
    made <- if (is.null(x$level)) 0.95 else x$level
    if (!isTRUE(all.equal(conf.level, made))) {
      stop_softclust("ValueError", "the intervals have level ", made, ", not ", format(conf.level),
                     "; compute the result again with `level`")
    }
  }
  if (!isTRUE(conf.int)) found[c("conf.low", "conf.high")] <- NULL
  found
}

#' @rdname broom
#' @exportS3Method generics::glance
glance.sc_result <- function(x, ...) {
  no_dots(...)
  broom_of(x, "glance")
}

#' @rdname broom
#' @exportS3Method generics::augment
augment.sc_result <- function(x, data = NULL, newdata = NULL, ...) {
  no_dots(...)
  if (is.null(newdata)) return(augment.sc_clustering(held_clustering(x), data))
  has_rule(x)
  augment.sc_clustering(stats::predict(x, newdata), newdata)
}

#' @rdname broom
#' @exportS3Method generics::augment
augment.sc_compare_versions <- function(x, data = NULL, ...) {
  no_dots(...)
  if (is.null(x$objects)) {
    stop_softclust("ValueError", "the objects were not compared; `objects = TRUE` does, for hard ",
                   "runs of the same objects")
  }
  beside(data, data.frame(.statistic = as.numeric(x$objects), .p.value = as.numeric(x$objects_p)),
         new_hard(rep(1L, length(x$objects)), 1L))
}

#' @rdname broom
#' @exportS3Method generics::augment
augment.sc_clustering <- function(x, data = NULL, ...) {
  no_dots(...)
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
  beside(data, cbind(columns, memberships), x)
}

# Columns for the objects of a clustering, behind those of the data.
beside <- function(data, columns, clustering) {
  if (is.null(data)) return(columns)
  same_objects(clustering = clustering, data = data)
  twice <- intersect(names(columns), colnames(data))
  if (length(twice)) {
    stop_softclust("ValueError", "`data` has a column `", twice[1L], "` already; rename it or leave it out")
  }
  row.names(columns) <- NULL
  cbind(as.data.frame(data), columns)
}

# Python's verbs of the same names, in which a point takes the place of an underscore. Where it has
# none, estimates are the result's table or its clusters, and a glance all parts that are one value.
broom_of <- function(x, verb) {
  data_only(x)
  found <- attr(x, "verbs")[[verb]]
  if (is.null(found) && verb == "tidy") {
    found <- if (inherits(x, c("sc_fit", "sc_bagged", "sc_consensus"))) clusters_of(x)
             else if (is.data.frame(x[["clusters"]])) x$clusters else frame_of(x)
    # Of all pairs one of each: none of a clustering with itself, and none twice.
    if (inherits(x, "sc_comparison_matrix")) {
      found <- found[if (x$symmetric) lower.tri(x$value) else row(x$value) != col(x$value), ]
      row.names(found) <- NULL
    }
  }
  if (is.null(found)) {
    parts <- Filter(function(part) is.atomic(part) && length(part) == 1L && is.null(dim(part)), unclass(x))
    found <- data.frame(parts[setdiff(names(parts), c("seed", "title", "notes"))])
    if (verb == "tidy" || !length(found)) {
      stop_softclust("TypeError", "a result of class ", class(x)[1L], " has no estimates to ", verb)
    }
    if (is.null(found$n_objects)) found$n_objects <- tryCatch(nobs(x), error = function(e) NULL)
  }
  found[] <- lapply(found, function(column) replace(column, is.nan(column), NA))
  names(found) <- gsub("_", ".", names(found), fixed = TRUE)
  if (verb == "glance") names(found)[names(found) == "n.objects"] <- "nobs"
  found
}

# One row per cluster of a fit: objects, sum of squares around the centre, centre.
clusters_of <- function(x) {
  held <- held_clustering(x)
  k <- n_clusters(held)
  found <- data.frame(cluster = cluster_labels(held), size = tabulate(x$labels, k))
  if (!is.null(x$withinss)) found$withinss <- x$withinss
  centers <- if (inherits(x, "sc_fit")) x$centers else x$base_centers
  if (is.null(centers)) return(found)
  centers <- as.data.frame(centers, row.names = seq_len(k))
  cbind(found, centers)
}
