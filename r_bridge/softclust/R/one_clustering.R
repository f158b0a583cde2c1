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
#' @return   * `sc_fuzziness()`, `sc_nonspecificity()`: a number in \[0, 1\].
#'   * `sc_margin()`: a number in \[0, 1\] for each object.
#'   * `sc_entropy()`: the mean over the objects, or a value for each object, or a matrix (clusters by
#'     clusters).
#'   * `sc_cic()`: a list of class `sc_cic`: `criterion` (`information` - `uncertainty`, in bits),
#'     `complexity`, `effective_clusters`, `n_objects`. The criterion is inferred from published
#'     values; the article that defines it is not public.
#'   * `sc_corrected_entropy()`: a number, in nats.
#' @references J. C. Bezdek (1981), Pattern Recognition with Fuzzy Objective Function Algorithms, Plenum.
#'
#'   M.-H. Masson, T. Denoeux (2008), ECM: an evidential version of the fuzzy c-means algorithm,
#'   Pattern Recognition 41, 1384-1397.
#'
#'   J. Oehlschlaegel (2007), Truecluster matching, arXiv:0705.4302.
#'
#'   A. Chao, Y. T. Wang, L. Jost (2013), Entropy and the species accumulation curve, Methods in
#'   Ecology and Evolution 4, 1091-1100.
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

#' @rdname one_clustering
#' @export
sc_fuzziness <- function(x, ...) of_one(x, "fuzziness", ...)

#' @rdname one_clustering
#' @export
sc_margin <- function(x) {
  x <- sc_clustering(x)
  stats::setNames(of_one(x, "margin"), object_names_of(x))
}

#' @param pairs Whether to return the mean entropy of each pair of clusters, which is large where
#'   two clusters are hard to tell apart.
#' @rdname one_clustering
#' @export
sc_entropy <- function(x, ..., pairs = FALSE) {
  x <- sc_clustering(x)
  if (isTRUE(pairs)) {
    found <- front_call("pairwise_entropy", x = x, options = dots(...))$matrix
    names <- x$cluster_names
    if (is.null(names)) names <- as.character(seq_len(nrow(found)))
    dimnames(found) <- list(names, names)
    return(found)
  }
  value <- of_one(x, "entropy", ...)
  each <- identical(list(...)[["average"]], FALSE)
  if (each) stats::setNames(value, object_names_of(x)) else value
}

#' @param counts How many objects have each value: whole numbers, or a table of them.
#' @rdname one_clustering
#' @export
sc_corrected_entropy <- function(counts) {
  front_call("corrected_entropy", counts = as.double(counts))
}

#' @rdname one_clustering
#' @export
sc_nonspecificity <- function(x) of_one(x, "nonspecificity")

of_one <- function(x, what, ...) {
  front_call("of_one", x = sc_clustering(x), what = what, options = dots(...))
}

#' @rdname one_clustering
#' @export
sc_cic <- function(x) new_result(front_call("cic", x = sc_clustering(x)), "sc_cic")

frame_of.sc_cic <- function(x) {
  parts <- c("criterion", "information", "uncertainty", "complexity", "effective_clusters",
             "n_objects")
  as.data.frame(unclass(x)[parts])
}
