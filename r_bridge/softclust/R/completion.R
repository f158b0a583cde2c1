#' How much a measure depends on missing labels
#'
#' The smallest and the largest value of a measure of two hard clusterings over all ways to fill in
#' the missing labels. Both values are attained; `exact` says whether they are proved.
#'
#' @param x,y Labels of the same objects, some of them `NA`; or hard clusterings.
#' @param noise_label Labels that count as missing, for both sides, or a list with those of each;
#'   `NULL` for none.
#' @python completion_bounds
#' @examplesIf sc_available()
#' x <- c(1, 1, 1, 2, 2, NA)
#' found <- sc_completion_bounds(x, c(1, 1, 1, 2, 2, 2), "rand_index")
#' found
#' sc_labels(found$completions$high$x)
#' @export
sc_completion_bounds <- function(x, y, measure = "adjusted_rand_index",
                                 clusters = c("observed", "any"), noise_label = NULL, ...,
                                 seed = NULL) {
  clusters <- chosen(clusters)
  names <- c("x", "y")
  sides <- Map(side_of, list(x, y), names)
  check_all_objects(sides, names)
  labels <- labels_for_each(noise_label, 2L)
  labels <- if (!is.null(noise_label)) {
    given <- Map(function(label, side) if (is.null(label)) NULL else noise_labels(label, side),
                 labels, sides)
    if (is.list(noise_label)) unname(given) else given[[1L]]
  }
  found <- record_of("completion_bounds", "sc_completion_bounds",
                     sides = lapply(unname(sides), encode_side, FALSE), noise_label = labels,
                     measure = measure, clusters = clusters, options = dots(...),
                     seed = draw_seed(seed))
  found$completions <- lapply(found$completions, function(pair) new_ensemble(unname(pair), names))
  name_parts(found, c("x", "y", "both"), "n_missing")
}
