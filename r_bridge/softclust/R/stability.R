#' How often pairs of objects are together
#'
#' Computes for each pair of objects the share of runs that put them in one cluster, among the runs
#' that contain both, and the proportion of ambiguous pairs (PAC). Pairs that are in no run have no
#' value and are left out.
#'
#' @param runs [sc_partial_ensemble()], a matrix of labels with a run per row, or an ensemble of
#'   hard clusterings.
#' @param weights Weights of the runs; `NULL` for equal ones.
#' @param ... Options of `coassociation` in Python: `n_draws` (pairs to draw in place of all),
#'   `max_objects` (objects up to which all pairs count).
#' @param seed Integer seed of the sampled pairs; `NULL` draws one from R's random numbers if pairs
#'   are sampled.
#' @return `sc_coassociation()`: a list of class `sc_coassociation`:
#'   * `pac`: the proportion of ambiguous pairs, with confidence interval `pac_limits` if pairs were
#'     sampled.
#'   * `mean`: the mean share; `area`: the area under its distribution function.
#'   * `value`, `count`, `band`: the distribution of the shares, and a band around its distribution
#'     function.
#'   * `n_pairs`: pairs with a value; `never_together`: pairs that no run contains.
#'   * `least_held`, `median_held`: minimum and median number of runs per pair.
#'   * `histogram`: numbers of pairs by the number of runs that contain both and that join them.
#'   * `exact`, `n_draws`, `n_runs`, `n_objects`, `runs`, `weights`.
#'
#'   `as.matrix()` gives the shares of all pairs, for up to 2,000 objects. `sc_pac()`: a number.
#' @references Y. Senbabaoglu, G. Michailidis, J. Z. Li (2014), Critical limitations of consensus
#'   clustering in class discovery, Scientific Reports 4, 6207.
#' @examplesIf sc_available()
#' pairs <- sc_coassociation(rbind(c(1, 1, 2, 2), c(1, 1, 1, 2)))
#' pairs
#' as.matrix(pairs)
#' sc_pac(pairs, 0.2, 0.8)
#' @export
sc_coassociation <- function(runs, weights = NULL, ..., seed = NULL) {
  runs <- as_runs(runs)
  found <- record_of("coassociation", "sc_coassociation", runs = runs,
                     weights = as_vector(weights), options = dots(...), seed = seed, maybe = TRUE)
  found[c("runs", "weights")] <- list(runs, weights)
  found
}

#' @param x Runs, or a result of `sc_coassociation()`.
#' @param lower,upper A pair is ambiguous if its share lies between these limits.
#' @param closed `"right"`: a share equal to `upper` counts. `"neither"`: strictly between.
#' @rdname sc_coassociation
#' @export
sc_pac <- function(x, lower = 0.1, upper = 0.9, closed = "right", ..., seed = NULL) {
  closed <- chosen(closed, c("right", "neither"))
  if (!is.numeric(lower) || !is.numeric(upper) || !isTRUE(0 <= lower && lower < upper && upper <= 1)) {
    stop_softclust("ValueError", "0 <= lower < upper <= 1 is needed")
  }
  if (!inherits(x, "sc_coassociation")) x <- sc_coassociation(x, ..., seed = seed)
  inside <- x$value > lower & (if (closed == "right") x$value <= upper else x$value < upper)
  sum(x$count[inside]) / x$n_pairs
}

