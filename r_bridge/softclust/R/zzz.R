#' softclust: compare clusterings of every kind
#'
#' Start with [sc_compare()]; [sc_measures()] lists every measure. Clusterings can be anything that
#' [sc_clustering()] takes: labels, factors, membership matrices, objects of packages clue, cluster,
#' e1071, evclust, fclust and mclust. The numbers come from the Python package softclust;
#' [sc_available()] checks whether it is there, and [install_softclust()] installs it.
#'
#' @section Jobs:
#'   * compare two clusterings, with intervals: `sc_compare(iris$Species, kmeans(iris[, 1:4], 3))`,
#'     several: [sc_compare_all()], [sc_rank_clusterings()];
#'   * the number of clusters: `sc_cluster_number(iris[, 1:4], 2:6)`;
#'   * evidence of any clusters: `sc_cluster_test(iris[, 1:4])`, again in other data: [sc_replicate()];
#'   * stability: `sc_bagged(iris[, 1:4], 3)`, [sc_cluster_stability()];
#'   * consensus: `sc_consensus(list(a, b))`, [sc_posterior_partition()];
#'   * trees: `sc_dendrogram_curve(hclust(d), hclust(d, "average"))`, [sc_pair_roc()].
#'
#' `sc_clustering(x)` is a vector of objects: `x[i]`, `length(x)`, `table(x, y)`, `data$cluster <- x`.
#' @examplesIf sc_available()
#' sc_compare(iris$Species, cutree(hclust(dist(iris[, 1:4])), 3))
#' @section Conditions:
#' Every error has the class `softclust_error` and `softclust_<type>`, where the type is the class
#' of the Python error, such as `softclust_ClusteringError` for an argument that is not a clustering
#' of the needed form. Warnings have the class `softclust_warning` and `softclust_<type>`, such as
#' `softclust_UndefinedMeasureWarning` for a measure that is 0/0. If Python or its package
#' cannot be used the class is `softclust_unavailable`.
#'
#' @section Random numbers: Functions that use random numbers have an argument `seed`. `NULL` takes
#'   an integer from R's random numbers, so [set.seed()] makes results reproducible; the result
#'   contains it as `$seed`. A seed gives the same numbers in Python.
#'
#' @name softclust-package
#' @aliases softclust
#' @keywords internal
NULL

.onLoad <- function(libname, pkgname) {
  declare_python()
  # Neither Python nor the network is touched: the module is imported at its first use. reticulate
  # then prefers a Python that has it.
  .state$module <- reticulate::import("r_bridge._front", delay_load = TRUE)
}
