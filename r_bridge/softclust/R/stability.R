#' How often pairs of objects are together
#'
#' Computes for each pair of objects the share of runs that put them in one cluster, among the runs
#' that contain both, and the proportion of ambiguous pairs (PAC). Pairs that are in no run have no
#' value and are left out.
#'
#' @param runs [sc_partial_ensemble()], a matrix of labels with a run per row, or an ensemble of
#'   hard clusterings.
#' @python coassociation
#' @wraps sc_coassociation(runs, weights, ..., seed = maybe)
#' @then found[c("runs", "weights")] <- list(runs, weights)
#' @return +   * `runs`, `weights`: as given.
#'
#'   `as.matrix()` gives the shares of all pairs, for up to 2,000 objects. `sc_pac()`: a number.
#' @examplesIf sc_available()
#' pairs <- sc_coassociation(rbind(c(1, 1, 2, 2), c(1, 1, 1, 2)))
#' pairs
#' as.matrix(pairs)
#' sc_pac(pairs, 0.2, 0.8)
#' @export

#' @param x Runs, or a result of `sc_coassociation()`.
#' @param lower,upper A pair is ambiguous if its share lies between these limits.
#' @param closed `"right"`: a share equal to `upper` counts. `"neither"`: strictly between.
#' @rdname sc_coassociation
#' @export
sc_pac <- function(x, lower = 0.1, upper = 0.9, closed = "right", ..., seed = NULL) {
  closed <- chosen(closed, c("right", "neither"))
  ends <- c(lower, upper)
  if (!is.numeric(ends) || length(ends) != 2L || !isTRUE(0 <= lower && lower < upper && upper <= 1)) {
    stop_softclust("ValueError", "0 <= lower < upper <= 1 is needed")
  }
  if (!inherits(x, "sc_coassociation")) x <- sc_coassociation(x, ..., seed = seed)
  inside <- x$value > lower & (if (closed == "right") x$value <= upper else x$value < upper)
  sum(x$count[inside]) / x$n_pairs
}

#' @export
as.matrix.sc_coassociation <- function(x, max_objects = 2000, ...) {
  no_dots(...)
  found <- run("coassociation", runs = x$runs, weights = as_vector(x$weights), n_draws = 1, seed = 0,
               then = list("matrix", max_objects = max_objects))
  names <- object_names_in(x$runs)
  found[is.nan(found)] <- NA
  if (!is.null(names)) dimnames(found) <- list(names, names)
  found
}

object_names_in <- function(runs) {
  if (inherits(runs, "sc_partial_ensemble")) colnames(runs$labels)
  else object_names_of(unclass(runs)[[1L]])
}

#' Which clusters are found again in other runs?
#'
#' For each cluster of a reference, computes the Jaccard index with its best match in each run, and
#' how often its pairs of objects are together. For each object, computes how often it is together
#' with each cluster.
#'
#' @param reference Hard clustering of all objects.
#' @inheritParams sc_coassociation
#' @python cluster_stability
#' @wraps sc_cluster_stability(reference, runs, ...)
#' @names clusters: jaccard standard_error dissolved recovered absent consensus sizes
#' @names runs x clusters: values
#' @names members x clusters: objects
#' @examplesIf sc_available()
#' runs <- sc_partial_ensemble(rbind(c(1, 1, 2, 2, NA), c(1, 1, 1, 2, 2), c(NA, 1, 2, 2, 2)))
#' found <- sc_cluster_stability(c(1, 1, 2, 2, 2), runs)
#' found
#' plot(found)
#' @export

#' Consistency of each object across runs
#'
#' The mean element-centric similarity of each object over the pairs of runs that contain it: how
#' consistently the object stays with the same other objects. Runs may also be fuzzy clusterings and
#' covers ([sc_cover()]) of the same objects.
#'
#' @inheritParams sc_coassociation
#' @param reference Position or name of a run with which the others are compared, in place of all
#'   pairs.
#' @python element_consistency
#' @wraps sc_element_consistency(runs, reference, seed = maybe, damping)
#' @names objects: values
#' @names runs: agreement
#' @examplesIf sc_available()
#' found <- sc_element_consistency(rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 2, 2, 2)))
#' found
#' found$values
#' @export

frame_of.sc_element_consistency <- function(x)
  data.frame(value = unname(x$values),
             row.names = names(x$values))

#' Instability of the labels across runs
#'
#' The share of objects that must change their cluster to make two runs equal, averaged over pairs
#' of runs, and the same for random labels.
#'
#' @inheritParams sc_coassociation
#' @python label_instability
#' @wraps sc_label_instability(runs, n_draws, seed)
#' @examplesIf sc_available()
#' sc_label_instability(rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 2, 2, 2)))
#' @export

#' The number of clusters by prediction strength
#'
#' Measures how well the k-means clusters of one random half of the data predict which objects of
#' the other half belong together.
#'
#' @param n_clusters Numbers of clusters to try.
#' @python prediction_strength +n_init
#' @wraps sc_prediction_strength(data, n_clusters, ..., seed)
#' @examplesIf sc_available()
#' sc_prediction_strength(iris[, 1:4], 2:4, n_splits = 5, seed = 1)
#' @export
