#' Counts of the pairs of labels of two hard clusterings
#'
#' Measures of two hard clusterings depend only on their contingency table. You can make it from
#' labels or from counts that were computed elsewhere, so that billions of objects can be compared.
#'
#' @param x Labels or a hard clustering: anything [sc_clustering()] takes. Or counts, without y: a
#'   [table()] or [xtabs()] of two variables, or a data frame with the two labels and a column
#'   `Freq` (or `count`), as from `as.data.frame(table)` or a GROUP BY in SQL.
#' @param y Labels of the same objects.
#' @param weights Weights of the objects, at least 0; the weight of a pair of objects is the product
#'   of their weights.
#' @param frequencies How often each object occurs (whole numbers); the copies count as objects and
#'   form pairs.
#' @param missing `"raise"`: `NA` is an error. `"drop"`: objects without a label on either side are
#'   left out and counted in `n_dropped`.
#' @return A list of class `sc_contingency_table`, which you can pass to [sc_measure()], [sc_compare()] and
#'   [sc_pair_counts()] instead of x and y:
#'   * `counts`: a matrix with the labels as names. Counts are exact up to 2^53; larger ones are an
#'     error. With `weights`, sums of weights.
#'   * `n_objects`, `n_dropped`, `weighted`, `versions`.
#'
#'   `as.table()` and `as.data.frame()` convert it.
#' @examplesIf sc_available()
#' counts <- sc_contingency_table(mtcars$cyl, mtcars$gear)
#' counts
#' sc_measure("adjusted_rand_index", counts)
#' sc_measure("adjusted_rand_index", xtabs(~ cyl + gear, mtcars))
#' as.table(counts)
#' @export
sc_contingency_table <- function(x, y = NULL, weights = NULL, frequencies = NULL,
                                 missing = "raise") {
  missing <- chosen(missing, c("raise", "drop"))
  if (is.null(y)) {
    if (inherits(x, "sc_contingency_table")) return(x)
    if (!is.null(weights) || !is.null(frequencies)) {
      stop_softclust("ValueError", "counts have no objects to weigh; give labels x and y")
    }
    return(table_from_counts(x))
  }
  if (!is.null(weights) && !is.null(frequencies)) {
    stop_softclust("ValueError", "give weights or frequencies, not both: copies of an object ",
                   "form pairs with each other, a weight does not")
  }
  sides <- Map(codes_of, list(x, y), c("x", "y"), missing)
  if (length(sides[[1L]]$codes) != length(sides[[2L]]$codes)) {
    stop_softclust("ClusteringError", "x has ", length(sides[[1L]]$codes), " objects and y ",
                   length(sides[[2L]]$codes), "; the same objects are needed")
  }
  check_same_objects(shell_of(sides[[1L]]), shell_of(sides[[2L]]))
  for (side in sides) {
    named <- names_to_compare(shell_of(side))
    check_order(named, names(weights), "x and y", "weights")
    check_order(named, names(frequencies), "x and y", "frequencies")
  }
  n <- length(sides[[1L]]$codes)
  kept <- sides[[1L]]$codes > 0L & sides[[2L]]$codes > 0L
  codes <- lapply(sides, function(side) side$codes[kept])
  weighing <- list(weights = check_weighing(weights, n, "weights")[kept],
                   frequencies = check_weighing(frequencies, n, "frequencies")[kept])
  weight <- if (!is.null(weights)) weighing$weights else weighing$frequencies
  names <- lapply(sides, `[[`, "levels")
  counts <- sums_by_cell(codes, names, weight)
  objects <- if (!is.null(frequencies)) sum(weighing$frequencies) else
    if (!is.null(weights)) sum(weighing$weights > 0) else sum(kept)
  new_table_of_counts(counts, objects, n - sum(kept),
                      if (!is.null(weights)) c(codes, list(weighing$weights)))
}

new_table_of_counts <- function(counts, n_objects, n_dropped = 0, by_object = NULL) {
  if (any(counts > 2^53)) {
    stop_softclust("ClusteringError", "a count is above 2^53, where R's numbers are not exact; use ",
                   "Python's ContingencyTable")
  }
  used <- list(rowSums(counts) > 0, colSums(counts) > 0)
  structure(list(counts = counts[used[[1L]], used[[2L]], drop = FALSE],
                 n_objects = as.double(n_objects), n_dropped = as.double(n_dropped),
                 weighted = !is.null(by_object), by_object = by_object,
                 names = lapply(unname(dimnames(counts)), as.character)),
            class = c("sc_contingency_table", "sc_result"))
}

# Labels as codes from 1, 0 for none.
codes_of <- function(x, name, missing) {
  side <- side_of(x, name)
  if (!is.null(side$rows) || (missing == "raise" && !isFALSE(side$gaps))) {
    side <- side_of(clustering_called(x, name))
  }
  x <- side$clustering
  if (is.null(x)) return(side)
  if (!inherits(x, "sc_hard")) {
    stop_softclust("ClusteringError", name, " is ", kind_of(x), "; a hard clustering is needed: ",
                   "sc_harden(", name, ")")
  }
  list(codes = x$labels, levels = cluster_labels(x), objects = x$object_names)
}