#' @export
as.matrix.sc_coassociation <- function(x, max_objects = 2000, ...) {
  found <- front_call("coassociation_matrix", runs = x$runs, weights = as_vector(x$weights),
                      max_objects = max_objects)
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
#' @param ... Options of `cluster_stability` in Python: `dissolved`, `recovered` (limits), `absent`
#'   (`"skip"`, `"zero"`), `pooled`.
#' @return A list of class `sc_cluster_stability`:
#'   * `values`: runs by clusters; `NaN` where a run holds no object of a cluster.
#'   * For each cluster `jaccard` (the mean of its values), `standard_error`, `sizes`, `consensus` (how
#'     often its pairs are together), and the numbers of runs `dissolved`, `recovered` and `absent`.
#'   * `objects`: objects by clusters; `limits`, `n_runs`.
#'
#'   `fpc::clusterboot` counts a cluster as dissolved where none of it was drawn, as
#'   `absent = "zero"` does.
#' @references C. Hennig (2007), Cluster-wise assessment of cluster stability, Computational
#'   Statistics and Data Analysis 52, 258-271.
#' @examplesIf sc_available()
#' runs <- sc_partial_ensemble(rbind(c(1, 1, 2, 2, NA), c(1, 1, 1, 2, 2), c(NA, 1, 2, 2, 2)))
#' found <- sc_cluster_stability(c(1, 1, 2, 2, 2), runs)
#' found
#' plot(found)
#' @export
sc_cluster_stability <- function(reference, runs, ...) {
  reference <- clustering_called(reference, "reference")
  runs <- as_runs(runs)
  found <- record_of("cluster_stability", "sc_cluster_stability", reference = reference,
                     runs = runs, options = dots(...))
  found <- name_parts(found, found$clusters, "jaccard", "standard_error", "dissolved", "recovered",
                      "absent", "consensus", "sizes")
  dimnames(found$values) <- list(run_names(runs), found$clusters)
  dimnames(found$objects) <- list(object_names_in(runs), found$clusters)
  found$clusters <- NULL
  found
}

#' Consistency of each object across runs
#'
#' The mean element-centric similarity of each object over the pairs of runs that contain it: how
#' consistently the object stays with the same other objects. Runs may also be fuzzy clusterings and
#' covers ([sc_cover()]) of the same objects.
#'
#' @inheritParams sc_coassociation
#' @param reference Position or name of a run with which the others are compared, in place of all
#'   pairs.
#' @param seed Integer seed for sampling if there are more than 5,000 pairs of runs; `NULL` draws one
#'   from R.
#' @param damping Probability that a walk goes on after a step, from 0 to below 1; of no effect
#'   between hard clusterings.
#' @return A list of class `sc_element_consistency`:
#'   * `values`: for each object; `NaN` where no two runs contain it.
#'   * `index`: their mean.
#'   * `agreement`: for each run, its mean similarity with the others.
#'   * `n_pairs`, `n_sampled`: pairs of runs, and how many of them were sampled.
#' @references A. J. Gates, I. B. Wood, W. P. Hetrick, Y.-Y. Ahn (2019), Element-centric clustering
#'   comparison unifies overlaps and hierarchy, Scientific Reports 9, 8574.
#' @examplesIf sc_available()
#' found <- sc_element_consistency(rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 2, 2, 2)))
#' found
#' found$values
#' @export
sc_element_consistency <- function(runs, reference = NULL, seed = NULL, damping = 0.9) {
  runs <- as_runs(runs)
  found <- record_of("element_consistency", "sc_element_consistency", runs = runs,
                     damping = damping, reference = reference, seed = draw_seed(seed))
  name_parts(name_parts(found, object_names_in(runs), "values"), run_names(runs), "agreement")
}

frame_of.sc_element_consistency <- function(x)
  data.frame(value = unname(x$values),
             row.names = names(x$values))

#' Instability of the labels across runs
#'
#' The share of objects that must change their cluster to make two runs equal, averaged over pairs
#' of runs, and the same for random labels.
#'
#' @inheritParams sc_coassociation
#' @param n_draws Pairs of random labellings behind `null` (which is exact for 2 clusters).
#' @return A list of class `sc_label_instability`:
#'   * `value`: the instability.
#'   * `null`, `null_error`: its mean for random labels, and the standard error of that mean.
#'   * `normalized`: `value / null`, which is 1 for random labels.
#'   * `n_clusters`, `n_objects`, `n_runs`, `n_pairs`.
#' @references T. Lange, V. Roth, M. L. Braun, J. M. Buhmann (2004), Stability-based validation of
#'   clustering solutions, Neural Computation 16, 1299-1323.
#' @examplesIf sc_available()
#' sc_label_instability(rbind(c(1, 1, 2, 2), c(1, 1, 2, 2), c(1, 2, 2, 2)))
#' @export
sc_label_instability <- function(runs, n_draws = 1000, seed = NULL) {
  record_of("label_instability", "sc_label_instability", runs = as_runs(runs), n_draws = n_draws,
            seed = draw_seed(seed))
}

#' The number of clusters by prediction strength
#'
#' Measures how well the k-means clusters of one random half of the data predict which objects of
#' the other half belong together.
#'
#' @param data Matrix or data frame of finite numbers, one row per object.
#' @param n_clusters Numbers of clusters to try.
#' @param ... Options of `prediction_strength` in Python: `n_splits`, `threshold`; and `n_init`,
#'   starts of k-means.
#' @param seed Integer; `NULL` draws one from R's random numbers.
#' @return A list of class `sc_prediction_strength`:
#'   * `best`: the largest number of clusters whose mean plus standard error reaches the threshold;
#'     1 if none does.
#'   * `n_clusters`, `mean`, `standard_error`: for each number of clusters.
#'   * `values`: a matrix, numbers of clusters by splits.
#'   * `threshold`.
#' @references R. Tibshirani, G. Walther (2005), Cluster validation by prediction strength, Journal
#'   of Computational and Graphical Statistics 14, 511-528.
#' @examplesIf sc_available()
#' sc_prediction_strength(iris[, 1:4], 2:4, n_splits = 5, seed = 1)
#' @export
sc_prediction_strength <- function(data, n_clusters = 2:6, ..., seed = NULL) {
  table <- as_table(data)
  for (k in n_clusters) whole_number(k, "n_clusters")
  record_of("prediction_strength", "sc_prediction_strength", X = unname(table),
            n_clusters = as_vector(as.integer(n_clusters)), options = dots(...),
            kmeans = as_dict(list()), seed = draw_seed(seed))
}
