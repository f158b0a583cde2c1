#' Match the clusters of two clusterings
#'
#' Pairs the clusters of `y` with those of `x`, so that both can use the same names.
#'
#' @param noise,noise_label,missing,objects How to treat noise and missing labels, and which objects
#'   to compare; see [sc_align()]. By default noise is a cluster, `NA` is an error, and the objects
#'   must be the same.
#' @python match_clusters sc_matching -row_order -column_order
#' @wraps sc_match(x, y, method, ..., noise, noise_label, missing, objects, seed = maybe)
#' @then found <- name_matching(found)
#' @return +   * `clustering`: y with the names of x; not of a table.
#' @examplesIf sc_available()
#' set.seed(1)
#' found <- kmeans(iris[, 1:4], 3, nstart = 10)
#' matching <- sc_match(iris$Species, found$cluster)
#' matching
#' table(iris$Species, sc_labels(matching$clustering))
#' plot(matching)
#' @export

name_matching <- function(found) {
  names <- list(x = found$x_clusters, y = found$y_clusters)
  dimnames(found$table) <- dimnames(found$score) <- names
  dimnames(found$matched_table) <- list(x = names$x[found$row_order],
                                        y = names$y[found$column_order])
  colnames(found$pairs) <- c("x", "y")
  found[c("row_order", "column_order")] <- NULL
  found
}

#' @param table For `sc_match_table()`: a matrix of counts or masses, clusters of x by clusters of y,
#'   or a [table()]. Its result has no `clustering`.
#' @python match_table sc_matching
#' @rdname sc_match
#' @examplesIf sc_available()
#' sc_match_table(table(iris$Species, found$cluster))
#' @export
sc_match_table <- function(table, method = c("trace", "truematch", "truematch_heuristic",
                                             "trace_heuristic"), ...,
                           seed = NULL) {
  name_matching(record_of("match_table", "sc_matching", table = unname(matrix_of(unclass(table), "table")),
                          method = chosen(method), row_names = dimnames(table)[[1L]],
                          column_names = dimnames(table)[[2L]], options = dots(...), seed = seed,
                          maybe = TRUE))
}

frame_of.sc_matching <- function(x) {
  cells <- cbind(x$pairs[, 1L], x$pairs[, 2L])
  data.frame(x = x$x_clusters[cells[, 1L]], y = x$y_clusters[cells[, 2L]],
             objects = x$table[cells], score = x$score[cells])
}

#' One clustering out of many
#'
#' `sc_consensus` finds the clustering with the smallest sum of distances to the members of an
#' ensemble, `sc_mmcc` lets the members vote one after another (multiple match cluster count), and
#' `sc_medoid` picks the most central member.
#'
#' @param start A clustering or a list of clusterings to start from, instead of random starts.
#' @param x An ensemble ([sc_ensemble()]), a list of clusterings, clue's `cl_ensemble`, or runs that
#'   each label some of the objects ([sc_partial_ensemble()]).
#' @param ... Further options of the function in Python: `n_starts` (by default 40 to 1000, until
#'   the best one is reached three times), `max_nodes` (`"SE"`: branch and bound, which may prove
#'   the optimum), `order` (for `"DWH"`, members from 1), `max_iter`, `tol`; for `sc_mmcc`
#'   `matching` (`"truematch_heuristic"`, `"truematch"`, `"trace"`), `margins`, `uniforms`.
#' @param method `"SE"`, `"HE"` (squared Euclidean membership distance, fuzzy and hard result),
#'   `"SM"`, `"HM"` (Manhattan), `"GV1"` (Gordon and Vichi) or `"DWH"` (greedy, one pass); by
#'   pairs of objects `"GV3"` (squared co-membership dissimilarity, fuzzy result), `"hard/symdiff"`
#'   (symmetric difference, hard result; `n_clusters` is the largest number), `"soft/symdiff"`, or
#'   `"coassociation"` (a cut of `$tree`, the [hclust()] of 1 - the share of runs that join two
#'   objects, with option `linkage`).
#' @python consensus sc_consensus
#' @wraps sc_consensus(x -> ensemble, method = "SE", n_clusters = NULL, weights, start = NULL, ..., seed)
#' @then found <- name_consensus(found, ensemble)
#' @examplesIf sc_available()
#' set.seed(1)
#' runs <- lapply(1:10, function(i) kmeans(iris[, 1:4], 3)$cluster)
#' together <- sc_consensus(runs, method = "SE", seed = 1)
#' together
#' plot(together)
#' sc_mmcc(runs, seed = 1)
#' @export
# A clustering to start from, or several.
starts_of <- function(start) {
  if (is.null(start)) NULL
  else if (is.list(start) && !is.object(start)) lapply(start, sc_clustering) else sc_clustering(start)
}

#' @python mmcc sc_consensus
#' @wraps sc_mmcc(x -> ensemble, ..., seed)
#' @then found <- name_consensus(found, ensemble)
#' @rdname sc_consensus
#' @export

name_consensus <- function(found, ensemble) {
  names <- object_names_of(found$clustering)
  found <- name_parts(name_parts(found, names, "labels", "membership", "entropy"),
                      run_names(ensemble), "permutations")
  if (!is.null(found$merges)) found$tree <- hclust_of(found$merges, names, found$method)
  found$merges <- NULL
  found
}

frame_of.sc_consensus <- function(x) membership_frame(x$membership, x$labels, x$entropy)

#' @python medoid
#' @wraps sc_medoid(x -> ensemble, measure, ...)
#' @names runs: totals
#' @rdname sc_consensus
#' @examplesIf sc_available()
#' sc_medoid(runs, measure = "rand_index")
#' @export

frame_of.sc_medoid <- function(x) {
  data.frame(member = as.character(names_or_numbers(x$totals)), total = unname(x$totals), medoid = seq_along(x$totals) == x$index)
}

#' Coarsest common refinement and finest common coarsening
#'
#' In the meet, two objects are together only if all clusterings join them. In the join, they are
#' together if a chain of overlapping clusters links them.
#'
#' @param x,y Hard clusterings of the same objects; or `x` an ensemble and no `y`.
#' @return A hard clustering, its clusters numbered by first appearance.
#' @references K. Hornik (2005), A CLUE for CLUster Ensembles, Journal of Statistical Software 14(12).
#' @examplesIf sc_available()
#' sc_labels(sc_meet(c(1, 1, 1, 2, 2), c(1, 1, 2, 2, 2)))
#' sc_labels(sc_join(c(1, 1, 2, 2, 3), c(1, 2, 2, 3, 4)))
#' @export
sc_meet <- function(x, y = NULL) run("meet", sides = members_of(x, y))

#' @rdname sc_meet
#' @export
sc_join <- function(x, y = NULL) run("join", sides = members_of(x, y))

#' @rdname sc_meet
#' @python is_refinement
#' @wraps sc_is_refinement(x, y)
#' @return `sc_is_refinement()`: whether every cluster of x lies inside one cluster of y.
#' @export

members_of <- function(x, y) {
  if (is.null(y)) return(unname(unclass(as_ensemble(x))))
  unname(pair_of(x, y))
}
