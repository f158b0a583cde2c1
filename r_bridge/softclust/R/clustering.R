#' Make a clustering from labels, matrices and objects of other packages
#'
#' All functions of this package call `sc_clustering()` on their arguments. You need it only to look
#' at the result, to keep it, or to give the `kind` of a matrix. `sc_rough()` and `sc_evidential()`
#' make clusterings from their parts.
#'
#' @param x An object:
#'   * a factor, or a vector of whole numbers, strings or logicals: hard. Any number is a name,
#'     0 and negative ones too. Unused levels are dropped; `NA` is an error. Names are the names of
#'     the objects;
#'   * the same within `I()`, `integer64` numbers (bit64), or numbers with value labels (haven), which
#'     name the clusters;
#'   * a numeric matrix or data frame whose rows sum to 1 within 1e-8: fuzzy; others need `kind`;
#'   * a one-hot matrix or data frame (one `TRUE` or 1 in every row): fuzzy, as every matrix whose
#'     rows sum to 1. Other logical or 0/1 matrices need `kind`;
#'   * results of package dbscan (`dbscan()`, `hdbscan()`): hard, with 0 for noise;
#'   * `kmeans`, `pam`, `clara`, `fanny`, `Mclust` (all components, from `z`), `fclust` (of
#'     packages fclust and e1071), results of dtwclust, `credpart` (package evclust), lists
#'     with `upperApprox` (package SoftClustering) or with `lower` and `upper`;
#'   * whatever package clue takes for a partition.
#' @param kind Kind of a matrix: "fuzzy", "possibilistic", "rough" (each object belongs to one of
#'   these clusters), "cover" (it belongs to all of them), or "evidential" (masses on all 2^c sets
#'   of c clusters: column b + 1 stands for the clusters k for which bit k - 1 of b is 1). This does
#'   not convert the clustering; use [sc_harden()], [sc_to_fuzzy()], [sc_to_rough()] and
#'   [sc_to_evidential()] for that.
#' @param normalize `"rows"` divides each row of a matrix of memberships (or of masses, with
#'   `kind = "evidential"`) by its sum, for numbers that were rounded. Without it such rows are an
#'   error.
#' @param noise,noise_label,missing How to treat noise and missing labels: the rules of
#'   [sc_align()], except `"drop"`, which needs several clusterings. With `noise = NULL` noise is a
#'   cluster like any other. If a row of memberships sums to less than 1, the rest is the
#'   probability of noise: `"cluster"` gives it a column of its own, `"empty"` and `"unknown"` give
#'   it to the empty set and to the set of all clusters.
#' @param lower,upper Logical or 0/1 matrices (objects, clusters): certain and possible clusters.
#'   An object is certain exactly where it has a single possible cluster; `lower = NULL` derives
#'   that.
#' @param mass Matrix (objects, focal sets) of numbers >= 0, rows summing to 1.
#' @param focal_sets Sets of clusters that carry the masses: a logical or 0/1 matrix (focal sets,
#'   clusters), or a list of vectors of cluster numbers or names, `NULL` for the empty set. The
#'   empty set is moved to the front.
#' @param ... Not used.
#' @return A list of class `sc_clustering` and of the class of its kind:
#'   * `sc_hard`: `labels` (from 1) and `n_clusters`.
#'   * `sc_fuzzy`: `membership`, a matrix of objects by clusters.
#'   * `sc_rough`: `lower` and `upper`, the certain and the possible clusters.
#'   * `sc_possibilistic`: `typicality`.
#'   * `sc_evidential`: `mass` and `focal_sets`.
#'   * `sc_cover`: see [sc_cover()].
#'
#'   Each also has `object_names` and `cluster_names`, which are `NULL` if there are none; R's automatic
#'   names 1, 2, ... do not count. `x[i]` is the clustering of some of the objects.
#' @section Package clue:
#' Hard and fuzzy clusterings are partitions for clue: `clue::cl_agreement()`,
#' `clue::cl_consensus()` and the others take them. As always in clue, empty clusters are not
#' counted there. Results that hold a hard or fuzzy clustering, such as those of [sc_cluster()],
#' [sc_bagged()], [sc_consensus()] and [sc_medoid()], are partitions too, and
#' `clue::cl_predict(fit, newdata)` places new objects as `predict()` does.
#' @section Names of objects: Functions of several clusterings compare the names of their objects,
#'   if both have names, and stop if these differ or are in a different order. Names of vectors and
#'   row names of matrices and data frames count, and so do row numbers, as in
#'   `data[sample(nrow(data)), ]`. The automatic row names of a data frame are its row numbers; they
#'   are compared only with other row numbers. Objects without names, as in a plain vector, are
#'   compared by position.
#' @seealso [sc_labels()], [sc_membership()], [sc_harden()], [sc_ensemble()].
#' @examplesIf sc_available()
#' sc_clustering(c("a", "b", "a"))
#' sc_clustering(rbind(c(0.333, 0.666), c(1, 0)), normalize = "rows")
#' x <- sc_clustering(matrix(c(0.9, 0.4, 0.1, 0.6), 2, dimnames = list(NULL, c("a", "b"))))
#' summary(x)
#' sc_rough(upper = rbind(c(TRUE, FALSE), c(TRUE, TRUE)))
#' sc_evidential(rbind(c(0.7, 0.3), c(0, 1)), list(1, c(1, 2)))
#' sc_clustering(stats::kmeans(c(1, 2, 10, 11), c(1, 11)))
#' @export
sc_clustering <- function(x, kind = NULL, ..., normalize = NULL, noise = NULL,
                          noise_label = NULL, missing = "raise") {
  no_dots(...)
  clusterings_of(list(x), kind = kind, normalize = normalize, noise = noise,
                 noise_label = noise_label,
                 missing = if (!identical(missing, "raise")) missing)[[1L]]
}

