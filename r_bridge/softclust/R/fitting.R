#' Soft clusterers
#'
#' Fits a rough, fuzzy, possibilistic or evidential clustering to the rows of a table, or a hard one
#' by single linkage.
#'
#' @param data Matrix or data frame of finite numbers, one row per object. `plot()` draws two of its
#'   columns, with a symbol for each cluster that is large for certain objects; crosses mark objects
#'   that probably belong to no cluster. Without `data`, `plot()` draws the memberships, or the
#'   heights of the merges.
#' @param n_clusters Number of clusters.
#' @param method `"rough_kmeans"` (rough), `"fuzzy_cmeans"` (fuzzy), `"possibilistic_cmeans"`
#'   (possibilistic), `"evidential_cmeans"` (evidential), or the experimental single linkage with
#'   isolated clusters `"slaglo"` and `"sldid"` (hard).
#' @param ... Options of the clusterer, see below, and for all but the last two `sample_weight`, weights
#'   of the objects.
#' @options "rough_kmeans" cluster.RoughKMeans
#' @options "fuzzy_cmeans" cluster.FuzzyCMeans
#' @options "possibilistic_cmeans" cluster.PossibilisticCMeans
#' @options "evidential_cmeans" cluster.EvidentialCMeans
#' @options "slaglo" cluster.SLAGLO
#' @options "sldid" cluster.SLDID
#' @param m Exponent above 1 of the memberships of `"fuzzy_cmeans"` (larger: fuzzier) and of the
#'   typicalities of `"possibilistic_cmeans"`; 2 by default.
#' @param seed Integer seed of the starts; `NULL` draws one from R's random numbers. A given seed
#'   gives the same numbers as in Python.
#' @return A list of class `sc_fit`, which you can pass wherever a clustering is needed:
#'   * `clustering`; `labels`: the best cluster of each object.
#'   * `centers`, `objective`, `history`, `n_iter`, `converged`.
#'   * `method`, `options`, `seed`.
#'   * for `"slaglo"` and `"sldid"`, `merges` (in SciPy's form: nodes from 0) and `isolated` (for each
#'     object the number of its isolated cluster, or `NA`).
#'
#'   `predict()` gives the clustering of new objects (`type = "clustering"`) or their labels
#'   (`type = "labels"`).
#' @references J. C. Bezdek (1981), Pattern Recognition with Fuzzy Objective Function Algorithms, Plenum.
#'
#'   R. Krishnapuram, J. M. Keller (1993), A possibilistic approach to clustering, IEEE Transactions
#'   on Fuzzy Systems 1, 98-110.
#'
#'   M.-H. Masson, T. Denoeux (2008), ECM: an evidential version of the fuzzy c-means algorithm,
#'   Pattern Recognition 41, 1384-1397.
#'
#'   P. Lingras, C. West (2004), Interval set clustering of web users with rough k-means, Journal of
#'   Intelligent Information Systems 23, 5-16.
#'
#'   A. Fred, J. Leitao (2003), A new cluster isolation criterion based on dissimilarity increments,
#'   IEEE Transactions on Pattern Analysis and Machine Intelligence 25, 944-958.
#'
#'   H. Aidos, A. Fred (2011), Hierarchical clustering with high order dissimilarities, MLDM 2011,
#'   280-293.
#' @seealso [sc_bagged()], [sc_cluster_number()].
#' @examplesIf sc_available()
#' fit <- sc_cluster(iris[, 1:4], 3, method = "fuzzy_cmeans", m = 2, seed = 1)
#' fit
#' predict(fit, iris[c(1, 51, 101), 1:4], type = "labels")
#' sc_compare(iris$Species, fit)
#' plot(fit, iris[, 3:4])
#' @export
sc_cluster <- function(data, n_clusters, method = c("rough_kmeans", "fuzzy_cmeans",
                                                    "possibilistic_cmeans", "evidential_cmeans",
                                                    "slaglo", "sldid"), ..., m = NULL,
                       seed = NULL) {
  method <- chosen(method)
  table <- as_table(data)
  # `m` has an argument of its own because R would take it for the beginning of `method`.
  options <- c(list(...), if (!is.null(m)) list(m = m))
  hierarchical <- method %in% c("slaglo", "sldid")
  weights <- if (!hierarchical) as_vector(options[["sample_weight"]])
  if (!hierarchical) {
    same_objects(data = data, sample_weight = options[["sample_weight"]])
    options$sample_weight <- NULL
  }
  for (name in intersect(names(options), c("init", "focal"))) {
    if (is.data.frame(options[[name]])) options[[name]] <- as_table(options[[name]], name)
  }
  if (!is.null(options[["eta"]])) options$eta <- as_vector(options[["eta"]])
  seed <- if (!hierarchical) draw_seed(seed)
  found <- run(clusterers[[method]], sides = list(n_clusters), options = call_with(dots, options),
               seed = seed, then = list("fit", X = unname(table), sample_weight = weights),
               what = paste0("method \"", method, "\""))
  found <- name_parts(found, rownames(table), "labels")
  found$clustering <- with_objects(found$clustering, objects_of(data, table))
  if (!is.null(found$centers)) {
    colnames(found$centers) <- colnames(table)
    found$withinss <- vapply(seq_len(nrow(found$centers)), function(k) {
      sum((t(table[found$labels == k, , drop = FALSE]) - found$centers[k, ])^2)
    }, 0)
  }
  found$method <- method
  found$options <- options
  new_result(found, "sc_fit", seed)
}

