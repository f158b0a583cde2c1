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
