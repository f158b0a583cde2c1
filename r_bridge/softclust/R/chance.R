#' Agreement by chance: null models and p-values
#'
#' `sc_chance()` compares a measure with its values under a null model: mean, standard deviation,
#' value corrected for chance, and p-value. `sc_chance_level()` gives the exact mean if it is known.
#'
#' @param x,y Two clusterings of the same objects: anything [sc_clustering()] takes; or x is a
#'   [sc_contingency_table()], [table()] or [xtabs()], without y.
#' @param measure For `sc_chance()` names of measures, or a list of their options by name, such as
#'   `list(alpha_rand_index = list(alpha = 0.2))`. For `sc_chance_level()` one name.
#' @param indices Permutations of the objects to use, one per row, from 1.
#' @return `sc_chance()`: a list of class `sc_chance`:
#'   * `rows`: a data frame with one row per value. Columns: `measure`, `end`, `observed`, `mean`,
#'     `sd`, `skewness`, `z`, `adjusted`, `p_value`, `p_value_error`, `sense`.
#'   * `null`: the values under the null model, one column for each row of `rows`; empty for the
#'     exact methods.
#'   * `n_permutations`, `method`, `model`, `fixed`, `alternative`: how they were found.
#'   * `kinds`, `n_objects`, `notes`, `alignment`, `seed`, `versions`.
#' @python chance
#' @wraps sc_chance(x, y = NULL, measure = "rand_index", method, model, fixed, alternative,
#'   n_permutations, indices, ..., noise, noise_label, missing, objects, seed = maybe, groups, strata)
#' @then found$null <- matrix(found$null, ncol = nrow(found$rows), dimnames = list(NULL, found$labels))
#' @examplesIf sc_available()
#' truth <- rep(1:2, each = 10)
#' found <- c(rep(1, 9), rep(2, 11))
#' result <- sc_chance(truth, found, c("rand_index", "variation_of_information"), seed = 1)
#' result
#' plot(result)
#' sc_chance(truth, found, "rand_index", method = "exact")$rows$p_value
#' sc_chance_level(truth, found, "rand_index", model = "number")
#' @export

#' @python chance_level
#' @wraps sc_chance_level(x, y = NULL, measure = "rand_index", model, fixed, ..., strata)
#' @rdname sc_chance
#' @export

# Two clusterings, or a table of counts as x.
sides_or_table <- function(x, y, noise = NULL, noise_label = NULL, missing = "raise",
                           objects = "same") {
  table <- as_counts(x, y)
  if (!is.null(table)) return(list(x = table))
  if (is.null(y)) {
    stop_softclust("ClusteringError", "y is missing; give two clusterings, or x as a table of counts")
  }
  aligned_pair(x, y, noise, noise_label, missing, objects)
}

n_of_sides <- function(sides) if (is.null(sides$y)) sides$x$n_objects else n_objects(sides$x)

frame_of.sc_chance <- function(x) {
  rows <- x$rows
  row.names(rows) <- make.unique(x$labels)
  rows
}
