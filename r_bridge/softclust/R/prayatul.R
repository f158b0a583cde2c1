#' Which of two clusterings is closer to the truth? The Prayatul matrix
#'
#' Counts the pairs of objects about which both clusterings, one of them or neither is right, that
#' is, joins or separates them as the truth does.
#'
#' @param truth,primary,alternative Clusterings of the same objects: anything [sc_clustering()]
#'   takes. Hard or fuzzy; with `coupling = "evidential"` a hard truth and any kinds.
#' @param missing,objects How to treat missing labels, and which objects to compare; see
#'   [sc_align()].
#' @param names Names of the primary and the alternative clustering for printing; by default the
#'   expressions in the call if these are short, otherwise `"primary"` and `"alternative"`.
#' @return A list of class `sc_prayatul`:
#'   * `matrix`: rows primary right and wrong, columns alternative; the same counts as `both_right`,
#'     `right_wrong`, `wrong_right`, `both_wrong`; `pairs`.
#'   * The measures `comparative_deviation`, `polarization`, `comparative_rightness`,
#'     `effective_rightness`, `effective_superiority`.
#'   * `rand_primary`, `rand_alternative`, `rand_between`; `delta`: the first minus the second.
#'   * `same_class`, `different_class`: the matrix for pairs within and between classes.
#'   * `objects`: a data frame; `intervals`, `p_value`: if asked for.
#'   * `n`, `names`, `kinds`, `coupling`, `n_noise`, `n_dropped`, `positions`, `versions`.
#'
#'   With `coupling = "evidential"` the matrix is 3 x 3 and each measure `c(low = , high = )`.
#' @param ci Confidence intervals: `"jackknife"` (with a test of `delta = 0`), `"bootstrap"`, or
#'   `NULL`. The objects are treated as a random sample, the labels as fixed.
#' @param level Level of the confidence intervals.
#' @param n_resamples Number of bootstrap resamples.
#' @param by_object Whether the result has a row for each object.
#' @python prayatul
#' @examplesIf sc_available()
#' truth <- c("a", "a", "a", "b", "b", "b")
#' result <- sc_prayatul(truth, c(1, 1, 1, 2, 2, 1), c(1, 2, 1, 2, 1, 2), names = c("A", "B"))
#' result
#' result$objects$advantage
#' plot(result)
#' @export
sc_prayatul <- function(truth, primary, alternative, ..., ci = NULL, level = 0.95,
                        n_resamples = 1000, by_object = TRUE, missing = "raise", objects = "same",
                        names = NULL, seed = NULL) {
  if (is.null(names)) {
    names <- called(substitute(primary), substitute(alternative), c("primary", "alternative"))
  }
  check_names(names)
  if (!is.null(ci)) chosen(ci, c("jackknife", "bootstrap"))
  # Noise is known by its label: clusters without names are called 1, 2, ... as in R.
  roles <- c("truth", "primary", "alternative")
  sides <- list(truth, primary, alternative)
  alignment <- aligned_list(stats::setNames(sides, roles), NULL, NULL, missing, objects)
  sides <- if (is.null(alignment)) clusterings_of(sides, roles)
           else unclass(alignment$clusterings)
  sides <- lapply(sides, function(x) with_clusters(x, cluster_labels(x)))
  options <- list(...)
  call_with(same_objects, c(stats::setNames(sides, roles), if (is.null(alignment)) options["weights"]))
  dots(...)
  if (!is.null(options$noise_label)) {
    options$noise_label <- coded(options$noise_label)$levels
  }
  if (!is.null(options[["weights"]]) && !is.null(alignment)) {
    options$weights <- options[["weights"]][alignment$positions[, "truth"]]
  }
  seed <- if (identical(ci, "bootstrap")) draw_seed(seed)
  fields <- front_call("prayatul", truth = sides[[1L]], primary = sides[[2L]],
                       alternative = sides[[3L]], names = as_vector(names),
                       objects = isTRUE(by_object), ci = ci, level = level,
                       n_resamples = n_resamples, options = as_dict(options), seed = seed)
  states <- c("right", "wrong", if (nrow(fields$matrix) == 3L) "unknown")
  fields <- name_parts(fields, stats::setNames(list(states, states), names), "matrix", "same_class",
                       "different_class")
  fields$alignment <- alignment
  new_result(fields, "sc_prayatul", seed)
}

#' Which of several clusterings is closer to the truth, pair by pair
#'
#' @param truth The reference: anything [sc_clustering()] takes.
#' @param clusterings Two or more clusterings of the same objects: a list with names, or an ensemble.
#' @python prayatul_all
#' @wraps sc_prayatul_all(truth, clusterings, ...)
#' @return +
#'   `as.data.frame()` has a row for each ordered pair.
#' @examplesIf sc_available()
#' runs <- list(one = c(1, 1, 2, 2, 2), two = c(1, 2, 2, 2, 1), three = c(1, 1, 1, 2, 3))
#' sc_prayatul_all(c(1, 1, 1, 2, 2), runs)
#' @export

prayatul_measures <- c("comparative_deviation", "polarization", "comparative_rightness",
                       "effective_rightness", "effective_superiority", "delta", "rand_primary",
                       "rand_alternative", "rand_between")

frame_of.sc_prayatul <- function(x) {
  ends <- vapply(prayatul_measures, function(m) rep_len(as.double(x[[m]]), 2L), c(0, 0))
  rows <- prayatul_measures
  if (nrow(x$matrix) == 3L) {
    return(data.frame(lower = ends[1L, ], upper = ends[2L, ], row.names = rows))
  }
  frame <- data.frame(value = ends[1L, ], row.names = rows)
  if (!is.null(x$intervals)) {
    i <- match(prayatul_measures, row.names(x$intervals))
    frame <- cbind(frame, x$intervals[i, c("standard_error", "lower", "upper")])
    row.names(frame) <- rows
  }
  frame
}
