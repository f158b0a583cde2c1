#' Compare several clusterings with each other
#'
#' Computes one measure for all pairs. Intervals (`measure = "alpha_rand_interval"`) show how much
#' of a difference is due to ambiguity.
#'
#' @param x Clusterings of the same objects: a list, an ensemble ([sc_ensemble()] or
#'   [clue::cl_ensemble()]), or a data frame with one column of labels per clustering.
#' @param noise,noise_label,missing,objects How to treat noise and missing labels, and which objects
#'   to compare; see [sc_align()]. By default noise is a cluster, `NA` is an error, and the objects
#'   must be the same. `missing = "bounds"`: entries are ranges over all ways to fill in the missing
#'   labels, see [sc_completion_bounds()].
#' @param ... Options of the measure, such as `alpha = 0.2`.
#' @python compare_all
#' @return A list of class `sc_comparison_matrix`:
#'   * `value`, `lower`, `upper`: matrices, rows are x, columns y. `value` is `NaN` for a measure
#'     that gives intervals. The diagonal compares each clustering with itself.
#'   * `names`, `kinds`: of the clusterings; `n_objects`.
#'   * `measure`, `options`, `sense`, `symmetric`, `interval_valued`, `best` (the largest possible
#'     value).
#'   * `notes`, `alignment` (if anything was asked of it).
#'
#'   `as.matrix()`: values, or middles of intervals. `as.dist()`: dissimilarities for [hclust()]
#'   and [cmdscale()]; an agreement `s` whose best value is 1 becomes `1 - s`.
#'   `as.data.frame()`: one row for each ordered pair.
#' @examplesIf sc_available()
#' runs <- list(a = c(1, 1, 2, 2), b = c(1, 1, 2, 3),
#'              c = rbind(c(1, 0), c(1, 0), c(.5, .5), c(0, 1)))
#' result <- sc_compare_all(runs)
#' result
#' as.dist(result)
#' plot(result)
#' @export
sc_compare_all <- function(x, measure = NULL, ..., noise = NULL,
                           noise_label = NULL, missing = "raise", objects = "same",
                           drop = c("listwise", "pair"), seed = NULL) {
  drop <- chosen(drop)
  if (!inherits(x, "sc_partial_ensemble")) check_several(x)
  given <- if (inherits(x, "sc_ensemble")) unclass(x) else x
  alignment <- rules <- NULL
  if (inherits(x, "sc_partial_ensemble")) {
    ensemble <- x
  } else if (drop == "pair" || identical(missing, "bounds")) {
    given <- named_sides(given)
    rules <- encoded_sides(unname(given), names(given), noise, noise_label, missing, objects)
    ensemble <- stats::setNames(rules$sides, names(given))
    rules <- c(given_in(rules[c("noise", "noise_label", "missing", "objects")]), drop = drop)
  } else {
    alignment <- aligned_list(given, noise, noise_label, missing, objects)
    ensemble <- if (is.null(alignment)) sc_ensemble(list = given) else alignment$clusterings
  }
  options <- dots(...)
  drawn <- with_seed(seed, !is.null(measure) && draws_of(measure), function(seed) {
    call_with(run, c(list("compare_all", clusterings = ensemble, measure = measure,
                        options = options, seed = seed), rules))
  })
  fields <- drawn$value
  fields$drew <- NULL
  both <- list(fields$names, fields$names)
  fields <- name_parts(fields, both, "lower", "upper", "value",
                       if (is.matrix(fields$n_objects)) "n_objects")
  fields$alignment <- alignment
  new_result(fields, "sc_comparison_matrix", drawn$seed)
}

matrix_label <- function(m) {
  if (!length(m$options)) return(m$measure)
  paste0(m$measure, " (", paste(names(m$options), unlist(lapply(m$options, format)), sep = " = ",
                                collapse = ", "), ")")
}

#' @rdname sc_compare_all
#' @export
as.matrix.sc_comparison_matrix <- function(x, ...) {
  no_dots(...)
  if (x$interval_valued) (x$lower + x$upper) / 2 else x$value
}

frame_of.sc_comparison_matrix <- function(x) {
  n <- length(x$names)
  data.frame(x = rep(x$names, n), y = rep(x$names, each = n), lower = as.vector(x$lower),
             upper = as.vector(x$upper), value = as.vector(x$value))
}

#' @rdname sc_compare_all
#' @param m A comparison matrix.
#' @param diag,upper As in [stats::as.dist()].
#' @importFrom stats as.dist
#' @export
as.dist.sc_comparison_matrix <- function(m, diag = FALSE, upper = FALSE) {
  if (!m$symmetric) {
    stop_softclust("ValueError", matrix_label(m), " is not symmetric; a dist object must be")
  }
  d <- as.matrix(m)
  if (m$sense == "agreement") {
    if (!identical(m$best, 1)) {
      stop_softclust("ValueError", matrix_label(m), " is an agreement whose best value is not 1; ",
                     "compute distances from as.matrix(x)")
    }
    d <- 1 - d
  }
  stats::as.dist(d, diag = diag, upper = upper)
}