#' @rdname sc_clustering
#' @export
sc_rough <- function(lower = NULL, upper) {
  side <- read_plain(plain(if (is.data.frame(upper)) upper else matrix_of(upper, "upper")))
  found <- if (is.null(lower)) run("RoughClustering.from_upper", upper = side$rows)
           else run("RoughClustering", lower = unname(matrix_of(lower, "lower")), upper = side$rows)
  with_names(found, side)
}

matrix_of <- function(x, name) {
  if (is.numeric(x) || is.logical(x) || is.data.frame(x) || inherits(x, "dist")) return(as.matrix(x))
  stop_softclust("ClusteringError", "`", name, "` is ", what_is(x), "; a matrix of numbers is needed")
}

#' @rdname sc_clustering
#' @export
sc_evidential <- function(mass, focal_sets) {
  side <- read_plain(plain(if (is.data.frame(mass)) mass else matrix_of(mass, "mass")))
  if (is.list(focal_sets) && !is.data.frame(focal_sets)) focal_sets <- sets_from_list(focal_sets)
  sets <- unname(matrix_of(focal_sets, "focal_sets"))
  front <- order(rowSums(sets != 0) > 0, method = "radix")
  if (length(front) == ncol(side$rows)) side$rows <- side$rows[, front, drop = FALSE]
  found <- run("EvidentialClustering", mass = side$rows, focal_sets = sets[front, , drop = FALSE])
  with_objects(with_clusters(found, own_names(colnames(focal_sets), "clusters")), side$objects)
}

#' Several clusterings of the same objects
#'
#' Functions for several clusterings call `sc_ensemble()` on their argument, so you can also pass a
#' list.
#'
#' @param ... Clusterings: anything [sc_clustering()] takes. A single plain list, data frame of
#'   labels (whole numbers, strings, factors: one column per clustering) or ensemble of package clue
#'   stands for its elements.
#' @param list A list (or data frame) of clusterings, as in [clue::cl_ensemble()].
#' @param main Title of the picture.
#' @return A list of clusterings with names, class `sc_ensemble`. If all of them are hard or fuzzy
#'   it is an ensemble of package clue too.
#' @examples
#' runs <- sc_ensemble(a = c(1, 1, 2), b = c(1, 2, 2))
#' runs
#' runs$b
#' @export
sc_ensemble <- function(..., list = NULL) {
  given <- base::list(...)
  if (length(given) == 1L && is.null(names(given)) && is.null(list) && is_collection(given[[1L]])) {
    if (inherits(given[[1L]], "sc_ensemble")) return(given[[1L]])
    list <- given[[1L]]
    given <- base::list()
  }
  if (inherits(list, "sc_clustering")) list <- base::list(list)
  list <- columns_of_cuts(list)
  members <- c(given, if (is.list(list)) unclass(as.list(list)) else list)
  if (!length(members)) {
    stop_softclust("ClusteringError", "there is no clustering; at least one is needed")
  }
  labels <- member_names(members)
  clusterings <- unname(clusterings_of(members, labels))
  if (is.data.frame(list)) clusterings <- lapply(clusterings, with_objects, row_names_of(list))
  check_all_objects(clusterings, paste0("clustering \"", labels, "\""))
  new_ensemble(clusterings, labels)
}