# A data frame or matrix of numbers; says what is wrong instead of guessing.
clusterers <- c(rough_kmeans = "cluster.RoughKMeans", fuzzy_cmeans = "cluster.FuzzyCMeans",
                possibilistic_cmeans = "cluster.PossibilisticCMeans",
                evidential_cmeans = "cluster.EvidentialCMeans", slaglo = "cluster.SLAGLO",
                sldid = "cluster.SLDID")

as_table <- function(data, name = "data") {
  if (inherits(data, "AsIs")) class(data) <- setdiff(class(data), "AsIs")
  if (inherits(data, "Matrix")) data <- as.matrix(data)
  if (is.data.frame(data)) {
    data[] <- lapply(data, function(column) {
      if (inherits(column, "integer64")) from_integer64(column)
      else if (is.numeric(column)) as.vector(unclass(column)) else column
    })
    wrong <- names(data)[!vapply(data, is.numeric, NA)]
    if (length(wrong)) {
      stop_softclust("ClusteringError", "column ", paste(wrong, collapse = ", "), " of `", name,
                     "` is not numeric; leave it out or recode it as numbers")
    }
    rows <- row_names_of(data)
    data <- as.matrix(data)
    rownames(data) <- if (!inherits(rows, "sc_rows")) rows
  }
  if (inherits(data, "dist")) {
    stop_softclust("ClusteringError", "`", name, "` is a dist; the objects' features are needed")
  }
  if (is.numeric(data) && is.null(dim(data))) {
    stop_softclust("ClusteringError", "`", name, "` is a vector; a matrix or data frame with one ",
                   "row per object is needed: as.matrix() turns a vector into a column")
  }
  if (is.matrix(data) && !length(data)) {
    stop_softclust("ClusteringError", "`", name, "` is empty (", nrow(data), " rows, ", ncol(data),
                   " columns); at least one object and one feature are needed")
  }
  if (!is.matrix(data) || !is.numeric(data)) {
    stop_softclust("ClusteringError", "`", name, "` is of class ", class(data)[1L],
                   "; a numeric matrix or data frame is needed")
  }
  if (!all(is.finite(data))) {
    bad <- which(!is.finite(data), arr.ind = TRUE)[1L, ]
    stop_softclust("ClusteringError", "`", name, "`[", bad[1L], ", ", bad[2L], "] is ",
                   data[bad[1L], bad[2L]], "; finite numbers are needed: remove or impute")
  }
  storage.mode(data) <- "double"
  data
}

# The names of the objects that a clusterer got.
objects_of <- function(data, table) if (is.data.frame(data)) row_names_of(data) else rownames(table)

titles <- c(rough_kmeans = "Rough k-means", fuzzy_cmeans = "Fuzzy c-means",
            possibilistic_cmeans = "Possibilistic c-means",
            evidential_cmeans = "Evidential c-means", slaglo = "SL-AGLO", sldid = "SL-DID")

