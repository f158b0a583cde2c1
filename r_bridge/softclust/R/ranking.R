#' Which of several clusterings is closest to the truth?
#'
#' Shows which clusterings may be the closest, by multiple comparisons with the best: simultaneous
#' confidence intervals for the lead of each clustering over the best of the others. All clusterings
#' are of the same objects, so their differences are paired. The objects are treated as a random
#' sample, the labels as fixed.
#'
#' @param clusterings Two or more clusterings of the same objects: a list, an ensemble
#'   ([sc_ensemble()] or [clue::cl_ensemble()]), or a data frame with one column of labels per
#'   clustering.
#' @param noise,noise_label,missing,objects How to treat noise and missing labels, and which objects
#'   to compare; see [sc_align()]. An object dropped from one clustering is dropped from all.
#' @param groups,strata Group or stratum of each object; see [sc_compare()].
#' @python rank_clusterings
#' @examplesIf sc_available()
#' truth <- rep(1:3, 20)
#' runs <- list(a = c(truth[1:54], 1, 3, 2, 1, 3, 2), b = c(truth[1:45], rep(1:2, c(8, 7))))
#' ranking <- sc_rank_clusterings(truth, runs)
#' ranking
#' ranking$possibly_best
#' plot(ranking)
#' @export
sc_rank_clusterings <- function(truth, clusterings, measure = "adjusted_rand_index", ...,
                                level = 0.95, n_draws = 100000L, critical = NULL,
                                noise = NULL, noise_label = NULL, missing = "raise",
                                objects = "same", groups = NULL, strata = NULL) {
  check_several(clusterings)
  given <- if (inherits(clusterings, "sc_ensemble")) unclass(clusterings) else clusterings
  alignment <- aligned_list(c(list(truth = truth), as.list(given)), noise, noise_label, missing,
                            objects)
  if (!is.null(alignment)) {
    called <- names(given)
    sides <- unclass(alignment$clusterings)
    truth <- sides[[1L]]
    given <- stats::setNames(sides[-1L], called)
  }
  truth <- clustering_called(truth, "truth")
  given <- sc_ensemble(list = given)
  same_objects(truth = truth, clusterings = given)
  fields <- record_of("rank_clusterings", "sc_ranking", truth = truth, clusterings = given, measure = measure,
                      options = dots(...), level = level, n_draws = n_draws,
                      critical = as_vector(critical),
                      groups = part_labels(groups, "groups", list(x = truth, alignment = alignment)),
                      strata = part_labels(strata, "strata", list(x = truth, alignment = alignment)))
  fields <- name_parts(fields, fields$names, "value", "estimate", "standard_error", "gain", "low",
                       "high", "critical")
  fields <- name_parts(fields, list(fields$names, fields$names), "root_standard_error", "p_values")
  if (!is.null(alignment)) fields$notes <- c(alignment_note(list(alignment = alignment)), fields$notes)
  fields$alignment <- alignment
  fields
}
