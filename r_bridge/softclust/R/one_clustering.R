#' Uncertainty of a single clustering
#'
#' `sc_fuzziness`: 0 for hard, 1 for uniform memberships. `sc_margin`: how clearly each object
#' belongs to its cluster. `sc_entropy`: entropy of the memberships, for objects or for pairs of
#' clusters. `sc_nonspecificity`: how large the sets of clusters are that carry the mass, for all
#' kinds of clusterings. `sc_cic`: the cluster information criterion. `sc_corrected_entropy`: the
#' entropy behind a sample of counts, corrected for bias and for values that were not seen.
#'
#' @param x A clustering: anything [sc_clustering()] takes. Hard or fuzzy, except for
#'   `sc_nonspecificity`, which takes all kinds.
#' @param ... Options of the function in Python. `sc_fuzziness`: `method`
#'   (`"partition_coefficient"`, `"partition_entropy"`), `normalize`. `sc_entropy`: `log_base` (2,
#'   bits) and `average` (`FALSE`: one value per object); with `pairs = TRUE` `log_base` and
#'   `undefined`.
#' @examplesIf sc_available()
#' u <- rbind(c(0.9, 0.1), c(0.6, 0.4), c(0.1, 0.9))
#' sc_fuzziness(u)
#' sc_margin(u)
#' sc_entropy(u, average = FALSE)
#' sc_nonspecificity(sc_rough(lower = rbind(c(1, 0), c(0, 0)), upper = rbind(c(1, 0), c(1, 1))))
#' sc_cic(u)
#' sc_corrected_entropy(c(5, 3, 2, 1, 1))
#' @name one_clustering
NULL

#' @python fuzziness
#' @wraps sc_fuzziness(x, ...)
#' @rdname one_clustering
#' @export

#' @python margin
#' @wraps sc_margin(x)
#' @names objects: value
#' @rdname one_clustering
#' @export

#' @param pairs Whether to return the mean entropy of each pair of clusters, which is large where
#'   two clusters are hard to tell apart.
#' @python membership_entropy
#' @rdname one_clustering
#' @export
sc_entropy <- function(x, ..., pairs = FALSE) {
  x <- sc_clustering(x)
  if (isTRUE(pairs)) {
    found <- run("pairwise_entropy", x = x, options = dots(...))$matrix
    names <- x$cluster_names
    if (is.null(names)) names <- as.character(seq_len(nrow(found)))
    dimnames(found) <- list(names, names)
    return(found)
  }
  value <- run("membership_entropy", x = x, options = dots(...))
  each <- identical(list(...)[["average"]], FALSE)
  if (each) stats::setNames(value, object_names_of(x)) else value
}

#' @param counts How many objects have each value: whole numbers, or a table of them.
#' @python corrected_entropy
#' @wraps sc_corrected_entropy(counts)
#' @rdname one_clustering
#' @export

#' @python nonspecificity
#' @wraps sc_nonspecificity(x)
#' @rdname one_clustering
#' @export

#' @python cluster_information_criterion
#' @wraps sc_cic(x)
#' @rdname one_clustering
#' @export

#' Share of the dissimilarity between clusters
#'
#' @param d Dissimilarities of the objects: a result of [stats::dist()] or a symmetric matrix.
#' @python dissimilarity_accounted_for
#' @wraps sc_dissimilarity_accounted_for(x, d)
#' @examplesIf sc_available()
#' sc_dissimilarity_accounted_for(iris$Species, dist(iris[, 1:4]))
#' @export

# Distances as a vector or a matrix.
distances_of <- function(d) if (inherits(d, "dist")) as.vector(d) else unname(matrix_of(d, "d"))
