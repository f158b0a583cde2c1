#' The number of clusters
#'
#' Clusters the data with each number of clusters and compares the results by one of eight criteria.
#'
#' @param n_clusters Numbers of clusters to try.
#' @python cluster_number
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
#' @python pair_roc
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
