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
  if (is.null(y)) {
    if (inherits(x, "sc_contingency_table")) return(x)
    if (!is.null(weights) || !is.null(frequencies)) {
      stop_softclust("ValueError", "counts have no objects to weigh; give labels x and y")
    }
    return(table_from_counts(x))
  }
  sides <- Map(codes_of, list(x, y), c("x", "y"))
  same_objects(x = sides[[1L]], y = sides[[2L]], weights = weights, frequencies = frequencies)
  codes <- lapply(sides, function(side) ifelse(side$codes > 0L, side$codes, NaN))
  found <- run("contingency_table", x = as_vector(codes[[1L]]), y = as_vector(codes[[2L]]),
               weights = as_vector(weights), frequencies = as_vector(frequencies), missing = missing)
  kept <- !is.na(codes[[1L]] + codes[[2L]])
  found$n_dropped <- as.double(sum(!kept))
  new_table_of_counts(found, lapply(sides, `[[`, "levels"),
                      if (found$weighted) lapply(c(unname(codes), list(weights)), `[`, kept))
}

# A table of Python, whose labels are positions in `levels`.
new_table_of_counts <- function(found, levels, by_object = NULL) {
  if (any(found$counts > 2^53)) {
    stop_softclust("ClusteringError", "a count is above 2^53, where R's numbers are not exact; use ",
                   "Python's ContingencyTable")
  }
  used <- list(x = levels[[1L]][found$x_names], y = levels[[2L]][found$y_names])
  dimnames(found$counts) <- used
  structure(c(found[c("counts", "n_objects", "n_dropped", "weighted")],
              list(by_object = by_object, names = if (found$weighted) levels else unname(used))),
            class = c("sc_contingency_table", "sc_result"))
}

# Labels as codes from 1, 0 for none.
codes_of <- function(x, name) {
  side <- side_of(x, name)
  if (!is.null(side$rows)) side <- side_of(clustering_called(x, name))
  x <- side$clustering
  if (is.null(x)) return(side)
  if (!inherits(x, "sc_hard")) {
    stop_softclust("ClusteringError", name, " is ", kind_of(x), "; a hard clustering is needed: ",
                   "sc_harden(", name, ")")
  }
  list(codes = x$labels, levels = cluster_labels(x), clustering = x, n = length(x$labels))
}

table_from_counts <- function(x) {
  frame <- is.data.frame(x)
  count <- intersect(c("Freq", "count", "n"), names(x))[1L]
  if (frame && (is.na(count) || ncol(x) != 3L)) {
    stop_softclust("ClusteringError", "a data frame of counts has three columns, two labels and ",
                   "Freq (or count, or n); it has ", paste(names(x), collapse = ", "))
  }
  if (!frame && (!is.numeric(x) || length(dim(x)) != 2L)) {
    stop_softclust("ClusteringError", "y is missing; without it x must be counts: a table() or ",
                   "xtabs() of two variables, or a data frame with a column Freq")
  }
  sides <- if (frame) lapply(unname(as.list(x[names(x) != count])), coded) else {
    lapply(1:2, function(k) {
      levels <- if (is.null(dimnames(x)[[k]])) as.character(seq_len(dim(x)[k])) else dimnames(x)[[k]]
      list(codes = ifelse(is.na(levels), 0L, seq_along(levels)), levels = levels)
    })
  }
  codes <- lapply(sides, `[[`, "codes")
  if (any(unlist(codes) == 0L)) {
    stop_softclust("ClusteringError", "a label of the counts is NA, a missing label; leave it out")
  }
  counts <- if (frame) as_vector(x[[count]]) else matrix(as.double(x), nrow(x))
  new_table_of_counts(run("ContingencyTable.from_counts", counts = counts, rows = as_vector(codes[[1L]]),
                          columns = as_vector(codes[[2L]])), lapply(sides, `[[`, "levels"))
}

# What stands for x and y where a table may: a table, or NULL.
as_counts <- function(x, y) {
  if (!is.null(y)) return(NULL)
  if (inherits(x, c("sc_contingency_table", "sc_membership_sums", "sc_pair_counts"))) return(x)
  if (inherits(x, c("table", "xtabs"))) return(sc_contingency_table(x))
}

encode_table <- function(x) {
  unclass(if (x$weighted) {
    sides <- Map(function(codes, levels) list(codes = as.integer(codes), levels = levels),
                 x$by_object[1:2], x$names)
    made("contingency_table", x = encode_side(sides[[1L]]), y = encode_side(sides[[2L]]),
         weights = as_vector(x$by_object[[3L]]))
  } else {
    made("ContingencyTable.from_counts", counts = unname(x$counts), rows = as_vector(x$names[[1L]]),
         columns = as_vector(x$names[[2L]]))
  })
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
as.table.sc_contingency_table <- function(x, ...) {
  no_dots(...)
  as.table(x$counts)
}

frame_of.sc_contingency_table <- function(x) {
  as.data.frame(as.table(x$counts), stringsAsFactors = FALSE)
}