#' Labels, memberships and conversions between kinds
#'
#' softclust does not convert clusterings without telling you: a measure that needs another kind
#' raises an error, and these functions convert by a named rule.
#'
#' @param x Anything [sc_clustering()] takes.
#' @param rule How to decide. `sc_harden()`: the cluster of the largest plausibility, belief or
#'   pignistic probability (all the same for a fuzzy clustering); ties go to the first.
#'   `sc_to_fuzzy()`: the mass of each set divided evenly over its clusters, or plausibilities
#'   divided by their sum; for a cover, each object divided evenly among its clusters ("shares").
#'   `sc_to_rough()`: the clusters whose plausibility reaches the largest belief, or the set with
#'   the largest mass. `sc_normalize()`, for evidential and possibilistic clusterings: the mass on
#'   the empty set is divided away, in proportion over the other sets, or goes to the set of all
#'   clusters.
#' @param on_empty For `rule = "max_mass"`, where the empty set has the largest mass: an error, all
#'   clusters, or the best other set.
#' @param focal_sets "full" for all 2^c sets of clusters, "occurring" for those with mass.
#' @return   * `sc_harden()`, `sc_to_fuzzy()`, `sc_to_rough()`, `sc_to_evidential()`: a clustering of that
#'     kind; `sc_normalize()`: one of the same kind as x.
#'   * `sc_labels()`, for hard clusterings only: a factor whose levels are the names of the clusters
#'     (numbers from 1 if there are none), with names if the objects have them.
#'   * `sc_membership()`, for hard and fuzzy clusterings only: a matrix, objects by clusters.
#' @references A. Campagner, D. Ciucci, T. Denoeux (2023), A general framework for evaluating and comparing
#'   soft clusterings, Information Sciences 623, 70-93.
#' @examplesIf sc_available()
#' u <- matrix(c(0.9, 0.4, 0.1, 0.6), 2, dimnames = list(c("x", "y"), c("a", "b")))
#' sc_membership(u)
#' sc_labels(sc_harden(u))
#' sc_to_fuzzy(sc_rough(upper = rbind(c(1, 0), c(1, 1))))
#' sc_to_evidential(u)
#' outlier <- sc_evidential(rbind(c(0.5, 0.3, 0.2), c(0, 1, 0)), list(NULL, 1, c(1, 2)))
#' sc_normalize(outlier, "yager")
#' sc_to_rough(outlier, "max_mass", on_empty = "vacuous")
#' @name conversions
NULL

#' @rdname conversions
#' @export
sc_harden <- function(x, rule = c("max_plausibility", "max_belief", "max_pignistic")) {
  convert(x, "harden", rule = chosen(rule))
}

convert <- function(x, to, ...) {
  x <- sc_clustering(x)
  found <- run(paste0(capital(kind_of(x)), "Clustering.", to), sides = list(x), ...)
  attr(found, "noise") <- attr(x, "noise")
  with_objects(found, if (identical(attr(x, "numbered"), "rows")) structure(list(length(x)), class = "sc_rows")
                      else if (isTRUE(attr(x, "numbered"))) seq_along(x))
}

#' @rdname conversions
#' @export
sc_to_fuzzy <- function(x, rule = c("pignistic", "plausibility", "shares")) {
  x <- sc_clustering(x)
  # A cover has one rule of its own, and no masses for the others.
  if (missing(rule) && inherits(x, "sc_cover")) rule <- "shares"
  convert(x, "to_fuzzy", rule = chosen(rule))
}

#' @rdname conversions
#' @export
sc_to_rough <- function(x, rule = c("interval_dominance", "max_mass"),
                        on_empty = c("raise", "vacuous", "nonempty")) {
  convert(x, "to_rough", rule = chosen(rule), on_empty = chosen(on_empty))
}

#' @rdname conversions
#' @export
sc_normalize <- function(x, rule = c("dempster", "yager")) {
  convert(x, "normalize", rule = chosen(rule))
}

#' @rdname conversions
#' @export
sc_to_evidential <- function(x, focal_sets = c("full", "occurring")) {
  convert(x, "to_evidential", focal_sets = chosen(focal_sets))
}

#' @rdname conversions
#' @export
sc_labels <- function(x) {
  x <- sc_clustering(x)
  if (!inherits(x, "sc_hard")) {
    stop_softclust("ClusteringError", "x is ", kind_of(x), " and has no labels; sc_harden(x) ",
                   "makes a hard clustering by a named rule")
  }
  structure(x$labels, levels = cluster_labels(x), class = "factor", names = x$object_names)
}

#' @rdname conversions
#' @export
sc_membership <- function(x) {
  x <- sc_clustering(x)
  m <- switch(kind_of(x),
    fuzzy = x$membership,
    hard = indicators(x),
    stop_softclust("ClusteringError", "x is ", kind_of(x), " and has no memberships; ",
                   "sc_to_fuzzy(x) makes a fuzzy clustering by a named rule"))
  if (!is.null(x$object_names) || !is.null(x$cluster_names)) {
    dimnames(m) <- list(x$object_names, x$cluster_names)
  }
  m
}