#' @export
summary.sc_fit <- function(object, ...) {
  no_dots(..., but = "digits")
  clusters <- if (is.null(object$centers)) max(object$labels) else nrow(object$centers)
  shown <- data.frame(cluster = as.character(seq_len(clusters)),
                      objects = tabulate(object$labels, clusters))
  if (!is.null(object$centers)) {
    some <- object$centers[, seq_len(min(6L, ncol(object$centers))), drop = FALSE]
    if (is.null(colnames(some))) colnames(some) <- paste("centre", seq_len(ncol(some)))
    # Column by column: apply() would make one vector of a single cluster.
    for (j in seq_len(ncol(some))) shown[[colnames(some)[j]]] <- format(some[, j], digits = 4L)
  }
  notes <- "objects: by their best cluster."
  if (!is.null(object$objective)) {
    state <- if (isTRUE(object$converged)) "converged" else "NOT converged"
    notes <- c(notes, paste0("Objective ", format(object$objective, digits = 6L), " after ",
                             counted(object$n_iter, "iteration"), " (", state, ")."))
  }
  if (!is.null(object$centers) && ncol(object$centers) > 6L) {
    notes <- c(notes, paste0(ncol(object$centers) - 6L, " more features in $centers."))
  }
  new_table(paste0(titles[[object$method]], ", ", counted(length(object$labels), "object"), ", ",
                   counted(clusters, "cluster"), " (",
                   kind_of(object$clustering), ")"), shown, notes)
}

frame_of.sc_fit <- function(x) {
  clustering <- x$clustering
  rows <- names(x$labels)
  columns <- lapply(setdiff(matrices_of[[kind_of(clustering)]], "focal_sets"), function(name) {
    part <- as.data.frame(unname(clustering[[name]]))
    names(part) <- if (name == "mass") paste0("mass.", set_labels(clustering))
                   else paste0(name, ".", seq_len(ncol(part)))
    part
  })
  call_with(data.frame, c(list(label = unname(x$labels)), columns,
                        list(row.names = rows, check.names = FALSE)))
}

#' @param object A fit of `sc_cluster`.
#' @param newdata Matrix or data frame of new objects, with the features of `data`; `NULL` for the
#'   objects that were fitted.
#' @param type What to return: the clustering of the new objects, or their labels.
#' @rdname sc_cluster
#' @export
predict.sc_fit <- function(object, newdata = NULL, type = c("clustering", "labels"), ...) {
  no_dots(...)
  type <- chosen(type)
  if (is.null(newdata)) return(if (type == "labels") object$labels else held_clustering(object))
  bagged <- inherits(object, "sc_bagged")
  if (is.null(object$centers)) {
    stop_softclust("ClusteringError", if (bagged) paste0(
      "fits of an R function are not kept, so it cannot predict new objects; the built-in k-means ",
      "(estimator = NULL) can")
      else paste0("a fit by ", object$method, " has no centres and cannot place new objects; fit all ",
                  "objects together"))
  }
  table <- same_features(newdata, object$centers)
  found <- if (bagged) front_call("shares", data = unname(table), centers = unname(object$centers))
           else front_call("assign", data = unname(table), method = clusterers[[object$method]],
                           centers = unname(object$centers),
                           options = as_dict(object$options[setdiff(names(object$options), "init")]),
                           fitted = as_dict(given(eta = as_vector(object$eta),
                                                  focal_sets = object$focal_sets)))
  if (type == "labels") return(stats::setNames(found$labels, rownames(table)))
  with_objects(found$clustering, objects_of(newdata, table))
}

#' @param object A result of `sc_bagged`.
#' @param newdata Matrix or data frame of new objects, with the features of `data`; `NULL` for the
#'   objects that were clustered.
#' @param type What to return: the fuzzy clustering of the new objects, or labels.
#' @rdname sc_bagged
#' @export
predict.sc_bagged <- predict.sc_fit

as_dict <- function(values) call_with(dots, values)

# New objects with their columns in the order of the fit, by name where both have names.
same_features <- function(newdata, centers) {
  features <- dim(centers)[length(dim(centers))]
  names <- dimnames(centers)[[length(dim(centers))]]
  if (!is.null(names) && !is.null(colnames(newdata))) {
    absent <- setdiff(names, colnames(newdata))
    if (length(absent)) {
      stop_softclust("ClusteringError", "`newdata` has no column ", paste(absent, collapse = ", "),
                     ", which the fit has")
    }
    newdata <- newdata[, names, drop = FALSE]
  }
  table <- as_table(newdata, "newdata")
  if (ncol(table) != features) {
    stop_softclust("ClusteringError", "`newdata` has ", counted(ncol(table), "column"),
                   "; the fit has ", features)
  }
  table
}
