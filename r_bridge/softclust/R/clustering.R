# -- building objects ---------------------------------------------------------------------------
kinds <- c("hard", "rough", "fuzzy", "possibilistic", "evidential")

kind_of <- function(x) substring(grep("^sc_(hard|rough|fuzzy|possibilistic|evidential)$",
                                      class(x), value = TRUE)[1L], 4L)

new_hard <- function(labels, n_clusters, objects = NULL, clusters = NULL) {
  structure(list(labels = labels, n_clusters = n_clusters, object_names = own_names(objects),
                 cluster_names = own_names(clusters)),
            class = c("sc_hard", "sc_clustering"))
}

new_matrix_clustering <- function(kind, parts, objects = NULL, clusters = NULL) {
  parts <- lapply(parts, function(m) { dimnames(m) <- NULL; m })
  structure(c(parts, list(object_names = own_names(objects), cluster_names = own_names(clusters))),
            class = c(paste0("sc_", kind), "sc_clustering"))
}

new_ensemble <- function(members, names = NULL) {
  names(members) <- names
  structure(members, class = "sc_ensemble")
}

# R's automatic names 1, 2, ... are no names.
own_names <- function(names) {
  if (is.null(names) || identical(as.character(names), as.character(seq_along(names)))) NULL
  else as.character(names)
}

#' Clusterings from whatever says unmistakably what it is
#'
#' @param x An object.
#' @param kind One of "hard", "rough", "fuzzy", "possibilistic", "evidential".
#' @param ... Not used.
#' @return An object of class `sc_clustering`.
#' @export
sc_clustering <- function(x, kind = NULL, ...) UseMethod("sc_clustering")

#' @export
sc_clustering.sc_clustering <- function(x, kind = NULL, ...) x

#' @export
sc_clustering.default <- function(x, kind = NULL, ...) {
  if (is.matrix(x)) return(new_matrix_clustering("fuzzy", list(membership = x), rownames(x),
                                                 colnames(x)))
  f <- if (is.factor(x)) droplevels(x) else factor(x, levels = sort(unique(x), method = "radix"))
  new_hard(as.integer(f), nlevels(f), names(x), levels(f))
}

#' Ensembles of clusterings
#'
#' @param ... Clusterings.
#' @param list A list of clusterings.
#' @return An object of class `sc_ensemble`.
#' @export
sc_ensemble <- function(..., list = NULL) {
  members <- c(base::list(...), list)
  new_ensemble(lapply(members, sc_clustering), names(members))
}