shell_of <- function(side) new_hard(rep(1L, length(side$codes)), 1L, side$objects)

check_weighing <- function(w, n, name) {
  if (is.null(w)) return(NULL)
  if (!is.numeric(w) || length(w) != n || !all(is.finite(w)) || any(w < 0) ||
      (name == "frequencies" && any(w != trunc(w)))) {
    stop_softclust("ClusteringError", "`", name, "` must be ", n, " ",
                   if (name == "weights") "finite numbers" else "whole numbers",
                   " of at least 0, one for each object")
  }
  as.double(w)
}

sums_by_cell <- function(codes, names, weight) {
  r <- length(names[[1L]])
  s <- length(names[[2L]])
  cell <- (codes[[2L]] - 1) * r + codes[[1L]]
  sums <- if (is.null(weight)) tabulate(cell, r * s) else {
    found <- rowsum(weight, cell)
    replace(numeric(r * s), as.integer(rownames(found)), found)
  }
  matrix(as.double(sums), r, s, dimnames = list(x = names[[1L]], y = names[[2L]]))
}

table_from_counts <- function(x) {
  if (is.data.frame(x)) x <- counts_of_frame(x)
  if (!is.numeric(x) || length(dim(x)) != 2L) {
    stop_softclust("ClusteringError", "y is missing; without it x must be counts: a table() or ",
                   "xtabs() of two variables, or a data frame with a column Freq")
  }
  if (anyNA(x) || any(x < 0 | x != trunc(x) | !is.finite(x))) {
    stop_softclust("ClusteringError", "counts must be whole numbers of at least 0")
  }
  counts <- matrix(as.double(x), nrow(x), ncol(x))
  names <- if (is.null(dimnames(x))) list(NULL, NULL) else unname(dimnames(x))
  for (side in 1:2) {
    if (is.null(names[[side]])) names[[side]] <- as.character(seq_len(dim(counts)[side]))
    if (anyNA(names[[side]])) {
      stop_softclust("ClusteringError", "the table counts a missing label (NA); leave it out")
    }
  }
  dimnames(counts) <- list(x = names[[1L]], y = names[[2L]])
  new_table_of_counts(counts, sum(counts))
}

counts_of_frame <- function(frame) {
  count <- intersect(c("Freq", "count", "n"), names(frame))[1L]
  if (is.na(count) || ncol(frame) != 3L) {
    stop_softclust("ClusteringError", "a data frame of counts has three columns, two labels and ",
                   "Freq (or count, or n); it has ", paste(names(frame), collapse = ", "))
  }
  labels <- lapply(frame[setdiff(names(frame), count)], function(column) {
    if (anyNA(column)) {
      stop_softclust("ClusteringError", "a label of the counted pairs is NA; leave these rows out")
    }
    if (is.factor(column)) column else factor(column, sort(unique(column), method = "radix"))
  })
  weight <- frame[[count]]
  if (!is.numeric(weight) || anyNA(weight) || any(weight < 0 | weight != trunc(weight))) {
    stop_softclust("ClusteringError", "counts must be whole numbers of at least 0")
  }
  sums_by_cell(lapply(labels, as.integer), lapply(labels, levels), as.double(weight))
}

# What stands for x and y where a table may: a table, or NULL.
as_counts <- function(x, y) {
  if (!is.null(y)) return(NULL)
  if (inherits(x, c("sc_contingency_table", "sc_membership_sums", "sc_pair_counts"))) return(x)
  if (inherits(x, c("table", "xtabs"))) return(sc_contingency_table(x))
}

encode_table <- function(x) {
  if (x$weighted) {
    return(list(.t = "t", x = encode_numbers(x$by_object[[1L]]), y = encode_numbers(x$by_object[[2L]]),
                weights = encode_numbers(x$by_object[[3L]]), x_names = as.list(x$names[[1L]]),
                y_names = as.list(x$names[[2L]])))
  }
  list(.t = "t", counts = encode_numbers(x$counts), x_names = as.list(rownames(x$counts)),
       y_names = as.list(colnames(x$counts)))
}

#' @export
print.sc_contingency_table <- function(x, ...) {
  cat("Contingency table of ", counted(x$n_objects, "object"),
      if (x$weighted) " with weights", ", ", nrow(x$counts), " by ",
      counted(ncol(x$counts), "cluster"), "\n", sep = "")
  print(x$counts, ...)
  if (x$n_dropped > 0) cat(counted(x$n_dropped, "object"), "without a label left out.\n")
  invisible(x)
}

#' @export
summary.sc_contingency_table <- function(object, ...) object

#' @export
as.table.sc_contingency_table <- function(x, ...) as.table(x$counts)

#' @export
as.data.frame.sc_contingency_table <- function(x, row.names = NULL, optional = FALSE, ...) {
  as.data.frame(as.table(x$counts), row.names = row.names, stringsAsFactors = FALSE)
}
