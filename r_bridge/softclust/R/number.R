#' The number of clusters
#'
#' Clusters the data with each number of clusters and compares the results by one of eight criteria.
#'
#' @param data Matrix or data frame of finite numbers, one row per object.
#' @param n_clusters Numbers of clusters to try.
#' @param criterion `"entropy"`, `"pairwise_entropy"` (of Bayesian bagged clusterings; smallest is
#'   best), `"cic"` (cluster information criterion of [sc_bagged()] with `"mmcc"`), `"silhouette"`
#'   or `"gap"` (largest is best); of runs on halves of the data `"pac"`, `"instability"`
#'   (smallest is best) or `"jaccard"` (largest is best), see [sc_resampled_clusterings()].
#' @param ... Options of `cluster_number` in Python: `scale` (of the prior; several scales give a
#'   curve each), `prior_weight`, `n_resamples`, `race` (with 200 replicates or more, numbers of
#'   clusters that are clearly behind get fewer replicates and are marked; `FALSE` gives all the
#'   same); for the gap `n_references`, `power`, `reference`, `n_starts`, `rule` (`"max"`, `"1se"`),
#'   `reference_sets` (array, sets by objects by features). Options of a criterion that was not
#'   chosen are an error.
#' @param seed Integer; `NULL` draws one from R's random numbers.
#' @return A list of class `sc_cluster_number`:
#'   * `best` (`NA` when Ctrl-C ended the search), `best_by_scale`.
#'   * `criterion` (its name), `value`, `mc_error`: numbers of clusters by scales.
#'   * `n_clusters`, `scale` (`NaN` for criteria without a prior), `rule`.
#'   * `entropy`, `pairwise_entropy`, `pair`: the last holds the two clusters that are hardest to tell
#'     apart.
#'   * `n_resamples`: replicates of each fit; `given_up`: `TRUE` where the race stopped early;
#'     `failures`; `missing`: numbers of clusters not reached.
#'   * `notes`, `seed`.
#' @references F. M. Quetti, S. Figini, E. Ballante (2024), A Bayesian approach to clustering via the proper
#'   Bayesian bootstrap: the Bayesian bagged clustering (BBC) algorithm, arXiv:2409.08954.
#'
#'   R. Tibshirani, G. Walther, T. Hastie (2001), Estimating the number of clusters in a data set
#'   via the gap statistic, Journal of the Royal Statistical Society B 63, 411-423.
#'
#'   P. Rousseeuw (1987), Silhouettes, Journal of Computational and Applied Mathematics 20, 53-65.
#' @examplesIf sc_available()
#' found <- sc_cluster_number(iris[, 1:4], 2:4, criterion = "silhouette", seed = 1)
#' found
#' plot(found)
#' @export
sc_cluster_number <- function(data, n_clusters = 2:6, criterion = "entropy", ..., seed = NULL) {
  criterion <- chosen(criterion, c("entropy", "pairwise_entropy", "cic", "silhouette", "gap", "pac",
                                   "instability", "jaccard"))
  table <- as_table(data)
  for (k in n_clusters) whole_number(k, "n_clusters")
  record_of("cluster_number", "sc_cluster_number", X = unname(table),
            n_clusters = as_vector(as.integer(n_clusters)), criterion = criterion,
            options = dots(...), seed = draw_seed(seed))
}

#' ROC curve of a dendrogram over all numbers of clusters
#'
#' The ROC curve of a hierarchical clustering against known classes. For each number of clusters k
#' it shows two shares: the share of same-class pairs that are separated, and the share of
#' different-class pairs that are joined. The area under it is 0 for a perfect hierarchy and 0.5 by
#' chance.
#'
#' @param truth Classes of the objects: anything [sc_clustering()] takes; fuzzy with `expected =
#'   TRUE`.
#' @param h A tree of [stats::hclust()], or what `stats::as.hclust()` takes (`cluster::agnes`, ...).
#' @param ... Options of `pair_roc` in Python: `max_clusters`, `ties` (`"block"`, `"order"`),
#'   `tie_tol`, `labelled` (logical, which objects have a class), `criterion` (`"sum"`,
#'   `"pair_error"`), `expected`.
#' @return A list of class `sc_pair_roc`:
#'   * `auc`: the area under the curve; `k_best`: the best number of clusters.
#'   * `k`: the numbers of clusters; for each of them `eps1`, the share of same-class pairs that are
#'     separated, `eps2`, the share of different-class pairs that are joined, and `pair_error`.
#'   * `min_sum`, `proper`, `pairs_same`, `pairs_different`, `max_clusters_used`, and the options.
#' @references H. Aidos, R. P. W. Duin, A. Fred (2013), The area under the ROC curve as a criterion
#'   for clustering evaluation, ICPRAM, 276-280.
#' @examplesIf sc_available()
#' tree <- hclust(dist(iris[, 1:4]), "average")
#' roc <- sc_pair_roc(iris$Species, tree)
#' roc
#' plot(roc)
#' @export
sc_pair_roc <- function(truth, h, ...) {
  if (!inherits(h, "hclust")) {
    h <- tryCatch(stats::as.hclust(h), error = function(e) {
      stop_softclust("TypeError", "`h` is of class ", class(h)[1L], "; a tree of hclust(), or ",
                     "what as.hclust() takes, is needed")
    })
  }
  truth <- clustering_called(truth, "truth")
  check_leaves(h, truth)
  record_of("pair_roc", "sc_pair_roc", merges = tree_parts(h), truth = truth,
            options = dots_vectors(..., vectors = "labelled"))
}

# A tree numbers its objects as its data did; `labels` are their names.
check_leaves <- function(h, truth) {
  n <- nrow(h$merge) + 1
  names <- h$labels
  usable <- length(names) == n && !anyDuplicated(names)
  check_same_objects(new_hard(seq_len(n), n, if (usable) names), truth, "the tree", "truth")
}
