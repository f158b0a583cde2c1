#' The number of clusters
#'
#' Clusters the data with each number of clusters and compares the results by a criterion.
#'
#' @param n_clusters Numbers of clusters to try.
#' @param estimator A clusterer of R, as in [sc_bagged()]; `NULL` takes the default of each criterion.
#' @python cluster_number sc_cluster_number
#' @wraps sc_cluster_number(data, n_clusters, criterion = "entropy", ..., estimator, seed)
#' @examplesIf sc_available()
#' found <- sc_cluster_number(iris[, 1:4], 2:4, criterion = "silhouette", seed = 1)
#' found
#' plot(found)
#' @export

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
#' @python pair_roc
#' @wraps sc_pair_roc(truth, h -> merges, ... = options_of_roc(truth, ...))
#' @examplesIf sc_available()
#' tree <- hclust(dist(iris[, 1:4]), "average")
#' roc <- sc_pair_roc(iris$Species, tree)
#' roc
#' plot(roc)
#' @export

#' @rdname sc_pair_roc
#' @param partitions Partitions of the same objects into several numbers of clusters, one or more runs
#'   for each: a list or an ensemble.
#' @python pair_roc_partitions
#' @wraps sc_pair_roc_partitions(truth, partitions, ... = options_of_roc(truth, ...))
#' @examplesIf sc_available()
#' sc_pair_roc_partitions(iris$Species, lapply(2:5, function(k) kmeans(iris[, 1:4], k)$cluster))
#' @export

runs_by_number <- function(partitions, truth) {
  runs <- as_ensemble(partitions)
  same_objects(truth = truth, partitions = runs)
  runs <- unname(unclass(runs))
  k <- vapply(runs, n_clusters, 0L)
  lapply(sort(unique(k)), function(each) list(each, runs[k == each]))
}

# The options of a curve; `labelled` may have one entry per object.
options_of_roc <- function(truth, ...) {
  labelled <- list(...)[["labelled"]]
  if (is.logical(labelled)) same_objects(truth = truth, labelled = labelled)
  dots(...)
}

#' Area of a ROC curve when only some objects have labels
#'
#' @inheritParams sc_pair_roc
#' @param h A tree, as in [sc_pair_roc()]; or partitions, as in [sc_pair_roc_partitions()].
#' @python pair_roc_subsets -indices
#' @examplesIf sc_available()
#' tree <- hclust(dist(iris[, 1:4]), "average")
#' sc_pair_roc_subsets(iris$Species, tree, fractions = c(0.2, 1), n_draws = 10, seed = 1)
#' @export
sc_pair_roc_subsets <- function(truth, h, ..., seed = NULL) {
  truth <- clustering_called(truth, "truth")
  tree <- is_tree(h)
  if (tree) {
    h <- as_tree(h, "h")
    same_objects("the tree" = h, truth = truth)
  }
  record_of("pair_roc_subsets", "sc_pair_roc_subsets", truth = truth,
            merges = if (tree) tree_parts(h) else runs_by_number(h, truth),
            options = dots(...), seed = draw_seed(seed))
}
