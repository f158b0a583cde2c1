#' Nested truth
#'
#' A truth may have several levels from coarse to fine, such as cell types and their subtypes.
#' `sc_level_agreement()` compares a clustering with each level, and `sc_nested_rand_index()` with
#' all levels at once. `sc_best_cut()` finds the clusters of a tree that agree best with y, where
#' branches may be cut at different heights.
#'
#' @param levels Clusterings of the truth from coarse to fine, each nested in the one before: a list
#'   or a data frame with one column per level. For `sc_level_agreement()` also a tree of
#'   [stats::hclust()].
#' @param y The clustering to be compared with the truth: anything [sc_clustering()] takes.
#' @param tree A tree of [stats::hclust()], or what `as.hclust()` takes.
#' @examplesIf sc_available()
#' levels <- data.frame(type = c(1, 1, 1, 1, 2, 2), subtype = c(1, 1, 2, 2, 3, 3))
#' sc_nested_rand_index(levels, c(1, 1, 1, 1, 2, 2))
#' sc_level_agreement(levels, c(1, 1, 1, 1, 2, 2))
#' tree <- hclust(dist(iris[, 1:4]), "average")
#' sc_best_cut(tree, iris$Species, n_permutations = 19, seed = 1)
#' @name nested
NULL

#' @python nested_rand_index
#' @param adjusted Whether the index is corrected for chance: 0 on average for a random order of the
#'   objects.
#' @rdname nested
#' @export
sc_nested_rand_index <- function(levels, y, credits = NULL, credit = c("both", "joined"),
                                 adjusted = FALSE) {
  levels <- levels_of(levels)
  y <- sc_clustering(y)
  same_objects(levels = levels, y = y)
  run(if (isTRUE(adjusted)) "adjusted_nested_rand_index" else "nested_rand_index",
      levels = unname(unclass(levels)), y = y, credits = as_vector(credits),
      credit = chosen(credit))
}

#' @python level_agreement
#' @param measure Name of a measure of two hard clusterings; for `sc_best_cut()` one that is a ratio
#'   of sums over clusters, such as `"adjusted_rand_index"`.
#' @return `sc_level_agreement()`: a data frame with one row per level:
#'   * `k`: number of clusters; `value`: the measure; `expected`: its mean by chance.
#' @rdname nested
#' @export
sc_level_agreement <- function(levels, y, measure = "adjusted_rand_index") {
  y <- sc_clustering(y)
  from_tree <- is_tree(levels)
  truth <- if (from_tree) as_tree(levels, "levels") else levels_of(levels)
  same_objects(levels = truth, y = y)
  found <- run("level_agreement", y = y, measure = measure,
               levels = if (from_tree) tree_parts(truth) else unname(unclass(truth)))$rows
  if (!from_tree && !is.null(names(levels))) row.names(found) <- names(levels)
  found
}

#' @python best_cut
#' @param n_permutations Permutations of y for a p-value; 0 for none. The best cut is an optimum
#'   over very many cuts, so its value alone is no test.
#' @return `sc_best_cut()`: a list of class `sc_best_cut`:
#'   * `clustering`, `value`: the best cut and the value of the measure.
#'   * `level_value`, `level_k`: the value of the best horizontal cut, and its number of clusters.
#'   * `p_value`, `null`: the p-value and the values for permutations, if `n_permutations > 0`.
#'   * `measure`, `seed`, `versions`.
#' @rdname nested
#' @export
sc_best_cut <- function(tree, y, measure = "adjusted_rand_index", n_permutations = 0,
                        seed = NULL) {
  n_permutations <- whole_number(n_permutations, "n_permutations", 0)
  drawn <- if (n_permutations) draw_seed(seed)
  tree <- as_tree(tree, "tree")
  y <- sc_clustering(y)
  same_objects("the tree" = tree, y = y)
  new_result(front_call("best_cut", tree = tree_parts(tree), y = y,
                        measure = measure, n_permutations = n_permutations, seed = drawn),
             "sc_best_cut", drawn)
}

levels_of <- function(levels) {
  levels <- columns_of_cuts(levels)
  if (!is.list(levels)) {
    stop_softclust("TypeError", "`levels` must be a list of clusterings from coarse to fine, or a data ",
                   "frame with one column per level; this is of class ", class(levels)[1L])
  }
  sc_ensemble(list = levels)
}
