# Hard and fuzzy clusterings are partitions for package clue. Its functions then take them, and so
# do cl_ensemble(), cl_consensus(), cl_agreement(), cl_dissimilarity() and cl_medoid(), which are
# written in terms of these. As in clue, empty clusters are not counted.

# Fits, bagged clusterings, consensus and medoid are partitions where their clustering is one; others
# are converted by name, sc_to_fuzzy(fit).
#' @rawNamespace S3method(clue::is.cl_partition,sc_clustering); S3method(clue::is.cl_partition,sc_result)
#' S3method(clue::is.cl_hard_partition,sc_clustering); S3method(clue::is.cl_hard_partition,sc_result)
#' S3method(clue::n_of_objects,sc_clustering); S3method(clue::n_of_objects,sc_result)
#' S3method(clue::n_of_classes,sc_clustering); S3method(clue::n_of_classes,sc_result)
#' S3method(clue::cl_class_ids,sc_clustering); S3method(clue::cl_class_ids,sc_result)
#' S3method(clue::cl_object_names,sc_clustering); S3method(clue::cl_object_names,sc_result)
#' S3method(clue::cl_membership,sc_clustering); S3method(clue::cl_membership,sc_result)
#' S3method(clue::cl_predict,sc_clustering); S3method(clue::cl_predict,sc_result)
NULL

clustering_in <- function(x) if (inherits(x, "sc_clustering")) x else x[["clustering"]]

partition_in <- function(x) {
  held <- clustering_in(x)
  if (inherits(held, c("sc_hard", "sc_fuzzy"))) return(held)
  stop_softclust("ClusteringError", "this ", if (identical(held, x)) "object" else "result", " of class ",
                 class(x)[1L], " holds ",
                 if (is.null(held)) "no clustering" else paste0("a clustering that is ", kind_of(held)),
                 "; package clue needs a hard or fuzzy one",
                 if (!is.null(held)) ": sc_to_fuzzy(x) or sc_harden(x) converts it")
}

# Which clusters have objects.
used_in <- function(x) {
  if (inherits(x, "sc_hard")) tabulate(x$labels, x$n_clusters) > 0L else colSums(x$membership) > 0
}

is.cl_partition.sc_clustering <- is.cl_partition.sc_result <- function(x) {
  inherits(clustering_in(x), c("sc_hard", "sc_fuzzy"))
}
is.cl_hard_partition.sc_clustering <- is.cl_hard_partition.sc_result <- function(x) {
  held <- clustering_in(x)
  inherits(held, "sc_hard") ||
    (inherits(held, "sc_fuzzy") && all(rowSums(held$membership == 1) > 0))
}
n_of_objects.sc_clustering <- function(x) n_objects(x)
n_of_objects.sc_result <- function(x) n_objects(partition_in(x))
n_of_classes.sc_clustering <- n_of_classes.sc_result <- function(x) sum(used_in(partition_in(x)))
cl_object_names.sc_clustering <- cl_object_names.sc_result <- function(x) partition_in(x)$object_names

cl_class_ids.sc_clustering <- cl_class_ids.sc_result <- function(x) {
  held <- partition_in(x)
  used <- which(used_in(held))
  ids <- if (inherits(held, "sc_hard")) match(held$labels, used)
         else max.col(held$membership[, used, drop = FALSE], ties.method = "first")
  structure(ids, names = held$object_names, class = "cl_class_ids")
}

cl_membership.sc_clustering <- cl_membership.sc_result <- function(x, k = clue::n_of_classes(x)) {
  held <- partition_in(x)
  used <- used_in(held)
  names <- held$cluster_names[used]
  m <- (if (inherits(held, "sc_hard")) indicators(held) else held$membership)[, used, drop = FALSE]
  n <- ncol(m)
  if (k > n) {
    m <- cbind(m, matrix(0, nrow(m), k - n))
    if (!is.null(names)) names <- c(names, character(k - n))
  }
  if (!is.null(held$object_names) || !is.null(names)) dimnames(m) <- list(held$object_names, names)
  structure(m, n_of_classes = n, is_cl_hard_partition = clue::is.cl_hard_partition(held),
            class = "cl_membership")
}

has_rule <- function(x) {
  if (inherits(x, c("sc_fit", "sc_bagged"))) return(invisible())
  stop_softclust("ClusteringError", "an object of class ", class(x)[1L], " has no rule for ",
                 "new objects; fits of sc_cluster() and sc_bagged() have")
}

# New objects by the fit's own rule. The clusters keep the numbers of the fit, empty ones too.
cl_predict.sc_result <- cl_predict.sc_clustering <- function(
    object, newdata = NULL, type = c("class_ids", "memberships"), ...) {
  type <- chosen(type)
  if (is.null(newdata)) {
    return(if (type == "class_ids") clue::cl_class_ids(object) else clue::cl_membership(object))
  }
  has_rule(object)
  if (type == "class_ids") {
    return(structure(stats::predict(object, newdata, type = "labels"), class = "cl_class_ids"))
  }
  found <- stats::predict(object, newdata, type = "clustering")
  if (!inherits(found, c("sc_hard", "sc_fuzzy"))) {
    stop_softclust("ClusteringError", "the new objects are ", kind_of(found), " and have no ",
                   "memberships; sc_to_fuzzy(predict(fit, newdata)) makes them by a named rule")
  }
  clue::as.cl_membership(sc_membership(found))
}

# Centres of the clusters of a fit, one per row.
#' @exportS3Method clue::cl_prototypes
cl_prototypes.sc_fit <- function(x) prototypes_of(x, x[["centers"]])

#' @exportS3Method clue::cl_prototypes
cl_prototypes.sc_bagged <- function(x) prototypes_of(x, x[["base_centers"]])

prototypes_of <- function(x, centers) {
  if (!is.null(centers)) return(centers)
  stop_softclust("ClusteringError", "clusters of a fit by ", x$method, " have no centres")
}
