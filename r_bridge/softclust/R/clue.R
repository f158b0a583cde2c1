# Hard and fuzzy clusterings are partitions for package clue. Its functions then take them, and so
# do cl_ensemble(), cl_consensus(), cl_agreement(), cl_dissimilarity() and cl_medoid(), which are
# written in terms of these. As in clue, empty clusters are not counted.

is_partition <- function(x) TRUE

#' @exportS3Method clue::is.cl_partition
is.cl_partition.sc_hard <- is_partition
#' @exportS3Method clue::is.cl_partition
is.cl_partition.sc_fuzzy <- is_partition

#' @exportS3Method clue::is.cl_hard_partition
is.cl_hard_partition.sc_hard <- is_partition
#' @exportS3Method clue::is.cl_hard_partition
is.cl_hard_partition.sc_fuzzy <- function(x) all(rowSums(x$membership == 1) > 0)

#' @exportS3Method clue::n_of_objects
n_of_objects.sc_clustering <- function(x) n_objects(x)

#' @exportS3Method clue::n_of_classes
n_of_classes.sc_hard <- function(x) sum(tabulate(x$labels, x$n_clusters) > 0L)
#' @exportS3Method clue::n_of_classes
n_of_classes.sc_fuzzy <- function(x) sum(colSums(x$membership) > 0)

#' @exportS3Method clue::cl_class_ids
cl_class_ids.sc_hard <- function(x) class_ids(x$labels, x)
#' @exportS3Method clue::cl_class_ids
cl_class_ids.sc_fuzzy <- function(x) {
  used <- colSums(x$membership) > 0
  class_ids(max.col(x$membership[, used, drop = FALSE], ties.method = "first"), x)
}

class_ids <- function(ids, x) {
  if (inherits(x, "sc_hard")) ids <- match(ids, which(tabulate(ids, x$n_clusters) > 0L))
  structure(ids, names = x$object_names, class = "cl_class_ids")
}

#' @exportS3Method clue::cl_object_names
cl_object_names.sc_hard <- function(x) x$object_names
#' @exportS3Method clue::cl_object_names
cl_object_names.sc_fuzzy <- function(x) x$object_names

#' @exportS3Method clue::cl_membership
cl_membership.sc_hard <- function(x, k = clue::n_of_classes(x)) clue_membership(x, indicators(x), k)
#' @exportS3Method clue::cl_membership
cl_membership.sc_fuzzy <- function(x, k = clue::n_of_classes(x)) clue_membership(x, x$membership, k)

clue_membership <- function(x, m, k) {
  used <- colSums(m) > 0
  names <- x$cluster_names[used]
  m <- m[, used, drop = FALSE]
  n <- ncol(m)
  if (k > n) {
    m <- cbind(m, matrix(0, nrow(m), k - n))
    if (!is.null(names)) names <- c(names, character(k - n))
  }
  if (!is.null(x$object_names) || !is.null(names)) dimnames(m) <- list(x$object_names, names)
  structure(m, n_of_classes = n, is_cl_hard_partition = clue::is.cl_hard_partition(x),
            class = "cl_membership")
}

# -- results that hold a clustering -----------------------------------------------------------------
# Fits, bagged clusterings, consensus and medoid are partitions for clue where their clustering is
# one: hard or fuzzy. The others are converted by name, sc_to_fuzzy(fit).

#' @exportS3Method clue::is.cl_partition
is.cl_partition.sc_result <- function(x) inherits(x[["clustering"]], c("sc_hard", "sc_fuzzy"))

#' @exportS3Method clue::is.cl_hard_partition
is.cl_hard_partition.sc_result <- function(x) {
  is.cl_partition.sc_result(x) && clue::is.cl_hard_partition(x[["clustering"]])
}

#' @exportS3Method clue::n_of_objects
n_of_objects.sc_result <- function(x) clue::n_of_objects(partition_in(x))

#' @exportS3Method clue::n_of_classes
n_of_classes.sc_result <- function(x) clue::n_of_classes(partition_in(x))

#' @exportS3Method clue::cl_class_ids
cl_class_ids.sc_result <- function(x) clue::cl_class_ids(partition_in(x))

#' @exportS3Method clue::cl_object_names
cl_object_names.sc_result <- function(x) clue::cl_object_names(partition_in(x))

#' @exportS3Method clue::cl_membership
cl_membership.sc_result <- function(x, k = clue::n_of_classes(x)) {
  clue::cl_membership(partition_in(x), k)
}

partition_in <- function(x) {
  if (is.cl_partition.sc_result(x)) return(x[["clustering"]])
  stop_softclust("ClusteringError", "this result of class ", class(x)[1L], " holds ",
                 if (is.null(x[["clustering"]])) "no clustering" else
                   paste0("a clustering that is ", kind_of(x[["clustering"]])),
                 "; package clue needs a hard or fuzzy one",
                 if (!is.null(x[["clustering"]])) ": sc_to_fuzzy(x) or sc_harden(x) converts it")
}

has_rule <- function(x) {
  if (inherits(x, c("sc_fit", "sc_bagged"))) return(invisible())
  stop_softclust("ClusteringError", "a result of class ", class(x)[1L], " has no rule for ",
                 "new objects; fits of sc_cluster() and sc_bagged() have")
}

# New objects by the fit's own rule. The clusters keep the numbers of the fit, empty ones too.
#' @exportS3Method clue::cl_predict
cl_predict.sc_result <- function(object, newdata = NULL, type = c("class_ids", "memberships"),
                                 ...) {
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

#' @exportS3Method clue::cl_predict
cl_predict.sc_clustering <- function(object, newdata = NULL,
                                     type = c("class_ids", "memberships"), ...) {
  type <- chosen(type)
  if (!is.null(newdata)) {
    stop_softclust("ClusteringError", "a clustering has no rule for new objects; fits of ",
                   "sc_cluster() and sc_bagged() have")
  }
  if (type == "class_ids") clue::cl_class_ids(object) else clue::cl_membership(object)
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
